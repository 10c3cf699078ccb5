/* SPDX-License-Identifier: Zlib */
/*
 * The pixels of one tile (section 4). A row of pixels lies between two rows of texels in each level; these
 * are mixed first, once for the whole row, and each pixel then mixes two neighbours of the result in each
 * level. Where a tile has fewer pixels than that would mix texels, only the texels that pixels need are
 * mixed, by the same operations.
 *
 * Everything is compiled twice where a machine may have more to offer: the operations and their order are in
 * the source, so the pixels are the same.
 */
#include "cells.h"

/* --------------------------------------------------------------------------------------------- texel rows */

typedef struct texel_rows {
    const uint8_t *upper, *lower;
    float upper_weight, lower_weight;
} texel_rows;

TMI_INLINE uint32_t inside(uint32_t at, uint32_t side) /* texels count from 1 */
{
    return at == 0 ? 0 : at > side ? side - 1 : at - 1;
}

TMI_INLINE texel_rows rows_of(const tmi_face *face, const tmi_tap *row, size_t level)
{
    return (texel_rows){face->texels + inside(row->at[level], face->down) * face->pitch,
                        face->texels + inside(row->at[level] + 1, face->down) * face->pitch,
                        row->weights[2 * level], row->weights[2 * level + 1]};
}

TMI_INLINE tmi_rgba mix(const texel_rows *rows, size_t offset)
{
    return tmi_load(rows->upper + offset) * rows->upper_weight +
           tmi_load(rows->lower + offset) * rows->lower_weight;
}

/* Texels first..last (0..side + 1) of a row. */
TMI_INLINE void mix_row(tmi_rgba *out, const tmi_face *face, texel_rows rows, uint32_t first, uint32_t last)
{
    const uint32_t from = first ? first : 1, to = last > face->across ? face->across : last;
    const size_t step = face->step;
    if (step == 4)
        for (uint32_t i = from; i <= to; i++)
            out[i] = mix(&rows, (size_t)(i - 1) * 4);
    else
        for (uint32_t i = from; i <= to; i++)
            out[i] = mix(&rows, (size_t)(i - 1) * step);
    if (first == 0)
        out[0] = mix(&rows, 0);
    if (last > face->across)
        out[last] = mix(&rows, (size_t)(face->across - 1) * step);
}

/* ------------------------------------------------------------------------------------------------- pixels */

TMI_INLINE tmi_rgba at_column(const tmi_cell *cell, const tmi_tap *column, const texel_rows rows[2], bool two,
                              bool direct)
{
    tmi_rgba out[2];
    for (size_t k = 0; k < (two ? 2 : 1); k++) {
        const uint32_t i = column->at[k];
        tmi_rgba a, b;
        if (direct) {
            a = mix(&rows[k], inside(i, cell->faces[k].across) * cell->faces[k].step);
            b = mix(&rows[k], inside(i + 1, cell->faces[k].across) * cell->faces[k].step);
        } else {
            a = cell->mixed[k][i];
            b = cell->mixed[k][i + 1];
        }
        out[k] = a * column->weights[2 * k] + b * column->weights[2 * k + 1];
    }
    return two ? out[0] + out[1] : out[0];
}

TMI_INLINE void draw_row(const tmi_cell *cell, const texel_rows rows[2], uint8_t *to, bool two, bool opaque,
                         bool direct)
{
    for (uint32_t i = 0; i < cell->num_columns; i++, to += 4) {
        const tmi_rgba color = at_column(cell, &cell->columns[i], rows, two, direct) * cell->factor;
        if (opaque)
            tmi_store_opaque(to, color);
        else if (cell->multiplied)
            tmi_blend_multiplied(to, color);
        else
            tmi_blend(to, color);
    }
}

TMI_INLINE void draw_rows(const tmi_cell *cell, bool two, bool opaque, bool direct)
{
    const tmi_tap *left = &cell->columns[0], *right = &cell->columns[cell->num_columns - 1];
    for (uint32_t j = 0; j < cell->num_rows; j++) {
        texel_rows rows[2];
        for (size_t k = 0; k < (two ? 2 : 1); k++) {
            const bool rising = left->at[k] <= right->at[k];
            rows[k] = rows_of(&cell->faces[k], &cell->rows[j], k);
            if (!direct)
                mix_row(cell->mixed[k], &cell->faces[k], rows[k], rising ? left->at[k] : right->at[k],
                        (rising ? right->at[k] : left->at[k]) + 1);
        }
        draw_row(cell, rows, cell->to + j * cell->row_stride, two, opaque, direct);
    }
}

/* Whether mixing whole rows would mix more texels than the pixels read. */
TMI_INLINE bool few_pixels(const tmi_cell *cell)
{
    const uint32_t left = cell->columns[0].at[0], right = cell->columns[cell->num_columns - 1].at[0];
    return (left < right ? right - left : left - right) + 2 > 4 * cell->num_columns;
}

TMI_INLINE void draw_cell(const tmi_cell *cell)
{
    const bool direct = few_pixels(cell);
    switch (cell->two * 4 + cell->opaque * 2 + direct) {
    case 0: draw_rows(cell, false, false, false); break;
    case 1: draw_rows(cell, false, false, true); break;
    case 2: draw_rows(cell, false, true, false); break;
    case 3: draw_rows(cell, false, true, true); break;
    case 4: draw_rows(cell, true, false, false); break;
    case 5: draw_rows(cell, true, false, true); break;
    case 6: draw_rows(cell, true, true, false); break;
    default: draw_rows(cell, true, true, true); break;
    }
}

/* ----------------------------------------------------------------------------------------------- machines */

void tmi_draw_cell_plain(const tmi_cell *cell)
{
    draw_cell(cell);
}

#ifdef TMI_AVX2

__attribute__((target("avx2"))) static void draw_cell_avx2(const tmi_cell *cell)
{
    draw_cell(cell);
}

tmi_draw_cell *tmi_choose_draw_cell(void)
{
    return __builtin_cpu_supports("avx2") ? draw_cell_avx2 : tmi_draw_cell_plain;
}

#else

tmi_draw_cell *tmi_choose_draw_cell(void)
{
    return tmi_draw_cell_plain;
}

#endif

/* ---------------------------------------------------------------------------------------------- one color */

void tmi_fill_cell(uint8_t *to, size_t row_stride, uint32_t num_columns, uint32_t num_rows, tmi_rgba color,
                   bool multiplied)
{
    for (uint32_t j = 0; j < num_rows; j++, to += row_stride)
        tmi_fill(to, num_columns, color, multiplied);
}
