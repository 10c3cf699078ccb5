/* SPDX-License-Identifier: Zlib */
/*
 * A folder of a map that unpacks to many megabytes: what was read is made small, and is the same map again, for every kind of tile,
 * through saving, copies and full memory. It counts against the limits as if it were held.
 */
#include "support/lib_mapdir.h"

enum { SIDE = 1501, LAYERS = 6 };

/* What runs are made of: long and short ones, of air and of tiles, and none. */
static void put_pattern(uint8_t *bytes, uint64_t size, uint32_t seed)
{
    for (uint64_t i = 0; i < size; i++) {
        const uint64_t row = i / 6004;
        seed = seed * 1103515245 + 12345;
        bytes[i] = row % 5 == 0   ? 0
                   : row % 5 == 1 ? (uint8_t)(i % 80 == 0 ? 1 + seed % 7 : 0)
                   : row % 5 == 2 ? (uint8_t)(row + 1)
                   : row % 5 == 3 ? (uint8_t)(i / 16)
                   : row % 70 < 5 ? (uint8_t)(seed >> 16)
                                  : 0;
    }
    bytes[size - 1] = 3;
}

static tm_map *large_map(void)
{
    static const tm_layer_kind kinds[LAYERS] = {TM_LAYER_GAME,    TM_LAYER_TILES,  TM_LAYER_TELE,
                                                TM_LAYER_SPEEDUP, TM_LAYER_SWITCH, TM_LAYER_TILES};
    tm_map *map = test_map_new();
    map->game = TM_GAME_DDNET;
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    for (uint32_t i = 0; i < LAYERS; i++) {
        void *bytes;
        uint64_t size;
        must(tm_map_insert_layer(map, 0, i, kinds[i], SIDE, SIDE, NULL));
        tm_tile_layer *tiles = &map->groups[0].layers[i].as.tiles;
        must(tm_map_edit_data(&bytes, &size, map, tiles->tiles, NULL));
        put_pattern(bytes, size, i);
    }
    return map;
}

static tm_status read_files(tm_map **out, tm_memory_files *files, const tm_limits *limits,
                            const tm_allocator *allocator)
{
    const tm_files_in folder = tm_memory_files_in(files);
    const tm_mapdir_read_options options = {sizeof(options), limits, allocator};
    return tm_mapdir_read(out, NULL, &folder, &options, NULL, NULL, NULL);
}

static uint64_t tile_bytes(const tm_map *map)
{
    uint64_t sum = 0;
    tm_layer_walk walk = {0};
    while (tm_map_next_layer(map, &walk))
        sum += tm_block_get_info(walk.layer->as.tiles.tiles).size +
               tm_block_get_info(walk.layer->as.tiles.compat).size;
    return sum;
}

TEST(a_large_map_is_read_small)
{
    tm_map *map = large_map(), *read, *clone;
    OWN(tm_memory_files) files = {0};
    OWN(test_memory) memory = TEST_MEMORY(memory);
    test_mapdir_write(&files, map);
    must(read_files(&read, &files, NULL, &memory.allocator));
    assert_true(tile_bytes(map) > 60000000);
    assert_true(memory.num_bytes < tile_bytes(map) * 3 / 4);
    must(tm_map_verify(read, NULL));
    assert_true(test_map_same(map, read));
    tm_buffer before = test_map_save(map, NULL), after = test_map_save(read, NULL);
    assert_true(test_buffer_same(&before, &after));
    tm_buffer_release(&after);
    /* A copy has no need of what it was copied from; a change makes bytes of its own. */
    must(tm_map_clone(&clone, read, NULL));
    tm_map_free(read);
    assert_true(test_map_same(map, clone));
    must(tm_map_fill_tiles(clone, 0, 5, &(tm_rect){3, 3, 2, 2}, &(tm_tile){9, 0, 0, 0}, NULL));
    must(tm_map_fill_tiles(map, 0, 5, &(tm_rect){3, 3, 2, 2}, &(tm_tile){9, 0, 0, 0}, NULL));
    assert_true(test_map_same(map, clone));
    tm_map_free(clone);
    tm_buffer_release(&before);
    tm_map_free(map);
}

TEST(limits_count_what_was_made_small)
{
    OWN(tm_map) *map = large_map(), *read;
    OWN(tm_memory_files) files = {0};
    test_mapdir_write(&files, map);
    tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = tile_bytes(map) - 1};
    assert_int_equal(read_files(&read, &files, &limits, NULL), TM_ERROR_LIMIT);
    assert_null(read);
    limits.unpacked_bytes++;
    must(read_files(&read, &files, &limits, NULL));
}

/* Where there is no memory for making something small, it stays as it was, or the failure is told. */
TEST(failing_memory_is_no_harm)
{
    tm_map *map = large_map(), *read;
    OWN(tm_memory_files) files = {0};
    struct test_memory memory = TEST_MEMORY(memory);
    size_t step, whole = 0;
    test_mapdir_write(&files, map);
    must(read_files(&read, &files, NULL, &memory.allocator));
    tm_map_free(read);
    step = memory.num_requests > 12 ? memory.num_requests / 12 : 1;
    for (size_t n = 1; n <= memory.num_requests; n += step) {
        OWN(test_memory) failing = TEST_MEMORY(failing);
        failing.fail_at = n;
        const tm_status status = read_files(&read, &files, NULL, &failing.allocator);
        assert_true(status == TM_OK || (status == TM_ERROR_MEMORY && !read));
        if (!status) {
            whole++;
            assert_true(test_map_same(map, read));
        }
        tm_map_free(read);
    }
    print_message("%zu of %zu reads went on without\n", whole, (memory.num_requests + step - 1) / step);
    tm_map_free(map);
}
