/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_EDIT_H
#define TEEMAP_EDIT_H
/*
 * teemap/edit.h - work on whole maps: one table of operations, each with a name, arguments and a line of
 * help, and one function that runs any of them. Command lines, scripts, menus and bindings are driven by the
 * table. Knows nothing of files. docs/editing.md teaches the operations.
 *
 *     tm_report report;
 *     tm_report_init(&report, NULL);
 *     const char *axis = "x";
 *     status = tm_edit_run(map, tm_edit_find("mirror"), &axis, 1, NULL, &report, &error);
 *     for (size_t i = 0; i < report.num; i++)
 *         puts(report.list[i].text);
 *     tm_report_release(&report);
 *
 * An operation is done as a whole or not at all: it works on a clone, which takes the map's place when all is
 * done. Pointers into the map (to objects, blocks, texts) are not valid any more after one.
 *
 * Threads: the table is constant. Different maps may be worked on at once; a map, a script that is being
 * parsed, and a report belong to one thread at a time. A script that is parsed may be run on several maps at
 * once.
 */
#include <teemap/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- operations */

/* What an argument is. All are given as texts. */
typedef enum tm_edit_type {
    /*
     * Objects of the map, by address (teemap/map.h). In names * stands for anything: image/grass*, * / *
     * (without the spaces) for all layers; an element that begins with = is taken as it stands. image/3-5 is
     * a range. What leads nowhere so is read as a set of layers (tm_select_layers): foreground, quads,
     * design,-Sky.
     */
    TM_EDIT_OBJECTS,
    TM_EDIT_GROUP, /* one group, by address */
    /*
     * ADDRESS.field=value, the field by its name in teemap/fields.h, the value in that field's form. One of
     * several values as values[2]; an element as quads[3].position_offset, all of them as
     * quads[*].position_offset. ADDRESS may name several objects, as above.
     */
    TM_EDIT_FIELD,
    TM_EDIT_TEXT,    /* as it stands */
    TM_EDIT_PATTERN, /* a text in which * stands for anything */
    TM_EDIT_CHOICE,  /* one of the words of the row */
    TM_EDIT_PLACE,   /* an index to stand at afterwards, or end; of layers also GROUP/INDEX, GROUP/end */
    TM_EDIT_SIZE,    /* WIDTHxHEIGHT: 50x30 */
    TM_EDIT_NUMBER,  /* a whole number, also below 0: 12, -3, +10 */
    TM_EDIT_POINT,   /* X,Y in tiles, also below 0: 10,-5 */
    TM_EDIT_REGION,  /* X,Y+WIDTHxHEIGHT in tiles: 10,20+30x40 */
    /*
     * A set of layers as tm_select_layers reads it, and behind it, if only a part of them is meant,
     * @X,Y+WIDTHxHEIGHT in tiles of the layers: Game, design, Game/Front,tele@10,20+30x40.
     */
    TM_EDIT_LAYERS,
    TM_EDIT_TILES,  /* a pattern of tiles (teemap/query.h): freeze, tele-in:5, 'air where front/freeze' */
    TM_EDIT_TILE,   /* a tile to write (docs/patterns.md): freeze, 60:flags=8, tele-in:5, number=7 */
    TM_EDIT_FILE,   /* the name of a file: a picture, a sound, a text (tm_edit_options.read) */
    TM_EDIT_MAP,    /* the name of another map (tm_edit_options.open) */
    TM_EDIT_FACTOR, /* above 0, up to 1000000: 2, 0.5, 3/4 */
    TM_EDIT_PIXELS, /* X,Y in px of a layer, also below 0: 64,-32 */
    TM_EDIT_TYPES
} tm_edit_type;
/* "objects", "group", ...; NULL for another number. */
TM_API const char *tm_edit_type_name(tm_edit_type type);
/* How arguments of a type are written, one line: "a point in tiles like 10,-5"; NULL for another number. */
TM_API const char *tm_edit_type_help(tm_edit_type type);

typedef struct tm_edit_argument {
    const char *name; /* "NAME"; NULL behind the last one */
    tm_edit_type type;
    /*
     * May be left out, also when others follow: a word that does not fit it, or that is one of the choices of
     * a later one, is taken for the next. Behind an optional argument there are only such.
     */
    bool optional;
    bool inner; /* stands only behind the optional one in front of it: [A B], or if optional, too, [A [B]] */
    bool repeats;               /* any number of them, one at least; only the last one does */
    const char *const *choices; /* of TM_EDIT_CHOICE; ends with NULL */
} tm_edit_argument;

enum { TM_EDIT_ARGUMENTS = 8 }; /* rows that an operation has at most, that behind the last one included */

typedef struct tm_edit_operation {
    const char *name; /* "mirror", "settings add": one or two words; never changes */
    tm_edit_argument arguments[TM_EDIT_ARGUMENTS];
    const char *help;    /* one line: what it does */
    const char *changes; /* what it may change: "groups, layers, envelopes" */
    const char *example; /* as in a script: "extend left 20 edge" */
    const char *more;    /* what its words mean, one line; NULL: the rest says it */
} tm_edit_operation;

/* The n-th row of the table; NULL behind the last one. */
TM_API const tm_edit_operation *tm_edit_at(uint32_t n);
/* NULL if there is none of this name. */
TM_API const tm_edit_operation *tm_edit_find(const char *name);
/* "mirror x|y", "settings add TEXT...", "duplicate OBJECTS [PLACE]". */
TM_API size_t tm_edit_usage(const tm_edit_operation *operation, char *buffer, size_t size);

/* ----------------------------------------------------------------------------------------------- running */

/*
 * What operations need from outside. NULL stands for all defaults; then those that name a file or another
 * map fail with TM_ERROR_USAGE, and external images are not found.
 */
typedef struct tm_edit_options {
    size_t size;       /* sizeof(tm_edit_options) */
    const tm_job *job; /* threads and memory for work on large layers; may be NULL */
    /* The pixels of external images, for operations that embed them or look at them. */
    tm_image_provider images;
    void *images_ctx;
    void *ctx; /* handed to the functions below */
    /*
     * Reads a whole file. On success *bytes is memory of *num_bytes bytes (at least 1) from `allocator`,
     * which the operation frees.
     */
    tm_status (*read)(void *ctx, const char *name, const tm_allocator *allocator, uint8_t **bytes,
                      size_t *num_bytes, tm_error *error);
    /* Opens another map. The operation frees it by tm_map_free. */
    tm_status (*open)(void *ctx, const char *name, tm_map **map, tm_error *error);
    /*
     * Reads the file of rules by which a game's editor maps layers with an image of this name
     * (teemap/automap.h; tm_mapres_find_rules finds it). As `read`; TM_ERROR_NOT_FOUND if there is none.
     */
    tm_status (*rules)(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                       uint8_t **bytes, size_t *num_bytes, tm_error *error);
    /*
     * Of automappers: what takes the place of a seed 0; each layer with such a one gets the next number.
     * Negative: such layers are left as they are, with a note, where their rules leave something to chance.
     */
    int32_t draw; /* default 0: 1 */
} tm_edit_options;
#define TM_EDIT_OPTIONS_INIT                                                 \
    {                                                                        \
        sizeof(tm_edit_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0 \
    }

/*
 * Runs an operation. `options` and `report` may be NULL; what is done is added to the report. On failure
 * map and report are as before: TM_ERROR_USAGE for arguments that make no sense, TM_ERROR_NOT_FOUND for an
 * address that leads nowhere, TM_ERROR_LIMIT when a number does not fit any more; `error` names the object.
 * A pattern that fits nothing is no failure but the finding no-match. An operation that finds nothing to do
 * leaves the map alone.
 */
TM_API tm_status tm_edit_run(tm_map *map, const tm_edit_operation *operation, const char *const *arguments,
                             uint32_t num_arguments, const tm_edit_options *options, tm_report *report,
                             tm_error *error);

/* Several operations with their arguments, to be run in order. Opaque. */
typedef struct tm_edit_script tm_edit_script;
/*
 * Reads operations from words, as a command line has them: a + as a word of its own stands between two.
 * TM_ERROR_USAGE names what is wrong: an unknown operation, too few arguments, a word that is none of the
 * choices.
 */
TM_API tm_status tm_edit_script_from_words(tm_edit_script **out, const char *const *words, uint32_t num_words,
                                           const tm_allocator *allocator, tm_error *error);
/*
 * Reads operations from a text: one a line, words between blanks, double quotes around a word that has blanks
 * in it (\" and \\ inside of them), # and what follows it is a comment unless it is inside a word. Single
 * quotes at the begin of a word or behind a = do the same, and what is between them stands as it is. The
 * error's place is the line.
 */
TM_API tm_status tm_edit_script_from_text(tm_edit_script **out, const char *text, size_t size,
                                          const tm_allocator *allocator, tm_error *error);
/*
 * The same with variables: each of `defines` is NAME=VALUE, a name being letters, digits and _ with no digit
 * first. $NAME and ${NAME} in a word, also between quotes, stand for the value, whatever is in it; $$ is a
 * dollar sign, and so is one with no name behind it. A variable without a value is TM_ERROR_USAGE. Of two
 * definitions of one name the later one counts.
 */
TM_API tm_status tm_edit_script_from_template(tm_edit_script **out, const char *text, size_t size,
                                              const char *const *defines, uint32_t num_defines,
                                              const tm_allocator *allocator, tm_error *error);
TM_API void tm_edit_script_free(tm_edit_script *script);
/*
 * Runs all of them, as tm_edit_run does: all or none. The error's place begins with the operation's name, or
 * if they come from a text with "line 3 of the script".
 */
TM_API tm_status tm_edit_script_run(tm_map *map, const tm_edit_script *script, const tm_edit_options *options,
                                    tm_report *report, tm_error *error);

/* ---------------------------------------------------------------------------------------------- repairs */

/* What a repair does to a map besides fixing it. */
typedef enum tm_fix_effect {
    TM_FIX_NONE = 0, /* there is none */
    TM_FIX_SAFE,     /* nothing: games that opened the map show and play it as before */
    TM_FIX_VISIBLE   /* somebody may see or feel it: a color, the course of an envelope */
} tm_fix_effect;
/* The repair for a finding; `how` (may be NULL) receives in words what it does, NULL if there is none. */
TM_API tm_fix_effect tm_edit_fix_of(const char **how, tm_finding_id id);
/*
 * Repairs a map: for each finding of loading and checking it (teemap/mapfile.h) that strict mode takes for
 * more than a note, does what tm_edit_fix_of tells, if that is at most `most`. `report` (may be NULL) gets a
 * change for each, with the finding's id as operation. All or nothing, as tm_edit_run. Afterwards save with
 * tm_mapfile_save_options.lay_out: some faults are in the file's layout alone. Findings are listed up to a
 * limit (teemap/findings.h), so that a second round may find more to do.
 */
TM_API tm_status tm_edit_fix(tm_map *map, const tm_findings *findings, tm_fix_effect most, tm_report *report,
                             tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
