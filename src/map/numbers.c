/* SPDX-License-Identifier: Zlib */
/*
 * The numbers of teleporters, checkpoints, switches and tuning zones: how many tiles have each.
 */
#include "internal.h"

static void count_numbers(uint64_t counts[256], const tm_grid *grid, tm_layer_kind kind, tm_tile_number pool)
{
    const tm_layer_info *rule = tm_game_layer(kind);
    bool counted[256];
    for (int i = 0; i < 256; i++)
        counted[i] = tmi_tile_pool(kind, (uint8_t)i) == pool;
    const size_t num = grid->tiles ? (size_t)grid->width * grid->height : 0;
    const uint8_t *tile = grid->tiles;
    for (size_t i = 0; i < num; i++, tile += grid->tile_size)
        if (counted[tile[rule->index_at]])
            counts[tile[rule->number_at]]++;
}

tm_status tm_map_numbers(uint64_t counts[256], const tm_map *map, tm_tile_number pool, tm_error *error)
{
    tm_layer_walk at = {0};
    TM_TRY(tmi_need(counts, "counts", error));
    memset(counts, 0, 256 * sizeof(*counts));
    TM_TRY(tmi_check_map(map, error));
    if (!tm_number_pool_name(pool))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "pool is %u, which is none of tiles with numbers",
                        (unsigned)pool);
    while (tm_map_next_layer(map, &at)) {
        tmi_borrowed loan;
        tm_grid grid;
        if (tm_game_layer(at.layer->kind)->number_at == TM_NONE)
            continue;
        const tm_status status = tmi_borrowed_grid(&loan, &grid, map, at.layer, error);
        if (status)
            return tmi_fail_at_address(error, status, map,
                                       (tm_address){TM_ADDRESS_LAYER, at.group, at.index});
        count_numbers(counts, &grid, at.layer->kind, pool);
        tmi_borrowed_close(&loan);
    }
    return TM_OK;
}
