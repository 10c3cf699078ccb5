/* SPDX-License-Identifier: Zlib */
/* Finds the numbers of switches and tuning zones that settings name. */
#include "query.h"

static const struct {
    const char *command;
    tm_tile_number pool;
} numbered[] = {{"switch_open", TM_NUMBER_SWITCH},
                {"tune_zone", TM_NUMBER_ZONE},
                {"tune_zone_enter", TM_NUMBER_ZONE},
                {"tune_zone_leave", TM_NUMBER_ZONE},
                {"tune_zone_reset", TM_NUMBER_ZONE}};

/* Commands compare without case, as in the game. */
static bool same_command(const char *text, size_t size, const char *command)
{
    for (size_t i = 0; i < size; i++)
        if (tmi_fold_case(text[i]) != command[i])
            return false;
    return !command[size];
}

static size_t skip_blanks(const char *text, size_t at)
{
    while (text[at] == ' ' || text[at] == '\t')
        at++;
    return at;
}

/* The offset where the command at `at` ends: at a semicolon outside of quotes, or at the end of the text. */
static size_t command_end(const char *text, size_t at)
{
    bool quoted = false;
    for (; text[at] && (quoted || text[at] != ';'); at++)
        if (text[at] == '"')
            quoted = !quoted;
        else if (quoted && text[at] == '\\' && text[at + 1])
            at++;
    return at;
}

/* Reads the number that the command at `at` names; false: the command names none. */
static bool read_command(tmi_setting_number *out, const char *text, size_t at)
{
    const size_t from = skip_blanks(text, at), size = strcspn(text + from, " \t;");
    for (size_t i = 0; i < TMI_COUNT_OF(numbered); i++) {
        if (!same_command(text + from, size, numbered[i].command))
            continue;
        out->pool = numbered[i].pool;
        out->at = skip_blanks(text, from + size);
        const char *digits = text + out->at, *end = digits;
        const bool is_number = tmi_take_digits(&out->number, &end);
        out->size = (size_t)(end - digits);
        return is_number && (!*end || strchr(" \t;", *end));
    }
    return false;
}

bool tmi_setting_next(tmi_setting_number *out, const char *text, size_t *from)
{
    size_t at = *from;
    while (text[at]) {
        const bool found = read_command(out, text, at);
        at = command_end(text, at);
        at += text[at] == ';';
        *from = at;
        if (found)
            return true;
    }
    return false;
}

bool tmi_settings_numbers(bool named[][TMI_NUMBERS], const tm_map *map, const char *pattern)
{
    bool any = false;
    for (uint32_t i = 0; i < map->info.num_settings; i++) {
        const char *text = map->info.settings[i];
        tmi_setting_number found;
        size_t from = 0;
        if (!text || (pattern && !tmi_text_fits(pattern, text)))
            continue;
        any = true;
        while (tmi_setting_next(&found, text, &from))
            if (found.number < TMI_NUMBERS)
                named[found.pool][found.number] = true;
    }
    return any;
}
