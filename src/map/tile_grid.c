/* SPDX-License-Identifier: Zlib */
/*
 * Tile layers as grids: borrowing the memory, copying rectangles in and out, filling, changing the size.
 * Works for every kind of tile by its size alone (format section 2.8); what a tile means is not known here.
 */
#include "internal.h"

/* -------------------------------------------------------------------------------------------------- sizes */

tm_status tmi_tiles_size(uint64_t *out, uint32_t width, uint32_t height, size_t tile_size, tm_error *error)
{
    *out = 0;
    if (width == 0 || height == 0)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "a layer cannot have %u x %u tiles: each side is at least 1", (unsigned)width,
                        (unsigned)height);
    /* The file's fields are signed; below that, 62 bits of tiles may still be too many bytes. */
    uint64_t num = (uint64_t)width * height;
    if (width > INT32_MAX || height > INT32_MAX || num > UINT64_MAX / tile_size)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "a layer of %u x %u tiles is too large: a side is at most %ld", (unsigned)width,
                        (unsigned)height, (long)INT32_MAX);
    *out = num * tile_size;
    return TM_OK;
}

static tm_status check_tiles(const tm_layer *layer, tm_error *error)
{
    const tm_layer_info *rule = tm_game_layer(layer->kind);
    if (rule->is_tiles)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "a layer of kind %s has no tiles", rule->name);
}

/* Whether the block really has the tiles that width and height promise. */
tm_status tmi_check_grid(const tm_layer *layer, tm_error *error)
{
    const tm_tile_layer *tiles = &layer->as.tiles;
    uint64_t num = (uint64_t)tiles->width * tiles->height;
    if (!tiles->tiles || num <= tiles->tiles->size / tm_game_layer(layer->kind)->element_size)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "the layer's %u x %u tiles do not fit its %llu bytes",
                    (unsigned)tiles->width, (unsigned)tiles->height, (unsigned long long)tiles->tiles->size);
}

/* -------------------------------------------------------------------------------------------------- grids */

/* A block knows its number in the file, not what it is for. */
static tm_status fail_in_layer(tm_error *error, tm_status status, const tm_map *map, const tm_layer *layer)
{
    for (uint32_t g = 0; error && g < map->num_groups; g++) {
        const uintptr_t from = (uintptr_t)map->groups[g].layers, at = (uintptr_t)layer;
        const uintptr_t index = (at - from) / sizeof(*layer);
        if (from && at >= from && index < map->groups[g].num_layers)
            return tmi_fail_at_address(error, status, map,
                                       (tm_address){TM_ADDRESS_LAYER, g, (uint32_t)index});
    }
    return status;
}

tm_status tm_map_tiles(const tm_map *map, const tm_layer *layer, tm_grid *out, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    const void *bytes;
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_check_map(map, error));
    if (!layer)
        return TM_OK;
    TM_TRY(check_tiles(layer, error));
    TM_TRY(tmi_check_grid(layer, error));
    const tm_status status = tm_map_data(map, layer->as.tiles.tiles, &bytes, NULL, error);
    if (status)
        return fail_in_layer(error, status, map, layer);
    const uint32_t tile_size = tm_game_layer(layer->kind)->element_size;
    *out = (tm_grid){bytes, layer->as.tiles.width, layer->as.tiles.height, tile_size,
                     (size_t)layer->as.tiles.width * tile_size};
    return TM_OK;
}

tm_status tmi_borrowed_grid(tmi_borrowed *loan, tm_grid *grid, const tm_map *map, const tm_layer *layer,
                            tm_error *error)
{
    memset(grid, 0, sizeof(*grid));
    memset(loan, 0, sizeof(*loan));
    TM_TRY(check_tiles(layer, error));
    TM_TRY(tmi_check_grid(layer, error));
    TM_TRY(tmi_borrowed_open(loan, map, layer->as.tiles.tiles, error));
    const uint32_t tile_size = tm_game_layer(layer->kind)->element_size;
    *grid = (tm_grid){loan->bytes, layer->as.tiles.width, layer->as.tiles.height, tile_size,
                      (size_t)layer->as.tiles.width * tile_size};
    return TM_OK;
}

static tm_status edit_tiles(tm_map *map, tm_layer *layer, tm_edit_grid *out, tm_error *error)
{
    tm_tile_layer *tiles = &layer->as.tiles;
    const uint32_t tile_size = tm_game_layer(layer->kind)->element_size;
    void *bytes;
    TM_TRY(tmi_check_grid(layer, error));
    if (!tiles->tiles && tiles->width && tiles->height) {
        uint64_t size;
        TM_TRY(tmi_tiles_size(&size, tiles->width, tiles->height, tile_size, error));
        TM_TRY(tmi_block_new(&tiles->tiles, map, tmi_encoding_of(layer->kind), NULL, size, error));
    }
    TM_TRY(tm_map_edit_data(map, tiles->tiles, &bytes, NULL, error));
    *out = (tm_edit_grid){bytes, tiles->width, tiles->height, tile_size, (size_t)tiles->width * tile_size};
    return TM_OK;
}

static tm_status find_tiles(tm_layer **out, tm_map *map, uint32_t group, uint32_t layer, tm_error *error)
{
    TM_TRY(tmi_find_layer(out, map, group, layer, error));
    return check_tiles(*out, error);
}

tm_status tm_map_edit_tiles(tm_map *map, uint32_t group, uint32_t layer, tm_edit_grid *out, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_layer *target;
    memset(out, 0, sizeof(*out));
    TM_TRY(find_tiles(&target, map, group, layer, error));
    return edit_tiles(map, target, out, error);
}

/* --------------------------------------------------------------------------------------------- rectangles */

/* The part of a wanted rectangle that lies in a layer. */
typedef struct overlap {
    uint32_t x, y, w, h; /* in the layer; w or h 0: nothing */
    size_t left, top;    /* tiles of the wanted rectangle before that part */
} overlap;

/* One dimension: [start, start + length) cut to [0, limit). */
static void cut_dimension(int32_t start, uint32_t length, uint32_t limit, uint32_t *from, uint32_t *num,
                          size_t *skipped)
{
    int64_t first = start < 0 ? 0 : start, end = (int64_t)start + length;
    if (end > limit)
        end = limit;
    *from = (uint32_t)first;
    *num = end > first ? (uint32_t)(end - first) : 0;
    *skipped = (size_t)(first - start);
}

static overlap overlap_of(const tm_layer *layer, int32_t x, int32_t y, uint32_t w, uint32_t h)
{
    overlap part;
    cut_dimension(x, w, layer->as.tiles.width, &part.x, &part.w, &part.left);
    cut_dimension(y, h, layer->as.tiles.height, &part.y, &part.h, &part.top);
    return part;
}

/* Bytes from one of the caller's rows to the next. */
static tm_status take_stride(size_t *stride, uint32_t w, uint32_t h, uint32_t tile_size, tm_error *error)
{
    size_t row, all;
    if (!tmi_mul_size(&row, w, tile_size))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a row of %u tiles is too long", (unsigned)w);
    if (*stride == 0)
        *stride = row;
    if (*stride < row)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "row_stride is %zu, but a row of %u tiles has %zu bytes",
                        *stride, (unsigned)w, row);
    if (!tmi_mul_size(&all, *stride, h))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%u rows of %zu bytes are too many", (unsigned)h, *stride);
    return TM_OK;
}

static void *grid_tile_at(const tm_edit_grid *grid, uint32_t x, uint32_t y)
{
    return (char *)grid->tiles + y * grid->row_stride + (size_t)x * grid->tile_size;
}

tm_status tm_map_read_tiles(const tm_map *map, const tm_layer *layer, int32_t x, int32_t y, uint32_t w,
                            uint32_t h, void *tiles, size_t row_stride, tm_error *error)
{
    tm_grid grid;
    TM_TRY(tmi_check_map(map, error));
    if (!layer)
        return TM_OK;
    if (w && h)
        TM_TRY(tmi_need(tiles, "tiles", error));
    const uint32_t tile_size = tm_game_layer(layer->kind)->element_size;
    TM_TRY(check_tiles(layer, error));
    TM_TRY(take_stride(&row_stride, w, h, tile_size, error));
    TM_TRY(tm_map_tiles(map, layer, &grid, error));
    if (w == 0)
        return TM_OK;
    overlap part = overlap_of(layer, x, y, w, h);
    for (size_t row = 0; row < h; row++) {
        char *out = (char *)tiles + row * row_stride;
        memset(out, 0, (size_t)w * tile_size);
        if (!grid.tiles || part.w == 0 || row < part.top || row - part.top >= part.h)
            continue;
        const char *in = (const char *)grid.tiles + (part.y + row - part.top) * grid.row_stride;
        memcpy(out + part.left * tile_size, in + (size_t)part.x * tile_size, (size_t)part.w * tile_size);
    }
    return TM_OK;
}

tm_status tm_map_write_tiles(tm_map *map, uint32_t group, uint32_t layer, int32_t x, int32_t y, uint32_t w,
                             uint32_t h, const void *tiles, size_t row_stride, tm_error *error)
{
    tm_layer *target;
    tm_edit_grid grid;
    TM_TRY(find_tiles(&target, map, group, layer, error));
    if (w && h)
        TM_TRY(tmi_need(tiles, "tiles", error));
    TM_TRY(take_stride(&row_stride, w, h, tm_game_layer(target->kind)->element_size, error));
    overlap part = overlap_of(target, x, y, w, h);
    if (part.w == 0 || part.h == 0)
        return TM_OK;
    TM_TRY(edit_tiles(map, target, &grid, error));
    const char *in = (const char *)tiles + part.top * row_stride + part.left * grid.tile_size;
    for (uint32_t row = 0; row < part.h; row++, in += row_stride)
        memmove(grid_tile_at(&grid, part.x, part.y + row), in, (size_t)part.w * grid.tile_size);
    return TM_OK;
}

tm_status tm_map_fill_tiles(tm_map *map, uint32_t group, uint32_t layer, int32_t x, int32_t y, uint32_t w,
                            uint32_t h, const void *tile, tm_error *error)
{
    tm_layer *target;
    tm_edit_grid grid;
    unsigned char one[8]; /* a copy, since the tile may stand in the rectangle */
    TM_TRY(find_tiles(&target, map, group, layer, error));
    if (w && h)
        TM_TRY(tmi_need(tile, "tile", error));
    const uint32_t tile_size = tm_game_layer(target->kind)->element_size;
    TMI_ASSERT(tile_size <= sizeof(one));
    overlap part = overlap_of(target, x, y, w, h);
    if (part.w == 0 || part.h == 0)
        return TM_OK;
    memcpy(one, tile, tile_size);
    TM_TRY(edit_tiles(map, target, &grid, error));
    for (uint32_t column = 0; column < part.w; column++)
        memcpy(grid_tile_at(&grid, part.x + column, part.y), one, tile_size);
    for (uint32_t row = 1; row < part.h; row++)
        memcpy(grid_tile_at(&grid, part.x, part.y + row), grid_tile_at(&grid, part.x, part.y),
               (size_t)part.w * tile_size);
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- resizing */

/* A grid of another size and how the old content lies in it. */
typedef struct resizing {
    uint32_t old_width, old_height, width, height;
    int32_t dx, dy;
} resizing;

/*
 * Copies what stays, row by row. Bytes that the old block does not have (only compatibility arrays can be
 * short) stay zero.
 */
static void copy_rows(const resizing *how, const char *old, uint64_t old_size, char *tiles, size_t tile_size)
{
    uint32_t from_x, from_y, w, h;
    size_t to_x, to_y;
    /* Seen from the old grid, the new one lies at (-dx, -dy); in 64 bits, as -INT32_MIN is no int32_t. */
    int64_t left = -(int64_t)how->dx, top = -(int64_t)how->dy;
    if (left > INT32_MAX || top > INT32_MAX)
        return;
    cut_dimension((int32_t)left, how->width, how->old_width, &from_x, &w, &to_x);
    cut_dimension((int32_t)top, how->height, how->old_height, &from_y, &h, &to_y);
    for (uint32_t row = 0; w && row < h; row++) {
        uint64_t from = ((uint64_t)(from_y + row) * how->old_width + from_x) * tile_size;
        size_t to = ((to_y + row) * how->width + to_x) * tile_size, size = (size_t)w * tile_size;
        if (from <= old_size && size <= old_size - from)
            memcpy(tiles + to, old + from, size);
    }
}

/* The resized block; NULL for NULL. */
static tm_status resized(tm_block **out, tm_map *map, const tm_block *block, const resizing *how,
                         size_t tile_size, tm_error *error)
{
    uint64_t size;
    void *tiles;
    tmi_borrowed old;
    *out = NULL;
    if (!block)
        return TM_OK;
    TM_TRY(tmi_tiles_size(&size, how->width, how->height, tile_size, error));
    TM_TRY(tmi_borrowed_open(&old, map, block, error));
    tm_status status = tmi_block_new(out, map, block->view, NULL, size, error);
    if (status == TM_OK)
        status = tm_map_edit_data(map, *out, &tiles, NULL, error);
    if (status == TM_OK)
        copy_rows(how, old.bytes, old.size, tiles, tile_size);
    tmi_borrowed_close(&old);
    return status;
}

tm_status tm_map_resize_layer(tm_map *map, uint32_t group, uint32_t layer, uint32_t width, uint32_t height,
                              int32_t dx, int32_t dy, tm_error *error)
{
    tm_layer *target;
    tm_block *block, *compat;
    uint64_t size;
    TM_TRY(find_tiles(&target, map, group, layer, error));
    TM_TRY(tmi_check_grid(target, error));
    tm_tile_layer *tiles = &target->as.tiles;
    const uint32_t tile_size = tm_game_layer(target->kind)->element_size;
    TM_TRY(tmi_tiles_size(&size, width, height, tile_size, error));
    const resizing how = {tiles->width, tiles->height, width, height, dx, dy};
    if (width == how.old_width && height == how.old_height && dx == 0 && dy == 0)
        return TM_OK;
    TM_TRY(resized(&block, map, tiles->tiles, &how, tile_size, error));
    tm_status status = resized(&compat, map, tiles->compat, &how, sizeof(tm_tile), error);
    if (status != TM_OK) {
        tmi_block_free(map, block);
        return status;
    }
    if (block)
        tmi_block_inherit(block, tiles->tiles, tiles->width, tiles->height);
    tmi_block_free(map, tiles->tiles);
    tmi_block_free(map, tiles->compat);
    tiles->tiles = block;
    tiles->compat = compat;
    tiles->width = width;
    tiles->height = height;
    return TM_OK;
}
