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
static void number_anew(const tmi_other *other, tm_layer_kind kind, const tm_layer_info *rule, uint8_t *tile)
{
    uint8_t *number = &tile[rule->number_at];
    const uint8_t becomes = other->numbers[tmi_other_pool(kind, tile[rule->index_at])][*number];
    if (becomes)
        *number = becomes;
}

/* What comes: with its numbers, and where it is nothing, what was there. Returns how many tiles changed. */
static uint64_t mix_tiles(const tmi_other *other, tm_layer_kind kind, uint8_t *coming, const uint8_t *was,
                          size_t num, bool replaces)
{
    const tm_layer_info *rule = tm_game_layer(kind);
    const size_t size = rule->element_size;
    uint64_t changed = 0;
    for (size_t i = 0; i < num; i++) {
        uint8_t *tile = coming + i * size;
        const uint8_t *old = was + i * size;
        if (!replaces && !tile_is_something(kind, tile, size))
            memcpy(tile, old, size);
        else if (rule->number_at != TM_NONE)
            number_anew(other, kind, rule, tile);
        changed += memcmp(tile, old, size) != 0;
    }
    return changed;
}

static tm_status mix_layer(tmi_other *other, const tmi_other_area *area, const tm_layer *from, uint32_t group,
                           uint32_t index, uint8_t *coming, uint8_t *was, tm_error *error)
{
    const size_t num = (size_t)area->width * area->height;
    const tm_layer *layer = &other->map->groups[group].layers[index];
    const size_t size = tm_game_layer(layer->kind)->element_size;
    const tm_address address = tmi_edit_address(TM_ADDRESS_LAYER, group, index);
    if (from)
        TM_TRY(tm_map_read_tiles(other->from, from, area->x, area->y, area->width, area->height, coming, 0,
                                 error));
    else
        memset(coming, 0, num * size);
    TM_TRY(tm_map_read_tiles(other->map, layer, area->to_x, area->to_y, area->width, area->height, was, 0,
                             error));
    const uint64_t changed = mix_tiles(other, layer->kind, coming, was, num, area->replaces);
    if (changed == 0)
        return TM_OK;
    tmi_edit_changed(other->edit, address, changed, "tiles from '%.100s': %llu", other->name,
                     (unsigned long long)changed);
    return tm_map_write_tiles(other->map, group, index, area->to_x, area->to_y, area->width, area->height,
                              coming, 0, error);
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
    if (!tmi_mul_size(&num, area->width, area->height))
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%ux%u tiles are too many", (unsigned)area->width,
                        (unsigned)area->height);
    uint8_t *coming = tmi_alloc(allocator, num, size), *was = tmi_alloc(allocator, num, size);
    tm_status status = coming && was ? mix_layer(other, area, from, group, index, coming, was, error)
                                     : tmi_fail_memory(error, (uint64_t)num * size, "tiles");
    if (status)
        status =
            tmi_fail_at_address(error, status, other->map, tmi_edit_address(TM_ADDRESS_LAYER, group, index));
    if (coming)
        tmi_free(allocator, coming, num, size);
    if (was)
        tmi_free(allocator, was, num, size);
    return status;
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
    if (!has_physics(other) || area->width == 0 || area->height == 0)
        return TM_OK;
    const int64_t right = (int64_t)area->to_x + area->width, below = (int64_t)area->to_y + area->height;
    if (right > INT32_MAX || below > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the map would become too large");
    TM_TRY(need_game_layer(other, (uint32_t)right, (uint32_t)below, error));
    TM_TRY(tmi_other_choose_numbers(other, area, error));
    TM_TRY(tmi_edit_grow_physics(other->edit, (uint32_t)right, (uint32_t)below, error));
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
        const tm_layer *from = tm_map_physics_layer(other->from, (tm_layer_kind)kind, &group, &index);
        if (!tm_game_layer((tm_layer_kind)kind)->is_physics)
            continue;
        if (from ? tmi_other_chose(other, group, index)
                 : all && tm_map_physics_layer(other->map, (tm_layer_kind)kind, NULL, NULL))
            TM_TRY(bring_kind(other, area, (tm_layer_kind)kind, from, error));
    }
    return tmi_other_settings(other, error);
}
