/* SPDX-License-Identifier: Zlib */
/*
 * Rules that depend on the type of server: the number and ground of spawns and exits, required settings, and
 * allowed tiles and flags.
 */
#include "lint.h"

#define DDNET TM_LINT_DDNET
#define SOLO  TM_LINT_SOLO

/* -------------------------------------------------------------------------------------------- spawns */

static const uint8_t spawns[] = {TM_TILE_SPAWN, TM_TILE_SPAWN_RED, TM_TILE_SPAWN_BLUE};

static void request_spawns(tmi_lint *lint, tmi_lint_note *note)
{
    for (size_t i = 0; i < TMI_COUNT_OF(spawns); i++)
        tmi_lint_request_tiles(lint, note, TM_LAYER_GAME, spawns[i], -1);
}

static void few_spawns(tmi_lint *lint, uint32_t rule)
{
    if (tmi_lint_num_spawns(lint) == 1)
        request_spawns(lint, tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_GAME),
                                               "there is only one spawn"));
}

static void solo_spawns(tmi_lint *lint, uint32_t rule)
{
    const uint64_t num = tmi_lint_num_spawns(lint);
    if (num < 2)
        return;
    tmi_lint_note *note =
        tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_GAME),
                          "there are %u spawns; maps for one player have one", (unsigned)num);
    request_spawns(lint, note);
    if (note && lint->guessed)
        note->at_worst = TM_SEVERITY_NOTE;
}

static void solo_outs(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++) {
        const uint64_t num = tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_OUT, (uint8_t)n);
        if (num < 2 || !tmi_lint_leads_players(lint, (uint8_t)n))
            continue;
        tmi_lint_note *note = tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_TELE),
                                                "number %u has %u exits; maps for one player have one",
                                                (unsigned)n, (unsigned)num);
        tmi_lint_request_tiles(lint, note, TM_LAYER_TELE, TM_TILE_TELE_OUT, (int)n);
    }
}

/* ---------------------------------------------------------------------------------- on what they stand */

static bool is_over_ground(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return run->y + 1 < lint->layers[run->kind].grid.height &&
           tmi_lint_is_wall(tmi_lint_game_index(lint, run->kind, x, run->y + 1));
}

static bool stands_on_ground(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return tmi_lint_is_for_players(lint, run) && is_over_ground(lint, run, x);
}

static bool hangs_in_air(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return tmi_lint_is_for_players(lint, run) && !is_over_ground(lint, run, x);
}

/* ------------------------------------------------------------------------------------------- settings */

static bool solo_setting(tmi_lint_object *object)
{
    tmi_format(object->fix, sizeof(object->fix), "settings add \"sv_solo_server 1\"");
    return tmi_lint_last_value(object->lint->map, "sv_solo_server", 0) != 1;
}

static bool dummy_deepfly(tmi_lint_object *object)
{
    tmi_format(object->fix, sizeof(object->fix), "settings add \"sv_deepfly 0\"");
    return tmi_lint_last_value(object->lint->map, "sv_deepfly", 1) != 0;
}

/* Anything but walls, teleporters, death, the grenade launcher, lines, spawns, and signs, which are idle. */
static bool wants_no_race_tile(tm_layer_kind kind, uint8_t index)
{
    const bool of_races = index == TM_TILE_SOLID || index == TM_TILE_UNHOOKABLE || index == TM_TILE_DEATH ||
                          index == TM_TILE_WEAPON_GRENADE || index == TM_TILE_ENTITIES_OFF_1 ||
                          index == TM_TILE_ENTITIES_OFF_2 ||
                          (index >= TM_TILE_START && index <= TM_TILE_TIME_CHECKPOINT_25) ||
                          (index >= TM_TILE_SPAWN && index <= TM_TILE_SPAWN_BLUE);
    return kind != TM_LAYER_TELE && !(of_races && (kind == TM_LAYER_GAME || kind == TM_LAYER_FRONT));
}

static bool dummy_unlock(tmi_lint_object *object)
{
    return !tmi_lint_num_played(object->lint, TM_TILE_UNLOCK_TEAM);
}

/* ---------------------------------------------------------------------------------------------- flags */

static bool is_flag(uint8_t index)
{
    return index == TM_TILE_FLAG_RED || index == TM_TILE_FLAG_BLUE;
}

static const tmi_lint_numbered flags = {TM_LAYER_GAME, is_flag};

static bool no_flag(tmi_lint_object *object)
{
    return !tmi_lint_num_tiles(object->lint, TM_LAYER_GAME, TM_TILE_FLAG_RED) &&
           !tmi_lint_num_tiles(object->lint, TM_LAYER_GAME, TM_TILE_FLAG_BLUE);
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(FEW_SPAWNS, DDNET, PHYSICS, true, "There is only one spawn.",
                   "Players who start together block each other.",
                   "Place several spawns; the start should have room for ten players.", "DDNet's rules"),
     TMI_LINT_EXCEPT(SOLO), .judge = few_spawns},
    {TMI_LINT_RULE(SPAWN_ON_GROUND, DDNET, PHYSICS, true, "A spawn is on the ground.",
                   "Players who stand there block new ones; in the air they fall aside.",
                   "Place spawns in the air.", "DDNet's rules"),
     TMI_LINT_EXCEPT(SOLO), TMI_LINT_TILES(TMI_LINT_PLAYED, SPAWN, SPAWN_BLUE), .fits = stands_on_ground,
     .phrase = "on the ground"},
    {TMI_LINT_RULE(OUT_ON_GROUND, DDNET, PHYSICS, true, "An exit for players is on the ground.",
                   "Players who stand there block new ones; in the air they fall aside.",
                   "Place exits in the air.", "DDNet's rules"),
     TMI_LINT_EXCEPT(SOLO), TMI_LINT_TILES(TMI_LINT_LAYER(TELE), TELE_OUT, TELE_OUT), .late = true,
     .fits = stands_on_ground, .phrase = "on the ground"},
    {TMI_LINT_RULE(SOLO_SPAWNS, SOLO, PHYSICS, false, "A solo map has several spawns.",
                   "The time depends on the spawn.", "Keep one spawn.", "DDNet's rules"),
     .judge = solo_spawns},
    {TMI_LINT_RULE(SOLO_SPAWN_IN_AIR, SOLO, PHYSICS, true, "The spawn of a solo map is in the air.",
                   "The time of falling differs.", "Place it on the ground.", "DDNet's rules"),
     TMI_LINT_TILES(TMI_LINT_PLAYED, SPAWN, SPAWN_BLUE), .fits = hangs_in_air, .phrase = "not on the ground"},
    {TMI_LINT_RULE(SOLO_OUTS, SOLO, PHYSICS, false, "Teleporters of a solo map have several exits.",
                   "The time depends on the exit.", "Keep one exit per number.", "DDNet's rules"),
     .judge = solo_outs},
    {TMI_LINT_RULE(SOLO_OUT_IN_AIR, SOLO, PHYSICS, true, "An exit of a solo map is in the air.",
                   "The time of falling differs.", "Place it on the ground.", "DDNet's rules"),
     TMI_LINT_TILES(TMI_LINT_LAYER(TELE), TELE_OUT, TELE_OUT), .late = true, .fits = hangs_in_air,
     .phrase = "not on the ground"},
    {TMI_LINT_RULE(SOLO_SETTING, SOLO, OBJECTS, false, "A solo map does not set sv_solo_server.",
                   "Players collide with and hook each other.", "Add the setting: sv_solo_server 1",
                   "DDNet's rules"),
     TMI_LINT_FIX("settings add", false), .own_fixes = true, .objects = TMI_LINT_AT(SETTINGS),
     .look = solo_setting, .phrase = "players of a map for one meet each other: sv_solo_server is not 1"},
    {TMI_LINT_RULE(DUMMY_DEEPFLY, TM_LINT_DUMMY, OBJECTS, true, "A dummy map allows deepfly.",
                   "With a dummy and deepfly, players can fly past parts.",
                   "Add the setting, unless parts need deepfly: sv_deepfly 0", "DDNet's rules"),
     TMI_LINT_FIX("settings add", false), .own_fixes = true, .objects = TMI_LINT_AT(SETTINGS),
     .look = dummy_deepfly, .phrase = "deepfly is allowed: sv_deepfly is not 0"},
    {TMI_LINT_RULE(RACE_TILE, TM_LINT_RACE, PHYSICS, false,
                   "A Race map of DDNet has tiles that are not allowed in Race.",
                   "Race only uses walls, teleporters, death, the grenade launcher and lines.",
                   "Remove the tiles, or submit the map as another type.", "DDNet's rules"),
     .wants = wants_no_race_tile, .phrase = "that maps of this type do not have"},
    {TMI_LINT_RULE(NO_FLAG, TM_LINT_CTF, PHYSICS, false, "A capture the flag map has no flags.",
                   "Nobody can capture one.", "Place a flag for each team.", "ctf of Teeworlds"),
     .objects = TMI_LINT_AT_GAME, .look = no_flag, .phrase = "there are no flags that one could capture"},
    {TMI_LINT_RULE(FLAG_IN_DM, TM_LINT_DM, PHYSICS, false, "A deathmatch map has flags.",
                   "Deathmatch ignores them.", "Remove them, unless the map is for both game types.",
                   "dm of Teeworlds"),
     .judge = tmi_lint_judge_any, .having = &flags,
     .phrase = "there are flags, which deathmatch does not have"},
    {TMI_LINT_RULE(DUMMY_UNLOCK, TM_LINT_DUMMY, PHYSICS, true, "A dummy map has no tile that unlocks teams.",
                   "If the dummy dies after it was left behind, a locked team dies with it.",
                   "Place unlock-team before the part where the dummy is left behind.", "DDNet's rules"),
     .objects = TMI_LINT_AT_GAME, .look = dummy_unlock, .phrase = "no tile unlocks a team"},
    {TMI_LINT_RULE(NOVICE_SOLO, TM_LINT_NOVICE, PHYSICS, true, "A Novice map has solo parts.",
                   "Nobody can help players who fail there.",
                   "Check that beginners can do them, or remove them.", "DDNet's rules"),
     TMI_LINT_TILES(TMI_LINT_PLAYED, SOLO_ENABLE, SOLO_ENABLE), .phrase = "that begin solo parts"},
};
TMI_LINT_FAMILY(tmi_lint_types, rows);
