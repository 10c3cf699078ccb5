/* SPDX-License-Identifier: Zlib */
/*
 * The contents of a writer's blocks, to be found by size and checksum when a file is made again of what was
 * kept of it.
 */
#include "sidecar.h"

#include "../codec/codec.h"

#include <teemap/jobs.h>

static int by_content(const void *a, const void *b)
{
    const tmi_content *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->crc != y->crc)
        return x->crc < y->crc ? -1 : 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

tm_status tmi_pool_get(tmi_held *out, const tmi_pool *of, uint32_t index, tm_error *error)
{
    const tmi_pending_data *block = &of->writer->blocks[index];
    *out = (tmi_held){block->bytes, block->size, NULL, block->size};
    if (block->kind == TMI_BLOCK_BYTES)
        return TM_OK;
    out->own = block->size <= SIZE_MAX ? tmi_alloc(of->allocator, (size_t)block->size, 1) : NULL;
    if (!out->own)
        return tmi_fail_memory(error, block->size, "the content of a block");
    out->bytes = out->own;
    if (block->kind == TMI_BLOCK_LAZY || block->kind == TMI_BLOCK_MADE)
        return tmi_fetch(block, out->own, &out->size, error);
    return tm_datafile_read_data(NULL, block->source, block->source_index, out->own, out->size, error);
}

static bool has_content(const tmi_pending_data *block)
{
    return block->kind != TMI_BLOCK_AGAIN && block->kind != TMI_BLOCK_PACKED;
}

static tm_status sum_content(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    tmi_pool *of = ctx;
    tmi_content *to = &of->list[index];
    tmi_held held;
    (void)worker;
    (void)stop;
    const tm_status status = tmi_pool_get(&held, of, to->block, error);
    if (status == TM_OK)
        *to = (tmi_content){held.size, tm_crc32(0, held.bytes, (size_t)held.size), to->block};
    tmi_free(of->allocator, held.own, (size_t)held.own_size, 1);
    return status;
}

static uint64_t size_of_content(void *ctx, uint32_t index)
{
    const tmi_pool *of = ctx;
    return of->writer->blocks[of->list[index].block].size;
}

tm_status tmi_pool_init(tmi_pool *of, tm_datafile_writer *writer, const tm_datafile *skip, const tm_job *job,
                        tm_error *error)
{
    *of = (tmi_pool){writer, writer->allocator, NULL, 0};
    TM_TRY(tmi_reserve(&of->list, of->allocator, writer->num_blocks, sizeof(*of->list),
                       "the contents of blocks", error));
    for (uint32_t i = 0; i < writer->num_blocks; i++) {
        const tmi_pending_data *block = &writer->blocks[i];
        if (has_content(block) && !(block->kind == TMI_BLOCK_FROM && block->source == skip))
            of->list[of->num++] = (tmi_content){block->size, 0, i};
    }
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = of->allocator,
                             .ctx = of,
                             .num = (uint32_t)of->num,
                             .work = sum_content,
                             .weight = size_of_content,
                             .memory = size_of_content};
    TM_TRY(tm_tasks_run(&pieces, job, error));
    if (of->num)
        qsort(of->list, of->num, sizeof(*of->list), by_content);
    return TM_OK;
}

void tmi_pool_release(tmi_pool *of)
{
    tmi_free(of->allocator, of->list, of->writer->num_blocks, sizeof(*of->list));
}

const tmi_content *tmi_pool_find(const tmi_pool *of, uint64_t size, uint32_t crc)
{
    const tmi_content wanted = {size, crc, 0};
    size_t low = 0, high = of->num;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_content(&of->list[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < of->num && of->list[low].size == size && of->list[low].crc == crc ? &of->list[low] : NULL;
}
