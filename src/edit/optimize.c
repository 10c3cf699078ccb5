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

static tm_status run_all(tmi_edit *edit, tmi_edit_function *const *steps, size_t num, tm_error *error)
{
    for (size_t i = 0; i < num; i++)
        TM_TRY(steps[i](edit, error));
    return TM_OK;
}

tm_status tmi_edit_optimize(tmi_edit *edit, tm_error *error)
{
    static tmi_edit_function *const steps[] = {tmi_join_all, tmi_clean_all, clear_all_air, tmi_edit_shrink};
    return run_all(edit, steps, TMI_COUNT_OF(steps), error);
}

/*
 * Colors below alpha 0 are seen at the edge of what is visible, where pictures are filtered; so they are not
 * only made equal but dilated again: within cells where only tiles show an image, since these do not mix.
 */
static tm_status smooth_hidden(tmi_edit *edit, uint32_t image, bool asked, void *ctx, tm_error *error)
{
    const tmi_image_uses *uses = (const tmi_image_uses *)ctx + image;
    const tm_allocator *allocator = tmi_map_allocator(edit->map);
    tmi_pixels picture;
    uint64_t dilated;
    TM_TRY(tmi_edit_pixels(&picture, edit, image, asked, error));
    if (!picture.rgba)
        return TM_OK;
    const size_t size = (size_t)picture.width * picture.height * 4;
    uint8_t *before = tmi_alloc(allocator, size, 1);
    tm_status status = before ? TM_OK : tmi_fail_memory(error, size, "pixels");
    if (!status) {
        memcpy(before, picture.rgba, size);
        tmi_pixels_clear_hidden(&picture);
        status = tmi_pixels_dilate(&dilated, &picture, uses->quad_layers == 0, allocator, error);
    }
    const bool changed = !status && memcmp(before, picture.rgba, size) != 0;
    tmi_free(allocator, before, size, 1);
    if (!status)
        return tmi_edit_put_pixels(edit, image, &picture, changed,
                                   "colors below what is not visible made even", error);
    tmi_edit_pixels_free(&picture, edit->map);
    return status;
}

tm_status tmi_edit_optimize_images(tmi_edit *edit, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(edit->map);
    const size_t num = edit->map->num_images;
    TM_TRY(tmi_edit_blank(edit, error));
    tmi_image_uses *uses = tmi_alloc(allocator, num + 1, sizeof(*uses));
    if (!uses)
        return tmi_fail_memory(error, num * sizeof(*uses), "uses of images");
    tm_status status = tmi_map_image_uses(uses, edit->map, error);
    if (!status)
        status = tmi_edit_each_image(edit, smooth_hidden, uses, error);
    tmi_free(allocator, uses, num + 1, sizeof(*uses));
    return status;
}
