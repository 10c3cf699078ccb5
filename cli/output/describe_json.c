/* SPDX-License-Identifier: Zlib */
/*
 * describe_json.c - the objects of a map as JSON, which the library writes by its table of fields. The forms
 * are documented in docs/json.md and docs/schema/common.json.
 */
#include "describe.h"

json_t *json_object_at(const tm_map *map, const tm_address *address)
{
    tm_buffer buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    if (tm_object_write(map, address, &output, NULL))
        out_of_memory(); /* the address is the caller's, so nothing else can fail */
    return json_written(&buffer);
}

void json_add_objects(json_t *object, const char *key, const tm_map *map, tm_address at, uint32_t num)
{
    json_t *list = json_add_array(object, key);
    for (; num; num--, at.index++)
        json_append(list, json_object_at(map, &at));
}

void json_add_info(json_t *object, const tm_map *map)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, TM_OWNER_INFO);
    for (size_t i = 0; i < num; i++)
        if (fields[i].type == TM_TYPE_TEXT) {
            const char *words = tm_field_get(&fields[i], &map->info, 0).as.text;
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
    json_t *object = json_make();
    json_add_int(object, "version", header.version);
    json_add_text(object, "magic", magic);
    json_add_bool(object, "crude_sizes", header.crude_size || header.crude_swaplen);
    json_add_int(object, "item_types", tm_datafile_num_types(file));
    json_add_int(object, "items", tm_datafile_num_items(file));
    json_add_int(object, "item_bytes", (int64_t)n->item_bytes);
    json_add_int(object, "data", tm_datafile_num_data(file));
    json_add_int(object, "packed_bytes", (int64_t)n->packed_bytes);
    json_add_int(object, "unpacked_bytes", (int64_t)n->unpacked_bytes);
    return object;
}

static json_t *json_counts(const tm_map *map, const tm_mapfile_counts *n)
{
    json_t *object = json_make(), *layers = json_make();
    json_add_int(object, "images", map->num_images);
    json_add_int(object, "external_images", (int64_t)n->external_images);
    json_add_int(object, "embedded_images", (int64_t)n->embedded_images);
    json_add_int(object, "sounds", map->num_sounds);
    json_add_int(object, "envelopes", map->num_envelopes);
    json_add_int(object, "envelope_points", (int64_t)n->envelope_points);
    json_add_int(object, "groups", map->num_groups);
    json_add_int(object, "layers", (int64_t)n->layers);
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
        json_add_int(layers, tm_game_layer((tm_layer_kind)kind)->name, (int64_t)n->layers_of[kind]);
    json_add(object, "layer_kinds", layers);
    json_add_int(object, "quads", (int64_t)n->quads);
    json_add_int(object, "sound_sources", (int64_t)n->sources);
    return object;
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
    json_add(object, "game", is_map ? json_string(tm_game_name(map->game)) : json_null());
    json_add_int(object, "map_version", map->version);
    json_add(object, "width", game ? json_integer(game->as.tiles.width) : json_null());
    json_add(object, "height", game ? json_integer(game->as.tiles.height) : json_null());
    if (detail >= MAP_TEXTS) {
        json_add(object, "info", json_object_at(map, &(tm_address){.kind = TM_ADDRESS_INFO}));
        json_add_settings(object, map);
    }
    json_add(object, "datafile", json_container(tm_mapfile_datafile(map), &n));
    json_add(object, "counts", json_counts(map, &n));
    json_add(object, "features", json_features(map));
    if (detail == MAP_OBJECTS) {
        json_add_objects(object, "images", map, (tm_address){.kind = TM_ADDRESS_IMAGE}, map->num_images);
        json_add_objects(object, "sounds", map, (tm_address){.kind = TM_ADDRESS_SOUND}, map->num_sounds);
        json_add_objects(object, "groups", map, (tm_address){.kind = TM_ADDRESS_GROUP}, map->num_groups);
    }
}
