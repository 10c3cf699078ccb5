/* SPDX-License-Identifier: Zlib */
/*
 * Removing objects, and quads, sources and points of them, over the functions of the model that keep
 * references right.
 */
#include "edit_images.h"

/*
 * All addresses refer to the map before the operation, so they are resolved first. Objects are then removed
 * from the last to the first, which keeps earlier addresses valid; each only once.
 */
typedef struct removal {
    uint64_t *keys;
    size_t num, capacity;
} removal;

static tm_status add_key(removal *to, const tmi_edit *edit, uint64_t key, tm_error *error)
{
    TM_TRY(tmi_grow(edit->scratch, &to->keys, &to->capacity, to->num + 1, sizeof(*to->keys), error));
    to->keys[to->num++] = key;
    return TM_OK;
}

/* The last key that is left, each once; false: there is none. The keys are in order. */
static bool take_last(uint64_t *key, removal *from)
{
    if (!from->num)
        return false;
    *key = from->keys[--from->num];
    while (from->num && from->keys[from->num - 1] == *key)
        from->num--;
    return true;
}

/* --------------------------------------------------------------------------------------------- objects */

static tm_status remove_at(tmi_edit *edit, const tm_address *at, tm_error *error)
{
    tm_object object;
    if (at->kind != TM_ADDRESS_LAYER && !tmi_object_of(&object, at->kind))
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "only images, sounds, envelopes, groups, layers are removed");
    tmi_edit_changed(edit, *at, 1, "removed");
    return at->kind == TM_ADDRESS_LAYER ? tm_map_remove_layer(edit->map, at->index, at->layer, error)
                                        : tm_map_remove(edit->map, object, at->index, error);
}

enum { KEY_BITS = 30 }; /* of an index: of objects there are at most as many as a file has items */

static void find_nothing(tmi_edit *edit, const char *text)
{
    tmi_edit_find(edit, TM_FINDING_NO_MATCH, (tm_address){TM_ADDRESS_MAP, 0, 0}, "nothing fits '%.100s'",
                  text);
}

static tm_status add_whole_objects(removal *to, tmi_edit *edit, const char *text, tm_error *error)
{
    tmi_edit_objects found;
    TM_TRY(tmi_edit_objects_find(&found, edit, text, error));
    if (found.num == 0)
        find_nothing(edit, text);
    for (size_t i = 0; i < found.num; i++) {
        /* In ascending order layers come behind groups, and later ones behind earlier ones. */
        const tm_address *at = &found.list[i];
        const uint64_t key =
            (uint64_t)at->kind << (2 * KEY_BITS) | (uint64_t)at->index << KEY_BITS | at->layer;
        TM_TRY(add_key(to, edit, key, error));
    }
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------- elements */

/* Lists of elements: the name after the address of a layer of this kind, or of an envelope. */
static const struct element_list {
    const char *name;
    tm_address_kind owner;
    tm_layer_kind kind;
} lists[] = {{".quads[", TM_ADDRESS_LAYER, TM_LAYER_QUADS},
             {".sources[", TM_ADDRESS_LAYER, TM_LAYER_SOUNDS},
             {".points[", TM_ADDRESS_ENVELOPE, TM_LAYER_UNKNOWN}};

/* What an address of elements says: "3/0.quads[4]", "3/0.quads[*]". */
typedef struct elements {
    size_t list;
    char owner[256]; /* the address in front */
    bool all;
    uint32_t index;
} elements;

static bool read_element_address(elements *out, const tm_map *map, const char *text)
{
    tm_address whole;
    const char *dot = strrchr(text, '.');
    for (size_t i = 0; dot && i < TMI_COUNT_OF(lists); i++) {
        const size_t size = strlen(lists[i].name);
        if (strncmp(dot, lists[i].name, size) != 0 || (size_t)(dot - text) >= sizeof(out->owner))
            continue;
        const char *from = dot + size;
        *out = (elements){.list = i, .all = strcmp(from, "*]") == 0};
        memcpy(out->owner, text, (size_t)(dot - text));
        return out->all || (tmi_take_digits(&out->index, &from) && strcmp(from, "]") == 0 &&
                            tm_address_parse(&whole, map, text, NULL) != TM_OK);
    }
    return false;
}

static uint32_t num_parts(const tm_map *map, const tm_address *at)
{
    if (at->kind == TM_ADDRESS_ENVELOPE)
        return map->envelopes[at->index].num_points;
    return tmi_layer_num(&map->groups[at->index].layers[at->layer]);
}

/* In ascending order later ones of a list come behind earlier ones; layers by their numbers. */
static uint64_t element_key(const tm_map *map, const tm_address *at, uint32_t index)
{
    const bool envelope = at->kind == TM_ADDRESS_ENVELOPE;
    const uint64_t number = envelope ? at->index : tm_map_layer_number(map, at->index, at->layer);
    return (uint64_t)envelope << 63 | number << 32 | index;
}

static bool has_list(const tm_map *map, const struct element_list *list, const tm_address *at)
{
    return at->kind == list->owner &&
           (at->kind != TM_ADDRESS_LAYER || map->groups[at->index].layers[at->layer].kind == list->kind);
}

static tm_status add_of_owner(removal *to, tmi_edit *edit, const elements *which, const tm_address *at,
                              tm_error *error)
{
    const struct element_list *list = &lists[which->list];
    if (!has_list(edit->map, list, at))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "it has no %.*s", (int)strcspn(list->name + 1, "["),
                        list->name + 1);
    const uint32_t num = num_parts(edit->map, at);
    if (!which->all && which->index >= num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no %s%u], there are %u", list->name + 1,
                        (unsigned)which->index, (unsigned)num);
    for (uint32_t i = which->all ? 0 : which->index; i < (which->all ? num : which->index + 1); i++)
        TM_TRY(add_key(to, edit, element_key(edit->map, at, i), error));
    return TM_OK;
}

static tm_status add_parts(removal *to, tmi_edit *edit, const elements *which, tm_error *error)
{
    tmi_edit_objects found;
    TM_TRY(tmi_edit_objects_find(&found, edit, which->owner, error));
    if (found.num == 0)
        find_nothing(edit, which->owner);
    bool any = false; /* of several objects, only those with the list are used */
    for (size_t i = 0; i < found.num; i++)
        any |= has_list(edit->map, &lists[which->list], &found.list[i]);
    for (size_t i = 0; i < found.num; i++)
        if (!any || has_list(edit->map, &lists[which->list], &found.list[i]))
            TM_TRY(tmi_fail_at_address(error, add_of_owner(to, edit, which, &found.list[i], error), edit->map,
                                       found.list[i]));
    return TM_OK;
}

/* Removes all elements from this key on at once; one by one, a long list would be copied each time. */
static tm_status remove_run(tmi_edit *edit, uint64_t key, uint32_t num, tm_error *error)
{
    const uint32_t number = (uint32_t)(key >> 32) & INT32_MAX;
    tm_address at = tmi_edit_address(TM_ADDRESS_ENVELOPE, number, 0);
    tm_layer_walk walk = {0};
    size_t list = 0;
    if (key >> 63)
        while (lists[list].owner != TM_ADDRESS_ENVELOPE)
            list++;
    while (!(key >> 63) && tm_map_next_layer(edit->map, &walk)) {
        if (walk.number != number)
            continue;
        at = tmi_edit_address(TM_ADDRESS_LAYER, walk.group, walk.index);
        while (lists[list].kind != walk.layer->kind)
            list++;
        break;
    }
    char last[32] = "";
    if (num > 1)
        tmi_format(last, sizeof(last), " to [%u]", (unsigned)(uint32_t)key + num - 1);
    tmi_edit_changed(edit, at, num, "%s%u]%s removed", lists[list].name + 1, (unsigned)(uint32_t)key, last);
    return tmi_map_remove_elements(edit->map, &at, (uint32_t)key, num, error);
}

tm_status tmi_edit_remove(tmi_edit *edit, tm_error *error)
{
    removal objects = {0}, parts = {0};
    elements which;
    uint64_t key;
    for (uint32_t i = 0; i < edit->num_values; i++)
        TM_TRY(read_element_address(&which, edit->map, edit->values[i].text)
                   ? add_parts(&parts, edit, &which, error)
                   : add_whole_objects(&objects, edit, edit->values[i].text, error));
    if (parts.num)
        tmi_sort_u64(parts.keys, parts.num);
    if (objects.num)
        tmi_sort_u64(objects.keys, objects.num);
    while (take_last(&key, &parts)) {
        uint32_t num = 1;
        while (parts.num && parts.keys[parts.num - 1] + 1 == key && take_last(&key, &parts))
            num++;
        TM_TRY(remove_run(edit, key, num, error));
    }
    while (take_last(&key, &objects)) {
        const uint32_t mask = ((uint32_t)1 << KEY_BITS) - 1;
        const tm_address at = {(tm_address_kind)(key >> (2 * KEY_BITS)), (uint32_t)(key >> KEY_BITS) & mask,
                               (uint32_t)key & mask};
        TM_TRY(remove_at(edit, &at, error));
    }
    return TM_OK;
}
