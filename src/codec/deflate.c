/* SPDX-License-Identifier: Zlib */
/*
 * Packing: bytes into a zlib stream (RFC 1950), by libdeflate at its levels 0 to 12. What it makes differs
 * from what zlib makes at the same level, and may differ between versions of libdeflate; only what comes out
 * when it is unpacked is promised. Also CRC-32.
 */
#include "codec.h"

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

uint32_t tmi_adler32(const void *bytes, size_t size)
{
    return size ? libdeflate_adler32(1, bytes, size) : 1;
}

uint32_t tm_crc32(uint32_t crc, const void *bytes, size_t size)
{
    return bytes && size ? libdeflate_crc32(crc, bytes, size) : crc;
}
