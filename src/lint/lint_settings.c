/* SPDX-License-Identifier: Zlib */
/*
 * Rules of settings: server commands that are unknown, have wrong values, or are repeated. A line may have
 * several commands, separated by semicolons; # begins a comment, as in the game's console.
 */
#include "lint.h"

#include <teemap/settings.h>

#define RACES (TM_LINT_DDNET | TM_LINT_KOG)

/* A command of a setting. */
struct tmi_lint_command {
    uint32_t line;    /* which line, from 1 as people count */
    const char *text; /* the line */
    const char *rest; /* of the line, behind the command */
    tmi_command parsed;
    const tm_setting_info *rule;
};

/* -------------------------------------------------------------------------------------------- reading */

static uint32_t num_commands(const char *text)
{
    tmi_command command;
    uint32_t num = 0;
    text = tmi_command_begin(text);
    while (tmi_command_next(&command, &text))
        num++;
    return num;
}

/* The next command of all settings; of a struct of zeros the first. */
static bool next_command(tmi_lint_command *command, const tm_info *info)
{
    while (!command->rest || !tmi_command_next(&command->parsed, &command->rest)) {
        if (command->line >= info->num_settings)
            return false;
        command->text = info->settings[command->line] ? info->settings[command->line] : "";
        command->rest = tmi_command_begin(command->text);
        command->line++;
    }
    return true;
}

/* The row of a setting that servers know: DDNet's, or those of the map's mod. */
static const tm_setting_info *find_setting(const tmi_lint *lint, const char *name)
{
    const tm_setting_info *row = tmi_game_setting(name);
    return row ? row : tmi_lint_mod_setting(lint, name);
}

void tmi_lint_see_commands(tmi_lint *lint)
{
    tmi_lint_command command = {.line = 0};
    while (next_command(&command, &lint->map->info)) {
        command.rule = find_setting(lint, command.parsed.words[0]);
        for (uint32_t rule = 0; rule < lint->num_rules; rule++)
            if (lint->rules[rule].row->command && tmi_lint_may_judge(lint, rule))
                lint->rules[rule].row->command(lint, rule, &command);
    }
}

/* ---------------------------------------------------------------------------------------------- notes */

static const tm_address at_settings = {TM_KIND_SETTINGS, 0, 0};

/* The operation that removes the line, if the line has no other command and can be written as an argument. */
static void fix_line(tmi_lint_note *note, const tmi_lint_command *command)
{
    if (note && num_commands(command->text) == 1 && !strpbrk(command->text, "*\"\\$") &&
        tmi_utf8_valid(command->text, strlen(command->text)))
        tmi_lint_note_fix(note, "settings remove \"%s\"", command->text);
}

/* The name of the tuning parameter that a word means; NULL: none is like it. */
static const char *nearest_tuning(const char *wrong)
{
    const char *name;
    tm_suggestion meant;
    tm_suggestion_begin(&meant, wrong);
    for (uint32_t n = 0; (name = tmi_game_tuning_at(n)); n++)
        tm_suggestion_try(&meant, name);
    return meant.best;
}

/* The name of the setting that a word means; NULL: none is like it. */
static const char *nearest_setting(const char *wrong)
{
    const tm_setting_info *row;
    tm_suggestion meant;
    tm_suggestion_begin(&meant, wrong);
    for (uint32_t n = 0; (row = tmi_game_setting_at(n)); n++)
        tm_suggestion_try(&meant, row->name);
    return meant.best;
}

/* Whether a name is suggested in a note of the rule: beyond a limit of notes not, because it is slow. */
static bool may_suggest(const tmi_lint *lint, uint32_t rule)
{
    return lint->rules[rule].num < lint->most;
}

static tmi_lint_note *note_unknown(tmi_lint *lint, uint32_t rule, const tmi_lint_command *command,
                                   const char *word, const char *kind, const char *nearest)
{
    return tmi_lint_note_add(lint, rule, at_settings, "line %u: '%s' is no %s%s%s%s", (unsigned)command->line,
                             word, kind, nearest ? "; perhaps '" : "", nearest ? nearest : "",
                             nearest ? "'" : "");
}

/* --------------------------------------------------------------------------------------- one command */

static const char kog_quests[] = "sv_kog_map_quests";

static void see_unknown(tmi_lint *lint, uint32_t rule, const tmi_lint_command *command)
{
    if (command->rule || tmi_game_is_setting_elsewhere(command->parsed.words[0]))
        return;
    const char *word = command->parsed.words[0],
               *nearest = may_suggest(lint, rule) ? nearest_setting(word) : NULL;
    tmi_lint_note *note = note_unknown(lint, rule, command, word, "setting of maps", nearest);
    if (note && !nearest && !strchr(word, '_')) /* a remark rather than a command */
        note->at_worst = TM_SEVERITY_NOTE;
    fix_line(note, command);
}

bool tmi_lint_has_odd_settings(const tmi_lint *lint)
{
    enum { ODD = 3, UNKNOWN = 50 }; /* UNKNOWN: names that are looked at, because suggesting is slow */
    char names[ODD][TMI_COMMAND_WORD_SIZE];
    tmi_lint_command command = {.line = 0};
    uint32_t num = 0, unknown = 0;
    while (num < ODD && unknown < UNKNOWN && next_command(&command, &lint->map->info)) {
        bool odd = !find_setting(lint, command.parsed.words[0]) &&
                   !tmi_game_is_setting_elsewhere(command.parsed.words[0]);
        for (uint32_t i = 0; i < num; i++)
            odd &= strcmp(names[i], command.parsed.words[0]) != 0;
        unknown += odd;
        if (odd && !nearest_setting(command.parsed.words[0]))
            memcpy(names[num++], command.parsed.words[0], TMI_COMMAND_WORD_SIZE);
    }
    return num == ODD;
}

/* The word that names a tuning parameter; NULL: the command has none. */
static const char *tuning_word(const tmi_lint_command *command)
{
    if (!command->rule || !command->rule->arguments)
        return NULL;
    const char *s = strchr(command->rule->arguments, 's');
    const size_t word = s ? (size_t)(s - command->rule->arguments) + 1 : 0;
    return s && strncmp(command->rule->name, "tune", 4) == 0 && word < command->parsed.num
               ? command->parsed.words[word]
               : NULL;
}

static void see_tuning(tmi_lint *lint, uint32_t rule, const tmi_lint_command *command)
{
    const char *word = tuning_word(command);
    if (word && !tmi_game_is_tuning(word))
        note_unknown(lint, rule, command, word, "tuning parameter",
                     may_suggest(lint, rule) ? nearest_tuning(word) : NULL);
}

/* A number with a point and an exponent, or without, as the console reads it: 1, -.5, 2e-3. */
static bool is_decimal(const char *word)
{
    bool any = false;
    word += *word == '-' || *word == '+';
    for (; *word >= '0' && *word <= '9'; word++)
        any = true;
    for (word += *word == '.'; *word >= '0' && *word <= '9'; word++)
        any = true;
    if (any && (*word == 'e' || *word == 'E')) {
        word += word[1] == '-' || word[1] == '+' ? 2 : 1;
        for (any = false; *word >= '0' && *word <= '9'; word++)
            any = true;
    }
    return any && !*word;
}

/* The only fault with which the server executes a command all the same. */
static const char too_much[] = "is too much";

/* What is wrong with one of the words behind a command, and its index; NULL: nothing is wrong. */
static const char *argument_fault(const tmi_lint_command *command, uint32_t *word_index)
{
    const char *form = command->rule->arguments ? command->rule->arguments : "i";
    bool optional = false;
    *word_index = 1;
    for (; *form; form++) {
        if (*form == '?') {
            optional = true;
            continue;
        }
        if (*word_index >= command->parsed.num)
            return optional ? NULL : "is missing";
        if (*form == 'r')
            return NULL;
        int32_t value;
        const char *word = command->parsed.words[*word_index];
        if (*form == 'i' && (!tmi_take_number(&value, &word) || *word))
            return "is not an integer";
        if (*form == 'f' && !is_decimal(command->parsed.words[*word_index]))
            return "is no number";
        ++*word_index;
    }
    return *word_index < command->parsed.num ? too_much : NULL;
}

/* The only fault of the game that maps may ask for so far. */
static const char double_explosion[] = "grenade-doubleexplosion@ddnet.tw";

static void see_arguments(tmi_lint *lint, uint32_t rule, const tmi_lint_command *command)
{
    if (command->rule && strcmp(command->rule->name, "mapbug") == 0 && command->parsed.num == 2 &&
        strcmp(command->parsed.words[1], double_explosion) != 0)
        tmi_lint_note_add(lint, rule, at_settings,
                          "line %u: 'mapbug': '%s' is no fault that servers know: %s",
                          (unsigned)command->line, command->parsed.words[1], double_explosion);
    uint32_t which;
    const char *fault = command->rule ? argument_fault(command, &which) : NULL;
    if (fault && which < command->parsed.num && which < TMI_COMMAND_WORDS)
        tmi_lint_note_add(lint, rule, at_settings, "line %u: '%s': '%s' %s", (unsigned)command->line,
                          command->rule->name, command->parsed.words[which], fault);
    else if (fault)
        tmi_lint_note_add(lint, rule, at_settings, "line %u: '%s': argument %u %s", (unsigned)command->line,
                          command->rule->name, (unsigned)which, fault);
}

/* The first whole number behind a command that has one. */
static bool first_number(int32_t *out, const tmi_lint_command *command)
{
    const char *word = command->parsed.words[1];
    const bool has = command->rule && command->parsed.num > 1 &&
                     (!command->rule->arguments || command->rule->arguments[0] == 'i');
    return has && tmi_take_number(out, &word) && !*word;
}

static void see_range(tmi_lint *lint, uint32_t rule, const tmi_lint_command *command)
{
    int32_t value;
    if (first_number(&value, command) && (value < command->rule->min || value > command->rule->max))
        tmi_lint_note_add(lint, rule, at_settings, "line %u: '%s %d' is not from %d to %d",
                          (unsigned)command->line, command->rule->name, (int)value, (int)command->rule->min,
                          (int)command->rule->max);
}

static void see_initial(tmi_lint *lint, uint32_t rule, const tmi_lint_command *command)
{
    int32_t value;
    if (!first_number(&value, command) || !command->rule->has_initial || value != command->rule->initial)
        return;
    fix_line(tmi_lint_note_add(lint, rule, at_settings, "line %u: '%s' is %d without it, too",
                               (unsigned)command->line, command->rule->name, (int)value),
             command);
}

/* Quests of King of Gores: a list with commas of three names. */
static void see_quests(tmi_lint *lint, uint32_t rule, const tmi_lint_command *command)
{
    static const char *const quests[] = {"Q_NO_HAMMER", "Q_NO_PLATFORM", "Q_TEAM_15"};
    const char *word = command->parsed.num > 1 ? command->parsed.words[1] : "";
    if (strcmp(command->parsed.words[0], kog_quests) != 0)
        return;
    for (;; word++) {
        const size_t size = strcspn(word, ",");
        bool known = false;
        for (size_t i = 0; i < TMI_COUNT_OF(quests); i++)
            known |= strlen(quests[i]) == size && memcmp(quests[i], word, size) == 0;
        if (!known)
            tmi_lint_note_add(lint, rule, at_settings,
                              "line %u: '%.*s' is no quest; they are Q_NO_HAMMER, Q_NO_PLATFORM, Q_TEAM_15",
                              (unsigned)command->line, (int)size, word);
        word += size;
        if (!*word)
            return;
    }
}

static bool team_size_forced(tmi_lint_object *object)
{
    const int32_t least = tmi_lint_last_value(object->lint->map, "sv_min_team_size", 2);
    return least > 2 && tmi_lint_explain(object, "teams need %d players (sv_min_team_size)", (int)least);
}

/* Switches that are on from the start. */
static void see_switch(tmi_lint *lint, uint32_t rule, const tmi_lint_command *command)
{
    int32_t value;
    if (!command->rule || strcmp(command->rule->name, "switch_open") != 0 || !first_number(&value, command) ||
        value < 1 || value > 255)
        return;
    uint64_t listeners = 0;
    for (uint32_t index = 1; index < TM_TILE_INDICES; index++)
        if (tmi_tile_pool(TM_LAYER_SWITCH, (uint8_t)index) == TM_NUMBER_SWITCH)
            listeners += tmi_lint_num_numbered(lint, TM_LAYER_SWITCH, (uint8_t)index, (uint8_t)value);
    if (!listeners)
        fix_line(tmi_lint_note_add(lint, rule, at_settings, "line %u: no tile has the switch %d",
                                   (unsigned)command->line, (int)value),
                 command);
}

/* Settings that change what some tiles do: without any of these they change nothing. */
static const struct {
    const char *names[2];
    const char *things;
    uint8_t ranges[4][2]; /* indices, ends included */
} tiles_of_settings[] = {
    {{"sv_old_teleport_weapons", "sv_old_teleport_hook"},
     "blue teleporters",
     {{TM_TILE_TELE_IN, TM_TILE_TELE_IN}}},
    {{"sv_teleport_hold_hook", "sv_teleport_lose_weapons"},
     "teleporters",
     {{TM_TILE_TELE_IN_EVIL, TM_TILE_TELE_IN_EVIL},
      {TM_TILE_TELE_IN, TM_TILE_TELE_IN},
      {TM_TILE_TELE_CHECKPOINT_IN, TM_TILE_TELE_CHECKPOINT_IN},
      {TM_TILE_TELE_CHECKPOINT_IN_EVIL, TM_TILE_TELE_CHECKPOINT_IN_EVIL}}},
    {{"sv_plasma_range", "sv_plasma_per_sec"},
     "turrets",
     {{TM_TILE_PLASMA_EXPLOSIVE, TM_TILE_PLASMA_UNFREEZE}}},
    {{"sv_dragger_range", ""}, "draggers", {{TM_TILE_DRAGGER_WEAK, TM_TILE_DRAGGER_STRONG_THROUGH_WALLS}}},
};

static void see_without_tiles(tmi_lint *lint, uint32_t rule, const tmi_lint_command *command)
{
    for (size_t i = 0; command->rule && i < TMI_COUNT_OF(tiles_of_settings); i++) {
        const uint8_t(*ranges)[2] = tiles_of_settings[i].ranges;
        uint64_t num = 0;
        if (strcmp(command->rule->name, tiles_of_settings[i].names[0]) != 0 &&
            strcmp(command->rule->name, tiles_of_settings[i].names[1]) != 0)
            continue;
        for (size_t k = 0; k < TMI_COUNT_OF(tiles_of_settings[i].ranges) && ranges[k][0]; k++)
            for (uint32_t index = ranges[k][0]; index <= ranges[k][1]; index++)
                num += tmi_lint_num_played(lint, (uint8_t)index) +
                       tmi_lint_num_tiles(lint, TM_LAYER_TELE, (uint8_t)index) +
                       tmi_lint_num_tiles(lint, TM_LAYER_SWITCH, (uint8_t)index);
        if (!num)
            fix_line(tmi_lint_note_add(
                         lint, rule, at_settings, "line %u: '%s' changes %s, of which there are none",
                         (unsigned)command->line, command->rule->name, tiles_of_settings[i].things),
                     command);
    }
}

/* ----------------------------------------------------------------------------------- several commands */

/*
 * The key of what a command sets: "sv_hit", "tune gravity", "tune_zone 3 gravity". Two of one key are too
 * many.
 */
static void put_key(char *key, size_t size, const tmi_lint_command *command)
{
    const char *tuning = tuning_word(command);
    const bool zoned = command->rule->arguments && command->rule->arguments[0] == 'i';
    const char *zone = zoned && command->parsed.num > 1 ? command->parsed.words[1] : "";
    const char *last = tuning ? tuning
                       : !command->rule->arguments || zoned || command->parsed.num < 2
                           ? ""
                           : command->parsed.words[1];
    tmi_format(key, size, "%s%s%s%s%s", command->rule->name, *zone ? " " : "", zone, *last ? " " : "", last);
}

enum { REMEMBERED = 1024 }; /* commands that later ones are compared with */

typedef struct old_command {
    const struct old_command *before;
    tmi_lint_command command;
    char key[3 * TMI_COMMAND_WORD_SIZE];
} old_command;

/* A command that sets what an earlier one sets, too; a struct of zeros before the first such pair. */
typedef struct command_pair {
    tmi_lint_command second;
    const old_command *first; /* the last one before with the same key */
    const old_command *last;  /* of all that are remembered */
    uint32_t num_remembered;
} command_pair;

/*
 * A name without a value only prints what it is ("tune gravity", "sv_hit"), and a wrong command does nothing.
 */
static bool sets_something(const tmi_lint_command *setting)
{
    uint32_t which;
    const char *fault = argument_fault(setting, &which);
    const bool tune = strcmp(setting->rule->name, "tune") == 0;
    return (!fault || fault == too_much) && setting->parsed.num > (tune                        ? 2U
                                                                   : !setting->rule->arguments ? 1U
                                                                                               : 0U);
}

static void remember_command(command_pair *pair, tmi_lint *lint, const char *key)
{
    if (pair->num_remembered++ >= REMEMBERED)
        return;
    old_command *remembered = tmi_lint_alloc(lint, 1, sizeof(*remembered));
    if (!remembered)
        return;
    *remembered = (old_command){.before = pair->last, .command = pair->second};
    tmi_format(remembered->key, sizeof(remembered->key), "%s", key);
    pair->last = remembered;
}

static bool next_pair(command_pair *pair, tmi_lint *lint)
{
    tmi_lint_command *command = &pair->second;
    while (!lint->status && next_command(command, &lint->map->info)) {
        char key[3 * TMI_COMMAND_WORD_SIZE];
        const old_command *old = pair->last;
        if (!(command->rule = find_setting(lint, command->parsed.words[0])) || !sets_something(command))
            continue;
        put_key(key, sizeof(key), command);
        while (old && tmi_compare_folded(key, old->key) != 0)
            old = old->before;
        pair->first = old;
        remember_command(pair, lint, key);
        if (old)
            return true;
    }
    return false;
}

/* Whether both commands of a pair have the same words, so that the later one changes nothing. */
static bool has_same_words(const command_pair *pair)
{
    const tmi_command *second = &pair->second.parsed, *first = &pair->first->command.parsed;
    const char *tuning = tuning_word(&pair->second); /* it is compared as a part of the key, in any case */
    bool equal = first->num == second->num;
    for (uint32_t i = 1; equal && i < second->num && i < TMI_COMMAND_WORDS; i++)
        equal = second->words[i] == tuning || strcmp(first->words[i], second->words[i]) == 0;
    return equal &&
           (second->num <= TMI_COMMAND_WORDS || strcmp(pair->first->command.text, pair->second.text) == 0);
}

static void note_pair(tmi_lint *lint, uint32_t rule, const command_pair *pair, const char *relation)
{
    char key[3 * TMI_COMMAND_WORD_SIZE];
    put_key(key, sizeof(key), &pair->second);
    tmi_lint_note_add(lint, rule, at_settings, "line %u %s line %u: '%s'", (unsigned)pair->second.line,
                      relation, (unsigned)pair->first->command.line, key);
}

static void setting_twice(tmi_lint *lint, uint32_t rule)
{
    command_pair pair = {.first = NULL};
    while (next_pair(&pair, lint))
        if (has_same_words(&pair))
            note_pair(lint, rule, &pair, "repeats");
}

static void setting_overruled(tmi_lint *lint, uint32_t rule)
{
    command_pair pair = {.first = NULL};
    while (next_pair(&pair, lint))
        if (!has_same_words(&pair))
            note_pair(lint, rule, &pair, "overrules");
}

int32_t tmi_lint_last_value(const tm_map *map, const char *name, int32_t initial)
{
    tmi_lint_command command = {.line = 0};
    int32_t value;
    while (next_command(&command, &map->info)) {
        command.rule = tmi_game_setting(command.parsed.words[0]);
        if (command.rule && strcmp(command.rule->name, name) == 0 && first_number(&value, &command))
            initial = value;
    }
    return initial;
}

static void settings_at_odds(tmi_lint *lint, uint32_t rule)
{
    const int32_t least = tmi_lint_last_value(lint->map, "sv_min_team_size", 2),
                  most = tmi_lint_last_value(lint->map, "sv_max_team_size", 128);
    const bool alone = tmi_lint_last_value(lint->map, "sv_solo_server", 0) == 1 ||
                       tmi_lint_last_value(lint->map, "sv_team", 1) == 3;
    if (least > most)
        tmi_lint_note_add(lint, rule, at_settings,
                          "a team has at least %d players (sv_min_team_size), and at most %d", (int)least,
                          (int)most);
    if (alone && least > 2)
        tmi_lint_note_add(lint, rule, at_settings,
                          "everybody plays alone, but teams have at least %d players (sv_min_team_size)",
                          (int)least);
}

/* -------------------------------------------------------------------------------------------- lines */

static void setting_long(tmi_lint *lint, uint32_t rule)
{
    enum { MOST = 255 }; /* bytes of a line that the console takes */
    for (uint32_t i = 0; i < lint->map->info.num_settings; i++) {
        const char *text = lint->map->info.settings[i];
        if (text && strlen(text) > MOST)
            tmi_lint_note_add(lint, rule, at_settings, "line %u has %u bytes; the console takes %d",
                              (unsigned)(i + 1), (unsigned)strlen(text), MOST);
    }
}

static bool setting_idle(tmi_lint_object *object)
{
    object->count = 0;
    for (uint32_t i = 0; i < object->lint->map->info.num_settings; i++) {
        const char *text = object->lint->map->info.settings[i];
        object->count += !text || (!num_commands(text) && !tmi_lint_suppressions_of(text));
    }
    return object->count &&
           tmi_lint_explain(object, "%u of the lines hold no command", (unsigned)object->count);
}

/* ----------------------------------------------------------------------------------------------- rows */

static const tmi_lint_row rows[] = {
    {TMI_LINT_RULE(SETTING_UNKNOWN, RACES, OBJECTS, false,
                   "A setting is not a command that servers accept from maps.",
                   "The server logs an error and ignores it.", "Correct its name, or remove it.",
                   "DDNet's editor; twmap-check-ddnet"),
     TMI_LINT_FIX("settings remove", false), .own_fixes = true, .command = see_unknown, .by_games = true},
    {TMI_LINT_RULE(
         SETTING_ARGUMENTS, RACES, OBJECTS, false,
         "A setting has a missing, wrong or additional argument; or '# teemap: ignore' refers to something that does not exist.",
         "The server ignores the command or uses another value; lint ignores nothing.",
         "Correct it as the message says.", "DDNet's editor"),
     .command = see_arguments, .judge = tmi_lint_report_suppressions},
    {TMI_LINT_RULE(SETTING_RANGE, RACES, OBJECTS, false, "The value of a setting is out of range.",
                   "The server uses the nearest value, or none.", "Use a valid value.", "DDNet's editor"),
     .command = see_range},
    {TMI_LINT_RULE(TUNING_UNKNOWN, RACES, OBJECTS, false, "A tuning parameter is unknown.",
                   "The server ignores the command.", "Correct its name.", "DDNet's editor"),
     .command = see_tuning, .by_games = true},
    {TMI_LINT_RULE(SETTING_TWICE, RACES, OBJECTS, false, "A setting is repeated.",
                   "One of them has no effect.", "Remove one.", "DDNet's editor"),
     .judge = setting_twice},
    {TMI_LINT_RULE(SETTING_OVERRULED, RACES, OBJECTS, false, "A later line sets another value.",
                   "Only the last one counts.", "Remove the wrong one.", "DDNet's editor"),
     .judge = setting_overruled},
    {TMI_LINT_RULE(SETTING_INITIAL, TM_LINT_STYLE, OBJECTS, false, "A setting has its default value.",
                   "It does nothing, unless the server has another value.", "Remove it.", "DDNet's editor"),
     TMI_LINT_FIX("settings remove", false), .own_fixes = true, .command = see_initial},
    {TMI_LINT_RULE(SETTING_LONG, RACES, OBJECTS, false, "A setting has more than 255 bytes.",
                   "DDNet's editor and the console truncate it.", "Split it into several lines.",
                   "twmap check"),
     .judge = setting_long},
    {TMI_LINT_RULE(SETTING_IDLE, TM_LINT_STYLE, OBJECTS, false, "Lines of the settings contain no command.",
                   "They are empty or comments, and have no effect.",
                   "Remove them, unless they are meant for readers.", "DDNet's editor"),
     TMI_LINT_EXCEPT(TM_LINT_MODS), .objects = TMI_LINT_AT(SETTINGS), .look = setting_idle},
    {TMI_LINT_RULE(SETTING_WITHOUT_SWITCH, RACES, PHYSICS, false,
                   "A setting opens a switch that no tile uses.", "The setting does nothing.",
                   "Correct the number, or remove the setting.", "libtw2 properties"),
     TMI_LINT_FIX("settings remove", true), .own_fixes = true, .command = see_switch},
    {TMI_LINT_RULE(SETTINGS_CONFLICT, RACES, OBJECTS, true, "Settings of teams contradict each other.",
                   "They cannot both be satisfied.", "Keep one of them.", "DDNet's rules"),
     .judge = settings_at_odds},
    {TMI_LINT_RULE(TEAM_SIZE_FORCED, TM_LINT_DDNET, OBJECTS, true, "Teams need more than two players.",
                   "Smaller teams cannot play the map.",
                   "Remove sv_min_team_size, unless parts need that many players.", "DDNet's rules"),
     .objects = TMI_LINT_AT(SETTINGS), .look = team_size_forced},
    {TMI_LINT_RULE(KOG_QUESTS, TM_LINT_KOG, OBJECTS, false, "sv_kog_map_quests contains an unknown quest.",
                   "King of Gores ignores it.", "Write names of quests separated by commas.", "KoG 002"),
     .command = see_quests},
    {TMI_LINT_RULE(SETTING_WITHOUT_TILES, TM_LINT_STYLE, PHYSICS, false,
                   "A setting changes tiles that the map does not have.", "It does nothing.", "Remove it.",
                   "DDNet's editor"),
     TMI_LINT_EXCEPT(TM_LINT_MODS), TMI_LINT_FIX("settings remove", true), .own_fixes = true,
     .command = see_without_tiles},
};
TMI_LINT_FAMILY(tmi_lint_settings, rows);
