/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_LOOKUP_H
#define TMI_MAP_LOOKUP_H
/*
 * Objects by their addresses and names.
 */
#include <teemap/fields.h>

#include "../base/base.h"

/* Whether the map has an array of the kind: of images, sounds, envelopes, groups. */
static inline bool tmi_in_map_array(tm_kind kind)
{
    return kind >= TM_KIND_IMAGE && kind <= TM_KIND_GROUP;
}
uint32_t tmi_num_objects(const tm_map *map, tm_kind kind);
/* The object that an address leads to, and whose fields it has; NULL if there is none. */
const void *tmi_map_object(const tm_map *map, const tm_address *address, tm_kind *owner);
void *tmi_map_object_edit(tm_map *map, const tm_address *address, tm_kind *owner);
/* NULL if there is no such object or it has none. */
const char *tmi_object_name(const tm_map *map, const tm_address *address);
/* An object of a kind other than number `but` that has a name; UINT32_MAX: none. NULL is as "". */
uint32_t tmi_find_named(const tm_map *map, tm_kind kind, const char *name, uint32_t but);
/* Walks over images, sounds, envelopes, groups and layers; begins behind {TM_KIND_MAP}. */
bool tmi_next_object(const tm_map *map, tm_address *address);
/* Whether an address is the path of a group or a layer: no word such as "image" stands in front. */
bool tmi_address_is_path(const char *text);

#endif
