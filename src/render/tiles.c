/* SPDX-License-Identifier: Zlib */
/*
 * Tile layers (section 4). Tiles stand straight on the screen, so everything about a pixel's place in its
 * tile depends on its column or its row alone: both are worked out once for a block of the picture, and for
 * each way that a tile can be turned. Then the block is walked tile by tile. Outside of the layer its border
 * tiles go on for ever.
 */
#include "cells.h"
#include "render.h"

#include <math.h>

enum {
    TILE_PX = 32,
    BLOCK = 2048 /* pixels; bounds the memory, whatever the picture's size */
};

/* Neighbouring pixels of one tile. */
typedef struct span {
    uint32_t first, num; /* from the start of the block */
    double tile;         /* from the start of the layer; outside of it below 0 or beyond its end */
} span;

/* pixel = (world - left) * scale - origin */
typedef struct ruler {
    double left, scale, origin;
} ruler;

/* The columns or rows of a block. */
typedef struct axis {
    ruler at;
    uint32_t num_spans;
    span spans[BLOCK];
    tmi_tap taps[2][2][BLOCK]; /* straight and turned tiles, straight and flipped */
    bool square;               /* turned tiles read as straight ones do */
} axis;

/* A layer on its way to the picture. */
typedef struct brush {
    const tmi_chain *chain; /* NULL: one color */
    tmi_lod lod;
    tmi_rgba factor;
    bool solid;      /* the factor leaves opaque texels opaque */
    bool multiplied; /* colors are multiplied by their alpha: the look of Teeworlds 0.7 */
    tmi_draw_cell *draw;
    tmi_rgba *mixed[2];
    const tmi_cover *cover; /* NULL: nothing is known */
    uint32_t order;
} brush;

typedef struct work {
    axis across, down;
    tmi_rgba mixed[];
} work;

/* --------------------------------------------------------------------------------------------------- axes */

static ruler ruler_across(const tmi_screen *screen)
{
    return (ruler){screen->left, screen->scale_x, screen->origin_x};
}

static ruler ruler_down(const tmi_screen *screen)
{
    return (ruler){screen->top, screen->scale_y, screen->origin_y};
}

/* First pixel of a tile: its edge on the rasteriser's grid decides, not a floor of the world. */
static int64_t tile_start(const ruler *along, double tile)
{
    return tmi_first_pixel(tmi_snap((tile * TILE_PX - along->left) * along->scale)) - (int64_t)along->origin;
}

static void set_tap(tmi_tap *out, size_t level, double u, uint32_t side)
{
    const double x = u * side + 0.5; /* texels count from 1 and have their centres at halves */
    const uint32_t at = (uint32_t)x;
    out->at[level] = at;
    out->weights[2 * level + 1] = (float)(x - at);
    out->weights[2 * level] = 1 - out->weights[2 * level + 1];
}

/* What a pixel reads at `u` (0..1) of a tile. `mix` gives the levels their weights. */
static void set_taps(tmi_tap *straight, tmi_tap *flipped, double u, const uint32_t *sides, tmi_lod lod,
                     bool mix)
{
    set_tap(straight, 0, u, sides[lod.level]);
    set_tap(straight, 1, u, sides[lod.next]);
    set_tap(flipped, 0, 1 - u, sides[lod.level]);
    set_tap(flipped, 1, 1 - u, sides[lod.next]);
    for (int k = 0; mix && k < 4; k++) {
        const float weight = k < 2 ? 1 - lod.weight : lod.weight;
        straight->weights[k] *= weight;
        flipped->weights[k] *= weight;
    }
}

static double world_at(const ruler *along, int64_t pixel)
{
    return along->left + ((double)pixel + along->origin + 0.5) / along->scale;
}

/* The tile that a pixel shows. */
static double tile_at(const ruler *along, int64_t pixel)
{
    const double tile = floor(world_at(along, pixel) / TILE_PX);
    return tile_start(along, tile) > pixel        ? tile - 1
           : tile_start(along, tile + 1) <= pixel ? tile + 1
                                                  : tile;
}

static void fill_spans(axis *along, int64_t first, uint32_t num)
{
    int64_t end = INT64_MIN;
    along->num_spans = 0;
    for (uint32_t i = 0; i < num; i++) {
        if (first + i >= end) {
            const double tile = tile_at(&along->at, first + i);
            end = tile_start(&along->at, tile + 1);
            if (i == 0 || along->spans[along->num_spans - 1].tile != tile)
                along->spans[along->num_spans++] = (span){i, 0, tile};
        }
        along->spans[along->num_spans - 1].num++;
    }
}

/* Works out the pixels [first, first + num). */
static void fill_axis(axis *along, int64_t first, uint32_t num, const brush *with, bool is_across)
{
    fill_spans(along, first, num);
    if (!with->chain)
        return;
    const uint32_t *sides[2];
    sides[!is_across] = with->chain->widths;
    sides[is_across] = with->chain->heights;
    along->square = sides[0][with->lod.level] == sides[1][with->lod.level] &&
                    sides[0][with->lod.next] == sides[1][with->lod.next];
    for (uint32_t s = 0; s < along->num_spans; s++) {
        const span *at = &along->spans[s];
        for (uint32_t i = at->first; i < at->first + at->num; i++) {
            double u = world_at(&along->at, first + i) / TILE_PX - at->tile;
            u = u < 0 ? 0 : u > 1 ? 1 : u;
            for (int turned = 0; turned < (along->square ? 1 : 2); turned++)
                set_taps(&along->taps[turned][0][i], &along->taps[turned][1][i], u, sides[turned], with->lod,
                         is_across);
        }
    }
}

static const tmi_tap *taps_of(const axis *along, bool turned, bool flip)
{
    return along->taps[turned && !along->square][flip];
}

/* -------------------------------------------------------------------------------------------------- tiles */

static tmi_face face_of(const tmi_chain *chain, uint32_t slice, uint32_t level, bool turned)
{
    const uint32_t w = chain->widths[level], h = chain->heights[level];
    const uint8_t *texels = tmi_slice(chain, slice, level);
    return turned ? (tmi_face){texels, h, w, (size_t)w * 4, 4} : (tmi_face){texels, w, h, 4, (size_t)w * 4};
}

/* Whether nothing below a tile can be seen through it. */
static bool covers(const brush *with, tm_tile tile)
{
    if (tile.index == 0 || !with->solid)
        return false;
    return !with->chain || with->chain->kinds[tile.index] == TMI_SLICE_OPAQUE ||
           (with->multiplied && tile.flags & TM_TILE_OPAQUE &&
            with->chain->kinds[tile.index] != TMI_SLICE_CLEAR);
}

static void draw_tile(const brush *with, tm_tile tile, const work *at, const span *columns, const span *rows,
                      uint8_t *to, size_t row_stride)
{
    const bool x = tile.flags & TM_TILE_FLIP_X, y = tile.flags & TM_TILE_FLIP_Y,
               turned = tile.flags & TM_TILE_ROTATE;
    if (with->chain->kinds[tile.index] == TMI_SLICE_CLEAR)
        return;
    /* flips first, then a quarter clockwise: seen from the screen, u runs along rows and v against columns */
    const tmi_cell cell = {.to = to,
                           .row_stride = row_stride,
                           .columns = taps_of(&at->across, turned, turned ? !y : x) + columns->first,
                           .rows = taps_of(&at->down, turned, turned ? x : y) + rows->first,
                           .num_columns = columns->num,
                           .num_rows = rows->num,
                           .faces = {face_of(with->chain, tile.index, with->lod.level, turned),
                                     face_of(with->chain, tile.index, with->lod.next, turned)},
                           .two = with->lod.weight > 0,
                           .opaque = covers(with, tile),
                           .multiplied = with->multiplied,
                           .factor = with->factor,
                           .mixed = {with->mixed[0], with->mixed[1]}};
    with->draw(&cell);
}

static size_t inside(double tile, uint32_t num)
{
    return tile < 0 ? 0 : tile >= num ? num - 1 : (size_t)tile;
}

static tm_tile tile_of(const tm_grid *grid, double x, double y)
{
    return ((const tm_tile *)grid->tiles)[inside(y, grid->height) * grid->width + inside(x, grid->width)];
}

/* One block of the picture; `to` is its first pixel. */
static void draw_block(const brush *with, const tm_grid *grid, const work *at, uint8_t *to, size_t row_stride)
{
    const tmi_rgba white = {255, 255, 255, 255};
    for (uint32_t j = 0; j < at->down.num_spans; j++) {
        const span *rows = &at->down.spans[j];
        uint8_t *row = to + rows->first * row_stride;
        for (uint32_t i = 0; i < at->across.num_spans; i++) {
            const span *columns = &at->across.spans[i];
            const tm_tile tile = tile_of(grid, columns->tile, rows->tile);
            if (tile.index == 0 ||
                (with->cover && tmi_is_covered(with->cover, columns->tile, rows->tile, with->order)))
                continue;
            if (with->chain)
                draw_tile(with, tile, at, columns, rows, row + 4 * (size_t)columns->first, row_stride);
            else
                tmi_fill_cell(row + 4 * (size_t)columns->first, row_stride, columns->num, rows->num,
                              white * with->factor, with->multiplied);
        }
    }
}

static uint32_t block_size(int64_t from, int64_t end)
{
    return end - from < BLOCK ? (uint32_t)(end - from) : BLOCK;
}

static void draw_blocks(const brush *with, const tm_grid *grid, work *at, const tmi_target *target)
{
    for (int64_t x = target->clip_left; x < target->clip_right; x += BLOCK) {
        fill_axis(&at->across, x, block_size(x, target->clip_right), with, true);
        for (int64_t y = target->clip_top; y < target->clip_bottom; y += BLOCK) {
            fill_axis(&at->down, y, block_size(y, target->clip_bottom), with, false);
            draw_block(with, grid, at,
                       target->pixels + (size_t)(y - target->first_row) * target->row_stride + (size_t)x * 4,
                       target->row_stride);
        }
    }
}

/* Room to mix the rows of both levels in, turned or not. */
static size_t num_mixed(const brush *with)
{
    const tmi_chain *chain = with->chain;
    if (!chain)
        return 0;
    const uint32_t w = chain->widths[with->lod.level], h = chain->heights[with->lod.level];
    return (size_t)(w > h ? w : h) + 2;
}

static tm_status draw_grid(const tm_renderer *renderer, const tm_grid *grid, brush *with,
                           const tmi_screen *screen, const tmi_target *target, tm_error *error)
{
    const size_t mixed = num_mixed(with), size = sizeof(work) + 2 * mixed * sizeof(tmi_rgba);
    work *at = tmi_alloc(renderer->allocator, 1, size);
    if (!at)
        return tmi_fail_memory(error, size, "the columns of a picture");
    at->across.at = ruler_across(screen);
    at->down.at = ruler_down(screen);
    with->mixed[0] = at->mixed;
    with->mixed[1] = at->mixed + mixed;
    draw_blocks(with, grid, at, target);
    tmi_free(renderer->allocator, at, 1, size);
    return TM_OK;
}

/* How a layer is drawn, and its tiles: none (NULL) if there is nothing to draw. */
static tm_status set_brush(brush *with, tm_grid *grid, const tm_renderer *renderer, const tm_layer *layer,
                           const tmi_screen *screen, tmi_shown shown, tm_error *error)
{
    const tm_tile_layer *tiles = &layer->as.tiles;
    const tmi_picture *picture = tiles->image == TM_NONE ? NULL : &renderer->pictures[tiles->image];
    *with = (brush){.factor = tmi_color_factor(renderer, tiles->color, tiles->color_envelope,
                                               tiles->color_envelope_offset, shown),
                    .draw = renderer->draw_cell,
                    .multiplied = renderer->options.look == TM_LOOK_TEEWORLDS07};
    *grid = (tm_grid){.tiles = NULL};
    if ((picture && picture->state == TMI_PICTURE_NONE) || with->factor[3] <= 0)
        return TM_OK;
    const tm_status status = tm_map_tiles(renderer->map, layer, grid, error);
    if (status == TM_ERROR_DAMAGED || grid->width == 0 || grid->height == 0)
        grid->tiles = NULL;
    if (status != TM_OK)
        return status == TM_ERROR_DAMAGED ? TM_OK : status; /* damage was said when the map was prepared */
    with->solid = with->factor[3] >= 1;
    if (with->multiplied)
        with->factor = tmi_multiplied(with->factor);
    if (picture && picture->state == TMI_PICTURE_THERE) {
        const tmi_chain *chain = &picture->tiles;
        const double texels_x = chain->widths[0] / (TILE_PX * screen->scale_x),
                     texels_y = chain->heights[0] / (TILE_PX * screen->scale_y);
        with->chain = chain;
        if (!with->multiplied) /* there tiles have no levels */
            with->lod = tmi_lod_of(chain, texels_x > texels_y ? texels_x : texels_y);
    }
    return TM_OK;
}

tm_status tmi_draw_tiles(const tm_renderer *renderer, const tm_layer *layer, const tmi_screen *screen,
                         const tmi_target *target, tmi_shown shown, tm_error *error)
{
    tm_grid grid;
    brush with;
    TM_TRY(set_brush(&with, &grid, renderer, layer, screen, shown, error));
    if (!grid.tiles)
        return TM_OK;
    if (!tmi_spend(target->allowance, (uint64_t)((target->clip_right - target->clip_left) *
                                                 (target->clip_bottom - target->clip_top))))
        return tmi_over_limit(error);
    with.cover = target->cover;
    with.order = target->order;
    return draw_grid(renderer, &grid, &with, screen, target, error);
}

tm_status tmi_cover_tiles(tmi_cover *cover, const tm_renderer *renderer, const tm_layer *layer,
                          uint32_t order, tmi_shown shown, tm_error *error)
{
    tm_grid grid;
    brush with;
    TM_TRY(set_brush(&with, &grid, renderer, layer, &cover->screen, shown, error));
    for (uint32_t y = 0; grid.tiles && with.solid && y < cover->height; y++)
        for (uint32_t x = 0; x < cover->width; x++)
            if (covers(&with, tile_of(&grid, cover->left + x, cover->top + y)))
                cover->last[(size_t)y * cover->width + x] = order;
    return TM_OK;
}

void tmi_cover_place(tmi_cover *cover, const tmi_target *target)
{
    const ruler across = ruler_across(&cover->screen), down = ruler_down(&cover->screen);
    cover->left = tile_at(&across, target->clip_left);
    cover->top = tile_at(&down, target->clip_top);
    cover->width = (uint32_t)(tile_at(&across, target->clip_right - 1) - cover->left + 1);
    cover->height = (uint32_t)(tile_at(&down, target->clip_bottom - 1) - cover->top + 1);
}
