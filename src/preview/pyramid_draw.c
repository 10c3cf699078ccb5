/* SPDX-License-Identifier: Zlib */
/*
 * pyramid_draw.c - draws cells of a pyramid, and looks what came of each: one that turns out to be clear need
 * not be kept, and one without alpha can be packed smaller. Cells are drawn run by run of layers, so that a
 * layer for which the renderer has no room is unpacked once for all of them and not for each.
 */
#include "pyramid.h"

#include <teemap/jobs.h>

enum { CELL_STRIDE = TM_PYRAMID_SIDE * 4, CELL_BYTES = TM_PYRAMID_SIDE * CELL_STRIDE };

typedef struct cell_drawing {
    tm_pyramid_cell *cells;
    uint8_t *rgba;
    tmi_budget *budgets; /* of each cell */
    const tm_pyramid_frame *frame;
    const tm_renderer *renderer;
    tm_camera camera; /* but for the place */
    const tmi_layer_run *run;
    tm_tasks tasks;
    tm_job job;
} cell_drawing;

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
    for (size_t i = 3; i < CELL_BYTES; i += 4) {
        any |= rgba[i];
        all &= rgba[i];
    }
    return any == 0 ? TM_PYRAMID_CLEAR : all == 255 ? TM_PYRAMID_OPAQUE : TM_PYRAMID_MIXED;
}

static tm_status draw_cell(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const cell_drawing *of = ctx;
    const tm_pyramid_cell *cell = &of->cells[index];
    tm_camera camera = of->camera, checked;
    (void)worker;
    (void)stop;
    camera.scale = tmi_pyramid_scale(of->frame, cell->level);
    camera.x = cell->x * (TM_PYRAMID_SIDE / camera.scale);
    camera.y = cell->y * (TM_PYRAMID_SIDE / camera.scale);
    TM_TRY(tmi_camera_take(&checked, &camera, error));
    return tmi_draw_rows(of->renderer, &checked, of->run, 0, TM_PYRAMID_SIDE,
                         of->rgba + (size_t)index * CELL_BYTES, CELL_STRIDE, &of->budgets[index], error);
}

static tm_status draw_cells_of_run(void *ctx, const tmi_layer_run *run, tm_error *error)
{
    cell_drawing *of = ctx;
    of->run = run;
    return tm_tasks_run(&of->tasks, &of->job, error);
}

static tm_status draw_cells(cell_drawing *of, uint32_t num_cells, tm_error *error)
{
    tmi_budget unpacking = {UINT64_MAX, false, UINT64_MAX}; /* who draws all cells counts it */
    const uint64_t limit = tmi_pixel_limit(of->renderer, &of->camera);
    memset(of->rgba, 0, (size_t)num_cells * CELL_BYTES);
    for (uint32_t i = 0; i < num_cells; i++)
        of->budgets[i] = (tmi_budget){limit, false, limit};
    TM_TRY(tmi_each_run(of->renderer, &of->camera, &unpacking, draw_cells_of_run, of, error));
    for (uint32_t i = 0; i < num_cells; i++) {
        uint8_t *rgba = of->rgba + (size_t)i * CELL_BYTES;
        tm_pyramid_cell *cell = &of->cells[i];
        clear_beyond(rgba, tmi_pyramid_cell_pixels(of->frame, cell->level, cell->x, cell->y));
        cell->alpha = alpha_of(rgba);
    }
    return TM_OK;
}

static tm_status check_cells(tm_pyramid_cell *cells, uint32_t num_cells, const tm_pyramid_frame *frame,
                             tm_error *error)
{
    for (uint32_t i = 0; i < num_cells; i++) {
        cells[i].alpha = TM_PYRAMID_CLEAR;
        if (cells[i].level >= frame->num_levels)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no level %u; the pyramid has %u",
                            (unsigned)cells[i].level, (unsigned)frame->num_levels);
    }
    return TM_OK;
}

tm_status tm_pyramid_draw(tm_pyramid_cell *cells, uint32_t num_cells, void *rgba,
                          const tm_pyramid_frame *frame, const tm_renderer *renderer, const float *opacities,
                          double time, const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(cells, "cells", error));
    TM_TRY(tmi_need(rgba, "rgba", error));
    TM_TRY(tmi_need(frame, "frame", error));
    TM_TRY(tmi_need(renderer, "renderer", error));
    TM_TRY(check_cells(cells, num_cells, frame, error));
    cell_drawing of = {.cells = cells,
                       .rgba = rgba,
                       .frame = frame,
                       .renderer = renderer,
                       .camera = {.size = sizeof(tm_camera),
                                  .kind = TM_CAMERA_FLAT,
                                  .width = TM_PYRAMID_SIDE,
                                  .height = TM_PYRAMID_SIDE,
                                  .time = time,
                                  .opacities = opacities},
                       .tasks = {.size = sizeof(tm_tasks),
                                 .allocator = renderer->allocator,
                                 .ctx = &of,
                                 .num = num_cells,
                                 .work = draw_cell}};
    TM_TRY(tmi_job_take(&of.job, job, error));
    of.budgets = tmi_alloc(renderer->allocator, num_cells, sizeof(*of.budgets));
    if (!of.budgets)
        return tmi_fail_memory(error, (uint64_t)num_cells * sizeof(*of.budgets), "the limits of cells");
    const tm_status status = draw_cells(&of, num_cells, error);
    tmi_free(renderer->allocator, of.budgets, num_cells, sizeof(*of.budgets));
    return status;
}
