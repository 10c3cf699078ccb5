/* SPDX-License-Identifier: Zlib */
/*
 * Sizes as areas: each box has its share of the pixels, in its color, and labels stay inside.
 */
#include "preview/preview.h"
#include "support/test.h"

#include <math.h>

enum { WIDTH = 320, HEIGHT = 200, PIXELS = WIDTH * HEIGHT };

static uint8_t rgba[PIXELS * 4];

static const tmi_chart_family families[] = {{NULL, {255, 0, 0}}, {NULL, {0, 255, 0}}, {"third", {0, 0, 255}}};

static void draw(const tmi_chart_box *boxes, size_t num)
{
    tm_error error;
    memset(rgba, 7, sizeof(rgba));
    must(tmi_preview_draw_boxes(rgba, WIDTH, HEIGHT, &(tmi_chart){boxes, num, families, 3}, NULL, &error));
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
    const tmi_chart_box boxes[] = {{NULL, 10, 0}, {NULL, 30, 1}, {NULL, 20, 0},
                                   {NULL, 30, 1}, {NULL, 10, 2}, {NULL, 0, 2}};
    draw(boxes, 6);
    assert_true(fabs(share_of(255, 0, 0) - 0.3) < 0.03);
    assert_true(fabs(share_of(0, 255, 0) - 0.6) < 0.03);
    assert_true(fabs(share_of(0, 0, 255) - 0.1) < 0.04);
}

TEST(sizes_may_be_far_apart)
{
    enum { MANY = 2000 };
    static tmi_chart_box boxes[MANY];
    for (uint32_t i = 0; i < MANY; i++)
        boxes[i] = (tmi_chart_box){"a label\nof two lines", i ? i : (uint64_t)1 << 60, i % 3};
    draw(boxes, MANY);
    assert_true(share_of(255, 0, 0) > 0.9);
    draw(boxes, 1);
    assert_true(share_of(255, 0, 0) > 0.9);
    draw(NULL, 0);
    draw(&(tmi_chart_box){"nothing", 0, 0}, 1);
    assert_true(share_of(255, 0, 0) == 0);
}

TEST(labels_are_drawn_where_they_fit)
{
    const tmi_chart_box plain = {NULL, 1, 0}, named = {"Grass_main.png (1,234:5) 50 %\xc3\xa4?!", 1, 0},
                        lines = {"A\nB\nC\nD\nE\nF\nG\nH\nI\nJ\nK\nL\nM\nN\nO\nP\nQ\nR\nS", 1, 0};
    draw(&plain, 1);
    const double without = share_of(255, 0, 0);
    draw(&named, 1);
    assert_true(share_of(255, 0, 0) < without - 0.005);
    draw(&lines, 1);
    assert_true(share_of(255, 0, 0) < without);
}

TEST(shares_have_the_color_of_their_kind)
{
    tm_error error;
    OWN(tm_map) *map = NULL;
    must(tm_map_new(&map, NULL, NULL));
    const tm_bytes_share shares[] = {
        {TM_BYTES_IMAGES, {TM_ADDRESS_IMAGE, 3, 0}, {TM_ADDRESS_DATA, 0, 0}, 600, 0},
        {TM_BYTES_TILES, {TM_ADDRESS_LAYER, 0, 1}, {TM_ADDRESS_DATA, 1, 0}, 300, 0},
        {TM_BYTES_HEAD, {TM_ADDRESS_MAP, 0, 0}, {TM_ADDRESS_MAP, 0, 0}, 100, 0}};
    must(tm_preview_draw_sizes(rgba, WIDTH, HEIGHT, map, shares, 3, &error));
    assert_true(fabs(share_of(0x7c, 0xb8, 0xf0) - 0.6) < 0.15);
    assert_true(fabs(share_of(0x8f, 0xd1, 0x8a) - 0.3) < 0.1);
    fails(TM_ERROR_USAGE, "share 0 is of kind 14, and there are 14",
          tm_preview_draw_sizes(rgba, WIDTH, HEIGHT, map, &(tm_bytes_share){.kind = 14}, 1, &error));
    fails(TM_ERROR_USAGE, "15 x 200 pixels are too few",
          tm_preview_draw_sizes(rgba, 15, HEIGHT, map, shares, 3, &error));
}
