/* SPDX-License-Identifier: Zlib */
/*
 * Working with the rows of field_tables.c: finding them, reading and writing the values that they describe,
 * and the walk over an object in the form that JSON gives it. Knows no single field by name.
 */
#include "internal.h"

/* ------------------------------------------------------------------------------------------------ rows */

const tm_field *tm_fields(size_t *num, tm_kind owner)
{
    const bool known = (unsigned)owner < TM_KINDS;
    if (num)
        *num = known ? tmi_kind_rows[owner].num : 0;
    return known ? tmi_kind_rows[owner].fields : NULL;
}

const tm_field *tm_field_find(tm_kind owner, const char *name)
{
    if (!name)
        return NULL;
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

const tm_field *tmi_field_of(tm_kind *owner, const void *object, const char *name)
{
    const tm_field *field = tm_field_find(*owner, name);
    if (field || *owner != TM_KIND_LAYER)
        return field;
    *owner = tm_kind_of_layer(((const tm_layer *)object)->kind);
    return tm_field_find(*owner, name);
}

void tmi_suggest_fields(tm_suggestion *meant, tm_kind owner)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++)
        tm_suggestion_try(meant, fields[i].name);
}

bool tmi_field_in_game(const tm_field *field, tm_game game)
{
    if (!field)
        return false;
    return (unsigned)game < TM_GAME_COUNT && !(field->lacks >> game & 1);
}

/* The range of numbers that a field's memory can hold; false: the field is no number. */
static bool stored_range(const tm_field *field, int64_t *min, int64_t *max)
{
    static const struct {
        int64_t min, max;
    } ranges[] = {
        [TM_STORED_INT32] = {INT32_MIN, INT32_MAX},
        [TM_STORED_UINT32] = {0, UINT32_MAX},
        [TM_STORED_INT16] = {INT16_MIN, INT16_MAX},
        [TM_STORED_UINT8] = {0, UINT8_MAX},
        [TM_STORED_BOOL] = {0, 1},
        [TM_STORED_COLOR] = {INT32_MIN, INT32_MAX},
        [TM_STORED_POINT] = {INT32_MIN, INT32_MAX},
    };
    *min = *max = 0;
    if ((size_t)field->storage >= TMI_COUNT_OF(ranges))
        return false;
    *min = ranges[field->storage].min;
    *max = ranges[field->storage].max;
    return true;
}

bool tmi_field_range(const tm_field *field, int64_t *min, int64_t *max)
{
    if (!field || !min || !max)
        return false;
    const bool number = stored_range(field, min, max);
    if (number && field->ranged) {
        *min = field->min;
        *max = field->max;
    }
    return number;
}

/* --------------------------------------------------------------------------------------------- reading */

bool tmi_field_present(const tm_field *field, const void *object)
{
    if (!field || !object)
        return false;
    bool there = true;
    if (field->guard)
        memcpy(&there, (const char *)object + field->guard, sizeof(there));
    return there;
}

uint32_t tm_field_num(const tm_field *field, const void *object)
{
    if (!field || !object)
        return 0;
    uint32_t num = field->num_values;
    if (field->type == TM_TYPE_LIST || field->type == TM_TYPE_TEXTS)
        memcpy(&num, (const char *)object + field->num_offset, sizeof(num));
    return num;
}

/* Reads an integer of any storage; by memcpy, as packed data need not be aligned. */
static int64_t get_number(const tm_field *field, const char *place)
{
    uint32_t u32;
    int32_t i32;
    int16_t i16;
    switch (field->storage) {
    case TM_STORED_UINT8:
    case TM_STORED_BOOL: return *(const uint8_t *)place;
    case TM_STORED_INT16: memcpy(&i16, place, sizeof(i16)); return i16;
    case TM_STORED_UINT32: memcpy(&u32, place, sizeof(u32)); return u32;
    case TM_STORED_INT32: memcpy(&i32, place, sizeof(i32)); return i32;
    default: return 0;
    }
}

tm_value tm_field_get(const tm_field *field, const void *object, uint32_t index)
{
    tm_value value = {.type = field ? field->type : TM_TYPE_INT};
    if (!field || !object)
        return value;
    const char *place = (const char *)object + field->offset;
    const char *const *texts;
    value.unread = tm_field_unread(field, object);
    if (value.unread) {
        memset(&value.as, 0, sizeof(value.as));
        return value;
    }
    switch (field->type) {
    case TM_TYPE_TEXT: memcpy(&value.as.text, place, sizeof(value.as.text)); break;
    case TM_TYPE_TEXTS:
        memcpy(&texts, place, sizeof(texts));
        value.as.text = texts[index];
        break;
    case TM_TYPE_NAME: value.as.text = place; break;
    case TM_TYPE_COLOR:
    case TM_TYPE_POINT:
    case TM_TYPE_BLOCK: memcpy(&value.as, place + index * field->size, field->size); break;
    case TM_TYPE_LIST: value.as.number = tm_field_num(field, object); break;
    default: value.as.number = get_number(field, place + index * field->size); break;
    }
    return value;
}

tm_value tm_field_initial(const tm_field *field)
{
    tm_value value = {.type = field ? field->type : TM_TYPE_INT};
    const int64_t rgba = field ? field->initial : 0;
    if (!field)
        return value;
    switch (field->type) {
    case TM_TYPE_COLOR:
        value.as.color = (tm_color){rgba >> 24 & 255, rgba >> 16 & 255, rgba >> 8 & 255, rgba & 255};
        break;
    case TM_TYPE_NAME: value.as.text = ""; break;
    case TM_TYPE_POINT: value.as.point = (tm_point){0, 0}; break;
    case TM_TYPE_TEXT:
    case TM_TYPE_TEXTS:
    case TM_TYPE_BLOCK: break;
    default: value.as.number = field->initial; break;
    }
    return value;
}

bool tm_value_same(const tm_value *a, const tm_value *b)
{
    if (!a || !b || a->type != b->type || a->unread || b->unread)
        return false;
    switch (a->type) {
    case TM_TYPE_TEXT:
    case TM_TYPE_TEXTS:
    case TM_TYPE_NAME: return strcmp(a->as.text ? a->as.text : "", b->as.text ? b->as.text : "") == 0;
    case TM_TYPE_COLOR: return memcmp(&a->as.color, &b->as.color, sizeof(tm_color)) == 0;
    case TM_TYPE_POINT: return memcmp(&a->as.point, &b->as.point, sizeof(tm_point)) == 0;
    case TM_TYPE_BLOCK: return a->as.block == b->as.block;
    default: return a->as.number == b->as.number;
    }
}

/* -------------------------------------------------------------------------------------------- checking */

static tm_status refuse_value(const tm_map *map, const tm_field *field, const tm_value *value,
                              tm_error *error, const char *format, ...) TMI_PRINTF(5, 6);

/* Fails with the message "field: value: why". */
static tm_status refuse_value(const tm_map *map, const tm_field *field, const tm_value *value,
                              tm_error *error, const char *format, ...)
{
    char shown[100], why[160];
    va_list list;
    va_start(list, format);
    tmi_vformat(why, sizeof(why), format, list);
    va_end(list);
    tm_value_format(shown, sizeof(shown), field, value, map);
    return tmi_fail(error, TM_ERROR_USAGE, -1, "%s cannot be %s: %s", field->name, shown, why);
}

/* Whether all numbers of a value lie in a range: four of a color, two of a point, else one. */
static bool all_within(const tm_value *value, int64_t min, int64_t max)
{
    int32_t parts[4];
    const size_t num = value->type == TM_TYPE_COLOR ? 4 : value->type == TM_TYPE_POINT ? 2 : 0;
    bool within = num || (value->as.number >= min && value->as.number <= max);
    memcpy(parts, &value->as, num * sizeof(*parts));
    for (size_t i = 0; i < num; i++)
        within = within && parts[i] >= min && parts[i] <= max;
    return within;
}

static tm_status check_accepted(const tm_map *map, const tm_field *field, const tm_value *value,
                                tm_error *error)
{
    if (!field->ranged || all_within(value, field->min, field->max))
        return TM_OK;
    tm_field number = *field;
    char from[40], to[40], range[120] = "";
    if (field->type == TM_TYPE_CHOICE) { /* "ddnet, teeworlds06, teeworlds07" */
        size_t length = 0;
        for (int64_t k = field->min; k <= field->max; k++)
            if (field->choice(k))
                length += tmi_format(range + length, sizeof(range) - length, "%s%s", length ? ", " : "",
                                     field->choice(k));
    } else { /* "0 to 255", in the field's own notation */
        if (field->type == TM_TYPE_POINT)
            number.type = TM_TYPE_FIXED;
        else if (field->type != TM_TYPE_FIXED)
            number.type = TM_TYPE_INT;
        const tm_value least = {.type = number.type, .as.number = field->min},
                       most = {.type = number.type, .as.number = field->max};
        tm_value_format(from, sizeof(from), &number, &least, NULL);
        tm_value_format(to, sizeof(to), &number, &most, NULL);
        tmi_format(range, sizeof(range), "%s to %s", from, to);
    }
    return refuse_value(map, field, value, error, "the games accept %s", range);
}

/* Checks that a value can be stored in a field: its type, its range, and that the object exists. */
static tm_status check_storable(const tm_map *map, const tm_field *field, const tm_value *value,
                                tm_error *error)
{
    int64_t min, max;
    if (value->type != field->type)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the value for %s is of the wrong type", field->name);
    if (value->unread)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the value for %s was not read", field->name);
    if (field->type == TM_TYPE_NAME && value->as.text && strlen(value->as.text) >= field->size)
        return refuse_value(map, field, value, error, "it has %zu bytes, and %zu are the most",
                            strlen(value->as.text), field->size - 1);
    if (stored_range(field, &min, &max) && !all_within(value, min, max))
        return refuse_value(map, field, value, error, "it does not fit into %u byte%s", (unsigned)field->size,
                            field->size > 1 ? "s" : "");
    if (field->type == TM_TYPE_CHOICE && !(field->flags & TM_FIELD_OPEN))
        return check_accepted(map, field, value, error);
    if (field->type != TM_TYPE_REFERENCE || field->flags & TM_FIELD_LOOSE || value->as.number == TM_NONE)
        return TM_OK;
    const tmi_array *array = tmi_map_array_of(field->refers);
    const uint32_t num = tmi_num(array, map);
    if (value->as.number >= 0 && value->as.number < num)
        return TM_OK;
    return refuse_value(map, field, value, error, "the map has %u %ss", (unsigned)num,
                        tm_kind_name(array->kind));
}

tm_status tmi_field_check(const tm_map *map, const tm_field *field, const tm_value *value, tm_error *error)
{
    TM_TRY(tmi_need(field, "field", error));
    TM_TRY(tmi_need(value, "value", error));
    TM_TRY(check_storable(map, field, value, error));
    return check_accepted(map, field, value, error);
}

/* --------------------------------------------------------------------------------------------- writing */

static void set_number(const tm_field *field, char *place, int64_t number)
{
    const uint32_t u32 = (uint32_t)number;
    const int32_t i32 = (int32_t)number;
    const int16_t i16 = (int16_t)number;
    const uint8_t u8 = (uint8_t)number;
    const bool flag = number != 0;
    switch (field->storage) {
    case TM_STORED_INT32: memcpy(place, &i32, sizeof(i32)); break;
    case TM_STORED_UINT32: memcpy(place, &u32, sizeof(u32)); break;
    case TM_STORED_INT16: memcpy(place, &i16, sizeof(i16)); break;
    case TM_STORED_UINT8: memcpy(place, &u8, sizeof(u8)); break;
    case TM_STORED_BOOL: memcpy(place, &flag, sizeof(flag)); break;
    default: break;
    }
}

static void put_value(const tm_field *field, char *place, const tm_value *value)
{
    if (field->type == TM_TYPE_COLOR || field->type == TM_TYPE_POINT)
        memcpy(place, &value->as, field->size);
    else
        set_number(field, place, value->as.number);
}

static tm_status check_settable(const tm_map *map, const void *object, const tm_field *field, uint32_t index,
                                tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(object, "object", error));
    TM_TRY(tmi_need(field, "field", error));
    const bool strings =
        field->type == TM_TYPE_TEXT || field->type == TM_TYPE_TEXTS || field->type == TM_TYPE_NAME;
    const uint32_t num = tm_field_num(field, object);
    if (field->setter && !strings)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%s is changed by %s", field->name, field->setter);
    if (index >= num)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "there is no %s[%u]: it has %u values", field->name,
                        (unsigned)index, (unsigned)num);
    return TM_OK;
}

tm_status tmi_field_make(tm_map *map, void *object, const tm_field *field, uint32_t index,
                         const tm_value *value, tm_error *error)
{
    char *place = (char *)object + field->offset;
    const char *held, **texts;
    TM_TRY(check_storable(map, field, value, error));
    TM_TRY(tmi_unread_refuse(field, object, error));
    switch (field->type) {
    case TM_TYPE_TEXT:
        memcpy(&held, place, sizeof(held));
        TM_TRY(tm_map_set_text(map, &held, value->as.text, error));
        memcpy(place, &held, sizeof(held));
        break;
    case TM_TYPE_TEXTS:
        memcpy(&texts, place, sizeof(texts));
        return tm_map_set_text(map, &texts[index], value->as.text ? value->as.text : "", error);
    case TM_TYPE_NAME: tm_map_set_name(place, field->size, value->as.text); break;
    default: put_value(field, place + index * field->size, value); break;
    }
    return TM_OK;
}

tm_status tmi_field_set_any(tm_map *map, void *object, const tm_field *field, uint32_t index,
                            const tm_value *value, tm_error *error)
{
    TM_TRY(tmi_need(value, "value", error));
    TM_TRY(check_settable(map, object, field, index, error));
    return tmi_field_make(map, object, field, index, value, error);
}

tm_status tm_field_set(tm_map *map, void *object, const tm_field *field, uint32_t index,
                       const tm_value *value, tm_error *error)
{
    TM_TRY(tmi_need(value, "value", error));
    TM_TRY(check_settable(map, object, field, index, error));
    TM_TRY(tmi_field_check(map, field, value, error));
    return tmi_field_make(map, object, field, index, value, error);
}

tm_status tm_field_set_text(tm_map *map, void *object, const tm_field *field, uint32_t index,
                            const char *text, tm_error *error)
{
    TM_TRY(tmi_need(text, "text", error));
    TM_TRY(check_settable(map, object, field, index, error));
    const tm_allocator *allocator = tmi_map_allocator(map);
    const size_t size = strlen(text) + 1;
    tm_value value;
    char *buffer;
    TM_TRY(tmi_reserve(&buffer, allocator, size, 1, "a value", error));
    tm_status status = tm_value_parse(&value, field, map, text, buffer, size, error);
    if (status == TM_OK)
        status = tm_field_set(map, object, field, index, &value, error);
    tmi_free(allocator, buffer, size, 1);
    return status;
}

/* -------------------------------------------------------------------- for the other files of this room */

void tmi_fields_init(tm_kind owner, void *object)
{
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; i < num; i++) {
        const tm_value value = tm_field_initial(&fields[i]);
        for (uint32_t k = 0; k < fields[i].num_values && !fields[i].setter; k++)
            put_value(&fields[i], (char *)object + fields[i].offset + k * fields[i].size, &value);
    }
}

/* The array of a list; it may be of any type of pointer, hence memcpy. */
const char *tmi_list_items(const tm_field *list, const void *object)
{
    const char *items;
    memcpy(&items, (const char *)object + list->offset, sizeof(items));
    return items;
}

void tmi_address_enter(tm_address *address, tm_kind owner, uint32_t index)
{
    const bool layer = owner == TM_KIND_LAYER;
    address->kind = owner;
    *(layer ? &address->layer : &address->index) = index;
}

static bool same_rows(tm_kind kind, const tm_layer *a, const tm_layer *b)
{
    bool same = true;
    for (size_t i = 0; kind != TM_KINDS && same && i < tmi_kind_rows[kind].num; i++) {
        const tm_field *field = &tmi_kind_rows[kind].fields[i];
        bool apart = field->guard != 0; /* it belongs to an optional part, which has its own item */
        for (size_t k = 0; k < tmi_kind_rows[kind].num; k++) {
            const size_t guard = tmi_kind_rows[kind].fields[k].guard;
            apart = apart || (guard && guard == field->offset);
        }
        if (apart)
            continue;
        const tm_value left = tm_field_get(field, a, 0), right = tm_field_get(field, b, 0);
        if (field->type != TM_TYPE_BLOCK)
            same = tm_value_same(&left, &right);
        else
            same = !(left.as.block && left.as.block->changed) && !(right.as.block && right.as.block->changed);
    }
    return same;
}

bool tmi_layer_same_item(const tm_layer *a, const tm_layer *b)
{
    return same_rows(TM_KIND_LAYER, a, b) && same_rows(tm_kind_of_layer(a->kind), a, b);
}

/* --------------------------------------------------------------------------------------- the JSON form */

enum { KEY_SIZE = 40 }; /* of an object within; a test holds the names of the table below it */

/* Length of the part of a name before its dot; 0 without a dot. */
static size_t outer_length(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot ? (size_t)(dot - name) : 0;
}

/* Whether two fields stand in one object within, as clip.x and clip.y; the first may be NULL. */
static bool share_outer(const char *a, const char *b)
{
    const size_t length = a ? outer_length(a) : 0;
    return length && outer_length(b) == length && memcmp(a, b, length) == 0;
}

void tm_fields_walk(tm_kind owner, const void *object, tm_walk_visit *visit, void *ctx)
{
    const char *open = NULL,
               *absent = NULL; /* a field of the object within that is open, or was told absent */
    size_t num;
    const tm_field *fields = tm_fields(&num, owner);
    for (size_t i = 0; object && visit && i < num; i++) {
        const tm_field *field = &fields[i];
        const size_t outer = outer_length(field->name);
        const bool present = tmi_field_present(field, object);
        char key[KEY_SIZE];
        if (field->flags & TM_FIELD_HIDDEN || field->type == TM_TYPE_LIST)
            continue;
        if (open && !share_outer(open, field->name)) {
            visit(ctx, TM_WALK_CLOSE, NULL, NULL);
            open = NULL;
        }
        if (outer && !open) {
            tmi_format(key, sizeof(key), "%.*s", (int)outer, field->name);
            if (present)
                visit(ctx, TM_WALK_OPEN, key, NULL);
            else if (!share_outer(absent, field->name))
                visit(ctx, TM_WALK_ABSENT, key, field);
            *(present ? &open : &absent) = field->name;
            if (!present)
                continue;
        }
        visit(ctx, present ? TM_WALK_FIELD : TM_WALK_ABSENT, field->name + (outer ? outer + 1 : 0), field);
    }
    if (open)
        visit(ctx, TM_WALK_CLOSE, NULL, NULL);
}
