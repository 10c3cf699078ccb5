/* SPDX-License-Identifier: Zlib */
/*
 * Reads members of JSON into objects, by the table of fields: what write_object.c writes, perhaps edited by
 * people. Errors are reported with their place; the caller decides whether to continue.
 */
#include "internal.h"

#include "../text/text.h"

/* ------------------------------------------------------------------------------------------------- faults */

static tm_status refuse_json(const tmi_object_in *reader, const tm_json *node, const char *format, ...)
    TMI_PRINTF(3, 4);

static tm_status refuse_json(const tmi_object_in *reader, const tm_json *node, const char *format, ...)
{
    char text[TM_ERROR_TEXT_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    return reader->fault(reader->ctx, node, false, text);
}

static tm_status refuse_member(const tmi_object_in *reader, const tm_json *member, const char *name)
{
    char text[TM_ERROR_TEXT_SIZE];
    tmi_format(text, sizeof(text), "nothing is known of a member '%s'", name);
    return reader->fault(reader->ctx, member, true, text);
}

/* ------------------------------------------------------------------------------------------------- values */

/* Whether a field is a plain member: blocks and lists have their own form, counts follow from the lists. */
static bool is_plain(const tm_field *field)
{
    return field->type != TM_TYPE_COUNT && field->type != TM_TYPE_LIST && field->type != TM_TYPE_BLOCK &&
           field->type != TM_TYPE_TEXTS;
}

static bool is_string(const tm_field *field)
{
    return field->type == TM_TYPE_TEXT || field->type == TM_TYPE_NAME || field->type == TM_TYPE_TEXTS;
}

/* Reads a reference: "image/grass_main" by the names of objects, or a number if it may lead nowhere. */
static tm_status read_named(const tmi_object_in *reader, const tm_field *field, const tm_json *node,
                            const char *word, bool *fine, int64_t *number)
{
    const char *kind = tm_kind_name(field->refers);
    const size_t size = strlen(kind);
    const bool formed = strncmp(word, kind, size) == 0 && word[size] == '/';
    const bool by_number = !reader->find || field->flags & TM_FIELD_LOOSE || strcmp(word, "none") == 0;
    tm_value value = {.as.number = TM_NONE};
    if (formed && reader->find)
        value.as.number = reader->find(reader->ctx, field->refers, word + size + 1);
    *fine = value.as.number != TM_NONE ||
            (by_number && tm_value_parse(&value, field, NULL, word, NULL, 0, NULL) == TM_OK &&
             value.as.number >= INT32_MIN && value.as.number <= INT32_MAX);
    *number = value.as.number;
    return *fine ? TM_OK
                 : refuse_json(reader, node, "%s cannot be '%.60s'; it takes null, or '%s/' and %s%s%s",
                               field->name, word, kind, reader->find ? "a name of " : "a number",
                               reader->find ? kind : "", reader->find ? "s.txt" : "");
}

tm_status tmi_value_read(const tmi_object_in *reader, const tm_field *field, const tm_json *node,
                         tm_value *out, bool *fine)
{
    char digits[TMI_DIGITS + 1];
    const char *word = NULL; /* as it is written in the text; NULL: it is a list or an object */
    tm_error error;
    *out = (tm_value){.type = field->type};
    *fine = false;
    if (node->kind == TM_JSON_TEXT || node->kind == TM_JSON_NUMBER)
        word = node->text;
    else if (node->kind == TM_JSON_NULL)
        word = "none";
    else if (node->kind == TM_JSON_BOOL)
        word = node->number ? "true" : "false";
    if (node->kind == TM_JSON_NUMBER && !word) {
        *tmi_put_digits(digits, node->number) = '\0';
        word = digits;
    }
    if (!word || (is_string(field) && node->kind != TM_JSON_TEXT && node->kind != TM_JSON_NULL))
        return refuse_json(reader, node, "a %s for %s is expected",
                           is_string(field) ? "text in quotes" : "value", field->name);
    if (field->type == TM_TYPE_REFERENCE)
        return read_named(reader, field, node, word, fine, &out->as.number);
    *fine = true;
    if (is_string(field)) {
        out->as.text = node->text;
        return TM_OK;
    }
    if (tm_value_parse(out, field, NULL, word, NULL, 0, &error) == TM_OK)
        return TM_OK;
    *fine = false;
    return refuse_json(reader, node, "%s", error.text);
}

static tm_status put_read_value(const tmi_object_in *reader, const tm_json *node, void *object,
                                const tm_field *field, uint32_t index, const tm_value *value)
{
    tm_error error;
    const int32_t number = (int32_t)value->as.number;
    if (reader->foreign && field->type == TM_TYPE_REFERENCE) {
        memcpy((char *)object + field->offset, &number, sizeof(number));
        return TM_OK;
    }
    const tm_status status = tmi_field_make(reader->map, object, field, index, value, &error);
    if (status == TM_ERROR_USAGE)
        return refuse_json(reader, node, "%s", error.text);
    if (status != TM_OK && reader->error)
        *reader->error = error;
    return status;
}

static tm_status read_one(const tmi_object_in *reader, const tm_json *node, void *object,
                          const tm_field *field, uint32_t index)
{
    tm_value value;
    bool fine;
    TM_TRY(tmi_value_read(reader, field, node, &value, &fine));
    return fine ? put_read_value(reader, node, object, field, index, &value) : TM_OK;
}

/* Stores whether an object has an optional part, in the field that says so. */
static void set_guard(void *object, const tm_field *field, bool there)
{
    if (field->guard)
        memcpy((char *)object + field->guard, &there, sizeof(there));
}

static tm_status read_field(const tmi_object_in *reader, const tm_json *node, void *object,
                            const tm_field *field)
{
    const bool lacking = field->guard && node->kind == TM_JSON_NULL && field->type != TM_TYPE_INDEX;
    set_guard(object, field, !lacking);
    if (lacking)
        return TM_OK;
    if (field->num_values == 1)
        return read_one(reader, node, object, field, 0);
    if (node->kind != TM_JSON_ARRAY)
        return refuse_json(reader, node, "a list: [ ... ] is expected");
    uint32_t i = 0;
    for (const tm_json *element = node->first; element && i < field->num_values; element = element->next)
        TM_TRY(read_one(reader, element, object, field, i++));
    const tm_json *surplus = node->first;
    for (i = 0; surplus && i < field->num_values; i++)
        surplus = surplus->next;
    return !surplus ? TM_OK
                    : refuse_json(reader, surplus, "%s has %u values, and here is one more", field->name,
                                  (unsigned)field->num_values);
}

/* Reads a text of hexadecimal digits into new memory of out's allocator, which the caller releases. */
tm_status tmi_hex_read(const tmi_object_in *reader, const tm_json *node, tm_buffer *out)
{
    const size_t size = node->kind == TM_JSON_TEXT ? strlen(node->text) : 1;
    if (size % 2)
        return refuse_json(reader, node, "a text of hexadecimal digits, two for each byte, is expected");
    char *bytes;
    TM_TRY(tmi_reserve(&bytes, out->allocator, size / 2 + 1, 1, "bytes", reader->error));
    const size_t digits = tmi_hex_parse(bytes, node->text, size / 2);
    bytes[digits / 2] = '\0';
    *out = (tm_buffer){(uint8_t *)bytes, digits / 2, size / 2 + 1, out->allocator};
    tm_json place = *node;
    place.column += 1 + (uint32_t)digits;
    return digits == size ? TM_OK : refuse_json(reader, &place, "a hexadecimal digit is expected");
}

/* Reads a member such as "name_bytes": a text that is not UTF-8. */
static tm_status read_text_bytes(const tmi_object_in *reader, const tm_json *node, void *object,
                                 const tm_field *field)
{
    tm_buffer bytes = {.allocator = tmi_map_allocator(reader->map)};
    tm_status status = tmi_hex_read(reader, node, &bytes);
    const tm_value value = {.type = field->type, .as.text = (const char *)bytes.bytes};
    if (status == TM_OK && bytes.bytes)
        status = put_read_value(reader, node, object, field, 0, &value);
    tm_buffer_release(&bytes);
    return status;
}

/* ------------------------------------------------------------------------------------------------ members */

/* The first field named by `size` bytes of a name; `within`: whose name begins with them and a dot. */
static const tm_field *find_plain(const tmi_fields_of *target, const char *name, size_t size, bool within)
{
    for (uint32_t o = 0; o < target->num_owners; o++) {
        size_t num;
        const tm_field *fields = tm_fields(&num, target->owners[o]);
        for (size_t i = 0; i < num; i++)
            if (strncmp(fields[i].name, name, size) == 0 && fields[i].name[size] == (within ? '.' : '\0') &&
                (within || is_plain(&fields[i])))
                return &fields[i];
    }
    return NULL;
}

static tm_status read_within(const tmi_object_in *reader, const tmi_fields_of *target, const tm_json *member)
{
    char name[80];
    const bool there = member->kind == TM_JSON_OBJECT;
    const size_t size = strlen(member->name);
    if (!there && member->kind != TM_JSON_NULL)
        return refuse_json(reader, member, "an object: { ... } is expected");
    for (uint32_t o = 0; o < target->num_owners; o++) {
        size_t num;
        const tm_field *fields = tm_fields(&num, target->owners[o]);
        for (size_t i = 0; i < num; i++)
            if (strncmp(fields[i].name, member->name, size) == 0 && fields[i].name[size] == '.')
                set_guard(target->object, &fields[i], there);
    }
    for (const tm_json *inner = member->first; inner; inner = inner->next) {
        const size_t length = tmi_format(name, sizeof(name), "%s.%s", member->name, inner->name);
        const tm_field *field = find_plain(target, name, length, false);
        TM_TRY(field ? read_field(reader, inner, target->object, field) : refuse_member(reader, inner, name));
    }
    return TM_OK;
}

/* The field of a member; of an inner object, its first field; of NAME_bytes, the text NAME; NULL: none. */
static const tm_field *field_of_member(const tmi_fields_of *target, const char *name, bool *is_nested,
                                       bool *bytes)
{
    static const char end[] = "_bytes";
    const size_t size = strlen(name), text = size >= sizeof(end) ? size + 1 - sizeof(end) : 0;
    const tm_field *field = strchr(name, '.') ? NULL : find_plain(target, name, size, false);
    *is_nested = *bytes = false;
    if (!field && (field = find_plain(target, name, size, true)))
        *is_nested = true;
    if (field || !text || strcmp(name + text, end) != 0)
        return field;
    *bytes = true;
    field = find_plain(target, name, text, false);
    return field && is_string(field) ? field : NULL;
}

bool tmi_member_known(const tmi_fields_of *target, const char *name)
{
    bool within, bytes;
    return field_of_member(target, name, &within, &bytes);
}

tm_status tmi_member_read(const tmi_object_in *reader, const tmi_fields_of *target, const tm_json *member)
{
    bool within, bytes;
    const tm_field *field = field_of_member(target, member->name, &within, &bytes);
    if (!field)
        return refuse_member(reader, member, member->name);
    if (within)
        return read_within(reader, target, member);
    return (bytes ? read_text_bytes : read_field)(reader, member, target->object, field);
}

tmi_fields_of tmi_fields_of_layer(tm_layer *layer, tm_layer_kind kind)
{
    const tm_kind more = tm_kind_of_layer(kind);
    return (tmi_fields_of){{TM_KIND_LAYER, more}, more == TM_KINDS ? 1 : 2, layer};
}

void tmi_fields_start(const tmi_fields_of *target)
{
    for (uint32_t o = 0; o < target->num_owners; o++)
        tmi_fields_init(target->owners[o], target->object);
}

tm_status tmi_object_read(const tmi_object_in *reader, const tmi_fields_of *target, const tm_json *node)
{
    if (node->kind != TM_JSON_OBJECT)
        return refuse_json(reader, node, "an object: { ... } is expected");
    tmi_fields_start(target);
    for (const tm_json *member = node->first; member; member = member->next) {
        bool apart = false;
        for (uint32_t o = 0; o < target->num_owners && !apart; o++) {
            const tm_field *field = tm_field_find(target->owners[o], member->name);
            apart = field && !is_plain(field);
        }
        if (!apart)
            TM_TRY(tmi_member_read(reader, target, member));
    }
    return TM_OK;
}
