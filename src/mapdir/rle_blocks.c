/* SPDX-License-Identifier: Zlib */
/*
 * Parks layers: once many tiles are in memory, each layer that is read is run-length encoded, as a folder of
 * a few megabytes can hold a map of hundreds. The origin of a parked block decodes it for any caller, on any
 * thread. A run is two words of four bytes: how many equal words, and the word. Deflate made blocks smaller,
 * but took longer than the whole rest of the work.
 */
#include "mapdir.h"

enum { PARK_BYTES = 32 << 20 }; /* maps below this, nearly all there are, are left alone */

/* ------------------------------------------------------------------------------------------------- runs */

/* Encodes `num` words as runs. Returns the number of words in `out`; 0: `room` does not suffice. */
static size_t shrink_words(uint32_t *out, size_t room, const uint32_t *words, size_t num)
{
    size_t taken = 0;
    for (size_t at = 0, end; at < num; at = end, taken += 2) {
        for (end = at + 1; end < num && words[end] == words[at];)
            end++;
        if (room - taken < 2)
            return 0;
        out[taken] = (uint32_t)(end - at);
        out[taken + 1] = words[at];
    }
    return taken;
}

/* ------------------------------------------------------------------------------------------------ origins */

typedef struct parked {
    tmi_origin base; /* first; memory of tmi_bytes_new */
    uint8_t rest[4]; /* bytes after the last word */
    size_t num;
    uint32_t words[];
} parked;

static tm_status spread_parked(const tmi_origin *origin, const tm_block *block, void *buffer, tm_error *error)
{
    const parked *blocks = (const parked *)(const void *)origin;
    const size_t whole = (size_t)block->size / 4 * 4;
    uint32_t *out = buffer;
    (void)error;
    for (const uint32_t *run = blocks->words; run < blocks->words + blocks->num; out += *run, run += 2)
        for (uint32_t i = 0; i < *run; i++)
            out[i] = run[1];
    memcpy((uint8_t *)buffer + whole, blocks->rest, (size_t)block->size - whole);
    return TM_OK;
}

/* The stored size of a block: 0, as a parked block is in no file. */
static uint64_t parked_size(const tmi_origin *origin, uint32_t data_index)
{
    (void)origin;
    (void)data_index;
    return 0;
}

static void free_parked(tmi_origin *origin)
{
    tmi_bytes_release(origin);
}

static const struct tmi_origin_functions parked_functions = {
    .read = spread_parked, .packed_size = parked_size, .free = free_parked};

/* Replaces a block with its parked form. A block that does not get small, or for want of memory, stays. */
static void park_block(tmi_reading *reading, tm_block *block)
{
    const bool own = block && block->changed && !block->origin && block->size;
    const size_t num = own ? (size_t)block->size / 4 : 0, room = num / 2;
    const uint32_t *words = own ? tmi_block_held(block) : NULL; /* a block of its own, so it is aligned */
    uint32_t *small = own ? tmi_alloc(reading->allocator, room, sizeof(*small)) : NULL;
    const size_t taken = small ? shrink_words(small, room, words, num) : 0;
    parked *blocks =
        taken ? tmi_bytes_new(reading->allocator, sizeof(*blocks) + taken * sizeof(*small), true) : NULL;
    if (blocks) {
        blocks->base.functions = &parked_functions;
        atomic_init(&blocks->base.references, 1);
        blocks->num = taken;
        memcpy(blocks->rest, words + num, (size_t)block->size % 4);
        memcpy(blocks->words, small, taken * sizeof(*small));
        reading->parked += block->size;
        tmi_block_set_origin(reading->map, block, &blocks->base);
        tmi_origin_release(&blocks->base);
    }
    tmi_free(reading->allocator, small, room, sizeof(*small));
}

void tmi_park_layer(tmi_reading *reading, tm_layer *layer)
{
    if (tmi_map_held(reading->map) < PARK_BYTES || !reading->any_tile || reading->status != TM_OK ||
        !tm_game_layer(layer->kind)->is_tiles)
        return;
    park_block(reading, layer->as.tiles.tiles);
    park_block(reading, layer->as.tiles.compat);
}

tm_status tmi_tiles_new(tmi_reading *reading, tm_block **slot, tm_layer_kind kind, const tm_tile_layer *tiles)
{
    const uint64_t size = (uint64_t)tiles->width * tiles->height * tm_game_layer(kind)->element_size;
    tm_block *block;
    if (reading->parked)
        TM_TRY(tmi_map_check_room(reading->map, reading->parked + size, reading->error));
    TM_TRY(tmi_block_new(&block, reading->map, tmi_encoding_of(kind), NULL, size, reading->error));
    tmi_block_put(reading->map, slot, block);
    return TM_OK;
}
