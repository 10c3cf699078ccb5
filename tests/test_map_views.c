/* SPDX-License-Identifier: Zlib */
/*
 * Views of the bytes of a block, as arrays of another language keep them: they show the same bytes until they
 * are freed, whatever is done to the block and the map.
 */
#include "support/test.h"

static struct test_memory memory;
static tm_buffer file;
static tm_map *map;
static uint32_t group, layer;

static void load_map(void)
{
    tm_map *built = test_map_everything(TM_GAME_DDNET);
    file = test_map_save(built, NULL);
    tm_map_free(built);
    test_memory_init(&memory);
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, NULL, &memory.allocator};
    must(tm_mapfile_load(&map, tm_input_from_memory(file.bytes, file.size), &options, NULL, NULL));
    assert_true(tm_map_find_layer(&group, &layer, map, TM_LAYER_TILES));
}

static void drop_map(void)
{
    tm_map_free(map);
    tm_buffer_release(&file);
    assert_true(memory.num_blocks == 0);
}

static tm_view *view_tiles(void)
{
    tm_view *view;
    must(tm_view_new(&view, map, map->groups[group].layers[layer].as.tiles.tiles, NULL));
    assert_non_null(view);
    return view;
}

/* The index of a tile in a view of a layer 6 tiles wide. */
static uint8_t seen(const tm_view *view, uint32_t x, uint32_t y)
{
    uint64_t size;
    const tm_tile *tiles = tm_view_bytes(&size, view);
    assert_int_equal(size, 6 * 5 * sizeof(tm_tile));
    return tiles[6 * y + x].index;
}

static void fill(uint8_t index)
{
    const tm_tile tile = {index, 0, 0, 0};
    must(tm_map_fill_tiles(map, group, layer, &(tm_rect){0, 0, 6, 5}, &tile, NULL));
}

TEST(a_view_costs_nothing)
{
    const void *bytes;
    must(tm_map_data(&bytes, NULL, map, map->groups[group].layers[layer].as.tiles.tiles, NULL));
    const size_t before = memory.num_bytes;
    tm_view *view = view_tiles(), *other = view_tiles();
    assert_int_equal(memory.num_bytes, before);
    assert_ptr_equal(tm_view_bytes(NULL, view), bytes);
    assert_ptr_equal(tm_view_bytes(NULL, other), bytes);
    OWN(tm_map) *clone = test_map_clone(map); /* has the file's bytes with the map */
    must(tm_map_data(&bytes, NULL, clone, clone->groups[group].layers[layer].as.tiles.tiles, NULL));
    assert_ptr_equal(tm_view_bytes(NULL, other), bytes);
    tm_view_free(other);
    assert_int_equal(seen(view, 1, 1), 1);
    tm_view_free(view);
}

TEST(an_edit_leaves_the_view_as_it_was)
{
    OWN(tm_view) *old = view_tiles();
    fill(9);
    assert_int_equal(seen(old, 1, 1), 1);
    assert_int_equal(seen(old, 0, 0), 0);
    tm_view *fresh = view_tiles();
    assert_int_equal(seen(fresh, 1, 1), 9);
    const size_t requests = memory.num_requests;
    tm_view_free(fresh);
    fill(10); /* nobody looks any more: in place */
    assert_int_equal(memory.num_requests, requests);
    assert_int_equal(seen(old, 1, 1), 1);
}

TEST(a_view_outlives_its_block_and_map)
{
    OWN(tm_view) *dropped = view_tiles();
    tm_map_drop_all_data(map);
    OWN(tm_view) *resized = view_tiles();
    assert_ptr_not_equal(tm_view_bytes(NULL, dropped), tm_view_bytes(NULL, resized));
    must(tm_map_resize_layer(map, group, layer, 3, 3, 0, 0, NULL));
    assert_int_equal(seen(dropped, 1, 1), 1);
    assert_int_equal(seen(resized, 1, 1), 1);
    OWN(tm_view) *last;
    must(tm_view_new(&last, map, map->images[0].pixels, NULL));
    must(tm_map_remove_layer(map, group, layer, NULL));
    must(tm_map_remove(map, TM_KIND_IMAGE, 0, NULL));
    tm_map_free(map);
    map = NULL;
    uint64_t size;
    const uint8_t *pixels = tm_view_bytes(&size, last);
    assert_true(size == 16 && pixels[0] == 1 && pixels[15] == 128);
    assert_int_equal(seen(dropped, 3, 2), 1);
}

/* Without memory for a copy the edit fails, and neither side changes. */
TEST(an_edit_without_memory_changes_nothing)
{
    void *bytes;
    tm_view *view = view_tiles();
    tm_block *block = map->groups[group].layers[layer].as.tiles.tiles;
    tm_error error;
    memory.num_requests = 0;
    memory.fail_at = 1;
    assert_int_equal(tm_map_edit_data(&bytes, NULL, map, block, &error), TM_ERROR_MEMORY);
    memory.fail_at = 0;
    assert_null(bytes);
    assert_false(tm_block_get_info(block).changed);
    assert_int_equal(seen(view, 1, 1), 1);
    tm_view_free(view);
    must(tm_map_edit_data(&bytes, NULL, map, block, NULL));
    must(tm_map_verify(map, NULL));
}

/* Renumbering envelopes changes quads at a point where nothing may fail any more. */
TEST(references_follow_under_a_view)
{
    uint32_t num;
    const tm_quad *quads;
    assert_non_null(tm_map_find_layer(&group, &layer, map, TM_LAYER_QUADS));
    OWN(tm_view) *view;
    must(tm_view_new(&view, map, map->groups[group].layers[layer].as.quads.quads, NULL));
    for (size_t n = 1;; n++) {
        memory.num_requests = 0;
        memory.fail_at = n;
        memory.failed = false;
        const tm_status status = tm_map_remove(map, TM_KIND_ENVELOPE, 0, NULL);
        memory.fail_at = 0;
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        assert_int_equal(map->num_envelopes, memory.failed ? 3 : 2);
        must(tm_map_quads(&quads, &num, map, &map->groups[group].layers[layer], NULL));
        assert_int_equal(quads[1].color_envelope, memory.failed ? 1 : 0);
        if (!memory.failed)
            break;
    }
    const tm_quad *seen_quads = tm_view_bytes(NULL, view);
    assert_int_equal(seen_quads[1].color_envelope, 1);
}

/* What only views hold is not the map's any more. */
TEST(limits_count_what_blocks_hold)
{
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = 100};
    const tm_map_options options = {sizeof(options), TM_GAME_DDNET, &limits, NULL};
    static const uint8_t pixels[100];
    tm_map *small;
    tm_view *views[50], *empty;
    must(tm_map_new(&small, &options, NULL));
    must(tm_map_insert(small, TM_KIND_IMAGE, 0, NULL));
    for (int i = 0; i < 50; i++) {
        must(tm_map_set_pixels(small, 0, pixels, 3, 3, NULL));
        must(tm_view_new(&views[i], small, small->images[0].pixels, NULL));
    }
    must(tm_view_new(&empty, small, NULL, NULL));
    assert_null(empty);
    assert_null(tm_view_bytes(NULL, empty));
    tm_view_free(empty);
    assert_int_equal(tm_view_new(&empty, NULL, small->images[0].pixels, NULL), TM_ERROR_USAGE);
    tm_map_free(small);
    for (int i = 0; i < 50; i++)
        tm_view_free(views[i]);
}

enum { SIDE = 256, LAYERS = 10, BYTES = LAYERS * SIDE * SIDE * 4 };

/* A map of no file with ten layers of 256 KiB, which holds `limit` bytes at most. */
static tm_map *make_large(uint64_t limit)
{
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = limit};
    const tm_map_options options = {
        .size = sizeof(options), .limits = &limits, .allocator = &memory.allocator};
    tm_map *large;
    must(tm_map_new(&large, &options, NULL));
    must(tm_map_insert(large, TM_KIND_GROUP, 0, NULL));
    for (uint32_t i = 0; i < LAYERS; i++)
        must(tm_map_insert_layer(large, 0, i, TM_LAYER_TILES, SIDE, SIDE, NULL));
    for (uint32_t i = 0; i < LAYERS; i++)
        must(tm_map_fill_tiles(large, 0, i, &(tm_rect){0, 0, SIDE, SIDE}, &(tm_tile){1, 0, 0, 0}, NULL));
    return large;
}

static tm_status put_tile(tm_map *target, uint32_t l, uint8_t index)
{
    return tm_map_fill_tiles(target, 0, l, &(tm_rect){3, 3, 1, 1}, &(tm_tile){index, 0, 0, 0}, NULL);
}

static uint8_t get_tile(const tm_map *source, uint32_t l)
{
    tm_tile tile;
    must(tm_map_read_tiles(source, &source->groups[0].layers[l], &(tm_rect){3, 3, 1, 1}, &tile, 0, NULL));
    return tile.index;
}

/* A clone once copied every changed block: a hundred steps of undo held a hundred maps. */
TEST(clones_share_what_is_changed_until_one_writes)
{
    enum { STEPS = 100 };
    tm_map *large = make_large(0), *steps[STEPS];
    const size_t before = memory.num_bytes;
    for (int i = 0; i < STEPS; i++) {
        must(tm_map_clone(&steps[i], large, NULL));
        must(put_tile(large, (uint32_t)i % LAYERS, (uint8_t)(i + 2)));
    }
    assert_in_range(memory.num_bytes - before, 1, (STEPS + 10) * BYTES / LAYERS);
    for (int i = STEPS - 1; i >= 0; i--) { /* undo */
        tm_map_swap(large, steps[i]);
        assert_int_equal(get_tile(large, (uint32_t)i % LAYERS), i < LAYERS ? 1 : i - LAYERS + 2);
        tm_map_free(steps[i]);
    }
    assert_in_range(memory.num_bytes, 1, before);
    OWN(tm_map) *copy = test_map_clone(large);
    tm_map_free(large); /* the last one who has the bytes writes to them where they are */
    const size_t alone = memory.num_bytes;
    must(put_tile(copy, 0, 9));
    assert_int_equal(memory.num_bytes, alone);
}

/* A hundred clones of 40 MB were no more to the limit than one. */
TEST(limits_bound_clones_of_a_map_without_a_file)
{
    tm_map *large = make_large(BYTES + 2 * (BYTES / LAYERS)), *clones[20];
    for (int i = 0; i < 20; i++)
        must(tm_map_clone(&clones[i], large, NULL)); /* nothing more is held */
    must(put_tile(clones[0], 0, 2));
    must(put_tile(clones[1], 0, 3));
    assert_int_equal(put_tile(clones[2], 0, 4), TM_ERROR_LIMIT);
    assert_int_equal(put_tile(large, 1, 4), TM_ERROR_LIMIT);
    assert_int_equal(get_tile(clones[2], 0), 1);
    must(put_tile(clones[0], 0, 5));
    tm_map_free(clones[0]);
    must(put_tile(clones[2], 0, 4));
    assert_int_equal(get_tile(large, 0), 1);
    for (int i = 1; i < 20; i++)
        tm_map_free(clones[i]);
    for (uint32_t i = 0; i < LAYERS; i++)
        must(put_tile(large, i, 7)); /* alone again */
    tm_map_free(large);
}

TEST_EACH(load_map, drop_map)
