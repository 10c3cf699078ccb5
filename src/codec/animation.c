/* SPDX-License-Identifier: Zlib */
/*
 * Animations frame by frame: checks what is asked for, counts frames, and leaves the rest to a format
 * (apng.c, gif.c, raw_frames.c, webp_animation.c). animation_write.c does the same with many threads.
 */
#include "animation.h"

static const tmi_animation_kind *const kinds[] = {
    [TM_ANIMATION_APNG] = &tmi_apng,
    [TM_ANIMATION_WEBP] = &tmi_webp_animation,
    [TM_ANIMATION_GIF] = &tmi_gif,
    [TM_ANIMATION_RAW] = &tmi_raw,
};

/* Opaque lossy WebP has few colors, if these are known. */
static const tmi_animation_kind *kind_of_animation(const tm_animation_options *options, bool learns)
{
    const bool has_colors = options->format == TM_ANIMATION_WEBP && options->opaque && options->quality > 0;
    return has_colors && learns ? &tmi_webp_colors : kinds[options->format];
}

tm_status tmi_animation_new(tm_animation **out, const tm_output *output, const tm_frames *frames,
                            const tm_animation_options *options, bool learns, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(tmi_need(frames, "frames", error));
    tm_animation_options filled;
    tm_frames of;
    TM_TRY(tmi_options_take(&filled, sizeof(filled), options, "tm_animation_options", error));
    TM_TRY(tmi_options_take(&of, sizeof(of), frames, "tm_frames", error));
    if (of.num == 0 || of.num > INT32_MAX / 2)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "an animation has 1 to %ld frames, not %u",
                        (long)INT32_MAX / 2, (unsigned)of.num);
    if ((size_t)filled.format >= TMI_COUNT_OF(kinds))
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "there is no animation format %d: 0 is APNG, 1 is WebP, 2 is GIF, 3 is raw",
                        (int)filled.format);
    tm_animation *animation;
    TM_TRY(tmi_reserve_zeroed(&animation, filled.allocator, 1, sizeof(*animation), "an animation", error));
    animation->plan = (tmi_animation_plan){*output, of.width, of.height, of.num, of.duration, filled};
    animation->kind = kind_of_animation(&filled, learns);
    tm_status status = animation->kind->begin(&animation->state, &animation->plan, error);
    if (status)
        tmi_free(filled.allocator, animation, 1, sizeof(*animation));
    else
        *out = animation;
    return status;
}

tm_status tm_animation_new(tm_animation **out, const tm_output *output, const tm_frames *frames,
                           const tm_animation_options *options, tm_error *error)
{
    return tmi_animation_new(out, output, frames, options, false, error);
}

static size_t frame_bytes(const tm_animation *animation)
{
    return (size_t)animation->plan.width * 4 * animation->plan.height; /* the format saw to it that it fits */
}

/* Memory for frames that come one by one. */
static tm_status make_frame(tm_animation *animation, tm_error *error)
{
    const tm_allocator *allocator = animation->plan.options.allocator;
    if (!animation->worker)
        animation->worker = tmi_calloc(allocator, 1, animation->kind->worker_size);
    if (animation->worker && !animation->frame.pixels)
        animation->frame.pixels = tmi_alloc(allocator, frame_bytes(animation), 1);
    animation->frame.packed.allocator = allocator;
    return animation->frame.pixels ? TM_OK : tmi_fail_memory(error, frame_bytes(animation), "a frame");
}

static tm_status take_frame(tm_animation *a, uint32_t index, tm_error *error)
{
    const tmi_animation_kind *kind = a->kind;
    if (index == 0 && kind->learn) {
        kind->learn(a->state, a->frame.pixels);
        TM_TRY(kind->learned(a->state, error));
    }
    if (kind->convert)
        kind->convert(a->state, &a->frame);
    a->frame.packed.size = 0;
    if (kind->mark) {
        kind->mark(a->state, index, &a->frame);
        TM_TRY(kind->pack(a->state, a->worker, index, &a->frame, error));
    }
    return kind->put(a->state, index, &a->frame, error);
}

tm_status tm_animation_frame(tm_animation *animation, const void *pixels, size_t row_stride, tm_error *error)
{
    TM_TRY(tmi_need(animation, "animation", error));
    TM_TRY(tmi_need(pixels, "pixels", error));
    const size_t size = (size_t)animation->plan.width * 4;
    if (animation->num_done == animation->plan.num_frames)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "too many frames: tm_animation_new was told of %u",
                        (unsigned)animation->plan.num_frames);
    TM_TRY(make_frame(animation, error));
    for (uint32_t y = 0; y < animation->plan.height; y++)
        memcpy(animation->frame.pixels + y * size, (const uint8_t *)pixels + y * row_stride, size);
    return take_frame(animation, animation->num_done++, error);
}

tm_status tm_animation_finish(tm_animation *animation, tm_error *error)
{
    TM_TRY(tmi_need(animation, "animation", error));
    const uint32_t missing = animation->plan.num_frames - animation->num_done;
    tm_status status = TM_OK;
    if (missing)
        status =
            tmi_fail(error, TM_ERROR_USAGE, -1, "the animation is not complete: %u of %u frames are missing",
                     (unsigned)missing, (unsigned)animation->plan.num_frames);
    else if (animation->kind->end)
        status = animation->kind->end(animation->state, error);
    tm_animation_free(animation);
    return status;
}

void tm_animation_free(tm_animation *animation)
{
    if (!animation)
        return;
    const tm_allocator *allocator = animation->plan.options.allocator;
    if (animation->worker) {
        if (animation->kind->worker_release)
            animation->kind->worker_release(animation->worker);
        tmi_free(allocator, animation->worker, 1, animation->kind->worker_size);
    }
    if (animation->frame.pixels)
        tmi_free(allocator, animation->frame.pixels, frame_bytes(animation), 1);
    tm_buffer_release(&animation->frame.packed);
    if (animation->kind->release)
        animation->kind->release(animation->state);
    tmi_free(allocator, animation, 1, sizeof(*animation));
}

bool tm_animation_saving_at(tm_animation_saving *out, uint32_t step)
{
    /* What is missed least first: some quality, then frames, then pixels. */
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
