/* SPDX-License-Identifier: Zlib */
/*
 * Packing by zopfli, which is optional: it tries many ways to write the same bytes and finds a stream that is
 * a few percent smaller than libdeflate's best, in a hundred times the time.
 */
#include "codec.h"

#include <string.h>

#ifdef TEEMAP_HAVE_ZOPFLI

#include <zopfli/zopfli.h>

enum {
    PART = 1000000,      /* zopfli works on this many bytes at once, */
    MEMORY_OF_BYTE = 128 /* and takes about 126 for each that does not repeat */
};

bool tm_zopfli_available(void)
{
    return true;
}

/* What more rounds gain is about 0.2 % in blocks of any size; what they cost grows with the block. */
static int rounds_for(size_t size)
{
    static const struct {
        size_t up_to;
        int rounds;
    } table[] = {{64 << 10, 30}, {256 << 10, 15}, {1 << 20, 10}, {SIZE_MAX, 5}};
    size_t i = 0;
    while (size > table[i].up_to)
        i++;
    return table[i].rounds;
}

size_t tmi_zopfli_pack(void *out, size_t packed, const void *bytes, size_t size)
{
    unsigned char *made = NULL;
    size_t made_size = 0;
    ZopfliOptions options;
    ZopfliInitOptions(&options);
    options.numiterations = rounds_for(size);
    ZopfliCompress(&options, ZOPFLI_FORMAT_ZLIB, bytes, size, &made, &made_size);
    if (made_size < packed) {
        memcpy(out, made, made_size);
        packed = made_size;
    }
    tmi_free(NULL, made, made_size, 1);
    return packed;
}

uint64_t tmi_zopfli_memory(uint64_t size)
{
    return (size < PART ? size : PART) * MEMORY_OF_BYTE;
}

#else

bool tm_zopfli_available(void)
{
    return false;
}

size_t tmi_zopfli_pack(void *out, size_t packed, const void *bytes, size_t size)
{
    (void)out;
    (void)bytes;
    (void)size;
    return packed;
}

uint64_t tmi_zopfli_memory(uint64_t size)
{
    (void)size;
    return 0;
}

#endif
