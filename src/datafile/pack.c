/* SPDX-License-Identifier: Zlib */
/*
 * datafile/pack.c - packs new blocks on the job's threads. Each block is packed independently, so the result
 * does not depend on the number of threads. Unpacked bytes are held only while their block is being packed;
 * packed bytes until the file is written, since the header contains all sizes.
 *
 * The hard levels take up to a second for a megabyte, which a small file may hold hundreds of. So where all
 * blocks together could take long, each is packed at level 9 first; its literals and matches tell how long
 * the level that was asked for will take, and the blocks get it in turn as long as there is time. This counts
 * what is to be done and measures nothing, so that the bytes are the same everywhere.
 */
#include "writer.h"

const uint8_t tmi_empty_stream[TMI_EMPTY_STREAM] = {0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01};

enum {
    GAMES_LEVEL = 6,     /* of zlib: what the games ask for is its usual level */
    ZLIB_MOST = 1 << 28, /* bytes of all blocks that are packed so, which takes two to four times as long */
    HARD_LEVEL = 10,     /* from this one on libdeflate looks for the best of all ways, and is slow */
    ZLIB_LEVEL = 9,
    ZLIB_BYTES = 4096, /* of blocks of up to so many, */
    ZLIB_SHARE = 128   /* and of those that libdeflate makes so many times smaller */
};

/*
 * Nanoseconds that level 12 takes for a byte, by what level 9 makes of it: libdeflate passes over the
 * longest matches, and for each byte of a shorter long one it looks at all earlier places. Measured:
 * 45 for noise and zeros, 100 where zlib has its try, too, 200 for tiles, 300 to 850 for quads that differ in
 * a number, or runs with a tile in each row. Levels 10 and 11 take less.
 */
enum { COST_PLAIN = 100, COST_SHORT = 200, COST_LONG = 900, SHORT_MATCH = 32, LEVEL_12 = 12, LEVEL_11 = 11 };
/* Time for the hard levels: at least so many ns, and so many more for each byte that level 9 makes. */
static const uint64_t least_hard_time = 4000000000, hard_time_per_byte = 4000;

static uint64_t cost_at_level(uint64_t cost, int level)
{
    return level >= LEVEL_12 ? cost : level >= LEVEL_11 ? cost / 2 : cost / 4;
}

/* What level 12 will take for a block, by its packed bytes. */
static uint64_t cost_of_stream(const void *packed, size_t size, uint64_t num_bytes,
                               const tm_allocator *allocator)
{
    enum { ZLIB_HEAD = 2 };
    uint32_t length, distance;
    uint64_t cost = 0, known = 0;
    tmi_tokens *tokens =
        size > ZLIB_HEAD ? tmi_tokens_new((const uint8_t *)packed + ZLIB_HEAD, size - ZLIB_HEAD, allocator)
                         : NULL;
    while (tokens && tmi_tokens_next(tokens, &length, &distance)) {
        known += length;
        cost += (uint64_t)length * (length == 1 || length >= TMI_LONGEST_MATCH ? COST_PLAIN
                                    : length < SHORT_MATCH                     ? COST_SHORT
                                                                               : COST_LONG);
    }
    tmi_tokens_free(tokens); /* they end at a part that is only stored */
    const uint64_t rest = num_bytes > known ? num_bytes - known : 0;
    return cost + rest * (size < num_bytes / 4 ? COST_LONG : COST_SHORT);
}

static bool is_packed_hard(const tm_datafile_writer *writer, const tmi_pending_data *block)
{
    return writer->options.smaller && block->level >= HARD_LEVEL;
}

/* The scratch memory for a try with zlib; 0 if libdeflate makes the block so small that its own is enough. */
static uint64_t zlib_need(const tm_datafile_writer *writer, const tmi_pending_data *block)
{
    return is_packed_hard(writer, block) && block->size <= ZLIB_BYTES ? 2 * ZLIB_BYTES : 0;
}

static uint64_t weight_to_pack(void *ctx, uint32_t index)
{
    const tm_datafile_writer *writer = ctx;
    return writer->blocks[index].size;
}

/*
 * What is held while a block is packed: its bytes, those of the source's block that it may equal, and what
 * they are packed to, which is estimated: stored blocks add 5 bytes to 64 KiB.
 */
static uint64_t memory_to_pack(void *ctx, uint32_t index)
{
    const tm_datafile_writer *writer = ctx;
    const tmi_pending_data *block = &writer->blocks[index];
    const uint64_t input = block->kind == TMI_BLOCK_BYTES ? 0 : block->size + block->packed_size;
    const uint64_t output = block->size + block->size / 1024 + 64;
    return input + output + zlib_need(writer, block) + (block->like ? block->size : 0);
}

static tm_status keep_packed(tm_datafile_writer *writer, tmi_pending_data *block, const void *bytes,
                             size_t size, tm_error *error)
{
    uint8_t *packed;
    TM_TRY(tmi_reserve(&packed, writer->allocator, size, 1, "packed data", error));
    memcpy(packed, bytes, size);
    block->packed = packed;
    block->packed_size = size;
    return TM_OK;
}

tm_status tmi_held_open(tmi_held *out, const tm_datafile_writer *writer, const tmi_pending_data *block,
                        tm_error *error)
{
    *out = (tmi_held){.bytes = block->bytes, .size = block->size, .memory_size = block->size};
    if (block->kind == TMI_BLOCK_BYTES)
        return TM_OK;
    TM_TRY(tmi_reserve(&out->memory, writer->allocator, (size_t)block->size, 1, "unpacked data", error));
    out->bytes = out->memory;
    if (block->kind == TMI_BLOCK_FROM)
        return tm_datafile_read_data(&out->state, block->source, block->source_index, out->memory, out->size,
                                     error);
    tm_error failure;
    tmi_error_blank(&failure);
    TM_TRY(tmi_error_told(block->fetch(block->fetch_ctx, out->memory, &out->size, &failure), &failure, error,
                          TM_SIDE_INPUT, "the callback that gives the data"));
    if (out->size <= block->size)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "the callback made %llu bytes, at most %llu are allowed",
                    (unsigned long long)out->size, (unsigned long long)block->size);
}

void tmi_held_close(const tmi_held *held, const tm_datafile_writer *writer)
{
    tmi_free(writer->allocator, held->memory, (size_t)held->memory_size, 1);
}

static bool is_sound(tm_data_state state)
{
    return state == TM_DATA_FINE || state == TM_DATA_TRAILING;
}

/* Makes a block a copy of the source's packed one that it is like, if both have the same content. */
static tm_status copy_like_block(const tm_datafile_writer *writer, tmi_pending_data *block, const void *bytes,
                                 tm_error *error)
{
    const tm_datafile *source = writer->options.source;
    const tmi_data_range range = tmi_block_at(source, block->like - 1);
    const tmi_pending_data copied = {.kind = TMI_BLOCK_FROM,
                                     .level = block->level,
                                     .size = range.size,
                                     .packed_size = range.packed_size,
                                     .source = source,
                                     .source_index = range.index};
    tmi_held held;
    if (source->plan.version != writer->version || range.bad || range.size != block->size || !range.size)
        return TM_OK;
    const tm_status status = tmi_held_open(&held, writer, &copied, error);
    if (status == TM_OK && held.state == TM_DATA_FINE && memcmp(held.bytes, bytes, (size_t)range.size) == 0)
        *block = copied;
    tmi_held_close(&held, writer);
    return status == TM_ERROR_DAMAGED ? TM_OK : status;
}

static tm_status pack_bytes(tm_datafile_writer *writer, tmi_pending_data *block, tmi_worker *worker,
                            const void *bytes, tm_error *error)
{
    const size_t size = (size_t)block->size;
    if (block->like) {
        TM_TRY(copy_like_block(writer, block, bytes, error));
        if (!block->like)
            return TM_OK;
    }
    if (writer->version == 3)
        return keep_packed(writer, block, bytes, size, error);
    tmi_deflater *deflater = tmi_worker_deflater(worker, block->level, error);
    if (!deflater)
        return TM_ERROR_MEMORY;
    const size_t room = tmi_deflate_bound(deflater, size);
    uint8_t *buffer = tmi_worker_scratch(worker, (uint64_t)room + zlib_need(writer, block), error);
    if (!buffer)
        return TM_ERROR_MEMORY;
    size_t packed = block->by_zlib ? tmi_zlib_pack(GAMES_LEVEL, buffer, room, bytes, size) : 0;
    if (!packed) /* zlib may lack memory, or room for what libdeflate stores in less */
        packed = tmi_deflate(deflater, buffer, room, bytes, size);
    if (block->hard_level && block->level < block->hard_level && !block->by_zlib)
        block->hard_cost =
            cost_at_level(cost_of_stream(buffer, packed, size, writer->allocator), block->hard_level);
    /*
     * zlib often packs long runs (physics, mostly blank pictures) smaller than libdeflate: by 3 % if that
     * makes them 512 times smaller, by nothing below 128 times. It takes a tenth of the time of the hard
     * levels. The buffer has room for two such streams.
     */
    if (is_packed_hard(writer, block) && packed >= 2 && (size <= ZLIB_BYTES || packed <= size / ZLIB_SHARE)) {
        const size_t by_zlib = tmi_zlib_pack(ZLIB_LEVEL, buffer + packed, packed - 1, bytes, size);
        memcpy(buffer, buffer + packed, by_zlib);
        packed = by_zlib ? by_zlib : packed;
    }
    if (writer->options.smaller && block->repack && packed >= tmi_source_block(block).packed_size)
        return TM_OK;
    if (block->packed) { /* at level 9 */
        if (packed >= block->packed_size)
            return TM_OK;
        tmi_free(writer->allocator, block->packed, (size_t)block->packed_size, 1);
        block->packed = NULL;
    }
    return keep_packed(writer, block, buffer, packed, error);
}

static tm_status pack_piece(void *ctx, void *memory, uint32_t index, bool *stop, tm_error *error)
{
    tm_datafile_writer *writer = ctx;
    tmi_pending_data *block = &writer->blocks[index];
    tmi_held held;
    (void)stop;
    tm_status status = tmi_held_open(&held, writer, block, error);
    if (block->repack && !is_sound(held.state) && (status == TM_OK || status == TM_ERROR_DAMAGED)) {
        status = TM_OK; /* the source's packed bytes are better kept */
    } else if (status == TM_OK) {
        block->size = held.size;
        status = pack_bytes(writer, block, tmi_worker_begin(memory, writer->allocator), held.bytes, error);
    }
    tmi_held_close(&held, writer);
    return status;
}

/* Decides whether a block needs packing; if not, as it is copied or empty, sets its packed size. */
static tm_status settle_block(tm_datafile_writer *writer, tmi_pending_data *block, bool *pack,
                              tm_error *error)
{
    /* in version 3, too, which packs nothing: the head in front of it tells its size, or what it is */
    const bool is_told = block->kind == TMI_BLOCK_MADE || block->like;
    const bool is_copied =
        block->kind == TMI_BLOCK_AGAIN ||
        (block->kind == TMI_BLOCK_FROM && block->source->plan.version != 3 && !block->repack);
    *pack = is_told || (writer->version != 3 && !is_copied);
    if (block->kind == TMI_BLOCK_FROM && (*pack || !tmi_stays_packed(writer, block))) {
        const tmi_data_range range = tmi_source_block(block);
        if (block->repack && range.most < range.announced)
            *pack = false; /* damaged: it announces more than its packed bytes can hold */
        else
            TM_TRY(tmi_check_block_size(&range, error));
    }
    if (*pack && block->size == 0 && !block->repack && writer->version == 4) {
        *pack = false;
        return keep_packed(writer, block, tmi_empty_stream, TMI_EMPTY_STREAM, error);
    }
    if (*pack && block->size == 0)
        *pack = false; /* nothing to gain; the source's stream stays */
    if (writer->version == 3 && !tmi_stays_packed(writer, block))
        block->packed_size = block->size;
    return TM_OK;
}

/* Whether the hard levels could take longer than there is time; the blocks then get level 9 first. */
static bool are_too_hard(tm_datafile_writer *writer, const uint32_t *indices, uint32_t num)
{
    uint64_t bytes = 0, packed = 0;
    for (uint32_t i = 0; i < num; i++) {
        const tmi_pending_data *block = &writer->blocks[indices[i]];
        if (block->level < HARD_LEVEL || writer->version == 3)
            continue;
        bytes += cost_at_level(block->size * COST_LONG, block->level);
        packed += block->kind == TMI_BLOCK_FROM ? tmi_source_block(block).packed_size : 0;
    }
    if (bytes <= least_hard_time + packed * hard_time_per_byte)
        return false;
    for (uint32_t i = 0; i < num; i++) {
        tmi_pending_data *block = &writer->blocks[indices[i]];
        if (block->level < HARD_LEVEL)
            continue;
        block->hard_level = block->level;
        block->level = ZLIB_LEVEL;
    }
    return true;
}

/* Chooses the blocks, all packed at level 9, for which there is time; returns how many. */
static uint32_t choose_hard(uint32_t *chosen, tm_datafile_writer *writer, const uint32_t *indices,
                            uint32_t num)
{
    uint64_t left = least_hard_time;
    uint32_t num_chosen = 0;
    for (uint32_t i = 0; i < num; i++) {
        const tmi_pending_data *block = &writer->blocks[indices[i]];
        if (block->hard_cost)
            left += (block->packed ? block->packed_size : tmi_source_block(block).packed_size) *
                    hard_time_per_byte;
    }
    for (uint32_t i = 0; i < num; i++) {
        tmi_pending_data *block = &writer->blocks[indices[i]];
        if (!block->hard_cost || block->hard_cost > left)
            continue;
        left -= block->hard_cost;
        block->level = block->hard_level;
        block->like = 0; /* it is not */
        chosen[num_chosen++] = indices[i];
    }
    return num_chosen;
}

/* Packs at the level that was asked for what there is time for. */
static tm_status pack_hard(tm_tasks pieces, tm_datafile_writer *writer, const tm_job *job, tm_error *error)
{
    uint32_t *chosen;
    const uint32_t num = pieces.num;
    TM_TRY(tmi_reserve(&chosen, writer->allocator, num, sizeof(*chosen), "the list of blocks", error));
    pieces.num = choose_hard(chosen, writer, pieces.indices, num);
    pieces.indices = chosen;
    const tm_status status = tm_tasks_run(&pieces, job, error);
    tmi_free(writer->allocator, chosen, num, sizeof(*chosen));
    return status;
}

tm_status tmi_pack_blocks(tm_datafile_writer *writer, const tm_job *job, tm_error *error)
{
    size_t num = writer->num_blocks;
    if (writer->packed)
        return TM_OK;
    uint32_t *indices;
    TM_TRY(tmi_reserve(&indices, writer->allocator, num, sizeof(*indices), "the list of blocks", error));
    tm_tasks pieces = {.size = sizeof(pieces),
                       .allocator = writer->allocator,
                       .ctx = writer,
                       .indices = indices,
                       .work = pack_piece,
                       .weight = weight_to_pack,
                       .memory = memory_to_pack,
                       .worker_size = sizeof(tmi_worker),
                       .worker_release = tmi_worker_release};
    tm_status status = TM_OK;
    uint64_t zlib_bytes = writer->as_games ? ZLIB_MOST : 0;
    for (size_t i = 0; i < num && status == TM_OK; i++) {
        tmi_pending_data *block = &writer->blocks[i];
        bool pack;
        status = settle_block(writer, block, &pack, error);
        if (!pack)
            continue;
        indices[pieces.num++] = (uint32_t)i;
        block->by_zlib = block->level == writer->options.level && block->size <= zlib_bytes;
        zlib_bytes -= block->by_zlib ? block->size : 0;
    }
    tm_job quiet = TM_JOB_INIT;
    if (job)
        quiet = *job;
    if (writer->options.smallest) /* progress is told of what takes all the time */
        quiet.progress = NULL;
    const bool too_hard = status == TM_OK && are_too_hard(writer, indices, pieces.num);
    if (status == TM_OK)
        status = tm_tasks_run(&pieces, job ? &quiet : NULL, error);
    if (status == TM_OK && too_hard)
        status = pack_hard(pieces, writer, job ? &quiet : NULL, error);
    if (status == TM_OK && writer->options.smallest)
        status = tmi_pack_smallest(writer, indices, pieces.num, job, error);
    for (size_t i = 0; i < num; i++) { /* those that repeat another one, which comes before them */
        tmi_pending_data *block = &writer->blocks[i];
        if (block->kind != TMI_BLOCK_AGAIN)
            continue;
        block->size = writer->blocks[block->source_index].size;
        block->packed_size = writer->blocks[block->source_index].packed_size;
    }
    writer->packed = status == TM_OK;
    tmi_free(writer->allocator, indices, num, sizeof(*indices));
    return status;
}
