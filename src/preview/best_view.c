/* SPDX-License-Identifier: Zlib */
/*
 * best_view.c - finds the best view: draws promising places of the game layer in small pictures, and the most
 * varied picture wins (docs/thumbnails.md). A large map has too many places to draw all of them, so the mix
 * of walls and air in the game layer selects one place in each sector of the map.
 */
#include "preview.h"

#include <teemap/tiles.h>

#include <math.h>

enum {
    /* Pixels of a little picture: enough to tell tiles apart, few enough to draw some dozens in a blink. */
    SAMPLE_WIDTH = 96,
    SAMPLE_HEIGHT = 96,
    /* Places are looked for in so many sectors each way. */
    SECTORS = 5,
    /* Tiles of each special kind that are tried: the first ones are often the only ones. */
    SPECIALS = 3,
    MAX_PLACES = SECTORS * SECTORS + SPECIALS * TM_PREVIEW_PLACE,
    /* Squares of a little picture for which it is asked whether anything happens in them, each way. */
    SQUARES = 6,
    /* Brightness varies in them by more than this. */
    LIVELY_CONTRAST = 40,
    /* Colors are told apart by so many bits a channel. */
    COLOR_BITS = 4,
    NUM_COLORS = 1 << (3 * COLOR_BITS)
};

typedef struct view_search {
    const tm_renderer *renderer;
    const tm_map *map;
    tm_camera camera;               /* of the little pictures */
    double view_width, view_height; /* tiles */
    double width, height;           /* of the map, tiles */
    double zoom;
    tm_grid grid; /* the game layer's; no tiles when there is none */
    tm_preview_view places[MAX_PLACES];
    uint32_t num;
    tmi_budget budget;
    uint8_t *all_pixels;         /* of all little pictures */
    const uint8_t *pixels;       /* of the one that is judged */
    uint32_t counts[NUM_COLORS]; /* of its colors */
} view_search;

_Static_assert((int)MAX_PLACES == (int)TM_PREVIEW_MAX_VIEWS, "the header says how many views there are");

const char *tm_preview_kind_name(tm_preview_kind kind)
{
    static const char *const names[] = {"whole", "spawn", "flag", "start", "finish", "place"};
    return (size_t)kind < TMI_COUNT_OF(names) ? names[kind] : NULL;
}

/* ------------------------------------------------------------------------------------------------- places */

static uint8_t game_tile(const view_search *s, uint32_t x, uint32_t y)
{
    const void *row = (const char *)s->grid.tiles + y * s->grid.row_stride;
    return ((const tm_tile *)row)[x].index;
}

/* Moves the centre of a view so that it stays within the map, if the map is large enough. */
static double move_inside(double centre, double view, double size)
{
    const double half = view / 2;
    return size <= view ? size / 2 : centre < half ? half : centre > size - half ? size - half : centre;
}

double tmi_view_centre(double centre, double view, double size)
{
    const double at = move_inside(centre, view, size);
    return (at < size / 2 ? ceil(at * 8) : floor(at * 8)) / 8; /* towards the middle */
}

static void add_place(view_search *s, tm_preview_kind kind, double x, double y)
{
    if (s->num < MAX_PLACES) {
        x = tmi_view_centre(x, s->view_width, s->width);
        y = tmi_view_centre(y, s->view_height, s->height);
        s->places[s->num++] = (tm_preview_view){.kind = kind, .x = x, .y = y, .zoom = s->zoom};
    }
}

/* Whether a place may be added: no place of its kind is near, and there are fewer than SPECIALS. */
static bool is_new(const view_search *s, tm_preview_kind kind, double x, double y)
{
    int num = 0;
    for (uint32_t i = 0; i < s->num; i++) {
        if (s->places[i].kind == kind) {
            const double dx = fabs(s->places[i].x - move_inside(x, s->view_width, s->width)),
                         dy = fabs(s->places[i].y - move_inside(y, s->view_height, s->height));
            num++;
            if (dx < s->view_width / 2 && dy < s->view_height / 2)
                return false;
        }
    }
    return num < SPECIALS;
}

/*
 * Adds the busiest of nine views in a sector of the map: the one with the largest share of neighbours in the
 * game layer that differ, which is 0 in walls and in empty air. Looks at every second tile.
 */
static void add_sector(view_search *s, double x0, double y0, double width, double height)
{
    double best = -1, best_x = x0 + width / 2, best_y = y0 + height / 2;
    for (int i = 0; s->grid.tiles && i < 9; i++) {
        const int column = i % 3, row = i / 3;
        const double x = move_inside(x0 + width * (1 + 2 * column) / 6, s->view_width, s->width),
                     y = move_inside(y0 + height * (1 + 2 * row) / 6, s->view_height, s->height);
        const double right = x + s->view_width / 2, bottom = y + s->view_height / 2;
        const uint32_t left = (uint32_t)fmax(x - s->view_width / 2, 0),
                       top = (uint32_t)fmax(y - s->view_height / 2, 0);
        uint64_t changes = 0, all = 1;
        for (uint32_t v = top; v < bottom && v + 1 < s->grid.height; v += 2) {
            for (uint32_t u = left; u < right && u + 1 < s->grid.width; u += 2, all++) {
                const uint8_t here = game_tile(s, u, v);
                changes += (uint64_t)(here != game_tile(s, u + 1, v)) + (here != game_tile(s, u, v + 1));
            }
        }
        const double busy = (double)changes / (double)all;
        if (busy > best) {
            best = busy;
            best_x = x;
            best_y = y;
        }
    }
    add_place(s, TM_PREVIEW_PLACE, best_x, best_y);
}

static int num_sectors(double size, double view)
{
    const double num = ceil(size / view);
    return num < 1 ? 1 : num > SECTORS ? SECTORS : (int)num;
}

static void add_places(view_search *s)
{
    if (s->width <= s->view_width && s->height <= s->view_height) {
        add_place(s, TM_PREVIEW_WHOLE, s->width / 2, s->height / 2);
        return;
    }
    for (uint32_t y = 0; s->grid.tiles && y < s->grid.height; y++) {
        for (uint32_t x = 0; x < s->grid.width; x++) {
            const uint8_t tile = game_tile(s, x, y);
            const tm_preview_kind kind =
                tile >= TM_TILE_SPAWN && tile <= TM_TILE_SPAWN_BLUE     ? TM_PREVIEW_SPAWN
                : tile == TM_TILE_FLAG_RED || tile == TM_TILE_FLAG_BLUE ? TM_PREVIEW_FLAG
                : tile == TM_TILE_START                                 ? TM_PREVIEW_START
                : tile == TM_TILE_FINISH                                ? TM_PREVIEW_FINISH
                                                                        : TM_PREVIEW_PLACE;
            if (kind != TM_PREVIEW_PLACE && is_new(s, kind, x + 0.5, y + 0.5))
                add_place(s, kind, x + 0.5, y + 0.5);
        }
    }
    const int columns = num_sectors(s->width, s->view_width), rows = num_sectors(s->height, s->view_height);
    const double width = s->width / columns, height = s->height / rows;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            add_sector(s, width * column, height * row, width, height);
}

/* -------------------------------------------------------------------------------------------------- looks */

/* The binary logarithm in 1/65536, by integers alone, so that it is the same on every machine. */
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

/* The entropy of the colors in bits per pixel: 0 for one color, at most the logarithm of NUM_COLORS. */
static double color_entropy(view_search *s, size_t num)
{
    uint64_t sum = 0;
    memset(s->counts, 0, sizeof(s->counts));
    for (size_t i = 0; i < num; i++) {
        const uint8_t *p = s->pixels + 4 * i;
        const int shift = 8 - COLOR_BITS;
        s->counts[(p[0] >> shift) << (2 * COLOR_BITS) | (p[1] >> shift) << COLOR_BITS | p[2] >> shift]++;
    }
    for (size_t i = 0; i < NUM_COLORS; i++)
        if (s->counts[i])
            sum += s->counts[i] * (log2_fixed((uint32_t)num) - log2_fixed(s->counts[i]));
    return (double)sum / (65536.0 * (double)num);
}

/* Whether the brightness within a square of the little picture varies enough to see something. */
static bool is_lively(const view_search *s, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1)
{
    int least = 255, most = 0;
    for (uint32_t y = y0; y < y1; y++) {
        for (uint32_t x = x0; x < x1; x++) {
            const uint8_t *p = s->pixels + 4 * ((size_t)y * s->camera.width + x);
            const int b = (p[0] * 77 + p[1] * 151 + p[2] * 28) >> 8;
            least = b < least ? b : least;
            most = b > most ? b : most;
        }
    }
    return most - least > LIVELY_CONTRAST;
}

static void judge_view(view_search *s, tm_preview_view *view)
{
    const uint32_t w = s->camera.width, h = s->camera.height;
    const size_t num = (size_t)w * h;
    uint64_t covered = 0;
    int lively = 0;
    for (size_t i = 0; i < num; i++)
        covered += s->pixels[4 * i + 3];
    for (uint32_t i = 0; i < SQUARES * SQUARES; i++) {
        const uint32_t x = i % SQUARES, y = i / SQUARES;
        lively +=
            is_lively(s, w * x / SQUARES, h * y / SQUARES, w * (x + 1) / SQUARES, h * (y + 1) / SQUARES);
    }
    view->coverage = (double)covered / (255.0 * (double)num);
    view->lively = (double)lively / (SQUARES * SQUARES);
    view->variety = color_entropy(s, num) / 8;
    view->score = view->variety + view->lively + view->coverage / 2;
}

/* Draws some layers of all little pictures, so that each layer is at hand once for all of them. */
static tm_status draw_places(void *ctx, const tmi_layer_run *run, tm_error *error)
{
    view_search *s = ctx;
    const size_t stride = (size_t)s->camera.width * 4;
    for (uint32_t i = 0; i < s->num; i++) {
        s->camera.x = s->places[i].x * TM_TILE_PX;
        s->camera.y = s->places[i].y * TM_TILE_PX;
        TM_TRY(tmi_draw_rows(
            s->renderer, &s->camera, run,
            &(tm_rows){s->all_pixels + i * stride * s->camera.height, stride, 0, s->camera.height},
            &s->budget, error));
    }
    return TM_OK;
}

/* Draws and judges all places; together they may cost as much as one picture. */
static tm_status judge_places(view_search *s, tm_error *error)
{
    tm_camera checked;
    TM_TRY(tmi_camera_take(&checked, &s->camera, error));
    const tm_allocator *allocator = s->renderer->allocator;
    const size_t size = (size_t)s->camera.width * s->camera.height * 4;
    const uint64_t limit = tmi_work_limit(s->renderer, s->num * size / 4);
    s->budget = (tmi_budget){limit, false, limit};
    TM_TRY(tmi_reserve_zeroed(&s->all_pixels, allocator, s->num, size, "little pictures", error));
    const tm_status status = tmi_each_run(s->renderer, &s->camera, &s->budget, draw_places, s, error);
    for (uint32_t i = 0; !status && i < s->num; i++) {
        s->pixels = s->all_pixels + i * size;
        judge_view(s, &s->places[i]);
    }
    tmi_free(allocator, s->all_pixels, s->num, size);
    return status;
}

/* ------------------------------------------------------------------------------------------------- choice */

/* Measures how many tiles a view shows; the camera comes nearer if the map is smaller than that. */
static tm_status measure(view_search *s, const tm_camera *wanted, tm_error *error)
{
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, s->map, TM_LAYER_GAME);
    uint32_t width, height;
    tm_map_area(&width, &height, s->map);
    s->width = width;
    s->height = height;
    tm_camera_view_size(&s->view_width, &s->view_height, wanted->width, wanted->height);
    const double fit = fmax(s->width * TM_TILE_PX / s->view_width, s->height * TM_TILE_PX / s->view_height);
    s->zoom = fit > 1 || fit <= 0 ? 1 : fmax(ceil(fit * 64) / 64, 0.25);
    s->view_width *= s->zoom / TM_TILE_PX;
    s->view_height *= s->zoom / TM_TILE_PX;
    const tm_block_info info = tm_block_get_info(game ? game->as.tiles.tiles : NULL);
    const uint64_t most = s->renderer->options.memory_budget;
    if (!info.unpacked && most && info.size > most)
        return TM_OK; /* places are chosen blindly then */
    tm_error failure;
    const tm_status status = game ? tm_map_tiles(&s->grid, s->map, game, &failure) : TM_OK;
    if (status == TM_ERROR_DAMAGED)
        s->grid = (tm_grid){0}; /* there are other layers to show */
    return tmi_past_damage(status, &failure, error);
}

static uint32_t scaled(uint32_t side, uint32_t from, uint32_t to)
{
    const uint32_t result = (uint32_t)((uint64_t)to * side / from);
    return result ? result : 1;
}

/* Finds the places, the best one first, equal ones in the order in which they were found. */
static tm_status search(view_search *s, const tm_camera *wanted, tm_error *error)
{
    const bool wide = wanted->width >= wanted->height;
    TM_TRY(measure(s, wanted, error));
    add_places(s);
    s->camera = *wanted;
    s->camera.size = sizeof(s->camera);
    s->camera.kind = TM_CAMERA_VIEW;
    s->camera.x = s->camera.y = 0;
    s->camera.zoom = s->zoom;
    s->camera.width = wide ? SAMPLE_WIDTH : scaled(wanted->width, wanted->height, SAMPLE_HEIGHT);
    s->camera.height = wide ? scaled(wanted->height, wanted->width, SAMPLE_WIDTH) : SAMPLE_HEIGHT;
    TM_TRY(judge_places(s, error));
    for (uint32_t i = 1; i < s->num; i++) {
        const tm_preview_view view = s->places[i];
        uint32_t at = i;
        for (; at > 0 && s->places[at - 1].score < view.score; at--)
            s->places[at] = s->places[at - 1];
        s->places[at] = view;
    }
    return TM_OK;
}

tm_status tm_preview_views(tm_preview_view *views, uint32_t *num_views, uint32_t max_views,
                           const tm_renderer *renderer, const tm_camera *camera, tm_error *error)
{
    TM_TRY(tmi_need(views, "views", error));
    TM_TRY(tmi_need(num_views, "num_views", error));
    tm_camera wanted;
    *num_views = 0;
    TM_TRY(tmi_need(renderer, "renderer", error));
    TM_TRY(tmi_need(camera, "camera", error));
    const tm_allocator *allocator = renderer->allocator;
    TM_TRY(tmi_options_take(&wanted, sizeof(wanted), camera, "tm_camera", error));
    if (wanted.width == 0 || wanted.height == 0)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a picture of %u x %u pixels shows nothing",
                        (unsigned)wanted.width, (unsigned)wanted.height);
    view_search *s;
    TM_TRY(tmi_reserve_zeroed(&s, allocator, 1, sizeof(*s), "the search for a view", error));
    s->renderer = renderer;
    s->map = renderer->map;
    const tm_status status = search(s, &wanted, error);
    if (!status) {
        *num_views = s->num < max_views ? s->num : max_views;
        memcpy(views, s->places, *num_views * sizeof(*views));
    }
    tmi_free(allocator, s, 1, sizeof(*s));
    return status;
}

void tm_preview_set_view(tm_camera *camera, const tm_preview_view *view)
{
    if (!camera || !view)
        return;
    camera->kind = TM_CAMERA_VIEW;
    camera->x = view->x * TM_TILE_PX;
    camera->y = view->y * TM_TILE_PX;
    camera->zoom = view->zoom;
}
