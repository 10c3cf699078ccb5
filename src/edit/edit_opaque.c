/* SPDX-License-Identifier: Zlib */
/*
 * The opaque flag of design tiles: clients do not draw what is behind such a tile. It is set where every
 * pixel of a sheet's cell is opaque, as the editors do when they save.
 */
#include "edit_images.h"

enum { CELLS = TMI_SHEET_CELLS, OPAQUE_ALPHA = 250 };

static bool cell_is_opaque(const tmi_pixels *picture, uint32_t index)
{
    const uint32_t width = picture->width / CELLS, height = picture->height / CELLS;
    for (uint32_t y = 0; y < height; y++) {
        const size_t row = (size_t)(index / CELLS * height + y) * picture->width;
        for (uint32_t x = 0; x < width; x++)
            if (picture->rgba[(row + (size_t)(index % CELLS) * width + x) * 4 + 3] < OPAQUE_ALPHA)
                return false;
    }
    return width > 0 && height > 0;
}

/* Looks at the pixels of the map or of the game. Cells that are no squares are never opaque. */
tm_status tmi_sheet_cells_find(tmi_sheet_cells *out, tmi_edit *edit, int32_t image, tm_error *error)
{
    tmi_pixels picture = {NULL, 0, 0};
    const tm_map *map = edit->map;
    memset(out, 0, sizeof(*out));
    const tm_image *sheet = tm_map_image(map, image);
    if (!sheet)
        return TM_OK;
    if (!sheet->external)
        TM_TRY(tmi_edit_pixels(&picture, edit, (uint32_t)image, false, error));
    else if (edit->options->images)
        (void)edit->options->images(edit->options->images_ctx, sheet->name ? sheet->name : "", map->game,
                                    edit->scratch, &picture.rgba, &picture.width, &picture.height);
    out->known = picture.rgba;
    if (picture.rgba && picture.width / CELLS == picture.height / CELLS)
        for (uint32_t i = 0; i < CELLS * CELLS; i++)
            out->opaque[i] = cell_is_opaque(&picture, i);
    return TM_OK;
}

uint8_t tmi_sheet_flags(const tm_tile *tile, const tmi_sheet_cells *cells, bool solid)
{
    const bool opaque = solid && tile->index && cells->opaque[tile->index];
    return (uint8_t)((tile->flags & ~TM_TILE_OPAQUE) | (opaque ? TM_TILE_OPAQUE : 0));
}

tm_status tmi_layer_opaque(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    const tm_layer *layer = tmi_edit_layer_at(edit, at);
    tmi_sheet_cells cells;
    tm_grid grid;
    tm_edit_grid to;
    uint64_t wrong = 0;
    TM_TRY(tmi_edit_design_grid(&grid, edit->map, at, error));
    if (!grid.tiles)
        return TM_OK;
    TM_TRY(tmi_sheet_cells_find(&cells, edit, layer->as.tiles.image, error));
    if (!cells.known && layer->as.tiles.image != TM_NONE)
        return TM_OK; /* who knows what the picture is like */
    const bool solid = layer->as.tiles.color.a == 255;
    const tm_tile *tiles = grid.tiles;
    const size_t num = (size_t)grid.width * grid.height;
    for (size_t i = 0; i < num; i++)
        wrong += tiles[i].flags != tmi_sheet_flags(&tiles[i], &cells, solid);
    if (!wrong)
        return TM_OK;
    TM_TRY(tm_map_edit_tiles(&to, edit->map, at->index, at->layer, error));
    tm_tile *changed = to.tiles;
    for (size_t i = 0; i < num; i++)
        changed[i].flags = tmi_sheet_flags(&changed[i], &cells, solid);
    tmi_edit_changed(edit, *at, wrong, "opaque flags updated");
    return TM_OK;
}
