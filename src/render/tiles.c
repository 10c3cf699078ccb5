/* SPDX-License-Identifier: Zlib */
/*
 * Tile layers (section 4). Tiles stand straight on the screen, so everything about a pixel's place in its tile depends on its column or
 * its row alone: both are worked out once for a block of the picture, and for each way that a tile can be turned. Then the block is walked tile by
 * tile. Outside of the layer its border tiles go on for ever.
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
    uint32_t tile;       /* inside the layer */
} span;

/* The columns or rows of a block. */
typedef struct axis {
    double left, scale, origin; /* pixel = (world - left) * scale - origin */
    uint32_t num_tiles;
    uint32_t num_spans;
    span spans[BLOCK];
    tmi_tap taps[2][2][BLOCK]; /* straight and turned tiles, straight and flipped */
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
} brush;

typedef struct work {
    axis across, down;
    tmi_rgba mixed[];
} work;

/* -------------------------------------------------------------------------------------------------------------- axes */

/* First pixel of a tile: its edge on the rasteriser's grid decides, not a floor of the world. */
static int64_t tile_start(const axis *along, double tile)
{
    return tmi_first_pixel(tmi_snap((tile * TILE_PX - along->left) * along->scale)) - (int64_t)along->origin;
}

static void set_tap(tmi_tap *out, int level, double u, uint32_t side)
{
    const double x = u * side + 0.5; /* texels count from 1 and have their centres at halves */
    const uint32_t at = (uint32_t)x;
    out->at[level] = at;
    out->weights[2 * level + 1] = (float)(x - at);
    out->weights[2 * level] = 1 - out->weights[2 * level + 1];
}

/* What pixel reads at `u` (0..1) of a tile. `mix` gives the levels their weights. */
static void set_taps(axis *along, uint32_t pixel, double u, const brush *with, const uint32_t *sides[2],
                     bool mix)
{
    for (int turned = 0; turned < 2; turned++) {
        for (int flip = 0; flip < 2; flip++) {
            tmi_tap *tap = &along->taps[turned][flip][pixel];
            set_tap(tap, 0, flip ? 1 - u : u, sides[turned][with->lod.level]);
            set_tap(tap, 1, flip ? 1 - u : u, sides[turned][with->lod.next]);
            for (int k = 0; mix && k < 4; k++)
                tap->weights[k] *= k < 2 ? 1 - with->lod.weight : with->lod.weight;
        }
    }
}

/* Works out the pixels [first, first + num). */
static void fill_axis(axis *along, int64_t first, uint32_t num, const brush *with, bool is_across)
{
    const uint32_t *sides[2] = {NULL, NULL};
    const double last = (double)along->num_tiles - 1;
    double before = 0;
    if (with->chain) {
        sides[!is_across] = with->chain->widths;
        sides[is_across] = with->chain->heights;
    }
    along->num_spans = 0;
    for (uint32_t i = 0; i < num; i++) {
        const double world = along->left + ((double)(first + i) + along->origin + 0.5) / along->scale;
        double tile = floor(world / TILE_PX);
        if (tile_start(along, tile) > first + i)
            tile -= 1;
        else if (tile_start(along, tile + 1) <= first + i)
            tile += 1;
        if (i == 0 || tile != before)
            along->spans[along->num_spans++] = (span){i, 0,
                                                      (uint32_t)(tile < 0      ? 0
                                                                 : tile > last ? last
                                                                               : tile)};
        along->spans[along->num_spans - 1].num++;
        before = tile;
        const double u = world / TILE_PX - tile;
        if (with->chain)
            set_taps(along, i, u < 0 ? 0 : u > 1 ? 1 : u, with, sides, is_across);
    }
}

/* ------------------------------------------------------------------------------------------------------------- tiles */

static tmi_face face_of(const tmi_chain *chain, uint32_t slice, uint32_t level, bool turned)
{
    const uint32_t w = chain->widths[level], h = chain->heights[level];
    const uint8_t *texels = tmi_slice(chain, slice, level);
    return turned ? (tmi_face){texels, h, w, (size_t)w * 4, 4} : (tmi_face){texels, w, h, 4, (size_t)w * 4};
}

static void draw_tile(const brush *with, tm_tile tile, const work *at, const span *columns, const span *rows,
                      uint8_t *to, size_t row_stride)
{
    const bool x = tile.flags & TM_TILE_FLIP_X, y = tile.flags & TM_TILE_FLIP_Y,
               turned = tile.flags & TM_TILE_ROTATE;
    const uint8_t kind = with->chain->kinds[tile.index];
    if (kind == TMI_SLICE_CLEAR)
        return;
    /* flips first, then a quarter clockwise: seen from the screen, u runs along rows and v against columns */
    const tmi_cell cell = {.to = to,
                           .row_stride = row_stride,
                           .columns = at->across.taps[turned][turned ? !y : x] + columns->first,
                           .rows = at->down.taps[turned][turned ? x : y] + rows->first,
                           .num_columns = columns->num,
                           .num_rows = rows->num,
                           .faces = {face_of(with->chain, tile.index, with->lod.level, turned),
                                     face_of(with->chain, tile.index, with->lod.next, turned)},
                           .two = with->lod.weight > 0,
                           .opaque = with->solid && (kind == TMI_SLICE_OPAQUE ||
                                                     (with->multiplied && tile.flags & TM_TILE_OPAQUE)),
                           .multiplied = with->multiplied,
                           .factor = with->factor,
                           .mixed = {with->mixed[0], with->mixed[1]}};
    with->draw(&cell);
}

/* One block of the picture; `to` is its first pixel. */
static void draw_block(const brush *with, const tm_grid *grid, const work *at, uint8_t *to, size_t row_stride)
{
    const tmi_rgba white = {255, 255, 255, 255};
    for (uint32_t j = 0; j < at->down.num_spans; j++) {
        const span *rows = &at->down.spans[j];
        const tm_tile *tiles = (const tm_tile *)grid->tiles + (size_t)rows->tile * grid->width;
        uint8_t *row = to + rows->first * row_stride;
        for (uint32_t i = 0; i < at->across.num_spans; i++) {
            const span *columns = &at->across.spans[i];
            const tm_tile tile = tiles[columns->tile];
            if (tile.index == 0)
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
    at->across.left = screen->left, at->across.scale = screen->scale_x, at->across.origin = screen->origin_x;
    at->down.left = screen->top, at->down.scale = screen->scale_y, at->down.origin = screen->origin_y;
    at->across.num_tiles = grid->width, at->down.num_tiles = grid->height;
    with->mixed[0] = at->mixed;
    with->mixed[1] = at->mixed + mixed;
    draw_blocks(with, grid, at, target);
    tmi_free(renderer->allocator, at, 1, size);
    return TM_OK;
}

tm_status tmi_draw_tiles(const tm_renderer *renderer, const tm_layer *layer, const tmi_screen *screen,
                         const tmi_target *target, double time, tm_error *error)
{
    const tm_tile_layer *tiles = &layer->as.tiles;
    const tmi_picture *picture = tiles->image == TM_NONE ? NULL : &renderer->pictures[tiles->image];
    tm_grid grid;
    brush with = {.factor = tmi_color_factor(renderer, tiles->color, tiles->color_envelope,
                                             tiles->color_envelope_offset, time),
                  .draw = renderer->draw_cell};
    if ((picture && picture->state == TMI_PICTURE_NONE) || with.factor[3] <= 0)
        return TM_OK;
    const tm_status status = tm_map_tiles(renderer->map, layer, &grid, error);
    if (status == TM_ERROR_DAMAGED)
        return TM_OK; /* said when the map was prepared */
    TM_TRY(status);
    if (!grid.tiles || grid.width == 0 || grid.height == 0)
        return TM_OK;
    if (!tmi_spend(target->allowance, (uint64_t)((target->clip_right - target->clip_left) *
                                                 (target->clip_bottom - target->clip_top))))
        return tmi_over_limit(error);
    with.multiplied = renderer->options.look == TM_LOOK_TEEWORLDS07;
    with.solid = with.factor[3] >= 1;
    if (with.multiplied)
        with.factor = tmi_multiplied(with.factor);
    if (picture && picture->state == TMI_PICTURE_THERE) {
        const tmi_chain *chain = &picture->tiles;
        const double texels_x = chain->widths[0] / (TILE_PX * screen->scale_x),
                     texels_y = chain->heights[0] / (TILE_PX * screen->scale_y);
        with.chain = chain;
        if (!with.multiplied) /* there tiles have no levels */
            with.lod = tmi_lod_of(chain, texels_x > texels_y ? texels_x : texels_y);
    }
    return draw_grid(renderer, &grid, &with, screen, target, error);
}
