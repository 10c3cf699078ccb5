/* SPDX-License-Identifier: Zlib */
#ifndef CLI_RAW_H
#define CLI_RAW_H
/*
 * raw.h - what an ADDRESS operand means, the lists (image, item, ...) and the raw level included; and this
 * level, the container below the map: its header, items and blocks as JSON. Works on any datafile.
 */
#include "json.h"

/* A part of the list: [first, first + num). */
typedef struct raw_range {
    uint32_t first, num;
} raw_range;

json_t *json_raw_header(const tm_datafile *file);
json_t *json_raw_types(const tm_datafile *file);
json_t *json_raw_item(const tm_datafile *file, uint32_t index);
json_t *json_raw_data(const tm_datafile *file, uint32_t index);

typedef struct cli_selection {
    bool all;           /* every object of the kind, not just one */
    tm_address address; /* the kind; with `all` nothing else of it counts */
} cli_selection;

/* Whether the address is of the raw level (item, data), which needs no map. */
bool address_is_raw(const char *word);
/* `map` may be NULL for an address of the raw level. */
tm_status address_select(cli_selection *out, const char *word, const tm_map *map, tm_error *error);
/* Checks that the item or block exists. */
tm_status address_bound_raw(const cli_selection *selection, const tm_datafile *file, tm_error *error);

#endif
