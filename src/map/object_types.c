/* SPDX-License-Identifier: Zlib */
/*
 * The kinds of objects in the arrays of a map, as a table: a row each for images, sounds, envelopes, groups
 * and layers. Inserting, removing, moving, duplicating and cloning use the rows and have no code for a single
 * kind. A new kind of object needs a row here, and functions for what it owns outside of its struct.
 */
#include "internal.h"

/* --------------------------------------------------------------------------------------- parts of a layer */

tm_block **tmi_layer_elements(tm_layer *layer)
{
    if (tm_game_layer(layer->kind)->is_tiles)
        return &layer->as.tiles.tiles;
    if (layer->kind == TM_LAYER_QUADS)
        return &layer->as.quads.quads;
    if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS)
        return &layer->as.sounds.sources;
    return NULL;
}

uint32_t *tmi_layer_count(tm_layer *layer)
{
    if (layer->kind == TM_LAYER_QUADS)
        return &layer->as.quads.num_quads;
    if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS)
        return &layer->as.sounds.num_sources;
    return NULL;
}

uint32_t tmi_layer_num(const tm_layer *layer)
{
    const uint32_t *count = tmi_layer_count(TMI_UNCONST(tm_layer, layer));
    return count ? *count : 0;
}

/* ------------------------------------------------------------------------------------- parts of an object */

/* The blocks of a layer come in the order in which DDNet writes their data. */
uint32_t tmi_object_blocks(tm_kind owner, void *object, tm_block **slots[2])
{
    uint32_t num = 0;
    if (owner == TM_KIND_IMAGE)
        slots[num++] = &((tm_image *)object)->pixels;
    if (owner == TM_KIND_SOUND)
        slots[num++] = &((tm_sound *)object)->data;
    if (owner != TM_KIND_LAYER)
        return num;
    tm_layer *layer = object;
    tm_block **elements = tmi_layer_elements(layer);
    if (tm_game_layer(layer->kind)->is_tiles)
        slots[num++] = &layer->as.tiles.compat;
    if (elements)
        slots[num++] = elements;
    return num;
}

/*
 * The same members as in the table of fields, which a program that only opens maps does not carry: that is
 * 40 KB. tests/test_fields.c holds the two equal.
 */
uint32_t tmi_unread_slots(tm_kind owner, void *object, tm_block **slots[TMI_MAX_UNREAD])
{
    uint32_t num = 0;
    if (owner == TM_KIND_INFO) {
        tm_info *info = object;
        slots[num++] = &info->unread_author;
        slots[num++] = &info->unread_version;
        slots[num++] = &info->unread_credits;
        slots[num++] = &info->unread_license;
        slots[num++] = &info->unread_settings;
    }
    if (owner == TM_KIND_IMAGE)
        slots[num++] = &((tm_image *)object)->unread_name;
    if (owner == TM_KIND_SOUND)
        slots[num++] = &((tm_sound *)object)->unread_name;
    return num;
}

bool tmi_any_unread(tm_kind owner, const void *object)
{
    tm_block **slots[TMI_MAX_UNREAD];
    bool any = false;
    for (uint32_t i = tmi_unread_slots(owner, TMI_UNCONST(void, object), slots); i > 0; i--)
        any = any || *slots[i - 1];
    return any;
}

void tmi_unread_release(tm_map *map, tm_kind owner, void *object)
{
    tm_block **slots[TMI_MAX_UNREAD];
    for (uint32_t i = tmi_unread_slots(owner, object, slots); i > 0; i--)
        tmi_block_put(map, slots[i - 1], NULL);
}

tm_status tmi_unread_copy(tm_map *map, tm_kind owner, void *out, const tm_map *source_map,
                          const void *original, tm_error *error)
{
    tm_block **target[TMI_MAX_UNREAD], **source[TMI_MAX_UNREAD];
    const uint32_t num = tmi_unread_slots(owner, out, target);
    tmi_unread_slots(owner, TMI_UNCONST(void, original), source);
    for (uint32_t i = 0; i < num; i++)
        *target[i] = NULL;
    for (uint32_t i = 0; i < num; i++) {
        const tm_status status = tmi_block_copy(target[i], map, *source[i], source_map, error);
        if (status == TM_OK)
            continue;
        tmi_unread_release(map, owner, out);
        return status;
    }
    return TM_OK;
}

/* The text that an object owns, if its struct does not hold its name. */
static const char **text_of(tm_kind owner, void *object)
{
    return owner == TM_KIND_IMAGE   ? &((tm_image *)object)->name
           : owner == TM_KIND_SOUND ? &((tm_sound *)object)->name
                                    : NULL;
}

// NOLINTNEXTLINE(misc-no-recursion): a group and its layers
void tmi_object_release(tm_map *map, tm_kind owner, void *object)
{
    tm_block **slots[2];
    const char **text = text_of(owner, object);
    const tm_group *group = object;
    if (text)
        tmi_text_release(map, *text);
    for (uint32_t i = 0, num = tmi_object_blocks(owner, object, slots); i < num; i++)
        tmi_block_free(map, *slots[i]);
    tmi_unread_release(map, owner, object);
    if (owner == TM_KIND_ENVELOPE)
        tmi_envelope_release_points(map, object);
    if (owner == TM_KIND_GROUP)
        tmi_items_free(&tmi_layer_array, map, group->layers, group->num_layers);
}

// NOLINTNEXTLINE(misc-no-recursion): a group and its layers
tm_status tmi_item_copy(const tmi_array *array, tm_map *map, void *out, const tm_map *source,
                        const void *original, tm_error *error)
{
    tm_block **slots[2];
    memcpy(out, original, array->size);
    if (array->kind == TM_KIND_ENVELOPE) {
        const tm_envelope *other = original;
        tm_envelope *envelope = out;
        if (source && source->priv->common_points == map->priv->common_points &&
            tmi_points_are_common(map, other))
            return TM_OK;
        envelope->points = NULL;
        envelope->num_points = 0;
        TM_TRY(tmi_envelope_reserve(map, envelope, other->num_points, error));
        if (other->num_points)
            memcpy(envelope->points, other->points, other->num_points * sizeof(*other->points));
        return TM_OK;
    }
    if (array->kind == TM_KIND_GROUP) {
        tmi_set_items(&tmi_layer_array, out, NULL, 0);
        return tmi_items_copy(&tmi_layer_array, map, out, source, original, error);
    }
    const char **text = text_of(array->kind, out);
    const uint32_t num = tmi_object_blocks(array->kind, out, slots);
    TM_TRY(tmi_unread_copy(map, array->kind, out, source, original, error));
    if (text) {
        const tm_status status = tmi_text_copy(map, text, source, *text, error);
        if (status) {
            tmi_unread_release(map, array->kind, out);
            return status;
        }
    }
    for (uint32_t i = 0; i < num; i++) {
        const tm_status status = tmi_block_copy(slots[i], map, *slots[i], source, error);
        if (status == TM_OK)
            continue;
        tmi_unread_release(map, array->kind, out);
        while (i > 0)
            tmi_block_free(map, *slots[--i]);
        if (text)
            tmi_text_release(map, *text);
        return status;
    }
    return TM_OK;
}

/*
 * An object that was loaded from another file forgets which item there it was, and with it what the item has
 * behind that which is known: its numbers would be those of objects of the other file.
 */
static void forget_foreign_origin(const tm_map *map, tm_origin *origin)
{
    const tmi_origin *file = origin->file;
    if (file == map->priv->origin)
        return;
    if (file && file->functions->has_tail && file->functions->has_tail(file, origin->item))
        map->priv->num_tails_left++;
    *origin = (tm_origin){NULL, 0};
}

// NOLINTNEXTLINE(misc-no-recursion): a group and its layers
void tmi_object_own(const tm_map *map, tm_kind owner, void *object)
{
    tm_block **slots[2], **unread[TMI_MAX_UNREAD];
    tm_layer *layer = object;
    tm_group *group = object;
    forget_foreign_origin(map, tmi_object_origin(owner, object));
    for (uint32_t i = 0, num = tmi_object_blocks(owner, object, slots); i < num; i++)
        if (*slots[i]) /* even if it stands in the map already: two objects do not share data */
            (*slots[i])->copied = true;
    for (uint32_t i = tmi_unread_slots(owner, object, unread); i > 0; i--)
        if (*unread[i - 1])
            (*unread[i - 1])->copied = true;
    if (owner == TM_KIND_LAYER && layer->kind == TM_LAYER_TILES)
        forget_foreign_origin(map, &layer->as.tiles.automapper.origin);
    if (owner != TM_KIND_GROUP)
        return;
    forget_foreign_origin(map, &group->extra);
    for (uint32_t l = 0; l < group->num_layers; l++)
        tmi_object_own(map, TM_KIND_LAYER, &group->layers[l]);
}

// NOLINTNEXTLINE(misc-no-recursion): a group and its layers
void tmi_object_forget_user(tm_kind owner, void *object)
{
    const tm_group *group = object;
    *(void **)(void *)((char *)object + tmi_array_of(owner)->user_offset) = NULL;
    for (uint32_t l = 0; owner == TM_KIND_GROUP && l < group->num_layers; l++)
        tmi_object_forget_user(TM_KIND_LAYER, &group->layers[l]);
}

/* ---------------------------------------------------------------------------------------------- the table */

#define ARRAY(type, KIND, in, items)                                                       \
    [TM_KIND_##KIND] = {TM_KIND_##KIND, offsetof(in, items),    offsetof(in, num_##items), \
                        sizeof(type),   offsetof(type, origin), offsetof(type, user)}
static const tmi_array arrays[] = {
    ARRAY(tm_image, IMAGE, tm_map, images),
    ARRAY(tm_sound, SOUND, tm_map, sounds),
    ARRAY(tm_envelope, ENVELOPE, tm_map, envelopes),
    ARRAY(tm_group, GROUP, tm_map, groups),
};
const tmi_array tmi_layer_array = {
    TM_KIND_LAYER,    offsetof(tm_group, layers), offsetof(tm_group, num_layers),
    sizeof(tm_layer), offsetof(tm_layer, origin), offsetof(tm_layer, user)};

const tmi_array *tmi_map_array_of(tm_kind kind)
{
    return kind >= TM_KIND_IMAGE && kind <= TM_KIND_GROUP ? &arrays[kind] : NULL;
}

const tmi_array *tmi_array_of(tm_kind kind)
{
    const tmi_array *array = tmi_map_array_of(kind);
    return array ? array : &tmi_layer_array;
}

tm_origin *tmi_object_origin(tm_kind owner, void *object)
{
    return (tm_origin *)(void *)((char *)object + tmi_array_of(owner)->origin_offset);
}

/* ---------------------------------------------------------------------------------------- arrays by table */

/* The array's pointer is a tm_image * or the like, which may not be accessed as a void *: hence memcpy. */
void *tmi_items(const tmi_array *array, const void *owner)
{
    void *items;
    memcpy(&items, (const char *)owner + array->items_offset, sizeof(items));
    return items;
}

uint32_t tmi_num(const tmi_array *array, const void *owner)
{
    uint32_t num;
    memcpy(&num, (const char *)owner + array->num_offset, sizeof(num));
    return num;
}

void tmi_set_items(const tmi_array *array, void *owner, void *items, uint32_t num)
{
    memcpy((char *)owner + array->items_offset, &items, sizeof(items));
    memcpy((char *)owner + array->num_offset, &num, sizeof(num));
}

tm_status tmi_items_new(void **out, const tmi_array *array, tm_map *map, uint64_t num, tm_error *error)
{
    *out = NULL;
    if (num == 0)
        return TM_OK;
    if (num > UINT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many objects in one list: %llu",
                        (unsigned long long)num);
    TM_TRY(
        tmi_reserve(out, tmi_map_allocator(map), (size_t)num, array->size, tm_kind_name(array->kind), error));
    return TM_OK;
}

// NOLINTNEXTLINE(misc-no-recursion): a group and its layers
void tmi_items_free(const tmi_array *array, tm_map *map, void *items, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++)
        tmi_object_release(map, array->kind, tmi_item_at(array, items, i));
    tmi_free(tmi_map_allocator(map), items, num, array->size);
}

// NOLINTNEXTLINE(misc-no-recursion): a group and its layers
tm_status tmi_items_copy(const tmi_array *array, tm_map *map, void *owner, const tm_map *source,
                         const void *other, tm_error *error)
{
    uint32_t num = tmi_num(array, other);
    const void *originals = tmi_items(array, other);
    void *items;
    TM_TRY(tmi_items_new(&items, array, map, num, error));
    for (uint32_t i = 0; i < num; i++) {
        tm_status status = tmi_item_copy(array, map, tmi_item_at(array, items, i), source,
                                         tmi_item_at(array, originals, i), error);
        if (status != TM_OK) {
            for (uint32_t k = 0; k < i; k++)
                tmi_object_release(map, array->kind, tmi_item_at(array, items, k));
            tmi_free(tmi_map_allocator(map), items, num, array->size);
            return status;
        }
    }
    tmi_set_items(array, owner, items, num);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------ making room to load */

static tm_status reserve(const tmi_array *array, tm_map *map, void *owner, uint32_t num, tm_error *error)
{
    void *items;
    TMI_ASSERT(tmi_num(array, owner) == 0);
    TM_TRY(tmi_items_new(&items, array, map, num, error));
    if (num)
        memset(items, 0, array->size * num);
    tmi_set_items(array, owner, items, num);
    return TM_OK;
}

tm_status tmi_map_reserve(tm_map *map, tm_kind kind, uint32_t num, tm_error *error)
{
    return reserve(tmi_map_array_of(kind), map, map, num, error);
}

tm_status tmi_group_reserve(tm_map *map, tm_group *group, uint32_t num_layers, tm_error *error)
{
    return reserve(&tmi_layer_array, map, group, num_layers, error);
}

tm_status tmi_envelope_reserve(tm_map *map, tm_envelope *envelope, uint32_t num_points, tm_error *error)
{
    TMI_ASSERT(envelope->num_points == 0);
    if (num_points > map->priv->most_points - map->priv->own_points)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "the envelopes would have more than %llu points together, the limit",
                        (unsigned long long)map->priv->most_points);
    if (num_points)
        TM_TRY(tmi_reserve_zeroed(&envelope->points, tmi_map_allocator(map), num_points,
                                  sizeof(*envelope->points), "envelope points", error));
    envelope->num_points = num_points;
    map->priv->own_points += num_points;
    return TM_OK;
}

void tmi_envelope_release_points(tm_map *map, tm_envelope *envelope)
{
    if (!tmi_points_are_common(map, envelope)) {
        tmi_free(tmi_map_allocator(map), envelope->points, envelope->num_points, sizeof(*envelope->points));
        map->priv->own_points -= envelope->num_points;
    }
    envelope->points = NULL;
    envelope->num_points = 0;
}

tm_status tmi_map_make_common_points(tm_map *map, uint32_t num, tm_error *error)
{
    tmi_common_points *common;
    size_t size;
    if (!tmi_mul_size(&size, num, sizeof(*common->points)) || !tmi_add_size(&size, size, sizeof(*common)))
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "%lu envelope points are too many", (unsigned long)num);
    TM_TRY(tmi_reserve_zeroed(&common, tmi_map_allocator(map), size, 1, "envelope points", error));
    atomic_init(&common->members, 1);
    common->num = num;
    map->priv->common_points = common;
    return TM_OK;
}

tm_status tmi_envelope_own(tm_map *map, tm_envelope *envelope, tm_error *error)
{
    tm_envelope separate = {.num_points = 0};
    if (!tmi_points_are_common(map, envelope))
        return TM_OK;
    TM_TRY(tmi_envelope_reserve(map, &separate, envelope->num_points, error));
    memcpy(separate.points, envelope->points, separate.num_points * sizeof(*separate.points));
    envelope->points = separate.points;
    return TM_OK;
}

tm_status tm_map_edit_points(tm_envelope_point **out, tm_map *map, uint32_t envelope, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_check_object(map, TM_KIND_ENVELOPE, envelope, error));
    TM_TRY(tmi_envelope_own(map, &map->envelopes[envelope], error));
    *out = map->envelopes[envelope].points;
    return TM_OK;
}

tm_status tmi_settings_reserve(tm_map *map, uint32_t num, tm_error *error)
{
    tm_info *info = &map->info;
    TMI_ASSERT(info->num_settings == 0);
    if (num)
        TM_TRY(tmi_reserve_zeroed(&info->settings, tmi_map_allocator(map), num, sizeof(*info->settings),
                                  "settings", error));
    info->num_settings = num;
    return TM_OK;
}
