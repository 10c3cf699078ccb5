/* SPDX-License-Identifier: Zlib */
/*
 * Maps of mods: those of servers that read more from a map than the games do. What such a mod's own tiles,
 * settings and groups mean is not known here, so rules that judge by what the games know (their rows say so)
 * are notes in its maps, and one note says for which mod the map seems to be.
 */
#include "lint.h"

#include <teemap/settings.h>

enum { MOST_NAMES = 24, MOST_RANGES = 8 };

/* What tells a mod: any of its settings, of its groups, or `least` of its indices of tiles. */
typedef struct mod_row {
    const char *title;
    const char *settings[MOST_NAMES]; /* such as no game has */
    const char *group;                /* how the names of its groups begin; NULL: it has none */
    uint8_t ranges[MOST_RANGES]
                  [2]; /* indices that no game knows there, or knows in other layers; with ends */
    uint32_t least;    /* of different indices; 0: tiles do not tell */
    bool no_race;      /* its maps have neither start nor finish, nor layers of DDNet */
} mod_row;

/* Sources: F-DDrace's mapitems.h, DDNet++'s mapitems_ddpp.h and README, DDNet's editor on tiles of fng,
   Infclass's server on its zones. */
static const mod_row mods[] = {
    {.title = "DDNet++ or F-DDrace",
     .settings = {"sv_bankstate", "sv_jailstate", "sv_roomstate", "sv_pvp_arena_state", "sv_chidraqul",
                  "sv_cfg_tile_1", "sv_cfg_tile_2", "sv_allow_minigame", "sv_adventure_bots"},
     .ranges = {{114, 115}, {119, 119}, {121, 127}, {130, 135}, {144, 155}, {160, 189}},
     .least = 2},
    {.title = "Infclass or another mod with zones and entities in groups", .group = "#"},
    {.title = "fng", .ranges = {{7, 8}, {10, 10}, {14, 15}}, .least = 3, .no_race = true},
};

/* ------------------------------------------------------------------------------------------ what tells */

static const char *mods_setting(const tmi_lint *lint, const mod_row *mod)
{
    for (size_t i = 0; i < MOST_NAMES && mod->settings[i]; i++)
        if (tmi_lint_has_setting(lint->map, mod->settings[i]))
            return mod->settings[i];
    return NULL;
}

static const char *mods_group(const tmi_lint *lint, const mod_row *mod)
{
    for (uint32_t i = 0; mod->group && i < lint->map->num_groups; i++)
        if (strncmp(lint->map->groups[i].name, mod->group, strlen(mod->group)) == 0)
            return lint->map->groups[i].name;
    return NULL;
}

static bool is_raced(const tmi_lint *lint)
{
    return tmi_lint_num_played(lint, TM_TILE_START) || tmi_lint_num_played(lint, TM_TILE_FINISH) ||
           lint->layers[TM_LAYER_TELE].layer || lint->layers[TM_LAYER_SPEEDUP].layer;
}

static bool is_own_tile(const tmi_lint *lint, uint8_t index)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_FRONT};
    for (size_t k = 0; k < TMI_COUNT_OF(kinds); k++)
        if (tmi_lint_num_tiles(lint, kinds[k], index) && !tm_rules_tile(TM_GAME_DDNET, kinds[k], index))
            return true;
    return false;
}

static uint32_t num_own_tiles(const tmi_lint *lint, const mod_row *mod)
{
    uint32_t num = 0;
    for (size_t i = 0; i < MOST_RANGES && mod->ranges[i][0]; i++)
        for (uint32_t index = mod->ranges[i][0]; index <= mod->ranges[i][1]; index++)
            num += is_own_tile(lint, (uint8_t)index);
    return num;
}

/* Why the map is one of the mod, into `why`; false: it is not. */
static bool is_for_mod(const tmi_lint *lint, const mod_row *mod, char *why, size_t size)
{
    const char *name = mods_setting(lint, mod);
    const uint32_t num = mod->no_race && is_raced(lint) ? 0 : num_own_tiles(lint, mod);
    const char *group = mods_group(lint, mod);
    if (name)
        tmi_format(why, size, "it has the setting '%s'", name);
    else if (group)
        tmi_format(why, size, "it has the group '%s'", group);
    else if (mod->least && num >= mod->least)
        tmi_format(why, size, "it has %u of its own kinds of tiles", (unsigned)num);
    else
        return false;
    return true;
}

/* ---------------------------------------------------------------------------------------------- effect */

void tmi_lint_find_mod(tmi_lint *lint)
{
    for (size_t i = 0; i < TMI_COUNT_OF(mods) && !lint->mod; i++)
        if (is_for_mod(lint, &mods[i], lint->mod_why, sizeof(lint->mod_why)))
            lint->mod = mods[i].title;
    for (uint32_t rule = 0; lint->mod && rule < lint->num_rules; rule++)
        if (lint->rules[rule].row->by_games)
            tmi_lint_make_note(lint, rule);
}

void tmi_lint_make_note(tmi_lint *lint, uint32_t rule)
{
    if (!lint->rules[rule].chosen)
        lint->rules[rule].severity = TM_SEVERITY_NOTE;
}

static void map_of_mod(tmi_lint *lint, uint32_t rule)
{
    if (lint->mod)
        tmi_lint_note_add(
            lint, rule, (tm_address){TM_ADDRESS_MAP, 0, 0},
            "this looks like a map of %s: %s; rules of the games' own tiles and settings are notes",
            lint->mod, lint->mod_why);
}

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         MAP_OF_MOD, TM_LINT_ALL, OBJECTS, true, "The map looks like one of a mod.",
         "Mods have settings, tiles and groups of their own, which rules do not know: rules that judge by what "
         "DDNet and Teeworlds know are notes in such a map, unless a severity is chosen for them.",
         "Nothing, if it is meant for the mod. Else take the settings, tiles or groups away that are told.",
         "DDNet++, F-DDrace, Infclass, DDNet's editor on fng"),
     .judge = map_of_mod},
};
TMI_LINT_FAMILY(tmi_lint_mods, rows);
