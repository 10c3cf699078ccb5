/* SPDX-License-Identifier: Zlib */
#ifndef CLI_FEATURES_H
#define CLI_FEATURES_H
/*
 * features.h - which parts of the format a map uses, as a set of stable ids, and how many of everything there
 * are. Both come from items alone; data stay packed. docs/json.md explains each id.
 */
#include <teemap/map.h>

typedef enum feature {
    FEATURE_AUTOMAPPER,
    FEATURE_BEZIER,
    FEATURE_CLIPPING,
    FEATURE_CRUDE_SIZES,
    FEATURE_DATAFILE_V3,
    FEATURE_DETAIL,
    FEATURE_EMBEDDED_IMAGES,
    FEATURE_ENVELOPES,
    FEATURE_EXTERNAL_IMAGES,
    FEATURE_FRONT,
    FEATURE_GROUP_EX,
    FEATURE_OLD_SOUNDS,
    FEATURE_QUADS,
    FEATURE_REVERSED_MAGIC,
    FEATURE_RGB_IMAGES,
    FEATURE_SETTINGS,
    FEATURE_SOUND_ENVELOPES,
    FEATURE_SOUNDS,
    FEATURE_SPEEDUP,
    FEATURE_SWITCH,
    FEATURE_TELE,
    FEATURE_TUNE,
    FEATURE_UNKNOWN_ITEMS,
    FEATURE_UNKNOWN_LAYERS,
    FEATURE_UUID_ITEMS,
    FEATURE_V4_TILES,
    FEATURE_COUNT
} feature;

const char *feature_id(feature f);
void features_find(bool out[FEATURE_COUNT], const tm_map *map);

typedef struct counts {
    uint64_t external_images, embedded_images;
    uint64_t envelope_points;
    uint64_t layers, kinds[TM_LAYER_KINDS];
    uint64_t quads, sources;
    uint64_t packed_bytes, unpacked_bytes; /* of all data blocks of the file */
    uint64_t item_bytes;
} counts;
void counts_find(counts *out, const tm_map *map);

#endif
