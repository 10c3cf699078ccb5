/* SPDX-License-Identifier: Zlib */
/*
 * Checks that two maps look and play the same: compares physics byte by byte, and the pixels of many views of
 * both maps at several times. Views cover the whole map and its surroundings; others show it from far away.
 */
#include "preview.h"

#include <teemap/jobs.h>

#include <math.h>
#include <stdatomic.h>

enum { WIDTH = 320, HEIGHT = 180, FAR_VIEWS = 3, NUM_TIMES = 4 };
/* ms; chosen so that no usual period of an animation divides the steps between them. */
static const double times[NUM_TIMES] = {0, 1733, 5381, 27449};

typedef struct comparing {
    const tm_map *maps[2];
    tm_renderer *renderers[2];
    const tm_allocator *allocator;
    double x, y, step_x, step_y; /* centre of the first view and steps to the next, px */
    uint32_t columns, rows;
    uint32_t tolerance;
    uint8_t *differs; /* by view */
    uint64_t pixel_limit;
    atomic_uint_least64_t spent; /* pixels, by all views of both maps */
} comparing;

/* ---------------------------------------------------------------------------------------------- physics */

static bool same_grid(const tm_grid *a, const tm_grid *b)
{
    const uint8_t *left = a->tiles, *right = b->tiles;
    if (!left || !right)
        return left == right;
    if (a->width != b->width || a->height != b->height || a->tile_size != b->tile_size)
        return false;
    for (uint32_t y = 0; y < a->height; y++)
        if (memcmp(left + y * a->row_stride, right + y * b->row_stride, (size_t)a->width * a->tile_size) != 0)
            return false;
    return true;
}

/* Whether a layer plays as if it were missing: no byte of its tiles has a meaning. */
static bool plays_as_none(const tm_grid *grid)
{
    const uint8_t *tiles = grid->tiles;
    for (uint32_t y = 0; tiles && y < grid->height; y++)
        for (size_t i = 0; i < (size_t)grid->width * grid->tile_size; i++)
            if (tiles[y * grid->row_stride + i])
                return false;
    return true;
}

static tm_status compare_physics(const comparing *c, char *difference, size_t size, tm_error *error)
{
    for (int kind = TM_LAYER_GAME; kind <= TM_LAYER_TUNE; kind++) {
        tm_grid grids[2];
        for (int i = 0; i < 2; i++) {
            const tm_layer *layer = tm_map_physics_layer(NULL, NULL, c->maps[i], (tm_layer_kind)kind);
            TM_TRY(tm_map_tiles(&grids[i], c->maps[i], layer, error));
        }
        if (!same_grid(&grids[0], &grids[1]) && !(plays_as_none(&grids[0]) && plays_as_none(&grids[1]))) {
            tmi_format(difference, size, "the %s layer plays differently",
                       tm_game_layer((tm_layer_kind)kind)->name);
            return TM_OK;
        }
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- pictures */

static tm_camera camera_of(const comparing *c, uint32_t view)
{
    tm_camera camera = TM_CAMERA_INIT;
    camera.width = WIDTH;
    camera.height = HEIGHT;
    camera.time = times[view % NUM_TIMES];
    camera.zoom = 1;
    const uint32_t near = c->columns * c->rows;
    if (view < near) {
        const uint32_t column = view % c->columns, row = view / c->columns;
        camera.x = c->x + c->step_x * column;
        camera.y = c->y + c->step_y * row;
    } else { /* all of the map, and once and twice as much again */
        const double wide = fmax(c->columns, c->rows) * (double)(1u << (view - near));
        camera.x = c->x + c->step_x * (c->columns - 1) / 2;
        camera.y = c->y + c->step_y * (c->rows - 1) / 2;
        camera.zoom = wide < 1 ? 1 : wide;
    }
    return camera;
}

/* A view of one of the maps. */
typedef struct drawing {
    const tm_renderer *renderer;
    tm_camera camera;
    uint8_t *pixels;
    tmi_budget budget;
} drawing;

static tm_status draw_run_of_view(void *ctx, const tmi_layer_run *run, tm_error *error)
{
    drawing *d = ctx;
    return tmi_draw_rows(d->renderer, &d->camera, run, &(tm_rows){d->pixels, (size_t)WIDTH * 4, 0, HEIGHT},
                         &d->budget, error);
}

/* Draws a view. The cost of all views together is limited, which does not depend on the threads. */
static tm_status draw_view(comparing *c, const tm_renderer *renderer, const tm_camera *camera,
                           uint8_t *pixels, tm_error *error)
{
    const uint64_t before = atomic_load(&c->spent);
    const uint64_t left = before < c->pixel_limit ? c->pixel_limit - before : 0;
    drawing d = {.renderer = renderer, .pixels = pixels, .budget = {.left = left, .limit = left}};
    TM_TRY(tmi_camera_take(&d.camera, camera, error));
    const tm_status status = tmi_each_run(renderer, &d.camera, &d.budget, draw_run_of_view, &d, error);
    const uint64_t spent = left - d.budget.left;
    if (!d.budget.over && atomic_fetch_add(&c->spent, spent) + spent <= c->pixel_limit)
        return status;
    return tmi_fail(error, TM_ERROR_LIMIT, -1,
                    "comparing pictures of the maps needs more work than the limit of %llu pixels, those of "
                    "all layers and views counted",
                    (unsigned long long)c->pixel_limit);
}

static tm_status compare_view(void *ctx, void *worker, uint32_t view, bool *stop, tm_error *error)
{
    comparing *c = ctx;
    const size_t size = (size_t)WIDTH * HEIGHT * 4;
    const tm_camera camera = camera_of(c, view);
    (void)worker;
    (void)stop;
    uint8_t *pixels;
    TM_TRY(tmi_reserve(&pixels, c->allocator, 2 * size, 1, "two pictures", error));
    tm_status status = TM_OK;
    memset(pixels, 0, 2 * size);
    for (int i = 0; i < 2 && !status; i++)
        status = draw_view(c, c->renderers[i], &camera, pixels + (size_t)i * size, error);
    const uint8_t *a = pixels, *b = pixels + size;
    size_t same = 0;
    while (c->tolerance && same < size && (uint32_t)abs(a[same] - b[same]) <= c->tolerance)
        same++;
    c->differs[view] = !status && (c->tolerance ? same < size : memcmp(a, b, size) != 0);
    tmi_free(c->allocator, pixels, 2 * size, 1);
    return status;
}

/* Plans views over the map and half a view around it: side by side, or further apart if more than `most`. */
static void plan_views(comparing *c, uint32_t most)
{
    uint32_t width, height;
    double view_w, view_h;
    tm_map_area(&width, &height, c->maps[0]);
    tm_camera_view_size(&view_w, &view_h, WIDTH, HEIGHT);
    const double w = (double)width * TM_TILE_PX, h = (double)height * TM_TILE_PX;
    c->columns = (uint32_t)ceil(w / view_w) + 1;
    c->rows = (uint32_t)ceil(h / view_h) + 1;
    while ((uint64_t)c->columns * c->rows > most)
        if (c->columns >= c->rows)
            c->columns = (c->columns + 1) / 2;
        else
            c->rows = (c->rows + 1) / 2;
    c->step_x = c->columns > 1 ? w / (c->columns - 1) : 0;
    c->step_y = c->rows > 1 ? h / (c->rows - 1) : 0;
    c->x = c->columns > 1 ? 0 : w / 2;
    c->y = c->rows > 1 ? 0 : h / 2;
}

static tm_status compare_pictures(comparing *c, const tm_preview_equal_options *options, char *difference,
                                  size_t size, tm_error *error)
{
    plan_views(c, options->views ? options->views : 400);
    const uint32_t num = c->columns * c->rows + FAR_VIEWS;
    if (!c->pixel_limit)
        c->pixel_limit = tm_render_usual_limit((uint64_t)2 * num * WIDTH * HEIGHT);
    TM_TRY(tmi_reserve_zeroed(&c->differs, c->allocator, num, 1, "views", error));
    const tm_tasks pieces = {
        .size = sizeof(pieces), .allocator = c->allocator, .ctx = c, .num = num, .work = compare_view};
    const tm_status status = tm_tasks_run(&pieces, options->job, error);
    for (uint32_t i = 0; !status && i < num && !difference[0]; i++) {
        const tm_camera camera = camera_of(c, i);
        if (c->differs[i])
            tmi_format(difference, size, "the picture around tile %.0f,%.0f looks different after %.3f s",
                       floor(camera.x / TM_TILE_PX), floor(camera.y / TM_TILE_PX), camera.time / 1000);
    }
    tmi_free(c->allocator, c->differs, num, 1);
    return status;
}

/* ---------------------------------------------------------------------------------------------- together */

tm_status tm_preview_equal(bool *equal, const tm_map *a, const tm_map *b,
                           const tm_preview_equal_options *options, char *difference, size_t difference_size,
                           tm_error *error)
{
    tm_preview_equal_options effective;
    char place[TM_ERROR_TEXT_SIZE] = "";
    TM_TRY(tmi_need(equal, "equal", error));
    *equal = false;
    if (difference && difference_size)
        difference[0] = '\0';
    TM_TRY(tmi_need(a, "a", error));
    TM_TRY(tmi_need(b, "b", error));
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_preview_equal_options", error));
    comparing c = {.maps = {a, b},
                   .allocator = tmi_map_allocator(a),
                   .tolerance = effective.tolerance,
                   .pixel_limit = effective.pixel_limit};
    tm_status status = compare_physics(&c, place, sizeof(place), error);
    tm_render_options render = TM_RENDER_OPTIONS_INIT;
    render.provider = effective.provider;
    render.provider_ctx = effective.provider_ctx;
    render.allocator = c.allocator;
    for (int i = 0; i < 2 && !status && !place[0]; i++)
        status = tm_renderer_new(&c.renderers[i], c.maps[i], &render, NULL, error);
    if (!status && !place[0])
        status = compare_pictures(&c, &effective, place, sizeof(place), error);
    tm_renderer_free(c.renderers[0]);
    tm_renderer_free(c.renderers[1]);
    if (status)
        return status;
    *equal = !place[0];
    if (difference && difference_size)
        tmi_format(difference, difference_size, "%s", place);
    return TM_OK;
}
