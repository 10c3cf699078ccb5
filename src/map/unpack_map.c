/* SPDX-License-Identifier: Zlib */
/*
 * unpack_map.c - unpacks many blocks of a map, or all, on the threads of a job. tm_tasks_run (teemap/jobs.h)
 * decides the order, within the job's memory.
 */
#include "internal.h"

#include <teemap/jobs.h>

typedef struct unpacking {
    const tm_map *map;
    const tm_block *const *wanted; /* the caller's list of num_wanted, or NULL for the whole map */
    uint32_t num_wanted;
    const tm_block **blocks; /* those that are still packed */
    uint64_t *keys;          /* as many */
    uint32_t num;
    atomic_uint failed; /* the lowest index of those that could not be unpacked */
} unpacking;

/* ----------------------------------------------------------------------------------------------- the list */

static void add_packed_block(unpacking *work, const tm_block *block)
{
    if (!block || tmi_block_held(block))
        return;
    if (work->blocks)
        work->blocks[work->num] = block;
    work->num++;
}

static tm_status list_block(void *ctx, tm_block *block, const tm_address *address)
{
    (void)address;
    add_packed_block(ctx, block);
    return TM_OK;
}

/* Lists the blocks that are still packed; only counts them while there is no list. */
static void list_packed(unpacking *work)
{
    work->num = 0;
    if (!work->wanted)
        (void)tmi_map_each_block(work->map, list_block, work);
    for (uint32_t i = 0; work->wanted && i < work->num_wanted; i++)
        add_packed_block(work, work->wanted[i]);
}

/* Removes blocks that share their bytes with an earlier one: they need no memory and no work. */
static void leave_out_sharers(unpacking *work)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < work->num; i++) {
        const tm_block *block = work->blocks[i];
        const bool shares = block->shares && block->origin == work->map->priv->origin;
        work->keys[i] = (uint64_t)(shares ? block->data_index : UINT32_MAX) << 32 | i;
    }
    tmi_sort_u64(work->keys, work->num);
    for (uint32_t i = 1; i < work->num; i++)
        if (work->keys[i] >> 32 == work->keys[i - 1] >> 32 && work->keys[i] >> 32 != UINT32_MAX)
            work->blocks[(uint32_t)work->keys[i]] = NULL;
    for (uint32_t i = 0; i < work->num; i++)
        if (work->blocks[i])
            work->blocks[left++] = work->blocks[i];
    work->num = left;
}

/* ------------------------------------------------------------------------------------------------- errors */

/* Puts the place of a block before an error about it. */
typedef struct search {
    const tm_map *map;
    const tm_block *block;
    tm_error *error;
} search;

static tm_status name_block(void *ctx, tm_block *block, const tm_address *address)
{
    const search *wanted = ctx;
    if (block != wanted->block)
        return TM_OK;
    return tmi_fail_at_address(wanted->error, TM_ERROR_DAMAGED, wanted->map, *address);
}

/* ------------------------------------------------------------------------------------------------- pieces */

static uint64_t bytes_of_block(void *ctx, uint32_t index)
{
    return ((const unpacking *)ctx)->blocks[index]->size;
}

static tm_status unpack_one(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    unpacking *work = ctx;
    const void *bytes;
    (void)worker;
    (void)stop;
    const tm_status status = tm_map_data(&bytes, NULL, work->map, work->blocks[index], error);
    unsigned lowest = atomic_load(&work->failed);
    while (status != TM_OK && index < lowest &&
           !atomic_compare_exchange_weak(&work->failed, &lowest, index)) {
    }
    return status;
}

static tm_status unpack_listed(unpacking *work, const tm_job *job, tm_error *error)
{
    tm_tasks pieces = {.size = sizeof(pieces),
                       .allocator = tmi_map_allocator(work->map),
                       .ctx = work,
                       .work = unpack_one,
                       .weight = bytes_of_block,
                       .memory = bytes_of_block};
    const uint64_t limit = work->map->priv->limits.unpacked_bytes;
    uint64_t total = tmi_map_held(work->map);
    bool stop = false;
    list_packed(work);
    leave_out_sharers(work);
    pieces.num = work->num;
    /* All together stay within the limits before the first is unpacked: else threads decide which fails. */
    for (uint32_t i = 0; i < work->num; i++) {
        const tm_block *block = work->blocks[i];
        const bool there = block->shares && block->origin->functions->in_use(block->origin, block);
        const uint64_t size = there ? 0 : block->size;
        if (total > limit || size > limit - total)
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many unpacked bytes: the limit is %llu",
                            (unsigned long long)limit);
        total += size;
    }
    TM_TRY(tm_tasks_run(&pieces, job, error));
    list_packed(work); /* what shares with what is unpacked by now */
    for (uint32_t i = 0; i < work->num; i++)
        TM_TRY(unpack_one(work, NULL, i, &stop, error));
    return TM_OK;
}

tm_status tm_map_unpack(const tm_map *map, const tm_block *const *blocks, uint32_t num, const tm_job *job,
                        tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    tmi_arena arena;
    tmi_arena_init(&arena, tmi_map_allocator(map));
    unpacking work = {.map = map, .wanted = blocks, .num_wanted = num};
    list_packed(&work);
    const uint32_t capacity = work.num;
    atomic_init(&work.failed, UINT32_MAX);
    tm_status status =
        tmi_arena_reserve(&work.keys, &arena, capacity, sizeof(*work.keys), "a list of blocks", error);
    if (!status)
        status = tmi_arena_reserve(&work.blocks, &arena, capacity, sizeof(*work.blocks), "a list of blocks",
                                   error);
    if (!status)
        status = unpack_listed(&work, job, error);
    if (status && atomic_load(&work.failed) < work.num && error)
        (void)tmi_map_each_block(map, name_block,
                                 &(search){map, work.blocks[atomic_load(&work.failed)], error});
    tmi_arena_release(&arena);
    return status;
}

/* -------------------------------------------------------------------------------------------------- views */

/*
 * Holds on the bytes of a block (src/base/shared_bytes.c). A view lives on when the block is edited, dropped
 * or freed, as the block then takes other memory; so the bytes that it shows never change and never go away
 * under it. A tm_view is never defined: the pointer is that of the bytes.
 */
tm_status tm_view_new(tm_view **out, const tm_map *map, const tm_block *block, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    const void *bytes;
    *out = NULL;
    TM_TRY(tm_map_data(&bytes, NULL, map, block, error));
    if (!bytes)
        return TM_OK;
    tmi_bytes_retain(bytes);
    *out = TMI_UNCONST(tm_view, bytes);
    return TM_OK;
}

const void *tm_view_bytes(uint64_t *size, const tm_view *view)
{
    if (size)
        *size = view ? tmi_bytes_size(view) : 0;
    return view;
}

void tm_view_free(tm_view *view)
{
    tmi_bytes_release(view);
}
