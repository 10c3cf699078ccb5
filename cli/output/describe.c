/* SPDX-License-Identifier: Zlib */
/* describe.c - the objects of a map as rows of a table. The JSON forms are in describe_json.c. */
#include "describe.h"

#include "form.h"

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

static void put_start(text *rows, const tm_map *map, const tm_address *at, const char *kind)
{
    char place[TM_ADDRESS_SIZE];
    tm_address_format(at, place, sizeof(place));
    text_print(rows, "%s\t%s\t", place, kind);
    text_quoted(rows, object_name(map, at));
    text_put(rows, "\t", 1);
}

/* "image/3 'name'" for something that is referred to; nothing without a reference. */
static void put_reference(text *rows, const char *what, const tm_map *map, tm_address_kind kind,
                          int32_t index)
{
    char place[TM_ADDRESS_SIZE];
    const tm_address at = {.kind = kind, .index = (uint32_t)index};
    if (index < 0)
        return;
    tm_address_format(&at, place, sizeof(place));
    text_print(rows, ", %s%s", what, place);
    if (object_name(map, &at)[0]) {
        text_put(rows, " ", 1);
        text_quoted(rows, object_name(map, &at));
    }
}

static void put_block(text *rows, const tm_block *block)
{
    tm_block_info info = tm_block_get_info(block);
    text_bytes(rows, info.size);
    text_string(rows, " (");
    text_bytes(rows, info.packed_size);
    text_string(rows, " packed)");
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

static void put_image(text *rows, const tm_map *map, uint32_t index)
{
    const tm_image *image = &map->images[index];
    put_start(rows, map, &(tm_address){TM_ADDRESS_IMAGE, index, 0}, "image");
    text_print(rows, "%s, %" PRId32 "x%" PRId32, image->external ? "external" : "embedded", image->width,
               image->height);
    if (image->pixels) {
        text_string(rows, image->format == TM_IMAGE_RGB ? " RGB, " : ", ");
        put_block(rows, image->pixels);
    }
    text_put(rows, "\n", 1);
}

static void put_sound(text *rows, const tm_map *map, uint32_t index)
{
    const tm_sound *sound = &map->sounds[index];
    put_start(rows, map, &(tm_address){TM_ADDRESS_SOUND, index, 0}, "sound");
    text_string(rows, sound->external ? "external" : "embedded");
    if (sound->data) {
        text_string(rows, ", ");
        put_block(rows, sound->data);
    }
    text_put(rows, "\n", 1);
}

static void put_envelope(text *rows, const tm_map *map, uint32_t index)
{
    const tm_envelope *envelope = &map->envelopes[index];
    put_start(rows, map, &(tm_address){TM_ADDRESS_ENVELOPE, index, 0}, "envelope");
    const char *type = tm_field_find(TM_OWNER_ENVELOPE, "type")->choice(envelope->channels);
    text_print(rows, "%s, ", type ? type : "unknown");
    text_count(rows, envelope->num_points, "point", "points");
    text_string(rows, envelope->synchronized ? ", synchronized\n" : "\n");
}

static void put_group(text *rows, const tm_map *map, uint32_t index)
{
    const tm_group *group = &map->groups[index];
    put_start(rows, map, &(tm_address){TM_ADDRESS_GROUP, index, 0}, "group");
    text_count(rows, group->num_layers, "layer", "layers");
    if (group->parallax_x != 100 || group->parallax_y != 100)
        text_print(rows, ", parallax %" PRId32 ",%" PRId32, group->parallax_x, group->parallax_y);
    if (group->offset_x || group->offset_y)
        text_print(rows, ", offset %" PRId32 ",%" PRId32, group->offset_x, group->offset_y);
    if (group->use_clipping) {
        text_print(rows, ", clip %" PRId32 ",%" PRId32 " %" PRId32 "x%" PRId32, group->clip_x, group->clip_y,
                   group->clip_w, group->clip_h);
    }
    if (group->has_parallax_zoom)
        text_print(rows, ", parallax zoom %" PRId32, group->parallax_zoom);
    text_put(rows, "\n", 1);
}

/* Of design tiles and others that are not drawn as they are. */
static void put_color(text *rows, const tm_tile_layer *tiles)
{
    const tm_field *color = tm_field_find(TM_OWNER_TILE_LAYER, "color");
    const tm_value value = {TM_TYPE_COLOR, {.color = tiles->color}}, white = tm_field_initial(color);
    char shown[60];
    if (tm_value_same(&value, &white))
        return;
    tm_value_format(shown, sizeof(shown), color, &value, NULL);
    text_print(rows, ", color %s", shown);
}

static void put_tile_layer(text *rows, const tm_map *map, const tm_tile_layer *tiles)
{
    text_print(rows, "%" PRIu32 "x%" PRIu32 " tiles", tiles->width, tiles->height);
    put_reference(rows, "", map, TM_ADDRESS_IMAGE, tiles->image);
    put_color(rows, tiles);
    put_reference(rows, "color ", map, TM_ADDRESS_ENVELOPE, tiles->color_envelope);
    if (tiles->automapper.present && tiles->automapper.config >= 0)
        text_print(rows, ", automapper %" PRId32, tiles->automapper.config);
}

static void put_sound_layer(text *rows, const tm_map *map, const tm_sound_layer *sounds)
{
    text_count(rows, sounds->num_sources, "source", "sources");
    put_reference(rows, "", map, TM_ADDRESS_SOUND, sounds->sound);
}

static void put_layer(text *rows, const tm_map *map, uint32_t group, uint32_t index)
{
    const tm_layer *layer = &map->groups[group].layers[index];
    put_start(rows, map, &(tm_address){TM_ADDRESS_LAYER, group, index}, tm_game_layer(layer->kind)->name);
    if (tm_game_layer(layer->kind)->is_tiles) {
        put_tile_layer(rows, map, &layer->as.tiles);
    } else if (layer->kind == TM_LAYER_QUADS) {
        text_count(rows, layer->as.quads.num_quads, "quad", "quads");
        put_reference(rows, "", map, TM_ADDRESS_IMAGE, layer->as.quads.image);
    } else if (layer->kind != TM_LAYER_UNKNOWN) {
        put_sound_layer(rows, map, &layer->as.sounds);
    } else {
        text_string(rows, "no game knows it; carried along");
    }
    text_string(rows, layer->detail ? ", detail\n" : "\n");
}

void row_object(text *rows, const tm_map *map, const tm_address *at, int indent)
{
    static void (*const put[])(text * rows, const tm_map *map, uint32_t index) = {
        [TM_ADDRESS_IMAGE] = put_image,
        [TM_ADDRESS_SOUND] = put_sound,
        [TM_ADDRESS_ENVELOPE] = put_envelope,
        [TM_ADDRESS_GROUP] = put_group,
    };
    text_pad(rows, indent);
    if (at->kind == TM_ADDRESS_LAYER)
        put_layer(rows, map, at->index, at->layer);
    else
        put[at->kind](rows, map, at->index);
}

void rows_of_group(text *rows, const tm_map *map, uint32_t index, int indent)
{
    row_object(rows, map, &(tm_address){TM_ADDRESS_GROUP, index, 0}, 0);
    for (uint32_t i = 0; i < map->groups[index].num_layers; i++)
        row_object(rows, map, &(tm_address){TM_ADDRESS_LAYER, index, i}, indent);
}
