/* SPDX-License-Identifier: Zlib */
/*
 * Points of envelopes in other orders: sorted, turned round the loop, backwards. What is shown between them
 * stays the same (docs/format.md, section 5), to the rounding of whole ms and fx.
 *
 * The period runs from 0 to the last point; what the games show at its end is what they show at its begin, so
 * a jump from the last value to the first may stand inside of a list as two points of one time.
 */
#include "edit_envelopes.h"

static tm_status add_point(tmi_point_list *to, const tm_envelope_point *point, tm_error *error)
{
    TM_TRY(tmi_grow(to->scratch, &to->points, &to->capacity, to->num + 1, sizeof(*to->points), error));
    to->points[to->num++] = *point;
    return TM_OK;
}

static tm_status insert_point(tmi_point_list *to, size_t at, const tm_envelope_point *point, tm_error *error)
{
    const tm_envelope_point copy = *point;
    TM_TRY(add_point(to, point, error));
    memmove(to->points + at + 1, to->points + at, (to->num - 1 - at) * sizeof(*to->points));
    to->points[at] = copy;
    return TM_OK;
}

static bool same_values(const tmi_point_list *list, const tm_envelope_point *a, const tm_envelope_point *b)
{
    return memcmp(a->values, b->values, list->channels * sizeof(*a->values)) == 0;
}

static int32_t whole_of(double value)
{
    value += value < 0 ? -0.5 : 0.5;
    return value <= INT32_MIN ? INT32_MIN : value >= INT32_MAX ? INT32_MAX : (int32_t)value;
}

/* --------------------------------------------------------------------------------------------- splitting */

/* Curves that are polynomials of the third degree, as bezier with handles at a third and two of the time. */
static void make_bezier(tm_envelope_point *a, tm_envelope_point *b)
{
    const double third = ((double)b->time - a->time) / 3;
    for (int c = 0; c < 4; c++) {
        const double rise = (double)b->values[c] - a->values[c];
        a->out_dx[c] = whole_of(third);
        b->in_dx[c] = whole_of(-third);
        a->out_dy[c] = a->curve == TM_CURVE_FAST ? whole_of(rise) : 0;
        b->in_dy[c] = a->curve == TM_CURVE_SLOW ? whole_of(-rise) : 0;
    }
    a->curve = TM_CURVE_BEZIER;
}

static double lerp_to(double a, double b, double part)
{
    return a + (b - a) * part;
}

static double in_segment(double value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

/* How far along the curve is at time x, of 1: the curve's time only grows. */
static double find_part(double p1, double p2, double x)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double s = (low + high) / 2, r = 1 - s;
        if (3 * p1 * s * r * r + 3 * p2 * s * s * r + s * s * s < x)
            low = s;
        else
            high = s;
    }
    return (low + high) / 2;
}

/* One channel, by de Casteljau's construction: each half of the curve is a bezier curve of its own. */
static void split_bezier(tm_envelope_point *a, tm_envelope_point *middle, tm_envelope_point *b, int c)
{
    const double length = (double)b->time - a->time, x = ((double)middle->time - a->time) / length;
    const double t1 = in_segment(a->out_dx[c] / length), t2 = in_segment(1 + b->in_dx[c] / length);
    const double v0 = a->values[c], v3 = b->values[c], v1 = v0 + a->out_dy[c], v2 = v3 + b->in_dy[c];
    const double s = find_part(t1, t2, x);
    const double t01 = t1 * s, t12 = lerp_to(t1, t2, s), t23 = lerp_to(t2, 1, s);
    const double v01 = lerp_to(v0, v1, s), v12 = lerp_to(v1, v2, s), v23 = lerp_to(v2, v3, s);
    const double v012 = lerp_to(v01, v12, s), v123 = lerp_to(v12, v23, s), v = lerp_to(v012, v123, s);
    a->out_dx[c] = whole_of(t01 * length);
    a->out_dy[c] = whole_of(v01 - v0);
    middle->in_dx[c] = whole_of((lerp_to(t01, t12, s) - x) * length);
    middle->in_dy[c] = whole_of(v012 - v);
    middle->values[c] = whole_of(v);
    middle->out_dx[c] = whole_of((lerp_to(t12, t23, s) - x) * length);
    middle->out_dy[c] = whole_of(v123 - v);
    b->in_dx[c] = whole_of((t23 - 1) * length);
    b->in_dy[c] = whole_of(v23 - v3);
}

/* Adds a point between two without changing the curve. */
static tm_envelope_point split_segment(tm_envelope_point *a, tm_envelope_point *b, int32_t time)
{
    tm_envelope_point middle = {.time = time, .curve = a->curve};
    const double part = ((double)time - a->time) / ((double)b->time - a->time);
    if (a->curve >= TM_CURVE_SLOW && a->curve <= TM_CURVE_BEZIER) {
        if (a->curve != TM_CURVE_BEZIER)
            make_bezier(a, b);
        middle.curve = TM_CURVE_BEZIER;
    }
    for (int c = 0; c < 4; c++)
        if (a->curve == TM_CURVE_BEZIER)
            split_bezier(a, &middle, b, c);
        else
            middle.values[c] = a->curve == TM_CURVE_STEP
                                   ? a->values[c]
                                   : whole_of(lerp_to(a->values[c], b->values[c], part));
    return middle;
}

/* ------------------------------------------------------------------------------------------------ taking */

tm_status tmi_points_add_sorted(tmi_point_list *to, const tm_envelope *envelope, tm_error *error)
{
    const uint32_t num = envelope->num_points;
    uint64_t *keys;
    TM_TRY(tmi_reserve(&keys, to->scratch, num, sizeof(*keys), "points", error));
    for (uint32_t i = 0; i < num; i++)
        keys[i] = (uint64_t)((uint32_t)envelope->points[i].time ^ 0x80000000U) << 32 | i;
    tmi_sort_u64(keys, num);
    for (uint32_t i = 0; i < num; i++)
        TM_TRY(add_point(to, &envelope->points[(uint32_t)keys[i]], error));
    return TM_OK;
}

/* The games show nothing of what lies before 0. */
static void cut_before_zero(tmi_point_list *list)
{
    size_t before = 0;
    while (before < list->num && list->points[before].time < 0)
        before++;
    if (before == 0)
        return;
    tm_envelope_point *last = &list->points[before - 1];
    if (before == list->num)
        last->time = 0;
    else if (list->points[before].time > 0)
        *last = split_segment(last, last + 1, 0);
    else
        last++;
    list->num -= (size_t)(last - list->points);
    memmove(list->points, last, list->num * sizeof(*last));
}

tm_status tmi_points_take(tmi_point_list *out, const tm_allocator *scratch, const tm_envelope *envelope,
                          tm_error *error)
{
    *out = (tmi_point_list){.scratch = scratch, .channels = (uint32_t)tmi_clamp(envelope->channels, 0, 4)};
    TM_TRY(tmi_points_add_sorted(out, envelope, error));
    cut_before_zero(out);
    return TM_OK;
}

/* Before the first point the games show the last one's values. */
tm_status tmi_points_begin(tmi_point_list *list, tm_error *error)
{
    if (list->num == 0 || list->points[0].time == 0)
        return TM_OK;
    tm_envelope_point first = {.curve = TM_CURVE_STEP};
    memcpy(first.values, list->points[list->num - 1].values, sizeof(first.values));
    return insert_point(list, 0, &first, error);
}

/* -------------------------------------------------------------------------------------- round the loop */

/* The last point at a time, made where there is none; *first is the first one of that time. */
static tm_status need_point(tmi_point_list *list, int32_t time, size_t *first, size_t *last, tm_error *error)
{
    size_t k = list->num - 1;
    while (list->points[k].time > time)
        k--;
    if (list->points[k].time != time) {
        const tm_envelope_point middle = split_segment(&list->points[k], &list->points[k + 1], time);
        TM_TRY(insert_point(list, ++k, &middle, error));
    }
    *last = *first = k;
    while (list->points[*first - 1].time == time)
        (*first)--;
    return TM_OK;
}

static tm_status add_at(tmi_point_list *to, tm_envelope_point point, int64_t by, tm_error *error)
{
    point.time = (int32_t)(point.time + by);
    return add_point(to, &point, error);
}

/* Makes the end and the beginning one point, or two if there is a jump. */
static tm_status add_seam(tmi_point_list *to, tm_envelope_point end, const tm_envelope_point *begin,
                          int64_t by, tm_error *error)
{
    if (same_values(to, &end, begin)) {
        end.curve = begin->curve;
        memcpy(end.out_dx, begin->out_dx, sizeof(end.out_dx));
        memcpy(end.out_dy, begin->out_dy, sizeof(end.out_dy));
        return add_at(to, end, by, error);
    }
    TM_TRY(add_at(to, end, by, error));
    tm_envelope_point after = *begin;
    after.time = end.time;
    return add_at(to, after, by, error);
}

/* Nothing leads to the first point, or from the last one: handles there are lost when the map is saved. */
static void clear_ends(tmi_point_list *list)
{
    tm_envelope_point *first = &list->points[0], *last = &list->points[list->num - 1];
    memset(first->in_dx, 0, sizeof(first->in_dx));
    memset(first->in_dy, 0, sizeof(first->in_dy));
    memset(last->out_dx, 0, sizeof(last->out_dx));
    memset(last->out_dy, 0, sizeof(last->out_dy));
    if (last->curve == TM_CURVE_BEZIER)
        last->curve = TM_CURVE_LINEAR;
}

tm_status tmi_points_shift(tmi_point_list *out, tmi_point_list *list, int32_t by, tm_error *error)
{
    const int64_t period = list->points[list->num - 1].time;
    const int32_t start = (int32_t)((by % period + period) % period);
    size_t first, last, i;
    if (start == 0) {
        for (i = 0; i < list->num; i++)
            TM_TRY(add_point(out, &list->points[i], error));
        return TM_OK;
    }
    TM_TRY(need_point(list, start, &first, &last, error));
    for (i = last; i + 1 < list->num; i++)
        TM_TRY(add_at(out, list->points[i], -(int64_t)start, error));
    TM_TRY(add_seam(out, list->points[i], &list->points[0], -(int64_t)start, error));
    for (i = 1; i <= first; i++)
        TM_TRY(add_at(out, list->points[i], period - start, error));
    clear_ends(out);
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- backwards */

static tm_envelope_point point_backwards(const tm_envelope_point *point, int64_t period)
{
    tm_envelope_point back = *point;
    back.time = (int32_t)(period - point->time);
    for (int c = 0; c < 4; c++) {
        back.in_dx[c] = whole_of(-(double)point->out_dx[c]);
        back.in_dy[c] = point->out_dy[c];
        back.out_dx[c] = whole_of(-(double)point->in_dx[c]);
        back.out_dy[c] = point->in_dy[c];
    }
    return back;
}

/*
 * A value that holds and then jumps: backwards it jumps at once. The jump needs a point in front, unless
 * nothing leads to it.
 */
static tm_status add_jump(tmi_point_list *out, tm_envelope_point point, const tm_envelope_point *held,
                          tm_error *error)
{
    const bool is_led_to = out->num && out->points[out->num - 1].curve != TM_CURVE_STEP;
    point.curve = TM_CURVE_STEP;
    if (is_led_to && !same_values(out, &point, held))
        TM_TRY(add_point(out, &point, error));
    memcpy(point.values, held->values, sizeof(point.values));
    return add_point(out, &point, error);
}

tm_status tmi_points_reverse(tmi_point_list *out, tmi_point_list *list, tm_error *error)
{
    const tm_envelope_point *end = &list->points[list->num - 1];
    for (size_t i = list->num; i > 0; i--) {
        const tm_envelope_point *before = i > 1 ? &list->points[i - 2] : NULL;
        tm_envelope_point point = point_backwards(&list->points[i - 1], end->time);
        const int32_t curve = before ? before->curve : end->curve;
        point.curve = !before                  ? curve
                      : curve == TM_CURVE_SLOW ? TM_CURVE_FAST
                      : curve == TM_CURVE_FAST ? TM_CURVE_SLOW
                                               : curve;
        if (before && before->curve == TM_CURVE_STEP)
            TM_TRY(add_jump(out, point, before, error));
        else
            TM_TRY(add_point(out, &point, error));
    }
    return TM_OK;
}
