/* SPDX-License-Identifier: Zlib */
/*
 * Fuzz target: a text that may be a configuration of lint is read, and a map asked by it. What is refused has a line, and what
 * own rules find has a text and an id.
 */
#include "fuzz.h"

#include <teemap/edit.h>
#include <teemap/lint.h>

static void ask_by(const tm_map *map, const tm_lint_config *config)
{
    static const char *const paths[] = {"a.map", "old/deep/a.map", "/x/y.map", ""};
    tm_lint_options options = TM_LINT_OPTIONS_INIT;
    options.config = config;
    options.file_size = 5000;
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        tm_lint_result result;
        tm_error error;
        options.path = paths[i];
        const tm_status status = tm_lint_run(&result, map, &options, &error);
        FUZZ_REQUIRE(status == TM_OK, "asking: %s", error.text);
        for (size_t k = 0; k < result.findings.num; k++)
            FUZZ_REQUIRE(result.findings.list[k].text[0] && tm_lint_rule_name(tm_lint_rule_for(&result, k)),
                         "a finding without a word");
        for (size_t k = 0; k < result.ignored.num; k++)
            FUZZ_REQUIRE(tm_lint_rule_for_ignored(&result, k), "an ignored finding without a rule");
        tm_lint_result_release(&result);
    }
}

static void require_rules(const tm_lint_config *config)
{
    const tm_lint_rule *rule;
    for (uint32_t n = 0; (rule = tm_lint_config_rule(config, n)); n++)
        FUZZ_REQUIRE(rule->custom_id && rule->title && rule->reason && rule->advice &&
                         tm_lint_rule_severity(rule),
                     "an own rule without words");
}

/* Something of most that own rules may look for, and a word to lint. */
static void fill_map(tm_map *map)
{
    static const char lines[] =
        "add group Game\nadd layer Game game 8x8\nfill game@1,1+2x3 freeze\nadd layer Game tele\n"
        "fill tele@2,2+1x2 tele-in:5\nadd group Many\nadd group Many\n"
        "settings add \"# teemap: ignore empty-group@1 no-* - here\"\nsettings add \"tune_zone 1 gravity 1\"\n";
    tm_edit_script *script;
    tm_error error;
    tm_status status = tm_edit_script_from_text(&script, lines, strlen(lines), NULL, &error);
    if (!status)
        status = tm_edit_script_run(map, script, NULL, NULL, &error);
    FUZZ_REQUIRE(status == TM_OK, "the map: %s", error.text);
    tm_edit_script_free(script);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct test_memory memory;
    tm_map_options fresh = TM_MAP_OPTIONS_INIT;
    tm_lint_config *config;
    tm_error error;
    tm_map *map;
    if (size > FUZZ_MAX_INPUT)
        return 0;
    test_memory_init(&memory);
    fresh.limits = &fuzz_limits;
    fresh.allocator = &memory.allocator;
    FUZZ_REQUIRE(tm_map_new(&map, &fresh, &error) == TM_OK, "%s", error.text);
    fill_map(map);
    FUZZ_REQUIRE(tm_lint_config_new(&config, &memory.allocator, &error) == TM_OK, "%s", error.text);
    const tm_status status = tm_lint_config_add(config, "old/x.toml", (const char *)bytes, size, &error);
    if (status)
        FUZZ_REQUIRE(status == error.code && status != TM_ERROR_MEMORY &&
                         strncmp(error.text, "line ", 5) == 0,
                     "refused: %s", error.text);
    require_rules(config);
    ask_by(map, config);
    tm_lint_config_free(config);
    tm_map_free(map);
    fuzz_check_memory(&memory, 256 * 1024 * 1024);
    return 0;
}
