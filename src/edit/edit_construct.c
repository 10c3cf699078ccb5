/* SPDX-License-Identifier: Zlib */
/*
 * Operations on physics layers: game tiles from a design layer, a border, and removing game tiles where no
 * design tile is visible.
 *
 * Design layers lie over the game layer if their group moves with it: parallax 100, and an offset of whole
 * tiles. Then tile x of the layer is over game tile x - offset / 32. The game layer's group always moves with
 * it.
 */
#include "edit_tiles.h"

#include <teemap/tiles.h>

/* ------------------------------------------------------------------------------------ groups in place */

/* The distance of a group's tiles from the game's; false if it does not move with the game. */
static bool group_stands(const tm_map *map, uint32_t index, int32_t *dx, int32_t *dy)
{
    const tm_group *group = &map->groups[index];
    *dx = *dy = 0;
    if (tm_map_is_game_group(map, index))
        return true;
    *dx = -(group->offset_x / TM_TILE_PX);
    *dy = -(group->offset_y / TM_TILE_PX);
    return group->parallax_x == 100 && group->parallax_y == 100 && group->offset_x % TM_TILE_PX == 0 &&
           group->offset_y % TM_TILE_PX == 0;
}

/* Moves a rectangle by tiles; the part that gets below 0 is cut off. */
static tm_rect moved_rect(const tm_rect *rect, int32_t dx, int32_t dy)
{
    const tm_rect moved = {rect->x + dx, rect->y + dy, rect->width, rect->height};
    return tmi_rect_common(&moved, &(tm_rect){0, 0, INT32_MAX, INT32_MAX});
}

/* Moves places of design layers to those of the game layer, and removes the others. */
static void move_places(tmi_edit *edit, tmi_tile_places *places)
{
    size_t kept = 0;
    uint64_t lost = 0;
    uint32_t reported = UINT32_MAX;
    for (size_t i = 0; i < places->num; i++) {
        tmi_tile_place place = places->list[i];
        int32_t dx, dy;
        if (edit->map->groups[place.group].layers[place.layer].kind != TM_LAYER_TILES)
            continue;
        if (!group_stands(edit->map, place.group, &dx, &dy)) {
            if (reported != place.group)
                tmi_edit_report(
                    edit, TM_FINDING_GROUP_NOT_ALIGNED, tmi_edit_address(TM_KIND_GROUP, place.group, 0),
                    "left out: it does not stand with the game, as its parallax is not 100 or its "
                    "offset not whole tiles");
            reported = place.group;
            continue;
        }
        lost += (uint64_t)place.rect.width * place.rect.height;
        place.rect = moved_rect(&place.rect, dx, dy);
        lost -= (uint64_t)place.rect.width * place.rect.height;
        if (place.rect.width && place.rect.height)
            places->list[kept++] = place;
    }
    places->num = kept;
    if (lost)
        tmi_edit_report(edit, TM_FINDING_GROUP_NOT_ALIGNED, tmi_whole_map,
                        "%llu tiles lie left of the game layer or above it, and get none",
                        (unsigned long long)lost);
}

/* -------------------------------------------------------------------------------- construct, borders */

/* Changes the tiles at all places in the layer of one kind, which is added if the map has none. */
static tm_status write_places(tmi_edit *edit, tmi_tile_places *places, tm_layer_kind kind,
                              const tmi_tile_changer *changer, tm_error *error)
{
    uint32_t group, index;
    TM_TRY(tmi_edit_need_physics(edit, kind, &group, &index, error));
    for (size_t i = 0; i < places->num; i++) {
        places->list[i].group = group;
        places->list[i].layer = index;
    }
    return tmi_tile_places_change(edit, changer, places, error);
}

/* Removes the front half of a hook-through, which the editor makes of two tiles. */
static void remove_through(const void *ctx, tm_layer_kind kind, uint8_t *tile)
{
    (void)ctx;
    if (tile[tm_game_layer(kind)->index_at] == TM_TILE_THROUGH_CUT)
        memset(tile, 0, tm_game_layer(kind)->element_size);
}

tm_status tmi_edit_construct(tmi_edit *edit, tm_error *error)
{
    static const char what[] = "made of the design";
    const tmi_paint wall = {.has[TMI_PART_INDEX] = true, .value[TMI_PART_INDEX] = TM_TILE_UNHOOKABLE};
    const char *pattern = edit->values[2].text ? edit->values[2].text : "design/*";
    tmi_tile_places places;
    tmi_paint paint;
    const tmi_tile_changer write = {tmi_edit_write_tile, &paint, what},
                           behind = {tmi_edit_write_tile, &wall, what},
                           remove = {remove_through, NULL, "removed: they were half of a hook-through"};
    tm_rect whole = {0, 0, 0, 0};
    TM_TRY(tmi_paint_parse(&paint, edit->values[0].text, error));
    TM_TRY(tmi_paint_check_whole(&paint, error));
    TM_TRY(tmi_tile_places_find(&places, edit, pattern, &edit->values[1], error));
    move_places(edit, &places);
    if (!places.num) {
        tmi_edit_report(edit, TM_FINDING_NO_MATCH, tmi_whole_map,
                        "no design tile lies over the game in '%.60s'", edit->values[1].text);
        return TM_OK;
    }
    for (size_t i = 0; i < places.num; i++)
        whole = tmi_rect_around(&whole, &places.list[i].rect);
    TM_TRY(tmi_edit_grow_physics(edit, (uint32_t)tmi_right(&whole), (uint32_t)tmi_bottom(&whole), error));
    const int32_t index = paint.value[TMI_PART_INDEX];
    if (index == TM_TILE_THROUGH_CUT) {
        TM_TRY(write_places(edit, &places, TM_LAYER_GAME, &behind, error));
        return write_places(edit, &places, TM_LAYER_FRONT, &write, error);
    }
    if (index == TM_TILE_AIR && tm_map_physics_layer(NULL, NULL, edit->map, TM_LAYER_FRONT))
        TM_TRY(write_places(edit, &places, TM_LAYER_FRONT, &remove, error));
    tm_layer_kind kind = TM_LAYER_GAME; /* of the layer for the tile: the game layer for most */
    for (int k = TM_LAYER_TUNE; k >= TM_LAYER_GAME; k--)
        if (tmi_paint_suits(&paint, (tm_layer_kind)k))
            kind = (tm_layer_kind)k;
    return write_places(edit, &places, kind, &write, error);
}

tm_status tmi_edit_borders(tmi_edit *edit, tm_error *error)
{
    const char *tile = edit->values[0].text ? edit->values[0].text : "solid";
    const int32_t wide = edit->num_values > 1 ? edit->values[1].x : 2;
    uint32_t group, index;
    tmi_paint paint;
    const tm_layer *game = tm_map_physics_layer(&group, &index, edit->map, TM_LAYER_GAME);
    TM_TRY(tmi_paint_parse(&paint, tile, error));
    TM_TRY(tmi_paint_check_whole(&paint, error));
    if (!game)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the map has no game layer");
    if (!tmi_paint_suits(&paint, TM_LAYER_GAME))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a game layer cannot have '%.60s'", tile);
    if (wide < 1)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a border is at least 1 tile wide, not %d", (int)wide);
    const uint32_t width = game->as.tiles.width, height = game->as.tiles.height;
    const uint32_t rows = (uint32_t)wide < height ? (uint32_t)wide : height;
    const uint32_t columns = (uint32_t)wide < width ? (uint32_t)wide : width;
    tmi_tile_place sides[] = {{group, index, {0, 0, width, rows}},
                              {group, index, {0, (int32_t)(height - rows), width, rows}},
                              {group, index, {0, 0, columns, height}},
                              {group, index, {(int32_t)(width - columns), 0, columns, height}}};
    const tmi_tile_places places = {.list = sides, .num = TMI_COUNT_OF(sides)};
    const tmi_tile_changer changer = {tmi_edit_write_tile, &paint, "made a border"};
    return tmi_tile_places_change(edit, &changer, &places, error);
}

/* -------------------------------------------------------------------------------------------- clean tiles */

/* Game tiles that have a design tile, or a tile of another physics layer, over them. */
typedef struct cover {
    const tmi_edit *edit;
    uint32_t group, index, width, height; /* of the game layer */
    uint8_t *covered;
} cover;

static bool note_cover(void *ctx, const tm_match *match)
{
    const cover *seen = ctx;
    int32_t dx, dy;
    if ((match->address.index == seen->group && match->address.layer == seen->index) ||
        !group_stands(seen->edit->map, match->address.index, &dx, &dy))
        return true;
    tm_rect rect = moved_rect(&match->rect, dx, dy);
    rect = tmi_rect_common(&rect, &(tm_rect){0, 0, seen->width, seen->height});
    for (size_t y = (size_t)rect.y; y < (size_t)tmi_bottom(&rect); y++)
        memset(seen->covered + y * seen->width + rect.x, 1, rect.width);
    return true;
}

tm_status tmi_clean_tiles(tmi_edit *edit, tm_error *error)
{
    cover seen = {.edit = edit};
    tm_pattern *pattern;
    uint64_t count = 0;
    tm_grid grid;
    tm_edit_grid writable = {0};
    const tm_layer *game = tm_map_physics_layer(&seen.group, &seen.index, edit->map, TM_LAYER_GAME);
    if (!game)
        return TM_OK;
    seen.width = game->as.tiles.width;
    seen.height = game->as.tiles.height;
    TM_TRY(tmi_map_check_room(edit->map, (uint64_t)seen.width * seen.height, error));
    TM_TRY(tmi_reserve_zeroed(&seen.covered, edit->scratch, seen.width, seen.height, "marks", error));
    TM_TRY(tm_pattern_parse(&pattern, "*", edit->scratch, error));
    TM_TRY(tm_map_find(edit->map, &pattern, 1, NULL, note_cover, &seen, error));
    TM_TRY(tm_map_tiles(&grid, edit->map, game, error));
    for (size_t i = 0; grid.tiles && i < (size_t)seen.width * seen.height; i++) {
        const uint8_t index = ((const tm_tile *)(writable.tiles ? writable.tiles : grid.tiles))[i].index;
        if (seen.covered[i] || index < TM_TILE_SOLID || index > TM_TILE_UNHOOKABLE)
            continue;
        if (!writable.tiles)
            TM_TRY(tm_map_edit_tiles(&writable, edit->map, seen.group, seen.index, error));
        memset((tm_tile *)writable.tiles + i, 0, sizeof(tm_tile));
        count++;
    }
    if (count)
        tmi_edit_changed(edit, tmi_edit_address(TM_KIND_LAYER, seen.group, seen.index), count,
                         "%llu tiles cleared: nothing stands over them", (unsigned long long)count);
    return TM_OK;
}
