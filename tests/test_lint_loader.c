/* SPDX-License-Identifier: Zlib */
/*
 * not-for-ddnet: the refusals of the strictest loader become one line of lint, and in maps of Teeworlds 0.7 a
 * note, unless that game refuses them, too; info-long: which texts DDNet cuts, on both sides of each limit.
 */
#include "support/lib_lint.h"

typedef struct refusal_case {
    tm_game game;
    tm_finding_id ids[3];
    tm_severity severity; /* 0: nothing is found */
    const char *text;
} refusal_case;

static const refusal_case refusals[] = {
    {TM_GAME_DDNET, {TM_FINDING_NONE}, 0, NULL},
    {TM_GAME_DDNET, {TM_FINDING_PHYSICS_SIZE, TM_FINDING_BAD_NAME}, 0, NULL}, /* warnings of the loader */
    {TM_GAME_DDNET,
     {TM_FINDING_PHYSICS_SIZE, TM_FINDING_SHARED_TILES},
     TM_SEVERITY_ERROR,
     "DDNet 20.1 refuses this map: reason 1"},
    {TM_GAME_DDNET,
     {TM_FINDING_SHARED_TILES, TM_FINDING_BAD_NAME, TM_FINDING_BAD_COLOR},
     TM_SEVERITY_ERROR,
     "DDNet 20.1 refuses this map: reason 0 (and 1 more)"},
    {TM_GAME_TEEWORLDS06, {TM_FINDING_NO_VERSION_ITEM}, TM_SEVERITY_ERROR, NULL},
    {TM_GAME_TEEWORLDS07, {TM_FINDING_SHARED_TILES}, TM_SEVERITY_NOTE, NULL},
    {TM_GAME_TEEWORLDS07, {TM_FINDING_SHARED_TILES, TM_FINDING_GAME_LAYER_SIZE}, TM_SEVERITY_ERROR, NULL},
};

TEST(refusals_of_the_loader_are_one_line)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
        const refusal_case *row = &refusals[i];
        OWN(tm_map) *map = test_lint_new_race();
        OWN(tm_lint_result) result;
        OWN(tm_findings) strict;
        size_t at;
        map->game = row->game;
        tm_findings_init(&strict, 0, NULL);
        for (int k = 0; k < 3 && row->ids[k]; k++) {
            char text[32];
            snprintf(text, sizeof(text), "reason %d", k);
            tm_findings_add(&strict, TM_MODE_STRICT, row->ids[k], -1, "0/0", "group 0, layer 0", text);
        }
        tm_lint_options options = TM_LINT_OPTIONS_INIT;
        options.refusals = &strict;
        must(tm_lint_run(&result, map, &options, NULL));
        const tm_finding *found = test_lint_find(&result, TM_FINDING_NOT_FOR_DDNET, &at);
        assert_int_equal(found ? found->severity : 0, row->severity);
        if (found && row->text)
            assert_string_equal(found->text, row->text);
        if (found)
            assert_string_equal(found->address, "0/0");
    }
}

TEST(nobody_asked_the_loader)
{
    OWN(tm_map) *map = test_lint_new_race();
    OWN(tm_lint_result) result;
    size_t at;
    must(tm_lint_run(&result, map, NULL, NULL));
    assert_null(test_lint_find(&result, TM_FINDING_NOT_FOR_DDNET, &at));
}

TEST(texts_of_the_info_are_told_above_what_ddnet_holds)
{
    static const struct {
        const char *field;
        size_t most;
    } rows[] = {{"author", 31}, {"version", 15}, {"credits", 127}, {"license", 31}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        for (size_t over = 0; over < 2; over++) {
            OWN(tm_map) *map = test_lint_new_race();
            OWN(tm_lint_result) result;
            char line[256], told[128];
            size_t at;
            const int start = snprintf(line, sizeof(line), "set info.%s=", rows[i].field);
            memset(line + start, 'x', rows[i].most + over);
            line[(size_t)start + rows[i].most + over] = '\0';
            test_edit_does(map, line);
            must(tm_lint_run(&result, map, NULL, NULL));
            const tm_finding *found = test_lint_find(&result, TM_FINDING_INFO_LONG, &at);
            assert_true(!found == !over);
            snprintf(told, sizeof(told), "%s has %u bytes; DDNet shows and keeps the first %u", rows[i].field,
                     (unsigned)(rows[i].most + 1), (unsigned)rows[i].most);
            if (found)
                assert_string_equal(found->text, told);
        }
    }
}
