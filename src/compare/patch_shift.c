/* SPDX-License-Identifier: Zlib */
/*
 * What a patch says of the map as a whole: that it was extended, cropped or moved, and which changes are
 * nothing but that.
 */
#include "compare.h"

bool tm_patch_shift(const tm_patch *patch, tm_map_shift *out)
{
    if (!out)
        return false;
    memset(out, 0, sizeof(*out));
    for (size_t i = 0; patch && i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        if (delta->type != TMI_DELTA_GRID || delta->list != TMI_LAYERS ||
            patch->side[TMI_BEFORE].labels[TMI_LAYERS][delta->number[TMI_BEFORE]].kind != TM_LAYER_GAME)
            continue;
        const tmi_grid *grid = delta->grid;
        *out = (tm_map_shift){.dx = grid->dx, .dy = grid->dy};
        memcpy(out->width, grid->width, sizeof(out->width));
        memcpy(out->height, grid->height, sizeof(out->height));
        return tmi_grid_reshaped(grid);
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------- elements */

static void go_along(tm_point *at, const tm_map_shift *shift)
{
    at->x = (int32_t)((uint32_t)at->x + (uint32_t)shift->dx * (uint32_t)TM_TILE_FX);
    at->y = (int32_t)((uint32_t)at->y + (uint32_t)shift->dy * (uint32_t)TM_TILE_FX);
}

static bool quad_follows(const void *const elements[2], const tm_map_shift *shift)
{
    tm_quad quad;
    memcpy(&quad, elements[TMI_BEFORE], sizeof(quad));
    for (size_t i = 0; i < TMI_COUNT_OF(quad.points); i++)
        go_along(&quad.points[i], shift);
    return memcmp(&quad, elements[TMI_AFTER], sizeof(quad)) == 0;
}

static bool source_follows(const void *const elements[2], const tm_map_shift *shift)
{
    tm_sound_source source;
    memcpy(&source, elements[TMI_BEFORE], sizeof(source));
    go_along(&source.position, shift);
    return memcmp(&source, elements[TMI_AFTER], sizeof(source)) == 0;
}

static bool old_source_follows(const void *const elements[2], const tm_map_shift *shift)
{
    tm_old_source source;
    memcpy(&source, elements[TMI_BEFORE], sizeof(source));
    go_along(&source.position, shift);
    return memcmp(&source, elements[TMI_AFTER], sizeof(source)) == 0;
}

/* ----------------------------------------------------------------------------------------------- changes */

/* As much larger as the map, or as much smaller, and with the old content where the map's is. */
static bool grid_follows(const tm_patch_change *change, const tm_map_shift *shift)
{
    return change->dx == shift->dx && change->dy == shift->dy &&
           change->width[TMI_AFTER] - change->width[TMI_BEFORE] ==
               shift->width[TMI_AFTER] - shift->width[TMI_BEFORE] &&
           change->height[TMI_AFTER] - change->height[TMI_BEFORE] ==
               shift->height[TMI_AFTER] - shift->height[TMI_BEFORE] &&
           change->num == change->num_cut + change->num_new;
}

bool tm_patch_change_follows(const tm_patch_change *change, const tm_map_shift *shift)
{
    static bool (*const elements[TM_OWNER_COUNT])(const void *const elements[2],
                                                  const tm_map_shift *shift) = {
        [TM_OWNER_QUAD] = quad_follows,
        [TM_OWNER_SOUND_SOURCE] = source_follows,
        [TM_OWNER_OLD_SOURCE] = old_source_follows};
    if (!change || !shift)
        return false;
    if (change->kind == TM_CHANGE_TILES)
        return grid_follows(change, shift);
    return change->kind == TM_CHANGE_ELEMENT && !change->moved && change->elements[TMI_BEFORE] &&
           change->elements[TMI_AFTER] && elements[change->owner] && (shift->dx || shift->dy) &&
           elements[change->owner](change->elements, shift);
}
