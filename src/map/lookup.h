/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_LOOKUP_H
#define TMI_MAP_LOOKUP_H
/*
 * Objects by their addresses and names.
 */
#include <teemap/fields.h>

#include "../base/base.h"

/* Addresses of images, sounds, envelopes, groups stand in the order of tm_object; false for others. */
static inline tm_address_kind tmi_address_kind_of(tm_object object)
{
    return (tm_address_kind)((unsigned)TM_ADDRESS_IMAGE + (unsigned)object);
}
static inline bool tmi_object_of(tm_object *out, tm_address_kind kind)
{
    *out = TM_OBJECT_IMAGE;
    if (kind < TM_ADDRESS_IMAGE || kind > TM_ADDRESS_GROUP)
        return false;
    *out = kind - TM_ADDRESS_IMAGE;
    return true;
}
uint32_t tmi_num_objects(const tm_map *map, tm_object object);
/* The object that an address leads to, and whose fields it has; NULL if there is none. */
const void *tmi_map_object(const tm_map *map, const tm_address *address, tm_owner *owner);
void *tmi_map_object_edit(tm_map *map, const tm_address *address, tm_owner *owner);
/* NULL if there is no such object or it has none. */
const char *tmi_object_name(const tm_map *map, const tm_address *address);
/* An object of a kind other than number `but` that has a name; UINT32_MAX: none. NULL is as "". */
uint32_t tmi_find_named(const tm_map *map, tm_address_kind kind, const char *name, uint32_t but);
/* Walks over images, sounds, envelopes, groups and layers; begins behind {TM_ADDRESS_MAP}. */
bool tmi_next_object(const tm_map *map, tm_address *address);
/* "image", "group", ...; "map" for the whole. */
const char *tmi_address_word(tm_address_kind kind);
/* Whether an address is the path of a group or a layer: no word such as "image" stands in front. */
bool tmi_address_is_path(const char *text);

#endif
