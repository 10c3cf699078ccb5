/* SPDX-License-Identifier: Zlib */
#ifndef TMI_CODEC_H
#define TMI_CODEC_H
/*
 * Internal side of codec/: zlib streams (RFC 1950) in and out. libdeflate does the work where there is one;
 * zlib's own streaming decoder then only gets the readable part out of broken streams. Nothing of either
 * shows here.
 */
#include <teemap/codec.h>

#include "../base/base.h"

/* How a zlib stream went. Everything but OK and TRAILING is fatal to DDNet. */
typedef enum tmi_inflate_result {
    TMI_INFLATE_OK,
    TMI_INFLATE_TRAILING, /* exact size, but bytes follow the stream (zlib's uncompress ignores them) */
    TMI_INFLATE_SHORT,    /* a whole stream that yields fewer bytes than announced */
    TMI_INFLATE_LONG,     /* yields more than announced; the first ones were taken */
    TMI_INFLATE_CHECKSUM, /* all bytes are there, but the Adler-32 is wrong or missing */
    TMI_INFLATE_BROKEN    /* not a zlib stream, or broken midway; what was readable was taken */
} tmi_inflate_result;

typedef struct tmi_inflater tmi_inflater;
typedef struct tmi_deflater tmi_deflater;

/* NULL: out of memory. (libdeflate takes its small part by malloc, see tm_allocator.) */
tmi_inflater *tmi_inflater_new(const tm_allocator *allocator);
void tmi_inflater_free(tmi_inflater *inflater);
/*
 * Unpacks `packed` into exactly `size` bytes at `out`; *got receives how many of them came from the stream,
 * the rest is zeroed. With libdeflate, the others are found only when its one call fails.
 */
tmi_inflate_result tmi_inflate(tmi_inflater *inflater, void *out, size_t size, size_t *got,
                               const void *packed, size_t packed_size);

/*
 * Of a stream of which only all bytes are of use: whether it is whole and of exactly `size` bytes, which are
 * then at `out`. Looks at it once, and no further than to its first fault; behind false `out` holds anything.
 */
bool tmi_inflate_whole(tmi_inflater *inflater, void *out, size_t size, const void *packed,
                       size_t packed_size);

/*
 * The same as tmi_inflate by zlib alone, several times slower than libdeflate. Only differs for streams that
 * no compressor makes: zlib refuses a few odd code tables that libdeflate takes.
 */
tmi_inflate_result tmi_inflate_slowly(tmi_inflater *inflater, void *out, size_t size, size_t *got,
                                      const void *packed, size_t packed_size);

/*
 * How long a whole stream is that begins at `packed`, and how many bytes it holds, without keeping them.
 * False if it is broken or cut, if its checksum is wrong, and if it holds more than `most`.
 */
bool tmi_inflate_measure(tmi_inflater *inflater, uint64_t *size, size_t *packed_size, const void *packed,
                         size_t room, uint64_t most);

tmi_deflater *tmi_deflater_new(
    int level); /* 0..12, libdeflate's levels, others are clamped; zlib's last is 9; NULL: out of memory */
void tmi_deflater_free(tmi_deflater *deflater);
size_t tmi_deflate_bound(tmi_deflater *deflater, size_t size);
/* Returns the packed size, never 0 when `capacity` is at least the bound. `size` may be 0. */
size_t tmi_deflate(tmi_deflater *deflater, void *out, size_t capacity, const void *bytes, size_t size);

enum { TMI_ZOPFLI_PART = 1000000 }; /* bytes that zopfli works on at once */
/*
 * Packs the bytes [from, to) of `size` at `bytes` by zopfli, which looks at those in front of them, too: at
 * most TMI_ZOPFLI_PART, and at most TM_ZOPFLI_BYTES in all. The stream (deflate alone, without head and sum)
 * ends at a whole byte; behind that of one part comes that of the next. It is of malloc; NULL without zopfli.
 */
uint8_t *tmi_zopfli_part(size_t *stream_size, const void *bytes, size_t size, size_t from, size_t to);
/* How much memory that takes for so many bytes, from malloc. */
uint64_t tmi_zopfli_memory(uint64_t size);

/* Packs as zlib itself does at a level, 0 to 9; the packed size, 0 if it does not fit or without memory. */
size_t tmi_zlib_pack(int level, uint8_t *out, size_t capacity, const void *bytes, size_t size);

/*
 * Whether a stream looks like one of tmi_zlib_pack's at a level: its first tokens are those that zlib makes
 * of the first bytes, and its first block ends where zlib's do. Cheap; only TMI_UNLIKE is certain.
 */
typedef enum tmi_likeness { TMI_UNLIKE, TMI_LIKE, TMI_UNDECIDED } tmi_likeness;
enum { TMI_LIKENESS_BYTES = 48 << 10 }; /* of the content that are looked at */
tmi_likeness tmi_zlib_likeness(int level, const void *bytes, size_t size, const void *packed,
                               size_t packed_size, const tm_allocator *allocator);

/*
 * The literals (length 1, distance 0) and matches of a deflate stream, which begins without zlib's head;
 * `next` returns false at the end, at a fault and at a block that is not packed. NULL: out of memory.
 */
enum { TMI_LONGEST_MATCH = 258 };
typedef struct tmi_tokens tmi_tokens;
tmi_tokens *tmi_tokens_new(const void *stream, size_t size, const tm_allocator *allocator);
bool tmi_tokens_next(tmi_tokens *tokens, uint32_t *length, uint32_t *distance);
/* How many there were in the first block; 0 as long as it has not ended. */
uint32_t tmi_tokens_first_block(const tmi_tokens *tokens);
bool tmi_tokens_ended(const tmi_tokens *tokens); /* the last block has */
void tmi_tokens_free(tmi_tokens *tokens);
/*
 * Unpacks another stream, without zlib's head, to exactly `size` bytes; false if it is not one of so many,
 * and for streams of which zlib should judge. How long it was is in *consumed.
 */
bool tmi_tokens_inflate(tmi_tokens *tokens, void *out, size_t size, const void *stream, size_t stream_size,
                        size_t *consumed);

/* High byte first. */
static inline uint32_t tmi_big_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void tmi_put_big_u32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* The checksum of what was summed up before, 1 at first, and of these bytes. */
uint32_t tmi_adler32(uint32_t sum, const void *bytes, size_t size);

/* SHA-512 of some bytes. */
enum { TMI_SHA512_SIZE = 64 };
void tmi_sha512(uint8_t digest[TMI_SHA512_SIZE], const void *bytes, size_t size);

/* tm_png_read by libpng alone, where there is libpng. */
typedef struct tmi_picture_file {
    const void *bytes;
    size_t size;
    uint64_t max_bytes; /* of pixels; 0: 1 GiB */
    const tm_allocator *allocator;
} tmi_picture_file;
tm_status tmi_png_read_slowly(uint8_t **pixels, uint32_t *width, uint32_t *height,
                              const tmi_picture_file *file, tm_error *error);

/* ------------------------------------------------------------------------- of this library's rooms alone */

/* Three pages of Ogg, of which each has a head, 255 sizes and as many segments of at most 255 bytes. */
enum { TMI_OPUS_HEAD = 3 * (27 + 255 + 255 * 255) };
/*
 * Why `size` bytes, of which the first `held` are given, are not an Opus file that games play; NULL if they
 * are one. Few are enough to accept most files; a fault is certain from TMI_OPUS_HEAD bytes or all.
 */
const char *tmi_opus_fault(const void *bytes, size_t held, uint64_t size);

#endif
