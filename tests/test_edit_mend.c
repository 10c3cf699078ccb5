/* SPDX-License-Identifier: Zlib */
/*
 * Repairs: what is odd about a map is fixed so that the strictest loader takes it, safe repairs show and play as before in game
 * mode, and what nothing can fix is said to be left.
 */
#include "map/map.h"
#include "support/lib_odd.h"

#include <teemap/edit.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Odd maps of which something stays that strict mode takes for more than a note: safe repairs alone, and all of them. */
static const struct {
    const char *name;
    bool visible; /* all repairs together fix it */
} left_over[] = {
    {"pre_2008", false},        {"short_items", false},
    {"two_channels", true},     {"points_that_go_back", true},
    {"color_of_256", true},     {"no_game_layer", false},
    {"two_game_layers", false}, {"empty_blocks", false},
    {"odd_images", false},      {"image_of_no_16_tiles", false},
};

static bool stays(const char *name, tm_fix_effect most)
{
    for (size_t i = 0; i < sizeof(left_over) / sizeof(left_over[0]); i++)
        if (strcmp(left_over[i].name, name) == 0)
            return most == TM_FIX_SAFE || !left_over[i].visible;
    return false;
}

static void collect(tm_findings *findings, const tm_buffer *file, tm_mode mode)
{
    tm_map *map;
    tm_error error;
    tm_findings_init(findings, 0, NULL);
    if (test_map_try(&map, file, mode, findings, &error) == TM_OK) {
        assert_int_equal(tm_mapfile_check_data(map, NULL, findings, NULL), TM_OK);
        tm_map_free(map);
    }
}

static size_t num_bad(const tm_findings *findings)
{
    size_t num = 0;
    for (size_t i = 0; i < findings->num; i++)
        num += findings->list[i].severity > TM_SEVERITY_NOTE;
    return num;
}

static tm_buffer save_laid_out(const tm_map *map)
{
    tm_buffer file = {0};
    tm_error error;
    const tm_output output = tm_output_to_buffer(&file);
    const tm_mapfile_save_options how = {.size = sizeof(how), .level = 1, .lay_out = true};
    const tm_status status = tm_mapfile_save(map, &output, &how, NULL, NULL, &error);
    if (status)
        fail_msg("saving: %s: %s", error.place, error.text);
    return file;
}

/* Fixes an odd map in two rounds, as some repairs show what else is wrong. */
static tm_map *fixed(const tm_buffer *file, tm_fix_effect most, tm_report *report)
{
    tm_error error;
    tm_findings findings;
    tm_map *map = test_map_load(file, TM_MODE_GAME, NULL);
    collect(&findings, file, TM_MODE_GAME);
    for (int round = 0; round < 2; round++) {
        const tm_status status = tm_edit_fix(map, &findings, most, report, &error);
        if (status)
            fail_msg("fixing: %s: %s", error.place, error.text);
        assert_int_equal(tm_map_verify(map, NULL), TM_OK);
        tm_findings_release(&findings);
        tm_buffer again = save_laid_out(map);
        collect(&findings, &again, TM_MODE_STRICT);
        tm_buffer_release(&again);
    }
    tm_findings_release(&findings);
    return map;
}

static void odd_maps_become_strict(void **state)
{
    (void)state;
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        for (tm_fix_effect most = TM_FIX_SAFE; most <= TM_FIX_VISIBLE; most++) {
            tm_findings left;
            tm_report report;
            tm_buffer file = test_odd_file(odd);
            tm_report_init(&report, NULL);
            tm_map *map = fixed(&file, most, &report);
            tm_buffer out = save_laid_out(map);
            collect(&left, &out, TM_MODE_STRICT);
            if ((num_bad(&left) > 0) != stays(odd->name, most)) {
                test_print_findings(&left);
                fail_msg("%s with repairs up to %d", odd->name, (int)most);
            }
            for (size_t k = 0; k < report.num; k++)
                assert_true(report.list[k].count > 0 && report.list[k].text[0]);
            tm_findings_release(&left);
            tm_report_release(&report);
            tm_map_free(map);
            tm_buffer_release(&out);
            tm_buffer_release(&file);
        }
    }
}

/* What was fixed needs no second repair, and a map in which nothing is wrong is left alone. */
static void fixing_ends(void **state)
{
    (void)state;
    tm_report report;
    tm_findings findings;
    tm_map *map = test_map_everything(TM_GAME_DDNET);
    tm_buffer before = test_map_save(map, NULL);
    collect(&findings, &before, TM_MODE_STRICT);
    tm_report_init(&report, NULL);
    const tm_group *groups = map->groups;
    assert_int_equal(tm_edit_fix(map, &findings, TM_FIX_VISIBLE, &report, NULL), TM_OK);
    assert_int_equal(report.num, 0);
    assert_ptr_equal(map->groups, groups); /* pointers into it are still good */
    tm_report_release(&report);
    tm_findings_release(&findings);
    tm_buffer_release(&before);
    tm_map_free(map);
}

/* The tiles that a game of another width plays are those that it played before. */
static void physics_play_as_before(void **state)
{
    (void)state;
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)); i++) {
        if (strcmp(odd->name, "tele_layer_of_other_sides") != 0)
            continue;
        tm_buffer file = test_odd_file(odd);
        tm_map *before = test_map_load(&file, TM_MODE_GAME, NULL), *after = fixed(&file, TM_FIX_SAFE, NULL);
        tm_grid a, b;
        uint32_t width, height;
        tm_map_area(before, &width, &height);
        assert_int_equal(
            tm_map_tiles(before, tm_map_physics_layer(before, TM_LAYER_TELE, NULL, NULL), &a, NULL), TM_OK);
        assert_int_equal(
            tm_map_tiles(after, tm_map_physics_layer(after, TM_LAYER_TELE, NULL, NULL), &b, NULL), TM_OK);
        assert_int_equal(b.width, width);
        assert_int_equal(b.height, height);
        assert_memory_equal(a.tiles, b.tiles, (size_t)width * height * b.tile_size);
        tm_map_free(before);
        tm_map_free(after);
        tm_buffer_release(&file);
        return;
    }
    fail_msg("the odd map is gone");
}

/* An object whose origin is taken away is written from the model alone, with its packed data. Its blocks once got lost. */
static void objects_without_origin_keep_their_data(void **state)
{
    (void)state;
    tm_map *made = test_map_everything(TM_GAME_DDNET);
    tm_buffer first = test_map_save(made, NULL);
    tm_map *map = test_map_load(&first, TM_MODE_STRICT, NULL),
           *copy = test_map_load(&first, TM_MODE_STRICT, NULL);
    const tm_origin none = {NULL, 0};
    map->info.origin = none;
    for (uint32_t i = 0; i < map->num_images; i++)
        map->images[i].origin = none;
    for (uint32_t i = 0; i < map->num_sounds; i++)
        map->sounds[i].origin = none;
    for (uint32_t i = 0; i < map->num_envelopes; i++)
        map->envelopes[i].origin = none;
    tm_layer_walk at = {0};
    while (tm_map_next_layer(map, &at))
        map->groups[at.group].layers[at.index].origin = none;
    tm_buffer second = save_laid_out(map);
    tm_map *again = test_map_load(&second, TM_MODE_STRICT, NULL);
    assert_true(test_map_same(copy, again));
    tm_map_free(made);
    tm_map_free(map);
    tm_map_free(copy);
    tm_map_free(again);
    tm_buffer_release(&first);
    tm_buffer_release(&second);
}

/* They stayed in the file, and nothing was said of them. */
static void optimizing_removes_pixels_that_nobody_reads(void **state)
{
    (void)state;
    const struct test_odd *odd;
    for (size_t i = 0; (odd = test_odd_at(i)) && strcmp(odd->name, "external_image_with_pixels") != 0; i++)
        ;
    tm_buffer file = test_odd_file(odd);
    tm_map *map = test_map_load(&file, TM_MODE_GAME, NULL);
    assert_non_null(map->images[0].pixels);
    assert_int_equal(tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL), TM_OK);
    assert_int_equal(tmi_map_insert_quads(map, 0, 0, 0,
                                          &(tm_quad){.position_envelope = TM_NONE, .color_envelope = TM_NONE},
                                          1, NULL),
                     TM_OK);
    map->groups[0].layers[0].as.quads.image = 0; /* else the image goes as a whole */
    assert_int_equal(tm_edit_run(map, tm_edit_find("optimize"), NULL, 0, NULL, NULL, NULL), TM_OK);
    assert_int_equal(map->num_images, 1);
    assert_null(map->images[0].pixels);
    tm_map_free(map);
    tm_buffer_release(&file);
}

/* Each row is for a finding that there is, and says what it does. */
static void repairs_are_known(void **state)
{
    (void)state;
    int num = 0;
    for (int id = 0; id < 1000; id++) {
        const char *how = "";
        const tm_fix_effect effect = tm_edit_fix_of((tm_finding_id)id, &how);
        assert_int_equal(effect == TM_FIX_NONE, !how);
        if (effect)
            assert_non_null(tm_finding_name((tm_finding_id)id));
        num += effect != TM_FIX_NONE;
    }
    assert_true(num > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_maps_become_strict),
        cmocka_unit_test(fixing_ends),
        cmocka_unit_test(physics_play_as_before),
        cmocka_unit_test(objects_without_origin_keep_their_data),
        cmocka_unit_test(optimizing_removes_pixels_that_nobody_reads),
        cmocka_unit_test(repairs_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
