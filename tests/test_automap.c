/* SPDX-License-Identifier: Zlib */
/*
 * Files of rules: what the editor swallows is found, with its line and column; what an author may not have meant is
 * found; rules are written again as they were understood, and those of Teeworlds 0.7 as DDNet's. What can fail:
 * test_automap_faults.c; what the rules do to tiles: test_automap_golden.c and test_automap_random.c.
 */
#include "support/lib_automap.h"

#include <dirent.h>

typedef struct oddity {
    const char *text;
    tm_finding_id id;
    uint32_t line, column;
} oddity;

/* The finding is there, at this place. */
static void require_finding(const tm_findings *findings, const oddity *oddity_row)
{
    for (size_t i = 0; i < findings->num; i++) {
        uint32_t line, column;
        if (findings->list[i].id != oddity_row->id)
            continue;
        assert_true(tm_automap_finding_line(&line, &column, &findings->list[i]) || oddity_row->line == 0);
        if (line == oddity_row->line && column == oddity_row->column && findings->list[i].text[0])
            return;
    }
    for (size_t i = 0; i < findings->num; i++)
        print_message("%s: %s: %s\n", tm_finding_name(findings->list[i].id), findings->list[i].place,
                      findings->list[i].text);
    fail_msg("no %s at %u:%u of\n%s", tm_finding_name(oddity_row->id), (unsigned)oddity_row->line,
             (unsigned)oddity_row->column, oddity_row->text);
}

static const oddity swallowed[] = {
    {"[a]\nindex 1\n", TM_FINDING_RULE_LINE_IGNORED, 2, 1},
    {"[a]\nIndex 1\nPos 0 0 FULL\v\n", TM_FINDING_RULE_LINE_BYTES, 3, 13},
    {"[a]\nIndex 1\n\xff\n", TM_FINDING_RULE_LINE_BYTES, 3, 1},
    {"[a]\nIndex 1\n  Pos 0 0 FULL\n", TM_FINDING_RULE_INDENTED, 3, 3},
    {"Index 1\n[a]\n", TM_FINDING_RULE_OUT_OF_PLACE, 1, 1},
    {"[a]\nPos 0 0 FULL\n", TM_FINDING_RULE_OUT_OF_PLACE, 2, 1},
    {"[a]\nIndex 1\nNewRun\nRandom 2\n", TM_FINDING_RULE_STALE, 4, 1},
    {"[a]\nIndex 1\n[b]\nPos 0 0 FULL\n", TM_FINDING_RULE_STALE, 4, 1},
    {"[a]\nIndex\n", TM_FINDING_RULE_NUMBER_MISSING, 2, 6},
    {"[a]\nIndex 1\nPos 0 0 INDEX 1 OR\n", TM_FINDING_RULE_NUMBER_MISSING, 3, 19},
    {"[a]\nIndex 1\nPos 0\n", TM_FINDING_RULE_NUMBER_MISSING, 3, 4},
    {"[a]\nIndex 1\nRandom often\n", TM_FINDING_RULE_NUMBER_MISSING, 3, 8},
    {"[a]\nIndex 256\n", TM_FINDING_RULE_NUMBER_RANGE, 2, 6},
    {"[a]\nIndex 4294967297\n", TM_FINDING_RULE_NUMBER_RANGE, 2, 7},
    {"[a]\nIndex 1\nPos 0 0 INDEX 256\n", TM_FINDING_RULE_NUMBER_RANGE, 3, 15},
    {"[a]\nIndex 1 XFLIPP\n", TM_FINDING_RULE_WORD_UNKNOWN, 2, 9},
    {"[a]\nIndex 1\nPos 0 0 INDEX 1 and 2\n", TM_FINDING_RULE_WORD_UNKNOWN, 3, 17},
    {"[a]\nIndex 1\nPos 0 0 FULL # not air\n", TM_FINDING_RULE_REST_UNREAD, 3, 14},
    {"[a] \n", TM_FINDING_RULE_NAME_CUT, 1, 2},
    {"[Gras\n", TM_FINDING_RULE_NAME_CUT, 1, 2},
    {"[a]\nNewRuns\n", TM_FINDING_RULE_PREFIX, 2, 1},
    {"[a]\nIndex 1\nPos 0 0 233\n", TM_FINDING_RULE_KIND_UNKNOWN, 3, 9},
    {"[a]\nIndex 1\nPos 0-1 INDEX 9 7\n", TM_FINDING_RULE_LIST_SHIFTED, 3, 17},
    {"[a]\nIndex 1\nRandom 2\nRandom 3\n", TM_FINDING_RULE_RANDOM_REPLACED, 4, 1},
    {"[a]\nIndex 1\nRandom 1\n", TM_FINDING_RULE_CHANCE_IDLE, 3, 8},
    {"[a]\nIndex 1\nRandom 0%\n", TM_FINDING_RULE_CHANCE_IDLE, 3, 8},
    {"[a]\nIndex 1\nRandom 50 %\n", TM_FINDING_RULE_PERCENT_APART, 3, 11},
    {"# nothing\n", TM_FINDING_RULES_EMPTY, 0, 0},
};

TEST(what_the_editor_swallows_is_found)
{
    for (size_t i = 0; i < sizeof(swallowed) / sizeof(swallowed[0]); i++) {
        OWN(tm_findings) findings = test_findings();
        tm_automap_free(
            test_rules_of(swallowed[i].text, strlen(swallowed[i].text), TM_AUTOMAP_DDNET, &findings));
        require_finding(&findings, &swallowed[i]);
    }
}

static const oddity json_swallowed[] = {
    {"{\"tileset\": [{\"a\": {}},\n]}", TM_FINDING_RULES_LOOSE_JSON, 2, 1},
    {"{\"tileset\": [{\"a\": {\n\"Rules\": []}}]}", TM_FINDING_RULE_MEMBER_UNKNOWN, 2, 1},
    {"{\"tileset\": [{\"a\": {\n\"basetile\": 1.0}}]}", TM_FINDING_RULE_MEMBER_TYPE, 2, 13},
    {"{\"tileset\": [{\"a\": {\n\"basetile\": 256}}]}", TM_FINDING_RULE_MEMBER_RANGE, 2, 13},
    {"{\"tileset\": [{\"a\": {\"basetile\": 2,\n\"basetile\": 3}}]}", TM_FINDING_RULE_MEMBER_TWICE, 2, 1},
    {"{\"tileset\": [\n{}]}", TM_FINDING_RULE_SET_SKIPPED, 2, 1},
    {"{\"doodads\": [{\"a\": {\"rules\": [\n{\"startid\": 3}]}}]}", TM_FINDING_RULE_DROPPED, 2, 1},
    {"{\"tileset\": 1}", TM_FINDING_RULES_EMPTY, 1, 1},
};

TEST(what_the_editor_of_07_swallows_is_found)
{
    for (size_t i = 0; i < sizeof(json_swallowed) / sizeof(json_swallowed[0]); i++) {
        OWN(tm_findings) findings = test_findings();
        tm_automap_free(test_rules_of(json_swallowed[i].text, strlen(json_swallowed[i].text),
                                      TM_AUTOMAP_TEEWORLDS07, &findings));
        require_finding(&findings, &json_swallowed[i]);
    }
}

TEST(nothing_is_found_in_plain_rules)
{
    static const char text[] =
        "# walls\n[walls]\nIndex 1\n\nIndex 2 XFLIP ROTATE\nPos 0 -1 EMPTY\nPos 1 0 INDEX 3 "
        "XFLIP OR 4 NONE OR -1\nRandom 50%\nModulo 2 2 0 0\n\nNewRun\nNoLayerCopy\nIndex 3\n"
        "Pos 0 0 INDEX 2\nRandom 3\nNoDefaultRule\n";
    OWN(tm_findings) findings = test_findings();
    OWN(tm_automap_rules) *rules = test_rules_of(text, sizeof(text) - 1, TM_AUTOMAP_DDNET, &findings);
    must(tm_automap_review(rules, &findings, NULL));
    for (size_t i = 0; i < findings.num; i++)
        fail_msg("%s: %s", findings.list[i].place, findings.list[i].text);
}

TEST(files_that_the_editor_refuses_are_refused)
{
    tm_automap_read_options options = TM_AUTOMAP_READ_OPTIONS_INIT;
    tm_automap_rules *rules;
    tm_error error = {.code = TM_OK};
    assert_int_equal(tm_automap_read(&rules, "[a]\n\0", 5, NULL, NULL, &error), TM_ERROR_DAMAGED);
    assert_int_equal(error.offset, 4);
    assert_null(rules);
    options.dialect = TM_AUTOMAP_DDNET_16;
    must(tm_automap_read(&rules, "[a]\n\0", 5, &options, NULL, &error));
    tm_automap_free(rules);
    options.dialect = TM_AUTOMAP_TEEWORLDS07;
    fails(TM_ERROR_DAMAGED, "line 1",
          tm_automap_read(&rules, "{\"tileset\": [}", 14, &options, NULL, &error));
}

static const oddity unmeant[] = {
    {"[a]\nIndex 1\nPos 1 0 EMPTY\nPos 1 0 FULL\n", TM_FINDING_RULE_NEVER_HOLDS, 2, 1},
    {"[a]\nIndex 1\nPos 1 0 INDEX 256\n", TM_FINDING_RULE_NEVER_HOLDS, 2, 1},
    {"[a]\nIndex 1\nPos 0 0 INDEX 0\nPos 0 0 INDEX 4\n", TM_FINDING_RULE_NEVER_HOLDS, 2, 1},
    {"[a]\nIndex 1\nPos 0 0 INDEX -1\n", TM_FINDING_RULE_NEVER_HOLDS, 2, 1},
    {"[a]\nIndex 1\nPos 1 0 EMPTY\nIndex 2\n", TM_FINDING_RULE_OVERWRITTEN, 2, 1},
    {"[a]\nIndex 1\nPos 1 0 INDEX 3\nIndex 2\nPos 1 0 INDEX 4 OR 3\n", TM_FINDING_RULE_OVERWRITTEN, 2, 1},
    {"[a]\nNoLayerCopy\nIndex 1\nPos 1 0 EMPTY\nIndex 2\n", TM_FINDING_RULE_OVERWRITTEN, 3, 1},
    {"[a]\nIndex 1\nPos 1 0 FULL\nPos 1 0 NOTINDEX 0\n", TM_FINDING_RULE_CONDITION_IDLE, 4, 1},
    {"[a]\nIndex 1\nNewRun\n", TM_FINDING_RULE_RUN_IDLE, 3, 1},
    {"[a]\nIndex 1\nIndex 4\nPos 1 0 FULL\n", TM_FINDING_RULE_TILE_NOT_MADE, 1, 1},
    {"[a]\nIndex 1\n[a]\nIndex 1\n", TM_FINDING_RULE_NAME_TWICE, 3, 1},
};

TEST(what_authors_did_not_mean_is_found)
{
    for (size_t i = 0; i < sizeof(unmeant) / sizeof(unmeant[0]); i++) {
        OWN(tm_findings) findings = test_findings();
        OWN(tm_automap_rules) *rules = test_rules_of_text(unmeant[i].text);
        must(tm_automap_review(rules, &findings, NULL));
        require_finding(&findings, &unmeant[i]);
    }
}

TEST(what_may_be_meant_is_not_told)
{
    static const char *const fine[] = {
        "[a]\nIndex 1\nPos 1 0 EMPTY\nIndex 2\nRandom 2\n",
        "[a]\nIndex 1\nPos 1 0 EMPTY\nIndex 2\nModulo 2 2 0 0\n",
        "[a]\nIndex 1\nPos 1 0 EMPTY\nIndex 2\nPos 1 0 INDEX 0 OR -1\nPos 0 1 FULL\n",
        "[a]\nNoLayerCopy\nIndex 1\nPos 1 0 EMPTY\nIndex 2\nPos 1 0 EMPTY\n",
        "[a]\nIndex 0\nIndex 2\nPos 0 0 EMPTY\n",
        "[a]\nNewRun\nIndex 1\n",
    };
    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
        OWN(tm_findings) findings = test_findings();
        OWN(tm_automap_rules) *rules = test_rules_of_text(fine[i]);
        must(tm_automap_review(rules, &findings, NULL));
        for (size_t k = 0; k < findings.num; k++)
            if (findings.list[k].severity > TM_SEVERITY_NOTE)
                fail_msg("%s: %s: %s", fine[i], findings.list[k].place, findings.list[k].text);
    }
}

static void require_same_rule(const tm_automap_rule *a, const tm_automap_rule *b)
{
    assert_int_equal((uint8_t)a->index, (uint8_t)b->index);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->skip_empty, b->skip_empty);
    assert_int_equal(a->skip_full, b->skip_full);
    assert_int_equal(a->no_default_rule, b->no_default_rule);
    assert_memory_equal(&a->chance, &b->chance, sizeof(a->chance));
    assert_int_equal(a->num_conditions, b->num_conditions);
    for (uint32_t i = 0; i < a->num_conditions; i++) {
        const tm_automap_condition *x = &a->conditions[i], *y = &b->conditions[i];
        assert_true(x->x == y->x && x->y == y->y && x->negated == y->negated && x->added == y->added);
        assert_int_equal(x->num_entries, y->num_entries);
        assert_memory_equal(x->entries, y->entries, x->num_entries * sizeof(*x->entries));
    }
    assert_int_equal(a->num_modulos, b->num_modulos);
    for (uint32_t i = 0; i < a->num_modulos; i++) {
        const tm_automap_modulo *x = &a->modulos[i], *y = &b->modulos[i];
        assert_true(x->every_x == y->every_x && x->every_y == y->every_y);
        assert_true(x->offset_x == y->offset_x && x->offset_y == y->offset_y);
    }
}

static void require_same_rules(const tm_automap_rules *a, const tm_automap_rules *b)
{
    uint32_t num, other;
    const tm_automap_config *x = tm_automap_configs(&num, a), *y = tm_automap_configs(&other, b);
    assert_int_equal(num, other);
    for (uint32_t i = 0; i < num; i++) {
        assert_int_equal(x[i].num_passes, y[i].num_passes);
        assert_int_equal(x[i].start_x, y[i].start_x);
        assert_int_equal(x[i].end_y, y[i].end_y);
        for (uint32_t k = 0; k < x[i].num_passes; k++) {
            assert_int_equal(x[i].passes[k].num_rules, y[i].passes[k].num_rules);
            assert_int_equal(x[i].passes[k].no_layer_copy, y[i].passes[k].no_layer_copy);
            for (uint32_t n = 0; n < x[i].passes[k].num_rules; n++)
                require_same_rule(&x[i].passes[k].rules[n], &y[i].passes[k].rules[n]);
        }
    }
}

static void format(tm_buffer *out, const void *bytes, size_t size)
{
    const tm_output output = tm_output_to_buffer(out);
    tm_error error = {.code = TM_OK};
    if (tm_automap_format(&output, bytes, size, NULL, NULL, &error))
        fail_msg("%s", error.text);
}

static void require_formatted(const test_text *file, const char *name)
{
    tm_automap_rules *rules, *reread;
    OWN(tm_buffer) first = {0}, second = {0};
    if (tm_automap_read(&rules, file->bytes, file->size, NULL, NULL, NULL))
        return;
    format(&first, file->bytes, file->size);
    reread = test_rules_of((const char *)first.bytes, first.size, TM_AUTOMAP_DDNET, NULL);
    require_same_rules(rules, reread);
    format(&second, first.bytes, first.size);
    if (first.size != second.size || (first.size && memcmp(first.bytes, second.bytes, first.size) != 0))
        fail_msg("%s: formatted again it is not the same", name);
    tm_automap_free(reread);
    tm_automap_free(rules);
}

TEST(formatted_rules_are_the_same_rules)
{
    static const char *const shipped[] = {"ddnet_walls.rules", "grass_main.rules",
                                          "winter_main.rules", "round_tiles.rules",
                                          "water.rules",       "generic_unhookable.rules"};
    char path[1024];
    size_t num = 0;
    snprintf(path, sizeof(path), "%s/golden-automap/cases",
             getenv("TEEMAP_SHARED") ? getenv("TEEMAP_SHARED") : ".");
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(path, sizeof(path), "cases/%.200s", entry->d_name);
        if (!strstr(path, ".rules"))
            continue;
        const test_text file = test_golden_file(path);
        require_formatted(&file, path);
        free(file.bytes);
        num++;
    }
    if (folder)
        closedir(folder);
    for (size_t i = 0; i < sizeof(shipped) / sizeof(shipped[0]); i++) {
        const test_text file = test_game_rules(shipped[i]);
        if (file.bytes)
            require_formatted(&file, shipped[i]);
        free(file.bytes);
        num += file.size > 0;
    }
    if (!num)
        skip();
}

TEST(formatted_rules_look_as_one_writes_them)
{
    static const char text[] =
        "\n\n# walls\n[walls]\nIndex  257   ROTATE XFLIP # corner\n\n\n  Pos 0 0 FULL\n"
        "Pos\t1 -1  INDEX 1 YFLIP XFLIP OR 2 NONE\nPos 0 0 233\nRandom   040%\nNewRun\r\n"
        "NoLayerCopy  # fast\nIndex5\nModulo -2 0 1 1\nhello\n";
    static const char expected[] =
        "# walls\n[walls]\n# corner\nIndex 1 XFLIP ROTATE\n\n# Pos 0 0 FULL\n"
        "Pos 1 -1 INDEX 1 XFLIP YFLIP OR 2 NONE\n# Pos 0 0 233\nRandom 040%\n\nNewRun\n"
        "# fast\nNoLayerCopy\nIndex 5\nModulo 2 1 1 1\n# hello\n";
    OWN(tm_buffer) out = {0};
    format(&out, text, sizeof(text) - 1);
    assert_int_equal(out.size, sizeof(expected) - 1);
    assert_memory_equal(out.bytes, expected, sizeof(expected) - 1);
}

TEST(rules_are_written_from_what_was_read)
{
    static const char text[] =
        "[a]\nNewRun\nIndex 1 YFLIP\nPos 0 1 NOTINDEX 3 ROTATE OR -1\nRandom 1.5\nModulo 3 3 0 "
        "1\nNoDefaultRule\n[b]\nIndex 2\nPos 0 0 EMPTY\n";
    OWN(tm_buffer) out = {0};
    const tm_output output = tm_output_to_buffer(&out);
    OWN(tm_automap_rules) *rules = test_rules_of_text(text);
    must(tm_automap_write(&output, rules, NULL, NULL));
    OWN(tm_automap_rules) *reread = test_rules_of((const char *)out.bytes, out.size, TM_AUTOMAP_DDNET, NULL);
    require_same_rules(rules, reread);
}

/* A tile set in the middle of a layer gives what it gave, as far as it is told to do so. */
TEST(tile_sets_become_rules_of_ddnet)
{
    static const char text[] =
        "{\"tileset\": [{\"walls\": {\"basetile\": 1, \"rules\": ["
        "{\"index\": 16, \"condition\": [{\"x\": 0, \"y\": -1, \"value\": \"empty\"}]},"
        "{\"index\": 17, \"vflip\": 1, \"condition\": [{\"x\": 0, \"y\": 1, \"value\": \"empty\"}]},"
        "{\"index\": 18, \"rotate\": 90, \"condition\": [{\"x\": -1, \"y\": 0, \"value\": \"empty\"},"
        "{\"x\": 1, \"y\": 0, \"value\": \"full\"}]}]}}]}";
    OWN(tm_buffer) out = {0};
    const tm_output output = tm_output_to_buffer(&out);
    OWN(tm_findings) findings = test_findings();
    OWN(tm_automap_rules) *rules = test_rules_of(text, sizeof(text) - 1, TM_AUTOMAP_TEEWORLDS07, NULL);
    must(tm_automap_write(&output, rules, &findings, NULL));
    assert_int_equal(findings.num, 1); /* flags of tiles that no rule fits */
    assert_int_equal(findings.list[0].id, TM_FINDING_RULES_DIFFER);
    OWN(tm_automap_rules) *converted =
        test_rules_of((const char *)out.bytes, out.size, TM_AUTOMAP_DDNET, NULL);
    test_layer first = test_pattern_layer("blobs", 60, 50, 3), second = test_clone_layer(&first);
    must(tm_automap_run(NULL, rules, &(tm_automap_layer){first.tiles, 60, 50}, NULL, NULL, NULL));
    must(tm_automap_run(NULL, converted, &(tm_automap_layer){second.tiles, 60, 50}, NULL, NULL, NULL));
    assert_memory_equal(first.tiles, second.tiles, 60 * 50 * sizeof(tm_tile));
    free(first.tiles);
    free(second.tiles);
}

TEST(configurations_are_found_as_people_name_them)
{
    int32_t number;
    OWN(tm_automap_rules) *rules = test_rules_of_text("[Walls]\n[1]\n[walls]\n");
    assert_non_null(tm_automap_find_config(&number, rules, "walls"));
    assert_int_equal(number, 2);
    assert_non_null(tm_automap_find_config(&number, rules, "WALLS"));
    assert_int_equal(number, 0);
    assert_non_null(tm_automap_find_config(&number, rules, "1"));
    assert_int_equal(number, 1);
    assert_non_null(tm_automap_find_config(&number, rules, "2"));
    assert_int_equal(number, 2);
    assert_null(tm_automap_find_config(&number, rules, "3"));
    assert_int_equal(number, TM_NONE);
}

/* Chances of up to 15 digits are read to the bit, without the locale. */
TEST(numbers_are_read_as_scanf_reads_them)
{
    static const char *const numbers[] = {
        "0.1",         "3.4028235e38",    "16777217", "16777219",       "33554433",       "1.17549e-38",
        "1e39",        "8388608.5",       "12.5",     "123456789.5e-7", "00000.30000001", "0.333333343267441",
        "99.99999999", "00.000000000001", "1e",       "0x1.8p3",        "+.5e+"};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        char text[256];
        const float expected = strtof(numbers[i], NULL); /* musl's scanf refuses "1e" */
        snprintf(text, sizeof(text), "[a]\nIndex 1\nRandom %s\n", numbers[i]);
        OWN(tm_automap_rules) *rules = test_rules_of_text(text);
        const float chance = tm_automap_configs(NULL, rules)->passes->rules->chance;
        const float inverse = 1.0F / expected;
        if (memcmp(&chance, &inverse, sizeof(chance)) != 0)
            fail_msg("%s: %a, not %a", numbers[i], (double)chance, (double)inverse);
    }
}

/* Each place that a run looks at has a table of 16 KB: a file of a few bytes a place must not take all memory. */
TEST(rules_that_look_at_too_many_places_are_refused)
{
    FREED char *text = malloc((size_t)17000 * 24);
    size_t size = (size_t)sprintf(text, "[a]\nIndex 1\n");
    tm_tile tile = {1, 0, 0, 0};
    tm_error error = {0};
    assert_non_null(text);
    for (int i = 1; i <= 17000; i++)
        size += (size_t)sprintf(text + size, "Pos %d 0 FULL\n", i);
    OWN(tm_automap_rules) *rules;
    must(tm_automap_read(&rules, text, size, NULL, NULL, NULL));
    fails_with(TM_ERROR_LIMIT, "a run of rules looks at more than 16384 places",
               tm_automap_run(NULL, rules, &(tm_automap_layer){&tile, 1, 1}, NULL, NULL, &error));
    assert_int_equal(tile.index, 1);
}
