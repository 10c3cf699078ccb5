/* SPDX-License-Identifier: Zlib */
/*
 * What makes a map smaller and can neither be seen nor felt: the steps of other operations in one order, and
 * a few that are of use for nothing else. Packing is the saver's business.
 */
#include "edit_images.h"

#include <teemap/tiles.h>

/* Flags turn what a tile shows; air shows nothing. One value everywhere packs better than several. */
static tm_status clear_air(tmi_edit *edit, uint32_t group, uint32_t index, tm_error *error)
{
    const tm_layer *layer = &edit->map->groups[group].layers[index];
    tm_grid grid;
    tm_edit_grid writable;
    uint64_t count = 0;
    const tm_status status = tm_map_tiles(edit->map, layer, &grid, error);
    if (status)
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    const uint64_t num = grid.tiles ? (uint64_t)grid.width * grid.height : 0;
    const tm_tile *tiles = grid.tiles;
    for (uint64_t i = 0; i < num; i++)
        count += tiles[i].index == TM_TILE_AIR && tiles[i].flags;
    if (count == 0)
        return TM_OK;
    TM_TRY(tm_map_edit_tiles(edit->map, group, index, &writable, error));
    tm_tile *to = writable.tiles;
    for (uint64_t i = 0; i < num; i++)
        if (to[i].index == TM_TILE_AIR)
            to[i].flags = 0;
    tmi_edit_changed(edit, tmi_edit_address(TM_ADDRESS_LAYER, group, index), count, "flags of air cleared");
    return TM_OK;
}

static tm_status clear_all_air(tmi_edit *edit, tm_error *error)
{
    tm_layer_walk at = {0};
    while (tm_map_next_layer(edit->map, &at))
        if (at.layer->kind == TM_LAYER_TILES)
            TM_TRY(clear_air(edit, at.group, at.index, error));
    return TM_OK;
}

static tm_status clear_external_images(tmi_edit *edit, tm_error *error)
{
    for (uint32_t i = 0; i < edit->map->num_images; i++) {
        if (!edit->map->images[i].external || !edit->map->images[i].pixels)
            continue;
        TM_TRY(tmi_drop_pixels(edit->map, i, error));
        tmi_edit_changed(edit, tmi_edit_address(TM_ADDRESS_IMAGE, i, 0), 1,
                         "pixels of an external image removed");
    }
    return TM_OK;
}

tm_status tmi_edit_optimize(tmi_edit *edit, tm_error *error)
{
    /* What is not used goes first: it need not be unpacked then to be compared. */
    static tmi_edit_function *const steps[] = {tmi_clean_all, clear_external_images, tmi_join_all,
                                               clear_all_air, tmi_edit_shrink};
    return tmi_edit_each_step(edit, steps, TMI_COUNT_OF(steps), error);
}
