/* SPDX-License-Identifier: Zlib */
/*
 * mark_list.c - see mark_list.h.
 */
#include "mark_list.h"

#include "output/text_buffer.h"

#include <stdlib.h>
#include <string.h>

void mark_list_add(mark_list *to, const tm_preview_mark *mark, uint32_t subject)
{
    if (to->num == to->capacity) {
        to->capacity = to->capacity ? to->capacity * 2 : 64;
        to->marks = must_resize(to->marks, to->capacity, sizeof(*to->marks));
        to->subjects = must_resize(to->subjects, to->capacity, sizeof(*to->subjects));
    }
    to->marks[to->num] = *mark;
    to->subjects[to->num++] = subject;
    to->num_frames += mark->frame;
}

void mark_list_release(mark_list *of)
{
    free(of->marks);
    free(of->subjects);
    free(of->framed);
    *of = (mark_list){0};
}

/* ------------------------------------------------------------------------------------------------ objects */

static tm_status add_layer(mark_list *to, const tm_map *map, tm_preview_mark mark, uint32_t layer,
                           double time, uint32_t subject, tm_error *error)
{
    if (!to->framed)
        to->framed = must_alloc((size_t)tm_map_num_layers(map) + 1, sizeof(*to->framed));
    bool *framed = &to->framed[tm_map_layer_number(map, mark.group, layer)];
    if (*framed)
        return TM_OK;
    const tm_status status = tm_preview_layer_area(&mark.area, map, mark.group, layer, time, error);
    if (status)
        return status == TM_ERROR_NOT_FOUND || status == TM_ERROR_DAMAGED ? TM_OK : status;
    *framed = true;
    mark_list_add(to, &mark, subject);
    return TM_OK;
}

tm_status mark_list_object(mark_list *to, const tm_map *map, const tm_address *at, tm_mark_kind kind,
                           double time, uint32_t subject, tm_error *error)
{
    const tm_preview_mark mark = {.kind = kind, .frame = true, .group = at->index};
    tm_status status = TM_OK;
    if (at->kind == TM_ADDRESS_LAYER)
        return add_layer(to, map, mark, at->layer, time, subject, error);
    for (uint32_t l = 0; at->kind == TM_ADDRESS_GROUP && !status && l < map->groups[at->index].num_layers;
         l++)
        status = add_layer(to, map, mark, l, time, subject, error);
    return status;
}

/* ------------------------------------------------------------------------------------------- several maps */

void map_marks_release(map_marks *of)
{
    for (int i = 0; i < MAX_MARKED_MAPS; i++)
        mark_list_release(&of->map[i]);
}

size_t map_marks_num(const map_marks *of)
{
    size_t num = 0;
    for (int i = 0; i < MAX_MARKED_MAPS; i++)
        num += of->map[i].num;
    return num;
}

/* A frame is on nearly all maps, so the first two tell how many there are. */
bool map_marks_full(map_marks *of, size_t most)
{
    const bool full = of->map[0].num_frames + of->map[1].num_frames > most;
    of->left_out += full;
    return full;
}

picture_options map_marks_drawing(const map_marks *of, const picture_options *options, const char *output)
{
    picture_options drawing = *options;
    drawing.output = output;
    if (of->physics && !drawing.layers && !drawing.entities)
        drawing.layers = "design@50,physics";
    if (!drawing.sheet)
        drawing.sheet = "own"; /* a game's freeze is half-transparent black, and looks like a hole */
    return drawing;
}

bool mark_shows_field(const tm_field *field)
{
    return field->type != TM_TYPE_NAME && field->type != TM_TYPE_TEXT &&
           strncmp(field->name, "automapper", strlen("automapper")) != 0;
}

/* -------------------------------------------------------------------------------------------------- tiles */

tm_mark_kind mark_kind_of_tile(uint8_t was, uint8_t is)
{
    return !was && is ? TM_MARK_ADDED : was && !is ? TM_MARK_REMOVED : TM_MARK_CHANGED;
}

tm_mark_kind mark_kind_of_many(uint8_t seen)
{
    return seen == 1U << TM_MARK_ADDED     ? TM_MARK_ADDED
           : seen == 1U << TM_MARK_REMOVED ? TM_MARK_REMOVED
                                           : TM_MARK_CHANGED;
}
