/* SPDX-License-Identifier: Zlib */
#ifndef CLI_DESCRIBE_H
#define CLI_DESCRIBE_H
/*
 * describe.h - the objects of a map in one line of a table and as JSON, and a map as a whole as JSON, the
 * same for every command. Nothing here unpacks data.
 */
#include "json.h"
#include "text_buffer.h"

/* "" of what has none. */
const char *object_name(const tm_map *map, const tm_address *address);

/*
 * Rows of a table for text_columns: address, kind, name, details. `indent` spaces stand before the address.
 */
void row_object(text *rows, const tm_map *map, const tm_address *address, int indent);
void row_info(text *rows, const tm_map *map);
void row_settings(text *rows, const tm_map *map);
/* A group and its layers. */
void rows_of_group(text *rows, const tm_map *map, uint32_t index, int indent);

/* An object as tm_object_write has it; and a list of `num` objects from an address on. */
json_t *json_object_at(const tm_map *map, const tm_address *address);
void json_add_objects(json_t *object, const char *key, const tm_map *map, tm_address address, uint32_t num);
/* The texts of the map's info, each as a member, to the byte. */
void json_add_info(json_t *object, const tm_map *map);
void json_add_settings(json_t *object, const tm_map *map);

/* The names of the features that a map uses. */
json_t *json_features(const tm_map *map);
/* What `teemap info --json` tells of a map: numbers; then texts and settings; then images, sounds, groups. */
typedef enum map_detail { MAP_NUMBERS, MAP_TEXTS, MAP_OBJECTS } map_detail;
void json_add_map(json_t *object, const tm_map *map, map_detail detail);

#endif
