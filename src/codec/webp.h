/* SPDX-License-Identifier: Zlib */
#ifndef TMI_CODEC_WEBP_H
#define TMI_CODEC_WEBP_H
/*
 * What the files that write WebP share: settings of libwebp, pixels in its order, its errors in our words. To
 * be included only where TEEMAP_HAVE_WEBP is not 0.
 */
#include "codec.h"

#include <webp/encode.h>

/* Fails for sides that the format does not know, and for a quality out of range. */
tm_status tmi_webp_check(uint32_t width, uint32_t height, int quality, tm_error *error);
tm_status tmi_webp_configure(WebPConfig *out, int quality, bool smallest, tm_error *error);
/* Memory for the pixels of a picture; WebPPictureFree frees it. */
tm_status tmi_webp_make_picture(WebPPicture *out, uint32_t width, uint32_t height, tm_error *error);
/* RGBA into rows of the picture from `first` on. */
void tmi_webp_put_rows(WebPPicture *picture, uint32_t first, const uint8_t *pixels, uint32_t num_rows,
                       size_t stride, bool opaque);
/* After a failure of libwebp. */
tm_status tmi_webp_fail(const WebPPicture *picture, tm_error *error);

#endif
