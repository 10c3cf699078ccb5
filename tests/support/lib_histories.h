/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_HISTORIES_H
#define TEST_LIB_HISTORIES_H
/*
 * Histories of maps, made by random chains of edit operations from seeds. The same seed and map give the same history
 * everywhere. Needs cmocka.
 */
#include <teemap/report.h>

/* Small maps of the corpus in which something of everything is. */
enum { TEST_HISTORY_FILES = 8 };
extern const char *const test_history_files[TEST_HISTORY_FILES];

/* What a step is. */
typedef enum test_step {
    TEST_STEP_OTHER,
    TEST_STEP_MOVE,
    TEST_STEP_RENAME,
    TEST_STEP_ADD,
    TEST_STEP_REMOVE
} test_step;

/* Where history `number` begins. */
uint64_t test_history_seed(uint64_t number);
/* Does one more step; `out` gets the operation. Besides, a few tiles or quads may be changed by hand. */
test_step test_history_step(tm_map *map, uint64_t *seed, char *out, size_t size, tm_report *report);

#endif
