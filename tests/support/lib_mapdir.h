/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_MAPDIR_H
#define TEST_LIB_MAPDIR_H
/*
 * A map to try as files in memory. Needs cmocka. Everything asserts.
 */
#include "test.h"

/* Something of everything, in two of each. */
tm_map *test_mapdir_map(void);
void test_mapdir_write(tm_memory_files *files, const tm_map *map);
tm_status test_mapdir_read(tm_map **out, tm_memory_files *files, tm_findings *findings, tm_error *error);
/* That the files are this map, and that nothing is said of them. */
void test_mapdir_check(const tm_map *map, tm_memory_files *files);

#endif
