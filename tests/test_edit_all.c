/* SPDX-License-Identifier: Zlib */
/*
 * All operations of the table, whatever they are: with arguments by their types they do something, what fails
 * leaves the map as it was, and any allocation may fail.
 *
 * test-timeout: 600
 */
#include "edit_steps.h"
#include "support/lib_maps.h"
#include "support/memory.h"

#include <teemap/teemap.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "edit_steps.c" /* NOLINT(bugprone-suspicious-include): shared with the fuzz target */

enum { TRIES = 300, BYTES = 64 };

/* The same sequence everywhere. */
static void fill_bytes(uint8_t bytes[BYTES], uint32_t seed)
{
    uint32_t state = seed * 2654435761U + 12345;
    for (int i = 0; i < BYTES; i++) {
        state = state * 1664525U + 1013904223U;
        bytes[i] = (uint8_t)(state >> 24);
    }
}

/* One of everything, and what many operations look for: two physics layers of a kind, equal images, settings. */
static tm_map *rich_map(const tm_allocator *allocator)
{
    tm_map *from = test_map_everything(TM_GAME_DDNET), *map;
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    options.allocator = allocator;
    assert_int_equal(tm_map_new(&map, &options, NULL), TM_OK);
    for (uint32_t i = 0; i < from->num_groups; i++)
        assert_int_equal(tm_map_import(NULL, map, TM_OBJECT_GROUP, i, from, i, NULL, NULL), TM_OK);
    assert_int_equal(tm_map_insert(map, TM_OBJECT_GROUP, map->num_groups, NULL), TM_OK);
    assert_int_equal(tm_map_duplicate(map, TM_OBJECT_IMAGE, 0, 0, NULL), TM_OK);
    assert_int_equal(tm_map_duplicate(map, TM_OBJECT_ENVELOPE, 0, 0, NULL), TM_OK);
    if (map->num_sounds)
        assert_int_equal(tm_map_duplicate(map, TM_OBJECT_SOUND, 0, 0, NULL), TM_OK);
    for (uint8_t i = 0; i < 2; i++) { /* half of each cell is not visible; the second has no alpha */
        uint8_t rgba[32 * 32 * 4];
        for (size_t k = 0; k < sizeof(rgba); k++)
            rgba[k] = k % 8 == 3 ? 255 : k % 8 == 7 ? 0 : (uint8_t)(k + i);
        assert_int_equal(tm_map_insert(map, TM_OBJECT_IMAGE, map->num_images, NULL), TM_OK);
        assert_int_equal(tm_map_set_pixels(map, map->num_images - 1, rgba, 32, 32, NULL), TM_OK);
    }
    map->images[map->num_images - 1].format = TM_IMAGE_RGB;
    const tm_envelope_point points[] = {{.time = 900}, {.time = 500, .values = {1024}}};
    assert_int_equal(tm_map_insert(map, TM_OBJECT_ENVELOPE, map->num_envelopes, NULL), TM_OK);
    assert_int_equal(tm_map_set_points(map, map->num_envelopes - 1, points, 2, NULL), TM_OK);
    assert_int_equal(tm_map_set_settings(map, (const char *const[]){"tune_zone 1 a 2", "b", "a"}, 3, NULL),
                     TM_OK);
    tm_map_free(from);
    return map;
}

/* Runs a step on a clone; whether it changed anything. */
static tm_status try_step(const tm_map *map, const struct edit_step *step, const tm_edit_options *options,
                          bool *changes)
{
    tm_map *clone;
    tm_report report;
    tm_error error = {0};
    tm_report_init(&report, NULL);
    assert_int_equal(tm_map_clone(&clone, map, NULL), TM_OK);
    const tm_status status =
        tm_edit_run(clone, step->operation, step->arguments, step->num, options, &report, &error);
    if (status && (error.code != status || !error.text[0] || status == TM_ERROR_MEMORY))
        fail_msg("%s: status %d, '%s'", step->line, status, error.text);
    if (tm_map_verify(clone, &error))
        fail_msg("%s: %s: %s", step->line, error.place, error.text);
    if (status && (!test_map_same(map, clone) || report.num || report.findings.num))
        fail_msg("%s: failed, and changed something", step->line);
    *changes = report.num > 0;
    tm_report_release(&report);
    tm_map_free(clone);
    return status;
}

/* Arguments with which an operation changes the map; false: none were found. */
static bool find_step(struct edit_step *out, const tm_edit_operation *row, const tm_map *map,
                      const tm_edit_options *options)
{
    for (uint32_t seed = 0; seed < TRIES; seed++) {
        uint8_t bytes[BYTES];
        bool changes;
        fill_bytes(bytes, seed);
        struct edit_bytes in = {bytes, BYTES, 0};
        edit_step_make(out, row, map, &in);
        if (!try_step(map, out, options, &changes) && changes)
            return true;
    }
    return false;
}

static void operations_do_something(void **state)
{
    (void)state;
    tm_map *map = rich_map(NULL), *other = test_map_everything(TM_GAME_DDNET);
    tm_edit_options options;
    const tm_edit_operation *row;
    uint32_t idle = 0, num = 0;
    edit_step_options(&options, other);
    for (; (row = tm_edit_at(num)); num++) {
        struct edit_step step;
        if (!find_step(&step, row, map, &options)) {
            print_message("%s: no arguments were found with which it does anything\n", row->name);
            idle++;
        }
    }
    /* Some look for what is in no map here. */
    assert_true(idle * 4 < num);
    tm_map_free(other);
    tm_map_free(map);
}

/* The n-th allocation fails, for n from 1 on in growing steps. */
static void starve(const tm_edit_operation *row, const tm_map *other)
{
    struct test_memory memory;
    struct edit_step step;
    tm_edit_options options;
    tm_status status = TM_ERROR_MEMORY;
    edit_step_options(&options, other);
    test_memory_init(&memory);
    tm_map *map = rich_map(&memory.allocator), *before;
    if (!find_step(&step, row, map, &options)) {
        tm_map_free(map);
        return;
    }
    assert_int_equal(tm_map_clone(&before, map, NULL), TM_OK);
    for (size_t n = 1; status; n += 1 + n / 8) {
        tm_error error = {0};
        const size_t blocks = memory.num_blocks;
        memory.fail_at = memory.num_requests + n;
        memory.failed = false;
        status = tm_edit_run(map, row, step.arguments, step.num, &options, NULL, &error);
        memory.fail_at = 0;
        if (!memory.failed && status)
            fail_msg("%s: %s", step.line, error.text);
        if (!status)
            break;
        if (status != TM_ERROR_MEMORY)
            fail_msg("%s, request %zu fails: status %d, '%s'", step.line, n, status, error.text);
        if (memory.num_blocks != blocks)
            fail_msg("%s, request %zu fails: %zu blocks before, %zu behind", step.line, n, blocks,
                     memory.num_blocks);
        assert_true(test_map_same(map, before));
        assert_int_equal(tm_map_verify(map, NULL), TM_OK);
    }
    tm_map_free(before);
    tm_map_free(map);
    assert_int_equal(memory.num_blocks, 0);
}

static void running_out_of_memory_changes_nothing(void **state)
{
    (void)state;
    tm_map *other = test_map_everything(TM_GAME_DDNET);
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++)
        starve(row, other);
    tm_map_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_do_something),
        cmocka_unit_test(running_out_of_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
