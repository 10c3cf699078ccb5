/* SPDX-License-Identifier: Zlib */
/*
 * Colors for GIF. Boxes of colors are cut where that saves most error (the sum of squares, after Wu), then
 * each color moves into the middle of those that it stands for, a few times (k-means). Dithering is ordered:
 * a pixel that does not change keeps its index, so that nothing flickers and nothing has to be written; and
 * the pattern is as strong as the colors are far apart, so pictures of few colors are exact.
 */
#include "gif_palette.h"

enum { ROUNDS = 6, STRONGEST = 24 };
/* How much a difference in each channel counts: the eye sees green best. */
static const int32_t weights[3] = {3, 4, 2};

/* A color of the histogram, and how many pixels have it. */
typedef struct point {
    double value[3];
    double num;
} point;

typedef struct box {
    uint32_t first, end; /* points */
    double middle[3];
    double error; /* of the axis that is to be cut, 0 if there is nothing to cut */
    int axis;
} box;

void tmi_palette_learn(tmi_palette *palette, const uint8_t *rgba, size_t num)
{
    for (size_t i = 0; i < num; i++, rgba += 4) {
        if (rgba[3] < 128)
            continue;
        tmi_palette_cell *cell = &palette->cells[(rgba[0] >> 3) << 10 | (rgba[1] >> 3) << 5 | rgba[2] >> 3];
        cell->num++;
        for (int c = 0; c < 3; c++)
            cell->sums[c] += rgba[c];
    }
}

/* ----------------------------------------------------------------------------------------- cutting boxes */

static void measure_colors(box *bounds, const point *points)
{
    double num = 0, sums[3] = {0}, squares[3] = {0};
    for (uint32_t i = bounds->first; i < bounds->end; i++) {
        num += points[i].num;
        for (int c = 0; c < 3; c++) {
            sums[c] += points[i].num * points[i].value[c];
            squares[c] += points[i].num * points[i].value[c] * points[i].value[c];
        }
    }
    bounds->error = 0;
    bounds->axis = 0;
    for (int c = 0; c < 3; c++) {
        bounds->middle[c] = sums[c] / num;
        const double error = (squares[c] - sums[c] * bounds->middle[c]) * weights[c];
        if (bounds->end - bounds->first > 1 && error > bounds->error) {
            bounds->error = error;
            bounds->axis = c;
        }
    }
}

static uint32_t cut_boxes(box boxes[TMI_PALETTE_COLORS], uint32_t most, point *points, uint32_t num_points)
{
    uint32_t num = 1;
    boxes[0] = (box){.first = 0, .end = num_points};
    measure_colors(&boxes[0], points);
    while (num < most) {
        uint32_t worst = 0;
        for (uint32_t i = 1; i < num; i++)
            if (boxes[i].error > boxes[worst].error)
                worst = i;
        if (boxes[worst].error <= 0)
            break;
        /* The colors below the middle go to the front. */
        box *cut = &boxes[worst];
        uint32_t middle = cut->first;
        for (uint32_t i = cut->first; i < cut->end; i++) {
            if (points[i].value[cut->axis] < cut->middle[cut->axis]) {
                const point below = points[i];
                points[i] = points[middle];
                points[middle++] = below;
            }
        }
        if (middle == cut->first || middle == cut->end) { /* they differ by less than doubles tell */
            cut->error = 0;
            continue;
        }
        boxes[num] = (box){.first = middle, .end = cut->end};
        cut->end = middle;
        measure_colors(cut, points);
        measure_colors(&boxes[num++], points);
    }
    return num;
}

/* ------------------------------------------------------------------------------------------------ k-means */

/* The index of the palette color nearest to `at`, the first of several. `colors` are in the same unit. */
static uint8_t nearest_color(const int32_t (*colors)[3], uint32_t num, const int32_t at[3])
{
    uint8_t best = 0;
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < num; i++) {
        const int32_t r = colors[i][0] - at[0], g = colors[i][1] - at[1], b = colors[i][2] - at[2];
        const int32_t distance = weights[0] * r * r + weights[1] * g * g + weights[2] * b * b;
        if (distance < least) {
            least = distance;
            best = (uint8_t)i;
        }
    }
    return best;
}

static int32_t nearest_int(double value)
{
    return (int32_t)(value + 0.5);
}

/* One round of k-means; returns the mean error per channel. Colors are in 1/16 to keep their fractions. */
static double move_colors(int32_t (*colors)[3], uint32_t num, const point *points, uint32_t num_points)
{
    double sums[TMI_PALETTE_COLORS][4] = {{0}}, off = 0, all = 0;
    for (uint32_t i = 0; i < num_points; i++) {
        const point *p = &points[i];
        const int32_t at[3] = {nearest_int(p->value[0] * 16), nearest_int(p->value[1] * 16),
                               nearest_int(p->value[2] * 16)};
        const uint32_t k = nearest_color((const int32_t(*)[3])colors, num, at);
        for (int c = 0; c < 3; c++) {
            const double d = (double)(at[c] - colors[k][c]) / 16;
            off += p->num * (d < 0 ? -d : d);
            sums[k][c] += p->num * p->value[c];
        }
        sums[k][3] += p->num;
        all += 3 * p->num;
    }
    for (uint32_t k = 0; k < num; k++)
        for (int c = 0; c < 3 && sums[k][3] > 0; c++)
            colors[k][c] = nearest_int(sums[k][c] / sums[k][3] * 16);
    return all > 0 ? off / all : 0;
}

static void choose_colors(tmi_palette *palette, uint32_t most, point *points)
{
    box boxes[TMI_PALETTE_COLORS];
    int32_t colors[TMI_PALETTE_COLORS][3];
    uint32_t num_points = 0;
    double off = 0;
    for (uint32_t i = 0; i < TMI_PALETTE_CELLS; i++) {
        const tmi_palette_cell *cell = &palette->cells[i];
        if (cell->num == 0)
            continue;
        points[num_points].num = (double)cell->num;
        for (int c = 0; c < 3; c++)
            points[num_points].value[c] = (double)cell->sums[c] / (double)cell->num;
        num_points++;
    }
    palette->num = num_points ? cut_boxes(boxes, most, points, num_points) : 1;
    for (uint32_t i = 0; i < palette->num; i++)
        for (int c = 0; c < 3; c++)
            colors[i][c] = num_points ? nearest_int(boxes[i].middle[c] * 16) : 0;
    for (int round = 0; round < ROUNDS; round++)
        off = move_colors(colors, palette->num, points, num_points);
    for (uint32_t i = 0; i < palette->num; i++)
        for (int c = 0; c < 3; c++) {
            colors[i][c] = (colors[i][c] + 8) / 16 > 255 ? 255 : (colors[i][c] + 8) / 16;
            palette->colors[i][c] = (uint8_t)colors[i][c];
        }
    /* From one color to the next it is about twice as far as to the nearest, and twice to both sides. */
    const int32_t spread = nearest_int(off * 4);
    palette->spread = spread > STRONGEST ? STRONGEST : spread;
    for (int32_t i = 0; i < 1 << 18; i++) {
        const int32_t r = i >> 12, g = i >> 6 & 63, b = i & 63; /* 0 and 255 are exact */
        const int32_t at[3] = {r << 2 | r >> 4, g << 2 | g >> 4, b << 2 | b >> 4};
        palette->nearest[i] = nearest_color((const int32_t(*)[3])colors, palette->num, at);
    }
}

tm_status tmi_palette_choose(tmi_palette *palette, int quality, const tm_allocator *allocator,
                             tm_error *error)
{
    const uint32_t least = 8, all = 80; /* the quality for which there are all colors */
    const uint32_t most = quality > 0 && (uint32_t)quality < all
                              ? least + (TMI_PALETTE_COLORS - least) * (uint32_t)quality / all
                              : TMI_PALETTE_COLORS;
    point *points;
    TM_TRY(tmi_reserve(&points, allocator, TMI_PALETTE_CELLS, sizeof(*points), "the colors of a GIF", error));
    choose_colors(palette, most, points);
    tmi_free(allocator, points, TMI_PALETTE_CELLS, sizeof(*points));
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- pixels */

static uint32_t moved(uint8_t value, int32_t by)
{
    const int32_t sum = value + by;
    return (uint32_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum) >> 2;
}

void tmi_palette_convert(const tmi_palette *palette, uint8_t *rgba, uint32_t width, uint32_t height,
                         bool opaque)
{
    for (uint32_t y = 0; y < height; y++) {
        int32_t by[8]; /* a row of Bayer's pattern of 8 x 8, 0 to 63, as what it adds */
        for (uint32_t x = 0; x < 8; x++) {
            int32_t value = 0;
            for (uint32_t bit = 0; bit < 3; bit++)
                value = value << 2 | (int32_t)((x ^ y) >> bit & 1) << 1 | (int32_t)(x >> bit & 1);
            by[x] = (2 * value - 63) * palette->spread / 128;
        }
        for (uint32_t x = 0; x < width; x++, rgba += 4) {
            const int32_t d = by[x % 8];
            const uint8_t index =
                palette->nearest[moved(rgba[0], d) << 12 | moved(rgba[1], d) << 6 | moved(rgba[2], d)];
            if (!opaque && rgba[3] < 128) {
                memset(rgba, 0, 4);
            } else {
                memcpy(rgba, palette->colors[index], 3);
                rgba[3] = (uint8_t)(255 - index);
            }
        }
    }
}
