/* SPDX-License-Identifier: Zlib */
/*
 * datafile/bridge_items.c - a head in mode salvage for a file in which bytes are missing or inserted among
 * the items (section 1.14), while its header and tables are right. Each item that is found is where its
 * offset says, moved by what is missing or inserted in front of it; one that is not found is left without its
 * body, and what is behind it is looked for again.
 */
#include "layout.h"

enum {
    REACH = 2048,   /* bytes that may be missing or inserted in one place */
    MAX_BREAKS = 64 /* places where they are */
};

typedef struct bridge {
    const tmi_item_layout *plan; /* what the header says */
    const uint8_t *bytes;
    uint64_t file_size;
    int64_t whole; /* how much longer the file is than its header says */
} bridge;

static uint64_t offset_of(const bridge *b, uint32_t index)
{
    return index < b->plan->num_items ? tmi_get_u32(b->bytes + b->plan->item_offsets_at + (size_t)index * 4)
                                      : b->plan->item_size;
}

/* Whether item `index` of a type is where its offset says, moved by `shift`; its id is `id`, if not -1. */
static bool is_there(const bridge *b, uint32_t type, uint32_t index, int64_t id, int64_t shift)
{
    const uint64_t offset = offset_of(b, index), size = offset_of(b, index + 1) - offset - TMI_ITEM_HEAD;
    const int64_t at = (int64_t)(b->plan->items_at + offset) + shift;
    if (at < TMI_FIXED_HEAD || (uint64_t)at + TMI_ITEM_HEAD + size > b->file_size)
        return false;
    const uint32_t word = tmi_get_u32(b->bytes + at);
    return word >> 16 == type && (id < 0 || (word & 0xFFFF) == (uint64_t)id) &&
           tmi_get_u32(b->bytes + at + 4) == size;
}

/* Whether the data, moved by `shift`, begin as the table of blocks says. */
static bool data_is_there(const bridge *b, int64_t shift)
{
    enum { LOOK_AT = 4 };
    const tmi_item_layout *plan = b->plan;
    for (uint32_t i = 0; plan->version == 4 && i < plan->num_data && i < LOOK_AT; i++) {
        const uint64_t row = tmi_get_u32(b->bytes + plan->data_offsets_at + (size_t)i * 4);
        const int64_t at = (int64_t)(plan->data_at + row) + shift;
        if (row >= plan->data_size || at < 0 || (uint64_t)at + 2 > b->file_size ||
            !tmi_is_zlib_head(b->bytes + at))
            return false;
    }
    return plan->version == 4 && plan->num_data > 0 ? (int64_t)plan->data_at + shift <= (int64_t)b->file_size
                                                    : shift == b->whole;
}

/*
 * The shift with which an item is there that was not found; nearer ones first, but what the file lacks
 * before.
 */
static bool find_shift(int64_t *shift, const bridge *b, uint32_t type, uint32_t index, int64_t id)
{
    const int64_t last = *shift;
    if (is_there(b, type, index, id, b->whole)) {
        *shift = b->whole;
        return true;
    }
    for (int64_t k = 1; k <= REACH; k++)
        for (int64_t sign = -1; sign <= 1; sign += 2)
            if (is_there(b, type, index, id, last + sign * k)) {
                *shift = last + sign * k;
                return true;
            }
    return false;
}

/* Whether the sums of the header are those of its counts, in one of their two forms (section 1.2). */
static bool sums_hold(const bridge *b)
{
    const tmi_item_layout *plan = b->plan;
    const tmi_head_claims claims = tmi_read_claims(b->bytes);
    const int64_t sizes = plan->version == 4 ? 4 * (int64_t)plan->num_data : 0;
    const int64_t swaplen = (int64_t)plan->data_at - TMI_UNCOUNTED, size = swaplen + (int64_t)plan->data_size;
    return (claims.swaplen == swaplen && claims.size == size) ||
           (claims.swaplen == swaplen - sizes && claims.size == size - sizes);
}

/* Whether types and item offsets are as every writer makes them, so that they can be believed. */
static bool tables_hold(const bridge *b)
{
    uint64_t counted = 0, last = 0;
    for (uint32_t t = 0; t < b->plan->num_types; t++) {
        const uint8_t *row = b->bytes + b->plan->types_at + (size_t)t * TMI_TYPE_ENTRY;
        const uint32_t num = tmi_get_u32(row + 8);
        if (tmi_get_u32(row) > 0xFFFF || tmi_get_u32(row + 4) != counted || num == 0 ||
            num > b->plan->num_items - counted)
            return false;
        counted += num;
    }
    for (uint32_t i = 0; i < b->plan->num_items; i++) {
        const uint64_t offset = offset_of(b, i), next = offset_of(b, i + 1);
        if ((i == 0 && offset != 0) || offset < last || next > b->plan->item_size ||
            next < offset + TMI_ITEM_HEAD)
            return false;
        last = offset;
    }
    return counted == b->plan->num_items && b->plan->num_items > 0;
}

/* Where an item that is there lies in the file; LOST else. */
#define LOST UINT64_MAX

/* Finds all items; false if what is left contradicts the tables, too. */
static bool find_items(uint64_t *places, uint32_t *num_lost, int64_t *shift, const bridge *b)
{
    const uint8_t *row = b->bytes + b->plan->types_at;
    uint32_t breaks = 0, i = 0;
    *num_lost = 0;
    *shift = 0;
    for (uint32_t t = 0; t < b->plan->num_types; t++, row += TMI_TYPE_ENTRY) {
        const uint32_t type = tmi_get_u32(row), first = i;
        /*
         * items of most types have the ids 0, 1, 2 ...; in a run that begins so, this is part of their look
         */
        const bool counts = type != TM_TYPE_UUID_INDEX;
        for (const uint32_t end = i + tmi_get_u32(row + 8); i < end; i++) {
            const int64_t id = counts ? (int64_t)((i - first) & 0xFFFF) : -1;
            bool found = is_there(b, type, i, id, *shift) || is_there(b, type, i, -1, *shift);
            if (!found && breaks < MAX_BREAKS) {
                breaks++;
                found = find_shift(shift, b, type, i, id);
            }
            places[i] = found ? (uint64_t)((int64_t)(b->plan->items_at + offset_of(b, i)) + *shift) : LOST;
            *num_lost += !found;
        }
    }
    /* an item in which bytes are missing begins where it should, but does not end there */
    for (i = 0; i < b->plan->num_items; i++) {
        uint64_t next = (uint64_t)((int64_t)b->plan->data_at + *shift);
        for (uint32_t k = i + 1; k < b->plan->num_items; k++)
            if (places[k] != LOST) {
                next = k == i + 1 ? places[k] : LOST;
                break;
            }
        if (places[i] != LOST && next != LOST &&
            next != places[i] + (offset_of(b, i + 1) - offset_of(b, i))) {
            places[i] = LOST;
            ++*num_lost;
        }
    }
    /* if all of them are moved, it is the tables that are not as the header says */
    return *num_lost < b->plan->num_items && (places[0] == LOST || places[0] == b->plan->items_at);
}

/* The header, the tables and the items that are there. */
static void put_head(uint8_t *head, const tmi_item_layout *plan, const bridge *b, const uint64_t *places)
{
    const tmi_item_layout *old = b->plan;
    const uint8_t *type_row = b->bytes + old->types_at;
    uint32_t at = 0, in_type = 0;
    memcpy(head, b->bytes, (size_t)plan->items_at);
    if (!tmi_is_magic(head))
        memcpy(head, "DATA", 4);
    tmi_put_u32(head + TMI_AT_SIZE, (uint32_t)(plan->data_at + plan->data_size - TMI_UNCOUNTED));
    tmi_put_u32(head + TMI_AT_SWAPLEN, (uint32_t)(plan->data_at - TMI_UNCOUNTED));
    tmi_put_u32(head + TMI_AT_ITEM_SIZE, plan->item_size);
    for (uint32_t i = 0; i < plan->num_items; i++, in_type++) {
        const uint32_t size = (uint32_t)(offset_of(b, i + 1) - offset_of(b, i));
        if (in_type == tmi_get_u32(type_row + 8)) {
            in_type = 0;
            type_row += TMI_TYPE_ENTRY;
        }
        uint8_t *item = head + plan->items_at + at;
        tmi_put_u32(head + plan->item_offsets_at + (size_t)i * 4, at);
        if (places[i] != LOST) {
            memcpy(item, b->bytes + places[i], size);
            at += size;
        } else {
            tmi_put_u32(item, tmi_get_u32(type_row) << 16 | (in_type & 0xFFFF));
            tmi_put_u32(item + 4, size - TMI_ITEM_HEAD);
            at += TMI_ITEM_HEAD;
        }
    }
}

static tm_status make_head(tm_datafile *datafile, const bridge *b, const uint64_t *places, int64_t shift,
                           tmi_report *report, tm_error *error)
{
    tmi_item_layout plan = *b->plan;
    uint8_t *head;
    for (uint32_t i = 0; i < plan.num_items; i++) {
        if (places[i] != LOST)
            continue;
        plan.item_size -= (uint32_t)(offset_of(b, i + 1) - offset_of(b, i) - TMI_ITEM_HEAD);
        tmi_report_at(report, TM_FINDING_LAYOUT_REBUILT, b->plan->item_offsets_at + (uint64_t)i * 4, "item",
                      i, "bytes are missing or inserted in the item, so it cannot be read");
    }
    tmi_item_layout_place(&plan);
    TM_TRY(tmi_arena_reserve(&head, &datafile->arena, (size_t)plan.data_at, 1, "a new head", error));
    put_head(head, &plan, b, places);
    datafile->head = datafile->rebuilt_head = head;
    datafile->shift = (int64_t)b->plan->data_at + shift - (int64_t)plan.data_at;
    return TM_OK;
}

tm_status tmi_bridge_items(tm_datafile *datafile, const uint8_t *bytes, tmi_report *report, tm_error *error)
{
    const uint64_t file_size = datafile->input.size;
    tmi_item_layout plan;
    if (!tmi_claimed_layout(&plan, bytes) || plan.num_items > datafile->limits.items ||
        plan.item_size > datafile->limits.item_bytes || plan.items_at > file_size ||
        plan.num_data > datafile->limits.blocks)
        return TM_OK;
    const bridge b = {&plan, bytes, file_size, (int64_t)file_size - (int64_t)(plan.data_at + plan.data_size)};
    if (!sums_hold(&b) || !tables_hold(&b))
        return TM_OK;
    uint64_t *places;
    uint32_t num_lost;
    int64_t shift;
    TM_TRY(tmi_reserve(&places, datafile->allocator, plan.num_items, sizeof(*places), "the places of items",
                       error));
    tm_status status = TM_OK;
    if (find_items(places, &num_lost, &shift, &b)) {
        const bool is_near = b.whole >= -REACH && b.whole <= REACH && plan.version == 4 && plan.num_data > 0;
        if (is_near && !data_is_there(&b, shift) && data_is_there(&b, b.whole)) { /* in the last item */
            shift = b.whole;
            if (places[plan.num_items - 1] != LOST) {
                places[plan.num_items - 1] = LOST;
                num_lost++;
            }
        }
        if (num_lost > 0 && shift != 0 && data_is_there(&b, shift))
            status = make_head(datafile, &b, places, shift, report, error);
    }
    tmi_free(datafile->allocator, places, plan.num_items, sizeof(*places));
    return status;
}
