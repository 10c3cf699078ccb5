/* SPDX-License-Identifier: Zlib */
/*
 * gallery_page.c - the words of the pages: the page of a map is plain HTML without any script; the page of
 * all maps is filled by gallery.js from the list. Texts of maps go through output/html.h.
 */
#include "gallery.h"

#include "image_survey.h"
#include "live_view.h"
#include "output/html.h"
#include "output/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of what a map may hold by the million. */
enum { MAX_LINES = 2000 };

/* -------------------------------------------------------------------------------------------------- facts */

static void begin_fact(text *out, const char *label)
{
    text_print(out, "<dt>%s</dt><dd>", label);
}

static void end_fact(text *out)
{
    text_string(out, "</dd>\n");
}

static void put_text_fact(text *out, const char *label, const char *value)
{
    if (value && *value) {
        begin_fact(out, label);
        text_string(out, "<bdi>");
        html_text(out, value);
        text_string(out, "</bdi>");
        end_fact(out);
    }
}

static void put_number_fact(text *out, const char *label, uint64_t number)
{
    begin_fact(out, label);
    text_print(out, "%" PRIu64, number);
    end_fact(out);
}

static void put_layers_fact(text *out, const tm_mapfile_counts *n)
{
    const char *before = ": ";
    begin_fact(out, "Layers");
    text_print(out, "%" PRIu64, n->layers);
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
        if (n->layers_of[kind]) {
            text_print(out, "%s%" PRIu64 " %s", before, n->layers_of[kind],
                       tm_game_layer((tm_layer_kind)kind)->name);
            before = ", ";
        }
    end_fact(out);
}

/* What visitors of a page call it; what says nothing to them has no title. The ids are for searches. */
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

static void put_features_fact(text *out, const tm_map *map)
{
    const uint64_t used = tm_mapfile_features(map);
    const char *before = "";
    begin_fact(out, "Features");
    for (int f = 0; f < TM_FEATURE_COUNT; f++)
        if (used >> f & 1 && feature_titles[f]) {
            text_print(out, "%s%s", before, feature_titles[f]);
            before = ", ";
        }
    text_string(out, *before ? "" : "none");
    end_fact(out);
}

/* A link to the list that shows all maps of the author. */
static void put_author_fact(text *out, const char *author)
{
    text shown = {0};
    if (!author || !*author)
        return;
    begin_fact(out, "Author");
    text_string(out, "<bdi>");
    html_text(out, author);
    text_string(out, "</bdi> (<a href=\"../index.html#q=author%3A%22");
    text_safe(&shown, author);
    for (size_t i = 0; i < shown.size; i++) {
        const unsigned char c = (unsigned char)shown.bytes[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (c != '"')
            text_print(out, plain ? "%c" : "%%%02X", c);
    }
    text_string(out, "%22\">all maps</a>)");
    end_fact(out);
    text_release(&shown);
}

/* A day, as in 2026-11-23: of the proleptic calendar in whole days since 1970 (eras of 400 years). */
static void put_date_fact(text *out, int64_t seconds)
{
    const int64_t day = seconds / 86400 + 719468, era = day / 146097, of_era = day % 146097;
    const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t month = (5 * of_year + 2) / 153, number = month < 10 ? month + 3 : month - 9;
    if (seconds <= 0)
        return;
    begin_fact(out, "Date");
    text_print(out, "%04" PRId64 "-%02" PRId64 "-%02" PRId64, year_of_era + era * 400 + (number <= 2), number,
               of_year - (153 * month + 2) / 5 + 1);
    end_fact(out);
}

static void put_size_fact(text *out, const tm_map *map)
{
    const tm_layer *game = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_GAME);
    if (game) {
        begin_fact(out, "Size");
        text_print(out, "%" PRIu32 " &times; %" PRIu32 " tiles", game->as.tiles.width, game->as.tiles.height);
        end_fact(out);
    }
}

static void put_map_facts(text *out, const tm_map *map)
{
    tm_mapfile_counts n;
    tm_mapfile_count(&n, map);
    put_author_fact(out, map->info.author);
    put_text_fact(out, "Version", map->info.version);
    put_text_fact(out, "Credits", map->info.credits);
    put_text_fact(out, "License", map->info.license);
    if (tm_mapfile_get_kind(map) == TM_MAPFILE_MAP)
        put_text_fact(out, "Game", game_title(map->game));
    put_size_fact(out, map);
    put_features_fact(out, map);
    put_layers_fact(out, &n);
    put_number_fact(out, "Groups", map->num_groups);
    begin_fact(out, "Images");
    text_print(out, "%" PRIu32 ": %" PRIu64 " embedded, %" PRIu64 " external", map->num_images,
               n.embedded_images, n.external_images);
    end_fact(out);
    put_number_fact(out, "Sounds", map->num_sounds);
    put_number_fact(out, "Envelopes", map->num_envelopes);
    put_number_fact(out, "Quads", n.quads);
    begin_fact(out, "Size in memory");
    text_bytes(out, n.unpacked_bytes);
    end_fact(out);
}

static void put_facts(text *out, const gallery_facts *of)
{
    text_string(out, "<h2>Facts</h2>\n<dl>\n");
    if (of->file->map)
        put_map_facts(out, of->file->map);
    put_text_fact(out, "File", of->of->relative);
    begin_fact(out, "File size");
    text_bytes(out, of->file->file_size);
    end_fact(out);
    put_date_fact(out, tm_sys_changed_at(of->of->path));
    if (of->file->hashed) {
        put_text_fact(out, "SHA-256", of->file->sha256);
        put_text_fact(out, "CRC-32", of->file->crc32);
    }
    put_text_fact(out, "Check", check_result_name(of->result, &of->file->findings));
    text_string(out, "</dl>\n");
}

/* -------------------------------------------------------------------------------------------------- lists */

static void put_more(text *out, uint64_t more)
{
    if (more)
        text_print(out, "<p class=\"quiet\">and %" PRIu64 " more</p>\n", more);
}

static void put_missing(text *out, const text *missing)
{
    size_t start = 0;
    text_string(out, missing->size
                         ? "<h2>Missing images</h2>\n<p>These external images were not found where the "
                           "gallery was made; what they show is left out.</p>\n<ul>\n"
                         : "");
    for (size_t at = 0; at < missing->size; at++) {
        if (missing->bytes[at] != '\n')
            continue;
        char *name = must_print("%.*s", (int)(at - start), missing->bytes + start);
        text shipped = {0};
        image_put_shipped(&shipped, name);
        text_string(out, "<li class=\"absent\"><bdi>");
        html_text(out, name);
        text_string(out, "</bdi>: ");
        html_text(out, text_words(&shipped));
        text_string(out, "</li>\n");
        text_release(&shipped);
        free(name);
        start = at + 1;
    }
    text_string(out, missing->size ? "</ul>\n" : "");
}

static void put_settings_list(text *out, const tm_map *map)
{
    const uint32_t num = map->info.num_settings, shown = num < MAX_LINES ? num : MAX_LINES;
    if (!num)
        return;
    text_print(out, "<h2>Settings (%" PRIu32 ")</h2>\n<pre tabindex=\"0\" aria-label=\"Settings\">", num);
    for (uint32_t i = 0; i < shown; i++) {
        html_text(out, map->info.settings[i]);
        text_string(out, "\n");
    }
    text_string(out, "</pre>\n");
    put_more(out, num - shown);
}

/* Ids in place of texts: what a file says of itself in numbers is for its author, who runs a check. */
static void put_finding_row(text *out, const tm_findings *findings, size_t index)
{
    const tm_finding *finding = &findings->list[index];
    const char *severity = tm_severity_name(finding->severity);
    uint64_t count = 0;
    for (size_t i = 0; i < findings->num; i++) {
        if (findings->list[i].id == finding->id && i < index)
            return;
        count += findings->list[i].id == finding->id ? findings->list[i].count : 0;
    }
    text_print(out, "<tr><td class=\"%s\">%s</td><td>%s</td><td>%" PRIu64 "</td></tr>\n", severity, severity,
               tm_finding_name(finding->id), count);
}

static void put_findings_table(text *out, const tm_findings *findings)
{
    if (!findings->num)
        return;
    text_print(
        out,
        "<h2>Findings (%" PRIu64 ")</h2>\n<p class=\"quiet\">For the author: <code>teemap check</code> and "
        "<code>teemap lint</code> explain them with their places.</p>\n<div class=\"table\"><table>\n<tr><th "
        "scope=\"col\">Severity</th><th scope=\"col\">Finding</th><th scope=\"col\">Times</th></tr>\n",
        (uint64_t)findings->num + findings->unlisted);
    for (size_t i = 0; i < findings->num; i++)
        put_finding_row(out, findings, i);
    text_string(out, "</table></div>\n");
}

/* What `teemap lint` says that players would notice, a rule a row. */
static void put_lint_table(text *out, const tm_lint_result *lint)
{
    const tm_findings *all = &lint->findings;
    const char *before =
        "<h2>Problems</h2>\n<div class=\"table\"><table>\n<tr><th scope=\"col\">Severity</th><th "
        "scope=\"col\">Problem</th><th scope=\"col\">Times</th></tr>\n";
    for (size_t i = 0, end; i < all->num; i = end) {
        const tm_lint_rule *rule = tm_lint_rule_for(lint, i);
        const char *severity = tm_severity_name(all->list[i].severity);
        uint64_t count = 0;
        for (end = i; end < all->num && tm_lint_rule_for(lint, end) == rule; end++)
            count += all->list[end].count;
        if (all->list[i].severity < TM_SEVERITY_WARNING)
            continue;
        text_print(out, "%s<tr><td class=\"%s\">%s</td><td>", before, severity, severity);
        html_text(out, rule->title);
        text_print(out, "</td><td>%" PRIu64 "</td></tr>\n", count);
        before = "";
    }
    text_string(out, *before ? "" : "</table></div>\n");
}

static void put_images_list(text *out, const tm_map *map)
{
    const uint32_t num = map->num_images, shown = num < MAX_LINES ? num : MAX_LINES;
    if (!num)
        return;
    text_string(out, "<h2>Images</h2>\n<ul>\n");
    for (uint32_t i = 0; i < shown; i++) {
        const tm_image *image = &map->images[i];
        text_string(out, "<li><bdi>");
        html_text(out, image->name ? image->name : "");
        text_print(out, "</bdi>, %" PRIu32 " &times; %" PRIu32 " pixels, %s</li>\n", image->width,
                   image->height, image->external ? "external" : "embedded");
    }
    text_string(out, "</ul>\n");
    put_more(out, num - shown);
}

/* --------------------------------------------------------------------------------------------------- page */

/* What is blank needs no module. */
static bool is_live(const gallery_facts *of)
{
    return of->options->live && of->has[GALLERY_COPY] && !of->blank && !of->broken;
}

/* A figure up to its description, which the caller puts and ends. */
static void put_picture_of(text *out, const gallery_facts *of, gallery_file which, uint32_t width,
                           uint32_t height)
{
    char ending[32];
    text_print(out, "<figure><img loading=\"lazy\" src=\"%s%s\" width=\"%" PRIu32 "\" height=\"%" PRIu32,
               of->of->id, gallery_ending(ending, which, of->format), width, height);
    text_string(out, "\" alt=\"");
}

/* It is loaded when somebody opens it, and stops when it is closed. */
static void put_map_motion(text *out, const gallery_facts *of)
{
    const size_value *size = &of->options->picture.size;
    text_string(out, "<details class=\"moves\"><summary>Show animation</summary>");
    put_picture_of(out, of, GALLERY_MOTION, size->width, size->height);
    text_string(out, "The same view of ");
    html_text(out, of->name);
    text_string(out, " in motion\"></figure></details>\n");
}

/* The element that draws the map; its thumbnail where there is no script. */
static void put_live_map(text *out, const gallery_facts *of)
{
    const picture_options *o = &of->options->picture;
    text src = {0};
    text_print(&src, "%s.map", of->of->id);
    live_put_view(out, &(live_view){.map = of->file->map,
                                    .src = src.bytes,
                                    .images = "../mapres",
                                    .label = of->name,
                                    .options = o,
                                    .still = of->options->no_animations});
    text_release(&src);
    put_picture_of(out, of, GALLERY_PICTURE, o->size.width, o->size.height);
    text_string(out, "The best view of ");
    html_text(out, of->name);
    text_string(out, "\"></figure>" LIVE_VIEW_END);
}

static void put_map_picture(text *out, const gallery_facts *of)
{
    const size_value *size = &of->options->picture.size;
    if (of->broken) {
        text_print(out, "<p class=\"broken\"><strong>There is no picture of this map:</strong> %s.</p>\n",
                   of->broken);
        return;
    }
    const bool large = of->has[GALLERY_LARGE];
    const uint32_t times = large ? GALLERY_TIMES : 1;
    if (is_live(of)) {
        put_live_map(out, of);
    } else {
        put_picture_of(out, of, large ? GALLERY_LARGE : GALLERY_PICTURE, size->width * times,
                       size->height * times);
        text_string(out, of->blank ? "An empty picture: there is nothing to draw in " : "The best view of ");
        html_text(out, of->name);
        text_string(out, "\"></figure>\n");
    }
    if (of->has[GALLERY_MOTION])
        put_map_motion(out, of);
    if (of->has[GALLERY_WHOLE]) {
        put_picture_of(out, of, GALLERY_WHOLE, of->whole_width, of->whole_height);
        text_string(out, "All of ");
        html_text(out, of->name);
        text_string(out, "\"><figcaption>The whole map</figcaption></figure>\n");
    }
    if (of->tiles)
        text_print(out, "<p><a class=\"go\" href=\"../tiles/%s/index.html\">Look around in the map</a></p>\n",
                   of->of->id);
    if (of->has[GALLERY_COPY] && of->options->downloads) {
        text_print(out, "<p><a class=\"go\" href=\"%s.map\" download=\"", of->of->id);
        html_text(out, of->name);
        text_string(out, ".map\">Download (");
        text_bytes(out, of->file->file_size);
        text_string(out, ")</a></p>\n");
    }
    if (of->has[GALLERY_COPY] && of->options->viewer) {
        text_string(out, "<p hidden><a class=\"go\" id=\"viewer\" href=\"");
        html_text(out, of->options->viewer);
        text_string(out, "\">Look at it, check it, change it</a></p>\n");
    }
}

static void put_policy(text *out, const void *ctx)
{
    if (is_live(ctx))
        live_put_policy(out);
}

static void put_live_script(text *out, const void *ctx)
{
    if (is_live(ctx))
        live_put_script(out, ((const gallery_facts *)ctx)->options->live, "../");
}

static void put_map_title(text *out, const void *ctx)
{
    html_text(out, ((const gallery_facts *)ctx)->name);
}

static void put_record(text *out, const void *ctx)
{
    html_json(out, ((const gallery_facts *)ctx)->record);
}

static void put_map_id(text *out, const void *ctx)
{
    text_string(out, ((const gallery_facts *)ctx)->of->id);
}

static void put_map_body(text *out, const void *ctx)
{
    const gallery_facts *of = ctx;
    const tm_map *map = of->file->map;
    text_string(out, "<h1><bdi>");
    html_text(out, of->name);
    text_string(out, "</bdi></h1>\n");
    put_map_picture(out, of);
    put_facts(out, of);
    put_missing(out, of->missing);
    put_lint_table(out, of->lint);
    put_findings_table(out, &of->file->findings);
    if (map) {
        put_settings_list(out, map);
        put_images_list(out, map);
    }
}

void gallery_put_page(text *out, const gallery_facts *facts)
{
    static const html_place places[] = {{"@POLICY@", put_policy},    {"@TITLE@", put_map_title},
                                        {"@LIVE@", put_live_script}, {"@RECORD@", put_record},
                                        {"@ID@", put_map_id},        {"@BODY@", put_map_body}};
    html_fill(out, gallery_map_page, places, sizeof(places) / sizeof(places[0]), facts);
}

/* ------------------------------------------------------------------------------------------- all the maps */

static void put_gallery_title(text *out, const void *ctx)
{
    html_text(out, ((const gallery *)ctx)->options->title);
}

void gallery_put_index(text *out, const gallery *of)
{
    static const html_place places[] = {{"@TITLE@", put_gallery_title}, {"@HEADING@", put_gallery_title}};
    html_fill(out, gallery_index, places, sizeof(places) / sizeof(places[0]), of);
}

/* What the list calls games and features, by their ids. */
static void put_titles(text *out)
{
    json_t *games = json_make(), *features = json_make();
    for (size_t i = 0; i < sizeof(game_titles) / sizeof(game_titles[0]); i++)
        json_add_text(games, tm_game_name(game_titles[i].game), game_titles[i].title);
    for (int f = 0; f < TM_FEATURE_COUNT; f++)
        if (feature_titles[f])
            json_add_text(features, tm_feature_name((tm_feature)f), feature_titles[f]);
    text_string(out, "\"games\":");
    html_json(out, games);
    text_string(out, ",\"features\":");
    html_json(out, features);
    text_string(out, ",\n");
}

static void put_map_row(text *out, const char **before, json_t *row)
{
    text_string(out, *before);
    html_json(out, json_copy(row));
    *before = ",\n";
}

void gallery_put_list(text *out, const gallery *of)
{
    const size_value *size = &of->options->picture.size;
    const char *before = "\n";
    text_print(
        out, "/* The maps of a teemap gallery. */\nvar teemapGallery={\"picture\":[%" PRIu32 ",%" PRIu32 "],",
        size->width, size->height);
    put_titles(out);
    text_string(out, "\"maps\":[");
    for (size_t i = 0; i < of->files.num; i++)
        if (of->maps[i].row)
            put_map_row(out, &before, of->maps[i].row);
    for (json_t *row = of->absent ? of->absent->first : NULL; row; row = row->next)
        put_map_row(out, &before, row);
    text_string(out, "\n]};\n");
}
