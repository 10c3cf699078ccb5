/* SPDX-License-Identifier: Zlib */
/*
 * Keeps a datafile without the content of its blocks, and makes it again, to the last byte, from content
 * that comes from elsewhere. Of a block whose content will be there, the sidecar only has the way in which it
 * was packed (a program and a level, found by trying); it has all other bytes of the file as they are.
 *
 *   OFFSET  SIZE  MEANING (all numbers low byte first)
 *   0       4     "tmkf"
 *   4       4     1, the version
 *   8       4     s, bytes of the rest when it is unpacked
 *   12      ..    the rest, a zlib stream:
 *   0       4     size of the file
 *   4       4     n, blocks that are made again
 *   8       28n   for each: offset in the file, packed size, content's size and CRC-32, packed CRC-32, way, 0
 *   8+28n   ..    all other bytes of the file, in order
 */
#include "writer.h"

enum { KEPT_HEAD = 12, KEPT_REST_HEAD = 8, KEPT_ROW = 28, KEPT_VERSION = 1 };

/* ------------------------------------------------------------------------------------------ ways to pack */

/*
 * The ways in which programs pack the blocks of maps: zlib and libdeflate with their levels. Which of them
 * made some bytes is found by trying.
 *
 * Shorter forms, measured over 86 real maps (16.8 MB; their folders 18.4 MB by tar and gzip): to keep all
 * blocks as they are packed adds about the whole map to its folder. To pack the first block of each stream
 * in place of comparing tokens saves 300 lines and takes 2.3 times the instructions of `unpack`; to keep
 * blocks besides that are 40 times smaller than their content makes up for its time with 4.3 MB more.
 */

/* A block as it is packed in a file, what it holds, and room to pack that once more (packing_room). */
typedef struct packing {
    const uint8_t *packed, *bytes;
    size_t packed_size, size;
    uint8_t *scratch;
    size_t scratch_size;
} packing;

/* `mark`: the second byte of the stream, which shows the effort of the program. The likeliest come first. */
typedef struct pack_way {
    uint8_t mark;
    bool zlib; /* zlib itself; else libdeflate */
    int8_t level;
} pack_way;

static const pack_way ways[] = {
    {0x00, false, 0}, /* version 3: not packed at all */
    {0x9c, true, 6},  {0xda, true, 9},   {0x01, true, 1},  {0x5e, true, 5},   {0x5e, true, 2},
    {0x5e, true, 3},  {0x5e, true, 4},   {0xda, true, 8},  {0xda, true, 7},   {0x01, true, 0},
    {0x9c, false, 6}, {0x9c, false, 7},  {0xda, false, 9}, {0xda, false, 12}, {0x01, false, 1},
    {0x5e, false, 5}, {0xda, false, 10},
};
enum { WAY_PLAIN, NUM_WAYS = TMI_COUNT_OF(ways), NO_WAY = 255, ASK_WHOLE = 2 * TMI_LIKENESS_BYTES };

/* The packed size; 0 if it does not fit. */
static size_t pack_in_way(const pack_way *way, uint8_t *out, size_t capacity, const void *bytes, size_t size)
{
    if (way->zlib)
        return tmi_zlib_pack(way->level, out, capacity, bytes, size);
    tmi_deflater *deflater = tmi_deflater_new(way->level);
    size_t packed = 0;
    if (deflater && tmi_deflate_bound(deflater, size) <= capacity)
        packed = tmi_deflate(deflater, out, capacity, bytes, size);
    tmi_deflater_free(deflater);
    return packed;
}

/* Bytes that packing so many takes at most. */
static size_t packing_room(size_t size)
{
    return size + size / 1000 + 256;
}

/*
 * The way in which a block was packed; NO_WAY: none of the table. Tries *last, another block's way, first.
 * For long content and zlib, compares only the beginning and the blocks of the stream: packing all of it
 * would take as long as saving the map.
 */
static uint8_t find_way(const packing *block, atomic_uint *last, const tm_allocator *allocator)
{
    const unsigned first = atomic_load_explicit(last, memory_order_relaxed);
    for (unsigned i = 0; i <= NUM_WAYS && block->packed_size >= 2 && block->packed[0] == 0x78; i++) {
        const unsigned k = i == 0 ? first : i - 1; /* what was right for another block, once more */
        if (k == WAY_PLAIN || k >= NUM_WAYS || ways[k].mark != block->packed[1] || (i && k == first))
            continue;
        tmi_likeness likeness = TMI_UNDECIDED;
        if (ways[k].zlib && block->size >= ASK_WHOLE)
            likeness = tmi_zlib_likeness(ways[k].level, block->bytes, block->size, block->packed,
                                         block->packed_size, allocator);
        if (likeness == TMI_UNDECIDED &&
            pack_in_way(&ways[k], block->scratch, block->scratch_size, block->bytes, block->size) ==
                block->packed_size &&
            memcmp(block->scratch, block->packed, block->packed_size) == 0)
            likeness = TMI_LIKE;
        if (likeness == TMI_LIKE) {
            atomic_store_explicit(last, k, memory_order_relaxed);
            return (uint8_t)k;
        }
    }
    return NO_WAY;
}

/* ------------------------------------------------------------------- contents, found by size and checksum */

/* The content of a block in the pool. */
typedef struct content {
    uint64_t size;
    uint32_t crc, block;
} content;

typedef struct content_pool {
    tm_datafile_writer *writer;
    content *list; /* sorted */
    size_t num;
} content_pool;

static int by_content(const void *a, const void *b)
{
    const content *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return x->crc < y->crc ? -1 : x->crc > y->crc;
}

static tm_status sum_content(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    content_pool *pool = ctx;
    content *entry = &pool->list[index];
    tmi_held held;
    (void)worker;
    (void)stop;
    const tm_status status = tmi_held_open(&held, pool->writer, &pool->writer->blocks[entry->block], error);
    if (status == TM_OK)
        *entry = (content){held.size, tm_crc32(0, held.bytes, (size_t)held.size), entry->block};
    tmi_held_close(&held, pool->writer);
    return status;
}

static uint64_t size_of_content(void *ctx, uint32_t index)
{
    const content_pool *pool = ctx;
    return pool->writer->blocks[pool->list[index].block].size;
}

static tm_status pool_init(content_pool *pool, tm_datafile_writer *writer, const tm_datafile *skip,
                           const tm_job *job, tm_error *error)
{
    *pool = (content_pool){writer, NULL, 0};
    TM_TRY(tmi_reserve(&pool->list, writer->allocator, writer->num_blocks, sizeof(*pool->list),
                       "the contents of blocks", error));
    for (uint32_t i = 0; i < writer->num_blocks; i++) {
        const tmi_pending_data *block = &writer->blocks[i];
        if (block->kind != TMI_BLOCK_AGAIN && !(block->kind == TMI_BLOCK_FROM && block->source == skip))
            pool->list[pool->num++] = (content){block->size, 0, i};
    }
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = writer->allocator,
                             .ctx = pool,
                             .num = (uint32_t)pool->num,
                             .work = sum_content,
                             .weight = size_of_content,
                             .memory = size_of_content};
    TM_TRY(tm_tasks_run(&pieces, job, error));
    if (pool->num)
        qsort(pool->list, pool->num, sizeof(*pool->list), by_content);
    return TM_OK;
}

static const content *pool_find(const content_pool *pool, uint64_t size, uint32_t crc)
{
    const content wanted = {size, crc, 0};
    return pool->num ? bsearch(&wanted, pool->list, pool->num, sizeof(*pool->list), by_content) : NULL;
}

/* ------------------------------------------------------------------------------------------------ keeping */

typedef struct row {
    uint64_t offset, packed_size, size;
    uint32_t crc, packed_crc;
    uint8_t way;
    bool known; /* keeping: the block's content will be there */
} row;

typedef struct keeping {
    const tm_datafile *datafile;
    const tm_allocator *allocator;
    content_pool contents;
    row *rows; /* by block, until they are sorted */
    uint32_t num;
    atomic_uint last_way;
} keeping;

/* Reads what the block holds into `bytes`, which is what `block` has them at. */
static tm_status judge_kept(keeping *work, row *entry, uint32_t index, const packing *block, uint8_t *bytes,
                            tm_error *error)
{
    tm_data_state state;
    const tm_status status = tm_datafile_read_data(&state, work->datafile, index, bytes, entry->size, error);
    if (status != TM_OK)
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    entry->crc = tm_crc32(0, bytes, block->size);
    if (state != TM_DATA_FINE || (!entry->known && !pool_find(&work->contents, entry->size, entry->crc)))
        return TM_OK;
    const bool plain = block->size == block->packed_size && memcmp(bytes, block->packed, block->size) == 0;
    entry->way = plain ? WAY_PLAIN : find_way(block, &work->last_way, work->allocator);
    entry->packed_crc = tm_crc32(0, block->packed, block->packed_size);
    return TM_OK;
}

static tm_status keep_block(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    enum { NEARLY_EMPTY = 240, LARGE = 1 << 16 };
    keeping *work = ctx;
    tm_datafile_data data;
    row *entry = &work->rows[index];
    (void)worker;
    (void)stop;
    tm_datafile_get_data(&data, work->datafile, index);
    *entry = (row){data.offset, data.packed_size, data.size, 0, 0, NO_WAY, entry->known};
    /*
     * The packed bytes are kept as they are of what is smaller than its row, and of what is large and nearly
     * empty: they all but vanish when they are packed once more.
     */
    if (data.size > UINT32_MAX || data.packed_size > UINT32_MAX || data.packed_size <= KEPT_ROW ||
        (data.size >= LARGE && data.size / NEARLY_EMPTY >= data.packed_size))
        return TM_OK;
    const size_t room = packing_room((size_t)data.size),
                 all = (size_t)data.packed_size + (size_t)data.size + room;
    uint8_t *memory;
    TM_TRY(tmi_reserve(&memory, work->allocator, all, 1, "a block", error));
    uint8_t *bytes = memory + data.packed_size;
    const packing block = {memory, bytes, (size_t)data.packed_size, (size_t)data.size, bytes + data.size,
                           room};
    tm_status status = tmi_datafile_read_packed(work->datafile, index, memory, error);
    if (status == TM_OK)
        status = judge_kept(work, entry, index, &block, bytes, error);
    tmi_free(work->allocator, memory, all, 1);
    return status;
}

static uint64_t memory_to_keep(void *ctx, uint32_t index)
{
    const keeping *work = ctx;
    tm_datafile_data data = {0, 0, 0};
    tm_datafile_get_data(&data, work->datafile, index);
    return data.size * 2 + data.packed_size;
}

static int by_offset(const void *a, const void *b)
{
    const row *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->packed_size < y->packed_size ? -1 : x->packed_size > y->packed_size;
}

static tm_status put_kept_rest(const keeping *work, uint64_t file_size, const tm_output *output,
                               tm_error *error)
{
    uint8_t bytes[KEPT_ROW] = {0};
    uint64_t at = 0;
    tmi_put_u32(bytes, (uint32_t)file_size);
    tmi_put_u32(bytes + 4, work->num);
    TM_TRY(tmi_output_write(output, bytes, KEPT_REST_HEAD, error));
    for (uint32_t i = 0; i < work->num; i++) {
        const row *r = &work->rows[i];
        const uint32_t numbers[] = {(uint32_t)r->offset,
                                    (uint32_t)r->packed_size,
                                    (uint32_t)r->size,
                                    r->crc,
                                    r->packed_crc,
                                    r->way,
                                    0};
        for (int k = 0; k < KEPT_ROW / 4; k++)
            tmi_put_u32(bytes + (size_t)k * 4, numbers[k]);
        TM_TRY(tmi_output_write(output, bytes, KEPT_ROW, error));
    }
    for (uint32_t i = 0; i <= work->num; i++) {
        const uint64_t stop = i < work->num ? work->rows[i].offset : file_size;
        TM_TRY(tmi_output_copy(output, &work->datafile->input, at, stop - at, error));
        at = i < work->num ? stop + work->rows[i].packed_size : at;
    }
    return TM_OK;
}

static tm_status put_packed_rest(const keeping *work, const tm_buffer *rest, const tm_output *output,
                                 tm_error *error)
{
    static const pack_way hard = {.level = 9};
    uint8_t head[KEPT_HEAD] = "tmkf", *packed;
    const size_t room = packing_room(rest->size);
    TM_TRY(tmi_reserve(&packed, work->allocator, room, 1, "what is kept of a file", error));
    const size_t size = pack_in_way(&hard, packed, room, rest->bytes, rest->size);
    tmi_put_u32(head + 4, KEPT_VERSION);
    tmi_put_u32(head + 8, (uint32_t)rest->size);
    tm_status status = size ? tmi_output_write(output, head, KEPT_HEAD, error)
                            : tmi_fail_memory(error, room, "what is kept of a file");
    if (status == TM_OK)
        status = tmi_output_write(output, packed, size, error);
    tmi_free(work->allocator, packed, room, 1);
    return status;
}

static tm_status keep_all(keeping *work, const tm_output *output, const tm_job *job, tm_error *error)
{
    tm_datafile_header header;
    tm_buffer rest = {.allocator = work->allocator};
    const tm_output to_rest = tm_output_to_buffer(&rest);
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = work->allocator,
                             .ctx = work,
                             .num = work->num,
                             .work = keep_block,
                             .weight = memory_to_keep,
                             .memory = memory_to_keep};
    tm_datafile_get_header(&header, work->datafile);
    if (header.file_size > INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the file is too large for what it is made of to be kept");
    TM_TRY(tm_tasks_run(&pieces, job, error));
    if (work->num)
        qsort(work->rows, work->num, sizeof(*work->rows), by_offset);
    uint32_t num = 0; /* of the rows that are made again; of those that overlap, the first */
    uint64_t end = 0;
    for (uint32_t i = 0; i < work->num; i++) {
        if (work->rows[i].way == NO_WAY || work->rows[i].offset < end)
            continue;
        end = work->rows[i].offset + work->rows[i].packed_size;
        work->rows[num++] = work->rows[i];
    }
    work->num = num;
    tm_status status = put_kept_rest(work, header.file_size, &to_rest, error);
    if (status == TM_OK)
        status = put_packed_rest(work, &rest, output, error);
    tm_buffer_release(&rest);
    return status;
}

tm_status tmi_keep_file(const tm_datafile *datafile, tm_datafile_writer *contents, const tm_output *output,
                        const tm_job *job, tm_error *error)
{
    const uint32_t num = tm_datafile_num_data(datafile);
    keeping work = {.datafile = datafile, .allocator = contents->allocator, .num = num};
    tm_status status = pool_init(&work.contents, contents, datafile, job, error);
    if (status == TM_OK)
        status = tmi_reserve_zeroed(&work.rows, work.allocator, num, sizeof(*work.rows), "a list of blocks",
                                    error);
    for (size_t i = 0; i < contents->num_blocks && status == TM_OK; i++) {
        const tmi_pending_data *block = &contents->blocks[i];
        if (block->kind == TMI_BLOCK_FROM && block->source == datafile)
            work.rows[block->source_index].known = true;
    }
    if (status == TM_OK)
        status = keep_all(&work, output, job, error);
    tmi_free(work.allocator, work.rows, num, sizeof(*work.rows));
    tmi_free(work.allocator, work.contents.list, contents->num_blocks, sizeof(content));
    return status;
}

/* ------------------------------------------------------------------------------------------- making again */

typedef struct remaking {
    const tm_allocator *allocator;
    content_pool contents;
    uint8_t *rest; /* unpacked */
    size_t rest_size;
    uint32_t num;
    uint8_t *file;
    uint32_t file_size;
    atomic_uint num_gone;  /* blocks whose content is not there */
    atomic_uint num_other; /* blocks whose content is there, and was packed in a way that is not known */
} remaking;

static row row_at(const remaking *work, uint32_t index)
{
    const uint8_t *bytes = work->rest + KEPT_REST_HEAD + (size_t)index * KEPT_ROW;
    const uint32_t way = tmi_get_u32(bytes + 20);
    return (row){tmi_get_u32(bytes),
                 tmi_get_u32(bytes + 4),
                 tmi_get_u32(bytes + 8),
                 tmi_get_u32(bytes + 12),
                 tmi_get_u32(bytes + 16),
                 way < NUM_WAYS ? (uint8_t)way : NO_WAY,
                 false};
}

/* Puts an empty stream, which games can read, in place of a block whose content is missing. */
static void put_nothing(const remaking *work, const row *entry, atomic_uint *count)
{
    memcpy(work->file + entry->offset, tmi_empty_stream,
           entry->packed_size < TMI_EMPTY_STREAM ? (size_t)entry->packed_size : TMI_EMPTY_STREAM);
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

static bool is_remade(const row *entry, const uint8_t *packed, size_t made)
{
    return made == entry->packed_size && tm_crc32(0, packed, made) == entry->packed_crc;
}

static tm_status remake_from(remaking *work, const row *entry, const void *bytes, size_t size,
                             tm_error *error)
{
    const uint32_t k = entry->way;
    const size_t room = k == WAY_PLAIN ? size : packing_room(size);
    uint8_t *packed;
    TM_TRY(tmi_reserve(&packed, work->allocator, room, 1, "a packed block", error));
    size_t made = size;
    if (k == WAY_PLAIN)
        memcpy(packed, bytes, size);
    else
        made = pack_in_way(&ways[k], packed, room, bytes, size);
    for (uint32_t i = 0; i < NUM_WAYS && !is_remade(entry, packed, made); i++)
        if (i != k && ways[i].mark == ways[k].mark) /* levels that only differ behind the beginning */
            made = pack_in_way(&ways[i], packed, room, bytes, size);
    if (is_remade(entry, packed, made))
        memcpy(work->file + entry->offset, packed, made);
    else
        put_nothing(work, entry, &work->num_other);
    tmi_free(work->allocator, packed, room, 1);
    return TM_OK;
}

static tm_status remake_block(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    remaking *work = ctx;
    const row entry = row_at(work, index);
    const tm_datafile_writer *writer = work->contents.writer;
    const content *found = pool_find(&work->contents, entry.size, entry.crc);
    tmi_held held;
    (void)worker;
    (void)stop;
    if (!found || entry.way == NO_WAY) {
        put_nothing(work, &entry, found ? &work->num_other : &work->num_gone);
        return TM_OK;
    }
    tm_status status = tmi_held_open(&held, writer, &writer->blocks[found->block], error);
    if (status == TM_OK)
        status = remake_from(work, &entry, held.bytes, (size_t)held.size, error);
    tmi_held_close(&held, writer);
    return status;
}

static uint64_t weight_to_remake(void *ctx, uint32_t index)
{
    return row_at(ctx, index).size;
}

static tm_status fail_kept(tm_error *error)
{
    return tmi_fail(error, TM_ERROR_DAMAGED, -1, "what was kept of a file is damaged");
}

static tm_status unpack_rest(remaking *work, const uint8_t *kept, size_t size, const tm_limits *limits,
                             tm_error *error)
{
    if (size < KEPT_HEAD || memcmp(kept, "tmkf", 4) != 0 || tmi_get_u32(kept + 4) != KEPT_VERSION)
        return fail_kept(error);
    const uint64_t rest_size = tmi_get_u32(kept + 8);
    if (rest_size < KEPT_REST_HEAD || rest_size / 1032 > size)
        return fail_kept(error);
    if (rest_size > limits->file_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "what was kept of a file has %llu bytes, and the limit is %llu",
                        (unsigned long long)rest_size, (unsigned long long)limits->file_bytes);
    work->rest = tmi_alloc(work->allocator, (size_t)rest_size, 1);
    tmi_inflater *inflater = tmi_inflater_new(work->allocator);
    tm_status status =
        work->rest && inflater ? TM_OK : tmi_fail_memory(error, rest_size, "what was kept of a file");
    work->rest_size = (size_t)rest_size;
    if (status == TM_OK &&
        !tmi_inflate_whole(inflater, work->rest, work->rest_size, kept + KEPT_HEAD, size - KEPT_HEAD))
        status = fail_kept(error);
    tmi_inflater_free(inflater);
    return status;
}

/* Checks that the rows' blocks lie in the file one after another, and that no other bytes are missing. */
static tm_status check_kept_rows(remaking *work, const tm_limits *limits, tm_error *error)
{
    uint64_t end = 0, made = 0;
    work->file_size = tmi_get_u32(work->rest);
    work->num = tmi_get_u32(work->rest + 4);
    if (work->num > (work->rest_size - KEPT_REST_HEAD) / KEPT_ROW)
        return fail_kept(error);
    for (uint32_t i = 0; i < work->num; i++) {
        const row entry = row_at(work, i);
        if (entry.offset < end || entry.offset + entry.packed_size > work->file_size)
            return fail_kept(error);
        end = entry.offset + entry.packed_size;
        made += entry.packed_size;
    }
    if (work->file_size - made != work->rest_size - KEPT_REST_HEAD - (uint64_t)work->num * KEPT_ROW)
        return fail_kept(error);
    if (work->file_size > limits->file_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the file has %lu bytes, and the limit is %llu",
                        (unsigned long)work->file_size, (unsigned long long)limits->file_bytes);
    return TM_OK;
}

static tm_status remake(remaking *work, const tm_job *job, tm_error *error)
{
    const tm_tasks pieces = {.size = sizeof(pieces),
                             .allocator = work->allocator,
                             .ctx = work,
                             .num = work->num,
                             .work = remake_block,
                             .weight = weight_to_remake,
                             .memory = weight_to_remake};
    TM_TRY(tmi_reserve_zeroed(&work->file, work->allocator, work->file_size, 1, "a file", error));
    /* the bytes that are not made again, in front of, between and behind the rows' blocks */
    const uint8_t *bytes = work->rest + KEPT_REST_HEAD + (size_t)work->num * KEPT_ROW;
    size_t at = 0;
    for (uint32_t i = 0; i <= work->num; i++) {
        const row next = i < work->num ? row_at(work, i) : (row){.offset = work->file_size};
        memcpy(work->file + at, bytes, (size_t)next.offset - at);
        bytes += (size_t)next.offset - at;
        at = (size_t)(next.offset + next.packed_size);
    }
    return tm_tasks_run(&pieces, job, error);
}

tm_status tmi_sidecar_apply(tmi_remade *out, const tm_sidecar *sidecar, tm_datafile_writer *contents,
                            const tm_limits *limits, const tm_job *job, tm_error *error)
{
    remaking work = {.allocator = contents->allocator};
    tm_status status = pool_init(&work.contents, contents, NULL, job, error);
    if (status == TM_OK)
        status = unpack_rest(&work, sidecar->bytes, sidecar->size, limits, error);
    if (status == TM_OK)
        status = check_kept_rows(&work, limits, error);
    if (status == TM_OK)
        status = remake(&work, job, error);
    tmi_free(work.allocator, work.rest, work.rest_size, 1);
    tmi_free(work.allocator, work.contents.list, contents->num_blocks, sizeof(content));
    if (status == TM_OK)
        *out = (tmi_remade){
            {work.file, work.file_size, work.file_size, work.allocator}, work.num_gone, work.num_other};
    else
        tmi_free(work.allocator, work.file, work.file_size, 1);
    return status;
}
