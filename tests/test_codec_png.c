/* SPDX-License-Identifier: Zlib */
/*
 * PNG: pictures come back as they went, whichever way they are packed; chunks and stream hold up against zlib alone; the
 * bytes depend neither on threads nor on portions; bad PNG does no harm.
 *
 * test-labels: threads
 */
#include "codec/png.h"
#include "support/lib_failing.h"
#include "support/pixels.h"
#include "support/test.h"

#include <zlib.h>

static tm_png_options with(uint64_t whole_bytes, bool opaque, bool small)
{
    tm_png_options options = TM_PNG_OPTIONS_INIT;
    options.whole_bytes = whole_bytes;
    options.opaque = opaque;
    options.smallest = small;
    return options;
}

static tm_buffer write_png(const uint8_t *pixels, uint32_t width, uint32_t height,
                           const tm_png_options *options)
{
    tm_buffer buffer = {0};
    tm_output output = tm_output_to_buffer(&buffer);
    must(tm_png_write(&output, pixels, width, height, options, NULL));
    return buffer;
}

static uint32_t get_u32_be(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Walks over the chunks and unpacks the stream with zlib, no filters being used: the rows must be the pixels'. */
static void check_by_hand(const tm_buffer *png, const uint8_t *pixels, uint32_t width, uint32_t height,
                          uint32_t channels)
{
    uLongf size = (uLongf)height * (width * channels + 1);
    FREED uint8_t *packed = malloc(png->size), *rows = malloc(size + 1);
    size_t packed_size = 0, at = 8;
    assert_memory_equal(png->bytes, "\x89PNG\r\n\x1a\n", 8);
    for (int i = 0; at < png->size; i++) {
        const uint8_t *chunk = png->bytes + at;
        assert_true(png->size - at >= 12);
        size_t length = get_u32_be(chunk);
        assert_true(length <= png->size - at - 12);
        assert_int_equal(get_u32_be(chunk + 8 + length), crc32(0, chunk + 4, (uInt)length + 4));
        at += length + 12;
        const char *name = i == 0 ? "IHDR" : at == png->size ? "IEND" : "IDAT";
        assert_memory_equal(chunk + 4, name, 4);
        if (chunk[5] == 'D') {
            memcpy(packed + packed_size, chunk + 8, length);
            packed_size += length;
        }
    }
    assert_memory_equal(png->bytes + 24, channels == 4 ? "\x08\x06\0\0\0" : "\x08\x02\0\0\0", 5);
    size++;
    assert_int_equal(uncompress(rows, &size, packed, packed_size), Z_OK);
    assert_int_equal(size, (size_t)height * (width * channels + 1));
    for (size_t y = 0; y < height; y++) {
        const uint8_t *row = rows + y * (width * channels + 1), *source = pixels + y * width * 4;
        assert_int_equal(row[0], 0);
        for (size_t x = 0; x < width; x++)
            if (memcmp(row + 1 + x * channels, source + x * 4, channels) != 0)
                fail_msg("pixel %zu in row %zu differs", x, y);
    }
}

/* By the library itself. */
static void check_back(const tm_buffer *png, const uint8_t *pixels, uint32_t width, uint32_t height,
                       bool opaque)
{
    uint8_t *decoded;
    uint32_t back_width, back_height;
    const size_t count = (size_t)width * height;
    must(tm_png_read(&decoded, &back_width, &back_height, png->bytes, png->size, 0, NULL, NULL));
    assert_int_equal(back_width, width);
    assert_int_equal(back_height, height);
    for (size_t i = 0; i < count; i++)
        if (memcmp(decoded + i * 4, pixels + i * 4, opaque ? 3 : 4) != 0 ||
            (opaque && decoded[i * 4 + 3] != 255))
            fail_msg("pixel %zu differs", i);
    tm_free(NULL, decoded, count * 4);
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static const uint32_t sizes[][2] = {{1, 1}, {16, 16}, {333, 7}, {1, 500}, {700, 1000}, {300000, 5}};

TEST(pictures_come_back_as_they_went)
{
    for (size_t i = 0; i < TMI_COUNT_OF(sizes); i++) {
        const uint32_t width = sizes[i][0], height = sizes[i][1];
        FREED uint8_t *pixels = test_pixels(width, height);
        for (int way = 0; way < 4; way++) {
            tm_png_options options = with(way & 1, way & 2, false);
            OWN(tm_buffer) png = write_png(pixels, width, height, &options);
            check_by_hand(&png, pixels, width, height, way & 2 ? 3 : 4);
            check_back(&png, pixels, width, height, way & 2);
        }
    }
}

TEST(three_channels_come_back_opaque)
{
    const uint8_t pixels[] = {1, 2, 3, 250, 251, 252};
    uint8_t *decoded;
    uint32_t width, height;
    tm_png_options options = {.size = sizeof(options), .channels = 3};
    OWN(tm_buffer) png = write_png(pixels, 2, 1, &options);
    must(tm_png_read(&decoded, &width, &height, png.bytes, png.size, 8, NULL, NULL));
    assert_memory_equal(decoded, "\x01\x02\x03\xFF\xFA\xFB\xFC\xFF", 8);
    tm_free(NULL, decoded, 8);
}

/* Pictures of which the smaller file has filters, and such of which it has none; each in one go and in pieces. */
TEST(small_is_smaller_and_the_same)
{
    enum { WIDTH = 600, HEIGHT = 500 };
    FREED uint8_t *pixels = test_pixels(WIDTH, HEIGHT);
    for (int soft = 0; soft < 2; soft++) {
        for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
            const size_t x = i % WIDTH, y = i / WIDTH;
            for (size_t c = 0; soft && c < 4; c++)
                pixels[i * 4 + c] = (uint8_t)((x * x / 40 + y * y * (c + 1) / 90) / 8);
        }
        for (int way = 0; way < 4; way++) {
            tm_png_options options = with(way & 1, way & 2, false);
            OWN(tm_buffer) fast = write_png(pixels, WIDTH, HEIGHT, &options);
            options.smallest = true;
            OWN(tm_buffer) small = write_png(pixels, WIDTH, HEIGHT, &options);
            assert_true(small.size < fast.size);
            check_back(&small, pixels, WIDTH, HEIGHT, way & 2);
        }
    }
}

/* Writes the picture in portions of `step` rows that lie apart in memory and are overwritten afterwards. */
static tm_buffer write_in_portions(const uint8_t *pixels, uint32_t width, uint32_t height, uint32_t step,
                                   const tm_png_options *options)
{
    tm_buffer buffer = {0};
    tm_output output = tm_output_to_buffer(&buffer);
    tm_png_writer *writer;
    const size_t size = (size_t)width * 4, stride = size + 12;
    FREED uint8_t *portion = malloc(step * stride);
    assert_non_null(portion);
    must(tm_png_writer_new(&writer, &output, width, height, options, NULL));
    for (uint32_t y = 0; y < height; y += step) {
        const uint32_t num = height - y < step ? height - y : step;
        memset(portion, 0x55, step * stride);
        for (uint32_t i = 0; i < num; i++)
            memcpy(portion + i * stride, pixels + (y + i) * size, size);
        must(tm_png_writer_rows(writer, portion, num, stride, NULL));
    }
    memset(portion, 0xAA, step * stride);
    must(tm_png_writer_finish(writer, NULL));
    return buffer;
}

TEST(neither_portions_nor_threads_change_a_byte)
{
    enum { WIDTH = 500, HEIGHT = 2500 }; /* five pieces, the last one shorter */
    static const uint32_t steps[] = {1, 523, 525, 1100};
    FREED uint8_t *pixels = test_pixels(WIDTH, HEIGHT);
    for (uint64_t whole = 0; whole < 2; whole++) {
        tm_png_options options = with(whole, false, false);
        OWN(tm_buffer) expected = write_png(pixels, WIDTH, HEIGHT, &options);
        for (uint32_t threads = 1; threads <= 4; threads += 2) {
            OWN(tm_sys_threads) *pool;
            must(tm_sys_threads_new(&pool, threads, NULL, NULL));
            options.executor = tm_sys_threads_executor(pool);
            for (size_t i = 0; i < TMI_COUNT_OF(steps); i++) {
                OWN(tm_buffer) png = write_in_portions(pixels, WIDTH, HEIGHT, steps[i], &options);
                assert_int_equal(png.size, expected.size);
                assert_memory_equal(png.bytes, expected.bytes, png.size);
            }
        }
    }
}

TEST(rows_must_be_as_many_as_were_promised)
{
    FREED uint8_t *pixels = test_pixels(8, 8);
    for (uint64_t whole = 0; whole < 2; whole++) {
        OWN(tm_buffer) buffer = {0};
        tm_output output = tm_output_to_buffer(&buffer);
        tm_png_options options = with(whole, false, false);
        tm_png_writer *writer;
        must(tm_png_writer_new(&writer, &output, 8, 8, &options, NULL));
        must(tm_png_writer_rows(writer, pixels, 7, 32, NULL));
        assert_int_equal(tm_png_writer_rows(writer, pixels, 2, 32, NULL), TM_ERROR_USAGE);
        assert_int_equal(tm_png_writer_finish(writer, NULL), TM_ERROR_USAGE); /* a row is missing */
    }
}

TEST(impossible_pictures_are_refused)
{
    tm_buffer buffer = {0};
    tm_output output = tm_output_to_buffer(&buffer);
    tm_png_options options = TM_PNG_OPTIONS_INIT;
    uint8_t pixel[4] = {0};
    options.channels = 2;
    assert_int_equal(tm_png_write(&output, pixel, 1, 1, &options, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_png_write(&output, pixel, 0, 1, NULL, NULL), TM_ERROR_UNSUPPORTED);
    assert_int_equal(tm_png_write(&output, pixel, 1, UINT32_MAX, NULL, NULL), TM_ERROR_UNSUPPORTED);
    assert_int_equal(buffer.size, 0);
}

/* ----------------------------------------------------------------------------------------------------------- faults */

TEST(a_failing_output_is_reported_as_it_failed)
{
    enum { WIDTH = 512, HEIGHT = 2000 };
    FREED uint8_t *pixels = test_pixels(WIDTH, HEIGHT);
    for (uint64_t whole = 0; whole < 2; whole++) {
        tm_png_options options = with(whole, false, false);
        OWN(tm_buffer) png = write_png(pixels, WIDTH, HEIGHT, &options);
        for (size_t room = 0; room < png.size; room += room < 60 ? 3 : png.size / 7) {
            size_t left = room;
            tm_output output = {&left, test_full_disk, NULL};
            tm_error error;
            fails_with(TM_ERROR_IO, "the disk is full",
                       tm_png_write(&output, pixels, WIDTH, HEIGHT, &options, &error));
        }
    }
}

TEST(no_failed_request_leaks)
{
    enum { WIDTH = 30, HEIGHT = 40 };
    FREED uint8_t *pixels = test_pixels(WIDTH, HEIGHT);
    for (int way = 0; way < 4; way++) {
        EACH_FAILURE(memory) {
            tm_png_options options = with(way & 1, false, way & 2);
            options.allocator = &memory.allocator;
            OWN(tm_buffer) buffer = {0};
            tm_output output = tm_output_to_buffer(&buffer);
            tm_status status = tm_png_write(&output, pixels, WIDTH, HEIGHT, &options, NULL);
            assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
            if (!memory.failed)
                assert_true(memory.n > 3);
        }
    }
}

/* What is packed in pieces takes memory for the pieces, however large the picture is. */
TEST(a_large_picture_takes_little_memory)
{
    enum { WIDTH = 2000, HEIGHT = 6000, STEP = 500 };
    struct test_memory memory = TEST_MEMORY(memory);
    tm_png_options options = with(0, true, false);
    options.allocator = &memory.allocator;
    FREED uint8_t *pixels = test_pixels(WIDTH, STEP);
    size_t left = SIZE_MAX;
    tm_output output = {&left, test_full_disk, NULL};
    tm_png_writer *writer;
    must(tm_png_writer_new(&writer, &output, WIDTH, HEIGHT, &options, NULL));
    for (uint32_t y = 0; y < HEIGHT; y += STEP)
        must(tm_png_writer_rows(writer, pixels, STEP, (size_t)WIDTH * 4, NULL));
    must(tm_png_writer_finish(writer, NULL));
    assert_true(memory.most_bytes < (size_t)5 << 20);
    assert_true(left < SIZE_MAX);
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static void put_u32_be(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* A head that claims 16384 x 16384 pixels must not cost a gibibyte: so short a file cannot hold them. */
TEST(a_claim_alone_costs_no_memory)
{
    uint8_t pixel[4] = {1, 2, 3, 4}, *decoded;
    uint32_t width, height;
    OWN(tm_buffer) png = write_png(pixel, 1, 1, NULL);
    put_u32_be(png.bytes + 16, 16384);
    put_u32_be(png.bytes + 20, 16384);
    put_u32_be(png.bytes + 29, (uint32_t)crc32(0, png.bytes + 12, 17));
    struct test_memory memory = TEST_MEMORY(memory);
    tm_error error;
    assert_int_equal(
        tm_png_read(&decoded, &width, &height, png.bytes, png.size, 0, &memory.allocator, &error),
        TM_ERROR_DAMAGED);
    assert_null(decoded);
    assert_int_equal(width, 0);
    assert_int_equal(memory.num_requests, 0);
    assert_int_equal(
        tm_png_read(&decoded, &width, &height, png.bytes, png.size, 1000000, &memory.allocator, &error),
        TM_ERROR_LIMIT);
}

TEST(broken_pictures_are_refused)
{
    uint8_t *pixels = test_pixels(40, 30), *decoded;
    uint32_t width, height;
    OWN(tm_buffer) png = write_png(pixels, 40, 30, NULL);
    struct test_memory memory = TEST_MEMORY(memory);
    for (size_t size = 0; size + 12 < png.size; size += size < 100 ? 1 : 37) {
        assert_int_not_equal(
            tm_png_read(&decoded, &width, &height, png.bytes, size, 0, &memory.allocator, NULL), TM_OK);
        assert_null(decoded);
        assert_int_equal(memory.num_blocks, 0);
    }
    for (size_t at = 0; at < 60;
         at++) { /* flips in the head may leave another good picture, but never a leak */
        png.bytes[at] ^= 0x10;
        if (tm_png_read(&decoded, &width, &height, png.bytes, png.size, 1 << 24, &memory.allocator, NULL) ==
            TM_OK)
            tm_free(&memory.allocator, decoded, (size_t)width * height * 4);
        assert_int_equal(memory.num_blocks, 0);
        png.bytes[at] ^= 0x10;
    }
    memory.fail_at = memory.num_requests + 1;
    assert_int_equal(tm_png_read(&decoded, &width, &height, png.bytes, png.size, 0, &memory.allocator, NULL),
                     TM_ERROR_MEMORY);
    free(pixels);
}

/* Writes a chunk behind what is there; returns its size. */
static size_t put_chunk(uint8_t *bytes, const char *name, const void *data, size_t size)
{
    put_u32_be(bytes, (uint32_t)size);
    memcpy(bytes + 4, name, 4);
    memcpy(bytes + 8, data, size);
    put_u32_be(bytes + 8 + size, (uint32_t)crc32(0, bytes + 4, (uInt)size + 4));
    return size + 12;
}

/* A PNG of any kind with random rows and random filters, its stream in three IDATs; returns its size. */
static size_t make_any_png(uint8_t *png, uint32_t width, uint32_t height, uint8_t depth, uint8_t color,
                           bool interlaced)
{
    static const uint8_t channels[] = {1, 0, 3, 1, 2, 0, 4};
    static uint8_t rows[4000], packed[5000], palette[768];
    const size_t row_size = (width * depth * channels[color] + 7) / 8 + 1;
    uLongf packed_size = sizeof(packed);
    uint8_t head[13] = {0};
    uint32_t seed = depth * 8u + color;
    for (size_t i = 0; i < row_size * height; i++) {
        seed = seed * 1664525 + 1013904223;
        rows[i] = (uint8_t)(i % row_size ? seed >> (seed >> 29) : (seed >> 24) % 5);
        palette[i % sizeof(palette)] = (uint8_t)(seed >> 20);
    }
    assert_int_equal(compress(packed, &packed_size, rows, (uLong)(row_size * height)), Z_OK);
    put_u32_be(head, width);
    put_u32_be(head + 4, height);
    head[8] = depth;
    head[9] = color;
    head[12] = interlaced;
    memcpy(png, "\x89PNG\r\n\x1a\n", 8);
    size_t at = 8 + put_chunk(png + 8, "IHDR", head, 13);
    if (color == 3) {
        at += put_chunk(png + at, "PLTE", palette, 3u << depth);
        at += put_chunk(png + at, "tRNS", palette + 100, 2);
    } else if (color == 2 || color == 0) {
        at += put_chunk(png + at, "tRNS", rows + 5, color == 2 ? 6 : 2);
    }
    at += put_chunk(png + at, "IDAT", packed, 1);
    at += put_chunk(png + at, "IDAT", packed + 1, 0);
    at += put_chunk(png + at, "IDAT", packed + 1, packed_size - 1);
    at += put_chunk(png + at, "tEXt", "a", 2);
    return at + put_chunk(png + at, "IEND", "", 0);
}

static uint8_t any_png[8000];
static size_t any_png_size;

static tm_status decode_any_png(const tm_allocator *allocator)
{
    tmi_png_pixels out = {NULL, 0, 0};
    const tm_status status =
        tmi_png_decode(&out, &(tmi_picture_file){any_png, any_png_size, 0, allocator}, NULL);
    assert_int_equal(!out.bytes, status != TM_OK);
    tm_free(allocator, out.bytes, (size_t)out.width * out.height * 4);
    return status;
}

/* Where there is no libpng to ask, a file was called damaged for which there was no memory. */
TEST(no_memory_is_no_damage)
{
    any_png_size = make_any_png(any_png, 19, 23, 8, 6, false);
    test_memory_fail_each(decode_any_png);
}

/* What is read of whole files is what libpng reads, or fails to read in the same words; returns whether it was read. */
static bool check_short_cut(const uint8_t *png, size_t size)
{
    uint8_t *fast, *slow;
    uint32_t sizes_read[4];
    tm_error fast_error = {0}, slow_error = {0};
    tm_status status =
        tm_png_read(&fast, &sizes_read[0], &sizes_read[1], png, size, 1 << 24, NULL, &fast_error);
    assert_int_equal(tmi_png_read_slowly(&slow, &sizes_read[2], &sizes_read[3],
                                         &(tmi_picture_file){png, size, 1 << 24, NULL}, &slow_error),
                     status);
    assert_string_equal(fast_error.text, slow_error.text);
    assert_memory_equal(sizes_read, sizes_read + 2, 8);
    const size_t pixels_size = (size_t)sizes_read[0] * sizes_read[1] * 4;
    if (status == TM_OK)
        assert_memory_equal(fast, slow, pixels_size);
    tm_free(NULL, fast, pixels_size);
    tm_free(NULL, slow, pixels_size);
    return status == TM_OK;
}

/* A JPEG was "cannot read PNG: end of stream", as if a PNG had been cut. */
TEST(what_is_no_png_is_told_so)
{
    static const uint8_t jpeg[] = {0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0, 1};
    uint8_t *pixels;
    uint32_t width, height;
    tm_error error = {0};
    fails_with(TM_ERROR_DAMAGED, "not a PNG: wrong first bytes",
               tm_png_read(&pixels, &width, &height, jpeg, sizeof(jpeg), 0, NULL, &error));
    assert_null(pixels);
}

TEST(whole_files_are_read_as_by_libpng)
{
    static const uint8_t kinds[][2] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {8, 2}, {16, 2}, {1, 3},
                                       {2, 3}, {4, 3}, {8, 3}, {8, 4}, {16, 4}, {8, 6}, {16, 6}};
    static uint8_t png[8000];
    for (size_t i = 0; i < TMI_COUNT_OF(kinds); i++) {
        const size_t size = make_any_png(png, 19, 23, kinds[i][0], kinds[i][1], false);
        assert_true(check_short_cut(png, size));
        for (size_t at = 0; at < size; at += at < 200 ? 1 : 7) {
            const uint8_t bit = (uint8_t)(1 << at % 8);
            png[at] ^= bit;
            (void)check_short_cut(png, size);
            png[at] ^= bit;
            (void)check_short_cut(png, at);
        }
        (void)check_short_cut(png, make_any_png(png, 19, 23, kinds[i][0], kinds[i][1], true));
    }
    /* Blocks of 65535 bytes: rows of 257 bytes (64 x 4 and one) fill one exactly. */
    for (uint32_t height = 254; height < 257; height++) {
        FREED uint8_t *pixels = test_pixels(64, height);
        OWN(tm_buffer) file = write_png(pixels, 64, height, NULL);
        assert_true(check_short_cut(file.bytes, file.size));
        check_back(&file, pixels, 64, height, false);
    }
}

TEST(the_head_tells_the_size)
{
    static const uint8_t pixels[7 * 3 * 4];
    OWN(tm_buffer) png = write_png(pixels, 7, 3, NULL);
    uint32_t width, height;
    for (size_t size = 0; size <= png.size; size++) {
        const tm_input input = tm_input_from_memory(png.bytes, size);
        assert_int_equal(tm_png_size(&width, &height, &input), size >= 24);
        assert_int_equal(width, size >= 24 ? 7 : 0);
        assert_int_equal(height, size >= 24 ? 3 : 0);
    }
    for (size_t i = 0; i < 16; i++) {
        const tm_input input = tm_input_from_memory(png.bytes, png.size);
        png.bytes[i] ^= 1;
        assert_false(tm_png_size(&width, &height, &input));
        png.bytes[i] ^= 1;
    }
}
