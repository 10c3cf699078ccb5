/* SPDX-License-Identifier: Zlib */
/*
 * Merging, by hand: two versions of one map are made by operations of `teemap edit`, and so is what must come out. Whatever is
 * merged clean is the same from either side.
 */
#include "support/lib_versions.h"
#include "support/test.h"

typedef struct clean_merge {
    const char *description;
    const char *ours, *theirs, *result;
} clean_merge;

static const clean_merge clean_merges[] = {
    {"tiles of two layers", "fill Play/Deco@0,0+2x2 5", "fill game@0,0+2x2 solid",
     "fill Play/Deco@0,0+2x2 5\nfill game@0,0+2x2 solid"},
    {"disjoint tiles of one layer", "fill Play/Deco@0,0+2x2 5", "fill Play/Deco@10,10+3x3 6",
     "fill Play/Deco@0,0+2x2 5\nfill Play/Deco@10,10+3x3 6"},
    {"some equal tiles", "fill Play/Deco@0,0+4x4 5", "fill Play/Deco@0,0+2x2 5\nfill Play/Deco@10,10+3x3 6",
     "fill Play/Deco@0,0+4x4 5\nfill Play/Deco@10,10+3x3 6"},
    {"fields of one object", "set 0.offset.x=5", "set 0.offset.y=6", "set 0.offset.x=5 0.offset.y=6"},
    {"the same field alike", "set 0.offset.x=5", "set 0.offset.x=5 info.author=Anna",
     "set 0.offset.x=5 info.author=Anna"},
    {"a name and tiles", "rename Play/Deco Leaves", "fill Play/Deco@0,0+2x2 5",
     "fill Play/Deco@0,0+2x2 5\nrename Play/Deco Leaves"},
    {"moved and edited", "move Play/Deco 2/0", "fill Play/Deco@0,0+2x2 5\nset 1/1.detail=true",
     "fill Play/Deco@0,0+2x2 5\nset 1/1.detail=true\nmove Play/Deco 2/0"},
    {"two moves", "move Play/Deco 2/0", "move Back 1", "move Play/Deco 2/0\nmove Back 1"},
    {"new images, with layers that use them", "add image aa\nadd layer 2 tiles 5x5\nset 2/1.image=image/aa",
     "add image bb\nset Play/Deco.image=image/bb",
     "add image aa\nadd layer 2 tiles 5x5\nset 2/1.image=image/aa\nadd image bb\nset Play/Deco.image=image/bb"},
    {"another image of a layer, and new numbers of all images", "set Play/Deco.image=image/unused",
     "add image aa\nmove image/aa 0\nrename Play/Deco Leaves",
     "add image aa\nmove image/aa 0\nset Play/Deco.image=image/unused\nrename Play/Deco Leaves"},
    {"no image of a layer, and new numbers of all images", "set Play/Deco.image=none",
     "add image aa\nmove image/aa 0\nrename Play/Deco Leaves",
     "add image aa\nmove image/aa 0\nset Play/Deco.image=none\nrename Play/Deco Leaves"},
    {"new layers at one place", "add layer 2 tiles 5x5\nrename 2/1 Aa",
     "add layer 2 tiles 6x6\nrename 2/1 Bb",
     "add layer 2 tiles 5x5\nrename 2/1 Aa\nadd layer 2 tiles 6x6\nrename 2/2 Bb"},
    {"new groups with layers", "add group Aa\nadd layer Aa tiles 5x5", "add group Bb\nadd layer Bb quads",
     "add group Aa\nadd layer Aa tiles 5x5\nadd group Bb\nadd layer Bb quads"},
    {"the same addition", "add image aa\nadd group Aa\nadd layer Aa tiles 5x5\nset Aa/0.image=image/aa",
     "add image aa\nadd group Aa\nadd layer Aa tiles 5x5\nset Aa/0.image=image/aa\nset 0.offset.x=5",
     "add image aa\nadd group Aa\nadd layer Aa tiles 5x5\nset Aa/0.image=image/aa\nset 0.offset.x=5"},
    {"removed and something else", "remove Play/More", "fill Play/Deco@0,0+2x2 5",
     "fill Play/Deco@0,0+2x2 5\nremove Play/More"},
    {"both removed", "remove Play/More", "remove Play/More Fore", "remove Play/More Fore"},
    {"removed by one, used by the other", "clean images", "set Play/Deco.image=image/unused",
     "remove image/grass image/stone\nset Play/Deco.image=image/unused"},
    {"settings", "settings replace \"sv_a*\" \"sv_a 2\"", "settings add \"say d\"",
     "settings replace \"sv_a*\" \"sv_a 2\"\nsettings add \"say d\""},
    {"settings at one place", "settings add \"say e\"", "settings add \"say d\"",
     "settings add \"say d\" \"say e\""},
    {"the same command", "settings add \"say d\"", "settings add \"say d\" \"say f\"",
     "settings add \"say d\" \"say f\""},
    {"a command removed", "settings remove \"tune*\"", "settings add \"say d\"",
     "settings remove \"tune*\"\nsettings add \"say d\""},
    {"quads", "set 0/0.quads[0].colors[0]=#0affffff", "set 0/0.quads[1].colors[0]=#0affffff",
     "set 0/0.quads[0].colors[0]=#0affffff 0/0.quads[1].colors[0]=#0affffff"},
    {"fields of a quad", "set 0/0.quads[0].colors[0]=#0affffff", "set 0/0.quads[0].color_offset=7",
     "set 0/0.quads[0].color_offset=7 0/0.quads[0].colors[0]=#0affffff"},
    {"new quads", "add quad 0/0 -320,0 2x2\nquads back 0/0@-10,0+1x1", "add quad 0/0 640,0 2x2",
     "add quad 0/0 640,0 2x2\nadd quad 0/0 -320,0 2x2\nquads back 0/0@-10,0+1x1"},
    {"a quad removed", "remove 0/0.quads[0]", "set 0/0.quads[1].colors[0]=#0affffff",
     "set 0/0.quads[1].colors[0]=#0affffff\nremove 0/0.quads[0]"},
    {"points in their time", "add point envelope/0 300 0.1",
     "add point envelope/0 200 0.2\nadd point envelope/0 400 0.2",
     "add point envelope/0 200 0.2\nadd point envelope/0 400 0.2\nadd point envelope/0 300 0.1"},
    {"pixels", "pixel 3 1", "pixel 4 1", "pixel 3 1\npixel 4 1"},
    {"two edges", "extend right 5 empty Play/Deco", "extend down 4 empty Play/Deco",
     "extend right 5 empty Play/Deco\nextend down 4 empty Play/Deco"},
    {"opposite edges", "extend right 5 empty Play/Deco", "extend left 5 empty Play/Deco",
     "extend right 5 empty Play/Deco\nextend left 5 empty Play/Deco"},
    {"tiles and an edge", "fill Play/Deco@0,0+2x2 5", "extend left 5 empty Play/Deco",
     "fill Play/Deco@0,0+2x2 5\nextend left 5 empty Play/Deco"},
    {"tiles in what was added", "fill Play/Deco@5,5+2x2 4\nextend right 5 empty Play/Deco",
     "fill Play/Deco@6,7+1x1 9\nextend left 5 empty Play/Deco",
     "fill Play/Deco@5,5+2x2 4\nfill Play/Deco@6,7+1x1 9\nextend right 5 empty Play/Deco\nextend left 5 empty Play/Deco"},
};

static bool merges_to(const clean_merge *row, const tm_map *base, const tm_map *ours, const tm_map *theirs,
                      const tm_map *expected)
{
    OWN(tm_conflicts) *conflicts;
    OWN(tm_map) *map = test_merge(&conflicts, base, ours, theirs, NULL, TM_RESOLUTION_UNRESOLVED);
    const bool fine = tm_conflicts_num(conflicts) == 0 && test_map_same(map, expected);
    if (!fine)
        print_error("%s\n", row->description);
    test_print_conflicts(conflicts);
    return fine;
}

TEST(what_does_not_touch_is_merged)
{
    bool fine = true;
    for (size_t i = 0; i < sizeof(clean_merges) / sizeof(*clean_merges); i++) {
        const clean_merge *row = &clean_merges[i];
        OWN(tm_map) *base = test_merge_base(), *ours = test_version_make(row->ours),
                    *theirs = test_version_make(row->theirs);
        OWN(tm_map) *expected = test_version_make(row->result);
        fine = merges_to(row, base, ours, theirs, expected) && fine;
        fine = merges_to(row, base, theirs, ours, expected) && fine;
        fine = merges_to(row, base, expected, ours, expected) && fine; /* nothing of it is done twice */
        fine = merges_to(row, base, theirs, expected, expected) && fine;
    }
    assert_true(fine);
}

/* Two points of ours have one time; putting a point of theirs before them once turned them round. */
TEST(points_of_one_time_keep_their_order)
{
    OWN(tm_map) *base = test_merge_base(),
                *ours = test_version_make("set envelope/0.points[0].time=1500 envelope/0.points[1].time=1500 "
                                          "envelope/0.points[0].values[0]=0.25\nadd point envelope/0 3000"),
                *theirs = test_version_make("set envelope/0.points[2].time=1200");
    OWN(tm_conflicts) *conflicts;
    OWN(tm_map) *map = test_merge(&conflicts, base, ours, theirs, NULL, TM_RESOLUTION_UNRESOLVED);
    const tm_envelope_point *points = map->envelopes[0].points;
    assert_int_equal(map->envelopes[0].num_points, 4);
    assert_int_equal(points[0].time, 1200);
    assert_int_equal(points[1].time, 1500);
    assert_int_not_equal(points[1].values[0], 0);
    assert_int_equal(points[2].time, 1500);
    assert_int_equal(points[2].values[0], 0);
}

/* What both sides add has one order, also where it differs by the names of layers, or by images, alone. */
TEST(additions_have_one_order)
{
    static const char *const lines[][2] = {{"rename 3/0 A", "rename 3/0 B"},
                                           {"rename 3/0 B", "rename 3/0 A"},
                                           {"set 3/0.image=image/grass", "set 3/0.image=image/unused"},
                                           {"set 3/0.image=image/unused", "set 3/0.image=image/grass"}};
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        char text[100];
        tm_map *base = test_merge_base(), *side[2], *merged[2];
        tm_conflicts *conflicts[2];
        for (int k = 0; k < 2; k++) {
            snprintf(text, sizeof(text), "add group\nadd layer 3 tiles 9x9\n%s", lines[i][k]);
            side[k] = test_version_make(text);
        }
        for (int k = 0; k < 2; k++)
            merged[k] = test_merge(&conflicts[k], base, side[k], side[!k], NULL, TM_RESOLUTION_UNRESOLVED);
        assert_int_equal(merged[0]->num_groups, 5);
        assert_true(test_map_same(merged[0], merged[1]));
        for (int k = 0; k < 2; k++) {
            tm_conflicts_free(conflicts[k]);
            tm_map_free(merged[k]);
            tm_map_free(side[k]);
        }
        tm_map_free(base);
    }
}

/* Whoever writes a file only when there is something to tell must not lose what was merged. */
TEST(what_is_brought_is_told)
{
    for (size_t i = 0; i < sizeof(clean_merges) / sizeof(*clean_merges); i++) {
        const clean_merge *row = &clean_merges[i];
        OWN(tm_map) *base = test_merge_base(), *ours = test_version_make(row->ours),
                    *theirs = test_version_make(row->theirs), *map;
        OWN(tm_conflicts) *conflicts;
        OWN(tm_report) report;
        bool equal;
        tm_report_init(&report, NULL);
        must(tm_map_merge(&map, &conflicts, base, ours, theirs, NULL, &report, NULL));
        must(tm_map_equal(&equal, ours, map, NULL, 0, NULL));
        if (!equal && !report.num)
            fail_msg("%s: nothing is told", row->description);
    }
}

/* Whatever fails, nothing comes out, and the three maps stay as they were. */
TEST(failing_memory_gives_nothing)
{
    OWN(tm_map) *base = test_merge_base();
    test_merge_without_memory(base, true);
}

TEST(rules_are_checked)
{
    tm_map *map = test_merge_base(), *out;
    tm_conflicts *conflicts;
    tm_error error;
    tm_merge_options options = TM_MERGE_OPTIONS_INIT;
    tm_merge_rule rule = {"nonsense", TM_RESOLUTION_OURS};
    options.rules = &rule;
    options.num_rules = 1;
    fails(TM_ERROR_USAGE, "nonsense", tm_map_merge(&out, &conflicts, map, map, map, &options, NULL, &error));
    rule = (tm_merge_rule){NULL, (tm_resolution)9};
    assert_int_equal(tm_map_merge(&out, &conflicts, map, map, map, &options, NULL, &error), TM_ERROR_USAGE);
    options.rules = NULL;
    assert_int_equal(tm_map_merge(&out, &conflicts, map, map, map, &options, NULL, &error), TM_ERROR_USAGE);
    assert_null(out);
    assert_null(conflicts);
    tm_map_free(map);
}

/* What a map of another file gives to the result is sound when that file is gone. */
TEST(unchanged_sides_come_out_as_their_files)
{
    OWN(tm_map) *base = test_merge_base(),
                *made = test_version_make("fill Play/Deco@0,0+2x2 5\nadd image aa");
    OWN(tm_buffer) file = test_map_save(made, NULL);
    OWN(tm_map) *side = test_map_load(&file, TM_MODE_GAME, NULL);
    for (int which = 0; which < 2; which++) {
        OWN(tm_conflicts) *conflicts;
        OWN(tm_map) *map = test_merge(&conflicts, base, which ? side : base, which ? base : side, NULL,
                                      TM_RESOLUTION_UNRESOLVED);
        OWN(tm_buffer) saved = test_map_save(map, NULL);
        assert_true(test_buffer_same(&file, &saved));
    }
}

/* A map whose settings are these bytes of its file. */
static tm_map *map_of_settings(tm_buffer *file, const char *bytes, size_t size)
{
    struct test_maker maker = test_maker_new();
    const int32_t tiles = test_maker_data(&maker, NULL, 4 * 3 * 4),
                  settings = test_maker_data(&maker, bytes, size);
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(&maker, TM_ITEM_INFO, 0, 1, -1, -1, -1, -1, settings);
    TEST_ITEM(&maker, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0, TEST_NAME3("Game"));
    TEST_ITEM(&maker, TM_ITEM_LAYER, 0, 0, 2, 0, 3, 4, 3, 1, 255, 255, 255, 255, -1, 0, -1, tiles,
              TEST_NAME3("Game"), -1, -1, -1, -1, -1);
    *file = test_maker_finish(&maker);
    return test_map_load(file, TM_MODE_GAME, NULL);
}

/* Where the settings of the old map are too long to be read, those of ours and theirs are compared as a whole. */
TEST(settings_that_one_version_cannot_read_are_compared)
{
    enum { TOO_LONG = (1 << 20) + 64 };
    static char long_text[TOO_LONG];
    static const struct {
        const char *theirs;
        size_t size;
        uint32_t conflicts;
    } rows[] = {{"sv_a 1\0sv_b 2", 14, 0},
                {"sv_a 9\0sv_b 2", 14, 1},
                {"sv_a 1\0sv_b 9", 14, 1},
                {"sv_a 1", 7, 1},
                {"sv_a 1\0sv_b 2\0sv_c", 19, 1}};
    memset(long_text, 'x', sizeof(long_text) - 1);
    OWN(tm_buffer) base_file, our_file;
    OWN(tm_map) *base = map_of_settings(&base_file, long_text, sizeof(long_text)),
                *ours = map_of_settings(&our_file, rows[0].theirs, rows[0].size);
    assert_non_null(base->info.unread_settings);
    assert_int_equal(ours->info.num_settings, 2);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        OWN(tm_buffer) their_file;
        OWN(tm_map) *theirs = map_of_settings(&their_file, rows[i].theirs, rows[i].size);
        OWN(tm_conflicts) *conflicts;
        OWN(tm_map) *map = test_merge(&conflicts, base, ours, theirs, NULL, TM_RESOLUTION_UNRESOLVED);
        if (tm_conflicts_num(conflicts) != rows[i].conflicts)
            fail_msg("%s: %u conflicts", rows[i].theirs, (unsigned)tm_conflicts_num(conflicts));
    }
}
