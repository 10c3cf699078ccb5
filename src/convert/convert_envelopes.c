/* SPDX-License-Identifier: Zlib */
/*
 * Converts envelopes. The model has bezier curves for all games; saving chooses their form in the file. For a
 * game without them, straight lines follow the curve. Parts of a point that no game reads, which Teeworlds
 * 0.7 filled with random memory, become 0.
 */
#include "convert.h"
#include "../games/games.h"

#include <math.h>

enum {
    MAX_PARTS = 256, /* straight lines for one curve */
    PROBES = 4       /* places between two ends of a line where the curve is compared with it */
};

/* --------------------------------------------------------------------------------- one curve into lines */

/* A curve is an envelope of two points here, the first at time 0. Its values in fx, exact at both ends. */
static void curve_values(const tm_envelope *curve, double time, double values[4])
{
    const int32_t length = curve->points[1].time;
    for (int c = 0; c < 4; c++)
        values[c] = curve->points[time >= length].values[c] / (double)TM_FX;
    if (time > 0 && time < length)
        tm_envelope_evaluate(curve, time, 4, values);
    for (int c = 0; c < 4; c++)
        values[c] *= TM_FX;
}

/* The time in whole ms at which line `part` of `parts` lines of equal length begins. */
static int32_t part_time(const tm_envelope *curve, uint32_t part, uint32_t parts)
{
    return (int32_t)((int64_t)curve->points[1].time * part / parts);
}

/* The largest distance between the curve and `parts` lines that follow it. */
static double lines_error(const tm_envelope *curve, uint32_t parts)
{
    double most = 0;
    for (uint32_t p = 0; p < parts; p++) {
        double from[4], to[4], values[4];
        const double start = part_time(curve, p, parts), end = part_time(curve, p + 1, parts);
        curve_values(curve, start, from);
        curve_values(curve, end, to);
        for (int k = 1; k <= PROBES; k++) {
            const double share = (double)k / (PROBES + 1);
            curve_values(curve, start + (end - start) * share, values);
            for (int c = 0; c < 4; c++)
                most = fmax(most, fabs(values[c] - (from[c] + (to[c] - from[c]) * share)));
        }
    }
    return most;
}

/* ------------------------------------------------------------------------------------------ one envelope */

/* The new points of an envelope, and how many curves became how many lines. */
typedef struct straightened {
    tm_envelope_point *points;
    size_t num, capacity;
    uint32_t curves, lines;
    double error; /* fx */
} straightened;

static tm_status straighten_points(straightened *out, const tm_allocator *allocator,
                                   const tm_envelope *envelope, tm_error *error)
{
    /* How far a line may be off in each channel, fx: a quarter of a px or degree; half of a 255th. */
    const double tolerance = envelope->channels == TM_ENVELOPE_POSITION ? TM_FX / 4.0 : TM_FX / 510.0;
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        const tm_envelope_point *point = &envelope->points[i];
        const int64_t length = i + 1 < envelope->num_points ? (int64_t)point[1].time - point->time : 0;
        if (point->curve != TM_CURVE_BEZIER || length <= 0 || length > INT32_MAX) {
            TM_TRY(
                tmi_grow(allocator, &out->points, &out->capacity, out->num + 1, sizeof(*out->points), error));
            tm_envelope_point *equal = &out->points[out->num++];
            *equal = (tm_envelope_point){.time = point->time, .curve = point->curve};
            memcpy(equal->values, point->values, sizeof(point->values));
            if (equal->curve == TM_CURVE_BEZIER)
                equal->curve = TM_CURVE_LINEAR;
            continue;
        }
        tm_envelope_point ends[2] = {point[0], point[1]};
        ends[0].time = 0;
        ends[1].time = (int32_t)length;
        const tm_envelope curve = {.channels = 4, .points = ends, .num_points = 2};
        uint32_t parts = 1; /* the smallest power of two of lines that are near enough to the curve */
        double off = lines_error(&curve, parts);
        while (off > tolerance && parts < MAX_PARTS && parts * 2 <= length) {
            parts *= 2;
            off = lines_error(&curve, parts);
        }
        TM_TRY(
            tmi_grow(allocator, &out->points, &out->capacity, out->num + parts, sizeof(*out->points), error));
        for (uint32_t p = 0; p < parts; p++) {
            double values[4];
            const int32_t time = part_time(&curve, p, parts);
            tm_envelope_point *line = &out->points[out->num++];
            curve_values(&curve, time, values);
            *line = (tm_envelope_point){.time = point->time + time, .curve = TM_CURVE_LINEAR};
            for (int c = 0; c < 4; c++)
                line->values[c] = (int32_t)fmin(fmax(floor(values[c] + 0.5), INT32_MIN), INT32_MAX);
        }
        out->curves++;
        out->lines += parts;
        out->error = fmax(out->error, off);
    }
    return TM_OK;
}

static tm_status straighten(tmi_convert *convert, uint32_t index, tm_error *error)
{
    static const tm_envelope_point empty;
    const tm_allocator *allocator = tmi_map_allocator(convert->map);
    const tm_envelope *envelope = &convert->map->envelopes[index];
    const tm_address address = {TM_KIND_ENVELOPE, index, 0};
    straightened lines = {NULL, 0, 0, 0, 0, 0};
    bool has_parts = false; /* of curves */
    for (uint32_t i = 0; i < envelope->num_points && !has_parts; i++) {
        const tm_envelope_point *point = &envelope->points[i];
        has_parts =
            point->curve == TM_CURVE_BEZIER ||
            memcmp(point->in_dx, empty.in_dx, sizeof(empty) - offsetof(tm_envelope_point, in_dx)) != 0;
    }
    if (!has_parts)
        return TM_OK;
    tm_status status = straighten_points(&lines, allocator, envelope, error);
    if (!status && lines.num > UINT32_MAX)
        status = tmi_fail(error, TM_ERROR_LIMIT, -1, "the envelope gets too many points");
    if (!status && lines.curves == 0)
        tmi_convert_changed(convert, address, 1, "tangents that bend no curve are left out");
    else if (!status)
        tmi_convert_lose(convert, TM_FINDING_LOST_CURVE, address, lines.curves,
                         "%s %s: %u of them, now %u straight lines, which are off by %.3f at most",
                         tm_game_name(convert->to), tmi_game_part(TM_PART_CURVES)->text,
                         (unsigned)lines.curves, (unsigned)lines.lines, lines.error / TM_FX);
    if (!status)
        status = tm_map_set_points(convert->map, index, lines.points, (uint32_t)lines.num, error);
    tmi_free(allocator, lines.points, lines.capacity, sizeof(*lines.points));
    return status;
}

tm_status tmi_convert_envelopes(tmi_convert *convert, tm_error *error)
{
    /* Teeworlds reads the first point of every envelope that is used. */
    for (uint32_t i = convert->to == TM_GAME_DDNET ? 0 : convert->map->num_envelopes; i-- > 0;) {
        if (convert->map->envelopes[i].num_points)
            continue;
        tmi_convert_changed(convert, (tm_address){TM_KIND_ENVELOPE, i, 0}, 1,
                            "removed: it has no points, which does nothing in DDNet and breaks Teeworlds");
        TM_TRY(tm_map_remove(convert->map, TM_KIND_ENVELOPE, i, error));
    }
    for (uint32_t i = 0; i < convert->map->num_envelopes; i++) {
        tm_envelope *envelope = &convert->map->envelopes[i];
        const tm_address address = {TM_KIND_ENVELOPE, i, 0};
        uint64_t count = 0; /* points with values in channels that the envelope does not have */
        for (uint32_t p = 0; envelope->channels >= 1 && p < envelope->num_points; p++) {
            const tm_envelope_point *old = &envelope->points[p];
            int32_t any = 0;
            for (int c = envelope->channels; c < 4; c++)
                any |= old->values[c] | old->in_dx[c] | old->in_dy[c] | old->out_dx[c] | old->out_dy[c];
            if (!any)
                continue;
            TM_TRY(tmi_envelope_own(convert->map, envelope, error));
            tm_envelope_point *point = &envelope->points[p];
            for (int c = envelope->channels; c < 4; c++) {
                point->values[c] = 0;
                point->in_dx[c] = point->in_dy[c] = 0;
                point->out_dx[c] = point->out_dy[c] = 0;
            }
            count++;
        }
        if (count)
            tmi_convert_changed(convert, address, count,
                                "values of channels that the envelope does not have are now 0");
        if (!tmi_game_holds(convert->to, TM_PART_CURVES))
            TM_TRY(straighten(convert, i, error));
        if (convert->to == TM_GAME_DDNET && convert->from != TM_GAME_DDNET && !envelope->synchronized)
            tmi_convert_report(convert, TM_FINDING_PLAYS_DIFFERENTLY, address,
                               "the envelope is not synchronized; DDNet plays it as if it were");
    }
    return TM_OK;
}
