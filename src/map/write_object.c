/* SPDX-License-Identifier: Zlib */
/*
 * Objects as JSON, in the order and nesting of the table of fields, which is all that is known here of any
 * object. Numbers and truths stand as such, what is not there as null, everything else as the text that
 * tm_value_format writes; references by the names that objects have where it is written.
 */
#include "internal.h"

#include "../text/text.h"

/* ------------------------------------------------------------------------------------------------- values */

enum { VALUE_SIZE = 320, SHOWN_ALWAYS = 3 };

static void put_block_sizes(tmi_out *writer, const tm_block *block)
{
    const tm_block_info info = tm_block_get_info(block);
    if (block) {
        tmi_out_number(writer, "size", (int64_t)info.size);
        tmi_out_number(writer, "packed_size", (int64_t)info.packed_size);
    } else {
        tmi_out_null(writer, "size");
        tmi_out_null(writer, "packed_size");
    }
}

void tmi_value_put(const tmi_object_out *out, const char *key, const tm_field *field, const tm_value *value)
{
    char text[VALUE_SIZE];
    const char *string = value->as.text, *name = NULL;
    const int64_t number = value->as.number;
    const bool refers = field->type == TM_TYPE_REFERENCE;
    switch (field->type) {
    case TM_TYPE_TEXT: /* saving writes no empty text */
        tmi_out_exact(out->writer, key, string && *string ? string : NULL);
        return;
    case TM_TYPE_TEXTS:
    case TM_TYPE_NAME: tmi_out_exact(out->writer, key, string); return;
    case TM_TYPE_BOOL: tmi_out_bool(out->writer, key, number != 0); return;
    case TM_TYPE_BLOCK: put_block_sizes(out->writer, value->as.block); return;
    default: break;
    }
    if ((refers || field->type == TM_TYPE_INDEX) && number == TM_NONE) {
        tmi_out_null(out->writer, key);
        return;
    }
    if (refers && out->name && number >= 0)
        name = out->name(out->names, field->refers, number);
    if (name)
        tmi_format(text, sizeof(text), "%s/%s", tm_kind_name(field->refers), name);
    else
        tm_value_format(text, sizeof(text), field, value, NULL);
    if (refers || field->type == TM_TYPE_COLOR || field->type == TM_TYPE_POINT ||
        field->type == TM_TYPE_FLAGS || (field->type == TM_TYPE_CHOICE && field->choice(number)))
        tmi_out_text(out->writer, key, text);
    else
        tmi_out_token(out->writer, key, text);
}

/* ------------------------------------------------------------------------------------------------- fields */

typedef struct object_walk {
    const tmi_object_out *out;
    const void *object;
    bool brief;          /* what has its first value is left out, but for what comes first */
    uint32_t num_fields; /* so far */
    uint32_t num_values; /* of a list of values within a field, so many are always shown; 0: all */
} object_walk;

/* Values that are always shown, and those up to the last that is not what a new object has. */
static uint32_t num_shown(const object_walk *walk, const tm_field *field, uint32_t least)
{
    const tm_value first = tm_field_initial(field);
    for (uint32_t num = field->num_values; num > least; num--) {
        const tm_value value = tm_field_get(field, walk->object, num - 1);
        if (!tm_value_same(&value, &first))
            return num;
    }
    return least;
}

static void put_field(object_walk *walk, const char *key, const tm_field *field)
{
    const uint32_t num_values = field->num_values;
    if (walk->brief && walk->num_fields++ >= SHOWN_ALWAYS && num_shown(walk, field, 0) == 0)
        return;
    if (num_values > 1)
        tmi_out_open(walk->out->writer, key, '[');
    const uint32_t least = walk->num_values && walk->num_values < num_values ? walk->num_values : num_values;
    const uint32_t num = num_shown(walk, field, least);
    for (uint32_t i = 0; i < num; i++) {
        const tm_value value = tm_field_get(field, walk->object, i);
        tmi_value_put(walk->out, num_values > 1 ? NULL : key, field, &value);
    }
    if (num_values > 1)
        tmi_out_close(walk->out->writer, ']');
}

static void put_step(void *ctx, tm_walk_step step, const char *key, const tm_field *field)
{
    object_walk *walk = ctx;
    /* Lists have a form of their own; a count is that of what stands there. */
    const bool second = field && (field->flags & TM_FIELD_ALIAS || field->type == TM_TYPE_COUNT ||
                                  field->type == TM_TYPE_BLOCK);
    if (step == TM_WALK_OPEN)
        tmi_out_open(walk->out->writer, key, '{');
    else if (step == TM_WALK_CLOSE)
        tmi_out_close(walk->out->writer, '}');
    else if (step == TM_WALK_ABSENT)
        tmi_out_null(walk->out->writer, key);
    else if (field->type != TM_TYPE_LIST && field->type != TM_TYPE_TEXTS && (walk->out->sizes || !second))
        put_field(walk, key, field);
}

void tmi_object_put(const tmi_object_out *out, tm_kind owner, const void *object)
{
    object_walk walk = {.out = out, .object = object};
    tm_fields_walk(owner, object, put_step, &walk);
}

/* A circle's radius is what its bytes mean; as a rectangle's width it would be a fraction. */
void tmi_element_put(const tmi_object_out *out, const char *name, tm_kind owner, const void *element,
                     uint32_t num_values)
{
    object_walk walk = {.out = out, .object = element, .brief = true, .num_values = num_values};
    tm_sound_source source = {.shape = TM_SHAPE_RECTANGLE};
    if (owner == TM_KIND_SOUND_SOURCE)
        memcpy(&source, element, sizeof(source));
    const bool circle = source.shape == TM_SHAPE_CIRCLE;
    const int32_t radius = source.width;
    if (circle) {
        source.width = 0;
        walk.object = &source;
    }
    tmi_out_open(out->writer, name, '{');
    tm_fields_walk(owner, walk.object, put_step, &walk);
    if (circle)
        tmi_out_number(out->writer, "radius", radius);
    tmi_out_close(out->writer, '}');
}

void tmi_elements_put(const tmi_object_out *out, const char *name, tm_kind owner, const void *elements,
                      uint32_t num, uint32_t num_values)
{
    const uint32_t lines = out->writer->lines;
    tmi_out_open(out->writer, name, '[');
    out->writer->lines += lines > 0;
    for (uint32_t i = 0; i < num && out->writer->status == TM_OK; i++)
        tmi_element_put(out, NULL, owner, (const char *)elements + (size_t)i * tm_kind_size(owner),
                        num_values);
    tmi_out_close(out->writer, ']');
    out->writer->lines = lines;
}

void tmi_points_put(const tmi_object_out *out, const tm_envelope *envelope)
{
    const bool known = envelope->channels >= 1 && envelope->channels <= 4;
    tmi_elements_put(out, "points", TM_KIND_ENVELOPE_POINT, envelope->points, envelope->num_points,
                     known ? (uint32_t)envelope->channels : 0);
}

/* ----------------------------------------------------------------------------------------------- told of */

tm_status tmi_check_address(const tm_map *map, const tm_address *address, tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(address, "address", error));
    tm_kind owner;
    if (address->kind != TM_KIND_MAP && address->kind != TM_KIND_SETTINGS &&
        tmi_map_object(map, address, &owner))
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1,
                    "the address leads to no info, image, sound, envelope, group or layer");
}

/* The names of the fields that could not be read, if there are any. */
static void put_unread(tmi_out *writer, tm_kind owner, const void *object)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    if (!tmi_any_unread(owner, object))
        return;
    tmi_out_open(writer, "unread", '[');
    for (size_t i = 0; i < num; i++)
        if (fields[i].type != TM_TYPE_COUNT && tm_field_unread(&fields[i], object))
            tmi_out_text(writer, NULL, fields[i].name);
    tmi_out_close(writer, ']');
}

static void put_layer(const tmi_object_out *out, const tm_group *group, tm_address address)
{
    char place[TM_ADDRESS_SIZE];
    const tm_layer *layer = &group->layers[address.layer];
    tm_address_format(&address, place, sizeof(place));
    tmi_out_text(out->writer, "address", place);
    tmi_object_put(out, TM_KIND_LAYER, layer);
    tmi_object_put(out, tm_kind_of_layer(layer->kind), layer);
}

tm_status tm_object_write(const tm_map *map, const tm_address *address, const tm_output *output,
                          tm_error *error)
{
    char place[TM_ADDRESS_SIZE];
    tmi_out text_writer;
    tm_kind owner;
    const tmi_object_out out = {.writer = &text_writer, .sizes = true};
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(tmi_check_address(map, address, error));
    const void *object = tmi_map_object(map, address, &owner);
    tmi_out_start(&text_writer, output, error);
    tmi_out_open(&text_writer, NULL, '{');
    tm_address_format(address, place, sizeof(place));
    tm_address target = *address;
    if (address->kind != TM_KIND_INFO && address->kind != TM_KIND_LAYER)
        tmi_out_text(&text_writer, "address", place);
    if (address->kind == TM_KIND_LAYER)
        put_layer(&out, &map->groups[target.index], target);
    else
        tmi_object_put(&out, owner, object);
    put_unread(&text_writer, owner, object);
    if (address->kind == TM_KIND_GROUP) {
        const tm_group *group = object;
        tmi_out_open(&text_writer, "layers", '[');
        target.kind = TM_KIND_LAYER;
        for (target.layer = 0; target.layer < group->num_layers; target.layer++) {
            tmi_out_open(&text_writer, NULL, '{');
            put_layer(&out, group, target);
            tmi_out_close(&text_writer, '}');
        }
        tmi_out_close(&text_writer, ']');
    }
    tmi_out_close(&text_writer, '}');
    return tmi_out_end(&text_writer);
}
