/* SPDX-License-Identifier: Zlib */
/*
 * describe.c - the objects of a map as rows of a table, and as JSON, which the library writes by its table of
 * fields. The forms of JSON are documented in docs/json.md and docs/schema/common.json.
 */
#include "describe.h"

#include "form.h"

const char *object_name(const tm_map *map, const tm_address *address)
{
    const char *name = address->kind == TM_KIND_IMAGE      ? map->images[address->index].name
                       : address->kind == TM_KIND_SOUND    ? map->sounds[address->index].name
                       : address->kind == TM_KIND_ENVELOPE ? map->envelopes[address->index].name
                       : address->kind == TM_KIND_GROUP    ? map->groups[address->index].name
                       : address->kind == TM_KIND_LAYER
                           ? map->groups[address->index].layers[address->layer].name
                           : NULL;
    return name ? name : "";
}

static void put_start(text *rows, const tm_map *map, const tm_address *address, const char *kind)
{
    char place[TM_ADDRESS_SIZE];
    tm_address_format(address, place, sizeof(place));
    text_print(rows, "%s\t%s\t", place, kind);
    text_quoted(rows, object_name(map, address));
    text_put(rows, "\t", 1);
}

/* "image/3 'name'" for something that is referred to; nothing without a reference. */
static void put_reference(text *rows, const char *prefix, const tm_map *map, tm_kind kind, int32_t index)
{
    char place[TM_ADDRESS_SIZE];
    const tm_address address = {.kind = kind, .index = (uint32_t)index};
    if (index < 0)
        return;
    tm_address_format(&address, place, sizeof(place));
    text_print(rows, ", %s%s", prefix, place);
    if (object_name(map, &address)[0]) {
        text_put(rows, " ", 1);
        text_quoted(rows, object_name(map, &address));
    }
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
    json_t *object = json_make();
    json_add_info(object, map);
    form_line(rows, "info\tinfo\t\t{{@.}}{{@}} '{{.}}'{{|}}, {{/}}\n", object);
}

void row_settings(text *rows, const tm_map *map)
{
    text_string(rows, "settings\tsettings\t\t");
    if (map->info.unread_settings)
        text_string(rows, "could not be read\n");
    else
        text_count(rows, map->info.num_settings, "command\n", "commands\n");
}

static void put_image(text *rows, const tm_map *map, uint32_t index)
{
    const tm_image *image = &map->images[index];
    put_start(rows, map, &(tm_address){TM_KIND_IMAGE, index, 0}, "image");
    text_print(rows, "%s, %" PRId32 "x%" PRId32, image->external ? "external" : "embedded", image->width,
               image->height);
    if (image->pixels) {
        text_string(rows, image->format == TM_IMAGE_RGB ? " RGB, " : ", ");
        put_block(rows, image->pixels);
    }
    text_put(rows, "\n", 1);
}

static void put_sound(text *rows, const tm_map *map, uint32_t index)
{
    const tm_sound *sound = &map->sounds[index];
    put_start(rows, map, &(tm_address){TM_KIND_SOUND, index, 0}, "sound");
    text_string(rows, sound->external ? "external" : "embedded");
    if (sound->data) {
        text_string(rows, ", ");
        put_block(rows, sound->data);
    }
    text_put(rows, "\n", 1);
}

static void put_envelope(text *rows, const tm_map *map, uint32_t index)
{
    const tm_envelope *envelope = &map->envelopes[index];
    put_start(rows, map, &(tm_address){TM_KIND_ENVELOPE, index, 0}, "envelope");
    const char *type = tm_field_find(TM_KIND_ENVELOPE, "type")->choice(envelope->channels);
    text_print(rows, "%s, ", type ? type : "unknown");
    text_count(rows, envelope->num_points, "point", "points");
    text_string(rows, envelope->synchronized ? ", synchronized\n" : "\n");
}

static void put_group(text *rows, const tm_map *map, uint32_t index)
{
    const tm_group *group = &map->groups[index];
    put_start(rows, map, &(tm_address){TM_KIND_GROUP, index, 0}, "group");
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

/* Puts the color of a tile layer, unless it is white, which changes nothing. */
static void put_color(text *rows, const tm_tile_layer *tiles)
{
    const tm_field *color = tm_field_find(TM_KIND_TILE_LAYER, "color");
    const tm_value value = {.type = TM_TYPE_COLOR, .as.color = tiles->color}, white = tm_field_initial(color);
    char shown[60];
    if (tm_value_same(&value, &white))
        return;
    tm_value_format(shown, sizeof(shown), color, &value, NULL);
    text_print(rows, ", color %s", shown);
}

static void put_tile_layer(text *rows, const tm_map *map, const tm_tile_layer *tiles)
{
    text_print(rows, "%" PRIu32 "x%" PRIu32 " tiles", tiles->width, tiles->height);
    put_reference(rows, "", map, TM_KIND_IMAGE, tiles->image);
    put_color(rows, tiles);
    put_reference(rows, "color ", map, TM_KIND_ENVELOPE, tiles->color_envelope);
    if (tiles->automapper.present && tiles->automapper.config >= 0)
        text_print(rows, ", automapper %" PRId32, tiles->automapper.config);
}

static void put_layer(text *rows, const tm_map *map, uint32_t group, uint32_t index)
{
    const tm_layer *layer = &map->groups[group].layers[index];
    put_start(rows, map, &(tm_address){TM_KIND_LAYER, group, index}, tm_game_layer(layer->kind)->name);
    if (tm_game_layer(layer->kind)->is_tiles) {
        put_tile_layer(rows, map, &layer->as.tiles);
    } else if (layer->kind == TM_LAYER_QUADS) {
        text_count(rows, layer->as.quads.num_quads, "quad", "quads");
        put_reference(rows, "", map, TM_KIND_IMAGE, layer->as.quads.image);
    } else if (layer->kind != TM_LAYER_UNKNOWN) {
        text_count(rows, layer->as.sounds.num_sources, "source", "sources");
        put_reference(rows, "", map, TM_KIND_SOUND, layer->as.sounds.sound);
    } else {
        text_string(rows, "no game knows it; carried along");
    }
    text_string(rows, layer->detail ? ", detail\n" : "\n");
}

void row_object(text *rows, const tm_map *map, const tm_address *address, int indent)
{
    static void (*const put[])(text * rows, const tm_map *map, uint32_t index) = {
        [TM_KIND_IMAGE] = put_image,
        [TM_KIND_SOUND] = put_sound,
        [TM_KIND_ENVELOPE] = put_envelope,
        [TM_KIND_GROUP] = put_group,
    };
    text_pad(rows, indent);
    if (address->kind == TM_KIND_LAYER)
        put_layer(rows, map, address->index, address->layer);
    else
        put[address->kind](rows, map, address->index);
}

void rows_of_group(text *rows, const tm_map *map, uint32_t index, int indent)
{
    row_object(rows, map, &(tm_address){TM_KIND_GROUP, index, 0}, 0);
    for (uint32_t i = 0; i < map->groups[index].num_layers; i++)
        row_object(rows, map, &(tm_address){TM_KIND_LAYER, index, i}, indent);
}

/* --------------------------------------------------------------------------------------------------- JSON */

json_t *json_object_at(const tm_map *map, const tm_address *address)
{
    tm_buffer buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    if (tm_object_write(map, address, &output, NULL))
        out_of_memory(); /* the address is the caller's, so nothing else can fail */
    return json_written(&buffer);
}

void json_add_objects(json_t *object, const char *key, const tm_map *map, tm_address address, uint32_t num)
{
    json_t *list = json_add_array(object, key);
    for (; num; num--, address.index++)
        json_append(list, json_object_at(map, &address));
}

void json_add_info(json_t *object, const tm_map *map)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, TM_KIND_INFO);
    for (size_t i = 0; i < num; i++)
        if (fields[i].type == TM_TYPE_TEXT) {
            const char *words = tm_field_unread(&fields[i], &map->info)
                                    ? "(could not be read)"
                                    : tm_field_get(&fields[i], &map->info, 0).as.text;
            json_add(object, fields[i].name, words ? json_string(words) : json_null());
        }
}

void json_add_settings(json_t *object, const tm_map *map)
{
    json_add_texts(object, "settings", map->info.settings, map->info.num_settings);
}

/* --------------------------------------------------------------------------------------- a map as a whole */

static json_t *json_container(const tm_datafile *file, const tm_mapfile_counts *n)
{
    tm_datafile_header header;
    char magic[5] = "";
    tm_datafile_get_header(&header, file);
    memcpy(magic, header.magic, 4);
    return json_object(
        JSON_INT("version", header.version), JSON_TEXT("magic", magic),
        JSON_BOOL("crude_sizes", header.crude_size || header.crude_swaplen),
        JSON_INT("item_types", tm_datafile_num_types(file)), JSON_INT("items", tm_datafile_num_items(file)),
        JSON_INT("item_bytes", n->item_bytes), JSON_INT("data", tm_datafile_num_data(file)),
        JSON_INT("packed_bytes", n->packed_bytes), JSON_INT("unpacked_bytes", n->unpacked_bytes));
}

static json_t *json_counts(const tm_map *map, const tm_mapfile_counts *n)
{
    json_t *object = json_object(
        JSON_INT("images", map->num_images), JSON_INT("external_images", n->external_images),
        JSON_INT("embedded_images", n->embedded_images), JSON_INT("sounds", map->num_sounds),
        JSON_INT("envelopes", map->num_envelopes), JSON_INT("envelope_points", n->envelope_points),
        JSON_INT("groups", map->num_groups), JSON_INT("layers", n->layers));
    json_t *layers = json_add_object(object, "layer_kinds");
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
        json_add_int(layers, tm_game_layer((tm_layer_kind)kind)->name, (int64_t)n->layers_of[kind]);
    return json_add_all(object, JSON_INT("quads", n->quads), JSON_INT("sound_sources", n->sources));
}

json_t *json_features(const tm_map *map)
{
    const uint64_t used = tm_mapfile_features(map);
    json_t *list = json_array();
    for (int f = 0; f < TM_FEATURE_COUNT; f++)
        if (used >> f & 1)
            json_append(list, json_string(tm_feature_name((tm_feature)f)));
    return list;
}

void json_add_map(json_t *object, const tm_map *map, map_detail detail)
{
    tm_mapfile_counts n;
    tm_mapfile_count(&n, map);
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME);
    const bool is_map = tm_mapfile_get_kind(map) == TM_MAPFILE_MAP;
    json_add_all(object, JSON_TEXT("game", is_map ? tm_game_name(map->game) : NULL),
                 JSON_INT("map_version", map->version),
                 JSON_VALUE("width", game ? json_integer(game->as.tiles.width) : NULL),
                 JSON_VALUE("height", game ? json_integer(game->as.tiles.height) : NULL));
    if (detail >= MAP_TEXTS) {
        json_add(object, "info", json_object_at(map, &(tm_address){.kind = TM_KIND_INFO}));
        json_add_settings(object, map);
    }
    json_add_all(object, JSON_VALUE("datafile", json_container(tm_mapfile_datafile(map), &n)),
                 JSON_VALUE("counts", json_counts(map, &n)), JSON_VALUE("features", json_features(map)));
    if (detail == MAP_OBJECTS) {
        json_add_objects(object, "images", map, (tm_address){.kind = TM_KIND_IMAGE}, map->num_images);
        json_add_objects(object, "sounds", map, (tm_address){.kind = TM_KIND_SOUND}, map->num_sounds);
        json_add_objects(object, "groups", map, (tm_address){.kind = TM_KIND_GROUP}, map->num_groups);
    }
}
