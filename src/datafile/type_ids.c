/* SPDX-License-Identifier: Zlib */
/*
 * datafile/type_ids.c - numbers for UUID types (section 1.12) and the order of items in the file (section
 * 1.7). A UUID that an index item names has that number; others get the highest free ones from 0xFFFE
 * downwards, in the order in which they were first used, as DDNet does, but around all numbers that plain
 * items or index items already use. Where a source's layout is not kept, items of one type get ids of their
 * own.
 */
#include "writer.h"

enum { UUID_SIZE = 16, HIGHEST = 0xFFFE, LOWEST = 0x8001 };

typedef struct used_numbers {
    uint32_t bits[0x10000 / 32];
} used_numbers;

static void mark(used_numbers *used, uint16_t number)
{
    used->bits[number / 32] |= (uint32_t)1 << (number % 32);
}

static bool is_used(const used_numbers *used, uint32_t number)
{
    return (used->bits[number / 32] >> (number % 32) & 1) != 0;
}

static void mark_items(const tm_datafile_writer *writer, used_numbers *used)
{
    for (size_t i = 0; i < writer->num_items; i++) {
        const tmi_new_item *item = &writer->items[i];
        if (item->uuid != 0)
            continue;
        mark(used, item->type);
        if (item->type == TM_TYPE_UUID_INDEX)
            mark(used, item->id);
    }
}

/* The number that the first index item with this UUID gives it. */
static bool find_number(const tm_datafile_writer *writer, const tm_uuid *uuid, uint16_t *number)
{
    for (size_t i = 0; i < writer->num_items; i++) {
        const tmi_new_item *item = &writer->items[i];
        if (item->uuid != 0 || item->type != TM_TYPE_UUID_INDEX)
            continue;
        tm_datafile_item index = {.size = item->size, .body = item->body};
        tm_uuid named;
        if (tmi_index_uuid(&index, &named) && memcmp(&named, uuid, sizeof(named)) == 0) {
            *number = item->id;
            return true;
        }
    }
    return false;
}

static tm_status add_index_item(tm_datafile_writer *writer, const tmi_new_uuid *uuid, tm_error *error)
{
    uint8_t body[UUID_SIZE];
    tmi_turn_uuid(body, uuid->uuid.bytes);
    const tmi_new_item item = {body, UUID_SIZE, 0, TM_NONE, TM_TYPE_UUID_INDEX, uuid->number};
    return tmi_writer_append(writer, &item, error);
}

static tm_status number_uuids(tm_datafile_writer *writer, tm_error *error)
{
    used_numbers used = {{0}};
    uint32_t next = HIGHEST;
    mark_items(writer, &used);
    for (size_t i = 0; i < writer->num_uuids; i++) {
        tmi_new_uuid *uuid = &writer->uuids[i];
        if (find_number(writer, &uuid->uuid, &uuid->number))
            continue;
        while (next >= LOWEST && is_used(&used, next))
            next--;
        if (next < LOWEST)
            return tmi_fail(error, TM_ERROR_LIMIT, -1,
                            "too many UUID item types: no 16-bit number is free for another one");
        uuid->number = (uint16_t)next--;
        TM_TRY(add_index_item(writer, uuid, error));
    }
    for (size_t i = 0; i < writer->num_items; i++)
        if (writer->items[i].uuid != 0)
            writer->items[i].type = writer->uuids[writer->items[i].uuid - 1].number;
    return TM_OK;
}

/* DDNet refuses two items with the same type and id. Lookups find the first, so later ones get free ids. */
static void number_items(tm_datafile_writer *writer)
{
    for (size_t first = 0, end; first < writer->num_items; first = end) {
        used_numbers used = {{0}}, seen = {{0}};
        uint32_t next = 0;
        const uint16_t type = tmi_item_in_order(writer, first)->type;
        for (end = first; end < writer->num_items && tmi_item_in_order(writer, end)->type == type; end++)
            mark(&used, tmi_item_in_order(writer, end)->id);
        for (size_t i = first; i < end && type != TM_TYPE_UUID_INDEX; i++) {
            tmi_new_item *item = &writer->items[(uint32_t)writer->order[i]];
            while (next < 0xFFFF && is_used(&used, next))
                next++;
            if (is_used(&seen, item->id)) {
                item->id = (uint16_t)next;
                mark(&used, item->id);
            }
            mark(&seen, item->id);
        }
    }
}

tm_status tmi_number_types(tm_datafile_writer *writer, tm_error *error)
{
    if (writer->num_uuids > 0)
        TM_TRY(number_uuids(writer, error));
    TM_TRY(tmi_reserve(&writer->order, writer->allocator, writer->num_items, sizeof(*writer->order),
                       "the order of items", error));
    writer->order_size = writer->num_items;
    for (size_t i = 0; i < writer->num_items; i++)
        writer->order[i] = (uint64_t)writer->items[i].type << 32 | i;
    tmi_sort_u64(writer->order, writer->num_items);
    if (writer->options.force_canonical)
        number_items(writer);
    return TM_OK;
}
