/* SPDX-License-Identifier: Zlib */
/*
 * commands.c - the table itself: every option with its meaning, every command with what it takes and how it
 * is explained. Texts are written for people who have a map and a question. Nothing else in cli/ lists
 * commands or options.
 */
#include "command.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ options */

#define FLAG(name)                                             \
    static bool set_##name(cli_options *to, const char *value) \
    {                                                          \
        (void)value;                                           \
        to->name = true;                                       \
        return true;                                           \
    }

FLAG(dry_run)
FLAG(flat)
FLAG(force)
FLAG(hash)
FLAG(help)
FLAG(in_place)
FLAG(json)
FLAG(man)
FLAG(quiet)
FLAG(raw)
FLAG(recursive)
FLAG(verbose)
FLAG(version)

static bool set_completion(cli_options *to, const char *value)
{
    to->completion = value;
    return strcmp(value, "bash") == 0 || strcmp(value, "zsh") == 0 || strcmp(value, "fish") == 0;
}

static bool set_field(cli_options *to, const char *value)
{
    to->field = value;
    return true;
}

static bool set_folder(cli_options *to, const char *value)
{
    to->folder = value;
    return *value != '\0';
}

static bool set_output(cli_options *to, const char *value)
{
    to->output = value;
    return *value != '\0';
}

static bool set_game(cli_options *to, const char *value)
{
    to->has_game = true;
    return tm_game_from_name(&to->game, value);
}

static bool set_mode(cli_options *to, const char *value)
{
    static const struct {
        const char *name;
        tm_mode mode;
    } modes[] = {{"strict", TM_MODE_STRICT}, {"game", TM_MODE_GAME}, {"salvage", TM_MODE_SALVAGE}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(modes[i].name, value) == 0) {
            to->mode = modes[i].mode;
            return true;
        }
    }
    return false;
}

/* A number from 1 to `most` in decimal digits; moves `text` behind it. */
static bool take_number(const char **text, uint32_t most, uint32_t *out)
{
    char *end;
    if (**text < '0' || **text > '9') {
        return false;
    }
    unsigned long long value = strtoull(*text, &end, 10);
    *text = end;
    *out = (uint32_t)value;
    return value >= 1 && value <= most;
}

static bool set_recompress(cli_options *to, const char *value)
{
    uint32_t level;
    bool fine = take_number(&value, 12, &level) && *value == '\0';
    to->level = fine ? (int)level : 0;
    return fine;
}

static bool set_size(cli_options *to, const char *value)
{
    /*
     * 2: the games refuse smaller layers; 10000: far beyond what any game has shown, and the data still fit
     * in memory
     */
    return take_number(&value, 10000, &to->width) && (*value == 'x' || *value == 'X') &&
           (value++, take_number(&value, 10000, &to->height)) && *value == '\0' && to->width >= 2 &&
           to->height >= 2;
}

static bool set_threads(cli_options *to, const char *value)
{
    return take_number(&value, 1024, &to->threads) && *value == '\0';
}

static bool set_through(cli_options *to, const char *value)
{
    to->through_datafile = strcmp(value, "datafile") == 0;
    return to->through_datafile || strcmp(value, "map") == 0;
}

/* `num` numbers with commas between them, "12,-3.5". */
static bool take_numbers(const char *value, double *out, int num)
{
    for (int i = 0; i < num; i++) {
        char *end;
        if (!strchr("0123456789.-", *value)) {
            return false;
        }
        out[i] = strtod(value, &end);
        if (end == value || *end != (i + 1 < num ? ',' : '\0') || !(out[i] > -1e9 && out[i] < 1e9)) {
            return false;
        }
        value = end + 1;
    }
    return true;
}

static bool set_view(cli_options *to, const char *value)
{
    to->has_view = true;
    return take_numbers(value, to->view, 2);
}

static bool set_region(cli_options *to, const char *value)
{
    to->has_region = true;
    return take_numbers(value, to->region, 4) && to->region[2] > 0 && to->region[3] > 0;
}

static bool set_zoom(cli_options *to, const char *value)
{
    return take_numbers(value, &to->zoom, 1) && to->zoom >= 0.001 && to->zoom <= 1000;
}

static bool set_scale(cli_options *to, const char *value)
{
    return take_numbers(value, &to->scale, 1) && to->scale >= 0.001 && to->scale <= 4096;
}

static bool set_time(cli_options *to, const char *value)
{
    return take_numbers(value, &to->time, 1);
}

static bool set_detail(cli_options *to, const char *value)
{
    to->no_detail = strcmp(value, "no") == 0;
    return to->no_detail || strcmp(value, "yes") == 0;
}

static bool set_missing(cli_options *to, const char *value)
{
    to->missing = strcmp(value, "none") == 0    ? TM_MISSING_NONE
                  : strcmp(value, "white") == 0 ? TM_MISSING_WHITE
                                                : TM_MISSING_CLIENT;
    return to->missing != TM_MISSING_CLIENT || strcmp(value, "client") == 0;
}

static bool set_mapres(cli_options *to, const char *value)
{
    if (to->num_mapres == MOST_MAPRES) {
        return false;
    }
    to->mapres[to->num_mapres++] = value;
    return *value != '\0';
}

static bool set_background(cli_options *to, const char *value)
{
    to->background = strcmp(value, "transparent") == 0 ? BACKGROUND_TRANSPARENT
                     : strcmp(value, "checks") == 0    ? BACKGROUND_CHECKS
                                                       : BACKGROUND_COLOR;
    if (to->background != BACKGROUND_COLOR) {
        return true;
    }
    if (strlen(value) != 6 || strspn(value, "0123456789abcdefABCDEF") != 6) {
        return false;
    }
    unsigned long color = strtoul(value, NULL, 16);
    for (int i = 0; i < 3; i++) {
        to->background_color[i] = (uint8_t)(color >> (16 - 8 * i));
    }
    return true;
}

const option_rule option_rules[OPTION_COUNT] = {
    [OPTION_END] = {0, "", NULL, NULL, NULL, NULL, NULL, true},
    [OPTION_BACKGROUND] =
        {0, "background", "COLOR", NULL,
         "what shows where the map draws nothing: RRGGBB (default 000000), transparent, or checks",
         "RRGGBB in hexadecimal digits, transparent, or checks", set_background, false},
    [OPTION_DETAIL] = {0, "detail", "YESNO", "yes no", "draw layers that are marked as detail (default yes)",
                       NULL, set_detail, false},
    [OPTION_COMPLETION] = {0, "completion", "SHELL", "bash zsh fish",
                           "print the completion script for a shell", NULL, set_completion, false},
    [OPTION_DRY_RUN] = {'n', "dry-run", NULL, NULL, "do everything but write; say what would be written",
                        NULL, set_dry_run, false},
    [OPTION_FIELD] = {0, "field", "NAME", "index flags skip reserved number type force max_speed angle delay",
                      "of tiles: the number to print (default: index, or type where there is none)", NULL,
                      set_field, false},
    [OPTION_FLAT] = {0, "flat", NULL, NULL, "of a region: every group as if its parallax were 100", NULL,
                     set_flat, false},
    [OPTION_FORCE] = {'f', "force", NULL, NULL, "replace OUT if it exists", NULL, set_force, false},
    [OPTION_GAME] = {'g', "game", "GAME", "ddnet teeworlds06 teeworlds07", "the game to write for", NULL,
                     set_game, false},
    [OPTION_HASH] = {0, "hash", NULL, NULL, "add SHA-256 and CRC-32 of the file, by which servers know maps",
                     NULL, set_hash, false},
    [OPTION_HELP] = {'h', "help", NULL, NULL, "explain the command", NULL, set_help, false},
    [OPTION_IN_PLACE] = {'i', "in-place", NULL, NULL, "replace the files themselves", NULL, set_in_place,
                         false},
    [OPTION_JSON] = {0, "json", NULL, NULL, "print JSON for other programs, one object a line", NULL,
                     set_json, false},
    [OPTION_MAN] = {0, "man", NULL, NULL, "print the manual page (roff)", NULL, set_man, false},
    [OPTION_MAPRES] = {0, "mapres", "DIR", "@folder",
                       "search external images here first; may be given several times",
                       "a folder, at most 16 times", set_mapres, false},
    [OPTION_MISSING] =
        {0, "missing", "HOW", "client none white",
         "external images that are not found: as the client shows them (client, the default), left out (none), or the layer's "
         "color alone (white)",
         NULL, set_missing, false},
    [OPTION_MODE] =
        {'m', "mode", "MODE", "strict game salvage",
         "what is forgiven: as the specification (strict), as the games (game, the default), or whatever "
         "can be "
         "rescued (salvage)",
         NULL, set_mode, false},
    [OPTION_OUTPUT] = {'o', "output", "FILE", "@file", "write to FILE instead of standard output", NULL,
                       set_output, false},
    [OPTION_QUIET] = {'q', "quiet", NULL, NULL, "no warnings and no progress; errors only", NULL, set_quiet,
                      false},
    [OPTION_RAW] = {0, "raw", NULL, NULL, "show the container: items and data blocks as they lie in the file",
                    NULL, set_raw, false},
    [OPTION_RECOMPRESS] = {'z', "recompress", "LEVEL", "1 2 3 4 5 6 7 8 9 10 11 12",
                           "unpack every data block and pack it anew: 1 is fast, 12 is small, 6 is usual",
                           "a level from 1 to 12", set_recompress, false},
    [OPTION_RECURSIVE] = {'r', "recursive", NULL, NULL,
                          "take all *.map files in folders and the folders below", NULL, set_recursive,
                          false},
    [OPTION_REGION] = {0, "region", "X,Y,W,H", NULL, "show this rectangle, in tiles",
                       "X,Y,WIDTH,HEIGHT in tiles", set_region, false},
    [OPTION_SCALE] = {0, "scale", "PX", NULL, "pixels a tile; may be a fraction (default: what fits --size)",
                      "a number from 0.001 to 4096", set_scale, false},
    [OPTION_SIZE] = {'s', "size", "WxH", NULL, "width and height in tiles (default 50x50)",
                     "WIDTHxHEIGHT with numbers from 2 to 10000", set_size, false},
    [OPTION_FOLDER] = {'t', "target", "DIR", "@folder", "write all results into this folder", "a folder",
                       set_folder, false},
    [OPTION_THREADS] = {'j', "threads", "N", NULL, "work with N threads (default: one for each processor)",
                        "a number from 1 to 1024", set_threads, false},
    [OPTION_THROUGH] =
        {0, "through", "WAY", "map datafile",
         "go through the typed model (map, the default), or copy items and blocks without looking into them",
         NULL, set_through, false},
    [OPTION_TIME] = {0, "time", "MS", NULL, "milliseconds since the map began, for what moves",
                     "a number of milliseconds", set_time, false},
    [OPTION_VERBOSE] = {'v', "verbose", NULL, NULL, "say more", NULL, set_verbose, false},
    [OPTION_VERSION] = {'V', "version", NULL, NULL, "print the version", NULL, set_version, false},
    [OPTION_VIEW] = {0, "view", "X,Y", NULL, "show what a player sees around this point, in tiles",
                     "X,Y in tiles", set_view, false},
    [OPTION_ZOOM] = {0, "zoom", "Z", NULL,
                     "of a view: 1 as in the game (default), 2 shows twice as much each way",
                     "a number from 0.001 to 1000", set_zoom, false},
};

/* ----------------------------------------------------------------------------------------------- commands */

const command commands[] = {
    {
        .name = "info",
        .summary = "what is inside a map",
        .usages = {"[OPTION]... PATH..."},
        .text =
            "Prints what a map says about itself and what it is made of: game, size, author, settings, the "
            "number of everything, "
            "bytes packed and unpacked, the features it uses, and what is odd about it.\n\n"
            "Only names and numbers are read: a map that unpacks to hundreds of megabytes takes no longer "
            "than another.",
        .options = {{OPTION_VERBOSE, "add the tree of groups and layers, all settings, all findings"},
                    {OPTION_HASH, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_RECURSIVE, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_THREADS, NULL},
                    {OPTION_QUIET, "no progress; leave out the findings"}},
        .examples = {{"info Tutorial.map", "the most important"},
                     {"info -v --hash *.map", "everything about several maps"},
                     {"info -r --json maps/ > maps.jsonl", "one JSON object for each map in a folder"}},
        .min_operands = 1,
        .max_operands = -1,
        .operands = "map",
        .run = cmd_info,
    },
    {
        .name = "ls",
        .summary = "the tree of a map with the address of each object",
        .usages = {"[OPTION]... MAP [ADDRESS]"},
        .text = "Lists the objects of a map, each with its address. Every command that asks for an ADDRESS "
                "takes them, and names "
                "may stand in for numbers:\n\n"
                "2, Game\ta group, by its number or name\n"
                "2/3, Game/Front\ta layer in it\n"
                "image/0, image/grass_main, sound/0, envelope/3\tother objects\n"
                "info, settings\tthe map's texts\n"
                "item/17, data/4\tthe n-th item and data block of the file\n"
                "=2\ta group that is called '2'\n\n"
                "Without an object's number, image, sound, envelope, item and data list all of their kind.",
        .options = {{OPTION_RAW, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_QUIET, NULL},
                    {OPTION_VERBOSE, "tell notes about the file too, not only warnings"}},
        .examples = {{"ls Tutorial.map", "all objects"},
                     {"ls Tutorial.map Game", "one group with its layers"},
                     {"ls Tutorial.map image", "the images"},
                     {"ls --raw Tutorial.map", "items and blocks of the file"}},
        .min_operands = 1,
        .max_operands = 2,
        .operands = "map none",
        .run = cmd_ls,
    },
    {
        .name = "cat",
        .summary = "one object of a map: an image as PNG, a sound as Opus, tiles as numbers",
        .usages = {"[OPTION]... MAP ADDRESS"},
        .text =
            "Writes the object itself to standard output, or to a file with -o. 'teemap ls MAP' shows the "
            "addresses.\n\n"
            "info, settings\ttext\n"
            "image\tthe embedded picture as PNG\n"
            "sound\tthe Opus file\n"
            "tile layer\tone line of numbers for each row\n"
            "quad layer, sound layer, envelope\tone line for each quad, source, point\n"
            "group\tits properties\n"
            "item\tthe bytes of its body\n"
            "data\tthe unpacked bytes of the block",
        .options = {{OPTION_OUTPUT, NULL},
                    {OPTION_JSON, "print a typed object with all fields instead"},
                    {OPTION_FIELD, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_QUIET, NULL},
                    {OPTION_VERBOSE, "tell notes about the file too, not only warnings"}},
        .examples = {{"cat Tutorial.map settings", "the server settings, one a line"},
                     {"cat Tutorial.map image/0 -o tileset.png", "save an image"},
                     {"cat Tutorial.map Game/Game", "the game layer as numbers"},
                     {"cat --json Tutorial.map envelope/0", "an envelope with all points"}},
        .min_operands = 2,
        .max_operands = 2,
        .operands = "map none",
        .run = cmd_cat,
    },
    {
        .name = "copy",
        .summary = "load maps and save them: unchanged, repacked, or as another game writes them",
        .usages = {"[OPTION]... IN OUT", "[OPTION]... -t DIR IN...", "[OPTION]... -i PATH..."},
        .text =
            "Loads each map into the typed model and saves it. Without further options the bytes stay the "
            "same, which "
            "shows that the map is understood. What the other game of --game cannot hold is left out and "
            "reported as a warning.\n\n"
            "A file is replaced only when the new one is complete. IN itself is never changed, except with "
            "-i. "
            "A lone - stands for standard input or output. An OUT that is a folder receives a file of the "
            "same name.",
        .options = {{OPTION_FOLDER, NULL},
                    {OPTION_IN_PLACE, NULL},
                    {OPTION_GAME, "write everything as this game writes it"},
                    {OPTION_RECOMPRESS, NULL},
                    {OPTION_THROUGH, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_RECURSIVE,
                     "take all *.map files in folders; with -t their places below the folder are kept"},
                    {OPTION_DRY_RUN, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_THREADS, NULL},
                    {OPTION_VERBOSE, "a line for each file; notes too, not only warnings"},
                    {OPTION_QUIET, NULL}},
        .examples = {{"copy old.map new.map", "an exact copy, through the model"},
                     {"copy -t smaller -z 12 *.map", "repack maps as small as it gets"},
                     {"copy -m salvage broken.map rescued.map", "rescue what can be rescued"},
                     {"copy -g teeworlds07 in.map out.map", "write as Teeworlds 0.7 does"},
                     {"copy -i -r -z 9 maps", "repack all maps in a folder where they are"}},
        .min_operands = 1,
        .max_operands = -1,
        .operands = "map",
        .run = cmd_copy,
    },
    {
        .name = "check",
        .summary = "what is wrong with maps, and whether the games open them",
        .usages = {"[OPTION]... PATH..."},
        .text =
            "Reads everything in the files, data included, and prints what it finds, one finding a line "
            "with its id in brackets; "
            "docs/findings.md explains the ids. An error means that the game refuses the map or cannot get "
            "a part of it. "
            "A warning matters to somebody; a note is only unusual.\n\n"
            "With --mode strict the measure is the loader of DDNet 20: without errors it opens the map.\n\n"
            "The exit status is 0 without errors, 1 with errors, 2 when a file could not be read.",
        .options = {{OPTION_MODE, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_RECURSIVE, NULL},
                    {OPTION_THREADS, NULL},
                    {OPTION_VERBOSE, "notes too, and a line for maps without findings"},
                    {OPTION_QUIET, "print nothing, tell by the exit status"}},
        .examples = {{"check Tutorial.map", "errors and warnings"},
                     {"check --mode strict -r maps", "would DDNet 20 open all of them?"},
                     {"check -q new.map && cp new.map server/maps", "use only what is sound"}},
        .min_operands = 1,
        .max_operands = -1,
        .operands = "map",
        .run = cmd_check,
    },
    {
        .name = "new",
        .summary = "make a small map that opens in the games",
        .usages = {"[OPTION]... OUT"},
        .text =
            "Writes a map to start from: a group with a sky of one quad, and the group 'Game' with a game "
            "layer. The layer is a "
            "closed box: hookable tiles around the edge, spawn points in a row above the floor, so that one "
            "can join and walk at "
            "once. The game layer itself is not drawn by the games: add tile layers in the editor for what "
            "players see.",
        .options = {{OPTION_SIZE, NULL},
                    {OPTION_GAME, "the game to make it for (default ddnet)"},
                    {OPTION_FORCE, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_VERBOSE, "say what was written"},
                    {OPTION_QUIET, NULL}},
        .examples = {{"new start.map", "50x50 tiles for DDNet"},
                     {"new --size 200x80 --game teeworlds07 arena.map", "for Teeworlds 0.7"}},
        .min_operands = 1,
        .max_operands = 1,
        .operands = "map",
        .run = cmd_new,
    },
    {
        .name = "render",
        .summary = "draw a map as a picture",
        .usages = {"[OPTION]... MAP"},
        .text =
            "Draws the map as DDNet's client does, on the CPU, and writes a PNG: to FILE with -o, else to a file of the map's name in the current "
            "folder. Without further options the picture shows the whole map.\n\n"
            "--view\twhat a player sees, with parallax and clipping\n"
            "--region\ta rectangle of the map; groups stand as they are seen from its middle, or with --flat all in place\n\n"
            "External images are searched in the folders of --mapres, beside the map, in the user's and the installed games' folders, and in "
            "TEEMAP_MAPRES. One that is not found is a warning.",
        .options = {{OPTION_OUTPUT, "the picture (default: NAME.png for NAME.map)"},
                    {OPTION_VIEW, NULL},
                    {OPTION_ZOOM, NULL},
                    {OPTION_REGION, NULL},
                    {OPTION_FLAT, NULL},
                    {OPTION_SCALE, NULL},
                    {OPTION_SIZE, "pixels of the picture, or what it is fitted into (default 1920x1080)"},
                    {OPTION_TIME, NULL},
                    {OPTION_BACKGROUND, NULL},
                    {OPTION_DETAIL, NULL},
                    {OPTION_MAPRES, NULL},
                    {OPTION_MISSING, NULL},
                    {OPTION_MODE, NULL},
                    {OPTION_THREADS, NULL},
                    {OPTION_JSON, NULL},
                    {OPTION_VERBOSE, "say what was written; notes about the file too"},
                    {OPTION_QUIET, NULL}},
        .examples = {{"render Tutorial.map", "the whole map, as Tutorial.png"},
                     {"render Tutorial.map --view 60,40 -o view.png", "what a player sees there"},
                     {"render Tutorial.map --region 10,20,64,36 --scale 32", "a part, 32 pixels a tile"},
                     {"render Tutorial.map --scale 8 --background transparent",
                      "everything, 8 pixels a tile"}},
        .min_operands = 1,
        .max_operands = 1,
        .operands = "map",
        .run = cmd_render,
    },
    {
        .name = "help",
        .summary = "explain a command",
        .usages = {"[COMMAND]", "--man [COMMAND]", "--completion SHELL"},
        .text = "Prints what 'teemap COMMAND --help' prints. With --man it prints the manual page, with "
                "--completion the script that "
                "completes command lines in a shell.",
        .options = {{OPTION_MAN, NULL}, {OPTION_COMPLETION, NULL}},
        .examples = {{"help copy", "what copy does"},
                     {"help --man info | man -l -", "a manual page that is not installed"},
                     {"help --completion bash > ~/.local/share/bash-completion/completions/teemap",
                      "complete commands in bash"}},
        .min_operands = 0,
        .max_operands = 1,
        .operands = "command",
        .run = cmd_help,
    },
};

const size_t num_commands = sizeof commands / sizeof commands[0];
