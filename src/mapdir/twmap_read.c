/* SPDX-License-Identifier: Zlib */
/*
 * Reads a map from MapDir. Its lists of objects are its files, sorted by name; the number in front of a name
 * is not part of the object's name. Names in files can only refer to files of these lists.
 */
#include "twmap.h"

bool tmi_is_twmap(const tmi_reading *reading)
{
    return tmi_find_file(reading->files, "version.json") != TM_NONE &&
           tmi_find_file(reading->files, "map.json") == TM_NONE;
}

/* -------------------------------------------------------------------------------------------------- lists */

/* Most bytes of a file's name, and of a path with such a name. */
enum { MAX_NAME = 255, NAME_PATH = MAX_NAME + 32 };

/*
 * The size of the part of a path between a folder and an ending, as of "0_sun" in "images/0_sun.png"; 0 if
 * the path does not have this form. `end` NULL: up to the next slash.
 */
static size_t part_of_name(const char *file, const char *folder, const char *end)
{
    const size_t before = strlen(folder);
    if (strncmp(file, folder, before) != 0)
        return 0;
    const char *part = file + before, *slash = strchr(part, '/');
    if (!end)
        return slash ? (size_t)(slash - part) : 0;
    const size_t size = strlen(part), behind = strlen(end);
    return !slash && size > behind && strcmp(part + size - behind, end) == 0 ? size - behind : 0;
}

/* Adds a name. A folder comes once for each of its files, one after the other, and is added once. */
static tm_status list_one(tmi_reading *reading, tmi_name_list *out, const char *name, size_t size)
{
    if (out->num && strlen(out->names[out->num - 1].name) == size &&
        strncmp(out->names[out->num - 1].name, name, size) == 0)
        return TM_OK;
    if (size > MAX_NAME)
        return tmi_fail(reading->error, TM_ERROR_LIMIT, -1,
                        "a name in the folder has %llu bytes, more than %d: '%.40s...'",
                        (unsigned long long)size, MAX_NAME, name);
    const char *own;
    TM_TRY(tmi_arena_text(&own, &reading->arena, name, size, "a name", reading->error));
    out->names[out->num] = (tmi_listed){own, out->num, 0};
    out->num++;
    return TM_OK;
}

/* Lists the files of a folder with one of two endings, or with `end` NULL its subfolders. */
static tm_status list_files(tmi_reading *reading, tmi_name_list *out, const char *folder, const char *end,
                            const char *other)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < reading->files->num; i++) {
        const char *file = reading->files->name(reading->files->ctx, i);
        num += part_of_name(file, folder, end) || (other && part_of_name(file, folder, other));
    }
    TM_TRY(tmi_name_list_new(reading, out, num));
    for (uint32_t i = 0; i < reading->files->num; i++) {
        const char *file = reading->files->name(reading->files->ctx, i);
        size_t size = part_of_name(file, folder, end);
        if (!size && other)
            size = part_of_name(file, folder, other);
        if (size)
            TM_TRY(list_one(reading, out, file + strlen(folder), size));
    }
    tmi_sort_list(out);
    for (uint32_t i = 0; i < out->num; i++) {
        out->sorted[i].index = i;
        out->names[i] = out->sorted[i];
    }
    return TM_OK;
}

tm_status tmi_twmap_read_lists(tmi_reading *reading)
{
    static const char *const ends[TMI_LISTS][2] = {[TM_OBJECT_IMAGE] = {".png", ".json"},
                                                   [TM_OBJECT_SOUND] = {".opus", NULL},
                                                   [TM_OBJECT_ENVELOPE] = {".json", NULL},
                                                   [TM_OBJECT_GROUP] = {NULL, NULL}};
    char folder[NAME_PATH];
    for (int kind = 0; kind < TMI_LISTS; kind++) {
        tmi_format(folder, sizeof(folder), "%s/", tmi_list_names[kind]);
        TM_TRY(list_files(reading, &reading->lists[kind], folder, ends[kind][0], ends[kind][1]));
        TM_TRY(tmi_reserve_listed(reading, (tm_object)kind));
    }
    TM_TRY(tmi_reserve_layers(reading));
    for (uint32_t g = 0; g < reading->lists[TM_OBJECT_GROUP].num; g++) {
        tmi_format(folder, sizeof(folder), "groups/%s/layers/",
                   reading->lists[TM_OBJECT_GROUP].names[g].name);
        TM_TRY(list_files(reading, &reading->layers[g], folder, ".json", NULL));
        TM_TRY(tmi_group_reserve(reading->map, &reading->map->groups[g], reading->layers[g].num,
                                 reading->error));
    }
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------------- whole map */

static void take_game(tmi_json_file *file)
{
    tm_map *map = file->reading->map;
    const tmi_json_token token = tmi_next_value(file);
    const char *text = token == TMI_JSON_STRING ? tmi_json_text(file->json) : "";
    if (strcmp(text, "ddnet06") == 0)
        map->game = TM_GAME_DDNET;
    else if (strcmp(text, "teeworlds07") == 0)
        map->game = TM_GAME_TEEWORLDS07;
    else
        tmi_json_unexpected(file, token, "\"ddnet06\" or \"teeworlds07\"");
}

static void read_version_file(tmi_reading *reading)
{
    char key[TMI_KEY_SIZE];
    bool any = false;
    tmi_json_file file;
    if (!tmi_json_open(&file, reading, "version.json"))
        return;
    while (tmi_json_member(&file, key)) {
        any = any || strcmp(key, "type") == 0;
        if (strcmp(key, "type") == 0)
            take_game(&file);
        else if (strcmp(key, "created_by") == 0)
            tmi_json_skip(file.json, tmi_next_value(&file));
        else
            tmi_unknown_member(&file, key);
    }
    if (!any)
        tmi_find_in(reading, TM_FINDING_FOLDER_MISSING, TMI_WHOLE(file.name), "the member 'type' is missing");
    tmi_json_close(&file);
}

static void read_twmap_settings(tmi_json_file *file)
{
    tmi_reading *reading = file->reading;
    tmi_arena arena;
    const tm_json *node = tmi_read_tree(file, tmi_next_value(file), &arena);
    const bool list = node && node->kind == TM_JSON_ARRAY;
    const char **texts = NULL;
    uint32_t num = 0;
    if (list)
        tmi_note_status(reading, tmi_arena_reserve(&texts, &arena, (size_t)node->num + 1, sizeof(*texts),
                                                   "the settings", reading->error));
    for (const tm_json *at = !list ? node : texts ? node->first : NULL; at; at = at->next)
        if (list && at->kind == TM_JSON_TEXT)
            texts[num++] = at->text;
        else
            tmi_find_in(reading, TM_FINDING_FOLDER_VALUE, (tmi_text_place){file->name, at->line, at->column},
                        "%s is expected", list ? "a text" : "a list of texts: [ ... ]");
    if (num)
        tmi_note_status(reading, tm_map_set_settings(reading->map, texts, num, reading->error));
    tmi_arena_release(&arena);
}

static void read_twmap_info(tmi_reading *reading)
{
    const tmi_fields_of target = {{TM_OWNER_INFO}, 1, &reading->map->info};
    char key[TMI_KEY_SIZE];
    tmi_json_file file;
    if (!tmi_file_expected(reading, "info.json") || !tmi_json_open(&file, reading, "info.json"))
        return;
    while (tmi_json_member(&file, key))
        if (strcmp(key, "settings") == 0)
            read_twmap_settings(&file);
        else if (!tmi_read_member(&file, &target, key))
            tmi_unknown_member(&file, key);
    tmi_json_close(&file);
}

/* ------------------------------------------------------------------------------------------------ objects */

/* The name without the number and the underscore in front, if it has these. */
static const char *name_in_stem(const char *stem)
{
    const char *end = stem + strspn(stem, "0123456789");
    if (end == stem)
        return stem;
    return *end == '_' ? end + 1 : *end ? stem : end;
}

static void read_twmap_image(tmi_reading *reading, const char *stem, tm_image *image)
{
    const tmi_rows rows = tmi_twmap_rows(TMI_TABLE_IMAGE);
    const tmi_fields_of target = {{TM_OWNER_IMAGE}, 1, image};
    char path[NAME_PATH], other[NAME_PATH];
    tmi_fields_start(&target);
    tmi_note_status(reading, tm_map_set_text(reading->map, &image->name, name_in_stem(stem), reading->error));
    tmi_format(path, sizeof(path), "images/%s.png", stem);
    tmi_format(other, sizeof(other), "images/%s.json", stem);
    image->external = tmi_find_file(reading->files, path) == TM_NONE;
    if (image->external)
        tmi_read_members_of(reading, other, &target, &rows);
    else
        tmi_read_picture(reading, path, image);
}

static void read_twmap_sound(tmi_reading *reading, const char *stem, tm_sound *sound)
{
    char path[NAME_PATH];
    tmi_note_status(reading, tm_map_set_text(reading->map, &sound->name, name_in_stem(stem), reading->error));
    tmi_format(path, sizeof(path), "sounds/%s.opus", stem);
    sound->external = false;
    tmi_read_raw(reading, path, &sound->data);
}

static const struct {
    int32_t channels;
    const char *name;
    tmi_table table;
} channel_names[] = {
    {TM_ENVELOPE_SOUND, "sound", TMI_TABLE_POINT_SOUND},
    {TM_ENVELOPE_POSITION, "position", TMI_TABLE_POINT_POSITION},
    {TM_ENVELOPE_COLOR, "color", TMI_TABLE_POINT_COLOR},
};

/* Reads the type, which determines the members of points. It need not be the first member. */
static bool read_envelope_type(tmi_json_file *file, tm_envelope *envelope)
{
    char key[TMI_KEY_SIZE];
    envelope->channels = 0;
    while (!envelope->channels && tmi_json_member(file, key)) {
        const tmi_json_token token = tmi_next_value(file);
        if (strcmp(key, "type") != 0) {
            tmi_json_skip(file->json, token);
            continue;
        }
        for (size_t i = 0; i < TMI_COUNT_OF(channel_names) && token == TMI_JSON_STRING; i++)
            if (strcmp(tmi_json_text(file->json), channel_names[i].name) == 0)
                envelope->channels = channel_names[i].channels;
        if (!envelope->channels) {
            tmi_json_unexpected(file, token, "\"position\", \"color\" or \"sound\"");
            break;
        }
    }
    if (envelope->channels)
        return true;
    tmi_find_in(file->reading, TM_FINDING_FOLDER_MISSING, TMI_WHOLE(file->name),
                "the envelope does not say its type");
    envelope->channels = TM_ENVELOPE_POSITION;
    return false;
}

static void read_envelope_body(tmi_json_file *file, tm_envelope *envelope)
{
    const tmi_fields_of target = {{TM_OWNER_ENVELOPE}, 1, envelope};
    size_t kind = 0;
    while (kind + 1 < TMI_COUNT_OF(channel_names) && channel_names[kind].channels != envelope->channels)
        kind++;
    const tmi_rows rows = tmi_twmap_rows(channel_names[kind].table);
    tm_buffer points = {.allocator = file->reading->allocator};
    uint32_t num = 0;
    char key[TMI_KEY_SIZE];
    tmi_json_rewind(file->json);
    if (tmi_json_next(file->json) != TMI_JSON_OBJECT)
        return;
    while (tmi_json_member(file, key)) {
        if (strcmp(key, "points") == 0) {
            points.size = 0;
            tmi_read_elements(file, TM_OWNER_ENVELOPE_POINT, &rows, &points, &num);
        } else if (strcmp(key, "name") == 0 || strcmp(key, "synchronized") == 0) {
            tmi_read_member(file, &target, key);
        } else if (strcmp(key, "type") == 0) {
            tmi_json_skip(file->json, tmi_next_value(file));
        } else {
            tmi_unknown_member(file, key);
        }
    }
    tmi_take_points(file->reading, envelope, &points, num);
    tm_buffer_release(&points);
}

static void read_twmap_envelope(tmi_reading *reading, const char *stem, tm_envelope *envelope)
{
    const tmi_fields_of target = {{TM_OWNER_ENVELOPE}, 1, envelope};
    char path[NAME_PATH];
    tmi_json_file file;
    tmi_fields_start(&target);
    tmi_format(path, sizeof(path), "envelopes/%s.json", stem);
    if (!tmi_json_open(&file, reading, path))
        return;
    if (read_envelope_type(&file, envelope))
        read_envelope_body(&file, envelope);
    tmi_json_close(&file);
}

static void read_twmap_group(tmi_reading *reading, const char *stem, tm_group *group)
{
    const tmi_rows rows = tmi_twmap_rows(TMI_TABLE_GROUP);
    const tmi_fields_of target = {{TM_OWNER_GROUP}, 1, group};
    char path[NAME_PATH];
    tmi_fields_start(&target);
    tmi_format(path, sizeof(path), "groups/%s/group.json", stem);
    tmi_read_members_of(reading, path, &target, &rows);
}

void tmi_twmap_read_objects(tmi_reading *reading)
{
    static const tmi_object_readers readers = {read_twmap_image, read_twmap_sound, read_twmap_envelope,
                                               read_twmap_group, tmi_twmap_read_layer};
    read_version_file(reading);
    read_twmap_info(reading);
    tmi_read_objects(reading, &readers);
}
