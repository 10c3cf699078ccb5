/* SPDX-License-Identifier: Zlib */
/*
 * Physics of another map into the physics layers of this one. The games know one layer of each kind: tiles
 * are put into it, and numbers by which tiles work together are made others than the map's own.
 */
#include "edit_other_map.h"

/* -------------------------------------------------------------------------------------------- layers */

/* A map without a game layer gets one, and a group for it. */
static tm_status need_game_layer(tmi_other *other, uint32_t width, uint32_t height, tm_error *error)
{
    const uint32_t group = other->map->num_groups;
    if (tmi_other_game_group(other->map) != UINT32_MAX)
        return TM_OK;
    TM_TRY(tm_map_insert(other->map, TM_OBJECT_GROUP, group, error));
    tm_map_set_name(other->map->groups[group].name, TM_NAME_SIZE, "Game");
    tmi_edit_changed(other->edit, tmi_edit_address(TM_ADDRESS_GROUP, group, 0), 1,
                     "added, for the game layer");
    return tm_map_insert_layer(other->map, group, 0, TM_LAYER_GAME, width, height, error);
}

/* --------------------------------------------------------------------------------------------- tiles */

static bool tile_is_something(tm_layer_kind kind, const uint8_t *tile, size_t size)
{
    if (kind == TM_LAYER_GAME || kind == TM_LAYER_FRONT)
        return tile[tm_game_layer(kind)->index_at];
    for (size_t i = 0; i < size; i++)
        if (tile[i])
            return true;
    return false;
}

/* Numbers that mean nothing stay. */
static void number_anew(const tmi_other *other, tm_layer_kind kind, const tm_layer_info *info, uint8_t *tile)
{
    uint8_t *number = &tile[info->number_at];
    const uint8_t becomes = other->numbers[tmi_other_pool(kind, tile[info->index_at])][*number];
    if (becomes)
        *number = becomes;
}

/* The new tiles with their numbers, or the old ones where they are air. Returns how many tiles changed. */
static uint64_t mix_tiles(const tmi_other *other, tm_layer_kind kind, uint8_t *coming, const uint8_t *was,
                          size_t num, bool replaces)
{
    const tm_layer_info *info = tm_game_layer(kind);
    const size_t size = info->element_size;
    uint64_t changed = 0;
    for (size_t i = 0; i < num; i++) {
        uint8_t *tile = coming + i * size;
        const uint8_t *old = was + i * size;
        if (!replaces && !tile_is_something(kind, tile, size))
            memcpy(tile, old, size);
        else if (info->number_at != TM_NONE)
            number_anew(other, kind, info, tile);
        changed += memcmp(tile, old, size) != 0;
    }
    return changed;
}

/* `tiles` has room for what comes, and behind it for what was there. */
static tm_status mix_layer(tmi_other *other, const tmi_other_area *area, const tm_layer *from,
                           const tm_address *at, uint8_t *tiles, tm_error *error)
{
    const size_t num = (size_t)area->from.width * area->from.height;
    const tm_layer *layer = tmi_edit_layer_at(other->edit, at);
    const size_t size = tm_game_layer(layer->kind)->element_size;
    const tm_rect target = {area->to_x, area->to_y, area->from.width, area->from.height};
    uint8_t *coming = tiles, *was = tiles + num * size;
    if (from)
        TM_TRY(tm_map_read_tiles(other->from, from, &area->from, coming, 0, error));
    else
        memset(coming, 0, num * size);
    TM_TRY(tm_map_read_tiles(other->map, layer, &target, was, 0, error));
    const uint64_t changed = mix_tiles(other, layer->kind, coming, was, num, area->replaces);
    if (changed == 0)
        return TM_OK;
    tmi_edit_changed(other->edit, *at, changed, "tiles from '%.100s': %llu", other->name,
                     (unsigned long long)changed);
    return tm_map_write_tiles(other->map, at->index, at->layer, &target, coming, 0, error);
}

/* A kind of physics: `from` NULL is an empty layer. */
static tm_status bring_kind(tmi_other *other, const tmi_other_area *area, tm_layer_kind kind,
                            const tm_layer *from, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(other->map);
    const size_t size = tm_game_layer(kind)->element_size;
    size_t num;
    uint32_t group, index;
    TM_TRY(tmi_edit_need_physics(other->edit, kind, &group, &index, error));
    const tm_address at = tmi_edit_address(TM_ADDRESS_LAYER, group, index);
    if (!tmi_mul_size(&num, area->from.width, area->from.height) || !tmi_mul_size(&num, num, 2))
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%ux%u tiles are too many", (unsigned)area->from.width,
                        (unsigned)area->from.height);
    uint8_t *tiles = tmi_alloc(allocator, num, size);
    const tm_status status = tiles ? mix_layer(other, area, from, &at, tiles, error)
                                   : tmi_fail_memory(error, (uint64_t)num * size, "tiles");
    tmi_free(allocator, tiles, num, size);
    return tmi_fail_at_address(error, status, other->map, at);
}

/* Whether any physics were chosen at all. */
static bool has_physics(const tmi_other *other)
{
    for (size_t i = 0; i < other->layers.num; i++) {
        const tm_address *at = &other->layers.list[i];
        if (tm_game_layer(other->from->groups[at->index].layers[at->layer].kind)->is_physics)
            return true;
    }
    return false;
}

tm_status tmi_other_physics(tmi_other *other, const tmi_other_area *area, bool all, tm_error *error)
{
    uint32_t group, index;
    if (!has_physics(other) || tmi_rect_is_empty(&area->from))
        return TM_OK;
    const int64_t right = (int64_t)area->to_x + area->from.width,
                  below = (int64_t)area->to_y + area->from.height;
    if (right > INT32_MAX || below > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the map would become too large");
    TM_TRY(need_game_layer(other, (uint32_t)right, (uint32_t)below, error));
    TM_TRY(tmi_other_choose_numbers(other, area, error));
    TM_TRY(tmi_edit_grow_physics(other->edit, (uint32_t)right, (uint32_t)below, error));
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
        const tm_layer *from = tm_map_physics_layer(&group, &index, other->from, (tm_layer_kind)kind);
        if (!tm_game_layer((tm_layer_kind)kind)->is_physics)
            continue;
        if (from ? tmi_other_chose(other, group, index)
                 : all && tm_map_physics_layer(NULL, NULL, other->map, (tm_layer_kind)kind))
            TM_TRY(bring_kind(other, area, (tm_layer_kind)kind, from, error));
    }
    return tmi_other_settings(other, error);
}
