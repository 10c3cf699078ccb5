/* SPDX-License-Identifier: Zlib */
/* See lib_versions.h. */
#include "lib_versions.h"

#include "test.h"
#include "map/map.h"

tm_map *test_merge_base(void)
{
    static const char *const settings[] = {"sv_a 1", "tune x 1", "say c"};
    const tm_envelope_point points[3] = {{.time = 0}, {.time = 1000}, {.time = 2000}};
    const uint8_t pixels[16 * 16 * 4] = {0};
    tm_quad quads[4];
    tm_map *map = test_map_new();
    map->game = TM_GAME_DDNET;
    for (uint32_t i = 0; i < 3; i++)
        tm_map_insert(map, TM_OBJECT_IMAGE, i, NULL);
    tm_map_set_text(map, &map->images[0].name, "grass", NULL);
    tm_map_set_text(map, &map->images[1].name, "stone", NULL);
    tm_map_set_text(map, &map->images[2].name, "unused", NULL);
    must(tm_map_set_pixels(map, 1, pixels, 16, 16, NULL));
    tm_map_insert(map, TM_OBJECT_ENVELOPE, 0, NULL);
    must(tm_map_set_points(map, 0, points, 3, NULL));
    for (uint32_t g = 0; g < 3; g++)
        tm_map_insert(map, TM_OBJECT_GROUP, g, NULL);
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "Back");
    tm_map_set_name(map->groups[1].name, TM_NAME_SIZE, "Play");
    tm_map_set_name(map->groups[2].name, TM_NAME_SIZE, "Fore");
    tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL);
    tm_map_set_name(map->groups[0].layers[0].name, TM_NAME_SIZE, "Sky");
    tm_map_insert_layer(map, 1, 0, TM_LAYER_GAME, TEST_MERGE_WIDTH, TEST_MERGE_HEIGHT, NULL);
    tm_map_insert_layer(map, 1, 1, TM_LAYER_TILES, TEST_MERGE_WIDTH, TEST_MERGE_HEIGHT, NULL);
    tm_map_insert_layer(map, 1, 2, TM_LAYER_TILES, TEST_MERGE_WIDTH, TEST_MERGE_HEIGHT, NULL);
    tm_map_insert_layer(map, 2, 0, TM_LAYER_TILES, 20, 20, NULL);
    tm_map_set_name(map->groups[1].layers[1].name, TM_NAME_SIZE, "Deco");
    tm_map_set_name(map->groups[1].layers[2].name, TM_NAME_SIZE, "More");
    tm_map_set_name(map->groups[2].layers[0].name, TM_NAME_SIZE, "Top");
    for (int i = 0; i < 4; i++)
        tm_quad_init(&quads[i], i * 64 * 1024, 0, 32 * 1024, 32 * 1024);
    tm_map_set_quads(map, 0, 0, quads, 4, NULL);
    tm_map_fill_tiles(map, 1, 0, 0, 20, TEST_MERGE_WIDTH, 10, &(tm_tile){1, 0, 0, 0}, NULL);
    tm_map_fill_tiles(map, 1, 1, 3, 3, 9, 9, &(tm_tile){7, 0, 0, 0}, NULL);
    tm_map_fill_tiles(map, 1, 2, 30, 2, 5, 5, &(tm_tile){8, 0, 0, 0}, NULL);
    tm_map_fill_tiles(map, 2, 0, 1, 1, 4, 4, &(tm_tile){9, 0, 0, 0}, NULL);
    tm_map_set_settings(map, settings, 3, NULL);
    return map;
}

#define CHANGE(name, ...)  \
    void name(tm_map *map) \
    {                      \
        __VA_ARGS__;       \
    }

static void quad_color(tm_map *map, uint32_t quad, int32_t red)
{
    tm_quad *quads = test_edit_quads(map, 0, 0);
    quads[quad].colors[0].r = red;
}

CHANGE(test_quad_0_red, quad_color(map, 0, 10))
CHANGE(test_quad_0_dark, quad_color(map, 0, 20))
CHANGE(test_quad_1_red, quad_color(map, 1, 10))
CHANGE(test_quads_0_and_1_red, quad_color(map, 0, 10), quad_color(map, 1, 10))
CHANGE(test_no_quad_0, tmi_map_remove_quads(map, 0, 0, 0, 1, NULL))

void test_quad_0_late(tm_map *map)
{
    tm_quad *quads = test_edit_quads(map, 0, 0);
    quads[0].color_offset = 7;
}

CHANGE(test_quad_0_red_and_late, test_quad_0_late(map), test_quad_0_red(map))

static void add_quad_at(tm_map *map, uint32_t at, int32_t x)
{
    tm_quad quad;
    tm_quad_init(&quad, x, 5, 2048, 2048);
    must(tmi_map_insert_quads(map, 0, 0, at, &quad, 1, NULL));
}

CHANGE(test_quad_before, add_quad_at(map, 0, 77))
CHANGE(test_quad_behind, add_quad_at(map, 4, 78))
CHANGE(test_quads_around, test_quad_behind(map), test_quad_before(map))
CHANGE(test_red_and_no_quad_0, quad_color(map, 1, 10), test_no_quad_0(map))

static void put_point(tm_map *map, int32_t time, int32_t value)
{
    tm_envelope_point points[8];
    uint32_t num = map->envelopes[0].num_points, at = 0;
    memcpy(points, map->envelopes[0].points, num * sizeof(*points));
    while (at < num && points[at].time < time)
        at++;
    memmove(points + at + 1, points + at, (num - at) * sizeof(*points));
    points[at] = (tm_envelope_point){.time = time, .values = {value}};
    must(tm_map_set_points(map, 0, points, num + 1, NULL));
}

CHANGE(test_point_at_300, put_point(map, 300, 1))
CHANGE(test_points_at_200_and_400, put_point(map, 200, 2), put_point(map, 400, 2))
CHANGE(test_points_at_200_to_400, test_point_at_300(map), test_points_at_200_and_400(map))

static void set_pixel(tm_map *map, uint32_t at, uint8_t value)
{
    void *pixels;
    must(tm_map_edit_data(map, map->images[1].pixels, &pixels, NULL, NULL));
    ((uint8_t *)pixels)[at * 4] = value;
}

CHANGE(test_pixel_3, set_pixel(map, 3, 1))
CHANGE(test_pixel_3_other, set_pixel(map, 3, 2))
CHANGE(test_pixel_4, set_pixel(map, 4, 1))
CHANGE(test_pixels_3_and_4, set_pixel(map, 3, 1), set_pixel(map, 4, 1))

void test_new_pixels(tm_map *map)
{
    const uint8_t pixels[32 * 16 * 4] = {1};
    must(tm_map_set_pixels(map, 1, pixels, 32, 16, NULL));
}

CHANGE(test_grow_right, tm_map_resize_layer(map, 1, 1, TEST_MERGE_WIDTH + 5, TEST_MERGE_HEIGHT, 0, 0, NULL))
CHANGE(test_grow_left, tm_map_resize_layer(map, 1, 1, TEST_MERGE_WIDTH + 5, TEST_MERGE_HEIGHT, 5, 0, NULL))
CHANGE(test_grow_sides, tm_map_resize_layer(map, 1, 1, TEST_MERGE_WIDTH + 10, TEST_MERGE_HEIGHT, 5, 0, NULL))
CHANGE(test_grow_down, tm_map_resize_layer(map, 1, 1, TEST_MERGE_WIDTH, TEST_MERGE_HEIGHT + 4, 0, 0, NULL))
CHANGE(test_grow_right_down,
       tm_map_resize_layer(map, 1, 1, TEST_MERGE_WIDTH + 5, TEST_MERGE_HEIGHT + 4, 0, 0, NULL))
CHANGE(test_grow_right_more,
       tm_map_resize_layer(map, 1, 1, TEST_MERGE_WIDTH + 8, TEST_MERGE_HEIGHT, 0, 0, NULL))
CHANGE(test_cut_right, tm_map_resize_layer(map, 1, 1, 20, TEST_MERGE_HEIGHT, 0, 0, NULL))

void test_quad_0_twice(tm_map *map)
{
    tm_quad *quads, other;
    uint32_t num;
    test_quad_0_dark(map);
    must(tm_map_edit_quads(map, 0, 0, &quads, &num, NULL));
    other = quads[0];
    other.colors[0].r = 10;
    must(tmi_map_insert_quads(map, 0, 0, 0, &other, 1, NULL));
}

void test_settings_twice(tm_map *map)
{
    tm_map_set_text(map, &map->info.settings[0], "sv_a 2", NULL);
    tm_map_insert_setting(map, 1, "sv_a 3", NULL);
}

tm_map *test_version_make(const struct test_version *of)
{
    tm_map *map = test_merge_base();
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

tm_map *test_merge(tm_conflicts **conflicts, const tm_map *base, const tm_map *ours, const tm_map *theirs,
                   const char *words, tm_resolution take)
{
    const tm_merge_rule rule = {words, take};
    const tm_merge_options options = {
        .size = sizeof(options), .rules = &rule, .num_rules = take != TM_RESOLUTION_UNRESOLVED};
    tm_map *map;
    tm_error error;
    if (tm_map_merge(&map, conflicts, base, ours, theirs, &options, NULL, &error))
        fail_msg("%s: %s", error.place, error.text);
    must(tm_map_verify(map, NULL));
    return map;
}

void test_print_conflicts(const tm_conflicts *conflicts)
{
    tm_conflict conflict;
    char line[300];
    for (uint32_t i = 0; tm_conflicts_at(conflicts, i, &conflict); i++) {
        tm_conflict_format(&conflict, line, sizeof(line));
        print_error("    %s (%s)\n", line, tm_resolution_name(conflict.take));
    }
}

void test_merge_without_memory(const tm_map *base, bool mark)
{
    OWN(tm_map) *ours = test_version_make(&(struct test_version)TEST_DO(
                    "fill Play/Deco@0,0+2x2 5\nsettings add \"sv_x 1\"\nadd group A")),
                *theirs = test_version_make(&(struct test_version){
                    "fill Play/Deco@1,1+2x2 6\nsettings add \"sv_x 2\"\nremove Fore", test_quads_around});
    size_t tried = 0;
    EACH_FAILURE(memory) {
        const tm_merge_options options = {
            .size = sizeof(options), .allocator = &memory.allocator, .mark = mark};
        OWN(tm_map) *map;
        OWN(tm_conflicts) *conflicts;
        const tm_status status = tm_map_merge(&map, &conflicts, base, ours, theirs, &options, NULL, NULL);
        assert_true(status == TM_OK || (!map && !conflicts));
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        tried = memory.n;
    }
    assert_true(tried > 20);
}
