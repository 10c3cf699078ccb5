/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_CODEC_H
#define TEEMAP_CODEC_H
/*
 * teemap/codec.h - reads and writes PNG, WebP and animations; hashes. The underlying libraries (libpng,
 * libdeflate, zlib, libwebp, giflib, zopfli) are not visible.
 *
 * Threads: a writer or an animation belongs to one thread at a time; several threads may call everything else
 * at once.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------------------- PNG out */

/* PNG options. NULL means all defaults. */
typedef struct tm_png_options {
    size_t size;                   /* sizeof(tm_png_options) */
    uint32_t channels;             /* of the pixels: 4 (RGBA, straight alpha; default) or 3 (RGB) */
    bool opaque;                   /* RGBA: ignore and omit alpha, since it is 255 everywhere */
    bool smallest;                 /* smallest file, about a hundred times slower */
    uint64_t whole_bytes;          /* pixels up to this are packed at once, see below; default 32 MiB */
    const tm_executor *executor;   /* for pixels that are not packed at once; default: the calling thread */
    const tm_allocator *allocator; /* must outlive the writer, like the executor */
} tm_png_options;
#define TM_PNG_OPTIONS_INIT                                    \
    {                                                          \
        sizeof(tm_png_options), 0, false, false, 0, NULL, NULL \
    }

/* Writes pixels of 8 bits per channel as PNG, top row first; `pixels` has width * height * channels bytes. */
TM_API tm_status tm_png_write(const tm_output *output, const void *pixels, uint32_t width, uint32_t height,
                              const tm_png_options *options, tm_error *error);

/*
 * The same in parts, for pictures that do not fit into memory: new, rows (any number of times, from the top),
 * finish. finish and free both free the writer; free is for abandoning it.
 *
 * A picture of up to `whole_bytes` is collected (using twice its size) and written by finish. A larger one is
 * written continuously, in pieces of 1 MiB that at most 8 threads pack in parallel (3 MiB of memory each);
 * the file is slightly larger. The bytes of the file depend neither on the number of threads nor on how the
 * rows are split, but on the versions of the libraries.
 */
typedef struct tm_png_writer tm_png_writer;
TM_API tm_status tm_png_writer_new(tm_png_writer **out, const tm_output *output, uint32_t width,
                                   uint32_t height, const tm_png_options *options, tm_error *error);
TM_API tm_status tm_png_writer_rows(tm_png_writer *writer, const void *pixels, uint32_t num_rows,
                                    size_t row_stride, tm_error *error);
TM_API tm_status tm_png_writer_finish(tm_png_writer *writer, tm_error *error);
TM_API void tm_png_writer_free(tm_png_writer *writer);

/* ---------------------------------------------------------------------------------------------- WebP out */

/* Whether this library was built with libwebp. If not, writing WebP fails with TM_ERROR_UNSUPPORTED. */
TM_API bool tm_webp_available(void);
enum { TM_WEBP_MAX_SIDE = 16383 }; /* pixels */

/* WebP options. NULL means all defaults. */
typedef struct tm_webp_options {
    size_t size;                   /* sizeof(tm_webp_options) */
    bool opaque;                   /* ignore and omit alpha, since it is 255 everywhere */
    bool smallest;                 /* smallest file: lossless a hundred times slower, lossy three times */
    int quality;                   /* 1..100: lossy; default 0: lossless, including invisible pixels */
    const tm_allocator *allocator; /* must outlive the writer; libwebp uses malloc */
} tm_webp_options;
#define TM_WEBP_OPTIONS_INIT                           \
    {                                                  \
        sizeof(tm_webp_options), false, false, 0, NULL \
    }

/*
 * Writes RGBA pixels as WebP, with the same calls as PNG. The format cannot be written in pieces: the picture
 * is collected, 4 bytes per pixel, and written by finish, for which libwebp uses up to 10 more bytes per
 * pixel, up to 35 for the smallest file. Sides above TM_WEBP_MAX_SIDE are TM_ERROR_UNSUPPORTED.
 */
typedef struct tm_webp_writer tm_webp_writer;
TM_API tm_status tm_webp_writer_new(tm_webp_writer **out, const tm_output *output, uint32_t width,
                                    uint32_t height, const tm_webp_options *options, tm_error *error);
TM_API tm_status tm_webp_writer_rows(tm_webp_writer *writer, const void *pixels, uint32_t num_rows,
                                     size_t row_stride, tm_error *error);
TM_API tm_status tm_webp_writer_finish(tm_webp_writer *writer, tm_error *error);
TM_API void tm_webp_writer_free(tm_webp_writer *writer);

/* --------------------------------------------------------------------------------------------- animations */

typedef enum tm_animation_format {
    TM_ANIMATION_APNG = 0, /* lossless; programs without APNG support show the first frame */
    TM_ANIMATION_WEBP,
    TM_ANIMATION_GIF, /* at most 255 colors, dithered; pixels below half opacity are transparent */
    TM_ANIMATION_RAW  /* only pixels, RGBA; opaque: RGB, 3 bytes per pixel */
} tm_animation_format;
/* Whether this library was built with giflib. If not, GIF fails with TM_ERROR_UNSUPPORTED. */
TM_API bool tm_gif_available(void);

/* NULL means all defaults. */
typedef struct tm_animation_options {
    size_t size; /* sizeof(tm_animation_options) */
    tm_animation_format format;
    uint32_t num_plays;    /* number of repetitions; default 0: forever */
    bool opaque, smallest; /* see tm_png_options and tm_webp_options */
    /*
     * WebP: 1..100 lossy; default 0: lossless. GIF: 1..99 does not update pixels that hardly change, and uses
     * fewer colors below 80; 0 and 100 update all. APNG: not used. Opaque lossy WebP of tm_animation_write
     * has the colors of a GIF and is a fourth smaller; frame by frame its colors are unknown, so changed
     * parts are completely lossy.
     */
    int quality;
    const tm_allocator *allocator; /* must outlive the animation; libwebp and giflib use malloc */
} tm_animation_options;
#define TM_ANIMATION_OPTIONS_INIT                                                 \
    {                                                                             \
        sizeof(tm_animation_options), TM_ANIMATION_APNG, 0, false, false, 0, NULL \
    }

/* The frames of an animation. */
typedef struct tm_frames {
    size_t size; /* sizeof(tm_frames) */
    uint32_t width, height, num;
    uint64_t duration; /* us, of all frames */
    void *ctx;
    /*
     * For tm_animation_write: draws frame `index` to `rgba`, whose content is undefined. Called by several
     * threads at once, for any frame and sometimes twice.
     */
    tm_status (*draw)(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error);
} tm_frames;
#define TM_FRAMES_INIT                            \
    {                                             \
        sizeof(tm_frames), 0, 0, 0, 0, NULL, NULL \
    }

/*
 * Writes RGBA frames as an animation: new, frame for each of `frames->num`, finish. finish and free both free
 * it; free is for abandoning it. Each frame is shown for the same time: in APNG as a fraction of two 16-bit
 * numbers, exact if possible; in WebP in whole milliseconds, adjusted so that the sum is right.
 *
 * Only the changed rectangle of a frame is stored. APNG is written frame by frame, with memory for three
 * frames; WebP is written by finish, with all packed frames in memory.
 */
typedef struct tm_animation tm_animation;
TM_API tm_status tm_animation_new(tm_animation **out, const tm_output *output, const tm_frames *frames,
                                  const tm_animation_options *options, tm_error *error);
TM_API tm_status tm_animation_frame(tm_animation *animation, const void *pixels, size_t row_stride,
                                    tm_error *error);
TM_API tm_status tm_animation_finish(tm_animation *animation, tm_error *error);
TM_API void tm_animation_free(tm_animation *animation);

/*
 * Writes an animation whose frames are drawn and packed in parallel by the job's threads, as many at once as
 * fit into the job's memory budget, at least one, at most 32. The file does not depend on the number of
 * threads. A GIF uses the colors of 24 frames spread over it. Progress counts frames.
 */
TM_API tm_status tm_animation_write(const tm_output *output, const tm_frames *frames,
                                    const tm_animation_options *options, const tm_job *job, tm_error *error);
/*
 * Estimates the size of that file from 16 frames that are drawn and packed: rarely off by more than a third.
 */
TM_API tm_status tm_animation_estimate(uint64_t *bytes, const tm_frames *frames,
                                       const tm_animation_options *options, const tm_job *job,
                                       tm_error *error);

/* Reductions of an animation. */
typedef struct tm_animation_saving {
    double scale; /* factor on its sides, at most 1 */
    double rate;  /* factor on its frame rate, at most 1 */
    int quality;  /* maximum; none for APNG */
} tm_animation_saving;
/*
 * Steps of reductions: step 0 is none, each further step makes a file about a quarter smaller than the
 * previous one. False after the last one, about a hundredth.
 */
TM_API bool tm_animation_saving_at(tm_animation_saving *out, uint32_t step);

/* ------------------------------------------------------------------------------------- pictures in, sums */

/*
 * Reads any PNG as 8-bit RGBA of at most `max_bytes` (0: 1 GiB) of pixels. Free *pixels with tm_free and the
 * allocator. Uses twice the memory of the pixels temporarily, three times for 16 bits a channel.
 */
TM_API tm_status tm_png_read(uint8_t **pixels, uint32_t *width, uint32_t *height, const void *bytes,
                             size_t size, uint64_t max_bytes, const tm_allocator *allocator, tm_error *error);

/* The same for a PNG or, with libwebp, a WebP without animation. */
TM_API tm_status tm_picture_read(uint8_t **pixels, uint32_t *width, uint32_t *height, const void *bytes,
                                 size_t size, uint64_t max_bytes, const tm_allocator *allocator,
                                 tm_error *error);

/*
 * Reads the size of a PNG in pixels from its header. False, and 0 x 0, if the input is not a PNG. The input
 * stays open.
 */
TM_API bool tm_png_size(uint32_t *width, uint32_t *height, const tm_input *input);

/*
 * CRC-32 (zlib's polynomial) of `size` bytes, continuing from `crc` (initially 0); old servers identify maps
 * by it.
 */
TM_API uint32_t tm_crc32(uint32_t crc, const void *bytes, size_t size);

/* Packing with zopfli, for tm_datafile_writer_options.smallest. Whether this library was built with it: */
TM_API bool tm_zopfli_available(void);
/*
 * The maximum size of a block for zopfli: at about 100 KB per second, more would take many minutes. It uses
 * malloc for up to 128 MB per block, and ends the process if that fails.
 */
enum { TM_ZOPFLI_BYTES = 16 << 20 };

/* SHA-256, by which DDNet's servers and clients identify maps. */
enum { TM_SHA256_SIZE = 32 }; /* bytes */

/* A hash in progress, in the caller's memory; it needs no release. Opaque. */
typedef struct tm_sha256 {
    uint64_t state[16];
} tm_sha256;
TM_API tm_status tm_sha256_init(tm_sha256 *sha, tm_error *error);
TM_API void tm_sha256_update(tm_sha256 *sha, const void *bytes, size_t size);
/* Writes the hash and starts again. */
TM_API void tm_sha256_final(tm_sha256 *sha, uint8_t digest[TM_SHA256_SIZE]);

/* Both hashes of a file. */
typedef struct tm_hashes {
    uint64_t size; /* bytes */
    uint8_t sha256[TM_SHA256_SIZE];
    uint32_t crc32;
} tm_hashes;
/* Reads a whole input once, 128 KiB at a time. The input stays open. */
TM_API tm_status tm_hash_input(tm_hashes *out, const tm_input *input, const tm_allocator *allocator,
                               tm_error *error);

/* An underlying library, for bug reports. Both texts are static. */
typedef struct tm_codec_library {
    const char *name; /* "libdeflate" */
    const char *version;
} tm_codec_library;
/* The n-th library in alphabetical order; false after the last one. */
TM_API bool tm_codec_library_at(tm_codec_library *out, size_t index);

#ifdef __cplusplus
}
#endif
#endif
