/* SPDX-License-Identifier: Zlib */
/*
 * Pixels without alpha, for programs that learn or stream. A step behind the drawing, since layers are laid
 * over one another in four channels.
 */
#include "render.h"

tm_status tm_pixels_to_rgb(void *rgb, size_t rgb_stride, const void *rgba, size_t rgba_stride, uint32_t width,
                           uint32_t num_rows, tm_error *error)
{
    if (width == 0 || num_rows == 0)
        return TM_OK;
    TM_TRY(tmi_need(rgb, "rgb", error));
    TM_TRY(tmi_need(rgba, "rgba", error));
    if (num_rows > 1 && (rgb_stride < (size_t)width * 3 || rgba_stride < (size_t)width * 4))
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the strides are %llu and %llu, but a row has %u pixels",
                        (unsigned long long)rgb_stride, (unsigned long long)rgba_stride, (unsigned)width);
    for (uint32_t y = 0; y < num_rows; y++) {
        uint8_t *to = (uint8_t *)rgb + y * rgb_stride;
        const uint8_t *from = (const uint8_t *)rgba + y * rgba_stride;
        uint32_t x = 0;
        /* Four pixels at once: the byte that one writes too much is the next one's, which comes after it. */
        for (; x + 4 < width; x += 4, to += 12, from += 16)
            for (size_t i = 0; i < 4; i++)
                memcpy(to + 3 * i, from + 4 * i, 4);
        for (; x < width; x++, to += 3, from += 4) {
            const uint8_t r = from[0], g = from[1], b = from[2];
            to[0] = r;
            to[1] = g;
            to[2] = b;
        }
    }
    return TM_OK;
}
