/* SPDX-License-Identifier: Zlib */
/*
 * Envelopes of a file that have points in common: they are in memory once, until those of one envelope are written. Hundreds
 * of overlapping ranges in a small file took gigabytes, as each envelope had its own copy.
 */
#include "support/lib_edit.h"
#include "support/lib_maps.h"
#include "support/test.h"

enum { POINTS = 500, ENVELOPES = 9, MOST = 4 };

/* `num` envelopes over one list of points, each from `step` points farther on; the points go up and down in time. */
static tm_buffer overlapping(int32_t num, int32_t step)
{
    static int32_t points[POINTS * 6], tangents[POINTS * 16];
    struct test_maker maker = test_maker_begin();
    for (int32_t i = 0; i < POINTS; i++) {
        const int32_t ints[6] = {i * 20, i % 5 == 4 ? TM_CURVE_BEZIER : 1, i * 7 % 900, i * 3, -i, 1024};
        memcpy(points + (ptrdiff_t)i * 6, ints, sizeof(ints));
        tangents[i * 16 + 1] = -i;
    }
    for (int32_t i = 0; i < num; i++)
        TEST_ITEM(&maker, TM_ITEM_ENVELOPE, i, 2, 4, i * step, POINTS - i * step - i % 3,
                  TEST_NAME8("shared"), 1);
    test_maker_item(&maker, TM_ITEM_ENVELOPE_POINTS, 0, points, POINTS * 6);
    test_maker_uuid_item(&maker, TM_UUID_BEZIER, 0, tangents, POINTS * 16);
    return test_maker_finish(&maker);
}

/* The points that envelope i of such a map has. */
static void check_points(const tm_map *map, uint32_t i, int32_t step)
{
    const tm_envelope *envelope = &map->envelopes[i];
    assert_int_equal(envelope->num_points, POINTS - (int32_t)i * step - (int32_t)i % 3);
    for (uint32_t k = 0; k < envelope->num_points; k++) {
        const int32_t n = (int32_t)(i * (uint32_t)step + k);
        assert_int_equal(envelope->points[k].time, n * 20);
        assert_int_equal(envelope->points[k].values[2], -n);
        assert_int_equal(envelope->points[k].in_dx[1], -n);
    }
}

TEST(points_that_overlap_are_in_memory_once)
{
    OWN(tm_buffer) file = overlapping(ENVELOPES, 10);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    const tm_envelope_point *first = map->envelopes[0].points;
    for (uint32_t i = 0; i < ENVELOPES; i++) {
        check_points(map, i, 10);
        assert_ptr_equal(map->envelopes[i].points, first + (ptrdiff_t)i * 10);
    }
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    assert_true(test_buffer_same(&file, &saved));
    /* Ranges that do not overlap are memory of their own. */
    OWN(tm_buffer) plain = overlapping(1, 0);
    OWN(tm_map) *alone = test_map_load(&plain, TM_MODE_GAME, NULL);
    check_points(alone, 0, 0);
}

TEST(clones_share_them_and_outlive_each_other)
{
    OWN(tm_buffer) file = overlapping(ENVELOPES, 3);
    tm_map *map = test_map_load(&file, TM_MODE_GAME, NULL);
    OWN(tm_map) *clone = test_map_clone(map), *other = test_map_clone(clone);
    tm_envelope_point *points;
    assert_ptr_equal(clone->envelopes[2].points, map->envelopes[2].points);
    must(tm_map_edit_points(&points, clone, 2, NULL));
    points[5].time = 12345;
    must(tm_map_duplicate(other, TM_KIND_ENVELOPE, 4, 0, NULL));
    must(tm_map_remove(map, TM_KIND_ENVELOPE, 1, NULL));
    check_points(map, 0, 3);
    tm_map_free(map);
    assert_int_equal(other->num_envelopes, ENVELOPES + 1);
    assert_ptr_equal(other->envelopes[0].points, other->envelopes[5].points);
    assert_int_equal(other->envelopes[0].points[5].time, (4 * 3 + 5) * 20);
    assert_int_equal(clone->envelopes[2].points[5].time, 12345);
    check_points(clone, 0, 3);
    check_points(clone, 3, 3);
}

/* Every operation that writes points of one envelope leaves those of the others. */
TEST(who_writes_has_its_own)
{
    static const char *const lines[] = {
        "set envelope/1.points[0].time=-7",
        "set envelope/1.points[*].values[1]=9",
        "slow 2 envelope/1",
        "add point envelope/1 33 1,2,3,4",
        "remove envelope/1.points[2]",
        "move envelope/1.points[0] 5",
        "loop envelope/1",
        "shift envelope/1 50",
    };
    OWN(tm_buffer) file = overlapping(MOST, 11);
    size_t done = 0;
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
        const tm_status status = test_edit_run(map, lines[i], NULL);
        const bool differs = map->envelopes[1].points != map->envelopes[0].points + 11;
        done += status == TM_OK && differs;
        check_points(map, 0, 11);
        check_points(map, 2, 11);
        check_points(map, 3, 11);
        OWN(tm_buffer) saved = test_map_save(map, NULL);
        OWN(tm_map) *loaded = test_map_load(&saved, TM_MODE_GAME, NULL);
        assert_true(test_map_same(map, loaded));
        check_points(loaded, 0, 11);
        check_points(loaded, 3, 11);
    }
    assert_true(done >= 3);
}

/* What several envelopes still have in common is written once. */
TEST(common_points_are_written_once)
{
    OWN(tm_buffer) file = overlapping(40, 1);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    must(tm_map_remove(map, TM_KIND_ENVELOPE, 7, NULL));
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    assert_true(saved.size < file.size + 1000);
    OWN(tm_map) *loaded = test_map_load(&saved, TM_MODE_GAME, NULL);
    assert_true(test_map_same(map, loaded));
    check_points(loaded, 0, 1);
}

/* The limit of points is for those that envelopes have of their own; a failure leaves the map as it was. */
TEST(too_many_own_points_are_refused)
{
    OWN(tm_buffer) file = overlapping(ENVELOPES, 0);
    OWN(tm_map) *map;
    tm_limits limits = TM_LIMITS_INIT;
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    tm_envelope_point *points;
    tm_error error;
    limits.item_bytes = 400000; /* 1,562 points, besides the 500 of the file */
    options.limits = &limits;
    must(tm_mapfile_load(&map, tm_input_from_memory(file.bytes, file.size), &options, NULL, NULL));
    uint32_t i = 0;
    while (i < ENVELOPES && tm_map_edit_points(&points, map, i, &error) == TM_OK)
        i++;
    assert_in_range(i, 3, 4);
    fails(TM_ERROR_LIMIT, "points together, the limit", tm_map_edit_points(&points, map, i, &error));
    assert_null(points);
    for (uint32_t k = 0; k < ENVELOPES; k++)
        check_points(map, k, 0);
    must(tm_map_set_points(map, 0, NULL, 0, NULL)); /* which gives room */
    must(tm_map_edit_points(&points, map, i, NULL));
}

/* Changes count in one limit, whatever they are of; points had none. */
TEST(many_changed_points_are_refused)
{
    enum { NUM = 20000 };
    static tm_envelope_point points[NUM];
    OWN(tm_map) *before = test_map_new(), *after = NULL;
    tm_limits limits = TM_LIMITS_INIT;
    tm_patch_options options = TM_PATCH_OPTIONS_INIT;
    tm_patch *patch;
    tm_error error;
    must(tm_map_insert(before, TM_KIND_ENVELOPE, 0, NULL));
    after = test_map_clone(before);
    for (int32_t i = 0; i < NUM; i++)
        points[i].time = i;
    must(tm_map_set_points(before, 0, points, NUM, NULL));
    for (int32_t i = 0; i < NUM; i++)
        points[i].values[i % 3] = i + 1;
    must(tm_map_set_points(after, 0, points, NUM, NULL));
    must(tm_patch_make(&patch, before, after, NULL, NULL));
    assert_in_range(tm_patch_num(patch), NUM - 1, NUM);
    tm_patch_free(patch);
    limits.unpacked_bytes = 16 << 20;
    options.limits = &limits;
    fails(TM_ERROR_LIMIT, "bytes of memory", tm_patch_make(&patch, before, after, &options, &error));
    assert_null(patch);
}
