/* SPDX-License-Identifier: Zlib */
/*
 * Compares what two files carry along and the model does not read. Each file gives a list of parts: unknown
 * items, the integers that known items have behind the known ones, blocks that no object uses, and blocks
 * that hold fewer bytes than their object needs: what is missing reads as zeros, and is none. First equal
 * parts are taken off both lists, wherever they are; of the rest, parts of one type and id are one change.
 */
#include "mapfile.h"
#include "../datafile/datafile.h"

typedef struct unknown_part {
    tm_unknown_change change; /* as it is on its own side, which is [0] */
    const uint8_t *bytes;
    uint64_t hash;
    tm_data_state state;
    bool by_id;  /* other items may refer to the id */
    bool paired; /* the other list has the same */
} unknown_part;

typedef struct unknown_list {
    const tmi_file *file; /* NULL: the map comes from none */
    unknown_part *parts;
    size_t num, capacity;
} unknown_list;

typedef struct unknown_pair {
    const tm_allocator *allocator;
    unknown_list lists[2];
    tm_unknown_visitor *visit;
    void *ctx;
} unknown_pair;

/* The most bytes in all parts, as a multiple of the file's size: items of damaged files can overlap. */
enum { MAX_OVERLAPS = 16 };

/* ------------------------------------------------------------------------------------- what a file has */

static unknown_part *add_part(unknown_list *list, const tm_allocator *allocator, tm_unknown_kind kind,
                              uint32_t number, uint64_t size, tm_error *error)
{
    if (tmi_grow(allocator, &list->parts, &list->capacity, list->num + 1, sizeof(*list->parts), error))
        return NULL;
    unknown_part *part = &list->parts[list->num++];
    *part = (unknown_part){.change = {.kind = kind, .there = {true, false}, .number = {number, 0}}};
    part->change.size[0] = size;
    return part;
}

/* The size of a tile layer that has none in the model. */
static tm_status add_size(unknown_list *list, const tm_allocator *allocator, uint32_t index,
                          const tm_datafile_item *item, tm_error *error)
{
    enum { SIZE_AT = 4 * 4, SIZE_BYTES = 2 * 4 };
    if (item->size < SIZE_AT + SIZE_BYTES)
        return TM_OK;
    unknown_part *part = add_part(list, allocator, TM_UNKNOWN_WORDS, index, SIZE_BYTES, error);
    if (!part)
        return TM_ERROR_MEMORY;
    part->change.type = item->type;
    part->change.id = item->id;
    part->bytes = item->body + SIZE_AT;
    part->hash = tmi_hash(TMI_HASH, part->bytes, SIZE_BYTES);
    return TM_OK;
}

static tm_status add_items(unknown_list *list, const tm_allocator *allocator, tm_error *error)
{
    tm_datafile_header header;
    tm_datafile_item item;
    uint64_t bytes = 0;
    const tmi_file *file = list->file;
    tm_datafile_get_header(&header, file->datafile);
    for (uint32_t i = 0; tm_datafile_get_item(&item, file->datafile, i); i++) {
        const tmi_file_note *note = &file->notes[i];
        const bool words = note->role == TMI_ROLE_OBJECT && !(note->withheld & TMI_WITHHELD_ITEM);
        if (words && note->withheld & TMI_WITHHELD_SIZE)
            TM_TRY(add_size(list, allocator, i, &item, error));
        if (item.type == TM_TYPE_UUID_INDEX || !item.body || (words && !note->known))
            continue;
        bytes += item.size;
        if (bytes / MAX_OVERLAPS > header.file_size)
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "the items overlap more than %d times", MAX_OVERLAPS);
        const uint32_t skipped = words ? 4u * note->known : 0;
        unknown_part *part = add_part(list, allocator, words ? TM_UNKNOWN_WORDS : TM_UNKNOWN_ITEM, i,
                                      item.size - skipped, error);
        tm_datafile_type type;
        if (!part)
            return TM_ERROR_MEMORY;
        part->change.type = item.type;
        part->change.id = item.id;
        if (tm_datafile_find_type(&type, file->datafile, item.type) && type.has_uuid) {
            part->change.has_uuid = true;
            part->change.uuid = type.uuid;
        }
        part->by_id = !words && !(file->is_map && tmi_file_knows_type(file, item.type));
        part->bytes = item.body + skipped;
        part->hash = tmi_hash(TMI_HASH, part->bytes, (size_t)part->change.size[0]);
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------- their content */

static tm_status note_content(void *ctx, uint32_t index, const void *bytes, uint64_t size,
                              tm_data_state state)
{
    unknown_part *part = ctx;
    (void)index;
    part->hash = tmi_hash(TMI_HASH, bytes, (size_t)size);
    part->state = state;
    return TM_OK;
}

static bool is_whole(tm_data_state state)
{
    return state == TM_DATA_FINE || state == TM_DATA_TRAILING || state == TM_DATA_EMPTY;
}

/* Compares two blocks of one size; broken blocks are equal if their packed bytes are. */
static tm_status compare_blocks(bool *equal, const unknown_pair *pair, const unknown_part *const part[2],
                                tm_error *error)
{
    const bool packed = !is_whole(part[0]->state) || !is_whole(part[1]->state);
    tm_buffer block[2] = {{.allocator = pair->allocator}, {.allocator = pair->allocator}};
    tm_status status = TM_OK;
    for (int side = 0; side < 2 && status == TM_OK; side++) {
        const tm_datafile *datafile = pair->lists[side].file->datafile;
        const uint32_t number = part[side]->change.number[0];
        tm_buffer *buffer = &block[side];
        tm_datafile_data data;
        tm_datafile_get_data(&data, datafile, number);
        buffer->size = buffer->capacity = (size_t)(packed ? data.packed_size : data.size);
        status = tmi_reserve(&buffer->bytes, buffer->allocator, buffer->size, 1, "a data block", error);
        if (status == TM_OK && packed)
            status = tmi_datafile_read_packed(datafile, number, buffer->bytes, error);
        else if (status == TM_OK)
            status = tm_datafile_read_data(NULL, datafile, number, buffer->bytes, buffer->size, error);
    }
    *equal = status == TM_OK && block[0].size == block[1].size &&
             memcmp(block[0].bytes, block[1].bytes, block[0].size) == 0;
    for (int side = 0; side < 2; side++)
        tm_buffer_release(&block[side]);
    return status;
}

/*
 * ----------------------------------------------------------------------------------- blocks that are short
 */

enum { SHORT_LIMIT = 256 << 20 }; /* bytes that are unpacked at most to find such blocks */

/* What the packed bytes of a block are known by; 0: they cannot be read. */
static uint64_t packed_key(const tm_datafile *datafile, uint32_t index)
{
    enum { PIECE = 8192 };
    uint8_t bytes[PIECE];
    const tmi_data_range block = tmi_block_at(datafile, index);
    uint64_t key = tmi_hash_number(TMI_HASH, (int64_t)block.announced);
    for (uint64_t at = 0; at < block.packed_size; at += PIECE) {
        const size_t size = block.packed_size - at < PIECE ? (size_t)(block.packed_size - at) : PIECE;
        if (tmi_input_read(&datafile->input, block.offset + at, bytes, size, NULL) != TM_OK)
            return 0;
        key = tmi_hash(key, bytes, size);
    }
    return key | 1;
}

static tm_status note_state(void *ctx, uint32_t index, const void *bytes, uint64_t size, tm_data_state state)
{
    tm_data_state *states = ctx;
    (void)bytes, (void)size;
    states[index] = state;
    return TM_OK;
}

/* The keys of all blocks of a file by their number, and sorted. */
typedef struct block_keys {
    uint64_t *by_number, *sorted;
    uint32_t num;
} block_keys;

static bool has_key(const block_keys *keys, uint64_t key)
{
    const size_t place = tmi_search_u64(keys->sorted, keys->num, key);
    return place < keys->num && keys->sorted[place] == key;
}

/* Adds those of one file that the other one does not have in the same bytes. */
static tm_status add_short_blocks(unknown_list *list, const block_keys keys[2], int side,
                                  const tm_allocator *allocator, const tm_job *job, tm_error *error)
{
    const tmi_file *file = list->file;
    const uint32_t num = keys[side].num;
    uint32_t *numbers, num_asked = 0;
    tm_data_state *states;
    uint64_t left = SHORT_LIMIT;
    TM_TRY(tmi_reserve(&numbers, allocator, num, sizeof(*numbers), "the blocks of a map", error));
    tm_status status = tmi_reserve(&states, allocator, num, sizeof(*states), "the blocks of a map", error);
    for (uint32_t i = 0; status == TM_OK && i < num; i++) {
        const uint64_t size = tmi_block_at(file->datafile, i).size;
        states[i] = TM_DATA_FINE;
        if (!file->data[i].claimed || has_key(&keys[1 - side], keys[side].by_number[i]) || size > left)
            continue;
        left -= size;
        numbers[num_asked++] = i;
    }
    if (status == TM_OK)
        status = tm_datafile_visit(file->datafile, numbers, num_asked, note_state, states, job, error);
    for (uint32_t k = 0; status == TM_OK && k < num_asked; k++) {
        const uint32_t i = numbers[k];
        if (states[i] != TM_DATA_SHORT && !file->data[i].is_short)
            continue;
        unknown_part *part = add_part(list, allocator, TM_UNKNOWN_SHORT, i,
                                      tmi_block_at(file->datafile, i).packed_size, error);
        if (!part)
            status = TM_ERROR_MEMORY;
        else
            part->hash = keys[side].by_number[i];
    }
    tmi_free(allocator, states, num, sizeof(*states));
    tmi_free(allocator, numbers, num, sizeof(*numbers));
    return status;
}

static tm_status make_keys(block_keys *keys, const tmi_file *file, const tm_allocator *allocator,
                           tm_error *error)
{
    const uint32_t num = file ? tm_datafile_num_data(file->datafile) : 0;
    TM_TRY(tmi_reserve(&keys->by_number, allocator, num, sizeof(*keys->by_number), "the blocks of a map",
                       error));
    TM_TRY(tmi_reserve(&keys->sorted, allocator, num, sizeof(*keys->sorted), "the blocks of a map", error));
    keys->num = num;
    for (uint32_t i = 0; i < num; i++)
        keys->by_number[i] = keys->sorted[i] = packed_key(file->datafile, i);
    tmi_sort_u64(keys->sorted, num);
    return TM_OK;
}

/* Blocks that overlap as no writer makes them are not looked at: each would be read for many others. */
static bool overlaps(const tmi_file *file)
{
    return file && tmi_check_amplification(file->datafile, NULL) != TM_OK;
}

static tm_status add_short(unknown_pair *pair, const tm_job *job, tm_error *error)
{
    block_keys keys[2] = {{NULL, NULL, 0}, {NULL, NULL, 0}};
    tm_status status = TM_OK;
    if (overlaps(pair->lists[0].file) || overlaps(pair->lists[1].file))
        return TM_OK;
    for (int side = 0; side < 2 && status == TM_OK; side++)
        status = make_keys(&keys[side], pair->lists[side].file, pair->allocator, error);
    for (int side = 0; side < 2 && status == TM_OK; side++)
        if (pair->lists[side].file)
            status = add_short_blocks(&pair->lists[side], keys, side, pair->allocator, job, error);
    for (int side = 0; side < 2; side++) {
        const tmi_file *file = pair->lists[side].file;
        const uint32_t num = file ? tm_datafile_num_data(file->datafile) : 0;
        tmi_free(pair->allocator, keys[side].by_number, num, sizeof(uint64_t));
        tmi_free(pair->allocator, keys[side].sorted, num, sizeof(uint64_t));
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ pairing */

static int order_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int order_types(const unknown_part *a, const unknown_part *b)
{
    int order = order_numbers(a->change.kind, b->change.kind);
    if (!order)
        order = order_numbers(a->change.has_uuid, b->change.has_uuid);
    if (!order && a->change.has_uuid)
        return memcmp(&a->change.uuid, &b->change.uuid, sizeof(a->change.uuid));
    return order ? order : order_numbers(a->change.type, b->change.type);
}

/* Orders parts so that those which may be equal are neighbours. */
static int order_contents(const unknown_part *a, const unknown_part *b)
{
    int order = order_types(a, b);
    if (!order)
        order = order_numbers(a->by_id, b->by_id);
    if (!order && a->by_id)
        order = order_numbers(a->change.id, b->change.id);
    if (!order)
        order = order_numbers(a->change.size[0], b->change.size[0]);
    return order ? order : order_numbers(a->hash, b->hash);
}

static int by_content_first(const void *a, const void *b)
{
    const unknown_part *part = a, *other = b;
    const int order = order_contents(part, other);
    return order ? order : order_numbers(part->change.number[0], other->change.number[0]);
}

static int order_unknown_ids(const unknown_part *a, const unknown_part *b)
{
    const int order = order_types(a, b);
    return order || a->change.kind >= TM_UNKNOWN_DATA ? order : order_numbers(a->change.id, b->change.id);
}

static int by_id_first(const void *a, const void *b)
{
    const unknown_part *part = a, *other = b;
    const int order = order_unknown_ids(part, other);
    return order ? order : order_numbers(part->change.number[0], other->change.number[0]);
}

static void sort_parts(unknown_pair *pair, int (*order)(const void *a, const void *b))
{
    for (int side = 0; side < 2; side++)
        if (pair->lists[side].num)
            qsort(pair->lists[side].parts, pair->lists[side].num, sizeof(unknown_part), order);
}

static tm_status remove_equal_parts(unknown_pair *pair, tm_error *error)
{
    sort_parts(pair, by_content_first);
    unknown_part *const a = pair->lists[0].parts, *const b = pair->lists[1].parts;
    for (size_t i = 0, j = 0; i < pair->lists[0].num && j < pair->lists[1].num;) {
        const int order = order_contents(&a[i], &b[j]);
        if (order == 0) {
            bool equal = false;
            const unknown_part *const parts[2] = {&a[i], &b[j]};
            if (a[i].change.kind == TM_UNKNOWN_DATA)
                TM_TRY(compare_blocks(&equal, pair, parts, error));
            else if (a[i].change.kind != TM_UNKNOWN_SHORT)
                equal =
                    !a[i].change.size[0] || memcmp(a[i].bytes, b[j].bytes, (size_t)a[i].change.size[0]) == 0;
            a[i].paired = b[j].paired = equal;
        }
        i += order <= 0;
        j += order >= 0;
    }
    for (int side = 0; side < 2; side++) {
        unknown_list *list = &pair->lists[side];
        size_t num = 0;
        for (size_t i = 0; i < list->num; i++)
            if (!list->parts[i].paired)
                list->parts[num++] = list->parts[i];
        list->num = num;
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------- telling */

/* Visits the differences: parts of one type and id, and parts that one side lacks. */
static void visit_differences(unknown_pair *pair)
{
    const unknown_list *lists = pair->lists;
    sort_parts(pair, by_id_first);
    for (size_t i = 0, j = 0; i < lists[0].num || j < lists[1].num;) {
        const unknown_part *a = i < lists[0].num ? &lists[0].parts[i] : NULL;
        const unknown_part *b = j < lists[1].num ? &lists[1].parts[j] : NULL;
        int order = !b ? -1 : !a ? 1 : order_unknown_ids(a, b);
        if (order == 0 && a->change.kind >= TM_UNKNOWN_DATA) /* nothing says which was which */
            order = -1;
        const unknown_part *sides[2] = {order <= 0 ? a : NULL, order >= 0 ? b : NULL};
        tm_unknown_change change = order <= 0 ? a->change : b->change;
        for (int side = 0; side < 2; side++) {
            change.there[side] = sides[side];
            change.number[side] = sides[side] ? sides[side]->change.number[0] : 0;
            change.size[side] = sides[side] ? sides[side]->change.size[0] : 0;
        }
        const uint64_t common = change.size[0] < change.size[1] ? change.size[0] : change.size[1];
        change.num = change.size[0] + change.size[1] - 2 * common;
        for (uint64_t k = 0; k < common; k++)
            change.num += a->bytes[k] != b->bytes[k];
        if (!pair->visit(pair->ctx, &change))
            return;
        i += order <= 0;
        j += order >= 0;
    }
}

static tm_status compare_unknown_lists(unknown_pair *pair, const tm_job *job, tm_error *error)
{
    bool blocks = true;
    for (int side = 0; side < 2; side++) {
        unknown_list *list = &pair->lists[side];
        tm_datafile_data data;
        if (list->file) {
            TM_TRY(add_items(list, pair->allocator, error));
            for (uint32_t i = 0; tm_datafile_get_data(&data, list->file->datafile, i); i++)
                if (!list->file->data[i].claimed &&
                    !add_part(list, pair->allocator, TM_UNKNOWN_DATA, i, data.size, error))
                    return TM_ERROR_MEMORY;
        }
        blocks = blocks && list->num && list->parts[list->num - 1].change.kind == TM_UNKNOWN_DATA;
    }
    for (int side = 0; blocks && side < 2; side++) {
        const unknown_list *list = &pair->lists[side];
        for (size_t i = list->num; i-- > 0 && list->parts[i].change.kind == TM_UNKNOWN_DATA;)
            TM_TRY(tm_datafile_visit(list->file->datafile, list->parts[i].change.number, 1, note_content,
                                     &list->parts[i], job, error));
    }
    TM_TRY(add_short(pair, job, error)); /* the other file has none of them, so that none is paired */
    TM_TRY(remove_equal_parts(pair, error));
    visit_differences(pair);
    return TM_OK;
}

tm_status tm_mapfile_compare_unknown(const tm_map *before, const tm_map *after, tm_unknown_visitor *visit,
                                     void *ctx, const tm_job *job, tm_error *error)
{
    tm_job effective;
    TM_TRY(tmi_need(before, "before", error));
    TM_TRY(tmi_need(after, "after", error));
    if (!visit)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "visit is NULL");
    TM_TRY(tmi_job_take(&effective, job, error));
    effective.progress = NULL; /* it would begin again with each block */
    unknown_pair pair = {.allocator = tmi_map_allocator(before), .visit = visit, .ctx = ctx};
    pair.lists[0].file = tmi_file_of(before);
    pair.lists[1].file = tmi_file_of(after);
    const tm_status status =
        pair.lists[0].file == pair.lists[1].file ? TM_OK : compare_unknown_lists(&pair, &effective, error);
    for (int side = 0; side < 2; side++)
        tmi_free(pair.allocator, pair.lists[side].parts, pair.lists[side].capacity, sizeof(unknown_part));
    return status;
}

/* ---------------------------------------------------------------------------------------- words */

size_t tm_unknown_describe(const tm_unknown_change *change, char *buffer, size_t size)
{
    char type[96], part[160], line[256];
    if (!change)
        return tmi_format(buffer, size, "%s", "");
    const uint8_t *u = change->uuid.bytes;
    const char *name = change->has_uuid ? tm_game_uuid_name(&change->uuid) : tm_game_item_name(change->type);
    if (name)
        tmi_format(type, sizeof(type), "item of type %s", name);
    else if (!change->has_uuid)
        tmi_format(type, sizeof(type), "unknown item of type %u", change->type);
    else
        tmi_format(type, sizeof(type),
                   "unknown item of type %02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
                   "%02x%02x%02x%02x%02x%02x",
                   u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13],
                   u[14], u[15]);
    const unsigned long long before = change->size[0], after = change->size[1], num = change->num;
    const bool on_both = change->there[0] && change->there[1];
    if (change->kind == TM_UNKNOWN_DATA || change->kind == TM_UNKNOWN_SHORT)
        tmi_format(part, sizeof(part), "data block %u, which %s", (unsigned)change->number[!change->there[0]],
                   change->kind == TM_UNKNOWN_DATA ? "no object uses" : "holds less than its object needs");
    else
        tmi_format(part, sizeof(part), "%s, id %u%s", type, change->id,
                   change->kind == TM_UNKNOWN_WORDS ? ", after the known ones" : "");
    if (!on_both)
        tmi_format(line, sizeof(line), "%s: %s, %llu bytes", part, change->there[0] ? "removed" : "added",
                   before + after);
    else if (before == after)
        tmi_format(line, sizeof(line), "%s: %llu of %llu bytes differ", part, num, before);
    else
        tmi_format(line, sizeof(line), "%s: %llu bytes -> %llu bytes, %llu differ", part, before, after, num);
    return tmi_give_line(buffer, size, line);
}
