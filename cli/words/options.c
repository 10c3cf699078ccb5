/* SPDX-License-Identifier: Zlib */
/*
 * options.c - every option of every command: its name, what it means unless a command says it better, which
 * values it takes, and the small function that understands them. Knows no command.
 */
#include "command.h"

#include <stdlib.h>
#include <string.h>

#define FLAG(name)                                             \
    static bool set_##name(cli_options *to, const char *value) \
    {                                                          \
        (void)value;                                           \
        to->name = true;                                       \
        return true;                                           \
    }

FLAG(compress)
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
FLAG(strict)
FLAG(verbose)
FLAG(version)
FLAG(whole)

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

static bool set_format(cli_options *to, const char *value)
{
    static const char *const names[] = {"png", "webp", "apng", "raw"};
    size_t i = 0;
    while (i < sizeof(names) / sizeof(names[0]) && strcmp(value, names[i]) != 0)
        i++;
    to->format = value;
    return i < sizeof(names) / sizeof(names[0]);
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
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
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
    if (**text < '0' || **text > '9')
        return false;
    unsigned long long value = strtoull(*text, &end, 10);
    *text = end;
    *out = (uint32_t)value;
    return value >= 1 && value <= most;
}

static bool set_quality(cli_options *to, const char *value)
{
    return take_number(&value, 100, &to->quality) && *value == '\0';
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
        if (!strchr("0123456789.-", *value))
            return false;
        out[i] = strtod(value, &end);
        if (end == value || *end != (i + 1 < num ? ',' : '\0') || !(out[i] > -1e9 && out[i] < 1e9))
            return false;
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

static bool set_duration(cli_options *to, const char *value)
{
    return take_numbers(value, &to->duration, 1) && to->duration > 0;
}

static bool set_fps(cli_options *to, const char *value)
{
    return take_numbers(value, &to->fps, 1) && to->fps >= 0.01 && to->fps <= 1000;
}

static bool set_detail(cli_options *to, const char *value)
{
    to->no_detail = strcmp(value, "no") == 0;
    return to->no_detail || strcmp(value, "yes") == 0;
}

static bool set_numbers(cli_options *to, const char *value)
{
    to->no_numbers = strcmp(value, "no") == 0;
    return to->no_numbers || strcmp(value, "yes") == 0;
}

static bool set_layers(cli_options *to, const char *value)
{
    to->layers = value;
    return *value != '\0';
}

static bool set_entities(cli_options *to, const char *value)
{
    to->entities = value ? value : "";
    return !value || *value;
}

static bool set_sheet(cli_options *to, const char *value)
{
    to->sheet = value;
    return *value != '\0';
}

static bool set_missing_list(cli_options *to, const char *value)
{
    to->missing_list = value;
    return *value != '\0';
}

/* A number of pixels, in thousands (k), millions (M) or milliards (G) if it ends so. */
static bool set_limit(cli_options *to, const char *value)
{
    static const char suffixes[] = "kMG";
    char *end;
    if (!strchr("0123456789.", *value))
        return false;
    double number = strtod(value, &end);
    if (*end) {
        const char *suffix = strchr(suffixes, *end);
        for (const char *s = suffixes; suffix && s <= suffix; s++)
            number *= 1000;
        end += suffix ? 1 : 0;
    }
    to->limit = number >= 1 && number <= 1e15 ? (uint64_t)number : 0;
    return to->limit && *end == '\0';
}

static bool set_missing(cli_options *to, const char *value)
{
    to->has_missing = true;
    to->missing = strcmp(value, "none") == 0    ? TM_MISSING_NONE
                  : strcmp(value, "white") == 0 ? TM_MISSING_WHITE
                                                : TM_MISSING_CLIENT;
    return to->missing != TM_MISSING_CLIENT || strcmp(value, "client") == 0;
}

static bool set_look(cli_options *to, const char *value)
{
    to->look = strcmp(value, "ddnet") == 0 ? TM_CLIENT_DDNET : TM_CLIENT_TEEWORLDS07;
    return to->look == TM_CLIENT_DDNET || strcmp(value, "teeworlds07") == 0;
}

static bool set_mapres(cli_options *to, const char *value)
{
    if (to->num_mapres == MAX_MAPRES)
        return false;
    to->mapres[to->num_mapres++] = value;
    return *value != '\0';
}

static bool set_background(cli_options *to, const char *value)
{
    to->background = strcmp(value, "transparent") == 0 ? BACKGROUND_TRANSPARENT
                     : strcmp(value, "checks") == 0    ? BACKGROUND_CHECKS
                                                       : BACKGROUND_COLOR;
    if (to->background != BACKGROUND_COLOR)
        return true;
    if (strlen(value) != 6 || strspn(value, "0123456789abcdefABCDEF") != 6)
        return false;
    unsigned long color = strtoul(value, NULL, 16);
    for (int i = 0; i < 3; i++)
        to->background_color[i] = (uint8_t)(color >> (16 - 8 * i));
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
    [OPTION_COMPRESS] = {0, "compress", NULL, NULL, "make the file small, however long it takes", NULL,
                         set_compress, false},
    [OPTION_DRY_RUN] = {'n', "dry-run", NULL, NULL, "do everything but write; say what would be written",
                        NULL, set_dry_run, false},
    [OPTION_DURATION] = {0, "duration", "MS", NULL, "length of the animation in milliseconds",
                         "a number of milliseconds above 0", set_duration, false},
    [OPTION_ENTITIES] =
        {0, "entities", "[=LAYERS]", NULL,
         "draw physics layers instead of the design, as DDNet's overlay does: all, or a list of "
         "game,front,tele,speedup,switch,tune; both with --layers design@50",
         "a list of game,front,tele,speedup,switch,tune", set_entities, false},
    [OPTION_FIELD] = {0, "field", "NAME", "index flags skip reserved number type force max_speed angle delay",
                      "of tiles: the number to print (default: index, or type where there is none)", NULL,
                      set_field, false},
    [OPTION_FLAT] = {0, "flat", NULL, NULL, "of a region: every group as if its parallax were 100", NULL,
                     set_flat, false},
    [OPTION_FORCE] = {'f', "force", NULL, NULL, "replace OUT if it exists", NULL, set_force, false},
    [OPTION_FORMAT] = {0, "format", "NAME", NULL,
                       "png, webp or raw, whatever the output is called; raw: 4 bytes (RGBA) a pixel",
                       "png, webp, apng or raw", set_format, false},
    [OPTION_FPS] = {0, "fps", "N", NULL, "frames a second; may be a fraction (default 25)",
                    "a number from 0.01 to 1000", set_fps, false},
    [OPTION_GAME] = {'g', "game", "GAME", "ddnet teeworlds06 teeworlds07", "the game to write for", NULL,
                     set_game, false},
    [OPTION_HASH] = {0, "hash", NULL, NULL, "add SHA-256 and CRC-32 of the file, by which servers know maps",
                     NULL, set_hash, false},
    [OPTION_HELP] = {'h', "help", NULL, NULL, "explain the command", NULL, set_help, false},
    [OPTION_IN_PLACE] = {'i', "in-place", NULL, NULL, "replace the files themselves", NULL, set_in_place,
                         false},
    [OPTION_JSON] = {0, "json", NULL, NULL, "print JSON for other programs, one object a line", NULL,
                     set_json, false},
    [OPTION_LAYERS] =
        {0, "layers", "LIST", NULL,
         "draw these alone: addresses of groups and layers, design, physics, or a kind such as game, with commas between; "
         "Background@50 is half transparent",
         "a list of addresses", set_layers, false},
    [OPTION_LIMIT] =
        {0, "limit", "PIXELS", NULL,
         "refuse pictures that cost more than this, the pixels of all layers together; 500M is 500 million (default 200G)",
         "a number of pixels, which may end in k, M or G", set_limit, false},
    [OPTION_LOOK] = {0, "look", "GAME", "ddnet teeworlds07",
                     "draw as the client of this game does (default: that of the map's own game)", NULL,
                     set_look, false},
    [OPTION_MAN] = {0, "man", NULL, NULL, "print the manual page (roff)", NULL, set_man, false},
    [OPTION_MAPRES] = {0, "mapres", "DIR", "@folder",
                       "search external images here first; may be given several times",
                       "a folder, at most 16 times", set_mapres, false},
    [OPTION_MISSING] =
        {0, "missing", "HOW", "client none white",
         "external images that are not found: as the client shows them (client, the default), left out (none), or the layer's "
         "color alone (white)",
         NULL, set_missing, false},
    [OPTION_MISSING_LIST] = {0, "missing-list", "FILE", "@file",
                             "write the names of external images that are not found, one a line", "a file",
                             set_missing_list, false},
    [OPTION_MODE] =
        {'m', "mode", "MODE", "strict game salvage",
         "what is forgiven: as the specification (strict), as the games (game, the default), or whatever "
         "can be "
         "rescued (salvage)",
         NULL, set_mode, false},
    [OPTION_NUMBERS] = {0, "numbers", "YESNO", "yes no",
                        "of entities: the numbers of teleporters, switches and speedups (default yes)", NULL,
                        set_numbers, false},
    [OPTION_OUTPUT] = {'o', "output", "FILE", "@file", "write to FILE instead of standard output", NULL,
                       set_output, false},
    [OPTION_QUALITY] = {0, "quality", "N", NULL,
                        "of WebP: 1 is small, 100 is good; without it no pixel changes (lossless)",
                        "a number from 1 to 100", set_quality, false},
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
    [OPTION_SHEET] =
        {0, "sheet", "FILE", "@file",
         "of entities: a PNG of 16x16 cells, or own for teemap's (default: an installed game's, else teemap's)",
         "a file", set_sheet, false},
    [OPTION_SIZE] = {'s', "size", "WxH", NULL, "width and height in tiles (default 50x50)",
                     "WIDTHxHEIGHT with numbers from 2 to 10000", set_size, false},
    [OPTION_STRICT] = {0, "strict", NULL, NULL, "fail when an external image is not found", NULL, set_strict,
                       false},
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
    [OPTION_WHOLE] = {0, "whole", NULL, NULL, "show the whole map (the default)", NULL, set_whole, false},
    [OPTION_ZOOM] = {0, "zoom", "Z", NULL,
                     "of a view: 1 as in the game (default), 2 shows twice as much each way",
                     "a number from 0.001 to 1000", set_zoom, false},
};
