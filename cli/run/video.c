/* SPDX-License-Identifier: Zlib */
/*
 * video.c - what ffmpeg is told, and what becomes of its file. It runs without a shell and writes to the
 * temporary file of a save, so that a video is there whole or not at all.
 */
#include "video.h"

#include "fail.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 48, NUMBER_SIZE = 64 };

typedef struct arguments {
    const char *words[MAX_ARGUMENTS];
    size_t num;
    char size[NUMBER_SIZE], rate[NUMBER_SIZE], factor[NUMBER_SIZE], threads[NUMBER_SIZE];
    char *file;
} arguments;

static void add_words(arguments *to, const char *const *words)
{
    while (*words)
        to->words[to->num++] = *words++;
}
#define ADD(to, ...) add_words(to, (const char *const[]){__VA_ARGS__, NULL})

/*
 * The constant rate factor of both codecs: 20 for quality 80 and 10 for 100. VP9's numbers mean pictures that
 * look about as good when they are 10 higher.
 */
static uint32_t factor_of(const video_plan *plan)
{
    const uint32_t factor = (100 - plan->quality) / 2 + 10 + (plan->webm ? 10 : 0),
                   most = plan->webm ? 63 : 51;
    return factor < most ? factor : most;
}

/* "file:" keeps names such as -x.mp4 or a:b.mp4 from meaning something else. */
static void build_arguments(arguments *to, const video_plan *plan, const char *file)
{
    const uint64_t duration = plan->duration ? plan->duration : 1000000,
                   num = (uint64_t)plan->num_frames * 1000000;
    snprintf(to->size, sizeof(to->size), "%" PRIu32 "x%" PRIu32, plan->width, plan->height);
    snprintf(to->rate, sizeof(to->rate), "%" PRIu64 "/%" PRIu64, num, duration);
    snprintf(to->factor, sizeof(to->factor), "%" PRIu32, factor_of(plan));
    snprintf(to->threads, sizeof(to->threads), "%" PRIu32, plan->threads);
    const size_t length = strlen(file) + sizeof("file:");
    to->file = malloc(length);
    if (to->file)
        snprintf(to->file, length, "file:%s", file);
    ADD(to, "ffmpeg", "-v", "error", "-nostdin", "-y");
    ADD(to, "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", to->size, "-r", to->rate, "-i", "pipe:0", "-an");
    ADD(to, "-threads", to->threads, "-pix_fmt", "yuv420p", "-crf", to->factor);
    if (plan->webm)
        ADD(to, "-c:v", "libvpx-vp9", "-b:v", "0", "-row-mt", "1", "-deadline", "good", "-cpu-used",
            plan->compress ? "1" : "4", "-f", "webm");
    else
        ADD(to, "-c:v", "libx264", "-preset", plan->compress ? "veryslow" : "medium", "-movflags",
            "+faststart", "-f", "mp4");
    ADD(to, to->file);
}

/* What ffmpeg says is worth more than that its pipe was closed. */
static tm_status feed(tm_sys_pipe *run, tm_status (*put)(void *ctx, const tm_output *output, tm_error *error),
                      void *ctx, tm_error *error)
{
    const tm_output output = tm_sys_pipe_output(run);
    const tm_status status = put(ctx, &output, error);
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

static tm_status run_ffmpeg(const video_plan *plan, const char *file,
                            tm_status (*put)(void *ctx, const tm_output *output, tm_error *error), void *ctx,
                            tm_error *error)
{
    arguments with = {.num = 0};
    tm_sys_pipe *run = NULL;
    build_arguments(&with, plan, file);
    tm_status status = with.file ? tm_sys_pipe_begin(&run, with.words, NULL, error) : TM_ERROR_MEMORY;
    if (status == TM_ERROR_NOT_FOUND)
        fail(error, status,
             "videos are made by ffmpeg, which is not installed; a .webp or .gif needs no other program");
    status = status ? status : feed(run, put, ctx, error);
    free(with.file);
    return status;
}

static tm_status check_size(uint64_t *size, const char *file, uint64_t most, tm_error *error)
{
    tm_input input;
    const tm_status status = tm_sys_open_input(&input, file, 0, NULL, error);
    if (status)
        return status;
    *size = input.size;
    input.close(input.ctx);
    return *size <= most ? TM_OK : TM_ERROR_LIMIT;
}

tm_status video_write(uint64_t *size, const video_plan *plan, const char *path, uint64_t most,
                      tm_status (*put)(void *ctx, const tm_output *output, tm_error *error), void *ctx,
                      tm_error *error)
{
    tm_sys_save *save;
    tm_status status = tm_sys_save_begin(&save, path, NULL, error);
    if (status)
        return status;
    const char *file = tm_sys_save_path(save);
    if (!file) {
        tm_sys_save_abort(save);
        return fail(error, TM_ERROR_USAGE, "a video goes to a file, not to a pipe or a device");
    }
    status = run_ffmpeg(plan, file, put, ctx, error);
    status = status ? status : check_size(size, file, most, error);
    if (!status)
        return tm_sys_save_commit(save, error);
    tm_sys_save_abort(save);
    return status;
}
