/* SPDX-License-Identifier: Zlib */
/*
 * Rules of switches and of all that listens to them, of doors and turning lasers.
 */
#include "lint.h"

#define RACES (TM_LINT_DDNET | TM_LINT_KOG)
/* Layers that make doors and lasers. */
#define ENTITIES (TMI_LINT_PLAYED | TMI_LINT_LAYER(SWITCH))

static bool is_setter(uint8_t index)
{
    return index >= TM_TILE_SWITCH_TIMED_OPEN && index <= TM_TILE_SWITCH_CLOSE;
}

/* Whether a tile of the switch layer does something only while its switch is on. */
static bool listens(uint8_t index)
{
    return !is_setter(index) && tmi_tile_pool(TM_LAYER_SWITCH, index) == TM_NUMBER_SWITCH;
}

static const tmi_lint_numbered setters = {TM_LAYER_SWITCH, is_setter}, listeners = {TM_LAYER_SWITCH, listens};

static bool is_named_switch(const tmi_lint *lint, uint32_t number)
{
    return lint->named[TM_NUMBER_SWITCH][number];
}

/* -------------------------------------------------------------------------------------------- delays */

/* Timed switches are another thing: with 0 seconds they are on, or off, while somebody stands on them. */
static bool no_seconds(const tmi_lint_run *run)
{
    return !tmi_lint_run_delay(run);
}

static bool wants_time(tm_layer_kind kind, uint8_t index)
{
    return kind == TM_LAYER_SWITCH && (index == TM_TILE_ADD_TIME || index == TM_TILE_SUBTRACT_TIME);
}

static bool no_time(const tmi_lint_run *run)
{
    return !tmi_lint_run_delay(run) && !tmi_lint_run_number(run);
}

static bool unknown_weapon(const tmi_lint_run *run)
{
    const uint8_t weapon = tmi_lint_run_delay(run); /* 0 hammer, 2 shotgun, 3 grenade launcher, 4 laser */
    return weapon == 1 || weapon > 4;
}

/* ------------------------------------------------------------------------------------ doors and lasers */

static bool is_length(uint8_t index)
{
    return index >= TM_TILE_LASER_SHORT && index <= TM_TILE_LASER_LONG;
}

static bool is_turning(uint8_t index)
{
    return index >= TM_TILE_LASER_FAST_CCW && index <= TM_TILE_LASER_FAST_CW;
}

static bool has_length(uint8_t index)
{
    return is_turning(index) || index == TM_TILE_DOOR;
}

/* Whether one of the eight tiles at a distance of the same layer fits. */
static bool any_around(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x, int distance,
                       bool (*fits)(uint8_t index))
{
    for (int64_t dy = -distance; dy <= distance; dy += distance)
        for (int64_t dx = -distance; dx <= distance; dx += distance)
            if ((dx || dy) && fits(tmi_lint_index_at(lint, run->kind, x + dx, run->y + dy)))
                return true;
    return false;
}

static bool lacks_length(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return !any_around(lint, run, x, 1, is_length);
}

static bool is_alone(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return !any_around(lint, run, x, 1, has_length);
}

static bool is_far_from_laser(const tmi_lint *lint, const tmi_lint_run *run, uint32_t x)
{
    return !any_around(lint, run, x, 2, is_turning);
}

static bool door_without_layer(tmi_lint_object *object)
{
    tmi_format(object->fix, sizeof(object->fix), "add layer %u switch",
               (unsigned)object->lint->layers[TM_LAYER_GAME].group);
    return tmi_lint_num_played(object->lint, TM_TILE_DOOR) && !object->lint->layers[TM_LAYER_SWITCH].layer;
}

/* Where everything that listens has a switch, too many switches are no slip in a number. */
static void switch_without_listener(tmi_lint *lint, uint32_t rule)
{
    uint64_t listen[TMI_LINT_NUMBERS], set[TMI_LINT_NUMBERS];
    bool all_have = true;
    tmi_lint_sum_numbers(listen, lint, &listeners);
    tmi_lint_sum_numbers(set, lint, &setters);
    for (uint32_t n = 1; n < TMI_LINT_NUMBERS; n++)
        all_have &= !listen[n] || set[n] || is_named_switch(lint, n);
    tmi_lint_judge_numbers(lint, rule);
    for (tmi_lint_note *note = all_have ? lint->rules[rule].notes : NULL; note; note = note->next)
        note->at_worst = TM_SEVERITY_NOTE;
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(
         SWITCH_WITHOUT_LISTENER, RACES, PHYSICS, false, "Nothing listens to the number of a switch.",
         "Touching it has no effect. It is a note if all that listens has switches: none of it has a wrong number.",
         "Give this number to doors, turrets or freeze of the switch layer, or correct it.",
         "libtw2 properties"),
     .judge = switch_without_listener, .having = &setters, .lacking = &listeners,
     .phrase = "nothing listens to switch #", .by_games = true, .may_be_art = true},
    {TMI_LINT_RULE(LISTENER_WITHOUT_SWITCH, RACES, PHYSICS, true,
                   "Tiles listen to a number that neither a switch nor the setting switch_open has.",
                   "They are always on, as with number 0.", "Place the switch, or set the number to 0.",
                   "libtw2 properties"),
     .judge = tmi_lint_judge_numbers, .having = &listeners, .lacking = &setters, .unless = is_named_switch,
     .phrase = "no tile switches #, to which something listens"},
    {TMI_LINT_RULE(SWITCH_NUMBER_ZERO, RACES, PHYSICS, false, "A switch has the number 0.",
                   "0 is not a valid number: touching it has no effect.", "Give it a number.",
                   "DDNet's character.cpp"),
     .judge = tmi_lint_judge_zero, .having = &setters, .phrase = "switches have the number 0",
     .by_games = true},
    {TMI_LINT_RULE(FREEZE_WITHOUT_TIME, RACES, PHYSICS, false,
                   "Freeze of the switch layer has a duration of 0.", "Freeze of 0 seconds does nothing.",
                   "Set the delay to a number of seconds, usually 3.", "DDNet's character.cpp"),
     TMI_LINT_TILES(TMI_LINT_LAYER(SWITCH), FREEZE, FREEZE), .errs = no_seconds,
     .phrase = "with a delay of 0 seconds"},
    {TMI_LINT_RULE(TIME_OF_ZERO, RACES, PHYSICS, false, "A time penalty or bonus is 0.", "It does nothing.",
                   "Set the delay to minutes or the number to seconds.", "DDNet's character.cpp"),
     .wants = wants_time, .errs = no_time, .phrase = "of no time at all"},
    {TMI_LINT_RULE(UNKNOWN_WEAPON, RACES, PHYSICS, false,
                   "A tile that switches hitting has the number of a weapon that does not exist.",
                   "It does nothing.",
                   "Set the delay to 0 (hammer), 2 (shotgun), 3 (grenade launcher) or 4 (laser).",
                   "DDNet's character.cpp"),
     TMI_LINT_TILES(TMI_LINT_LAYER(SWITCH), HIT_ENABLE, HIT_DISABLE), .errs = unknown_weapon,
     .phrase = "with a weapon (delay) that is not 0, 2, 3 or 4"},
    {TMI_LINT_RULE(DOOR_WITHOUT_LAYER, RACES, PHYSICS, false, "There are doors, but no switch layer.",
                   "DDNet draws the doors, but they do not stop anybody.",
                   "Add a switch layer; it may be empty.", "DDNet's collision.cpp"),
     TMI_LINT_FIX("add layer", false), .own_fixes = true, .objects = TMI_LINT_AT(MAP),
     .look = door_without_layer,
     .phrase = "there are doors, but no switch layer: they let everything through", .by_games = true},
    {TMI_LINT_RULE(DOOR_WITHOUT_LENGTH, RACES, PHYSICS, false, "A door has no length next to it.",
                   "Without a length (210 to 212) in one of the eight tiles around there is no door.",
                   "Place a length in the direction of the door, in the same layer.",
                   "DDNet's gamecontroller.cpp"),
     TMI_LINT_TILES(ENTITIES, DOOR, DOOR), .fits = lacks_length, .phrase = "without a length beside",
     .by_games = true},
    {TMI_LINT_RULE(LASER_WITHOUT_LENGTH, RACES, PHYSICS, false, "A rotating laser has no length next to it.",
                   "Without a length (210 to 212) in one of the eight tiles around there is no laser.",
                   "Place a length next to it, in the same layer.", "DDNet's gamecontroller.cpp"),
     TMI_LINT_TILES(ENTITIES, LASER_FAST_CCW, LASER_FAST_CW), .fits = lacks_length,
     .phrase = "without a length beside", .by_games = true},
    {TMI_LINT_RULE(ORPHAN_LENGTH, RACES, PHYSICS, false, "A length is not next to a door or laser.",
                   "It does nothing.", "Place the door or laser in the same layer, or remove the length.",
                   "DDNet's gamecontroller.cpp"),
     TMI_LINT_TILES(ENTITIES, LASER_SHORT, LASER_LONG), .fits = is_alone,
     .phrase = "beside no door and no turning laser"},
    {TMI_LINT_RULE(LONE_CHANGE, RACES, PHYSICS, false,
                   "A tile that changes the length of a laser is not two tiles from a laser.",
                   "It does nothing.",
                   "Place it after the length: laser, length, change of length in one line.",
                   "DDNet's gamecontroller.cpp"),
     TMI_LINT_TILES(ENTITIES, LASER_CLOSE_SLOW, LASER_OPEN_FAST), .fits = is_far_from_laser,
     .phrase = "not two tiles from a turning laser"},
};
TMI_LINT_FAMILY(tmi_lint_switches, rows);
