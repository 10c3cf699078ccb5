/* SPDX-License-Identifier: Zlib */
/*
 * What kinds of objects are called, and which struct each has. This is not in the tables of fields, which a
 * program that only opens maps does not link.
 */
#include "internal.h"

static const struct {
    const char *name;
    size_t size; /* of the struct; 0: there is none */
} kinds[TM_KINDS] = {
    [TM_KIND_MAP] = {"map", sizeof(tm_map)},
    [TM_KIND_INFO] = {"info", sizeof(tm_info)},
    [TM_KIND_SETTINGS] = {"settings", 0},
    [TM_KIND_IMAGE] = {"image", sizeof(tm_image)},
    [TM_KIND_SOUND] = {"sound", sizeof(tm_sound)},
    [TM_KIND_ENVELOPE] = {"envelope", sizeof(tm_envelope)},
    [TM_KIND_GROUP] = {"group", sizeof(tm_group)},
    [TM_KIND_LAYER] = {"layer", sizeof(tm_layer)},
    [TM_KIND_TILE_LAYER] = {"tile_layer", sizeof(tm_layer)},
    [TM_KIND_QUAD_LAYER] = {"quad_layer", sizeof(tm_layer)},
    [TM_KIND_SOUND_LAYER] = {"sound_layer", sizeof(tm_layer)},
    [TM_KIND_ENVELOPE_POINT] = {"envelope_point", sizeof(tm_envelope_point)},
    [TM_KIND_QUAD] = {"quad", sizeof(tm_quad)},
    [TM_KIND_SOUND_SOURCE] = {"sound_source", sizeof(tm_sound_source)},
    [TM_KIND_OLD_SOURCE] = {"old_source", sizeof(tm_old_source)},
    [TM_KIND_TILE] = {"tile", sizeof(tm_tile)},
    [TM_KIND_TELE_TILE] = {"tele_tile", sizeof(tm_tele_tile)},
    [TM_KIND_SPEEDUP_TILE] = {"speedup_tile", sizeof(tm_speedup_tile)},
    [TM_KIND_SWITCH_TILE] = {"switch_tile", sizeof(tm_switch_tile)},
    [TM_KIND_TUNE_TILE] = {"tune_tile", sizeof(tm_tune_tile)},
    [TM_KIND_ITEM] = {"item", 0},
    [TM_KIND_DATA] = {"data", 0},
};

static const struct {
    tm_kind layer, elements;
} kinds_of_layer[TM_LAYER_KINDS] = {
    [TM_LAYER_TILES] = {TM_KIND_TILE_LAYER, TM_KIND_TILE},
    [TM_LAYER_GAME] = {TM_KIND_TILE_LAYER, TM_KIND_TILE},
    [TM_LAYER_TELE] = {TM_KIND_TILE_LAYER, TM_KIND_TELE_TILE},
    [TM_LAYER_SPEEDUP] = {TM_KIND_TILE_LAYER, TM_KIND_SPEEDUP_TILE},
    [TM_LAYER_FRONT] = {TM_KIND_TILE_LAYER, TM_KIND_TILE},
    [TM_LAYER_SWITCH] = {TM_KIND_TILE_LAYER, TM_KIND_SWITCH_TILE},
    [TM_LAYER_TUNE] = {TM_KIND_TILE_LAYER, TM_KIND_TUNE_TILE},
    [TM_LAYER_QUADS] = {TM_KIND_QUAD_LAYER, TM_KIND_QUAD},
    [TM_LAYER_SOUNDS] = {TM_KIND_SOUND_LAYER, TM_KIND_SOUND_SOURCE},
    [TM_LAYER_OLD_SOUNDS] = {TM_KIND_SOUND_LAYER, TM_KIND_OLD_SOURCE},
    [TM_LAYER_UNKNOWN] = {TM_KINDS, TM_KINDS},
};

const char *tm_kind_name(tm_kind kind)
{
    return (unsigned)kind < TM_KINDS ? kinds[kind].name : NULL;
}

size_t tm_kind_size(tm_kind kind)
{
    return (unsigned)kind < TM_KINDS ? kinds[kind].size : 0;
}

tm_kind tm_kind_of_layer(tm_layer_kind kind)
{
    return (unsigned)kind < TM_LAYER_KINDS ? kinds_of_layer[kind].layer : TM_KINDS;
}

tm_kind tm_kind_of_elements(tm_layer_kind kind)
{
    return (unsigned)kind < TM_LAYER_KINDS ? kinds_of_layer[kind].elements : TM_KINDS;
}
