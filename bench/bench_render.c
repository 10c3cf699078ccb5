/* SPDX-License-Identifier: Zlib */
/*
 * Times drawing alone: bench_render MAP [FOLDER OF IMAGES [WIDTHxHEIGHT]]. One renderer draws 20 views of 1920 x 1080,
 * or that size, at zoom 1, five times; then the same in bands on two threads, which must make the same pixels. The views look at
 * the middles of 5 x 4 equal parts of the game layer, so no part of a map counts more than another.
 *
 * Medians of the rounds: processor time, beside that of a memcpy of the same frame, and for the two threads time
 * by the wall, which says something on an idle machine alone. The memcpy is measured twice: from the frame that
 * was drawn to one other, again and again, as caches like it best; and between frames in turn that no cache holds
 * together. The first is shorter, and what "memcpy" alone means.
 *
 * It sees the public headers only. Any failure ends it with status 2.
 */
#include "images.h"

#include <teemap/teemap.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VIEWS = 20, ROUNDS = 5, BANDS = 8, COLD_FRAMES = 32 }; /* the last take 253 MiB */

static uint32_t width = 1920, height = 1080;
static size_t bytes;

static void try(tm_status status, const tm_error *error)
{
    if (status == TM_OK)
        return;
    fprintf(stderr, "bench_render: %s\n", error->text);
    exit(2);
}

static tm_camera view(const tm_map *map, uint32_t number)
{
    const tm_layer *game = tm_map_find_layer(NULL, NULL, map, TM_LAYER_GAME);
    const double w = game ? game->as.tiles.width : 100, h = game ? game->as.tiles.height : 60;
    return (tm_camera){.size = sizeof(tm_camera),
                       .kind = TM_CAMERA_VIEW,
                       .x = w * 32 * (number % 5 + 0.5) / 5,
                       .y = h * 32 * (number / 5 + 0.5) / 4,
                       .zoom = 1,
                       .width = width,
                       .height = height};
}

struct job {
    const tm_renderer *renderer;
    tm_camera camera;
    uint8_t *pixels;
};

static void draw_band(void *arg, uint32_t band)
{
    const struct job *job = (const struct job *)arg;
    const uint32_t rows = height / BANDS;
    tm_error error;
    memset(job->pixels + (size_t)band * rows * width * 4, 255, (size_t)rows * width * 4);
    try(tm_renderer_draw(
            job->renderer, &job->camera,
            &(tm_rows){job->pixels + (size_t)band * rows * width * 4, (size_t)width * 4, band * rows, rows},
            &error),
        &error);
}

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Seconds by `now` for all views; with a pool in bands on its threads. */
static double draw_views(const tm_renderer *renderer, const tm_map *map, const tm_sys_threads *pool,
                         uint8_t *pixels, uint32_t *crc, double (*now)(void))
{
    double spent = 0;
    *crc = 0;
    for (uint32_t i = 0; i < VIEWS; i++) {
        struct job job = {renderer, view(map, i), pixels};
        const double before = now();
        if (pool) {
            const tm_executor *executor = tm_sys_threads_executor(pool);
            executor->run(executor->ctx, BANDS, draw_band, &job);
        } else {
            tm_error error;
            memset(pixels, 255, bytes);
            try(tm_renderer_draw(renderer, &job.camera, &(tm_rows){pixels, (size_t)width * 4, 0, height},
                                 &error),
                &error);
        }
        spent += now() - before;
        *crc = tm_crc32(*crc, pixels, bytes);
    }
    return spent;
}

static double copy_frames(uint8_t *to, const uint8_t *from)
{
    const double before = processor_seconds();
    for (uint32_t i = 0; i < VIEWS; i++) {
        memcpy(to, from, bytes);
        if (to[i] != from[i])
            exit(2);
    }
    return processor_seconds() - before;
}

/* Half of the frames are copied to the other half. */
static double copy_cold_frames(uint8_t *frames)
{
    const double before = processor_seconds();
    for (uint32_t i = 0; i < VIEWS; i++) {
        uint8_t *to = frames + (size_t)(i % (COLD_FRAMES / 2) * 2) * bytes;
        memcpy(to, to + bytes, bytes);
        if (to[i] != to[i + bytes])
            exit(2);
    }
    return processor_seconds() - before;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double times[ROUNDS])
{
    qsort(times, ROUNDS, sizeof(*times), by_size);
    return times[ROUNDS / 2] / VIEWS * 1000;
}

int main(int argc, char **argv)
{
    static char no_folder[] = ""; /* without images */
    double alone[ROUNDS], walls[ROUNDS], together[ROUNDS], copies[ROUNDS], cold[ROUNDS];
    uint8_t *pixels, *other, *frames;
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    tm_sys_threads *pool;
    tm_renderer *renderer;
    tm_error error;
    tm_map *map;
    if (argc < 2 ||
        (argc > 3 && (sscanf(argv[3], "%" SCNu32 "x%" SCNu32, &width, &height) != 2 || height % BANDS)))
        return 2;
    bytes = (size_t)width * height * 4;
    pixels = malloc(bytes);
    other = malloc(bytes);
    frames = malloc(COLD_FRAMES * bytes);
    if (!pixels || !other || !frames)
        return 2;
    memset(frames, 1, COLD_FRAMES * bytes);
    options.provider = image_of_folder;
    options.provider_ctx = argc > 2 ? argv[2] : no_folder;
    try(tm_store_load(&map, argv[1], NULL, NULL, &error), &error);
    const double before = processor_seconds();
    try(tm_renderer_new(&renderer, map, &options, NULL, &error), &error);
    const double preparing = (processor_seconds() - before) * 1000;
    try(tm_sys_threads_new(&pool, 2, NULL, &error), &error);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t one, two;
        alone[round] = draw_views(renderer, map, NULL, pixels, &one, processor_seconds);
        walls[round] = draw_views(renderer, map, NULL, pixels, &one, tm_sys_seconds);
        together[round] = draw_views(renderer, map, pool, pixels, &two, tm_sys_seconds);
        copies[round] = copy_frames(other, pixels);
        cold[round] = copy_cold_frames(frames);
        if (one != two) {
            fputs("bench_render: two threads draw other pixels\n", stderr);
            return 2;
        }
    }
    const double view_ms = median(alone), copy_ms = median(copies), wall_ms = median(walls),
                 two_ms = median(together), cold_ms = median(cold);
    printf("prepare %.1f ms, a view %.2f ms, memcpy of a frame %.2f ms: a view is %.1f memcpy\n", preparing,
           view_ms, copy_ms, view_ms / copy_ms);
    printf("memcpy between frames that are not cached %.2f ms: a view is %.1f of them\n", cold_ms,
           view_ms / cold_ms);
    printf("by the wall: a view %.2f ms, on two threads %.2f ms: %.2f\n", wall_ms, two_ms, two_ms / wall_ms);
    tm_sys_threads_free(pool);
    tm_renderer_free(renderer);
    tm_map_free(map);
    free(pixels);
    free(other);
    free(frames);
    return 0;
}
