/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SIDECAR_H
#define TMI_SIDECAR_H
/* Internal: the ways in which programs pack blocks (deflate_guess.c). */
#include "writer.h"

enum { TMI_WAY_PLAIN = 0, TMI_NUM_WAYS = 18, TMI_NO_WAY = 255 };

/* A block as it is packed in a file, what it holds, and room to pack that once more (tmi_way_room). */
typedef struct tmi_packing {
    const uint8_t *packed, *bytes;
    size_t packed_size, size;
    uint8_t *scratch;
    size_t scratch_size;
} tmi_packing;
/* The way in which a block was packed; TMI_NO_WAY if it is none of ours. *last is tried first. */
uint8_t tmi_way_find(const tmi_packing *of, atomic_uint *last, const tm_allocator *allocator);
/* Packs in a way other than TMI_WAY_PLAIN; the size, 0 if it does not fit. */
size_t tmi_way_pack(uint32_t way, uint8_t *out, size_t capacity, const void *bytes, size_t size);
/* Levels of one program that only differ behind the beginning of what they pack. */
bool tmi_way_begins_alike(uint32_t a, uint32_t b);
size_t tmi_way_room(size_t size); /* that packing so many bytes takes at most */

#endif
