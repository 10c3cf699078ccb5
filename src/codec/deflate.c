/* SPDX-License-Identifier: Zlib */
/*
 * Packing: bytes into a zlib stream (RFC 1950), by libdeflate at its levels 0 to 12 where there is one, else
 * by zlib, whose level 9 serves those above it, too. What comes out at a level differs between both, and may
 * differ between versions of each; only what comes out when it is unpacked is promised. Also CRC-32.
 */
#include "codec.h"

#if TEEMAP_HAVE_LIBDEFLATE
#include <libdeflate.h>

/* A tmi_deflater is never defined: the pointer is that of libdeflate. */
static struct libdeflate_compressor *compressor_of(tmi_deflater *deflater)
{
    return (struct libdeflate_compressor *)(void *)deflater;
}

tmi_deflater *tmi_deflater_new(int level)
{
    return (tmi_deflater *)(void *)libdeflate_alloc_compressor((int)tmi_clamp(level, 0, 12));
}

void tmi_deflater_free(tmi_deflater *deflater)
{
    libdeflate_free_compressor(compressor_of(deflater));
}

size_t tmi_deflate_bound(tmi_deflater *deflater, size_t size)
{
    return libdeflate_zlib_compress_bound(compressor_of(deflater), size);
}

size_t tmi_deflate(tmi_deflater *deflater, void *out, size_t capacity, const void *bytes, size_t size)
{
    return libdeflate_zlib_compress(compressor_of(deflater), size ? bytes : "", size, out, capacity);
}

uint32_t tmi_adler32(uint32_t sum, const void *bytes, size_t size)
{
    return size ? libdeflate_adler32(sum, bytes, size) : sum;
}

uint32_t tm_crc32(uint32_t crc, const void *bytes, size_t size)
{
    return bytes && size ? libdeflate_crc32(crc, bytes, size) : crc;
}
#else
#include <limits.h>
#include <zlib.h>

struct tmi_deflater {
    z_stream stream; /* of zlib's own memory */
};

tmi_deflater *tmi_deflater_new(int level)
{
    tmi_deflater *deflater = tmi_calloc(NULL, 1, sizeof(*deflater));
    if (deflater && deflateInit(&deflater->stream, (int)tmi_clamp(level, 0, 9)) == Z_OK)
        return deflater;
    tmi_free(NULL, deflater, 1, sizeof(*deflater));
    return NULL;
}

void tmi_deflater_free(tmi_deflater *deflater)
{
    if (!deflater)
        return;
    (void)deflateEnd(&deflater->stream);
    tmi_free(NULL, deflater, 1, sizeof(*deflater));
}

/* Where zlib's numbers have 32 bits, nobody packs more than 2 GiB. */
size_t tmi_deflate_bound(tmi_deflater *deflater, size_t size)
{
    return deflateBound(&deflater->stream, (uLong)size);
}

static uInt piece(size_t size)
{
    return size < UINT_MAX ? (uInt)size : UINT_MAX;
}

size_t tmi_deflate(tmi_deflater *deflater, void *out, size_t capacity, const void *bytes, size_t size)
{
    z_stream *stream = &deflater->stream;
    int status = deflateReset(stream);
    size_t packed = 0, consumed = 0;
    while (status == Z_OK && packed < capacity) {
        const uInt in = piece(size - consumed), room = piece(capacity - packed);
        stream->next_in = (z_const Bytef *)(uintptr_t)(size ? bytes : (const void *)"") + consumed;
        stream->avail_in = in;
        stream->next_out = (Bytef *)out + packed;
        stream->avail_out = room;
        status = deflate(stream, in == size - consumed ? Z_FINISH : Z_NO_FLUSH);
        consumed += in - stream->avail_in;
        packed += room - stream->avail_out;
    }
    return status == Z_STREAM_END ? packed : 0;
}

/*
 * Sums of 16 rows of bytes side by side, which compilers make vectors of: three times as fast as zlib's. Each
 * byte is in the second sum as often as there are bytes from it to the end. MOST of them fit into 32 bits.
 */
uint32_t tmi_adler32(uint32_t sum, const void *bytes, size_t size)
{
    enum { ROWS = 16, MOST = 5440, MODULUS = 65521 };
    const uint8_t *next = bytes;
    uint64_t first = sum & 0xffff, second = sum >> 16;
    while (size >= ROWS) {
        const size_t num = (size < MOST ? size : MOST) / ROWS;
        uint32_t firsts[ROWS] = {0}, seconds[ROWS] = {0};
        for (size_t i = 0; i < num; i++, next += ROWS)
            for (int k = 0; k < ROWS; k++) {
                seconds[k] += firsts[k];
                firsts[k] += next[k];
            }
        second += first * (ROWS * num);
        for (uint32_t k = 0; k < ROWS; k++) {
            second += (uint64_t)ROWS * seconds[k] + (ROWS - k) * firsts[k];
            first += firsts[k];
        }
        first %= MODULUS;
        second %= MODULUS;
        size -= num * ROWS;
    }
    for (; size > 0; size--) {
        first += *next++;
        second += first;
    }
    return (uint32_t)(second % MODULUS << 16 | first % MODULUS);
}

uint32_t tm_crc32(uint32_t crc, const void *bytes, size_t size)
{
    return bytes && size ? (uint32_t)crc32_z(crc, bytes, size) : crc;
}
#endif
