/* SPDX-License-Identifier: Zlib */
/*
 * datafile/read_items.c - items and blocks by index; where items lie, item_tables.c has made out.
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

bool tm_datafile_get_item(tm_datafile_item *out, const tm_datafile *datafile, uint32_t index)
{
    if (!out)
        return false;
    *out = (tm_datafile_item){.type = 0};
    if (!datafile || index >= datafile->num_items)
        return false;
    const tmi_item_place *place = &datafile->places[index];
    const uint64_t at = datafile->plan.items_at + place->at;
    out->type = place->type;
    out->id = place->id;
    out->offset = place->usable ? (int64_t)at + datafile->shift : -1;
    out->size = place->size;
    out->body = place->usable ? datafile->head + at + TMI_ITEM_HEAD : NULL;
    return true;
}

int32_t tm_datafile_item_int(const tm_datafile_item *item, uint32_t k, int32_t missing)
{
    return item && k < item->size / 4 ? tmi_get_i32(item->body + (size_t)k * 4) : missing;
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
