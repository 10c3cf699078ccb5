/* SPDX-License-Identifier: Zlib */
/*
 * The pixels of a triangle (section 7) on machines with AVX2: what spans.c does, in the same order, for four
 * pixels in each step. Coordinates are four doubles, colors two pixels to a vector.
 *
 * One text for both, compiled twice, was tried: what a compiler makes of spans.c for AVX2 is no faster than
 * the plain one, and this is 3.3 to 4.4 times as fast (views of four maps with the quads and tiles of today).
 * unit.render_fast holds both to the same bytes.
 */
#include "pixels_avx2.h"

#include "spans.h"

#include <math.h>

#ifdef TMI_AVX2

/* Four pixels: 0 and 1, 2 and 3. */
typedef struct pixels {
    __m256 first, second;
} pixels;

/* ------------------------------------------------------------------------------------------------- places */

/* As `place` in spans.c, for four pixels. */
typedef struct places {
    __m128i a, b;
    __m128 weight;
} places;

TMI_FOR_AVX2 places places_of(__m256d u, uint32_t side, bool clamped)
{
    const __m128i last = _mm_set1_epi32((int)(side - 1)), one = _mm_set1_epi32(1), none = _mm_setzero_si128();
    const __m256d x = u * _mm256_set1_pd((double)side) - _mm256_set1_pd(0.5);
    const __m128i next = _mm256_cvttpd_epi32(x + _mm256_set1_pd(1));
    const __m128i low = _mm_sub_epi32(next, one);
    return (places){_mm_blendv_epi8(low, clamped ? none : last, _mm_cmplt_epi32(low, none)),
                    _mm_blendv_epi8(next, clamped ? last : none, _mm_cmpgt_epi32(next, last)),
                    _mm256_cvtpd_ps(x - _mm256_cvtepi32_pd(low))};
}

TMI_FOR_AVX2 __m256d repeated(__m256d u, bool clamped)
{
    const __m256d none = _mm256_setzero_pd(), one = _mm256_set1_pd(1), far = _mm256_set1_pd(1e9);
    if (clamped)
        return _mm256_min_pd(_mm256_max_pd(u, none), one);
    const __m256d near =
        _mm256_and_pd(_mm256_cmp_pd(u, none - far, _CMP_GT_OQ), _mm256_cmp_pd(u, far, _CMP_LT_OQ));
    __m256d whole = _mm256_cvtepi32_pd(_mm256_cvttpd_epi32(u));
    whole = whole - _mm256_and_pd(_mm256_cmp_pd(whole, u, _CMP_GT_OQ), one);
    return _mm256_and_pd(u - whole, near);
}

/* ------------------------------------------------------------------------------------------------ texture */

/* A number of each pixel, for all its channels. */
TMI_FOR_AVX2 pixels spread(__m128 numbers)
{
    const __m256 wide = _mm256_castps128_ps256(numbers);
    return (pixels){_mm256_permutevar8x32_ps(wide, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)),
                    _mm256_permutevar8x32_ps(wide, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3))};
}

TMI_FOR_AVX2 __m256 between(__m256 a, __m256 b, __m256 rest, __m256 weight)
{
    return a * rest + b * weight;
}

TMI_FOR_AVX2 __m128i texels_at(const uint8_t *texels, __m128i numbers)
{
    uint32_t at[4];
    int32_t out[4];
    memcpy(at, &numbers, sizeof(at));
    for (int i = 0; i < 4; i++)
        memcpy(&out[i], texels + 4 * (size_t)at[i], 4);
    return _mm_setr_epi32(out[0], out[1], out[2], out[3]);
}

TMI_FOR_AVX2 pixels floats_of(__m128i texels)
{
    return (pixels){tmi_floats_of(texels), tmi_floats_of(_mm_unpackhi_epi64(texels, texels))};
}

/* Where four pixels lie between the rows of texels of a level. */
typedef struct height {
    __m128i top, bottom; /* the first texels of these rows */
    pixels up, down;     /* weights */
} height;

TMI_FOR_AVX2 height height_of(const tmi_triangle *triangle, uint32_t level, __m256d v)
{
    const places y = places_of(v, triangle->mipmap->heights[level], triangle->clamped[1]);
    const __m128i width = _mm_set1_epi32((int)triangle->mipmap->widths[level]);
    return (height){_mm_mullo_epi32(y.a, width), _mm_mullo_epi32(y.b, width),
                    spread(_mm_set1_ps(1) - y.weight), spread(y.weight)};
}

/* The same in both levels. */
typedef struct heights {
    height levels[2];
} heights;

TMI_FOR_AVX2 heights heights_of(const tmi_triangle *triangle, __m256d v)
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
    __m128i texels[2][2];
    __m128 weight;
} corners;

TMI_FOR_AVX2 corners corners_of(const tmi_triangle *triangle, uint32_t level, __m256d u, const height *y)
{
    const uint8_t *texels = tmi_slice(triangle->mipmap, 0, level);
    const places x = places_of(u, triangle->mipmap->widths[level], triangle->clamped[0]);
    return (corners){
        {{texels_at(texels, _mm_add_epi32(y->top, x.a)), texels_at(texels, _mm_add_epi32(y->top, x.b))},
         {texels_at(texels, _mm_add_epi32(y->bottom, x.a)),
          texels_at(texels, _mm_add_epi32(y->bottom, x.b))}},
        x.weight};
}

TMI_FOR_AVX2 __m128i all_of(const corners *in)
{
    return _mm_or_si128(_mm_or_si128(in->texels[0][0], in->texels[0][1]),
                        _mm_or_si128(in->texels[1][0], in->texels[1][1]));
}

TMI_FOR_AVX2 pixels row_between(const __m128i texels[2], const pixels *left, const pixels *right)
{
    const pixels a = floats_of(texels[0]), b = floats_of(texels[1]);
    return (pixels){between(a.first, b.first, left->first, right->first),
                    between(a.second, b.second, left->second, right->second)};
}

TMI_FOR_AVX2 pixels sample_level(const corners *in, const height *y)
{
    const pixels right = spread(in->weight), left = spread(_mm_set1_ps(1) - in->weight);
    const pixels top = row_between(in->texels[0], &left, &right),
                 bottom = row_between(in->texels[1], &left, &right);
    return (pixels){between(top.first, bottom.first, y->up.first, y->down.first),
                    between(top.second, bottom.second, y->up.second, y->down.second)};
}

/* False if all that is there is clear. */
TMI_FOR_AVX2 bool sample(pixels *out, const tmi_triangle *triangle, __m256d u, const heights *y)
{
    const __m128i alpha = _mm_set1_epi32((int)0xFF000000);
    const tmi_lod lod = triangle->lod;
    u = repeated(u, triangle->clamped[0]);
    const corners first = corners_of(triangle, lod.level, u, &y->levels[0]);
    const bool clear = _mm_testz_si128(all_of(&first), alpha);
    if (!(lod.weight > 0)) {
        if (!clear)
            *out = sample_level(&first, &y->levels[0]);
        return !clear;
    }
    const corners second = corners_of(triangle, lod.next, u, &y->levels[1]);
    if (clear && _mm_testz_si128(all_of(&second), alpha))
        return false;
    const pixels a = sample_level(&first, &y->levels[0]), b = sample_level(&second, &y->levels[1]);
    const __m256 rest = _mm256_set1_ps(1 - lod.weight), weight = _mm256_set1_ps(lod.weight);
    *out = (pixels){between(a.first, b.first, rest, weight), between(a.second, b.second, rest, weight)};
    return true;
}

/* ------------------------------------------------------------------------------------------- inner texels */

/*
 * Pixels that lie between the texels of one repetition, in both levels: they need no look at the texture's
 * sides, and neighbours are read as one. Coordinates are linear, so it is enough to check both ends.
 */
typedef struct inner_side {
    const tmi_plane *plane;
    double row;         /* what the row makes of it */
    double least, most; /* of the part behind the point */
    double whole;       /* the repetition */
    bool clamped;
} inner_side;

TMI_FOR_AVX2 inner_side inner_side_of(const tmi_triangle *triangle, double y, int k)
{
    const tmi_plane *plane = &triangle->planes[4 + k];
    const tmi_lod lod = triangle->lod;
    const uint32_t *sides = k ? triangle->mipmap->heights : triangle->mipmap->widths;
    const uint32_t level = sides[lod.level], next = sides[lod.next];
    const double edge = 0.5 / (level < next ? level : next) + 1e-9; /* and what rounding may add */
    return (inner_side){plane, plane->dy * y, edge, 1 - edge, 0, triangle->clamped[k]};
}

TMI_FOR_AVX2 double value_at(const inner_side *side, double x)
{
    return side->plane->base + side->plane->dx * x + side->row;
}

/* The repetition in which a coordinate lies; false where that is unused. */
TMI_FOR_AVX2 bool set_whole(inner_side *side, double value)
{
    if (!(value > -1e9 && value < 1e9))
        return false;
    const double whole = (double)(int32_t)value;
    side->whole = whole > value ? whole - 1 : whole;
    return !side->clamped || side->whole == 0;
}

TMI_FOR_AVX2 bool is_inner(const inner_side *side, double value)
{
    return value - side->whole >= side->least && value - side->whole <= side->most;
}

/* About how many pixels it takes from a value to another one: at least one, at most `most`. */
TMI_FOR_AVX2 int64_t steps_to(const inner_side *side, double value, double target, int64_t most)
{
    const double steps = (target - value) / side->plane->dx;
    return steps > 1 ? steps < (double)most ? (int64_t)steps : most : steps >= 0 ? 1 : most;
}

/* How many of `most` pixels from x on are inner ones; none: about *outer come before the next one. */
TMI_FOR_AVX2 int64_t num_inner(inner_side *side, double x, int64_t most, int64_t *outer)
{
    const double first = value_at(side, x), dx = side->plane->dx;
    if (!set_whole(side, first))
        return 0;
    if (!is_inner(side, first)) {
        const double target = dx > 0 ? side->least + (first - side->whole > side->most)
                                     : side->most - (first - side->whole < side->least);
        *outer = steps_to(side, first, side->whole + target, *outer);
        return 0;
    }
    if (is_inner(side, value_at(side, x + (double)(most - 1))))
        return most;
    const int64_t num = steps_to(side, first, side->whole + (dx > 0 ? side->most : side->least), most);
    return is_inner(side, value_at(side, x + (double)(num - 1))) ? num : 0;
}

/* Four pixels between texels of a level. */
typedef struct cells {
    const uint8_t *texels[4]; /* the upper left ones */
    size_t pitch;
    __m256 across, down; /* weights: of the first neighbours, then of the second ones */
} cells;

TMI_FOR_AVX2 __m256 both_weights(__m128 weight)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_set1_ps(1) - weight), weight, 1);
}

/* As places_of where no side is near. */
TMI_FOR_AVX2 __m128i inner_places_of(__m128 *weight, __m256d u, uint32_t side)
{
    const __m256d x = u * _mm256_set1_pd((double)side) - _mm256_set1_pd(0.5);
    const __m128i low = _mm_sub_epi32(_mm256_cvttpd_epi32(x + _mm256_set1_pd(1)), _mm_set1_epi32(1));
    *weight = _mm256_cvtpd_ps(x - _mm256_cvtepi32_pd(low));
    return low;
}

TMI_FOR_AVX2 cells cells_of(const tmi_triangle *triangle, uint32_t level, __m256d u, __m256d v)
{
    const tmi_mipmap *mipmap = triangle->mipmap;
    const uint8_t *texels = tmi_slice(mipmap, 0, level);
    const uint32_t width = mipmap->widths[level];
    __m128 across, down;
    uint32_t at[4];
    const __m128i x = inner_places_of(&across, u, width),
                  y = inner_places_of(&down, v, mipmap->heights[level]);
    const __m128i numbers = _mm_add_epi32(_mm_mullo_epi32(y, _mm_set1_epi32((int)width)), x);
    memcpy(at, &numbers, sizeof(at));
    return (cells){{texels + 4 * (size_t)at[0], texels + 4 * (size_t)at[1], texels + 4 * (size_t)at[2],
                    texels + 4 * (size_t)at[3]},
                   (size_t)width * 4,
                   both_weights(across),
                   both_weights(down)};
}

TMI_FOR_AVX2 __m128i pair_at(const uint8_t *texels)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)texels);
}

/* Of the upper row and the lower one. */
TMI_FOR_AVX2 __m128i pairs_at(const cells *in, int i)
{
    return _mm_or_si128(pair_at(in->texels[i]), pair_at(in->texels[i] + in->pitch));
}

TMI_FOR_AVX2 bool all_clear(const cells *in)
{
    const __m128i all = _mm_or_si128(_mm_or_si128(pairs_at(in, 0), pairs_at(in, 1)),
                                     _mm_or_si128(pairs_at(in, 2), pairs_at(in, 3)));
    return _mm_testz_si128(all, _mm_set1_epi32((int)0xFF000000));
}

/* The sum of both halves: of the first in the lower one of the result, of the second in the upper one. */
TMI_FOR_AVX2 __m256 add_halves(__m256 first, __m256 second)
{
    return _mm256_permute2f128_ps(first, second, 0x20) + _mm256_permute2f128_ps(first, second, 0x31);
}

/* One pixel: the upper row between its texels, weighted, and the lower one. */
TMI_FOR_AVX2 __m256 inner_rows(const uint8_t *texels, size_t pitch, __m256 across, __m256 down)
{
    const __m256 top = tmi_floats_of(_mm_loadl_epi64((const __m128i *)(const void *)texels)),
                 bottom = tmi_floats_of(_mm_loadl_epi64((const __m128i *)(const void *)(texels + pitch)));
    return add_halves(top * across, bottom * across) * down;
}

TMI_FOR_AVX2 pixels sample_cells(const cells *in)
{
    const __m256 a = inner_rows(in->texels[0], in->pitch, _mm256_permute_ps(in->across, 0x00),
                                _mm256_permute_ps(in->down, 0x00));
    const __m256 b = inner_rows(in->texels[1], in->pitch, _mm256_permute_ps(in->across, 0x55),
                                _mm256_permute_ps(in->down, 0x55));
    const __m256 c = inner_rows(in->texels[2], in->pitch, _mm256_permute_ps(in->across, 0xAA),
                                _mm256_permute_ps(in->down, 0xAA));
    const __m256 d = inner_rows(in->texels[3], in->pitch, _mm256_permute_ps(in->across, 0xFF),
                                _mm256_permute_ps(in->down, 0xFF));
    return (pixels){add_halves(a, b), add_halves(c, d)};
}

/* As `sample`. */
TMI_FOR_AVX2 bool sample_inner(pixels *out, const tmi_triangle *triangle, __m256d u, __m256d v)
{
    const tmi_lod lod = triangle->lod;
    const cells first = cells_of(triangle, lod.level, u, v);
    const bool clear = all_clear(&first);
    if (!(lod.weight > 0)) {
        if (!clear)
            *out = sample_cells(&first);
        return !clear;
    }
    const cells second = cells_of(triangle, lod.next, u, v);
    if (clear && all_clear(&second))
        return false;
    const pixels a = sample_cells(&first), b = sample_cells(&second);
    const __m256 rest = _mm256_set1_ps(1 - lod.weight), weight = _mm256_set1_ps(lod.weight);
    *out = (pixels){between(a.first, b.first, rest, weight), between(a.second, b.second, rest, weight)};
    return true;
}

/* ------------------------------------------------------------------------------------------------- pixels */

/* What is the same all along a row. */
typedef struct row {
    double y, origin;
    __m256d base, dx, dy; /* colors; dy: what it makes of the row */
    __m256 factor;
    bool multiplied;
} row;

TMI_FOR_AVX2 row row_of(const tmi_triangle *triangle, int64_t number)
{
    const tmi_plane *planes = triangle->planes;
    const double y = (double)number + 0.5 - triangle->y;
    return (row){y,
                 triangle->x,
                 _mm256_setr_pd(planes[0].base, planes[1].base, planes[2].base, planes[3].base),
                 _mm256_setr_pd(planes[0].dx, planes[1].dx, planes[2].dx, planes[3].dx),
                 _mm256_setr_pd(planes[0].dy * y, planes[1].dy * y, planes[2].dy * y, planes[3].dy * y),
                 tmi_twice(triangle->factor),
                 triangle->multiplied};
}

/* Columns i..i + 3, from the origin. */
TMI_FOR_AVX2 __m256d columns_from(const row *in, int64_t i)
{
    const __m256d whole = _mm256_set1_pd((double)i) + _mm256_setr_pd(0, 1, 2, 3);
    return whole + _mm256_set1_pd(0.5) - _mm256_set1_pd(in->origin);
}

TMI_FOR_AVX2 __m256d values_at(const tmi_plane *plane, __m256d x, double y)
{
    const __m256d sum = _mm256_set1_pd(plane->base) + _mm256_set1_pd(plane->dx) * x;
    return sum + _mm256_set1_pd(plane->dy * y);
}

TMI_FOR_AVX2 __m128 color_at(const row *in, __m256d x)
{
    return _mm256_cvtpd_ps(in->base + in->dx * x + in->dy);
}

TMI_FOR_AVX2 __m256 two_colors(const row *in, __m256d x, __m256d next)
{
    const __m256 colors =
        _mm256_insertf128_ps(_mm256_castps128_ps256(color_at(in, x)), color_at(in, next), 1);
    return _mm256_max_ps(colors * in->factor, _mm256_setzero_ps());
}

TMI_FOR_AVX2 pixels colors_at(const row *in, __m256d x)
{
    return (pixels){two_colors(in, _mm256_permute4x64_pd(x, 0x00), _mm256_permute4x64_pd(x, 0x55)),
                    two_colors(in, _mm256_permute4x64_pd(x, 0xAA), _mm256_permute4x64_pd(x, 0xFF))};
}

TMI_FOR_AVX2 uint32_t num_left(int64_t i, int64_t end)
{
    return end - i < 4 ? (uint32_t)(end - i) : 4;
}

TMI_FOR_AVX2 void lay_texels(const row *in, uint8_t *to, const pixels *color, const pixels *texel,
                             uint32_t num)
{
    const __m256 scale = _mm256_set1_ps(255);
    tmi_blend_four(to, color->first * texel->first / scale, color->second * texel->second / scale, num,
                   in->multiplied);
}

/* `level`: the row runs along the texture's rows. */
TMI_FOR_AVX2 void draw_outer(const tmi_triangle *triangle, const row *in, tmi_pixel_run at, bool even,
                             bool level)
{
    const tmi_plane *u = &triangle->planes[4], *v = &triangle->planes[5];
    const __m256d origin = _mm256_setzero_pd();
    pixels color = colors_at(in, origin), texel;
    heights y = heights_of(triangle, values_at(v, origin, in->y));
    for (int64_t i = at.low; i < at.high; i += 4, at.to += 16) {
        const __m256d x = columns_from(in, i);
        if (!even)
            color = colors_at(in, x);
        if (!level)
            y = heights_of(triangle, values_at(v, x, in->y));
        if (sample(&texel, triangle, values_at(u, x, in->y), &y))
            lay_texels(in, at.to, &color, &texel, num_left(i, at.high));
    }
}

/* Of inner pixels, whose number 4 divides. */
TMI_FOR_AVX2 void draw_inner(const tmi_triangle *triangle, const row *in, const inner_side sides[2],
                             tmi_pixel_run at, bool even)
{
    const __m256d whole_u = _mm256_set1_pd(sides[0].whole), whole_v = _mm256_set1_pd(sides[1].whole);
    pixels color = colors_at(in, _mm256_setzero_pd()), texel;
    for (int64_t i = at.low; i < at.high; i += 4, at.to += 16) {
        const __m256d x = columns_from(in, i);
        if (!even)
            color = colors_at(in, x);
        if (sample_inner(&texel, triangle, values_at(sides[0].plane, x, in->y) - whole_u,
                         values_at(sides[1].plane, x, in->y) - whole_v))
            lay_texels(in, at.to, &color, &texel, 4);
    }
}

/* A texture that repeats more often than every eight pixels has no inner parts that are worth a start. */
static const double OFTEN = 1.0 / 8;

TMI_FOR_AVX2 void draw_texture(const tmi_triangle *triangle, const row *in, tmi_pixel_run at, bool even,
                               bool level)
{
    const tmi_plane *planes = triangle->planes;
    if (fabs(planes[4].dx) > OFTEN || fabs(planes[5].dx) > OFTEN) {
        draw_outer(triangle, in, at, even, level);
        return;
    }
    inner_side sides[2] = {inner_side_of(triangle, in->y, 0), inner_side_of(triangle, in->y, 1)};
    while (at.low < at.high) {
        const double x = (double)at.low + 0.5 - in->origin;
        int64_t num = at.high - at.low, outer = num, inner = num_inner(&sides[0], x, num, &outer);
        inner = inner ? num_inner(&sides[1], x, inner, &outer) : 0;
        if (inner >= 4) {
            num = inner / 4 * 4;
            draw_inner(triangle, in, sides, (tmi_pixel_run){at.low, at.low + num, at.to}, even);
        } else {
            outer = inner ? 4 : outer;
            num = outer < num ? outer : num;
            draw_outer(triangle, in, (tmi_pixel_run){at.low, at.low + num, at.to}, even, level);
        }
        at.low += num;
        at.to += 4 * num;
    }
}

TMI_FOR_AVX2 void draw_colors(const row *in, tmi_pixel_run at)
{
    for (int64_t i = at.low; i < at.high; i += 4, at.to += 16) {
        const pixels color = colors_at(in, columns_from(in, i));
        tmi_blend_four(at.to, color.first, color.second, num_left(i, at.high), in->multiplied);
    }
}

TMI_FOR_AVX2 void draw_one_color(const row *in, tmi_pixel_run at)
{
    const pixels color = colors_at(in, _mm256_setzero_pd());
    tmi_rgba one;
    memcpy(&one, &color.first, sizeof(one));
    if (one[3] >= 255) {
        tmi_fill(at.to, (uint32_t)(at.high - at.low), one, in->multiplied);
        return;
    }
    for (int64_t i = at.low; i < at.high; i += 4, at.to += 16)
        tmi_blend_four(at.to, color.first, color.second, num_left(i, at.high), in->multiplied);
}

TMI_AVX2 void tmi_draw_span_avx2(const tmi_triangle *triangle, int64_t number, tmi_pixel_run at)
{
    const bool level = triangle->planes[5].dx == 0, even = tmi_one_color(triangle);
    const row in = row_of(triangle, number);
    if (!triangle->mipmap && even)
        draw_one_color(&in, at);
    else if (!triangle->mipmap)
        draw_colors(&in, at);
#ifdef TMI_WASM_SIMD /* one text for all: no slower there, and visitors fetch it */
    else
        draw_texture(triangle, &in, at, even, level);
#else
    else if (even && level)
        draw_texture(triangle, &in, at, true, true);
    else if (even)
        draw_texture(triangle, &in, at, true, false);
    else
        draw_texture(triangle, &in, at, false, false);
#endif
}

#else

typedef int tmi_no_avx2; /* a file must hold something */

#endif
