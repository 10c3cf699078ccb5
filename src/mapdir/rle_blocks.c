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

static void spread_words(uint32_t *out, const uint32_t *small, size_t num)
{
    for (const uint32_t *end = small + num; small < end; out += *small, small += 2)
        for (uint32_t i = 0; i < *small; i++)
            out[i] = small[1];
}

/* ------------------------------------------------------------------------------------------------ origins */

typedef struct parked {
    tmi_origin base;        /* first */
    tm_allocator allocator; /* `resize` NULL: malloc */
    uint32_t *words;
    size_t num;
    uint8_t rest[4]; /* bytes after the last word */
} parked;

static const tm_allocator *parked_allocator(const parked *of)
{
    return of->allocator.resize ? &of->allocator : NULL;
}

static tm_status spread_parked(const tmi_origin *origin, const tm_block *block, void *buffer, tm_error *error)
{
    const parked *of = (const parked *)(const void *)origin;
    const size_t whole = (size_t)block->size / 4 * 4;
    (void)error;
    spread_words(buffer, of->words, of->num);
    memcpy((uint8_t *)buffer + whole, of->rest, (size_t)block->size - whole);
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
    parked *of = (parked *)(void *)origin;
    const tm_allocator own = of->allocator, *allocator = own.resize ? &own : NULL;
    tmi_free(allocator, of->words, of->num, sizeof(*of->words));
    tmi_free(allocator, of, 1, sizeof(*of));
}

static const struct tmi_origin_functions parked_functions = {
    .read = spread_parked, .packed_size = parked_size, .free = free_parked};

/* Encodes bytes into memory of just their size; false: they would stay large, or memory is short. */
static bool park_bytes(parked *of, const uint8_t *bytes, size_t size)
{
    const tm_allocator *allocator = parked_allocator(of);
    const uint32_t *words = (const uint32_t *)(const void *)bytes; /* a block of its own, so it is aligned */
    const size_t room = size / 4 / 2;
    uint32_t *small = tmi_alloc(allocator, room, sizeof(*small));
    if (small) {
        of->num = shrink_words(small, room, words, size / 4);
        if (of->num)
            of->words = tmi_alloc(allocator, of->num, sizeof(*small));
        if (of->words)
            memcpy(of->words, small, of->num * sizeof(*small));
        tmi_free(allocator, small, room, sizeof(*small));
    }
    memcpy(of->rest, bytes + size / 4 * 4, size % 4);
    return of->words;
}

/* Replaces a block with its parked form. A block that does not get small, or for want of memory, stays. */
static void park_block(tmi_reading *reading, tm_block *block)
{
    const bool own = block && block->changed && !block->origin && block->size;
    parked *of = own ? tmi_calloc(reading->allocator, 1, sizeof(*of)) : NULL;
    if (!of)
        return;
    of->base.functions = &parked_functions;
    atomic_init(&of->base.references, 1);
    if (reading->allocator)
        of->allocator = *reading->allocator;
    if (park_bytes(of, atomic_load_explicit(&block->bytes, memory_order_relaxed), (size_t)block->size)) {
        reading->parked += block->size;
        tmi_block_come_from(reading->map, block, &of->base);
    }
    tmi_origin_release(&of->base);
}

void tmi_park_layer(tmi_reading *reading, tm_layer *layer)
{
    const uint64_t held = atomic_load_explicit(tmi_map_account(reading->map), memory_order_relaxed);
    if (held < PARK_BYTES || !reading->any_tile || reading->status != TM_OK ||
        !tm_game_layer(layer->kind)->is_tiles)
        return;
    park_block(reading, layer->as.tiles.tiles);
    park_block(reading, layer->as.tiles.compat);
}

tm_status tmi_tiles_new(tmi_reading *reading, tm_block **out, tmi_encoding view, uint64_t size)
{
    *out = NULL;
    if (reading->parked)
        TM_TRY(tmi_map_check_room(reading->map, reading->parked + size, reading->error));
    return tmi_block_new(out, reading->map, view, NULL, size, reading->error);
}
