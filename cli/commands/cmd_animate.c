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
    double fps, duration, max_time; /* ms; duration 0: not given */
    bool lossless;
    enum { LOOP_AUTO = 0, LOOP_BACK, LOOP_ONCE } loop;
} animate_options;

static const option_choice loop_choices[] = {
    {"auto", LOOP_AUTO, false}, {"back", LOOP_BACK, false}, {"once", LOOP_ONCE, false}, {NULL, 0, false}};

static const option_row animate_rows[] = {
    TARGET_ROW(picture_options, "write the frames into this folder"),
    OUTPUT_ROW(picture_options, "write one animation to FILE, or with - raw video to a pipe"),
    FORMAT_ROW(moving_formats,
               "webp, apng or raw, whatever FILE is called; of frames png (default), webp or raw"),
    {0, "quality", "N", INTEGER_AT(picture_options, quality, 1, 100), .group = GROUP_OUTPUT,
     .text =
         "of an animated WebP, 80 unless told otherwise: 1 gives the smallest file, 100 the best picture; "
         "frames as WebP are lossless without it"},
    {0, "lossless", NULL, FLAG_AT(animate_options, lossless), .group = GROUP_OUTPUT,
     .text = "keep every pixel of an animated WebP as it is"},
    COMPRESS_ROW,
    JSON_ONE_ROW,
    {0, "loop", "HOW", CHOICE_AT(animate_options, loop, loop_choices), .preset = "auto",
     .group = GROUP_OUTPUT,
     .text =
         "shown again and again until everything is back where it was, or with the least jump (auto); forth "
         "and back (back); or shown only once"},
    {0, "max-time", "MS", NUMBER_AT(animate_options, max_time, 100, 999999999),
     .what = "a number of milliseconds", .preset = "20000", .group = GROUP_OUTPUT,
     .text = "longest loop that is looked for"},
    {0, "fps", "N", NUMBER_AT(animate_options, fps, 0.01, 1000), .preset = "25", .group = GROUP_OUTPUT,
     .text = "frames a second, may be a fraction"},
    {0, "duration", "MS", NUMBER_AT(animate_options, duration, 0.001, 999999999),
     .what = "a number of milliseconds", .group = GROUP_OUTPUT,
     .text = "length of the animation in milliseconds; without it, that of the best loop"},
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
        "Animations loop, and last as long as what the picture shows takes to be back where it was, of all that "
        "moves in this view. Where that is longer than --max-time, the end is where the picture is most like the "
        "first one; what was found stands in the line that says what was made. '--loop back' goes forth and back, "
        "which never jumps. What does not move gives one frame.\n\n"
        "Without --size and --scale the picture fits into 640x360. Without --view its sides are made even, since most "
        "video formats want that.\n\n"
        "ffmpeg makes a video of either, as the examples show. Of a pipe it must be told the size of the picture, "
        "which -v prints.",
    .rows = animate_rows,
    .options_size = sizeof(animate_options),
    .examples =
        {{"animate ctf1.map --view best -o ctf1.webp", "a loop of the best view, for a chat or a web page"},
         {"animate ctf1.map --view flag --loop back -o flag.webp", "forth and back"},
         {"animate ctf1.map --view best --size 1280x720 --lossless --fps 50 -o large.webp",
          "large and smooth"},
         {"animate ctf1.map --view best -t frames && ffmpeg -framerate 25 -i frames/ctf1-%05d.png -pix_fmt yuv420p "
          "ctf1.mp4",
          "frames in a folder, then a video of them"},
         {"animate ctf1.map --view best -o - | ffmpeg -f rawvideo -pix_fmt rgba -s 640x360 -r 25 -i - -pix_fmt "
          "yuv420p ctf1.mp4",
          "a video at once"},
         {"animate ctf1.map --scale 4 --time 5000 --duration 2000 --fps 50 -t frames",
          "two seconds of the whole map"}},
    .min_operands = 1,
    .max_operands = 1,
    .operands = {OPERAND_MAP},
    .searches_images = true,
    .findings = PICTURE_STATUS_1,
    .run = cmd_animate,
};

enum {
    MAX_FRAMES = 99999, /* five digits */
    USUAL_WIDTH = 640,
    USUAL_HEIGHT = 360,
    USUAL_QUALITY = 80
};
#define MAX_FRAME_BYTES ((size_t)1 << 30) /* of an animation that is not raw */

typedef struct animation {
    cli_tool *tool;
    picture_options options; /* the tool's, with the defaults of animations */
    const char *path;
    const char *output; /* of the animation; NULL: frames into the folder */
    picture_format format;
    loaded file;
    picture picture;
    const tm_job *job;
    tm_job frame_job; /* the same without progress, which would be that of the rows of each frame */
    tm_preview_loop loop;
    uint32_t num;   /* frames */
    uint64_t bytes; /* of the file */
    char *stem;     /* DIR/NAME */
    double started; /* s */
} animation;

/* --------------------------------------------------------------------------------------------------- plan */

static tm_status plan_time(animation *a, tm_error *error)
{
    const animate_options *options = a->tool->options;
    tm_preview_loop_options how = TM_PREVIEW_LOOP_OPTIONS_INIT;
    how.most = options->max_time;
    how.duration = options->duration;
    how.back = options->loop == LOOP_BACK;
    how.job = &a->frame_job;
    const tm_status status =
        tm_preview_find_loop(&a->loop, a->picture.renderer, &a->picture.camera, &how, error);
    if (status)
        return status;
    const double num = a->loop.duration * options->fps / 1000 + 0.5;
    if (num >= MAX_FRAMES + 1.0)
        return picture_refuse(error, "these are more than 99999 frames; make --duration or --fps smaller");
    a->num = num < 1 ? 1 : (uint32_t)num;
    return TM_OK;
}

static bool plays_once(const animation *a)
{
    return ((const animate_options *)a->tool->options)->loop == LOOP_ONCE;
}

static void take_defaults(animation *a)
{
    const animate_options *given = a->tool->options;
    a->options = given->picture;
    if (!a->options.size.width && a->options.scale <= 0)
        a->options.size = (size_value){USUAL_WIDTH, USUAL_HEIGHT};
    if (a->output && a->format == PICTURE_WEBP && !a->options.quality && !given->lossless)
        a->options.quality = USUAL_QUALITY;
}

static tm_status plan_frames(animation *a, tm_error *error)
{
    const picture_options *options = &a->options;
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

static picture frame(const animation *a, uint32_t index, const tm_job *job)
{
    picture one = a->picture;
    one.job = job;
    one.camera.time = tm_preview_loop_time(&a->loop, index, a->num);
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
    const picture_options *options = &a->options;
    tm_animation_options how = TM_ANIMATION_OPTIONS_INIT;
    how.format = a->format == PICTURE_WEBP ? TM_ANIMATION_WEBP : TM_ANIMATION_APNG;
    how.num_plays = plays_once(a);
    how.opaque = picture_is_opaque(a->picture.options);
    how.smallest = options->compress;
    how.quality = (int)options->quality;
    return tm_animation_new(out, output, camera->width, camera->height, a->num,
                            (uint64_t)(a->loop.duration * 1000 + 0.5), &how, error);
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
    counter counted = {.next = *output};
    const tm_output through = count_output(&counted);
    const tm_status status =
        a->format == PICTURE_RAW ? put_raw_frames(a, &through, error) : put_whole_frames(a, &through, error);
    a->bytes = counted.size;
    return status;
}

/* ---------------------------------------------------------------------------------------------- reporting */

/* What follows the last frame is the first one. */
static bool is_seamless(const animation *a)
{
    return !plays_once(a) && a->loop.kind != TM_PREVIEW_NEAR && a->loop.kind != TM_PREVIEW_CUT;
}

static void put_animate_json(const animation *a, report *to)
{
    json_t *object = json_make();
    json_add_text(object, "path", a->path);
    json_add_text(object, "output", a->output ? a->output : a->picture.options->folder);
    json_add_text(object, "stem", a->stem);
    json_add_int(object, "frames", a->num);
    json_add_int(object, "width", a->picture.camera.width);
    json_add_int(object, "height", a->picture.camera.height);
    json_add(object, "duration", json_real(a->loop.duration));
    json_add_text(object, "loop", tm_preview_loop_name(a->loop.kind));
    json_add_bool(object, "loops", is_seamless(a));
    json_add(object, "jump", json_real(a->loop.jump));
    if (a->output)
        json_add_int(object, "bytes", (int64_t)a->bytes);
    json_add_findings(object, &a->file.findings);
    text_json(to->out, object);
    text_put(to->out, "\n", 1);
}

/* How the end meets the beginning, and what to do if one sees it. */
static void put_loop(text *out, const animation *a)
{
    const double visible = 2; /* of 255, over all of the picture */
    const double seconds = a->loop.duration / 1000;
    if (a->loop.kind == TM_PREVIEW_STILL)
        text_string(out, ", nothing moves");
    else if (plays_once(a))
        text_print(out, ", %.3f seconds, shown once", seconds);
    else if (a->loop.kind == TM_PREVIEW_EXACT)
        text_print(out, ", %.3f seconds, a loop without a jump", seconds);
    else if (a->loop.kind == TM_PREVIEW_BACK)
        text_print(out, ", %.3f seconds, forth and back", seconds);
    else if (a->loop.kind == TM_PREVIEW_CUT)
        text_print(out, ", %.3f seconds, as told", seconds);
    else if (a->loop.jump < visible)
        text_print(out, ", %.3f seconds, a loop with a small jump (%.2f of 255)", seconds, a->loop.jump);
    else
        text_print(out, ", %.3f seconds, a loop with a jump (%.1f of 255; --loop back has none)", seconds,
                   a->loop.jump);
}

static void say_frames_done(const animation *a, report *to)
{
    if (a->tool->common->json)
        put_animate_json(a, to);
    else if (a->tool->common->verbose || tool_is_watched(a->tool)) {
        const bool piped = a->output && strcmp(a->output, "-") == 0;
        text_safe(to->err, piped ? "standard output" : a->output ? a->output : a->stem);
        text_print(to->err, ": %" PRIu32 " frame%s, %" PRIu32 "x%" PRIu32 " pixels", a->num,
                   a->num == 1 ? "" : "s", a->picture.camera.width, a->picture.camera.height);
        put_loop(to->err, a);
        if (a->output)
            text_print(to->err, "; %.2f MB", (double)a->bytes / 1e6);
        if (tool_is_watched(a->tool))
            text_print(to->err, ", made in %.1f s", tm_sys_seconds() - a->started);
        text_string(to->err, "\n");
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
    take_defaults(a);
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
    animation a = {
        .tool = tool, .path = tool->operands[0], .output = options->output, .started = tm_sys_seconds()};
    const char *fault = animate_usage_fault(&a.format, options);
    if (!fault && ((const animate_options *)tool->options)->lossless && options->quality)
        fault = "use --quality or --lossless, not both";
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
