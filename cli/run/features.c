/* SPDX-License-Identifier: Zlib */
/* features.c - walks a map's structs and items once and notes what occurs. */
#include "features.h"

#include <teemap/mapfile.h>

#include <string.h>

/*
 * Tile layers of this version hold run-length tiles (Teeworlds 0.7); the version is the 4th integer of the
 * layer item.
 */
#define RUN_LENGTH_VERSION 4
#define LAYER_VERSION_INT  3

const char *feature_id(feature f)
{
    static const char *const ids[FEATURE_COUNT] = {
        [FEATURE_AUTOMAPPER] = "automapper",
        [FEATURE_BEZIER] = "bezier",
        [FEATURE_CLIPPING] = "clipping",
        [FEATURE_CRUDE_SIZES] = "crude-sizes",
        [FEATURE_DATAFILE_V3] = "datafile-v3",
        [FEATURE_DETAIL] = "detail",
        [FEATURE_EMBEDDED_IMAGES] = "embedded-images",
        [FEATURE_ENVELOPES] = "envelopes",
        [FEATURE_EXTERNAL_IMAGES] = "external-images",
        [FEATURE_FRONT] = "front",
        [FEATURE_GROUP_EX] = "group-ex",
        [FEATURE_OLD_SOUNDS] = "old-sounds",
        [FEATURE_QUADS] = "quads",
        [FEATURE_REVERSED_MAGIC] = "reversed-magic",
        [FEATURE_RGB_IMAGES] = "rgb-images",
        [FEATURE_SETTINGS] = "settings",
        [FEATURE_SOUND_ENVELOPES] = "sound-envelopes",
        [FEATURE_SOUNDS] = "sounds",
        [FEATURE_SPEEDUP] = "speedup",
        [FEATURE_SWITCH] = "switch",
        [FEATURE_TELE] = "tele",
        [FEATURE_TUNE] = "tune",
        [FEATURE_UNKNOWN_ITEMS] = "unknown-items",
        [FEATURE_UNKNOWN_LAYERS] = "unknown-layers",
        [FEATURE_UUID_ITEMS] = "uuid-items",
        [FEATURE_V4_TILES] = "v4-tiles",
    };
    return ids[f];
}

/* The feature that a kind of layer stands for; FEATURE_COUNT: every map has it. */
static const feature kind_features[TM_LAYER_KINDS] = {
    [TM_LAYER_TILES] = FEATURE_COUNT,
    [TM_LAYER_GAME] = FEATURE_COUNT,
    [TM_LAYER_TELE] = FEATURE_TELE,
    [TM_LAYER_SPEEDUP] = FEATURE_SPEEDUP,
    [TM_LAYER_FRONT] = FEATURE_FRONT,
    [TM_LAYER_SWITCH] = FEATURE_SWITCH,
    [TM_LAYER_TUNE] = FEATURE_TUNE,
    [TM_LAYER_QUADS] = FEATURE_QUADS,
    [TM_LAYER_SOUNDS] = FEATURE_SOUNDS,
    [TM_LAYER_OLD_SOUNDS] = FEATURE_OLD_SOUNDS,
    [TM_LAYER_UNKNOWN] = FEATURE_UNKNOWN_LAYERS,
};

static void of_images(bool out[FEATURE_COUNT], const tm_map *map)
{
    for (uint32_t i = 0; i < map->num_images; i++) {
        const tm_image *image = &map->images[i];
        out[image->external ? FEATURE_EXTERNAL_IMAGES : FEATURE_EMBEDDED_IMAGES] = true;
        out[FEATURE_RGB_IMAGES] |= !image->external && image->format == TM_IMAGE_RGB;
    }
}

static void of_envelopes(bool out[FEATURE_COUNT], const tm_map *map)
{
    out[FEATURE_ENVELOPES] = map->num_envelopes > 0;
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        const tm_envelope *envelope = &map->envelopes[i];
        out[FEATURE_SOUND_ENVELOPES] |= envelope->channels == TM_ENVELOPE_SOUND;
        for (uint32_t k = 0; k < envelope->num_points && !out[FEATURE_BEZIER]; k++)
            out[FEATURE_BEZIER] = envelope->points[k].curve == TM_CURVE_BEZIER;
    }
}

static void of_layer(bool out[FEATURE_COUNT], const tm_layer *layer)
{
    feature f = kind_features[layer->kind];
    if (f < FEATURE_COUNT)
        out[f] = true;
    out[FEATURE_DETAIL] |= layer->detail;
    if (layer->kind == TM_LAYER_TILES) {
        const tm_automapper *automapper = &layer->as.tiles.automapper;
        out[FEATURE_AUTOMAPPER] |= automapper->present && automapper->config >= 0;
    }
}

static void of_groups(bool out[FEATURE_COUNT], const tm_map *map)
{
    for (uint32_t g = 0; g < map->num_groups; g++) {
        const tm_group *group = &map->groups[g];
        out[FEATURE_CLIPPING] |= group->use_clipping;
        out[FEATURE_GROUP_EX] |= group->has_parallax_zoom;
        for (uint32_t i = 0; i < group->num_layers; i++)
            of_layer(out, &group->layers[i]);
    }
}

static void of_type(bool out[FEATURE_COUNT], const tm_datafile *file, const tm_datafile_type *type)
{
    if (type->has_uuid) {
        out[FEATURE_UUID_ITEMS] = true;
        out[FEATURE_UNKNOWN_ITEMS] |= !tm_rules_uuid_name(&type->uuid);
    } else if (type->type != TM_TYPE_UUID_INDEX && !tm_rules_item_name(type->type)) {
        out[FEATURE_UNKNOWN_ITEMS] = true;
    }
    if (type->type != TM_ITEM_LAYER)
        return;
    int32_t tiles = tm_rules_layer(TM_LAYER_TILES)->layer_type;
    for (uint32_t i = 0; i < type->num; i++) {
        tm_datafile_item item;
        out[FEATURE_V4_TILES] |= tm_datafile_get_item(file, type->first + i, &item) &&
                                 tm_datafile_item_int(&item, 1, 0) == tiles &&
                                 tm_datafile_item_int(&item, LAYER_VERSION_INT, 0) == RUN_LENGTH_VERSION;
    }
}

static void of_file(bool out[FEATURE_COUNT], const tm_datafile *file)
{
    tm_datafile_header header;
    tm_datafile_get_header(file, &header);
    out[FEATURE_CRUDE_SIZES] = header.crude_size || header.crude_swaplen;
    out[FEATURE_DATAFILE_V3] = header.version == 3;
    out[FEATURE_REVERSED_MAGIC] = memcmp(header.magic, "ATAD", 4) == 0;
    for (uint32_t i = 0; i < tm_datafile_num_types(file); i++) {
        tm_datafile_type type;
        if (tm_datafile_get_type(file, i, &type))
            of_type(out, file, &type);
    }
}

void features_find(bool out[FEATURE_COUNT], const tm_map *map)
{
    memset(out, 0, FEATURE_COUNT * sizeof(*out));
    out[FEATURE_SETTINGS] = map->info.num_settings > 0;
    out[FEATURE_SOUNDS] = map->num_sounds > 0;
    of_images(out, map);
    of_envelopes(out, map);
    of_groups(out, map);
    if (tm_mapfile_datafile(map))
        of_file(out, tm_mapfile_datafile(map));
}

/* ------------------------------------------------------------------------------------------------- counts */

static void count_layer(counts *out, const tm_layer *layer)
{
    out->layers++;
    out->kinds[layer->kind]++;
    if (layer->kind == TM_LAYER_QUADS)
        out->quads += layer->as.quads.num_quads;
    else if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS)
        out->sources += layer->as.sounds.num_sources;
}

static void count_file(counts *out, const tm_datafile *file)
{
    tm_datafile_header header;
    tm_datafile_get_header(file, &header);
    out->item_bytes = header.item_size < 0 ? 0 : (uint64_t)header.item_size;
    for (uint32_t i = 0; i < tm_datafile_num_data(file); i++) {
        tm_datafile_data data;
        if (tm_datafile_get_data(file, i, &data)) {
            out->packed_bytes += data.packed_size;
            out->unpacked_bytes += data.size;
        }
    }
}

void counts_find(counts *out, const tm_map *map)
{
    *out = (counts){0};
    for (uint32_t i = 0; i < map->num_images; i++)
        *(map->images[i].external ? &out->external_images : &out->embedded_images) += 1;
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        out->envelope_points += map->envelopes[i].num_points;
    for (uint32_t g = 0; g < map->num_groups; g++)
        for (uint32_t i = 0; i < map->groups[g].num_layers; i++)
            count_layer(out, &map->groups[g].layers[i]);
    if (tm_mapfile_datafile(map))
        count_file(out, tm_mapfile_datafile(map));
}
