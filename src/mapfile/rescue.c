/* SPDX-License-Identifier: Zlib */
/*
 * What is left of a damaged map. Every block is unpacked once and judged by how much of it comes out; then
 * every object is counted as whole, damaged or lost, with a finding for each that is not whole. Quads and
 * sound sources that are lost would be zeros that lie in each other and follow the first envelope, so they
 * are taken out of the map. Items that cannot be read have their findings from loading.
 */
#include "mapfile.h"

#include "../datafile/datafile.h"

#include <teemap/fields.h>

typedef struct rescuer {
    tm_map *map;
    const tmi_file *file;
    const tmi_data_survey *found; /* by data index */
    tm_rescue *out;
    tm_findings *findings;
    tm_error *error;
} rescuer;

/* ---------------------------------------------------------------------------------------------- judgement */

/* How much there is of something that takes `size` bytes. */
typedef struct remains {
    tm_rescue_state state;
    uint64_t got, size; /* bytes */
} remains;

static remains remains_of_data(const rescuer *r, uint32_t data_index)
{
    const tmi_data_survey *found = &r->found[data_index];
    remains left = {TM_RESCUE_WHOLE, found->got, tmi_block_at(r->file->datafile, data_index).announced};
    const bool part = found->state == TM_DATA_SHORT || found->state == TM_DATA_BROKEN;
    if (part && found->got == 0)
        left.state = TM_RESCUE_LOST;
    else if (part || found->state == TM_DATA_CHECKSUM)
        left.state = TM_RESCUE_DAMAGED;
    return left;
}

static remains remains_of_block(const rescuer *r, const tm_block *block)
{
    if (!block)
        return (remains){TM_RESCUE_LOST, 0, 0};
    if (block->changed || block->origin != &r->file->base)
        return (remains){TM_RESCUE_WHOLE, block->size, block->size};
    return remains_of_data(r, block->data_index);
}

static void count_rescued(rescuer *r, tm_rescue_kind kind, tm_rescue_state state, uint64_t num)
{
    tm_rescue_count *count = &r->out->counts[kind];
    count->num += num;
    count->damaged += state == TM_RESCUE_DAMAGED ? num : 0;
    count->lost += state == TM_RESCUE_LOST ? num : 0;
}

static void report_loss(const rescuer *r, tm_address address, const remains *left, const char *name)
{
    const bool lost = left->state == TM_RESCUE_LOST;
    const tm_finding_id id = lost ? TM_FINDING_OBJECT_LOST : TM_FINDING_OBJECT_DAMAGED;
    const tm_mode mode = r->file->mode;
    if (left->state == TM_RESCUE_WHOLE)
        return;
    if (lost)
        tmi_report_at_address(r->findings, mode, id, r->map, address, -1, "nothing is left of its %s", name);
    else if (left->got < left->size)
        tmi_report_at_address(r->findings, mode, id, r->map, address, -1,
                              "only %llu of %llu bytes are left of its %s", (unsigned long long)left->got,
                              (unsigned long long)left->size, name);
    else
        tmi_report_at_address(r->findings, mode, id, r->map, address, -1,
                              "some bytes of its %s may have changed", name);
}

/* ------------------------------------------------------------------------------------------------ objects */

static void rescue_items(rescuer *r)
{
    tm_datafile_header header;
    tm_datafile_item item;
    tm_datafile_get_header(&header, r->file->datafile);
    const uint64_t there = tm_datafile_num_items(r->file->datafile);
    const uint64_t said = header.num_items > 0 ? (uint64_t)header.num_items : 0;
    count_rescued(r, TM_RESCUE_ITEMS, TM_RESCUE_LOST, said > there ? said - there : 0);
    for (uint32_t i = 0; tm_datafile_get_item(&item, r->file->datafile, i); i++) {
        /* An item may be empty, as the points of a map without animation: then its size word says so. */
        const bool lost = !item.body || (item.size == 0 && tmi_get_i32(item.body - 4) != 0);
        count_rescued(r, TM_RESCUE_ITEMS, lost ? TM_RESCUE_LOST : TM_RESCUE_WHOLE, 1);
    }
}

static void rescue_embedded(rescuer *r, tm_rescue_kind kind, tm_address address, const tm_block *block)
{
    const remains left = remains_of_block(r, block);
    count_rescued(r, kind, left.state, 1);
    report_loss(r, address, &left, kind == TM_RESCUE_IMAGES ? "pixels" : "data");
}

/*
 * As many elements as the file says, of which the layer has those that fit the block, of which some came out.
 */
static tm_status rescue_elements(rescuer *r, tm_layer *layer, tm_address address, tm_rescue_kind kind,
                                 const tm_block *block, uint32_t num)
{
    enum { NUM = 4 }; /* the int that counts them (docs/format.md section 2.9) */
    tm_datafile_item item;
    const size_t size = tm_kind_size(tm_kind_of_elements(layer->kind));
    int64_t said = num;
    if (layer->origin.file == &r->file->base &&
        tm_datafile_get_item(&item, r->file->datafile, layer->origin.item))
        said = tm_datafile_item_int(&item, NUM, 0);
    remains left = remains_of_block(r, block);
    const uint64_t came = left.state == TM_RESCUE_WHOLE || left.got == left.size ? num : left.got / size;
    const uint32_t keep = came < num ? (uint32_t)came : num;
    const uint64_t lost = said > keep ? (uint64_t)said - keep : 0;
    const char *name = kind == TM_RESCUE_QUADS ? "quads" : "sound sources";
    count_rescued(r, kind, TM_RESCUE_LOST, lost);
    count_rescued(r, kind, keep && !lost ? left.state : TM_RESCUE_WHOLE, keep);
    if (lost)
        tmi_report_at_address(r->findings, r->file->mode, TM_FINDING_OBJECT_LOST, r->map, address, -1,
                              "%llu of its %lld %s are lost and left out", (unsigned long long)lost,
                              (long long)said, name);
    else if (keep)
        report_loss(r, address, &left, name);
    if (keep < num && layer->kind != TM_LAYER_OLD_SOUNDS)
        return tmi_map_remove_elements(r->map, &address, keep, num - keep, r->error);
    if (keep < num)
        layer->as.sounds.num_sources = keep; /* the block stays as long as it was */
    return TM_OK;
}

/*
 * What is left of the tiles for old clients is written again: a block of the old file in the new one is named
 * by another number, under which no repair finds it. Where that is too much for the limit, it stays broken.
 */
static tm_status renew_compat(rescuer *r, tm_block *compat, tm_address address)
{
    void *bytes;
    tm_error reason = {.offset = -1};
    const tm_status status = tm_map_edit_data(&bytes, NULL, r->map, compat, &reason);
    if (status == TM_ERROR_LIMIT) {
        tmi_report_at_address(r->findings, r->file->mode, TM_FINDING_NOT_REPAIRED, r->map, address, -1,
                              "its tiles for old clients stay broken: %s", reason.text);
        return TM_OK;
    }
    if (status && r->error)
        *r->error = reason;
    return status;
}

static tm_status rescue_layer(rescuer *r, tm_layer *layer, tm_address address)
{
    /* the item behind it has a place in the file, but cannot be read */
    tm_datafile_item item;
    const bool lost = layer->origin.file == &r->file->base &&
                      tm_datafile_get_item(&item, r->file->datafile, layer->origin.item) && item.size == 0;
    count_rescued(r, TM_RESCUE_LAYERS, lost ? TM_RESCUE_LOST : TM_RESCUE_WHOLE, 1);
    if (lost)
        tmi_report_at_address(r->findings, r->file->mode, TM_FINDING_OBJECT_LOST, r->map, address, -1,
                              "its item cannot be read, so it is not known what it was");
    if (tm_game_layer(layer->kind)->is_tiles) {
        const remains left = remains_of_block(r, layer->as.tiles.tiles);
        tm_block *const compat = layer->as.tiles.compat;
        if (compat && remains_of_block(r, compat).state != TM_RESCUE_WHOLE)
            TM_TRY(renew_compat(r, compat, address));
        count_rescued(r, TM_RESCUE_TILE_LAYERS, left.state, 1);
        report_loss(r, address, &left, "tiles");
        if (layer->kind == TM_LAYER_GAME)
            r->out->game_layer = left.state;
        return TM_OK;
    }
    if (layer->kind == TM_LAYER_QUADS)
        return rescue_elements(r, layer, address, TM_RESCUE_QUADS, layer->as.quads.quads,
                               layer->as.quads.num_quads);
    if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS)
        return rescue_elements(r, layer, address, TM_RESCUE_SOURCES, layer->as.sounds.sources,
                               layer->as.sounds.num_sources);
    return TM_OK;
}

tm_status tm_mapfile_rescue(tm_rescue *out, tm_map *map, const tm_job *job, tm_findings *findings,
                            tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = (tm_rescue){.game_layer = TM_RESCUE_MISSING};
    TM_TRY(tmi_need(map, "map", error));
    const tmi_file *file = tmi_file_of(map);
    if (!file)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "the map was made from nothing; only a file can be damaged");
    const uint32_t num = tm_datafile_num_data(file->datafile);
    tmi_data_survey *found;
    TM_TRY(tmi_reserve_zeroed(&found, tmi_map_allocator(map), num, sizeof(*found), "the states of blocks",
                              error));
    rescuer r = {map, file, found, out, findings, error};
    tm_status status = tmi_survey_data(found, file->datafile, job, error);
    if (status == TM_OK) {
        rescue_items(&r);
        for (uint32_t i = 0; i < num; i++) {
            if (!file->data[i].tried)
                continue;
            const remains left = remains_of_data(&r, i);
            count_rescued(&r, TM_RESCUE_TEXTS, left.state, 1);
            report_loss(&r, (tm_address){TM_KIND_DATA, i, 0}, &left, "text");
        }
        for (uint32_t i = 0; i < map->num_images; i++)
            if (!map->images[i].external)
                rescue_embedded(&r, TM_RESCUE_IMAGES, (tm_address){TM_KIND_IMAGE, i, 0},
                                map->images[i].pixels);
        for (uint32_t i = 0; i < map->num_sounds; i++)
            rescue_embedded(&r, TM_RESCUE_SOUNDS, (tm_address){TM_KIND_SOUND, i, 0}, map->sounds[i].data);
        tm_layer_walk walk = {0};
        while (!status && tm_map_next_layer(map, &walk))
            status = rescue_layer(&r, &map->groups[walk.group].layers[walk.index],
                                  (tm_address){TM_KIND_LAYER, walk.group, walk.index});
    }
    tmi_free(tmi_map_allocator(map), found, num, sizeof(*found));
    if (status != TM_OK)
        *out = (tm_rescue){.game_layer = TM_RESCUE_MISSING};
    return status;
}

bool tm_rescue_complete(const tm_rescue *rescue)
{
    if (!rescue)
        return false;
    for (size_t i = 0; i < TM_RESCUE_KINDS; i++)
        if (rescue->counts[i].damaged || rescue->counts[i].lost)
            return false;
    return true;
}

const char *tm_rescue_kind_name(tm_rescue_kind kind)
{
    static const char *const names[] = {
        [TM_RESCUE_ITEMS] = "items",   [TM_RESCUE_TEXTS] = "texts",
        [TM_RESCUE_IMAGES] = "images", [TM_RESCUE_SOUNDS] = "sounds",
        [TM_RESCUE_LAYERS] = "layers", [TM_RESCUE_TILE_LAYERS] = "tile layers",
        [TM_RESCUE_QUADS] = "quads",   [TM_RESCUE_SOURCES] = "sound sources"};
    return (size_t)kind < TM_RESCUE_KINDS ? names[kind] : NULL;
}
