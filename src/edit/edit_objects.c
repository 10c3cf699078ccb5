/* SPDX-License-Identifier: Zlib */
/* Finds the objects that an argument means: an address, or an address with * in names. */
#include "edit.h"

void *tmi_edit_struct_at(tm_map *map, const tm_address *address, tm_kind *owner)
{
    return address->kind == TM_KIND_SETTINGS ? NULL : tmi_map_object_edit(map, address, owner);
}

/* -------------------------------------------------------------------------------------------- finding */

static tm_status add_address(tmi_edit_objects *objects, tm_kind kind, uint32_t index, uint32_t layer,
                             tm_error *error)
{
    TM_TRY(tmi_grow(objects->allocator, &objects->list, &objects->capacity, objects->num + 1,
                    sizeof(*objects->list), error));
    objects->list[objects->num++] = tmi_edit_address(kind, index, layer);
    return TM_OK;
}

/* Finds the objects of an address with * or a range in it; that of layers has two elements. */
static tm_status find_fitting(tmi_edit_objects *out, const tm_map *map, const char *text, tm_error *error)
{
    const char *slash = strchr(text, '/'), *element = text;
    tm_kind kind = slash ? TM_KIND_LAYER : TM_KIND_GROUP;
    tm_address address = tmi_whole_map;
    for (tm_kind object = TM_KIND_IMAGE; slash && object <= TM_KIND_ENVELOPE; object++) {
        const char *word = tm_kind_name(object);
        if (strlen(word) == (size_t)(slash - text) && strncmp(text, word, strlen(word)) == 0) {
            kind = object;
            element = slash + 1;
        }
    }
    while (tmi_next_object(map, &address)) {
        const tm_address group = {TM_KIND_GROUP, address.index, 0};
        const bool is_layer = kind == TM_KIND_LAYER;
        const tm_address *first = is_layer ? &group : &address;
        const size_t size = is_layer ? (size_t)(slash - text) : strlen(element);
        if (address.kind == kind &&
            tmi_element_fits(element, size, address.index, tmi_object_name(map, first)) &&
            (!is_layer ||
             tmi_element_fits(slash + 1, strlen(slash + 1), address.layer, tmi_object_name(map, &address))))
            TM_TRY(add_address(out, address.kind, address.index, address.layer, error));
    }
    return TM_OK;
}

tm_status tmi_edit_choose_layers(tm_layer_choice **out, const tmi_edit *edit, const char *set, size_t size,
                                 tm_error *error)
{
    const char *words = tmi_strndup(edit->scratch, set, size);
    if (!words)
        return tmi_fail_memory(error, (uint64_t)size + 1, "set of layers");
    TM_TRY(tmi_reserve(out, edit->scratch, (size_t)tm_map_num_layers(edit->map) + 1, sizeof(**out),
                       "set of layers", error));
    return tmi_select_undrawn(*out, edit->map, words, error);
}

tm_status tmi_edit_layers_find(tmi_edit_objects *out, const tmi_edit *edit, const tmi_edit_value *value,
                               tm_error *error)
{
    tm_layer_choice *choices = NULL;
    tm_layer_walk walk = {0};
    *out = (tmi_edit_objects){.allocator = edit->scratch};
    if (value->text)
        TM_TRY(tmi_edit_choose_layers(&choices, edit, value->text, value->set_size, error));
    while (tm_map_next_layer(edit->map, &walk))
        if (!choices || choices[walk.number].chosen)
            TM_TRY(add_address(out, TM_KIND_LAYER, walk.group, walk.index, error));
    return TM_OK;
}

/* Finds the objects of an address whose fields fit the filters, as in "image/NAME:external=true". */
static tm_status find_filtered(tmi_edit_objects *out, const tmi_edit *edit, const char *text, tm_error *error)
{
    const tm_map *map = edit->map;
    tmi_filters filters;
    tm_kind owner;
    size_t kept = 0;
    char *words = tmi_strdup(edit->scratch, text);
    if (!words)
        return tmi_fail_memory(error, strlen(text) + 1, "objects");
    for (char *colon = words; tmi_has_filter(words) && (colon = strrchr(words, ':'));)
        *colon = '\0';
    TM_TRY(tmi_edit_objects_find(out, edit, words, error));
    memcpy(words, text, strlen(text) + 1);
    if (out->num && tmi_map_object(map, &out->list[0], &owner))
        TM_TRY(tmi_filters_take(&filters, words, owner, error));
    for (size_t i = 0; i < out->num; i++) {
        const void *object = tmi_map_object(map, &out->list[i], &owner);
        if (object && tmi_filters_fit(&filters, map, owner, object))
            out->list[kept++] = out->list[i];
    }
    out->num = kept;
    return TM_OK;
}

tm_status tmi_edit_objects_find(tmi_edit_objects *out, const tmi_edit *edit, const char *text,
                                tm_error *error)
{
    const tm_map *map = edit->map;
    tm_error of_set = {0};
    *out = (tmi_edit_objects){.allocator = edit->scratch};
    const bool is_wide = tmi_address_is_wide(map, text);
    tm_address found;
    tm_status status =
        is_wide ? find_fitting(out, map, text, error) : tm_address_parse(&found, map, text, error);
    if (!status && !is_wide)
        status = add_address(out, found.kind, found.index, found.layer, error);
    if (status ? status != TM_ERROR_NOT_FOUND && status != TM_ERROR_USAGE : out->num > 0)
        return status;
    const bool filtered = tmi_has_filter(text);
    const tmi_edit_value set = {.text = text, .set_size = strlen(text)};
    const tm_status as_set = filtered && !tmi_address_is_path(text)
                                 ? find_filtered(out, edit, text, &of_set)
                                 : tmi_edit_layers_find(out, edit, &set, &of_set);
    const bool nowhere = as_set == TM_ERROR_NOT_FOUND || as_set == TM_ERROR_USAGE;
    if (as_set == TM_OK || (nowhere && !filtered))
        return as_set ? status : TM_OK;
    if (error)
        *error = of_set;
    return as_set;
}

tm_status tmi_edit_objects_fitting(tmi_edit_objects *out, tmi_edit *edit, const char *text, tm_error *error)
{
    TM_TRY(tmi_edit_objects_find(out, edit, text, error));
    if (out->num == 0)
        tmi_edit_report(edit, TM_FINDING_NO_MATCH, tmi_whole_map, "nothing fits '%.100s'", text);
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------- one by one */

static tm_status work_at(tmi_edit *edit, tm_kind kind, tmi_edit_work *work, const tm_address *address,
                         tm_error *error)
{
    const char *word = tm_kind_name(kind);
    const tm_allocator *const outer = edit->scratch;
    tmi_arena arena;
    tm_status status;
    tmi_arena_init(&arena, tmi_map_allocator(edit->map));
    const tm_allocator allocator = tmi_arena_allocator(&arena);
    edit->scratch = &allocator;
    if (kind == TM_KIND_MAP || address->kind == kind)
        status = work(edit, address, error);
    else
        status = tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is no %s; %ss are %s/NAME", edit->value->text,
                          word, word, word);
    edit->scratch = outer;
    tmi_arena_release(&arena);
    return tmi_fail_at_address(error, status, edit->map, *address);
}

tm_status tmi_edit_each_of_map(tmi_edit *edit, tm_kind kind, tmi_edit_work *work, void *ctx, tm_error *error)
{
    tm_address address = tmi_whole_map;
    edit->ctx = ctx;
    while (tmi_next_object(edit->map, &address))
        if (address.kind == kind)
            TM_TRY(work_at(edit, kind, work, &address, error));
    return TM_OK;
}

tm_status tmi_edit_each(tmi_edit *edit, tm_kind kind, tmi_edit_work *work, void *ctx, tm_error *error)
{
    const tm_edit_argument *row = edit->operation->arguments;
    bool named = false;
    edit->ctx = ctx;
    for (uint32_t i = 0; i < edit->num_values && row->name; i++, row += !row->repeats) {
        const tmi_edit_value *value = &edit->values[i];
        const bool layers = row->type == TM_EDIT_LAYERS;
        tmi_edit_objects objects;
        if (!value->text || (row->type != TM_EDIT_OBJECTS && !layers))
            continue;
        named = true;
        edit->value = value;
        TM_TRY(layers ? tmi_edit_layers_find(&objects, edit, value, error)
                      : tmi_edit_objects_fitting(&objects, edit, value->text, error));
        edit->asked = !layers && !tmi_address_is_wide(edit->map, value->text);
        for (size_t k = 0; k < objects.num; k++)
            TM_TRY(work_at(edit, kind, work, &objects.list[k], error));
        edit->asked = false;
        edit->value = NULL;
    }
    return named ? TM_OK : tmi_edit_each_of_map(edit, kind, work, ctx, error);
}
