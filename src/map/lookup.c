/* SPDX-License-Identifier: Zlib */
/* Looks up parts of a map: objects by index, layers one by one and by kind, the pixels of an image. */
#include "internal.h"

/* ----------------------------------------------------------------------------------------------- by index */

bool tm_layer_has_automapper(const tm_layer *layer)
{
    return layer && layer->kind == TM_LAYER_TILES && layer->as.tiles.automapper.present &&
           layer->as.tiles.automapper.config != TM_NONE;
}

const tm_image *tm_map_image(const tm_map *map, int32_t index)
{
    return map && index >= 0 && (uint32_t)index < map->num_images ? &map->images[index] : NULL;
}

const tm_sound *tm_map_sound(const tm_map *map, int32_t index)
{
    return map && index >= 0 && (uint32_t)index < map->num_sounds ? &map->sounds[index] : NULL;
}

const tm_envelope *tm_map_envelope(const tm_map *map, int32_t index)
{
    return map && index >= 0 && (uint32_t)index < map->num_envelopes ? &map->envelopes[index] : NULL;
}

const void *tmi_map_object(const tm_map *map, const tm_address *address, tm_kind *owner)
{
    *owner = TM_KINDS;
    const tmi_array *array = tmi_map_array_of(address->kind);
    if (array) {
        *owner = address->kind;
        return address->index < tmi_num(array, map)
                   ? tmi_item_at(array, tmi_items(array, map), address->index)
                   : NULL;
    }
    switch (address->kind) {
    case TM_KIND_MAP: *owner = TM_KIND_MAP; return map;
    case TM_KIND_INFO:
    case TM_KIND_SETTINGS: *owner = TM_KIND_INFO; return &map->info;
    case TM_KIND_LAYER:
        *owner = TM_KIND_LAYER;
        return address->index < map->num_groups && address->layer < map->groups[address->index].num_layers
                   ? &map->groups[address->index].layers[address->layer]
                   : NULL;
    default: return NULL;
    }
}

void *tmi_map_object_edit(tm_map *map, const tm_address *address, tm_kind *owner)
{
    return TMI_UNCONST(void, tmi_map_object(map, address, owner));
}

const char *tmi_object_name(const tm_map *map, const tm_address *address)
{
    tm_kind owner;
    const void *object = map && address->kind >= TM_KIND_IMAGE ? tmi_map_object(map, address, &owner) : NULL;
    if (!object)
        return NULL;
    switch (address->kind) {
    case TM_KIND_IMAGE: return ((const tm_image *)object)->name;
    case TM_KIND_SOUND: return ((const tm_sound *)object)->name;
    case TM_KIND_ENVELOPE: return ((const tm_envelope *)object)->name;
    case TM_KIND_GROUP: return ((const tm_group *)object)->name;
    default: return ((const tm_layer *)object)->name;
    }
}

uint32_t tmi_find_named(const tm_map *map, tm_kind kind, const char *name, uint32_t but)
{
    tm_kind owner;
    for (tm_address address = {kind, 0, 0}; tmi_map_object(map, &address, &owner); address.index++)
        if (address.index != but && tmi_same_text(tmi_object_name(map, &address), name))
            return address.index;
    return UINT32_MAX;
}

bool tmi_next_object(const tm_map *map, tm_address *address)
{
    tm_kind owner;
    if (address->kind < TM_KIND_IMAGE)
        *address = (tm_address){TM_KIND_IMAGE, 0, 0};
    else
        ++*(address->kind == TM_KIND_LAYER ? &address->layer : &address->index);
    while (!tmi_map_object(map, address, &owner)) {
        if (address->kind == TM_KIND_LAYER && address->index >= map->num_groups)
            return false;
        *address = address->kind == TM_KIND_LAYER ? (tm_address){TM_KIND_LAYER, address->index + 1, 0}
                                                  : (tm_address){address->kind + 1, 0, 0};
    }
    return true;
}

uint32_t tmi_num_objects(const tm_map *map, tm_kind kind)
{
    return tmi_num(tmi_map_array_of(kind), map);
}

uint32_t tm_map_num_layers(const tm_map *map)
{
    uint32_t num = 0;
    for (uint32_t g = 0; map && g < map->num_groups; g++)
        num += map->groups[g].num_layers;
    return num;
}

/* ------------------------------------------------------------------------------------------------- layers */

bool tm_map_next_layer(const tm_map *map, tm_layer_walk *walk)
{
    if (!map || !walk)
        return false;
    if (walk->layer) {
        walk->index++;
        walk->number++;
    }
    while (walk->group < map->num_groups && walk->index >= map->groups[walk->group].num_layers) {
        walk->group++;
        walk->index = 0;
    }
    walk->layer = walk->group < map->num_groups ? &map->groups[walk->group].layers[walk->index] : NULL;
    return walk->layer;
}

uint32_t tm_map_layer_number(const tm_map *map, uint32_t group, uint32_t index)
{
    for (uint32_t g = 0; map && g < group && g < map->num_groups; g++)
        index += map->groups[g].num_layers;
    return index;
}

void tm_map_area(uint32_t *width, uint32_t *height, const tm_map *map)
{
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME);
    tm_layer_walk walk = {0};
    if (!width || !height)
        return;
    *width = *height = 0;
    while (tm_map_next_layer(map, &walk)) {
        const tm_tile_layer *tiles = &walk.layer->as.tiles;
        if (!tm_game_layer(walk.layer->kind)->is_tiles || (game && walk.layer != game))
            continue;
        *width = tiles->width > *width ? tiles->width : *width;
        *height = tiles->height > *height ? tiles->height : *height;
    }
}

/* ------------------------------------------------------------------------------------------------ by kind */

/* The first or the last layer of a kind. */
static const tm_layer *find(const tm_map *map, tm_layer_kind kind, bool last, uint32_t *group,
                            uint32_t *index)
{
    tm_layer_walk walk = {0}, found = {.group = UINT32_MAX, .index = UINT32_MAX}; /* which lead to nothing */
    while (tm_map_next_layer(map, &walk))
        if (walk.layer->kind == kind && (last || !found.layer))
            found = walk;
    if (group)
        *group = found.group;
    if (index)
        *index = found.index;
    return found.layer;
}

const tm_layer *tm_map_find_layer(uint32_t *group, uint32_t *index, const tm_map *map, tm_layer_kind kind)
{
    return find(map, kind, false, group, index);
}

const tm_layer *tm_map_physics_layer(uint32_t *group, uint32_t *index, const tm_map *map, tm_layer_kind kind)
{
    return find(map, kind, true, group, index);
}

bool tm_map_is_game_group(const tm_map *map, uint32_t group)
{
    uint32_t game;
    return tm_map_physics_layer(&game, NULL, map, TM_LAYER_GAME) && game == group;
}

/* ------------------------------------------------------------------------------------------------- pixels */

uint64_t tm_image_rgba_size(const tm_image *image)
{
    const uint64_t stored = image && !image->external && image->pixels ? tmi_image_stored_size(image) : 0;
    if (!stored || image->pixels->size < stored)
        return 0;
    return image->format == TM_IMAGE_RGB ? stored / 3 * 4 : stored;
}

tm_status tm_map_image_pixels(const tm_map *map, const tm_image *image, void *rgba, uint64_t size,
                              tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(image, "image", error));
    if (image->external)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the image is external: the map has no pixels of it");
    const uint64_t bytes = image->pixels ? image->pixels->size : 0, stored = tmi_image_stored_size(image),
                   need = tm_image_rgba_size(image);
    if (!stored)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1, "the image says that it has %d x %d pixels",
                        (int)image->width, (int)image->height);
    if (!need)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1,
                        "the image's %d x %d pixels need %llu bytes, but it has %llu", (int)image->width,
                        (int)image->height, (unsigned long long)stored, (unsigned long long)bytes);
    TM_TRY(tmi_need(rgba, "rgba", error));
    if (size < need)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the buffer has %llu bytes, the pixels need %llu",
                        (unsigned long long)size, (unsigned long long)need);
    if (bytes == stored && stored == need)
        return tm_map_read_data(map, image->pixels, rgba, need, error);
    tmi_borrowed loan;
    TM_TRY(tmi_borrowed_open(&loan, map, image->pixels, error));
    const uint8_t *rgb = loan.bytes;
    uint8_t *target = rgba;
    if (stored == need)
        memcpy(rgba, rgb, (size_t)need);
    for (uint64_t i = 0; stored != need && i < need / 4; i++, target += 4, rgb += 3) {
        memcpy(target, rgb, 3);
        target[3] = 255;
    }
    tmi_borrowed_close(&loan);
    return TM_OK;
}

tm_status tmi_image_pixels(tmi_pixels *out, const tm_map *map, const tm_image *image,
                           const tm_allocator *allocator, tm_error *error)
{
    const uint64_t size = tm_image_rgba_size(image);
    *out = (tmi_pixels){NULL, 0, 0};
    if (!size) /* which reports why, and allocates nothing for a false size */
        return tm_map_image_pixels(map, image, NULL, 0, error);
    if (size > SIZE_MAX || size > map->priv->limits.block_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "its %d x %d pixels are more than the limit",
                        (int)image->width, (int)image->height);
    tmi_pixels pixels = {NULL, (uint32_t)image->width, (uint32_t)image->height};
    TM_TRY(tmi_reserve(&pixels.rgba, allocator, (size_t)size, 1, "pixels", error));
    const tm_status status = tm_map_image_pixels(map, image, pixels.rgba, size, error);
    if (status)
        tmi_free(allocator, pixels.rgba, (size_t)size, 1);
    else
        *out = pixels;
    return status;
}

/* -------------------------------------------------------------------------------------- what callers name */

static tm_status find_array(const tmi_array **out, const tm_map *map, tm_kind kind, tm_error *error)
{
    const char *name = tm_kind_name(kind);
    *out = tmi_map_array_of(kind);
    TM_TRY(tmi_need(map, "map", error));
    if (*out)
        return TM_OK;
    if (!name)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no kind of object %d", (int)kind);
    return tmi_fail(error, TM_ERROR_USAGE, -1,
                    "a map has lists of images, sounds, envelopes and groups, and none of the kind '%s'",
                    name);
}

/* Every function of the room checks its arguments by these, with the same messages. */
tm_status tmi_check_object(const tm_map *map, tm_kind kind, uint32_t index, tm_error *error)
{
    const tmi_array *array;
    TM_TRY(find_array(&array, map, kind, error));
    uint32_t num = tmi_num(array, map);
    if (index < num)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "%s %u does not exist, the map has %u", tm_kind_name(kind),
                    (unsigned)index, (unsigned)num);
}

tm_status tmi_check_layer(const tm_map *map, uint32_t group, uint32_t layer, tm_error *error)
{
    TM_TRY(tmi_check_object(map, TM_KIND_GROUP, group, error));
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

tm_status tmi_check_place(const tm_map *map, tm_kind kind, uint32_t at, tm_error *error)
{
    const tmi_array *array;
    TM_TRY(find_array(&array, map, kind, error));
    return check_at("the map", tm_kind_name(kind), at, tmi_num(array, map), error);
}

tm_status tmi_check_layer_place(const tm_map *map, uint32_t group, uint32_t at, tm_error *error)
{
    char owner[32];
    TM_TRY(tmi_check_object(map, TM_KIND_GROUP, group, error));
    tmi_format(owner, sizeof(owner), "group %u", (unsigned)group);
    return check_at(owner, "layer", at, map->groups[group].num_layers, error);
}
