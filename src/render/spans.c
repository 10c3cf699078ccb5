/* SPDX-License-Identifier: Zlib */
/*
 * The pixels of a triangle, row by row and four in each step (section 7). Coordinates are four doubles,
 * colors two pixels to a vector.
 *
 * Compilers make no such code of loops over single pixels: with AVX2, this is 3.3 to 4.4 times as fast as
 * what they make of those (views of four maps).
 */
#include "wide.h"

#include "spans.h"

#include <math.h>

/* ------------------------------------------------------------------------------------------------- places */

/* Where four pixels lie along a side of a texture: two neighbouring texels and the weight of the second. */
typedef struct places {
    tmi_ints a, b;
    tmi_rgba weight;
} places;

/* The texel before each pixel; `u` is 0..1. */
TMI_WIDE tmi_ints texels_before(tmi_rgba *weight, tmi_four u, uint32_t side)
{
    const tmi_four x = u * (double)side - 0.5;   /* at least -0.5 */
    const tmi_ints low = tmi_ints_of(x + 1) - 1; /* sides are below 2^31, x + 1 is above 0 */
    *weight = tmi_singles_of(x - tmi_doubles_of(low));
    return low;
}

TMI_WIDE places places_of(tmi_four u, uint32_t side, bool clamped)
{
    const tmi_ints last = (tmi_ints){0} + (int32_t)(side - 1), none = {0};
    places out;
    const tmi_ints low = texels_before(&out.weight, u, side), next = low + 1;
    out.a = tmi_select(low < none, clamped ? none : last, low);
    out.b = tmi_select(next > last, clamped ? last : none, next);
    return out;
}

typedef int64_t mask __attribute__((vector_size(32)));
/* 0 where a condition does not hold. */
#define WHERE(condition, value) ((tmi_four)((mask)(condition) & (mask)(value)))

/* Where coordinates lie in their repetition. Slivers may send them beyond what integers hold. */
TMI_WIDE tmi_four repeated(tmi_four u, bool clamped)
{
    const tmi_four none = {0}, one = none + 1, far = none + 1e9;
    if (clamped)
        return WHERE(u >= one, one) + WHERE((u > none) & (u < one), u);
    u = WHERE((u > -far) & (u < far), u);
    const tmi_four whole = tmi_doubles_of(tmi_ints_of(u));
    return u - (whole - WHERE(whole > u, one));
}

/* ------------------------------------------------------------------------------------------------ texture */

TMI_WIDE tmi_four_pixels between(tmi_four_pixels a, tmi_four_pixels b, tmi_four_pixels rest,
                                 tmi_four_pixels weight)
{
    return (tmi_four_pixels){a.first * rest.first + b.first * weight.first,
                             a.second * rest.second + b.second * weight.second};
}

TMI_WIDE tmi_ints texels_at(const uint8_t *texels, tmi_ints numbers)
{
    uint32_t at[4];
    int32_t out[4];
    memcpy(at, &numbers, sizeof(at));
    for (int i = 0; i < 4; i++)
        memcpy(&out[i], texels + 4 * (size_t)at[i], 4);
    return (tmi_ints){out[0], out[1], out[2], out[3]};
}

/* Where four pixels lie between the rows of texels of a level. */
typedef struct height {
    tmi_ints top, bottom;         /* the first texels of these rows */
    tmi_four_pixels upper, lower; /* weights */
} height;

TMI_WIDE height height_of(const tmi_triangle *triangle, uint32_t level, tmi_four v)
{
    const places y = places_of(v, triangle->mipmap->heights[level], triangle->clamped[1]);
    const int32_t width = (int32_t)triangle->mipmap->widths[level];
    return (height){y.a * width, y.b * width, tmi_spread(1 - y.weight), tmi_spread(y.weight)};
}

/* The same in both levels. */
typedef struct heights {
    height levels[2];
} heights;

TMI_WIDE heights heights_of(const tmi_triangle *triangle, tmi_four v)
{
    v = repeated(v, triangle->clamped[1]);
    heights out;
    out.levels[0] = height_of(triangle, triangle->lod.level, v);
    out.levels[1] = out.levels[0];
    if (triangle->lod.weight > 0)
        out.levels[1] = height_of(triangle, triangle->lod.next, v);
    return out;
}

/* The texels around four pixels in a level, and how far right the pixels lie between them. */
typedef struct corners {
    tmi_ints texels[2][2];
    tmi_rgba weight;
} corners;

TMI_WIDE corners corners_of(const tmi_triangle *triangle, uint32_t level, tmi_four u, const height *y)
{
    const uint8_t *texels = tmi_slice(triangle->mipmap, 0, level);
    const places x = places_of(u, triangle->mipmap->widths[level], triangle->clamped[0]);
    return (corners){{{texels_at(texels, y->top + x.a), texels_at(texels, y->top + x.b)},
                      {texels_at(texels, y->bottom + x.a), texels_at(texels, y->bottom + x.b)}},
                     x.weight};
}

TMI_WIDE bool any_seen(const corners *ends)
{
    return tmi_any_seen(ends->texels[0][0] | ends->texels[0][1] | ends->texels[1][0] | ends->texels[1][1]);
}

TMI_WIDE tmi_four_pixels sample_level(const corners *ends, const height *y)
{
    const tmi_four_pixels right = tmi_spread(ends->weight), left = tmi_spread(1 - ends->weight);
    const tmi_four_pixels top =
        between(tmi_floats_of(ends->texels[0][0]), tmi_floats_of(ends->texels[0][1]), left, right);
    const tmi_four_pixels bottom =
        between(tmi_floats_of(ends->texels[1][0]), tmi_floats_of(ends->texels[1][1]), left, right);
    return between(top, bottom, y->upper, y->lower);
}

TMI_WIDE tmi_four_pixels between_levels(tmi_four_pixels a, tmi_four_pixels b, float weight)
{
    const tmi_two rest = tmi_join(tmi_all(1 - weight), tmi_all(1 - weight)),
                  next = tmi_join(tmi_all(weight), tmi_all(weight));
    return between(a, b, (tmi_four_pixels){rest, rest}, (tmi_four_pixels){next, next});
}

/* False if all that is there is clear. */
TMI_WIDE bool sample(tmi_four_pixels *out, const tmi_triangle *triangle, tmi_four u, const heights *y)
{
    const tmi_lod lod = triangle->lod;
    u = repeated(u, triangle->clamped[0]);
    const corners first = corners_of(triangle, lod.level, u, &y->levels[0]);
    const bool seen = any_seen(&first);
    if (!(lod.weight > 0)) {
        if (seen)
            *out = sample_level(&first, &y->levels[0]);
        return seen;
    }
    const corners second = corners_of(triangle, lod.next, u, &y->levels[1]);
    if (!seen && !any_seen(&second))
        return false;
    *out =
        between_levels(sample_level(&first, &y->levels[0]), sample_level(&second, &y->levels[1]), lod.weight);
    return true;
}

/* ------------------------------------------------------------------------------------------------- pixels */

/* What is the same all along a row. */
typedef struct row {
    double y, origin;
    tmi_four base, dx, dy; /* colors; dy: what it makes of the row */
    tmi_two factor;
    bool multiplied;
} row;

TMI_WIDE row row_of(const tmi_triangle *triangle, int64_t number)
{
    const tmi_plane *planes = triangle->planes;
    const double y = (double)number + 0.5 - triangle->y;
    return (row){y,
                 triangle->x,
                 {planes[0].base, planes[1].base, planes[2].base, planes[3].base},
                 {planes[0].dx, planes[1].dx, planes[2].dx, planes[3].dx},
                 {planes[0].dy * y, planes[1].dy * y, planes[2].dy * y, planes[3].dy * y},
                 tmi_join(triangle->factor, triangle->factor),
                 triangle->multiplied};
}

/* Columns i..i + 3, from the origin. */
TMI_WIDE tmi_four columns_from(const row *line, int64_t i)
{
    return (double)i + (tmi_four){0, 1, 2, 3} + 0.5 - line->origin;
}

TMI_WIDE tmi_four values_at(const tmi_plane *plane, tmi_four x, double y)
{
    return plane->base + plane->dx * x + plane->dy * y;
}

TMI_WIDE tmi_rgba color_at(const row *line, double x)
{
    return tmi_singles_of(line->base + line->dx * x + line->dy);
}

TMI_WIDE tmi_two two_colors(const row *line, double x, double next)
{
    return tmi_raise_two(tmi_join(color_at(line, x), color_at(line, next)) * line->factor);
}

TMI_WIDE tmi_four_pixels colors_at(const row *line, tmi_four x)
{
    return (tmi_four_pixels){two_colors(line, x[0], x[1]), two_colors(line, x[2], x[3])};
}

TMI_WIDE uint32_t num_left(int64_t i, int64_t end)
{
    return end - i < 4 ? (uint32_t)(end - i) : 4;
}

TMI_WIDE void lay_texels(const row *line, uint8_t *target, const tmi_four_pixels *color,
                         const tmi_four_pixels *texel, uint32_t num)
{
    const tmi_four_pixels four = {color->first * texel->first / 255, color->second * texel->second / 255};
    tmi_blend_four(target, four, num, line->multiplied);
}

/* `level`: the row runs along the texture's rows. */
TMI_WIDE void draw_texture(const tmi_triangle *triangle, const row *line, tmi_pixel_run run, bool even,
                           bool level)
{
    const tmi_plane *u = &triangle->planes[4], *v = &triangle->planes[5];
    const tmi_four origin = (tmi_four){0};
    tmi_four_pixels color = colors_at(line, origin), texel;
    heights y = heights_of(triangle, values_at(v, origin, line->y));
    for (int64_t i = run.low; i < run.high; i += 4, run.target += 16) {
        const tmi_four x = columns_from(line, i);
        if (!even)
            color = colors_at(line, x);
        if (!level)
            y = heights_of(triangle, values_at(v, x, line->y));
        if (sample(&texel, triangle, values_at(u, x, line->y), &y))
            lay_texels(line, run.target, &color, &texel, num_left(i, run.high));
    }
}

TMI_WIDE void draw_colors(const row *line, tmi_pixel_run run)
{
    for (int64_t i = run.low; i < run.high; i += 4, run.target += 16)
        tmi_blend_four(run.target, colors_at(line, columns_from(line, i)), num_left(i, run.high),
                       line->multiplied);
}

/* Whether all pixels of a row have the same color. */
TMI_WIDE bool is_one_color(const tmi_triangle *triangle)
{
    const tmi_plane *planes = triangle->planes;
    return triangle->even ||
           (planes[0].dx == 0 && planes[1].dx == 0 && planes[2].dx == 0 && planes[3].dx == 0);
}

TMI_WIDE void draw_one_color(const row *line, tmi_pixel_run run)
{
    const tmi_four_pixels color = colors_at(line, (tmi_four){0});
    const tmi_rgba one = tmi_low(color.first);
    if (one[3] >= 255) {
        tmi_fill(run.target, (uint32_t)(run.high - run.low), one, line->multiplied);
        return;
    }
    for (int64_t i = run.low; i < run.high; i += 4, run.target += 16)
        tmi_blend_four(run.target, color, num_left(i, run.high), line->multiplied);
}

TMI_TARGET void TMI_NAME(tmi_draw_span)(const tmi_triangle *triangle, int64_t number, tmi_pixel_run run)
{
    const bool level = triangle->planes[5].dx == 0, even = is_one_color(triangle);
    const row line = row_of(triangle, number);
    if (!triangle->mipmap && even)
        draw_one_color(&line, run);
    else if (!triangle->mipmap)
        draw_colors(&line, run);
#ifndef __wasm__ /* one text for all: no slower there, and visitors fetch it */
    else if (even && level)
        draw_texture(triangle, &line, run, true, true);
#endif
    else
        draw_texture(triangle, &line, run, even, level);
}
