/* SPDX-License-Identifier: Zlib */
/*
 * Reads tables of files in TOML by their keys. Each error names the line, and an unknown key the nearest one.
 */
#include "text.h"

#include <inttypes.h>

tm_status tmi_toml_fail(const tm_json *node, tm_error *error, const char *format, ...)
{
    char text[TM_ERROR_TEXT_SIZE];
    va_list list;
    va_start(list, format);
    tmi_vformat(text, sizeof(text), format, list);
    va_end(list);
    return tmi_fail(error, TM_ERROR_USAGE, -1, "line %" PRIu32 ": %s", node->line, text);
}

tm_status tmi_toml_check_keys(const tm_json *table, const char *const *keys, tm_error *error)
{
    char hint[128];
    for (const tm_json *node = table->first; node; node = node->next) {
        tm_suggestion nearest;
        tm_suggestion_begin(&nearest, node->name);
        bool known = false;
        for (const char *const *key = keys; *key; key++) {
            known = known || strcmp(*key, node->name) == 0;
            tm_suggestion_try(&nearest, *key);
        }
        tm_suggestion_format(&nearest, hint, sizeof(hint));
        if (!known)
            return tmi_toml_fail(node, error, "there is no key '%s' here%s", node->name, hint);
    }
    return TM_OK;
}

tm_status tmi_toml_text(const char **out, const tm_json *table, const char *key, tm_error *error)
{
    const tm_json *node = tm_json_get(table, key);
    *out = NULL;
    if (!node)
        return TM_OK;
    if (node->kind != TM_JSON_TEXT)
        return tmi_toml_fail(node, error, "'%s' is no text in quotes", key);
    *out = node->text;
    return TM_OK;
}

tm_status tmi_toml_table(const tm_json **out, const tm_json *table, const char *key, tm_error *error)
{
    *out = tm_json_get(table, key);
    if (*out && (*out)->kind != TM_JSON_OBJECT)
        return tmi_toml_fail(*out, error, "'%s' is a table: [%s]", key, key);
    return TM_OK;
}

tm_status tmi_toml_tables(const tm_json **out, const tm_json *table, const char *key, tm_error *error)
{
    const tm_json *list = tm_json_get(table, key);
    *out = NULL;
    if (list && list->kind != TM_JSON_ARRAY)
        return tmi_toml_fail(list, error, "'%s' is a list of tables: [[%s]]", key, key);
    for (const tm_json *node = list ? list->first : NULL; node; node = node->next)
        if (node->kind != TM_JSON_OBJECT)
            return tmi_toml_fail(node, error, "'%s' is a list of tables: [[%s]]", key, key);
    *out = list ? list->first : NULL;
    return TM_OK;
}
