/* SPDX-License-Identifier: Zlib */
/*
 * cmd_animate.c - `teemap animate`: the same picture at many times. Frames in a folder are drawn and packed
 * side by side, one by each thread; an animation or raw video is one stream, so there all threads draw at one
 * frame.
 */
#include "run/files.h"
#include "output/json.h"
#include "run/picture.h"

#include <teemap/codec.h>
#include <teemap/preview.h>
#include <teemap/jobs.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- words */

typedef struct animate_options {
    picture_options picture;
    double fps, duration; /* duration in ms; 0: not given */
} animate_options;

static const option_row animate_rows[] = {
    TARGET_ROW(picture_options, "write the frames into this folder"),
    OUTPUT_ROW(picture_options, "write one animation to FILE, or with - raw video to a pipe"),
    FORMAT_ROW(moving_formats,
               "webp, apng or raw, whatever FILE is called; of frames png (default), webp or raw"),
    PACKING_ROWS,
    JSON_ONE_ROW,
    {0, "fps", "N", NUMBER_AT(animate_options, fps, 0.01, 1000), .preset = "25", .group = GROUP_OUTPUT,
     .text = "frames a second, may be a fraction"},
    {0, "duration", "MS", NUMBER_AT(animate_options, duration, 0.001, 999999999),
     .what = "a number of milliseconds", .group = GROUP_OUTPUT,
     .text = "length of the animation in milliseconds; without it, until everything is back where it began"},
    CAMERA_ROWS,
    TIME_ROW("begin so many milliseconds after the map began"),
    DRAWING_ROWS("none"),
    MEMORY_ROW,
    PICTURE_LIMIT_ROW("200G", ""),
    MODE_ROW,
    THREADS_ROW,
    VERBOSE_ROW("say how many frames of which size; notes about the file too"),
    QUIET_ROW,
    {0},
};

static int cmd_animate(cli_tool *tool);

const command animate_command = {
    .name = "animate",
    .summary = "draw a map in motion: animated WebP or PNG, frames, or raw video for ffmpeg",
    .usages = {"[OPTION]... MAP -o FILE", "[OPTION]... MAP -t DIR"},
    .text =
        "Draws one frame after the other, with the camera of 'teemap render'. The name of the output tells the "
        "format:\n\n"
        "FILE.apng\tan animated PNG, lossless\n"
        "FILE.webp\tan animated WebP, lossless or with --quality\n"
        "FILE.rgba, FILE.raw, -\traw video: 4 bytes (RGBA) a pixel and nothing between two frames\n"
        "-t DIR\tframes, DIR/NAME-00001.png and so on, or what --format says\n\n"
        "Without --duration the animation lasts until all that moves is back where it began, so that it can be "
        "repeated without a jump; at most 20 seconds. What does not move gives one frame. Without --view the sides "
        "of the picture are made even, since most video formats want that.\n\n"
        "ffmpeg makes a video of either, as the examples show. Of a pipe it must be told the size of the picture, "
        "which -v prints.",
    .rows = animate_rows,
    .options_size = sizeof(animate_options),
    .examples =
        {{"animate Tutorial.map --view finish --size 640x360 --quality 80 -o tutorial.webp",
          "for a web page"},
         {"animate Tutorial.map --view finish --size 640x360 -t frames && ffmpeg -framerate 25 -i "
          "frames/Tutorial-%05d.png -pix_fmt yuv420p tutorial.mp4",
          "frames in a folder, then a video of them"},
         {"animate Tutorial.map --view finish --size 640x360 -o - | ffmpeg -f rawvideo -pix_fmt rgba -s 640x360 "
          "-r 25 -i - -pix_fmt yuv420p tutorial.mp4",
          "a video at once"},
         {"animate Tutorial.map --scale 4 --time 5000 --duration 2000 --fps 50 -t frames",
          "two seconds of the whole map"}},
    .min_operands = 1,
    .max_operands = 1,
    .operands = {OPERAND_MAP},
    .searches_images = true,
    .findings = PICTURE_STATUS_1,
    .run = cmd_animate,
};

enum {
    MAX_PERIOD = 20000, /* ms; longer loops are rarely meant */
    MAX_FRAMES = 99999  /* five digits */
};
#define MAX_FRAME_BYTES ((size_t)1 << 30) /* of an animation that is not raw */

typedef struct animation {
    cli_tool *tool;
    const char *path;
    const char *output; /* of the animation; NULL: frames into the folder */
    picture_format format;
    loaded file;
    picture picture;
    const tm_job *job;
    tm_job frame_job;       /* the same without progress, which would be that of the rows of each frame */
    double start, duration; /* ms */
    bool loops;             /* what follows the last frame is the first one */
    uint32_t num;           /* frames */
    char *stem;             /* DIR/NAME */
} animation;

/* --------------------------------------------------------------------------------------------------- plan */

static tm_status plan_time(animation *a, tm_error *error)
{
    const animate_options *options = a->tool->options;
    uint64_t period;
    tm_status status = tm_preview_period(&period, a->file.map, !options->picture.detail, a->picture.opacities,
                                         (uint64_t)MAX_PERIOD + 1, error);
    if (status)
        return status;
    a->loops = period <= MAX_PERIOD && options->duration <= 0;
    a->start = options->picture.time;
    a->duration = options->duration > 0 ? options->duration : (double)(a->loops ? period : MAX_PERIOD);
    const double num = a->duration * options->fps / 1000 + 0.5;
    if (num >= MAX_FRAMES + 1.0)
        return picture_refuse(error, "these are more than 99999 frames; make --duration or --fps smaller");
    a->num = num < 1 ? 1 : (uint32_t)num;
    return TM_OK;
}

static tm_status plan_frames(animation *a, tm_error *error)
{
    const picture_options *options = a->tool->options;
    tm_camera camera;
    tm_status status = picture_aim(&camera, options, a->file.map, error);
    if (status)
        return status;
    if (options->views.num > 1)
        return picture_refuse(error, "an animation shows one --view");
    if (!options->views.num) {
        camera.width += camera.width & 1;
        camera.height += camera.height & 1;
    }
    status = picture_open(&a->picture, options, &camera, a->path, &a->file, NULL, error);
    if (!status && options->views.num)
        status = picture_look(&a->picture, options->views.words[0], error);
    return status ? status : plan_time(a, error);
}

/* Exact fractions of the duration, so that a loop closes whatever its length is. */
static picture frame(const animation *a, uint32_t index, const tm_job *job)
{
    picture one = a->picture;
    one.job = job;
    one.camera.time = a->start + a->duration * index / a->num;
    return one;
}

static void show_progress(const animation *a, uint32_t done)
{
    if (a->job->progress)
        a->job->progress(a->job->progress_ctx, done, a->num);
}

/* ------------------------------------------------------------------------------------------------- frames */

static char *frame_path(const animation *a, uint32_t index)
{
    const size_t size = strlen(a->stem) + 16;
    char *path = must_alloc(size, 1);
    snprintf(path, size, "%s-%05" PRIu32 "%s", a->stem, index + 1, picture_suffix(a->format));
    return path;
}

static tm_status draw_frame(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    animation *a = ctx;
    char *path = frame_path(a, index);
    const picture one = frame(a, index, NULL);
    (void)worker;
    (void)stop;
    const tm_status status = picture_write(&one, a->format, path, error);
    free(path);
    return status;
}

/* Frames of a longer animation from before would be taken for a part of this one. */
static void warn_of_more(const animation *a, report *to)
{
    char *path = frame_path(a, a->num);
    if (!a->tool->common->quiet && tm_sys_kind_of(path) != TM_SYS_MISSING)
        put_trouble(to->err, path, "warning: is a frame of another, longer animation");
    free(path);
}

static tm_status write_frames(animation *a, report *to, tm_error *error)
{
    tm_pieces pieces = TM_PIECES_INIT;
    pieces.ctx = a;
    pieces.num = a->num;
    pieces.work = draw_frame;
    const tm_status status = tm_pieces_run(&pieces, a->job, error);
    if (!status)
        warn_of_more(a, to);
    return status;
}

/* --------------------------------------------------------------------------------------------- one stream */

static tm_status put_raw_frames(animation *a, const tm_output *output, tm_error *error)
{
    tm_status status = TM_OK;
    for (uint32_t i = 0; !status && i < a->num; i++) {
        const picture one = frame(a, i, &a->frame_job);
        status = picture_put(&one, PICTURE_RAW, output, error);
        show_progress(a, i + 1);
    }
    return status;
}

static tm_status open_writer(tm_animation **out, const animation *a, const tm_output *output, tm_error *error)
{
    const tm_camera *camera = &a->picture.camera;
    const picture_options *options = a->tool->options;
    tm_animation_options how = TM_ANIMATION_OPTIONS_INIT;
    how.format = a->format == PICTURE_WEBP ? TM_ANIMATION_WEBP : TM_ANIMATION_APNG;
    how.num_plays = a->loops ? 0 : 1;
    how.opaque = picture_is_opaque(&a->picture);
    how.smallest = options->compress;
    how.quality = (int)options->quality;
    return tm_animation_new(out, output, camera->width, camera->height, a->num,
                            (uint64_t)(a->duration * 1000 + 0.5), &how, error);
}

/* Where the next rows of a frame go. */
static tm_status keep_rows(void *ctx, const void *rgba, uint32_t num_rows, size_t row_stride, tm_error *error)
{
    uint8_t **to = ctx;
    (void)error;
    memcpy(*to, rgba, num_rows * row_stride);
    *to += num_rows * row_stride;
    return TM_OK;
}

static tm_status put_whole_frames(animation *a, const tm_output *output, tm_error *error)
{
    const tm_camera *camera = &a->picture.camera;
    const size_t stride = (size_t)camera->width * 4;
    if (camera->height > MAX_FRAME_BYTES / stride)
        return picture_refuse(error, "frames of an animation are 1 GiB at most; make --size smaller");
    tm_animation *writer;
    tm_status status = open_writer(&writer, a, output, error);
    if (status)
        return status;
    uint8_t *pixels = must_alloc(camera->height, stride);
    for (uint32_t i = 0; !status && i < a->num; i++) {
        const picture one = frame(a, i, &a->frame_job);
        uint8_t *rows = pixels;
        const tm_row_sink keep = {&rows, keep_rows};
        status = picture_stream(&one, &keep, error);
        status = status ? status : tm_animation_frame(writer, pixels, stride, error);
        show_progress(a, i + 1);
    }
    free(pixels);
    if (status) {
        tm_animation_free(writer);
        return status;
    }
    return tm_animation_finish(writer, error);
}

static tm_status put_frames(void *ctx, const tm_output *output, tm_error *error)
{
    animation *a = ctx;
    return a->format == PICTURE_RAW ? put_raw_frames(a, output, error) : put_whole_frames(a, output, error);
}

/* ---------------------------------------------------------------------------------------------- reporting */

static void put_animate_json(const animation *a, report *to)
{
    json_t *object = json_make();
    json_add_text(object, "path", a->path);
    json_add_text(object, "output", a->output ? a->output : a->picture.options->folder);
    json_add_text(object, "stem", a->stem);
    json_add_int(object, "frames", a->num);
    json_add_int(object, "width", a->picture.camera.width);
    json_add_int(object, "height", a->picture.camera.height);
    json_add(object, "duration", json_real(a->duration));
    json_add_bool(object, "loops", a->loops);
    json_add_findings(object, &a->file.findings);
    text_json(to->out, object);
    text_put(to->out, "\n", 1);
}

static void say_frames_done(const animation *a, report *to)
{
    if (a->tool->common->json) {
        put_animate_json(a, to);
    } else if (a->tool->common->verbose) {
        text_safe(to->err, a->output ? a->output : a->stem);
        text_print(to->err, ": %" PRIu32 " frame%s, %" PRIu32 "x%" PRIu32 " pixels, %.3f seconds%s\n", a->num,
                   a->num == 1 ? "" : "s", a->picture.camera.width, a->picture.camera.height,
                   a->duration / 1000, a->loops ? ", a loop" : "");
    }
}

static void animate_map(void *ctx, size_t index, const tm_job *job, report *to)
{
    (void)index;
    animation *a = ctx;
    tm_error *error = &a->file.error;
    a->job = job;
    a->frame_job = *job;
    a->frame_job.progress = NULL;
    load_map(&a->file, a->path, a->tool->common->mode, false);
    tm_status status = a->file.status ? a->file.status : plan_frames(a, error);
    if (!status)
        status = a->output ? save_path(a->output, put_frames, a, error) : write_frames(a, to, error);
    picture_report(a->tool, to, &a->picture, a->path, &a->file);
    if (!status)
        say_frames_done(a, to);
    else
        report_error(a->tool, to, a->path, error);
    picture_close(&a->picture);
    loaded_release(&a->file);
}

static const char *animate_usage_fault(picture_format *format, const picture_options *options)
{
    if (options->folder && options->output)
        return "use -o or -t, not both";
    if (!options->folder && !options->output)
        return "where to? give -o FILE for an animation or raw video, or -t DIR for frames";
    return options->output ? picture_choose_format(format, options, options->output, PICTURE_MOVING)
                           : picture_choose_format(format, options, "", PICTURE_STILL);
}

static int cmd_animate(cli_tool *tool)
{
    const picture_options *options = tool->options;
    animation a = {.tool = tool, .path = tool->operands[0], .output = options->output};
    const char *fault = animate_usage_fault(&a.format, options);
    if (fault) {
        tool_trouble(tool, tool->command->name, fault);
        return STATUS_TROUBLE;
    }
    if (!a.output) {
        char *name = picture_default_name(a.path, "");
        const char *folder = options->folder;
        const size_t length = strlen(folder), size = length + strlen(name) + 2;
        a.stem = must_alloc(size, 1);
        snprintf(a.stem, size, "%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", name);
        free(name);
    }
    if (a.output || files_make_way(tool, a.stem)) {
        tool->unit = "frames";
        tool_each(tool, &a.path, 1, animate_map, &a);
    }
    free(a.stem);
    return STATUS_DONE;
}
