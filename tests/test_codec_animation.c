/* SPDX-License-Identifier: Zlib */
/*
 * Animations: each frame that a reader shows is the one that went in, for the time that was asked for, and what does not
 * change costs next to nothing. APNG is taken apart by hand here, WebP by libwebp.
 */
#include "codec/codec.h"
#include "support/lib_frames.h"
#include "support/pixels.h"
#include "support/test.h"

static tm_animation_format formats[4];

static tm_status write_frames(const tm_output *output, uint32_t num, uint64_t duration,
                              const tm_animation_options *options, tm_error *error)
{
    tm_animation *animation;
    tm_status status = TM_OK;
    TM_TRY(tm_animation_new(&animation, output,
                            &(tm_frames){sizeof(tm_frames), WIDTH, HEIGHT, num, duration, NULL, NULL},
                            options, error));
    for (uint32_t i = 0; status == TM_OK && i < num; i++)
        status = tm_animation_frame(animation, test_frames[i], (size_t)WIDTH * 4, error);
    if (status == TM_OK)
        return tm_animation_finish(animation, error);
    tm_animation_free(animation);
    return status;
}

static tm_buffer make(uint32_t num, uint64_t duration, const tm_animation_options *options)
{
    tm_buffer buffer = {0};
    tm_output output = tm_output_to_buffer(&buffer);
    must(write_frames(&output, num, duration, options, NULL));
    return buffer;
}

static uint32_t get_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_u32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* The chunk at *at, of which it must be one with this name; *at moves behind it. */
static const uint8_t *take_chunk(const tm_buffer *file, size_t *index, const char *name, size_t *size)
{
    assert_true(file->size - *index >= 12);
    const uint8_t *chunk = file->bytes + *index;
    *size = get_u32(chunk);
    assert_true(*size <= file->size - *index - 12);
    assert_memory_equal(chunk + 4, name, 4);
    assert_int_equal(get_u32(chunk + 8 + *size), tm_crc32(0, chunk + 4, *size + 4));
    *index += 12 + *size;
    return chunk + 8;
}

static void add_chunk(tm_buffer *file, const char *name, const uint8_t *data, size_t size)
{
    tm_output output = tm_output_to_buffer(file);
    uint8_t head[8], tail[4];
    put_u32(head, (uint32_t)size);
    memcpy(head + 4, name, 4);
    put_u32(tail, tm_crc32(tm_crc32(0, name, 4), data, size));
    must(output.write(output.ctx, head, 8, NULL));
    if (size)
        must(output.write(output.ctx, data, size, NULL));
    must(output.write(output.ctx, tail, 4, NULL));
}

/* A part of the animation as a PNG of its own, laid over what is shown. */
static void show(uint8_t *shown, const uint8_t *head, const uint8_t *control, const uint8_t *data,
                 size_t size)
{
    OWN(tm_buffer) png = {0};
    tm_output output = tm_output_to_buffer(&png);
    uint8_t ihdr[13], *part;
    uint32_t width, height;
    const uint32_t x = get_u32(control + 12), y = get_u32(control + 16);
    memcpy(ihdr, control + 4, 8);
    memcpy(ihdr + 8, head + 8, 5);
    must(output.write(output.ctx, "\x89PNG\r\n\x1a\n", 8, NULL));
    add_chunk(&png, "IHDR", ihdr, 13);
    add_chunk(&png, "IDAT", data, size);
    add_chunk(&png, "IEND", NULL, 0);
    must(tm_png_read(&part, &width, &height, png.bytes, png.size, 0, NULL, NULL));
    assert_true(x + width <= WIDTH && y + height <= HEIGHT);
    for (uint32_t row = 0; row < height; row++)
        memcpy(shown + ((size_t)(y + row) * WIDTH + x) * 4, part + (size_t)row * width * 4,
               (size_t)width * 4);
    tm_free(NULL, part, (size_t)width * height * 4);
}

static void check_apng(const tm_buffer *file, uint32_t num, uint32_t num_plays, bool opaque)
{
    static uint8_t shown[SIZE];
    size_t at = 8, size;
    uint32_t number = 0;
    const uint8_t *head = take_chunk(file, &at, "IHDR", &size);
    const uint8_t *count = take_chunk(file, &at, "acTL", &size);
    assert_int_equal(size, 8);
    assert_int_equal(get_u32(count), num);
    assert_int_equal(get_u32(count + 4), num_plays);
    for (uint32_t i = 0; i < num; i++) {
        const uint8_t *control = take_chunk(file, &at, "fcTL", &size);
        assert_int_equal(size, 26);
        assert_int_equal(get_u32(control), number++);
        assert_int_equal(control[24] << 8 | control[25], 0); /* stays, replaces */
        const uint8_t *data = take_chunk(file, &at, i ? "fdAT" : "IDAT", &size);
        if (i) {
            assert_int_equal(get_u32(data), number++);
            data += 4;
            size -= 4;
        }
        show(shown, head, control, data, size);
        for (size_t k = 0; k < SIZE; k++)
            assert_true(shown[k] == (opaque && k % 4 == 3 ? 255 : test_frames[i][k]));
    }
    (void)take_chunk(file, &at, "IEND", &size);
    assert_int_equal(at, file->size);
}

TEST(apng_shows_what_went_in)
{
    for (int way = 0; way < 4; way++) {
        tm_animation_options options = test_frames_as(TM_ANIMATION_APNG, way & 1, way & 2);
        options.num_plays = (uint32_t)way;
        OWN(tm_buffer) file = make(NUM_FRAMES, 1000000, &options);
        check_apng(&file, NUM_FRAMES, options.num_plays, options.opaque);
        tm_buffer_release(&file);
        file = make(1, 0, &options);
        check_apng(&file, 1, options.num_plays, options.opaque);
        uint8_t *still_picture;
        uint32_t width, height;
        must(tm_png_read(&still_picture, &width, &height, file.bytes, file.size, 0, NULL, NULL));
        tm_free(NULL, still_picture, SIZE);
    }
}

/* Rectangles of each frame, as places[] above has it. */
TEST(only_what_changed_is_kept)
{
    static const uint32_t areas[NUM_FRAMES][4] = {
        {WIDTH, HEIGHT, 0, 0}, {8, 7, 9, 9},          {17, 16, 0, 0},        {45, 14, 0, 0}, {1, 1, 0, 0},
        {35, 41, 40, 9},       {WIDTH, HEIGHT, 0, 0}, {WIDTH, HEIGHT, 0, 0}, {73, 35, 2, 0}};
    tm_animation_options options = test_frames_as(TM_ANIMATION_APNG, false, false);
    OWN(tm_buffer) file = make(NUM_FRAMES, 1000000, &options);
    size_t at = 8, size;
    (void)take_chunk(&file, &at, "IHDR", &size);
    (void)take_chunk(&file, &at, "acTL", &size);
    for (uint32_t i = 0; i < NUM_FRAMES; i++) {
        const uint8_t *control = take_chunk(&file, &at, "fcTL", &size);
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(get_u32(control + 4 + 4 * k), areas[i][k]);
        (void)take_chunk(&file, &at, i ? "fdAT" : "IDAT", &size);
    }
}

TEST(delays_are_fractions)
{
    static const struct {
        uint64_t duration; /* us */
        uint32_t num, numerator, denominator;
    } cases[] = {{1000000, 25, 1, 25}, {1001000, 30, 1001, 30000}, {20000000, 500, 1, 25},
                 {0, 1, 0, 1},         {2500000, 1, 5, 2},         {1, 1, 0, 1},
                 {16, 1, 1, 62500},    {65535000000, 1, 65535, 1}, {9000000000000, 1, 65535, 1}};
    for (size_t i = 0; i < TMI_COUNT_OF(cases); i++) {
        OWN(tm_buffer) file = {0};
        tm_output output = tm_output_to_buffer(&file);
        OWN(tm_animation) *animation;
        must(tm_animation_new(
            &animation, &output,
            &(tm_frames){sizeof(tm_frames), WIDTH, HEIGHT, cases[i].num, cases[i].duration, NULL, NULL}, NULL,
            NULL));
        must(tm_animation_frame(animation, test_frames[0], (size_t)WIDTH * 4, NULL));
        const uint8_t *delay = file.bytes + 8 + 25 + 20 + 8 + 20;
        assert_int_equal(delay[0] << 8 | delay[1], cases[i].numerator);
        assert_int_equal(delay[2] << 8 | delay[3], cases[i].denominator);
    }
    /* A prime number of microseconds cannot be told with 16 bits, but nearly. */
    tm_animation_options options = test_frames_as(TM_ANIMATION_APNG, false, false);
    OWN(tm_buffer) file = make(NUM_FRAMES, 7777777, &options);
    const uint8_t *delay = file.bytes + 8 + 25 + 20 + 8 + 20;
    double got = (double)(delay[0] << 8 | delay[1]) / (delay[2] << 8 | delay[3]),
           wanted = 7.777777 / NUM_FRAMES;
    assert_true(got - wanted < 1e-6 && wanted - got < 1e-6);
}

#ifdef TEEMAP_TEST_WEBP
#include <webp/demux.h>

static void check_webp(const tm_buffer *file, uint32_t num, uint32_t num_plays, bool opaque, bool lossy)
{
    const WebPData data = {file->bytes, file->size};
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, NULL);
    WebPAnimInfo info;
    uint8_t *shown;
    int end = 0;
    uint64_t sum = 0;
    assert_non_null(decoder);
    assert_int_equal(WebPAnimDecoderGetInfo(decoder, &info), 1);
    assert_int_equal(info.canvas_width, WIDTH);
    assert_int_equal(info.canvas_height, HEIGHT);
    assert_int_equal(info.loop_count, num_plays);
    /* Equal frames may have become one that is shown longer: each frame of ours is compared with what is shown in its middle. */
    for (uint32_t i = 0; i < num; i++) {
        while (end * 2 <= (int)(i * 2 + 1) * 100)
            assert_int_equal(WebPAnimDecoderGetNext(decoder, &shown, &end), 1);
        for (size_t k = 0; k < SIZE; k++) {
            if (!opaque && test_frames[i][k | 3] == 0 && k % 4 != 3)
                continue; /* color that cannot be seen */
            sum += (uint64_t)abs(shown[k] - (opaque && k % 4 == 3 ? 255 : test_frames[i][k]));
        }
    }
    assert_int_equal(end, num * 100);
    assert_false(WebPAnimDecoderHasMoreFrames(decoder));
    assert_true(lossy ? sum > 0 && sum / num / SIZE < 12 : sum == 0);
    WebPAnimDecoderDelete(decoder);
}

TEST(webp_shows_what_went_in)
{
    for (int way = 0; way < 8; way++) {
        tm_animation_options options = test_frames_as(TM_ANIMATION_WEBP, way & 1, way & 2);
        options.num_plays = (uint32_t)way;
        options.quality = way & 4 ? 90 : 0;
        OWN(tm_buffer) file = make(NUM_FRAMES, NUM_FRAMES * 100000, &options);
        check_webp(&file, NUM_FRAMES, options.num_plays, options.opaque, options.quality > 0);
    }
}

/* 7 frames in 100 ms: the sum is right, and none is off by more than half a millisecond. */
TEST(whole_milliseconds_add_up)
{
    tm_animation_options options = test_frames_as(TM_ANIMATION_WEBP, true, false);
    OWN(tm_buffer) file = make(3, 100000, &options);
    const WebPData data = {file.bytes, file.size};
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, NULL);
    uint8_t *shown;
    static const int ends[] = {33, 67, 100};
    for (size_t i = 0; i < TMI_COUNT_OF(ends); i++) {
        int end;
        assert_int_equal(WebPAnimDecoderGetNext(decoder, &shown, &end), 1);
        assert_int_equal(end, ends[i]);
    }
    WebPAnimDecoderDelete(decoder);
}
#else
TEST(webp_shows_what_went_in)
{
    skip();
}

TEST(whole_milliseconds_add_up)
{
    skip();
}
#endif

/* ----------------------------------------------------------------------------------------------------------- faults */

TEST(misuse_is_refused)
{
    OWN(tm_buffer) buffer = {0};
    tm_output output = tm_output_to_buffer(&buffer);
    tm_animation *animation;
    tm_animation_options options = TM_ANIMATION_OPTIONS_INIT;
    assert_int_equal(tm_animation_new(&animation, &output,
                                      &(tm_frames){sizeof(tm_frames), WIDTH, HEIGHT, 0, 1000, NULL, NULL},
                                      NULL, NULL),
                     TM_ERROR_USAGE);
    assert_int_equal(tm_animation_new(&animation, &output,
                                      &(tm_frames){sizeof(tm_frames), 0, HEIGHT, 1, 1000, NULL, NULL}, NULL,
                                      NULL),
                     TM_ERROR_UNSUPPORTED);
    assert_int_equal(tm_animation_new(&animation, &output,
                                      &(tm_frames){sizeof(tm_frames), 100000, 100000, 1, 1000, NULL, NULL},
                                      NULL, NULL),
                     TM_ERROR_UNSUPPORTED);
    assert_null(animation);
    assert_int_equal(buffer.size, 0);
    const size_t num = test_frames_formats(formats);
    for (size_t i = 0; i < num; i++) {
        options.format = formats[i];
        must(tm_animation_new(&animation, &output,
                              &(tm_frames){sizeof(tm_frames), WIDTH, HEIGHT, 2, 1000, NULL, NULL}, &options,
                              NULL));
        must(tm_animation_frame(animation, test_frames[0], (size_t)WIDTH * 4, NULL));
        assert_int_equal(tm_animation_finish(animation, NULL), TM_ERROR_USAGE); /* a frame is missing */
        must(tm_animation_new(&animation, &output,
                              &(tm_frames){sizeof(tm_frames), WIDTH, HEIGHT, 1, 1000, NULL, NULL}, &options,
                              NULL));
        must(tm_animation_frame(animation, test_frames[0], (size_t)WIDTH * 4, NULL));
        assert_int_equal(tm_animation_frame(animation, test_frames[0], (size_t)WIDTH * 4, NULL),
                         TM_ERROR_USAGE);
        tm_animation_free(animation);
    }
}

TEST(a_failing_output_is_reported_as_it_failed)
{
    const size_t num = test_frames_formats(formats);
    for (size_t i = 0; i < num; i++) {
        tm_animation_options options = test_frames_as(formats[i], false, false);
        OWN(tm_buffer) file = make(NUM_FRAMES, 1000000, &options);
        for (size_t room = 0; room < file.size; room += file.size / 40) {
            size_t left = room;
            tm_output output = {&left, test_full_disk, NULL};
            tm_error error;
            fails_with(TM_ERROR_IO, "the disk is full",
                       write_frames(&output, NUM_FRAMES, 1000000, &options, &error));
        }
    }
}

TEST(no_failed_request_leaks)
{
    const size_t num = test_frames_formats(formats) * 2;
    for (size_t i = 0; i < num; i++) {
        EACH_FAILURE(memory) {
            tm_animation_options options = test_frames_as(formats[i / 2], false, i % 2);
            options.allocator = &memory.allocator;
            OWN(tm_buffer) buffer = {0};
            tm_output output = tm_output_to_buffer(&buffer);
            tm_status status = write_frames(&output, 3, 1000000, &options, NULL);
            assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        }
    }
}

TEST_GROUP(test_frames_make, NULL)
