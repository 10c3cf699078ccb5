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

static bool is_webp(const uint8_t *bytes, size_t size)
{
    return size >= WEBP_HEAD && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0;
}

#if TEEMAP_HAVE_WEBP

/* The size of the pixels, before memory is taken for them: sides are at most 16383 by the format. */
static tm_status judge_webp(size_t *out, const WebPBitstreamFeatures *head, uint64_t max_bytes,
                            tm_error *error)
{
    const uint64_t most = max_bytes ? max_bytes : (uint64_t)1 << 30;
    if (head->has_animation)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot read WebP: it is an animation, not a picture");
    if (!tmi_mul_size(out, (size_t)head->width, (size_t)head->height) || !tmi_mul_size(out, *out, 4) ||
        *out > most)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "cannot read WebP: %d x %d pixels are more than %llu bytes, which is the limit",
                        head->width, head->height, (unsigned long long)most);
    return TM_OK;
}

static tm_status read_webp(uint8_t **pixels, uint32_t *width, uint32_t *height, const tmi_picture_file *file,
                           tm_error *error)
{
    WebPBitstreamFeatures head;
    size_t need = 0;
    if (WebPGetFeatures(file->bytes, file->size, &head) != VP8_STATUS_OK || head.width <= 0 ||
        head.height <= 0)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1, "cannot read WebP: its head is damaged");
    TM_TRY(judge_webp(&need, &head, file->max_bytes, error));
    uint8_t *own;
    TM_TRY(tmi_reserve(&own, file->allocator, need, 1, "pixels", error));
    if (!WebPDecodeRGBAInto(file->bytes, file->size, own, need, head.width * 4)) {
        tmi_free(file->allocator, own, need, 1);
        return tmi_fail(error, TM_ERROR_DAMAGED, -1, "cannot read WebP: its data are damaged");
    }
    *pixels = own;
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
    if (is_webp(bytes, size))
        return read_webp(pixels, width, height, &(tmi_picture_file){bytes, size, max_bytes, allocator},
                         error);
    if (size == 0 || *(const uint8_t *)bytes != PNG_BEGIN)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1, "this is neither PNG nor WebP");
    return tm_png_read(pixels, width, height, bytes, size, max_bytes, allocator, error);
}
