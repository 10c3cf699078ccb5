/* SPDX-License-Identifier: Zlib */
/*
 * The small codecs of map items: I32Strings with the vectors of docs/format.md section 2.14, and the run-length tiles of
 * Teeworlds 0.7 (section 2.8), alone and in a file.
 */
#include "mapfile/mapfile.h"
#include "support/test.h"

/* --------------------------------------------------------------------------------------------------------- I32Strings */

static void check_name(const char *text, uint32_t num, const uint32_t *expected)
{
    uint8_t ints[32];
    char back[32];
    tmi_name_encode(ints, num, text);
    for (uint32_t k = 0; k < num; k++)
        assert_int_equal((uint32_t)tmi_get_i32(ints + (size_t)4 * k), expected[k]);
    tmi_name_decode(back, ints, num);
    assert_string_equal(back, text);
}

TEST(names_are_those_of_the_vectors)
{
    check_name("", 3, (const uint32_t[]){0x80808080, 0x80808080, 0x80808000});
    check_name("Game", 3, (const uint32_t[]){0xC7E1EDE5, 0x80808080, 0x80808000});
    check_name("K\xC3\xA4se", 3, (const uint32_t[]){0xCB4324F3, 0xE5808080, 0x80808000});
    check_name("elevenbytes", 3, (const uint32_t[]){0xE5ECE5F6, 0xE5EEE2F9, 0xF4E5F300});
}

TEST(every_byte_goes_there_and_back)
{
    for (unsigned first = 1; first < 256; first++) {
        const char text[3] = {(char)first, (char)(first == 255 ? 1 : first + 1), 0};
        uint8_t ints[32];
        char back[32];
        tmi_name_encode(ints, 8, text);
        tmi_name_decode(back, ints, 8);
        assert_string_equal(back, text);
        for (uint32_t k = 0; k < 8; k++)
            assert_int_equal(tmi_get_i32(ints + (size_t)4 * k), test_name_int(text, 8, k));
    }
}

TEST(the_last_byte_counts_as_the_end)
{
    static const uint8_t full[12] = {0xE1, 0xE1, 0xE1, 0xE1, 0xE1, 0xE1, 0xE1, 0xE1, 0x77, 0xE1, 0xE1, 0xE1};
    char back[12];
    uint8_t ints[12];
    tmi_name_decode(back, full, 3);
    assert_string_equal(back, "aaaaaaaaaaa");
    tmi_name_encode(ints, 3, "longer than eleven bytes");
    tmi_name_decode(back, ints, 3);
    assert_string_equal(back, "longer than");
}

/* -------------------------------------------------------------------------------------------------------- run lengths */

enum { MOST = 2000 };

/* Packs `num` tiles, compares with what is expected, and unpacks again. */
static void check_runs(const uint8_t *tiles, uint64_t num, const uint8_t *expected, uint64_t num_expected)
{
    uint8_t packed[MOST * 4], back[MOST * 4];
    assert_int_equal(tmi_runs_encode(NULL, tiles, num), num_expected);
    assert_int_equal(tmi_runs_encode(packed, tiles, num), num_expected);
    assert_memory_equal(packed, expected, (size_t)num_expected * 4);
    memset(back, 0xAA, sizeof(back));
    assert_int_equal(tmi_runs_decode(back, num, packed, num_expected), TMI_RUNS_FINE);
    assert_memory_equal(back, tiles, (size_t)num * 4);
    assert_int_equal(back[num * 4], 0xAA);
}

TEST(runs_have_up_to_256_tiles)
{
    static uint8_t tiles[MOST * 4];
    for (size_t i = 0; i < MOST; i++)
        tiles[4 * i] = 7;
    check_runs(tiles, 1, (const uint8_t[]){7, 0, 0, 0}, 1);
    check_runs(tiles, 255, (const uint8_t[]){7, 0, 254, 0}, 1);
    check_runs(tiles, 256, (const uint8_t[]){7, 0, 255, 0}, 1);
    check_runs(tiles, 257, (const uint8_t[]){7, 0, 255, 0, 7, 0, 0, 0}, 2);
    check_runs(tiles, 600, (const uint8_t[]){7, 0, 255, 0, 7, 0, 255, 0, 7, 0, 87, 0}, 3);
}

TEST(runs_end_where_tiles_differ)
{
    static const uint8_t tiles[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 0, 0, 2, 4, 0, 0, 2, 4, 0, 0, 1, 0, 0, 0};
    check_runs(tiles, 6, (const uint8_t[]){1, 0, 1, 0, 1, 4, 0, 0, 2, 4, 1, 0, 1, 0, 0, 0}, 4);
}

TEST(what_is_wrong_with_runs_is_told)
{
    static const uint8_t runs[] = {1, 0, 2, 0, 2, 0, 1, 9};
    uint8_t tiles[8 * 4];
    assert_int_equal(tmi_runs_decode(tiles, 5, runs, 2), TMI_RUNS_RESERVED);
    assert_int_equal(tiles[19], 9); /* and it is kept */
    assert_int_equal(tmi_runs_decode(tiles, 3, runs, 1), TMI_RUNS_FINE);
    assert_int_equal(tmi_runs_decode(tiles, 2, runs, 1), TMI_RUNS_FINE); /* the last run may be too long */
    assert_int_equal(tmi_runs_decode(tiles, 3, runs, 2), TMI_RUNS_LEFT_OVER);
    memset(tiles, 0xAA, sizeof(tiles));
    assert_int_equal(tmi_runs_decode(tiles, 8, runs, 1), TMI_RUNS_SHORT);
    for (size_t i = 12; i < sizeof(tiles); i++)
        assert_int_equal(tiles[i], 0);
    assert_int_equal(tmi_runs_decode(NULL, 5, runs, 2), TMI_RUNS_RESERVED);
    assert_int_equal(tmi_runs_decode(tiles, 0, runs, 0), TMI_RUNS_FINE);
}

/* Through a map: 300 x 2 equal tiles go over the end of the row, and nothing behind the layer's tiles is packed. */
TEST(a_layer_is_packed_over_the_ends_of_rows)
{
    const tm_map_options options = {sizeof(options), TM_GAME_TEEWORLDS07, NULL, NULL};
    static const uint8_t tile[4] = {3, 1, 0, 0};
    static const uint8_t expected[] = {3, 1, 255, 0, 3, 1, 255, 0, 3, 1, 87, 0};
    OWN(tm_map) *map;
    must(tm_map_new(&map, &options, NULL));
    test_insert_group(map, 0, TM_LAYER_GAME, 300, 2);
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){0, 0, 300, 2}, tile, NULL));
    OWN(tm_buffer) file = test_map_save(map, NULL);
    OWN(tm_map) *reloaded = test_map_load(&file, TM_MODE_STRICT, NULL);
    const void *packed;
    tm_datafile_data data;
    assert_true(tm_datafile_get_data(&data, tm_mapfile_datafile(reloaded), 0));
    assert_int_equal(data.size, sizeof(expected));
    must(tm_datafile_data_bytes(&packed, NULL, tm_mapfile_datafile(reloaded), 0, NULL));
    assert_memory_equal(packed, expected, sizeof(expected));
    assert_true(test_map_same(map, reloaded));
}

/* A layer of 0.6 may have more data than tiles; as a layer of 0.7 it must not have runs behind the last tile. */
TEST(data_behind_the_tiles_are_not_packed)
{
    struct test_maker maker = test_maker_new();
    const int32_t data = test_maker_data(&maker, NULL, 4 * 3 * 4 + 100);
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(&maker, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0, TEST_NAME3("Game"));
    TEST_ITEM(&maker, TM_ITEM_LAYER, 0, 0, 2, 0, 3, 4, 3, 1, 255, 255, 255, 255, -1, 0, -1, data,
              TEST_NAME3("Game"));
    OWN(tm_buffer) file = test_maker_finish(&maker);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_STRICT, NULL);
    OWN(tm_findings) findings = test_findings();
    map->game = TM_GAME_TEEWORLDS07;
    OWN(tm_buffer) saved = test_map_rewrite(map, NULL);
    OWN(tm_map) *reloaded =
        test_map_load(&saved, TM_MODE_STRICT, &findings); /* refuses runs that are left over */
    assert_int_equal(findings.errors, 0);
    assert_true(test_map_same(map, reloaded));
}

/* Some writers give each tile its own run; arrays of Python that were only looked at were packed as Teeworlds does. */
TEST(runs_that_say_the_same_stay)
{
    struct test_maker maker;
    tm_edit_grid grid;
    uint8_t runs[4 * 3 * 4];
    for (size_t i = 0; i < sizeof(runs); i++)
        runs[i] = i % 4 == 0;
    maker = test_maker_new();
    const int32_t data = test_maker_data(&maker, runs, sizeof(runs));
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(&maker, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0, TEST_NAME3("Game"));
    TEST_ITEM(&maker, TM_ITEM_LAYER, 0, 0, 2, 0, 4, 4, 3, 1, 255, 255, 255, 255, -1, 0, -1, data,
              TEST_NAME3("Game"));
    OWN(tm_buffer) file = test_maker_finish(&maker);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_STRICT, NULL);
    assert_int_equal(map->game, TM_GAME_TEEWORLDS07);
    must(tm_map_edit_tiles(&grid, map, 0, 0, NULL));
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    assert_int_equal(saved.size, file.size);
    assert_memory_equal(saved.bytes, file.bytes, file.size);
    tm_buffer_release(&saved);
    ((tm_tile *)grid.tiles)[5].index = 9;
    saved = test_map_save(map, NULL);
    OWN(tm_map) *reloaded = test_map_load(&saved, TM_MODE_STRICT, NULL);
    assert_true(test_map_same(map, reloaded));
}
