/* SPDX-License-Identifier: Zlib */
/*
 * describe_json.c - the objects of a map as JSON; the forms are documented in docs/json.md and
 * docs/schema/common.json.
 */
#include "describe.h"

static json_t *start_object(const tm_address *address)
{
    char place[64];
    tm_address_format(address, place, sizeof(place));
    json_t *object = json_make();
    json_add(object, "address", json_string(place));
    return object;
}

/* "size" and "packed_size" in bytes; null when there is no block. */
static void add_block(json_t *object, const tm_block *block)
{
    tm_block_info info = tm_block_get_info(block);
    json_add(object, "size", block ? json_integer((json_int_t)info.size) : json_null());
    json_add(object, "packed_size", block ? json_integer((json_int_t)info.packed_size) : json_null());
}

json_t *json_info(const tm_map *map)
{
    json_t *object = json_make();
    json_add_text(object, "author", map->info.author);
    json_add_text(object, "version", map->info.version);
    json_add_text(object, "credits", map->info.credits);
    json_add_text(object, "license", map->info.license);
    return object;
}

void json_add_settings(json_t *object, const tm_map *map)
{
    json_add_texts(object, "settings", map->info.settings, map->info.num_settings);
}

json_t *json_image(const tm_map *map, uint32_t index)
{
    const tm_image *image = &map->images[index];
    json_t *object = start_object(&(tm_address){TM_ADDRESS_IMAGE, index, 0});
    json_add_text(object, "name", image->name);
    json_add_int(object, "width", image->width);
    json_add_int(object, "height", image->height);
    json_add(object, "format", json_string(image->format == TM_IMAGE_RGB ? "rgb" : "rgba"));
    json_add_bool(object, "external", image->external);
    add_block(object, image->pixels);
    return object;
}

json_t *json_sound(const tm_map *map, uint32_t index)
{
    const tm_sound *sound = &map->sounds[index];
    json_t *object = start_object(&(tm_address){TM_ADDRESS_SOUND, index, 0});
    json_add_text(object, "name", sound->name);
    json_add_bool(object, "external", sound->external);
    add_block(object, sound->data);
    return object;
}

json_t *json_envelope(const tm_map *map, uint32_t index)
{
    const tm_envelope *envelope = &map->envelopes[index];
    json_t *object = start_object(&(tm_address){TM_ADDRESS_ENVELOPE, index, 0});
    json_add_text(object, "name", envelope->name);
    json_add(object, "type", json_string(envelope_type(envelope->channels)));
    json_add_int(object, "channels", envelope->channels);
    json_add_bool(object, "synchronized", envelope->synchronized);
    json_add_int(object, "num_points", envelope->num_points);
    return object;
}

static void add_group_clip(json_t *object, const tm_group *group)
{
    json_t *clip = json_make();
    json_add_int(clip, "x", group->clip_x);
    json_add_int(clip, "y", group->clip_y);
    json_add_int(clip, "width", group->clip_w);
    json_add_int(clip, "height", group->clip_h);
    json_add_bool(object, "use_clipping", group->use_clipping);
    json_add(object, "clip", clip);
}

json_t *json_group(const tm_map *map, uint32_t index, bool layers)
{
    const tm_group *group = &map->groups[index];
    json_t *object = start_object(&(tm_address){TM_ADDRESS_GROUP, index, 0});
    json_add_text(object, "name", group->name);
    json_add_point(object, "offset", group->offset_x, group->offset_y);
    json_add_point(object, "parallax", group->parallax_x, group->parallax_y);
    add_group_clip(object, group);
    json_add(object, "parallax_zoom",
             group->has_parallax_zoom ? json_integer(group->parallax_zoom) : json_null());
    json_add_int(object, "num_layers", group->num_layers);
    if (layers) {
        json_t *list = json_array();
        for (uint32_t i = 0; i < group->num_layers; i++)
            json_append(list, json_layer(map, index, i));
        json_add(object, "layers", list);
    }
    return object;
}

static void add_automapper(json_t *object, const tm_automapper *automapper)
{
    if (!automapper->present) {
        json_add(object, "automapper", json_null());
        return;
    }
    json_t *value = json_make();
    json_add_index(value, "config", automapper->config);
    json_add_int(value, "seed", automapper->seed);
    json_add_bool(value, "automatic", automapper->automatic);
    json_add(object, "automapper", value);
}

static void add_tile_layer(json_t *object, const tm_tile_layer *tiles)
{
    json_add_int(object, "width", tiles->width);
    json_add_int(object, "height", tiles->height);
    json_add_color(object, "color", &tiles->color);
    json_add_index(object, "color_envelope", tiles->color_envelope);
    json_add_int(object, "color_envelope_offset", tiles->color_envelope_offset);
    json_add_index(object, "image", tiles->image);
    add_automapper(object, &tiles->automapper);
    add_block(object, tiles->tiles);
}

json_t *json_layer(const tm_map *map, uint32_t group, uint32_t index)
{
    const tm_layer *layer = &map->groups[group].layers[index];
    json_t *object = start_object(&(tm_address){TM_ADDRESS_LAYER, group, index});
    json_add(object, "kind", json_string(layer_kind(layer)));
    json_add_text(object, "name", layer->name);
    json_add_bool(object, "detail", layer->detail);
    if (tm_rules_layer(layer->kind)->is_tiles) {
        add_tile_layer(object, &layer->as.tiles);
    } else if (layer->kind == TM_LAYER_QUADS) {
        json_add_index(object, "image", layer->as.quads.image);
        json_add_int(object, "num_quads", layer->as.quads.num_quads);
        add_block(object, layer->as.quads.quads);
    } else if (layer->kind != TM_LAYER_UNKNOWN) {
        json_add_index(object, "sound", layer->as.sounds.sound);
        json_add_int(object, "num_sources", layer->as.sounds.num_sources);
        add_block(object, layer->as.sounds.sources);
    }
    return object;
}
