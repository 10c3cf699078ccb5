/* SPDX-License-Identifier: Zlib */
/*
 * Work on whole envelopes: their time, their direction, their points. What is shown between points stays the
 * same in every order (docs/format.md, section 5), to the rounding of whole ms and fx.
 *
 * The period runs from 0 to the last point; what the games show at its end is what they show at its begin, so
 * a jump from the last value to the first may stand inside of a list as two points of one time.
 */
#include "edit_geometry.h"

/* ------------------------------------------------------------------------------------------------- lists */

static tm_status add_point(tmi_point_list *list, const tm_envelope_point *point, tm_error *error)
{
    TM_TRY(
        tmi_grow(list->scratch, &list->points, &list->capacity, list->num + 1, sizeof(*list->points), error));
    list->points[list->num++] = *point;
    return TM_OK;
}

static tm_status insert_point(tmi_point_list *list, size_t at, const tm_envelope_point *point,
                              tm_error *error)
{
    const tm_envelope_point copy = *point;
    TM_TRY(add_point(list, point, error));
    memmove(list->points + at + 1, list->points + at, (list->num - 1 - at) * sizeof(*list->points));
    list->points[at] = copy;
    return TM_OK;
}

static bool same_values(const tmi_point_list *list, const tm_envelope_point *a, const tm_envelope_point *b)
{
    return memcmp(a->values, b->values, list->channels * sizeof(*a->values)) == 0;
}

static int32_t point_number(double value)
{
    value += value < 0 ? -0.5 : 0.5;
    return value <= INT32_MIN ? INT32_MIN : value >= INT32_MAX ? INT32_MAX : (int32_t)value;
}

/* --------------------------------------------------------------------------------------------- splitting */

static double lerp_to(double a, double b, double part)
{
    return a + (b - a) * part;
}

static double in_segment(double value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

/* Adds a point between two without changing the curve. */
static tm_envelope_point split_segment(tm_envelope_point *a, tm_envelope_point *b, int32_t time)
{
    tm_envelope_point middle = {.time = time, .curve = a->curve};
    const double length = (double)b->time - a->time, part = ((double)time - a->time) / length;
    if (a->curve >= TM_CURVE_SLOW && a->curve < TM_CURVE_BEZIER) {
        /* It is a cubic polynomial, and becomes a bezier curve with handles at 1/3 and 2/3 of the time. */
        const double third = length / 3;
        for (int c = 0; c < 4; c++) {
            const double rise = (double)b->values[c] - a->values[c];
            a->out_dx[c] = point_number(third);
            b->in_dx[c] = point_number(-third);
            a->out_dy[c] = a->curve == TM_CURVE_FAST ? point_number(rise) : 0;
            b->in_dy[c] = a->curve == TM_CURVE_SLOW ? point_number(-rise) : 0;
        }
        a->curve = middle.curve = TM_CURVE_BEZIER;
    }
    for (int c = 0; c < 4; c++) {
        const double v0 = a->values[c], v3 = b->values[c];
        if (a->curve != TM_CURVE_BEZIER) {
            middle.values[c] = a->curve == TM_CURVE_STEP ? a->values[c] : point_number(lerp_to(v0, v3, part));
            continue;
        }
        /* de Casteljau's construction */
        const double t1 = in_segment(a->out_dx[c] / length), t2 = in_segment(1 + b->in_dx[c] / length);
        const double v1 = v0 + a->out_dy[c], v2 = v3 + b->in_dy[c], s = tmi_bezier_part(t1, t2, part);
        const double t01 = t1 * s, t12 = lerp_to(t1, t2, s), t23 = lerp_to(t2, 1, s);
        const double v01 = lerp_to(v0, v1, s), v12 = lerp_to(v1, v2, s), v23 = lerp_to(v2, v3, s);
        const double v012 = lerp_to(v01, v12, s), v123 = lerp_to(v12, v23, s), v = lerp_to(v012, v123, s);
        a->out_dx[c] = point_number(t01 * length);
        a->out_dy[c] = point_number(v01 - v0);
        middle.in_dx[c] = point_number((lerp_to(t01, t12, s) - part) * length);
        middle.in_dy[c] = point_number(v012 - v);
        middle.values[c] = point_number(v);
        middle.out_dx[c] = point_number((lerp_to(t12, t23, s) - part) * length);
        middle.out_dy[c] = point_number(v123 - v);
        b->in_dx[c] = point_number((t23 - 1) * length);
        b->in_dy[c] = point_number(v23 - v3);
    }
    return middle;
}

/* ------------------------------------------------------------------------------------------------ copying */

tm_status tmi_points_add_sorted(tmi_point_list *list, const tm_envelope *envelope, tm_error *error)
{
    const uint32_t num = envelope->num_points;
    uint64_t *keys;
    TM_TRY(tmi_reserve(&keys, list->scratch, num, sizeof(*keys), "points", error));
    for (uint32_t i = 0; i < num; i++)
        keys[i] = (uint64_t)((uint32_t)envelope->points[i].time ^ 0x80000000U) << 32 | i;
    tmi_sort_u64(keys, num);
    for (uint32_t i = 0; i < num; i++)
        TM_TRY(add_point(list, &envelope->points[(uint32_t)keys[i]], error));
    return TM_OK;
}

/* Copies an envelope's points, sorted by time and beginning at 0, so that the games show the same. */
static tm_status points_from_zero(tmi_point_list *out, const tm_allocator *scratch,
                                  const tm_envelope *envelope, tm_error *error)
{
    size_t before = 0; /* points before time 0, which the games do not show */
    *out = (tmi_point_list){.scratch = scratch, .channels = (uint32_t)tmi_clamp(envelope->channels, 0, 4)};
    TM_TRY(tmi_points_add_sorted(out, envelope, error));
    while (before < out->num && out->points[before].time < 0)
        before++;
    if (before == 0)
        return TM_OK;
    tm_envelope_point *last = &out->points[before - 1];
    if (before == out->num)
        last->time = 0;
    else if (out->points[before].time > 0)
        *last = split_segment(last, last + 1, 0);
    else
        last++;
    out->num -= (size_t)(last - out->points);
    memmove(out->points, last, out->num * sizeof(*last));
    return TM_OK;
}

/* ------------------------------------------------------------------------- another begin or direction */

static tm_status add_at(tmi_point_list *list, tm_envelope_point point, int64_t by, tm_error *error)
{
    point.time = (int32_t)(point.time + by);
    return add_point(list, &point, error);
}

/* Shows at time t what the list, which begins at 0, did at t + by. */
static tm_status points_shift(tmi_point_list *out, tmi_point_list *list, int32_t by, tm_error *error)
{
    const int64_t period = list->points[list->num - 1].time;
    const int32_t start = (int32_t)((by % period + period) % period);
    size_t i, middle = list->num - 1; /* the last point at the new start; made if there is none */
    if (start == 0) {
        for (i = 0; i < list->num; i++)
            TM_TRY(add_point(out, &list->points[i], error));
        return TM_OK;
    }
    while (list->points[middle].time > start)
        middle--;
    if (list->points[middle].time != start) {
        const tm_envelope_point split =
            split_segment(&list->points[middle], &list->points[middle + 1], start);
        TM_TRY(insert_point(list, ++middle, &split, error));
    }
    for (i = middle; i + 1 < list->num; i++)
        TM_TRY(add_at(out, list->points[i], -(int64_t)start, error));
    /* The end and the beginning become one point, or two if there is a jump. */
    tm_envelope_point end = list->points[i], begin = list->points[0];
    const bool jumps = !same_values(list, &end, &begin);
    begin.time = end.time;
    if (!jumps) {
        end.curve = begin.curve;
        memcpy(end.out_dx, begin.out_dx, sizeof(end.out_dx));
        memcpy(end.out_dy, begin.out_dy, sizeof(end.out_dy));
    }
    TM_TRY(add_at(out, end, -(int64_t)start, error));
    if (jumps)
        TM_TRY(add_at(out, begin, -(int64_t)start, error));
    for (i = 1; list->points[i - 1].time < start; i++)
        TM_TRY(add_at(out, list->points[i], period - start, error));
    /* Nothing leads to the first point, or from the last one: saving would lose handles there. */
    tm_envelope_point *first = &out->points[0], *last = &out->points[out->num - 1];
    memset(first->in_dx, 0, sizeof(first->in_dx));
    memset(first->in_dy, 0, sizeof(first->in_dy));
    memset(last->out_dx, 0, sizeof(last->out_dx));
    memset(last->out_dy, 0, sizeof(last->out_dy));
    if (last->curve == TM_CURVE_BEZIER)
        last->curve = TM_CURVE_LINEAR;
    return TM_OK;
}

/* Shows at time t what the list, which begins at 0, did at period - t. */
static tm_status points_reverse(tmi_point_list *out, const tmi_point_list *list, tm_error *error)
{
    const tm_envelope_point *end = &list->points[list->num - 1];
    for (size_t i = list->num; i > 0; i--) {
        const tm_envelope_point *point = &list->points[i - 1], *before = i > 1 ? point - 1 : NULL;
        const int32_t curve = before ? before->curve : end->curve;
        tm_envelope_point reversed = *point;
        reversed.time = end->time - point->time;
        reversed.curve = !before                  ? curve
                         : curve == TM_CURVE_SLOW ? TM_CURVE_FAST
                         : curve == TM_CURVE_FAST ? TM_CURVE_SLOW
                                                  : curve;
        for (int c = 0; c < 4; c++) {
            reversed.in_dx[c] = point_number(-(double)point->out_dx[c]);
            reversed.in_dy[c] = point->out_dy[c];
            reversed.out_dx[c] = point_number(-(double)point->in_dx[c]);
            reversed.out_dy[c] = point->in_dy[c];
        }
        if (before && curve == TM_CURVE_STEP) {
            /* A value that holds and then jumps: backwards it jumps at once. The jump needs a point in front,
               unless nothing leads to it. */
            const bool is_led_to = out->num && out->points[out->num - 1].curve != TM_CURVE_STEP;
            if (is_led_to && !same_values(out, &reversed, before))
                TM_TRY(add_point(out, &reversed, error));
            memcpy(reversed.values, before->values, sizeof(reversed.values));
        }
        TM_TRY(add_point(out, &reversed, error));
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------- sorting, shifting, reversing */

enum { MAX_SAMPLES = 1 << 16 }; /* points that resampling makes of one envelope */

/* Sets the points if they differ from the old ones. */
static tm_status put_list(tmi_edit *edit, uint32_t index, const tmi_point_list *list, const char *done,
                          tm_error *error)
{
    const tm_envelope *envelope = &edit->map->envelopes[index];
    if (list->num > UINT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many points");
    if (list->num == envelope->num_points &&
        (list->num == 0 || memcmp(list->points, envelope->points, list->num * sizeof(*list->points)) == 0))
        return TM_OK;
    TM_TRY(tm_map_set_points(edit->map, index, list->points, (uint32_t)list->num, error));
    tmi_edit_changed(edit, tmi_edit_address(TM_KIND_ENVELOPE, index, 0), list->num ? list->num : 1, "%s",
                     done);
    return TM_OK;
}

tm_status tmi_envelope_sort(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tmi_point_list list;
    TM_TRY(points_from_zero(&list, edit->scratch, &edit->map->envelopes[address->index], error));
    return put_list(edit, address->index, &list, "points sorted, from time 0 on", error);
}

/* The points of an envelope that is a loop, with one at time 0; none of an envelope that is no loop. */
static tm_status points_of_loop(tmi_point_list *out, const tm_allocator *scratch, const tm_envelope *envelope,
                                tm_error *error)
{
    TM_TRY(points_from_zero(out, scratch, envelope, error));
    if (out->num < 2 || out->points[out->num - 1].time <= 0)
        out->num = 0;
    if (!out->num || out->points[0].time == 0)
        return TM_OK;
    tm_envelope_point first = {.curve = TM_CURVE_STEP}; /* the games show the last point's values at time 0 */
    memcpy(first.values, out->points[out->num - 1].values, sizeof(first.values));
    return insert_point(out, 0, &first, error);
}

tm_status tmi_envelope_shift(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    const tm_envelope *envelope = &edit->map->envelopes[address->index];
    const int32_t period = envelope->num_points ? envelope->points[envelope->num_points - 1].time : 0;
    if (period > 0 && edit->values[0].x % period == 0)
        return TM_OK;
    tmi_point_list list;
    TM_TRY(points_of_loop(&list, edit->scratch, envelope, error));
    tmi_point_list shifted = {.scratch = edit->scratch, .channels = list.channels};
    if (!list.num)
        return TM_OK;
    TM_TRY(points_shift(&shifted, &list, edit->values[0].x, error));
    return put_list(edit, address->index, &shifted, "begins at another time of its loop", error);
}

tm_status tmi_envelope_reverse(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tmi_point_list list;
    TM_TRY(points_of_loop(&list, edit->scratch, &edit->map->envelopes[address->index], error));
    tmi_point_list reversed = {.scratch = edit->scratch, .channels = list.channels};
    if (!list.num)
        return TM_OK;
    TM_TRY(points_reverse(&reversed, &list, error));
    return put_list(edit, address->index, &reversed, "runs backwards", error);
}

/* ----------------------------------------------------------------------------------------------- samples */

/* Makes points every `step` ms, joined by straight lines; the last point stays at its time. */
static tm_status sample_points(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tm_envelope sorted = edit->map->envelopes[address->index];
    tmi_point_list list;
    TM_TRY(points_from_zero(&list, edit->scratch, &sorted, error));
    const int32_t step = edit->values[0].x, period = list.num > 1 ? list.points[list.num - 1].time : 0;
    if (period <= 0)
        return TM_OK;
    const uint32_t num = (uint32_t)((period - 1) / step + 2);
    tmi_point_list made = {.num = num};
    if (num > MAX_SAMPLES)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%u points are too many; %d are the most", (unsigned)num,
                        MAX_SAMPLES);
    TM_TRY(tmi_reserve(&made.points, edit->scratch, num, sizeof(*made.points), "points", error));
    sorted.points = list.points;
    sorted.num_points = (uint32_t)list.num;
    for (uint32_t i = 0; i + 1 < num; i++) {
        double values[4] = {0};
        tm_envelope_point *point = &made.points[i];
        *point = (tm_envelope_point){.time = (int32_t)i * step, .curve = TM_CURVE_LINEAR};
        tm_envelope_evaluate(&sorted, point->time, 4, values);
        for (int c = 0; c < 4; c++)
            point->values[c] = point_number(values[c] * TM_FX);
    }
    tm_envelope_point *last = &made.points[num - 1];
    *last = (tm_envelope_point){.time = period, .curve = TM_CURVE_LINEAR};
    memcpy(last->values, list.points[list.num - 1].values, sizeof(last->values));
    return put_list(edit, address->index, &made, "straight lines between points at equal times", error);
}

tm_status tmi_envelope_resample(tmi_edit *edit, tm_error *error)
{
    if (edit->values[0].x < 1)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%d ms between points: 1 is the least",
                        (int)edit->values[0].x);
    return tmi_edit_each(edit, TM_KIND_ENVELOPE, sample_points, NULL, error);
}

/* ------------------------------------------------------------------------------------------------- scale */

/* Multiplies a time, or a number of a tangent, by the factor and rounds it. */
static tm_status scale_time(int32_t *value, const tmi_edit *edit, tm_error *error)
{
    const int64_t by = edit->values[0].x, of = edit->values[0].y;
    const int64_t product = *value * by;
    const int64_t scaled = (product + (product < 0 ? -of / 2 : of / 2)) / of;
    if (scaled < INT32_MIN || scaled > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%d ms times %.60s is too long", (int)*value,
                        edit->values[0].text);
    *value = (int32_t)scaled;
    return TM_OK;
}

/* Scales the time offsets of everything that uses the envelope, so that it stays in step. */
typedef struct offset_scaling {
    const tmi_edit *edit;
    int32_t envelope;
    tm_kind owner; /* of the object at work */
} offset_scaling;

/* Scales the offsets of one object. In the table of fields an offset follows its envelope. */
static tm_status scale_offsets(void *ctx, void *object, bool *kept, tm_error *error)
{
    const offset_scaling *offsets = ctx;
    size_t num;
    const tm_field *fields = tm_fields(&num, offsets->owner);
    (void)kept;
    for (size_t i = 0; i + 1 < num; i++) {
        int32_t envelope, offset;
        memcpy(&envelope, (char *)object + fields[i].offset, sizeof(envelope));
        memcpy(&offset, (char *)object + fields[i + 1].offset, sizeof(offset));
        if (fields[i].type != TM_TYPE_REFERENCE || fields[i].refers != TM_KIND_ENVELOPE ||
            envelope != offsets->envelope || !offset)
            continue;
        TM_TRY(scale_time(&offset, offsets->edit, error));
        memcpy((char *)object + fields[i + 1].offset, &offset, sizeof(offset));
    }
    return TM_OK;
}

static tm_status scale_uses(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tm_layer *layer = tmi_edit_layer_at(edit, address);
    offset_scaling offsets = {edit, *(const int32_t *)edit->ctx, tm_kind_of_layer(layer->kind)};
    uint32_t num;
    TM_TRY(scale_offsets(&offsets, layer, NULL, error));
    offsets.owner = tm_kind_of_elements(layer->kind);
    const tm_status status = tmi_edit_elements_change(&num, edit, address, scale_offsets, &offsets, error);
    return status == TM_ERROR_DAMAGED ? TM_OK : status; /* damaged layers are left alone */
}

tm_status tmi_envelope_scale(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tm_envelope *envelope = &edit->map->envelopes[address->index];
    int32_t index = (int32_t)address->index;
    if (edit->values[0].x == edit->values[0].y || envelope->num_points == 0)
        return TM_OK;
    TM_TRY(tmi_envelope_own(edit->map, envelope, error));
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        tm_envelope_point *point = &envelope->points[i];
        TM_TRY(scale_time(&point->time, edit, error));
        for (int c = 0; c < 4; c++) {
            TM_TRY(scale_time(&point->in_dx[c], edit, error));
            TM_TRY(scale_time(&point->out_dx[c], edit, error));
        }
    }
    tmi_edit_changed(edit, *address, envelope->num_points, "runs %.60s times as long", edit->values[0].text);
    return tmi_edit_each_of_map(edit, TM_KIND_LAYER, scale_uses, &index, error);
}

tm_status tmi_envelope_sync(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    (void)error;
    tm_envelope *envelope = &edit->map->envelopes[address->index];
    const bool wanted = edit->values[0].number == 0;
    if (envelope->synchronized == wanted)
        return TM_OK;
    envelope->synchronized = wanted;
    tmi_edit_changed(edit, *address, 1, "%s", wanted ? "synchronized" : "no longer synchronized");
    return TM_OK;
}
