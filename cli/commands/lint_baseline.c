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

/* maps/a.map, also of ./maps//a.map. */
static const char *skip_dots(const char *path)
{
    for (;; path++)
        if (path[0] == '.' && path[1] == '/')
            path++;
        else if (path[0] != '/')
            return path;
}

static void put_plain_path(text *key, const char *path)
{
    text plain = {0};
    if (path[0] == '/')
        text_put(&plain, "/", 1);
    for (path = skip_dots(path); *path;) {
        const size_t size = strcspn(path, "/");
        text_put(&plain, path, size + (path[size] == '/'));
        path = skip_dots(path + size);
    }
    text_put(&plain, "", 1);
    text_safe(key, plain.bytes);
    text_release(&plain);
}

/* Texts as JSON has them: what is no UTF-8 is shown in the same way in both runs. */
static char *key_of(const char *path, const char *id, const char *address, const char *words)
{
    text key = {0};
    put_plain_path(&key, path);
    text_print(&key, "\x1f%s\x1f%s\x1f", id, address);
    text_safe(&key, words);
    text_put(&key, "", 1);
    return key.bytes;
}

/* The same, wherever the object stands: its place without numbers, "group , layer  'Tele'". */
static char *key_without_address(const char *path, const char *id, const char *place, const char *words)
{
    text nameless = {0};
    bool quoted = false;
    for (; *place; place++) {
        quoted ^= *place == '\'';
        if (quoted || *place < '0' || *place > '9')
            text_put(&nameless, place, 1);
    }
    text_put(&nameless, "", 1);
    char *key = key_of(path, id, nameless.bytes, words);
    text_release(&nameless);
    return key;
}

/* Takes the key over. */
static void count_key(json_t *counts, char *key, int by)
{
    json_object_set_new(counts, key, json_integer(json_integer_value(json_object_get(counts, key)) + by));
    free(key);
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
        count_key(out->counts,
                  key_without_address(member(map, "path"), member(finding, "id"), member(finding, "place"),
                                      member(finding, "text")),
                  1);
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
    out->counts = json_object();
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

static bool was_here(const lint_baseline *baseline, const char *path, const lint_line *line)
{
    char *key = key_of(path, lint_line_name(line), line->finding->address, line->finding->text);
    const bool was = json_is_true(json_object_get(baseline->known, key));
    free(key);
    return was;
}

/* Those at their old address first; of what is left as many as were known elsewhere. */
void lint_baseline_mark(const lint_baseline *baseline, const char *path, lint_line *lines, size_t num)
{
    if (!baseline->known)
        return;
    json_t *used = json_object();
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < num; i++) {
            const tm_finding *finding = lines[i].finding;
            if (lines[i].known || !lines[i].rule)
                continue;
            char *key = key_without_address(path, lint_line_name(&lines[i]), finding->place, finding->text);
            lines[i].known = round == 0 ? was_here(baseline, path, &lines[i])
                                        : json_integer_value(json_object_get(used, key)) <
                                              json_integer_value(json_object_get(baseline->counts, key));
            count_key(used, key, lines[i].known);
        }
    }
    json_decref(used);
}

void lint_baseline_release(lint_baseline *baseline)
{
    json_decref(baseline->known);
    json_decref(baseline->counts);
    *baseline = (lint_baseline){NULL, NULL};
}
