/* SPDX-License-Identifier: Zlib */
/*
 * Values that the file has and that could not be read, because they are too long or in a broken block. Each
 * is a block of the file at the object, in the member that the field's row names, and rides along with it:
 * into clones, copies and other maps, and back into a file as it is. It is neither the value nor its absence,
 * so it equals nothing but the same bytes, and nothing may be put over it.
 */
#include "internal.h"

const tm_block *tm_field_unread(const tm_field *field, const void *object)
{
    tm_block *const *slot = tmi_unread_slot(field, TMI_UNCONST(void, object));
    return slot ? *slot : NULL;
}

tm_status tmi_unread_put(tm_map *map, void *object, const void *original, const tm_field *field,
                         tm_error *error)
{
    return tmi_block_put_copy(map, tmi_unread_slot(field, object), tm_field_unread(field, original), error);
}

bool tmi_unread_same(const tm_field *field, const void *a, const void *b)
{
    const tm_block *left = tm_field_unread(field, a), *right = tm_field_unread(field, b);
    return left == right || tmi_block_same_packed(left, right);
}

bool tmi_unread_either(const tm_field *field, const void *a, const void *b)
{
    return tm_field_unread(field, a) || tm_field_unread(field, b);
}

static tm_status refuse(const tm_block *block, const char *name, const char *pronoun, tm_error *error)
{
    if (!block)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                    "the %s could not be read (data block %lu, %llu bytes), so %s cannot be changed", name,
                    (unsigned long)block->data_index, (unsigned long long)block->size, pronoun);
}

tm_status tmi_unread_refuse(const tm_field *field, const void *object, tm_error *error)
{
    const tm_block *block = tm_field_unread(field, object);
    return field && field->type != TM_TYPE_TEXT ? refuse(block, "settings", "they", error)
                                                : refuse(block, field ? field->name : "", "it", error);
}

tm_status tmi_unread_refuse_settings(const tm_map *map, tm_error *error)
{
    return refuse(map->info.unread_settings, "settings", "they", error);
}

tm_status tm_field_drop_unread(tm_map *map, void *object, const tm_field *field, tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(object, "object", error));
    TM_TRY(tmi_need(field, "field", error));
    tm_block **slot = tmi_unread_slot(field, object);
    if (slot)
        tmi_block_put(map, slot, NULL);
    return TM_OK;
}
