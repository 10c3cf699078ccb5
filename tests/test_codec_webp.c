/* SPDX-License-Identifier: Zlib */
/*
 * WebP: what libwebp's decoder reads is what was written, or near it if lossy; without libwebp it is refused.
 */
#include "codec/codec.h"
#include "support/pixels.h"
#include "support/test.h"

static tm_webp_options with(int quality, bool opaque, bool small)
{
    tm_webp_options options = TM_WEBP_OPTIONS_INIT;
    options.quality = quality;
    options.opaque = opaque;
    options.smallest = small;
    return options;
}

/* In portions of seven rows. */
static tm_status write_webp(const tm_output *output, const uint8_t *pixels, uint32_t width, uint32_t height,
                            const tm_webp_options *options, tm_error *error)
{
    tm_webp_writer *writer;
    const size_t stride = (size_t)width * 4;
    TM_TRY(tm_webp_writer_new(&writer, output, width, height, options, error));
    for (uint32_t y = 0; y < height; y += 7)
        must(tm_webp_writer_rows(writer, pixels + y * stride, height - y < 7 ? height - y : 7, stride, NULL));
    return tm_webp_writer_finish(writer, error);
}

TEST(without_libwebp_it_is_refused)
{
    if (tm_webp_available()) /* `./run ports` builds without it */
        return;
    const uint8_t pixel[4] = {0};
    tm_buffer buffer = {0};
    tm_output output = tm_output_to_buffer(&buffer);
    tm_error error;
    fails_with(TM_ERROR_UNSUPPORTED, "cannot write WebP: this library was built without libwebp",
               write_webp(&output, pixel, 1, 1, NULL, &error));
    tm_animation_options options = TM_ANIMATION_OPTIONS_INIT;
    tm_animation *animation;
    options.format = TM_ANIMATION_WEBP;
    assert_int_equal(tm_animation_new(&animation, &output,
                                      &(tm_frames){sizeof(tm_frames), 1, 1, 1, 0, NULL, NULL}, &options,
                                      &error),
                     TM_ERROR_UNSUPPORTED);
    assert_null(animation);
    assert_int_equal(buffer.size, 0);
}

TEST(impossible_pictures_are_refused)
{
    if (!tm_webp_available())
        skip();
    tm_buffer buffer = {0};
    tm_output output = tm_output_to_buffer(&buffer);
    tm_webp_options options = with(101, false, false);
    tm_webp_writer *writer;
    tm_error error;
    fails_with(TM_ERROR_UNSUPPORTED, "cannot write WebP of 16384 x 1 pixels: each side is 1 to 16383",
               tm_webp_writer_new(&writer, &output, 16384, 1, NULL, &error));
    assert_null(writer);
    assert_int_equal(tm_webp_writer_new(&writer, &output, 1, 0, NULL, NULL), TM_ERROR_UNSUPPORTED);
    assert_int_equal(tm_webp_writer_new(&writer, &output, 1, 1, &options, NULL), TM_ERROR_USAGE);
    assert_int_equal(buffer.size, 0);
}

TEST(rows_must_be_as_many_as_were_promised)
{
    if (!tm_webp_available())
        skip();
    FREED uint8_t *pixels = test_pixels(8, 8);
    tm_buffer buffer = {0};
    tm_output output = tm_output_to_buffer(&buffer);
    tm_webp_writer *writer;
    must(tm_webp_writer_new(&writer, &output, 8, 8, NULL, NULL));
    must(tm_webp_writer_rows(writer, pixels, 7, 32, NULL));
    assert_int_equal(tm_webp_writer_rows(writer, pixels, 2, 32, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_webp_writer_finish(writer, NULL), TM_ERROR_USAGE);
    assert_int_equal(buffer.size, 0);
}

TEST(a_failing_output_is_reported_as_it_failed)
{
    if (!tm_webp_available())
        skip();
    FREED uint8_t *pixels = test_pixels(64, 64);
    for (int quality = 0; quality < 100; quality += 50) {
        tm_webp_options options = with(quality, false, false);
        OWN(tm_buffer) webp = {0};
        tm_output output = tm_output_to_buffer(&webp);
        must(write_webp(&output, pixels, 64, 64, &options, NULL));
        for (size_t room = 0; room < webp.size; room += webp.size / 9) {
            size_t left = room;
            tm_output full = {&left, test_full_disk, NULL};
            tm_error error;
            fails_with(TM_ERROR_IO, "the disk is full", write_webp(&full, pixels, 64, 64, &options, &error));
        }
    }
}

TEST(no_failed_request_leaks)
{
    if (!tm_webp_available())
        skip();
    FREED uint8_t *pixels = test_pixels(20, 20);
    EACH_FAILURE(memory) {
        tm_webp_options options = with(0, false, false);
        options.allocator = &memory.allocator;
        OWN(tm_buffer) buffer = {0};
        tm_output output = tm_output_to_buffer(&buffer);
        tm_status status = write_webp(&output, pixels, 20, 20, &options, NULL);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

#ifdef TEEMAP_TEST_WEBP
#include <webp/decode.h>

/* Mean difference of the channels that count. */
static double compare(const tm_buffer *webp, const uint8_t *pixels, uint32_t width, uint32_t height,
                      bool opaque)
{
    int got_width, got_height;
    uint64_t sum = 0;
    uint8_t *decoded = WebPDecodeRGBA(webp->bytes, webp->size, &got_width, &got_height);
    assert_non_null(decoded);
    assert_int_equal(got_width, width);
    assert_int_equal(got_height, height);
    for (size_t i = 0; i < (size_t)width * height * 4; i++) {
        const int wanted = opaque && i % 4 == 3 ? 255 : pixels[i];
        sum += (uint64_t)abs(decoded[i] - wanted);
    }
    WebPFree(decoded);
    return (double)sum / (width * height * 4.0);
}

TEST(pictures_come_back_as_they_went)
{
    static const uint32_t sizes[][2] = {{1, 1}, {16, 16}, {333, 7}, {1, 500}, {100, 70}, {16383, 1}};
    for (size_t i = 0; i < TMI_COUNT_OF(sizes); i++) {
        const uint32_t width = sizes[i][0], height = sizes[i][1];
        FREED uint8_t *pixels = test_pixels(width, height);
        for (int way = 0; way < 4; way++) {
            tm_webp_options options = with(0, way & 1, way & 2);
            OWN(tm_buffer) webp = {0};
            tm_output output = tm_output_to_buffer(&webp);
            must(write_webp(&output, pixels, width, height, &options, NULL));
            assert_true(compare(&webp, pixels, width, height, options.opaque) == 0);
        }
    }
}

TEST(quality_costs_bytes)
{
    enum { WIDTH = 320, HEIGHT = 200 };
    FREED uint8_t *pixels = test_pixels(WIDTH, HEIGHT);
    for (int small = 0; small < 2; small++) {
        size_t size = 0;
        double error = 40;
        for (int quality = 10; quality <= 90; quality += 40) {
            tm_webp_options options = with(quality, true, small);
            OWN(tm_buffer) webp = {0};
            tm_output output = tm_output_to_buffer(&webp);
            must(write_webp(&output, pixels, WIDTH, HEIGHT, &options, NULL));
            double now = compare(&webp, pixels, WIDTH, HEIGHT, true);
            assert_true(webp.size > size);
            assert_true(now > 0 && now < error);
            size = webp.size;
            error = now;
        }
    }
}
#else
TEST(pictures_come_back_as_they_went)
{
    skip();
}

TEST(quality_costs_bytes)
{
    skip();
}
#endif

static tm_buffer some_webp(const uint8_t *pixels, uint32_t width, uint32_t height, int quality)
{
    tm_webp_options options = with(quality, false, false);
    tm_buffer webp = {0};
    tm_output output = tm_output_to_buffer(&webp);
    must(write_webp(&output, pixels, width, height, &options, NULL));
    return webp;
}

TEST(pictures_are_read_by_their_first_bytes)
{
    uint8_t *pixels = test_pixels(37, 20), *decoded;
    uint32_t width, height;
    struct test_memory memory;
    tm_buffer png = {0};
    tm_output output = tm_output_to_buffer(&png);
    must(tm_png_write(&output, pixels, 37, 20, NULL, NULL));
    must(tm_picture_read(&decoded, &width, &height, png.bytes, png.size, 0, NULL, NULL));
    assert_true(width == 37 && height == 20);
    assert_memory_equal(decoded, pixels, 37 * 20 * 4);
    free(decoded);
    tm_buffer_release(&png);
    if (tm_webp_available()) {
        OWN(tm_buffer) webp = some_webp(pixels, 37, 20, 0);
        test_memory_init(&memory);
        must(tm_picture_read(&decoded, &width, &height, webp.bytes, webp.size, 37 * 20 * 4, &memory.allocator,
                             NULL));
        assert_true(width == 37 && height == 20);
        assert_memory_equal(decoded, pixels, 37 * 20 * 4);
        memory.allocator.resize(memory.allocator.ctx, decoded, 37 * 20 * 4, 0);
        assert_int_equal(memory.num_blocks, 0);
    }
    free(pixels);
}

TEST(odd_webp_is_refused)
{
    if (!tm_webp_available())
        skip();
    uint8_t *pixels = test_pixels(37, 20), *decoded;
    uint32_t width, height;
    struct test_memory memory = TEST_MEMORY(memory);
    tm_error error;
    OWN(tm_buffer) webp = some_webp(pixels, 37, 20, 0);
    for (size_t size = 0; size < webp.size; size++) { /* a chunk is filled up to an even size */
        const tm_status status =
            tm_picture_read(&decoded, &width, &height, webp.bytes, size, 0, &memory.allocator, &error);
        assert_true(status == TM_ERROR_DAMAGED || (status == TM_OK && size + 1 == webp.size));
        if (!status)
            memory.allocator.resize(memory.allocator.ctx, decoded, 37 * 20 * 4, 0);
        assert_int_equal(memory.num_blocks, 0);
    }
    assert_int_equal(
        tm_picture_read(&decoded, &width, &height, webp.bytes, webp.size, 37 * 20 * 4 - 1, NULL, &error),
        TM_ERROR_LIMIT);
    assert_null(decoded);
    memory.fail_at = memory.num_requests + 1;
    assert_int_equal(
        tm_picture_read(&decoded, &width, &height, webp.bytes, webp.size, 0, &memory.allocator, NULL),
        TM_ERROR_MEMORY);
    tm_buffer_release(&webp);
    tm_animation_options options = TM_ANIMATION_OPTIONS_INIT;
    tm_animation *animation;
    tm_output output = tm_output_to_buffer(&webp);
    options.format = TM_ANIMATION_WEBP;
    must(tm_animation_new(&animation, &output,
                          &(tm_frames){sizeof(tm_frames), 37, 20, 2, 1000000, NULL, NULL}, &options, NULL));
    must(tm_animation_frame(animation, pixels, 37 * 4, NULL));
    pixels[0] ^= 255;
    must(tm_animation_frame(animation, pixels, 37 * 4, NULL));
    must(tm_animation_finish(animation, NULL));
    fails(TM_ERROR_UNSUPPORTED, "an animation",
          tm_picture_read(&decoded, &width, &height, webp.bytes, webp.size, 0, NULL, &error));
    free(pixels);
}
