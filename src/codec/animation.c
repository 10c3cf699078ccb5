/* SPDX-License-Identifier: Zlib */
/*
 * Animations: checks what is asked for, and leaves the rest to a format (apng.c, gif.c, webp_animation.c, and
 * animation_frames.c for raw pixels). Some frames at a time are drawn and converted in parallel, marked one
 * after the other, packed in parallel, and put into the file one after the other. What is packed does not
 * depend on how many are worked on at a time; frames that a caller hands over come one by one.
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

/* Some frames of an animation, packed for an estimate. */
typedef struct samples {
    uint32_t numbers[NUM_SAMPLES]; /* which frames they are */
    uint64_t sizes[NUM_SAMPLES];   /* packed */
} samples;

struct tm_animation {
    tmi_animation_plan plan;
    const tmi_animation_kind *kind;
    void *state;
    uint32_t num_done;
    tmi_frame waiting; /* the last frame that differed, which is shown until another one does */
    uint32_t waiting_index;
    /* The frames at hand, of which there is room for so many. */
    tmi_frame list[MAX_FRAMES];
    uint32_t room, first, num;
    bool learning;           /* they are drawn for their colors alone */
    const tm_frames *frames; /* who draws them */
    const uint32_t *learned; /* the numbers of the frames that are learned from */
    samples *sample;         /* NULL: all frames */
    tm_job job;              /* the threads; without progress */
};

static const tmi_animation_kind *const kinds[] = {
    [TM_ANIMATION_APNG] = &tmi_apng,
    [TM_ANIMATION_WEBP] = &tmi_webp_animation,
    [TM_ANIMATION_GIF] = &tmi_gif,
    [TM_ANIMATION_RAW] = &tmi_raw,
};

/* begin_animation checks that the bytes fit. */
static size_t frame_bytes(const tm_animation *animation)
{
    return (size_t)animation->plan.width * 4 * animation->plan.height;
}

/* The format's own state first, because it checks the plan; then the memory that formats share. */
static tm_status begin_animation(tm_animation *a, tm_error *error)
{
    const tm_allocator *allocator = a->plan.options.allocator;
    const uint32_t width = a->plan.width, height = a->plan.height;
    size_t size;
    if (a->kind->lacks)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "cannot write %s", a->kind->lacks);
    a->state = &a->plan;
    if (a->kind->begin)
        TM_TRY(a->kind->begin(&a->state, &a->plan, error));
    if (width == 0 || height == 0 || !tmi_mul_size(&size, (size_t)width * 4, height))
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "frames of %u x %u pixels do not fit into memory",
                        (unsigned)width, (unsigned)height);
    if (a->kind->mark)
        TM_TRY(tmi_reserve(&a->plan.shown, allocator, frame_bytes(a), 1, "a frame", error));
    return a->plan.few_colors ? tmi_reserve_zeroed(&a->plan.palette, allocator, 1, sizeof(*a->plan.palette),
                                                   "the colors of an animation", error)
                              : TM_OK;
}

static tm_status new_animation(tm_animation **out, const tm_output *output, const tm_frames *frames,
                               const tm_animation_options *options, bool learns, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(tmi_need(frames, "frames", error));
    tm_animation_options filled;
    tm_frames frames_copy;
    TM_TRY(tmi_options_take(&filled, sizeof(filled), options, "tm_animation_options", error));
    TM_TRY(tmi_options_take(&frames_copy, sizeof(frames_copy), frames, "tm_frames", error));
    if (frames_copy.num == 0 || frames_copy.num > INT32_MAX / 2)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "an animation has 1 to %ld frames, not %u",
                        (long)INT32_MAX / 2, (unsigned)frames_copy.num);
    if ((size_t)filled.format >= TMI_COUNT_OF(kinds))
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "there is no animation format %d: 0 is APNG, 1 is WebP, 2 is GIF, 3 is raw",
                        (int)filled.format);
    const bool is_gif = filled.format == TM_ANIMATION_GIF,
               is_lossy = filled.format == TM_ANIMATION_WEBP && filled.quality > 0;
    tm_animation *animation;
    TM_TRY(tmi_reserve_zeroed(&animation, filled.allocator, 1, sizeof(*animation), "an animation", error));
    animation->plan = (tmi_animation_plan){.output = *output,
                                           .width = frames_copy.width,
                                           .height = frames_copy.height,
                                           .num_frames = frames_copy.num,
                                           .duration = frames_copy.duration,
                                           .options = filled,
                                           .few_colors = is_gif || (is_lossy && filled.opaque && learns)};
    animation->kind = kinds[filled.format];
    animation->job = (tm_job){.size = sizeof(animation->job)};
    animation->waiting.packed.allocator = filled.allocator;
    const tm_status status = begin_animation(animation, error);
    if (status)
        tm_animation_free(animation);
    else
        *out = animation;
    return status;
}

tm_status tm_animation_new(tm_animation **out, const tm_output *output, const tm_frames *frames,
                           const tm_animation_options *options, tm_error *error)
{
    return new_animation(out, output, frames, options, false, error);
}

/* Memory for `num` frames at a time. */
static tm_status make_room(tm_animation *a, uint32_t num, tm_error *error)
{
    for (; a->room < num; a->room++) {
        tmi_frame *frame = &a->list[a->room];
        TM_TRY(tmi_reserve(&frame->pixels, a->plan.options.allocator, frame_bytes(a), 1, "a frame", error));
        frame->packed.allocator = a->plan.options.allocator;
    }
    return TM_OK;
}

void tm_animation_free(tm_animation *animation)
{
    if (!animation)
        return;
    const tm_allocator *allocator = animation->plan.options.allocator;
    for (uint32_t i = 0; i < animation->room; i++) {
        tmi_free(allocator, animation->list[i].pixels, frame_bytes(animation), 1);
        tm_buffer_release(&animation->list[i].packed);
    }
    tm_buffer_release(&animation->waiting.packed);
    tmi_free(allocator, animation->plan.palette, 1, sizeof(*animation->plan.palette));
    tmi_free(allocator, animation->plan.shown, frame_bytes(animation), 1);
    if (animation->state && animation->kind->release)
        animation->kind->release(animation->state);
    tmi_free(allocator, animation, 1, sizeof(*animation));
}

/* ------------------------------------------------------------------------------------- the frames at hand */

static tm_status draw_one_frame(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    tm_animation *a = ctx;
    tmi_frame *frame = &a->list[index];
    const uint32_t place = a->learning ? a->learned[a->first + index] : a->first + index;
    (void)worker;
    (void)stop;
    TM_TRY(a->frames->draw(a->frames->ctx, a->sample ? a->sample->numbers[place] : place, frame->pixels,
                           (size_t)a->plan.width * 4, error));
    if (a->kind->convert && !a->learning)
        a->kind->convert(a->state, frame);
    return TM_OK;
}

static tm_status pack_frame(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    tm_animation *a = ctx;
    tmi_frame *frame = &a->list[index];
    (void)stop;
    frame->packed.size = 0;
    return a->kind->pack(a->state, worker, a->first + index, frame, error);
}

static void release_packer(void *ctx, void *worker)
{
    const tm_animation *a = ctx;
    a->kind->worker_release(worker);
}

/* The frames at hand, drawn or packed side by side. */
static tm_status side_by_side(tm_animation *a, bool pack, tm_error *error)
{
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = a->plan.options.allocator,
                             .ctx = a,
                             .num = a->num,
                             .work = pack ? pack_frame : draw_one_frame,
                             .worker_size = pack ? a->kind->worker_size : 0,
                             .worker_release = pack && a->kind->worker_release ? release_packer : NULL};
    return tm_tasks_run(&pieces, &a->job, error);
}

/* Puts the waiting frame, which is shown until frame `end` begins, if there is one. */
static tm_status put_waiting(tm_animation *a, uint32_t end, tm_error *error)
{
    return a->kind->waits && end ? a->kind->put(a->state, a->waiting_index, end, &a->waiting, error) : TM_OK;
}

static tm_status do_some(tm_animation *a, tm_error *error)
{
    TM_TRY(side_by_side(a, false, error));
    for (uint32_t i = 0; a->kind->mark && i < a->num; i++)
        a->kind->mark(a->state, a->first + i, &a->list[i]);
    if (a->kind->mark)
        TM_TRY(side_by_side(a, true, error));
    for (uint32_t i = 0; i < a->num; i++) {
        const uint32_t index = a->first + i;
        tmi_frame *frame = &a->list[i];
        if (a->sample)
            a->sample->sizes[index] = frame->packed.size;
        if (!a->kind->waits)
            TM_TRY(a->kind->put(a->state, index, index + 1, frame, error));
        if (!a->kind->waits || frame->same)
            continue;
        TM_TRY(put_waiting(a, index, error));
        const tm_buffer before = a->waiting.packed;
        a->waiting = (tmi_frame){.area = frame->area, .packed = frame->packed};
        a->waiting_index = index;
        frame->packed = before;
    }
    a->num_done = a->first + a->num;
    return TM_OK;
}

/* Takes the next frames at hand, of `num` in all; false: there are none. */
static bool take_next(tm_animation *a, uint32_t num)
{
    a->first += a->num;
    a->num = num - a->first < a->room ? num - a->first : a->room;
    return a->num > 0;
}

/* Learns colors from some frames, before the first one is packed. */
static tm_status learn(tm_animation *a, const uint32_t *numbers, uint32_t num, tm_error *error)
{
    if (!a->plan.few_colors)
        return TM_OK;
    a->learning = true;
    a->learned = numbers;
    for (a->first = a->num = 0; take_next(a, num);) {
        TM_TRY(side_by_side(a, false, error));
        for (uint32_t i = 0; i < a->num; i++)
            tmi_palette_learn(a->plan.palette, a->list[i].pixels, frame_bytes(a) / 4);
    }
    a->learning = false;
    return tmi_palette_choose(a->plan.palette, a->plan.options.quality, a->plan.options.allocator, error);
}

/* ----------------------------------------------------------------------------------------- frame by frame */

/* A frame that a caller hands over. */
typedef struct given_frame {
    const tmi_animation_plan *plan;
    const uint8_t *pixels;
    size_t stride;
} given_frame;

static tm_status copy_given(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error)
{
    const given_frame *given = ctx;
    (void)index;
    (void)error;
    for (uint32_t y = 0; y < given->plan->height; y++)
        memcpy((uint8_t *)rgba + y * row_stride, given->pixels + y * given->stride,
               (size_t)given->plan->width * 4);
    return TM_OK;
}

tm_status tm_animation_frame(tm_animation *animation, const void *pixels, size_t row_stride, tm_error *error)
{
    TM_TRY(tmi_need(animation, "animation", error));
    TM_TRY(tmi_need(pixels, "pixels", error));
    given_frame given = {&animation->plan, pixels, row_stride};
    const tm_frames frames = {.ctx = &given, .draw = copy_given};
    const uint32_t index = animation->num_done;
    if (index == animation->plan.num_frames)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "too many frames: tm_animation_new was told of %u",
                        (unsigned)animation->plan.num_frames);
    TM_TRY(make_room(animation, 1, error));
    animation->frames = &frames;
    if (index == 0)
        TM_TRY(learn(animation, &index, 1, error));
    animation->first = index;
    animation->num = 1;
    return do_some(animation, error);
}

tm_status tm_animation_finish(tm_animation *animation, tm_error *error)
{
    TM_TRY(tmi_need(animation, "animation", error));
    const tmi_animation_plan *plan = &animation->plan;
    const uint32_t missing = plan->num_frames - animation->num_done;
    tm_status status = TM_OK;
    if (missing)
        status =
            tmi_fail(error, TM_ERROR_USAGE, -1, "the animation is not complete: %u of %u frames are missing",
                     (unsigned)missing, (unsigned)plan->num_frames);
    else
        status = put_waiting(animation, plan->num_frames, error);
    if (!status && animation->kind->end)
        status = animation->kind->end(animation->state, error);
    tm_animation_free(animation);
    return status;
}

/* ------------------------------------------------------------------------------------------- many threads */

/* As many frames at a time as the memory holds. */
static tm_status do_all(tm_animation *a, const tm_job *job, tm_error *error)
{
    const uint64_t standard = (uint64_t)1 << 30, memory = job->memory_budget ? job->memory_budget : standard,
                   fitting = memory / COPIES / (frame_bytes(a) + 1);
    const uint32_t room = fitting < 1 ? 1 : fitting > MAX_FRAMES ? MAX_FRAMES : (uint32_t)fitting;
    const uint32_t num = a->plan.num_frames, num_learned = num < NUM_LEARNED ? num : NUM_LEARNED;
    uint32_t learned[NUM_LEARNED];
    for (uint32_t i = 0; i < num_learned; i++)
        learned[i] = (uint32_t)((uint64_t)num * i / num_learned);
    TM_TRY(make_room(a, room > num ? num : room, error));
    TM_TRY(learn(a, learned, num_learned, error));
    for (a->first = a->num = 0; take_next(a, num);) {
        TM_TRY(do_some(a, error));
        if (job->progress && !a->sample)
            job->progress(job->progress_ctx, a->num_done, num);
    }
    return TM_OK;
}

/* Draws and packs all frames, or some, and what comes after the last one. */
static tm_status run(const tm_output *output, const tm_frames *frames, samples *sample,
                     const tm_animation_options *options, const tm_job *job, tm_error *error)
{
    tm_animation *animation;
    tm_job job_copy;
    TM_TRY(tmi_job_take(&job_copy, job, error));
    TM_TRY(new_animation(&animation, output, frames, options, true, error));
    animation->frames = frames;
    animation->sample = sample;
    animation->job = job_copy;
    animation->job.progress = NULL;
    const tm_status status = do_all(animation, &job_copy, error);
    if (!status)
        return tm_animation_finish(animation, error);
    tm_animation_free(animation);
    return status;
}

static tm_status take_frames(tm_frames *out, const tm_frames *frames, tm_error *error)
{
    TM_TRY(tmi_need(frames, "frames", error));
    TM_TRY(tmi_options_take(out, sizeof(*out), frames, "tm_frames", error));
    return out->draw ? TM_OK : tmi_fail(error, TM_ERROR_USAGE, -1, "frames.draw is NULL");
}

tm_status tm_animation_write(const tm_output *output, const tm_frames *frames,
                             const tm_animation_options *options, const tm_job *job, tm_error *error)
{
    tm_frames frames_copy;
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(take_frames(&frames_copy, frames, error));
    return run(output, &frames_copy, NULL, options, job, error);
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
    tm_frames frames_copy;
    TM_TRY(take_frames(&frames_copy, frames, error));
    uint64_t sum = 0, changes = 0;
    samples sample = {{0}, {0}};
    const tm_output counted = {&sum, count_bytes, NULL};
    const uint32_t num = frames_copy.num;
    if (num <= NUM_SAMPLES) {
        TM_TRY(run(&counted, &frames_copy, NULL, options, job, error));
        *bytes = sum;
        return TM_OK;
    }
    /* A few short runs of frames: the first one of all is whole, those behind another one are changes. */
    for (uint32_t i = 0; i < NUM_SAMPLES; i++)
        sample.numbers[i] =
            (uint32_t)((uint64_t)(num - RUN_FRAMES) * (i / RUN_FRAMES) / (NUM_RUNS - 1)) + i % RUN_FRAMES;
    frames_copy.num = NUM_SAMPLES;
    frames_copy.duration = frames_copy.duration / num * frames_copy.num;
    TM_TRY(run(&counted, &frames_copy, &sample, options, job, error));
    for (uint32_t i = 0; i < NUM_SAMPLES; i++)
        changes += i % RUN_FRAMES ? sample.sizes[i] : 0;
    *bytes = sample.sizes[0] ? sample.sizes[0] + changes * (num - 1) / (NUM_SAMPLES - NUM_RUNS)
                             : sum / NUM_SAMPLES * num; /* raw: nothing is packed */
    return TM_OK;
}

bool tm_animation_saving_at(tm_animation_saving *out, uint32_t step)
{
    /* The least visible losses come first: some quality, then frames, then pixels. */
    static const tm_animation_saving savings[] = {
        {1, 1, 100},     {1, 1, 65},      {1, 1, 50},      {1, 0.8, 50},    {0.85, 0.8, 50}, {0.85, 0.6, 50},
        {0.75, 0.6, 45}, {0.65, 0.6, 45}, {0.55, 0.6, 45}, {0.5, 0.5, 40},  {0.42, 0.5, 40}, {0.42, 0.4, 35},
        {0.35, 0.4, 30}, {0.3, 0.4, 30},  {0.25, 0.4, 30}, {0.25, 0.3, 25}, {0.2, 0.3, 20},  {0.15, 0.3, 20},
    };
    const bool there = out && step < TMI_COUNT_OF(savings);
    if (out)
        *out = there ? savings[step] : (tm_animation_saving){0};
    return there;
}
