/* SPDX-License-Identifier: Zlib */
/*
 * cmd_doctor.c - `teemap doctor`: what this teemap stands on and what it finds on this machine, above all
 * where external images come from.
 */
#include "run/images.h"
#include "run/load.h"

typedef struct doctor_options {
    common_options common;
    word_list mapres;
} doctor_options;

static const option_row doctor_rows[] = {
    MAPRES_ROW(doctor_options),
    JSON_ONE_ROW,
    RECURSIVE_ROW("check all *.map files in folders"),
    MODE_ROW,
    THREADS_ROW,
    QUIET_ROW,
    VERBOSE_ROW("also list folders that do not exist"),
    {0},
};

COMMAND(doctor, doctor_options, 0, -1, .operands = {OPERAND_MAP}, .searches_images = true);

#define MAX_LIBRARIES 10

/* A folder and its places in both orders. */
typedef struct searched {
    tm_mapres_folder folder;
    uint32_t order, order07; /* from 1, among those found; 0: it is not there */
    uint64_t images;         /* *.png files in it */
    uint64_t rules;          /* of automappers, next to it */
} searched;

typedef struct diagnosis {
    tm_codec_library libraries[MAX_LIBRARIES];
    size_t num_libraries;
    uint32_t threads;
    tm_mapres *mapres, *mapres07; /* as for maps of DDNet, and of Teeworlds 0.7 */
    searched *searched;           /* one for each folder of `mapres` */
    uint32_t num_searched;
    uint64_t game_images[TM_MAPRES_SOURCES];
    const char *path; /* of a map; NULL: none was given */
    loaded file;
    bool lacks;   /* an image of the map is nowhere */
    text trouble; /* what could not be read */
} diagnosis;

/* The games whose images maps use. */
static const struct {
    tm_mapres_source source;
    const char *id, *advice;
} games[] = {
    {TM_MAPRES_DDNET, "ddnet",
     "install the package ddnet or ddnet-data (Debian, Ubuntu), or from https://ddnet.org or Steam"},
    {TM_MAPRES_TEEWORLDS, "teeworlds07",
     "install the package teeworlds or teeworlds-data (Debian, Ubuntu), or from https://teeworlds.com or Steam"},
};

enum { NUM_GAMES = sizeof(games) / sizeof(games[0]) };

/* ------------------------------------------------------------------------------------------------ looking */

/* Notes what could not be read; the rest of the diagnosis is made all the same. */
static void note_trouble(diagnosis *d, tm_status status, const tm_error *error)
{
    if (status && status != TM_ERROR_NOT_FOUND)
        put_error(&d->trouble, NULL, error);
}

static void note_unread(diagnosis *d, const char *folder)
{
    tm_error fault = {0};
    note_trouble(d, fail_about(&fault, TM_ERROR_IO, TM_SIDE_INPUT, folder, "cannot be looked at"), &fault);
}

/* The number of a folder among those that exist, from 1; 0: it does not. */
static uint32_t place_of(const tm_mapres *mapres, const char *path)
{
    tm_mapres_folder folder;
    uint32_t place = 0;
    for (uint32_t i = 0; tm_mapres_get_folder(&folder, mapres, i); i++) {
        place += folder.found;
        if (folder.found && strcmp(folder.path, path) == 0)
            return place;
    }
    return 0;
}

static tm_status find_folders(diagnosis *d, const doctor_options *options, tm_error *error)
{
    tm_mapres_folder folder;
    tm_status status = images_open(&d->mapres, &options->mapres, d->path, TM_GAME_DDNET, NULL, error);
    status = status ? status
                    : images_open(&d->mapres07, &options->mapres, d->path, TM_GAME_TEEWORLDS07, NULL, error);
    for (uint32_t i = 0; !status && tm_mapres_get_folder(&folder, d->mapres, i); i++) {
        d->searched = must_resize(d->searched, i + 1, sizeof(*d->searched));
        searched *s = &d->searched[d->num_searched++];
        *s = (searched){.folder = folder};
        tm_error fault;
        if (folder.unread)
            note_unread(d, folder.path);
        note_trouble(d, tm_mapres_count_rules(&s->rules, d->mapres, i, &fault), &fault);
        note_trouble(d, tm_mapres_count_images(&s->images, d->mapres, i, &fault), &fault);
        if (folder.found) {
            s->order = place_of(d->mapres, folder.path);
            s->order07 = place_of(d->mapres07, folder.path);
            d->game_images[folder.source] += s->images;
        }
    }
    for (uint32_t i = 0; !status && tm_mapres_get_folder(&folder, d->mapres07, i); i++)
        if (folder.unread)
            note_unread(d, folder.path);
    return status;
}

static void look_around(diagnosis *d, const cli_tool *tool)
{
    *d = (diagnosis){.threads = tool->common->threads ? tool->common->threads : tm_sys_processors()};
    d->path = tool->num_operands ? tool->operands[0] : NULL;
    while (d->num_libraries < MAX_LIBRARIES - 1 &&
           tm_codec_library_at(&d->libraries[d->num_libraries], d->num_libraries))
        d->num_libraries++;
    d->file.status = find_folders(d, tool->options, &d->file.error);
    if (!d->file.status && d->path)
        load_map(&d->file, d->path, tool->common->mode);
}

/* Where an external image of the map comes from; NULL: from nowhere. */
static char *where(diagnosis *d, const tm_image *image)
{
    char *path;
    tm_error fault;
    const tm_game game = d->file.map->game;
    const tm_status status =
        images_find(&path, game == TM_GAME_TEEWORLDS07 ? d->mapres07 : d->mapres, image->name, game, &fault);
    note_trouble(d, status, &fault);
    return path;
}

/* Whether a layer with this image says which configuration of its rules it was made by. */
static bool is_automapped(const tm_map *map, uint32_t image)
{
    tm_layer_walk walk = {0};
    while (map->images[image].name && tm_map_next_layer(map, &walk))
        if (tm_layer_has_automapper(walk.layer) && walk.layer->as.tiles.image == (int32_t)image)
            return true;
    return false;
}

/* The path of the rules of an image; NULL: there are none. */
static char *where_rules(diagnosis *d, const tm_image *image)
{
    char *path;
    tm_error fault;
    const tm_game game = d->file.map->game;
    const tm_status status = tm_mapres_find_rules(
        &path, game == TM_GAME_TEEWORLDS07 ? d->mapres07 : d->mapres, image->name, game, &fault);
    note_trouble(d, status, &fault);
    return path;
}

/* doctor.form; ends with a NUL */
extern const unsigned char doctor_form[];

static json_t *json_place(uint32_t place)
{
    return place ? json_integer(place) : NULL;
}

/* The folders as JSON, all or those with files; *missing: the number of those that do not exist. */
static json_t *json_folders(const diagnosis *d, bool all, int64_t *missing)
{
    static const char *const sources[] = {"option", "map", "ddnet", "teeworlds07", "environment"};
    json_t *list = json_array();
    for (size_t i = 0; i < d->num_searched; i++) {
        const searched *s = &d->searched[i];
        *missing += !s->folder.found;
        if (!all && !s->folder.found && !s->rules)
            continue;
        json_append(list, json_object(JSON_TEXT("folder", s->folder.path),
                                      JSON_TEXT("source", sources[s->folder.source]),
                                      JSON_BOOL("found", s->folder.found),
                                      JSON_VALUE("order", json_place(s->order)),
                                      JSON_VALUE("order07", json_place(s->order07)),
                                      JSON_INT("images", s->images), JSON_INT("rules", s->rules)));
    }
    return list;
}

static json_t *json_games(const diagnosis *d)
{
    json_t *list = json_array();
    for (size_t i = 0; i < NUM_GAMES; i++) {
        const uint64_t num = d->game_images[games[i].source];
        json_append(list,
                    json_object(JSON_TEXT("game", games[i].id), JSON_BOOL("found", num > 0),
                                JSON_INT("images", num), JSON_TEXT("advice", num ? NULL : games[i].advice)));
    }
    return list;
}

/* Adds which games ship an image; `words`: also as text for people. */
static void json_add_shipped(json_t *row, const char *name, bool words)
{
    text shipped = {0};
    const tm_shipped_image *image = tm_game_shipped_image(name);
    json_t *games_of = json_add_array(row, "shipped_by");
    for (int game = 0; image && game < TM_GAME_COUNT; game++)
        if (image->games[game])
            json_append(games_of, json_string(tm_game_name((tm_game)game)));
    json_add_all(row, JSON_TEXT("shipped_until", image ? image->last_version : NULL),
                 JSON_TEXT("renamed", image ? image->renamed : NULL));
    image_put_shipped(&shipped, name);
    if (words)
        json_add_text(row, "shipped", text_words(&shipped));
    text_release(&shipped);
}

static json_t *json_rules(diagnosis *d)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < d->file.map->num_images; i++) {
        if (!is_automapped(d->file.map, i))
            continue;
        char *path = where_rules(d, &d->file.map->images[i]);
        json_append(list,
                    json_object(JSON_TEXT("image", d->file.map->images[i].name), JSON_TEXT("file", path)));
        free(path);
    }
    return list;
}

static json_t *json_map(diagnosis *d, bool words)
{
    json_t *object =
        json_object(JSON_TEXT("path", d->path), JSON_TEXT("game", tm_game_name(d->file.map->game)));
    json_t *list = json_add_array(object, "images");
    for (uint32_t i = 0; i < d->file.map->num_images; i++) {
        const tm_image *image = &d->file.map->images[i];
        if (!image->external || !image->name)
            continue;
        char *path = where(d, image);
        json_t *row = json_object(JSON_TEXT("name", image->name), JSON_TEXT("file", path));
        json_add_shipped(row, image->name, words);
        json_append(list, row);
        d->lacks |= !path;
        free(path);
    }
    json_t *rules = json_rules(d);
    if (words)
        json_add_bool(object, "has_rules", rules->num);
    json_add(object, "rules", rules);
    return object;
}

static void put_diagnosis(text *out, diagnosis *d, const common_options *options)
{
    json_t *object = json_object(JSON_TEXT("version", tm_version())),
           *libraries = json_add_array(object, "libraries");
    int64_t missing = 0;
    for (size_t i = 0; i < d->num_libraries; i++)
        json_append(libraries, json_object(JSON_TEXT("name", d->libraries[i].name),
                                           JSON_TEXT("version", d->libraries[i].version)));
    json_add_int(object, "threads", d->threads);
    json_add(object, "folders", json_folders(d, options->json || options->verbose, &missing));
    json_add(object, "games", json_games(d));
    char *sheet; /* NULL: the library's own */
    tm_error fault;
    const tm_status status = tm_mapres_find_sheet(&sheet, d->mapres, TM_MAPRES_SHEET_ENTITIES,
                                                  d->file.map ? d->file.map->game : TM_GAME_DDNET, &fault);
    note_trouble(d, status, &fault);
    json_add_text(object, "entities", sheet);
    free(sheet);
    if (d->file.map)
        json_add(object, "map", json_map(d, !options->json));
    if (options->json) {
        text_json_line(out, object);
        return;
    }
    json_add_int(object, "missing", options->verbose ? 0 : missing);
    form_line(out, (const char *)doctor_form, object);
}

/* --------------------------------------------------------------------------------------------- many maps */

/* Memory for images that were found, so that the next map does not read them again. */
#define KNOWN_BYTES ((uint64_t)256 << 20)

typedef struct missing_survey {
    cli_tool *tool;
    const word_list *mapres;
    tm_mapres_cache *known;
    file_list files;
    text *missing; /* of each map: lines of names */
    atomic_size_t lacking, unread;
} missing_survey;

static void find_missing_images(void *ctx, cli_report *report)
{
    missing_survey *survey = ctx;
    const char *path = report->path;
    tm_mapres *mapres = NULL;
    loaded file;
    load_map(&file, path, survey->tool->common->mode);
    tm_status status = file.status;
    if (!status)
        status = images_open(&mapres, survey->mapres, path, file.map->game, survey->known, &file.error);
    if (status) {
        report_error(report, &file.error);
        atomic_fetch_add(&survey->unread, 1);
    } else if (images_put_missing(&survey->missing[report->index], mapres, file.map, &file.error)) {
        report_error(report, &file.error);
    }
    if (survey->missing[report->index].size) {
        atomic_fetch_add(&survey->lacking, 1);
        raise_status(&report->status, STATUS_FINDINGS);
    }
    tm_mapres_free(mapres);
    loaded_release(&file);
}

static int by_maps(const void *a, const void *b)
{
    const missing_image *left = a, *right = b;
    return left->maps != right->maps ? (left->maps < right->maps ? 1 : -1) : strcmp(left->name, right->name);
}

static const char survey_form[] =
    "{{lacking}} of {{maps:map lacks|maps lack}} images; {{num:image is|images are}} not found{{#unreadable}}; "
    "{{unreadable:file|files}} could not be read{{/}}{{#num}}:{{/}}\n"
    "{{=lrlll}}{{#missing}}\t{{maps}}\t{{name}}\t{{shipped}}\t{{first}}\n"
    "{{/}}{{/}}{{#num}}'teemap doctor' alone shows where they are searched for.\n"
    "{{/}}";

static void put_survey(text *out, missing_survey *survey, const missing_image *list, size_t num, bool json)
{
    const size_t unread = atomic_load(&survey->unread);
    json_t *object = json_object(JSON_INT("maps", survey->files.num - unread), JSON_INT("unreadable", unread),
                                 JSON_INT("lacking", atomic_load(&survey->lacking)));
    json_t *images = json_add_array(object, "missing");
    for (size_t i = 0; i < num; i++) {
        text shipped = {0};
        image_put_shipped(&shipped, list[i].name);
        json_t *row = json_object(JSON_TEXT("name", list[i].name), JSON_INT("maps", list[i].maps),
                                  JSON_TEXT("first", list[i].first));
        if (!json)
            json_add_text(row, "shipped", text_words(&shipped));
        text_release(&shipped);
        json_append(images, row);
    }
    if (json) {
        text_json_line(out, object);
        return;
    }
    json_add_int(object, "num", (int64_t)num);
    form_line(out, survey_form, object);
}

/* Which external images all maps lack together. Exit status 1 when an image is missing. */
static void image_survey(cli_tool *tool, const word_list *mapres)
{
    missing_survey survey = {.tool = tool, .mapres = mapres};
    size_t num;
    files_expand(&survey.files, tool, tool->operands, (size_t)tool->num_operands);
    survey.missing = must_alloc(survey.files.num + 1, sizeof(*survey.missing));
    if (tm_mapres_cache_new(&survey.known, KNOWN_BYTES, NULL, NULL))
        survey.known = NULL; /* slower, but it works */
    tool_each(tool, survey.files.paths, survey.files.num, find_missing_images, &survey);
    missing_image *list = missing_images(&num, survey.missing, survey.files.paths, survey.files.num);
    qsort(list, num, sizeof(*list), by_maps);
    put_survey(&tool->out, &survey, list, num, tool->common->json);
    free(list);
    for (size_t i = 0; i < survey.files.num; i++)
        text_release(&survey.missing[i]);
    free(survey.missing);
    tm_mapres_cache_free(survey.known);
    files_release(&survey.files);
}

int cmd_doctor(cli_tool *tool)
{
    diagnosis d;
    if (tool->num_operands > 1 || (tool->num_operands && tool->common->recursive)) {
        image_survey(tool, &((const doctor_options *)tool->options)->mapres);
        return STATUS_DONE;
    }
    look_around(&d, tool);
    if (d.file.status)
        tool_error(tool, d.path ? path_name(d.path) : NULL, &d.file.error);
    else
        put_diagnosis(&tool->out, &d, tool->common);
    if (d.file.findings.errors || d.lacks)
        raise_status(&tool->status, STATUS_FINDINGS);
    if (d.trouble.size) {
        raise_status(&tool->status, STATUS_TROUBLE);
        tool_print(tool, &d.trouble);
    }
    text_release(&d.trouble);
    tm_mapres_free(d.mapres);
    tm_mapres_free(d.mapres07);
    free(d.searched);
    loaded_release(&d.file);
    return STATUS_DONE;
}
