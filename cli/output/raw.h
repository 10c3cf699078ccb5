/* SPDX-License-Identifier: Zlib */
#ifndef CLI_RAW_H
#define CLI_RAW_H
/*
 * raw.h - the container below the map: its header, items and blocks as tables and as JSON. Works on any
 * datafile.
 */
#include "json.h"
#include "text_buffer.h"

#include <teemap/datafile.h>

/* A part of the list: [first, first + num). */
typedef struct raw_range {
    uint32_t first, num;
} raw_range;

/* What is known of an item's type. */
typedef struct raw_type {
    const char *name; /* "image", "mapitemtype-test@ddnet.tw"; NULL: no game knows it */
    bool has_uuid;
    tm_uuid uuid;
} raw_type;
void raw_type_find(raw_type *out, const tm_datafile *file, uint16_t type);

void put_raw_header(text *out, const tm_datafile *file);
void put_raw_items(text *out, const tm_datafile *file, raw_range range);
void put_raw_data(text *out, const tm_datafile *file, raw_range range);

json_t *json_raw_header(const tm_datafile *file);
json_t *json_raw_types(const tm_datafile *file);
json_t *json_raw_item(const tm_datafile *file, uint32_t index);
json_t *json_raw_data(const tm_datafile *file, uint32_t index);

#endif
