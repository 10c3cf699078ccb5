/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_PATCHES_H
#define TEST_LIB_PATCHES_H
/*
 * For tests of patches: a map to start from, changes to it, and what a patch makes of it.
 */
#include "lib_edit.h"
#include "lib_maps.h"

enum { TEST_PATCH_WIDTH = 40, TEST_PATCH_HEIGHT = 30 };

tm_map *test_patch_map(void);
tm_patch *test_patch_between(const tm_map *a, const tm_map *b);
/* Fails unless the patch makes the one map the other. */
void test_patch_becomes(const tm_map *source, const tm_patch *patch, const tm_map *target);
/*
 * Whether the patch leads from `a` to `b` and its inverse back again, both also after they were written and read, which gives the
 * same bytes when they are written again. Prints what does not.
 */
bool test_patch_there_and_back(const tm_map *a, const tm_patch *patch, const tm_map *b,
                               const char *description);

/* Changes as operations of `teemap edit`. */
#define TEST_PATCH_PAINT "fill Game/Deco@5,5+2x2 9\nfill Game/Deco@30,20+3x1 9"
#define TEST_PATCH_SEVERAL                                                                      \
    TEST_PATCH_PAINT                                                                            \
    "\nset 0.offset.x=64\nsettings clear\nsettings add 'sv_a 1' 'sv_b 2' 'tune x 1' 'sv_c 3'\n" \
    "remove 0/0.quads[1]\nrename image/1 rock"

#endif
