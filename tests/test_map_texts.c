/* SPDX-License-Identifier: Zlib */
/*
 * Texts and settings of a map: memory of what is replaced is given back, texts may be parts of the same map, and
 * two maps can change places.
 */
#include "support/test.h"
#include "map/map.h"

static tm_map *new_map(struct test_memory *memory)
{
    tm_map *map;
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    test_memory_init(memory);
    options.allocator = &memory->allocator;
    must(tm_map_new(&map, &options, NULL));
    return map;
}

enum { NUM_SETTINGS = 4000 };

static const char *setting(uint32_t i)
{
    static char text[64];
    snprintf(text, sizeof(text), "tune_zone %u hook_strength 0.%u", (unsigned)(i % 256), (unsigned)i);
    return text;
}

/* Read the list, add one, set the list: 4,000 times this took 247 MiB. */
TEST(settings_appended_one_by_one_stay_small)
{
    static const char *list[NUM_SETTINGS];
    OWN(test_memory) memory;
    OWN(tm_map) *map = new_map(&memory);
    for (uint32_t i = 0; i < NUM_SETTINGS; i++) {
        for (uint32_t k = 0; k < i; k++)
            list[k] = map->info.settings[k];
        list[i] = setting(i);
        must(tm_map_set_settings(map, list, i + 1, NULL));
    }
    assert_string_equal(map->info.settings[0], setting(0));
    assert_string_equal(map->info.settings[NUM_SETTINGS - 1], setting(NUM_SETTINGS - 1));
    assert_in_range(memory.most_bytes, 0, 1 << 20); /* wanted: below 8 MiB */
}

/* Such a map was written, and its settings were not read again. */
TEST(more_settings_than_are_read_are_not_saved)
{
    enum { NUM = 1025, SIZE = 1024 };
    OWN(tm_map) *map;
    tm_error error;
    char long_text[SIZE];
    const char *list[NUM];
    OWN(tm_buffer) out = {0};
    const tm_output output = tm_output_to_buffer(&out);
    memset(long_text, 'x', SIZE);
    long_text[SIZE - 1] = '\0';
    must(tm_map_new(&map, NULL, NULL));
    for (int i = 0; i < NUM; i++)
        list[i] = long_text;
    must(tm_map_set_settings(map, list, NUM, NULL));
    assert_int_equal(tm_mapfile_save(map, &output, NULL, NULL, NULL, &error), TM_ERROR_LIMIT);
    assert_string_equal(error.text, "settings: 1049600 bytes, at most 1048576 are read");
    must(tm_map_set_settings(map, list, NUM - 1, NULL));
    must(tm_mapfile_save(map, &output, NULL, NULL, NULL, &error));
}

TEST(settings_are_inserted)
{
    OWN(test_memory) memory;
    OWN(tm_map) *map = new_map(&memory);
    tm_error error;
    for (uint32_t i = 0; i < NUM_SETTINGS; i++)
        must(tm_map_insert_setting(map, i, setting(i), NULL));
    assert_in_range(memory.most_bytes, 0, 1 << 20);
    must(tm_map_insert_setting(map, 0, "first", NULL));
    must(tm_map_insert_setting(map, 2, map->info.settings[1], NULL)); /* one of the map */
    must(tm_map_insert_setting(map, 3, NULL, NULL));
    assert_string_equal(map->info.settings[0], "first");
    assert_string_equal(map->info.settings[1], setting(0));
    assert_string_equal(map->info.settings[2], setting(0));
    assert_string_equal(map->info.settings[3], "");
    assert_string_equal(map->info.settings[4], setting(1));
    assert_int_equal(tm_map_insert_setting(map, NUM_SETTINGS + 4, "x", &error), TM_ERROR_USAGE);
    assert_string_equal(error.text, "cannot insert settings at 4004, there are 4003");
    assert_int_equal(tm_map_insert_setting(NULL, 0, "x", NULL), TM_ERROR_USAGE);
    const size_t before = memory.num_bytes;
    must(tm_map_set_settings(map, NULL, 0, NULL));
    assert_null(map->info.settings);
    assert_in_range(memory.num_bytes, 0, before / 2);
}

/* A text that was set a thousand times is there once. */
TEST(replaced_texts_give_their_memory_back)
{
    char text[1000];
    OWN(test_memory) memory;
    OWN(tm_map) *map = new_map(&memory);
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    for (uint32_t i = 0; i < 1000; i++) {
        memset(text, 'a' + (int)(i % 26), sizeof(text) - 1);
        text[sizeof(text) - 1] = '\0';
        must(tm_map_set_text(map, &map->info.author, text, NULL));
        must(tm_map_set_text(map, &map->images[0].name, map->info.author + i, NULL));
    }
    assert_in_range(memory.most_bytes, 0, 8192);
    assert_string_equal(map->images[0].name, "");
}

/* Copies of an object share its name, and outlive it. */
TEST(copies_keep_their_texts)
{
    OWN(test_memory) memory;
    tm_map *map = new_map(&memory), *clone;
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_insert(map, TM_KIND_SOUND, 0, NULL));
    must(tm_map_set_text(map, &map->images[0].name, "name", NULL));
    must(tm_map_set_text(map, &map->sounds[0].name, "name", NULL));
    must(tm_map_duplicate(map, TM_KIND_IMAGE, 0, 1, NULL));
    must(tm_map_duplicate(map, TM_KIND_SOUND, 0, 1, NULL));
    must(tm_map_clone(&clone, map, NULL));
    must(tm_map_remove(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_text(map, &map->sounds[0].name, "other", NULL));
    assert_string_equal(map->images[0].name, "name");
    assert_string_equal(map->sounds[1].name, "name");
    must(tm_map_remove(map, TM_KIND_SOUND, 1, NULL));
    must(tm_map_remove(map, TM_KIND_IMAGE, 0, NULL));
    tm_map_free(map);
    assert_string_equal(clone->images[1].name, "name");
    assert_string_equal(clone->sounds[0].name, "name");
    tm_map_free(clone);
}

/* Each pointer leads to what the other one led to; allocators go with what they gave. */
TEST(maps_change_places)
{
    struct test_memory first, other;
    tm_map *a = new_map(&first), *b = new_map(&other), *clone;
    must(tm_map_set_text(a, &a->info.author, "Anna", NULL));
    test_insert_group(b, 0, TM_LAYER_TILES, 3, 3);
    const char *author = a->info.author;
    tm_map_swap(a, b);
    assert_true(a->num_groups == 1 && b->num_groups == 0);
    assert_ptr_equal(b->info.author, author);
    tm_map_swap(a, a);
    tm_map_swap(a, NULL);
    tm_map_swap(NULL, b);
    assert_true(a->num_groups == 1 && b->num_groups == 0);

    /* A whole operation: on a clone, then it takes the map's place. */
    must(tm_map_clone(&clone, a, NULL));
    must(tm_map_resize_layer(clone, 0, 0, 5, 5, 0, 0, NULL));
    tm_map_swap(a, clone);
    tm_map_free(clone);
    assert_int_equal(a->groups[0].layers[0].as.tiles.width, 5);
    must(tm_map_verify(a, NULL));
    tm_map_free(a);
    must(tm_map_set_text(b, &b->info.version, "2", NULL));
    tm_map_free(b);
    assert_true(first.num_blocks == 0 && other.num_blocks == 0);
}

/* Texts of the file are shared with clones and duplicates, and not freed when they are replaced. */
TEST(texts_of_a_file_are_left_alone)
{
    OWN(tm_map) *built = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) file = test_map_save(built, NULL);
    tm_map *map = test_map_load(&file, TM_MODE_GAME, NULL), *clone;
    must(tm_map_duplicate(map, TM_KIND_IMAGE, 0, 0, NULL));
    must(tm_map_clone(&clone, map, NULL));
    assert_ptr_equal(clone->images[0].name, map->images[1].name);
    must(tm_map_set_text(map, &map->images[0].name, "other", NULL));
    must(tm_map_set_text(map, &map->info.author, map->info.author + 1, NULL));
    must(tm_map_insert_setting(map, 0, map->info.settings[0], NULL));
    assert_string_equal(map->info.settings[0], built->info.settings[0]);
    assert_string_equal(map->info.author, built->info.author + 1);
    tm_map_swap(map, clone);
    tm_map_free(clone);
    assert_string_equal(map->info.author, built->info.author);
    tm_map_free(map);
}
