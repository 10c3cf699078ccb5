/* SPDX-License-Identifier: Zlib */
/*
 * changes_page.c - the page of a diff or a merge: words and pictures of each place where the maps differ.
 * Pictures of the page have no marks; it is told as numbers where these are, and draws them. Pictures come
 * first, the page last: who sees it sees all of it.
 */
#include "changes_page.h"
#include "page_panes.h"

#include <math.h>

enum {
    MAX_PLACES = 100,     /* that have pictures */
    MAX_LINES = 1000,     /* of words: for the whole page, and of each place */
    MAX_RECTANGLES = 500, /* of marks in one picture */
    JOIN_WIDTH = 44,      /* tiles: changes so close to one another are one place */
    JOIN_HEIGHT = 26,
    PAGE_SEEN_HEIGHT = 24, /* tiles, with PANES_SEEN_WIDTH */
    PAGE_MARGIN = 3,
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
        panes_widen_side(&work->places[i].x, &work->places[i].width, PAGE_MARGIN, PANES_SEEN_WIDTH);
        panes_widen_side(&work->places[i].y, &work->places[i].height, PAGE_MARGIN, PAGE_SEEN_HEIGHT);
    }
    return status;
}

/* Draws the whole map, unless it has no tile layers, then each place. */
static tm_status put_pictures(page_work *work, tm_error *error)
{
    tm_preview_area whole;
    tm_status status = TM_OK;
    const page_panes *shown = work->shown;
    if (!tm_preview_map_bounds(&whole, panes_last_map(shown), NULL))
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
