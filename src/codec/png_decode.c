/* SPDX-License-Identifier: Zlib */
/*
 * PNG in, where the file is whole: all chunks up to the last IDAT are known and have right check sums, and
 * the stream is of exactly the right size. Of anything else it says that it is not, and libpng has the word.
 *
 *   OFFSET  SIZE  MEANING (IHDR, the first chunk; high byte first)
 *   0       8     width, height
 *   8       1     bits of a sample: 1, 2, 4, 8, 16
 *   9       1     0: gray, 2: RGB, 3: number in PLTE, 4: gray and alpha, 6: RGBA
 *   10      2     0: deflate, filters row by row
 *   12      1     1: interlaced, seven small pictures in place of one
 *
 * tRNS has the alpha of PLTE's colours, or the one color that is clear, two bytes a sample.
 */
#include "png.h"

enum {
    CHUNK_SIZE = 12,
    SIGNATURE_SIZE = 8,
    HEAD_SIZE = 13,
    GRAY = 0,
    RGB = 2,
    PALETTE = 3,
    GRAY_ALPHA = 4,
    RGBA = 6,
    NUM_PASSES = 7
};

/* What is known of a file before its rows are unpacked. */
typedef struct whole_file {
    const uint8_t *bytes;
    tmi_png_kind kind;
    uint8_t color;
    bool interlaced;
    size_t first, end;  /* of the IDAT chunks */
    size_t stream_size; /* of their data */
    uint32_t num_colors;
    uint8_t colors[256][4]; /* RGBA, of those with one sample of up to 8 bits */
    bool has_palette, has_clear;
    uint8_t clear[6]; /* the color that is, as it stands in a row */
} whole_file;

/* ------------------------------------------------------------------------------------------------- chunks */

static bool read_head(whole_file *file, const uint8_t *data, size_t size)
{
    static const uint8_t channels[] = {[GRAY] = 1, [RGB] = 3, [PALETTE] = 1, [GRAY_ALPHA] = 2, [RGBA] = 4};
    /* Bit n: n bits of a sample. */
    static const uint32_t depths[] = {
        [GRAY] = 0x10116, [RGB] = 0x10100, [PALETTE] = 0x116, [GRAY_ALPHA] = 0x10100, [RGBA] = 0x10100};
    if (size != HEAD_SIZE || data[9] > RGBA || data[8] > 16 || !(depths[data[9]] >> data[8] & 1) ||
        data[10] || data[11] || data[12] > 1)
        return false;
    file->kind = (tmi_png_kind){tmi_big_u32(data), tmi_big_u32(data + 4), data[8], channels[data[9]]};
    file->color = data[9];
    file->interlaced = data[12];
    return file->kind.width && file->kind.height && file->kind.width <= INT32_MAX &&
           file->kind.height <= INT32_MAX;
}

static bool read_palette(whole_file *file, const uint8_t *data, size_t size)
{
    if (file->color == GRAY || file->color == GRAY_ALPHA || file->has_palette || size == 0 || size % 3 ||
        size > sizeof(file->colors) / 4 * 3)
        return false;
    file->has_palette = true;
    if (file->color != PALETTE) /* what a viewer with few colors may use */
        return true;
    file->num_colors = (uint32_t)(size / 3);
    for (size_t i = 0; i < file->num_colors; i++) {
        memcpy(file->colors[i], data + 3 * i, 3);
        file->colors[i][3] = 255;
    }
    return file->num_colors <= 1u << file->kind.depth;
}

static bool read_clear(whole_file *file, const uint8_t *data, size_t size)
{
    const size_t channels = file->kind.channels, sample = file->kind.depth == 16 ? 2 : 1;
    if (file->color == PALETTE) {
        for (size_t i = 0; i < size && size <= file->num_colors; i++)
            file->colors[i][3] = data[i];
        return size && size <= file->num_colors;
    }
    if ((file->color != GRAY && file->color != RGB) || size != 2 * channels)
        return false;
    for (size_t i = 0; i < channels; i++)
        memcpy(file->clear + i * sample, data + 2 * i + (2 - sample), sample);
    if (file->kind.depth < 8)
        file->clear[0] &= (uint8_t)((1 << file->kind.depth) - 1);
    file->has_clear = true;
    return true;
}

/* Gray of few bits is as a palette. */
static void make_grays(whole_file *file)
{
    const uint32_t most = (1u << file->kind.depth) - 1;
    file->num_colors = most + 1;
    for (uint32_t i = 0; i <= most; i++) {
        memset(file->colors[i], (int)(i * 255 / most), 3);
        file->colors[i][3] = file->has_clear && file->clear[0] == i ? 0 : 255;
    }
}

/* Four letters, of which the first one is small. */
static bool may_be_left_out(const uint8_t *name)
{
    for (int i = 0; i < 4; i++)
        if ((name[i] | 0x20) < 'a' || (name[i] | 0x20) > 'z')
            return false;
    return name[0] & 0x20;
}

/* Walks over the chunks up to the first one behind an IDAT. */
static bool find_chunks(whole_file *file, size_t size)
{
    bool cleared = false;
    for (size_t start = SIGNATURE_SIZE; start < size && size - start >= CHUNK_SIZE;) {
        const uint8_t *chunk = file->bytes + start, *name = chunk + 4, *data = chunk + TMI_PNG_LEAD;
        const size_t length = tmi_big_u32(chunk);
        const bool is_data = memcmp(name, "IDAT", 4) == 0;
        if (!is_data && file->first) {
            file->end = start;
            return true;
        }
        if (length > size - start - CHUNK_SIZE || tmi_big_u32(data + length) != tm_crc32(0, name, 4 + length))
            return false;
        if (is_data) {
            file->first = file->first ? file->first : start;
            file->stream_size += length;
        } else if (memcmp(name, "PLTE", 4) == 0) {
            if (cleared || !read_palette(file, data, length))
                return false;
        } else if (memcmp(name, "tRNS", 4) == 0) {
            if (cleared || !read_clear(file, data, length))
                return false;
            cleared = true;
        } else if (start != SIGNATURE_SIZE && !may_be_left_out(name)) {
            return false;
        }
        start += CHUNK_SIZE + length;
    }
    return false;
}

/* --------------------------------------------------------------------------------------------------- rows */

/* One of the pictures of which an interlaced one consists; a usual one is one of them. */
typedef struct picture_pass {
    uint32_t x, y, step_x, step_y, width, height;
    uint64_t row_size; /* without the byte that names its filter */
} picture_pass;

static picture_pass pass_at(const whole_file *file, uint32_t number)
{
    static const uint8_t passes[NUM_PASSES][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                                  {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    picture_pass pass = {0, 0, 1, 1, file->kind.width, file->kind.height, 0};
    if (file->interlaced) {
        const uint8_t *row = passes[number];
        pass = (picture_pass){row[0], row[1], row[2], row[3], 0, 0, 0};
        pass.width = file->kind.width > row[0] ? (file->kind.width - row[0] - 1) / row[2] + 1 : 0;
        pass.height = file->kind.height > row[1] ? (file->kind.height - row[1] - 1) / row[3] + 1 : 0;
    }
    pass.row_size = ((uint64_t)pass.width * file->kind.channels * file->kind.depth + 7) / 8;
    return pass;
}

/* All rows with their filters, 0 if they are too large. */
static size_t rows_size_of(const whole_file *file)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < (file->interlaced ? NUM_PASSES : 1); i++) {
        const picture_pass pass = pass_at(file, i);
        if (pass.width && pass.row_size + 1 > (INT32_MAX - size) / (pass.height + 1))
            return 0;
        size += pass.width ? (pass.row_size + 1) * pass.height : 0;
    }
    return (size_t)size;
}

/* The data of all IDAT chunks, one behind the other. */
static void join_stream(uint8_t *out, const whole_file *file)
{
    for (size_t start = file->first; start < file->end;) {
        const size_t length = tmi_big_u32(file->bytes + start);
        memcpy(out, file->bytes + start + TMI_PNG_LEAD, length);
        out += length;
        start += CHUNK_SIZE + length;
    }
}

/* *is_whole: the rows are all there. Where there is one IDAT chunk, its data are the stream already. */
static tm_status unpack_rows(bool *is_whole, uint8_t *rows, size_t rows_size, const whole_file *file,
                             const tm_allocator *allocator, tm_error *error)
{
    const bool divided = file->end - file->first != file->stream_size + CHUNK_SIZE;
    const uint8_t *stream = file->bytes + file->first + TMI_PNG_LEAD;
    uint8_t *joined = NULL;
    if (divided) {
        TM_TRY(tmi_reserve(&joined, allocator, file->stream_size, 1, "the stream of a PNG", error));
        join_stream(joined, file);
        stream = joined;
    }
    tmi_inflater *inflater = tmi_inflater_new(allocator);
    if (inflater)
        *is_whole = tmi_inflate_whole(inflater, rows, rows_size, stream, file->stream_size);
    tmi_inflater_free(inflater);
    tmi_free(allocator, joined, divided ? file->stream_size : 0, 1);
    return inflater ? TM_OK : tmi_fail_memory(error, 0, "an inflater");
}

/* Samples of up to 8 bits: numbers of colors. False if there is no such color. */
static bool look_up(uint8_t *out, size_t step, const whole_file *file, const uint8_t *row, uint32_t width)
{
    const uint32_t depth = file->kind.depth, mask = (1u << depth) - 1;
    uint32_t highest = 0;
    for (size_t i = 0; i < width; i++) {
        const uint32_t color = (uint32_t)row[i * depth / 8] >> (8 - depth - (i * depth & 7)) & mask;
        highest = color > highest ? color : highest;
        memcpy(out + i * step, file->colors[color], 4);
    }
    return highest < file->num_colors;
}

/* Samples of 8 and 16 bits, of which the upper 8 are kept. */
static void convert(uint8_t *out, size_t step, const whole_file *file, const uint8_t *row, uint32_t width)
{
    const size_t sample = file->kind.depth / 8, channels = file->kind.channels, pixel = sample * channels;
    const size_t green = channels < 3 ? 0 : sample, blue = 2 * green;
    if (file->color == RGBA && sample == 1 && step == 4) {
        memcpy(out, row, (size_t)width * 4);
        return;
    }
    if (file->color == RGB && sample == 1 && step == 4 && !file->has_clear) {
        for (size_t i = 0; i + 1 < width; i++) { /* four bytes at a time, of which the last is overwritten */
            memcpy(out + 4 * i, row + 3 * i, 4);
            out[4 * i + 3] = 255;
        }
        memcpy(out + 4 * (size_t)(width - 1), row + 3 * (size_t)(width - 1), 3);
        out[4 * (size_t)width - 1] = 255;
        return;
    }
    for (size_t i = 0; i < width; i++, row += pixel, out += step) {
        const bool clear = file->has_clear && memcmp(row, file->clear, pixel) == 0;
        const uint8_t alpha = clear ? 0 : channels % 2 ? 255 : row[pixel - sample];
        const uint8_t rgba[4] = {row[0], row[green], row[blue], alpha};
        memcpy(out, rgba, sizeof(rgba));
    }
}

static bool decode_rows(uint8_t *out, const whole_file *file, uint8_t *rows)
{
    const size_t pixel = file->kind.depth < 8 ? 1 : file->kind.depth / 8u * file->kind.channels;
    for (uint32_t i = 0; i < (file->interlaced ? NUM_PASSES : 1); i++) {
        const picture_pass pass = pass_at(file, i);
        const size_t row_size = (size_t)pass.row_size; /* rows_size_of has found that all rows fit */
        const uint8_t *above = NULL;
        for (uint32_t y = 0; y < pass.height && pass.width; y++) {
            uint8_t *row = rows + 1;
            uint8_t *line = out + ((size_t)(pass.y + y * pass.step_y) * file->kind.width + pass.x) * 4;
            if (!tmi_png_unfilter(row, above, row_size, pixel, rows[0]))
                return false;
            if (!file->num_colors)
                convert(line, (size_t)pass.step_x * 4, file, row, pass.width);
            else if (!look_up(line, (size_t)pass.step_x * 4, file, row, pass.width))
                return false;
            above = row;
            rows += 1 + row_size;
        }
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------- files */

tm_status tmi_png_decode(tmi_png_pixels *out, const tmi_picture_file *source, tm_error *error)
{
    whole_file file = {.bytes = source->bytes};
    const uint8_t *head = file.bytes + SIGNATURE_SIZE;
    size_t pixels_size;
    if (source->size < SIGNATURE_SIZE + CHUNK_SIZE + HEAD_SIZE || memcmp(head + 4, "IHDR", 4) != 0 ||
        !read_head(&file, head + TMI_PNG_LEAD, tmi_big_u32(head)) ||
        tmi_big_u32(head + TMI_PNG_LEAD + HEAD_SIZE) != tm_crc32(0, head + 4, 4 + HEAD_SIZE))
        return TM_OK;
    TM_TRY(tmi_png_check_size(&pixels_size, &file.kind, source, error));
    const size_t rows_size = rows_size_of(&file);
    if (!rows_size || !find_chunks(&file, source->size) || (file.color == PALETTE && !file.num_colors))
        return TM_OK;
    if (file.color == GRAY && file.kind.depth <= 8)
        make_grays(&file);
    uint8_t *pixels, *rows;
    bool is_whole = false;
    TM_TRY(tmi_reserve(&rows, source->allocator, rows_size, 1, "the rows of a PNG", error));
    tm_status status = unpack_rows(&is_whole, rows, rows_size, &file, source->allocator, error);
    if (!status && is_whole)
        status = tmi_reserve(&pixels, source->allocator, pixels_size, 1, "the pixels of a PNG", error);
    if (!status && is_whole) {
        if (decode_rows(pixels, &file, rows))
            *out = (tmi_png_pixels){pixels, file.kind.width, file.kind.height};
        else
            tmi_free(source->allocator, pixels, pixels_size, 1);
    }
    tmi_free(source->allocator, rows, rows_size, 1);
    return status;
}
