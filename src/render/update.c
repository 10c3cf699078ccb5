/* SPDX-License-Identifier: Zlib */
/*
 * Taking notice of tiles that changed in a map that is prepared already. Layers are read from the map when
 * they are drawn; what must follow here is what was prepared for them: slices of images, and cells of the
 * sheets of entities. Only what is new is made, so that a tile which the map has elsewhere costs next to
 * nothing.
 */
#include "render.h"

/* One dimension of a wanted rectangle, cut to [0, limit). */
static void cut_update(int32_t start, uint32_t length, uint32_t limit, uint32_t *from, uint32_t *end)
{
    const int64_t first = start < 0 ? 0 : start, last = (int64_t)start + length;
    *from = first < limit ? (uint32_t)first : limit;
    *end = last < *from ? *from : last < limit ? (uint32_t)last : limit;
}

/* Design tiles: the slices of their image. */
static tm_status update_design(tm_renderer *renderer, const tm_layer *layer, const tmi_region *region,
                               tm_error *error)
{
    tm_grid grid;
    bool slices[256] = {false};
    const int32_t image = layer->as.tiles.image;
    const tm_status status = tm_map_tiles(renderer->map, layer, &grid, error);
    if (status != TM_OK || !grid.tiles || image == TM_NONE)
        return status == TM_ERROR_DAMAGED ? TM_OK : status; /* as when the map is prepared: it is not drawn */
    for (uint32_t y = region->y; y < region->end_y; y++) {
        const tm_tile *row = (const tm_tile *)grid.tiles + (size_t)y * grid.width;
        for (uint32_t x = region->x; x < region->end_x; x++)
            slices[row[x].index] = true;
    }
    return tmi_picture_add(renderer, (uint32_t)image, slices, error);
}

tm_status tm_renderer_update(tm_renderer *renderer, uint32_t group, uint32_t layer, int32_t x, int32_t y,
                             uint32_t w, uint32_t h, tm_error *error)
{
    TM_TRY(tmi_need(renderer, "renderer", error));
    const tm_map *map = renderer->map;
    if (group >= map->num_groups)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "group %u does not exist, the map has %u", (unsigned)group,
                        (unsigned)map->num_groups);
    if (layer >= map->groups[group].num_layers)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "layer %u does not exist, group %u has %u",
                        (unsigned)layer, (unsigned)group, (unsigned)map->groups[group].num_layers);
    const tm_layer *changed = &map->groups[group].layers[layer];
    tmi_region region;
    if (!tm_game_layer(changed->kind)->is_tiles)
        return TM_OK; /* nothing of others is prepared */
    cut_update(x, w, changed->as.tiles.width, &region.x, &region.end_x);
    cut_update(y, h, changed->as.tiles.height, &region.y, &region.end_y);
    if (changed->kind == TM_LAYER_TILES)
        return update_design(renderer, changed, &region, error);
    return renderer->entities ? tmi_entities_update(renderer, changed, &region, error) : TM_OK;
}
