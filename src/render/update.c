/* SPDX-License-Identifier: Zlib */
/*
 * Updates a prepared map after changes of tiles. Layers are read from the map when they are drawn; only
 * slices of images and cells of the sheets of entities are prepared, and updated here. Only new ones are
 * made, so a tile that the map already has costs next to nothing.
 */
#include "render.h"

/* Design tiles: the slices of their image. */
static tm_status update_design(tm_renderer *renderer, const tm_layer *layer, const tm_rect *part,
                               tm_error *error)
{
    tm_grid grid;
    bool slices[256] = {false};
    const int32_t image = layer->as.tiles.image;
    const tm_status status = tm_map_tiles(&grid, renderer->map, layer, error);
    if (status != TM_OK || !grid.tiles || image == TM_NONE)
        return status == TM_ERROR_DAMAGED ? TM_OK : status; /* as when the map is prepared: it is not drawn */
    const tm_tile *row = (const tm_tile *)grid.tiles + (size_t)part->y * grid.width + part->x;
    for (uint32_t y = 0; y < part->height; y++, row += grid.width)
        for (uint32_t x = 0; x < part->width; x++)
            slices[row[x].index] = true;
    return tmi_picture_add(renderer, (uint32_t)image, slices, error);
}

tm_status tm_renderer_update(tm_renderer *renderer, uint32_t group, uint32_t layer, const tm_rect *changed,
                             tm_error *error)
{
    TM_TRY(tmi_need(renderer, "renderer", error));
    TM_TRY(tmi_need(changed, "changed", error));
    const tm_map *map = renderer->map;
    if (group >= map->num_groups)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "group %u does not exist, the map has %u", (unsigned)group,
                        (unsigned)map->num_groups);
    if (layer >= map->groups[group].num_layers)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "layer %u does not exist, group %u has %u",
                        (unsigned)layer, (unsigned)group, (unsigned)map->groups[group].num_layers);
    const tm_layer *own = &map->groups[group].layers[layer];
    if (!tm_game_layer(own->kind)->is_tiles)
        return TM_OK; /* nothing of others is prepared */
    const tm_rect part =
        tmi_rect_common(changed, &(tm_rect){0, 0, own->as.tiles.width, own->as.tiles.height});
    if (own->kind == TM_LAYER_TILES)
        return update_design(renderer, own, &part, error);
    return renderer->entities ? tmi_entities_update(renderer, own, &part, error) : TM_OK;
}
