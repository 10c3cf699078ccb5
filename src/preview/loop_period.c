/* SPDX-License-Identifier: Zlib */
/*
 * loop_period.c - the envelopes that a map uses, how they move, and their common period. An envelope repeats
 * after the time of its last point; time offsets do not matter. It does not know pixels.
 */
#include "loop.h"

/* ------------------------------------------------------------------------------------------- what is seen */

static void see(bool *seen, const tm_map *map, int32_t envelope)
{
    if (tm_map_envelope(map, envelope))
        seen[envelope] = true;
}

static tm_status see_quads(bool *seen, const tm_map *map, const tm_quad_layer *layer, tm_error *error)
{
    const void *bytes;
    uint64_t size;
    tm_error own;
    const tm_status status = tm_map_data(&bytes, &size, map, layer->quads, &own);
    if (status || !bytes)
        return tmi_past_damage(status, &own, error); /* it is not drawn either */
    const tm_quad *quads = bytes;
    for (uint32_t i = 0; i < layer->num_quads && (i + (uint64_t)1) * sizeof(*quads) <= size; i++) {
        see(seen, map, quads[i].position_envelope);
        see(seen, map, quads[i].color_envelope);
    }
    return TM_OK;
}

tm_status tmi_preview_envelopes(bool *seen, const tm_map *map, bool no_detail, const float *opacities,
                                tm_error *error)
{
    TM_TRY(tmi_need(seen, "seen", error));
    tm_layer_walk at = {0};
    tm_status status = TM_OK;
    TM_TRY(tmi_need(map, "map", error));
    memset(seen, 0, map->num_envelopes * sizeof(*seen));
    while (!status && tm_map_next_layer(map, &at)) {
        const tm_layer *layer = at.layer;
        if ((layer->detail && no_detail) || (opacities && !(opacities[at.number] > 0)))
            continue;
        if (layer->kind == TM_LAYER_TILES)
            see(seen, map, layer->as.tiles.color_envelope);
        else if (layer->kind == TM_LAYER_QUADS)
            status = see_quads(seen, map, &layer->as.quads, error);
    }
    if (status)
        memset(seen, 0, map->num_envelopes * sizeof(*seen));
    return status;
}

/* ------------------------------------------------------------------------------------------------- period */

/* How far a channel goes on the way to the next point: a bezier curve stays within its four points. */
static void stretch(tmi_motion *motion, const tm_envelope_point *from, const tm_envelope_point *to,
                    uint32_t c)
{
    double reach[4] = {from->values[c], to->values[c], from->values[c], to->values[c]};
    if (from->curve == TM_CURVE_BEZIER) {
        reach[2] += from->out_dy[c];
        reach[3] += to->in_dy[c];
    }
    for (int i = 0; i < 4; i++) {
        const double value = reach[i] / TM_FX;
        motion->low[c] = value < motion->low[c] ? value : motion->low[c];
        motion->high[c] = value > motion->high[c] ? value : motion->high[c];
    }
}

tmi_motion tmi_motion_of(const tm_envelope *envelope)
{
    tmi_motion motion = {.period = 0};
    bool moves = false;
    if (envelope->num_points == 0)
        return motion;
    motion.channels = envelope->channels < 0 ? 0 : envelope->channels < 4 ? (uint32_t)envelope->channels : 4;
    for (uint32_t c = 0; c < motion.channels; c++)
        motion.low[c] = motion.high[c] = (double)envelope->points[0].values[c] / TM_FX;
    for (uint32_t i = 1; i < envelope->num_points; i++) {
        const tm_envelope_point *from = &envelope->points[i - 1], *to = &envelope->points[i];
        for (uint32_t c = 0; c < motion.channels; c++)
            stretch(&motion, from, to, c);
        moves |= memcmp(from->values, to->values, sizeof(from->values)) != 0;
        moves |= from->curve == TM_CURVE_BEZIER; /* its tangents may lead away and back */
    }
    const int32_t end = moves ? envelope->points[envelope->num_points - 1].time : 0;
    motion.period = end > 0 ? (uint64_t)end : 0;
    return motion;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint64_t tmi_common_multiple(uint64_t a, uint64_t b, uint64_t most)
{
    if (!a || !b)
        return a + b;
    const uint64_t factor = b / common_divisor(a, b);
    return a > most / factor ? most : a * factor;
}

tm_status tm_preview_period(uint64_t *out, const tm_map *map, bool no_detail, const float *opacities,
                            uint64_t most, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    uint64_t period = 0;
    *out = 0;
    TM_TRY(tmi_need(map, "map", error));
    const tm_allocator *allocator = tmi_map_allocator(map);
    const uint32_t num = map->num_envelopes;
    bool *seen;
    TM_TRY(tmi_reserve(&seen, allocator, num, sizeof(*seen), "a list of envelopes", error));
    const tm_status status = tmi_preview_envelopes(seen, map, no_detail, opacities, error);
    for (uint32_t i = 0; i < num && !status && period < most; i++)
        if (seen[i])
            period = tmi_common_multiple(period, tmi_motion_of(&map->envelopes[i]).period, most);
    tmi_free(allocator, seen, num, sizeof(*seen));
    *out = period < most ? period : most;
    return status;
}
