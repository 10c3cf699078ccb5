/* SPDX-License-Identifier: Zlib */
/*
 * Fields of items, in both directions: one function for each sort of field (integer, flag, name, reference,
 * text, block, settings). mapfile.h tells how the three passes work together. Knows no kind of item.
 */
#include "mapfile.h"

#include <stdarg.h>

void tmi_codec_find(tmi_codec *codec, tm_finding_id id, const char *format, ...)
{
    if (codec->pass != TMI_LOAD || !codec->findings)
        return;
    char text[TM_ERROR_TEXT_SIZE], place[TM_ERROR_PLACE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    tmi_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    TMI_ADDRESS(codec, address);
    tm_address_describe(&codec->address, codec->map, place, sizeof place);
    tmi_find(codec->findings, codec->mode, id, -1, address, place, "%s", text);
}

/* --------------------------------------------------------------------------------------------------- ints */

int32_t tmi_codec_raw(const tmi_codec *codec, uint32_t k, int32_t missing)
{
    return k < codec->num ? tmi_get_i32(codec->body + (size_t)k * 4) : missing;
}

void tmi_codec_need(tmi_codec *codec, uint32_t num, int32_t filler)
{
    if (codec->status != TM_OK || num <= codec->num)
        return;
    if (num > codec->capacity) {
        size_t wanted = num > 2 * codec->capacity ? num : 2 * codec->capacity;
        uint8_t *body = tmi_realloc(codec->allocator, codec->body, codec->capacity, wanted, 4);
        if (!body) {
            codec->status = tmi_fail_memory(codec->error, (uint64_t)wanted * 4, "an item");
            return;
        }
        codec->body = body;
        codec->capacity = wanted;
    }
    for (; codec->num < num; codec->num++) {
        const bool known = codec->num < TMI_ABSENT && (codec->absent_set >> codec->num & 1);
        tmi_put_i32(codec->body + (size_t)codec->num * 4, known ? codec->absent[codec->num] : filler);
    }
    codec->differs = true;
}

void tmi_codec_absent(tmi_codec *codec, uint32_t k, int32_t value)
{
    if (k < codec->num || k >= TMI_ABSENT)
        return;
    codec->absent[k] = value;
    codec->absent_set |= 1u << k;
}

void tmi_codec_put(tmi_codec *codec, uint32_t k, int32_t value)
{
    tmi_codec_need(codec, k + 1, 0);
    if (codec->status != TM_OK)
        return;
    tmi_put_i32(codec->body + (size_t)k * 4, value);
    codec->differs = true;
}

void tmi_codec_int(tmi_codec *codec, uint32_t k, int32_t *value, int32_t missing)
{
    int32_t raw = tmi_codec_raw(codec, k, missing);
    tmi_codec_absent(codec, k, missing);
    if (codec->pass == TMI_LOAD)
        *value = raw;
    else if (raw != *value)
        tmi_codec_put(codec, k, *value);
}

void tmi_codec_bool(tmi_codec *codec, uint32_t k, bool *value, bool missing)
{
    bool raw = tmi_codec_raw(codec, k, missing) != 0;
    tmi_codec_absent(codec, k, missing);
    if (codec->pass == TMI_LOAD)
        *value = raw;
    else if (raw != *value)
        tmi_codec_put(codec, k, *value);
}

void tmi_codec_bit(tmi_codec *codec, uint32_t k, int32_t bit, bool *value)
{
    int32_t raw = tmi_codec_raw(codec, k, 0);
    if (codec->pass == TMI_LOAD)
        *value = (raw & bit) != 0;
    else if (((raw & bit) != 0) != *value)
        tmi_codec_put(codec, k, raw ^ bit);
}

/* -------------------------------------------------------------------------------------------------- names */

/*
 * Section 2.14: bytes from the high end of each int, each with its top bit turned over; the last byte counts
 * as NUL.
 */
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

void tmi_codec_name(tmi_codec *codec, uint32_t k, uint32_t num_ints, char *name, tm_finding_id id)
{
    char text[4 * MAX_NAME_INTS] = "";
    if (k < codec->num && num_ints <= codec->num - k)
        tmi_name_decode(text, codec->body + (size_t)k * 4, num_ints);
    if (codec->pass == TMI_LOAD) {
        memcpy(name, text, 4 * (size_t)num_ints);
        if (!tmi_utf8_valid(name, strlen(name)))
            tmi_codec_find(codec, id, "the name is not UTF-8");
        return;
    }
    uint8_t empty[4 * MAX_NAME_INTS] = {0};
    tmi_name_encode(empty, num_ints, "");
    for (uint32_t i = 0; i < num_ints; i++)
        tmi_codec_absent(codec, k + i, tmi_get_i32(empty + (size_t)4 * i));
    if (strcmp(text, name) == 0)
        return;
    tmi_codec_need(codec, k + num_ints, 0);
    if (codec->status != TM_OK)
        return;
    tmi_name_encode(codec->body + (size_t)k * 4, num_ints, name);
    codec->differs = true;
}

/* --------------------------------------------------------------------------------------------- references */

static bool in_range(int32_t index, uint32_t num)
{
    return index >= 0 && (uint32_t)index < num;
}

/*
 * STORE: an index that led to something in the file is written if it leads to something else now. One that
 * led nowhere stays as it is, unless it would lead somewhere in the file that is written.
 */
static void store_index(tmi_codec *codec, uint32_t k, int32_t index, uint32_t num_before, uint32_t num_now)
{
    int32_t raw = tmi_codec_raw(codec, k, TM_NONE), before = in_range(raw, num_before) ? raw : TM_NONE;
    tmi_codec_absent(codec, k, TM_NONE);
    if (before != index || (index == TM_NONE && in_range(raw, num_now)))
        tmi_codec_put(codec, k, index);
}

void tmi_codec_reference(tmi_codec *codec, uint32_t k, int32_t *index, unsigned kind, const char *what)
{
    const uint32_t num_before = codec->file ? codec->file->counts[kind] : 0;
    const uint32_t num = kind == TM_ITEM_IMAGE   ? codec->num_images
                         : kind == TM_ITEM_SOUND ? codec->num_sounds
                                                 : codec->num_envelopes;
    if (codec->pass != TMI_LOAD) {
        store_index(codec, k, *index, num_before, num);
        return;
    }
    int32_t raw = tmi_codec_raw(codec, k, TM_NONE);
    *index = in_range(raw, num) ? raw : TM_NONE;
    if (*index != raw)
        tmi_codec_find(codec, TM_FINDING_BAD_REFERENCE, "%s %d does not exist, there are %u", what, raw, num);
}

/* --------------------------------------------------------------------------------------------------- data */

static tmi_claim *claim_add(tmi_codec *codec, int32_t raw)
{
    tmi_claims *claims = &codec->claims;
    if (codec->status == TM_OK)
        codec->status = tmi_grow(codec->allocator, &claims->list, &claims->capacity, claims->num + 1,
                                 sizeof *claims->list, codec->error);
    if (codec->status != TM_OK)
        return NULL;
    tmi_claim *claim = &claims->list[claims->num++];
    *claim = (tmi_claim){.kind = TMI_CLAIM_NOTHING, .raw = raw, .index = TM_NONE, .address = codec->address};
    return claim;
}

static uint32_t num_data_before(const tmi_codec *codec)
{
    return codec->file ? tm_datafile_num_data(codec->file->datafile) : 0;
}

static bool in_file(const tmi_codec *codec, int32_t raw)
{
    return in_range(raw, num_data_before(codec));
}

/* STORE: the data index that COLLECT led to. */
static void claim_store(tmi_codec *codec, uint32_t k)
{
    if (codec->status == TM_OK)
        store_index(codec, k, codec->claims.list[codec->claims.cursor++].index, num_data_before(codec),
                    codec->num_data);
}

/* Whether a data index of the item at hand leads into the file; a finding if it means to but does not. */
static bool load_index(tmi_codec *codec, int32_t raw, tm_finding_id id)
{
    if (in_file(codec, raw)) {
        codec->file->claimed[raw] = true;
        return true;
    }
    if (raw != TM_NONE)
        tmi_codec_find(codec, id, "data %d does not exist, there are %u", raw, codec->num_data);
    return false;
}

void tmi_codec_block(tmi_codec *codec, uint32_t k, tm_block **block, tmi_view view, uint64_t size,
                     tm_finding_id id)
{
    if (codec->pass == TMI_STORE) {
        claim_store(codec, k);
        return;
    }
    int32_t raw = tmi_codec_raw(codec, k, TM_NONE);
    if (codec->pass == TMI_LOAD) {
        tm_datafile_data data;
        if (codec->status != TM_OK || !load_index(codec, raw, id))
            return;
        tm_datafile_get_data(codec->file->datafile, (uint32_t)raw, &data);
        if (view != TMI_VIEW_RUNS && data.size > size)
            size = data.size;
        codec->status = tmi_block_new_packed(block, codec->map, (uint32_t)raw, view, size, codec->error);
        return;
    }
    tmi_claim *claim = claim_add(codec, raw);
    if (!claim || !*block)
        return;
    claim->block = *block;
    claim->view = view;
    claim->size = size;
    if ((*block)->changed || !(*block)->origin || (*block)->view != view)
        claim->kind = TMI_CLAIM_BLOCK;
    else if (codec->rewrite || (*block)->copied || !codec->file || (*block)->origin != &codec->file->base)
        claim->kind = TMI_CLAIM_PACKED;
    else
        claim->kind = TMI_CLAIM_ORIGIN;
}

void tmi_codec_elements(tmi_codec *codec, uint32_t k, tm_block **block, tmi_view view, uint64_t element)
{
    tmi_codec_block(codec, k, block, view, 0, TM_FINDING_BAD_REFERENCE);
    if (codec->pass != TMI_COLLECT || codec->status != TM_OK)
        return;
    tmi_claim *claim = &codec->claims.list[codec->claims.num - 1];
    bool empty = claim->kind == TMI_CLAIM_BLOCK && claim->block->size == 0;
    bool none = claim->kind == TMI_CLAIM_NOTHING && (codec->fresh || in_file(codec, claim->raw));
    if (empty || none)
        *claim = (tmi_claim){.kind = TMI_CLAIM_ZEROS,
                             .raw = claim->raw,
                             .index = TM_NONE,
                             .address = claim->address,
                             .size = element};
}

void tmi_codec_zeros(tmi_codec *codec, uint32_t k, uint64_t size)
{
    if (codec->pass == TMI_STORE) {
        claim_store(codec, k);
        return;
    }
    tmi_claim *claim = codec->pass == TMI_COLLECT ? claim_add(codec, tmi_codec_raw(codec, k, TM_NONE)) : NULL;
    if (claim && size) {
        claim->kind = TMI_CLAIM_ZEROS;
        claim->size = size;
    }
}

/* -------------------------------------------------------------------------------------------------- texts */

/* What a data index of the file was loaded as. */
static const char *text_in_file(const tmi_codec *codec, int32_t raw)
{
    tm_datafile_data data;
    if (!in_file(codec, raw) || !tm_datafile_get_data(codec->file->datafile, (uint32_t)raw, &data) ||
        data.size > TMI_TEXT_LIMIT)
        return NULL;
    return codec->file->texts[raw];
}

static bool same_text(const char *a, const char *b)
{
    return a == b || strcmp(a ? a : "", b ? b : "") == 0;
}

static const char *load_text(tmi_codec *codec, int32_t raw, bool settings)
{
    if (codec->status != TM_OK || !load_index(codec, raw, TM_FINDING_BAD_TEXT_INDEX))
        return NULL;
    TMI_ADDRESS(codec, address);
    const char *text = NULL;
    codec->status =
        tmi_file_text(codec->file, &text, (uint32_t)raw, settings, codec->findings, address, codec->error);
    return text;
}

void tmi_codec_text(tmi_codec *codec, uint32_t k, const char **text)
{
    if (codec->pass == TMI_STORE) {
        claim_store(codec, k);
        return;
    }
    int32_t raw = tmi_codec_raw(codec, k, TM_NONE);
    if (codec->pass == TMI_LOAD) {
        *text = load_text(codec, raw, false);
        return;
    }
    tmi_claim *claim = claim_add(codec, raw);
    if (!claim)
        return;
    if (same_text(text_in_file(codec, raw), *text)) {
        claim->kind = in_file(codec, raw) ? TMI_CLAIM_ORIGIN : TMI_CLAIM_NOTHING;
    } else if (*text && **text) {
        claim->kind = TMI_CLAIM_TEXT;
        claim->text = *text;
    }
}

/* Whether a settings block spells exactly the map's settings. */
static bool same_settings(const char *bytes, uint32_t size, const tm_info *info)
{
    uint32_t pos = 0, i = 0;
    while (bytes && pos < size && i < info->num_settings && strcmp(bytes + pos, info->settings[i]) == 0)
        pos += (uint32_t)strlen(info->settings[i++]) + 1;
    return i == info->num_settings && (!bytes || pos >= size);
}

static void load_settings(tmi_codec *codec, int32_t raw, tm_info *info)
{
    const char *bytes = load_text(codec, raw, true);
    if (!bytes)
        return;
    uint32_t size = codec->file->text_sizes[raw], num = 0;
    if (size && bytes[size - 1] != '\0')
        tmi_codec_find(codec, TM_FINDING_BAD_TEXT, "the settings do not end with a NUL byte");
    for (uint32_t pos = 0; pos < size; pos += (uint32_t)strlen(bytes + pos) + 1)
        num++;
    codec->status = tmi_settings_reserve(codec->map, num, codec->error);
    if (codec->status != TM_OK)
        return;
    for (uint32_t pos = 0, i = 0; i < num; pos += (uint32_t)strlen(bytes + pos) + 1)
        info->settings[i++] = bytes + pos;
}

void tmi_codec_settings(tmi_codec *codec, uint32_t k, tm_info *info)
{
    if (codec->pass == TMI_STORE) {
        claim_store(codec, k);
        return;
    }
    /* the format says that any negative index means none (section 2.2) */
    int32_t raw = tmi_codec_raw(codec, k, TM_NONE);
    if (codec->pass == TMI_LOAD) {
        load_settings(codec, raw < 0 ? TM_NONE : raw, info);
        return;
    }
    tmi_claim *claim = claim_add(codec, raw);
    if (!claim)
        return;
    bool inside = in_file(codec, raw);
    if (same_settings(inside ? codec->file->texts[raw] : NULL, inside ? codec->file->text_sizes[raw] : 0,
                      info))
        claim->kind = inside ? TMI_CLAIM_ORIGIN : TMI_CLAIM_NOTHING;
    else if (info->num_settings)
        claim->kind = TMI_CLAIM_SETTINGS;
}
