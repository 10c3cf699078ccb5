/* SPDX-License-Identifier: Zlib */
/*
 * Packing by zopfli in parts: what comes out is one stream that zlib reads, whatever the number of threads, and
 * smaller; progress is told and cancelling heard between the parts. And small blocks, which are packed in two ways.
 *
 * test-labels: threads
 * test-timeout: 300
 */
#include "support/lib_jobs.h"
#include "support/test.h"

#include <zlib.h>

enum { PART = 1000000 }; /* bytes */

/* Runs of one byte, and now and then something else: quick to pack. */
static uint8_t *plain_bytes(size_t size)
{
    uint8_t *bytes = malloc(size);
    uint32_t seed = 5;
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) {
        if (i % 5000 == 0)
            seed = seed * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(i % 5000 < 40 ? seed >> (i % 24) : seed >> 24);
    }
    return bytes;
}

static tm_status write_file(tm_buffer *out, const void *bytes, size_t size, bool smallest, const tm_job *job,
                            const tm_allocator *allocator)
{
    tm_datafile_writer *writer;
    int32_t index;
    const tm_output output = tm_output_to_buffer(out);
    const tm_datafile_writer_options options = {
        .size = sizeof(options), .allocator = allocator, .level = 12, .smallest = smallest};
    tm_status status = tm_datafile_writer_new(&writer, &options, NULL);
    if (status)
        return status;
    status = tm_datafile_writer_add_data(&index, writer, bytes, size, 0, NULL);
    if (!status)
        return tm_datafile_writer_finish(writer, &output, job, NULL, NULL);
    tm_datafile_writer_free(writer);
    return status;
}

static void assert_holds(const tm_buffer *file, const uint8_t *bytes, size_t size)
{
    OWN(tm_datafile) *datafile;
    tm_datafile_data data;
    uLongf got = (uLongf)size;
    FREED uint8_t *plain = malloc(size);
    assert_non_null(plain);
    must(tm_datafile_open(&datafile, tm_input_from_memory(file->bytes, file->size), NULL, NULL, NULL));
    assert_true(tm_datafile_get_data(&data, datafile, 0));
    assert_int_equal(uncompress(plain, &got, file->bytes + data.offset, (uLong)data.packed_size), Z_OK);
    assert_int_equal(got, size);
    assert_memory_equal(plain, bytes, size);
}

static void need_zopfli(void)
{
    if (tm_zopfli_available())
        return;
    print_message("built without zopfli\n");
    skip();
}

/* Used to be one piece of work, and silent for minutes. */
TEST(parts_become_one_stream)
{
    static const size_t sizes[] = {1, PART, PART + 1, 2 * PART + 4321};
    need_zopfli();
    FREED uint8_t *bytes = plain_bytes(2 * PART + 4321);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        OWN(tm_buffer) alone = {0}, many = {0}, quick = {0};
        test_watch seen = {0};
        tm_job job = test_job(false, &seen);
        must(write_file(&alone, bytes, sizes[i], true, &job, NULL));
        assert_int_equal(seen.calls, (sizes[i] + PART - 1) / PART);
        assert_int_equal(seen.last, seen.total);
        assert_false(seen.wrong);
        assert_int_equal(seen.total, sizes[i]);
        assert_holds(&alone, bytes, sizes[i]);
        job = test_job(true, NULL);
        must(write_file(&many, bytes, sizes[i], true, &job, NULL));
        assert_int_equal(many.size, alone.size);
        assert_memory_equal(many.bytes, alone.bytes, alone.size);
        must(write_file(&quick, bytes, sizes[i], false, NULL, NULL));
        assert_true(alone.size <= quick.size);
        assert_true(sizes[i] < PART || alone.size < quick.size);
    }
}

TEST(cancelling_is_heard_between_parts)
{
    need_zopfli();
    const size_t size = 2 * PART + 1;
    FREED uint8_t *bytes = plain_bytes(size);
    OWN(tm_buffer) file = {0};
    test_watch seen = {.cancel_at = 1};
    const tm_job job = test_job(false, &seen);
    assert_int_equal(write_file(&file, bytes, size, true, &job, NULL), TM_ERROR_CANCELLED);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(file.size, 0);
}

/* The n-th request fails, for every n. (Zopfli's own memory is malloc's.) */
TEST(memory_may_run_out)
{
    uint8_t bytes[300];
    need_zopfli();
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i % 7 * i);
    EACH_FAILURE(memory) {
        OWN(tm_buffer) file = {0};
        const tm_status status = write_file(&file, bytes, sizeof(bytes), true, NULL, &memory.allocator);
        assert_true(status == TM_OK || (memory.failed && status == TM_ERROR_MEMORY));
    }
}

/* The size of a file with the bytes, which were not packed before. */
static size_t repacked_size(const void *bytes, size_t size, int level, bool smaller)
{
    OWN(tm_buffer) first = {0}, made = {0};
    const tm_output to_first = tm_output_to_buffer(&first), output = tm_output_to_buffer(&made);
    tm_datafile_writer *writer;
    OWN(tm_datafile) *datafile;
    int32_t index;
    const tm_datafile_writer_options loose = {.size = sizeof(loose), .level = -1};
    must(tm_datafile_writer_new(&writer, &loose, NULL));
    must(tm_datafile_writer_add_data(&index, writer, bytes, size, 0, NULL));
    must(tm_datafile_writer_finish(writer, &to_first, NULL, NULL, NULL));
    must(tm_datafile_open(&datafile, tm_input_from_memory(first.bytes, first.size), NULL, NULL, NULL));
    const tm_datafile_writer_options hard = {.size = sizeof(hard), .level = level, .smaller = smaller};
    must(tm_datafile_copy(datafile, &output, &hard, true, NULL, NULL, NULL));
    assert_holds(&made, bytes, size);
    return made.size;
}

/* Level 12 makes 87 bytes of this, level 9 makes 83: the smaller one is kept. */
TEST(an_easy_level_may_be_smaller)
{
    enum { SIDE = 50 };
    uint8_t tiles[SIDE * SIDE][4] = {{0}};
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        tiles[i][0] = i / SIDE % 7 == 3 || i % SIDE == 9 || (i * 31) % 211 == 5;
    assert_true(repacked_size(tiles, sizeof(tiles), 12, true) <=
                repacked_size(tiles, sizeof(tiles), 9, false));
}

/* Of a picture that is blank but for a few cells, map_optimize's zlib made 1.7 % less than we did. */
TEST(long_runs_are_packed_as_zlib_does)
{
    enum { SIZE = 1 << 22, STEP = 20011 };
    FREED uint8_t *bytes = calloc(SIZE, 1);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < SIZE - 64; i += STEP)
        for (uint32_t k = 0; k < 4; k++)
            bytes[i + k * ((i >> 4) % 7 + 1)] = (uint8_t)(i * 31 >> 5);
    const uLong bound = compressBound(SIZE);
    FREED uint8_t *packed = malloc(bound);
    uLongf by_zlib = bound;
    assert_non_null(packed);
    assert_int_equal(compress2(packed, &by_zlib, bytes, SIZE, 9), Z_OK);
    const size_t hard = repacked_size(bytes, SIZE, 12, false),
                 smallest = repacked_size(bytes, SIZE, 12, true);
    assert_true(smallest <= hard);
    assert_true(smallest <= by_zlib + 60); /* the head of the file */
}

TEST_GROUP(test_jobs_begin, test_jobs_end)
