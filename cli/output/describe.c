/* SPDX-License-Identifier: Zlib */
/* describe.c - the objects of a map as rows of a table. The JSON forms are in describe_json.c. */
#include "describe.h"

#include <inttypes.h>
#include <stdio.h>

const char *layer_kind(const tm_layer *layer)
{
    return tm_game_layer(layer->kind)->name;
}

static void put_start(text *rows, int indent, const tm_address *address, const char *kind, const char *name)
{
    char place[64];
    tm_address_format(address, place, sizeof(place));
    text_pad(rows, indent);
    text_print(rows, "%s\t%s\t", place, kind);
    text_quoted(rows, name ? name : "");
    text_put(rows, "\t", 1);
}

/* "what address 'name'" for something that is referred to. */
static void put_reference(text *rows, const char *what, const char *kind, int32_t index, const char *name)
{
    if (index >= 0) {
        text_print(rows, ", %s%s/%" PRId32, what, kind, index);
        if (name && *name) {
            text_put(rows, " ", 1);
            text_quoted(rows, name);
        }
    }
}

static void put_image_reference(text *rows, const tm_map *map, int32_t index)
{
    const tm_image *image = tm_map_image(map, index);
    put_reference(rows, "", "image", index, image ? image->name : NULL);
}

static void put_block(text *rows, const tm_block *block)
{
    tm_block_info info = tm_block_get_info(block);
    text_bytes(rows, info.size);
    text_string(rows, " (");
    text_bytes(rows, info.packed_size);
    text_string(rows, " packed)");
}

void row_info(text *rows, const tm_map *map)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, TM_OWNER_INFO);
    bool any = false;
    text_string(rows, "info\tinfo\t\t");
    for (size_t i = 0; i < num; i++) {
        if (fields[i].type != TM_TYPE_TEXT)
            continue;
        const tm_value value = tm_field_get(&fields[i], &map->info, 0);
        if (value.as.text && *value.as.text) {
            text_print(rows, "%s%s ", any ? ", " : "", fields[i].name);
            text_quoted(rows, value.as.text);
            any = true;
        }
    }
    text_put(rows, "\n", 1);
}

void row_settings(text *rows, const tm_map *map)
{
    text_string(rows, "settings\tsettings\t\t");
    text_count(rows, map->info.num_settings, "command", "commands");
    text_put(rows, "\n", 1);
}

void row_image(text *rows, const tm_map *map, uint32_t index)
{
    const tm_image *image = &map->images[index];
    put_start(rows, 0, &(tm_address){TM_ADDRESS_IMAGE, index, 0}, "image", image->name);
    text_print(rows, "%s, %" PRId32 "x%" PRId32, image->external ? "external" : "embedded", image->width,
               image->height);
    if (image->pixels) {
        text_string(rows, image->format == TM_IMAGE_RGB ? " RGB, " : ", ");
        put_block(rows, image->pixels);
    }
    text_put(rows, "\n", 1);
}

void row_sound(text *rows, const tm_map *map, uint32_t index)
{
    const tm_sound *sound = &map->sounds[index];
    put_start(rows, 0, &(tm_address){TM_ADDRESS_SOUND, index, 0}, "sound", sound->name);
    text_string(rows, sound->external ? "external" : "embedded");
    if (sound->data) {
        text_string(rows, ", ");
        put_block(rows, sound->data);
    }
    text_put(rows, "\n", 1);
}

void row_envelope(text *rows, const tm_map *map, uint32_t index)
{
    const tm_envelope *envelope = &map->envelopes[index];
    put_start(rows, 0, &(tm_address){TM_ADDRESS_ENVELOPE, index, 0}, "envelope", envelope->name);
    const char *type = tm_field_find(TM_OWNER_ENVELOPE, "type")->choice(envelope->channels);
    text_print(rows, "%s, ", type ? type : "unknown");
    text_count(rows, envelope->num_points, "point", "points");
    text_string(rows, envelope->synchronized ? ", synchronized\n" : "\n");
}

void row_group(text *rows, const tm_map *map, uint32_t index)
{
    const tm_group *group = &map->groups[index];
    put_start(rows, 0, &(tm_address){TM_ADDRESS_GROUP, index, 0}, "group", group->name);
    text_count(rows, group->num_layers, "layer", "layers");
    if (group->parallax_x != 100 || group->parallax_y != 100)
        text_print(rows, ", parallax %" PRId32 ",%" PRId32, group->parallax_x, group->parallax_y);
    if (group->offset_x || group->offset_y)
        text_print(rows, ", offset %" PRId32 ",%" PRId32, group->offset_x, group->offset_y);
    if (group->use_clipping) {
        text_print(rows, ", clip %" PRId32 ",%" PRId32 " %" PRId32 "x%" PRId32, group->clip_x, group->clip_y,
                   group->clip_w, group->clip_h);
    }
    if (group->has_parallax_zoom)
        text_print(rows, ", parallax zoom %" PRId32, group->parallax_zoom);
    text_put(rows, "\n", 1);
}

/* Of design tiles and others that are not drawn as they are. */
static void put_color(text *rows, const tm_tile_layer *tiles)
{
    const tm_field *color = tm_field_find(TM_OWNER_TILE_LAYER, "color");
    const tm_value value = {TM_TYPE_COLOR, {.color = tiles->color}}, white = tm_field_initial(color);
    char shown[60];
    if (tm_value_same(&value, &white))
        return;
    tm_value_format(shown, sizeof(shown), color, &value, NULL);
    text_print(rows, ", color %s", shown);
}

static void put_tile_layer(text *rows, const tm_map *map, const tm_tile_layer *tiles)
{
    text_print(rows, "%" PRIu32 "x%" PRIu32 " tiles", tiles->width, tiles->height);
    put_image_reference(rows, map, tiles->image);
    put_color(rows, tiles);
    const tm_envelope *envelope = tm_map_envelope(map, tiles->color_envelope);
    put_reference(rows, "color ", "envelope", tiles->color_envelope, envelope ? envelope->name : NULL);
    if (tiles->automapper.present && tiles->automapper.config >= 0)
        text_print(rows, ", automapper %" PRId32, tiles->automapper.config);
}

static void put_sound_layer(text *rows, const tm_map *map, const tm_sound_layer *sounds)
{
    const tm_sound *sound = tm_map_sound(map, sounds->sound);
    text_count(rows, sounds->num_sources, "source", "sources");
    put_reference(rows, "", "sound", sounds->sound, sound ? sound->name : NULL);
}

void row_layer(text *rows, const tm_map *map, uint32_t group, uint32_t index, int indent)
{
    const tm_layer *layer = &map->groups[group].layers[index];
    put_start(rows, indent, &(tm_address){TM_ADDRESS_LAYER, group, index}, layer_kind(layer), layer->name);
    if (tm_game_layer(layer->kind)->is_tiles) {
        put_tile_layer(rows, map, &layer->as.tiles);
    } else if (layer->kind == TM_LAYER_QUADS) {
        text_count(rows, layer->as.quads.num_quads, "quad", "quads");
        put_image_reference(rows, map, layer->as.quads.image);
    } else if (layer->kind != TM_LAYER_UNKNOWN) {
        put_sound_layer(rows, map, &layer->as.sounds);
    } else {
        text_string(rows, "no game knows it; carried along");
    }
    text_string(rows, layer->detail ? ", detail\n" : "\n");
}

void rows_of_group(text *rows, const tm_map *map, uint32_t index, int indent)
{
    row_group(rows, map, index);
    for (uint32_t i = 0; i < map->groups[index].num_layers; i++)
        row_layer(rows, map, index, i, indent);
}
