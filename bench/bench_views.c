/* SPDX-License-Identifier: Zlib */
/*
 * Draws many views of one map and writes each as a PNG: bench_views MAP IMAGES FOLDER X,Y... (IMAGES is a
 * folder of external images, X,Y is the centre of a view in tiles). One renderer is kept for all; pictures are
 * 1920 x 1080, on this thread alone, saved as `teemap render` saves them. Two runs, one of them with more
 * views, tell what a further view costs; what it prints is the share of drawing and of the PNG in that.
 *
 * It sees the public headers only. Any failure ends it with status 2.
 */
#include "images.h"

#include <teemap/teemap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 1920, HEIGHT = 1080, STRIDE = WIDTH * 4, TILE = 32 };

static void must(tm_status status, const tm_error *error)
{
    if (status == TM_OK)
        return;
    fprintf(stderr, "bench_views: %s\n", error->text);
    exit(2);
}

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static tm_camera view(const char *centre)
{
    tm_camera camera = {
        .size = sizeof(tm_camera), .kind = TM_CAMERA_VIEW, .zoom = 1, .width = WIDTH, .height = HEIGHT};
    if (sscanf(centre, "%lf,%lf", &camera.x, &camera.y) != 2) {
        fprintf(stderr, "bench_views: '%s' is no X,Y\n", centre);
        exit(2);
    }
    camera.x *= TILE;
    camera.y *= TILE;
    return camera;
}

static void draw(const tm_renderer *renderer, const tm_camera *camera, uint8_t *pixels)
{
    static const uint8_t black[4] = {0, 0, 0, 255};
    tm_error error;
    for (size_t i = 0; i < (size_t)STRIDE * HEIGHT; i += sizeof(black))
        memcpy(pixels + i, black, sizeof(black));
    must(tm_renderer_draw(renderer, camera, &(tm_rows){pixels, STRIDE, 0, HEIGHT}, &error), &error);
}

static void save(const char *folder, int number, const uint8_t *pixels)
{
    char path[1024];
    tm_sys_save *target;
    tm_png_writer *png;
    tm_error error;
    snprintf(path, sizeof(path), "%s/view-%d.png", folder, number);
    must(tm_sys_save_begin(&target, path, NULL, &error), &error);
    const tm_output output = tm_sys_save_output(target);
    tm_png_options options = TM_PNG_OPTIONS_INIT;
    options.opaque = true;
    must(tm_png_writer_new(&png, &output, WIDTH, HEIGHT, &options, &error), &error);
    must(tm_png_writer_rows(png, pixels, HEIGHT, STRIDE, &error), &error);
    must(tm_png_writer_finish(png, &error), &error);
    must(tm_sys_save_commit(target, &error), &error);
}

int main(int argc, char **argv)
{
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    double drawing = 0, saving = 0;
    tm_renderer *renderer;
    tm_error error;
    tm_map *map;
    uint8_t *pixels = malloc((size_t)STRIDE * HEIGHT);
    if (argc < 5 || !pixels) {
        fputs("use: bench_views MAP IMAGES FOLDER X,Y...\n", stderr);
        return 2;
    }
    must(tm_store_load(&map, argv[1], NULL, NULL, &error), &error);
    options.provider = image_of_folder;
    options.provider_ctx = argv[2];
    must(tm_renderer_new(&renderer, map, &options, NULL, &error), &error);
    for (int i = 4; i < argc; i++) {
        const tm_camera camera = view(argv[i]);
        const double before = processor_seconds();
        draw(renderer, &camera, pixels);
        const double between = processor_seconds();
        save(argv[3], i - 4, pixels);
        drawing += between - before;
        saving += processor_seconds() - between;
    }
    printf("views=%d draw=%.6f png=%.6f\n", argc - 4, drawing / (argc - 4), saving / (argc - 4));
    tm_renderer_free(renderer);
    tm_map_free(map);
    free(pixels);
    return 0;
}
