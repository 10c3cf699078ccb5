/* SPDX-License-Identifier: Zlib */
/*
 * moving_envelopes.c - finds the envelopes that move something in a picture. Layers are visited from front to
 * back: layers without motion are drawn alone, and hide what is behind their opaque pixels. In the others,
 * each quad and tile counts that may ever reach a visible pixel. So the result may contain an envelope
 * without visible effect, but never lacks one.
 */
#include "loop.h"

#include <math.h>

/* Rows of a layer are drawn in pieces of this size. */
#define BAND_BYTES ((size_t)8 << 20)

typedef struct looking {
    const tm_renderer *renderer;
    const tm_map *map;
    const tm_allocator *allocator;
    tm_camera camera;    /* shows one layer at a time */
    const float *wanted; /* the opacities of the picture */
    float *opacities;    /* of the layer at hand */
    tmi_motion *motions; /* of the envelopes */
    tmi_loop_seen *out;
    uint64_t *hidden; /* a bit for each pixel, `num_words` words a row */
    uint32_t num_words;
    uint8_t *rows; /* a piece of a layer's picture */
    uint32_t num_rows;
} looking;

/* A layer and where it stands. */
typedef struct placed_layer {
    const tm_layer *layer;
    uint32_t order; /* from 1 */
    tmi_screen screen;
    tmi_box clip; /* pixels */
} placed_layer;

/* ------------------------------------------------------------------------------------------------ hidden */

/* Draws a layer alone, and hides what lies behind its opaque pixels. */
static tm_status hide_behind(looking *l, const placed_layer *placed, tm_error *error)
{
    const uint32_t width = l->camera.width, height = l->camera.height;
    const size_t stride = (size_t)width * 4;
    tm_status status = TM_OK;
    l->opacities[placed->order - 1] = l->wanted ? l->wanted[placed->order - 1] : 1;
    for (uint32_t y = 0; y < height && !status; y += l->num_rows) {
        const uint32_t num = height - y < l->num_rows ? height - y : l->num_rows;
        memset(l->rows, 0, num * stride);
        status = tm_renderer_draw(l->renderer, &l->camera, &(tm_rows){l->rows, stride, y, num}, error);
        for (uint32_t i = 0; i < num && !status; i++) {
            uint64_t *hidden = l->hidden + (size_t)(y + i) * l->num_words;
            const uint8_t *rgba = l->rows + i * stride;
            for (uint32_t x = 0; x < width; x++)
                hidden[x / 64] |= (uint64_t)(rgba[4 * (size_t)x + 3] == 255) << x % 64;
        }
    }
    l->opacities[placed->order - 1] = 0;
    return status;
}

static uint32_t within(double value, double least, double most)
{
    return (uint32_t)(value < least ? least : value < most ? value : most);
}

/* Whether a pixel of a box, or next to it, is not hidden. */
static bool box_shows(const looking *l, const tmi_box *box, const tmi_box *clip)
{
    const uint32_t left = within(floor(box->left) - 1, clip->left, clip->right),
                   right = within(ceil(box->right) + 1, clip->left, clip->right),
                   top = within(floor(box->top) - 1, clip->top, clip->bottom),
                   bottom = within(ceil(box->bottom) + 1, clip->top, clip->bottom);
    for (uint32_t y = top; left < right && y < bottom; y++) {
        const uint32_t first = left / 64, last = (right - 1) / 64;
        for (uint32_t word = first; word <= last; word++) {
            uint64_t bits = ~l->hidden[(size_t)y * l->num_words + word];
            if (word == first)
                bits &= UINT64_MAX << left % 64;
            if (word == last)
                bits &= UINT64_MAX >> (63 - (right - 1) % 64);
            if (bits)
                return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------- layers */

static const tmi_motion *motion_of(const looking *l, int32_t envelope)
{
    return tm_map_envelope(l->map, envelope) ? &l->motions[envelope] : NULL;
}

/* Whether an envelope exists and changes with time. */
static bool moves(const looking *l, int32_t envelope)
{
    const tmi_motion *motion = motion_of(l, envelope);
    return motion && motion->period;
}

static void note_seen(looking *l, int32_t envelope, int32_t offset)
{
    if (!moves(l, envelope))
        return;
    l->out->envelopes[envelope] = true;
    if (offset < l->out->least_offset)
        l->out->least_offset = offset;
}

/* Whether colors of this alpha (of several colors, the OR of them) are invisible at all times. */
static bool always_clear(const looking *l, int32_t alpha, int32_t envelope)
{
    const tmi_motion *motion = motion_of(l, envelope);
    return alpha == 0 || (alpha > 0 && motion && motion->channels > 3 && motion->high[3] <= 0);
}

/* Where a column or row of tiles begins, in pixels of the picture; those at a layer's edge go on forever. */
static double tile_edge(uint32_t index, uint32_t num, double first, double scale, double origin)
{
    const double far_off = 1e12;
    if (index == 0)
        return -far_off;
    return index == num ? far_off : ((double)index * TM_TILE_PX - first) * scale - origin;
}

static bool tiles_show(const looking *l, const placed_layer *placed, const tm_grid *grid)
{
    const tmi_screen *s = &placed->screen;
    const tm_tile *tiles = grid->tiles;
    for (uint32_t y = 0; tiles && y < grid->height; y++) {
        tmi_box box = {0, tile_edge(y, grid->height, s->top, s->scale_y, s->origin_y), 0,
                       tile_edge(y + 1, grid->height, s->top, s->scale_y, s->origin_y)};
        if (box.bottom < placed->clip.top || box.top > placed->clip.bottom)
            continue;
        for (uint32_t x = 0; x < grid->width; x++) {
            box.left = tile_edge(x, grid->width, s->left, s->scale_x, s->origin_x);
            box.right = tile_edge(x + 1, grid->width, s->left, s->scale_x, s->origin_x);
            if (tiles[(size_t)y * grid->width + x].index && box.right >= placed->clip.left &&
                box.left <= placed->clip.right && box_shows(l, &box, &placed->clip))
                return true;
        }
    }
    return false;
}

/* Damaged layers are not drawn, so nothing moves in them. */
static tm_status look_at_tiles(looking *l, const placed_layer *placed, tm_error *error)
{
    const tm_tile_layer *tiles = &placed->layer->as.tiles;
    tmi_borrowed loan = {0};
    tm_grid grid;
    if (l->out->envelopes[tiles->color_envelope] || always_clear(l, tiles->color.a, tiles->color_envelope))
        return TM_OK;
    tm_error failure;
    tm_status status = tmi_borrowed_grid(&loan, &grid, l->map, placed->layer, &failure);
    if (!status && tiles_show(l, placed, &grid))
        note_seen(l, tiles->color_envelope, tiles->color_envelope_offset);
    tmi_borrowed_close(&loan);
    return tmi_past_damage(status, &failure, error);
}

/* Whether a quad ever reaches a visible pixel. One that turns may be anywhere around its pivot. */
static bool quad_shows(const looking *l, const placed_layer *placed, const tm_quad *quad)
{
    static const tmi_motion no_motion;
    const tmi_screen *s = &placed->screen;
    const tmi_motion *motion = motion_of(l, quad->position_envelope);
    motion = motion ? motion : &no_motion;
    const bool turns = motion->channels > 2 && (motion->low[2] != 0 || motion->high[2] != 0);
    double radius = 0;
    int32_t alpha = 0;
    for (int i = 0; i < 4; i++) {
        const double x = tmi_px(quad->points[i].x) - tmi_px(quad->points[4].x),
                     y = tmi_px(quad->points[i].y) - tmi_px(quad->points[4].y);
        radius = turns ? fmax(radius, sqrt(x * x + y * y)) : 0;
        alpha |= quad->colors[i].a;
    }
    const tmi_box reach = tmi_box_of_quad(quad, radius, (tm_vector){motion->low[0], motion->low[1]},
                                          (tm_vector){motion->high[0], motion->high[1]});
    const tmi_box box = {(reach.left - s->left) * s->scale_x - s->origin_x,
                         (reach.top - s->top) * s->scale_y - s->origin_y,
                         (reach.right - s->left) * s->scale_x - s->origin_x,
                         (reach.bottom - s->top) * s->scale_y - s->origin_y};
    return !always_clear(l, alpha, quad->color_envelope) && box_shows(l, &box, &placed->clip);
}

/* *moving: whether any quad of the layer moves, seen or not. */
static tm_status look_at_quads(bool *moving, looking *l, const placed_layer *placed, tm_error *error)
{
    const tm_quad_layer *layer = &placed->layer->as.quads;
    tmi_borrowed loan = {0};
    tm_error failure;
    const tm_status status = tmi_borrowed_open(&loan, l->map, layer->quads, &failure);
    const tm_quad *quads = loan.bytes;
    const uint64_t held = status || !quads ? 0 : loan.size / sizeof(*quads);
    for (uint32_t i = 0; i < layer->num_quads && i < held; i++) {
        if (!moves(l, quads[i].position_envelope) && !moves(l, quads[i].color_envelope))
            continue;
        *moving = true;
        if (!quad_shows(l, placed, &quads[i]))
            continue;
        note_seen(l, quads[i].position_envelope, quads[i].position_offset);
        note_seen(l, quads[i].color_envelope, quads[i].color_offset);
    }
    tmi_borrowed_close(&loan);
    return tmi_past_damage(status, &failure, error);
}

/* ------------------------------------------------------------------------------------------------ picture */

static tm_status look_at_group(looking *l, uint32_t index, uint32_t first_order, const tm_camera *camera,
                               tm_error *error)
{
    const tm_group *group = &l->map->groups[index];
    const tm_renderer *r = l->renderer;
    const bool is_game = group == r->game_group;
    tmi_target target = {.clip_right = camera->width, .clip_bottom = camera->height};
    if (!tmi_group_clip(&target, camera, group, is_game, r->options.look))
        return TM_OK;
    placed_layer placed = {.screen = tmi_group_screen(camera, group, is_game, r->options.look)};
    placed.clip = (tmi_box){(double)target.clip_left, (double)target.clip_top, (double)target.clip_right,
                            (double)target.clip_bottom};
    for (uint32_t i = group->num_layers; i-- > 0;) {
        placed.layer = &group->layers[i];
        placed.order = first_order + i;
        const bool drawn = placed.layer->kind == TM_LAYER_TILES || placed.layer->kind == TM_LAYER_QUADS ||
                           (r->entities && tm_game_layer(placed.layer->kind)->is_physics);
        bool moving = false;
        if (!drawn || !(tmi_opacity(r, camera, placed.layer, placed.order) > 0))
            continue;
        if (placed.layer->kind == TM_LAYER_TILES && moves(l, placed.layer->as.tiles.color_envelope)) {
            TM_TRY(look_at_tiles(l, &placed, error));
            continue;
        }
        if (placed.layer->kind == TM_LAYER_QUADS)
            TM_TRY(look_at_quads(&moving, l, &placed, error));
        if (!moving)
            TM_TRY(hide_behind(l, &placed, error));
    }
    return TM_OK;
}

tm_status tmi_loop_look(tmi_loop_seen *out, const tm_renderer *renderer, const tm_camera *camera,
                        tmi_motion *motions, tm_error *error)
{
    const uint32_t num_layers = tm_map_num_layers(renderer->map);
    const size_t stride = (size_t)camera->width * 4, fitting = BAND_BYTES / stride;
    looking l = {.renderer = renderer,
                 .map = renderer->map,
                 .allocator = renderer->allocator,
                 .camera = *camera,
                 .wanted = camera->opacities,
                 .motions = motions,
                 .out = out,
                 .num_words = (camera->width + 63) / 64,
                 .num_rows = fitting < 1                ? 1
                             : fitting > camera->height ? camera->height
                                                        : (uint32_t)fitting};
    const uint64_t bytes = (uint64_t)camera->height * l.num_words * sizeof(*l.hidden) + l.num_rows * stride;
    l.opacities = tmi_calloc(l.allocator, (size_t)num_layers + 1, sizeof(*l.opacities));
    l.hidden = tmi_calloc(l.allocator, camera->height, l.num_words * sizeof(*l.hidden));
    l.rows = tmi_alloc(l.allocator, l.num_rows, stride);
    l.camera.opacities = l.opacities;
    l.camera.pixel_limit = tmi_pixel_limit(renderer, camera) / (num_layers + 1) + 1;
    tm_status status = TM_OK;
    if (!l.opacities || !l.hidden || !l.rows)
        status = tmi_fail_memory(error, bytes, "what hides what in a picture");
    uint32_t order = num_layers + 1;
    for (uint32_t g = l.map->num_groups; g-- > 0 && !status;) {
        order -= l.map->groups[g].num_layers;
        status = look_at_group(&l, g, order, camera, error);
    }
    tmi_free(l.allocator, l.opacities, (size_t)num_layers + 1, sizeof(*l.opacities));
    tmi_free(l.allocator, l.hidden, camera->height, l.num_words * sizeof(*l.hidden));
    tmi_free(l.allocator, l.rows, l.num_rows, stride);
    return status;
}
