/* SPDX-License-Identifier: Zlib */
/* Reads the commands of settings, and the numbers of switches and tuning zones that they name. */
#include "query.h"

static const struct {
    const char *command;
    tm_tile_number pool;
} numbered[] = {{"switch_open", TM_NUMBER_SWITCH},
                {"tune_zone", TM_NUMBER_ZONE},
                {"tune_zone_enter", TM_NUMBER_ZONE},
                {"tune_zone_leave", TM_NUMBER_ZONE},
                {"tune_zone_reset", TM_NUMBER_ZONE}};

/* ----------------------------------------------------------------------------------------------- commands */

static bool is_gap(char c)
{
    return c == ' ' || c == '\t';
}

static bool ends_command(char c, bool inside)
{
    return !c || (!inside && (c == ';' || c == '#'));
}

/*
 * Reads one word; *text moves behind it. Quotes around it are left out; others do not keep it together, but
 * *inside of them nothing ends the command.
 */
static void take_command_word(char *word, const char **text, bool *inside)
{
    const char *c = *text;
    const bool quoted = *c == '"';
    size_t size = 0;
    for (c += quoted; quoted ? *c && *c != '"' : !is_gap(*c) && !ends_command(*c, *inside); c++) {
        *inside ^= *c == '"';
        if (quoted && *c == '\\' && c[1])
            c++;
        if (size + 1 < TMI_COMMAND_WORD_SIZE)
            word[size++] = *c;
    }
    word[size] = '\0';
    *text = c + (quoted && *c == '"');
}

bool tmi_command_next(tmi_command *out, const char **text)
{
    const char *c = *text;
    bool inside = false;
    for (out->num = 0;; out->num++) {
        char other[TMI_COMMAND_WORD_SIZE];
        const bool kept = out->num < TMI_COMMAND_WORDS;
        while (is_gap(*c) || (!out->num && *c == ';'))
            c++;
        if (ends_command(*c, inside))
            break;
        if (kept)
            out->at[out->num] = c;
        take_command_word(kept ? out->words[out->num] : other, &c, &inside);
    }
    *text = *c == ';' ? c + 1 : c + strlen(c);
    return out->num > 0;
}

/* ------------------------------------------------------------------------------------------------ numbers */

bool tmi_setting_next(tmi_setting_number *out, const char *text, size_t *from)
{
    const char *rest = text + *from;
    tmi_command at;
    bool found = false;
    while (!found && tmi_command_next(&at, &rest)) {
        size_t i = 0;
        while (i < TMI_COUNT_OF(numbered) && !tmi_game_same_setting(at.words[0], numbered[i].command))
            i++;
        if (i == TMI_COUNT_OF(numbered) || at.num < 2)
            continue;
        const char *begin = at.at[1] + (*at.at[1] == '"'), *end = begin;
        const bool is_number = tmi_take_digits(&out->number, &end);
        out->pool = numbered[i].pool;
        out->at = (size_t)(begin - text);
        out->size = (size_t)(end - begin);
        found = is_number && (!*end || strchr(" \t;#\"", *end));
    }
    *from = (size_t)(rest - text);
    return found;
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
