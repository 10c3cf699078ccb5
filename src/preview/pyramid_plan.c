/* SPDX-License-Identifier: Zlib */
/*
 * pyramid_plan.c - the frame shared by all pyramids of a map (the grid of cells and the number of levels),
 * and which cells to draw, found without drawing. On the last level, a cell exists if a tile layer has a tile
 * in it that is not air, or if the bounding box of a quad touches it; on the others, if one of the four cells
 * below it exists. It knows how layers are placed in a flat picture, but no pixels.
 */
#include "preview.h"

#include <math.h>

/* Cells of the last level, and tiles and cells that planning a map may look at: some seconds. */
#define MAX_CELLS ((double)(1 << 24))
#define MAX_LOOKS ((uint64_t)1 << 34)

/* -------------------------------------------------------------------------------------------------- frame */

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

/* The pixel of a cell at which a line of the world, in map tiles, crosses it. */
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

/* ------------------------------------------------------------------------------------------------- levels */

static void free_cells(tm_pyramid_level *level, const tm_allocator *allocator)
{
    tmi_free(allocator, level->cells, level->width, level->height);
    *level = (tm_pyramid_level){0};
}

/* Cuts empty rows and columns off the edges of a level. On failure the level is as before. */
static tm_status pyramid_level_trim(tm_pyramid_level *level, const tm_allocator *allocator, tm_error *error)
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
    TM_TRY(
        tmi_reserve_zeroed(&rest.cells, allocator, rest.width, rest.height, "the cells of a pyramid", error));
    for (uint32_t j = 0; j < rest.height; j++)
        memcpy(rest.cells + (size_t)j * rest.width,
               level->cells + ((size_t)used.y + j) * level->width + used.x, rest.width);
    free_cells(level, allocator);
    *level = rest;
    return TM_OK;
}

/* Makes the next coarser level: a cell exists if one of the four below it does. */
static tm_status pyramid_level_above(tm_pyramid_level *above, const tm_pyramid_level *below,
                                     const tm_allocator *allocator, tm_error *error)
{
    *above = (tm_pyramid_level){0};
    if (below->width == 0)
        return TM_OK;
    above->left = (int32_t)tmi_floor_div(below->left, 2);
    above->top = (int32_t)tmi_floor_div(below->top, 2);
    above->width = (uint32_t)(tmi_ceil_div((int64_t)below->left + below->width, 2) - above->left);
    above->height = (uint32_t)(tmi_ceil_div((int64_t)below->top + below->height, 2) - above->top);
    TM_TRY(tmi_reserve_zeroed(&above->cells, allocator, above->width, above->height, "the cells of a pyramid",
                              error));
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

/* --------------------------------------------------------------------------------------------------- plan */

/*
 * The approximate costs of drawing, counted as in docs/render.md: a pixel of a tile and of a quad, a tile of
 * a physics layer with its number, arrow and border, a row of a quad, a quad that a cell shows, one that it
 * does not show, a layer that is air in a cell; and the cost of packing a pixel.
 */
enum {
    PIXEL_COST = 2,
    ENTITY_COST = 64,
    TEXEL_COST = 8,
    ROW_COST = 32,
    SHOWN_COST = 200,
    QUAD_COST = 48,
    AIR_COST = 100,
    PACK_COST = 2
};

/* The planning of one pyramid. */
typedef struct planning {
    tm_pyramid_frame *frame;
    tm_pyramid_level cells;   /* of the last level */
    int64_t size;             /* px of a cell */
    int64_t x, y;             /* what is added to a place in the picture to get the group's, px */
    int64_t slack_x, slack_y; /* px by which rounding may move a tile's edge, on any level */
    double time;
    uint64_t num_quads, tile_layers;
    uint64_t tile_cells; /* cells with tiles, each layer by itself */
    uint64_t entities;   /* tiles of physics layers that are not air; one that two cells show counts twice */
    double touched;      /* cells that quads touch, each quad by itself */
    double quad_work;    /* on the pixels and rows of quads */
} planning;

static tm_status spend_looks(planning *p, uint64_t looks, tm_error *error)
{
    if (looks > p->frame->looks)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the map has too many layers for so many tiles");
    p->frame->looks -= looks;
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- tiles */

typedef struct tile_range {
    size_t first, last;
} tile_range;

/*
 * The tiles of a layer that a cell shows: `from` to `end` in px of the group, with what rounding may move. A
 * layer goes on forever, with the tiles of its border.
 */
static tile_range tiles_between(int64_t from, int64_t end, uint32_t num)
{
    const int64_t last = (int64_t)num - 1;
    return (tile_range){(size_t)tmi_clamp(tmi_floor_div(from, TM_TILE_PX), 0, last),
                        (size_t)tmi_clamp(tmi_ceil_div(end, TM_TILE_PX) - 1, 0, last)};
}

/* How many tiles of the range are not air; `index_at` is the place of the index in a tile. */
static uint64_t count_tiles(const tm_grid *grid, size_t index_at, tile_range x, tile_range y)
{
    uint64_t num = 0;
    for (size_t j = y.first; j <= y.last; j++) {
        const uint8_t *index =
            (const uint8_t *)grid->tiles + j * grid->row_stride + x.first * grid->tile_size + index_at;
        for (size_t i = x.first; i <= x.last; i++, index += grid->tile_size)
            num += *index != 0;
    }
    return num;
}

/* Marks the cells that show a tile which is not air. Borrows the tiles: the layer does not stay unpacked. */
static tm_status mark_tiles(planning *p, const tm_layer *layer, tm_error *error)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    tm_grid grid;
    tmi_borrowed loan;
    tm_error failure;
    tm_status status = tmi_borrowed_grid(&loan, &grid, p->frame->map, layer, &failure);
    const bool some = !status && grid.tiles && grid.width && grid.height;
    p->tile_layers++;
    for (uint32_t j = 0; some && !status && j < p->cells.height; j++) {
        const int64_t top = (p->cells.top + (int64_t)j) * p->size + p->y;
        const tile_range y = tiles_between(top - p->slack_y, top + p->size + p->slack_y, grid.height);
        uint8_t *cells = p->cells.cells + (size_t)j * p->cells.width;
        for (uint32_t i = 0; i < p->cells.width && !status; i++) {
            const int64_t left = (p->cells.left + (int64_t)i) * p->size + p->x;
            const tile_range x = tiles_between(left - p->slack_x, left + p->size + p->slack_x, grid.width);
            status = spend_looks(p, 1 + (uint64_t)(x.last - x.first + 1) * (y.last - y.first + 1), &failure);
            const uint64_t num = status ? 0 : count_tiles(&grid, (size_t)info->index_at, x, y);
            cells[i] |= num > 0;
            p->tile_cells += num > 0;
            p->entities += info->is_physics ? num : 0;
        }
    }
    tmi_borrowed_close(&loan);
    return tmi_past_damage(status, &failure, error); /* damage was reported when the map was prepared */
}

/* -------------------------------------------------------------------------------------------------- quads */

/* The cell of a coordinate, clamped to 0..num. */
static uint32_t cell_at(double px, int64_t size, int32_t left, uint32_t num)
{
    const double cell = px / (double)size - left;
    return !(cell > 0) ? 0 : cell >= num ? num : (uint32_t)cell;
}

/*
 * Quads are counted by their corners: +1 and -1 at the ends of their rows, at the top and below the bottom;
 * sums along both ways then give how many touch a cell, whatever their size is. `counts` has one more column
 * and row than there are cells.
 */
static void count_quad(int32_t *counts, planning *p, const tmi_box *box)
{
    const tm_pyramid_level *cells = &p->cells;
    const size_t stride = (size_t)cells->width + 1;
    const double slack = 1 + (double)p->slack_x, x = (double)p->x, y = (double)p->y, size = (double)p->size;
    const uint32_t left = cell_at(box->left - x - slack, p->size, cells->left, cells->width),
                   top = cell_at(box->top - y - slack, p->size, cells->top, cells->height),
                   right = cell_at(box->right - x + slack + size, p->size, cells->left, cells->width),
                   bottom = cell_at(box->bottom - y + slack + size, p->size, cells->top, cells->height);
    counts[top * stride + left]++;
    counts[top * stride + right]--;
    counts[bottom * stride + left]--;
    counts[bottom * stride + right]++;
    const double across = right - left, down = bottom - top; /* cells */
    const double width = (box->right - box->left) * p->frame->scale,
                 height = (box->bottom - box->top) * p->frame->scale;
    const double pixels_x = fmin(width, across * TM_PYRAMID_SIDE),
                 pixels_y = fmin(height, down * TM_PYRAMID_SIDE);
    p->quad_work += pixels_y * (pixels_x * TEXEL_COST + across * ROW_COST);
}

static tm_status mark_these_quads(planning *p, const tm_quad *quads, uint32_t num, tm_error *error)
{
    const tm_map *map = p->frame->map;
    const tm_allocator *allocator = tmi_map_allocator(map);
    const size_t stride = (size_t)p->cells.width + 1, num_counts = stride * ((size_t)p->cells.height + 1);
    TM_TRY(spend_looks(p, (uint64_t)num_counts + num, error));
    int32_t *counts;
    TM_TRY(tmi_reserve_zeroed(&counts, allocator, num_counts, sizeof(*counts), "a count of quads", error));
    for (uint32_t i = 0; i < num; i++) {
        const tm_quad *quad = &quads[i];
        const tm_envelope *envelope = tm_map_envelope(map, quad->position_envelope);
        double values[4] = {0, 0, 0, 0}, far = 0;
        if (envelope)
            tm_envelope_evaluate(envelope, p->time + quad->position_offset, 3, values);
        /* A rotated quad may be anywhere around its pivot: a little more than the distance of the corner. */
        for (int k = 0; k < 4 && values[2] != 0; k++)
            far = fmax(far, fabs(tmi_px(quad->points[k].x) - tmi_px(quad->points[4].x)) +
                                fabs(tmi_px(quad->points[k].y) - tmi_px(quad->points[4].y)));
        const tm_vector moved = {values[0], values[1]};
        const tmi_box box = tmi_box_of_quad(quad, far, moved, moved);
        count_quad(counts, p, &box);
    }
    for (uint32_t j = 0; j < p->cells.height; j++) {
        int32_t *row = counts + j * stride, sum = 0;
        for (uint32_t i = 0; i < p->cells.width; i++) {
            sum += row[i];
            row[i] = sum + (j ? row[i - stride] : 0);
            p->cells.cells[(size_t)j * p->cells.width + i] |= row[i] > 0;
            p->touched += row[i];
        }
    }
    tmi_free(allocator, counts, num_counts, sizeof(*counts));
    return TM_OK;
}

static tm_status mark_quads(planning *p, const tm_layer *layer, tm_error *error)
{
    const uint32_t num = layer->as.quads.num_quads;
    tmi_borrowed loan;
    tm_error failure;
    tm_status status = tmi_borrowed_open(&loan, p->frame->map, layer->as.quads.quads, &failure);
    p->num_quads += num;
    if (!status && loan.bytes)
        status = mark_these_quads(p, loan.bytes, num, &failure);
    tmi_borrowed_close(&loan);
    return tmi_past_damage(status, &failure, error);
}

/* ------------------------------------------------------------------------------------------------- groups */

bool tm_pyramid_is_clipped(const tm_map *map, uint32_t group)
{
    if (!map || group >= map->num_groups)
        return false;
    return map->groups[group].use_clipping && !tm_map_is_game_group(map, group);
}

bool tm_pyramid_keeps_clip(const tm_map *map, uint32_t group)
{
    if (!map || group >= map->num_groups)
        return false;
    const tm_group *map_group = &map->groups[group];
    return tm_pyramid_is_clipped(map, group) && map_group->parallax_x == 100 && map_group->parallax_y == 100;
}

static void narrow_cells(int32_t *first, uint32_t *num, int64_t from, int64_t end)
{
    const int64_t last = (int64_t)*first + *num;
    from = from < *first ? *first : from;
    end = end > last ? last : end;
    *num = end > from ? (uint32_t)(end - from) : 0;
    *first = end > from ? (int32_t)from : *first;
}

/*
 * Places a group: a flat picture moves it by its offset alone, and that of the game layer not at all. Plans
 * the cells of the last level that the map, its border and the clip may touch, without memory yet.
 */
static void place_group(planning *p, uint32_t number)
{
    const tm_map *map = p->frame->map;
    const tm_group *group = &map->groups[number];
    const int64_t slack = 1 + (((int64_t)1 << p->frame->num_levels) >> 8);
    const int64_t right = ((int64_t)p->frame->width + TM_PYRAMID_BORDER_X) * TM_TILE_PX;
    const int64_t bottom = ((int64_t)p->frame->height + TM_PYRAMID_BORDER_Y) * TM_TILE_PX;
    /* whole px, since a tile of the map is at most as large as a cell */
    const int64_t size = (int64_t)(TM_PYRAMID_SIDE / p->frame->scale);
    p->size = size;
    p->cells.left = (int32_t)tmi_floor_div((int64_t)-TM_PYRAMID_BORDER_X * TM_TILE_PX, size);
    p->cells.top = (int32_t)tmi_floor_div((int64_t)-TM_PYRAMID_BORDER_Y * TM_TILE_PX, size);
    p->cells.width = (uint32_t)(tmi_ceil_div(right, size) - p->cells.left);
    p->cells.height = (uint32_t)(tmi_ceil_div(bottom, size) - p->cells.top);
    if (!tm_map_is_game_group(map, number)) {
        p->x = group->offset_x;
        p->y = group->offset_y;
    }
    p->slack_x = p->x % TM_TILE_PX ? slack : 0;
    p->slack_y = p->y % TM_TILE_PX ? slack : 0;
    if (tm_pyramid_keeps_clip(map, number)) {
        /* on any level: on the first one half a pixel is many px */
        const int64_t half = size * ((int64_t)1 << p->frame->num_levels) / TM_PYRAMID_SIDE;
        const int64_t x = group->clip_x, y = group->clip_y;
        narrow_cells(&p->cells.left, &p->cells.width, tmi_floor_div(x - half, size),
                     tmi_ceil_div(x + group->clip_w + half, size));
        narrow_cells(&p->cells.top, &p->cells.height, tmi_floor_div(y - half, size),
                     tmi_ceil_div(y + group->clip_h + half, size));
    }
}

/* --------------------------------------------------------------------------------------------------- plan */

static tm_status plan_levels(tm_pyramid *out, planning *p, const tm_group *group, const float *opacities,
                             tm_error *error)
{
    const uint32_t last = p->frame->num_levels - 1;
    TM_TRY(tmi_reserve_zeroed(&p->cells.cells, out->allocator, p->cells.width, p->cells.height,
                              "the cells of a pyramid", error));
    tm_status status = TM_OK;
    for (uint32_t i = 0; i < group->num_layers && !status; i++) {
        const tm_layer *layer = &group->layers[i];
        if (opacities && !(opacities[i] > 0))
            continue;
        if (tm_game_layer(layer->kind)->is_tiles)
            status = mark_tiles(p, layer, error);
        else if (layer->kind == TM_LAYER_QUADS)
            status = mark_quads(p, layer, error);
    }
    if (!status)
        status = pyramid_level_trim(&p->cells, out->allocator, error);
    out->levels[last] = p->cells;
    for (uint32_t l = last; !status && l > 0; l--)
        status = pyramid_level_above(&out->levels[l - 1], &out->levels[l], out->allocator, error);
    return status;
}

tm_status tm_pyramid_plan(tm_pyramid *out, tm_pyramid_frame *frame, uint32_t group, const float *opacities,
                          double time, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    const double area = (double)TM_PYRAMID_SIDE * TM_PYRAMID_SIDE;
    const double all_levels = 4.0 / 3; /* of the last one */
    planning p = {.frame = frame, .time = time};
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_need(frame, "frame", error));
    if (group >= frame->map->num_groups)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no group %u; the map has %u", (unsigned)group,
                        (unsigned)frame->map->num_groups);
    out->allocator = tmi_map_allocator(frame->map);
    place_group(&p, group);
    const tm_status status = plan_levels(out, &p, &frame->map->groups[group], opacities, error);
    if (status) {
        tm_pyramid_release(out);
        return status;
    }
    const double num_cells = (double)tm_pyramid_count(out), num_quads = (double)p.num_quads;
    double entities = 0, pixels = (double)p.tile_cells * area;
    for (uint32_t level = 0; level < frame->num_levels; level++, pixels /= 4)
        entities +=
            fmin((double)p.entities, pixels); /* on the small levels a pixel shows one of many tiles */
    out->cost =
        num_cells * ((double)p.tile_layers * AIR_COST + num_quads * QUAD_COST + area * PACK_COST) +
        ((double)p.tile_cells * area * PIXEL_COST + p.quad_work + p.touched * SHOWN_COST) * all_levels +
        entities * ENTITY_COST;
    return TM_OK;
}
