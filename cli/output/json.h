/* SPDX-License-Identifier: Zlib */
#ifndef CLI_JSON_H
#define CLI_JSON_H
/*
 * json.h - how values become JSON. Keys appear in the order of the calls. The forms are documented in
 * docs/json.md.
 */
#include "text_buffer.h"

json_t *json_array(void);
json_t *json_null(void);
json_t *json_integer(int64_t number);
json_t *json_real(double number);       /* a finite one */
json_t *json_string(const char *value); /* of our own: UTF-8 */
json_t *json_stringn(const char *value, size_t size);
json_t *json_written(tm_buffer *buffer); /* takes finished JSON text as it is, and releases the buffer */
/* [a, b, ...] of whole numbers. */
#define json_integers(...) \
    json_list_of((const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
json_t *json_list_of(const int64_t *numbers, size_t num);
json_t *json_texts(const char *const *texts); /* a list of texts that ends with NULL */
json_t *json_lines(const text *lines);        /* a list of its lines */
json_t *json_copy(const json_t *value);       /* NULL of NULL */
void json_free(json_t *value);
/* Reads a text; NULL when it is no JSON. */
json_t *json_read(const void *bytes, size_t size);
/* A text, NULL of what is none; a whole number, 0 of what is none; whether it is true. */
const char *json_text_of(const json_t *value);
int64_t json_integer_of(const json_t *value);
bool json_is(const json_t *value, tm_json_kind kind); /* false of NULL */
bool json_is_true(const json_t *value);

json_t *json_make(void);                                       /* an object */
void json_add(json_t *object, const char *key, json_t *value); /* takes it over; `key` must be new */
void json_append(json_t *array, json_t *value);
/*
 * An object with these members, or one that gets them:
 *
 *     json_object(JSON_TEXT("path", path), JSON_INT("files", num), JSON_VALUE("view", view))
 */
#define json_object(...)          json_add_all(json_make(), __VA_ARGS__)
#define json_add_all(object, ...) json_add_members(object, (const json_member[]){__VA_ARGS__, {.key = NULL}})
#define JSON_INT(name, content)                                         \
    {                                                                   \
        .key = (name), .kind = MEMBER_INT, .number = (int64_t)(content) \
    }
#define JSON_BOOL(name, content)                                \
    {                                                           \
        .key = (name), .kind = MEMBER_BOOL, .number = (content) \
    }
#define JSON_REAL(name, content)                              \
    {                                                         \
        .key = (name), .kind = MEMBER_REAL, .real = (content) \
    }
#define JSON_TEXT(name, content)                              \
    {                                                         \
        .key = (name), .kind = MEMBER_TEXT, .text = (content) \
    } /* as json_add_text */
#define JSON_VALUE(name, content)         \
    {                                     \
        .key = (name), .value = (content) \
    } /* is taken over; NULL: null */
typedef struct json_member {
    const char *key;
    enum { MEMBER_VALUE = 0, MEMBER_INT, MEMBER_BOOL, MEMBER_REAL, MEMBER_TEXT } kind;
    int64_t number;
    double real;
    const char *text;
    json_t *value;
} json_member;
json_t *json_add_members(json_t *object,
                         const json_member *members); /* ends without a key; returns the object */
/* A new object or list as a member. */
json_t *json_add_object(json_t *object, const char *key);
json_t *json_add_array(json_t *object, const char *key);
void json_add_int(json_t *object, const char *key, int64_t value);
void json_add_bool(json_t *object, const char *key, bool value);
/*
 * A text, null for NULL. A byte that is no UTF-8 becomes ?, and then the exact bytes follow as hexadecimal
 * digits under KEY_bytes.
 */
void json_add_text(json_t *object, const char *key, const char *value);
/* A list of texts by the same rule: KEY_bytes is a list of the same length, null where the text is exact. */
void json_add_texts(json_t *object, const char *key, const char *const *values, size_t num);
void json_add_hex(json_t *object, const char *key, const void *bytes, size_t size);
/* "3e1b2716-178c-3978-9bd9-b11ae0410dd8" */
void json_add_uuid(json_t *object, const char *key, const tm_uuid *uuid);

json_t *json_rect(const tm_rect *rect);                          /* {"x", "y", "width", "height"} */
json_t *json_finding(const tm_finding *finding, const char *id); /* `id` NULL: the finding's own */
/* "findings": the list, "findings_unlisted": how many more there were. */
void json_add_findings(json_t *object, const tm_findings *findings);
/* "error": {"code", "offset", "place", "text"} */
void json_add_error(json_t *object, const tm_error *error);

#endif
