/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_GAMES_H
#define TEEMAP_GAMES_H
/*
 * teemap/games.h - the constant tables of the games: item types and their UUIDs, kinds of layers, the meaning
 * of each tile and how it rotates, what maps of each game can hold, and the images that games ship.
 *
 * All results are constant and valid forever; any number of threads may call the functions at once.
 */
#include <teemap/findings.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Games, as dialects of the format. */
typedef enum tm_game {
    TM_GAME_DDNET = 0, /* Teeworlds 0.6 with DDNet's extensions */
    TM_GAME_TEEWORLDS06,
    TM_GAME_TEEWORLDS07,
    TM_GAME_COUNT
} tm_game;
/* "ddnet", "teeworlds06", "teeworlds07"; NULL for an unknown number. */
TM_API const char *tm_game_name(tm_game game);
/* The game with a name ("ddnet", "0.6", "teeworlds06", "0.7", "teeworlds07"); false if there is none. */
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
/* The name whose hash the UUID is; NULL for an unknown UUID. */
TM_API const char *tm_game_uuid_name(const tm_uuid *uuid);
/* A short name of a numeric item type ("image"); NULL if it is none of the above. */
TM_API const char *tm_game_item_name(uint16_t type);

/* ------------------------------------------------------------------------------------------- units, tiles */

/* px = world pixels; fx = 22.10 fixed point. */
enum {
    TM_FX = 1024,                    /* fx per 1.0, or per px */
    TM_TILE_PX = 32,                 /* px to a tile, each way */
    TM_TILE_FX = TM_TILE_PX * TM_FX, /* fx to a tile */
    TM_TILE_INDICES = 256 /* the index of a tile is a byte; so many pictures are in a sheet, 16 x 16 */
};

/* Tiles (section 2.8). Flags of tm_tile and tm_switch_tile; the mirrors act before the turn. */
enum { TM_TILE_FLIP_X = 1, TM_TILE_FLIP_Y = 2, TM_TILE_OPAQUE = 4, TM_TILE_ROTATE = 8 };

typedef struct tm_tile { /* design, game and front layers */
    uint8_t index, flags, skip, reserved;
} tm_tile;
typedef struct tm_tele_tile {
    uint8_t number, type;
} tm_tele_tile;
typedef struct tm_speedup_tile {
    uint8_t force, max_speed, type, pad;
    int16_t angle; /* degrees, 0 = right, clockwise */
} tm_speedup_tile;
typedef struct tm_switch_tile {
    uint8_t number, type, flags, delay;
} tm_switch_tile;
typedef struct tm_tune_tile {
    uint8_t number, type;
} tm_tune_tile;

/* ------------------------------------------------------------------------------------------------- layers */

/* Kinds of layers. The six physics kinds are consecutive. */
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
    TM_LAYER_OLD_SOUNDS, /* type 9, before DDNet 9; clients do not play it */
    TM_LAYER_UNKNOWN,    /* an unknown layer type; kept unchanged */
    TM_LAYER_KINDS
} tm_layer_kind;

/* The layer type in the item (section 2.7). */
enum {
    TM_LAYER_TYPE_TILES = 2,
    TM_LAYER_TYPE_QUADS = 3,
    TM_LAYER_TYPE_OLD_SOUNDS = 9,
    TM_LAYER_TYPE_SOUNDS = 10
};

typedef struct tm_layer_info {
    const char *name; /* "tiles", "game", "tele", ... as used in addresses and JSON */
    const char
        *title; /* name of a new layer in the editors; DDNet only names physics layers, others have none */
    uint32_t element_size; /* bytes of a tile, quad or sound source; 0 for unknown */
    int32_t tile_flags;    /* value of the tile layer's flags (section 2.8), 0 for design tiles */
    int32_t layer_type;    /* TM_LAYER_TYPE_...; 0 for unknown */
    bool is_tiles;         /* a grid of tiles, design or physics */
    bool is_physics;
    bool games[TM_GAME_COUNT]; /* the games that support it */
    /*
     * Positions of the bytes in a tile; TM_NONE: it has no such byte. The index is also called type; the
     * angle is a native int16_t.
     */
    int8_t index_at, number_at, flags_at, delay_at, angle_at;
} tm_layer_info;
TM_API const tm_layer_info *tm_game_layer(tm_layer_kind kind); /* never NULL: unknown if out of range */

/* -------------------------------------------------------------------------------------- what tiles mean */

/*
 * The table of tiles (section 3): the meaning of each index in each kind of layer. teemap/tiles.h has
 * constants for the indices, docs/tiles-of-the-games.md the whole table; both are generated from it.
 */

/* What a tile is, in one word: name of the constant and for people. */
#define TM_TILE_CATEGORIES(X) \
    X(AIR, "air")             \
    X(SOLID, "solid")         \
    X(HAZARD, "hazard")       \
    X(FREEZE, "freeze")       \
    X(HOOK, "hook-through")   \
    X(ABILITY, "ability")     \
    X(GLOBAL, "global")       \
    X(RACE, "race")           \
    X(STOPPER, "stopper")     \
    X(MOVER, "mover")         \
    X(SIGN, "sign")           \
    X(SPAWN, "spawn")         \
    X(FLAG, "flag")           \
    X(PICKUP, "pickup")       \
    X(LASER, "laser")         \
    X(TURRET, "turret")       \
    X(DRAGGER, "dragger")     \
    X(DOOR, "door")           \
    X(TELE, "teleporter")     \
    X(SPEEDUP, "speedup")     \
    X(SWITCH, "switch")       \
    X(TUNE, "tune")
typedef enum tm_tile_category {
#define TM_ENUM(id, name) TM_CATEGORY_##id,
    TM_TILE_CATEGORIES(TM_ENUM)
#undef TM_ENUM
        TM_TILE_CATEGORY_COUNT
} tm_tile_category;
/* "solid", "hook-through", ...; NULL for an unknown number. */
TM_API const char *tm_tile_category_name(tm_tile_category category);

/*
 * The meaning of the number byte of a tele, switch or tune tile. Tiles of a pool with the same number belong
 * together.
 */
typedef enum tm_tile_number {
    TM_NUMBER_NONE = 0,
    TM_NUMBER_TELE,       /* pool of the teleporters */
    TM_NUMBER_CHECKPOINT, /* pool of the teleporters' checkpoints */
    TM_NUMBER_SWITCH,     /* pool of the switches; 0: always on */
    TM_NUMBER_ZONE,       /* pool of the tuning zones, which settings also use */
    TM_NUMBER_SECONDS
} tm_tile_number;
/* "tele", "checkpoint", "switch", "tune"; NULL if it is not a pool. */
TM_API const char *tm_number_pool_name(tm_tile_number pool);

/* The meaning of the delay byte of a switch tile. */
typedef enum tm_tile_delay {
    TM_DELAY_NONE = 0,
    TM_DELAY_SECONDS,
    TM_DELAY_MINUTES,
    TM_DELAY_JUMPS,  /* 255 is -1: from the ground only */
    TM_DELAY_WEAPON, /* 0 hammer, 2 shotgun, 3 grenade launcher, 4 laser */
    TM_DELAY_UNKNOWN /* can be set in the editor, but has no effect */
} tm_tile_delay;

/* How a tile changes when its map is mirrored or rotated (docs/tiles-of-the-games.md). */
typedef enum tm_tile_turn {
    TM_TURN_NONE = 0, /* no change */
    TM_TURN_PICTURE,  /* flags as in design tiles: orientation of the picture */
    TM_TURN_ARROW,    /* flags are a direction: 0 up, ROTATE right, both flips down, all three left */
    TM_TURN_SHOT,     /* the same, with 0 down, ROTATE right, both flips up, else left */
    TM_TURN_SPIN,     /* the index is a direction of rotation: mirroring reverses it */
    TM_TURN_ANGLE     /* the angle of a speedup */
} tm_tile_turn;

typedef struct tm_tile_info {
    uint8_t index;
    const char *id;    /* "freeze", "tele-in": unique in the table, never changes */
    const char *title; /* description for people: "freezes" */
    tm_tile_category category;
    bool layers[TM_LAYER_KINDS]; /* layers in which DDNet's editor can place it */
    bool games[TM_GAME_COUNT];   /* Teeworlds knows a few, only in game layers */
    tm_tile_number number;       /* in layers whose tiles have a number */
    tm_tile_delay delay;         /* in switch layers */
    bool keeps_flags;            /* in switch layers: DDNet's editor writes 0 for the flags of other tiles */
    tm_tile_turn turn;
    const char *first_version; /* "Teeworlds 0.5", "DDRace", "DDNet 18.1": the first version that knows it */
} tm_tile_info;

/*
 * The meaning of an index in a layer of a game; NULL if it has none, and in design layers. Files contain such
 * tiles; they have no effect or an accidental one.
 */
TM_API const tm_tile_info *tm_game_tile(tm_game game, tm_layer_kind kind, uint8_t index);
/* The tile with an id; NULL if there is none. */
TM_API const tm_tile_info *tm_game_tile_by_id(const char *id);
/* The n-th row of the table, game tiles first; NULL after the last one. */
TM_API const tm_tile_info *tm_game_tile_at(uint32_t n);

/* ---------------------------------------------------------------------------------- turning and mirroring */

/*
 * The eight symmetries of a square: mirrored left-right (bit 0) and top-bottom (bit 1), then rotated by 90
 * degrees clockwise (bit 2). Used for flags of tiles, and for whole maps.
 */
typedef enum tm_transform {
    TM_TRANSFORM_NONE = 0,
    TM_TRANSFORM_MIRROR_X = 1, /* swaps left and right */
    TM_TRANSFORM_MIRROR_Y = 2, /* swaps top and bottom */
    TM_TRANSFORM_TURN_180 = 3,
    TM_TRANSFORM_TURN_90 = 4,       /* clockwise */
    TM_TRANSFORM_ANTITRANSPOSE = 5, /* mirrored at the diagonal from the lower left */
    TM_TRANSFORM_TRANSPOSE = 6,     /* mirrored at the diagonal from the upper left: swaps x and y */
    TM_TRANSFORM_TURN_270 = 7,
    TM_TRANSFORM_COUNT
} tm_transform;

/*
 * What one tile of a layer becomes when the map is laid anew: index, flags or angle, so that it does in the
 * new map what it did in the old one. Bits of the flags that are no direction stay. Angles come out as 0 to
 * 359. A transform and its inverse give the old tile again, except for angles outside of that, and crazy
 * shotguns whose flags are no direction: these become TM_TILE_FLIP_X | TM_TILE_FLIP_Y | TM_TILE_ROTATE, which
 * does the same. `kind` must be one of tiles, else nothing happens.
 */
TM_API void tm_game_turn_tile(tm_layer_kind kind, void *tile, tm_transform transform);

/* ----------------------------------------------------------------------------------- what a game can hold */

/*
 * Parts of the model that not every game supports; for kinds of layers see tm_layer_info.games. Code that
 * writes a map for a game leaves them out and adds the finding.
 */
typedef enum tm_part {
    TM_PART_SOUNDS,
    TM_PART_SETTINGS,
    TM_PART_CURVES, /* Bezier curves of envelopes */
    TM_PART_AUTOMAPPERS,
    TM_PART_PARALLAX_ZOOM, /* of groups */
    TM_PART_SKIP_BYTES,    /* of tiles, other than zero */
    TM_PART_COUNT
} tm_part;

typedef struct tm_part_info {
    const char *name;          /* "sounds" */
    bool games[TM_GAME_COUNT]; /* games that support it */
    tm_finding_id lost;        /* the finding if it is left out ... */
    const char *text;          /* ... and its text, after the name of the game: "has no sounds" */
} tm_part_info;

/* ------------------------------------------------------------------------------- images that games ship */

/*
 * Images that a map can use without containing their pixels, because the games ship them as
 * mapres/<name>.png. No game ships sounds for maps.
 */
typedef struct tm_shipped_image {
    const char *name;
    uint32_t width, height;    /* pixels */
    bool games[TM_GAME_COUNT]; /* games whose newest release ships it */
    bool has_07_art;           /* DDNet also has <name>_0.7.png, for maps and players of Teeworlds 0.7 */
    bool kept_external;        /* DDNet's editor does not embed it */
    const char *last_version;  /* the last version that shipped it, "DDNet 7.8.2"; NULL if newest releases
                                * do */
    const char *renamed;       /* its current name in that game; NULL: none, or this one */
} tm_shipped_image;
/* NULL if no game ships or shipped an image with this name. */
TM_API const tm_shipped_image *tm_game_shipped_image(const char *name);

/* ------------------------------------------------------------------------------ pixels of external images */

/*
 * Whether a name is safe as a file name and cannot lead out of a folder: UTF-8 of 1 to 200 bytes, without
 * control characters and without / \ : * ? " < > |, and not beginning with a dot.
 */
TM_API bool tm_game_name_is_plain(const char *name);

/*
 * Provides the pixels of an external image. *width and *height initially have the size stored in the map (0
 * if it is invalid), as a hint; any other size is allowed. On success *rgba is memory of *width * *height * 4
 * bytes, straight alpha, from `allocator`, that of the caller, which frees it. TM_ERROR_NOT_FOUND means that
 * there is no such image, TM_ERROR_DAMAGED and TM_ERROR_UNSUPPORTED that it is no picture: these are not
 * failures. Any other status makes the calling function fail with it and with `error`, which is never NULL:
 * use them for an image that may be there but cannot be read (TM_ERROR_IO), or a result would differ from
 * that of the next run.
 *
 * Allocate with tm_alloc(allocator, size): the allocator may be NULL. The name is untrusted: it may be empty,
 * invalid UTF-8, or "../../etc/passwd". Use it in a path only if tm_game_name_is_plain accepts it;
 * tm_mapres_provide of teemap/mapres.h does this.
 */
typedef tm_status (*tm_image_provider)(void *ctx, const char *name, tm_game game,
                                       const tm_allocator *allocator, uint8_t **rgba, uint32_t *width,
                                       uint32_t *height, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
