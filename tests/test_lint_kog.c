/* SPDX-License-Identifier: Zlib */
/*
 * Rules of King of Gores in YAML: what each finds and what not, which stand on others, what is refused and in which line.
 * Skipped without libyaml, but for what is said then.
 */
#include "support/lib_datafile.h"
#include "support/lib_lint.h"
#include "support/lib_maps.h"
#include "support/lib_failing.h"

#include <teemap/codec.h>
#include <teemap/find.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void need_yaml(void)
{
    if (!tm_yaml_available())
        skip();
}

#define RULE(name, module, class, type) \
    "- {name: " name ", module: rules." module ", class_name: " class ", description: 'x', type: " type ", "
#define SPAWN(name, more) \
    RULE(name, "tile", "Exist", "require") "params: {humanized: Spawn, expected_tile: 192" more "}, "
#define ALONE "depends_on: []}\n"

static void put_rules(char *out, size_t size, const char *rules)
{
    snprintf(out, size, "rules:\n%s", rules);
}

static tm_lint_config *config_of(const char *rules)
{
    tm_lint_config *config;
    char text[4096];
    tm_error error = {.offset = -1};
    put_rules(text, sizeof(text), rules);
    assert_int_equal(tm_lint_config_new(&config, NULL, NULL), TM_OK);
    if (tm_lint_config_add_kog(config, "map_rules/001.yaml", text, strlen(text), &error))
        fail_msg("%s: %s", text, error.text);
    return config;
}

/* "severity id place: text" of all that these rules find, each on a line. */
static void ask_map(char *out, size_t size, const tm_map *map, const tm_lint_config *config,
                    uint64_t file_size)
{
    tm_lint_result result;
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    const tm_lint_choice choices[] = {{.off = true}, {.on = true, .name = "kog-*"}};
    options.config = config;
    options.choices = choices;
    options.num_choices = 2;
    options.file_size = file_size;
    options.most = 10000;
    assert_int_equal(tm_lint_run(&result, map, &options, NULL), TM_OK);
    out[0] = '\0';
    for (size_t i = 0; i < result.findings.num; i++) {
        const tm_finding *finding = &result.findings.list[i];
        const size_t at = strlen(out);
        snprintf(out + at, size - at, "%s%s %s %s: %s", i ? "\n" : "", tm_severity_name(finding->severity),
                 tm_lint_rule_name(tm_lint_rule_for(&result, i)), finding->address, finding->text);
    }
    tm_lint_result_release(&result);
}

#define LIST(module, field, values) \
    RULE("L", module, "Valid", "fail") "params: {field: " field ", type: list, values: [" values "]}, " ALONE
#define REGEX(module, field, regex) \
    RULE("R", module, "Valid", "fail") "params: {field: " field ", type: regex, regex: '" regex "'}, " ALONE
#define SIZES(params) RULE("Size", "file", "FileSize", "require") "params: {" params "}, " ALONE
#define FINISH(needs)                                                     \
    RULE("Finish", "tile", "Exist", "require")                            \
    "params: {humanized: Finish, expected_tile: 34, max_occurances: 1}, " \
    "depends_on: [" needs "]}\n"

/* The race has two spawns, 13 tiles each of start and finish, and two tiles that freeze in its front layer. */
static const struct {
    const char *rules, *edit, *found;
} asked[] = {
    {SPAWN("A b", "") ALONE, "", ""},
    {SPAWN("A b", "") ALONE, "replace spawn with air\n",
     "error kog-a-b : Spawn (tile 192) is there 0 times; at least 1 are asked for"},
    {SPAWN("A b", ", min_occurances: 2, max_occurances: 2") ALONE, "", ""},
    {SPAWN("A b", ", min_occurances: 3") ALONE, "",
     "error kog-a-b : Spawn (tile 192) is there 2 times; at least 3 are asked for"},
    {SPAWN("A b", ", max_occurances: 1") ALONE, "fill front@4,4+1x1 spawn\n",
     "error kog-a-b 0/0: Spawn (tile 192) is there 3 times; at most 1 are allowed (at 2,2+2x1)\n"
     "error kog-a-b 0/1: Spawn (tile 192) is there 3 times; at most 1 are allowed (at 4,4)"},
    {SPAWN("A b", ", expected_layer: Game") ALONE, "", ""},
    {SPAWN("A b", ", expected_layer: Front") ALONE, "",
     "error kog-a-b 0/0: Spawn (tile 192) belongs to the layer Front (at 2,2+2x1)"},
    /* Design layers and numbers are no tiles. */
    {SPAWN("A b", "") ALONE,
     "replace spawn with air\nadd group Look\nadd layer Look tiles 4x4\nfill Look/0@0,0+2x2 192\n",
     "error kog-a-b : Spawn (tile 192) is there 0 times; at least 1 are asked for"},
    {RULE("T", "tile", "Exist",
          "skip") "params: {humanized: Out, expected_tile: 27, max_occurances: 1}, " ALONE,
     "", "note kog-t 0/2: Out (tile 27) is there 2 times; at most 1 are allowed (at 8,10+2x1)"},
    /* Rules that stand on others, also on such as are passed over. */
    {SPAWN("A b", "") ALONE FINISH("A b"), "",
     "error kog-finish 0/0: Finish (tile 34) is there 13 times; at most 1 are allowed (at 15,1+1x13)"},
    {SPAWN("A b", ", min_occurances: 9") ALONE FINISH("A b"), "",
     "error kog-a-b : Spawn (tile 192) is there 2 times; at least 9 are asked for"},
    {SPAWN("A", ", min_occurances: 9") ALONE SPAWN("B", "") "depends_on: [A]}\n" FINISH("B"), "",
     "error kog-a : Spawn (tile 192) is there 2 times; at least 9 are asked for"},
    {RULE("S", "sound", "Valid", "fail") "params: , " ALONE FINISH("S"), "",
     "error kog-finish 0/0: Finish (tile 34) is there 13 times; at most 1 are allowed (at 15,1+1x13)"},
    /* Sizes: the file is told to have 2048 bytes. */
    {SIZES("max_file_size: 2KB, min_file_size: 1Byte"), "", ""},
    {SIZES("max_file_size: 1.9 kb"), "",
     "error kog-size : the file has 2048 bytes; at most 1945 are allowed"},
    {SIZES("max_file_size: 10MB, min_file_size: 2049Byte"), "",
     "error kog-size : the file has 2048 bytes; at least 2049 are asked for"},
    /* Settings: each part of each line that sets it. */
    {LIST("setting", "sv_q", "A, B"), "", ""},
    {LIST("setting", "sv_q", "A, B"), "settings add 'sv_q A, B'\nsettings add 'sv_quest C'\n", ""},
    {LIST("setting", "sv_q", "A, B"), "settings add 'sv_q A,C,D'\n",
     "warning kog-l settings: sv_q: 'C' is not allowed; allowed: A, B\n"
     "warning kog-l settings: sv_q: 'D' is not allowed; allowed: A, B"},
    {LIST("setting", "sv_q", "A"), "settings add 'sv_q'\n",
     "warning kog-l settings: sv_q is empty; allowed: A"},
    {REGEX("setting", "sv_q", "^[0-9]+$"), "settings add 'sv_q 12'\n", ""},
    {REGEX("setting", "sv_q", "^[0-9]+$"), "settings add 'sv_q 12a'\n",
     "warning kog-r settings: sv_q '12a' does not fit '^[0-9]+$'"},
    /* Texts. */
    {LIST("meta", "license", "MIT, 5"), "", "warning kog-l info: license is empty; allowed: MIT, 5"},
    {LIST("meta", "license", "MIT, 5"), "set info.license=MIT\n", ""},
    {LIST("meta", "license", "MIT, 5"), "set 'info.license=MIT,GPL'\n",
     "warning kog-l info: license: 'GPL' is not allowed; allowed: MIT, 5"},
    {REGEX("meta", "author", "^[\\w\\W]+(,\\s*[\\w\\W]+)*$"), "",
     "warning kog-r info: author '' does not fit '^[\\w\\W]+(,\\s*[\\w\\W]+)*$'"},
    {REGEX("meta", "author", "^[\\w\\W]+(,\\s*[\\w\\W]+)*$"), "set 'info.author=Ann, Bob'\n", ""},
    /* Images. */
    {RULE("I", "image", "Valid", "require") "params: , " ALONE, "add image grass_main\n", ""},
    {RULE("I", "image", "Valid", "require") "params: , " ALONE, "add image grass_men\n",
     "error kog-i image/0: it is none of the external images that are allowed"},
};

static void each_kind_finds_what_it_asks(void **state)
{
    (void)state;
    char found[4096];
    need_yaml();
    for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
        tm_map *map = test_lint_new_race();
        tm_lint_config *config = config_of(asked[i].rules);
        if (asked[i].edit[0])
            test_lint_edit(map, asked[i].edit);
        ask_map(found, sizeof(found), map, config, 2048);
        if (strcmp(found, asked[i].found) != 0)
            fail_msg("%s%s:\n'%s', not\n'%s'", asked[i].rules, asked[i].edit, found, asked[i].found);
        tm_lint_config_free(config);
        tm_map_free(map);
    }
}

static void files_of_unknown_size_are_not_asked_for_it(void **state)
{
    (void)state;
    char found[256];
    need_yaml();
    tm_map *map = test_lint_new_race();
    tm_lint_config *config = config_of(SIZES("min_file_size: 1GB"));
    ask_map(found, sizeof(found), map, config, 0);
    assert_string_equal(found, "");
    tm_lint_config_free(config);
    tm_map_free(map);
}

/* Expressions, as Python takes them. */
static const struct {
    const char *regex, *fits, *fails; /* texts between spaces; fails may be NULL */
} regexes[] = {
    {"abc", "abc abcd", "ab xabc"},
    {"a|bc", "a bc ax", "b c"},
    {"^(a|bc)+$", "a aa bca abcbc", "ab c"},
    {"^a{2,3}$", "aa aaa", "a aaaa"},
    {"^a{2}$", "aa", "a aaa"},
    {"^a{2,}$", "aa aaaaa", "a"},
    {"^a{,2}b$", "b ab aab", "aaab"},
    {"^x?y*z+$", "z xz xyyzz", "xy xxz"},
    {"^[a-c_]+$", "abc a_b", "abd A"},
    {"^[^a-c]$", "d \xc3\xa4", "a"},
    {"^[]a]$", "] a", "b"},
    {"^[a-]$", "a -", "b"},
    {"^.{2}$", "ab \xc3\xa4\xc3\xb6", "a"},
    {"^\\w+$", "a_9 \xc3\xa4", "a-b"},
    {"^\\d\\D\\S$", "1ab", "a1b 111"},
    {"^a\\.b$", "a.b", "axb"},
    {"^(?:a|)b$", "ab b", "a"},
    {"^((a*)*)*$", "aaaa", "aab"},
    {"^(a|a)*b*?$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"},
    {"^(.*)(.*)(.*)(.*)(.*)[x]$", "aaax", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
};

static void expect_fit(const char *regex, const char *texts, bool fits)
{
    char rules[512], edit[256], found[1024], list[256];
    snprintf(rules, sizeof(rules), REGEX("meta", "author", "%s"), regex);
    snprintf(list, sizeof(list), "%s", texts);
    for (const char *text = strtok(list, " "); text; text = strtok(NULL, " ")) {
        tm_map *map = test_lint_new_race();
        tm_lint_config *config = config_of(rules);
        snprintf(edit, sizeof(edit), "set 'info.author=%s'\n", text);
        test_lint_edit(map, edit);
        ask_map(found, sizeof(found), map, config, 0);
        if (fits != !found[0])
            fail_msg("'%s' and '%s': '%s'", regex, text, found);
        tm_lint_config_free(config);
        tm_map_free(map);
    }
}

static void expressions_are_those_of_python(void **state)
{
    (void)state;
    need_yaml();
    for (size_t i = 0; i < sizeof(regexes) / sizeof(*regexes); i++) {
        expect_fit(regexes[i].regex, regexes[i].fits, true);
        expect_fit(regexes[i].regex, regexes[i].fails, false);
    }
}

static const struct {
    const char *text, *fault;
} refused[] = {
    {"", "line 1: there is nothing in it"},
    {"- a", "line 1: 'rules' is missing"},
    {"rulez: []", "line 1: there is no key 'rulez' here; did you mean 'rules'?"},
    {"rules: 5", "line 1: 'rules' is a list of rules"},
    {"rules:\n- 5", "line 2: a rule is a table"},
    {"rules:\n- a: [", "line 3: "},
    {"rules:\n\n- nam: x", "line 3: there is no key 'nam' here; did you mean 'name'?"},
    {"rules:\n- module: x", "line 2: 'name' is missing"},
    {"rules:\n- {name: a, name: b}", "line 2: 'name' stands in line 2, too"},
    {"rules: &a []", "line 1: anchors (& and *) and tags (!) are not read"},
    {"rules: !x []", "line 1: anchors (& and *) and tags (!) are not read"},
    {"rules: []\n---\nrules: []", "line 2: a second document begins"},
    {"rules:\n- \xff", "line 2: "},
    {"rules:\n- \"a\\0b\"", "line 2: a control character"},
    {"? [a]\n: b", "line 1: a key is a word"},
    {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
     "line 1: this is nested too deeply"},
    {"rules:\n" RULE("a", "vote", "Exist", "skip") ALONE,
     "line 2: rules.vote.Exist is no kind of rules that is known: "},
    {"rules:\n" RULE("a", "tile", "Exist", "skip") ALONE, "line 2: 'params' is missing"},
    {"rules:\n" RULE("a", "image", "Valid", "skp") ALONE, "line 2: 'type' is require, fail or skip"},
    {"rules:\n" RULE("a", "image", "Valid", "skip") "params: {x: 1}}\n", "line 2: there is no key 'x' here"},
    {"rules:\n" RULE("a", "image", "Valid", "skip") "params: , depends_on: [b]}\n",
     "line 2: 'depends_on': there is no rule 'b' before this one"},
    {"rules:\n" RULE("a", "image", "Valid", "skip") ALONE RULE("A", "image", "Valid", "skip") ALONE,
     "line 3: there is a rule 'kog-a' already"},
    {"rules:\n" SPAWN("a", ", expected_layer: Design") ALONE,
     "line 2: 'expected_layer' is Game, Front, Tele"},
    {"rules:\n" SPAWN("a", ", expected_layer: Tele") ALONE,
     "line 2: tile 192 means nothing in the layer Tele"},
    {"rules:\n" SPAWN("a", ", min_occurances: 0") ALONE, "line 2: 'min_occurances' is a number from 1 to"},
    {"rules:\n" SPAWN("a", ", min_occurances: 3, max_occurances: 2") ALONE, "line 2: nothing is from 3 to 2"},
    {"rules:\n" RULE("a", "tile", "Exist", "skip") "params: {humanized: x, expected_tile: 256}, " ALONE,
     "line 2: 'expected_tile' is a number from 1 to 255"},
    {"rules:\n" SIZES("x_file_size: 1KB"), "line 2: there is no key 'x_file_size' here"},
    {"rules:\n" SIZES("min_file_size: ~"), "line 2: 'max_file_size' or 'min_file_size' is missing"},
    {"rules:\n" SIZES("min_file_size: 5 Pounds"), "line 2: 'min_file_size' is a size like 10MB"},
    {"rules:\n" SIZES("min_file_size: 5"), "line 2: 'min_file_size' is a size like 10MB"},
    {"rules:\n" SIZES("min_file_size: 1234567890MB"), "line 2: 'min_file_size' is a size like 10MB"},
    {"rules:\n" LIST("meta", "name", "a"), "line 2: 'field' is author, version, credits or license"},
    {"rules:\n" LIST("meta", "author", ""), "line 2: 'values' is a list of texts"},
    {"rules:\n" LIST("meta", "author", "[a]"), "line 2: 'values' is a list of texts"},
    {"rules:\n" RULE("a", "meta", "Valid", "skip") "params: {field: author, type: one}, " ALONE,
     "line 2: 'type' is list or regex"},
    {"rules:\n" REGEX("meta", "author", "a("), "line 2: the expression at '': a ( has no )"},
    {"rules:\n" REGEX("meta", "author", "a)"), "line 2: the expression at ')': a ) has no ("},
    {"rules:\n" REGEX("meta", "author", "[a"), "line 2: the expression at '': a [ has no ]"},
    {"rules:\n" REGEX("meta", "author", "*"), "line 2: the expression at '*': nothing stands there"},
    {"rules:\n" REGEX("meta", "author", "a**"), "line 2: the expression at '*': nothing stands there"},
    {"rules:\n" REGEX("meta", "author", "(?=a)"),
     "line 2: the expression at '?=a)': of (? only (?: is known"},
    {"rules:\n" REGEX("meta", "author", "\\b"), "line 2: the expression at 'b': behind \\ stands one of"},
    {"rules:\n" REGEX("meta", "author", "[z-a]"), "line 2: the expression at ']': a range goes"},
    {"rules:\n" REGEX("meta", "author", "(((a{9}){9}){9}){9}"), "line 2: the expression at"},
    {"rules:\n" REGEX("meta", "author", "((((((((((((((((((((((((a))))))))))))))))))))))))"),
     "line 2: the expression at"},
    {"rules:\n" REGEX("meta", "author", "\xc3\xa4"), "line 2: the expression at"},
};

static void faults_are_told_and_change_nothing(void **state)
{
    (void)state;
    need_yaml();
    tm_lint_config *config = config_of(RULE("First", "image", "Valid", "skip") ALONE);
    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        tm_error error = {.offset = -1};
        const char *text = refused[i].text;
        const tm_status status = tm_lint_config_add_kog(config, "x.yaml", text, strlen(text), &error);
        if ((status != TM_ERROR_USAGE && status != TM_ERROR_DAMAGED) ||
            strncmp(error.text, refused[i].fault, strlen(refused[i].fault)) != 0)
            fail_msg("%s: %d, %s", text, (int)status, error.text);
        assert_string_equal(error.path, "x.yaml");
        assert_null(tm_lint_config_rule(config, 1));
    }
    const tm_lint_rule *rule = tm_lint_config_rule(config, 0);
    assert_string_equal(tm_lint_rule_name(rule), "kog-first");
    assert_string_equal(rule->title, "First");
    assert_string_equal(rule->why, "x");
    assert_string_equal(rule->source, "map_rules/001.yaml");
    assert_int_equal(tm_lint_rule_severity(rule), TM_SEVERITY_NOTE);
    tm_lint_config_free(config);
}

static void lists_of_images_replace_each_other(void **state)
{
    (void)state;
    static const char *const first[] = {"a", "b"}, *const second[] = {"b"}, *const broken[] = {"a", NULL};
    char found[1024];
    tm_error error = {.offset = -1};
    need_yaml();
    tm_map *map = test_lint_new_race();
    tm_lint_config *config = config_of(RULE("I", "image", "Valid", "fail") ALONE);
    test_lint_edit(map, "add image a\nadd image b\nadd image grass_main\n");
    assert_int_equal(tm_lint_config_allow_images(config, TM_LINT_EXTERNAL, first, 2, NULL), TM_OK);
    ask_map(found, sizeof(found), map, config, 0);
    assert_string_equal(found, "warning kog-i image/2: it is none of the external images that are allowed");
    assert_int_equal(tm_lint_config_allow_images(config, TM_LINT_EXTERNAL, second, 1, NULL), TM_OK);
    assert_int_equal(tm_lint_config_allow_images(config, TM_LINT_EXTERNAL, broken, 2, &error),
                     TM_ERROR_USAGE);
    assert_int_equal(tm_lint_config_allow_images(config, (tm_lint_images)2, first, 2, &error),
                     TM_ERROR_USAGE);
    ask_map(found, sizeof(found), map, config, 0);
    assert_string_equal(found, "warning kog-i image/0: it is none of the external images that are allowed\n"
                               "warning kog-i image/2: it is none of the external images that are allowed");
    tm_lint_config_free(config);
    tm_map_free(map);
}

static tm_status add_few_rules(const tm_allocator *allocator)
{
    static const char text[] =
        "rules:\n" SPAWN("a", "") ALONE LIST("meta", "license", "MIT") REGEX("meta", "author", "^(a|b){2}$")
            RULE("I", "image", "Valid", "skip") "params: , depends_on: [a]}\n";
    static const char *const names[] = {"a", "b"};
    tm_lint_config *config;
    tm_status status = tm_lint_config_new(&config, allocator, NULL);
    if (!status)
        status = tm_lint_config_add_kog(config, "x.yaml", text, strlen(text), NULL);
    if (!status)
        status = tm_lint_config_allow_images(config, TM_LINT_EMBEDDED, names, 2, NULL);
    tm_lint_config_free(config);
    return status;
}

static void every_request_for_memory_may_fail(void **state)
{
    (void)state;
    need_yaml();
    test_memory_fail_each(add_few_rules);
}

/* A map of this allocator, with what rules of all kinds look at. */
static tm_map *map_of(const tm_allocator *allocator)
{
    tm_map_options fresh = TM_MAP_OPTIONS_INIT;
    tm_map *map;
    fresh.allocator = allocator;
    assert_int_equal(tm_map_new(&map, &fresh, NULL), TM_OK);
    test_lint_edit(map, test_lint_race);
    test_lint_edit(map, "add image grass_main\nset 'info.author=Ann'\n");
    return map;
}

static void every_request_for_memory_may_fail_when_asking(void **state)
{
    (void)state;
    need_yaml();
    tm_lint_config *config = config_of(SPAWN("a", ", max_occurances: 1") ALONE LIST("meta", "license", "MIT")
                                           REGEX("meta", "author", "^(a|b){2}$")
                                               RULE("I", "image", "Valid", "skip") "params: }\n");
    struct test_memory memory;
    test_memory_init(&memory);
    tm_map *map = map_of(&memory.allocator);
    for (size_t n = 1;; n++) {
        const size_t blocks = memory.num_blocks;
        tm_lint_result result;
        tm_lint_options options = TM_LINT_OPTIONS_INIT;
        options.config = config;
        memory.failed = false;
        memory.fail_at = memory.num_requests + n;
        const tm_status status = tm_lint_run(&result, map, &options, NULL);
        tm_lint_result_release(&result);
        assert_true(status == TM_OK || status == TM_ERROR_MEMORY);
        assert_true(memory.failed || !status);
        assert_int_equal(memory.num_blocks, blocks);
        if (!memory.failed)
            break;
    }
    tm_map_free(map);
    tm_lint_config_free(config);
    assert_int_equal(memory.num_blocks, 0);
}

static bool count_match(void *ctx, const tm_match *match)
{
    *(uint64_t *)ctx += match->count;
    return true;
}

/* As many as `find` tells are found, one less is too few, and each image and sound has its hash. */
static void ask_real_map(void *ctx, const char *path)
{
    static char found[1 << 20];
    char rules[2048];
    uint32_t *num_maps = ctx;
    tm_map *map;
    tm_pattern *pattern;
    uint64_t num = 0;
    struct test_bytes bytes = test_bytes_from_file(path);
    tm_buffer file = {bytes.bytes, bytes.size, bytes.size, NULL};
    if (test_map_try(&map, &file, TM_MODE_GAME, NULL, NULL)) {
        tm_buffer_release(&file);
        return;
    }
    assert_int_equal(tm_pattern_parse(&pattern, "game,front/spawn", NULL, NULL), TM_OK);
    assert_int_equal(tm_map_find(map, &pattern, 1, NULL, count_match, &num, NULL), TM_OK);
    snprintf(rules, sizeof(rules),
             SPAWN("some", "") ALONE SPAWN("right", ", min_occurances: %u, max_occurances: %u")
                 ALONE SPAWN("more", ", min_occurances: %u") ALONE RULE("I", "image", "Valid", "skip")
                     ALONE RULE("S", "sound", "Valid", "skip") ALONE REGEX("meta", "author", "^.*"),
             num ? (unsigned)num : 1, num ? (unsigned)num : 1, (unsigned)num + 1);
    tm_lint_config *config = config_of(rules);
    assert_int_equal(tm_lint_config_allow_images(config, TM_LINT_EMBEDDED, NULL, 0, NULL), TM_OK);
    ask_map(found, sizeof(found), map, config, bytes.size);
    if (!num != !!strstr(found, "kog-some") || !num != !!strstr(found, "kog-right") ||
        !strstr(found, "kog-more"))
        fail_msg("%s: %u spawns, %s", path, (unsigned)num, found);
    for (uint32_t i = 0; i < map->num_images; i++) {
        char address[32];
        snprintf(address, sizeof(address), " image/%u:", (unsigned)i);
        if (!map->images[i].external && !strstr(found, address))
            fail_msg("%s: nothing is said of %s", path, address);
    }
    tm_lint_config_free(config);
    tm_pattern_free(pattern);
    tm_map_free(map);
    tm_buffer_release(&file);
    ++*num_maps;
}

static void real_maps_are_asked(void **state)
{
    (void)state;
    uint32_t num = 0;
    need_yaml();
    if (test_each_corpus_map(ask_real_map, &num) == 0)
        skip();
    print_message("%u maps\n", (unsigned)num);
    assert_true(num > 0);
}

static void without_the_library_it_is_said(void **state)
{
    (void)state;
    tm_lint_config *config;
    tm_error error = {.offset = -1};
    if (tm_yaml_available()) /* `./run ports` builds without it */
        return;
    assert_int_equal(tm_lint_config_new(&config, NULL, NULL), TM_OK);
    assert_int_equal(tm_lint_config_add_kog(config, "x.yaml", "rules: []", 9, &error), TM_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "libyaml"));
    tm_lint_config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_finds_what_it_asks),
        cmocka_unit_test(files_of_unknown_size_are_not_asked_for_it),
        cmocka_unit_test(expressions_are_those_of_python),
        cmocka_unit_test(faults_are_told_and_change_nothing),
        cmocka_unit_test(lists_of_images_replace_each_other),
        cmocka_unit_test(every_request_for_memory_may_fail),
        cmocka_unit_test(every_request_for_memory_may_fail_when_asking),
        cmocka_unit_test(real_maps_are_asked),
        cmocka_unit_test(without_the_library_it_is_said),
    };
    return cmocka_run_group_tests_name("lint_kog", tests, NULL, NULL);
}
