/* SPDX-License-Identifier: Zlib */
/* Removes objects and elements of lists by functions of the model, which keep references right. */
#include "edit_images.h"

/* Lists of elements: the name after the address of a layer of this kind, or of an envelope. */
static const struct element_list {
    const char *name;
    tm_kind owner;
    tm_layer_kind kind;
} lists[] = {{".quads[", TM_KIND_LAYER, TM_LAYER_QUADS},
             {".sources[", TM_KIND_LAYER, TM_LAYER_SOUNDS},
             {".points[", TM_KIND_ENVELOPE, TM_LAYER_UNKNOWN}};

/* The parts of an address of elements, as "3/0.quads[4]" or "3/0.quads[*]". */
typedef struct elements {
    size_t list;
    char owner[256]; /* the address in front */
    bool all;
    uint32_t index;
} elements;

static bool parse_element_address(elements *out, const tm_map *map, const char *text)
{
    tm_address whole;
    const char *dot = strrchr(text, '.');
    for (size_t i = 0; dot && i < TMI_COUNT_OF(lists); i++) {
        const size_t size = strlen(lists[i].name);
        if (strncmp(dot, lists[i].name, size) != 0 || (size_t)(dot - text) >= sizeof(out->owner))
            continue;
        const char *cursor = dot + size;
        *out = (elements){.list = i, .all = strcmp(cursor, "*]") == 0};
        memcpy(out->owner, text, (size_t)(dot - text));
        return out->all || (tmi_take_digits(&out->index, &cursor) && strcmp(cursor, "]") == 0 &&
                            tm_address_parse(&whole, map, text, NULL) != TM_OK);
    }
    return false;
}

/* ---------------------------------------------------------------------------------- what is to be removed */

/* An object to be removed, or an element of one. */
typedef struct removed {
    tm_address address;
    const struct element_list *list; /* NULL: the object itself */
    uint32_t index;                  /* of the element */
} removed;

/*
 * All addresses refer to the map before the operation, so they are resolved first. Then elements are removed
 * before objects, and later ones before earlier ones, which keeps the other addresses valid.
 */
typedef struct removal {
    removed *list;
    size_t num, capacity;
} removal;

static int by_place(const void *a, const void *b)
{
    const removed *x = a, *y = b;
    if (!x->list != !y->list)
        return x->list ? -1 : 1;
    if (x->address.kind != y->address.kind)
        return (x->address.kind < y->address.kind) == !!x->list ? -1 : 1;
    if (x->address.index != y->address.index)
        return x->address.index > y->address.index ? -1 : 1;
    if (x->address.layer != y->address.layer)
        return x->address.layer > y->address.layer ? -1 : 1;
    return x->index == y->index ? 0 : x->index > y->index ? -1 : 1;
}

static tm_status add_removed(removal *entries, const tmi_edit *edit, removed entry, tm_error *error)
{
    TM_TRY(tmi_grow(edit->scratch, &entries->list, &entries->capacity, entries->num + 1,
                    sizeof(*entries->list), error));
    entries->list[entries->num++] = entry;
    return TM_OK;
}

static bool has_list(const tm_map *map, const struct element_list *list, const tm_address *address)
{
    return address->kind == list->owner &&
           (address->kind != TM_KIND_LAYER ||
            map->groups[address->index].layers[address->layer].kind == list->kind);
}

static tm_status add_of_owner(removal *entries, tmi_edit *edit, const elements *chosen,
                              const tm_address *address, tm_error *error)
{
    const struct element_list *list = &lists[chosen->list];
    if (!has_list(edit->map, list, address))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "it has no %.*s", (int)strcspn(list->name + 1, "["),
                        list->name + 1);
    const uint32_t num = address->kind == TM_KIND_ENVELOPE ? edit->map->envelopes[address->index].num_points
                                                           : tmi_layer_num(tmi_edit_layer_at(edit, address));
    if (!chosen->all && chosen->index >= num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no %s%u], there are %u", list->name + 1,
                        (unsigned)chosen->index, (unsigned)num);
    for (uint32_t i = chosen->all ? 0 : chosen->index; i < (chosen->all ? num : chosen->index + 1); i++)
        TM_TRY(add_removed(entries, edit, (removed){*address, list, i}, error));
    return TM_OK;
}

/* Adds the objects that a text means, or elements of them. */
static tm_status add_meant(removal *entries, tmi_edit *edit, const char *text, tm_error *error)
{
    tmi_edit_objects found;
    elements chosen;
    const bool parts = parse_element_address(&chosen, edit->map, text);
    TM_TRY(tmi_edit_objects_fitting(&found, edit, parts ? chosen.owner : text, error));
    bool any = false; /* of several objects, only those with the list are used */
    for (size_t i = 0; parts && i < found.num; i++)
        any |= has_list(edit->map, &lists[chosen.list], &found.list[i]);
    for (size_t i = 0; i < found.num; i++) {
        const tm_address *address = &found.list[i];
        if (!parts)
            TM_TRY(add_removed(entries, edit, (removed){*address, NULL, 0}, error));
        else if (!any || has_list(edit->map, &lists[chosen.list], address))
            TM_TRY(tmi_fail_at_address(error, add_of_owner(entries, edit, &chosen, address, error), edit->map,
                                       *address));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- removing */

tm_status tmi_edit_remove(tmi_edit *edit, tm_error *error)
{
    removal entries = {0};
    for (uint32_t i = 0; i < edit->num_values; i++)
        TM_TRY(add_meant(&entries, edit, edit->values[i].text, error));
    if (entries.num)
        qsort(entries.list, entries.num, sizeof(*entries.list), by_place);
    for (size_t from = 0, to; from < entries.num; from = to) {
        const removed *last = &entries.list[from], *next;
        uint32_t first = last->index;
        for (to = from + 1; to < entries.num; to++) {
            next = &entries.list[to];
            if (next->list != last->list ||
                memcmp(&next->address, &last->address, sizeof(last->address)) != 0 || next->index + 1 < first)
                break;
            first = next->index;
        }
        if (!last->list) {
            const bool is_layer = last->address.kind == TM_KIND_LAYER;
            if (!tmi_in_map_array(last->address.kind) && !is_layer)
                return tmi_fail(error, TM_ERROR_USAGE, -1,
                                "only images, sounds, envelopes, groups, layers are removed");
            tmi_edit_changed(edit, last->address, 1, "removed");
            TM_TRY(is_layer ? tm_map_remove_layer(edit->map, last->address.index, last->address.layer, error)
                            : tm_map_remove(edit->map, last->address.kind, last->address.index, error));
            continue;
        }
        /* Neighbours go at once; one by one, a long list would be copied each time. */
        const uint32_t num = last->index - first + 1;
        char behind[32] = "";
        if (num > 1)
            tmi_format(behind, sizeof(behind), " to [%u]", (unsigned)last->index);
        tmi_edit_changed(edit, last->address, num, "%s%u]%s removed", last->list->name + 1, (unsigned)first,
                         behind);
        TM_TRY(tmi_map_remove_elements(edit->map, &last->address, first, num, error));
    }
    return TM_OK;
}
