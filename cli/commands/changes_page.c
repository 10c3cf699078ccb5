/* SPDX-License-Identifier: Zlib */
/*
 * changes_page.c - see changes_page.h. The page draws the marks over its pictures, from rectangles in its
 * JSON. Pictures are written first, the page last, so that it is never seen without them.
 */
#include "changes_page.h"

#include "output/json.h"
#include "run/files.h"

#include <math.h>

enum {
    MAX_PLACES = 100,     /* that have pictures */
    MAX_LINES = 1000,     /* of words: for the whole page, and of each place */
    MAX_RECTANGLES = 500, /* of marks in one picture */
    JOIN_WIDTH = 44,      /* tiles: changes so close to one another are one place */
    JOIN_HEIGHT = 26,
    MIN_WIDTH = 40, /* tiles that a picture shows */
    MIN_HEIGHT = 24,
    MARGIN = 3,       /* tiles around what changed */
    PAGE_WIDTH = 960, /* pixels of a picture, unless --size says otherwise */
    PAGE_HEIGHT = 600
};

typedef struct page_work {
    const changes_page *of;
    panes *shown; /* one for each of the maps */
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
static json_t *line_of(const changes_page *of, uint32_t subject)
{
    text line = {0};
    if (of->subjects.put_line(&line, of->subjects.list, subject))
        return line_value(&line);
    text_release(&line);
    return NULL;
}

/* The lines of all changes, at most MAX_LINES; *num: how many changes there are. */
static json_t *lines_of_all(const changes_page *of, uint32_t *num)
{
    json_t *list = json_array();
    *num = 0;
    for (uint32_t i = 0; i < of->subjects.num; i++) {
        json_t *line = line_of(of, i);
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
static bool rectangle_of(double out[4], const panes *all, size_t number, const tm_preview_mark *mark)
{
    const tm_preview_area *area = &mark->area;
    const tm_vector first = {area->x * TM_TILE_PX, area->y * TM_TILE_PX},
                    last = {(area->x + area->width) * TM_TILE_PX, (area->y + area->height) * TM_TILE_PX};
    const tm_renderer *renderer = all->list[number].picture.renderer;
    tm_vector from, to;
    if (tm_renderer_to_picture(&from, renderer, &all->camera, mark->group, first, NULL) ||
        tm_renderer_to_picture(&to, renderer, &all->camera, mark->group, last, NULL))
        return false;
    out[0] = floor(from.x + 0.5);
    out[1] = floor(from.y + 0.5);
    out[2] = floor(to.x - from.x + 0.5);
    out[3] = floor(to.y - from.y + 0.5);
    return to.x >= 0 && to.y >= 0 && from.x <= all->camera.width && from.y <= all->camera.height;
}

/* Adds the line of a frame: each frame around tiles has its own, other changes have one for all frames. */
static void tell_frame(const page_work *page, size_t map, size_t mark, json_t *lines, bool *told)
{
    const changes_page *of = page->of;
    const page_subjects *subjects = &of->subjects;
    const tm_preview_mark_list *marks = &of->marks.map[map];
    const uint32_t subject = marks->list[mark].subject;
    text line = {0};
    if (lines->num >= MAX_LINES)
        return;
    switch (subjects->put_tiles(&line, subjects->list, subject, map, &marks->list[mark])) {
    case FRAME_TELLS: json_append(lines, line_value(&line)); return;
    case FRAME_SILENT: break;
    case FRAME_OF_SUBJECT:
        if (!told[subject])
            json_append(lines, line_of(of, subject));
        told[subject] = true;
    }
    text_release(&line);
}

/* The frames in the picture of a map, and the lines of the changes that they mark. */
static json_t *frames_in(const page_work *page, size_t map, json_t *lines, bool *told)
{
    const tm_preview_mark_list *marks = &page->of->marks.map[map];
    json_t *list = json_array();
    for (size_t i = 0; i < marks->num && list->num < MAX_RECTANGLES; i++) {
        double at[4];
        if (!marks->list[i].frame || !rectangle_of(at, page->shown, map, &marks->list[i]))
            continue;
        json_t *frame =
            json_integers(near_number(at[0]), near_number(at[1]), near_number(at[2]), near_number(at[3]));
        json_append(frame, json_string(tm_mark_kind_name(marks->list[i].kind)));
        json_append(list, frame);
        tell_frame(page, map, i, lines, told);
    }
    return list;
}

/* ----------------------------------------------------------------------------------------------- pictures */

static tm_status put_pane_picture(const page_work *page, size_t number, size_t map, json_t *list,
                                  tm_error *error)
{
    const changes_page *of = page->of;
    const pane_range one = {map, 1, false};
    char file[48];
    snprintf(file, sizeof(file), "%zu-%s.png", number, of->maps[map].file);
    char *path = files_join(of->folder, file);
    const tm_status status = panes_write(page->shown, one, PICTURE_PNG, path, error);
    json_append(list, json_string(file));
    free(path);
    return status;
}

/* Draws the pictures of a place, and adds the place to the list for the page. */
static tm_status put_place_pictures(page_work *page, size_t number, const tm_preview_area *area,
                                    tm_error *error)
{
    const changes_page *of = page->of;
    tm_status status = panes_show(page->shown, area, error);
    if (status)
        return status;
    json_t *place = json_make(), *lines = json_array(), *pictures = json_array(), *frames = json_array();
    bool *told = must_alloc((size_t)of->subjects.num + 1, sizeof(*told));
    for (size_t map = of->first; map < of->num && !status; map++)
        status = put_pane_picture(page, number, map, pictures, error);
    for (size_t map = of->first; map < of->num && !status; map++)
        json_append(frames, frames_in(page, map, lines, told));
    json_add_all(
        place, JSON_BOOL("whole", number == 0),
        JSON_VALUE("at", json_integers(near_number(floor(area->x)), near_number(floor(area->y)),
                                       near_number(ceil(area->width)), near_number(ceil(area->height)))),
        JSON_INT("width", page->shown->camera.width), JSON_INT("height", page->shown->camera.height),
        JSON_VALUE("pictures", pictures), JSON_VALUE("frames", frames), JSON_VALUE("lines", lines));
    json_append(page->list, place);
    free(told);
    return status;
}

static void widen_side(double *at, double *length, double least)
{
    const double wanted = fmax(*length + 2 * MARGIN, least);
    *at -= (wanted - *length) / 2;
    *length = wanted;
}

/* Finds the places with changes, at most MAX_PLACES, each widened to the size of a picture. */
static tm_status find_page_places(page_work *page, tm_error *error)
{
    size_t num;
    tm_status status = panes_mark_areas(page->shown, &page->places, &num, error);
    status = status ? status : tm_preview_join_areas(page->places, &num, JOIN_WIDTH, JOIN_HEIGHT, error);
    page->num_places = num < MAX_PLACES ? num : MAX_PLACES;
    page->left_out = num - page->num_places;
    for (size_t i = 0; i < page->num_places; i++) {
        widen_side(&page->places[i].x, &page->places[i].width, MIN_WIDTH);
        widen_side(&page->places[i].y, &page->places[i].height, MIN_HEIGHT);
    }
    return status;
}

/* Draws the whole map, unless it has no tile layers, then each place. */
static tm_status put_pictures(page_work *page, tm_error *error)
{
    tm_preview_area whole;
    tm_status status = TM_OK;
    const panes *shown = page->shown;
    if (!tm_preview_map_bounds(&whole, shown->list[shown->num - 1].file->map, NULL))
        status = put_place_pictures(page, 0, &whole, error);
    for (size_t i = 0; i < page->num_places && !status; i++)
        status = put_place_pictures(page, i + 1, &page->places[i], error);
    return status;
}

/* ---------------------------------------------------------------------------------------------- the page */

static json_t *color_words(const changes_page *of)
{
    json_t *colors = json_make();
    for (int kind = (int)of->first_kind; kind <= (int)of->last_kind; kind++) {
        uint8_t rgb[3];
        char word[16];
        tm_mark_kind_color(rgb, (tm_mark_kind)kind);
        snprintf(word, sizeof(word), "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
        json_add_text(colors, tm_mark_kind_name((tm_mark_kind)kind), word);
    }
    return colors;
}

static json_t *maps_of(const changes_page *of)
{
    json_t *list = json_array();
    for (size_t i = of->first; i < of->num; i++)
        json_append(list,
                    json_object(JSON_TEXT("word", of->maps[i].word), JSON_TEXT("title", of->maps[i].title),
                                JSON_TEXT("name", path_base(of->maps[i].name))));
    return list;
}

static tm_status put_page(const page_work *page, tm_error *error)
{
    const changes_page *of = page->of;
    uint32_t num;
    json_t *lines = lines_of_all(of, &num);
    json_t *data = json_object(JSON_TEXT("what", of->what), JSON_VALUE("maps", maps_of(of)),
                               JSON_VALUE("colors", color_words(of)), JSON_VALUE("lines", lines),
                               JSON_INT("changes", num), JSON_INT("left_out", page->left_out),
                               JSON_VALUE("places", json_copy(page->list)));
    json_t *values =
        json_object(JSON_VALUE("data", data), JSON_TEXT("generator", of->generator),
                    JSON_TEXT("title", of->title), JSON_TEXT("name", path_base(of->maps[of->named].name)));
    char *path = files_join(of->folder, "index.html");
    const tm_status status = save_page(path, changes_page_html, values, error);
    free(path);
    return status;
}

static tm_status write_changes_page(page_work *page, tm_error *error)
{
    const changes_page *of = page->of;
    char *first = files_join(of->folder, "index.html");
    if (!of->options->size.width && of->options->scale <= 0)
        page->shown->options.size = (size_value){PAGE_WIDTH, PAGE_HEIGHT};
    page->list = json_array();
    tm_status status = files_make_folders(first, error);
    status = status ? status : find_page_places(page, error);
    status = status ? status : put_pictures(page, error);
    status = status ? status : put_page(page, error);
    json_free(page->list);
    free(page->places);
    free(first);
    return status;
}

/* ------------------------------------------------------------------------------------------------ drawing */

/* Reports damage that affects the pictures, marks without a frame, and places without a picture. */
static void say_drawn_changes(const page_work *page, tm_status opened, tm_status status, report *to)
{
    const changes_page *of = page->of;
    for (size_t i = of->first; i < of->num; i++) {
        to->path = of->maps[i].name;
        picture_report(to, &page->shown->list[i].picture, of->maps[i].loaded);
    }
    if (to->tool->common->quiet)
        return;
    if (!opened)
        of->put_lacking(to->err, &of->marks);
    if (!status && page->left_out) {
        put_about(to->err, of->folder, "pictures of the first %zu places; ", page->num_places);
        text_count(to->err, page->left_out, "more is", "more are");
        text_print(to->err, " in the text only%s\n", of->advice);
    }
}

tm_status changes_page_draw(changes_page *of, const tm_job *job, report *to, tm_error *error)
{
    const picture_options options = panes_drawing(&of->marks, of->options, of->picture);
    const pane_range all = {of->first, of->num - of->first, true};
    panes shown = {.num = of->num};
    page_work page = {.of = of, .shown = &shown};
    size_t at;
    for (size_t i = 0; i < of->num; i++)
        shown.list[i] = (pane){.path = of->maps[i].path,
                               .file = of->maps[i].loaded,
                               .marks = of->marks.map[i].list,
                               .num_marks = of->marks.map[i].num};
    const tm_status opened = panes_open(&shown, &options, job, &at, error);
    of->failed = at < of->num ? at : of->num - 1;
    tm_status status = opened;
    if (!status && of->picture)
        status = panes_aim(&shown, error);
    if (!status && of->picture)
        status = panes_write(&shown, all, of->format, of->picture, error);
    if (!status && of->folder)
        status = write_changes_page(&page, error);
    say_drawn_changes(&page, opened, status, to);
    panes_close(&shown);
    tm_preview_marks_release(&of->marks);
    return status;
}
