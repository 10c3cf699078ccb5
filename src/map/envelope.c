/* SPDX-License-Identifier: Zlib */
/*
 * Evaluating envelopes as DDNet's client does (format section 2.5), shared by all who draw or listen.
 *
 * Two details of the client are kept on purpose. The period starts at time 0, not at the first point, and is
 * the time of the last point; the remainder is C's, so a negative time stays negative and finds no segment.
 * And the segment is looked for with whole milliseconds, while the place inside of it has fractions. With
 * points out of order the answer depends on how one searches, so the search is a plain bisection, as the
 * client's.
 *
 * The same numbers on every compiler and machine: doubles with + - * / and fmod (which is exact by
 * definition), nothing whose last bit is up to the C library. That is why a bezier segment is solved by
 * bracketed iteration and not by the closed form, which needs cbrt, acos and cos.
 */
#include "internal.h"

#include <math.h>

/* ------------------------------------------------------------------------------------------------- bezier */

/*
 * x(s) = 3 p1 s (1-s)^2 + 3 p2 s^2 (1-s) + s^3 for ends at 0 and 1, as a polynomial. For p1 and p2 in [0, 1]
 * it never falls, so that there is one s for each x (or one stretch of them, where any s will do).
 *
 * The s in [0, 1] with x(s) = x. Newton's steps while they stay inside the bracket [low, high] and at least
 * halve the last step, else bisection; either way the bracket shrinks, and 64 rounds are more than doubles
 * can tell apart.
 */
double tmi_bezier_part(double p1, double p2, double x)
{
    const double c = 3.0 * p1, b = 3.0 * (p2 - p1) - c, a = 1.0 - c - b; /* x(s) = ((a s + b) s + c) s */
    double low = 0.0, high = 1.0, s = x, last_step = 1.0;
    if (!(x > 0.0))
        return 0.0;
    if (x >= 1.0)
        return 1.0;
    for (int round = 0; round < 64; round++) {
        double off = ((a * s + b) * s + c) * s - x;
        if (off == 0.0)
            return s;
        if (off < 0.0)
            low = s;
        else
            high = s;
        double slope = (3.0 * a * s + 2.0 * b) * s + c;
        double next = slope > 0.0 ? s - off / slope : -1.0;
        double step = next > s ? next - s : s - next;
        if (!(next > low && next < high) || step > 0.5 * last_step)
            next = low + 0.5 * (high - low);
        step = next > s ? next - s : s - next;
        if (step == 0.0)
            return s;
        last_step = step;
        s = next;
    }
    return s;
}

static double clamp_unit(double value)
{
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

/* One channel between two points, `x` of the way in time. Tangents may not leave the segment in time. */
static double bezier(const tm_envelope_point *point, const tm_envelope_point *next, uint32_t channel,
                     double x)
{
    double length = (double)next->time - (double)point->time;
    double p1 = clamp_unit((double)point->out_dx[channel] / length);
    double p2 = clamp_unit(1.0 + (double)next->in_dx[channel] / length);
    double s = tmi_bezier_part(p1, p2, x), r = 1.0 - s;
    double v0 = (double)point->values[channel], v3 = (double)next->values[channel];
    double v1 = v0 + (double)point->out_dy[channel], v2 = v3 + (double)next->in_dy[channel];
    return (r * r * r * v0 + 3.0 * r * r * s * v1 + 3.0 * r * s * s * v2 + s * s * s * v3) / TM_FX;
}

/* ------------------------------------------------------------------------------------------------- curves */

/* The progress of a value for the progress in time; unknown curves are linear. */
static double eased(int32_t curve, double a)
{
    switch (curve) {
    case TM_CURVE_STEP: return 0.0;
    case TM_CURVE_SLOW: return a * a * a;
    case TM_CURVE_FAST: return 1.0 - (1.0 - a) * (1.0 - a) * (1.0 - a);
    case TM_CURVE_SMOOTH: return (3.0 - 2.0 * a) * a * a;
    default: return a;
    }
}

/* --------------------------------------------------------------------------------------------- evaluating */

/* The point whose segment holds the whole millisecond `time`; num_points if there is none. */
static uint32_t find_segment(const tm_envelope *envelope, int32_t time)
{
    uint32_t low = 0, high = envelope->num_points - 1; /* segments [low, high) */
    while (low < high) {
        uint32_t middle =
            low + (high - 1 - low) / 2; /* rounded as the client's, which counts in closed ranges */
        if (time < envelope->points[middle].time)
            high = middle;
        else if (time < envelope->points[middle + 1].time)
            return middle;
        else
            low = middle + 1;
    }
    return envelope->num_points;
}

static void set_point(const tm_envelope_point *point, uint32_t channels, double values[4])
{
    for (uint32_t i = 0; i < channels; i++)
        values[i] = (double)point->values[i] / TM_FX;
}

void tm_envelope_evaluate(const tm_envelope *envelope, double time, uint32_t channels, double values[4])
{
    if (!envelope || !values)
        return;
    uint32_t has = envelope->channels < 0 ? 0 : (uint32_t)envelope->channels;
    uint32_t num = envelope->num_points, most = has < 4 ? has : 4;
    if (channels > most)
        channels = most;
    if (num == 0)
        return;
    const tm_envelope_point *last = &envelope->points[num - 1];
    if (num == 1) {
        set_point(last, channels, values);
        return;
    }
    double period = (double)last->time, now = period > 0.0 && isfinite(time) ? fmod(time, period) : 0.0;
    uint32_t segment = find_segment(envelope, (int32_t)now); /* |now| is below the last point's time */
    if (segment == num) {
        set_point(last, channels, values);
        return;
    }
    const tm_envelope_point *point = &envelope->points[segment], *next = point + 1;
    double x = (now - (double)point->time) / ((double)next->time - (double)point->time);
    double a = eased(point->curve, x);
    for (uint32_t i = 0; i < channels; i++) {
        double from = (double)point->values[i] / TM_FX, to = (double)next->values[i] / TM_FX;
        values[i] = point->curve == TM_CURVE_BEZIER ? bezier(point, next, i, x) : from + (to - from) * a;
    }
}
