/* SPDX-License-Identifier: Zlib */
/*
 * datafile/fast_check.c - a fast check whether the tables have the layout of all known writers (section 1.7):
 * one pass over types, items and blocks that only returns yes or no. Almost every file passes; for others,
 * item_tables.c and data_table.c check again and report details.
 */
#include "datafile.h"

/* The items of one type; `at` is where its first item must lie and moves to where the next must. */
static bool verify_type_items(const tm_datafile *datafile, const tmi_range *run, uint32_t *at,
                              bool *ids_ascend)
{
    const uint8_t *offsets = datafile->head + datafile->plan.item_offsets_at + (size_t)run->first * 4;
    const uint8_t *items = datafile->head + datafile->plan.items_at;
    uint32_t end = datafile->plan.item_size;
    uint32_t pos = *at;
    int32_t last_id = -1;
    for (uint32_t i = 0; i < run->num; i++) {
        if (tmi_get_u32(offsets + (size_t)i * 4) != pos || end - pos < TMI_ITEM_HEAD)
            return false;
        uint32_t word = tmi_get_u32(items + pos);
        uint32_t size = tmi_get_u32(items + pos + 4);
        if (word >> 16 != run->type || size % 4 != 0 || size > end - pos - TMI_ITEM_HEAD)
            return false;
        int32_t id = (int32_t)(word & 0xFFFF);
        if (id <= last_id && run->type != TM_TYPE_UUID_INDEX)
            *ids_ascend = false;
        last_id = id;
        pos += TMI_ITEM_HEAD + size;
    }
    *at = pos;
    return true;
}

/* Types ascend, follow one another without holes and cover all items. */
static bool verify_items(const tm_datafile *datafile, bool *ids_ascend)
{
    const uint8_t *entry = datafile->head + datafile->plan.types_at;
    int32_t last_type = -1;
    uint32_t first = 0;
    uint32_t at = 0;
    for (uint32_t t = 0; t < datafile->num_types; t++, entry += TMI_TYPE_ENTRY) {
        int32_t type = tmi_get_i32(entry);
        tmi_range run = {(uint16_t)type, tmi_get_u32(entry + 4), tmi_get_u32(entry + 8)};
        if (type <= last_type || type > 0xFFFF || run.first != first || run.num == 0 ||
            run.num > datafile->num_items - first)
            return false;
        if (!verify_type_items(datafile, &run, &at, ids_ascend))
            return false;
        last_type = type;
        first += run.num;
    }
    return first == datafile->num_items && at == datafile->plan.item_size;
}

/* Offsets start at 0, never decrease and stay inside; *fine: they increase, and no size is negative. */
static bool verify_data(const tm_datafile *datafile, bool *fine)
{
    const uint8_t *offsets = datafile->head + datafile->plan.data_offsets_at;
    const uint8_t *sizes =
        datafile->plan.version == 4 ? datafile->head + datafile->plan.data_sizes_at : offsets;
    uint32_t num = datafile->num_data;
    uint32_t end = datafile->plan.data_size;
    uint32_t last = 0;
    *fine = num > 0 || end == 0;
    if (num == 0)
        return end == 0;
    if (tmi_get_u32(offsets) != 0)
        return false;
    for (uint32_t i = 0; i < num; i++) {
        uint32_t offset = tmi_get_u32(offsets + (size_t)i * 4);
        if (offset < last || offset > end)
            return false;
        if ((i > 0 && offset == last) || tmi_get_i32(sizes + (size_t)i * 4) < 0)
            *fine = false;
        last = offset;
    }
    if (last == end)
        *fine = false;
    return true;
}

void tmi_verify(tm_datafile *datafile, bool *ids_ascend, bool *data_fine)
{
    const tmi_item_layout *plan = &datafile->plan;
    bool whole = datafile->head_have == plan->data_at;
    *ids_ascend = true;
    *data_fine = false;
    datafile->plain = whole && verify_items(datafile, ids_ascend);
    datafile->data_in_order = whole && verify_data(datafile, data_fine);
    *data_fine = *data_fine && datafile->data_in_order;
    datafile->header.canonical = datafile->plain && datafile->data_in_order && datafile->sizes_fine &&
                                 datafile->header.version == (int32_t)plan->version &&
                                 plan->data_at + plan->data_size == datafile->input.size;
}
