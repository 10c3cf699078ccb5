/* SPDX-License-Identifier: Zlib */
/*
 * Quads made even, and put in order: each works on every quad of the layers meant, or, behind a region, on
 * those whose pivot is in it. A quad's corners stay the corners that they are (top left, top right, bottom
 * left, bottom right), so colors and texture go with them.
 */
#include "edit_geometry.h"

#include <math.h>

enum { CORNERS = 4, PIVOT = 4 };

/* What a quad is changed by. */
typedef struct quad_ctx {
    const tmi_edit *edit;
    const tm_image *image; /* of the layer; NULL: none */
} quad_ctx;

typedef tm_status quad_function(tm_quad *quad, const quad_ctx *of, tm_error *error);

/* ------------------------------------------------------------------------------------------------- shapes */

static void set_upright(tm_quad *quad, tm_point least, tm_point most)
{
    for (int i = 0; i < CORNERS; i++)
        quad->points[i] = (tm_point){i & 1 ? most.x : least.x, i & 2 ? most.y : least.y};
}

static tm_status square_quad(tm_quad *quad, const quad_ctx *of, tm_error *error)
{
    tm_point least, most;
    (void)of, (void)error;
    tmi_quad_bounds(&least, &most, quad);
    set_upright(quad, least, most);
    return TM_OK;
}

static tm_status center_quad(tm_quad *quad, const quad_ctx *of, tm_error *error)
{
    tm_point least, most;
    (void)of, (void)error;
    tmi_quad_bounds(&least, &most, quad);
    quad->points[PIVOT] = (tm_point){(int32_t)(least.x + ((int64_t)most.x - least.x) / 2),
                                     (int32_t)(least.y + ((int64_t)most.y - least.y) / 2)};
    return TM_OK;
}

/* As the editor does: left, right and top stay. */
static tm_status fit_quad(tm_quad *quad, const quad_ctx *of, tm_error *error)
{
    tm_point least, most;
    tmi_quad_bounds(&least, &most, quad);
    if (!of->image || of->image->width <= 0 || of->image->height <= 0)
        return TM_OK;
    const int64_t width = (int64_t)most.x - least.x;
    TM_TRY(tmi_edit_put_int(&most.y,
                            least.y + width / of->image->width * of->image->height +
                                width % of->image->width * of->image->height / of->image->width,
                            error));
    set_upright(quad, least, most);
    return TM_OK;
}

static int64_t whole_px(int64_t value)
{
    return tmi_floor_div(value + TM_FX / 2, TM_FX) * TM_FX;
}

static tm_status align_quad(tm_quad *quad, const quad_ctx *of, tm_error *error)
{
    (void)of;
    for (int i = 0; i <= PIVOT; i++) {
        TM_TRY(tmi_edit_put_int(&quad->points[i].x, whole_px(quad->points[i].x), error));
        TM_TRY(tmi_edit_put_int(&quad->points[i].y, whole_px(quad->points[i].y), error));
    }
    return TM_OK;
}

static tm_status turn_quad(tm_quad *quad, const quad_ctx *of, tm_error *error)
{
    static const double sines[] = {0, 1, 0, -1}; /* quarter turns are exact */
    static const double degree = 3.14159265358979323846 / 180;
    const int32_t angle = (of->edit->values[0].x % 360 + 360) % 360;
    const double sine = angle % 90 ? sin(angle * degree) : sines[angle / 90];
    const double cosine = angle % 90 ? cos(angle * degree) : sines[(angle / 90 + 1) % 4];
    const double x0 = quad->points[PIVOT].x, y0 = quad->points[PIVOT].y;
    for (int i = 0; i < CORNERS; i++) {
        const double x = quad->points[i].x - x0, y = quad->points[i].y - y0;
        const double to_x = x0 + x * cosine - y * sine, to_y = y0 + x * sine + y * cosine;
        TM_TRY(tmi_edit_put_int(&quad->points[i].x, (int64_t)floor(to_x + 0.5), error));
        TM_TRY(tmi_edit_put_int(&quad->points[i].y, (int64_t)floor(to_y + 0.5), error));
    }
    return TM_OK;
}

static tm_status scale_about_pivot(tm_quad *quad, const quad_ctx *of, tm_error *error)
{
    const tm_point pivot = quad->points[PIVOT];
    const tmi_edit_value *factor = &of->edit->values[0];
    for (int i = 0; i < CORNERS; i++) {
        tm_point *at = &quad->points[i];
        const int64_t x = (int64_t)at->x - pivot.x, y = (int64_t)at->y - pivot.y;
        TM_TRY(tmi_edit_put_int(&at->x, pivot.x + tmi_edit_divide(x * factor->x, factor->y), error));
        TM_TRY(tmi_edit_put_int(&at->y, pivot.y + tmi_edit_divide(y * factor->x, factor->y), error));
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ layers */

typedef struct quads_row {
    const char *operation, *what; /* what is done, for the report */
    quad_function *work;          /* NULL: quads go, or stand elsewhere in their list */
} quads_row;

static const quads_row rows[] = {
    {"quads align", "put on whole pixels", align_quad},
    {"quads square", "made upright rectangles", square_quad},
    {"quads aspect", "made as high as their image wants", fit_quad},
    {"quads center", "pivots put into the middle", center_quad},
    {"quads scale", "scaled about their pivots", scale_about_pivot},
    {"quads turn", "turned about their pivots", turn_quad},
    {"quads front", "put in front of the others", NULL},
    {"quads back", "moved behind the others", NULL},
    {"clean quads", "removed, as they cannot be seen", NULL},
};

static void tell_quads(tmi_edit *edit, const tm_address *at, const char *what, uint32_t num)
{
    tmi_edit_changed(edit, *at, num, "%s: %u quad%s", what, (unsigned)num, num == 1 ? "" : "s");
}

/* Changes quads where they stand; the layer counts as changed only if one does. */
static tm_status change_quads(tmi_edit *edit, const tm_address *at, const quads_row *row, tm_error *error)
{
    const tm_layer *layer = tmi_edit_layer_at(edit, at);
    const quad_ctx of = {edit, tm_map_image(edit->map, layer->as.quads.image)};
    const tm_quad *quads;
    tm_quad *writable = NULL;
    uint32_t num, changed = 0;
    TM_TRY(tm_map_quads(&quads, &num, edit->map, layer, error));
    for (uint32_t i = 0; i < num; i++) {
        tm_quad quad = quads[i];
        if (!tmi_edit_region_holds(edit->value, quad.points[PIVOT]))
            continue;
        const tm_status status = row->work(&quad, &of, error);
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
        tell_quads(edit, at, row->what, changed);
    return TM_OK;
}

/* 0: before the others; 1: behind them; -1: it goes. */
static int new_place(const tmi_edit *edit, const tm_quad *quad)
{
    const bool inside = tmi_edit_region_holds(edit->value, quad->points[PIVOT]);
    if (strcmp(edit->operation->name, "clean quads") == 0)
        return inside && tmi_quad_is_hidden(edit->map, quad) ? -1 : 0;
    return inside == (strcmp(edit->operation->name, "quads front") == 0);
}

/* Both the selected quads and the others keep their order. */
static tm_status list_quads_anew(tmi_edit *edit, const tm_address *at, const quads_row *row, tm_error *error)
{
    const tm_quad *quads;
    tm_quad *list;
    uint32_t num, put = 0;
    TM_TRY(tm_map_quads(&quads, &num, edit->map, tmi_edit_layer_at(edit, at), error));
    TM_TRY(tmi_reserve(&list, edit->scratch, (size_t)num + 1, sizeof(*list), "quads", error));
    for (int place = 0; place < 2; place++)
        for (uint32_t i = 0; i < num; i++)
            if (new_place(edit, &quads[i]) == place)
                list[put++] = quads[i];
    uint32_t changed = num - put;
    for (uint32_t i = 0; put == num && i < num; i++)
        changed += memcmp(&list[i], &quads[i], sizeof(*quads)) != 0;
    if (!changed)
        return TM_OK;
    tell_quads(edit, at, row->what, changed);
    return tm_map_set_quads(edit->map, at->index, at->layer, list, put, error);
}

/* Other layers of a set are none of its business. */
tm_status tmi_quads_change(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    const quads_row *row = rows;
    while (strcmp(row->operation, edit->operation->name) != 0)
        row++;
    if (tmi_edit_layer_at(edit, at)->kind != TM_LAYER_QUADS)
        return TM_OK;
    return (row->work ? change_quads : list_quads_anew)(edit, at, row, error);
}
