/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_CHANGES_H
#define TEST_LIB_CHANGES_H
/*
 * For tests that change one thing and look at what is saved: maps to start from, of each era, and the check that only what
 * may differ does.
 */
#include "lib_maps.h"

/* A map to start from. Change clones of it. */
struct test_base {
    const char *name;
    tm_buffer file;
    tm_map *map;
    bool strict; /* strict mode takes it */
};
/* The i-th generated map, and the i-th of a choice of real ones (the test is skipped if there is no corpus); false behind the last. */
bool test_base_generated(struct test_base *base, int i);
bool test_base_real(struct test_base *base, int i);
void test_base_open(struct test_base *base, const char *name, tm_buffer file); /* takes the file over */
void test_base_release(struct test_base *base);
tm_map *test_base_clone(const struct test_base *base);

/* How much may differ at most. */
struct test_allowed {
    uint32_t lost[TEST_KINDS], gained[TEST_KINDS];
    uint32_t blocks; /* changed, lost and gained together */
    bool ids;        /* ids of later items may move */
    bool order;      /* items may be in another order */
    bool refused;    /* strict mode may refuse it now */
    bool findings;   /* something may be said about it */
    bool game;       /* it may look like another game's map afterwards */
};
/* Saves a changed clone and checks what can be checked; fails with the name of the change. */
void test_check_change(const struct test_base *base, const tm_map *map, const char *name,
                       const struct test_allowed *allowed);
/* Checks that saving gives the base's bytes. */
void test_check_unchanged(const struct test_base *base, const tm_map *map, const char *name);

#endif
