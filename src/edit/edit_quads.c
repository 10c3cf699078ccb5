/* SPDX-License-Identifier: Zlib */
/*
 * Operations that straighten quads and put them in order. Each works on all quads of the chosen layers, or on
 * those whose pivot is in a region. A quad's corners keep their order (top left, top right, bottom left,
 * bottom right), so colors and texture go with them.
 */
#include "edit_geometry.h"

#include <math.h>

enum { CORNERS = 4, PIVOT = 4 };

/* What the change of a quad depends on. */
typedef struct quad_ctx {
    const tmi_edit *edit;
    const struct quads_row *row;
    const tm_image *image; /* of the layer; NULL: none */
} quad_ctx;

typedef tm_status quad_function(tm_quad *quad, const quad_ctx *context, tm_error *error);

/* ------------------------------------------------------------------------------------------------- shapes */

static void set_upright(tm_quad *quad, tm_point least, tm_point most)
{
    for (int i = 0; i < CORNERS; i++)
        quad->points[i] = (tm_point){i & 1 ? most.x : least.x, i & 2 ? most.y : least.y};
}

static tm_status square_quad(tm_quad *quad, const quad_ctx *context, tm_error *error)
{
    tm_point least, most;
    (void)context, (void)error;
    tmi_quad_bounds(&least, &most, quad);
    set_upright(quad, least, most);
    return TM_OK;
}

static tm_status center_quad(tm_quad *quad, const quad_ctx *context, tm_error *error)
{
    tm_point least, most;
    (void)context, (void)error;
    tmi_quad_bounds(&least, &most, quad);
    quad->points[PIVOT] = (tm_point){(int32_t)(least.x + ((int64_t)most.x - least.x) / 2),
                                     (int32_t)(least.y + ((int64_t)most.y - least.y) / 2)};
    return TM_OK;
}

/* Gives a quad the aspect of its image, as the editor does: left, right and top stay. */
static tm_status fit_quad(tm_quad *quad, const quad_ctx *context, tm_error *error)
{
    tm_point least, most;
    tmi_quad_bounds(&least, &most, quad);
    if (!context->image || context->image->width <= 0 || context->image->height <= 0)
        return TM_OK;
    const int64_t width = (int64_t)most.x - least.x;
    TM_TRY(
        tmi_edit_put_int(&most.y,
                         least.y + width / context->image->width * context->image->height +
                             width % context->image->width * context->image->height / context->image->width,
                         error));
    set_upright(quad, least, most);
    return TM_OK;
}

static tm_status align_quad(tm_quad *quad, const quad_ctx *context, tm_error *error)
{
    (void)context;
    for (int i = 0; i <= PIVOT; i++) {
        const int64_t half = TM_FX / 2, x = quad->points[i].x + half, y = quad->points[i].y + half;
        TM_TRY(tmi_edit_put_int(&quad->points[i].x, tmi_floor_div(x, TM_FX) * TM_FX, error));
        TM_TRY(tmi_edit_put_int(&quad->points[i].y, tmi_floor_div(y, TM_FX) * TM_FX, error));
    }
    return TM_OK;
}

static tm_status turn_quad(tm_quad *quad, const quad_ctx *context, tm_error *error)
{
    static const double sines[] = {0, 1, 0, -1}; /* quarter turns are exact */
    static const double degree = 3.14159265358979323846 / 180;
    const int32_t angle = (context->edit->values[0].x % 360 + 360) % 360;
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

static tm_status scale_about_pivot(tm_quad *quad, const quad_ctx *context, tm_error *error)
{
    const tm_point pivot = quad->points[PIVOT];
    const tmi_edit_value *factor = &context->edit->values[0];
    for (int i = 0; i < CORNERS; i++) {
        tm_point *point = &quad->points[i];
        const int64_t x = (int64_t)point->x - pivot.x, y = (int64_t)point->y - pivot.y;
        TM_TRY(tmi_edit_put_int(&point->x, pivot.x + tmi_edit_divide(x * factor->x, factor->y), error));
        TM_TRY(tmi_edit_put_int(&point->y, pivot.y + tmi_edit_divide(y * factor->x, factor->y), error));
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ layers */

typedef struct quads_row {
    const char *operation, *done; /* what is done, for the report */
    quad_function *work;          /* NULL: quads are removed, or moved in their list: */
    int order;                    /* 1: to its end, which is drawn last; -1: to its begin */
} quads_row;

static const quads_row rows[] = {
    {"quads align", "put on whole pixels", align_quad, 0},
    {"quads square", "made upright rectangles", square_quad, 0},
    {"quads aspect", "made as high as their image wants", fit_quad, 0},
    {"quads center", "pivots put into the middle", center_quad, 0},
    {"quads scale", "scaled about their pivots", scale_about_pivot, 0},
    {"quads turn", "turned about their pivots", turn_quad, 0},
    {"quads front", "put in front of the others", NULL, 1},
    {"quads back", "moved behind the others", NULL, -1},
    {"clean quads", "removed, as they cannot be seen", NULL, 0},
};

/* Changes a quad where it stands, or removes one that cannot be seen. */
static tm_status change_quad(void *ctx, void *quad, bool *kept, tm_error *error)
{
    const quad_ctx *context = ctx;
    *kept = context->row->work || !tmi_quad_is_hidden(context->edit->map, quad);
    return context->row->work ? context->row->work(quad, context, error) : TM_OK;
}

/* Puts the selected quads behind the others in the list, or before them; both keep their order. */
static tm_status order_quads(uint32_t *changed, tmi_edit *edit, const tm_address *address, bool selected_last,
                             tm_error *error)
{
    const tm_quad *quads;
    tm_quad *list;
    uint32_t num, put = 0;
    TM_TRY(tm_map_quads(&quads, &num, edit->map, tmi_edit_layer_at(edit, address), error));
    TM_TRY(tmi_reserve(&list, edit->scratch, num, sizeof(*list), "quads", error));
    for (int last = 0; last < 2; last++)
        for (uint32_t i = 0; i < num; i++)
            if ((tmi_edit_region_holds(edit->value, quads[i].points[PIVOT]) == selected_last) == (last == 1))
                list[put++] = quads[i];
    for (uint32_t i = 0; i < num; i++)
        *changed += memcmp(&list[i], &quads[i], sizeof(*quads)) != 0;
    return *changed ? tm_map_set_quads(edit->map, address->index, address->layer, list, num, error) : TM_OK;
}

/* Applies an operation on quads to one layer of a set; does nothing to layers of other kinds. */
tm_status tmi_quads_change(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const tm_layer *layer = tmi_edit_layer_at(edit, address);
    quad_ctx context = {edit, rows, tm_map_image(edit->map, tmi_image_shown(layer))};
    uint32_t changed = 0;
    while (strcmp(context.row->operation, edit->operation->name) != 0)
        context.row++;
    if (layer->kind != TM_LAYER_QUADS)
        return TM_OK;
    TM_TRY(context.row->order
               ? order_quads(&changed, edit, address, context.row->order > 0, error)
               : tmi_edit_elements_change(&changed, edit, address, change_quad, &context, error));
    if (changed)
        tmi_edit_changed(edit, *address, changed, "%s: %u quad%s", context.row->done, (unsigned)changed,
                         changed == 1 ? "" : "s");
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- knife */

/*
 * Makes a part of a quad a separate quad, like the editor's knife. The games draw a quad as two triangles
 * along the diagonal from the top left to the bottom right corner; colors and texture of the new corners are
 * those of the triangle in which each lies. So the new quad shows what the old one does there, as long as the
 * two diagonals are one line or the quad is even.
 */

static double cross_of(const tm_point *a, const tm_point *b, const tm_point *c)
{
    return ((double)b->x - a->x) * ((double)c->y - a->y) - ((double)b->y - a->y) * ((double)c->x - a->x);
}

/*
 * The weights of a triangle's corners at a point, by the corners of the quad; negative beyond the opposite
 * side. False: it lies outside, or the triangle has no area.
 */
static bool parts_in_triangle(double out[CORNERS], const tm_quad *quad, const int corners[3],
                              const tm_point *point)
{
    const tm_point *a = &quad->points[corners[0]], *b = &quad->points[corners[1]],
                   *c = &quad->points[corners[2]];
    const double all = cross_of(a, b, c);
    memset(out, 0, CORNERS * sizeof(*out));
    if (all == 0)
        return false;
    out[corners[0]] = cross_of(point, b, c) / all;
    out[corners[1]] = cross_of(a, point, c) / all;
    out[corners[2]] = cross_of(a, b, point) / all; /* one minus the others may be a little below 0 */
    return out[corners[0]] >= 0 && out[corners[1]] >= 0 && out[corners[2]] >= 0;
}

static int32_t mix_corners(const double parts[CORNERS], const double values[CORNERS])
{
    double sum = 0;
    for (int i = 0; i < CORNERS; i++)
        sum += parts[i] * values[i];
    sum = floor(sum + 0.5);
    return sum <= INT32_MIN ? INT32_MIN : sum >= INT32_MAX ? INT32_MAX : (int32_t)sum;
}

#define MIXED(parts, quad, list, field)                                                                      \
    mix_corners(parts, (const double[]){(quad)->list[0].field, (quad)->list[1].field, (quad)->list[2].field, \
                                        (quad)->list[3].field})

/* Cuts a part out of a quad. It keeps envelopes and pivot, so that it moves and turns as the whole does. */
static tm_status cut_quad(tm_quad *out, const tm_quad *quad, const tmi_edit_value *corners, tm_error *error)
{
    static const int upper[3] = {0, 3, 1}, lower[3] = {0, 3, 2};
    int64_t sum[2] = {0, 0};
    *out = *quad;
    for (int i = 0; i < CORNERS; i++) {
        const int64_t x = (int64_t)corners[i].x * TM_FX, y = (int64_t)corners[i].y * TM_FX;
        const tm_point point = {(int32_t)x, (int32_t)y};
        double parts[CORNERS];
        if (x != point.x || y != point.y ||
            !(parts_in_triangle(parts, quad, upper, &point) || parts_in_triangle(parts, quad, lower, &point)))
            return tmi_fail(error, TM_ERROR_USAGE, -1, "the corner %d,%d does not lie in the quad",
                            (int)corners[i].x, (int)corners[i].y);
        out->points[i] = point;
        out->colors[i] = (tm_color){MIXED(parts, quad, colors, r), MIXED(parts, quad, colors, g),
                                    MIXED(parts, quad, colors, b), MIXED(parts, quad, colors, a)};
        out->texture[i] = (tm_point){MIXED(parts, quad, texture, x), MIXED(parts, quad, texture, y)};
        sum[0] += point.x;
        sum[1] += point.y;
    }
    if (quad->position_envelope == TM_NONE)
        out->points[PIVOT] = (tm_point){(int32_t)(sum[0] / CORNERS), (int32_t)(sum[1] / CORNERS)};
    return TM_OK;
}

static tm_status cut_in_layer(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const tm_layer *layer = address->kind == TM_KIND_LAYER ? tmi_edit_layer_at(edit, address) : NULL;
    const int32_t number = edit->values[1].x;
    const tm_quad *quads;
    tm_quad part;
    uint32_t num;
    if (!layer || layer->kind != TM_LAYER_QUADS)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not a layer of quads", edit->values[0].text);
    TM_TRY(tm_map_quads(&quads, &num, edit->map, layer, error));
    if (number < 0 || (uint32_t)number >= num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no quad %d: the layer has %u", (int)number,
                        (unsigned)num);
    TM_TRY(cut_quad(&part, &quads[number], &edit->values[2], error));
    TM_TRY(tmi_map_insert_elements(edit->map, address, (uint32_t)number + 1, &part, 1, error));
    tmi_edit_changed(edit, *address, 1, "a part of quad %d is quad %d now", (int)number, (int)number + 1);
    return TM_OK;
}

tm_status tmi_quads_knife(tmi_edit *edit, tm_error *error)
{
    if (edit->num_values != 2 + CORNERS)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "a quad has four corners: top left, top right, bottom left, bottom right");
    return tmi_edit_each(edit, TM_KIND_MAP, cut_in_layer, NULL, error);
}
