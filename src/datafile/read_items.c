/* SPDX-License-Identifier: Zlib */
/*
 * datafile/read_items.c - items, types and blocks by index. In a normal file they are read directly from the
 * header, since the fast check has proved that they are inside; otherwise from the arrays of item_tables.c.
 */
#include "datafile.h"

void tm_datafile_get_header(tm_datafile_header *out, const tm_datafile *datafile)
{
    if (!out)
        return;
    memset(out, 0, sizeof(*out));
    if (datafile)
        *out = datafile->header;
}

tm_status tm_datafile_equal(bool *equal, const tm_datafile *a, const tm_datafile *b, tm_error *error)
{
    return tm_input_equal(equal, a ? &a->input : NULL, b ? &b->input : NULL, error);
}

uint32_t tm_datafile_num_items(const tm_datafile *datafile)
{
    return datafile ? datafile->num_items : 0;
}

static void get_plain_item(const tm_datafile *datafile, uint32_t index, tm_datafile_item *out)
{
    const tmi_item_layout *plan = &datafile->plan;
    uint32_t at = tmi_get_u32(datafile->head + plan->item_offsets_at + (size_t)index * 4);
    const uint8_t *item = datafile->head + plan->items_at + at;
    uint32_t word = tmi_get_u32(item);
    out->type = (uint16_t)(word >> 16);
    out->id = (uint16_t)(word & 0xFFFF);
    out->size = tmi_get_u32(item + 4);
    out->body = item + TMI_ITEM_HEAD;
    out->offset = (int64_t)(plan->items_at + at);
}

static void get_odd_item(const tm_datafile *datafile, uint32_t index, tm_datafile_item *out)
{
    const tmi_place *place = &datafile->places[index];
    uint64_t at = datafile->plan.items_at + place->at;
    memset(out, 0, sizeof(*out));
    out->type = place->type;
    out->id = place->id;
    out->offset = -1;
    if (!place->usable)
        return;
    out->size = place->size;
    out->body = datafile->head + at + TMI_ITEM_HEAD;
    out->offset = (int64_t)at;
}

bool tm_datafile_get_item(tm_datafile_item *out, const tm_datafile *datafile, uint32_t index)
{
    if (!out)
        return false;
    if (!datafile || index >= datafile->num_items) {
        memset(out, 0, sizeof(*out));
        return false;
    }
    if (datafile->plain)
        get_plain_item(datafile, index, out);
    else
        get_odd_item(datafile, index, out);
    return true;
}

int32_t tm_datafile_item_int(const tm_datafile_item *item, uint32_t k, int32_t missing)
{
    return item && k < item->size / 4 ? tmi_get_i32(item->body + (size_t)k * 4) : missing;
}

tmi_range tmi_range_at(const tm_datafile *datafile, uint32_t index)
{
    if (!datafile->plain)
        return datafile->runs[index];
    const uint8_t *entry = datafile->head + datafile->plan.types_at + (size_t)index * TMI_TYPE_ENTRY;
    tmi_range run = {(uint16_t)tmi_get_u32(entry), tmi_get_u32(entry + 4), tmi_get_u32(entry + 8)};
    return run;
}

uint32_t tm_datafile_num_types(const tm_datafile *datafile)
{
    return datafile ? datafile->num_types : 0;
}

uint32_t tm_datafile_num_data(const tm_datafile *datafile)
{
    return datafile ? datafile->num_data : 0;
}

bool tm_datafile_get_data(tm_datafile_data *out, const tm_datafile *datafile, uint32_t index)
{
    if (!out)
        return false;
    memset(out, 0, sizeof(*out));
    if (!datafile || index >= datafile->num_data)
        return false;
    tmi_data_range block = tmi_block_at(datafile, index);
    out->offset = block.offset;
    out->packed_size = block.packed_size;
    out->size = block.size;
    return true;
}

tm_status tmi_fail_index(tm_error *error, const char *kind, uint32_t index, uint32_t num)
{
    return tmi_fail(error, TM_ERROR_USAGE, -1, "no %s %lu: there are %lu", kind, (unsigned long)index,
                    (unsigned long)num);
}
