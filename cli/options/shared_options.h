/* SPDX-License-Identifier: Zlib */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H
/*
 * shared_options.h - the options that several commands have: their structs and their rows, so that a name
 * means the same everywhere. Each command's struct begins with common_options, that of a command that draws
 * with picture_options, which begins with it, too; therefore one row fits all of them.
 */
#include "option.h"

/* ------------------------------------------------------------------------------------------------- common */

typedef struct common_options {
    bool help, json, quiet, verbose, recursive, all;
    tm_mode mode;
    uint32_t threads;  /* 0: one for each processor */
    uint64_t unpacked; /* bytes of a map at a time; 0: as many as the library takes */
    const char *mod_name;
    const tm_mod *mod; /* the one of that name or file; NULL: the one that each map shows */
    tm_mod *mod_file;  /* NULL: it is one of the table */
} common_options;

extern const option_choice mode_choices[], game_choices[];
/* The word for a value; NULL: it has none. */
const char *choice_name(const option_choice *choices, int value);

/* Every command takes --help; the parser sees to that. */
#define HELP_ROW       ROW('h', "help", NULL, FLAG_AT(common_options, help), RUNNING, .text = "explain the command")
#define JSON_ROW(says) ROW(0, "json", NULL, FLAG_AT(common_options, json), OUTPUT, .text = (says))
#define JSON_EACH_ROW  JSON_ROW("print JSON for other programs: one line and one object per map")
#define JSON_ONE_ROW   JSON_ROW("print JSON for other programs: one object on one line")
#define MODE_ROW                                                                                        \
    ROW('m', "mode", "MODE", CHOICE_AT(common_options, mode, mode_choices), RUNNING, .preset = "game",  \
        .text = "how tolerant to be: strict accepts only what " TM_STRICT_GAME " loads, game what any " \
                "released client shows, salvage everything that is partly readable")
#define THREADS_ROW                                                                 \
    ROW('j', "threads", "N", INTEGER_AT(common_options, threads, 1, 1024), RUNNING, \
        .text = "use N threads (default: one per processor)")
#define UNPACKED_ROW                                                                                    \
    ROW(0, "memory", "BYTES", COUNT_AT(common_options, unpacked), RUNNING, .noun = "a number of bytes", \
        .preset = "1G", .text = "refuse a map if more than this must be unpacked at a time")
#define MOD_ROW(group, says)                                                                              \
    ROW(0, "mod", "NAME|FILE", TEXT_AT(common_options, mod_name), group, .list = "mods", .noun = "a mod", \
        .text = (says))
#define VERBOSE_ROW(says) ROW('v', "verbose", NULL, FLAG_AT(common_options, verbose), RUNNING, .text = (says))
#define QUIET_ROW                                                    \
    ROW('q', "quiet", NULL, FLAG_AT(common_options, quiet), RUNNING, \
        .text = "print only results and errors: no findings, progress or summary")
/* The rows of all commands that read maps; and those of commands that change them. */
#define RUNNING_ROWS(says)  MODE_ROW, THREADS_ROW, VERBOSE_ROW(says), QUIET_ROW
#define CHANGING_ROWS(says) MODE_ROW, UNPACKED_ROW, THREADS_ROW, VERBOSE_ROW(says), QUIET_ROW
/* Two rows. */
#define RECURSIVE_ROW(says)                                                                   \
    ROW('r', "recursive", NULL, FLAG_AT(common_options, recursive), RUNNING, .text = (says)), \
        ROW(0, "all", NULL, FLAG_AT(common_options, all), RUNNING,                            \
            .text = "with -r: process files of any name that look like a map")
#define RECURSIVE_INTO_ROW RECURSIVE_ROW("process all *.map files in folders, and keep the folder structure")

/* ----------------------------------------------------------------------------------------------- pictures */

typedef enum background_word {
    BACKGROUND_COLOR = 0,
    BACKGROUND_TRANSPARENT,
    BACKGROUND_CHECKS
} background_word;

typedef enum picture_format {
    PICTURE_BY_NAME = 0, /* as the name of the output tells */
    PICTURE_PNG,
    PICTURE_WEBP,
    PICTURE_APNG, /* moving only */
    PICTURE_GIF,  /* the same */
    PICTURE_MP4,  /* by ffmpeg */
    PICTURE_WEBM, /* the same */
    PICTURE_RAW,  /* nothing but the pixels: 4 bytes each (RGBA), rows from the top */
    PICTURE_FORMATS
} picture_format;

typedef struct picture_options {
    common_options common;
    /* output */
    const char *output, *folder; /* NULL: not given */
    picture_format format;
    uint32_t quality; /* 0: lossless */
    bool compress, replace;
    /* what part */
    word_list views; /* as tm_preview_find takes them */
    bool has_region, whole, fit, flat;
    double region[4];   /* tiles; one that is infinite is the map's */
    double zoom, scale; /* 0: not given; pixels a tile */
    size_value size;
    double time; /* ms */
    /* what is drawn */
    const char *layers, *entities; /* lists; NULL: not given; entities may be "" */
    bool detail, numbers;
    color_value background;
    tm_client look;
    /* images */
    const char *sheet; /* of entities: "own" or a file; NULL: not given */
    word_list mapres;
    tm_missing_image missing;
    bool strict;
    const char *missing_list;       /* where the names of missing images go */
    text *missing_names;            /* not NULL: these names are gathered here, for one list over many maps */
    struct tm_mapres_cache *images; /* shared by many maps; may be NULL */
    struct tm_shared_images *shared; /* the same, made ready; may be NULL */
    uint64_t memory;                 /* bytes for images and layers */
    uint64_t limit;                  /* pixels */
} picture_options;

extern const option_choice region_choices[], still_formats[], moving_formats[], tile_formats[],
    background_choices[], look_choices[], missing_choices[];

#define OUTPUT_ROW(options_type, says) \
    ROW('o', "output", "FILE", FILE_AT(options_type, output), OUTPUT, .text = (says))
#define TARGET_ROW(options_type, says) \
    ROW('t', "target", "DIR", FOLDER_AT(options_type, folder), OUTPUT, .text = (says))
/* Lets a command whose last operand is its output take it as other commands do, too. */
#define LAST_OPERAND_ROW(name, kind, says, ...)                                                \
    {                                                                                          \
        'o', "output", (name), .type = (kind), .is_operand = true, .text = (says), __VA_ARGS__ \
    }
#define FORMAT_ROW(table, says) \
    ROW(0, "format", "NAME", CHOICE_AT(picture_options, format, table), OUTPUT, .text = (says))
#define COMPRESS_ROW                                                     \
    ROW(0, "compress", NULL, FLAG_AT(picture_options, compress), OUTPUT, \
        .text = "make the file as small as possible; slow")
#define PACKING_ROWS                                                                                   \
    ROW(0, "quality", "N", INTEGER_AT(picture_options, quality, 1, 100), OUTPUT,                       \
        .text = "WebP only: lossy quality; 1 gives the smallest file, 100 the best picture (default: " \
                "lossless)"),                                                                          \
        COMPRESS_ROW

#define TIME_ROW(says)                                                                  \
    ROW(0, "time", "MS", NUMBER_AT(picture_options, time, 0, 0), PART, .is_time = true, \
        .noun = "a number of milliseconds", .preset = "0", .text = (says))
#define MOMENT_ROW TIME_ROW("draw moving parts as they are this many milliseconds after the map starts")
#define PICTURE_SIZE_ROW(default_size, says)                                                          \
    ROW('s', "size", "WxH", SIZE_AT(picture_options, size, 2, 10000), PART, .preset = (default_size), \
        .text = (says))
#define SCALE_ROW(from, to, default_scale, says)                                                           \
    ROW(0, "scale", "PX", NUMBER_AT(picture_options, scale, from, to), PART, .noun = "a number of pixels", \
        .preset = (default_scale), .text = (says))
#define VIEW_ROW(says)                                                                  \
    ROW(0, "view", "WHERE", WORDS_AT(picture_options, views), PART, .noun = "a place",  \
        .text = "show what a player sees there: X,Y in tiles; best; spawn, start, "     \
                "finish, flag or another tile; tele:5, switch:3, checkpoint:12; or an " \
                "address: 2/3, 1/0.quads[4], 3/1.sources[0]" says)
#define ZOOM_ROW                                                             \
    ROW(0, "zoom", "Z", NUMBER_AT(picture_options, zoom, 0.001, 1000), PART, \
        .text = "with --view: 1 is the zoom of the game, 2 shows twice the width and height")
#define REGION_ROW                                                                                   \
    ROW(0, "region", "X,Y+WxH", REGION_AT(picture_options, region), PART, .choices = region_choices, \
        GIVEN_AT(picture_options, has_region),                                                       \
        .text = "show this rectangle, in tiles, as seen from its center at normal zoom; map means "  \
                "the whole map")
#define WHOLE_ROW(says) ROW(0, "whole", NULL, FLAG_AT(picture_options, whole), PART, .text = (says))
#define FIT_ROW(says)   ROW(0, "fit", NULL, FLAG_AT(picture_options, fit), PART, .text = (says))
#define FLAT_ROW(says)  ROW(0, "flat", NULL, FLAG_AT(picture_options, flat), PART, .text = (says))
#define FITTED_SIZE_ROW(says) \
    ROW('s', "size", "WxH", SIZE_AT(picture_options, size, 2, 10000), PART, .text = (says))
#define CAMERA_ROWS                                                                                     \
    VIEW_ROW(". May be repeated"), ZOOM_ROW, REGION_ROW,                                                \
        WHOLE_ROW("show the whole map, as a zoomed-out player sees it (the default)"),                  \
        FIT_ROW("the same, for the part of the map that is not empty"),                                 \
        FLAT_ROW("with --region, --whole or --fit: ignore parallax"),                                   \
        SCALE_ROW(0.001, 4096, NULL, "pixels per tile, may be a fraction (default: what fits --size)"), \
        FITTED_SIZE_ROW("size of the picture, or the size to fit it into (default 1920x1080)")

#define LAYERS_ROW                                                                                          \
    ROW(0, "layers", "LIST", LAYERS_AT(picture_options, layers), DRAWN, .noun = "a list of addresses",      \
        .text =                                                                                             \
            "draw only these: addresses of groups and layers (2, Game/Front, 3-5, Deco*), "                 \
            "design, physics, background, foreground, or a kind such as game, separated by commas; Sky@50 " \
            "is half transparent, -Sky is not drawn")
#define ENTITIES_ROW(says)                                                                          \
    ROW(0, "entities", "LAYERS", TEXT_AT(picture_options, entities), DRAWN, .value_optional = true, \
        .noun = "a list of game,front,tele,speedup,switch,tune", .text = (says))
#define LOOK_ROWS                                                                                            \
    ROW(0, "numbers", "YESNO", YES_NO_AT(picture_options, numbers), DRAWN, .preset = "yes",                  \
        .text = "with --entities: the numbers of teleporters, switches and speedups"),                       \
        MOD_ROW(DRAWN, "with --entities: show them as clients of this mod do: a name of docs/mods.md, or a " \
                       "file in TOML (default: the mod for which the map seems to be made)"),                \
        ROW(0, "detail", "YESNO", YES_NO_AT(picture_options, detail), DRAWN, .preset = "yes",                \
            .text = "draw layers marked as detail"),                                                         \
        ROW(0, "background", "COLOR", COLOR_AT(picture_options, background, background_choices), DRAWN,      \
            .preset = "000000",                                                                              \
            .text = "color where the map draws nothing: RRGGBB, transparent, or checks"),                    \
        ROW(0, "look", "GAME", CHOICE_AT(picture_options, look, look_choices), DRAWN,                        \
            .text = "draw like the client of this game (default: the game of the map)")
#define IMAGE_ROWS(default_missing)                                                               \
    MAPRES_ROW(picture_options),                                                                  \
        ROW(0, "missing", "HOW", CHOICE_AT(picture_options, missing, missing_choices), IMAGES,    \
            .preset = (default_missing),                                                          \
            .text = "missing external images: draw what the client draws instead (client), draw " \
                    "nothing (none), or draw the layer's color (white)"),                         \
        ROW(0, "missing-list", "FILE", FILE_AT(picture_options, missing_list), IMAGES,            \
            .text = "write the names of missing external images to this file, one per line"),     \
        ROW(0, "strict", NULL, FLAG_AT(picture_options, strict), IMAGES,                          \
            .text = "fail if an external image is missing"),                                      \
        ROW(0, "sheet", "FILE", FILE_AT(picture_options, sheet), IMAGES,                          \
            .text = "pictures of entities: a PNG file of 16x16 cells, or 'own' for the built-in " \
                    "ones (default: those of an installed game)")
#define MAPRES_ROW(options_type)                                      \
    ROW(0, "mapres", "DIR", FOLDERS_AT(options_type, mapres), IMAGES, \
        .text = "search for external images in this folder first; may be repeated up to 16 times")
/* The limit of drawing, tm_render_usual_limit: `of_what` is all that a run of the command makes of a map. */
#define LIMIT_ROW(options_type, when, of_what)                                                        \
    ROW(0, "limit", "PIXELS", COUNT_AT(options_type, limit), RUNNING, .noun = "a number of pixels",   \
        .text = when "refuse more work than this, counted in pixels of all layers (default: 1G plus " \
                     "80 per pixel of " of_what                                                       \
                     ", at most 5G); k, M and G mean thousands, millions and billions")
#define MEMORY_OF_ROW(default_size)                                                                    \
    ROW(0, "memory", "BYTES", COUNT_AT(picture_options, memory), RUNNING, .noun = "a number of bytes", \
        .preset = (default_size),                                                                      \
        .text = "hold at most this much at a time; layers that do not fit are unpacked, drawn and dropped")
#define MEMORY_ROW        MEMORY_OF_ROW("512M")
#define PICTURE_LIMIT_ROW LIMIT_ROW(picture_options, "", "the picture")
#define ENTITIES_OVER_ROW                                                                              \
    ENTITIES_ROW("draw physics layers instead of the design, as DDNet's overlay does: all, or a list " \
                 "of game,front,tele,speedup,switch,tune; --layers design@50 adds the design")
/* The rows that all commands which draw have, but for the limit. */
#define DRAWING_ROWS(default_missing) LAYERS_ROW, ENTITIES_OVER_ROW, LOOK_ROWS, IMAGE_ROWS(default_missing)
/* The rows of commands that draw several maps side by side. */
#define SIDE_BY_SIDE_ROWS(how_many, which_part)                                                           \
    VIEW_ROW(""), ZOOM_ROW, REGION_ROW, WHOLE_ROW("show the whole map, not only the part " which_part),   \
        FIT_ROW("the same, for the part of the map that is not empty"), FLAT_ROW("ignore parallax"),      \
        SCALE_ROW(0.001, 4096, NULL, "pixels per tile, may be a fraction (default: what fits --size)"),   \
        FITTED_SIZE_ROW("size of each of the " how_many                                                   \
                        " pictures, or the size to fit it into (default 960x1080, with --view 960x540)"), \
        MOMENT_ROW, DRAWING_ROWS("none"), MEMORY_ROW, PICTURE_LIMIT_ROW
/* The rows of commands that draw small pictures of many maps, each of its best view. */
#define SMALL_PICTURE_ROWS                                                                                 \
    PICTURE_SIZE_ROW("360x225", "size of a picture"), MOMENT_ROW, DRAWING_ROWS("none"), PICTURE_LIMIT_ROW, \
        MEMORY_ROW

#endif
