/* SPDX-License-Identifier: Zlib */
/*
 * PNG out: chunks around packed rows. Pixels only: no colour profile, gamma or text. Pictures of usual size
 * are packed in one go (png_whole.c), larger ones as they come (png_parallel.c).
 *
 * libspng, which reads for us, does not write: it packs row by row through zlib on one thread. With RGBA at
 * level 6 the views of png_whole.c took it 31 to 69 ms where this takes 10 to 18 for as many bytes; what is
 * left to do beside packing is framing.
 *
 *   OFFSET  SIZE  MEANING (the head of a file)
 *   0       8     signature
 *   8       8     13, IHDR
 *   16      8     width, height
 *   24      1     8, bits of a channel
 *   25      1     2: RGB, 6: RGBA
 *   26      3     0: deflate, filters row by row, not interlaced
 *   29      4     CRC-32
 */
#include "png.h"

#define DEFAULT_WHOLE_BYTES ((uint64_t)32 << 20)

struct tm_png_writer {
    const tm_allocator *allocator;
    tm_output output;
    tmi_png_form form;
    uint32_t rows_left;
    uint8_t *rows; /* all of them, when packed in one go; NULL: in pieces */
    size_t rows_size;
    tmi_png_packer packer;
    tmi_png_pieces *pieces;
};

/* ------------------------------------------------------------------------------------------------- chunks */

size_t tmi_png_make_chunk(uint8_t *chunk, const char *name, size_t size)
{
    tmi_png_put_u32(chunk, (uint32_t)size);
    memcpy(chunk + 4, name, 4);
    tmi_png_put_u32(chunk + TMI_PNG_LEAD + size, tm_crc32(0, chunk + 4, 4 + size));
    return TMI_PNG_LEAD + size + TMI_PNG_TAIL;
}

void tmi_png_make_head(uint8_t *head, const tmi_png_form *form)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    memcpy(head, signature, sizeof(signature));
    uint8_t *data = head + sizeof(signature) + TMI_PNG_LEAD;
    tmi_png_put_u32(data, form->width);
    tmi_png_put_u32(data + 4, form->height);
    memset(data + 8, 0, 5);
    data[8] = 8;
    data[9] = form->channels == 4 ? 6 : 2;
    (void)tmi_png_make_chunk(head + sizeof(signature), "IHDR", 13);
}

tm_status tmi_png_put_end(const tm_output *output, tm_error *error)
{
    uint8_t chunk[TMI_PNG_LEAD + TMI_PNG_TAIL];
    return tmi_output_write(output, chunk, tmi_png_make_chunk(chunk, "IEND", 0), error);
}

/* ------------------------------------------------------------------------------------------------- writer */

static tm_status take_png_options(tm_png_options *out, const tm_png_options *options, tm_error *error)
{
    TM_TRY(tmi_options_take(out, sizeof(*out), options, "tm_png_options", error));
    if (out->channels == 0)
        out->channels = 4;
    if (out->whole_bytes == 0)
        out->whole_bytes = DEFAULT_WHOLE_BYTES;
    return TM_OK;
}

tm_status tmi_png_form_make(tmi_png_form *out, uint32_t width, uint32_t height, const tm_png_options *options,
                            tm_error *error)
{
    const uint32_t channels = options->channels;
    *out = (tmi_png_form){width, height, channels, options->opaque ? 3 : channels, options->smallest};
    if (channels != 3 && channels != 4)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot write PNG: channels is %u, allowed are 3 and 4",
                        (unsigned)channels);
    if (width == 0 || height == 0 || width > INT32_MAX / 4 || height > INT32_MAX)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                        "cannot write PNG of %u x %u pixels: the width is 1 to %ld, the height 1 to %ld",
                        (unsigned)width, (unsigned)height, (long)INT32_MAX / 4, (long)INT32_MAX);
    return TM_OK;
}

/* Memory for the way that the picture is to go, and the head of the file. */
static tm_status png_begin(tm_png_writer *writer, const tm_png_options *options, tm_error *error)
{
    uint8_t head[TMI_PNG_HEAD_SIZE];
    bool whole = tmi_mul_size(&writer->rows_size, tmi_png_row_size(&writer->form), writer->form.height) &&
                 writer->rows_size <= options->whole_bytes && writer->rows_size < INT32_MAX / 2;
    if (whole) {
        TM_TRY(
            tmi_reserve(&writer->rows, writer->allocator, writer->rows_size, 1, "the rows of a PNG", error));
        TM_TRY(tmi_png_packer_init(&writer->packer, writer->form.smallest, writer->allocator, error));
    }
    tmi_png_make_head(head, &writer->form);
    TM_TRY(tmi_output_write(&writer->output, head, sizeof(head), error));
    return whole ? TM_OK
                 : tmi_png_pieces_new(&writer->pieces, &writer->form, &writer->output, options->executor,
                                      writer->allocator, error);
}

tm_status tm_png_writer_new(tm_png_writer **out, const tm_output *output, uint32_t width, uint32_t height,
                            const tm_png_options *options, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(output, "output", error));
    tm_png_options filled;
    tmi_png_form form;
    TM_TRY(take_png_options(&filled, options, error));
    TM_TRY(tmi_png_form_make(&form, width, height, &filled, error));
    tm_png_writer *writer;
    TM_TRY(tmi_reserve_zeroed(&writer, filled.allocator, 1, sizeof(*writer), "a PNG encoder", error));
    writer->allocator = filled.allocator;
    writer->output = *output;
    writer->form = form;
    writer->rows_left = height;
    tm_status status = png_begin(writer, &filled, error);
    if (status != TM_OK)
        tm_png_writer_free(writer);
    else
        *out = writer;
    return status;
}

tm_status tm_png_writer_rows(tm_png_writer *writer, const void *pixels, uint32_t num_rows, size_t row_stride,
                             tm_error *error)
{
    TM_TRY(tmi_need(writer, "writer", error));
    if (num_rows)
        TM_TRY(tmi_need(pixels, "pixels", error));
    if (num_rows > writer->rows_left)
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "cannot write PNG: %u rows more, but the picture lacks only %u", (unsigned)num_rows,
                        (unsigned)writer->rows_left);
    const uint32_t done = writer->form.height - writer->rows_left;
    writer->rows_left -= num_rows;
    if (writer->pieces)
        return tmi_png_pieces_rows(writer->pieces, pixels, num_rows, row_stride, error);
    tmi_png_gather(writer->rows + done * tmi_png_row_size(&writer->form), &writer->form, pixels, row_stride,
                   num_rows);
    return TM_OK;
}

static tm_status png_end(tm_png_writer *writer, tm_error *error)
{
    size_t size;
    if (writer->rows_left)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot write PNG: %u rows are missing",
                        (unsigned)writer->rows_left);
    if (writer->pieces) {
        TM_TRY(tmi_png_pieces_end(writer->pieces, error));
    } else {
        TM_TRY(tmi_png_pack(&size, &writer->packer, &writer->form, writer->rows, 0, error));
        size = tmi_png_make_chunk(writer->packer.chunk, "IDAT", size);
        TM_TRY(tmi_output_write(&writer->output, writer->packer.chunk, size, error));
    }
    return tmi_png_put_end(&writer->output, error);
}

tm_status tm_png_writer_finish(tm_png_writer *writer, tm_error *error)
{
    TM_TRY(tmi_need(writer, "writer", error));
    tm_status status = png_end(writer, error);
    tm_png_writer_free(writer);
    return status;
}

void tm_png_writer_free(tm_png_writer *writer)
{
    if (!writer)
        return;
    tmi_png_pieces_free(writer->pieces);
    tmi_png_packer_release(&writer->packer);
    tmi_free(writer->allocator, writer->rows, writer->rows_size, 1);
    tmi_free(writer->allocator, writer, 1, sizeof(*writer));
}

tm_status tm_png_write(const tm_output *output, const void *pixels, uint32_t width, uint32_t height,
                       const tm_png_options *options, tm_error *error)
{
    TM_TRY(tmi_need(output, "output", error));
    TM_TRY(tmi_need(pixels, "pixels", error));
    tm_png_writer *writer;
    TM_TRY(tm_png_writer_new(&writer, output, width, height, options, error));
    const size_t stride = (size_t)width * writer->form.channels_in;
    tm_status status = tm_png_writer_rows(writer, pixels, height, stride, error);
    if (status == TM_OK)
        return tm_png_writer_finish(writer, error);
    tm_png_writer_free(writer);
    return status;
}
