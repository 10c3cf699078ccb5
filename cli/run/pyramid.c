/* SPDX-License-Identifier: Zlib */
/*
 * pyramid.c - finds out what there is to draw before anything is drawn. On the last level a cell is there
 * when a tile layer has a tile in it that is not air, or when a quad's bounding box touches it; on the others,
 * when one of the four cells below it is. Knows how layers stand in a flat picture, and nothing of pixels.
 */
#include "pyramid.h"

#include "picture.h"
#include "output/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cells of the last level, and tiles and cells that planning a map may look at: some seconds. */
#define MAX_CELLS ((double)(1 << 24))
#define MAX_LOOKS ((uint64_t)1 << 34)

/* What a quad costs the renderer on a tile that shows nothing of it, in pixels. */
enum { QUAD_COST = 16 };

static tm_status too_large(tm_error *error, const char *what)
{
    *error = (tm_error){.code = TM_ERROR_LIMIT, .offset = -1};
    snprintf(error->text, sizeof(error->text), "%s; a smaller --scale needs fewer", what);
    return TM_ERROR_LIMIT;
}

/* -------------------------------------------------------------------------------------------------- frame */

/* px of the world in a cell of the last level: whole ones, since a map tile is at most as large as a cell. */
static int64_t cell_size(const pyramid_frame *frame)
{
    return (int64_t)(PYRAMID_SIDE / frame->scale);
}

/* For b > 0. */
static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return -floor_div(-a, b);
}

/* The cells that the map and its border touch, none of them there. */
static pyramid_level all_cells(const pyramid_frame *frame)
{
    const int64_t size = cell_size(frame);
    const int64_t right = ((int64_t)frame->width + PYRAMID_BORDER_X) * TM_TILE_PX;
    const int64_t bottom = ((int64_t)frame->height + PYRAMID_BORDER_Y) * TM_TILE_PX;
    pyramid_level all = {.left = (int32_t)floor_div((int64_t)-PYRAMID_BORDER_X * TM_TILE_PX, size),
                         .top = (int32_t)floor_div((int64_t)-PYRAMID_BORDER_Y * TM_TILE_PX, size)};
    all.width = (uint32_t)(ceil_div(right, size) - all.left);
    all.height = (uint32_t)(ceil_div(bottom, size) - all.top);
    return all;
}

tm_status pyramid_frame_set(pyramid_frame *frame, const tm_map *map, uint32_t pixels, tm_error *error)
{
    *frame = (pyramid_frame){.map = map, .scale = (double)pixels / TM_TILE_PX, .looks = MAX_LOOKS};
    picture_map_area(map, &frame->width, &frame->height);
    if (frame->width <= 0 || frame->height <= 0)
        return picture_refuse(error, "there is nothing to show: the map has no tile layer");
    const double width = (frame->width + 2 * PYRAMID_BORDER_X) * pixels,
                 height = (frame->height + 2 * PYRAMID_BORDER_Y) * pixels;
    if (width / PYRAMID_SIDE * (height / PYRAMID_SIDE) > MAX_CELLS)
        return too_large(error, "the map has room for more than 16 million tiles");
    uint64_t side = PYRAMID_SIDE;
    for (frame->num_levels = 1; (double)side < width || (double)side < height; side *= 2)
        frame->num_levels++;
    return TM_OK;
}

double pyramid_scale(const pyramid_frame *frame, uint32_t level)
{
    return frame->scale / (double)((uint64_t)1 << (frame->num_levels - 1 - level));
}

/* Where a line of the world, in map tiles, crosses a tile of the pyramid. */
static uint32_t pixel_of(double line, double scale, int32_t tile)
{
    const double pixel = line * TM_TILE_PX * scale - (double)tile * PYRAMID_SIDE + 0.5;
    return pixel < 0 ? 0 : pixel > PYRAMID_SIDE ? PYRAMID_SIDE : (uint32_t)pixel;
}

pyramid_rectangle pyramid_pixels(const pyramid_frame *frame, double scale, int32_t x, int32_t y)
{
    return (pyramid_rectangle){pixel_of(-PYRAMID_BORDER_X, scale, x), pixel_of(-PYRAMID_BORDER_Y, scale, y),
                               pixel_of(frame->width + PYRAMID_BORDER_X, scale, x),
                               pixel_of(frame->height + PYRAMID_BORDER_Y, scale, y)};
}

/* ------------------------------------------------------------------------------------------------- layers */

typedef struct range {
    size_t first, last;
} range;

/*
 * The tiles of a layer that a cell shows: `from` to `end` in px of the group, with what rounding may move. A
 * layer goes on for ever, with the tiles of its border.
 */
static range tiles_between(int64_t from, int64_t end, uint32_t num)
{
    const int64_t first = floor_div(from, TM_TILE_PX), last = ceil_div(end, TM_TILE_PX) - 1;
    const int64_t most = (int64_t)num - 1;
    return (range){(size_t)(first < 0      ? 0
                            : first > most ? most
                                           : first),
                   (size_t)(last < 0      ? 0
                            : last > most ? most
                                          : last)};
}

/* The byte of a tile that is 0 when there is nothing. */
static size_t kind_byte(tm_layer_kind kind)
{
    switch (kind) {
    case TM_LAYER_SPEEDUP: return offsetof(tm_speedup_tile, type);
    case TM_LAYER_TELE: return offsetof(tm_tele_tile, type);
    case TM_LAYER_SWITCH: return offsetof(tm_switch_tile, type);
    case TM_LAYER_TUNE: return offsetof(tm_tune_tile, type);
    default: return 0;
    }
}

static bool any_tile(const tm_grid *grid, size_t at, range x, range y)
{
    for (size_t j = y.first; j <= y.last; j++) {
        const uint8_t *tile =
            (const uint8_t *)grid->tiles + j * grid->row_stride + x.first * grid->tile_size + at;
        unsigned any = 0;
        for (size_t i = x.first; i <= x.last; i++, tile += grid->tile_size)
            any |= *tile;
        if (any)
            return true;
    }
    return false;
}

typedef struct placing {
    int64_t size;     /* px of a cell */
    int64_t x, y;     /* what is added to a place in the picture to get the group's, px */
    int64_t slack[2]; /* px by which rounding may move a tile's edge, on any level */
} placing;

static tm_status mark_tiles(pyramid_level *cells, pyramid_frame *frame, const tm_layer *layer,
                            const placing *at, tm_error *error)
{
    tm_grid grid;
    const tm_status status = tm_map_tiles(frame->map, layer, &grid, error);
    if (status == TM_ERROR_DAMAGED || (!status && (!grid.tiles || !grid.width || !grid.height)))
        return TM_OK; /* damage was said when the map was prepared */
    if (status)
        return status;
    const size_t byte = kind_byte(layer->kind);
    for (uint32_t j = 0; j < cells->height; j++) {
        const int64_t top = (cells->top + (int64_t)j) * at->size + at->y;
        const range y = tiles_between(top - at->slack[1], top + at->size + at->slack[1], grid.height);
        for (uint32_t i = 0; i < cells->width; i++) {
            uint8_t *there = &cells->there[(size_t)j * cells->width + i];
            const int64_t left = (cells->left + (int64_t)i) * at->size + at->x;
            const range x = tiles_between(left - at->slack[0], left + at->size + at->slack[0], grid.width);
            const uint64_t looks = 1 + (uint64_t)(x.last - x.first + 1) * (y.last - y.first + 1);
            if (*there)
                continue;
            if (looks > frame->looks)
                return too_large(error, "the map has too many layers for so many tiles");
            frame->looks -= looks;
            *there = any_tile(&grid, byte, x, y);
        }
    }
    return TM_OK;
}

/* Where a quad may be, in px: a quad that is turned is somewhere around its pivot. */
static void quad_bounds(double bounds[4], const tm_map *map, const tm_quad *quad, double time)
{
    const tm_envelope *envelope = tm_map_envelope(map, quad->position_envelope);
    const double px = (double)quad->points[4].x / TM_FX, py = (double)quad->points[4].y / TM_FX;
    double values[4] = {0, 0, 0, 0}, far = 0;
    if (envelope)
        tm_envelope_evaluate(envelope, time + quad->position_offset, 3, values);
    bounds[0] = bounds[1] = 1e15;
    bounds[2] = bounds[3] = -1e15;
    for (int k = 0; k < 4; k++) {
        const double x = (double)quad->points[k].x / TM_FX, y = (double)quad->points[k].y / TM_FX;
        const double distance = (x < px ? px - x : x - px) + (y < py ? py - y : y - py);
        bounds[0] = x < bounds[0] ? x : bounds[0];
        bounds[1] = y < bounds[1] ? y : bounds[1];
        bounds[2] = x > bounds[2] ? x : bounds[2];
        bounds[3] = y > bounds[3] ? y : bounds[3];
        far = distance > far ? distance : far;
    }
    if (values[2] != 0) {
        bounds[0] = px - far;
        bounds[1] = py - far;
        bounds[2] = px + far;
        bounds[3] = py + far;
    }
    for (int k = 0; k < 4; k++)
        bounds[k] += values[k & 1];
}

/* The cell of a coordinate, moved into 0..num. */
static uint32_t cell_of(double px, int64_t size, int32_t left, uint32_t num)
{
    const double cell = px / (double)size - left;
    return !(cell > 0) ? 0 : cell >= num ? num : (uint32_t)cell;
}

/*
 * Quads are counted by their corners: +1 and -1 at the ends of their rows, at the top and below the bottom;
 * sums along both ways then give how many touch a cell, whatever their size is. `counts` has one more column
 * and row than there are cells.
 */
static void count_quad(int32_t *counts, const pyramid_level *cells, const double bounds[4], const placing *at)
{
    const size_t stride = (size_t)cells->width + 1;
    const double slack = 1 + (double)at->slack[0];
    const uint32_t left = cell_of(bounds[0] - (double)at->x - slack, at->size, cells->left, cells->width),
                   top = cell_of(bounds[1] - (double)at->y - slack, at->size, cells->top, cells->height),
                   right = cell_of(bounds[2] - (double)at->x + slack + (double)at->size, at->size,
                                   cells->left, cells->width),
                   bottom = cell_of(bounds[3] - (double)at->y + slack + (double)at->size, at->size,
                                    cells->top, cells->height);
    counts[top * stride + left]++;
    counts[top * stride + right]--;
    counts[bottom * stride + left]--;
    counts[bottom * stride + right]++;
}

/* Returns how many cells the quads touch, each quad by itself. */
static double mark_counted(pyramid_level *cells, int32_t *counts)
{
    const size_t stride = (size_t)cells->width + 1;
    double touched = 0;
    for (uint32_t j = 0; j < cells->height; j++) {
        int32_t *row = counts + j * stride, sum = 0;
        for (uint32_t i = 0; i < cells->width; i++) {
            sum += row[i];
            row[i] = sum + (j ? row[i - stride] : 0);
            cells->there[(size_t)j * cells->width + i] |= row[i] > 0;
            touched += row[i];
        }
    }
    return touched;
}

static tm_status mark_quads(pyramid_level *cells, pyramid_frame *frame, const tm_layer *layer,
                            const placing *at, double time, double *touched, tm_error *error)
{
    const void *bytes;
    const tm_status status = tm_map_data(frame->map, layer->as.quads.quads, &bytes, NULL, error);
    if (status || !bytes)
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    const size_t num_counts = ((size_t)cells->width + 1) * ((size_t)cells->height + 1);
    if (num_counts + layer->as.quads.num_quads > frame->looks)
        return too_large(error, "the map has too many layers for so many tiles");
    frame->looks -= num_counts + layer->as.quads.num_quads;
    const tm_quad *quads = bytes;
    int32_t *counts = must_alloc(num_counts, sizeof(*counts));
    for (uint32_t i = 0; i < layer->as.quads.num_quads; i++) {
        double bounds[4];
        quad_bounds(bounds, frame->map, &quads[i], time);
        count_quad(counts, cells, bounds, at);
    }
    *touched += mark_counted(cells, counts);
    free(counts);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- levels */

/* Cuts the empty edges off. */
static void trim(pyramid_level *cells)
{
    uint32_t left = cells->width, right = 0, top = cells->height, bottom = 0;
    for (uint32_t j = 0; j < cells->height; j++) {
        for (uint32_t i = 0; i < cells->width; i++) {
            if (cells->there[(size_t)j * cells->width + i]) {
                left = i < left ? i : left;
                right = i >= right ? i + 1 : right;
                top = j < top ? j : top;
                bottom = j + 1;
            }
        }
    }
    if (right == 0) {
        cells->width = cells->height = 0;
        return;
    }
    for (uint32_t j = top; j < bottom; j++) {
        memmove(cells->there + (size_t)(j - top) * (right - left),
                cells->there + (size_t)j * cells->width + left, right - left);
    }
    cells->left += (int32_t)left;
    cells->top += (int32_t)top;
    cells->width = right - left;
    cells->height = bottom - top;
    cells->there = must_resize(cells->there, (size_t)cells->width * cells->height, 1);
}

static pyramid_level level_above(const pyramid_level *below)
{
    pyramid_level above = {.left = (int32_t)floor_div(below->left, 2),
                           .top = (int32_t)floor_div(below->top, 2)};
    if (below->width == 0)
        return (pyramid_level){0};
    above.width = (uint32_t)(ceil_div((int64_t)below->left + below->width, 2) - above.left);
    above.height = (uint32_t)(ceil_div((int64_t)below->top + below->height, 2) - above.top);
    above.there = must_alloc((size_t)above.width * above.height, 1);
    for (uint32_t j = 0; j < below->height; j++) {
        const size_t y = (size_t)(floor_div(below->top + (int64_t)j, 2) - above.top);
        for (uint32_t i = 0; i < below->width; i++) {
            const size_t x = (size_t)(floor_div(below->left + (int64_t)i, 2) - above.left);
            above.there[y * above.width + x] |= below->there[(size_t)j * below->width + i];
        }
    }
    return above;
}

uint64_t pyramid_count(const pyramid *of)
{
    uint64_t num = 0;
    for (uint32_t l = 0; l < PYRAMID_LEVELS; l++) {
        const pyramid_level *level = &of->levels[l];
        for (size_t i = 0; i < (size_t)level->width * level->height; i++)
            num += level->there[i];
    }
    return num;
}

void pyramid_release(pyramid *of)
{
    for (uint32_t l = 0; l < PYRAMID_LEVELS; l++)
        free(of->levels[l].there);
    *of = (pyramid){0};
}

/* --------------------------------------------------------------------------------------------------- plan */

bool pyramid_is_game_group(const tm_map *map, uint32_t group)
{
    uint32_t game;
    return tm_map_physics_layer(map, TM_LAYER_GAME, &game, NULL) && game == group;
}

bool pyramid_is_clipped(const tm_map *map, uint32_t group)
{
    return map->groups[group].use_clipping && !pyramid_is_game_group(map, group);
}

bool pyramid_keeps_clip(const tm_map *map, uint32_t group)
{
    const tm_group *of = &map->groups[group];
    return pyramid_is_clipped(map, group) && of->parallax_x == 100 && of->parallax_y == 100;
}

static void narrow(int32_t *first, uint32_t *num, int64_t from, int64_t end)
{
    const int64_t last = (int64_t)*first + *num;
    from = from < *first ? *first : from;
    end = end > last ? last : end;
    *num = end > from ? (uint32_t)(end - from) : 0;
    *first = end > from ? (int32_t)from : *first;
}

/* Leaves the cells that a clip may touch, on any level: on the first one half a pixel is many px. */
static void cut_to_clip(pyramid_level *cells, const pyramid_frame *frame, const tm_group *group)
{
    const int64_t size = cell_size(frame), slack = size * ((int64_t)1 << frame->num_levels) / PYRAMID_SIDE;
    const int64_t x = group->clip_x, y = group->clip_y;
    narrow(&cells->left, &cells->width, floor_div(x - slack, size),
           ceil_div(x + group->clip_w + slack, size));
    narrow(&cells->top, &cells->height, floor_div(y - slack, size),
           ceil_div(y + group->clip_h + slack, size));
}

/* A flat picture moves a group by its offset alone; the game layer's stands where it belongs. */
static placing place_group(const pyramid_frame *frame, uint32_t number)
{
    const tm_group *group = &frame->map->groups[number];
    placing at = {.size = cell_size(frame)};
    if (!pyramid_is_game_group(frame->map, number)) {
        at.x = group->offset_x;
        at.y = group->offset_y;
    }
    const int64_t slack = 1 + (((int64_t)1 << frame->num_levels) >> 8);
    at.slack[0] = at.x % TM_TILE_PX ? slack : 0;
    at.slack[1] = at.y % TM_TILE_PX ? slack : 0;
    return at;
}

tm_status pyramid_plan(pyramid *out, pyramid_frame *frame, uint32_t group, const float *opacities,
                       double time, tm_error *error)
{
    const tm_group *of = &frame->map->groups[group];
    const placing at = place_group(frame, group);
    pyramid_level cells = all_cells(frame);
    double tile_layers = 0, num_quads = 0, touched = 0;
    tm_status status = TM_OK;
    *out = (pyramid){.cost = 0};
    if (pyramid_keeps_clip(frame->map, group))
        cut_to_clip(&cells, frame, of);
    cells.there = must_alloc((size_t)cells.width * cells.height, 1);
    for (uint32_t l = 0; !status && l < of->num_layers; l++) {
        const tm_layer *layer = &of->layers[l];
        if (!(opacities[l] > 0))
            continue;
        if (tm_rules_layer(layer->kind)->is_tiles) {
            status = mark_tiles(&cells, frame, layer, &at, error);
            tile_layers++;
        } else if (layer->kind == TM_LAYER_QUADS) {
            status = mark_quads(&cells, frame, layer, &at, time, &touched, error);
            num_quads += layer->as.quads.num_quads;
        }
    }
    trim(&cells);
    out->levels[frame->num_levels - 1] = cells;
    for (uint32_t l = frame->num_levels - 1; l > 0; l--)
        out->levels[l - 1] = level_above(&out->levels[l]);
    const double area = (double)PYRAMID_SIDE * PYRAMID_SIDE;
    out->cost = (double)pyramid_count(out) * (tile_layers * area + num_quads * QUAD_COST) +
                (touched + num_quads * (frame->num_levels - 1)) * area;
    return status;
}
