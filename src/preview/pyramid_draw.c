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
    const cell_drawing *drawing = ctx;
    const tm_pyramid_cell *cell = &drawing->cells[index];
    tm_camera camera = drawing->camera, checked;
    (void)worker;
    (void)stop;
    camera.scale = tmi_pyramid_scale(drawing->scene->frame, cell->level);
    camera.x = cell->x * (TM_PYRAMID_SIDE / camera.scale);
    camera.y = cell->y * (TM_PYRAMID_SIDE / camera.scale);
    TM_TRY(tmi_camera_take(&checked, &camera, error));
    return tmi_draw_rows(
        drawing->scene->renderer, &checked, drawing->run,
        &(tm_rows){drawing->rgba + (size_t)index * CELL_BYTES, CELL_STRIDE, 0, TM_PYRAMID_SIDE},
        &drawing->budgets[index], error);
}

static tm_status draw_cells_of_run(void *ctx, const tmi_layer_run *run, tm_error *error)
{
    cell_drawing *drawing = ctx;
    drawing->run = run;
    return tm_tasks_run(&drawing->tasks, &drawing->job, error);
}

static tm_status draw_cells(cell_drawing *drawing, uint32_t num_cells, tm_error *error)
{
    tmi_budget unpacking = {UINT64_MAX, false, UINT64_MAX}; /* counted by the caller */
    const uint64_t limit = tmi_pixel_limit(drawing->scene->renderer, &drawing->camera);
    memset(drawing->rgba, 0, (size_t)num_cells * CELL_BYTES);
    for (uint32_t i = 0; i < num_cells; i++)
        drawing->budgets[i] = (tmi_budget){limit, false, limit};
    TM_TRY(tmi_each_run(drawing->scene->renderer, &drawing->camera, &unpacking, draw_cells_of_run, drawing,
                        error));
    for (uint32_t i = 0; i < num_cells; i++) {
        uint8_t *rgba = drawing->rgba + (size_t)i * CELL_BYTES;
        tm_pyramid_cell *cell = &drawing->cells[i];
        /* What lies beyond the border is cleared, so that it ends at the same place on all levels. */
        const tm_rect keep = tmi_pyramid_cell_pixels(drawing->scene->frame, cell->level, cell->x, cell->y);
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
    cell_drawing drawing = {.cells = cells,
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
                                      .ctx = &drawing,
                                      .num = num_cells,
                                      .work = draw_cell}};
    TM_TRY(tmi_job_take(&drawing.job, job, error));
    TM_TRY(tmi_reserve(&drawing.budgets, allocator, num_cells, sizeof(*drawing.budgets),
                       "the limits of cells", error));
    const tm_status status = draw_cells(&drawing, num_cells, error);
    tmi_free(allocator, drawing.budgets, num_cells, sizeof(*drawing.budgets));
    return status;
}
