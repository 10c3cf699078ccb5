/* SPDX-License-Identifier: Zlib */
/*
 * Quad layers (section 7): each quad is two triangles that meet between its first and fourth point; colors and texture
 * coordinates run straight across a triangle. Corners lie on a grid of 1/256 pixel, and a pixel belongs to a triangle if its centre is inside or on a top
 * or left edge.
 */
#include "render.h"

#include <math.h>

enum { SUB = 256 };
enum { QUAD_COST = 16, ROW_COST = 4 }; /* what they count as, in pixels, even where nothing is seen of them */

typedef struct vertex {
    double x, y;      /* pixels */
    double values[6]; /* r, g, b, a (0..255), u, v (texture sides) */
} vertex;

/* A value that runs straight over the picture. */
typedef struct plane {
    double base, dx, dy; /* at the origin of the triangle, for a pixel right and down */
} plane;

typedef struct brush {
    const tmi_chain *chain; /* NULL: colors alone */
    tmi_rgba factor;
} brush;

/* ---------------------------------------------------------------------------------------------------------- texture */

static inline uint32_t wrap(int64_t i, uint32_t side)
{
    if ((side & (side - 1)) == 0)
        return (uint32_t)i & (side - 1);
    const int64_t rest = i % (int64_t)side;
    return (uint32_t)(rest < 0 ? rest + side : rest);
}

static inline tmi_rgba sample_level(const tmi_chain *chain, uint32_t level, double u, double v)
{
    const uint32_t w = chain->widths[level], h = chain->heights[level];
    const double x = u * w - 0.5, y = v * h - 0.5, low_x = floor(x), low_y = floor(y);
    const float fx = (float)(x - low_x), fy = (float)(y - low_y);
    const uint32_t x0 = wrap((int64_t)low_x, w), x1 = x0 + 1 < w ? x0 + 1 : 0;
    const uint32_t y0 = wrap((int64_t)low_y, h), y1 = y0 + 1 < h ? y0 + 1 : 0;
    const uint8_t *top = chain->levels[level] + (size_t)y0 * w * 4,
                  *bottom = chain->levels[level] + (size_t)y1 * w * 4;
    const tmi_rgba t = tmi_load(top + 4 * (size_t)x0) * (1 - fx) + tmi_load(top + 4 * (size_t)x1) * fx;
    const tmi_rgba b = tmi_load(bottom + 4 * (size_t)x0) * (1 - fx) + tmi_load(bottom + 4 * (size_t)x1) * fx;
    return t * (1 - fy) + b * fy;
}

static inline tmi_rgba sample(const tmi_chain *chain, tmi_lod lod, double u, double v)
{
    tmi_rgba texel = sample_level(chain, lod.level, u, v);
    if (lod.weight > 0)
        texel = texel * (1 - lod.weight) + sample_level(chain, lod.next, u, v) * lod.weight;
    return texel;
}

/* -------------------------------------------------------------------------------------------------------- triangles */

/* Twice the signed area, in grid steps. */
static int64_t area_of(const int64_t x[3], const int64_t y[3])
{
    return (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
}

static int64_t floor_div(int64_t a, int64_t b) /* b > 0 */
{
    return a / b - (a % b < 0);
}

/* Narrows [*low, *high) to the pixels of a row whose centres are on the inner side of an edge; the triangle runs clockwise on the screen. */
static void cut_span(int64_t x0, int64_t y0, int64_t x1, int64_t y1, int64_t row, int64_t *low, int64_t *high)
{
    const int64_t dx = x1 - x0, dy = y1 - y0, py = row * SUB + SUB / 2;
    const bool top_left = dy < 0 || (dy == 0 && dx > 0);
    /* inside: dx (py - y0) - dy (px - x0) >= 0, or > 0 on other than top and left edges; px = i SUB + SUB/2 */
    const int64_t rest = dx * (py - y0) + dy * x0 - (top_left ? 0 : 1);
    if (dy == 0) {
        if (rest < 0)
            *high = *low;
    } else if (dy < 0) {                          /* left edge: px >= -rest / -dy */
        const int64_t px = -floor_div(rest, -dy); /* ceil(-rest / -dy) */
        const int64_t i = tmi_first_pixel(px);
        if (i > *low)
            *low = i;
    } else { /* right edge: px <= rest / dy */
        const int64_t i = tmi_first_pixel(floor_div(rest, dy) + 1);
        if (i < *high)
            *high = i;
    }
}

static plane plane_of(const double x[3], const double y[3], double a, double b, double c)
{
    const double d = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    const double dx = ((b - a) * (y[2] - y[0]) - (c - a) * (y[1] - y[0])) / d;
    const double dy = ((c - a) * (x[1] - x[0]) - (b - a) * (x[2] - x[0])) / d;
    return (plane){a, dx, dy};
}

static double length2(double a, double b)
{
    return a * a + b * b;
}

static tmi_lod lod_of(const tmi_chain *chain, const plane *u, const plane *v)
{
    const double w = chain->widths[0], h = chain->heights[0];
    const double across = length2(u->dx * w, v->dx * h), down = length2(u->dy * w, v->dy * h);
    return tmi_lod_of(chain, sqrt(across > down ? across : down));
}

/* Slivers may send coordinates beyond what integers hold. */
static double sane(double coordinate)
{
    return coordinate > -1e9 && coordinate < 1e9 ? coordinate : 0;
}

static void draw_span(const brush *with, const plane planes[6], tmi_lod lod, double ox, double oy,
                      int64_t row, int64_t low, int64_t high, uint8_t *to)
{
    const double y = (double)row + 0.5 - oy;
    for (int64_t i = low; i < high; i++, to += 4) {
        const double x = (double)i + 0.5 - ox;
        double at[6];
        for (int k = 0; k < (with->chain ? 6 : 4); k++)
            at[k] = planes[k].base + planes[k].dx * x + planes[k].dy * y;
        tmi_rgba color = {(float)at[0], (float)at[1], (float)at[2], (float)at[3]};
        color = color * with->factor;
        if (with->chain)
            color = color * sample(with->chain, lod, sane(at[4]), sane(at[5])) / 255;
        for (int k = 0; k < 4; k++)
            color[k] = color[k] < 0 ? 0 : color[k];
        tmi_blend(to, color);
    }
}

static void draw_triangle(const brush *with, const vertex *a, const vertex *b, const vertex *c,
                          const tmi_target *target)
{
    const vertex *v[3] = {a, b, c};
    int64_t x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = tmi_snap(v[k]->x);
        y[k] = tmi_snap(v[k]->y);
    }
    const int64_t area = area_of(x, y);
    if (area == 0)
        return;
    if (area < 0) { /* drawn from both sides */
        const vertex *other = v[1];
        int64_t t = x[1];
        v[1] = v[2], v[2] = other;
        x[1] = x[2], x[2] = t;
        t = y[1];
        y[1] = y[2], y[2] = t;
    }
    double px[3], py[3];
    for (int k = 0; k < 3; k++) {
        px[k] = (double)x[k] / SUB;
        py[k] = (double)y[k] / SUB;
    }
    plane planes[6];
    for (int k = 0; k < 6; k++)
        planes[k] = plane_of(px, py, v[0]->values[k], v[1]->values[k], v[2]->values[k]);
    const tmi_lod lod = with->chain ? lod_of(with->chain, &planes[4], &planes[5]) : (tmi_lod){0, 0, 0};
    int64_t top = y[0], bottom = y[0];
    for (int k = 1; k < 3; k++) {
        top = y[k] < top ? y[k] : top;
        bottom = y[k] > bottom ? y[k] : bottom;
    }
    int64_t row = tmi_first_pixel(top), end = tmi_first_pixel(bottom) + 1;
    row = row < target->clip_top ? target->clip_top : row;
    end = end > target->clip_bottom ? target->clip_bottom : end;
    for (; row < end; row++) {
        int64_t low = target->clip_left, high = target->clip_right;
        for (int k = 0; k < 3; k++)
            cut_span(x[k], y[k], x[(k + 1) % 3], y[(k + 1) % 3], row, &low, &high);
        if (!tmi_spend(target->allowance, ROW_COST + (low < high ? (uint64_t)(high - low) : 0)))
            return;
        if (low < high)
            draw_span(with, planes, lod, px[0], py[0], row, low, high,
                      target->pixels + (size_t)(row - target->first_row) * target->row_stride +
                          (size_t)low * 4);
    }
}

/* ------------------------------------------------------------------------------------------------------------- guard */

/* Beyond this many pixels the grid's products no longer fit 64 bits; what reaches further is cut first, as on a GPU. */
static const double GUARD = 1 << 20;

static vertex between(const vertex *a, const vertex *b, double t)
{
    vertex out = {a->x + (b->x - a->x) * t, a->y + (b->y - a->y) * t, {0}};
    for (int k = 0; k < 6; k++)
        out.values[k] = a->values[k] + (b->values[k] - a->values[k]) * t;
    return out;
}

/* How far inside one of the four sides of the guard a vertex is. */
static double inside(const vertex *v, int side)
{
    const double coordinate = side & 1 ? v->y : v->x;
    return side & 2 ? GUARD - coordinate : coordinate + GUARD;
}

static int cut_side(vertex *out, const vertex *in, int num, int side)
{
    int kept = 0;
    for (int i = 0; i < num; i++) {
        const vertex *a = &in[i], *b = &in[(i + 1) % num];
        const double da = inside(a, side), db = inside(b, side);
        if (da >= 0)
            out[kept++] = *a;
        if ((da >= 0) != (db >= 0))
            out[kept++] = between(a, b, da / (da - db));
    }
    return kept;
}

static bool within_guard(const vertex *v)
{
    return v->x >= -GUARD && v->x <= GUARD && v->y >= -GUARD && v->y <= GUARD;
}

static void draw_guarded(const brush *with, const vertex *a, const vertex *b, const vertex *c,
                         const tmi_target *target)
{
    if (within_guard(a) && within_guard(b) && within_guard(c)) {
        draw_triangle(with, a, b, c, target);
        return;
    }
    vertex one[8] = {*a, *b, *c}, other[8];
    int num = 3;
    for (int side = 0; side < 4 && num > 0; side += 2) {
        num = cut_side(other, one, num, side);
        num = cut_side(one, other, num, side + 1);
    }
    for (int i = 2; i < num; i++)
        draw_triangle(with, &one[0], &one[i - 1], &one[i], target);
}

/* -------------------------------------------------------------------------------------------------------------- quads */

typedef struct placement {
    double x, y; /* px */
    double sine, cosine;
} placement;

static placement placement_of(const tm_map *map, const tm_quad *quad, double time)
{
    const tm_envelope *envelope = tm_map_envelope(map, quad->position_envelope);
    double values[4] = {0, 0, 0, 0};
    if (envelope)
        tm_envelope_evaluate(envelope, time + quad->position_offset, 3, values);
    const double radians = values[2] * (3.14159265358979323846 / 180);
    return (placement){values[0], values[1], values[2] == 0 ? 0 : sin(radians),
                       values[2] == 0 ? 1 : cos(radians)};
}

static vertex corner(const tm_quad *quad, int k, const placement *place, const tmi_screen *screen)
{
    const double px = quad->points[4].x / 1024.0, py = quad->points[4].y / 1024.0;
    const double x = quad->points[k].x / 1024.0 - px, y = quad->points[k].y / 1024.0 - py;
    const double wx = px + x * place->cosine - y * place->sine + place->x,
                 wy = py + x * place->sine + y * place->cosine + place->y;
    const tm_color *color = &quad->colors[k];
    return (vertex){
        (double)tmi_snap((wx - screen->left) * screen->scale_x) / SUB - screen->origin_x,
        (double)tmi_snap((wy - screen->top) * screen->scale_y) / SUB - screen->origin_y,
        {color->r, color->g, color->b, color->a, quad->texture[k].x / 1024.0, quad->texture[k].y / 1024.0}};
}

static void draw_quad(const tm_renderer *renderer, const tm_quad *quad, brush *with, const tmi_screen *screen,
                      const tmi_target *target, double time)
{
    static const tm_color white = {255, 255, 255, 255};
    with->factor = tmi_color_factor(renderer->map, white, quad->color_envelope, quad->color_offset, time);
    if (with->factor[3] <= 0)
        return;
    const placement place = placement_of(renderer->map, quad, time);
    vertex corners[4];
    for (int k = 0; k < 4; k++)
        corners[k] = corner(quad, k, &place, screen);
    draw_guarded(with, &corners[0], &corners[1], &corners[3], target);
    draw_guarded(with, &corners[0], &corners[3], &corners[2], target);
}

tm_status tmi_draw_quads(const tm_renderer *renderer, const tm_layer *layer, const tmi_screen *screen,
                         const tmi_target *target, double time, tm_error *error)
{
    const tm_quad_layer *quads = &layer->as.quads;
    const tmi_picture *picture = quads->image == TM_NONE ? NULL : &renderer->pictures[quads->image];
    const void *bytes;
    if (picture && picture->state == TMI_PICTURE_NONE)
        return TM_OK;
    const tm_status status = tm_map_data(renderer->map, quads->quads, &bytes, NULL, error);
    if (status == TM_ERROR_DAMAGED)
        return TM_OK; /* said when the map was prepared */
    TM_TRY(status);
    brush with = {picture && picture->state == TMI_PICTURE_THERE ? &picture->whole : NULL, {1, 1, 1, 1}};
    for (uint32_t i = 0; i < quads->num_quads && tmi_spend(target->allowance, QUAD_COST); i++)
        draw_quad(renderer, (const tm_quad *)bytes + i, &with, screen, target, time);
    return target->allowance->over ? tmi_over_limit(error) : TM_OK;
}
