/* SPDX-License-Identifier: Zlib */
/*
 * Large pictures: rows in pieces of about 1 MiB, which zlib packs independently, in parallel
 * by several threads, each into an IDAT chunk. A piece ends at a whole byte (zlib's "sync flush"), so the
 * pieces make one stream when they are joined:
 *
 *   IDAT  head of a zlib stream
 *   IDAT  a piece, deflate
 *   ...
 *   IDAT  an empty last block, and the Adler-32 of all rows
 *
 * Where pieces end follows from the picture alone. What the caller hands over is packed from where it lies;
 * only what is less than a piece is copied and waits for the next rows.
 */
#define ZLIB_CONST
#include "png.h"

#include <teemap/jobs.h>

#include <libdeflate.h>
#include <stddef.h>
#include <zlib.h>

enum { MAX_SLOTS = 8, FAST_LEVEL = 1, SMALL_LEVEL = 9, FLUSH_BYTES = 16 };
#define PIECE_BYTES ((size_t)1 << 20)

/* The same rows, filtered or not. */
struct variant {
    uint8_t *rows, *chunk;
    size_t packed_size;
    uint32_t adler;
};

/* A piece in work, by one thread. */
struct slot {
    const uint8_t *pixels;
    size_t stride;
    uint32_t num_rows;
    z_stream stream;
    bool has_stream;
    struct variant variants[2];
    const struct variant *best;
};

struct tmi_png_pieces {
    const tm_allocator *allocator;
    const tm_executor *executor;
    tm_output output;
    tmi_png_form form;
    uint32_t most_rows;           /* of a piece */
    size_t rows_size, chunk_size; /* of a piece at most */
    uint8_t *carry;               /* pixels */
    uint32_t num_carried;         /* rows */
    uint32_t num_slots, num_filled, num_variants;
    struct slot slots[MAX_SLOTS];
    uint32_t adler;
};

/* ------------------------------------------------------------------------------------------------- memory */

/* zlib frees without telling sizes, so each block carries its own. */
union block_head {
    size_t size;
    max_align_t aligned;
};

static voidpf zlib_alloc(voidpf opaque, uInt count, uInt size)
{
    const tmi_png_pieces *pieces = opaque;
    size_t bytes;
    if (!tmi_mul_size(&bytes, count, size) || !tmi_add_size(&bytes, bytes, sizeof(union block_head)))
        return NULL;
    union block_head *block = tmi_alloc(pieces->allocator, bytes, 1);
    if (!block)
        return NULL;
    block->size = bytes;
    return block + 1;
}

static void zlib_free(voidpf opaque, voidpf ptr)
{
    const tmi_png_pieces *pieces = opaque;
    union block_head *block = (union block_head *)ptr - 1;
    tmi_free(pieces->allocator, block, block->size, 1);
}

static bool make_slot(tmi_png_pieces *pieces, struct slot *slot)
{
    z_stream *stream = &slot->stream;
    stream->zalloc = zlib_alloc;
    stream->zfree = zlib_free;
    stream->opaque = pieces;
    slot->has_stream = deflateInit2(stream, pieces->form.smallest ? SMALL_LEVEL : FAST_LEVEL, Z_DEFLATED, -15,
                                    8, Z_DEFAULT_STRATEGY) == Z_OK;
    if (!slot->has_stream)
        return false;
    pieces->chunk_size =
        deflateBound(stream, (uLong)pieces->rows_size) + FLUSH_BYTES + TMI_PNG_LEAD + TMI_PNG_TAIL;
    for (uint32_t i = 0; i < pieces->num_variants; i++) {
        struct variant *v = &slot->variants[i];
        v->rows = tmi_alloc(pieces->allocator, pieces->rows_size, 1);
        v->chunk = tmi_alloc(pieces->allocator, pieces->chunk_size, 1);
        if (!v->rows || !v->chunk)
            return false;
    }
    return true;
}

void tmi_png_pieces_free(tmi_png_pieces *pieces)
{
    if (!pieces)
        return;
    for (uint32_t i = 0; i < pieces->num_slots; i++) {
        struct slot *slot = &pieces->slots[i];
        if (slot->has_stream)
            (void)deflateEnd(&slot->stream);
        for (uint32_t k = 0; k < pieces->num_variants; k++) {
            tmi_free(pieces->allocator, slot->variants[k].rows, pieces->rows_size, 1);
            tmi_free(pieces->allocator, slot->variants[k].chunk, pieces->chunk_size, 1);
        }
    }
    tmi_free(pieces->allocator, pieces->carry, pieces->most_rows,
             (size_t)pieces->form.width * pieces->form.channels_in);
    tmi_free(pieces->allocator, pieces, 1, sizeof(*pieces));
}

tm_status tmi_png_pieces_new(tmi_png_pieces **out, const tmi_png_form *form, const tm_output *output,
                             const tm_executor *executor, const tm_allocator *allocator, tm_error *error)
{
    *out = NULL;
    tmi_png_pieces *pieces;
    TM_TRY(tmi_reserve_zeroed(&pieces, allocator, 1, sizeof(*pieces), "a PNG encoder", error));
    const size_t row_size = tmi_png_row_size(form), most = PIECE_BYTES / row_size;
    uint32_t threads = executor ? executor->threads : 1;
    *pieces =
        (tmi_png_pieces){.allocator = allocator, .executor = executor, .output = *output, .form = *form};
    pieces->most_rows = most < 1 ? 1 : most > form->height ? form->height : (uint32_t)most;
    pieces->rows_size = pieces->most_rows * row_size;
    pieces->num_slots = threads > MAX_SLOTS ? MAX_SLOTS : threads;
    pieces->num_variants = form->smallest ? 2 : 1;
    pieces->adler = 1;
    pieces->carry = tmi_alloc(allocator, pieces->most_rows, (size_t)form->width * form->channels_in);
    bool fine = pieces->carry;
    for (uint32_t i = 0; fine && i < pieces->num_slots; i++)
        fine = make_slot(pieces, &pieces->slots[i]);
    if (!fine) {
        tmi_png_pieces_free(pieces);
        return tmi_fail_memory(error, 0, "a PNG encoder");
    }
    static const uint8_t head[2] = {0x78, 0x01}; /* deflate, a window of 32 KiB, packed fast */
    uint8_t chunk[TMI_PNG_LEAD + sizeof(head) + TMI_PNG_TAIL];
    memcpy(chunk + TMI_PNG_LEAD, head, sizeof(head));
    tm_status status =
        tmi_output_write(output, chunk, tmi_png_make_chunk(chunk, "IDAT", sizeof(head)), error);
    if (status)
        tmi_png_pieces_free(pieces);
    else
        *out = pieces;
    return status;
}

/* ------------------------------------------------------------------------------------------------ packing */

static bool pack_variant(const tmi_png_pieces *pieces, z_stream *stream, struct variant *v, size_t size)
{
    const uInt room = (uInt)(pieces->chunk_size - TMI_PNG_LEAD - TMI_PNG_TAIL);
    if (deflateReset(stream) != Z_OK)
        return false;
    stream->next_in = v->rows;
    stream->avail_in = (uInt)size;
    stream->next_out = v->chunk + TMI_PNG_LEAD;
    stream->avail_out = room;
    if (deflate(stream, Z_SYNC_FLUSH) != Z_OK || stream->avail_in || !stream->avail_out)
        return false;
    v->packed_size = room - stream->avail_out;
    v->adler = libdeflate_adler32(1, v->rows, size);
    return true;
}

static tm_status pack_slot(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    tmi_png_pieces *pieces = ctx;
    struct slot *slot = &pieces->slots[index];
    struct variant *v = slot->variants;
    const size_t size = slot->num_rows * tmi_png_row_size(&pieces->form);
    (void)worker;
    (void)stop;
    tmi_png_gather(v[0].rows, &pieces->form, slot->pixels, slot->stride, slot->num_rows);
    if (pieces->num_variants > 1)
        tmi_png_filter(v[1].rows, &pieces->form, v[0].rows, slot->num_rows);
    for (uint32_t i = 0; i < pieces->num_variants; i++)
        if (!pack_variant(pieces, &slot->stream, &v[i], size))
            return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "cannot write PNG: zlib failed");
    slot->best = pieces->num_variants > 1 && v[1].packed_size < v[0].packed_size ? &v[1] : v;
    (void)tmi_png_make_chunk(slot->best->chunk, "IDAT", slot->best->packed_size);
    return TM_OK;
}

/* Packs and writes the pieces that wait. */
static tm_status flush_pieces(tmi_png_pieces *pieces, tm_error *error)
{
    const uint32_t num = pieces->num_filled;
    const size_t row_size = tmi_png_row_size(&pieces->form);
    pieces->num_filled = 0;
    const tm_tasks slots = {
        .size = sizeof(slots), .allocator = pieces->allocator, .ctx = pieces, .num = num, .work = pack_slot};
    const tm_job job = {.size = sizeof(job), .executor = pieces->executor};
    TM_TRY(tm_tasks_run(&slots, &job, error));
    for (uint32_t i = 0; i < num; i++) {
        const struct slot *slot = &pieces->slots[i];
        TM_TRY(tmi_output_write(&pieces->output, slot->best->chunk,
                                TMI_PNG_LEAD + slot->best->packed_size + TMI_PNG_TAIL, error));
        pieces->adler =
            (uint32_t)adler32_combine(pieces->adler, slot->best->adler, (z_off_t)(slot->num_rows * row_size));
    }
    return TM_OK;
}

static tm_status enlist(tmi_png_pieces *pieces, const uint8_t *pixels, size_t stride, uint32_t num_rows,
                        tm_error *error)
{
    struct slot *slot = &pieces->slots[pieces->num_filled++];
    slot->pixels = pixels;
    slot->stride = stride;
    slot->num_rows = num_rows;
    return pieces->num_filled == pieces->num_slots ? flush_pieces(pieces, error) : TM_OK;
}

/* Rows that are less than a piece. */
static tm_status carry(tmi_png_pieces *pieces, const uint8_t *pixels, size_t stride, uint32_t num_rows,
                       tm_error *error)
{
    const size_t size = (size_t)pieces->form.width * pieces->form.channels_in;
    if (pieces->num_carried == 0)
        TM_TRY(flush_pieces(pieces, error)); /* what was carried before may still wait there */
    for (uint32_t i = 0; i < num_rows; i++)
        memcpy(pieces->carry + (pieces->num_carried + i) * size, pixels + i * stride, size);
    pieces->num_carried += num_rows;
    if (pieces->num_carried < pieces->most_rows)
        return TM_OK;
    pieces->num_carried = 0;
    return enlist(pieces, pieces->carry, size, pieces->most_rows, error);
}

tm_status tmi_png_pieces_rows(tmi_png_pieces *pieces, const uint8_t *pixels, uint32_t num_rows, size_t stride,
                              tm_error *error)
{
    while (num_rows > 0) {
        const uint32_t room = pieces->most_rows - pieces->num_carried,
                       num = num_rows < room ? num_rows : room;
        TM_TRY(num == pieces->most_rows ? enlist(pieces, pixels, stride, num, error)
                                        : carry(pieces, pixels, stride, num, error));
        pixels += num * stride;
        num_rows -= num;
    }
    return flush_pieces(pieces, error); /* the pixels are only lent */
}

tm_status tmi_png_pieces_end(tmi_png_pieces *pieces, tm_error *error)
{
    uint8_t chunk[TMI_PNG_LEAD + 6 + TMI_PNG_TAIL];
    if (pieces->num_carried)
        TM_TRY(enlist(pieces, pieces->carry, (size_t)pieces->form.width * pieces->form.channels_in,
                      pieces->num_carried, error));
    TM_TRY(flush_pieces(pieces, error));
    /* Three bits for a last block with fixed codes, seven for its end, filled up with zeros. */
    chunk[TMI_PNG_LEAD] = 3;
    chunk[TMI_PNG_LEAD + 1] = 0;
    tmi_png_put_u32(chunk + TMI_PNG_LEAD + 2, pieces->adler);
    return tmi_output_write(&pieces->output, chunk, tmi_png_make_chunk(chunk, "IDAT", 6), error);
}
