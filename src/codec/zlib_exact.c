/* SPDX-License-Identifier: Zlib */
/*
 * Packing as zlib itself does at a level, so that a stream that the games wrote can be made again from
 * what is in it. Slower than libdeflate, which packs everything else. What comes out depends on the zlib
 * that is installed; who relies on it compares.
 */
#include "codec.h"

#include <zlib.h>

static voidpf take_memory(voidpf ctx, uInt num, uInt size)
{
    return tmi_alloc(ctx, num, size);
}

/* Of blocks whose size zlib does not tell; the allocator is malloc, which does not ask. */
static void give_memory(voidpf ctx, voidpf bytes)
{
    tmi_free(ctx, bytes, 1, 1);
}

/* Packs piece by piece; `wanted` (may be NULL) ends it at the first byte that differs. */
static size_t run_deflate(z_stream *stream, uint8_t *out, size_t capacity, const uint8_t *wanted,
                          size_t wanted_size)
{
    enum { PIECE = 1 << 16 };
    size_t done = 0;
    int result = Z_OK;
    const size_t size = stream->avail_in;
    stream->avail_in = 0;
    for (size_t fed = 0; result == Z_OK;) {
        if (stream->avail_in == 0 && fed < size) {
            stream->avail_in = (uInt)(size - fed < PIECE ? size - fed : PIECE);
            fed += stream->avail_in;
        }
        stream->next_out = out + done;
        stream->avail_out = (uInt)(capacity - done < PIECE ? capacity - done : PIECE);
        if (stream->avail_out == 0)
            return 0;
        const size_t before = done;
        result = deflate(stream, fed == size ? Z_FINISH : Z_NO_FLUSH);
        done = (size_t)(stream->next_out - out);
        if (wanted && (done > wanted_size || memcmp(out + before, wanted + before, done - before) != 0))
            return 0;
        if (result == Z_BUF_ERROR && (fed < size || done > before))
            result = Z_OK;
    }
    return result == Z_STREAM_END ? done : 0;
}

size_t tmi_zlib_pack(int level, void *out, size_t capacity, const void *bytes, size_t size,
                     const void *wanted, size_t wanted_size)
{
    z_stream stream = {.zalloc = take_memory, .zfree = give_memory};
    if (size > UINT32_MAX || deflateInit(&stream, level) != Z_OK)
        return 0;
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    const size_t packed = run_deflate(&stream, out, capacity, wanted, wanted_size);
    (void)deflateEnd(&stream);
    return packed;
}
