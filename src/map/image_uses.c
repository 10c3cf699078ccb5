/* SPDX-License-Identifier: Zlib */
/*
 * The parts of each image that the games show: the cells of the design tiles, or all of it if quads use it.
 * Physics layers may refer to an image, but games do not draw it.
 */
#include "internal.h"

static void see_tiles(tmi_image_uses *uses, const tm_tile *tiles, uint64_t num)
{
    for (uint64_t i = 0; i < num; i++)
        uses->cells[tiles[i].index] = true;
}

static bool any_seen(const bool *cells)
{
    for (uint32_t i = 1; i < TMI_IMAGE_CELLS; i++)
        if (cells[i])
            return true;
    return false;
}

/* `own`: what this layer alone shows. */
static tm_status use_of_tiles(tmi_image_uses *own, const tm_map *map, const tm_tile_layer *layer,
                              tm_error *error)
{
    tmi_borrowed loan;
    TM_TRY(tmi_borrowed_open(&loan, map, layer->tiles, error));
    const uint64_t num = (uint64_t)layer->width * layer->height, held = loan.size / sizeof(tm_tile);
    see_tiles(own, loan.bytes, num < held ? num : held);
    tmi_borrowed_close(&loan);
    own->cells[0] = false;
    own->tile_layers = any_seen(own->cells);
    return TM_OK;
}

static tm_status use_of_layer(tmi_image_uses *own, const tm_map *map, const tm_layer *layer, tm_error *error)
{
    tm_status status = TM_OK;
    memset(own, 0, sizeof(*own));
    if (layer->kind == TM_LAYER_QUADS) {
        own->quad_layers = layer->as.quads.num_quads > 0;
        return TM_OK;
    }
    status = use_of_tiles(own, map, &layer->as.tiles, error);
    if (status == TM_ERROR_DAMAGED)
        own->tile_layers = own->any_cell = true;
    if (layer->as.tiles.automapper.present && layer->as.tiles.automapper.automatic)
        own->tile_layers = own->any_cell = true;
    return status == TM_ERROR_DAMAGED ? TM_OK : status;
}

static void add_uses(tmi_image_uses *to, const tmi_image_uses *own)
{
    to->tile_layers += own->tile_layers;
    to->quad_layers += own->quad_layers;
    to->any_cell |= own->any_cell;
    for (uint32_t i = 0; i < TMI_IMAGE_CELLS; i++)
        to->cells[i] |= own->cells[i];
}

tm_status tmi_map_image_uses(tmi_image_uses *uses, const tm_map *map, tm_error *error)
{
    tm_layer_walk at = {0};
    if (map->num_images)
        memset(uses, 0, map->num_images * sizeof(*uses));
    while (tm_map_next_layer(map, &at)) {
        tmi_image_uses own;
        const int32_t image = tmi_image_shown(at.layer);
        if (!tm_map_image(map, image))
            continue;
        const tm_status status = use_of_layer(&own, map, at.layer, error);
        if (status)
            return tmi_fail_at_address(error, status, map,
                                       (tm_address){TM_ADDRESS_LAYER, at.group, at.index});
        add_uses(&uses[image], &own);
    }
    return TM_OK;
}
