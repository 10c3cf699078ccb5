/* SPDX-License-Identifier: Zlib */
/*
 * areas.c - rectangles of a map: the whole map, its non-empty part, and the camera that shows a rectangle
 * (docs/render.md, section 2). It does not know pixels.
 */
#include "preview.h"

#include <math.h>

/* --------------------------------------------------------------------------------------------- the camera */

/* The length of a picture's side in pixels; 0: it is too long. */
static uint32_t picture_side(double tiles, double scale)
{
    const double pixels = tiles * scale + 0.5;
    return pixels < 1 ? 1 : pixels < (double)TM_PICTURE_MAX_SIDE + 1 ? (uint32_t)pixels : 0;
}

tm_status tm_preview_fit_area(tm_camera *camera, const tm_preview_area *area, double tile_pixels,
                              tm_error *error)
{
    TM_TRY(tmi_need(camera, "camera", error));
    TM_TRY(tmi_need(area, "area", error));
    if (isnan(area->x) || isnan(area->y) || isnan(tile_pixels))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the area or tile_pixels is not a number");
    if (!(area->width > 0) || !(area->height > 0))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the area is empty, so there is nothing to show");
    const double across = camera->width / area->width, down = camera->height / area->height;
    const double scale = tile_pixels > 0 ? tile_pixels : across < down ? across : down;
    const uint32_t width = picture_side(area->width, scale), height = picture_side(area->height, scale);
    if (!width || !height)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the picture would have more than %u pixels a side",
                        (unsigned)TM_PICTURE_MAX_SIDE);
    camera->x = area->x * TM_TILE_PX;
    camera->y = area->y * TM_TILE_PX;
    camera->scale = scale / TM_TILE_PX;
    camera->width = width;
    camera->height = height;
    if (camera->kind == TM_CAMERA_VIEW)
        camera->kind = TM_CAMERA_ZOOMED;
    if (camera->kind == TM_CAMERA_ZOOMED) { /* as a player with a usual window sees the area */
        double view_width, view_height;
        tm_camera_view_size(&view_width, &view_height, 16, 9);
        camera->zoom = fmax(area->width * TM_TILE_PX / view_width, area->height * TM_TILE_PX / view_height);
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- areas */

tm_status tm_preview_map_bounds(tm_preview_area *out, const tm_map *map, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    uint32_t width, height;
    *out = (tm_preview_area){0, 0, 0, 0};
    TM_TRY(tmi_need(map, "map", error));
    tm_map_area(&width, &height, map);
    if (width == 0 || height == 0)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the map has no tile layer, so it has no size");
    *out = (tm_preview_area){0, 0, width, height};
    return TM_OK;
}

/* Whether `num` tiles have the same index; the first is at byte `first` of the grid, each other `step` on. */
static bool has_one_index(const tm_grid *grid, const tm_layer_info *info, size_t first, size_t step,
                          uint32_t num)
{
    const uint8_t *index = (const uint8_t *)grid->tiles + first + info->index_at;
    for (uint32_t i = 1; i < num; i++)
        if (index[i * step] != *index)
            return false;
    return true;
}

/* Widens the used part of a map by the used rows and columns of a layer. */
static void add_used(tm_rect *part, const tm_grid *grid, const tm_layer_info *info)
{
    const size_t size = grid->tile_size, stride = grid->row_stride;
    uint32_t left = 0, top = 0, right = grid->width, bottom = grid->height;
    while (top < bottom && has_one_index(grid, info, top * stride, size, grid->width))
        top++;
    if (top == bottom)
        return; /* nothing but plain rows */
    while (has_one_index(grid, info, (bottom - 1) * stride, size, grid->width))
        bottom--;
    while (left < right && has_one_index(grid, info, left * size, stride, grid->height))
        left++;
    if (left == right)
        return; /* stripes */
    while (has_one_index(grid, info, (right - 1) * size, stride, grid->height))
        right--;
    *part = tmi_rect_around(part, &(tm_rect){(int32_t)left, (int32_t)top, right - left, bottom - top});
}

static tm_status find_used(tm_rect *part, const tm_map *map, bool physics, tm_error *error)
{
    tm_layer_walk walk = {0};
    tmi_seen_layers seen = {{NULL}, 0};
    size_t place;
    *part = (tm_rect){0, 0, 0, 0};
    while (tm_map_next_layer(map, &walk)) {
        const tm_layer_info *info = tm_game_layer(walk.layer->kind);
        tm_grid grid;
        tm_error failure;
        tmi_borrowed loan;
        if (!info->is_tiles || info->is_physics != physics ||
            tmi_layer_was_seen(&place, &seen, walk.layer)) /* the same tiles widen nothing */
            continue;
        const tm_status status = tmi_borrowed_grid(&loan, &grid, map, walk.layer, &failure);
        if (!status && grid.tiles)
            add_used(part, &grid, info);
        tmi_borrowed_close(&loan);
        TM_TRY(tmi_past_damage(status, &failure, error));
    }
    return TM_OK;
}

tm_status tm_preview_content_bounds(tm_preview_area *out, const tm_map *map, tm_error *error)
{
    tm_rect part;
    TM_TRY(tm_preview_map_bounds(out, map, error));
    const tm_rect whole = {0, 0, (uint32_t)out->width, (uint32_t)out->height};
    tm_status status = find_used(&part, map, true, error);
    if (!status && tmi_rect_is_empty(&part))
        status = find_used(&part, map, false, error);
    if (status) {
        *out = (tm_preview_area){0, 0, 0, 0};
        return status;
    }
    if (tmi_rect_is_empty(&part))
        return TM_OK; /* the map is empty */
    /* one tile more: walls at the edge are seen as walls */
    part = (tm_rect){part.x - 1, part.y - 1, part.width + 2, part.height + 2};
    part = tmi_rect_common(&part, &whole);
    if (!tmi_rect_is_empty(&part)) /* larger layers may hold something beyond the map alone */
        *out = (tm_preview_area){part.x, part.y, part.width, part.height};
    return TM_OK;
}
