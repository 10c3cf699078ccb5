/* SPDX-License-Identifier: Zlib */
/*
 * Screenshots of the games' own clients against our pictures of the same maps: those of tests/golden, and
 * those of ../shared where it is. A pixel may be far from the screenshot only where an edge runs at most one
 * pixel beside it: rasterisers put edges on a grid of their own.
 */
#include "support/lib_games.h"
#include "support/lib_render.h"
#include "support/sha256.h"

#include <unistd.h>

struct shot {
    enum { SHARED, TUTORIAL, OWN } from;
    const char *name, *map;
    uint32_t width, height;
    double x, y; /* tiles */
    int level;   /* DDNet's, 10 shows as much as the game does */
    double time; /* ms */
};

/* Whether a map is DDNet's Tutorial as in the release that made the screenshot, 16.4; later ones changed it. */
static bool is_old_tutorial(const char *path)
{
    char hash[65];
    tm_input input;
    must(tm_sys_open_input(&input, path, 0, NULL, NULL));
    must(tm_input_load(&input, NULL, NULL));
    test_sha256(hash, input.memory, (size_t)input.size);
    if (input.close)
        input.close(input.ctx);
    return strcmp(hash, "0dafbba301084aebbf439575e36a44bfb65a4f15e606e9eec3814e2e0e28d953") == 0;
}

/* False if what a shot needs is not there; ours always is. */
static bool find_shot(const struct shot *shot, char picture[1024], char map[1024])
{
    const char *shared = getenv("TEEMAP_SHARED"), *source = getenv("TEEMAP_SOURCE");
    if (shot->from == OWN) {
        snprintf(picture, 1024, "%s/tests/golden/%s.png", source ? source : ".", shot->name);
        snprintf(map, 1024, "%s/tests/golden/maps/%s.map", source ? source : ".", shot->map);
        return true;
    }
    snprintf(picture, 1024, "%s/golden-render/%s.png", shared ? shared : "", shot->name);
    snprintf(map, 1024, "%s/golden-render/maps/%s.map", shared ? shared : "", shot->map);
    if (shot->from == TUTORIAL) {
        char name[64];
        snprintf(name, sizeof(name), "maps/%s.map", shot->map);
        if (!test_game_file(map, "ddnet", name) || !is_old_tutorial(map))
            return false;
    }
    return shared && access(picture, R_OK) == 0 && access(map, R_OK) == 0;
}

static double zoom_of(int level)
{
    const double step = 0.866025;
    double zoom = 1;
    for (; level < 10; level++)
        zoom /= step;
    for (; level > 10; level--)
        zoom *= step;
    return zoom;
}

static void copy_part(struct test_picture *target, const struct test_picture *source, double left, double top,
                      double right, double bottom)
{
    for (uint32_t y = 0; y < target->height; y++)
        for (uint32_t x = 0; x < target->width; x++)
            if (x + 0.5 > left && x + 0.5 < right && y + 0.5 > top && y + 0.5 < bottom)
                memcpy(target->rgba + ((size_t)y * target->width + x) * 4,
                       source->rgba + ((size_t)y * target->width + x) * 4, 4);
}

/*
 * DDNet 16.4, which made the screenshots, does not round the edges of clips as we and its successors do: pixels
 * beside them are not compared.
 */
static void forget_clips(struct test_picture *ours, const struct test_picture *theirs, const tm_map *map,
                         const tm_camera *camera)
{
    double w, h;
    tm_camera_view_size(&w, &h, camera->width, camera->height);
    const double scale = camera->width / (w * camera->zoom);
    for (uint32_t g = 0; g < map->num_groups && map->game != TM_GAME_TEEWORLDS07; g++) {
        const tm_group *group = &map->groups[g];
        if (!group->use_clipping)
            continue;
        const double left = (group->clip_x - camera->x) * scale + camera->width / 2.0,
                     top = (group->clip_y - camera->y) * scale + camera->height / 2.0,
                     right = left + group->clip_w * scale, bottom = top + group->clip_h * scale;
        copy_part(ours, theirs, left - 1, top - 1, left + 1, bottom + 1);
        copy_part(ours, theirs, right - 1, top - 1, right + 1, bottom + 1);
        copy_part(ours, theirs, left - 1, top - 1, right + 1, top + 1);
        copy_part(ours, theirs, left - 1, bottom - 1, right + 1, bottom + 1);
    }
}

static void is_as_the_client_shows_it(void **state)
{
    const struct shot *shot = (const struct shot *)*state;
    const uint32_t black = 0xFF000000, yellow = 0xFF00FFFF;
    char picture[1024], path[1024], folder[TEST_GAME_PATH];
    (void)test_game_file(folder, "ddnet", "mapres");
    if (!find_shot(shot, picture, path)) {
        print_message("skipped: '%s' or '%s' is not there\n", picture, path);
        skip();
    }
    OWN(tm_map) *map;
    tm_error error = {.code = TM_OK};
    if (tm_store_load(&map, path, NULL, NULL, &error) != TM_OK)
        fail_msg("%s: %s", path, error.text);
    tm_render_options options = {.size = sizeof(options), .provider = test_provide, .provider_ctx = folder};
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    const tm_camera camera = test_camera(TM_CAMERA_VIEW, shot->x * 32, shot->y * 32, zoom_of(shot->level),
                                         shot->width, shot->height, shot->time, NULL);
    OWN(test_picture) ours = test_draw(renderer, &camera, map->game == TM_GAME_TEEWORLDS07 ? yellow : black),
                      theirs = test_picture_from_png(picture);
    forget_clips(&ours, &theirs, map, &camera);
    const struct test_distance large_distance = test_picture_distance(&ours, &theirs);
    print_message(
        "%s: mean error %.3f, %.3f %% of pixels within 2, %u above 8, %u of them far from any edge\n",
        shot->name, large_distance.mean, 100 * large_distance.within2, large_distance.over8,
        large_distance.stray);
    /* What the README says: up to 0.31 in the mean, 99.9 % within 2. */
    assert_true(large_distance.mean <= 0.315);
    assert_true(large_distance.within2 >= 0.999);
    if (large_distance.stray)
        fail_msg("the pixel at %u,%u is wrong", large_distance.stray_x, large_distance.stray_y);
}

int main(void)
{
    const double corner = 24.75; /* tiles; where Teeworlds' camera stops in our maps */
    struct shot shots[] = {
        {SHARED, "t1_1500_40_30_z10", "t1", 1500, 700, 40, 30, 10, 0},
        {SHARED, "t1_1500_40_30_z12", "t1", 1500, 700, 40, 30, 12, 0},
        {SHARED, "t2_1500_40_22_z10", "t2", 1500, 700, 40, 22, 10, 0},
        {SHARED, "t3_1280_40_30_z7", "t3", 1280, 720, 40, 30, 7, 0},
        {SHARED, "t3_1500_40_30_z10", "t3", 1500, 700, 40, 30, 10, 0},
        {SHARED, "t4_1500_30_20_z10", "t4", 1500, 700, 30, 20, 10, 0},
        {SHARED, "t4_1500_40_30_z10", "t4", 1500, 700, 40, 30, 10, 0},
        {SHARED, "t6_1500_30_20_t11660ms", "t6", 1500, 700, 30, 20, 10, 11660},
        {SHARED, "v7_1500_0", "v7", 1500, 700, 200 / 32.0, 200 / 32.0, 10, 9753},
        {TUTORIAL, "Tutorial_1500_60_40_z10", "Tutorial", 1500, 700, 60, 40, 10, 0},
        {OWN, "parallax", "parallax", 360, 225, 25, 25, 10, 0},
        {OWN, "parallax_left", "parallax", 360, 225, 9, 22, 11, 0},
        {OWN, "parallax_tall", "parallax", 300, 240, 25, 25, 10, 0},
        {OWN, "parallax_wide", "parallax", 480, 160, 23, 27, 12, 0},
        {OWN, "parallax_far", "parallax", 320, 240, 30, 20, 7, 0},
        {OWN, "quads", "quads", 480, 300, 25, 25, 10, 0},
        {OWN, "quads_near", "quads", 400, 250, 16, 17, 14, 0},
        {OWN, "tiles", "tiles", 400, 250, 25, 25, 10, 0},
        {OWN, "tiles_far", "tiles", 400, 250, 25, 25, 5, 0},
        {OWN, "moving", "moving", 480, 300, 25, 25, 10, 8220.95},
        {OWN, "parallax7", "parallax7", 320, 240, corner, corner, 10, 0},
        {OWN, "parallax7_wide", "parallax7", 480, 160, corner, corner, 10, 0},
        {OWN, "quads7", "quads7", 480, 300, corner, corner, 10, 0},
        {OWN, "tiles7", "tiles7", 400, 250, corner, corner, 10, 0},
        {OWN, "moving7", "moving7", 480, 300, corner, corner, 10, 11394.19},
        {OWN, "moving7_later", "moving7", 480, 300, corner, corner, 10, 3914.3},
    };
    struct CMUnitTest tests[sizeof(shots) / sizeof(*shots)];
    for (size_t i = 0; i < sizeof(shots) / sizeof(*shots); i++)
        tests[i] = (struct CMUnitTest){shots[i].name, is_as_the_client_shows_it, NULL, NULL, &shots[i]};
    return cmocka_run_group_tests_name("render_golden", tests, NULL, NULL);
}
