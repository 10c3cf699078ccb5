/* SPDX-License-Identifier: Zlib */
/*
 * best_view.c - the most telling view: places that the game layer promises something of are drawn tiny, and the
 * most varied of these little pictures wins. Looks alone decide: a large map has too many places to draw all
 * of them, so the game layer's mix of walls and air picks one place in each sector of the map.
 */
#include "best_view.h"

#include <teemap/tiles.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Pixels of a little picture: enough to tell tiles apart, few enough to draw some dozens in a blink. */
    SAMPLE_WIDTH = 96,
    SAMPLE_HEIGHT = 96,
    /* Places are looked for in so many sectors each way. */
    SECTORS = 5,
    /* Tiles of each special kind that are tried: the first ones are often the only ones. */
    SPECIALS = 3,
    MAX_PLACES = SECTORS * SECTORS + SPECIALS * BEST_VIEW_PLACE,
    /* Squares of a little picture for which it is asked whether anything happens in them, each way. */
    SQUARES = 6,
    /* Colors are told apart by so many bits a channel. */
    COLOR_BITS = 4,
    COLORS = 1 << (3 * COLOR_BITS)
};

typedef struct search {
    picture *of;
    double view_width, view_height; /* tiles */
    double width, height;           /* of the map, tiles */
    double zoom;
    tm_grid grid; /* the game layer's; empty when there is none */
    best_view places[MAX_PLACES];
    size_t num;
    uint8_t *pixels;  /* of a little picture */
    uint32_t *counts; /* of its colors */
} search;

const char *best_view_name(best_view_kind kind)
{
    static const char *const names[] = {"whole", "spawn", "flag", "start", "finish", "place"};
    return names[kind];
}

/* ------------------------------------------------------------------------------------------------- places */

static uint8_t game_tile(const search *s, uint32_t x, uint32_t y)
{
    const char *row = (const char *)s->grid.tiles + y * s->grid.row_stride;
    return ((const tm_tile *)(const void *)row)[x].index;
}

/* A view does not look beyond the edge of the map if it can be helped. */
static double inside(double centre, double view, double size)
{
    const double half = view / 2;
    return size <= view ? size / 2 : centre < half ? half : centre > size - half ? size - half : centre;
}

/*
 * To the next eighth of a tile towards the middle: numbers that are short and exact for whoever asks for the
 * view again.
 */
static double eighth(double at, double size)
{
    return (at < size / 2 ? ceil(at * 8) : floor(at * 8)) / 8;
}

static void add_place(search *s, best_view_kind kind, double x, double y)
{
    if (s->num < MAX_PLACES) {
        x = eighth(inside(x, s->view_width, s->width), s->width);
        y = eighth(inside(y, s->view_height, s->height), s->height);
        s->places[s->num++] = (best_view){kind, x, y, s->zoom, 0, 0, 0};
    }
}

static best_view_kind kind_of(uint8_t tile)
{
    return tile >= TM_TILE_SPAWN && tile <= TM_TILE_SPAWN_BLUE     ? BEST_VIEW_SPAWN
           : tile >= TM_TILE_FLAG_RED && tile <= TM_TILE_FLAG_BLUE ? BEST_VIEW_FLAG
           : tile == TM_TILE_START                                 ? BEST_VIEW_START
           : tile == TM_TILE_FINISH                                ? BEST_VIEW_FINISH
                                                                   : BEST_VIEW_PLACE;
}

/* A special tile counts only when no place of its kind is near. */
static bool is_new(const search *s, best_view_kind kind, double x, double y)
{
    int num = 0;
    for (size_t i = 0; i < s->num; i++) {
        if (s->places[i].kind == kind) {
            const double dx = fabs(s->places[i].x - inside(x, s->view_width, s->width)),
                         dy = fabs(s->places[i].y - inside(y, s->view_height, s->height));
            num++;
            if (dx < s->view_width / 2 && dy < s->view_height / 2)
                return false;
        }
    }
    return num < SPECIALS;
}

static void add_specials(search *s)
{
    for (uint32_t y = 0; s->grid.tiles && y < s->grid.height; y++) {
        for (uint32_t x = 0; x < s->grid.width; x++) {
            const best_view_kind kind = kind_of(game_tile(s, x, y));
            if (kind != BEST_VIEW_PLACE && is_new(s, kind, x + 0.5, y + 0.5))
                add_place(s, kind, x + 0.5, y + 0.5);
        }
    }
}

/*
 * How much happens in the game layer between (x0, y0) and (x1, y1): the share of neighbours that differ, none
 * for a wall and for empty air. Looks at every second tile.
 */
static double busyness(const search *s, double x0, double y0, double x1, double y1)
{
    uint64_t changes = 0, all = 1;
    for (uint32_t y = (uint32_t)y0; y < y1 && y + 1 < s->grid.height; y += 2) {
        for (uint32_t x = (uint32_t)x0; x < x1 && x + 1 < s->grid.width; x += 2, all++) {
            const uint8_t here = game_tile(s, x, y);
            changes += (uint64_t)(here != game_tile(s, x + 1, y)) + (here != game_tile(s, x, y + 1));
        }
    }
    return (double)changes / (double)all;
}

/* The busiest view in each sector of the map. */
static void add_sector(search *s, double x0, double y0, double width, double height)
{
    double best = -1, best_x = x0 + width / 2, best_y = y0 + height / 2;
    for (int i = 0; s->grid.tiles && i < 9; i++) {
        const int column = i % 3, row = i / 3;
        const double x = inside(x0 + width * (1 + 2 * column) / 6, s->view_width, s->width),
                     y = inside(y0 + height * (1 + 2 * row) / 6, s->view_height, s->height);
        const double score = busyness(s, fmax(x - s->view_width / 2, 0), fmax(y - s->view_height / 2, 0),
                                      x + s->view_width / 2, y + s->view_height / 2);
        if (score > best) {
            best = score;
            best_x = x;
            best_y = y;
        }
    }
    add_place(s, BEST_VIEW_PLACE, best_x, best_y);
}

static int sectors(double size, double view)
{
    const double num = ceil(size / view);
    return num < 1 ? 1 : num > SECTORS ? SECTORS : (int)num;
}

static void add_sectors(search *s)
{
    const int columns = sectors(s->width, s->view_width), rows = sectors(s->height, s->view_height);
    const double width = s->width / columns, height = s->height / rows;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            add_sector(s, width * column, height * row, width, height);
}

/* -------------------------------------------------------------------------------------------------- looks */

/*
 * The binary logarithm in 1/65536, by integers alone: the same on every machine, as no mathematical library
 * promises.
 */
static uint64_t log2_fixed(uint32_t value)
{
    uint64_t whole = 0, x = (uint64_t)value << 31;
    while (value >>= 1) {
        whole++;
        x >>= 1;
    }
    uint64_t result = whole << 16; /* x is now the rest: 1 to 2, as 31 binary places */
    for (int bit = 15; bit >= 0; bit--) {
        x = (x * x) >> 31;
        if (x >> 32) {
            x >>= 1;
            result |= (uint64_t)1 << bit;
        }
    }
    return result;
}

/* Bits that a pixel's color tells: 0 in one color, at most the logarithm of the number of colors. */
static double color_entropy(search *s, size_t num)
{
    uint64_t sum = 0;
    memset(s->counts, 0, COLORS * sizeof(*s->counts));
    for (size_t i = 0; i < num; i++) {
        const uint8_t *p = s->pixels + 4 * i;
        const int shift = 8 - COLOR_BITS;
        s->counts[(p[0] >> shift) << (2 * COLOR_BITS) | (p[1] >> shift) << COLOR_BITS | p[2] >> shift]++;
    }
    for (size_t i = 0; i < COLORS; i++)
        if (s->counts[i])
            sum += s->counts[i] * (log2_fixed((uint32_t)num) - log2_fixed(s->counts[i]));
    return (double)sum / (65536.0 * (double)num);
}

static int brightness(const uint8_t *p)
{
    return (p[0] * 77 + p[1] * 151 + p[2] * 28) >> 8;
}

/* Whether anything can be told apart in a square of the little picture. */
static bool is_lively(const search *s, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1)
{
    int least = 255, most = 0;
    for (uint32_t y = y0; y < y1; y++) {
        for (uint32_t x = x0; x < x1; x++) {
            const int b = brightness(s->pixels + 4 * ((size_t)y * s->of->camera.width + x));
            least = b < least ? b : least;
            most = b > most ? b : most;
        }
    }
    return most - least > 40;
}

static double lively_share(const search *s)
{
    const uint32_t w = s->of->camera.width, h = s->of->camera.height;
    int num = 0;
    for (uint32_t i = 0; i < SQUARES * SQUARES; i++) {
        const uint32_t x = i % SQUARES, y = i / SQUARES;
        num += is_lively(s, w * x / SQUARES, h * y / SQUARES, w * (x + 1) / SQUARES, h * (y + 1) / SQUARES);
    }
    return (double)num / (SQUARES * SQUARES);
}

/* How much of the picture is drawn at all, from 0 to 1. */
static double coverage(const search *s, size_t num)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < num; i++)
        sum += s->pixels[4 * i + 3];
    return (double)sum / (255.0 * (double)num);
}

static void judge_view(search *s, best_view *view)
{
    const size_t num = (size_t)s->of->camera.width * s->of->camera.height;
    view->coverage = coverage(s, num);
    view->lively = lively_share(s);
    view->score = color_entropy(s, num) / 8 + view->lively + view->coverage / 2;
}

/* ------------------------------------------------------------------------------------------------- choice */

static tm_status judge_places(search *s, tm_error *error)
{
    tm_camera *camera = &s->of->camera;
    tm_status status = TM_OK;
    for (size_t i = 0; !status && i < s->num; i++) {
        camera->x = s->places[i].x * TM_TILE_PX;
        camera->y = s->places[i].y * TM_TILE_PX;
        memset(s->pixels, 0, (size_t)SAMPLE_WIDTH * SAMPLE_HEIGHT * 4);
        status = tm_renderer_draw(s->of->renderer, camera, 0, camera->height, s->pixels,
                                  (size_t)camera->width * 4, error);
        judge_view(s, &s->places[i]);
    }
    return status;
}

/* The first one of the best. */
static void choose(best_view *out, const search *s)
{
    *out = s->places[0];
    for (size_t i = 1; i < s->num; i++)
        if (s->places[i].score > out->score)
            *out = s->places[i];
}

/* What a view shows, and whether the map is smaller than that. */
static tm_status measure_view(search *s, const tm_map *map, tm_error *error)
{
    const tm_layer *game = tm_map_physics_layer(map, TM_LAYER_GAME, NULL, NULL);
    picture_map_area(map, &s->width, &s->height);
    tm_camera_view_size(s->of->camera.width, s->of->camera.height, &s->view_width, &s->view_height);
    const double fit = fmax(s->width * TM_TILE_PX / s->view_width, s->height * TM_TILE_PX / s->view_height);
    s->zoom = fit > 1 || fit <= 0 ? 1 : fmax(ceil(fit * 64) / 64, 0.25);
    s->view_width *= s->zoom / TM_TILE_PX;
    s->view_height *= s->zoom / TM_TILE_PX;
    tm_status status = game ? tm_map_tiles(map, game, &s->grid, error) : TM_OK;
    if (status == TM_ERROR_DAMAGED) { /* there are other layers to show */
        s->grid = (tm_grid){0};
        status = TM_OK;
    }
    return status;
}

tm_status best_view_find(best_view *out, picture *of, const tm_map *map, tm_error *error)
{
    search s = {.of = of};
    const tm_camera wanted = of->camera;
    const bool wide = wanted.width >= wanted.height;
    tm_status status = measure_view(&s, map, error);
    if (status)
        return status;
    if (s.width <= s.view_width && s.height <= s.view_height) {
        add_place(&s, BEST_VIEW_WHOLE, s.width / 2, s.height / 2);
    } else {
        add_specials(&s);
        add_sectors(&s);
    }
    s.pixels = must_alloc((size_t)SAMPLE_WIDTH * SAMPLE_HEIGHT, 4);
    s.counts = must_alloc(COLORS, sizeof(*s.counts));
    of->camera.kind = TM_CAMERA_VIEW;
    of->camera.zoom = s.zoom;
    of->camera.width =
        wide ? SAMPLE_WIDTH : (uint32_t)((uint64_t)SAMPLE_HEIGHT * wanted.width / wanted.height);
    of->camera.height =
        wide ? (uint32_t)((uint64_t)SAMPLE_WIDTH * wanted.height / wanted.width) : SAMPLE_HEIGHT;
    of->camera.width += of->camera.width == 0;
    of->camera.height += of->camera.height == 0;
    status = judge_places(&s, error);
    choose(out, &s);
    free(s.pixels);
    free(s.counts);
    of->camera.width = wanted.width;
    of->camera.height = wanted.height;
    of->camera.x = out->x * TM_TILE_PX;
    of->camera.y = out->y * TM_TILE_PX;
    return status;
}
