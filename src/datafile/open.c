/* SPDX-License-Identifier: Zlib */
/*
 * datafile/open.c - opens a datafile: reads its header in one or two reads, enforces limits, and has it
 * checked. An input in memory is not copied.
 */
#include "datafile.h"

/*
 * The first read. Heads of real maps have 0.5 to 32 KiB, three quarters of them less than 4 (86 maps); of 2,
 * 4, 8 and 16 KiB this was the quickest over all of them.
 */
#define FIRST_READ 4096

/* What is under way during one opening. */
typedef struct opening {
    tmi_report report; /* its error is that of the opening */
    tm_datafile *datafile;
} opening;

static tm_status check_count_limit(uint64_t number, uint64_t limit, const char *things, uint64_t offset,
                                   tm_error *error)
{
    if (number <= limit)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_LIMIT, (int64_t)offset, "too many %s: %llu, and the limit is %llu",
                    things, (unsigned long long)number, (unsigned long long)limit);
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
static tm_status bound_counts(tm_datafile *datafile, tm_error *error)
{
    const tmi_item_layout *plan = &datafile->plan;
    const tm_limits *limits = &datafile->limits;
    const uint64_t size = datafile->input.size - (uint64_t)datafile->shift;
    uint64_t have = plan->data_at < size ? plan->data_at : size;
    if (have > SIZE_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, TMI_AT_ITEM_SIZE, "the head does not fit into memory");
    datafile->head_have = (size_t)have;
    datafile->items_have = entries_there(plan->item_size, plan->items_at, 1, have);
    datafile->num_types = entries_there(plan->num_types, plan->types_at, TMI_TYPE_ENTRY, have);
    datafile->num_items = entries_there(plan->num_items, plan->item_offsets_at, 4, have);
    datafile->num_data = entries_there(plan->num_data, plan->data_offsets_at, 4, have);
    if (plan->version == 4)
        datafile->num_data = entries_there(datafile->num_data, plan->data_sizes_at, 4, have);
    TM_TRY(check_count_limit(datafile->num_types, limits->items, "item types", TMI_AT_NUM_TYPES, error));
    TM_TRY(check_count_limit(datafile->num_items, limits->items, "items", TMI_AT_NUM_ITEMS, error));
    TM_TRY(check_count_limit(datafile->num_data, limits->blocks, "data blocks", TMI_AT_NUM_DATA, error));
    return check_count_limit(datafile->items_have, limits->item_bytes, "bytes of items", TMI_AT_ITEM_SIZE,
                             error);
}

/* Reads the first `size` bytes of an input that is not in memory; `have` of them are already there. */
static tm_status load_head(tm_datafile *datafile, size_t have, size_t size, tm_error *error)
{
    uint8_t *head;
    have = have < size ? have : size;
    TM_TRY(tmi_arena_reserve(&head, &datafile->arena, size, 1, "the head of the file", error));
    memcpy(head, datafile->head, have);
    datafile->head = head;
    return tmi_input_read(&datafile->input, have, head + have, size - have, error);
}

/*
 * Mode salvage: believes the header if the head and the length of the file agree with it, and otherwise lets
 * the bytes decide, also where the first four are those of no file at all. *have: bytes of the head that are
 * there.
 */
static tm_status judge_layout(opening *work, size_t *have, tm_error *error)
{
    tm_datafile *datafile = work->datafile;
    const uint64_t file_size = datafile->input.size;
    tmi_item_layout plan;
    const bool is_magic = *have >= 4 && tmi_is_magic(datafile->head);
    if (*have < TMI_FIXED_HEAD || (!is_magic && tmi_other_file(datafile->head, *have)))
        return TM_OK; /* nothing can be read */
    const bool may_hold = tmi_claimed_layout(&plan, datafile->head) && plan.data_at <= file_size;
    if (may_hold && !datafile->input.memory) {
        TM_TRY(load_head(datafile, *have, (size_t)plan.data_at, error));
        *have = (size_t)plan.data_at;
    }
    if (is_magic && may_hold && tmi_layout_holds(&plan, datafile->head, file_size))
        return TM_OK;
    TM_TRY(tmi_rebuild_head(datafile, &work->report, error));
    if (datafile->rebuilt_head)
        *have = SIZE_MAX;
    return TM_OK;
}

/* Reads the head, makes out types, items and blocks, and reports whatever is odd about them. */
static tm_status read_head(opening *work, tm_error *error)
{
    uint8_t buffer[FIRST_READ];
    tm_datafile *datafile = work->datafile;
    const tm_input *input = &datafile->input;
    const tmi_item_layout *plan = &datafile->plan;
    size_t have = input->size < FIRST_READ ? (size_t)input->size : FIRST_READ;
    if (!input->memory)
        TM_TRY(tmi_input_read(input, 0, buffer, have, error));
    datafile->head = input->memory ? input->memory : buffer;
    if (datafile->mode == TM_MODE_SALVAGE)
        TM_TRY(judge_layout(work, &have, error));
    if (!tmi_read_header(datafile, datafile->head, have, &work->report))
        return work->report.status;
    TM_TRY(bound_counts(datafile, error));
    if (!input->memory && (datafile->head == buffer || have < datafile->head_have))
        TM_TRY(load_head(datafile, have, datafile->head_have, error));
    TM_TRY(tmi_make_out_items(datafile, &work->report, error));
    TM_TRY(tmi_check_ids(datafile, &work->report, error));
    const bool data_in_order = tmi_check_data_table(datafile, &work->report);
    datafile->header.canonical = !datafile->rebuilt_head && datafile->plain && data_in_order &&
                                 datafile->sizes_fine && datafile->header.version == (int32_t)plan->version &&
                                 plan->data_at + plan->data_size == input->size;
    tmi_judge_sizes(datafile);
    TM_TRY(tmi_reserve_zeroed(&datafile->slots, datafile->allocator, datafile->num_data, sizeof(tmi_slot),
                              "the list of blocks", error));
    TM_TRY(tmi_read_index(datafile, &work->report, error));
    return work->report.status;
}

static tm_status open_with(opening *work, const tm_input *input, const tm_datafile_options *options,
                           tm_error *error)
{
    tm_datafile_options filled;
    tm_limits limits;
    tm_datafile *datafile;
    TM_TRY(tmi_options_take(&filled, sizeof(filled), options, "tm_datafile_options", error));
    TM_TRY(tmi_limits_take(&limits, filled.limits, error));
    work->report.mode = filled.mode;
    if (input->size > limits.file_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the file is too large: %llu bytes, and the limit is %llu",
                        (unsigned long long)input->size, (unsigned long long)limits.file_bytes);
    TM_TRY(tmi_reserve_zeroed(&datafile, filled.allocator, 1, sizeof(*datafile), "a datafile", error));
    if (tmi_lock_init(&datafile->own_shared.lock) != 0) {
        tmi_free(filled.allocator, datafile, 1, sizeof(*datafile));
        return tmi_fail(error, TM_ERROR_MEMORY, -1, "cannot make a lock for the blocks of the file");
    }
    datafile->allocator = filled.allocator;
    datafile->input = *input;
    datafile->limits = limits;
    datafile->mode = filled.mode;
    tmi_arena_init(&datafile->arena, datafile->allocator);
    datafile->shared = &datafile->own_shared;
    atomic_init(&datafile->own_shared.spare, NULL);
    atomic_init(&datafile->own_shared.account, 0);
    work->datafile = datafile; /* which has the input from now on */
    return read_head(work, error);
}

tm_status tm_datafile_open(tm_datafile **out, tm_input input, const tm_datafile_options *options,
                           tm_findings *findings, tm_error *error)
{
    opening work = {.report = {.findings = findings, .error = error}};
    if (out)
        *out = NULL;
    tm_status status = out ? open_with(&work, &input, options, error) : tmi_need(out, "out", error);
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
    for (uint32_t i = 0; datafile->slots && i < datafile->num_data; i++)
        tmi_bytes_release(datafile->slots[i].bytes);
    tmi_free(allocator, datafile->slots, datafile->num_data, sizeof(tmi_slot));
    tmi_lock_release(&datafile->own_shared.lock);
    tmi_worker_free(atomic_load(&datafile->own_shared.spare));
    tmi_arena_release(&datafile->arena);
    if (datafile->input.close)
        datafile->input.close(datafile->input.ctx);
    tmi_free(allocator, datafile, 1, sizeof(*datafile));
}
