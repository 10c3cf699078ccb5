/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_FINDINGS_H
#define TEEMAP_FINDINGS_H
/*
 * teemap/findings.h - oddities as data. Whatever reads, checks, converts or merges reports what was odd,
 * repaired or left out as findings: a stable id, a severity, a place, a text. docs/findings.md explains each
 * id; a test keeps this list and that page equal.
 *
 * Order of calls: tm_findings_init, any number of functions that take the list, read `list` and `num`,
 * tm_findings_release. One list belongs to one thread at a time.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Severity error means: the game of the mode refuses the map, or cannot fetch a part of it. All else is a
 * warning (it matters to somebody) or a note (it is only unusual).
 */
typedef enum tm_severity { TM_SEVERITY_NOTE = 1, TM_SEVERITY_WARNING, TM_SEVERITY_ERROR } tm_severity;

/*
 * One row per finding: constant, id, then what it means in each mode, in the order strict, game, salvage:
 * R the map is refused (severity error), E a part cannot be fetched (severity error), W warning, N note.
 */
#define TM_FINDINGS(X)                                           \
    /* the container */                                          \
    X(BAD_MAGIC, "bad-magic", R, R, R)                           \
    X(BAD_VERSION, "bad-version", R, R, E)                       \
    X(BAD_COUNTS, "bad-counts", R, R, E)                         \
    X(HEAD_CUT, "head-cut", R, R, E)                             \
    X(DATA_CUT, "data-cut", R, E, E)                             \
    X(TRAILING_BYTES, "trailing-bytes", R, W, W)                 \
    X(CRUDE_SIZES, "crude-sizes", N, N, N)                       \
    X(BAD_SIZE_FIELD, "bad-size-field", R, W, W)                 \
    X(BAD_SWAPLEN_FIELD, "bad-swaplen-field", R, W, W)           \
    X(ITEM_SIZE_ODD, "item-size-odd", R, W, W)                   \
    X(BAD_TYPE_TABLE, "bad-type-table", R, W, W)                 \
    X(TYPE_ORDER, "type-order", N, N, N)                         \
    X(BAD_ITEM_OFFSET, "bad-item-offset", R, R, E)               \
    X(ITEM_GAP, "item-gap", R, W, W)                             \
    X(ITEM_TYPE_MISMATCH, "item-type-mismatch", R, W, W)         \
    X(ITEM_SIZE_MISMATCH, "item-size-mismatch", R, W, W)         \
    X(DUPLICATE_ITEM_ID, "duplicate-item-id", R, W, W)           \
    X(BAD_DATA_OFFSET, "bad-data-offset", R, E, E)               \
    X(DATA_OVERLAP, "data-overlap", R, W, W)                     \
    X(DATA_GAP, "data-gap", R, W, W)                             \
    X(DATA_UNCLAIMED, "data-unclaimed", N, N, N)                 \
    X(BAD_DATA_SIZE, "bad-data-size", R, E, E)                   \
    X(EMPTY_DATA, "empty-data", E, W, W)                         \
    X(DATA_BROKEN, "data-broken", E, E, E)                       \
    X(DATA_CHECKSUM, "data-checksum", E, W, W)                   \
    X(DATA_SHORT, "data-short", E, W, W)                         \
    X(DATA_LONG, "data-long", E, W, W)                           \
    X(DATA_TRAILING, "data-trailing", N, N, N)                   \
    X(UUID_INDEX_MISSING, "uuid-index-missing", N, N, N)         \
    X(UUID_INDEX_DUPLICATE, "uuid-index-duplicate", N, N, N)     \
    X(LAYOUT_NORMALISED, "layout-normalised", W, W, W)           \
    /* the map */                                                \
    X(NO_VERSION_ITEM, "no-version-item", R, W, W)               \
    X(BAD_MAP_VERSION, "bad-map-version", R, W, W)               \
    X(PRE_2008, "pre-2008-map", R, W, W)                         \
    X(UNKNOWN_ITEM, "unknown-item", N, N, N)                     \
    X(EXTRA_ITEM, "extra-item", N, N, N)                         \
    X(ITEM_TOO_SHORT, "item-too-short", W, W, W)                 \
    X(ITEM_LONGER, "item-longer", N, N, N)                       \
    X(BAD_TEXT, "bad-text", W, W, W)                             \
    X(BAD_TEXT_INDEX, "bad-text-index", W, W, W)                 \
    X(BAD_LAYER_NAME, "bad-layer-name", R, W, W)                 \
    X(BAD_NAME, "bad-name", W, W, W)                             \
    X(GROUP_TOO_SHORT, "group-too-short", R, W, W)               \
    X(BAD_GROUP_VERSION, "bad-group-version", W, W, W)           \
    X(BAD_GROUP_RANGE, "bad-group-range", R, W, W)               \
    X(SHARED_LAYER, "shared-layer", R, W, W)                     \
    X(LAYER_WITHOUT_GROUP, "layer-without-group", N, N, N)       \
    X(LAYER_TOO_SHORT, "layer-too-short", R, W, W)               \
    X(UNKNOWN_LAYER, "unknown-layer", N, N, N)                   \
    X(BAD_TILE_VERSION, "bad-tile-layer-version", R, W, W)       \
    X(SEVERAL_PHYSICS_FLAGS, "several-physics-flags", R, W, W)   \
    X(NO_PHYSICS_DATA, "no-physics-data", R, W, W)               \
    X(BAD_LAYER_SIZE, "bad-layer-size", R, W, W)                 \
    X(BAD_COLOR, "bad-color", R, W, W)                           \
    X(BAD_DATA_INDEX, "bad-data-index", R, W, W)                 \
    X(SHARED_TILES, "shared-tiles", R, W, W)                     \
    X(PHYSICS_TOO_SMALL, "physics-too-small", R, W, W)           \
    X(PHYSICS_SIZE, "physics-size", W, W, W)                     \
    X(NO_GAME_LAYER, "no-game-layer", R, E, W)                   \
    X(GAME_LAYER_DATA, "game-layer-data", R, E, E)               \
    X(SEVERAL_PHYSICS_LAYERS, "several-physics-layers", W, W, W) \
    X(TILES_SHORT, "tiles-short", E, W, W)                       \
    X(TILES_RUNS, "tiles-runs", E, W, W)                         \
    X(TILES_SKIP, "tiles-skip", E, W, W)                         \
    X(TILES_RESERVED, "tiles-reserved", E, W, W)                 \
    X(PHYSICS_RUNS, "physics-runs", E, W, W)                     \
    X(BAD_REFERENCE, "bad-reference", W, W, W)                   \
    X(BLOCK_SIZE, "block-size", W, W, W)                         \
    X(BAD_IMAGE_SIZE, "bad-image-size", W, W, W)                 \
    X(IMAGE_FORMAT, "image-format", W, N, N)                     \
    X(BAD_CHANNELS, "bad-channels", W, W, W)                     \
    X(BAD_CURVE, "bad-curve", W, W, W)                           \
    X(POINTS_RANGE, "points-range", W, W, W)                     \
    X(POINTS_ORDER, "points-order", W, W, W)                     \
    X(BEZIER_COUNT, "bezier-count", W, W, W)                     \
    X(AUTOMAPPER_VERSION, "automapper-version", N, N, N)         \
    X(AUTOMAPPER_TARGET, "automapper-target", W, W, W)           \
    X(GROUP_EX_COUNT, "group-ex-count", N, N, N)                 \
    /* drawing */                                                \
    X(MISSING_IMAGE, "missing-image", W, W, W)                   \
    /* writing as another game */                                \
    X(LOST_LAYER, "lost-layer", W, W, W)                         \
    X(LOST_SOUND, "lost-sound", W, W, W)                         \
    X(LOST_SETTINGS, "lost-settings", W, W, W)                   \
    X(LOST_CURVE, "lost-curve", W, W, W)                         \
    X(LOST_AUTOMAPPER, "lost-automapper", W, W, W)               \
    X(LOST_ITEM, "lost-item", W, W, W)                           \
    X(LOST_FIELD, "lost-field", W, W, W)

typedef enum tm_finding_id {
#define TM_FINDING_ENUM(constant, id, strict, game, salvage) TM_FINDING_##constant,
    TM_FINDINGS(TM_FINDING_ENUM)
#undef TM_FINDING_ENUM
        TM_FINDING_COUNT
} tm_finding_id;

typedef struct tm_finding {
    tm_finding_id id;
    tm_severity severity;
    bool refuses;     /* the game of the mode refuses the whole map for this */
    int64_t offset;   /* byte position in the file, -1 if there is none */
    uint64_t count;   /* how often; the last one of an id also counts those that are not listed */
    char address[64]; /* machine-readable place (teemap/map.h, addresses), "" for the whole file */
    char place[TM_ERROR_PLACE_SIZE]; /* the same for people: "group 2, layer 3 'Freeze'" */
    char text[TM_ERROR_TEXT_SIZE];   /* one line, lower case, no full stop */
} tm_finding;

/* A list of findings. Read the first fields; leave the rest to the functions. */
typedef struct tm_findings {
    tm_finding *list;
    size_t num;
    uint64_t errors;   /* findings of severity error, unlisted ones included */
    uint64_t refusals; /* those of them that refuse the map */
    uint64_t unlisted; /* findings that came after the limit, or after the 50th of their id */
    size_t capacity;
    size_t limit;
    const tm_allocator *allocator;
    struct tm_findings_index *index; /* where each id is in the list */
} tm_findings;

/* Makes an empty list that keeps at most `limit` findings (0: 1000). */
TM_API void tm_findings_init(tm_findings *findings, size_t limit, const tm_allocator *allocator);
TM_API void tm_findings_release(tm_findings *findings);

/* The stable id as text ("crude-sizes"), NULL for a number that is none. */
TM_API const char *tm_finding_name(tm_finding_id id);
/*
 * Severity of a finding in a mode, and whether that mode's game refuses the map for it (`refuses` may be
 * NULL).
 */
TM_API tm_severity tm_finding_severity(tm_finding_id id, tm_mode mode, bool *refuses);
/* "note", "warning" or "error". */
TM_API const char *tm_severity_name(tm_severity severity);

/*
 * Adds a finding; for those who write checks of their own. NULL findings are allowed and add nothing. Equal
 * findings (same id and address) are counted, not repeated. Running out of memory only counts it as unlisted.
 */
TM_API void tm_findings_add(tm_findings *findings, tm_mode mode, tm_finding_id id, int64_t offset,
                            const char *address, const char *place, const char *text);

#ifdef __cplusplus
}
#endif
#endif
