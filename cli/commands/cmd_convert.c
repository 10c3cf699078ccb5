/* SPDX-License-Identifier: Zlib */
/*
 * cmd_convert.c - `teemap convert`: maps of one game become maps of another. What is changed is the library's
 * to know (teemap/convert.h); here are files, threads, where images come from, and what is printed.
 */
#include "copy_plan.h"
#include "output/json.h"
#include "run/images.h"
#include "run/load.h"

#include <teemap/convert.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- words */

typedef struct convert_options {
    common_options common;
    const char *output, *folder; /* NULL: not given */
    bool in_place, dry_run, refuse_loss, has_game, keep_tiles;
    tm_game game;
    tm_convert_images images;
    word_list mapres;
} convert_options;

static const option_choice image_choices[] = {{"embed", TM_CONVERT_EMBED, false},
                                              {"rename", TM_CONVERT_RENAME, false},
                                              {"keep", TM_CONVERT_KEEP, false},
                                              {NULL, 0, false}};

static const option_row convert_rows[] = {
    {0, "to", "GAME", CHOICE_AT(convert_options, game, game_choices), GIVEN_AT(convert_options, has_game),
     .group = GROUP_OUTPUT, .text = "the game that the maps are to be for; must be given"},
    OUTPUT_ROW(convert_options, "write the result into this file; - is standard output"),
    TARGET_ROW(convert_options, "write all results into this folder"),
    {'i', "in-place", NULL, FLAG_AT(convert_options, in_place), .group = GROUP_OUTPUT,
     .text = "replace the files themselves"},
    {0, "refuse-loss", NULL, FLAG_AT(convert_options, refuse_loss), .group = GROUP_OUTPUT,
     .text = "write no map that loses something; its losses are told, and the status is 1"},
    {0, "images", "WAY", CHOICE_AT(convert_options, images, image_choices), .preset = "embed",
     .group = GROUP_OUTPUT,
     .text = "what becomes of external images that the game has not, or has another picture for: put them "
             "into the map (embed), take the game's name for that picture if it has one (rename), or leave "
             "them (keep)"},
    {0, "keep-tiles", NULL, FLAG_AT(convert_options, keep_tiles), .group = GROUP_OUTPUT,
     .text = "leave tiles in the game layer that only DDNet knows, for DDNet's servers"},
    {'n', "dry-run", NULL, FLAG_AT(convert_options, dry_run), .group = GROUP_OUTPUT,
     .text = "do everything but write; say what would be changed"},
    JSON_EACH_ROW,
    RECURSIVE_ROW("take all *.map files in folders; with -t their places below the folder are kept"),
    {'R', "mapres", "DIR", WORDS_AT(convert_options, mapres), .group = GROUP_RUNNING,
     .text = "look for images in this folder first (may be given several times)"},
    MODE_ROW,
    THREADS_ROW,
    VERBOSE_ROW("say what was changed; notes too, not only warnings"),
    QUIET_ROW,
    {0},
};
