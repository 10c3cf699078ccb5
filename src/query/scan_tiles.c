/* SPDX-License-Identifier: Zlib */
/*
 * Going over the tiles of a grid with a test. Most layers are long runs of one tile, so each run of equal
 * tiles is looked for first, eight bytes at a time, and tested once.
 */
#include "scan_tiles.h"

/* Bytes that stand together with the tile before: tmi_run_end compares so many at once. */
enum { STRIDE = 32 };

static inline uint64_t load_eight(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof(value));
    return value;
}

/* Tiles are equal as long as each byte is equal to that one tile before. */
const uint8_t *tmi_run_end(const uint8_t *tile, const uint8_t *end, size_t size)
{
    const uint8_t *at = tile + size, *before = tile;
    for (; (size_t)(end - at) >= STRIDE; at += STRIDE, before += STRIDE) {
        uint64_t differ = 0;
        for (int i = 0; i < STRIDE; i += 8)
            differ |= load_eight(at + i) ^ load_eight(before + i);
        if (differ)
            break;
    }
    while (at < end && *at == *before) {
        at++;
        before++;
    }
    return tile + (size_t)(at - tile) / size * size;
}

static bool angle_fits(const angle_test *test, int16_t angle)
{
    for (uint32_t i = 0; i < test->num; i++)
        if (angle >= test->ranges[i].from && angle <= test->ranges[i].to)
            return !test->but;
    return test->but;
}

static bool tile_fits(const tile_scan *scan, const uint8_t *tile)
{
    if (!scan->index[tile[scan->index_at]])
        return false;
    for (uint32_t i = 0; i < scan->num_bytes; i++)
        if (!scan->bytes[i].fits[tile[scan->bytes[i].at]])
            return false;
    if (!scan->angle)
        return true;
    tm_speedup_tile speedup;
    memcpy(&speedup, tile, sizeof(speedup));
    return angle_fits(scan->angle, speedup.angle);
}

bool tmi_tile_scan_init(tile_scan *out, const tile_test *test, tm_layer_kind kind)
{
    memset(out, 0, sizeof(*out));
    if ((int)kind >= TILE_KINDS || !memchr(test->index[kind], true, sizeof(test->index[kind])))
        return false;
    out->index = test->index[kind];
    out->index_at = tm_game_layer(kind)->index_at;
    for (int part = TMI_PART_NUMBER; part < TMI_PART_ANGLE; part++)
        if (test->bytes[part].asked)
            tmi_tile_scan_ask(out, tmi_tile_part_at(kind, (tmi_tile_part)part), test->bytes[part].fits);
    out->angle = test->angle.num ? &test->angle : NULL;
    return true;
}

void tmi_tile_scan_ask(tile_scan *scan, int at, const bool *fits)
{
    TMI_ASSERT(scan->num_bytes < TMI_COUNT_OF(scan->bytes));
    scan->bytes[scan->num_bytes].at = at;
    scan->bytes[scan->num_bytes++].fits = fits;
}

tm_status tmi_tile_scan_run(const tile_scan *scan, const tm_grid *grid, const tm_rect *part, tile_sink *sink,
                            void *ctx, tm_error *error)
{
    const size_t size = grid->tile_size;
    for (uint32_t y = (uint32_t)part->y; grid->tiles && y < tmi_bottom(part); y++) {
        const uint8_t *row = (const uint8_t *)grid->tiles + y * grid->row_stride;
        const uint8_t *tile = row + (size_t)part->x * size, *end = tile + part->width * size;
        while (tile < end) {
            const uint8_t *next = tmi_run_end(tile, end, size);
            if (tile_fits(scan, tile))
                TM_TRY(sink(ctx, tile, (uint32_t)((size_t)(tile - row) / size),
                            (uint32_t)((size_t)(next - row) / size), y, error));
            tile = next;
        }
    }
    return TM_OK;
}
