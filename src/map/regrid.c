/* SPDX-License-Identifier: Zlib */
/*
 * Tile layers whose grid is made anew, in one pass over old and new tiles: turned, moved, scaled. The new
 * block knows which one of the file it stands for, so that a layer that comes back to what it was can be that
 * again, packed as it is there. What a tile means is not known here.
 */
#include "internal.h"

static bool all_zero(const tmi_borrowed *loan)
{
    const uint8_t *bytes = loan->bytes;
    return loan->size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, (size_t)loan->size - 1) == 0);
}

/* *out is NULL when the array can stay: there is none, or it is as large and as empty as it is to be. */
static tm_status new_compat(tm_block **out, tm_map *map, const tm_block *compat, uint64_t size,
                            tm_error *error)
{
    tmi_borrowed loan;
    *out = NULL;
    if (!compat)
        return TM_OK;
    if (compat->size == size) {
        TM_TRY(tmi_borrowed_open(&loan, map, compat, error));
        const bool stays = all_zero(&loan);
        tmi_borrowed_close(&loan);
        if (stays)
            return TM_OK;
    }
    return tmi_block_new(out, map, compat->view, NULL, size, error);
}

tm_status tmi_map_regrid(tm_map *map, tm_layer *layer, const uint32_t size[2], tmi_regrid_fill *fill,
                         void *ctx, tm_error *error)
{
    tm_tile_layer *tiles = &layer->as.tiles;
    const uint32_t tile_size = tm_game_layer(layer->kind)->element_size;
    tm_block *block = NULL, *compat = NULL;
    uint64_t num_bytes, compat_bytes;
    tmi_borrowed loan;
    void *bytes;
    TM_TRY(tmi_tiles_size(&num_bytes, size[0], size[1], tile_size, error));
    TM_TRY(tmi_tiles_size(&compat_bytes, size[0], size[1], sizeof(tm_tile), error));
    if (tiles->tiles) {
        TM_TRY(tmi_check_grid(layer, error));
        TM_TRY(tmi_borrowed_open(&loan, map, tiles->tiles, error));
        tm_status status = new_compat(&compat, map, tiles->compat, compat_bytes, error);
        if (!status)
            status = tmi_block_new(&block, map, tiles->tiles->view, NULL, num_bytes, error);
        if (!status)
            status = tm_map_edit_data(&bytes, NULL, map, block, error);
        if (!status) {
            const tm_grid from = {loan.bytes, tiles->width, tiles->height, tile_size,
                                  (size_t)tiles->width * tile_size};
            const tm_edit_grid to = {bytes, size[0], size[1], tile_size, (size_t)size[0] * tile_size};
            fill(ctx, &from, &to);
            tmi_block_inherit(block, tiles->tiles, tiles->width, tiles->height);
        }
        tmi_borrowed_close(&loan);
        if (status) {
            tmi_block_free(map, block);
            tmi_block_free(map, compat);
            return status;
        }
        tmi_block_free(map, tiles->tiles);
        if (compat)
            tmi_block_free(map, tiles->compat);
        tiles->tiles = block;
        tiles->compat = compat ? compat : tiles->compat;
    }
    tiles->width = size[0];
    tiles->height = size[1];
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------- and back again */

/* Whether all columns from `width` on are the one before it, and all rows from `height` on. */
static bool repeats_edges(const tm_grid *grid, uint32_t width, uint32_t height)
{
    const uint8_t *bytes = grid->tiles;
    const size_t size = grid->tile_size;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = width; x < grid->width; x++)
            if (memcmp(bytes + y * grid->row_stride + (x - 1) * size, bytes + y * grid->row_stride + x * size,
                       size) != 0)
                return false;
    for (uint32_t y = height; y < grid->height; y++)
        if (memcmp(bytes + (y - 1) * grid->row_stride, bytes + y * grid->row_stride, grid->row_stride) != 0)
            return false;
    return true;
}

static bool starts_with(const tm_grid *grid, const uint8_t *bytes, uint32_t width, uint32_t height)
{
    const size_t row = (size_t)width * grid->tile_size;
    for (uint32_t y = 0; y < height; y++)
        if (memcmp((const uint8_t *)grid->tiles + y * grid->row_stride, bytes + y * row, row) != 0)
            return false;
    return true;
}

/* Whether the home block holds what the grid starts with; what cannot be read does not. */
static bool holds_start(const tm_map *map, const tm_block *home, const tm_grid *grid, uint32_t width,
                        uint32_t height)
{
    tmi_borrowed loan;
    if (tmi_borrowed_open(&loan, map, home, NULL))
        return false;
    const bool holds = starts_with(grid, loan.bytes, width, height);
    tmi_borrowed_close(&loan);
    return holds;
}

tm_status tmi_map_ungrow(tm_map *map, tm_layer *layer, tm_error *error)
{
    tm_grid grid;
    tm_block *home;
    tm_tile_layer *tiles = &layer->as.tiles;
    const tm_block *block = tiles->tiles;
    if (!block || !block->changed || !block->home.size || block->home.turned || tiles->compat)
        return TM_OK;
    const uint32_t width = block->home.width, height = block->home.height;
    if (width > tiles->width || height > tiles->height || (width == tiles->width && height == tiles->height))
        return TM_OK;
    TM_TRY(tm_map_tiles(&grid, map, layer, error));
    if (!repeats_edges(&grid, width, height))
        return TM_OK;
    TM_TRY(tmi_block_new_again(&home, map, block, block->home.size, error));
    const bool done = holds_start(map, home, &grid, width, height);
    tmi_block_free(map, done ? tiles->tiles : home);
    if (done) {
        tiles->tiles = home;
        tiles->width = width;
        tiles->height = height;
    }
    return TM_OK;
}
