/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_CODEC_H
#define TEEMAP_CODEC_H
/*
 * teemap/codec.h - PNG in and out for images of maps, CRC-32. The libraries behind it (libspng, libdeflate,
 * zlib) do not show.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes 8-bit pixels as PNG, top row first. `channels` is 4 (RGBA, straight alpha) or 3 (RGB). `pixels`
 * holds width * height * channels bytes.
 */
TM_API tm_status tm_png_write(const tm_output *output, const void *pixels, uint32_t width, uint32_t height,
                              uint32_t channels, const tm_allocator *allocator, tm_error *error);

/*
 * The same row by row, for pictures that do not fit into memory: new, rows (as often as it takes, from the
 * top), finish. `level` is zlib's, 1 to 9; 0 stands for 6. finish and free both free the writer; free is for
 * one that is not to be finished.
 */
typedef struct tm_png_writer tm_png_writer;
TM_API tm_status tm_png_writer_new(tm_png_writer **out, const tm_output *output, uint32_t width,
                                   uint32_t height, uint32_t channels, int level,
                                   const tm_allocator *allocator, tm_error *error);
TM_API tm_status tm_png_writer_rows(tm_png_writer *writer, const void *pixels, uint32_t num_rows,
                                    size_t row_stride, tm_error *error);
TM_API tm_status tm_png_writer_finish(tm_png_writer *writer, tm_error *error);
TM_API void tm_png_writer_free(tm_png_writer *writer);

/*
 * Reads any PNG as 8-bit RGBA of at most `max_bytes` (0: 1 GiB) of pixels. *pixels is the caller's to free
 * through the allocator (tm_free).
 */
TM_API tm_status tm_png_read(uint8_t **pixels, uint32_t *width, uint32_t *height, const void *bytes,
                             size_t size, uint64_t max_bytes, const tm_allocator *allocator, tm_error *error);

/*
 * CRC-32 (zlib's polynomial) of `size` bytes, continuing from `crc` (0 at the start): by it old servers know
 * maps.
 */
TM_API uint32_t tm_crc32(uint32_t crc, const void *bytes, size_t size);

/* A library behind this module, for reports about faults. Both texts are static. */
typedef struct tm_library {
    const char *name; /* "libdeflate" */
    const char *version;
} tm_library;
/* The n-th one, in alphabetical order; false behind the last one. */
TM_API bool tm_codec_library(size_t index, tm_library *out);

#ifdef __cplusplus
}
#endif
#endif
