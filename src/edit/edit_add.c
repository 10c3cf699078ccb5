/* SPDX-License-Identifier: Zlib */
/*
 * Adding what objects consist of: points of envelopes, quads, sound sources. Objects themselves are added in
 * edit_structure.c.
 */
#include "edit.h"

enum { PLAIN_PX = 64 }; /* sides of a quad without an image */

/* The one object that an argument means, of a kind. */
static tm_status find_holder(tm_address *out, const tmi_edit *edit, tm_address_kind kind, tm_error *error)
{
    const char *text = edit->values[0].text;
    tmi_edit_objects objects;
    TM_TRY(tmi_edit_objects_find(&objects, edit->map, text, error));
    const bool fits = objects.num == 1 && objects.list[0].kind == kind;
    if (fits)
        *out = objects.list[0];
    tmi_edit_objects_free(&objects);
    return fits ? TM_OK
                : tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not one %s", text,
                           kind == TM_ADDRESS_LAYER ? "layer" : "envelope");
}

static tm_status find_layer_of(tm_address *out, const tmi_edit *edit, tm_layer_kind kind, tm_error *error)
{
    TM_TRY(find_holder(out, edit, TM_ADDRESS_LAYER, error));
    const tm_layer_kind is = edit->map->groups[out->index].layers[out->layer].kind;
    if (is == kind)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is a layer of kind %s, not %s", edit->values[0].text,
                    tm_game_layer(is)->name, tm_game_layer(kind)->name);
}

/* From px to fx. */
static tm_status read_px(int32_t out[2], const tmi_edit_value *value, tm_error *error)
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
    tm_address at;
    tm_quad quad;
    int32_t corner[2];
    TM_TRY(find_layer_of(&at, edit, TM_LAYER_QUADS, error));
    TM_TRY(read_px(corner, &edit->values[1], error));
    const tm_quad_layer *layer = &edit->map->groups[at.index].layers[at.layer].as.quads;
    const tm_image *image = tm_map_image(edit->map, layer->image);
    const bool sized = image && image->width > 0 && image->height > 0;
    uint64_t size[2] = {sized ? (uint32_t)image->width : PLAIN_PX,
                        sized ? (uint32_t)image->height : PLAIN_PX};
    if (edit->values[2].text) {
        size[0] = edit->values[2].width;
        size[1] = edit->values[2].height;
    }
    if (size[0] > INT32_MAX / TM_FX || size[1] > INT32_MAX / TM_FX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "a quad has sides up to %ld px", (long)INT32_MAX / TM_FX);
    tm_quad_init(&quad, corner[0], corner[1], (uint32_t)size[0] * TM_FX, (uint32_t)size[1] * TM_FX);
    const uint32_t num = layer->num_quads;
    TM_TRY(tmi_map_insert_quads(edit->map, at.index, at.layer, num, &quad, 1, error));
    tmi_edit_changed(edit, at, 1, "quad %u added, %llux%llu px", (unsigned)num, (unsigned long long)size[0],
                     (unsigned long long)size[1]);
    return TM_OK;
}

tm_status tmi_edit_add_source(tmi_edit *edit, tm_error *error)
{
    tm_address at;
    tm_sound_source source;
    int32_t place[2];
    TM_TRY(find_layer_of(&at, edit, TM_LAYER_SOUNDS, error));
    TM_TRY(read_px(place, &edit->values[1], error));
    tm_sound_source_init(&source, place[0], place[1]);
    const uint32_t num = edit->map->groups[at.index].layers[at.layer].as.sounds.num_sources;
    TM_TRY(tmi_map_insert_sources(edit->map, at.index, at.layer, num, &source, 1, error));
    tmi_edit_changed(edit, at, 1, "sound source %u added", (unsigned)num);
    return TM_OK;
}

tm_status tmi_edit_add_point(tmi_edit *edit, tm_error *error)
{
    enum { FIRST_VALUE = 2 };
    const tm_field *field = tm_field_find(TM_OWNER_ENVELOPE_POINT, "values");
    tm_envelope_point point = {.time = edit->values[1].x, .curve = TM_CURVE_LINEAR};
    tm_address at;
    uint32_t place = 0;
    TM_TRY(find_holder(&at, edit, TM_ADDRESS_ENVELOPE, error));
    const tm_envelope *envelope = &edit->map->envelopes[at.index];
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
    TM_TRY(tmi_map_insert_points(edit->map, at.index, place, &point, 1, error));
    tmi_edit_changed(edit, at, 1, "point %u added at %ld ms", (unsigned)place, (long)point.time);
    return TM_OK;
}
