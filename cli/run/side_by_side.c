/* SPDX-License-Identifier: Zlib */
/*
 * side_by_side.c - draws maps side by side, in bands: each pane's rows are drawn into their place in a row
 * of the whole picture, many at a time by the job's threads.
 */
#include "side_by_side.h"

#include <math.h>

enum {
    GAP = 8,               /* pixels between two panes */
    BAND_BYTES = 16 << 20, /* that are drawn at a time, but one row at least */
    SLICES = 4,            /* of a band, for each pane: so many threads have something to do */
    PANE_WIDTH = 960,
    PANE_HEIGHT = 1080,
    VIEW_HEIGHT = 540 /* of what a player sees */
};

/* --------------------------------------------------------------------------------------- opening, closing */

picture_options panes_drawing(const tm_preview_marks *of, const picture_options *options, const char *output)
{
    picture_options drawing = *options;
    drawing.output = output;
    if (of->physics && !drawing.layers && !drawing.entities)
        drawing.layers = "design@50,physics";
    if (!drawing.sheet)
        drawing.sheet = "own"; /* a game's freeze is half-transparent black, and looks like a hole */
    return drawing;
}

static void choose_size(picture_options *options)
{
    if (options->size.width || options->scale > 0)
        return;
    options->size.width = PANE_WIDTH;
    options->size.height = options->views.num ? VIEW_HEIGHT : PANE_HEIGHT;
}

tm_status panes_open(panes *of, const picture_options *options, const tm_job *job, size_t *at,
                     tm_error *error)
{
    tm_status status = TM_OK;
    of->options = *options;
    of->job = job;
    choose_size(&of->options);
    for (*at = 0; *at < of->num; (*at)++) {
        pane *own = &of->list[*at];
        own->picture.camera = (tm_camera)TM_CAMERA_INIT;
        TRY(picture_open(&own->picture, &of->options, own->path, own->file, job, error));
    }
    return status;
}

void panes_close(panes *of)
{
    for (size_t i = 0; i < of->num; i++)
        picture_close(&of->list[i].picture);
}

/* ------------------------------------------------------------------------------------------------- camera */

static tm_preview_area both_areas(const tm_preview_area *a, const tm_preview_area *b)
{
    const double left = fmin(a->x, b->x), top = fmin(a->y, b->y),
                 right = fmax(a->x + a->width, b->x + b->width),
                 bottom = fmax(a->y + a->height, b->y + b->height);
    return (tm_preview_area){left, top, right - left, bottom - top};
}

tm_status panes_mark_areas(const panes *of, tm_preview_area **areas, size_t *num, tm_error *error)
{
    size_t most = 0;
    *num = 0;
    for (size_t p = 0; p < of->num; p++)
        most += of->list[p].num_marks;
    *areas = must_alloc(most + 1, sizeof(**areas));
    for (size_t p = 0; p < of->num; p++) {
        const pane *own = &of->list[p];
        for (size_t i = 0; i < own->num_marks; i++) {
            if (!own->marks[i].frame)
                continue;
            TRY(tm_preview_mark_area(&(*areas)[*num], own->file->map, &own->marks[i], of->options.flat,
                                     error));
            ++*num;
        }
    }
    return TM_OK;
}

/* Some tiles more on each side, so that one sees where it is. */
static void widen_area(double *at, double *length, double least)
{
    const double margin = 2, wanted = fmax(*length + 2 * margin, least);
    *at -= (wanted - *length) / 2;
    *length = wanted;
}

/* What a player sees about. */
enum { MIN_WIDTH = 40, MIN_HEIGHT = 22 };

static tm_status area_of_marks(const panes *of, tm_preview_area *out, tm_error *error)
{
    const double spread = 2.0 / 3;
    tm_preview_area whole, *areas;
    size_t num;
    tm_status status = panes_mark_areas(of, &areas, &num, error);
    if (!status && num) {
        *out = areas[0];
        for (size_t i = 1; i < num; i++)
            *out = both_areas(out, &areas[i]);
        widen_area(&out->x, &out->width, MIN_WIDTH);
        widen_area(&out->y, &out->height, MIN_HEIGHT);
    }
    free(areas);
    if (status)
        return status;
    status = tm_preview_map_bounds(&whole, of->list[of->num - 1].file->map, error);
    if (status)
        return num && status == TM_ERROR_NOT_FOUND ? TM_OK : status;
    if (num == 0)
        *out = whole;
    else if (out->width > whole.width * spread && out->height > whole.height * spread)
        *out = both_areas(out, &whole);
    return TM_OK;
}

static void begin_camera(panes *of)
{
    const picture_options *options = &of->options;
    of->camera = (tm_camera)TM_CAMERA_INIT;
    of->camera.time = options->time;
    of->camera.width = options->size.width ? options->size.width : PANE_WIDTH;
    of->camera.height = options->size.width ? options->size.height : PANE_HEIGHT;
}

tm_status panes_show(panes *of, const tm_preview_area *area, tm_error *error)
{
    const double near_by = 1.5; /* as much as this many players see: groups stand as one of them sees them */
    begin_camera(of);
    if (of->options.flat)
        of->camera.kind = TM_CAMERA_FLAT;
    else if (area->width <= MIN_WIDTH * near_by && area->height <= MIN_HEIGHT * near_by)
        of->camera.kind = TM_CAMERA_REGION;
    return tm_preview_fit_area(&of->camera, area, of->options.scale, error);
}

static tm_status aim_at_view(panes *of, tm_error *error)
{
    picture *last = &of->list[of->num - 1].picture;
    last->camera = of->camera;
    last->camera.opacities = last->opacities;
    const tm_status status = picture_look(last, of->options.views.words[0], error);
    of->camera = last->camera;
    return status;
}

tm_status panes_aim(panes *of, tm_error *error)
{
    const picture_options *options = &of->options;
    tm_preview_area area;
    if (options->views.num > 1)
        return fail(error, TM_ERROR_USAGE, "maps side by side take one --view");
    if (options->views.num || options->has_region || options->whole || options->fit) {
        const tm_status status = picture_aim(&of->camera, options, of->list[of->num - 1].file->map, error);
        return status || !options->views.num ? status : aim_at_view(of, error);
    }
    const tm_status status = area_of_marks(of, &area, error);
    return status ? status : panes_show(of, &area, error);
}

/* ------------------------------------------------------------------------------------------------ drawing */

/* One picture of several panes, of which a band is drawn. */
typedef struct pane_picture {
    const panes *of;
    pane_range range;
    uint32_t width; /* of all, pixels */
    uint8_t *rgba;  /* of the band */
    uint32_t first_row, num_rows;
} pane_picture;

static tm_status draw_slice(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const pane_picture *all = ctx;
    const uint32_t slice = index % SLICES, place = index / SLICES;
    const pane *own = &all->of->list[all->range.first + place];
    const uint32_t from = (uint32_t)((uint64_t)all->num_rows * slice / SLICES),
                   to = (uint32_t)((uint64_t)all->num_rows * (slice + 1) / SLICES);
    const size_t stride = (size_t)all->width * 4;
    const tm_background background = picture_background(&all->of->options);
    tm_camera camera = all->of->camera;
    const tm_rows rows = {all->rgba + from * stride + (size_t)place * (camera.width + GAP) * 4, stride,
                          all->first_row + from, to - from};
    (void)worker;
    (void)stop;
    if (from == to)
        return TM_OK;
    camera.opacities = own->picture.opacities;
    tm_status status = tm_background_fill(&background, camera.width, &rows, error);
    if (!status)
        status = tm_renderer_draw(own->picture.renderer, &camera, &rows, error);
    if (!status && all->range.marked)
        status =
            tm_preview_draw_marks(own->picture.renderer, &camera, own->marks, own->num_marks, &rows, error);
    return status;
}

/* Between the panes. */
static void fill_gaps(const pane_picture *all)
{
    const uint8_t color[4] = {64, 64, 64, 255};
    const uint32_t side = all->of->camera.width + GAP;
    for (uint32_t y = 0; y < all->num_rows; y++)
        for (size_t p = 0; p + 1 < all->range.num; p++)
            for (uint32_t x = 0; x < GAP; x++)
                memcpy(all->rgba + ((size_t)y * all->width + p * side + all->of->camera.width + x) * 4, color,
                       sizeof(color));
}

static tm_status draw_band(pane_picture *all, tm_error *error)
{
    tm_tasks pieces = TM_TASKS_INIT;
    tm_job job = TM_JOB_INIT;
    pieces.ctx = all;
    pieces.num = (uint32_t)all->range.num * SLICES;
    pieces.work = draw_slice;
    if (all->of->job)
        job = *all->of->job;
    job.progress = NULL;
    fill_gaps(all);
    return tm_tasks_run(&pieces, &job, error);
}

static tm_status stream_panes(void *ctx, const tm_row_sink *sink, tm_error *error)
{
    pane_picture *all = ctx;
    const uint32_t height = all->of->camera.height;
    const size_t stride = (size_t)all->width * 4, fit = BAND_BYTES / stride;
    const uint32_t rows = fit > height ? height : fit < 1 ? 1 : (uint32_t)fit;
    tm_status status = TM_OK;
    all->rgba = must_alloc(rows, stride);
    for (uint32_t y = 0; !status && y < height; y += rows) {
        all->first_row = y;
        all->num_rows = height - y < rows ? height - y : rows;
        status = draw_band(all, error);
        status = status ? status : sink->rows(sink->ctx, all->rgba, all->num_rows, stride, error);
    }
    free(all->rgba);
    return status;
}

tm_status panes_write(const panes *of, pane_range range, picture_format format, const char *path,
                      tm_error *error)
{
    const uint64_t width = (uint64_t)of->camera.width * range.num + GAP * (range.num - 1);
    pane_picture all = {.of = of, .range = range, .width = (uint32_t)width};
    const picture_rows what = {.options = &of->options,
                               .job = of->job,
                               .width = (uint32_t)width,
                               .height = of->camera.height,
                               .opaque = picture_is_opaque(&of->options),
                               .ctx = &all,
                               .stream = stream_panes};
    if (width > TM_PICTURE_MAX_SIDE)
        return fail(error, TM_ERROR_USAGE,
                    "the pictures side by side would be too wide; make --scale smaller");
    return picture_write_rows(&what, format, path, error);
}
