/* SPDX-License-Identifier: Zlib */
/*
 * loop_find.c - the times of an animation: an exact loop if there is a short one, else the end at which the
 * picture is most similar to the first one, found by drawing small pictures at many times. An envelope
 * repeats after the time of its last point; time offsets do not matter.
 */
#include "loop.h"

#include <teemap/jobs.h>

#include <math.h>

/* ------------------------------------------------------------------------------------------- what is seen */

static void see(bool *seen, const tm_map *map, int32_t envelope)
{
    if (tm_map_envelope(map, envelope))
        seen[envelope] = true;
}

tm_status tmi_preview_envelopes(bool *seen, const tm_map *map, bool no_detail, const float *opacities,
                                tm_error *error)
{
    TM_TRY(tmi_need(seen, "seen", error));
    tm_layer_walk walk = {0};
    tm_status status = TM_OK;
    TM_TRY(tmi_need(map, "map", error));
    memset(seen, 0, map->num_envelopes * sizeof(*seen));
    while (!status && tm_map_next_layer(map, &walk)) {
        const tm_layer *layer = walk.layer;
        if ((layer->detail && no_detail) || (opacities && !(opacities[walk.number] > 0)))
            continue;
        if (layer->kind == TM_LAYER_TILES)
            see(seen, map, layer->as.tiles.color_envelope);
        if (layer->kind != TM_LAYER_QUADS)
            continue;
        const void *bytes;
        uint64_t size;
        tm_error failure;
        const tm_status read = tm_map_data(&bytes, &size, map, layer->as.quads.quads, &failure);
        status = tmi_past_damage(read, &failure, error); /* damaged quads are not drawn either */
        const tm_quad *quads = read ? NULL : bytes;
        const uint64_t held = quads ? size / sizeof(*quads) : 0;
        for (uint32_t i = 0; i < layer->as.quads.num_quads && i < held; i++) {
            see(seen, map, quads[i].position_envelope);
            see(seen, map, quads[i].color_envelope);
        }
    }
    if (status)
        memset(seen, 0, map->num_envelopes * sizeof(*seen));
    return status;
}

/* ------------------------------------------------------------------------------------------------- period */

static tmi_motion motion_of_envelope(const tm_envelope *envelope)
{
    tmi_motion motion = {.period = 0};
    bool moves = false;
    if (envelope->num_points == 0)
        return motion;
    motion.channels = envelope->channels < 0 ? 0 : envelope->channels < 4 ? (uint32_t)envelope->channels : 4;
    for (uint32_t c = 0; c < motion.channels; c++)
        motion.low[c] = motion.high[c] = (double)envelope->points[0].values[c] / TM_FX;
    for (uint32_t i = 1; i < envelope->num_points; i++) {
        const tm_envelope_point *point = &envelope->points[i - 1], *next_point = &envelope->points[i];
        const bool bezier = point->curve == TM_CURVE_BEZIER;
        for (uint32_t c = 0; c < motion.channels; c++) {
            /* A bezier curve stays within its four points. */
            const double reach[4] = {point->values[c], next_point->values[c],
                                     (double)point->values[c] + (bezier ? point->out_dy[c] : 0),
                                     (double)next_point->values[c] + (bezier ? next_point->in_dy[c] : 0)};
            for (int k = 0; k < 4; k++) {
                const double value = reach[k] / TM_FX;
                motion.low[c] = value < motion.low[c] ? value : motion.low[c];
                motion.high[c] = value > motion.high[c] ? value : motion.high[c];
            }
        }
        moves |= memcmp(point->values, next_point->values, sizeof(point->values)) != 0;
        moves |= bezier; /* its tangents may lead away and back */
    }
    const int32_t end = moves ? envelope->points[envelope->num_points - 1].time : 0;
    motion.period = end > 0 ? (uint64_t)end : 0;
    return motion;
}

/* The least common multiple of two numbers, at most `most`; of 0 and a number that number. */
static uint64_t common_multiple(uint64_t a, uint64_t b, uint64_t most)
{
    uint64_t divisor = a, rest = b;
    if (!a || !b)
        return a + b;
    while (rest) {
        const uint64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    const uint64_t factor = b / divisor;
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
            period = common_multiple(period, motion_of_envelope(&map->envelopes[i]).period, most);
    tmi_free(allocator, seen, num, sizeof(*seen));
    *out = period < most ? period : most;
    return status;
}

/* --------------------------------------------------------------------------------------- times of a loop */

enum {
    NUM_STEPS = 500,  /* ends that are tried at equal distances */
    NUM_PERIODS = 64, /* and after whole periods of single envelopes */
    NUM_FINER = 64,   /* and around the best one */
    NUM_TRIES = NUM_STEPS + NUM_PERIODS,
    NUM_DRAWN = NUM_TRIES + NUM_FINER + 2,
    SMALL_SIDE = 160, /* pixels */
    USUAL_MAX = 20000,
    USUAL_BACK = 8000 /* ms */
};

/* The ends to try, and by how much the picture at each one differs from the first picture. */
typedef struct loop_search {
    const tm_renderer *renderer;
    tm_camera camera; /* of small pictures */
    const uint8_t *first;
    size_t bytes; /* of a small picture */
    uint32_t num;
    double ends[NUM_TRIES]; /* ms after the start */
    double jumps[NUM_TRIES];
} loop_search;

const char *tm_preview_loop_name(tm_preview_loop_kind kind)
{
    static const char *const names[] = {"still", "exact", "near", "back", "cut"};
    return (size_t)kind < TMI_COUNT_OF(names) ? names[kind] : NULL;
}

double tm_preview_loop_time(const tm_preview_loop *loop, uint32_t index, uint32_t num)
{
    if (!loop || num == 0)
        return 0;
    const double at = loop->duration * index / num;
    return loop->start +
           (loop->kind == TM_PREVIEW_BACK && at > loop->duration / 2 ? loop->duration - at : at);
}

/* --------------------------------------------------------------------------------------- small pictures */

static tm_status draw_small(const loop_search *s, uint8_t *rgba, double time, tm_error *error)
{
    tm_camera camera = s->camera;
    camera.time = time;
    memset(rgba, 0, s->bytes);
    return tm_renderer_draw(s->renderer, &camera,
                            &(tm_rows){rgba, (size_t)camera.width * 4, 0, camera.height}, error);
}

/* A task: draws the small picture at one end and compares it with the first picture. */
static tm_status try_end(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    loop_search *s = ctx;
    const tm_allocator *allocator = s->renderer->allocator;
    (void)worker;
    (void)stop;
    uint8_t *rgba;
    TM_TRY(tmi_reserve(&rgba, allocator, s->bytes, 1, "a small picture", error));
    const tm_status status = draw_small(s, rgba, s->camera.time + s->ends[index], error);
    uint64_t sum = 0;
    for (size_t i = 0; i < s->bytes; i++) {
        const int32_t d = s->first[i] - rgba[i];
        sum += (uint64_t)((int64_t)d * d);
    }
    s->jumps[index] = sqrt((double)sum / (double)s->bytes);
    tmi_free(allocator, rgba, s->bytes, 1);
    return status;
}

/* ------------------------------------------------------------------------------------------------- search */

static tm_status try_ends(loop_search *s, const tm_job *job, tm_error *error)
{
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = s->renderer->allocator,
                             .ctx = s,
                             .num = s->num,
                             .work = try_end};
    return tm_tasks_run(&pieces, job, error);
}

/* The earliest end that is about as good as the best one. */
static uint32_t best_end(const loop_search *s)
{
    const double nearly = 1.05, unseen = 0.05;
    double least = s->jumps[0];
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 1; i < s->num; i++)
        least = fmin(least, s->jumps[i]);
    for (uint32_t i = 0; i < s->num; i++)
        if (s->jumps[i] <= least * nearly + unseen && (best == UINT32_MAX || s->ends[i] < s->ends[best]))
            best = i;
    return best == UINT32_MAX ? 0 : best;
}

static tm_status search_near(tm_preview_loop *out, loop_search *s, const tm_preview_loop_options *options,
                             uint8_t *first, tm_error *error)
{
    TM_TRY(draw_small(s, first, out->start, error));
    TM_TRY(try_ends(s, options->job, error));
    uint32_t best = best_end(s);
    out->duration = s->ends[best];
    out->jump = s->jumps[best];
    /* Around it, one step of the first search to each side. */
    const double step = options->most * 3 / 4 / NUM_STEPS;
    s->num = 0;
    for (uint32_t i = 0; i <= NUM_FINER; i++) {
        const double end = out->duration + step * (2.0 * i / NUM_FINER - 1);
        if (end <= options->most)
            s->ends[s->num++] = end;
    }
    TM_TRY(try_ends(s, options->job, error));
    best = best_end(s);
    if (s->jumps[best] < out->jump) {
        out->duration = s->ends[best];
        out->jump = s->jumps[best];
    }
    return TM_OK;
}

/* An animation whose times are looked for. */
typedef struct loop_work {
    const tm_renderer *renderer;
    const tm_camera *camera;
    const tm_preview_loop_options *options;
    bool *envelopes; /* which ones move something: out */
    tmi_motion *motions;
} loop_work;

static tm_status find_near(tm_preview_loop *out, const loop_work *work, tm_error *error)
{
    const tm_renderer *renderer = work->renderer;
    const double most = work->options->most;
    loop_search *s;
    TM_TRY(tmi_reserve_zeroed(&s, renderer->allocator, 1, sizeof(*s), "a search", error));
    s->renderer = renderer;
    s->camera = *work->camera;
    const uint32_t side = s->camera.width > s->camera.height ? s->camera.width : s->camera.height;
    if (side > SMALL_SIDE) {
        const double factor = (double)SMALL_SIDE / side;
        s->camera.width = (uint32_t)(s->camera.width * factor + 0.5);
        s->camera.height = (uint32_t)(s->camera.height * factor + 0.5);
        s->camera.width += s->camera.width == 0;
        s->camera.height += s->camera.height == 0;
        s->camera.scale = fmax(s->camera.scale * factor, 1e-6);
    }
    s->camera.time = out->start;
    s->camera.pixel_limit = tmi_pixel_limit(renderer, work->camera) / NUM_DRAWN + 1;
    s->bytes = (size_t)s->camera.width * s->camera.height * 4;
    for (; s->num < NUM_STEPS; s->num++)
        s->ends[s->num] = most / 4 + most * 3 / 4 * (s->num + 1) / NUM_STEPS;
    /* And ends after whole periods of the single envelopes, a few of each. */
    for (uint32_t i = 0; i < renderer->map->num_envelopes; i++) {
        const double period = work->envelopes[i] ? (double)work->motions[i].period : 0;
        double at = period > 0 ? floor(most / period) * period : 0;
        for (int few = 0; few < 4 && at > most / 4 && s->num < NUM_TRIES; few++) {
            s->ends[s->num++] = at;
            at -= period;
        }
    }
    uint8_t *first = tmi_alloc(renderer->allocator, s->bytes, 1);
    s->first = first;
    const tm_status status = first ? search_near(out, s, work->options, first, error)
                                   : tmi_fail_memory(error, s->bytes, "a small picture");
    tmi_free(renderer->allocator, first, s->bytes, 1);
    tmi_free(renderer->allocator, s, 1, sizeof(*s));
    out->kind = TM_PREVIEW_NEAR;
    return status;
}

/* ---------------------------------------------------------------------------------------------- decision */

static tm_status choose_loop(tm_preview_loop *out, const loop_work *work, tm_error *error)
{
    const tm_map *map = work->renderer->map;
    const tm_preview_loop_options *options = work->options;
    tmi_loop_seen seen = {.envelopes = work->envelopes};
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        work->motions[i] = motion_of_envelope(&map->envelopes[i]);
    TM_TRY(tmi_loop_look(&seen, work->renderer, work->camera, work->motions, error));
    *out = (tm_preview_loop){.start = work->camera->time};
    for (uint32_t i = 0; i < map->num_envelopes && out->period < UINT64_MAX; i++)
        if (work->envelopes[i])
            out->period = common_multiple(out->period, work->motions[i].period, UINT64_MAX);
    const double period = (double)out->period;
    if (options->duration > 0) {
        out->kind = options->back ? TM_PREVIEW_BACK : TM_PREVIEW_CUT;
        out->duration = options->duration;
    } else if (out->period == 0) {
        out->kind = TM_PREVIEW_STILL;
    } else if (options->back) {
        out->kind = TM_PREVIEW_BACK;
        out->duration = options->most < USUAL_BACK ? options->most : USUAL_BACK;
    } else if (period <= options->most) {
        out->kind = TM_PREVIEW_EXACT;
        out->duration = period;
        /* Objects that are behind, or a time before 0, stand still at first: the loop waits whole periods. */
        const double waits = -(out->start + (double)seen.least_offset);
        if (waits > 0)
            out->start += ceil(waits / period) * period;
    } else {
        return find_near(out, work, error);
    }
    return TM_OK;
}

tm_status tm_preview_find_loop(tm_preview_loop *out, const tm_renderer *renderer, const tm_camera *camera,
                               const tm_preview_loop_options *options, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_preview_loop){.kind = TM_PREVIEW_STILL};
    TM_TRY(tmi_need(renderer, "renderer", error));
    const double longest = 1e9;
    tm_preview_loop_options effective;
    tm_camera frame_camera;
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_preview_loop_options", error));
    if (!(effective.most >= 0 && effective.most <= longest))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "most is not from 0 to 1e9 ms");
    if (!(effective.duration >= 0 && effective.duration <= longest))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "duration is not from 0 to 1e9 ms");
    if (effective.most <= 0)
        effective.most = USUAL_MAX;
    TM_TRY(tmi_camera_take(&frame_camera, camera, error));
    loop_work work = {renderer, &frame_camera, &effective, NULL, NULL};
    const tm_allocator *allocator = renderer->allocator;
    const size_t num = (size_t)renderer->map->num_envelopes + 1;
    TM_TRY(tmi_reserve_zeroed(&work.envelopes, allocator, num, sizeof(*work.envelopes), "a list of envelopes",
                              error));
    tm_status status =
        tmi_reserve(&work.motions, allocator, num, sizeof(*work.motions), "a list of envelopes", error);
    if (!status)
        status = choose_loop(out, &work, error);
    tmi_free(allocator, work.motions, num, sizeof(*work.motions));
    tmi_free(allocator, work.envelopes, num, sizeof(*work.envelopes));
    if (status)
        *out = (tm_preview_loop){.kind = TM_PREVIEW_STILL};
    return status;
}
