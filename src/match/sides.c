/* SPDX-License-Identifier: Zlib */
/*
 * The objects of two maps by list and number: what they are called, where they stand, and which are paired.
 */
#include "match.h"

tm_owner tmi_owner_of_list(tmi_list list)
{
    static const tm_owner owners[] = {
        [TMI_IMAGES] = TM_OWNER_IMAGE, [TMI_SOUNDS] = TM_OWNER_SOUND, [TMI_ENVELOPES] = TM_OWNER_ENVELOPE,
        [TMI_GROUPS] = TM_OWNER_GROUP, [TMI_LAYERS] = TM_OWNER_LAYER, [TMI_WHOLE] = TM_OWNER_MAP};
    return owners[list];
}

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

tm_status tmi_side_new(tmi_side *side, const uint32_t num[TMI_GROUPS + 1], const uint32_t *layers,
                       tmi_arena *arena, tm_error *error)
{
    TM_TRY(tmi_take(arena, &side->first_layer, (size_t)num[TMI_GROUPS] + 1, sizeof(uint32_t), error));
    for (uint32_t g = 0; g < num[TMI_GROUPS]; g++) {
        if (layers[g] > INT32_MAX - side->first_layer[g])
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many layers: %ld are the most", (long)INT32_MAX);
        side->first_layer[g + 1] = side->first_layer[g] + layers[g];
    }
    memcpy(side->num, num, (TMI_GROUPS + 1) * sizeof(*num));
    side->num[TMI_LAYERS] = side->first_layer[num[TMI_GROUPS]];
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(tmi_take(arena, &side->labels[list], side->num[list], sizeof(tmi_label), error));
    for (uint32_t g = 0; g < num[TMI_GROUPS]; g++)
        for (uint32_t l = side->first_layer[g]; l < side->first_layer[g + 1]; l++)
            side->labels[TMI_LAYERS][l].group = g;
    return TM_OK;
}

tm_status tmi_side_of_map(tmi_side *side, const tm_map *map, tmi_arena *arena, tm_error *error)
{
    uint32_t num[TMI_GROUPS + 1], *layers = NULL;
    for (int list = 0; list <= TMI_GROUPS; list++)
        num[list] = tmi_num_objects(map, (tm_object)list);
    TM_TRY(tmi_take(arena, &layers, map->num_groups, sizeof(*layers), error));
    for (uint32_t g = 0; g < map->num_groups; g++)
        layers[g] = map->groups[g].num_layers;
    TM_TRY(tmi_side_new(side, num, layers, arena, error));
    for (int list = 0; list < TMI_LISTS; list++) {
        const tm_field *name = tm_field_find(tmi_owner_of_list((tmi_list)list), "name");
        for (uint32_t i = 0; i < side->num[list]; i++) {
            tmi_label *label = &side->labels[list][i];
            const void *object = tmi_object_at(map, side, (tmi_list)list, i);
            const char *text = tm_field_get(name, object, 0).as.text;
            TM_TRY(tmi_take_text(arena, &label->name, text ? text : "", error));
            label->kind = list == TMI_LAYERS      ? (int32_t)((const tm_layer *)object)->kind
                          : list == TMI_ENVELOPES ? ((const tm_envelope *)object)->channels
                                                  : 0;
        }
    }
    return TM_OK;
}

uint32_t tmi_layer_index(const tmi_side *side, uint32_t number)
{
    return number - side->first_layer[side->labels[TMI_LAYERS][number].group];
}

tm_address tmi_side_address(const tmi_side *side, tmi_list list, uint32_t number)
{
    if (list == TMI_LAYERS)
        return (tm_address){TM_ADDRESS_LAYER, side->labels[TMI_LAYERS][number].group,
                            tmi_layer_index(side, number)};
    return (tm_address){tmi_address_of_list(list), list == TMI_WHOLE ? 0 : number, 0};
}

const void *tmi_object_at(const tm_map *map, const tmi_side *side, tmi_list list, uint32_t number)
{
    const tm_address address = tmi_side_address(side, list, number);
    tm_owner owner;
    return tmi_map_object(map, &address, &owner);
}

/* --------------------------------------------------------------------------------------------- two sides */

tm_status tmi_match_pairs(tmi_match *match, tm_error *error)
{
    for (int list = 0; list < TMI_LISTS; list++)
        TM_TRY(tmi_pairs_new(&match->pairs[list], match->side[TMI_BEFORE].num[list],
                             match->side[TMI_AFTER].num[list], &match->arena, error));
    return TM_OK;
}

bool tmi_span_of_group(tmi_span *out, const tmi_match *match, uint32_t before)
{
    const int32_t after = match->pairs[TMI_GROUPS].other[TMI_BEFORE][before];
    if (after == TM_NONE)
        return false;
    const uint32_t group[] = {before, (uint32_t)after};
    for (int side = TMI_BEFORE; side <= TMI_AFTER; side++) {
        out->first[side] = match->side[side].first_layer[group[side]];
        out->end[side] = match->side[side].first_layer[group[side] + 1];
    }
    return true;
}
