/* SPDX-License-Identifier: Zlib */
/*
 * set and rename: any field of any object, by the table of fields.
 */
#include "edit.h"

/* "ADDRESS.field[2]=value" or "ADDRESS.quads[3].field[2]=value", cut into its parts. */
typedef struct assignment {
    char address[256];
    char list[32];     /* "" for fields of the object itself */
    bool all_elements; /* [*] */
    uint32_t element;  /* else this one */
    char field[48];
    bool has_index;
    uint32_t index; /* which of the field's values */
    const char *value;
} assignment;

static bool take_name(char *out, size_t room, const char **text)
{
    size_t size = 0;
    const char *from = *text;
    while ((from[size] >= 'a' && from[size] <= 'z') || (from[size] >= '0' && from[size] <= '9') ||
           from[size] == '_' || (from[size] == '.' && size))
        size++;
    if (size == 0 || size >= room)
        return false;
    memcpy(out, from, size);
    out[size] = '\0';
    *text += size;
    return true;
}

/* "[3]" or "[*]"; false when there is something else. */
static bool take_subscript(uint32_t *out, bool *all, const char **text)
{
    const char *from = *text + 1;
    uint64_t number = 0;
    *all = from[0] == '*' && from[1] == ']';
    if (**text != '[')
        return false;
    if (*all) {
        *text = from + 2;
        return true;
    }
    const char *digit = from;
    for (; *digit >= '0' && *digit <= '9' && number <= UINT32_MAX; digit++)
        number = number * 10 + (uint64_t)(*digit - '0');
    if (digit == from || *digit != ']' || number > UINT32_MAX)
        return false;
    *out = (uint32_t)number;
    *text = digit + 1;
    return true;
}

/* What stands behind the dot after the address: LIST[n].field[n]=value or field[n]=value. */
static bool cut_rest(assignment *out, const char *text)
{
    bool all = false;
    const char *from = text;
    out->list[0] = '\0';
    if (take_name(out->list, sizeof(out->list), &from) &&
        take_subscript(&out->element, &out->all_elements, &from) && *from == '.')
        from++;
    else {
        out->list[0] = '\0';
        from = text;
    }
    if (!take_name(out->field, sizeof(out->field), &from))
        return false;
    out->has_index = *from == '[';
    if (out->has_index && (!take_subscript(&out->index, &all, &from) || all))
        return false;
    out->value = from + 1;
    return *from == '=';
}

/* Names may hold dots: the n-th dot behind which a field could stand ends the address. */
static bool cut_assignment(assignment *out, const char *text, uint32_t n)
{
    for (const char *dot = text; (dot = strchr(dot, '.')); dot++) {
        const size_t size = (size_t)(dot - text);
        if (size >= sizeof(out->address) || !cut_rest(out, dot + 1) || n-- > 0)
            continue;
        memcpy(out->address, text, size);
        out->address[size] = '\0';
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------- one field */

static const tm_field *find_field(tm_owner *owner, const void *object, const char *name)
{
    const tm_field *field = tm_field_find(*owner, name);
    if (field || *owner != TM_OWNER_LAYER)
        return field;
    const tm_layer *layer = object;
    *owner = tm_owner_of_layer(layer->kind);
    return tm_field_find(*owner, name);
}

static tm_status fail_field(const assignment *set, tm_owner owner, tm_error *error)
{
    const char *name = tm_owner_name(owner);
    return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "no field of %s is called '%s'", name ? name : "this",
                    set->field);
}

/* What belongs to the data behind an object is no value by itself; other operations change both. */
static tm_status check_plain(const tm_field *field, tm_error *error)
{
    static const struct {
        const char *setter, *operations;
    } rows[] = {
        {"tm_map_resize_layer", "'crop', 'extend', 'trim' and 'scale'"},
        {"tm_map_insert", "'add', 'remove', 'move' and 'duplicate'"},
        {"tm_map_insert_layer", "'add layer', 'remove', 'move' and 'duplicate'"},
        {"tm_map_set_pixels", "'replace image' and 'resize images'"},
        {"tm_map_set_sound", "'replace sound'"},
        {"tm_map_set_points", "the operations 'envelope ...'"},
        {"tm_map_set_quads", "the operations 'quads ...' and 'paste'"},
        {"tm_map_set_sources", "'paste' and 'clear'"},
        {"tm_map_edit_tiles", "'fill', 'replace' and 'paste'"},
    };
    const bool is_text =
        field->type == TM_TYPE_TEXT || field->type == TM_TYPE_TEXTS || field->type == TM_TYPE_NAME;
    for (size_t i = 0; field->setter && !is_text && i < TMI_COUNT_OF(rows); i++)
        if (strcmp(rows[i].setter, field->setter) == 0)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "%s is not set, but changed by %s", field->name,
                            rows[i].operations);
    return TM_OK;
}

/* Sets one value; *changed says whether it was another one. */
static tm_status set_value(tm_map *map, void *object, const tm_field *field, const assignment *set,
                           bool *changed, tm_error *error)
{
    TM_TRY(check_plain(field, error));
    const uint32_t num = tm_field_num(field, object);
    if (!tm_field_present(field, object))
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "it has no '%s'", field->name);
    if (num > 1 && !set->has_index)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%s' has %u values: write %s[0]=", field->name,
                        (unsigned)num, field->name);
    const uint32_t index = set->has_index ? set->index : 0;
    if (index >= num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "'%s' has no value %u, it has %u", field->name,
                        (unsigned)index, (unsigned)num);
    char before[TM_ERROR_TEXT_SIZE], after[TM_ERROR_TEXT_SIZE];
    tm_value value = tm_field_get(field, object, index);
    tm_value_format(before, sizeof(before), field, &value, map);
    TM_TRY(tm_field_set_text(map, object, field, index, set->value, error));
    value = tm_field_get(field, object, index);
    tm_value_format(after, sizeof(after), field, &value, map);
    *changed = strcmp(before, after) != 0;
    return TM_OK;
}

static tm_status set_own(tmi_edit *edit, const tm_address *at, void *object, tm_owner owner,
                         const assignment *set, tm_error *error)
{
    bool changed;
    const tm_field *field = find_field(&owner, object, set->field);
    if (!field)
        return fail_field(set, owner, error);
    TM_TRY(set_value(edit->map, object, field, set, &changed, error));
    if (changed)
        tmi_edit_changed(edit, *at, 1, "%s is %s now", set->field, *set->value ? set->value : "empty");
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------- elements */

/* The elements of a list: points, quads, sources, tiles. */
typedef struct element_list {
    char *first;
    uint64_t num;
    tm_owner owner;
} element_list;

static tm_status open_block(element_list *out, tm_map *map, const tm_layer *layer, const tm_field *field,
                            tm_error *error)
{
    tm_block *block;
    void *bytes;
    uint64_t size;
    memcpy(&block, (const char *)layer + field->offset, sizeof(block));
    out->owner = tm_owner_of_elements(layer->kind);
    if (!block || out->owner == TM_OWNER_COUNT)
        return TM_OK;
    TM_TRY(tm_map_edit_data(map, block, &bytes, &size, error));
    out->first = bytes;
    out->num = size / tm_owner_size(out->owner);
    if (layer->kind == TM_LAYER_QUADS)
        out->num = layer->as.quads.num_quads;
    else if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS)
        out->num = layer->as.sounds.num_sources;
    return TM_OK;
}

static tm_status open_list(element_list *out, tm_map *map, void *object, tm_owner owner,
                           const assignment *set, tm_error *error)
{
    const tm_field *list = find_field(&owner, object, set->list);
    memset(out, 0, sizeof(*out));
    if (list && (list->flags & TM_FIELD_ELEMENTS))
        return open_block(out, map, object, list, error);
    if (!list || list->type != TM_TYPE_LIST || owner != TM_OWNER_ENVELOPE)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there are no elements '%s'", set->list);
    tm_envelope *envelope = object;
    *out = (element_list){(char *)envelope->points, envelope->num_points, list->of};
    return TM_OK;
}

static tm_status set_elements(tmi_edit *edit, const tm_address *at, void *object, tm_owner owner,
                              const assignment *set, tm_error *error)
{
    element_list list;
    uint64_t num_changed = 0;
    TM_TRY(open_list(&list, edit->map, object, owner, set, error));
    const tm_field *field = tm_field_find(list.owner, set->field);
    if (!field && list.num)
        return fail_field(set, list.owner, error);
    if (!set->all_elements && set->element >= list.num)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there is no %s[%u], there are %llu", set->list,
                        (unsigned)set->element, (unsigned long long)list.num);
    const uint64_t from = set->all_elements ? 0 : set->element;
    const uint64_t to = set->all_elements ? list.num : from + 1;
    for (uint64_t i = from; i < to; i++) {
        bool changed;
        char *element = list.first + i * tm_owner_size(list.owner);
        TM_TRY(set_value(edit->map, element, field, set, &changed, error));
        num_changed += changed;
    }
    if (num_changed)
        tmi_edit_changed(edit, *at, num_changed, "%s of %s is %s now", set->field, set->list,
                         *set->value ? set->value : "empty");
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- operations */

static tm_status set_at(tmi_edit *edit, const tm_address *at, const assignment *set, tm_error *error)
{
    tm_owner owner;
    void *object = tmi_edit_struct_at(edit->map, at, &owner);
    tm_status status;
    if (!object)
        status = tmi_fail(error, TM_ERROR_USAGE, -1, "'%s' has no fields", set->address);
    else if (set->list[0])
        status = set_elements(edit, at, object, owner, set, error);
    else
        status = set_own(edit, at, object, owner, set, error);
    return status ? tmi_fail_at_address(error, status, edit->map, *at) : TM_OK;
}

/* The first way to cut the text whose address leads somewhere. */
static tm_status find_targets(tmi_edit_objects *out, assignment *set, const tm_map *map, const char *text,
                              tm_error *error)
{
    tm_status status = TM_ERROR_USAGE;
    memset(out, 0, sizeof(*out));
    if (!cut_assignment(set, text, 0))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.100s' is not like ADDRESS.FIELD=VALUE", text);
    for (uint32_t n = 0; cut_assignment(set, text, n); n++) {
        status = tmi_edit_objects_find(out, map, set->address, n ? NULL : error);
        if (!status && out->num)
            return TM_OK;
        tmi_edit_objects_free(out);
        if (status == TM_OK) /* a pattern that fits nothing so far */
            continue;
        if (status != TM_ERROR_NOT_FOUND && status != TM_ERROR_USAGE)
            return status;
    }
    return status;
}

static tm_status assign_text(tmi_edit *edit, const char *text, tm_error *error)
{
    assignment set = {.value = ""};
    tmi_edit_objects objects;
    TM_TRY(find_targets(&objects, &set, edit->map, text, error));
    if (objects.num == 0)
        tmi_edit_find(edit, TM_FINDING_NO_MATCH, (tm_address){TM_ADDRESS_MAP, 0, 0}, "nothing fits '%.100s'",
                      text);
    tm_status status = TM_OK;
    for (size_t i = 0; i < objects.num && !status; i++)
        status = set_at(edit, &objects.list[i], &set, error);
    tmi_edit_objects_free(&objects);
    return status;
}

tm_status tmi_edit_set(tmi_edit *edit, tm_error *error)
{
    for (uint32_t i = 0; i < edit->num_values; i++)
        TM_TRY(assign_text(edit, edit->values[i].text, error));
    return tm_map_verify(edit->map, error); /* each value may be fine where it cannot be: an automapper */
}

static tm_status rename_at(tmi_edit *edit, const tm_address *at, const char *name, tm_error *error)
{
    tm_owner owner;
    void *object = tmi_edit_struct_at(edit->map, at, &owner);
    const tm_field *field = object ? tm_field_find(owner, "name") : NULL;
    if (!field)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "only images, sounds, envelopes, groups, layers have names");
    const tm_value old = tm_field_get(field, object, 0);
    if (old.as.text && strcmp(old.as.text, name) == 0)
        return TM_OK;
    tm_value value = {.type = field->type};
    value.as.text = name;
    tm_address where = *at;
    TM_TRY(tm_field_set(edit->map, object, field, 0, &value, error));
    tmi_edit_changed(edit, where, 1, "renamed to '%s'", name);
    return TM_OK;
}

tm_status tmi_edit_rename(tmi_edit *edit, tm_error *error)
{
    tmi_edit_objects objects;
    TM_TRY(tmi_edit_objects_find(&objects, edit->map, edit->values[0].text, error));
    if (objects.num == 0)
        tmi_edit_find(edit, TM_FINDING_NO_MATCH, (tm_address){TM_ADDRESS_MAP, 0, 0}, "nothing fits '%.100s'",
                      edit->values[0].text);
    tm_status status = TM_OK;
    for (size_t i = 0; i < objects.num && !status; i++) {
        status = rename_at(edit, &objects.list[i], edit->values[1].text, error);
        if (status)
            tmi_fail_at_address(error, status, edit->map, objects.list[i]);
    }
    tmi_edit_objects_free(&objects);
    return status;
}
