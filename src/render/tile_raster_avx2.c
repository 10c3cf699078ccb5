/* SPDX-License-Identifier: Zlib */
/*
 * The pixels of one tile (section 4) on machines with AVX2: what tile_raster.c does, in the same order, for
 * two texels or pixels in each vector and four pixels in each step.
 */
#include "pixels_avx2.h"

#include "tile_raster.h"

#ifdef TMI_AVX2

/* Two texels between two rows. */
TMI_FOR_AVX2 __m256 mix_two(const tmi_texel_rows *rows, size_t offset, size_t step, __m256 upper_weight,
                            __m256 lower_weight)
{
    return tmi_load_two(rows->upper + offset, step) * upper_weight +
           tmi_load_two(rows->lower + offset, step) * lower_weight;
}

/* `num` texels, the first of them at `offset`. */
TMI_FOR_AVX2 void mix_texels(tmi_rgba *out, const tmi_texel_rows *with, size_t offset, uint32_t num,
                             size_t step)
{
    const tmi_texel_rows rows = *with;
    const __m256 upper = _mm256_set1_ps(rows.upper_weight), lower = _mm256_set1_ps(rows.lower_weight);
    for (; num >= 4; num -= 4, out += 4, offset += 4 * step) {
        _mm256_storeu_ps((float *)out, mix_two(&rows, offset, step, upper, lower));
        _mm256_storeu_ps((float *)(out + 2), mix_two(&rows, offset + 2 * step, step, upper, lower));
    }
    for (; num > 0; num--, out++, offset += step)
        *out = tmi_mix(&rows, offset);
}

/* As tile_raster.c's mix_row. */
TMI_FOR_AVX2 void mix_row(tmi_rgba *out, const tmi_face *face, const tmi_texel_rows *rows, uint32_t first,
                          uint32_t last)
{
    const uint32_t from = first ? first : 1, to = last > face->across ? face->across : last;
    if (face->step == 4)
        mix_texels(out + from, rows, (size_t)(from - 1) * 4, to - from + 1, 4);
    else
        mix_texels(out + from, rows, (size_t)(from - 1) * face->step, to - from + 1, face->step);
    if (first == 0)
        out[0] = out[1];
    if (last > face->across)
        out[last] = out[face->across];
}

/* What is read in one level, from the first column on. */
typedef struct reading {
    const uint8_t *mixed;
    const uint32_t *at;
    const float *weights[2];
} reading;

TMI_FOR_AVX2 reading reading_of(const tmi_cell *cell, size_t k)
{
    return (reading){
        (const uint8_t *)cell->mixed[k],
        cell->columns.at[k],
        {(const float *)cell->columns.weights[2 * k], (const float *)cell->columns.weights[2 * k + 1]}};
}

TMI_FOR_AVX2 __m256 two_texels(const uint8_t *first, const uint8_t *second)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps((const float *)(const void *)first)),
                                _mm_load_ps((const float *)(const void *)second), 1);
}

TMI_FOR_AVX2 __m256 in_level(const reading *from, size_t i)
{
    const uint8_t *first = from->mixed + from->at[i], *second = from->mixed + from->at[i + 1];
    const __m256 a = two_texels(first, second), b = two_texels(first + 16, second + 16);
    return a * _mm256_loadu_ps(from->weights[0] + 4 * i) + b * _mm256_loadu_ps(from->weights[1] + 4 * i);
}

/* Pixels i and i + 1 of a row. */
TMI_FOR_AVX2 __m256 two_pixels(const reading from[2], size_t i, __m256 factor, bool two)
{
    __m256 sum = in_level(&from[0], i);
    if (two)
        sum += in_level(&from[1], i);
    return sum * factor;
}

TMI_FOR_AVX2 void draw_row(const tmi_cell *cell, uint8_t *to, bool two, bool opaque)
{
    const reading from[2] = {reading_of(cell, 0), reading_of(cell, 1)};
    const __m256 factor = tmi_twice(cell->factor);
    const bool multiplied = cell->multiplied, replaces = cell->replaces;
    const uint32_t num = cell->num_columns;
    for (uint32_t i = 0; i < num; i += 4, to += 16) {
        const __m256 a = two_pixels(from, i, factor, two), b = two_pixels(from, i + 2, factor, two);
        if (opaque)
            tmi_put_four(to, tmi_bytes_of(a, b), num - i);
        else if (replaces)
            tmi_replace_four(to, a, b, num - i);
        else
            tmi_blend_four(to, a, b, num - i, multiplied);
    }
}

TMI_FOR_AVX2 void draw_rows(const tmi_cell *cell, bool two, bool opaque)
{
    uint8_t *to = cell->to;
    for (uint32_t j = 0; j < cell->num_rows; j++, to += cell->row_stride) {
        for (size_t k = 0; k < (two ? 2 : 1); k++) {
            const tmi_texel_rows rows = tmi_rows_of(&cell->faces[k], &cell->rows[j], k);
            const tmi_range range = tmi_range_of(cell, k);
            mix_row(cell->mixed[k], &cell->faces[k], &rows, range.first, range.last);
        }
        draw_row(cell, to, two, opaque);
    }
}

TMI_AVX2 void tmi_draw_cell_avx2(const tmi_cell *cell)
{
#ifdef TMI_WASM_SIMD /* the other text stays out of the module: it is worth little, and visitors fetch it */
    const bool few = false;
#else
    const bool few = tmi_few_pixels(cell);
#endif
    if (few)
        tmi_draw_cell_plain(cell);
    else if (cell->two && cell->opaque)
        draw_rows(cell, true, true);
    else if (cell->two)
        draw_rows(cell, true, false);
    else if (cell->opaque)
        draw_rows(cell, false, true);
    else
        draw_rows(cell, false, false);
}

#else

typedef int tmi_no_avx2; /* a file must hold something */

#endif
