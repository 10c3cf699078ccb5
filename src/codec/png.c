/* SPDX-License-Identifier: Zlib */
/*
 * PNG in, by libspng, whose errors are returned and not jumped out of. Pixels only: colour profiles, gamma
 * and texts are ignored, because the games ignore them.
 *
 * libspng takes memory from the C library, as it passes no context to an allocator; the pixels themselves
 * come from the caller's allocator.
 *
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
#include <spng.h>

enum {
    HEAD_SIZE = 2,
    SUM_SIZE = 4,
    BLOCK_HEAD = 5,
    MAX_IN_BLOCK = 65535,
    CHUNK_SIZE = 12,
    SIGNATURE_SIZE = 8
};

#define DEFAULT_BYTES ((uint64_t)1 << 30)
/* A deflate stream yields at most 258 bytes from two codes of one bit each: 1032 bytes from one. */
#define MAX_FROM_ONE_BYTE 1032u

static tm_status fail_reading(tm_error *error, int result)
{
    const bool is_limit =
        result == SPNG_EUSER_WIDTH || result == SPNG_EUSER_HEIGHT || result == SPNG_ECHUNK_LIMITS;
    const tm_status status = result == SPNG_EMEM ? TM_ERROR_MEMORY
                             : is_limit          ? TM_ERROR_LIMIT
                                                 : TM_ERROR_DAMAGED;
    return tmi_fail(error, status, -1, "cannot read PNG: %s", spng_strerror(result));
}

/* 1 for a colour type that does not exist; libspng refuses those. */
static unsigned channels_of(const struct spng_ihdr *head)
{
    static const uint8_t channels[] = {[0] = 1, [2] = 3, [3] = 1, [4] = 2, [6] = 4};
    return head->color_type < TMI_COUNT_OF(channels) ? channels[head->color_type] : 1;
}

static spng_ctx *make_decoder(int flags, const void *bytes, size_t size)
{
    spng_ctx *ctx = spng_ctx_new(flags);
    if (!ctx)
        return NULL;
    /*
     * Chunks next to the pixels are unused to us, but libspng keeps some of them: 16 MiB of each, 64 of
     * all.
     */
    (void)spng_set_chunk_limits(ctx, (size_t)16 << 20, (size_t)64 << 20);
    if (flags & SPNG_CTX_IGNORE_ADLER32)
        (void)spng_set_crc_action(ctx, SPNG_CRC_USE, SPNG_CRC_USE);
    (void)spng_set_png_buffer(ctx, bytes, size);
    return ctx;
}

/* ------------------------------------------------------------------------------------------ stored blocks */

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

/* Unpacks the streams of all IDAT chunks, one behind the other, to exactly `size` bytes. */
static bool unpack_rows(uint8_t *out, size_t size, const uint8_t *bytes, const struct place *place,
                        const tm_allocator *allocator)
{
    uint8_t *stream = tmi_alloc(allocator, place->size, 1);
    size_t joined = 0, consumed = 0;
    for (size_t at = place->first; stream && at < place->end;) {
        const size_t length = tmi_big_u32(bytes + at);
        memcpy(stream + joined, bytes + at + TMI_PNG_LEAD, length);
        joined += length;
        at += CHUNK_SIZE + length;
    }
    struct libdeflate_decompressor *decompressor = stream ? libdeflate_alloc_decompressor() : NULL;
    bool fine = decompressor &&
                libdeflate_zlib_decompress_ex(decompressor, stream, joined, out, size, &consumed, NULL) ==
                    LIBDEFLATE_SUCCESS &&
                consumed == joined;
    libdeflate_free_decompressor(decompressor);
    tmi_free(allocator, stream, place->size, 1);
    return fine;
}

/*
 * Bytes that start `room` bytes behind `blocks` move into blocks. Each goes to the front, so none is
 * overwritten unread.
 */
static void make_blocks(uint8_t *blocks, size_t room, size_t size)
{
    const uint8_t *source = blocks + room;
    while (size > 0) {
        const size_t n = size < MAX_IN_BLOCK ? size : MAX_IN_BLOCK;
        uint8_t head[BLOCK_HEAD] = {n == size, n & 255, (uint8_t)(n >> 8), ~n & 255, (uint8_t)(~n >> 8)};
        memmove(blocks + BLOCK_HEAD, source, n);
        memcpy(blocks, head, BLOCK_HEAD);
        blocks += BLOCK_HEAD + n;
        source += n;
        size -= n;
    }
}

/* Reads the pixels from the same picture with an unpacked stream; false if there is none. */
static bool decode_unpacked(uint8_t *out, size_t out_size, const struct spng_ihdr *head,
                            const tmi_picture_file *file)
{
    const uint64_t bits = (uint64_t)head->width * channels_of(head) * head->bit_depth,
                   row = bits / 8 + (bits % 8 != 0) + 1; /* with the byte that names its filter */
    struct place place;
    size_t rows_size;
    if (head->interlace_method || row > INT32_MAX || !tmi_mul_size(&rows_size, (size_t)row, head->height) ||
        rows_size > INT32_MAX / 2 || !find_stream(&place, file->bytes, file->size))
        return false;
    const size_t room = (rows_size + MAX_IN_BLOCK - 1) / MAX_IN_BLOCK * BLOCK_HEAD;
    const size_t data_size = HEAD_SIZE + room + rows_size + SUM_SIZE;
    const size_t whole = place.first + CHUNK_SIZE + data_size + CHUNK_SIZE;
    uint8_t *made = tmi_alloc(file->allocator, whole, 1);
    uint8_t *data = made ? made + place.first + TMI_PNG_LEAD : NULL;
    spng_ctx *ctx = NULL;
    if (made && unpack_rows(data + HEAD_SIZE + room, rows_size, file->bytes, &place, file->allocator)) {
        memcpy(made, file->bytes, place.first);
        tmi_put_big_u32(data - TMI_PNG_LEAD, (uint32_t)data_size);
        memcpy(data - 4, "IDAT\x78\x01", 4 + HEAD_SIZE);
        make_blocks(data + HEAD_SIZE, room, rows_size);
        memset(data + data_size - SUM_SIZE, 0, SUM_SIZE + TMI_PNG_TAIL);
        (void)tmi_png_make_chunk(made + whole - CHUNK_SIZE, "IEND", 0);
        ctx = make_decoder(SPNG_CTX_IGNORE_ADLER32, made, whole);
    }
    bool fine = ctx && spng_decode_image(ctx, out, out_size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS) == 0;
    spng_ctx_free(ctx);
    tmi_free(file->allocator, made, whole, 1);
    return fine;
}

/* -------------------------------------------------------------------------------------------------- files */

static tm_status decode(uint8_t **pixels, spng_ctx *ctx, const tmi_picture_file *file, struct spng_ihdr *head,
                        bool slowly, tm_error *error)
{
    const uint64_t most = file->max_bytes ? file->max_bytes : DEFAULT_BYTES;
    size_t pixels_size = 0;
    int result = spng_get_ihdr(ctx, head);
    if (result)
        return fail_reading(error, result);
    /* Before memory is taken for the pixels: by the limit, and by what so short a file can hold. */
    if (!tmi_mul_size(&pixels_size, head->width, head->height) ||
        !tmi_mul_size(&pixels_size, pixels_size, 4) || pixels_size > most)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "cannot read PNG: %u x %u pixels are more than %llu bytes, which is the limit",
                        (unsigned)head->width, (unsigned)head->height, (unsigned long long)most);
    /* A little less than exact, but it never wraps. */
    const uint64_t least_size =
        (uint64_t)head->width * head->height / 8 / MAX_FROM_ONE_BYTE * channels_of(head) * head->bit_depth;
    if (least_size > file->size)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1,
                        "cannot read PNG: a file of %llu bytes is too short for %u x %u pixels",
                        (unsigned long long)file->size, (unsigned)head->width, (unsigned)head->height);
    uint8_t *out;
    TM_TRY(tmi_reserve(&out, file->allocator, pixels_size, 1, "the pixels of a PNG", error));
    if (slowly || !decode_unpacked(out, pixels_size, head, file))
        result = spng_decode_image(ctx, out, pixels_size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
    if (result) {
        tmi_free(file->allocator, out, pixels_size, 1);
        return fail_reading(error, result);
    }
    *pixels = out;
    return TM_OK;
}

static tm_status read(uint8_t **pixels, uint32_t *width, uint32_t *height, const tmi_picture_file *file,
                      bool slowly, tm_error *error)
{
    static const uint8_t magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    TM_TRY(tmi_need(pixels, "pixels", error));
    TM_TRY(tmi_need(width, "width", error));
    TM_TRY(tmi_need(height, "height", error));
    *pixels = NULL;
    *width = *height = 0;
    TM_TRY(tmi_need(file->bytes, "bytes", error));
    /* The decoder only reports that something is wrong; most often, the file has another format. */
    if (file->size < sizeof(magic) || memcmp(file->bytes, magic, sizeof(magic)) != 0)
        return tmi_fail(error, TM_ERROR_DAMAGED, 0, "not a PNG: wrong first bytes");
    spng_ctx *ctx = make_decoder(0, file->bytes, file->size);
    if (!ctx)
        return tmi_fail_memory(error, 0, "a PNG decoder");
    struct spng_ihdr head = {0};
    tm_status status = decode(pixels, ctx, file, &head, slowly, error);
    spng_ctx_free(ctx);
    if (status == TM_OK) {
        *width = head.width;
        *height = head.height;
    }
    return status;
}

tm_status tm_png_read(uint8_t **pixels, uint32_t *width, uint32_t *height, const void *bytes, size_t size,
                      uint64_t max_bytes, const tm_allocator *allocator, tm_error *error)
{
    const tmi_picture_file file = {bytes, size, max_bytes, allocator};
    return read(pixels, width, height, &file, false, error);
}

tm_status tmi_png_read_slowly(uint8_t **pixels, uint32_t *width, uint32_t *height,
                              const tmi_picture_file *file, tm_error *error)
{
    return read(pixels, width, height, file, true, error);
}

/* 8 bytes that all PNGs have, then length and name of the first chunk, then both sides. */
bool tm_png_size(uint32_t *width, uint32_t *height, const tm_input *input)
{
    if (!width || !height)
        return false;
    static const char signature[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    uint8_t head[24];
    *width = *height = 0;
    if (!input || input->size < sizeof(head) || tmi_input_read(input, 0, head, sizeof(head), NULL) ||
        memcmp(head, signature, sizeof(signature) - 1) != 0)
        return false;
    *width = tmi_big_u32(head + 16);
    *height = tmi_big_u32(head + 20);
    return true;
}
