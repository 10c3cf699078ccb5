/* SPDX-License-Identifier: Zlib */
/*
 * Adds, moves and duplicates objects, and adds their elements: points of envelopes, quads, sound sources. All
 * over the functions of the model that keep references right.
 */
#include "edit_images.h"

/* ------------------------------------------------------------------------------------------------- add */

void tmi_edit_report_name_taken(tmi_edit *edit, tm_address address)
{
    if (address.kind != TM_KIND_IMAGE && address.kind != TM_KIND_SOUND)
        return;
    const char *name = tmi_object_name(edit->map, &address);
    const uint32_t other = tmi_find_named(edit->map, address.kind, name, address.index);
    if (other != UINT32_MAX)
        tmi_edit_report(edit, TM_FINDING_NAME_TAKEN, address,
                        "%s %u has the name '%.60s', too; the editor takes no two of a name",
                        address.kind == TM_KIND_IMAGE ? "image" : "sound", (unsigned)other, name ? name : "");
}

/* Appends an object of the row's kind. The name may be NULL. */
static tm_status append_object(tm_address *address, tmi_edit *edit, const char *name, tm_error *error)
{
    tm_kind owner;
    *address = tmi_edit_address(edit->kind, tmi_num_objects(edit->map, edit->kind), 0);
    TM_TRY(tm_map_insert(edit->map, edit->kind, address->index, error));
    void *added = tmi_map_object_edit(edit->map, address, &owner);
    const tm_field *field = tm_field_find(owner, "name");
    const tm_value value = {.type = field->type, .as.text = name};
    if (name && field->type == TM_TYPE_NAME && strlen(name) >= field->size)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the name '%.60s' is longer than %u bytes", name,
                        (unsigned)field->size - 1);
    if (name)
        TM_TRY(tm_field_set(edit->map, added, field, 0, &value, error));
    tmi_edit_changed(edit, *address, 1, "added");
    tmi_edit_report_name_taken(edit, *address);
    return TM_OK;
}

/* Adds an object; an image or a sound may get the content of a file. */
tm_status tmi_edit_add_object(tmi_edit *edit, tm_error *error)
{
    const char *file = edit->values[1].text;
    tm_address address;
    TM_TRY(append_object(&address, edit, edit->values[0].text, error));
    return file ? tmi_edit_read_content(edit, &address, file, error) : TM_OK;
}

tm_status tmi_edit_add_envelope(tmi_edit *edit, tm_error *error)
{
    static const int32_t channels[] = {TM_ENVELOPE_SOUND, TM_ENVELOPE_POSITION, TM_ENVELOPE_COLOR};
    tm_address address;
    TM_TRY(append_object(&address, edit, edit->values[1].text, error));
    edit->map->envelopes[address.index].channels = channels[edit->values[0].number];
    return TM_OK;
}

static tm_status find_group(uint32_t *out, const tm_map *map, const char *text, tm_error *error)
{
    tm_address found;
    TM_TRY(tm_address_parse(&found, map, text, error));
    *out = found.index;
    return found.kind == TM_KIND_GROUP ? TM_OK
                                       : tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not a group", text);
}

tm_status tmi_edit_add_layer(tmi_edit *edit, tm_error *error)
{
    uint32_t group, width, height;
    TM_TRY(find_group(&group, edit->map, edit->values[0].text, error));
    const tm_layer_kind kind = (tm_layer_kind)edit->values[1].number;
    tm_map_area(&width, &height, edit->map);
    if (edit->values[2].text) {
        width = edit->values[2].width;
        height = edit->values[2].height;
    }
    if (edit->values[2].text && !tm_game_layer(kind)->is_tiles)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a layer of %s has no size", edit->values[1].text);
    if (tm_game_layer(kind)->is_tiles && (width == 0 || height == 0))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the map has no size yet; give one, like 50x30");
    const uint32_t at = edit->map->groups[group].num_layers;
    TM_TRY(tm_map_insert_layer(edit->map, group, at, kind, width, height, error));
    tmi_edit_changed(edit, tmi_edit_address(TM_KIND_LAYER, group, at), 1, "added");
    return TM_OK;
}

/* ---------------------------------------------------------------------------------- add to an object */

/* The one object that an argument means. */
static tm_status find_object(tm_address *out, const tmi_edit *edit, const char *text, tm_error *error)
{
    tmi_edit_objects objects;
    TM_TRY(tmi_edit_objects_find(&objects, edit, text, error));
    if (objects.num != 1)
        return tmi_fail(error, objects.num ? TM_ERROR_USAGE : TM_ERROR_NOT_FOUND, -1,
                        "'%.60s' fits %u objects, not one", text, (unsigned)objects.num);
    *out = objects.list[0];
    return TM_OK;
}

enum { PLAIN_PX = 64 }; /* sides of a quad without an image */

static tm_status find_layer_of(tm_address *out, const tmi_edit *edit, tm_layer_kind kind, tm_error *error)
{
    TM_TRY(find_object(out, edit, edit->values[0].text, error));
    if (out->kind != TM_KIND_LAYER)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not a layer", edit->values[0].text);
    const tm_layer_kind is = tmi_edit_layer_at(edit, out)->kind;
    if (is == kind)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is a layer of kind %s, not %s", edit->values[0].text,
                    tm_game_layer(is)->name, tm_game_layer(kind)->name);
}

/* Reads a point in px as fx. */
static tm_status check_px(int32_t out[2], const tmi_edit_value *value, tm_error *error)
{
    const int32_t px[2] = {value->x, value->y};
    for (int axis = 0; axis < 2; axis++) {
        if (px[axis] < INT32_MIN / TM_FX || px[axis] > INT32_MAX / TM_FX)
            return tmi_fail(error, TM_ERROR_LIMIT, -1, "%ld px are too far away, the farthest is %ld",
                            (long)px[axis], (long)INT32_MAX / TM_FX);
        out[axis] = px[axis] * TM_FX;
    }
    return TM_OK;
}

tm_status tmi_edit_add_quad(tmi_edit *edit, tm_error *error)
{
    tm_address address;
    tm_quad quad;
    int32_t corner[2];
    TM_TRY(find_layer_of(&address, edit, TM_LAYER_QUADS, error));
    TM_TRY(check_px(corner, &edit->values[1], error));
    const tm_quad_layer *layer = &tmi_edit_layer_at(edit, &address)->as.quads;
    const tm_image *image = tm_map_image(edit->map, layer->image);
    const bool sized = image && image->width > 0 && image->height > 0;
    uint32_t size[2] = {sized ? (uint32_t)image->width : PLAIN_PX,
                        sized ? (uint32_t)image->height : PLAIN_PX};
    if (edit->values[2].text) {
        size[0] = edit->values[2].width;
        size[1] = edit->values[2].height;
    }
    if (size[0] > INT32_MAX / TM_FX || size[1] > INT32_MAX / TM_FX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "a quad has sides up to %ld px", (long)INT32_MAX / TM_FX);
    tm_quad_init(&quad, corner[0], corner[1], size[0] * TM_FX, size[1] * TM_FX);
    const uint32_t num = layer->num_quads;
    TM_TRY(tmi_map_insert_elements(edit->map, &address, num, &quad, 1, error));
    tmi_edit_changed(edit, address, 1, "quad %u added, %ux%u px", (unsigned)num, (unsigned)size[0],
                     (unsigned)size[1]);
    return TM_OK;
}

tm_status tmi_edit_add_source(tmi_edit *edit, tm_error *error)
{
    tm_address address;
    tm_sound_source source;
    int32_t place[2];
    TM_TRY(find_layer_of(&address, edit, TM_LAYER_SOUNDS, error));
    TM_TRY(check_px(place, &edit->values[1], error));
    tm_sound_source_init(&source, place[0], place[1]);
    const uint32_t num = tmi_edit_layer_at(edit, &address)->as.sounds.num_sources;
    TM_TRY(tmi_map_insert_elements(edit->map, &address, num, &source, 1, error));
    tmi_edit_changed(edit, address, 1, "sound source %u added", (unsigned)num);
    return TM_OK;
}

tm_status tmi_edit_add_point(tmi_edit *edit, tm_error *error)
{
    enum { FIRST_VALUE = 2 };
    const tm_field *field = tm_field_find(TM_KIND_ENVELOPE_POINT, "values");
    tm_envelope_point point = {.time = edit->values[1].x, .curve = TM_CURVE_LINEAR};
    tm_address address;
    uint32_t place = 0;
    TM_TRY(find_object(&address, edit, edit->values[0].text, error));
    if (address.kind != TM_KIND_ENVELOPE)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not an envelope", edit->values[0].text);
    const tm_envelope *envelope = &edit->map->envelopes[address.index];
    if (point.time < 0)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a point stands at 0 ms or later, not at %ld",
                        (long)point.time);
    for (uint32_t i = FIRST_VALUE; i < edit->num_values; i++) {
        if ((int64_t)i - FIRST_VALUE >= envelope->channels)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "the envelope has %ld channels, not %u",
                            (long)envelope->channels, (unsigned)(edit->num_values - FIRST_VALUE));
        TM_TRY(tm_field_set_text(edit->map, &point, field, i - FIRST_VALUE, edit->values[i].text, error));
    }
    while (place < envelope->num_points && envelope->points[place].time <= point.time)
        place++;
    TM_TRY(tmi_map_insert_elements(edit->map, &address, place, &point, 1, error));
    tmi_edit_changed(edit, address, 1, "point %u added at %ld ms", (unsigned)place, (long)point.time);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------- move, duplicate */

/* Where an object is to go. */
typedef struct target {
    uint32_t group; /* of layers */
    uint32_t at;
} target;

/* Reads where an object goes. `moving`: it leaves its place, so its list there has one place less. */
static tm_status parse_target(target *out, const tm_map *map, const tm_address *source,
                              const tmi_edit_value *value, bool moving, tm_error *error)
{
    uint32_t num;
    char group[256];
    out->group = source->index;
    out->at = (source->kind == TM_KIND_LAYER ? source->layer : source->index) + 1;
    if (!value->text)
        return TM_OK;
    if (source->kind == TM_KIND_LAYER) {
        const char *slash = strrchr(value->text, '/');
        if (slash) {
            tmi_format(group, sizeof(group), "%.*s", (int)(slash - value->text), value->text);
            TM_TRY(find_group(&out->group, map, group, error));
        }
        num = map->groups[out->group].num_layers;
        moving = moving && out->group == source->index;
    } else if (strchr(value->text, '/') || !tmi_in_map_array(source->kind)) {
        return tmi_fail(error, TM_ERROR_USAGE, -1, "only layers go to GROUP/INDEX, not to '%.60s'",
                        value->text);
    } else {
        num = tmi_num_objects(map, source->kind);
    }
    const uint32_t last = num - (moving ? 1 : 0);
    out->at = value->number == UINT32_MAX ? last : value->number;
    return out->at <= last
               ? TM_OK
               : tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no place '%.60s'; the last one is %u",
                          value->text, (unsigned)last);
}

/* Moves or copies the object of the first argument to the place of the second, by the operation's name. */
tm_status tmi_edit_put_at(tmi_edit *edit, tm_error *error)
{
    const bool moving = strcmp(edit->operation->name, "move") == 0;
    const char *done = moving ? "moved" : "copied", *text = edit->values[0].text;
    tm_address source;
    target place;
    TM_TRY(find_object(&source, edit, text, error));
    if (source.kind != TM_KIND_LAYER && !tmi_in_map_array(source.kind))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' has no place in an order", text);
    TM_TRY(parse_target(&place, edit->map, &source, &edit->values[1], moving, error));
    if (source.kind == TM_KIND_LAYER) {
        if (moving && place.group == source.index && place.at == source.layer)
            return TM_OK;
        tmi_edit_changed(edit, source, 1, "%s to %u/%u", done, (unsigned)place.group, (unsigned)place.at);
        TM_TRY((moving ? tm_map_move_layer : tm_map_duplicate_layer)(edit->map, source.index, source.layer,
                                                                     place.group, place.at, error));
        if (!moving)
            tmi_object_forget_user(TM_KIND_LAYER, &edit->map->groups[place.group].layers[place.at]);
        return TM_OK;
    }
    if (moving && place.at == source.index)
        return TM_OK;
    tmi_edit_changed(edit, source, 1, "%s to %u", done, (unsigned)place.at);
    TM_TRY((moving ? tm_map_move : tm_map_duplicate)(edit->map, source.kind, source.index, place.at, error));
    const tm_address copy = {source.kind, place.at, 0};
    tm_kind owner;
    void *object_copy = moving ? NULL : tmi_map_object_edit(edit->map, &copy, &owner);
    if (object_copy)
        tmi_object_forget_user(owner, object_copy);
    return TM_OK;
}

/* ----------------------------------------------------------------------------------------------- isolate */

static bool is_physics_layer(const tm_group *group, uint32_t i)
{
    return tm_game_layer(group->layers[i].kind)->is_physics;
}

/*
 * Moves the design layers from index `first` on, in order, to a new group at index `to`, which the games draw
 * at the same place as the game layer's group.
 */
static tm_status split_group(tmi_edit *edit, uint32_t game, uint32_t first, uint32_t to, tm_error *error)
{
    tm_map *map = edit->map;
    const char *name = to > game ? "Game front" : "Game back";
    uint32_t num = 0;
    for (uint32_t i = first; i < map->groups[game].num_layers; i++)
        num += !is_physics_layer(&map->groups[game], i);
    if (num == 0)
        return TM_OK;
    TM_TRY(tm_map_insert(map, TM_KIND_GROUP, to, error));
    tm_map_set_name(map->groups[to].name, sizeof(map->groups[to].name), name);
    tmi_edit_changed(edit, tmi_edit_address(TM_KIND_GROUP, to, 0), 1, "added, for design layers");
    game += to <= game;
    for (uint32_t i = first, at = 0; i < map->groups[game].num_layers;) {
        if (is_physics_layer(&map->groups[game], i)) {
            i++;
            continue;
        }
        tmi_edit_changed(edit, tmi_edit_address(TM_KIND_LAYER, game, i), 1, "moved to group %u",
                         (unsigned)to);
        TM_TRY(tm_map_move_layer(map, game, i, to, at++, error));
    }
    return TM_OK;
}

/* Design layers behind the last physics layer of the list are drawn in front of it. */
tm_status tmi_edit_isolate(tmi_edit *edit, tm_error *error)
{
    uint32_t game;
    if (!tm_map_physics_layer(&game, NULL, edit->map, TM_LAYER_GAME))
        return TM_OK;
    const tm_group *group = &edit->map->groups[game];
    uint32_t first = group->num_layers;
    while (first > 0 && !is_physics_layer(group, first - 1))
        first--;
    TM_TRY(split_group(edit, game, first, game + 1, error));
    return split_group(edit, game, 0, game, error); /* what is left is behind physics */
}
