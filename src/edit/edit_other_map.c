/* SPDX-License-Identifier: Zlib */
/*
 * Taking from another map: which layers are meant, and what is tidied up afterwards.
 */
#include "edit_other_map.h"

/* Without names: the design, and of groups that stand still with the players all. */
static tm_status choose_other_layers(tmi_other *other, const tmi_edit_value *value, tm_error *error)
{
    tmi_edit there = *other->edit;
    there.map = other->from;
    other->named = value->text;
    const tm_status status = tmi_edit_layers_find(&other->layers, &there, value, error);
    if (status)
        tmi_error_about(error, TM_SIDE_USAGE, other->name);
    return status;
}

tm_status tmi_other_open(tmi_other *out, tmi_edit *edit, uint32_t layers, tm_error *error)
{
    memset(out, 0, sizeof(*out));
    out->edit = edit;
    out->map = edit->map;
    out->name = edit->values[0].text;
    out->keeps_numbers = edit->num_values > layers + 1 && edit->values[layers + 1].number == 1;
    for (tm_object object = TM_OBJECT_IMAGE; object <= TM_OBJECT_ENVELOPE; object++)
        out->had[object] = tmi_num_objects(edit->map, object);
    if (edit->values[layers].width)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s': whole layers are taken, not a part of them",
                        edit->values[layers].text);
    TM_TRY(tmi_edit_open(&out->from, edit, out->name, error));
    const tm_status status = choose_other_layers(out, &edit->values[layers], error);
    if (status)
        tm_map_free(out->from);
    return status;
}

bool tmi_other_chose_design(const tmi_other *other, uint32_t group, uint32_t layer)
{
    return !tm_game_layer(other->from->groups[group].layers[layer].kind)->is_physics &&
           tmi_other_chose(other, group, layer);
}

bool tmi_other_chose(const tmi_other *other, uint32_t group, uint32_t layer)
{
    for (size_t i = 0; i < other->layers.num; i++)
        if (other->layers.list[i].index == group && other->layers.list[i].layer == layer)
            return true;
    return false;
}

/* The games share names of images, and Teeworlds 0.7 has its own pictures under them. */
static void tell_other_picture(tmi_other *other, const tm_layer *layer)
{
    enum { BITS = 64 }; /* games read as many images */
    const tm_game from = other->from->game, to = other->map->game;
    const int32_t image = tmi_image_shown(layer);
    if ((from == TM_GAME_TEEWORLDS07) == (to == TM_GAME_TEEWORLDS07) || image == TM_NONE || image >= BITS)
        return;
    const tm_image *shown = &other->map->images[image];
    const tm_shipped_image *shipped =
        shown->external && shown->name ? tm_game_shipped_image(shown->name) : NULL;
    if (!shipped || !shipped->games[from] || (other->told >> image & 1))
        return;
    other->told |= (uint64_t)1 << image;
    tmi_edit_find(other->edit, TM_FINDING_OTHER_PICTURE,
                  tmi_edit_address(TM_ADDRESS_IMAGE, (uint32_t)image, 0),
                  shipped->games[to] ? "'%.100s' is of %s, and %s has another picture of this name"
                                     : "'%.100s' is of %s, and %s has no picture of this name",
                  other->name, tm_game_name(from), tm_game_name(to));
}

tm_status tmi_other_import(tmi_other *other, uint32_t group, uint32_t at, uint32_t from_group,
                           uint32_t from_layer, tm_error *error)
{
    tm_import_options options = TM_IMPORT_OPTIONS_INIT;
    options.share = true;
    TM_TRY(tmi_fail_at_address(
        error,
        tm_map_import_layer(other->map, group, at, other->from, from_group, from_layer, &options, error),
        other->from, tmi_edit_address(TM_ADDRESS_LAYER, from_group, from_layer)));
    tell_other_picture(other, &other->map->groups[group].layers[at]);
    return TM_OK;
}

tm_status tmi_other_add_group(tmi_other *other, uint32_t at, uint32_t from_group, tm_error *error)
{
    const tm_group *from = &other->from->groups[from_group];
    TM_TRY(tm_map_insert(other->map, TM_OBJECT_GROUP, at, error));
    tm_group *group = &other->map->groups[at];
    memcpy(group->name, from->name, sizeof(group->name));
    if (tm_map_is_game_group(other->from, from_group))
        return TM_OK; /* games draw it as new groups stand, whatever it says */
    const tm_group fresh = *group;
    *group = *from;
    group->layers = fresh.layers;
    group->num_layers = fresh.num_layers;
    group->user = fresh.user;
    group->origin = fresh.origin;
    group->extra = fresh.extra;
    return TM_OK;
}

uint32_t tmi_other_game_group(const tm_map *map)
{
    uint32_t group;
    tm_map_physics_layer(&group, NULL, map, TM_LAYER_GAME);
    return group;
}

/* ------------------------------------------------------------------------------------------ tidying up */

/* An image or sound in the map, as far as names matter. */
typedef struct named_thing {
    const char **name;
    bool external;
} named_thing;

static named_thing thing_at(tm_map *map, tm_object object, uint32_t i)
{
    return object == TM_OBJECT_IMAGE ? (named_thing){&map->images[i].name, map->images[i].external}
                                     : (named_thing){&map->sounds[i].name, map->sounds[i].external};
}

static bool name_is_taken(tm_map *map, tm_object object, uint32_t but, const char *name)
{
    for (uint32_t i = 0; i < tmi_num_objects(map, object); i++) {
        const char *other = *thing_at(map, object, i).name;
        if (i != but && other && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

/* "grass" becomes "grass (1)", as the editor names them. External ones keep their names: files have them. */
static tm_status rename_thing(tmi_other *other, tm_object object, uint32_t i, tm_error *error)
{
    char name[512];
    const named_thing thing = thing_at(other->map, object, i);
    if (thing.external || !*thing.name || !name_is_taken(other->map, object, i, *thing.name))
        return TM_OK;
    for (unsigned n = 1; n == 1 || name_is_taken(other->map, object, i, name); n++)
        tmi_format(name, sizeof(name), "%.400s (%u)", *thing.name, n);
    tmi_edit_changed(other->edit, tmi_edit_address(tmi_address_kind_of(object), i, 0), 1,
                     "added as '%.100s': the map has another one of its name", name);
    return tm_map_set_text(other->map, thing.name, name, error);
}

tm_status tmi_other_finish(tmi_other *other, tm_error *error)
{
    for (tm_object object = TM_OBJECT_IMAGE; object <= TM_OBJECT_ENVELOPE; object++)
        TM_TRY(tmi_clean_new(other->edit, object, other->had[object], error));
    for (tm_object object = TM_OBJECT_IMAGE; object <= TM_OBJECT_SOUND; object++)
        for (uint32_t i = other->had[object]; i < tmi_num_objects(other->map, object); i++)
            TM_TRY(rename_thing(other, object, i, error));
    return TM_OK;
}
