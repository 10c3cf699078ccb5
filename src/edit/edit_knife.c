/* SPDX-License-Identifier: Zlib */
/*
 * Makes a part of a quad a separate quad, like the editor's knife. The games draw a quad as two triangles
 * along the diagonal from the top left to the bottom right corner; colors and texture of the new corners are
 * those of the triangle in which each lies. So the new quad shows what the old one does there, as long as the
 * two diagonals are one line or the quad is even.
 */
#include "edit.h"

#include <math.h>

enum { KNIFE_CORNERS = 4, KNIFE_PIVOT = 4 };

/* How much of each corner of a quad is in a point; negative beyond the opposite side. */
typedef struct corner_parts {
    double of[KNIFE_CORNERS];
} corner_parts;

static double cross_of(const tm_point *a, const tm_point *b, const tm_point *c)
{
    return ((double)b->x - a->x) * ((double)c->y - a->y) - ((double)b->y - a->y) * ((double)c->x - a->x);
}

/* False if the point is not in the triangle, or that has no extent. */
static bool parts_in_triangle(corner_parts *out, const tm_quad *quad, const int corners[3],
                              const tm_point *at)
{
    const tm_point *a = &quad->points[corners[0]], *b = &quad->points[corners[1]],
                   *c = &quad->points[corners[2]];
    const double all = cross_of(a, b, c);
    memset(out, 0, sizeof(*out));
    if (all == 0)
        return false;
    out->of[corners[0]] = cross_of(at, b, c) / all;
    out->of[corners[1]] = cross_of(a, at, c) / all;
    out->of[corners[2]] = cross_of(a, b, at) / all; /* one minus the others may be a little below 0 */
    return out->of[corners[0]] >= 0 && out->of[corners[1]] >= 0 && out->of[corners[2]] >= 0;
}

static bool parts_in_quad(corner_parts *out, const tm_quad *quad, const tm_point *at)
{
    static const int upper[3] = {0, 3, 1}, lower[3] = {0, 3, 2};
    return parts_in_triangle(out, quad, upper, at) || parts_in_triangle(out, quad, lower, at);
}

static int32_t mix_corners(const corner_parts *parts, const double values[KNIFE_CORNERS])
{
    double sum = 0;
    for (int i = 0; i < KNIFE_CORNERS; i++)
        sum += parts->of[i] * values[i];
    sum = floor(sum + 0.5);
    return sum <= INT32_MIN ? INT32_MIN : sum >= INT32_MAX ? INT32_MAX : (int32_t)sum;
}

#define MIXED(parts, quad, list, field)                                                                      \
    mix_corners(parts, (const double[]){(quad)->list[0].field, (quad)->list[1].field, (quad)->list[2].field, \
                                        (quad)->list[3].field})

static void take_corner(tm_quad *out, int corner, const tm_quad *from, const corner_parts *parts)
{
    out->colors[corner] = (tm_color){MIXED(parts, from, colors, r), MIXED(parts, from, colors, g),
                                     MIXED(parts, from, colors, b), MIXED(parts, from, colors, a)};
    out->texture[corner] = (tm_point){MIXED(parts, from, texture, x), MIXED(parts, from, texture, y)};
}

static void put_pivot_between(tm_quad *quad)
{
    int64_t x = 0, y = 0;
    for (int i = 0; i < KNIFE_CORNERS; i++) {
        x += quad->points[i].x;
        y += quad->points[i].y;
    }
    quad->points[KNIFE_PIVOT] = (tm_point){(int32_t)(x / KNIFE_CORNERS), (int32_t)(y / KNIFE_CORNERS)};
}

/* Envelopes stay: the part moves as the whole does, about the same pivot if it turns. */
static tm_status cut_quad(tm_quad *out, const tm_quad *quad, const tmi_edit_value *corners, tm_error *error)
{
    *out = *quad;
    for (int i = 0; i < KNIFE_CORNERS; i++) {
        const int64_t x = (int64_t)corners[i].x * TM_FX, y = (int64_t)corners[i].y * TM_FX;
        const tm_point at = {(int32_t)x, (int32_t)y};
        corner_parts parts;
        if (x != at.x || y != at.y || !parts_in_quad(&parts, quad, &at))
            return tmi_fail(error, TM_ERROR_USAGE, -1, "the corner %d,%d does not lie in the quad",
                            (int)corners[i].x, (int)corners[i].y);
        out->points[i] = at;
        take_corner(out, i, quad, &parts);
    }
    if (quad->position_envelope == TM_NONE)
        put_pivot_between(out);
    return TM_OK;
}

static tm_status cut_in_layer(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    const tm_layer *layer = at->kind == TM_ADDRESS_LAYER ? tmi_edit_layer_at(edit, at) : NULL;
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
    TM_TRY(tmi_map_insert_elements(edit->map, at, (uint32_t)number + 1, &part, 1, error));
    tmi_edit_changed(edit, *at, 1, "a part of quad %d is quad %d now", (int)number, (int)number + 1);
    return TM_OK;
}

tm_status tmi_quads_knife(tmi_edit *edit, tm_error *error)
{
    if (edit->num_values != 2 + KNIFE_CORNERS)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "a quad has four corners: top left, top right, bottom left, bottom right");
    return tmi_edit_each(edit, TM_ADDRESS_MAP, cut_in_layer, NULL, error);
}
