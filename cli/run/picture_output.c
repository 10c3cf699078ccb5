/* SPDX-License-Identifier: Zlib */
/*
 * picture_output.c - where pictures go: which format, and the writer behind it. Pictures are written in the
 * bands in which they are drawn. Does not know what a picture shows.
 */
#include "picture.h"

typedef struct format_rule {
    const char *suffixes[2]; /* the first one is that of names that we make */
    bool still, moving, lossy;
    bool video; /* by ffmpeg */
} format_rule;

static const format_rule formats[] = {
    [PICTURE_PNG] = {{".png", NULL}, .still = true},
    [PICTURE_WEBP] = {{".webp", NULL}, .still = true, .moving = true, .lossy = true},
    [PICTURE_APNG] = {{".apng", NULL}, .moving = true},
    [PICTURE_GIF] = {{".gif", NULL}, .moving = true, .lossy = true},
    [PICTURE_MP4] = {{".mp4", NULL}, .moving = true, .lossy = true, .video = true},
    [PICTURE_WEBM] = {{".webm", NULL}, .moving = true, .lossy = true, .video = true},
    [PICTURE_RAW] = {{".rgba", ".raw"}, .still = true, .moving = true},
};

const char *picture_suffix(picture_format format)
{
    return formats[format].suffixes[0];
}

static const char *suffix_of(const char *path)
{
    const char *base = path_base(path), *dot = strrchr(base, '.');
    return dot && dot > base ? dot : NULL;
}

/* The format whose files end so, in letters of any case; PICTURE_FORMATS if there is none. */
static picture_format find_format(const char *suffix)
{
    char small[8] = "";
    int i = PICTURE_PNG;
    for (size_t k = 0; suffix[k] && k < sizeof(small) - 1; k++)
        small[k] = (char)(suffix[k] >= 'A' && suffix[k] <= 'Z' ? suffix[k] + 'a' - 'A' : suffix[k]);
    while (i < PICTURE_FORMATS && strcmp(small, formats[i].suffixes[0]) != 0 &&
           !(formats[i].suffixes[1] && strcmp(small, formats[i].suffixes[1]) == 0))
        i++;
    return (picture_format)i;
}

static const char *destination_fault(const picture_options *options, const char *output)
{
    if (strcmp(output, "-") != 0)
        return NULL;
    if (tm_sys_stdout_is_terminal())
        return "a picture is not printed to a terminal; use -o FILE or a pipe";
    return options->common.json ? "standard output cannot take both the picture and JSON" : NULL;
}

const char *picture_choose_format(picture_format *out, const picture_options *options, const char *output,
                                  picture_kind kind)
{
    static const char *const allowed[] = {
        [PICTURE_STILL] = "pictures are .png, .webp, .rgba or .raw; name the output so, or use --format",
        [PICTURE_NAMED] = "pictures are .png, .webp, .rgba or .raw; name its file so",
        [PICTURE_MOVING] =
            ("animations are .webp, .gif, .mp4, .webm, .apng, .rgba or .raw; name the output so, "
             "or use --format"),
    };
    const char *suffix = suffix_of(output);
    *out = kind == PICTURE_MOVING ? PICTURE_RAW : PICTURE_PNG;
    if (options->format || suffix) {
        const picture_format found = options->format ? options->format : find_format(suffix);
        if (found == PICTURE_FORMATS ||
            !(kind == PICTURE_MOVING ? formats[found].moving : formats[found].still))
            return allowed[kind];
        *out = found;
    }
    if (*out == PICTURE_WEBP && !tm_webp_available())
        return "this teemap was built without libwebp, so it writes no WebP";
    if (*out == PICTURE_GIF && !tm_gif_available())
        return "this teemap was built without giflib, so it writes no GIF";
    if (!formats[*out].lossy && options->quality)
        return kind == PICTURE_MOVING ? "--quality is for WebP, GIF and videos only"
                                      : "--quality is for WebP only";
    if (formats[*out].video &&
        (strcmp(output, "-") == 0 || options->background.word == BACKGROUND_TRANSPARENT))
        return "a video goes to a file, and is not transparent";
    return destination_fault(options, output);
}

/* Takes the rows of a picture from the top. */
typedef struct row_sink {
    const tm_output *output; /* of raw pixels */
    tm_png_writer *png;
    tm_webp_writer *webp;
} row_sink;

static tm_status open_sink(row_sink *sink, const picture_rows *rows, picture_format format,
                           const tm_output *output, tm_error *error)
{
    tm_png_options png = TM_PNG_OPTIONS_INIT;
    tm_webp_options webp = TM_WEBP_OPTIONS_INIT;
    *sink = (row_sink){.output = output};
    png.opaque = webp.opaque = rows->opaque;
    png.smallest = webp.smallest = rows->options->compress;
    png.executor = rows->job ? rows->job->executor : NULL;
    webp.quality = (int)rows->options->quality;
    return format == PICTURE_PNG
               ? tm_png_writer_new(&sink->png, output, rows->width, rows->height, &png, error)
           : format == PICTURE_WEBP
               ? tm_webp_writer_new(&sink->webp, output, rows->width, rows->height, &webp, error)
               : TM_OK;
}

static tm_status put_pixel_rows(void *ctx, const void *pixels, uint32_t num_rows, size_t stride,
                                tm_error *error)
{
    const row_sink *sink = ctx;
    return sink->png    ? tm_png_writer_rows(sink->png, pixels, num_rows, stride, error)
           : sink->webp ? tm_webp_writer_rows(sink->webp, pixels, num_rows, stride, error)
                        : sink->output->write(sink->output->ctx, pixels, num_rows * stride, error);
}

static tm_status close_sink(row_sink *sink, tm_status status, tm_error *error)
{
    if (status) {
        tm_png_writer_free(sink->png);
        tm_webp_writer_free(sink->webp);
        return status;
    }
    return sink->png    ? tm_png_writer_finish(sink->png, error)
           : sink->webp ? tm_webp_writer_finish(sink->webp, error)
                        : TM_OK;
}

tm_status picture_put_rows(const picture_rows *rows, picture_format format, const tm_output *output,
                           tm_error *error)
{
    row_sink sink;
    const tm_row_sink receiver = {&sink, put_pixel_rows};
    tm_status status = open_sink(&sink, rows, format, output, error);
    return status ? status : close_sink(&sink, rows->stream(rows->ctx, &receiver, error), error);
}

static tm_status stream_pixels(void *ctx, const tm_row_sink *sink, tm_error *error)
{
    const picture_pixels *pixels = ctx;
    return sink->rows(sink->ctx, pixels->rgba, pixels->height, (size_t)pixels->width * 4, error);
}

picture_rows picture_plain_rows(picture_pixels *pixels, bool opaque)
{
    static const picture_options plain;
    return picture_rows_of(pixels, &plain, opaque);
}

picture_rows picture_rows_of(picture_pixels *pixels, const picture_options *options, bool opaque)
{
    return (picture_rows){.options = options,
                          .width = pixels->width,
                          .height = pixels->height,
                          .opaque = opaque,
                          .ctx = pixels,
                          .stream = stream_pixels};
}

static tm_status stream_picture(void *ctx, const tm_row_sink *sink, tm_error *error)
{
    return picture_stream(ctx, sink, error);
}

static picture_rows rows_of_picture(cli_picture *picture)
{
    return (picture_rows){.options = picture->options,
                          .job = picture->job,
                          .width = picture->camera.width,
                          .height = picture->camera.height,
                          .opaque = picture_is_opaque(picture->options),
                          .ctx = picture,
                          .stream = stream_picture};
}

tm_status picture_put(const cli_picture *picture, picture_format format, const tm_output *output,
                      tm_error *error)
{
    cli_picture copy = *picture;
    const picture_rows rows = rows_of_picture(&copy);
    return picture_put_rows(&rows, format, output, error);
}

tm_status picture_write_rows(const picture_rows *rows, picture_format format, const char *path,
                             tm_error *error)
{
    output_file file;
    tm_status status = output_open_below(&file, rows->options->folder, path, error);
    status = status ? status : picture_put_rows(rows, format, &file.output, error);
    return output_close(&file, status, error);
}

tm_status picture_write(const cli_picture *picture, picture_format format, const char *path, tm_error *error)
{
    cli_picture copy = *picture;
    const picture_rows rows = rows_of_picture(&copy);
    return picture_write_rows(&rows, format, path, error);
}

char *picture_view_name(const char *name, const char *place)
{
    const char *suffix = suffix_of(name);
    const size_t stem = suffix ? (size_t)(suffix - name) : strlen(name);
    char *made = must_print("%.*s-%s%s", (int)stem, name, place, name + stem);
    for (char *letter = made + stem + 1; letter < made + stem + 1 + strlen(place); letter++)
        if (!(*letter >= 'a' && *letter <= 'z') && !(*letter >= 'A' && *letter <= 'Z') &&
            !(*letter >= '0' && *letter <= '9') && *letter != '.' && *letter != '_')
            *letter = '-';
    return made;
}

char *picture_default_name(const char *path, const char *suffix)
{
    char *stem = files_stem(strcmp(path, "-") == 0 ? "map" : path_base(path)),
         *name = must_print("%s%s", stem, suffix);
    free(stem);
    return name;
}
