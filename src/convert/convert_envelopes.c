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

/* A curve between two points, beginning at time 0. */
typedef struct curve {
    tm_envelope_point ends[2];
    tm_envelope alone; /* an envelope of just these */
    int32_t start, length;
} curve;

static bool take_curve(curve *out, const tm_envelope *envelope, uint32_t at)
{
    const int64_t length = (int64_t)envelope->points[at + 1].time - envelope->points[at].time;
    if (length <= 0 || length > INT32_MAX)
        return false;
    out->start = envelope->points[at].time;
    out->length = (int32_t)length;
    out->ends[0] = envelope->points[at];
    out->ends[1] = envelope->points[at + 1];
    out->ends[0].time = 0;
    out->ends[1].time = out->length;
    out->alone = (tm_envelope){.channels = 4, .points = out->ends, .num_points = 2};
    return true;
}

/* The curve's values in fx, exact at both ends. */
static void curve_values(const curve *of, double time, double values[4])
{
    for (int c = 0; c < 4; c++)
        values[c] = of->ends[time >= of->length].values[c] / (double)TM_FX;
    if (time > 0 && time < of->length)
        tm_envelope_evaluate(&of->alone, time, 4, values);
    for (int c = 0; c < 4; c++)
        values[c] *= TM_FX;
}

/* The time in whole ms at which line `part` of `parts` lines of equal length begins. */
static int32_t part_time(const curve *of, uint32_t part, uint32_t parts)
{
    return (int32_t)((int64_t)of->length * part / parts);
}

/* The largest distance between the curve and `parts` lines that follow it. */
static double lines_error(const curve *of, uint32_t parts)
{
    double most = 0;
    for (uint32_t p = 0; p < parts; p++) {
        double from[4], to[4], values[4];
        const double start = part_time(of, p, parts), end = part_time(of, p + 1, parts);
        curve_values(of, start, from);
        curve_values(of, end, to);
        for (int k = 1; k <= PROBES; k++) {
            const double share = (double)k / (PROBES + 1);
            curve_values(of, start + (end - start) * share, values);
            for (int c = 0; c < 4; c++)
                most = fmax(most, fabs(values[c] - (from[c] + (to[c] - from[c]) * share)));
        }
    }
    return most;
}

/* The smallest power of two of lines that are as near to the curve as allowed. */
static uint32_t choose_parts(const curve *of, double allowed)
{
    uint32_t parts = 1;
    while (parts < MAX_PARTS && parts * 2 <= (uint32_t)of->length && lines_error(of, parts) > allowed)
        parts *= 2;
    return parts;
}

static int32_t rounded(double value)
{
    const double whole = floor(value + 0.5);
    return whole <= INT32_MIN ? INT32_MIN : whole >= INT32_MAX ? INT32_MAX : (int32_t)whole;
}

static void put_lines(tm_envelope_point *out, const curve *of, uint32_t parts)
{
    for (uint32_t p = 0; p < parts; p++) {
        double values[4];
        const int32_t time = part_time(of, p, parts);
        curve_values(of, time, values);
        memset(&out[p], 0, sizeof(out[p]));
        out[p].time = of->start + time;
        out[p].curve = TM_CURVE_LINEAR;
        for (int c = 0; c < 4; c++)
            out[p].values[c] = rounded(values[c]);
    }
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
        curve of;
        const bool bends = envelope->points[i].curve == TM_CURVE_BEZIER && i + 1 < envelope->num_points &&
                           take_curve(&of, envelope, i);
        const uint32_t parts = bends ? choose_parts(&of, tolerance) : 1;
        TM_TRY(
            tmi_grow(allocator, &out->points, &out->capacity, out->num + parts, sizeof(*out->points), error));
        if (bends) {
            put_lines(&out->points[out->num], &of, parts);
            out->curves++;
            out->lines += parts;
            out->error = fmax(out->error, lines_error(&of, parts));
        } else {
            const tm_envelope_point *point = &envelope->points[i];
            out->points[out->num] = (tm_envelope_point){.time = point->time, .curve = point->curve};
            memcpy(out->points[out->num].values, point->values, sizeof(point->values));
        }
        if (out->points[out->num].curve == TM_CURVE_BEZIER)
            out->points[out->num].curve = TM_CURVE_LINEAR;
        out->num += parts;
    }
    return TM_OK;
}

static bool has_curve_parts(const tm_envelope *envelope)
{
    static const tm_envelope_point none;
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        const tm_envelope_point *point = &envelope->points[i];
        if (point->curve == TM_CURVE_BEZIER ||
            memcmp(point->in_dx, none.in_dx, sizeof(none) - offsetof(tm_envelope_point, in_dx)) != 0)
            return true;
    }
    return false;
}

static void report_lines(tmi_convert *convert, uint32_t index, const straightened *lines)
{
    const tm_address at = tmi_convert_at(TM_ADDRESS_ENVELOPE, index, 0);
    if (lines->curves == 0)
        tmi_convert_changed(convert, at, 1, "tangents that bend no curve are left out");
    else
        tmi_convert_lose(convert, TM_FINDING_LOST_CURVE, at, lines->curves,
                         "%s %s: %u of them, now %u straight lines, which are off by %.3f at most",
                         tmi_convert_target(convert), tmi_game_part(TM_PART_CURVES)->text,
                         (unsigned)lines->curves, (unsigned)lines->lines, lines->error / TM_FX);
}

static tm_status straighten(tmi_convert *convert, uint32_t index, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(convert->map);
    const tm_envelope *envelope = &convert->map->envelopes[index];
    straightened lines = {NULL, 0, 0, 0, 0, 0};
    if (!has_curve_parts(envelope))
        return TM_OK;
    tm_status status = straighten_points(&lines, allocator, envelope, error);
    if (!status && lines.num > UINT32_MAX)
        status = tmi_fail(error, TM_ERROR_LIMIT, -1, "the envelope gets too many points");
    if (!status) {
        report_lines(convert, index, &lines);
        status = tm_map_set_points(convert->map, index, lines.points, (uint32_t)lines.num, error);
    }
    tmi_free(allocator, lines.points, lines.capacity, sizeof(*lines.points));
    return status;
}

/* ------------------------------------------------------------------------------------- what nobody reads */

/* Clears a channel of a point; returns whether it was not 0. */
static bool clear_channel(tm_envelope_point *point, int channel)
{
    int32_t *const places[] = {&point->values[channel], &point->in_dx[channel], &point->in_dy[channel],
                               &point->out_dx[channel], &point->out_dy[channel]};
    int32_t any = 0;
    for (size_t i = 0; i < TMI_COUNT_OF(places); i++) {
        any |= *places[i];
        *places[i] = 0;
    }
    return any != 0;
}

/* Clears the channels that an envelope does not have. */
static void clear_channels(tmi_convert *convert, uint32_t index)
{
    const tm_envelope *envelope = &convert->map->envelopes[index];
    uint64_t count = 0;
    if (envelope->channels < 1 || envelope->channels > 3)
        return;
    for (uint32_t i = 0; i < envelope->num_points; i++) {
        bool any = false;
        for (int c = envelope->channels; c < 4; c++)
            any |= clear_channel(&envelope->points[i], c);
        count += any;
    }
    if (count)
        tmi_convert_changed(convert, tmi_convert_at(TM_ADDRESS_ENVELOPE, index, 0), count,
                            "values of channels that the envelope does not have are now 0");
}

/* Removes envelopes without points: Teeworlds reads the first point of every envelope that is used. */
static tm_status drop_empty(tmi_convert *convert, tm_error *error)
{
    for (uint32_t i = convert->map->num_envelopes; i-- > 0;) {
        if (convert->map->envelopes[i].num_points)
            continue;
        tmi_convert_changed(convert, tmi_convert_at(TM_ADDRESS_ENVELOPE, i, 0), 1,
                            "removed: it has no points, which does nothing in DDNet and breaks Teeworlds");
        TM_TRY(tm_map_remove(convert->map, TM_OBJECT_ENVELOPE, i, error));
    }
    return TM_OK;
}

tm_status tmi_convert_envelopes(tmi_convert *convert, tm_error *error)
{
    if (tmi_to_vanilla(convert))
        TM_TRY(drop_empty(convert, error));
    for (uint32_t i = 0; i < convert->map->num_envelopes; i++) {
        clear_channels(convert, i);
        if (!tmi_game_holds(convert->to, TM_PART_CURVES))
            TM_TRY(straighten(convert, i, error));
        if (convert->to == TM_GAME_DDNET && convert->from != TM_GAME_DDNET &&
            !convert->map->envelopes[i].synchronized)
            tmi_convert_find(convert, TM_FINDING_PLAYS_DIFFERENTLY, tmi_convert_at(TM_ADDRESS_ENVELOPE, i, 0),
                             "the envelope is not synchronized; DDNet plays it as if it were");
    }
    return TM_OK;
}
