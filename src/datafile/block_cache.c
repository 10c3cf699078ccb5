/* SPDX-License-Identifier: Zlib */
/*
 * datafile/block_cache.c - unpacked blocks in the library's memory. Each hangs on one atomic pointer,
 * published by compare-and-swap, so that any number of threads may ask at once; who comes second frees the
 * copy. What is kept is counted against limits.unpacked_bytes.
 */
#include "datafile.h"

/*
 * The handle is const to those who read through it; what follows is the part of it that atomics guard.
 * tm_datafile_open made it writable memory.
 */
static tm_datafile *guarded(const tm_datafile *datafile)
{
    union {
        const tm_datafile *shared;
        tm_datafile *own;
    } handle = {datafile};
    return handle.own;
}

_Atomic(tmi_worker *) *tmi_spare_of(const tm_datafile *datafile)
{
    return &guarded(datafile)->spare;
}

/* The array of slots, made when the first block is asked for. */
static tmi_slot *slots_of(const tm_datafile *datafile, tm_error *error)
{
    _Atomic(tmi_slot *) *home = &guarded(datafile)->slots;
    tmi_slot *slots = atomic_load(home);
    if (slots)
        return slots;
    tmi_slot *fresh = tmi_alloc(datafile->allocator, datafile->num_data, sizeof(tmi_slot));
    if (!fresh) {
        tmi_fail_memory(error, (uint64_t)datafile->num_data * sizeof(tmi_slot), "the list of blocks");
        return NULL;
    }
    for (uint32_t i = 0; i < datafile->num_data; i++)
        atomic_init(&fresh[i], NULL);
    if (atomic_compare_exchange_strong(home, &slots, fresh))
        return fresh;
    tmi_free(datafile->allocator, fresh, datafile->num_data, sizeof(tmi_slot));
    return slots;
}

static void free_kept(const tm_datafile *datafile, tmi_kept *kept)
{
    if (kept)
        tmi_free(datafile->allocator, kept, 1, sizeof(*kept) + kept->size);
}

void tmi_slots_release(tm_datafile *datafile)
{
    tmi_slot *slots = atomic_load(&datafile->slots);
    if (!slots)
        return;
    for (uint32_t i = 0; i < datafile->num_data; i++)
        free_kept(datafile, atomic_load(&slots[i]));
    tmi_free(datafile->allocator, slots, datafile->num_data, sizeof(tmi_slot));
}

/* ----------------------------------------------------------------------------------------------- counting */

tm_status tmi_check_room(const tm_datafile *datafile, const uint32_t *indices, uint32_t num, tm_error *error)
{
    uint64_t limit = datafile->limits.unpacked_bytes;
    uint64_t total = atomic_load(&guarded(datafile)->kept_bytes);
    tmi_slot *slots = atomic_load(&guarded(datafile)->slots);
    for (uint32_t i = 0; i < num; i++) {
        uint32_t index = indices ? indices[i] : i;
        if (!slots || !atomic_load(&slots[index]))
            total += tmi_block_at(datafile, index).size;
    }
    if (total <= limit)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many unpacked bytes: %llu, and the limit is %llu",
                    (unsigned long long)total, (unsigned long long)limit);
}

static tm_status count_bytes(const tm_datafile *datafile, const tmi_data_range *block, tm_error *error)
{
    uint64_t limit = datafile->limits.unpacked_bytes;
    size_t size = (size_t)block->size;
    size_t before = atomic_fetch_add(&guarded(datafile)->kept_bytes, size);
    if (before <= SIZE_MAX - size && before + size <= limit)
        return TM_OK;
    atomic_fetch_sub(&guarded(datafile)->kept_bytes, size);
    return tmi_fail(error, TM_ERROR_LIMIT, (int64_t)block->offset,
                    "too many unpacked bytes: %llu more than the %llu held already, and the limit is %llu",
                    (unsigned long long)block->size, (unsigned long long)before, (unsigned long long)limit);
}

static void uncount_bytes(const tm_datafile *datafile, size_t size)
{
    atomic_fetch_sub(&guarded(datafile)->kept_bytes, size);
}

/* ---------------------------------------------------------------------------------------------- unpacking */

tm_status tmi_check_block_size(const tm_datafile *datafile, uint32_t index, const tmi_data_range *block,
                               tm_error *error)
{
    uint64_t limit = datafile->limits.block_bytes;
    if (block->size <= limit && block->size <= SIZE_MAX - sizeof(tmi_kept))
        return TM_OK;
    tmi_fail(error, TM_ERROR_LIMIT, (int64_t)block->offset,
             "the block is too large: %llu bytes, and the limit is %llu", (unsigned long long)block->size,
             (unsigned long long)limit);
    return tmi_fail_at(error, TM_ERROR_LIMIT, "data %lu", (unsigned long)index);
}

/*
 * Unpacks into fresh memory. At first there is only room for what the packed bytes can hold at most; the full
 * announced size is made only for a block that passes, so that a lie in the table costs nothing.
 */
static tm_status make_kept(const tm_datafile *datafile, uint32_t index, const tmi_data_range *block,
                           tmi_worker *worker, tmi_kept **out, tm_data_state *state, tm_error *error)
{
    size_t full = (size_t)block->size;
    size_t room = (size_t)tmi_block_ceiling(datafile, block);
    uint8_t *scratch = tmi_worker_scratch(worker, tmi_scratch_need(datafile, block), error);
    if (!scratch)
        return TM_ERROR_MEMORY;
    tmi_kept *kept = tmi_alloc(datafile->allocator, 1, sizeof(*kept) + room);
    if (!kept)
        return tmi_fail_memory(error, room, "unpacked data");
    tm_status status = tmi_unpack_into(datafile, worker, block, scratch, kept + 1, room, state, error);
    if (status == TM_OK)
        status = tmi_judge_state(datafile, index, block, *state, error);
    if (status == TM_OK && room < full) {
        tmi_kept *larger =
            tmi_realloc(datafile->allocator, kept, sizeof(*kept) + room, sizeof(*kept) + full, 1);
        if (!larger)
            status = tmi_fail_memory(error, full, "unpacked data");
        else
            memset((uint8_t *)((kept = larger) + 1) + room, 0, full - room);
    }
    if (status != TM_OK) {
        tmi_free(datafile->allocator, kept, 1, sizeof(*kept) + room);
        return status;
    }
    kept->size = full;
    kept->state = *state;
    *out = kept;
    return TM_OK;
}

/* Unpacks a block that is not kept yet and hangs it up, unless another thread was quicker. */
static tm_status keep_block(const tm_datafile *datafile, uint32_t index, tmi_slot *slot, tmi_worker *worker,
                            tmi_kept **out, tm_data_state *state, tm_error *error)
{
    tmi_data_range block = tmi_block_at(datafile, index);
    tmi_kept *fresh = NULL;
    TM_TRY(tmi_check_block_size(datafile, index, &block, error));
    TM_TRY(count_bytes(datafile, &block, error));
    tm_status status = make_kept(datafile, index, &block, worker, &fresh, state, error);
    if (status != TM_OK) {
        uncount_bytes(datafile, (size_t)block.size);
        return status;
    }
    tmi_kept *other = NULL;
    *out = fresh;
    if (atomic_compare_exchange_strong(slot, &other, fresh))
        return TM_OK;
    *out = other;
    uncount_bytes(datafile, fresh->size);
    free_kept(datafile, fresh);
    return TM_OK;
}

tm_status tmi_data_bytes(const tm_datafile *datafile, uint32_t index, tmi_worker *worker, const void **bytes,
                         tm_data_state *state, tm_error *error)
{
    tmi_slot *slots = slots_of(datafile, error);
    if (!slots)
        return TM_ERROR_MEMORY;
    tmi_kept *kept = atomic_load(&slots[index]);
    if (!kept)
        TM_TRY(keep_block(datafile, index, &slots[index], worker, &kept, state, error));
    *state = kept->state;
    *bytes = kept + 1;
    return TM_OK;
}

tm_status tm_datafile_data_bytes(const tm_datafile *datafile, uint32_t index, const void **bytes,
                                 tm_data_state *state, tm_error *error)
{
    TM_TRY(tmi_need(bytes, "bytes", error));
    *bytes = NULL;
    TM_TRY(tmi_need(datafile, "datafile", error));
    tm_data_state ignored;
    tm_data_state *result = state ? state : &ignored;
    *result = TM_DATA_BROKEN;
    if (index >= datafile->num_data)
        return tmi_fail_index(error, "data block", index, datafile->num_data);
    tmi_worker *worker = tmi_worker_take(datafile, error);
    if (!worker)
        return TM_ERROR_MEMORY;
    tm_status status = tmi_data_bytes(datafile, index, worker, bytes, result, error);
    tmi_worker_give(datafile, worker);
    return status;
}

void tm_datafile_drop(tm_datafile *datafile, uint32_t index)
{
    if (!datafile)
        return;
    tmi_slot *slots = atomic_load(&datafile->slots);
    if (!slots || index >= datafile->num_data)
        return;
    tmi_kept *kept = atomic_exchange(&slots[index], NULL);
    if (!kept)
        return;
    uncount_bytes(datafile, kept->size);
    free_kept(datafile, kept);
}
