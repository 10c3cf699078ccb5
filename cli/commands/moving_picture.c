/* SPDX-License-Identifier: Zlib */
/*
 * moving_picture.c - animations in one file. What to save at, in which order, is the library's
 * (tm_animation_saving_at); here it is tried how much must be saved. Videos are made by
 * ffmpeg, without a shell, into the temporary file of a save, so that a video is there whole or not at all.
 */
#include "moving_picture.h"

#include <errno.h>

#define MAX_FRAME_BYTES   ((size_t)1 << 30)
#define LARGE_FRAME_BYTES ((size_t)16 << 20) /* from here on all threads draw at one frame */

/* ------------------------------------------------------------------------------------------------- frames */

tm_status moving_count(moving_picture *moving, tm_error *error)
{
    const double num = moving->loop.duration * moving->fps / 1000 + 0.5;
    if (num >= MOVING_MAX_FRAMES + 1.0)
        return fail(error, TM_ERROR_USAGE,
                    "these are more than 99999 frames; make --duration or --fps smaller");
    moving->num = num < 1 ? 1 : (uint32_t)num;
    return TM_OK;
}

cli_picture moving_frame(const moving_picture *moving, uint32_t index, const tm_job *job)
{
    cli_picture picture = moving->picture;
    picture.job = job;
    picture.camera.time = tm_preview_loop_time(&moving->loop, index, moving->num);
    return picture;
}

/* The place of the next rows of a frame. */
typedef struct row_target {
    uint8_t *rows;
    size_t stride;
} row_target;

static tm_status copy_rows(void *ctx, const void *rgba, uint32_t num_rows, size_t row_stride, tm_error *error)
{
    row_target *target = ctx;
    (void)error;
    for (uint32_t i = 0; i < num_rows; i++, target->rows += target->stride)
        memcpy(target->rows, (const uint8_t *)rgba + i * row_stride, target->stride);
    return TM_OK;
}

tm_status moving_draw(const moving_picture *moving, uint32_t index, void *rgba, size_t row_stride,
                      tm_error *error)
{
    const tm_job alone = {
        .size = sizeof(alone), .executor = moving->job->executor, .cancel = moving->job->cancel};
    const bool large = row_stride * moving->picture.camera.height >= LARGE_FRAME_BYTES ||
                       picture_unpacks_again(&moving->picture);
    const cli_picture picture = moving_frame(moving, index, large ? &alone : NULL);
    row_target target = {rgba, row_stride};
    const tm_row_sink keep = {&target, copy_rows};
    return picture_stream(&picture, &keep, error);
}

static tm_status draw_moving(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error)
{
    return moving_draw(ctx, index, rgba, row_stride, error);
}

static tm_frames frames_of(moving_picture *moving)
{
    tm_frames frames = TM_FRAMES_INIT;
    frames.width = moving->picture.camera.width;
    frames.height = moving->picture.camera.height;
    frames.num = moving->num;
    frames.duration = (uint64_t)(moving->loop.duration * 1000 + 0.5);
    frames.ctx = moving;
    frames.draw = draw_moving;
    return frames;
}

bool moving_is_video(picture_format format)
{
    return format == PICTURE_MP4 || format == PICTURE_WEBM;
}

static tm_animation_options packing_of(const moving_picture *moving)
{
    static const tm_animation_format formats[PICTURE_FORMATS] = {
        [PICTURE_WEBP] = TM_ANIMATION_WEBP, [PICTURE_APNG] = TM_ANIMATION_APNG,
        [PICTURE_GIF] = TM_ANIMATION_GIF,   [PICTURE_MP4] = TM_ANIMATION_RAW,
        [PICTURE_WEBM] = TM_ANIMATION_RAW,  [PICTURE_RAW] = TM_ANIMATION_RAW};
    tm_animation_options options = TM_ANIMATION_OPTIONS_INIT;
    options.format = formats[moving->format];
    options.num_plays = moving->once;
    options.opaque = moving->format != PICTURE_RAW && picture_is_opaque(moving->picture.options);
    options.smallest = moving->compress;
    options.quality = (int)moving->quality;
    return options;
}

/* The job of drawing and packing, within the memory for frames. */
static tm_job job_of(const moving_picture *moving)
{
    tm_job job = *moving->job;
    if (picture_unpacks_again(&moving->picture))
        job.executor = NULL;
    job.memory_budget = moving->memory ? moving->memory : (uint64_t)64 << 20;
    return job;
}

/* ------------------------------------------------------------------------------------------------- saving */

/* Makes a copy of the animation with the savings of a step, such as fewer frames or a lower quality. */
static tm_status save_at(moving_picture *out, const moving_picture *asked, uint32_t step, tm_error *error)
{
    tm_animation_saving saving;
    tm_camera *camera = &out->picture.camera;
    *out = *asked;
    (void)tm_animation_saving_at(&saving, step);
    out->saving = step;
    if (step == 0)
        return TM_OK;
    if (!asked->keeps_rate)
        out->fps = asked->fps * saving.rate;
    if (!asked->keeps_quality && asked->quality > (uint32_t)saving.quality)
        out->quality = (uint32_t)saving.quality;
    if (!asked->keeps_size) {
        const uint32_t width = camera->width;
        camera->width = (uint32_t)(camera->width * saving.scale / 2 + 0.5) * 2;
        camera->width += camera->width ? 0 : 2;
        camera->height = (uint32_t)(camera->height * saving.scale / 2 + 0.5) * 2;
        camera->height += camera->height ? 0 : 2;
        camera->scale *= (double)camera->width / width;
    }
    return moving_count(out, error);
}

static tm_status estimate_at(moving_picture *out, const moving_picture *asked, uint32_t step, tm_error *error)
{
    TRY(save_at(out, asked, step, error));
    const tm_frames frames = frames_of(out);
    const tm_animation_options options = packing_of(out);
    tm_job job = job_of(out);
    job.progress = NULL;
    return tm_animation_estimate(&out->estimate, &frames, &options, &job, error);
}

static uint32_t num_savings(void)
{
    tm_animation_saving saving;
    uint32_t num = 0;
    while (tm_animation_saving_at(&saving, num))
        num++;
    return num;
}

/* Whether the estimated size is below the limit, by a margin, as an estimate may be too low. */
static bool fits(const moving_picture *moving)
{
    return moving->estimate <= moving->max_size / 20 * 19;
}

tm_status moving_fit(moving_picture *out, const moving_picture *asked, tm_error *error)
{
    uint32_t low = 0, high = num_savings() - 1;
    *out = *asked;
    if (!asked->max_size ||
        moving_is_video(asked->format)) /* nobody knows what ffmpeg makes of them before it did */
        return TM_OK;
    tm_status status = estimate_at(out, asked, 0, error);
    if (status || fits(out))
        return status;
    while (!status && high - low > 1) { /* `low` is too little, `high` enough, or the most */
        const uint32_t middle = (low + high) / 2;
        status = estimate_at(out, asked, middle, error);
        if (fits(out))
            high = middle;
        else
            low = middle;
    }
    return status || out->saving == high ? status : estimate_at(out, asked, high, error);
}

/* ------------------------------------------------------------------------------------------------- videos */

enum { MAX_ARGUMENTS = 48 };

/* The constant rate factor: 20 for quality 80, 10 for 100; for VP9 10 more, which looks about as good. */
static uint32_t factor_of(const moving_picture *moving)
{
    const bool is_webm = moving->format == PICTURE_WEBM;
    const uint32_t factor = (100 - moving->quality) / 2 + 10 + (is_webm ? 10 : 0), most = is_webm ? 63 : 51;
    return factor < most ? factor : most;
}

/* All words but the file. */
static char *ffmpeg_line(moving_picture *moving)
{
    const uint64_t lasts = frames_of(moving).duration;
    const char *webm = moving->compress
                           ? "-c:v libvpx-vp9 -b:v 0 -row-mt 1 -deadline good -cpu-used 1 -f webm" /* VP9 */
                           : "-c:v libvpx-vp9 -b:v 0 -row-mt 1 -deadline good -cpu-used 4 -f webm",
               *mp4 = moving->compress ? "-c:v libx264 -preset veryslow -movflags +faststart -f mp4"
                                       : "-c:v libx264 -preset medium -movflags +faststart -f mp4";
    return must_print(
        "ffmpeg -v error -nostdin -y -f rawvideo -pix_fmt rgb24 -s %" PRIu32 "x%" PRIu32 " -r %" PRIu64
        "/%" PRIu64 " -i pipe:0 -an -threads %" PRIu32 " -pix_fmt yuv420p -crf %" PRIu32 " %s",
        moving->picture.camera.width, moving->picture.camera.height, (uint64_t)moving->num * 1000000,
        lasts ? lasts : 1000000, moving->job->executor ? moving->job->executor->threads : 1,
        factor_of(moving), moving->format == PICTURE_WEBM ? webm : mp4);
}

static tm_status put_frames(moving_picture *moving, const tm_output *output, tm_error *error)
{
    const tm_frames frames = frames_of(moving);
    const tm_animation_options options = packing_of(moving);
    const tm_job job = job_of(moving);
    return tm_animation_write(output, &frames, &options, &job, error);
}

/* Writes all frames to ffmpeg. If that ends early, the error is what it says, not that the pipe is closed. */
static tm_status feed(tm_sys_pipe *run, moving_picture *moving, tm_error *error)
{
    const tm_output output = tm_sys_pipe_output(run);
    const tm_status status = put_frames(moving, &output, error);
    if (status && error->system != EPIPE) {
        tm_sys_pipe_abort(run);
        return status;
    }
    tm_error failure = {.code = TM_OK};
    const tm_status ended = tm_sys_pipe_finish(run, &failure);
    if (ended)
        *error = failure;
    return ended ? ended : status;
}

/* "file:" keeps names such as -x.mp4 or a:b.mp4 from meaning something else. */
static tm_status run_ffmpeg(moving_picture *moving, const char *file, tm_error *error)
{
    const char *words[MAX_ARGUMENTS] = {NULL};
    char *line = ffmpeg_line(moving), *path = must_print("file:%s", file);
    size_t num = 0;
    tm_sys_pipe *run = NULL;
    for (char *word = line, *blank; word; word = blank ? blank + 1 : NULL) {
        blank = strchr(word, ' ');
        if (blank)
            *blank = '\0';
        words[num++] = word;
    }
    words[num] = path;
    tm_status status = tm_sys_pipe_begin(&run, words, NULL, error);
    if (status == TM_ERROR_NOT_FOUND)
        fail(error, status,
             "videos are made by ffmpeg, which is not installed; a .webp or .gif needs no other program");
    status = status ? status : feed(run, moving, error);
    free(path);
    free(line);
    return status;
}

static tm_status check_size(uint64_t *size, const char *file, uint64_t most, tm_error *error)
{
    tm_input input;
    TRY(tm_sys_open_input(&input, file, 0, NULL, error));
    *size = input.size;
    input.close(input.ctx);
    return *size <= most ? TM_OK : TM_ERROR_LIMIT;
}

static tm_status video_write(moving_picture *moving, const char *path, uint64_t most, tm_error *error)
{
    tm_sys_save *save;
    TRY(tm_sys_save_begin(&save, path, NULL, error));
    const char *file = tm_sys_save_path(save);
    if (!file) {
        tm_sys_save_abort(save);
        return fail(error, TM_ERROR_USAGE, "a video goes to a file, not to a pipe or a device");
    }
    tm_status status = run_ffmpeg(moving, file, error);
    status = status ? status : check_size(&moving->bytes, file, most, error);
    if (!status)
        return tm_sys_save_commit(save, error);
    tm_sys_save_abort(save);
    return status;
}

/* An output that fails beyond a number of bytes. */
typedef struct limited {
    moving_picture *moving;
    tm_output next;
    uint64_t most;
    bool over;
} limited;

static tm_status refuse_size(tm_error *error)
{
    return fail(error, TM_ERROR_LIMIT,
                "the file would be larger than --max-size, and there is nothing more to save at: "
                "make --size, --fps, --quality or --duration smaller");
}

static tm_status write_limited(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    limited *l = ctx;
    if (size > l->most - l->moving->bytes) {
        l->over = true;
        return refuse_size(error);
    }
    l->moving->bytes += size;
    return l->next.write(l->next.ctx, bytes, size, error);
}

/* Writes frames of raw video in bands, as they are too large to hold several of them. */
static tm_status put_bands(moving_picture *moving, const tm_output *output, tm_error *error)
{
    const tm_job job = {
        .size = sizeof(job), .executor = moving->job->executor, .cancel = moving->job->cancel};
    tm_status status = TM_OK;
    for (uint32_t i = 0; !status && i < moving->num; i++) {
        const cli_picture picture = moving_frame(moving, i, &job);
        status = picture_put(&picture, PICTURE_RAW, output, error);
        if (moving->job->progress)
            moving->job->progress(moving->job->progress_ctx, i + 1, moving->num);
    }
    return status;
}

static tm_status put_moving(limited *l, const tm_output *output, tm_error *error)
{
    moving_picture *moving = l->moving;
    const size_t stride = (size_t)moving->picture.camera.width * 4;
    const bool large = moving->picture.camera.height > LARGE_FRAME_BYTES / stride;
    moving->bytes = 0;
    l->next = *output;
    const tm_output bounded = {l, write_limited, NULL};
    if (moving->format == PICTURE_RAW && large)
        return put_bands(moving, &bounded, error);
    if (moving->picture.camera.height > MAX_FRAME_BYTES / stride)
        return fail(error, TM_ERROR_USAGE, "frames of an animation are 1 GiB at most; make --size smaller");
    return put_frames(moving, &bounded, error);
}

/*
 * Writes the animation once; l->over: it is larger than allowed. Unless this is the last try, one for a pipe
 * waits in memory until its size is known, as it could not be taken back.
 */
static tm_status write_once(limited *l, const char *path, bool last, tm_error *error)
{
    if (moving_is_video(l->moving->format)) {
        l->moving->bytes = 0;
        const tm_status made = video_write(l->moving, path, l->most, error);
        l->over = l->moving->bytes > l->most;
        return l->over ? refuse_size(error) : made;
    }
    if (last || strcmp(path, "-") != 0) {
        output_file file;
        tm_status status = output_open_below(&file, l->moving->picture.options->folder, path, error);
        status = status ? status : put_moving(l, &file.output, error);
        return output_close(&file, status, error);
    }
    tm_buffer buffer = {0};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_status status = put_moving(l, &output, error);
    status = status ? status : save_bytes(path, buffer.bytes, buffer.size, error);
    tm_buffer_release(&buffer);
    return status;
}

tm_status moving_write(moving_picture *moving, const moving_picture *asked, const char *path, tm_error *error)
{
    const uint32_t first = moving->saving, end = num_savings();
    limited l = {.moving = moving, .most = asked->max_size ? asked->max_size : UINT64_MAX};
    tm_status status = TM_ERROR_LIMIT;
    for (uint32_t step = first; status == TM_ERROR_LIMIT && l.over == (step > first) && step < end; step++) {
        const uint64_t estimate = moving->estimate;
        *error = (tm_error){.code = TM_OK};
        l.over = false;
        status = save_at(moving, asked, step, error);
        moving->estimate = estimate;
        status = status ? status : write_once(&l, path, !asked->max_size, error);
    }
    if (!l.over || !asked->may_be_larger)
        return status;
    *error = (tm_error){.code = TM_OK};
    l.most = UINT64_MAX;
    return write_once(&l, path, true, error);
}
