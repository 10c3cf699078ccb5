/* SPDX-License-Identifier: Zlib */
/*
 * The objects of two maps by list and number: what they are called, where they stand, and which are paired.
 */
#include "match.h"

tm_status tmi_take(tmi_arena *arena, void *out, size_t count, size_t size, tm_error *error)
{
    void *memory;
    TM_TRY(tmi_arena_reserve(&memory, arena, count, size, "a comparison", error));
    memcpy(out, &memory, sizeof(memory)); /* a pointer of any type */
    memset(memory, 0, count * size);
    return TM_OK;
}

tm_status tmi_take_text(tmi_arena *arena, const char **out, const char *text, tm_error *error)
{
    *out = NULL;
    return text ? tmi_arena_text(out, arena, text, strlen(text), "a comparison", error) : TM_OK;
}

/* -------------------------------------------------------------------------------------------------- sides */

tm_status tmi_side_new(tmi_side *side, const uint32_t num[TM_KIND_GROUP + 1], const uint32_t *layers,
                       tmi_arena *arena, tm_error *error)
{
    TM_TRY(tmi_take(arena, &side->first_layer, (size_t)num[TM_KIND_GROUP] + 1, sizeof(uint32_t), error));
    for (uint32_t g = 0; g < num[TM_KIND_GROUP]; g++) {
        if (layers[g] > INT32_MAX - side->first_layer[g])
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many layers: %ld are the most", (long)INT32_MAX);
        side->first_layer[g + 1] = side->first_layer[g] + layers[g];
    }
    memcpy(side->num, num, (TM_KIND_GROUP + 1) * sizeof(*num));
    side->num[TM_KIND_LAYER] = side->first_layer[num[TM_KIND_GROUP]];
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        TM_TRY(tmi_take(arena, &side->labels[list], side->num[list], sizeof(tmi_label), error));
    for (uint32_t g = 0; g < num[TM_KIND_GROUP]; g++)
        for (uint32_t l = side->first_layer[g]; l < side->first_layer[g + 1]; l++)
            side->labels[TM_KIND_LAYER][l].group = g;
    return TM_OK;
}

tm_status tmi_side_of_map(tmi_side *side, const tm_map *map, tmi_arena *arena, tm_error *error)
{
    uint32_t num[TM_KIND_GROUP + 1] = {0}, *layers = NULL;
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_GROUP; list++)
        num[list] = tmi_num_objects(map, list);
    TM_TRY(tmi_take(arena, &layers, map->num_groups, sizeof(*layers), error));
    for (uint32_t g = 0; g < map->num_groups; g++)
        layers[g] = map->groups[g].num_layers;
    TM_TRY(tmi_side_new(side, num, layers, arena, error));
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++) {
        const tm_field *name = tm_field_find(list, "name");
        for (uint32_t i = 0; i < side->num[list]; i++) {
            tmi_label *label = &side->labels[list][i];
            const void *object = tmi_object_at(map, side, list, i);
            const char *text = tm_field_get(name, object, 0).as.text;
            TM_TRY(tmi_take_text(arena, &label->name, text ? text : "", error));
            label->kind = list == TM_KIND_LAYER      ? (int32_t)((const tm_layer *)object)->kind
                          : list == TM_KIND_ENVELOPE ? ((const tm_envelope *)object)->channels
                                                     : 0;
        }
    }
    return TM_OK;
}

uint32_t tmi_layer_index(const tmi_side *side, uint32_t number)
{
    return number - side->first_layer[side->labels[TM_KIND_LAYER][number].group];
}

tm_address tmi_side_address(const tmi_side *side, tm_kind list, uint32_t number)
{
    if (list == TM_KIND_LAYER)
        return (tm_address){TM_KIND_LAYER, side->labels[TM_KIND_LAYER][number].group,
                            tmi_layer_index(side, number)};
    return (tm_address){list, list == TM_KIND_MAP ? 0 : number, 0};
}

const void *tmi_object_at(const tm_map *map, const tmi_side *side, tm_kind list, uint32_t number)
{
    const tm_address address = tmi_side_address(side, list, number);
    tm_kind owner;
    return tmi_map_object(map, &address, &owner);
}

/* --------------------------------------------------------------------------------------------- two sides */

tm_status tmi_match_pairs(tmi_match *match, tm_error *error)
{
    for (tm_kind list = TM_KIND_IMAGE; list <= TM_KIND_LAYER; list++)
        TM_TRY(tmi_pairs_new(&match->pairs[list], match->side[TMI_BEFORE].num[list],
                             match->side[TMI_AFTER].num[list], &match->arena, error));
    return TM_OK;
}

bool tmi_span_of_group(tmi_span *out, const tmi_match *match, uint32_t before)
{
    const int32_t after = match->pairs[TM_KIND_GROUP].other[TMI_BEFORE][before];
    if (after == TM_NONE)
        return false;
    const uint32_t group[] = {before, (uint32_t)after};
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        out->first[side] = match->side[side].first_layer[group[side]];
        out->end[side] = match->side[side].first_layer[group[side] + 1];
    }
    return true;
}
