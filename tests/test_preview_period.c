/* SPDX-License-Identifier: Zlib */
/* When an animation comes round: which envelopes are seen, and their common period. */
#include "support/lib_edit.h"
#include "preview/preview.h"

static tm_map *map;

/* Group 0: tiles with envelope 0 (2 s), quads with 1 (3 s) and 2 (5 s). Envelope 3 (7 s) is nobody's. */
static void make_map(void)
{
    map = test_map_of("add envelope color\nadd point envelope/0 0 0\nadd point envelope/0 2000 1\n"
                      "add envelope position\nadd point envelope/1 0 0\nadd point envelope/1 3000 1\n"
                      "add envelope color\nadd point envelope/2 0 0\nadd point envelope/2 5000 1\n"
                      "add envelope color\nadd point envelope/3 0 0\nadd point envelope/3 7000 1\n"
                      "add group\nadd layer 0 tiles 2x2\nadd layer 0 quads\nadd quad 0/1 0,0\n"
                      "set 0/0.color_envelope=envelope/0 0/1.quads[0].position_envelope=envelope/1 "
                      "0/1.quads[0].color_envelope=envelope/2");
}

static void drop_map(void)
{
    tm_map_free(map);
}

static void check_period(uint64_t expected, bool no_detail, const float *opacities, uint64_t most)
{
    uint64_t period;
    must(tm_preview_period(&period, map, no_detail, opacities, most, NULL));
    assert_int_equal(period, expected);
}

static void check_seen(const char *expected, bool no_detail, const float *opacities)
{
    bool seen[4];
    must(tmi_preview_envelopes(seen, map, no_detail, opacities, NULL));
    for (int i = 0; i < 4; i++)
        assert_int_equal(seen[i], expected[i] == 'x');
}

TEST(envelopes_that_are_seen_count)
{
    static const float no_tiles[] = {0, 0.5f}, no_quads[] = {1, -1}, none[] = {0, 0};
    check_seen("xxx.", false, NULL);
    check_seen(".xx.", false, no_tiles);
    check_seen("x...", false, no_quads);
    check_period(30000, false, NULL, UINT64_MAX);
    check_period(15000, false, no_tiles, UINT64_MAX);
    check_period(2000, false, no_quads, UINT64_MAX);
    check_period(0, false, none, UINT64_MAX);
    map->groups[0].layers[1].detail = true;
    check_seen("x...", true, NULL);
    check_period(2000, true, NULL, UINT64_MAX);
    check_period(30000, false, NULL, UINT64_MAX);
}

TEST(a_period_that_is_too_long_is_cut)
{
    check_period(30000, false, NULL, 30001);
    check_period(30000, false, NULL, 30000);
    check_period(20001, false, NULL, 20001);
    check_period(0, false, NULL, 0);
}

/* 2147483647, 2147483629 and 2147483587 are primes: their product has 93 bits. */
TEST(periods_do_not_overflow)
{
    static const int32_t primes[] = {2147483647, 2147483629, 2147483587};
    for (uint32_t i = 0; i < 3; i++) {
        tm_envelope_point points[2] = {{.time = 0}, {.time = primes[i], .values = {1}}};
        must(tm_map_set_points(map, i, points, 2, NULL));
    }
    check_period(UINT64_MAX, false, NULL, UINT64_MAX);
    check_period(60000, false, NULL, 60000);
}

TEST(what_never_changes_does_not_move)
{
    static const float no_quads[] = {1, 0};
    tm_envelope_point points[2] = {{.time = 0}, {.time = 4000}};
    must(tm_map_set_points(map, 0, points, 2, NULL));
    check_period(0, false, no_quads, UINT64_MAX);
    points[0].curve = TM_CURVE_BEZIER; /* the way between equal values may lead elsewhere */
    must(tm_map_set_points(map, 0, points, 2, NULL));
    check_period(4000, false, no_quads, UINT64_MAX);
    points[1].time = -4000;
    points[1].values[0] = 1024;
    must(tm_map_set_points(map, 0, points, 2, NULL));
    check_period(0, false, no_quads, UINT64_MAX);
    must(tm_map_set_points(map, 0, points, 0, NULL));
    check_period(0, false, no_quads, UINT64_MAX);
}

TEST(envelopes_that_are_not_there_are_nothing)
{
    const tm_quad quad = {.position_envelope = 99, .color_envelope = -2147483647};
    must(tm_map_set_quads(map, 0, 1, &quad, 1, NULL));
    check_seen("x...", false, NULL);
}

TEST(failing_memory_is_told_and_given_back)
{
    EACH_FAILURE_LATER(memory) {
        tm_map *small = NULL;
        tm_map_options options = TM_MAP_OPTIONS_INIT;
        uint64_t period;
        options.allocator = &memory.allocator;
        must(tm_map_new(&small, &options, NULL));
        must(tm_map_insert(small, TM_KIND_ENVELOPE, 0, NULL));
        memory.fail_at = memory.num_requests + memory.n;
        const tm_status status = tm_preview_period(&period, small, false, NULL, 9, NULL);
        tm_map_free(small);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        if (!memory.failed)
            assert_true(memory.n > 1);
    }
}

TEST_EACH(make_map, drop_map)
