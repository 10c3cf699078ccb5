/* SPDX-License-Identifier: Zlib */
#ifndef TMI_RENDER_LETTERS_H
#define TMI_RENDER_LETTERS_H
/*
 * Letters as strokes, for numbers and words on tiles and for labels of pictures.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A letter's strokes over a grid of 8 x 12: digits for x, letters for y, a at the top; a dot lifts the pen.
 * Small letters look like large ones; undrawable characters are "".
 */
const char *tmi_letter_strokes(char letter);
/* In units of the grid; strokes are as much higher than their grid as they are wide. */
#define TMI_LETTER_WIDTH  8.0F
#define TMI_LETTER_HEIGHT 12.0F
#define TMI_LETTER_GAP    4.0F
#define TMI_LETTER_STROKE 2.2F

/* The square of the distance of x, y to a segment {x, y, x, y}. A sheet of entities asks for millions. */
static inline float tmi_to_segment(const float *ends, float x, float y)
{
    const float dx = ends[2] - ends[0], dy = ends[3] - ends[1], square = dx * dx + dy * dy;
    float along = square > 0 ? ((x - ends[0]) * dx + (y - ends[1]) * dy) / square : 0;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    const float off_x = x - ends[0] - along * dx, off_y = y - ends[1] - along * dy;
    return off_x * off_x + off_y * off_y;
}

/* A picture of RGBA pixels without gaps, and the color of letters in it. */
typedef struct tmi_letter_target {
    uint8_t *rgba;
    uint32_t width, height;
    uint8_t rgb[3];
} tmi_letter_target;
/* Draws `length` bytes of text over what is there, top left at x, y; alpha stays. All in pixels. */
void tmi_letters_draw(const tmi_letter_target *target, const char *text, size_t length, float x, float y,
                      float height);
/* How wide so many letters are. */
float tmi_letters_width(size_t num, float height);

#endif
