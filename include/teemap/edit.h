/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_EDIT_H
#define TEEMAP_EDIT_H
/*
 * teemap/edit.h - operations on whole maps: a table of operations, each with a name, arguments and a line of
 * help, and a function that runs any of them. Command lines, scripts, menus and bindings use the table. No
 * files. docs/editing.md explains the operations.
 *
 *     tm_report report;
 *     tm_report_init(&report, NULL);
 *     const char *axis = "x";
 *     status = tm_edit_run(map, tm_edit_find("mirror"), &axis, 1, NULL, &report, &error);
 *     for (size_t i = 0; i < report.num; i++)
 *         puts(report.list[i].text);
 *     tm_report_release(&report);
 *
 * An operation succeeds or fails as a whole: it works on a clone, which replaces the map at the end. Pointers
 * into the map (to objects, blocks, texts) are invalid afterwards.
 *
 * Threads: the table is constant. Different maps may be changed at once; a map, a script that is being
 * parsed, and a report belong to one thread at a time. A parsed script may be run on several maps at once.
 */
#include <teemap/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- operations */

/* Types of arguments. All are given as text. */
typedef enum tm_edit_type {
    /*
     * Objects of the map, by address (teemap/map.h). In names * matches anything: image/grass*, * / *
     * (without the spaces) for all layers; an element that begins with = is literal. image/3-5 is a range. If
     * it is not an address, it is a set of layers (tm_select_layers): foreground, quads, design,-Sky.
     */
    TM_EDIT_OBJECTS,
    TM_EDIT_GROUP, /* one group, by address */
    /*
     * ADDRESS.field=value, with the name of the field in teemap/fields.h and the value in its form. One of
     * several values is values[2], an element quads[3].position_offset, all of them quads[*].position_offset.
     * ADDRESS may be several objects, as above.
     */
    TM_EDIT_FIELD,
    TM_EDIT_TEXT,    /* any text */
    TM_EDIT_PATTERN, /* a text in which * matches anything */
    TM_EDIT_CHOICE,  /* one of the words of the row */
    TM_EDIT_PLACE,   /* the new index, or end; for layers also GROUP/INDEX, GROUP/end */
    TM_EDIT_SIZE,    /* WIDTHxHEIGHT: 50x30 */
    TM_EDIT_NUMBER,  /* an integer, may be negative: 12, -3, +10 */
    TM_EDIT_POINT,   /* X,Y in tiles, may be negative: 10,-5 */
    TM_EDIT_REGION,  /* X,Y+WIDTHxHEIGHT in tiles: 10,20+30x40 */
    /*
     * A set of layers (tm_select_layers), optionally followed by a region in tiles of the layers,
     * @X,Y+WIDTHxHEIGHT: Game, design, Game/Front,tele@10,20+30x40.
     */
    TM_EDIT_LAYERS,
    TM_EDIT_TILES,  /* a pattern of tiles (teemap/query.h): freeze, tele-in:5, 'air where front/freeze' */
    TM_EDIT_TILE,   /* a tile to write (docs/patterns.md): freeze, 60:flags=8, tele-in:5, number=7 */
    TM_EDIT_FILE,   /* a path of a file: a picture, a sound, a text (tm_edit_options.read) */
    TM_EDIT_MAP,    /* a path of another map (tm_edit_options.open) */
    TM_EDIT_FACTOR, /* above 0, up to 1000000: 2, 0.5, 3/4 */
    TM_EDIT_PIXELS, /* X,Y in px of a layer, may be negative: 64,-32 */
    TM_EDIT_TYPES
} tm_edit_type;
/* "objects", "group", ...; NULL for an unknown number. */
TM_API const char *tm_edit_type_name(tm_edit_type type);
/* The form of arguments of a type, one line: "a point in tiles like 10,-5"; NULL for an unknown number. */
TM_API const char *tm_edit_type_help(tm_edit_type type);

typedef struct tm_edit_argument {
    const char *name; /* "NAME"; NULL after the last one */
    tm_edit_type type;
    /*
     * May be omitted, even if others follow: a word that is not valid for it, or that is a choice of a later
     * one, is used for the next. Only optional arguments follow it.
     */
    bool optional;
    bool inner;   /* requires the optional argument before it: [A B], or if optional, too, [A [B]] */
    bool repeats; /* one or more; only for the last one */
    const char *const *choices; /* of TM_EDIT_CHOICE; ends with NULL */
} tm_edit_argument;

enum { TM_EDIT_ARGUMENTS = 8 }; /* maximum number of rows per operation, including the terminating one */

typedef struct tm_edit_operation {
    const char *name; /* "mirror", "settings add": one or two words; never changes */
    tm_edit_argument arguments[TM_EDIT_ARGUMENTS];
    const char *help;    /* one line: its effect */
    const char *changes; /* what it may change: "groups, layers, envelopes" */
    const char *example; /* as in a script: "extend left 20 edge" */
    const char *details; /* about its arguments, one line; NULL: nothing to add */
} tm_edit_operation;

/* The n-th row of the table; NULL after the last one. */
TM_API const tm_edit_operation *tm_edit_at(uint32_t n);
/* NULL if there is no operation with this name. */
TM_API const tm_edit_operation *tm_edit_find(const char *name);
/* "mirror x|y", "settings add TEXT...", "duplicate OBJECTS [PLACE]". */
TM_API size_t tm_edit_usage(const tm_edit_operation *operation, char *buffer, size_t size);

/* ----------------------------------------------------------------------------------------------- running */

/*
 * External resources of operations. NULL means all defaults; then operations that need a file or another map
 * fail with TM_ERROR_USAGE, and external images are not found.
 */
typedef struct tm_edit_options {
    size_t size; /* sizeof(tm_edit_options) */
    /*
     * Threads and memory for work on large layers; may be NULL. tm_edit_script_run reports progress: lines
     * that are done, and all.
     */
    const tm_job *job;
    /* The pixels of external images, for operations that embed or inspect them. */
    tm_image_provider images;
    void *images_ctx;
    void *ctx; /* passed to the functions below */
    /*
     * Reads a file. On success *bytes is memory of *num_bytes bytes (at least 1) from `allocator`, which the
     * operation frees.
     */
    tm_status (*read)(void *ctx, const char *name, const tm_allocator *allocator, uint8_t **bytes,
                      size_t *num_bytes, tm_error *error);
    /* Opens another map. The operation frees it with tm_map_free. */
    tm_status (*open)(void *ctx, const char *name, tm_map **map, tm_error *error);
    /*
     * Reads the automapper rules of a game's editor for an image with this name (teemap/automap.h;
     * tm_mapres_find_rules finds the file). Like `read`; TM_ERROR_NOT_FOUND if there are none.
     */
    tm_status (*rules)(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                       uint8_t **bytes, size_t *num_bytes, tm_error *error);
    /*
     * For automappers: the number to use instead of seed 0; each further layer with seed 0 uses the next
     * number. Negative: such layers are not changed, with a note, if their rules are random.
     */
    int32_t draw; /* default 0: 1 */
} tm_edit_options;
#define TM_EDIT_OPTIONS_INIT                                                 \
    {                                                                        \
        sizeof(tm_edit_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0 \
    }

/*
 * Runs an operation. `options` and `report` may be NULL; changes are added to the report. On failure map and
 * report are unchanged: TM_ERROR_USAGE for invalid arguments, TM_ERROR_NOT_FOUND for an address of a missing
 * object, TM_ERROR_LIMIT if a number overflows; `error` names the object. A pattern that matches nothing is
 * the finding no-match, not a failure. An operation without effect does not change the map.
 */
TM_API tm_status tm_edit_run(tm_map *map, const tm_edit_operation *operation, const char *const *arguments,
                             uint32_t num_arguments, const tm_edit_options *options, tm_report *report,
                             tm_error *error);

/* Several operations with their arguments, to run in order. Opaque. */
typedef struct tm_edit_script tm_edit_script;
/*
 * Parses operations from words, as on a command line: a separate word + separates them. TM_ERROR_USAGE names
 * the error: an unknown operation, missing arguments, an invalid choice.
 */
TM_API tm_status tm_edit_script_from_words(tm_edit_script **out, const char *const *words, uint32_t num_words,
                                           const tm_allocator *allocator, tm_error *error);
/*
 * Parses operations from a text: one per line, words separated by spaces, double quotes around words with
 * spaces (\" and \\ inside them); # begins a comment, except inside a word. Single quotes at the beginning of
 * a word or after a = make the text between them literal. The place of an error is the line.
 */
TM_API tm_status tm_edit_script_from_text(tm_edit_script **out, const char *text, size_t size,
                                          const tm_allocator *allocator, tm_error *error);
/*
 * The same with variables: each of `defines` is NAME=VALUE, with a name of letters, digits and _ that does
 * not begin with a digit. $NAME and ${NAME} in a word, also in quotes, are replaced by the value, whatever it
 * contains; $$ is a dollar sign, and so is a $ without a name. An undefined variable is TM_ERROR_USAGE. The
 * last definition of a name counts.
 */
TM_API tm_status tm_edit_script_from_template(tm_edit_script **out, const char *text, size_t size,
                                              const char *const *defines, uint32_t num_defines,
                                              const tm_allocator *allocator, tm_error *error);
TM_API void tm_edit_script_free(tm_edit_script *script);
/*
 * Runs all operations like tm_edit_run: all or none. The place of an error begins with the name of the
 * operation, or with "line 3 of the script" if they come from a text.
 */
TM_API tm_status tm_edit_script_run(tm_map *map, const tm_edit_script *script, const tm_edit_options *options,
                                    tm_report *report, tm_error *error);

/* ---------------------------------------------------------------------------------------------- repairs */

/* The effect of a fix on players. */
typedef enum tm_fix_effect {
    TM_FIX_NONE = 0, /* there is no fix */
    TM_FIX_SAFE,     /* safe: games that opened the map show and play it as before */
    TM_FIX_VISIBLE   /* may be noticed: a color, the course of an envelope */
} tm_fix_effect;
/* The fix for a finding; `description` (may be NULL) receives a description, or NULL if there is none. */
TM_API tm_fix_effect tm_edit_fix_of(const char **description, tm_finding_id id);
/*
 * Fixes a map: for each finding of loading and checking it (teemap/mapfile.h) that is worse than a note in
 * strict mode, applies the fix of tm_edit_fix_of, if its effect is at most `most`. `report` (may be NULL)
 * lists the changes, with the finding's id as operation. All or nothing, like tm_edit_run. Afterwards save
 * with tm_mapfile_save_options.lay_out: some faults are only in the layout of the file. Lists of findings
 * have a limit (teemap/findings.h), so a second round may find more.
 */
TM_API tm_status tm_edit_fix(tm_map *map, const tm_findings *findings, tm_fix_effect most, tm_report *report,
                             tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
