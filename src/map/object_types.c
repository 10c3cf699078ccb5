/* SPDX-License-Identifier: Zlib */
/*
 * What stands in the arrays of a map, as data: one row for images, sounds, envelopes, groups and layers each,
 * with three small functions. Whoever inserts, removes, moves, duplicates or clones works through these rows
 * and has no case for any kind of object. A new kind of object is a new row here.
 */
#include "internal.h"

/* --------------------------------------------------------------------------------------- parts of a layer */

uint32_t tmi_layer_blocks(tm_layer *layer, tm_block **slots[2])
{
    uint32_t num = 0;
    if (tm_game_layer(layer->kind)->is_tiles)
        slots[num++] = &layer->as.tiles.compat;
    tm_block **elements = tmi_layer_elements(layer);
    if (elements)
        slots[num++] = elements;
    return num;
}

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

uint32_t tmi_layer_num(const tm_layer *layer)
{
    if (layer->kind == TM_LAYER_QUADS)
        return layer->as.quads.num_quads;
    if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS)
        return layer->as.sounds.num_sources;
    return 0;
}

/* ------------------------------------------------------------------------------------------------- images */

static void release_image(tm_map *map, void *object)
{
    tm_image *image = object;
    tmi_text_release(map, image->name);
    tmi_block_free(map, image->pixels);
}

static tm_status copy_image(tm_map *map, void *object, const tm_map *from, const void *in, tm_error *error)
{
    tm_image *image = object;
    *image = *(const tm_image *)in;
    TM_TRY(tmi_text_copy(map, &image->name, from, ((const tm_image *)in)->name, error));
    tm_status status = tmi_block_copy(&image->pixels, map, ((const tm_image *)in)->pixels, from, error);
    if (status != TM_OK)
        tmi_text_release(map, image->name);
    return status;
}

/* ------------------------------------------------------------------------------------------------- sounds */

static void release_sound(tm_map *map, void *object)
{
    tm_sound *sound = object;
    tmi_text_release(map, sound->name);
    tmi_block_free(map, sound->data);
}

static tm_status copy_sound(tm_map *map, void *object, const tm_map *from, const void *in, tm_error *error)
{
    tm_sound *sound = object;
    *sound = *(const tm_sound *)in;
    TM_TRY(tmi_text_copy(map, &sound->name, from, ((const tm_sound *)in)->name, error));
    tm_status status = tmi_block_copy(&sound->data, map, ((const tm_sound *)in)->data, from, error);
    if (status != TM_OK)
        tmi_text_release(map, sound->name);
    return status;
}

/* ---------------------------------------------------------------------------------------------- envelopes */

static void release_envelope(tm_map *map, void *object)
{
    tm_envelope *envelope = object;
    tmi_free(tmi_map_allocator(map), envelope->points, envelope->num_points, sizeof(*envelope->points));
}

static tm_status copy_envelope(tm_map *map, void *object, const tm_map *from, const void *in, tm_error *error)
{
    (void)from;
    tm_envelope *envelope = object;
    const tm_envelope *other = in;
    *envelope = *other;
    envelope->points = NULL;
    envelope->num_points = 0;
    TM_TRY(tmi_envelope_reserve(map, envelope, other->num_points, error));
    if (other->num_points)
        memcpy(envelope->points, other->points, other->num_points * sizeof(*other->points));
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- layers */

static void release_layer(tm_map *map, void *object)
{
    tm_block **slots[2];
    uint32_t num = tmi_layer_blocks(object, slots);
    for (uint32_t i = 0; i < num; i++)
        tmi_block_free(map, *slots[i]);
}

static tm_status copy_layer(tm_map *map, void *object, const tm_map *from, const void *in, tm_error *error)
{
    tm_layer *layer = object;
    tm_block **slots[2];
    *layer = *(const tm_layer *)in;
    uint32_t num = tmi_layer_blocks(layer, slots);
    for (uint32_t i = 0; i < num; i++) {
        tm_status status = tmi_block_copy(slots[i], map, *slots[i], from, error);
        if (status != TM_OK) {
            while (i > 0)
                tmi_block_free(map, *slots[--i]);
            return status;
        }
    }
    return TM_OK;
}

const tmi_kind tmi_kind_layer = {
    "layer",
    offsetof(tm_group, layers),
    offsetof(tm_group, num_layers),
    sizeof(tm_layer),
    TM_OWNER_LAYER,
    release_layer,
    copy_layer,
};

/* ------------------------------------------------------------------------------------------------- groups */

static void release_group(tm_map *map, void *object)
{
    tm_group *group = object;
    tmi_items_free(&tmi_kind_layer, map, group->layers, group->num_layers);
}

static tm_status copy_group(tm_map *map, void *object, const tm_map *from, const void *in, tm_error *error)
{
    tm_group *group = object;
    *group = *(const tm_group *)in;
    group->layers = NULL;
    group->num_layers = 0;
    return tmi_items_copy(&tmi_kind_layer, map, group, from, in, error);
}

/* ---------------------------------------------------------------------------------------------- the table */

static const tmi_kind kinds[] = {
    [TM_OBJECT_IMAGE] = {"image", offsetof(tm_map, images), offsetof(tm_map, num_images), sizeof(tm_image),
                         TM_OWNER_IMAGE, release_image, copy_image},
    [TM_OBJECT_SOUND] = {"sound", offsetof(tm_map, sounds), offsetof(tm_map, num_sounds), sizeof(tm_sound),
                         TM_OWNER_SOUND, release_sound, copy_sound},
    [TM_OBJECT_ENVELOPE] = {"envelope", offsetof(tm_map, envelopes), offsetof(tm_map, num_envelopes),
                            sizeof(tm_envelope), TM_OWNER_ENVELOPE, release_envelope, copy_envelope},
    [TM_OBJECT_GROUP] = {"group", offsetof(tm_map, groups), offsetof(tm_map, num_groups), sizeof(tm_group),
                         TM_OWNER_GROUP, release_group, copy_group},
};

const tmi_kind *tmi_kind_of(tm_object object)
{
    return (size_t)object < TMI_COUNT_OF(kinds) ? &kinds[object] : NULL;
}

/* ---------------------------------------------------------------------------------------- arrays by table */

/* The array's pointer is a tm_image * or the like, which may not be accessed as a void *: hence memcpy. */
void *tmi_items(const tmi_kind *kind, const void *owner)
{
    void *items;
    memcpy(&items, (const char *)owner + kind->items_offset, sizeof(items));
    return items;
}

uint32_t tmi_num(const tmi_kind *kind, const void *owner)
{
    uint32_t num;
    memcpy(&num, (const char *)owner + kind->num_offset, sizeof(num));
    return num;
}

void tmi_set_items(const tmi_kind *kind, void *owner, void *items, uint32_t num)
{
    memcpy((char *)owner + kind->items_offset, &items, sizeof(items));
    memcpy((char *)owner + kind->num_offset, &num, sizeof(num));
}

tm_status tmi_items_new(void **out, const tmi_kind *kind, tm_map *map, uint64_t num, tm_error *error)
{
    *out = NULL;
    if (num == 0)
        return TM_OK;
    if (num > UINT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many objects in one list: %llu",
                        (unsigned long long)num);
    TM_TRY(tmi_reserve(out, tmi_map_allocator(map), (size_t)num, kind->size, kind->name, error));
    return TM_OK;
}

void tmi_items_free(const tmi_kind *kind, tm_map *map, void *items, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++)
        kind->release(map, (char *)items + i * kind->size);
    tmi_free(tmi_map_allocator(map), items, num, kind->size);
}

tm_status tmi_items_copy(const tmi_kind *kind, tm_map *map, void *owner, const tm_map *from,
                         const void *other, tm_error *error)
{
    uint32_t num = tmi_num(kind, other);
    const char *in = tmi_items(kind, other);
    void *items;
    TM_TRY(tmi_items_new(&items, kind, map, num, error));
    for (uint32_t i = 0; i < num; i++) {
        tm_status status = kind->copy(map, (char *)items + i * kind->size, from, in + i * kind->size, error);
        if (status != TM_OK) {
            for (uint32_t k = 0; k < i; k++)
                kind->release(map, (char *)items + k * kind->size);
            tmi_free(tmi_map_allocator(map), items, num, kind->size);
            return status;
        }
    }
    tmi_set_items(kind, owner, items, num);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------ making room to load */

static tm_status reserve(const tmi_kind *kind, tm_map *map, void *owner, uint32_t num, tm_error *error)
{
    void *items;
    TMI_ASSERT(tmi_num(kind, owner) == 0);
    TM_TRY(tmi_items_new(&items, kind, map, num, error));
    if (num)
        memset(items, 0, kind->size * num);
    tmi_set_items(kind, owner, items, num);
    return TM_OK;
}

tm_status tmi_map_reserve(tm_map *map, tm_object kind, uint32_t num, tm_error *error)
{
    return reserve(tmi_kind_of(kind), map, map, num, error);
}

tm_status tmi_group_reserve(tm_map *map, tm_group *group, uint32_t num_layers, tm_error *error)
{
    return reserve(&tmi_kind_layer, map, group, num_layers, error);
}

tm_status tmi_envelope_reserve(tm_map *map, tm_envelope *envelope, uint32_t num_points, tm_error *error)
{
    TMI_ASSERT(envelope->num_points == 0);
    if (num_points == 0)
        return TM_OK;
    tm_envelope_point *points;
    TM_TRY(tmi_reserve_zeroed(&points, tmi_map_allocator(map), num_points, sizeof(*points), "envelope points",
                              error));
    envelope->points = points;
    envelope->num_points = num_points;
    return TM_OK;
}

tm_status tmi_settings_reserve(tm_map *map, uint32_t num, tm_error *error)
{
    TMI_ASSERT(map->info.num_settings == 0);
    if (num == 0)
        return TM_OK;
    const char **settings;
    TM_TRY(tmi_reserve_zeroed(&settings, tmi_map_allocator(map), num, sizeof(*settings), "settings", error));
    map->info.settings = settings;
    map->info.num_settings = num;
    return TM_OK;
}
