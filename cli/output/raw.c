/* SPDX-License-Identifier: Zlib */
/*
 * raw.c - the container as JSON, and the part of the address syntax that only the command line has: a kind
 * alone means all of its objects. Knows no layout of any item.
 */
#include "raw.h"

#include "run/fail.h"

/* The names of an item's type. */
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
    return json_object(JSON_TEXT("magic", magic), JSON_INT("version", h.version), JSON_INT("size", h.size),
                       JSON_INT("swaplen", h.swaplen), JSON_INT("num_item_types", h.num_item_types),
                       JSON_INT("num_items", h.num_items), JSON_INT("num_data", h.num_data),
                       JSON_INT("item_size", h.item_size), JSON_INT("data_size", h.data_size),
                       JSON_BOOL("crude_size", h.crude_size), JSON_BOOL("crude_swaplen", h.crude_swaplen),
                       JSON_BOOL("canonical", h.canonical), JSON_INT("file_size", h.file_size),
                       JSON_INT("head_size", h.head_size));
}

static void add_type(json_t *object, const tm_datafile *file, uint16_t number)
{
    raw_type type;
    raw_type_find(&type, file, number);
    json_add_all(object, JSON_INT("type", number), JSON_TEXT("name", type.name));
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
        json_t *object = json_make();
        add_type(object, file, type.type);
        json_append(list, json_add_all(object, JSON_INT("first", type.first), JSON_INT("num", type.num)));
    }
    return list;
}

static json_t *start_raw_object(const char *kind, uint32_t index)
{
    char address[32];
    snprintf(address, sizeof(address), "%s/%" PRIu32, kind, index);
    return json_object(JSON_TEXT("address", address));
}

json_t *json_raw_item(const tm_datafile *file, uint32_t index)
{
    tm_datafile_item item;
    json_t *object = start_raw_object("item", index);
    tm_datafile_get_item(&item, file, index);
    add_type(object, file, item.type);
    return json_add_all(object, JSON_INT("id", item.id), JSON_INT("size", item.size),
                        JSON_INT("offset", item.offset));
}

json_t *json_raw_data(const tm_datafile *file, uint32_t index)
{
    tm_datafile_data data;
    json_t *object = start_raw_object("data", index);
    tm_datafile_get_data(&data, file, index);
    return json_add_all(object, JSON_INT("offset", data.offset), JSON_INT("packed_size", data.packed_size),
                        JSON_INT("size", data.size));
}

static const struct {
    const char *name;
    tm_kind kind;
} lists[] = {{"image", TM_KIND_IMAGE},
             {"sound", TM_KIND_SOUND},
             {"envelope", TM_KIND_ENVELOPE},
             {"item", TM_KIND_ITEM},
             {"data", TM_KIND_DATA}};

#define NUM_LISTS (sizeof(lists) / sizeof(lists[0]))

bool address_is_raw(const char *word)
{
    for (size_t i = 0; i < NUM_LISTS; i++) {
        size_t length = strlen(lists[i].name);
        if (lists[i].kind >= TM_KIND_ITEM && strncmp(word, lists[i].name, length) == 0 &&
            (word[length] == '\0' || word[length] == '/'))
            return true;
    }
    return false;
}

tm_status address_select(cli_selection *out, const char *word, const tm_map *map, tm_error *error)
{
    *out = (cli_selection){0};
    for (size_t i = 0; i < NUM_LISTS; i++) {
        if (strcmp(lists[i].name, word) == 0) {
            out->all = true;
            out->address.kind = lists[i].kind;
            return TM_OK;
        }
    }
    if (map)
        return tm_address_parse(&out->address, map, word, error);
    tm_map *empty = NULL;
    tm_status status = tm_map_new(&empty, NULL, error);
    if (!status)
        status = tm_address_parse(&out->address, empty, word, error);
    tm_map_free(empty);
    return status;
}

tm_status address_bound_raw(const cli_selection *selection, const tm_datafile *file, tm_error *error)
{
    bool item = selection->address.kind == TM_KIND_ITEM;
    uint32_t num = item ? tm_datafile_num_items(file) : tm_datafile_num_data(file);
    if (selection->all || selection->address.index < num)
        return TM_OK;
    return fail(error, TM_ERROR_NOT_FOUND, "there is no %s %" PRIu32 "; the file has %" PRIu32,
                item ? "item" : "data block", selection->address.index, num);
}
