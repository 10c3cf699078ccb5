/* SPDX-License-Identifier: Zlib */
/*
 * Frames as nothing but pixels, one behind the other, for other programs: RGBA, or RGB where nothing is
 * transparent.
 */
#include "animation.h"

static size_t raw_size(const tmi_animation_plan *plan)
{
    return (size_t)plan->width * plan->height * (plan->options.opaque ? 3 : 4);
}

static void raw_convert(const void *state, tmi_frame *frame)
{
    const tmi_animation_plan *plan = state;
    const size_t num = (size_t)plan->width * plan->height;
    for (size_t i = 1; plan->options.opaque && i < num; i++)
        memmove(frame->pixels + 3 * i, frame->pixels + 4 * i, 3);
}

static tm_status raw_put(void *state, uint32_t index, uint32_t end, const tmi_frame *frame, tm_error *error)
{
    const tmi_animation_plan *plan = state;
    (void)index;
    (void)end;
    return tmi_output_write(&plan->output, frame->pixels, raw_size(plan), error);
}

const tmi_animation_kind tmi_raw = {.convert = raw_convert, .worker_size = 1, .put = raw_put};
