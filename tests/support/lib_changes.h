/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_CHANGES_H
#define TEST_LIB_CHANGES_H
/*
 * For tests that change one thing and look at what is saved: maps to start from, of each era, and the check that only what
 * may differ does.
 */
#include "lib_maps.h"
#include "test.h"

/* A map to start from. Change clones of it. */
typedef struct test_base {
    const char *name;
    tm_buffer file;
    tm_map *map;
    bool strict; /* strict mode takes it */
} test_base;
/* The i-th generated map, and the i-th of a choice of real ones (the test is skipped if there is no corpus); false behind the last. */
bool test_base_generated(struct test_base *base, int i);
bool test_base_real(struct test_base *base, int i);
void test_base_open(struct test_base *base, const char *name, tm_buffer file); /* takes the file over */
void test_base_release(test_base *base);
TEST_RELEASES(test_base, test_base_release)
tm_map *test_base_clone(const struct test_base *base);

/* How much may differ at most. */
struct test_allowed {
    bool skip; /* there is nothing to change here */
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

/* The k-th layer of the map of which `fits` says yes. */
struct test_spot {
    uint32_t group, layer;
    tm_layer *object;
};
bool test_find_layer(const tm_map *map, uint32_t k, bool (*fits)(const tm_layer *layer),
                     struct test_spot *out);

/* Changes something at the k-th place there is for it; false if there are fewer. */
struct test_change {
    const char *name;
    bool (*apply)(tm_map *map, uint32_t k, struct test_allowed *allowed);
    uint32_t times; /* done so far */
};
/* Makes each change at the first `most` places, each on a clone of the base, and checks it. */
void test_change_each(const struct test_base *base, struct test_change *changes, size_t num, uint32_t most);
/*
 * A change of a test program that has nothing else: each is made at many places of the generated maps, where it must be
 * possible somewhere, at some of the real ones, and once in a large map.
 */
#define CHANGE(function, text)                                                   \
    static bool function(tm_map *map, uint32_t k, struct test_allowed *allowed); \
    __attribute__((constructor)) static void register_##function(void)           \
    {                                                                            \
        test_change_register((struct test_change){text, function, 0});           \
    }                                                                            \
    static bool function(tm_map *map, uint32_t k, struct test_allowed *allowed)
void test_change_register(struct test_change change);
/* That many items of a kind may be others afterwards. */
void test_may_change(struct test_allowed *allowed, int kind, uint32_t num);
/* One item of a kind and one block; true. */
bool test_may_change_one(struct test_allowed *allowed, int kind);

#endif
