/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_VERSIONS_H
#define TEST_LIB_VERSIONS_H
/*
 * Versions of one map to be merged, by operations of `teemap edit`, one a line. Lines in front of them may be "pixel AT RED" or
 * "pixels WIDTH HEIGHT", for which there is no operation: they change the image "stone". Needs cmocka.
 */
#include <teemap/merge.h>

tm_map *test_merge_base(void);
tm_map *test_version_make(const char *script);

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
