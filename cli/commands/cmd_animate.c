/* SPDX-License-Identifier: Zlib */
/*
 * cmd_animate.c - `teemap animate`: draws one view at many times, into files in a folder or into one file
 * (moving_picture.c).
 */
#include "moving_picture.h"

typedef struct animate_options {
    picture_options picture;
    double fps, duration, max_time; /* ms; duration 0: not given */
    uint64_t max_size;              /* bytes; 0: not given */
    bool lossless, any_size;
    enum { LOOP_AUTO = 0, LOOP_BACK, LOOP_ONCE } loop;
} animate_options;

static const option_choice loop_choices[] = {
    {"auto", LOOP_AUTO, false}, {"back", LOOP_BACK, false}, {"once", LOOP_ONCE, false}, {NULL, 0, false}};

static const option_row animate_rows[] = {
    TARGET_ROW(picture_options, "write the frames into this folder"),
    OUTPUT_ROW(picture_options, "write one animation to FILE, or with - raw video to a pipe"),
    FORMAT_ROW(
        moving_formats,
        "file format, regardless of the extension: webp, gif, mp4, webm, apng or raw; for frames png (default), webp "
        "or raw"),
    {0, "quality", "N", INTEGER_AT(picture_options, quality, 1, 100),
     .text =
         "quality of an animated WebP or GIF (default 80): 1 gives the smallest file, 100 the best picture; from 80 "
         "both have 255 colors; WebP frames are lossless by default"},
    {0, "max-size", "BYTES", COUNT_AT(animate_options, max_size), .noun = "a number of bytes",
     .text =
         "limit the file size by reducing quality, frame rate and pixels, except those set by other options; k, M "
         "and G mean thousands, millions and billions (default 10M, exceeded if it cannot be reached; none for APNG)"},
    {0, "any-size", NULL, FLAG_AT(animate_options, any_size), .text = "set no limit on the size of the file"},
    {0, "lossless", NULL, FLAG_AT(animate_options, lossless),
     .text = "do not change any pixel of an animated WebP; keep all changes in a GIF"},
    COMPRESS_ROW,
    JSON_ONE_ROW,
    {0, "loop", "HOW", CHOICE_AT(animate_options, loop, loop_choices), .preset = "auto",
     .text =
         "auto: loop where everything is back in place, or where the jump is smallest; back: play back and forth; "
         "once: play once"},
    {0, "max-time", "MS", NUMBER_AT(animate_options, max_time, 100, 999999999), .is_time = true,
     .noun = "a number of milliseconds", .preset = "20000",
     .text = "longest loop to search for, in milliseconds, or with an s in seconds: 5s"},
    {0, "fps", "N", NUMBER_AT(animate_options, fps, 0.01, 1000),
     .text = "frames per second, may be a fraction (default 25)"},
    {0, "duration", "MS", NUMBER_AT(animate_options, duration, 0.001, 999999999), .is_time = true,
     .noun = "a number of milliseconds",
     .text =
         "length of the animation in milliseconds, or with an s in seconds: 5s; without it, that of the best loop"},
    CAMERA_ROWS,
    TIME_ROW("start this many milliseconds after the map starts"),
    DRAWING_ROWS("none"),
    MEMORY_OF_ROW("1G"), /* layers that do not fit are unpacked again for each frame: 132 s for 2 */
    LIMIT_ROW(picture_options, "", "all frames, of which each may cost its share"),
    RUNNING_ROWS("print the number and size of frames, and notes about the file"),
    {0},
};

COMMAND(animate, animate_options, 1, 1, .operands = {OPERAND_MAP}, .searches_images = true);

enum {
    USUAL_MAX_SIZE = 10000000, /* bytes */
    USUAL_FPS = 25,
    MAX_GIF_FPS = 50, /* browsers slow faster ones down */
    USUAL_WIDTH = 640,
    USUAL_HEIGHT = 360,
    USUAL_QUALITY = 80
};

typedef struct animation {
    cli_tool *tool;
    picture_options options; /* the tool's, with the defaults of animations */
    const char *path;
    const char *output; /* of the animation; NULL: frames into the folder */
    picture_format format;
    loaded file;
    moving_picture asked, made;
    const tm_job *job;
    tm_job frame_job; /* the same without progress, which would be that of the search */
    char *stem;       /* DIR/NAME */
    double started;   /* s */
} animation;

/* --------------------------------------------------------------------------------------------------- plan */

static const animate_options *given_options(const animation *a)
{
    return a->tool->options;
}

static void apply_defaults(animation *a)
{
    const animate_options *given = given_options(a);
    const bool lossy = a->output && a->format != PICTURE_APNG && a->format != PICTURE_RAW;
    a->options = given->picture;
    if (!a->options.size.width && a->options.scale <= 0)
        a->options.size = (size_value){USUAL_WIDTH, USUAL_HEIGHT};
    if (lossy && !a->options.quality && !given->lossless)
        a->options.quality = USUAL_QUALITY;
    a->asked = (moving_picture){.format = a->format,
                                .fps = given->fps > 0 ? given->fps : USUAL_FPS,
                                .quality = a->options.quality,
                                .once = given->loop == LOOP_ONCE,
                                .compress = a->options.compress,
                                .job = a->job,
                                .keeps_size = given->picture.size.width || given->picture.scale > 0,
                                .keeps_rate = given->fps > 0,
                                .keeps_quality = given->picture.quality || given->lossless};
    a->asked.max_size = given->any_size ? 0 : given->max_size ? given->max_size : lossy ? USUAL_MAX_SIZE : 0;
    a->asked.may_be_larger = !given->max_size;
}

static tm_status plan_time(animation *a, tm_error *error)
{
    const animate_options *options = given_options(a);
    moving_picture *asked = &a->asked;
    tm_preview_loop_options loop_options = TM_PREVIEW_LOOP_OPTIONS_INIT;
    loop_options.most = options->max_time;
    loop_options.duration = options->duration;
    loop_options.back = options->loop == LOOP_BACK;
    loop_options.job = &a->frame_job;
    const tm_status status = tm_preview_find_loop(&asked->loop, asked->picture.renderer,
                                                  &asked->picture.camera, &loop_options, error);
    return status ? picture_hint_limit(status, error) : moving_count(asked, error);
}

/* Chooses the best view in which something moves, or the best of all if nothing moves in any. */
static tm_status choose_moving_view(animation *a, tm_error *error)
{
    tm_preview_view views[TM_PREVIEW_MAX_VIEWS];
    uint32_t num, best = 0;
    cli_picture *picture = &a->asked.picture;
    tm_preview_loop loop = {.kind = TM_PREVIEW_STILL};
    tm_preview_loop_options loop_options = TM_PREVIEW_LOOP_OPTIONS_INIT;
    loop_options.back = true; /* needs no search for an end */
    tm_status status =
        tm_preview_views(views, &num, TM_PREVIEW_MAX_VIEWS, picture->renderer, &picture->camera, error);
    for (uint32_t i = 0; !status && i < num && loop.kind == TM_PREVIEW_STILL; i++) {
        picture_set_view(picture, &views[i]);
        status = tm_preview_find_loop(&loop, picture->renderer, &picture->camera, &loop_options, error);
        best = loop.kind == TM_PREVIEW_STILL ? 0 : i;
    }
    if (!status)
        picture_set_view(picture, &views[best]);
    return status;
}

static tm_status plan_frames(animation *a, tm_error *error)
{
    const picture_options *options = &a->options;
    cli_picture *picture = &a->asked.picture;
    tm_camera *camera = &picture->camera;
    TRY(picture_aim(camera, options, a->file.map, error));
    if (options->views.num > 1)
        return fail(error, TM_ERROR_USAGE, "an animation shows one --view");
    if (!options->views.num || moving_is_video(a->format)) {
        camera->width += camera->width & 1;
        camera->height += camera->height & 1;
    }
    tm_status status = picture_open(picture, options, a->path, &a->file, &a->frame_job, error);
    if (picture_unpacks_again(picture))
        a->frame_job.executor = NULL;
    if (!status && options->views.num)
        status = strcmp(options->views.words[0], "best") == 0
                     ? choose_moving_view(a, error)
                     : picture_look(&a->asked.picture, options->views.words[0], error);
    status = status ? status : plan_time(a, error);
    if (!status) /* each frame has its share, so that the first one is refused and not the last */
        picture->camera.pixel_limit = picture_frame_limit(&a->options, &picture->camera, a->asked.num);
    a->made = a->asked;
    return status;
}

/* ------------------------------------------------------------------------------------------------- frames */

static char *frame_path(const animation *a, uint32_t index)
{
    return must_print("%s-%05" PRIu32 "%s", a->stem, index + 1, picture_suffix(a->format));
}

static tm_status draw_frame(void *ctx, void *worker, uint32_t index, bool *stop, tm_error *error)
{
    animation *a = ctx;
    char *path = frame_path(a, index);
    const cli_picture picture = moving_frame(&a->asked, index, NULL);
    (void)worker;
    (void)stop;
    const tm_status status = picture_write(&picture, a->format, path, error);
    free(path);
    return status;
}

static tm_status write_frames(animation *a, cli_report *report, tm_error *error)
{
    tm_tasks pieces = TM_TASKS_INIT;
    tm_job job = *a->job;
    pieces.ctx = a;
    pieces.num = a->asked.num;
    pieces.work = draw_frame;
    if (picture_unpacks_again(&a->asked.picture))
        job.executor = NULL;
    const tm_status status = tm_tasks_run(&pieces, &job, error);
    char *next = frame_path(a, a->asked.num);
    if (!status && !a->tool->common->quiet && tm_sys_kind_of(next) != TM_SYS_MISSING)
        put_trouble(report->err, next, "warning: is a frame of another, longer animation");
    free(next);
    return status;
}

/* --------------------------------------------------------------------------------------------- one file */

static const char *output_name(const animation *a)
{
    return !a->output ? a->stem : strcmp(a->output, "-") == 0 ? "standard output" : a->output;
}

static bool prints_lines(const animation *a)
{
    return !a->tool->common->json && (a->tool->common->verbose || tool_is_watched(a->tool));
}

/* Says how large the animation will be, before it is made. */
static void print_estimate(const animation *a)
{
    text talk = {0};
    if (a->made.estimate && tool_is_watched(a->tool)) {
        put_about(&talk, output_name(a), "%" PRIu32 " frames, about %.1f MB\n", a->made.num,
                  (double)a->made.estimate / 1e6);
        tool_print(a->tool, &talk);
    }
    text_release(&talk);
}

/* ---------------------------------------------------------------------------------------------- reporting */

static void put_animate_json(const animation *a, cli_report *report)
{
    const moving_picture *made = &a->made;
    const tm_preview_loop_kind kind = made->loop.kind;
    /* what follows the last frame is the first one */
    const bool loops = !made->once && kind != TM_PREVIEW_NEAR && kind != TM_PREVIEW_CUT;
    json_t *object = json_object(
        JSON_TEXT("path", a->path), JSON_TEXT("output", a->output ? a->output : a->options.folder),
        JSON_TEXT("stem", a->stem), JSON_INT("frames", made->num), JSON_REAL("fps", made->fps),
        JSON_INT("width", made->picture.camera.width), JSON_INT("height", made->picture.camera.height),
        JSON_REAL("duration", made->loop.duration), JSON_TEXT("loop", tm_preview_loop_name(kind)),
        JSON_BOOL("loops", loops), JSON_REAL("jump", made->loop.jump));
    if (made->quality)
        json_add_int(object, "quality", made->quality);
    if (a->output)
        json_add_int(object, "bytes", (int64_t)made->bytes);
    json_add_findings(object, &a->file.findings);
    text_json_line(report->out, object);
}

/* Says how visible the jump from the end to the beginning is, and what to do about it. */
static void put_loop(text *out, const moving_picture *a)
{
    const double visible = 2; /* of 255, over all of the picture */
    const double seconds = a->loop.duration / 1000;
    if (a->loop.kind == TM_PREVIEW_STILL)
        text_string(out, ", nothing moves");
    else if (a->once)
        text_print(out, ", %.3f seconds, shown once", seconds);
    else if (a->loop.kind == TM_PREVIEW_EXACT)
        text_print(out, ", %.3f seconds, a loop without a jump", seconds);
    else if (a->loop.kind == TM_PREVIEW_BACK)
        text_print(out, ", %.3f seconds, back and forth", seconds);
    else if (a->loop.kind == TM_PREVIEW_CUT)
        text_print(out, ", %.3f seconds, as requested", seconds);
    else if (a->loop.jump < visible)
        text_print(out, ", %.3f seconds, a loop with a small jump (%.2f of 255)", seconds, a->loop.jump);
    else
        text_print(out, ", %.3f seconds, a loop with a jump (%.1f of 255; --loop back has none)", seconds,
                   a->loop.jump);
}

/* Says what was reduced to keep the file below the limit, or that it is not enough. */
static void put_savings(text *out, const animation *a)
{
    const moving_picture *made = &a->made, *asked = &a->asked;
    const bool fits = !asked->max_size || made->bytes <= asked->max_size;
    if (fits && made->saving == 0)
        return;
    text_print(out, " (%.3g frames a second", made->fps);
    if (made->quality)
        text_print(out, ", quality %" PRIu32, made->quality);
    text_print(out, fits ? ", to stay below %.3g MB)" : "; more than %.3g MB, which some chats do not take)",
               (double)asked->max_size / 1e6);
}

static void report_frames(const animation *a, cli_report *report)
{
    const moving_picture *made = &a->made;
    if (a->tool->common->json)
        put_animate_json(a, report);
    if (!prints_lines(a) && made->loop.kind == TM_PREVIEW_STILL && !a->tool->common->json)
        report_note(report, "warning: nothing moves in this view; the animation stands still");
    if (!prints_lines(a))
        return;
    put_about(report->err, output_name(a), "%" PRIu32 " frame%s, %" PRIu32 "x%" PRIu32 " pixels", made->num,
              made->num == 1 ? "" : "s", made->picture.camera.width, made->picture.camera.height);
    put_loop(report->err, made);
    if (a->output) {
        text_print(report->err, "; %.2f MB", (double)made->bytes / 1e6);
        put_savings(report->err, a);
    }
    if (tool_is_watched(a->tool))
        text_print(report->err, ", made in %.1f s", tm_sys_seconds() - a->started);
    text_string(report->err, "\n");
}

/* Reports a view that the map does not have, as `teemap render` does, or an animation that failed. */
static void report_not_animated(animation *a, bool planned, cli_report *report)
{
    tm_error *error = &a->file.error;
    if (a->file.status || planned || !a->options.views.num || error->code != TM_ERROR_NOT_FOUND) {
        report_error(report, error);
        return;
    }
    put_error(report->err, path_name(a->path), error);
    raise_status(&report->status, STATUS_FINDINGS);
}

static void animate_map(void *ctx, cli_report *report)
{
    animation *a = ctx;
    tm_error *error = &a->file.error;
    a->job = report->job;
    a->frame_job = *report->job;
    a->frame_job.progress = NULL;
    apply_defaults(a);
    load_map(&a->file, a->path, a->tool->common->mode);
    tm_status status = a->file.status ? a->file.status : plan_frames(a, error);
    const bool planned = !status;
    if (planned && !a->output)
        status = write_frames(a, report, error);
    else if (planned && !(status = moving_fit(&a->made, &a->asked, error))) {
        print_estimate(a);
        status = moving_write(&a->made, &a->asked, a->output, error);
    }
    picture_report(report, &a->asked.picture, &a->file);
    if (!status)
        report_frames(a, report);
    else
        report_not_animated(a, planned, report);
    picture_close(&a->asked.picture);
    loaded_release(&a->file);
}

static const char *animate_usage_fault(picture_format *format, const picture_options *options)
{
    if (options->folder && options->output)
        return "use -o or -t, not both";
    if (!options->folder && !options->output)
        return "no output: give -o FILE for an animation or raw video, or -t DIR for frames";
    if (options->output)
        return picture_choose_format(format, options, options->output, PICTURE_MOVING);
    if (options->format == PICTURE_APNG || options->format == PICTURE_GIF || moving_is_video(options->format))
        return "-t writes a file for each frame, as png, webp or raw; for one animation give -o FILE";
    return picture_choose_format(format, options, "", PICTURE_STILL);
}

static const char *animate_numbers_fault(const animate_options *options, picture_format format)
{
    if (options->lossless && moving_is_video(format))
        return "a video is not lossless; --quality 100 comes near";
    if (options->lossless && options->picture.quality)
        return "use --quality or --lossless, not both";
    if (options->any_size && options->max_size)
        return "use --max-size or --any-size, not both";
    if (options->max_size && (options->picture.folder || format == PICTURE_RAW))
        return "--max-size is for animations in one file; frames and raw video have the size that they have";
    if (format == PICTURE_GIF && options->fps > MAX_GIF_FPS)
        return "a GIF has at most 50 frames a second";
    return NULL;
}

int cmd_animate(cli_tool *tool)
{
    const picture_options *options = tool->options;
    animation a = {
        .tool = tool, .path = tool->operands[0], .output = options->output, .started = tm_sys_seconds()};
    const char *fault = animate_usage_fault(&a.format, options);
    fault = fault ? fault : animate_numbers_fault(tool->options, a.format);
    if (fault)
        return tool_usage(tool, fault);
    if (!a.output) {
        char *name = picture_default_name(a.path, "");
        a.stem = files_join(options->folder, name);
        free(name);
    }
    tool->unit = "frames";
    tool_each(tool, &a.path, 1, animate_map, &a);
    free(a.stem);
    return STATUS_DONE;
}
