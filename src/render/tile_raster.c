/* SPDX-License-Identifier: Zlib */
/*
 * The pixels of one tile (section 4). A row of pixels lies between two rows of texels in each level; these
 * are mixed first, once for the whole row, and each pixel then mixes two neighbours of the result in each
 * level.
 */
#include "wide.h"

#include "tile_raster.h"

/* --------------------------------------------------------------------------------------------- texel rows */

/* The two rows of texels that a row of pixels lies between. */
typedef struct texel_rows {
    const uint8_t *upper, *lower;
    float upper_weight, lower_weight;
} texel_rows;

TMI_WIDE uint32_t inside(uint32_t at, uint32_t side) /* texels count from 1 */
{
    return at == 0 ? 0 : at > side ? side - 1 : at - 1;
}

TMI_WIDE texel_rows rows_of(const tmi_face *face, const tmi_tap *tap, size_t level)
{
    return (texel_rows){face->texels + inside(tap->at[level], face->down) * face->pitch,
                        face->texels + inside(tap->at[level] + 1, face->down) * face->pitch,
                        tap->weights[2 * level], tap->weights[2 * level + 1]};
}

/* Texels that a row of pixels reads in a level: 0..side + 1. */
typedef struct range {
    uint32_t first, last;
} range;

TMI_WIDE range range_of(const tmi_cell *cell, size_t level)
{
    const uint32_t *offsets = cell->columns.offsets[level];
    const uint32_t left = offsets[0] / TMI_RGBA_SIZE, right = offsets[cell->num_columns - 1] / TMI_RGBA_SIZE;
    if (cell->many)
        return (range){0, cell->faces[level].across + 1};
    return (range){left <= right ? left : right, (left <= right ? right : left) + 1};
}

/* `num` texels between two rows, the first of them at `offset`. */
TMI_WIDE void mix_texels(tmi_rgba *out, const texel_rows *texels, size_t offset, uint32_t num, size_t step)
{
    const texel_rows rows = *texels;
    for (; num >= 2; num -= 2, out += 2, offset += 2 * step) {
        const uint8_t *upper = rows.upper + offset, *lower = rows.lower + offset;
        const tmi_two mixed =
            tmi_load_two(upper, step) * rows.upper_weight + tmi_load_two(lower, step) * rows.lower_weight;
        memcpy(out, &mixed, sizeof(mixed));
    }
    if (num > 0)
        *out = tmi_load(rows.upper + offset) * rows.upper_weight +
               tmi_load(rows.lower + offset) * rows.lower_weight;
}

/* Texels first..last (0..side + 1) of a row. */
TMI_WIDE void mix_row(tmi_rgba *out, const tmi_face *face, const texel_rows *rows, uint32_t first,
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

/* ------------------------------------------------------------------------------------------------- pixels */

/* What is read in one level, from the first column on. */
typedef struct reading {
    const uint8_t *mixed;
    const uint32_t *offsets;
    const tmi_rgba *weights[2];
} reading;

TMI_WIDE reading reading_of(const tmi_cell *cell, size_t k)
{
    return (reading){(const uint8_t *)cell->mixed[k],
                     cell->columns.offsets[k],
                     {cell->columns.weights[2 * k], cell->columns.weights[2 * k + 1]}};
}

TMI_WIDE tmi_two in_level(const reading *source, size_t i)
{
    const tmi_rgba *first = (const tmi_rgba *)(const void *)(source->mixed + source->offsets[i]),
                   *second = (const tmi_rgba *)(const void *)(source->mixed + source->offsets[i + 1]);
    tmi_two weights[2];
    memcpy(&weights[0], source->weights[0] + i, sizeof(tmi_two));
    memcpy(&weights[1], source->weights[1] + i, sizeof(tmi_two));
    return tmi_join(first[0], second[0]) * weights[0] + tmi_join(first[1], second[1]) * weights[1];
}

/* Pixels i and i + 1 of a row. */
TMI_WIDE tmi_two two_pixels(const reading sources[2], size_t i, tmi_two factor, bool two)
{
    tmi_two sum = in_level(&sources[0], i);
    if (two)
        sum += in_level(&sources[1], i);
    return sum * factor;
}

TMI_WIDE void draw_row(const tmi_cell *cell, uint8_t *target, bool two, bool opaque)
{
    const reading sources[2] = {reading_of(cell, 0), reading_of(cell, 1)};
    const tmi_two factor = tmi_join(cell->factor, cell->factor);
    const bool multiplied = cell->multiplied, replaces = cell->replaces;
    const uint32_t num = cell->num_columns;
    for (uint32_t i = 0; i < num; i += 4, target += 16) {
        const tmi_four_pixels four = {two_pixels(sources, i, factor, two),
                                      two_pixels(sources, i + 2, factor, two)};
        if (opaque)
            tmi_store_opaque_four(target, four, num - i);
        else if (replaces)
            tmi_replace_four(target, four, num - i);
        else
            tmi_blend_four(target, four, num - i, multiplied);
    }
}

TMI_WIDE void draw_rows(const tmi_cell *cell, bool two, bool opaque)
{
    uint8_t *target = cell->target;
    for (uint32_t j = 0; j < cell->num_rows; j++, target += cell->row_stride) {
        for (size_t k = 0; k < (two ? 2 : 1); k++) {
            const texel_rows rows = rows_of(&cell->faces[k], &cell->rows[j], k);
            const range read = range_of(cell, k);
            mix_row(cell->mixed[k], &cell->faces[k], &rows, read.first, read.last);
        }
        draw_row(cell, target, two, opaque);
    }
}

TMI_TARGET void TMI_NAME(tmi_draw_cell)(const tmi_cell *cell)
{
    if (cell->two && cell->opaque)
        draw_rows(cell, true, true);
    else if (cell->two)
        draw_rows(cell, true, false);
    else if (cell->opaque)
        draw_rows(cell, false, true);
    else
        draw_rows(cell, false, false);
}
