/* SPDX-License-Identifier: Zlib */
/*
 * What differs between two files that the model does not read: items of mods, longer items, blocks that nobody uses. Files
 * that hold the same have none of it, however they are packed.
 *
 * test-timeout: 300
 */
#include "support/test.h"

struct told {
    char lines[16][256];
    uint32_t num, most;
};

static bool tell(void *ctx, const tm_unknown_change *change)
{
    struct told *told = ctx;
    if (told->num < 16)
        assert_true(tm_unknown_describe(change, told->lines[told->num], sizeof(told->lines[0])) < 256);
    assert_true(change->there[0] || change->there[1]);
    assert_true(change->num > 0 || change->size[0] + change->size[1] == 0);
    return ++told->num != told->most;
}

static struct told told_of(const tm_map *before, const tm_map *after)
{
    struct told told = {.num = 0};
    must(tm_mapfile_compare_unknown(before, after, tell, &told, NULL, NULL));
    OWN(tm_findings) findings = test_findings(); /* the same in the form in which bindings have it */
    must(tm_mapfile_report_unread(&findings, before, after, NULL, NULL));
    assert_int_equal(findings.num + findings.unlisted, told.num);
    for (uint32_t i = 0; i < told.num && i < 16; i++)
        assert_string_equal(findings.list[i].text, told.lines[i]);
    return told;
}

static void assert_told(const tm_map *before, const tm_map *after, uint32_t num, const char *const *lines)
{
    const struct told told = told_of(before, after);
    for (uint32_t i = 0; i < num && i < told.num; i++)
        assert_string_equal(told.lines[i], lines[i]);
    assert_int_equal(told.num, num);
}
#define ASSERT_TOLD(before, after, ...)                                                \
    assert_told(before, after, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), \
                (const char *[]){__VA_ARGS__})

/* ------------------------------------------------------------------------------------------------------------ by hand */

static tm_map *load_made(struct test_maker *maker, tm_buffer *file)
{
    *file = test_maker_finish(maker);
    return test_map_load(file, TM_MODE_GAME, NULL);
}

static const tm_uuid stranger = {
    {0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff}};

TEST(items_are_told_by_type_and_id)
{
    tm_buffer files[3];
    struct test_maker maker = test_maker_begin();
    TEST_ITEM(&maker, 99, 3, 1, 2, 3);
    TEST_ITEM(&maker, 99, 4, 7);
    test_maker_index(&maker, 0xfff0, &stranger);
    TEST_ITEM(&maker, 0xfff0, 0, 5, 6);
    tm_map *a = load_made(&maker, &files[0]);

    maker = test_maker_new();
    test_maker_start(&maker);
    TEST_ITEM(&maker, 99, 5, 7, 8);
    TEST_ITEM(&maker, 99, 3, 1, 256, 3);
    test_maker_index(&maker, 0xfff1, &stranger);
    TEST_ITEM(&maker, 0xfff1, 0, 5, 6, 7);
    tm_map *b = load_made(&maker, &files[1]);

    /* the same in another order, and with another number for the UUID */
    maker = test_maker_new();
    test_maker_start(&maker);
    TEST_ITEM(&maker, 99, 4, 7);
    TEST_ITEM(&maker, 99, 3, 1, 2, 3);
    test_maker_index(&maker, 0xffee, &stranger);
    TEST_ITEM(&maker, 0xffee, 0, 5, 6);
    tm_map *c = load_made(&maker, &files[2]);

    ASSERT_TOLD(
        a, b, "unknown item of type 99, id 3: 2 of 12 bytes differ",
        "unknown item of type 99, id 4: removed, 4 bytes", "unknown item of type 99, id 5: added, 8 bytes",
        "unknown item of type 00112233-4455-6677-8899-aabbccddeeff, id 0: 8 bytes -> 12 bytes, 4 differ");
    assert_int_equal(told_of(b, a).num, 4);
    assert_int_equal(told_of(a, c).num, 0);
    assert_int_equal(told_of(b, c).num, 4);
    struct told two = {.most = 2};
    must(tm_mapfile_compare_unknown(a, b, tell, &two, NULL, NULL));
    assert_int_equal(two.num, 2);
    tm_map_free(a);
    tm_map_free(b);
    tm_map_free(c);
    for (int i = 0; i < 3; i++)
        tm_buffer_release(&files[i]);
}

/* A map with two envelopes, whose items have `first` and `second` behind what is known; -1: nothing. */
static tm_map *long_items(tm_buffer *file, int32_t first, int32_t second)
{
    struct test_maker maker = test_maker_begin();
    const int32_t words[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        const int32_t ints[] = {2, 3, 0, 0, TEST_NAME8("env"), 1, words[i]};
        test_maker_item(&maker, TM_ITEM_ENVELOPE, i, ints, sizeof(ints) / 4 - (words[i] == -1));
    }
    return load_made(&maker, file);
}

TEST(words_behind_known_ones_are_told)
{
    tm_buffer files[4];
    tm_map *empty = long_items(&files[0], -1, -1), *first = long_items(&files[1], -1, 5);
    tm_map *other = long_items(&files[2], -1, 6), *moved = long_items(&files[3], 5, -1);
    ASSERT_TOLD(empty, first, "item of type envelope, id 1, after the known ones: added, 4 bytes");
    ASSERT_TOLD(first, empty, "item of type envelope, id 1, after the known ones: removed, 4 bytes");
    ASSERT_TOLD(first, other, "item of type envelope, id 1, after the known ones: 1 of 4 bytes differ");
    assert_int_equal(told_of(first, moved).num, 0); /* as when an envelope was put before it */
    tm_map *const maps[] = {empty, first, other, moved};
    for (int i = 0; i < 4; i++) {
        tm_map_free(maps[i]);
        tm_buffer_release(&files[i]);
    }
}

static tm_map *unused_blocks(tm_buffer *file, uint32_t num, const char *const *texts, int level)
{
    struct test_maker maker;
    tm_datafile_writer_options options = {.size = sizeof(options), .level = level};
    test_maker_init_with(&maker, &options);
    test_maker_start(&maker);
    for (uint32_t i = 0; i < num; i++)
        test_maker_data(&maker, texts[i], strlen(texts[i]));
    return load_made(&maker, file);
}

TEST(blocks_are_told_by_content)
{
    tm_buffer files[4];
    const char *const texts[] = {"one one one one", "two", "two", "three"}, *const second[] = {
                                                                                "two", "three",
                                                                                "one one one one", "two"};
    tm_map *a = unused_blocks(&files[0], 4, texts, 9), *b = unused_blocks(&files[1], 4, second, -1);
    tm_map *c = unused_blocks(&files[2], 2, texts, 0), *d = unused_blocks(&files[3], 0, texts, 0);
    assert_int_equal(told_of(a, b).num, 0);
    ASSERT_TOLD(a, c, "data block 3, which no object uses: removed, 3 bytes",
                "data block 4, which no object uses: removed, 5 bytes");
    ASSERT_TOLD(d, c, "data block 1, which no object uses: added, 15 bytes",
                "data block 2, which no object uses: added, 3 bytes");
    tm_map *const maps[] = {a, b, c, d};
    for (int i = 0; i < 4; i++) {
        tm_map_free(maps[i]);
        tm_buffer_release(&files[i]);
    }
}

/* A block whose packed bytes are cut short, and what comes of it. */
TEST(broken_blocks_are_compared_as_they_are)
{
    struct test_recipe recipe;
    tm_map *maps[3];
    struct test_bytes files[3];
    const char *const packed[] = {"\x78\x9cgarbage", "\x78\x9cgarbage", "\x78\x9cgarbege"};
    for (int i = 0; i < 3; i++) {
        recipe = test_recipe_new(4);
        test_recipe_item(&recipe, TM_ITEM_VERSION, 0, 1, 1);
        test_recipe_packed(&recipe, packed[i], 9, 40);
        files[i] = test_recipe_build(&recipe);
        test_recipe_release(&recipe);
        const tm_buffer file = {.bytes = files[i].bytes, .size = files[i].size};
        maps[i] = test_map_load(&file, TM_MODE_GAME, NULL);
    }
    assert_int_equal(told_of(maps[0], maps[1]).num, 0);
    assert_int_equal(told_of(maps[0], maps[2]).num, 2);
    for (int i = 0; i < 3; i++) {
        tm_map_free(maps[i]);
        test_bytes_release(&files[i]);
    }
}

/* Blocks that begin behind the end of their file: their bytes, none, could not be read. */
TEST(blocks_that_are_cut_off_are_compared)
{
    const char *const texts[] = {"one", "two"};
    tm_buffer files[2];
    tm_map *maps[2];
    for (int i = 0; i < 2; i++) {
        tm_map_free(unused_blocks(&files[i], 2, texts, -1)); /* of 14 bytes each, whoever packs */
        files[i].size -= 20 + (size_t)i;                     /* the second block, and some of the first */
        maps[i] = test_map_load(&files[i], TM_MODE_SALVAGE, NULL);
    }
    assert_int_equal(told_of(maps[0], maps[1]).num, 4);
    for (int i = 0; i < 2; i++) {
        tm_map_free(maps[i]);
        tm_buffer_release(&files[i]);
    }
}

/* A map of one layer, 5 x 3, whose block has so many of its tiles; those behind the second are air. */
static tm_map *layer_of(tm_buffer *file, size_t num_tiles)
{
    static const tm_tile tiles[5 * 3] = {{.index = 1}, {.index = 7, .flags = 1}};
    struct test_maker maker = test_maker_new();
    const int32_t data = test_maker_data(&maker, tiles, num_tiles * sizeof(*tiles));
    TEST_ITEM(&maker, TM_ITEM_VERSION, 0, 1);
    TEST_ITEM(&maker, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0, TEST_NAME3("Game"));
    TEST_ITEM(&maker, TM_ITEM_LAYER, 0, 0, 2, 0, 3, 5, 3, 1, 255, 255, 255, 255, -1, 0, -1, data,
              TEST_NAME3("Game"), -1, -1, -1, -1, -1);
    return load_made(&maker, file);
}

/* Python and JavaScript told neither that a block is short nor that a merge lacks it. */
TEST(what_a_merge_leaves_out_is_told)
{
    OWN(tm_buffer) whole, cut;
    OWN(tm_map) *base = layer_of(&whole, 5 * 3), *theirs = layer_of(&cut, 2), *ours = NULL, *merged = NULL;
    tm_conflicts *conflicts;
    uint64_t num[2];
    const struct told told = told_of(base, theirs);
    assert_int_equal(told.num, 1);
    assert_non_null(strstr(told.lines[0], "data block 0, which holds less than its object needs: added"));
    must(tm_map_clone(&ours, base, NULL));
    must(tm_map_set_text(ours, &ours->info.author, "me", NULL));
    for (int swapped = 0; swapped < 2; swapped++) {
        OWN(tm_findings) findings = test_findings();
        const tm_map *const sides[] = {swapped ? theirs : ours, swapped ? ours : theirs};
        must(tm_map_merge(&merged, &conflicts, base, sides[0], sides[1], NULL, NULL, NULL));
        must(tm_mapfile_report_left_out(&num[0], &num[1], &findings, merged, base, sides[0], sides[1], NULL,
                                        NULL));
        assert_int_equal(findings.num, num[0] + num[1]);
        if (num[swapped ? 0 : 1]) {
            char text[128];
            snprintf(text, sizeof(text),
                     "%s: 1 part that teemap does not read, and that differs, is left out",
                     swapped ? "ours" : "theirs");
            assert_string_equal(findings.list[0].text, text);
        } else {
            assert_true(told_of(merged, theirs).num == 0); /* it has the block */
        }
        assert_int_equal(num[swapped ? 1 : 0], 0);
        must(tm_mapfile_report_left_out(NULL, NULL, NULL, merged, NULL, sides[0], sides[1], NULL, NULL));
        tm_conflicts_free(conflicts);
        tm_map_free(merged);
        merged = NULL;
    }
}

TEST(maps_from_no_file_have_nothing)
{
    OWN(tm_buffer) file;
    OWN(tm_map) *made = test_map_everything(TM_GAME_DDNET), *loaded = long_items(&file, 1, 2);
    assert_int_equal(told_of(made, made).num, 0);
    assert_int_equal(told_of(loaded, loaded).num, 0);
    assert_int_equal(told_of(made, loaded).num, 2);
}

static tm_map *load_with(const tm_buffer *file, const tm_allocator *allocator)
{
    tm_map *map;
    const tm_mapfile_options options = {.size = sizeof(options), .allocator = allocator};
    must(tm_mapfile_load(&map, tm_input_from_memory(file->bytes, file->size), &options, NULL, NULL));
    return map;
}

TEST(memory_may_end)
{
    const char *const texts[] = {"one", "two", "three"};
    OWN(tm_buffer) single, other;
    tm_map_free(unused_blocks(&single, 3, texts, 0));
    tm_map_free(unused_blocks(&other, 2, texts, 1));
    EACH_FAILURE_LATER(memory) {
        struct told told = {.num = 0};
        OWN(tm_map) *a = load_with(&single, &memory.allocator), *b = load_with(&other, &memory.allocator);
        memory.fail_at = memory.num_requests + memory.n;
        const tm_status status = tm_mapfile_compare_unknown(a, b, tell, &told, NULL, NULL);
        memory.fail_at = 0;
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        assert_true(memory.failed ? told.num == 0 : memory.n > 4);
    }
}

/* -------------------------------------------------------------------------------------------------------- all the maps */

struct tally {
    uint32_t maps, packed, differ;
    tm_map *last;
};

static void check_real_map(void *ctx, const char *path)
{
    struct tally *tally = ctx;
    enum { PACKED_SIZE = 100000 };
    tm_map *map, *reloaded;
    tm_datafile_header header;
    if (tm_store_load(&map, path, NULL, NULL, NULL))
        return;
    must(tm_store_load(&reloaded, path, NULL, NULL, NULL));
    assert_int_equal(told_of(map, reloaded).num, 0);
    tm_datafile_get_header(&header, tm_mapfile_datafile(map));
    tm_map_free(reloaded);
    if (header.file_size < PACKED_SIZE && !strstr(path, "/failed/")) {
        tm_mapfile_save_options options = TM_MAPFILE_SAVE_OPTIONS_INIT;
        tm_buffer file = {0};
        const tm_output output = tm_output_to_buffer(&file);
        options.recompress = true;
        options.level = 1;
        must(tm_mapfile_save(map, &output, &options, NULL, NULL, NULL));
        reloaded = test_map_load(&file, TM_MODE_GAME, NULL);
        assert_int_equal(told_of(map, reloaded).num, 0);
        tm_map_free(reloaded);
        tm_buffer_release(&file);
        tally->packed++;
    }
    if (tally->last) { /* as many there as back */
        const uint32_t num = told_of(tally->last, map).num;
        assert_int_equal(told_of(map, tally->last).num, num);
        tally->differ += num > 0;
    }
    tm_map_free(tally->last);
    tally->last = map;
    tally->maps++;
}

TEST(files_that_hold_the_same_have_none)
{
    struct tally tally = {0};
    test_each_corpus_map(check_real_map, &tally);
    tm_map_free(tally.last);
    assert_true(tally.packed > 0 && tally.differ > 0);
    printf("%u maps, %u of them packed anew; %u of the neighbours differ in unread parts\n", tally.maps,
           tally.packed, tally.differ);
}
