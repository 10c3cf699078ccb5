/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_SHEET_H
#define TMI_RENDER_SHEET_H
/*
 * Tile sheets that the library paints itself: entities, arrows of speedups, numbers. Each is TMI_SHEET_SIDE
 * pixels a side, RGBA, 16 x 16 cells; the canvas is room to work in. Only cells that are in use are painted;
 * cell 0 is air.
 *
 * A picture made when the library is built would hold the entities alone, so the painter would be needed as
 * before, and at build time, too, for a machine that may be another one. It would save nothing: painting the
 * cells of a map takes about as long as reading DDNet's PNG of all, and the code is smaller than that.
 */
#include "canvas.h"

#include <teemap/mods.h>

enum { TMI_SHEET_SIDE = 16 * TMI_CELL_SIDE };

/* The cell of the games' sheets that stands for a switch which opens for a time: no layer has this index. */
enum { TMI_CELL_TIMED_OPEN = 8 };

/* Indices that no game knows show their number. */
void tmi_paint_entities(uint8_t *sheet, tmi_canvas *canvas, const bool used[256], const tm_mod *mod);

/* Cell 1 + n holds an arrow that points n degrees (0..89) below the right. */
enum { TMI_NUM_ANGLES = 90 };
void tmi_paint_arrows(uint8_t *sheet, tmi_canvas *canvas, const bool used[256]);
/* The same from a picture of an arrow to the right. */
void tmi_turn_arrow(uint8_t *sheet, const bool used[256], const uint8_t *rgba, uint32_t width,
                    uint32_t height);

/* Cell n holds the number n around a height of the cell, as large as `room` pixels of it allow. */
void tmi_paint_numbers(uint8_t *sheet, tmi_canvas *canvas, const bool used[256], float middle, float room);

/*
 * Cells 1..num hold a cell of width x height pixels in as many colors; the sheet is of 16 x 16 such cells.
 */
void tmi_paint_tunes(uint8_t *sheet, const uint8_t *cell, uint32_t width, uint32_t height, uint32_t num);

#endif
