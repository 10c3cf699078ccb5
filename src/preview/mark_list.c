/* SPDX-License-Identifier: Zlib */
/*
 * mark_list.c - see mark_list.h.
 */
#include "mark_list.h"

void tm_preview_marks_release(tm_preview_marks *marks)
{
    for (int i = 0; marks && i < TM_PREVIEW_MARKED_MAPS; i++)
        tmi_free(marks->allocator, marks->map[i].list, marks->map[i].capacity, sizeof(tm_preview_mark));
    if (marks)
        *marks = (tm_preview_marks){0};
}

/* ------------------------------------------------------------------------------------------------ marking */

tm_status tmi_marking_begin(tmi_marking *m)
{
    *m->out = (tm_preview_marks){.allocator = tmi_map_allocator(m->maps[1])};
    for (int i = 0; i < TM_PREVIEW_MARKED_MAPS; i++)
        if (m->maps[i])
            TM_TRY(tmi_reserve_zeroed(&m->framed[i], m->out->allocator,
                                      (size_t)tm_map_num_layers(m->maps[i]) + 1, 1, "layers", m->error));
    return TM_OK;
}

tm_status tmi_marking_end(tmi_marking *m, tm_status status)
{
    for (int i = 0; i < TM_PREVIEW_MARKED_MAPS; i++)
        if (m->framed[i])
            tmi_free(m->out->allocator, m->framed[i], (size_t)tm_map_num_layers(m->maps[i]) + 1, 1);
    if (status)
        tm_preview_marks_release(m->out);
    return status;
}

tm_status tmi_marking_add(tmi_marking *m, int version, const tm_preview_mark *mark)
{
    tm_preview_mark_list *to = &m->out->map[version];
    TM_TRY(tmi_grow(m->out->allocator, &to->list, &to->capacity, to->num + 1, sizeof(*mark), m->error));
    to->list[to->num] = *mark;
    to->list[to->num++].subject = m->index;
    to->num_frames += mark->frame;
    return TM_OK;
}

static tm_status frame_layer(tmi_marking *m, int version, tm_preview_mark mark, uint32_t layer)
{
    const tm_map *map = m->maps[version];
    if (mark.group >= map->num_groups || layer >= map->groups[mark.group].num_layers)
        return TM_OK;
    uint8_t *framed = &m->framed[version][tm_map_layer_number(map, mark.group, layer)];
    if (*framed)
        return TM_OK;
    const tm_status status = tmi_preview_layer_area(&mark.area, map, mark.group, layer, m->time, m->error);
    if (status)
        return status == TM_ERROR_NOT_FOUND || status == TM_ERROR_DAMAGED ? TM_OK : status;
    *framed = true;
    return tmi_marking_add(m, version, &mark);
}

tm_status tmi_marking_object(tmi_marking *m, int version, const tm_address *at, tm_mark_kind kind)
{
    const tm_map *map = m->maps[version];
    const tm_preview_mark mark = {.kind = kind, .frame = true, .group = at->index};
    if (at->kind == TM_ADDRESS_LAYER)
        return frame_layer(m, version, mark, at->layer);
    const bool group = at->kind == TM_ADDRESS_GROUP && at->index < map->num_groups;
    for (uint32_t l = 0; group && l < map->groups[at->index].num_layers; l++)
        TM_TRY(frame_layer(m, version, mark, l));
    return TM_OK;
}

tm_status tmi_marking_element(tmi_marking *m, int version, uint32_t group, tm_owner owner,
                              const void *element, tm_mark_kind kind)
{
    tm_preview_mark mark = {.kind = kind, .frame = true, .tint = true, .group = group};
    return tmi_preview_element_area(&mark.area, owner, element, NULL) ? TM_OK
                                                                      : tmi_marking_add(m, version, &mark);
}

bool tmi_marking_is_full(tmi_marking *m)
{
    /* a frame is on nearly all maps, so the first two tell how many there are */
    const bool full = m->out->map[0].num_frames + m->out->map[1].num_frames > m->most;
    m->out->left_out += full;
    return full;
}

size_t tmi_marking_num(const tmi_marking *m)
{
    size_t num = 0;
    for (int i = 0; i < TM_PREVIEW_MARKED_MAPS; i++)
        num += m->out->map[i].num;
    return num;
}

/* -------------------------------------------------------------------------------------------------- kinds */

bool tmi_mark_shows_field(const tm_field *field)
{
    return field->type != TM_TYPE_NAME && field->type != TM_TYPE_TEXT &&
           strncmp(field->name, "automapper", strlen("automapper")) != 0;
}

tm_mark_kind tmi_mark_kind_of_tile(uint8_t was, uint8_t is)
{
    return !was && is ? TM_MARK_ADDED : was && !is ? TM_MARK_REMOVED : TM_MARK_CHANGED;
}
