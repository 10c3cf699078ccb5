/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_TILE_RASTER_H
#define TMI_RENDER_TILE_RASTER_H
/*
 * One tile on the screen, or several alike side by side: a rectangle of pixels that one slice fills. What a
 * column or a row of pixels reads of the slice is worked out before, for a whole layer; the pixels themselves
 * are done here, the same for every machine.
 */
#include "pixels.h"

/*
 * Which texels a column or row of pixels reads, in each of two levels, and their weights. Texels count from
 * 1; 0 and side + 1 stand for the ones at the ends once more.
 */
typedef struct tmi_tap {
    uint32_t at[2];   /* the first of two neighbours */
    float weights[4]; /* of the first and second in the first level, then in the second level */
} tmi_tap;

/* Neighbouring columns, each weight four times over. Up to three more than there are may be read. */
enum { TMI_SPARE_COLUMNS = 3, TMI_RGBA_SIZE = sizeof(tmi_rgba) };
typedef struct tmi_columns {
    const uint32_t *at[2]; /* times the size of a tmi_rgba */
    const tmi_rgba *weights[4];
} tmi_columns;

/* A slice at one level as it stands on the screen: turned ones have steps and pitch changed over. */
typedef struct tmi_face {
    const uint8_t *texels;
    uint32_t across, down; /* sides, texels */
    size_t step, pitch;    /* bytes from a texel to the next one across and down */
} tmi_face;

typedef struct tmi_cell {
    uint8_t *to;
    size_t row_stride;
    tmi_columns columns; /* their weights also mix the two levels */
    const tmi_tap *rows;
    uint32_t num_columns, num_rows;
    bool many; /* tiles: the columns read all that a row of texels has */
    tmi_face faces[2];
    bool two;        /* both levels count */
    bool opaque;     /* every pixel covers what is below it */
    bool multiplied; /* texels and factor are multiplied by their alpha */
    bool replaces;   /* every pixel that is not clear covers what is below it */
    tmi_rgba factor;
    tmi_rgba *mixed[2]; /* room for as many texels as the levels are wide, and two more */
} tmi_cell;

typedef void tmi_draw_cell(const tmi_cell *cell);
/* The fastest way of this machine; all give the same pixels. */
tmi_draw_cell *tmi_choose_draw_cell(void);
tmi_draw_cell tmi_draw_cell_plain;
#ifdef TMI_AVX2
tmi_draw_cell tmi_draw_cell_avx2;
#endif
/* A rectangle of one color, 0..255 a channel. */
void tmi_fill_cell(uint8_t *to, size_t row_stride, uint32_t num_columns, uint32_t num_rows, tmi_rgba color,
                   bool multiplied);

/* ------------------------------------------------------------------------------------------------- shared */

/* The two rows of texels that a row of pixels lies between. */
typedef struct tmi_texel_rows {
    const uint8_t *upper, *lower;
    float upper_weight, lower_weight;
} tmi_texel_rows;

TMI_INLINE uint32_t tmi_inside(uint32_t at, uint32_t side) /* texels count from 1 */
{
    return at == 0 ? 0 : at > side ? side - 1 : at - 1;
}

TMI_INLINE tmi_texel_rows tmi_rows_of(const tmi_face *face, const tmi_tap *row, size_t level)
{
    return (tmi_texel_rows){face->texels + tmi_inside(row->at[level], face->down) * face->pitch,
                            face->texels + tmi_inside(row->at[level] + 1, face->down) * face->pitch,
                            row->weights[2 * level], row->weights[2 * level + 1]};
}

TMI_INLINE tmi_rgba tmi_mix(const tmi_texel_rows *rows, size_t offset)
{
    return tmi_load(rows->upper + offset) * rows->upper_weight +
           tmi_load(rows->lower + offset) * rows->lower_weight;
}

/* Texels that a row of pixels reads in a level: 0..side + 1. */
typedef struct tmi_range {
    uint32_t first, last;
} tmi_range;

TMI_INLINE tmi_range tmi_range_of(const tmi_cell *cell, size_t level)
{
    const uint32_t *at = cell->columns.at[level];
    const uint32_t left = at[0] / TMI_RGBA_SIZE, right = at[cell->num_columns - 1] / TMI_RGBA_SIZE;
    if (cell->many)
        return (tmi_range){0, cell->faces[level].across + 1};
    return (tmi_range){left <= right ? left : right, (left <= right ? right : left) + 1};
}

/* Whether mixing whole rows would mix more texels than the pixels read. */
TMI_INLINE bool tmi_few_pixels(const tmi_cell *cell)
{
    const tmi_range range = tmi_range_of(cell, 0);
    return range.last - range.first + 1 > 4 * cell->num_columns;
}

#endif
