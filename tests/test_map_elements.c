/* SPDX-License-Identifier: Zlib */
/*
 * Quads, sound sources and points as typed lists: reading, editing, inserting, removing, and the ones that new
 * elements start as.
 */
#include "map/map.h"
#include "support/fake_file.h"
#include "support/test.h"

static struct fake_file file;
static tm_map *map;

/* where they are */
#define QUADS   0, 5
#define SOURCES 0, 6
#define TILES   0, 0

static void make_map(void)
{
    map = fake_file_map(&file, NULL);
}

static void drop_map(void)
{
    tm_status status = tm_map_verify(map, NULL);
    tm_map_free(map);
    assert_true(status == TM_OK && file.freed);
}

static const tm_layer *layer_of(uint32_t group, uint32_t layer)
{
    return &map->groups[group].layers[layer];
}

/* Quads are told apart by the x of their first point. */
static void assert_quads(const char *expected)
{
    const tm_quad *quads;
    uint32_t num;
    char text[100] = "";
    size_t length = 0;
    must(tm_map_quads(&quads, &num, map, layer_of(QUADS), NULL));
    for (uint32_t i = 0; i < num; i++)
        length += tmi_format(text + length, sizeof(text) - length, "%d ", (int)quads[i].points[0].x);
    assert_string_equal(text, expected);
}

static tm_quad quad_at(int32_t x)
{
    tm_quad quad;
    tm_quad_init(&quad, x, 0, 10, 10);
    return quad;
}

TEST(quads_are_spliced)
{
    const tm_quad three[3] = {quad_at(1), quad_at(2), quad_at(3)};
    tm_error error;
    must(tm_map_set_quads(map, QUADS, three, 3, NULL));
    assert_quads("1 2 3 ");
    const tm_quad extra[2] = {quad_at(8), quad_at(9)};
    must(tmi_map_insert_elements(map, LAYER_AT(QUADS), 0, extra, 1, NULL));
    must(tmi_map_insert_elements(map, LAYER_AT(QUADS), 2, extra, 2, NULL));
    must(tmi_map_insert_elements(map, LAYER_AT(QUADS), 6, extra + 1, 1, NULL));
    assert_quads("8 1 8 9 2 3 9 ");
    must(tmi_map_remove_elements(map, LAYER_AT(QUADS), 2, 2, NULL));
    must(tmi_map_remove_elements(map, LAYER_AT(QUADS), 4, 1, NULL));
    must(tmi_map_remove_elements(map, LAYER_AT(QUADS), 4, 0, NULL));
    assert_quads("8 1 2 3 ");
    const tm_quad *quads = test_quads(map, layer_of(QUADS));
    must(tmi_map_insert_elements(map, LAYER_AT(QUADS), 1, quads + 2, 2, NULL)); /* parts of the list itself */
    assert_quads("8 2 3 1 2 3 ");
    fails_with(TM_ERROR_USAGE, "cannot insert quads at 7, there are 6",
               tmi_map_insert_elements(map, LAYER_AT(QUADS), 7, extra, 1, &error));
    assert_int_equal(tmi_map_remove_elements(map, LAYER_AT(QUADS), 5, UINT32_MAX, &error), TM_ERROR_USAGE);
    fails_with(TM_ERROR_USAGE, "the array of 1 quads is NULL",
               tmi_map_insert_elements(map, LAYER_AT(QUADS), 0, NULL, 1, &error));
    fails_with(TM_ERROR_USAGE, "a layer of kind game has no sound sources",
               tmi_map_insert_elements(map, LAYER_AT(TILES), 0, extra, 1, &error));
    assert_quads("8 2 3 1 2 3 ");
    must(tmi_map_remove_elements(map, LAYER_AT(QUADS), 0, 6, NULL));
    assert_quads("");
    assert_null(layer_of(QUADS)->as.quads.quads);
    must(tmi_map_insert_elements(map, LAYER_AT(QUADS), 0, extra, 2, NULL));
    assert_quads("8 9 ");
}

/* Only editing makes a block count as changed. */
TEST(quads_are_edited_in_place)
{
    tm_quad *edited;
    uint32_t num;
    const tm_quad *quads;
    must(tm_map_quads(&quads, &num, map, layer_of(QUADS), NULL));
    assert_int_equal(num, layer_of(QUADS)->as.quads.num_quads);
    assert_false(tm_block_get_info(layer_of(QUADS)->as.quads.quads).changed);
    must(tm_map_edit_quads(&edited, &num, map, QUADS, NULL));
    assert_ptr_equal(edited, quads);
    edited[0].points[0].x = 77;
    assert_int_equal(quads[0].points[0].x, 77);
    assert_true(tm_block_get_info(layer_of(QUADS)->as.quads.quads).changed);
    map->groups[0].layers[5].as.quads.num_quads = 1000; /* written by a careless caller */
    assert_int_equal(tm_map_quads(&quads, &num, map, layer_of(QUADS), NULL), TM_ERROR_USAGE);
    assert_true(!quads && num == 0);
    assert_int_equal(tm_map_edit_quads(&edited, &num, map, QUADS, NULL), TM_ERROR_USAGE);
    assert_int_equal(tmi_map_remove_elements(map, LAYER_AT(QUADS), 500, 1, NULL), TM_ERROR_USAGE);
    map->groups[0].layers[5].as.quads.num_quads = 3;
}

TEST(sources_are_spliced)
{
    tm_sound_source three[3], *edited;
    const tm_sound_source *sources;
    uint32_t num;
    for (int32_t i = 0; i < 3; i++)
        tm_sound_source_init(&three[i], i, -i);
    must(tm_map_set_sources(map, SOURCES, three, 2, NULL));
    must(tmi_map_insert_elements(map, LAYER_AT(SOURCES), 1, three + 2, 1, NULL));
    must(tmi_map_remove_elements(map, LAYER_AT(SOURCES), 0, 1, NULL));
    must(tm_map_sources(&sources, &num, map, layer_of(SOURCES), NULL));
    assert_true(num == 2 && sources[0].position.x == 2 && sources[1].position.y == -1);
    must(tm_map_edit_sources(&edited, &num, map, SOURCES, NULL));
    edited[1].falloff = 5;
    assert_int_equal(sources[1].falloff, 5);
    assert_int_equal(tm_map_edit_sources(&edited, &num, map, TILES, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_sources(&sources, &num, map, layer_of(QUADS), NULL), TM_ERROR_USAGE);
}

TEST(points_are_spliced)
{
    const tm_envelope_point points[4] = {{.time = 0}, {.time = 10}, {.time = 20}, {.time = 30}};
    const tm_envelope *envelope = &map->envelopes[1];
    must(tm_map_set_points(map, 1, points, 2, NULL));
    must(tmi_map_insert_elements(map, ENVELOPE_AT(1), 2, points + 2, 2, NULL));
    must(tmi_map_insert_elements(map, ENVELOPE_AT(1), 1, envelope->points, 2, NULL)); /* its own */
    static const int32_t times[] = {0, 0, 10, 10, 20, 30};
    assert_int_equal(envelope->num_points, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(envelope->points[i].time, times[i]);
    must(tmi_map_remove_elements(map, ENVELOPE_AT(1), 1, 2, NULL));
    assert_int_equal(envelope->points[1].time, 10);
    assert_int_equal(tmi_map_remove_elements(map, ENVELOPE_AT(1), 4, 1, NULL), TM_ERROR_USAGE);
    must(tmi_map_remove_elements(map, ENVELOPE_AT(1), 0, 4, NULL));
    assert_null(envelope->points);
}

TEST(new_elements_can_be_seen_and_heard)
{
    tm_quad quad;
    tm_sound_source source;
    tm_quad_init(&quad, -1024, 2048, 32 * 1024, 64 * 1024);
    assert_true(quad.points[0].x == -1024 && quad.points[0].y == 2048);
    assert_true(quad.points[1].x == 31 * 1024 && quad.points[1].y == 2048);
    assert_true(quad.points[2].x == -1024 && quad.points[2].y == 66 * 1024);
    assert_true(quad.points[3].x == 31 * 1024 && quad.points[3].y == 66 * 1024);
    assert_true(quad.points[4].x == 15 * 1024 && quad.points[4].y == 34 * 1024);
    assert_true(quad.texture[0].x == 0 && quad.texture[3].x == 1024 && quad.texture[3].y == 1024);
    assert_true(quad.texture[1].x == 1024 && quad.texture[1].y == 0 && quad.texture[2].y == 1024);
    for (int k = 0; k < 4; k++)
        assert_true(quad.colors[k].r == 255 && quad.colors[k].a == 255);
    assert_true(quad.position_envelope == TM_NONE && quad.color_envelope == TM_NONE);
    tm_quad_init(&quad, INT32_MAX - 1, INT32_MIN, UINT32_MAX, UINT32_MAX);
    assert_true(quad.points[1].x == INT32_MAX && quad.points[2].y == INT32_MAX);
    tm_sound_source_init(&source, 1, 2);
    assert_true(source.position.x == 1 && source.position.y == 2 && source.loop && source.pan);
    assert_true(source.position_envelope == TM_NONE && source.sound_envelope == TM_NONE);
    assert_true(source.shape == TM_SHAPE_CIRCLE && source.width == 1500 && source.falloff == 80);
}

TEST_EACH(make_map, drop_map)
