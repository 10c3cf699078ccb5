/* SPDX-License-Identifier: Zlib */
/*
 * Reads a map from files: first all lists, so that all names are known, then the objects. Only files that the
 * source itself has listed are opened, so names in texts cannot lead anywhere else.
 */
#include "mapdir.h"

/* ---------------------------------------------------------------------------------------------- whole map */

static void read_map_file(tmi_reading *reading)
{
    const tmi_fields_of target = {{TM_KIND_MAP}, 1, reading->map};
    char key[TMI_KEY_SIZE], number[24];
    bool version = false;
    tmi_json_file file;
    tmi_format(number, sizeof(number), "%d", TMI_FOLDER_VERSION);
    if (!tmi_json_open(&file, reading, "map.json"))
        return;
    while (tmi_json_member(&file, key)) {
        if (strcmp(key, "teemap_folder") != 0) {
            if (!tmi_read_member(&file, &target, key))
                tmi_unknown_member(&file, key);
            continue;
        }
        version = true;
        const tmi_json_token token = tmi_next_value(&file);
        if (token != TMI_JSON_NUMBER)
            tmi_json_unexpected(&file, token, "the number of the folder's version");
        else if (strcmp(tmi_json_text(file.json), number) != 0)
            tmi_report_token(&file, TM_FINDING_FOLDER_VALUE, 0,
                             "this is a folder of version %.20s; only %s is known", tmi_json_text(file.json),
                             number);
    }
    tmi_json_close(&file);
    if (!version)
        tmi_report_in(reading, TM_FINDING_FOLDER_MISSING, TMI_WHOLE("map.json"),
                      "the member 'teemap_folder' is missing");
}

typedef struct settings_reader {
    tmi_reading *reading;
    const char **texts;
    uint32_t num;
} settings_reader;

/* Takes one line of settings.txt: a command as it is, or in quotes. */
static bool take_setting(void *ctx, char *line, uint32_t number)
{
    settings_reader *reader = ctx;
    tmi_reading *reading = reader->reading;
    tm_value value = {.as.text = line};
    const size_t size = strlen(line) + 1;
    char *buffer;
    if (line[0] == '"') {
        tmi_note_status(reading,
                        tmi_arena_reserve(&buffer, &reading->arena, size, 1, "a setting", reading->error));
        if (reading->status == TM_OK && tm_value_parse(&value, tm_field_find(TM_KIND_INFO, "settings"), NULL,
                                                       line, buffer, size, NULL) != TM_OK)
            tmi_report_in(reading, TM_FINDING_FOLDER_VALUE, (tmi_text_place){"settings.txt", number, 1},
                          "the quote that begins the line has no end, or something follows it");
    }
    reader->texts[reader->num++] = value.as.text;
    return reading->status == TM_OK;
}

static void read_settings_file(tmi_reading *reading)
{
    settings_reader reader = {.reading = reading};
    size_t size;
    char *bytes =
        tmi_file_expected(reading, "settings.txt") ? tmi_read_text(reading, "settings.txt", &size) : NULL;
    if (!bytes)
        return;
    tmi_note_status(reading, tmi_arena_reserve(&reader.texts, &reading->arena,
                                               (size_t)tmi_count_lines(bytes, size) + 1,
                                               sizeof(*reader.texts), "settings", reading->error));
    if (reading->status == TM_OK && tmi_each_line(bytes, size, take_setting, &reader))
        tmi_note_status(reading, tm_map_set_settings(reading->map, reader.texts, reader.num, reading->error));
    tmi_free(reading->allocator, bytes, size + 1, 1);
}

/* -------------------------------------------------------------------------------------------------- lists */

/* Reads the list with this path, without its ending; a MapDir has a folder instead. */
static tm_status read_list_of(tmi_reading *reading, const char *base, tm_kind kind, bool needed,
                              tmi_name_list *out)
{
    char path[TM_ERROR_TEXT_SIZE + 64];
    tmi_format(path, sizeof(path), "%s%s", base, reading->twmap ? "/" : ".txt");
    TM_TRY(reading->twmap ? tmi_twmap_list(reading, path, kind, out)
                          : tmi_read_list(reading, path, needed, out));
    out->first = reading->num_objects;
    reading->num_objects += out->num;
    return TM_OK;
}

static tm_status read_lists(tmi_reading *reading)
{
    const tmi_name_list *groups = &reading->lists[TM_KIND_GROUP];
    char path[TM_ERROR_TEXT_SIZE + 32];
    for (tm_kind kind = TM_KIND_IMAGE; kind < TM_KIND_LAYER; kind++) {
        TM_TRY(
            read_list_of(reading, tmi_list_names[kind], kind, kind == TM_KIND_GROUP, &reading->lists[kind]));
        TM_TRY(tmi_map_reserve(reading->map, kind, reading->lists[kind].num, reading->error));
    }
    TM_TRY(tmi_arena_reserve(&reading->layers, &reading->arena, (size_t)groups->num + 1,
                             sizeof(*reading->layers), "lists of layers", reading->error));
    memset(reading->layers, 0, groups->num * sizeof(*reading->layers));
    for (uint32_t g = 0; g < groups->num; g++) {
        tmi_format(path, sizeof(path), "groups/%s/layers", groups->names[g].name);
        TM_TRY(read_list_of(reading, path, TM_KIND_LAYER, true, &reading->layers[g]));
        TM_TRY(tmi_group_reserve(reading->map, &reading->map->groups[g], reading->layers[g].num,
                                 reading->error));
    }
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------ objects */

static void read_objects(tmi_reading *reading)
{
    tm_map *map = reading->map;
    const tmi_name_list *lists = reading->lists;
    for (uint32_t i = 0; i < map->num_images; i++)
        (reading->twmap ? tmi_twmap_image : tmi_read_image)(reading, lists[TM_KIND_IMAGE].names[i].name,
                                                            &map->images[i]);
    for (uint32_t i = 0; i < map->num_sounds; i++)
        (reading->twmap ? tmi_twmap_sound : tmi_read_sound)(reading, lists[TM_KIND_SOUND].names[i].name,
                                                            &map->sounds[i]);
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        tmi_read_envelope(reading, lists[TM_KIND_ENVELOPE].names[i].name, &map->envelopes[i]);
    for (uint32_t g = 0; g < map->num_groups; g++) {
        const char *name = lists[TM_KIND_GROUP].names[g].name;
        tmi_read_group(reading, name, &map->groups[g]);
        for (uint32_t l = 0; l < map->groups[g].num_layers; l++) {
            reading->any_tile = false;
            tmi_read_layer(reading, name, reading->layers[g].names[l].name, &map->groups[g].layers[l]);
            tmi_park_layer(reading, &map->groups[g].layers[l]);
        }
    }
}

/* Reports files in our folders that no list names: they were probably forgotten. */
static void report_unused(tmi_reading *reading)
{
    /* files that systems create in folders */
    static const char *const litter[] = {"thumbs.db", "desktop.ini", "ehthumbs.db"};
    const char *before = NULL;
    for (uint32_t i = 0; i < reading->files->num; i++) {
        const char *name = reading->files->name(reading->files->ctx, i), *behind = tmi_behind_list(name);
        if (!behind || *behind != '/' || reading->used[i])
            continue;
        const char *base = strrchr(name, '/') + 1, *group = strchr(name, '/') + 1,
                   *slash = strchr(group, '/');
        bool skip = base[0] == '.';
        for (size_t k = 0; k < TMI_COUNT_OF(litter); k++)
            skip = skip || tmi_compare_folded(base, litter[k]) == 0;
        if (skip)
            continue;
        char folder[2 * TM_ERROR_TEXT_SIZE], text[TM_ERROR_TEXT_SIZE];
        size_t size = 0; /* of the folder, if it is a group's folder that no list names */
        if (slash && strncmp(name, "groups/", 7) == 0) {
            tmi_format(text, sizeof(text), "%.*s", (int)(slash - group), group);
            if (tmi_find_name(reading, TM_KIND_GROUP, text) == TM_NONE)
                size = (size_t)(slash - name);
        }
        const char *last = before;
        before = name; /* the files of a folder are neighbours, so it is only reported once */
        if (size && last && strncmp(last, name, size + 1) == 0)
            continue;
        tmi_format(folder, sizeof(folder), "%.*s", (int)(size ? size : strlen(name)), name);
        tmi_report_in(reading, TM_FINDING_FOLDER_UNUSED, TMI_WHOLE(folder),
                      "no list names this %s; it is not read", size ? "folder" : "file");
    }
}

static tm_status read_all_files(tmi_reading *reading, tm_sidecar *kept)
{
    reading->twmap = tmi_find_file(reading->files, "version.json") != TM_NONE &&
                     tmi_find_file(reading->files, "map.json") == TM_NONE;
    TM_TRY(read_lists(reading));
    if (reading->twmap) {
        tmi_twmap_root(reading);
    } else {
        read_map_file(reading);
        if (tmi_file_expected(reading, "info.json"))
            tmi_read_members_of(reading, "info.json",
                                &(tmi_fields_of){{TM_KIND_INFO}, 1, &reading->map->info}, TMI_OWN_FORM);
        read_settings_file(reading);
    }
    read_objects(reading);
    TM_TRY(reading->status);
    if (!reading->twmap)
        TM_TRY(tmi_read_kept(reading, kept));
    report_unused(reading);
    if (reading->errors == 0)
        return tm_map_verify(reading->map, reading->error);
    if (reading->error)
        *reading->error = reading->first;
    return TM_ERROR_DAMAGED;
}

static tm_status begin(tmi_reading *reading, const tm_mapdir_read_options *effective)
{
    const tm_map_options options = {
        .size = sizeof(options), .limits = effective->limits, .allocator = effective->allocator};
    TM_TRY(tmi_limits_take(&reading->limits, effective->limits, reading->error));
    TM_TRY(tm_map_new(&reading->map, &options, reading->error));
    TM_TRY(tmi_arena_reserve(&reading->used, &reading->arena, (size_t)reading->files->num + 1, 1,
                             "a list of files", reading->error));
    memset(reading->used, 0, reading->files->num);
    return TM_OK;
}

tm_status tm_mapdir_read(tm_map **out, tm_sidecar *kept, const tm_files_in *files,
                         const tm_mapdir_read_options *options, const tm_job *job, tm_findings *findings,
                         tm_error *error)
{
    tm_mapdir_read_options effective;
    tm_job work;
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    if (kept)
        memset(kept, 0, sizeof(*kept));
    TM_TRY(tmi_need(files, "files", error));
    TM_TRY(tmi_options_take(&effective, sizeof(effective), options, "tm_mapdir_read_options", error));
    TM_TRY(tmi_job_take(&work, job, error));
    if (files->num && (!files->name || !files->open))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "files->name or files->open is NULL");
    tmi_reading reading = {
        .files = files, .allocator = effective.allocator, .findings = findings, .error = error};
    tmi_arena_init(&reading.arena, effective.allocator);
    tm_status status = begin(&reading, &effective);
    if (status == TM_OK)
        status = read_all_files(&reading, kept);
    tmi_arena_release(&reading.arena);
    if (status == TM_OK) {
        *out = reading.map;
        return TM_OK;
    }
    tm_sidecar_release(kept);
    tm_map_free(reading.map);
    return status;
}
