/* SPDX-License-Identifier: Zlib */
/*
 * The data of a map that is saved. The COLLECT pass (store_items.c) has asked every object for its blocks, in
 * the order in which the games write them; now each block gets its number:
 *   - a block of the file that is still used, or that no field of the model used, keeps its place
 *   - changed content takes the place of its field's old block, if nothing else uses that
 *   - a block of the file that is no longer used goes, and later ones move up, unless items that teemap does
 *     not know may refer to data by number
 *   - all other blocks follow
 */
#include "save_map.h"
#include "../datafile/datafile.h"

/* ------------------------------------------------------------------------------------- bytes to be packed */

/*
 * The functions that follow make the bytes of a claim when they are packed, on one of the job's threads.
 * Claims stay where they are once all are collected.
 */

/* Encodes the tiles of a layer as the runs of Teeworlds 0.7, whose number is known only afterwards. */
static tm_status encode_runs(void *ctx, void *buffer, uint64_t *size, tm_error *error)
{
    tmi_claim *claim = ctx;
    const uint64_t num = (claim->size < *size ? claim->size : *size) / sizeof(tm_tile);
    TMI_ASSERT(*size == claim->block->size);
    TM_TRY(tmi_block_read(claim->block, buffer, error));
    const tm_tile *tiles = buffer;
    uint8_t any_skip = 0;
    for (uint64_t i = 0; i < num; i++)
        any_skip |= tiles[i].skip;
    claim->lost_skips = any_skip != 0;
    *size = tmi_runs_encode(buffer, buffer, num) * sizeof(tm_tile);
    return TM_OK;
}

static tm_status fetch_block(void *ctx, void *buffer, uint64_t *size, tm_error *error)
{
    const tmi_claim *claim = ctx;
    TMI_ASSERT(*size == claim->block->size);
    TM_TRY(tmi_block_read(claim->block, buffer, error));
    tmi_encoding_swap(buffer, *size, claim->view);
    return TM_OK;
}

/* The part of a block of a damaged file that can be unpacked. */
static tm_status fetch_rescued(void *ctx, void *buffer, uint64_t *size, tm_error *error)
{
    const tm_block *block = ((const tmi_claim *)ctx)->block;
    return tm_datafile_read_data(NULL, tmi_file_of_block(block)->datafile, block->data_index, buffer, *size,
                                 error);
}

static tm_status fetch_zeros(void *ctx, void *buffer, uint64_t *size, tm_error *error)
{
    (void)ctx;
    (void)error;
    memset(buffer, 0, (size_t)*size);
    return TM_OK;
}

static tm_status add_block(tmi_saver *saver, tmi_claim *claim)
{
    const tm_block *block = claim->block;
    const void *held = tmi_block_held(block);
    if (claim->view == TMI_ENCODING_RUNS) {
        claim->runs = claim;
        return tmi_datafile_writer_add_made(&claim->index, saver->writer, block->size, encode_runs, claim,
                                            saver->io.error);
    }
    if (held && (claim->view == TMI_ENCODING_BYTES || tmi_little_endian()))
        return tm_datafile_writer_add_data(&claim->index, saver->writer, held, block->size, 0,
                                           saver->io.error);
    return tmi_datafile_writer_add_lazy(&claim->index, saver->writer, block->size, fetch_block, claim,
                                        saver->io.error);
}

/* Fails for data that is longer than readers accept. */
static tm_status check_readable(const tmi_saver *saver, const char *subject, uint64_t size, uint64_t most)
{
    return size <= most
               ? TM_OK
               : tmi_fail(saver->io.error, TM_ERROR_LIMIT, -1, "%s: %llu bytes, at most %llu are read",
                          subject, (unsigned long long)size, (unsigned long long)most);
}

static tm_status add_settings(tmi_saver *saver, int32_t *index)
{
    const tm_info *info = &saver->map->info;
    size_t size = 0;
    for (uint32_t i = 0; i < info->num_settings; i++)
        if (!tmi_add_size(&size, size, strlen(info->settings[i]) + 1))
            return tmi_fail_memory(saver->io.error, UINT64_MAX, "settings");
    TM_TRY(check_readable(saver, "settings", size, TMI_SETTINGS_LIMIT));
    char *bytes = tmi_saver_alloc(saver, size, 1), *end = bytes;
    TM_TRY(saver->io.status);
    for (uint32_t i = 0; i < info->num_settings; i++) {
        size_t length = strlen(info->settings[i]) + 1;
        memcpy(end, info->settings[i], length);
        end += length;
    }
    return tm_datafile_writer_add_data(index, saver->writer, bytes, size, 0, saver->io.error);
}

/* Whether empty blocks are written with one zero byte, as DDNet takes none without bytes. */
static bool fills_empty(const tmi_saver *saver)
{
    return saver->options.lay_out && !saver->options.smaller;
}

static tm_status add_zeros(tmi_saver *saver, uint64_t size, int32_t *index)
{
    return tmi_datafile_writer_add_lazy(index, saver->writer, size, fetch_zeros, NULL, saver->io.error);
}

static tm_status add_origin(tmi_saver *saver, const tmi_file *file, uint32_t data_index, int32_t *index)
{
    tm_datafile_data data;
    if (fills_empty(saver) && tm_datafile_get_data(&data, file->datafile, data_index) &&
        (!data.packed_size || !data.size))
        return add_zeros(saver, 1, index);
    return tm_datafile_writer_add_from(index, saver->writer, file->datafile, data_index,
                                       saver->options.recompress, saver->io.error);
}

/*
 * Adds a block that stays packed. If the file is damaged, the part that can be unpacked is packed again, as
 * games take no broken stream; together within the memory limit, as a few bytes can announce gigabytes.
 */
static tm_status add_packed(tmi_saver *saver, tmi_claim *claim)
{
    const tmi_file *file = tmi_file_of_block(claim->block);
    const uint32_t number = claim->block->data_index;
    const tm_limits *limits = &saver->map->priv->limits;
    tm_datafile_data data;
    if (!saver->options.rewrite || file->mode != TM_MODE_SALVAGE ||
        !tm_datafile_get_data(&data, file->datafile, number) || data.size > limits->block_bytes ||
        data.size > limits->unpacked_bytes - saver->rescued)
        return add_origin(saver, file, number, &claim->index);
    saver->rescued += data.size;
    return tmi_datafile_writer_add_lazy(&claim->index, saver->writer, data.size, fetch_rescued, claim,
                                        saver->io.error);
}

/* Counts bytes that are unpacked or made for saving against the map's limit, which bounds the work, too. */
static tm_status count_made(tmi_saver *saver, const tmi_claim *claim)
{
    const tm_limits *limits = &saver->map->priv->limits;
    uint64_t size = claim->kind == TMI_CLAIM_ZEROS ? claim->size : 0;
    if (claim->kind == TMI_CLAIM_BLOCK)
        size = claim->block->size;
    if (size > limits->block_bytes)
        return tmi_fail(saver->io.error, TM_ERROR_LIMIT, -1,
                        "a block to be saved has %llu bytes, and the limit is %llu", (unsigned long long)size,
                        (unsigned long long)limits->block_bytes);
    if (size > limits->unpacked_bytes - saver->made)
        return tmi_fail(saver->io.error, TM_ERROR_LIMIT, -1,
                        "saving needs more than %llu unpacked bytes, which is the limit",
                        (unsigned long long)limits->unpacked_bytes);
    saver->made += size;
    return TM_OK;
}

static tm_status make_claim(tmi_saver *saver, tmi_claim *claim)
{
    TM_TRY(count_made(saver, claim));
    switch (claim->kind) {
    case TMI_CLAIM_PACKED: return add_packed(saver, claim);
    case TMI_CLAIM_BLOCK:
        if (!claim->block->size && fills_empty(saver))
            return add_zeros(saver, 1, &claim->index);
        return add_block(saver, claim);
    case TMI_CLAIM_SETTINGS: return add_settings(saver, &claim->index);
    case TMI_CLAIM_TEXT:
        TM_TRY(check_readable(saver, "a text", strlen(claim->text) + 1, TMI_TEXT_LIMIT));
        return tm_datafile_writer_add_data(&claim->index, saver->writer, claim->text, strlen(claim->text) + 1,
                                           0, saver->io.error);
    case TMI_CLAIM_ZEROS: return add_zeros(saver, claim->size, &claim->index);
    case TMI_CLAIM_NOTHING:
    case TMI_CLAIM_ORIGIN: break;
    }
    return TM_OK;
}

/* Whether the field has a block in the file, which may stay if it holds the same bytes. */
static bool may_reuse(const tmi_saver *saver, const tmi_claim *claim)
{
    const bool packs = claim->kind == TMI_CLAIM_BLOCK || claim->kind == TMI_CLAIM_ZEROS;
    return packs && saver->file && !saver->options.recompress && claim->raw >= 0 &&
           (uint32_t)claim->raw < tm_datafile_num_data(saver->file->datafile);
}

/*
 * Compares the tiles of a layer with those of its runs in the file. *is_same: they were only read, or changed
 * and changed back; the file's runs stay then, since other programs may divide the tiles in another way.
 */
static tm_status compare_runs(bool *is_same, const tmi_saver *saver, const tmi_claim *claim)
{
    const tm_allocator *allocator = saver->io.allocator;
    const tm_block *block = claim->block;
    tm_datafile_data data;
    *is_same = false;
    if (claim->kind != TMI_CLAIM_BLOCK || claim->view != TMI_ENCODING_RUNS || claim->size != block->size ||
        !may_reuse(saver, claim) ||
        !tm_datafile_get_data(&data, saver->file->datafile, (uint32_t)claim->raw) ||
        data.size > block->size || !data.size)
        return TM_OK;
    const void *want = tmi_block_held(block);
    const size_t size = (size_t)block->size, num_packed = (size_t)data.size;
    uint8_t *tiles = want ? tmi_alloc(allocator, size, 1) : NULL;
    uint8_t *packed = tiles ? tmi_alloc(allocator, num_packed, 1) : NULL;
    if (packed && !tm_datafile_read_data(NULL, saver->file->datafile, (uint32_t)claim->raw, packed, data.size,
                                         NULL)) { /* else it is damaged */
        const uint64_t num = block->size / sizeof(tm_tile);
        const tmi_runs_fault fault = tmi_runs_decode(tiles, num, packed, data.size / sizeof(tm_tile));
        *is_same = (fault == TMI_RUNS_FINE || fault == TMI_RUNS_RESERVED) &&
                   memcmp(tiles, want, (size_t)num * sizeof(tm_tile)) == 0;
    }
    if (packed)
        tmi_free(allocator, packed, num_packed, 1);
    if (tiles)
        tmi_free(allocator, tiles, size, 1);
    return !want || packed ? TM_OK : tmi_fail_memory(saver->io.error, size, "tiles");
}

/* ----------------------------------------------------------------------------------------- data in common */

/*
 * Equal data are made once. Layers, images and sounds of a file may share one data block, and then share what
 * is made of it for another game. Else a file of a few hundred bytes could make teemap pack the same half
 * gigabyte a hundred times.
 *
 * In maps of Teeworlds images and sounds that shared data before still share them. In a DDNet map each object
 * gets data of its own, and each layer in every map, since DDNet refuses layers that share theirs, and
 * Teeworlds 0.7 unpacks the runs of such a block twice: the bytes are packed once and written several times.
 */

/* Equal keys: the data that are made of a block of the file, or of zeros, are the same. */
typedef struct made_key {
    uint64_t size, block_size;
    uint32_t data_index, kind, view, block_view;
} made_key;

/* The claim whose data are the same, if there is one; else NULL, and the claim is known from now on. */
static tm_status find_made(tmi_claim **out, tmi_saver *saver, tmi_claim *claim)
{
    const tmi_file *file = tmi_file_of(saver->map);
    const tm_block *block = claim->block;
    const bool packs = claim->kind == TMI_CLAIM_BLOCK || claim->kind == TMI_CLAIM_PACKED;
    made_key key = {.size = claim->size, .kind = (uint32_t)claim->kind};
    uint32_t number;
    *out = NULL;
    if (packs && !block->changed && file && block->origin == &file->base) {
        key.block_size = block->size;
        key.data_index = block->data_index;
        key.view = (uint32_t)claim->view;
        key.block_view = (uint32_t)block->view;
    } else if (claim->kind != TMI_CLAIM_ZEROS) {
        return TM_OK;
    }
    TM_TRY(tmi_intern_put(&number, &saver->made_keys, &key, saver->io.error));
    *out = saver->made_claims[number];
    if (!*out)
        saver->made_claims[number] = claim;
    return TM_OK;
}

static bool has_own_data(const tmi_saver *saver, const tmi_claim *claim)
{
    return saver->map->game == TM_GAME_DDNET || claim->address.kind == TM_KIND_LAYER ||
           claim->kind == TMI_CLAIM_ZEROS || claim->block->copied;
}

/* Reports that a tile layer of the file no longer shares its tiles, if the map is written again. */
static void report_copied(const tmi_saver *saver, const tmi_claim *claim)
{
    const tm_address object = claim->address;
    const bool tiles = object.kind == TM_KIND_LAYER && claim->kind != TMI_CLAIM_ZEROS &&
                       tm_game_layer(saver->map->groups[object.index].layers[object.layer].kind)->is_tiles;
    if (tiles && saver->options.rewrite && !claim->block->copied)
        tmi_report_at_address(saver->findings, saver->io.mode, TM_FINDING_REPAIRED, saver->map, object, -1,
                              "the layer shared its tiles with another layer: the tiles are copied");
}

static tm_status add_claim(tmi_saver *saver, tmi_claim *claim)
{
    tmi_claim *other;
    bool same;
    TM_TRY(find_made(&other, saver, claim));
    if (other) {
        claim->runs = other->runs;
        claim->index = other->index;
        report_copied(saver, claim);
        if (has_own_data(saver, claim))
            return tmi_datafile_writer_add_again(&claim->index, saver->writer, (uint32_t)other->index,
                                                 saver->io.error);
        return TM_OK;
    }
    TM_TRY(compare_runs(&same, saver, claim));
    if (same)
        return add_origin(saver, saver->file, (uint32_t)claim->raw, &claim->index);
    TM_TRY(make_claim(saver, claim));
    if (may_reuse(saver, claim)) /* what is changed back to what the file holds stays packed as it is there */
        tmi_datafile_writer_reuse(saver->writer, (uint32_t)claim->index, (uint32_t)claim->raw);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- places */

typedef struct slot {
    bool used;        /* some field still leads to the file's block */
    tmi_claim *claim; /* content that takes its place */
    int32_t index;    /* in the file that is written */
} slot;

tm_status tmi_data_place(tmi_saver *saver)
{
    tmi_claims *claims = &saver->io.claims;
    uint32_t num = saver->file ? tm_datafile_num_data(saver->file->datafile) : 0;
    slot *slots = tmi_saver_alloc(saver, num, sizeof(*slots));
    saver->made_keys = (tmi_intern){.allocator = saver->io.allocator, .key_size = sizeof(made_key)};
    saver->made_claims = tmi_saver_alloc(saver, claims->num, sizeof(tmi_claim *));
    TM_TRY(saver->io.status);
    for (uint32_t i = 0; i < num; i++)
        slots[i].used = saver->file->data[i].pinned;
    for (size_t i = 0; i < claims->num; i++)
        if (claims->list[i].kind == TMI_CLAIM_ORIGIN)
            slots[claims->list[i].raw].used = true;
    for (size_t i = 0; i < claims->num; i++) {
        tmi_claim *claim = &claims->list[i];
        const bool has_content = claim->kind != TMI_CLAIM_ORIGIN && claim->kind != TMI_CLAIM_NOTHING;
        if (has_content && claim->raw >= 0 && (uint32_t)claim->raw < num && !slots[claim->raw].used &&
            !slots[claim->raw].claim)
            slots[claim->raw].claim = claim;
    }
    for (uint32_t i = 0; i < num; i++) {
        slots[i].index = TM_NONE;
        if (slots[i].claim) {
            TM_TRY(add_claim(saver, slots[i].claim));
            slots[i].index = slots[i].claim->index;
        } else if (slots[i].used || saver->file->hold_numbers ||
                   (!saver->file->data[i].claimed && !saver->options.lay_out)) {
            TM_TRY(add_origin(saver, saver->file, i, &slots[i].index));
        }
    }
    for (size_t i = 0; i < claims->num; i++) {
        tmi_claim *claim = &claims->list[i];
        if (claim->kind == TMI_CLAIM_ORIGIN)
            claim->index = slots[claim->raw].index;
        else if (claim->index == TM_NONE)
            TM_TRY(add_claim(saver, claim));
    }
    saver->io.num_data = tmi_datafile_writer_num_data(saver->writer);
    return TM_OK;
}
