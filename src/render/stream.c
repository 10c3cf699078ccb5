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

static void put_background(const tm_background *background, uint32_t width, const tm_rows *rows)
{
    static const uint8_t grays[2][4] = {{102, 102, 102, 255}, {153, 153, 153, 255}};
    uint8_t *row = rows->rgba;
    for (uint32_t i = 0; i < rows->num; i++, row += rows->row_stride) {
        const uint32_t y = rows->first + i;
        if (i > 0 && !(background->checks && y % CHECK_SIDE == 0)) {
            memcpy(row, row - rows->row_stride, (size_t)width * 4);
            continue;
        }
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *gray = grays[(x / CHECK_SIDE + y / CHECK_SIDE) & 1];
            memcpy(row + (size_t)x * 4, background->checks ? gray : background->rgba, 4);
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
    tm_background background_copy;
    TM_TRY(tmi_options_take(&background_copy, sizeof(background_copy), background, "tm_background", error));
    if (rows->num > 1)
        TM_TRY(tmi_check_stride(rows, width, error));
    put_background(&background_copy, width, rows);
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
    const band *strip = ctx;
    const uint32_t from = (uint32_t)((uint64_t)strip->num_rows * index / strip->num_pieces),
                   end = (uint32_t)((uint64_t)strip->num_rows * (index + 1) / strip->num_pieces);
    const tm_rows rows = {strip->pixels + from * strip->stride, strip->stride, strip->first_row + from,
                          end - from};
    tmi_budget budget = strip->budget;
    if (!strip->begun)
        put_background(strip->background, strip->camera->width, &rows);
    (void)worker;
    (void)stop;
    TM_TRY(tmi_draw_rows(strip->renderer, strip->camera, strip->run, &rows, &budget, error));
    strip->work[index] = strip->budget.left - budget.left;
    return TM_OK;
}

/* Draws one run of layers on all of the band, the first one over the background. */
static tm_status draw_band_run(void *ctx, const tmi_layer_run *run, tm_error *error)
{
    band *strip = ctx;
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = strip->renderer->allocator,
                             .ctx = strip,
                             .num = strip->num_pieces,
                             .work = draw_piece};
    const tm_job inner = {
        .size = sizeof(inner), .executor = strip->job->executor, .cancel = strip->job->cancel};
    strip->run = run;
    TM_TRY(tm_tasks_run(&pieces, &inner, error));
    strip->begun = true;
    for (uint32_t i = 0; i < strip->num_pieces; i++)
        if (!tmi_spend(&strip->budget, strip->work[i]))
            return tmi_over_limit(strip->budget.limit, error);
    return TM_OK;
}

tm_status tm_renderer_stream(const tm_renderer *renderer, const tm_camera *camera,
                             const tm_background *background, const tm_row_sink *sink, const tm_job *job,
                             tm_error *error)
{
    TM_TRY(tmi_need(renderer, "renderer", error));
    TM_TRY(tmi_need(sink, "sink", error));
    tm_job job_copy;
    tm_camera camera_copy;
    tm_background behind;
    TM_TRY(tmi_job_take(&job_copy, job, error));
    TM_TRY(tmi_camera_take(&camera_copy, camera, error));
    TM_TRY(tmi_options_take(&behind, sizeof(behind), background, "tm_background", error));
    const tm_allocator *allocator = renderer->allocator;
    band strip = {.renderer = renderer,
                  .camera = &camera_copy,
                  .background = &behind,
                  .stride = (size_t)camera_copy.width * 4,
                  .job = &job_copy,
                  .num_pieces =
                      job_copy.executor && job_copy.executor->threads ? job_copy.executor->threads : 1};
    const uint64_t limit = tmi_pixel_limit(renderer, &camera_copy);
    strip.budget = (tmi_budget){limit, false, limit};
    if (!tmi_spend(&strip.budget, (uint64_t)camera_copy.width * camera_copy.height))
        return tmi_over_limit(limit, error);
    const size_t fitting = BAND_BYTES / strip.stride;
    const uint32_t most = fitting < 1                    ? 1
                          : fitting > camera_copy.height ? camera_copy.height
                                                         : (uint32_t)fitting;
    if (strip.num_pieces > most)
        strip.num_pieces = most;
    strip.pixels = tmi_alloc(allocator, most, strip.stride);
    strip.work = tmi_calloc(allocator, strip.num_pieces, sizeof(*strip.work));
    tm_status status = TM_OK;
    if (!strip.pixels || !strip.work)
        status = tmi_fail_memory(error, (uint64_t)most * strip.stride, "a part of a picture");
    for (; status == TM_OK && strip.first_row < camera_copy.height; strip.first_row += strip.num_rows) {
        strip.num_rows =
            camera_copy.height - strip.first_row < most ? camera_copy.height - strip.first_row : most;
        strip.begun = false;
        status = tmi_each_run(renderer, &camera_copy, &strip.budget, draw_band_run, &strip, error);
        status = status ? status : sink->rows(sink->ctx, strip.pixels, strip.num_rows, strip.stride, error);
        if (status == TM_OK && job_copy.progress)
            job_copy.progress(job_copy.progress_ctx, (uint64_t)strip.first_row + strip.num_rows,
                              camera_copy.height);
    }
    tmi_free(allocator, strip.pixels, most, strip.stride);
    tmi_free(allocator, strip.work, strip.num_pieces, sizeof(*strip.work));
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
        uint8_t *target = (uint8_t *)rgb + y * rgb_stride;
        const uint8_t *source = (const uint8_t *)rgba + y * rgba_stride;
        uint32_t x = 0;
        /* Four pixels at once: the byte that one writes too much is the next one's, which comes after it. */
        for (; x + 4 < width; x += 4, target += 12, source += 16)
            for (size_t i = 0; i < 4; i++)
                memcpy(target + 3 * i, source + 4 * i, 4);
        for (; x < width; x++, target += 3, source += 4) {
            const uint8_t r = source[0], g = source[1], b = source[2];
            target[0] = r;
            target[1] = g;
            target[2] = b;
        }
    }
    return TM_OK;
}
