/* SPDX-License-Identifier: Zlib */
/*
 * Maps of mods, whose servers read more from a map than the games do, or something else. The table of mods
 * (teemap/mods.h) says how they are recognized and what is asked about them: no rules of tiles, all rules of
 * tiles as notes, or only those that judge by what the games know (their rows say so) as notes. The same
 * holds in maps of mods that nobody knows: with several settings that nobody knows, with doors and lasers
 * that are not DDNet's, or with many kinds of unknown tiles.
 */
#include "lint.h"

#include <teemap/settings.h>

/* STRANGE: kinds of tiles that neither a game nor a mod of the table knows. */
enum { STRANGE = 8 };

static const char unknown[] = "a mod that lint does not know";

/* ------------------------------------------------------------------------------------------------ finding */

/* The set of a mod whose tiles have other meanings: that of its name, or TM_LINT_MOD. */
static uint32_t set_of_mod(const tm_mod *mod)
{
    uint32_t set;
    if (mod->rules != TM_MOD_RULES_NONE)
        return 0;
    return tm_lint_sets_from_text(&set, mod->name) && !(set & ~(uint32_t)TM_LINT_MODS) ? set : TM_LINT_MOD;
}

static void choose_mod(tmi_lint_mod *mod, const tm_mod *row)
{
    mod->mod = row;
    mod->title = row->title;
    mod->rules = row->rules;
}

uint32_t tmi_lint_mod_set(tmi_lint_mod *mod, const tm_map *map, const tm_grid *game)
{
    tmi_tile_counts tiles = {.counts = {{0}}};
    const tm_tile *tile = game->tiles;
    bool by_name;
    if (mod->mod) /* the caller's choice */
        return set_of_mod(mod->mod);
    for (uint64_t i = 0; tile && i < (uint64_t)game->width * game->height; i++)
        tiles.counts[TM_LAYER_GAME][tile[i].index]++;
    const tm_mod *row = tmi_map_mod(mod->why, sizeof(mod->why), &by_name, map, &tiles, true);
    if (row)
        choose_mod(mod, row);
    return row ? set_of_mod(row) : 0;
}

/*
 * Whether the map has doors or turning lasers, but hardly any has a length, and no lines of a race show that
 * they are DDNet's: to some mods these indices are other doors and lasers, or weapons.
 */
static bool has_own_lasers(const tmi_lint *lint)
{
    uint64_t num = 0, lacking = 0;
    for (uint32_t rule = 0; rule < lint->num_rules; rule++) {
        const tmi_lint_row *row = lint->rules[rule].row;
        if (row->rule.id != TM_FINDING_DOOR_WITHOUT_LENGTH && row->rule.id != TM_FINDING_LASER_WITHOUT_LENGTH)
            continue;
        for (uint32_t index = row->first; index <= row->last; index++)
            num += tmi_lint_num_played(lint, (uint8_t)index);
        for (const tmi_lint_note *note = lint->rules[rule].notes; note; note = note->next)
            lacking += note->count;
    }
    return num && lacking * 10 >= num * 9 &&
           !(tmi_lint_has_line(lint, TM_TILE_START) && tmi_lint_has_line(lint, TM_TILE_FINISH));
}

/* Recognizes mods with DDNet's tiles, those of the table or others. */
static void find_extended(tmi_lint *lint)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_FRONT};
    tmi_lint_mod *mod = &lint->mod;
    tmi_tile_counts tiles = {.counts = {{0}}};
    uint32_t num = 0, others = 0;
    for (uint32_t index = 1; index < TM_TILE_INDICES; index++) {
        bool of_mods = false, of_none = false;
        for (size_t k = 0; k < TMI_COUNT_OF(kinds); k++) {
            const tm_layer_kind kind = kinds[k];
            tiles.counts[kind][index] = tmi_lint_num_tiles(lint, kind, (uint8_t)index);
            if (!tiles.counts[kind][index] || tm_game_tile(TM_GAME_DDNET, kind, (uint8_t)index))
                continue;
            of_mods |= tmi_is_tile_of_mods(kind, (uint8_t)index);
            of_none |= !tmi_is_tile_of_mods(kind, (uint8_t)index);
        }
        num += of_mods;
        others += !of_mods && of_none;
    }
    mod->has_own = num + others;
    for (int kind = 0; kind < TMI_LINT_KINDS; kind++)
        mod->has_own |= lint->layers[kind].layer && !lint->layers[kind].has_tiles;
    const bool is_strange = others > num && others >= STRANGE;
    bool by_name;
    char why[TM_ERROR_TEXT_SIZE];
    const tm_mod *row = tmi_map_mod(why, sizeof(why), &by_name, lint->map, &tiles, false);
    if (row && (by_name || !is_strange)) {
        choose_mod(mod, row);
        tmi_format(mod->why, sizeof(mod->why), "%s", why);
    } else if (is_strange) {
        tmi_format(mod->why, sizeof(mod->why), "no game knows %u of its kinds of tiles", (unsigned)others);
        mod->title = unknown;
    } else if (has_own_lasers(lint)) {
        tmi_format(mod->why, sizeof(mod->why), "its doors and turning lasers have no lengths");
        mod->title = unknown;
    } else if (tmi_lint_has_odd_settings(lint)) {
        tmi_format(mod->why, sizeof(mod->why), "no game knows several of its settings");
        mod->title = unknown;
    }
    if (mod->title)
        mod->rules = is_strange              ? TM_MOD_RULES_TILES
                     : mod->title == unknown ? TM_MOD_RULES_NOTES
                                             : mod->rules;
}

/* ------------------------------------------------------------------------------------------------ effects */

/* What the mod itself says of rules, unless the user says something else. */
static void follow_mod(tmi_lint *lint, uint32_t rule, const tm_mod *mod)
{
    tmi_lint_state *state = &lint->rules[rule];
    for (uint32_t i = 0; i < mod->num_ignored; i++)
        if (!state->selected && tm_lint_rule_fits(&state->row->rule, mod->ignored[i])) {
            state->asked = false;
            state->notes = state->last = NULL;
            state->num = 0;
            state->unlisted = 0;
        }
    for (uint32_t i = 0; i < mod->num_severities; i++)
        if (!state->chosen && tm_lint_rule_fits(&state->row->rule, mod->severities[i].rules))
            state->severity = mod->severities[i].severity;
}

/* Whether the user asks for the rules of this mod, and of no other type of maps. */
static bool is_only_set(const tmi_lint *lint, uint32_t set)
{
    return set && (lint->sets & TM_LINT_TYPES) == set;
}

void tmi_lint_find_mod(tmi_lint *lint)
{
    const tmi_lint_mod *mod = &lint->mod;
    if (!mod->title)
        find_extended(lint);
    for (uint32_t rule = 0; mod->title && lint->guessed && rule < lint->num_rules; rule++) {
        const tmi_lint_row *row = lint->rules[rule].row;
        if (mod->rules != TM_MOD_RULES_ALL &&
            (row->by_games || row->ways ||
             (mod->rules == TM_MOD_RULES_TILES && row->rule.cost == TM_LINT_PHYSICS)))
            tmi_lint_lower_to_note(lint, rule);
        if (mod->mod)
            follow_mod(lint, rule, mod->mod);
    }
    const tm_mod *row;
    for (uint32_t n = 0; !lint->guessed && (row = tm_mod_at(n)); n++)
        for (uint32_t rule = 0; is_only_set(lint, set_of_mod(row)) && rule < lint->num_rules; rule++)
            follow_mod(lint, rule, row);
}

void tmi_lint_lower_to_note(tmi_lint *lint, uint32_t rule)
{
    if (!lint->rules[rule].chosen)
        lint->rules[rule].severity = TM_SEVERITY_NOTE;
}

const tm_setting_info *tmi_lint_mod_setting(const tmi_lint *lint, const char *name)
{
    const tm_setting_info *row = tm_mod_setting(lint->mod.mod, name);
    return row ? row : tm_mod_setting(lint->extra, name);
}

static void map_of_mod(tmi_lint *lint, uint32_t rule)
{
    static const char *const effects[] = {
        [TM_MOD_RULES_ALL] = "",
        [TM_MOD_RULES_NOTES] = "; rules of the games' own tiles and settings are notes",
        [TM_MOD_RULES_TILES] = "; rules of tiles and settings are notes",
        [TM_MOD_RULES_NONE] = "; rules of the games' tiles are not asked unless --rules names a set",
    };
    if (lint->mod.title && !lint->mod.chosen)
        tmi_lint_note_add(lint, rule, (tm_address){TM_KIND_MAP, 0, 0}, "this looks like a map of %s: %s%s",
                          lint->mod.title, lint->mod.why, lint->guessed ? effects[lint->mod.rules] : "");
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
