/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_VERSIONS_H
#define TEST_LIB_VERSIONS_H
/*
 * Versions of one map to be merged: operations of `teemap edit`, one a line, then a function; either may be NULL. Needs
 * cmocka.
 */
#include <teemap/merge.h>

enum { TEST_MERGE_WIDTH = 40, TEST_MERGE_HEIGHT = 30 };
tm_map *test_merge_base(void);

struct test_version {
    const char *script;
    void (*change)(tm_map *map);
};
tm_map *test_version_make(const struct test_version *of);

#define TEST_DO(script) \
    {                   \
        script, NULL    \
    }
#define TEST_BY(change) \
    {                   \
        NULL, change    \
    }

/* Changes for which there is no operation. */
void test_quad_0_red(tm_map *map);
void test_quad_0_dark(tm_map *map);
void test_quad_1_red(tm_map *map);
void test_quads_0_and_1_red(tm_map *map);
void test_no_quad_0(tm_map *map);
void test_quad_0_late(tm_map *map);
void test_quad_0_red_and_late(tm_map *map);
void test_quad_before(tm_map *map);
void test_quad_behind(tm_map *map);
void test_quads_around(tm_map *map);
void test_red_and_no_quad_0(tm_map *map);
void test_point_at_300(tm_map *map);
void test_points_at_200_and_400(tm_map *map);
void test_points_at_200_to_400(tm_map *map);
void test_pixel_3(tm_map *map);
void test_pixel_3_other(tm_map *map);
void test_pixel_4(tm_map *map);
void test_pixels_3_and_4(tm_map *map);
void test_new_pixels(tm_map *map);
void test_grow_right(tm_map *map);
void test_grow_left(tm_map *map);
void test_grow_sides(tm_map *map);
void test_grow_down(tm_map *map);
void test_grow_right_down(tm_map *map);
void test_grow_right_more(tm_map *map);
void test_cut_right(tm_map *map);
void test_quad_0_twice(tm_map *map);
void test_settings_twice(tm_map *map);

/* Merges, all conflicts of `words` (NULL: all) taken so; must succeed. */
tm_map *test_merge(tm_conflicts **conflicts, const tm_map *base, const tm_map *ours, const tm_map *theirs,
                   const char *words, tm_resolution take);
void test_print_conflicts(const tm_conflicts *conflicts);

/*
 * Merges two versions with each request for memory failing in turn, with the marks of conflicts or without: nothing
 * comes out, and nothing is left behind. `base` NULL: as two maps that were made apart.
 */
void test_merge_without_memory(const tm_map *base, bool mark);

#endif
