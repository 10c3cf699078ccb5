/* SPDX-License-Identifier: Zlib */
#ifndef CLI_JSON_H
#define CLI_JSON_H
/*
 * json.h - how values become JSON. Keys appear in the order of the calls. The forms are documented in
 * docs/json.md.
 */
#include "text_buffer.h"

#include <teemap/findings.h>
#include <teemap/map.h>

json_t *json_make(void);
void json_add(json_t *object, const char *key, json_t *value); /* takes the value over */
void json_append(json_t *array, json_t *value);
void json_add_int(json_t *object, const char *key, int64_t value);
void json_add_bool(json_t *object, const char *key, bool value);
/* An index, null for TM_NONE. */
void json_add_index(json_t *object, const char *key, int32_t value);
/*
 * A text, null for NULL. What is not UTF-8 becomes U+FFFD, and then the exact bytes follow as hexadecimal
 * digits under KEY_bytes.
 */
void json_add_text(json_t *object, const char *key, const char *value);
/* A list of texts by the same rule: KEY_bytes is a list of the same length, null where the text is exact. */
void json_add_texts(json_t *object, const char *key, const char *const *values, size_t num);
void json_add_hex(json_t *object, const char *key, const void *bytes, size_t size);
/* "3e1b2716-178c-3978-9bd9-b11ae0410dd8" */
void json_add_uuid(json_t *object, const char *key, const tm_uuid *uuid);
void format_uuid(char out[37], const tm_uuid *uuid);

void json_add_point(json_t *object, const char *key, int32_t x, int32_t y);  /* {"x", "y"} */
void json_add_color(json_t *object, const char *key, const tm_color *color); /* {"r", "g", "b", "a"} */

json_t *json_finding(const tm_finding *finding);
/* "findings": the list, "findings_unlisted": how many more there were. */
void json_add_findings(json_t *object, const tm_findings *findings);
/* "error": {"code", "offset", "place", "text"} */
void json_add_error(json_t *object, const tm_error *error);

#endif
