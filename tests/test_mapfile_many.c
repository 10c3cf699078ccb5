/* SPDX-License-Identifier: Zlib */
/*
 * Many items at once: files near the limits that would take minutes if anything in loading or saving went over all items for
 * each item. No clock is read: the time that a test may take is the measure, and each of these takes seconds.
 *
 * test-timeout: 100
 */
#include "support/test.h"

/* Saves, loads again and compares. */
static void check_saved(const tm_map *map)
{
    OWN(tm_buffer) file = test_map_save(map, NULL);
    OWN(tm_map) *reloaded = test_map_load(&file, TM_MODE_GAME, NULL);
    reloaded->game = map->game;
    assert_true(test_map_same(map, reloaded));
}

/* Ids that nearly fill their range leave few for new items: each was looked for among all. */
TEST(new_ids_among_many)
{
    enum { NUM = 60000, NEW = 100 }; /* too many inserts would take long by themselves */
    struct test_maker maker = test_maker_begin();
    for (int i = 0; i < NUM; i++)
        TEST_ITEM(&maker, TM_ITEM_IMAGE, 65535 - i, 1, 2, 2, 1, -1, -1);
    OWN(tm_buffer) file = test_maker_finish(&maker);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_STRICT, NULL), *clone = test_map_clone(map);
    for (int i = 0; i < NEW; i++)
        must(tm_map_insert(clone, TM_KIND_IMAGE, clone->num_images, NULL));
    check_saved(clone);
    OWN(tm_buffer) saved = test_map_save(clone, NULL);
    OWN(tm_map) *reloaded = test_map_load(&saved, TM_MODE_STRICT, NULL); /* refuses duplicate ids */
    assert_int_equal(reloaded->num_images, NUM + NEW);
}

/* When all ids are used, a new item is an error and not a duplicate; 0 is left, for the first of two. */
TEST(no_more_ids)
{
    struct test_maker maker = test_maker_new();
    for (int i = 0; i < 65535; i++)
        TEST_ITEM(&maker, TM_ITEM_IMAGE, 65535 - i, 1, 2, 2, 1, -1, -1);
    test_maker_start(&maker);
    OWN(tm_buffer) file = test_maker_finish(&maker), saved = {NULL, 0, 0, NULL};
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_STRICT, NULL);
    tm_output output = tm_output_to_buffer(&saved);
    tm_error error;
    for (int i = 0; i < 2; i++)
        must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    assert_int_equal(tm_mapfile_save(map, &output, NULL, NULL, NULL, &error), TM_ERROR_LIMIT);
    assert_int_equal(saved.size, 0);
    must(tm_map_remove(map, TM_KIND_IMAGE, 5, NULL)); /* the id of what is gone stays unused */
    assert_int_equal(tm_mapfile_save(map, &output, NULL, NULL, NULL, &error), TM_ERROR_LIMIT);
    must(tm_map_remove(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_mapfile_save(map, &output, NULL, NULL, NULL, &error));
}

/* Every layer of a long group has an automapper item, and some have several: each once counted the layers before it. */
TEST(automappers_of_many_layers)
{
    enum { NUM = 200000 };
    struct test_maker maker = test_maker_new();
    const int32_t tiles = test_maker_data(&maker, NULL, 16);
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(&maker, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, NUM, 0, 0, 0, 0, 0, TEST_NAME3(""));
    for (int i = 0; i < NUM; i++)
        TEST_ITEM(&maker, TM_ITEM_LAYER, i & 0xFFFF, 0, 2, 0, 2, 2, 2, 0, 255, 255, 255, 255, -1, 0, -1,
                  tiles);
    for (int i = 0; i < NUM; i++)
        TEST_UUID(&maker, TM_UUID_AUTOMAPPER, i & 0xFFFF, 1, 0, i % 3 ? i : 7, i, 0, 0);
    OWN(tm_buffer) file = test_maker_finish(&maker);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    must(tm_map_move_layer(map, 0, 0, 0, NUM - 1, NULL));
    must(tm_map_remove_layer(map, 0, 5, NULL));
    check_saved(map);
}

/* One long text is the name of every image: it was looked through once for each. */
TEST(a_long_text_of_many_images)
{
    enum { NUM = 300000 };
    static char text[65536];
    memset(text, 'n', sizeof(text) - 1);
    struct test_maker maker = test_maker_new();
    const int32_t name = test_maker_data(&maker, text, sizeof(text));
    test_maker_start(&maker);
    for (int i = 0; i < NUM; i++)
        TEST_ITEM(&maker, TM_ITEM_IMAGE, i & 0xFFFF, 1, 2, 2, 1, name, -1);
    OWN(tm_buffer) file = test_maker_finish(&maker);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    map->groups[0].offset_x = 5;
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    assert_int_equal(saved.size, file.size);
}

/* All groups name all layers: what they share is bounded. */
TEST(many_groups_of_all_layers)
{
    enum { NUM = 100000 };
    struct test_maker maker = test_maker_new();
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    for (int i = 0; i < NUM; i++) {
        TEST_ITEM(&maker, TM_ITEM_LAYER, i & 0xFFFF, 0, 3, 0, 2, 0, -1, -1);
        TEST_ITEM(&maker, TM_ITEM_GROUP, i & 0xFFFF, 3, 0, 0, 100, 100, 0, NUM, 0, 0, 0, 0, 0,
                  TEST_NAME3(""));
    }
    OWN(tm_buffer) file = test_maker_finish(&maker);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    uint64_t num = 0;
    for (uint32_t g = 0; g < map->num_groups; g++)
        num += map->groups[g].num_layers;
    assert_int_equal(map->num_groups, NUM);
    assert_true(num >= NUM && num <= 10 * NUM);
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    assert_true(test_buffer_same(&file, &saved));
}

/* Settings that are nothing but ends, and items that are none of the model's. */
TEST(many_small_things)
{
    enum { SETTINGS = 1000000, NUM = 200000 };
    struct test_maker maker = test_maker_new();
    const int32_t settings = test_maker_data(&maker, NULL, SETTINGS);
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(&maker, TM_ITEM_INFO, 0, 1, -1, -1, -1, -1, settings);
    TEST_ITEM(&maker, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 0, 0, 0, 0, 0, 0, TEST_NAME3(""));
    for (int i = 0; i < NUM; i++) {
        TEST_ITEM(&maker, 9 + i % 3, i & 0xFFFF, i);
        TEST_UUID(&maker, TM_UUID_GROUP_EX, i & 0xFFFF, 1, i);
        TEST_ITEM(&maker, TM_ITEM_ENVELOPE, i & 0xFFFF, 2, 9, 7, 7);
    }
    OWN(tm_buffer) file = test_maker_finish(&maker);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    assert_int_equal(map->info.num_settings, SETTINGS);
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    assert_true(test_buffer_same(&file, &saved));
    must(tm_map_set_text(map, &map->info.author, "x", NULL));
    must(tm_map_remove(map, TM_KIND_ENVELOPE, 0, NULL));
    check_saved(map);
}
