/* SPDX-License-Identifier: Zlib */
/*
 * Rules of speedups and of tuning zones.
 */
#include "lint.h"

#define RACES (TM_LINT_DDNET | TM_LINT_KOG)

/* ------------------------------------------------------------------------------------------- speedups */

static tm_speedup_tile speedup_of(const tmi_lint_run *run)
{
    tm_speedup_tile tile;
    memcpy(&tile, run->tile, sizeof(tile));
    return tile;
}

static bool no_force(const tmi_lint_run *run)
{
    return !speedup_of(run).force;
}

static bool wants_other_type(tm_layer_kind kind, uint8_t index)
{
    return kind == TM_LAYER_SPEEDUP && index != TM_TILE_SPEEDUP && index != TM_TILE_SPEEDUP_OLD;
}

static bool has_force(const tmi_lint_run *run)
{
    return speedup_of(run).force;
}

static bool odd_angle(const tmi_lint_run *run)
{
    const int16_t angle = speedup_of(run).angle;
    return angle < 0 || angle >= 360;
}

/* The games ask for the speedup of a place only where its number among the tiles is above 0. */
/* In an area of speedups nobody misses the one at the corner. */
static void first_tile(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run)
{
    if (!run->x0 && run->x1 == 1 && !run->y && speedup_of(run).force &&
        !tmi_lint_index_at(lint, TM_LAYER_SPEEDUP, 1, 0) && !tmi_lint_index_at(lint, TM_LAYER_SPEEDUP, 0, 1))
        tmi_lint_mark(lint, rule, run, 0, 1);
}

/* ------------------------------------------------------------------------------------------------ tuning */

/* The games look at the number alone, whatever the index is. */
static bool is_zone(uint8_t index)
{
    return index != TM_TILE_AIR;
}

static const tmi_lint_numbered zones = {TM_LAYER_TUNE, is_zone};

static bool is_named_zone(const tmi_lint *lint, uint32_t number)
{
    return lint->named[TM_NUMBER_ZONE][number];
}

static void tune_without_setting(tmi_lint *lint, uint32_t rule)
{
    if (!lint->map->info.num_settings) /* they are in a file next to the map, which servers read, too */
        tmi_lint_lower_to_note(lint, rule);
    tmi_lint_judge_numbers(lint, rule);
}

static void setting_without_tune(tmi_lint *lint, uint32_t rule)
{
    uint64_t tiles[TMI_LINT_NUMBERS];
    tmi_lint_sum_numbers(tiles, lint, &zones);
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++)
        if (!tiles[n] && lint->named[TM_NUMBER_ZONE][n])
            tmi_lint_note_add(lint, rule, (tm_address){TM_KIND_SETTINGS, 0, 0},
                              "settings change tuning zone %u, of which there are no tiles", (unsigned)n);
}

static bool wants_other_tune(tm_layer_kind kind, uint8_t index)
{
    return kind == TM_LAYER_TUNE && index != TM_TILE_TUNE;
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(SPEEDUP_WITHOUT_FORCE, RACES, PHYSICS, false, "A speedup has no force.",
                   "It does nothing.", "Give it a force, or remove it.", "twmap-check-ddnet; ddnet 10087"),
     TMI_LINT_TILES(TMI_LINT_LAYER(SPEEDUP), SPEEDUP_OLD, SPEEDUP), .errs = no_force,
     .phrase = "with force 0", TMI_LINT_FIX("replace speedup*:force=0 with air", true)},
    {TMI_LINT_RULE(SPEEDUP_TYPE, RACES, PHYSICS, false, "A speedup has a type that is neither 28 nor 29.",
                   "It does nothing.", "Set the type to 29, or remove it.", "docs/format.md 3.2"),
     .wants = wants_other_type, .errs = has_force, .phrase = "with a force, but of a type that does nothing"},
    {TMI_LINT_RULE(
         SPEEDUP_OLD, TM_LINT_STYLE, PHYSICS, false, "Speedups have the old type 28.",
         "The formula of type 29, since DDNet 19.1, has the same effect at any speed; editors show the old type as deprecated.",
         "teemap edit 'migrate speedups' converts them and reports those that play differently.",
         "twmap-check-ddnet"),
     TMI_LINT_EXCEPT(TM_LINT_MODS), TMI_LINT_TILES(TMI_LINT_LAYER(SPEEDUP), SPEEDUP_OLD, SPEEDUP_OLD),
     .errs = has_force, .phrase = "by the old formula", TMI_LINT_FIX("migrate speedups", false)},
    {TMI_LINT_RULE(SPEEDUP_ANGLE, RACES, PHYSICS, false, "The angle of a speedup is not from 0 to 359.",
                   "Editors show another angle than the game uses.", "Set the angle again.", "twmap check"),
     TMI_LINT_TILES(TMI_LINT_LAYER(SPEEDUP), SPEEDUP_OLD, SPEEDUP), .errs = odd_angle,
     .phrase = "with an angle that is not from 0 to 359"},
    {TMI_LINT_RULE(SPEEDUP_FIRST, RACES, PHYSICS, false, "A speedup is the first tile of its layer.",
                   "The games skip the first tile of the speedup layer.", "Leave the tile at 0,0 empty.",
                   "ddnet 12054"),
     TMI_LINT_TILES(TMI_LINT_LAYER(SPEEDUP), SPEEDUP_OLD, SPEEDUP), .see = first_tile,
     .phrase = "at 0,0, where speedups do nothing"},
    {TMI_LINT_RULE(
         TUNE_WITHOUT_SETTING, RACES, PHYSICS, false, "A tuning zone has tiles, but no setting.",
         "The zone changes nothing. In a map without any settings it is a note, since they may be in a file next to "
         "the map.",
         "Add settings such as: tune_zone 1 gravity 0.25", "libtw2 tune_layer"),
     .judge = tune_without_setting, .having = &zones, .unless = is_named_zone,
     .phrase = "no setting tells what tuning zone # changes", .by_games = true},
    {TMI_LINT_RULE(SETTING_WITHOUT_TUNE, RACES, PHYSICS, false,
                   "A setting is for a tuning zone without tiles.", "The setting changes nothing.",
                   "Draw the zone, correct its number, or remove the setting.", "libtw2 tune_layer"),
     .judge = setting_without_tune},
    {TMI_LINT_RULE(TUNE_NUMBER_ZERO, RACES, PHYSICS, false, "Tiles of tuning zones have the number 0.",
                   "0 means the tuning outside of zones: the tiles change nothing.", "Give them a number.",
                   "DDNet's collision.cpp"),
     .judge = tmi_lint_judge_zero, .having = &zones, .phrase = "tiles of tuning zones have the number 0"},
    {TMI_LINT_RULE(TUNE_TYPE, RACES, PHYSICS, false, "A tile of a tuning zone has another index than 68.",
                   "Servers treat it as a part of the zone; editors do not show it.", "Set its index to 68.",
                   "DDNet's mapitems.cpp; twmap-check-ddnet"),
     .wants = wants_other_tune, .phrase = "of another index than tuning zones have",
     TMI_LINT_FIX("replace tune/1..67,69..255 with 68", true)},
};
TMI_LINT_FAMILY(tmi_lint_zones, rows);
