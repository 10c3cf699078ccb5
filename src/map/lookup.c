/* SPDX-License-Identifier: Zlib */
/*
 * Looking things up in a map: objects by index, layers one by one and by kind, the pixels of an image. Only
 * reads.
 */
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

uint32_t tm_map_num_layers(const tm_map *map)
{
    uint32_t num = 0;
    for (uint32_t g = 0; map && g < map->num_groups; g++)
        num += map->groups[g].num_layers;
    return num;
}

/* ------------------------------------------------------------------------------------------------- layers */

bool tm_map_next_layer(const tm_map *map, tm_layer_walk *at)
{
    if (!map || !at)
        return false;
    if (at->layer) {
        at->index++;
        at->number++;
    }
    while (at->group < map->num_groups && at->index >= map->groups[at->group].num_layers) {
        at->group++;
        at->index = 0;
    }
    at->layer = at->group < map->num_groups ? &map->groups[at->group].layers[at->index] : NULL;
    return at->layer;
}

uint32_t tm_map_layer_number(const tm_map *map, uint32_t group, uint32_t index)
{
    for (uint32_t g = 0; g < group && g < map->num_groups; g++)
        index += map->groups[g].num_layers;
    return index;
}

void tm_map_area(const tm_map *map, uint32_t *width, uint32_t *height)
{
    const tm_layer *game = tm_map_physics_layer(map, TM_LAYER_GAME, NULL, NULL);
    tm_layer_walk at = {0};
    if (!width || !height)
        return;
    *width = *height = 0;
    while (tm_map_next_layer(map, &at)) {
        const tm_tile_layer *tiles = &at.layer->as.tiles;
        if (!tm_game_layer(at.layer->kind)->is_tiles || (game && at.layer != game))
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
    const tm_layer *found = NULL;
    uint32_t at_group = UINT32_MAX, at = UINT32_MAX; /* indices that lead to nothing */
    for (uint32_t g = 0; map && g < map->num_groups; g++) {
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            if (map->groups[g].layers[l].kind != kind || (found && !last))
                continue;
            found = &map->groups[g].layers[l];
            at_group = g;
            at = l;
        }
    }
    if (group)
        *group = at_group;
    if (index)
        *index = at;
    return found;
}

const tm_layer *tm_map_find_layer(const tm_map *map, tm_layer_kind kind, uint32_t *group, uint32_t *index)
{
    return find(map, kind, false, group, index);
}

const tm_layer *tm_map_physics_layer(const tm_map *map, tm_layer_kind kind, uint32_t *group, uint32_t *index)
{
    return find(map, kind, true, group, index);
}

bool tm_map_is_game_group(const tm_map *map, uint32_t group)
{
    uint32_t game;
    return tm_map_physics_layer(map, TM_LAYER_GAME, &game, NULL) && game == group;
}

/* ------------------------------------------------------------------------------------------------- pixels */

uint64_t tm_image_rgba_size(const tm_image *image)
{
    const uint64_t stored = image && !image->external && image->pixels ? tmi_image_stored_size(image) : 0;
    if (!stored || image->pixels->size < stored)
        return 0;
    return image->format == TM_IMAGE_RGB ? stored / 3 * 4 : stored;
}

/* Makes each 3 bytes 4, opaque. */
static void widen(uint8_t *rgba, const uint8_t *rgb, uint64_t num)
{
    for (uint64_t i = 0; i < num; i++, rgba += 4, rgb += 3) {
        memcpy(rgba, rgb, 3);
        rgba[3] = 255;
    }
}

tm_status tm_map_image_pixels(const tm_map *map, const tm_image *image, void *rgba, uint64_t size,
                              tm_error *error)
{
    TM_TRY(tmi_check_map(map, error));
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
    if (stored == need)
        memcpy(rgba, loan.bytes, (size_t)need);
    else
        widen(rgba, loan.bytes, need / 4);
    tmi_borrowed_close(&loan);
    return TM_OK;
}
