/* SPDX-License-Identifier: Zlib */
#ifndef TEST_PIXELS_H
#define TEST_PIXELS_H
/* What tests of picture formats share: something to write, and an output that fills up. */
#include <teemap/base.h>

/* RGBA with repeats, soft gradients, a little noise and every alpha; free it with free. */
uint8_t *test_pixels(uint32_t width, uint32_t height);

/* A tm_output's `write`: its ctx is a size_t, the bytes that still fit. */
tm_status test_full_disk(void *ctx, const void *bytes, size_t size, tm_error *error);

#endif
