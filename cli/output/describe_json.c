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
        json_add(object, "info", json_object_at(map, &(tm_address){.kind = TM_ADDRESS_INFO}));
        json_add_settings(object, map);
    }
    json_add_all(object, JSON_VALUE("datafile", json_container(tm_mapfile_datafile(map), &n)),
                 JSON_VALUE("counts", json_counts(map, &n)), JSON_VALUE("features", json_features(map)));
    if (detail == MAP_OBJECTS) {
        json_add_objects(object, "images", map, (tm_address){.kind = TM_ADDRESS_IMAGE}, map->num_images);
        json_add_objects(object, "sounds", map, (tm_address){.kind = TM_ADDRESS_SOUND}, map->num_sounds);
        json_add_objects(object, "groups", map, (tm_address){.kind = TM_ADDRESS_GROUP}, map->num_groups);
    }
}
