/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_ENTITIES_H
#define TEST_LIB_ENTITIES_H
/*
 * Maps of one physics layer and pictures of them, for tests of entities. Needs cmocka; everything asserts.
 */
#include "lib_render.h"

/* A map whose only layer is of one physics kind, empty. */
tm_map *test_entity_map(tm_layer_kind kind, uint32_t width, uint32_t height);
/* Sets a tile of that layer, in the layout of its kind. */
void test_put_tile(tm_map *map, int32_t x, int32_t y, const void *tile);
/* The same with an index or type that has an effect, and no numbers. */
void test_put_entity(tm_map *map, int32_t x, int32_t y, uint8_t index);
/* Whether a game, front, tele or switch layer of DDNet knows an index. */
bool test_is_known(tm_layer_kind kind, uint32_t index);

/* Default options, but with entities. */
tm_render_options test_entity_options(void);
/* The picture of `width` x `height` tiles from x, y, at so many pixels a tile. */
tm_camera test_tiles_at(double x, double y, uint32_t width, uint32_t height, uint32_t side,
                        const float *opacities);
/* Opacities of the layers of small maps: 1. */
extern const float test_full[4];
/* Over black, by a renderer of its own. */
struct test_picture test_picture_of(const tm_map *map, const tm_render_options *options,
                                    const tm_camera *camera);
uint32_t test_crc_of(const tm_map *map, const tm_render_options *options, const tm_camera *camera);
/* Checksums of the first tiles of a map's first row, over our own sheet, one picture for all. */
void test_tile_crcs(uint32_t *out, const tm_map *map, uint32_t num, uint32_t side);
void test_all_differ(const uint32_t *crcs, uint32_t num);

#endif
