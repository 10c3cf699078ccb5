/* SPDX-License-Identifier: Zlib */
/*
 * Repairs of layers: tiles that are missing, sizes, groups of physics layers, colors, bytes that no game
 * reads.
 */
#include "edit_fix.h"
#include "edit_geometry.h"
#include "edit_tiles.h"

/* Tiles that are missing are air, as the games show them; a size that is only claimed is not filled. */
tm_status tmi_fix_tiles(tmi_fixing *m, tm_error *error)
{
    tm_edit_grid grid;
    const tm_tile_layer *tiles = m->tiles;
    if (!tiles || !tiles->width || !tiles->height)
        return TM_OK;
    if (!tiles->tiles && !tmi_take_air(m->air, (uint64_t)tiles->width * tiles->height,
                                       tm_game_layer(m->layer->kind)->element_size)) {
        tmi_fix_report_too_large(m, "it claims far more tiles than there are");
        return TM_OK;
    }
    TM_TRY(tm_map_edit_tiles(&grid, m->map, m->address.index, m->address.layer, error));
    return tmi_fix_renew(m, error);
}

/* Reads a physics layer with the width of the game layer, as the games do; missing tiles are air. */
tm_status tmi_fix_physics_size(tmi_fixing *m, tm_error *error)
{
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, m->map, TM_LAYER_GAME);
    if (!m->tiles || m->layer->kind == TM_LAYER_GAME || !game)
        return TM_OK;
    const uint32_t size[2] = {game->as.tiles.width, game->as.tiles.height};
    if (!size[0] || !size[1])
        return TM_OK;
    const uint64_t have = (uint64_t)m->tiles->width * m->tiles->height, want = (uint64_t)size[0] * size[1];
    if (want > have && !tmi_take_air(m->air, want - have, tm_game_layer(m->layer->kind)->element_size)) {
        tmi_fix_report_too_large(m, "the game layer claims far more tiles than there are");
        return TM_OK;
    }
    TM_TRY(tmi_map_rewrap(m->map, m->layer, size, error));
    return tmi_fix_renew(m, error);
}

/* The only layer of a kind works in any group. Of several, the games use the last, so they stay. */
tm_status tmi_fix_physics_groups(tmi_fixing *m, tm_error *error)
{
    uint32_t game, group, index;
    if (!tm_map_physics_layer(&game, NULL, m->map, TM_LAYER_GAME))
        return TM_OK;
    m->address = tmi_whole_map;
    for (int k = 0; k < TM_LAYER_KINDS; k++) {
        const tm_layer_kind kind = (tm_layer_kind)k;
        const tm_layer *layer = tm_map_physics_layer(&group, &index, m->map, kind);
        if (!layer || !tm_game_layer(kind)->is_physics || group == game ||
            layer != tm_map_find_layer(NULL, NULL, m->map, kind))
            continue;
        TM_TRY(tm_map_move_layer(m->map, group, index, game, m->map->groups[game].num_layers, error));
        m->count++;
    }
    return TM_OK;
}

/* A design layer that is too small grows by repeating its edge, as the games draw it. */
tm_status tmi_fix_layer_size(tmi_fixing *m, tm_error *error)
{
    if (!m->tiles || m->layer->kind != TM_LAYER_TILES)
        return TM_OK;
    const uint32_t w = m->tiles->width, h = m->tiles->height;
    if (w > 1 && h > 1)
        return TM_OK;
    if (m->tiles->tiles && (!w || !h)) /* nobody knows how these tiles lie */
        tmi_report_at_address(m->findings, TM_MODE_GAME, TM_FINDING_LOST_TILES, m->map, m->address, -1,
                              "the layer has no size, and its %llu bytes of tiles are left out",
                              (unsigned long long)tm_block_get_info(m->tiles->tiles).size);
    const uint32_t size[2] = {w < 2 ? 2 : w, h < 2 ? 2 : h};
    TM_TRY(tmi_map_regrid(m->map, m->layer, size, tmi_edit_cut_grid, (uint32_t[2]){0, 0}, error));
    return tmi_fix_renew(m, error);
}

tm_status tmi_fix_color(tmi_fixing *m, tm_error *error)
{
    (void)error;
    if (!m->tiles)
        return TM_OK;
    tm_color *color = &m->tiles->color;
    int32_t *const channels[] = {&color->r, &color->g, &color->b, &color->a};
    for (size_t i = 0; i < TMI_COUNT_OF(channels); i++) {
        const int32_t fits = (int32_t)tmi_clamp(*channels[i], 0, 255);
        m->count += *channels[i] != fits;
        *channels[i] = fits;
    }
    return TM_OK;
}

/* Corners get the color that the map's game shows: DDNet takes channels modulo 256, Teeworlds limits them. */
tm_status tmi_fix_quad_colors(tmi_fixing *m, tm_error *error)
{
    const bool limited = m->map->game == TM_GAME_TEEWORLDS07;
    tm_quad *quads;
    uint32_t num;
    if (!m->layer || m->layer->kind != TM_LAYER_QUADS)
        return TM_OK;
    TM_TRY(tm_map_edit_quads(&quads, &num, m->map, m->address.index, m->address.layer, error));
    for (uint32_t i = 0; i < num; i++)
        for (size_t k = 0; k < TMI_COUNT_OF(quads->colors); k++) {
            tm_color *color = &quads[i].colors[k];
            int32_t *const channels[] = {&color->r, &color->g, &color->b, &color->a};
            for (size_t c = 0; c < TMI_COUNT_OF(channels); c++) {
                const int32_t old = *channels[c];
                *channels[c] = limited ? (int32_t)tmi_clamp(old, 0, UINT8_MAX) : (uint8_t)old;
                m->count += *channels[c] != old;
            }
        }
    return TM_OK;
}

tm_status tmi_fix_unused_bytes(tmi_fixing *m, tm_error *error)
{
    tm_edit_grid grid;
    if (!m->tiles)
        return TM_OK;
    TM_TRY(tm_map_edit_tiles(&grid, m->map, m->address.index, m->address.layer, error));
    uint8_t *tile = grid.tiles;
    for (uint64_t i = 0; i < (uint64_t)grid.width * grid.height; i++, tile += grid.tile_size)
        m->count += tmi_tile_zero_padding(m->layer->kind, tile);
    return TM_OK;
}
