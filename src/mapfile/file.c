/* SPDX-License-Identifier: Zlib */
/*
 * The file behind a map: an origin that unpacks blocks through their views, finds items by kind, and keeps
 * the texts. Knows the container and what a block is, but no field of any item.
 */
#include "mapfile.h"

#include "../datafile/datafile.h"
#include "../games/games.h"

static const tmi_file *file_of(const tmi_origin *origin)
{
    return (const tmi_file *)(const void *)origin;
}

uint64_t tmi_announced_size(const tm_block *block)
{
    const tmi_file *file = block->changed ? NULL : file_of(block->origin);
    if (!file || file->mode == TM_MODE_SALVAGE) /* what is rescued is packed again */
        return block->size;
    return tmi_block_at(file->datafile, block->data_index).announced;
}

static const tm_allocator *file_allocator(const tmi_file *file)
{
    return file->allocator.resize ? &file->allocator : NULL;
}

static tm_status read_runs(const tmi_file *file, const tm_block *block, void *buffer, uint64_t size,
                           tm_error *error)
{
    if (size > file->block_limit)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "data block %u unpacks to %llu bytes, and the limit is %llu", block->data_index,
                        (unsigned long long)size, (unsigned long long)file->block_limit);
    void *packed;
    TM_TRY(tmi_reserve(&packed, file_allocator(file), 1, (size_t)size, "run-length tiles", error));
    tm_status status = tm_datafile_read_data(NULL, file->datafile, block->data_index, packed, size, error);
    if (status == TM_OK &&
        tmi_runs_decode(buffer, block->size / sizeof(tm_tile), packed, size / sizeof(tm_tile)) &&
        file->mode == TM_MODE_STRICT) /* others show what is there */
        status =
            tmi_fail(error, TM_ERROR_DAMAGED, -1, "the run lengths do not add up to the layer's %llu tiles",
                     (unsigned long long)(block->size / sizeof(tm_tile)));
    tmi_free(file_allocator(file), packed, 1, (size_t)size);
    return status;
}

static tm_status origin_read(const tmi_origin *origin, const tm_block *block, void *buffer, tm_error *error)
{
    const tmi_file *file = file_of(origin);
    tm_datafile_data data;
    if (!tm_datafile_get_data(&data, file->datafile, block->data_index))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "data block %u does not exist", block->data_index);
    if (file->mode != TM_MODE_SALVAGE && tmi_unread_bytes(file, block->data_index)) {
        tmi_fail(error, TM_ERROR_DAMAGED, (int64_t)data.offset,
                 "the file says that there are no bytes, but there are some");
        tmi_error_about(error, TM_SIDE_INPUT, file->datafile->input.name);
        return tmi_fail_at(error, TM_ERROR_DAMAGED, "data %lu", (unsigned long)block->data_index);
    }
    if (block->view == TMI_ENCODING_RUNS)
        return read_runs(file, block, buffer, data.size, error);
    if (data.size < block->size && file->mode == TM_MODE_STRICT)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1, "data block %u has %llu bytes, but %llu are needed",
                        block->data_index, (unsigned long long)data.size, (unsigned long long)block->size);
    TM_TRY(tm_datafile_read_data(NULL, file->datafile, block->data_index, buffer, data.size, error));
    memset((uint8_t *)buffer + data.size, 0, (size_t)(block->size - data.size));
    tmi_encoding_swap(buffer, block->size, block->view);
    return TM_OK;
}

static tm_status file_read_head(const tmi_origin *origin, const tm_block *block, void *buffer, size_t *size,
                                tm_error *error)
{
    return tmi_data_head(file_of(origin)->datafile, block->data_index, buffer, size, error);
}

static uint64_t file_packed_size(const tmi_origin *origin, uint32_t data_index)
{
    tm_datafile_data data = {0, 0, 0};
    tm_datafile_get_data(&data, file_of(origin)->datafile, data_index);
    return data.packed_size;
}

static tm_status file_read_packed(const tmi_origin *origin, uint32_t data_index, uint64_t offset,
                                  void *buffer, size_t size)
{
    const tm_datafile *datafile = file_of(origin)->datafile;
    return tmi_input_read(&datafile->input, tmi_block_at(datafile, data_index).offset + offset, buffer, size,
                          NULL);
}

static void file_free(tmi_origin *origin)
{
    tmi_file *file = (tmi_file *)(void *)origin;
    tm_allocator allocator = file->allocator;
    tm_datafile_close(file->datafile);
    tmi_arena_release(&file->arena);
    tmi_free(allocator.resize ? &allocator : NULL, file, 1, sizeof(*file));
}

static tm_status file_use(const tmi_origin *origin, const tm_block *block, const void **bytes,
                          tm_error *error)
{
    return tmi_data_use(file_of(origin)->datafile, block->data_index, bytes, error);
}

static bool file_end_use(const tmi_origin *origin, const tm_block *block, bool last_only)
{
    return tmi_data_end_use(file_of(origin)->datafile, block->data_index, last_only);
}

static bool file_in_use(const tmi_origin *origin, const tm_block *block)
{
    return tmi_data_in_use(file_of(origin)->datafile, block->data_index);
}

static bool file_has_tail(const tmi_origin *origin, uint32_t item)
{
    return ((const tmi_file *)(const void *)origin)->notes[item].known != 0;
}

static const struct tmi_origin_functions file_functions = {
    .read = origin_read,
    .read_head = file_read_head,
    .use = file_use,
    .end_use = file_end_use,
    .in_use = file_in_use,
    .has_tail = file_has_tail,
    .packed_size = file_packed_size,
    .read_packed = file_read_packed,
    .free = file_free,
};

const tmi_file *tmi_file_of(const tm_map *map)
{
    const tmi_origin *origin = map->priv->origin;
    return origin && origin->functions == &file_functions ? file_of(origin) : NULL;
}

const tmi_file *tmi_file_of_block(const tm_block *block)
{
    return block->origin && block->origin->functions == &file_functions ? file_of(block->origin) : NULL;
}

/* --------------------------------------------------------------------------------------------- making one */

static void index_kinds(tmi_file *file)
{
    tm_datafile_type type;
    for (unsigned kind = 0; kind < TMI_KINDS; kind++) {
        file->items[kind] = TM_NONE;
        bool found = kind < TMI_KIND_UUID
                         ? tm_datafile_find_type(&type, file->datafile, (uint16_t)kind)
                         : tm_datafile_find_uuid(&type, file->datafile,
                                                 tmi_game_uuid((tm_uuid_item)(kind - TMI_KIND_UUID)));
        for (unsigned other = 0; found && other < kind; other++) /* one number may stand for two UUIDs */
            found = file->items[other] != (int32_t)type.first;
        if (!found)
            continue;
        file->items[kind] = (int32_t)type.first;
        file->counts[kind] = type.num;
        if (kind >= TMI_KIND_UUID)
            file->uuid_types[kind - TMI_KIND_UUID] = type.type;
    }
}

tm_status tmi_file_new(tmi_file **out, tm_datafile *datafile, const tm_mapfile_options *options,
                       tm_error *error)
{
    const tm_allocator *allocator = options->allocator;
    tmi_file *file = tmi_calloc(allocator, 1, sizeof(*file));
    *out = NULL;
    if (!file) {
        tm_datafile_close(datafile);
        return tmi_fail_memory(error, sizeof(*file), "a map");
    }
    atomic_init(&file->base.references, 1);
    file->base.functions = &file_functions;
    file->base.account = &datafile->shared->account;
    file->base.packing = datafile->plan.version;
    file->datafile = datafile;
    file->mode = options->mode;
    const tm_limits *limits = options->limits; /* filled */
    file->block_limit = limits->block_bytes;
    file->text_limit =
        limits->unpacked_bytes < TMI_ALL_TEXTS_LIMIT ? limits->unpacked_bytes : TMI_ALL_TEXTS_LIMIT;
    file->air_left = TMI_AIR_LIMIT;
    if (allocator)
        file->allocator = *allocator;
    tmi_arena_init(&file->arena, file_allocator(file));
    const size_t num_data = tm_datafile_num_data(datafile), num_items = tm_datafile_num_items(datafile);
    file->data = tmi_arena_alloc(&file->arena, num_data + 1, sizeof(*file->data));
    file->notes = tmi_arena_alloc(&file->arena, num_items + 1, sizeof(*file->notes));
    if (!file->data || !file->notes) {
        file_free(&file->base);
        return tmi_fail_memory(error, (uint64_t)num_data * sizeof(*file->data), "the tables of a map");
    }
    memset(file->data, 0, (num_data + 1) * sizeof(*file->data));
    memset(file->notes, 0, (num_items + 1) * sizeof(*file->notes));
    index_kinds(file);
    *out = file;
    return TM_OK;
}

bool tmi_file_item(const tmi_file *file, unsigned kind, uint32_t k, tm_datafile_item *item, uint32_t *index)
{
    if (k >= file->counts[kind])
        return false;
    const uint32_t at = (uint32_t)file->items[kind] + k;
    if (index)
        *index = at;
    return tm_datafile_get_item(item, file->datafile, at);
}

bool tmi_file_knows_type(const tmi_file *file, uint16_t type)
{
    bool known = type < TMI_KIND_UUID;
    for (unsigned uuid = 0; uuid < TM_UUID_COUNT; uuid++)
        known |= file->counts[TMI_KIND_UUID + uuid] && file->uuid_types[uuid] == type;
    return known;
}

/* -------------------------------------------------------------------------------------------------- texts */

/*
 * Unpacks a text. Its size is only a claim of the file: a long text is unpacked by the datafile, whose memory
 * grows with the bytes that are really there; a short one into memory of the claimed size.
 */
static tm_status unpack_text(tmi_file *file, uint32_t data_index, uint64_t size, const char **out,
                             tm_error *error)
{
    enum { TRUSTED = 4096 };
    const void *bytes = NULL;
    char *text = NULL;
    tm_status status = TM_OK;
    tm_error reason;
    *out = NULL;
    if (size > file->text_limit - file->text_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "the texts unpack to more than %llu bytes, which is the limit",
                        (unsigned long long)file->text_limit);
    if (size > TRUSTED)
        status = tm_datafile_data_bytes(&bytes, NULL, file->datafile, data_index, &reason);
    if (status == TM_OK)
        status = tmi_arena_reserve(&text, &file->arena, (size_t)size + 1, 1, "a text", &reason);
    if (status == TM_OK && bytes)
        memcpy(text, bytes, (size_t)size);
    else if (status == TM_OK)
        status = tm_datafile_read_data(NULL, file->datafile, data_index, text, size, &reason);
    if (bytes)
        tm_datafile_drop(file->datafile, data_index);
    if (status != TM_OK) /* a damaged text is missing, and the block's finding says so */
        return tmi_past_damage(status, &reason, error);
    file->text_bytes += size;
    text[size] = '\0';
    *out = text;
    return TM_OK;
}

/* What can be wrong with a text, by tmi_file_data.fault. */
enum { FAULT_UNKNOWN, FAULT_NONE, FAULT_DAMAGED, FAULT_END, FAULT_MIDST, FAULT_CODING };
static const char *const fault_texts[] = {
    [FAULT_DAMAGED] = "cannot be unpacked",
    [FAULT_END] = "does not end with a NUL byte",
    [FAULT_MIDST] = "has a NUL byte before its end",
    [FAULT_CODING] = "is not UTF-8",
};

/* The fault of a text: DDNet needs UTF-8 and one NUL, at the end (section 1.11). */
static uint8_t text_fault(const char *text, uint64_t size)
{
    if (!text)
        return FAULT_DAMAGED;
    if (size == 0 || text[size - 1] != '\0')
        return FAULT_END;
    if (strlen(text) + 1 != size)
        return FAULT_MIDST;
    return tmi_utf8_valid(text, (size_t)size - 1) ? FAULT_NONE : FAULT_CODING;
}

tm_status tmi_file_text(const tmi_item_io *io, const char **out, uint32_t data_index, bool settings)
{
    tmi_file *file = io->file;
    tm_datafile_data data;
    const char *fault = "is too long for a text";
    *out = NULL;
    file->data[data_index].is_list |= settings;
    tm_datafile_get_data(&data, file->datafile, data_index);
    if (tmi_block_at(file->datafile, data_index).announced <=
        (settings ? TMI_SETTINGS_LIMIT : TMI_TEXT_LIMIT)) {
        if (!file->data[data_index].tried) {
            file->data[data_index].tried = true;
            file->data[data_index].size = (uint32_t)data.size;
            if (file->mode == TM_MODE_SALVAGE || !tmi_unread_bytes(file, data_index))
                TM_TRY(unpack_text(file, data_index, data.size, &file->data[data_index].text, io->error));
        }
        *out = file->data[data_index].text;
        /* many items may name one text; it is looked at once */
        if (file->data[data_index].fault == FAULT_UNKNOWN)
            file->data[data_index].fault = text_fault(*out, data.size);
        fault = fault_texts[file->data[data_index].fault];
    }
    if (fault && !(settings && *out))
        tmi_report_at_address(io->findings, file->mode, TM_FINDING_BAD_TEXT, io->map, io->address,
                              (int64_t)data.offset, "the text in data block %u %s", data_index, fault);
    return TM_OK;
}
