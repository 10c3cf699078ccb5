/* SPDX-License-Identifier: Zlib */
/*
 * Writing the container: the test vector of docs/format.md section 8.1 byte by byte, new files that zlib
 * itself unpacks, layouts that are kept to the last byte, what changes when something changes, numbers for
 * UUID types, and what cannot be written.
 */
#include "support/lib_datafile.h"
#include "datafile/datafile.h"

#include <teemap/codec.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#define AUTOMAPPER "3e1b2716-178c-3978-9bd9-b11ae0410dd8"
#define BEZIER     "3ab4f84d-d9cc-3c78-b585-0d6ccdb2e25c"

static const char *const vector =
    "44415441 04000000 33010000 10010000 05000000 07000000 03000000 8c000000 23000000"
    "00000000 00000000 01000000  06000000 01000000 01000000  fdff0000 02000000 01000000"
    "feff0000 03000000 02000000  ffff0000 05000000 02000000"
    "00000000 0c000000 14000000 1c000000 3c000000 5c000000 74000000"
    "00000000 0b000000 17000000  03000000 04000000 04000000"
    "00000000 04000000 01000000   00000600 00000000   0000fdff 00000000"
    "0000feff 18000000 01000000 02000000 03000000 04000000 05000000 06000000"
    "0100feff 18000000 01000000 02000000 03000000 04000000 05000000 06000000"
    "feffffff 10000000 16271b3e 78398c17 1ab1d99b d80d41e0"
    "fdffffff 10000000 4df8b43a 783cccd9 6c0d85b5 5ce2b2cd"
    "789ccbc864000002 0d00d2  789c4b4c4a660000 03740127  78da4b4c4a660000 03740127";

static void test_vector(void **state)
{
    struct test_bytes expected = test_bytes_from_hex(vector);
    struct test_bytes six = test_bytes_from_hex("010000000200000003000000040000000500000006000000");
    const uint8_t *packed = expected.bytes + 288;
    tm_uuid automapper = test_uuid(AUTOMAPPER);
    tm_uuid bezier = test_uuid(BEZIER);
    const int32_t one = 1;
    int32_t index;
    (void)state;
    tm_datafile_writer *writer = test_writer_new(NULL);
    test_writer_add_ints(writer, 0, 0, 1, &one);
    assert_int_equal(tm_datafile_writer_add_uuid_item(writer, &automapper, 0, six.bytes, 24, TM_NONE, NULL),
                     TM_OK);
    assert_int_equal(tm_datafile_writer_add_uuid_item(writer, &bezier, 0, NULL, 0, TM_NONE, NULL), TM_OK);
    assert_int_equal(tm_datafile_writer_add_uuid_item(writer, &automapper, 1, six.bytes, 24, TM_NONE, NULL),
                     TM_OK);
    assert_int_equal(tm_datafile_writer_add_item(writer, 6, 0, NULL, 0, TM_NONE, NULL), TM_OK);
    assert_int_equal(tmi_datafile_writer_add_packed(writer, &index, packed, 11, 3, NULL), TM_OK);
    assert_int_equal(index, 0);
    assert_int_equal(tmi_datafile_writer_add_packed(writer, &index, packed + 11, 12, 4, NULL), TM_OK);
    assert_int_equal(tmi_datafile_writer_add_packed(writer, &index, packed + 23, 12, 4, NULL), TM_OK);
    assert_int_equal(index, 2);
    assert_int_equal(tmi_datafile_writer_num_data(writer), 3);
    struct test_bytes file = test_writer_finish(writer, NULL);
    test_assert_same_bytes(&file, &expected);
    test_bytes_release(&file);
    test_bytes_release(&six);
    test_bytes_release(&expected);
}

static void test_smallest(void **state)
{
    struct test_bytes expected = test_bytes_from_hex("44415441 04000000 14000000 14000000 00000000 00000000"
                                                     "00000000 00000000 00000000");
    (void)state;
    struct test_bytes file = test_writer_finish(test_writer_new(NULL), NULL);
    test_assert_same_bytes(&file, &expected);
    test_bytes_release(&file);
    test_bytes_release(&expected);
}

/* ---------------------------------------------------------------------------------------------- new files */

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

static tm_status fetch_large(void *ctx, void *buffer, uint64_t size, tm_error *error)
{
    (void)error;
    ++*(int *)ctx;
    assert_int_equal(size, LARGE);
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
    assert_true(tm_datafile_get_data(datafile, index, &data));
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
    struct test_input input = {0};
    tm_datafile_header header;
    int fetched = 0;
    int32_t index;
    options.version = version;
    options.reversed_magic = reversed;
    options.level = level;
    assert_int_equal(tm_datafile_writer_new(&writer, &options, NULL), TM_OK);
    test_writer_add_ints(writer, 7, 1, 2, (const int32_t[]){5, -6});
    test_writer_add_ints(writer, 3, 0, 0, NULL);
    assert_int_equal(tm_datafile_writer_add_data(writer, &index, "small", 6, 0, NULL), TM_OK);
    assert_int_equal(tmi_datafile_writer_add_lazy(writer, &index, LARGE, 0, fetch_large, &fetched, NULL),
                     TM_OK);
    assert_int_equal(tm_datafile_writer_add_data(writer, &index, large_block(), LARGE, 12, NULL), TM_OK);
    struct test_bytes file = test_writer_finish(writer, NULL);
    assert_int_equal(fetched, 1);
    tm_datafile *datafile = test_open_fine(&input, &file, TM_MODE_STRICT);
    tm_datafile_get_header(datafile, &header);
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
        assert_int_equal(tm_datafile_data_bytes(datafile, 2, &bytes, NULL, NULL), TM_OK);
        assert_memory_equal(bytes, large_block(), LARGE);
    }
    tm_datafile_close(datafile);
    test_bytes_release(&file);
}

static void test_new_files(void **state)
{
    (void)state;
    for (int level = -1; level <= 12; level += level < 1 ? 1 : 11)
        check_new_file(4, level == 1, level);
    check_new_file(3, false, 0);
    check_new_file(3, true, 0);
}

static void test_empty_data(void **state)
{
    static const uint8_t nothing[8] = {0x78, 0x9c, 3, 0, 0, 0, 0, 1};
    int32_t index;
    (void)state;
    tm_datafile_writer *writer = test_writer_new(NULL);
    assert_int_equal(tm_datafile_writer_add_data(writer, &index, NULL, 0, 0, NULL), TM_OK);
    struct test_bytes file = test_writer_finish(writer, NULL);
    assert_int_equal(file.size, 36 + 8 + 8);
    assert_memory_equal(file.bytes + 44, nothing, 8);
    test_bytes_release(&file);
}

/* -------------------------------------------------------------------------------------------- conversions */

static struct test_bytes copy(const tm_datafile *datafile, const tm_datafile_writer_options *options,
                              bool recompress, tm_findings *findings)
{
    tm_buffer buffer = {NULL, 0, 0, NULL};
    tm_output output = tm_output_to_buffer(&buffer);
    assert_int_equal(tm_datafile_copy(datafile, &output, options, recompress, NULL, findings, NULL), TM_OK);
    struct test_bytes bytes = test_bytes_copy(buffer.bytes, buffer.size);
    tm_buffer_release(&buffer);
    return bytes;
}

static void test_between_versions(void **state)
{
    (void)state;
    for (int from = 3; from <= 4; from++) {
        struct test_recipe recipe;
        struct test_recipe other;
        struct test_input input = {0};
        struct test_input again = {0};
        tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
        test_recipe_sample(&recipe, from);
        test_recipe_sample(&other, 7 - from);
        struct test_bytes file = test_recipe_build(&recipe);
        struct test_bytes expected = test_recipe_build(&other);
        tm_datafile *datafile = test_open_fine(&input, &file, TM_MODE_STRICT);
        options.version = 7 - from;
        struct test_bytes converted = copy(datafile, &options, false, NULL);
        if (from == 4) {
            test_assert_same_bytes(&converted, &expected);
        } else { /* our packed bytes are not zlib's */
            tm_datafile *back = test_open_fine(&again, &converted, TM_MODE_STRICT);
            options.version = 3;
            struct test_bytes plain = copy(back, &options, false, NULL);
            test_assert_same_bytes(&plain, &file);
            test_bytes_release(&plain);
            tm_datafile_close(back);
        }
        tm_datafile_close(datafile);
        test_bytes_release(&converted);
        test_bytes_release(&expected);
        test_bytes_release(&file);
        test_recipe_release(&other);
        test_recipe_release(&recipe);
    }
}

/* Blocks that are not fine are not made anew: what is in them would be lost. */
static void test_recompress(void **state)
{
    struct test_recipe recipe;
    struct test_input input = {0};
    struct test_input again = {0};
    (void)state;
    test_recipe_sample(&recipe, 4);
    test_recipe_data(&recipe, large_block(), LARGE);
    test_recipe_packed(&recipe, "garbage", 7, 100);
    test_recipe_data(&recipe, "hollow", 7);
    recipe.data_sizes[5] = 1000 << 20; /* more than its bytes could ever hold */
    struct test_bytes file = test_recipe_build(&recipe);
    tm_datafile *datafile = test_open_fine(&input, &file, TM_MODE_GAME);
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    options.level = -1;
    struct test_bytes stored = copy(datafile, &options, true, NULL);
    options.level = 12;
    struct test_bytes best = copy(datafile, &options, true, NULL);
    assert_true(stored.size > LARGE);
    assert_true(best.size < file.size);
    tm_datafile *small = test_open_fine(&again, &best, TM_MODE_GAME);
    assert_zlib_reads(&best, small, 3, large_block(), LARGE);
    uint8_t garbage[7];
    assert_int_equal(tmi_datafile_read_packed(small, 4, garbage, 7, NULL), TM_OK);
    assert_memory_equal(garbage, "garbage", 7);
    tm_datafile_data hollow;
    tm_datafile_header header;
    assert_true(tm_datafile_get_data(small, 5, &hollow));
    assert_int_equal(hollow.size, hollow.packed_size * 1032);
    tm_datafile_get_header(small, &header);
    assert_memory_equal(best.bytes + header.head_size - (size_t)header.item_size - 4, "\0\0\x80\x3e", 4);
    assert_memory_equal(best.bytes + hollow.offset,
                        file.bytes + test_at_data(&recipe) + recipe.data_offsets[5],
                        (size_t)hollow.packed_size);
    tm_datafile_close(small);
    tm_datafile_close(datafile);
    test_bytes_release(&stored);
    test_bytes_release(&best);
    test_bytes_release(&file);
    test_recipe_release(&recipe);
}

/* ------------------------------------------------------------------------------------------------ smallest */

static void need_zopfli(void)
{
    if (tm_zopfli_available())
        return;
    print_message("built without zopfli\n");
    skip();
}

static void test_without_zopfli(void **state)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    tm_datafile_writer *writer;
    tm_error error = {.code = TM_OK};
    (void)state;
    options.smallest = true;
    const tm_status status = tm_datafile_writer_new(&writer, &options, &error);
    assert_int_equal(status, tm_zopfli_available() ? TM_OK : TM_ERROR_UNSUPPORTED);
    assert_true(!writer == !tm_zopfli_available());
    assert_true(tm_zopfli_available() || strstr(error.text, "zopfli"));
    tm_datafile_writer_free(writer);
}

/* No block of the second file is larger, and each holds the same. */
static void assert_smaller(const tm_datafile *from, const tm_datafile *to)
{
    tm_datafile_data before, after;
    for (uint32_t i = 0; tm_datafile_get_data(from, i, &before); i++) {
        assert_true(tm_datafile_get_data(to, i, &after));
        assert_int_equal(after.size, before.size);
        assert_true(after.packed_size <= before.packed_size);
    }
}

/* Smaller than level 12, and the same content. What zopfli made stays when level 12 would be larger. */
static void test_by_zopfli(void **state)
{
    struct test_recipe recipe;
    struct test_input input = {0}, again = {0};
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    (void)state;
    need_zopfli();
    options.level = 12;
    options.smaller = options.smallest = true;
    test_recipe_sample(&recipe, 4);
    test_recipe_data(&recipe, large_block(), LARGE);
    test_recipe_data(&recipe, large_block(), 1);
    test_recipe_packed(&recipe, "garbage", 7, 100);
    struct test_bytes file = test_recipe_build(&recipe);
    tm_datafile *datafile = test_open_fine(&input, &file, TM_MODE_GAME);
    struct test_bytes smallest = copy(datafile, &options, true, NULL);
    options.smallest = false;
    struct test_bytes best = copy(datafile, &options, true, NULL);
    assert_true(smallest.size < best.size);
    tm_datafile *small = test_open_fine(&again, &smallest, TM_MODE_GAME);
    assert_zlib_reads(&smallest, small, 3, large_block(), LARGE);
    assert_zlib_reads(&smallest, small, 4, large_block(), 1);
    assert_smaller(datafile, small);
    struct test_bytes same = copy(small, &options, true, NULL);
    test_assert_same_bytes(&same, &smallest);
    tm_datafile_close(small);
    tm_datafile_close(datafile);
    test_bytes_release(&same);
    test_bytes_release(&smallest);
    test_bytes_release(&best);
    test_bytes_release(&file);
    test_recipe_release(&recipe);
}

static struct test_bytes file_at(const void *bytes, size_t size, int level, bool smallest)
{
    tm_datafile_writer *writer;
    int32_t index;
    const tm_datafile_writer_options options = {
        .size = sizeof(options), .level = level, .smallest = smallest};
    assert_int_equal(tm_datafile_writer_new(&writer, &options, NULL), TM_OK);
    assert_int_equal(tm_datafile_writer_add_data(writer, &index, bytes, size, 0, NULL), TM_OK);
    return test_writer_finish(writer, NULL);
}

/* What is to be stored, and blocks that are too large, are as they are without zopfli. */
static void test_not_for_zopfli(void **state)
{
    static const uint8_t zeros[TM_ZOPFLI_BYTES + 1];
    static const struct {
        size_t size;
        int level;
        bool same;
    } cases[] = {{1 << 18, 1, false}, {1 << 18, -1, true}, {sizeof(zeros), 1, true}};
    (void)state;
    need_zopfli();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct test_bytes without = file_at(zeros, cases[i].size, cases[i].level, false);
        struct test_bytes with = file_at(zeros, cases[i].size, cases[i].level, true);
        assert_int_equal(with.size == without.size, cases[i].same);
        assert_true(with.size <= without.size);
        test_bytes_release(&with);
        test_bytes_release(&without);
    }
}

struct counter {
    int writes, copies;
    uint64_t copied;
};

static tm_status count_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    (void)bytes;
    (void)size;
    (void)error;
    ((struct counter *)ctx)->writes++;
    return TM_OK;
}

static tm_status count_copy(void *ctx, const tm_input *input, uint64_t offset, uint64_t size, tm_error *error)
{
    struct counter *counter = ctx;
    (void)error;
    assert_true(offset <= input->size && size <= input->size - offset);
    counter->copies++;
    counter->copied += size;
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- UUIDs */

static struct test_bytes file_of(const void *bytes, size_t size, const tm_datafile *source, int level)
{
    tm_datafile_writer *writer;
    int32_t index;
    const int32_t one = 1;
    const tm_datafile_writer_options options = {.size = sizeof(options), .source = source, .level = level};
    assert_int_equal(tm_datafile_writer_new(&writer, &options, NULL), TM_OK);
    assert_int_equal(tm_datafile_writer_add_item(writer, 1, 0, &one, sizeof(one), source ? 0 : TM_NONE, NULL),
                     TM_OK);
    assert_int_equal(tm_datafile_writer_add_data(writer, &index, bytes, size, 0, NULL), TM_OK);
    if (source) {
        assert_int_equal(tmi_datafile_writer_reuse(writer, 0, 1, NULL), TM_ERROR_USAGE);
        assert_int_equal(tmi_datafile_writer_reuse(writer, 1, 0, NULL), TM_ERROR_USAGE);
        assert_int_equal(tmi_datafile_writer_reuse(writer, 0, 0, NULL), TM_OK);
    }
    return test_writer_finish(writer, NULL);
}

static bool is_reused(const struct test_bytes *first, const void *bytes, size_t size)
{
    struct test_input input = {0};
    tm_datafile *source = test_open_fine(&input, first, TM_MODE_GAME);
    struct test_bytes file = file_of(bytes, size, source, 1);
    const bool same = file.size == first->size && memcmp(file.bytes, first->bytes, file.size) == 0;
    test_bytes_release(&file);
    tm_datafile_close(source);
    return same;
}

/* Bytes that are those of the source again stay packed as they are there, at whatever level that was. */
static void test_reuse(void **state)
{
    uint8_t bytes[4096];
    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * i >> 5);
    struct test_bytes first = file_of(bytes, sizeof(bytes), NULL, 12);
    assert_true(is_reused(&first, bytes, sizeof(bytes)));
    assert_false(is_reused(&first, bytes, sizeof(bytes) - 1));
    bytes[9]++;
    assert_false(is_reused(&first, bytes, sizeof(bytes)));
    bytes[9]--;
    first.bytes[first.size - 9] ^= 16; /* a source with a fault is no model, though its checksum agrees */
    assert_false(is_reused(&first, bytes, sizeof(bytes)));
    test_bytes_release(&first);
}

static void test_uuid_numbers(void **state)
{
    struct test_input input = {0};
    tm_uuid automapper = test_uuid(AUTOMAPPER);
    tm_uuid bezier = test_uuid(BEZIER);
    tm_uuid third = test_uuid("00000000000000000000000000000003");
    struct test_bytes index_body = test_bytes_from_hex("16271b3e 78398c17 1ab1d99b d80d41e0");
    tm_datafile_type type;
    (void)state;
    tm_datafile_writer *writer = test_writer_new(NULL);
    assert_int_equal(tm_datafile_writer_add_uuid_item(writer, &bezier, 0, NULL, 0, TM_NONE, NULL), TM_OK);
    assert_int_equal(tm_datafile_writer_add_uuid_item(writer, &automapper, 0, NULL, 0, TM_NONE, NULL), TM_OK);
    assert_int_equal(tm_datafile_writer_add_uuid_item(writer, &third, 0, NULL, 0, TM_NONE, NULL), TM_OK);
    test_writer_add_ints(writer, 0xFFFE, 0, 0, NULL); /* plain items with these numbers */
    test_writer_add_ints(writer, 0xFFFC, 0, 0, NULL);
    assert_int_equal(tm_datafile_writer_add_item(writer, 0xFFFF, 0x9123, index_body.bytes, 16, TM_NONE, NULL),
                     TM_OK);
    assert_int_equal(tm_datafile_writer_add_item(writer, 0xFFFF, 0xFFFB, index_body.bytes, 16, TM_NONE, NULL),
                     TM_OK);
    struct test_bytes file = test_writer_finish(writer, NULL);
    tm_datafile *datafile = test_open_fine(&input, &file, TM_MODE_STRICT);
    assert_true(tm_datafile_find_uuid(datafile, &automapper, &type));
    assert_int_equal(type.type, 0x9123); /* as the first index item says */
    assert_int_equal(type.num, 1);
    assert_true(tm_datafile_find_uuid(datafile, &bezier, &type));
    assert_int_equal(type.type, 0xFFFD);
    assert_true(tm_datafile_find_uuid(datafile, &third, &type));
    assert_int_equal(type.type, 0xFFFA);
    assert_true(tm_datafile_find_type(datafile, 0xFFFF, &type));
    assert_int_equal(type.num, 4);
    tm_datafile_close(datafile);
    test_bytes_release(&file);
    test_bytes_release(&index_body);
}

static void test_no_numbers_left(void **state)
{
    tm_uuid uuid = test_uuid(BEZIER);
    struct counter counter = {0, 0, 0};
    tm_output output = {&counter, count_write, count_copy};
    (void)state;
    tm_datafile_writer *writer = test_writer_new(NULL);
    for (int type = 0x8001; type <= 0xFFFE; type++)
        test_writer_add_ints(writer, (uint16_t)type, 0, 0, NULL);
    assert_int_equal(tm_datafile_writer_add_uuid_item(writer, &uuid, 0, NULL, 0, TM_NONE, NULL), TM_OK);
    assert_int_equal(tm_datafile_writer_finish(writer, &output, NULL, NULL, NULL), TM_ERROR_LIMIT);
    assert_int_equal(counter.writes, 0);
}

/* ----------------------------------------------------------------------------------------------- refusals */

static tm_status never_fetch(void *ctx, void *buffer, uint64_t size, tm_error *error)
{
    (void)ctx;
    (void)buffer;
    (void)size;
    (void)error;
    fail_msg("fetched for a file that cannot be");
    return TM_OK;
}

static void test_too_large(void **state)
{
    struct counter counter = {0, 0, 0};
    tm_output output = {&counter, count_write, count_copy};
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    tm_datafile_writer *writer;
    tm_error error = {.code = TM_OK};
    int32_t index;
    (void)state;
    options.version = 3; /* sizes are known without packing */
    assert_int_equal(tm_datafile_writer_new(&writer, &options, NULL), TM_OK);
    assert_int_equal(
        tmi_datafile_writer_add_lazy(writer, &index, (uint64_t)INT32_MAX + 1, 0, never_fetch, NULL, NULL),
        TM_ERROR_LIMIT);
    assert_int_equal(index, TM_NONE);
    for (int i = 0; i < 3; i++)
        assert_int_equal(tmi_datafile_writer_add_lazy(writer, &index, 800 << 20, 0, never_fetch, NULL, NULL),
                         TM_OK);
    assert_int_equal(tm_datafile_writer_finish(writer, &output, NULL, NULL, &error), TM_ERROR_LIMIT);
    assert_int_equal(error.code, TM_ERROR_LIMIT);
    assert_int_equal(counter.writes + counter.copies, 0);

    /* The data alone would fit, size would not. */
    assert_int_equal(tm_datafile_writer_new(&writer, &options, NULL), TM_OK);
    assert_int_equal(tmi_datafile_writer_add_lazy(writer, &index, INT32_MAX - 20, 0, never_fetch, NULL, NULL),
                     TM_OK);
    assert_int_equal(tm_datafile_writer_finish(writer, &output, NULL, NULL, &error), TM_ERROR_LIMIT);
    assert_int_equal(counter.writes + counter.copies, 0);
}

static void test_misuse(void **state)
{
    tm_datafile_writer_options options = TM_DATAFILE_WRITER_OPTIONS_INIT;
    tm_datafile_writer *writer;
    int32_t index;
    (void)state;
    options.version = 5;
    assert_int_equal(tm_datafile_writer_new(&writer, &options, NULL), TM_ERROR_USAGE);
    assert_null(writer);
    options.version = 0;
    options.level = 13;
    assert_int_equal(tm_datafile_writer_new(&writer, &options, NULL), TM_ERROR_USAGE);
    writer = test_writer_new(NULL);
    assert_int_equal(tm_datafile_writer_add_item(writer, 0, 0, "abcde", 5, TM_NONE, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_datafile_writer_add_item(writer, 0, 0, NULL, 4, TM_NONE, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_datafile_writer_add_data(writer, &index, "x", 1, 13, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_datafile_writer_add_data(writer, &index, NULL, 1, 0, NULL), TM_ERROR_USAGE);
    assert_int_equal(tmi_datafile_writer_add_lazy(writer, &index, 1, 0, NULL, NULL, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_datafile_writer_add_from(writer, &index, NULL, 0, false, NULL), TM_ERROR_USAGE);
    assert_int_equal(tmi_datafile_writer_num_data(writer), 0);
    struct test_bytes file = test_writer_finish(writer, NULL);
    assert_int_equal(file.size, 36);
    test_bytes_release(&file);
    tm_datafile_writer_free(NULL);
    tm_datafile_writer_free(test_writer_new(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector),           cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_new_files),        cmocka_unit_test(test_empty_data),
        cmocka_unit_test(test_between_versions), cmocka_unit_test(test_recompress),
        cmocka_unit_test(test_without_zopfli),   cmocka_unit_test(test_by_zopfli),
        cmocka_unit_test(test_not_for_zopfli),   cmocka_unit_test(test_reuse),
        cmocka_unit_test(test_uuid_numbers),     cmocka_unit_test(test_no_numbers_left),
        cmocka_unit_test(test_too_large),        cmocka_unit_test(test_misuse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
