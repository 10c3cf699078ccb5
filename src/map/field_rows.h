/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_FIELD_ROWS_H
#define TMI_MAP_FIELD_ROWS_H
/*
 * The table of fields for the files of map/: who owns which rows, and what they all do by it.
 */
#include "internal.h"

typedef struct tmi_owner {
    const char *name;
    size_t size;            /* of the struct */
    const tm_field *fields; /* lists and blocks are last */
    size_t num;
} tmi_owner;
extern const tmi_owner tmi_owners[TM_OWNER_COUNT];

typedef struct tmi_layer_owners {
    tm_owner layer, elements;
} tmi_layer_owners;
extern const tmi_layer_owners tmi_owners_of_layer[TM_LAYER_KINDS];

/* Gives all plain fields of an object their first values, on zeroed memory. */
void tmi_fields_init(tm_owner owner, void *object);
/* The array of a list. */
const char *tmi_list_items(const tm_field *list, const void *object);
/* Makes the address of what holds a list that of the list's `index`-th object. */
void tmi_address_enter(tm_address *address, tm_owner owner, uint32_t index);

#endif
