/* SPDX-License-Identifier: Zlib */
/*
 * Configurations of lint: what keys choose, for which maps, what is refused and in which line, and rules of one's own.
 */
#include "support/lib_lint.h"
#include "support/lib_failing.h"

/* The race with a few findings: an empty group and two teleporters without exit. */
static tm_map *faulty_race(void)
{
    tm_map *map = test_lint_new_race();
    test_edit_does(map, "add group Nothing\nfill tele@3,3+1x1 tele-in-evil:5\n");
    return map;
}

/* "id id id" of all that is found. */
static void ask_by(char *out, size_t size, const char *toml, const char *path, const tm_lint_choice *choice)
{
    OWN(tm_lint_result) result;
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    OWN(tm_map) *map = faulty_race();
    OWN(tm_lint_config) *config = test_lint_config(toml);
    options.config = config;
    options.path = path;
    options.choices = choice;
    options.num_choices = choice ? 1 : 0;
    must(tm_lint_run(&result, map, &options, NULL));
    out[0] = '\0';
    for (size_t i = 0; i < result.findings.num; i++) {
        const size_t at = strlen(out);
        snprintf(out + at, size - at, "%s%s%s", i ? " " : "", tm_lint_rule_name(tm_lint_rule_for(&result, i)),
                 result.findings.list[i].severity == TM_SEVERITY_ERROR ? "!" : "");
    }
}

#define BOTH "tele-without-out! empty-group"

static const struct {
    const char *toml, *path, *ids;
} asked[] = {
    {"", "maps/a.map", BOTH},
    {"[lint]", "maps/a.map", BOTH},
    {"[lint]\nrules = 'style'", "maps/a.map", "empty-group"},
    {"[lint]\nrules = ['ddnet', 'kog']", "maps/a.map", "tele-without-out!"},
    {"[lint]\nignore = ['empty-*']", "maps/a.map", "tele-without-out!"},
    {"[lint]\nselect = ['tele-*', 'blue-tele']", "maps/a.map", "tele-without-out!"},
    {"[lint]\nselect = []", "maps/a.map", ""},
    {"[lint]\nselect = '*-group'\nseverity = {empty-group = 'error'}", "maps/a.map", "empty-group!"},
    {"[[lint.maps]]\nmatch = 'a.map'\nignore = '*'", "maps/a.map", ""},
    {"[[lint.maps]]\nmatch = 'a.map'\nignore = '*'", "maps/old/deep/a.map", ""},
    {"[[lint.maps]]\nmatch = 'old/a.map'\nignore = '*'", "maps/old/a.map", ""},
    {"[[lint.maps]]\nmatch = 'old/a.map'\nignore = '*'", "maps/very/old/a.map", BOTH},
    {"[[lint.maps]]\nmatch = '**/old/*.map'\nignore = '*'", "maps/very/old/a.map", ""},
    {"[[lint.maps]]\nmatch = '**/old/*.map'\nignore = '*'", "maps/old/a.map", ""},
    {"[[lint.maps]]\nmatch = '**/old/*.map'\nignore = '*'", "maps/cold/a.map", BOTH},
    {"[[lint.maps]]\nmatch = 'old/'\nignore = '*'", "maps/old/deep/a.map", ""},
    {"[[lint.maps]]\nmatch = './*.map'\nignore = '*'", "maps/a.map", BOTH},
    {"[[lint.maps]]\nmatch = ['x', '?.m*p']\nignore = '*'", "maps/a.map", ""},
    {"[[lint.maps]]\nmatch = 'o*d/*'\nignore = '*'", "maps/old/a.map", ""},
    {"[[lint.maps]]\nmatch = 'o*/*'\nignore = '*'", "maps/old/deep/a.map", BOTH},
    {"[lint]\nignore = '*'\n[[lint.maps]]\nmatch = 'a.map'\nselect = 'empty-*'", "maps/a.map", "empty-group"},
    {"[[lint.maps]]\nmatch = '*'\nrules = 'style'\n[[lint.maps]]\nmatch = 'a*'\nrules = 'ddnet'", "a.map",
     "tele-without-out!"},
    /* Own rules. */
    {"[[lint.rule]]\nid = 'mine'\nforbid = 'tele-in-evil:5'", "a.map", BOTH " mine"},
    {"[[lint.rule]]\nid = 'mine'\nforbid = 'tele-in-evil:6'", "a.map", BOTH},
    {"[[lint.rule]]\nid = 'mine'\nrequire = 'spawn'", "a.map", BOTH},
    {"[[lint.rule]]\nid = 'mine'\nrequire = '9.. spawn'\nseverity = 'error'", "a.map", BOTH " mine!"},
    {"[[lint.rule]]\nid = 'mine'\nrequire = '1..3 spawn'", "a.map", BOTH},
    {"[[lint.rule]]\nid = 'mine'\nrequire = '..2 tele/*'", "a.map", BOTH " mine"},
    {"[[lint.rule]]\nid = 'mine'\nrequire = '35..59'", "a.map", BOTH},
    {"[[lint.rule]]\nid = 'mine'\nrequire = '35..59 where front/freeze'", "a.map", BOTH " mine"},
    {"[[lint.rule]]\nid = 'mine'\nrequire = '13.. 35..59'", "a.map", BOTH},
    {"[[lint.rule]]\nid = 'mine'\nforbid = 'settings/tune_zone*'", "a.map", BOTH " mine"},
    {"[lint]\nselect = 'mine'\n[[lint.rule]]\nid = 'mine'\nforbid = 'group/Nothing'", "a.map", "mine"},
    {"[lint]\nselect = 'own-rule'\n[[lint.rule]]\nid = 'mine'\nforbid = 'group/Nothing'", "a.map", "mine"},
    {"[[lint.rule]]\nid = 'mine'\nforbid = 'group/Nothing'\n[[lint.maps]]\nmatch='*'\nignore = ['m*e', 'empty-group']",
     "a.map", "tele-without-out!"},
};

TEST(files_choose_rules)
{
    char ids[512];
    for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
        ask_by(ids, sizeof(ids), asked[i].toml, asked[i].path, NULL);
        if (strcmp(ids, asked[i].ids) != 0)
            fail_msg("%s: %s: '%s', not '%s'", asked[i].toml, asked[i].path, ids, asked[i].ids);
    }
}

TEST(the_caller_overrules_files)
{
    char ids[512];
    const char *toml = "[lint]\nignore = '*'\n[[lint.rule]]\nid = 'mine'\nforbid = 'group/Nothing'";
    ask_by(ids, sizeof(ids), toml, "a.map", &(tm_lint_choice){.on = true, .name = "*-group"});
    assert_string_equal(ids, "empty-group");
    ask_by(ids, sizeof(ids), toml, "a.map", &(tm_lint_choice){.on = true, .id = TM_FINDING_OWN_RULE});
    assert_string_equal(ids, "mine");
    ask_by(ids, sizeof(ids), toml, "a.map",
           &(tm_lint_choice){.on = true, .name = "mine", .severity = TM_SEVERITY_ERROR});
    assert_string_equal(ids, "mine!");
}

static const struct {
    const char *toml, *fault;
} refused[] = {
    {"lint = 1", "line 1: 'lint' is a table: [lint]"},
    {"[lnt]", "line 1: there is no key 'lnt' here; did you mean 'lint'?"},
    {"[lint]\nignor = 1", "line 2: there is no key 'ignor' here; did you mean 'ignore'?"},
    {"[lint]\nsomething-else = 1", "line 2: there is no key 'something-else' here"},
    {"[lint]\nrules = 'ddnett'", "line 2: there is no set of rules 'ddnett'; did you mean 'ddnet'?"},
    {"[lint]\nignore = ['empty-*',\n'tele-witout-out']",
     "line 3: no rule fits 'tele-witout-out'; did you mean 'tele-without-out'?"},
    {"[lint]\nignore = 5", "line 2: 'ignore' is no text and no list of texts"},
    {"[lint]\nselect = ['*', 5]", "line 2: 'select' holds something that is no text in quotes"},
    {"[lint.severity]\nempty-group = 'bad'", "line 2: 'bad' is not \"error\", \"warning\" or \"note\""},
    {"[lint.severity]\nempty-grop = 'note'",
     "line 2: no rule fits 'empty-grop'; did you mean 'empty-group'?"},
    {"[lint]\nseverity = 'note'", "line 2: 'severity' is no table: [lint.severity]"},
    {"[lint.maps]\nmatch = '*'", "line 1: 'maps' is a list of tables: [[lint.maps]]"},
    {"[lint]\nmaps = [1]", "line 2: 'maps' is a list of tables: [[lint.maps]]"},
    {"[[lint.maps]]\nignore = '*'", "line 1: which maps are meant? 'match' is missing"},
    {"[[lint.rule]]\nforbid = 'freeze'", "line 1: the rule has no id"},
    {"[[lint.rule]]\nid = 'No Spaces'\nforbid = 'freeze'", "line 2: 'No Spaces' is no id"},
    {"[[lint.rule]]\nid = 'empty-group'\nforbid = 'freeze'", "line 2: there is a rule 'empty-group' already"},
    {"[[lint.rule]]\nid = 'a'\nforbid = 'freeze'\n[[lint.rule]]\nid = 'a'\nforbid = 'freeze'",
     "line 5: there is a rule 'a' already"},
    {"[[lint.rule]]\nid = 'a'", "line 1: the rule takes one of 'require', 'forbid' and 'text'"},
    {"[[lint.rule]]\nid = 'a'\nforbid = 'x'\nrequire = 'y'",
     "line 1: the rule takes one of 'require', 'forbid' and 'text'"},
    {"[[lint.rule]]\nid = 'a'\nforbid = 'freze'", "line 3: "},
    {"[[lint.rule]]\nid = 'a'\nrequire = '3..1 freeze'", "line 3: nothing is from 3 to 1"},
    {"[[lint.rule]]\nid = 'a'\nforbid = 7", "line 3: 'forbid' is no text in quotes"},
    {"[[lint.rule]]\nid = 'a'\nforbid = 'freeze'\ntitle = 7", "line 4: 'title' is no text in quotes"},
    {"[[lint.rule]]\nid = 'a'\ntext = 'info.license'", "line 3: 'allowed' is missing"},
    {"[[lint.rule]]\nid = 'a'\nforbid = 'spawn'\nallowed = ['a']", "line 4: 'allowed' belongs to 'text'"},
    {"[[lint.rule]]\nid = 'a'\nforbid = 'spawn'\ntext = 'info.license'", "line 1: the rule takes one of"},
    {"[[lint.rule]]\nid = 'a'\ntext = 3\nallowed = []", "line 3: 'text' is no text in quotes"},
    {"[[lint.rule]]\nid = 'a'\ntext = 'settings/'\nallowed = []",
     "line 3: 'settings/' is none of info.author"},
    {"[[lint.rule]]\nid = 'a'\ntext = 'images'\nallowed = []", "line 3: 'images' is none of"},
    {"[[lint.rule]]\nid = 'a'\ntext = 'info.author'\nallowed = 'a'", "line 4: 'allowed' is no list of texts"},
    {"[[lint.rule]]\nid = 'a'\ntext = 'info.author'\nallowed = ['a', 3]",
     "line 4: 'allowed' is no list of texts"},
    {"[[lint.rule]]\nid = 'a'\nforbid = 'spawn'\nafter = ['a']",
     "line 4: there is no rule 'a' of one's own before"},
    {"[[lint.rule]]\nid = 'a'\nrequire = '2..1 bytes'", "line 3: nothing is from 2 to 1"},
    {"x = ", "line 1: not a value"},
};

/* What is refused leaves the configuration as it was. */
TEST(faults_are_told_and_change_nothing)
{
    OWN(tm_lint_config) *config = test_lint_config("[[lint.rule]]\nid = 'first'\nforbid = 'freeze'\n");
    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        tm_error error = {.offset = -1};
        const tm_status status =
            tm_lint_config_add(config, "x.toml", refused[i].toml, strlen(refused[i].toml), &error);
        if ((status != TM_ERROR_USAGE && status != TM_ERROR_DAMAGED) ||
            strncmp(error.text, refused[i].fault, strlen(refused[i].fault)) != 0)
            fail_msg("%s: %d, %s", refused[i].toml, (int)status, error.text);
        assert_string_equal(error.path, "x.toml");
        assert_non_null(tm_lint_config_rule(config, 0));
        assert_null(tm_lint_config_rule(config, 1));
    }
    const char *extra = "[lint]\nselect = 'second'\n[[lint.rule]]\nid = 'second'\nforbid = 'freeze'\n";
    must(tm_lint_config_add(config, "x.toml", extra, strlen(extra), NULL));
    assert_string_equal(tm_lint_rule_name(tm_lint_config_rule(config, 1)), "second");
}

TEST(own_rules_say_what_and_where)
{
    OWN(tm_lint_result) result;
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    OWN(tm_map) *map = faulty_race();
    OWN(tm_lint_config) *config = test_lint_config(
        "[lint]\nselect = ['one', 'two', 'three', 'four']\n"
        "[[lint.rule]]\nid = 'one'\nforbid = 'tele-in-evil'\nfix = 'replace tele-in-evil with air'\n"
        "[[lint.rule]]\nid = 'two'\ntitle = 'too few'\nrequire = '9.. spawn'\nwhy = 'because'\n"
        "[[lint.rule]]\nid = 'three'\nrequire = '..2 tele/*'\n"
        "[[lint.rule]]\nid = 'four'\nforbid = 'settings/tune_*'\nseverity = 'error'\n");
    static const char *const texts[] = {
        "3 tiles fit 'tele-in-evil' (at 3,3 and 1 more place)",
        "too few: 'spawn' fits 2 times; at least 9 are asked for",
        "8 tiles fit 'tele/*'; of 8 in all 0 to 2 are asked for (at 3,3 and 3 more places)",
        "'tune_zone 1 gravity 0.25' fits 'settings/tune_*'",
    };
    options.config = config;
    must(tm_lint_run(&result, map, &options, NULL));
    assert_int_equal(result.findings.num, 4);
    for (size_t i = 0; i < 4; i++) {
        const tm_lint_rule *rule = tm_lint_rule_for(&result, i);
        assert_ptr_equal(rule, tm_lint_config_rule(config, (uint32_t)i));
        assert_int_equal(result.findings.list[i].id, TM_FINDING_OWN_RULE);
        assert_string_equal(result.findings.list[i].text, texts[i]);
    }
    assert_string_equal(tm_lint_fix_line(&result, 0), "replace tele-in-evil with air");
    assert_string_equal(tm_lint_rule_for(&result, 1)->reason, "because");
    assert_int_equal(tm_lint_rule_severity(tm_lint_rule_for(&result, 3)), TM_SEVERITY_ERROR);
    assert_string_equal(result.findings.list[0].address, "0/2");
    assert_string_equal(result.findings.list[3].address, "settings");
}

static tm_status report_groups(void *ctx, const tm_map *map, tm_lint_report *report, tm_error *error)
{
    static const tm_region places[] = {{{1, 2, 3, 1}, 3}, {{7, 2, 1, 2}, 2}};
    const uint32_t *times = ctx;
    (void)error;
    for (uint32_t i = 0; i < *times; i++)
        tm_lint_report_add(report, &(tm_address){TM_KIND_GROUP, 0, 0}, i ? "again" : "once", NULL, 0);
    tm_lint_report_add(report, &(tm_address){TM_KIND_LAYER, 0, 0}, map->groups[0].name, places, 2);
    return TM_OK;
}

/* library.md, wish 3: tm_findings_add joined the findings of such rules that had one address, 905 became 17. */
TEST(rules_in_code_are_as_those_of_files)
{
    uint32_t times = 3, num;
    OWN(tm_lint_config) *config = test_lint_config("[lint]\nignore = '*'\n");
    const tm_lint_rule rule = {.custom_id = "my-rule", .title = "mine", .fix = "clean groups"};
    tm_error error = {.offset = -1};
    must(tm_lint_config_add_rule(config, &rule, 0, report_groups, &times, &error));
    fails_with(TM_ERROR_USAGE, "there is a rule 'my-rule' already",
               tm_lint_config_add_rule(config, &rule, 0, report_groups, &times, &error));
    OWN(tm_map) *map = test_lint_new_race();
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    OWN(tm_lint_result) result;
    const tm_lint_choice choice = {.name = "my-*", .on = true, .severity = TM_SEVERITY_ERROR};
    options.config = config;
    options.choices = &choice;
    options.num_choices = 1;
    must(tm_lint_run(&result, map, &options, NULL));
    assert_int_equal(result.findings.num, 4);
    assert_string_equal(result.findings.list[0].text, "once");
    assert_string_equal(result.findings.list[2].text, "again");
    assert_string_equal(result.findings.list[3].text, "Game (at 1,2+3x1 and 1 more place)");
    assert_int_equal(result.findings.list[3].count, 5);
    assert_int_equal(result.findings.list[3].severity, TM_SEVERITY_ERROR);
    assert_string_equal(tm_lint_rule_name(tm_lint_rule_for(&result, 0)), "my-rule");
    assert_non_null(tm_lint_places(&num, &result, 3));
    assert_int_equal(num, 2);
}

/* Fifty findings of a rule are listed; many own rules have fifty each. */
TEST(many_own_rules_are_all_listed)
{
    OWN(tm_lint_result) result;
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    OWN(tm_map) *map = test_lint_new_race();
    char toml[8192] = "[lint]\nselect = 'rule-*'\n";
    for (int i = 0; i < 60; i++) {
        const size_t at = strlen(toml);
        snprintf(toml + at, sizeof(toml) - at, "[[lint.rule]]\nid = 'rule-%d'\nforbid = 'group/*'\n", i);
    }
    for (int i = 0; i < 60; i++)
        test_edit_does(map, "add group Many\n");
    options.config = test_lint_config(toml);
    must(tm_lint_run(&result, map, &options, NULL));
    assert_int_equal(result.findings.num, 60 * 50);
    assert_true(result.unlisted[TM_SEVERITY_WARNING] >= 60 * 11);
    OWN(tm_lint_config) *config;
    memcpy(&config, &options.config, sizeof(config));
}

/* A file of strangers with thousands of rules took a minute, and looked at the map as often. */
TEST(rules_of_a_file_have_a_limit)
{
    enum { MOST = 1000, LINE = 64 };
    static char toml[(MOST + 1) * LINE];
    OWN(tm_lint_config) *config;
    tm_error error = {.offset = -1};
    size_t size = 0;
    for (int i = 0; i < MOST; i++)
        size += (size_t)snprintf(toml + size, LINE, "[[lint.rule]]\nid = 'rule-%d'\nforbid = 'spawn'\n", i);
    config = test_lint_config(toml);
    assert_non_null(tm_lint_config_rule(config, MOST - 1));
    tm_lint_config_free(config);
    snprintf(toml + size, LINE, "[[lint.rule]]\nid = 'one-more'\nforbid = 'spawn'\n");
    must(tm_lint_config_new(&config, NULL, NULL));
    fails(TM_ERROR_USAGE, "line 3002: there are more than 1000 rules",
          tm_lint_config_add(config, "x.toml", toml, strlen(toml), &error));
    assert_null(tm_lint_config_rule(config, 0));
}

static tm_status add_small_file(const tm_allocator *allocator)
{
    static const char toml[] = "[lint]\nrules = 'style'\nselect = ['own']\nseverity = {own = 'note'}\n"
                               "[[lint.maps]]\nmatch = ['a', 'b/']\nignore = 'empty-*'\n"
                               "[[lint.rule]]\nid = 'own'\nforbid = 'tele-in without tele-out'\n"
                               "[[lint.rule]]\nid = 'next'\nafter = ['own']\ntext = 'info.license'\n"
                               "allowed = ['MIT', 'CC-*']\n";
    OWN(tm_lint_config) *config;
    tm_status status = tm_lint_config_new(&config, allocator, NULL);
    if (!status)
        status = tm_lint_config_add(config, "x.toml", toml, strlen(toml), NULL);
    return status;
}

TEST(every_request_for_memory_may_fail)
{
    test_memory_fail_each(add_small_file);
}
