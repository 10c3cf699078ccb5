/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_SPANS_H
#define TMI_RENDER_SPANS_H
/*
 * One row of a triangle: colors and texture coordinates that run straight across the picture, and the
 * texture behind them (section 7).
 */
#include "mipmap.h"

/* A value that runs straight over the picture. */
typedef struct tmi_plane {
    double base, dx, dy; /* at the origin of the triangle, for a pixel right and down */
} tmi_plane;

typedef struct tmi_triangle {
    const tmi_mipmap *mipmap; /* NULL: colors alone */
    tmi_lod lod;
    double x, y;         /* origin, pixels */
    tmi_plane planes[6]; /* r, g, b, a (0..255), u, v (texture sides) */
    tmi_rgba factor;
    bool even;       /* one color all over */
    bool multiplied; /* colors and texels are multiplied by their alpha */
    bool clamped[2]; /* the texture ends at its sides instead of repeating: across, down */
} tmi_triangle;

/* The pixels [low, high) of a row; `to` is the first of them. */
typedef struct tmi_pixel_run {
    int64_t low, high;
    uint8_t *target;
} tmi_pixel_run;
/* Draws them. */
typedef void tmi_draw_span(const tmi_triangle *triangle, int64_t row, tmi_pixel_run run);
tmi_draw_span tmi_draw_span_plain;
#ifdef TMI_HAS_AVX2
tmi_draw_span tmi_draw_span_avx2;
#endif
tmi_draw_span *tmi_choose_draw_span(void); /* the faster one that this machine can run; both draw the same */

#endif
