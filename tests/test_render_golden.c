/* SPDX-License-Identifier: Zlib */
/*
 * Screenshots of the games' own clients against our pictures of the same maps. Skipped without ../shared. A
 * pixel may be far from the screenshot only where an edge runs at most one pixel beside it: rasterisers put
 * edges on a grid of their own.
 */
#define _GNU_SOURCE
#include "support/lib_render.h"

#include <teemap/store.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define GAME_DATA "/usr/share/games/ddnet/data"

struct shot {
    const char *name, *map; /* NULL: that of the game's package */
    uint32_t width, height;
    double x, y; /* tiles */
    double zoom;
    double time;         /* ms */
    uint32_t background; /* alpha, blue, green, red */
};

static const double zoom7 = 1.539602871358016, zoom12 = 0.7499993006250001;

static void load(tm_map **map, const char *shared, const struct shot *shot)
{
    char path[1024];
    tm_error error = {.code = TM_OK};
    if (shot->map)
        snprintf(path, sizeof path, "%s/golden-render/maps/%s.map", shared, shot->map);
    else
        snprintf(path, sizeof path, GAME_DATA "/maps/Tutorial.map");
    if (tm_store_load(map, path, NULL, NULL, &error) != TM_OK)
        fail_msg("%s: %s", path, error.text);
}

static void is_as_the_client_shows_it(void **state)
{
    const struct shot *shot = (const struct shot *)*state;
    const char *shared = getenv("TEEMAP_SHARED");
    char path[1024], folder[] = GAME_DATA "/mapres";
    snprintf(path, sizeof path, "%s/golden-render/%s.png", shared ? shared : "", shot->name);
    if (!shared || access(path, R_OK) != 0 || (!shot->map && access(folder, R_OK) != 0)) {
        print_message("skipped: '%s' or the game's data are not there\n", path);
        skip();
    }
    tm_map *map;
    load(&map, shared, shot);
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    options.provider = test_provide;
    options.provider_ctx = folder;
    tm_renderer *renderer = test_renderer_new(map, &options);
    const tm_camera camera = {.kind = TM_CAMERA_VIEW,
                              .x = shot->x * 32,
                              .y = shot->y * 32,
                              .zoom = shot->zoom,
                              .width = shot->width,
                              .height = shot->height,
                              .time = shot->time};
    struct test_picture ours = test_draw(renderer, &camera, shot->background),
                        theirs = test_picture_from_png(path);
    const struct test_distance far = test_picture_distance(&ours, &theirs);
    print_message(
        "%s: mean error %.3f, %.3f %% of pixels within 2, %u above 8, %u of them far from any edge\n",
        shot->name, far.mean, 100 * far.within2, far.over8, far.stray);
    assert_true(far.mean <= 0.5);
    assert_true(far.within2 >= 0.99);
    if (far.stray)
        fail_msg("the pixel at %u,%u is wrong", far.stray_x, far.stray_y);
    test_picture_release(&ours);
    test_picture_release(&theirs);
    tm_renderer_free(renderer);
    tm_map_free(map);
}

int main(void)
{
    const uint32_t black = 0xFF000000;
    struct shot shots[] = {
        {"t1_1500_40_30_z10", "t1", 1500, 700, 40, 30, 1, 0, black},
        {"t1_1500_40_30_z12", "t1", 1500, 700, 40, 30, zoom12, 0, black},
        {"t2_1500_40_22_z10", "t2", 1500, 700, 40, 22, 1, 0, black},
        {"t3_1280_40_30_z7", "t3", 1280, 720, 40, 30, zoom7, 0, black},
        {"t3_1500_40_30_z10", "t3", 1500, 700, 40, 30, 1, 0, black},
        {"t4_1500_30_20_z10", "t4", 1500, 700, 30, 20, 1, 0, black},
        {"t4_1500_40_30_z10", "t4", 1500, 700, 40, 30, 1, 0, black},
        {"t6_1500_30_20_t11660ms", "t6", 1500, 700, 30, 20, 1, 11660, black},
        {"v7_1500_0", "v7", 1500, 700, 200 / 32.0, 200 / 32.0, 1, 9753, 0xFF00FFFF},
        {"Tutorial_1500_60_40_z10", NULL, 1500, 700, 60, 40, 1, 0, black},
    };
    struct CMUnitTest tests[sizeof shots / sizeof *shots];
    for (size_t i = 0; i < sizeof shots / sizeof *shots; i++)
        tests[i] = (struct CMUnitTest){shots[i].name, is_as_the_client_shows_it, NULL, NULL, &shots[i]};
    return cmocka_run_group_tests_name("render_golden", tests, NULL, NULL);
}
