/* SPDX-License-Identifier: Zlib */
/*
 * unpack_map.c - many blocks of a map, or all, unpacked by the threads of a job. What is run, in which order
 * and within which budget is tm_pieces_run's business (teemap/jobs.h).
 */
#include "internal.h"

#include <teemap/jobs.h>

typedef struct unpacking {
    const tm_map *map;
    const tm_block **blocks; /* those that are still packed */
    uint32_t num;
    atomic_uint failed; /* the lowest index of those that could not be unpacked */
} unpacking;

/* ----------------------------------------------------------------------------------------------- the list */

static tm_status count_block(void *ctx, tm_block *block, const tm_address *address)
{
    (void)address;
    (void)block;
    ++*(uint32_t *)ctx;
    return TM_OK;
}

static void add_packed_block(unpacking *all, const tm_block *block)
{
    if (block && !tmi_block_held(block))
        all->blocks[all->num++] = block;
}

static tm_status list_block(void *ctx, tm_block *block, const tm_address *address)
{
    (void)address;
    add_packed_block(ctx, block);
    return TM_OK;
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
    const tm_status status = tm_map_data(all->map, all->blocks[index], &bytes, NULL, error);
    unsigned lowest = atomic_load(&all->failed);
    while (status != TM_OK && index < lowest && !atomic_compare_exchange_weak(&all->failed, &lowest, index)) {
    }
    return status;
}

/*
 * Whether all of them stay within the limits together. Asked before the first is unpacked: otherwise it would
 * depend on the threads which block is the one too many.
 */
static tm_status check_room_for_all(const unpacking *all, tm_error *error)
{
    const uint64_t limit = all->map->priv->limits.unpacked_bytes;
    uint64_t total = atomic_load_explicit(&all->map->priv->unpacked_bytes, memory_order_relaxed);
    for (uint32_t i = 0; i < all->num; i++) {
        const uint64_t size = all->blocks[i]->size;
        if (total > limit || size > limit - total)
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many unpacked bytes: the limit is %llu",
                            (unsigned long long)limit);
        total += size;
    }
    return TM_OK;
}

tm_status tm_map_unpack(const tm_map *map, const tm_block *const *blocks, uint32_t num, const tm_job *job,
                        tm_error *error)
{
    TM_TRY(tmi_check_map(map, error));
    const tm_allocator *allocator = tmi_map_allocator(map);
    uint32_t capacity = num;
    if (!blocks) {
        capacity = 0;
        (void)tmi_map_each_block(map, count_block, &capacity);
    }
    unpacking all = {.map = map, .blocks = tmi_alloc(allocator, capacity, sizeof(*all.blocks))};
    atomic_init(&all.failed, UINT32_MAX);
    if (!all.blocks)
        return tmi_fail_memory(error, (uint64_t)capacity * sizeof(*all.blocks), "a list of blocks");
    if (!blocks)
        (void)tmi_map_each_block(map, list_block, &all);
    for (uint32_t i = 0; blocks && i < num; i++)
        add_packed_block(&all, blocks[i]);
    const tm_pieces pieces = {.size = sizeof(pieces),
                              .allocator = allocator,
                              .ctx = &all,
                              .num = all.num,
                              .work = unpack_one,
                              .weight = bytes_of_block,
                              .memory = bytes_of_block};
    tm_status status = check_room_for_all(&all, error);
    if (status == TM_OK)
        status = tm_pieces_run(&pieces, job, error);
    if (atomic_load(&all.failed) < all.num && error)
        (void)tmi_map_each_block(map, name_block,
                                 &(search){map, all.blocks[atomic_load(&all.failed)], error});
    tmi_free(allocator, all.blocks, capacity, sizeof(*all.blocks));
    return status;
}
