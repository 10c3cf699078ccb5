/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_FAULT_MAPS_H
#define TEST_LIB_FAULT_MAPS_H
/* Maps for tests in which everything fails once, and what may be done to them. Needs cmocka. */
#include <teemap/mapfile.h>

struct test_fault_maps {
    tm_buffer files[4];
    const char *names[4];
    size_t num;
};
extern struct test_fault_maps test_fault_maps;
/* Of a group of tests, which is in a folder to itself. */
void test_fault_maps_make(void);
void test_fault_maps_drop(void);

tm_map *test_fault_load(const tm_buffer *file, const tm_allocator *allocator);
tm_status test_fault_set_text(tm_map *map, tm_error *error);
tm_status test_fault_fill_tiles(tm_map *map, tm_error *error);
/* A failure has the status that is wanted, in words, too. */
void test_fault_told(tm_status status, tm_status wanted, const tm_error *error, const char *description,
                     size_t n);

#endif
