/* SPDX-License-Identifier: Zlib */
/*
 * Packing by zopfli, which is optional: it tries many ways to write the same bytes and finds a stream that is
 * a few percent smaller than libdeflate's best, in a hundred times the time.
 */
#include "codec.h"

#include <string.h>

#if TEEMAP_HAVE_ZOPFLI

#include <zopfli/deflate.h>

/* More rounds gain about 0.2 % in blocks of any size; their cost grows with the block. */
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

/*
 * An empty stored block, as deflate has it for this: three bits of zero, zeros up to a whole byte, the length
 * 0, and its complement. `used` bits of the last byte are in use, 0: all.
 */
static uint8_t *end_at_byte(uint8_t *stream, size_t *size, unsigned used)
{
    static const uint8_t rest[5] = {0, 0, 0, 0xFF, 0xFF};
    const size_t skip = used >= 1 && used <= 5, more = sizeof(rest) - skip;
    uint8_t *longer = tmi_alloc(NULL, *size + more, 1);
    if (longer) {
        memcpy(longer, stream, *size);
        memcpy(longer + *size, rest + skip, more);
    }
    tmi_free(NULL, stream, *size, 1);
    *size = longer ? *size + more : 0;
    return longer;
}

uint8_t *tmi_zopfli_part(size_t *stream_size, const void *bytes, size_t size, size_t from, size_t to)
{
    unsigned char *stream = NULL, used = 0;
    ZopfliOptions options;
    ZopfliInitOptions(&options);
    options.numiterations = rounds_for(size);
    *stream_size = 0;
    ZopfliDeflatePart(&options, 2, to == size, bytes, from, to, &used, &stream, stream_size);
    return to == size || !stream ? stream : end_at_byte(stream, stream_size, used);
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
