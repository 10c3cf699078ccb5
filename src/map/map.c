/* SPDX-License-Identifier: Zlib */
/*
 * Whole maps: making, freeing and cloning them. What an element of each array is stands in object_types.c.
 */
#include "internal.h"

/*
 * The struct that callers hold, and the allocator that it came from: swapping changes the contents, not this.
 */
typedef struct whole_map {
    tm_map map;
    tm_allocator allocator; /* `resize` NULL: malloc */
} whole_map;

static const tm_allocator *whole_allocator(const tm_allocator *allocator)
{
    return allocator->resize ? allocator : NULL;
}

/* ------------------------------------------------------------------------------------- making and freeing */

tm_status tm_map_new(tm_map **out, const tm_map_options *options, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_map_options effective;
    tm_limits limits;
    *out = NULL;
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_map_options", error));
    if ((unsigned)effective.game >= TM_GAME_COUNT)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no game number %d", (int)effective.game);
    TM_TRY(tmi_limits_take(&limits, effective.limits, error));
    whole_map *whole = tmi_calloc(effective.allocator, 1, sizeof(*whole));
    tm_map_private *priv = tmi_calloc(effective.allocator, 1, sizeof(*priv));
    tmi_family *family = tmi_calloc(effective.allocator, 1, sizeof(*family));
    if (!whole || !priv || !family) {
        tmi_free(effective.allocator, whole, 1, sizeof(*whole));
        tmi_free(effective.allocator, priv, 1, sizeof(*priv));
        tmi_free(effective.allocator, family, 1, sizeof(*family));
        return tmi_fail_memory(error, sizeof(*whole) + sizeof(*priv), "a map");
    }
    if (effective.allocator)
        whole->allocator = priv->allocator = *effective.allocator;
    priv->limits = limits;
    priv->most_points = limits.item_bytes / TMI_BYTES_PER_POINT;
    atomic_init(&family->members, 1);
    atomic_init(&family->account, 0);
    priv->family = family;
    whole->map.priv = priv;
    whole->map.game = effective.game;
    whole->map.version = 1;
    *out = &whole->map;
    return TM_OK;
}

void tm_map_swap(tm_map *a, tm_map *b)
{
    if (!a || !b || a == b)
        return;
    const tm_map of_a = *a;
    *a = *b;
    *b = of_a;
}

void tm_map_set_cancel(tm_map *map, const tm_cancel *cancel)
{
    if (map)
        map->priv->cancel = cancel;
}

static void leave_common_points(tm_map *map)
{
    tmi_common_points *common = map->priv->common_points;
    if (common && atomic_fetch_sub_explicit(&common->members, 1, memory_order_acq_rel) == 1)
        tmi_free(tmi_map_allocator(map), common, sizeof(*common) + common->num * sizeof(*common->points), 1);
}

static void leave_family(tm_map *map)
{
    tmi_family *family = map->priv->family;
    if (atomic_fetch_sub_explicit(&family->members, 1, memory_order_acq_rel) == 1)
        tmi_free(tmi_map_allocator(map), family, 1, sizeof(*family));
}

void tm_map_free(tm_map *map)
{
    if (!map)
        return;
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_GROUP; object++) {
        const tmi_array *array = tmi_map_array_of(object);
        tmi_items_free(array, map, tmi_items(array, map), tmi_num(array, map));
    }
    tmi_free(tmi_map_allocator(map), map->info.settings, map->info.num_settings, sizeof(*map->info.settings));
    tmi_unread_release(map, TM_KIND_INFO, &map->info);
    tmi_text_pool_release(&map->priv->texts, tmi_map_allocator(map));
    tmi_origin_release(map->priv->origin);
    leave_family(map);
    leave_common_points(map);
    const tm_allocator contents = map->priv->allocator, allocator = ((whole_map *)map)->allocator;
    tmi_free(whole_allocator(&contents), map->priv, 1, sizeof(*map->priv));
    tmi_free(whole_allocator(&allocator), map, 1, sizeof(whole_map));
}

/* ------------------------------------------------------------------------------------------------ cloning */

static tm_status copy_map(tm_map *map, const tm_map *source, tm_error *error)
{
    const tm_info *info = &source->info;
    map->version = source->version;
    map->user = source->user;
    leave_family(map);
    map->priv->family = source->priv->family;
    atomic_fetch_add_explicit(&map->priv->family->members, 1, memory_order_relaxed);
    map->priv->origin = source->priv->origin;
    tmi_origin_retain(map->priv->origin);
    map->priv->common_points = source->priv->common_points;
    if (map->priv->common_points)
        atomic_fetch_add_explicit(&map->priv->common_points->members, 1, memory_order_relaxed);
    map->priv->most_points = source->priv->most_points;
    TM_TRY(tmi_text_copy(map, &map->info.author, source, info->author, error));
    TM_TRY(tmi_text_copy(map, &map->info.version, source, info->version, error));
    TM_TRY(tmi_text_copy(map, &map->info.credits, source, info->credits, error));
    TM_TRY(tmi_text_copy(map, &map->info.license, source, info->license, error));
    map->info.origin = info->origin;
    TM_TRY(tmi_unread_copy(map, TM_KIND_INFO, &map->info, source, info, error));
    TM_TRY(tmi_settings_reserve(map, info->num_settings, error));
    for (uint32_t i = 0; i < info->num_settings; i++)
        TM_TRY(tmi_text_copy(map, &map->info.settings[i], source, info->settings[i], error));
    for (tm_kind object = TM_KIND_IMAGE; object <= TM_KIND_GROUP; object++)
        TM_TRY(tmi_items_copy(tmi_map_array_of(object), map, map, source, source, error));
    return TM_OK;
}

tm_status tm_map_clone(tm_map **out, const tm_map *map, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    *out = NULL;
    TM_TRY(tmi_need(map, "map", error));
    options.game = map->game;
    options.limits = &map->priv->limits;
    options.allocator = tmi_map_allocator(map);
    TM_TRY(tm_map_new(out, &options, error));
    tm_status status = copy_map(*out, map, error);
    if (status != TM_OK) {
        tm_map_free(*out);
        *out = NULL;
    }
    return status;
}
