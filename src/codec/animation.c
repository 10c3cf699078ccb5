/* SPDX-License-Identifier: Zlib */
/*
 * Animations: checks what is asked for, counts frames, and leaves the rest to a format (apng.c,
 * webp_animation.c).
 */
#include "animation.h"

struct tm_animation {
    tmi_animation_plan plan;
    const tmi_animation_kind *kind;
    void *state;
    uint32_t num_done;
};

static const tmi_animation_kind *const kinds[] = {
    [TM_ANIMATION_APNG] = &tmi_apng,
    [TM_ANIMATION_WEBP] = &tmi_webp_animation,
};

TMI_DEFINE_INIT(tm_animation_options, TM_ANIMATION_OPTIONS_INIT)

tm_status tm_animation_new(tm_animation **out, const tm_output *output, uint32_t width, uint32_t height,
                           uint32_t num_frames, uint64_t duration, const tm_animation_options *options,
                           tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(output, "output", error));
    tm_animation_options filled;
    TM_TRY(tmi_options_take(&filled, sizeof(filled), options, "tm_animation_options", error));
    if (num_frames == 0 || num_frames > INT32_MAX / 2)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "an animation has 1 to %ld frames, not %u",
                        (long)INT32_MAX / 2, (unsigned)num_frames);
    if ((size_t)filled.format >= TMI_COUNT_OF(kinds))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no animation format %d: 0 is APNG, 1 is WebP",
                        (int)filled.format);
    tm_animation *animation = tmi_calloc(filled.allocator, 1, sizeof(*animation));
    if (!animation)
        return tmi_fail_memory(error, sizeof(*animation), "an animation");
    animation->plan = (tmi_animation_plan){*output, width, height, num_frames, duration, filled};
    animation->kind = kinds[filled.format];
    tm_status status = animation->kind->begin(&animation->state, &animation->plan, error);
    if (status)
        tmi_free(filled.allocator, animation, 1, sizeof(*animation));
    else
        *out = animation;
    return status;
}

tm_status tm_animation_frame(tm_animation *animation, const void *pixels, size_t row_stride, tm_error *error)
{
    TM_TRY(tmi_need(animation, "animation", error));
    TM_TRY(tmi_need(pixels, "pixels", error));
    if (animation->num_done == animation->plan.num_frames)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "too many frames: tm_animation_new was told of %u",
                        (unsigned)animation->plan.num_frames);
    return animation->kind->frame(animation->state, animation->num_done++, pixels, row_stride, error);
}

tm_status tm_animation_finish(tm_animation *animation, tm_error *error)
{
    TM_TRY(tmi_need(animation, "animation", error));
    const uint32_t missing = animation->plan.num_frames - animation->num_done;
    tm_status status = missing ? tmi_fail(error, TM_ERROR_USAGE, -1,
                                          "the animation is not complete: %u of %u frames are missing",
                                          (unsigned)missing, (unsigned)animation->plan.num_frames)
                               : animation->kind->end(animation->state, error);
    tm_animation_free(animation);
    return status;
}

void tm_animation_free(tm_animation *animation)
{
    if (!animation)
        return;
    animation->kind->release(animation->state);
    tmi_free(animation->plan.options.allocator, animation, 1, sizeof(*animation));
}
