/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MAPFILE_H
#define TEEMAP_MAPFILE_H
/*
 * teemap/mapfile.h - converts datafiles to maps and maps to datafiles. Only this room knows the layout of
 * each kind and version of items (docs/format.md section 2).
 *
 * A loaded and unchanged map is written back byte for byte. After a change, only the affected items and
 * blocks differ, and unchanged blocks keep their packed bytes.
 *
 * Threads: several threads may call functions that take a `const tm_map *` at once, also for one map, as long
 * as nobody changes it; each needs its own findings.
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
 * Loads a map: reads the header and the texts, and leaves all other data packed. `input` is taken over, also
 * on failure, and stays open until the map and all its clones are freed. `findings` may be NULL. In mode
 * strict, a map that DDNet 20.1 refuses fails after all findings were added. The other modes load any
 * datafile: if it is not a map (no group, or items from before 2008), its items and data are kept unchanged.
 */
TM_API tm_status tm_mapfile_load(tm_map **out, tm_input input, const tm_mapfile_options *options,
                                 tm_findings *findings, tm_error *error);

/*
 * The datafile of a loaded map, for access to the raw level; borrowed until the map is freed. NULL for a new
 * map. Both levels share unpacked data: see tm_datafile_data_bytes and tm_map_data.
 */
TM_API const tm_datafile *tm_mapfile_datafile(const tm_map *map);

/*
 * What a loaded file is: a map, one from before 2008, whose items have other meanings (docs/format.md section
 * 8.2), or a datafile that is not a map. For the last two, tm_map.game is meaningless. A new map is a map.
 */
typedef enum tm_mapfile_kind { TM_MAPFILE_MAP, TM_MAPFILE_PRE_2008, TM_MAPFILE_OTHER } tm_mapfile_kind;
TM_API tm_mapfile_kind tm_mapfile_get_kind(const tm_map *map);

/*
 * The game of a loaded file, as detected; for a new map, map->game. If map->game has changed since, save with
 * `rewrite`: otherwise the loaded objects keep their form, and the file is still detected as the old game.
 */
TM_API tm_game tm_mapfile_get_game(const tm_map *map);

typedef struct tm_mapfile_save_options {
    size_t size;     /* sizeof(tm_mapfile_save_options) */
    int level;       /* for blocks that are packed: 1..12; default 6; -1: level 0 */
    bool recompress; /* unpack and pack every block */
    /*
     * Write every item as map->game writes it, leaving out what it cannot hold (findings lost-...); origins
     * are not used. For a map loaded in mode salvage, all blocks are repacked, with zeros for broken data.
     */
    bool rewrite;
    /*
     * Write the file in the usual layout, even without changes: no gaps, no wrong sizes, no trailing bytes,
     * no unreferenced blocks. Items and blocks do not change.
     */
    bool lay_out;
    bool smaller;  /* with `recompress`: keep blocks that would not become smaller */
    bool smallest; /* also pack blocks with zopfli: tm_datafile_writer_options.smallest */
} tm_mapfile_save_options;
#define TM_MAPFILE_SAVE_OPTIONS_INIT                                          \
    {                                                                         \
        sizeof(tm_mapfile_save_options), 0, false, false, false, false, false \
    }

/*
 * Writes a map as a datafile. The map is not changed. What the map's game cannot hold in a new or rewritten
 * object is a finding, never a silent loss. Fails before the first byte is written if an object violates
 * tm_map_verify, and with TM_ERROR_UNSUPPORTED if objects were added to a datafile that is not a map.
 */
TM_API tm_status tm_mapfile_save(const tm_map *map, const tm_output *output,
                                 const tm_mapfile_save_options *options, const tm_job *job,
                                 tm_findings *findings, tm_error *error);

/*
 * Reads every block of the file and the tiles of every layer as the game of the mode does, and adds a finding
 * for each that is unreadable or odd: broken data, short tiles, bad run lengths (section 4.1, the lazy
 * rules). Holds one block per thread at a time.
 */
TM_API tm_status tm_mapfile_check_data(const tm_map *map, const tm_job *job, tm_findings *findings,
                                       tm_error *error);

/*
 * Checks the file that a map in memory, new or changed, would have: the findings and results of
 * tm_mapfile_load and tm_mapfile_check_data. In mode strict, TM_OK means that DDNet 20.1 loads the map;
 * TM_ERROR_DAMAGED that it refuses it, with the reason in `error` and in the findings (missing game layer,
 * tele layer smaller than the game layer, a color of 999, ...). `findings` may be NULL. Nothing is written;
 * findings about what the map's game cannot hold come from tm_mapfile_save. Holds the file in memory.
 */
TM_API tm_status tm_mapfile_check(const tm_map *map, tm_mode mode, const tm_job *job, tm_findings *findings,
                                  tm_error *error);

/* --------------------------------------------------------------------------------- what a file has beside */

/*
 * Writes what the file of a loaded map contains in addition to the map: items and fields that the model does
 * not hold, their order, and how each block was packed, found by trying the methods of zlib and libdeflate
 * (for long blocks on their beginning). It is small: it only contains blocks that no method reproduces, and
 * those whose packed bytes compress very well. For formats that only hold the content of a map
 * (teemap/mapdir.h). TM_ERROR_USAGE for a map without a file.
 */
TM_API tm_status tm_mapfile_sidecar_write(const tm_map *map, const tm_output *output, const tm_job *job,
                                          tm_error *error);
/*
 * Applies a sidecar of tm_mapfile_sidecar_write to a map without a file, as if it had been loaded from the
 * original file and changed since. If it has the same content, it is saved as the same bytes. *num_other (may
 * be NULL) counts unchanged blocks that will have other packed bytes: because this zlib packs differently, or
 * because a long block only began as its packing method has it. TM_ERROR_DAMAGED, with the map unchanged, if
 * `sidecar` is invalid. Only changes `origin` in the structs.
 */
TM_API tm_status tm_mapfile_sidecar_apply(uint32_t *num_other, tm_map *map, const tm_sidecar *sidecar,
                                          const tm_job *job, tm_error *error);

/* Parts of a file that the model does not interpret, but keeps. */
typedef enum tm_unknown_kind {
    TM_UNKNOWN_ITEM,  /* an item of an unknown type, an extra one of a known type, a layer without group */
    TM_UNKNOWN_WORDS, /* integers of an item of a known type after the known ones */
    TM_UNKNOWN_DATA,  /* a data block that no object uses */
    TM_UNKNOWN_SHORT  /* one of an object, which holds less than the object needs: the rest reads as zeros */
} tm_unknown_kind;

/* A difference of such parts, before and after. */
typedef struct tm_unknown_change {
    tm_unknown_kind kind;
    bool there[2];      /* one is false: added, or removed */
    uint32_t number[2]; /* of the item or block in its file */
    uint64_t size[2];   /* bytes; 0 where it does not exist */
    uint64_t num;       /* differing bytes, including those of one side only */
    /* of items and words */
    uint16_t type, id;
    bool has_uuid;
    tm_uuid uuid;
} tm_unknown_change;
/* False ends the walk. */
typedef bool tm_unknown_visitor(void *ctx, const tm_unknown_change *change);

/*
 * Compares what teemap/patch.h does not see, in the files of two maps; a map without a file has no such
 * parts. Items are compared by type (a UUID, if there is one) and id, words and items of known types by type,
 * data blocks by content, independent of their order and of their objects. Blocks are only unpacked, one at a
 * time, if both files have unused ones, or if only one file has a block of these packed bytes (256 MiB at
 * most). `job` may be NULL; it can cancel. Refuses what tm_datafile_visit refuses, and items that overlap
 * more than 16 times (TM_ERROR_LIMIT).
 */
TM_API tm_status tm_mapfile_compare_unknown(const tm_map *before, const tm_map *after,
                                            tm_unknown_visitor *visit, void *ctx, const tm_job *job,
                                            tm_error *error);
/* The same as findings (may be NULL), `unread-differs`, with the lines of tm_unknown_describe. */
TM_API tm_status tm_mapfile_report_unread(tm_findings *findings, const tm_map *before, const tm_map *after,
                                          const tm_job *job, tm_error *error);
/*
 * After tm_map_merge: how many such parts ours and theirs changed that the merged map does not have, and a
 * finding `unread-left-out` for each side that has some. Both numbers and `findings` may be NULL; so may
 * `base`, as for the merge.
 */
TM_API tm_status tm_mapfile_report_left_out(uint64_t *num_ours, uint64_t *num_theirs, tm_findings *findings,
                                            const tm_map *merged, const tm_map *base, const tm_map *ours,
                                            const tm_map *theirs, const tm_job *job, tm_error *error);
/* One line for people: "unknown item of type 99, id 3: 4 of 12 bytes differ". */
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
/* The id ("automapper"); NULL for an unknown number. */
TM_API const char *tm_feature_name(tm_feature feature);

/*
 * The features that a map uses, as a set of bits: (uint64_t)1 << TM_FEATURE_... for each. Nothing is
 * unpacked. Features of the container are those of the loaded file.
 */
TM_API uint64_t tm_mapfile_features(const tm_map *map);

/* Numbers of objects in a map. */
typedef struct tm_mapfile_counts {
    uint64_t external_images, embedded_images;
    uint64_t envelope_points;
    uint64_t layers, layers_of[TM_LAYER_KINDS];
    uint64_t quads, sources;
    /* of the loaded file; 0 without one */
    uint64_t item_bytes, packed_bytes, unpacked_bytes;
} tm_mapfile_counts;
TM_API void tm_mapfile_count(tm_mapfile_counts *out, const tm_map *map);

/* --------------------------------------------------------------------------------- where the bytes are */

/* Kinds of bytes in a file: constant, number, id. Numbers never change; new ones are added at the end. */
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
/* The id ("head"), and a short description; NULL for an unknown number. */
TM_API const char *tm_bytes_name(tm_bytes_kind kind);
TM_API const char *tm_bytes_meaning(tm_bytes_kind kind);

/* An item, a data block, or all of the header or of the gaps, and its object. */
typedef struct tm_bytes_share {
    tm_bytes_kind kind;
    tm_address object; /* the object in the map; TM_KIND_MAP: all, or none */
    tm_address source; /* TM_KIND_ITEM or _DATA by number; TM_KIND_MAP for head and gaps */
    uint64_t packed;   /* bytes of the file, except those shared with an earlier block */
    uint64_t unpacked; /* bytes in memory: for a data block as announced, else the same as packed */
} tm_bytes_share;
/* False ends the walk. */
typedef bool tm_bytes_visitor(void *ctx, const tm_bytes_share *share);

/*
 * Accounts for every byte of the file of a loaded map: the header, then items and data blocks in file order,
 * then the gaps. The packed bytes of all shares add up to the size of the file. Data of several objects
 * belong to the first one. If the map has changed since, blocks that are no longer used are TM_BYTES_OTHER.
 * Unpacks nothing. TM_ERROR_USAGE for a map without a file.
 */
TM_API tm_status tm_mapfile_each_share(const tm_map *map, tm_bytes_visitor *visit, void *ctx,
                                       tm_error *error);

/* ------------------------------------------------------------------------------------------------- rescue */

typedef enum tm_rescue_kind {
    TM_RESCUE_ITEMS,  /* of the container, of any type */
    TM_RESCUE_TEXTS,  /* blocks with a name, a text of the info, or the settings */
    TM_RESCUE_IMAGES, /* embedded ones */
    TM_RESCUE_SOUNDS,
    TM_RESCUE_LAYERS,      /* of all kinds, by their items */
    TM_RESCUE_TILE_LAYERS, /* these and the following by their data */
    TM_RESCUE_QUADS,
    TM_RESCUE_SOURCES, /* of sounds, old ones, too */
    TM_RESCUE_KINDS
} tm_rescue_kind;

typedef enum tm_rescue_state {
    TM_RESCUE_WHOLE,
    TM_RESCUE_DAMAGED, /* a part is left, or everything with a wrong checksum */
    TM_RESCUE_LOST,    /* nothing is left */
    TM_RESCUE_MISSING  /* for the game layer: the map has none */
} tm_rescue_state;

/* How many there were, as far as the file shows, and how many of these are damaged and lost. */
typedef struct tm_rescue_count {
    uint64_t num, damaged, lost;
} tm_rescue_count;

typedef struct tm_rescue {
    tm_rescue_count counts[TM_RESCUE_KINDS];
    tm_rescue_state game_layer;
} tm_rescue;

/*
 * Reports what is left of a damaged map. Load it in mode salvage, and call this before changing it and saving
 * it with `rewrite`. Each damaged object is a finding object-lost or object-damaged with its address. Objects
 * whose data are lost are kept empty; lost quads and sound sources are removed from the map. Unpacks every
 * block once and keeps none. Refuses what tm_datafile_visit refuses (TM_ERROR_LIMIT), and a map without a
 * file (TM_ERROR_USAGE).
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
