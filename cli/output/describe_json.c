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
    json_t *list = json_array();
    for (; num; num--, at.index++)
        json_append(list, json_object_at(map, &at));
    json_add(object, key, list);
}

void json_add_settings(json_t *object, const tm_map *map)
{
    json_add_texts(object, "settings", map->info.settings, map->info.num_settings);
}
