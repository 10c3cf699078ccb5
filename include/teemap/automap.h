/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_AUTOMAP_H
#define TEEMAP_AUTOMAP_H
/*
 * teemap/automap.h - automappers of the games' editors: reads rules as the editors do, and runs them on tiles
 * with exactly the same result. docs/automapper.md explains the language.
 *
 *     tm_automap_rules *rules;
 *     tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
 *     status = tm_automap_read(&rules, bytes, size, NULL, &findings, &error);
 *     options.config = 0;
 *     options.seed = 1337;
 *     status = tm_automap_run(&result, rules, tiles, width, height, &options, NULL, &error);
 *     tm_automap_free(rules);
 *
 * Threads: rules are constant; any number of threads may run the same ones.
 */
#include <teemap/findings.h>
#include <teemap/games.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------- dialects */

/* The format and meaning of a file. */
typedef enum tm_automap_dialect {
    TM_AUTOMAP_DDNET = 0,  /* .rules of current DDNet (18.4 and later) */
    TM_AUTOMAP_DDNET_16,   /* .rules of DDNet 12.8 to 18.3, such as Debian's 16.4 */
    TM_AUTOMAP_TEEWORLDS07 /* .json of Teeworlds 0.7 */
} tm_automap_dialect;
enum { TM_AUTOMAP_DIALECTS = 3 };
/* "ddnet", "ddnet16", "teeworlds07"; NULL for an unknown number. */
TM_API const char *tm_automap_dialect_name(tm_automap_dialect dialect);
/* By extension: ".json" is Teeworlds 0.7, all others DDNet. */
TM_API tm_automap_dialect tm_automap_dialect_of_file(const char *name);

/* What the first run reads instead of the layer (DDNet 19.0 and later), in the order of the editor. */
typedef enum tm_automap_reference {
    TM_AUTOMAP_NO_REFERENCE = 0,
    TM_AUTOMAP_GAME_LAYER, /* the game layer; below: one kind of its tiles, all others are empty */
    TM_AUTOMAP_HOOKABLE,
    TM_AUTOMAP_DEATH,
    TM_AUTOMAP_UNHOOKABLE,
    TM_AUTOMAP_FREEZE,
    TM_AUTOMAP_UNFREEZE,
    TM_AUTOMAP_DEEP_FREEZE,
    TM_AUTOMAP_DEEP_UNFREEZE,
    TM_AUTOMAP_LIVE_FREEZE,
    TM_AUTOMAP_LIVE_UNFREEZE
} tm_automap_reference;
enum { TM_AUTOMAP_REFERENCES = 11 };

/* ------------------------------------------------------------------------------------------------- rules */

/*
 * The content of a file as it was interpreted. It is constant and borrowed from the tm_automap_rules. Lines
 * and columns count from 1, columns in bytes; 0: none.
 */

/* flags of an entry that matches any flags */
enum { TM_AUTOMAP_ANY_FLAGS = -1 };

/* A tile in the list of a condition. */
typedef struct tm_automap_entry {
    int32_t index; /* 0 to 255; -1 is the area outside the layer; others never match */
    int32_t flags; /* these exactly, TM_TILE_FLIP_X, _FLIP_Y, _ROTATE; or TM_AUTOMAP_ANY_FLAGS */
} tm_automap_entry;

/* A statement `Pos`, or a member of "condition". */
typedef struct tm_automap_condition {
    int32_t x, y;  /* tiles, to the right and downwards */
    bool negated;  /* holds if no entry matches; else if one does */
    bool of_words; /* written as EMPTY or FULL ("empty", "full"), not as a list */
    bool added;    /* implicit: the tile must not be empty, unless the rule says otherwise */
    const tm_automap_entry *entries;
    uint32_t num_entries;
    uint32_t line, column;
} tm_automap_condition;

/*
 * A statement `Modulo`: the rule holds where (x + offset_x) mod every_x = 0, and likewise for y; one of
 * several is enough.
 */
typedef struct tm_automap_modulo {
    int64_t every_x, every_y; /* at least 1 */
    int32_t offset_x, offset_y;
    uint32_t line;
} tm_automap_modulo;

typedef enum tm_automap_location {
    TM_AUTOMAP_FLOOR = 0,
    TM_AUTOMAP_CEILING,
    TM_AUTOMAP_WALLS
} tm_automap_location;

/* A statement `Index` with everything that belongs to it, or an element of "rules". */
typedef struct tm_automap_rule {
    int32_t index; /* as in the file; its low byte is written */
    uint8_t flags; /* that are written: TM_TILE_FLIP_X, _FLIP_Y, _ROTATE */
    bool no_default_rule;
    bool skip_empty, skip_full; /* shortcuts of DDNet's editor, which affect the result in one case */
    bool has_random;
    /* DDNet: the probability; 1 always, 0 or less never; may be infinite or NaN. */
    float chance;
    const char *random_text; /* of `Random`, as written: "2.5" (one in 2.5), or "40%"; else NULL */
    int32_t one_in;          /* Teeworlds 0.7: "random", one in this many; 0 and 1 always */
    const tm_automap_condition *conditions;
    uint32_t num_conditions;
    const tm_automap_modulo *modulos;
    uint32_t num_modulos;
    uint32_t line, column;
    /* Doodads of Teeworlds 0.7: the block of tiles from `index` to `end_index`, and its position. */
    int32_t end_index;
    int32_t offset_x, offset_y;
    tm_automap_location location;
    bool flip_x, flip_y;
} tm_automap_rule;

/* One run over the layer. */
typedef struct tm_automap_pass {
    const tm_automap_rule *rules;
    uint32_t num_rules;
    bool no_layer_copy; /* rules see tiles written earlier in this run */
    uint32_t line;      /* of `NewRun`; for the first one that of the configuration's name */
    uint32_t no_layer_copy_line;
} tm_automap_pass;

typedef enum tm_automap_kind {
    TM_AUTOMAP_RULES = 0, /* DDNet's */
    TM_AUTOMAP_TILESET,   /* Teeworlds 0.7: one pass */
    TM_AUTOMAP_DOODADS    /* Teeworlds 0.7: one pass, whose rules are sorted when they are placed */
} tm_automap_kind;
/* "rules", "tileset", "doodads"; NULL for an unknown number. */
TM_API const char *tm_automap_kind_name(tm_automap_kind kind);

/* A block `[name]` with its runs; or a rule set of Teeworlds 0.7. */
typedef struct tm_automap_config {
    const char *name; /* as the editor shows it; may be empty or not unique */
    tm_automap_kind kind;
    const tm_automap_pass *passes; /* called runs in the file */
    uint32_t num_passes;           /* at least 1 */
    /* reach of the configuration's conditions: start is 0 or less, end 0 or more */
    int32_t start_x, start_y, end_x, end_y;
    int32_t base_tile; /* tile sets: the index where no rule holds; else TM_NONE */
    uint32_t line;
} tm_automap_config;

/* A rules file. */
typedef struct tm_automap_rules tm_automap_rules;

typedef struct tm_automap_read_options {
    size_t size;                   /* sizeof(tm_automap_read_options) */
    tm_automap_dialect dialect;    /* default TM_AUTOMAP_DDNET */
    const tm_limits *limits;       /* `file_bytes`; and `items`: configurations, rules, entries ... */
    const tm_allocator *allocator; /* default: malloc; must outlive the rules */
} tm_automap_read_options;
#define TM_AUTOMAP_READ_OPTIONS_INIT                                  \
    {                                                                 \
        sizeof(tm_automap_read_options), TM_AUTOMAP_DDNET, NULL, NULL \
    }

/*
 * Reads a rules file. Mistakes that the editor ignores silently become findings (may be NULL): the address is
 * "LINE:COLUMN", the offset that of the byte. TM_ERROR_DAMAGED for a file that the editor refuses: one with a
 * NUL byte (DDNet), one that is not JSON or has neither "tileset" nor "doodads" (Teeworlds 0.7). A file
 * without configurations is valid. If there is no finding about a statement, the accessors return exactly
 * what is written.
 */
TM_API tm_status tm_automap_read(tm_automap_rules **out, const void *bytes, size_t size,
                                 const tm_automap_read_options *options, tm_findings *findings,
                                 tm_error *error);
TM_API void tm_automap_free(tm_automap_rules *rules);

TM_API tm_automap_dialect tm_automap_rules_dialect(const tm_automap_rules *rules);
/* All configurations in file order; maps refer to them by position. */
TM_API const tm_automap_config *tm_automap_configs(uint32_t *num, const tm_automap_rules *rules);
/*
 * The configuration for user input: by exact name, else by name without case, else by number. The first
 * match. NULL and TM_NONE in *number (may be NULL) if there is none.
 */
TM_API const tm_automap_config *tm_automap_find_config(int32_t *number, const tm_automap_rules *rules,
                                                       const char *text);
/* Line and column of a finding of this header. False, and 0, if it has none. */
TM_API bool tm_automap_finding_line(uint32_t *line, uint32_t *column, const tm_finding *finding);

/* -------------------------------------------------------------------------------------------- for authors */

/*
 * Reports what the author of rules may not have intended: rules that never hold or that a later one always
 * overwrites, redundant conditions, runs without effect, tiles that no rule makes, duplicate names. Each has
 * a line, like findings of tm_automap_read. All findings are certain, but the list is not complete: runs of
 * more than 2000 rules are not searched for overwritten ones.
 */
TM_API tm_status tm_automap_review(const tm_automap_rules *rules, tm_findings *findings, tm_error *error);

/*
 * Reformats a file of DDNet's rules: the same rules, comments kept, one space between words, and lines that
 * the editor ignores as comments. Reformatting the result does not change it. `findings` are those of
 * tm_automap_read. TM_ERROR_UNSUPPORTED for Teeworlds 0.7, and for what looks like its JSON.
 */
TM_API tm_status tm_automap_format(const tm_output *output, const void *bytes, size_t size,
                                   const tm_automap_read_options *options, tm_findings *findings,
                                   tm_error *error);
/*
 * Writes rules as a file for DDNet: DDNet's rules without comments, and tile sets of Teeworlds 0.7 as far as
 * DDNet can express them. Differences and losses are reported in `findings` (rules-differ, rules-lost) with
 * the line in the JSON. Doodads are lost.
 */
TM_API tm_status tm_automap_write(const tm_output *output, const tm_automap_rules *rules,
                                  tm_findings *findings, tm_error *error);

/* ----------------------------------------------------------------------------------------------- running */

/* Tiles of a layer, row by row. */
typedef struct tm_automap_layer {
    tm_tile *tiles;
    uint32_t width, height;
} tm_automap_layer;

typedef struct tm_automap_options {
    size_t size;    /* sizeof(tm_automap_options) */
    int32_t config; /* default 0; one that does not exist changes nothing, as in the editor */
    /*
     * Default 0: `draw` is used instead, like a rand() number in the editor, and returned in the result. Set
     * draw to a different random number for each call; 0 stays 0.
     */
    int32_t seed;
    int32_t draw;
    /*
     * DDNet: what the first run reads. `game`: the tiles of the game layer, row by row, required for doodads
     * and for references other than TM_AUTOMAP_NO_REFERENCE; may have another size. Borrowed.
     */
    tm_automap_reference reference;
    const tm_tile *game;
    uint32_t game_width, game_height;
    /*
     * Default NULL: the whole layer. Otherwise map the tiles that a change in this rectangle affects, as the
     * editor does in automatic mode. Tile sets of Teeworlds 0.7: exactly this part; its editor's "live" mode
     * uses the change and one tile around it. Doodads ignore it. It may be partly outside the layer.
     */
    const tm_rect *region;
    uint32_t amount; /* doodads: amount, 1 to 100; default 50 */
    /* Doodads: how often the editor has placed them since it read the file; at most 1000, default 0. */
    uint32_t before;
    /*
     * Teeworlds 0.7: numbers from 0 to 2147483647 instead of rand(). Default: derived from the seed, as
     * mix(seed + j) mod 2^31 with j from 0, where mix is that of DDNet.
     */
    int32_t (*random)(void *ctx);
    void *random_ctx;
    const tm_allocator *allocator; /* default: malloc; for the duration of the call */
} tm_automap_options;
#define TM_AUTOMAP_OPTIONS_INIT                                                                           \
    {                                                                                                     \
        sizeof(tm_automap_options), 0, 0, 0, TM_AUTOMAP_NO_REFERENCE, NULL, 0, 0, NULL, 0, 0, NULL, NULL, \
            NULL                                                                                          \
    }

typedef struct tm_automap_result {
    int32_t seed;         /* the used seed */
    uint64_t num_changed; /* tiles with a changed index or changed flags */
    uint64_t num_random;  /* Teeworlds 0.7: random numbers used */
    tm_rect changed;      /* around the changed tiles; all 0 if there are none */
} tm_automap_result;

/*
 * Maps a layer in place. Index and flags become those of the editor, on every machine; skip and reserved are
 * kept. Uses the job's threads where rows are independent. `out` may be NULL, which avoids a copy of the
 * layer. On failure (memory, TM_ERROR_CANCELLED) a part of the tiles may be mapped: keep a copy if necessary.
 * TM_ERROR_USAGE for a reference or doodads without `game`, and for numbers out of range.
 */
TM_API tm_status tm_automap_run(tm_automap_result *out, const tm_automap_rules *rules,
                                const tm_automap_layer *layer, const tm_automap_options *options,
                                const tm_job *job, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
