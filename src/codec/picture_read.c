/* SPDX-License-Identifier: Zlib */
/*
 * A picture from a user, PNG or WebP, told apart by their first bytes.
 *
 *   OFFSET  SIZE  MEANING (WebP)
 *   0       4     "RIFF"
 *   4       4     size of what follows, low byte first
 *   8       4     "WEBP"
 */
#include "codec.h"

#if TEEMAP_HAVE_WEBP
#include <webp/decode.h>
#endif

enum { WEBP_HEAD = 12, PNG_BEGIN = 0x89 };

#if TEEMAP_HAVE_WEBP

/* What WebPDecodeRGBAInto does, which does not say what failed. */
static VP8StatusCode decode_webp(uint8_t *out, size_t size, int stride, const tmi_picture_file *file)
{
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config))
        return VP8_STATUS_UNSUPPORTED_FEATURE;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = (WebPRGBABuffer){.rgba = out, .stride = stride, .size = size};
    const VP8StatusCode status = WebPDecode(file->bytes, file->size, &config);
    WebPFreeDecBuffer(&config.output);
    return status;
}

static tm_status read_webp(uint8_t **pixels, uint32_t *width, uint32_t *height, const tmi_picture_file *file,
                           tm_error *error)
{
    const uint64_t most = file->max_bytes ? file->max_bytes : (uint64_t)1 << 30;
    WebPBitstreamFeatures head;
    size_t need = 0;
    if (WebPGetFeatures(file->bytes, file->size, &head) != VP8_STATUS_OK || head.width <= 0 ||
        head.height <= 0)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1, "cannot read WebP: its head is damaged");
    if (head.has_animation)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot read WebP: it is an animation, not a picture");
    /* Before memory is taken for the pixels: sides are at most 16383 by the format. */
    if (!tmi_mul_size(&need, (size_t)head.width, (size_t)head.height) || !tmi_mul_size(&need, need, 4) ||
        need > most)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "cannot read WebP: %d x %d pixels are more than %llu bytes, which is the limit",
                        head.width, head.height, (unsigned long long)most);
    uint8_t *bytes;
    TM_TRY(tmi_reserve(&bytes, file->allocator, need, 1, "pixels", error));
    const VP8StatusCode decoded = decode_webp(bytes, need, head.width * 4, file);
    if (decoded != VP8_STATUS_OK) {
        tmi_free(file->allocator, bytes, need, 1);
        return decoded == VP8_STATUS_OUT_OF_MEMORY
                   ? tmi_fail_memory(error, 0, "a WebP decoder")
                   : tmi_fail(error, TM_ERROR_DAMAGED, -1, "cannot read WebP: its data are damaged");
    }
    *pixels = bytes;
    *width = (uint32_t)head.width;
    *height = (uint32_t)head.height;
    return TM_OK;
}

#else

static tm_status read_webp(uint8_t **pixels, uint32_t *width, uint32_t *height, const tmi_picture_file *file,
                           tm_error *error)
{
    (void)pixels, (void)width, (void)height, (void)file;
    return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "cannot read WebP: built without libwebp");
}

#endif

tm_status tm_picture_read(uint8_t **pixels, uint32_t *width, uint32_t *height, const void *bytes, size_t size,
                          uint64_t max_bytes, const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(pixels, "pixels", error));
    TM_TRY(tmi_need(width, "width", error));
    TM_TRY(tmi_need(height, "height", error));
    *pixels = NULL;
    *width = *height = 0;
    TM_TRY(tmi_need(bytes, "bytes", error));
    const uint8_t *first = bytes;
    if (size >= WEBP_HEAD && memcmp(first, "RIFF", 4) == 0 && memcmp(first + 8, "WEBP", 4) == 0)
        return read_webp(pixels, width, height, &(tmi_picture_file){bytes, size, max_bytes, allocator},
                         error);
    if (size == 0 || *first != PNG_BEGIN)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1, "this is neither PNG nor WebP");
    return tm_png_read(pixels, width, height, bytes, size, max_bytes, allocator, error);
}
