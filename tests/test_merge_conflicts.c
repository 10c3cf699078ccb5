/* SPDX-License-Identifier: Zlib */
/*
 * Conflicts of merging: each kind is told in a line and settled each way, and what is left open can be left in the map.
 */
#include "support/lib_versions.h"
#include "support/test.h"

/* What the map is like for each way of settling it; nothing stands for "as ours" without a conflict that is left. */
typedef struct conflict_case {
    tm_conflict_kind kind;
    struct test_version ours, theirs;
    const char *line;             /* as test_merge(base, ours, theirs) tells it */
    struct test_version taken[4]; /* by tm_resolution */
    bool both_settles;
} conflict_case;

static const conflict_case conflict_cases[] = {
    {TM_CONFLICT_FIELD,
     TEST_DO("set 0.offset.x=5"),
     TEST_DO("set 0.offset.x=7"),
     "group 0 'Back': offset.x is 5 in ours, 7 in theirs, was 0",
     {TEST_DO("set 0.offset.x=5"), TEST_DO("set 0.offset.x=5"), TEST_DO("set 0.offset.x=7"),
      TEST_DO("set 0.offset.x=5")},
     false},
    {TM_CONFLICT_FIELD,
     TEST_DO("set info.author=Anna"),
     TEST_DO("set info.author=Bert"),
     "map: author is \"Anna\" in ours, \"Bert\" in theirs, was none",
     {TEST_DO("set info.author=Anna"), TEST_DO("set info.author=Anna"), TEST_DO("set info.author=Bert"),
      TEST_DO("set info.author=Anna")},
     false},
    {TM_CONFLICT_FIELD,
     TEST_DO("set Play/Deco.image=image/grass"),
     TEST_DO("set Play/Deco.image=image/stone"),
     "group 1, layer 1 'Deco': image is image/0 in ours, image/1 in theirs, was none",
     {TEST_DO("set Play/Deco.image=image/grass"), TEST_DO("set Play/Deco.image=image/grass"),
      TEST_DO("set Play/Deco.image=image/stone"), TEST_DO("set Play/Deco.image=image/grass")},
     false},
    {TM_CONFLICT_TILES,
     TEST_DO("fill Play/Deco@0,0+2x2 5"),
     TEST_DO("fill Play/Deco@1,1+2x2 6"),
     "group 1, layer 1 'Deco': both changed 1 tile at 1,1 1x1",
     {TEST_DO("fill Play/Deco@1,1+2x2 6\nfill Play/Deco@0,0+2x2 5"),
      TEST_DO("fill Play/Deco@1,1+2x2 6\nfill Play/Deco@0,0+2x2 5"),
      TEST_DO("fill Play/Deco@0,0+2x2 5\nfill Play/Deco@1,1+2x2 6"),
      TEST_DO("fill Play/Deco@1,1+2x2 6\nfill Play/Deco@0,0+2x2 5")},
     false},
    {TM_CONFLICT_TILES,
     TEST_DO("fill Play/Deco@3,3+1x1 air"),
     TEST_DO("fill Play/Deco@3,3+1x1 6"),
     "group 1, layer 1 'Deco': both changed 1 tile at 3,3 1x1",
     {TEST_DO("fill Play/Deco@3,3+1x1 air"), TEST_DO("fill Play/Deco@3,3+1x1 air"),
      TEST_DO("fill Play/Deco@3,3+1x1 6"), TEST_DO("fill Play/Deco@3,3+1x1 6")},
     true},
    {TM_CONFLICT_TILES,
     TEST_BY(test_cut_right),
     TEST_DO("fill Play/Deco@30,5+2x2 6\nfill Play/Deco@0,0+2x2 5"),
     "group 1, layer 1 'Deco': both changed 4 tiles at 30,5 2x2",
     {{"fill Play/Deco@0,0+2x2 5", test_cut_right},
      {"fill Play/Deco@0,0+2x2 5", test_cut_right},
      TEST_DO("fill Play/Deco@30,5+2x2 6\nfill Play/Deco@0,0+2x2 5"),
      TEST_DO("fill Play/Deco@30,5+2x2 6\nfill Play/Deco@0,0+2x2 5")},
     true},
    {TM_CONFLICT_SIZE,
     TEST_BY(test_grow_right),
     TEST_BY(test_grow_right_more),
     "group 1, layer 1 'Deco': 40 x 30 became 45 x 30 in ours, 48 x 30 in theirs",
     {TEST_BY(test_grow_right), TEST_BY(test_grow_right), TEST_BY(test_grow_right_more),
      TEST_BY(test_grow_right_more)},
     true},
    {TM_CONFLICT_PIXELS,
     TEST_BY(test_pixel_3),
     TEST_BY(test_pixel_3_other),
     "image 1 'stone': both changed 1 pixel at 3,0 1x1",
     {TEST_BY(test_pixel_3), TEST_BY(test_pixel_3), TEST_BY(test_pixel_3_other), TEST_BY(test_pixel_3)},
     false},
    {TM_CONFLICT_DATA,
     TEST_BY(test_pixel_3),
     TEST_BY(test_new_pixels),
     "image 1 'stone': both changed the pixels",
     {TEST_BY(test_pixel_3), TEST_BY(test_pixel_3), TEST_BY(test_new_pixels), TEST_BY(test_pixel_3)},
     false},
    {TM_CONFLICT_ELEMENT,
     TEST_BY(test_quad_0_red),
     TEST_BY(test_quad_0_dark),
     "group 0, layer 0 'Sky': quad 0 was changed by ours and changed by theirs",
     {TEST_BY(test_quad_0_red), TEST_BY(test_quad_0_red), TEST_BY(test_quad_0_dark),
      TEST_BY(test_quad_0_twice)},
     true},
    {TM_CONFLICT_ELEMENT,
     TEST_BY(test_quad_0_red),
     TEST_BY(test_no_quad_0),
     "group 0, layer 0 'Sky': quad 0 was changed by ours and removed by theirs",
     {TEST_BY(test_quad_0_red), TEST_BY(test_quad_0_red), TEST_BY(test_no_quad_0), TEST_BY(test_quad_0_red)},
     true},
    {TM_CONFLICT_SETTING,
     TEST_DO("settings replace \"sv_a*\" \"sv_a 2\""),
     TEST_DO("settings replace \"sv_a*\" \"sv_a 3\""),
     "settings: \"sv_a 1\" is \"sv_a 2\" in ours, \"sv_a 3\" in theirs",
     {TEST_DO("settings replace \"sv_a*\" \"sv_a 2\""), TEST_DO("settings replace \"sv_a*\" \"sv_a 2\""),
      TEST_DO("settings replace \"sv_a*\" \"sv_a 3\""), TEST_BY(test_settings_twice)},
     true},
    {TM_CONFLICT_SETTING,
     TEST_DO("settings add \"tune gravity 1\""),
     TEST_DO("settings add \"tune gravity 2\""),
     "settings: \"tune gravity 1\" in ours and \"tune gravity 2\" in theirs",
     {TEST_DO("settings add \"tune gravity 1\""), TEST_DO("settings add \"tune gravity 1\""),
      TEST_DO("settings add \"tune gravity 2\""),
      TEST_DO("settings add \"tune gravity 1\" \"tune gravity 2\"")},
     true},
    {TM_CONFLICT_REMOVED,
     TEST_DO("remove Play/Deco"),
     TEST_DO("fill Play/Deco@0,0+2x2 5"),
     "group 1, layer 1 'Deco' was removed by ours and changed by theirs",
     {TEST_DO("fill Play/Deco@0,0+2x2 5"), TEST_DO("remove Play/Deco"), TEST_DO("fill Play/Deco@0,0+2x2 5"),
      TEST_DO("fill Play/Deco@0,0+2x2 5")},
     true},
    {TM_CONFLICT_REMOVED,
     TEST_DO("rename image/grass meadow"),
     TEST_DO("remove image/grass"),
     "image 0 'grass' was removed by theirs and changed by ours",
     {TEST_DO("rename image/grass meadow"), TEST_DO("rename image/grass meadow"),
      TEST_DO("remove image/grass"), TEST_DO("rename image/grass meadow")},
     true},
    {TM_CONFLICT_REMOVED,
     TEST_DO("remove Fore"),
     TEST_DO("add layer Fore quads"),
     "group 2 'Fore' was removed by ours and changed by theirs",
     {TEST_DO("add layer Fore quads"), TEST_DO("remove Fore"), TEST_DO("add layer Fore quads"),
      TEST_DO("add layer Fore quads")},
     true},
    {TM_CONFLICT_REMOVED,
     TEST_DO("remove Fore"),
     TEST_DO("fill Fore/Top@8,8+2x2 5"),
     "group 2, layer 0 'Top' was removed by ours and changed by theirs",
     {TEST_DO("fill Fore/Top@8,8+2x2 5"), TEST_DO("remove Fore"), TEST_DO("fill Fore/Top@8,8+2x2 5"),
      TEST_DO("fill Fore/Top@8,8+2x2 5")},
     true},
    {TM_CONFLICT_REMOVED,
     TEST_DO("remove Back"),
     TEST_DO("move Fore/Top Back/1\nremove Fore"),
     "group 0 'Back' was removed by ours and changed by theirs",
     {TEST_DO("move Fore/Top Back/1\nremove Fore"), TEST_DO("remove Back"),
      TEST_DO("move Fore/Top Back/1\nremove Fore"), TEST_DO("move Fore/Top Back/1\nremove Fore")},
     true},
    {TM_CONFLICT_REMOVED,
     TEST_DO("fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nmove Fore/Top Back/1\nremove Fore"),
     TEST_DO("remove Back"),
     "group 0 'Back' was removed by theirs and changed by ours",
     {TEST_DO("fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nmove Fore/Top Back/1\nremove Fore"),
      TEST_DO("fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nmove Fore/Top Back/1\nremove Fore"),
      TEST_DO("fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nremove Back"),
      TEST_DO("fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nmove Fore/Top Back/1\nremove Fore")},
     true},
    {TM_CONFLICT_REMOVED,
     TEST_DO("remove Fore"),
     TEST_DO("fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nmove Back/Sky Fore/1\nremove Back"),
     "group 1 'Fore' was removed by ours and changed by theirs",
     {TEST_DO("fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nmove Back/Sky Fore/1\nremove Back"),
      TEST_DO("fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nremove Fore"),
      TEST_DO("fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nmove Back/Sky Fore/1\nremove Back"),
      TEST_DO("fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nmove Back/Sky Fore/1\nremove Back")},
     true},
    {TM_CONFLICT_PLACE,
     TEST_DO("move Play/Deco 0/0"),
     TEST_DO("move Play/Deco 2/0"),
     "group 0, layer 0 'Deco' was moved to 0/0 by ours and to 2/0 by theirs",
     {TEST_DO("move Play/Deco 0/0"), TEST_DO("move Play/Deco 0/0"), TEST_DO("move Play/Deco 2/0"),
      TEST_DO("move Play/Deco 0/0")},
     false},
    {TM_CONFLICT_ADDED,
     TEST_DO("add layer Play tele\nfill tele@1,1+1x1 tele-in:1"),
     TEST_DO("add layer Play tele\nfill tele@2,1+1x1 tele-in:1"),
     "group 1, layer 3 'Tele': both added a tele layer",
     {TEST_DO("add layer Play tele\nfill tele@1,1+1x1 tele-in:1"),
      TEST_DO("add layer Play tele\nfill tele@1,1+1x1 tele-in:1"),
      TEST_DO("add layer Play tele\nfill tele@2,1+1x1 tele-in:1"),
      TEST_DO("add layer Play tele\nfill tele@1,1+1x1 tele-in:1")},
     false},
};

static bool settles(const conflict_case *of, tm_resolution take, const tm_map *base, const tm_map *ours,
                    const tm_map *theirs)
{
    OWN(tm_conflicts) *conflicts;
    tm_conflict conflict = {.kind = TM_CONFLICT_FIELD};
    char line[300] = "";
    OWN(tm_map) *map = test_merge(&conflicts, base, ours, theirs, NULL, take),
                *expected = test_version_make(&of->taken[take]);
    const bool open = take == TM_RESOLUTION_UNRESOLVED || (take == TM_RESOLUTION_BOTH && !of->both_settles);
    const bool one = tm_conflicts_num(conflicts) == 1 && tm_conflicts_at(conflicts, 0, &conflict);
    tm_conflict_format(&conflict, line, sizeof(line));
    const bool told = one && conflict.kind == of->kind && strcmp(line, of->line) == 0;
    const bool fine = told && tm_conflicts_num_open(conflicts) == open && test_map_same(map, expected);
    if (!fine) {
        print_error("%s, taking %s: %u open\n", of->line, tm_resolution_name(take),
                    tm_conflicts_num_open(conflicts));
        test_print_conflicts(conflicts);
    }
    return fine;
}

TEST(conflicts_are_told_and_settled)
{
    bool fine = true;
    for (size_t i = 0; i < sizeof(conflict_cases) / sizeof(*conflict_cases); i++) {
        const conflict_case *of = &conflict_cases[i];
        OWN(tm_map) *base = test_merge_base(), *ours = test_version_make(&of->ours),
                    *theirs = test_version_make(&of->theirs);
        for (int take = TM_RESOLUTION_UNRESOLVED; take <= TM_RESOLUTION_BOTH; take++)
            fine = settles(of, (tm_resolution)take, base, ours, theirs) && fine;
    }
    assert_true(fine);
}

/* The layers that a merge has left in front of one. */
static const tm_layer *mark_of(const tm_map *map, uint32_t group, uint32_t layer, const char *name)
{
    const tm_group *own = &map->groups[group];
    assert_true(layer < own->num_layers);
    assert_string_equal(own->layers[layer].name, name);
    return &own->layers[layer];
}

static uint8_t mark_tile(const tm_map *map, uint32_t group, uint32_t layer, uint32_t x, uint32_t y)
{
    tm_grid grid = test_grid(map, &map->groups[group].layers[layer]);
    return ((const tm_tile *)grid.tiles)[y * grid.width + x].index;
}

/* Tiles as two layers, another change of a layer as theirs, other objects at the end, the rest as comments. */
TEST(open_conflicts_are_left_in_the_map)
{
    const struct test_version changes[2] = {
        {"fill game@1,1+2x2 solid\nfill game@1,1+2x2 freeze\nset Back/Sky.detail=true\nrename image/grass a\nset "
         "Fore.offset.x=1\nrename Fore/Top a\nsettings replace \"sv_a*\" \"sv_a 2\"",
         test_quad_0_red},
        {"fill game@2,2+2x2 solid\nrename image/grass b\nset Fore.offset.x=2\nrename Fore/Top b\nsettings replace "
         "\"sv_a*\" \"sv_a 3\"",
         test_quad_0_dark}};
    OWN(tm_map) *base = test_merge_base(), *ours = test_version_make(&changes[0]),
                *theirs = test_version_make(&changes[1]), *map;
    tm_merge_options options = TM_MERGE_OPTIONS_INIT;
    OWN(tm_conflicts) *conflicts;
    tm_conflict conflict;
    options.mark = true;
    must(tm_map_merge(&map, &conflicts, base, ours, theirs, &options, NULL, NULL));
    must(tm_map_verify(map, NULL));
    assert_int_equal(tm_conflicts_num_open(conflicts), 6);
    mark_of(map, 1, 0, "Game");
    assert_int_equal(mark_of(map, 1, 1, "<<< ours")->kind, TM_LAYER_TILES);
    mark_of(map, 1, 2, ">>> theirs");
    mark_of(map, 1, 3, "Deco");
    assert_int_equal(mark_tile(map, 1, 1, 2, 2), 9);
    assert_int_equal(mark_tile(map, 1, 2, 2, 2), 1);
    assert_int_equal(mark_tile(map, 1, 1, 1, 1), 0); /* only ours changed it */
    assert_int_equal(mark_tile(map, 1, 0, 3, 3), 1); /* only theirs did */
    assert_int_equal(mark_of(map, 0, 1, ">>> theirs")->as.quads.num_quads, 4);
    mark_of(map, 2, 0, "a");
    mark_of(map, 2, 1, ">>> theirs");
    assert_int_equal(map->num_images, 4);
    assert_string_equal(map->images[3].name, ">>> theirs b");
    assert_int_equal(map->num_groups, 4);
    assert_int_equal(map->groups[3].offset_x, 2);
    assert_int_equal(map->info.num_settings, 4);
    assert_non_null(strstr(map->info.settings[3], "# conflict: "));
    for (uint32_t i = 0; tm_conflicts_at(conflicts, i, &conflict);
         i++) /* their places are those with the marks */
        if (conflict.kind == TM_CONFLICT_TILES)
            assert_true(conflict.merged.index == 1 && conflict.merged.layer == 0);
}
