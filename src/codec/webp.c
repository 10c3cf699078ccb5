/* SPDX-License-Identifier: Zlib */
/*
 * WebP out, by libwebp, which is optional: without it everything here says so. The format holds at most 16383
 * pixels a side, lossless (exactly the pixels, also where alpha is 0) or lossy.
 *
 * Three of the views of png_whole.c: lossless at libwebp's level 0 takes 37 to 39 ms and comes out a quarter
 * smaller than our PNG; level 2 takes 300 ms for 8 to 23 % less, level 9 takes 4 to 5 s for 28 %. Lossy at
 * quality 80 is a fifth to a tenth of our PNG; method 2 takes 40 to 50 ms, method 4 twice that for 5 % less,
 * method 6 three times that for 9 % less. libwebp's own threads are not used: whoever draws has threads.
 *
 * libwebp takes its memory from the C library.
 */
#include "codec.h"

#if TEEMAP_HAVE_WEBP

#include "webp.h"

enum { FAST_LEVEL = 0, SMALL_LEVEL = 9, FAST_METHOD = 2, SMALL_METHOD = 6 };

tm_status tmi_webp_check(uint32_t width, uint32_t height, int quality, tm_error *error)
{
    if (width == 0 || height == 0 || width > TM_WEBP_MAX_SIDE || height > TM_WEBP_MAX_SIDE)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot write WebP of %u x %u pixels: each side is 1 to %d", (unsigned)width,
                        (unsigned)height, TM_WEBP_MAX_SIDE);
    if (quality < 0 || quality > 100)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot write WebP: quality is %d, allowed are 0 to 100",
                        quality);
    return TM_OK;
}

tm_status tmi_webp_configure(WebPConfig *out, int quality, bool smallest, tm_error *error)
{
    bool fine = WebPConfigPreset(out, WEBP_PRESET_DEFAULT, (float)quality) != 0;
    if (fine && quality == 0) {
        fine = WebPConfigLosslessPreset(out, smallest ? SMALL_LEVEL : FAST_LEVEL) != 0;
        out->exact = 1;
    } else if (fine) {
        out->method = smallest ? SMALL_METHOD : FAST_METHOD;
    }
    return fine
               ? TM_OK
               : tmi_fail(
                     error, TM_ERROR_UNSUPPORTED, -1,
                     "cannot write WebP: the installed libwebp does not fit the one that teemap was built with");
}

tm_status tmi_webp_make_picture(WebPPicture *out, uint32_t width, uint32_t height, tm_error *error)
{
    if (!WebPPictureInit(out))
        return tmi_fail(
            error, TM_ERROR_UNSUPPORTED, -1,
            "cannot write WebP: the installed libwebp does not fit the one that teemap was built with");
    out->use_argb = 1;
    out->width = (int)width;
    out->height = (int)height;
    return WebPPictureAlloc(out)
               ? TM_OK
               : tmi_fail_memory(error, (uint64_t)width * height * 4, "the pixels of a WebP");
}

void tmi_webp_put_rows(WebPPicture *picture, uint32_t first, const uint8_t *pixels, uint32_t num_rows,
                       size_t stride, bool opaque)
{
    for (uint32_t y = 0; y < num_rows; y++, pixels += stride) {
        uint32_t *target = picture->argb + (size_t)(first + y) * (size_t)picture->argb_stride;
        for (int x = 0; x < picture->width; x++) {
            const uint8_t *source = pixels + (size_t)x * 4;
            const uint32_t alpha = opaque ? 255 : source[3];
            target[x] = alpha << 24 | (uint32_t)source[0] << 16 | (uint32_t)source[1] << 8 | source[2];
        }
    }
}

tm_status tmi_webp_fail(const WebPPicture *picture, tm_error *error)
{
    switch (picture->error_code) {
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: return tmi_fail_memory(error, 0, "a WebP encoder");
    case VP8_ENC_ERROR_PARTITION0_OVERFLOW:
    case VP8_ENC_ERROR_PARTITION_OVERFLOW:
    case VP8_ENC_ERROR_FILE_TOO_BIG:
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot write WebP: the packed picture is larger than a WebP file can be");
    default:
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot write WebP: libwebp failed with its error %d", (int)picture->error_code);
    }
}

struct tm_webp_writer {
    const tm_allocator *allocator;
    tm_output output;
    WebPConfig config;
    WebPPicture picture;
    uint32_t num_rows;
    bool opaque;
    tm_error *error;  /* of finish */
    tm_status status; /* of the output */
};

static int pass_on(const uint8_t *bytes, size_t size, const WebPPicture *picture)
{
    tm_webp_writer *writer = picture->custom_ptr;
    writer->status = tmi_output_write(&writer->output, bytes, size, writer->error);
    return writer->status == TM_OK;
}

tm_status tm_webp_writer_new(tm_webp_writer **out, const tm_output *output, uint32_t width, uint32_t height,
                             const tm_webp_options *options, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(output, "output", error));
    tm_webp_options filled;
    TM_TRY(tmi_options_take(&filled, sizeof(filled), options, "tm_webp_options", error));
    TM_TRY(tmi_webp_check(width, height, filled.quality, error));
    tm_webp_writer *writer;
    TM_TRY(tmi_reserve_zeroed(&writer, filled.allocator, 1, sizeof(*writer), "a WebP encoder", error));
    writer->allocator = filled.allocator;
    writer->output = *output;
    writer->opaque = filled.opaque;
    tm_status status = tmi_webp_configure(&writer->config, filled.quality, filled.smallest, error);
    status = status ? status : tmi_webp_make_picture(&writer->picture, width, height, error);
    if (status)
        tm_webp_writer_free(writer);
    else
        *out = writer;
    return status;
}

tm_status tm_webp_writer_rows(tm_webp_writer *writer, const void *pixels, uint32_t num_rows,
                              size_t row_stride, tm_error *error)
{
    TM_TRY(tmi_need(writer, "writer", error));
    if (num_rows)
        TM_TRY(tmi_need(pixels, "pixels", error));
    if (num_rows > (uint32_t)writer->picture.height - writer->num_rows)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "cannot write WebP: %u rows more, but the picture lacks only %u", (unsigned)num_rows,
                        (unsigned)writer->picture.height - (unsigned)writer->num_rows);
    tmi_webp_put_rows(&writer->picture, writer->num_rows, pixels, num_rows, row_stride, writer->opaque);
    writer->num_rows += num_rows;
    return TM_OK;
}

tm_status tm_webp_writer_finish(tm_webp_writer *writer, tm_error *error)
{
    TM_TRY(tmi_need(writer, "writer", error));
    tm_status status = TM_OK;
    writer->picture.writer = pass_on;
    writer->picture.custom_ptr = writer;
    writer->error = error;
    if (writer->num_rows < (uint32_t)writer->picture.height)
        status = tmi_fail(error, TM_ERROR_USAGE, -1, "cannot write WebP: %u rows are missing",
                          (unsigned)writer->picture.height - (unsigned)writer->num_rows);
    else if (!WebPEncode(&writer->config, &writer->picture))
        status = writer->status ? writer->status : tmi_webp_fail(&writer->picture, error);
    tm_webp_writer_free(writer);
    return status;
}

void tm_webp_writer_free(tm_webp_writer *writer)
{
    if (!writer)
        return;
    WebPPictureFree(&writer->picture);
    tmi_free(writer->allocator, writer, 1, sizeof(*writer));
}

#else

tm_status tm_webp_writer_new(tm_webp_writer **out, const tm_output *output, uint32_t width, uint32_t height,
                             const tm_webp_options *options, tm_error *error)
{
    (void)width, (void)height, (void)options;
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(output, "output", error));
    return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                    "cannot write WebP: this library was built without libwebp");
}

/* As no writer can be made, there is none for this and the next functions. */
tm_status tm_webp_writer_rows(tm_webp_writer *writer, const void *pixels, uint32_t num_rows,
                              size_t row_stride, tm_error *error)
{
    (void)pixels, (void)num_rows, (void)row_stride;
    return tmi_need(writer, "writer", error);
}

tm_status tm_webp_writer_finish(tm_webp_writer *writer, tm_error *error)
{
    return tmi_need(writer, "writer", error);
}

void tm_webp_writer_free(tm_webp_writer *writer)
{
    (void)writer;
}

#endif
