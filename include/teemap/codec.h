/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_CODEC_H
#define TEEMAP_CODEC_H
/*
 * teemap/codec.h - PNG and WebP in and out, animations, hashes. The libraries behind it (libspng,
 * libdeflate, zlib, libwebp, giflib, nettle, zopfli) do not show.
 *
 * Threads: a writer or an animation belongs to one thread at a time; everything else may be called by several
 * at once.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------------------------------------------- PNG out */

/* How pictures are written as PNG. NULL stands for all defaults. */
typedef struct tm_png_options {
    size_t size;                 /* sizeof(tm_png_options) */
    uint32_t channels;           /* of the pixels: 4 (RGBA, straight alpha; default) or 3 (RGB) */
    bool opaque;                 /* of RGBA: alpha is left out and not looked at, since it is 255 all over */
    bool smallest;               /* as small as it gets, in about a hundred times the time */
    uint64_t whole_bytes;        /* pixels up to this are packed in one go, see below; default 32 MiB */
    const tm_executor *executor; /* for what is not packed in one go; default: the calling thread */
    const tm_allocator *allocator; /* must outlive the writer, as the executor must */
} tm_png_options;
#define TM_PNG_OPTIONS_INIT                                    \
    {                                                          \
        sizeof(tm_png_options), 0, false, false, 0, NULL, NULL \
    }

/*
 * Writes pixels of 8 bits a channel as PNG, top row first; `pixels` holds width * height * channels bytes.
 */
TM_API tm_status tm_png_write(const tm_output *output, const void *pixels, uint32_t width, uint32_t height,
                              const tm_png_options *options, tm_error *error);

/*
 * The same in parts, for pictures that do not fit into memory: new, rows (as often as it takes, from the
 * top), finish. finish and free both free the writer; free is for one that is not to be finished.
 *
 * A picture of up to `whole_bytes` is gathered (twice its bytes of memory) and written by finish. A larger
 * one is written as it comes, in pieces of 1 MiB that are packed side by side by at most 8 threads (3 MiB of
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

/* ---------------------------------------------------------------------------------------------- WebP out */

/* Whether this library was built with libwebp. If not, what writes WebP fails with TM_ERROR_UNSUPPORTED. */
TM_API bool tm_webp_available(void);
enum { TM_WEBP_MAX_SIDE = 16383 }; /* pixels */

/* How WebP is packed. NULL stands for all defaults. */
typedef struct tm_webp_options {
    size_t size;   /* sizeof(tm_webp_options) */
    bool opaque;   /* alpha is left out and not looked at, since it is 255 all over */
    bool smallest; /* as small as it gets: lossless a hundred times slower, lossy three times */
    int quality;   /* 1..100: lossy; default 0: lossless, also where nothing can be seen */
    const tm_allocator *allocator; /* must outlive the writer; libwebp itself takes memory by malloc */
} tm_webp_options;
#define TM_WEBP_OPTIONS_INIT                           \
    {                                                  \
        sizeof(tm_webp_options), false, false, 0, NULL \
    }

/*
 * Writes RGBA pixels as WebP, in the same order of calls as PNG. But the format knows no pieces: the picture
 * is gathered, 4 bytes a pixel, and written by finish, for which libwebp takes up to 10 bytes a pixel more,
 * to make it small up to 35. Sides above TM_WEBP_MAX_SIDE are TM_ERROR_UNSUPPORTED.
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
    TM_ANIMATION_APNG = 0, /* lossless; programs that know no APNG show the first frame */
    TM_ANIMATION_WEBP,
    TM_ANIMATION_GIF, /* at most 255 colors, dithered; what is less opaque than half is transparent */
    TM_ANIMATION_RAW  /* nothing but the pixels, RGBA; opaque: RGB, 3 bytes a pixel */
} tm_animation_format;
/* Whether this library was built with giflib. If not, GIF fails with TM_ERROR_UNSUPPORTED. */
TM_API bool tm_gif_available(void);

/* NULL stands for all defaults. */
typedef struct tm_animation_options {
    size_t size; /* sizeof(tm_animation_options) */
    tm_animation_format format;
    uint32_t num_plays;    /* how often it is shown; default 0: for ever */
    bool opaque, smallest; /* as of tm_png_options and tm_webp_options */
    /*
     * WebP: 1..100 lossy; default 0: lossless. GIF: 1..99 leaves pixels that hardly change as they are, and
     * has fewer colors below 80; 0 and 100 leave none. APNG: not used. Opaque lossy WebP by
     * tm_animation_write has the colors of a GIF, and is a fourth smaller; frame by frame its colors are not
     * known, so that changed parts are lossy as a whole.
     */
    int quality;
    const tm_allocator *allocator; /* must outlive the animation; libwebp and giflib take some by malloc */
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
     * For tm_animation_write: draws frame `index` into `rgba`, which holds nothing that counts. Called by
     * several threads at once, for any frame and sometimes twice.
     */
    tm_status (*draw)(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error);
} tm_frames;
#define TM_FRAMES_INIT                            \
    {                                             \
        sizeof(tm_frames), 0, 0, 0, 0, NULL, NULL \
    }

/*
 * Writes RGBA frames as one animation: new, frame for each of `frames->num`, finish. finish and free both
 * free it; free is for one that is not to be finished. Each frame is shown for an equal share of the
 * duration: in APNG as a fraction of a second of two 16-bit numbers, exact where there is one; in WebP in
 * whole milliseconds, of which frames get one more or less so that the sum is right.
 *
 * Of a frame only the rectangle that changed is kept. APNG is written frame by frame, with memory for three
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
 * Writes an animation whose frames are drawn and packed side by side by the job's threads, some at a time: as
 * many as fit into the job's memory budget, at least one, at most 32. The file is the same for any number of
 * threads. A GIF has the colors of 24 frames from all over it. Progress counts frames.
 */
TM_API tm_status tm_animation_write(const tm_output *output, const tm_frames *frames,
                                    const tm_animation_options *options, const tm_job *job, tm_error *error);
/*
 * About how many bytes that would write, from 16 frames that are drawn and packed: rarely off by more than a
 * third.
 */
TM_API tm_status tm_animation_estimate(uint64_t *bytes, const tm_frames *frames,
                                       const tm_animation_options *options, const tm_job *job,
                                       tm_error *error);

/* What makes an animation smaller, all of it together. */
typedef struct tm_animation_saving {
    double scale; /* of its sides, at most 1 */
    double rate;  /* of its frames a second, at most 1 */
    int quality;  /* at most this; APNG has none */
} tm_animation_saving;
/*
 * Step by step less: step 0 is nothing saved, each other one makes a file about a quarter smaller than the
 * one before it. False behind the last one, which is about a hundredth.
 */
TM_API bool tm_animation_saving_at(tm_animation_saving *out, uint32_t step);

/* ------------------------------------------------------------------------------------- pictures in, sums */

/*
 * Reads any PNG as 8-bit RGBA of at most `max_bytes` (0: 1 GiB) of pixels. *pixels is the caller's to free
 * through the allocator (tm_free). Takes the memory of the pixels twice while it works.
 */
TM_API tm_status tm_png_read(uint8_t **pixels, uint32_t *width, uint32_t *height, const void *bytes,
                             size_t size, uint64_t max_bytes, const tm_allocator *allocator, tm_error *error);

/* The same for a PNG or, where libwebp is there, a WebP that is no animation. */
TM_API tm_status tm_picture_read(uint8_t **pixels, uint32_t *width, uint32_t *height, const void *bytes,
                                 size_t size, uint64_t max_bytes, const tm_allocator *allocator,
                                 tm_error *error);

/*
 * Reads only the size of a PNG, in pixels, from its head. False, and 0 x 0, if the input is no PNG. The
 * input stays open.
 */
TM_API bool tm_png_size(uint32_t *width, uint32_t *height, const tm_input *input);

/*
 * CRC-32 (zlib's polynomial) of `size` bytes, continuing from `crc` (0 at the start): by it old servers know
 * maps.
 */
TM_API uint32_t tm_crc32(uint32_t crc, const void *bytes, size_t size);

/*
 * Packing as small as it gets, by zopfli, for tm_datafile_writer_options.smallest. Whether this library was
 * built with it:
 */
TM_API bool tm_zopfli_available(void);
/*
 * Most bytes of a block that zopfli is given: at about 100 KB a second more would take many minutes. Its
 * memory, up to 128 MB a block, is from malloc, and it ends the process if there is none.
 */
enum { TM_ZOPFLI_BYTES = 16 << 20 };

/* SHA-256, by which DDNet's servers and clients know maps. */
enum { TM_SHA256_SIZE = 32 }; /* bytes */

/* A hash in the making, in the caller's memory; nothing of it is to be released. Treat as opaque. */
typedef struct tm_sha256 {
    uint64_t state[16];
} tm_sha256;
/* TM_ERROR_UNSUPPORTED when it is not available; update and final are not to be called then. */
TM_API tm_status tm_sha256_init(tm_sha256 *sha, tm_error *error);
TM_API void tm_sha256_update(tm_sha256 *sha, const void *bytes, size_t size);
/* Writes the hash; the struct then begins anew. */
TM_API void tm_sha256_final(tm_sha256 *sha, uint8_t digest[TM_SHA256_SIZE]);

/* Both hashes of a file as it is. */
typedef struct tm_hashes {
    uint64_t size; /* bytes */
    uint8_t sha256[TM_SHA256_SIZE];
    uint32_t crc32;
} tm_hashes;
/* Reads a whole input once, 128 KiB at a time. TM_ERROR_UNSUPPORTED without SHA-256. The input stays open. */
TM_API tm_status tm_hash_input(tm_hashes *out, const tm_input *input, const tm_allocator *allocator,
                               tm_error *error);

/* A library behind this module, for reports about faults. Both texts are static. */
typedef struct tm_codec_library {
    const char *name; /* "libdeflate" */
    const char *version;
} tm_codec_library;
/* The n-th one, in alphabetical order; false behind the last one. */
TM_API bool tm_codec_library_at(tm_codec_library *out, size_t index);

#ifdef __cplusplus
}
#endif
#endif
