/* SPDX-License-Identifier: Zlib */
/*
 * changes_page.c - draws maps side by side, in bands: each pane's rows are drawn into their place in a row of
 * the whole picture, many at a time by the job's threads. Pictures of the page have no marks; it is told as
 * numbers where these are, and draws them. Pictures come first, the page last: who sees it sees all of it.
 */
#include "changes_page.h"

#include <math.h>

enum {
    GAP = 8,               /* pixels between two panes */
    BAND_BYTES = 16 << 20, /* that are drawn at a time, but one row at least */
    SLICES = 4,            /* of a band, for each pane: so many threads have something to do */
    PANE_WIDTH = 960,
    PANE_HEIGHT = 1080,
    VIEW_HEIGHT = 540, /* of what a player sees */
    SEEN_WIDTH = 40,   /* tiles: what a player sees about */
    SEEN_HEIGHT = 22,
    PAGE_SEEN_HEIGHT = 24, /* the same on the page */
    MARGIN = 2,            /* tiles around what changed, so that one sees where it is */
    PAGE_MARGIN = 3
};

/* All maps of a page or a picture, seen by one camera; the marks over them are the page's. */
typedef struct page_panes {
    const changes_page *page;
    picture_options options; /* of all of them; size is that of one */
    const tm_job *job;       /* may be NULL */
    cli_picture list[TM_PREVIEW_MARKED_MAPS];
    tm_camera camera; /* of all; its opacities are not used */
} page_panes;

/* Panes [first, first + num) side by side. */
typedef struct pane_range {
    size_t first, num;
    bool marked; /* with their marks */
} pane_range;

/* --------------------------------------------------------------------------------------- opening, closing */

/*
 * How marked maps are drawn when the options do not say: with marks in what the game plays by, that, over a
 * fainter design. `output` is where the picture goes.
 */
static picture_options panes_drawing(const tm_preview_marks *marks, const picture_options *options,
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

/*
 * Makes a renderer for each map. What was opened is closed by panes_close, after a failure, too. `failed`
 * becomes the pane that failed.
 */
static tm_status panes_open(page_panes *panes, const picture_options *options, const tm_job *job,
                            size_t *failed, tm_error *error)
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

static void panes_close(page_panes *panes)
{
    for (size_t i = 0; i < panes->page->num; i++)
        picture_close(&panes->list[i]);
}

/* The last map: it is the one that views and sizes are of. */
static const tm_map *last_map(const page_panes *panes)
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

/* The parts of the map where marks with a frame are. The caller's to free. */
static tm_status panes_mark_areas(const page_panes *panes, tm_preview_area **areas, size_t *num,
                                  tm_error *error)
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

/* A margin on each side, and so many tiles at least. */
static void widen_side(double *start, double *length, double margin, double least)
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
        widen_side(&out->x, &out->width, MARGIN, SEEN_WIDTH);
        widen_side(&out->y, &out->height, MARGIN, SEEN_HEIGHT);
    }
    free(areas);
    if (status)
        return status;
    status = tm_preview_map_bounds(&whole, last_map(panes), error);
    if (status)
        return num && status == TM_ERROR_NOT_FOUND ? TM_OK : status;
    if (num == 0)
        *out = whole;
    else if (out->width > whole.width * spread && out->height > whole.height * spread)
        *out = both_areas(out, &whole);
    return TM_OK;
}

/* Points at a part of the map. */
static tm_status panes_show(page_panes *panes, const tm_preview_area *area, tm_error *error)
{
    const double near_by = 1.5; /* as much as this many players see: groups stand as one of them sees them */
    const size_value *size = &panes->options.size;
    panes->camera = (tm_camera)TM_CAMERA_INIT;
    panes->camera.time = panes->options.time;
    panes->camera.width = size->width ? size->width : PANE_WIDTH;
    panes->camera.height = size->width ? size->height : PANE_HEIGHT;
    if (panes->options.flat)
        panes->camera.kind = TM_CAMERA_FLAT;
    else if (area->width <= SEEN_WIDTH * near_by && area->height <= SEEN_HEIGHT * near_by)
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

/*
 * Where all look: what the options ask for, of the last map, else at all marks; at the whole map when these
 * are all over it, or when there are none.
 */
static tm_status panes_aim(page_panes *panes, tm_error *error)
{
    const picture_options *options = &panes->options;
    tm_preview_area area;
    if (options->views.num > 1)
        return fail(error, TM_ERROR_USAGE, "maps side by side take one --view");
    if (options->views.num || options->has_region || options->whole || options->fit) {
        const tm_status status = picture_aim(&panes->camera, options, last_map(panes), error);
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

static tm_status panes_write(const page_panes *panes, pane_range range, picture_format format,
                             const char *path, tm_error *error)
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

/* ---------------------------------------------------------------------------------------------- the page */

enum {
    MAX_PLACES = 100,     /* that have pictures */
    MAX_LINES = 1000,     /* of words: for the whole page, and of each place */
    MAX_RECTANGLES = 500, /* of marks in one picture */
    JOIN_WIDTH = 44,      /* tiles: changes so close to one another are one place */
    JOIN_HEIGHT = 26,
    PAGE_WIDTH = 960, /* pixels of a picture, unless --size says otherwise */
    PAGE_HEIGHT = 600
};

typedef struct page_work {
    const changes_page *page;
    page_panes *shown; /* one for each of the maps */
    tm_preview_area *places;
    size_t num_places;
    json_t *list; /* of places, for the page */
    size_t left_out;
} page_work;

/* ------------------------------------------------------------------------------------------------- words */

/* A line as JSON. Takes the text over. */
static json_t *line_value(text *line)
{
    json_t *value = json_string(text_words(line));
    text_release(line);
    return value;
}

/* The line about a subject; NULL: nothing is reported of it. */
static json_t *line_of(const changes_page *page, uint32_t subject)
{
    text line = {0};
    if (page->subjects.put_line(&line, page->subjects.list, subject))
        return line_value(&line);
    text_release(&line);
    return NULL;
}

/* The lines of all changes, at most MAX_LINES; *num: how many changes there are. */
static json_t *lines_of_all(const changes_page *page, uint32_t *num)
{
    json_t *list = json_array();
    *num = 0;
    for (uint32_t i = 0; i < page->subjects.num; i++) {
        json_t *line = line_of(page, i);
        *num += line ? 1 : 0;
        if (line && *num <= MAX_LINES)
            json_append(list, line);
        else
            json_free(line);
    }
    return list;
}

/* ------------------------------------------------------------------------------------------------- marks */

/* A coordinate as an int, at most 1e9 from 0: groups with an extreme parallax draw things far away. */
static int near_number(double at)
{
    const double most = 1e9;
    return (int)(at > most ? most : at > -most ? at : -most);
}

/* The rectangle of a mark in the picture of a place; false: the mark lies outside of it. */
static bool rectangle_of(double out[4], const page_panes *panes, size_t number, const tm_preview_mark *mark)
{
    const tm_preview_area *area = &mark->area;
    const tm_vector first = {area->x * TM_TILE_PX, area->y * TM_TILE_PX},
                    last = {(area->x + area->width) * TM_TILE_PX, (area->y + area->height) * TM_TILE_PX};
    const tm_renderer *renderer = panes->list[number].renderer;
    tm_vector top_left, bottom_right;
    if (tm_renderer_to_picture(&top_left, renderer, &panes->camera, mark->group, first, NULL) ||
        tm_renderer_to_picture(&bottom_right, renderer, &panes->camera, mark->group, last, NULL))
        return false;
    out[0] = floor(top_left.x + 0.5);
    out[1] = floor(top_left.y + 0.5);
    out[2] = floor(bottom_right.x - top_left.x + 0.5);
    out[3] = floor(bottom_right.y - top_left.y + 0.5);
    return bottom_right.x >= 0 && bottom_right.y >= 0 && top_left.x <= panes->camera.width &&
           top_left.y <= panes->camera.height;
}

void put_frame_place(text *out, const tm_address *layer, const char *name, const char *content,
                     const tm_preview_mark *mark)
{
    char place[TM_ERROR_PLACE_SIZE];
    tm_address_describe(layer, NULL, place, sizeof(place));
    text_string(out, place);
    if (*name) {
        text_string(out, " ");
        text_quoted(out, name);
    }
    text_print(out, ": %s at %.0f,%.0f %.0fx%.0f", content, mark->area.x, mark->area.y, mark->area.width,
               mark->area.height);
}

/* Adds the line of a frame: each frame around tiles has its own, other changes have one for all frames. */
static void add_frame_line(const page_work *work, size_t map, size_t mark, json_t *lines, bool *has_line)
{
    const changes_page *page = work->page;
    const page_subjects *subjects = &page->subjects;
    const tm_preview_mark_list *marks = &page->marks.map[map];
    const uint32_t subject = marks->list[mark].subject;
    text line = {0};
    if (lines->num >= MAX_LINES)
        return;
    switch (subjects->put_tiles(&line, subjects->list, subject, map, &marks->list[mark])) {
    case FRAME_TELLS: json_append(lines, line_value(&line)); return;
    case FRAME_SILENT: break;
    case FRAME_OF_SUBJECT:
        if (!has_line[subject])
            json_append(lines, line_of(page, subject));
        has_line[subject] = true;
    }
    text_release(&line);
}

/* The frames in the picture of a map, and the lines of the changes that they mark. */
static json_t *frames_in(const page_work *work, size_t map, json_t *lines, bool *has_line)
{
    const tm_preview_mark_list *marks = &work->page->marks.map[map];
    json_t *list = json_array();
    for (size_t i = 0; i < marks->num && list->num < MAX_RECTANGLES; i++) {
        double at[4];
        if (!marks->list[i].frame || !rectangle_of(at, work->shown, map, &marks->list[i]))
            continue;
        json_t *frame =
            json_integers(near_number(at[0]), near_number(at[1]), near_number(at[2]), near_number(at[3]));
        json_append(frame, json_string(tm_mark_kind_name(marks->list[i].kind)));
        json_append(list, frame);
        add_frame_line(work, map, i, lines, has_line);
    }
    return list;
}

/* ----------------------------------------------------------------------------------------------- pictures */

static tm_status put_pane_picture(const page_work *work, size_t number, size_t map, json_t *list,
                                  tm_error *error)
{
    const changes_page *page = work->page;
    const pane_range range = {map, 1, false};
    char file[48];
    snprintf(file, sizeof(file), "%zu-%s.png", number, page->maps[map].file);
    char *path = files_join(page->folder, file);
    const tm_status status = panes_write(work->shown, range, PICTURE_PNG, path, error);
    json_append(list, json_string(file));
    free(path);
    return status;
}

/* Draws the pictures of a place, and adds the place to the list for the page. */
static tm_status put_place_pictures(page_work *work, size_t number, const tm_preview_area *area,
                                    tm_error *error)
{
    const changes_page *page = work->page;
    tm_status status = panes_show(work->shown, area, error);
    if (status)
        return status;
    json_t *place = json_make(), *lines = json_array(), *pictures = json_array(), *frames = json_array();
    bool *has_line = must_alloc((size_t)page->subjects.num + 1, sizeof(*has_line));
    for (size_t map = page->first; map < page->num && !status; map++)
        status = put_pane_picture(work, number, map, pictures, error);
    for (size_t map = page->first; map < page->num && !status; map++)
        json_append(frames, frames_in(work, map, lines, has_line));
    json_add_all(
        place, JSON_BOOL("whole", number == 0),
        JSON_VALUE("at", json_integers(near_number(floor(area->x)), near_number(floor(area->y)),
                                       near_number(ceil(area->width)), near_number(ceil(area->height)))),
        JSON_INT("width", work->shown->camera.width), JSON_INT("height", work->shown->camera.height),
        JSON_VALUE("pictures", pictures), JSON_VALUE("frames", frames), JSON_VALUE("lines", lines));
    json_append(work->list, place);
    free(has_line);
    return status;
}

/* Finds the places with changes, at most MAX_PLACES, each widened to the size of a picture. */
static tm_status find_page_places(page_work *work, tm_error *error)
{
    size_t num;
    tm_status status = panes_mark_areas(work->shown, &work->places, &num, error);
    status = status ? status : tm_preview_join_areas(work->places, &num, JOIN_WIDTH, JOIN_HEIGHT, error);
    work->num_places = num < MAX_PLACES ? num : MAX_PLACES;
    work->left_out = num - work->num_places;
    for (size_t i = 0; i < work->num_places; i++) {
        widen_side(&work->places[i].x, &work->places[i].width, PAGE_MARGIN, SEEN_WIDTH);
        widen_side(&work->places[i].y, &work->places[i].height, PAGE_MARGIN, PAGE_SEEN_HEIGHT);
    }
    return status;
}

/* Draws the whole map, unless it has no tile layers, then each place. */
static tm_status put_pictures(page_work *work, tm_error *error)
{
    tm_preview_area whole;
    tm_status status = TM_OK;
    const page_panes *shown = work->shown;
    if (!tm_preview_map_bounds(&whole, last_map(shown), NULL))
        status = put_place_pictures(work, 0, &whole, error);
    for (size_t i = 0; i < work->num_places && !status; i++)
        status = put_place_pictures(work, i + 1, &work->places[i], error);
    return status;
}

/* ---------------------------------------------------------------------------------------------- the page */

static json_t *color_words(const changes_page *page)
{
    json_t *colors = json_make();
    for (int kind = (int)page->first_kind; kind <= (int)page->last_kind; kind++) {
        uint8_t rgb[3];
        char word[16];
        tm_mark_kind_color(rgb, (tm_mark_kind)kind);
        snprintf(word, sizeof(word), "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
        json_add_text(colors, tm_mark_kind_name((tm_mark_kind)kind), word);
    }
    return colors;
}

static json_t *maps_of(const changes_page *page)
{
    json_t *list = json_array();
    for (size_t i = page->first; i < page->num; i++)
        json_append(list, json_object(JSON_TEXT("word", page->maps[i].word),
                                      JSON_TEXT("title", page->maps[i].title),
                                      JSON_TEXT("name", path_base(page->maps[i].name))));
    return list;
}

static tm_status put_page(const page_work *work, tm_error *error)
{
    const changes_page *page = work->page;
    uint32_t num;
    json_t *lines = lines_of_all(page, &num);
    json_t *data = json_object(JSON_TEXT("what", page->noun), JSON_VALUE("maps", maps_of(page)),
                               JSON_VALUE("colors", color_words(page)), JSON_VALUE("lines", lines),
                               JSON_INT("changes", num), JSON_INT("left_out", work->left_out),
                               JSON_VALUE("places", json_copy(work->list)));
    json_t *values = json_object(JSON_VALUE("data", data), JSON_TEXT("generator", page->generator),
                                 JSON_TEXT("title", page->title),
                                 JSON_TEXT("name", path_base(page->maps[page->named].name)));
    char *path = files_join(page->folder, "index.html");
    const tm_status status = save_page_below(page->folder, path, changes_page_html, values, error);
    free(path);
    return status;
}

static tm_status write_changes_page(page_work *work, tm_error *error)
{
    const changes_page *page = work->page;
    if (!page->options->size.width && page->options->scale <= 0)
        work->shown->options.size = (size_value){PAGE_WIDTH, PAGE_HEIGHT};
    work->shown->options.folder = page->folder;
    work->list = json_array();
    tm_status status = find_page_places(work, error);
    status = status ? status : put_pictures(work, error);
    status = status ? status : put_page(work, error);
    json_free(work->list);
    free(work->places);
    return status;
}

/* ------------------------------------------------------------------------------------------------ drawing */

/* Reports damage that affects the pictures, marks without a frame, and places without a picture. */
static void report_drawn_changes(const page_work *work, tm_status opened, tm_status status,
                                 cli_report *report)
{
    const changes_page *page = work->page;
    for (size_t i = page->first; i < page->num; i++) {
        report->path = page->maps[i].name;
        picture_report(report, &work->shown->list[i], page->maps[i].loaded);
    }
    if (report->tool->common->quiet)
        return;
    if (!opened)
        page->put_lacking(report->err, &page->marks);
    if (!opened && page->marks.left_out) {
        text_count(report->err, page->marks.left_out, page->singular, page->plural);
        text_string(report->err, " not framed: there are too many\n");
    }
    if (!status && work->left_out) {
        put_about(report->err, page->folder, "pictures of the first %zu places; ", work->num_places);
        text_count(report->err, work->left_out, "more is", "more are");
        text_print(report->err, " in the text only%s\n", page->advice);
    }
}

tm_status changes_page_draw(changes_page *page, const tm_job *job, cli_report *report, tm_error *error)
{
    const picture_options options = panes_drawing(&page->marks, page->options, page->picture);
    const pane_range range = {page->first, page->num - page->first, true};
    page_panes shown = {.page = page};
    page_work work = {.page = page, .shown = &shown};
    size_t at;
    const tm_status opened = panes_open(&shown, &options, job, &at, error);
    page->failed = at < page->num ? at : page->num - 1;
    tm_status status = opened;
    if (!status && page->picture)
        status = panes_aim(&shown, error);
    if (!status && page->picture)
        status = panes_write(&shown, range, page->format, page->picture, error);
    if (!status && page->folder)
        status = write_changes_page(&work, error);
    report_drawn_changes(&work, opened, status, report);
    panes_close(&shown);
    tm_preview_marks_release(&page->marks);
    return status;
}

const char *changes_page_fault(picture_format *format, const picture_options *options, const char *file)
{
    if (file && strcmp(file, "-") == 0)
        return "--picture needs the name of a file";
    return file ? picture_choose_format(format, options, file, PICTURE_NAMED) : NULL;
}
