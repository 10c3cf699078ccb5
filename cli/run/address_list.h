/* SPDX-License-Identifier: Zlib */
#ifndef CLI_ADDRESS_LIST_H
#define CLI_ADDRESS_LIST_H
/*
 * address_list.h - what an ADDRESS operand means, the lists (image, item, ...) and the raw level included.
 */
#include "output/text_buffer.h"

typedef struct selection {
    bool all;           /* every object of the kind, not just one */
    tm_address address; /* the kind; with `all` nothing else of it counts */
} selection;

/* Whether the address is of the raw level (item, data), which needs no map. */
bool address_is_raw(const char *word);
/* `map` may be NULL for an address of the raw level. */
tm_status address_select(selection *out, const char *word, const tm_map *map, tm_error *error);
/* Checks that the item or block exists. */
tm_status address_bound_raw(const selection *what, const tm_datafile *file, tm_error *error);

#endif
