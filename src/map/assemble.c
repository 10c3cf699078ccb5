/* SPDX-License-Identifier: Zlib */
/*
 * Objects one by one, and maps made of them: copies of single structs for another map, and the one function
 * that drops, moves and adds objects of all kinds at once. For rooms that take maps apart and rebuild them;
 * arrange.c changes single objects.
 */
#include "internal.h"

/* --------------------------------------------------------------------------------------------- one object */

tm_status tmi_object_copy(tm_map *map, tm_kind owner, void *out, const tm_map *source, const void *original,
                          tm_error *error)
{
    tm_group alone;
    if (owner == TM_KIND_GROUP) {
        alone = *(const tm_group *)original;
        alone.layers = NULL;
        alone.num_layers = 0;
        original = &alone;
    }
    TM_TRY(tmi_item_copy(tmi_array_of(owner), map, out, source, original, error));
    tmi_object_own(map, owner, out);
    tmi_object_forget_user(owner, out);
    return TM_OK;
}

tm_status tmi_layer_put_elements(tm_map *map, tm_layer *layer, const void *elements, uint32_t num,
                                 tm_error *error)
{
    tm_block **slot = tmi_layer_elements(layer), *fresh = NULL;
    const uint64_t size = (uint64_t)num * tm_kind_size(tm_kind_of_elements(layer->kind));
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
    const tmi_arrangement *arrangement;
    int32_t *places[TM_KIND_ENVELOPE + 1]; /* by kind and old index the new index, TM_NONE: dropped */
    uint32_t nums[TM_KIND_ENVELOPE + 1];
    bool moved;       /* any of them has another index, or is new */
    tm_layer *layers; /* all of the old ones, in order, and which of them are taken */
    bool *taken;
    uint32_t num_layers;
    tm_error *error;
} assembling;

static tm_status assemble_places(assembling *assembly)
{
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_ENVELOPE; kind++) {
        const uint32_t num = tmi_num(tmi_map_array_of(kind), assembly->map);
        assembly->nums[kind] = num;
        TM_TRY(tmi_arena_reserve(&assembly->places[kind], &assembly->arena, num, sizeof(int32_t),
                                 "a table of places", assembly->error));
        for (uint32_t i = 0; i < num; i++)
            assembly->places[kind][i] = TM_NONE;
        for (uint32_t i = 0; i < assembly->arrangement->num[kind]; i++)
            if (assembly->arrangement->old_indices[kind][i] >= 0)
                assembly->places[kind][assembly->arrangement->old_indices[kind][i]] = (int32_t)i;
        assembly->moved = assembly->moved || num != assembly->arrangement->num[kind];
        for (uint32_t i = 0; i < num; i++)
            assembly->moved = assembly->moved || assembly->places[kind][i] != (int32_t)i;
    }
    return TM_OK;
}

static void assemble_reference(void *ctx, const tm_field *field, int32_t *index)
{
    const assembling *assembly = ctx;
    const tm_kind kind = field->refers;
    if (*index < 0)
        return;
    if ((uint32_t)*index < assembly->nums[kind])
        *index = assembly->places[kind][*index];
    else if ((uint32_t)*index < assembly->arrangement->num[kind])
        *index = TM_NONE; /* would lead to something now */
}

/* Puts one array of the map into its new order. Layers of groups are handled before. */
static tm_status assemble_array(assembling *assembly, tm_kind kind)
{
    const tmi_array *array = tmi_map_array_of(kind);
    const uint32_t num = assembly->arrangement->num[kind], old_num = tmi_num(array, assembly->map);
    char *old = tmi_items(array, assembly->map), *items;
    void *fresh;
    bool *kept;
    TM_TRY(tmi_arena_reserve(&kept, &assembly->arena, old_num, sizeof(*kept), "a table of objects",
                             assembly->error));
    TM_TRY(tmi_items_new(&fresh, array, assembly->map, num, assembly->error));
    memset(kept, 0, old_num * sizeof(*kept));
    items = fresh;
    for (uint32_t i = 0; i < num; i++, items += array->size) {
        const int32_t from = assembly->arrangement->old_indices[kind][i];
        memset(items, 0, array->size);
        if (from >= 0) {
            memcpy(items, old + (size_t)from * array->size, array->size);
            kept[from] = true;
        } else {
            tmi_fields_init(kind, items);
        }
    }
    for (uint32_t i = 0; i < old_num; i++)
        if (!kept[i])
            tmi_object_release(assembly->map, kind, old + (size_t)i * array->size);
    tmi_items_replace(array, assembly->map, assembly->map, fresh, num);
    return TM_OK;
}

static tm_status give_layers(assembling *assembly)
{
    const int32_t *old_number = assembly->arrangement->layers;
    for (uint32_t g = 0; g < assembly->map->num_groups; g++) {
        void *items;
        const uint32_t num = assembly->arrangement->num_layers[g];
        TM_TRY(tmi_items_new(&items, &tmi_layer_array, assembly->map, num, assembly->error));
        tm_layer *layers = items;
        for (uint32_t l = 0; l < num; l++, old_number++) {
            if (*old_number >= 0) {
                layers[l] = assembly->layers[*old_number];
                assembly->taken[*old_number] = true;
            } else {
                memset(&layers[l], 0, sizeof(layers[l]));
                layers[l].kind = TM_LAYER_UNKNOWN;
            }
        }
        tmi_items_replace(&tmi_layer_array, assembly->map, &assembly->map->groups[g], items, num);
    }
    return TM_OK;
}

static tm_status assemble(assembling *assembly)
{
    const uint32_t num = tm_map_num_layers(assembly->map);
    tm_layer_walk walk = {0};
    TM_TRY(assemble_places(assembly));
    while (assembly->moved && tm_map_next_layer(assembly->map, &walk)) {
        tm_layer *layer = &assembly->map->groups[walk.group].layers[walk.index];
        TM_TRY(tmi_fail_at_address(
            assembly->error,
            tmi_layer_map_references(assembly->map, layer, assemble_reference, assembly, assembly->error),
            assembly->map, (tm_address){TM_KIND_LAYER, walk.group, walk.index}));
    }
    TM_TRY(tmi_arena_reserve(&assembly->layers, &assembly->arena, num, sizeof(*assembly->layers),
                             "a table of layers", assembly->error));
    TM_TRY(tmi_arena_reserve(&assembly->taken, &assembly->arena, num, sizeof(*assembly->taken),
                             "a table of layers", assembly->error));
    memset(assembly->taken, 0, num * sizeof(*assembly->taken));
    for (uint32_t g = 0; g < assembly->map->num_groups;
         g++) { /* all layers, out of their groups into one array */
        tm_group *group = &assembly->map->groups[g];
        if (group->num_layers)
            memcpy(assembly->layers + assembly->num_layers, group->layers,
                   group->num_layers * sizeof(*group->layers));
        assembly->num_layers += group->num_layers;
        tmi_items_replace(&tmi_layer_array, assembly->map, group, NULL, 0);
    }
    for (tm_kind kind = TM_KIND_IMAGE; kind <= TM_KIND_GROUP; kind++)
        TM_TRY(assemble_array(assembly, kind));
    return give_layers(assembly);
}

tm_status tmi_map_assemble(tm_map *map, const tmi_arrangement *arrangement, tm_error *error)
{
    assembling assembly = {.map = map, .arrangement = arrangement, .error = error};
    tmi_arena_init(&assembly.arena, tmi_map_allocator(map));
    const tm_status status = assemble(&assembly);
    for (uint32_t i = 0; i < assembly.num_layers; i++)
        if (!assembly.taken[i])
            tmi_object_release(map, TM_KIND_LAYER, &assembly.layers[i]);
    tmi_arena_release(&assembly.arena);
    return status;
}
