/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_ODD_H
#define TEST_LIB_ODD_H
/*
 * Odd maps, each odd in one way: what real files contain, what forks add, and what nobody should write.
 */
#include "lib_maps.h"

struct test_odd {
    const char *name;
    tm_finding_id finding; /* that tells of it; TM_FINDING_NONE: none does */
    void (*make)(struct test_maker *maker);
};
/* The i-th odd map, or NULL behind the last. */
const struct test_odd *test_odd_at(size_t i);
tm_buffer test_odd_file(const struct test_odd *odd);

#endif
