/* SPDX-License-Identifier: Zlib */
/* Pixels to write, and an output that fills up. */
#include "pixels.h"

#include "base/base.h"

#include <stdlib.h>

uint8_t *test_pixels(uint32_t width, uint32_t height)
{
    uint8_t *pixels = malloc((size_t)width * height * 4), *bytes = pixels;
    uint32_t seed = 1;
    if (!pixels)
        abort();
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++, bytes += 4) {
            seed = seed * 1664525 + 1013904223;
            bytes[0] = x / 32 % 2 ? (uint8_t)(x % 32 * 7 + y % 32) : (uint8_t)(x + y);
            bytes[1] = (uint8_t)(y / 3);
            bytes[2] = seed >> 24 < 3 ? (uint8_t)(seed >> 16) : (uint8_t)(x ^ y);
            bytes[3] = (uint8_t)(x < y ? 255 : x);
        }
    }
    return pixels;
}

tm_status test_full_disk(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    size_t *left = ctx;
    (void)bytes;
    if (size > *left)
        return tmi_fail(error, TM_ERROR_IO, -1, "the disk is full");
    *left -= size;
    return TM_OK;
}
