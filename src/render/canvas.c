/* SPDX-License-Identifier: Zlib */
/*
 * Painting a cell of a tile sheet; see canvas.h. A shape is the distance of each pixel's centre to its edge;
 * the smallest one counts. How much of a pixel a filling covers follows from that: all of it half a pixel
 * inside, nothing half a pixel outside. Letters (letters.c) are strokes, too.
 */
#include "canvas.h"

#include "letters.h"

#include <math.h>

enum {
    SIDE = TMI_CELL_SIDE,
    MAX_NUMBERS = 32,
    REACH = 4 /* pixels around a shape whose distances are worked out: outlines grow by less */
};
#define MIDDLE (0.5F * SIDE)
#define FAR    (2.0F * SIDE)

/* ------------------------------------------------------------------------------------------------- canvas */

void tmi_canvas_next(tmi_canvas *canvas)
{
    for (int j = canvas->top; j < canvas->bottom; j++)
        for (int i = canvas->left; i < canvas->right; i++)
            canvas->distances[j * SIDE + i] = FAR;
    canvas->left = canvas->top = SIDE;
    canvas->right = canvas->bottom = 0;
}

void tmi_canvas_clear(tmi_canvas *canvas)
{
    memset(canvas->pixels, 0, sizeof(canvas->pixels));
    canvas->sine = 0, canvas->cosine = 1;
    canvas->left = canvas->top = 0;
    canvas->right = canvas->bottom = SIDE;
    tmi_canvas_next(canvas);
}

void tmi_canvas_fill(tmi_canvas *canvas, tmi_ink ink, float grow)
{
    const tmi_rgba color = {ink.r * ink.a, ink.g * ink.a, ink.b * ink.a, ink.a};
    for (int j = canvas->top; j < canvas->bottom; j++) {
        for (int i = j * SIDE + canvas->left; i < j * SIDE + canvas->right; i++) {
            const float inside = grow + 0.5F - canvas->distances[i];
            const float cover = inside > 1 ? 1 : inside;
            if (cover > 0)
                canvas->pixels[i] = color * cover + canvas->pixels[i] * (1 - ink.a * cover);
        }
    }
}

void tmi_canvas_store(const tmi_canvas *canvas, uint8_t *target, size_t row_stride)
{
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        const tmi_rgba pixel = canvas->pixels[i];
        uint8_t *out = target + i / SIDE * row_stride + i % SIDE * 4;
        tmi_rgba color = {0};
        if (pixel[3] >= 0.5F / 255) {
            color = pixel / pixel[3] * 255;
            color[3] = pixel[3] * 255;
        }
        tmi_store(out, color);
    }
}

/* ------------------------------------------------------------------------------------------------- shapes */

/* Numbers of a shape: points, radii; see canvas.h. The last of a disc, ring or box is its radius. */
typedef struct shape {
    float numbers[MAX_NUMBERS];
    int num;
    float width; /* of strokes */
} shape;

typedef float distance_to(const shape *shape, float x, float y);

static float length(float x, float y)
{
    return sqrtf(x * x + y * y);
}

static float to_stroke(const shape *figure, float x, float y)
{
    float least = FAR * FAR;
    for (int i = 0; i + 3 < figure->num; i += 2) {
        const float distance = tmi_to_segment(figure->numbers + i, x, y);
        least = distance < least ? distance : least;
    }
    return sqrtf(least) - figure->width / 2;
}

static float to_polygon(const shape *figure, float x, float y)
{
    const size_t num = (size_t)figure->num / 2;
    float least = FAR * FAR;
    bool inside = false;
    for (size_t i = 0; i < num; i++) {
        const size_t next = (i + 1) % num;
        const float side[4] = {figure->numbers[2 * i], figure->numbers[2 * i + 1], figure->numbers[2 * next],
                               figure->numbers[2 * next + 1]};
        const float distance = tmi_to_segment(side, x, y);
        least = distance < least ? distance : least;
        if ((side[1] > y) != (side[3] > y) &&
            x < side[0] + (y - side[1]) / (side[3] - side[1]) * (side[2] - side[0]))
            inside = !inside; /* a line to the right crosses the side */
    }
    least = sqrtf(least);
    return inside ? -least : least;
}

static float to_disc(const shape *figure, float x, float y)
{
    return length(x - figure->numbers[0], y - figure->numbers[1]) - figure->numbers[2];
}

static float to_ring(const shape *figure, float x, float y)
{
    const float distance = to_disc(figure, x, y);
    return (distance < 0 ? -distance : distance) - figure->width / 2;
}

static float to_box(const shape *figure, float x, float y)
{
    const float *n = figure->numbers, radius = n[4];
    const float dx = x < (n[0] + n[2]) / 2 ? n[0] + radius - x : x - n[2] + radius;
    const float dy = y < (n[1] + n[3]) / 2 ? n[1] + radius - y : y - n[3] + radius;
    const float inner = dx > dy ? dx : dy;
    return (inner < 0 ? inner : length(dx > 0 ? dx : 0, dy > 0 ? dy : 0)) - radius;
}

/* First and one after the last of the pixels between two places, give or take `margin`. */
static void range_of(int range[2], float from, float to, float margin)
{
    from -= margin, to += margin;
    range[0] = from > 0 ? (int)from : 0;
    range[1] = to < SIDE - 1 ? to < 0 ? 0 : (int)to + 1 : SIDE;
}

/* Joins a shape to the others, or cuts it out of them. */
static void add(tmi_canvas *canvas, const shape *figure, distance_to *distance, bool cut)
{
    int across[2] = {0, SIDE}, down[2] = {0, SIDE};
    if (canvas->sine == 0) { /* what it can reach: its points, or its middle and radius, and some around */
        const bool is_round = distance == to_disc || distance == to_ring;
        const float margin = (is_round ? REACH + figure->numbers[2] : REACH) + figure->width / 2;
        float low[2] = {figure->numbers[0], figure->numbers[1]}, high[2] = {low[0], low[1]};
        for (int i = 2; i < figure->num / 2 * 2; i++) {
            const int k = i % 2;
            low[k] = figure->numbers[i] < low[k] ? figure->numbers[i] : low[k];
            high[k] = figure->numbers[i] > high[k] ? figure->numbers[i] : high[k];
        }
        range_of(across, low[0], high[0], margin);
        range_of(down, low[1], high[1], margin);
    }
    if (!cut) {
        canvas->left = across[0] < canvas->left ? across[0] : canvas->left;
        canvas->right = across[1] > canvas->right ? across[1] : canvas->right;
        canvas->top = down[0] < canvas->top ? down[0] : canvas->top;
        canvas->bottom = down[1] > canvas->bottom ? down[1] : canvas->bottom;
    }
    for (int j = down[0]; j < down[1]; j++) {
        for (int i = across[0]; i < across[1]; i++) {
            const float x = (float)i + 0.5F - MIDDLE, y = (float)j + 0.5F - MIDDLE;
            const float d = distance(figure, x * canvas->cosine + y * canvas->sine + MIDDLE,
                                     y * canvas->cosine - x * canvas->sine + MIDDLE);
            float *nearest = &canvas->distances[j * SIDE + i];
            if (cut)
                *nearest = -d > *nearest ? -d : *nearest;
            else
                *nearest = d < *nearest ? d : *nearest;
        }
    }
}

/* ------------------------------------------------------------------------------------------------ letters */

void tmi_canvas_add_text(tmi_canvas *canvas, const char *text, size_t length, float x, float y, float height)
{
    const float unit = height / (TMI_LETTER_HEIGHT + TMI_LETTER_STROKE);
    x -= ((TMI_LETTER_WIDTH + TMI_LETTER_GAP) * (float)length - TMI_LETTER_GAP) / 2 * unit;
    y -= TMI_LETTER_HEIGHT / 2 * unit;
    for (size_t i = 0; i < length; i++) {
        const char *strokes = tmi_letter_strokes(text[i]);
        const float left = x + (TMI_LETTER_WIDTH + TMI_LETTER_GAP) * unit * (float)i;
        while (*strokes) {
            shape stroke = {.width = TMI_LETTER_STROKE * unit};
            for (; strokes[0] && strokes[0] != '.'; strokes += 2) {
                if (stroke.num + 2 <= MAX_NUMBERS) {
                    stroke.numbers[stroke.num++] = left + (float)(strokes[0] - '0') * unit;
                    stroke.numbers[stroke.num++] = y + (float)(strokes[1] - 'a') * unit;
                }
            }
            add(canvas, &stroke, to_stroke, false);
            strokes += *strokes == '.';
        }
    }
}

/* ----------------------------------------------------------------------------------------------- commands */

tmi_ink tmi_ink_of(char letter)
{
    static const struct {
        char letter;
        tmi_ink ink;
    } inks[] = {
        {'W', {1, 1, 1, 1}},             /* white */
        {'K', {0.09F, 0.10F, 0.13F, 1}}, /* black */
        {'D', {0.25F, 0.28F, 0.34F, 1}}, /* dark */
        {'S', {0.66F, 0.71F, 0.78F, 1}}, /* steel */
        {'R', {0.90F, 0.20F, 0.20F, 1}}, /* red */
        {'O', {0.97F, 0.57F, 0.13F, 1}}, /* orange */
        {'Y', {0.99F, 0.83F, 0.22F, 1}}, /* yellow */
        {'G', {0.24F, 0.74F, 0.33F, 1}}, /* green */
        {'T', {0.11F, 0.66F, 0.63F, 1}}, /* teal */
        {'C', {0.33F, 0.84F, 0.95F, 1}}, /* cyan */
        {'L', {0.80F, 0.93F, 1.00F, 1}}, /* light, as ice */
        {'B', {0.24F, 0.49F, 0.95F, 1}}, /* blue */
        {'P', {0.66F, 0.36F, 0.87F, 1}}, /* purple */
        {'M', {0.95F, 0.40F, 0.68F, 1}}, /* magenta */
        {'N', {0.62F, 0.43F, 0.25F, 1}}, /* brown */
        {'A', {0.62F, 0.62F, 0.62F, 1}}, /* grey */
        {'I', {0.42F, 0.67F, 0.93F, 1}}, /* ice in the shade */
        {'V', {0.16F, 0.26F, 0.52F, 1}}, /* deep water */
        {'J', {0.36F, 0.42F, 0.66F, 1}}, /* slate */
        {'E', {0.87F, 0.72F, 0.50F, 1}}, /* skin */
    };
    for (size_t i = 0; i < TMI_COUNT_OF(inks); i++)
        if (inks[i].letter == letter)
            return inks[i].ink;
    return inks[0].ink;
}

static const char *read_numbers(shape *out, const char *text, int most)
{
    out->num = 0;
    text += strspn(text, " ");
    while (out->num < most && ((*text >= '0' && *text <= '9') || *text == '-')) {
        const float sign = *text == '-' ? -1 : 1;
        float value = 0;
        for (text += *text == '-'; *text >= '0' && *text <= '9'; text++)
            value = value * 10 + (float)(*text - '0');
        out->numbers[out->num++] = sign * value;
        text += strspn(text, " ");
    }
    return text;
}

void tmi_canvas_draw(tmi_canvas *canvas, const char *commands)
{
    static distance_to *const distances[] = {
        ['l'] = to_stroke, ['p'] = to_polygon, ['o'] = to_disc, ['r'] = to_ring, ['b'] = to_box};
    static const tmi_ink dark = {0.06F, 0.07F, 0.10F, 0.85F}; /* of rims */
    shape figure = {.width = 0};
    float width = 6;
    bool cut = false;
    for (commands += strspn(commands, " "); *commands; commands += strspn(commands, " ")) {
        const uint8_t command = (uint8_t)*commands++;
        distance_to *distance = command < TMI_COUNT_OF(distances) ? distances[command] : NULL;
        if (command == '!' || command == '.') {
            if (command == '!')
                tmi_canvas_fill(canvas, dark, 2);
            tmi_canvas_fill(canvas, tmi_ink_of(*commands++), 0);
            tmi_canvas_next(canvas);
        } else if (command == 'x') {
            cut = true;
        } else if (command == 'w') {
            commands = read_numbers(&figure, commands, 1);
            width = figure.numbers[0];
        } else if (command == 't') {
            commands = read_numbers(&figure, commands, 3);
            const size_t length = strcspn(commands, " ");
            tmi_canvas_add_text(canvas, commands, length, figure.numbers[0], figure.numbers[1],
                                figure.numbers[2]);
            commands += length;
        } else if (distance) {
            commands = read_numbers(&figure, commands, MAX_NUMBERS);
            figure.width = command == 'l' || command == 'r' ? width : 0;
            add(canvas, &figure, distance, cut);
            cut = false;
        }
    }
}
