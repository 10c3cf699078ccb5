/* SPDX-License-Identifier: Zlib */
/*
 * Rules of teleporters and the checkpoints to which they lead back: numbers without their other half, exits
 * in bad places. Numbers of teleporters and of checkpoints are two pools (docs/format.md section 3.2).
 */
#include "lint.h"

#define RACES (TM_LINT_DDNET | TM_LINT_KOG)

static bool is_in(uint8_t index)
{
    return index == TM_TILE_TELE_IN_EVIL || index == TM_TILE_TELE_IN_WEAPON ||
           index == TM_TILE_TELE_IN_HOOK || index == TM_TILE_TELE_IN;
}

static bool is_out(uint8_t index)
{
    return index == TM_TILE_TELE_OUT;
}

static bool is_checkpoint(uint8_t index)
{
    return index == TM_TILE_TELE_CHECKPOINT;
}

static bool is_checkpoint_out(uint8_t index)
{
    return index == TM_TILE_TELE_CHECKPOINT_OUT;
}

static bool has_number(uint8_t index)
{
    return is_in(index) || is_out(index) || is_checkpoint(index) || is_checkpoint_out(index);
}

static bool is_return(uint8_t index)
{
    return index == TM_TILE_TELE_CHECKPOINT_IN || index == TM_TILE_TELE_CHECKPOINT_IN_EVIL;
}

static const tmi_lint_numbered ins = {TM_LAYER_TELE, is_in}, outs = {TM_LAYER_TELE, is_out},
                               checkpoints = {TM_LAYER_TELE, is_checkpoint},
                               checkpoint_outs = {TM_LAYER_TELE, is_checkpoint_out},
                               numbered = {TM_LAYER_TELE, has_number}, returns = {TM_LAYER_TELE, is_return};

/* ----------------------------------------------------------------------------------------- teleporters */

static tm_tile_category category_at(const tmi_lint *lint, tm_layer_kind kind, int64_t x, int64_t y)
{
    const tm_tile_info *tile = tm_game_tile(TM_GAME_DDNET, kind, tmi_lint_index_at(lint, kind, x, y));
    return tile ? tile->category : TM_CATEGORY_AIR;
}

static bool is_air(const tmi_lint *lint, tm_layer_kind kind, int64_t x, int64_t y)
{
    const tm_tile_category category = category_at(lint, kind, x, y);
    return category == TM_CATEGORY_AIR || category == TM_CATEGORY_SIGN;
}

/*
 * Whether it is there to be read, not used: nothing else is around, so that players get past, and it is a
 * checkpoint, or a letter under a sign that asks to hide entities.
 */
static bool is_sign(const tmi_lint *lint, const tmi_lint_point *run)
{
    for (int64_t y = (int64_t)run->y - 1; y <= (int64_t)run->y + 1; y++)
        for (int64_t x = (int64_t)run->x0 - 1; x <= (int64_t)run->x1; x++)
            if (!is_air(lint, TM_LAYER_GAME, x, y) || !is_air(lint, TM_LAYER_FRONT, x, y) ||
                (tmi_lint_index_at(lint, TM_LAYER_TELE, x, y) != run->index &&
                 !is_air(lint, TM_LAYER_TELE, x, y)))
                return false;
    return run->index == TM_TILE_TELE_CHECKPOINT ||
           category_at(lint, TM_LAYER_FRONT, run->x0, run->y) == TM_CATEGORY_SIGN;
}

/* Whether each teleporter of a pool that has this number is a sign. */
static bool all_are_signs(const tmi_lint *lint, const tmi_lint_numbered *pool, uint32_t number)
{
    for (size_t i = 0; i < lint->reach->num_points; i++) {
        const tmi_lint_point *point = &lint->reach->points[i];
        if (point->tele && point->number == number && pool->fits(point->index) && !is_sign(lint, point))
            return false;
    }
    return true;
}

/*
 * Whether the tele layer has one number on hundreds of tiles, and no exit, in a map without the lines of a
 * race: to a mod they mark zones.
 */
static bool marks_zones(const tmi_lint *lint, const uint64_t num[TMI_LINT_NUMBERS])
{
    enum { HUNDREDS = 200 };
    uint32_t different = 0;
    uint64_t sum = 0;
    for (uint32_t n = 0; n < TMI_LINT_NUMBERS; n++) {
        different += num[n] != 0;
        sum += num[n];
    }
    return different == 1 && sum >= HUNDREDS && !tmi_lint_has_line(lint, TM_TILE_START) &&
           !tmi_lint_has_line(lint, TM_TILE_FINISH) &&
           !tmi_lint_num_tiles(lint, TM_LAYER_TELE, TM_TILE_TELE_OUT);
}

static void tele_without_out(tmi_lint *lint, uint32_t rule)
{
    const bool known = lint->reach && lint->reach->known;
    uint64_t num[TMI_LINT_NUMBERS];
    tmi_lint_sum_numbers(num, lint, &ins);
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++) {
        if (!num[n] || tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_OUT, (uint8_t)n))
            continue;
        tmi_lint_note *note = tmi_lint_note_number(lint, rule, &ins, (int)n);
        /* as far as is known; those of hooks and shots nobody enters */
        const bool entered = known && lint->reach->teleporters[n],
                   shot = tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_IN_WEAPON, (uint8_t)n) ||
                          tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_IN_HOOK, (uint8_t)n);
        if (note && marks_zones(lint, num))
            note->at_worst = TM_SEVERITY_NOTE;
        else if (note && known && !shot && (!entered || all_are_signs(lint, &ins, n)))
            note->at_worst = TM_SEVERITY_NOTE;
        else if (note && !entered)
            note->at_worst = TM_SEVERITY_WARNING;
    }
}

static void single_out(tmi_lint *lint, uint32_t rule)
{
    enum { LONG = 60 }; /* bytes of the list of numbers; the others are ... */
    tmi_line numbers = {.length = 0};
    tmi_lint_note *note = NULL;
    bool more = false;
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++) {
        if (tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_OUT, (uint8_t)n) != 1)
            continue;
        if (!note)
            note = tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_TELE), "%s", "");
        if (!note)
            return;
        tmi_lint_request_tiles(lint, note, TM_LAYER_TELE, TM_TILE_TELE_OUT, (int)n);
        more = numbers.length >= LONG;
        if (!more)
            tmi_line_add(&numbers, "%s%u", numbers.length ? ", " : "", (unsigned)n);
    }
    if (note)
        tmi_format(note->text, sizeof(note->text), "there is only one exit for each of the numbers %s%s",
                   numbers.text, more ? ", ..." : "");
}

static void blue_tele(tmi_lint *lint, uint32_t rule)
{
    const uint64_t num = tmi_lint_num_tiles(lint, TM_LAYER_TELE, TM_TILE_TELE_IN) +
                         tmi_lint_num_tiles(lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT_IN);
    if (!num)
        return;
    tmi_lint_note *note =
        tmi_lint_note_add(lint, rule, tmi_lint_layer_address(lint, TM_LAYER_TELE),
                          "%u tile%s of blue teleporters", (unsigned)num, num == 1 ? "" : "s");
    tmi_lint_request_tiles(lint, note, TM_LAYER_TELE, TM_TILE_TELE_IN, -1);
    tmi_lint_request_tiles(lint, note, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT_IN, -1);
}

/* --------------------------------------------------------------------------------------- bad exits */

static bool wants_exit(tm_layer_kind kind, uint8_t index)
{
    return kind == TM_LAYER_TELE && (is_out(index) || is_checkpoint_out(index));
}

static bool exit_in_freeze(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return tmi_lint_is_for_players(lint, run) && tmi_lint_lies_in_freeze(lint, run, x);
}

static void exit_in_wall(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run)
{
    for (uint32_t x = run->x0; tmi_lint_is_for_players(lint, run) && x < run->x1; x++)
        if (tmi_lint_lies_in_wall(lint, run, x))
            tmi_lint_mark_in_wall(lint, rule, run, x, x + 1);
}

/* Whether an exit kills: it is on death, or but for one tile only death and walls are around it. */
static bool is_deadly(const tmi_lint *lint, uint32_t x, uint32_t y)
{
    uint32_t num_free = 0, num_death = 0;
    for (uint32_t i = 0; i < 9; i++) {
        const uint8_t index =
            tmi_lint_index_at(lint, TM_LAYER_GAME, (int64_t)x + i % 3 - 1, (int64_t)y + i / 3 - 1);
        num_death += index == TM_TILE_DEATH;
        num_free += i != 4 && index != TM_TILE_DEATH && !tmi_lint_is_wall(index);
    }
    return (num_death && num_free < 2) || tmi_lint_game_index(lint, TM_LAYER_TELE, x, y) == TM_TILE_DEATH;
}

/* Looks once which numbers have an exit that does not kill. */
static void find_safe_exits(tmi_lint *lint)
{
    const tm_grid *grid = &lint->layers[TM_LAYER_TELE].grid;
    lint->exits_known = true;
    for (uint32_t y = 0; y < grid->height; y++) {
        const tm_tele_tile *row = (const void *)((const uint8_t *)grid->tiles + (size_t)y * grid->row_stride);
        for (uint32_t x = 0; x < grid->width; x++)
            if (wants_exit(TM_LAYER_TELE, row[x].type) && !is_deadly(lint, x, y))
                lint->safe_exits[row[x].type == TM_TILE_TELE_CHECKPOINT_OUT][row[x].number] = true;
    }
}

/* Where all exits of a number are on death they are meant to kill; one of several is a fault. */
static void exit_on_death(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run)
{
    if (!lint->exits_known)
        find_safe_exits(lint);
    const uint8_t number = tmi_lint_run_number(run);
    if (!tmi_lint_is_for_players(lint, run) ||
        !lint->safe_exits[run->index == TM_TILE_TELE_CHECKPOINT_OUT][number])
        return;
    for (uint32_t x = run->x0; x < run->x1; x++)
        if (tmi_lint_game_index(lint, run->kind, x, run->y) == TM_TILE_DEATH)
            tmi_lint_mark(lint, rule, run, x, x + 1);
}

/* ----------------------------------------------------------------------------------------- checkpoints */

static void checkpoint_without_out(tmi_lint *lint, uint32_t rule)
{
    const bool known = lint->reach && lint->reach->known;
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++) {
        if (!tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT, (uint8_t)n) ||
            tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT_OUT, (uint8_t)n) ||
            (known && !lint->reach->checkpoints[n]))
            continue;
        tmi_lint_note *note = tmi_lint_note_number(lint, rule, &checkpoints, (int)n);
        if (note && known && all_are_signs(lint, &checkpoints, n))
            note->at_worst = TM_SEVERITY_NOTE;
    }
}

/* Where no checkpoint has an exit either, their numbers may be signs for players who look at entities. */
static void no_way_to_checkpoint(tmi_lint *lint, uint32_t rule)
{
    tmi_lint_judge_any(lint, rule);
    if (lint->rules[rule].last && !tmi_lint_num_tiles(lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT_OUT))
        lint->rules[rule].last->at_worst = TM_SEVERITY_NOTE;
}

/* A checkpoint without an exit of its own leads to the next one below that has some. */
static bool is_led_to(const tmi_lint *lint, uint32_t number)
{
    for (uint32_t n = number; n < TMI_LINT_NUMBERS; n++) {
        if (n > number && tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT_OUT, (uint8_t)n))
            return false;
        if (tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT, (uint8_t)n))
            return true;
    }
    return false;
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         TELE_WITHOUT_OUT, RACES, PHYSICS, false, "Teleporters have a number without an exit.",
         "They do nothing: players who should be sent back continue. It is a warning for teleporters of hooks "
         "and weapons, and if it is unknown whether players can enter them; a note if they cannot, for "
         "letters in the air, under signs that ask to hide entities, and where one number on hundreds of tiles, "
         "without a start and a finish, marks zones of a mod.",
         "Place an exit with this number, or correct the number.", "libtw2 ddnet_emptytele"),
     .ways = true, .judge = tele_without_out, .phrase = "teleporters with number # have no exit",
     .may_be_art = true, .by_games = true},
    {TMI_LINT_RULE(OUT_WITHOUT_TELE, RACES, PHYSICS, false, "Exits have a number that no teleporter has.",
                   "Nobody ever comes out there.",
                   "Place a teleporter with this number, or remove the exits.", "libtw2 ddnet_emptytele"),
     .judge = tmi_lint_judge_numbers, .having = &outs, .lacking = &ins,
     .phrase = "no teleporter leads to the exits with number #"},
    {TMI_LINT_RULE(
         TELE_NUMBER_ZERO, RACES, PHYSICS, false, "Teleporters, exits or checkpoints have the number 0.",
         "0 is not a valid number: they do nothing.", "Give them a number.", "DDNet's collision.cpp"),
     .judge = tmi_lint_judge_zero, .having = &numbered,
     .phrase = "teleporters, exits or checkpoints have the number 0"},
    {TMI_LINT_RULE(
         OUT_IN_WALL, RACES, PHYSICS, false, "An exit for players is in a wall.",
         "Players who come out there are stuck. It is a note if they are deep in walls, or in a wall made "
         "for them alone.",
         "Move the exit, or remove the wall.", "testers of DDNet"),
     .wants = wants_exit, .late = true, .see = exit_in_wall,
     .phrase = "in walls, from which nobody gets out"},
    {TMI_LINT_RULE(
         OUT_ON_DEATH, RACES, PHYSICS, true, "One of several exits for players is on death tiles.",
         "Players who come out there die at once. If all exits of a number are on death, this is intended and not "
         "reported.",
         "Move the exit.", "testers of DDNet"),
     .wants = wants_exit, .late = true, .see = exit_on_death, .phrase = "on death"},
    {TMI_LINT_RULE(SINGLE_OUT, TM_LINT_STYLE, PHYSICS, true, "A teleporter has only one exit.",
                   "Players of different teams block each other there.",
                   "Place more exits with the same number.", "DDNet's rules"),
     TMI_LINT_EXCEPT(TM_LINT_SOLO | TM_LINT_MODS), .judge = single_out},
    {TMI_LINT_RULE(
         BLUE_TELE, TM_LINT_STYLE, PHYSICS, true, "There are blue teleporters.",
         "They keep speed and hook, which often makes it possible to skip a part; DDNet prefers red ones.",
         "Use red teleporters, unless keeping the speed is intended.", "DDNet's rules"),
     TMI_LINT_EXCEPT(TM_LINT_MODS), .judge = blue_tele},
    {TMI_LINT_RULE(
         CHECKPOINT_WITHOUT_OUT, RACES, PHYSICS, false, "A reachable checkpoint has no exit with its number.",
         "Players are teleported to an earlier checkpoint, or to the spawn. It is a note where all are in "
         "the open air, as signs are.",
         "Place a checkpoint exit with this number, or correct the number.", "libtw2 ddnet_emptytele"),
     .ways = true, .judge = checkpoint_without_out,
     .phrase = "checkpoint # has no exit: one comes out at an earlier one, or at a spawn"},
    {TMI_LINT_RULE(OUT_WITHOUT_CHECKPOINT, RACES, PHYSICS, false, "No checkpoint leads to a checkpoint exit.",
                   "Nobody ever comes out there.",
                   "Place a checkpoint with this number, or remove the exits.", "libtw2 ddnet_emptytele"),
     .judge = tmi_lint_judge_numbers, .having = &checkpoint_outs, .unless = is_led_to,
     .phrase = "no checkpoint leads to the exits with number #"},
    {TMI_LINT_RULE(NO_WAY_TO_CHECKPOINT, RACES, PHYSICS, false,
                   "There are checkpoints, but no teleporter back to the last checkpoint.",
                   "The checkpoints have no effect. It is a note if none has an exit.",
                   "Place teleporters to the last checkpoint (31 or 63).", "libtw2 ddnet_emptytele"),
     .judge = no_way_to_checkpoint, .having = &checkpoints, .lacking = &returns,
     .phrase = "there are checkpoints, but no teleporter back to them"},
    {TMI_LINT_RULE(NO_CHECKPOINT, RACES, PHYSICS, false,
                   "Teleporters lead to the last checkpoint, but none has an exit.",
                   "They lead to the spawn, which may be intended.",
                   "Place checkpoints (29) and their exits (30).", "libtw2 ddnet_emptytele"),
     .judge = tmi_lint_judge_any, .having = &returns, .lacking = &checkpoint_outs,
     .phrase = "teleporters to the last checkpoint lead to the spawn: no checkpoint has an exit"},
    {TMI_LINT_RULE(OUT_IN_FREEZE, RACES, PHYSICS, true, "An exit for players is in freeze.",
                   "Players who come out there cannot move until somebody helps, which may be intended.",
                   "Move the exit, or remove the freeze.", "DDNet's testers"),
     .wants = wants_exit, .late = true, .fits = exit_in_freeze, .phrase = "in freeze"},
};
TMI_LINT_FAMILY(tmi_lint_teleporters, rows);
