/* SPDX-License-Identifier: Zlib */
/*
 * datafile/writer.c - collects the content of a new datafile: items are copied, data only referenced.
 */
#include "writer.h"

enum { DEFAULT_LEVEL = 6, MAX_LEVEL = 12, NO_PACKING = -1 };

static tm_status check_level(int level, tm_error *error)
{
    if (level >= NO_PACKING && level <= MAX_LEVEL)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "level is %d, allowed are %d to %d", level, (int)NO_PACKING,
                    (int)MAX_LEVEL);
}

/* The caller's level as libdeflate's; `standard` takes the place of 0. */
static int level_of(int level, int standard)
{
    if (level == 0)
        return standard;
    return level == NO_PACKING ? 0 : level;
}

tm_status tm_datafile_writer_new(tm_datafile_writer **out, const tm_datafile_writer_options *options,
                                 tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    tm_datafile_writer_options filled;
    TM_TRY(tmi_options_take(&filled, sizeof(filled), options, "tm_datafile_writer_options", error));
    if (filled.version != 0 && filled.version != 3 && filled.version != 4)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "version is %d, allowed are 3, 4, and 0 for the default",
                        filled.version);
    TM_TRY(check_level(filled.level, error));
    if (filled.smallest && !tm_zopfli_available())
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot pack as small as it gets: this library was built without zopfli");
    tm_datafile_writer *writer;
    TM_TRY(tmi_reserve_zeroed(&writer, filled.allocator, 1, sizeof(*writer), "a writer", error));
    writer->allocator = filled.allocator;
    writer->options = filled;
    writer->options.level = level_of(filled.level, DEFAULT_LEVEL);
    writer->version = 4;
    if (filled.version != 0)
        writer->version = (uint32_t)filled.version;
    else if (filled.source)
        writer->version = filled.source->plan.version;
    tmi_arena_init(&writer->bodies, writer->allocator);
    *out = writer;
    return TM_OK;
}

void tm_datafile_writer_free(tm_datafile_writer *writer)
{
    if (!writer)
        return;
    const tm_allocator *allocator = writer->allocator;
    for (size_t i = 0; i < writer->num_blocks; i++)
        if (writer->blocks[i].packed)
            tmi_free(allocator, writer->blocks[i].packed, (size_t)writer->blocks[i].packed_size, 1);
    tmi_arena_release(&writer->bodies);
    tmi_free(allocator, writer->items, writer->items_capacity, sizeof(*writer->items));
    tmi_free(allocator, writer->uuids, writer->uuids_capacity, sizeof(*writer->uuids));
    tmi_free(allocator, writer->blocks, writer->blocks_capacity, sizeof(*writer->blocks));
    tmi_free(allocator, writer->order, writer->order_size, sizeof(*writer->order));
    tmi_free(allocator, writer, 1, sizeof(*writer));
}

/* -------------------------------------------------------------------------------------------------- items */

tm_status tmi_writer_append(tm_datafile_writer *writer, const tmi_new_item *item, tm_error *error)
{
    if (writer->num_items >= INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many items: %ld are the most", (long)INT32_MAX);
    TM_TRY(tmi_grow(writer->allocator, &writer->items, &writer->items_capacity, writer->num_items + 1,
                    sizeof(*writer->items), error));
    uint8_t *copy = item->size ? tmi_arena_alloc(&writer->bodies, item->size, 1) : NULL;
    if (item->size && !copy)
        return tmi_fail_memory(error, item->size, "an item");
    if (copy)
        memcpy(copy, item->body, item->size);
    writer->items[writer->num_items] = *item;
    writer->items[writer->num_items++].body = copy;
    return TM_OK;
}

static tm_status check_item(const tm_datafile_writer *writer, const tm_datafile_item *item,
                            int32_t source_item, tm_error *error)
{
    TM_TRY(tmi_need(item, "item", error));
    if (item->size > 0 && !item->body)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "body is NULL, but the item has %lu bytes",
                        (unsigned long)item->size);
    /* only an item of a damaged source may have an odd size: it can be written back as it was */
    tm_datafile_item old; /* TM_NONE leads to none */
    if (item->size % 4 != 0 && (!tm_datafile_get_item(&old, writer->options.source, (uint32_t)source_item) ||
                                item->size != old.size))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the size of an item, %lu bytes, is not a multiple of 4",
                        (unsigned long)item->size);
    if (item->size > INT32_MAX - TMI_ITEM_HEAD)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "an item of %lu bytes is too large: %ld are the most",
                        (unsigned long)item->size, (long)INT32_MAX - TMI_ITEM_HEAD);
    return TM_OK;
}

tm_status tm_datafile_writer_add_item(tm_datafile_writer *writer, const tm_datafile_item *item,
                                      int32_t source_item, tm_error *error)
{
    TM_TRY(tmi_need(writer, "writer", error));
    TM_TRY(check_item(writer, item, source_item, error));
    const tmi_new_item fresh = {item->body, item->size, 0, source_item, item->type, item->id};
    return tmi_writer_append(writer, &fresh, error);
}

tm_status tm_datafile_writer_add_uuid_item(tm_datafile_writer *writer, const tm_uuid *uuid,
                                           const tm_datafile_item *item, int32_t source_item, tm_error *error)
{
    TM_TRY(tmi_need(writer, "writer", error));
    TM_TRY(tmi_need(uuid, "uuid", error));
    TM_TRY(check_item(writer, item, source_item, error));
    const size_t uuids = writer->num_uuids;
    size_t number = uuids; /* of the UUID, from 1 on */
    while (number > 0 && memcmp(&writer->uuids[number - 1].uuid, uuid, sizeof(*uuid)) != 0)
        number--;
    if (number == 0) {
        if (uuids >= 0xFFFF)
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many UUID item types: 65535 are the most");
        TM_TRY(tmi_grow(writer->allocator, &writer->uuids, &writer->uuids_capacity, uuids + 1,
                        sizeof(*writer->uuids), error));
        number = ++writer->num_uuids;
        writer->uuids[number - 1] = (tmi_new_uuid){*uuid, 0};
    }
    const tmi_new_item fresh = {item->body, item->size, (uint32_t)number, source_item, 0, item->id};
    const tm_status status = tmi_writer_append(writer, &fresh, error);
    if (status != TM_OK)
        writer->num_uuids = uuids;
    return status;
}

/* ------------------------------------------------------------------------------------------------- blocks */

static tm_status check_target(int32_t *index, const tm_datafile_writer *writer, tm_error *error)
{
    TM_TRY(tmi_need(index, "index", error));
    *index = TM_NONE;
    return tmi_need(writer, "writer", error);
}

static tm_status append_block(int32_t *index, tm_datafile_writer *writer, const tmi_pending_data *block,
                              tm_error *error)
{
    *index = TM_NONE;
    if (block->size > INT32_MAX || block->packed_size > INT32_MAX)
        return tmi_fail(
            error, TM_ERROR_LIMIT, -1, "a data block of %llu bytes is too large: %ld are the most",
            (unsigned long long)(block->size > block->packed_size ? block->size : block->packed_size),
            (long)INT32_MAX);
    if (writer->num_blocks >= INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "too many data blocks: %ld are the most", (long)INT32_MAX);
    TM_TRY(tmi_grow(writer->allocator, &writer->blocks, &writer->blocks_capacity, writer->num_blocks + 1,
                    sizeof(*writer->blocks), error));
    *index = (int32_t)writer->num_blocks;
    writer->blocks[writer->num_blocks++] = *block;
    return TM_OK;
}

tm_status tm_datafile_writer_add_data(int32_t *index, tm_datafile_writer *writer, const void *bytes,
                                      uint64_t size, int level, tm_error *error)
{
    TM_TRY(check_target(index, writer, error));
    TM_TRY(check_level(level, error));
    if (size > 0)
        TM_TRY(tmi_need(bytes, "bytes", error));
    const tmi_pending_data block = {.kind = TMI_BLOCK_BYTES,
                                    .level = level_of(level, writer->options.level),
                                    .size = size,
                                    .bytes = bytes};
    return append_block(index, writer, &block, error);
}

tm_status tmi_datafile_writer_add_lazy(int32_t *index, tm_datafile_writer *writer, uint64_t size,
                                       tmi_fetch_bytes *fetch, void *ctx, tm_error *error)
{
    const tmi_pending_data block = {.kind = TMI_BLOCK_LAZY,
                                    .level = writer->options.level,
                                    .size = size,
                                    .fetch = fetch,
                                    .fetch_ctx = ctx};
    return append_block(index, writer, &block, error);
}

tm_status tmi_datafile_writer_add_made(int32_t *index, tm_datafile_writer *writer, uint64_t most,
                                       tmi_fetch_bytes *make, void *ctx, tm_error *error)
{
    TM_TRY(tmi_datafile_writer_add_lazy(index, writer, most, make, ctx, error));
    writer->blocks[*index].kind = TMI_BLOCK_MADE;
    return TM_OK;
}

tm_status tm_datafile_writer_add_from(int32_t *index, tm_datafile_writer *writer, const tm_datafile *source,
                                      uint32_t source_index, bool recompress, tm_error *error)
{
    TM_TRY(check_target(index, writer, error));
    TM_TRY(tmi_need(source, "source", error));
    if (source_index >= source->num_data)
        return tmi_fail_index(error, "data block", source_index, source->num_data);
    const tmi_data_range range = tmi_block_at(source, source_index);
    const tmi_pending_data block = {.kind = TMI_BLOCK_FROM,
                                    .level = writer->options.level,
                                    .repack = recompress && writer->version == 4 && source->plan.version == 4,
                                    .size = range.size,
                                    .packed_size = range.packed_size,
                                    .source = source,
                                    .source_index = source_index};
    return append_block(index, writer, &block, error);
}

tm_status tmi_datafile_writer_add_again(int32_t *index, tm_datafile_writer *writer, uint32_t of,
                                        tm_error *error)
{
    const tmi_pending_data *other = &writer->blocks[of];
    const tmi_pending_data block = {
        .kind = TMI_BLOCK_AGAIN, .source_index = other->kind == TMI_BLOCK_AGAIN ? other->source_index : of};
    return append_block(index, writer, &block, error);
}

void tmi_datafile_writer_pack_as_games(tm_datafile_writer *writer)
{
    writer->as_games = true;
}

void tmi_datafile_writer_reuse(tm_datafile_writer *writer, uint32_t index, uint32_t source_index)
{
    tmi_pending_data *block = &writer->blocks[index];
    TMI_ASSERT(index < writer->num_blocks && source_index < writer->options.source->num_data);
    if (block->kind == TMI_BLOCK_BYTES || block->kind == TMI_BLOCK_LAZY || block->kind == TMI_BLOCK_MADE)
        block->like = source_index + 1;
}

uint32_t tmi_datafile_writer_num_data(const tm_datafile_writer *writer)
{
    return (uint32_t)writer->num_blocks;
}
