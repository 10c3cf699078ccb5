/* SPDX-License-Identifier: Zlib */
/*
 * PNG in. Pixels only: colour profiles, gamma and texts are ignored, because the games ignore them.
 *
 * png_decode.c reads whole files, which nearly all are, at several times libpng's speed. What it does not
 * take (a check sum that is wrong, a stream that ends early or late, a chunk that nobody knows) is read by
 * libpng, as in the games, and so is every judgement in words.
 */
#include "png.h"

#define DEFAULT_BYTES ((uint64_t)1 << 30)
/* A deflate stream yields at most 258 bytes from two codes of one bit each: 1032 bytes from one. */
#define MAX_FROM_ONE_BYTE 1032u

tm_status tmi_png_check_size(size_t *pixels_size, const tmi_png_kind *kind, const tmi_picture_file *file,
                             tm_error *error)
{
    const uint64_t most = file->max_bytes ? file->max_bytes : DEFAULT_BYTES;
    if (!tmi_mul_size(pixels_size, kind->width, kind->height) ||
        !tmi_mul_size(pixels_size, *pixels_size, 4) || *pixels_size > most)
        return tmi_fail(error, TM_ERROR_LIMIT, -1,
                        "cannot read PNG: %u x %u pixels are more than %llu bytes, which is the limit",
                        (unsigned)kind->width, (unsigned)kind->height, (unsigned long long)most);
    /* A little less than exact, but it never wraps. */
    const uint64_t least_size =
        (uint64_t)kind->width * kind->height / 8 / MAX_FROM_ONE_BYTE * kind->channels * kind->depth;
    if (least_size > file->size)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1,
                        "cannot read PNG: a file of %llu bytes is too short for %u x %u pixels",
                        (unsigned long long)file->size, (unsigned)kind->width, (unsigned)kind->height);
    return TM_OK;
}

static tm_status read(tmi_png_pixels *out, const tmi_picture_file *file, bool slowly, tm_error *error)
{
    static const uint8_t magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    TM_TRY(tmi_need(file->bytes, "bytes", error));
    /* The decoder only reports that something is wrong; most often, the file has another format. */
    if (file->size < sizeof(magic) || memcmp(file->bytes, magic, sizeof(magic)) != 0)
        return tmi_fail(error, TM_ERROR_DAMAGED, 0, "not a PNG: wrong first bytes");
    if (!slowly || !TEEMAP_HAVE_LIBPNG) {
        TM_TRY(tmi_png_decode(out, file, error));
        if (out->bytes)
            return TM_OK;
    }
    return tmi_png_decode_by_libpng(out, file, error);
}

static tm_status read_into(uint8_t **pixels, uint32_t *width, uint32_t *height, const tmi_picture_file *file,
                           bool slowly, tm_error *error)
{
    tmi_png_pixels out = {NULL, 0, 0};
    TM_TRY(tmi_need(pixels, "pixels", error));
    TM_TRY(tmi_need(width, "width", error));
    TM_TRY(tmi_need(height, "height", error));
    *pixels = NULL;
    *width = *height = 0;
    TM_TRY(read(&out, file, slowly, error));
    *pixels = out.bytes;
    *width = out.width;
    *height = out.height;
    return TM_OK;
}

tm_status tm_png_read(uint8_t **pixels, uint32_t *width, uint32_t *height, const void *bytes, size_t size,
                      uint64_t max_bytes, const tm_allocator *allocator, tm_error *error)
{
    const tmi_picture_file file = {bytes, size, max_bytes, allocator};
    return read_into(pixels, width, height, &file, false, error);
}

tm_status tmi_png_read_slowly(uint8_t **pixels, uint32_t *width, uint32_t *height,
                              const tmi_picture_file *file, tm_error *error)
{
    return read_into(pixels, width, height, file, true, error);
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
