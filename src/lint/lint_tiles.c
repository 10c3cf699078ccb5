/* SPDX-License-Identifier: Zlib */
/*
 * Rules of tiles in general: tiles without meaning, tiles without effect at their place, and bytes that no
 * game reads.
 */
#include "lint.h"

#define RACES  (TM_LINT_DDNET | TM_LINT_KOG)
#define FIGHTS (TM_LINT_VANILLA | TM_LINT_TEEWORLDS07)

/* ------------------------------------------------------------------------------- tiles without a meaning */

static bool is_in_other_layer(uint8_t index)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_FRONT,   TM_LAYER_SWITCH,
                                          TM_LAYER_TELE, TM_LAYER_SPEEDUP, TM_LAYER_TUNE};
    for (size_t k = 0; k < TMI_COUNT_OF(kinds); k++)
        if (tm_game_tile(TM_GAME_DDNET, kinds[k], index))
            return true;
    return false;
}

/* Types of speedups have a rule of their own, and tuning zones act whatever their index is. */
static bool has_meanings(tm_layer_kind kind)
{
    return kind != TM_LAYER_SPEEDUP && kind != TM_LAYER_TUNE;
}

static bool wants_unknown(tm_layer_kind kind, uint8_t index)
{
    return has_meanings(kind) && !tm_game_tile(TM_GAME_DDNET, kind, index) && !is_in_other_layer(index);
}

static bool wants_foreign(tm_layer_kind kind, uint8_t index)
{
    return has_meanings(kind) && !tm_game_tile(TM_GAME_DDNET, kind, index) && is_in_other_layer(index);
}

static bool wants_later(tm_layer_kind kind, uint8_t index)
{
    return kind == TM_LAYER_GAME && !tm_game_tile(TM_GAME_TEEWORLDS06, kind, index);
}

/* ----------------------------------------------------------------------------------- covered by walls */

/*
 * Tiles that act when the middle of a player is in them, which never is inside of a wall. Not so those that
 * act on hooks, shots, lasers or doors, as exits, for the whole map, or from beside.
 */
static bool acts_on_touch(tm_layer_kind kind, uint8_t index)
{
    const tm_tile_info *tile = tm_game_tile(TM_GAME_DDNET, kind, index);
    if (!tile)
        return false;
    switch (tile->category) {
    case TM_CATEGORY_HAZARD:
    case TM_CATEGORY_FREEZE:
    case TM_CATEGORY_RACE:
    case TM_CATEGORY_SPEEDUP:
    case TM_CATEGORY_SWITCH: return true;
    case TM_CATEGORY_ABILITY: return index != TM_TILE_ALLOW_TELE_GUN && index != TM_TILE_ALLOW_BLUE_TELE_GUN;
    case TM_CATEGORY_TELE:
        return index != TM_TILE_TELE_IN_WEAPON && index != TM_TILE_TELE_IN_HOOK &&
               index != TM_TILE_TELE_OUT && index != TM_TILE_TELE_CHECKPOINT_OUT;
    default: return false;
    }
}

static bool wants_touched(tm_layer_kind kind, uint8_t index)
{
    return kind != TM_LAYER_GAME && acts_on_touch(kind, index);
}

/* Whether the same tiles continue from here to a place without wall, up or down. */
static bool goes_on_outside(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x, int step)
{
    enum { FAR = 3 };
    int64_t y = run->y;
    for (int i = 0; i < FAR; i++) {
        y += step;
        if (tmi_lint_index_at(lint, run->kind, x, y) != run->index)
            return false;
        if (!tmi_lint_is_wall(tmi_lint_game_index(lint, run->kind, x, (uint32_t)y)))
            return true;
    }
    return false;
}

/* The first tile of a run, from x on, that a wall covers, or that none covers if not `wall`; else run->x1. */
static uint32_t next_wall(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x, bool wall)
{
    while (x < run->x1 && tmi_lint_is_wall(tmi_lint_game_index(lint, run->kind, x, run->y)) != wall)
        x++;
    return x;
}

/* Marks ends of lines, or all else. */
static void mark_covered(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run, bool ends)
{
    const bool of_checkpoint = run->index == TM_TILE_TELE_CHECKPOINT,
               enters = run->index == TM_TILE_TELE_IN || run->index == TM_TILE_TELE_IN_EVIL;
    /* these have no effect anywhere, and other rules report them: speedups without force, */
    if (run->kind == TM_LAYER_SPEEDUP && !run->tile[offsetof(tm_speedup_tile, force)])
        return;
    /* teleporters and checkpoints without an exit */
    if (run->kind == TM_LAYER_TELE && (enters || of_checkpoint) &&
        !tmi_lint_num_numbered(lint, TM_LAYER_TELE,
                               of_checkpoint ? TM_TILE_TELE_CHECKPOINT_OUT : TM_TILE_TELE_OUT,
                               tmi_lint_run_number(run)))
        return;
    for (uint32_t x = run->x0, end;; x = end) {
        x = next_wall(lint, run, x, true);
        if (x >= run->x1)
            return;
        end = next_wall(lint, run, x, false);
        bool overruns = x > run->x0 || end < run->x1; /* a line or an area drawn a little too far? */
        for (uint32_t tile = x; tile < end && !overruns; tile++)
            overruns = goes_on_outside(lint, run, tile, -1) || goes_on_outside(lint, run, tile, 1);
        if (overruns == ends)
            tmi_lint_mark_in_wall(lint, rule, run, x, end);
    }
}

static void covered(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run)
{
    mark_covered(lint, rule, run, false);
}

static void overrunning(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run)
{
    mark_covered(lint, rule, run, true);
}

/* --------------------------------------------------------------------------------- the same in front */

static bool wants_doubled(tm_layer_kind kind, uint8_t index)
{
    return kind == TM_LAYER_FRONT && acts_on_touch(kind, index);
}

static bool game_has_it(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return tmi_lint_game_index(lint, run->kind, x, run->y) == run->index;
}

/* ---------------------------------------------------------------------------- bytes that nobody reads */

static bool wants_unturned(tm_layer_kind kind, uint8_t index)
{
    const tm_tile_info *tile = tm_game_tile(TM_GAME_DDNET, kind, index);
    if (!tile || tm_game_layer(kind)->flags_at == TM_NONE)
        return false;
    return kind == TM_LAYER_SWITCH ? !tile->keeps_flags
                                   : tile->turn == TM_TURN_NONE || tile->turn == TM_TURN_SPIN;
}

static bool idle_flags(const tmi_lint_run *run)
{
    return run->tile[tm_game_layer(run->kind)->flags_at] & (uint8_t)~TM_TILE_OPAQUE;
}

/* For teleporters back to checkpoints DDNet's editor writes 255. */
static bool wants_unnumbered(tm_layer_kind kind, uint8_t index)
{
    const tm_tile_info *tile = tm_game_tile(TM_GAME_DDNET, kind, index);
    return kind == TM_LAYER_SWITCH && tile && tile->number == TM_NUMBER_NONE;
}

static bool idle_number(const tmi_lint_run *run)
{
    return tmi_lint_run_number(run);
}

static bool wants_undelayed(tm_layer_kind kind, uint8_t index)
{
    const tm_tile_info *tile = tm_game_tile(TM_GAME_DDNET, kind, index);
    return kind == TM_LAYER_SWITCH && tile && tile->delay == TM_DELAY_NONE;
}

static bool idle_delay(const tmi_lint_run *run)
{
    return tmi_lint_run_delay(run);
}

/* --------------------------------------------------------------------------------------- hook-through */

static bool cuts_nothing(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return run->kind == TM_LAYER_GAME || !tmi_lint_lies_in_wall(lint, run, x);
}

/* Corners of what is drawn around a wall are fine, too. */
static bool has_wall_around(const tmi_lint *lint, uint32_t x, uint32_t y)
{
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (tmi_lint_is_wall(tmi_lint_index_at(lint, TM_LAYER_GAME, (int64_t)x + dx, (int64_t)y + dy)))
                return true;
    return false;
}

/* Whether it is no part of an area that was drawn up to a wall, as a way of three tiles is. */
static bool ends_without_wall(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const int64_t to_x = (int64_t)x + dx, to_y = (int64_t)run->y + dy;
            if (tmi_lint_index_at(lint, run->kind, to_x, to_y) == run->index &&
                has_wall_around(lint, (uint32_t)to_x, (uint32_t)to_y))
                return false;
        }
    return true;
}

/* Whether the game layer has what movers move; elsewhere they are arrows for players who look at entities. */
static bool carries_in_front(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    const tm_tile_info *game =
        tm_game_tile(TM_GAME_DDNET, TM_LAYER_GAME, tmi_lint_game_index(lint, run->kind, x, run->y));
    return game && (game->category == TM_CATEGORY_PICKUP || game->category == TM_CATEGORY_LASER ||
                    game->category == TM_CATEGORY_DRAGGER || game->category == TM_CATEGORY_TURRET);
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(UNKNOWN_TILE, RACES, PHYSICS, false, "A tile has an unknown index.",
                   "It does nothing now, but a later version may give the index a meaning.",
                   "Remove the tile: teemap edit 'replace unknown with air'.",
                   "DDNet's mapitems.cpp; ddnet 582"),
     .wants = wants_unknown, .phrase = "without a meaning", TMI_LINT_FIX("replace unknown with air", true),
     .own_fixes = true, .by_games = true},
    {TMI_LINT_RULE(
         FOREIGN_TILE, RACES, PHYSICS, false, "A tile is in a layer in which it has no meaning.",
         "It does nothing there, but would in another layer.",
         "Move it to its layer, or remove it. Old DDRace maps draw boosters this way, under speedups.",
         "DDNet's mapitems.cpp"),
     .wants = wants_foreign, .phrase = "with a meaning in other layers only", .by_games = true},
    {TMI_LINT_RULE(LATER_TILE, FIGHTS, PHYSICS, false, "A tile is not part of Teeworlds.",
                   "Teeworlds treats it as air; on DDNet servers it may have an effect.", "Remove the tile.",
                   "docs/format.md 3.1"),
     .wants = wants_later, .phrase = "that Teeworlds does not know", .by_games = true},
    {TMI_LINT_RULE(
         TILE_IN_WALL, RACES, PHYSICS, false,
         "A tile that acts when it is touched is inside a wall, and not at the end of a line.",
         "Nobody can touch it: a part was painted over, or the wall is wrong. It is a note if all are deep in "
         "walls or in walls made for them, as signs are, if there are more than 1000, as in pictures for players who look at "
         "entities, and if four of five such tiles are in walls, at ten places or more: a mod gives them a meaning.",
         "Remove the tile or the wall.", "KoG's rules; DDNet's testers"),
     .wants = wants_touched, .see = covered, .late_tele = true,
     .phrase = "in walls, out of everybody's reach", .may_be_art = true},
    {TMI_LINT_RULE(SAME_IN_FRONT, TM_LINT_STYLE, PHYSICS, false,
                   "The front layer repeats a tile of the game layer.", "It has no additional effect.",
                   "Remove it from the front layer.", "DDNet's testers"),
     TMI_LINT_EXCEPT(TM_LINT_MODS), .wants = wants_doubled, .fits = game_has_it,
     .phrase = "that the game layer has at the same place"},
    {TMI_LINT_RULE(IDLE_FLAGS, TM_LINT_STYLE, PHYSICS, false,
                   "A tile is rotated or mirrored although this has no effect.",
                   "It has no effect and confuses readers of the map.", "teemap edit 'zero unused'.",
                   "twmap-check-ddnet"),
     TMI_LINT_EXCEPT(TM_LINT_MODS), .wants = wants_unturned, .errs = idle_flags,
     .phrase = "turned or mirrored without effect"},
    {TMI_LINT_RULE(IDLE_NUMBER, TM_LINT_STYLE, PHYSICS, false, "A tile has a number that it does not use.",
                   "The tile seems to listen to a switch.", "Set the number to 0.", "DDNet's mapitems.cpp"),
     TMI_LINT_EXCEPT(TM_LINT_MODS), .wants = wants_unnumbered, .errs = idle_number,
     .phrase = "with a number that does nothing"},
    {TMI_LINT_RULE(IDLE_DELAY, TM_LINT_STYLE, PHYSICS, false, "A tile has a delay that it does not use.",
                   "The tile seems to act for some time.", "Set the delay to 0.", "DDNet's mapitems.cpp"),
     TMI_LINT_EXCEPT(TM_LINT_MODS), .wants = wants_undelayed, .errs = idle_delay,
     .phrase = "with a delay that does nothing"},
    {TMI_LINT_RULE(CUT_WITHOUT_WALL, RACES, PHYSICS, false,
                   "A hook-through of index 5 is not in the front layer over a wall.",
                   "It has no effect, because there is no wall, or because it is in the game layer.",
                   "Place the wall in the game layer and 5 in front of it.", "twmap-check-ddnet"),
     TMI_LINT_TILES(TMI_LINT_PLAYED, THROUGH_CUT, THROUGH_CUT), .fits = cuts_nothing,
     .phrase = "not in front of a wall"},
    {TMI_LINT_RULE(THROUGH_WITHOUT_WALL, RACES, PHYSICS, false,
                   "A hook-through of index 6 is not next to a wall.", "It only affects walls next to it.",
                   "Place it next to the wall, on the side of the hooks.", "twmap-check-ddnet"),
     TMI_LINT_TILES(TMI_LINT_PLAYED, THROUGH, THROUGH), .fits = ends_without_wall,
     .phrase = "beside no wall"},
    {TMI_LINT_RULE(
         MOVER_IN_FRONT, RACES, PHYSICS, false,
         "A mover is in the front layer, under something that it would move.",
         "The games only use movers of the game layer. It is a note if the layer has more than 1000, as in "
         "pictures for players who look at entities.",
         "Put the mover into the game layer, and what it moves into the front layer.",
         "DDNet's collision.cpp"),
     TMI_LINT_TILES(TMI_LINT_LAYER(FRONT), MOVER_SLOW, MOVER_FAST), .fits = carries_in_front,
     .phrase = "in the front layer, of no effect there", .by_games = true, .many_are_art = true},
    {TMI_LINT_RULE(LINE_IN_WALL, RACES, PHYSICS, false,
                   "A line or an area of tiles that act when they are touched extends into a wall.",
                   "Nobody can touch its end: it was drawn a little too far, which does no harm.",
                   "Remove the end.", "KoG's rules; DDNet's testers"),
     .wants = wants_touched, .see = overrunning, .late_tele = true,
     .phrase = "at ends of lines that go on into walls"},
    {TMI_LINT_RULE(THROUGH_OLD, TM_LINT_STYLE, PHYSICS, false, "A hook-through has the old index 6.",
                   "It is deprecated, because players do not see which walls it opens.",
                   "Use index 5 in front of walls, or 66 and 67, which open the wall that they are on.",
                   "twmap-check-ddnet"),
     TMI_LINT_EXCEPT(TM_LINT_MODS), TMI_LINT_TILES(TMI_LINT_PLAYED, THROUGH, THROUGH),
     .phrase = "of the old kind"},
};
TMI_LINT_FAMILY(tmi_lint_tiles, rows);
