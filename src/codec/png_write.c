/* SPDX-License-Identifier: Zlib */
/*
 * Writes PNG: chunks around packed rows. Pixels only: no colour profile, gamma or text. Rows are collected in
 * pieces. A picture of the usual size is one piece, which png_whole.c packs. Larger ones have pieces of about
 * 1 MiB, which zlib packs independently, in parallel by several threads, each into an IDAT chunk. A piece
 * ends at a whole byte (zlib's "sync flush"), so the pieces joined are one stream:
 *
 *   IDAT  head of a zlib stream
 *   IDAT  a piece, deflate
 *   ...
 *   IDAT  an empty last block, and the Adler-32 of all rows
 *
 * Where pieces end follows from the picture alone.
 *
 * libpng does not write here: it packs row by row through zlib on one thread.
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
#define ZLIB_CONST
#include "png.h"

#include <teemap/jobs.h>

#include <zlib.h>

#define DEFAULT_WHOLE_BYTES ((uint64_t)32 << 20)
#define PIECE_BYTES         ((size_t)1 << 20)
enum { MAX_PIECES = 8, FAST_LEVEL = 1, SMALL_LEVEL = 9, FLUSH_BYTES = 16 };

/* The rows of a piece, filtered or not, and the chunk that they become. */
struct variant {
    uint8_t *rows, *chunk;
    size_t packed_size;
    uint32_t adler;
};

/* Rows that are collected, and then packed by one thread. */
struct piece {
    uint32_t num_rows;
    struct variant variants[2]; /* the second one is filtered, for the smallest file */
    const struct variant *best;
    z_stream stream;
    bool has_stream;
};

struct tm_png_writer {
    const tm_allocator *allocator;
    const tm_executor *executor;
    tm_output output;
    tmi_png_form form;
    uint32_t rows_left;
    bool whole;                   /* all rows are one piece, for `packer` */
    tmi_png_packer packer;        /* whole */
    uint32_t most_rows;           /* of a piece */
    size_t rows_size, chunk_size; /* bytes of a piece at most */
    struct piece pieces[MAX_PIECES];
    uint32_t num_pieces, num_variants;
    uint32_t current; /* the piece that collects rows; those before it are full */
    uint32_t adler;   /* of the rows that are written */
};

/* ------------------------------------------------------------------------------------------------- chunks */

size_t tmi_png_make_chunk(uint8_t *chunk, const char *name, size_t size)
{
    tmi_put_big_u32(chunk, (uint32_t)size);
    memcpy(chunk + 4, name, 4);
    tmi_put_big_u32(chunk + TMI_PNG_LEAD + size, tm_crc32(0, chunk + 4, 4 + size));
    return TMI_PNG_LEAD + size + TMI_PNG_TAIL;
}

void tmi_png_make_head(uint8_t *head, const tmi_png_form *form)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    memcpy(head, signature, sizeof(signature));
    uint8_t *data = head + sizeof(signature) + TMI_PNG_LEAD;
    tmi_put_big_u32(data, form->width);
    tmi_put_big_u32(data + 4, form->height);
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

/* ------------------------------------------------------------------------------------------------- pieces */

static tm_status pack_rows_of_piece(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    tm_png_writer *writer = ctx;
    struct piece *piece = &writer->pieces[index];
    struct variant *v = piece->variants;
    const size_t size = piece->num_rows * tmi_png_row_size(&writer->form);
    (void)worker;
    (void)stop;
    if (writer->num_variants > 1)
        tmi_png_filter(v[1].rows, &writer->form, v[0].rows, piece->num_rows);
    for (uint32_t i = 0; i < writer->num_variants; i++) {
        z_stream *stream = &piece->stream;
        const uInt room = (uInt)(writer->chunk_size - TMI_PNG_LEAD - TMI_PNG_TAIL);
        stream->next_in = v[i].rows;
        stream->avail_in = (uInt)size;
        stream->next_out = v[i].chunk + TMI_PNG_LEAD;
        stream->avail_out = room;
        if (deflateReset(stream) != Z_OK || deflate(stream, Z_SYNC_FLUSH) != Z_OK || stream->avail_in ||
            !stream->avail_out)
            return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "cannot write PNG: zlib failed");
        v[i].packed_size = room - stream->avail_out;
        v[i].adler = tmi_adler32(1, v[i].rows, size);
    }
    piece->best = writer->num_variants > 1 && v[1].packed_size < v[0].packed_size ? &v[1] : v;
    (void)tmi_png_make_chunk(piece->best->chunk, "IDAT", piece->best->packed_size);
    return TM_OK;
}

/* Packs and writes the first `num` pieces. */
static tm_status flush_pieces(tm_png_writer *writer, uint32_t num, tm_error *error)
{
    const size_t row_size = tmi_png_row_size(&writer->form);
    const tm_tasks tasks = {.size = sizeof(tasks),
                            .allocator = writer->allocator,
                            .ctx = writer,
                            .num = num,
                            .work = pack_rows_of_piece};
    const tm_job job = {.size = sizeof(job), .executor = writer->executor};
    TM_TRY(tm_tasks_run(&tasks, &job, error));
    for (uint32_t i = 0; i < num; i++) {
        struct piece *piece = &writer->pieces[i];
        TM_TRY(tmi_output_write(&writer->output, piece->best->chunk,
                                TMI_PNG_LEAD + piece->best->packed_size + TMI_PNG_TAIL, error));
        writer->adler = (uint32_t)adler32_combine(writer->adler, piece->best->adler,
                                                  (z_off_t)(piece->num_rows * row_size));
        piece->num_rows = 0;
    }
    writer->current = 0;
    return TM_OK;
}

/* ------------------------------------------------------------------------------------------------- writer */

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

static tm_status make_piece(tm_png_writer *writer, struct piece *piece, tm_error *error)
{
    if (!writer->whole) {
        /* For rows that are no whole picture. zlib takes memory from the C library, as tmi_deflater does. */
        const int level = writer->form.smallest ? SMALL_LEVEL : FAST_LEVEL;
        piece->has_stream =
            deflateInit2(&piece->stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK;
        if (!piece->has_stream)
            return tmi_fail_memory(error, 0, "a PNG encoder");
        writer->chunk_size = deflateBound(&piece->stream, (uLong)writer->rows_size) + FLUSH_BYTES +
                             TMI_PNG_LEAD + TMI_PNG_TAIL;
    }
    for (uint32_t i = 0; i < writer->num_variants; i++) {
        struct variant *v = &piece->variants[i];
        TM_TRY(tmi_reserve(&v->rows, writer->allocator, writer->rows_size, 1, "the rows of a PNG", error));
        if (!writer->whole)
            TM_TRY(
                tmi_reserve(&v->chunk, writer->allocator, writer->chunk_size, 1, "the rows of a PNG", error));
    }
    return TM_OK;
}

/* Chooses how the picture is packed, takes memory for that, and writes the head of the file. */
static tm_status png_begin(tm_png_writer *writer, const tm_png_options *options, tm_error *error)
{
    uint8_t head[TMI_PNG_HEAD_SIZE], chunk[TMI_PNG_LEAD + 2 + TMI_PNG_TAIL];
    const uint32_t height = writer->form.height,
                   threads = writer->executor && writer->executor->threads ? writer->executor->threads : 1;
    const size_t row_size = tmi_png_row_size(&writer->form), most = PIECE_BYTES / row_size;
    writer->whole = tmi_mul_size(&writer->rows_size, row_size, height) &&
                    writer->rows_size <= options->whole_bytes && writer->rows_size < INT32_MAX / 2;
    writer->most_rows = writer->whole || most > height ? height : most < 1 ? 1 : (uint32_t)most;
    writer->rows_size = writer->most_rows * row_size;
    writer->num_pieces = writer->whole ? 1 : threads > MAX_PIECES ? MAX_PIECES : threads;
    writer->num_variants = writer->form.smallest && !writer->whole ? 2 : 1;
    writer->adler = 1;
    for (uint32_t i = 0; i < writer->num_pieces; i++)
        TM_TRY(make_piece(writer, &writer->pieces[i], error));
    if (writer->whole)
        TM_TRY(tmi_png_packer_init(&writer->packer, writer->form.smallest, writer->allocator, error));
    tmi_png_make_head(head, &writer->form);
    TM_TRY(tmi_output_write(&writer->output, head, sizeof(head), error));
    if (writer->whole)
        return TM_OK;
    /* The chunk with the head of the stream: deflate, a window of 32 KiB, packed fast. */
    chunk[TMI_PNG_LEAD] = 0x78;
    chunk[TMI_PNG_LEAD + 1] = 0x01;
    return tmi_output_write(&writer->output, chunk, tmi_png_make_chunk(chunk, "IDAT", 2), error);
}

tm_status tm_png_writer_new(tm_png_writer **out, const tm_output *output, uint32_t width, uint32_t height,
                            const tm_png_options *options, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(output, "output", error));
    tm_png_options filled;
    tmi_png_form form;
    TM_TRY(tmi_options_take(&filled, sizeof(filled), options, "tm_png_options", error));
    filled.channels = filled.channels ? filled.channels : 4;
    filled.whole_bytes = filled.whole_bytes ? filled.whole_bytes : DEFAULT_WHOLE_BYTES;
    TM_TRY(tmi_png_form_make(&form, width, height, &filled, error));
    tm_png_writer *writer;
    TM_TRY(tmi_reserve_zeroed(&writer, filled.allocator, 1, sizeof(*writer), "a PNG encoder", error));
    writer->allocator = filled.allocator;
    writer->executor = filled.executor;
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
    writer->rows_left -= num_rows;
    for (const uint8_t *source = pixels; num_rows > 0;) {
        if (writer->current == writer->num_pieces)
            TM_TRY(flush_pieces(writer, writer->num_pieces, error));
        struct piece *piece = &writer->pieces[writer->current];
        const uint32_t room = writer->most_rows - piece->num_rows, num = num_rows < room ? num_rows : room;
        tmi_png_gather(piece->variants[0].rows + piece->num_rows * tmi_png_row_size(&writer->form),
                       &writer->form, source, row_stride, num);
        piece->num_rows += num;
        writer->current += num == room;
        source += num * row_stride;
        num_rows -= num;
    }
    return TM_OK;
}

static tm_status png_end(tm_png_writer *writer, tm_error *error)
{
    size_t size;
    if (writer->rows_left)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot write PNG: %u rows are missing",
                        (unsigned)writer->rows_left);
    if (writer->whole) {
        TM_TRY(tmi_png_pack(&size, &writer->packer, &writer->form, writer->pieces[0].variants[0].rows, 0,
                            error));
        size = tmi_png_make_chunk(writer->packer.chunk, "IDAT", size);
        TM_TRY(tmi_output_write(&writer->output, writer->packer.chunk, size, error));
    } else {
        uint8_t chunk[TMI_PNG_LEAD + 6 + TMI_PNG_TAIL];
        const bool begun = writer->current < writer->num_pieces && writer->pieces[writer->current].num_rows;
        TM_TRY(flush_pieces(writer, writer->current + begun, error));
        /* Three bits for a last block with fixed codes, seven for its end, filled up with zeros. */
        chunk[TMI_PNG_LEAD] = 3;
        chunk[TMI_PNG_LEAD + 1] = 0;
        tmi_put_big_u32(chunk + TMI_PNG_LEAD + 2, writer->adler);
        size = tmi_png_make_chunk(chunk, "IDAT", 6);
        TM_TRY(tmi_output_write(&writer->output, chunk, size, error));
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
    for (uint32_t i = 0; i < writer->num_pieces; i++) {
        struct piece *piece = &writer->pieces[i];
        if (piece->has_stream)
            (void)deflateEnd(&piece->stream);
        for (uint32_t k = 0; k < writer->num_variants; k++) {
            tmi_free(writer->allocator, piece->variants[k].rows, writer->rows_size, 1);
            tmi_free(writer->allocator, piece->variants[k].chunk, writer->chunk_size, 1);
        }
    }
    tmi_png_packer_release(&writer->packer);
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
