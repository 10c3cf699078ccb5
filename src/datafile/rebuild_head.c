/* SPDX-License-Identifier: Zlib */
/*
 * datafile/rebuild_head.c - a new head in mode salvage, where the bytes show another layout than the header
 * says (find_layout.c). Types and item offsets are those of the items themselves. The table of blocks stays
 * if it has a row for each, else it is made from the zlib streams, which lie one behind the other. The rest
 * of this room reads the new head in place of the file's; only saving an unchanged file writes the old one.
 */
#include "layout.h"

/* A file, as much as is known of it, and the head that is made. */
typedef struct rebuilding {
    tm_datafile *datafile;
    const uint8_t *bytes; /* the whole file */
    tmi_head_claims claims;
    tmi_layout layout;
    uint8_t *head;
} rebuilding;

/* --------------------------------------------------------------------------------------------- the blocks */

/* The table of blocks while it grows. */
typedef struct block_table {
    const tmi_layout *layout;
    const uint8_t *old_offsets, *old_sizes; /* as they stand in the file */
    uint8_t *offsets, *sizes;
    uint32_t num;
    int32_t shift; /* from the number of a block to its row in the old table of sizes */
} block_table;

/* Adds a block. Its size is -1 if its stream does not tell it: then the old table does. */
static void table_add(block_table *table, uint64_t offset, int64_t size)
{
    const tmi_layout *layout = table->layout;
    const uint32_t num = layout->plan.num_data;
    if (table->num == num)
        return;
    tmi_put_u32(table->offsets + (size_t)table->num * 4, (uint32_t)offset);
    if (layout->plan.version == 4) {
        int64_t row = (int64_t)table->num + table->shift;
        int32_t said = row < (int64_t)layout->size_rows ? tmi_get_i32(table->old_sizes + (size_t)row * 4) : 0;
        if (size >= 0 && said != size &&
            layout->size_rows != num) /* the row that was cut or doubled is here */
            table->shift = layout->size_rows < num ? -1 : 1;
        tmi_put_u32(table->sizes + (size_t)table->num * 4, (uint32_t)(size >= 0 ? size : said));
    }
    table->num++;
}

/*
 * Version 4: follows the streams through the data. Where one is broken, the next offset of the old table
 * leads on. Streams that the old table does not have are blocks as long as it has too few.
 */
static tm_status follow_streams(const rebuilding *r, block_table *table, tm_error *error)
{
    const tm_datafile *datafile = r->datafile;
    const tmi_layout *layout = &r->layout;
    const uint8_t *data = r->bytes + layout->data_at;
    const uint64_t left = datafile->input.size - layout->data_at, end = layout->plan.data_size;
    const uint64_t have = left < end ? left : end;
    uint64_t budget = datafile->limits.unpacked_bytes, at = 0;
    uint64_t *rows;
    size_t num_rows = 0, next = 0;
    TM_TRY(tmi_reserve(&rows, datafile->allocator, (size_t)layout->data_rows + 1, sizeof(*rows),
                       "the offsets of blocks", error));
    for (uint32_t i = 0; i < layout->data_rows; i++) {
        const uint32_t row = tmi_get_u32(table->old_offsets + (size_t)i * 4);
        if (row < end)
            rows[num_rows++] = row;
    }
    tmi_sort_u64(rows, num_rows);
    uint32_t num_known = 0;
    for (size_t i = 0; i < num_rows; i++)
        num_known += i == 0 || rows[i] != rows[i - 1];
    uint32_t missing = layout->plan.num_data > num_known ? layout->plan.num_data - num_known : 0;
    tmi_inflater *inflater = tmi_inflater_new(datafile->allocator);
    if (!inflater) {
        tmi_free(datafile->allocator, rows, (size_t)layout->data_rows + 1, sizeof(*rows));
        return tmi_fail_memory(error, 0, "an inflater");
    }
    while (at < end) {
        uint64_t size = 0;
        size_t packed = 0;
        while (next < num_rows && rows[next] < at)
            next++;
        const bool known = next < num_rows && rows[next] == at;
        while (next < num_rows && rows[next] == at)
            next++;
        const bool wanted = known || missing > 0;
        const bool whole =
            wanted && at < have &&
            tmi_inflate_measure(inflater, &size, &packed, data + at, (size_t)(have - at), budget);
        if (wanted && (known || whole))
            table_add(table, at, whole ? (int64_t)size : -1);
        missing -= !known && whole;
        budget -= whole ? size : 0;
        at = whole ? at + packed : next < num_rows ? rows[next] : end;
    }
    while (table->num < layout->plan.num_data) /* nothing is left of these */
        table_add(table, end, 0);
    tmi_inflater_free(inflater);
    tmi_free(datafile->allocator, rows, (size_t)layout->data_rows + 1, sizeof(*rows));
    return TM_OK;
}

/*
 * Version 3: a row that is there twice is left out. Of one that is missing, only the first is known. Returns
 * whether another is missing.
 */
static bool follow_rows(block_table *table)
{
    const uint32_t num = table->layout->plan.num_data, rows = table->layout->data_rows;
    bool twice = false;
    if (rows < num && (rows == 0 || tmi_get_u32(table->old_offsets) != 0))
        table_add(table, 0, -1);
    for (uint32_t i = 0; i < rows; i++) {
        const uint8_t *row = table->old_offsets + (size_t)i * 4;
        const bool again = rows > num && !twice && i > 0 && memcmp(row, row - 4, 4) == 0;
        twice |= again;
        if (!again)
            table_add(table, tmi_get_u32(row), -1);
    }
    const bool is_missing = table->num < num;
    while (table->num < num)
        table_add(table, table->layout->plan.data_size, -1);
    return is_missing;
}

static tm_status rebuild_blocks(const rebuilding *r, tm_error *error)
{
    const tmi_layout *layout = &r->layout;
    const tmi_item_layout *plan = &layout->plan;
    const uint8_t *old = r->bytes + TMI_FIXED_HEAD + (size_t)layout->type_rows * TMI_TYPE_ENTRY +
                         (size_t)layout->offset_rows * 4;
    block_table table = {.layout = layout,
                         .old_offsets = old,
                         .old_sizes = old + (size_t)layout->data_rows * 4,
                         .offsets = r->head + plan->data_offsets_at,
                         .sizes = r->head + plan->data_sizes_at};
    const bool is_whole =
        layout->data_rows == plan->num_data && (plan->version == 3 || layout->size_rows == plan->num_data);
    if (is_whole)
        memcpy(r->head + plan->data_offsets_at, old, (size_t)(plan->items_at - plan->data_offsets_at));
    else if (plan->version == 4)
        return follow_streams(r, &table, error);
    else
        r->datafile->lacks_offset = follow_rows(&table);
    return TM_OK;
}

void tmi_insert_offset(tm_datafile *datafile, uint32_t index, uint32_t distance)
{
    /* the head of a datafile that lacks an offset was made here, in its arena */
    uint8_t *offsets = datafile->rebuilt_head + datafile->plan.data_offsets_at;
    const uint32_t before = tmi_get_u32(offsets + (size_t)(index - 1) * 4);
    memmove(offsets + (size_t)(index + 1) * 4, offsets + (size_t)index * 4,
            (size_t)(datafile->num_data - 1 - index) * 4);
    tmi_put_u32(offsets + (size_t)index * 4, before + distance);
    datafile->lacks_offset = false;
}

/* ----------------------------------------------------------------------------------- the rest of the head */

/* A sum of the header stays if it is right in one of its two forms (section 1.2). */
static uint32_t sum_field(int32_t claim, uint64_t length, const tmi_item_layout *plan)
{
    const int64_t sum = (int64_t)length - TMI_UNCOUNTED;
    const bool is_crude = plan->version == 4 && claim == sum - 4 * (int64_t)plan->num_data;
    return (uint32_t)(is_crude ? claim : sum);
}

static void rebuild_header(const rebuilding *r)
{
    const tmi_item_layout *plan = &r->layout.plan;
    const tmi_head_claims *claims = &r->claims;
    uint8_t *head = r->head;
    memcpy(head, tmi_is_magic(r->bytes) ? (const char *)r->bytes : "DATA", 4);
    tmi_put_u32(head + TMI_AT_VERSION, plan->version);
    tmi_put_u32(head + TMI_AT_SIZE, sum_field(claims->size, plan->data_at + plan->data_size, plan));
    tmi_put_u32(head + TMI_AT_SWAPLEN, sum_field(claims->swaplen, plan->data_at, plan));
    tmi_put_u32(head + TMI_AT_NUM_TYPES, plan->num_types);
    tmi_put_u32(head + TMI_AT_NUM_ITEMS, plan->num_items);
    tmi_put_u32(head + TMI_AT_NUM_DATA, plan->num_data);
    tmi_put_u32(head + TMI_AT_ITEM_SIZE, plan->item_size);
    tmi_put_u32(head + TMI_AT_DATA_SIZE, plan->data_size);
}

/* The types, the item offsets and the items. */
static void rebuild_items(const rebuilding *r)
{
    const tmi_item_layout *plan = &r->layout.plan;
    const uint8_t *items = r->bytes + r->layout.items_at;
    uint8_t *type_row = r->head + plan->types_at - TMI_TYPE_ENTRY;
    uint32_t at = 0, first = 0, last = UINT32_MAX;
    for (uint32_t i = 0; i < plan->num_items; i++) {
        const uint32_t type = tmi_get_u32(items + at) >> 16;
        if (type != last) {
            type_row += TMI_TYPE_ENTRY;
            first = i;
            last = type;
        }
        tmi_put_u32(type_row, type);
        tmi_put_u32(type_row + 4, first);
        tmi_put_u32(type_row + 8, i - first + 1);
        tmi_put_u32(r->head + plan->item_offsets_at + (size_t)i * 4, at);
        at += TMI_ITEM_HEAD + tmi_get_u32(items + at + 4);
    }
    memcpy(r->head + plan->items_at, items, plan->item_size);
}

/* ------------------------------------------------------------------------------------------------ finding */

typedef struct sentence {
    char text[TM_ERROR_TEXT_SIZE];
    size_t size;
} sentence;

/* Adds a number of things to the sentence if the header claims another one. */
static void add_count(sentence *s, const char *things, uint32_t there, int32_t claimed)
{
    if ((int64_t)there != claimed)
        s->size += tmi_format(s->text + s->size, sizeof(s->text) - s->size, "%s%lu %s, not %ld",
                              s->size ? ", " : "", (unsigned long)there, things, (long)claimed);
}

/* Adds the rows of a table to the sentence if they are not as many as the things that it stands for. */
static void add_rows(sentence *s, const char *things, uint32_t rows, uint32_t num)
{
    if (rows != num)
        s->size += tmi_format(s->text + s->size, sizeof(s->text) - s->size, "%s%lu rows for %lu %s",
                              s->size ? ", " : "", (unsigned long)rows, (unsigned long)num, things);
}

static void report_layout(const rebuilding *r, tmi_report *report)
{
    const tmi_layout *layout = &r->layout;
    const tmi_item_layout *plan = &layout->plan;
    const tmi_head_claims *claims = &r->claims;
    sentence found = {{0}, 0};
    if (!tmi_is_magic(r->bytes))
        found.size =
            tmi_format(found.text, sizeof(found.text), "DATA at its start, not the bytes %02x %02x %02x %02x",
                       r->bytes[0], r->bytes[1], r->bytes[2], r->bytes[3]);
    add_count(&found, "as the version", plan->version, claims->version);
    add_count(&found, "item types", plan->num_types, claims->num_types);
    add_count(&found, "items", plan->num_items, claims->num_items);
    add_count(&found, "data blocks", plan->num_data, claims->num_data);
    add_count(&found, "bytes of items", plan->item_size, claims->item_size);
    add_count(&found, "bytes of data", plan->data_size, claims->data_size);
    add_rows(&found, "item types", layout->type_rows, plan->num_types);
    add_rows(&found, "item offsets", layout->offset_rows, plan->num_items);
    add_rows(&found, "data offsets", layout->data_rows, plan->num_data);
    if (plan->version == 4)
        add_rows(&found, "unpacked sizes", layout->size_rows, plan->num_data);
    tmi_report_at(report, TM_FINDING_LAYOUT_REBUILT, TMI_AT_NUM_TYPES, NULL, 0,
                  "the header does not say what the file has: %s",
                  found.size ? found.text : "the item offsets do not lead to the items");
}

/* --------------------------------------------------------------------------------------------- rebuilding */

static bool fits_limits(const tmi_item_layout *plan, const tm_limits *limits)
{
    return plan->num_types <= limits->items && plan->num_items <= limits->items &&
           plan->num_data <= limits->blocks && plan->item_size <= limits->item_bytes &&
           plan->data_at < SIZE_MAX;
}

/* With the whole file in memory. */
static tm_status rebuild(rebuilding *r, tmi_report *report, tm_error *error)
{
    tm_datafile *datafile = r->datafile;
    const tmi_layout *layout = &r->layout;
    TM_TRY(tmi_bridge_items(datafile, r->bytes, report, error));
    if (datafile->rebuilt_head)
        return TM_OK;
    if (!tmi_layout_find(&r->layout, &r->claims, r->bytes, datafile->input.size, datafile->limits.items) ||
        !fits_limits(&layout->plan, &datafile->limits))
        return TM_OK;
    report_layout(r, report);
    r->layout.plan.num_types = layout->num_runs;
    tmi_item_layout_place(&r->layout.plan);
    TM_TRY(
        tmi_arena_reserve(&r->head, &datafile->arena, (size_t)layout->plan.data_at, 1, "a new head", error));
    rebuild_header(r);
    rebuild_items(r);
    TM_TRY(rebuild_blocks(r, error));
    datafile->head = datafile->rebuilt_head = r->head;
    datafile->shift = (int64_t)layout->data_at - (int64_t)layout->plan.data_at;
    return TM_OK;
}

tm_status tmi_rebuild_head(tm_datafile *datafile, tmi_report *report, tm_error *error)
{
    const tm_input *input = &datafile->input;
    const size_t size = (size_t)input->size;
    uint8_t *copy;
    rebuilding r = {.datafile = datafile, .bytes = input->memory, .claims = tmi_read_claims(datafile->head)};
    if (input->size > SIZE_MAX)
        return TM_OK;
    if (input->memory)
        return rebuild(&r, report, error);
    TM_TRY(tmi_reserve(&copy, datafile->allocator, size, 1, "a damaged file", error));
    tm_status status = tmi_input_read(input, 0, copy, size, error);
    r.bytes = copy;
    if (status == TM_OK)
        status = rebuild(&r, report, error);
    tmi_free(datafile->allocator, copy, size, 1);
    return status;
}
