/* SPDX-License-Identifier: Zlib */
#ifndef CLI_CHANGE_MAPS_H
#define CLI_CHANGE_MAPS_H
/*
 * change_maps.h - what commands that change maps share: MAP... with -o OUT, -t DIR or -i, dry runs, many maps
 * side by side, each written as a whole or not at all, and what was done told in lines or as JSON. The
 * command gives a function that changes one loaded map. Status 1 if the game refuses what is written.
 */
#include "copy_plan.h"
#include "run/images.h"
#include "run/made_map.h"

/* First field of the options of such a command. */
typedef struct change_options {
    common_options common;
    const char *output, *folder; /* NULL: not given */
    bool in_place, dry_run;
    word_list mapres;
} change_options;

/* Rows of `options_type`, an options struct with a field `change` in front. */
#define CHANGE_OUTPUT_ROWS(options_type)                                           \
    ROW('o', "output", "FILE", FILE_AT(options_type, change.output), OUTPUT,       \
        .text = "write the result to this file; - is standard output"),            \
        ROW('t', "target", "DIR", FOLDER_AT(options_type, change.folder), OUTPUT,  \
            .text = "write all results to this folder"),                           \
        ROW('i', "in-place", NULL, FLAG_AT(options_type, change.in_place), OUTPUT, \
            .text = "overwrite the input files; unchanged files are not touched"), \
        ROW('n', "dry-run", NULL, FLAG_AT(options_type, change.dry_run), OUTPUT,   \
            .text = "write nothing; print what would change")
#define CHANGE_IMAGES_ROW(options_type)                                      \
    ROW(0, "mapres", "DIR", FOLDERS_AT(options_type, change.mapres), IMAGES, \
        .text = "search for external images in this folder first; may be repeated up to 16 times")
#define CHANGE_RUNNING_ROWS                                                                            \
    JSON_EACH_ROW, RECURSIVE_ROW("process all *.map files in folders; -t keeps the folder structure"), \
        CHANGING_ROWS("print what changed; print notes too, not only warnings")

/* A map on its way: what was loaded, and what was done to it. */
typedef struct changed_map {
    const char *path;
    const char *relative; /* where below its folder operand */
    const char *output;   /* where the result goes */
    loaded file;
    tm_report done;
    tm_mapfile_save_options save_options; /* how it is written; the defaults at first */
    bool always;                          /* it is written also when the report tells of no change */
    bool as_is;                           /* of commands for a game: what the game refuses is not repaired */
    bool smaller_only;                    /* what would not become smaller stays as it was, byte for byte */
    bool in_place;
    bool kept;    /* of smaller_only: it was not smaller; in its place it is not written */
    bool refused; /* it is not written, and the status is 1: the findings say why */
    bool lacks;   /* the status is 1 */
    bool unfit;   /* of fix: the strictest game refuses the result */
    bool written;
    tm_patch *patch;      /* what became of the map, when the work was asked to tell it; NULL: nobody asked */
    uint64_t output_size; /* bytes, when it was written or a dry run counted them */
    const tm_job *job;
    const cli_tool *tool;
} changed_map;

typedef struct change_command {
    void *ctx;
    /* Does the work on map->file.map. */
    tm_status (*work)(void *ctx, changed_map *map, tm_error *error);
    /* Adds to the JSON of a map; may be NULL. */
    void (*add_json)(void *ctx, const changed_map *map, json_t *object);
    /* A line about a map for people, next to what was changed; may be NULL. */
    void (*put_line)(void *ctx, const changed_map *map, text *out);
    const char *called;    /* what the map is called in messages; NULL: by its path */
    bool works_on_damaged; /* `work` is also called for what cannot be opened, with file.status set */
    bool sizes;            /* a dry run makes the file of an unchanged map, too, so that its size is known */
    bool for_game;         /* what the game refuses is repaired where that is safe */
    bool forgives;         /* a refusal is only a warning if the game refused the input, too */
    bool line_is_result;   /* of a dry run: its line goes to standard output, the changes only with -v */
} change_command;

/* Whether a file of which this became may have parts that mode salvage reads. */
bool may_be_rescued(tm_status status);

/* What operations on a map take from outside: files, other maps, images and rules of games. */
typedef struct edit_inputs {
    tm_mode mode; /* in which other maps are opened; set before */
    tm_mapres *mapres;
} edit_inputs;

/*
 * Fills options with functions that take everything from files; `mapres` are folders given first, `path` is
 * the map's, for images next to it. What was opened is closed by inputs_close, after a failure, too.
 */
tm_status inputs_open(edit_inputs *out, tm_edit_options *options, const word_list *mapres, const char *path,
                      const loaded *file, tm_error *error);
void inputs_close(edit_inputs *inputs);
/* The rules for an image (tm_edit_options, tm_lint_options); `ctx` are edit_inputs with an open mapres. */
tm_status inputs_read_rules(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                            uint8_t **bytes, size_t *num_bytes, tm_error *error);

/* Opens what operations on a map take from outside; inputs_close, after a failure, too. */
tm_status change_inputs_open(edit_inputs *out, tm_edit_options *options, const change_options *words,
                             const changed_map *map, tm_error *error);
/* The work of a command that is one operation of teemap/edit.h. */
tm_status change_by_operation(changed_map *map, const change_options *words, const char *operation,
                              const char *const *arguments, uint32_t num, tm_error *error);

/*
 * A line for each sound that is gone, which no picture shows: mods and servers may play sounds that the map
 * does not refer to. With -v it is among the changes already.
 */
void put_removed_sounds(text *out, const changed_map *map);
/*
 * Runs the command on all maps that paths name. Says what is wrong with where the results are to go, and with
 * paths.
 */
void change_maps(cli_tool *tool, const change_options *options, char *const *paths, int num,
                 const change_command *command);

#endif
