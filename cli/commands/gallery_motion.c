/* SPDX-License-Identifier: Zlib */
/*
 * gallery_motion.c - the best view of a map in motion, as a small animated WebP. Short periods are shown
 * whole; what takes longer goes back and forth, which needs no search.
 */
#include "gallery.h"

#include <teemap/codec.h>

#include <stdlib.h>
#include <string.h>

/* ms; frames a second; quality of WebP */
enum { LONGEST_LOOP = 6000, LONGEST_WAY = 4000, RATE = 12, QUALITY = 50 };
/* Frames that are looked at to see whether anything moves. */
enum { TRIES = 6 };

typedef struct motion {
    picture of; /* one frame after the other */
    tm_preview_loop loop;
    uint32_t num;
    size_t stride;
    uint8_t *pixels; /* of a frame */
} motion;

static tm_status keep_frame_rows(void *ctx, const void *rgba, uint32_t num_rows, size_t stride,
                                 tm_error *error)
{
    uint8_t **to = ctx;
    (void)error;
    memcpy(*to, rgba, num_rows * stride);
    *to += num_rows * stride;
    return TM_OK;
}

static tm_status draw_motion(motion *m, uint32_t index, tm_error *error)
{
    uint8_t *rows = m->pixels;
    const tm_row_sink keep = {&rows, keep_frame_rows};
    m->of.camera.time = tm_preview_loop_time(&m->loop, index, m->num);
    return picture_stream(&m->of, &keep, error);
}

/* The times of a loop; those of a still picture when nothing moves. */
static tm_status find_motion(motion *m, tm_error *error)
{
    tm_preview_loop_options how = TM_PREVIEW_LOOP_OPTIONS_INIT;
    how.most = LONGEST_WAY;
    how.back = true;
    tm_status status = tm_preview_find_loop(&m->loop, m->of.renderer, &m->of.camera, &how, error);
    if (!status && m->loop.kind != TM_PREVIEW_STILL && m->loop.period <= LONGEST_LOOP) {
        how.most = LONGEST_LOOP;
        how.back = false;
        status = tm_preview_find_loop(&m->loop, m->of.renderer, &m->of.camera, &how, error);
    }
    m->num = (uint32_t)(m->loop.duration * RATE / 1000) + 1;
    return status;
}

/* Envelopes may move what is hidden, or move it in steps that nobody sees. */
static tm_status shows_motion(bool *moves, motion *m, tm_error *error)
{
    const size_t size = m->stride * m->of.camera.height;
    uint8_t *first = must_alloc(size, 1);
    *moves = false;
    tm_status status = draw_motion(m, 0, error);
    memcpy(first, m->pixels, size);
    for (uint32_t i = 1; !status && !*moves && i < TRIES; i++) {
        status = draw_motion(m, (uint32_t)((uint64_t)m->num * i / TRIES), error);
        *moves = memcmp(first, m->pixels, size) != 0;
    }
    free(first);
    return status;
}

static tm_status draw_motion_frame(void *ctx, uint32_t index, void *rgba, size_t row_stride, tm_error *error)
{
    motion one = *(const motion *)ctx;
    (void)row_stride; /* frames have no gaps */
    one.pixels = rgba;
    return draw_motion(&one, index, error);
}

static tm_status save_motion(motion *m, const char *path, tm_error *error)
{
    output_file file;
    tm_animation_options how = TM_ANIMATION_OPTIONS_INIT;
    tm_frames frames = TM_FRAMES_INIT;
    how.format = TM_ANIMATION_WEBP;
    how.quality = QUALITY;
    how.opaque = picture_is_opaque(m->of.options);
    frames.width = m->of.camera.width;
    frames.height = m->of.camera.height;
    frames.num = m->num;
    frames.duration = (uint64_t)(m->loop.duration * 1000 + 0.5);
    frames.ctx = m;
    frames.draw = draw_motion_frame;
    TRY(gallery_may_write(path, error));
    tm_status status = output_open(&file, path, error);
    status = status ? status : tm_animation_write(&file.output, &frames, &how, NULL, error);
    return output_close(&file, status, error);
}

tm_status gallery_animate(bool *moves, const best_picture *best, const char *path, tm_error *error)
{
    motion m = {.of = best->picture};
    *moves = false;
    m.of.job = NULL;
    m.stride = (size_t)m.of.camera.width * 4;
    if (!tm_webp_available())
        return TM_OK;
    tm_status status = picture_hint_limit(find_motion(&m, error), error);
    if (status || m.loop.kind == TM_PREVIEW_STILL)
        return status;
    m.of.camera.pixel_limit = picture_frame_limit(&best->options, &m.of.camera, m.num);
    m.pixels = must_alloc(m.of.camera.height, m.stride);
    status = shows_motion(moves, &m, error);
    if (!status && *moves)
        status = save_motion(&m, path, error);
    free(m.pixels);
    return status;
}
