/* SPDX-License-Identifier: Zlib */
/*
 * mark_list.c - see mark_list.h.
 */
#include "mark_list.h"

#include "output/text_buffer.h"

#include <stdlib.h>
#include <string.h>

static void mark_list_add(mark_list *to, const tm_preview_mark *mark, uint32_t subject)
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

static void mark_list_release(mark_list *of)
{
    free(of->marks);
    free(of->subjects);
    free(of->framed);
    *of = (mark_list){0};
}

/* ------------------------------------------------------------------------------------------------ marking */

void marking_add(marking *m, int version, const tm_preview_mark *mark)
{
    mark_list_add(&m->out->map[version], mark, m->index);
}

static tm_status add_layer(marking *m, int version, tm_preview_mark mark, uint32_t layer)
{
    const tm_map *map = m->maps[version];
    mark_list *to = &m->out->map[version];
    if (!to->framed)
        to->framed = must_alloc((size_t)tm_map_num_layers(map) + 1, sizeof(*to->framed));
    bool *framed = &to->framed[tm_map_layer_number(map, mark.group, layer)];
    if (*framed)
        return TM_OK;
    const tm_status status = tm_preview_layer_area(&mark.area, map, mark.group, layer, m->time, m->error);
    if (status)
        return status == TM_ERROR_NOT_FOUND || status == TM_ERROR_DAMAGED ? TM_OK : status;
    *framed = true;
    marking_add(m, version, &mark);
    return TM_OK;
}

tm_status marking_object(marking *m, int version, const tm_address *at, tm_mark_kind kind)
{
    const tm_map *map = m->maps[version];
    const tm_preview_mark mark = {.kind = kind, .frame = true, .group = at->index};
    tm_status status = TM_OK;
    if (at->kind == TM_ADDRESS_LAYER)
        return add_layer(m, version, mark, at->layer);
    for (uint32_t l = 0; at->kind == TM_ADDRESS_GROUP && !status && l < map->groups[at->index].num_layers;
         l++)
        status = add_layer(m, version, mark, l);
    return status;
}

void marking_element(marking *m, int version, uint32_t group, tm_owner owner, const void *element,
                     tm_mark_kind kind)
{
    tm_preview_mark mark = {.kind = kind, .frame = true, .tint = true, .group = group};
    if (!tm_preview_element_area(&mark.area, owner, element, NULL))
        marking_add(m, version, &mark);
}

static size_t num_marks(const map_marks *of)
{
    size_t num = 0;
    for (int i = 0; i < MAX_MARKED_MAPS; i++)
        num += of->map[i].num;
    return num;
}

tm_status marking_one(marking *m, tm_status (*mark)(marking *m))
{
    map_marks *out = m->out;
    const size_t before = num_marks(out);
    /* a frame is on nearly all maps, so the first two tell how many there are */
    if (out->map[0].num_frames + out->map[1].num_frames > m->most) {
        out->left_out++;
        return TM_OK;
    }
    const tm_status status = mark ? mark(m) : TM_OK;
    out->placeless += num_marks(out) == before;
    return status;
}

/* ------------------------------------------------------------------------------------------- several maps */

void map_marks_release(map_marks *of)
{
    for (int i = 0; i < MAX_MARKED_MAPS; i++)
        mark_list_release(&of->map[i]);
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
