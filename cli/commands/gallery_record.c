/* SPDX-License-Identifier: Zlib */
/*
 * gallery_record.c - what a run remembers for the next one: names of files that stay the same, and the record
 * in each map's page. Anybody may have changed a page, so each value of its record is checked.
 */
#include "gallery.h"

#include "copy_plan.h"

enum { HASH_DIGITS = 16, MAX_STEM = 40, MAX_PAGE = 16 << 20 };

/* -------------------------------------------------------------------------------------------------- names */

/* Writes the letters and digits of any text, with a single - in place of all else. Returns the length. */
static size_t put_stem(char *out, const char *name)
{
    size_t length = 0;
    for (; *name && length < MAX_STEM; name++) {
        const char c = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (plain)
            out[length++] = c;
        else if (length && out[length - 1] != '-')
            out[length++] = '-';
    }
    while (length && out[length - 1] == '-')
        length--;
    return length;
}

/* The id of a map by its path below the operand; `twin`: how many maps before it have the same path. */
static char *make_id(const char *relative, uint32_t twin)
{
    uint8_t digest[TM_SHA256_SIZE];
    tm_sha256 sha;
    char number[16] = "";
    char *name = files_stem(path_base(relative)), *id = must_alloc(MAX_STEM + HASH_DIGITS + 8, 1);
    if (tm_sha256_init(&sha, NULL))
        memset(digest, 0, sizeof(digest)); /* a program is never built without it */
    tm_sha256_update(&sha, relative, strlen(relative));
    if (twin)
        tm_sha256_update(&sha, number, (size_t)snprintf(number, sizeof(number), "/%" PRIu32, twin));
    tm_sha256_final(&sha, digest);
    size_t length = put_stem(id, name);
    if (!length)
        length = (size_t)snprintf(id, MAX_STEM, "map");
    id[length++] = '-';
    format_hex(id + length, digest, HASH_DIGITS / 2);
    free(name);
    return id;
}

/* The path of a file with the links of its folder resolved. A link to a file counts as another map. */
static char *full_place(const char *path)
{
    char real[4096];
    char *folder = files_copy_folder(path);
    const char *known = tm_sys_real_path(real, sizeof(real), folder) ? real : folder;
    char *place = must_print("%s/%s", known, path_base(path));
    free(folder);
    return place;
}

/* Lists each file once, as with `gallery maps/a maps`: the first of several paths to a file counts. */
static void list_once(file_list *files)
{
    char **places = must_alloc(files->num, sizeof(*places));
    size_t kept = 0;
    for (size_t i = 0; i < files->num; i++)
        places[i] = full_place(files->paths[i]);
    uint32_t *twins = files_twins((const char *const *)places, files->num);
    for (size_t i = 0; i < files->num; i++) {
        free(places[i]);
        if (twins[i]) {
            files_release_path(files, i);
        } else {
            files->paths[kept] = files->paths[i];
            files->relatives[kept++] = files->relatives[i];
        }
    }
    files->num = kept;
    free(twins);
    free(places);
}

void gallery_name_maps(cli_gallery *gallery)
{
    list_once(&gallery->files);
    gallery->maps = must_alloc(gallery->files.num + 1, sizeof(*gallery->maps));
    uint32_t *twins = files_twins(gallery->files.relatives, gallery->files.num);
    for (size_t i = 0; i < gallery->files.num; i++) {
        const char *relative = gallery->files.relatives[i];
        gallery->maps[i] = (gallery_map){
            .path = gallery->files.paths[i], .relative = relative, .id = make_id(relative, twins[i])};
    }
    free(twins);
}

const char *const gallery_file_keys[GALLERY_FILES] = {"picture", "large", "whole", "moves", "download"};

bool gallery_row_has(const json_t *row, gallery_file which)
{
    const json_t *value = tm_json_get(row, gallery_file_keys[which]);
    return json_is_true(value) || json_is(value, TM_JSON_TEXT);
}

const char *gallery_format(const cli_gallery *gallery)
{
    return picture_suffix(gallery->options->picture.format);
}

const char *gallery_ending(char out[32], gallery_file which, const char *format)
{
    static const char *const endings[GALLERY_FILES] = {".", "-large.", "-whole.", "-moves.webp", ".map"};
    const char *ending = endings[which];
    snprintf(out, 32, "%s%s", ending, ending[strlen(ending) - 1] == '.' ? format : "");
    return out;
}

char *gallery_path(const cli_gallery *gallery, const char *folder, const gallery_map *map, const char *ending)
{
    char *name = must_print("%s/%s%s", folder, map->id, ending),
         *path = files_join(gallery->options->picture.folder, name);
    free(name);
    return path;
}

/* ------------------------------------------------------------------------------------------------ records */

/* Nothing for an option that was not given. */
static void put_how(text *out, const char *name, const char *value)
{
    text_string(out, value ? name : "");
    text_safe(out, value ? value : "");
}

void gallery_format_settings(cli_gallery *gallery)
{
    const picture_options *o = &gallery->options->picture;
    text_print(&gallery->settings, "teemap " TM_VERSION_STRING ", pages 3; %" PRIu32 "x%" PRIu32,
               o->size.width, o->size.height);
    text_print(&gallery->settings, "; format %d %" PRIu32 " %d; time %.3f; look %d; mode %d", (int)o->format,
               o->quality, o->compress, o->time, (int)o->look, (int)o->common.mode);
    text_print(&gallery->settings, "; missing %d; detail %d; numbers %d; background %d %02x%02x%02x",
               (int)o->missing, o->detail, o->numbers, o->background.word, o->background.rgb[0],
               o->background.rgb[1], o->background.rgb[2]);
    text_print(&gallery->settings, "%s%s", gallery->options->tiles ? "; tiles" : "",
               gallery->options->downloads ? "; downloads" : "");
    put_how(&gallery->settings, "; viewer ", gallery->options->viewer);
    put_how(&gallery->settings, "; live ", gallery->options->live);
    text_string(&gallery->settings, gallery->options->no_animations ? "; still" : "");
    put_how(&gallery->settings, "; layers ", o->layers ? o->layers : "all");
    put_how(&gallery->settings, "; entities ", o->entities);
}

json_t *gallery_record(const cli_gallery *gallery, json_t *row, const loaded *file, const text *missing)
{
    return json_object(JSON_TEXT("how", gallery->settings.bytes),
                       JSON_TEXT("sha256", file->hashed ? file->sha256 : NULL),
                       JSON_VALUE("missing", json_lines(missing)), JSON_VALUE("row", row));
}

/* Reads the record from the script element of a page; NULL: teemap did not make the page. */
static json_t *read_record(const uint8_t *bytes, size_t size)
{
    static const char ours[] = "content=\"teemap gallery\"",
                      place[] = "<script type=\"application/json\" id=\"record\">";
    const char *page = (const char *)bytes;
    if (strlen(page) != size || !strstr(page, ours))
        return NULL;
    const char *start = strstr(page, place), *end = start ? strstr(start, "</script>") : NULL;
    if (!end)
        return NULL;
    start += sizeof(place) - 1;
    return json_read(start, (size_t)(end - start));
}

static bool text_is(const json_t *object, const char *key, const char *expected)
{
    const char *value = json_text_of(tm_json_get(object, key));
    return value && strcmp(value, expected) == 0;
}

/* Whether a file exists. Takes the path over. */
static bool is_there(char *path)
{
    const bool fine = tm_sys_kind_of_entry(path) == TM_SYS_FILE;
    free(path);
    return fine;
}

/* Whether all files that a row names exist. */
static bool has_files(const cli_gallery *gallery, const gallery_map *map, const json_t *row)
{
    const char *format = text_is(row, "picture", "webp") ? "webp" : "png";
    char ending[32];
    bool fine = json_is(tm_json_get(row, "picture"), TM_JSON_NULL) || text_is(row, "picture", format);
    for (int i = 0; i < GALLERY_FILES; i++)
        fine =
            fine &&
            (!gallery_row_has(row, (gallery_file)i) ||
             is_there(gallery_path(gallery, "maps", map, gallery_ending(ending, (gallery_file)i, format))));
    return fine && (!json_is_true(tm_json_get(row, "tiles")) ||
                    is_there(gallery_path(gallery, "tiles", map, "/index.html")));
}

/* Whether JSON has the members and types of a row in the list of all maps. */
static bool is_row(const cli_gallery *gallery, const gallery_map *map, const json_t *row)
{
    static const char *const texts[] = {"name", "folder", "author", "game"}, *const numbers[] = {
                                                                                 "width",  "height",
                                                                                 "bytes",  "missing",
                                                                                 "errors", "warnings"};
    bool fine = json_is(row, TM_JSON_OBJECT) && text_is(row, "id", map->id) &&
                json_is(tm_json_get(row, "features"), TM_JSON_ARRAY);
    for (size_t i = 0; fine && i < sizeof(texts) / sizeof(texts[0]); i++)
        fine = json_is(tm_json_get(row, texts[i]), TM_JSON_TEXT);
    for (size_t i = 0; fine && i < sizeof(numbers) / sizeof(numbers[0]); i++)
        fine = json_is(tm_json_get(row, numbers[i]), TM_JSON_NUMBER) && tm_json_get(row, numbers[i])->whole;
    const json_t *broken = tm_json_get(row, "broken"), *features = tm_json_get(row, "features");
    for (const json_t *feature = fine ? features->first : NULL; feature; feature = feature->next)
        fine &= json_is(feature, TM_JSON_TEXT);
    return fine && (json_is(broken, TM_JSON_TEXT) || json_is(broken, TM_JSON_NULL)) &&
           has_files(gallery, map, row);
}

/* Whether all images that were missing in the last run are still missing. */
static bool still_lacks(const cli_gallery *gallery, const gallery_map *map, const json_t *record)
{
    const json_t *missing = tm_json_get(record, "missing");
    tm_mapres *mapres;
    bool fine = json_is(missing, TM_JSON_ARRAY);
    if (!fine || !missing->num)
        return fine;
    const char *word = json_text_of(tm_json_get(tm_json_get(record, "row"), "game"));
    const tm_game game =
        word && strcmp(word, tm_game_name(TM_GAME_TEEWORLDS07)) == 0 ? TM_GAME_TEEWORLDS07 : TM_GAME_DDNET;
    if (images_open(&mapres, &gallery->options->picture.mapres, map->path, game, gallery->images, NULL))
        return false;
    for (const json_t *name = missing->first; name; name = name->next) {
        char *path = NULL;
        fine &= json_is(name, TM_JSON_TEXT) && !images_find(&path, mapres, json_text_of(name), game, NULL) &&
                !path;
        free(path);
    }
    tm_mapres_free(mapres);
    return fine;
}

static bool is_same_file(const gallery_map *map, const json_t *record)
{
    tm_hashes hashes;
    char digits[2 * sizeof(hashes.sha256) + 1];
    if (!json_is(tm_json_get(record, "sha256"), TM_JSON_TEXT) ||
        tm_store_hash(&hashes, map->path, NULL, NULL))
        return false;
    format_hex(digits, hashes.sha256, sizeof(hashes.sha256));
    return text_is(record, "sha256", digits);
}

/* Loads the record in a map's page; NULL: there is none. *bytes becomes the page; the caller frees it. */
static json_t *load_record(const cli_gallery *gallery, const gallery_map *map, const char *page,
                           uint8_t **bytes, size_t *size)
{
    *bytes = NULL;
    if (tm_sys_kind_of_entry(page) != TM_SYS_FILE || read_path(bytes, size, page, MAX_PAGE, NULL, NULL))
        return NULL;
    json_t *record = read_record(*bytes, *size);
    if (is_row(gallery, map, tm_json_get(record, "row")))
        return record;
    json_free(record);
    return NULL;
}

json_t *gallery_remembered(const cli_gallery *gallery, const gallery_map *map)
{
    uint8_t *bytes;
    size_t size;
    char *page = gallery_path(gallery, "maps", map, ".html");
    json_t *record = load_record(gallery, map, page, &bytes, &size);
    json_t *row = json_copy(tm_json_get(record, "row"));
    json_free(record);
    free(bytes);
    free(page);
    return row;
}

bool gallery_is_fresh(const cli_gallery *gallery, gallery_map *map)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    char *page = gallery_path(gallery, "maps", map, ".html");
    json_t *record = gallery->options->force ? NULL : load_record(gallery, map, page, &bytes, &size);
    bool fresh =
        record && text_is(record, "how", gallery->settings.bytes) && still_lacks(gallery, map, record);
    if (fresh && !tm_sys_is_newer(page, map->path)) {
        text whole = {.bytes = (char *)bytes, .size = size};
        fresh = is_same_file(map, record) && !gallery_save(page, &whole, NULL);
    }
    if (fresh)
        map->row = json_copy(tm_json_get(record, "row"));
    json_free(record);
    free(bytes);
    free(page);
    return fresh;
}
