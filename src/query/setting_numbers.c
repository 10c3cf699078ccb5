/* SPDX-License-Identifier: Zlib */
/* Reads the numbers of switches and tuning zones that settings name. */
#include "query.h"

static const struct {
    const char *command;
    tm_tile_number pool;
} numbered[] = {{"switch_open", TM_NUMBER_SWITCH},
                {"tune_zone", TM_NUMBER_ZONE},
                {"tune_zone_enter", TM_NUMBER_ZONE},
                {"tune_zone_leave", TM_NUMBER_ZONE},
                {"tune_zone_reset", TM_NUMBER_ZONE}};

bool tmi_setting_next(tmi_setting_number *out, const char *text, size_t *position)
{
    const char *rest = *position ? text + *position : tmi_command_begin(text);
    tmi_command command;
    bool found = false;
    while (!found && tmi_command_next(&command, &rest)) {
        size_t i = 0;
        while (i < TMI_COUNT_OF(numbered) && !tmi_game_same_setting(command.words[0], numbered[i].command))
            i++;
        if (i == TMI_COUNT_OF(numbered) || command.num < 2)
            continue;
        const char *begin = command.begins[1] + (*command.begins[1] == '"'), *end = begin;
        const bool is_number = tmi_take_digits(&out->number, &end);
        out->pool = numbered[i].pool;
        out->at = (size_t)(begin - text);
        out->size = (size_t)(end - begin);
        found = is_number && (!*end || strchr(" \t;#\"", *end));
    }
    *position = (size_t)(rest - text);
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
