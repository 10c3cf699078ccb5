/* SPDX-License-Identifier: Zlib */
/*
 * Unpacking: a zlib stream (RFC 1950) into a buffer of known size.
 *
 *   OFFSET  SIZE  MEANING
 *   0       1     method in the low half (8: deflate), window size in the high half (at most 7)
 *   1       1     bit 5: needs a preset dictionary; with byte 0 as the high byte a multiple of 31
 *   2       ...   deflate stream (RFC 1951), whose end only its decoder knows
 *   ...     4     Adler-32 of the unpacked bytes, high byte first
 *
 * The fast path is one call of libdeflate, which says "good" or "bad" and no more, or of deflate_tokens.c
 * where there is no libdeflate. What is not good, and of which a part is of use, goes to zlib's streaming
 * decoder, which stops exactly where a stream breaks and keeps all that came before; head and checksum are
 * judged here, so that a wrong one does not hide good data. zlib's word is final, because the games use zlib.
 *
 * zlib's memory lies in the inflater: after tmi_inflater_new nothing here can run out of memory.
 */
#define ZLIB_CONST
#include "codec.h"

#if TEEMAP_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#include <limits.h>
#include <stdalign.h>
#include <zlib.h>

/*
 * zlib 1.2.13 and 1.3 take about 40 KiB (10 of state, 32 of window), zlib-ng up to 80. tmi_inflater_new
 * notices if not.
 */
#define ZLIB_ROOM ((size_t)96 * 1024)

struct tmi_inflater {
    const tm_allocator *allocator;
#if TEEMAP_HAVE_LIBDEFLATE
    struct libdeflate_decompressor *decompressor;
#else
    tmi_tokens *tokens;
#endif
    z_stream stream;
    size_t used;
    alignas(max_align_t) unsigned char room[ZLIB_ROOM];
};

static voidpf take_room(voidpf opaque, uInt count, uInt size)
{
    tmi_inflater *inflater = opaque;
    size_t bytes;
    if (!tmi_mul_size(&bytes, count, size) || bytes > ZLIB_ROOM)
        return NULL;
    bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (bytes > ZLIB_ROOM - inflater->used)
        return NULL;
    voidpf ptr = inflater->room + inflater->used;
    inflater->used += bytes;
    return ptr;
}

static void leave_room(voidpf opaque, voidpf ptr)
{
    (void)opaque;
    (void)ptr;
}

tmi_inflater *tmi_inflater_new(const tm_allocator *allocator)
{
    tmi_inflater *inflater = tmi_alloc(allocator, 1, sizeof(*inflater));
    if (!inflater)
        return NULL;
    inflater->allocator = allocator;
    inflater->stream = (z_stream){.zalloc = take_room, .zfree = leave_room, .opaque = inflater};
    inflater->used = 0;
    /* Negative window bits: the bare deflate stream, without head and checksum. */
    bool fine = inflateInit2(&inflater->stream, -15) == Z_OK;
#if TEEMAP_HAVE_LIBDEFLATE
    inflater->decompressor = libdeflate_alloc_decompressor();
    fine = fine && inflater->decompressor;
#else
    inflater->tokens = tmi_tokens_new(NULL, 0, allocator);
    fine = fine && inflater->tokens;
#endif
    if (fine)
        return inflater;
    tmi_inflater_free(inflater);
    return NULL;
}

void tmi_inflater_free(tmi_inflater *inflater)
{
    if (!inflater)
        return;
#if TEEMAP_HAVE_LIBDEFLATE
    libdeflate_free_decompressor(inflater->decompressor);
#else
    tmi_tokens_free(inflater->tokens);
#endif
    tmi_free(inflater->allocator, inflater, 1, sizeof(*inflater));
}

/* How the bare deflate stream went. */
enum ending {
    END_REACHED,  /* the stream said that it was over */
    END_TOO_LONG, /* more came out than there is room for */
    END_OF_INPUT, /* the input was over first */
    END_BROKEN    /* something that is not deflate */
};

struct walk {
    enum ending ending;
    size_t got;      /* bytes put out, at most the size of the buffer */
    size_t consumed; /* bytes of input, when the end was reached */
};

static uInt piece(size_t size)
{
    return size < UINT_MAX ? (uInt)size : UINT_MAX;
}

/*
 * Runs zlib over the whole input, in pieces that its 32-bit counters can hold. When the buffer is full, one
 * byte next to it shows whether more would come.
 */
static struct walk walk_deflate(tmi_inflater *inflater, uint8_t *out, size_t size, const uint8_t *packed,
                                size_t packed_size)
{
    struct walk walk = {END_BROKEN, 0, 0};
    z_stream *stream = &inflater->stream;
    uint8_t extra;
    if (inflateReset(stream) != Z_OK)
        return walk;
    for (;;) {
        bool full = walk.got == size;
        uInt in = piece(packed_size - walk.consumed), room = full ? 1 : piece(size - walk.got);
        stream->next_in = packed + walk.consumed;
        stream->avail_in = in;
        stream->next_out = full ? &extra : out + walk.got;
        stream->avail_out = room;
        int status = inflate(stream, Z_NO_FLUSH);
        uInt taken = in - stream->avail_in, made = room - stream->avail_out;
        walk.consumed += taken;
        if (full && made) {
            walk.ending = END_TOO_LONG;
            return walk;
        }
        walk.got += made;
        if (status == Z_STREAM_END)
            walk.ending = END_REACHED;
        else if (status == Z_OK && (taken || made))
            continue;
        else if ((status == Z_OK || status == Z_BUF_ERROR) && walk.consumed == packed_size)
            walk.ending = END_OF_INPUT;
        return walk;
    }
}

static bool is_good_head(const uint8_t *packed)
{
    return (packed[0] & 15) == 8 && packed[0] >> 4 <= 7 && !(packed[1] & 32) &&
           ((unsigned)packed[0] << 8 | packed[1]) % 31 == 0;
}

static tmi_inflate_result inflate_by_zlib(tmi_inflater *inflater, uint8_t *out, size_t size, size_t *got,
                                          const uint8_t *packed, size_t packed_size)
{
    *got = 0;
    if (packed_size < 2)
        return TMI_INFLATE_BROKEN;
    struct walk walk = walk_deflate(inflater, out, size, packed + 2, packed_size - 2);
    const uint8_t *rest = packed + 2 + walk.consumed;
    size_t left = packed_size - 2 - walk.consumed;
    const bool proven =
        walk.ending == END_REACHED && left >= 4 && tmi_adler32(1, out, walk.got) == tmi_big_u32(rest);
    const bool good_head = is_good_head(packed);
    /* After a bad head, any bytes may look like deflate; only the checksum proves that they are. */
    *got = good_head || proven ? walk.got : 0;
    if (!good_head || walk.ending == END_BROKEN)
        return TMI_INFLATE_BROKEN;
    if (walk.ending == END_TOO_LONG)
        return TMI_INFLATE_LONG;
    if (!proven)
        return walk.got == size ? TMI_INFLATE_CHECKSUM : TMI_INFLATE_BROKEN;
    if (walk.got < size)
        return TMI_INFLATE_SHORT;
    return left > 4 ? TMI_INFLATE_TRAILING : TMI_INFLATE_OK;
}

tmi_inflate_result tmi_inflate_slowly(tmi_inflater *inflater, void *out, size_t size, size_t *got,
                                      const void *packed, size_t packed_size)
{
    uint8_t nothing = 0, *bytes = size ? (uint8_t *)out : &nothing;
    tmi_inflate_result result = inflate_by_zlib(inflater, bytes, size, got, packed, packed_size);
    memset(bytes + *got, 0, size - *got);
    return result;
}

/* Whether it is a whole stream, as the fast way sees it. */
static bool inflate_fast(tmi_inflater *inflater, void *out, size_t size, size_t *consumed,
                         const uint8_t *packed, size_t packed_size)
{
    uint8_t nothing;
#if TEEMAP_HAVE_LIBDEFLATE
    return libdeflate_zlib_decompress_ex(inflater->decompressor, packed_size ? packed : &nothing, packed_size,
                                         size ? out : &nothing, size, consumed, NULL) == LIBDEFLATE_SUCCESS;
#else
    enum { HEAD = 2, SUM = 4 };
    if (packed_size < HEAD + SUM || !is_good_head(packed) ||
        !tmi_tokens_inflate(inflater->tokens, size ? out : &nothing, size, packed + HEAD,
                            packed_size - HEAD - SUM, consumed))
        return false;
    *consumed += HEAD;
    const bool fine = tmi_adler32(1, out, size) == tmi_big_u32(packed + *consumed);
    *consumed += SUM;
    return fine;
#endif
}

tmi_inflate_result tmi_inflate(tmi_inflater *inflater, void *out, size_t size, size_t *got,
                               const void *packed, size_t packed_size)
{
    size_t consumed;
    if (!inflate_fast(inflater, out, size, &consumed, packed, packed_size))
        return tmi_inflate_slowly(inflater, out, size, got, packed, packed_size);
    *got = size;
    return consumed == packed_size ? TMI_INFLATE_OK : TMI_INFLATE_TRAILING;
}

bool tmi_inflate_whole(tmi_inflater *inflater, void *out, size_t size, const void *packed, size_t packed_size)
{
    size_t consumed;
    return inflate_fast(inflater, out, size, &consumed, packed, packed_size) && consumed == packed_size;
}

bool tmi_inflate_measure(tmi_inflater *inflater, uint64_t *size, size_t *packed_size, const void *packed,
                         size_t room, uint64_t most)
{
    enum { HEAD = 2, SUM = 4, WINDOW = 8 << 10 };
    uint8_t window[WINDOW];
    const uint8_t *bytes = packed;
    z_stream *stream = &inflater->stream;
    uint32_t sum = 1;
    size_t at = HEAD;
    int status = Z_OK;
    *size = 0;
    if (room < HEAD + SUM || !is_good_head(bytes) || inflateReset(stream) != Z_OK)
        return false;
    while (status == Z_OK && *size <= most) {
        const uInt in = piece(room - at);
        stream->next_in = bytes + at;
        stream->avail_in = in;
        stream->next_out = window;
        stream->avail_out = WINDOW;
        status = inflate(stream, Z_NO_FLUSH);
        const uInt made = WINDOW - stream->avail_out;
        at += in - stream->avail_in;
        sum = tmi_adler32(sum, window, made);
        *size += made;
    }
    *packed_size = at + SUM;
    return status == Z_STREAM_END && *size <= most && room - at >= SUM && sum == tmi_big_u32(bytes + at);
}
