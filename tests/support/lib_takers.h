/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_TAKERS_H
#define TEST_LIB_TAKERS_H
/*
 * Functions that take option structs, each called with one such struct and the rest in order, for the test of all of
 * them: those of files and maps, and those of pictures.
 */
#include <teemap/teemap.h>

struct test_taker {
    const char *options, *name;
    tm_status (*call)(const void *options, tm_error *error);
    void (*set)(void *options); /* what has no default; NULL: nothing */
    bool webp;                  /* only where there is libwebp */
};
#define TEST_TAKES(struct_name, function, how) .options = #struct_name, .name = #function, .call = how
extern const struct test_taker test_takers_of_maps[],
    test_takers_of_pictures[]; /* the last ones have no name */

/* What they work on; a folder to itself, with the map as "a.map". */
struct test_taken {
    tm_buffer file;
    tm_map *map;
    tm_datafile *datafile;
    tm_renderer *renderer;
};
extern struct test_taken test_taken;
int test_taken_set_up(void **state);
int test_taken_tear_down(void **state);

extern const tm_output test_nowhere;

#endif
