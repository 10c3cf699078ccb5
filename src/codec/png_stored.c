/* SPDX-License-Identifier: Zlib */
/*
 * Before libspng reads a PNG its stream is unpacked by libdeflate and put back as it is, in "stored" blocks.
 * libspng unpacks by zlib, at a third of libdeflate's speed: over the images of thousands of maps that was
 * half of all work. Only complete files are converted: all chunks up to the last IDAT with right check sums,
 * not interlaced, a stream of exactly the right size. Anything else is left to libspng, and so is every
 * judgement. All of this goes the day that libspng takes another library than zlib.
 *
 *   as it was    signature, all chunks before the first IDAT
 *   IDAT         78 01, blocks, 4 bytes for an Adler-32 that nobody looks at
 *   IEND
 *
 *   OFFSET  SIZE  MEANING (a block)
 *   0       1     1: the last one, else 0
 *   1       2     n, at most 65535; low byte first, as the next one
 *   3       2     65535 - n
 *   5       n     bytes
 */
#include "png.h"

#include <libdeflate.h>

enum {
    HEAD_SIZE = 2,
    SUM_SIZE = 4,
    BLOCK_HEAD = 5,
    MAX_IN_BLOCK = 65535,
    CHUNK_SIZE = 12,
    SIGNATURE_SIZE = 8
};

/* Where the packed stream lies in a file. */
struct place {
    size_t first, end; /* of the IDAT chunks */
    size_t size;       /* of the stream */
};

/* Walks over the chunks up to the first one behind an IDAT. */
static bool find_stream(struct place *out, const uint8_t *bytes, size_t size)
{
    size_t at = SIGNATURE_SIZE;
    *out = (struct place){0, 0, 0};
    while (at < size && size - at >= CHUNK_SIZE) {
        const uint8_t *chunk = bytes + at;
        const size_t length = tmi_big_u32(chunk);
        const bool is_data = memcmp(chunk + 4, "IDAT", 4) == 0;
        if (!is_data && out->first) {
            out->end = at;
            return true;
        }
        if (length > size - at - CHUNK_SIZE ||
            tmi_big_u32(chunk + 8 + length) != tm_crc32(0, chunk + 4, 4 + length))
            return false;
        if (is_data) {
            out->first = out->first ? out->first : at;
            out->size += length;
        }
        at += CHUNK_SIZE + length;
    }
    return false;
}

/* The streams of all IDAT chunks, one behind the other. */
static void join_stream(uint8_t *to, const uint8_t *bytes, const struct place *place)
{
    for (size_t at = place->first; at < place->end;) {
        const size_t length = tmi_big_u32(bytes + at);
        memcpy(to, bytes + at + TMI_PNG_LEAD, length);
        to += length;
        at += CHUNK_SIZE + length;
    }
}

/*
 * Bytes that start `room` bytes behind `blocks` move into blocks. Each goes to the front, so none is
 * overwritten unread.
 */
static void make_blocks(uint8_t *blocks, size_t room, size_t size)
{
    const uint8_t *from = blocks + room;
    while (size > 0) {
        const size_t n = size < MAX_IN_BLOCK ? size : MAX_IN_BLOCK;
        uint8_t head[BLOCK_HEAD] = {n == size, n & 255, (uint8_t)(n >> 8), ~n & 255, (uint8_t)(~n >> 8)};
        memmove(blocks + BLOCK_HEAD, from, n);
        memcpy(blocks, head, BLOCK_HEAD);
        blocks += BLOCK_HEAD + n;
        from += n;
        size -= n;
    }
}

static bool unpack_rows(uint8_t *out, size_t size, const uint8_t *stream, size_t stream_size)
{
    size_t consumed = 0;
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    bool fine = decompressor &&
                libdeflate_zlib_decompress_ex(decompressor, stream, stream_size, out, size, &consumed,
                                              NULL) == LIBDEFLATE_SUCCESS &&
                consumed == stream_size;
    libdeflate_free_decompressor(decompressor);
    return fine;
}

void tmi_png_unpack(uint8_t **out, size_t *out_size, const void *file, size_t size, size_t rows_size,
                    const tm_allocator *allocator)
{
    const uint8_t *bytes = file;
    struct place place;
    *out = NULL;
    *out_size = 0;
    if (rows_size == 0 || rows_size > INT32_MAX / 2 || !find_stream(&place, bytes, size))
        return;
    const size_t room = (rows_size + MAX_IN_BLOCK - 1) / MAX_IN_BLOCK * BLOCK_HEAD;
    const size_t data_size = HEAD_SIZE + room + rows_size + SUM_SIZE;
    const size_t whole = place.first + CHUNK_SIZE + data_size + CHUNK_SIZE;
    uint8_t *made = tmi_alloc(allocator, whole, 1);
    uint8_t *stream = tmi_alloc(allocator, place.size, 1);
    uint8_t *data = made ? made + place.first + TMI_PNG_LEAD : NULL;
    bool fine = made && stream;
    if (fine) {
        join_stream(stream, bytes, &place);
        fine = unpack_rows(data + HEAD_SIZE + room, rows_size, stream, place.size);
    }
    tmi_free(allocator, stream, place.size, 1);
    if (!fine) {
        tmi_free(allocator, made, whole, 1);
        return;
    }
    memcpy(made, bytes, place.first);
    tmi_put_big_u32(data - TMI_PNG_LEAD, (uint32_t)data_size);
    memcpy(data - 4, "IDAT\x78\x01", 4 + HEAD_SIZE);
    make_blocks(data + HEAD_SIZE, room, rows_size);
    memset(data + data_size - SUM_SIZE, 0, SUM_SIZE + TMI_PNG_TAIL);
    (void)tmi_png_make_chunk(made + whole - CHUNK_SIZE, "IEND", 0);
    *out = made;
    *out_size = whole;
}
