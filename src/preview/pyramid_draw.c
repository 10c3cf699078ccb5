/* SPDX-License-Identifier: Zlib */
/*
 * pyramid_draw.c - draws cells of a pyramid and classifies them: transparent cells need not be stored, and
 * opaque ones can be packed smaller. Cells are drawn by runs of layers, so that a layer that does not fit
 * into the renderer's memory is unpacked once for all of them.
 */
#include "preview.h"

#include <teemap/jobs.h>

enum { CELL_STRIDE = TM_PYRAMID_SIDE * 4, CELL_BYTES = TM_PYRAMID_SIDE * CELL_STRIDE };

typedef struct cell_drawing {
    tm_pyramid_cell *cells;
    uint8_t *rgba;
    tmi_budget *budgets; /* of each cell */
    const tm_pyramid_scene *scene;
    tm_camera camera; /* but for the place */
    const tmi_layer_run *run;
    tm_tasks tasks;
    tm_job job;
} cell_drawing;

static tm_status draw_cell(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const cell_drawing *of = ctx;
    const tm_pyramid_cell *cell = &of->cells[index];
    tm_camera camera = of->camera, checked;
    (void)worker;
    (void)stop;
    camera.scale = tmi_pyramid_scale(of->scene->frame, cell->level);
    camera.x = cell->x * (TM_PYRAMID_SIDE / camera.scale);
    camera.y = cell->y * (TM_PYRAMID_SIDE / camera.scale);
    TM_TRY(tmi_camera_take(&checked, &camera, error));
    return tmi_draw_rows(of->scene->renderer, &checked, of->run,
                         &(tm_rows){of->rgba + (size_t)index * CELL_BYTES, CELL_STRIDE, 0, TM_PYRAMID_SIDE},
                         &of->budgets[index], error);
}

static tm_status draw_cells_of_run(void *ctx, const tmi_layer_run *run, tm_error *error)
{
    cell_drawing *of = ctx;
    of->run = run;
    return tm_tasks_run(&of->tasks, &of->job, error);
}

static tm_status draw_cells(cell_drawing *of, uint32_t num_cells, tm_error *error)
{
    tmi_budget unpacking = {UINT64_MAX, false, UINT64_MAX}; /* counted by the caller */
    const uint64_t limit = tmi_pixel_limit(of->scene->renderer, &of->camera);
    memset(of->rgba, 0, (size_t)num_cells * CELL_BYTES);
    for (uint32_t i = 0; i < num_cells; i++)
        of->budgets[i] = (tmi_budget){limit, false, limit};
    TM_TRY(tmi_each_run(of->scene->renderer, &of->camera, &unpacking, draw_cells_of_run, of, error));
    for (uint32_t i = 0; i < num_cells; i++) {
        uint8_t *rgba = of->rgba + (size_t)i * CELL_BYTES;
        tm_pyramid_cell *cell = &of->cells[i];
        /* What lies beyond the border is cleared, so that it ends at the same place on all levels. */
        const tm_rect keep = tmi_pyramid_cell_pixels(of->scene->frame, cell->level, cell->x, cell->y);
        const size_t right = (size_t)tmi_right(&keep);
        for (uint32_t j = 0; j < TM_PYRAMID_SIDE; j++) {
            uint8_t *row = rgba + (size_t)j * CELL_STRIDE;
            const bool inside = tmi_rect_has(&keep, keep.x, j);
            memset(row, 0, (inside ? (size_t)keep.x : TM_PYRAMID_SIDE) * 4);
            memset(row + right * 4, 0, (TM_PYRAMID_SIDE - right) * 4);
        }
        uint8_t any = 0, all = 255;
        for (size_t k = 3; k < CELL_BYTES; k += 4) {
            any |= rgba[k];
            all &= rgba[k];
        }
        cell->alpha = any == 0 ? TM_PYRAMID_CLEAR : all == 255 ? TM_PYRAMID_OPAQUE : TM_PYRAMID_MIXED;
    }
    return TM_OK;
}

tm_status tm_pyramid_draw(tm_pyramid_cell *cells, uint32_t num_cells, void *rgba,
                          const tm_pyramid_scene *scene, const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(cells, "cells", error));
    TM_TRY(tmi_need(rgba, "rgba", error));
    TM_TRY(tmi_need(scene, "scene", error));
    TM_TRY(tmi_need(scene->frame, "frame", error));
    TM_TRY(tmi_need(scene->renderer, "renderer", error));
    for (uint32_t i = 0; i < num_cells; i++) {
        cells[i].alpha = TM_PYRAMID_CLEAR;
        if (cells[i].level >= scene->frame->num_levels)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no level %u; the pyramid has %u",
                            (unsigned)cells[i].level, (unsigned)scene->frame->num_levels);
    }
    const tm_allocator *allocator = scene->renderer->allocator;
    cell_drawing of = {.cells = cells,
                       .rgba = rgba,
                       .scene = scene,
                       .camera = {.size = sizeof(tm_camera),
                                  .kind = TM_CAMERA_FLAT,
                                  .width = TM_PYRAMID_SIDE,
                                  .height = TM_PYRAMID_SIDE,
                                  .time = scene->time,
                                  .opacities = scene->opacities},
                       .tasks = {.size = sizeof(tm_tasks),
                                 .allocator = allocator,
                                 .ctx = &of,
                                 .num = num_cells,
                                 .work = draw_cell}};
    TM_TRY(tmi_job_take(&of.job, job, error));
    TM_TRY(tmi_reserve(&of.budgets, allocator, num_cells, sizeof(*of.budgets), "the limits of cells", error));
    const tm_status status = draw_cells(&of, num_cells, error);
    tmi_free(allocator, of.budgets, num_cells, sizeof(*of.budgets));
    return status;
}
