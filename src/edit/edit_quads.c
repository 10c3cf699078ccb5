/* SPDX-License-Identifier: Zlib */
/*
 * Quads made even, and put in order: each works on every quad of the layers meant, or, behind a region, on
 * those whose pivot is in it. A quad's corners stay the corners that they are (top left, top right, bottom
 * left, bottom right), so colors and texture go with them.
 */
#include "edit_geometry.h"

#include <math.h>

enum { CORNERS = 4, PIVOT = 4 };

/* What is done to a quad. */
typedef struct quad_work {
    tm_status (*work)(tm_quad *quad, const struct quad_work *how, tm_error *error);
    const char *what;      /* for the report */
    const tm_image *image; /* of the layer; NULL: none */
    double sine, cosine;   /* of turning */
    int64_t factor, below; /* of scaling */
    const tm_map *map;
    bool (*leaves)(const tm_quad *quad,
                   const struct quad_work *how); /* whether a quad goes; NULL: none does */
    enum { KEEP_ORDER, TO_FRONT, TO_BACK } order;
} quad_work;

/* ------------------------------------------------------------------------------------------------ walking */

/* Changes quads where they stand; the layer counts as changed only if one does. */
static tm_status change_quads(tmi_edit *edit, const tm_address *at, const quad_work *how, tm_error *error)
{
    const tm_quad *quads;
    tm_quad *writable = NULL;
    uint32_t num;
    uint64_t changed = 0;
    TM_TRY(tm_map_quads(&quads, &num, edit->map, tmi_edit_layer_at(edit, at), error));
    for (uint32_t i = 0; i < num; i++) {
        tm_quad quad = quads[i];
        if (!tmi_edit_region_holds(edit->value, quad.points[PIVOT]))
            continue;
        const tm_status status = how->work(&quad, how, error);
        if (status)
            return tmi_fail_at(error, status, "quad %u", (unsigned)i);
        if (memcmp(&quad, &quads[i], sizeof(quad)) == 0)
            continue;
        if (!writable) {
            TM_TRY(tm_map_edit_quads(&writable, &num, edit->map, at->index, at->layer, error));
            quads = writable;
        }
        writable[i] = quad;
        changed++;
    }
    if (changed)
        tmi_edit_changed(edit, *at, changed, "%s: %llu quad%s", how->what, (unsigned long long)changed,
                         changed == 1 ? "" : "s");
    return TM_OK;
}

static tm_status remove_quads(tmi_edit *edit, const tm_address *at, const quad_work *how, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(edit->map);
    const tm_quad *quads;
    uint32_t num, kept = 0;
    TM_TRY(tm_map_quads(&quads, &num, edit->map, tmi_edit_layer_at(edit, at), error));
    tm_quad *stay;
    TM_TRY(tmi_reserve(&stay, allocator, (size_t)num + 1, sizeof(*stay), "quads", error));
    for (uint32_t i = 0; i < num; i++)
        if (!tmi_edit_region_holds(edit->value, quads[i].points[PIVOT]) || !how->leaves(&quads[i], how))
            stay[kept++] = quads[i];
    tm_status status = TM_OK;
    if (kept < num) {
        tmi_edit_changed(edit, *at, num - kept, "%s: %u quad%s", how->what, (unsigned)(num - kept),
                         num - kept == 1 ? "" : "s");
        status = tm_map_set_quads(edit->map, at->index, at->layer, stay, kept, error);
    }
    tmi_free(allocator, stay, (size_t)num + 1, sizeof(*stay));
    return status;
}

/* Quads of a region behind or in front of the others; both keep their order. */
static tm_status order_quads(tmi_edit *edit, const tm_address *at, const quad_work *how, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(edit->map);
    const tm_quad *quads;
    uint32_t num, put = 0;
    TM_TRY(tm_map_quads(&quads, &num, edit->map, tmi_edit_layer_at(edit, at), error));
    tm_quad *ordered;
    TM_TRY(tmi_reserve(&ordered, allocator, (size_t)num + 1, sizeof(*ordered), "quads", error));
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < num; i++)
            if (tmi_edit_region_holds(edit->value, quads[i].points[PIVOT]) ==
                (pass == (how->order == TO_FRONT)))
                ordered[put++] = quads[i];
    uint32_t moved = 0;
    for (uint32_t i = 0; i < num; i++)
        moved += memcmp(&ordered[i], &quads[i], sizeof(*quads)) != 0;
    tm_status status = TM_OK;
    if (moved) {
        tmi_edit_changed(edit, *at, moved, "%s", how->what);
        status = tm_map_set_quads(edit->map, at->index, at->layer, ordered, num, error);
    }
    tmi_free(allocator, ordered, (size_t)num + 1, sizeof(*ordered));
    return status;
}

static tm_status work_on_quads(tmi_edit *edit, const tm_address *at, void *ctx, tm_error *error)
{
    quad_work *how = ctx;
    const tm_layer *layer = tmi_edit_layer_at(edit, at);
    if (layer->kind != TM_LAYER_QUADS)
        return TM_OK;
    how->image = tm_map_image(edit->map, layer->as.quads.image);
    return (how->leaves ? remove_quads : how->order ? order_quads : change_quads)(edit, at, how, error);
}

/* On all quad layers of a set; other layers of it are none of our business. */
static tm_status each_quad_layer(tmi_edit *edit, quad_work *how, tm_error *error)
{
    how->map = edit->map;
    return tmi_edit_each(edit, TM_ADDRESS_LAYER, work_on_quads, how, error);
}

/* ------------------------------------------------------------------------------------------------- shapes */

static tm_status set_coordinate(int32_t *out, int64_t value, tm_error *error)
{
    if (value < INT32_MIN || value > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "a corner would lie %lld px away, the farthest is 2097151",
                        (long long)(value / TM_FX));
    *out = (int32_t)value;
    return TM_OK;
}

static void set_upright(tm_quad *quad, tm_point least, tm_point most)
{
    for (int i = 0; i < CORNERS; i++)
        quad->points[i] = (tm_point){i & 1 ? most.x : least.x, i & 2 ? most.y : least.y};
}

static tm_status square_quad(tm_quad *quad, const quad_work *how, tm_error *error)
{
    tm_point least, most;
    (void)how, (void)error;
    tmi_quad_bounds(&least, &most, quad);
    set_upright(quad, least, most);
    return TM_OK;
}

static tm_status center_quad(tm_quad *quad, const quad_work *how, tm_error *error)
{
    tm_point least, most;
    (void)how, (void)error;
    tmi_quad_bounds(&least, &most, quad);
    quad->points[PIVOT] = (tm_point){(int32_t)(least.x + ((int64_t)most.x - least.x) / 2),
                                     (int32_t)(least.y + ((int64_t)most.y - least.y) / 2)};
    return TM_OK;
}

/* As the editor does: left, right and top stay. */
static tm_status fit_quad(tm_quad *quad, const quad_work *how, tm_error *error)
{
    tm_point least, most;
    tmi_quad_bounds(&least, &most, quad);
    if (!how->image || how->image->width <= 0 || how->image->height <= 0)
        return TM_OK;
    const int64_t width = (int64_t)most.x - least.x;
    TM_TRY(set_coordinate(&most.y,
                          least.y + width / how->image->width * how->image->height +
                              width % how->image->width * how->image->height / how->image->width,
                          error));
    set_upright(quad, least, most);
    return TM_OK;
}

static int64_t whole_px(int64_t value)
{
    const int64_t up = value + TM_FX / 2;
    return (up >= 0 ? up / TM_FX : -((-up + TM_FX - 1) / TM_FX)) * TM_FX;
}

static tm_status align_quad(tm_quad *quad, const quad_work *how, tm_error *error)
{
    (void)how;
    for (int i = 0; i <= PIVOT; i++) {
        TM_TRY(set_coordinate(&quad->points[i].x, whole_px(quad->points[i].x), error));
        TM_TRY(set_coordinate(&quad->points[i].y, whole_px(quad->points[i].y), error));
    }
    return TM_OK;
}

static tm_status turn_quad(tm_quad *quad, const quad_work *how, tm_error *error)
{
    const double x0 = quad->points[PIVOT].x, y0 = quad->points[PIVOT].y;
    for (int i = 0; i < CORNERS; i++) {
        const double x = quad->points[i].x - x0, y = quad->points[i].y - y0;
        const double to_x = x0 + x * how->cosine - y * how->sine, to_y = y0 + x * how->sine + y * how->cosine;
        TM_TRY(set_coordinate(&quad->points[i].x, (int64_t)floor(to_x + 0.5), error));
        TM_TRY(set_coordinate(&quad->points[i].y, (int64_t)floor(to_y + 0.5), error));
    }
    return TM_OK;
}

static tm_status scale_about_pivot(tm_quad *quad, const quad_work *how, tm_error *error)
{
    const tm_point pivot = quad->points[PIVOT];
    for (int i = 0; i < CORNERS; i++) {
        tm_point *at = &quad->points[i];
        const int64_t x = (int64_t)at->x - pivot.x, y = (int64_t)at->y - pivot.y;
        TM_TRY(set_coordinate(&at->x, pivot.x + tmi_edit_divide(x * how->factor, how->below), error));
        TM_TRY(set_coordinate(&at->y, pivot.y + tmi_edit_divide(y * how->factor, how->below), error));
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- operations */

tm_status tmi_quads_scale(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.work = scale_about_pivot, .what = "scaled about their pivots"};
    how.factor = edit->values[0].x;
    how.below = edit->values[0].y;
    return each_quad_layer(edit, &how, error);
}

tm_status tmi_quads_square(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.work = square_quad, .what = "made upright rectangles"};
    return each_quad_layer(edit, &how, error);
}

tm_status tmi_quads_center(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.work = center_quad, .what = "pivots put into the middle"};
    return each_quad_layer(edit, &how, error);
}

tm_status tmi_quads_aspect(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.work = fit_quad, .what = "made as high as their image wants"};
    return each_quad_layer(edit, &how, error);
}

tm_status tmi_quads_align(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.work = align_quad, .what = "put on whole pixels"};
    return each_quad_layer(edit, &how, error);
}

tm_status tmi_quads_front(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.order = TO_FRONT, .what = "quads put in front of the others"};
    return each_quad_layer(edit, &how, error);
}

tm_status tmi_quads_back(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.order = TO_BACK, .what = "quads put behind the others"};
    return each_quad_layer(edit, &how, error);
}

/* Quarter turns are exact. */
tm_status tmi_quads_turn(tmi_edit *edit, tm_error *error)
{
    static const double sines[] = {0, 1, 0, -1};
    static const double degree = 3.14159265358979323846 / 180;
    const int32_t angle = (edit->values[0].x % 360 + 360) % 360;
    quad_work how = {.work = turn_quad, .what = "turned about their pivots"};
    how.sine = angle % 90 ? sin(angle * degree) : sines[angle / 90];
    how.cosine = angle % 90 ? cos(angle * degree) : sines[(angle / 90 + 1) % 4];
    return each_quad_layer(edit, &how, error);
}

static bool is_hidden(const tm_quad *quad, const quad_work *how)
{
    return tmi_quad_is_hidden(how->map, quad);
}

tm_status tmi_clean_quads(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.leaves = is_hidden, .what = "removed, as they cannot be seen"};
    return each_quad_layer(edit, &how, error);
}
