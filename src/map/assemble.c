/* SPDX-License-Identifier: Zlib */
/*
 * Objects one by one, and maps made of them: copies of single structs for another map, and the one function
 * that drops, moves and adds objects of all kinds at once. For rooms that take maps apart and rebuild them;
 * arrange.c changes single objects.
 */
#include "internal.h"

/* --------------------------------------------------------------------------------------------- one object */

tm_status tmi_object_copy(tm_map *map, tm_owner owner, void *out, const tm_map *from, const void *in,
                          tm_error *error)
{
    tm_group alone;
    if (owner == TM_OWNER_GROUP) {
        alone = *(const tm_group *)in;
        alone.layers = NULL;
        alone.num_layers = 0;
        in = &alone;
    }
    TM_TRY(tmi_item_copy(tmi_kind_of_owner(owner), map, out, from, in, error));
    tmi_object_own(map, owner, out);
    tmi_object_forget_user(owner, out);
    return TM_OK;
}

tm_status tmi_layer_put_elements(tm_map *map, tm_layer *layer, const void *elements, uint32_t num,
                                 tm_error *error)
{
    tm_block **slot = tmi_layer_elements(layer), *fresh = NULL;
    const uint64_t size = (uint64_t)num * tm_owner_size(tm_owner_of_elements(layer->kind));
    if (num)
        TM_TRY(tmi_block_new(&fresh, map, TMI_ENCODING_INTS, elements, size, error));
    tmi_block_put(map, slot, fresh);
    *tmi_layer_count(layer) = num;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------- whole maps */

typedef struct assembling {
    tm_map *map;
    tmi_arena arena; /* of the tables below */
    const tmi_arrangement *to;
    int32_t *places[3]; /* of images, sounds, envelopes: by old index the new one, TM_NONE: dropped */
    uint32_t nums[3];
    bool moved;       /* any of them has another index, or is new */
    tm_layer *layers; /* all of the old ones, in order, and which of them are taken */
    bool *taken;
    uint32_t num_layers;
    tm_error *error;
} assembling;

static tm_status assemble_places(assembling *at)
{
    for (int object = 0; object < 3; object++) {
        const uint32_t num = tmi_num(tmi_kind_of((tm_object)object), at->map);
        at->nums[object] = num;
        TM_TRY(tmi_arena_reserve(&at->places[object], &at->arena, num, sizeof(int32_t), "a table of places",
                                 at->error));
        for (uint32_t i = 0; i < num; i++)
            at->places[object][i] = TM_NONE;
        for (uint32_t i = 0; i < at->to->num[object]; i++)
            if (at->to->from[object][i] >= 0)
                at->places[object][at->to->from[object][i]] = (int32_t)i;
        at->moved = at->moved || num != at->to->num[object];
        for (uint32_t i = 0; i < num; i++)
            at->moved = at->moved || at->places[object][i] != (int32_t)i;
    }
    return TM_OK;
}

static void assemble_reference(void *ctx, const tm_field *field, int32_t *index)
{
    const assembling *at = ctx;
    const tm_object object = field->refers;
    if (*index < 0)
        return;
    if ((uint32_t)*index < at->nums[object])
        *index = at->places[object][*index];
    else if ((uint32_t)*index < at->to->num[object])
        *index = TM_NONE; /* would lead to something now */
}

/* Puts one array of the map into its new order. Layers of groups are handled before. */
static tm_status assemble_array(assembling *at, tm_object object)
{
    const tmi_kind *kind = tmi_kind_of(object);
    const uint32_t num = at->to->num[object], old_num = tmi_num(kind, at->map);
    char *old = tmi_items(kind, at->map), *items;
    void *fresh;
    bool *kept;
    TM_TRY(tmi_arena_reserve(&kept, &at->arena, old_num, sizeof(*kept), "a table of objects", at->error));
    TM_TRY(tmi_items_new(&fresh, kind, at->map, num, at->error));
    memset(kept, 0, old_num * sizeof(*kept));
    items = fresh;
    for (uint32_t i = 0; i < num; i++, items += kind->size) {
        const int32_t from = at->to->from[object][i];
        memset(items, 0, kind->size);
        if (from >= 0) {
            memcpy(items, old + (size_t)from * kind->size, kind->size);
            kept[from] = true;
        } else {
            tmi_fields_init(kind->owner, items);
        }
    }
    for (uint32_t i = 0; i < old_num; i++)
        if (!kept[i])
            tmi_object_release(at->map, kind->owner, old + (size_t)i * kind->size);
    tmi_items_replace(kind, at->map, at->map, fresh, num);
    return TM_OK;
}

static tm_status give_layers(assembling *at)
{
    const int32_t *from = at->to->layers;
    for (uint32_t g = 0; g < at->map->num_groups; g++) {
        void *items;
        const uint32_t num = at->to->num_layers[g];
        TM_TRY(tmi_items_new(&items, &tmi_kind_layer, at->map, num, at->error));
        tm_layer *layers = items;
        for (uint32_t l = 0; l < num; l++, from++) {
            if (*from >= 0) {
                layers[l] = at->layers[*from];
                at->taken[*from] = true;
            } else {
                memset(&layers[l], 0, sizeof(layers[l]));
                layers[l].kind = TM_LAYER_UNKNOWN;
            }
        }
        tmi_items_replace(&tmi_kind_layer, at->map, &at->map->groups[g], items, num);
    }
    return TM_OK;
}

static tm_status assemble(assembling *at)
{
    const uint32_t num = tm_map_num_layers(at->map);
    tm_layer_walk walk = {0};
    TM_TRY(assemble_places(at));
    while (at->moved && tm_map_next_layer(at->map, &walk)) {
        tm_layer *layer = &at->map->groups[walk.group].layers[walk.index];
        TM_TRY(tmi_fail_at_address(
            at->error, tmi_layer_map_references(at->map, layer, assemble_reference, at, at->error), at->map,
            (tm_address){TM_ADDRESS_LAYER, walk.group, walk.index}));
    }
    TM_TRY(
        tmi_arena_reserve(&at->layers, &at->arena, num, sizeof(*at->layers), "a table of layers", at->error));
    TM_TRY(
        tmi_arena_reserve(&at->taken, &at->arena, num, sizeof(*at->taken), "a table of layers", at->error));
    memset(at->taken, 0, num * sizeof(*at->taken));
    for (uint32_t g = 0; g < at->map->num_groups; g++) { /* all layers, out of their groups into one array */
        tm_group *group = &at->map->groups[g];
        if (group->num_layers)
            memcpy(at->layers + at->num_layers, group->layers, group->num_layers * sizeof(*group->layers));
        at->num_layers += group->num_layers;
        tmi_items_replace(&tmi_kind_layer, at->map, group, NULL, 0);
    }
    for (int object = TM_OBJECT_IMAGE; object <= TM_OBJECT_GROUP; object++)
        TM_TRY(assemble_array(at, (tm_object)object));
    return give_layers(at);
}

tm_status tmi_map_assemble(tm_map *map, const tmi_arrangement *to, tm_error *error)
{
    assembling at = {.map = map, .to = to, .error = error};
    tmi_arena_init(&at.arena, tmi_map_allocator(map));
    const tm_status status = assemble(&at);
    for (uint32_t i = 0; i < at.num_layers; i++)
        if (!at.taken[i])
            tmi_object_release(map, TM_OWNER_LAYER, &at.layers[i]);
    tmi_arena_release(&at.arena);
    return status;
}
