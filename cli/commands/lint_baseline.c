/* SPDX-License-Identifier: Zlib */
/* lint_baseline.c - reads the JSON lines of an earlier run into a set of keys, the members of an object. */
#include "lint_parts.h"

enum { BASELINE_MAX = 1 << 30 }; /* bytes */

/* Skips ./ at the start of a path, so that ./maps/a.map and maps/a.map have the same keys. */
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
    text_safe(key, text_words(&plain));
    text_release(&plain);
}

/* What a key stands for; its first letter. */
typedef enum key_kind {
    KEY_KNOWN = 'k',
    KEY_ANYWHERE = 'a', /* wherever the object stands */
    KEY_UNLISTED = 'u'  /* the number of findings that were not listed */
} key_kind;

/* Makes a key. Texts have the form of JSON, in which bytes that are not UTF-8 look the same in both runs. */
static char *key_of(key_kind kind, const char *path, const char *id, const char *address, const char *words)
{
    text key = {0};
    text_print(&key, "%c", (int)kind);
    put_plain_path(&key, path);
    text_print(&key, "\x1f%s\x1f%s\x1f", id, address);
    text_safe(&key, words);
    return key.bytes;
}

/* The key of a finding wherever its object is: the place has no numbers, as in "group , layer  'Tele'". */
static char *key_anywhere(const char *path, const char *id, const char *place, const char *words)
{
    text nameless = {0};
    bool quoted = false;
    for (; *place; place++) {
        quoted ^= *place == '\'';
        if (quoted || *place < '0' || *place > '9')
            text_put(&nameless, place, 1);
    }
    char *key = key_of(KEY_ANYWHERE, path, id, text_words(&nameless), words);
    text_release(&nameless);
    return key;
}

/* Adds `num` findings under a key, which it takes over. */
static void add_key(lint_baseline *baseline, char *key, uint64_t num)
{
    baseline->keys = must_grow(baseline->keys, &baseline->capacity, baseline->num, sizeof(*baseline->keys));
    baseline->keys[baseline->num++] = (struct baseline_key){key, num};
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct baseline_key *)a)->key, ((const struct baseline_key *)b)->key);
}

static void sum_keys(lint_baseline *baseline)
{
    size_t kept = 0;
    if (baseline->num)
        qsort(baseline->keys, baseline->num, sizeof(*baseline->keys), by_key);
    for (size_t i = 0; i < baseline->num; i++)
        if (kept && strcmp(baseline->keys[kept - 1].key, baseline->keys[i].key) == 0) {
            baseline->keys[kept - 1].num += baseline->keys[i].num;
            free(baseline->keys[i].key);
        } else {
            baseline->keys[kept++] = baseline->keys[i];
        }
    baseline->num = kept;
}

/* Finds a key, which it frees; NULL: the baseline does not have it. */
static const struct baseline_key *find_key(const lint_baseline *baseline, char *key)
{
    const struct baseline_key wanted = {key, 0}, *found = NULL;
    if (baseline->num)
        found = bsearch(&wanted, baseline->keys, baseline->num, sizeof(wanted), by_key);
    free(key);
    return found;
}

static const char *member(const json_t *object, const char *name)
{
    const char *value = json_text_of(tm_json_get(object, name));
    return value ? value : "";
}

uint64_t lint_baseline_unlisted(const lint_baseline *baseline, const char *path, const char *id)
{
    const struct baseline_key *found = find_key(baseline, key_of(KEY_UNLISTED, path, id, "", ""));
    return found ? found->num : 0;
}

static bool read_line(lint_baseline *out, const char *line, size_t size)
{
    json_t *map = json_read(line, size);
    const json_t *list = tm_json_get(map, "findings");
    const bool fine = json_is(list, TM_JSON_ARRAY) && json_text_of(tm_json_get(map, "path"));
    for (const json_t *entry = fine ? list->first : NULL; entry; entry = entry->next) {
        const char *path = member(map, "path"), *id = member(entry, "id"), *words = member(entry, "text");
        add_key(out, key_of(KEY_KNOWN, path, id, member(entry, "address"), words), 1);
        add_key(out, key_anywhere(path, id, member(entry, "place"), words), 1);
    }
    const json_t *unlisted = tm_json_get(map, "unlisted"); /* numbers, without an address and a text */
    for (const json_t *entry = json_is(unlisted, TM_JSON_OBJECT) ? unlisted->first : NULL; entry;
         entry = entry->next)
        if (json_integer_of(entry) > 0)
            add_key(out, key_of(KEY_UNLISTED, member(map, "path"), entry->name, "", ""),
                    (uint64_t)json_integer_of(entry));
    json_free(map);
    return fine;
}

bool lint_baseline_read(lint_baseline *out, cli_tool *tool, const char *path)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    tm_error error = {.offset = -1};
    bool fine = true;
    *out = (lint_baseline){.there = true};
    if (read_path(&bytes, &size, path, BASELINE_MAX, NULL, &error)) {
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
    sum_keys(out);
    if (!fine)
        tool_trouble(tool, path, "this is not what 'teemap lint --json' prints");
    return fine;
}

/* Marks known findings: first those at their old address, then as many others as had another address. */
void lint_baseline_mark(const lint_baseline *baseline, const char *path, lint_line *lines, size_t num)
{
    if (!baseline->there)
        return;
    uint64_t *used = must_alloc(baseline->num + 1, sizeof(*used));
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < num; i++) {
            const tm_finding *finding = lines[i].finding;
            const char *id = lint_line_name(&lines[i]);
            if (lines[i].known || !lines[i].rule)
                continue;
            const struct baseline_key *found =
                find_key(baseline, key_anywhere(path, id, finding->place, finding->text));
            uint64_t *uses = found ? &used[found - baseline->keys] : NULL;
            if (round == 0)
                lines[i].known =
                    find_key(baseline, key_of(KEY_KNOWN, path, id, finding->address, finding->text));
            else
                lines[i].known = uses && *uses < found->num;
            if (uses)
                *uses += lines[i].known;
        }
    }
    free(used);
}

void lint_baseline_release(lint_baseline *baseline)
{
    for (size_t i = 0; i < baseline->num; i++)
        free(baseline->keys[i].key);
    free(baseline->keys);
    *baseline = (lint_baseline){0};
}
