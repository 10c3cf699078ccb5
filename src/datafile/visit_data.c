/* SPDX-License-Identifier: Zlib */
/*
 * visit_data.c - many blocks at once: kept (tm_datafile_unpack), handed out (tm_datafile_visit), or only
 * judged (tmi_datafile_check_data). Each is one kind of piece for tm_tasks_run.
 */
#include "datafile.h"

/* Blocks may overlap in a damaged file. Walking all of them may read the data section this often. */
#define MAX_OVERLAP 16

struct many {
    const tm_datafile *datafile;
    tm_datafile_visitor visit;
    void *visit_ctx;
    tmi_data_survey *found; /* of check_data and the survey: one for each block */
};

static uint64_t weight_to_unpack(void *ctx, uint32_t index)
{
    const struct many *many = ctx;
    return tmi_block_at(many->datafile, index).size;
}

/* Of a check: what the packed bytes can fill is enough to know the state. */
static uint64_t bytes_to_unpack(const struct many *many, const tmi_data_range *block)
{
    return many->found && block->most < block->size ? block->most : block->size;
}

/* The memory that unpacking a block takes: its unpacked bytes, and its packed bytes as they are read. */
static uint64_t memory_to_unpack(void *ctx, uint32_t index)
{
    const struct many *many = ctx;
    const tmi_data_range block = tmi_block_at(many->datafile, index);
    return bytes_to_unpack(many, &block) + tmi_scratch_need(&block);
}

/* Refuses to walk all blocks of a file whose table names the same bytes many times over. */
tm_status tmi_check_amplification(const tm_datafile *datafile, tm_error *error)
{
    uint64_t packed = 0;
    for (uint32_t i = 0; i < datafile->num_data; i++)
        packed += tmi_block_at(datafile, i).packed_size;
    if (packed / MAX_OVERLAP > datafile->plan.data_size)
        return tmi_fail(error, TM_ERROR_LIMIT, (int64_t)datafile->plan.data_offsets_at,
                        "the blocks overlap too much: %llu packed bytes in %lu bytes of data",
                        (unsigned long long)packed, (unsigned long)datafile->plan.data_size);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- unpack */

static tm_status unpack_piece(void *ctx, void *memory, uint32_t index, bool *stop, tm_error *error)
{
    const struct many *many = ctx;
    tmi_worker *worker = tmi_worker_begin(memory, many->datafile->allocator);
    const void *bytes;
    (void)stop;
    return tmi_data_bytes(&bytes, many->datafile, index, worker, error);
}

/* The blocks that are asked for, whole; what is to be done with them is up to the caller. */
static tm_status pieces_over(tm_tasks *out, struct many *many, const uint32_t *indices, uint32_t num,
                             tm_error *error)
{
    const uint32_t num_data = many->datafile->num_data;
    for (uint32_t i = 0; indices && i < num; i++)
        if (indices[i] >= num_data)
            return tmi_fail_index(error, "data block", indices[i], num_data);
    *out = (tm_tasks){.size = sizeof(tm_tasks),
                      .allocator = many->datafile->allocator,
                      .ctx = many,
                      .indices = indices,
                      .num = indices ? num : num_data,
                      .weight = weight_to_unpack,
                      .memory = memory_to_unpack,
                      .worker_size = sizeof(tmi_worker),
                      .worker_release = tmi_worker_release};
    return TM_OK;
}

tm_status tm_datafile_unpack(const tm_datafile *datafile, const uint32_t *indices, uint32_t num,
                             const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(datafile, "datafile", error));
    struct many many = {.datafile = datafile};
    tm_tasks pieces;
    TM_TRY(pieces_over(&pieces, &many, indices, num, error));
    pieces.work = unpack_piece;
    /* keeping these blocks, too, has to stay within the limit */
    const uint64_t limit = datafile->limits.unpacked_bytes;
    uint64_t total = atomic_load(&datafile->shared->account);
    for (uint32_t i = 0; i < pieces.num; i++) {
        const uint32_t index = indices ? indices[i] : i;
        if (!tmi_data_in_use(datafile, index))
            total += tmi_block_at(datafile, index).size;
    }
    if (total > limit)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many unpacked bytes: %llu, and the limit is %llu",
                        (unsigned long long)total, (unsigned long long)limit);
    return tm_tasks_run(&pieces, job, error);
}

/* -------------------------------------------------------------------------------------------------- visit */

/*
 * Whether a block is packed as another: where a file lies in memory, it comes out of its packing as that did.
 * Layers of a small file can have a thousand copies of the same large data, each with bytes of its own.
 */
static bool is_packed_alike(const tmi_data_range *a, const tmi_data_range *b)
{
    const uint8_t *file = a->datafile->input.memory;
    return file && a->datafile->plan.version == 4 && !a->bad && !b->bad && a->packed_size == b->packed_size &&
           a->size == b->size && a->announced == b->announced && a->most == b->most &&
           memcmp(file + a->offset, file + b->offset, (size_t)a->packed_size) == 0;
}

/* Unpacks a block into the worker's scratch, unless it is there. */
static tm_status unpack_to_scratch(tmi_worker *worker, const struct many *many, const tmi_data_range *block,
                                   size_t size, tm_error *error)
{
    if (worker->in_scratch) {
        const tmi_data_range last = tmi_block_at(many->datafile, worker->in_scratch - 1);
        if (is_packed_alike(&last, block))
            return TM_OK; /* state and got are as they were */
    }
    worker->in_scratch = 0;
    uint8_t *buffer = tmi_worker_scratch(worker, size + tmi_scratch_need(block), error);
    if (!buffer)
        return TM_ERROR_MEMORY;
    TM_TRY(tmi_unpack_into(worker, block, buffer + size, buffer, size, error));
    worker->in_scratch = block->index + 1;
    return TM_OK;
}

static tm_status visit_piece(void *ctx, void *memory, uint32_t index, bool *stop, tm_error *error)
{
    const struct many *many = ctx;
    tmi_worker *worker = tmi_worker_begin(memory, many->datafile->allocator);
    const tmi_data_range block = tmi_block_at(many->datafile, index);
    TM_TRY(tmi_check_block_size(&block, error));
    const size_t size = (size_t)bytes_to_unpack(many, &block);
    TM_TRY(unpack_to_scratch(worker, many, &block, size, error));
    if (many->found)
        many->found[index] = (tmi_data_survey){worker->state, worker->got};
    const tm_status status =
        many->visit ? many->visit(many->visit_ctx, index, worker->scratch, size, worker->state) : TM_OK;
    *stop = status != TM_OK;
    return status ? tmi_fail(error, status, (int64_t)block.offset, "visiting stopped at data block %lu",
                             (unsigned long)index)
                  : TM_OK;
}

static tm_status visit_blocks(struct many *many, const uint32_t *indices, uint32_t num, const tm_job *job,
                              tm_error *error)
{
    tm_tasks pieces;
    TM_TRY(pieces_over(&pieces, many, indices, num, error));
    pieces.work = visit_piece;
    if (!indices)
        TM_TRY(tmi_check_amplification(many->datafile, error));
    return tm_tasks_run(&pieces, job, error);
}

tm_status tm_datafile_visit(const tm_datafile *datafile, const uint32_t *indices, uint32_t num,
                            tm_datafile_visitor visit, void *ctx, const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_need(datafile, "datafile", error));
    struct many many = {.datafile = datafile, .visit = visit, .visit_ctx = ctx};
    return visit_blocks(&many, indices, num, job, error);
}

/* -------------------------------------------------------------------------------------------------- check */

tm_status tmi_survey_data(tmi_data_survey *list, const tm_datafile *datafile, const tm_job *job,
                          tm_error *error)
{
    struct many many = {.datafile = datafile, .found = list};
    return visit_blocks(&many, NULL, 0, job, error);
}

tm_status tmi_datafile_check_data(const tm_datafile *datafile, tm_datafile_visitor visit, void *ctx,
                                  const tm_job *job, tm_findings *findings, tm_error *error)
{
    static const struct {
        tm_finding_id id;
        const char *text;
    } states[] = {[TM_DATA_TRAILING] = {TM_FINDING_DATA_TRAILING,
                                        "bytes follow the stream inside the range of the block"},
                  [TM_DATA_EMPTY] = {TM_FINDING_EMPTY_DATA, "the block is empty"},
                  [TM_DATA_SHORT] = {TM_FINDING_DATA_SHORT, "the stream holds fewer bytes than announced"},
                  [TM_DATA_LONG] = {TM_FINDING_DATA_LONG, "the stream holds more bytes than announced"},
                  [TM_DATA_CHECKSUM] = {TM_FINDING_DATA_CHECKSUM,
                                        "all bytes are there, but the checksum is wrong or missing"},
                  [TM_DATA_BROKEN] = {TM_FINDING_DATA_BROKEN, "the packed bytes are broken or missing"}};
    struct many many = {.datafile = datafile, .visit = visit, .visit_ctx = ctx};
    tmi_report report = {.findings = findings, .mode = datafile->mode};
    TM_TRY(tmi_reserve_zeroed(&many.found, datafile->allocator, datafile->num_data, sizeof(*many.found),
                              "the states of blocks", error));
    tm_status status = visit_blocks(&many, NULL, 0, job, error);
    for (uint32_t i = 0; status == TM_OK && i < datafile->num_data; i++) {
        const tm_data_state state = many.found[i].state;
        if (state == TM_DATA_FINE)
            continue;
        const tmi_data_range block = tmi_block_at(datafile, i);
        tmi_report_at(&report, states[state].id, block.offset, "data", i, "%s (announced: %llu bytes)",
                      states[state].text, (unsigned long long)block.announced);
    }
    tmi_free(datafile->allocator, many.found, datafile->num_data, sizeof(*many.found));
    return status;
}
