/* SPDX-License-Identifier: Zlib */
/*
 * The table of rules, the sets that a map gets when nobody names any, what is switched on and off, and what is
 * refused.
 */
#include "support/lib_lint.h"
#include "lint/lint.h"

/* -------------------------------------------------------------------------------------------------------- the table */

TEST(words_are_sentences_and_numbers_rise)
{
    const tm_lint_rule *rule;
    int last = 0;
    for (uint32_t n = 0; (rule = tm_lint_rule_at(n)); n++) {
        const char *texts[] = {rule->title, rule->reason, rule->advice};
        for (size_t i = 0; i < 3; i++) {
            assert_non_null(texts[i]);
            const size_t size = strlen(texts[i]);
            if (size < 10 || texts[i][0] < '0' || texts[i][0] > 'z')
                fail_msg("'%s' is no sentence", texts[i]);
        }
        assert_true(rule->title[strlen(rule->title) - 1] == '.');
        assert_true(rule->sets && !(rule->sets & ~(uint32_t)(TM_LINT_ALL | TM_LINT_TYPES)));
        assert_non_null(rule->source);
        assert_true((int)rule->id > last);
        last = (int)rule->id;
        assert_ptr_equal(tmi_lint_rule_of(rule->id), rule);
        if (rule->fix && !tm_edit_find(rule->fix)) {
            const bool one_word = !strchr(rule->fix, ' ');
            OWN(tm_edit_script) *script = NULL;
            assert_false(one_word);
            must(tm_edit_script_from_text(&script, rule->fix, strlen(rule->fix), NULL, NULL));
        }
    }
    assert_null(tmi_lint_rule_of(TM_FINDING_BAD_MAGIC));
    assert_null(tmi_lint_rule_of(TM_FINDING_NONE));
}

TEST(sets_have_names)
{
    uint32_t sets = 7;
    assert_string_equal(tm_lint_set_name(TM_LINT_KOG), "kog");
    assert_string_equal(tm_lint_set_name(TM_LINT_ALL), "all");
    assert_null(tm_lint_set_name(TM_LINT_KOG | TM_LINT_DDNET));
    assert_true(tm_lint_sets_from_text(&sets, "kog,style"));
    assert_int_equal(sets, TM_LINT_KOG | TM_LINT_STYLE);
    assert_null(tmi_lint_set_about(0));
    sets = 0;
    for (uint32_t bit = 0; bit < TM_LINT_SETS; bit++) {
        uint32_t again;
        assert_true(tmi_lint_set_about((uint32_t)1 << bit)[0]);
        assert_true(tm_lint_sets_from_text(&again, tm_lint_set_name((uint32_t)1 << bit)));
        assert_int_equal(again, (uint32_t)1 << bit);
        sets |= again;
    }
    assert_int_equal(sets, TM_LINT_ALL | TM_LINT_TYPES);
    static const char *const wrong[] = {"", "ddnet,", ",ddnet", "ddne", "ddnet kog"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        assert_false(tm_lint_sets_from_text(&sets, wrong[i]));
        assert_int_equal(sets, 0);
    }
    assert_int_equal(tmi_lint_match("no-s*", 0), 0);
    assert_int_equal(tmi_lint_match("no-s*", 1), 2);
    assert_true(tmi_lint_match("nothing", 0) == UINT32_MAX);
}

/* ---------------------------------------------------------------------------------------------------- what is asked */

TEST(sets_are_guessed_from_the_map)
{
    OWN(tm_map) *map = test_map_of("add group Game\nadd layer Game game 9x9\nfill game@1,1+1x1 flag-red");
    assert_int_equal(test_lint_guess(map), TM_LINT_VANILLA | TM_LINT_STYLE | TM_LINT_CTF);
    test_edit_does(map, "fill game@1,2+1x1 freeze");
    assert_int_equal(test_lint_guess(map), TM_LINT_DDNET | TM_LINT_STYLE);
    test_edit_does(map, "fill game@1,3+1x1 10\nfill game@1,4+1x1 8");
    assert_int_equal(test_lint_guess(map), TM_LINT_FNG | TM_LINT_STYLE);
    test_edit_does(map, "fill game@1,3+1x1 start\nfill game@1,4+1x1 air");
    assert_int_equal(test_lint_guess(map), TM_LINT_DDNET | TM_LINT_STYLE);
    test_edit_does(map, "fill game@1,2+1x2 air\nadd layer Game front");
    assert_int_equal(test_lint_guess(map), TM_LINT_DDNET | TM_LINT_STYLE);
    test_edit_does(map, "remove Game/Front");
    map->game = TM_GAME_TEEWORLDS07;
    assert_int_equal(test_lint_guess(map), TM_LINT_TEEWORLDS07 | TM_LINT_STYLE | TM_LINT_CTF);
    test_edit_does(map, "fill game@1,1+1x1 spawn");
    assert_int_equal(test_lint_guess(map), TM_LINT_TEEWORLDS07 | TM_LINT_STYLE | TM_LINT_DM);
}

static uint32_t sets_of_run(const tm_map *map, uint32_t sets)
{
    OWN(tm_lint_result) result;
    tm_lint_options options = {.size = sizeof(options), .sets = sets};
    must(tm_lint_run(&result, map, &options, NULL));
    sets = result.sets;
    return sets;
}

TEST(types_bring_their_sets_along)
{
    OWN(tm_map) *map = test_lint_new_race();
    assert_int_equal(sets_of_run(map, TM_LINT_FUN), TM_LINT_DDNET | TM_LINT_FUN);
    assert_int_equal(sets_of_run(map, TM_LINT_DM), TM_LINT_VANILLA | TM_LINT_DM);
    assert_int_equal(sets_of_run(map, TM_LINT_STYLE), TM_LINT_STYLE);
    test_edit_does(map, "settings add 'sv_solo_server 1' '# sv_solo_server 0'");
    assert_int_equal(sets_of_run(map, 0), TM_LINT_DDNET | TM_LINT_STYLE | TM_LINT_SOLO);
    assert_int_equal(sets_of_run(map, TM_LINT_DDNET), TM_LINT_DDNET | TM_LINT_SOLO);
    assert_int_equal(sets_of_run(map, TM_LINT_NOVICE), TM_LINT_DDNET | TM_LINT_NOVICE);
    map->game = TM_GAME_TEEWORLDS07;
    assert_int_equal(sets_of_run(map, TM_LINT_DM), TM_LINT_TEEWORLDS07 | TM_LINT_DM);
}

static size_t num_found(const tm_map *map, const tm_lint_options *options, tm_severity severity)
{
    OWN(tm_lint_result) result;
    size_t num = 0;
    must(tm_lint_run(&result, map, options, NULL));
    for (size_t i = 0; i < result.findings.num; i++)
        num += result.findings.list[i].severity == severity;
    return num;
}

TEST(choices_are_followed_in_order)
{
    OWN(tm_map) *map = test_lint_new_race();
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    test_edit_does(map, "add group a\nadd envelope color x\n"
                        "fill game@3,3+1x1 armor\nfill front@3,3+1x1 mover-fast");
    assert_int_equal(num_found(map, NULL, TM_SEVERITY_WARNING), 1);
    assert_int_equal(num_found(map, NULL, TM_SEVERITY_NOTE), 2);
    options.sets = TM_LINT_STYLE;
    assert_int_equal(num_found(map, &options, TM_SEVERITY_WARNING), 0);
    assert_int_equal(num_found(map, &options, TM_SEVERITY_NOTE), 2);
    options.sets = 0;
    const tm_lint_choice choices[] = {
        {.id = TM_FINDING_NONE, .off = true},
        {.id = TM_FINDING_MOVER_IN_FRONT, .on = true},
        {.id = TM_FINDING_EMPTY_GROUP, .on = true, .severity = TM_SEVERITY_ERROR},
        {.id = TM_FINDING_MOVER_IN_FRONT, .off = true},
    };
    options.choices = choices;
    options.num_choices = 1;
    assert_int_equal(num_found(map, &options, TM_SEVERITY_WARNING), 0);
    options.num_choices = 3;
    assert_int_equal(num_found(map, &options, TM_SEVERITY_WARNING), 1);
    assert_int_equal(num_found(map, &options, TM_SEVERITY_ERROR), 1);
    options.num_choices = 4;
    assert_int_equal(num_found(map, &options, TM_SEVERITY_WARNING), 0);
}

static size_t num_of(const tm_map *map, uint32_t sets, tm_finding_id id)
{
    const tm_lint_choice choices[] = {{.id = TM_FINDING_NONE, .severity = TM_SEVERITY_NOTE},
                                      {.id = id, .severity = TM_SEVERITY_ERROR}};
    const tm_lint_options options = {
        .size = sizeof(options), .sets = sets, .choices = choices, .num_choices = 2};
    return num_found(map, &options, TM_SEVERITY_ERROR);
}

TEST(types_leave_rules_out)
{
    OWN(tm_map) *map = test_lint_new_race();
    test_edit_does(map, "replace start with air");
    assert_int_equal(num_of(map, TM_LINT_DDNET, TM_FINDING_NO_START), 1);
    assert_int_equal(num_of(map, TM_LINT_BRUTAL, TM_FINDING_NO_START), 1);
    assert_int_equal(num_of(map, TM_LINT_FUN, TM_FINDING_NO_START), 0);
    assert_int_equal(num_of(map, TM_LINT_FUN | TM_LINT_BRUTAL, TM_FINDING_NO_START), 1);
    assert_int_equal(num_of(map, TM_LINT_DDNET, TM_FINDING_SOLO_SPAWNS), 0);
    assert_int_equal(num_of(map, TM_LINT_ALL, TM_FINDING_SOLO_SPAWNS), 0);
    assert_int_equal(num_of(map, TM_LINT_SOLO, TM_FINDING_SOLO_SPAWNS), 1);
    test_edit_does(map, "fill game@2,2+2x1 spawn-red");
    assert_int_equal(num_of(map, TM_LINT_DM, TM_FINDING_LONE_TEAM_SPAWN), 0);
    assert_int_equal(num_of(map, TM_LINT_CTF, TM_FINDING_LONE_TEAM_SPAWN), 1);
}

/* autumn_night of DDNet is a map of Teeworlds 0.6 with images of DDNet's. */
TEST(images_of_ddnet_suit_maps_of_its_own)
{
    OWN(tm_map) *map = test_map_of("add group Game\nadd layer 0 game 30x20\nadd image generic_lamps\n"
                                   "add image grass_main_0.7\nadd image ../skins/saddo");
    assert_int_equal(test_lint_guess(map), TM_LINT_VANILLA | TM_LINT_STYLE);
    assert_int_equal(num_of(map, 0, TM_FINDING_IMAGE_NOT_SHIPPED), 0);
    assert_int_equal(num_of(map, TM_LINT_VANILLA, TM_FINDING_IMAGE_NOT_SHIPPED), 2);
}

/* menu_day and others that the games ship have two columns of walls at their left. */
TEST(pictures_with_an_edge_want_no_spawn)
{
    OWN(tm_map) *map = test_map_of("add group Game\nadd layer 0 game 50x45\nfill game@0,0+2x45 solid");
    assert_int_equal(num_of(map, 0, TM_FINDING_NO_SPAWN), 0);
    test_edit_does(map, "fill game@0,44+50x1 solid");
    assert_int_equal(num_of(map, 0, TM_FINDING_NO_SPAWN), 1);
    test_edit_does(map, "add group '#Entities'"); /* of infclass, with spawns of its own */
    assert_int_equal(num_of(map, 0, TM_FINDING_NO_SPAWN), 0);
    test_edit_does(map, "remove '#Entities'");
    assert_int_equal(num_of(map, 0, TM_FINDING_NO_SPAWN), 1);
    test_edit_does(map, "fill game@9,9+1x1 8"); /* of MRPG, with tiles of its own */
    assert_int_equal(num_of(map, 0, TM_FINDING_NO_SPAWN), 0);
    test_edit_does(map, "fill game@9,9+1x1 freeze");
    assert_int_equal(num_of(map, 0, TM_FINDING_NO_SPAWN), 1);
    test_edit_does(map, "clear game");
    assert_int_equal(num_of(map, 0, TM_FINDING_NO_SPAWN), 0);
}

TEST(files_of_maps_have_names_that_all_systems_take)
{
    static const struct {
        const char *path;
        size_t num;
    } paths[] = {{NULL, 0},        {"maps/a b.map", 0}, {"maps/con.map", 1},
                 {"what?.map", 1}, {"a:b/fine.map", 0}, {"end .map", 1},
                 {"-", 0},         {".map", 0}};
    OWN(tm_map) *map = test_lint_new_race();
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        tm_lint_options options = {.size = sizeof(options), .path = paths[i].path};
        assert_int_equal(num_found(map, &options, TM_SEVERITY_WARNING), paths[i].num);
    }
}

/* Sounds, settings and layers of DDNet in a map that is for Teeworlds. */
TEST(parts_of_other_games_are_told)
{
    OWN(tm_map) *map = test_lint_new_race();
    assert_int_equal(num_of(map, TM_LINT_DDNET, TM_FINDING_PART_UNKNOWN), 0);
    assert_int_equal(num_of(map, TM_LINT_VANILLA, TM_FINDING_PART_UNKNOWN), 6); /* five layers, settings */
    test_edit_does(map, "settings clear\nadd sound bell\nremove Game/Tune");
    assert_int_equal(num_of(map, TM_LINT_VANILLA, TM_FINDING_PART_UNKNOWN), 5);
    test_edit_does(
        map, "remove sound/0\nremove Game/Front\nremove Game/Tele\nremove Game/Speedup\nremove Game/Switch");
    assert_int_equal(num_of(map, TM_LINT_VANILLA, TM_FINDING_PART_UNKNOWN), 0);
}

TEST(nonsense_is_refused)
{
    OWN(tm_map) *map = test_lint_new_race();
    tm_lint_result result;
    tm_error error;
    tm_lint_options options = {.size = sizeof(options), .sets = 0x800000};
    fails_with(TM_ERROR_USAGE, "sets 8388608 are not from 1 to 8388607",
               tm_lint_run(&result, map, &options, &error));
    options.sets = 0;
    options.num_choices = 1;
    assert_int_equal(tm_lint_run(&result, map, &options, &error), TM_ERROR_USAGE);
    tm_lint_choice choice = {.id = TM_FINDING_BAD_MAGIC};
    options.choices = &choice;
    fails_with(TM_ERROR_USAGE, "finding 100 is none of a rule", tm_lint_run(&result, map, &options, &error));
    choice = (tm_lint_choice){.id = TM_FINDING_NO_SPAWN, .severity = (tm_severity)4};
    fails_with(TM_ERROR_USAGE, "severity 4 is not from 0 to 3", tm_lint_run(&result, map, &options, &error));
    assert_int_equal(result.findings.num, 0);
}

static tm_severity severity_of(uint32_t sets, const char *edits, tm_finding_id id,
                               const tm_lint_choice *choice)
{
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    OWN(tm_lint_result) result;
    OWN(tm_map) *map = test_lint_new_race();
    size_t at;
    test_edit_does(map, edits);
    options.sets = sets;
    options.choices = choice;
    options.num_choices = choice ? 1 : 0;
    must(tm_lint_run(&result, map, &options, NULL));
    const tm_finding *found = test_lint_find(&result, id, &at);
    return found ? found->severity : 0;
}

#define SEVEN                                                                                  \
    "fill game@2,4+1x1 80\nfill game@2,5+1x1 81\nfill game@2,6+1x1 82\nfill game@2,7+1x1 83\n" \
    "fill game@2,8+1x1 84\nfill game@2,9+1x1 85\nfill game@2,10+1x1 86\n"
#define WALLS "extend down 150 air\nfill game@0,30+20x140 solid\n"
#define SIGNS                                                                         \
    "extend up 20 air\nfill game@1,20+18x1 air\nfill front@10,9+3x1 entities-off-1\n" \
    "fill tele@10,9+3x1 tele-in-evil:9\nfill tele@10,5+1x1 tele-checkpoint:9\n"
#define NO_LINES "clear tele\nreplace start,finish with air\n"
#define SPARE    "fill switch@12,7+1x1 switch-open:2\n"
#define EIGHTH   "fill game@2,11+1x1 87\n"
#define BYPASS   "fill game@2,4+1x1 finish"
#define DOT(x)   "fill front@" x ",30+1x1 freeze\n"
#define FRONT                                                                                            \
    "clear front\n" DOT("0") DOT("2") DOT("4") DOT("6") DOT("8") DOT("10") DOT("12") DOT("14") DOT("16") \
        DOT("18")
#define LASER   "fill game@2,7+1x1 laser-fast-cw\n"
#define DOOR    "remove Game/Switch\nreplace start with air\nfill game@2,9+1x1 door\n"
#define LINE    "replace time-checkpoint-1 with air\nreplace "
#define EMPTY   "clear game\nclear front\nborders solid 1\n"
#define TEAMS   "fill game@3,3+1x1 flag-red\nfill game@2,4+1x1 spawn-red\nfill game@3,4+1x1 spawn-blue\n"
#define JAIL    "settings add 'sv_jailstate 1'"
#define KILLS   "fill tele@9,9+1x1 tele-out:1\nfill tele@12,9+1x1 tele-out:1\nfill game@12,9+1x1 death\n"
#define SOLO    "settings add 'sv_solo_server 1'\n"
#define GRENADE "settings add 'sv_kog_grenade_tele 1'\n"

static bool is_of_teams(tm_finding_id id)
{
    return id == TM_FINDING_LONE_FLAG || id == TM_FINDING_LONE_TEAM_SPAWN;
}

/* Of maps of mods, King of Gores, Battlefield and fng that nobody had looked at: what is meant is no warning. */
TEST(what_is_meant_is_a_note)
{
    static const struct {
        const char *edits;
        tm_finding_id id;
        tm_severity severity;
    } maps[] = {
        {"fill game@0,9+3x3 solid\nfill tele@1,10+1x1 tele-out:1", TM_FINDING_OUT_IN_WALL, TM_SEVERITY_NOTE},
        {"fill game@0,9+3x3 solid\nfill tele@1,10+2x1 tele-out:1", TM_FINDING_OUT_IN_WALL,
         TM_SEVERITY_WARNING},
        {"fill game@17,5+1x1 solid\nfill tele@17,5+1x1 tele-out:1", TM_FINDING_OUT_IN_WALL, TM_SEVERITY_NOTE},
        {"fill front@2,2+2x12 freeze", TM_FINDING_SPAWN_IN_FREEZE, TM_SEVERITY_NOTE},
        {"fill front@2,2+1x12 freeze", TM_FINDING_SPAWN_IN_FREEZE, TM_SEVERITY_WARNING},
        {SPARE, TM_FINDING_SWITCH_WITHOUT_LISTENER, TM_SEVERITY_NOTE},
        {SPARE "fill switch@12,9+1x1 freeze:3:delay=3", TM_FINDING_SWITCH_WITHOUT_LISTENER,
         TM_SEVERITY_WARNING},
        {"replace tele-checkpoint-in-evil with air", TM_FINDING_NO_WAY_TO_CHECKPOINT, TM_SEVERITY_WARNING},
        {"replace tele-checkpoint-in-evil,tele-checkpoint-out with air", TM_FINDING_NO_WAY_TO_CHECKPOINT,
         TM_SEVERITY_NOTE},
        {"fill tele@19,4+1x3 tele-in-evil:9", TM_FINDING_TELE_WITHOUT_OUT, TM_SEVERITY_NOTE},
        {NO_LINES "fill tele@1,1+18x12 tele-in-evil:9", TM_FINDING_TELE_WITHOUT_OUT, TM_SEVERITY_NOTE},
        {NO_LINES "fill tele@1,1+18x11 tele-in-evil:9", TM_FINDING_TELE_WITHOUT_OUT, TM_SEVERITY_ERROR},
        {NO_LINES "fill tele@1,1+18x12 tele-in-evil:9\nfill tele@1,1+1x1 tele-in-evil:8",
         TM_FINDING_TELE_WITHOUT_OUT, TM_SEVERITY_ERROR},
        {"fill tele@19,4+1x3 tele-in-hook:9", TM_FINDING_TELE_WITHOUT_OUT, TM_SEVERITY_WARNING},
        {WALLS "fill tele@1,40+10x101 tele-in-hook:9", TM_FINDING_TELE_WITHOUT_OUT, TM_SEVERITY_NOTE},
        {WALLS "fill tele@1,40+9x4 tele-checkpoint:9", TM_FINDING_TILE_IN_WALL, 0},
        {WALLS "fill front@1,40+9x111 freeze", TM_FINDING_TILE_IN_WALL, TM_SEVERITY_NOTE},
        {WALLS "fill front@0,40+9x111 freeze", TM_FINDING_TILE_IN_WALL, TM_SEVERITY_WARNING},
        {WALLS "fill front@0,40+10x101 freeze", TM_FINDING_TILE_IN_WALL, TM_SEVERITY_NOTE},
        {SIGNS, TM_FINDING_TELE_WITHOUT_OUT, TM_SEVERITY_NOTE},
        {SIGNS, TM_FINDING_CHECKPOINT_WITHOUT_OUT, TM_SEVERITY_NOTE},
        {SIGNS "fill front@10,9+3x1 air", TM_FINDING_TELE_WITHOUT_OUT, TM_SEVERITY_ERROR},
        {SIGNS "fill tele@9,5+1x1 tele-out:1", TM_FINDING_CHECKPOINT_WITHOUT_OUT, TM_SEVERITY_WARNING},
        {SEVEN "replace start with air", TM_FINDING_NO_START, TM_SEVERITY_ERROR},
        {SEVEN EIGHTH "replace start with air", TM_FINDING_NO_START, TM_SEVERITY_NOTE},
        {SEVEN EIGHTH, TM_FINDING_MAP_OF_MOD, TM_SEVERITY_NOTE},
        {JAIL, TM_FINDING_MAP_OF_MOD, TM_SEVERITY_NOTE},
        {JAIL "\nfill game@14,1+1x13 solid", TM_FINDING_FINISH_UNREACHABLE, TM_SEVERITY_NOTE},
        {JAIL, TM_FINDING_SETTING_UNKNOWN, TM_SEVERITY_NOTE},
        {"settings add 'sv_foo 1'", TM_FINDING_SETTING_UNKNOWN, TM_SEVERITY_WARNING},
        {"fill game@2,4+1x1 160\nfill game@2,5+1x1 183", TM_FINDING_MAP_OF_MOD, TM_SEVERITY_NOTE},
        {"fill game@2,4+1x1 160", TM_FINDING_MAP_OF_MOD, 0},
        {"settings remove 'tune_zone 1 gravity 0.25'", TM_FINDING_TUNE_WITHOUT_SETTING, TM_SEVERITY_NOTE},
        {"replace tune/68 with number=2", TM_FINDING_TUNE_WITHOUT_SETTING, TM_SEVERITY_WARNING},
        {LASER, TM_FINDING_LASER_WITHOUT_LENGTH, TM_SEVERITY_WARNING},
        {LASER "replace start with air", TM_FINDING_LASER_WITHOUT_LENGTH, TM_SEVERITY_NOTE},
        {LASER DOOR, TM_FINDING_LASER_WITHOUT_LENGTH, TM_SEVERITY_NOTE},
        {LASER DOOR, TM_FINDING_DOOR_WITHOUT_LENGTH, TM_SEVERITY_NOTE},
        {LASER DOOR, TM_FINDING_DOOR_WITHOUT_LAYER, TM_SEVERITY_NOTE},
        {LASER DOOR "fill game@3,10+1x1 laser-short", TM_FINDING_LASER_WITHOUT_LENGTH, TM_SEVERITY_WARNING},
        {LINE "start with air", TM_FINDING_NO_START, TM_SEVERITY_ERROR},
        {LINE "start with air\nfill game@15,3+1x11 air", TM_FINDING_NO_START, TM_SEVERITY_NOTE},
        {LINE "finish with air\nfill game@5,3+1x11 air", TM_FINDING_NO_FINISH, TM_SEVERITY_NOTE},
        {EMPTY, TM_FINDING_NO_SPAWN, TM_SEVERITY_NOTE},
        {EMPTY "fill game@3,3+1x1 freeze", TM_FINDING_NO_SPAWN, TM_SEVERITY_ERROR},
        {"settings add 'sv_money_bank_mode 2'", TM_FINDING_SETTING_UNKNOWN, TM_SEVERITY_NOTE},
        {"settings add 'sv_gametype x'", TM_FINDING_SETTING_UNKNOWN, TM_SEVERITY_NOTE},
        {"settings add qw_rtz sv_hitt", TM_FINDING_SETTING_UNKNOWN, TM_SEVERITY_WARNING},
        {"settings add qwertz asdfgh yxcvbn", TM_FINDING_SETTING_UNKNOWN, TM_SEVERITY_NOTE},
        {"fill game@2,2+1x1 spawn-red", TM_FINDING_LONE_TEAM_SPAWN, TM_SEVERITY_NOTE},
        {"fill game@2,2+2x1 spawn-red", TM_FINDING_LONE_TEAM_SPAWN, TM_SEVERITY_WARNING},
        {TEAMS, TM_FINDING_LONE_FLAG, TM_SEVERITY_NOTE},
        {TEAMS "replace finish with air", TM_FINDING_NO_FINISH, TM_SEVERITY_NOTE},
        {"add image walls\nadd layer Game tiles\nset 0/6.image=image/0", TM_FINDING_IMAGE_NOT_SHIPPED,
         TM_SEVERITY_NOTE},
        {"extend down 99 air\nfill game@1,20+19x70 no-laser", TM_FINDING_MAP_OF_MOD, TM_SEVERITY_NOTE},
        {BYPASS, TM_FINDING_START_BYPASSED, TM_SEVERITY_NOTE},
        {"settings add 'This is a secret'", TM_FINDING_SETTING_UNKNOWN, TM_SEVERITY_NOTE},
        {"settings add 'tune_zone \"2\" gravity 1'\nreplace tune/68 with number=2",
         TM_FINDING_TUNE_WITHOUT_SETTING, 0},
        {KILLS "fill game@8,8+3x3 death\nfill game@9,9+2x1 air", TM_FINDING_OUT_ON_DEATH, 0},
        {KILLS "", TM_FINDING_OUT_ON_DEATH, TM_SEVERITY_WARNING},
        {GRENADE "fill game@14,1+1x13 solid", TM_FINDING_FINISH_UNREACHABLE, 0},
        {SOLO "fill game@2,2+3x1 spawn", TM_FINDING_SOLO_SPAWNS, TM_SEVERITY_NOTE},
        {"fill game@14,1+1x13 solid", TM_FINDING_FINISH_UNREACHABLE, TM_SEVERITY_WARNING},
        {WALLS FRONT, TM_FINDING_TILE_IN_WALL, TM_SEVERITY_NOTE},
        {WALLS FRONT "fill front@0,30+1x1 air", TM_FINDING_TILE_IN_WALL, TM_SEVERITY_WARNING},
    };
    const tm_lint_choice chosen = {.id = TM_FINDING_SETTING_UNKNOWN, .severity = TM_SEVERITY_ERROR};
    for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
        assert_int_equal(
            severity_of(is_of_teams(maps[i].id) ? TM_LINT_CTF : 0, maps[i].edits, maps[i].id, NULL),
            maps[i].severity);
    assert_int_equal(severity_of(0, JAIL, chosen.id, &chosen), TM_SEVERITY_ERROR);
    assert_int_equal(severity_of(TM_LINT_DDNET | TM_LINT_STYLE, JAIL, chosen.id, NULL), TM_SEVERITY_WARNING);
}

/*
 * compare.md 7: one group whose name began with # made notes of everything, with --rules ddnet, too; MRPG and
 * Ninslash were not recognised, and got warnings of tiles that mean other things to them.
 */
TEST(types_of_mods_ask_no_tiles)
{
    static const char zones[] = "add group '#Zones'\nadd layer '#Zones' tiles 2x2\n",
                      spawn[] = "replace finish with air\nfill game@2,4+1x1 208\n",
                      slopes[] = "clear front\nremove Game/Tele\nremove Game/Speedup\n"
                                 "replace start,finish with air\nfill game@2,4+1x1 4\nfill game@2,5+1x1 5\n"
                                 "fill game@2,6+1x1 6\nfill game@2,7+1x1 7\n",
                      plants[] = "settings add '#node_plant 1 x'\n", note[] = "add group '#first'\n",
                      fng[] = "fill game@2,4+1x1 7\nfill game@2,5+1x1 8\nfill game@2,6+1x1 10\n",
                      metal[] = "add image metal_main\n";
    static const struct {
        const char *edits;
        uint32_t type;
    } maps[] = {{zones, TM_LINT_INFCLASS},
                {spawn, TM_LINT_MRPG},
                {plants, TM_LINT_MRPG},
                {note, 0},
                {slopes, TM_LINT_NINSLASH},
                {metal, TM_LINT_NINSLASH},
                {"add image lab2_main\n", TM_LINT_NINSLASH},
                {fng, 0} /* the race has lines */};
    for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
        char edits[600];
        OWN(tm_map) *map = test_lint_new_race();
        test_edit_does(map, maps[i].edits);
        assert_int_equal(test_lint_guess(map) & TM_LINT_MODS, maps[i].type);
        assert_int_equal(sets_of_run(map, 0) & TM_LINT_MODS, maps[i].type);
        assert_int_equal(sets_of_run(map, TM_LINT_DDNET), TM_LINT_DDNET);
        snprintf(edits, sizeof(edits), "%sfill game@3,10+1x1 87", maps[i].edits);
        assert_int_equal(severity_of(0, edits, TM_FINDING_UNKNOWN_TILE, NULL),
                         maps[i].type ? 0 : TM_SEVERITY_NOTE);
        assert_int_equal(severity_of(0, edits, TM_FINDING_MAP_OF_MOD, NULL),
                         maps[i].type ? TM_SEVERITY_NOTE : 0);
        assert_int_equal(severity_of(TM_LINT_DDNET, edits, TM_FINDING_UNKNOWN_TILE, NULL), TM_SEVERITY_NOTE);
    }
    assert_int_equal(severity_of(0, zones, TM_FINDING_EMPTY_LAYER, NULL), 0);
    assert_int_equal(severity_of(0, metal, TM_FINDING_IMAGE_NOT_SHIPPED, NULL), 0);
}
