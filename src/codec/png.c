/* SPDX-License-Identifier: Zlib */
/*
 * PNG in, by libspng, whose errors are returned and not jumped out of. Pixels only: colour profiles, gamma
 * and texts are ignored, because the games ignore them.
 *
 * libspng takes memory from the C library, as it passes no context to an allocator; the pixels themselves
 * come from the caller's allocator.
 */
#include "png.h"

#include <spng.h>

#define DEFAULT_BYTES ((uint64_t)1 << 30)
/* A deflate stream yields at most 258 bytes from two codes of one bit each: 1032 bytes from one. */
#define MAX_FROM_ONE_BYTE 1032u

static tm_status status_of(int result)
{
    switch (result) {
    case SPNG_EMEM: return TM_ERROR_MEMORY;
    case SPNG_EUSER_WIDTH:
    case SPNG_EUSER_HEIGHT:
    case SPNG_ECHUNK_LIMITS: return TM_ERROR_LIMIT;
    default: return TM_ERROR_DAMAGED;
    }
}

static tm_status fail_reading(tm_error *error, int result)
{
    return tmi_fail(error, status_of(result), -1, "cannot read PNG: %s", spng_strerror(result));
}

/* 1 for a colour type that does not exist; libspng refuses those. */
static unsigned channels_of(const struct spng_ihdr *head)
{
    static const uint8_t channels[] = {[0] = 1, [2] = 3, [3] = 1, [4] = 2, [6] = 4};
    return head->color_type < TMI_COUNT_OF(channels) ? channels[head->color_type] : 1;
}

/*
 * Least number of bytes that a file with these pixels must have; a little less than exact, but never wraps.
 */
static uint64_t least_file_size(const struct spng_ihdr *head)
{
    return (uint64_t)head->width * head->height / 8 / MAX_FROM_ONE_BYTE * channels_of(head) * head->bit_depth;
}

/*
 * Size of the pixels, judged before any memory is taken for them: by the limit, and by what so short a file
 * can hold.
 */
static tm_status judge_size(size_t *out, spng_ctx *ctx, const tmi_picture_file *file, struct spng_ihdr *head,
                            tm_error *error)
{
    const uint64_t most = file->max_bytes ? file->max_bytes : DEFAULT_BYTES;
    int result = spng_get_ihdr(ctx, head);
    if (result)
        return fail_reading(error, result);
    if (!tmi_mul_size(out, head->width, head->height) || !tmi_mul_size(out, *out, 4) || *out > most)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "cannot read PNG: %u x %u pixels are more than %llu bytes, which is the limit",
                        (unsigned)head->width, (unsigned)head->height, (unsigned long long)most);
    if (least_file_size(head) > file->size)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1,
                        "cannot read PNG: a file of %llu bytes is too short for %u x %u pixels",
                        (unsigned long long)file->size, (unsigned)head->width, (unsigned)head->height);
    return TM_OK;
}

/* Bytes of all rows, each with the byte that names its filter; 0 for what is too large or interlaced. */
static size_t rows_size(const struct spng_ihdr *head)
{
    const uint64_t bits = (uint64_t)head->width * channels_of(head) * head->bit_depth;
    const uint64_t row = bits / 8 + (bits % 8 != 0) + 1;
    size_t size;
    if (head->interlace_method || row > INT32_MAX || !tmi_mul_size(&size, (size_t)row, head->height))
        return 0;
    return size;
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

/* Reads the pixels from the same picture with an unpacked stream; false if there is none. */
static bool decode_unpacked(uint8_t *out, size_t out_size, const struct spng_ihdr *head,
                            const tmi_picture_file *file)
{
    uint8_t *unpacked;
    size_t unpacked_size;
    tmi_png_unpack(&unpacked, &unpacked_size, file->bytes, file->size, rows_size(head), file->allocator);
    if (!unpacked)
        return false;
    spng_ctx *ctx = make_decoder(SPNG_CTX_IGNORE_ADLER32, unpacked, unpacked_size);
    bool fine = ctx && spng_decode_image(ctx, out, out_size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS) == 0;
    spng_ctx_free(ctx);
    tmi_free(file->allocator, unpacked, unpacked_size, 1);
    return fine;
}

static tm_status decode(uint8_t **pixels, spng_ctx *ctx, const tmi_picture_file *file, struct spng_ihdr *head,
                        bool slowly, tm_error *error)
{
    size_t pixels_size = 0;
    TM_TRY(judge_size(&pixels_size, ctx, file, head, error));
    uint8_t *out;
    TM_TRY(tmi_reserve(&out, file->allocator, pixels_size, 1, "the pixels of a PNG", error));
    int result = 0;
    if (slowly || !decode_unpacked(out, pixels_size, head, file))
        result = spng_decode_image(ctx, out, pixels_size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
    if (result) {
        tmi_free(file->allocator, out, pixels_size, 1);
        return fail_reading(error, result);
    }
    *pixels = out;
    return TM_OK;
}

/* The decoder only reports that something is wrong; most often, the file has another format. */
static tm_status check_magic(const void *bytes, size_t size, tm_error *error)
{
    static const uint8_t magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (size >= sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0)
        return TM_OK;
    return tmi_fail(error, TM_ERROR_DAMAGED, 0, "not a PNG: wrong first bytes");
}

static tm_status read(uint8_t **pixels, uint32_t *width, uint32_t *height, const tmi_picture_file *file,
                      bool slowly, tm_error *error)
{
    TM_TRY(tmi_need(pixels, "pixels", error));
    TM_TRY(tmi_need(width, "width", error));
    TM_TRY(tmi_need(height, "height", error));
    *pixels = NULL;
    *width = *height = 0;
    TM_TRY(tmi_need(file->bytes, "bytes", error));
    TM_TRY(check_magic(file->bytes, file->size, error));
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
