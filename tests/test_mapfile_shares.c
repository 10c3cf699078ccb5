/* SPDX-License-Identifier: Zlib */
/*
 * Whose the bytes of a file are: on all maps of the corpus they add up to the file, and of maps made by hand each is where it
 * belongs.
 *
 * test-timeout: 300
 */
#include "support/test.h"

struct shares {
    uint64_t packed[TM_BYTES_COUNT], unpacked[TM_BYTES_COUNT], num, sum;
    uint64_t of_image_1, stop_after;
};

static bool add_share(void *ctx, const tm_bytes_share *share)
{
    struct shares *list = ctx;
    assert_true((unsigned)share->kind < TM_BYTES_COUNT);
    list->packed[share->kind] += share->packed;
    list->unpacked[share->kind] += share->unpacked;
    list->sum += share->packed;
    if (share->object.kind == TM_KIND_IMAGE && share->object.index == 1 && share->source.kind == TM_KIND_DATA)
        list->of_image_1 += share->packed;
    return ++list->num != list->stop_after;
}

static uint64_t size_of_file(const tm_map *map)
{
    tm_datafile_header header;
    tm_datafile_get_header(&header, tm_mapfile_datafile(map));
    return header.file_size;
}

static struct shares shares_of(const tm_map *map)
{
    struct shares found = {.num = 0};
    must(tm_mapfile_each_share(map, add_share, &found, NULL));
    assert_int_equal(found.sum, size_of_file(map));
    return found;
}

/* -------------------------------------------------------------------------------------------- all the maps */

struct tally {
    uint64_t maps, bytes, unknown;
};

static void check_real_map(void *ctx, const char *path)
{
    struct tally *tally = ctx;
    tm_map *map;
    const tm_mapfile_options options = {.size = sizeof(options), .mode = TM_MODE_SALVAGE};
    if (tm_store_load(&map, path, &options, NULL, NULL))
        return;
    const struct shares found = shares_of(map);
    if (tm_mapfile_get_kind(map) != TM_MAPFILE_MAP || strstr(path, "/failed/")) { /* data are nobody's */
        tm_map_free(map);
        return;
    }
    tally->maps++;
    tally->bytes += found.sum;
    tally->unknown += found.packed[TM_BYTES_OTHER] + found.packed[TM_BYTES_GAPS];
    tm_map_free(map);
}

TEST(files_add_up)
{
    struct tally tally = {0};
    test_each_corpus_map(check_real_map, &tally);
    print_message("%llu maps, %llu bytes, of which %llu have no owner\n", (unsigned long long)tally.maps,
                  (unsigned long long)tally.bytes, (unsigned long long)tally.unknown);
    assert_true(tally.maps > 50);
    assert_true(tally.unknown < tally.bytes / 100);
}

/* --------------------------------------------------------------------------------------------- one by hand */

TEST(each_kind_is_found)
{
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) file = test_map_rewrite(made, NULL);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_GAME, NULL);
    const struct shares found = shares_of(map);
    for (int kind = 0; kind < TM_BYTES_COUNT; kind++) {
        const bool wanted = kind != TM_BYTES_OTHER && kind != TM_BYTES_GAPS;
        if (wanted != (found.packed[kind] > 0))
            print_error("%s: %llu bytes\n", tm_bytes_name((tm_bytes_kind)kind),
                        (unsigned long long)found.packed[kind]);
        assert_int_equal(wanted, found.packed[kind] > 0);
    }
    tm_mapfile_counts counts;
    tm_mapfile_count(&counts, map);
    const uint64_t head_and_items =
        found.packed[TM_BYTES_HEAD] + found.packed[TM_BYTES_ITEMS] + found.packed[TM_BYTES_POINTS];
    assert_int_equal(found.sum, head_and_items + counts.packed_bytes);
    assert_int_equal(found.packed[TM_BYTES_ITEMS] + found.packed[TM_BYTES_POINTS], counts.item_bytes);
}

TEST(shared_and_unused_data_count_once)
{
    struct test_maker maker = test_maker_new();
    const uint8_t pixels[4 * 4 * 4] = {1, 2, 3};
    const int32_t name = test_maker_text(&maker, "one"), other = test_maker_text(&maker, "two");
    const int32_t data = test_maker_data(&maker, pixels, sizeof(pixels));
    test_maker_text(&maker, "nobody refers to this");
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(&maker, TM_ITEM_IMAGE, 0, 1, 4, 4, 0, name, data);
    TEST_ITEM(&maker, TM_ITEM_IMAGE, 1, 1, 4, 4, 0, other, data);
    TEST_ITEM(&maker, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    OWN(tm_buffer) file = test_maker_finish(&maker);
    OWN(tm_map) *map = test_map_load(&file, TM_MODE_SALVAGE, NULL);
    struct shares found = shares_of(map);
    assert_true(found.packed[TM_BYTES_OTHER] > 0);
    assert_int_equal(found.unpacked[TM_BYTES_IMAGES], sizeof(pixels));
    assert_int_equal(found.unpacked[TM_BYTES_TEXTS], 8);
    assert_true(found.of_image_1 > 0); /* its name; the pixels are image 0's */
    assert_int_equal(found.of_image_1 + found.of_image_1, found.packed[TM_BYTES_TEXTS]);

    struct shares few = {.stop_after = 3};
    must(tm_mapfile_each_share(map, add_share, &few, NULL));
    assert_int_equal(few.num, 3);
}

TEST(gaps_and_overlaps_add_up)
{
    enum { TAIL = 100 };
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) file = test_map_rewrite(made, NULL);
    const tm_output output = tm_output_to_buffer(&file);
    const uint8_t tail[TAIL] = {0};
    must(output.write(output.ctx, tail, TAIL, NULL));
    tm_map *map = test_map_load(&file, TM_MODE_SALVAGE, NULL);
    assert_int_equal(shares_of(map).packed[TM_BYTES_GAPS], TAIL);
    tm_map_free(map);
    /* every byte of the tables changed: wherever things are said to lie, they add up */
    uint8_t *bytes = file.bytes;
    for (size_t at = 36; at < file.size - TAIL; at += 3) {
        const uint8_t was = bytes[at];
        bytes[at] ^= 0x15;
        if (!test_map_try(&map, &file, TM_MODE_SALVAGE, NULL, NULL))
            shares_of(map);
        tm_map_free(map);
        bytes[at] = was;
    }
}

TEST(what_is_wrong_is_said)
{
    tm_error error;
    struct shares found = {.num = 0};
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    fails(TM_ERROR_USAGE, "comes from no file", tm_mapfile_each_share(map, add_share, &found, &error));
    assert_int_equal(found.num, 0);
    for (int kind = 0; kind < TM_BYTES_COUNT; kind++)
        assert_true(tm_bytes_name((tm_bytes_kind)kind)[0] && tm_bytes_meaning((tm_bytes_kind)kind)[0]);
    assert_null(tm_bytes_name(TM_BYTES_COUNT));
    assert_null(tm_bytes_meaning(TM_BYTES_COUNT));
}

TEST(memory_may_end)
{
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET);
    OWN(tm_buffer) file = test_map_rewrite(made, NULL);
    EACH_FAILURE_LATER(memory) {
        struct shares found = {.num = 0};
        const tm_mapfile_options options = {.size = sizeof(options), .allocator = &memory.allocator};
        OWN(tm_map) *map;
        must(tm_mapfile_load(&map, tm_input_from_memory(file.bytes, file.size), &options, NULL, NULL));
        memory.fail_at = memory.num_requests + memory.n;
        const tm_status status = tm_mapfile_each_share(map, add_share, &found, NULL);
        memory.fail_at = 0;
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        assert_int_equal(found.num == 0, memory.failed);
    }
}
