/* SPDX-License-Identifier: Zlib */
/*
 * What a patch says of the map as a whole: that it was extended, cropped or moved, and which changes are
 * nothing but that.
 */
#include "patch.h"

bool tm_patch_shift(tm_map_shift *out, const tm_patch *patch)
{
    if (!out)
        return false;
    memset(out, 0, sizeof(*out));
    for (size_t i = 0; patch && i < patch->num; i++) {
        const tmi_delta *delta = &patch->deltas[i];
        if (delta->type != TMI_DELTA_GRID || delta->list != TMI_LAYERS ||
            patch->match.side[TMI_BEFORE].labels[TMI_LAYERS][delta->number[TMI_BEFORE]].kind != TM_LAYER_GAME)
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

void tmi_element_move(tmi_any_element *element, tm_owner owner, const int32_t tiles[2])
{
    tm_point *points = owner == TM_OWNER_QUAD           ? element->quad.points
                       : owner == TM_OWNER_SOUND_SOURCE ? &element->source.position
                                                        : &element->old.position;
    const size_t num = owner == TM_OWNER_QUAD ? TMI_COUNT_OF(element->quad.points) : 1;
    for (size_t i = 0; i < num && owner != TM_OWNER_ENVELOPE_POINT; i++) {
        points[i].x = (int32_t)((uint32_t)points[i].x + (uint32_t)tiles[0] * (uint32_t)TM_TILE_FX);
        points[i].y = (int32_t)((uint32_t)points[i].y + (uint32_t)tiles[1] * (uint32_t)TM_TILE_FX);
    }
}

static bool element_follows(const tm_patch_change *change, const tm_map_shift *shift)
{
    tmi_any_element element;
    const size_t size = tm_owner_size(change->owner);
    memcpy(&element, change->elements[TMI_BEFORE], size);
    tmi_element_move(&element, change->owner, (const int32_t[2]){shift->dx, shift->dy});
    return memcmp(&element, change->elements[TMI_AFTER], size) == 0;
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

bool tm_patch_change_is_shift(const tm_patch_change *change, const tm_map_shift *shift)
{
    if (!change || !shift)
        return false;
    if (change->kind == TM_CHANGE_TILES)
        return grid_follows(change, shift);
    return change->kind == TM_CHANGE_ELEMENT && !change->moved && change->elements[TMI_BEFORE] &&
           change->elements[TMI_AFTER] && change->owner != TM_OWNER_ENVELOPE_POINT &&
           (shift->dx || shift->dy) && element_follows(change, shift);
}
