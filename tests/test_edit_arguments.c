/* SPDX-License-Identifier: Zlib */
/*
 * How the words behind an operation become its arguments: what may be left out, and how the help says so.
 */
#include "edit_steps.h"
#include "support/lib_edit.h"
#include "edit/edit.h"

#include "edit_steps.c" /* NOLINT(bugprone-suspicious-include): files and maps for operations */

/* Both lines must do the same to a map, and something. */
static void mean_the_same(const tm_map *map, const char *line, const char *whole)
{
    OWN(tm_map) *first = test_map_clone(map), *other = test_edited(map, whole);
    if (test_report.num == 0)
        fail_msg("%s: does nothing", whole);
    test_edit_does(first, line);
    if (!test_map_same(first, other))
        fail_msg("'%s' is not '%s'", line, whole);
}

TEST(optional_ones_in_the_middle_may_be_left_out)
{
    static const struct {
        const char *line, *whole;
    } rows[] = {
        {"shift 1,0 design",
         "shift 1,0 cut design"}, /* used to be refused: "'design' is not one of cut wrap" */
        {"shift 1,0 Game@0,0+2x2", "shift 1,0 cut Game@0,0+2x2"},
        {"extend left 2 design", "extend left 2 air design"},
        {"quads from picture 8", "quads from picture 0,0 8"},
        {"append other keep", "append other design,quads,sounds keep"},
        {"clear where game/1..", "clear * where game/1.."},
        {"fill front 9 where game/1..", "fill front 9:flags=none where game/1.."},
    };
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    edit_step_options(&test_edit_options, map);
    test_edit_does(map, "fill game@0,0+1x1 freeze");
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        mean_the_same(map, rows[i].line, rows[i].whole);
    test_edit_options = (tm_edit_options)TM_EDIT_OPTIONS_INIT;
}

/* A word that is a choice is one, but as many words as there are arguments are these in their order. */
TEST(choices_come_before_names)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "keep");
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_TILES, 3, 3, NULL));
    OWN(tm_map) *other = test_map_everything(TM_GAME_DDNET);
    edit_step_options(&test_edit_options, map);
    mean_the_same(other, "append other keep keep", "append other 0 keep");
    test_edit_options = (tm_edit_options)TM_EDIT_OPTIONS_INIT;
}

TEST(what_fits_nothing_is_told)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    edit_step_options(&test_edit_options, map);
    test_edit_fails(map, "quads from picture left",
                    "'left' is not a point in tiles like 10,-5, nor a whole number");
    test_edit_fails(map, "quads from picture 4 0,0", "quads from FILE [X,Y] [PIXELS]");
    test_edit_fails(map, "fill game 1 when air", "'when' is not the word where");
    test_edit_fails(map, "fill game 1 where", "fill LAYERS TILE [where PATTERN]");
    test_edit_fails(map, "clear where", "clear [LAYERS] [where PATTERN]");
    test_edit_fails(map, "borders solid wide", "'wide' is not a whole number");
    test_edit_fails(map, "shift 1,0 cut design wrap", "shift X,Y [cut|wrap] [LAYERS]");
    test_edit_options = (tm_edit_options)TM_EDIT_OPTIONS_INIT;
}

/* "game@1,1" used to mean all of game and all of group 1: whole layers were filled by who meant one tile. */
TEST(a_percentage_is_no_region)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    test_edit_fails(map, "fill game@1,1 freeze", "@1,1+1x1 is one tile");
    test_edit_fails(map, "clear game@50", "a percentage after @ is for pictures");
    test_edit_fails(map, "remove design@50", "there is no group named 'design@50'");
    test_edit_fails(map, "replace game@1,1/solid with freeze", "a place has a size, too");
    /* regions as older versions had them in options; "'2' leads to no group or layer", or nothing was found */
    test_edit_fails(map, "replace game@1,2,3,4/solid with freeze", "write @1,2+3x4, a place and a size");
    test_edit_fails(map, "fill game@1,2,3,4 freeze", "write @1,2+3x4, a place and a size");
    test_edit_fails(map, "clear game@-1,2,3,4", "write @-1,2+3x4, a place and a size");
}

/* Used to end as if all were done. */
TEST(a_region_beside_all_layers_is_told)
{
    static const char *const lines[] = {"fill game@9000,0+2x2 freeze", "clear physics@-9,0+9x9",
                                        "mirror x game@0,9000+5x5"};
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        test_edit_reports(map, lines[i], 0);
        assert_int_equal(test_report.findings.num, 1);
        assert_int_equal(test_report.findings.list[0].id, TM_FINDING_NO_MATCH);
        assert_non_null(strstr(test_report.findings.list[0].text, "reaches into that region"));
    }
    test_edit_does(map, "clear quads@9000,0+2x2"); /* they may be anywhere */
    assert_int_equal(test_report.findings.num, 0);
}

TEST(usage_has_brackets_in_brackets)
{
    static const char *const usages[][2] = {
        {"borders", "borders [TILE [WIDTH]]"},
        {"fill", "fill LAYERS TILE [where PATTERN]"},
        {"dilate", "dilate [IMAGE]..."},
        {"set", "set ADDRESS.FIELD=VALUE..."},
    };
    for (size_t i = 0; i < sizeof(usages) / sizeof(*usages); i++) {
        char usage[128];
        tm_edit_usage(tm_edit_find(usages[i][0]), usage, sizeof(usage));
        assert_string_equal(usage, usages[i][1]);
    }
}

/* Help showed how an operation is written, with "renumber, keep" or "a text" for what its words mean. */
TEST(each_operation_has_an_example)
{
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++) {
        OWN(tm_edit_script) *script;
        tm_error error = {0};
        const size_t size = strlen(row->name);
        assert_non_null(row->example);
        if (strncmp(row->example, row->name, size) != 0 || (row->example[size] && row->example[size] != ' '))
            fail_msg("%s: its example is of another: %s", row->name, row->example);
        if (tm_edit_script_from_text(&script, row->example, strlen(row->example), NULL, &error))
            fail_msg("%s: %s", row->example, error.text);
        assert_int_equal(tmi_edit_script_num(script), 1);
        if (row->arguments[0].name && !row->arguments[0].optional && !strchr(row->example + size, ' '))
            fail_msg("%s: its example has no argument", row->name);
    }
    assert_string_equal(tm_edit_type_name(TM_EDIT_PIXELS), "pixels"); /* the knife's were said to be tiles */
    assert_int_equal(tm_edit_find("quads knife")->arguments[2].type, TM_EDIT_PIXELS);
}

/* What the reader of arguments counts on. */
TEST(behind_optional_ones_all_are_optional)
{
    const tm_edit_operation *row;
    for (uint32_t n = 0; (row = tm_edit_at(n)); n++)
        for (const tm_edit_argument *a = row->arguments; a->name; a++) {
            if (a->inner && (a == row->arguments || !(a[-1].optional || a[-1].inner)))
                fail_msg("%s: nothing optional in front of %s", row->name, a->name);
            if (a->optional && a[1].name && !a[1].optional && !a[1].inner)
                fail_msg("%s: %s must be given, %s in front of it not", row->name, a[1].name, a->name);
            if (a->repeats && a[1].name)
                fail_msg("%s: %s repeats and is not the last", row->name, a->name);
        }
}
