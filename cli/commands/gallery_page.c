/* SPDX-License-Identifier: Zlib */
/*
 * gallery_page.c - the words of the pages: the page of a map is plain HTML without any script; the page of
 * all maps is filled by gallery.js from the list. Texts of maps go through output/html.h.
 */
#include "gallery.h"

#include "image_survey.h"
#include "output/html.h"
#include "output/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of what a map may hold by the million. */
enum { MOST_LINES = 2000 };

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
                       tm_rules_layer((tm_layer_kind)kind)->name);
            before = ", ";
        }
    end_fact(out);
}

static void put_features_fact(text *out, const tm_map *map)
{
    const uint64_t used = tm_mapfile_features(map);
    const char *before = "";
    begin_fact(out, "Features");
    for (int f = 0; f < TM_FEATURE_COUNT; f++)
        if (used >> f & 1) {
            text_print(out, "%s%s", before, tm_feature_name((tm_feature)f));
            before = ", ";
        }
    text_string(out, *before ? "" : "none");
    end_fact(out);
}

static void put_size_fact(text *out, const tm_map *map)
{
    const tm_layer *game = tm_map_physics_layer(map, TM_LAYER_GAME, NULL, NULL);
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
    put_text_fact(out, "Author", map->info.author);
    put_text_fact(out, "Version", map->info.version);
    put_text_fact(out, "Credits", map->info.credits);
    put_text_fact(out, "License", map->info.license);
    if (tm_mapfile_get_nature(map) == TM_MAPFILE_MAP)
        put_text_fact(out, "Game", tm_game_name(map->game));
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
    begin_fact(out, "Unpacked");
    text_bytes(out, n.unpacked_bytes);
    end_fact(out);
}

static void put_facts(text *out, const gallery_facts *of)
{
    text_string(out, "<h2>Facts</h2>\n<dl>\n");
    if (of->file->map)
        put_map_facts(out, of->file->map);
    put_text_fact(out, "File", of->of->relative);
    begin_fact(out, "Bytes");
    text_bytes(out, of->file->file_size);
    end_fact(out);
    if (of->file->hashed) {
        put_text_fact(out, "SHA-256", of->file->sha256);
        put_text_fact(out, "CRC-32", of->file->crc32);
    }
    put_text_fact(out, "Check", verdict_name(of->verdict, &of->file->findings));
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
        char *name = must_alloc(at - start + 1, 1);
        text shipped = {0};
        memcpy(name, missing->bytes + start, at - start);
        image_put_shipped(&shipped, name);
        text_put(&shipped, "", 1);
        text_string(out, "<li class=\"absent\"><bdi>");
        html_text(out, name);
        text_string(out, "</bdi>: ");
        html_text(out, shipped.bytes);
        text_string(out, "</li>\n");
        text_release(&shipped);
        free(name);
        start = at + 1;
    }
    text_string(out, missing->size ? "</ul>\n" : "");
}

static void put_settings_list(text *out, const tm_map *map)
{
    const uint32_t num = map->info.num_settings, shown = num < MOST_LINES ? num : MOST_LINES;
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

static void put_finding_row(text *out, const tm_finding *finding)
{
    const char *severity = tm_severity_name(finding->severity);
    text_print(out, "<tr><td class=\"%s\">%s</td><td><bdi>", severity, severity);
    html_text(out, finding->place);
    text_string(out, "</bdi></td><td><bdi>");
    html_text(out, finding->text);
    text_print(out, "</bdi></td><td>%s</td></tr>\n", tm_finding_name(finding->id));
}

static void put_findings_table(text *out, const tm_findings *findings)
{
    if (!findings->num)
        return;
    text_print(out,
               "<h2>Findings (%" PRIu64
               ")</h2>\n<div class=\"table\"><table>\n<tr><th scope=\"col\">Severity</th>"
               "<th scope=\"col\">Place</th><th scope=\"col\">What</th><th scope=\"col\">Id</th></tr>\n",
               (uint64_t)findings->num + findings->unlisted);
    for (size_t i = 0; i < findings->num; i++)
        put_finding_row(out, &findings->list[i]);
    text_string(out, "</table></div>\n");
    put_more(out, findings->unlisted);
}

static void put_images_list(text *out, const tm_map *map)
{
    const uint32_t num = map->num_images, shown = num < MOST_LINES ? num : MOST_LINES;
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

/* It is loaded when somebody opens it, and stops when it is closed. */
static void put_map_motion(text *out, const gallery_facts *of)
{
    const size_value *size = &of->options->picture.size;
    text_string(out, "<details class=\"moves\"><summary>In motion</summary>");
    text_print(out, "<figure><img loading=\"lazy\" src=\"%s%s\" width=\"%" PRIu32 "\" height=\"%" PRIu32,
               of->of->id, GALLERY_MOTION, size->width, size->height);
    text_string(out, "\" alt=\"The same view of ");
    html_text(out, of->name);
    text_string(out, " in motion\"></figure></details>\n");
}

static void put_map_picture(text *out, const gallery_facts *of)
{
    const size_value *size = &of->options->picture.size;
    if (of->broken) {
        text_string(out, "<p class=\"broken\"><strong>There is no picture of this map:</strong> <bdi>");
        html_text(out, of->broken);
        text_string(out, "</bdi></p>\n");
        return;
    }
    text_print(out, "<figure><img src=\"%s.%s\" width=\"%" PRIu32 "\" height=\"%" PRIu32 "\" alt=\"",
               of->of->id, of->format, size->width, size->height);
    text_string(out, of->blank ? "An empty picture: there is nothing to draw in " : "The best view of ");
    html_text(out, of->name);
    text_string(out, "\"></figure>\n");
    if (of->moves)
        put_map_motion(out, of);
    if (of->tiles)
        text_print(out, "<p><a class=\"go\" href=\"../tiles/%s/index.html\">Look around in the map</a></p>\n",
                   of->of->id);
}

static void put_map_title(text *out, const void *ctx)
{
    html_text(out, ((const gallery_facts *)ctx)->name);
}

static void put_record(text *out, const void *ctx)
{
    html_json(out, ((const gallery_facts *)ctx)->record);
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
    put_findings_table(out, &of->file->findings);
    if (map) {
        put_settings_list(out, map);
        put_images_list(out, map);
    }
}

void gallery_put_page(text *out, const gallery_facts *facts)
{
    static const html_place places[] = {
        {"@TITLE@", put_map_title}, {"@RECORD@", put_record}, {"@BODY@", put_map_body}};
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

void gallery_put_list(text *out, const gallery *of)
{
    const size_value *size = &of->options->picture.size;
    const char *before = "\n";
    text_print(out,
               "/* The maps of a teemap gallery. */\nvar teemapGallery={\"picture\":[%" PRIu32 ",%" PRIu32
               "],\"maps\":[",
               size->width, size->height);
    for (size_t i = 0; i < of->files.num; i++)
        if (of->maps[i].row) {
            text_string(out, before);
            html_json(out, json_incref(of->maps[i].row));
            before = ",\n";
        }
    text_string(out, "\n]};\n");
}
