/* SPDX-License-Identifier: Zlib */
/*
 * loop_period.c - which envelopes are to be seen in a map, and their common period. An envelope starts anew after
 * the time of its last point; how far an object is ahead of it does not matter.
 */
#include "loop_period.h"

#include "output/text.h"

#include <stdlib.h>
#include <string.h>

/* Whether it ever has another value. */
static bool moves(const tm_envelope *envelope)
{
    bool differ = false;
    for (uint32_t i = 1; i < envelope->num_points; i++) {
        const tm_envelope_point *from = &envelope->points[i - 1], *to = &envelope->points[i];
        differ |= memcmp(from->values, to->values, sizeof(from->values)) != 0;
        differ |= from->curve == TM_CURVE_BEZIER; /* its tangents may lead away and back */
    }
    return differ && envelope->points[envelope->num_points - 1].time > 0;
}

static void use(bool *used, const tm_map *map, int32_t envelope)
{
    if (tm_map_envelope(map, envelope))
        used[envelope] = true;
}

static tm_status use_quads(bool *used, const tm_map *map, const tm_quad_layer *layer, tm_error *error)
{
    const void *bytes;
    uint64_t size;
    tm_status status = tm_map_data(map, layer->quads, &bytes, &size, error);
    if (status || !bytes)
        return status == TM_ERROR_DAMAGED ? TM_OK : status; /* it is not drawn either */
    const tm_quad *quads = bytes;
    for (uint32_t i = 0; i < layer->num_quads && (i + 1) * sizeof(*quads) <= size; i++) {
        use(used, map, quads[i].position_envelope);
        use(used, map, quads[i].color_envelope);
    }
    return TM_OK;
}

static tm_status find_used(bool *used, const tm_map *map, bool no_detail, const float *opacities,
                           tm_error *error)
{
    tm_status status = TM_OK;
    size_t at = 0;
    for (uint32_t g = 0; !status && g < map->num_groups; g++) {
        for (uint32_t l = 0; !status && l < map->groups[g].num_layers; l++, at++) {
            const tm_layer *layer = &map->groups[g].layers[l];
            if ((layer->detail && no_detail) || (opacities && opacities[at] <= 0))
                continue;
            if (layer->kind == TM_LAYER_TILES)
                use(used, map, layer->as.tiles.color_envelope);
            else if (layer->kind == TM_LAYER_QUADS)
                status = use_quads(used, map, &layer->as.quads, error);
        }
    }
    return status;
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

tm_status loop_period(uint64_t *out, const tm_map *map, bool no_detail, const float *opacities, uint64_t most,
                      tm_error *error)
{
    bool *used = must_alloc(map->num_envelopes, sizeof(*used));
    tm_status status = find_used(used, map, no_detail, opacities, error);
    uint64_t period = 0;
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        const tm_envelope *envelope = &map->envelopes[i];
        if (used[i] && moves(envelope) && period < most) {
            const uint64_t own = (uint64_t)envelope->points[envelope->num_points - 1].time;
            period = period ? period / common_divisor(period, own) * own : own;
        }
    }
    free(used);
    *out = period < most ? period : most;
    return status;
}
