/* SPDX-License-Identifier: Zlib */
/* describe.c - the objects of a map as rows of a table: forms over their JSON (describe_json.c). */
#include "describe.h"

#include "form.h"

#include <stdio.h>
#include <string.h>

#define BLOCK          "{{#packed_size}}, {{size:bytes}} ({{packed_size:bytes}} packed){{/}}"
#define REFERENCE(key) "{{" key "}}{{#" key "_name}} '{{.}}'{{/}}"
#define IMAGE          "{{#image}}, " REFERENCE("image") "{{/}}"
#define PLACE          "{{#external}}external{{/}}{{^external}}embedded{{/}}"

static const char *form_of(const tm_map *map, const tm_address *at)
{
    static const char *const forms[] = {
        [TM_ADDRESS_IMAGE] = "{{address}}\timage\t'{{title}}'\t" PLACE
                             ", {{width}}x{{height}}{{#packed_size}}{{?format=rgb}} RGB{{/}}{{/}}" BLOCK "\n",
        [TM_ADDRESS_SOUND] = "{{address}}\tsound\t'{{title}}'\t" PLACE BLOCK "\n",
        [TM_ADDRESS_ENVELOPE] = "{{address}}\tenvelope\t'{{title}}'\t{{type}}{{^type}}unknown{{/}}, "
                                "{{num_points:point|points}}{{#synchronized}}, synchronized{{/}}\n",
        [TM_ADDRESS_GROUP] =
            "{{address}}\tgroup\t'{{title}}'\t{{num_layers:layer|layers}}"
            "{{#far}}, parallax {{#parallax}}{{x}},{{y}}{{/}}{{/}}{{#shifted}}, offset {{#offset}}{{x}},{{y}}{{/}}{{/}}"
            "{{#use_clipping}}, clip {{#clip}}{{x}},{{y}} {{width}}x{{height}}{{/}}{{/}}"
            "{{#zooms}}, parallax zoom {{parallax_zoom}}{{/}}\n",
    };
#define LAYER(words) "{{address}}\t{{kind}}\t'{{title}}'\t" words "{{#detail}}, detail{{/}}\n"
    if (at->kind != TM_ADDRESS_LAYER)
        return forms[at->kind];
    const tm_layer_kind kind = map->groups[at->index].layers[at->layer].kind;
    if (tm_game_layer(kind)->is_tiles)
        return LAYER("{{width}}x{{height}} tiles" IMAGE "{{#tint}}, color {{.}}{{/}}{{#color_envelope}}, "
                     "color " REFERENCE("color_envelope") "{{/}}{{#config}}, automapper {{.}}{{/}}");
    return kind == TM_LAYER_QUADS ? LAYER("{{num_quads:quad|quads}}" IMAGE)
           : kind == TM_LAYER_UNKNOWN
               ? LAYER("no game knows it; carried along")
               : LAYER("{{num_sources:source|sources}}{{#sound}}, " REFERENCE("sound") "{{/}}");
}

const char *object_name(const tm_map *map, const tm_address *at)
{
    const char *name = at->kind == TM_ADDRESS_IMAGE      ? map->images[at->index].name
                       : at->kind == TM_ADDRESS_SOUND    ? map->sounds[at->index].name
                       : at->kind == TM_ADDRESS_ENVELOPE ? map->envelopes[at->index].name
                       : at->kind == TM_ADDRESS_GROUP    ? map->groups[at->index].name
                       : at->kind == TM_ADDRESS_LAYER    ? map->groups[at->index].layers[at->layer].name
                                                         : NULL;
    return name ? name : "";
}

/* The name of what a member refers to. */
static void add_name_of(json_t *object, const char *key, const tm_map *map)
{
    char member[32];
    tm_address at;
    const char *word = json_text_of(tm_json_get(object, key));
    snprintf(member, sizeof(member), "%s_name", key);
    if (word && !tm_address_parse(&at, map, word, NULL))
        json_add_text(object, member, object_name(map, &at));
}

/* Which values are worth a word, as they are not what nearly all objects have. */
static void add_unusual(json_t *object, const tm_map *map, const tm_address *at)
{
    const char *color = json_text_of(tm_json_get(object, "color"));
    const json_t *config = tm_json_get(tm_json_get(object, "automapper"), "config");
    char number[24];
    json_add_text(object, "tint", color && strcmp(color, "#ffffffff") != 0 ? color : NULL);
    snprintf(number, sizeof(number), "%d", (int)json_integer_of(config));
    json_add_text(object, "config", json_is_whole(config) && config->number >= 0 ? number : NULL);
    if (at->kind != TM_ADDRESS_GROUP)
        return;
    const tm_group *group = &map->groups[at->index];
    json_add_bool(object, "far", group->parallax_x != 100 || group->parallax_y != 100);
    json_add_bool(object, "shifted", group->offset_x || group->offset_y);
    json_add_bool(object, "zooms", group->has_parallax_zoom);
}

void row_object(text *rows, const tm_map *map, const tm_address *at, int indent)
{
    json_t *written = json_object_at(map, at), *object = json_read(written->text, strlen(written->text));
    json_add_text(object, "title", object_name(map, at)); /* to the byte */
    add_name_of(object, "image", map);
    add_name_of(object, "sound", map);
    add_name_of(object, "color_envelope", map);
    add_unusual(object, map, at);
    text_pad(rows, indent);
    form_line(rows, form_of(map, at), object);
    json_free(written);
}

void row_info(text *rows, const tm_map *map)
{
    json_t *object = json_make();
    json_add_info(object, map);
    form_line(rows, "info\tinfo\t\t{{@.}}{{@}} '{{.}}'{{|}}, {{/}}\n", object);
}

void row_settings(text *rows, const tm_map *map)
{
    text_string(rows, "settings\tsettings\t\t");
    text_count(rows, map->info.num_settings, "command\n", "commands\n");
}

void rows_of_group(text *rows, const tm_map *map, uint32_t index, int indent)
{
    row_object(rows, map, &(tm_address){TM_ADDRESS_GROUP, index, 0}, 0);
    for (uint32_t i = 0; i < map->groups[index].num_layers; i++)
        row_object(rows, map, &(tm_address){TM_ADDRESS_LAYER, index, i}, indent);
}
