/* SPDX-License-Identifier: Zlib */
/*
 * gallery_motion.c - the best view of a map in motion, as a small animated WebP. A short period is shown
 * whole; of a longer one, the beginning is shown forwards and backwards, which needs no search for an end.
 */
#include "gallery.h"

#include "moving_picture.h"

/* ms; frames a second; quality of WebP */
enum { LONGEST_LOOP = 6000, LONGEST_WAY = 4000, RATE = 12, QUALITY = 50 };
/* The number of frames that are compared to see whether anything moves. */
enum { TRIES = 6 };

/* Finds the times of a loop; a still picture if nothing moves. */
static tm_status find_motion(moving_picture *m, tm_error *error)
{
    tm_preview_loop_options how = TM_PREVIEW_LOOP_OPTIONS_INIT;
    how.most = LONGEST_WAY;
    how.back = true;
    tm_status status = tm_preview_find_loop(&m->loop, m->picture.renderer, &m->picture.camera, &how, error);
    if (!status && m->loop.kind != TM_PREVIEW_STILL && m->loop.period <= LONGEST_LOOP) {
        how.most = LONGEST_LOOP;
        how.back = false;
        status = tm_preview_find_loop(&m->loop, m->picture.renderer, &m->picture.camera, &how, error);
    }
    m->num = (uint32_t)(m->loop.duration * RATE / 1000) + 1;
    return status;
}

/* Whether a few frames differ: envelopes may only move hidden things, or too little to be seen. */
static tm_status shows_motion(bool *moves, const moving_picture *m, tm_error *error)
{
    const size_t stride = (size_t)m->picture.camera.width * 4, size = stride * m->picture.camera.height;
    uint8_t *first = must_alloc(2, size), *other = first + size;
    tm_status status = moving_draw(m, 0, first, stride, error);
    for (uint32_t i = 1; !status && !*moves && i < TRIES; i++) {
        status = moving_draw(m, (uint32_t)((uint64_t)m->num * i / TRIES), other, stride, error);
        *moves = memcmp(first, other, size) != 0;
    }
    free(first);
    return status;
}

tm_status gallery_animate(bool *moves, const best_picture *best, const char *path, tm_error *error)
{
    const tm_job alone = TM_JOB_INIT;
    moving_picture m = {.picture = best->picture, .format = PICTURE_WEBP, .quality = QUALITY, .job = &alone};
    *moves = false;
    if (!tm_webp_available())
        return TM_OK;
    tm_status status = picture_hint_limit(find_motion(&m, error), error);
    if (status || m.loop.kind == TM_PREVIEW_STILL)
        return status;
    m.picture.camera.pixel_limit = picture_frame_limit(&best->options, &m.picture.camera, m.num);
    status = shows_motion(moves, &m, error);
    if (status || !*moves)
        return status;
    status = gallery_may_write(path, error);
    return status ? status : moving_write(&m, &m, path, error);
}
