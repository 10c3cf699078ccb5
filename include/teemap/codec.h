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

/* How pictures are written as PNG. NULL stands for all defaults. */
typedef struct tm_png_options {
    size_t size;                 /* sizeof(tm_png_options) */
    uint32_t channels;           /* of the pixels: 4 (RGBA, straight alpha; default) or 3 (RGB) */
    bool opaque;                 /* of RGBA: alpha is left out and not looked at, since it is 255 all over */
    bool small;                  /* as small as it gets, in about a hundred times the time */
    uint64_t whole_bytes;        /* pixels up to this are packed in one go, see below; default 32 MiB */
    const tm_executor *executor; /* for what is not packed in one go; default: the calling thread */
    const tm_allocator *allocator; /* must outlive the writer, as the executor must */
} tm_png_options;
#define TM_PNG_OPTIONS_INIT                                    \
    {                                                          \
        sizeof(tm_png_options), 0, false, false, 0, NULL, NULL \
    }

/*
 * Writes 8-bit pixels as PNG, top row first; `pixels` holds width * height * channels bytes.
 */
TM_API tm_status tm_png_write(const tm_output *output, const void *pixels, uint32_t width, uint32_t height,
                              const tm_png_options *options, tm_error *error);

/*
 * The same in parts, for pictures that do not fit into memory: new, rows (as often as it takes, from the top),
 * finish. finish and free both free the writer; free is for one that is not to be finished.
 *
 * A picture of up to `whole_bytes` is gathered (twice its bytes of memory) and written by finish. A larger one
 * is written as it comes, in pieces of 1 MiB that are packed side by side by at most 8 threads (3 MiB of
 * memory for each), a little larger than in one go. The bytes of the file depend neither on the number of
 * threads nor on how many rows are handed over at once, but on the versions of the libraries.
 */
typedef struct tm_png_writer tm_png_writer;
TM_API tm_status tm_png_writer_new(tm_png_writer **out, const tm_output *output, uint32_t width,
                                   uint32_t height, const tm_png_options *options, tm_error *error);
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
