/* SPDX-License-Identifier: Zlib */
/*
 * What the formats of animations share: when a frame is shown, and which of its pixels change.
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

typedef struct changed_columns {
    uint32_t left, right; /* empty where left is not below right */
} changed_columns;

/* One row; the columns are widened by what differs. */
static bool mark_changed_row(changed_columns *columns, uint8_t *shown, uint8_t *row, uint32_t width,
                             uint32_t tolerance, bool clear)
{
    bool any = false;
    if (memcmp(shown, row, (size_t)width * 4) == 0) {
        if (clear)
            memset(row, 0, (size_t)width * 4);
        return false;
    }
    for (uint32_t x = 0; x < width; x++, shown += 4, row += 4) {
        if (pixel_differs(shown, row, clear ? 3 : 4, tolerance)) {
            memcpy(shown, row, 4);
            columns->left = x < columns->left ? x : columns->left;
            columns->right = x + 1 > columns->right ? x + 1 : columns->right;
            any = true;
        } else if (clear) {
            memset(row, 0, 4);
        }
    }
    return any;
}

void tmi_mark_changes(const tmi_animation_plan *plan, uint32_t index, tmi_frame *frame, uint32_t tolerance,
                      bool clear)
{
    const uint32_t width = plan->width, height = plan->height;
    changed_columns columns = {width, 0};
    uint32_t top = height, bottom = 0;
    frame->same = false;
    frame->area = (tm_rect){0, 0, width, height};
    if (index == 0) {
        memcpy(plan->shown, frame->pixels, (size_t)width * height * 4);
        return;
    }
    for (uint32_t y = 0; y < height; y++) {
        const size_t at = (size_t)y * width * 4;
        if (mark_changed_row(&columns, plan->shown + at, frame->pixels + at, width, tolerance, clear)) {
            top = y < top ? y : top;
            bottom = y + 1;
        }
    }
    frame->same = top >= bottom;
    frame->area = frame->same ? (tm_rect){0, 0, 1, 1}
                              : (tm_rect){(int32_t)columns.left, (int32_t)top, columns.right - columns.left,
                                          bottom - top};
}

uint32_t tmi_palette_tolerance(const tmi_animation_plan *plan)
{
    const uint32_t quality = (uint32_t)plan->options.quality,
                   levels = 6; /* of quality, for one of a channel */
    return quality > 0 ? (100 - quality) / levels : 0;
}
