/* SPDX-License-Identifier: Zlib */
/*
 * Rows of PNG: pixels behind a byte that names a filter. A filter replaces each byte by its difference from a
 * guess by its neighbours to the left (one pixel before) and above.
 *
 * What is drawn from tiles repeats, and a compressor sees that best in the bytes as they are: over 16
 * pictures of maps, views and whole maps, no filter was the fastest by far and the smallest in half of them.
 * Choosing a filter row by row takes twice the time of packing; it is worth trying when only the size counts,
 * as it saves a third of pictures with many soft gradients (and makes others a tenth larger).
 */
#include "png.h"

enum { FILTER_NONE = 0, FILTER_SUB = 1, FILTER_UP = 2, FILTER_PAETH = 4 };

size_t tmi_png_row_size(const tmi_png_form *form)
{
    return (size_t)form->width * form->channels + 1;
}

/*
 * Four bytes are moved at a time, of which the next pixel overwrites the last: four times as fast as three.
 */
static void leave_alpha(uint8_t *out, const uint8_t *pixels, size_t width)
{
    for (size_t i = 0; i + 1 < width; i++)
        memcpy(out + 3 * i, pixels + 4 * i, 4);
    memcpy(out + 3 * (width - 1), pixels + 4 * (width - 1), 3);
}

void tmi_png_gather(uint8_t *rows, const tmi_png_form *form, const uint8_t *pixels, size_t stride,
                    uint32_t num_rows)
{
    const size_t row_size = tmi_png_row_size(form);
    for (uint32_t y = 0; y < num_rows; y++, rows += row_size, pixels += stride) {
        rows[0] = FILTER_NONE;
        if (form->channels == form->channels_in)
            memcpy(rows + 1, pixels, row_size - 1);
        else
            leave_alpha(rows + 1, pixels, form->width);
    }
}

static int distance(int a, int b)
{
    return a < b ? b - a : a - b;
}

/* The neighbour nearest to left + above - corner; if several are, the first in this order. */
static int paeth(int left, int above, int corner)
{
    int for_left = distance(above, corner), for_above = distance(left, corner),
        for_corner = distance(left + above, 2 * corner);
    if (for_left <= for_above && for_left <= for_corner)
        return left;
    return for_above <= for_corner ? above : corner;
}

/* `row` and `above` point to pixels, `out` to the filter byte. */
static void apply(uint8_t *out, uint8_t filter, const uint8_t *row, const uint8_t *above, size_t size,
                  size_t pixel)
{
    *out++ = filter;
    for (size_t i = 0; i < size; i++) {
        int left = i < pixel ? 0 : row[i - pixel], corner = i < pixel || !above ? 0 : above[i - pixel],
            up = above ? above[i] : 0;
        int guess = filter == FILTER_SUB     ? left
                    : filter == FILTER_UP    ? up
                    : filter == FILTER_PAETH ? paeth(left, up, corner)
                                             : 0;
        out[i] = (uint8_t)(row[i] - guess);
    }
}

/* What a row costs, roughly: the sum of its differences, either sign. */
static uint64_t weigh(const uint8_t *row, size_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += row[i] < 128 ? row[i] : 256u - row[i];
    return sum;
}

static void filter_row(uint8_t *out, const uint8_t *row, const uint8_t *above, size_t size, size_t pixel)
{
    static const uint8_t filters[] = {FILTER_PAETH, FILTER_UP, FILTER_SUB, FILTER_NONE};
    uint64_t least = UINT64_MAX;
    uint8_t best = FILTER_NONE;
    for (size_t i = above ? 0 : 2; i < TMI_COUNT_OF(filters); i++) {
        apply(out, filters[i], row, above, size, pixel);
        uint64_t weight = weigh(out + 1, size);
        if (weight < least) {
            least = weight;
            best = filters[i];
        }
    }
    if (best != FILTER_NONE)
        apply(out, best, row, above, size, pixel);
}

void tmi_png_filter(uint8_t *out, const tmi_png_form *form, const uint8_t *rows, uint32_t num_rows)
{
    const size_t row_size = tmi_png_row_size(form);
    for (uint32_t y = 0; y < num_rows; y++, out += row_size, rows += row_size)
        filter_row(out, rows + 1, y ? rows + 1 - row_size : NULL, row_size - 1, form->channels);
}
