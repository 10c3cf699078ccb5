/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_FIELD_ROWS_H
#define TMI_MAP_FIELD_ROWS_H
/*
 * The table of fields for the files of map/: who owns which rows.
 */
#include "internal.h"

#include <teemap/fields.h>

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

#endif
