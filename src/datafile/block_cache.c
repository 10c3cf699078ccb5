/* SPDX-License-Identifier: Zlib */
/*
 * datafile/block_cache.c - unpacked blocks in the library's memory, each once for all users: callers of
 * tm_datafile_data_bytes, and blocks of maps. The bytes are freed with their last user. Any number of threads
 * may request a block at once; each may unpack it, and the second one frees its copy. Everything counts
 * against limits.unpacked_bytes.
 *
 * The datafile's lock guards its slots; no thread holds it while it unpacks.
 */
#include "datafile.h"

/*
 * One more user of the bytes that are there; NULL if none are. `raw` counts once however often it asks.
 * `fresh` (may be NULL) is put in if none are there.
 */
static const void *use_slot(const tm_datafile *datafile, uint32_t index, bool raw, void *fresh,
                            tm_data_state *state)
{
    const void *bytes = NULL;
    tmi_lock(&datafile->shared->lock);
    tmi_slot *slot = &datafile->slots[index];
    if (!slot->bytes && fresh) {
        slot->bytes = fresh;
        slot->state = (uint8_t)*state;
    }
    if (slot->bytes) {
        bytes = slot->bytes;
        slot->users += !(raw && slot->raw);
        slot->raw |= raw;
        *state = (tm_data_state)slot->state;
    }
    tmi_unlock(&datafile->shared->lock);
    return bytes;
}

/*
 * Ends a use. If it was the last one the bytes are the caller's; else NULL, and with `last_only` the use
 * goes on.
 */
static void *end_use(const tm_datafile *datafile, uint32_t index, bool raw, bool last_only)
{
    void *bytes = NULL;
    tmi_lock(&datafile->shared->lock);
    tmi_slot *slot = &datafile->slots[index];
    if (slot->users == 1 && slot->raw == raw) {
        bytes = slot->bytes;
        slot->bytes = NULL;
        slot->users = 0;
    } else if (!last_only && (slot->raw || !raw)) {
        slot->users--;
    }
    if (raw)
        slot->raw = false;
    tmi_unlock(&datafile->shared->lock);
    return bytes;
}

bool tmi_data_in_use(const tm_datafile *datafile, uint32_t index)
{
    tmi_lock(&datafile->shared->lock);
    const bool used = datafile->slots[index].bytes;
    tmi_unlock(&datafile->shared->lock);
    return used;
}

/* ---------------------------------------------------------------------------------------------- unpacking */

tm_status tmi_check_block_size(const tmi_data_range *block, tm_error *error)
{
    uint64_t limit = block->datafile->limits.block_bytes;
    if (block->size <= limit && block->size <= SIZE_MAX)
        return TM_OK;
    tmi_fail(error, TM_ERROR_LIMIT, (int64_t)block->offset,
             "the block is too large: %llu bytes, and the limit is %llu", (unsigned long long)block->size,
             (unsigned long long)limit);
    return tmi_fail_at(error, TM_ERROR_LIMIT, "data %lu", (unsigned long)block->index);
}

/*
 * Unpacks into fresh memory. At first there is only room for what the packed bytes can hold at most; the full
 * announced size is made only for a block that passes, so that a lie in the table costs nothing.
 */
static tm_status make_bytes(void **out, const tmi_data_range *block, tmi_worker *worker, tm_error *error)
{
    size_t full = (size_t)block->size;
    size_t room = (size_t)(block->size < block->most ? block->size : block->most);
    uint8_t *scratch = tmi_worker_scratch(worker, tmi_scratch_need(block), error);
    if (!scratch)
        return TM_ERROR_MEMORY;
    void *bytes = tmi_bytes_new(block->datafile->allocator, room, false);
    if (!bytes)
        return tmi_fail_memory(error, room, "unpacked data");
    tm_status status = tmi_unpack_into(worker, block, scratch, bytes, room, error);
    if (status == TM_OK)
        status = tmi_judge_state(block, worker->state, error);
    *out = status == TM_OK && room < full ? tmi_bytes_grow(bytes, full) : bytes;
    if (!*out)
        status = tmi_fail_memory(error, full, "unpacked data");
    if (status != TM_OK)
        tmi_bytes_release(bytes);
    return status;
}

/* Unpacks a block that is not there yet and puts it into the slot, unless another thread was quicker. */
static tm_status fill_slot(const void **bytes, const tmi_data_range *block, bool raw, tmi_worker *worker,
                           tm_error *error)
{
    const tm_datafile *datafile = block->datafile;
    void *fresh = NULL;
    TM_TRY(tmi_check_block_size(block, error));
    TM_TRY(tmi_count_bytes(&datafile->shared->account, block->size, datafile->limits.unpacked_bytes,
                           (int64_t)block->offset, error));
    tm_status status = make_bytes(&fresh, block, worker, error);
    if (status == TM_OK) {
        *bytes = use_slot(datafile, block->index, raw, fresh, &worker->state);
        if (*bytes == fresh)
            return TM_OK;
        tmi_bytes_release(fresh);
    }
    tmi_uncount_bytes(&datafile->shared->account, block->size);
    return status;
}

/* `worker` NULL: one that is there for this call, if it is needed. */
static tm_status use_data(const void **bytes, tm_data_state *state, tmi_data_range block, bool raw,
                          tmi_worker *worker, tm_error *error)
{
    const tm_datafile *datafile = block.datafile;
    *bytes = use_slot(datafile, block.index, raw, NULL, state);
    if (*bytes)
        return TM_OK;
    tmi_worker *const used = worker ? worker : tmi_worker_take(datafile, error);
    if (!used)
        return TM_ERROR_MEMORY;
    tm_status status = fill_slot(bytes, &block, raw, used, error);
    *state = used->state;
    if (!worker)
        tmi_worker_give(datafile, used);
    return status;
}

tm_status tmi_data_bytes(const void **bytes, const tm_datafile *datafile, uint32_t index, tmi_worker *worker,
                         tm_error *error)
{
    tm_data_state state;
    return use_data(bytes, &state, tmi_block_at(datafile, index), true, worker, error);
}

tm_status tm_datafile_data_bytes(const void **bytes, tm_data_state *state, const tm_datafile *datafile,
                                 uint32_t index, tm_error *error)
{
    TM_TRY(tmi_need(bytes, "bytes", error));
    *bytes = NULL;
    TM_TRY(tmi_need(datafile, "datafile", error));
    tm_data_state ignored;
    tm_data_state *result = state ? state : &ignored;
    *result = TM_DATA_BROKEN;
    if (index >= datafile->num_data)
        return tmi_fail_index(error, "data block", index, datafile->num_data);
    return use_data(bytes, result, tmi_block_at(datafile, index), true, NULL, error);
}

void tm_datafile_drop(tm_datafile *datafile, uint32_t index)
{
    void *bytes = datafile && index < datafile->num_data ? end_use(datafile, index, true, false) : NULL;
    if (!bytes)
        return;
    tmi_uncount_bytes(&datafile->shared->account, tmi_bytes_size(bytes));
    tmi_bytes_release(bytes);
}

/* ---------------------------------------------------------------------------------- for blocks of maps */

tm_status tmi_data_use(const tm_datafile *datafile, uint32_t index, const void **bytes, tm_error *error)
{
    tm_data_state state;
    return use_data(bytes, &state, tmi_block_at(datafile, index), false, NULL, error);
}

bool tmi_data_end_use(const tm_datafile *datafile, uint32_t index, bool last_only)
{
    return end_use(datafile, index, false, last_only);
}

bool tmi_data_copy(const tm_datafile *datafile, uint32_t index, void *buffer, tm_data_state *state)
{
    const void *bytes = use_slot(datafile, index, false, NULL, state);
    if (!bytes)
        return false;
    const size_t size = tmi_bytes_size(bytes);
    memcpy(buffer, bytes, size);
    if (tmi_data_end_use(datafile, index, false)) {
        tmi_bytes_release(bytes);
        tmi_uncount_bytes(&datafile->shared->account, size);
    }
    return true;
}
