/* SPDX-License-Identifier: Zlib */
/*
 * The pixels of one tile (section 4). A row of pixels lies between two rows of texels in each level; these
 * are mixed first, once for the whole row, and each pixel then mixes two neighbours of the result in each
 * level. Where a tile has fewer pixels than that would mix texels, only the texels that pixels need are
 * mixed, by the same operations.
 *
 * tile_raster_avx2.c does the same for machines that have more to offer.
 */
#include "tile_raster.h"

/* --------------------------------------------------------------------------------------------- texel rows */

/* Texels first..last (0..side + 1) of a row. */
TMI_INLINE void mix_row(tmi_rgba *out, const tmi_face *face, tmi_texel_rows rows, uint32_t first,
                        uint32_t last)
{
    const uint32_t from = first ? first : 1, to = last > face->across ? face->across : last;
    const size_t step = face->step;
    if (step == 4)
        for (uint32_t i = from; i <= to; i++)
            out[i] = tmi_mix(&rows, (size_t)(i - 1) * 4);
    else
        for (uint32_t i = from; i <= to; i++)
            out[i] = tmi_mix(&rows, (size_t)(i - 1) * step);
    if (first == 0)
        out[0] = tmi_mix(&rows, 0);
    if (last > face->across)
        out[last] = tmi_mix(&rows, (size_t)(face->across - 1) * step);
}

/* ------------------------------------------------------------------------------------------------- pixels */

/*
 * The color of a pixel of one column: between two neighbours i and i + 1 in each of its one or `two` levels.
 * `direct`: they are mixed from the rows of texels here; else cell->mixed has them.
 */
TMI_INLINE tmi_rgba at_column(const tmi_cell *cell, uint32_t column, const tmi_texel_rows rows[2], bool two,
                              bool direct)
{
    tmi_rgba out[2];
    for (size_t k = 0; k < (two ? 2 : 1); k++) {
        const uint32_t i = cell->columns.at[k][column] / TMI_RGBA_SIZE;
        tmi_rgba a, b;
        if (direct) {
            a = tmi_mix(&rows[k], tmi_inside(i, cell->faces[k].across) * cell->faces[k].step);
            b = tmi_mix(&rows[k], tmi_inside(i + 1, cell->faces[k].across) * cell->faces[k].step);
        } else {
            a = cell->mixed[k][i];
            b = cell->mixed[k][i + 1];
        }
        out[k] = a * cell->columns.weights[2 * k][column] + b * cell->columns.weights[2 * k + 1][column];
    }
    return two ? out[0] + out[1] : out[0];
}

TMI_INLINE void draw_row(const tmi_cell *cell, const tmi_texel_rows rows[2], uint8_t *to, bool two,
                         bool opaque, bool direct)
{
    for (uint32_t i = 0; i < cell->num_columns; i++, to += 4) {
        const tmi_rgba color = at_column(cell, i, rows, two, direct) * cell->factor;
        if (opaque)
            tmi_store_opaque(to, color);
        else if (cell->replaces)
            tmi_replace(to, color);
        else
            tmi_blend(to, color, cell->multiplied);
    }
}

TMI_INLINE void draw_rows(const tmi_cell *cell, bool two, bool opaque, bool direct)
{
    for (uint32_t j = 0; j < cell->num_rows; j++) {
        tmi_texel_rows rows[2];
        for (size_t k = 0; k < (two ? 2 : 1); k++) {
            const tmi_range range = tmi_range_of(cell, k);
            rows[k] = tmi_rows_of(&cell->faces[k], &cell->rows[j], k);
            if (!direct)
                mix_row(cell->mixed[k], &cell->faces[k], rows[k], range.first, range.last);
        }
        draw_row(cell, rows, cell->to + j * cell->row_stride, two, opaque, direct);
    }
}

void tmi_draw_cell_plain(const tmi_cell *cell)
{
    const bool direct = tmi_few_pixels(cell);
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

tmi_draw_cell *tmi_choose_draw_cell(void)
{
#ifdef TMI_AVX2
    if (TMI_HAS_AVX2())
        return tmi_draw_cell_avx2;
#endif
    return tmi_draw_cell_plain;
}

/* ---------------------------------------------------------------------------------------------- one color */

void tmi_fill_cell(uint8_t *to, size_t row_stride, uint32_t num_columns, uint32_t num_rows, tmi_rgba color,
                   bool multiplied)
{
    for (uint32_t j = 0; j < num_rows; j++, to += row_stride)
        tmi_fill(to, num_columns, color, multiplied);
}
