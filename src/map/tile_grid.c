/* SPDX-License-Identifier: Zlib */
/*
 * Tile layers as grids: borrows their memory, copies rectangles in and out, fills them, changes their size,
 * and counts tiles by number. Knows only the size of each kind of tile (format section 2.8), not its meaning.
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
    const tm_layer_info *info = tm_game_layer(layer->kind);
    if (info->is_tiles)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "a layer of kind %s has no tiles", info->name);
}

/* Whether the layer has tiles, and its block really those that width and height promise. */
static tm_status check_grid(const tm_layer *layer, tm_error *error)
{
    TM_TRY(check_tiles(layer, error));
    const tm_tile_layer *tiles = &layer->as.tiles;
    uint64_t num = (uint64_t)tiles->width * tiles->height;
    if (!tiles->tiles || num <= tiles->tiles->size / tm_game_layer(layer->kind)->element_size)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "the layer's %u x %u tiles do not fit its %llu bytes",
                    (unsigned)tiles->width, (unsigned)tiles->height, (unsigned long long)tiles->tiles->size);
}

static tm_grid grid_of(const tm_layer *layer, const void *bytes)
{
    const uint32_t size = tm_game_layer(layer->kind)->element_size, width = layer->as.tiles.width;
    return (tm_grid){bytes, width, layer->as.tiles.height, size, (size_t)width * size};
}

/* -------------------------------------------------------------------------------------------------- grids */

tm_status tm_map_tiles(tm_grid *out, const tm_map *map, const tm_layer *layer, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    const void *bytes;
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_need(map, "map", error));
    if (!layer)
        return TM_OK;
    TM_TRY(check_grid(layer, error));
    const tm_status status = tm_map_data(&bytes, NULL, map, layer->as.tiles.tiles, error);
    if (status == TM_OK)
        *out = grid_of(layer, bytes);
    /* An error gets the address of the layer: a block only knows its number in the file. */
    for (uint32_t g = 0; status && error && g < map->num_groups; g++) {
        const uintptr_t from = (uintptr_t)map->groups[g].layers, at = (uintptr_t)layer;
        const uintptr_t index = (at - from) / sizeof(*layer);
        if (from && at >= from && index < map->groups[g].num_layers)
            return tmi_fail_at_address(error, status, map, (tm_address){TM_KIND_LAYER, g, (uint32_t)index});
    }
    return status;
}

tm_status tmi_borrowed_grid(tmi_borrowed *loan, tm_grid *grid, const tm_map *map, const tm_layer *layer,
                            tm_error *error)
{
    memset(grid, 0, sizeof(*grid));
    memset(loan, 0, sizeof(*loan));
    TM_TRY(check_grid(layer, error));
    TM_TRY(tmi_borrowed_open(loan, map, layer->as.tiles.tiles, error));
    *grid = grid_of(layer, loan->bytes);
    return TM_OK;
}

bool tmi_layers_share_tiles(const tm_layer *a, const tm_layer *b)
{
    const tm_tile_layer *x = &a->as.tiles, *y = &b->as.tiles;
    return a->kind == b->kind && x->width == y->width && x->height == y->height &&
           tmi_block_same_packed(x->tiles, y->tiles);
}

bool tmi_layer_was_seen(size_t *place, tmi_seen_layers *seen, const tm_layer *layer)
{
    for (size_t i = 0; i < seen->num && i < TMI_SEEN_LAYERS; i++) {
        *place = i;
        if (tmi_layers_share_tiles(seen->list[i], layer))
            return true;
    }
    *place = seen->num++ % TMI_SEEN_LAYERS;
    seen->list[*place] = layer;
    return false;
}

tm_status tmi_borrowed_next_grid(tmi_borrowed *loan, tm_grid *grid, const tm_map *map, const tm_layer *layer,
                                 tm_error *error)
{
    const tm_block *block = layer->as.tiles.tiles;
    const bool stays = tmi_block_same_data(loan->block, block) && !tmi_block_held(block);
    memset(grid, 0, sizeof(*grid));
    TM_TRY(check_grid(layer, error));
    if (!stays) {
        tmi_borrowed_close(loan);
        TM_TRY(tmi_borrowed_open(loan, map, block, error));
    }
    *grid = grid_of(layer, loan->bytes);
    return TM_OK;
}

static tm_status edit_tiles(tm_map *map, tm_layer *layer, tm_edit_grid *out, tm_error *error)
{
    tm_tile_layer *tiles = &layer->as.tiles;
    const uint32_t tile_size = tm_game_layer(layer->kind)->element_size;
    void *bytes;
    TM_TRY(check_grid(layer, error));
    if (!tiles->tiles && tiles->width && tiles->height) {
        uint64_t size;
        TM_TRY(tmi_tiles_size(&size, tiles->width, tiles->height, tile_size, error));
        TM_TRY(tmi_block_new(&tiles->tiles, map, tmi_encoding_of(layer->kind), NULL, size, error));
    }
    TM_TRY(tm_map_edit_data(&bytes, NULL, map, tiles->tiles, error));
    *out = (tm_edit_grid){bytes, tiles->width, tiles->height, tile_size, (size_t)tiles->width * tile_size};
    return TM_OK;
}

static tm_status find_tiles(tm_layer **out, tm_map *map, uint32_t group, uint32_t layer, tm_error *error)
{
    TM_TRY(tmi_find_layer(out, map, group, layer, error));
    return check_tiles(*out, error);
}

tm_status tm_map_edit_tiles(tm_edit_grid *out, tm_map *map, uint32_t group, uint32_t layer, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_layer *target;
    memset(out, 0, sizeof(*out));
    TM_TRY(find_tiles(&target, map, group, layer, error));
    return edit_tiles(map, target, out, error);
}

/* --------------------------------------------------------------------------------------------- rectangles */

static tm_rect part_inside(const tm_layer *layer, const tm_rect *rect)
{
    return tmi_rect_common(rect, &(tm_rect){0, 0, layer->as.tiles.width, layer->as.tiles.height});
}

/* Checks the bytes from one of the caller's rows to the next; 0 becomes those of a row without a gap. */
static tm_status complete_stride(size_t *stride, uint32_t w, uint32_t h, uint32_t tile_size, tm_error *error)
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

static void *grid_tile_at(const tm_edit_grid *grid, int32_t x, int32_t y)
{
    return (char *)grid->tiles + (size_t)y * grid->row_stride + (size_t)x * grid->tile_size;
}

/* The offset of the first tile of `part` in the caller's tiles of `rect`. */
static size_t offset_in(const tm_rect *rect, const tm_rect *part, size_t row_stride, size_t tile_size)
{
    return (size_t)((int64_t)part->y - rect->y) * row_stride +
           (size_t)((int64_t)part->x - rect->x) * tile_size;
}

tm_status tm_map_read_tiles(const tm_map *map, const tm_layer *layer, const tm_rect *rect, void *tiles,
                            size_t row_stride, tm_error *error)
{
    tm_grid grid;
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(rect, "rect", error));
    if (!layer)
        return TM_OK;
    if (!tmi_rect_is_empty(rect))
        TM_TRY(tmi_need(tiles, "tiles", error));
    const uint32_t tile_size = tm_game_layer(layer->kind)->element_size;
    TM_TRY(check_tiles(layer, error));
    TM_TRY(complete_stride(&row_stride, rect->width, rect->height, tile_size, error));
    TM_TRY(tm_map_tiles(&grid, map, layer, error));
    for (size_t row = 0; rect->width && row < rect->height; row++)
        memset((char *)tiles + row * row_stride, 0, (size_t)rect->width * tile_size);
    const tm_rect part = part_inside(layer, rect);
    if (tmi_rect_is_empty(&part) || !grid.tiles)
        return TM_OK;
    const char *source =
        (const char *)grid.tiles + (size_t)part.y * grid.row_stride + (size_t)part.x * tile_size;
    char *out = (char *)tiles + offset_in(rect, &part, row_stride, tile_size);
    for (uint32_t row = 0; row < part.height; row++, source += grid.row_stride, out += row_stride)
        memcpy(out, source, (size_t)part.width * tile_size);
    return TM_OK;
}

tm_status tm_map_write_tiles(tm_map *map, uint32_t group, uint32_t layer, const tm_rect *rect,
                             const void *tiles, size_t row_stride, tm_error *error)
{
    tm_layer *target;
    tm_edit_grid grid;
    TM_TRY(find_tiles(&target, map, group, layer, error));
    TM_TRY(tmi_need(rect, "rect", error));
    if (!tmi_rect_is_empty(rect))
        TM_TRY(tmi_need(tiles, "tiles", error));
    const uint32_t tile_size = tm_game_layer(target->kind)->element_size;
    TM_TRY(complete_stride(&row_stride, rect->width, rect->height, tile_size, error));
    const tm_rect part = part_inside(target, rect);
    if (tmi_rect_is_empty(&part))
        return TM_OK;
    TM_TRY(edit_tiles(map, target, &grid, error));
    const char *source = (const char *)tiles + offset_in(rect, &part, row_stride, tile_size);
    for (int32_t row = 0; row < (int32_t)part.height; row++, source += row_stride)
        memmove(grid_tile_at(&grid, part.x, part.y + row), source, (size_t)part.width * tile_size);
    return TM_OK;
}

tm_status tm_map_fill_tiles(tm_map *map, uint32_t group, uint32_t layer, const tm_rect *rect,
                            const void *tile, tm_error *error)
{
    tm_layer *target;
    tm_edit_grid grid;
    unsigned char one[8]; /* a copy, since the tile may stand in the rectangle */
    TM_TRY(find_tiles(&target, map, group, layer, error));
    TM_TRY(tmi_need(rect, "rect", error));
    if (!tmi_rect_is_empty(rect))
        TM_TRY(tmi_need(tile, "tile", error));
    const uint32_t tile_size = tm_game_layer(target->kind)->element_size;
    TMI_ASSERT(tile_size <= sizeof(one));
    const tm_rect part = part_inside(target, rect);
    if (tmi_rect_is_empty(&part))
        return TM_OK;
    memcpy(one, tile, tile_size);
    TM_TRY(edit_tiles(map, target, &grid, error));
    for (int32_t column = 0; column < (int32_t)part.width; column++)
        memcpy(grid_tile_at(&grid, part.x + column, part.y), one, tile_size);
    for (int32_t row = 1; row < (int32_t)part.height; row++)
        memcpy(grid_tile_at(&grid, part.x, part.y + row), grid_tile_at(&grid, part.x, part.y),
               (size_t)part.width * tile_size);
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------------- runs */

/* In long runs many tiles are compared at once. */
const uint8_t *tmi_run_end(const uint8_t *tile, const uint8_t *end, size_t size)
{
    enum { LONG = 8, STRIDE = 32 };
    const uint8_t *near_end = (size_t)(end - tile) < LONG * size ? end : tile + LONG * size,
                  *next = tile + size;
    const size_t stride = STRIDE * size;
    while (next < near_end && tmi_same_element(next - size, next, size))
        next += size;
    if (next < near_end)
        return next;
    while ((size_t)(end - next) >= stride && memcmp(next - size, next, stride) == 0)
        next += stride;
    while (next < end && tmi_same_element(next - size, next, size))
        next += size;
    return next;
}

/* ----------------------------------------------------------------------------------------------- resizing */

tm_status tmi_block_resized(tm_block **out, tm_map *map, const tm_block *block, const tmi_resizing *resizing,
                            size_t tile_size, tm_error *error)
{
    uint64_t size;
    tmi_borrowed old;
    *out = NULL;
    if (!block)
        return TM_OK;
    /* Files have layers without tiles; which new sizes there may be is asked by the callers. */
    size = 0;
    if (resizing->width && resizing->height)
        TM_TRY(tmi_tiles_size(&size, resizing->width, resizing->height, tile_size, error));
    TM_TRY(tmi_borrowed_open(&old, map, block, error));
    const tm_status status = tmi_block_new(out, map, block->view, NULL, size, error);
    /* Seen from the old grid, the new one lies at (-dx, -dy); in 64 bits, as -INT32_MIN is no int32_t. */
    const int64_t left = -(int64_t)resizing->dx, top = -(int64_t)resizing->dy;
    if (status == TM_OK && left <= INT32_MAX && top <= INT32_MAX) {
        const tm_rect whole = {(int32_t)left, (int32_t)top, resizing->width, resizing->height};
        const tm_rect part =
            tmi_rect_common(&whole, &(tm_rect){0, 0, resizing->old_width, resizing->old_height});
        const size_t row_size = (size_t)part.width * tile_size, stride = (size_t)resizing->width * tile_size;
        size_t to = offset_in(&whole, &part, stride, tile_size);
        for (uint32_t row = 0; row < part.height; row++, to += stride) {
            const uint64_t from =
                (((uint64_t)part.y + row) * resizing->old_width + (uint64_t)part.x) * tile_size;
            /* tiles beyond the old block, which may be short, stay zero */
            if (from <= old.size && row_size <= old.size - from)
                memcpy((char *)tmi_block_own(*out) + to, (const char *)old.bytes + from, row_size);
        }
    }
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
    TM_TRY(check_grid(target, error));
    tm_tile_layer *tiles = &target->as.tiles;
    const uint32_t tile_size = tm_game_layer(target->kind)->element_size;
    TM_TRY(tmi_tiles_size(&size, width, height, tile_size, error));
    const tmi_resizing resizing = {tiles->width, tiles->height, width, height, dx, dy};
    if (width == resizing.old_width && height == resizing.old_height && dx == 0 && dy == 0)
        return TM_OK;
    TM_TRY(tmi_block_resized(&block, map, tiles->tiles, &resizing, tile_size, error));
    tm_status status = tmi_block_resized(&compat, map, tiles->compat, &resizing, sizeof(tm_tile), error);
    if (status != TM_OK) {
        tmi_block_free(map, block);
        return status;
    }
    if (block)
        tmi_block_inherit(block, tiles->tiles, tiles->width, tiles->height);
    tmi_block_put(map, &tiles->tiles, block);
    tmi_block_put(map, &tiles->compat, compat);
    tiles->width = width;
    tiles->height = height;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ numbers */

tm_status tm_map_numbers(uint64_t counts[256], const tm_map *map, tm_tile_number pool, tm_error *error)
{
    tm_layer_walk walk = {0};
    TM_TRY(tmi_need(counts, "counts", error));
    memset(counts, 0, 256 * sizeof(*counts));
    TM_TRY(tmi_need(map, "map", error));
    if (!tm_number_pool_name(pool))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "pool is %u, which is none of tiles with numbers",
                        (unsigned)pool);
    while (tm_map_next_layer(map, &walk)) {
        const tm_layer_info *info = tm_game_layer(walk.layer->kind);
        tmi_borrowed loan;
        tm_grid grid;
        bool counted[256];
        if (info->number_at == TM_NONE)
            continue;
        const tm_status status = tmi_borrowed_grid(&loan, &grid, map, walk.layer, error);
        if (status)
            return tmi_fail_at_address(error, status, map,
                                       (tm_address){TM_KIND_LAYER, walk.group, walk.index});
        for (int i = 0; i < 256; i++)
            counted[i] = tmi_tile_pool(walk.layer->kind, (uint8_t)i) == pool;
        const size_t num = grid.tiles ? (size_t)grid.width * grid.height : 0;
        const uint8_t *tile = grid.tiles;
        for (size_t i = 0; i < num; i++, tile += grid.tile_size)
            if (counted[tile[info->index_at]])
                counts[tile[info->number_at]]++;
        tmi_borrowed_close(&loan);
    }
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------- other sizes */

/*
 * Layers that are turned, moved or scaled get a new grid. The new block remembers the block of the file that
 * it replaces, so that a layer which becomes as it was can have that again, as it is packed there.
 *
 * Makes the array for Teeworlds. *out NULL: there is none, or the old one stays, as it is empty and fits.
 */
static tm_status new_compat(tm_block **out, tm_map *map, const tm_block *compat, uint64_t size,
                            tm_error *error)
{
    tmi_borrowed loan;
    *out = NULL;
    if (!compat)
        return TM_OK;
    if (compat->size == size) {
        TM_TRY(tmi_borrowed_open(&loan, map, compat, error));
        const bool stays = tmi_all_zero(loan.bytes, (size_t)loan.size);
        tmi_borrowed_close(&loan);
        if (stays)
            return TM_OK;
    }
    return tmi_block_new(out, map, compat->view, NULL, size, error);
}

static void put_grid(tm_map *map, tm_layer *layer, tm_block *block, tm_block *compat)
{
    tm_tile_layer *tiles = &layer->as.tiles;
    tmi_block_inherit(block, tiles->tiles, tiles->width, tiles->height);
    tmi_block_put(map, &tiles->tiles, block);
    if (compat)
        tmi_block_put(map, &tiles->compat, compat);
}

tm_status tmi_map_regrid(tm_map *map, tm_layer *layer, const uint32_t size[2], tmi_regrid_fill *fill,
                         void *ctx, tm_error *error)
{
    tm_tile_layer *tiles = &layer->as.tiles;
    const uint32_t tile_size = tm_game_layer(layer->kind)->element_size;
    tm_block *block = NULL, *compat = NULL;
    uint64_t num_bytes, compat_bytes;
    tmi_borrowed loan;
    tm_grid old_grid;
    TM_TRY(tmi_tiles_size(&num_bytes, size[0], size[1], tile_size, error));
    TM_TRY(tmi_tiles_size(&compat_bytes, size[0], size[1], sizeof(tm_tile), error));
    if (tiles->tiles) {
        TM_TRY(tmi_borrowed_grid(&loan, &old_grid, map, layer, error));
        tm_status status = new_compat(&compat, map, tiles->compat, compat_bytes, error);
        if (!status)
            status = tmi_block_new(&block, map, tiles->tiles->view, NULL, num_bytes, error);
        if (!status) {
            const tm_edit_grid new_grid = {tmi_block_own(block), size[0], size[1], tile_size,
                                           (size_t)size[0] * tile_size};
            fill(ctx, &old_grid, &new_grid);
        }
        tmi_borrowed_close(&loan);
        if (status) {
            tmi_block_free(map, block);
            tmi_block_free(map, compat);
            return status;
        }
        put_grid(map, layer, block, compat);
    }
    tiles->width = size[0];
    tiles->height = size[1];
    return TM_OK;
}

static void fill_in_order(void *ctx, const tm_grid *source, const tm_edit_grid *target)
{
    const size_t have = (size_t)source->width * source->height * source->tile_size;
    const size_t want = (size_t)target->width * target->height * target->tile_size;
    (void)ctx;
    if (have)
        memcpy(target->tiles, source->tiles, have < want ? have : want);
}

/*
 * Fills a new block with the first bytes of a packed one; false if they have to be asked for in another way.
 */
static bool fill_with_head(tm_block *out, const tm_block *block)
{
    size_t num = (size_t)out->size;
    return !tmi_block_head(block, tmi_block_own(out), &num, NULL) && num == out->size;
}

/*
 * Layers may share half a gigabyte of which each keeps a little: the rest is not unpacked for each of them.
 */
tm_status tmi_map_rewrap(tm_map *map, tm_layer *layer, const uint32_t size[2], tm_error *error)
{
    tm_tile_layer *tiles = &layer->as.tiles;
    tm_block *block = NULL, *compat = NULL;
    uint64_t num_bytes, compat_bytes;
    TM_TRY(tmi_tiles_size(&num_bytes, size[0], size[1], tm_game_layer(layer->kind)->element_size, error));
    TM_TRY(tmi_tiles_size(&compat_bytes, size[0], size[1], sizeof(tm_tile), error));
    if (!tiles->tiles || tiles->tiles->view == TMI_ENCODING_RUNS || tmi_block_held(tiles->tiles) ||
        num_bytes >= tiles->tiles->size)
        return tmi_map_regrid(map, layer, size, fill_in_order, NULL, error);
    TM_TRY(tmi_block_new(&block, map, tiles->tiles->view, NULL, num_bytes, error));
    if (!fill_with_head(block, tiles->tiles)) { /* it is damaged, which the other way tells */
        tmi_block_free(map, block);
        return tmi_map_regrid(map, layer, size, fill_in_order, NULL, error);
    }
    const tm_status status = new_compat(&compat, map, tiles->compat, compat_bytes, error);
    if (status) {
        tmi_block_free(map, block);
        return status;
    }
    put_grid(map, layer, block, compat);
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

tm_status tmi_map_ungrow(tm_map *map, tm_layer *layer, tm_error *error)
{
    tm_grid grid;
    tm_block *home;
    tmi_borrowed loan;
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
    /* The original block must have the tiles at the start of the grid, and be readable. */
    bool done = tmi_borrowed_open(&loan, map, home, NULL) == TM_OK;
    if (done) {
        const size_t row = (size_t)width * grid.tile_size;
        for (uint32_t y = 0; done && y < height; y++)
            done = memcmp((const char *)grid.tiles + y * grid.row_stride, (const char *)loan.bytes + y * row,
                          row) == 0;
        tmi_borrowed_close(&loan);
    }
    tmi_block_free(map, done ? tiles->tiles : home);
    if (done) {
        tiles->tiles = home;
        tiles->width = width;
        tiles->height = height;
    }
    return TM_OK;
}
