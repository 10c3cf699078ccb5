/* SPDX-License-Identifier: Zlib */
/*
 * describe_json.c - the objects of a map as JSON, by the table of fields: a new field needs nothing here. The
 * forms are documented in docs/json.md and docs/schema/common.json.
 */
#include "describe.h"

/* An object that is being made, and the object within that is open (the outer one, if none is). */
typedef struct json_form {
    json_t *outer, *inner;
    const void *object;
} json_form;

static json_t *start(const tm_address *address)
{
    char place[64];
    tm_address_format(address, place, sizeof(place));
    json_t *object = json_make();
    json_add(object, "address", json_string(place));
    return object;
}

/* "size" and "packed_size" in bytes; null when there is no block. */
static void add_block(json_t *object, const tm_block *block)
{
    tm_block_info info = tm_block_get_info(block);
    json_add(object, "size", block ? json_integer((int64_t)info.size) : json_null());
    json_add(object, "packed_size", block ? json_integer((int64_t)info.packed_size) : json_null());
}

/* Open choices are shown as numbers, and by name in a field of their own. */
static json_t *json_choice(const tm_field *field, int64_t number)
{
    const char *name = field->choice(number);
    if (field->flags & TM_FIELD_OPEN && !(field->flags & TM_FIELD_ALIAS))
        return json_integer(number);
    return json_string(name ? name : "unknown");
}

static void add_value(json_t *object, const char *key, const tm_field *field, const tm_value *value)
{
    switch (field->type) {
    case TM_TYPE_BOOL: json_add_bool(object, key, value->as.number != 0); break;
    case TM_TYPE_CHOICE: json_add(object, key, json_choice(field, value->as.number)); break;
    case TM_TYPE_INDEX:
    case TM_TYPE_REFERENCE: json_add_index(object, key, (int32_t)value->as.number); break;
    case TM_TYPE_TEXT:
    case TM_TYPE_NAME: json_add_text(object, key, value->as.text); break;
    case TM_TYPE_COLOR: json_add_color(object, key, &value->as.color); break;
    case TM_TYPE_POINT: json_add_point(object, key, value->as.point.x, value->as.point.y); break;
    case TM_TYPE_BLOCK: add_block(object, value->as.block); break;
    default: json_add_int(object, key, value->as.number); break;
    }
}

static void add_json_step(void *ctx, tm_walk_step step, const char *key, const tm_field *field)
{
    json_form *form = ctx;
    if (step == TM_WALK_OPEN) {
        form->inner = json_make();
        json_add(form->outer, key, form->inner);
    } else if (step == TM_WALK_CLOSE) {
        form->inner = form->outer;
    } else if (step == TM_WALK_ABSENT) {
        json_add(form->inner, key, json_null());
    } else {
        const tm_value value = tm_field_get(field, form->object, 0);
        add_value(form->inner, key, field, &value);
    }
}

static void add_fields(json_t *object, tm_owner owner, const void *from)
{
    json_form form = {object, object, from};
    tm_fields_walk(owner, from, add_json_step, &form);
}

/* ------------------------------------------------------------------------------------------------ objects */

json_t *json_info(const tm_map *map)
{
    json_t *object = json_make();
    add_fields(object, TM_OWNER_INFO, &map->info);
    return object;
}

void json_add_settings(json_t *object, const tm_map *map)
{
    json_add_texts(object, "settings", map->info.settings, map->info.num_settings);
}

json_t *json_image(const tm_map *map, uint32_t index)
{
    json_t *object = start(&(tm_address){TM_ADDRESS_IMAGE, index, 0});
    add_fields(object, TM_OWNER_IMAGE, &map->images[index]);
    return object;
}

json_t *json_sound(const tm_map *map, uint32_t index)
{
    json_t *object = start(&(tm_address){TM_ADDRESS_SOUND, index, 0});
    add_fields(object, TM_OWNER_SOUND, &map->sounds[index]);
    return object;
}

json_t *json_envelope(const tm_map *map, uint32_t index)
{
    json_t *object = start(&(tm_address){TM_ADDRESS_ENVELOPE, index, 0});
    add_fields(object, TM_OWNER_ENVELOPE, &map->envelopes[index]);
    return object;
}

json_t *json_group(const tm_map *map, uint32_t index, bool layers)
{
    const tm_group *group = &map->groups[index];
    json_t *object = start(&(tm_address){TM_ADDRESS_GROUP, index, 0});
    add_fields(object, TM_OWNER_GROUP, group);
    if (layers) {
        json_t *list = json_array();
        for (uint32_t i = 0; i < group->num_layers; i++)
            json_append(list, json_layer(map, index, i));
        json_add(object, "layers", list);
    }
    return object;
}

json_t *json_layer(const tm_map *map, uint32_t group, uint32_t index)
{
    const tm_layer *layer = &map->groups[group].layers[index];
    json_t *object = start(&(tm_address){TM_ADDRESS_LAYER, group, index});
    add_fields(object, TM_OWNER_LAYER, layer);
    add_fields(object, tm_owner_of_layer(layer->kind), layer);
    return object;
}
