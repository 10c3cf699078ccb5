/* SPDX-License-Identifier: Zlib */
/*
 * Patches of maps made by hand: each kind of change is told as what it is, narrowed, joined, undone; what does not fit a third map
 * is told and leaves it alone; damaged texts and failing memory.
 */
#include "support/lib_maps.h"
#include "support/memory.h"

#include <teemap/compare.h>
#include <teemap/tiles.h>

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 40, HEIGHT = 30 };

static tm_map *base_map(void)
{
    static const char *const settings[] = {"sv_a 1", "tune x 1", "sv_c 3"};
    tm_map *map;
    tm_quad quads[3];
    assert_int_equal(tm_map_new(&map, NULL, NULL), TM_OK);
    tm_map_insert(map, TM_OBJECT_IMAGE, 0, NULL);
    tm_map_insert(map, TM_OBJECT_IMAGE, 1, NULL);
    tm_map_set_text(map, &map->images[0].name, "grass", NULL);
    tm_map_set_text(map, &map->images[1].name, "stone", NULL);
    tm_map_insert(map, TM_OBJECT_ENVELOPE, 0, NULL);
    for (uint32_t g = 0; g < 3; g++)
        tm_map_insert(map, TM_OBJECT_GROUP, g, NULL);
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "Back");
    tm_map_set_name(map->groups[1].name, TM_NAME_SIZE, "Game");
    tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL);
    tm_map_insert_layer(map, 1, 0, TM_LAYER_GAME, WIDTH, HEIGHT, NULL);
    tm_map_insert_layer(map, 1, 1, TM_LAYER_TILES, WIDTH, HEIGHT, NULL);
    tm_map_set_name(map->groups[1].layers[1].name, TM_NAME_SIZE, "Deco");
    for (int i = 0; i < 3; i++)
        tm_quad_init(&quads[i], i * 64 * 1024, 0, 32 * 1024, 32 * 1024);
    tm_map_set_quads(map, 0, 0, quads, 3, NULL);
    tm_map_fill_tiles(map, 1, 0, 0, 20, WIDTH, 10, &(tm_tile){1, 0, 0, 0}, NULL);
    tm_map_fill_tiles(map, 1, 1, 3, 3, 9, 9, &(tm_tile){7, 0, 0, 0}, NULL);
    tm_map_set_settings(map, settings, 3, NULL);
    return map;
}

static tm_map *copy_of(const tm_map *map)
{
    tm_map *copy;
    assert_int_equal(tm_map_clone(&copy, map, NULL), TM_OK);
    return copy;
}

static tm_patch *patch_between(const tm_map *a, const tm_map *b)
{
    tm_patch *patch;
    assert_int_equal(tm_patch_make(&patch, a, b, NULL, NULL), TM_OK);
    return patch;
}

/* The only change. */
static tm_patch_change only_change(const tm_patch *patch)
{
    tm_patch_change change;
    assert_int_equal(tm_patch_num(patch), 1);
    assert_true(tm_patch_at(patch, 0, &change));
    assert_false(tm_patch_at(patch, 1, &(tm_patch_change){0}));
    return change;
}

static void becomes(const tm_map *from, const tm_patch *patch, const tm_map *to)
{
    tm_map *map = copy_of(from);
    assert_int_equal(tm_patch_apply(map, patch, NULL, NULL, NULL), TM_OK);
    assert_true(test_map_same(map, to));
    tm_map_free(map);
}

static void line_is(const tm_patch_change *change, const char *expected)
{
    char line[300];
    const size_t length = tm_patch_change_format(change, line, sizeof(line));
    assert_string_equal(line, expected);
    assert_int_equal(length, strlen(expected));
}

/* ---------------------------------------------------------------------------------------------------------- changes */

/* One change to a copy of the base map, and the line that tells it. */
typedef struct one_change {
    void (*change)(tm_map *map);
    tm_change_kind kind;
    const char *line;
} one_change;

static void insert_image(tm_map *map)
{
    tm_map_insert(map, TM_OBJECT_IMAGE, 0, NULL);
    tm_map_set_text(map, &map->images[0].name, "new", NULL);
}

static void rename_image(tm_map *map)
{
    tm_map_set_text(map, &map->images[1].name, "rock", NULL);
}

static void move_group(tm_map *map)
{
    tm_map_move(map, TM_OBJECT_GROUP, 0, 2, NULL);
}

static void paint(tm_map *map)
{
    tm_map_fill_tiles(map, 1, 1, 5, 5, 2, 2, &(tm_tile){9, 0, 0, 0}, NULL);
    tm_map_fill_tiles(map, 1, 1, 30, 20, 3, 1, &(tm_tile){9, 0, 0, 0}, NULL);
}

static void drop_quad(tm_map *map)
{
    tm_map_remove_quads(map, 0, 0, 1, 1, NULL);
}

static void add_setting(tm_map *map)
{
    tm_map_insert_setting(map, 1, "sv_b 2", NULL);
}

static void change_setting(tm_map *map)
{
    tm_map_set_text(map, &map->info.settings[1], "tune x 2", NULL);
}

static void grow(tm_map *map)
{
    tm_map_resize_layer(map, 1, 1, WIDTH + 10, HEIGHT + 5, 10, 5, NULL);
}

static void move_layer(tm_map *map)
{
    tm_map_move_layer(map, 1, 1, 2, 0, NULL);
}

static void shift_group(tm_map *map)
{
    map->groups[0].offset_x = 64;
}

static const one_change changes[] = {
    {insert_image, TM_CHANGE_ADDED, "image 0 'new' added"},
    {rename_image, TM_CHANGE_FIELD, "image 1 'rock': name \"stone\" -> \"rock\""},
    {move_group, TM_CHANGE_MOVED, "group 0 'Back' moved to 2"},
    {paint, TM_CHANGE_TILES, "group 1, layer 1 'Deco': 7 tiles in 2 places, first at 5,5 2x2"},
    {drop_quad, TM_CHANGE_ELEMENT, "group 0, layer 0: quad 1 removed"},
    {add_setting, TM_CHANGE_SETTING, "settings: + sv_b 2"},
    {change_setting, TM_CHANGE_SETTING, "settings: tune x 1 -> tune x 2"},
    {grow, TM_CHANGE_TILES, "group 1, layer 1 'Deco': 40 x 30 -> 50 x 35 with the old 0,0 at 10,5"},
    {move_layer, TM_CHANGE_MOVED, "group 1, layer 1 'Deco' moved to 2/0"},
    {shift_group, TM_CHANGE_FIELD, "group 0 'Back': offset.x 0 -> 64"},
};
enum { NUM_CHANGES = sizeof(changes) / sizeof(*changes) };

static void each_change_is_told_as_what_it_is(void **state)
{
    (void)state;
    tm_map *a = base_map();
    for (size_t i = 0; i < NUM_CHANGES; i++) {
        tm_map *b = copy_of(a);
        changes[i].change(b);
        tm_patch *patch = patch_between(a, b), *back;
        const tm_patch_change change = only_change(patch);
        assert_int_equal(change.kind, changes[i].kind);
        line_is(&change, changes[i].line);
        assert_int_equal(tm_patch_invert(&back, patch, NULL), TM_OK);
        becomes(a, patch, b);
        becomes(b, back, a);
        tm_patch_free(back);
        tm_patch_free(patch);
        tm_map_free(b);
    }
    tm_map_free(a);
}

/* Whatever is done to two maps, the pairs are the same from both sides, and so is the number of changes. */
static void matching_does_not_depend_on_the_side(void **state)
{
    (void)state;
    tm_map *a = base_map();
    for (size_t i = 0; i < NUM_CHANGES; i++) {
        for (size_t k = 0; k < NUM_CHANGES; k++) {
            tm_map *b = copy_of(a), *c = copy_of(a);
            changes[i].change(b);
            changes[k].change(c);
            tm_patch *there = patch_between(b, c), *back = patch_between(c, b), *turned;
            assert_int_equal(tm_patch_invert(&turned, there, NULL), TM_OK);
            assert_int_equal(tm_patch_num(turned), tm_patch_num(back));
            becomes(c, back, b);
            becomes(c, turned, b);
            tm_patch_free(there);
            tm_patch_free(back);
            tm_patch_free(turned);
            tm_map_free(b);
            tm_map_free(c);
        }
    }
    tm_map_free(a);
}

/* -------------------------------------------------------------------------------------------------------- narrowing */

static tm_map *all_changed(const tm_map *a)
{
    tm_map *b = copy_of(a);
    shift_group(b);
    paint(b);
    add_setting(b);
    drop_quad(b);
    rename_image(b);
    return b;
}

static uint32_t num_of(const tm_patch *patch, const tm_narrow_options *part)
{
    tm_patch *narrow;
    assert_int_equal(tm_patch_narrow(&narrow, patch, part, NULL), TM_OK);
    const uint32_t num = tm_patch_num(narrow);
    tm_patch_free(narrow);
    return num;
}

/*
 * A quad that refers to no envelope at all, by a number that used to stand for "the first new one": the change
 * was not seen. Files may hold any number there.
 */
static void numbers_that_lead_nowhere_are_no_new_objects(void **state)
{
    static const int32_t odd[] = {
        INT32_MIN, INT32_MIN + 1, INT32_MIN + 2, INT32_MIN / 2, INT32_MIN / 2 + 1, -2, 5};
    (void)state;
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        for (int32_t to = 0; to < 4; to++) {
            tm_map *a = base_map(), *b = copy_of(a);
            const tm_quad *quads;
            tm_quad own[3];
            uint32_t num;
            assert_int_equal(tm_map_quads(a, &a->groups[0].layers[0], &quads, &num, NULL), TM_OK);
            memcpy(own, quads, sizeof(own));
            for (int q = 0; q < 3; q++)
                own[q].position_envelope = odd[(i + (size_t)q) % 7];
            assert_int_equal(tm_map_set_quads(a, 0, 0, own, 3, NULL), TM_OK);
            assert_int_equal(tm_map_insert(b, TM_OBJECT_ENVELOPE, 1, NULL), TM_OK);
            b->envelopes[1].channels = TM_ENVELOPE_SOUND;
            assert_int_equal(tm_map_insert(b, TM_OBJECT_ENVELOPE, 2, NULL), TM_OK);
            b->envelopes[2].channels = TM_ENVELOPE_SOUND;
            own[0].position_envelope = to;
            own[2].position_envelope = 3 - to;
            assert_int_equal(tm_map_set_quads(b, 0, 0, own, 3, NULL), TM_OK);
            tm_patch *there = patch_between(a, b), *back = patch_between(b, a);
            becomes(a, there, b);
            becomes(b, back, a);
            tm_patch_free(there);
            tm_patch_free(back);
            tm_map_free(a);
            tm_map_free(b);
        }
    }
}

/* Layers of one name that were all edited stay what they are: nothing came, went or moved. */
static void edited_layers_of_one_name_stay_in_place(void **state)
{
    enum { LAYERS = 6 };
    tm_map *a = base_map(), *b;
    (void)state;
    for (uint32_t l = 0; l < LAYERS; l++) {
        assert_int_equal(tm_map_insert_layer(a, 2, l, TM_LAYER_TILES, WIDTH, HEIGHT, NULL), TM_OK);
        tm_map_set_name(a->groups[2].layers[l].name, TM_NAME_SIZE, "Tiles");
        tm_map_fill_tiles(a, 2, l, 0, 0, WIDTH, HEIGHT, &(tm_tile){(uint8_t)(9 + l), 0, 0, 0}, NULL);
    }
    b = copy_of(a);
    for (uint32_t l = 0; l < LAYERS; l++) /* most of it, so that likeness would mislead */
        tm_map_fill_tiles(b, 2, l, 0, 0, WIDTH, HEIGHT - 2,
                          &(tm_tile){(uint8_t)(9 + (l + 1) % LAYERS), 0, 0, 0}, NULL);
    tm_patch *patch = patch_between(a, b);
    tm_patch_change change;
    assert_int_equal(tm_patch_num(patch), LAYERS);
    for (uint32_t i = 0; tm_patch_at(patch, i, &change); i++) {
        assert_int_equal(change.kind, TM_CHANGE_TILES);
        assert_int_equal(change.before.layer, i);
        assert_int_equal(change.after.layer, i);
    }
    becomes(a, patch, b);
    tm_patch_free(patch);
    tm_map_free(a);
    tm_map_free(b);
}

static void words_and_rectangles_take_a_part(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        uint32_t num;
    } cases[] = {{NULL, 5},        {"settings", 1}, {"images", 1}, {"layers", 2},          {"groups", 1},
                 {"tiles", 1},     {"quads", 1},    {"design", 2}, {"physics", 0},         {"image/rock", 1},
                 {"Game/Deco", 1}, {"1", 1},        {"0", 2},      {"image/1,settings", 2}};
    tm_map *a = base_map(), *b = all_changed(a);
    tm_patch *patch = patch_between(a, b), *narrow;
    tm_error error;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tm_narrow_options part = TM_NARROW_OPTIONS_INIT;
        part.words = cases[i].words;
        if (num_of(patch, &part) != cases[i].num)
            fail_msg("'%s' gives %u changes", cases[i].words, (unsigned)num_of(patch, &part));
    }
    tm_narrow_options part = TM_NARROW_OPTIONS_INIT;
    part.words = "settings,nowhere";
    assert_int_equal(tm_patch_narrow(&narrow, patch, &part, &error), TM_ERROR_USAGE);
    assert_non_null(strstr(error.text, "nowhere"));
    part.words = NULL;
    part.has_region = true;
    part.x = 6;
    part.y = 0;
    part.width = 10;
    part.height = 10;
    assert_int_equal(tm_patch_narrow(&narrow, patch, &part, NULL), TM_OK);
    tm_patch_change change = only_change(narrow);
    assert_int_equal(change.num, 2); /* the right half of four tiles */
    assert_int_equal(change.regions[0].x, 6);
    tm_patch_free(narrow);
    tm_patch_free(patch);
    tm_map_free(a);
    tm_map_free(b);
}

static void parts_joined_are_the_whole(void **state)
{
    (void)state;
    tm_map *a = base_map(), *b = all_changed(a);
    tm_patch *patch = patch_between(a, b), *parts[4], *two, *three, *all, *other;
    tm_narrow_options part = TM_NARROW_OPTIONS_INIT;
    const char *const words[] = {"settings,images", "groups,quads"};
    for (int i = 0; i < 2; i++) {
        part.words = words[i];
        assert_int_equal(tm_patch_narrow(&parts[i], patch, &part, NULL), TM_OK);
    }
    part.words = "tiles";
    part.has_region = true;
    part.width = 6;
    part.height = HEIGHT;
    assert_int_equal(tm_patch_narrow(&parts[2], patch, &part, NULL), TM_OK);
    part.x = 4; /* what both have is taken once */
    part.width = WIDTH;
    assert_int_equal(tm_patch_narrow(&parts[3], patch, &part, NULL), TM_OK);
    assert_int_equal(tm_patch_join(&two, parts[3], parts[0], NULL), TM_OK);
    assert_int_equal(tm_patch_join(&three, parts[1], two, NULL), TM_OK);
    assert_int_equal(tm_patch_join(&all, three, parts[2], NULL), TM_OK);
    assert_int_equal(tm_patch_num(all), tm_patch_num(patch));
    becomes(a, all, b);
    other = patch_between(b, b);
    tm_map *grown = copy_of(a);
    insert_image(grown);
    tm_patch *alien = patch_between(a, grown);
    tm_patch *none;
    assert_int_equal(tm_patch_join(&none, patch, alien, NULL), TM_ERROR_USAGE);
    assert_null(none);
    tm_patch_free(alien);
    tm_map_free(grown);
    tm_patch_free(other);
    for (int i = 0; i < 4; i++)
        tm_patch_free(parts[i]);
    tm_patch_free(two);
    tm_patch_free(three);
    tm_patch_free(all);
    tm_patch_free(patch);
    tm_map_free(a);
    tm_map_free(b);
}

/* ------------------------------------------------------------------------------------------------------------ race */

static void the_referee_sees_what_acts(void **state)
{
    (void)state;
    static const struct {
        tm_tile was, is;
        bool race;
    } cases[] = {
        {{0, 0, 0, 0}, {1, 0, 0, 0}, true},   /* air, solid */
        {{0, 0, 0, 0}, {9, 0, 0, 0}, true},   /* freeze */
        {{1, 0, 0, 0}, {1, 4, 0, 0}, false},  /* solid, turned */
        {{0, 0, 0, 0}, {255, 0, 0, 0}, false} /* nothing that acts */
    };
    tm_narrow_options part = TM_NARROW_OPTIONS_INIT;
    part.race = true;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tm_map *a = base_map(), *b;
        tm_map_fill_tiles(a, 1, 0, 2, 2, 1, 1, &cases[i].was, NULL);
        b = copy_of(a);
        tm_map_fill_tiles(b, 1, 0, 2, 2, 1, 1, &cases[i].is, NULL);
        paint(b); /* decoration does not count */
        tm_patch *patch = patch_between(a, b);
        if (num_of(patch, &part) != cases[i].race)
            fail_msg("case %u", (unsigned)i);
        tm_patch_free(patch);
        tm_map_free(a);
        tm_map_free(b);
    }
}

/* A map with one row of teleporters: pairs of number and type, up to a type of 0. */
static tm_map *teleporters(const tm_tele_tile *tiles)
{
    tm_map *map = base_map();
    assert_int_equal(tm_map_insert_layer(map, 1, 1, TM_LAYER_TELE, WIDTH, HEIGHT, NULL), TM_OK);
    for (int32_t x = 0; tiles[x].type; x++)
        tm_map_fill_tiles(map, 1, 1, x, 3, 1, 1, &tiles[x], NULL);
    return map;
}

static void other_numbers_are_the_same_race(void **state)
{
    enum {
        IN = TM_TILE_TELE_IN,
        OUT = TM_TILE_TELE_OUT,
        CHECK = TM_TILE_TELE_CHECKPOINT,
        BACK = TM_TILE_TELE_CHECKPOINT_OUT
    };
    static const struct {
        const char *what;
        tm_tele_tile was[8], is[8];
        uint64_t told; /* tiles */
    } cases[] = {
        {"other numbers", {{1, IN}, {2, IN}, {1, OUT}, {2, OUT}}, {{7, IN}, {9, IN}, {7, OUT}, {9, OUT}}, 0},
        {"swapped", {{1, IN}, {2, IN}, {1, OUT}, {2, OUT}}, {{2, IN}, {1, IN}, {2, OUT}, {1, OUT}}, 0},
        {"some of them", {{1, IN}, {2, IN}, {1, OUT}, {2, OUT}}, {{5, IN}, {2, IN}, {5, OUT}, {2, OUT}}, 0},
        {"an exit left behind",
         {{1, IN}, {2, IN}, {1, OUT}, {2, OUT}},
         {{5, IN}, {2, IN}, {1, OUT}, {2, OUT}},
         1},
        {"two become one", {{1, IN}, {2, IN}, {1, OUT}, {2, OUT}}, {{2, IN}, {2, IN}, {2, OUT}, {2, OUT}}, 2},
        {"no number", {{1, IN}, {1, OUT}}, {{0, IN}, {0, OUT}}, 2},
        {"one comes besides", {{1, IN}, {1, OUT}}, {{3, IN}, {3, OUT}, {3, OUT}}, 1},
        {"one becomes another",
         {{1, IN}, {1, OUT}, {1, OUT}},
         {{3, IN}, {3, OUT}, {3, TM_TILE_TELE_IN_EVIL}},
         1},
        {"checkpoints have an order", {{1, CHECK}, {1, BACK}}, {{4, CHECK}, {4, BACK}}, 2},
        {"checkpoints beside others", {{1, IN}, {1, OUT}, {1, CHECK}}, {{2, IN}, {2, OUT}, {1, CHECK}}, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tm_map *a = teleporters(cases[i].was), *b = teleporters(cases[i].is), *other = base_map();
        tm_patch *patch = patch_between(a, b), *race;
        tm_narrow_options part = TM_NARROW_OPTIONS_INIT;
        tm_patch_change change = {0};
        part.race = true;
        assert_true(num_of(patch, &part) > 0); /* without the map nobody knows */
        part.before = other;                   /* nor by a map without teleporters */
        assert_true(num_of(patch, &part) > 0);
        part.before = a;
        assert_int_equal(tm_patch_narrow(&race, patch, &part, NULL), TM_OK);
        if (tm_patch_num(race) > 1 || (tm_patch_at(race, 0, &change) ? change.num : 0) != cases[i].told)
            fail_msg("%s: %u tiles are told", cases[i].what, (unsigned)change.num);
        tm_patch_free(race);
        tm_patch_free(patch);
        tm_map_free(a);
        tm_map_free(b);
        tm_map_free(other);
    }
}

/* ------------------------------------------------------------------------------------------------------- other maps */

static void a_third_map_takes_what_fits(void **state)
{
    (void)state;
    tm_map *a = base_map(), *b = all_changed(a), *c = copy_of(a), *was;
    tm_patch *patch = patch_between(a, b);
    tm_apply_options options = TM_APPLY_OPTIONS_INIT;
    tm_report report;
    tm_error error;
    /* objects stand elsewhere, and things were added: all fits */
    tm_map_insert(c, TM_OBJECT_GROUP, 0, NULL);
    tm_map_insert(c, TM_OBJECT_IMAGE, 0, NULL);
    tm_map_insert_setting(c, 0, "first", NULL);
    assert_int_equal(tm_patch_apply(c, patch, NULL, NULL, NULL), TM_OK);
    assert_string_equal(c->images[2].name, "rock");
    assert_int_equal(c->groups[1].offset_x, 64);
    assert_int_equal(c->info.num_settings, 5);
    assert_string_equal(c->info.settings[1], "sv_b 2"); /* by number: nothing else in the list has changed */
    assert_int_equal(c->groups[1].layers[0].as.quads.num_quads, 2);
    /* a second time nothing is as it was */
    was = copy_of(c);
    tm_report_init(&report, NULL);
    assert_int_equal(tm_patch_apply(c, patch, NULL, &report, &error), TM_ERROR_UNSUPPORTED);
    assert_true(report.findings.num >= 3);
    assert_true(test_map_same(c, was));
    assert_true(test_found(&report.findings, TM_FINDING_PATCH_VALUE));
    assert_true(test_found(&report.findings, TM_FINDING_PATCH_OBJECT));
    tm_report_release(&report);
    options.partial = true;
    assert_int_equal(tm_patch_apply(c, patch, &options, NULL, NULL), TM_OK);
    assert_int_equal(tm_map_verify(c, NULL), TM_OK);
    tm_map_free(was);
    tm_patch_free(patch);
    tm_map_free(a);
    tm_map_free(b);
    tm_map_free(c);
}

/* A group that got a layer since is not removed with it. */
static void nothing_is_lost_that_the_patch_does_not_know(void **state)
{
    (void)state;
    tm_map *a = base_map(), *b = copy_of(a), *c = copy_of(a);
    tm_map_remove(b, TM_OBJECT_GROUP, 0, NULL);
    tm_patch *patch = patch_between(a, b);
    becomes(a, patch, b);
    tm_map_insert_layer(c, 0, 1, TM_LAYER_TILES, 5, 5, NULL);
    tm_map *was = copy_of(c);
    assert_int_equal(tm_patch_apply(c, patch, NULL, NULL, NULL), TM_ERROR_UNSUPPORTED);
    assert_true(test_map_same(c, was));
    tm_map_free(was);
    tm_patch_free(patch);
    tm_map_free(a);
    tm_map_free(b);
    tm_map_free(c);
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

static tm_buffer json_of(const tm_patch *patch)
{
    tm_buffer text = {0};
    const tm_output output = tm_output_to_buffer(&text);
    assert_int_equal(tm_patch_write(patch, &output, NULL), TM_OK);
    return text;
}

/* Every cut and every changed byte of a patch is an error with a place, or another patch, but nothing worse. */
static void damaged_texts_are_refused(void **state)
{
    (void)state;
    tm_map *a = base_map(), *b = all_changed(a);
    tm_patch *patch = patch_between(a, b), *read;
    tm_buffer text = json_of(patch);
    tm_error error;
    for (size_t cut = 0; cut + 2 < text.size; cut += 1 + cut % 3) {
        assert_int_equal(tm_patch_read(&read, text.bytes, cut, NULL, &error), TM_ERROR_DAMAGED);
        assert_null(read);
        assert_true(error.text[0]);
    }
    for (size_t at = 0; at < text.size; at++) {
        const uint8_t was = text.bytes[at];
        text.bytes[at] = (uint8_t)(was ^ 1);
        if (tm_patch_read(&read, text.bytes, text.size, NULL, &error) == TM_OK) {
            tm_map *map = copy_of(a);
            if (tm_patch_apply(map, read, NULL, NULL, NULL) == TM_OK)
                assert_int_equal(tm_map_verify(map, NULL), TM_OK);
            tm_map_free(map);
        } else {
            assert_true(error.code == TM_ERROR_DAMAGED || error.code == TM_ERROR_LIMIT);
        }
        tm_patch_free(read);
        text.bytes[at] = was;
    }
    tm_buffer_release(&text);
    tm_patch_free(patch);
    tm_map_free(a);
    tm_map_free(b);
}

/* The later of two members of one name was taken, and nothing said. */
static void a_member_stands_there_once(void **state)
{
    (void)state;
    tm_map *a = base_map(), *b = all_changed(a);
    tm_patch *patch = patch_between(a, b), *read;
    tm_buffer text = json_of(patch), twice = {0};
    const tm_output output = tm_output_to_buffer(&twice);
    const char *const head = "{\"teemap_patch\": 1,";
    tm_error error;
    assert_int_equal(output.write(output.ctx, head, strlen(head), NULL), TM_OK);
    assert_int_equal(output.write(output.ctx, text.bytes + 1, text.size - 1, NULL), TM_OK);
    assert_int_equal(tm_patch_read(&read, twice.bytes, twice.size, NULL, &error), TM_ERROR_DAMAGED);
    assert_non_null(strstr(error.text, "a member of this name already"));
    tm_buffer_release(&text);
    tm_buffer_release(&twice);
    tm_patch_free(patch);
    tm_map_free(a);
    tm_map_free(b);
}

/* A short text that claims much is refused before memory is taken. */
static void limits_hold(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"teemap_patch\":1,\"sides\":[{\"images\":2000000000,\"sounds\":0,\"envelopes\":0,\"layers\":[],\"names\":{}},"
        "{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[],\"names\":{}}],\"pairs\":{},\"changes\":[]}",
        "{\"teemap_patch\":1,\"sides\":[{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[900000,900000],\"names\":{}},"
        "{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[],\"names\":{}}],\"pairs\":{},\"changes\":[]}",
        "{\"teemap_patch\":1,\"sides\":[{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[1],\"names\":{}},"
        "{\"images\":0,\"sounds\":0,\"envelopes\":0,\"layers\":[1],\"names\":{}}],\"pairs\":{\"layers\":[[0,0,1]]},\"changes\":["
        "{\"change\":\"grid\",\"list\":\"layers\",\"objects\":[0,0],\"owner\":\"tile_layer\",\"field\":\"tiles\",\"size\":[9,9,9,9],"
        "\"shift\":[0,0],\"bytes\":4,\"runs\":[[0,0,268435455,\"00000000\",\"01000000\"]]}]}"};
    tm_limits limits = TM_LIMITS_INIT;
    tm_patch_options options = TM_PATCH_OPTIONS_INIT;
    tm_patch *read;
    tm_error error;
    limits.unpacked_bytes = 1 << 20;
    options.limits = &limits;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        const tm_status status = tm_patch_read(&read, texts[i], strlen(texts[i]), &options, &error);
        if (status != TM_ERROR_LIMIT && status != TM_ERROR_DAMAGED)
            fail_msg("text %u: %s", (unsigned)i, tm_status_name(status));
        assert_null(read);
    }
}

/* ----------------------------------------------------------------------------------------------------------- memory */

/* Any allocation may fail: the map is as before, and nothing is left behind. */
static void failing_memory_changes_nothing(void **state)
{
    (void)state;
    tm_map *a = base_map(), *b = all_changed(a);
    tm_patch *patch, *back, *read;
    tm_buffer text;
    insert_image(b);
    move_layer(b);
    patch = patch_between(a, b);
    text = json_of(patch);
    for (size_t n = 1;; n++) {
        struct test_memory memory;
        tm_patch_options options = TM_PATCH_OPTIONS_INIT;
        tm_error error;
        test_memory_init(&memory);
        memory.fail_at = n;
        options.allocator = &memory.allocator;
        tm_status status = tm_patch_make(&back, a, b, &options, &error);
        tm_patch *turned = NULL;
        if (status == TM_OK)
            status = tm_patch_invert(&turned, back, &error);
        if (status == TM_OK)
            status = tm_patch_read(&read, text.bytes, text.size, &options, &error);
        else
            read = NULL;
        assert_true(status == TM_OK || status == TM_ERROR_MEMORY);
        tm_patch_free(turned);
        tm_patch_free(back);
        tm_patch_free(read);
        assert_int_equal(memory.num_blocks, 0);
        if (status == TM_OK)
            break;
    }
    tm_buffer_release(&text);
    tm_patch_free(patch);
    tm_map_free(a);
    tm_map_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_change_is_told_as_what_it_is),
        cmocka_unit_test(matching_does_not_depend_on_the_side),
        cmocka_unit_test(edited_layers_of_one_name_stay_in_place),
        cmocka_unit_test(numbers_that_lead_nowhere_are_no_new_objects),
        cmocka_unit_test(words_and_rectangles_take_a_part),
        cmocka_unit_test(parts_joined_are_the_whole),
        cmocka_unit_test(the_referee_sees_what_acts),
        cmocka_unit_test(other_numbers_are_the_same_race),
        cmocka_unit_test(a_third_map_takes_what_fits),
        cmocka_unit_test(nothing_is_lost_that_the_patch_does_not_know),
        cmocka_unit_test(damaged_texts_are_refused),
        cmocka_unit_test(a_member_stands_there_once),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(failing_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
