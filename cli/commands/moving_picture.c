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

tm_status moving_count(moving_picture *of, tm_error *error)
{
    const double num = of->loop.duration * of->fps / 1000 + 0.5;
    if (num >= MOVING_MAX_FRAMES + 1.0)
        return fail(error, TM_ERROR_USAGE,
                    "these are more than 99999 frames; make --duration or --fps smaller");
    of->num = num < 1 ? 1 : (uint32_t)num;
    return TM_OK;
}

cli_picture moving_frame(const moving_picture *of, uint32_t index, const tm_job *job)
{
    cli_picture picture = of->picture;
    picture.job = job;
    picture.camera.time = tm_preview_loop_time(&of->loop, index, of->num);
    return picture;
}

/* The place of the next rows of a frame. */
typedef struct row_target {
    uint8_t *rows;
    size_t stride;
} row_target;

static tm_status keep_rows(void *ctx, const void *rgba, uint32_t num_rows, size_t row_stride, tm_error *error)
{
    row_target *to = ctx;
    (void)error;
    for (uint32_t i = 0; i < num_rows; i++, to->rows += to->stride)
        memcpy(to->rows, (const uint8_t *)rgba + i * row_stride, to->stride);
    return TM_OK;
}

tm_status moving_draw(const moving_picture *of, uint32_t index, void *rgba, size_t row_stride,
                      tm_error *error)
{
    const tm_job alone = {.size = sizeof(alone), .executor = of->job->executor, .cancel = of->job->cancel};
    const bool large =
        row_stride * of->picture.camera.height >= LARGE_FRAME_BYTES || picture_unpacks_again(&of->picture);
    const cli_picture picture = moving_frame(of, index, large ? &alone : NULL);
    row_target to = {rgba, row_stride};
    const tm_row_sink keep = {&to, keep_rows};
    return picture_stream(&picture, &keep, error);
}

static tm_status draw_moving(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error)
{
    return moving_draw(ctx, index, rgba, row_stride, error);
}

static tm_frames frames_of(moving_picture *of)
{
    tm_frames frames = TM_FRAMES_INIT;
    frames.width = of->picture.camera.width;
    frames.height = of->picture.camera.height;
    frames.num = of->num;
    frames.duration = (uint64_t)(of->loop.duration * 1000 + 0.5);
    frames.ctx = of;
    frames.draw = draw_moving;
    return frames;
}

bool moving_is_video(picture_format format)
{
    return format == PICTURE_MP4 || format == PICTURE_WEBM;
}

static tm_animation_options packing_of(const moving_picture *of)
{
    static const tm_animation_format formats[PICTURE_FORMATS] = {
        [PICTURE_WEBP] = TM_ANIMATION_WEBP, [PICTURE_APNG] = TM_ANIMATION_APNG,
        [PICTURE_GIF] = TM_ANIMATION_GIF,   [PICTURE_MP4] = TM_ANIMATION_RAW,
        [PICTURE_WEBM] = TM_ANIMATION_RAW,  [PICTURE_RAW] = TM_ANIMATION_RAW};
    tm_animation_options how = TM_ANIMATION_OPTIONS_INIT;
    how.format = formats[of->format];
    how.num_plays = of->once;
    how.opaque = of->format != PICTURE_RAW && picture_is_opaque(of->picture.options);
    how.smallest = of->compress;
    how.quality = (int)of->quality;
    return how;
}

/* The job of drawing and packing, within the memory for frames. */
static tm_job job_of(const moving_picture *of)
{
    tm_job job = *of->job;
    if (picture_unpacks_again(&of->picture))
        job.executor = NULL;
    job.memory_budget = of->memory ? of->memory : (uint64_t)64 << 20;
    return job;
}

/* ------------------------------------------------------------------------------------------------- saving */

/* Makes a copy of the animation with the savings of a step, such as fewer frames or a lower quality. */
static tm_status save_at(moving_picture *out, const moving_picture *of, uint32_t step, tm_error *error)
{
    tm_animation_saving saving;
    tm_camera *camera = &out->picture.camera;
    *out = *of;
    (void)tm_animation_saving_at(&saving, step);
    out->saving = step;
    if (step == 0)
        return TM_OK;
    if (!of->keeps_rate)
        out->fps = of->fps * saving.rate;
    if (!of->keeps_quality && of->quality > (uint32_t)saving.quality)
        out->quality = (uint32_t)saving.quality;
    if (!of->keeps_size) {
        const uint32_t width = camera->width;
        camera->width = (uint32_t)(camera->width * saving.scale / 2 + 0.5) * 2;
        camera->width += camera->width ? 0 : 2;
        camera->height = (uint32_t)(camera->height * saving.scale / 2 + 0.5) * 2;
        camera->height += camera->height ? 0 : 2;
        camera->scale *= (double)camera->width / width;
    }
    return moving_count(out, error);
}

static tm_status estimate_at(moving_picture *at, const moving_picture *of, uint32_t step, tm_error *error)
{
    TRY(save_at(at, of, step, error));
    const tm_frames frames = frames_of(at);
    const tm_animation_options how = packing_of(at);
    tm_job job = job_of(at);
    job.progress = NULL;
    return tm_animation_estimate(&at->estimate, &frames, &how, &job, error);
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
static bool fits(const moving_picture *of)
{
    return of->estimate <= of->max_size / 20 * 19;
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
static uint32_t factor_of(const moving_picture *of)
{
    const bool is_webm = of->format == PICTURE_WEBM;
    const uint32_t factor = (100 - of->quality) / 2 + 10 + (is_webm ? 10 : 0), most = is_webm ? 63 : 51;
    return factor < most ? factor : most;
}

/* All words but the file. */
static char *ffmpeg_line(moving_picture *of)
{
    const uint64_t lasts = frames_of(of).duration;
    const char *webm = of->compress
                           ? "-c:v libvpx-vp9 -b:v 0 -row-mt 1 -deadline good -cpu-used 1 -f webm" /* VP9 */
                           : "-c:v libvpx-vp9 -b:v 0 -row-mt 1 -deadline good -cpu-used 4 -f webm",
               *mp4 = of->compress ? "-c:v libx264 -preset veryslow -movflags +faststart -f mp4"
                                   : "-c:v libx264 -preset medium -movflags +faststart -f mp4";
    return must_print("ffmpeg -v error -nostdin -y -f rawvideo -pix_fmt rgb24 -s %" PRIu32 "x%" PRIu32
                      " -r %" PRIu64 "/%" PRIu64 " -i pipe:0 -an -threads %" PRIu32
                      " -pix_fmt yuv420p -crf %" PRIu32 " %s",
                      of->picture.camera.width, of->picture.camera.height, (uint64_t)of->num * 1000000,
                      lasts ? lasts : 1000000, of->job->executor ? of->job->executor->threads : 1,
                      factor_of(of), of->format == PICTURE_WEBM ? webm : mp4);
}

static tm_status put_frames(moving_picture *of, const tm_output *output, tm_error *error)
{
    const tm_frames frames = frames_of(of);
    const tm_animation_options how = packing_of(of);
    const tm_job job = job_of(of);
    return tm_animation_write(output, &frames, &how, &job, error);
}

/* Writes all frames to ffmpeg. If that ends early, the error is what it says, not that the pipe is closed. */
static tm_status feed(tm_sys_pipe *run, moving_picture *of, tm_error *error)
{
    const tm_output output = tm_sys_pipe_output(run);
    const tm_status status = put_frames(of, &output, error);
    if (status && error->system != EPIPE) {
        tm_sys_pipe_abort(run);
        return status;
    }
    tm_error own = {.code = TM_OK};
    const tm_status ended = tm_sys_pipe_finish(run, &own);
    if (ended)
        *error = own;
    return ended ? ended : status;
}

/* "file:" keeps names such as -x.mp4 or a:b.mp4 from meaning something else. */
static tm_status run_ffmpeg(moving_picture *of, const char *file, tm_error *error)
{
    const char *words[MAX_ARGUMENTS] = {NULL};
    char *line = ffmpeg_line(of), *path = must_print("file:%s", file);
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
    status = status ? status : feed(run, of, error);
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

static tm_status video_write(moving_picture *of, const char *path, uint64_t most, tm_error *error)
{
    tm_sys_save *save;
    TRY(tm_sys_save_begin(&save, path, NULL, error));
    const char *file = tm_sys_save_path(save);
    if (!file) {
        tm_sys_save_abort(save);
        return fail(error, TM_ERROR_USAGE, "a video goes to a file, not to a pipe or a device");
    }
    tm_status status = run_ffmpeg(of, file, error);
    status = status ? status : check_size(&of->bytes, file, most, error);
    if (!status)
        return tm_sys_save_commit(save, error);
    tm_sys_save_abort(save);
    return status;
}

/* An output that fails beyond a number of bytes. */
typedef struct limited {
    moving_picture *of;
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
    if (size > l->most - l->of->bytes) {
        l->over = true;
        return refuse_size(error);
    }
    l->of->bytes += size;
    return l->next.write(l->next.ctx, bytes, size, error);
}

/* Writes frames of raw video in bands, as they are too large to hold several of them. */
static tm_status put_bands(moving_picture *of, const tm_output *output, tm_error *error)
{
    const tm_job job = {.size = sizeof(job), .executor = of->job->executor, .cancel = of->job->cancel};
    tm_status status = TM_OK;
    for (uint32_t i = 0; !status && i < of->num; i++) {
        const cli_picture picture = moving_frame(of, i, &job);
        status = picture_put(&picture, PICTURE_RAW, output, error);
        if (of->job->progress)
            of->job->progress(of->job->progress_ctx, i + 1, of->num);
    }
    return status;
}

static tm_status put_moving(limited *l, const tm_output *output, tm_error *error)
{
    moving_picture *of = l->of;
    const size_t stride = (size_t)of->picture.camera.width * 4;
    const bool large = of->picture.camera.height > LARGE_FRAME_BYTES / stride;
    of->bytes = 0;
    l->next = *output;
    const tm_output through = {l, write_limited, NULL};
    if (of->format == PICTURE_RAW && large)
        return put_bands(of, &through, error);
    if (of->picture.camera.height > MAX_FRAME_BYTES / stride)
        return fail(error, TM_ERROR_USAGE, "frames of an animation are 1 GiB at most; make --size smaller");
    return put_frames(of, &through, error);
}

/*
 * Writes the animation once; l->over: it is larger than allowed. Unless this is the last try, one for a pipe
 * waits in memory until its size is known, as it could not be taken back.
 */
static tm_status write_once(limited *l, const char *path, bool last, tm_error *error)
{
    if (moving_is_video(l->of->format)) {
        l->of->bytes = 0;
        const tm_status made = video_write(l->of, path, l->most, error);
        l->over = l->of->bytes > l->most;
        return l->over ? refuse_size(error) : made;
    }
    if (last || strcmp(path, "-") != 0) {
        output_file file;
        tm_status status = output_open_below(&file, l->of->picture.options->folder, path, error);
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

tm_status moving_write(moving_picture *of, const moving_picture *asked, const char *path, tm_error *error)
{
    const uint32_t first = of->saving, end = num_savings();
    limited l = {.of = of, .most = asked->max_size ? asked->max_size : UINT64_MAX};
    tm_status status = TM_ERROR_LIMIT;
    for (uint32_t step = first; status == TM_ERROR_LIMIT && l.over == (step > first) && step < end; step++) {
        const uint64_t estimate = of->estimate;
        *error = (tm_error){.code = TM_OK};
        l.over = false;
        status = save_at(of, asked, step, error);
        of->estimate = estimate;
        status = status ? status : write_once(&l, path, !asked->max_size, error);
    }
    if (!l.over || !asked->may_be_larger)
        return status;
    *error = (tm_error){.code = TM_OK};
    l.most = UINT64_MAX;
    return write_once(&l, path, true, error);
}
