/* SPDX-License-Identifier: Zlib */
/*
 * json.c - the forms that all JSON outputs share: texts that may not be UTF-8, references, colors, findings,
 * errors.
 */
#include "json.h"

/* A value and its texts, which are freed with the tree. */
typedef struct json_cell {
    json_t value;
    char *long_name, name[24];
    char text[];
} json_cell;

static json_t *new_value(tm_json_kind kind, const char *words, size_t size)
{
    json_cell *cell = must_alloc(1, sizeof(*cell) + size + 1);
    memcpy(cell->text, words, size);
    cell->text[size] = '\0';
    cell->value.kind = kind;
    cell->value.text = words[0] ? cell->text : kind == TM_JSON_TEXT ? "" : NULL;
    return &cell->value;
}

json_t *json_make(void)
{
    return new_value(TM_JSON_OBJECT, "", 0);
}

json_t *json_array(void)
{
    return new_value(TM_JSON_ARRAY, "", 0);
}

json_t *json_null(void)
{
    return new_value(TM_JSON_NULL, "", 0);
}

json_t *json_integer(int64_t number)
{
    json_t *value = new_value(TM_JSON_NUMBER, "", 0);
    value->whole = true;
    value->number = number;
    return value;
}

json_t *json_real(double number)
{
    char digits[40];
    snprintf(digits, sizeof(digits) - 2, "%.17g", number);
    if (!strpbrk(digits, ".e"))
        strcat(digits, ".0");
    return new_value(TM_JSON_NUMBER, digits, strlen(digits));
}

json_t *json_stringn(const char *value, size_t size)
{
    return new_value(TM_JSON_TEXT, size ? value : "", size);
}

json_t *json_written(tm_buffer *buffer)
{
    json_t *value = new_value(TM_JSON_WRITTEN, (const char *)buffer->bytes, buffer->size);
    tm_buffer_release(buffer);
    return value;
}

json_t *json_string(const char *value)
{
    return json_stringn(value, strlen(value));
}

json_t *json_list_of(const int64_t *numbers, size_t num)
{
    json_t *list = json_array();
    for (size_t i = 0; i < num; i++)
        json_append(list, json_integer(numbers[i]));
    return list;
}

json_t *json_texts(const char *const *texts)
{
    json_t *list = json_array();
    for (; *texts; texts++)
        json_append(list, json_string(*texts));
    return list;
}

json_t *json_lines(const text *lines)
{
    json_t *list = json_array();
    for (size_t at = 0, start = 0; at < lines->size; at++)
        if (lines->bytes[at] == '\n') {
            json_append(list, json_stringn(lines->bytes + start, at - start));
            start = at + 1;
        }
    return list;
}

void json_append(json_t *array, json_t *value)
{
    if (array->last)
        array->last->next = value;
    else
        array->first = value;
    array->last = value;
    array->num++;
}

void json_add(json_t *object, const char *key, json_t *value)
{
    json_cell *cell = (json_cell *)value;
    const size_t size = strlen(key) + 1;
    free(cell->long_name);
    cell->long_name = size > sizeof(cell->name) ? must_copy(key) : NULL;
    value->name = cell->long_name ? cell->long_name : memcpy(cell->name, key, size);
    json_append(object, value);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as our forms, and as tm_json_read lets it be
json_t *json_copy(const json_t *value)
{
    if (!value)
        return NULL;
    json_t *copy =
        new_value(value->kind, value->text ? value->text : "", value->text ? strlen(value->text) : 0);
    copy->whole = value->whole;
    copy->number = value->number;
    for (const json_t *child = value->first; child; child = child->next)
        if (child->name)
            json_add(copy, child->name, json_copy(child));
        else
            json_append(copy, json_copy(child));
    return copy;
}

// NOLINTNEXTLINE(misc-no-recursion): as above
void json_free(json_t *value)
{
    if (!value)
        return;
    for (json_t *child = value->first, *next; child; child = next) {
        next = child->next;
        json_free(child);
    }
    free(((json_cell *)value)->long_name);
    free(value);
}

json_t *json_read(const void *bytes, size_t size)
{
    tm_json *read;
    if (tm_json_read(&read, bytes, size, UINT64_MAX, NULL, NULL))
        return NULL;
    json_t *value = json_copy(read);
    tm_json_free(read);
    return value;
}

const char *json_text_of(const json_t *value)
{
    return json_is(value, TM_JSON_TEXT) ? value->text : NULL;
}

int64_t json_integer_of(const json_t *value)
{
    return json_is(value, TM_JSON_NUMBER) ? value->number : 0;
}

bool json_is(const json_t *value, tm_json_kind kind)
{
    return value && value->kind == kind;
}

bool json_is_true(const json_t *value)
{
    return json_is(value, TM_JSON_BOOL) && value->number;
}

void text_json(text *out, json_t *value)
{
    const tm_output output = text_output(out);
    if (tm_json_write(value, &output, NULL))
        out_of_memory(); /* our values are not deep, so nothing else can fail */
    json_free(value);
}

json_t *json_add_object(json_t *object, const char *key)
{
    json_t *value = json_make();
    json_add(object, key, value);
    return value;
}

json_t *json_add_array(json_t *object, const char *key)
{
    json_t *value = json_array();
    json_add(object, key, value);
    return value;
}

json_t *json_add_members(json_t *object, const json_member *m)
{
    for (; m->key; m++)
        switch (m->kind) {
        case MEMBER_INT: json_add_int(object, m->key, m->number); break;
        case MEMBER_BOOL: json_add_bool(object, m->key, m->number); break;
        case MEMBER_REAL: json_add(object, m->key, json_real(m->real)); break;
        case MEMBER_TEXT: json_add_text(object, m->key, m->text); break;
        default: json_add(object, m->key, m->value ? m->value : json_null());
        }
    return object;
}

void json_add_int(json_t *object, const char *key, int64_t value)
{
    json_add(object, key, json_integer(value));
}

void json_add_bool(json_t *object, const char *key, bool value)
{
    json_t *truth = new_value(TM_JSON_BOOL, "", 0);
    truth->number = value;
    json_add(object, key, truth);
}

static json_t *hex(const void *bytes, size_t size)
{
    char *digits = must_alloc(2 * size + 1, 1);
    format_hex(digits, bytes, size);
    json_t *value = json_stringn(digits, 2 * size);
    free(digits);
    return value;
}

static void add_suffixed(json_t *object, const char *key, json_t *value)
{
    char name[64];
    snprintf(name, sizeof(name), "%s_bytes", key);
    json_add(object, name, value);
}

void json_add_text(json_t *object, const char *key, const char *value)
{
    json_add(object, key, value ? json_string(value) : json_null());
    if (value && !utf8_valid(value))
        add_suffixed(object, key, hex(value, strlen(value)));
}

/* Adds a list of texts, written at once and not as a tree: a map may have a million commands. */
void json_add_texts(json_t *object, const char *key, const char *const *values, size_t num)
{
    text list = {0}, bytes = {0};
    bool exact = true;
    for (size_t i = 0; i < num; i++) {
        const bool valid = utf8_valid(values[i]);
        text_string(&list, i ? "," : "[");
        text_string(&bytes, i ? "," : "[");
        text_json(&list, json_string(values[i]));
        text_json(&bytes, valid ? json_null() : hex(values[i], strlen(values[i])));
        exact = exact && valid;
    }
    text_string(&list, num ? "]" : "[]");
    text_string(&bytes, "]");
    json_add(object, key, new_value(TM_JSON_WRITTEN, list.bytes, list.size));
    if (!exact)
        add_suffixed(object, key, new_value(TM_JSON_WRITTEN, bytes.bytes, bytes.size));
    text_release(&list);
    text_release(&bytes);
}

void json_add_hex(json_t *object, const char *key, const void *bytes, size_t size)
{
    json_add(object, key, hex(bytes, size));
}

void json_add_uuid(json_t *object, const char *key, const tm_uuid *uuid)
{
    char name[37], *end = name;
    for (size_t i = 0; i < 16; i++)
        end += snprintf(end, 4, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid->bytes[i]);
    json_add(object, key, json_string(name));
}

/* An offset in the file; null: there is none. */
static json_t *json_offset(int64_t offset)
{
    return offset < 0 ? NULL : json_integer(offset);
}

json_t *json_rect(const tm_rect *rect)
{
    return json_object(JSON_INT("x", rect->x), JSON_INT("y", rect->y), JSON_INT("width", rect->width),
                       JSON_INT("height", rect->height));
}

json_t *json_finding(const tm_finding *finding, const char *id)
{
    return json_object(JSON_TEXT("id", id ? id : tm_finding_name(finding->id)),
                       JSON_TEXT("severity", tm_severity_name(finding->severity)),
                       JSON_BOOL("refused", finding->refuses), JSON_TEXT("address", finding->address),
                       JSON_TEXT("place", finding->place), JSON_VALUE("offset", json_offset(finding->offset)),
                       JSON_INT("count", finding->count), JSON_TEXT("text", finding->text));
}

void json_add_findings(json_t *object, const tm_findings *findings)
{
    json_t *list = json_add_array(object, "findings");
    for (size_t i = 0; i < findings->num; i++)
        json_append(list, json_finding(&findings->list[i], NULL));
    json_add_int(object, "findings_unlisted", (int64_t)findings->unlisted);
}

void json_add_error(json_t *object, const tm_error *error)
{
    json_add(object, "error",
             json_object(JSON_TEXT("code", tm_status_name(error->code)),
                         JSON_VALUE("offset", json_offset(error->offset)),
                         JSON_TEXT("side", tm_side_name(error->side)), JSON_TEXT("path", error->path),
                         JSON_TEXT("place", error->place), JSON_TEXT("text", error->text)));
}
