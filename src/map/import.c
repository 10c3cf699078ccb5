/* SPDX-License-Identifier: Zlib */
/*
 * Imports an object of another map with all that it refers to. New images, sounds and envelopes are put
 * behind the map's own, so that no reference of the map changes; the references of imported objects are
 * mapped, also those in quads and sound sources. Packed data stay packed: a block keeps the file that it came
 * from, and is only unpacked if an index in it must change.
 *
 * All or nothing: everything is made outside of the map first; the steps that put it in place cannot fail.
 */
#include "internal.h"

enum { NUM_PARTS = TM_KIND_ENVELOPE + 1 }; /* by kind; layers refer to images, sounds and envelopes */

/* In part.places: an object that is needed and has no index yet. TM_NONE: it is not needed. */
enum { WANTED = -2 };

/* The images, sounds or envelopes that are imported with an object. */
typedef struct part {
    int32_t *places;   /* by index in the other map: the index in this one */
    uint32_t num;      /* of them */
    uint32_t num_new;  /* that none of the map's own stands for */
    uint32_t num_made; /* of them, so far */
    void *items;       /* the map's array with the new ones behind; NULL without any */
} part;

typedef struct importing {
    tm_map *map;
    const tm_map *source;
    tm_import_options options;
    part parts[NUM_PARTS];
    tm_error *error;
} importing;

/* ------------------------------------------------------------------------------------------ equal objects */

/* This map's object that equals one of the other map; TM_NONE if none does. */
static tm_status find_shared(int32_t *out, const importing *import, tm_kind kind, uint32_t other)
{
    const tm_address source_address = {kind, other, 0};
    tm_address address = {kind, 0, 0};
    tm_error fault;
    *out = TM_NONE;
    for (; import->options.share && address.index < tmi_num_objects(import->map, kind); address.index++) {
        bool equal = false;
        if (kind == TM_KIND_IMAGE) { /* external ones show the game's picture, whatever their size here */
            const tm_image *a = &import->map->images[address.index], *b = &import->source->images[other];
            equal = a->external && b->external && a->name && b->name && strcmp(a->name, b->name) == 0;
        }
        if (!equal) /* damaged objects are imported as they are */
            TM_TRY(tmi_past_damage(
                tmi_objects_equal(&equal, import->map, &address, import->source, &source_address, &fault),
                &fault, import->error));
        if (!equal)
            continue;
        *out = (int32_t)address.index;
        break;
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- references */

static void want(void *ctx, const tm_field *field, int32_t *index)
{
    const importing *import = ctx;
    const tm_kind kind = field->refers;
    if (*index >= 0 && (uint32_t)*index < tmi_num(tmi_map_array_of(kind), import->source))
        import->parts[kind].places[*index] = WANTED;
}

static void put_place(void *ctx, const tm_field *field, int32_t *index)
{
    const importing *import = ctx;
    const bool there = (uint32_t)*index < tmi_num(tmi_map_array_of(field->refers), import->source);
    if (*index >= 0) /* what leads nowhere must not lead to a new object */
        *index = there ? import->parts[field->refers].places[*index] : TM_NONE;
}

/* ---------------------------------------------------------------------------------------------- the parts */

static void drop_parts(importing *import)
{
    const tm_allocator *allocator = tmi_map_allocator(import->map);
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_ENVELOPE; kind++) {
        part *needed = &import->parts[kind];
        const tmi_array *array = tmi_map_array_of(kind);
        const uint32_t num = tmi_num(array, import->map);
        for (uint32_t i = 0; i < needed->num_made; i++)
            tmi_object_release(import->map, array->kind, tmi_item_at(array, needed->items, num + i));
        if (needed->items)
            tmi_free(allocator, needed->items, (size_t)num + needed->num_new, array->size);
        if (needed->places)
            tmi_free(allocator, needed->places, needed->num, sizeof(*needed->places));
    }
}

/* Gives each needed object its index: that of an equal object, or a new one at the end. */
static tm_status find_places(importing *import, tm_kind kind)
{
    part *needed = &import->parts[kind];
    const tmi_array *array = tmi_map_array_of(kind);
    const uint32_t num = tmi_num(array, import->map);
    for (uint32_t i = 0; i < needed->num; i++) {
        if (needed->places[i] != WANTED)
            continue;
        TM_TRY(find_shared(&needed->places[i], import, kind, i));
        if (needed->places[i] != TM_NONE)
            continue;
        if (needed->num_new >= INT32_MAX - num)
            return tmi_fail(import->error, TM_ERROR_LIMIT, -1, "too many %ss: %ld are the most",
                            tm_kind_name(kind), (long)INT32_MAX);
        needed->places[i] = (int32_t)(num + needed->num_new++);
    }
    return TM_OK;
}

/* Makes the longer array, with copies of the new objects behind the map's own. */
static tm_status copy_part(importing *import, tm_kind kind)
{
    part *needed = &import->parts[kind];
    const tmi_array *array = tmi_map_array_of(kind);
    const uint32_t num = tmi_num(array, import->map);
    if (needed->num_new == 0)
        return TM_OK;
    TM_TRY(tmi_items_new(&needed->items, array, import->map, (uint64_t)num + needed->num_new, import->error));
    if (num)
        memcpy(needed->items, tmi_items(array, import->map), num * array->size);
    for (uint32_t i = 0; needed->num_made < needed->num_new; i++) {
        if (needed->places[i] < 0 || (uint32_t)needed->places[i] < num)
            continue;
        void *copy = tmi_item_at(array, needed->items, num + needed->num_made);
        TM_TRY(tmi_object_copy(import->map, array->kind, copy, import->source,
                               tmi_item_at(array, tmi_items(array, import->source), i), import->error));
        needed->num_made++;
    }
    return TM_OK;
}

/* Makes all that some layers of the other map refer to. */
static tm_status make_parts(importing *import, const tm_layer *layers, uint32_t num)
{
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_ENVELOPE; kind++) {
        part *needed = &import->parts[kind];
        needed->num = tmi_num(tmi_map_array_of(kind), import->source);
        TM_TRY(tmi_reserve(&needed->places, tmi_map_allocator(import->map), needed->num,
                           sizeof(*needed->places), "a table of places", import->error));
        for (uint32_t i = 0; i < needed->num; i++)
            needed->places[i] = TM_NONE;
    }
    for (uint32_t l = 0; l < num; l++)
        TM_TRY(tmi_read_references(import->source, &layers[l], want, import, import->error));
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_ENVELOPE; kind++) {
        TM_TRY(find_places(import, kind));
        TM_TRY(copy_part(import, kind));
    }
    return TM_OK;
}

/* Imports a group or a layer, with all that it refers to, into the owner's array at `place`. */
static tm_status import_deep(importing *import, const tmi_array *array, void *owner, uint32_t place,
                             const void *original)
{
    const uint32_t num = tmi_num(array, owner), num_envelopes = import->map->num_envelopes;
    /* The map's own references that led nowhere must not lead to a new envelope. */
    const tmi_renumber renumbering = {TM_KIND_ENVELOPE, TMI_INSERTED, 0, num_envelopes, num_envelopes};
    const bool renumbers = import->parts[TM_KIND_ENVELOPE].num_new, is_group = array != &tmi_layer_array;
    void *items;
    TM_TRY(tmi_items_gap(&items, array, import->map, owner, place, import->error));
    void *gap = tmi_item_at(array, items, place);
    tm_status status = tmi_item_copy(array, import->map, gap, import->source, original, import->error);
    if (status == TM_OK) {
        tmi_object_own(import->map, array->kind, gap);
        tmi_object_forget_user(array->kind, gap);
        tm_layer *layers = is_group ? ((tm_group *)gap)->layers : gap;
        const uint32_t num_layers = is_group ? ((tm_group *)gap)->num_layers : 1;
        for (uint32_t l = 0; l < num_layers && status == TM_OK; l++)
            status = tmi_layer_map_references(import->map, &layers[l], put_place, import, import->error);
        if (status == TM_OK && renumbers)
            status = tmi_renumber_prepare(&renumbering, import->map, import->error);
        if (status != TM_OK)
            tmi_object_release(import->map, array->kind, gap);
    }
    if (status != TM_OK) {
        tmi_free(tmi_map_allocator(import->map), items, (size_t)num + 1, array->size);
        return status;
    }
    if (renumbers) /* from here on nothing can fail */
        tmi_renumber_apply(&renumbering, import->map);
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_ENVELOPE; kind++) {
        part *needed = &import->parts[kind];
        const tmi_array *part_kind = tmi_map_array_of(kind);
        if (needed->items)
            tmi_items_replace(part_kind, import->map, import->map, needed->items,
                              tmi_num(part_kind, import->map) + needed->num_new);
        needed->items = NULL;
        needed->num_made = 0;
    }
    tmi_items_replace(array, import->map, owner, items, num + 1);
    return TM_OK;
}

tm_status tm_map_import(uint32_t *out, tm_map *map, tm_kind kind, uint32_t at, const tm_map *source,
                        uint32_t index, const tm_import_options *options, tm_error *error)
{
    importing import = {.map = map, .source = source, .error = error};
    if (out)
        *out = 0;
    TM_TRY(tmi_options_take(&import.options, sizeof(import.options), options, "tm_import_options", error));
    TM_TRY(tmi_check_place(map, kind, at, error));
    TM_TRY(tmi_check_object(source, kind, index, error));
    const tmi_array *array = tmi_map_array_of(kind);
    tm_status status = TM_OK;
    if (kind == TM_KIND_GROUP) {
        const tm_group *group = &source->groups[index];
        status = make_parts(&import, group->layers, group->num_layers);
        if (status == TM_OK)
            status = import_deep(&import, array, map, at, group);
        drop_parts(&import);
    } else { /* images, sounds and envelopes refer to nothing */
        int32_t equal;
        TM_TRY(find_shared(&equal, &import, kind, index));
        if (equal != TM_NONE)
            at = (uint32_t)equal;
        else
            status = tmi_items_put_copy(array, map, map, at, source,
                                        tmi_item_at(array, tmi_items(array, source), index), error);
    }
    if (status == TM_OK && out)
        *out = at;
    return status;
}

tm_status tm_map_import_layer(tm_map *map, uint32_t group, uint32_t at, const tm_map *source,
                              uint32_t from_group, uint32_t from_layer, const tm_import_options *options,
                              tm_error *error)
{
    importing import = {.map = map, .source = source, .error = error};
    TM_TRY(tmi_options_take(&import.options, sizeof(import.options), options, "tm_import_options", error));
    TM_TRY(tmi_check_layer_place(map, group, at, error));
    TM_TRY(tmi_check_layer(source, from_group, from_layer, error));
    const tm_layer *layer = &source->groups[from_group].layers[from_layer];
    tm_status status = make_parts(&import, layer, 1);
    if (status == TM_OK)
        status = import_deep(&import, &tmi_layer_array, &map->groups[group], at, layer);
    drop_parts(&import);
    return status;
}
