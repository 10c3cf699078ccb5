/* SPDX-License-Identifier: Zlib */
/*
 * Pictures of any size in bounded memory: drawn in bands from the top, each taken apart into one piece for
 * each thread, and handed on band by band. Does not know how a piece is drawn. Also pixels without alpha.
 */
#include "render.h"

#include <teemap/jobs.h>

enum { CHECK_SIDE = 16 };
/* Room for the pixels of a band; large enough that its seams cost nothing. */
#define BAND_BYTES ((size_t)32 << 20)

/* --------------------------------------------------------------------------------------------- background */

static void put_background(const tm_background *with, uint32_t width, const tm_rows *rows)
{
    static const uint8_t grays[2][4] = {{102, 102, 102, 255}, {153, 153, 153, 255}};
    uint8_t *row = rows->rgba;
    for (uint32_t i = 0; i < rows->num; i++, row += rows->row_stride) {
        const uint32_t y = rows->first + i;
        if (i > 0 && !(with->checks && y % CHECK_SIDE == 0)) {
            memcpy(row, row - rows->row_stride, (size_t)width * 4);
            continue;
        }
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *gray = grays[(x / CHECK_SIDE + y / CHECK_SIDE) & 1];
            memcpy(row + (size_t)x * 4, with->checks ? gray : with->rgba, 4);
        }
    }
}

tm_status tmi_check_stride(const tm_rows *rows, uint32_t width, tm_error *error)
{
    if (rows->row_stride >= (size_t)width * 4)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "row_stride is %llu, but %u pixels have %llu bytes",
                    (unsigned long long)rows->row_stride, (unsigned)width, (unsigned long long)width * 4);
}

tm_status tm_background_fill(const tm_background *background, uint32_t width, const tm_rows *rows,
                             tm_error *error)
{
    TM_TRY(tmi_need(rows, "rows", error));
    if (rows->num)
        TM_TRY(tmi_need(rows->rgba, "rgba", error));
    tm_background with;
    TM_TRY(tmi_options_take(&with, sizeof(with), background, "tm_background", error));
    if (rows->num > 1)
        TM_TRY(tmi_check_stride(rows, width, error));
    put_background(&with, width, rows);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- bands */

typedef struct band {
    const tm_renderer *renderer;
    const tm_camera *camera;
    const tm_background *background;
    uint8_t *pixels;
    size_t stride;
    uint32_t first_row, num_rows;
    uint32_t num_pieces;
    uint64_t *work; /* pixels, of each piece, in the run at hand */
    const tmi_layer_run *run;
    const tm_job *job;
    bool begun;        /* the background is there */
    tmi_budget budget; /* of this band and those below */
} band;

static tm_status draw_piece(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const band *of = ctx;
    const uint32_t from = (uint32_t)((uint64_t)of->num_rows * index / of->num_pieces),
                   end = (uint32_t)((uint64_t)of->num_rows * (index + 1) / of->num_pieces);
    const tm_rows rows = {of->pixels + from * of->stride, of->stride, of->first_row + from, end - from};
    tmi_budget budget = of->budget;
    if (!of->begun)
        put_background(of->background, of->camera->width, &rows);
    (void)worker;
    (void)stop;
    TM_TRY(tmi_draw_rows(of->renderer, of->camera, of->run, &rows, &budget, error));
    of->work[index] = of->budget.left - budget.left;
    return TM_OK;
}

/* Draws one run of layers on all of the band, the first one over the background. */
static tm_status draw_band_run(void *ctx, const tmi_layer_run *run, tm_error *error)
{
    band *of = ctx;
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = of->renderer->allocator,
                             .ctx = of,
                             .num = of->num_pieces,
                             .work = draw_piece};
    const tm_job inner = {.size = sizeof(inner), .executor = of->job->executor, .cancel = of->job->cancel};
    of->run = run;
    TM_TRY(tm_tasks_run(&pieces, &inner, error));
    of->begun = true;
    for (uint32_t i = 0; i < of->num_pieces; i++)
        if (!tmi_spend(&of->budget, of->work[i]))
            return tmi_over_limit(of->budget.limit, error);
    return TM_OK;
}

tm_status tm_renderer_stream(const tm_renderer *renderer, const tm_camera *camera,
                             const tm_background *background, const tm_row_sink *sink, const tm_job *job,
                             tm_error *error)
{
    TM_TRY(tmi_need(renderer, "renderer", error));
    TM_TRY(tmi_need(sink, "sink", error));
    tm_job how;
    tm_camera at;
    tm_background behind;
    TM_TRY(tmi_job_take(&how, job, error));
    TM_TRY(tmi_camera_take(&at, camera, error));
    TM_TRY(tmi_options_take(&behind, sizeof(behind), background, "tm_background", error));
    const tm_allocator *allocator = renderer->allocator;
    band of = {.renderer = renderer,
               .camera = &at,
               .background = &behind,
               .stride = (size_t)at.width * 4,
               .job = &how,
               .num_pieces = how.executor && how.executor->threads ? how.executor->threads : 1};
    const uint64_t limit = tmi_pixel_limit(renderer, &at);
    of.budget = (tmi_budget){limit, false, limit};
    if (!tmi_spend(&of.budget, (uint64_t)at.width * at.height))
        return tmi_over_limit(limit, error);
    const size_t fitting = BAND_BYTES / of.stride;
    const uint32_t most = fitting < 1 ? 1 : fitting > at.height ? at.height : (uint32_t)fitting;
    if (of.num_pieces > most)
        of.num_pieces = most;
    of.pixels = tmi_alloc(allocator, most, of.stride);
    of.work = tmi_calloc(allocator, of.num_pieces, sizeof(*of.work));
    tm_status status = TM_OK;
    if (!of.pixels || !of.work)
        status = tmi_fail_memory(error, (uint64_t)most * of.stride, "a part of a picture");
    for (; status == TM_OK && of.first_row < at.height; of.first_row += of.num_rows) {
        of.num_rows = at.height - of.first_row < most ? at.height - of.first_row : most;
        of.begun = false;
        status = tmi_each_run(renderer, &at, &of.budget, draw_band_run, &of, error);
        status = status ? status : sink->rows(sink->ctx, of.pixels, of.num_rows, of.stride, error);
        if (status == TM_OK && how.progress)
            how.progress(how.progress_ctx, (uint64_t)of.first_row + of.num_rows, at.height);
    }
    tmi_free(allocator, of.pixels, most, of.stride);
    tmi_free(allocator, of.work, of.num_pieces, sizeof(*of.work));
    return status;
}

/* -------------------------------------------------------------------------------------------------- RGB */

/*
 * For programs that learn or stream. This is a step after the drawing, because layers are blended in four
 * channels.
 */
tm_status tm_pixels_to_rgb(void *rgb, size_t rgb_stride, const void *rgba, size_t rgba_stride, uint32_t width,
                           uint32_t num_rows, tm_error *error)
{
    if (width == 0 || num_rows == 0)
        return TM_OK;
    TM_TRY(tmi_need(rgb, "rgb", error));
    TM_TRY(tmi_need(rgba, "rgba", error));
    if (num_rows > 1 && (rgb_stride < (size_t)width * 3 || rgba_stride < (size_t)width * 4))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the strides are %llu and %llu, but a row has %u pixels",
                        (unsigned long long)rgb_stride, (unsigned long long)rgba_stride, (unsigned)width);
    for (uint32_t y = 0; y < num_rows; y++) {
        uint8_t *to = (uint8_t *)rgb + y * rgb_stride;
        const uint8_t *from = (const uint8_t *)rgba + y * rgba_stride;
        uint32_t x = 0;
        /* Four pixels at once: the byte that one writes too much is the next one's, which comes after it. */
        for (; x + 4 < width; x += 4, to += 12, from += 16)
            for (size_t i = 0; i < 4; i++)
                memcpy(to + 3 * i, from + 4 * i, 4);
        for (; x < width; x++, to += 3, from += 4) {
            const uint8_t r = from[0], g = from[1], b = from[2];
            to[0] = r;
            to[1] = g;
            to[2] = b;
        }
    }
    return TM_OK;
}
