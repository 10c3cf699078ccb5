/* SPDX-License-Identifier: Zlib */
/*
 * Trims rows and columns of design layers that repeat at their edges, which the games repeat anyway. This is
 * invisible.
 *
 * At the right and at the bottom, rows and columns that equal the one before are removed. At the left and at
 * the top, all design layers of a group must have as many of them, since their content moves, with quads and
 * sources, and the group's offset makes up for it. The game layer's group has no offset and keeps them.
 */
#include "edit_geometry.h"

enum { LEAST = 2 }; /* tiles of a side that stay, as all readers need them */

/* ------------------------------------------------------------------------------------------- what repeats */

/* Whether row or column `at` of a grid looks like the one before. */
static bool repeats_line(const tm_grid *grid, int axis, uint32_t at)
{
    const tm_tile *tiles = grid->tiles;
    const size_t step = axis ? 1 : grid->width, across = axis ? grid->width : 1;
    const uint32_t num = axis ? grid->width : grid->height;
    const tm_tile *line = tiles + at * across;
    for (uint32_t i = 0; i < num; i++) {
        const tm_tile *a = line + i * step, *b = a - across;
        if (a->index != b->index || (a->index && a->flags != b->flags)) /* flags of air are not drawn */
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ cutting */

/* Removes equal lines at the end, and those at the start of which the ctx tells the number for the group. */
tm_status tmi_layer_trim(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    uint32_t none[2] = {0, 0}, *const spare = edit->ctx ? edit->ctx : none;
    const int64_t by[2] = {-(int64_t)spare[0] * TM_TILE_FX, -(int64_t)spare[1] * TM_TILE_FX};
    tm_layer *layer = tmi_edit_layer_at(edit, address);
    const tm_tile_layer *tiles = &layer->as.tiles;
    tm_grid grid;
    if (layer->kind != TM_LAYER_TILES)
        return tmi_edit_move_elements(edit, address, by, error);
    TM_TRY(tmi_edit_design_grid(&grid, edit->map, address, error));
    if (!grid.tiles)
        return TM_OK;
    uint32_t size[2];
    for (int axis = 0; axis < 2; axis++) {
        uint32_t num = axis ? grid.height : grid.width; /* lines that the layer needs from the start on */
        while (num > LEAST && repeats_line(&grid, axis, num - 1))
            num--;
        const int64_t left = (int64_t)num - spare[axis], least = num < LEAST ? num : LEAST;
        size[axis] = (uint32_t)(left > least ? left : least);
    }
    if (size[0] == tiles->width && size[1] == tiles->height)
        return TM_OK;
    tmi_edit_changed(edit, *address, 1, "%u x %u tiles became %u x %u", (unsigned)tiles->width,
                     (unsigned)tiles->height, (unsigned)size[0], (unsigned)size[1]);
    return tmi_map_regrid(edit->map, layer, size, tmi_edit_cut_grid, spare, error);
}

/* ------------------------------------------------------------------------------------------- left and top */

/* How many lines at their start all design layers of a group can lose; 0 without such a layer. */
static tm_status spare_of_group(uint32_t spare[2], const tm_map *map, uint32_t index, tm_error *error)
{
    tm_grid grid;
    spare[0] = spare[1] = UINT32_MAX;
    for (uint32_t i = 0; i < map->groups[index].num_layers; i++) {
        const tm_address address = tmi_edit_address(TM_KIND_LAYER, index, i);
        if (map->groups[index].layers[i].kind != TM_LAYER_TILES)
            continue;
        TM_TRY(tmi_edit_design_grid(&grid, map, &address, error));
        for (int axis = 0; axis < 2; axis++) {
            const uint32_t num = axis ? grid.height : grid.width;
            uint32_t differs = 1; /* the first line that does not look like the one before */
            while (grid.tiles && differs < num && repeats_line(&grid, axis, differs))
                differs++;
            if (!grid.tiles || differs < num)
                spare[axis] = differs - 1 < spare[axis] ? differs - 1 : spare[axis];
        }
    }
    for (int axis = 0; axis < 2; axis++) /* all lines look alike: trimming is enough */
        spare[axis] = spare[axis] == UINT32_MAX ? 0 : spare[axis];
    return TM_OK;
}

static tm_status shrink_frame(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tm_group *group = &edit->map->groups[address->index];
    uint32_t *spare = edit->ctx;
    bool physics = false;
    spare[0] = spare[1] = 0;
    for (uint32_t i = 0; i < group->num_layers; i++)
        physics |= tm_game_layer(group->layers[i].kind)->is_physics;
    if (!physics)
        TM_TRY(spare_of_group(spare, edit->map, address->index, error));
    /* what the offset cannot make up for stays */
    if (!tmi_edit_put_number(edit, address, "offset_x", &group->offset_x,
                             group->offset_x - (int64_t)spare[0] * TM_TILE_PX))
        spare[0] = 0;
    if (!tmi_edit_put_number(edit, address, "offset_y", &group->offset_y,
                             group->offset_y - (int64_t)spare[1] * TM_TILE_PX))
        spare[1] = 0;
    return TM_OK;
}

tm_status tmi_edit_shrink(tmi_edit *edit, tm_error *error)
{
    uint32_t spare[2];
    return tmi_edit_each_group(edit, shrink_frame, tmi_layer_trim, NULL, spare, error);
}
