/* SPDX-License-Identifier: Zlib */
/* The operations set and rename: they set any field of any object, by the table of fields. */
#include "edit_images.h"

/* "ADDRESS.field[2]=value" or "ADDRESS.quads[3].field[2]+=value", cut into its parts. */
typedef struct assignment {
    char address[256];
    char list[32];     /* "" for fields of the object itself */
    bool all_elements; /* [*] */
    uint32_t element;  /* else this one */
    char field[48];
    bool has_index, all_values;
    uint32_t index; /* which of the field's values */
    int sign;       /* 1, -1: the value is added or subtracted; 0: it is set */
    const char *value;
} assignment;

static bool parse_name(char *out, size_t room, const char **text)
{
    size_t size = 0;
    const char *cursor = *text;
    while ((cursor[size] >= 'a' && cursor[size] <= 'z') || (cursor[size] >= '0' && cursor[size] <= '9') ||
           cursor[size] == '_' || (cursor[size] == '.' && size))
        size++;
    if (size == 0 || size >= room)
        return false;
    memcpy(out, cursor, size);
    out[size] = '\0';
    *text += size;
    return true;
}

/* Reads "[3]" or "[*]"; false: the text is something else. */
static bool parse_subscript(uint32_t *out, bool *is_all, const char **text)
{
    *is_all = tmi_take_word("[*]", text);
    return *is_all || (tmi_take_word("[", text) && tmi_take_index(out, text, *text + strlen(*text)) &&
                       tmi_take_word("]", text));
}

/* Reads the text after the dot behind the address: LIST[n].field[n]=value or field[n]=value. */
static bool cut_rest(assignment *out, const char *text)
{
    const char *cursor = text;
    out->all_values = false;
    out->list[0] = '\0';
    if (parse_name(out->list, sizeof(out->list), &cursor) &&
        parse_subscript(&out->element, &out->all_elements, &cursor) && *cursor == '.')
        cursor++;
    else {
        out->list[0] = '\0';
        cursor = text;
    }
    if (!parse_name(out->field, sizeof(out->field), &cursor))
        return false;
    out->has_index = *cursor == '[';
    if (out->has_index && !parse_subscript(&out->index, &out->all_values, &cursor))
        return false;
    out->sign = *cursor == '+' ? 1 : *cursor == '-' ? -1 : 0;
    cursor += out->sign != 0;
    out->value = cursor + 1;
    return *cursor == '=';
}

/* Cuts at the n-th dot that a field could follow, as names may contain dots; false: there is no such dot. */
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

static tm_status fail_field(const assignment *set, tm_kind owner, tm_error *error)
{
    const char *name = tm_kind_name(owner);
    char hint[64], whole[sizeof(set->field)];
    tmi_format(whole, sizeof(whole), "%.*s", (int)strcspn(set->field, "."), set->field);
    const tm_field *field = strchr(set->field, '.') ? tm_field_find(owner, whole) : NULL;
    if (field && field->type == TM_TYPE_COLOR)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1,
                        "'%s' is not a field; a color is set as a whole: %s=#rrggbbaa", set->field, whole);
    tm_suggestion meant;
    tm_suggestion_begin(&meant, set->field);
    tmi_suggest_fields(&meant, owner);
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++)
        if (owner == tm_kind_of_layer((tm_layer_kind)kind))
            tmi_suggest_fields(&meant, TM_KIND_LAYER);
    tm_suggestion_format(&meant, hint, sizeof(hint));
    return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "no field of %s is called '%s'%s", name ? name : "this",
                    set->field, hint);
}

static tm_status add_number(int64_t *sum, int64_t number, const assignment *set, int64_t most,
                            tm_error *error)
{
    *sum += set->sign * number;
    if (*sum >= INT32_MIN && *sum <= most)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_LIMIT, -1, "'%s' would be too large", set->field);
}

/* Sets a value, or adds what follows += or -= to a number or a point. */
static tm_status set_one(tm_map *map, void *object, const tm_field *field, const assignment *set,
                         bool *changed, tm_error *error)
{
    const bool is_point = field->type == TM_TYPE_POINT;
    const uint32_t index = set->index;
    char before[TM_ERROR_TEXT_SIZE], after[TM_ERROR_TEXT_SIZE];
    tm_value summand, value = tm_field_get(field, object, index);
    tm_value_format(before, sizeof(before), field, &value, map);
    if (!set->sign) {
        TM_TRY(tm_field_set_text(map, object, field, index, set->value, error));
    } else {
        if (field->type != TM_TYPE_INT && field->type != TM_TYPE_FIXED && !is_point)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "'%s' is not a number: nothing can be added to it",
                            set->field);
        TM_TRY(tm_value_parse(&summand, field, map, set->value, NULL, 0, error));
        if (is_point) {
            int64_t x = value.as.point.x, y = value.as.point.y;
            TM_TRY(add_number(&x, summand.as.point.x, set, INT32_MAX, error));
            TM_TRY(add_number(&y, summand.as.point.y, set, INT32_MAX, error));
            value.as.point = (tm_point){(int32_t)x, (int32_t)y};
        } else {
            TM_TRY(add_number(&value.as.number, summand.as.number, set, UINT32_MAX, error));
        }
        TM_TRY(tm_field_set(map, object, field, index, &value, error));
    }
    value = tm_field_get(field, object, index);
    tm_value_format(after, sizeof(after), field, &value, map);
    *changed |= strcmp(before, after) != 0;
    return TM_OK;
}

/*
 * Sets one value or all values of a field; *changed: whether one differs from before. Fields that describe
 * the data of an object cannot be set alone; other operations change both.
 */
static tm_status set_value(tm_map *map, void *object, const tm_field *field, const assignment *set,
                           bool *changed, tm_error *error)
{
    static const struct {
        const char *setter, *operations;
    } rows[] = {
        {"tm_map_resize_layer", "'crop REGION LAYERS', 'extend', 'trim' and 'scale'"},
        {"tm_map_insert", "'add', 'remove', 'move' and 'duplicate'"},
        {"tm_map_insert_layer", "'add layer', 'remove', 'move' and 'duplicate'"},
        {"tm_map_set_pixels", "'replace image' and 'resize images'"},
        {"tm_map_set_sound", "'replace sound'"},
        {"tm_map_set_points", "'add point' and the operations 'envelope ...'"},
        {"tm_map_set_quads", "'add quad', 'clear', 'paste' and the operations 'quads ...'"},
        {"tm_map_set_sources", "'add source', 'paste' and 'clear'"},
        {"tm_map_edit_tiles", "'fill', 'replace' and 'paste'"},
    };
    *changed = false;
    const bool is_text =
        field->type == TM_TYPE_TEXT || field->type == TM_TYPE_TEXTS || field->type == TM_TYPE_NAME;
    for (size_t i = 0; field->setter && !is_text && i < TMI_COUNT_OF(rows); i++)
        if (strcmp(rows[i].setter, field->setter) == 0)
            return tmi_fail(error, TM_ERROR_USAGE, -1, "%s is not set, but changed by %s", field->name,
                            rows[i].operations);
    const uint32_t num = tm_field_num(field, object);
    if (!tmi_field_present(field, object))
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "it has no '%s'", field->name);
    if (num > 1 && !set->has_index)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%s' has %u values: write %s[0]=", field->name,
                        (unsigned)num, field->name);
    assignment part = *set;
    const uint32_t from = set->has_index && !set->all_values ? set->index : 0;
    if (from >= num && !set->all_values)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "'%s' has no value %u, it has %u", field->name,
                        (unsigned)from, (unsigned)num);
    for (part.index = from; part.index < (set->all_values ? num : from + 1); part.index++)
        TM_TRY(set_one(map, object, field, &part, changed, error));
    return TM_OK;
}

/* Describes an assignment for the report: "is 5 now", "+= 5". */
static void put_assigned(char *out, size_t size, const assignment *set)
{
    const char *value = *set->value ? set->value : "empty";
    if (set->sign)
        tmi_format(out, size, "%s= %s", set->sign > 0 ? "+" : "-", value);
    else
        tmi_format(out, size, "is %s now", value);
}

static tm_status set_own(tmi_edit *edit, const tm_address *address, void *object, tm_kind owner,
                         const assignment *set, tm_error *error)
{
    bool changed;
    uint32_t game;
    char assigned[TM_ERROR_TEXT_SIZE];
    const tm_field *field = tmi_field_of(&owner, object, set->field);
    if (!field)
        return fail_field(set, owner, error);
    TM_TRY(set_value(edit->map, object, field, set, &changed, error));
    if (!changed)
        return TM_OK;
    put_assigned(assigned, sizeof(assigned), set);
    tmi_edit_changed(edit, *address, 1, "%s %s", set->field, assigned);
    /* Patterns like '*.parallax.x' also hit what the games ignore; back to the first value is fine. */
    const tm_value value = tm_field_get(field, object, 0), first = tm_field_initial(field);
    if (tm_value_same(&value, &first))
        return TM_OK;
    if (owner == TM_KIND_GROUP && strcmp(field->name, "name") != 0 &&
        tm_map_physics_layer(&game, NULL, edit->map, TM_LAYER_GAME) && game == address->index)
        tmi_edit_report(edit, TM_FINDING_FIELD_IGNORED, *address,
                        "games ignore '%s' of the group of the game layer; editors do not", field->name);
    else if (owner == TM_KIND_TILE_LAYER && tm_game_layer(((const tm_layer *)object)->kind)->is_physics)
        tmi_edit_report(edit, TM_FINDING_FIELD_IGNORED, *address, "games ignore '%s' of physics layers",
                        field->name);
    return TM_OK;
}

/* ---------------------------------------------------------------------------------------- elements */

/* The elements of a list: points, quads, sources, tiles. */
typedef struct element_list {
    char *first;
    uint64_t num;
    tm_kind owner;
} element_list;

static tm_status open_list(element_list *out, tm_map *map, void *object, tm_kind owner, const assignment *set,
                           tm_error *error)
{
    const tm_field *list = tmi_field_of(&owner, object, set->list);
    const tm_layer *layer = object;
    tm_envelope *envelope = object;
    tm_block *block;
    void *bytes;
    uint64_t size;
    memset(out, 0, sizeof(*out));
    if (!list ||
        (!(list->flags & TM_FIELD_ELEMENTS) && (list->type != TM_TYPE_LIST || owner != TM_KIND_ENVELOPE)))
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "there are no elements '%s'", set->list);
    if (!(list->flags & TM_FIELD_ELEMENTS)) {
        TM_TRY(tmi_envelope_own(map, envelope, error));
        *out = (element_list){(char *)envelope->points, envelope->num_points, list->element_kind};
        return TM_OK;
    }
    memcpy(&block, (const char *)layer + list->offset, sizeof(block));
    out->owner = tm_kind_of_elements(layer->kind);
    if (!block || out->owner == TM_KINDS)
        return TM_OK;
    TM_TRY(tm_map_edit_data(&bytes, &size, map, block, error));
    out->first = bytes;
    out->num = size / tm_kind_size(out->owner);
    if (layer->kind == TM_LAYER_QUADS)
        out->num = layer->as.quads.num_quads;
    else if (layer->kind == TM_LAYER_SOUNDS || layer->kind == TM_LAYER_OLD_SOUNDS)
        out->num = layer->as.sounds.num_sources;
    return TM_OK;
}

static tm_status set_elements(tmi_edit *edit, const tm_address *address, void *object, tm_kind owner,
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
        char *element = list.first + i * tm_kind_size(list.owner);
        TM_TRY(set_value(edit->map, element, field, set, &changed, error));
        num_changed += changed;
    }
    if (!num_changed)
        return TM_OK;
    /* "time of points[1] is 5000 now", "position_offset of 3 quads is 0 now" */
    char which[64], assigned[TM_ERROR_TEXT_SIZE];
    if (set->all_elements)
        tmi_format(which, sizeof(which), "%llu %s", (unsigned long long)num_changed, set->list);
    else
        tmi_format(which, sizeof(which), "%s[%u]", set->list, (unsigned)set->element);
    put_assigned(assigned, sizeof(assigned), set);
    tmi_edit_changed(edit, *address, num_changed, "%s of %s %s", set->field, which, assigned);
    return TM_OK;
}

/* --------------------------------------------------------------------------------------------- operations */

static tm_status set_at(tmi_edit *edit, const tm_address *address, const assignment *set, tm_error *error)
{
    tm_kind owner;
    tm_map *map = edit->map;
    void *object = tmi_edit_struct_at(map, address, &owner);
    tm_status status;
    if (!object)
        status = tmi_fail(error, TM_ERROR_USAGE, -1, "'%s' has no fields", set->address);
    else if (set->list[0])
        status = set_elements(edit, address, object, owner, set, error);
    else
        status = set_own(edit, address, object, owner, set, error);
    if (!status && strcmp(set->field, "external") == 0) {
        /* An image or sound that becomes external loses its data, which nothing would read. */
        const tm_image *image = address->kind == TM_KIND_IMAGE ? object : NULL;
        const tm_sound *sound = address->kind == TM_KIND_SOUND ? object : NULL;
        if (image && image->external && image->pixels)
            status = tmi_drop_pixels(map, address->index, error);
        else if (sound && sound->external && sound->data)
            status = tm_map_set_sound(map, address->index, NULL, 0, error);
    }
    return tmi_fail_at_address(error, status, map, *address);
}

/*
 * Fails for a text without an address; that of a field of the map's info, author=Anna, tells which is meant.
 */
static tm_status fail_assignment(const char *text, tm_error *error)
{
    char name[32];
    tmi_format(name, sizeof(name), "%.*s", (int)strcspn(text, "="), text);
    if (strchr(text, '=') && tm_field_find(TM_KIND_INFO, name))
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "'%.100s' is not like ADDRESS.FIELD=VALUE; did you mean 'info.%.100s'?", text, text);
    return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.100s' is not like ADDRESS.FIELD=VALUE", text);
}

/* Splits the text at the first dot that gives a valid address. */
static tm_status find_targets(tmi_edit_objects *out, assignment *set, const tmi_edit *edit, const char *text,
                              tm_error *error)
{
    tm_status status = TM_ERROR_USAGE;
    if (!cut_assignment(set, text, 0))
        return fail_assignment(text, error);
    for (uint32_t n = 0; cut_assignment(set, text, n); n++) {
        status = tmi_edit_objects_find(out, edit, set->address, n ? NULL : error);
        if (status ? status != TM_ERROR_NOT_FOUND && status != TM_ERROR_USAGE : out->num > 0)
            return status;
    }
    /* "3/0.quads[0].points[0].x=5": the address is valid, but the text after it is not a field. */
    const char *dot = error ? strchr(text, '.') : NULL;
    for (; dot && strchr(dot, '['); dot = strchr(dot + 1, '.')) {
        char address[256];
        tm_address found;
        tmi_format(address, sizeof(address), "%.*s", dot - text < 250 ? (int)(dot - text) : 0, text);
        if (!address[0] || tm_address_parse(&found, edit->map, address, NULL))
            continue;
        tmi_error_blank(error);
        return tmi_fail(
            error, TM_ERROR_USAGE, -1,
            "'%.60s' is not a field of '%.40s'; those of elements are like quads[0].points[1]=X,Y", dot + 1,
            address);
    }
    return status;
}

static bool has_field(const tmi_edit *edit, const tm_address *address, const assignment *set)
{
    tm_kind owner;
    const void *object = tmi_edit_struct_at(edit->map, address, &owner);
    return object && tmi_field_of(&owner, object, set->list[0] ? set->list : set->field);
}

tm_status tmi_edit_set(tmi_edit *edit, tm_error *error)
{
    for (uint32_t n = 0; n < edit->num_values; n++) {
        const char *text = edit->values[n].text;
        assignment set = {.value = ""};
        tmi_edit_objects objects;
        TM_TRY(find_targets(&objects, &set, edit, text, error));
        if (objects.num == 0)
            tmi_edit_report(edit, TM_FINDING_NO_MATCH, tmi_whole_map, "nothing fits '%.100s'", text);
        bool any = false; /* of several objects, only those that have the field are set */
        for (size_t i = 0; i < objects.num; i++)
            any |= has_field(edit, &objects.list[i], &set);
        for (size_t i = 0; i < objects.num; i++)
            if (!any || has_field(edit, &objects.list[i], &set))
                TM_TRY(set_at(edit, &objects.list[i], &set, error));
    }
    return tm_map_verify(edit->map, error); /* a value may be valid, but not for this object: an automapper */
}

tm_status tmi_edit_rename_at(tmi_edit *edit, const tm_address *address, tm_error *error)
{
    tm_kind owner;
    void *object = tmi_edit_struct_at(edit->map, address, &owner);
    const tm_field *field = object ? tm_field_find(owner, "name") : NULL;
    const char *name = edit->values[1].text;
    if (!field)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "only images, sounds, envelopes, groups, layers have names");
    const tm_value old = tm_field_get(field, object, 0);
    if (old.as.text && strcmp(old.as.text, name) == 0)
        return TM_OK;
    tm_value value = {.type = field->type};
    value.as.text = name;
    char before[128];
    tmi_format(before, sizeof(before), "%s", old.as.text ? old.as.text : "");
    TM_TRY(tm_field_set(edit->map, object, field, 0, &value, error));
    tmi_edit_changed(edit, *address, 1, "renamed from '%s' to '%s'", before, name);
    tmi_edit_report_name_taken(edit, *address);
    return TM_OK;
}
