/* SPDX-License-Identifier: Zlib */
/*
 * Quad layers (section 7): each quad is two triangles that meet between its first and fourth point; colors
 * and texture coordinates run straight across a triangle. Corners lie on a grid of 1/256 pixel, and a pixel
 * belongs to a triangle if its centre is inside or on a bottom or left edge.
 */
#include "render.h"

#include <math.h>

enum { SUB = 256 };
enum { BATCH = 8191 }; /* as many quads does Teeworlds 0.7 draw in one go */
/* In pixels of work (docs/render.md, section 11). */
enum { QUAD_COST = 48, TRIANGLE_COST = 64, ROW_COST = 16, TEXEL_COST = 8, COLOR_COST = 2 };

typedef struct vertex {
    double x, y;      /* pixels */
    double values[6]; /* r, g, b, a (0..255), u, v (texture sides) */
} vertex;

typedef struct brush {
    const tmi_mipmap *mipmap; /* NULL: colors alone */
    tmi_rgba factor;
    tmi_draw_span *draw;
    bool multiplied; /* colors are multiplied by their alpha: the look of Teeworlds 0.7 */
    bool straight;   /* and yet laid over as if they were not */
    bool clamped[2];
    bool other_diagonal;
} brush;

/* ---------------------------------------------------------------------------------------------- triangles */

static int64_t floor_div(int64_t a, int64_t b) /* b > 0 */
{
    return a / b - (a % b < 0);
}

/*
 * One edge of a triangle that runs clockwise on the screen. A pixel at px, py is inside if
 * dx (py - y0) - dy (px - x0) >= 0, or > 0 on other than bottom and left edges. The inside of a row begins or
 * ends at rest / |dy|; its whole part and remainder are updated from row to row without a division.
 */
typedef struct edge {
    int64_t dx, dy;
    int64_t whole, rest;           /* rest alone where dy is 0 */
    int64_t whole_step, rest_step; /* for the next row */
} edge;

/* The edge from (x0, y0) to (x1, y1), in grid steps, ready for pixel row `row`. */
static edge edge_of(int64_t x0, int64_t y0, int64_t x1, int64_t y1, int64_t row)
{
    edge out = {.dx = x1 - x0, .dy = y1 - y0};
    const bool included = out.dy < 0 || (out.dy == 0 && out.dx < 0);
    const int64_t rest = out.dx * (row * SUB + SUB / 2 - y0) + out.dy * x0 - (included ? 0 : 1);
    const int64_t step = out.dx * SUB, by = out.dy < 0 ? -out.dy : out.dy;
    if (by == 0) {
        out.rest = rest, out.rest_step = step;
        return out;
    }
    out.whole = floor_div(rest, by), out.rest = rest - out.whole * by;
    out.whole_step = floor_div(step, by), out.rest_step = step - out.whole_step * by;
    return out;
}

static void next_row(edge *side)
{
    const int64_t by = side->dy < 0 ? -side->dy : side->dy;
    side->whole += side->whole_step;
    side->rest += side->rest_step;
    if (by && side->rest >= by) {
        side->rest -= by;
        side->whole++;
    }
}

/* Narrows [*low, *high) to the pixels of the row whose centres, i SUB + SUB / 2, are on the inner side. */
static void cut_span(const edge *side, int64_t *low, int64_t *high)
{
    if (side->dy == 0) {
        if (side->rest < 0)
            *high = *low;
    } else if (side->dy < 0) { /* left edge: px >= -rest / -dy, rounded up */
        const int64_t i = tmi_first_column(-side->whole);
        if (i > *low)
            *low = i;
    } else { /* right edge: px <= rest / dy */
        const int64_t i = tmi_first_column(side->whole + 1);
        if (i < *high)
            *high = i;
    }
}

/* Corners on the grid, clockwise on the screen. */
typedef struct corners {
    const vertex *v[3];
    int64_t x[3], y[3];
} corners;

/* Puts corners on the grid, clockwise; false: the triangle has no area. */
static bool set_corners(corners *out, const vertex *a, const vertex *b, const vertex *c)
{
    *out = (corners){{a, b, c}, {0}, {0}};
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < 3; k++) {
            out->x[k] = tmi_snap(out->v[k]->x);
            out->y[k] = tmi_snap(out->v[k]->y);
        }
        const int64_t *x = out->x, *y = out->y; /* twice the signed area, in grid steps */
        const int64_t area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
        if (area >= 0)
            return area > 0;
        out->v[1] = c; /* drawn from both sides */
        out->v[2] = b;
    }
    return false;
}

static tmi_triangle triangle_of(const brush *paint, const corners *ends)
{
    tmi_triangle out = {.mipmap = paint->mipmap,
                        .factor = paint->factor,
                        .even = true,
                        .multiplied = paint->multiplied && !paint->straight,
                        .clamped = {paint->clamped[0], paint->clamped[1]}};
    double x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = (double)ends->x[k] / SUB;
        y[k] = (double)ends->y[k] / SUB;
    }
    out.x = x[0], out.y = y[0];
    const double d = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    for (int k = 0; k < 6; k++) {
        const double a = ends->v[0]->values[k], b = ends->v[1]->values[k], c = ends->v[2]->values[k];
        out.planes[k] = (tmi_plane){a, ((b - a) * (y[2] - y[0]) - (c - a) * (y[1] - y[0])) / d,
                                    ((c - a) * (x[1] - x[0]) - (b - a) * (x[2] - x[0])) / d};
        out.even = out.even && (k >= 4 || (a == b && a == c));
    }
    if (paint->mipmap) {
        const tmi_plane *u = &out.planes[4], *v = &out.planes[5];
        const double w = paint->mipmap->widths[0], h = paint->mipmap->heights[0];
        const double ux = u->dx * w, vx = v->dx * h, uy = u->dy * w, vy = v->dy * h;
        const double across = ux * ux + vx * vx, down = uy * uy + vy * vy,
                     rho = sqrt(across > down ? across : down);
        out.lod = paint->multiplied ? tmi_lod_nearest(paint->mipmap, rho) : tmi_lod_of(paint->mipmap, rho);
    }
    return out;
}

static void least_and_most(const int64_t values[3], int64_t *least, int64_t *most)
{
    *least = *most = values[0];
    for (int k = 1; k < 3; k++) {
        *least = values[k] < *least ? values[k] : *least;
        *most = values[k] > *most ? values[k] : *most;
    }
}

/* Draws the pixels [low, high) of a row that later layers do not hide. False: it is too much work. */
static bool draw_seen(const brush *paint, const tmi_triangle *triangle, int64_t row, int64_t low,
                      int64_t high, const tmi_target *target)
{
    uint8_t *pixels = target->pixels + (size_t)(row - target->first_row) * target->row_stride;
    uint64_t cost = ROW_COST;
    while (low < high) {
        const int64_t end =
            target->cover ? tmi_cover_next(target->cover, row, &low, high, target->order) : high;
        if (low < end) {
            paint->draw(triangle, row, (tmi_pixel_run){low, end, pixels + (size_t)low * 4});
            cost += (uint64_t)(end - low) * (paint->mipmap ? TEXEL_COST : COLOR_COST);
        }
        low = end;
    }
    return tmi_spend(target->budget, cost);
}

static void draw_triangle(const brush *paint, const vertex *a, const vertex *b, const vertex *c,
                          const tmi_target *target)
{
    corners ends;
    int64_t left, right, top, bottom;
    if (!set_corners(&ends, a, b, c))
        return;
    least_and_most(ends.x, &left, &right);
    least_and_most(ends.y, &top, &bottom);
    int64_t row = tmi_first_row(top), end = tmi_first_row(bottom) + 1;
    row = row < target->clip_top ? target->clip_top : row;
    end = end > target->clip_bottom ? target->clip_bottom : end;
    if (row >= end || tmi_first_column(left) >= target->clip_right ||
        tmi_first_column(right) < target->clip_left || !tmi_spend(target->budget, TRIANGLE_COST))
        return;
    const tmi_triangle triangle = triangle_of(paint, &ends);
    edge edges[3];
    for (int k = 0; k < 3; k++)
        edges[k] = edge_of(ends.x[k], ends.y[k], ends.x[(k + 1) % 3], ends.y[(k + 1) % 3], row);
    for (; row < end; row++) {
        int64_t low = target->clip_left, high = target->clip_right;
        for (int k = 0; k < 3; k++) {
            cut_span(&edges[k], &low, &high);
            next_row(&edges[k]);
        }
        if (!draw_seen(paint, &triangle, row, low, high, target))
            return;
    }
}

/* -------------------------------------------------------------------------------------------------- guard */

/*
 * Beyond this many pixels the grid's products no longer fit 64 bits; what reaches further is cut first, as
 * on a GPU.
 */
static const double GUARD = 1 << 20;

/* How far inside one of the four sides of the guard a vertex is. */
static double inside(const vertex *v, int side)
{
    const double coordinate = side & 1 ? v->y : v->x;
    return side & 2 ? GUARD - coordinate : coordinate + GUARD;
}

static int cut_side(vertex *out, const vertex *inner, int num, int side)
{
    int kept = 0;
    for (int i = 0; i < num; i++) {
        const vertex *a = &inner[i], *b = &inner[(i + 1) % num];
        const double da = inside(a, side), db = inside(b, side);
        if (da >= 0)
            out[kept++] = *a;
        if ((da >= 0) == (db >= 0))
            continue;
        const double t = da / (da - db);
        vertex *middle = &out[kept++];
        *middle = (vertex){a->x + (b->x - a->x) * t, a->y + (b->y - a->y) * t, {0}};
        for (int k = 0; k < 6; k++)
            middle->values[k] = a->values[k] + (b->values[k] - a->values[k]) * t;
    }
    return kept;
}

static bool within_guard(const vertex *v)
{
    return v->x >= -GUARD && v->x <= GUARD && v->y >= -GUARD && v->y <= GUARD;
}

static void draw_guarded(const brush *paint, const vertex *a, const vertex *b, const vertex *c,
                         const tmi_target *target)
{
    if (within_guard(a) && within_guard(b) && within_guard(c)) {
        draw_triangle(paint, a, b, c, target);
        return;
    }
    vertex polygon[8] = {*a, *b, *c}, other[8];
    int num = 3;
    for (int side = 0; side < 4 && num > 0; side += 2) {
        num = cut_side(other, polygon, num, side);
        num = cut_side(polygon, other, num, side + 1);
    }
    for (int i = 2; i < num; i++)
        draw_triangle(paint, &polygon[0], &polygon[i - 1], &polygon[i], target);
}

/* -------------------------------------------------------------------------------------------------- quads */

/*
 * A channel of a corner's color. DDNet casts it to a byte: 300 is 44, and -1 is 255. Teeworlds 0.7 multiplies
 * the number as it is, and the graphics card limits the product.
 */
static double channel_of(const tm_renderer *renderer, int32_t value)
{
    return renderer->options.look == TM_CLIENT_TEEWORLDS07 ? value : (uint8_t)value;
}

static void place_corners(vertex vertices[4], const tm_renderer *renderer, const tm_quad *quad,
                          const tmi_screen *screen, tmi_shown shown)
{
    const tm_envelope *envelope = tm_map_envelope(renderer->map, quad->position_envelope);
    double move[4] = {0, 0, 0, 0}; /* px, px, degrees */
    if (envelope)
        tm_envelope_evaluate(envelope, shown.time + quad->position_offset, 3, move);
    const double radians = move[2] * (3.14159265358979323846 / 180), sine = move[2] == 0 ? 0 : sin(radians),
                 cosine = move[2] == 0 ? 1 : cos(radians);
    const double px = (double)quad->points[4].x / TM_FX, py = (double)quad->points[4].y / TM_FX;
    for (int k = 0; k < 4; k++) {
        const double x = (double)quad->points[k].x / TM_FX - px, y = (double)quad->points[k].y / TM_FX - py;
        const double wx = px + x * cosine - y * sine + move[0], wy = py + x * sine + y * cosine + move[1];
        const tm_color *color = &quad->colors[k];
        vertices[k] =
            (vertex){(double)tmi_snap((wx - screen->left) * screen->scale_x) / SUB - screen->origin_x,
                     (double)tmi_snap((wy - screen->top) * screen->scale_y) / SUB - screen->origin_y,
                     {channel_of(renderer, color->r), channel_of(renderer, color->g),
                      channel_of(renderer, color->b), channel_of(renderer, color->a),
                      (double)quad->texture[k].x / TM_FX, (double)quad->texture[k].y / TM_FX}};
    }
}

/*
 * What Teeworlds 0.7 does with all quads that are drawn in one go. It lets a texture repeat only where a quad
 * reaches beyond it, but what it asked for last counts for all. It leaves to the driver how a quad becomes
 * two triangles: the one behind the screenshots that we have cuts all of them between the other two corners
 * when one of them reaches out of the picture and must be clipped.
 */
static void set_batch(brush *paint, const tm_renderer *renderer, const tm_quad *quads, uint32_t num,
                      const tmi_screen *screen, tmi_shown shown)
{
    const tm_quad *last = &quads[num - 1];
    vertex vertices[4];
    paint->clamped[0] = paint->clamped[1] = true;
    paint->other_diagonal = false;
    for (int k = 0; k < 4; k++) {
        if (last->texture[k].x < 0 || last->texture[k].x > TM_FX)
            paint->clamped[0] = false;
        if (last->texture[k].y < 0 || last->texture[k].y > TM_FX)
            paint->clamped[1] = false;
    }
    for (uint32_t i = 0; screen->width > 0 && !paint->other_diagonal && i < num; i++) {
        place_corners(vertices, renderer, &quads[i], screen, shown);
        for (int k = 0; k < 4; k++)
            if (vertices[k].x < 0 || vertices[k].x > screen->width || vertices[k].y < 0 ||
                vertices[k].y > screen->height)
                paint->other_diagonal = true;
    }
}

static void draw_quad(const tm_renderer *renderer, const tm_quad *quad, brush *paint,
                      const tmi_screen *screen, const tmi_target *target, tmi_shown shown)
{
    static const tm_color white = {255, 255, 255, 255};
    vertex vertices[4];
    paint->factor = tmi_color_factor(renderer, white, quad->color_envelope, quad->color_offset, shown);
    if (paint->factor[3] <= 0)
        return;
    place_corners(vertices, renderer, quad, screen, shown);
    if (paint->multiplied) { /* colors by the factor, which becomes 1, and by their alpha */
        for (int k = 0; k < 4; k++) {
            tmi_rgba color;
            for (int c = 0; c < 4; c++) {
                const double value = vertices[k].values[c] * paint->factor[c] / 255;
                color[c] = value < 0 ? 0 : (float)value;
            }
            color = tmi_multiplied(color);
            for (int c = 0; c < 4; c++)
                vertices[k].values[c] = color[c] * 255.0;
        }
        paint->factor = (tmi_rgba){1, 1, 1, 1};
    }
    draw_guarded(paint, &vertices[0], &vertices[1], &vertices[paint->other_diagonal ? 2 : 3], target);
    draw_guarded(paint, &vertices[paint->other_diagonal ? 1 : 0], &vertices[3], &vertices[2], target);
}

tm_status tmi_draw_quads(const tm_renderer *renderer, const tm_layer *layer, const tmi_screen *screen,
                         const tmi_target *target, tmi_shown shown, tm_error *error)
{
    const tm_quad_layer *quads = &layer->as.quads;
    const tmi_picture *picture = quads->image == TM_NONE ? NULL : &renderer->pictures[quads->image];
    const void *bytes;
    if (picture && picture->state == TMI_PICTURE_NONE)
        return TM_OK;
    bytes = target->loan;
    const tm_status status = bytes ? TM_OK : tm_map_data(&bytes, NULL, renderer->map, quads->quads, error);
    if (status == TM_ERROR_DAMAGED)
        return TM_OK; /* reported when the map was prepared */
    TM_TRY(status);
    brush paint = {.mipmap = picture && picture->state == TMI_PICTURE_THERE ? &picture->whole : NULL,
                   .factor = {1, 1, 1, 1},
                   .draw = renderer->draw_span,
                   .multiplied = renderer->options.look == TM_CLIENT_TEEWORLDS07,
                   .straight = picture && picture->straight};
    const tm_quad *list = bytes;
    for (uint32_t i = 0; i < quads->num_quads && !target->budget->over; i += BATCH) {
        const uint32_t left = quads->num_quads - i, num = left < BATCH ? left : BATCH;
        if (paint.multiplied)
            set_batch(&paint, renderer, list + i, num, screen, shown);
        for (uint32_t k = i; k < i + num && tmi_spend(target->budget, QUAD_COST); k++)
            draw_quad(renderer, &list[k], &paint, screen, target, shown);
    }
    return target->budget->over ? tmi_over_limit(target->budget->limit, error) : TM_OK;
}
