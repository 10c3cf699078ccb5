/* SPDX-License-Identifier: Zlib */
/*
 * datafile/uuids.c - numbers of UUID item types (section 1.12). An index item of type 0xFFFF has the number
 * as its id and the UUID as its body; each of its four integers holds four UUID bytes with the first one on
 * top, so that on disk every group of four is reversed. The first match counts in both directions.
 */
#include "datafile.h"

enum {
    UUID_SIZE = 16,
    MAX_RAW_TYPE = 0x8000 /* numbers up to here never stand for a UUID */
};

static bool may_have_uuid(uint16_t type)
{
    return type > MAX_RAW_TYPE && type != TM_TYPE_UUID_INDEX;
}

void tmi_turn_uuid(uint8_t out[16], const uint8_t from[16])
{
    for (uint32_t i = 0; i < UUID_SIZE; i++)
        out[i] = from[i ^ 3];
}

bool tmi_index_uuid(const tm_datafile_item *item, tm_uuid *uuid)
{
    memset(uuid, 0, sizeof(*uuid));
    if (item->size < UUID_SIZE)
        return false;
    tmi_turn_uuid(uuid->bytes, item->body);
    return true;
}

/* The k-th index item, if it holds a UUID. */
static bool index_item(const tm_datafile *datafile, uint32_t k, uint16_t *number, tm_uuid *uuid)
{
    tm_datafile_item item;
    tm_datafile_get_item(&item, datafile, datafile->index_run.first + k);
    *number = item.id;
    return tmi_index_uuid(&item, uuid);
}

/* As DDNet does it: the first index item with the number decides, even if it is too short for a UUID. */
static bool find_uuid_of(const tm_datafile *datafile, uint16_t type, tm_uuid *uuid)
{
    const uint64_t *order = datafile->index_order;
    const uint32_t num = may_have_uuid(type) ? datafile->index_run.num : 0;
    const size_t place = tmi_search_u64(order, num, (uint64_t)type << 32);
    uint16_t number;
    memset(uuid, 0, sizeof(*uuid));
    return place < num && order[place] >> 32 == type &&
           index_item(datafile, (uint32_t)order[place], &number, uuid);
}

/* ------------------------------------------------------------------------------------------------ opening */

static void report_duplicate(const tm_datafile *datafile, uint32_t k, uint32_t first, const char *property,
                             tmi_report *report)
{
    tm_datafile_item item;
    uint32_t index = datafile->index_run.first + k;
    if (!tm_datafile_get_item(&item, datafile, index) || item.offset < 0)
        return;
    tmi_report_at(report, TM_FINDING_UUID_INDEX_DUPLICATE, (uint64_t)item.offset, "item", index,
                  "the index item has the same %s as item %lu and is ignored", property,
                  (unsigned long)(datafile->index_run.first + first));
}

/*
 * Reports index items that have the number of an earlier one, or (`numbers` false) that name its UUID with
 * another number. Sorts the items by number or by a hash of their UUID into `keys`.
 */
static void check_doubled(const tm_datafile *datafile, bool numbers, uint64_t *keys, tmi_report *report)
{
    const uint32_t num = datafile->index_run.num;
    uint16_t number, first_number;
    tm_uuid uuid, first_uuid;
    for (uint32_t k = 0; k < num; k++) {
        index_item(datafile, k, &number, &uuid);
        keys[k] = (numbers ? (uint64_t)number : tmi_hash(TMI_HASH, uuid.bytes, UUID_SIZE)) << 32 | k;
    }
    tmi_sort_u64(keys, num);
    for (uint32_t i = 1, first = 0; i < num; i++) {
        const uint32_t own = (uint32_t)keys[i], other = (uint32_t)keys[first];
        if (keys[i] >> 32 != keys[first] >> 32)
            first = i;
        else if (numbers)
            report_duplicate(datafile, own, other, "number", report);
        else if (index_item(datafile, own, &number, &uuid) &&
                 index_item(datafile, other, &first_number, &first_uuid) && number != first_number &&
                 memcmp(&uuid, &first_uuid, sizeof(uuid)) == 0)
            report_duplicate(datafile, own, other, "UUID", report);
    }
}

/* Reports index items with a number that never stands for a UUID, such as that of the index itself. */
static void check_numbers(const tm_datafile *datafile, tmi_report *report)
{
    for (uint32_t k = 0; k < datafile->index_run.num; k++) {
        const uint32_t index = datafile->index_run.first + k;
        tm_datafile_item item;
        if (tm_datafile_get_item(&item, datafile, index) && item.offset >= 0 && !may_have_uuid(item.id))
            tmi_report_at(report, TM_FINDING_UUID_INDEX_NUMBER, (uint64_t)item.offset, "item", index,
                          "the index item names the UUID of type %lu, but only types 32769 to 65534 have one",
                          (unsigned long)item.id);
    }
}

tm_status tmi_read_index(tm_datafile *datafile, tmi_report *report, tm_error *error)
{
    for (uint32_t t = datafile->num_types; t-- > 0;)
        if (datafile->runs[t].type == TM_TYPE_UUID_INDEX)
            datafile->index_run = datafile->runs[t];
    if (datafile->index_run.num) {
        uint64_t *keys;
        TM_TRY(tmi_arena_reserve(&keys, &datafile->arena, datafile->index_run.num, sizeof(*keys),
                                 "the index of UUID types", error));
        check_doubled(datafile, false, keys, report);
        check_doubled(datafile, true, keys, report); /* leaves them in the order of index_order */
        check_numbers(datafile, report);
        datafile->index_order = keys;
    }
    for (uint32_t t = datafile->num_types; t-- > 0;) {
        const uint16_t type = datafile->runs[t].type;
        tm_uuid uuid;
        if (may_have_uuid(type) && !find_uuid_of(datafile, type, &uuid))
            tmi_report_at(report, TM_FINDING_UUID_INDEX_MISSING,
                          datafile->plan.types_at +
                              (uint64_t)(t < datafile->plan.num_types ? t : 0) * TMI_TYPE_ENTRY,
                          "type", t, "no index item names the UUID of type %lu", (unsigned long)type);
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- access */

bool tm_datafile_get_type(tm_datafile_type *out, const tm_datafile *datafile, uint32_t index)
{
    if (!out)
        return false;
    memset(out, 0, sizeof(*out));
    if (!datafile || index >= datafile->num_types)
        return false;
    const tmi_range *run = &datafile->runs[index];
    out->type = run->type;
    out->first = run->first;
    out->num = run->num;
    out->has_uuid = find_uuid_of(datafile, run->type, &out->uuid);
    return true;
}

bool tm_datafile_find_type(tm_datafile_type *out, const tm_datafile *datafile, uint16_t type)
{
    if (!out)
        return false;
    memset(out, 0, sizeof(*out));
    for (uint32_t t = 0; datafile && t < datafile->num_types; t++)
        if (datafile->runs[t].type == type)
            return tm_datafile_get_type(out, datafile, t);
    return false;
}

bool tm_datafile_find_uuid(tm_datafile_type *out, const tm_datafile *datafile, const tm_uuid *uuid)
{
    if (!out)
        return false;
    memset(out, 0, sizeof(*out));
    for (uint32_t k = 0; datafile && uuid && k < datafile->index_run.num; k++) {
        uint16_t number;
        tm_uuid named;
        if (index_item(datafile, k, &number, &named) && memcmp(&named, uuid, sizeof(named)) == 0)
            return tm_datafile_find_type(out, datafile, number);
    }
    return false;
}
