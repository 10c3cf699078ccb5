/* SPDX-License-Identifier: Zlib */
/*
 * Layers that share one data block, as a hostile file of a few kilobytes has them by the hundred: saving for
 * another game took the work and the memory of each of them (4 GB and 12 s for 104 KB; 36 s for 524 KB). It
 * takes that of one, and what is written shows the same tiles in all.
 */
#include "support/test.h"

#include <time.h>

enum { SIDE = 1024, MANY = 40, TILE = 4 };
static const size_t BLOCK = (size_t)SIDE * SIDE * TILE;

/* Alternating tiles: nothing to run-length. `num_tiles` tiles of `tile_size` bytes. */
static uint8_t *alternating_tiles(size_t num_tiles, size_t tile_size)
{
    uint8_t *tiles = calloc(num_tiles, tile_size);
    assert_non_null(tiles);
    for (size_t i = 0; i < num_tiles; i++)
        tiles[i * tile_size] = 1 + i % 2;
    return tiles;
}

/* A map whose layers are `num` of this form; `width` is that of the first one, the others have `step` less each. */
static tm_buffer shared_map(int32_t num, const void *bytes, size_t size, int32_t version, int32_t flags,
                            int32_t step)
{
    struct test_maker maker = test_maker_begin();
    const int32_t data = test_maker_data(&maker, bytes, size);
    const int32_t tele = flags ? data : -1;
    TEST_ITEM(&maker, TM_ITEM_GROUP, 1, 3, 0, 0, 100, 100, 1, num, 0, 0, 0, 0, 0, TEST_NAME3(""));
    for (int32_t i = 0; i < num; i++)
        TEST_ITEM(&maker, TM_ITEM_LAYER, i + 1, 0, 2, 0, version, SIDE - i * step, SIDE, flags, 255, 255, 255,
                  255, -1, 0, -1, flags ? -1 : data, TEST_NAME3(""), tele, -1, -1, -1, -1);
    return test_maker_finish(&maker);
}

struct saved {
    tm_buffer file;
    size_t most_bytes; /* of memory */
    double seconds;    /* of the processor */
};

/* Loads a map and writes it anew for a game, on one thread. */
static struct saved save_for(const tm_buffer *file, tm_game game)
{
    struct saved saved = {.seconds = 0};
    OWN(test_memory) memory = TEST_MEMORY(memory);
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    tm_mapfile_save_options save_options = TM_MAPFILE_SAVE_OPTIONS_INIT;
    const tm_output output = tm_output_to_buffer(&saved.file);
    tm_map *map;
    options.allocator = &memory.allocator;
    save_options.rewrite = true;
    must(tm_mapfile_load(&map, tm_input_from_memory(file->bytes, file->size), &options, NULL, NULL));
    map->game = game;
    const clock_t before = clock();
    must(tm_mapfile_save(map, &output, &save_options, NULL, NULL, NULL));
    saved.seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    tm_map_free(map);
    saved.most_bytes = memory.most_bytes;
    return saved;
}

/* All layers of the second group have the tiles of those of another map, as far as these go. */
static void assert_same_tiles(const tm_buffer *left, const tm_buffer *right)
{
    OWN(tm_map) *a = test_map_load(left, TM_MODE_GAME, NULL), *b = test_map_load(right, TM_MODE_GAME, NULL);
    assert_int_equal(a->groups[1].num_layers, b->groups[1].num_layers);
    for (uint32_t i = 0; i < a->groups[1].num_layers; i++) {
        tm_grid source, target;
        must(tm_map_tiles(&source, a, &a->groups[1].layers[i], NULL));
        must(tm_map_tiles(&target, b, &b->groups[1].layers[i], NULL));
        assert_int_equal(source.width, target.width);
        assert_memory_equal(source.tiles, target.tiles, source.row_stride * source.height);
        tm_map_drop_all_data(a);
        tm_map_drop_all_data(b);
    }
}

static uint32_t blocks_of(const tm_buffer *file)
{
    OWN(tm_map) *map = test_map_load(file, TM_MODE_GAME, NULL);
    return tm_datafile_num_data(tm_mapfile_datafile(map));
}

/* `num` of them cost about as much as one: less than twice the largest block, the file that is written, and a bit. */
static void assert_cost_of_one(const void *bytes, size_t size, int32_t version, int32_t flags, tm_game game,
                               size_t largest)
{
    OWN(tm_buffer) single = shared_map(1, bytes, size, version, flags, 0),
                   many = shared_map(MANY, bytes, size, version, flags, 0);
    struct saved first = save_for(&single, game), save = save_for(&many, game);
    assert_true(save.most_bytes < 2 * largest + save.file.size + (2u << 20));
    assert_true(save.seconds < 5 * first.seconds + 0.1); /* it was 40 times */
    assert_same_tiles(&many, &save.file);
    /* No game's strict loader takes layers that share their data, so each gets the bytes that were packed once. */
    OWN(tm_findings) findings = test_findings();
    tm_map_free(test_map_load(&save.file, TM_MODE_GAME, &findings));
    assert_false(test_found(&findings, TM_FINDING_SHARED_TILES));
    if (game != TM_GAME_DDNET) /* whose physics layers have two blocks each */
        assert_int_equal(blocks_of(&save.file), blocks_of(&first.file) + MANY - 1);
    tm_buffer_release(&first.file);
    tm_buffer_release(&save.file);
}

TEST(design_layers_become_runs_once)
{
    FREED uint8_t *tiles = alternating_tiles((size_t)SIDE * SIDE, TILE);
    assert_cost_of_one(tiles, BLOCK, 3, 0, TM_GAME_TEEWORLDS07, BLOCK);
    assert_cost_of_one(tiles, BLOCK, 3, 0, TM_GAME_DDNET, BLOCK);
}

/* Each needs an array for vanilla, of zeros. */
TEST(zeros_are_packed_once)
{
    enum { TELE = 2, TELE_SIZE = 2 };
    FREED uint8_t *tiles = alternating_tiles((size_t)SIDE * SIDE, TELE_SIZE);
    assert_cost_of_one(tiles, (size_t)SIDE * SIDE * TELE_SIZE, 3, TELE, TM_GAME_DDNET, BLOCK);
}

TEST(runs_are_spread_once)
{
    enum { MAX_SKIP = 255 };
    const size_t num = (size_t)SIDE * SIDE / (MAX_SKIP + 1);
    FREED uint8_t *tiles = alternating_tiles(num, TILE);
    for (size_t i = 0; i < num; i++)
        tiles[i * TILE + 2] = MAX_SKIP;
    assert_cost_of_one(tiles, num * TILE, 4, 0, TM_GAME_TEEWORLDS06, BLOCK);
    assert_cost_of_one(tiles, num * TILE, 4, 0, TM_GAME_DDNET, BLOCK);
}

/* Layers of different sizes are different work; all of it together is bounded. */
TEST(work_beyond_the_limit_is_refused)
{
    FREED uint8_t *tiles = alternating_tiles(4096, TILE);
    tm_buffer file = shared_map(MANY, tiles, 4096 * TILE, 4, 0, 1), saved = {0};
    tm_limits limits = TM_LIMITS_INIT;
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    tm_mapfile_save_options save_options = TM_MAPFILE_SAVE_OPTIONS_INIT;
    const tm_output output = tm_output_to_buffer(&saved);
    tm_error error;
    OWN(tm_map) *map;
    limits.unpacked_bytes = 8 * BLOCK;
    options.limits = &limits;
    save_options.rewrite = true;
    must(tm_mapfile_load(&map, tm_input_from_memory(file.bytes, file.size), &options, NULL, NULL));
    map->game = TM_GAME_TEEWORLDS06;
    fails(TM_ERROR_LIMIT, "33554432", tm_mapfile_save(map, &output, &save_options, NULL, NULL, &error));
    assert_int_equal(saved.size, 0);
    tm_buffer_release(&file);
}

/* A byte that runs cannot keep is told for each of the layers, though the tiles are made once. */
TEST(what_is_lost_is_told_for_each_layer)
{
    FREED uint8_t *tiles = alternating_tiles((size_t)SIDE * SIDE, TILE);
    tiles[2] = 9;
    OWN(tm_buffer) file = shared_map(3, tiles, BLOCK, 3, 0, 0), saved = {0};
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    tm_mapfile_save_options options = TM_MAPFILE_SAVE_OPTIONS_INIT;
    const tm_output output = tm_output_to_buffer(&saved);
    OWN(tm_findings) findings = test_findings();
    unsigned told = 0;
    options.rewrite = true;
    map->game = TM_GAME_TEEWORLDS07;
    must(tm_mapfile_save(map, &output, &options, NULL, &findings, NULL));
    for (size_t i = 0; i < findings.num; i++)
        if (findings.list[i].id == TM_FINDING_LOST_FIELD && strstr(findings.list[i].place, "group 1, layer"))
            told++;
    assert_int_equal(told, 3);
}
