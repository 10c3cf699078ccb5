/* SPDX-License-Identifier: Zlib */
/*
 * Which objects an argument means: an address, or an address with * in names.
 */
#include "edit.h"

bool tmi_edit_fits(const char *pattern, const char *text)
{
    return pattern && tmi_glob_match(pattern, strlen(pattern), text);
}

/* ----------------------------------------------------------------------------------- kinds of objects */

static const struct {
    tm_address_kind kind;
    tm_object object;
    const char *word; /* that addresses begin with; NULL: none */
    tm_owner owner;
} kinds[] = {
    {TM_ADDRESS_IMAGE, TM_OBJECT_IMAGE, "image/", TM_OWNER_IMAGE},
    {TM_ADDRESS_SOUND, TM_OBJECT_SOUND, "sound/", TM_OWNER_SOUND},
    {TM_ADDRESS_ENVELOPE, TM_OBJECT_ENVELOPE, "envelope/", TM_OWNER_ENVELOPE},
    {TM_ADDRESS_GROUP, TM_OBJECT_GROUP, NULL, TM_OWNER_GROUP},
};

bool tmi_edit_object_of(tm_object *out, tm_address_kind kind)
{
    for (size_t i = 0; i < TMI_COUNT_OF(kinds); i++) {
        if (kinds[i].kind == kind) {
            *out = kinds[i].object;
            return true;
        }
    }
    return false;
}

tm_address_kind tmi_edit_kind_of(tm_object object)
{
    for (size_t i = 0; i < TMI_COUNT_OF(kinds); i++)
        if (kinds[i].object == object)
            return kinds[i].kind;
    return TM_ADDRESS_MAP;
}

uint32_t tmi_edit_num_objects(const tm_map *map, tm_object object)
{
    switch (object) {
    case TM_OBJECT_IMAGE: return map->num_images;
    case TM_OBJECT_SOUND: return map->num_sounds;
    case TM_OBJECT_ENVELOPE: return map->num_envelopes;
    case TM_OBJECT_GROUP: return map->num_groups;
    }
    return 0;
}

void *tmi_edit_struct_at(tm_map *map, const tm_address *address, tm_owner *owner)
{
    for (size_t i = 0; i < TMI_COUNT_OF(kinds); i++)
        if (kinds[i].kind == address->kind)
            *owner = kinds[i].owner;
    switch (address->kind) {
    case TM_ADDRESS_MAP: *owner = TM_OWNER_MAP; return map;
    case TM_ADDRESS_INFO: *owner = TM_OWNER_INFO; return &map->info;
    case TM_ADDRESS_IMAGE: return &map->images[address->index];
    case TM_ADDRESS_SOUND: return &map->sounds[address->index];
    case TM_ADDRESS_ENVELOPE: return &map->envelopes[address->index];
    case TM_ADDRESS_GROUP: return &map->groups[address->index];
    case TM_ADDRESS_LAYER:
        *owner = TM_OWNER_LAYER;
        return &map->groups[address->index].layers[address->layer];
    default: *owner = TM_OWNER_COUNT; return NULL;
    }
}

/* -------------------------------------------------------------------------------------------- finding */

void tmi_edit_objects_free(tmi_edit_objects *objects)
{
    tmi_free(objects->allocator, objects->list, objects->capacity, sizeof(*objects->list));
    memset(objects, 0, sizeof(*objects));
}

tm_status tmi_edit_objects_add(tmi_edit_objects *to, tm_address_kind kind, uint32_t index, uint32_t layer,
                               tm_error *error)
{
    TM_TRY(tmi_grow(to->allocator, &to->list, &to->capacity, to->num + 1, sizeof(*to->list), error));
    to->list[to->num++] = tmi_edit_address(kind, index, layer);
    return TM_OK;
}

static const char *object_name(const tm_map *map, tm_object object, uint32_t index)
{
    switch (object) {
    case TM_OBJECT_IMAGE: return map->images[index].name;
    case TM_OBJECT_SOUND: return map->sounds[index].name;
    case TM_OBJECT_ENVELOPE: return map->envelopes[index].name;
    case TM_OBJECT_GROUP: return map->groups[index].name;
    }
    return NULL;
}

static tm_status find_numbered(tmi_edit_objects *out, const tm_map *map, tm_object object,
                               const char *element, tm_error *error)
{
    const uint32_t num = tmi_edit_num_objects(map, object);
    for (uint32_t i = 0; i < num; i++)
        if (tmi_element_fits(element, strlen(element), i, object_name(map, object, i)))
            TM_TRY(tmi_edit_objects_add(out, tmi_edit_kind_of(object), i, 0, error));
    return TM_OK;
}

/* Layers by two elements; that of the group ends at `slash`. */
static tm_status find_layers(tmi_edit_objects *out, const tm_map *map, const char *text, const char *slash,
                             tm_error *error)
{
    tm_layer_walk at = {0};
    while (tm_map_next_layer(map, &at))
        if (tmi_element_fits(text, (size_t)(slash - text), at.group, map->groups[at.group].name) &&
            tmi_element_fits(slash + 1, strlen(slash + 1), at.index, at.layer->name))
            TM_TRY(tmi_edit_objects_add(out, TM_ADDRESS_LAYER, at.group, at.index, error));
    return TM_OK;
}

/* An address with a * or a range in it. */
static tm_status find_fitting(tmi_edit_objects *out, const tm_map *map, const char *text, tm_error *error)
{
    for (size_t i = 0; i < TMI_COUNT_OF(kinds); i++)
        if (kinds[i].word && strncmp(text, kinds[i].word, strlen(kinds[i].word)) == 0)
            return find_numbered(out, map, kinds[i].object, text + strlen(kinds[i].word), error);
    const char *slash = strchr(text, '/');
    return slash ? find_layers(out, map, text, slash, error)
                 : find_numbered(out, map, TM_OBJECT_GROUP, text, error);
}

static tm_status add_chosen(tmi_edit_objects *out, const tm_map *map, const tm_layer_choice *choices,
                            tm_error *error)
{
    tm_layer_walk at = {0};
    while (tm_map_next_layer(map, &at))
        if (choices[at.number].chosen)
            TM_TRY(tmi_edit_objects_add(out, TM_ADDRESS_LAYER, at.group, at.index, error));
    return TM_OK;
}

static tm_status find_set(tmi_edit_objects *out, const tm_map *map, const char *text, tm_error *error)
{
    const uint32_t num = tm_map_num_layers(map);
    memset(out, 0, sizeof(*out));
    out->allocator = tmi_map_allocator(map);
    tm_layer_choice *choices = tmi_alloc(out->allocator, (size_t)num + 1, sizeof(*choices));
    if (!choices)
        return tmi_fail_memory(error, ((size_t)num + 1) * sizeof(*choices), "choices");
    tm_status status = tmi_select_undrawn(choices, map, text, error);
    status = status ? status : add_chosen(out, map, choices, error);
    tmi_free(out->allocator, choices, (size_t)num + 1, sizeof(*choices));
    if (status)
        tmi_edit_objects_free(out);
    return status;
}

static tm_status find_address(tmi_edit_objects *out, const tm_map *map, const char *text, tm_error *error)
{
    tm_address found;
    TM_TRY(tm_address_parse(&found, map, text, error));
    return tmi_edit_objects_add(out, found.kind, found.index, found.layer, error);
}

static bool leads_nowhere(tm_status status)
{
    return status == TM_ERROR_NOT_FOUND || status == TM_ERROR_USAGE;
}

tm_status tmi_edit_objects_find(tmi_edit_objects *out, const tm_map *map, const char *text, tm_error *error)
{
    tm_error of_set = {0};
    memset(out, 0, sizeof(*out));
    out->allocator = tmi_map_allocator(map);
    const tm_status status = tmi_address_is_wide(map, text) ? find_fitting(out, map, text, error)
                                                            : find_address(out, map, text, error);
    if (status ? !leads_nowhere(status) : out->num > 0) {
        if (status)
            tmi_edit_objects_free(out);
        return status;
    }
    const tm_status as_set = find_set(out, map, text, &of_set);
    const bool says_more = as_set == TM_ERROR_USAGE && strchr(text, ':'); /* of a field behind the set */
    if (as_set == TM_OK || (leads_nowhere(as_set) && !says_more))
        return as_set ? status : TM_OK;
    if (error)
        *error = of_set;
    return as_set;
}
