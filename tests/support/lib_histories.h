/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_HISTORIES_H
#define TEST_LIB_HISTORIES_H
/*
 * Histories of maps, made by random chains of edit operations from seeds. The same seed and map give the same history
 * everywhere. Needs cmocka.
 */
#include <teemap/map.h>
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

/*
 * Calls `live` for the files and so many seeds: 40, or $TEEMAP_SEEDS, from $TEEMAP_FIRST_SEED on. Returns how often it
 * was false.
 */
uint32_t test_each_history(bool (*live)(void *ctx, const tm_map *map, uint32_t seed, const char *path),
                           void *ctx);
/* The seed that the environment begins with. */
uint32_t test_first_history(void);

#endif
