/* SPDX-License-Identifier: Zlib */
/*
 * Merging, by hand: two versions of one map are made by operations of `teemap edit`, and so is what must come out; each kind of
 * conflict is told in a line and settled each way. Whatever is merged clean is the same from either side.
 */
#include "support/lib_datafile.h"
#include "support/lib_maps.h"
#include "support/memory.h"

#include <teemap/edit.h>
#include <teemap/merge.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 40, HEIGHT = 30 };

static tm_map *base_map(void)
{
    static const char *const settings[] = {"sv_a 1", "tune x 1", "say c"};
    const tm_envelope_point points[3] = {{.time = 0}, {.time = 1000}, {.time = 2000}};
    const uint8_t pixels[16 * 16 * 4] = {0};
    tm_map *map;
    tm_quad quads[4];
    assert_int_equal(tm_map_new(&map, NULL, NULL), TM_OK);
    map->game = TM_GAME_DDNET;
    for (uint32_t i = 0; i < 3; i++)
        tm_map_insert(map, TM_OBJECT_IMAGE, i, NULL);
    tm_map_set_text(map, &map->images[0].name, "grass", NULL);
    tm_map_set_text(map, &map->images[1].name, "stone", NULL);
    tm_map_set_text(map, &map->images[2].name, "unused", NULL);
    assert_int_equal(tm_map_set_pixels(map, 1, pixels, 16, 16, NULL), TM_OK);
    tm_map_insert(map, TM_OBJECT_ENVELOPE, 0, NULL);
    assert_int_equal(tm_map_set_points(map, 0, points, 3, NULL), TM_OK);
    for (uint32_t g = 0; g < 3; g++)
        tm_map_insert(map, TM_OBJECT_GROUP, g, NULL);
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "Back");
    tm_map_set_name(map->groups[1].name, TM_NAME_SIZE, "Play");
    tm_map_set_name(map->groups[2].name, TM_NAME_SIZE, "Fore");
    tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL);
    tm_map_set_name(map->groups[0].layers[0].name, TM_NAME_SIZE, "Sky");
    tm_map_insert_layer(map, 1, 0, TM_LAYER_GAME, WIDTH, HEIGHT, NULL);
    tm_map_insert_layer(map, 1, 1, TM_LAYER_TILES, WIDTH, HEIGHT, NULL);
    tm_map_insert_layer(map, 1, 2, TM_LAYER_TILES, WIDTH, HEIGHT, NULL);
    tm_map_insert_layer(map, 2, 0, TM_LAYER_TILES, 20, 20, NULL);
    tm_map_set_name(map->groups[1].layers[1].name, TM_NAME_SIZE, "Deco");
    tm_map_set_name(map->groups[1].layers[2].name, TM_NAME_SIZE, "More");
    tm_map_set_name(map->groups[2].layers[0].name, TM_NAME_SIZE, "Top");
    for (int i = 0; i < 4; i++)
        tm_quad_init(&quads[i], i * 64 * 1024, 0, 32 * 1024, 32 * 1024);
    tm_map_set_quads(map, 0, 0, quads, 4, NULL);
    tm_map_fill_tiles(map, 1, 0, 0, 20, WIDTH, 10, &(tm_tile){1, 0, 0, 0}, NULL);
    tm_map_fill_tiles(map, 1, 1, 3, 3, 9, 9, &(tm_tile){7, 0, 0, 0}, NULL);
    tm_map_fill_tiles(map, 1, 2, 30, 2, 5, 5, &(tm_tile){8, 0, 0, 0}, NULL);
    tm_map_fill_tiles(map, 2, 0, 1, 1, 4, 4, &(tm_tile){9, 0, 0, 0}, NULL);
    tm_map_set_settings(map, settings, 3, NULL);
    return map;
}

/* ---------------------------------------------------------------------------------------------------- by functions */

static void quad_color(tm_map *map, uint32_t quad, int32_t red)
{
    tm_quad *quads;
    uint32_t num;
    assert_int_equal(tm_map_edit_quads(map, 0, 0, &quads, &num, NULL), TM_OK);
    quads[quad].colors[0].r = red;
}

static void quad_0_red(tm_map *map)
{
    quad_color(map, 0, 10);
}
static void quad_0_dark(tm_map *map)
{
    quad_color(map, 0, 20);
}
static void quad_1_red(tm_map *map)
{
    quad_color(map, 1, 10);
}
static void quads_0_and_1_red(tm_map *map)
{
    quad_color(map, 0, 10), quad_color(map, 1, 10);
}
static void no_quad_0(tm_map *map)
{
    tm_map_remove_quads(map, 0, 0, 0, 1, NULL);
}

static void quad_0_late(tm_map *map)
{
    tm_quad *quads;
    uint32_t num;
    assert_int_equal(tm_map_edit_quads(map, 0, 0, &quads, &num, NULL), TM_OK);
    quads[0].color_offset = 7;
}

static void quad_0_red_and_late(tm_map *map)
{
    quad_0_late(map), quad_0_red(map);
}

static void add_quad_at(tm_map *map, uint32_t at, int32_t x)
{
    tm_quad quad;
    tm_quad_init(&quad, x, 5, 2048, 2048);
    assert_int_equal(tm_map_insert_quads(map, 0, 0, at, &quad, 1, NULL), TM_OK);
}

static void quad_before(tm_map *map)
{
    add_quad_at(map, 0, 77);
}
static void quad_behind(tm_map *map)
{
    add_quad_at(map, 4, 78);
}
static void quads_around(tm_map *map)
{
    quad_behind(map), quad_before(map);
}
static void red_and_no_quad_0(tm_map *map)
{
    quad_color(map, 1, 10), no_quad_0(map);
}

static void put_point(tm_map *map, int32_t time, int32_t value)
{
    tm_envelope_point points[8];
    uint32_t num = map->envelopes[0].num_points, at = 0;
    memcpy(points, map->envelopes[0].points, num * sizeof(*points));
    while (at < num && points[at].time < time)
        at++;
    memmove(points + at + 1, points + at, (num - at) * sizeof(*points));
    points[at] = (tm_envelope_point){.time = time, .values = {value}};
    assert_int_equal(tm_map_set_points(map, 0, points, num + 1, NULL), TM_OK);
}

static void point_at_300(tm_map *map)
{
    put_point(map, 300, 1);
}
static void points_at_200_and_400(tm_map *map)
{
    put_point(map, 200, 2), put_point(map, 400, 2);
}
static void points_at_200_to_400(tm_map *map)
{
    point_at_300(map), points_at_200_and_400(map);
}

static void set_pixel(tm_map *map, uint32_t at, uint8_t value)
{
    void *pixels;
    assert_int_equal(tm_map_edit_data(map, map->images[1].pixels, &pixels, NULL, NULL), TM_OK);
    ((uint8_t *)pixels)[at * 4] = value;
}

static void pixel_3(tm_map *map)
{
    set_pixel(map, 3, 1);
}
static void pixel_3_other(tm_map *map)
{
    set_pixel(map, 3, 2);
}
static void pixel_4(tm_map *map)
{
    set_pixel(map, 4, 1);
}
static void pixels_3_and_4(tm_map *map)
{
    set_pixel(map, 3, 1), set_pixel(map, 4, 1);
}

static void new_pixels(tm_map *map)
{
    const uint8_t pixels[32 * 16 * 4] = {1};
    assert_int_equal(tm_map_set_pixels(map, 1, pixels, 32, 16, NULL), TM_OK);
}

static void grow_right(tm_map *map)
{
    tm_map_resize_layer(map, 1, 1, WIDTH + 5, HEIGHT, 0, 0, NULL);
}
static void grow_left(tm_map *map)
{
    tm_map_resize_layer(map, 1, 1, WIDTH + 5, HEIGHT, 5, 0, NULL);
}
static void grow_sides(tm_map *map)
{
    tm_map_resize_layer(map, 1, 1, WIDTH + 10, HEIGHT, 5, 0, NULL);
}
static void grow_down(tm_map *map)
{
    tm_map_resize_layer(map, 1, 1, WIDTH, HEIGHT + 4, 0, 0, NULL);
}
static void grow_right_down(tm_map *map)
{
    tm_map_resize_layer(map, 1, 1, WIDTH + 5, HEIGHT + 4, 0, 0, NULL);
}
static void grow_right_more(tm_map *map)
{
    tm_map_resize_layer(map, 1, 1, WIDTH + 8, HEIGHT, 0, 0, NULL);
}
static void cut_right(tm_map *map)
{
    tm_map_resize_layer(map, 1, 1, 20, HEIGHT, 0, 0, NULL);
}

static void quad_0_twice(tm_map *map)
{
    tm_quad *quads, other;
    uint32_t num;
    quad_0_dark(map);
    assert_int_equal(tm_map_edit_quads(map, 0, 0, &quads, &num, NULL), TM_OK);
    other = quads[0];
    other.colors[0].r = 10;
    assert_int_equal(tm_map_insert_quads(map, 0, 0, 0, &other, 1, NULL), TM_OK);
}

static void settings_twice(tm_map *map)
{
    tm_map_set_text(map, &map->info.settings[0], "sv_a 2", NULL);
    tm_map_insert_setting(map, 1, "sv_a 3", NULL);
}

/* A change to the base: operations, one a line, then a function; either may be NULL. */
typedef struct version {
    const char *script;
    void (*change)(tm_map *map);
} version;

static tm_map *make_version(const version *of)
{
    tm_map *map = base_map();
    tm_edit_script *script;
    tm_error error;
    if (of->script) {
        if (tm_edit_script_from_text(&script, of->script, strlen(of->script), NULL, &error) ||
            tm_edit_script_run(map, script, NULL, NULL, &error))
            fail_msg("%s: %s: %s", of->script, error.place, error.text);
        tm_edit_script_free(script);
    }
    if (of->change)
        of->change(map);
    return map;
}

/* --------------------------------------------------------------------------------------------------------- merging */

static tm_map *merge(tm_conflicts **conflicts, const tm_map *base, const tm_map *ours, const tm_map *theirs,
                     const char *words, tm_take take)
{
    const tm_merge_rule rule = {words, take};
    tm_merge_options options = TM_MERGE_OPTIONS_INIT;
    tm_map *map;
    tm_error error;
    options.rules = &rule;
    options.num_rules = take != TM_TAKE_NOTHING;
    if (tm_map_merge(&map, conflicts, base, ours, theirs, &options, NULL, &error))
        fail_msg("%s: %s", error.place, error.text);
    assert_int_equal(tm_map_verify(map, NULL), TM_OK);
    return map;
}

static void print_conflicts(const tm_conflicts *conflicts)
{
    tm_conflict conflict;
    char line[300];
    for (uint32_t i = 0; tm_conflicts_at(conflicts, i, &conflict); i++) {
        tm_conflict_format(&conflict, line, sizeof(line));
        print_error("    %s (%s)\n", line, tm_take_name(conflict.take));
    }
}

typedef struct clean_merge {
    const char *what;
    version ours, theirs, result;
} clean_merge;

#define DO(script)   \
    {                \
        script, NULL \
    }
#define BY(change)   \
    {                \
        NULL, change \
    }
static const clean_merge clean_merges[] = {
    {"tiles of two layers", DO("fill Play/Deco@0,0+2x2 5"), DO("fill game@0,0+2x2 solid"),
     DO("fill Play/Deco@0,0+2x2 5\nfill game@0,0+2x2 solid")},
    {"disjoint tiles of one layer", DO("fill Play/Deco@0,0+2x2 5"), DO("fill Play/Deco@10,10+3x3 6"),
     DO("fill Play/Deco@0,0+2x2 5\nfill Play/Deco@10,10+3x3 6")},
    {"some equal tiles", DO("fill Play/Deco@0,0+4x4 5"),
     DO("fill Play/Deco@0,0+2x2 5\nfill Play/Deco@10,10+3x3 6"),
     DO("fill Play/Deco@0,0+4x4 5\nfill Play/Deco@10,10+3x3 6")},
    {"fields of one object", DO("set 0.offset.x=5"), DO("set 0.offset.y=6"),
     DO("set 0.offset.x=5 0.offset.y=6")},
    {"the same field alike", DO("set 0.offset.x=5"), DO("set 0.offset.x=5 info.author=Anna"),
     DO("set 0.offset.x=5 info.author=Anna")},
    {"a name and tiles", DO("rename Play/Deco Leaves"), DO("fill Play/Deco@0,0+2x2 5"),
     DO("fill Play/Deco@0,0+2x2 5\nrename Play/Deco Leaves")},
    {"moved and edited", DO("move Play/Deco 2/0"), DO("fill Play/Deco@0,0+2x2 5\nset 1/1.detail=true"),
     DO("fill Play/Deco@0,0+2x2 5\nset 1/1.detail=true\nmove Play/Deco 2/0")},
    {"two moves", DO("move Play/Deco 2/0"), DO("move Back 1"), DO("move Play/Deco 2/0\nmove Back 1")},
    {"new images, with layers that use them",
     DO("add image aa\nadd layer 2 tiles 5x5\nset 2/1.image=image/aa"),
     DO("add image bb\nset Play/Deco.image=image/bb"),
     DO("add image aa\nadd layer 2 tiles 5x5\nset 2/1.image=image/aa\nadd image bb\nset Play/Deco.image=image/bb")},
    {"new layers at one place", DO("add layer 2 tiles 5x5\nrename 2/1 Aa"),
     DO("add layer 2 tiles 6x6\nrename 2/1 Bb"),
     DO("add layer 2 tiles 5x5\nrename 2/1 Aa\nadd layer 2 tiles 6x6\nrename 2/2 Bb")},
    {"new groups with layers", DO("add group Aa\nadd layer Aa tiles 5x5"),
     DO("add group Bb\nadd layer Bb quads"),
     DO("add group Aa\nadd layer Aa tiles 5x5\nadd group Bb\nadd layer Bb quads")},
    {"the same addition", DO("add image aa\nadd group Aa\nadd layer Aa tiles 5x5\nset Aa/0.image=image/aa"),
     DO("add image aa\nadd group Aa\nadd layer Aa tiles 5x5\nset Aa/0.image=image/aa\nset 0.offset.x=5"),
     DO("add image aa\nadd group Aa\nadd layer Aa tiles 5x5\nset Aa/0.image=image/aa\nset 0.offset.x=5")},
    {"removed and something else", DO("remove Play/More"), DO("fill Play/Deco@0,0+2x2 5"),
     DO("fill Play/Deco@0,0+2x2 5\nremove Play/More")},
    {"both removed", DO("remove Play/More"), DO("remove Play/More Fore"), DO("remove Play/More Fore")},
    {"removed by one, used by the other", DO("clean images"), DO("set Play/Deco.image=image/unused"),
     DO("remove image/grass image/stone\nset Play/Deco.image=image/unused")},
    {"settings", DO("settings replace \"sv_a*\" \"sv_a 2\""), DO("settings add \"say d\""),
     DO("settings replace \"sv_a*\" \"sv_a 2\"\nsettings add \"say d\"")},
    {"settings at one place", DO("settings add \"say e\""), DO("settings add \"say d\""),
     DO("settings add \"say d\" \"say e\"")},
    {"the same command", DO("settings add \"say d\""), DO("settings add \"say d\" \"say f\""),
     DO("settings add \"say d\" \"say f\"")},
    {"a command removed", DO("settings remove \"tune*\""), DO("settings add \"say d\""),
     DO("settings remove \"tune*\"\nsettings add \"say d\"")},
    {"quads", BY(quad_0_red), BY(quad_1_red), BY(quads_0_and_1_red)},
    {"fields of a quad", BY(quad_0_red), BY(quad_0_late), BY(quad_0_red_and_late)},
    {"new quads", BY(quad_before), BY(quad_behind), BY(quads_around)},
    {"a quad removed", BY(no_quad_0), BY(quad_1_red), BY(red_and_no_quad_0)},
    {"points in their time", BY(point_at_300), BY(points_at_200_and_400), BY(points_at_200_to_400)},
    {"pixels", BY(pixel_3), BY(pixel_4), BY(pixels_3_and_4)},
    {"two edges", BY(grow_right), BY(grow_down), BY(grow_right_down)},
    {"opposite edges", BY(grow_right), BY(grow_left), BY(grow_sides)},
    {"tiles and an edge",
     DO("fill Play/Deco@0,0+2x2 5"),
     BY(grow_left),
     {"fill Play/Deco@0,0+2x2 5", grow_left}},
    {"tiles in what was added",
     {"fill Play/Deco@5,5+2x2 4", grow_right},
     {"fill Play/Deco@6,7+1x1 9", grow_left},
     {"fill Play/Deco@5,5+2x2 4\nfill Play/Deco@6,7+1x1 9", grow_sides}},
};

static bool merges_to(const clean_merge *of, const tm_map *base, const tm_map *ours, const tm_map *theirs,
                      const tm_map *expected)
{
    tm_conflicts *conflicts;
    tm_map *map = merge(&conflicts, base, ours, theirs, NULL, TM_TAKE_NOTHING);
    const bool fine = tm_conflicts_num(conflicts) == 0 && test_map_same(map, expected);
    if (!fine)
        print_error("%s\n", of->what);
    print_conflicts(conflicts);
    tm_conflicts_free(conflicts);
    tm_map_free(map);
    return fine;
}

static void what_does_not_touch_is_merged(void **state)
{
    (void)state;
    bool fine = true;
    for (size_t i = 0; i < sizeof(clean_merges) / sizeof(*clean_merges); i++) {
        const clean_merge *of = &clean_merges[i];
        tm_map *base = base_map(), *ours = make_version(&of->ours), *theirs = make_version(&of->theirs);
        tm_map *expected = make_version(&of->result);
        fine = merges_to(of, base, ours, theirs, expected) && fine;
        fine = merges_to(of, base, theirs, ours, expected) && fine;
        fine = merges_to(of, base, expected, ours, expected) && fine; /* nothing of it is done twice */
        fine = merges_to(of, base, theirs, expected, expected) && fine;
        tm_map_free(base);
        tm_map_free(ours);
        tm_map_free(theirs);
        tm_map_free(expected);
    }
    assert_true(fine);
}

/* Whoever writes a file only when there is something to tell must not lose what was merged. */
static void what_is_brought_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(clean_merges) / sizeof(*clean_merges); i++) {
        const clean_merge *of = &clean_merges[i];
        tm_map *base = base_map(), *ours = make_version(&of->ours), *theirs = make_version(&of->theirs), *map;
        tm_conflicts *conflicts;
        tm_report report;
        bool equal;
        tm_report_init(&report, NULL);
        assert_int_equal(tm_map_merge(&map, &conflicts, base, ours, theirs, NULL, &report, NULL), TM_OK);
        assert_int_equal(tm_map_equal(&equal, ours, map, NULL, 0, NULL), TM_OK);
        if (!equal && !report.num)
            fail_msg("%s: nothing is told", of->what);
        tm_report_release(&report);
        tm_conflicts_free(conflicts);
        tm_map_free(map);
        tm_map_free(base);
        tm_map_free(ours);
        tm_map_free(theirs);
    }
}

/* ------------------------------------------------------------------------------------------------------- conflicts */

/* What the map is like for each way of settling it; nothing stands for "as ours" without a conflict that is left. */
typedef struct conflict_case {
    tm_conflict_kind kind;
    version ours, theirs;
    const char *line; /* as merge(base, ours, theirs) tells it */
    version taken[4]; /* by tm_take */
    bool both_settles;
} conflict_case;

static const conflict_case conflict_cases[] = {
    {TM_CONFLICT_FIELD,
     DO("set 0.offset.x=5"),
     DO("set 0.offset.x=7"),
     "group 0 'Back': offset.x is 5 in ours, 7 in theirs, was 0",
     {DO("set 0.offset.x=5"), DO("set 0.offset.x=5"), DO("set 0.offset.x=7"), DO("set 0.offset.x=5")},
     false},
    {TM_CONFLICT_FIELD,
     DO("set info.author=Anna"),
     DO("set info.author=Bert"),
     "map: author is \"Anna\" in ours, \"Bert\" in theirs, was none",
     {DO("set info.author=Anna"), DO("set info.author=Anna"), DO("set info.author=Bert"),
      DO("set info.author=Anna")},
     false},
    {TM_CONFLICT_FIELD,
     DO("set Play/Deco.image=image/grass"),
     DO("set Play/Deco.image=image/stone"),
     "group 1, layer 1 'Deco': image is image/0 in ours, image/1 in theirs, was none",
     {DO("set Play/Deco.image=image/grass"), DO("set Play/Deco.image=image/grass"),
      DO("set Play/Deco.image=image/stone"), DO("set Play/Deco.image=image/grass")},
     false},
    {TM_CONFLICT_TILES,
     DO("fill Play/Deco@0,0+2x2 5"),
     DO("fill Play/Deco@1,1+2x2 6"),
     "group 1, layer 1 'Deco': both changed 1 tile at 1,1 1x1",
     {DO("fill Play/Deco@1,1+2x2 6\nfill Play/Deco@0,0+2x2 5"),
      DO("fill Play/Deco@1,1+2x2 6\nfill Play/Deco@0,0+2x2 5"),
      DO("fill Play/Deco@0,0+2x2 5\nfill Play/Deco@1,1+2x2 6"),
      DO("fill Play/Deco@1,1+2x2 6\nfill Play/Deco@0,0+2x2 5")},
     false},
    {TM_CONFLICT_TILES,
     DO("fill Play/Deco@3,3+1x1 air"),
     DO("fill Play/Deco@3,3+1x1 6"),
     "group 1, layer 1 'Deco': both changed 1 tile at 3,3 1x1",
     {DO("fill Play/Deco@3,3+1x1 air"), DO("fill Play/Deco@3,3+1x1 air"), DO("fill Play/Deco@3,3+1x1 6"),
      DO("fill Play/Deco@3,3+1x1 6")},
     true},
    {TM_CONFLICT_TILES,
     BY(cut_right),
     DO("fill Play/Deco@30,5+2x2 6\nfill Play/Deco@0,0+2x2 5"),
     "group 1, layer 1 'Deco': both changed 4 tiles at 30,5 2x2",
     {{"fill Play/Deco@0,0+2x2 5", cut_right},
      {"fill Play/Deco@0,0+2x2 5", cut_right},
      DO("fill Play/Deco@30,5+2x2 6\nfill Play/Deco@0,0+2x2 5"),
      DO("fill Play/Deco@30,5+2x2 6\nfill Play/Deco@0,0+2x2 5")},
     true},
    {TM_CONFLICT_SIZE,
     BY(grow_right),
     BY(grow_right_more),
     "group 1, layer 1 'Deco': 40 x 30 became 45 x 30 in ours, 48 x 30 in theirs",
     {BY(grow_right), BY(grow_right), BY(grow_right_more), BY(grow_right_more)},
     true},
    {TM_CONFLICT_PIXELS,
     BY(pixel_3),
     BY(pixel_3_other),
     "image 1 'stone': both changed 1 pixel at 3,0 1x1",
     {BY(pixel_3), BY(pixel_3), BY(pixel_3_other), BY(pixel_3)},
     false},
    {TM_CONFLICT_DATA,
     BY(pixel_3),
     BY(new_pixels),
     "image 1 'stone': both changed the pixels",
     {BY(pixel_3), BY(pixel_3), BY(new_pixels), BY(pixel_3)},
     false},
    {TM_CONFLICT_ELEMENT,
     BY(quad_0_red),
     BY(quad_0_dark),
     "group 0, layer 0 'Sky': quad 0 was changed by ours and changed by theirs",
     {BY(quad_0_red), BY(quad_0_red), BY(quad_0_dark), BY(quad_0_twice)},
     true},
    {TM_CONFLICT_ELEMENT,
     BY(quad_0_red),
     BY(no_quad_0),
     "group 0, layer 0 'Sky': quad 0 was changed by ours and removed by theirs",
     {BY(quad_0_red), BY(quad_0_red), BY(no_quad_0), BY(quad_0_red)},
     true},
    {TM_CONFLICT_SETTING,
     DO("settings replace \"sv_a*\" \"sv_a 2\""),
     DO("settings replace \"sv_a*\" \"sv_a 3\""),
     "settings: \"sv_a 1\" is \"sv_a 2\" in ours, \"sv_a 3\" in theirs",
     {DO("settings replace \"sv_a*\" \"sv_a 2\""), DO("settings replace \"sv_a*\" \"sv_a 2\""),
      DO("settings replace \"sv_a*\" \"sv_a 3\""), BY(settings_twice)},
     true},
    {TM_CONFLICT_SETTING,
     DO("settings add \"tune gravity 1\""),
     DO("settings add \"tune gravity 2\""),
     "settings: \"tune gravity 1\" in ours and \"tune gravity 2\" in theirs",
     {DO("settings add \"tune gravity 1\""), DO("settings add \"tune gravity 1\""),
      DO("settings add \"tune gravity 2\""), DO("settings add \"tune gravity 1\" \"tune gravity 2\"")},
     true},
    {TM_CONFLICT_REMOVED,
     DO("remove Play/Deco"),
     DO("fill Play/Deco@0,0+2x2 5"),
     "group 1, layer 1 'Deco' was removed by ours and changed by theirs",
     {DO("fill Play/Deco@0,0+2x2 5"), DO("remove Play/Deco"), DO("fill Play/Deco@0,0+2x2 5"),
      DO("fill Play/Deco@0,0+2x2 5")},
     true},
    {TM_CONFLICT_REMOVED,
     DO("rename image/grass meadow"),
     DO("remove image/grass"),
     "image 0 'grass' was removed by theirs and changed by ours",
     {DO("rename image/grass meadow"), DO("rename image/grass meadow"), DO("remove image/grass"),
      DO("rename image/grass meadow")},
     true},
    {TM_CONFLICT_REMOVED,
     DO("remove Fore"),
     DO("add layer Fore quads"),
     "group 2 'Fore' was removed by ours and changed by theirs",
     {DO("add layer Fore quads"), DO("remove Fore"), DO("add layer Fore quads"), DO("add layer Fore quads")},
     true},
    {TM_CONFLICT_REMOVED,
     DO("remove Fore"),
     DO("fill Fore/Top@8,8+2x2 5"),
     "group 2, layer 0 'Top' was removed by ours and changed by theirs",
     {DO("fill Fore/Top@8,8+2x2 5"), DO("remove Fore"), DO("fill Fore/Top@8,8+2x2 5"),
      DO("fill Fore/Top@8,8+2x2 5")},
     true},
    {TM_CONFLICT_REMOVED,
     DO("remove Back"),
     DO("move Fore/Top Back/1\nremove Fore"),
     "group 0 'Back' was removed by ours and changed by theirs",
     {DO("move Fore/Top Back/1\nremove Fore"), DO("remove Back"), DO("move Fore/Top Back/1\nremove Fore"),
      DO("move Fore/Top Back/1\nremove Fore")},
     true},
    {TM_CONFLICT_REMOVED,
     DO("fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nmove Fore/Top Back/1\nremove Fore"),
     DO("remove Back"),
     "group 0 'Back' was removed by theirs and changed by ours",
     {DO("fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nmove Fore/Top Back/1\nremove Fore"),
      DO("fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nmove Fore/Top Back/1\nremove Fore"),
      DO("fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nremove Back"),
      DO("fill Fore/Top@8,8+2x2 5\nset Fore/Top.color=#ff0000\nmove Fore/Top Back/1\nremove Fore")},
     true},
    {TM_CONFLICT_REMOVED,
     DO("remove Fore"),
     DO("fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nmove Back/Sky Fore/1\nremove Back"),
     "group 1 'Fore' was removed by ours and changed by theirs",
     {DO("fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nmove Back/Sky Fore/1\nremove Back"),
      DO("fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nremove Fore"),
      DO("fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nmove Back/Sky Fore/1\nremove Back"),
      DO("fill Play/More@8,8+2x2 5\nset Play/More.color=#ff0000\nmove Back/Sky Fore/1\nremove Back")},
     true},
    {TM_CONFLICT_PLACE,
     DO("move Play/Deco 0/0"),
     DO("move Play/Deco 2/0"),
     "group 0, layer 0 'Deco' was moved to 0/0 by ours and to 2/0 by theirs",
     {DO("move Play/Deco 0/0"), DO("move Play/Deco 0/0"), DO("move Play/Deco 2/0"), DO("move Play/Deco 0/0")},
     false},
    {TM_CONFLICT_ADDED,
     DO("add layer Play tele\nfill tele@1,1+1x1 tele-in:1"),
     DO("add layer Play tele\nfill tele@2,1+1x1 tele-in:1"),
     "group 1, layer 3 'Tele': both added a tele layer",
     {DO("add layer Play tele\nfill tele@1,1+1x1 tele-in:1"),
      DO("add layer Play tele\nfill tele@1,1+1x1 tele-in:1"),
      DO("add layer Play tele\nfill tele@2,1+1x1 tele-in:1"),
      DO("add layer Play tele\nfill tele@1,1+1x1 tele-in:1")},
     false},
};

static bool settles(const conflict_case *of, tm_take take, const tm_map *base, const tm_map *ours,
                    const tm_map *theirs)
{
    tm_conflicts *conflicts;
    tm_conflict conflict = {.kind = TM_CONFLICT_FIELD};
    char line[300] = "";
    tm_map *map = merge(&conflicts, base, ours, theirs, NULL, take),
           *expected = make_version(&of->taken[take]);
    const bool open = take == TM_TAKE_NOTHING || (take == TM_TAKE_BOTH && !of->both_settles);
    const bool one = tm_conflicts_num(conflicts) == 1 && tm_conflicts_at(conflicts, 0, &conflict);
    tm_conflict_format(&conflict, line, sizeof(line));
    const bool told = one && conflict.kind == of->kind && strcmp(line, of->line) == 0;
    const bool fine = told && tm_conflicts_num_open(conflicts) == open && test_map_same(map, expected);
    if (!fine) {
        print_error("%s, taking %s: %u open\n", of->line, tm_take_name(take),
                    tm_conflicts_num_open(conflicts));
        print_conflicts(conflicts);
    }
    tm_conflicts_free(conflicts);
    tm_map_free(map);
    tm_map_free(expected);
    return fine;
}

static void conflicts_are_told_and_settled(void **state)
{
    (void)state;
    bool fine = true;
    for (size_t i = 0; i < sizeof(conflict_cases) / sizeof(*conflict_cases); i++) {
        const conflict_case *of = &conflict_cases[i];
        tm_map *base = base_map(), *ours = make_version(&of->ours), *theirs = make_version(&of->theirs);
        for (int take = TM_TAKE_NOTHING; take <= TM_TAKE_BOTH; take++)
            fine = settles(of, (tm_take)take, base, ours, theirs) && fine;
        tm_map_free(base);
        tm_map_free(ours);
        tm_map_free(theirs);
    }
    assert_true(fine);
}

/* ------------------------------------------------------------------------------------------------------------ trouble */

/* Whatever fails, nothing comes out, and the three maps stay as they were. */
static void failing_memory_gives_nothing(void **state)
{
    (void)state;
    tm_map *base = base_map(),
           *ours =
               make_version(&(version)DO("fill Play/Deco@0,0+2x2 5\nsettings add \"sv_x 1\"\nadd group A"));
    tm_map *theirs = make_version(
        &(version){"fill Play/Deco@1,1+2x2 6\nsettings add \"sv_x 2\"\nremove Fore", quads_around});
    size_t tried = 0;
    for (size_t n = 1;; n++, tried++) {
        struct test_memory memory;
        tm_merge_options options = TM_MERGE_OPTIONS_INIT;
        tm_map *map;
        tm_conflicts *conflicts;
        test_memory_init(&memory);
        memory.fail_at = n;
        options.allocator = &memory.allocator;
        options.mark = true;
        const tm_status status = tm_map_merge(&map, &conflicts, base, ours, theirs, &options, NULL, NULL);
        assert_true(status == TM_OK || (!map && !conflicts));
        if (memory.failed)
            assert_int_equal(status, TM_ERROR_MEMORY);
        tm_conflicts_free(conflicts);
        tm_map_free(map);
        assert_int_equal(memory.num_blocks, 0);
        if (!memory.failed)
            break;
    }
    assert_true(tried > 20);
    tm_map_free(base);
    tm_map_free(ours);
    tm_map_free(theirs);
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
    tm_grid grid;
    assert_int_equal(tm_map_tiles(map, &map->groups[group].layers[layer], &grid, NULL), TM_OK);
    return ((const tm_tile *)grid.tiles)[y * grid.width + x].index;
}

/* Tiles as two layers, another change of a layer as theirs, other objects at the end, the rest as comments. */
static void open_conflicts_are_left_in_the_map(void **state)
{
    (void)state;
    const version changes[2] = {
        {"fill game@1,1+2x2 solid\nfill game@1,1+2x2 freeze\nset Back/Sky.detail=true\nrename image/grass a\nset "
         "Fore.offset.x=1\nrename Fore/Top a\nsettings replace \"sv_a*\" \"sv_a 2\"",
         quad_0_red},
        {"fill game@2,2+2x2 solid\nrename image/grass b\nset Fore.offset.x=2\nrename Fore/Top b\nsettings replace "
         "\"sv_a*\" \"sv_a 3\"",
         quad_0_dark}};
    tm_map *base = base_map(), *ours = make_version(&changes[0]), *theirs = make_version(&changes[1]), *map;
    tm_merge_options options = TM_MERGE_OPTIONS_INIT;
    tm_conflicts *conflicts;
    tm_conflict conflict;
    options.mark = true;
    assert_int_equal(tm_map_merge(&map, &conflicts, base, ours, theirs, &options, NULL, NULL), TM_OK);
    assert_int_equal(tm_map_verify(map, NULL), TM_OK);
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
    tm_conflicts_free(conflicts);
    tm_map_free(map);
    tm_map_free(base);
    tm_map_free(ours);
    tm_map_free(theirs);
}

static void rules_are_checked(void **state)
{
    (void)state;
    tm_map *map = base_map(), *out;
    tm_conflicts *conflicts;
    tm_error error;
    tm_merge_options options = TM_MERGE_OPTIONS_INIT;
    tm_merge_rule rule = {"nonsense", TM_TAKE_OURS};
    options.rules = &rule;
    options.num_rules = 1;
    assert_int_equal(tm_map_merge(&out, &conflicts, map, map, map, &options, NULL, &error), TM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "nonsense"));
    rule = (tm_merge_rule){NULL, (tm_take)9};
    assert_int_equal(tm_map_merge(&out, &conflicts, map, map, map, &options, NULL, &error), TM_ERROR_USAGE);
    options.rules = NULL;
    assert_int_equal(tm_map_merge(&out, &conflicts, map, map, map, &options, NULL, &error), TM_ERROR_USAGE);
    assert_null(out);
    assert_null(conflicts);
    tm_map_free(map);
}

/* What a map of another file gives to the result is sound when that file is gone. */
static void unchanged_sides_come_out_as_their_files(void **state)
{
    (void)state;
    const version changed = DO("fill Play/Deco@0,0+2x2 5\nadd image aa");
    tm_map *base = base_map(), *made = make_version(&changed);
    tm_buffer file = test_map_save(made, NULL);
    tm_map *side = test_map_load(&file, TM_MODE_GAME, NULL);
    for (int which = 0; which < 2; which++) {
        tm_conflicts *conflicts;
        tm_map *map =
            merge(&conflicts, base, which ? side : base, which ? base : side, NULL, TM_TAKE_NOTHING);
        tm_buffer again = test_map_save(map, NULL);
        assert_true(test_buffer_same(&file, &again));
        tm_buffer_release(&again);
        tm_conflicts_free(conflicts);
        tm_map_free(map);
    }
    tm_map_free(side);
    tm_map_free(made);
    tm_map_free(base);
    tm_buffer_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_does_not_touch_is_merged),
                                       cmocka_unit_test(what_is_brought_is_told),
                                       cmocka_unit_test(conflicts_are_told_and_settled),
                                       cmocka_unit_test(failing_memory_gives_nothing),
                                       cmocka_unit_test(open_conflicts_are_left_in_the_map),
                                       cmocka_unit_test(rules_are_checked),
                                       cmocka_unit_test(unchanged_sides_come_out_as_their_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
