/* SPDX-License-Identifier: Zlib */
/*
 * Packs like zlib at a given level, to reproduce a stream that the games wrote from its content. Where there
 * is libdeflate, that packs everything else, faster. The result depends on the installed zlib; users compare
 * it.
 */
#include "codec.h"

#include <zlib.h>

/*
 * The bare deflate stream: its head is known, and what sums up may be faster than zlib. zlib takes its
 * memory from the C library.
 */
static bool start_bare(z_stream *stream, int level, const void *bytes, size_t size)
{
    enum { MEMORY = 8 }; /* as deflateInit has it */
    *stream = (z_stream){.next_out = NULL};
    if (size > UINT32_MAX ||
        deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    stream->next_in = (z_const Bytef *)(uintptr_t)bytes;
    stream->avail_in = (uInt)size;
    return true;
}

enum { ZLIB_HEAD = 2, ZLIB_SUM = 4, AROUND = ZLIB_HEAD + ZLIB_SUM };

size_t tmi_zlib_pack(int level, uint8_t *out, size_t capacity, const void *bytes, size_t size)
{
    z_stream stream;
    if (capacity < AROUND || !start_bare(&stream, level, bytes, size))
        return 0;
    /* As zlib writes it at a level: deflate with a window of 32 KB, and how hard it tried. */
    out[0] = 0x78;
    out[1] = level < 2 ? 0x01 : level < 6 ? 0x5e : level == 6 ? 0x9c : 0xda;
    const size_t room = capacity - ZLIB_HEAD; /* that of the sum, too: zlib ends only with some left */
    stream.next_out = out + ZLIB_HEAD;
    stream.avail_out = (uInt)(room < UINT32_MAX ? room : UINT32_MAX);
    const bool fits = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    const size_t packed = (size_t)(stream.next_out - out) - ZLIB_HEAD;
    (void)deflateEnd(&stream);
    if (!fits || packed > capacity - AROUND)
        return 0;
    tmi_put_big_u32(out + ZLIB_HEAD + packed, tmi_adler32(1, bytes, size));
    return packed + AROUND;
}

/* Near the end of its input zlib may choose otherwise if more follows; a full block has so many tokens. */
enum { NEAR_END = 2 * TMI_LONGEST_MATCH + 8, TOKENS_OF_BLOCK = (1 << 14) - 1 };

static tmi_likeness compare_beginning(tmi_tokens *made, tmi_tokens *packed)
{
    uint32_t length, distance, own_length, own_distance;
    for (size_t at = 0; at < TMI_LIKENESS_BYTES - NEAR_END; at += length) {
        if (!tmi_tokens_next(packed, &length, &distance) ||
            !tmi_tokens_next(made, &own_length, &own_distance))
            return TMI_UNDECIDED;
        if (length != own_length || distance != own_distance)
            return TMI_UNLIKE;
    }
    while (!tmi_tokens_first_block(packed) && tmi_tokens_next(packed, &length, &distance))
        ;
    const uint32_t num = tmi_tokens_first_block(packed);
    const bool only = tmi_tokens_ended(packed);
    return num == TOKENS_OF_BLOCK || (only && num && num < TOKENS_OF_BLOCK) ? TMI_LIKE : TMI_UNDECIDED;
}

tmi_likeness tmi_zlib_likeness(int level, const void *bytes, size_t size, const void *packed,
                               size_t packed_size, const tm_allocator *allocator)
{
    enum { ROOM = TMI_LIKENESS_BYTES + 1024 };
    if (size < TMI_LIKENESS_BYTES || packed_size < ZLIB_HEAD || level < 1)
        return TMI_UNDECIDED;
    z_stream stream;
    uint8_t *room = tmi_alloc(allocator, ROOM, 1);
    tmi_likeness likeness = TMI_UNDECIDED;
    int result = Z_MEM_ERROR;
    if (room && start_bare(&stream, level, bytes, TMI_LIKENESS_BYTES)) {
        stream.next_out = room;
        stream.avail_out = ROOM;
        result = deflate(&stream, Z_NO_FLUSH); /* leaves alone what it wants to see more of first */
        if (result == Z_OK)
            result = deflate(&stream, Z_SYNC_FLUSH);
        (void)deflateEnd(&stream);
    }
    if (result == Z_OK && stream.avail_out) {
        tmi_tokens *made = tmi_tokens_new(room, ROOM - stream.avail_out, allocator);
        tmi_tokens *present =
            tmi_tokens_new((const uint8_t *)packed + ZLIB_HEAD, packed_size - ZLIB_HEAD, allocator);
        if (made && present)
            likeness = compare_beginning(made, present);
        tmi_tokens_free(made);
        tmi_tokens_free(present);
    }
    tmi_free(allocator, room, ROOM, 1);
    return likeness;
}
