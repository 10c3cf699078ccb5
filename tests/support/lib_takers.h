/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_TAKERS_H
#define TEST_LIB_TAKERS_H
/* Functions that take option structs, each called with one such struct and the rest in order, for the test of all. */
#include "test.h"

struct test_taker {
    const char *options, *name;
    tm_status (*call)(const void *given, tm_error *error);
    struct test_taker *next;
};
extern struct test_taker *test_takers;
/* Sets what has no default in a struct of that name. */
void test_taker_fill(const char *options, void *given);

/* What they work on; a folder to itself, with the map as "a.map". */
extern tm_map *test_taken_map;
void test_taken_set_up(void);
void test_taken_tear_down(void);

#endif
