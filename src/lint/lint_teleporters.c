/* SPDX-License-Identifier: Zlib */
/*
 * Rules of teleporters and the checkpoints to which they lead back: numbers without their other half, exits
 * in bad places. Numbers of teleporters and of checkpoints are two pools (docs/format.md section 3.2).
 */
#include "lint.h"

#define RACES (TM_LINT_DDNET | TM_LINT_KOG)

static const uint8_t ins[] = {TM_TILE_TELE_IN_EVIL, TM_TILE_TELE_IN_WEAPON, TM_TILE_TELE_IN_HOOK,
                              TM_TILE_TELE_IN};
static const uint8_t numbered[] = {
    TM_TILE_TELE_IN_EVIL, TM_TILE_TELE_IN_WEAPON,  TM_TILE_TELE_IN_HOOK,       TM_TILE_TELE_IN,
    TM_TILE_TELE_OUT,     TM_TILE_TELE_CHECKPOINT, TM_TILE_TELE_CHECKPOINT_OUT};
static const uint8_t returns[] = {TM_TILE_TELE_CHECKPOINT_IN, TM_TILE_TELE_CHECKPOINT_IN_EVIL};

static uint64_t count(const tmi_lint *lint, const uint8_t *indices, size_t num, uint8_t number)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < num; i++)
        sum += tmi_lint_num_numbered(lint, TM_LAYER_TELE, indices[i], number);
    return sum;
}

static uint64_t count_any(const tmi_lint *lint, const uint8_t *indices, size_t num)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < num; i++)
        sum += tmi_lint_num_tiles(lint, TM_LAYER_TELE, indices[i]);
    return sum;
}

static void request_numbered(tmi_lint *lint, tmi_lint_note *note, const uint8_t *indices, size_t num,
                             int number)
{
    for (size_t i = 0; i < num; i++)
        tmi_lint_request_tiles(lint, note, TM_LAYER_TELE, indices[i], number);
}

static tm_address tele_layer(const tmi_lint *lint)
{
    return tmi_lint_layer_address(lint, TM_LAYER_TELE);
}

/* ----------------------------------------------------------------------------------------- teleporters */

/* As far as is known; those of hooks and shots nobody enters. */
static bool players_enter(const tmi_lint *lint, uint32_t number)
{
    return lint->reach && lint->reach->known && lint->reach->teleporters[number];
}

static void tele_without_out(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS && count_any(lint, ins, TMI_COUNT_OF(ins)); n++) {
        if (!count(lint, ins, TMI_COUNT_OF(ins), (uint8_t)n) ||
            tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_OUT, (uint8_t)n))
            continue;
        tmi_lint_note *note = tmi_lint_note_add(lint, rule, tele_layer(lint),
                                                "teleporters with number %u have no exit", (unsigned)n);
        if (note && !players_enter(lint, n))
            note->at_worst = TM_SEVERITY_WARNING;
        request_numbered(lint, note, ins, TMI_COUNT_OF(ins), (int)n);
    }
}

static void out_without_tele(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++) {
        if (!tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_OUT, (uint8_t)n) ||
            count(lint, ins, TMI_COUNT_OF(ins), (uint8_t)n))
            continue;
        tmi_lint_note *note = tmi_lint_note_add(
            lint, rule, tele_layer(lint), "no teleporter leads to the exits with number %u", (unsigned)n);
        tmi_lint_request_tiles(lint, note, TM_LAYER_TELE, TM_TILE_TELE_OUT, (int)n);
    }
}

static void tele_number_zero(tmi_lint *lint, uint32_t rule)
{
    if (!count(lint, numbered, TMI_COUNT_OF(numbered), 0))
        return;
    tmi_lint_note *note = tmi_lint_note_add(lint, rule, tele_layer(lint),
                                            "teleporters, exits or checkpoints have the number 0");
    request_numbered(lint, note, numbered, TMI_COUNT_OF(numbered), 0);
}

static void single_out(tmi_lint *lint, uint32_t rule)
{
    char numbers[TM_ERROR_TEXT_SIZE / 2] = "";
    size_t length = 0;
    tmi_lint_note *note = NULL;
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++) {
        if (tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_OUT, (uint8_t)n) != 1)
            continue;
        if (!note)
            note = tmi_lint_note_add(lint, rule, tele_layer(lint), "%s", "");
        if (!note)
            return;
        tmi_lint_request_tiles(lint, note, TM_LAYER_TELE, TM_TILE_TELE_OUT, (int)n);
        if (length < 60)
            length += tmi_format(numbers + length, sizeof(numbers) - length, "%s%u", length ? ", " : "",
                                 (unsigned)n);
        else if (numbers[length - 1] != '.')
            length += tmi_format(numbers + length, sizeof(numbers) - length, ", ...");
    }
    if (note)
        tmi_format(note->text, sizeof(note->text), "there is only one exit for each of the numbers %s",
                   numbers);
}

static void blue_tele(tmi_lint *lint, uint32_t rule)
{
    static const uint8_t blue[] = {TM_TILE_TELE_IN, TM_TILE_TELE_CHECKPOINT_IN};
    const uint64_t num = count_any(lint, blue, TMI_COUNT_OF(blue));
    if (!num)
        return;
    tmi_lint_note *note = tmi_lint_note_add(lint, rule, tele_layer(lint), "%u tile%s of blue teleporters",
                                            (unsigned)num, num == 1 ? "" : "s");
    request_numbered(lint, note, blue, TMI_COUNT_OF(blue), -1);
}

/* --------------------------------------------------------------------------------------- bad exits */

static bool wants_exit(tm_layer_kind kind, uint8_t index)
{
    return kind == TM_LAYER_TELE && (index == TM_TILE_TELE_OUT || index == TM_TILE_TELE_CHECKPOINT_OUT);
}

static bool leads_tees(const tmi_lint *lint, const tmi_lint_run *run)
{
    return run->index == TM_TILE_TELE_CHECKPOINT_OUT ||
           tmi_lint_leads_players(lint, run->tile[tm_game_layer(run->kind)->number_at]);
}

static bool exit_in_wall(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return leads_tees(lint, run) && tmi_lint_lies_in_wall(lint, run, x);
}

static bool exit_in_freeze(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return leads_tees(lint, run) && tmi_lint_lies_in_freeze(lint, run, x);
}

/* Looks once which numbers have an exit that does not kill. */
static void find_safe_exits(tmi_lint *lint)
{
    const tm_grid *grid = &lint->layers[TM_LAYER_TELE].grid;
    lint->exits_known = true;
    for (uint32_t y = 0; y < grid->height; y++) {
        const tm_tele_tile *row = (const void *)((const uint8_t *)grid->tiles + (size_t)y * grid->row_stride);
        for (uint32_t x = 0; x < grid->width; x++)
            if (wants_exit(TM_LAYER_TELE, row[x].type) &&
                tmi_lint_game_index(lint, TM_LAYER_TELE, x, y) != TM_TILE_DEATH)
                lint->safe_exits[row[x].type == TM_TILE_TELE_CHECKPOINT_OUT][row[x].number] = true;
    }
}

/* Where all exits of a number are on death they are meant to kill; one of several is a fault. */
static void exit_on_death(tmi_lint *lint, uint32_t rule, const tmi_lint_run *run)
{
    if (!lint->exits_known)
        find_safe_exits(lint);
    const uint8_t number = run->tile[tm_game_layer(run->kind)->number_at];
    if (!leads_tees(lint, run) || !lint->safe_exits[run->index == TM_TILE_TELE_CHECKPOINT_OUT][number])
        return;
    for (uint32_t x = run->x0; x < run->x1; x++)
        if (tmi_lint_game_index(lint, run->kind, x, run->y) == TM_TILE_DEATH)
            tmi_lint_mark(lint, rule, run, x, x + 1);
}

/* ----------------------------------------------------------------------------------------- checkpoints */

static uint64_t num_checkpoints(const tmi_lint *lint, uint32_t number)
{
    return tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT, (uint8_t)number);
}

static uint64_t num_checkpoint_outs(const tmi_lint *lint, uint32_t number)
{
    return tmi_lint_num_numbered(lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT_OUT, (uint8_t)number);
}

/* Nobody comes to this checkpoint, as far as that is known. */
static bool is_out_of_reach(const tmi_lint *lint, uint32_t number)
{
    return lint->reach && lint->reach->known && !lint->reach->checkpoints[number];
}

static void checkpoint_without_out(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++) {
        if (!num_checkpoints(lint, n) || num_checkpoint_outs(lint, n) || is_out_of_reach(lint, n))
            continue;
        tmi_lint_note *note =
            tmi_lint_note_add(lint, rule, tele_layer(lint),
                              "checkpoint %u has no exit: one comes out at an earlier one", (unsigned)n);
        tmi_lint_request_tiles(lint, note, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT, (int)n);
    }
}

/* A checkpoint without an exit of its own leads to the next one below that has some. */
static bool is_led_to(const tmi_lint *lint, uint32_t number)
{
    for (uint32_t n = number; n < TMI_LINT_NUMBERS; n++) {
        if (n > number && num_checkpoint_outs(lint, n))
            return false;
        if (num_checkpoints(lint, n))
            return true;
    }
    return false;
}

static void out_without_checkpoint(tmi_lint *lint, uint32_t rule)
{
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++) {
        if (!num_checkpoint_outs(lint, n) || is_led_to(lint, n))
            continue;
        tmi_lint_note *note = tmi_lint_note_add(
            lint, rule, tele_layer(lint), "no checkpoint leads to the exits with number %u", (unsigned)n);
        tmi_lint_request_tiles(lint, note, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT_OUT, (int)n);
    }
}

static void no_way_to_checkpoint(tmi_lint *lint, uint32_t rule)
{
    if (!tmi_lint_num_tiles(lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT) ||
        count_any(lint, returns, TMI_COUNT_OF(returns)))
        return;
    tmi_lint_note *note = tmi_lint_note_add(lint, rule, tele_layer(lint),
                                            "there are checkpoints, but no teleporter back to them");
    tmi_lint_request_tiles(lint, note, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT, -1);
}

static void no_checkpoint(tmi_lint *lint, uint32_t rule)
{
    if (!count_any(lint, returns, TMI_COUNT_OF(returns)) ||
        tmi_lint_num_tiles(lint, TM_LAYER_TELE, TM_TILE_TELE_CHECKPOINT_OUT))
        return;
    tmi_lint_note *note =
        tmi_lint_note_add(lint, rule, tele_layer(lint),
                          "teleporters to the last checkpoint lead to the spawn: no checkpoint has an exit");
    request_numbered(lint, note, returns, TMI_COUNT_OF(returns), -1);
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         TELE_WITHOUT_OUT, RACES, PHYSICS, false, "Teleporters have a number without an exit.",
         "They do nothing: players who should be sent back continue. It is a warning if no player can "
         "enter them, as far as is known, and for teleporters of hooks and weapons.",
         "Place an exit with this number, or correct the number.", "libtw2 ddnet_emptytele"),
     .ways = true, .judge = tele_without_out, .by_games = true},
    {TMI_LINT_RULE(OUT_WITHOUT_TELE, RACES, PHYSICS, false, "Exits have a number that no teleporter has.",
                   "Nobody ever comes out there.",
                   "Place a teleporter with this number, or remove the exits.", "libtw2 ddnet_emptytele"),
     .judge = out_without_tele},
    {TMI_LINT_RULE(
         TELE_NUMBER_ZERO, RACES, PHYSICS, false, "Teleporters, exits or checkpoints have the number 0.",
         "0 is not a valid number: they do nothing.", "Give them a number.", "DDNet's collision.cpp"),
     .judge = tele_number_zero},
    {TMI_LINT_RULE(OUT_IN_WALL, RACES, PHYSICS, false, "An exit for players is in a wall.",
                   "Players who come out there are stuck.", "Move the exit, or remove the wall.",
                   "testers of DDNet"),
     .wants = wants_exit, .late = true, .fits = exit_in_wall,
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
         "Players are teleported to an earlier checkpoint, or to the spawn.",
         "Place a checkpoint exit with this number, or correct the number.", "libtw2 ddnet_emptytele"),
     .ways = true, .judge = checkpoint_without_out},
    {TMI_LINT_RULE(OUT_WITHOUT_CHECKPOINT, RACES, PHYSICS, false, "No checkpoint leads to a checkpoint exit.",
                   "Nobody ever comes out there.",
                   "Place a checkpoint with this number, or remove the exits.", "libtw2 ddnet_emptytele"),
     .judge = out_without_checkpoint},
    {TMI_LINT_RULE(NO_WAY_TO_CHECKPOINT, RACES, PHYSICS, false,
                   "There are checkpoints, but no teleporter back to the last checkpoint.",
                   "The checkpoints have no effect.", "Place teleporters to the last checkpoint (31 or 63).",
                   "libtw2 ddnet_emptytele"),
     .judge = no_way_to_checkpoint},
    {TMI_LINT_RULE(NO_CHECKPOINT, RACES, PHYSICS, false,
                   "Teleporters lead to the last checkpoint, but none has an exit.",
                   "They lead to the spawn, which may be intended.",
                   "Place checkpoints (29) and their exits (30).", "libtw2 ddnet_emptytele"),
     .judge = no_checkpoint},
    {TMI_LINT_RULE(OUT_IN_FREEZE, RACES, PHYSICS, true, "An exit for players is in freeze.",
                   "Players who come out there cannot move until somebody helps, which may be intended.",
                   "Move the exit, or remove the freeze.", "DDNet's testers"),
     .wants = wants_exit, .late = true, .fits = exit_in_freeze, .phrase = "in freeze"},
};
TMI_LINT_FAMILY(tmi_lint_teleporters, rows);
