/* SPDX-License-Identifier: Zlib */
/*
 * Evaluating envelopes (format section 2.5): each curve, the period, times that no segment holds, bezier
 * against a slow and simple solution, and that every compiler and machine gets the same bits.
 */
#include "base/base.h"
#include "support/test.h"

#include <math.h>

#define FX 1024

static double value_at(const tm_envelope *envelope, double time)
{
    double values[4] = {-1, -2, -3, -4};
    tm_envelope_evaluate(envelope, time, 1, values);
    assert_true(values[1] == -2 && values[2] == -3 && values[3] == -4);
    return values[0];
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * (1 + fabs(expected))))
        fail_msg("%.17g is not %.17g", value, expected);
}

TEST(each_curve_has_its_formula)
{
    static const struct {
        int32_t curve;
        double at_quarter; /* of the way from 0 to 1 */
    } rows[] = {
        {TM_CURVE_STEP, 0.0},
        {TM_CURVE_LINEAR, 0.25},
        {TM_CURVE_SLOW, 0.25 * 0.25 * 0.25},
        {TM_CURVE_FAST, 1 - 0.75 * 0.75 * 0.75},
        {TM_CURVE_SMOOTH, 3 * 0.0625 - 2 * 0.015625},
        {TM_CURVE_BEZIER, 0.25}, /* without tangents */
        {6, 0.25},               /* unknown numbers are linear */
        {-1, 0.25},
        {INT32_MIN, 0.25},
    };
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++) {
        tm_envelope_point points[3] = {{.time = 0, .curve = rows[i].curve, .values = {3 * FX}},
                                       {.time = 1000, .curve = TM_CURVE_LINEAR, .values = {7 * FX}},
                                       {.time = 2000, .values = {7 * FX}}};
        tm_envelope envelope = {.channels = 1, .points = points, .num_points = 3};
        assert_near(value_at(&envelope, 0), 3);
        assert_near(value_at(&envelope, 250), 3 + 4 * rows[i].at_quarter);
        assert_near(value_at(&envelope, 1000), 7);
        assert_near(value_at(&envelope, 1500), 7);
    }
}

TEST(few_points_are_constant)
{
    tm_envelope_point point = {.time = 500, .values = {2 * FX, -FX, 512, 1}};
    tm_envelope envelope = {.channels = 4, .points = &point, .num_points = 1};
    double values[4] = {9, 9, 9, 9};
    tm_envelope_evaluate(&envelope, 123456.0, 4, values);
    assert_true(values[0] == 2 && values[1] == -1 && values[2] == 0.5 && values[3] == 1.0 / 1024);
    envelope.num_points = 0;
    envelope.points = NULL;
    tm_envelope_evaluate(&envelope, 0, 4, values);
    assert_true(values[0] == 2);
}

TEST(only_channels_that_exist_are_set)
{
    tm_envelope_point points[2] = {{.time = 0, .values = {FX, FX, FX, FX}},
                                   {.time = 10, .values = {FX, FX, FX, FX}}};
    static const struct {
        int32_t has;
        uint32_t wanted, set;
    } rows[] = {{1, 4, 1}, {3, 4, 3}, {4, 3, 3}, {4, 4, 4}, {9, 9, 4}, {0, 4, 0}, {-3, 4, 0}, {4, 0, 0}};
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++) {
        for (uint32_t num = 1; num <= 2; num++) {
            tm_envelope envelope = {.channels = rows[i].has, .points = points, .num_points = num};
            double values[4] = {5, 5, 5, 5};
            tm_envelope_evaluate(&envelope, 3, rows[i].wanted, values);
            for (uint32_t k = 0; k < 4; k++)
                assert_true(values[k] == (k < rows[i].set ? 1 : 5));
        }
    }
}

/* From the first point at 200 to the last at 1000, from 0 to 8. */
TEST(the_period_is_the_time_of_the_last_point)
{
    tm_envelope_point points[3] = {{.time = 200, .curve = TM_CURVE_LINEAR, .values = {0}},
                                   {.time = 600, .curve = TM_CURVE_LINEAR, .values = {4 * FX}},
                                   {.time = 1000, .values = {8 * FX}}};
    tm_envelope envelope = {.channels = 1, .points = points, .num_points = 3};
    assert_near(value_at(&envelope, 400), 2);
    assert_near(value_at(&envelope, 1400), 2);
    assert_near(value_at(&envelope, 7000400), 2);
    /*
     * No segment: before the first point, at the period itself (which is 0 again), negative. All give the
     * last point.
     */
    assert_near(value_at(&envelope, 100), 8);
    assert_near(value_at(&envelope, 1000), 8);
    assert_near(value_at(&envelope, -1), 8);
    assert_near(value_at(&envelope, -600), 8);
    assert_near(value_at(&envelope, -1600), 8);
    /* Segments are found by whole milliseconds, then fractions count. */
    assert_near(value_at(&envelope, 400.5), 2.005);
    assert_near(value_at(&envelope, 199.99), 8);
    assert_near(value_at(&envelope, 599.75), 3.9975);
    assert_near(value_at(&envelope, NAN), 8);
    assert_near(value_at(&envelope, INFINITY), 8);
    assert_near(value_at(&envelope, -INFINITY), 8);
    assert_true(value_at(&envelope, 1e300) <= 8);
}

TEST(a_period_of_nothing_is_time_zero)
{
    tm_envelope_point points[2] = {{.time = -10, .curve = TM_CURVE_LINEAR, .values = {FX}},
                                   {.time = 0, .values = {3 * FX}}};
    tm_envelope envelope = {.channels = 1, .points = points, .num_points = 2};
    assert_near(value_at(&envelope, 5), 3);
    points[0].time = 0;
    points[1].time = 0;
    assert_near(value_at(&envelope, 5), 3);
    points[1].time = -7;
    assert_near(value_at(&envelope, 5), 3);
    points[0].time = INT32_MIN;
    points[1].time = INT32_MAX;
    assert_near(value_at(&envelope, 0), 2.0 + 1 / 4294967295.0);
}

/* What a bisection over the middle of a closed range finds; a walk from the front would find others. */
TEST(points_out_of_order_give_what_the_client_gives)
{
    static const int32_t times[5] = {0, 500, 100, 400, 600};
    tm_envelope_point points[5];
    memset(points, 0, sizeof(points));
    for (int i = 0; i < 5; i++) {
        points[i].time = times[i];
        points[i].values[0] = i * FX;
    }
    tm_envelope envelope = {.channels = 1, .points = points, .num_points = 5};
    assert_near(value_at(&envelope, 50), 0);  /* segments 1 (500 is later), then 0 */
    assert_near(value_at(&envelope, 300), 0); /* the same way, though 2 would hold it as well */
    assert_near(value_at(&envelope, 550), 3); /* 1 (ends before), 2 (ends before), 3 */
    /* Doubled, {0, 100} twice: 1 is looked at first. */
    static const int32_t doubled[5] = {0, 50, 100, 50, 100};
    for (int i = 0; i < 5; i++)
        points[i].time = doubled[i];
    assert_near(value_at(&envelope, 60), 1);
    assert_near(value_at(&envelope, 30), 0);
}

/* The slow way: x(s) = x by bisection on long doubles, from the definition of the curve. */
static double bezier_reference(const tm_envelope_point *first, const tm_envelope_point *second, double time)
{
    long double t0 = first->time, t3 = second->time, t1 = t0 + first->out_dx[0], t2 = t3 + second->in_dx[0];
    t1 = t1 < t0 ? t0 : t1 > t3 ? t3 : t1;
    t2 = t2 < t0 ? t0 : t2 > t3 ? t3 : t2;
    long double low = 0, high = 1, s = 0, r = 1;
    for (int i = 0; i < 200; i++) {
        s = (low + high) / 2;
        r = 1 - s;
        if (r * r * r * t0 + 3 * r * r * s * t1 + 3 * r * s * s * t2 + s * s * s * t3 < time)
            low = s;
        else
            high = s;
    }
    long double v0 = first->values[0], v3 = second->values[0], v1 = v0 + first->out_dy[0],
                v2 = v3 + second->in_dy[0];
    return (double)((r * r * r * v0 + 3 * r * r * s * v1 + 3 * r * s * s * v2 + s * s * s * v3) / 1024);
}

static const int32_t tangents[][4] = {
    /* out dx, out dy, in dx, in dy */
    {0, 0, 0, 0},      {300, 0, -300, 0},       {1000, 5000, -1000, -5000}, {500, 500, 0, 0},
    {0, 0, -900, 100}, {-50, 2000, 50, 2000},   {5000, 1, -5000, 1},        {333, -777, -12, 4000},
    {1000, 0, 0, 0},   {0, 1024, -1000, -1024}, {999, 0, -999, 0},          {1, 1, -1, -1},
};

TEST(bezier_is_the_curve_of_its_tangents)
{
    for (size_t i = 0; i < TMI_COUNT_OF(tangents); i++) {
        tm_envelope_point points[2] = {{.time = 0, .curve = TM_CURVE_BEZIER, .values = {-2 * FX}},
                                       {.time = 1000, .values = {5 * FX}}};
        points[0].out_dx[0] = tangents[i][0];
        points[0].out_dy[0] = tangents[i][1];
        points[1].in_dx[0] = tangents[i][2];
        points[1].in_dy[0] = tangents[i][3];
        tm_envelope envelope = {.channels = 1, .points = points, .num_points = 2};
        for (int half = 0; half < 2000; half++) {
            double time = half / 2.0;
            double value = value_at(&envelope, time),
                   expected = bezier_reference(&points[0], &points[1], time);
            /* Where both tangents point straight up at the middle, s hangs on the last bits of x. */
            double tolerance = tangents[i][0] >= 999 && tangents[i][2] <= -999 ? 2e-4 : 1e-9;
            if (!(fabs(value - expected) <= tolerance))
                fail_msg("tangents %zu at %g: %.17g, not %.17g", i, time, value, expected);
        }
    }
}

/* Each channel has tangents of its own; a curve in one is a straight line in another. */
TEST(bezier_channels_are_separate)
{
    tm_envelope_point points[2] = {
        {.time = 0, .curve = TM_CURVE_BEZIER, .values = {0, 0}, .out_dx = {0, 500}, .out_dy = {0, 0}},
        {.time = 1000, .values = {FX, FX}, .in_dx = {0, -500}, .in_dy = {0, 0}}};
    tm_envelope envelope = {.channels = 2, .points = points, .num_points = 2};
    double values[4] = {0};
    tm_envelope_evaluate(&envelope, 100, 2, values);
    assert_near(values[0], 0.1);
    assert_true(values[1] > 0 && values[1] < 0.05);
}

static uint64_t mix(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    for (int i = 0; i < 64; i += 8)
        hash = (hash ^ (bits >> i & 0xFF)) * 0x100000001B3u;
    return hash;
}

/* The number is that of gcc 12 and clang 14 on x86-64 at all levels of optimisation. */
TEST(every_machine_gets_the_same_bits)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < TMI_COUNT_OF(tangents); i++) {
        for (int32_t curve = TM_CURVE_STEP; curve <= TM_CURVE_BEZIER; curve++) {
            tm_envelope_point points[2] = {{.time = 3, .curve = curve, .values = {-2 * FX + 1}},
                                           {.time = 1009, .values = {5 * FX + 3}}};
            points[0].out_dx[0] = tangents[i][0];
            points[0].out_dy[0] = tangents[i][1];
            points[1].in_dx[0] = tangents[i][2];
            points[1].in_dy[0] = tangents[i][3];
            tm_envelope envelope = {.channels = 1, .points = points, .num_points = 2};
            for (int time = -100; time < 3000; time++)
                hash = mix(hash, value_at(&envelope, time + (double)(time & 7) / 7.0));
        }
    }
    if (hash != UINT64_C(0xc1fdecd8c2cf47ec))
        fail_msg("the hash is %#llx", (unsigned long long)hash);
}
