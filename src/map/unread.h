/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_UNREAD_H
#define TMI_MAP_UNREAD_H
/*
 * Values of a file that could not be read: the block that holds such a value stands in for it.
 */
#include <teemap/fields.h>

#include "../base/base.h"

/* Where an object keeps the block of a field that could not be read; NULL: the field can always be read. */
static inline tm_block **tmi_unread_slot(const tm_field *field, void *object)
{
    return field && object && field->unread ? (tm_block **)(void *)((char *)object + field->unread) : NULL;
}
enum { TMI_MAX_UNREAD = 5 };
/* Where an object (also the info) keeps the blocks of values that could not be read; see tm_field_unread. */
uint32_t tmi_unread_slots(tm_kind owner, void *object, tm_block **slots[TMI_MAX_UNREAD]);
bool tmi_any_unread(tm_kind owner, const void *object);
/* Copies the unread values of `original` to `out`, whose own are not looked at. */
tm_status tmi_unread_copy(tm_map *map, tm_kind owner, void *out, const tm_map *source_map,
                          const void *original, tm_error *error);
/* Gives an object of the map, which has none, a copy of the block of another one's value. */
tm_status tmi_unread_put(tm_map *map, void *object, const void *original, const tm_field *field,
                         tm_error *error);
/*
 * Whether two objects both have the value, or could both not read it and it is known to have the same bytes.
 * False may mean anything. Values that were read are not looked at.
 */
bool tmi_unread_same(const tm_field *field, const void *a, const void *b);
/* Whether at least one of two objects could not read the value. */
bool tmi_unread_either(const tm_field *field, const void *a, const void *b);
/* TM_ERROR_UNSUPPORTED, with the field's name, if the value could not be read: nothing may be put over it. */
tm_status tmi_unread_refuse(const tm_field *field, const void *object, tm_error *error);
tm_status tmi_unread_refuse_settings(const tm_map *map, tm_error *error);

#endif
