/* SPDX-License-Identifier: Zlib */
/*
 * Which tiles the rule tile-undrawn takes for drawn: by layers of tiles and by quads, in groups that are moved,
 * clipped, or lie elsewhere. Each row has tiles on both sides of what it tries.
 */
#include "support/lib_lint.h"

/* A hall of 59 x 13 tiles beside the race: its walls are drawn, except for those of the race itself. */
#define HALL                                                                       \
    "extend right 60 air\nfill game@20,0+60x1 solid\nfill game@20,14+60x1 solid\n" \
    "fill game@79,0+1x15 solid\nfill game@19,5+1x3 air\nadd group Design\n"        \
    "add layer Design tiles 80x15\nset Design/0.name=Main\n"
/* All walls are drawn, those of a shelf, too: 200 edges at least. */
#define WALLS                                                                                      \
    HALL "fill game@40,8+30x1 solid\nfill Design/Main@0,0+80x15 1\nfill Design/Main@1,1+78x13 0\n" \
         "fill Design/Main@19,1+1x13 1\nfill Design/Main@40,8+30x1 1\n"
/* 220 tiles of freeze, and the 4 of the race; all but 30,5+1x2 are drawn. */
#define FREEZE \
    HALL       \
        "fill game@30,1+20x11 freeze\nfill Design/Main@30,1+20x11 1\nfill Design/Main@3,10+2x2 1\nfill Design/Main@30,5+1x2 0\n"
#define QUAD(place, size) "add layer Design quads\nadd quad Design/1 " place " " size "\n"
#define SECOND(at, group) "add group Other\nadd layer Other tiles 80x15\nfill Other/0@" at " 1\n" group

static const struct {
    const char *description, *edit;
    uint64_t count; /* of tiles; 0: there is no finding */
} undrawn[] = {
    {"two of 224", FREEZE, 2},
    {"three of 224 are too many", FREEZE "fill Design/Main@30,9+1x1 0\n", 0},
    {"203 tiles, one of them not drawn",
     FREEZE "fill game@30,1+20x1 air\nfill game@49,11+1x1 air\nfill Design/Main@30,6+1x1 1\n", 1},
    {"199 tiles are too few",
     FREEZE "fill game@30,1+20x1 air\nfill game@45,11+5x1 air\nfill Design/Main@30,6+1x1 1\n", 0},
    {"drawn in all other places, too: a background",
     FREEZE "fill Design/Main@0,0+80x15 1\nfill Design/Main@30,5+1x2 0\n", 0},
    {"a background does not draw them", FREEZE "add layer Design tiles 80x15\nfill Design/1@20,1+60x13 1\n",
     2},
    {"an invisible layer",
     FREEZE "add layer Design tiles 80x15\nfill Design/1@30,5+1x2 1\n"
            "set Design/1.color=#ffffff00\n",
     2},
    {"a second layer draws one", FREEZE "add layer Design tiles 80x15\nfill Design/1@30,6+1x1 1\n", 1},

    {"a quad draws both", FREEZE QUAD("950,164", "40x54"), 0},
    {"a quad draws one: the middle of the other is beside it", FREEZE QUAD("950,164", "40x40"), 1},
    {"a quad draws one: it begins behind the middle of the other", FREEZE QUAD("950,177", "40x54"), 1},
    {"a quad one column before", FREEZE QUAD("918,164", "40x54"), 2},
    {"a quad that ends before the middles", FREEZE QUAD("896,164", "79x54"), 2},
    {"a quad over a quarter of the map is a background", FREEZE QUAD("640,0", "1920x480"), 2},
    {"a quad without alpha",
     FREEZE QUAD(
         "950,164",
         "40x54") "set Design/1.quads[0].colors[0]=#ffffff00 Design/1.quads[0].colors[1]=#ffffff00 Design/1.quads[0].colors[2]=#ffffff00 Design/1.quads[0].colors[3]=#ffffff00\n",
     2},
    {"a quad outside", FREEZE QUAD("-950,164", "40x54") QUAD("95000,164", "40x54"), 2},

    {"a group that moves otherwise", FREEZE SECOND("30,5+1x2", "set Other.parallax.x=99\n"), 2},
    {"a group that is moved by two tiles", FREEZE SECOND("32,5+1x2", "set Other.offset.x=64\n"), 0},
    {"a group that is moved the other way",
     FREEZE SECOND("28,4+1x2", "set Other.offset.x=-64 Other.offset.y=-32\n"), 0},
    {"a group that is moved by two tiles draws others", FREEZE SECOND("30,5+1x2", "set Other.offset.x=64\n"),
     2},
    {"moved by less than half a tile",
     FREEZE SECOND("30,5+1x2", "set Other.offset.x=15 Other.offset.y=-15\n"), 0},
    {"moved by more than half a tile", FREEZE SECOND("30,5+1x2", "set Other.offset.y=17\n"), 1},
    {"a clip that shows both",
     FREEZE SECOND(
         "30,5+1x2",
         "set Other.use_clipping=true Other.clip.x=960 Other.clip.y=160 Other.clip.width=32 Other.clip.height=64\n"),
     0},
    {"a clip that shows the second",
     FREEZE SECOND(
         "30,5+1x2",
         "set Other.use_clipping=true Other.clip.x=960 Other.clip.y=192 Other.clip.width=32 Other.clip.height=64\n"),
     1},
    {"a clip of no height",
     FREEZE SECOND(
         "30,5+1x2",
         "set Other.use_clipping=true Other.clip.x=960 Other.clip.y=160 Other.clip.width=32 Other.clip.height=0\n"),
     2},

    {"death",
     HALL "fill game@30,1+20x11 death\nfill Design/Main@30,1+20x11 1\nfill Design/Main@49,11+1x1 0\n", 1},
    {"edges of walls", WALLS "fill Design/Main@40,14+1x1 0\n", 1},
    {"what is deep in a wall",
     WALLS "fill game@30,2+5x5 solid\nfill Design/Main@30,2+5x5 1\nfill Design/Main@31,3+3x3 0\n", 0},
    {"entrances",
     HALL "fill tele@30,1+20x11 tele-in:3\nfill tele@60,3+1x1 tele-out:3\nfill Design/Main@30,1+20x11 1\n"
          "fill Design/Main@7,7+1x2 1\nfill Design/Main@9,5+1x1 1\nfill Design/Main@30,4+1x2 0\n",
     2},
    {"exits and checkpoints, which nobody meets",
     HALL
     "fill tele@30,1+20x11 tele-in:3\nfill tele@60,3+4x1 tele-out:3\nfill tele@60,5+3x1 tele-checkpoint:1\n"
     "fill Design/Main@30,1+20x11 1\nfill Design/Main@7,7+1x2 1\nfill Design/Main@9,5+1x1 1\n",
     0},
};

TEST(tiles_count_as_drawn_by_what_players_see)
{
    bool fine = true;
    for (size_t i = 0; i < sizeof(undrawn) / sizeof(*undrawn); i++) {
        OWN(tm_map) *map = test_lint_new_race();
        OWN(tm_lint_result) result;
        size_t at = 0;
        test_edit_does(map, undrawn[i].edit);
        test_lint_ask(&result, map);
        const tm_finding *finding = test_lint_find(&result, TM_FINDING_TILE_UNDRAWN, &at);
        const uint64_t count = finding ? finding->count : 0;
        if (count != undrawn[i].count)
            print_error("%s: %u, not %u\n", undrawn[i].description, (unsigned)count,
                        (unsigned)undrawn[i].count);
        fine &= count == undrawn[i].count;
    }
    assert_true(fine);
}

/* Many layers share their tiles: a large map took as long as all of them together. Then nothing is known. */
TEST(work_has_an_end)
{
    static const struct {
        const char *size;
        uint32_t layers;
        size_t num; /* of findings */
    } maps[] = {{"2020x120", 3, 1}, {"3x2", 2000, 1}, {"2020x120", 1400, 0}};
    const tm_lint_choice choices[] = {{.off = true}, {.on = true, .id = TM_FINDING_TILE_UNDRAWN}};
    for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
        OWN(tm_map) *map = test_lint_new_race();
        OWN(tm_lint_result) result;
        tm_lint_options options = TM_LINT_OPTIONS_INIT;
        char edit[400];
        snprintf(edit, sizeof(edit),
                 "extend right 2000 air\nextend down 105 air\nfill game@30,1+20x11 freeze\nadd group Design\n"
                 "add layer Design tiles 2020x120\nfill Design/0@30,1+20x11 1\nfill Design/0@3,10+2x2 1\n"
                 "fill Design/0@30,5+1x1 0\nadd layer Design tiles %s\nfill Design/1@1,1+1x1 1\n",
                 maps[i].size);
        test_edit_does(map, edit);
        const uint32_t group = map->num_groups - 1;
        while (map->groups[group].num_layers < maps[i].layers)
            must(tm_map_duplicate_layer(map, group, 1, group, map->groups[group].num_layers, NULL));
        options.choices = choices;
        options.num_choices = 2;
        must(tm_lint_run(&result, map, &options, NULL));
        assert_int_equal(result.findings.num, maps[i].num);
    }
}
