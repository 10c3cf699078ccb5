/* SPDX-License-Identifier: Zlib */
/*
 * unpack_data.c - single data blocks: out of their packing into a buffer, with the state that they are found
 * in (section 1.6); and the tools of a thread for it, created on first use. An idle worker waits in an atomic
 * slot of the datafile, so that consecutive calls share it.
 */
#include "datafile.h"

/* Working memory that a spare worker may keep between calls. */
#define SPARE_CAPACITY ((size_t)1 << 20)

/* -------------------------------------------------------------------------------------------------- parts */

tmi_inflater *tmi_worker_inflater(tmi_worker *worker, tm_error *error)
{
    if (!worker->inflater)
        worker->inflater = tmi_inflater_new(worker->allocator);
    if (!worker->inflater)
        tmi_fail_memory(error, 0, "an inflater");
    return worker->inflater;
}

tmi_deflater *tmi_worker_deflater(tmi_worker *worker, int level, tm_error *error)
{
    if (worker->deflater && worker->level != level) {
        tmi_deflater_free(worker->deflater);
        worker->deflater = NULL;
    }
    if (!worker->deflater)
        worker->deflater = tmi_deflater_new(level);
    if (!worker->deflater)
        tmi_fail_memory(error, 0, "a deflater");
    worker->level = level;
    return worker->deflater;
}

uint8_t *tmi_worker_scratch(tmi_worker *worker, uint64_t size, tm_error *error)
{
    if (worker->scratch && size <= worker->capacity)
        return worker->scratch;
    tmi_free(worker->allocator, worker->scratch, worker->capacity, 1);
    worker->capacity = 0;
    worker->scratch = size < SIZE_MAX ? tmi_alloc(worker->allocator, (size_t)size, 1) : NULL;
    if (!worker->scratch)
        tmi_fail_memory(error, size, "working memory");
    else
        worker->capacity = (size_t)size;
    return worker->scratch;
}

void tmi_worker_release(void *ctx, void *memory)
{
    tmi_worker *worker = memory;
    (void)ctx;
    tmi_inflater_free(worker->inflater);
    tmi_deflater_free(worker->deflater);
    tmi_free(worker->allocator, worker->scratch, worker->capacity, 1);
    worker->inflater = NULL;
    worker->deflater = NULL;
    worker->scratch = NULL;
    worker->capacity = 0;
}

/* -------------------------------------------------------------------------------------------------- spare */

void tmi_worker_free(tmi_worker *worker)
{
    if (!worker)
        return;
    const tm_allocator *allocator = worker->allocator;
    tmi_worker_release(NULL, worker);
    tmi_free(allocator, worker, 1, sizeof(*worker));
}

tmi_worker *tmi_worker_take(const tm_datafile *datafile, tm_error *error)
{
    tmi_worker *worker = atomic_exchange(&datafile->shared->spare, NULL);
    if (worker)
        return worker;
    worker = tmi_calloc(datafile->allocator, 1, sizeof(*worker));
    if (!worker)
        tmi_fail_memory(error, sizeof(*worker), "the state of unpacking");
    else
        worker->allocator = datafile->allocator;
    return worker;
}

void tmi_worker_give(const tm_datafile *datafile, tmi_worker *worker)
{
    if (worker->capacity > SPARE_CAPACITY) {
        tmi_free(worker->allocator, worker->scratch, worker->capacity, 1);
        worker->scratch = NULL;
        worker->capacity = 0;
    }
    tmi_worker *empty = NULL;
    if (!atomic_compare_exchange_strong(&datafile->shared->spare, &empty, worker))
        tmi_worker_free(worker);
}

/* ---------------------------------------------------------------------------------------------- unpacking */

uint64_t tmi_scratch_need(const tmi_data_range *block)
{
    bool direct = block->datafile->input.memory || block->datafile->plan.version != 4;
    return direct ? 0 : block->packed_size;
}

bool tmi_is_nothing(const tmi_data_range *block)
{
    enum { DEFLATED = 8, STORED = 11 }; /* bytes of a stream of nothing, in both ways to write it */
    return block->packed_size <= DEFLATED || block->packed_size == STORED;
}

tm_status tmi_unpack_into(tmi_worker *worker, const tmi_data_range *block, uint8_t *scratch, void *buffer,
                          size_t size, tm_error *error)
{
    static const tm_data_state states[] = {
        [TMI_INFLATE_OK] = TM_DATA_FINE,           [TMI_INFLATE_TRAILING] = TM_DATA_TRAILING,
        [TMI_INFLATE_SHORT] = TM_DATA_SHORT,       [TMI_INFLATE_LONG] = TM_DATA_LONG,
        [TMI_INFLATE_CHECKSUM] = TM_DATA_CHECKSUM, [TMI_INFLATE_BROKEN] = TM_DATA_BROKEN};
    const tm_input *input = &block->datafile->input;
    const uint8_t *packed = scratch;
    size_t packed_size = (size_t)block->packed_size;
    worker->state = TM_DATA_BROKEN;
    worker->got = 0;
    if (block->bad || (block->announced > 0 && block->packed_size == 0)) {
        memset(buffer, 0, size);
        return TM_OK;
    }
    if (block->announced == 0) {
        worker->state = TM_DATA_EMPTY;
        return TM_OK;
    }
    if (block->datafile->plan.version != 4) { /* version 3: the bytes are as they are */
        const size_t there = packed_size < size ? packed_size : size;
        worker->state = block->packed_size < block->announced ? TM_DATA_BROKEN : TM_DATA_FINE;
        worker->got = there;
        memset((uint8_t *)buffer + there, 0, size - there);
        return there == 0 ? TM_OK : tmi_input_read(input, block->offset, buffer, there, error);
    }
    /* version 4: a zlib stream, where it lies or read into `scratch` */
    tmi_inflater *inflater = tmi_worker_inflater(worker, error);
    if (!inflater)
        return TM_ERROR_MEMORY;
    if (input->memory)
        packed = (const uint8_t *)input->memory + block->offset;
    else
        TM_TRY(tmi_input_read(input, block->offset, scratch, packed_size, error));
    worker->state = states[tmi_inflate(inflater, buffer, size, &worker->got, packed, packed_size)];
    /* A buffer below the announced size has room for all that can come. */
    if (size < block->announced && (worker->state == TM_DATA_FINE || worker->state == TM_DATA_TRAILING))
        worker->state = TM_DATA_SHORT;
    return TM_OK;
}

tm_status tmi_judge_state(const tmi_data_range *block, tm_data_state state, tm_error *error)
{
    const tm_datafile *datafile = block->datafile;
    static const char *const texts[] = {[TM_DATA_EMPTY] = "zero bytes are announced",
                                        [TM_DATA_SHORT] = "the stream holds fewer bytes than announced",
                                        [TM_DATA_LONG] = "the stream holds more bytes than announced",
                                        [TM_DATA_CHECKSUM] = "the checksum is wrong",
                                        [TM_DATA_BROKEN] = "the packed bytes are broken or missing"};
    bool fine = state == TM_DATA_FINE || state == TM_DATA_TRAILING;
    if (fine || datafile->mode == TM_MODE_SALVAGE ||
        (datafile->mode == TM_MODE_GAME && state != TM_DATA_BROKEN))
        return TM_OK;
    tmi_fail(error, TM_ERROR_DAMAGED, (int64_t)block->offset, "%s", texts[state]);
    tmi_error_about(error, TM_SIDE_INPUT, datafile->input.name);
    return tmi_fail_at(error, TM_ERROR_DAMAGED, "data %lu", (unsigned long)block->index);
}

/* Through a worker; *got: how many bytes came from the file. */
static tm_status unpack_some(tm_data_state *state, size_t *got, const tmi_data_range *block, void *buffer,
                             size_t size, tm_error *error)
{
    tmi_worker *worker = tmi_worker_take(block->datafile, error);
    if (!worker)
        return TM_ERROR_MEMORY;
    tm_status status = TM_ERROR_MEMORY;
    uint8_t *scratch = tmi_worker_scratch(worker, tmi_scratch_need(block), error);
    if (scratch)
        status = tmi_unpack_into(worker, block, scratch, buffer, size, error);
    *state = worker->state;
    *got = worker->got;
    tmi_worker_give(block->datafile, worker);
    return status;
}

tm_status tmi_data_head(const tm_datafile *datafile, uint32_t index, void *buffer, size_t *size,
                        tm_error *error)
{
    const tmi_data_range block = tmi_block_at(datafile, index);
    const size_t room = block.size < *size ? (size_t)block.size : *size;
    tm_data_state state;
    return unpack_some(&state, size, &block, buffer, room, error);
}

tm_status tm_datafile_read_data(tm_data_state *state, const tm_datafile *datafile, uint32_t index,
                                void *buffer, uint64_t size, tm_error *error)
{
    TM_TRY(tmi_need(datafile, "datafile", error));
    tm_data_state ignored;
    tm_data_state *result = state ? state : &ignored;
    *result = TM_DATA_BROKEN;
    if (index >= datafile->num_data)
        return tmi_fail_index(error, "data block", index, datafile->num_data);
    tmi_data_range block = tmi_block_at(datafile, index);
    if (size != block.size || size > SIZE_MAX)
        return tmi_fail(error, TM_ERROR_USAGE, (int64_t)block.offset,
                        "the buffer has %llu bytes, the block %llu", (unsigned long long)size,
                        (unsigned long long)block.size);
    if (size)
        TM_TRY(tmi_need(buffer, "buffer", error));
    if (tmi_data_copy(datafile, index, buffer, result))
        return TM_OK;
    size_t got;
    TM_TRY(unpack_some(result, &got, &block, buffer, (size_t)size, error));
    return tmi_judge_state(&block, *result, error);
}

tm_status tmi_datafile_read_packed(const tm_datafile *datafile, uint32_t index, void *buffer, tm_error *error)
{
    const tmi_data_range block = tmi_block_at(datafile, index);
    if (!block.packed_size)
        return TM_OK; /* what is cut off lies behind the end of the input */
    return tmi_input_read(&datafile->input, block.offset, buffer, (size_t)block.packed_size, error);
}
