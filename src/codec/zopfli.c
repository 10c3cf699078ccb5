/* SPDX-License-Identifier: Zlib */
/*
 * Packing by zopfli, which is optional: it tries many ways to write the same bytes and finds a stream that is
 * a few percent smaller than libdeflate's best, in a hundred times the time.
 */
#include "codec.h"

#include <string.h>

#if TEEMAP_HAVE_ZOPFLI

#include <zopfli/deflate.h>

uint8_t *tmi_zopfli_part(size_t *stream_size, const void *bytes, size_t size, size_t from, size_t to)
{
    /* More rounds gain about 0.2 % in blocks of any size; their cost grows with the block. */
    static const struct {
        size_t up_to;
        int rounds;
    } costs[] = {{64 << 10, 30}, {256 << 10, 15}, {1 << 20, 10}, {SIZE_MAX, 5}};
    /*
     * An empty stored block, as deflate has it for ending at a whole byte: three bits of zero, zeros up to a
     * whole byte, the length 0, and its complement.
     */
    static const uint8_t empty[5] = {0, 0, 0, 0xFF, 0xFF};
    unsigned char *stream = NULL, used = 0; /* bits of the last byte; 0: all */
    ZopfliOptions options;
    ZopfliInitOptions(&options);
    size_t i = 0;
    while (size > costs[i].up_to)
        i++;
    options.numiterations = costs[i].rounds;
    *stream_size = 0;
    ZopfliDeflatePart(&options, 2, to == size, bytes, from, to, &used, &stream, stream_size);
    if (to == size || !stream)
        return stream;
    const size_t packed = *stream_size, skip = used >= 1 && used <= 5, more = sizeof(empty) - skip;
    uint8_t *longer = tmi_alloc(NULL, packed + more, 1);
    if (longer) {
        memcpy(longer, stream, packed);
        memcpy(longer + packed, empty + skip, more);
    }
    tmi_free(NULL, stream, packed, 1);
    *stream_size = longer ? packed + more : 0;
    return longer;
}

#else

uint8_t *tmi_zopfli_part(size_t *stream_size, const void *bytes, size_t size, size_t from, size_t to)
{
    (void)bytes, (void)size, (void)from, (void)to;
    *stream_size = 0;
    return NULL;
}

#endif

uint64_t tmi_zopfli_memory(uint64_t size)
{
    enum { MEMORY_OF_BYTE = 128 }; /* it takes about 126 for each that does not repeat */
    return (size < TMI_ZOPFLI_PART ? size : TMI_ZOPFLI_PART) * MEMORY_OF_BYTE;
}
