/* SPDX-License-Identifier: Zlib */
/* Rules of spawns, start and finish, time checkpoints and flags. */
#include "lint.h"

#define DDNET  TM_LINT_DDNET
#define RACES  (TM_LINT_DDNET | TM_LINT_KOG)
#define FIGHTS (TM_LINT_VANILLA | TM_LINT_TEEWORLDS07)
#define PLAYED (RACES | FIGHTS)

/* Whether the game or the front layer has a tile. */
static bool has_tile(const tmi_lint *lint, uint8_t index)
{
    return tmi_lint_num_played(lint, index) > 0;
}

/* ---------------------------------------------------------------------------------------------- spawns */

static bool no_spawn(tmi_lint_object *object)
{
    const tmi_lint *lint = object->lint;
    const tm_grid *grid = &lint->layers[TM_LAYER_GAME].grid;
    const uint64_t walls =
        tmi_lint_num_played(lint, TM_TILE_SOLID) + tmi_lint_num_played(lint, TM_TILE_UNHOOKABLE);
    object->at_worst = TM_SEVERITY_NOTE;
    for (uint32_t index = 1; index < TM_TILE_INDICES; index++)
        if (index != TM_TILE_DEATH && !tmi_lint_is_wall((uint8_t)index) && has_tile(lint, (uint8_t)index))
            object->at_worst = 0;
    /* menu backgrounds have no walls, or only those at the edge of a new map; a mod may read spawns from
       its own tiles and layers */
    return !tmi_lint_num_spawns(lint) && walls && walls >= (uint64_t)grid->width + grid->height &&
           !lint->mod.title && !lint->mod.has_own;
}

/* Whether freeze reaches from a tile down to the ground: above air or unfreeze, players fall out of it. */
static bool freezes_down_to_ground(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    enum { FAR = 64 };
    tmi_lint_run part = *run;
    for (; part.y - run->y < FAR && tmi_lint_lies_in_freeze(lint, &part, x); part.y++)
        if (tmi_lint_is_wall(tmi_lint_index_at(lint, TM_LAYER_GAME, x, (int64_t)part.y + 1)))
            return true;
    return false;
}

/* A rule: a spawn is in freeze. If all are, it is only a note, as something moves players out. */
static void spawn_in_freeze(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run)
{
    uint64_t all = 0;
    for (uint32_t x = run->x0; x < run->x1; x++)
        if (freezes_down_to_ground(lint, run, x))
            tmi_lint_mark(lint, rule, run, x, x + 1);
    tmi_lint_note *note = lint->rules[rule].last;
    for (uint32_t index = TM_TILE_SPAWN; note && index <= TM_TILE_SPAWN_BLUE; index++)
        all += note->seen[index] ? tmi_lint_num_played(lint, (uint8_t)index) : 0;
    if (note)
        note->at_worst = note->count < all ? 0 : TM_SEVERITY_NOTE;
}

/* Adds a note if only one of the teams has a tile, such as its spawn. Returns it, or NULL. */
static tmi_lint_note *only_one_team(tmi_lint *lint, uint32_t rule, uint8_t red, uint8_t blue,
                                    const char *thing)
{
    const bool has_red = has_tile(lint, red), has_blue = has_tile(lint, blue);
    if (has_red == has_blue)
        return NULL;
    tmi_lint_note *note = tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_GAME),
                                            "only the %s team has %s", has_red ? "red" : "blue", thing);
    tmi_lint_request_tiles(lint, note, TM_LAYER_GAME, has_red ? red : blue, -1);
    return note;
}

static void lone_team_spawn(tmi_lint *lint, uint32_t rule)
{
    tmi_lint_note *note =
        only_one_team(lint, rule, TM_TILE_SPAWN_RED, TM_TILE_SPAWN_BLUE, "spawns of its own");
    if (note && has_tile(lint, TM_TILE_SPAWN))
        note->at_worst = TM_SEVERITY_NOTE;
}

/* ---------------------------------------------------------------------------------------------- lines */

/*
 * Whether there is one line without the other; at worst a note if no line is longer than two tiles, or where
 * flags show that it is not a race.
 */
static bool lacks_line(tmi_lint_object *object, uint8_t line, uint8_t other)
{
    const bool has_flags =
        has_tile(object->lint, TM_TILE_FLAG_RED) || has_tile(object->lint, TM_TILE_FLAG_BLUE);
    object->at_worst = TM_SEVERITY_NOTE;
    for (uint8_t index = TM_TILE_START; index <= TM_TILE_TIME_CHECKPOINT_25 && !has_flags; index++)
        if (tmi_lint_has_line(object->lint, index))
            object->at_worst = 0;
    return has_tile(object->lint, line) && !has_tile(object->lint, other);
}

static bool no_start(tmi_lint_object *object)
{
    return lacks_line(object, TM_TILE_FINISH, TM_TILE_START);
}

static bool no_finish(tmi_lint_object *object)
{
    return lacks_line(object, TM_TILE_START, TM_TILE_FINISH);
}

static bool no_race(tmi_lint_object *object)
{
    return !has_tile(object->lint, TM_TILE_START) && !has_tile(object->lint, TM_TILE_FINISH);
}

static bool has_time_checkpoint(const tmi_lint *lint, uint32_t number)
{
    return has_tile(lint, (uint8_t)(TM_TILE_TIME_CHECKPOINT_1 + number - 1));
}

enum { TIME_CHECKPOINTS = TM_TILE_TIME_CHECKPOINT_25 - TM_TILE_TIME_CHECKPOINT_1 + 1 };

static uint32_t last_time_checkpoint(const tmi_lint *lint)
{
    uint32_t last = TIME_CHECKPOINTS;
    while (last && !has_time_checkpoint(lint, last))
        last--;
    return last;
}

static bool no_time_checkpoints(tmi_lint_object *object)
{
    return has_tile(object->lint, TM_TILE_START) && has_tile(object->lint, TM_TILE_FINISH) &&
           !last_time_checkpoint(object->lint);
}

static bool time_checkpoint_gap(tmi_lint_object *object)
{
    const uint32_t last = last_time_checkpoint(object->lint);
    tmi_line missing = {.length = 0};
    for (uint32_t n = 1; n < last; n++)
        if (!has_time_checkpoint(object->lint, n))
            tmi_line_add(&missing, "%s%u", missing.length ? ", " : "", (unsigned)n);
    return missing.length && has_tile(object->lint, TM_TILE_START) &&
           tmi_lint_explain(object, "time checkpoints go up to %u, but these are missing: %s", (unsigned)last,
                            missing.text);
}

/* ---------------------------------------------------------------------------------------------- flags */

static void lone_flag(tmi_lint *lint, uint32_t rule)
{
    only_one_team(lint, rule, TM_TILE_FLAG_RED, TM_TILE_FLAG_BLUE, "a flag");
}

static void flag_twice(tmi_lint *lint, uint32_t rule)
{
    for (uint8_t flag = TM_TILE_FLAG_RED; flag <= (uint8_t)TM_TILE_FLAG_BLUE; flag++) {
        if (tmi_lint_num_played(lint, flag) < 2)
            continue;
        tmi_lint_note *note = tmi_lint_note_add(
            lint, rule, tmi_lint_layer_address(lint, TM_LAYER_GAME), "the %s team has %u flags",
            flag == TM_TILE_FLAG_RED ? "red" : "blue", (unsigned)tmi_lint_num_played(lint, flag));
        tmi_lint_request_tiles(lint, note, TM_LAYER_GAME, flag, -1);
    }
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         NO_SPAWN, PLAYED, PHYSICS, false, "The map has walls inside its edge, but no spawn.",
         "Players who join never enter the game. It is a note if there are only walls and death. Maps of mods, "
         "with unknown tiles or layers, are skipped.",
         "Place a spawn.", "DDNet's rules; KoG 001"),
     .objects = TMI_LINT_AT_GAME, .look = no_spawn, .phrase = "there is no spawn: nobody can enter the game",
     .by_games = true},
    {TMI_LINT_RULE(SPAWN_IN_WALL, RACES, PHYSICS, false, "A spawn of the front layer is in a wall.",
                   "Players who spawn there are stuck.", "Move the spawn, or remove the wall.",
                   "KoG's rules"),
     TMI_LINT_TILES(TMI_LINT_LAYER(FRONT), SPAWN, SPAWN_BLUE), .fits = tmi_lint_lies_in_wall,
     .phrase = "in walls"},
    {TMI_LINT_RULE(
         NO_START, RACES, PHYSICS, false, "There is a finish, but no start.",
         "The time never starts, so nobody can finish. It is a note if neither the finish nor "
         "a time checkpoint has more than two tiles, or if there is a flag: other games use such tiles, too.",
         "Draw a start line.", "DDNet's rules; KoG 001"),
     TMI_LINT_EXCEPT(TM_LINT_FUN), .objects = TMI_LINT_AT_GAME, .look = no_start,
     .phrase = "there is a finish but no start: no race ever begins", .by_games = true},
    {TMI_LINT_RULE(NO_FINISH, RACES, PHYSICS, false, "There is a start, but no finish.",
                   "The time never stops. It is a note as with 'no-start'.", "Draw a finish line.",
                   "DDNet's rules; KoG 001"),
     TMI_LINT_EXCEPT(TM_LINT_FUN), .objects = TMI_LINT_AT_GAME, .look = no_finish,
     .phrase = "there is a start but no finish: no race ever ends", .by_games = true},
    {TMI_LINT_RULE(NO_RACE, TM_LINT_KOG, PHYSICS, false, "There is neither a start nor a finish.",
                   "KoG does not accept such a map.", "Draw a start line and a finish line.", "KoG 001"),
     .objects = TMI_LINT_AT_GAME, .look = no_race, .phrase = "there is neither a start nor a finish",
     .by_games = true},
    {TMI_LINT_RULE(NO_TIME_CHECKPOINTS, DDNET, PHYSICS, false,
                   "A race has no time checkpoints (tiles 35 to 59).",
                   "Players cannot compare their time with the record on the way.",
                   "Draw time checkpoints across the way, in order.", "twmap-check-ddnet; DDNet's rules"),
     TMI_LINT_EXCEPT(TM_LINT_FUN | TM_LINT_OLDSCHOOL), .objects = TMI_LINT_AT_GAME,
     .look = no_time_checkpoints, .phrase = "there is no time checkpoint between start and finish",
     .by_games = true},
    {TMI_LINT_RULE(TIME_CHECKPOINT_GAP, DDNET, PHYSICS, true,
                   "The numbers of the time checkpoints have gaps.", "One is missing or has a wrong number.",
                   "Number them from 1 without gaps.", "DDNet's rules"),
     .objects = TMI_LINT_AT_GAME, .look = time_checkpoint_gap},
    {TMI_LINT_RULE(LONE_FLAG, FIGHTS, PHYSICS, false, "Only one team has a flag.",
                   "Capturing needs both flags, but other games use them, too, and may ask for one.",
                   "Place the other flag, or remove this one.", "ctf of Teeworlds"),
     .judge = lone_flag, .by_games = true},
    {TMI_LINT_RULE(FLAG_TWICE, FIGHTS, PHYSICS, false, "A team has more than one flag.",
                   "The game uses the first one.", "Keep one flag per team.", "ctf of Teeworlds"),
     .judge = flag_twice, .by_games = true},
    {TMI_LINT_RULE(LONE_TEAM_SPAWN, FIGHTS, PHYSICS, false, "Only one team has its own spawns.",
                   "In team games the other team spawns elsewhere, which is a note, or nowhere.",
                   "Place spawns for both teams, or only common ones.", "ctf of Teeworlds"),
     TMI_LINT_EXCEPT(TM_LINT_DM), .judge = lone_team_spawn, .by_games = true},
    {TMI_LINT_RULE(
         SPAWN_IN_FREEZE, RACES, PHYSICS, false, "A spawn is in freeze that reaches down to the ground.",
         "Players who spawn there cannot move until somebody helps. It is a note if all spawns are in freeze: "
         "something moves players out.",
         "Move the spawn, or remove the freeze.", "DDNet's testers"),
     TMI_LINT_TILES(TMI_LINT_PLAYED, SPAWN, SPAWN_BLUE), .late = true, .see = spawn_in_freeze,
     .phrase = "in freeze"},
};
TMI_LINT_FAMILY(tmi_lint_race, rows);
