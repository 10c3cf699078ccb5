/* SPDX-License-Identifier: Zlib */
#ifndef CLI_RAW_H
#define CLI_RAW_H
/*
 * raw.h - the container below the map: its header, items and blocks as JSON. Works on any datafile.
 */
#include "json.h"
#include "text_buffer.h"

/* A part of the list: [first, first + num). */
typedef struct raw_range {
    uint32_t first, num;
} raw_range;

json_t *json_raw_header(const tm_datafile *file);
json_t *json_raw_types(const tm_datafile *file);
json_t *json_raw_item(const tm_datafile *file, uint32_t index);
json_t *json_raw_data(const tm_datafile *file, uint32_t index);

#endif
