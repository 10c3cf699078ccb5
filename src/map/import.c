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

enum { NUM_PARTS = 3 }; /* images, sounds, envelopes: what layers refer to, by tm_object */

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
    const tm_map *from;
    tm_import_options options;
    part parts[NUM_PARTS];
    tm_error *error;
} importing;

/* ------------------------------------------------------------------------------------------ equal objects */

/* This map's object that equals one of the other map; TM_NONE if none does. */
static tm_status find_shared(int32_t *out, const importing *at, tm_object object, uint32_t other)
{
    const tm_address_kind kind = tmi_address_kind_of(object);
    const tm_address there = {kind, other, 0};
    tm_address here = {kind, 0, 0};
    tm_error fault;
    *out = TM_NONE;
    for (; at->options.share && here.index < tmi_num_objects(at->map, object); here.index++) {
        bool equal = false;
        if (object == TM_OBJECT_IMAGE) { /* external ones show the game's picture, whatever their size here */
            const tm_image *a = &at->map->images[here.index], *b = &at->from->images[other];
            equal = a->external && b->external && a->name && b->name && strcmp(a->name, b->name) == 0;
        }
        if (!equal) /* damaged objects are imported as they are */
            TM_TRY(tmi_past_damage(tmi_objects_equal(&equal, at->map, &here, at->from, &there, &fault),
                                   &fault, at->error));
        if (!equal)
            continue;
        *out = (int32_t)here.index;
        break;
    }
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- references */

static void want(void *ctx, const tm_field *field, int32_t *index)
{
    const importing *at = ctx;
    const tm_object object = field->refers;
    if (*index >= 0 && (uint32_t)*index < tmi_num(tmi_kind_of(object), at->from))
        at->parts[object].places[*index] = WANTED;
}

static void put_place(void *ctx, const tm_field *field, int32_t *index)
{
    const importing *at = ctx;
    const bool there = (uint32_t)*index < tmi_num(tmi_kind_of(field->refers), at->from);
    if (*index >= 0) /* what leads nowhere must not lead to a new object */
        *index = there ? at->parts[field->refers].places[*index] : TM_NONE;
}

/* ---------------------------------------------------------------------------------------------- the parts */

static void drop_parts(importing *at)
{
    const tm_allocator *allocator = tmi_map_allocator(at->map);
    for (int object = 0; object < NUM_PARTS; object++) {
        part *some = &at->parts[object];
        const tmi_kind *kind = tmi_kind_of((tm_object)object);
        const uint32_t num = tmi_num(kind, at->map);
        for (uint32_t i = 0; i < some->num_made; i++)
            tmi_object_release(at->map, kind->owner, tmi_item_at(kind, some->items, num + i));
        if (some->items)
            tmi_free(allocator, some->items, (size_t)num + some->num_new, kind->size);
        if (some->places)
            tmi_free(allocator, some->places, some->num, sizeof(*some->places));
    }
}

/* Gives each needed object its index: that of an equal object, or a new one at the end. */
static tm_status find_places(importing *at, tm_object object)
{
    part *some = &at->parts[object];
    const tmi_kind *kind = tmi_kind_of(object);
    const uint32_t num = tmi_num(kind, at->map);
    for (uint32_t i = 0; i < some->num; i++) {
        if (some->places[i] != WANTED)
            continue;
        TM_TRY(find_shared(&some->places[i], at, object, i));
        if (some->places[i] != TM_NONE)
            continue;
        if (some->num_new >= INT32_MAX - num)
            return tmi_fail(at->error, TM_ERROR_LIMIT, -1, "too many %ss: %ld are the most", kind->name,
                            (long)INT32_MAX);
        some->places[i] = (int32_t)(num + some->num_new++);
    }
    return TM_OK;
}

/* Makes the longer array, with copies of the new objects behind the map's own. */
static tm_status copy_part(importing *at, tm_object object)
{
    part *some = &at->parts[object];
    const tmi_kind *kind = tmi_kind_of(object);
    const uint32_t num = tmi_num(kind, at->map);
    if (some->num_new == 0)
        return TM_OK;
    TM_TRY(tmi_items_new(&some->items, kind, at->map, (uint64_t)num + some->num_new, at->error));
    if (num)
        memcpy(some->items, tmi_items(kind, at->map), num * kind->size);
    for (uint32_t i = 0; some->num_made < some->num_new; i++) {
        if (some->places[i] < 0 || (uint32_t)some->places[i] < num)
            continue;
        void *copy = tmi_item_at(kind, some->items, num + some->num_made);
        TM_TRY(tmi_object_copy(at->map, kind->owner, copy, at->from,
                               tmi_item_at(kind, tmi_items(kind, at->from), i), at->error));
        some->num_made++;
    }
    return TM_OK;
}

/* Makes all that some layers of the other map refer to. */
static tm_status make_parts(importing *at, const tm_layer *layers, uint32_t num)
{
    for (int object = 0; object < NUM_PARTS; object++) {
        part *some = &at->parts[object];
        some->num = tmi_num(tmi_kind_of((tm_object)object), at->from);
        TM_TRY(tmi_reserve(&some->places, tmi_map_allocator(at->map), some->num, sizeof(*some->places),
                           "a table of places", at->error));
        for (uint32_t i = 0; i < some->num; i++)
            some->places[i] = TM_NONE;
    }
    for (uint32_t l = 0; l < num; l++)
        TM_TRY(tmi_read_references(at->from, &layers[l], want, at, at->error));
    for (int object = 0; object < NUM_PARTS; object++) {
        TM_TRY(find_places(at, (tm_object)object));
        TM_TRY(copy_part(at, (tm_object)object));
    }
    return TM_OK;
}

/* Imports a group or a layer, with all that it refers to, into the owner's array at `place`. */
static tm_status import_deep(importing *at, const tmi_kind *kind, void *owner, uint32_t place,
                             const void *original)
{
    const uint32_t num = tmi_num(kind, owner), num_envelopes = at->map->num_envelopes;
    /* The map's own references that led nowhere must not lead to a new envelope. */
    const tmi_renumber how = {TM_OBJECT_ENVELOPE, TMI_INSERTED, 0, num_envelopes, num_envelopes};
    const bool renumbers = at->parts[TM_OBJECT_ENVELOPE].num_new, is_group = kind != &tmi_kind_layer;
    void *items;
    TM_TRY(tmi_items_gap(&items, kind, at->map, owner, place, at->error));
    void *gap = tmi_item_at(kind, items, place);
    tm_status status = tmi_item_copy(kind, at->map, gap, at->from, original, at->error);
    if (status == TM_OK) {
        tmi_object_own(at->map, kind->owner, gap);
        tmi_object_forget_user(kind->owner, gap);
        tm_layer *layers = is_group ? ((tm_group *)gap)->layers : gap;
        const uint32_t num_layers = is_group ? ((tm_group *)gap)->num_layers : 1;
        for (uint32_t l = 0; l < num_layers && status == TM_OK; l++)
            status = tmi_layer_map_references(at->map, &layers[l], put_place, at, at->error);
        if (status == TM_OK && renumbers)
            status = tmi_renumber_prepare(&how, at->map, at->error);
        if (status != TM_OK)
            tmi_object_release(at->map, kind->owner, gap);
    }
    if (status != TM_OK) {
        tmi_free(tmi_map_allocator(at->map), items, (size_t)num + 1, kind->size);
        return status;
    }
    if (renumbers) /* from here on nothing can fail */
        tmi_renumber_apply(&how, at->map);
    for (int object = 0; object < NUM_PARTS; object++) {
        part *some = &at->parts[object];
        const tmi_kind *own = tmi_kind_of((tm_object)object);
        if (some->items)
            tmi_items_replace(own, at->map, at->map, some->items, tmi_num(own, at->map) + some->num_new);
        some->items = NULL;
        some->num_made = 0;
    }
    tmi_items_replace(kind, at->map, owner, items, num + 1);
    return TM_OK;
}

tm_status tm_map_import(uint32_t *out, tm_map *map, tm_object object, uint32_t at, const tm_map *from,
                        uint32_t index, const tm_import_options *options, tm_error *error)
{
    importing with = {.map = map, .from = from, .error = error};
    if (out)
        *out = 0;
    TM_TRY(tmi_options_take(&with.options, sizeof(with.options), options, "tm_import_options", error));
    TM_TRY(tmi_check_place(map, object, at, error));
    TM_TRY(tmi_check_object(from, object, index, error));
    const tmi_kind *kind = tmi_kind_of(object);
    tm_status status = TM_OK;
    if (object == TM_OBJECT_GROUP) {
        const tm_group *group = &from->groups[index];
        status = make_parts(&with, group->layers, group->num_layers);
        if (status == TM_OK)
            status = import_deep(&with, kind, map, at, group);
        drop_parts(&with);
    } else { /* images, sounds and envelopes refer to nothing */
        int32_t equal;
        TM_TRY(find_shared(&equal, &with, object, index));
        if (equal != TM_NONE)
            at = (uint32_t)equal;
        else
            status = tmi_items_put_copy(kind, map, map, at, from,
                                        tmi_item_at(kind, tmi_items(kind, from), index), error);
    }
    if (status == TM_OK && out)
        *out = at;
    return status;
}

tm_status tm_map_import_layer(tm_map *map, uint32_t group, uint32_t at, const tm_map *from,
                              uint32_t from_group, uint32_t from_layer, const tm_import_options *options,
                              tm_error *error)
{
    importing with = {.map = map, .from = from, .error = error};
    TM_TRY(tmi_options_take(&with.options, sizeof(with.options), options, "tm_import_options", error));
    TM_TRY(tmi_check_layer_place(map, group, at, error));
    TM_TRY(tmi_check_layer(from, from_group, from_layer, error));
    const tm_layer *layer = &from->groups[from_group].layers[from_layer];
    tm_status status = make_parts(&with, layer, 1);
    if (status == TM_OK)
        status = import_deep(&with, &tmi_kind_layer, &map->groups[group], at, layer);
    drop_parts(&with);
    return status;
}
