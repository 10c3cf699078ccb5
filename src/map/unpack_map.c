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

static void add_packed_block(unpacking *all, const tm_block *block)
{
    if (!block || tmi_block_held(block))
        return;
    if (all->blocks)
        all->blocks[all->num] = block;
    all->num++;
}

static tm_status list_block(void *ctx, tm_block *block, const tm_address *address)
{
    (void)address;
    add_packed_block(ctx, block);
    return TM_OK;
}

/* Lists the blocks that are still packed; only counts them while there is no list. */
static void list_packed(unpacking *all)
{
    all->num = 0;
    if (!all->wanted)
        (void)tmi_map_each_block(all->map, list_block, all);
    for (uint32_t i = 0; all->wanted && i < all->num_wanted; i++)
        add_packed_block(all, all->wanted[i]);
}

/* Removes blocks that share their bytes with an earlier one: they need no memory and no work. */
static void leave_out_sharers(unpacking *all)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < all->num; i++) {
        const tm_block *block = all->blocks[i];
        const bool shares = block->shares && block->origin == all->map->priv->origin;
        all->keys[i] = (uint64_t)(shares ? block->data_index : UINT32_MAX) << 32 | i;
    }
    tmi_sort_u64(all->keys, all->num);
    for (uint32_t i = 1; i < all->num; i++)
        if (all->keys[i] >> 32 == all->keys[i - 1] >> 32 && all->keys[i] >> 32 != UINT32_MAX)
            all->blocks[(uint32_t)all->keys[i]] = NULL;
    for (uint32_t i = 0; i < all->num; i++)
        if (all->blocks[i])
            all->blocks[left++] = all->blocks[i];
    all->num = left;
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
    unpacking *all = ctx;
    const void *bytes;
    (void)worker;
    (void)stop;
    const tm_status status = tm_map_data(&bytes, NULL, all->map, all->blocks[index], error);
    unsigned lowest = atomic_load(&all->failed);
    while (status != TM_OK && index < lowest && !atomic_compare_exchange_weak(&all->failed, &lowest, index)) {
    }
    return status;
}

static tm_status unpack_listed(unpacking *all, const tm_job *job, tm_error *error)
{
    tm_tasks pieces = {.size = sizeof(pieces),
                       .allocator = tmi_map_allocator(all->map),
                       .ctx = all,
                       .work = unpack_one,
                       .weight = bytes_of_block,
                       .memory = bytes_of_block};
    const uint64_t limit = all->map->priv->limits.unpacked_bytes;
    uint64_t total = tmi_map_held(all->map);
    bool stop = false;
    list_packed(all);
    leave_out_sharers(all);
    pieces.num = all->num;
    /* All together stay within the limits before the first is unpacked: else threads decide which fails. */
    for (uint32_t i = 0; i < all->num; i++) {
        const tm_block *block = all->blocks[i];
        const bool there = block->shares && block->origin->functions->in_use(block->origin, block);
        const uint64_t size = there ? 0 : block->size;
        if (total > limit || size > limit - total)
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many unpacked bytes: the limit is %llu",
                            (unsigned long long)limit);
        total += size;
    }
    TM_TRY(tm_tasks_run(&pieces, job, error));
    list_packed(all); /* what shares with what is unpacked by now */
    for (uint32_t i = 0; i < all->num; i++)
        TM_TRY(unpack_one(all, NULL, i, &stop, error));
    return TM_OK;
}

tm_status tm_map_unpack(const tm_map *map, const tm_block *const *blocks, uint32_t num, const tm_job *job,
                        tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    tmi_arena arena;
    tmi_arena_init(&arena, tmi_map_allocator(map));
    unpacking all = {.map = map, .wanted = blocks, .num_wanted = num};
    list_packed(&all);
    const uint32_t capacity = all.num;
    atomic_init(&all.failed, UINT32_MAX);
    tm_status status =
        tmi_arena_reserve(&all.keys, &arena, capacity, sizeof(*all.keys), "a list of blocks", error);
    if (!status)
        status =
            tmi_arena_reserve(&all.blocks, &arena, capacity, sizeof(*all.blocks), "a list of blocks", error);
    if (!status)
        status = unpack_listed(&all, job, error);
    if (status && atomic_load(&all.failed) < all.num && error)
        (void)tmi_map_each_block(map, name_block,
                                 &(search){map, all.blocks[atomic_load(&all.failed)], error});
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
