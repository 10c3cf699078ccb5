/* SPDX-License-Identifier: Zlib */
/*
 * Recognizes maps of mods, whose servers read more from a map than the games do, or something else. If the
 * tiles of a mod have other meanings, its type is guessed, and no rule of tiles runs. DDNet++ and similar
 * mods add to DDNet's tiles and settings: in their maps, rules that judge by what the games know (their rows
 * say so) are notes, as in maps with several settings that nobody knows, or whose doors and lasers are not
 * DDNet's. If most kinds of unknown tiles are not theirs either, or freeze is another tile, all rules of
 * tiles are notes.
 */
#include "lint.h"

#include <teemap/settings.h>

/* STRANGE: kinds of tiles that neither a game nor DDNet++ knows. */
enum { MAX_NAMES = 10, MAX_RANGES = 8, STRANGE = 8 };

/* How a mod is recognized: any of its groups, lines or images, or `least` of its tile indices. */
typedef struct mod_row {
    uint32_t set;
    const char *title;
    const char *groups[MAX_NAMES]; /* names */
    const char *lines[MAX_NAMES];  /* how settings begin */
    const char *images[MAX_NAMES]; /* external ones that only this mod ships */
    uint8_t ranges[MAX_RANGES][2]; /* indices of the game layer, with ends */
    uint32_t least;                /* of different indices; 0: tiles do not tell */
    uint8_t absent[MAX_RANGES][2]; /* of these there are none */
    bool no_race;                  /* no layers of teleporters and speedups either */
} mod_row;

/*
 * Sources: maps and mapitems.h of each mod. Ninslash has slopes of floors and roofs from 4 to 7, fng spikes
 * of six colors. MRPG spawns at 208, which is a turning laser to DDNet, but has none of the lasers and
 * lengths around it.
 */
static const mod_row mods[] = {
    {.set = TM_LINT_INFCLASS, .title = "Infclass", .groups = {"#Zones", "#Entities"}},
    {.set = TM_LINT_NINSLASH,
     .title = "Ninslash",
     .images = {"metal_main", "factory_background", "factory_main", "lab_background", "lab_main",
                "lab2_background", "lab2_main"},
     .ranges = {{4, 7}},
     .least = 4,
     .absent = {{TM_TILE_START, TM_TILE_FINISH}},
     .no_race = true},
    {.set = TM_LINT_FNG,
     .title = "fng",
     .ranges = {{7, 10}, {14, 15}},
     .least = 3,
     .absent = {{TM_TILE_START, TM_TILE_FINISH}},
     .no_race = true},
    {.set = TM_LINT_MRPG,
     .title = "MRPG",
     .lines = {"#zone ", "#node_plant ", "#node_ore ", "#node_fish ", "#action_zone "},
     .ranges = {{TM_TILE_LASER_NORMAL_CW, TM_TILE_LASER_NORMAL_CW}},
     .least = 1,
     .absent = {{TM_TILE_LASER_FAST_CCW, TM_TILE_LASER_SLOW_CW},
                {TM_TILE_LASER_MEDIUM, TM_TILE_LASER_LONG},
                {TM_TILE_FINISH, TM_TILE_FINISH}}},
};

/* ------------------------------------------------------------------------------------------ what tells */

/* Finds the name of a group, a setting or an image of the map that shows the mod; NULL: there is none. */
static const char *find_mods_name(const char **words, const tm_map *map, const mod_row *mod)
{
    *words = "it has the group '%s'";
    for (size_t i = 0; i < MAX_NAMES && mod->groups[i]; i++)
        if (tmi_find_named(map, TM_ADDRESS_GROUP, mod->groups[i], UINT32_MAX) != UINT32_MAX)
            return mod->groups[i];
    *words = "it has settings that begin with '%s'";
    for (size_t i = 0; i < MAX_NAMES && mod->lines[i]; i++)
        for (uint32_t k = 0; k < map->info.num_settings; k++)
            if (map->info.settings[k] &&
                strncmp(map->info.settings[k], mod->lines[i], strlen(mod->lines[i])) == 0)
                return mod->lines[i];
    *words = "it has the image '%s'";
    for (size_t i = 0; i < MAX_NAMES && mod->images[i]; i++)
        for (uint32_t k = 0; k < map->num_images; k++)
            if (map->images[k].external && tmi_same_text(map->images[k].name, mod->images[i]))
                return mod->images[i];
    return NULL;
}

static uint32_t num_kinds(const bool *has, const uint8_t ranges[MAX_RANGES][2])
{
    uint32_t num = 0;
    for (size_t i = 0; i < MAX_RANGES && ranges[i][0]; i++)
        for (uint32_t index = ranges[i][0]; index <= ranges[i][1]; index++)
            num += has[index];
    return num;
}

uint32_t tmi_lint_mod_set(tmi_lint_mod *mod, const tm_map *map, const bool has[TM_TILE_INDICES])
{
    const bool race = tm_map_physics_layer(NULL, NULL, map, TM_LAYER_TELE) ||
                      tm_map_physics_layer(NULL, NULL, map, TM_LAYER_SPEEDUP);
    mod->title = NULL;
    for (const mod_row *row = mods; row < mods + TMI_COUNT_OF(mods); row++) {
        const char *words, *name = find_mods_name(&words, map, row);
        const bool has_tiles = row->least && num_kinds(has, row->ranges) >= row->least &&
                               !num_kinds(has, row->absent) && !(row->no_race && race);
        if (!name && !has_tiles)
            continue;
        tmi_format(mod->why, sizeof(mod->why), name ? words : "it has its kinds of tiles", name);
        mod->title = row->title;
        return row->set;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------ DDNet++ and its kin */

static const char ddnet_pp[] = "DDNet++ or F-DDrace", t_race[] = "T-Race", block_worlds[] = "BlockWorlds",
                  unknown[] = "a mod that lint does not know";

/* Sources: F-DDrace's mapitems.h, DDNet++'s mapitems_ddpp.h and README; maps of T-Race. */
static const struct {
    const char *name, *title;
} own_settings[] = {
    {"sv_bankstate", ddnet_pp},       {"sv_jailstate", ddnet_pp},       {"sv_roomstate", ddnet_pp},
    {"sv_pvp_arena_state", ddnet_pp}, {"sv_chidraqul", ddnet_pp},       {"sv_cfg_tile_1", ddnet_pp},
    {"sv_cfg_tile_2", ddnet_pp},      {"sv_allow_minigame", ddnet_pp},  {"sv_adventure_bots", ddnet_pp},
    {"sv_money_bank_mode", ddnet_pp}, {"sv_money_farm_team", ddnet_pp}, {"sv_police_farm_limit", ddnet_pp},
    {"sv_gametype", t_race},          {"sv_reserved_time", t_race}};
static const uint8_t extended_ranges[MAX_RANGES][2] = {{114, 115}, {119, 119}, {121, 127},
                                                       {130, 135}, {144, 155}, {160, 189}};

/*
 * Whether the map has doors or turning lasers, but hardly any has a length, and no lines of a race show that
 * they are DDNet's: to xPanic these indices are other doors and lasers, to reinfect weapons.
 */
static bool has_own_lasers(const tmi_lint *lint)
{
    uint64_t num = 0, lacking = 0;
    for (uint32_t rule = 0; rule < lint->num_rules; rule++) {
        const tmi_lint_row *row = lint->rules[rule].row;
        if (row->about.id != TM_FINDING_DOOR_WITHOUT_LENGTH &&
            row->about.id != TM_FINDING_LASER_WITHOUT_LENGTH)
            continue;
        for (uint32_t index = row->first; index <= row->last; index++)
            num += tmi_lint_num_played(lint, (uint8_t)index);
        for (const tmi_lint_note *note = lint->rules[rule].notes; note; note = note->next)
            lacking += note->count;
    }
    return num && lacking * 10 >= num * 9 &&
           !(tmi_lint_has_line(lint, TM_TILE_START) && tmi_lint_has_line(lint, TM_TILE_FINISH));
}

static void find_extended(tmi_lint *lint)
{
    static const uint8_t all[MAX_RANGES][2] = {{1, TM_TILE_INDICES - 1}};
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_FRONT};
    tmi_lint_mod *mod = &lint->mod;
    bool has[TM_TILE_INDICES] = {false};
    const uint64_t no_laser = tmi_lint_num_played(lint, TM_TILE_NO_LASER);
    for (size_t k = 0; k < TMI_COUNT_OF(kinds); k++)
        for (uint32_t index = 1; index < TM_TILE_INDICES; index++)
            has[index] |= tmi_lint_num_tiles(lint, kinds[k], (uint8_t)index) &&
                          !tm_game_tile(TM_GAME_DDNET, kinds[k], (uint8_t)index);
    const uint32_t num = num_kinds(has, extended_ranges), others = num_kinds(has, all) - num;
    mod->has_own = num + others;
    for (int kind = 0; kind < TMI_LINT_KINDS; kind++)
        mod->has_own |= lint->layers[kind].layer && !lint->layers[kind].has_tiles;
    mod->is_strange = others > num && others >= STRANGE;
    if (mod->is_strange) {
        tmi_format(mod->why, sizeof(mod->why), "no game knows %u of its kinds of tiles", (unsigned)others);
        mod->title = unknown;
    } else if (num >= 2) {
        tmi_format(mod->why, sizeof(mod->why), "it has %u of its own kinds of tiles", (unsigned)num);
        mod->title = ddnet_pp;
    } else if (no_laser > 1000 && no_laser > tmi_lint_num_played(lint, TM_TILE_FREEZE)) {
        /* BlockWorlds freezes with the tile that only stops lasers in DDNet: its maps have it in masses */
        tmi_format(mod->why, sizeof(mod->why), "it has more tiles 'no-laser' than freeze");
        mod->title = block_worlds;
        mod->is_strange = true;
    } else if (has_own_lasers(lint)) {
        tmi_format(mod->why, sizeof(mod->why), "its doors and turning lasers have no lengths");
        mod->title = unknown;
    }
    for (size_t i = 0; i < TMI_COUNT_OF(own_settings); i++) {
        if (!tmi_lint_has_setting(lint->map, own_settings[i].name))
            continue;
        tmi_format(mod->why, sizeof(mod->why), "it has the setting '%s'", own_settings[i].name);
        mod->title = own_settings[i].title;
        return;
    }
    if (!mod->title && tmi_lint_has_odd_settings(lint->map)) {
        tmi_format(mod->why, sizeof(mod->why), "no game knows several of its settings");
        mod->title = unknown;
    }
}

void tmi_lint_find_mod(tmi_lint *lint)
{
    if (!lint->mod.title)
        find_extended(lint);
    for (uint32_t rule = 0; lint->mod.title && lint->guessed && rule < lint->num_rules; rule++)
        if (lint->rules[rule].row->by_games || lint->rules[rule].row->ways ||
            (lint->mod.is_strange && lint->rules[rule].row->about.cost == TM_LINT_PHYSICS))
            tmi_lint_lower_to_note(lint, rule);
}

void tmi_lint_lower_to_note(tmi_lint *lint, uint32_t rule)
{
    if (!lint->rules[rule].chosen)
        lint->rules[rule].severity = TM_SEVERITY_NOTE;
}

static void map_of_mod(tmi_lint *lint, uint32_t rule)
{
    const char *effect = !lint->guessed ? ""
                         : lint->sets & TM_LINT_MODS
                             ? "; rules of the games' tiles are not asked unless --rules names a set"
                         : lint->mod.is_strange ? "; rules of tiles and settings are notes"
                                                : "; rules of the games' own tiles and settings are notes";
    if (lint->mod.title)
        tmi_lint_note_add(lint, rule, (tm_address){TM_ADDRESS_MAP, 0, 0}, "this looks like a map of %s: %s%s",
                          lint->mod.title, lint->mod.why, effect);
}

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         MAP_OF_MOD, TM_LINT_ALL, OBJECTS, true, "The map seems to be made for a mod.",
         "Mods have their own settings, tiles and groups. If their tiles have other meanings, rules for tiles are "
         "skipped; otherwise, rules about what DDNet and Teeworlds know are notes, unless you set their severity. "
         "This does not apply if you choose sets.",
         "Nothing, if it is made for the mod. Otherwise remove the reported settings, tiles, images or groups.",
         "DDNet++, F-DDrace, BlockWorlds, Infclass, MRPG, Ninslash, T-Race, xPanic, DDNet's editor on fng"),
     .judge = map_of_mod},
};
TMI_LINT_FAMILY(tmi_lint_mods, rows);
