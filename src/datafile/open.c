/* SPDX-License-Identifier: Zlib */
/*
 * datafile/open.c - opens a datafile: reads its header in one or two reads, enforces limits, and has it
 * checked. The struct and the header share one allocation; an input in memory is not copied.
 */
#include "datafile.h"

/*
 * The first read. Heads of real maps have 0.5 to 32 KiB, three quarters of them less than 4 (86 maps); of 2,
 * 4, 8 and 16 KiB this was the quickest over all of them.
 */
#define FIRST_READ 4096

/* What is under way during one opening. */
typedef struct opening {
    tm_input input;
    const tm_allocator *allocator;
    tm_limits limits;
    tmi_report report;
    tm_error *error;
    tm_datafile *datafile;
} opening;

static tm_status check_count_limit(uint64_t number, uint64_t limit, const char *what, uint64_t offset,
                                   tm_error *error)
{
    if (number <= limit)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_LIMIT, (int64_t)offset, "too many %s: %llu, and the limit is %llu", what,
                    (unsigned long long)number, (unsigned long long)limit);
}

/* How many of `num` entries of `size` bytes from `at` on the file has. */
static uint32_t entries_there(uint32_t num, uint64_t at, uint32_t size, uint64_t have)
{
    if (at >= have)
        return 0;
    uint64_t there = (have - at) / size;
    return there < num ? (uint32_t)there : num;
}

/* Bounds what the header claims by what the file has, then by the limits. */
static tm_status bound_counts(opening *work, tm_datafile *datafile)
{
    const tmi_item_layout *plan = &datafile->plan;
    const tm_limits *limits = &work->limits;
    uint64_t have = plan->data_at < work->input.size ? plan->data_at : work->input.size;
    if (have > SIZE_MAX - sizeof(tm_datafile))
        return tmi_fail(work->error, TM_ERROR_LIMIT, TMI_AT_ITEM_SIZE, "the head does not fit into memory");
    datafile->head_have = (size_t)have;
    datafile->items_have = entries_there(plan->item_size, plan->items_at, 1, have);
    datafile->num_types = entries_there(plan->num_types, plan->types_at, TMI_TYPE_ENTRY, have);
    datafile->num_items = entries_there(plan->num_items, plan->item_offsets_at, 4, have);
    datafile->num_data = entries_there(plan->num_data, plan->data_offsets_at, 4, have);
    if (plan->version == 4)
        datafile->num_data = entries_there(datafile->num_data, plan->data_sizes_at, 4, have);
    TM_TRY(
        check_count_limit(datafile->num_types, limits->items, "item types", TMI_AT_NUM_TYPES, work->error));
    TM_TRY(check_count_limit(datafile->num_items, limits->items, "items", TMI_AT_NUM_ITEMS, work->error));
    TM_TRY(
        check_count_limit(datafile->num_data, limits->blocks, "data blocks", TMI_AT_NUM_DATA, work->error));
    return check_count_limit(datafile->items_have, limits->item_bytes, "bytes of items", TMI_AT_ITEM_SIZE,
                             work->error);
}

/* Makes the handle from what was found out so far, with the whole head behind it. */
static tm_status make_handle(opening *work, const tm_datafile *draft, const uint8_t *start, size_t started)
{
    bool in_memory = work->input.memory;
    size_t size = sizeof(tm_datafile) + (in_memory ? 0 : draft->head_have);
    tm_datafile *datafile;
    TM_TRY(tmi_reserve(&datafile, work->allocator, 1, size, "the head of the file", work->error));
    memcpy(datafile, draft, sizeof(*datafile));
    datafile->alloc_size = size;
    if (tmi_lock_init(&datafile->lock) != 0) {
        tmi_free(work->allocator, datafile, 1, size);
        return tmi_fail(work->error, TM_ERROR_MEMORY, -1, "cannot make a lock for the blocks of the file");
    }
    atomic_init(&datafile->spare, NULL);
    atomic_init(&datafile->account, 0);
    work->datafile = datafile;
    datafile->head = work->input.memory;
    if (in_memory)
        return TM_OK;
    uint8_t *head = (uint8_t *)(datafile + 1);
    datafile->head = head;
    if (started >= datafile->head_have) {
        memcpy(head, start, datafile->head_have);
        return TM_OK;
    }
    memcpy(head, start, started);
    return tmi_input_read(&work->input, started, head + started, datafile->head_have - started, work->error);
}

/* Makes out types, items and blocks, and reports whatever is odd about them. */
static tm_status look_at_tables(opening *work)
{
    tm_datafile *datafile = work->datafile;
    const tmi_item_layout *plan = &datafile->plan;
    TM_TRY(tmi_make_out_items(datafile, &work->report, work->error));
    TM_TRY(tmi_check_ids(datafile, &work->report, work->error));
    const bool data_in_order = tmi_check_data_table(datafile, &work->report);
    datafile->header.canonical = datafile->plain && data_in_order && datafile->sizes_fine &&
                                 datafile->header.version == (int32_t)plan->version &&
                                 plan->data_at + plan->data_size == datafile->input.size;
    tmi_judge_sizes(datafile);
    return tmi_read_index(datafile, &work->report, work->error);
}

static tm_status read_head(opening *work)
{
    uint8_t buffer[FIRST_READ];
    const uint8_t *start = work->input.memory;
    size_t started = work->input.size < FIRST_READ ? (size_t)work->input.size : FIRST_READ;
    if (!start) {
        start = buffer;
        TM_TRY(tmi_input_read(&work->input, 0, buffer, started, work->error));
    }
    tm_datafile draft = {.allocator = work->allocator,
                         .input = work->input,
                         .limits = work->limits,
                         .mode = work->report.mode};
    if (!tmi_read_header(&draft, start, started, &work->report))
        return work->report.status;
    TM_TRY(bound_counts(work, &draft));
    return make_handle(work, &draft, start, started);
}

static tm_status open_with(opening *work, const tm_datafile_options *options)
{
    tm_datafile_options filled;
    TM_TRY(tmi_options_take(&filled, sizeof(filled), options, "tm_datafile_options", work->error));
    TM_TRY(tmi_limits_take(&work->limits, filled.limits, work->error));
    work->allocator = filled.allocator;
    work->report.mode = filled.mode;
    if (work->input.size > work->limits.file_bytes)
        return tmi_fail(work->error, TM_ERROR_LIMIT, -1,
                        "the file is too large: %llu bytes, and the limit is %llu",
                        (unsigned long long)work->input.size, (unsigned long long)work->limits.file_bytes);
    TM_TRY(read_head(work));
    TM_TRY(look_at_tables(work));
    return work->report.status;
}

tm_status tm_datafile_open(tm_datafile **out, tm_input input, const tm_datafile_options *options,
                           tm_findings *findings, tm_error *error)
{
    opening work = {.input = input, .report = {.findings = findings, .error = error}, .error = error};
    if (out)
        *out = NULL;
    tm_status status = out ? open_with(&work, options) : tmi_need(out, "out", error);
    if (status == TM_OK) {
        *out = work.datafile;
        return TM_OK;
    }
    if (work.datafile)
        tm_datafile_close(work.datafile);
    else if (input.close)
        input.close(input.ctx);
    return status;
}

void tm_datafile_close(tm_datafile *datafile)
{
    if (!datafile)
        return;
    /* The input may be what holds the allocator. */
    const tm_allocator copy = datafile->allocator ? *datafile->allocator : (tm_allocator){NULL, NULL};
    const tm_allocator *allocator = datafile->allocator ? &copy : NULL;
    tmi_slots_release(datafile);
    tmi_lock_release(&datafile->lock);
    tmi_worker_free(atomic_load(&datafile->spare));
    if (datafile->index_order)
        tmi_free(allocator, datafile->index_order, datafile->index_run.num, sizeof(uint64_t));
    if (datafile->places)
        tmi_free(allocator, datafile->places, datafile->max_places, sizeof(tmi_place));
    if (datafile->runs)
        tmi_free(allocator, datafile->runs, datafile->max_runs, sizeof(tmi_range));
    if (datafile->input.close)
        datafile->input.close(datafile->input.ctx);
    tmi_free(allocator, datafile, 1, datafile->alloc_size);
}
