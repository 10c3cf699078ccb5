/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_RULES_H
#define TEEMAP_RULES_H
/*
 * teemap/rules.h - the constant tables of the games, as data: item types and their UUIDs, kinds of layers,
 * tile sizes.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Games whose dialect of the format a map can speak. */
typedef enum tm_game {
    TM_GAME_DDNET = 0, /* Teeworlds 0.6 with DDNet's extensions */
    TM_GAME_TEEWORLDS06,
    TM_GAME_TEEWORLDS07,
    TM_GAME_COUNT
} tm_game;
/* "ddnet", "teeworlds06", "teeworlds07"; NULL for another number. */
TM_API const char *tm_game_name(tm_game game);
/* The game of a name ("ddnet", "0.6", "teeworlds06", "0.7", "teeworlds07"); false if there is none. */
TM_API bool tm_game_from_name(tm_game *out, const char *name);

/* Numeric item types (docs/format.md section 2.0). */
enum {
    TM_ITEM_VERSION = 0,
    TM_ITEM_INFO = 1,
    TM_ITEM_IMAGE = 2,
    TM_ITEM_ENVELOPE = 3,
    TM_ITEM_GROUP = 4,
    TM_ITEM_LAYER = 5,
    TM_ITEM_ENVELOPE_POINTS = 6,
    TM_ITEM_SOUND = 7
};

/* UUID item types (section 1.12). */
typedef enum tm_uuid_item {
    TM_UUID_AUTOMAPPER, /* mapitemtype-automapper-config@ddnet.tw */
    TM_UUID_BEZIER,     /* mapitemtype-envpoints-bezier@ddnet.tw */
    TM_UUID_GROUP_EX,   /* mapitemtype-group@ddnet.tw, DDNet 16.4 to 17.3 only */
    TM_UUID_TEST,       /* mapitemtype-test@ddnet.tw */
    TM_UUID_COUNT
} tm_uuid_item;
TM_API const tm_uuid *tm_rules_uuid(tm_uuid_item item);
/* The name that the UUID is the hash of; NULL for an unknown UUID. */
TM_API const char *tm_rules_uuid_name(const tm_uuid *uuid);
/* A short word for a numeric item type ("image"); NULL if it is none of the above. */
TM_API const char *tm_rules_item_name(uint16_t type);

/* Kinds of layers. The six physics kinds stand together. */
typedef enum tm_layer_kind {
    TM_LAYER_TILES = 0, /* design tiles */
    TM_LAYER_GAME,
    TM_LAYER_TELE,
    TM_LAYER_SPEEDUP,
    TM_LAYER_FRONT,
    TM_LAYER_SWITCH,
    TM_LAYER_TUNE,
    TM_LAYER_QUADS,
    TM_LAYER_SOUNDS,
    TM_LAYER_OLD_SOUNDS, /* type 9, before DDNet 9; the client does not play it */
    TM_LAYER_UNKNOWN,    /* a layer type that no game knows; carried along */
    TM_LAYER_KINDS
} tm_layer_kind;

typedef struct tm_layer_rule {
    const char *name;      /* "tiles", "game", "tele", ... as used in addresses and JSON */
    const char *title;     /* the editor's name for a new layer of the kind: "Game", "Quads", "" */
    uint32_t element_size; /* bytes of a tile, quad or sound source; 0 for unknown */
    int32_t tile_flags;    /* value of the tile layer's flags (section 2.8), 0 for design tiles */
    int32_t layer_type;    /* the item's layer type: 2, 3, 9, 10; 0 for unknown */
    bool is_tiles;         /* a grid of tiles, design or physics */
    bool is_physics;
    bool games[TM_GAME_COUNT]; /* which games have it */
} tm_layer_rule;
TM_API const tm_layer_rule *tm_rules_layer(tm_layer_kind kind); /* never NULL: out of range gives unknown */

#ifdef __cplusplus
}
#endif
#endif
