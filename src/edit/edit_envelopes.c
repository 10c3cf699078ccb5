/* SPDX-License-Identifier: Zlib */
/*
 * Work on whole envelopes: their time, their direction, their points.
 */
#include "edit_envelopes.h"

enum { MAX_SAMPLES = 1 << 16 }; /* points that resampling makes of one envelope */

static bool is_loop(const tmi_point_list *list)
{
    return list->num > 1 && list->points[list->num - 1].time > 0;
}

/* Sets the points if they differ from the old ones. */
static tm_status put_list(tmi_edit *edit, uint32_t index, const tmi_point_list *list, const char *what,
                          tm_error *error)
{
    const tm_envelope *envelope = &edit->map->envelopes[index];
    if (list->num > UINT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many points");
    if (list->num == envelope->num_points &&
        (list->num == 0 || memcmp(list->points, envelope->points, list->num * sizeof(*list->points)) == 0))
        return TM_OK;
    TM_TRY(tm_map_set_points(edit->map, index, list->points, (uint32_t)list->num, error));
    tmi_edit_changed(edit, tmi_edit_address(TM_ADDRESS_ENVELOPE, index, 0), list->num ? list->num : 1, "%s",
                     what);
    return TM_OK;
}

/* ------------------------------------------------------------------------------- points in another order */

tm_status tmi_envelope_sort(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    tmi_point_list list;
    TM_TRY(tmi_points_take(&list, edit->scratch, &edit->map->envelopes[at->index], error));
    return put_list(edit, at->index, &list, "points sorted, from time 0 on", error);
}

/* Makes a new list of one that begins at 0. */
typedef tm_status list_work(tmi_point_list *out, tmi_point_list *list, int32_t by, tm_error *error);

static tm_status make_list(tmi_edit *edit, uint32_t index, list_work *work, const char *what, tm_error *error)
{
    tmi_point_list list;
    TM_TRY(tmi_points_take(&list, edit->scratch, &edit->map->envelopes[index], error));
    tmi_point_list made = {.scratch = edit->scratch, .channels = list.channels};
    if (!is_loop(&list))
        return TM_OK;
    TM_TRY(tmi_points_begin(&list, error));
    TM_TRY(work(&made, &list, edit->values[0].x, error));
    return put_list(edit, index, &made, what, error);
}

tm_status tmi_envelope_shift(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    const tm_envelope *envelope = &edit->map->envelopes[at->index];
    const int32_t period = envelope->num_points ? envelope->points[envelope->num_points - 1].time : 0;
    if (period > 0 && edit->values[0].x % period == 0)
        return TM_OK;
    return make_list(edit, at->index, tmi_points_shift, "begins at another time of its loop", error);
}

static tm_status reverse_list(tmi_point_list *out, tmi_point_list *list, int32_t by, tm_error *error)
{
    (void)by;
    return tmi_points_reverse(out, list, error);
}

tm_status tmi_envelope_reverse(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    return make_list(edit, at->index, reverse_list, "runs backwards", error);
}

/* ----------------------------------------------------------------------------------------------- samples */

static int32_t stored(double value)
{
    value = value * TM_FX + (value < 0 ? -0.5 : 0.5);
    return value <= INT32_MIN ? INT32_MIN : value >= INT32_MAX ? INT32_MAX : (int32_t)value;
}

/* Straight lines between points at every so many ms; the last one stays, as the period ends with it. */
static void fill_samples(tm_envelope_point *points, uint32_t num, const tmi_point_list *list,
                         const tm_envelope *sorted, int32_t step)
{
    for (uint32_t i = 0; i < num; i++) {
        double values[4] = {0};
        tm_envelope_point *point = &points[i];
        memset(point, 0, sizeof(*point));
        point->curve = TM_CURVE_LINEAR;
        if (i + 1 == num) {
            point->time = list->points[list->num - 1].time;
            memcpy(point->values, list->points[list->num - 1].values, sizeof(point->values));
            break;
        }
        point->time = (int32_t)i * step;
        tm_envelope_evaluate(sorted, point->time, 4, values);
        for (int c = 0; c < 4; c++)
            point->values[c] = stored(values[c]);
    }
}

static tm_status sample_points(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    tm_envelope sorted = edit->map->envelopes[at->index];
    tmi_point_list list;
    TM_TRY(tmi_points_take(&list, edit->scratch, &sorted, error));
    if (!is_loop(&list))
        return TM_OK;
    const int32_t step = edit->values[0].x, period = list.points[list.num - 1].time;
    const uint32_t num = (uint32_t)((period - 1) / step + 2);
    tmi_point_list made = {.num = num};
    if (num > MAX_SAMPLES)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%u points are too many; %d are the most", (unsigned)num,
                        MAX_SAMPLES);
    TM_TRY(tmi_reserve(&made.points, edit->scratch, num, sizeof(*made.points), "points", error));
    sorted.points = list.points;
    sorted.num_points = (uint32_t)list.num;
    fill_samples(made.points, num, &list, &sorted, step);
    return put_list(edit, at->index, &made, "straight lines between points at equal times", error);
}

tm_status tmi_envelope_resample(tmi_edit *edit, tm_error *error)
{
    if (edit->values[0].x < 1)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%d ms between points: 1 is the least",
                        (int)edit->values[0].x);
    return tmi_edit_each(edit, TM_ADDRESS_ENVELOPE, sample_points, NULL, error);
}

/* ------------------------------------------------------------------------------------------------- scale */

/* value * factor, rounded; of all numbers of a tangent or a time. */
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

static tm_status scale_point(tm_envelope_point *point, const tmi_edit *edit, tm_error *error)
{
    TM_TRY(scale_time(&point->time, edit, error));
    for (int c = 0; c < 4; c++) {
        TM_TRY(scale_time(&point->in_dx[c], edit, error));
        TM_TRY(scale_time(&point->out_dx[c], edit, error));
    }
    return TM_OK;
}

/* Scales the time offsets of everything that uses the envelope, so that it stays in step. */
typedef struct offset_scaling {
    const tmi_edit *edit;
    int32_t envelope;
    bool changes;
} offset_scaling;

/* In the table of fields the time offset stands behind the reference to its envelope. */
static tm_status scale_offsets(offset_scaling *how, tm_owner owner, void *object, tm_error *error)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i + 1 < num; i++) {
        int32_t envelope, offset;
        memcpy(&envelope, (char *)object + fields[i].offset, sizeof(envelope));
        memcpy(&offset, (char *)object + fields[i + 1].offset, sizeof(offset));
        if (fields[i].type != TM_TYPE_REFERENCE || fields[i].refers != TM_OBJECT_ENVELOPE ||
            envelope != how->envelope || !offset)
            continue;
        const int32_t before = offset;
        TM_TRY(scale_time(&offset, how->edit, error));
        memcpy((char *)object + fields[i + 1].offset, &offset, sizeof(offset));
        how->changes |= offset != before;
    }
    return TM_OK;
}

static tm_status scale_elements(offset_scaling *how, tm_map *map, const tm_address *at, tm_error *error)
{
    const tm_owner owner = tm_owner_of_elements(map->groups[at->index].layers[at->layer].kind);
    tmi_edit_elements all;
    TM_TRY(tmi_edit_elements_get(&all, map, at, error));
    void *scaled;
    TM_TRY(tmi_reserve(&scaled, how->edit->scratch, all.num, all.size, "elements", error));
    if (all.num)
        memcpy(scaled, all.list, all.num * all.size);
    how->changes = false;
    for (uint32_t i = 0; i < all.num; i++)
        TM_TRY(scale_offsets(how, owner, (char *)scaled + i * all.size, error));
    return how->changes ? tmi_edit_elements_put(map, at, scaled, all.num, error) : TM_OK;
}

static tm_status scale_uses(tmi_edit *edit, uint32_t envelope, tm_error *error)
{
    offset_scaling how = {edit, (int32_t)envelope, false};
    tm_layer_walk at = {0};
    while (tm_map_next_layer(edit->map, &at)) {
        const tm_address address = tmi_edit_address(TM_ADDRESS_LAYER, at.group, at.index);
        tm_layer *layer = tmi_edit_layer_at(edit, &address);
        tm_status status = scale_offsets(&how, tm_owner_of_layer(layer->kind), layer, error);
        if (!status)
            status = scale_elements(&how, edit->map, &address, error);
        if (status != TM_ERROR_DAMAGED) /* what is damaged does not move */
            TM_TRY(tmi_fail_at_address(error, status, edit->map, address));
    }
    return TM_OK;
}

tm_status tmi_envelope_scale(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    tm_envelope *envelope = &edit->map->envelopes[at->index];
    if (edit->values[0].x == edit->values[0].y || envelope->num_points == 0)
        return TM_OK;
    for (uint32_t i = 0; i < envelope->num_points; i++)
        TM_TRY(scale_point(&envelope->points[i], edit, error));
    tmi_edit_changed(edit, *at, envelope->num_points, "runs %.60s times as long", edit->values[0].text);
    return scale_uses(edit, at->index, error);
}

/* ----------------------------------------------------------------------------------------- synchronized */

tm_status tmi_envelope_sync(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    (void)error;
    tm_envelope *envelope = &edit->map->envelopes[at->index];
    const bool wanted = edit->values[0].number == 0;
    if (envelope->synchronized == wanted)
        return TM_OK;
    envelope->synchronized = wanted;
    tmi_edit_changed(edit, *at, 1, "%s", wanted ? "synchronized" : "no longer synchronized");
    return TM_OK;
}
