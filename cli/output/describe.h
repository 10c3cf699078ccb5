/* SPDX-License-Identifier: Zlib */
#ifndef CLI_DESCRIBE_H
#define CLI_DESCRIBE_H
/*
 * describe.h - the objects of a map in one line of a table and as JSON, the same for every command. Nothing
 * here unpacks data.
 */
#include "json.h"
#include "text_buffer.h"

#include <teemap/fields.h>

/* Kind of a layer: "tiles", "game", "quads", ... */
const char *layer_kind(const tm_layer *layer);

/*
 * Rows of a table for text_columns: address, kind, name, details. `indent` spaces stand before the address.
 */
void row_info(text *rows, const tm_map *map);
void row_settings(text *rows, const tm_map *map);
void row_image(text *rows, const tm_map *map, uint32_t index);
void row_sound(text *rows, const tm_map *map, uint32_t index);
void row_envelope(text *rows, const tm_map *map, uint32_t index);
void row_group(text *rows, const tm_map *map, uint32_t index);
void row_layer(text *rows, const tm_map *map, uint32_t group, uint32_t index, int indent);
/* A group and its layers. */
void rows_of_group(text *rows, const tm_map *map, uint32_t index, int indent);

json_t *json_info(const tm_map *map); /* author, version, credits, license */
void json_add_settings(json_t *object, const tm_map *map);
json_t *json_image(const tm_map *map, uint32_t index);
json_t *json_sound(const tm_map *map, uint32_t index);
json_t *json_envelope(const tm_map *map, uint32_t index);
json_t *json_group(const tm_map *map, uint32_t index, bool layers);
json_t *json_layer(const tm_map *map, uint32_t group, uint32_t index);

#endif
