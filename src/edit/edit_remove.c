/* SPDX-License-Identifier: Zlib */
/* Removes objects and elements of lists by functions of the model, which keep references right. */
#include "edit_images.h"

/* Lists of elements: the name after the address of a layer of this kind, or of an envelope. */
static const struct element_list {
    const char *name;
    tm_address_kind owner;
    tm_layer_kind kind;
} lists[] = {{".quads[", TM_ADDRESS_LAYER, TM_LAYER_QUADS},
             {".sources[", TM_ADDRESS_LAYER, TM_LAYER_SOUNDS},
             {".points[", TM_ADDRESS_ENVELOPE, TM_LAYER_UNKNOWN}};

/* The parts of an address of elements, as "3/0.quads[4]" or "3/0.quads[*]". */
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

/* ---------------------------------------------------------------------------------- what is to be removed */

/* An object to be removed, or an element of one. */
typedef struct removed {
    tm_address at;
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
    if (x->at.kind != y->at.kind)
        return (x->at.kind < y->at.kind) == !!x->list ? -1 : 1;
    if (x->at.index != y->at.index)
        return x->at.index > y->at.index ? -1 : 1;
    if (x->at.layer != y->at.layer)
        return x->at.layer > y->at.layer ? -1 : 1;
    return x->index == y->index ? 0 : x->index > y->index ? -1 : 1;
}

static tm_status add_removed(removal *to, const tmi_edit *edit, removed what, tm_error *error)
{
    TM_TRY(tmi_grow(edit->scratch, &to->list, &to->capacity, to->num + 1, sizeof(*to->list), error));
    to->list[to->num++] = what;
    return TM_OK;
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
    const uint32_t num = at->kind == TM_ADDRESS_ENVELOPE ? edit->map->envelopes[at->index].num_points
                                                         : tmi_layer_num(tmi_edit_layer_at(edit, at));
    if (!which->all && which->index >= num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no %s%u], there are %u", list->name + 1,
                        (unsigned)which->index, (unsigned)num);
    for (uint32_t i = which->all ? 0 : which->index; i < (which->all ? num : which->index + 1); i++)
        TM_TRY(add_removed(to, edit, (removed){*at, list, i}, error));
    return TM_OK;
}

/* Adds the objects that a text means, or elements of them. */
static tm_status add_meant(removal *to, tmi_edit *edit, const char *text, tm_error *error)
{
    tmi_edit_objects found;
    elements which;
    const bool parts = read_element_address(&which, edit->map, text);
    TM_TRY(tmi_edit_objects_fitting(&found, edit, parts ? which.owner : text, error));
    bool any = false; /* of several objects, only those with the list are used */
    for (size_t i = 0; parts && i < found.num; i++)
        any |= has_list(edit->map, &lists[which.list], &found.list[i]);
    for (size_t i = 0; i < found.num; i++) {
        const tm_address *at = &found.list[i];
        if (!parts)
            TM_TRY(add_removed(to, edit, (removed){*at, NULL, 0}, error));
        else if (!any || has_list(edit->map, &lists[which.list], at))
            TM_TRY(tmi_fail_at_address(error, add_of_owner(to, edit, &which, at, error), edit->map, *at));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- removing */

tm_status tmi_edit_remove(tmi_edit *edit, tm_error *error)
{
    removal all = {0};
    for (uint32_t i = 0; i < edit->num_values; i++)
        TM_TRY(add_meant(&all, edit, edit->values[i].text, error));
    if (all.num)
        qsort(all.list, all.num, sizeof(*all.list), by_place);
    for (size_t from = 0, to; from < all.num; from = to) {
        const removed *last = &all.list[from], *next;
        uint32_t first = last->index;
        for (to = from + 1; to < all.num; to++) {
            next = &all.list[to];
            if (next->list != last->list || memcmp(&next->at, &last->at, sizeof(last->at)) != 0 ||
                next->index + 1 < first)
                break;
            first = next->index;
        }
        if (!last->list) {
            const bool is_layer = last->at.kind == TM_ADDRESS_LAYER;
            tm_object object;
            if (!tmi_object_of(&object, last->at.kind) && !is_layer)
                return tmi_fail(error, TM_ERROR_USAGE, -1,
                                "only images, sounds, envelopes, groups, layers are removed");
            tmi_edit_changed(edit, last->at, 1, "removed");
            TM_TRY(is_layer ? tm_map_remove_layer(edit->map, last->at.index, last->at.layer, error)
                            : tm_map_remove(edit->map, object, last->at.index, error));
            continue;
        }
        /* Neighbours go at once; one by one, a long list would be copied each time. */
        const uint32_t num = last->index - first + 1;
        char behind[32] = "";
        if (num > 1)
            tmi_format(behind, sizeof(behind), " to [%u]", (unsigned)last->index);
        tmi_edit_changed(edit, last->at, num, "%s%u]%s removed", last->list->name + 1, (unsigned)first,
                         behind);
        TM_TRY(tmi_map_remove_elements(edit->map, &last->at, first, num, error));
    }
    return TM_OK;
}
