/* SPDX-License-Identifier: Zlib */
/*
 * Applies the changes of theirs to objects that ours has, too. A field that only theirs changed gets its
 * value. If both sides changed it to different values, there is a conflict. Fields that belong together,
 * such as the size and the pixels of an image, count as one. merge_grids.c merges tiles and pixels,
 * merge_lists.c elements and commands.
 */
#include "merge.h"

/* The object whose fields are subject. */
typedef struct merge_subject {
    tm_kind list;
    uint32_t id;
    tm_kind owner;
} merge_subject;

static const void *object_in(const tmi_merge *m, int version, const merge_subject *subject)
{
    const void *object = tmi_merge_object_in(m, version, subject->list, subject->id);
    return subject->owner == TM_KIND_INFO ? (const void *)&((const tm_map *)object)->info : object;
}

static const tm_block *block_in(const tmi_merge *m, int version, const merge_subject *subject,
                                const tm_field *field)
{
    return tm_field_get(field, object_in(m, version, subject), 0).as.block;
}

/* Of an image or a sound, all fields but the name belong to its data. */
static bool in_unit(const tm_field *field, tm_kind owner)
{
    return (owner == TM_KIND_IMAGE || owner == TM_KIND_SOUND) && strcmp(field->name, "name") != 0;
}

/* Whether a field is merged with a block, which is that field, or (NULL) with the data of such an object. */
static bool is_part(const merge_subject *subject, const tm_field *block, const tm_field *field)
{
    return block ? field == block : in_unit(field, subject->owner);
}

/*
 * The first change of a side to a field, or (NULL) to the fields that belong together. *is_other: a change is
 * not one of single elements.
 */
static const tmi_delta *find_change(const tmi_merge *m, int side, const merge_subject *subject,
                                    const tm_field *field, bool *is_other)
{
    const tmi_changes *changes = &m->changes[subject->list][side][subject->id];
    const tmi_delta *found = NULL;
    for (size_t i = 0; i < changes->num; i++) {
        const tmi_delta *delta = &changes->first[i];
        if (!delta->field || delta->owner != subject->owner || !is_part(subject, field, delta->field))
            continue;
        found = found ? found : delta;
        *is_other = *is_other || delta->type != TMI_DELTA_GRID;
    }
    return found;
}

/* ------------------------------------------------------------------------------------------------ same */

/* A number that is equal for one object in all versions. An index without an object stays distinct. */
static int64_t identity(const tmi_merge *m, int version, tm_kind object, int64_t number)
{
    const tmi_threeway *threeway = &m->objects.list[object];
    if (number >= 0 && number < threeway->num[version])
        return threeway->id[version][number];
    return number < 0 ? number : number + UINT32_MAX;
}

static bool texts_agree(const tm_field *field, const void *a, const void *b)
{
    const uint32_t num = tm_field_num(field, a);
    bool same = num == tm_field_num(field, b);
    for (uint32_t i = 0; i < num && same; i++) {
        const tm_value x = tm_field_get(field, a, i), y = tm_field_get(field, b, i);
        same = tm_value_same(&x, &y);
    }
    return same;
}

/* *index: the first value that differs. */
static bool values_agree(const tmi_merge *m, const merge_subject *subject, const tm_field *field, int one,
                         int other, uint32_t *index)
{
    const void *a = object_in(m, one, subject), *b = object_in(m, other, subject);
    *index = 0;
    if (tmi_unread_either(field, a, b))
        return tmi_unread_same(field, a, b);
    if (field->type == TM_TYPE_TEXTS)
        return texts_agree(field, a, b);
    for (*index = 0; *index < field->num_values; ++*index) {
        const tm_value x = tm_field_get(field, a, *index), y = tm_field_get(field, b, *index);
        if (field->type == TM_TYPE_REFERENCE ? identity(m, one, field->refers, x.as.number) !=
                                                   identity(m, other, field->refers, y.as.number)
                                             : !tm_value_same(&x, &y))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ theirs */

/* Copies a text, or the settings, of theirs, where one side could not read it. */
static tm_status copy_unread(tmi_merge *m, void *merged, const void *source, const tm_field *field)
{
    const tm_info *info = source;
    const char **slot = (const char **)(void *)((char *)merged + field->offset);
    TM_TRY(tm_field_drop_unread(m->map, merged, field, m->error));
    if (field->type == TM_TYPE_TEXTS)
        TM_TRY(tm_map_set_settings(m->map, info->settings, info->num_settings, m->error));
    else
        TM_TRY(tm_map_set_text(m->map, slot, tm_field_get(field, source, 0).as.text, m->error));
    return tmi_unread_put(m->map, merged, source, field, m->error);
}

/* Gives a field of the result the value that it has in theirs. */
static tm_status copy_field(tmi_merge *m, const merge_subject *subject, const tm_field *field)
{
    void *merged = tmi_merged_object(m, subject->list, subject->id);
    const void *source = object_in(m, TM_MERGE_THEIRS, subject);
    if (subject->owner == TM_KIND_INFO)
        merged = &m->map->info;
    if (field->type == TM_TYPE_BLOCK)
        return tmi_block_put_copy(m->map, tmi_block_slot(merged, field),
                                  block_in(m, TM_MERGE_THEIRS, subject, field), m->error);
    if (field->unread && (tmi_unread_either(field, merged, source) || field->type == TM_TYPE_TEXTS))
        return copy_unread(m, merged, source, field);
    for (uint32_t i = 0; i < field->num_values; i++) {
        tm_value value = tm_field_get(field, source, i);
        if (field->type == TM_TYPE_REFERENCE)
            value.as.number =
                tmi_objects_reference(&m->objects, TM_MERGE_THEIRS, field->refers, value.as.number);
        TM_TRY(tmi_field_set_any(m->map, merged, field, i, &value, m->error));
    }
    return TM_OK;
}

static tm_status settle(tmi_merge *m, tmi_conflict **out, const merge_subject *subject, const tm_field *field,
                        tm_conflict_kind kind, tm_resolution *resolution)
{
    const bool settings = field && field->type == TM_TYPE_TEXTS;
    const tmi_delta_type type = settings                    ? TMI_DELTA_SETTING
                                : kind == TM_CONFLICT_FIELD ? TMI_DELTA_FIELD
                                                            : TMI_DELTA_DATA;
    *resolution = tmi_merge_resolve(m, subject->list, subject->id, type, subject->owner);
    TM_TRY(tmi_conflict_add(m, out, kind, subject->list, subject->id, *resolution));
    for (int version = 0; settings && version < TM_MERGE_MAPS; version++)
        (*out)->shown.address[version].kind = TM_KIND_SETTINGS;
    (*out)->shown.owner = subject->owner;
    (*out)->shown.field = field;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ fields */

static tm_status merge_field(tmi_merge *m, const merge_subject *subject, const tm_field *field)
{
    uint32_t index;
    tmi_conflict *conflict;
    tm_resolution resolution = TM_RESOLUTION_THEIRS;
    if (values_agree(m, subject, field, TM_MERGE_BASE, TM_MERGE_THEIRS, &index) ||
        values_agree(m, subject, field, TM_MERGE_OURS, TM_MERGE_THEIRS, &index))
        return TM_OK;
    const uint32_t shown = index;
    if (!values_agree(m, subject, field, TM_MERGE_BASE, TM_MERGE_OURS, &index)) {
        TM_TRY(settle(m, &conflict, subject, field, TM_CONFLICT_FIELD, &resolution));
        conflict->shown.index = shown;
        for (int version = 0; version < TM_MERGE_MAPS; version++) {
            const void *object = object_in(m, version, subject);
            tm_value value = {.type = field->type, .unread = tm_field_unread(field, object)};
            if (field->type != TM_TYPE_TEXTS)
                value = tm_field_get(field, object, shown);
            TM_TRY(tmi_patch_value(m->conflicts->memory, &conflict->shown.value[version], &value, m->error));
        }
    }
    return resolution == TM_RESOLUTION_THEIRS ? copy_field(m, subject, field) : TM_OK;
}

/* Merges a block of a tile layer, or (NULL) the data of an image or sound with their other fields. */
static tm_status merge_data(tmi_merge *m, const merge_subject *subject, const tm_field *block)
{
    bool whole = false, done = false, same = true, mine = false;
    size_t num;
    uint32_t index;
    const tm_field *fields = tm_fields(&num, subject->owner);
    const tmi_delta *theirs = find_change(m, TM_MERGE_THEIRS, subject, block, &whole);
    const tmi_delta *ours = find_change(m, TM_MERGE_OURS, subject, block, theirs ? &whole : &mine);
    tm_resolution resolution = TM_RESOLUTION_THEIRS;
    tmi_conflict *conflict;
    if (subject->list == TM_KIND_LAYER ? !whole && !mine : theirs && ours && !whole)
        TM_TRY(tmi_merge_grid(m, subject->list, subject->id, block ? block : theirs->field, &done));
    if (done || !theirs)
        return TM_OK;
    for (size_t i = 0; ours && i < num && same; i++)
        if (!is_part(subject, block, &fields[i]))
            continue;
        else if (fields[i].type == TM_TYPE_BLOCK)
            TM_TRY(
                tmi_block_same(&same, &m->scratch->match.work, &m->maps[TM_MERGE_OURS],
                               (const tm_block *const[2]){block_in(m, TM_MERGE_OURS, subject, &fields[i]),
                                                          block_in(m, TM_MERGE_THEIRS, subject, &fields[i])},
                               m->error));
        else
            same = values_agree(m, subject, &fields[i], TM_MERGE_OURS, TM_MERGE_THEIRS, &index);
    if (ours && same)
        return TM_OK;
    const tm_field *shown = block;
    for (size_t i = 0; i < num && !shown; i++)
        shown = fields[i].type == TM_TYPE_BLOCK ? &fields[i] : NULL;
    if (ours)
        TM_TRY(settle(m, &conflict, subject, shown, TM_CONFLICT_DATA, &resolution));
    for (size_t i = 0; i < num && resolution == TM_RESOLUTION_THEIRS; i++)
        if (is_part(subject, block, &fields[i]))
            TM_TRY(copy_field(m, subject, &fields[i]));
    if (resolution == TM_RESOLUTION_THEIRS && theirs->type == TMI_DELTA_GRID && block &&
        block->flags & TM_FIELD_ELEMENTS) {
        const tm_tile_layer *source = &((const tm_layer *)object_in(m, TM_MERGE_THEIRS, subject))->as.tiles;
        tm_tile_layer *target = &((tm_layer *)tmi_merged_object(m, subject->list, subject->id))->as.tiles;
        target->width = source->width;
        target->height = source->height;
    }
    return TM_OK;
}

static tm_status merge_owner(tmi_merge *m, tm_kind list, uint32_t id, tm_kind owner)
{
    const merge_subject subject = {list, id, owner};
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++)
        if (owner == TM_KIND_TILE_LAYER && fields[i].type == TM_TYPE_BLOCK)
            TM_TRY(merge_data(m, &subject, &fields[i]));
        else if (tmi_field_in_patch(&fields[i]) && fields[i].type != TM_TYPE_BLOCK &&
                 !in_unit(&fields[i], owner))
            TM_TRY(merge_field(m, &subject, &fields[i]));
    return list == TM_KIND_IMAGE || list == TM_KIND_SOUND ? merge_data(m, &subject, NULL) : TM_OK;
}

/* ------------------------------------------------------------------------------------------------ objects */

static tm_status merge_object(tmi_merge *m, tm_kind list, uint32_t id)
{
    const tm_layer *layer = tmi_merge_object_in(m, TM_MERGE_BASE, list, id);
    const bool physics = m->physics && list == TM_KIND_LAYER && tm_game_layer(layer->kind)->is_physics;
    if (!tmi_in_both(&m->objects.list[list], id) || m->objects.list[list].gone[id] ||
        (!m->changes[list][TM_MERGE_THEIRS][id].num && !physics))
        return TM_OK;
    if (!tmi_merged_object(m, list, id))
        return tmi_fail(m->error, TM_ERROR_UNSUPPORTED, -1,
                        "an object that both have was lost in the merge; please report this");
    TM_TRY(merge_owner(m, list, id, list));
    if (list == TM_KIND_ENVELOPE)
        return tmi_merge_elements(m, list, id, TM_KIND_ENVELOPE_POINT);
    if (list != TM_KIND_LAYER)
        return TM_OK;
    TM_TRY(merge_owner(m, list, id, tm_kind_of_layer(layer->kind)));
    return tm_game_layer(layer->kind)->is_tiles
               ? TM_OK
               : tmi_merge_elements(m, list, id, tm_kind_of_elements(layer->kind));
}

/* Command by command; as a whole if a version could not be read. */
static tm_status merge_settings(tmi_merge *m)
{
    const merge_subject subject = {TM_KIND_MAP, 0, TM_KIND_INFO};
    bool unread = false;
    for (int version = 0; version < TM_MERGE_MAPS; version++)
        unread = unread || ((const tm_info *)object_in(m, version, &subject))->unread_settings;
    return unread ? merge_field(m, &subject, tm_field_find(TM_KIND_INFO, "settings"))
                  : tmi_merge_elements(m, TM_KIND_MAP, 0, TM_KIND_INFO);
}

tm_status tmi_merge_contents(tmi_merge *m)
{
    TM_TRY(tmi_settle_physics(m));
    TM_TRY(merge_owner(m, TM_KIND_MAP, 0, TM_KIND_MAP));
    TM_TRY(merge_owner(m, TM_KIND_MAP, 0, TM_KIND_INFO));
    TM_TRY(merge_settings(m));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        for (uint32_t id = 0; id < m->objects.list[list].num[TM_MERGE_BASE]; id++)
            TM_TRY(merge_object(m, list, id));
    return tmi_finish_physics(m);
}
