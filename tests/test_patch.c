/* SPDX-License-Identifier: Zlib */
/*
 * Patches of maps made by hand: each kind of change is told as what it is, narrowed, joined, undone; what does not fit a third map
 * is told and leaves it alone. test_patch_text.c has their JSON.
 */
#include "support/lib_edit.h"
#include "support/lib_patches.h"

/* The only change. */
static tm_patch_change only_change(const tm_patch *patch)
{
    tm_patch_change change;
    assert_int_equal(tm_patch_num(patch), 1);
    assert_true(tm_patch_at(&change, patch, 0));
    assert_false(tm_patch_at(&(tm_patch_change){0}, patch, 1));
    return change;
}

static void line_is(const tm_patch_change *change, const char *expected)
{
    char line[300];
    const size_t length = tm_patch_change_format(change, line, sizeof(line));
    assert_string_equal(line, expected);
    assert_int_equal(length, strlen(expected));
}

/* One change to a copy of the base map, and the line that tells it. */
typedef struct one_change {
    const char *script;
    tm_change_kind kind;
    const char *line;
} one_change;

static const one_change changes[] = {
    {"add image new\nmove image/new 0", TM_CHANGE_ADDED, "image 0 'new' added"},
    {"rename image/1 rock", TM_CHANGE_FIELD, "image 1 'rock': name \"stone\" -> \"rock\""},
    {"move Back 2", TM_CHANGE_MOVED, "group 2 'Back' moved, now after group 1"},
    {TEST_PATCH_PAINT, TM_CHANGE_TILES, "group 1, layer 1 'Deco': 7 tiles in 2 places, first at 5,5 2x2"},
    {"remove 0/0.quads[1]", TM_CHANGE_ELEMENT, "group 0, layer 0: quad 1 removed"},
    {"settings clear\nsettings add 'sv_a 1' 'sv_b 2' 'tune x 1' 'sv_c 3'", TM_CHANGE_SETTING,
     "settings: + sv_b 2"},
    {"settings replace tune* 'tune x 2'", TM_CHANGE_SETTING, "settings: tune x 1 -> tune x 2"},
    {"extend left 10 empty Game/Deco\nextend up 5 empty Game/Deco", TM_CHANGE_TILES,
     "group 1, layer 1 'Deco': 40 x 30 -> 50 x 35 with the old 0,0 at 10,5"},
    {"move Game/Deco 2/0", TM_CHANGE_MOVED, "group 2, layer 0 'Deco' moved here from group 1"},
    {"set 0.offset.x=64", TM_CHANGE_FIELD, "group 0 'Back': offset.x 0 -> 64"},
};
enum { NUM_CHANGES = sizeof(changes) / sizeof(*changes) };

TEST(each_change_is_told_as_what_it_is)
{
    OWN(tm_map) *a = test_patch_map();
    for (size_t i = 0; i < NUM_CHANGES; i++) {
        OWN(tm_map) *b = test_edited(a, changes[i].script);
        OWN(tm_patch) *patch = test_patch_between(a, b), *backward;
        const tm_patch_change change = only_change(patch);
        assert_int_equal(change.kind, changes[i].kind);
        line_is(&change, changes[i].line);
        must(tm_patch_invert(&backward, patch, NULL));
        test_patch_becomes(a, patch, b);
        test_patch_becomes(b, backward, a);
    }
}

/* Whatever is done to two maps, the pairs are the same from both sides, and so is the number of changes. */
TEST(matching_does_not_depend_on_the_side)
{
    OWN(tm_map) *a = test_patch_map();
    for (size_t i = 0; i < NUM_CHANGES; i++) {
        for (size_t k = 0; k < NUM_CHANGES; k++) {
            OWN(tm_map) *b = test_edited(a, changes[i].script), *c = test_edited(a, changes[k].script);
            OWN(tm_patch) *onward = test_patch_between(b, c), *backward = test_patch_between(c, b), *turned;
            must(tm_patch_invert(&turned, onward, NULL));
            assert_int_equal(tm_patch_num(turned), tm_patch_num(backward));
            test_patch_becomes(c, backward, b);
            test_patch_becomes(c, turned, b);
        }
    }
}

/* ------------------------------------------------------------------------------------------------ damaged data */

/* The last byte of the checksum of a layer's tiles in a file. */
static uint8_t *sum_of_tiles(tm_buffer *file, uint32_t group, uint32_t layer)
{
    tm_map *map = test_map_load(file, TM_MODE_STRICT, NULL);
    const tm_block_info info = tm_block_get_info(map->groups[group].layers[layer].as.tiles.tiles);
    tm_datafile_data data;
    assert_true(tm_datafile_get_data(&data, tm_mapfile_datafile(map), (uint32_t)info.data_index));
    tm_map_free(map);
    return file->bytes + data.offset + data.packed_size - 1;
}

static tm_status patch_of_files(tm_patch **out, const tm_buffer files[2], tm_mode mode, tm_error *error)
{
    OWN(tm_map) *a = test_map_load(&files[0], mode, NULL), *b = test_map_load(&files[1], mode, NULL);
    return tm_patch_make(out, a, b, NULL, error);
}

/* Checksums are looked at together when two blocks are compared: a wrong one counts as it does for one alone. */
TEST(wrong_checksums_are_seen_on_both_sides)
{
    OWN(tm_map) *a = test_patch_map(), *b = test_edited(a, TEST_PATCH_PAINT);
    for (int side = 0; side < 4; side++) {
        tm_buffer files[2] = {test_map_save(a, NULL), test_map_save(side < 2 ? b : a, NULL)};
        OWN(tm_patch) *patch;
        tm_error error;
        *sum_of_tiles(&files[side % 2], 1, 1) ^= 1;
        assert_int_equal(patch_of_files(&patch, files, TM_MODE_STRICT, &error), TM_ERROR_DAMAGED);
        assert_null(patch);
        assert_non_null(strstr(error.text, "the checksum is wrong"));
        must(patch_of_files(&patch, files, TM_MODE_GAME, &error));
        assert_int_equal(tm_patch_num(patch), side < 2);
        if (side < 2) {
            const tm_patch_change change = only_change(patch);
            line_is(&change, changes[3].line);
        }
        tm_buffer_release(&files[0]);
        tm_buffer_release(&files[1]);
    }
}

/* -------------------------------------------------------------------------------------------------------- narrowing */

static uint32_t num_of(const tm_patch *patch, const tm_filter_options *part)
{
    OWN(tm_patch) *narrow;
    must(tm_patch_filter(&narrow, patch, part, NULL));
    return tm_patch_num(narrow);
}

/*
 * A quad that refers to no envelope at all, by a number that used to stand for "the first new one": the change
 * was not seen. Files may hold any number there.
 */
TEST(numbers_that_lead_nowhere_are_no_new_objects)
{
    static const int32_t odd[] = {
        INT32_MIN, INT32_MIN + 1, INT32_MIN + 2, INT32_MIN / 2, INT32_MIN / 2 + 1, -2, 5};
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        for (int32_t to = 0; to < 4; to++) {
            OWN(tm_map) *a = test_patch_map(), *b = test_map_clone(a);
            tm_quad own_quads[3];
            const tm_quad *quads = test_quads(a, &a->groups[0].layers[0]);
            memcpy(own_quads, quads, sizeof(own_quads));
            for (int q = 0; q < 3; q++)
                own_quads[q].position_envelope = odd[(i + (size_t)q) % 7];
            must(tm_map_set_quads(a, 0, 0, own_quads, 3, NULL));
            must(tm_map_insert(b, TM_KIND_ENVELOPE, 1, NULL));
            b->envelopes[1].channels = TM_ENVELOPE_SOUND;
            must(tm_map_insert(b, TM_KIND_ENVELOPE, 2, NULL));
            b->envelopes[2].channels = TM_ENVELOPE_SOUND;
            own_quads[0].position_envelope = to;
            own_quads[2].position_envelope = 3 - to;
            must(tm_map_set_quads(b, 0, 0, own_quads, 3, NULL));
            OWN(tm_patch) *onward = test_patch_between(a, b), *backward = test_patch_between(b, a);
            test_patch_becomes(a, onward, b);
            test_patch_becomes(b, backward, a);
        }
    }
}

/* Layers of one name that were all edited stay what they are: nothing came, went or moved. */
TEST(edited_layers_of_one_name_stay_in_place)
{
    enum { LAYERS = 6 };
    OWN(tm_map) *a = test_patch_map(), *b;
    for (uint32_t l = 0; l < LAYERS; l++) {
        must(tm_map_insert_layer(a, 2, l, TM_LAYER_TILES, TEST_PATCH_WIDTH, TEST_PATCH_HEIGHT, NULL));
        tm_map_set_name(a->groups[2].layers[l].name, TM_NAME_SIZE, "Tiles");
        tm_map_fill_tiles(a, 2, l, &(tm_rect){0, 0, TEST_PATCH_WIDTH, TEST_PATCH_HEIGHT},
                          &(tm_tile){(uint8_t)(9 + l), 0, 0, 0}, NULL);
    }
    b = test_map_clone(a);
    for (uint32_t l = 0; l < LAYERS; l++) /* most of it, so that likeness would mislead */
        tm_map_fill_tiles(b, 2, l, &(tm_rect){0, 0, TEST_PATCH_WIDTH, TEST_PATCH_HEIGHT - 2},
                          &(tm_tile){(uint8_t)(9 + (l + 1) % LAYERS), 0, 0, 0}, NULL);
    OWN(tm_patch) *patch = test_patch_between(a, b);
    tm_patch_change change;
    assert_int_equal(tm_patch_num(patch), LAYERS);
    for (uint32_t i = 0; tm_patch_at(&change, patch, i); i++) {
        assert_int_equal(change.kind, TM_CHANGE_TILES);
        assert_int_equal(change.before.layer, i);
        assert_int_equal(change.after.layer, i);
    }
    test_patch_becomes(a, patch, b);
}

TEST(words_and_rectangles_take_a_part)
{
    static const struct {
        const char *words;
        uint32_t num;
    } cases[] = {
        {NULL, 6},         {"settings", 1},         {"images", 1},
        {"layers", 2},     {"groups", 2},           {"tiles", 1},
        {"quads", 1},      {"design", 2},           {"physics", 0},
        {"image/rock", 1}, {"Game/Deco", 1},        {"1", 1},
        {"0", 3},          {"image/1,settings", 2}, {"4-", 3}}; /* a name, which was read as a range */
    OWN(tm_map) *a = test_patch_map(), *b = test_edited(a, "rename Back 4-\n" TEST_PATCH_SEVERAL);
    OWN(tm_patch) *patch = test_patch_between(a, b), *narrow;
    tm_error error;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tm_filter_options part = {.size = sizeof(part), .words = cases[i].words};
        if (num_of(patch, &part) != cases[i].num)
            fail_msg("'%s' gives %u changes", cases[i].words, (unsigned)num_of(patch, &part));
    }
    tm_filter_options part = {.size = sizeof(part), .words = "settings,nowhere"};
    fails(TM_ERROR_USAGE, "nowhere", tm_patch_filter(&narrow, patch, &part, &error));
    part.words = NULL;
    part.region = (tm_rect){6, 0, 10, 10};
    must(tm_patch_filter(&narrow, patch, &part, NULL));
    tm_patch_change change = only_change(narrow);
    assert_int_equal(change.num, 2); /* the right half of four tiles */
    assert_int_equal(change.regions[0].rect.x, 6);
}

TEST(parts_joined_are_the_whole)
{
    OWN(tm_map) *a = test_patch_map(), *b = test_edited(a, TEST_PATCH_SEVERAL);
    tm_patch *patch = test_patch_between(a, b), *parts[4], *two, *three, *whole, *other;
    tm_filter_options part = TM_FILTER_OPTIONS_INIT;
    const char *const words[] = {"settings,images", "groups,quads"};
    for (int i = 0; i < 2; i++) {
        part.words = words[i];
        must(tm_patch_filter(&parts[i], patch, &part, NULL));
    }
    part.words = "tiles";
    part.region = (tm_rect){0, 0, 6, TEST_PATCH_HEIGHT};
    must(tm_patch_filter(&parts[2], patch, &part, NULL));
    part.region.x = 4; /* what both have is taken once */
    part.region.width = TEST_PATCH_WIDTH;
    must(tm_patch_filter(&parts[3], patch, &part, NULL));
    must(tm_patch_union(&two, parts[3], parts[0], NULL));
    must(tm_patch_union(&three, parts[1], two, NULL));
    must(tm_patch_union(&whole, three, parts[2], NULL));
    assert_int_equal(tm_patch_num(whole), tm_patch_num(patch));
    test_patch_becomes(a, whole, b);
    other = test_patch_between(b, b);
    OWN(tm_map) *grown = test_edited(a, "add image new\nmove image/new 0");
    OWN(tm_patch) *alien = test_patch_between(a, grown);
    tm_patch *empty;
    assert_int_equal(tm_patch_union(&empty, patch, alien, NULL), TM_ERROR_USAGE);
    assert_null(empty);
    tm_patch_free(other);
    for (int i = 0; i < 4; i++)
        tm_patch_free(parts[i]);
    tm_patch_free(two);
    tm_patch_free(three);
    tm_patch_free(whole);
    tm_patch_free(patch);
}

TEST(the_referee_sees_what_acts)
{
    static const struct {
        tm_tile was, is;
        bool race;
    } cases[] = {
        {{0, 0, 0, 0}, {1, 0, 0, 0}, true},   /* air, solid */
        {{0, 0, 0, 0}, {9, 0, 0, 0}, true},   /* freeze */
        {{1, 0, 0, 0}, {1, 4, 0, 0}, false},  /* solid, turned */
        {{0, 0, 0, 0}, {255, 0, 0, 0}, true}, /* no game knows it: DDNet++ had its survival tiles at 177 */
        {{177, 0, 0, 0}, {177, 1, 0, 0}, false}, {{0, 0, 0, 0}, {0, 1, 0, 0}, false}, /* air, turned */
    };
    tm_filter_options part = {.size = sizeof(part), .race = true};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        OWN(tm_map) *a = test_patch_map(), *b;
        tm_map_fill_tiles(a, 1, 0, &(tm_rect){2, 2, 1, 1}, &cases[i].was, NULL);
        b = test_map_clone(a);
        tm_map_fill_tiles(b, 1, 0, &(tm_rect){2, 2, 1, 1}, &cases[i].is, NULL);
        test_edit_does(b, TEST_PATCH_PAINT); /* decoration does not count */
        OWN(tm_patch) *patch = test_patch_between(a, b);
        if (num_of(patch, &part) != cases[i].race)
            fail_msg("case %u", (unsigned)i);
    }
}

/* A map with one row of teleporters: pairs of number and type, up to a type of 0. */
static tm_map *teleporters(const tm_tele_tile *tiles)
{
    tm_map *map = test_patch_map();
    must(tm_map_insert_layer(map, 1, 1, TM_LAYER_TELE, TEST_PATCH_WIDTH, TEST_PATCH_HEIGHT, NULL));
    for (int32_t x = 0; tiles[x].type; x++)
        tm_map_fill_tiles(map, 1, 1, &(tm_rect){x, 3, 1, 1}, &tiles[x], NULL);
    return map;
}

TEST(other_numbers_are_the_same_race)
{
    enum {
        IN = TM_TILE_TELE_IN,
        OUT = TM_TILE_TELE_OUT,
        CHECK = TM_TILE_TELE_CHECKPOINT,
        BACK = TM_TILE_TELE_CHECKPOINT_OUT
    };
    static const struct {
        const char *description;
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
        {"one test_patch_becomes another",
         {{1, IN}, {1, OUT}, {1, OUT}},
         {{3, IN}, {3, OUT}, {3, TM_TILE_TELE_IN_EVIL}},
         1},
        {"checkpoints have an order", {{1, CHECK}, {1, BACK}}, {{4, CHECK}, {4, BACK}}, 2},
        {"checkpoints beside others", {{1, IN}, {1, OUT}, {1, CHECK}}, {{2, IN}, {2, OUT}, {1, CHECK}}, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        OWN(tm_map) *a = teleporters(cases[i].was), *b = teleporters(cases[i].is), *other = test_patch_map();
        OWN(tm_patch) *patch = test_patch_between(a, b), *race;
        tm_filter_options part = TM_FILTER_OPTIONS_INIT;
        tm_patch_change change = {0};
        part.race = true;
        assert_true(num_of(patch, &part) > 0); /* without the map nobody knows */
        part.before = other;                   /* nor by a map without teleporters */
        assert_true(num_of(patch, &part) > 0);
        part.before = a;
        must(tm_patch_filter(&race, patch, &part, NULL));
        if (tm_patch_num(race) > 1 || (tm_patch_at(&change, race, 0) ? change.num : 0) != cases[i].told)
            fail_msg("%s: %u tiles are told", cases[i].description, (unsigned)change.num);
    }
}

/* ------------------------------------------------------------------------------------------------------- other maps */

TEST(a_third_map_takes_what_fits)
{
    OWN(tm_map) *a = test_patch_map(), *b = test_edited(a, TEST_PATCH_SEVERAL), *c = test_map_clone(a), *was;
    OWN(tm_patch) *patch = test_patch_between(a, b);
    tm_apply_options options = TM_APPLY_OPTIONS_INIT;
    OWN(tm_report) report;
    tm_error error;
    /* objects stand elsewhere, and things were added: all fits */
    tm_map_insert(c, TM_KIND_GROUP, 0, NULL);
    tm_map_insert(c, TM_KIND_IMAGE, 0, NULL);
    tm_map_insert_setting(c, 0, "first", NULL);
    must(tm_patch_apply(c, patch, NULL, NULL, NULL));
    assert_string_equal(c->images[2].name, "rock");
    assert_int_equal(c->groups[1].offset_x, 64);
    assert_int_equal(c->info.num_settings, 5);
    assert_string_equal(c->info.settings[1], "sv_b 2"); /* by number: nothing else in the list has changed */
    assert_int_equal(c->groups[1].layers[0].as.quads.num_quads, 2);
    /* a second time nothing is as it was */
    was = test_map_clone(c);
    tm_report_init(&report, NULL);
    assert_int_equal(tm_patch_apply(c, patch, NULL, &report, &error), TM_ERROR_UNSUPPORTED);
    assert_true(report.findings.num >= 3);
    assert_true(test_map_same(c, was));
    assert_true(test_found(&report.findings, TM_FINDING_PATCH_VALUE));
    assert_true(test_found(&report.findings, TM_FINDING_PATCH_OBJECT));
    options.partial = true;
    must(tm_patch_apply(c, patch, &options, NULL, NULL));
    must(tm_map_verify(c, NULL));
}

/* A group that got a layer since is not removed with it. */
TEST(nothing_is_lost_that_the_patch_does_not_know)
{
    OWN(tm_map) *a = test_patch_map(), *b = test_map_clone(a), *c = test_map_clone(a);
    tm_map_remove(b, TM_KIND_GROUP, 0, NULL);
    OWN(tm_patch) *patch = test_patch_between(a, b);
    test_patch_becomes(a, patch, b);
    tm_map_insert_layer(c, 0, 1, TM_LAYER_TILES, 5, 5, NULL);
    OWN(tm_map) *was = test_map_clone(c);
    assert_int_equal(tm_patch_apply(c, patch, NULL, NULL, NULL), TM_ERROR_UNSUPPORTED);
    assert_true(test_map_same(c, was));
}
