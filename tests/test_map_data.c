/* SPDX-License-Identifier: Zlib */
/*
 * Blocks: unpacking on demand, dropping, editing, limits, failures, several threads at once; pixels.
 *
 * test-labels: threads
 */
#include "map/map.h"
#include "support/fake_file.h"
#include "support/lib_jobs.h"
#include "support/test.h"

TEST(data_are_unpacked_on_demand_and_kept)
{
    struct fake_file file;
    const void *bytes, *second;
    uint64_t size;
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    tm_block *block = map->images[1].pixels;
    tm_block_info info = tm_block_get_info(block);
    assert_int_equal(info.size, 16);
    assert_int_equal(info.packed_size, 9);
    assert_int_equal(info.data_index, 0);
    assert_false(info.unpacked || info.changed);
    must(tm_map_data(&bytes, &size, map, block, NULL));
    assert_int_equal(size, 16);
    assert_int_equal(((const uint8_t *)bytes)[15], 16);
    must(tm_map_data(&second, NULL, map, block, NULL));
    assert_ptr_equal(bytes, second);
    assert_int_equal(atomic_load(&file.num_reads), 1);
    assert_true(tm_block_get_info(block).unpacked);
    assert_int_equal(atomic_load(tmi_map_account(map)), 16);
    tmi_map_drop_data(map, block);
    assert_false(tm_block_get_info(block).unpacked);
    assert_int_equal(atomic_load(tmi_map_account(map)), 0);
    must(tm_map_data(&bytes, NULL, map, block, NULL));
    assert_int_equal(atomic_load(&file.num_reads), 2);
    tm_map_drop_all_data(map);
    assert_int_equal(atomic_load(tmi_map_account(map)), 0);
}

TEST(no_block_is_no_bytes)
{
    OWN(tm_map) *map;
    const void *bytes = "";
    void *writable = &map;
    uint64_t size = 7;
    must(tm_map_new(&map, NULL, NULL));
    must(tm_map_data(&bytes, &size, map, NULL, NULL));
    assert_true(!bytes && size == 0);
    must(tm_map_edit_data(&writable, NULL, map, NULL, NULL));
    assert_null(writable);
    must(tm_map_read_data(map, NULL, NULL, 0, NULL));
    tmi_map_drop_data(map, NULL);
    tm_block_info info = tm_block_get_info(NULL);
    assert_true(info.size == 0 && info.packed_size == 0 && info.data_index == TM_NONE && !info.changed);
}

TEST(reading_into_a_buffer_keeps_nothing)
{
    struct fake_file file;
    uint8_t buffer[16];
    void *bytes;
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    tm_block *block = map->images[1].pixels;
    must(tm_map_read_data(map, block, buffer, 16, NULL));
    assert_int_equal(buffer[2], 3);
    assert_false(tm_block_get_info(block).unpacked);
    assert_int_equal(tm_map_read_data(map, block, buffer, 15, NULL), TM_ERROR_USAGE);
    must(tm_map_edit_data(&bytes, NULL, map, block, NULL));
    ((uint8_t *)bytes)[2] = 33;
    must(tm_map_read_data(map, block, buffer, 16, NULL));
    assert_int_equal(buffer[2], 33);
}

TEST(changed_data_stay)
{
    struct fake_file file;
    void *bytes;
    const void *held;
    uint64_t size;
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    tm_block *block = map->sounds[1].data;
    must(tm_map_edit_data(&bytes, &size, map, block, NULL));
    assert_int_equal(size, 5);
    ((uint8_t *)bytes)[0] = 'X';
    tm_block_info info = tm_block_get_info(block);
    assert_true(info.changed && info.unpacked);
    assert_true(info.packed_size == 0 && info.data_index == TM_NONE);
    tmi_map_drop_data(map, block);
    tm_map_drop_all_data(map);
    must(tm_map_data(&held, NULL, map, block, NULL));
    assert_ptr_equal(held, bytes);
    assert_int_equal(((const uint8_t *)held)[0], 'X');
}

/* Duplicates are marked in the same map only; changed ones have bytes of their own. */
TEST(copies_of_blocks)
{
    struct fake_file file;
    void *bytes;
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    must(tm_map_duplicate(map, TM_KIND_SOUND, 1, 2, NULL));
    tm_block *copy = map->sounds[2].data;
    assert_ptr_not_equal(copy, map->sounds[1].data);
    assert_int_equal(copy->data_index, map->sounds[1].data->data_index);
    assert_true(copy->copied);
    assert_false(map->sounds[1].data->copied);
    assert_int_equal(atomic_load(&file.num_reads), 0);
    must(tm_map_edit_data(&bytes, NULL, map, copy, NULL));
    ((uint8_t *)bytes)[1] = 'Y';
    must(tm_map_duplicate(map, TM_KIND_SOUND, 2, 0, NULL));
    uint8_t buffer[5];
    must(tm_map_read_data(map, map->sounds[0].data, buffer, 5, NULL));
    assert_int_equal(buffer[1], 'Y');
    must(tm_map_read_data(map, map->sounds[2].data, buffer, 5, NULL));
    assert_int_equal(buffer[1], 'g');
}

/* ------------------------------------------------------------------------------------ limits and failures */

TEST(limits_hold_and_are_given_back)
{
    tm_limits limits = TM_LIMITS_INIT;
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    static const uint8_t pixels[64];
    OWN(tm_map) *map;
    tm_error error;
    limits.block_bytes = 64;
    limits.unpacked_bytes = 100;
    options.limits = &limits;
    must(tm_map_new(&map, &options, NULL));
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_pixels(map, 0, pixels, 4, 4, NULL));
    fails_with(TM_ERROR_LIMIT,
               "too many unpacked bytes: 64 more than the 64 held already, and the limit is 100",
               tm_map_set_pixels(map, 1, pixels, 4, 4, &error));
    assert_true(map->images[1].external);
    fails_with(TM_ERROR_LIMIT, "the block has 68 bytes, and the limit is 64",
               tm_map_set_pixels(map, 1, pixels, 17, 1, &error));
    assert_int_equal(atomic_load(tmi_map_account(map)), 64);
    must(tm_map_set_pixels(map, 1, pixels, 3, 3, NULL)); /* exactly 100 */
    must(tm_map_remove(map, TM_KIND_IMAGE, 0, NULL));
    assert_int_equal(atomic_load(tmi_map_account(map)), 36);
    assert_int_equal(tm_map_set_pixels(map, 0, pixels, INT32_MAX, INT32_MAX, &error), TM_ERROR_LIMIT);
}

TEST(a_limit_counts_unpacked_blocks)
{
    struct fake_file file;
    const void *bytes;
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    map->priv->limits.unpacked_bytes = 20;
    must(tm_map_data(&bytes, NULL, map, map->images[1].pixels, NULL));
    assert_int_equal(tm_map_data(&bytes, NULL, map, map->sounds[1].data, NULL), TM_ERROR_LIMIT);
    assert_null(bytes);
    tm_map_drop_all_data(map);
    must(tm_map_data(&bytes, NULL, map, map->sounds[1].data, NULL));
}

/* Sizes are claims of the file until the data are unpacked. None of this may ask for a terabyte. */
TEST(claimed_sizes_are_not_believed)
{
    struct fake_file file;
    struct test_memory memory = TEST_MEMORY(memory);
    const void *bytes;
    bool equal;
    uint8_t rgba[16];
    tm_map *map = fake_file_map(&file, &memory.allocator), *clone;
    tm_layer *layer = &map->groups[1].layers[0];
    tmi_block_free(map, layer->as.tiles.tiles);
    layer->as.tiles.tiles = fake_file_block(&file, map, TMI_ENCODING_BYTES, "", (uint64_t)1 << 40);
    tmi_block_free(map, map->images[1].pixels);
    map->images[1].pixels = fake_file_block(&file, map, TMI_ENCODING_BYTES, "", (uint64_t)1 << 40);
    must(tm_map_verify(map, NULL));
    assert_int_equal(tm_map_data(&bytes, NULL, map, layer->as.tiles.tiles, NULL), TM_ERROR_LIMIT);
    assert_int_equal(tm_map_resize_layer(map, 1, 0, 5, 5, 0, 0, NULL), TM_ERROR_LIMIT);
    assert_int_equal(tm_map_image_pixels(map, &map->images[1], rgba, 16, NULL), TM_ERROR_LIMIT);
    assert_int_equal(tm_map_unpack(map, NULL, 0, NULL, NULL), TM_ERROR_LIMIT);
    must(tm_map_clone(&clone, map, NULL));
    clone->images[1].pixels->data_index = 0; /* so that it is not the same block */
    assert_int_equal(tm_map_equal(&equal, map, clone, NULL, 0, NULL), TM_ERROR_LIMIT);
    tm_map_free(clone);
    tm_map_drop_all_data(map);
    assert_int_equal(atomic_load(tmi_map_account(map)), 0);
    tm_map_free(map);
    assert_int_equal(memory.num_blocks, 0);
    assert_true(memory.most_bytes < 100000);
}

TEST(broken_data_leave_the_block_packed)
{
    struct fake_file file;
    OWN(test_memory) memory = TEST_MEMORY(memory);
    const void *bytes = "";
    void *writable;
    tm_error error;
    OWN(tm_map) *map = fake_file_map(&file, &memory.allocator);
    tm_block *block = map->images[1].pixels;
    size_t before = memory.num_blocks;
    file.fail_with = TM_ERROR_DAMAGED;
    file.fail_block = block->data_index;
    assert_int_equal(tm_map_data(&bytes, NULL, map, block, &error), TM_ERROR_DAMAGED);
    assert_null(bytes);
    assert_int_equal(error.offset, 77);
    assert_int_equal(tm_map_edit_data(&writable, NULL, map, block, NULL), TM_ERROR_DAMAGED);
    assert_false(tm_block_get_info(block).changed);
    assert_int_equal(memory.num_blocks, before);
    assert_int_equal(atomic_load(tmi_map_account(map)), 0);
    assert_int_equal(tm_map_unpack(map, NULL, 0, NULL, &error), TM_ERROR_DAMAGED);
    assert_string_equal(error.place, "image 1 'own'");
    tm_grid grid;
    const tm_layer *layer = &map->groups[1].layers[1];
    file.fail_block = layer->as.tiles.tiles->data_index;
    tm_map_drop_all_data(map);
    assert_int_equal(tm_map_tiles(&grid, map, layer, &error), TM_ERROR_DAMAGED);
    assert_string_equal(error.place, "group 1, layer 1 'Tiles'"); /* it once was "" or "data 11" */
    assert_int_equal(tm_map_unpack(map, NULL, 0, NULL, &error), TM_ERROR_DAMAGED);
    assert_string_equal(error.place, "group 1, layer 1 'Tiles'");
    file.fail_with = TM_OK;
    must(tm_map_unpack(map, NULL, 0, NULL, &error));
}

/* Bytes of all blocks of fake_file_map. */
static const uint64_t ALL_BYTES = 16 + 5 + 48 + 24 + 72 + 48 + 24 + 4 * 48 + 456 + 104 + 36 + 48 + 48;

TEST(unpacking_all)
{
    static const uint64_t budgets[] = {0, 1, 100, 500};
    for (size_t i = 0; i < 2 * TMI_COUNT_OF(budgets); i++) {
        struct fake_file file;
        test_watch watch = {0};
        tm_job job = test_job(i & 1, &watch);
        OWN(tm_map) *map = fake_file_map(&file, NULL);
        job.memory_budget = budgets[i / 2];
        must(tm_map_unpack(map, NULL, 0, &job, NULL));
        assert_int_equal(watch.last, ALL_BYTES);
        assert_int_equal(watch.total, ALL_BYTES);
        assert_false(watch.wrong);
        assert_int_equal(atomic_load(tmi_map_account(map)), ALL_BYTES);
        assert_int_equal(atomic_load(&file.num_reads), file.num_blocks);
        must(tm_map_unpack(map, NULL, 0, &job, NULL)); /* nothing left to do */
        assert_int_equal(atomic_load(&file.num_reads), file.num_blocks);
    }
}

TEST(unpacking_can_be_cancelled)
{
    struct fake_file file;
    test_watch watch = {.cancel_at = 3};
    const tm_job job = test_job(false, &watch);
    tm_error error;
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    assert_int_equal(tm_map_unpack(map, NULL, 0, &job, &error), TM_ERROR_CANCELLED);
    assert_int_equal(error.code, TM_ERROR_CANCELLED);
    assert_int_equal(atomic_load(&file.num_reads), 3);
}

/* Whatever the threads do, the failure that comes first in the map is told, though large blocks go first. */
TEST(the_first_failure_is_reported)
{
    for (int i = 0; i < 20; i++) {
        struct fake_file file;
        const tm_job job = test_job(true, NULL);
        tm_error error;
        OWN(tm_map) *map = fake_file_map(&file, NULL);
        map->priv->limits.block_bytes = 100; /* the two largest are above it */
        assert_int_equal(tm_map_unpack(map, NULL, 0, &job, &error), TM_ERROR_LIMIT);
        assert_string_equal(error.place, "group 0, layer 5");
        file.fail_with = TM_ERROR_DAMAGED;
        file.fail_block = map->images[1].pixels->data_index;
        tm_map_drop_all_data(map);
        assert_int_equal(tm_map_unpack(map, NULL, 0, &job, &error), TM_ERROR_DAMAGED);
        assert_string_equal(error.place, "image 1 'own'");
    }
}

/* Which block is one too many would depend on the threads. */
TEST(too_much_for_the_limit_is_refused_before_it_starts)
{
    struct fake_file file;
    const tm_job job = test_job(true, NULL);
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    map->priv->limits.unpacked_bytes = ALL_BYTES - 1;
    assert_int_equal(tm_map_unpack(map, NULL, 0, &job, NULL), TM_ERROR_LIMIT);
    assert_int_equal(atomic_load(&file.num_reads), 0);
    map->priv->limits.unpacked_bytes = ALL_BYTES;
    must(tm_map_unpack(map, NULL, 0, &job, NULL));
}

/* There was no way to unpack the physics layers alone by several threads. */
TEST(unpacking_chosen_blocks)
{
    struct fake_file file;
    test_watch watch = {0};
    const tm_job job = test_job(true, &watch);
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    const tm_block *chosen[] = {map->groups[0].layers[5].as.quads.quads, NULL, map->images[1].pixels,
                                map->images[1].pixels};
    must(tm_map_unpack(map, chosen, 0, &job, NULL));
    assert_int_equal(atomic_load(&file.num_reads), 0);
    must(tm_map_unpack(map, chosen, 3, &job, NULL));
    assert_int_equal(atomic_load(&file.num_reads), 2);
    assert_int_equal(watch.last, chosen[0]->size + chosen[2]->size);
    assert_true(tm_block_get_info(chosen[0]).unpacked);
    assert_true(tm_block_get_info(chosen[2]).unpacked);
    assert_int_equal(atomic_load(tmi_map_account(map)), watch.last);
    must(tm_map_unpack(map, chosen, 4, &job, NULL)); /* nothing is left, and twice is once */
    assert_int_equal(atomic_load(&file.num_reads), 2);
}

TEST(pixels_come_as_rgba)
{
    static const uint8_t more[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
    struct fake_file file;
    uint8_t rgba[17];
    tm_error error;
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    tm_image *image = &map->images[1];
    must(tm_map_image_pixels(map, image, rgba, 16, NULL));
    assert_true(rgba[0] == 1 && rgba[15] == 16);
    assert_int_equal(tm_image_rgba_size(image), 16);
    assert_int_equal(tm_image_rgba_size(&map->images[0]), 0); /* external */
    must(tm_map_image_pixels(map, image, rgba, 17, NULL));
    assert_int_equal(tm_map_image_pixels(map, image, rgba, 15, NULL), TM_ERROR_USAGE);
    assert_false(tm_block_get_info(image->pixels).unpacked);
    assert_int_equal(tm_map_image_pixels(map, &map->images[0], rgba, 16, NULL), TM_ERROR_NOT_FOUND);

    image->format = TM_IMAGE_RGB; /* 12 of the 16 bytes are used */
    must(tm_map_image_pixels(map, image, rgba, 16, NULL));
    static const uint8_t widened[16] = {1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 10, 11, 12, 255};
    assert_memory_equal(rgba, widened, 16);
    assert_int_equal(tm_image_rgba_size(image), 16);
    image->height = 3;
    fails_with(TM_ERROR_DAMAGED, "the image's 2 x 3 pixels need 18 bytes, but it has 16",
               tm_map_image_pixels(map, image, rgba, 16, &error));
    assert_int_equal(tm_image_rgba_size(image), 0);
    image->format = TM_IMAGE_RGBA;
    image->height = -2;
    assert_int_equal(tm_map_image_pixels(map, image, rgba, 16, NULL), TM_ERROR_DAMAGED);
    assert_int_equal(tm_image_rgba_size(image), 0);
    image->width = image->height = INT32_MAX;
    assert_int_equal(tm_map_image_pixels(map, image, rgba, 16, NULL), TM_ERROR_DAMAGED);
    assert_int_equal(tm_image_rgba_size(image), 0);

    /* A block that is longer than the pixels need. */
    tmi_block_free(map, image->pixels);
    image->pixels = fake_file_block(&file, map, TMI_ENCODING_BYTES, more, sizeof(more));
    image->width = image->height = 2;
    must(tm_map_image_pixels(map, image, rgba, 16, NULL));
    assert_memory_equal(rgba, more, 16);
    tmi_block_free(map, image->pixels);
    image->pixels = NULL;
    assert_int_equal(tm_map_image_pixels(map, image, rgba, 16, NULL), TM_ERROR_DAMAGED);
    assert_int_equal(tm_image_rgba_size(image), 0);
}

TEST(pixels_are_set)
{
    static const uint8_t pixels[8] = {9, 8, 7, 6, 5, 4, 3, 2};
    uint8_t rgba[8];
    OWN(tm_map) *map = test_map_new();
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    tm_image *image = &map->images[0];
    image->format = TM_IMAGE_RGB;
    must(tm_map_set_pixels(map, 0, pixels, 1, 2, NULL));
    assert_true(!image->external && image->width == 1 && image->height == 2 &&
                image->format == TM_IMAGE_RGBA);
    must(tm_map_image_pixels(map, image, rgba, 8, NULL));
    assert_memory_equal(rgba, pixels, 8);
    assert_int_equal(tm_map_set_pixels(map, 0, pixels, 0, 2, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_set_pixels(map, 0, pixels, 1, (uint32_t)-2, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_map_set_pixels(map, 1, pixels, 1, 2, NULL), TM_ERROR_USAGE);
    assert_false(image->external);
    must(tm_map_set_pixels(map, 0, NULL, 0, 0, NULL)); /* external, the size stays */
    assert_true(image->external && image->width == 1 && image->height == 2 && !image->pixels);
    must(tm_map_set_pixels(map, 0, NULL, 512, 256, NULL));
    assert_true(image->width == 512 && image->height == 256);
}

TEST_GROUP(test_jobs_begin, test_jobs_end)
