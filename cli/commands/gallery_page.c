/* SPDX-License-Identifier: Zlib */
/*
 * gallery_page.c - the values that the forms of the pages need. The page of a map is plain HTML, which needs
 * no script; gallery.js fills the page of all maps from the list.
 */
#include "gallery.h"

#include "tiling.h"
#include "output/describe.h"

/* Lines of a list whose objects a map may hold by the million. */
enum { MAX_LINES = 2000 };

/* -------------------------------------------------------------------------------------------------- facts */

/* What visitors call a feature. Features that tell them nothing have no title; searches use the ids. */
static const char *const feature_titles[TM_FEATURE_COUNT] = {[TM_FEATURE_EMBEDDED_IMAGES] = "own images",
                                                             [TM_FEATURE_ENVELOPES] = "animated layers",
                                                             [TM_FEATURE_FRONT] = "front layer",
                                                             [TM_FEATURE_SETTINGS] = "server settings",
                                                             [TM_FEATURE_SOUNDS] = "sounds",
                                                             [TM_FEATURE_SPEEDUP] = "speedups",
                                                             [TM_FEATURE_SWITCH] = "switches",
                                                             [TM_FEATURE_TELE] = "teleporters",
                                                             [TM_FEATURE_TUNE] = "tuning zones"};

static const struct {
    tm_game game;
    const char *title;
} game_titles[] = {
    {TM_GAME_DDNET, "DDNet"}, {TM_GAME_TEEWORLDS06, "Teeworlds 0.6"}, {TM_GAME_TEEWORLDS07, "Teeworlds 0.7"}};

static const char *game_title(tm_game game)
{
    for (size_t i = 0; i < sizeof(game_titles) / sizeof(game_titles[0]); i++)
        if (game_titles[i].game == game)
            return game_titles[i].title;
    return tm_game_name(game);
}

static json_t *feature_titles_of(const tm_map *map)
{
    const uint64_t used = tm_mapfile_features(map);
    json_t *list = json_array();
    for (int f = 0; f < TM_FEATURE_COUNT; f++)
        if (used >> f & 1 && feature_titles[f])
            json_append(list, json_string(feature_titles[f]));
    return list;
}

/* Adds the author in the form that the page's search takes in quotes. */
static void add_author_words(json_t *object, const char *author)
{
    text shown = {0};
    text_safe(&shown, author);
    for (char *quote = shown.bytes; quote && (quote = strchr(quote, '"'));)
        memmove(quote, quote + 1, strlen(quote));
    json_add_text(object, "author_words", shown.bytes);
    text_release(&shown);
}

/* A day, as in 2026-11-23: of the proleptic calendar in whole days since 1970 (eras of 400 years). */
static json_t *date_of(int64_t seconds)
{
    const int64_t day = seconds / 86400 + 719468, era = day / 146097, of_era = day % 146097;
    const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t month = (5 * of_year + 2) / 153, number = month < 10 ? month + 3 : month - 9;
    char *date = must_print("%04" PRId64 "-%02" PRId64 "-%02" PRId64, year_of_era + era * 400 + (number <= 2),
                            number, of_year - (153 * month + 2) / 5 + 1);
    json_t *value = seconds > 0 ? json_string(date) : NULL;
    free(date);
    return value;
}

/* A list of rows, and how many more of `num` there are; null: there are no rows. */
static json_t *long_list(json_t *rows, uint64_t num)
{
    if (num)
        return json_object(JSON_INT("num", num), JSON_INT("more", num - rows->num), JSON_VALUE("rows", rows));
    json_free(rows);
    return NULL;
}

static json_t *settings_list(const tm_map *map)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < map->info.num_settings && i < MAX_LINES; i++)
        json_append(rows, json_string(map->info.settings[i]));
    return long_list(rows, map->info.num_settings);
}

static json_t *images_list(const tm_map *map)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < map->num_images && i < MAX_LINES; i++) {
        const tm_image *image = &map->images[i];
        json_append(rows, json_object(JSON_TEXT("name", image->name ? image->name : ""),
                                      JSON_INT("width", image->width), JSON_INT("height", image->height),
                                      JSON_BOOL("external", image->external)));
    }
    return long_list(rows, map->num_images);
}

static json_t *map_facts(const tm_map *map)
{
    json_t *object = json_make();
    json_add_map(object, map, MAP_NUMBERS);
    json_add_info(object, map);
    add_author_words(object, map->info.author ? map->info.author : "");
    return json_add_all(
        object,
        JSON_TEXT("game_title", tm_mapfile_get_kind(map) == TM_MAPFILE_MAP ? game_title(map->game) : NULL),
        JSON_VALUE("feature_titles", feature_titles_of(map)));
}

/* -------------------------------------------------------------------------------------------------- lists */

static json_t *missing_table(const text *missing)
{
    json_t *object = json_make(), *images = json_add_array(object, "images"), *names = json_lines(missing);
    for (const json_t *name = names->first; name; name = name->next) {
        text shipped = {0};
        image_put_shipped(&shipped, name->text);
        json_append(images,
                    json_object(JSON_TEXT("name", name->text), JSON_TEXT("shipped", text_words(&shipped))));
        text_release(&shipped);
    }
    json_free(names);
    return object;
}

static json_t *finding_row(tm_severity severity, const char *key, const char *word, uint64_t count)
{
    return json_object(JSON_TEXT("severity", tm_severity_name(severity)), JSON_TEXT(key, word),
                       JSON_INT("count", count));
}

/* The findings by their ids. Their texts, with offsets in the file, are for its author, who runs a check. */
static json_t *findings_table(const tm_findings *findings)
{
    json_t *object = json_make(), *rows = json_add_array(object, "rows");
    for (size_t i = 0; i < findings->num; i++) {
        const tm_finding *finding = &findings->list[i];
        uint64_t count = 0;
        size_t before = 0;
        for (size_t k = 0; k < findings->num; k++)
            if (findings->list[k].id == finding->id) {
                count += findings->list[k].count;
                before += k < i;
            }
        if (!before)
            json_append(rows, finding_row(finding->severity, "id", tm_finding_name(finding->id), count));
    }
    json_add_int(object, "num", (int64_t)(findings->num + findings->unlisted));
    return object;
}

/* The findings of `teemap lint` that players would notice, one row for each rule. */
static json_t *problems_table(const tm_lint_result *lint)
{
    const tm_findings *findings = &lint->findings;
    json_t *object = json_make(), *rows = json_add_array(object, "rows");
    for (size_t i = 0, end; i < findings->num; i = end) {
        const tm_lint_rule *rule = tm_lint_rule_for(lint, i);
        uint64_t count = 0;
        for (end = i; end < findings->num && tm_lint_rule_for(lint, end) == rule; end++)
            count += findings->list[end].count;
        if (findings->list[i].severity >= TM_SEVERITY_WARNING)
            json_append(rows, finding_row(findings->list[i].severity, "title", rule->title, count));
    }
    return object;
}

/* Adds a table if it has rows. */
static void add_table(json_t *values, const char *key, json_t *table)
{
    if (table->first->num)
        json_add(values, key, table);
    else
        json_free(table);
}

/* --------------------------------------------------------------------------------------------------- page */

/* The element that shows a picture of the map; null if the map has none, or if `unless`. */
static json_t *figure(const gallery_exhibit *exhibit, gallery_file which, uint32_t width, uint32_t height,
                      bool unless)
{
    char ending[32];
    if (!exhibit->has[which] || unless)
        return NULL;
    char *src = must_print("%s%s", exhibit->map->id,
                           gallery_ending(ending, which, gallery_format(exhibit->site) + 1));
    json_t *object = json_object(JSON_TEXT("src", src), JSON_INT("width", width), JSON_INT("height", height));
    free(src);
    return object;
}

/* The element that draws the map live, with its thumbnail for browsers without scripts. */
static json_t *live_map(const gallery_exhibit *exhibit)
{
    const picture_options *o = &exhibit->site->options->picture;
    char *src = must_print("%s.map", exhibit->map->id);
    json_t *object = live_view_values(&(live_view){.map = exhibit->file.map,
                                                   .script = exhibit->site->options->live,
                                                   .base = "../",
                                                   .src = src,
                                                   .images = "../mapres",
                                                   .label = exhibit->name,
                                                   .options = o,
                                                   .still = exhibit->site->options->no_animations});
    free(src);
    return json_add_all(
        object, JSON_VALUE("still", figure(exhibit, GALLERY_PICTURE, o->size.width, o->size.height, false)));
}

static void add_pictures(json_t *values, const gallery_exhibit *exhibit)
{
    const size_value size = exhibit->site->options->picture.size;
    const bool large = exhibit->has[GALLERY_LARGE], /* what is blank needs no module */
        live = exhibit->site->options->live && exhibit->has[GALLERY_COPY] && !exhibit->best.blank &&
               !exhibit->broken;
    const uint32_t times = large ? GALLERY_TIMES : 1;
    json_add_all(values, JSON_VALUE("live", live ? live_map(exhibit) : NULL),
                 JSON_VALUE("shown", figure(exhibit, large ? GALLERY_LARGE : GALLERY_PICTURE,
                                            size.width * times, size.height * times, live)),
                 JSON_VALUE("moves", figure(exhibit, GALLERY_MOTION, size.width, size.height, false)),
                 JSON_VALUE("whole", figure(exhibit, GALLERY_WHOLE, exhibit->whole_width,
                                            exhibit->whole_height, false)),
                 JSON_BOOL("tiles", exhibit->tiles && !exhibit->broken),
                 JSON_BOOL("download", exhibit->has[GALLERY_COPY] && exhibit->site->options->downloads),
                 JSON_TEXT("viewer", exhibit->has[GALLERY_COPY] ? exhibit->site->options->viewer : NULL));
}

json_t *gallery_page_values(const gallery_exhibit *exhibit)
{
    const loaded *file = &exhibit->file;
    json_t *values =
        json_object(JSON_TEXT("id", exhibit->map->id), JSON_TEXT("name", exhibit->name),
                    JSON_TEXT("broken", exhibit->broken), JSON_BOOL("blank", exhibit->best.blank),
                    JSON_VALUE("record", gallery_record(exhibit->site, json_copy(exhibit->map->row), file,
                                                        &exhibit->missing)));
    add_pictures(values, exhibit);
    json_add_all(values, JSON_VALUE("map", file->map ? map_facts(file->map) : NULL),
                 JSON_TEXT("file", exhibit->map->relative), JSON_INT("file_size", file->file_size),
                 JSON_VALUE("date", date_of(exhibit->written)),
                 JSON_TEXT("sha256", file->hashed ? file->sha256 : NULL), JSON_TEXT("crc32", file->crc32),
                 JSON_TEXT("check", check_result_name(&exhibit->result, &file->findings)));
    add_table(values, "missing", missing_table(&exhibit->missing));
    add_table(values, "problems", problems_table(&exhibit->lint));
    add_table(values, "findings", findings_table(&file->findings));
    return json_add_all(values, JSON_VALUE("settings", file->map ? settings_list(file->map) : NULL),
                        JSON_VALUE("images", file->map ? images_list(file->map) : NULL));
}

static const char list_form[] =
    "/* The maps of a teemap gallery. */\nvar teemapGallery={\"picture\":{{picture:json}},\"games\":{{games:json}},"
    "\"features\":{{features:json}},\n\"maps\":[\n{{#maps}}{{.:json}}{{|}},\n{{/}}\n\n]};\n";

void gallery_put_list(text *out, const cli_gallery *gallery)
{
    const size_value *size = &gallery->options->picture.size;
    /* what the list calls games and features, by their ids */
    json_t *values = json_make(), *games = json_add_object(values, "games"),
           *features = json_add_object(values, "features"), *maps = json_add_array(values, "maps");
    for (size_t i = 0; i < sizeof(game_titles) / sizeof(game_titles[0]); i++)
        json_add_text(games, tm_game_name(game_titles[i].game), game_titles[i].title);
    for (int f = 0; f < TM_FEATURE_COUNT; f++)
        if (feature_titles[f])
            json_add_text(features, tm_feature_name((tm_feature)f), feature_titles[f]);
    for (size_t i = 0; i < gallery->files.num; i++)
        if (gallery->maps[i].row)
            json_append(maps, json_copy(gallery->maps[i].row));
    for (json_t *row = gallery->absent ? gallery->absent->first : NULL; row; row = row->next)
        json_append(maps, json_copy(row));
    json_add(values, "picture", json_integers(size->width, size->height));
    form_put(out, list_form, values, text_string);
    json_free(values);
}
