/* SPDX-License-Identifier: Zlib */
/*
 * Where the bytes of a file are, as a picture: a box for each share, in the color of its kind.
 */
#include "preview.h"

#include <inttypes.h>

static const uint8_t colors[TM_BYTES_COUNT][3] = {
    [TM_BYTES_HEAD] = {0x8a, 0x91, 0x9c},     [TM_BYTES_ITEMS] = {0xa8, 0xae, 0xb8},
    [TM_BYTES_POINTS] = {0xc4, 0xb5, 0xe0},   [TM_BYTES_TEXTS] = {0xd8, 0xcf, 0xb4},
    [TM_BYTES_SETTINGS] = {0xe0, 0xc9, 0x8a}, [TM_BYTES_IMAGES] = {0x7c, 0xb8, 0xf0},
    [TM_BYTES_SOUNDS] = {0xf0, 0x9c, 0xc0},   [TM_BYTES_TILES] = {0x8f, 0xd1, 0x8a},
    [TM_BYTES_PHYSICS] = {0xf2, 0xae, 0x6c},  [TM_BYTES_COMPAT] = {0xd8, 0x94, 0x84},
    [TM_BYTES_QUADS] = {0x6f, 0xcf, 0xc8},    [TM_BYTES_SOURCES] = {0xe6, 0xb8, 0xd6},
    [TM_BYTES_OTHER] = {0xd6, 0xd9, 0xde},    [TM_BYTES_GAPS] = {0xee, 0xee, 0xee}};

/* "image 3 'x'" above its bytes; of what belongs to no object, what it is. */
static tm_status label_share(tmi_chart_box *out, tmi_arena *arena, const tm_map *map,
                             const tm_bytes_share *share, tm_error *error)
{
    char place[TM_ERROR_PLACE_SIZE], label[TM_ERROR_PLACE_SIZE + 24];
    if (share->object.kind == TM_ADDRESS_MAP)
        tmi_format(place, sizeof(place), "%s", tm_bytes_meaning(share->kind));
    else
        tm_address_describe(&share->object, map, place, sizeof(place));
    const size_t length = tmi_format(label, sizeof(label), "%s\n%" PRIu64, place, share->packed);
    *out = (tmi_chart_box){.size = share->packed, .family = share->kind};
    return tmi_arena_text(&out->label, arena, label, length, "labels", error);
}

/* "images 45000" */
static tm_status label_kind(tmi_chart_family *out, tmi_arena *arena, tm_bytes_kind kind, uint64_t sum,
                            tm_error *error)
{
    char label[48];
    const size_t length = tmi_format(label, sizeof(label), "%s %" PRIu64, tm_bytes_name(kind), sum);
    memcpy(out->rgb, colors[kind], sizeof(out->rgb));
    return tmi_arena_text(&out->label, arena, label, length, "labels", error);
}

/* The labels and boxes belong to the arena. */
static tm_status chart_of_shares(tmi_chart *out, tmi_arena *arena, const tm_map *map,
                                 const tm_bytes_share *shares, size_t num, tm_error *error)
{
    uint64_t sums[TM_BYTES_COUNT] = {0};
    tmi_chart_family *families;
    tmi_chart_box *boxes;
    TM_TRY(tmi_arena_reserve(&families, arena, TM_BYTES_COUNT, sizeof(*families), "kinds", error));
    TM_TRY(tmi_arena_reserve(&boxes, arena, num, sizeof(*boxes), "shares", error));
    for (size_t i = 0; i < num; i++) {
        if ((size_t)shares[i].kind >= TM_BYTES_COUNT)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "share %zu is of kind %u, and there are %d", i,
                            (unsigned)shares[i].kind, TM_BYTES_COUNT);
        sums[shares[i].kind] += shares[i].packed;
        TM_TRY(label_share(&boxes[i], arena, map, &shares[i], error));
    }
    for (int kind = 0; kind < TM_BYTES_COUNT; kind++)
        TM_TRY(label_kind(&families[kind], arena, (tm_bytes_kind)kind, sums[kind], error));
    *out = (tmi_chart){boxes, num, families, TM_BYTES_COUNT};
    return TM_OK;
}

tm_status tm_preview_draw_sizes(uint8_t *rgba, uint32_t width, uint32_t height, const tm_map *map,
                                const tm_bytes_share *shares, size_t num, tm_error *error)
{
    tmi_arena arena;
    tmi_chart chart;
    TM_TRY(tmi_need(rgba, "rgba", error));
    TM_TRY(tmi_need(map, "map", error));
    if (num)
        TM_TRY(tmi_need(shares, "shares", error));
    tmi_arena_init(&arena, tmi_map_allocator(map));
    tm_status status = chart_of_shares(&chart, &arena, map, shares, num, error);
    if (status == TM_OK)
        status = tmi_preview_draw_boxes(rgba, width, height, &chart, arena.allocator, error);
    tmi_arena_release(&arena);
    return status;
}
