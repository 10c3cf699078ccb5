/* SPDX-License-Identifier: Zlib */
/*
 * pyramid.c - the frame shared by all pyramids of a map: the grid of cells and the number of levels; and the
 * levels of a pyramid, each derived from the one below it. It does not know layers.
 */
#include "pyramid.h"

/* Cells of the last level, and tiles and cells that planning a map may look at: some seconds. */
#define MAX_CELLS ((double)(1 << 24))
#define MAX_LOOKS ((uint64_t)1 << 34)

/* -------------------------------------------------------------------------------------------------- frame */

/* Whole px, since a map tile is at most as large as a cell. */
int64_t tmi_pyramid_cell_size(const tm_pyramid_frame *frame)
{
    return (int64_t)(TM_PYRAMID_SIDE / frame->scale);
}

tm_status tm_pyramid_frame_init(tm_pyramid_frame *frame, const tm_map *map, uint32_t tile_pixels,
                                tm_error *error)
{
    TM_TRY(tmi_need(frame, "frame", error));
    uint32_t tiles_x, tiles_y;
    memset(frame, 0, sizeof(*frame));
    TM_TRY(tmi_need(map, "map", error));
    if (tile_pixels == 0 || tile_pixels > TM_PYRAMID_SIDE || (tile_pixels & (tile_pixels - 1)))
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "tile_pixels is %u, allowed are powers of two from 1 to %d", (unsigned)tile_pixels,
                        TM_PYRAMID_SIDE);
    tm_map_area(&tiles_x, &tiles_y, map);
    if (tiles_x == 0 || tiles_y == 0)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is nothing to show: the map has no tile layer");
    const double width = ((double)tiles_x + 2 * TM_PYRAMID_BORDER_X) * tile_pixels,
                 height = ((double)tiles_y + 2 * TM_PYRAMID_BORDER_Y) * tile_pixels;
    if (width / TM_PYRAMID_SIDE * (height / TM_PYRAMID_SIDE) > MAX_CELLS)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the map has room for more than 16 million tiles");
    *frame = (tm_pyramid_frame){.map = map,
                                .width = tiles_x,
                                .height = tiles_y,
                                .scale = (double)tile_pixels / TM_TILE_PX,
                                .num_levels = 1,
                                .looks = MAX_LOOKS};
    uint64_t side = TM_PYRAMID_SIDE;
    for (; (double)side < width || (double)side < height; side *= 2)
        frame->num_levels++;
    return TM_OK;
}

double tmi_pyramid_scale(const tm_pyramid_frame *frame, uint32_t level)
{
    if (!frame)
        return 0;
    return frame->scale / (double)((uint64_t)1 << (frame->num_levels - 1 - level));
}

/* Where a line of the world, in map tiles, crosses a cell. */
static uint32_t pixel_of_line(double line, double scale, int32_t cell)
{
    const double pixel = line * TM_TILE_PX * scale - (double)cell * TM_PYRAMID_SIDE + 0.5;
    return pixel < 0 ? 0 : pixel > TM_PYRAMID_SIDE ? TM_PYRAMID_SIDE : (uint32_t)pixel;
}

tm_rect tmi_pyramid_cell_pixels(const tm_pyramid_frame *frame, uint32_t level, int32_t x, int32_t y)
{
    const double scale = tmi_pyramid_scale(frame, level);
    const uint32_t left = pixel_of_line(-TM_PYRAMID_BORDER_X, scale, x);
    const uint32_t top = pixel_of_line(-TM_PYRAMID_BORDER_Y, scale, y);
    return (tm_rect){(int32_t)left, (int32_t)top,
                     pixel_of_line(frame->width + TM_PYRAMID_BORDER_X, scale, x) - left,
                     pixel_of_line(frame->height + TM_PYRAMID_BORDER_Y, scale, y) - top};
}

tm_pyramid_level tmi_pyramid_all_cells(const tm_pyramid_frame *frame)
{
    const int64_t size = tmi_pyramid_cell_size(frame);
    const int64_t right = ((int64_t)frame->width + TM_PYRAMID_BORDER_X) * TM_TILE_PX;
    const int64_t bottom = ((int64_t)frame->height + TM_PYRAMID_BORDER_Y) * TM_TILE_PX;
    tm_pyramid_level all = {.left = (int32_t)tmi_floor_div((int64_t)-TM_PYRAMID_BORDER_X * TM_TILE_PX, size),
                            .top = (int32_t)tmi_floor_div((int64_t)-TM_PYRAMID_BORDER_Y * TM_TILE_PX, size)};
    all.width = (uint32_t)(tmi_ceil_div(right, size) - all.left);
    all.height = (uint32_t)(tmi_ceil_div(bottom, size) - all.top);
    return all;
}

/* ------------------------------------------------------------------------------------------------- levels */

tm_status tmi_pyramid_level_alloc(tm_pyramid_level *level, const tm_allocator *allocator, tm_error *error)
{
    level->cells = tmi_calloc(allocator, level->width, level->height);
    if (level->cells)
        return TM_OK;
    return tmi_fail_memory(error, (uint64_t)level->width * level->height, "the cells of a pyramid");
}

static void free_cells(tm_pyramid_level *level, const tm_allocator *allocator)
{
    tmi_free(allocator, level->cells, level->width, level->height);
    *level = (tm_pyramid_level){0};
}

tm_status tmi_pyramid_level_trim(tm_pyramid_level *level, const tm_allocator *allocator, tm_error *error)
{
    tm_rect used = {0, 0, 0, 0};
    for (uint32_t j = 0; j < level->height; j++)
        for (uint32_t i = 0; i < level->width; i++)
            if (level->cells[(size_t)j * level->width + i])
                used = tmi_rect_around(&used, &(tm_rect){(int32_t)i, (int32_t)j, 1, 1});
    tm_pyramid_level rest = {level->left + used.x, level->top + used.y, used.width, used.height, NULL};
    if (tmi_rect_is_empty(&used)) {
        free_cells(level, allocator);
        return TM_OK;
    }
    TM_TRY(tmi_pyramid_level_alloc(&rest, allocator, error));
    for (uint32_t j = 0; j < rest.height; j++)
        memcpy(rest.cells + (size_t)j * rest.width,
               level->cells + ((size_t)used.y + j) * level->width + used.x, rest.width);
    free_cells(level, allocator);
    *level = rest;
    return TM_OK;
}

tm_status tmi_pyramid_level_above(tm_pyramid_level *above, const tm_pyramid_level *below,
                                  const tm_allocator *allocator, tm_error *error)
{
    *above = (tm_pyramid_level){0};
    if (below->width == 0)
        return TM_OK;
    above->left = (int32_t)tmi_floor_div(below->left, 2);
    above->top = (int32_t)tmi_floor_div(below->top, 2);
    above->width = (uint32_t)(tmi_ceil_div((int64_t)below->left + below->width, 2) - above->left);
    above->height = (uint32_t)(tmi_ceil_div((int64_t)below->top + below->height, 2) - above->top);
    TM_TRY(tmi_pyramid_level_alloc(above, allocator, error));
    for (uint32_t j = 0; j < below->height; j++) {
        const size_t y = (size_t)(tmi_floor_div(below->top + (int64_t)j, 2) - above->top);
        for (uint32_t i = 0; i < below->width; i++) {
            const size_t x = (size_t)(tmi_floor_div(below->left + (int64_t)i, 2) - above->left);
            above->cells[y * above->width + x] |= below->cells[(size_t)j * below->width + i];
        }
    }
    return TM_OK;
}

uint64_t tm_pyramid_count(const tm_pyramid *pyramid)
{
    if (!pyramid)
        return 0;
    uint64_t num = 0;
    for (uint32_t l = 0; l < TM_PYRAMID_MAX_LEVELS; l++) {
        const tm_pyramid_level *level = &pyramid->levels[l];
        for (size_t i = 0; i < (size_t)level->width * level->height; i++)
            num += level->cells[i];
    }
    return num;
}

void tm_pyramid_release(tm_pyramid *pyramid)
{
    if (!pyramid)
        return;
    for (uint32_t l = 0; l < TM_PYRAMID_MAX_LEVELS; l++)
        free_cells(&pyramid->levels[l], pyramid->allocator);
    memset(pyramid, 0, sizeof(*pyramid));
}
