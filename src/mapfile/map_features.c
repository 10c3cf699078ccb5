/* SPDX-License-Identifier: Zlib */
/*
 * map_features.c - the parts of the format that a map uses, and the number of its objects. Visits structs and
 * items once; data stay packed.
 */
#include "mapfile.h"

/* Tile layers of this version hold run-length tiles (section 2.8); it is the 4th int of the layer's item. */
enum { RUN_LENGTH_VERSION = 4, LAYER_TYPE_INT = 1, TILES_VERSION_INT = 3 };

const char *tm_feature_name(tm_feature feature)
{
    static const char *const names[] = {
#define FEATURE_NAME(constant, number, id) [number] = id,
        TM_FEATURES(FEATURE_NAME)
#undef FEATURE_NAME
    };
    return (size_t)feature < TMI_COUNT_OF(names) ? names[feature] : NULL;
}

static uint64_t bit_if(bool has, tm_feature feature)
{
    return has ? (uint64_t)1 << feature : 0;
}

static uint64_t features_of_layer(const tm_layer *layer)
{
    enum { NONE = -1 }; /* every map has tiles and a game layer */
    static const int kinds[TM_LAYER_KINDS] = {[TM_LAYER_TILES] = NONE,
                                              [TM_LAYER_GAME] = NONE,
                                              [TM_LAYER_TELE] = TM_FEATURE_TELE,
                                              [TM_LAYER_SPEEDUP] = TM_FEATURE_SPEEDUP,
                                              [TM_LAYER_FRONT] = TM_FEATURE_FRONT,
                                              [TM_LAYER_SWITCH] = TM_FEATURE_SWITCH,
                                              [TM_LAYER_TUNE] = TM_FEATURE_TUNE,
                                              [TM_LAYER_QUADS] = TM_FEATURE_QUADS,
                                              [TM_LAYER_SOUNDS] = TM_FEATURE_SOUNDS,
                                              [TM_LAYER_OLD_SOUNDS] = TM_FEATURE_OLD_SOUNDS,
                                              [TM_LAYER_UNKNOWN] = TM_FEATURE_UNKNOWN_LAYERS};
    const int kind = kinds[layer->kind];
    uint64_t set = bit_if(layer->detail, TM_FEATURE_DETAIL);
    if (kind != NONE)
        set |= bit_if(true, (tm_feature)kind);
    if (layer->kind == TM_LAYER_TILES) {
        const tm_automapper *automapper = &layer->as.tiles.automapper;
        set |= bit_if(automapper->present && automapper->config >= 0, TM_FEATURE_AUTOMAPPER);
    }
    return set;
}

static bool has_run_length_tiles(const tm_datafile *file, const tm_datafile_type *type)
{
    const int32_t tiles = tm_game_layer(TM_LAYER_TILES)->layer_type;
    for (uint32_t i = 0; i < type->num; i++) {
        tm_datafile_item item;
        if (tm_datafile_get_item(&item, file, type->first + i) &&
            tm_datafile_item_int(&item, LAYER_TYPE_INT, 0) == tiles &&
            tm_datafile_item_int(&item, TILES_VERSION_INT, 0) == RUN_LENGTH_VERSION)
            return true;
    }
    return false;
}

static uint64_t features_of_file(const tm_datafile *file)
{
    tm_datafile_header header;
    tm_datafile_get_header(&header, file);
    uint64_t set = bit_if(header.crude_size || header.crude_swaplen, TM_FEATURE_CRUDE_SIZES) |
                   bit_if(header.version == 3, TM_FEATURE_DATAFILE_V3) |
                   bit_if(memcmp(header.magic, "ATAD", 4) == 0, TM_FEATURE_REVERSED_MAGIC);
    for (uint32_t i = 0; i < tm_datafile_num_types(file); i++) {
        tm_datafile_type type;
        if (!tm_datafile_get_type(&type, file, i))
            continue;
        const bool is_numbered = !type.has_uuid && type.type != TM_TYPE_UUID_INDEX;
        set |= bit_if(type.has_uuid, TM_FEATURE_UUID_ITEMS) |
               bit_if(type.has_uuid && !tm_game_uuid_name(&type.uuid), TM_FEATURE_UNKNOWN_ITEMS) |
               bit_if(is_numbered && !tm_game_item_name(type.type), TM_FEATURE_UNKNOWN_ITEMS) |
               bit_if(is_numbered && type.type == TM_ITEM_LAYER && has_run_length_tiles(file, &type),
                      TM_FEATURE_V4_TILES);
    }
    return set;
}

uint64_t tm_mapfile_features(const tm_map *map)
{
    if (!map)
        return 0;
    const tm_datafile *file = tm_mapfile_datafile(map);
    uint64_t set = file ? features_of_file(file) : 0;
    set |= bit_if(map->info.num_settings > 0, TM_FEATURE_SETTINGS);
    set |= bit_if(map->num_sounds > 0, TM_FEATURE_SOUNDS);
    set |= bit_if(map->num_envelopes > 0, TM_FEATURE_ENVELOPES);
    for (uint32_t i = 0; i < map->num_images; i++) {
        const tm_image *image = &map->images[i];
        set |= bit_if(true, image->external ? TM_FEATURE_EXTERNAL_IMAGES : TM_FEATURE_EMBEDDED_IMAGES);
        set |= bit_if(!image->external && image->format == TM_IMAGE_RGB, TM_FEATURE_RGB_IMAGES);
    }
    for (uint32_t i = 0; i < map->num_envelopes; i++) {
        const tm_envelope *envelope = &map->envelopes[i];
        set |= bit_if(envelope->channels == TM_ENVELOPE_SOUND, TM_FEATURE_SOUND_ENVELOPES);
        for (uint32_t k = 0; k < envelope->num_points; k++)
            set |= bit_if(envelope->points[k].curve == TM_CURVE_BEZIER, TM_FEATURE_BEZIER);
    }
    for (uint32_t g = 0; g < map->num_groups; g++) {
        set |= bit_if(map->groups[g].use_clipping, TM_FEATURE_CLIPPING);
        set |= bit_if(map->groups[g].has_parallax_zoom, TM_FEATURE_GROUP_EX);
    }
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        set |= features_of_layer(walk.layer);
    return set;
}

/* ------------------------------------------------------------------------------------------------- counts */

void tm_mapfile_count(tm_mapfile_counts *out, const tm_map *map)
{
    tm_layer_walk walk = {0};
    if (!out)
        return;
    memset(out, 0, sizeof(*out));
    if (!map)
        return;
    for (uint32_t i = 0; i < map->num_images; i++)
        *(map->images[i].external ? &out->external_images : &out->embedded_images) += 1;
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        out->envelope_points += map->envelopes[i].num_points;
    while (tm_map_next_layer(map, &walk)) {
        out->layers++;
        out->layers_of[walk.layer->kind]++;
        if (walk.layer->kind == TM_LAYER_QUADS)
            out->quads += walk.layer->as.quads.num_quads;
        else if (walk.layer->kind == TM_LAYER_SOUNDS || walk.layer->kind == TM_LAYER_OLD_SOUNDS)
            out->sources += walk.layer->as.sounds.num_sources;
    }
    const tm_datafile *file = tm_mapfile_datafile(map);
    if (!file)
        return;
    tm_datafile_header header;
    tm_datafile_data data;
    tm_datafile_get_header(&header, file);
    out->item_bytes = header.item_size < 0 ? 0 : (uint64_t)header.item_size;
    for (uint32_t i = 0; tm_datafile_get_data(&data, file, i); i++) {
        out->packed_bytes += data.packed_size;
        out->unpacked_bytes += data.size;
    }
}
