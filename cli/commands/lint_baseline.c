/* SPDX-License-Identifier: Zlib */
/*
 * lint_baseline.c - reads the lines of a former run into a set of keys: the members of an object.
 */
#include "lint_baseline.h"
#include "output/json.h"
#include "run/files.h"

#include <stdlib.h>
#include <string.h>

enum { BASELINE_MOST = 1 << 30 }; /* bytes */

/* Texts as JSON has them: what is no UTF-8 is shown in the same way in both runs. */
static char *key_of(const char *path, const char *id, const char *address, const char *words)
{
    text key = {0};
    text_safe(&key, path);
    text_print(&key, "\x1f%s\x1f%s\x1f", id, address);
    text_safe(&key, words);
    text_put(&key, "", 1);
    return key.bytes;
}

static const char *member(const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    return value ? value : "";
}

/* Those that are not listed: their number in the place of an address and a text. */
static void read_unlisted(lint_baseline *out, json_t *map)
{
    const char *id;
    json_t *num;
    json_object_foreach(json_object_get(map, "unlisted"), id, num)
    {
        char *key = key_of(member(map, "path"), id, "", "");
        json_object_set_new(out->known, key, json_integer(json_integer_value(num)));
        free(key);
    }
}

uint64_t lint_baseline_unlisted(const lint_baseline *baseline, const char *path, const char *id)
{
    if (!baseline->known)
        return 0;
    char *key = key_of(path, id, "", "");
    const json_int_t num = json_integer_value(json_object_get(baseline->known, key));
    free(key);
    return num > 0 ? (uint64_t)num : 0;
}

static bool read_line(lint_baseline *out, const char *line, size_t size)
{
    json_t *map = json_loadb(line, size, 0, NULL), *finding;
    const json_t *list = json_object_get(map, "findings");
    size_t i;
    const bool fine = json_is_array(list) && json_is_string(json_object_get(map, "path"));
    json_array_foreach(list, i, finding)
    {
        char *key = key_of(member(map, "path"), member(finding, "id"), member(finding, "address"),
                           member(finding, "text"));
        json_object_set_new(out->known, key, json_true());
        free(key);
    }
    read_unlisted(out, map);
    json_decref(map);
    return fine;
}

bool lint_baseline_read(lint_baseline *out, cli_tool *tool, const char *path)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    tm_error error = {.offset = -1};
    bool fine = true;
    out->known = json_object();
    if (read_path(&bytes, &size, path, BASELINE_MOST, NULL, &error)) {
        tool_trouble(tool, path, error.text);
        return false;
    }
    for (const char *line = (const char *)bytes, *end = line + size; fine && line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const size_t length = (size_t)((stop ? stop : end) - line);
        fine = !length || read_line(out, line, length);
        line += length + 1;
    }
    free(bytes);
    if (!fine)
        tool_trouble(tool, path, "this is not what 'teemap lint --json' prints");
    return fine;
}

bool lint_baseline_has(const lint_baseline *baseline, const char *path, const char *id,
                       const tm_finding *finding)
{
    if (!baseline->known)
        return false;
    char *key = key_of(path, id, finding->address, finding->text);
    const bool has = json_is_true(json_object_get(baseline->known, key));
    free(key);
    return has;
}

void lint_baseline_release(lint_baseline *baseline)
{
    json_decref(baseline->known);
    baseline->known = NULL;
}
