/* SPDX-License-Identifier: Zlib */
#ifndef TMI_CODEC_PNG_H
#define TMI_CODEC_PNG_H
/*
 * What the files that write PNG share. Pixels become rows (a byte that names the filter, then the pixels, as
 * PNG wants them), rows become a zlib stream, the stream becomes chunks. Does not know files.
 *
 *   OFFSET  SIZE  MEANING (a chunk; all numbers high byte first)
 *   0       4     n, bytes of data
 *   4       4     name
 *   8       n     data
 *   8 + n   4     CRC-32 of name and data
 */
#include "codec.h"

/* --------------------------------------------------------------------------------------- reading (png.c) */

/* What the head of a file says of its pixels. */
typedef struct tmi_png_kind {
    uint32_t width, height;
    uint8_t depth; /* bits of a sample */
    uint8_t channels;
} tmi_png_kind;

/* RGBA. */
typedef struct tmi_png_pixels {
    uint8_t *bytes;
    uint32_t width, height;
} tmi_png_pixels;

/* Before memory is taken for the pixels: by the limit, and by what so short a file can hold. */
tm_status tmi_png_check_size(size_t *pixels_size, const tmi_png_kind *kind, const tmi_picture_file *file,
                             tm_error *error);
/*
 * Both get a file with the signature of PNG. The first one leaves `bytes` NULL if the file is not whole; that
 * it had no memory is a failure.
 */
tm_status tmi_png_decode(tmi_png_pixels *out, const tmi_picture_file *file, tm_error *error);
tm_status tmi_png_decode_by_libpng(tmi_png_pixels *out, const tmi_picture_file *file, tm_error *error);

/*
 * ----------------------------------------------------------------------------------- writing (png_write.c)
 */

enum { TMI_PNG_LEAD = 8, TMI_PNG_TAIL = 4, TMI_PNG_HEAD_SIZE = 33 };

/* What stands in a picture's pixels, and what of it is written. */
typedef struct tmi_png_form {
    uint32_t width, height;
    uint32_t channels_in, channels; /* of the caller's pixels; of the file */
    bool smallest;
} tmi_png_form;

/* Checks the options, which are filled in, and the sides. */
tm_status tmi_png_form_make(tmi_png_form *out, uint32_t width, uint32_t height, const tm_png_options *options,
                            tm_error *error);
/* Bytes of one row with its filter byte. */
size_t tmi_png_row_size(const tmi_png_form *form);

/* Makes a chunk around `size` bytes of data that lie at chunk + TMI_PNG_LEAD already; returns its size. */
size_t tmi_png_make_chunk(uint8_t *chunk, const char *name, size_t size);
/* Signature and IHDR: TMI_PNG_HEAD_SIZE bytes. */
void tmi_png_make_head(uint8_t *head, const tmi_png_form *form);
/* IEND, which ends the file. */
tm_status tmi_png_put_end(const tm_output *output, tm_error *error);

/* ------------------------------------------------------------------------------------ rows (png_filter.c) */

/* Pixels into rows without filter. */
void tmi_png_gather(uint8_t *rows, const tmi_png_form *form, const uint8_t *pixels, size_t stride,
                    uint32_t num_rows);
/*
 * Rows without filter into rows with the filter that leaves the smallest numbers. The first one refers to no
 * other row.
 */
void tmi_png_filter(uint8_t *out, const tmi_png_form *form, const uint8_t *rows, uint32_t num_rows);

/*
 * A row with its filter into one without, where it is; `above` is the one before, NULL for the first. `pixel`
 * is the size of one in bytes, at least 1, of which `size` is a multiple. False if there is no such filter.
 */
bool tmi_png_unfilter(uint8_t *row, const uint8_t *above, size_t size, size_t pixel, uint8_t filter);

/* ----------------------------------------------------------------------------------- one go (png_whole.c) */

/* Packs all rows of a picture at once; may be used for many pictures. Zero-initialise before _init. */
typedef struct tmi_png_packer {
    const tm_allocator *allocator;
    tmi_deflater *deflater, *probe; /* `probe` is NULL unless small */
    uint8_t *chunk;                 /* with room for lead and tail around the stream */
    size_t capacity;
    uint8_t *filtered;
    size_t filtered_capacity;
} tmi_png_packer;

tm_status tmi_png_packer_init(tmi_png_packer *packer, bool smallest, const tm_allocator *allocator,
                              tm_error *error);
void tmi_png_packer_release(tmi_png_packer *packer);
/* The stream then lies at packer->chunk + TMI_PNG_LEAD + `gap`; room for chunks is around it. */
tm_status tmi_png_pack(size_t *packed_size, tmi_png_packer *packer, const tmi_png_form *form,
                       const uint8_t *rows, size_t gap, tm_error *error);

#endif
