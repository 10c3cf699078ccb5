/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_CELLS_H
#define TMI_RENDER_CELLS_H
/*
 * One tile on the screen: a rectangle of pixels that one slice fills. What a column or a row of pixels reads
 * of the slice is worked out before, for a whole layer; the pixels themselves are done here, the same for
 * every machine.
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

/* A slice at one level as it stands on the screen: turned ones have steps and pitch changed over. */
typedef struct tmi_face {
    const uint8_t *texels;
    uint32_t across, down; /* sides, texels */
    size_t step, pitch;    /* bytes from a texel to the next one across and down */
} tmi_face;

typedef struct tmi_cell {
    uint8_t *to;
    size_t row_stride;
    const tmi_tap *columns, *rows; /* the columns' weights also mix the two levels */
    uint32_t num_columns, num_rows;
    tmi_face faces[2];
    bool two;        /* both levels count */
    bool opaque;     /* every pixel covers what is below it */
    bool multiplied; /* texels and factor are multiplied by their alpha */
    tmi_rgba factor;
    tmi_rgba *mixed[2]; /* room for as many texels as the levels are wide, and two more */
} tmi_cell;

typedef void tmi_draw_cell(const tmi_cell *cell);
/* The fastest way of this machine; all give the same pixels. */
tmi_draw_cell *tmi_choose_draw_cell(void);
tmi_draw_cell tmi_draw_cell_plain;
/* A rectangle of one color, 0..255 a channel. */
void tmi_fill_cell(uint8_t *to, size_t row_stride, uint32_t num_columns, uint32_t num_rows, tmi_rgba color,
                   bool multiplied);

#endif
