/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_AUTOMAP_H
#define TEEMAP_AUTOMAP_H
/*
 * teemap/automap.h - the automappers of the games' editors: files of rules read as the editors read them, and
 * run on tiles with the very result that the editors give. docs/automapper.md explains the language.
 *
 *     tm_automap_rules *rules;
 *     tm_automap_options options = TM_AUTOMAP_OPTIONS_INIT;
 *     status = tm_automap_read(&rules, bytes, size, NULL, &findings, &error);
 *     options.config = 0;
 *     options.seed = 1337;
 *     status = tm_automap_run(&result, rules, tiles, width, height, &options, NULL, &error);
 *     tm_automap_free(rules);
 *
 * This room knows tiles and files of rules, and neither maps nor images: teemap/edit.h has the operation
 * `automap`, which works on the layers of a map. What is opaque (TM_TILE_OPAQUE) is not told here: a rule
 * that fits clears this flag, as in the editors, which set it when they save.
 *
 * Threads: rules are constant once they are read; any number of threads may run the same ones.
 */
#include <teemap/findings.h>
#include <teemap/games.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------- dialects */

/* How a file is read, and what it then means. */
typedef enum tm_automap_dialect {
    TM_AUTOMAP_DDNET = 0,  /* .rules as DDNet reads them today (18.4 and later) */
    TM_AUTOMAP_DDNET_16,   /* .rules as DDNet 12.8 to 18.3 did: 16.4 of Debian, for instance */
    TM_AUTOMAP_TEEWORLDS07 /* .json of Teeworlds 0.7 */
} tm_automap_dialect;
enum { TM_AUTOMAP_DIALECTS = 3 };
/* "ddnet", "ddnet16", "teeworlds07"; NULL for another number. */
TM_API const char *tm_automap_dialect_name(tm_automap_dialect dialect);
/* By the end of a file's name: ".json" is Teeworlds 0.7, all else DDNet. */
TM_API tm_automap_dialect tm_automap_dialect_of_file(const char *name);

/* Where run 0 looks instead of at the layer (DDNet 19.0 and later); the rest is the editor's order. */
typedef enum tm_automap_reference {
    TM_AUTOMAP_NO_REFERENCE = 0,
    TM_AUTOMAP_GAME_LAYER, /* at the game layer; below: at one kind of its tiles, all others count as empty */
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
 * What a file says, as it was understood. All of it is constant and borrowed from the tm_automap_rules.
 * Lines and columns count from 1, columns in bytes; 0: none.
 */

/* flags of an entry that fits with any flags */
enum { TM_AUTOMAP_ANY_FLAGS = -1 };

/* One of the tiles that a condition lists. */
typedef struct tm_automap_entry {
    int32_t index; /* 0 to 255; -1 is what lies outside of the layer; others never fit */
    int32_t flags; /* these exactly, TM_TILE_FLIP_X, _FLIP_Y, _ROTATE; or TM_AUTOMAP_ANY_FLAGS */
} tm_automap_entry;

/* A statement `Pos`, or a member of "condition". */
typedef struct tm_automap_condition {
    int32_t x, y;  /* tiles, to the right and down */
    bool negated;  /* holds if no entry fits; else if one does */
    bool of_words; /* written as EMPTY or FULL ("empty", "full"), not as a list */
    bool added;    /* not in the file: the tile must not be empty, unless the rule says otherwise */
    const tm_automap_entry *entries;
    uint32_t num_entries;
    uint32_t line, column;
} tm_automap_condition;

/* A statement `Modulo`: an alternative; the rule holds where (x + offset_x) mod every_x = 0, so with y. */
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

/* A statement `Index` with all that belongs to it, or an element of "rules". */
typedef struct tm_automap_rule {
    int32_t index; /* as in the file; what is written is its low byte */
    uint8_t flags; /* that are written: TM_TILE_FLIP_X, _FLIP_Y, _ROTATE */
    bool no_default_rule;
    bool skip_empty, skip_full; /* shortcuts of DDNet's editor, which once change the result */
    bool has_random;
    /*
     * DDNet: it holds at this part of the places, 1 always, 0 or less never; may be infinite or no number.
     */
    float chance;
    const char *random_text; /* of `Random`, as written: "2.5", 1 in so many, or "40%"; else NULL */
    int32_t one_in;          /* Teeworlds 0.7: "random", 1 in so many; 0 and 1 always */
    const tm_automap_condition *conditions;
    uint32_t num_conditions;
    const tm_automap_modulo *modulos;
    uint32_t num_modulos;
    uint32_t line, column;
    /* Doodads of Teeworlds 0.7: the block of tiles from `index` to `end_index`, and where it stands. */
    int32_t end_index;
    int32_t offset_x, offset_y;
    tm_automap_location location;
    bool flip_x, flip_y;
} tm_automap_rule;

/* One pass over the layer. */
typedef struct tm_automap_pass {
    const tm_automap_rule *rules;
    uint32_t num_rules;
    bool no_layer_copy; /* rules see what was written before in this very pass */
    uint32_t line;      /* of `NewRun`; of the configuration's head for the first one */
    uint32_t no_layer_copy_line;
} tm_automap_pass;

typedef enum tm_automap_kind {
    TM_AUTOMAP_RULES = 0, /* DDNet's */
    TM_AUTOMAP_TILESET,   /* Teeworlds 0.7: one pass */
    TM_AUTOMAP_DOODADS    /* Teeworlds 0.7: one pass, whose rules are sorted as they are placed */
} tm_automap_kind;
/* "rules", "tileset", "doodads"; NULL for another number. */
TM_API const char *tm_automap_kind_name(tm_automap_kind kind);

/* A block `[name]` with its runs; a set of rules of Teeworlds 0.7. */
typedef struct tm_automap_config {
    const char *name; /* as the editor shows it; may be empty, or that of another one */
    tm_automap_kind kind;
    const tm_automap_pass *passes; /* the file calls them runs */
    uint32_t num_passes;           /* at least 1 */
    /* how far conditions of the configuration look: start is 0 or less, end 0 or more */
    int32_t start_x, start_y, end_x, end_y;
    int32_t base_tile; /* tile sets: the index of what no rule fits; else TM_NONE */
    uint32_t line;
} tm_automap_config;

/* A file of rules. */
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
 * Reads a file of rules. What the editor swallows without a word becomes a finding (may be NULL): its
 * address is "LINE:COLUMN", its offset that of the byte. TM_ERROR_DAMAGED for a file that the editor refuses
 * as a whole: one with a NUL byte (DDNet), one that is no JSON or has neither "tileset" nor "doodads"
 * (Teeworlds 0.7). A file without any configuration is fine. Without a finding for a statement, what
 * the accessors show is what stands there.
 */
TM_API tm_status tm_automap_read(tm_automap_rules **out, const void *bytes, size_t size,
                                 const tm_automap_read_options *options, tm_findings *findings,
                                 tm_error *error);
TM_API void tm_automap_free(tm_automap_rules *rules);

TM_API tm_automap_dialect tm_automap_rules_dialect(const tm_automap_rules *rules);
/* All configurations in the order of the file: by their places they are known in maps. */
TM_API const tm_automap_config *tm_automap_configs(uint32_t *num, const tm_automap_rules *rules);
/*
 * The configuration that a person means: by its name as it stands, else by its name without regard to case,
 * else by its number. The first of several. NULL and TM_NONE in *number (may be NULL) if there is none.
 */
TM_API const tm_automap_config *tm_automap_find_config(int32_t *number, const tm_automap_rules *rules,
                                                       const char *text);
/*
 * Line and column of a finding that a function of this header made. False, and 0, if it has none.
 */
TM_API bool tm_automap_finding_line(uint32_t *line, uint32_t *column, const tm_finding *finding);

/* -------------------------------------------------------------------------------------------- for authors */

/*
 * Findings on rules that their author may not have meant: rules that never hold, that a later one always
 * overwrites, conditions that say nothing, runs that do nothing, tiles that no rule makes, names that are
 * there twice. Each has a line, as those of tm_automap_read have. What is told is certain, not all that could
 * be told: passes of more than 2000 rules are not searched for overwritten ones.
 */
TM_API tm_status tm_automap_review(const tm_automap_rules *rules, tm_findings *findings, tm_error *error);

/*
 * Writes a file of DDNet's rules again as one would write it by hand: the same rules, comments kept, one
 * blank between words, and what the editor does not read as a comment. Written again it stays as it is.
 * `findings` are those of tm_automap_read. TM_ERROR_UNSUPPORTED for Teeworlds 0.7, and for what looks like
 * its JSON.
 */
TM_API tm_status tm_automap_format(const tm_output *output, const void *bytes, size_t size,
                                   const tm_automap_read_options *options, tm_findings *findings,
                                   tm_error *error);
/*
 * Writes rules as a file of DDNet's: those of DDNet without their comments, and tile sets of Teeworlds 0.7 as
 * far as DDNet can do the same. What differs or is lost is told in `findings` (rules-differ, rules-lost)
 * with the line in the JSON. Doodads are lost.
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
    int32_t config; /* default 0; one that the file does not have changes nothing, as in the editor */
    /*
     * Default 0: `draw` takes its place, as a number of rand() does in the editor, and the result tells it.
     * Draw any number that the next call gets another of; 0 stays 0.
     */
    int32_t seed;
    int32_t draw;
    /*
     * DDNet: what run 0 looks at. `game`: the tiles of the game layer, row by row, needed for any but
     * TM_AUTOMAP_NO_REFERENCE and for doodads; may have another size. Borrowed.
     */
    tm_automap_reference reference;
    const tm_tile *game;
    uint32_t game_width, game_height;
    /*
     * Default NULL: the whole layer. Else what has to be mapped anew after this part has been changed, as
     * the editor does it in its automatic mode. Tile sets of Teeworlds 0.7: exactly this part; its editor's
     * "live" mode gives it what has changed and one tile around that. Doodads take no notice. It may lie
     * partly outside of the layer.
     */
    const tm_rect *region;
    uint32_t amount; /* doodads: how many, 1 to 100; default 50 */
    /* Doodads: how often the editor has placed them since it read the file; at most 1000, default 0. */
    uint32_t before;
    /*
     * Teeworlds 0.7: numbers from 0 to 2147483647 in place of rand(). Default: made from the seed, as
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
    int32_t seed;         /* that was used */
    uint64_t num_changed; /* tiles whose index or flags are not what they were */
    uint64_t num_random;  /* Teeworlds 0.7: numbers that were drawn */
    tm_rect changed;      /* around the tiles that changed; all 0 if none did */
} tm_automap_result;

/*
 * Maps a layer in place. Index and flags become what the
 * editor would make of them, on every machine; skip and reserved stay. Works on the job's threads where rows
 * do not depend on one another. `out` may be NULL, which saves a copy of the layer. On failure (memory,
 * TM_ERROR_CANCELLED) a part of the tiles may be mapped: keep a copy if that matters.
 * TM_ERROR_USAGE for a reference or doodads without `game`, and for numbers out of range.
 */
TM_API tm_status tm_automap_run(tm_automap_result *out, const tm_automap_rules *rules,
                                const tm_automap_layer *layer, const tm_automap_options *options,
                                const tm_job *job, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
