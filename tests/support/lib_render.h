/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_RENDER_H
#define TEST_LIB_RENDER_H
/*
 * Pictures for tests of the renderer: drawing into memory of its own, reading screenshots, comparing, and a
 * map made by the public functions that holds everything that is drawn. Needs cmocka; everything asserts.
 */
#include "test.h"

typedef struct test_picture {
    uint8_t *rgba;
    uint32_t width, height;
} test_picture;
/* All pixels one color, red in the lowest byte: 0xFF000000 is black and opaque. */
struct test_picture test_picture_new(uint32_t width, uint32_t height, uint32_t abgr);
struct test_picture test_picture_from_png(const char *path);
void test_picture_release(test_picture *picture);
TEST_RELEASES(test_picture, test_picture_release)
bool test_picture_same(const struct test_picture *a, const struct test_picture *b);
uint32_t test_picture_at(const struct test_picture *picture, uint32_t x, uint32_t y);
uint32_t test_picture_crc(const struct test_picture *picture);

/* `factor` is zoom and scale, of which one counts. */
tm_camera test_camera(tm_camera_kind kind, double x, double y, double factor, uint32_t width, uint32_t height,
                      double time, const float *opacities);
tm_renderer *test_renderer_new(const tm_map *map, const tm_render_options *options);
/* Draws the whole picture of a camera over `abgr`. */
struct test_picture test_draw(const tm_renderer *renderer, const tm_camera *camera, uint32_t abgr);

/* External images from the folder that ctx names. */
tm_status test_provide(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                       uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error);

/* How far a picture is from a screenshot; alpha does not count. */
struct test_distance {
    double mean;    /* of all channels */
    double within2; /* share of pixels whose channels are all within 2 */
    uint32_t over8; /* pixels with a channel farther than 8 */
    uint32_t stray; /* of those, pixels that no neighbour in the screenshot explains either */
    uint32_t stray_x, stray_y;
};
struct test_distance test_picture_distance(const struct test_picture *ours, const struct test_picture *shot);

/*
 * Tiles with all flags and colors, envelopes, images of odd sides, missing images, quads of all shapes,
 * clips, parallax.
 */
tm_map *test_map_to_draw(tm_game game);
/*
 * One 1:1 group with one tile layer of width x height tiles and an image of 16 * side pixels a side, full of
 * noise.
 */
tm_map *test_map_of_tiles(uint32_t width, uint32_t height, uint32_t side);
/* A number that is different for each argument; always the same. */
uint32_t test_noise(uint32_t number);

#endif
