/* SPDX-License-Identifier: Zlib */
/*
 * The table of mods. mod_rows.h is made from the files data/mods/NAME.toml by `./run generate`.
 */
#include "games.h"

#include <teemap/mods.h>

#include "mod_rows.h"

const tm_mod *tm_mod_at(uint32_t n)
{
    return n < TMI_COUNT_OF(mods) ? &mods[n] : NULL;
}

const tm_mod *tm_mod_by_name(const char *name)
{
    for (size_t i = 0; name && i < TMI_COUNT_OF(mods); i++) {
        bool found = tmi_game_same_setting(name, mods[i].name);
        for (uint32_t n = 0; n < mods[i].num_aliases; n++)
            found |= tmi_game_same_setting(name, mods[i].aliases[n]);
        if (found)
            return &mods[i];
    }
    return NULL;
}

const char *tm_mod_rules_name(tm_mod_rules rules)
{
    static const char *const names[] = {"all", "notes", "tile-notes", "none"};
    return (size_t)rules < TMI_COUNT_OF(names) ? names[rules] : NULL;
}

const tm_tile_info *tm_mod_tile(const tm_mod *mod, tm_game game, tm_layer_kind kind, uint8_t index)
{
    if (!mod)
        return tm_game_tile(game, kind, index);
    for (uint32_t i = 0; i < mod->num_tiles && (size_t)kind < TM_LAYER_KINDS; i++)
        if (mod->tiles[i].index == index && mod->tiles[i].layers[kind])
            return &mod->tiles[i];
    return mod->base == TM_NONE
               ? NULL
               : tm_game_tile(mod->base == TM_GAME_COUNT ? game : (tm_game)mod->base, kind, index);
}

const tm_setting_info *tm_mod_setting(const tm_mod *mod, const char *name)
{
    for (uint32_t i = 0; mod && name && i < mod->num_settings; i++) {
        const char *row = mod->settings[i].name, *text = name;
        while (*row && *row != '*' && tmi_fold_case(*text) == *row) {
            row++;
            text++;
        }
        if (*row == '*' || (!*row && !*text))
            return &mod->settings[i];
    }
    return NULL;
}

bool tmi_game_is_setting_elsewhere(const char *name)
{
    for (size_t i = 0; i < TMI_COUNT_OF(mods); i++)
        if (mods[i].num_settings && mods[i].rules == TM_MOD_RULES_ALL && tm_mod_setting(&mods[i], name))
            return true;
    return false;
}
