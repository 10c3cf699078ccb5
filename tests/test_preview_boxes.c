/* SPDX-License-Identifier: Zlib */
/*
 * Sizes as areas: each share has its part of the pixels, in the color of its kind, and labels stay inside.
 */
#include "preview/preview.h"
#include "support/test.h"

enum { WIDTH = 320, HEIGHT = 200, PIXELS = WIDTH * HEIGHT };

static uint8_t rgba[PIXELS * 4];

static void draw(const tm_bytes_share *shares, size_t num)
{
    OWN(tm_map) *map = NULL;
    must(tm_map_new(&map, NULL, NULL));
    memset(rgba, 7, sizeof(rgba));
    must(tm_preview_draw_sizes(rgba, WIDTH, HEIGHT, map, shares, num, NULL));
    for (size_t i = 0; i < PIXELS; i++)
        assert_int_equal(rgba[i * 4 + 3], 255);
}

/* The part of the pixels that have a color. */
static double part_of(uint32_t rgb)
{
    size_t num = 0;
    for (size_t i = 0; i < PIXELS * 4; i += 4)
        num += ((uint32_t)rgba[i] << 16 | (uint32_t)rgba[i + 1] << 8 | rgba[i + 2]) == rgb;
    return (double)num / PIXELS;
}

static const uint32_t IMAGES = 0x7cb8f0, TILES = 0x8fd18a, HEAD = 0x8a919c;

static tm_bytes_share share(tm_bytes_kind kind, uint64_t size)
{
    return (tm_bytes_share){.kind = kind, .object = {TM_KIND_IMAGE, 3, 0}, .packed = size};
}

/* Labels take a part of each. */
TEST(areas_are_sizes)
{
    const tm_bytes_share shares[] = {share(TM_BYTES_IMAGES, 10), share(TM_BYTES_TILES, 30),
                                     share(TM_BYTES_IMAGES, 20), share(TM_BYTES_TILES, 30),
                                     share(TM_BYTES_HEAD, 10),   share(TM_BYTES_HEAD, 0)};
    draw(shares, 6);
    assert_true(part_of(IMAGES) > 0.2 && part_of(IMAGES) < 0.3);
    assert_true(part_of(TILES) > 0.45 && part_of(TILES) < 0.6);
    assert_true(part_of(HEAD) > 0.05 && part_of(HEAD) < 0.1);
}

TEST(sizes_may_be_far_apart)
{
    enum { MANY = 2000 };
    static const tm_bytes_kind kinds[3] = {TM_BYTES_IMAGES, TM_BYTES_TILES, TM_BYTES_HEAD};
    static tm_bytes_share shares[MANY];
    for (uint32_t i = 0; i < MANY; i++)
        shares[i] = share(kinds[i % 3], i ? i : (uint64_t)1 << 60);
    draw(shares, MANY);
    assert_true(part_of(IMAGES) > 0.85);
    draw(shares, 1);
    assert_true(part_of(IMAGES) > 0.85);
    draw(NULL, 0);
    shares[0].packed = 0;
    draw(shares, 1);
    assert_true(part_of(IMAGES) == 0);
}

TEST(labels_are_drawn_where_they_fit)
{
    tm_bytes_share single = share(TM_BYTES_IMAGES, 1);
    single.object.kind = TM_KIND_MAP; /* is called by its kind */
    draw(&single, 1);
    const double with_meaning = part_of(IMAGES);
    single.object.kind = TM_KIND_IMAGE;
    draw(&single, 1);
    assert_true(part_of(IMAGES) != with_meaning && part_of(IMAGES) < 0.91);
}

TEST(wrong_shares_are_refused)
{
    tm_error error;
    OWN(tm_map) *map = NULL;
    must(tm_map_new(&map, NULL, NULL));
    const tm_bytes_share wrong = share((tm_bytes_kind)14, 1), right = share(TM_BYTES_HEAD, 1);
    fails(TM_ERROR_USAGE, "share 0 is of kind 14, and there are 14",
          tm_preview_draw_sizes(rgba, WIDTH, HEIGHT, map, &wrong, 1, &error));
    fails(TM_ERROR_USAGE, "15 x 200 pixels are too few",
          tm_preview_draw_sizes(rgba, 15, HEIGHT, map, &right, 1, &error));
}
