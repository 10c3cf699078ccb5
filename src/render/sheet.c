/* SPDX-License-Identifier: Zlib */
/*
 * Painting the library's own tile sheets: entities by what icons.c says, arrows in 90 directions, numbers,
 * and tunings in as many colors as a map needs. Only + - * / and sqrt, so that they are the same everywhere.
 */
#include "sheet.h"

#include <teemap/games.h>

#include <math.h>

enum { CELL = TMI_CELL_SIDE, STRIDE = TMI_SHEET_SIDE * 4 };
#define MIDDLE (0.5F * CELL)

static uint8_t *cell_of(uint8_t *sheet, uint32_t index)
{
    return sheet + (size_t)(index / 16) * CELL * STRIDE + (size_t)(index % 16) * CELL * 4;
}

/* The digits of a number, at most three. */
static size_t digits_of(char digits[3], uint32_t number)
{
    size_t num = 0;
    for (uint32_t unit = number > 99 ? 100 : number > 9 ? 10 : 1; unit; unit /= 10)
        digits[num++] = (char)('0' + number / unit % 10);
    return num;
}

static void fill_cell(tmi_canvas *canvas, tmi_ink ink, float alpha)
{
    ink.a = alpha;
    tmi_canvas_fill(canvas, ink, 0);
    tmi_canvas_next(canvas);
}

/* Fills text: white with a dark rim, so that it is readable on every background. */
static void fill_text(tmi_canvas *canvas, float rim)
{
    static const tmi_ink dark = {0.04F, 0.05F, 0.08F, 0.9F}, white = {1, 1, 1, 1};
    tmi_canvas_fill(canvas, dark, rim);
    tmi_canvas_fill(canvas, white, 0);
    tmi_canvas_next(canvas);
}

/* ----------------------------------------------------------------------------------------------- entities */

static void paint_plate(tmi_canvas *canvas, const tmi_icon *icon)
{
    static const struct {
        const char *base, *rim;
        float base_alpha, rim_alpha;
        bool bright; /* the rim has the plate's color */
    } plates[] = {
        [TMI_PLATE_NONE] = {"b 5 5 59 59 8", "b 2 2 62 62 11 x b 5 5 59 59 8", 0.4F, 0.5F, false},
        [TMI_PLATE_AREA] = {"b 0 0 64 64 0", "b 0 0 64 64 0 x b 2 2 62 62 0", 0.62F, 0.22F, false},
        [TMI_PLATE_FAINT] = {"b 0 0 64 64 0", "b 0 0 64 64 0 x b 2 2 62 62 0", 0.3F, 0.22F, false},
        [TMI_PLATE_CHIP] = {"b 5 5 59 59 8", "b 2 2 62 62 11 x b 5 5 59 59 8", 0.7F, 0.75F, false},
        [TMI_PLATE_PORTAL] = {"o 32 32 24", "w 7 r 32 32 27", 0.42F, 1, true},
        [TMI_PLATE_CHECK] = {"b 8 8 56 56 7", "b 2 2 62 62 14 x b 9 9 55 55 8", 0.42F, 1, true},
    };
    static const tmi_ink dark = {0.04F, 0.05F, 0.08F, 1};
    tmi_canvas_draw(canvas, plates[icon->plate].base);
    fill_cell(canvas, tmi_ink_of(icon->color), plates[icon->plate].base_alpha);
    tmi_canvas_draw(canvas, plates[icon->plate].rim);
    fill_cell(canvas, plates[icon->plate].bright ? tmi_ink_of(icon->color) : dark,
              plates[icon->plate].rim_alpha);
}

static void paint_entity(uint8_t *sheet, tmi_canvas *canvas, uint8_t index)
{
    const tmi_icon *icon = tmi_icon_of(index);
    const uint32_t checkpoint = tmi_time_checkpoint(index);
    char digits[3];
    tmi_canvas_clear(canvas);
    paint_plate(canvas, icon);
    tmi_canvas_draw(canvas, icon->commands);
    if (checkpoint || icon->plate == TMI_PLATE_NONE) {
        const size_t num = digits_of(digits, checkpoint ? checkpoint : index);
        tmi_canvas_add_text(canvas, digits, num, MIDDLE, checkpoint ? 39 : MIDDLE, checkpoint ? 28 : 20);
        fill_text(canvas, 2);
    }
    tmi_canvas_store(canvas, cell_of(sheet, index), STRIDE);
}

void tmi_paint_entities(uint8_t *sheet, tmi_canvas *canvas, const bool used[256])
{
    for (uint32_t index = 1; index < 256; index++)
        if (used[index])
            paint_entity(sheet, canvas, (uint8_t)index);
}

/* ------------------------------------------------------------------------------------------------- arrows */

/* Sine and cosine of a degree, from which those of all others come. */
#define DEGREE_SINE   0.017452406437283512
#define DEGREE_COSINE 0.99984769515639124

typedef struct angle {
    double sine, cosine;
} angle;

static angle next_degree(angle at)
{
    return (angle){at.sine * DEGREE_COSINE + at.cosine * DEGREE_SINE,
                   at.cosine * DEGREE_COSINE - at.sine * DEGREE_SINE};
}

void tmi_paint_arrows(uint8_t *sheet, tmi_canvas *canvas, const bool used[256])
{
    static const tmi_icon plate = {TMI_PLATE_FAINT, 'Y', ""};
    angle at = {0, 1};
    for (uint32_t degrees = 0; degrees < TMI_NUM_ANGLES; degrees++, at = next_degree(at)) {
        if (!used[1 + degrees])
            continue;
        tmi_canvas_clear(canvas);
        paint_plate(canvas, &plate);
        canvas->sine = (float)at.sine, canvas->cosine = (float)at.cosine;
        tmi_canvas_draw(canvas, "p 8 25 34 25 34 11 57 32 34 53 34 39 8 39 !Y");
        tmi_canvas_store(canvas, cell_of(sheet, 1 + degrees), STRIDE);
    }
}

/* A texel of a picture; outside of it the nearest one, without alpha. */
static tmi_rgba texel(const uint8_t *rgba, uint32_t width, uint32_t height, int64_t x, int64_t y)
{
    const bool outside = x < 0 || y < 0 || x >= width || y >= height;
    x = x < 0 ? 0 : x >= width ? (int64_t)width - 1 : x;
    y = y < 0 ? 0 : y >= height ? (int64_t)height - 1 : y;
    tmi_rgba out = tmi_load(rgba + 4 * ((size_t)y * width + (size_t)x));
    if (outside)
        out[3] = 0;
    return out;
}

static tmi_rgba sample(const uint8_t *rgba, uint32_t width, uint32_t height, double u, double v)
{
    const double x = u * width - 0.5, y = v * height - 0.5, left = floor(x), top = floor(y);
    const int64_t i = (int64_t)left, j = (int64_t)top;
    const float fx = (float)(x - left), fy = (float)(y - top);
    const tmi_rgba upper =
        texel(rgba, width, height, i, j) * (1 - fx) + texel(rgba, width, height, i + 1, j) * fx;
    const tmi_rgba lower =
        texel(rgba, width, height, i, j + 1) * (1 - fx) + texel(rgba, width, height, i + 1, j + 1) * fx;
    return upper * (1 - fy) + lower * fy;
}

/* The game lays the picture over the tile but for a rim, and turns it there. */
void tmi_turn_arrow(uint8_t *sheet, const bool used[256], const uint8_t *rgba, uint32_t width,
                    uint32_t height)
{
    const double rim = 2, inner = (TM_TILE_PX - 2 * rim) / TM_TILE_PX; /* px */
    angle at = {0, 1};
    for (uint32_t degrees = 0; degrees < TMI_NUM_ANGLES; degrees++, at = next_degree(at)) {
        uint8_t *cell = cell_of(sheet, 1 + degrees);
        for (uint32_t i = 0; used[1 + degrees] && i < CELL * CELL; i++) {
            const uint32_t column = i % CELL, row = i / CELL;
            const double x = (column + 0.5) / CELL - 0.5, y = (row + 0.5) / CELL - 0.5;
            const double u = (x * at.cosine + y * at.sine) / inner + 0.5,
                         v = (y * at.cosine - x * at.sine) / inner + 0.5;
            tmi_store(cell + (size_t)row * STRIDE + (size_t)column * 4, sample(rgba, width, height, u, v));
        }
    }
}

/* ------------------------------------------------------------------------------------------------ numbers */

/*
 * As large as the game has them: letters of 0.92 of a size that is as high as the room and lets the digits
 * fit into the cell. Their digits are 0.73 of that size high.
 */
static float digit_height(size_t num_digits, float room)
{
    const float size = room * 0.73F, fitting = CELL / (TMI_LETTER_ADVANCE * (float)num_digits);
    return (size < fitting ? size : fitting) * 0.92F;
}

void tmi_paint_numbers(uint8_t *sheet, tmi_canvas *canvas, const bool used[256], float middle, float room)
{
    char digits[3];
    for (uint32_t number = 1; number < 256; number++) {
        const size_t num = digits_of(digits, number);
        if (!used[number])
            continue;
        tmi_canvas_clear(canvas);
        tmi_canvas_add_text(canvas, digits, num, MIDDLE, middle, digit_height(num, room));
        fill_text(canvas, 2.5F);
        tmi_canvas_store(canvas, cell_of(sheet, number), STRIDE);
    }
}

/* ------------------------------------------------------------------------------------------------ tunings */

static float fraction(float value)
{
    return value - floorf(value);
}

/* The color of a hue (0..1) at saturation 0.75 and the lightness of a pixel. */
static void tint(uint8_t *to, const uint8_t *pixel, float hue)
{
    static const float shifts[3] = {0, 2.0F / 3, 1.0F / 3};
    const int low = pixel[0] < pixel[1] ? pixel[0] : pixel[1],
              high = pixel[0] < pixel[1] ? pixel[1] : pixel[0];
    const int least = pixel[2] < low ? pixel[2] : low, most = pixel[2] > high ? pixel[2] : high;
    const float light = (float)(least + most) / 510;
    const float reach = 0.75F * (light < 0.5F ? light : 1 - light);
    for (int k = 0; k < 3; k++) {
        const float at = fraction(hue + shifts[k]) * 6; /* full to 1, falls to 2, none to 4, rises to 5 */
        const float full = at < 1 || at >= 5 ? 1 : at < 2 ? 2 - at : at < 4 ? 0 : at - 4;
        to[k] = (uint8_t)((light + reach * (2 * full - 1)) * 255 + 0.5F);
    }
    to[3] = pixel[3];
}

void tmi_paint_tunes(uint8_t *sheet, const uint8_t *cell, uint32_t width, uint32_t height, uint32_t num)
{
    for (uint32_t k = 1; k <= num; k++) {
        const float hue = fraction((float)(k - 1) * 0.38197F);
        for (uint32_t i = 0; i < width * height; i++) {
            const size_t x = (size_t)(k % 16) * width + i % width, y = (size_t)(k / 16) * height + i / width;
            tint(sheet + 4 * (y * 16 * width + x), cell + (size_t)4 * i, hue);
        }
    }
}
