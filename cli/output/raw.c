/* SPDX-License-Identifier: Zlib */
/* raw.c - the container as JSON. Knows no layout of any item. */
#include "raw.h"

/* What is known of an item's type. */
typedef struct raw_type {
    const char *name; /* "image", "mapitemtype-test@ddnet.tw"; NULL: no game knows it */
    bool has_uuid;
    tm_uuid uuid;
} raw_type;

static void raw_type_find(raw_type *out, const tm_datafile *file, uint16_t type)
{
    tm_datafile_type found;
    *out = (raw_type){0};
    if (tm_datafile_find_type(&found, file, type) && found.has_uuid) {
        out->has_uuid = true;
        out->uuid = found.uuid;
        out->name = tm_game_uuid_name(&found.uuid);
    } else {
        out->name = type == TM_TYPE_UUID_INDEX ? "uuid-index" : tm_game_item_name(type);
    }
}

json_t *json_raw_header(const tm_datafile *file)
{
    tm_datafile_header h;
    char magic[5] = "";
    tm_datafile_get_header(&h, file);
    memcpy(magic, h.magic, 4);
    json_t *object = json_make();
    json_add_text(object, "magic", magic);
    json_add_int(object, "version", h.version);
    json_add_int(object, "size", h.size);
    json_add_int(object, "swaplen", h.swaplen);
    json_add_int(object, "num_item_types", h.num_item_types);
    json_add_int(object, "num_items", h.num_items);
    json_add_int(object, "num_data", h.num_data);
    json_add_int(object, "item_size", h.item_size);
    json_add_int(object, "data_size", h.data_size);
    json_add_bool(object, "crude_size", h.crude_size);
    json_add_bool(object, "crude_swaplen", h.crude_swaplen);
    json_add_bool(object, "canonical", h.canonical);
    json_add_int(object, "file_size", (int64_t)h.file_size);
    json_add_int(object, "head_size", (int64_t)h.head_size);
    return object;
}

static void add_type(json_t *object, const tm_datafile *file, uint16_t number)
{
    raw_type type;
    raw_type_find(&type, file, number);
    json_add_int(object, "type", number);
    json_add(object, "name", type.name ? json_string(type.name) : json_null());
    if (type.has_uuid)
        json_add_uuid(object, "uuid", &type.uuid);
    else
        json_add(object, "uuid", json_null());
}

json_t *json_raw_types(const tm_datafile *file)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < tm_datafile_num_types(file); i++) {
        tm_datafile_type type;
        tm_datafile_get_type(&type, file, i);
        json_t *object = json_append_object(list);
        add_type(object, file, type.type);
        json_add_int(object, "first", type.first);
        json_add_int(object, "num", type.num);
    }
    return list;
}

static json_t *start_raw_object(const char *kind, uint32_t index)
{
    char address[32];
    snprintf(address, sizeof(address), "%s/%" PRIu32, kind, index);
    json_t *object = json_make();
    json_add(object, "address", json_string(address));
    return object;
}

json_t *json_raw_item(const tm_datafile *file, uint32_t index)
{
    tm_datafile_item item;
    json_t *object = start_raw_object("item", index);
    tm_datafile_get_item(&item, file, index);
    add_type(object, file, item.type);
    json_add_int(object, "id", item.id);
    json_add_int(object, "size", item.size);
    json_add_int(object, "offset", item.offset);
    return object;
}

json_t *json_raw_data(const tm_datafile *file, uint32_t index)
{
    tm_datafile_data data;
    json_t *object = start_raw_object("data", index);
    tm_datafile_get_data(&data, file, index);
    json_add_int(object, "offset", (int64_t)data.offset);
    json_add_int(object, "packed_size", (int64_t)data.packed_size);
    json_add_int(object, "size", (int64_t)data.size);
    return object;
}
