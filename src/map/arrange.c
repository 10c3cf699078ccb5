/* SPDX-License-Identifier: Zlib */
/*
 * Inserting, removing, moving and duplicating: images, sounds, envelopes and groups in the map's arrays,
 * layers in a group's. Written once over the table in object_types.c; references follow through references.c.
 *
 * Every function makes a whole new array of the right length, then does the rest of what can fail, then swaps
 * the arrays. A smaller array could be had by shrinking in place, but an allocator may refuse even that, and
 * the counts of the public structs leave no room to remember that an array is longer than it says.
 */
#include "internal.h"

/* --------------------------------------------------------------------------------------------- new arrays */

tm_status tmi_items_gap(void **out, const tmi_array *array, tm_map *map, const void *owner, uint32_t at,
                        tm_error *error)
{
    uint32_t num = tmi_num(array, owner);
    const void *old = tmi_items(array, owner);
    TM_TRY(tmi_items_new(out, array, map, (uint64_t)num + 1, error));
    if (at > 0)
        memcpy(*out, old, at * array->size);
    memset(tmi_item_at(array, *out, at), 0, array->size);
    if (at < num)
        memcpy(tmi_item_at(array, *out, at + 1), tmi_item_at(array, old, at), (num - at) * array->size);
    return TM_OK;
}

/* The owner's array without the object at `index`. */
static tm_status without(void **out, const tmi_array *array, tm_map *map, const void *owner, uint32_t index,
                         tm_error *error)
{
    uint32_t num = tmi_num(array, owner);
    const void *old = tmi_items(array, owner);
    TM_TRY(tmi_items_new(out, array, map, num - 1, error));
    if (index > 0)
        memcpy(*out, old, index * array->size);
    if (index + 1 < num)
        memcpy(tmi_item_at(array, *out, index), tmi_item_at(array, old, index + 1),
               (num - 1 - index) * array->size);
    return TM_OK;
}

void tmi_items_replace(const tmi_array *array, tm_map *map, void *owner, void *items, uint32_t num)
{
    tmi_free(tmi_map_allocator(map), tmi_items(array, owner), tmi_num(array, owner), array->size);
    tmi_set_items(array, owner, items, num);
}

/* Moves the object at `from` to `to`, in place. */
static void rotate(const tmi_array *array, void *items, uint32_t from, uint32_t to)
{
    tmi_any_object object;
    TMI_ASSERT(array->size <= sizeof(object));
    memcpy(&object, tmi_item_at(array, items, from), array->size);
    if (from < to)
        memmove(tmi_item_at(array, items, from), tmi_item_at(array, items, from + 1),
                (to - from) * array->size);
    else
        memmove(tmi_item_at(array, items, to + 1), tmi_item_at(array, items, to), (from - to) * array->size);
    memcpy(tmi_item_at(array, items, to), &object, array->size);
}

/* ---------------------------------------------------------------------------------------- of any owner */

/*
 * Puts an array that has a new object at `at` in place of the owner's old one, and keeps all references
 * right. The array is taken over, also on failure.
 */
static tm_status put_array(const tmi_array *array, tm_map *map, void *owner, void *items, uint32_t at,
                           tm_error *error)
{
    const uint32_t num = tmi_num(array, owner);
    const tmi_renumber renumbering = {array->kind, TMI_INSERTED, 0, at, num};
    tm_status status = tmi_renumber_prepare(&renumbering, map, error);
    if (status != TM_OK) {
        tmi_object_release(map, array->kind, tmi_item_at(array, items, at));
        tmi_free(tmi_map_allocator(map), items, (size_t)num + 1, array->size);
        return status;
    }
    tmi_renumber_apply(&renumbering, map);
    tmi_items_replace(array, map, owner, items, num + 1);
    return TM_OK;
}

tm_status tmi_items_put_copy(const tmi_array *array, tm_map *map, void *owner, uint32_t at,
                             const tm_map *source, const void *original, tm_error *error)
{
    void *items;
    TM_TRY(tmi_items_gap(&items, array, map, owner, at, error));
    void *copy = tmi_item_at(array, items, at);
    tm_status status = tmi_item_copy(array, map, copy, source, original, error);
    if (status != TM_OK) {
        tmi_free(tmi_map_allocator(map), items, (size_t)tmi_num(array, owner) + 1, array->size);
        return status;
    }
    tmi_object_own(map, array->kind, copy);
    if (source != map)
        tmi_object_forget_user(array->kind, copy);
    return put_array(array, map, owner, items, at, error);
}

static tm_status remove_item(const tmi_array *array, tm_map *map, void *owner, uint32_t index,
                             tm_error *error)
{
    void *items;
    const uint32_t num = tmi_num(array, owner);
    TM_TRY(without(&items, array, map, owner, index, error));
    const tmi_renumber renumbering = {array->kind, TMI_REMOVED, index, 0, num};
    tm_status status = tmi_renumber_prepare(&renumbering, map, error);
    if (status != TM_OK) {
        tmi_free(tmi_map_allocator(map), items, num - 1, array->size);
        return status;
    }
    tmi_renumber_apply(&renumbering, map);
    tmi_object_release(map, array->kind, tmi_item_at(array, tmi_items(array, owner), index));
    tmi_items_replace(array, map, owner, items, num - 1);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------- objects of the map */

tm_status tm_map_insert(tm_map *map, tm_kind object, uint32_t at, tm_error *error)
{
    void *items;
    TM_TRY(tmi_check_place(map, object, at, error));
    const tmi_array *array = tmi_map_array_of(object);
    TM_TRY(tmi_items_gap(&items, array, map, map, at, error));
    tmi_fields_init(array->kind, tmi_item_at(array, items, at));
    return put_array(array, map, map, items, at, error);
}

tm_status tm_map_duplicate(tm_map *map, tm_kind object, uint32_t index, uint32_t at, tm_error *error)
{
    TM_TRY(tmi_check_object(map, object, index, error));
    TM_TRY(tmi_check_place(map, object, at, error));
    const tmi_array *array = tmi_map_array_of(object);
    return tmi_items_put_copy(array, map, map, at, map, tmi_item_at(array, tmi_items(array, map), index),
                              error);
}

tm_status tm_map_remove(tm_map *map, tm_kind object, uint32_t index, tm_error *error)
{
    TM_TRY(tmi_check_object(map, object, index, error));
    return remove_item(tmi_map_array_of(object), map, map, index, error);
}

tm_status tm_map_move(tm_map *map, tm_kind object, uint32_t from, uint32_t to, tm_error *error)
{
    TM_TRY(tmi_check_object(map, object, from, error));
    TM_TRY(tmi_check_object(map, object, to, error));
    const tmi_array *array = tmi_map_array_of(object);
    if (from == to)
        return TM_OK;
    const tmi_renumber renumbering = {object, TMI_MOVED, from, to, tmi_num(array, map)};
    TM_TRY(tmi_renumber_prepare(&renumbering, map, error));
    tmi_renumber_apply(&renumbering, map);
    rotate(array, tmi_items(array, map), from, to);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- layers */

/* The blocks of a new tile layer. Physics layers but game get the array that DDNet keeps for vanilla, too. */
static tm_status new_tiles(tm_layer *layer, tm_map *map, uint32_t width, uint32_t height, tm_error *error)
{
    const tm_layer_info *info = tm_game_layer(layer->kind);
    tm_tile_layer *tiles = &layer->as.tiles;
    uint64_t size, compat_size;
    TM_TRY(tmi_tiles_size(&size, width, height, info->element_size, error));
    TM_TRY(tmi_tiles_size(&compat_size, width, height, sizeof(tm_tile), error));
    TM_TRY(tmi_block_new(&tiles->tiles, map, tmi_encoding_of(layer->kind), NULL, size, error));
    if (info->is_physics && layer->kind != TM_LAYER_GAME) {
        tm_status status = tmi_block_new(&tiles->compat, map, TMI_ENCODING_BYTES, NULL, compat_size, error);
        if (status != TM_OK) {
            tmi_block_free(map, tiles->tiles);
            tiles->tiles = NULL;
            return status;
        }
    }
    tiles->width = width;
    tiles->height = height;
    return TM_OK;
}

tm_status tm_map_insert_layer(tm_map *map, uint32_t group, uint32_t at, tm_layer_kind kind, uint32_t width,
                              uint32_t height, tm_error *error)
{
    void *items;
    TM_TRY(tmi_check_layer_place(map, group, at, error));
    tm_group *owner = &map->groups[group];
    const tm_layer_info *info = tm_game_layer(kind);
    if ((unsigned)kind >= TM_LAYER_UNKNOWN || kind == TM_LAYER_OLD_SOUNDS)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a new layer of kind %s cannot be made", info->name);
    TM_TRY(tmi_items_gap(&items, &tmi_layer_array, map, owner, at, error));
    tm_layer *layer = (tm_layer *)items + at;
    layer->kind = kind;
    tmi_fields_init(TM_KIND_LAYER, layer);
    tmi_fields_init(tm_kind_of_layer(kind), layer);
    if (info->is_physics || map->game != TM_GAME_DDNET)
        tm_map_set_name(layer->name, sizeof(layer->name), info->title);
    if (info->is_tiles) {
        tm_status status = new_tiles(layer, map, width, height, error);
        if (status != TM_OK) {
            tmi_free(tmi_map_allocator(map), items, (size_t)owner->num_layers + 1, sizeof(tm_layer));
            return status;
        }
    }
    tmi_items_replace(&tmi_layer_array, map, owner, items, owner->num_layers + 1);
    return TM_OK;
}

tm_status tm_map_remove_layer(tm_map *map, uint32_t group, uint32_t index, tm_error *error)
{
    TM_TRY(tmi_check_layer(map, group, index, error));
    return remove_item(&tmi_layer_array, map, &map->groups[group], index, error);
}

tm_status tm_map_duplicate_layer(tm_map *map, uint32_t group, uint32_t index, uint32_t to_group, uint32_t at,
                                 tm_error *error)
{
    TM_TRY(tmi_check_layer(map, group, index, error));
    TM_TRY(tmi_check_layer_place(map, to_group, at, error));
    return tmi_items_put_copy(&tmi_layer_array, map, &map->groups[to_group], at, map,
                              &map->groups[group].layers[index], error);
}

tm_status tm_map_move_layer(tm_map *map, uint32_t group, uint32_t index, uint32_t to_group, uint32_t to,
                            tm_error *error)
{
    void *target_items, *source_items;
    TM_TRY(tmi_check_layer(map, group, index, error));
    TM_TRY(tmi_check_object(map, TM_KIND_GROUP, to_group, error));
    tm_group *source = &map->groups[group], *target = &map->groups[to_group];
    if (source == target) {
        TM_TRY(tmi_check_layer(map, to_group, to, error));
        if (index != to)
            rotate(&tmi_layer_array, source->layers, index, to);
        return TM_OK;
    }
    TM_TRY(tmi_check_layer_place(map, to_group, to, error));
    TM_TRY(tmi_items_gap(&target_items, &tmi_layer_array, map, target, to, error));
    tm_status status = without(&source_items, &tmi_layer_array, map, source, index, error);
    if (status != TM_OK) {
        tmi_free(tmi_map_allocator(map), target_items, (size_t)target->num_layers + 1, sizeof(tm_layer));
        return status;
    }
    ((tm_layer *)target_items)[to] = source->layers[index];
    tmi_items_replace(&tmi_layer_array, map, target, target_items, target->num_layers + 1);
    tmi_items_replace(&tmi_layer_array, map, source, source_items, source->num_layers - 1);
    return TM_OK;
}
