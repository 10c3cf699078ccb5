/* SPDX-License-Identifier: Zlib */
/* Loading, saving, writing and hashing by path: one way to save, and the old file stays until the new one is whole. */
#include "support/test.h"
#include "codec/codec.h"

#include <unistd.h>

TEST(bytes_are_written_whole)
{
    must(tm_store_write_bytes("bytes", "a\0b", 3, NULL, NULL));
    tm_hashes hashes;
    must(tm_store_hash(&hashes, "bytes", NULL, NULL));
    assert_int_equal(hashes.size, 3);
    assert_int_equal(hashes.crc32, tm_crc32(0, "a\0b", 3));
    must(tm_store_write_bytes("bytes", NULL, 0, NULL, NULL));
    test_check_text("bytes", "");
}

TEST(files_are_hashed_as_they_are)
{
    tm_hashes hashes, second;
    tm_error error = {0};
    test_put_text("map", "not a map at all");
    must(tm_store_hash(&hashes, "map", NULL, &error));
    const tm_input input = tm_input_from_memory("not a map at all", 16);
    must(tm_hash_input(&second, &input, NULL, NULL));
    assert_memory_equal(&hashes, &second, sizeof(hashes));
    assert_int_equal(tm_store_hash(&hashes, "nowhere", NULL, &error), TM_ERROR_IO);
    assert_int_equal(hashes.size, 0);
    const size_t descriptors = test_num_descriptors();
    for (int i = 0; i < 5; i++)
        must(tm_store_hash(&hashes, "map", NULL, NULL));
    assert_int_equal(test_num_descriptors(), descriptors);
}

TEST(a_map_comes_back)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET), *loaded;
    must(tm_store_save(map, "a.map", NULL, NULL, NULL, NULL));
    must(tm_store_load(&loaded, "a.map", NULL, NULL, NULL));
    assert_true(test_map_same(map, loaded));
    /* Onto the file that it is read from. */
    must(tm_store_save(loaded, "a.map", NULL, NULL, NULL, NULL));
    tm_map_free(loaded);
    must(tm_store_load(&loaded, "a.map", NULL, NULL, NULL));
    assert_true(test_map_same(map, loaded));
}

/* A map of some 400 KB, all of which differs with the seed. */
static void save_noise(const char *path, uint32_t seed)
{
    OWN(tm_map) *map = test_map_new();
    test_insert_group(map, 0, TM_LAYER_TILES, 320, 320);
    tm_edit_grid grid = test_edit_grid(map, 0, 0);
    for (size_t i = 0; i < (size_t)320 * 320 * 4; i++)
        ((uint8_t *)grid.tiles)[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
    must(tm_store_save(map, path, NULL, NULL, NULL, NULL));
}

/* As `cp` and rsync --inplace do: the file stays the same one. */
static void overwrite(const char *path, const char *change)
{
    char bytes[4096];
    usleep(50000); /* clocks of file systems tick slowly */
    FILE *source = fopen(change, "rb"), *target = fopen(path, "wb");
    assert_true(source && target);
    for (size_t size; (size = fread(bytes, 1, sizeof(bytes), source)) > 0;)
        assert_int_equal(fwrite(bytes, 1, size, target), size);
    fclose(source);
    assert_int_equal(fclose(target), 0);
}

/* Once a file was written that was half the old map and half the new one, with TM_OK. */
TEST(a_file_that_is_overwritten_is_not_mixed)
{
    tm_map *map, *whole, *old;
    tm_input input;
    tm_error error = {0};
    bool equal;
    save_noise("at.map", 1);
    save_noise("old.map", 1);
    save_noise("new.map", 2);
    must(tm_store_load(&map, "at.map", NULL, NULL, NULL));
    must(tm_sys_open_input(&input, "at.map", 0, NULL, NULL));
    assert_null(input.memory);
    must(tm_input_load(&input, NULL, NULL));
    must(tm_mapfile_load(&whole, input, NULL, NULL, NULL));
    overwrite("at.map", "new.map");
    assert_int_equal(tm_store_save(map, "copy.map", NULL, NULL, NULL, &error), TM_ERROR_IO);
    assert_string_equal(error.path, "at.map");
    assert_int_equal(error.side, TM_SIDE_INPUT);
    assert_non_null(strstr(error.text, "was written to since it was opened"));
    assert_int_equal(tm_sys_kind_of("copy.map"), TM_SYS_MISSING);
    const tm_block *tiles = map->groups[0].layers[0].as.tiles.tiles;
    const void *bytes;
    assert_int_equal(tm_map_data(&bytes, NULL, map, tiles, &error), TM_ERROR_IO);
    tm_map_free(map);
    must(tm_store_load(&old, "old.map", NULL, NULL, NULL));
    must(tm_map_equal(&equal, whole, old, NULL, 0, NULL));
    assert_true(equal);
    tm_map_free(old);
    tm_map_free(whole);
}

/* The error once was without a path: nobody knew which of two compared maps is broken. */
TEST(what_is_found_late_names_the_file)
{
    static const uint8_t garbage[100000]; /* more than a block of deflate that is stored */
    tm_error error = {0};
    tm_input input;
    tm_map *map[2];
    save_noise("late.map", 3);
    FILE *file = fopen("late.map", "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 200000, SEEK_SET), 0);
    assert_int_equal(fwrite(garbage, 1, sizeof(garbage), file), sizeof(garbage));
    assert_int_equal(fclose(file), 0);
    must(tm_store_load(&map[0], "late.map", NULL, NULL, NULL));
    must(tm_sys_open_input(&input, "late.map", 0, NULL, NULL));
    must(tm_input_load(&input, NULL, NULL));
    must(tm_mapfile_load(&map[1], input, NULL, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        memset(&error, 0, sizeof(error));
        assert_int_equal(tm_map_unpack(map[i], NULL, 0, NULL, &error), TM_ERROR_DAMAGED);
        assert_string_equal(error.path, "late.map");
        assert_int_equal(error.side, TM_SIDE_INPUT);
        tm_map_free(map[i]);
    }
}

/* 251 small maps once took all descriptors that a program has. */
TEST(small_maps_hold_no_descriptor)
{
    tm_map *map = test_map_everything(TM_GAME_DDNET), *loaded[20];
    must(tm_store_save(map, "small.map", NULL, NULL, NULL, NULL));
    const size_t before = test_num_descriptors();
    for (int i = 0; i < 20; i++)
        must(tm_store_load(&loaded[i], "small.map", NULL, NULL, NULL));
    assert_int_equal(test_num_descriptors(), before);
    for (int i = 0; i < 20; i++) {
        assert_true(test_map_same(map, loaded[i]));
        tm_map_free(loaded[i]);
    }
    tm_map_free(map);
}

TEST(failing_memory_is_told_and_given_back)
{
    test_put_text("some", "bytes");
    EACH_FAILURE(memory) {
        tm_hashes hashes;
        tm_status status = tm_store_hash(&hashes, "some", &memory.allocator, NULL);
        status = status ? status : tm_store_write_bytes("copy", "x", 1, &memory.allocator, NULL);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

TEST_GROUP(test_enter_folder, test_leave_folder)
