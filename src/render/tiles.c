/* SPDX-License-Identifier: Zlib */
/*
 * Tile layers (section 4). Tiles stand straight on the screen, so everything about a pixel's place in its tile depends on its column or
 * its row alone: both are worked out once, for each way that a tile can be turned, and the inner loop only mixes texels. Outside of the layer
 * its border tiles go on for ever.
 */
#include "render.h"

#include <math.h>

/* Two neighbouring texels and the weight of the second. */
typedef struct tap {
    uint32_t a, b;
    float weight;
} tap;

/* A column or row of pixels. Taps: along the slice's width and height, straight and flipped, for both levels. */
typedef struct line {
    uint32_t tile; /* inside the layer */
    tap taps[2][2][2];
} line;

typedef struct axis {
    double left, scale, origin; /* pixel = (world - left) * scale - origin */
    uint32_t num_tiles;
    int64_t first; /* pixel of lines[0] */
    int64_t num;
    line *lines;
} axis;

enum { TILE_PX = 32 };

/* First pixel of a tile: its edge on the rasteriser's grid decides, not a floor of the world. */
static int64_t tile_start(const axis *along, double tile)
{
    return tmi_first_pixel(tmi_snap((tile * TILE_PX - along->left) * along->scale)) - (int64_t)along->origin;
}

static tap tap_at(double u, uint32_t side)
{
    const double x = u * side - 0.5, low = floor(x);
    const int64_t a = (int64_t)low;
    const uint32_t last = side - 1;
    return (tap){a < 0      ? 0
                 : a > last ? last
                            : (uint32_t)a,
                 a + 1 < 0      ? 0
                 : a + 1 > last ? last
                                : (uint32_t)(a + 1),
                 (float)(x - low)};
}

static void fill_line(line *out, const axis *along, int64_t pixel, const tmi_chain *chain, tmi_lod lod)
{
    const double world = along->left + ((double)pixel + along->origin + 0.5) / along->scale;
    double tile = floor(world / TILE_PX);
    if (tile_start(along, tile) > pixel)
        tile -= 1;
    else if (tile_start(along, tile + 1) <= pixel)
        tile += 1;
    const double last = (double)along->num_tiles - 1;
    out->tile = (uint32_t)(tile < 0 ? 0 : tile > last ? last : tile);
    if (!chain)
        return;
    double u = world / TILE_PX - tile;
    u = u < 0 ? 0 : u > 1 ? 1 : u;
    const uint32_t levels[2] = {lod.level, lod.next};
    for (int k = 0; k < 2; k++) {
        for (int flip = 0; flip < 2; flip++) {
            out->taps[0][flip][k] = tap_at(flip ? 1 - u : u, chain->widths[levels[k]]);
            out->taps[1][flip][k] = tap_at(flip ? 1 - u : u, chain->heights[levels[k]]);
        }
    }
}

static tm_status fill_axis(axis *along, const tmi_chain *chain, tmi_lod lod, const tm_allocator *allocator,
                           tm_error *error)
{
    along->lines = tmi_alloc(allocator, (size_t)along->num, sizeof *along->lines);
    if (!along->lines)
        return tmi_fail_memory(error, (uint64_t)along->num * sizeof *along->lines,
                               "the columns of a picture");
    for (int64_t i = 0; i < along->num; i++)
        fill_line(&along->lines[i], along, along->first + i, chain, lod);
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------------------- pixels */

static inline tmi_rgba mix_texels(const uint8_t *slice, uint32_t width, const tap *u, const tap *v)
{
    const uint8_t *top = slice + (size_t)v->a * width * 4, *bottom = slice + (size_t)v->b * width * 4;
    const tmi_rgba t =
        tmi_load(top + (size_t)4 * u->a) * (1 - u->weight) + tmi_load(top + (size_t)4 * u->b) * u->weight;
    const tmi_rgba b = tmi_load(bottom + (size_t)4 * u->a) * (1 - u->weight) +
                       tmi_load(bottom + (size_t)4 * u->b) * u->weight;
    return t * (1 - v->weight) + b * v->weight;
}

typedef struct brush {
    const tmi_chain *chain; /* NULL: one color */
    tmi_lod lod;
    tmi_rgba factor;
} brush;

static inline tmi_rgba sample(const brush *with, tm_tile tile, const line *column, const line *row)
{
    const bool x = tile.flags & TM_TILE_FLIP_X, y = tile.flags & TM_TILE_FLIP_Y,
               turned = tile.flags & TM_TILE_ROTATE;
    /* flips first, then a quarter clockwise: seen from the screen, u runs along rows and v against columns */
    const tap *u = turned ? row->taps[0][x] : column->taps[0][x];
    const tap *v = turned ? column->taps[1][!y] : row->taps[1][y];
    const tmi_chain *chain = with->chain;
    tmi_rgba texel = mix_texels(tmi_slice(chain, tile.index, with->lod.level), chain->widths[with->lod.level],
                                &u[0], &v[0]);
    if (with->lod.weight > 0) {
        const tmi_rgba next = mix_texels(tmi_slice(chain, tile.index, with->lod.next),
                                         chain->widths[with->lod.next], &u[1], &v[1]);
        texel = texel * (1 - with->lod.weight) + next * with->lod.weight;
    }
    return texel;
}

static void draw_row(const brush *with, const tm_tile *tiles, const axis *across, const line *row,
                     uint8_t *to)
{
    const tmi_rgba white = {255, 255, 255, 255};
    for (int64_t i = 0; i < across->num; i++, to += 4) {
        const line *column = &across->lines[i];
        const tm_tile tile = tiles[column->tile];
        if (tile.index != 0)
            tmi_blend(to, (with->chain ? sample(with, tile, column, row) : white) * with->factor);
    }
}

static tm_status draw_grid(const tm_renderer *renderer, const tm_grid *grid, const brush *with,
                           const tmi_screen *screen, const tmi_target *target, tm_error *error)
{
    axis across = {screen->left, screen->scale_x,   screen->origin_x,
                   grid->width,  target->clip_left, target->clip_right - target->clip_left,
                   NULL};
    axis down = {screen->top,  screen->scale_y,  screen->origin_y,
                 grid->height, target->clip_top, target->clip_bottom - target->clip_top,
                 NULL};
    tm_status status = fill_axis(&across, with->chain, with->lod, renderer->allocator, error);
    if (status == TM_OK)
        status = fill_axis(&down, with->chain, with->lod, renderer->allocator, error);
    for (int64_t j = 0; status == TM_OK && j < down.num; j++) {
        const line *row = &down.lines[j];
        uint8_t *to = target->pixels + (size_t)(down.first + j - target->first_row) * target->row_stride +
                      (size_t)across.first * 4;
        draw_row(with, (const tm_tile *)grid->tiles + (size_t)row->tile * grid->width, &across, row, to);
    }
    if (across.lines)
        tmi_free(renderer->allocator, across.lines, (size_t)across.num, sizeof *across.lines);
    if (down.lines)
        tmi_free(renderer->allocator, down.lines, (size_t)down.num, sizeof *down.lines);
    return status;
}

tm_status tmi_draw_tiles(const tm_renderer *renderer, const tm_layer *layer, const tmi_screen *screen,
                         const tmi_target *target, double time, tm_error *error)
{
    const tm_tile_layer *tiles = &layer->as.tiles;
    const tmi_picture *picture = tiles->image == TM_NONE ? NULL : &renderer->pictures[tiles->image];
    tm_grid grid;
    brush with = {.factor = tmi_color_factor(renderer->map, tiles->color, tiles->color_envelope,
                                             tiles->color_envelope_offset, time)};
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
    if (picture && picture->state == TMI_PICTURE_THERE) {
        const tmi_chain *chain = &picture->tiles;
        const double texels_x = chain->widths[0] / (TILE_PX * screen->scale_x),
                     texels_y = chain->heights[0] / (TILE_PX * screen->scale_y);
        with.chain = chain;
        with.lod = tmi_lod_of(chain, texels_x > texels_y ? texels_x : texels_y);
    }
    return draw_grid(renderer, &grid, &with, screen, target, error);
}
