/* SPDX-License-Identifier: Zlib */
/*
 * What nobody would draw: cameras without sense, quads at the ends of the numbers, odd envelopes, images of
 * odd or lying sizes, layers of 100,000 tiles, limits, and memory that runs out. All of it ends soon and
 * cleanly.
 */
#define _GNU_SOURCE
#include "support/lib_datafile.h"
#include "support/lib_maps.h"
#include "support/lib_render.h"
#include "support/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLACK 0xFF000000u

static void must(tm_status status)
{
    assert_int_equal(status, TM_OK);
}

/* ------------------------------------------------------------------------------------------------- cameras */

static tm_status try_camera(const tm_renderer *renderer, tm_camera camera)
{
    static uint8_t pixels[64 * 64 * 4];
    tm_error error = {.code = TM_OK};
    tm_status status = tm_renderer_draw(renderer, &camera, 0, camera.height < 64 ? camera.height : 64, pixels,
                                        64 * 4, &error);
    assert_int_equal(status, error.code);
    assert_true(status == TM_OK || error.text[0]);
    return status;
}

static void cameras_without_sense_are_refused(void **state)
{
    (void)state;
    tm_map *map = test_map_of_tiles(3, 3, 2);
    tm_renderer *renderer = test_renderer_new(map, NULL);
    const tm_camera good = {.size = sizeof(tm_camera),
                            .kind = TM_CAMERA_VIEW,
                            .x = 0,
                            .y = 0,
                            .zoom = 1,
                            .scale = 1,
                            .width = 64,
                            .height = 64};
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
    static const double bad_factors[] = {0, -1, NAN, INFINITY, 1e-300, 1e300, -0.0};
    assert_int_equal(try_camera(renderer, good), TM_OK);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        tm_camera x = good, y = good, time = good;
        x.x = y.y = time.time = bad[i];
        assert_int_equal(try_camera(renderer, x), TM_ERROR_USAGE);
        assert_int_equal(try_camera(renderer, y), TM_ERROR_USAGE);
        assert_int_equal(try_camera(renderer, time), TM_ERROR_USAGE);
    }
    for (size_t i = 0; i < sizeof(bad_factors) / sizeof(*bad_factors); i++) {
        tm_camera view = good, region = good, flat = good;
        region.kind = TM_CAMERA_REGION, flat.kind = TM_CAMERA_FLAT;
        view.zoom = region.scale = flat.scale = bad_factors[i];
        assert_int_equal(try_camera(renderer, view), TM_ERROR_USAGE);
        assert_int_equal(try_camera(renderer, region), TM_ERROR_USAGE);
        assert_int_equal(try_camera(renderer, flat), TM_ERROR_USAGE);
    }
    const uint32_t sizes[][2] = {{0, 64}, {64, 0}, {UINT32_MAX, 64}, {64, TM_PICTURE_MAX_SIDE + 1}, {65, 64}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        tm_camera sized = good;
        sized.width = sizes[i][0], sized.height = sizes[i][1];
        assert_int_equal(try_camera(renderer, sized), TM_ERROR_USAGE);
    }
    tm_camera kind = good;
    kind.kind = (tm_camera_kind)4;
    assert_int_equal(try_camera(renderer, kind), TM_ERROR_USAGE);
    assert_int_equal(tm_renderer_draw(renderer, &good, 60, 5, NULL, 64 * 4, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_renderer_draw(renderer, &good, 65, 0, NULL, 64 * 4, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_renderer_draw(renderer, &good, UINT32_MAX, 2, NULL, 64 * 4, NULL), TM_ERROR_USAGE);
    assert_int_equal(tm_renderer_draw(renderer, &good, 64, 0, NULL, 64 * 4, NULL), TM_OK);
    tm_renderer_free(renderer);
    tm_map_free(map);
}

/* All of these were once "the camera's numbers make no sense". */
static void the_number_that_is_wrong_is_named(void **state)
{
    (void)state;
    tm_map *map = test_map_of_tiles(3, 3, 2);
    tm_renderer *renderer = test_renderer_new(map, NULL);
    tm_camera cameras[7];
    static const char *const texts[] = {
        "camera: zoom is 0, allowed are 0.000001 to 1000000",
        "camera: scale is -1.5, allowed are 0.000001 to 1000000",
        "camera: x is no number, allowed are -1000000000000 to 1000000000000",
        "camera: time is above 1e12, allowed are -1000000000000 to 1000000000000",
        "camera: height is 0, allowed are 1 to 1048576 pixels",
        "camera: kind is 7, allowed are 0 to 3",
        "tm_camera.size is 0, set it by TM_CAMERA_INIT",
    };
    for (size_t i = 0; i < 7; i++) {
        cameras[i] = (tm_camera)TM_CAMERA_INIT;
        cameras[i].width = cameras[i].height = 4;
    }
    cameras[0].zoom = 0;
    cameras[1].kind = TM_CAMERA_REGION, cameras[1].scale = -1.5;
    cameras[2].x = NAN;
    cameras[3].time = INFINITY;
    cameras[4].height = 0;
    cameras[5].kind = (tm_camera_kind)7;
    cameras[6] = (tm_camera){.width = 4, .height = 4};
    for (size_t i = 0; i < 7; i++) {
        uint8_t pixels[64];
        tm_error error = {.code = TM_OK};
        assert_int_equal(tm_renderer_draw(renderer, &cameras[i], 0, 1, pixels, 16, &error), TM_ERROR_USAGE);
        assert_string_equal(error.text, texts[i]);
    }
    tm_renderer_free(renderer);
    tm_map_free(map);
}

/* The farthest cameras that are allowed, over everything that can be drawn. */
static void far_cameras_end(void **state)
{
    (void)state;
    tm_map *map = test_map_to_draw(TM_GAME_DDNET);
    map->groups[1].parallax_x = INT32_MAX, map->groups[1].offset_y = INT32_MIN;
    map->groups[4].parallax_y = INT32_MIN, map->groups[4].offset_x = INT32_MAX;
    map->groups[3].clip_x = INT32_MIN, map->groups[3].clip_w = INT32_MAX;
    map->groups[3].clip_y = INT32_MAX, map->groups[3].clip_h = INT32_MIN;
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    for (int look = TM_CLIENT_DDNET; look <= TM_CLIENT_TEEWORLDS07; look++) {
        options.look = (tm_client)look;
        tm_renderer *renderer = test_renderer_new(map, &options);
        static const double places[] = {0, 9e11, -9e11, 123456.789};
        static const double factors[] = {1, 1.1e-6, 9e5, 0.01};
        for (uint32_t i = 0; i < 4 * 4 * 3; i++) {
            const double place = places[i % 4], factor = factors[i / 4 % 4];
            const tm_camera camera = {.size = sizeof(tm_camera),
                                      .kind = (tm_camera_kind)(i / 16),
                                      .x = place,
                                      .y = -place,
                                      .zoom = factor,
                                      .scale = factor,
                                      .width = 64,
                                      .height = 64,
                                      .time = place};
            must(try_camera(renderer, camera));
        }
        tm_renderer_free(renderer);
    }
    tm_map_free(map);
}

/* ---------------------------------------------------------------------------------------- quads, envelopes */

static const int32_t extremes[] = {INT32_MIN,  INT32_MIN + 1, -1,       0, 1, 1024,
                                   0x10000000, INT32_MAX - 1, INT32_MAX};
enum { EXTREMES = 9 };

static void add_odd_envelopes(tm_map *map)
{
    static const int32_t times[][3] = {
        {0, 0, 0},    {5, 5, 5},         {100, 50, 10}, {INT32_MIN, 0, INT32_MAX},
        {-3, -2, -1}, {INT32_MAX, 0, 1}, {0, 1, 1},     {INT32_MIN, INT32_MAX, INT32_MAX}};
    for (uint32_t e = 0; e < 8; e++) {
        tm_envelope_point points[3];
        memset(points, 0, sizeof(points));
        for (uint32_t i = 0; i < 3; i++) {
            points[i].time = times[e][i];
            points[i].curve = i == 1 ? TM_CURVE_BEZIER : extremes[(e + i) % EXTREMES];
            for (uint32_t k = 0; k < 4; k++) {
                points[i].values[k] = extremes[(e + 2 * i + 3 * k) % EXTREMES];
                points[i].in_dx[k] = points[i].out_dy[k] = extremes[(i + k + e) % EXTREMES];
                points[i].out_dx[k] = points[i].in_dy[k] = extremes[(2 * i + k + e) % EXTREMES];
            }
        }
        must(tm_map_insert(map, TM_OBJECT_ENVELOPE, map->num_envelopes, NULL));
        map->envelopes[map->num_envelopes - 1].channels = e % 2 ? TM_ENVELOPE_POSITION : TM_ENVELOPE_COLOR;
        must(tm_map_set_points(map, map->num_envelopes - 1, points, 3, NULL));
    }
}

static void quads_at_the_ends_of_numbers(void **state)
{
    (void)state;
    enum { NUM = 3000 };
    tm_map *map = test_map_to_draw(TM_GAME_DDNET);
    tm_quad *quads = malloc(NUM * sizeof(*quads));
    assert_non_null(quads);
    add_odd_envelopes(map);
    for (uint32_t i = 0; i < NUM; i++) {
        int32_t *numbers = (int32_t *)&quads[i];
        for (uint32_t k = 0; k < sizeof(*quads) / 4; k++)
            numbers[k] = i % 3 && test_noise(i * 64 + k) % 3 ? (int32_t)test_noise(i * 77 + k)
                                                             : extremes[test_noise(i * 99 + k) % EXTREMES];
        if (i % 2) {
            quads[i].position_envelope = (int32_t)(i % 11) - 1;
            quads[i].color_envelope = (int32_t)(i % 13) - 1;
        }
    }
    must(tm_map_set_quads(map, 3, 0, quads, NUM, NULL));
    free(quads);
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    for (int look = TM_CLIENT_DDNET; look <= TM_CLIENT_TEEWORLDS07; look++) {
        options.look = (tm_client)look;
        tm_renderer *renderer = test_renderer_new(map, &options);
        static const double factors[] = {1, 30, 1e-5, 9e5};
        for (uint32_t i = 0; i < 8; i++) {
            const tm_camera camera = {.size = sizeof(tm_camera),
                                      .kind = (tm_camera_kind)(i % 3),
                                      .x = 0,
                                      .y = 0,
                                      .zoom = factors[i % 4],
                                      .scale = factors[i % 4],
                                      .width = 33,
                                      .height = 21,
                                      .time = (double)extremes[i]};
            must(try_camera(renderer, camera));
        }
        tm_renderer_free(renderer);
    }
    tm_map_free(map);
}

/* ------------------------------------------------------------------------------------------ images, layers */

static void images_of_odd_sides(void **state)
{
    (void)state;
    static const uint32_t sides[][2] = {{1, 1},      {1, 65535}, {65535, 1}, {15, 17},
                                        {16, 65536}, {3, 1000},  {4097, 2}};
    for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
        tm_map *map = test_map_to_draw(TM_GAME_DDNET);
        const size_t size = (size_t)sides[i][0] * (size_t)sides[i][1] * 4;
        uint8_t *pixels = malloc(size);
        assert_non_null(pixels);
        memset(pixels, 0xAB, size);
        for (uint32_t k = 0; k < 2; k++)
            must(tm_map_set_pixels(map, k, pixels, sides[i][0], sides[i][1], NULL));
        free(pixels);
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        for (int look = TM_CLIENT_DDNET; look <= TM_CLIENT_TEEWORLDS07; look++) {
            options.look = (tm_client)look;
            tm_renderer *renderer = test_renderer_new(map, &options);
            must(try_camera(renderer, (tm_camera){.size = sizeof(tm_camera),
                                                  .kind = TM_CAMERA_VIEW,
                                                  .x = 700,
                                                  .y = 500,
                                                  .zoom = 1,
                                                  .width = 60,
                                                  .height = 40}));
            must(try_camera(renderer, (tm_camera){.size = sizeof(tm_camera),
                                                  .kind = TM_CAMERA_VIEW,
                                                  .x = 700,
                                                  .y = 500,
                                                  .zoom = 0.01,
                                                  .width = 60,
                                                  .height = 40}));
            must(try_camera(renderer, (tm_camera){.size = sizeof(tm_camera),
                                                  .kind = TM_CAMERA_VIEW,
                                                  .x = 700,
                                                  .y = 500,
                                                  .zoom = 60,
                                                  .width = 60,
                                                  .height = 40}));
            tm_renderer_free(renderer);
        }
        tm_map_free(map);
    }
}

/* A size that the data cannot fill takes no memory and counts as no image. */
static void images_that_lie(void **state)
{
    (void)state;
    static const int32_t sides[][2] = {
        {0, 0}, {-1, 5}, {5, INT32_MIN}, {30000, 30000}, {INT32_MAX, INT32_MAX}, {65536, 65536}};
    for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
        struct test_memory memory;
        test_memory_init(&memory);
        tm_map *map = test_map_of_tiles(2, 2, 1);
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        tm_findings findings;
        tm_renderer *renderer;
        options.allocator = &memory.allocator;
        map->images[0].width = sides[i][0], map->images[0].height = sides[i][1];
        tm_findings_init(&findings, 0, NULL);
        const tm_status status = tm_renderer_new(&renderer, map, &options, &findings, NULL);
        assert_true(status == TM_OK || status == TM_ERROR_LIMIT);
        if (status == TM_OK) {
            assert_int_equal(findings.num, 1);
            must(try_camera(renderer, (tm_camera){.size = sizeof(tm_camera),
                                                  .kind = TM_CAMERA_FLAT,
                                                  .x = 0,
                                                  .y = 0,
                                                  .scale = 0.5,
                                                  .width = 60,
                                                  .height = 40}));
            tm_renderer_free(renderer);
        }
        assert_true(memory.most_bytes < 1 << 20);
        assert_int_equal(memory.num_blocks, 0);
        tm_findings_release(&findings);
        tm_map_free(map);
    }
}

static tm_status give_too_much(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                               uint8_t **rgba, uint32_t *width, uint32_t *height)
{
    const uint32_t *sides = ctx;
    (void)name, (void)game, (void)allocator;
    *rgba = NULL;
    *width = sides[0], *height = sides[1];
    return TM_ERROR_NOT_FOUND;
}

static void providers_that_find_nothing(void **state)
{
    (void)state;
    uint32_t sides[2] = {1u << 31, 1u << 31};
    tm_map *map = test_map_to_draw(TM_GAME_TEEWORLDS06);
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    options.provider = give_too_much;
    options.provider_ctx = sides;
    tm_renderer *renderer = test_renderer_new(map, &options);
    must(try_camera(renderer, (tm_camera){.size = sizeof(tm_camera),
                                          .kind = TM_CAMERA_VIEW,
                                          .x = 700,
                                          .y = 500,
                                          .zoom = 1,
                                          .width = 60,
                                          .height = 40}));
    tm_renderer_free(renderer);
    tm_map_free(map);
}

/* Notes the sizes that are asked for, and gives an image that is larger than the budget. */
static tm_status give_large(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                            uint8_t **rgba, uint32_t *width, uint32_t *height)
{
    uint32_t *asked = ctx;
    (void)name, (void)game;
    asked[0] = *width, asked[1] = *height;
    *width = *height = 300;
    *rgba = allocator->resize(allocator->ctx, NULL, 0, 300 * 300 * 4);
    return *rgba ? TM_OK : TM_ERROR_MEMORY;
}

static void images_beyond_the_budget_are_freed(void **state)
{
    (void)state;
    struct test_memory memory;
    uint32_t asked[2] = {0, 0};
    tm_map *map = test_map_of_tiles(4, 4, 4);
    must(tm_map_set_pixels(map, 0, NULL, 64, 64, NULL));
    test_memory_init(&memory);
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    options.provider = give_large;
    options.provider_ctx = asked;
    options.allocator = &memory.allocator;
    options.memory_budget = 300 * 300 * 4 - 4;
    tm_renderer *renderer;
    assert_int_equal(tm_renderer_new(&renderer, map, &options, NULL, NULL), TM_ERROR_LIMIT);
    assert_int_equal(asked[0], 64);
    assert_int_equal(asked[1], 64);
    assert_int_equal(memory.num_blocks, 0);
    tm_map_free(map);
}

static void wide_layers(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        tm_map *map = i ? test_map_of_tiles(3, 100000, 4) : test_map_of_tiles(100000, 3, 4);
        tm_renderer *renderer = test_renderer_new(map, NULL);
        must(try_camera(renderer, (tm_camera){.size = sizeof(tm_camera),
                                              .kind = TM_CAMERA_FLAT,
                                              .x = 0,
                                              .y = 0,
                                              .scale = 1.0 / 50000,
                                              .width = 64,
                                              .height = 64}));
        must(try_camera(renderer, (tm_camera){.size = sizeof(tm_camera),
                                              .kind = TM_CAMERA_FLAT,
                                              .x = 3199990,
                                              .y = 3199990,
                                              .scale = 1,
                                              .width = 64,
                                              .height = 64}));
        struct test_picture picture =
            test_picture_new(i ? 2 : TM_PICTURE_MAX_SIDE, i ? TM_PICTURE_MAX_SIDE : 2, BLACK);
        const tm_camera whole = {.size = sizeof(tm_camera),
                                 .kind = TM_CAMERA_FLAT,
                                 .x = 0,
                                 .y = 0,
                                 .scale = 10 / 32.0,
                                 .width = picture.width,
                                 .height = picture.height};
        must(tm_renderer_draw(renderer, &whole, 0, whole.height, picture.rgba, (size_t)picture.width * 4,
                              NULL));
        test_picture_release(&picture);
        tm_renderer_free(renderer);
        tm_map_free(map);
    }
}

/* A layer whose tiles cannot be unpacked is said to be and left out; the rest is drawn. */
static void broken_layers_are_left_out(void **state)
{
    (void)state;
    struct test_maker maker;
    test_maker_init(&maker);
    test_maker_start(&maker);
    tm_buffer file = test_maker_finish(&maker);
    tm_map *map = test_map_load(&file, TM_MODE_GAME, NULL), *tiles = test_map_of_tiles(40, 40, 1);
    tm_buffer saved = test_map_save(tiles, NULL);
    tm_findings findings;
    tm_renderer *renderer;
    uint32_t broken = 0;
    tm_map_free(map);
    for (size_t at = saved.size / 2; at + 16 < saved.size && !broken; at++) {
        for (size_t i = 0; i < 16; i++)
            saved.bytes[at + i] ^= 0xFF;
        if (test_map_try(&map, &saved, TM_MODE_GAME, NULL, NULL) == TM_OK) {
            const void *bytes;
            tm_findings_init(&findings, 0, NULL);
            const bool damaged = map->num_groups == 1 && map->groups[0].num_layers == 1 &&
                                 tm_map_data(map, map->groups[0].layers[0].as.tiles.tiles, &bytes, NULL,
                                             NULL) == TM_ERROR_DAMAGED;
            must(tm_renderer_new(&renderer, map, NULL, &findings, NULL));
            if (damaged) {
                broken++;
                assert_true(test_found(&findings, TM_FINDING_DATA_BROKEN));
                const tm_camera camera = {.size = sizeof(tm_camera),
                                          .kind = TM_CAMERA_FLAT,
                                          .x = 0,
                                          .y = 0,
                                          .scale = 0.5,
                                          .width = 20,
                                          .height = 20};
                struct test_picture picture = test_draw(renderer, &camera, BLACK);
                for (uint32_t i = 0; i < 400; i++)
                    assert_int_equal(test_picture_at(&picture, i % 20, i / 20), BLACK);
                test_picture_release(&picture);
            }
            tm_renderer_free(renderer);
            tm_findings_release(&findings);
            tm_map_free(map);
        }
        for (size_t i = 0; i < 16; i++)
            saved.bytes[at + i] ^= 0xFF;
    }
    assert_int_equal(broken, 1);
    tm_map_free(tiles);
    tm_buffer_release(&saved);
    tm_buffer_release(&file);
}

/* ------------------------------------------------------------------------------------------ limits, memory */

static void limits_hold(void **state)
{
    (void)state;
    tm_map *map = test_map_to_draw(TM_GAME_DDNET);
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    const tm_camera camera = {.size = sizeof(tm_camera),
                              .kind = TM_CAMERA_VIEW,
                              .x = 700,
                              .y = 500,
                              .zoom = 1,
                              .width = 64,
                              .height = 64};
    const uint64_t enough = 64 * 64 * 80;
    for (uint64_t limit = 1; limit <= 64 * 64 * 4;
         limit = limit * 3 + 1) { /* there are more layers than four */
        options.pixel_limit = limit;
        tm_renderer *renderer = test_renderer_new(map, &options);
        assert_int_equal(try_camera(renderer, camera), TM_ERROR_LIMIT);
        assert_int_equal(try_camera(renderer, camera), TM_ERROR_LIMIT); /* each drawing has its own */
        tm_renderer_free(renderer);
    }
    options.pixel_limit = enough;
    tm_renderer *renderer = test_renderer_new(map, &options);
    must(try_camera(renderer, camera));
    tm_renderer_free(renderer);
    options.memory_budget = 100000;
    assert_int_equal(tm_renderer_new(&renderer, map, &options, NULL, NULL), TM_ERROR_LIMIT);
    assert_null(renderer);
    tm_map_free(map);
}

/* Layers were unpacked one after the other until one was too many: seconds and gigabytes, and then no picture. */
static void too_many_layers_are_refused_before_one_is_unpacked(void **state)
{
    (void)state;
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = 3 * 8 * 8 * sizeof(tm_tile)};
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, &limits, NULL};
    for (uint32_t num = 3; num <= 4; num++) {
        tm_map *made, *map;
        tm_renderer *renderer;
        tm_error error;
        must(tm_map_new(&made, NULL, NULL));
        must(tm_map_insert(made, TM_OBJECT_GROUP, 0, NULL));
        for (uint32_t l = 0; l < num; l++)
            must(tm_map_insert_layer(made, 0, l, TM_LAYER_TILES, 8, 8, NULL));
        tm_buffer file = test_map_save(made, NULL);
        must(tm_mapfile_load(&map, tm_input_from_memory(file.bytes, file.size), &options, NULL, NULL));
        assert_int_equal(tm_renderer_new(&renderer, map, NULL, NULL, &error),
                         num == 3 ? TM_OK : TM_ERROR_LIMIT);
        for (uint32_t l = 0; l < num; l++)
            assert_true(tm_block_get_info(map->groups[0].layers[l].as.tiles.tiles).unpacked == (num == 3));
        tm_renderer_free(renderer);
        tm_map_free(map);
        tm_buffer_release(&file);
        tm_map_free(made);
    }
}

static void memory_may_run_out(void **state)
{
    (void)state;
    tm_map *map = test_map_to_draw(TM_GAME_DDNET);
    const tm_camera camera = {.size = sizeof(tm_camera),
                              .kind = TM_CAMERA_VIEW,
                              .x = 700,
                              .y = 500,
                              .zoom = 1,
                              .width = 64,
                              .height = 64};
    for (size_t n = 1;; n++) {
        struct test_memory memory;
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        tm_renderer *renderer;
        test_memory_init(&memory);
        memory.fail_at = n;
        options.allocator = &memory.allocator;
        tm_status status = tm_renderer_new(&renderer, map, &options, NULL, NULL);
        if (status == TM_OK) {
            status = try_camera(renderer, camera);
            tm_renderer_free(renderer);
        }
        assert_int_equal(memory.num_blocks, 0);
        if (!memory.failed)
            break;
        assert_int_equal(status, TM_ERROR_MEMORY);
    }
    tm_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cameras_without_sense_are_refused),
        cmocka_unit_test(the_number_that_is_wrong_is_named),
        cmocka_unit_test(far_cameras_end),
        cmocka_unit_test(quads_at_the_ends_of_numbers),
        cmocka_unit_test(images_of_odd_sides),
        cmocka_unit_test(images_that_lie),
        cmocka_unit_test(providers_that_find_nothing),
        cmocka_unit_test(images_beyond_the_budget_are_freed),
        cmocka_unit_test(wide_layers),
        cmocka_unit_test(broken_layers_are_left_out),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(too_many_layers_are_refused_before_one_is_unpacked),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("render_hostile", tests, NULL, NULL);
}
