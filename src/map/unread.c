/* SPDX-License-Identifier: Zlib */
/*
 * Values that the file has and that could not be read, because they are too long or in a broken block. Each
 * is a block of the file at the object, in the member that the field's row names, and rides along with it:
 * into clones, copies and other maps, and back into a file as it is. It is neither the value nor its absence,
 * so it equals nothing but the same bytes, and nothing may be put over it.
 */
#include "internal.h"

/* Where an object keeps the block of a field that could not be read; NULL: the field can always be read. */
static tm_block **unread_slot(const tm_field *field, void *object)
{
    return field && object && field->unread ? (tm_block **)(void *)((char *)object + field->unread) : NULL;
}

const tm_block *tm_field_unread(const tm_field *field, const void *object)
{
    tm_block *const *slot = unread_slot(field, TMI_UNCONST(void, object));
    return slot ? *slot : NULL;
}

uint32_t tmi_unread_slots(tm_owner owner, void *object, tm_block **slots[TMI_MAX_UNREAD])
{
    uint32_t num = 0;
    for (size_t i = 0; i < tmi_owners[owner].num; i++) {
        const tm_field *field = &tmi_owners[owner].fields[i];
        if (!field->unread || field->type == TM_TYPE_COUNT) /* it is that of the list */
            continue;
        TMI_ASSERT(num < TMI_MAX_UNREAD);
        slots[num++] = unread_slot(field, object);
    }
    return num;
}

bool tmi_any_unread(tm_owner owner, const void *object)
{
    tm_block **slots[TMI_MAX_UNREAD];
    bool any = false;
    for (uint32_t i = tmi_unread_slots(owner, TMI_UNCONST(void, object), slots); i > 0; i--)
        any = any || *slots[i - 1];
    return any;
}

void tmi_unread_release(tm_map *map, tm_owner owner, void *object)
{
    tm_block **slots[TMI_MAX_UNREAD];
    for (uint32_t i = tmi_unread_slots(owner, object, slots); i > 0; i--)
        tmi_block_put(map, slots[i - 1], NULL);
}

tm_status tmi_unread_copy(tm_map *map, tm_owner owner, void *out, const tm_map *from, const void *in,
                          tm_error *error)
{
    tm_block **to[TMI_MAX_UNREAD], **source[TMI_MAX_UNREAD];
    const uint32_t num = tmi_unread_slots(owner, out, to);
    tmi_unread_slots(owner, TMI_UNCONST(void, in), source);
    for (uint32_t i = 0; i < num; i++)
        *to[i] = NULL;
    for (uint32_t i = 0; i < num; i++) {
        const tm_status status = tmi_block_copy(to[i], map, *source[i], from, error);
        if (status == TM_OK)
            continue;
        tmi_unread_release(map, owner, out);
        return status;
    }
    return TM_OK;
}

tm_status tmi_unread_put(tm_map *map, void *object, const void *from, const tm_field *field, tm_error *error)
{
    return tmi_block_put_copy(map, unread_slot(field, object), tm_field_unread(field, from), error);
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
    tm_block **slot = unread_slot(field, object);
    if (slot)
        tmi_block_put(map, slot, NULL);
    return TM_OK;
}
