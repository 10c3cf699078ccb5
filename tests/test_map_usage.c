/* SPDX-License-Identifier: Zlib */
/*
 * What is not there: every function that changes a map is called with a NULL map and with indices out of range,
 * every function that reads one with NULL. Each says so, or does nothing where its comment says that; none
 * crashes, as reading the tiles of a layer that a map does not have once did.
 */
#include "support/test.h"
#include "map/map.h"

static tm_map *map;

static void make_map(void)
{
    map = test_map_everything(TM_GAME_DDNET);
}

static void drop_map(void)
{
    tm_map_free(map);
}

/* ------------------------------------------------------------------------------------------------- changing */

/* Calls a function with an object that is not there, in an otherwise sound call. */
typedef tm_status call(tm_map *of, uint32_t bad, tm_error *error);

static const tm_tile tile = {1, 0, 0, 0};
static const uint8_t pixels[4 * 4 * 4];
static const tm_quad quads[1];
static const tm_sound_source sources[1];
static const tm_envelope_point points[1];

#define CALL(name, expression)                                       \
    static tm_status name(tm_map *of, uint32_t bad, tm_error *error) \
    {                                                                \
        return expression;                                           \
    }

CALL(remove_image, tm_map_remove(of, TM_OBJECT_IMAGE, bad, error))
CALL(move_image, tm_map_move(of, TM_OBJECT_IMAGE, bad, 0, error))
CALL(move_image_to, tm_map_move(of, TM_OBJECT_IMAGE, 0, bad, error))
CALL(duplicate_image, tm_map_duplicate(of, TM_OBJECT_IMAGE, bad, 0, error))
CALL(set_pixels, tm_map_set_pixels(of, bad, pixels, 4, 4, error))
CALL(remove_sound, tm_map_remove(of, TM_OBJECT_SOUND, bad, error))
CALL(set_sound, tm_map_set_sound(of, bad, "OggS", 4, error))
CALL(remove_envelope, tm_map_remove(of, TM_OBJECT_ENVELOPE, bad, error))
CALL(set_points, tm_map_set_points(of, bad, points, 1, error))
CALL(remove_group, tm_map_remove(of, TM_OBJECT_GROUP, bad, error))
CALL(insert_layer, tm_map_insert_layer(of, bad, 0, TM_LAYER_TILES, 4, 4, error))
CALL(remove_layer_of, tm_map_remove_layer(of, bad, 0, error))
CALL(move_layer_of, tm_map_move_layer(of, bad, 0, 0, 0, error))
CALL(move_layer_to, tm_map_move_layer(of, 1, 0, bad, 0, error))
CALL(duplicate_layer_of, tm_map_duplicate_layer(of, bad, 0, 0, 0, error))
CALL(duplicate_layer_to, tm_map_duplicate_layer(of, 1, 0, bad, 0, error))
CALL(set_quads_of, tm_map_set_quads(of, bad, 0, quads, 1, error))
CALL(set_sources_of, tm_map_set_sources(of, bad, 0, sources, 1, error))
CALL(insert_quads, tmi_map_insert_quads(of, 1, bad, 0, quads, 1, error))
CALL(insert_sources_of, tmi_map_insert_sources(of, bad, 0, 0, sources, 1, error))
CALL(remove_quads_of, tmi_map_remove_quads(of, bad, 0, 0, 1, error))
CALL(remove_sources, tmi_map_remove_sources(of, 1, bad, 0, 1, error))
CALL(insert_points, tmi_map_insert_points(of, bad, 0, points, 1, error))
CALL(remove_points, tmi_map_remove_points(of, bad, 0, 1, error))
CALL(resize_layer_of, tm_map_resize_layer(of, bad, 0, 9, 9, 0, 0, error))
CALL(write_tiles_of, tm_map_write_tiles(of, bad, 0, 0, 0, 1, 1, &tile, 0, error))
CALL(fill_tiles_of, tm_map_fill_tiles(of, bad, 0, 0, 0, 1, 1, &tile, error))
CALL(remove_layer, tm_map_remove_layer(of, 1, bad, error))
CALL(move_layer, tm_map_move_layer(of, 1, bad, 0, 0, error))
CALL(move_layer_within, tm_map_move_layer(of, 1, 0, 1, bad, error))
CALL(duplicate_layer, tm_map_duplicate_layer(of, 1, bad, 0, 0, error))
CALL(set_quads, tm_map_set_quads(of, 1, bad, quads, 1, error))
CALL(set_sources, tm_map_set_sources(of, 1, bad, sources, 1, error))
CALL(resize_layer, tm_map_resize_layer(of, 1, bad, 9, 9, 0, 0, error))
CALL(write_tiles, tm_map_write_tiles(of, 1, bad, 0, 0, 1, 1, &tile, 0, error))
CALL(fill_tiles, tm_map_fill_tiles(of, 1, bad, 0, 0, 1, 1, &tile, error))

static tm_status edit_tiles_of(tm_map *of, uint32_t bad, tm_error *error)
{
    tm_edit_grid grid;
    return tm_map_edit_tiles(of, bad, 0, &grid, error);
}

static tm_status edit_tiles(tm_map *of, uint32_t bad, tm_error *error)
{
    tm_edit_grid grid;
    return tm_map_edit_tiles(of, 1, bad, &grid, error);
}

static tm_status edit_quads(tm_map *of, uint32_t bad, tm_error *error)
{
    tm_quad *list;
    uint32_t num;
    return tm_map_edit_quads(of, 1, bad, &list, &num, error);
}

static tm_status edit_sources(tm_map *of, uint32_t bad, tm_error *error)
{
    tm_sound_source *list;
    uint32_t num;
    return tm_map_edit_sources(of, bad, 0, &list, &num, error);
}

static const struct {
    call *call;
    const char *text; /* of the message, without the index */
} calls[] = {
    {remove_image, "image % does not exist, the map has 2"},
    {move_image, "image % does not exist, the map has 2"},
    {move_image_to, "image % does not exist, the map has 2"},
    {duplicate_image, "image % does not exist, the map has 2"},
    {set_pixels, "image % does not exist, the map has 2"},
    {remove_sound, "sound % does not exist, the map has 2"},
    {set_sound, "sound % does not exist, the map has 2"},
    {remove_envelope, "envelope % does not exist, the map has 3"},
    {set_points, "envelope % does not exist, the map has 3"},
    {remove_group, "group % does not exist, the map has 2"},
    {insert_layer, "group % does not exist, the map has 2"},
    {remove_layer_of, "group % does not exist, the map has 2"},
    {move_layer_of, "group % does not exist, the map has 2"},
    {move_layer_to, "group % does not exist, the map has 2"},
    {duplicate_layer_of, "group % does not exist, the map has 2"},
    {duplicate_layer_to, "group % does not exist, the map has 2"},
    {set_quads_of, "group % does not exist, the map has 2"},
    {set_sources_of, "group % does not exist, the map has 2"},
    {insert_quads, "layer % does not exist, group 1 has 12"},
    {insert_sources_of, "group % does not exist, the map has 2"},
    {remove_quads_of, "group % does not exist, the map has 2"},
    {remove_sources, "layer % does not exist, group 1 has 12"},
    {insert_points, "envelope % does not exist, the map has 3"},
    {remove_points, "envelope % does not exist, the map has 3"},
    {edit_quads, "layer % does not exist, group 1 has 12"},
    {edit_sources, "group % does not exist, the map has 2"},
    {resize_layer_of, "group % does not exist, the map has 2"},
    {write_tiles_of, "group % does not exist, the map has 2"},
    {fill_tiles_of, "group % does not exist, the map has 2"},
    {edit_tiles_of, "group % does not exist, the map has 2"},
    {remove_layer, "layer % does not exist, group 1 has 12"},
    {move_layer, "layer % does not exist, group 1 has 12"},
    {move_layer_within, "layer % does not exist, group 1 has 12"},
    {duplicate_layer, "layer % does not exist, group 1 has 12"},
    {set_quads, "layer % does not exist, group 1 has 12"},
    {set_sources, "layer % does not exist, group 1 has 12"},
    {resize_layer, "layer % does not exist, group 1 has 12"},
    {write_tiles, "layer % does not exist, group 1 has 12"},
    {fill_tiles, "layer % does not exist, group 1 has 12"},
    {edit_tiles, "layer % does not exist, group 1 has 12"},
};

/* Whether `text` is `wanted` with a number in the place of its %. */
static bool says(const char *text, const char *wanted)
{
    const char *hole = strchr(wanted, '%');
    const size_t before = (size_t)(hole - wanted), after = strlen(hole + 1), length = strlen(text);
    return length > before + after && strncmp(text, wanted, before) == 0 &&
           strcmp(text + length - after, hole + 1) == 0;
}

TEST(indices_out_of_range_are_named)
{
    static const uint32_t bad[] = {12, INT32_MAX, UINT32_MAX};
    OWN(tm_map) *before = test_map_clone(map);
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        for (size_t k = 0; k < sizeof(bad) / sizeof(*bad); k++) {
            tm_error error = {.code = TM_OK};
            const tm_status status = calls[i].call(map, bad[k], &error);
            if (status != TM_ERROR_USAGE || !says(error.text, calls[i].text))
                fail_msg("call %zu, index %u: %s, '%s', not '%s'", i, bad[k], tm_status_name(status),
                         error.text, calls[i].text);
        }
    }
    assert_true(test_map_same(before, map));
}

TEST(a_null_map_is_misuse)
{
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        tm_error error = {.code = TM_OK};
        if (calls[i].call(NULL, 0, &error) != TM_ERROR_USAGE)
            fail_msg("call %zu takes a NULL map", i);
        assert_string_equal(error.text, "map is NULL");
    }
}

/* Formerly "no place 5 among 2 (group)". */
TEST(places_out_of_range_are_named)
{
    tm_error error;
    assert_int_equal(tm_map_insert(map, TM_OBJECT_GROUP, 5, &error), TM_ERROR_USAGE);
    assert_string_equal(error.text, "cannot insert a group at 5, the map has 2");
    assert_int_equal(tm_map_insert_layer(map, 1, 20, TM_LAYER_TILES, 2, 2, &error), TM_ERROR_USAGE);
    assert_string_equal(error.text, "cannot insert a layer at 20, group 1 has 12");
    assert_int_equal(tm_map_insert(map, (tm_object)9, 0, &error), TM_ERROR_USAGE);
    assert_string_equal(error.text, "there is no kind of object 9");
}

/* Formerly tm_map_set_quads(NULL, 3) made three invisible quads that hung on envelope 0. */
TEST(lists_that_are_announced_must_be_given)
{
    uint32_t group, layer;
    tm_error error;
    assert_non_null(tm_map_find_layer(map, TM_LAYER_QUADS, &group, &layer));
    assert_int_equal(tm_map_set_quads(map, group, layer, NULL, 3, &error), TM_ERROR_USAGE);
    assert_string_equal(error.text, "the array of 3 quads is NULL");
    assert_int_equal(map->groups[group].layers[layer].as.quads.num_quads, 2);
    assert_int_equal(tm_map_set_points(map, 0, NULL, 1, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_set_settings(map, NULL, 3, NULL), TM_ERROR_USAGE);
    must(tm_map_set_quads(map, group, layer, NULL, 0, NULL));
    assert_int_equal(tm_map_set_text(map, NULL, "text", NULL), TM_ERROR_USAGE);
}

/* Formerly a crash: a map without teleporters has no such layer. */
TEST(a_layer_that_is_not_there_has_no_tiles)
{
    tm_grid grid;
    uint32_t group = 0, layer = 0;
    OWN(tm_map) *empty = test_map_new();
    memset(&grid, 0xFF, sizeof(grid));
    must(tm_map_tiles(empty, tm_map_physics_layer(empty, TM_LAYER_TELE, &group, &layer), &grid, NULL));
    assert_null(grid.tiles);
    assert_true(grid.width == 0 && grid.height == 0 && grid.tile_size == 0 && grid.row_stride == 0);
    assert_int_equal(tm_map_fill_tiles(empty, group, layer, 0, 0, 1, 1, &tile, NULL), TM_ERROR_USAGE);
}

TEST(reading_nothing_is_misuse_or_nothing)
{
    const void *bytes = &tile;
    void *editable;
    uint64_t size = 1;
    tm_grid grid;
    tm_map *clone;
    bool equal;
    uint8_t buffer[8];
    assert_int_equal(tm_map_tiles(NULL, NULL, &grid, NULL), TM_ERROR_USAGE);
    must(tm_map_read_tiles(map, NULL, 0, 0, 1, 1, buffer, 0, NULL)); /* an empty grid */
    assert_int_equal(tm_map_read_tiles(NULL, NULL, 0, 0, 1, 1, buffer, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_image_pixels(map, NULL, buffer, 8, NULL), TM_ERROR_USAGE);
    must(tm_map_data(map, NULL, &bytes, &size, NULL));
    assert_true(!bytes && size == 0);
    assert_int_equal(tm_map_data(NULL, NULL, &bytes, &size, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_edit_data(NULL, NULL, &editable, &size, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_read_data(NULL, NULL, buffer, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_unpack(NULL, NULL, 0, NULL, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_clone(&clone, NULL, NULL), TM_ERROR_USAGE);
    assert_null(clone);
    assert_int_equal(tm_map_verify(NULL, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_equal(&equal, map, NULL, NULL, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_equal(&equal, NULL, map, NULL, 0, NULL), TM_ERROR_USAGE);
    assert_null(tm_map_image(NULL, 0));
    assert_null(tm_map_find_layer(NULL, TM_LAYER_GAME, NULL, NULL));
    assert_int_equal(tm_map_num_layers(NULL), 0);
    const tm_quad *no_quads = quads;
    uint32_t num = 1;
    must(tm_map_quads(map, NULL, &no_quads, &num, NULL));
    assert_true(!no_quads && num == 0);
    assert_int_equal(tm_map_quads(NULL, NULL, &no_quads, &num, NULL), TM_ERROR_USAGE);
    tm_map_drop_data(NULL, NULL);
    tm_map_drop_all_data(NULL);
    tm_map_set_name(NULL, 12, "name");
    tm_map_free(NULL);
}

TEST_GROUP(make_map, drop_map)
