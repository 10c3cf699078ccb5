/* SPDX-License-Identifier: Zlib */
/*
 * Writing the container: the test vector of docs/format.md section 8.1 byte by byte, new files that zlib
 * itself unpacks, layouts that are kept to the last byte, what changes when something changes, numbers for
 * UUID types, and what cannot be written.
 */
#include "support/test.h"
#include "datafile/datafile.h"

#include <zlib.h>

TEST(the_vector_is_written)
{
    OWN(test_bytes) expected = test_bytes_from_hex(test_vector);
    OWN(test_bytes) six = test_bytes_from_hex("010000000200000003000000040000000500000006000000");
    tm_uuid automapper = test_uuid(TEST_AUTOMAPPER);
    tm_uuid bezier = test_uuid(TEST_BEZIER);
    const int32_t one = 1;
    int32_t index;
    tm_datafile_writer *writer = test_writer_new(NULL);
    test_writer_add_ints(writer, 0, 0, 1, &one);
    must(tm_datafile_writer_add_uuid_item(writer, &automapper, &(tm_datafile_item){0, 0, 24, six.bytes, 0},
                                          TM_NONE, NULL));
    must(tm_datafile_writer_add_uuid_item(writer, &bezier, &(tm_datafile_item){0, 0, 0, NULL, 0}, TM_NONE,
                                          NULL));
    must(tm_datafile_writer_add_uuid_item(writer, &automapper, &(tm_datafile_item){0, 1, 24, six.bytes, 0},
                                          TM_NONE, NULL));
    must(tm_datafile_writer_add_item(writer, &(tm_datafile_item){6, 0, 0, NULL, 0}, TM_NONE, NULL));
    tm_datafile *packed;
    must(tm_datafile_open(&packed, tm_input_from_memory(expected.bytes, expected.size), NULL, NULL, NULL));
    for (int i = 0; i < 3; i++) {
        must(tm_datafile_writer_add_from(&index, writer, packed, (uint32_t)i, false, NULL));
        assert_int_equal(index, i);
    }
    assert_int_equal(tmi_datafile_writer_num_data(writer), 3);
    OWN(test_bytes) file = test_writer_finish(writer, NULL);
    tm_datafile_close(packed);
    test_assert_same_bytes(&file, &expected);
}

TEST(test_smallest)
{
    OWN(test_bytes) expected = test_bytes_from_hex("44415441 04000000 14000000 14000000 00000000 00000000"
                                                   "00000000 00000000 00000000");
    OWN(test_bytes) file = test_writer_finish(test_writer_new(NULL), NULL);
    test_assert_same_bytes(&file, &expected);
}

#define LARGE 100000

static uint8_t *large_block(void)
{
    static uint8_t bytes[LARGE];
    uint32_t seed = 7;
    for (size_t i = 0; i < LARGE; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[i] = seed >> 28 == 0 ? (uint8_t)(seed >> 16) : (uint8_t)(i / 100);
    }
    return bytes;
}

static tm_status fetch_large(void *ctx, void *buffer, uint64_t *size, tm_error *error)
{
    (void)error;
    ++*(int *)ctx;
    assert_int_equal(*size, LARGE);
    memcpy(buffer, large_block(), LARGE);
    return TM_OK;
}

/* Unpacks by zlib itself, as the games do. */
static void assert_zlib_reads(const struct test_bytes *file, const tm_datafile *datafile, uint32_t index,
                              const void *bytes, size_t size)
{
    static uint8_t plain[LARGE];
    tm_datafile_data data;
    uLongf got = sizeof(plain);
    assert_true(tm_datafile_get_data(&data, datafile, index));
    assert_int_equal(data.size, size);
    assert_true(data.offset + data.packed_size <= file->size);
    assert_int_equal(uncompress(plain, &got, file->bytes + data.offset, (uLong)data.packed_size), Z_OK);
    assert_int_equal(got, size);
    assert_memory_equal(plain, bytes, size);
}

static void check_new_file(int version, bool reversed, int level)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    tm_datafile_writer *writer;
    tm_datafile_header header;
    int fetched = 0;
    int32_t index;
    options.version = version;
    options.reversed_magic = reversed;
    options.level = level;
    must(tm_datafile_writer_new(&writer, &options, NULL));
    test_writer_add_ints(writer, 7, 1, 2, (const int32_t[]){5, -6});
    test_writer_add_ints(writer, 3, 0, 0, NULL);
    must(tm_datafile_writer_add_data(&index, writer, "small", 6, 0, NULL));
    must(tmi_datafile_writer_add_lazy(&index, writer, LARGE, fetch_large, &fetched, NULL));
    must(tm_datafile_writer_add_data(&index, writer, large_block(), LARGE, 12, NULL));
    OWN(test_bytes) file = test_writer_finish(writer, NULL);
    assert_int_equal(fetched, 1);
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_STRICT);
    tm_datafile_get_header(&header, datafile);
    assert_true(header.canonical);
    assert_int_equal(header.version, version);
    assert_memory_equal(header.magic, reversed ? "ATAD" : "DATA", 4);
    assert_int_equal(tm_datafile_num_items(datafile), 2);
    if (version == 4) {
        assert_zlib_reads(&file, datafile, 0, "small", 6);
        assert_zlib_reads(&file, datafile, 1, large_block(), LARGE);
        assert_zlib_reads(&file, datafile, 2, large_block(), LARGE);
        assert_int_equal(file.size > LARGE, level == -1); /* the lazy block is stored then */
    } else {
        const void *bytes;
        must(tm_datafile_data_bytes(&bytes, NULL, datafile, 2, NULL));
        assert_memory_equal(bytes, large_block(), LARGE);
    }
}

TEST(test_new_files)
{
    for (int level = -1; level <= 12; level += level < 1 ? 1 : 11)
        check_new_file(4, level == 1, level);
    check_new_file(3, false, 0);
    check_new_file(3, true, 0);
}

TEST(test_empty_data)
{
    static const uint8_t nothing[8] = {0x78, 0x9c, 3, 0, 0, 0, 0, 1};
    int32_t index;
    tm_datafile_writer *writer = test_writer_new(NULL);
    must(tm_datafile_writer_add_data(&index, writer, NULL, 0, 0, NULL));
    OWN(test_bytes) file = test_writer_finish(writer, NULL);
    assert_int_equal(file.size, 36 + 8 + 8);
    assert_memory_equal(file.bytes + 44, nothing, 8);
}

/* -------------------------------------------------------------------------------------------- conversions */

TEST(test_between_versions)
{
    for (int from = 3; from <= 4; from++) {
        OWN(test_recipe) other;
        tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
        OWN(test_recipe) recipe = test_recipe_sample(from);
        other = test_recipe_sample(7 - from);
        OWN(test_bytes) file = test_recipe_build(&recipe);
        OWN(test_bytes) expected = test_recipe_build(&other);
        OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_STRICT);
        options.version = 7 - from;
        OWN(test_bytes) converted = test_datafile_copy(datafile, &options, false, NULL);
        if (from == 4) {
            test_assert_same_bytes(&converted, &expected);
        } else { /* our packed bytes are not zlib's */
            OWN(tm_datafile) *copy = test_open_fine(NULL, &converted, TM_MODE_STRICT);
            options.version = 3;
            OWN(test_bytes) plain = test_datafile_copy(copy, &options, false, NULL);
            test_assert_same_bytes(&plain, &file);
        }
    }
}

/* Blocks that are not fine are not made anew: what is in them would be lost. */
TEST(test_recompress)
{
    OWN(test_recipe) recipe = test_recipe_sample(4);
    test_recipe_data(&recipe, large_block(), LARGE);
    test_recipe_packed(&recipe, "garbage", 7, 100);
    test_recipe_data(&recipe, "hollow", 7);
    recipe.data_sizes[5] = 1000 << 20; /* more than its bytes could ever hold */
    OWN(test_bytes) file = test_recipe_build(&recipe);
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_GAME);
    tm_datafile_writer_options options = {.size = sizeof(options), .level = -1};
    OWN(test_bytes) stored = test_datafile_copy(datafile, &options, true, NULL);
    options.level = 12;
    OWN(test_bytes) best = test_datafile_copy(datafile, &options, true, NULL);
    assert_true(stored.size > LARGE);
    assert_true(best.size < file.size);
    OWN(tm_datafile) *small = test_open_fine(NULL, &best, TM_MODE_GAME);
    assert_zlib_reads(&best, small, 3, large_block(), LARGE);
    uint8_t garbage[7];
    must(tmi_datafile_read_packed(small, 4, garbage, NULL));
    assert_memory_equal(garbage, "garbage", 7);
    tm_datafile_data hollow;
    tm_datafile_header header;
    assert_true(tm_datafile_get_data(&hollow, small, 5));
    assert_int_equal(hollow.size, hollow.packed_size * 1032);
    tm_datafile_get_header(&header, small);
    assert_memory_equal(best.bytes + header.head_size - (size_t)header.item_size - 4, "\0\0\x80\x3e", 4);
    assert_memory_equal(best.bytes + hollow.offset,
                        file.bytes + test_at_data(&recipe) + recipe.data_offsets[5],
                        (size_t)hollow.packed_size);
}

static void need_zopfli(void)
{
    if (tm_zopfli_available())
        return;
    print_message("built without zopfli\n");
    skip();
}

TEST(test_without_zopfli)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    OWN(tm_datafile_writer) *writer;
    tm_error error = {.code = TM_OK};
    options.smallest = true;
    const tm_status status = tm_datafile_writer_new(&writer, &options, &error);
    assert_int_equal(status, tm_zopfli_available() ? TM_OK : TM_ERROR_UNSUPPORTED);
    assert_true(!writer == !tm_zopfli_available());
    assert_true(tm_zopfli_available() || strstr(error.text, "zopfli"));
}

/* No block of the second file is larger, and each holds the same. */
static void assert_smaller(const tm_datafile *source, const tm_datafile *target)
{
    tm_datafile_data before, after;
    for (uint32_t i = 0; tm_datafile_get_data(&before, source, i); i++) {
        assert_true(tm_datafile_get_data(&after, target, i));
        assert_int_equal(after.size, before.size);
        assert_true(after.packed_size <= before.packed_size);
    }
}

/* Smaller than level 12, and the same content. What zopfli made stays when level 12 would be larger. */
TEST(test_by_zopfli)
{
    struct test_input input = {0};
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    need_zopfli();
    options.level = 12;
    options.smaller = options.smallest = true;
    OWN(test_recipe) recipe = test_recipe_sample(4);
    test_recipe_data(&recipe, large_block(), LARGE);
    test_recipe_data(&recipe, large_block(), 1);
    test_recipe_packed(&recipe, "garbage", 7, 100);
    OWN(test_bytes) file = test_recipe_build(&recipe);
    OWN(tm_datafile) *datafile = test_open_fine(&input, &file, TM_MODE_GAME);
    OWN(test_bytes) smallest = test_datafile_copy(datafile, &options, true, NULL);
    options.smallest = false;
    OWN(test_bytes) best = test_datafile_copy(datafile, &options, true, NULL);
    assert_true(smallest.size < best.size);
    OWN(tm_datafile) *small = test_open_fine(NULL, &smallest, TM_MODE_GAME);
    assert_zlib_reads(&smallest, small, 3, large_block(), LARGE);
    assert_zlib_reads(&smallest, small, 4, large_block(), 1);
    assert_smaller(datafile, small);
    OWN(test_bytes) copy = test_datafile_copy(small, &options, true, NULL);
    test_assert_same_bytes(&copy, &smallest);
}

static struct test_bytes file_at(const void *bytes, size_t size, int level, bool smallest)
{
    tm_datafile_writer *writer;
    int32_t index;
    const tm_datafile_writer_options options = {
        .size = sizeof(options), .level = level, .smallest = smallest};
    must(tm_datafile_writer_new(&writer, &options, NULL));
    must(tm_datafile_writer_add_data(&index, writer, bytes, size, 0, NULL));
    return test_writer_finish(writer, NULL);
}

/* What is to be stored, and blocks that are too large, are as they are without zopfli. */
TEST(test_not_for_zopfli)
{
    static const uint8_t zeros[TM_ZOPFLI_BYTES + 1];
    static const struct {
        size_t size;
        int level;
        bool same;
    } cases[] = {{1 << 18, 1, false}, {1 << 18, -1, true}, {sizeof(zeros), 1, true}};
    need_zopfli();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        OWN(test_bytes) plain = file_at(zeros, cases[i].size, cases[i].level, false);
        OWN(test_bytes) packed = file_at(zeros, cases[i].size, cases[i].level, true);
        assert_int_equal(packed.size == plain.size, cases[i].same);
        assert_true(packed.size <= plain.size);
    }
}

static struct test_bytes file_of(const void *bytes, size_t size, const tm_datafile *source, int level)
{
    tm_datafile_writer *writer;
    int32_t index;
    const int32_t one = 1;
    const tm_datafile_writer_options options = {.size = sizeof(options), .source = source, .level = level};
    must(tm_datafile_writer_new(&writer, &options, NULL));
    must(tm_datafile_writer_add_item(writer, &(tm_datafile_item){1, 0, sizeof(one), (const void *)&one, 0},
                                     source ? 0 : TM_NONE, NULL));
    must(tm_datafile_writer_add_data(&index, writer, bytes, size, 0, NULL));
    if (source)
        tmi_datafile_writer_reuse(writer, 0, 0);
    return test_writer_finish(writer, NULL);
}

static bool is_reused(const struct test_bytes *first, const void *bytes, size_t size)
{
    OWN(tm_datafile) *source = test_open_fine(NULL, first, TM_MODE_GAME);
    OWN(test_bytes) file = file_of(bytes, size, source, 1);
    return file.size == first->size && memcmp(file.bytes, first->bytes, file.size) == 0;
}

/* Bytes that are those of the source again stay packed as they are there, at whatever level that was. */
TEST(test_reuse)
{
    uint8_t bytes[4096];
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * i >> 5);
    OWN(test_bytes) first = file_of(bytes, sizeof(bytes), NULL, 12);
    assert_true(is_reused(&first, bytes, sizeof(bytes)));
    assert_false(is_reused(&first, bytes, sizeof(bytes) - 1));
    bytes[9]++;
    assert_false(is_reused(&first, bytes, sizeof(bytes)));
    bytes[9]--;
    first.bytes[first.size - 9] ^= 16; /* a source with a fault is no model, though its checksum agrees */
    assert_false(is_reused(&first, bytes, sizeof(bytes)));
}

TEST(test_uuid_numbers)
{
    tm_uuid automapper = test_uuid(TEST_AUTOMAPPER);
    tm_uuid bezier = test_uuid(TEST_BEZIER);
    tm_uuid third = test_uuid("00000000000000000000000000000003");
    OWN(test_bytes) index_body = test_bytes_from_hex("16271b3e 78398c17 1ab1d99b d80d41e0");
    tm_datafile_type type;
    tm_datafile_writer *writer = test_writer_new(NULL);
    must(tm_datafile_writer_add_uuid_item(writer, &bezier, &(tm_datafile_item){0, 0, 0, NULL, 0}, TM_NONE,
                                          NULL));
    must(tm_datafile_writer_add_uuid_item(writer, &automapper, &(tm_datafile_item){0, 0, 0, NULL, 0}, TM_NONE,
                                          NULL));
    must(tm_datafile_writer_add_uuid_item(writer, &third, &(tm_datafile_item){0, 0, 0, NULL, 0}, TM_NONE,
                                          NULL));
    test_writer_add_ints(writer, 0xFFFE, 0, 0, NULL); /* plain items with these numbers */
    test_writer_add_ints(writer, 0xFFFC, 0, 0, NULL);
    must(tm_datafile_writer_add_item(writer, &(tm_datafile_item){0xFFFF, 0x9123, 16, index_body.bytes, 0},
                                     TM_NONE, NULL));
    must(tm_datafile_writer_add_item(writer, &(tm_datafile_item){0xFFFF, 0xFFFB, 16, index_body.bytes, 0},
                                     TM_NONE, NULL));
    OWN(test_bytes) file = test_writer_finish(writer, NULL);
    OWN(tm_datafile) *datafile = test_open_fine(NULL, &file, TM_MODE_STRICT);
    assert_true(tm_datafile_find_uuid(&type, datafile, &automapper));
    assert_int_equal(type.type, 0x9123); /* as the first index item says */
    assert_int_equal(type.num, 1);
    assert_true(tm_datafile_find_uuid(&type, datafile, &bezier));
    assert_int_equal(type.type, 0xFFFD);
    assert_true(tm_datafile_find_uuid(&type, datafile, &third));
    assert_int_equal(type.type, 0xFFFA);
    assert_true(tm_datafile_find_type(&type, datafile, 0xFFFF));
    assert_int_equal(type.num, 4);
}

TEST(test_no_numbers_left)
{
    tm_uuid uuid = test_uuid(TEST_BEZIER);
    struct test_counter counter;
    tm_output output = test_counter_output(&counter);
    tm_datafile_writer *writer = test_writer_new(NULL);
    for (int type = 0x8001; type <= 0xFFFE; type++)
        test_writer_add_ints(writer, (uint16_t)type, 0, 0, NULL);
    must(tm_datafile_writer_add_uuid_item(writer, &uuid, &(tm_datafile_item){0, 0, 0, NULL, 0}, TM_NONE,
                                          NULL));
    assert_int_equal(tm_datafile_writer_finish(writer, &output, NULL, NULL, NULL), TM_ERROR_LIMIT);
    assert_int_equal(counter.writes, 0);
}

/* ----------------------------------------------------------------------------------------------- refusals */

static tm_status never_fetch(void *ctx, void *buffer, uint64_t *size, tm_error *error)
{
    (void)ctx, (void)buffer, (void)size, (void)error;
    fail_msg("fetched for a file that cannot be");
    return TM_OK;
}

TEST(test_too_large)
{
    struct test_counter counter;
    tm_output output = test_counter_output(&counter);
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    tm_datafile_writer *writer;
    tm_error error = {.code = TM_OK};
    int32_t index;
    options.version = 3; /* sizes are known without packing */
    must(tm_datafile_writer_new(&writer, &options, NULL));
    assert_int_equal(
        tmi_datafile_writer_add_lazy(&index, writer, (uint64_t)INT32_MAX + 1, never_fetch, NULL, NULL),
        TM_ERROR_LIMIT);
    assert_int_equal(index, TM_NONE);
    for (int i = 0; i < 3; i++)
        must(tmi_datafile_writer_add_lazy(&index, writer, 800 << 20, never_fetch, NULL, NULL));
    assert_int_equal(tm_datafile_writer_finish(writer, &output, NULL, NULL, &error), TM_ERROR_LIMIT);
    assert_int_equal(error.code, TM_ERROR_LIMIT);
    assert_int_equal(counter.writes + counter.copies, 0);

    /* The data alone would fit, size would not. */
    must(tm_datafile_writer_new(&writer, &options, NULL));
    must(tmi_datafile_writer_add_lazy(&index, writer, INT32_MAX - 20, never_fetch, NULL, NULL));
    assert_int_equal(tm_datafile_writer_finish(writer, &output, NULL, NULL, &error), TM_ERROR_LIMIT);
    assert_int_equal(counter.writes + counter.copies, 0);
}

TEST(test_misuse)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    tm_datafile_writer *writer;
    int32_t index;
    options.version = 5;
    assert_int_equal(tm_datafile_writer_new(&writer, &options, NULL), TM_ERROR_USAGE);
    assert_null(writer);
    options.version = 0;
    options.level = 13;
    assert_int_equal(tm_datafile_writer_new(&writer, &options, NULL), TM_ERROR_USAGE);
    writer = test_writer_new(NULL);
    assert_int_equal(tm_datafile_writer_add_item(
                         writer, &(tm_datafile_item){0, 0, 5, (const void *)"abcde", 0}, TM_NONE, NULL),
                     TM_ERROR_USAGE);
    assert_int_equal(
        tm_datafile_writer_add_item(writer, &(tm_datafile_item){0, 0, 4, NULL, 0}, TM_NONE, NULL),
        TM_ERROR_USAGE);
    assert_int_equal(tm_datafile_writer_add_data(&index, writer, "x", 1, 13, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_datafile_writer_add_data(&index, writer, NULL, 1, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_datafile_writer_add_from(&index, writer, NULL, 0, false, NULL), TM_ERROR_USAGE);
    assert_int_equal(tmi_datafile_writer_num_data(writer), 0);
    OWN(test_bytes) file = test_writer_finish(writer, NULL);
    assert_int_equal(file.size, 36);
    tm_datafile_writer_free(NULL);
    tm_datafile_writer_free(test_writer_new(NULL));
}
