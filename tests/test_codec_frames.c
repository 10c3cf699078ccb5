/* SPDX-License-Identifier: Zlib */
/*
 * Animations by many threads, and as GIF: taken apart by giflib, each frame is what went in; neither threads nor memory
 * change a byte; what is estimated comes about.
 *
 * test-labels: threads
 */
#include "codec/codec.h"
#include "support/lib_frames.h"
#include "support/pixels.h"
#include "support/test.h"

static tm_animation_format formats[4];

/* ctx: frames, or NULL: test_frames */
static tm_status draw_frame(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error)
{
    uint8_t(*frames)[SIZE] = ctx ? ctx : test_frames;
    (void)error;
    for (size_t y = 0; y < HEIGHT; y++)
        memcpy((uint8_t *)rgba + y * row_stride, frames[index % NUM_FRAMES] + y * WIDTH * 4,
               (size_t)WIDTH * 4);
    return TM_OK;
}

#ifdef TEEMAP_TEST_GIF
#include <gif_lib.h>

typedef struct gif_source {
    const tm_buffer *file;
    size_t at;
} gif_source;

static int read_gif(GifFileType *gif, GifByteType *buffer, int size)
{
    gif_source *source = gif->UserData;
    assert_true((size_t)size <= source->file->size - source->at);
    memcpy(buffer, source->file->bytes + source->at, (size_t)size);
    source->at += (size_t)size;
    return size;
}

/* What a viewer shows, taken apart by giflib. */
typedef struct shown_gif {
    gif_source source;
    GifFileType *gif;
    uint8_t shown[SIZE];
    int index, cleared; /* -1: none */
} shown_gif;

static void open_gif(shown_gif *gif, const tm_buffer *file)
{
    int why = 0;
    *gif = (shown_gif){.source = {file, 0}, .cleared = -1};
    gif->gif = DGifOpen(&gif->source, read_gif, &why);
    assert_non_null(gif->gif);
    assert_int_equal(DGifSlurp(gif->gif), GIF_OK);
    assert_int_equal(gif->source.at, file->size);
    assert_int_equal(gif->gif->SWidth, WIDTH);
    assert_int_equal(gif->gif->SHeight, HEIGHT);
}

static void fill(shown_gif *gif, const GifImageDesc *frame, const GifByteType *indices, int clear)
{
    for (int y = 0; y < frame->Height; y++)
        for (int x = 0; x < frame->Width; x++) {
            uint8_t *pixel = gif->shown + ((size_t)(frame->Top + y) * WIDTH + (size_t)(frame->Left + x)) * 4;
            const int index = indices ? indices[y * frame->Width + x] : clear;
            const GifColorType *color = &gif->gif->SColorMap->Colors[index];
            if (!indices)
                memset(pixel, 0, 4);
            else if (index != clear)
                memcpy(pixel, (const uint8_t[]){color->Red, color->Green, color->Blue, 255}, 4);
        }
}

/* Shows the next frame; returns its delay in hundredths of a second. */
static int next_gif(shown_gif *gif)
{
    GraphicsControlBlock control;
    assert_true(gif->index < gif->gif->ImageCount);
    const SavedImage *image = &gif->gif->SavedImages[gif->index];
    assert_int_equal(DGifSavedExtensionToGCB(gif->gif, gif->index, &control), GIF_OK);
    if (gif->cleared >= 0)
        fill(gif, &gif->gif->SavedImages[gif->cleared].ImageDesc, NULL, 0);
    fill(gif, &image->ImageDesc, image->RasterBits, control.TransparentColor);
    gif->cleared = control.DisposalMode == DISPOSE_BACKGROUND ? gif->index : -1;
    gif->index++;
    return control.DelayTime;
}

static void close_gif(shown_gif *gif)
{
    int why;
    assert_int_equal(gif->index, gif->gif->ImageCount);
    DGifCloseFile(gif->gif, &why);
}

static uint8_t few[NUM_FRAMES][SIZE];

/* Four colors, of which a square moves; frames 3 and 4 are equal. Some pixels of them are clear. */
static void make_few(bool opaque)
{
    static const uint8_t colors[4][4] = {{1, 2, 3, 255}, {250, 128, 7, 255}, {90, 91, 92, 255}, {9, 9, 9, 0}};
    for (size_t i = 0; i < NUM_FRAMES; i++)
        for (size_t k = 0; k < (size_t)WIDTH * HEIGHT; k++) {
            const size_t x = k % WIDTH, y = k / WIDTH, at = (i == 4 ? 3 : i) * 7;
            const bool in = x >= at && x < at + 9 && y >= 5 && y < 20;
            memcpy(few[i] + 4 * k, colors[in ? (opaque ? 2 : 3) : (x + y) / 11 % 2], 4);
        }
}

static tm_buffer write_as(const tm_animation_options *options, uint8_t (*frames)[SIZE])
{
    tm_buffer buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    const tm_frames source = {.size = sizeof(source),
                              .width = WIDTH,
                              .height = HEIGHT,
                              .num = NUM_FRAMES,
                              .duration = 1000000,
                              .draw = draw_frame,
                              .ctx = frames};
    must(tm_animation_write(&output, &source, options, NULL, NULL));
    return buffer;
}

static tm_buffer write_gif(uint8_t (*frames)[SIZE], bool opaque, uint32_t num_plays)
{
    tm_animation_options options = test_frames_as(TM_ANIMATION_GIF, opaque, false);
    options.num_plays = num_plays;
    return write_as(&options, frames);
}

/* Equal frames are one that is shown longer, and the delays add up to a second. */
static void check_few(const tm_buffer *file)
{
    shown_gif gif;
    int sum = 0;
    open_gif(&gif, file);
    assert_int_equal(gif.gif->ImageCount, NUM_FRAMES - 1);
    for (size_t i = 0; i < NUM_FRAMES; i++) {
        if (i != 4)
            sum += next_gif(&gif);
        for (size_t k = 0; k < SIZE; k += 4)
            if (few[i][k + 3])
                assert_memory_equal(gif.shown + k, few[i] + k, 4);
            else
                assert_int_equal(gif.shown[k + 3], 0);
    }
    assert_int_equal(sum, 100);
    close_gif(&gif);
}

TEST(gif_shows_few_colors_exactly)
{
    make_few(true);
    for (uint32_t plays = 0; plays < 4; plays++) {
        OWN(tm_buffer) file = write_gif(few, true, plays);
        const char *repeats = plays == 1 ? NULL : "NETSCAPE2.0";
        check_few(&file);
        assert_memory_equal(file.bytes, "GIF89a", 6);
        if (repeats) {
            assert_memory_equal(file.bytes + 13 + 768 + 3, repeats, 11);
            assert_int_equal(file.bytes[13 + 768 + 16], plays ? plays - 1 : 0);
        } else {
            assert_memory_equal(file.bytes + 13 + 768, "!\xf9", 2);
        }
    }
}

TEST(gif_clears_what_was_there)
{
    make_few(false);
    OWN(tm_buffer) file = write_gif(few, false, 0);
    check_few(&file);
}

/* The mean of the difference is small, and where a color stays over a large area its mean is right. */
TEST(gif_comes_near_many_colors)
{
    shown_gif gif;
    OWN(tm_buffer) file = write_gif(test_frames, true, 0);
    uint64_t sum = 0;
    open_gif(&gif, &file);
    for (size_t i = 0; i < NUM_FRAMES; i++) {
        if (i != 4)
            (void)next_gif(&gif);
        for (size_t k = 0; k < SIZE; k++)
            sum += k % 4 == 3 ? 0 : (uint64_t)abs(gif.shown[k] - test_frames[i][k]);
    }
    assert_true(sum / NUM_FRAMES / SIZE < 12);
    close_gif(&gif);
}

TEST(gif_writes_only_what_changed)
{
    shown_gif gif;
    make_few(true);
    OWN(tm_buffer) file = write_gif(few, true, 0);
    open_gif(&gif, &file);
    for (int i = 1; i < gif.gif->ImageCount; i++) {
        const GifImageDesc *frame = &gif.gif->SavedImages[i].ImageDesc;
        assert_int_equal(frame->Top, 5);
        assert_int_equal(frame->Height, 15);
        assert_true(frame->Width <= 24);
        (void)next_gif(&gif);
    }
    (void)next_gif(&gif);
    close_gif(&gif);
}

#ifdef TEEMAP_TEST_WEBP
#include <webp/demux.h>

/* Lossy WebP of opaque frames went grey where something moved, by 4 of 255 and more with each frame; it was larger, too. */
TEST(webp_comes_as_near_as_gif)
{
    tm_animation_options options = test_frames_as(TM_ANIMATION_GIF, true, false);
    options.quality = 10; /* 38 colors, and 15 of 255 may differ */
    make_few(true);
    for (size_t i = 0; i < NUM_FRAMES; i++) /* many colors, which change by one of 255 */
        for (size_t k = 0; k < SIZE; k++)
            few[i][k] = k % 4 == 3 ? 255 : (uint8_t)(few[i][k] / 2 + k % 101 + (i == 4 ? 3 : i));
    OWN(tm_buffer) as_gif = write_as(&options, few);
    options.format = TM_ANIMATION_WEBP;
    OWN(tm_buffer) as_webp = write_as(&options, few);
    const WebPData data = {as_webp.bytes, as_webp.size};
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, NULL);
    shown_gif gif;
    uint8_t *shown;
    int end;
    assert_non_null(decoder);
    open_gif(&gif, &as_gif);
    for (size_t i = 0; i < NUM_FRAMES; i++) {
        if (i != 4) {
            (void)next_gif(&gif);
            assert_int_equal(WebPAnimDecoderGetNext(decoder, &shown, &end), 1);
        }
        assert_memory_equal(shown, gif.shown, SIZE);
    }
    assert_true(as_webp.size <= as_gif.size);
    WebPAnimDecoderDelete(decoder);
    close_gif(&gif);
}
#else
#define webp_comes_as_near_as_gif gif_shows_few_colors_exactly
#endif
#else
TEST(gif_shows_few_colors_exactly)
{
    skip();
}
#define gif_clears_what_was_there    gif_shows_few_colors_exactly
#define gif_comes_near_many_colors   gif_shows_few_colors_exactly
#define gif_writes_only_what_changed gif_shows_few_colors_exactly
#define webp_comes_as_near_as_gif    gif_shows_few_colors_exactly
#endif

static void count_progress(void *ctx, uint64_t done, uint64_t total)
{
    uint64_t *last = ctx;
    assert_true(done > *last && done <= total && total == 50);
    *last = done;
}

static tm_buffer write_many(tm_animation_format format, const tm_job *job)
{
    tm_buffer buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_animation_options options = test_frames_as(format, true, false);
    options.quality = format == TM_ANIMATION_APNG ? 0 : 70;
    const tm_frames frames = {.size = sizeof(frames),
                              .width = WIDTH,
                              .height = HEIGHT,
                              .num = 50,
                              .duration = 2000000,
                              .draw = draw_frame};
    must(tm_animation_write(&output, &frames, &options, job, NULL));
    return buffer;
}

TEST(threads_and_memory_change_nothing)
{
    OWN(tm_sys_threads) *threads;
    must(tm_sys_threads_new(&threads, 3, NULL, NULL));
    const size_t num = test_frames_formats(formats);
    for (size_t i = 0; i < num; i++) {
        uint64_t done = 0;
        const tm_job many = {.size = sizeof(many),
                             .executor = tm_sys_threads_executor(threads),
                             .progress = count_progress,
                             .progress_ctx = &done},
                     little = {.size = sizeof(little), .memory_budget = 1};
        OWN(tm_buffer) alone = write_many(formats[i], NULL), other = write_many(formats[i], &many);
        assert_int_equal(alone.size, other.size);
        assert_memory_equal(alone.bytes, other.bytes, alone.size);
        assert_int_equal(done, 50);
        tm_buffer_release(&other);
        other = write_many(formats[i], &little);
        assert_int_equal(alone.size, other.size);
        assert_memory_equal(alone.bytes, other.bytes, alone.size);
    }
}

/* Frames that come round every nine: what is estimated of a few holds for all. */
TEST(estimates_are_near)
{
    const size_t num = test_frames_formats(formats);
    for (size_t i = 0; i < num; i++) {
        tm_animation_options options = test_frames_as(formats[i], true, false);
        tm_frames frames = {.size = sizeof(frames),
                            .width = WIDTH,
                            .height = HEIGHT,
                            .num = 200,
                            .duration = 2000000,
                            .draw = draw_frame};
        OWN(tm_buffer) buffer = {0};
        const tm_output output = tm_output_to_buffer(&buffer);
        uint64_t bytes;
        must(tm_animation_estimate(&bytes, &frames, &options, NULL, NULL));
        must(tm_animation_write(&output, &frames, &options, NULL, NULL));
        assert_true(bytes > buffer.size / 3 && bytes < buffer.size * 3);
        if (formats[i] == TM_ANIMATION_RAW)
            assert_int_equal(bytes, buffer.size);
        frames.num = 7; /* few are not estimated but made */
        buffer.size = 0;
        must(tm_animation_estimate(&bytes, &frames, &options, NULL, NULL));
        must(tm_animation_write(&output, &frames, &options, NULL, NULL));
        assert_int_equal(bytes, buffer.size);
    }
}

TEST(savings_grow)
{
    tm_animation_saving before, saving;
    assert_true(tm_animation_saving_at(&before, 0));
    assert_true(before.scale == 1 && before.rate == 1 && before.quality == 100);
    for (uint32_t i = 1; tm_animation_saving_at(&saving, i); i++) {
        assert_true(saving.scale <= before.scale && saving.rate <= before.rate &&
                    saving.quality <= before.quality);
        assert_true(saving.scale < before.scale || saving.rate < before.rate ||
                    saving.quality < before.quality);
        assert_true(saving.scale > 0 && saving.rate > 0 && saving.quality > 0);
        before = saving;
    }
    assert_true(before.scale < 0.2);
}

TEST(raw_frames_are_the_pixels)
{
    for (int opaque = 0; opaque < 2; opaque++) {
        const size_t pixel = opaque ? 3 : 4;
        const tm_animation_options options = test_frames_as(TM_ANIMATION_RAW, opaque, false);
        const tm_frames frames = {
            .size = sizeof(frames), .width = WIDTH, .height = HEIGHT, .num = NUM_FRAMES, .draw = draw_frame};
        OWN(tm_buffer) file = {0};
        const tm_output output = tm_output_to_buffer(&file);
        must(tm_animation_write(&output, &frames, &options, NULL, NULL));
        assert_int_equal(file.size, pixel * WIDTH * HEIGHT * NUM_FRAMES);
        for (size_t i = 0; i < (size_t)NUM_FRAMES * WIDTH * HEIGHT; i++)
            assert_memory_equal(file.bytes + pixel * i,
                                test_frames[i / ((size_t)WIDTH * HEIGHT)] + i % ((size_t)WIDTH * HEIGHT) * 4,
                                pixel);
    }
}

static tm_status draw_badly(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error)
{
    return index == 5 ? TM_ERROR_IO : draw_frame(ctx, index, rgba, row_stride, error);
}

TEST(a_failing_source_is_told)
{
    const size_t num = test_frames_formats(formats);
    tm_frames frames = {
        .size = sizeof(frames), .width = WIDTH, .height = HEIGHT, .num = 8, .draw = draw_badly};
    uint64_t bytes;
    for (size_t i = 0; i < num; i++) {
        OWN(test_memory) memory = TEST_MEMORY(memory);
        tm_animation_options options = test_frames_as(formats[i], true, false);
        OWN(tm_buffer) buffer = {0};
        const tm_output output = tm_output_to_buffer(&buffer);
        options.allocator = &memory.allocator;
        assert_int_equal(tm_animation_write(&output, &frames, &options, NULL, NULL), TM_ERROR_IO);
        assert_int_equal(tm_animation_estimate(&bytes, &frames, &options, NULL, NULL), TM_ERROR_IO);
    }
    for (size_t i = 0; i < num; i++)
        EACH_FAILURE(memory) {
            tm_animation_options options = test_frames_as(formats[i], true, false);
            tm_buffer buffer = {0};
            const tm_output output = tm_output_to_buffer(&buffer);
            options.allocator = &memory.allocator;
            frames.draw = draw_frame;
            frames.num = 3;
            const tm_status status = tm_animation_write(&output, &frames, &options, NULL, NULL);
            tm_buffer_release(&buffer);
            assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        }
    frames.draw = NULL;
    assert_int_equal(tm_animation_estimate(&bytes, &frames, NULL, NULL, NULL), TM_ERROR_USAGE);
}

TEST_GROUP(test_frames_make, NULL)
