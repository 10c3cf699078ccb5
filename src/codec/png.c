/* SPDX-License-Identifier: Zlib */
/*
 * PNG in and out, by libspng, whose errors are returned and not jumped out of. Pixels only: colour profiles,
 * gamma and texts are ignored on reading, because the games ignore them, and not written.
 *
 * libspng takes memory from the C library, as it passes no context to an allocator; the pixels themselves
 * come from the caller's allocator.
 */
#include "codec.h"

#include <spng.h>

#define DEFAULT_BYTES ((uint64_t)1 << 30)
/* A deflate stream yields at most 258 bytes from two codes of one bit each: 1032 bytes from one. */
#define MOST_FROM_ONE_BYTE 1032u

static tm_status status_of(int result)
{
    switch (result) {
    case SPNG_EMEM: return TM_ERROR_MEMORY;
    case SPNG_EUSER_WIDTH:
    case SPNG_EUSER_HEIGHT:
    case SPNG_ECHUNK_LIMITS: return TM_ERROR_LIMIT;
    default: return TM_ERROR_DAMAGED;
    }
}

static tm_status fail(tm_error *error, const char *verb, int result)
{
    return tmi_fail(error, status_of(result), -1, "cannot %s PNG: %s", verb, spng_strerror(result));
}

/* ------------------------------------------------------------------------------------------------ writing */

struct sink {
    const tm_output *output;
    tm_error *error;
    tm_status status; /* of the last write */
};

static int write_bytes(spng_ctx *ctx, void *user, void *bytes, size_t size)
{
    struct sink *sink = (struct sink *)user;
    (void)ctx;
    sink->status = tmi_output_write(sink->output, bytes, size, sink->error);
    return sink->status == TM_OK ? 0 : SPNG_IO_ERROR;
}

struct tm_png_writer {
    const tm_allocator *allocator;
    tm_output output;
    struct sink sink;
    spng_ctx *ctx;
    size_t row_size;
    uint32_t rows_left;
};

/*
 * No filters: on the games' own images (tiles over flat areas) that was both the fastest and the smallest;
 * libspng's choice among all filters took 2.6 times as long and came out a tenth larger.
 */
static int begin(struct tm_png_writer *writer, struct spng_ihdr *head, int level)
{
    spng_ctx *ctx = writer->ctx;
    int result = spng_set_png_stream(ctx, write_bytes, &writer->sink);
    if (result == 0)
        result = spng_set_option(ctx, SPNG_IMG_COMPRESSION_LEVEL, level);
    if (result == 0)
        result = spng_set_option(ctx, SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_NONE);
    if (result == 0)
        result = spng_set_ihdr(ctx, head);
    if (result == 0)
        result =
            spng_encode_image(ctx, NULL, 0, SPNG_FMT_PNG, SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE);
    return result;
}

static tm_status result_of(const struct tm_png_writer *writer, int result, tm_error *error)
{
    if (writer->sink.status != TM_OK)
        return writer->sink.status;
    return result ? fail(error, "write", result) : TM_OK;
}

static bool pixel_bytes(size_t *out, uint32_t width, uint32_t height, uint32_t channels)
{
    return tmi_mul_size(out, width, height) && tmi_mul_size(out, *out, channels);
}

tm_status tm_png_writer_new(tm_png_writer **out, const tm_output *output, uint32_t width, uint32_t height,
                            uint32_t channels, int level, const tm_allocator *allocator, tm_error *error)
{
    *out = NULL;
    if ((channels != 3 && channels != 4) || level < 0 || level > 9)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "cannot write PNG: %u channels, must be 3 or 4; level %d, must be 0 to 9",
                        (unsigned)channels, level);
    if (width == 0 || height == 0 || width > INT32_MAX / 4 || height > INT32_MAX)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "cannot write PNG of %u x %u pixels",
                        (unsigned)width, (unsigned)height);
    struct tm_png_writer *writer = tmi_calloc(allocator, 1, sizeof *writer);
    if (!writer)
        return tmi_fail_memory(error, sizeof *writer, "a PNG encoder");
    writer->allocator = allocator;
    writer->output = *output;
    writer->sink = (struct sink){&writer->output, error, TM_OK};
    writer->row_size = (size_t)width * channels;
    writer->rows_left = height;
    struct spng_ihdr head = {0};
    head.width = width;
    head.height = height;
    head.bit_depth = 8;
    head.color_type = channels == 4 ? SPNG_COLOR_TYPE_TRUECOLOR_ALPHA : SPNG_COLOR_TYPE_TRUECOLOR;
    writer->ctx = spng_ctx_new(SPNG_CTX_ENCODER);
    tm_status status = writer->ctx ? result_of(writer, begin(writer, &head, level ? level : 6), error)
                                   : tmi_fail_memory(error, 0, "a PNG encoder");
    if (status != TM_OK)
        tm_png_writer_free(writer);
    else
        *out = writer;
    return status;
}

tm_status tm_png_writer_rows(tm_png_writer *writer, const void *pixels, uint32_t num_rows, size_t row_stride,
                             tm_error *error)
{
    int result = 0;
    if (num_rows > writer->rows_left)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot write PNG: more rows than the picture has");
    writer->sink.error = error;
    for (uint32_t i = 0; result == 0 && i < num_rows; i++, writer->rows_left--)
        result = spng_encode_row(writer->ctx, (const uint8_t *)pixels + i * row_stride, writer->row_size);
    return result_of(writer, result == SPNG_EOI ? 0 : result, error);
}

tm_status tm_png_writer_finish(tm_png_writer *writer, tm_error *error)
{
    tm_status status = TM_OK;
    if (writer->rows_left)
        status = tmi_fail(error, TM_ERROR_USAGE, -1, "cannot write PNG: %u rows are missing",
                          (unsigned)writer->rows_left);
    tm_png_writer_free(writer);
    return status;
}

void tm_png_writer_free(tm_png_writer *writer)
{
    if (!writer)
        return;
    spng_ctx_free(writer->ctx);
    tmi_free(writer->allocator, writer, 1, sizeof *writer);
}

tm_status tm_png_write(const tm_output *output, const void *pixels, uint32_t width, uint32_t height,
                       uint32_t channels, const tm_allocator *allocator, tm_error *error)
{
    tm_png_writer *writer;
    TM_TRY(tm_png_writer_new(&writer, output, width, height, channels, 0, allocator, error));
    tm_status status = tm_png_writer_rows(writer, pixels, height, (size_t)width * channels, error);
    if (status == TM_OK)
        return tm_png_writer_finish(writer, error);
    tm_png_writer_free(writer);
    return status;
}

/* ------------------------------------------------------------------------------------------------ reading */

/*
 * Least number of bytes that a file with these pixels must have; a little less than exact, but never wraps.
 */
static uint64_t least_file_size(const struct spng_ihdr *head)
{
    static const uint8_t channels[] = {[0] = 1, [2] = 3, [3] = 1, [4] = 2, [6] = 4};
    unsigned per_pixel = head->color_type < TMI_COUNT_OF(channels)
                             ? channels[head->color_type] * (unsigned)head->bit_depth
                             : 1;
    return (uint64_t)head->width * head->height / 8 / MOST_FROM_ONE_BYTE * per_pixel;
}

/*
 * Size of the pixels, judged before any memory is taken for them: by the limit, and by what so short a file
 * can hold.
 */
static tm_status judge_size(size_t *out, spng_ctx *ctx, size_t file_size, uint64_t max_bytes,
                            struct spng_ihdr *head, tm_error *error)
{
    int result = spng_get_ihdr(ctx, head);
    if (result)
        return fail(error, "read", result);
    if (!pixel_bytes(out, head->width, head->height, 4) || *out > (max_bytes ? max_bytes : DEFAULT_BYTES))
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "cannot read PNG: %u x %u pixels are too many",
                        (unsigned)head->width, (unsigned)head->height);
    if (least_file_size(head) > file_size)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1, "cannot read PNG: %llu bytes cannot hold %u x %u pixels",
                        (unsigned long long)file_size, (unsigned)head->width, (unsigned)head->height);
    return TM_OK;
}

static tm_status decode(uint8_t **pixels, spng_ctx *ctx, const void *bytes, size_t size, uint64_t max_bytes,
                        struct spng_ihdr *head, const tm_allocator *allocator, tm_error *error)
{
    size_t pixels_size = 0;
    int result = spng_set_png_buffer(ctx, bytes, size);
    if (result)
        return fail(error, "read", result);
    TM_TRY(judge_size(&pixels_size, ctx, size, max_bytes, head, error));
    uint8_t *out = (uint8_t *)tmi_alloc(allocator, pixels_size, 1);
    if (!out)
        return tmi_fail_memory(error, pixels_size, "the pixels of a PNG");
    result = spng_decode_image(ctx, out, pixels_size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
    if (result) {
        tmi_free(allocator, out, pixels_size, 1);
        return fail(error, "read", result);
    }
    *pixels = out;
    return TM_OK;
}

tm_status tm_png_read(uint8_t **pixels, uint32_t *width, uint32_t *height, const void *bytes, size_t size,
                      uint64_t max_bytes, const tm_allocator *allocator, tm_error *error)
{
    *pixels = NULL;
    *width = 0;
    *height = 0;
    spng_ctx *ctx = spng_ctx_new(0);
    if (!ctx)
        return tmi_fail_memory(error, 0, "a PNG decoder");
    /*
     * Chunks beside the pixels are of no use to us, but libspng keeps some of them: 16 MiB of each, 64 of
     * all.
     */
    (void)spng_set_chunk_limits(ctx, (size_t)16 << 20, (size_t)64 << 20);
    struct spng_ihdr head = {0};
    tm_status status = decode(pixels, ctx, bytes, size, max_bytes, &head, allocator, error);
    spng_ctx_free(ctx);
    if (status == TM_OK) {
        *width = head.width;
        *height = head.height;
    }
    return status;
}
