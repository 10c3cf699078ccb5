/* SPDX-License-Identifier: Zlib */
/*
 * Fields of items, in both directions: one function for each sort of field (integer, flag, name, reference,
 * text, block, settings). mapfile.h tells how the three passes work together. Knows no kind of item.
 */
#include "mapfile.h"

#include "../datafile/datafile.h"

#include <stdarg.h>

void tmi_io_report(tmi_item_io *io, tm_finding_id id, const char *format, ...)
{
    va_list list;
    if (io->pass != TMI_LOAD)
        return;
    va_start(list, format);
    tmi_vreport_at_address(io->findings, io->mode, id, io->map, io->address, -1, format, list);
    va_end(list);
}

void tmi_io_unknown(tmi_item_io *io, uint32_t most)
{
    if (io->pass != TMI_LOAD || io->num <= most)
        return;
    io->file->hold_numbers = true;   /* the unknown integers may be data indices, */
    io->file->base.may_refer = true; /* or those of objects */
    io->file->notes[io->item].known = (uint8_t)most;
}

void tmi_io_most(tmi_item_io *io, uint32_t most)
{
    tmi_io_unknown(io, most);
    if (io->num > most)
        tmi_io_report(io, TM_FINDING_ITEM_LONGER, "the item has %u integers, %u are known", io->num, most);
}

/* --------------------------------------------------------------------------------------------------- ints */

int32_t tmi_io_raw(const tmi_item_io *io, uint32_t k, int32_t missing)
{
    return k < io->num ? tmi_get_i32(io->body + (size_t)k * 4) : missing;
}

void tmi_io_need(tmi_item_io *io, uint32_t num, int32_t filler)
{
    if (io->status != TM_OK || num <= io->num)
        return;
    if (num > io->capacity) {
        size_t wanted = num > 2 * io->capacity ? num : 2 * io->capacity;
        uint8_t *body = tmi_realloc(io->allocator, io->body, io->capacity, wanted, 4);
        if (!body) {
            io->status = tmi_fail_memory(io->error, (uint64_t)wanted * 4, "an item");
            return;
        }
        io->body = body;
        io->capacity = wanted;
    }
    for (; io->num < num; io->num++) {
        const bool known = io->num < TMI_ABSENT && (io->absent_set >> io->num & 1);
        tmi_put_i32(io->body + (size_t)io->num * 4, known ? io->absent[io->num] : filler);
    }
    io->differs = true;
}

void tmi_io_absent(tmi_item_io *io, uint32_t k, int32_t value)
{
    if (k < io->num || k >= TMI_ABSENT)
        return;
    io->absent[k] = value;
    io->absent_set |= 1u << k;
}

void tmi_io_put(tmi_item_io *io, uint32_t k, int32_t value)
{
    tmi_io_need(io, k + 1, 0);
    if (io->status != TM_OK)
        return;
    tmi_put_i32(io->body + (size_t)k * 4, value);
    io->differs = true;
}

void tmi_io_int(tmi_item_io *io, uint32_t k, int32_t *value, int32_t missing)
{
    int32_t raw = tmi_io_raw(io, k, missing);
    tmi_io_absent(io, k, missing);
    if (io->pass == TMI_LOAD)
        *value = raw;
    else if (raw != *value)
        tmi_io_put(io, k, *value);
}

void tmi_io_bool(tmi_item_io *io, uint32_t k, bool *value, bool missing)
{
    bool raw = tmi_io_raw(io, k, missing) != 0;
    tmi_io_absent(io, k, missing);
    if (io->pass == TMI_LOAD)
        *value = raw;
    else if (raw != *value)
        tmi_io_put(io, k, *value);
}

void tmi_io_bit(tmi_item_io *io, uint32_t k, int32_t bit, bool *value)
{
    int32_t raw = tmi_io_raw(io, k, 0);
    if (io->pass == TMI_LOAD)
        *value = (raw & bit) != 0;
    else if (((raw & bit) != 0) != *value)
        tmi_io_put(io, k, raw ^ bit);
}

/* -------------------------------------------------------------------------------------------------- names */

/* Section 2.14: bytes, each with its top bit flipped, from the high end of each int; the last one is NUL. */
void tmi_name_decode(char *text, const uint8_t *ints, uint32_t num)
{
    for (uint32_t i = 0; i < 4 * num; i++)
        text[i] = (char)(ints[(i & ~3u) + 3 - (i & 3)] ^ 0x80);
    text[4 * num - 1] = '\0';
}

void tmi_name_encode(uint8_t *ints, uint32_t num, const char *text)
{
    size_t length = strlen(text);
    if (length > 4 * num - 1)
        length = 4 * num - 1;
    for (uint32_t i = 0; i < 4 * num; i++) {
        uint8_t byte = i < length ? (uint8_t)text[i] : 0;
        ints[(i & ~3u) + 3 - (i & 3)] = i == 4 * num - 1 ? 0 : byte ^ 0x80;
    }
}

enum { MAX_NAME_INTS = 8 };

void tmi_io_name(tmi_item_io *io, uint32_t k, uint32_t num_ints, char *name, tm_finding_id id)
{
    char text[4 * MAX_NAME_INTS] = "";
    if (k < io->num && num_ints <= io->num - k)
        tmi_name_decode(text, io->body + (size_t)k * 4, num_ints);
    if (io->pass == TMI_LOAD) {
        memcpy(name, text, 4 * (size_t)num_ints);
        if (!tmi_utf8_valid(name, strlen(name)))
            tmi_io_report(io, id, "the name is not UTF-8");
        return;
    }
    uint8_t empty[4 * MAX_NAME_INTS] = {0};
    tmi_name_encode(empty, num_ints, "");
    for (uint32_t i = 0; i < num_ints; i++)
        tmi_io_absent(io, k + i, tmi_get_i32(empty + (size_t)4 * i));
    if (strcmp(text, name) == 0)
        return;
    tmi_io_need(io, k + num_ints, 0);
    if (io->status != TM_OK)
        return;
    tmi_name_encode(io->body + (size_t)k * 4, num_ints, name);
    io->differs = true;
}

/* --------------------------------------------------------------------------------------------- references */

static bool in_range(int32_t index, uint32_t num)
{
    return index >= 0 && (uint32_t)index < num;
}

/*
 * STORE: writes an index that led to an object of the file, if it leads to another one now. An index that led
 * nowhere stays as it is, unless it would lead to an object of the new file.
 */
static void store_index(tmi_item_io *io, uint32_t k, int32_t index, uint32_t num_before, uint32_t num_now)
{
    int32_t raw = tmi_io_raw(io, k, TM_NONE), before = in_range(raw, num_before) ? raw : TM_NONE;
    tmi_io_absent(io, k, TM_NONE);
    if (before != index || (index == TM_NONE && in_range(raw, num_now)))
        tmi_io_put(io, k, index);
}

void tmi_io_reference(tmi_item_io *io, uint32_t k, int32_t *index, unsigned kind, const char *name)
{
    const uint32_t num_before = io->file ? io->file->counts[kind] : 0;
    const uint32_t num = kind == TM_ITEM_IMAGE   ? io->num_images
                         : kind == TM_ITEM_SOUND ? io->num_sounds
                                                 : io->num_envelopes;
    if (io->pass != TMI_LOAD) {
        store_index(io, k, *index, num_before, num);
        return;
    }
    int32_t raw = tmi_io_raw(io, k, TM_NONE);
    *index = in_range(raw, num) ? raw : TM_NONE;
    if (*index != raw)
        tmi_io_report(io, TM_FINDING_BAD_REFERENCE, "%s %d does not exist, there are %u", name, raw, num);
}

/* --------------------------------------------------------------------------------------------------- data */

static uint32_t num_data_before(const tmi_item_io *io)
{
    return io->file ? tm_datafile_num_data(io->file->datafile) : 0;
}

static bool in_file(const tmi_item_io *io, int32_t raw)
{
    return in_range(raw, num_data_before(io));
}

/*
 * COLLECT: a new claim for the data index at int `k`; NULL after a failure. STORE: NULL, and the index that
 * the COLLECT pass found is written.
 */
static tmi_claim *claim_at(tmi_item_io *io, uint32_t k)
{
    tmi_claims *claims = &io->claims;
    if (io->status == TM_OK && io->pass == TMI_STORE)
        store_index(io, k, claims->list[claims->cursor++].index, num_data_before(io), io->num_data);
    else if (io->status == TM_OK)
        io->status = tmi_grow(io->allocator, &claims->list, &claims->capacity, claims->num + 1,
                              sizeof(*claims->list), io->error);
    if (io->status != TM_OK || io->pass == TMI_STORE)
        return NULL;
    tmi_claim *claim = &claims->list[claims->num++];
    *claim = (tmi_claim){.kind = TMI_CLAIM_NOTHING,
                         .raw = tmi_io_raw(io, k, TM_NONE),
                         .index = TM_NONE,
                         .address = io->address};
    return claim;
}

/* Whether a data index of the current item is that of a block; a finding if it is beyond the last block. */
static bool load_index(tmi_item_io *io, int32_t raw, tm_finding_id id)
{
    if (in_file(io, raw)) {
        io->file->data[raw].claimed = true;
        return true;
    }
    if (raw != TM_NONE)
        tmi_io_report(io, id, "data block %d does not exist, there are %u", raw, io->num_data);
    return false;
}

/* The bytes that a block of the file has when it is unpacked. */
static uint64_t size_in_file(const tmi_file *file, uint32_t data_index)
{
    tm_datafile_data data = {0, 0, 0};
    tm_datafile_get_data(&data, file->datafile, data_index);
    return data.size;
}

/* COLLECT: whether a packed block of the item at hand stays the one that its file has there. */
static bool stays_packed(const tmi_item_io *io, const tm_block *block)
{
    return !io->rewrite && !io->fresh && !block->copied && io->file && block->origin == &io->file->base;
}

/* The most bytes that a block of the file can have in memory. */
static uint64_t most_bytes(const tmi_item_io *io, int32_t raw, tmi_encoding view)
{
    enum { TILES_OF_A_RUN = 256 };
    tm_datafile_data data;
    tm_datafile_get_data(&data, io->file->datafile, (uint32_t)raw);
    return view == TMI_ENCODING_RUNS ? data.size * TILES_OF_A_RUN : data.size;
}

uint64_t tmi_unread_bytes(const tmi_file *file, uint32_t data_index)
{
    const tmi_data_range block = tmi_block_at(file->datafile, data_index);
    return block.announced > 0 || tmi_is_nothing(&block) ? 0 : block.most;
}

void tmi_io_want(tmi_item_io *io, uint32_t k, uint64_t size)
{
    const int32_t raw = tmi_io_raw(io, k, TM_NONE);
    if (io->pass == TMI_LOAD && in_range(raw, io->num_data) && size)
        io->file->data[raw].wanted = size;
}

void tmi_io_block(tmi_item_io *io, uint32_t k, tm_block **block, tmi_encoding view, uint64_t size,
                  tm_finding_id id)
{
    int32_t raw = tmi_io_raw(io, k, TM_NONE);
    if (io->pass == TMI_LOAD) {
        tm_datafile_data data;
        if (io->status != TM_OK || !load_index(io, raw, id))
            return;
        /* an object may claim more bytes than its data have, within the limit */
        const uint64_t most = most_bytes(io, raw, view);
        if (!tmi_take_air(&io->file->air_left, size > most ? size - most : 0, 1)) {
            io->file->notes[io->item].withheld |= TMI_WITHHELD_TILES;
            tmi_io_report(io, TM_FINDING_DATA_SHORT,
                          "the layer's size needs %llu bytes, and its data can hold %llu at most",
                          (unsigned long long)size, (unsigned long long)most);
            return;
        }
        tm_datafile_get_data(&data, io->file->datafile, (uint32_t)raw);
        if (view != TMI_ENCODING_RUNS && data.size > size)
            size = data.size;
        const uint64_t wanted = io->file->data[raw].wanted;
        const uint64_t unread = tmi_unread_bytes(io->file, (uint32_t)raw);
        if (size == 0 && unread) /* it has bytes, so whoever reads it is told that it cannot be read */
            size = wanted && wanted < unread ? wanted : 1;
        const bool as_in_file =
            view == TMI_ENCODING_BYTES || (view != TMI_ENCODING_RUNS && tmi_little_endian());
        io->status = tmi_block_new_packed(block, io->map, (uint32_t)raw, view, size, io->error);
        if (io->status)
            return;
        (*block)->shares = as_in_file && data.size == size;
        (*block)->is_short = view != TMI_ENCODING_RUNS && data.size < size;
        io->file->data[raw].is_short |= (*block)->is_short;
        return;
    }
    tmi_claim *claim = claim_at(io, k);
    if (claim && !*block && !io->fresh && !io->rewrite && in_file(io, raw) &&
        size > most_bytes(io, raw, view))
        claim->kind = TMI_CLAIM_ORIGIN;
    if (!claim || !*block)
        return;
    claim->block = *block;
    claim->view = view;
    claim->size = size;
    if ((*block)->changed || !tmi_file_of_block(*block) || (*block)->view != view ||
        (io->contents && !(*block)->shares))
        claim->kind = TMI_CLAIM_BLOCK;
    else
        claim->kind = stays_packed(io, *block) ? TMI_CLAIM_ORIGIN : TMI_CLAIM_PACKED;
}

void tmi_io_elements(tmi_item_io *io, uint32_t k, tm_block **block, tmi_encoding view, uint64_t element)
{
    tmi_io_block(io, k, block, view, 0, TM_FINDING_BAD_REFERENCE);
    if (io->pass != TMI_COLLECT || io->status != TM_OK)
        return;
    tmi_claim *claim = &io->claims.list[io->claims.num - 1];
    bool empty = claim->kind == TMI_CLAIM_BLOCK && claim->block->size == 0;
    bool none = claim->kind == TMI_CLAIM_NOTHING && (io->fresh || in_file(io, claim->raw));
    if (empty || none)
        *claim = (tmi_claim){.kind = TMI_CLAIM_ZEROS,
                             .raw = claim->raw,
                             .index = TM_NONE,
                             .address = claim->address,
                             .size = element};
}

void tmi_io_zeros(tmi_item_io *io, uint32_t k, uint64_t size)
{
    tmi_claim *claim = io->pass == TMI_LOAD ? NULL : claim_at(io, k);
    if (claim && size) {
        claim->kind = TMI_CLAIM_ZEROS;
        claim->size = size;
    }
}

/* -------------------------------------------------------------------------------------------------- texts */

/* NULL, with the block in *unread, if there is one that cannot be read as a text. */
static const char *load_text(tmi_item_io *io, int32_t raw, tm_block **unread, bool settings)
{
    if (io->status != TM_OK || !load_index(io, raw, TM_FINDING_BAD_TEXT_INDEX))
        return NULL;
    const char *text = NULL;
    io->status = tmi_file_text(io, &text, (uint32_t)raw, settings);
    if (io->status == TM_OK && !text)
        io->status = tmi_block_new_packed(unread, io->map, (uint32_t)raw, TMI_ENCODING_BYTES,
                                          size_in_file(io->file, (uint32_t)raw), io->error);
    return text;
}

/* What could not be read is written as it is in the file; it is not among the contents of the model. */
static bool claim_unread(const tmi_item_io *io, tmi_claim *claim, const tm_block *unread)
{
    if (!unread || io->contents)
        return unread;
    claim->block = unread;
    claim->kind = stays_packed(io, unread) ? TMI_CLAIM_ORIGIN : TMI_CLAIM_PACKED;
    return true;
}

void tmi_io_text(tmi_item_io *io, uint32_t k, const char **text, tm_block **unread)
{
    int32_t raw = tmi_io_raw(io, k, TM_NONE);
    if (io->pass == TMI_LOAD) {
        *text = load_text(io, raw, unread, false);
        return;
    }
    tmi_claim *claim = claim_at(io, k);
    if (!claim || claim_unread(io, claim, *unread))
        return;
    tm_datafile_data data;
    const char *before = NULL; /* the text that was loaded from the data index */
    if (in_file(io, raw) && tm_datafile_get_data(&data, io->file->datafile, (uint32_t)raw) &&
        data.size <= TMI_TEXT_LIMIT)
        before = io->file->data[raw].text;
    if (tmi_same_text(before, *text)) {
        claim->kind = in_file(io, raw) ? TMI_CLAIM_ORIGIN : TMI_CLAIM_NOTHING;
    } else if (*text && **text) {
        claim->kind = TMI_CLAIM_TEXT;
        claim->text = *text;
    }
}

static void load_settings(tmi_item_io *io, int32_t raw, tm_info *info)
{
    const char *bytes = load_text(io, raw, &info->unread_settings, true);
    if (!bytes)
        return;
    uint32_t size = io->file->data[raw].size, num = 0;
    if (size && bytes[size - 1] != '\0')
        tmi_io_report(io, TM_FINDING_BAD_TEXT, "the settings do not end with a NUL byte");
    for (uint32_t pos = 0; pos < size; pos += (uint32_t)strlen(bytes + pos) + 1)
        num++;
    io->status = tmi_settings_reserve(io->map, num, io->error);
    if (io->status != TM_OK)
        return;
    for (uint32_t pos = 0, i = 0; i < num; pos += (uint32_t)strlen(bytes + pos) + 1)
        info->settings[i++] = bytes + pos;
}

void tmi_io_settings(tmi_item_io *io, uint32_t k, tm_info *info)
{
    /* the format says that any negative index means none (section 2.2) */
    int32_t raw = tmi_io_raw(io, k, TM_NONE);
    if (io->pass == TMI_LOAD) {
        load_settings(io, raw < 0 ? TM_NONE : raw, info);
        return;
    }
    tmi_claim *claim = claim_at(io, k);
    if (!claim || claim_unread(io, claim, info->unread_settings))
        return;
    bool inside = in_file(io, raw);
    const char *bytes = inside ? io->file->data[raw].text : NULL;
    const uint32_t size = inside ? io->file->data[raw].size : 0;
    uint32_t pos = 0, i = 0;
    while (bytes && pos < size && i < info->num_settings && strcmp(bytes + pos, info->settings[i]) == 0)
        pos += (uint32_t)strlen(info->settings[i++]) + 1;
    if (i == info->num_settings && (!bytes || pos >= size)) /* exactly the map's settings */
        claim->kind = inside ? TMI_CLAIM_ORIGIN : TMI_CLAIM_NOTHING;
    else if (info->num_settings)
        claim->kind = TMI_CLAIM_SETTINGS;
}
