/* SPDX-License-Identifier: Zlib */
/*
 * Packing: bytes into a zlib stream (RFC 1950), by libdeflate at its levels 0 to 12. What it makes differs
 * from what zlib makes at the same level, and may differ between versions of libdeflate; only what comes out
 * when it is unpacked is promised. Also CRC-32.
 */
#include "codec.h"

#include <libdeflate.h>

struct tmi_deflater {
    struct libdeflate_compressor *compressor;
};

tmi_deflater *tmi_deflater_new(int level)
{
    tmi_deflater *deflater = tmi_alloc(NULL, 1, sizeof(*deflater));
    if (!deflater)
        return NULL;
    level = level < 0 ? 0 : level > 12 ? 12 : level;
    deflater->compressor = libdeflate_alloc_compressor(level);
    if (!deflater->compressor) {
        tmi_free(NULL, deflater, 1, sizeof(*deflater));
        return NULL;
    }
    return deflater;
}

void tmi_deflater_free(tmi_deflater *deflater)
{
    if (!deflater)
        return;
    libdeflate_free_compressor(deflater->compressor);
    tmi_free(NULL, deflater, 1, sizeof(*deflater));
}

size_t tmi_deflate_bound(tmi_deflater *deflater, size_t size)
{
    return libdeflate_zlib_compress_bound(deflater->compressor, size);
}

size_t tmi_deflate(tmi_deflater *deflater, void *out, size_t capacity, const void *bytes, size_t size)
{
    return libdeflate_zlib_compress(deflater->compressor, size ? bytes : "", size, out, capacity);
}

uint32_t tmi_adler32(const void *bytes, size_t size)
{
    return size ? libdeflate_adler32(1, bytes, size) : 1;
}

uint32_t tm_crc32(uint32_t crc, const void *bytes, size_t size)
{
    return bytes && size ? libdeflate_crc32(crc, bytes, size) : crc;
}
