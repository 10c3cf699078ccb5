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

enum { FILTER_NONE = 0, FILTER_SUB = 1, FILTER_UP = 2, FILTER_AVERAGE = 3, FILTER_PAETH = 4 };

/* The bytes of the largest pixel: four samples of 16 bits. */
enum { MAX_PIXEL = 8 };

size_t tmi_png_row_size(const tmi_png_form *form)
{
    return (size_t)form->width * form->channels + 1;
}

void tmi_png_gather(uint8_t *rows, const tmi_png_form *form, const uint8_t *pixels, size_t stride,
                    uint32_t num_rows)
{
    const size_t row_size = tmi_png_row_size(form);
    for (uint32_t y = 0; y < num_rows; y++, rows += row_size, pixels += stride) {
        rows[0] = FILTER_NONE;
        if (form->channels == form->channels_in) {
            memcpy(rows + 1, pixels, row_size - 1);
            continue;
        }
        /* Four bytes at a time, of which the next pixel overwrites the last: four times as fast as three. */
        const size_t last = form->width - 1;
        for (size_t i = 0; i < last; i++)
            memcpy(rows + 1 + 3 * i, pixels + 4 * i, 4);
        memcpy(rows + 1 + 3 * last, pixels + 4 * last, 3);
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

/* ----------------------------------------------------------------------------------------------- writing */

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

void tmi_png_filter(uint8_t *out, const tmi_png_form *form, const uint8_t *rows, uint32_t num_rows)
{
    static const uint8_t filters[] = {FILTER_PAETH, FILTER_UP, FILTER_SUB, FILTER_NONE};
    const size_t row_size = tmi_png_row_size(form);
    for (uint32_t y = 0; y < num_rows; y++, out += row_size, rows += row_size) {
        const uint8_t *row = rows + 1, *above = y ? row - row_size : NULL;
        uint64_t least = UINT64_MAX;
        uint8_t best = FILTER_NONE;
        for (size_t k = above ? 0 : 2; k < TMI_COUNT_OF(filters); k++) {
            uint64_t weight = 0; /* what the row costs, roughly: the sum of its differences, either sign */
            apply(out, filters[k], row, above, row_size - 1, form->channels);
            for (size_t i = 1; i < row_size; i++)
                weight += out[i] < 128 ? out[i] : 256u - out[i];
            if (weight < least) {
                least = weight;
                best = filters[k];
            }
        }
        if (best != FILTER_NONE)
            apply(out, best, row, above, row_size - 1, form->channels);
    }
}

/* ----------------------------------------------------------------------------------------------- reading */

/* Eight bytes at a time: the upper bits are added apart from the others, so that nothing is carried over. */
static void undo_up(uint8_t *row, const uint8_t *above, size_t size)
{
    const uint64_t lower = 0x7f7f7f7f7f7f7f7f;
    uint64_t a, b;
    size_t i = 0;
    for (; size - i >= sizeof(a); i += sizeof(a)) {
        memcpy(&a, row + i, sizeof(a));
        memcpy(&b, above + i, sizeof(b));
        a = ((a & lower) + (b & lower)) ^ ((a ^ b) & ~lower);
        memcpy(row + i, &a, sizeof(a));
    }
    for (; i < size; i++)
        row[i] = (uint8_t)(row[i] + above[i]);
}

/*
 * The filters that look to the left; `above` is NULL for the first row. To be compiled for each size of a
 * pixel, so that what is to the left stays in registers.
 */
TMI_INLINE void undo_left(uint8_t *row, const uint8_t *above, size_t size, const size_t pixel, uint8_t filter)
{
    uint8_t left[MAX_PIXEL] = {0}, corner[MAX_PIXEL] = {0};
    for (size_t i = 0; i < size; i += pixel)
        for (size_t c = 0; c < pixel; c++) {
            const uint8_t up = above ? above[i + c] : 0;
            const int guess = filter == FILTER_SUB       ? left[c]
                              : filter == FILTER_AVERAGE ? (left[c] + up) / 2
                                                         : paeth(left[c], up, corner[c]);
            left[c] = row[i + c] = (uint8_t)(row[i + c] + guess);
            corner[c] = up;
        }
}

/* Once for each filter. */
TMI_INLINE void undo(uint8_t *row, const uint8_t *above, size_t size, const size_t pixel, uint8_t filter)
{
    if (filter == FILTER_SUB || (filter == FILTER_PAETH && !above)) /* the same in the first row */
        undo_left(row, NULL, size, pixel, FILTER_SUB);
    else if (filter == FILTER_PAETH)
        undo_left(row, above, size, pixel, FILTER_PAETH);
    else if (above)
        undo_left(row, above, size, pixel, FILTER_AVERAGE);
    else
        undo_left(row, NULL, size, pixel, FILTER_AVERAGE);
}

bool tmi_png_unfilter(uint8_t *row, const uint8_t *above, size_t size, size_t pixel, uint8_t filter)
{
    if (filter > FILTER_PAETH)
        return false;
    if (filter == FILTER_NONE || (filter == FILTER_UP && !above))
        return true;
    if (filter == FILTER_UP)
        undo_up(row, above, size);
    else if (pixel == 4)
        undo(row, above, size, 4, filter);
    else if (pixel == 3)
        undo(row, above, size, 3, filter);
    else
        undo(row, above, size, pixel, filter);
    return true;
}
