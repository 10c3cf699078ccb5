/* SPDX-License-Identifier: Zlib */
/*
 * page_panes.c - draws maps side by side, in bands: each pane's rows are drawn into their place in a row of
 * the whole picture, many at a time by the job's threads.
 */
#include "page_panes.h"

#include <math.h>

enum {
    GAP = 8,               /* pixels between two panes */
    BAND_BYTES = 16 << 20, /* that are drawn at a time, but one row at least */
    SLICES = 4,            /* of a band, for each pane: so many threads have something to do */
    PANE_WIDTH = 960,
    PANE_HEIGHT = 1080,
    VIEW_HEIGHT = 540, /* of what a player sees */
    SEEN_HEIGHT = 22,  /* tiles: with PANES_SEEN_WIDTH what a player sees about */
    MARGIN = 2         /* tiles around what changed, so that one sees where it is */
};

/* --------------------------------------------------------------------------------------- opening, closing */

picture_options panes_drawing(const tm_preview_marks *marks, const picture_options *options,
                              const char *output)
{
    picture_options drawing = *options;
    drawing.output = output;
    if (marks->physics && !drawing.layers && !drawing.entities)
        drawing.layers = "design@50,physics";
    if (!drawing.sheet)
        drawing.sheet = "own"; /* a game's freeze is half-transparent black, and looks like a hole */
    return drawing;
}

tm_status panes_open(page_panes *panes, const picture_options *options, const tm_job *job, size_t *failed,
                     tm_error *error)
{
    panes->options = *options;
    panes->job = job;
    if (!options->size.width && options->scale <= 0)
        panes->options.size = (size_value){PANE_WIDTH, options->views.num ? VIEW_HEIGHT : PANE_HEIGHT};
    for (*failed = 0; *failed < panes->page->num; (*failed)++) {
        const page_map *map = &panes->page->maps[*failed];
        panes->list[*failed].camera = (tm_camera)TM_CAMERA_INIT;
        TRY(picture_open(&panes->list[*failed], &panes->options, map->path, map->loaded, job, error));
    }
    return TM_OK;
}

void panes_close(page_panes *panes)
{
    for (size_t i = 0; i < panes->page->num; i++)
        picture_close(&panes->list[i]);
}

const tm_map *panes_last_map(const page_panes *panes)
{
    return panes->page->maps[panes->page->num - 1].loaded->map;
}

/* ------------------------------------------------------------------------------------------------- camera */

static tm_preview_area both_areas(const tm_preview_area *a, const tm_preview_area *b)
{
    const double left = fmin(a->x, b->x), top = fmin(a->y, b->y),
                 right = fmax(a->x + a->width, b->x + b->width),
                 bottom = fmax(a->y + a->height, b->y + b->height);
    return (tm_preview_area){left, top, right - left, bottom - top};
}

tm_status panes_mark_areas(const page_panes *panes, tm_preview_area **areas, size_t *num, tm_error *error)
{
    const changes_page *page = panes->page;
    size_t most = 0;
    *num = 0;
    for (size_t p = 0; p < page->num; p++)
        most += page->marks.map[p].num;
    *areas = must_alloc(most + 1, sizeof(**areas));
    for (size_t p = 0; p < page->num; p++)
        for (size_t i = 0; i < page->marks.map[p].num; i++) {
            const tm_preview_mark *mark = &page->marks.map[p].list[i];
            if (!mark->frame)
                continue;
            TRY(tm_preview_mark_area(&(*areas)[*num], page->maps[p].loaded->map, mark, panes->options.flat,
                                     error));
            ++*num;
        }
    return TM_OK;
}

void panes_widen_side(double *start, double *length, double margin, double least)
{
    const double wanted = fmax(*length + 2 * margin, least);
    *start -= (wanted - *length) / 2;
    *length = wanted;
}

static tm_status area_of_marks(const page_panes *panes, tm_preview_area *out, tm_error *error)
{
    const double spread = 2.0 / 3;
    tm_preview_area whole, *areas;
    size_t num;
    tm_status status = panes_mark_areas(panes, &areas, &num, error);
    if (!status && num) {
        *out = areas[0];
        for (size_t i = 1; i < num; i++)
            *out = both_areas(out, &areas[i]);
        panes_widen_side(&out->x, &out->width, MARGIN, PANES_SEEN_WIDTH);
        panes_widen_side(&out->y, &out->height, MARGIN, SEEN_HEIGHT);
    }
    free(areas);
    if (status)
        return status;
    status = tm_preview_map_bounds(&whole, panes_last_map(panes), error);
    if (status)
        return num && status == TM_ERROR_NOT_FOUND ? TM_OK : status;
    if (num == 0)
        *out = whole;
    else if (out->width > whole.width * spread && out->height > whole.height * spread)
        *out = both_areas(out, &whole);
    return TM_OK;
}

tm_status panes_show(page_panes *panes, const tm_preview_area *area, tm_error *error)
{
    const double near_by = 1.5; /* as much as this many players see: groups stand as one of them sees them */
    const size_value *size = &panes->options.size;
    panes->camera = (tm_camera)TM_CAMERA_INIT;
    panes->camera.time = panes->options.time;
    panes->camera.width = size->width ? size->width : PANE_WIDTH;
    panes->camera.height = size->width ? size->height : PANE_HEIGHT;
    if (panes->options.flat)
        panes->camera.kind = TM_CAMERA_FLAT;
    else if (area->width <= PANES_SEEN_WIDTH * near_by && area->height <= SEEN_HEIGHT * near_by)
        panes->camera.kind = TM_CAMERA_REGION;
    return tm_preview_fit_area(&panes->camera, area, panes->options.scale, error);
}

static tm_status aim_at_view(page_panes *panes, tm_error *error)
{
    cli_picture *last = &panes->list[panes->page->num - 1];
    last->camera = panes->camera;
    last->camera.opacities = last->opacities;
    const tm_status status = picture_look(last, panes->options.views.words[0], error);
    panes->camera = last->camera;
    return status;
}

tm_status panes_aim(page_panes *panes, tm_error *error)
{
    const picture_options *options = &panes->options;
    tm_preview_area area;
    if (options->views.num > 1)
        return fail(error, TM_ERROR_USAGE, "maps side by side take one --view");
    if (options->views.num || options->has_region || options->whole || options->fit) {
        const tm_status status = picture_aim(&panes->camera, options, panes_last_map(panes), error);
        return status || !options->views.num ? status : aim_at_view(panes, error);
    }
    const tm_status status = area_of_marks(panes, &area, error);
    return status ? status : panes_show(panes, &area, error);
}

/* ------------------------------------------------------------------------------------------------ drawing */

/* The picture of all panes, and the band of it that is drawn now. */
typedef struct pane_picture {
    const page_panes *panes;
    pane_range range;
    uint32_t width; /* of all, pixels */
    uint8_t *rgba;  /* of the band */
    uint32_t first_row, num_rows;
} pane_picture;

static tm_status draw_slice(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const pane_picture *picture = ctx;
    const uint32_t slice = index % SLICES, place = index / SLICES;
    const cli_picture *pane = &picture->panes->list[picture->range.first + place];
    const tm_preview_mark_list *marks = &picture->panes->page->marks.map[picture->range.first + place];
    const uint32_t from = (uint32_t)((uint64_t)picture->num_rows * slice / SLICES),
                   to = (uint32_t)((uint64_t)picture->num_rows * (slice + 1) / SLICES);
    const size_t stride = (size_t)picture->width * 4;
    const tm_background background = picture_background(&picture->panes->options);
    tm_camera camera = picture->panes->camera;
    const tm_rows rows = {picture->rgba + from * stride + (size_t)place * (camera.width + GAP) * 4, stride,
                          picture->first_row + from, to - from};
    (void)worker;
    (void)stop;
    if (from == to)
        return TM_OK;
    camera.opacities = pane->opacities;
    tm_status status = tm_background_fill(&background, camera.width, &rows, error);
    if (!status)
        status = tm_renderer_draw(pane->renderer, &camera, &rows, error);
    if (!status && picture->range.marked)
        status = tm_preview_draw_marks(pane->renderer, &camera, marks->list, marks->num, &rows, error);
    return status;
}

/* Fills the gaps between the panes. */
static void fill_gaps(const pane_picture *picture)
{
    const uint8_t color[4] = {64, 64, 64, 255};
    const uint32_t side = picture->panes->camera.width + GAP;
    for (uint32_t y = 0; y < picture->num_rows; y++)
        for (size_t p = 0; p + 1 < picture->range.num; p++)
            for (uint32_t x = 0; x < GAP; x++)
                memcpy(picture->rgba +
                           ((size_t)y * picture->width + p * side + picture->panes->camera.width + x) * 4,
                       color, sizeof(color));
}

static tm_status draw_band(pane_picture *picture, tm_error *error)
{
    tm_tasks pieces = TM_TASKS_INIT;
    tm_job job = TM_JOB_INIT;
    pieces.ctx = picture;
    pieces.num = (uint32_t)picture->range.num * SLICES;
    pieces.work = draw_slice;
    if (picture->panes->job)
        job = *picture->panes->job;
    job.progress = NULL;
    fill_gaps(picture);
    return tm_tasks_run(&pieces, &job, error);
}

static tm_status stream_panes(void *ctx, const tm_row_sink *sink, tm_error *error)
{
    pane_picture *picture = ctx;
    const uint32_t height = picture->panes->camera.height;
    const size_t stride = (size_t)picture->width * 4, fit = BAND_BYTES / stride;
    const uint32_t rows = fit > height ? height : fit < 1 ? 1 : (uint32_t)fit;
    tm_status status = TM_OK;
    picture->rgba = must_alloc(rows, stride);
    for (uint32_t y = 0; !status && y < height; y += rows) {
        picture->first_row = y;
        picture->num_rows = height - y < rows ? height - y : rows;
        status = draw_band(picture, error);
        status = status ? status : sink->rows(sink->ctx, picture->rgba, picture->num_rows, stride, error);
    }
    free(picture->rgba);
    return status;
}

tm_status panes_write(const page_panes *panes, pane_range range, picture_format format, const char *path,
                      tm_error *error)
{
    const uint64_t width = (uint64_t)panes->camera.width * range.num + GAP * (range.num - 1);
    pane_picture picture = {.panes = panes, .range = range, .width = (uint32_t)width};
    const picture_rows rows = {.options = &panes->options,
                               .job = panes->job,
                               .width = (uint32_t)width,
                               .height = panes->camera.height,
                               .opaque = picture_is_opaque(&panes->options),
                               .ctx = &picture,
                               .stream = stream_panes};
    if (width > TM_PICTURE_MAX_SIDE)
        return fail(error, TM_ERROR_USAGE,
                    "the pictures side by side would be too wide; make --scale smaller");
    return picture_write_rows(&rows, format, path, error);
}
