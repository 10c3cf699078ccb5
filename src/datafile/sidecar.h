/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SIDECAR_H
#define TMI_SIDECAR_H
/*
 * Internal: what is kept of a datafile when the contents of its blocks are elsewhere.
 *
 *   sidecar.c       keeps it
 *   sidecar_apply.c     makes the file again
 *   deflate_guess.c       the ways in which programs pack blocks
 *   sidecar_contents.c   the contents that are there, by size and checksum
 *
 *   OFFSET  SIZE  MEANING (all numbers low byte first)
 *   0       4     "tmkf"
 *   4       4     1, the version
 *   8       4     s, bytes of the rest when it is unpacked
 *   12      ..    the rest, a zlib stream:
 *   0       4     size of the file
 *   4       4     n, blocks that are made again
 *   8       28n   for each: offset in the file, packed size, content's size and CRC-32, packed CRC-32, way, 0
 *   8+28n   ..    all other bytes of the file, in order
 */
#include "writer.h"

enum { TMI_KEPT_HEAD = 12, TMI_KEPT_REST_HEAD = 8, TMI_KEPT_ROW = 28, TMI_KEPT_VERSION = 1 };

/* ------------------------------------------------------------------------------------------ ways to pack */

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

/* ---------------------------------------------------------------------------------------------- contents */

/* What a block of the pool holds. */
typedef struct tmi_content {
    uint64_t size;
    uint32_t crc, block;
} tmi_content;

typedef struct tmi_pool {
    tm_datafile_writer *writer;
    const tm_allocator *allocator;
    tmi_content *list; /* sorted */
    size_t num;
} tmi_pool;

/* `skip`: blocks of this file are known without being looked at. */
tm_status tmi_pool_init(tmi_pool *of, tm_datafile_writer *writer, const tm_datafile *skip, const tm_job *job,
                        tm_error *error);
void tmi_pool_release(tmi_pool *of);
const tmi_content *tmi_pool_find(const tmi_pool *of, uint64_t size, uint32_t crc);
/* The bytes of a block; `own` is to be freed with `own_size`. */
typedef struct tmi_held {
    const void *bytes;
    uint64_t size;
    void *own;
    uint64_t own_size;
} tmi_held;
tm_status tmi_pool_get(tmi_held *out, const tmi_pool *of, uint32_t index, tm_error *error);

#endif
