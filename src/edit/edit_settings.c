/* SPDX-License-Identifier: Zlib */
/* Operations on the map's server commands: each makes the new list of texts and sets it as a whole. */
#include "edit_other_map.h"

static const tm_address settings_address = {TM_KIND_SETTINGS, 0, 0};

/* A list of borrowed texts. */
typedef struct command_list {
    const char **texts;
    uint32_t num;
} command_list;

static const char *setting_at(const tm_map *map, uint32_t i)
{
    return map->info.settings[i] ? map->info.settings[i] : "";
}

/* The settings of the map. */
static tm_status list_copy(command_list *out, const tmi_edit *edit, tm_error *error)
{
    out->num = 0;
    TM_TRY(tmi_unread_refuse_settings(edit->map, error));
    TM_TRY(tmi_reserve(&out->texts, edit->scratch, edit->map->info.num_settings, sizeof(*out->texts),
                       "settings", error));
    for (; out->num < edit->map->info.num_settings; out->num++)
        out->texts[out->num] = setting_at(edit->map, out->num);
    return TM_OK;
}

tm_status tmi_settings_append(uint64_t *count, tm_map *map, const char *text, tm_error *error)
{
    for (uint32_t i = 0; i < map->info.num_settings; i++)
        if (strcmp(setting_at(map, i), text) == 0)
            return TM_OK;
    ++*count;
    return tm_map_insert_setting(map, map->info.num_settings, text, error);
}

static void report_commands(tmi_edit *edit, uint64_t count, const char *done)
{
    if (count)
        tmi_edit_changed(edit, settings_address, count, "%llu %s", (unsigned long long)count, done);
}

/* Reads the first command of a text. False: servers know no command of its name. */
static bool parse_known_command(tmi_command *out, const char *text)
{
    return tmi_command_next(out, &text) && tmi_game_setting(out->words[0]);
}

/* The texts from one on, up to the next command that servers know, as one text. */
static void join_texts(char *out, size_t size, const tmi_edit *edit, uint32_t first)
{
    tmi_command command;
    tmi_format(out, size, "%s", edit->values[first].text);
    for (uint32_t i = first + 1; i < edit->num_values && !parse_known_command(&command, edit->values[i].text);
         i++) {
        const size_t length = strlen(out);
        tmi_format(out + length, size - length, " %s", edit->values[i].text);
    }
}

/*
 * Refuses a command whose arguments stand in texts of their own, as in `settings add sv_deepfly 0`: each text
 * is a whole command, so this would add the commands "sv_deepfly" and "0".
 */
static tm_status check_whole_commands(const tmi_edit *edit, tm_error *error)
{
    for (uint32_t i = 1; i < edit->num_values; i++) {
        const char *text = edit->values[i - 1].text, *next = edit->values[i].text;
        tmi_command command, other;
        const bool is_number = *next && !next[strspn(next, "+-.0123456789")],
                   lacks_arguments = parse_known_command(&command, text) && command.num == 1;
        if (is_number || (lacks_arguments && !parse_known_command(&other, next))) {
            char whole[100];
            join_texts(whole, sizeof(whole), edit, i - 1);
            return tmi_fail(
                error, TM_ERROR_USAGE, -1,
                "'%.60s' and '%.60s' are two commands; a command with its arguments is one text: '%s'", text,
                next, whole);
        }
    }
    return TM_OK;
}

tm_status tmi_settings_add(tmi_edit *edit, tm_error *error)
{
    uint64_t count = 0;
    TM_TRY(check_whole_commands(edit, error));
    for (uint32_t i = 0; i < edit->num_values; i++)
        TM_TRY(tmi_settings_append(&count, edit->map, edit->values[i].text, error));
    report_commands(edit, count, "added");
    return TM_OK;
}

/* Sets the list as the map's settings, unless `count`, the number of changed commands, is 0. */
static tm_status list_apply(tmi_edit *edit, const command_list *list, uint64_t count, const char *done,
                            tm_error *error)
{
    if (count)
        TM_TRY(tm_map_set_settings(edit->map, list->texts, list->num, error));
    report_commands(edit, count, done);
    return TM_OK;
}

static int by_bytes(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

static bool list_has(const command_list *sorted, const char *text)
{
    return bsearch(&text, sorted->texts, sorted->num, sizeof(*sorted->texts), by_bytes);
}

/* Texts without * are looked up: lint removes 10,000 unknown commands at once. */
tm_status tmi_settings_remove(tmi_edit *edit, tm_error *error)
{
    const uint32_t num = edit->map->info.num_settings;
    command_list list, sorted, plain = {NULL, 0}, patterns = {NULL, 0};
    TM_TRY(
        tmi_reserve(&plain.texts, edit->scratch, edit->num_values, sizeof(*plain.texts), "patterns", error));
    TM_TRY(tmi_reserve(&patterns.texts, edit->scratch, edit->num_values, sizeof(*patterns.texts), "patterns",
                       error));
    for (uint32_t i = 0; i < edit->num_values; i++) {
        command_list *words = strchr(edit->values[i].text, '*') ? &patterns : &plain;
        words->texts[words->num++] = edit->values[i].text;
    }
    TM_TRY(list_copy(&list, edit, error));
    TM_TRY(list_copy(&sorted, edit, error));
    list.num = 0;
    qsort(plain.texts, plain.num, sizeof(*plain.texts), by_bytes);
    qsort(sorted.texts, sorted.num, sizeof(*sorted.texts), by_bytes);
    for (uint32_t i = 0; i < num; i++) {
        const char *text = list.texts[i];
        bool goes = list_has(&plain, text);
        for (uint32_t k = 0; k < patterns.num && !goes; k++)
            goes = tmi_text_fits(patterns.texts[k], text);
        if (!goes)
            list.texts[list.num++] = text;
    }
    for (uint32_t i = 0; i < edit->num_values; i++) {
        const char *text = edit->values[i].text;
        bool used = list_has(&sorted, text);
        for (uint32_t k = 0; strchr(text, '*') && k < num && !used; k++)
            used = tmi_text_fits(text, sorted.texts[k]);
        if (!used)
            tmi_edit_report(edit, TM_FINDING_NO_MATCH, settings_address, "no command fits '%.100s'", text);
    }
    return list_apply(edit, &list, num - list.num, "removed", error);
}

tm_status tmi_settings_replace(tmi_edit *edit, tm_error *error)
{
    command_list list;
    uint64_t count = 0;
    bool any = false;
    const char *pattern = edit->values[0].text, *text = edit->values[1].text;
    TM_TRY(list_copy(&list, edit, error));
    for (uint32_t i = 0; i < list.num; i++) {
        if (!tmi_text_fits(pattern, list.texts[i]))
            continue;
        any = true;
        count += strcmp(list.texts[i], text) != 0;
        list.texts[i] = text;
    }
    if (!any)
        tmi_edit_report(edit, TM_FINDING_NO_MATCH, settings_address, "no command fits '%.100s'", pattern);
    return list_apply(edit, &list, count, "replaced", error);
}

tm_status tmi_settings_sort(tmi_edit *edit, tm_error *error)
{
    command_list list;
    uint64_t count = 0;
    TM_TRY(list_copy(&list, edit, error));
    qsort(list.texts, list.num, sizeof(*list.texts), by_bytes);
    for (uint32_t i = 0; i < list.num; i++)
        count += strcmp(list.texts[i], setting_at(edit->map, i)) != 0;
    return list_apply(edit, &list, count, "moved", error);
}

tm_status tmi_settings_clear(tmi_edit *edit, tm_error *error)
{
    const command_list empty = {NULL, 0};
    TM_TRY(tmi_unread_refuse_settings(edit->map, error));
    return list_apply(edit, &empty, edit->map->info.num_settings, "removed", error);
}

static bool add_line(void *ctx, char *line, uint32_t number)
{
    command_list *list = ctx;
    list->texts[number - 1] = line;
    list->num = number;
    return true;
}

/* Replaces all commands by the lines of a text, or appends new ones. */
tm_status tmi_settings_from(tmi_edit *edit, tm_error *error)
{
    const uint32_t before = edit->map->info.num_settings;
    command_list lines = {NULL, 0};
    uint64_t count = 0;
    uint8_t *bytes;
    size_t size;
    TM_TRY(tmi_unread_refuse_settings(edit->map, error));
    TM_TRY(tmi_edit_read(&bytes, &size, edit, edit->values[0].text, error));
    char *text = tmi_strndup(edit->scratch, (const char *)bytes, size);
    if (!text)
        return tmi_fail_memory(error, (uint64_t)size + 1, "text");
    if (memchr(text, 0, size))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' contains a zero byte: not a text",
                        edit->values[0].text);
    TM_TRY(tmi_reserve(&lines.texts, edit->scratch, tmi_count_lines(text, size), sizeof(*lines.texts),
                       "lines", error));
    tmi_each_line(text, size, add_line, &lines);
    if (edit->num_values > 1 && edit->values[1].number == 1) {
        for (uint32_t i = 0; i < lines.num; i++)
            TM_TRY(tmi_settings_append(&count, edit->map, lines.texts[i], error));
        report_commands(edit, count, "added");
        return TM_OK;
    }
    count = before > lines.num ? before - lines.num : lines.num - before;
    for (uint32_t i = 0; i < lines.num && i < before; i++)
        count += strcmp(lines.texts[i], setting_at(edit->map, i)) != 0;
    return list_apply(edit, &lines, count, "changed", error);
}
