/* SPDX-License-Identifier: Zlib */
/*
 * Sizes as areas: each box has its share of the pixels, in its color, and labels stay inside.
 */
#include "support/test.h"

#include <math.h>

enum { WIDTH = 320, HEIGHT = 200, PIXELS = WIDTH * HEIGHT };

static uint8_t rgba[PIXELS * 4];

static const tm_preview_family families[] = {
    {NULL, {255, 0, 0}}, {NULL, {0, 255, 0}}, {"third", {0, 0, 255}}};

static void draw(const tm_preview_box *boxes, size_t num)
{
    tm_error error;
    memset(rgba, 7, sizeof(rgba));
    must(tm_preview_draw_boxes(rgba, WIDTH, HEIGHT, &(tm_preview_chart){boxes, num, families, 3}, NULL,
                               &error));
    for (size_t i = 0; i < PIXELS; i++)
        assert_int_equal(rgba[i * 4 + 3], 255);
}

/* The share of pixels that have a color. */
static double share_of(uint8_t r, uint8_t g, uint8_t b)
{
    size_t num = 0;
    for (size_t i = 0; i < PIXELS; i++)
        num += rgba[i * 4] == r && rgba[i * 4 + 1] == g && rgba[i * 4 + 2] == b;
    return (double)num / PIXELS;
}

TEST(areas_are_sizes)
{
    const tm_preview_box boxes[] = {{NULL, 10, 0}, {NULL, 30, 1}, {NULL, 20, 0},
                                    {NULL, 30, 1}, {NULL, 10, 2}, {NULL, 0, 2}};
    draw(boxes, 6);
    assert_true(fabs(share_of(255, 0, 0) - 0.3) < 0.03);
    assert_true(fabs(share_of(0, 255, 0) - 0.6) < 0.03);
    assert_true(fabs(share_of(0, 0, 255) - 0.1) < 0.04);
}

TEST(sizes_may_be_far_apart)
{
    enum { MANY = 2000 };
    static tm_preview_box boxes[MANY];
    for (uint32_t i = 0; i < MANY; i++)
        boxes[i] = (tm_preview_box){"a label\nof two lines", i ? i : (uint64_t)1 << 60, i % 3};
    draw(boxes, MANY);
    assert_true(share_of(255, 0, 0) > 0.9);
    draw(boxes, 1);
    assert_true(share_of(255, 0, 0) > 0.9);
    draw(NULL, 0);
    draw(&(tm_preview_box){"nothing", 0, 0}, 1);
    assert_true(share_of(255, 0, 0) == 0);
}

TEST(labels_are_drawn_where_they_fit)
{
    const tm_preview_box plain = {NULL, 1, 0}, named = {"Grass_main.png (1,234:5) 50 %\xc3\xa4?!", 1, 0},
                         lines = {"A\nB\nC\nD\nE\nF\nG\nH\nI\nJ\nK\nL\nM\nN\nO\nP\nQ\nR\nS", 1, 0};
    draw(&plain, 1);
    const double without = share_of(255, 0, 0);
    draw(&named, 1);
    assert_true(share_of(255, 0, 0) < without - 0.005);
    draw(&lines, 1);
    assert_true(share_of(255, 0, 0) < without);
}

TEST(what_is_wrong_is_said)
{
    tm_error error;
    const tm_preview_box odd = {NULL, 1, 3}, huge[] = {{NULL, UINT64_MAX, 0}, {NULL, 1, 0}};
    fails_with(
        TM_ERROR_USAGE, "box 0 is of family 3, and there are 3",
        tm_preview_draw_boxes(rgba, WIDTH, HEIGHT, &(tm_preview_chart){&odd, 1, families, 3}, NULL, &error));
    assert_int_equal(
        tm_preview_draw_boxes(rgba, WIDTH, HEIGHT, &(tm_preview_chart){huge, 2, families, 3}, NULL, &error),
        TM_ERROR_LIMIT);
    fails(TM_ERROR_USAGE, "15 x 200 pixels are too few",
          tm_preview_draw_boxes(rgba, 15, HEIGHT, &(tm_preview_chart){huge, 1, families, 3}, NULL, &error));
    OWN(test_memory) memory = TEST_MEMORY(memory);
    memory.fail_at = 1;
    assert_int_equal(tm_preview_draw_boxes(rgba, WIDTH, HEIGHT, &(tm_preview_chart){huge, 1, families, 3},
                                           &memory.allocator, &error),
                     TM_ERROR_MEMORY);
}
