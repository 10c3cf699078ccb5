/* SPDX-License-Identifier: Zlib */
#ifndef TEST_TEST_H
#define TEST_TEST_H
/*
 * What every test program needs: cmocka and what its header wants, cases that register themselves, and variables that
 * free what they hold.
 *
 *     TEST(a_clone_is_equal)
 *     {
 *         OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
 *         ...
 *     }
 *
 * A program without `main` runs its cases in the order in which they stand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <teemap/teemap.h>

/* --------------------------------------------------------------------------------------------------------------- cases */

#define TEST(name)                                                 \
    static void name(void **state);                                \
    __attribute__((constructor)) static void register_##name(void) \
    {                                                              \
        test_register(#name, name);                                \
    }                                                              \
    static void name(__attribute__((unused)) void **state)
/* What is called before and behind each case, or all of them; either may be NULL. */
#define TEST_EACH(set_up, tear_down)                             \
    __attribute__((constructor)) static void register_each(void) \
    {                                                            \
        test_register_each(set_up, tear_down);                   \
    }
#define TEST_GROUP(set_up, tear_down)                             \
    __attribute__((constructor)) static void register_group(void) \
    {                                                             \
        test_register_group(set_up, tear_down);                   \
    }

void test_register(const char *name, CMUnitTestFunction run);
void test_register_each(void (*set_up)(void), void (*tear_down)(void));
void test_register_group(void (*set_up)(void), void (*tear_down)(void));
/* Runs all cases; returns what main returns: 77 if none failed and some were skipped, which ctest shows as skipped. */
int test_run(void);

/* Ends a case that cannot run here. */
#undef skip
#define skip() test_skip(__FILE__, __LINE__)
void test_skip(const char *file, int line);

/* -------------------------------------------------------------------------------------------------------------- checks */

/* The call must succeed: must(call) or must(call, &error), whose text is printed. */
#define must(...) test_must(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__, NULL)
void test_must(const char *file, int line, const char *call, tm_status status, ...);
/* The call, which has `&error`, must fail with `expected` and a text that has these words in it, or is these words. */
#define fails(expected, words, ...) \
    test_fails(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__, expected, &error, words, false)
#define fails_with(expected, words, ...) \
    test_fails(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__, expected, &error, words, true)
void test_fails(const char *file, int line, const char *call, tm_status status, tm_status expected,
                const tm_error *error, const char *words, bool whole);

tm_findings test_findings(void);
tm_map *test_map_new(void);
tm_map *test_map_clone(const tm_map *map);

/* ----------------------------------------------------------------------------------------- variables that free themselves */

/* OWN(tm_map) *map, OWN(tm_buffer) file: released where the block ends. */
#define OWN(type) __attribute__((cleanup(test_drop_##type), unused)) type
/* FREED uint8_t *bytes: given to free(). */
#define FREED __attribute__((cleanup(test_drop_memory), unused))

#define TEST_FREES(type, release)                      \
    static inline void test_drop_##type(type **object) \
    {                                                  \
        release(*object);                              \
    }
#define TEST_RELEASES(type, release)                  \
    static inline void test_drop_##type(type *object) \
    {                                                 \
        release(object);                              \
    }
TEST_FREES(tm_map, tm_map_free)
TEST_FREES(tm_renderer, tm_renderer_free)
TEST_FREES(tm_datafile, tm_datafile_close)
TEST_FREES(tm_patch, tm_patch_free)
TEST_FREES(tm_conflicts, tm_conflicts_free)
TEST_FREES(tm_automap_rules, tm_automap_free)
TEST_FREES(tm_mapres, tm_mapres_free)
TEST_FREES(tm_edit_script, tm_edit_script_free)
TEST_FREES(tm_view, tm_view_free)
TEST_FREES(tm_lint_config, tm_lint_config_free)
TEST_FREES(tm_sys_threads, tm_sys_threads_free)
TEST_FREES(tm_pattern, tm_pattern_free)
TEST_FREES(tm_facts, tm_facts_free)
TEST_FREES(tm_shared_images, tm_shared_images_free)
TEST_FREES(tm_json, tm_json_free)
TEST_FREES(tm_mapres_cache, tm_mapres_cache_free)
TEST_FREES(tm_datafile_writer, tm_datafile_writer_free)
TEST_FREES(tm_animation, tm_animation_free)
TEST_FREES(tm_png_writer, tm_png_writer_free)
TEST_RELEASES(tm_buffer, tm_buffer_release)
TEST_RELEASES(tm_findings, tm_findings_release)
TEST_RELEASES(tm_memory_files, tm_memory_files_release)
TEST_RELEASES(tm_lint_result, tm_lint_result_release)
TEST_RELEASES(tm_preview_marks, tm_preview_marks_release)
TEST_RELEASES(tm_report, tm_report_release)
TEST_RELEASES(tm_pyramid, tm_pyramid_release)
TEST_RELEASES(tm_sidecar, tm_sidecar_release)
void test_drop_memory(void *pointer);

/* What most tests need besides. */
#include "files.h"
#include "lib_datafile.h"
#include "lib_maps.h"
#include "memory.h"

#endif
