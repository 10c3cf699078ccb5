/* SPDX-License-Identifier: Zlib */
/*
 * What a loader would say of a map in memory: the mistakes that generators make, and the same findings as when
 * the map is saved and its file loaded.
 */
#include "support/lib_odd.h"
#include "support/test.h"

/* ------------------------------------------------------------------------------------------ built maps */

/* One group with a game layer of 10 x 10 tiles. */
static tm_map *small_map(void)
{
    return test_map_of_layer(TM_LAYER_GAME, 10, 10);
}

static void forget_game_layer(tm_map *map)
{
    must(tm_map_remove_layer(map, 0, 0, NULL));
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_TILES, 10, 10, NULL));
}

static void add_small_tele(tm_map *map)
{
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_TELE, 5, 10, NULL));
}

static void paint_too_bright(tm_map *map)
{
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_TILES, 4, 4, NULL));
    map->groups[0].layers[1].as.tiles.color.r = 999;
}

static void set_skip_byte(tm_map *map)
{
    const tm_tile tile = {1, 0, 1, 0};
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){3, 3, 1, 1}, &tile, NULL));
}

static void do_nothing(tm_map *map)
{
    (void)map;
}

/* All of them are saved without a word, and DDNet 20.1 refuses the file. */
TEST(mistakes_of_generators_are_found)
{
    static const struct {
        void (*make)(tm_map *map);
        tm_finding_id id; /* TM_FINDING_NONE: nothing is wrong */
    } cases[] = {{do_nothing, TM_FINDING_NONE},
                 {forget_game_layer, TM_FINDING_NO_GAME_LAYER},
                 {add_small_tele, TM_FINDING_PHYSICS_TOO_SMALL},
                 {paint_too_bright, TM_FINDING_BAD_COLOR},
                 {set_skip_byte, TM_FINDING_GAME_LAYER_DATA}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const bool wrong = cases[i].id != TM_FINDING_NONE;
        OWN(tm_findings) findings = test_findings();
        tm_error error = {.code = TM_OK};
        OWN(tm_map) *map = small_map();
        cases[i].make(map);
        must(tm_map_verify(map, NULL));
        assert_int_equal(tm_mapfile_check(map, TM_MODE_STRICT, NULL, &findings, &error),
                         wrong ? TM_ERROR_DAMAGED : TM_OK);
        assert_int_equal(findings.refusals > 0, wrong);
        assert_int_equal(findings.num > 0, wrong);
        assert_true(!wrong || test_found(&findings, cases[i].id));
        assert_true(!wrong || error.text[0]);
        /* without a list the answer is the same */
        assert_int_equal(tm_mapfile_check(map, TM_MODE_STRICT, NULL, NULL, NULL),
                         wrong ? TM_ERROR_DAMAGED : TM_OK);
    }
}

/* `teemap check` called maps fine whose quads refer to envelopes that do not exist, or to one of another kind. */
TEST(references_inside_data_are_looked_at)
{
    OWN(tm_map) *map = small_map();
    tm_quad quads[3];
    tm_sound_source source = {.position_envelope = 1, .sound_envelope = TM_NONE};
    OWN(tm_findings) findings;
    for (uint32_t i = 0; i < 2; i++)
        must(tm_map_insert(map, TM_KIND_ENVELOPE, i, NULL));
    map->envelopes[0].channels = TM_ENVELOPE_POSITION;
    map->envelopes[1].channels = TM_ENVELOPE_COLOR;
    for (uint32_t i = 0; i < 3; i++)
        tm_quad_init(&quads[i], 0, 0, 32, 32);
    quads[0].position_envelope = 0; /* fine */
    quads[0].color_envelope = 1;
    quads[1].color_envelope = 288;
    quads[2].color_envelope = 0;
    quads[2].position_envelope = -7; /* none, to all games */
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_QUADS, 0, 0, NULL));
    must(tm_map_set_quads(map, 0, 1, quads, 1, NULL));
    must(tm_map_insert_layer(map, 0, 2, TM_LAYER_SOUNDS, 0, 0, NULL));
    must(tm_map_insert_layer(map, 0, 3, TM_LAYER_TILES, 4, 4, NULL));
    tm_findings_init(&findings, 0, NULL);
    must(tm_mapfile_check(map, TM_MODE_GAME, NULL, &findings, NULL));
    assert_int_equal(findings.num, 0);

    must(tm_map_set_quads(map, 0, 1, quads, 3, NULL));
    must(tm_mapfile_check(map, TM_MODE_GAME, NULL, &findings, NULL));
    const tm_finding *found = test_get_finding(&findings, TM_FINDING_BAD_REFERENCE);
    assert_non_null(found);
    assert_string_equal(found->address, "0/1");
    assert_string_equal(found->text, "quad 1: color_envelope is envelope 288, there are 2");
    found = test_get_finding(&findings, TM_FINDING_ENVELOPE_KIND);
    assert_non_null(found);
    assert_string_equal(found->text,
                        "quad 2: color_envelope is envelope 0, which is for positions, not for colors");
    tm_findings_release(&findings);

    must(tm_map_set_quads(map, 0, 1, quads, 1, NULL));
    must(tm_map_set_sources(map, 0, 2, &source, 1, NULL));
    map->groups[0].layers[3].as.tiles.color_envelope = 0;
    must(tm_mapfile_check(map, TM_MODE_GAME, NULL, &findings, NULL));
    assert_int_equal(findings.num, 2);
    assert_string_equal(
        findings.list[0].text,
        "sound source 0: position_envelope is envelope 1, which is for colors, not for positions");
    assert_string_equal(findings.list[1].text,
                        "color_envelope is envelope 0, which is for positions, not for colors");
    assert_string_equal(findings.list[1].address, "0/3");
}

TEST(what_breaks_the_rules_is_misuse)
{
    OWN(tm_map) *map = small_map();
    map->groups[0].layers[0].as.tiles.image = 3;
    assert_int_equal(tm_mapfile_check(map, TM_MODE_GAME, NULL, NULL, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_mapfile_check(NULL, TM_MODE_GAME, NULL, NULL, NULL), TM_ERROR_USAGE);
}

static void check_file(const tm_buffer *file, tm_mode mode, tm_findings *findings, tm_status *status)
{
    OWN(tm_map) *map;
    *status = test_map_try(&map, file, mode, findings, NULL);
    if (*status == TM_OK)
        *status = tm_mapfile_check_data(map, NULL, findings, NULL);
}

/* Where in the file something is differs, as blocks are packed quickly. */
static void assert_same_findings(const tm_findings *a, const tm_findings *b, const char *name, tm_mode mode)
{
    if (a->num != b->num)
        fail_msg("%s, mode %d: %zu findings, not %zu", name, (int)mode, a->num, b->num);
    for (size_t i = 0; i < a->num; i++) {
        const tm_finding *left = &a->list[i], *right = &b->list[i];
        if (left->id != right->id || left->severity != right->severity || left->count != right->count ||
            strcmp(left->address, right->address) != 0 || strcmp(left->text, right->text) != 0)
            fail_msg("%s, mode %d: '%s' (%s), not '%s' (%s)", name, (int)mode, left->text, left->address,
                     right->text, right->address);
    }
}

static void compare_with_file(const tm_map *map, const char *name)
{
    static const tm_mode modes[] = {TM_MODE_GAME, TM_MODE_STRICT, TM_MODE_SALVAGE};
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        OWN(tm_findings) ours = test_findings(), theirs = test_findings();
        tm_status status, wanted;
        check_file(&saved, modes[i], &theirs, &wanted);
        status = tm_mapfile_check(map, modes[i], NULL, &ours, NULL);
        assert_int_equal(status, wanted);
        assert_same_findings(&ours, &theirs, name, modes[i]);
    }
}

/* As it was loaded, and after a change. */
static void check_both(const tm_buffer *file, const char *name)
{
    tm_map *map;
    if (test_map_try(&map, file, TM_MODE_SALVAGE, NULL, NULL) != TM_OK)
        return;
    tm_map_free(map);
    if (test_map_try(&map, file, TM_MODE_GAME, NULL, NULL) != TM_OK)
        return;
    compare_with_file(map, name);
    uint32_t group, layer;
    const tm_tile tile = {1, 0, 3, 0};
    if (tm_map_find_layer(&group, &layer, map, TM_LAYER_TILES) &&
        tm_map_fill_tiles(map, group, layer, &(tm_rect){0, 0, 1, 1}, &tile, NULL) == TM_OK) {
        map->groups[group].layers[layer].as.tiles.color.g = -1;
        compare_with_file(map, name);
    }
    tm_map_free(map);
}

TEST(odd_maps_are_judged_as_their_files)
{
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        OWN(tm_buffer) file = test_odd_file(odd);
        check_both(&file, odd->name);
    }
    OWN(tm_buffer) museum = test_map_museum();
    check_both(&museum, "museum");
}

TEST(real_maps_are_judged_as_their_files)
{
    static const char *const names[] = {"ddnet06/Gold_Mine-98f7a9.map", "ddnet06/coverage-831c1a.map",
                                        "ddnet06/testmap-ba3f92.map", "vanilla05/dm1-0b0c48.map"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        OWN(tm_buffer) file = test_corpus_file(names[i]);
        check_both(&file, names[i]);
    }
}
