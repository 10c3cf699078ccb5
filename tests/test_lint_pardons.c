/* SPDX-License-Identifier: Zlib */
/*
 * Findings that a map itself says to leave out, and how many findings of a rule are listed.
 */
#include "support/lib_lint.h"
#include "lint/lint.h"

/* The race with an empty group, two teleporters without exit, and a setting. */
static tm_map *suppressed_race(const char *setting)
{
    char line[512];
    tm_map *map = test_lint_new_race();
    test_edit_does(map,
                   "add group Nothing\nfill tele@3,3+1x1 tele-in-evil:5\nfill tele@4,3+1x1 tele-in-evil:6\n");
    snprintf(line, sizeof(line), "settings add '%s'\n", setting);
    test_edit_does(map, line);
    return map;
}

static const struct {
    const char *setting;
    size_t found, ignored;
} suppressions[] = {
    {"# teemap: ignore", 3, 0},
    {"# teemap: ignore empty-group", 2, 1},
    {"#teemap:ignore empty-group", 2, 1},
    {"  #  teemap:  ignore\tempty-group, tele-without-out - the exits come later", 0, 3},
    {"# teemap: ignore tele-* empty-group", 0, 3},
    {"# teemap: ignore *", 0, 3},
    {"# teemap: ignore tele-without-out@0/2", 1, 2},
    {"# teemap: ignore tele-without-out@Game/Tele", 1, 2},
    {"# teemap: ignore tele-without-out@0/1", 3, 0},
    {"# teemap: ignore tele-without-out@9/9", 4, 0}, /* there is no such layer */
    {"# teemap: ignore tele-without-out@", 3, 0},
    {"# teemap: ignore empty-gruop", 4, 0}, /* misspelt */
    {"# teemap: ignore tele-witout-out, empty-group", 3, 1},
    {"# teemap: ignore kog-spawn", 3, 0}, /* somebody's own rule, perhaps */
    {"# teemap: ignore nothing-of-the-kind", 3, 0},
    {"# teemap: ignore - empty-group", 3, 0},
    {"# teemap: ignored empty-group", 3, 0},
    {"# tidy: ignore empty-group", 3, 0},
    {"teemap: ignore empty-group", 4, 0}, /* a setting that no server knows */
    {"sv_deepfly 0 # teemap: ignore empty-group", 3, 0},
};

TEST(maps_say_what_to_leave_out)
{
    for (size_t i = 0; i < sizeof(suppressions) / sizeof(*suppressions); i++) {
        OWN(tm_lint_result) result;
        tm_lint_options options = TM_LINT_OPTIONS_INIT;
        options.choices = (const tm_lint_choice[]){{.name = "setting-idle", .off = true}};
        options.num_choices = 1;
        OWN(tm_map) *map = suppressed_race(suppressions[i].setting);
        must(tm_lint_run(&result, map, &options, NULL));
        if (result.findings.num != suppressions[i].found || result.ignored.num != suppressions[i].ignored)
            fail_msg("'%s': %u findings, %u ignored", suppressions[i].setting, (unsigned)result.findings.num,
                     (unsigned)result.ignored.num);
        for (size_t k = 0; k < result.ignored.num; k++) {
            assert_non_null(tm_lint_rule_for_ignored(&result, k));
            assert_int_equal(tm_lint_rule_for_ignored(&result, k)->id, result.ignored.list[k].id);
            assert_true(result.ignored.list[k].text[0]);
        }
        assert_null(tm_lint_rule_for_ignored(&result, result.ignored.num));
    }
}

/* Such a line makes no DDNet map of one that has nothing of DDNet, and is no idle setting. */
TEST(the_lines_are_nothing_else)
{
    OWN(tm_lint_result) result;
    size_t at;
    OWN(tm_map) *map = test_map_of("add group Game\nadd layer Game game 20x15\nfill game@2,2+1x1 spawn\n");
    const uint32_t sets = test_lint_guess(map);
    test_edit_does(map, "settings add '# teemap: ignore no-spawn'\n");
    assert_int_equal(test_lint_guess(map), sets);
    test_lint_ask(&result, map);
    assert_null(test_lint_find(&result, TM_FINDING_SETTING_IDLE, &at));
    tm_lint_result_release(&result);
    test_edit_does(map, "settings add '# a word to readers'\n");
    test_lint_ask(&result, map);
    assert_non_null(test_lint_find(&result, TM_FINDING_SETTING_IDLE, &at));
    assert_int_equal(result.findings.list[at].count, 1);
}

static uint64_t count_listed(const tm_lint_result *result, tm_finding_id id)
{
    uint64_t num = 0;
    for (size_t i = 0; i < result->findings.num; i++)
        num += result->findings.list[i].id == id;
    return num;
}

TEST(as_many_are_listed_as_asked_for)
{
    const tm_lint_rule *rule = tmi_lint_rule_of(TM_FINDING_EMPTY_GROUP);
    OWN(tm_map) *map = test_lint_new_race();
    for (int i = 0; i < 120; i++)
        test_edit_does(map, "add group Many\n");
    static const uint32_t mosts[] = {0, 1, 50, 119, 120, 100000};
    for (size_t i = 0; i < sizeof(mosts) / sizeof(*mosts); i++) {
        OWN(tm_lint_result) result;
        tm_lint_options options = TM_LINT_OPTIONS_INIT;
        const uint64_t most = mosts[i] ? mosts[i] : 50, listed = most < 120 ? most : 120;
        options.most = mosts[i];
        options.apart = true;
        must(tm_lint_run(&result, map, &options, NULL));
        assert_true(count_listed(&result, rule->id) == listed);
        assert_true(tm_lint_unlisted(&result, rule) == 120 - listed);
        assert_true(result.unlisted[TM_SEVERITY_NOTE] == 120 - listed);
        assert_true(result.findings.unlisted == 120 - listed);
    }
    OWN(tm_lint_result) result;
    tm_lint_options options = {.size = sizeof(options), .apart = true};
    test_edit_does(map, "settings add '# teemap: ignore empty-*'\n");
    must(tm_lint_run(&result, map, &options, NULL));
    assert_true(count_listed(&result, rule->id) == 0 && result.findings.unlisted == 0);
    assert_true(result.ignored.num == 50 && result.ignored.unlisted == 70);
    assert_true(tm_lint_unlisted(&result, rule) == 0);
}

/* A front layer full of movers is a picture: 282 of 200,000 were a warning. */
TEST(very_many_tiles_are_drawn_on_purpose)
{
    static const struct {
        const char *edit;
        tm_severity severity;
    } maps[] = {
        {"fill front@20,0+60x15 mover-fast\nfill front@20,0+2x15 mover-slow\n",
         TM_SEVERITY_WARNING},                                                                     /* 900 */
        {"fill front@13,0+67x15 mover-fast\nfill front@20,0+2x14 mover-slow\n", TM_SEVERITY_NOTE}, /* 1005 */
    };
    for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
        OWN(tm_lint_result) result;
        OWN(tm_map) *map = test_lint_new_race();
        size_t at = 0;
        test_edit_does(map, "extend right 60 air\nfill game@21,3+2x1 armor\n");
        test_edit_does(map, maps[i].edit);
        test_lint_ask(&result, map);
        const tm_finding *finding = test_lint_find(&result, TM_FINDING_MOVER_IN_FRONT, &at);
        assert_non_null(finding);
        assert_int_equal(finding->count, 2);
        assert_int_equal(finding->severity, maps[i].severity);
    }
}
