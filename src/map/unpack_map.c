/* SPDX-License-Identifier: Zlib */
/*
 * Unpacking all blocks of a map on the caller's threads.
 *
 * Largest first, so that no thread is left with a large block while the others have nothing to do. The job's
 * memory budget is kept by cutting the list into batches, each run to its end before the next: a thread that
 * waited until enough of the budget is free would need more than atomics. Results are the same whatever the
 * number of threads: of several failures the first in the list is reported.
 */
#include "internal.h"

typedef struct work {
    const tm_map *map;
    const tm_block **blocks;
    uint32_t num, capacity;
    uint32_t first; /* of the batch at hand */
    tm_job job;
    uint64_t total;
    atomic_ullong done;
    atomic_flag reporting; /* some thread is in the progress callback */
    atomic_flag keeping;   /* some thread writes the failure below */
    atomic_uint failed;    /* lowest index that failed, UINT32_MAX for none */
    tm_status status;
    tm_error error;
} work;

/* ----------------------------------------------------------------------------------------------- the list */

static tm_status count_block(void *ctx, tm_block *block, const tm_address *address)
{
    (void)address;
    (void)block;
    ((work *)ctx)->capacity++;
    return TM_OK;
}

static tm_status list_block(void *ctx, tm_block *block, const tm_address *address)
{
    work *all = ctx;
    (void)address;
    if (atomic_load_explicit(&block->bytes, memory_order_acquire))
        return TM_OK;
    all->blocks[all->num++] = block;
    all->total += block->size;
    return TM_OK;
}

/* By size, largest first; equal ones by their place in the file. */
static int compare_blocks(const void *left, const void *right)
{
    const tm_block *a = *(const tm_block *const *)left, *b = *(const tm_block *const *)right;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    if (a->data_index != b->data_index)
        return a->data_index < b->data_index ? -1 : 1;
    return 0;
}

/* -------------------------------------------------------------------------------------------------- tasks */

/* Reports progress unless another thread does so now; it will count our bytes the next time. */
static void report_bytes(work *all)
{
    if (!all->job.progress || atomic_flag_test_and_set_explicit(&all->reporting, memory_order_acquire))
        return;
    all->job.progress(all->job.progress_ctx, atomic_load(&all->done), all->total);
    atomic_flag_clear_explicit(&all->reporting, memory_order_release);
}

/*
 * Keeps the failure with the lowest index. Failures are rare and keeping one takes no time, so waiting in a
 * loop is fine.
 */
static void keep_failure(work *all, uint32_t index, tm_status status, const tm_error *error)
{
    while (atomic_flag_test_and_set_explicit(&all->keeping, memory_order_acquire)) {
    }
    if (index < atomic_load(&all->failed)) {
        atomic_store(&all->failed, index);
        all->status = status;
        all->error = *error;
    }
    atomic_flag_clear_explicit(&all->keeping, memory_order_release);
}

static void unpack_one(void *arg, uint32_t task)
{
    work *all = arg;
    const uint32_t index = all->first + task;
    const void *bytes;
    tm_error error = {.code = TM_OK};
    if (index > atomic_load(&all->failed))
        return;
    tm_status status;
    if (tmi_cancelled(all->job.cancel))
        status = tmi_fail(&error, TM_ERROR_CANCELLED, -1, "unpacking was cancelled");
    else
        status = tm_map_data(all->map, all->blocks[index], &bytes, NULL, &error);
    if (status != TM_OK) {
        keep_failure(all, index, status, &error);
        return;
    }
    atomic_fetch_add(&all->done, all->blocks[index]->size);
    report_bytes(all);
}

/* The number of blocks from `first` on that fit the budget together; at least one. */
static uint32_t batch_size(const work *all, uint32_t first)
{
    uint64_t bytes = all->blocks[first]->size;
    uint32_t end = first + 1;
    while (end < all->num && bytes < all->job.memory_budget &&
           all->blocks[end]->size <= all->job.memory_budget - bytes)
        bytes += all->blocks[end++]->size;
    return end - first;
}

static tm_status run_batches(work *all, tm_error *error)
{
    while (all->first < all->num && atomic_load(&all->failed) == UINT32_MAX) {
        uint32_t num = batch_size(all, all->first);
        tmi_run(all->job.executor, num, unpack_one, all);
        all->first += num;
    }
    if (atomic_load(&all->failed) == UINT32_MAX) {
        report_bytes(all); /* the last word, even if a thread had to keep its own back */
        return TM_OK;
    }
    if (error)
        *error = all->error;
    return all->status;
}

/* Puts the place of a block before an error about it. */
typedef struct search {
    const tm_map *map;
    const tm_block *block;
    tm_error *error;
} search;

static tm_status name_block(void *ctx, tm_block *block, const tm_address *address)
{
    const search *wanted = ctx;
    char place[TM_ERROR_PLACE_SIZE];
    if (block != wanted->block)
        return TM_OK;
    tm_address_describe(address, wanted->map, place, sizeof(place));
    return tmi_fail_at(wanted->error, TM_ERROR_DAMAGED, "%s", place);
}

tm_status tm_map_unpack(const tm_map *map, const tm_job *job, tm_error *error)
{
    TM_TRY(tmi_check_map(map, error));
    work all = {
        .map = map, .job = tmi_job_filled(job), .reporting = ATOMIC_FLAG_INIT, .keeping = ATOMIC_FLAG_INIT};
    atomic_init(&all.done, 0);
    atomic_init(&all.failed, UINT32_MAX);
    (void)tmi_map_each_block(map, count_block, &all);
    all.blocks = tmi_alloc(tmi_map_allocator(map), all.capacity, sizeof(const tm_block *));
    if (!all.blocks)
        return tmi_fail_memory(error, (uint64_t)all.capacity * sizeof(const tm_block *), "a list of blocks");
    (void)tmi_map_each_block(map, list_block, &all);
    if (all.num > 1)
        qsort(all.blocks, all.num, sizeof(const tm_block *), compare_blocks);
    tm_status status = run_batches(&all, error);
    if (status != TM_OK && status != TM_ERROR_CANCELLED && error) {
        search wanted = {map, all.blocks[atomic_load(&all.failed)], error};
        (void)tmi_map_each_block(map, name_block, &wanted);
    }
    tmi_free(tmi_map_allocator(map), all.blocks, all.capacity, sizeof(const tm_block *));
    return status;
}
