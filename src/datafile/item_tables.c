/* SPDX-License-Identifier: Zlib */
/*
 * datafile/item_tables.c - the type and item tables (sections 1.4, 1.5): reports errors, and builds arrays of
 * type runs and item positions that are inside the file. Takes at most O(n log n), whatever the tables claim.
 *
 * Rules, in this order: an item belongs to the first type entry that covers it, if that is the first one of
 * its type, else to the type in its own header. Its body extends to the offset of the next item, as in the
 * games; if that offset is invalid (smaller, or outside), the size in its header is used, and without a valid
 * size the item is unusable. If the type table is damaged, the items of a type form one run, as they will in
 * a rewritten file.
 */
#include "datafile.h"

/* -------------------------------------------------------------------------------------------------- types */

/* The state of the walk over the type table. */
typedef struct type_walk {
    tm_datafile *datafile;
    tmi_report *report;
    uint32_t
        *unclaimed; /* for each item, an item at or after it that no type covers yet; num_items ends it */
    uint32_t seen[0x10000 / 32];
    int64_t counted; /* items of the entries so far, as DDNet counts them */
    int32_t last_type;
    bool damaged; /* the table has the finding bad-type-table */
} type_walk;

/* The first unclaimed item at or after `index`; shortens the way for later calls. */
static uint32_t next_unclaimed(uint32_t *unclaimed, uint32_t index)
{
    while (unclaimed[index] != index) {
        unclaimed[index] = unclaimed[unclaimed[index]];
        index = unclaimed[index];
    }
    return index;
}

/* Cuts [first, first + num) to the items that exist. */
static tmi_range cut_run(const tm_datafile *datafile, int32_t type, int32_t first, int32_t num)
{
    tmi_range run = {(uint16_t)type, 0, 0};
    if (first < 0 || num <= 0 || (uint32_t)first >= datafile->num_items)
        return run;
    run.first = (uint32_t)first;
    run.num = (uint32_t)num;
    if (run.num > datafile->num_items - run.first)
        run.num = datafile->num_items - run.first;
    return run;
}

static void read_type(type_walk *walk, uint32_t index)
{
    tm_datafile *datafile = walk->datafile;
    uint64_t where = datafile->plan.types_at + (uint64_t)index * TMI_TYPE_ENTRY;
    const uint8_t *entry = datafile->head + where;
    int32_t type = tmi_get_i32(entry);
    int32_t first = tmi_get_i32(entry + 4);
    int32_t num = tmi_get_i32(entry + 8);
    const bool apart = num <= 0 || first != walk->counted, outside = type < 0 || type > 0xFFFF;
    walk->damaged |= apart || outside;
    if (apart)
        tmi_report_at(walk->report, TM_FINDING_BAD_TYPE_TABLE, where + 4, "type", index,
                      "type %ld has %ld items from item %ld on, but item %lld would be next", (long)type,
                      (long)num, (long)first, (long long)walk->counted);
    walk->counted += num;
    if (outside) {
        tmi_report_at(walk->report, TM_FINDING_BAD_TYPE_TABLE, where, "type", index,
                      "type %ld is out of range, 0 to 65535 are allowed", (long)type);
        return;
    }
    tmi_range run = cut_run(datafile, type, first, num);
    const uint32_t bit = (uint32_t)1 << (run.type % 32);
    const bool twice = walk->seen[run.type / 32] & bit;
    walk->seen[run.type / 32] |= bit;
    walk->damaged |= twice;
    if (twice)
        tmi_report_at(walk->report, TM_FINDING_BAD_TYPE_TABLE, where, "type", index,
                      "type %ld is listed twice", (long)type);
    else if (type < walk->last_type)
        tmi_report_at(walk->report, TM_FINDING_TYPE_ORDER, where, "type", index,
                      "type %ld is listed after type %ld", (long)type, (long)walk->last_type);
    walk->last_type = type;
    datafile->runs[datafile->num_types++] = run;
    if (twice) /* no game looks at a second entry */
        return;
    for (uint32_t i = next_unclaimed(walk->unclaimed, run.first); i < run.first + run.num;
         i = next_unclaimed(walk->unclaimed, i)) {
        datafile->places[i].type = run.type;
        walk->unclaimed[i] = i + 1;
    }
}

/* Reads the type table. An item that no entry covers has the type of its own header. */
static void read_types(type_walk *walk)
{
    tm_datafile *datafile = walk->datafile;
    uint32_t num = datafile->num_types;
    datafile->num_types = 0;
    for (uint32_t t = 0; t < num; t++)
        read_type(walk, t);
    const bool miscounted = walk->counted != (int64_t)datafile->plan.num_items;
    walk->damaged |= miscounted;
    if (miscounted)
        tmi_report_at(walk->report, TM_FINDING_BAD_TYPE_TABLE, datafile->plan.types_at, NULL, 0,
                      "the type table has %lld items, the header says %lu", (long long)walk->counted,
                      (unsigned long)datafile->plan.num_items);
    for (uint32_t i = 0; i < datafile->num_items; i++) {
        tmi_item_place *place = &datafile->places[i];
        const bool loose = walk->unclaimed[i] == i;
        place->gone = loose && !place->usable;
        if (!place->usable)
            continue;
        const uint64_t where = datafile->plan.items_at + place->at;
        const uint32_t own = tmi_get_u32(datafile->head + where) >> 16;
        if (loose)
            place->type = (uint16_t)own;
        else if (own != place->type)
            tmi_report_at(walk->report, TM_FINDING_ITEM_TYPE_MISMATCH, where + (uint64_t)datafile->shift,
                          "item", i, "the type table says type %lu, the item itself %lu",
                          (unsigned long)place->type, (unsigned long)own);
    }
}

/* ------------------------------------------------------------------------------------------------- places */

/* The offset of an item, as it stands in the table; the end of the section after the last one. */
static int64_t item_offset(const tm_datafile *datafile, uint32_t index)
{
    if (index >= datafile->num_items)
        return datafile->plan.item_size;
    return tmi_get_i32(datafile->head + datafile->plan.item_offsets_at + (size_t)index * 4);
}

static uint64_t offset_entry(const tm_datafile *datafile, uint32_t index)
{
    return datafile->plan.item_offsets_at + (uint64_t)index * 4;
}

/* The size that the next offset gives, or failing that the size word; false if neither helps. */
static bool measure_item(const tm_datafile *datafile, uint32_t index, int64_t at, int32_t word, int64_t *size,
                         tmi_report *report)
{
    int64_t section = datafile->plan.item_size;
    int64_t next = item_offset(datafile, index + 1);
    *size = next - at - TMI_ITEM_HEAD;
    if (*size >= 0 && next <= section)
        return true;
    if (word < 0 || word > section - at - TMI_ITEM_HEAD) {
        tmi_report_at(
            report, TM_FINDING_BAD_ITEM_OFFSET, offset_entry(datafile, index), "item", index,
            "the item has no usable size: the next one is at offset %lld, this one at %lld, and its size word is %ld",
            (long long)next, (long long)at, (long)word);
        return false;
    }
    *size = word;
    if (next >= 0 && next <= section)
        tmi_report_at(report, TM_FINDING_ITEM_GAP, offset_entry(datafile, index), "item", index,
                      "the next item starts at offset %lld, before this one at %lld ends", (long long)next,
                      (long long)at);
    return true;
}

static void find_place(tm_datafile *datafile, uint32_t index, tmi_report *report)
{
    tmi_item_place *place = &datafile->places[index];
    int64_t section = datafile->plan.item_size;
    int64_t at = item_offset(datafile, index);
    if (at < 0 || at > section - TMI_ITEM_HEAD) {
        tmi_report_at(report, TM_FINDING_BAD_ITEM_OFFSET, offset_entry(datafile, index), "item", index,
                      "the item lies outside the bytes of all items: it is at offset %lld of %lld",
                      (long long)at, (long long)section);
        return;
    }
    if (at > (int64_t)datafile->items_have - TMI_ITEM_HEAD)
        return; /* cut off; head-cut has said so */
    if (index == 0 && at != 0)
        tmi_report_at(report, TM_FINDING_ITEM_GAP, offset_entry(datafile, 0), "item", 0,
                      "%lld bytes lie before the first item", (long long)at);
    uint64_t where = datafile->plan.items_at + (uint64_t)at;
    const uint64_t in_file = where + (uint64_t)datafile->shift;
    int32_t word = tmi_get_i32(datafile->head + where + 4);
    int64_t size;
    place->at = (uint32_t)at;
    place->id = (uint16_t)(tmi_get_u32(datafile->head + where) & 0xFFFF);
    place->usable = true;
    if (!measure_item(datafile, index, at, word, &size, report))
        return;
    if (word != size)
        tmi_report_at(report, TM_FINDING_ITEM_SIZE_MISMATCH, in_file + 4, "item", index,
                      "the item says %ld bytes, but there is room for %lld", (long)word, (long long)size);
    else if (size % 4 != 0)
        tmi_report_at(report, TM_FINDING_ITEM_SIZE_MISMATCH, in_file + 4, "item", index,
                      "the size, %lld bytes, is not a multiple of 4", (long long)size);
    const uint32_t body = (uint32_t)at + TMI_ITEM_HEAD;
    const uint32_t have = body < datafile->items_have ? datafile->items_have - body : 0;
    place->size = size < have ? (uint32_t)size : have;
}

/*
 * Sorts the positions of usable items by type, else in the order of the table, and makes the run of each
 * type. Teeworlds, too, takes all layers from the first one on, whatever the entry of their type says.
 */
static tm_status gather_types(tm_datafile *datafile, tm_error *error)
{
    const uint32_t num = datafile->num_items; /* there are as many types at most */
    const tmi_item_place *places = datafile->places;
    uint64_t *keys;
    TM_TRY(tmi_reserve(&keys, datafile->allocator, num, sizeof(*keys), "the order of items", error));
    tm_status status = tmi_arena_reserve(&datafile->places, &datafile->arena, num, sizeof(*datafile->places),
                                         "the places of items", error);
    if (status == TM_OK)
        status = tmi_arena_reserve(&datafile->runs, &datafile->arena, num, sizeof(*datafile->runs),
                                   "the types of items", error);
    if (status == TM_OK) {
        datafile->num_items = datafile->num_types = 0;
        for (uint32_t i = 0; i < num; i++)
            if (!places[i].gone)
                keys[datafile->num_items++] = (uint64_t)places[i].type << 32 | i;
        tmi_sort_u64(keys, datafile->num_items);
        for (uint32_t i = 0; i < datafile->num_items; i++) {
            const tmi_item_place *place = &places[(uint32_t)keys[i]];
            if (i == 0 || place->type != datafile->places[i - 1].type)
                datafile->runs[datafile->num_types++] = (tmi_range){place->type, i, 0};
            datafile->runs[datafile->num_types - 1].num++;
            datafile->places[i] = *place;
        }
    }
    tmi_free(datafile->allocator, keys, num, sizeof(*keys));
    return status;
}

tm_status tmi_make_out_items(tm_datafile *datafile, tmi_report *report, tm_error *error)
{
    const tm_allocator *allocator = datafile->allocator;
    const uint32_t num_reports = report->num;
    const size_t num_links = (size_t)datafile->num_items + 1;
    uint32_t *unclaimed;
    TM_TRY(tmi_arena_reserve(&datafile->runs, &datafile->arena, datafile->num_types, sizeof(*datafile->runs),
                             "the types of items", error));
    TM_TRY(tmi_arena_reserve(&datafile->places, &datafile->arena, datafile->num_items,
                             sizeof(*datafile->places), "the places of items", error));
    memset(datafile->places, 0, datafile->num_items * sizeof(*datafile->places));
    TM_TRY(tmi_reserve(&unclaimed, allocator, num_links, sizeof(*unclaimed), "the places of items", error));
    for (size_t i = 0; i < num_links; i++)
        unclaimed[i] = (uint32_t)i;

    type_walk walk = {.datafile = datafile, .report = report, .unclaimed = unclaimed, .last_type = -1};
    for (uint32_t i = 0; i < datafile->num_items; i++)
        find_place(datafile, i, report);
    read_types(&walk);
    if (datafile->num_items == 0 && datafile->plan.num_items == 0 && datafile->plan.item_size > 0)
        tmi_report_at(report, TM_FINDING_ITEM_GAP, datafile->plan.items_at, NULL, 0,
                      "there are %lu bytes of items, but no item", (unsigned long)datafile->plan.item_size);
    const bool cut = datafile->head_have != datafile->plan.data_at;
    datafile->plain = report->num == num_reports && !cut;
    tmi_free(allocator, unclaimed, num_links, sizeof(uint32_t));
    /* in a cut head, items at the end of the table that the file does not have do not count */
    while (cut && datafile->num_items > 0 && !datafile->places[datafile->num_items - 1].usable)
        datafile->num_items--;
    for (uint32_t t = 0; cut && t < datafile->num_types; t++) {
        tmi_range *run = &datafile->runs[t];
        *run = cut_run(datafile, run->type, (int32_t)run->first, (int32_t)run->num);
    }
    return walk.damaged ? gather_types(datafile, error) : TM_OK;
}

/* Reports items of one type that share an id. Index items may: old versions of DDNet wrote them twice. */
tm_status tmi_check_ids(tm_datafile *datafile, tmi_report *report, tm_error *error)
{
    uint32_t num = datafile->num_items;
    uint64_t *keys;
    TM_TRY(tmi_reserve(&keys, datafile->allocator, num, sizeof(uint64_t), "the ids of items", error));
    tm_datafile_item item;
    for (uint32_t i = 0; i < num; i++) {
        tm_datafile_get_item(&item, datafile, i);
        keys[i] = (uint64_t)item.type << 48 | (uint64_t)item.id << 32 | i;
    }
    tmi_sort_u64(keys, num);
    for (uint32_t i = 1; i < num; i++) {
        uint32_t index = (uint32_t)keys[i];
        if (keys[i] >> 32 != keys[i - 1] >> 32 || keys[i] >> 48 == TM_TYPE_UUID_INDEX)
            continue;
        if (!tm_datafile_get_item(&item, datafile, index) || item.offset < 0)
            continue;
        tmi_report_at(report, TM_FINDING_DUPLICATE_ITEM_ID, (uint64_t)item.offset, "item", index,
                      "another item, %lu, has the same type %lu and id %lu",
                      (unsigned long)(uint32_t)keys[i - 1], (unsigned long)item.type, (unsigned long)item.id);
    }
    tmi_free(datafile->allocator, keys, num, sizeof(uint64_t));
    return TM_OK;
}
