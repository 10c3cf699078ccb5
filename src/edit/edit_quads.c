/* SPDX-License-Identifier: Zlib */
/*
 * Quads made even, and put in order: each works on every quad of the layers meant, or, behind a region, on
 * those whose pivot is in it. A quad's corners stay the corners that they are (top left, top right, bottom
 * left, bottom right), so colors and texture go with them.
 */
#include "edit_geometry.h"

#include <math.h>

enum { CORNERS = 4, PIVOT = 4, TILE_FX = TM_TILE_PX * TM_FX };

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

static bool has_pivot_in(const tmi_edit_value *value, const tm_quad *quad)
{
    if (!value->width)
        return true;
    const int64_t x = quad->points[PIVOT].x, y = quad->points[PIVOT].y;
    const int64_t x0 = (int64_t)value->x * TILE_FX, y0 = (int64_t)value->y * TILE_FX;
    return x >= x0 && y >= y0 && x < x0 + (int64_t)value->width * TILE_FX &&
           y < y0 + (int64_t)value->height * TILE_FX;
}

/* Changes quads where they stand; the layer counts as changed only if one does. */
static tm_status change_quads(tmi_edit *edit, const tm_address *at, const tmi_edit_value *value,
                              const quad_work *how, tm_error *error)
{
    const tm_quad *quads;
    tm_quad *writable = NULL;
    uint32_t num;
    uint64_t changed = 0;
    TM_TRY(tm_map_quads(edit->map, &edit->map->groups[at->index].layers[at->layer], &quads, &num, error));
    for (uint32_t i = 0; i < num; i++) {
        tm_quad quad = quads[i];
        if (!has_pivot_in(value, &quad))
            continue;
        const tm_status status = how->work(&quad, how, error);
        if (status)
            return tmi_fail_at(error, status, "quad %u", (unsigned)i);
        if (memcmp(&quad, &quads[i], sizeof(quad)) == 0)
            continue;
        if (!writable) {
            TM_TRY(tm_map_edit_quads(edit->map, at->index, at->layer, &writable, &num, error));
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

static tm_status remove_quads(tmi_edit *edit, const tm_address *at, const tmi_edit_value *value,
                              const quad_work *how, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(edit->map);
    const tm_quad *quads;
    uint32_t num, kept = 0;
    TM_TRY(tm_map_quads(edit->map, &edit->map->groups[at->index].layers[at->layer], &quads, &num, error));
    tm_quad *stay = tmi_alloc(allocator, (size_t)num + 1, sizeof(*stay));
    if (!stay)
        return tmi_fail_memory(error, (uint64_t)num * sizeof(*stay), "quads");
    for (uint32_t i = 0; i < num; i++)
        if (!has_pivot_in(value, &quads[i]) || !how->leaves(&quads[i], how))
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
static tm_status order_quads(tmi_edit *edit, const tm_address *at, const tmi_edit_value *value,
                             const quad_work *how, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(edit->map);
    const tm_quad *quads;
    uint32_t num, put = 0;
    TM_TRY(tm_map_quads(edit->map, &edit->map->groups[at->index].layers[at->layer], &quads, &num, error));
    tm_quad *ordered = tmi_alloc(allocator, (size_t)num + 1, sizeof(*ordered));
    if (!ordered)
        return tmi_fail_memory(error, (uint64_t)num * sizeof(*ordered), "quads");
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < num; i++)
            if (has_pivot_in(value, &quads[i]) == (pass == (how->order == TO_FRONT)))
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

/* On all quad layers of a set; other layers of it are none of our business. */
static tm_status each_quad_layer(tmi_edit *edit, const tmi_edit_value *value, quad_work *how, tm_error *error)
{
    tmi_edit_objects layers;
    tm_status status = tmi_edit_layers_find(&layers, edit, value, error);
    how->map = edit->map;
    for (size_t i = 0; i < layers.num && !status; i++) {
        const tm_address *at = &layers.list[i];
        const tm_layer *layer = &edit->map->groups[at->index].layers[at->layer];
        if (layer->kind != TM_LAYER_QUADS)
            continue;
        how->image = tm_map_image(edit->map, layer->as.quads.image);
        status = (how->leaves  ? remove_quads
                  : how->order ? order_quads
                               : change_quads)(edit, at, value, how, error);
        if (status)
            tmi_fail_at_address(error, status, edit->map, *at);
    }
    tmi_edit_objects_free(&layers);
    return status;
}

/* ------------------------------------------------------------------------------------------------- shapes */

/* Around the corners, in fx. */
typedef struct quad_box {
    int64_t x0, y0, x1, y1;
} quad_box;

static quad_box box_of(const tm_quad *quad)
{
    quad_box box = {quad->points[0].x, quad->points[0].y, quad->points[0].x, quad->points[0].y};
    for (int i = 1; i < CORNERS; i++) {
        const tm_point *p = &quad->points[i];
        box.x0 = p->x < box.x0 ? p->x : box.x0;
        box.y0 = p->y < box.y0 ? p->y : box.y0;
        box.x1 = p->x > box.x1 ? p->x : box.x1;
        box.y1 = p->y > box.y1 ? p->y : box.y1;
    }
    return box;
}

static tm_status set_coordinate(int32_t *out, int64_t value, tm_error *error)
{
    if (value < INT32_MIN || value > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "a corner would lie %lld px away, the farthest is 2097151",
                        (long long)(value / TM_FX));
    *out = (int32_t)value;
    return TM_OK;
}

static tm_status set_box(tm_quad *quad, const quad_box *box, tm_error *error)
{
    for (int i = 0; i < CORNERS; i++) {
        TM_TRY(set_coordinate(&quad->points[i].x, i & 1 ? box->x1 : box->x0, error));
        TM_TRY(set_coordinate(&quad->points[i].y, i & 2 ? box->y1 : box->y0, error));
    }
    return TM_OK;
}

static tm_status square_quad(tm_quad *quad, const quad_work *how, tm_error *error)
{
    const quad_box box = box_of(quad);
    (void)how;
    return set_box(quad, &box, error);
}

static tm_status center_quad(tm_quad *quad, const quad_work *how, tm_error *error)
{
    const quad_box box = box_of(quad);
    (void)how;
    TM_TRY(set_coordinate(&quad->points[PIVOT].x, box.x0 + (box.x1 - box.x0) / 2, error));
    return set_coordinate(&quad->points[PIVOT].y, box.y0 + (box.y1 - box.y0) / 2, error);
}

/* As the editor does: left, right and top stay. */
static tm_status fit_quad(tm_quad *quad, const quad_work *how, tm_error *error)
{
    quad_box box = box_of(quad);
    if (!how->image || how->image->width <= 0 || how->image->height <= 0)
        return TM_OK;
    const int64_t width = box.x1 - box.x0;
    box.y1 = box.y0 + width / how->image->width * how->image->height +
             width % how->image->width * how->image->height / how->image->width;
    return set_box(quad, &box, error);
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
    return each_quad_layer(edit, &edit->values[1], &how, error);
}

tm_status tmi_quads_square(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.work = square_quad, .what = "made upright rectangles"};
    return each_quad_layer(edit, &edit->values[0], &how, error);
}

tm_status tmi_quads_center(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.work = center_quad, .what = "pivots put into the middle"};
    return each_quad_layer(edit, &edit->values[0], &how, error);
}

tm_status tmi_quads_aspect(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.work = fit_quad, .what = "made as high as their image wants"};
    return each_quad_layer(edit, &edit->values[0], &how, error);
}

tm_status tmi_quads_align(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.work = align_quad, .what = "put on whole pixels"};
    return each_quad_layer(edit, &edit->values[0], &how, error);
}

tm_status tmi_quads_front(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.order = TO_FRONT, .what = "quads put in front of the others"};
    return each_quad_layer(edit, &edit->values[0], &how, error);
}

tm_status tmi_quads_back(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.order = TO_BACK, .what = "quads put behind the others"};
    return each_quad_layer(edit, &edit->values[0], &how, error);
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
    return each_quad_layer(edit, &edit->values[1], &how, error);
}

static bool is_hidden(const tm_quad *quad, const quad_work *how)
{
    return tmi_quad_is_hidden(how->map, quad);
}

tm_status tmi_clean_quads(tmi_edit *edit, tm_error *error)
{
    quad_work how = {.leaves = is_hidden, .what = "removed, as they cannot be seen"};
    return each_quad_layer(edit, &edit->values[0], &how, error);
}
