/* SPDX-License-Identifier: Zlib */
/*
 * Server commands in the map: a list of texts. Each operation makes the new list and sets it as a whole.
 */
#include "edit_other_map.h"

static const tm_address settings_address = {TM_ADDRESS_SETTINGS, 0, 0};

/* A list of borrowed texts with room for some more than the map has. */
typedef struct command_list {
    const char **texts;
    uint32_t num;
} command_list;

static tm_status list_open(command_list *out, const tmi_edit *edit, uint32_t more, tm_error *error)
{
    out->num = 0;
    return tmi_reserve(&out->texts, edit->scratch, (size_t)edit->map->info.num_settings + more,
                       sizeof(*out->texts), "settings", error);
}

/* Sets the list. The report's text is about `count` commands. */
static tm_status list_apply(tmi_edit *edit, const command_list *list, uint64_t count, const char *what,
                            tm_error *error)
{
    if (!count)
        return TM_OK;
    TM_TRY(tm_map_set_settings(edit->map, list->texts, list->num, error));
    tmi_edit_changed(edit, settings_address, count, "%llu %s", (unsigned long long)count, what);
    return TM_OK;
}

static const char *setting_at(const tm_map *map, uint32_t i)
{
    return map->info.settings[i] ? map->info.settings[i] : "";
}

static void list_all(command_list *list, const tm_map *map)
{
    for (uint32_t i = 0; i < map->info.num_settings; i++)
        list->texts[list->num++] = setting_at(map, i);
}

/* Adds a text that the list does not have yet. */
static void list_add(command_list *list, const char *text)
{
    for (uint32_t i = 0; i < list->num; i++)
        if (strcmp(list->texts[i], text) == 0)
            return;
    list->texts[list->num++] = text;
}

static tm_status list_apply_added(tmi_edit *edit, const command_list *list, tm_error *error)
{
    return list_apply(edit, list, list->num - edit->map->info.num_settings, "added", error);
}

tm_status tmi_settings_add(tmi_edit *edit, tm_error *error)
{
    command_list list;
    TM_TRY(list_open(&list, edit, edit->num_values, error));
    list_all(&list, edit->map);
    for (uint32_t i = 0; i < edit->num_values; i++)
        list_add(&list, edit->values[i].text);
    return list_apply_added(edit, &list, error);
}

tm_status tmi_settings_append(bool *added, tm_map *map, const char *text, tm_error *error)
{
    *added = false;
    for (uint32_t i = 0; i < map->info.num_settings; i++)
        if (strcmp(setting_at(map, i), text) == 0)
            return TM_OK;
    *added = true;
    return tm_map_insert_setting(map, map->info.num_settings, text, error);
}

static void find_unused_pattern(tmi_edit *edit, const tmi_edit_value *value, uint64_t count)
{
    if (count == 0)
        tmi_edit_find(edit, TM_FINDING_NO_MATCH, settings_address, "no command fits '%.100s'", value->text);
}

static uint64_t num_fitting(const tm_map *map, const char *pattern)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < map->info.num_settings; i++)
        count += tmi_text_fits(pattern, map->info.settings[i]);
    return count;
}

static int by_bytes(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

/* Whether some value fits the text; marks those that do. */
static bool fits_any(bool *used, const tmi_edit *edit, const char *text)
{
    bool fits = false;
    for (uint32_t i = 0; i < edit->num_values; i++)
        if (tmi_text_fits(edit->values[i].text, text))
            fits = used[i] = true;
    return fits;
}

tm_status tmi_settings_remove(tmi_edit *edit, tm_error *error)
{
    const uint32_t num = edit->map->info.num_settings;
    command_list list;
    bool *used;
    TM_TRY(tmi_reserve_zeroed(&used, edit->scratch, edit->num_values, sizeof(*used), "patterns", error));
    TM_TRY(list_open(&list, edit, 0, error));
    for (uint32_t i = 0; i < num; i++)
        if (!fits_any(used, edit, setting_at(edit->map, i)))
            list.texts[list.num++] = setting_at(edit->map, i);
    for (uint32_t i = 0; i < edit->num_values; i++)
        find_unused_pattern(edit, &edit->values[i], used[i]);
    return list_apply(edit, &list, num - list.num, "removed", error);
}

tm_status tmi_settings_replace(tmi_edit *edit, tm_error *error)
{
    command_list list;
    uint64_t count = 0;
    const char *text = edit->values[1].text;
    find_unused_pattern(edit, &edit->values[0], num_fitting(edit->map, edit->values[0].text));
    TM_TRY(list_open(&list, edit, 0, error));
    list_all(&list, edit->map);
    for (uint32_t i = 0; i < list.num; i++) {
        if (!tmi_text_fits(edit->values[0].text, list.texts[i]) || strcmp(list.texts[i], text) == 0)
            continue;
        list.texts[i] = text;
        count++;
    }
    return list_apply(edit, &list, count, "replaced", error);
}

tm_status tmi_settings_sort(tmi_edit *edit, tm_error *error)
{
    command_list list;
    uint64_t count = 0;
    TM_TRY(list_open(&list, edit, 0, error));
    list_all(&list, edit->map);
    qsort(list.texts, list.num, sizeof(*list.texts), by_bytes);
    for (uint32_t i = 0; i < list.num; i++)
        count += strcmp(list.texts[i], setting_at(edit->map, i)) != 0;
    return list_apply(edit, &list, count, "moved", error);
}

tm_status tmi_settings_clear(tmi_edit *edit, tm_error *error)
{
    command_list list;
    TM_TRY(list_open(&list, edit, 0, error));
    return list_apply(edit, &list, edit->map->info.num_settings, "removed", error);
}

/* ------------------------------------------------------------------------------------------ from a file */

/*
 * Cuts a text into lines, in place: each ends with a line feed or with both characters of Windows; no line
 * follows the last line end. A byte order mark at the beginning is dropped. Returns their number; `lines`
 * NULL only counts.
 */
static uint32_t cut_lines(char *text, size_t size, const char **lines)
{
    uint32_t num = 0;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    while (size) {
        char *end = memchr(text, '\n', size);
        const size_t length = end ? (size_t)(end - text) : size;
        if (lines) {
            lines[num] = text;
            text[length - (length && text[length - 1] == '\r')] = '\0';
        }
        num++;
        text += length + (end ? 1 : 0);
        size -= length + (end ? 1 : 0);
    }
    return num;
}

static tm_status list_take(command_list *list, const char *const *lines, uint32_t num, tmi_edit *edit,
                           tm_error *error)
{
    list_all(list, edit->map);
    for (uint32_t i = 0; i < num; i++)
        list_add(list, lines[i]);
    return list_apply_added(edit, list, error);
}

/* How many commands stand there now, or how many that stood there go. */
static tm_status list_replace(command_list *list, const char *const *lines, uint32_t num, tmi_edit *edit,
                              tm_error *error)
{
    const uint32_t before = edit->map->info.num_settings;
    uint64_t count = before > num ? before - num : num - before;
    for (uint32_t i = 0; i < num; i++) {
        list->texts[list->num++] = lines[i];
        count += i < before && strcmp(lines[i], setting_at(edit->map, i)) != 0;
    }
    return list_apply(edit, list, count, "changed", error);
}

/* `text` has room for a NUL behind its last byte. */
static tm_status take_text(tmi_edit *edit, char *text, size_t size, tm_error *error)
{
    const char **lines;
    command_list list;
    if (memchr(text, 0, size))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' contains a zero byte: not a text",
                        edit->values[0].text);
    const uint32_t num = cut_lines(text, size, NULL);
    TM_TRY(tmi_reserve(&lines, edit->scratch, (size_t)num + 1, sizeof(*lines), "lines", error));
    TM_TRY(list_open(&list, edit, num, error));
    cut_lines(text, size, lines);
    const bool append = edit->num_values > 1 && edit->values[1].number == 1;
    return (append ? list_take : list_replace)(&list, lines, num, edit, error);
}

tm_status tmi_settings_from(tmi_edit *edit, tm_error *error)
{
    uint8_t *bytes;
    size_t size;
    TM_TRY(tmi_edit_read(&bytes, &size, edit, edit->values[0].text, error));
    char *text = tmi_strndup(edit->scratch, (const char *)bytes, size);
    return text ? take_text(edit, text, size, error) : tmi_fail_memory(error, (uint64_t)size + 1, "text");
}
