/* SPDX-License-Identifier: Zlib */
/*
 * datafile/write_head.c - the head of a file from what was added, in the layout of section 1.7: numbers for
 * UUID types, items in the order of their types and one behind the other, then either the source's table of
 * data as it stands or a new one. Of an old header the magic and the crude forms of size and swaplen stay.
 * All sums are 64 bits wide until they are known to fit the format.
 */
#include "writer.h"

/* ------------------------------------------------------------------------------------ numbers and order */

/*
 * A UUID that an index item names has that number (section 1.12); others get the highest free ones from
 * 0xFFFE downwards, in the order in which they were first used, as DDNet does, but around all numbers that
 * plain items or index items already use. Where a source's layout is not kept, items of one type get ids of
 * their own.
 */
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

static tm_status number_uuids(tm_datafile_writer *writer, tm_error *error)
{
    used_numbers used = {{0}};
    uint32_t next = HIGHEST;
    for (size_t i = 0; i < writer->num_items; i++) {
        const tmi_new_item *item = &writer->items[i];
        if (item->uuid != 0)
            continue;
        mark(&used, item->type);
        if (item->type == TM_TYPE_UUID_INDEX)
            mark(&used, item->id);
    }
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
        uint8_t body[UUID_SIZE];
        tmi_turn_uuid(body, uuid->uuid.bytes);
        const tmi_new_item item = {body, UUID_SIZE, 0, TM_NONE, TM_TYPE_UUID_INDEX, uuid->number};
        TM_TRY(tmi_writer_append(writer, &item, error));
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

/* ----------------------------------------------------------------------------------------------- the head */

/*
 * Whole integers only: a body that was cut midway ends with the last one that is all there. Filled up it
 * would end with one that the file never had, and readers would take it for a field.
 */
static uint32_t whole_ints(uint32_t size)
{
    return size & ~(uint32_t)3;
}

/* The numbers of the new header, if they fit it. */
static tm_status plan_head(const tm_datafile_writer *writer, bool keep_data, tmi_item_layout *plan,
                           tm_error *error)
{
    uint64_t item_size = 0, data_size = keep_data ? writer->options.source->plan.data_size : 0;
    for (size_t i = 0; i < writer->num_items; i++)
        item_size += TMI_ITEM_HEAD + (uint64_t)whole_ints(writer->items[i].size);
    for (size_t i = 0; !keep_data && i < writer->num_blocks; i++)
        data_size += writer->blocks[i].packed_size;
    memset(plan, 0, sizeof(*plan));
    if (item_size > INT32_MAX || data_size > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "the file would be too large for the format: %llu bytes of items, %llu of data",
                        (unsigned long long)item_size, (unsigned long long)data_size);
    plan->version = writer->version;
    for (size_t i = 0; i < writer->num_items; i++)
        plan->num_types += i == 0 || writer->order[i] >> 32 != writer->order[i - 1] >> 32;
    plan->num_items = (uint32_t)writer->num_items;
    plan->num_data = (uint32_t)writer->num_blocks;
    plan->item_size = (uint32_t)item_size;
    plan->data_size = (uint32_t)data_size;
    tmi_item_layout_place(plan);
    if (plan->data_at + plan->data_size - TMI_UNCOUNTED > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the file would be too large for the format: %llu bytes",
                        (unsigned long long)(plan->data_at + plan->data_size));
    const uint64_t limit = writer->options.file_bytes;
    if (limit && plan->data_at + plan->data_size > limit)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "the file would be too large: %llu bytes, and the limit is %llu",
                        (unsigned long long)(plan->data_at + plan->data_size), (unsigned long long)limit);
    return TM_OK;
}

static void put_header(const tm_datafile_writer *writer, const tmi_item_layout *plan, uint8_t *head)
{
    const tm_datafile *source = writer->options.source;
    bool reversed = !source && writer->options.reversed_magic;
    uint32_t crude = 0;
    uint32_t crude_swaplen = 0;
    if (source && !writer->options.force_canonical && plan->version == 4) {
        crude = source->header.crude_size ? 4 * plan->num_data : 0;
        crude_swaplen = source->header.crude_swaplen ? 4 * plan->num_data : 0;
    }
    memcpy(head, source ? source->header.magic : reversed ? "ATAD" : "DATA", 4);
    tmi_put_u32(head + TMI_AT_VERSION, plan->version);
    tmi_put_u32(head + TMI_AT_SIZE, (uint32_t)(plan->data_at + plan->data_size) - TMI_UNCOUNTED - crude);
    tmi_put_u32(head + TMI_AT_SWAPLEN, (uint32_t)plan->data_at - TMI_UNCOUNTED - crude_swaplen);
    tmi_put_u32(head + TMI_AT_NUM_TYPES, plan->num_types);
    tmi_put_u32(head + TMI_AT_NUM_ITEMS, plan->num_items);
    tmi_put_u32(head + TMI_AT_NUM_DATA, plan->num_data);
    tmi_put_u32(head + TMI_AT_ITEM_SIZE, plan->item_size);
    tmi_put_u32(head + TMI_AT_DATA_SIZE, plan->data_size);
}

/* The type table and the items. */
static void put_items(const tm_datafile_writer *writer, const tmi_item_layout *plan, uint8_t *head)
{
    uint8_t *entry = head + plan->types_at;
    uint8_t *offsets = head + plan->item_offsets_at;
    uint8_t *items = head + plan->items_at;
    uint32_t at = 0, first = 0;
    for (uint32_t i = 0; i < writer->num_items; i++) {
        const tmi_new_item *item = tmi_item_in_order(writer, i);
        uint32_t size = whole_ints(item->size);
        if (item->type != tmi_item_in_order(writer, first)->type) {
            entry += TMI_TYPE_ENTRY;
            first = i;
        }
        tmi_put_u32(entry, item->type);
        tmi_put_u32(entry + 4, first);
        tmi_put_u32(entry + 8, i - first + 1);
        tmi_put_u32(offsets + (size_t)4 * i, at);
        tmi_put_u32(items + at, (uint32_t)item->type << 16 | item->id);
        tmi_put_u32(items + at + 4, size);
        at += TMI_ITEM_HEAD;
        if (size > 0)
            memcpy(items + at, item->body, size);
        at += size;
    }
}

tm_status tmi_new_head(const tm_datafile_writer *writer, bool keep_data, uint8_t **head, size_t *size,
                       tm_error *error)
{
    tmi_item_layout plan;
    TM_TRY(plan_head(writer, keep_data, &plan, error));
    *size = (size_t)plan.data_at;
    TM_TRY(tmi_reserve(head, writer->allocator, *size, 1, "the head of the file", error));
    put_header(writer, &plan, *head);
    put_items(writer, &plan, *head);
    if (keep_data)
        memcpy(*head + plan.data_offsets_at,
               writer->options.source->head + writer->options.source->plan.data_offsets_at,
               (size_t)(plan.items_at - plan.data_offsets_at));
    uint64_t at = 0;
    for (size_t i = 0; !keep_data && i < writer->num_blocks; i++) {
        const tmi_pending_data *block = &writer->blocks[i];
        tmi_put_u32(*head + plan.data_offsets_at + 4 * i, (uint32_t)at);
        at += block->packed_size;
        if (plan.version != 4)
            continue;
        if (block->kind == TMI_BLOCK_AGAIN)
            block = &writer->blocks[block->source_index];
        /* bytes that stay packed keep what their file announces of them, be it true or not */
        const bool stays = tmi_stays_packed(writer, block);
        tmi_put_u32(*head + plan.data_sizes_at + 4 * i,
                    (uint32_t)(stays ? tmi_source_block(block).announced : block->size));
    }
    return TM_OK;
}
