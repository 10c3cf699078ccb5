/* SPDX-License-Identifier: Zlib */
/*
 * pyramid_draw.c - draws one cell of a pyramid, and looks what came of it: a cell that turns out to be clear
 * need not be kept, and one without alpha can be packed smaller.
 */
#include "pyramid.h"

enum { CELL_STRIDE = TM_PYRAMID_SIDE * 4 }; /* bytes of a row */

/* Clears what lies beyond the border, so that it ends at the same place on all levels. */
static void clear_beyond(uint8_t *rgba, tm_pyramid_pixels keep)
{
    for (uint32_t j = 0; j < TM_PYRAMID_SIDE; j++, rgba += CELL_STRIDE) {
        const bool inside = j >= keep.top && j < keep.bottom;
        memset(rgba, 0, (inside ? keep.left : TM_PYRAMID_SIDE) * (size_t)4);
        memset(rgba + (size_t)keep.right * 4, 0, (TM_PYRAMID_SIDE - keep.right) * (size_t)4);
    }
}

static tm_pyramid_alpha alpha_of(const uint8_t *rgba)
{
    uint8_t any = 0, all = 255;
    for (size_t i = 3; i < (size_t)TM_PYRAMID_SIDE * CELL_STRIDE; i += 4) {
        any |= rgba[i];
        all &= rgba[i];
    }
    return any == 0 ? TM_PYRAMID_CLEAR : all == 255 ? TM_PYRAMID_OPAQUE : TM_PYRAMID_MIXED;
}

tm_status tm_pyramid_draw(tm_pyramid_alpha *alpha, void *rgba, const tm_pyramid_frame *frame,
                          const tm_renderer *renderer, uint32_t level, int32_t x, int32_t y,
                          const float *opacities, double time, tm_error *error)
{
    TM_TRY(tmi_need(alpha, "alpha", error));
    TM_TRY(tmi_need(rgba, "rgba", error));
    tm_camera camera = TM_CAMERA_INIT;
    *alpha = TM_PYRAMID_CLEAR;
    TM_TRY(tmi_need(frame, "frame", error));
    TM_TRY(tmi_need(renderer, "renderer", error));
    memset(rgba, 0, (size_t)TM_PYRAMID_SIDE * CELL_STRIDE);
    if (level >= frame->num_levels)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no level %u; the pyramid has %u",
                        (unsigned)level, (unsigned)frame->num_levels);
    camera.kind = TM_CAMERA_FLAT;
    camera.width = camera.height = TM_PYRAMID_SIDE;
    camera.scale = tmi_pyramid_scale(frame, level);
    camera.x = x * (TM_PYRAMID_SIDE / camera.scale);
    camera.y = y * (TM_PYRAMID_SIDE / camera.scale);
    camera.time = time;
    camera.opacities = opacities;
    TM_TRY(tm_renderer_draw(renderer, &camera, 0, TM_PYRAMID_SIDE, rgba, CELL_STRIDE, error));
    clear_beyond(rgba, tmi_pyramid_cell_pixels(frame, level, x, y));
    *alpha = alpha_of(rgba);
    return TM_OK;
}
