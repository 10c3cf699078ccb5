/* SPDX-License-Identifier: Zlib */
/*
 * PNG in, by libpng, which the games use, too. It leaves by longjmp when something is wrong: nothing between
 * setjmp and libpng holds memory of its own, and the function that calls setjmp has nothing that changes. All
 * memory comes from the caller's allocator, with its size in front of it, as libpng does not tell it when it
 * gives some back.
 */
#include "png.h"

#if TEEMAP_HAVE_LIBPNG
#include <png.h>
#include <setjmp.h>
#include <stdalign.h>

/* libpng keeps some of the chunks next to the pixels, which nobody here looks at: at most so long ones. */
#define MAX_CHUNK ((png_alloc_size_t)16 << 20)
#define SIZE_ROOM alignof(max_align_t)

typedef struct png_source {
    const tmi_picture_file *file;
    tmi_png_pixels *out;
    tm_error *error;
    size_t read; /* bytes of the file */
    size_t pixels_size;
    tm_status status;
    png_structp png;
    png_infop info;
    char warning[96]; /* the last one */
    jmp_buf failed;
} png_source;

_Noreturn static void leave(png_source *source, tm_status status)
{
    source->status = status;
    longjmp(source->failed, 1);
}

_Noreturn static void on_error(png_structp png, png_const_charp text)
{
    png_source *source = png_get_error_ptr(png);
    /* What is wrong with the head is told in warnings, and then that something is. */
    if (strstr(text, "IHDR data") && source->warning[0])
        text = source->warning;
    if (source->status == TM_OK) /* else libpng says in its words that it got no memory */
        source->status = tmi_fail(source->error, TM_ERROR_DAMAGED, -1, "cannot read PNG: %s", text);
    leave(source, source->status);
}

static void on_warning(png_structp png, png_const_charp text)
{
    png_source *source = png_get_error_ptr(png);
    tmi_format(source->warning, sizeof(source->warning), "%s", text);
}

static png_voidp take_memory(png_structp png, png_alloc_size_t size)
{
    png_source *source = png_get_mem_ptr(png);
    uint8_t *memory =
        size < SIZE_MAX - SIZE_ROOM ? tmi_alloc(source->file->allocator, size + SIZE_ROOM, 1) : NULL;
    if (!memory) {
        source->status = tmi_fail_memory(source->error, size, "a PNG decoder");
        return NULL;
    }
    memcpy(memory, &size, sizeof(size));
    return memory + SIZE_ROOM;
}

static void give_memory_back(png_structp png, png_voidp memory)
{
    const png_source *source = png_get_mem_ptr(png);
    png_alloc_size_t size;
    uint8_t *start = (uint8_t *)memory - SIZE_ROOM;
    memcpy(&size, start, sizeof(size));
    tmi_free(source->file->allocator, start, size + SIZE_ROOM, 1);
}

static void read_bytes(png_structp png, png_bytep bytes, size_t size)
{
    png_source *source = png_get_io_ptr(png);
    if (size > source->file->size - source->read)
        png_error(png, "the file ends early");
    memcpy(bytes, (const uint8_t *)source->file->bytes + source->read, size);
    source->read += size;
}

/* What all kinds of pictures become: red, green, blue and alpha, 8 bits each. */
static void ask_for_rgba(png_structp png)
{
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
}

static void decode(png_source *source)
{
    tmi_png_kind kind = {0};
    int depth, color;
    tmi_png_pixels *out = source->out;
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, source, on_error, on_warning, source,
                                               take_memory, give_memory_back);
    source->png = png;
    source->info = png ? png_create_info_struct(png) : NULL;
    if (!source->info)
        leave(source, tmi_fail_memory(source->error, 0, "a PNG decoder"));
    png_set_read_fn(png, source, read_bytes);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, MAX_CHUNK);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL,
                                -1); /* nor those that it knows and we do not need */
    png_read_info(png, source->info);
    (void)png_get_IHDR(png, source->info, &kind.width, &kind.height, &depth, &color, NULL, NULL, NULL);
    kind.depth = (uint8_t)depth;
    kind.channels = png_get_channels(png, source->info);
    tm_status status = tmi_png_check_size(&source->pixels_size, &kind, source->file, source->error);
    if (!status)
        status = tmi_reserve(&out->bytes, source->file->allocator, source->pixels_size, 1,
                             "the pixels of a PNG", source->error);
    if (status)
        leave(source, status);
    out->width = kind.width;
    out->height = kind.height;
    ask_for_rgba(png);
    const int num_passes = png_set_interlace_handling(png);
    png_read_update_info(png, source->info);
    if (png_get_rowbytes(png, source->info) != (size_t)kind.width * 4)
        png_error(png, "its pixels are of no known kind");
    memset(out->bytes, 0, source->pixels_size); /* passes of an interlaced one add to what is there */
    for (int pass = 0; pass < num_passes; pass++)
        for (uint32_t y = 0; y < kind.height; y++)
            png_read_row(png, out->bytes + (size_t)y * kind.width * 4, NULL);
}

/*
 * Automatic variables of a function that calls setjmp would be lost where they change: the caller's are not.
 */
static void decode_or_return(png_source *source)
{
    if (setjmp(source->failed) == 0)
        decode(source);
}

tm_status tmi_png_decode_by_libpng(tmi_png_pixels *out, const tmi_picture_file *file, tm_error *error)
{
    png_source source = {.file = file, .out = out, .error = error};
    decode_or_return(&source);
    png_destroy_read_struct(&source.png, &source.info, NULL);
    if (source.status) {
        tmi_free(file->allocator, out->bytes, source.pixels_size, 1);
        *out = (tmi_png_pixels){NULL, 0, 0};
    }
    return source.status;
}
#else
tm_status tmi_png_decode_by_libpng(tmi_png_pixels *out, const tmi_picture_file *file, tm_error *error)
{
    (void)out, (void)file;
    return tmi_fail(error, TM_ERROR_DAMAGED, -1, "cannot read PNG: it is damaged, or ends early");
}
#endif
