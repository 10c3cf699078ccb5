/* SPDX-License-Identifier: Zlib */
/*
 * What nobody would draw: cameras without sense, quads at the ends of the numbers, odd envelopes, images of
 * odd or lying sizes, layers of 100,000 tiles, limits, and memory that runs out. All of it ends soon and
 * cleanly.
 */
#include "support/lib_render.h"

#include <math.h>

#define BLACK 0xFF000000u

static tm_status try_camera(const tm_renderer *renderer, tm_camera camera)
{
    static uint8_t pixels[64 * 64 * 4];
    tm_error error = {.code = TM_OK};
    tm_status status = tm_renderer_draw(
        renderer, &camera, &(tm_rows){pixels, 64 * 4, 0, camera.height < 64 ? camera.height : 64}, &error);
    assert_int_equal(status, error.code);
    assert_true(status == TM_OK || error.text[0]);
    return status;
}

TEST(cameras_without_sense_are_refused)
{
    OWN(tm_map) *map = test_map_of_tiles(3, 3, 2);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const tm_camera good = test_camera(TM_CAMERA_VIEW, 0, 0, 1, 64, 64, 0, NULL);
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
    static const double bad_factors[] = {0, -1, NAN, INFINITY, 1e-300, 1e300, -0.0};
    must(try_camera(renderer, good));
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
    assert_int_equal(tm_renderer_draw(renderer, &good, &(tm_rows){NULL, 64 * 4, 60, 5}, NULL),
                     TM_ERROR_USAGE);
    assert_int_equal(tm_renderer_draw(renderer, &good, &(tm_rows){NULL, 64 * 4, 65, 0}, NULL),
                     TM_ERROR_USAGE);
    assert_int_equal(tm_renderer_draw(renderer, &good, &(tm_rows){NULL, 64 * 4, UINT32_MAX, 2}, NULL),
                     TM_ERROR_USAGE);
    must(tm_renderer_draw(renderer, &good, &(tm_rows){NULL, 64 * 4, 64, 0}, NULL));
}

/* All of these were once "the camera's numbers make no sense". */
TEST(the_number_that_is_wrong_is_named)
{
    OWN(tm_map) *map = test_map_of_tiles(3, 3, 2);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
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
        assert_int_equal(tm_renderer_draw(renderer, &cameras[i], &(tm_rows){pixels, 16, 0, 1}, &error),
                         TM_ERROR_USAGE);
        assert_string_equal(error.text, texts[i]);
    }
}

/* The farthest cameras that are allowed, over everything that can be drawn. */
TEST(far_cameras_end)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    map->groups[1].parallax_x = INT32_MAX, map->groups[1].offset_y = INT32_MIN;
    map->groups[4].parallax_y = INT32_MIN, map->groups[4].offset_x = INT32_MAX;
    map->groups[3].clip_x = INT32_MIN, map->groups[3].clip_w = INT32_MAX;
    map->groups[3].clip_y = INT32_MAX, map->groups[3].clip_h = INT32_MIN;
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    for (int look = TM_CLIENT_DDNET; look <= TM_CLIENT_TEEWORLDS07; look++) {
        options.look = (tm_client)look;
        OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
        static const double places[] = {0, 9e11, -9e11, 123456.789};
        static const double factors[] = {1, 1.1e-6, 9e5, 0.01};
        for (uint32_t i = 0; i < 4 * 4 * 3; i++) {
            const double place = places[i % 4], factor = factors[i / 4 % 4];
            const tm_camera camera =
                test_camera((tm_camera_kind)(i / 16), place, -place, factor, 64, 64, place, NULL);
            must(try_camera(renderer, camera));
        }
    }
}

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
        must(tm_map_insert(map, TM_KIND_ENVELOPE, map->num_envelopes, NULL));
        map->envelopes[map->num_envelopes - 1].channels = e % 2 ? TM_ENVELOPE_POSITION : TM_ENVELOPE_COLOR;
        must(tm_map_set_points(map, map->num_envelopes - 1, points, 3, NULL));
    }
}

TEST(quads_at_the_ends_of_numbers)
{
    enum { NUM = 3000 };
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    FREED tm_quad *quads = malloc(NUM * sizeof(*quads));
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
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    for (int look = TM_CLIENT_DDNET; look <= TM_CLIENT_TEEWORLDS07; look++) {
        options.look = (tm_client)look;
        OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
        static const double factors[] = {1, 30, 1e-5, 9e5};
        for (uint32_t i = 0; i < 8; i++) {
            const tm_camera camera =
                test_camera((tm_camera_kind)(i % 3), 0, 0, factors[i % 4], 33, 21, (double)extremes[i], NULL);
            must(try_camera(renderer, camera));
        }
    }
}

TEST(images_of_odd_sides)
{
    static const uint32_t sides[][2] = {{1, 1},      {1, 65535}, {65535, 1}, {15, 17},
                                        {16, 65536}, {3, 1000},  {4097, 2}};
    for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
        OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
        const size_t size = (size_t)sides[i][0] * (size_t)sides[i][1] * 4;
        FREED uint8_t *pixels = malloc(size);
        assert_non_null(pixels);
        memset(pixels, 0xAB, size);
        for (uint32_t k = 0; k < 2; k++)
            must(tm_map_set_pixels(map, k, pixels, sides[i][0], sides[i][1], NULL));
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        for (int look = TM_CLIENT_DDNET; look <= TM_CLIENT_TEEWORLDS07; look++) {
            options.look = (tm_client)look;
            OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
            must(try_camera(renderer, test_camera(TM_CAMERA_VIEW, 700, 500, 1, 60, 40, 0, NULL)));
            must(try_camera(renderer, test_camera(TM_CAMERA_VIEW, 700, 500, 0.01, 60, 40, 0, NULL)));
            must(try_camera(renderer, test_camera(TM_CAMERA_VIEW, 700, 500, 60, 60, 40, 0, NULL)));
        }
    }
}

/* A size that the data cannot fill takes no memory and counts as no image. */
TEST(images_that_lie)
{
    static const int32_t sides[][2] = {
        {0, 0}, {-1, 5}, {5, INT32_MIN}, {30000, 30000}, {INT32_MAX, INT32_MAX}, {65536, 65536}};
    for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
        OWN(test_memory) memory = TEST_MEMORY(memory);
        OWN(tm_map) *map = test_map_of_tiles(2, 2, 1);
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        OWN(tm_findings) findings = test_findings();
        tm_renderer *renderer;
        options.allocator = &memory.allocator;
        map->images[0].width = sides[i][0], map->images[0].height = sides[i][1];
        const tm_status status = tm_renderer_new(&renderer, map, &options, &findings, NULL);
        assert_true(status == TM_OK || status == TM_ERROR_LIMIT);
        if (status == TM_OK) {
            assert_int_equal(findings.num, 1);
            must(try_camera(renderer, test_camera(TM_CAMERA_FLAT, 0, 0, 0.5, 60, 40, 0, NULL)));
            tm_renderer_free(renderer);
        }
        assert_true(memory.most_bytes < 1 << 20);
    }
}

static tm_status give_too_much(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                               uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    const uint32_t *sides = ctx;
    (void)name, (void)game, (void)allocator;
    *rgba = NULL;
    *width = sides[0], *height = sides[1];
    return TM_ERROR_NOT_FOUND;
}

TEST(providers_that_find_nothing)
{
    uint32_t sides[2] = {1u << 31, 1u << 31};
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_TEEWORLDS06);
    tm_render_options options = {.size = sizeof(options), .provider = give_too_much, .provider_ctx = sides};
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    must(try_camera(renderer, test_camera(TM_CAMERA_VIEW, 700, 500, 1, 60, 40, 0, NULL)));
}

/* Notes the sizes that are asked for, and gives an image that is larger than the budget. */
static tm_status give_large(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                            uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    uint32_t *asked = ctx;
    (void)name, (void)game;
    asked[0] = *width, asked[1] = *height;
    *width = *height = 300;
    *rgba = allocator->resize(allocator->ctx, NULL, 0, 300 * 300 * 4);
    return *rgba ? TM_OK : TM_ERROR_MEMORY;
}

TEST(images_beyond_the_budget_are_freed)
{
    OWN(test_memory) memory = TEST_MEMORY(memory);
    uint32_t asked[2] = {0, 0};
    OWN(tm_map) *map = test_map_of_tiles(4, 4, 4);
    must(tm_map_set_pixels(map, 0, NULL, 64, 64, NULL));
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    options.provider = give_large;
    options.provider_ctx = asked;
    options.allocator = &memory.allocator;
    options.memory_budget = 300 * 300 * 4 - 4;
    tm_renderer *renderer;
    assert_int_equal(tm_renderer_new(&renderer, map, &options, NULL, NULL), TM_ERROR_LIMIT);
    assert_int_equal(asked[0], 64);
    assert_int_equal(asked[1], 64);
}

TEST(wide_layers)
{
    for (uint32_t i = 0; i < 2; i++) {
        OWN(tm_map) *map = i ? test_map_of_tiles(3, 100000, 4) : test_map_of_tiles(100000, 3, 4);
        OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
        must(try_camera(renderer, test_camera(TM_CAMERA_FLAT, 0, 0, 1.0 / 50000, 64, 64, 0, NULL)));
        must(try_camera(renderer, test_camera(TM_CAMERA_FLAT, 3199990, 3199990, 1, 64, 64, 0, NULL)));
        OWN(test_picture) picture =
            test_picture_new(i ? 2 : TM_PICTURE_MAX_SIDE, i ? TM_PICTURE_MAX_SIDE : 2, BLACK);
        const tm_camera whole =
            test_camera(TM_CAMERA_FLAT, 0, 0, 10 / 32.0, picture.width, picture.height, 0, NULL);
        must(tm_renderer_draw(renderer, &whole,
                              &(tm_rows){picture.rgba, (size_t)picture.width * 4, 0, whole.height}, NULL));
    }
}

/* A layer whose tiles cannot be unpacked is said to be and left out; the rest is drawn. */
TEST(broken_layers_are_left_out)
{
    struct test_maker maker = test_maker_begin();
    OWN(tm_buffer) file = test_maker_finish(&maker);
    tm_map *map = test_map_load(&file, TM_MODE_GAME, NULL), *tiles = test_map_of_tiles(40, 40, 1);
    OWN(tm_buffer) saved = test_map_save(tiles, NULL);
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
                                 tm_map_data(&bytes, NULL, map, map->groups[0].layers[0].as.tiles.tiles,
                                             NULL) == TM_ERROR_DAMAGED;
            must(tm_renderer_new(&renderer, map, NULL, &findings, NULL));
            if (damaged) {
                broken++;
                assert_true(test_found(&findings, TM_FINDING_DATA_BROKEN));
                const tm_camera camera = test_camera(TM_CAMERA_FLAT, 0, 0, 0.5, 20, 20, 0, NULL);
                OWN(test_picture) picture = test_draw(renderer, &camera, BLACK);
                for (uint32_t i = 0; i < 400; i++)
                    assert_int_equal(test_picture_at(&picture, i % 20, i / 20), BLACK);
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
}

TEST(limits_hold)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    const tm_camera camera = test_camera(TM_CAMERA_VIEW, 700, 500, 1, 64, 64, 0, NULL);
    const uint64_t enough = 64 * 64 * 80;
    for (uint64_t limit = 1; limit <= 64 * 64 * 4;
         limit = limit * 3 + 1) { /* there are more layers than four */
        options.pixel_limit = limit;
        OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
        assert_int_equal(try_camera(renderer, camera), TM_ERROR_LIMIT);
        assert_int_equal(try_camera(renderer, camera), TM_ERROR_LIMIT); /* each drawing has its own */
    }
    options.pixel_limit = enough;
    tm_renderer *renderer = test_renderer_new(map, &options);
    must(try_camera(renderer, camera));
    tm_renderer_free(renderer);
    options.memory_budget = 100000;
    assert_int_equal(tm_renderer_new(&renderer, map, &options, NULL, NULL), TM_ERROR_LIMIT);
    assert_null(renderer);
}

/* Layers were unpacked one after the other until one was too many: seconds and gigabytes, and then no picture. */
TEST(too_many_layers_are_refused_before_one_is_unpacked)
{
    const tm_limits limits = {.size = sizeof(limits), .unpacked_bytes = 3 * 8 * 8 * sizeof(tm_tile)};
    const tm_mapfile_options options = {sizeof(options), TM_MODE_GAME, &limits, NULL};
    for (uint32_t num = 3; num <= 4; num++) {
        OWN(tm_map) *made = test_map_new(), *map;
        OWN(tm_renderer) *renderer;
        tm_error error;
        must(tm_map_insert(made, TM_KIND_GROUP, 0, NULL));
        for (uint32_t l = 0; l < num; l++)
            must(tm_map_insert_layer(made, 0, l, TM_LAYER_TILES, 8, 8, NULL));
        OWN(tm_buffer) file = test_map_save(made, NULL);
        must(tm_mapfile_load(&map, tm_input_from_memory(file.bytes, file.size), &options, NULL, NULL));
        assert_int_equal(tm_renderer_new(&renderer, map, NULL, NULL, &error),
                         num == 3 ? TM_OK : TM_ERROR_LIMIT);
        for (uint32_t l = 0; l < num; l++)
            assert_true(tm_block_get_info(map->groups[0].layers[l].as.tiles.tiles).unpacked == (num == 3));
    }
}

TEST(memory_may_run_out)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    const tm_camera camera = test_camera(TM_CAMERA_VIEW, 700, 500, 1, 64, 64, 0, NULL);
    EACH_FAILURE(memory) {
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        tm_renderer *renderer;
        options.allocator = &memory.allocator;
        tm_status status = tm_renderer_new(&renderer, map, &options, NULL, NULL);
        if (status == TM_OK) {
            status = try_camera(renderer, camera);
            tm_renderer_free(renderer);
        }
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}
