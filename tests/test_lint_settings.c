/* SPDX-License-Identifier: Zlib */
/*
 * Rules of settings: how the console of DDNet reads a line (quotes, semicolons, comments, "mc;"), and which
 * commands set, repeat or overrule something. Each row has the lines of a map, and all that is found.
 */
#include "support/lib_lint.h"

static const struct {
    const char *lines[4];
    const char *found; /* "rule: text", a line each */
} settings[] = {
    /* a command is the first word as it stands, with its quotes */
    {{"\"tune\" gravity 1"}, "setting-unknown: line 1: '\"tune\"' is no setting of maps; perhaps 'tune'"},
    {{"\"sv_hit\" 0"}, "setting-unknown: line 1: '\"sv_hit\"' is no setting of maps; perhaps 'sv_hit'"},
    {{"tune \"gravity\" \"1\""}, ""},
    {{"tune \"gravityy\" 1"}, "tuning-unknown: line 1: 'gravityy' is no tuning parameter; perhaps 'gravity'"},
    {{"TUNE GraVity 1"}, ""},
    {{"sv_hit \"0\""}, ""},
    {{"sv_hit \"x\""}, "setting-arguments: line 1: 'sv_hit': 'x' is not an integer"},
    {{"  \t sv_hit\t0"}, ""},

    /* several commands */
    {{"sv_hit 0; sv_team 5"}, "setting-range: line 1: 'sv_team 5' is not from 0 to 3"},
    {{";; sv_hit 0 ;"}, ""},
    {{"mc;sv_hit 0;sv_team 5"}, "setting-range: line 1: 'sv_team 5' is not from 0 to 3"},
    {{"mc;"}, ""},
    {{"mc; sv_nonsens 1"}, "setting-unknown: line 1: 'sv_nonsens' is no setting of maps"},
    {{" mc;sv_hit 0"}, "setting-unknown: line 1: 'mc' is no setting of maps"},
    {{"MC;sv_hit 0"}, "setting-unknown: line 1: 'MC' is no setting of maps"},
    {{"mc sv_hit 0"}, "setting-unknown: line 1: 'mc' is no setting of maps"},
    {{"sv_hit 0;mc;sv_team 0"}, "setting-unknown: line 1: 'mc' is no setting of maps"},

    /* what quotes protect, and comments */
    {{"tune_zone_enter 1 \"a;sv_nonsens 1\""}, ""},
    {{"tune_zone_enter 1 a;sv_nonsens 1"}, "setting-unknown: line 1: 'sv_nonsens' is no setting of maps"},
    {{"tune_zone_enter 1 \"a # b\"; sv_team 5"}, "setting-range: line 1: 'sv_team 5' is not from 0 to 3"},
    {{"tune_zone_enter 1 \"a \\\" ; b\"; sv_team 5"},
     "setting-range: line 1: 'sv_team 5' is not from 0 to 3"},
    {{"tune_zone_enter 1 \"a; sv_team 5"}, ""},
    {{"sv_hit 0#; sv_team 5"}, ""},
    {{"sv_hit 0 # sv_team 5; sv_nonsens"}, ""},

    /* numbers */
    {{"tune gravity -.5", "tune ground_friction 5e-1", "tune gun_speed 2E+3", "tune hook_length +3."}, ""},
    {{"tune gravity 1e"}, "setting-arguments: line 1: 'tune': '1e' is no number"},
    {{"tune gravity e3"}, "setting-arguments: line 1: 'tune': 'e3' is no number"},
    {{"tune gravity 1,5"}, "setting-arguments: line 1: 'tune': '1,5' is no number"},
    {{"sv_team 0.5"}, "setting-arguments: line 1: 'sv_team': '0.5' is not an integer"},
    {{"sv_hit 0 1"}, "setting-arguments: line 1: 'sv_hit': '1' is too much"},
    {{"tune_zone 1 gravity"}, "setting-arguments: line 1: 'tune_zone': argument 3 is missing"},
    {{"switch_open"}, "setting-arguments: line 1: 'switch_open': argument 1 is missing"},

    /* the faults of the game that maps may ask for */
    {{"mapbug grenade-doubleexplosion@ddnet.tw"}, ""},
    {{"mapbug \"grenade-doubleexplosion@ddnet.tw\""}, ""},
    {{"mapbug foo"},
     "setting-arguments: line 1: 'mapbug': 'foo' is no fault that servers know: grenade-doubleexplosion@ddnet.tw"},
    {{"mapbug grenade-doubleexplosion"},
     "setting-arguments: line 1: 'mapbug': 'grenade-doubleexplosion' is no fault that servers know: grenade-doubleexplosion@ddnet.tw"},
    {{"mapbug Grenade-DoubleExplosion@ddnet.tw"},
     "setting-arguments: line 1: 'mapbug': 'Grenade-DoubleExplosion@ddnet.tw' is no fault that servers know: "
     "grenade-doubleexplosion@ddnet.tw"},
    {{"mapbug"}, "setting-arguments: line 1: 'mapbug': argument 1 is missing"},
    {{"mapbug \"\""},
     "setting-arguments: line 1: 'mapbug': '' is no fault that servers know: grenade-doubleexplosion@ddnet.tw"},

    /* what overrules, and what repeats */
    {{"tune gravity 0.5", "tune gravity"}, ""}, /* the second only prints it */
    {{"tune gravity", "tune gravity 0.5"}, ""},
    {{"tune gravity", "tune gravity"}, ""},
    {{"tune gravity 0.5", "tune ground_friction 0.5"}, ""},
    {{"tune gravity 0.5", "tune gravity 1"}, "setting-overruled: line 2 overrules line 1: 'tune gravity'"},
    {{"tune gravity 0.5", "Tune GRAVITY 0.5"}, "setting-twice: line 2 repeats line 1: 'tune GRAVITY'"},
    {{"sv_team 2", "SV_TEAM 2"}, "setting-twice: line 2 repeats line 1: 'sv_team'"},
    {{"tune gravity 0.5", "tune \"GRAVITY\" 1"},
     "setting-overruled: line 2 overrules line 1: 'tune GRAVITY'"},
    {{"tune gravity 0.5", "tune gravity \"0.5\""}, "setting-twice: line 2 repeats line 1: 'tune gravity'"},
    {{"tune gravity 0.5", "sv_hit 0", "tune gravity", "tune gravity 1"},
     "setting-overruled: line 4 overrules line 1: 'tune gravity'"},
    {{"tune gravity 1; tune gravity 2"}, "setting-overruled: line 1 overrules line 1: 'tune gravity'"},
    {{"tune gravity 0.5", "tune gravity x"}, "setting-arguments: line 2: 'tune': 'x' is no number"},
    {{"sv_hit 0", "sv_hit"}, "setting-arguments: line 2: 'sv_hit': argument 1 is missing"},
    {{"sv_hit 0", "sv_hit x"}, "setting-arguments: line 2: 'sv_hit': 'x' is not an integer"},
    {{"sv_team 0", "sv_team 2"}, "setting-overruled: line 2 overrules line 1: 'sv_team'"},
    {{"sv_team 0", "SV_TEAM 2"}, "setting-overruled: line 2 overrules line 1: 'sv_team'"},
    {{"tune_zone 1 gravity 2", "tune_zone 2 gravity 3", "tune gravity 4"}, ""},
    {{"tune_zone 2 gravity 2", "tune_zone 2 gravity 3"},
     "setting-overruled: line 2 overrules line 1: 'tune_zone 2 gravity'"},
    {{"tune_zone 2 gravity 2", "tune_zone 2 gravity"},
     "setting-arguments: line 2: 'tune_zone': argument 3 is missing"},
    {{"tune_zone_enter 1 a", "tune_zone_leave 1 b", "tune_zone_enter 2 a"}, ""},
    {{"tune_zone_enter 1 a", "tune_zone_enter 1 b"},
     "setting-overruled: line 2 overrules line 1: 'tune_zone_enter 1'"},
    {{"mapbug grenade-doubleexplosion@ddnet.tw", "mapbug grenade-doubleexplosion@ddnet.tw"},
     "setting-twice: line 2 repeats line 1: 'mapbug grenade-doubleexplosion@ddnet.tw'"},
};

TEST(settings_are_read_as_the_console_reads_them)
{
    static const char *const rules[] = {"setting-unknown", "setting-arguments", "setting-range",
                                        "tuning-unknown",  "setting-twice",     "setting-overruled"};
    enum { RULES = sizeof(rules) / sizeof(*rules) };
    tm_lint_choice choices[RULES + 1] = {{.off = true}};
    bool fine = true;
    for (size_t i = 0; i < RULES; i++)
        choices[i + 1] = (tm_lint_choice){.on = true, .name = rules[i]};
    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
        OWN(tm_map) *map = test_lint_new_race();
        OWN(tm_lint_result) result;
        tm_lint_options options = TM_LINT_OPTIONS_INIT;
        char found[1024] = "";
        size_t num = 0;
        while (num < 4 && settings[i].lines[num])
            num++;
        must(tm_map_set_settings(map, settings[i].lines, (uint32_t)num, NULL));
        options.choices = choices;
        options.num_choices = RULES + 1;
        must(tm_lint_run(&result, map, &options, NULL));
        for (size_t k = 0; k < result.findings.num; k++) {
            const size_t length = strlen(found);
            snprintf(found + length, sizeof(found) - length, "%s%s: %s", k ? "\n" : "",
                     tm_finding_name(result.findings.list[k].id), result.findings.list[k].text);
        }
        if (strcmp(found, settings[i].found) != 0)
            print_error("%s:\n'%s', not\n'%s'\n", settings[i].lines[0], found, settings[i].found);
        fine &= strcmp(found, settings[i].found) == 0;
    }
    assert_true(fine);
}
