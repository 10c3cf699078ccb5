/* SPDX-License-Identifier: Zlib */
/*
 * diff_page.c - the page of `teemap diff --page`: two pictures of each place where something changed, before
 * and after, without marks; where these are, the page is told as numbers, and draws them. Pictures come
 * first, the page last: who sees it sees all of it.
 */
#include "diff_picture.h"
#include "output/html.h"
#include "output/json.h"
#include "run/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PLACES = 100,     /* that have pictures */
    MOST_LINES = 1000,     /* of words: for the whole page, and of each place */
    MOST_RECTANGLES = 500, /* of marks in one picture */
    JOIN_WIDTH = 44,       /* tiles: changes so close to one another are one place */
    JOIN_HEIGHT = 26,
    LEAST_WIDTH = 40, /* tiles that a picture shows */
    LEAST_HEIGHT = 24,
    MARGIN = 3,       /* tiles around what changed */
    PAGE_WIDTH = 960, /* pixels of a picture, unless --size says otherwise */
    PAGE_HEIGHT = 600
};

typedef struct diff_page {
    diff_picture *of;
    const char *folder;
    tm_preview_area *places;
    size_t num_places;
    json_t *list; /* of places, for the page */
    size_t left_out;
} diff_page;

/* ------------------------------------------------------------------------------------------------- words */

static json_t *line_of(const tm_patch *patch, uint32_t index)
{
    tm_patch_change change;
    char line[512];
    text safe = {0};
    tm_patch_at(patch, index, &change);
    tm_patch_change_format(&change, line, sizeof(line));
    text_safe(&safe, line);
    text_put(&safe, "", 1);
    json_t *value = json_string(safe.bytes);
    text_release(&safe);
    return value;
}

/* All changes, as far as one reads. */
static json_t *lines_of_all(const tm_patch *patch)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < tm_patch_num(patch) && i < MOST_LINES; i++)
        json_append(list, line_of(patch, i));
    return list;
}

/* ------------------------------------------------------------------------------------------------- marks */

/* Groups with a wild parallax show things far away; nobody looks there. */
static int near_number(double at)
{
    const double most = 1e9;
    return (int)(at > most ? most : at > -most ? at : -most);
}

/* Where a mark is in the picture that the panes show; false: it is not in it. */
static bool rectangle_of(double out[4], const panes *both, int side, const tm_preview_mark *mark)
{
    const tm_preview_area *area = &mark->area;
    const tm_vector first = {area->x * TM_TILE_PX, area->y * TM_TILE_PX},
                    last = {(area->x + area->width) * TM_TILE_PX, (area->y + area->height) * TM_TILE_PX};
    const tm_renderer *renderer = both->list[side].picture.renderer;
    tm_vector from, to;
    if (tm_renderer_to_picture(renderer, &both->camera, mark->group, first, &from, NULL) ||
        tm_renderer_to_picture(renderer, &both->camera, mark->group, last, &to, NULL))
        return false;
    out[0] = floor(from.x + 0.5);
    out[1] = floor(from.y + 0.5);
    out[2] = floor(to.x - from.x + 0.5);
    out[3] = floor(to.y - from.y + 0.5);
    return to.x >= 0 && to.y >= 0 && from.x <= both->camera.width && from.y <= both->camera.height;
}

/* What the frame of a rectangle of tiles says: only that, and not what else its layer has. */
static json_t *line_of_tiles(const tm_patch_change *change, const tm_preview_mark *mark)
{
    char place[TM_ERROR_PLACE_SIZE];
    text line = {0};
    tm_address_describe(&change->after, NULL, place, sizeof(place));
    text_string(&line, place);
    if (*change->name) {
        text_string(&line, " ");
        text_quoted(&line, change->name);
    }
    text_print(&line, ": tiles %s at %.0f,%.0f %.0fx%.0f", tm_mark_kind_name(mark->kind), mark->area.x,
               mark->area.y, mark->area.width, mark->area.height);
    text_put(&line, "", 1);
    json_t *value = json_string(line.bytes);
    text_release(&line);
    return value;
}

/* Tells a frame: tiles one by one, with their place in the old map, other changes once. */
static void tell_frame(const diff_page *page, int side, const tm_preview_mark *mark, uint32_t index,
                       json_t *lines, bool *told)
{
    tm_patch_change change;
    tm_patch_at(page->of->patch, index, &change);
    const bool tiles = change.kind == TM_CHANGE_TILES;
    if ((tiles ? side == 1 : told[index]) || json_array_size(lines) >= MOST_LINES)
        return;
    told[index] = true;
    json_append(lines, tiles ? line_of_tiles(&change, mark) : line_of(page->of->patch, index));
}

/* The frames in the picture, and which changes they are about. */
static json_t *frames_in(const diff_page *page, int side, json_t *lines, bool *told)
{
    const mark_list *marks = &page->of->marks.map[side];
    json_t *list = json_array();
    for (size_t i = 0; i < marks->num && json_array_size(list) < MOST_RECTANGLES; i++) {
        double at[4];
        if (!marks->marks[i].frame || !rectangle_of(at, &page->of->both, side, &marks->marks[i]))
            continue;
        json_append(list, json_pack("[i,i,i,i,s]", near_number(at[0]), near_number(at[1]), near_number(at[2]),
                                    near_number(at[3]), tm_mark_kind_name(marks->marks[i].kind)));
        tell_frame(page, side, &marks->marks[i], marks->subjects[i], lines, told);
    }
    return list;
}

/* ----------------------------------------------------------------------------------------------- pictures */

static char *path_in(const diff_page *page, const char *file)
{
    const char *folder = page->folder;
    text path = {0};
    text_print(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", file);
    text_put(&path, "", 1);
    return path.bytes;
}

static tm_status put_side(const diff_page *page, size_t number, size_t side, json_t *place, tm_error *error)
{
    static const char *const words[] = {"before", "after"};
    const pane_range one = {side, 1, false};
    char file[48];
    snprintf(file, sizeof(file), "%zu-%s.png", number, words[side]);
    char *path = path_in(page, file);
    const tm_status status = panes_write(&page->of->both, one, PICTURE_PNG, path, error);
    json_add_text(place, words[side], file);
    free(path);
    return status;
}

/* Both pictures of a place, and what the page must know of it. */
static tm_status put_place_pictures(diff_page *page, size_t number, const tm_preview_area *area,
                                    tm_error *error)
{
    panes *both = &page->of->both;
    tm_status status = panes_show(both, area, error);
    if (status)
        return status;
    json_t *place = json_make(), *lines = json_array();
    bool *told = must_alloc((size_t)tm_patch_num(page->of->patch) + 1, sizeof(*told));
    for (size_t side = 0; side < 2 && !status; side++)
        status = put_side(page, number, side, place, error);
    json_add(place, "at",
             json_pack("[i,i,i,i]", near_number(floor(area->x)), near_number(floor(area->y)),
                       near_number(ceil(area->width)), near_number(ceil(area->height))));
    json_add_int(place, "width", both->camera.width);
    json_add_int(place, "height", both->camera.height);
    json_add(place, "frames_before", frames_in(page, 0, lines, told));
    json_add(place, "frames_after", frames_in(page, 1, lines, told));
    json_add(place, "lines", lines);
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

/* Where something changed, each place widened to what a picture shows; the first ones if they are many. */
static tm_status find_page_places(diff_page *page, tm_error *error)
{
    size_t num;
    tm_status status = panes_mark_areas(&page->of->both, &page->places, &num, error);
    status = status ? status : tm_preview_join_areas(page->places, &num, JOIN_WIDTH, JOIN_HEIGHT, error);
    page->num_places = num < MOST_PLACES ? num : MOST_PLACES;
    page->left_out = num - page->num_places;
    for (size_t i = 0; i < page->num_places; i++) {
        widen_side(&page->places[i].x, &page->places[i].width, LEAST_WIDTH);
        widen_side(&page->places[i].y, &page->places[i].height, LEAST_HEIGHT);
    }
    return status;
}

/* The whole map is the first of the pictures; a map without tile layers has none. */
static tm_status put_pictures(diff_page *page, tm_error *error)
{
    tm_preview_area whole;
    tm_status status = TM_OK;
    if (!tm_preview_whole(&whole, page->of->files[1]->map, NULL))
        status = put_place_pictures(page, 0, &whole, error);
    for (size_t i = 0; i < page->num_places && !status; i++)
        status = put_place_pictures(page, i + 1, &page->places[i], error);
    return status;
}

/* ---------------------------------------------------------------------------------------------- the page */

static json_t *color_words(void)
{
    json_t *colors = json_make();
    for (int kind = TM_MARK_ADDED; kind <= TM_MARK_CHANGED; kind++) {
        uint8_t rgb[3];
        char word[16];
        tm_mark_kind_color(rgb, (tm_mark_kind)kind);
        snprintf(word, sizeof(word), "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
        json_add_text(colors, tm_mark_kind_name((tm_mark_kind)kind), word);
    }
    return colors;
}

static void put_changes_data(text *out, const void *ctx)
{
    const diff_page *page = ctx;
    json_t *object = json_make();
    json_add_text(object, "old", path_base(page->of->paths[0]));
    json_add_text(object, "new", path_base(page->of->paths[1]));
    json_add(object, "colors", color_words());
    json_add(object, "lines", lines_of_all(page->of->patch));
    json_add_int(object, "changes", tm_patch_num(page->of->patch));
    json_add_int(object, "left_out", (int64_t)page->left_out);
    json_add(object, "places", json_incref(page->list));
    html_json(out, object);
}

static void put_page_name(text *out, const void *ctx)
{
    const diff_page *page = ctx;
    html_text(out, path_base(page->of->paths[1]));
}

static tm_status put_page(const diff_page *page, tm_error *error)
{
    static const html_place places[] = {{"@TITLE@", put_page_name}, {"@DATA@", put_changes_data}};
    text html = {0};
    char *path = path_in(page, "index.html");
    html_fill(&html, diff_page_html, places, sizeof(places) / sizeof(*places), page);
    const tm_status status = save_text(path, &html, error);
    text_release(&html);
    free(path);
    return status;
}

tm_status diff_page_write(diff_page_sum *sum, diff_picture *of, const char *folder, tm_error *error)
{
    diff_page page = {.of = of, .folder = folder, .list = json_array()};
    char *first = path_in(&page, "index.html");
    tm_status status = TM_OK;
    if (!of->options->size.width && !(of->options->scale > 0)) {
        of->both.options.size.width = PAGE_WIDTH;
        of->both.options.size.height = PAGE_HEIGHT;
    }
    status = files_make_folders(first, error);
    status = status ? status : find_page_places(&page, error);
    status = status ? status : put_pictures(&page, error);
    status = status ? status : put_page(&page, error);
    *sum = (diff_page_sum){page.num_places, page.left_out};
    json_decref(page.list);
    free(page.places);
    free(first);
    return status;
}
