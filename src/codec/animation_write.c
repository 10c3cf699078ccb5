/* SPDX-License-Identifier: Zlib */
/*
 * Animations by many threads: some frames at a time are drawn and converted in parallel, marked one after
 * the other, packed in parallel, and put into the file one after the other. What is packed does not depend
 * on how many are worked on at a time.
 */
#include "animation.h"

#include <teemap/jobs.h>

enum {
    MAX_FRAMES = 32,  /* at a time */
    COPIES = 4,       /* of a frame while it is worked on: pixels, what packs them, and what comes out */
    NUM_LEARNED = 24, /* frames that tell the colors */
    NUM_RUNS = 4,
    RUN_FRAMES = 4, /* of an estimate */
    NUM_SAMPLES = NUM_RUNS * RUN_FRAMES
};

typedef struct frame_work {
    tm_animation *animation;
    const tm_frames *frames;
    tm_job job; /* without progress */
    const tm_job *told;
    uint32_t *numbers; /* of the frames that are drawn, by their place in the animation; NULL: the same */
    uint64_t *sizes;   /* packed, of each frame; NULL: nobody asks */
    tmi_frame list[MAX_FRAMES];
    uint32_t room; /* frames at a time */
    uint32_t first, num;
    bool learning;
} frame_work;

static size_t frame_size(const frame_work *w)
{
    return (size_t)w->frames->width * 4 * w->frames->height;
}

static tm_status draw_one(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const frame_work *w = ctx;
    const tm_animation *a = w->animation;
    tmi_frame *frame = &((frame_work *)ctx)->list[index];
    const uint32_t place = w->first + index;
    (void)worker;
    (void)stop;
    TM_TRY(w->frames->draw(w->frames->ctx, w->numbers ? w->numbers[place] : place, frame->pixels,
                           (size_t)w->frames->width * 4, error));
    if (a->kind->convert && !w->learning)
        a->kind->convert(a->state, frame);
    return TM_OK;
}

static tm_status pack_frame(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    frame_work *w = ctx;
    tmi_frame *frame = &w->list[index];
    (void)stop;
    frame->packed.size = 0;
    return w->animation->kind->pack(w->animation->state, worker, w->first + index, frame, error);
}

static void release_packer(void *ctx, void *worker)
{
    const frame_work *w = ctx;
    w->animation->kind->worker_release(worker);
}

/* The frames at hand, side by side. */
static tm_status side_by_side(frame_work *w, bool pack, tm_error *error)
{
    const tm_animation *a = w->animation;
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = a->plan.options.allocator,
                             .ctx = w,
                             .num = w->num,
                             .work = pack ? pack_frame : draw_one,
                             .worker_size = pack ? a->kind->worker_size : 0,
                             .worker_release = pack && a->kind->worker_release ? release_packer : NULL};
    return tm_tasks_run(&pieces, &w->job, error);
}

static tm_status do_some(frame_work *w, tm_error *error)
{
    const tm_animation *a = w->animation;
    TM_TRY(side_by_side(w, false, error));
    for (uint32_t i = 0; a->kind->mark && i < w->num; i++)
        a->kind->mark(a->state, w->first + i, &w->list[i]);
    if (a->kind->mark)
        TM_TRY(side_by_side(w, true, error));
    for (uint32_t i = 0; i < w->num; i++) {
        TM_TRY(a->kind->put(a->state, w->first + i, &w->list[i], error));
        if (w->sizes)
            w->sizes[w->first + i] = w->list[i].packed.size;
    }
    return TM_OK;
}

static tm_status do_all(frame_work *w, tm_error *error)
{
    const uint32_t num = w->animation->plan.num_frames;
    for (w->first = 0; w->first < num; w->first += w->num) {
        w->num = num - w->first < w->room ? num - w->first : w->room;
        TM_TRY(do_some(w, error));
        w->animation->num_done = w->first + w->num;
        if (w->told && w->told->progress)
            w->told->progress(w->told->progress_ctx, w->animation->num_done, num);
    }
    return TM_OK;
}

/* Colors of frames from all over the animation, before the first one is packed. */
static tm_status learn(frame_work *w, tm_error *error)
{
    const tm_animation *a = w->animation;
    const uint32_t num = a->plan.num_frames, samples = num < NUM_LEARNED ? num : NUM_LEARNED;
    uint32_t numbers[NUM_LEARNED], *outer = w->numbers;
    if (!a->kind->learn)
        return TM_OK;
    for (uint32_t i = 0; i < samples; i++) {
        const uint32_t place = (uint32_t)((uint64_t)num * i / samples);
        numbers[i] = outer ? outer[place] : place;
    }
    w->numbers = numbers;
    w->learning = true;
    tm_status status = TM_OK;
    for (w->first = 0; w->first < samples && !status; w->first += w->num) {
        w->num = samples - w->first < w->room ? samples - w->first : w->room;
        status = side_by_side(w, false, error);
        for (uint32_t i = 0; i < w->num && !status; i++)
            a->kind->learn(a->state, w->list[i].pixels);
    }
    w->learning = false;
    w->numbers = outer;
    return status ? status : a->kind->learned(a->state, error);
}

static tm_status make_room(frame_work *w, tm_error *error)
{
    const tm_allocator *allocator = w->animation->plan.options.allocator;
    const uint64_t standard = (uint64_t)1 << 30,
                   memory = w->job.memory_budget ? w->job.memory_budget : standard,
                   fitting = memory / COPIES / (frame_size(w) + 1);
    const uint32_t num = w->animation->plan.num_frames;
    w->room = fitting < 1 ? 1 : fitting > MAX_FRAMES ? MAX_FRAMES : (uint32_t)fitting;
    w->room = w->room > num ? num : w->room;
    for (uint32_t i = 0; i < w->room; i++) {
        w->list[i].packed.allocator = allocator;
        TM_TRY(tmi_reserve(&w->list[i].pixels, allocator, frame_size(w), 1, "a frame", error));
    }
    return TM_OK;
}

static void drop_room(frame_work *w)
{
    for (uint32_t i = 0; i < w->room; i++) {
        if (w->list[i].pixels)
            tmi_free(w->animation->plan.options.allocator, w->list[i].pixels, frame_size(w), 1);
        tm_buffer_release(&w->list[i].packed);
    }
}

static tm_status take_frames(tm_frames *out, const tm_frames *frames, tm_error *error)
{
    TM_TRY(tmi_need(frames, "frames", error));
    TM_TRY(tmi_options_take(out, sizeof(*out), frames, "tm_frames", error));
    return out->draw ? TM_OK : tmi_fail(error, TM_ERROR_USAGE, -1, "frames.draw is NULL");
}

/* Some frames of an animation, to be packed for an estimate. */
typedef struct samples {
    uint32_t numbers[NUM_SAMPLES]; /* by their place */
    uint64_t sizes[NUM_SAMPLES];   /* packed */
} samples;

/* Draws and packs all frames, or some, and what comes after the last one. */
static tm_status run(const tm_output *output, const tm_frames *frames, samples *some,
                     const tm_animation_options *options, const tm_job *job, tm_error *error)
{
    frame_work *w;
    tm_animation *animation;
    tm_job how;
    TM_TRY(tmi_job_take(&how, job, error));
    TM_TRY(tmi_animation_new(&animation, output, frames, options, true, error));
    const tm_allocator *allocator = animation->plan.options.allocator;
    w = tmi_calloc(allocator, 1, sizeof(*w));
    if (!w) {
        tm_animation_free(animation);
        return tmi_fail_memory(error, sizeof(*w), "frames");
    }
    w->animation = animation;
    w->frames = frames;
    w->job = how;
    w->job.progress = NULL;
    w->told = some ? NULL : &how;
    w->numbers = some ? some->numbers : NULL;
    w->sizes = some ? some->sizes : NULL;
    tm_status status = make_room(w, error);
    status = status ? status : learn(w, error);
    status = status ? status : do_all(w, error);
    drop_room(w);
    tmi_free(allocator, w, 1, sizeof(*w));
    if (!status)
        return tm_animation_finish(animation, error);
    tm_animation_free(animation);
    return status;
}

tm_status tm_animation_write(const tm_output *output, const tm_frames *frames,
                             const tm_animation_options *options, const tm_job *job, tm_error *error)
{
    tm_frames from;
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(take_frames(&from, frames, error));
    return run(output, &from, NULL, options, job, error);
}

/* ----------------------------------------------------------------------------------------------- estimate */

static tm_status count_bytes(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    uint64_t *sum = ctx;
    (void)bytes;
    (void)error;
    *sum += size;
    return TM_OK;
}

tm_status tm_animation_estimate(uint64_t *bytes, const tm_frames *frames, const tm_animation_options *options,
                                const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(bytes, "bytes", error));
    *bytes = 0;
    tm_frames from;
    TM_TRY(take_frames(&from, frames, error));
    uint64_t sum = 0, changes = 0;
    samples some = {{0}, {0}};
    const tm_output counted = {&sum, count_bytes, NULL};
    const uint32_t num = from.num;
    if (num <= NUM_SAMPLES) {
        TM_TRY(run(&counted, &from, NULL, options, job, error));
        *bytes = sum;
        return TM_OK;
    }
    /* A few short runs of frames: the first one of all is whole, those behind another one are changes. */
    for (uint32_t i = 0; i < NUM_SAMPLES; i++)
        some.numbers[i] =
            (uint32_t)((uint64_t)(num - RUN_FRAMES) * (i / RUN_FRAMES) / (NUM_RUNS - 1)) + i % RUN_FRAMES;
    from.num = NUM_SAMPLES;
    from.duration = from.duration / num * from.num;
    TM_TRY(run(&counted, &from, &some, options, job, error));
    for (uint32_t i = 0; i < NUM_SAMPLES; i++)
        changes += i % RUN_FRAMES ? some.sizes[i] : 0;
    *bytes = some.sizes[0] ? some.sizes[0] + changes * (num - 1) / (NUM_SAMPLES - NUM_RUNS)
                           : sum / NUM_SAMPLES * num; /* raw: nothing is packed */
    return TM_OK;
}
