/* SPDX-License-Identifier: Zlib */
/*
 * datafile/pack_smallest.c - packs with zopfli what pack.c has packed with libdeflate, and keeps the smaller
 * result. Since that takes minutes for a large block, a block is divided into parts that are packed in
 * parallel and report progress; the job can be cancelled between them. Each part ends at a whole byte, so
 * that the streams can be concatenated, and may refer to the bytes before it.
 */
#include "writer.h"

typedef struct zopfli_part {
    uint32_t block; /* its number in the writer */
    uint32_t from, to;
    uint8_t *stream; /* NULL: there is none; of malloc */
    size_t size;
    uint32_t sum; /* Adler-32 of the whole block */
} zopfli_part;

typedef struct zopfli_run {
    tm_datafile_writer *writer;
    zopfli_part *parts;
    uint32_t num;
    size_t capacity;
} zopfli_run;

/* ----------------------------------------------------------------------------------------- one part */

/* Gets a block's bytes by unpacking those just packed, so that the caller is not asked for them again. */
static tm_status get_plain(bool *has, const tmi_pending_data *block, tmi_worker *worker, uint8_t *buffer,
                           tm_error *error)
{
    const size_t size = (size_t)block->size;
    if (block->packed) {
        tmi_inflater *inflater = tmi_worker_inflater(worker, error);
        if (!inflater)
            return TM_ERROR_MEMORY;
        *has = tmi_inflate_whole(inflater, buffer, size, block->packed, (size_t)block->packed_size);
        return TM_OK;
    }
    tm_data_state state;
    const tm_status status =
        tm_datafile_read_data(&state, block->source, block->source_index, buffer, size, error);
    *has = status == TM_OK && (state == TM_DATA_FINE || state == TM_DATA_TRAILING);
    return status == TM_ERROR_DAMAGED ? TM_OK : status;
}

static tm_status pack_part(void *ctx, void *memory, uint32_t index, bool *stop, tm_error *error)
{
    const zopfli_run *run = ctx;
    zopfli_part *part = &run->parts[index];
    const tmi_pending_data *block = &run->writer->blocks[part->block];
    tmi_worker *worker = tmi_worker_begin(memory, run->writer->allocator);
    uint8_t *buffer = tmi_worker_scratch(worker, block->size, error);
    bool has;
    (void)stop;
    if (!buffer)
        return TM_ERROR_MEMORY;
    TM_TRY(get_plain(&has, block, worker, buffer, error));
    if (!has)
        return TM_OK;
    part->stream = tmi_zopfli_part(&part->size, buffer, (size_t)block->size, part->from, part->to);
    part->sum = tmi_adler32(1, buffer, (size_t)block->size);
    return TM_OK;
}

static uint64_t weight_of_part(void *ctx, uint32_t index)
{
    const zopfli_part *part = &((const zopfli_run *)ctx)->parts[index];
    return part->to - part->from;
}

static uint64_t memory_of_part(void *ctx, uint32_t index)
{
    const zopfli_run *run = ctx;
    const zopfli_part *part = &run->parts[index];
    return run->writer->blocks[part->block].size + tmi_zopfli_memory(part->to - part->from);
}

/* ------------------------------------------------------------------------------------------- the list */

enum { STREAM_HEAD = 2, STREAM_END = 4 }; /* bytes around what the parts make */

static tm_status list_parts(zopfli_run *run, const uint32_t *blocks, uint32_t num, tm_error *error)
{
    for (uint32_t i = 0; i < num; i++) {
        const tmi_pending_data *block = &run->writer->blocks[blocks[i]];
        const uint32_t size = (uint32_t)block->size;
        const bool was_packed = block->packed || (block->kind == TMI_BLOCK_FROM && block->repack);
        const bool wanted =
            was_packed && block->level > 0 && block->size <= TM_ZOPFLI_BYTES && run->writer->version == 4;
        for (uint32_t from = 0; wanted && from < size; from += TMI_ZOPFLI_PART) {
            TM_TRY(tmi_grow(run->writer->allocator, &run->parts, &run->capacity, (size_t)run->num + 1,
                            sizeof(*run->parts), error));
            run->parts[run->num++] =
                (zopfli_part){.block = blocks[i],
                              .from = from,
                              .to = size - from > TMI_ZOPFLI_PART ? from + TMI_ZOPFLI_PART : size};
        }
    }
    return TM_OK;
}

/* Joins the parts of a block to one stream, and takes it if it is smaller than the present one. */
static tm_status join_parts(tm_datafile_writer *writer, const zopfli_part *parts, uint32_t num,
                            tm_error *error)
{
    tmi_pending_data *block = &writer->blocks[parts->block];
    size_t size = STREAM_HEAD + STREAM_END, at = STREAM_HEAD;
    for (uint32_t i = 0; i < num; i++) {
        if (!parts[i].stream)
            return TM_OK;
        size += parts[i].size;
    }
    if (size >= (block->packed ? block->packed_size : tmi_source_block(block).packed_size))
        return TM_OK;
    uint8_t *stream;
    TM_TRY(tmi_reserve(&stream, writer->allocator, size, 1, "packed data", error));
    stream[0] = 0x78; /* as zlib writes it: a window of 32 KiB, */
    stream[1] = 0xDA; /* packed as well as can be */
    for (uint32_t i = 0; i < num; at += parts[i].size, i++)
        memcpy(stream + at, parts[i].stream, parts[i].size);
    for (uint32_t i = 0; i < STREAM_END; i++)
        stream[at + i] = (uint8_t)(parts->sum >> (24 - 8 * i));
    if (block->packed)
        tmi_free(writer->allocator, block->packed, (size_t)block->packed_size, 1);
    block->packed = stream;
    block->packed_size = size;
    return TM_OK;
}

tm_status tmi_pack_smallest(tm_datafile_writer *writer, const uint32_t *blocks, uint32_t num,
                            const tm_job *job, tm_error *error)
{
    zopfli_run run = {.writer = writer};
    tm_status status = list_parts(&run, blocks, num, error);
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = writer->allocator,
                             .ctx = &run,
                             .num = run.num,
                             .work = pack_part,
                             .weight = weight_of_part,
                             .memory = memory_of_part,
                             .worker_size = sizeof(tmi_worker),
                             .worker_release = tmi_worker_release};
    if (!status)
        status = tm_tasks_run(&pieces, job, error);
    for (uint32_t from = 0, to; !status && from < run.num; from = to) {
        for (to = from + 1; to < run.num && run.parts[to].block == run.parts[from].block;)
            to++;
        status = join_parts(writer, &run.parts[from], to - from, error);
    }
    for (uint32_t i = 0; i < run.num; i++)
        tmi_free(NULL, run.parts[i].stream, run.parts[i].size, 1);
    tmi_free(writer->allocator, run.parts, run.capacity, sizeof(*run.parts));
    return status;
}
