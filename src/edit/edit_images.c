/* SPDX-License-Identifier: Zlib */
/*
 * Operations on the pixels of embedded images: dilate them, blank what nothing shows, give them sizes and
 * formats that games read. An image whose pixels do not change keeps its bytes.
 */
#include "edit_images.h"

#include "../codec/codec.h"

/* ------------------------------------------------------------------------------------------------- pixels */

tm_status tmi_drop_pixels(tm_map *map, uint32_t image, tm_error *error)
{
    const tm_image *source = &map->images[image];
    return tm_map_set_pixels(map, image, NULL, source->width > 0 ? (uint32_t)source->width : 0,
                             source->height > 0 ? (uint32_t)source->height : 0, error);
}

tm_status tmi_edit_pixels(tmi_pixels *out, tmi_edit *edit, uint32_t index, bool asked, tm_error *error)
{
    tm_error failure;
    const tm_image *image = &edit->map->images[index];
    memset(out, 0, sizeof(*out));
    if (image->external) {
        if (asked)
            tmi_edit_report(edit, TM_FINDING_NO_PIXELS, tmi_edit_image_address(index),
                            "left as it is: it is external, so the map has no pixels of it");
        return TM_OK;
    }
    tmi_error_blank(&failure);
    const tm_status status = tmi_image_pixels(out, edit->map, image, edit->scratch, &failure);
    if (status == TM_ERROR_DAMAGED)
        tmi_edit_report(edit, TM_FINDING_NO_PIXELS, tmi_edit_image_address(index),
                        "left as it is: its pixels cannot be read");
    else if (status && error)
        *error = failure;
    return status == TM_ERROR_DAMAGED ? TM_OK : status;
}

/* If pixels changed, stores the picture in the image, and reports it. */
static tm_status put_picture_pixels(tmi_edit *edit, uint32_t image, const tmi_pixels *picture,
                                    uint64_t changed, const char *done, tm_error *error)
{
    if (!changed)
        return TM_OK;
    tmi_edit_changed(edit, tmi_edit_image_address(image), changed, "%s: %llu pixels", done,
                     (unsigned long long)changed);
    return tm_map_set_pixels(edit->map, image, picture->rgba, picture->width, picture->height, error);
}

/* ------------------------------------------------------------------------------------------------ dilate */

tm_status tmi_image_dilate(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const bool cells = strcmp(edit->operation->name, "dilate cells") == 0;
    tmi_pixels picture;
    uint64_t changed;
    TM_TRY(tmi_edit_pixels(&picture, edit, address->index, edit->asked, error));
    if (!picture.rgba)
        return TM_OK;
    TM_TRY(tmi_pixels_dilate(&changed, &picture, cells, edit->scratch, error));
    return put_picture_pixels(edit, address->index, &picture, changed, "dilated", error);
}

/* ------------------------------------------------------------------------------------------------- blank */

enum { QUICK_LEVEL = 1, SMALLEST_LEVEL = 12, CLEARLY = 16 /* of so many parts one less is no chance */ };

static tm_status packed_size(size_t *out, int level, const tmi_edit *edit, const tmi_pixels *pixels,
                             tm_error *error)
{
    const size_t size = (size_t)pixels->width * pixels->height * 4;
    tmi_deflater *deflater = tmi_deflater_new(level);
    const size_t room = deflater ? tmi_deflate_bound(deflater, size) : 0;
    void *packed = room ? tmi_alloc(edit->scratch, room, 1) : NULL;
    *out = packed ? tmi_deflate(deflater, packed, room, pixels->rgba, size) : 0;
    tmi_free(edit->scratch, packed, room, 1); /* large, and one of four */
    tmi_deflater_free(deflater);
    return *out ? TM_OK : tmi_fail_memory(error, room, "packing");
}

/*
 * Blanks the pixels that nothing shows. Quads may show any part, and blend neighbours when seen from afar.
 * "optimize images" asks first whether the image packs smaller then; with odd sides, the cuts may make it
 * larger.
 */
static tm_status blank_image(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    static const int levels[] = {QUICK_LEVEL, SMALLEST_LEVEL};
    const tmi_image_uses *uses = (const tmi_image_uses *)edit->ctx + address->index;
    tmi_pixels picture, before;
    uint64_t changed;
    TM_TRY(tmi_edit_pixels(&picture, edit, address->index, edit->asked, error));
    if (!picture.rgba)
        return TM_OK;
    if (uses->any_cell)
        tmi_edit_report(
            edit, TM_FINDING_AUTOMAPPER_KEEPS, *address,
            "left as it is: an automatic automapper, or a damaged layer, may show any part of it");
    if (uses->any_cell || uses->quad_layers)
        return TM_OK;
    if (uses->tile_layers)
        changed = tmi_pixels_blank(&picture, uses->cells);
    else
        changed = tmi_pixels_clear(&picture);
    bool smaller = !changed || strcmp(edit->operation->name, "optimize images") != 0;
    if (!smaller)
        TM_TRY(
            tmi_image_pixels(&before, edit->map, &edit->map->images[address->index], edit->scratch, error));
    for (size_t i = 0; !smaller && i < TMI_COUNT_OF(levels); i++) {
        size_t was, is;
        TM_TRY(packed_size(&was, levels[i], edit, &before, error));
        TM_TRY(packed_size(&is, levels[i], edit, &picture, error));
        smaller = is + (levels[i] == SMALLEST_LEVEL ? 0 : was / CLEARLY) < was;
    }
    return put_picture_pixels(edit, address->index, &picture, smaller ? changed : 0,
                              "blanked what nothing shows", error);
}

tm_status tmi_image_blank_colors(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tmi_pixels picture;
    TM_TRY(tmi_edit_pixels(&picture, edit, address->index, edit->asked, error));
    if (!picture.rgba)
        return TM_OK;
    return put_picture_pixels(edit, address->index, &picture, tmi_pixels_clear_hidden(&picture),
                              "made black what is not visible", error);
}

/*
 * Gives invisible pixels the color of their visible neighbours, or none. If only tiles show the image, works
 * on each cell alone; quads show more than one cell.
 */
static tm_status even_colors(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const bool cells = !((const tmi_image_uses *)edit->ctx)[address->index].quad_layers;
    tmi_pixels picture;
    uint64_t changed;
    TM_TRY(tmi_edit_pixels(&picture, edit, address->index, edit->asked, error));
    if (!picture.rgba)
        return TM_OK;
    const size_t size = (size_t)picture.width * picture.height * 4;
    uint8_t *before;
    TM_TRY(tmi_reserve(&before, edit->scratch, size, 1, "pixels", error));
    memcpy(before, picture.rgba, size);
    tmi_pixels_clear_hidden(&picture);
    TM_TRY(tmi_pixels_dilate(&changed, &picture, cells, edit->scratch, error));
    changed = 0;
    for (size_t i = 0; i < size; i += 4)
        changed += memcmp(before + i, picture.rgba + i, 4) != 0;
    return put_picture_pixels(edit, address->index, &picture, changed,
                              "evened out colors that are not visible", error);
}

/* Blanks what nothing shows or evens out colors, by the operation's name; the ctx is what is shown. */
tm_status tmi_edit_by_uses(tmi_edit *edit, tm_error *error)
{
    const bool colors = strcmp(edit->operation->name, "optimize colors") == 0;
    tmi_image_uses *uses;
    TM_TRY(tmi_reserve(&uses, edit->scratch, (size_t)edit->map->num_images + 1, sizeof(*uses),
                       "uses of images", error));
    TM_TRY(tmi_map_image_uses(uses, edit->map, error));
    return tmi_edit_each(edit, TM_KIND_IMAGE, colors ? even_colors : blank_image, uses, error);
}

/* ------------------------------------------------------------------------------------------ size, format */

tm_status tmi_image_resize(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tmi_pixels source, target = {0};
    const tm_image *image = &edit->map->images[address->index];
    if (!image->external && image->width > 0 && image->width % TMI_IMAGE_SIDE == 0 &&
        image->height % TMI_IMAGE_SIDE == 0)
        return TM_OK;
    TM_TRY(tmi_edit_pixels(&source, edit, address->index, edit->asked, error));
    if (!source.rgba)
        return TM_OK;
    target.width = (source.width + TMI_IMAGE_SIDE - 1) / TMI_IMAGE_SIDE * TMI_IMAGE_SIDE;
    target.height = (source.height + TMI_IMAGE_SIDE - 1) / TMI_IMAGE_SIDE * TMI_IMAGE_SIDE;
    const uint64_t size = (uint64_t)target.width * target.height * 4;
    if (size <= edit->map->priv->limits.block_bytes && size <= SIZE_MAX)
        target.rgba = tmi_alloc(edit->scratch, (size_t)size, 1);
    if (!target.rgba)
        return tmi_fail_memory(error, size, "pixels");
    tmi_pixels_stretch(&target, &source);
    tmi_edit_changed(edit, *address, (uint64_t)target.width * target.height, "resized from %ux%u to %ux%u",
                     (unsigned)source.width, (unsigned)source.height, (unsigned)target.width,
                     (unsigned)target.height);
    return tm_map_set_pixels(edit->map, address->index, target.rgba, target.width, target.height, error);
}

tm_status tmi_image_rgba(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tmi_pixels picture;
    const tm_image *image = &edit->map->images[address->index];
    if (image->external || image->format == TM_IMAGE_RGBA)
        return TM_OK;
    TM_TRY(tmi_edit_pixels(&picture, edit, address->index, edit->asked, error));
    return put_picture_pixels(edit, address->index, &picture, (uint64_t)picture.width * picture.height,
                              "alpha added, 255 all over", error);
}

/* ------------------------------------------------------------------------------------------------ opaque */

/* Clients do not draw what is behind a tile with the opaque flag. The editors set it when they save. */
enum { CELLS = TMI_SHEET_CELLS, OPAQUE_ALPHA = 250 };

/* Finds the opaque cells of an image of the map or the game. Cells that are not square are never opaque. */
tm_status tmi_sheet_cells_find(tmi_sheet_cells *out, tmi_edit *edit, int32_t image, tm_error *error)
{
    tmi_pixels picture;
    memset(out, 0, sizeof(*out));
    const tm_image *sheet = tm_map_image(edit->map, image);
    if (!sheet)
        return TM_OK;
    TM_TRY(sheet->external ? tmi_edit_games_pixels(&picture, edit, sheet, error)
                           : tmi_edit_pixels(&picture, edit, (uint32_t)image, false, error));
    out->known = picture.rgba;
    const uint32_t side = picture.width / CELLS;
    if (!picture.rgba || side == 0 || side != picture.height / CELLS)
        return TM_OK;
    for (uint32_t i = 0; i < CELLS * CELLS; i++) {
        bool opaque = true;
        for (uint32_t y = 0, x; opaque && y < side; y++) {
            const size_t row = (size_t)(i / CELLS * side + y) * picture.width;
            const uint8_t *pixel = picture.rgba + (row + (size_t)(i % CELLS) * side) * 4;
            for (x = 0; x < side && pixel[3] >= OPAQUE_ALPHA; x++)
                pixel += 4;
            opaque = x == side;
        }
        out->opaque[i] = opaque;
    }
    return TM_OK;
}

uint8_t tmi_sheet_flags(const tm_tile *tile, const tmi_sheet_cells *cells, bool solid)
{
    const bool opaque = solid && tile->index && cells->opaque[tile->index];
    return (uint8_t)((tile->flags & ~TM_TILE_OPAQUE) | (opaque ? TM_TILE_OPAQUE : 0));
}

tm_status tmi_layer_opaque(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const tm_layer *layer = tmi_edit_layer_at(edit, address);
    tmi_sheet_cells cells;
    tm_grid grid;
    tm_edit_grid writable;
    uint64_t wrong = 0;
    TM_TRY(tmi_edit_design_grid(&grid, edit->map, address, error));
    if (!grid.tiles)
        return TM_OK;
    TM_TRY(tmi_sheet_cells_find(&cells, edit, layer->as.tiles.image, error));
    if (!cells.known && layer->as.tiles.image != TM_NONE)
        return TM_OK; /* the pixels are unknown */
    const bool solid = layer->as.tiles.color.a == 255;
    const tm_tile *tiles = grid.tiles;
    const size_t num = (size_t)grid.width * grid.height;
    for (size_t i = 0; i < num; i++)
        wrong += tiles[i].flags != tmi_sheet_flags(&tiles[i], &cells, solid);
    if (!wrong)
        return TM_OK;
    TM_TRY(tm_map_edit_tiles(&writable, edit->map, address->index, address->layer, error));
    tm_tile *changed = writable.tiles;
    for (size_t i = 0; i < num; i++)
        changed[i].flags = tmi_sheet_flags(&changed[i], &cells, solid);
    tmi_edit_changed(edit, *address, wrong, "opaque flags updated");
    return TM_OK;
}
