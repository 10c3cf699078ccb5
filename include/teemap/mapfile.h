/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MAPFILE_H
#define TEEMAP_MAPFILE_H
/*
 * teemap/mapfile.h - the bridge between container and model: a datafile becomes a map and a map a datafile.
 * It alone knows how each item kind and version is laid out (docs/format.md section 2).
 *
 * A map that was loaded and not changed is written back byte for byte. After a change only the items and
 * blocks that the change concerns differ, and untouched blocks keep their packed bytes.
 *
 * Threads: functions that take a `const tm_map *` may be called by several threads at once, also on one
 * map, as long as nobody changes it; each needs findings of its own.
 */
#include <teemap/datafile.h>
#include <teemap/files.h>
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_mapfile_options {
    size_t size;                   /* sizeof(tm_mapfile_options) */
    tm_mode mode;                  /* default TM_MODE_GAME */
    const tm_limits *limits;       /* default: all defaults */
    const tm_allocator *allocator; /* default: malloc; must outlive the map */
} tm_mapfile_options;
#define TM_MAPFILE_OPTIONS_INIT                              \
    {                                                        \
        sizeof(tm_mapfile_options), TM_MODE_GAME, NULL, NULL \
    }

/*
 * Loads a map: reads the head and the texts, leaves all other data packed. `input` is taken over, also on
 * failure, and stays open until the map and all its clones are freed. `findings` may be NULL. In mode
 * strict a map that DDNet 20 refuses fails, after all findings were added. Any datafile loads in the
 * other modes: in a file that is no map (no group, items of before 2008) items and data are kept as they
 * are.
 */
TM_API tm_status tm_mapfile_load(tm_map **out, tm_input input, const tm_mapfile_options *options,
                                 tm_findings *findings, tm_error *error);

/*
 * The datafile behind a loaded map, for looking at the raw level; borrowed until the map is freed. NULL
 * for a map built from nothing. The two levels share what they unpack: see tm_datafile_data_bytes and
 * tm_map_data.
 */
TM_API const tm_datafile *tm_mapfile_datafile(const tm_map *map);

/*
 * What a loaded file is: a map, one from before 2008, whose items mean other things (docs/format.md
 * section 8.2), or a datafile that is no map. Of the last two tm_map.game says nothing. A map built from
 * nothing is a map.
 */
typedef enum tm_mapfile_kind { TM_MAPFILE_MAP, TM_MAPFILE_PRE_2008, TM_MAPFILE_OTHER } tm_mapfile_kind;
TM_API tm_mapfile_kind tm_mapfile_get_kind(const tm_map *map);

/*
 * The game that the file behind a map was made for, as loading recognised it; of a map built from nothing,
 * map->game. Where map->game is another one by now, save with `rewrite`: else the objects that the file had
 * stay in its form, and it is recognised as before.
 */
TM_API tm_game tm_mapfile_get_game(const tm_map *map);

typedef struct tm_mapfile_save_options {
    size_t size;     /* sizeof(tm_mapfile_save_options) */
    int level;       /* for blocks that are packed: 1..12; default 6; -1: level 0 */
    bool recompress; /* unpack and pack every block */
    /*
     * Write every item as map->game writes it, leaving out what it cannot hold (findings lost-...); origins
     * are not used. Of a map loaded in mode salvage every block is packed anew, with zeros for what was
     * broken.
     */
    bool rewrite;
    /*
     * Lay the file out in the usual way, also where nothing was changed: no gaps, no wrong sizes, no bytes
     * behind the end, no blocks to which nothing refers. Items and blocks stay as they are.
     */
    bool lay_out;
    bool smaller;  /* with `recompress`: blocks that would not become smaller stay as they are */
    bool smallest; /* blocks that are packed are packed by zopfli, too: tm_datafile_writer_options.smallest */
} tm_mapfile_save_options;
#define TM_MAPFILE_SAVE_OPTIONS_INIT                                          \
    {                                                                         \
        sizeof(tm_mapfile_save_options), 0, false, false, false, false, false \
    }

/*
 * Writes a map as a datafile. The map is not changed. What the map's game cannot hold in a new or rewritten
 * object is a finding, never a silent loss. Fails before the first byte is written if an object breaks
 * tm_map_verify, and with TM_ERROR_UNSUPPORTED if objects were added to a datafile that is no map.
 */
TM_API tm_status tm_mapfile_save(const tm_map *map, const tm_output *output,
                                 const tm_mapfile_save_options *options, const tm_job *job,
                                 tm_findings *findings, tm_error *error);

/*
 * Fetches every block of the file and every layer's tiles as the game of the mode does, and adds a finding
 * for each that cannot be fetched or is odd: broken data, short tiles, bad run lengths (section 4.1, the
 * lazy rules). One block is held at a time for each thread.
 */
TM_API tm_status tm_mapfile_check_data(const tm_map *map, const tm_job *job, tm_findings *findings,
                                       tm_error *error);

/*
 * What the loader of a mode would say of the file of a map in memory, built or changed: the findings of
 * tm_mapfile_load and of tm_mapfile_check_data, and what these return. So in mode strict TM_OK means that
 * DDNet 20 loads the map; TM_ERROR_DAMAGED that it refuses it, with the reason in `error` and among the
 * findings (missing game layer, teleporters smaller than the game layer, a color of 999, ...). `findings`
 * may be NULL. Nothing is written; findings about what the map's game cannot hold come from
 * tm_mapfile_save. Holds the file in memory.
 */
TM_API tm_status tm_mapfile_check(const tm_map *map, tm_mode mode, const tm_job *job, tm_findings *findings,
                                  tm_error *error);

/* --------------------------------------------------------------------------------- what a file has beside */

/*
 * Writes what the file of a loaded map has beside the map: items and fields that the model does not hold,
 * the order of all, and how each block was packed, found by trying the ways of zlib and libdeflate (of
 * long blocks on their beginning). Small: blocks that the map itself holds are not in it, but those that
 * no way of packing gives again, and packed bytes that all but vanish when they are packed once more.
 * For forms of a map that hold its content alone (teemap/mapdir.h). TM_ERROR_USAGE for a map that comes
 * from no file.
 */
TM_API tm_status tm_mapfile_sidecar_write(const tm_map *map, const tm_output *output, const tm_job *job,
                                          tm_error *error);
/*
 * Gives a map that comes from no file what tm_mapfile_sidecar_write wrote of another one, as if it had been
 * loaded from that one's file and changed since. If it holds the same, it is saved as the same bytes.
 * *num_other (may be NULL) counts blocks whose content is as
 * it was and that will be packed in other bytes all the same: by a zlib that packs in another way, or since
 * a long block only began as its way of packing has it. It does not count blocks whose content changed.
 * TM_ERROR_DAMAGED, and the map as it was, if `sidecar` is no such thing. Changes nothing that can be seen in
 * the structs but `origin`.
 */
TM_API tm_status tm_mapfile_sidecar_apply(uint32_t *num_other, tm_map *map, const tm_sidecar *sidecar,
                                          const tm_job *job, tm_error *error);

/* What of a file the model does not read, and carries along. */
typedef enum tm_unknown_kind {
    TM_UNKNOWN_ITEM,  /* an item of an unknown type, one too many of a known type, a layer in no group */
    TM_UNKNOWN_WORDS, /* what an item of a known type has behind the integers that are known */
    TM_UNKNOWN_DATA   /* a data block to which no object leads */
} tm_unknown_kind;

/* How that differs between two maps: before and after. */
typedef struct tm_unknown_change {
    tm_unknown_kind kind;
    bool there[2];      /* false in one of them: added, or removed */
    uint32_t number[2]; /* of the item or block in its file */
    uint64_t size[2];   /* bytes; 0 where it is not */
    uint64_t num;       /* bytes that differ; what one side has alone counts */
    /* of items and words */
    uint16_t type, id;
    bool has_uuid;
    tm_uuid uuid;
} tm_unknown_change;
/* False ends the walk. */
typedef bool tm_unknown_visitor(void *ctx, const tm_unknown_change *change);

/*
 * What differs between two maps in that which teemap/patch.h does not see, as it is in the files that they
 * were loaded from; a map from no file has nothing of the kind. Items are compared by type (a UUID, where
 * there is one) and id, words and items of known types by type, data blocks by content; their order does not
 * count, nor which object has the words. Blocks are unpacked, one at a time for each thread, where both
 * files have some that no object leads to. `job` may be NULL. Refuses what tm_datafile_visit refuses, and
 * items that overlap more than 16 times (TM_ERROR_LIMIT).
 */
TM_API tm_status tm_mapfile_compare_unknown(const tm_map *before, const tm_map *after,
                                            tm_unknown_visitor *visit, void *ctx, const tm_job *job,
                                            tm_error *error);
/*
 * One line for people: "unknown item of type 99, id 3: 4 of 12 bytes differ".
 */
TM_API size_t tm_unknown_describe(const tm_unknown_change *change, char *buffer, size_t size);

/* ------------------------------------------------------------------------------------ features and counts */

/*
 * Parts of the format that a map can use: constant, number, id. docs/json.md explains each. Numbers never
 * change; new ones are added at the end.
 */
#define TM_FEATURES(X)                        \
    X(AUTOMAPPER, 0, "automapper")            \
    X(BEZIER, 1, "bezier")                    \
    X(CLIPPING, 2, "clipping")                \
    X(CRUDE_SIZES, 3, "crude-sizes")          \
    X(DATAFILE_V3, 4, "datafile-v3")          \
    X(DETAIL, 5, "detail")                    \
    X(EMBEDDED_IMAGES, 6, "embedded-images")  \
    X(ENVELOPES, 7, "envelopes")              \
    X(EXTERNAL_IMAGES, 8, "external-images")  \
    X(FRONT, 9, "front")                      \
    X(GROUP_EX, 10, "group-ex")               \
    X(OLD_SOUNDS, 11, "old-sounds")           \
    X(QUADS, 12, "quads")                     \
    X(REVERSED_MAGIC, 13, "reversed-magic")   \
    X(RGB_IMAGES, 14, "rgb-images")           \
    X(SETTINGS, 15, "settings")               \
    X(SOUND_ENVELOPES, 16, "sound-envelopes") \
    X(SOUNDS, 17, "sounds")                   \
    X(SPEEDUP, 18, "speedup")                 \
    X(SWITCH, 19, "switch")                   \
    X(TELE, 20, "tele")                       \
    X(TUNE, 21, "tune")                       \
    X(UNKNOWN_ITEMS, 22, "unknown-items")     \
    X(UNKNOWN_LAYERS, 23, "unknown-layers")   \
    X(UUID_ITEMS, 24, "uuid-items")           \
    X(V4_TILES, 25, "v4-tiles")

typedef enum tm_feature {
#define TM_FEATURE_ENUM(constant, number, id) TM_FEATURE_##constant = number,
    TM_FEATURES(TM_FEATURE_ENUM)
#undef TM_FEATURE_ENUM
        TM_FEATURE_COUNT
} tm_feature;
/* The id ("automapper"); NULL for a number that is none. */
TM_API const char *tm_feature_name(tm_feature feature);

/*
 * The features that a map uses, as a set of bits: (uint64_t)1 << TM_FEATURE_... for each. Found in the
 * items alone: nothing is unpacked. Those of the container are those of the file that the map was loaded
 * from.
 */
TM_API uint64_t tm_mapfile_features(const tm_map *map);

/* How many of everything there are in a map. */
typedef struct tm_mapfile_counts {
    uint64_t external_images, embedded_images;
    uint64_t envelope_points;
    uint64_t layers, layers_of[TM_LAYER_KINDS];
    uint64_t quads, sources;
    /* of the file that the map was loaded from; 0 without one */
    uint64_t item_bytes, packed_bytes, unpacked_bytes;
} tm_mapfile_counts;
TM_API void tm_mapfile_count(tm_mapfile_counts *out, const tm_map *map);

/* --------------------------------------------------------------------------------- where the bytes are */

/* What bytes of a file hold: constant, number, id. Numbers never change; new ones are added at the end. */
#define TM_BYTES_KINDS(X)      \
    X(HEAD, 0, "head")         \
    X(ITEMS, 1, "items")       \
    X(POINTS, 2, "points")     \
    X(TEXTS, 3, "texts")       \
    X(SETTINGS, 4, "settings") \
    X(IMAGES, 5, "images")     \
    X(SOUNDS, 6, "sounds")     \
    X(TILES, 7, "tiles")       \
    X(PHYSICS, 8, "physics")   \
    X(COMPAT, 9, "compat")     \
    X(QUADS, 10, "quads")      \
    X(SOURCES, 11, "sources")  \
    X(OTHER, 12, "other")      \
    X(GAPS, 13, "gaps")

typedef enum tm_bytes_kind {
#define TM_BYTES_ENUM(constant, number, id) TM_BYTES_##constant = number,
    TM_BYTES_KINDS(TM_BYTES_ENUM)
#undef TM_BYTES_ENUM
        TM_BYTES_COUNT
} tm_bytes_kind;
/* The id ("head"), and what it means in a few words; NULL for a number that is none. */
TM_API const char *tm_bytes_name(tm_bytes_kind kind);
TM_API const char *tm_bytes_meaning(tm_bytes_kind kind);

/* An item, a data block, or all of the head or of the gaps, and whose they are. */
typedef struct tm_bytes_share {
    tm_bytes_kind kind;
    tm_address object; /* of the map: whose bytes these are; TM_ADDRESS_MAP: of all, or of none */
    tm_address source; /* TM_ADDRESS_ITEM or _DATA by number; TM_ADDRESS_MAP for head and gaps */
    uint64_t packed;   /* bytes of the file; what an earlier block has, too, counts only there */
    uint64_t unpacked; /* bytes in memory: of a data block as it announces, else the same as packed */
} tm_bytes_share;
/* False ends the walk. */
typedef bool tm_bytes_visitor(void *ctx, const tm_bytes_share *share);

/*
 * Says of every byte of the file that a map was loaded from what it is for: the head, then items and data
 * blocks in the order in which they lie there, then what lies between and behind them. The packed bytes of
 * all shares are the size of the file. What several objects use is the first one's. Of a map that has changed
 * since, blocks that nothing uses any more are TM_BYTES_OTHER. Unpacks nothing. TM_ERROR_USAGE for a map that
 * comes from no file.
 */
TM_API tm_status tm_mapfile_each_share(const tm_map *map, tm_bytes_visitor *visit, void *ctx,
                                       tm_error *error);

/* ------------------------------------------------------------------------------------------------- rescue */

typedef enum tm_rescue_kind {
    TM_RESCUE_ITEMS,  /* of the container, whatever they are */
    TM_RESCUE_TEXTS,  /* blocks that hold a name, a text of the info, or the settings */
    TM_RESCUE_IMAGES, /* embedded ones */
    TM_RESCUE_SOUNDS,
    TM_RESCUE_LAYERS,      /* of all kinds, by their items */
    TM_RESCUE_TILE_LAYERS, /* these and all that follows by their data */
    TM_RESCUE_QUADS,
    TM_RESCUE_SOURCES, /* of sounds, old ones, too */
    TM_RESCUE_KINDS
} tm_rescue_kind;

typedef enum tm_rescue_state {
    TM_RESCUE_WHOLE,
    TM_RESCUE_DAMAGED, /* a part is left, or all with a wrong checksum */
    TM_RESCUE_LOST,    /* nothing is left */
    TM_RESCUE_MISSING  /* of the game layer: the map has none */
} tm_rescue_state;

/* How many there were, as far as the file still says, and how many of these are damaged and lost. */
typedef struct tm_rescue_count {
    uint64_t num, damaged, lost;
} tm_rescue_count;

typedef struct tm_rescue {
    tm_rescue_count counts[TM_RESCUE_KINDS];
    tm_rescue_state game_layer;
} tm_rescue;

/*
 * Says what is left of a damaged map, best loaded in mode salvage and before it is changed and saved with
 * `rewrite`. For each object that is not whole there is a finding object-lost or object-damaged with its
 * address. Objects stay where they are, empty where their data are lost; lost quads and sound sources are
 * removed from the map. Unpacks every block once and keeps none. Refuses what tm_datafile_visit refuses
 * (TM_ERROR_LIMIT), and a map that comes from no file (TM_ERROR_USAGE).
 */
TM_API tm_status tm_mapfile_rescue(tm_rescue *out, tm_map *map, const tm_job *job, tm_findings *findings,
                                   tm_error *error);
/* Whether nothing is damaged or lost. */
TM_API bool tm_rescue_complete(const tm_rescue *rescue);
/* "images", "tile layers", ...; NULL for another number. */
TM_API const char *tm_rescue_kind_name(tm_rescue_kind kind);

#ifdef __cplusplus
}
#endif
#endif
