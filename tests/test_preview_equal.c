/* SPDX-License-Identifier: Zlib */
/*
 * Whether two maps look and play the same (tm_preview_equal): differences anywhere are found, and `optimize` makes none, on all
 * maps of the corpus that are quick to draw.
 */
#include "support/lib_edit.h"

static bool equal(const tm_map *a, const tm_map *b, char where[TM_ERROR_TEXT_SIZE])
{
    bool same;
    tm_error error;
    tm_preview_equal_options options = {.size = sizeof(options), .views = 24};
    const tm_status status = tm_preview_equal(&same, a, b, &options, where, TM_ERROR_TEXT_SIZE, &error);
    if (status)
        fail_msg("%s: %s", error.place, error.text);
    assert_int_equal(same, !where[0]);
    return same;
}

/* A map of game tiles and red design tiles in one corner. */
static tm_map *small_map(void)
{
    return test_map_of("add group\nadd layer 0 tiles 60x40\nadd layer 0 game 60x40\nset 0/0.color=#ff0000\n"
                       "fill 0/0@0,0+5x5 1");
}

TEST(differences_are_found)
{
    char where[TM_ERROR_TEXT_SIZE];
    const tm_tile tile = {1, 0, 0, 0};
    OWN(tm_map) *a = small_map(), *b = small_map();
    assert_true(equal(a, b, where));
    must(tm_map_fill_tiles(b, 0, 0, &(tm_rect){59, 39, 1, 1}, &tile, NULL));
    assert_false(equal(a, b, where));
    assert_non_null(strstr(where, "picture around tile"));
    tm_map_free(b);
    b = small_map();
    must(tm_map_fill_tiles(b, 0, 1, &(tm_rect){30, 20, 1, 1}, &tile, NULL));
    assert_false(equal(a, b, where));
    assert_non_null(strstr(where, "game layer plays differently"));
    tm_map_free(b);
    b = small_map(); /* a front layer of air plays as none */
    must(tm_map_insert_layer(b, 0, 2, TM_LAYER_FRONT, 60, 40, NULL));
    assert_true(equal(a, b, where));
}

/* 27 views of one design layer, of two maps; maps with thousands of quads over all of them took minutes. */
TEST(all_views_share_a_limit_of_pixels)
{
    OWN(tm_map) *map = small_map();
    tm_preview_equal_options options = TM_PREVIEW_EQUAL_OPTIONS_INIT;
    bool same;
    tm_error error;
    options.views = 24;
    options.pixel_limit = 4 * 320 * 180; /* enough for any one view */
    fails(TM_ERROR_LIMIT, "230400 pixels", tm_preview_equal(&same, map, map, &options, NULL, 0, &error));
    options.pixel_limit = 60 * 320 * 180;
    must(tm_preview_equal(&same, map, map, &options, NULL, 0, &error));
    assert_true(same);
}

typedef struct tally {
    unsigned tried, changed;
} tally;

static bool optimize_real_map(void *ctx, tm_map *map, const tm_buffer *file, const char *path)
{
    tally *count = ctx;
    char where[TM_ERROR_TEXT_SIZE];
    if (file->size >= 300000)
        return true;
    OWN(tm_map) *before = test_map_clone(map);
    OWN(tm_report) report;
    tm_report_init(&report, NULL);
    must(tm_edit_run(map, tm_edit_find("optimize"), NULL, 0, NULL, &report, NULL));
    count->tried++;
    count->changed += report.num > 0;
    if (!report.num || equal(before, map, where))
        return true;
    print_error("%s: %s\n", path, where);
    return false;
}

TEST(optimizing_changes_nothing_that_shows)
{
    tally count = {0, 0};
    test_real_maps(optimize_real_map, &count);
    print_message("%u maps, %u of them changed\n", count.tried, count.changed);
    assert_true(getenv("TEEMAP_CORPUS_STEP") || (count.tried > 20 && count.changed > 5));
}
