/* SPDX-License-Identifier: Zlib */
/*
 * Whether two maps look and play the same (tm_preview_equal): differences anywhere are found, and `optimize` makes none, on all
 * maps of the corpus that are quick to draw.
 */
#include "support/lib_datafile.h"
#include "support/lib_maps.h"

#include <teemap/edit.h>
#include <teemap/preview.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool equal(const tm_map *a, const tm_map *b, char where[TM_ERROR_TEXT_SIZE])
{
    bool same;
    tm_error error;
    tm_preview_equal_options how = TM_PREVIEW_EQUAL_OPTIONS_INIT;
    how.views = 24;
    const tm_status status = tm_preview_equal(&same, a, b, &how, where, TM_ERROR_TEXT_SIZE, &error);
    if (status)
        fail_msg("%s: %s", error.place, error.text);
    assert_int_equal(same, !where[0]);
    return same;
}

/* A map of game tiles and red design tiles in one corner. */
static tm_map *small_map(void)
{
    tm_map *map;
    const tm_tile tile = {1, 0, 0, 0};
    assert_int_equal(tm_map_new(&map, NULL, NULL), TM_OK);
    assert_int_equal(tm_map_insert(map, TM_OBJECT_GROUP, 0, NULL), TM_OK);
    assert_int_equal(tm_map_insert_layer(map, 0, 0, TM_LAYER_TILES, 60, 40, NULL), TM_OK);
    assert_int_equal(tm_map_insert_layer(map, 0, 1, TM_LAYER_GAME, 60, 40, NULL), TM_OK);
    map->groups[0].layers[0].as.tiles.color = (tm_color){255, 0, 0, 255};
    assert_int_equal(tm_map_fill_tiles(map, 0, 0, 0, 0, 5, 5, &tile, NULL), TM_OK);
    return map;
}

static void differences_are_found(void **state)
{
    (void)state;
    char where[TM_ERROR_TEXT_SIZE];
    const tm_tile tile = {1, 0, 0, 0};
    tm_map *a = small_map(), *b = small_map();
    assert_true(equal(a, b, where));
    assert_int_equal(tm_map_fill_tiles(b, 0, 0, 59, 39, 1, 1, &tile, NULL), TM_OK);
    assert_false(equal(a, b, where));
    assert_non_null(strstr(where, "picture around tile"));
    tm_map_free(b);
    b = small_map();
    assert_int_equal(tm_map_fill_tiles(b, 0, 1, 30, 20, 1, 1, &tile, NULL), TM_OK);
    assert_false(equal(a, b, where));
    assert_non_null(strstr(where, "game layer plays differently"));
    tm_map_free(b);
    b = small_map(); /* a front layer of air plays as none */
    assert_int_equal(tm_map_insert_layer(b, 0, 2, TM_LAYER_FRONT, 60, 40, NULL), TM_OK);
    assert_true(equal(a, b, where));
    tm_map_free(a);
    tm_map_free(b);
}

/* 27 views of one design layer, of two maps; maps with thousands of quads over all of them took minutes. */
static void all_views_share_a_limit_of_pixels(void **state)
{
    (void)state;
    tm_map *map = small_map();
    tm_preview_equal_options how = TM_PREVIEW_EQUAL_OPTIONS_INIT;
    bool same;
    tm_error error;
    how.views = 24;
    how.pixel_limit = 4 * 320 * 180; /* enough for any one view */
    assert_int_equal(tm_preview_equal(&same, map, map, &how, NULL, 0, &error), TM_ERROR_LIMIT);
    assert_non_null(strstr(error.text, "230400 pixels"));
    how.pixel_limit = 60 * 320 * 180;
    assert_int_equal(tm_preview_equal(&same, map, map, &how, NULL, 0, &error), TM_OK);
    assert_true(same);
    tm_map_free(map);
}

typedef struct tally {
    unsigned tried, changed;
} tally;

static void optimize_real_map(void *ctx, const char *path)
{
    tally *count = ctx;
    tm_map *map, *before;
    tm_report report;
    char where[TM_ERROR_TEXT_SIZE];
    struct test_bytes bytes = test_bytes_from_file(path);
    tm_buffer file = {bytes.bytes, bytes.size, bytes.size, NULL};
    if (file.size < 300000 && !test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL)) {
        assert_int_equal(tm_map_clone(&before, map, NULL), TM_OK);
        tm_report_init(&report, NULL);
        assert_int_equal(tm_edit_run(map, tm_edit_find("optimize"), NULL, 0, NULL, &report, NULL), TM_OK);
        count->tried++;
        count->changed += report.num > 0;
        if (report.num && !equal(before, map, where))
            fail_msg("%s: %s", path, where);
        tm_report_release(&report);
        tm_map_free(before);
        tm_map_free(map);
    }
    tm_buffer_release(&file);
}

static void optimizing_changes_nothing_that_shows(void **state)
{
    (void)state;
    tally count = {0, 0};
    if (test_each_corpus_map(optimize_real_map, &count) == 0)
        skip();
    print_message("%u maps, %u of them changed\n", count.tried, count.changed);
    assert_true(count.tried > 20 && count.changed > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_found),
        cmocka_unit_test(all_views_share_a_limit_of_pixels),
        cmocka_unit_test(optimizing_changes_nothing_that_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
