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
    const uint32_t *offsets[2]; /* times the size of a tmi_rgba */
    const tmi_rgba *weights[4];
} tmi_columns;

/* A slice at one level as it stands on the screen: turned ones have steps and pitch changed over. */
typedef struct tmi_face {
    const uint8_t *texels;
    uint32_t across, down; /* sides, texels */
    size_t step, pitch;    /* bytes from a texel to the next one across and down */
} tmi_face;

typedef struct tmi_cell {
    uint8_t *target;
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
tmi_draw_cell tmi_draw_cell_plain;
#ifdef TMI_HAS_AVX2
tmi_draw_cell tmi_draw_cell_avx2;
#endif
tmi_draw_cell *tmi_choose_draw_cell(void); /* the faster one that this machine can run; both draw the same */

#endif
