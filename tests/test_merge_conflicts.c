/* SPDX-License-Identifier: Zlib */
/*
 * Conflicts of merging: each kind is told in a line and settled each way, and what is left open can be left in the map.
 */
#include "support/lib_versions.h"
#include "support/test.h"

static const char as_theirs[] = "as theirs";

/* What the map is like for each way of settling it; nothing stands for "as ours" without a conflict that is left. */
typedef struct conflict_case {
    tm_conflict_kind kind;
    bool both_settles;
    const char *ours, *theirs;
    const char *line;     /* as test_merge(base, ours, theirs) tells it */
    const char *taken[4]; /* by tm_resolution; NULL: theirs for theirs, or else ours */
} conflict_case;

static const conflict_case conflict_cases[] = {
    {TM_CONFLICT_FIELD, false, "set 0.offset.x=5", "set 0.offset.x=7",
     .line = "group 0 'Back': offset.x is 5 in ours, 7 in theirs, was 0"},
    {TM_CONFLICT_FIELD, false, "set info.author=Anna", "set info.author=Bert",
     .line = "map: author is \"Anna\" in ours, \"Bert\" in theirs, was none"},
    {TM_CONFLICT_FIELD, false, "set Play/Deco.image=image/grass", "set Play/Deco.image=image/stone",
     .line = "group 1, layer 1 'Deco': image is image/0 in ours, image/1 in theirs, was none"},
    {TM_CONFLICT_TILES, false, "fill Play/Deco@0,0+2x2 5", "fill Play/Deco@1,1+2x2 6",
     .line = "group 1, layer 1 'Deco': both changed 1 tile at 1,1 1x1",
     .taken[0] = "fill Play/Deco@1,1+2x2 6\nfill Play/Deco@0,0+2x2 5",
     .taken[1] = "fill Play/Deco@1,1+2x2 6\nfill Play/Deco@0,0+2x2 5",
     .taken[2] = "fill Play/Deco@0,0+2x2 5\nfill Play/Deco@1,1+2x2 6",
     .taken[3] = "fill Play/Deco@1,1+2x2 6\nfill Play/Deco@0,0+2x2 5"},
    {TM_CONFLICT_TILES, true, "fill Play/Deco@3,3+1x1 air", "fill Play/Deco@3,3+1x1 6",
     .line = "group 1, layer 1 'Deco': both changed 1 tile at 3,3 1x1", .taken[3] = as_theirs},
    {TM_CONFLICT_TILES, true, "crop 0,0+20x30 Play/Deco",
     "fill Play/Deco@30,5+2x2 6\nfill Play/Deco@0,0+2x2 5",
     .line = "group 1, layer 1 'Deco': both changed 4 tiles at 30,5 2x2",
     .taken[0] = "fill Play/Deco@0,0+2x2 5\ncrop 0,0+20x30 Play/Deco",
     .taken[1] = "fill Play/Deco@0,0+2x2 5\ncrop 0,0+20x30 Play/Deco", .taken[3] = as_theirs},
    {TM_CONFLICT_SIZE, true, "extend right 5 empty Play/Deco", "extend right 8 empty Play/Deco",
     .line = "group 1, layer 1 'Deco': 40 x 30 became 45 x 30 in ours, 48 x 30 in theirs",
     .taken[3] = as_theirs},
    {TM_CONFLICT_PIXELS, false, "pixel 3 1", "pixel 3 2",
     .line = "image 1 'stone': both changed 1 pixel at 3,0 1x1"},
    {TM_CONFLICT_DATA, false, "pixel 3 1", "pixels 32 16",
     .line = "image 1 'stone': both changed the pixels"},
    {TM_CONFLICT_ELEMENT, true, "set 0/0.quads[0].colors[0]=#0affffff",
     "set 0/0.quads[0].colors[0]=#14ffffff",
     .line = "group 0, layer 0 'Sky': quad 0 was changed by ours and changed by theirs",
     .taken[3] =
         "set 0/0.quads[0].colors[0]=#0affffff\nadd quad 0/0 0,0 32x32\nset 0/0.quads[4].colors[0]=#14ffffff\nquads back 0/0@0,0+1x1"},
    {TM_CONFLICT_ELEMENT, true, "set 0/0.quads[0].colors[0]=#0affffff", "remove 0/0.quads[0]",
     .line = "group 0, layer 0 'Sky': quad 0 was changed by ours and removed by theirs"},
    {TM_CONFLICT_SETTING, true, "settings replace sv_a* \"sv_a 2\"", "settings replace sv_a* \"sv_a 3\"",
     .line = "settings: \"sv_a 1\" is \"sv_a 2\" in ours, \"sv_a 3\" in theirs",
     .taken[3] = "settings clear\nsettings add 'sv_a 2' 'sv_a 3' 'tune x 1' 'say c'"},
    {TM_CONFLICT_SETTING, true, "settings add \"tune gravity 1\"", "settings add \"tune gravity 2\"",
     .line = "settings: \"tune gravity 1\" in ours and \"tune gravity 2\" in theirs",
     .taken[3] = "settings add \"tune gravity 1\" \"tune gravity 2\""},
    {TM_CONFLICT_REMOVED, true, "remove Play/Deco", "fill Play/Deco@0,0+2x2 5",
     .line = "group 1, layer 1 'Deco' was removed by ours and changed by theirs", .taken[0] = as_theirs,
     .taken[3] = as_theirs},
    {TM_CONFLICT_REMOVED, true, "rename image/grass meadow", "remove image/grass",
     .line = "image 0 'grass' was removed by theirs and changed by ours"},
    {TM_CONFLICT_REMOVED, true, "remove Fore", "add layer Fore quads",
     .line = "group 2 'Fore' was removed by ours and changed by theirs", .taken[0] = as_theirs,
     .taken[3] = as_theirs},
    {TM_CONFLICT_REMOVED, true, "remove Fore", "fill Fore/Top@8,8+2x2 5",
     .line = "group 2, layer 0 'Top' was removed by ours and changed by theirs", .taken[0] = as_theirs,
     .taken[3] = as_theirs},
    {TM_CONFLICT_REMOVED, true, "remove Back", "move Fore/Top Back/1\nremove Fore",
     .line = "group 0 'Back' was removed by ours and changed by theirs", .taken[0] = as_theirs,
     .taken[3] = as_theirs},
    {TM_CONFLICT_REMOVED, true,
     "fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nmove Fore/Top Back/1\nremove Fore", "remove Back",
     .line = "group 0 'Back' was removed by theirs and changed by ours",
     .taken[2] = "fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nremove Back"},
    {TM_CONFLICT_REMOVED, true, "remove Fore",
     "fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nmove Back/Sky Fore/1\nremove Back",
     .line = "group 1 'Fore' was removed by ours and changed by theirs", .taken[0] = as_theirs,
     .taken[1] = "fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nremove Fore", .taken[3] = as_theirs},
    {TM_CONFLICT_PLACE, false, "move Play/Deco 0/0", "move Play/Deco 2/0",
     .line = "group 0, layer 0 'Deco' was moved to 0/0 by ours and to 2/0 by theirs"},
    {TM_CONFLICT_ADDED, false, "add layer Play tele\nfill tele@1,1+1x1 tele-in:1",
     "add layer Play tele\nfill tele@2,1+1x1 tele-in:1",
     .line = "group 1, layer 3 'Tele': both added a tele layer"},
};

static bool settles(const conflict_case *row, tm_resolution take, const tm_map *base, const tm_map *ours,
                    const tm_map *theirs)
{
    OWN(tm_conflicts) *conflicts;
    tm_conflict conflict = {.kind = TM_CONFLICT_FIELD};
    char line[300] = "";
    const char *taken = row->taken[take];
    const char *side =
        taken == as_theirs || (!taken && take == TM_RESOLUTION_THEIRS) ? row->theirs : row->ours;
    OWN(tm_map) *map = test_merge(&conflicts, base, ours, theirs, NULL, take),
                *expected = test_version_make(!taken || taken == as_theirs ? side : taken);
    const bool open = take == TM_RESOLUTION_UNRESOLVED || (take == TM_RESOLUTION_BOTH && !row->both_settles);
    const bool one = tm_conflicts_num(conflicts) == 1 && tm_conflicts_at(&conflict, conflicts, 0);
    tm_conflict_format(&conflict, line, sizeof(line));
    const bool told = one && conflict.kind == row->kind && strcmp(line, row->line) == 0;
    const bool fine = told && tm_conflicts_num_open(conflicts) == open && test_map_same(map, expected);
    if (!fine) {
        print_error("%s, taking %s: %u open\n", row->line, tm_resolution_name(take),
                    tm_conflicts_num_open(conflicts));
        test_print_conflicts(conflicts);
    }
    return fine;
}

TEST(conflicts_are_told_and_settled)
{
    bool fine = true;
    for (size_t i = 0; i < sizeof(conflict_cases) / sizeof(*conflict_cases); i++) {
        const conflict_case *row = &conflict_cases[i];
        OWN(tm_map) *base = test_merge_base(), *ours = test_version_make(row->ours),
                    *theirs = test_version_make(row->theirs);
        for (int take = TM_RESOLUTION_UNRESOLVED; take <= TM_RESOLUTION_BOTH; take++)
            fine = settles(row, (tm_resolution)take, base, ours, theirs) && fine;
    }
    assert_true(fine);
}

/* The layers that a merge has left in front of one. */
static const tm_layer *mark_of(const tm_map *map, uint32_t group, uint32_t layer, const char *name)
{
    const tm_group *marked = &map->groups[group];
    assert_true(layer < marked->num_layers);
    assert_string_equal(marked->layers[layer].name, name);
    return &marked->layers[layer];
}

static uint8_t mark_tile(const tm_map *map, uint32_t group, uint32_t layer, uint32_t x, uint32_t y)
{
    tm_grid grid = test_grid(map, &map->groups[group].layers[layer]);
    return ((const tm_tile *)grid.tiles)[y * grid.width + x].index;
}

/* Tiles as two layers, another change of a layer as theirs, other objects at the end, the rest as comments. */
TEST(open_conflicts_are_left_in_the_map)
{
    static const char *const changes[] = {
        "fill game@1,1+2x2 solid\nfill game@1,1+2x2 freeze\nset Back/Sky.detail=true\nrename image/grass a\nset "
        "Fore.offset.x=1\nrename Fore/Top a\nsettings replace \"sv_a*\" \"sv_a 2\"\n"
        "set 0/0.quads[0].colors[0]=#0affffff",
        "fill game@2,2+2x2 solid\nrename image/grass b\nset Fore.offset.x=2\nrename Fore/Top b\nsettings replace "
        "\"sv_a*\" \"sv_a 3\"\nset 0/0.quads[0].colors[0]=#14ffffff"};
    OWN(tm_map) *base = test_merge_base(), *ours = test_version_make(changes[0]),
                *theirs = test_version_make(changes[1]), *map;
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
    for (uint32_t i = 0; tm_conflicts_at(&conflict, conflicts, i);
         i++) /* their places are those with the marks */
        if (conflict.kind == TM_CONFLICT_TILES)
            assert_true(conflict.merged.index == 1 && conflict.merged.layer == 0);
}
