/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_PATCHES_H
#define TEST_LIB_PATCHES_H
/*
 * For tests of patches: a map to start from, one change of each kind to it, and what a patch makes of it.
 */
#include "lib_maps.h"

#include <teemap/patch.h>

enum { TEST_PATCH_WIDTH = 40, TEST_PATCH_HEIGHT = 30 };

tm_map *test_patch_map(void);
tm_map *test_patch_copy(const tm_map *map);
tm_patch *test_patch_between(const tm_map *a, const tm_map *b);
/* Fails unless the patch makes the one map the other. */
void test_patch_becomes(const tm_map *from, const tm_patch *patch, const tm_map *to);

/* One change each. */
void test_patch_insert_image(tm_map *map);
void test_patch_rename_image(tm_map *map);
void test_patch_move_group(tm_map *map);
void test_patch_paint(tm_map *map);
void test_patch_drop_quad(tm_map *map);
void test_patch_add_setting(tm_map *map);
void test_patch_change_setting(tm_map *map);
void test_patch_grow(tm_map *map);
void test_patch_move_layer(tm_map *map);
void test_patch_shift_group(tm_map *map);
/* A copy with several of them. */
tm_map *test_patch_all_changed(const tm_map *a);

#endif
