/* SPDX-License-Identifier: Zlib */
/*
 * Whether what a caller names is there: the same questions and the same words for every function of the room.
 * A message names the index and how many there are.
 */
#include "internal.h"

tm_status tmi_check_map(const tm_map *map, tm_error *error)
{
    return tmi_need(map, "map", error);
}

static tm_status missing(const char *name, uint32_t index, uint32_t num, tm_error *error)
{
    return tmi_fail(error, TM_ERROR_USAGE, -1, "%s %u does not exist, the map has %u", name, (unsigned)index,
                    (unsigned)num);
}

tm_status tmi_check_object(const tm_map *map, tm_object object, uint32_t index, tm_error *error)
{
    const tmi_kind *kind = tmi_kind_of(object);
    TM_TRY(tmi_check_map(map, error));
    if (!kind)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no kind of object %d", (int)object);
    uint32_t num = tmi_num(kind, map);
    return index < num ? TM_OK : missing(kind->name, index, num, error);
}

tm_status tmi_check_layer(const tm_map *map, uint32_t group, uint32_t layer, tm_error *error)
{
    TM_TRY(tmi_check_object(map, TM_OBJECT_GROUP, group, error));
    uint32_t num = map->groups[group].num_layers;
    if (layer < num)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "layer %u does not exist, group %u has %u", (unsigned)layer,
                    (unsigned)group, (unsigned)num);
}

tm_status tmi_find_layer(tm_layer **out, tm_map *map, uint32_t group, uint32_t layer, tm_error *error)
{
    *out = NULL;
    TM_TRY(tmi_check_layer(map, group, layer, error));
    *out = &map->groups[group].layers[layer];
    return TM_OK;
}

/* Indices are int32_t wherever they refer, so no array grows beyond that. */
static tm_status check_at(const char *owner, const char *name, uint32_t at, uint32_t num, tm_error *error)
{
    if (at > num)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot insert %s %s at %u, %s has %u",
                        strchr("aeiou", *name) ? "an" : "a", name, (unsigned)at, owner, (unsigned)num);
    if (num >= INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%s has %u %ss, more are not possible", owner,
                        (unsigned)num, name);
    return TM_OK;
}

tm_status tmi_check_place(const tm_map *map, tm_object object, uint32_t at, tm_error *error)
{
    const tmi_kind *kind = tmi_kind_of(object);
    TM_TRY(tmi_check_map(map, error));
    if (!kind)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no kind of object %d", (int)object);
    return check_at("the map", kind->name, at, tmi_num(kind, map), error);
}

tm_status tmi_check_layer_place(const tm_map *map, uint32_t group, uint32_t at, tm_error *error)
{
    char owner[32];
    TM_TRY(tmi_check_object(map, TM_OBJECT_GROUP, group, error));
    tmi_format(owner, sizeof(owner), "group %u", (unsigned)group);
    return check_at(owner, "layer", at, map->groups[group].num_layers, error);
}
