/* SPDX-License-Identifier: Zlib */
/*
 * Keeps a datafile without what is in its data: everything that is needed to make the file again, to the last
 * byte, when the contents of its blocks come from elsewhere. A block whose content will be there is kept as
 * the way in which it was packed (a program and a level, found by trying); every other byte of the file is
 * kept as it is.
 */
#include "sidecar.h"

#include "../codec/codec.h"

#include <teemap/jobs.h>

typedef struct row {
    uint64_t offset, packed_size, size;
    uint32_t crc, packed_crc;
    uint8_t way;
} row;

typedef struct keeping {
    const tm_datafile *datafile;
    const tm_allocator *allocator;
    tmi_pool contents;
    bool *known; /* by block: its content will be there */
    row *rows;
    uint32_t num;
    atomic_uint last_way;
} keeping;

/* Reads what the block holds into `bytes`, which is what `block` has them at. */
static tm_status judge_kept(keeping *of, row *to, uint32_t index, const tmi_packing *block, uint8_t *bytes,
                            tm_error *error)
{
    tm_data_state state;
    const tm_status status = tm_datafile_read_data(&state, of->datafile, index, bytes, to->size, error);
    if (status != TM_OK)
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    to->crc = tm_crc32(0, bytes, block->size);
    if (state != TM_DATA_FINE || (!of->known[index] && !tmi_pool_find(&of->contents, to->size, to->crc)))
        return TM_OK;
    const bool plain = block->size == block->packed_size && memcmp(bytes, block->packed, block->size) == 0;
    to->way = plain ? TMI_WAY_PLAIN : tmi_way_find(block, &of->last_way, of->allocator);
    to->packed_crc = tm_crc32(0, block->packed, block->packed_size);
    return TM_OK;
}

/*
 * Blocks whose packed bytes are kept as they are: what is smaller than its row, and what is large and
 * nearly empty, whose packed bytes all but vanish when they are packed once more.
 */
static bool is_cheap_to_keep(const tm_datafile_data *data)
{
    enum { NEARLY_EMPTY = 240, LARGE = 1 << 16 };
    return data->packed_size <= TMI_KEPT_ROW ||
           (data->size >= LARGE && data->size / NEARLY_EMPTY >= data->packed_size);
}

static tm_status keep_block(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    keeping *of = ctx;
    tm_datafile_data data;
    row *to = &of->rows[index];
    (void)worker;
    (void)stop;
    tm_datafile_get_data(&data, of->datafile, index);
    *to = (row){data.offset, data.packed_size, data.size, 0, 0, TMI_NO_WAY};
    if (data.size > UINT32_MAX || data.packed_size > UINT32_MAX || is_cheap_to_keep(&data))
        return TM_OK;
    const size_t room = tmi_way_room((size_t)data.size),
                 all = (size_t)data.packed_size + (size_t)data.size + room;
    uint8_t *memory;
    TM_TRY(tmi_reserve(&memory, of->allocator, all, 1, "a block", error));
    uint8_t *bytes = memory + data.packed_size;
    const tmi_packing block = {memory, bytes, (size_t)data.packed_size, (size_t)data.size, bytes + data.size,
                               room};
    tm_status status = tmi_datafile_read_packed(of->datafile, index, memory, data.packed_size, error);
    if (status == TM_OK)
        status = judge_kept(of, to, index, &block, bytes, error);
    tmi_free(of->allocator, memory, all, 1);
    return status;
}

static uint64_t memory_to_keep(void *ctx, uint32_t index)
{
    const keeping *of = ctx;
    tm_datafile_data data = {0, 0, 0};
    tm_datafile_get_data(&data, of->datafile, index);
    return data.size * 2 + data.packed_size;
}

static int by_offset(const void *a, const void *b)
{
    const row *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->packed_size < y->packed_size ? -1 : x->packed_size > y->packed_size;
}

/* Leaves the rows that are made again, in order and apart from each other. */
static void sort_rows(keeping *of)
{
    uint32_t num = 0;
    uint64_t end = 0;
    if (of->num)
        qsort(of->rows, of->num, sizeof(*of->rows), by_offset);
    for (uint32_t i = 0; i < of->num; i++) {
        if (of->rows[i].way == TMI_NO_WAY || of->rows[i].offset < end)
            continue;
        end = of->rows[i].offset + of->rows[i].packed_size;
        of->rows[num++] = of->rows[i];
    }
    of->num = num;
}

static tm_status put_kept_rest(const keeping *of, uint64_t file_size, const tm_output *to, tm_error *error)
{
    uint8_t bytes[TMI_KEPT_ROW] = {0};
    uint64_t at = 0;
    tmi_put_u32(bytes, (uint32_t)file_size);
    tmi_put_u32(bytes + 4, of->num);
    TM_TRY(tmi_output_write(to, bytes, TMI_KEPT_REST_HEAD, error));
    for (uint32_t i = 0; i < of->num; i++) {
        const row *r = &of->rows[i];
        const uint32_t numbers[] = {(uint32_t)r->offset,
                                    (uint32_t)r->packed_size,
                                    (uint32_t)r->size,
                                    r->crc,
                                    r->packed_crc,
                                    r->way,
                                    0};
        for (int k = 0; k < TMI_KEPT_ROW / 4; k++)
            tmi_put_u32(bytes + (size_t)k * 4, numbers[k]);
        TM_TRY(tmi_output_write(to, bytes, TMI_KEPT_ROW, error));
    }
    for (uint32_t i = 0; i <= of->num; i++) {
        const uint64_t stop = i < of->num ? of->rows[i].offset : file_size;
        TM_TRY(tmi_output_copy(to, &of->datafile->input, at, stop - at, error));
        at = i < of->num ? stop + of->rows[i].packed_size : at;
    }
    return TM_OK;
}

static tm_status put_packed_rest(const keeping *of, const tm_buffer *rest, const tm_output *output,
                                 tm_error *error)
{
    enum { HARD = 9 };
    uint8_t head[TMI_KEPT_HEAD] = "tmkf";
    tmi_deflater *deflater = tmi_deflater_new(HARD);
    const size_t room = deflater ? tmi_deflate_bound(deflater, rest->size) : 0;
    uint8_t *packed = deflater ? tmi_alloc(of->allocator, room, 1) : NULL;
    tm_status status = packed ? TM_OK : tmi_fail_memory(error, room, "what is kept of a file");
    if (status == TM_OK) {
        const size_t size = tmi_deflate(deflater, packed, room, rest->bytes, rest->size);
        tmi_put_u32(head + 4, TMI_KEPT_VERSION);
        tmi_put_u32(head + 8, (uint32_t)rest->size);
        status = tmi_output_write(output, head, TMI_KEPT_HEAD, error);
        if (status == TM_OK)
            status = tmi_output_write(output, packed, size, error);
    }
    tmi_free(of->allocator, packed, room, 1);
    tmi_deflater_free(deflater);
    return status;
}

static tm_status keep_all(keeping *of, const tm_output *output, const tm_job *job, tm_error *error)
{
    tm_datafile_header header;
    tm_buffer rest = {.allocator = of->allocator};
    const tm_output to_rest = tm_output_to_buffer(&rest);
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = of->allocator,
                             .ctx = of,
                             .num = of->num,
                             .work = keep_block,
                             .weight = memory_to_keep,
                             .memory = memory_to_keep};
    tm_datafile_get_header(&header, of->datafile);
    if (header.file_size > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the file is too large for what it is made of to be kept");
    TM_TRY(tm_tasks_run(&pieces, job, error));
    sort_rows(of);
    tm_status status = put_kept_rest(of, header.file_size, &to_rest, error);
    if (status == TM_OK)
        status = put_packed_rest(of, &rest, output, error);
    tm_buffer_release(&rest);
    return status;
}

tm_status tmi_keep_file(const tm_datafile *datafile, tm_datafile_writer *contents, const tm_output *output,
                        const tm_job *job, tm_error *error)
{
    const uint32_t num = tm_datafile_num_data(datafile);
    keeping of = {.datafile = datafile, .allocator = contents->allocator, .num = num};
    tm_status status = tmi_pool_init(&of.contents, contents, datafile, job, error);
    of.known = tmi_calloc(of.allocator, num, sizeof(*of.known));
    of.rows = tmi_calloc(of.allocator, num, sizeof(*of.rows));
    if (status == TM_OK && (!of.known || !of.rows))
        status = tmi_fail_memory(error, num * sizeof(*of.rows), "a list of blocks");
    for (size_t i = 0; i < contents->num_blocks && status == TM_OK; i++) {
        const tmi_pending_data *block = &contents->blocks[i];
        if (block->kind == TMI_BLOCK_FROM && block->source == datafile)
            of.known[block->source_index] = true;
    }
    if (status == TM_OK)
        status = keep_all(&of, output, job, error);
    tmi_free(of.allocator, of.rows, num, sizeof(*of.rows));
    tmi_free(of.allocator, of.known, num, sizeof(*of.known));
    tmi_pool_release(&of.contents);
    return status;
}
