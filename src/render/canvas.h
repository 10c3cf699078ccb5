/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_CANVAS_H
#define TMI_RENDER_CANVAS_H
/*
 * Paints one cell of a tile sheet, 64 x 64 pixels, from discs, boxes, polygons, strokes and texts.
 *
 * Shapes are joined into one outline first, which is then filled with a color: that is how a dark rim goes
 * around all of it. Only + - * / and sqrt are used, so every machine paints the same.
 */
#include "pixels.h"

enum { TMI_CELL_SIDE = 64 };

/* A color, 0..1 a channel, alpha straight. */
typedef struct tmi_ink {
    float r, g, b, a;
} tmi_ink;

typedef struct tmi_canvas {
    tmi_rgba pixels[TMI_CELL_SIDE * TMI_CELL_SIDE]; /* 0..1, multiplied by alpha */
    float distances[TMI_CELL_SIDE * TMI_CELL_SIDE]; /* to the outline, negative inside */
    int left, top, right, bottom;                   /* the part of `distances` that has shapes */
    float sine, cosine; /* how shapes are turned about the middle of the cell; clear sets 0 and 1 */
} tmi_canvas;

void tmi_canvas_clear(tmi_canvas *canvas);
/* Rounds to bytes, straight alpha. Pixels that hardly anything covers get no color at all. */
void tmi_canvas_store(const tmi_canvas *canvas, uint8_t *target, size_t row_stride);

/*
 * Draws a list of commands: letters, each followed by its numbers, in pixels.
 *   w W              strokes are W wide from now on
 *   l X Y X Y ...    a stroke through points
 *   p X Y X Y ...    a polygon, at most 16 corners
 *   o X Y R          a disc
 *   r X Y R          a ring
 *   b X Y X Y R      a box with corners rounded by R
 *   t X Y H TEXT     a text in the middle of X, Y that is H high; it ends with a space or the list
 *   x                the next shape is cut out of those before it
 *   !C               fills all shapes since the last filling with a color, with a dark rim
 *   .C               the same without a rim
 * Colors are letters: see canvas.c.
 */
void tmi_canvas_draw(tmi_canvas *canvas, const char *commands);
tmi_ink tmi_ink_of(char letter);
/* Adds a text in the middle of x, y whose letters are `height` high. */
void tmi_canvas_add_text(tmi_canvas *canvas, const char *text, size_t length, float x, float y, float height);
/*
 * Fills what was added; the outline grows by `grow` pixels. It stays for another filling until
 * tmi_canvas_next.
 */
void tmi_canvas_fill(tmi_canvas *canvas, tmi_ink ink, float grow);
void tmi_canvas_next(tmi_canvas *canvas);
/* From a letter to the next one, for letters that are 1 high. */
#define TMI_LETTER_ADVANCE (12 / 14.2F)

#endif
