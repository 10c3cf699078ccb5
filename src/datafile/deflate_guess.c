/* SPDX-License-Identifier: Zlib */
/*
 * The ways in which programs pack the blocks of maps: zlib and libdeflate with their levels. Which of them
 * made some bytes is found by trying.
 *
 * Shorter forms, measured over 86 real maps (16.8 MB; their folders 18.4 MB by tar and gzip): to keep all
 * blocks as they are packed adds about the whole map to its folder. To pack the first block of each stream
 * in place of comparing tokens saves 300 lines and takes 2.3 times the instructions of `unpack`; to keep
 * blocks besides that are 40 times smaller than their content makes up for its time with 4.3 MB more.
 */
#include "sidecar.h"

#include "../codec/codec.h"

/* `mark`: the second byte of the stream, which shows the effort of the program. The likeliest come first. */
typedef struct pack_way {
    uint8_t mark;
    bool zlib; /* zlib itself; else libdeflate */
    int8_t level;
} pack_way;

static const pack_way ways[] = {
    {0x00, false, 0}, /* version 3: not packed at all */
    {0x9c, true, 6},  {0xda, true, 9},   {0x01, true, 1},  {0x5e, true, 5},   {0x5e, true, 2},
    {0x5e, true, 3},  {0x5e, true, 4},   {0xda, true, 8},  {0xda, true, 7},   {0x01, true, 0},
    {0x9c, false, 6}, {0x9c, false, 7},  {0xda, false, 9}, {0xda, false, 12}, {0x01, false, 1},
    {0x5e, false, 5}, {0xda, false, 10},
};
_Static_assert(sizeof(ways) / sizeof(ways[0]) == TMI_NUM_WAYS, "each way has a number");

enum { ASK_WHOLE = 2 * TMI_LIKENESS_BYTES };

static size_t pack_so(const pack_way *how, uint8_t *out, size_t capacity, const void *bytes, size_t size)
{
    if (how->zlib)
        return tmi_zlib_pack(how->level, out, capacity, bytes, size);
    tmi_deflater *deflater = tmi_deflater_new(how->level);
    size_t packed = 0;
    if (deflater && tmi_deflate_bound(deflater, size) <= capacity)
        packed = tmi_deflate(deflater, out, capacity, bytes, size);
    tmi_deflater_free(deflater);
    return packed;
}

size_t tmi_way_room(size_t size)
{
    return size + size / 1000 + 256;
}

/*
 * Whether a way reproduces these bytes. Of long contents zlib is only asked for the beginning: a stream that
 * begins as its own and has its blocks is its own, and asking for all of it would cost as much as packing the
 * map.
 */
static bool is_way(const pack_way *how, const tmi_packing *of, const tm_allocator *allocator)
{
    tmi_likeness likeness = TMI_UNDECIDED;
    if (how->zlib && of->size >= ASK_WHOLE)
        likeness = tmi_zlib_likeness(how->level, of->bytes, of->size, of->packed, of->packed_size, allocator);
    if (likeness != TMI_UNDECIDED)
        return likeness == TMI_LIKE;
    return pack_so(how, of->scratch, of->scratch_size, of->bytes, of->size) == of->packed_size &&
           memcmp(of->scratch, of->packed, of->packed_size) == 0;
}

uint8_t tmi_way_find(const tmi_packing *of, atomic_uint *last, const tm_allocator *allocator)
{
    const unsigned first = atomic_load_explicit(last, memory_order_relaxed);
    for (unsigned i = 0; i <= TMI_NUM_WAYS && of->packed_size >= 2 && of->packed[0] == 0x78; i++) {
        const unsigned k = i == 0 ? first : i - 1; /* what was right for another block, once more */
        if (k == TMI_WAY_PLAIN || k >= TMI_NUM_WAYS || ways[k].mark != of->packed[1] || (i && k == first))
            continue;
        if (is_way(&ways[k], of, allocator)) {
            atomic_store_explicit(last, k, memory_order_relaxed);
            return (uint8_t)k;
        }
    }
    return TMI_NO_WAY;
}

size_t tmi_way_pack(uint32_t way, uint8_t *out, size_t capacity, const void *bytes, size_t size)
{
    return pack_so(&ways[way], out, capacity, bytes, size);
}

bool tmi_way_begins_alike(uint32_t a, uint32_t b)
{
    return ways[a].mark == ways[b].mark;
}
