/* SPDX-License-Identifier: Zlib */
/*
 * Operations on envelopes: exact values where all is whole, what is shown elsewhere, and loops that stay loops.
 */
#include "support/lib_edit.h"

#include <math.h>

static tm_envelope_point point(int32_t time, int32_t value, int32_t curve)
{
    return (tm_envelope_point){.time = time, .curve = curve, .values = {value, 0, 0, 0}};
}

static tm_map *with_points(const tm_envelope_point *points, uint32_t num)
{
    tm_map *map = test_map_of("add envelope sound e");
    must(tm_map_set_points(map, 0, points, num, NULL));
    return map;
}

/* All kinds of curves, and a jump at the end of the loop. */
static tm_map *with_all_curves(void)
{
    tm_envelope_point points[] = {point(0, 0, TM_CURVE_LINEAR),       point(300, 1000, TM_CURVE_SLOW),
                                  point(600, 4000, TM_CURVE_FAST),    point(900, -3000, TM_CURVE_SMOOTH),
                                  point(1200, 8000, TM_CURVE_STEP),   point(1500, 2000, TM_CURVE_BEZIER),
                                  point(2100, 9000, TM_CURVE_LINEAR), point(2400, 5000, TM_CURVE_LINEAR)};
    points[5].out_dx[0] = 150;
    points[5].out_dy[0] = 3000;
    points[6].in_dx[0] = -240;
    points[6].in_dy[0] = -700;
    return with_points(points, sizeof(points) / sizeof(*points));
}

static double shown(const tm_map *map, double time)
{
    double values[4] = {0};
    tm_envelope_evaluate(&map->envelopes[0], time, 1, values);
    return values[0] * TM_FX;
}

/* Each time of a, times `scale` plus `by`, is a time of b; with negative scale backwards. */
static void assert_shows(const tm_map *a, const tm_map *b, double scale, double by, double near_enough)
{
    const double period = a->envelopes[0].points[a->envelopes[0].num_points - 1].time;
    for (double time = 0.25; time < period; time += 1.5) { /* never at a jump */
        const double there =
            fmod(fmod(time * scale + by, period * fabs(scale)) + period * fabs(scale), period * fabs(scale));
        const double was = shown(a, time), is = shown(b, there);
        if (fabs(was - is) > near_enough)
            fail_msg("at %g it was %g, at %g it is %g", time, was, there, is);
    }
    const tm_envelope *after = &b->envelopes[0];
    assert_int_equal(after->points[0].time, 0);
    assert_int_equal(after->points[after->num_points - 1].time, (int32_t)(period * fabs(scale)));
}

TEST(time_is_scaled)
{
    OWN(tm_map) *map = with_all_curves(), *before;
    tm_quad quads[2];
    test_edit_does(map, "add envelope color other\nadd group g\nadd layer g quads\nadd layer g tiles 3x3");
    map->groups[0].layers[1].as.tiles.color_envelope = 0;
    map->groups[0].layers[1].as.tiles.color_envelope_offset = -300;
    for (int i = 0; i < 2; i++) {
        tm_quad_init(&quads[i], 0, 0, 10, 10);
        quads[i].color_envelope = i;
        quads[i].color_offset = 70;
    }
    must(tm_map_set_quads(map, 0, 0, quads, 2, NULL));
    must(tm_map_clone(&before, map, NULL));
    test_edit_does(map, "envelope scale 3 envelope/e");
    assert_int_equal(map->envelopes[0].points[1].time, 900);
    assert_int_equal(map->envelopes[0].points[5].out_dx[0], 450);
    assert_int_equal(map->envelopes[0].points[5].out_dy[0], 3000);
    assert_int_equal(map->groups[0].layers[1].as.tiles.color_envelope_offset, -900);
    const tm_quad *found = test_quads(map, &map->groups[0].layers[0]);
    assert_int_equal(found[0].color_offset, 210);
    assert_int_equal(found[1].color_offset, 70);
    assert_shows(before, map, 3, 0, 0.001);
    test_edit_does(map, "envelope scale 1/3");
    assert_true(test_map_same(map, before));
    test_edit_reports(map, "envelope scale 1", 0);
    test_edit_does(map, "envelope scale 0.5 envelope/*");
    assert_int_equal(map->envelopes[0].points[7].time, 1200);
    tm_error error;
    assert_int_equal(test_edit_run(map, "envelope scale 1000000\nenvelope scale 1000", &error),
                     TM_ERROR_LIMIT);
    assert_int_equal(test_edit_run(map, "envelope scale 0", &error), TM_ERROR_USAGE);
    assert_int_equal(test_edit_run(map, "envelope scale 1.5/2", &error), TM_ERROR_USAGE);
    assert_int_equal(test_edit_run(map, "envelope scale 2 0/0", &error), TM_ERROR_USAGE);
    assert_int_equal(map->envelopes[0].points[7].time, 1200);
}

TEST(loops_are_shifted)
{
    static const int32_t ways[] = {1, 300, 450, 700, 1000, 1350, 1500, 1700, 2200, 2399, -1, -700, 5000};
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        OWN(tm_map) *map = with_all_curves(), *before = with_all_curves();
        char line[64];
        snprintf(line, sizeof(line), "envelope shift %d", (int)ways[i]);
        test_edit_does(map, line);
        assert_shows(before, map, 1, -ways[i], 40); /* handles are whole ms */
        snprintf(line, sizeof(line), "envelope shift %d", (int)-ways[i]);
        test_edit_does(map, line);
        assert_shows(before, map, 1, 0, 60);
    }
    OWN(tm_map) *map = with_all_curves();
    test_edit_reports(map, "envelope shift 4800", 0);
}

/* At points, and on straight lines, nothing is rounded; where end and begin are equal no point is made. */
TEST(shifts_are_exact)
{
    const tm_envelope_point points[] = {point(0, 1000, TM_CURVE_LINEAR), point(400, 2000, TM_CURVE_STEP),
                                        point(1000, 1000, TM_CURVE_LINEAR)};
    OWN(tm_map) *map = with_points(points, 3);
    const tm_envelope *e = &map->envelopes[0];
    test_edit_does(map, "envelope shift 400");
    e = &map->envelopes[0];
    assert_int_equal(e->num_points, 3);
    assert_int_equal(e->points[0].values[0], 2000);
    assert_int_equal(e->points[0].curve, TM_CURVE_STEP);
    assert_int_equal(e->points[1].time, 600);
    assert_int_equal(e->points[1].values[0], 1000);
    assert_int_equal(e->points[1].curve, TM_CURVE_LINEAR);
    assert_int_equal(e->points[2].time, 1000);
    assert_int_equal(e->points[2].values[0], 2000);
    test_edit_does(map, "envelope shift -300");
    e = &map->envelopes[0];
    assert_int_equal(e->points[0].values[0], 1250);
    assert_int_equal(e->points[1].time, 300);
    assert_int_equal(e->points[e->num_points - 1].values[0], 1250);
    assert_int_equal(e->points[e->num_points - 1].time, 1000);
}

TEST(time_runs_backwards)
{
    OWN(tm_map) *map = with_all_curves(), *before = with_all_curves(), *single;
    test_edit_does(map, "envelope reverse envelope/e");
    assert_shows(before, map, -1, 0, 0.001);
    must(tm_map_clone(&single, map, NULL));
    test_edit_does(map, "envelope reverse");
    assert_shows(before, map, 1, 0, 0.001);
    test_edit_does(map, "envelope reverse");
    assert_shows(single, map, 1, 0, 0.001);
}

/* Without steps twice is the same again, byte for byte. */
TEST(backwards_twice_is_forwards)
{
    tm_envelope_point points[] = {point(0, 0, TM_CURVE_SLOW), point(300, 1000, TM_CURVE_BEZIER),
                                  point(600, 4000, TM_CURVE_FAST), point(900, 70, TM_CURVE_SMOOTH)};
    points[1].in_dx[2] = -5;
    points[1].out_dy[0] = 9;
    OWN(tm_map) *map = with_points(points, 4), *before = with_points(points, 4);
    test_edit_does(map, "envelope reverse");
    assert_int_equal(map->envelopes[0].points[2].in_dy[0], 9);
    assert_int_equal(map->envelopes[0].points[2].out_dx[2], 5);
    assert_int_equal(map->envelopes[0].points[0].curve, TM_CURVE_SLOW);
    assert_int_equal(map->envelopes[0].points[2].curve, TM_CURVE_FAST);
    test_edit_does(map, "envelope reverse");
    assert_true(test_map_same(map, before));
}

TEST(curves_become_lines)
{
    OWN(tm_map) *map = with_all_curves(), *before = with_all_curves();
    test_edit_does(map, "envelope resample 10");
    assert_int_equal(map->envelopes[0].num_points, 241);
    assert_int_equal(map->envelopes[0].points[240].time, 2400);
    assert_int_equal(map->envelopes[0].points[240].values[0], 5000);
    for (uint32_t i = 0; i < 240; i++) {
        const tm_envelope_point *p = &map->envelopes[0].points[i];
        assert_int_equal(p->time, 10 * i);
        assert_int_equal(p->curve, TM_CURVE_LINEAR);
        assert_true(fabs(shown(before, p->time) - p->values[0]) <= 0.5);
    }
    test_edit_does(map, "envelope resample 700");
    assert_int_equal(map->envelopes[0].num_points, 5);
    assert_int_equal(map->envelopes[0].points[3].time, 2100);
    tm_error error;
    assert_int_equal(test_edit_run(map, "envelope resample 0", &error), TM_ERROR_USAGE);
    assert_int_equal(test_edit_run(map, "envelope scale 1000\nenvelope resample 1", &error), TM_ERROR_LIMIT);
}

TEST(broken_points_are_sorted)
{
    const tm_envelope_point points[] = {point(500, 4, TM_CURVE_STEP), point(-100, 1000, TM_CURVE_LINEAR),
                                        point(100, 3000, TM_CURVE_LINEAR), point(500, 5, TM_CURVE_STEP),
                                        point(-200, 7, TM_CURVE_LINEAR)};
    OWN(tm_map) *map = with_points(points, 5);
    test_edit_does(map, "envelope sort");
    const tm_envelope *e = &map->envelopes[0];
    assert_int_equal(e->num_points, 4);
    assert_int_equal(e->points[0].time, 0);
    assert_int_equal(e->points[0].values[0], 2000);
    assert_int_equal(e->points[1].values[0], 3000);
    assert_int_equal(e->points[2].values[0], 4);
    assert_int_equal(e->points[3].values[0], 5);
    test_edit_reports(map, "envelope sort", 0);
    must(tm_map_set_points(map, 0, points + 4, 1, NULL));
    test_edit_does(map, "envelope sort\nenvelope shift 5\nenvelope reverse\nenvelope resample 5");
    assert_int_equal(map->envelopes[0].num_points, 1);
    assert_int_equal(map->envelopes[0].points[0].time, 0);
    assert_int_equal(map->envelopes[0].points[0].values[0], 7);
}

/* Before the first point games show the last one's value: so it stays, and the period, too. */
TEST(late_beginnings_stay)
{
    const tm_envelope_point points[] = {point(400, 1000, TM_CURVE_LINEAR),
                                        point(1000, 3000, TM_CURVE_LINEAR)};
    OWN(tm_map) *map = with_points(points, 2), *before = with_points(points, 2);
    test_edit_does(map, "envelope reverse");
    assert_shows(before, map, -1, 0, 0.001);
    tm_map_free(map);
    map = with_points(points, 2);
    test_edit_does(map, "envelope shift 123");
    assert_shows(before, map, 1, -123, 0.6);
}

TEST(envelopes_are_synchronized)
{
    OWN(tm_map) *map = with_all_curves();
    test_edit_does(map, "add envelope color c\nenvelope sync off");
    assert_false(map->envelopes[0].synchronized || map->envelopes[1].synchronized);
    test_edit_reports(map, "envelope sync on envelope/c", 1);
    assert_true(map->envelopes[1].synchronized && !map->envelopes[0].synchronized);
    test_edit_does(map, "envelope sync on envelope/nobody*");
    assert_true(tm_report_has_warnings(&test_report));
}
