/* SPDX-License-Identifier: Zlib */
/*
 * The raw and the typed level share what they unpack, and one count against limits.unpacked_bytes: asking for a
 * block through the datafile and then through the map used to unpack it twice and to hold it twice.
 *
 * test-labels: threads
 */
#include "map/map.h"
#include "support/lib_jobs.h"
#include "support/test.h"

enum { SIDE = 300 };
static const size_t TILES = (size_t)SIDE * SIDE * 4;

/* A map of two layers with the same tiles, and how often its file is read. */
struct fixture {
    tm_buffer file;
    struct test_memory memory;
    size_t num_reads;
    tm_map *map;
    tm_layer *layer; /* its tiles are TILES bytes */
    uint32_t data;   /* of the layer */
};

static tm_status read_counted(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    struct fixture *f = ctx;
    (void)error;
    __atomic_fetch_add(&f->num_reads, 1, __ATOMIC_RELAXED);
    memcpy(buffer, f->file.bytes + offset, size);
    return TM_OK;
}

static void load_fixture(struct fixture *f, uint64_t limit, bool tracked)
{
    struct test_maker maker;
    tm_limits limits = TM_LIMITS_INIT;
    tm_mapfile_options options = TM_MAPFILE_OPTIONS_INIT;
    uint8_t *tiles = calloc(TILES, 1);
    memset(f, 0, sizeof(*f));
    assert_non_null(tiles);
    for (size_t i = 0; i < TILES; i += 4)
        tiles[i] = (uint8_t)(i / 4 * 7 % 251);
    maker = test_maker_new();
    test_maker_start(&maker);
    const int32_t data = test_maker_data(&maker, tiles, TILES);
    TEST_ITEM(&maker, TM_ITEM_GROUP, 1, 3, 0, 0, 100, 100, 1, 2, 0, 0, 0, 0, 0, TEST_NAME3(""));
    for (uint16_t id = 1; id <= 2; id++)
        TEST_ITEM(&maker, TM_ITEM_LAYER, id, 0, 2, 0, 3, SIDE, SIDE, 0, 255, 255, 255, 255, -1, 0, -1, data,
                  TEST_NAME3(""), -1, -1, -1, -1, -1);
    f->file = test_maker_finish(&maker);
    free(tiles);
    test_memory_init(&f->memory);
    limits.unpacked_bytes = limit;
    options.limits = &limits;
    options.allocator = tracked ? &f->memory.allocator : NULL;
    tm_input input = {f, f->file.size, NULL, read_counted, NULL, NULL};
    must(tm_mapfile_load(&f->map, input, &options, NULL, NULL));
    f->layer = &f->map->groups[1].layers[0];
    f->data = (uint32_t)tm_block_get_info(f->layer->as.tiles.tiles).data_index;
}

static void free_fixture(struct fixture *f)
{
    tm_map_free(f->map);
    assert_int_equal(f->memory.num_blocks, 0);
    tm_buffer_release(&f->file);
}

static const void *raw_bytes(const struct fixture *f)
{
    const void *bytes;
    must(tm_datafile_data_bytes(&bytes, NULL, tm_mapfile_datafile(f->map), f->data, NULL));
    return bytes;
}

static const void *typed_bytes(const tm_map *map)
{
    tm_grid grid = test_grid(map, &map->groups[1].layers[0]);
    return grid.tiles;
}

/* What counts against limits.unpacked_bytes. */
static uint64_t counted(const struct fixture *f)
{
    return atomic_load(tmi_map_account(f->map));
}

TEST(what_is_unpacked_raw_is_not_unpacked_again)
{
    struct fixture f;
    FREED uint8_t *copy = malloc(TILES);
    load_fixture(&f, 0, true);
    must(tm_datafile_unpack(tm_mapfile_datafile(f.map), NULL, 0, NULL, NULL));
    const size_t reads = f.num_reads, bytes = f.memory.num_bytes;
    assert_true(f.memory.most_bytes < 2 * TILES);
    const void *tiles = typed_bytes(f.map);
    assert_ptr_equal(tiles, raw_bytes(&f));
    must(tm_map_unpack(f.map, NULL, 0, NULL, NULL));
    must(tm_map_read_data(f.map, f.layer->as.tiles.tiles, copy, TILES, NULL));
    assert_memory_equal(copy, tiles, TILES);
    tm_map_drop_all_data(f.map);
    must(tm_map_read_data(f.map, f.layer->as.tiles.tiles, copy, TILES, NULL));
    assert_memory_equal(copy, tiles, TILES);
    assert_int_equal(f.num_reads, reads);
    assert_true(f.memory.num_bytes < bytes + 1000);
    free_fixture(&f);
}

TEST(bytes_stay_for_their_last_user)
{
    struct fixture f;
    tm_map *clone;
    load_fixture(&f, 0, true);
    tm_datafile *datafile = (tm_datafile *)(uintptr_t)tm_mapfile_datafile(f.map);
    must(tm_map_clone(&clone, f.map, NULL));
    const void *tiles = typed_bytes(f.map);
    const size_t reads = f.num_reads;
    assert_ptr_equal(typed_bytes(clone), tiles);
    assert_ptr_equal(raw_bytes(&f), tiles);
    assert_ptr_equal(raw_bytes(&f), tiles);
    tm_datafile_drop(datafile, f.data);
    tm_datafile_drop(datafile, f.data); /* there is only one use by this name */
    tm_map_drop_all_data(f.map);
    assert_ptr_equal(typed_bytes(clone), tiles);
    assert_int_equal(((const uint8_t *)tiles)[4], 7);
    assert_int_equal(f.num_reads, reads);
    const size_t before = f.memory.num_bytes;
    tm_map_drop_all_data(clone);
    assert_true(f.memory.num_bytes + TILES <= before);
    (void)typed_bytes(f.map);
    assert_true(f.num_reads > reads);
    tm_map_free(clone);
    free_fixture(&f);
}

TEST(changes_are_seen_by_nobody_else)
{
    struct fixture f;
    tm_edit_grid grid;
    tm_map *clone;
    load_fixture(&f, 0, true);
    must(tm_map_clone(&clone, f.map, NULL));
    const uint8_t *raw = raw_bytes(&f), *other = typed_bytes(clone);
    must(tm_map_edit_tiles(&grid, f.map, 1, 0, NULL));
    assert_ptr_not_equal(grid.tiles, raw);
    ((uint8_t *)grid.tiles)[4] = 99;
    assert_int_equal(raw[4], 7);
    assert_int_equal(other[4], 7);
    /* The last user takes the memory over. */
    tm_datafile_drop((tm_datafile *)(uintptr_t)tm_mapfile_datafile(f.map), f.data);
    const size_t before = f.memory.num_bytes;
    must(tm_map_edit_tiles(&grid, clone, 1, 0, NULL));
    assert_ptr_equal(grid.tiles, other);
    assert_int_equal(f.memory.num_bytes, before);
    assert_ptr_not_equal(raw_bytes(&f), other);
    tm_map_free(f.map);
    f.map = clone;
    assert_int_equal(((const uint8_t *)typed_bytes(clone))[4], 7);
    free_fixture(&f);
}

TEST(one_limit_counts_both)
{
    struct fixture f;
    tm_edit_grid grid;
    tm_grid seen;
    load_fixture(&f, TILES + 100, true);
    (void)raw_bytes(&f);
    (void)typed_bytes(f.map); /* once more the same bytes */
    must(tm_map_insert_layer(f.map, 1, 1, TM_LAYER_TILES, 5, 5, NULL));
    assert_int_equal(tm_map_insert_layer(f.map, 1, 1, TM_LAYER_TILES, 1, 1, NULL), TM_ERROR_LIMIT);
    assert_int_equal(tm_map_tiles(&seen, f.map, &f.map->groups[0].layers[0], NULL), TM_ERROR_LIMIT);
    assert_int_equal(tm_map_edit_tiles(&grid, f.map, 1, 0, NULL),
                     TM_ERROR_LIMIT); /* two forms of the tiles */
    tm_datafile_drop((tm_datafile *)(uintptr_t)tm_mapfile_datafile(f.map), f.data);
    must(tm_map_edit_tiles(&grid, f.map, 1, 0, NULL));
    tm_map_drop_all_data(f.map);
    assert_int_equal(
        tm_datafile_data_bytes(&(const void *){NULL}, NULL, tm_mapfile_datafile(f.map), f.data, NULL),
        TM_ERROR_LIMIT);
    free_fixture(&f);
}

TEST(layers_of_the_same_data_count_once)
{
    struct fixture f;
    load_fixture(&f, TILES + 100, true);
    const tm_layer *layers = f.map->groups[1].layers;
    must(tm_map_unpack(f.map, NULL, 0, NULL, NULL));
    assert_true(tm_block_get_info(layers[0].as.tiles.tiles).unpacked);
    assert_true(tm_block_get_info(layers[1].as.tiles.tiles).unpacked);
    assert_true(counted(&f) >= TILES && counted(&f) < TILES + 100);
    assert_true(f.memory.num_bytes < 2 * TILES);
    tm_map_drop_all_data(f.map);
    assert_int_equal(counted(&f), 0);
    free_fixture(&f);
}

TEST(views_outlive_drop_edit_and_map)
{
    struct fixture f;
    tm_view *views[3];
    tm_edit_grid grid;
    tm_map *clone;
    load_fixture(&f, 0, true);
    const tm_block *tiles = f.layer->as.tiles.tiles;
    must(tm_map_clone(&clone, f.map, NULL));
    must(tm_view_new(&views[0], f.map, tiles, NULL));
    assert_ptr_equal(tm_view_bytes(NULL, views[0]), raw_bytes(&f));
    tm_datafile_drop((tm_datafile *)(uintptr_t)tm_mapfile_datafile(f.map), f.data);
    tm_map_drop_all_data(f.map);
    assert_int_equal(counted(&f), 0);
    must(tm_view_new(&views[1], f.map, tiles, NULL));
    assert_ptr_not_equal(tm_view_bytes(NULL, views[0]), tm_view_bytes(NULL, views[1]));
    must(tm_map_edit_tiles(&grid, f.map, 1, 0, NULL)); /* the last user, but it is viewed */
    memset(grid.tiles, 99, TILES);
    assert_int_equal(counted(&f), TILES);
    must(tm_view_new(&views[2], clone, clone->groups[1].layers[1].as.tiles.tiles, NULL));
    tm_map_free(f.map);
    tm_map_free(clone);
    f.map = NULL;
    for (int i = 0; i < 3; i++) {
        uint64_t size;
        const uint8_t *bytes = tm_view_bytes(&size, views[i]);
        assert_int_equal(size, TILES);
        assert_int_equal(bytes[4], 7);
        assert_int_equal(bytes[TILES - 4], (SIDE * SIDE - 1) * 7 % 251);
        tm_view_free(views[i]);
    }
    free_fixture(&f);
}

TEST(imported_layers_share_with_their_own_file)
{
    struct fixture f, other;
    tm_edit_grid grid;
    load_fixture(&f, 0, true);
    load_fixture(&other, 0, true);
    must(tm_map_import_layer(f.map, 1, 0, other.map, 1, 0, NULL, NULL));
    const uint8_t *tiles = typed_bytes(f.map);
    assert_ptr_equal(tiles, typed_bytes(other.map));
    assert_int_equal(counted(&f), 0);
    assert_int_equal(counted(&other), TILES);
    tm_map_drop_all_data(other.map);
    must(tm_map_edit_tiles(&grid, f.map, 1, 0, NULL));
    assert_int_equal(counted(&f), TILES);
    assert_int_equal(counted(&other), 0);
    assert_int_equal(((const uint8_t *)grid.tiles)[4], 7);
    tm_map_free(f.map);
    f.map = NULL;
    free_fixture(&other);
    free_fixture(&f);
}

static tm_status use_in_all_ways(const struct fixture *f, tm_view **view, tm_error *error)
{
    tm_edit_grid grid;
    tm_map *clone;
    tm_grid tiles;
    *view = NULL;
    tm_status status = tm_datafile_unpack(tm_mapfile_datafile(f->map), NULL, 0, NULL, error);
    if (status == TM_OK)
        status = tm_map_unpack(f->map, NULL, 0, NULL, error);
    if (status != TM_OK || (status = tm_map_clone(&clone, f->map, error)) != TM_OK)
        return status;
    tm_datafile_drop((tm_datafile *)(uintptr_t)tm_mapfile_datafile(f->map), f->data);
    tm_map_drop_all_data(f->map);
    status = tm_map_tiles(&tiles, clone, &clone->groups[1].layers[0], error);
    if (status == TM_OK)
        status = tm_view_new(view, f->map, f->layer->as.tiles.tiles, error);
    tm_map_free(clone);
    return status == TM_OK ? tm_map_edit_tiles(&grid, f->map, 1, 0, error) : status;
}

TEST(without_memory_nothing_is_lost_or_miscounted)
{
    struct fixture f;
    tm_view *view;
    tm_error error;
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        load_fixture(&f, 0, true);
        f.memory.fail_at = f.memory.num_requests + n;
        const tm_status status = use_in_all_ways(&f, &view, &error);
        failed = f.memory.failed;
        f.memory.fail_at = 0;
        assert_int_equal(status, failed ? TM_ERROR_MEMORY : TM_OK);
        assert_int_equal(((const uint8_t *)typed_bytes(f.map))[4], 7);
        tm_view_free(view);
        for (uint32_t i = 0; i < tm_datafile_num_data(tm_mapfile_datafile(f.map)); i++)
            tm_datafile_drop((tm_datafile *)(uintptr_t)tm_mapfile_datafile(f.map), i);
        tm_map_drop_all_data(f.map);
        assert_int_equal(counted(&f), failed ? 0 : TILES);
        free_fixture(&f);
        assert_true(n > 5 || failed);
    }
}

static tm_status use_and_drop(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    tm_map *const *clones = ctx;
    (void)worker, (void)stop, (void)error;
    for (int i = 0; i < 20; i++) {
        const uint8_t *tiles = typed_bytes(clones[index]);
        assert_int_equal(tiles[4], 7);
        assert_int_equal(tiles[TILES - 4], (SIDE * SIDE - 1) * 7 % 251);
        tm_map_drop_all_data(clones[index]);
    }
    return TM_OK;
}

TEST(clones_on_several_threads)
{
    enum { CLONES = 4 };
    struct fixture f;
    tm_map *clones[CLONES];
    const tm_job job = test_job(true, NULL);
    tm_tasks pieces = TM_TASKS_INIT;
    load_fixture(&f, 0, false);
    f.num_reads = 0;
    for (int i = 0; i < CLONES; i++)
        must(tm_map_clone(&clones[i], f.map, NULL));
    pieces.ctx = clones;
    pieces.num = CLONES;
    pieces.work = use_and_drop;
    must(tm_tasks_run(&pieces, &job, NULL));
    for (int i = 0; i < CLONES; i++)
        tm_map_free(clones[i]);
    free_fixture(&f);
}

static tm_status use_both_levels(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    const struct fixture *f = ctx;
    (void)worker, (void)stop, (void)error;
    const uint8_t *tiles = index % 2 ? typed_bytes(f->map) : raw_bytes(f);
    assert_int_equal(tiles[4], 7);
    return TM_OK;
}

TEST(both_levels_on_several_threads)
{
    enum { ASKERS = 4, ROUNDS = 50 };
    struct fixture f;
    const tm_job job = test_job(true, NULL);
    tm_tasks pieces = TM_TASKS_INIT;
    load_fixture(&f, 0, false);
    pieces.ctx = &f;
    pieces.num = ASKERS;
    pieces.work = use_both_levels;
    for (int i = 0; i < ROUNDS; i++) {
        must(tm_tasks_run(&pieces, &job, NULL));
        assert_ptr_equal(typed_bytes(f.map), raw_bytes(&f));
        assert_int_equal(counted(&f), TILES);
        tm_map_drop_all_data(f.map);
        tm_datafile_drop((tm_datafile *)(uintptr_t)tm_mapfile_datafile(f.map), f.data);
        assert_int_equal(counted(&f), 0);
    }
    free_fixture(&f);
}

TEST_GROUP(test_jobs_begin, test_jobs_end)
