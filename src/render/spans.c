/* SPDX-License-Identifier: Zlib */
/*
 * The pixels of a triangle, row by row (section 7). spans_avx2.c does the same for machines that have more to
 * offer.
 */
#include "spans.h"

/* ------------------------------------------------------------------------------------------------ texture */

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

/*
 * Where a row of pixels lies in both levels, if it runs along the texture's rows; else where one pixel does.
 */
typedef struct height {
    place levels[2];
} height;

TMI_INLINE height height_of(const tmi_triangle *triangle, double v)
{
    const tmi_mipmap *mipmap = triangle->mipmap;
    const bool clamped = triangle->clamped[1];
    v = repeated(v, clamped);
    return (height){{place_of(v, mipmap->heights[triangle->lod.level], clamped),
                     place_of(v, mipmap->heights[triangle->lod.next], clamped)}};
}

TMI_INLINE tmi_rgba sample_level(const tmi_triangle *triangle, uint32_t level, double u, place y)
{
    const tmi_mipmap *mipmap = triangle->mipmap;
    const uint32_t w = mipmap->widths[level];
    const place x = place_of(u, w, triangle->clamped[0]);
    const uint8_t *texels = tmi_slice(mipmap, 0, level), *top = texels + y.a * w * 4,
                  *bottom = texels + y.b * w * 4;
    const tmi_rgba t = tmi_load(top + 4 * x.a) * (1 - x.weight) + tmi_load(top + 4 * x.b) * x.weight;
    const tmi_rgba b = tmi_load(bottom + 4 * x.a) * (1 - x.weight) + tmi_load(bottom + 4 * x.b) * x.weight;
    return t * (1 - y.weight) + b * y.weight;
}

TMI_INLINE tmi_rgba sample(const tmi_triangle *triangle, double u, const height *at)
{
    const tmi_lod lod = triangle->lod;
    u = repeated(u, triangle->clamped[0]);
    tmi_rgba texel = sample_level(triangle, lod.level, u, at->levels[0]);
    if (lod.weight > 0)
        texel = texel * (1 - lod.weight) + sample_level(triangle, lod.next, u, at->levels[1]) * lod.weight;
    return texel;
}

/* ------------------------------------------------------------------------------------------------- pixels */

TMI_INLINE double value_at(const tmi_plane *plane, double x, double y)
{
    return plane->base + plane->dx * x + plane->dy * y;
}

/* Four planes at once: the colors. */
typedef double doubles __attribute__((vector_size(32)));
typedef struct color_planes {
    doubles base, dx, row; /* row: what dy makes of the row */
    tmi_rgba factor;
} color_planes;

TMI_INLINE void set_colors(color_planes *out, const tmi_triangle *triangle, double y)
{
    for (int k = 0; k < 4; k++) {
        out->base[k] = triangle->planes[k].base;
        out->dx[k] = triangle->planes[k].dx;
        out->row[k] = triangle->planes[k].dy * y;
    }
    out->factor = triangle->factor;
}

TMI_INLINE tmi_rgba color_at(const color_planes *colors, double x)
{
    const doubles color = colors->base + colors->dx * x + colors->row;
    return tmi_raise(__builtin_convertvector(color, tmi_rgba) * colors->factor);
}

/* `level`: the row runs along the texture's rows. */
TMI_INLINE void draw_texture(const tmi_triangle *triangle, const color_planes *colors, double y,
                             tmi_pixel_run in, bool even, bool level)
{
    const tmi_plane *u = &triangle->planes[4], *v = &triangle->planes[5];
    tmi_rgba color = color_at(colors, 0);
    height at = height_of(triangle, value_at(v, 0, y));
    for (int64_t i = in.low; i < in.high; i++, in.to += 4) {
        const double x = (double)i + 0.5 - triangle->x;
        if (!even)
            color = color_at(colors, x);
        if (!level)
            at = height_of(triangle, value_at(v, x, y));
        tmi_blend(in.to, color * sample(triangle, value_at(u, x, y), &at) / 255, triangle->multiplied);
    }
}

TMI_INLINE void draw_colors(const tmi_triangle *triangle, const color_planes *colors, tmi_pixel_run in)
{
    for (int64_t i = in.low; i < in.high; i++, in.to += 4)
        tmi_blend(in.to, color_at(colors, (double)i + 0.5 - triangle->x), triangle->multiplied);
}

void tmi_draw_span_plain(const tmi_triangle *triangle, int64_t row, tmi_pixel_run at)
{
    const double y = (double)row + 0.5 - triangle->y;
    const bool level = triangle->planes[5].dx == 0, even = tmi_one_color(triangle);
    color_planes colors;
    set_colors(&colors, triangle, y);
    if (!triangle->mipmap && even)
        tmi_fill(at.to, (uint32_t)(at.high - at.low), color_at(&colors, 0), triangle->multiplied);
    else if (!triangle->mipmap)
        draw_colors(triangle, &colors, at);
    else if (even && level)
        draw_texture(triangle, &colors, y, at, true, true);
    else if (even)
        draw_texture(triangle, &colors, y, at, true, false);
    else
        draw_texture(triangle, &colors, y, at, false, false);
}

/* ----------------------------------------------------------------------------------------------- machines */

tmi_draw_span *tmi_choose_draw_span(void)
{
#ifdef TMI_AVX2
    if (TMI_HAS_AVX2())
        return tmi_draw_span_avx2;
#endif
    return tmi_draw_span_plain;
}
