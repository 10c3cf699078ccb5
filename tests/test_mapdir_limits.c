/* SPDX-License-Identifier: Zlib */
/* A folder with every kind of tiles is the same map again, if the tiles of all layers together are within the limits. */
#include "support/lib_mapdir.h"
#include "support/test.h"

enum { SIDE = 151, LAYERS = 6 };

/* Long and short runs, of air and of tiles, and none. */
static void put_pattern(uint8_t *bytes, uint64_t size, uint32_t seed)
{
    for (uint64_t i = 0; i < size; i++) {
        const uint64_t row = i / (4 * SIDE);
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

static tm_map *made_map(void)
{
    static const tm_layer_kind kinds[LAYERS] = {TM_LAYER_GAME,    TM_LAYER_TILES,  TM_LAYER_TELE,
                                                TM_LAYER_SPEEDUP, TM_LAYER_SWITCH, TM_LAYER_TILES};
    tm_map *map = test_map_new();
    map->game = TM_GAME_DDNET;
    must(tm_map_insert(map, TM_OBJECT_GROUP, 0, NULL));
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

static tm_status read_files(tm_map **out, tm_memory_files *files, const tm_limits *limits)
{
    const tm_files_in in = tm_memory_files_in(files);
    const tm_mapdir_read_options options = {sizeof(options), limits, NULL};
    return tm_mapdir_read(out, NULL, &in, &options, NULL, NULL, NULL);
}

static uint64_t tile_bytes(const tm_map *map)
{
    uint64_t sum = 0;
    tm_layer_walk at = {0};
    while (tm_map_next_layer(map, &at))
        sum += tm_block_get_info(at.layer->as.tiles.tiles).size +
               tm_block_get_info(at.layer->as.tiles.compat).size;
    return sum;
}

TEST(tiles_count_against_the_limits)
{
    OWN(tm_map) *map = made_map(), *read;
    OWN(tm_memory_files) files = {0};
    test_mapdir_write(&files, map);
    tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = tile_bytes(map) - 1};
    assert_int_equal(read_files(&read, &files, &limits), TM_ERROR_LIMIT);
    assert_null(read);
    limits.unpacked_bytes++;
    must(read_files(&read, &files, &limits));
    assert_true(test_map_same(map, read));
}
