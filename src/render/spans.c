/* SPDX-License-Identifier: Zlib */
/*
 * The pixels of a triangle, row by row (section 7). As in cells.c everything is compiled twice, from one source that fixes every operation.
 */
#include "spans.h"

/* ---------------------------------------------------------------------------------------------------------- texture */

/* A place along a side of a texture that repeats: two neighbouring texels and the weight of the second. */
typedef struct place {
    size_t a, b;
    float weight;
} place;

TMI_INLINE place place_of(double u, uint32_t side, bool clamped)
{
    const double x = u * side - 0.5;          /* u is 0..1, x at least -0.5 */
    const int32_t low = (int32_t)(x + 1) - 1; /* sides are below 2^31, x + 1 is above 0 */
    const uint32_t next = (uint32_t)(low + 1), last = side - 1;
    const uint32_t before = clamped ? 0 : last, after = clamped ? last : 0;
    return (place){low < 0 ? before : (size_t)low, next < side ? next : after, (float)(x - low)};
}

/* Where a coordinate lies in its repetition. Slivers may send coordinates beyond what integers hold. */
TMI_INLINE double repeated(double u, bool clamped)
{
    if (clamped)
        return u > 0 ? u < 1 ? u : 1 : 0;
    if (!(u > -1e9 && u < 1e9))
        return 0;
    const double whole = (double)(int32_t)u;
    return u - (whole > u ? whole - 1 : whole);
}

TMI_INLINE tmi_rgba sample_level(const tmi_triangle *triangle, uint32_t level, double u, double v)
{
    const tmi_chain *chain = triangle->chain;
    const uint32_t w = chain->widths[level];
    const place x = place_of(u, w, triangle->clamped[0]);
    const place y = place_of(v, chain->heights[level], triangle->clamped[1]);
    const uint8_t *top = chain->levels[level] + y.a * w * 4, *bottom = chain->levels[level] + y.b * w * 4;
    const tmi_rgba t = tmi_load(top + 4 * x.a) * (1 - x.weight) + tmi_load(top + 4 * x.b) * x.weight;
    const tmi_rgba b = tmi_load(bottom + 4 * x.a) * (1 - x.weight) + tmi_load(bottom + 4 * x.b) * x.weight;
    return t * (1 - y.weight) + b * y.weight;
}

TMI_INLINE tmi_rgba sample(const tmi_triangle *triangle, double u, double v)
{
    const tmi_lod lod = triangle->lod;
    u = repeated(u, triangle->clamped[0]);
    v = repeated(v, triangle->clamped[1]);
    tmi_rgba texel = sample_level(triangle, lod.level, u, v);
    if (lod.weight > 0)
        texel = texel * (1 - lod.weight) + sample_level(triangle, lod.next, u, v) * lod.weight;
    return texel;
}

/* ------------------------------------------------------------------------------------------------------------ pixels */

TMI_INLINE double value_at(const tmi_plane *plane, double x, double y)
{
    return plane->base + plane->dx * x + plane->dy * y;
}

TMI_INLINE tmi_rgba color_at(const tmi_triangle *triangle, double x, double y)
{
    const tmi_plane *p = triangle->planes;
    const tmi_rgba color = {(float)value_at(&p[0], x, y), (float)value_at(&p[1], x, y),
                            (float)value_at(&p[2], x, y), (float)value_at(&p[3], x, y)};
    return tmi_raise(color * triangle->factor);
}

TMI_INLINE void lay(const tmi_triangle *triangle, uint8_t *to, tmi_rgba color)
{
    if (triangle->multiplied)
        tmi_blend_multiplied(to, color);
    else
        tmi_blend(to, color);
}

TMI_INLINE void draw_texture(const tmi_triangle *triangle, double y, int64_t low, int64_t high, uint8_t *to,
                             bool even)
{
    const tmi_plane *p = triangle->planes;
    tmi_rgba color = color_at(triangle, 0, 0);
    for (int64_t i = low; i < high; i++, to += 4) {
        const double x = (double)i + 0.5 - triangle->x;
        if (!even)
            color = color_at(triangle, x, y);
        lay(triangle, to, color * sample(triangle, value_at(&p[4], x, y), value_at(&p[5], x, y)) / 255);
    }
}

TMI_INLINE void draw_colors(const tmi_triangle *triangle, double y, int64_t low, int64_t high, uint8_t *to)
{
    for (int64_t i = low; i < high; i++, to += 4)
        lay(triangle, to, color_at(triangle, (double)i + 0.5 - triangle->x, y));
}

TMI_INLINE void draw_span(const tmi_triangle *triangle, int64_t row, int64_t low, int64_t high, uint8_t *to)
{
    const double y = (double)row + 0.5 - triangle->y;
    if (!triangle->chain && triangle->even)
        tmi_fill(to, (uint32_t)(high - low), color_at(triangle, 0, 0), triangle->multiplied);
    else if (!triangle->chain)
        draw_colors(triangle, y, low, high, to);
    else if (triangle->even)
        draw_texture(triangle, y, low, high, to, true);
    else
        draw_texture(triangle, y, low, high, to, false);
}

/* ---------------------------------------------------------------------------------------------------------- machines */

void tmi_draw_span_plain(const tmi_triangle *triangle, int64_t row, int64_t low, int64_t high, uint8_t *to)
{
    draw_span(triangle, row, low, high, to);
}

#ifdef TMI_AVX2

__attribute__((target("avx2"))) static void draw_span_avx2(const tmi_triangle *triangle, int64_t row,
                                                           int64_t low, int64_t high, uint8_t *to)
{
    draw_span(triangle, row, low, high, to);
}

tmi_draw_span *tmi_choose_draw_span(void)
{
    return __builtin_cpu_supports("avx2") ? draw_span_avx2 : tmi_draw_span_plain;
}

#else

tmi_draw_span *tmi_choose_draw_span(void)
{
    return tmi_draw_span_plain;
}

#endif
