/* SPDX-License-Identifier: Zlib */
/*
 * Own rules of texts and of the file's size, and rules that stand on others.
 */
#include "support/lib_failing.h"
#include "support/lib_lint.h"

#define RULE(id, rest)           "[[lint.rule]]\nid = '" id "'\n" rest "\n"
#define TEXT(id, text, allowed)  RULE(id, "text = '" text "'\nallowed = [" allowed "]")
#define SPAWNS(id, bounds, rest) RULE(id, "require = '" bounds " spawn'\n" rest)

/* "id place: text" of all that these rules find, each on a line. */
static void ask_map(char *out, size_t size, const tm_map *map, const char *toml, uint64_t file_size)
{
    OWN(tm_lint_result) result;
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    const tm_lint_choice choices[] = {{.off = true}, {.on = true, .name = "own-rule"}};
    OWN(tm_lint_config) *config = test_lint_config(toml);
    options.config = config;
    options.choices = choices;
    options.num_choices = 2;
    options.file_size = file_size;
    must(tm_lint_run(&result, map, &options, NULL));
    out[0] = '\0';
    for (size_t i = 0; i < result.findings.num; i++) {
        const tm_finding *finding = &result.findings.list[i];
        const size_t at = strlen(out);
        snprintf(out + at, size - at, "%s%s %s: %s", i ? "\n" : "",
                 tm_lint_rule_name(tm_lint_rule_for(&result, i)), finding->address, finding->text);
    }
}

static const struct {
    const char *rules, *edit, *found;
} asked[] = {
    {TEXT("a", "info.license", "'MIT'"), "", "a info: info.license: it is empty"},
    {TEXT("a", "info.license", "'MIT', ''"), "", ""},
    {TEXT("a", "info.license", "'*'"), "", "a info: info.license: it is empty"},
    {TEXT("a", "info.license", "'*'"), "set info.license=x\n", ""},
    {TEXT("a", "info.license", "'MIT', 'CC-*'"), "set 'info.license=CC-0, MIT'\n", ""},
    {TEXT("a", "info.license", "'MIT, 5'"), "set 'info.license=MIT, 5'\n", ""},
    {TEXT("a", "info.author", "'MIT'"), "set 'info.author=MIT,GPL ,'\n",
     "a info: info.author: 'GPL' is not allowed\na info: info.author: it is empty"},
    {RULE("a", "text = 'info.version'\nallowed = []\ntitle = 'Version'"), "set info.version=2\n",
     "a info: Version: '2' is not allowed"},
    {TEXT("a", "settings/sv_q", "'A', 'B'"), "", ""},
    {TEXT("a", "settings/sv_q", "'A', 'B'"), "settings add 'sv_q A, B'\nsettings add 'sv_quest C'\n", ""},
    {TEXT("a", "settings/sv_q", "'A', 'B'"), "settings add 'sv_q A,C,D'\nsettings add ' sv_q \tE'\n",
     "a settings: settings/sv_q: 'C' is not allowed\na settings: settings/sv_q: 'D' is not allowed\n"
     "a settings: settings/sv_q: 'E' is not allowed"},
    {TEXT("a", "settings/sv_q", "'A'"), "settings add 'sv_q'\n", "a settings: settings/sv_q: it is empty"},
    {TEXT("a", "images.external", "'b*'"), "add image a\nadd image bc\n",
     "a image/0: images.external: 'a' is not allowed"},
    {TEXT("a", "images.embedded", "'x'"), "add image a\n", ""},
    /* The file is said to have 2048 bytes. */
    {RULE("a", "require = '1..2048 bytes'"), "", ""},
    {RULE("a", "require = '..2047 bytes'"), "", "a : the file has 2048 bytes; 0 to 2047 are asked for"},
    {RULE("a", "require = '2049.. bytes'\ntitle = 'T'"), "",
     "a : T: the file has 2048 bytes; at least 2049 are asked for"},
    /* Rules that stand on others, also on such as are passed over. */
    {SPAWNS("a", "1..", "") SPAWNS("b", "9..", "after = ['a']"), "",
     "b : 'spawn' fits 2 times; at least 9 are asked for"},
    {SPAWNS("a", "9..", "") SPAWNS("b", "1..", "after = ['a']") SPAWNS("c", "8..", "after = ['b']"), "",
     "a : 'spawn' fits 2 times; at least 9 are asked for"},
};

TEST(each_rule_finds_what_it_asks)
{
    char found[2048];
    for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
        OWN(tm_map) *map = test_lint_new_race();
        if (asked[i].edit[0])
            test_edit_does(map, asked[i].edit);
        ask_map(found, sizeof(found), map, asked[i].rules, 2048);
        if (strcmp(found, asked[i].found) != 0)
            fail_msg("%s%s:\n'%s', not\n'%s'", asked[i].rules, asked[i].edit, found, asked[i].found);
        ask_map(found, sizeof(found), map, RULE("a", "require = '9.. bytes'"), 0);
        assert_string_equal(found, ""); /* of unknown size */
    }
}

TEST(every_request_for_memory_may_fail)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    tm_map_options fresh = TM_MAP_OPTIONS_INIT;
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    OWN(tm_lint_config) *config = test_lint_config(TEXT("a", "images.embedded", "'a-0'"));
    OWN(test_memory) memory = TEST_MEMORY(memory);
    OWN(tm_map) *map;
    fresh.allocator = &memory.allocator;
    options.config = config;
    must(tm_map_new(&map, &fresh, NULL));
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_pixels(map, 0, white, 1, 1, NULL));
    for (size_t n = 1;; n++) {
        const size_t blocks = memory.num_blocks;
        tm_lint_result result;
        memory.failed = false;
        memory.fail_at = memory.num_requests + n;
        const tm_status status = tm_lint_run(&result, map, &options, NULL);
        tm_lint_result_release(&result);
        assert_true(status == TM_ERROR_MEMORY || !status);
        assert_true(memory.failed || !status);
        assert_int_equal(memory.num_blocks, blocks);
        if (!memory.failed)
            break;
    }
}
