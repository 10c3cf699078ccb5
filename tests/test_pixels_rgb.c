/* SPDX-License-Identifier: Zlib */
/* Pixels without alpha: the same colors, whatever the strides, also in place. */
#include "support/test.h"

enum { WIDTH = 5, ROWS = 3, FROM = 24, TO = 17 };

static void make(uint8_t rgba[ROWS * FROM])
{
    for (int i = 0; i < ROWS * FROM; i++)
        rgba[i] = (uint8_t)(i * 7);
}

static void check(const uint8_t *rgb, size_t stride)
{
    uint8_t rgba[ROWS * FROM];
    make(rgba);
    for (size_t y = 0; y < ROWS; y++)
        for (size_t x = 0; x < WIDTH; x++)
            assert_memory_equal(rgb + y * stride + 3 * x, rgba + y * FROM + 4 * x, 3);
}

TEST(colors_stay)
{
    uint8_t rgba[ROWS * FROM] = {0}, rgb[ROWS * TO] = {0};
    make(rgba);
    memset(rgb, 99, sizeof(rgb));
    must(tm_pixels_to_rgb(rgb, TO, rgba, FROM, WIDTH, ROWS, NULL));
    check(rgb, TO);
    assert_int_equal(rgb[15], 99); /* what lies between rows is not touched */
    must(tm_pixels_to_rgb(rgba, (size_t)WIDTH * 3, rgba, FROM, WIDTH, ROWS, NULL));
    check(rgba, (size_t)WIDTH * 3);
}

TEST(misuse_is_refused)
{
    uint8_t rgba[ROWS * FROM] = {0}, rgb[ROWS * TO] = {0};
    assert_int_equal(tm_pixels_to_rgb(rgb, 14, rgba, FROM, WIDTH, ROWS, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_pixels_to_rgb(rgb, TO, rgba, 19, WIDTH, ROWS, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_pixels_to_rgb(NULL, TO, rgba, FROM, WIDTH, ROWS, NULL), TM_ERROR_USAGE);
    must(tm_pixels_to_rgb(NULL, 0, NULL, 0, 0, ROWS, NULL));
}
