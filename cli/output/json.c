/* SPDX-License-Identifier: Zlib */
/*
 * json.c - the forms that all JSON outputs share: texts that may not be UTF-8, references, colors, findings,
 * errors.
 */
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *json_make(void)
{
    json_t *object = json_object();
    if (!object)
        out_of_memory();
    return object;
}

void json_add(json_t *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new(object, key, value))
        out_of_memory(); /* nothing else can be missing */
}

void json_add_int(json_t *object, const char *key, int64_t value)
{
    json_add(object, key, json_integer(value));
}

void json_add_bool(json_t *object, const char *key, bool value)
{
    json_add(object, key, json_boolean(value));
}

void json_add_index(json_t *object, const char *key, int32_t value)
{
    json_add(object, key, value < 0 ? json_null() : json_integer(value));
}

static json_t *hex(const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    char *digits = must_alloc(2 * size + 1, 1);
    for (size_t i = 0; i < size; i++)
        snprintf(digits + 2 * i, 3, "%02x", from[i]);
    json_t *value = json_stringn_nocheck(digits, 2 * size);
    free(digits);
    return value;
}

/* With U+FFFD in the place of every byte that belongs to no character. */
static json_t *readable(const char *string)
{
    text out = {0};
    uint32_t character;
    while (*string) {
        size_t size = utf8_decode(string, &character);
        text_put(&out, size ? string : "\xef\xbf\xbd", size ? size : 3);
        string += size ? size : 1;
    }
    json_t *value = json_stringn_nocheck(out.size ? out.bytes : "", out.size);
    text_release(&out);
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
    json_add(object, key, value ? readable(value) : json_null());
    if (value && !utf8_valid(value))
        add_suffixed(object, key, hex(value, strlen(value)));
}

void json_append(json_t *array, json_t *value)
{
    if (!array || !value || json_array_append_new(array, value))
        out_of_memory();
}

void json_add_texts(json_t *object, const char *key, const char *const *values, size_t num)
{
    json_t *list = json_array(), *bytes = json_array();
    bool exact = true;
    for (size_t i = 0; i < num; i++) {
        bool valid = utf8_valid(values[i]);
        json_append(list, readable(values[i]));
        json_append(bytes, valid ? json_null() : hex(values[i], strlen(values[i])));
        exact = exact && valid;
    }
    json_add(object, key, list);
    if (exact)
        json_decref(bytes);
    else
        add_suffixed(object, key, bytes);
}

void json_add_hex(json_t *object, const char *key, const void *bytes, size_t size)
{
    json_add(object, key, hex(bytes, size));
}

void format_uuid(char out[37], const tm_uuid *uuid)
{
    for (size_t i = 0; i < 16; i++)
        out += snprintf(out, 4, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid->bytes[i]);
}

void json_add_uuid(json_t *object, const char *key, const tm_uuid *uuid)
{
    char name[37];
    format_uuid(name, uuid);
    json_add(object, key, json_string(name));
}

void json_add_point(json_t *object, const char *key, int32_t x, int32_t y)
{
    json_t *point = json_make();
    json_add_int(point, "x", x);
    json_add_int(point, "y", y);
    json_add(object, key, point);
}

void json_add_color(json_t *object, const char *key, const tm_color *color)
{
    json_t *value = json_make();
    json_add_int(value, "r", color->r);
    json_add_int(value, "g", color->g);
    json_add_int(value, "b", color->b);
    json_add_int(value, "a", color->a);
    json_add(object, key, value);
}

static void add_offset(json_t *object, int64_t offset)
{
    json_add(object, "offset", offset < 0 ? json_null() : json_integer(offset));
}

json_t *json_finding(const tm_finding *finding)
{
    json_t *object = json_make();
    json_add(object, "id", json_string(tm_finding_name(finding->id)));
    json_add(object, "severity", json_string(tm_severity_name(finding->severity)));
    json_add_bool(object, "refused", finding->refuses);
    json_add_text(object, "address", finding->address);
    json_add_text(object, "place", finding->place);
    add_offset(object, finding->offset);
    json_add_int(object, "count", (int64_t)finding->count);
    json_add_text(object, "text", finding->text);
    return object;
}

void json_add_findings(json_t *object, const tm_findings *findings)
{
    json_t *list = json_array();
    for (size_t i = 0; i < findings->num; i++)
        json_append(list, json_finding(&findings->list[i]));
    json_add(object, "findings", list);
    json_add_int(object, "findings_unlisted", (int64_t)findings->unlisted);
}

void json_add_error(json_t *object, const tm_error *error)
{
    json_t *value = json_make();
    json_add(value, "code", json_string(tm_status_name(error->code)));
    add_offset(value, error->offset);
    json_add(value, "side", json_string(tm_side_name(error->side)));
    json_add_text(value, "path", error->path);
    json_add_text(value, "place", error->place);
    json_add_text(value, "text", error->text);
    json_add(object, "error", value);
}
