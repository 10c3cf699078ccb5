/* SPDX-License-Identifier: Zlib */
/*
 * What is not there: every function that changes a map is called with indices out of range (test_null.c: without a map). Each says
 * so; none crashes, as reading the tiles of a layer that a map does not have once did.
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
typedef tm_status call(tm_map *edited, uint32_t bad, tm_error *error);

static const tm_tile tile = {1, 0, 0, 0};
static const uint8_t pixels[4 * 4 * 4];
static const tm_quad quads[1];
static const tm_sound_source sources[1];
static const tm_envelope_point points[1];

#define IMAGE    "image % does not exist, the map has 2"
#define SOUND    "sound % does not exist, the map has 2"
#define ENVELOPE "envelope % does not exist, the map has 3"
#define GROUP    "group % does not exist, the map has 2"
#define LAYER    "layer % does not exist, group 1 has 12"

/* The call, and what it says of an index, which stands for the %. */
#define CALL(name, wanted, expression)                                   \
    static tm_status name(tm_map *edited, uint32_t bad, tm_error *error) \
    {                                                                    \
        return expression;                                               \
    }                                                                    \
    __attribute__((constructor)) static void add_##name(void)            \
    {                                                                    \
        calls[num_calls].call = name;                                    \
        calls[num_calls++].text = wanted;                                \
    }

static struct {
    call *call;
    const char *text;
} calls[64];
static size_t num_calls;

CALL(remove_image, IMAGE, tm_map_remove(edited, TM_KIND_IMAGE, bad, error))
CALL(move_image, IMAGE, tm_map_move(edited, TM_KIND_IMAGE, bad, 0, error))
CALL(move_image_to, IMAGE, tm_map_move(edited, TM_KIND_IMAGE, 0, bad, error))
CALL(duplicate_image, IMAGE, tm_map_duplicate(edited, TM_KIND_IMAGE, bad, 0, error))
CALL(set_pixels, IMAGE, tm_map_set_pixels(edited, bad, pixels, 4, 4, error))
CALL(remove_sound, SOUND, tm_map_remove(edited, TM_KIND_SOUND, bad, error))
CALL(set_sound, SOUND, tm_map_set_sound(edited, bad, "OggS", 4, error))
CALL(remove_envelope, ENVELOPE, tm_map_remove(edited, TM_KIND_ENVELOPE, bad, error))
CALL(set_points, ENVELOPE, tm_map_set_points(edited, bad, points, 1, error))
CALL(insert_points, ENVELOPE, tmi_map_insert_elements(edited, ENVELOPE_AT(bad), 0, points, 1, error))
CALL(remove_points, ENVELOPE, tmi_map_remove_elements(edited, ENVELOPE_AT(bad), 0, 1, error))
CALL(remove_group, GROUP, tm_map_remove(edited, TM_KIND_GROUP, bad, error))
CALL(insert_layer, GROUP, tm_map_insert_layer(edited, bad, 0, TM_LAYER_TILES, 4, 4, error))
CALL(remove_layer_of, GROUP, tm_map_remove_layer(edited, bad, 0, error))
CALL(move_layer_of, GROUP, tm_map_move_layer(edited, bad, 0, 0, 0, error))
CALL(move_layer_to, GROUP, tm_map_move_layer(edited, 1, 0, bad, 0, error))
CALL(duplicate_layer_of, GROUP, tm_map_duplicate_layer(edited, bad, 0, 0, 0, error))
CALL(duplicate_layer_to, GROUP, tm_map_duplicate_layer(edited, 1, 0, bad, 0, error))
CALL(set_quads_of, GROUP, tm_map_set_quads(edited, bad, 0, quads, 1, error))
CALL(set_sources_of, GROUP, tm_map_set_sources(edited, bad, 0, sources, 1, error))
CALL(insert_sources_of, GROUP, tmi_map_insert_elements(edited, LAYER_AT(bad, 0), 0, sources, 1, error))
CALL(remove_quads_of, GROUP, tmi_map_remove_elements(edited, LAYER_AT(bad, 0), 0, 1, error))
CALL(resize_layer_of, GROUP, tm_map_resize_layer(edited, bad, 0, 9, 9, 0, 0, error))
CALL(write_tiles_of, GROUP, tm_map_write_tiles(edited, bad, 0, &(tm_rect){0, 0, 1, 1}, &tile, 0, error))
CALL(fill_tiles_of, GROUP, tm_map_fill_tiles(edited, bad, 0, &(tm_rect){0, 0, 1, 1}, &tile, error))
CALL(edit_tiles_of, GROUP, tm_map_edit_tiles(&(tm_edit_grid){0}, edited, bad, 0, error))
CALL(edit_sources, GROUP,
     tm_map_edit_sources(&(tm_sound_source *){NULL}, &(uint32_t){0}, edited, bad, 0, error))
CALL(insert_quads, LAYER, tmi_map_insert_elements(edited, LAYER_AT(1, bad), 0, quads, 1, error))
CALL(remove_sources, LAYER, tmi_map_remove_elements(edited, LAYER_AT(1, bad), 0, 1, error))
CALL(remove_layer, LAYER, tm_map_remove_layer(edited, 1, bad, error))
CALL(move_layer, LAYER, tm_map_move_layer(edited, 1, bad, 0, 0, error))
CALL(move_layer_within, LAYER, tm_map_move_layer(edited, 1, 0, 1, bad, error))
CALL(duplicate_layer, LAYER, tm_map_duplicate_layer(edited, 1, bad, 0, 0, error))
CALL(set_quads, LAYER, tm_map_set_quads(edited, 1, bad, quads, 1, error))
CALL(set_sources, LAYER, tm_map_set_sources(edited, 1, bad, sources, 1, error))
CALL(resize_layer, LAYER, tm_map_resize_layer(edited, 1, bad, 9, 9, 0, 0, error))
CALL(write_tiles, LAYER, tm_map_write_tiles(edited, 1, bad, &(tm_rect){0, 0, 1, 1}, &tile, 0, error))
CALL(fill_tiles, LAYER, tm_map_fill_tiles(edited, 1, bad, &(tm_rect){0, 0, 1, 1}, &tile, error))
CALL(edit_tiles, LAYER, tm_map_edit_tiles(&(tm_edit_grid){0}, edited, 1, bad, error))
CALL(edit_quads, LAYER, tm_map_edit_quads(&(tm_quad *){NULL}, &(uint32_t){0}, edited, 1, bad, error))

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
    for (size_t i = 0; i < num_calls; i++) {
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

/* Formerly "no place 5 among 2 (group)". */
TEST(places_out_of_range_are_named)
{
    tm_error error;
    fails_with(TM_ERROR_USAGE, "cannot insert a group at 5, the map has 2",
               tm_map_insert(map, TM_KIND_GROUP, 5, &error));
    fails_with(TM_ERROR_USAGE, "cannot insert a layer at 20, group 1 has 12",
               tm_map_insert_layer(map, 1, 20, TM_LAYER_TILES, 2, 2, &error));
    fails_with(TM_ERROR_USAGE, "there is no kind of object 99", tm_map_insert(map, (tm_kind)99, 0, &error));
}

/* Formerly tm_map_set_quads(NULL, 3) made three invisible quads that hung on envelope 0. */
TEST(lists_that_are_announced_must_be_given)
{
    uint32_t group, layer;
    tm_error error;
    assert_non_null(tm_map_find_layer(&group, &layer, map, TM_LAYER_QUADS));
    fails_with(TM_ERROR_USAGE, "the array of 3 quads is NULL",
               tm_map_set_quads(map, group, layer, NULL, 3, &error));
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
    must(tm_map_tiles(&grid, empty, tm_map_physics_layer(&group, &layer, empty, TM_LAYER_TELE), NULL));
    assert_null(grid.tiles);
    assert_true(grid.width == 0 && grid.height == 0 && grid.tile_size == 0 && grid.row_stride == 0);
    assert_int_equal(tm_map_fill_tiles(empty, group, layer, &(tm_rect){0, 0, 1, 1}, &tile, NULL),
                     TM_ERROR_USAGE);
}

TEST(what_is_not_there_is_empty)
{
    const void *bytes = &tile;
    const tm_quad *no_quads = quads;
    uint64_t size = 1;
    uint32_t num = 1;
    uint8_t buffer[8];
    must(tm_map_read_tiles(map, NULL, &(tm_rect){0, 0, 1, 1}, buffer, 0, NULL)); /* an empty grid */
    assert_int_equal(tm_map_image_pixels(map, NULL, buffer, 8, NULL), TM_ERROR_USAGE);
    must(tm_map_data(&bytes, &size, map, NULL, NULL));
    assert_true(!bytes && size == 0);
    must(tm_map_quads(&no_quads, &num, map, NULL, NULL));
    assert_true(!no_quads && num == 0);
}

TEST_GROUP(make_map, drop_map)
