/* SPDX-License-Identifier: Zlib */
/*
 * What the formats of animations share: when a frame is shown, and which of its pixels change. Also frames as
 * nothing but pixels, one behind the other, for other programs: RGBA, or RGB where nothing is transparent.
 */
#include "animation.h"

uint64_t tmi_frame_time(const tmi_animation_plan *plan, uint32_t index, uint32_t unit)
{
    const uint64_t whole = plan->duration / plan->num_frames, rest = plan->duration % plan->num_frames;
    return (whole * index + rest * index / plan->num_frames + unit / 2) / unit;
}

static bool pixel_differs(const uint8_t *a, const uint8_t *b, int channels, uint32_t tolerance)
{
    if (memcmp(a, b, 4) == 0)
        return false;
    for (int c = 0; c < channels; c++)
        if ((uint32_t)(a[c] > b[c] ? a[c] - b[c] : b[c] - a[c]) > tolerance)
            return true;
    return false;
}

void tmi_mark_changes(const tmi_animation_plan *plan, uint32_t index, tmi_frame *frame, uint32_t tolerance,
                      bool clear)
{
    const uint32_t width = plan->width, height = plan->height;
    uint32_t left = width, right = 0, top = height, bottom = 0;
    frame->same = false;
    frame->area = (tm_rect){0, 0, width, height};
    if (index == 0) {
        memcpy(plan->shown, frame->pixels, (size_t)width * height * 4);
        return;
    }
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *shown = plan->shown + (size_t)y * width * 4, *row = frame->pixels + (size_t)y * width * 4;
        if (memcmp(shown, row, (size_t)width * 4) == 0) {
            if (clear)
                memset(row, 0, (size_t)width * 4);
            continue;
        }
        for (uint32_t x = 0; x < width; x++, shown += 4, row += 4) {
            if (pixel_differs(shown, row, clear ? 3 : 4, tolerance)) {
                memcpy(shown, row, 4);
                left = x < left ? x : left;
                right = x + 1 > right ? x + 1 : right;
                top = y < top ? y : top;
                bottom = y + 1;
            } else if (clear) {
                memset(row, 0, 4);
            }
        }
    }
    frame->same = top >= bottom;
    frame->area = frame->same ? (tm_rect){0, 0, 1, 1}
                              : (tm_rect){(int32_t)left, (int32_t)top, right - left, bottom - top};
}

uint32_t tmi_palette_tolerance(const tmi_animation_plan *plan)
{
    const uint32_t quality = (uint32_t)plan->options.quality,
                   levels = 6; /* of quality, for one of a channel */
    return quality > 0 ? (100 - quality) / levels : 0;
}

/* ---------------------------------------------------------------------------------------------------- raw */

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
    const size_t size = (size_t)plan->width * plan->height * (plan->options.opaque ? 3 : 4);
    (void)index;
    (void)end;
    return tmi_output_write(&plan->output, frame->pixels, size, error);
}

const tmi_animation_kind tmi_raw = {.convert = raw_convert, .worker_size = 1, .put = raw_put};
