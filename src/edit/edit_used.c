/* SPDX-License-Identifier: Zlib */
/*
 * The part of a map that is not empty, for `crop` without a region: tiles that have an index, quads and sound
 * sources, in the group of the game layer and, along each axis, in those that move with it: of parallax 100
 * and offset 0. What lies beyond the game layer, and other groups, which are skies for the most part, do not
 * count.
 */
#include "edit_geometry.h"

typedef struct used_box {
    int64_t first[2], end[2]; /* tiles; nothing yet where first >= end */
} used_box;
static const used_box empty_box = {{INT64_MAX, INT64_MAX}, {INT64_MIN, INT64_MIN}};

static void add_to_box(used_box *box, int axis, int64_t first, int64_t end)
{
    box->first[axis] = first < box->first[axis] ? first : box->first[axis];
    box->end[axis] = end > box->end[axis] ? end : box->end[axis];
}

static tm_status box_tiles(used_box *box, const tm_map *map, const tm_layer *layer, tm_error *error)
{
    tm_grid grid;
    TM_TRY(tm_map_tiles(&grid, map, layer, error));
    for (uint32_t y = 0; grid.tiles && y < grid.height; y++)
        for (uint32_t x = 0; x < grid.width; x++)
            if (tmi_edit_tile(&grid, x, y)[tm_game_layer(layer->kind)->index_at]) {
                add_to_box(box, 0, x, (int64_t)x + 1);
                add_to_box(box, 1, y, (int64_t)y + 1);
            }
    return TM_OK;
}

static tm_status box_elements(used_box *box, const tm_map *map, const tm_address *address, tm_error *error)
{
    tmi_edit_elements elements;
    TM_TRY(tmi_edit_elements_get(&elements, map, address, error));
    for (uint32_t i = 0; i < elements.num; i++) {
        tm_point least, most = tmi_edit_pivot(&elements, i);
        int64_t first[2] = {(int64_t)most.x - 1, (int64_t)most.y - 1}; /* on an edge: of both tiles */
        int64_t last[2] = {most.x, most.y};
        if (elements.kind == TM_LAYER_QUADS) { /* corners, without half a px of reach at the edges */
            tmi_quad_bounds(&least, &most, (const tm_quad *)(const void *)elements.list + i);
            first[0] = least.x;
            first[1] = least.y;
            last[0] = (int64_t)most.x - 1;
            last[1] = (int64_t)most.y - 1;
        }
        for (int axis = 0; axis < 2; axis++)
            add_to_box(box, axis, tmi_floor_div(first[axis], TM_TILE_FX),
                       tmi_floor_div(last[axis], TM_TILE_FX) + 1);
    }
    return TM_OK;
}

static tm_status box_group(used_box *box, const tm_map *map, uint32_t index, tm_error *error)
{
    const tm_group *group = &map->groups[index];
    used_box group_box = empty_box;
    const bool moves[2] = {tmi_edit_moves_along(map, index, 0), tmi_edit_moves_along(map, index, 1)};
    for (uint32_t l = 0; l < group->num_layers && (moves[0] || moves[1]); l++) {
        const tm_address address = tmi_edit_address(TM_KIND_LAYER, index, l);
        TM_TRY(tm_game_layer(group->layers[l].kind)->is_tiles
                   ? box_tiles(&group_box, map, &group->layers[l], error)
                   : box_elements(&group_box, map, &address, error));
    }
    for (int axis = 0; axis < 2; axis++)
        if (moves[axis])
            add_to_box(box, axis, group_box.first[axis], group_box.end[axis]);
    return TM_OK;
}

tm_status tmi_edit_used_region(bool *has_any, int64_t start[2], int64_t size[2], const tm_map *map,
                               tm_error *error)
{
    enum { MIN_SIDE = 2 };
    used_box box = empty_box;
    uint32_t world[2];
    tm_map_area(&world[0], &world[1], map);
    for (uint32_t g = 0; g < map->num_groups; g++)
        TM_TRY(box_group(&box, map, g, error));
    *has_any = true;
    for (int axis = 0; axis < 2; axis++) {
        int64_t first = box.first[axis] > 0 ? box.first[axis] : 0,
                end = box.end[axis] < world[axis] ? box.end[axis] : world[axis];
        if (first >= end) { /* the bounds of an empty box would overflow */
            *has_any = false;
            first = end = 0;
        }
        if (end - first < MIN_SIDE) {
            end = first + MIN_SIDE < world[axis] ? first + MIN_SIDE : world[axis];
            first = end - MIN_SIDE;
        }
        start[axis] = first;
        size[axis] = end - first;
    }
    return TM_OK;
}
