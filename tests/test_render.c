/* SPDX-License-Identifier: Zlib */
/*
 * What must hold of every picture: bands and parts fit together to the last bit, threads do not matter,
 * turned tiles are turned pictures, every compiler makes the same pixels; and small pictures whose colors
 * can be told by hand.
 *
 * test-labels: threads
 */
#include "render/render.h"
#include "support/lib_render.h"

#include <pthread.h>

#define BLACK 0xFF000000u

static tm_camera view(uint32_t width, uint32_t height, double x, double y, double zoom, double time)
{
    return test_camera(TM_CAMERA_VIEW, x * 32, y * 32, zoom, width, height, time, NULL);
}

static tm_camera flat(double x, double y, uint32_t width, uint32_t height, double scale)
{
    return test_camera(TM_CAMERA_FLAT, x, y, scale, width, height, 123, NULL);
}

/* --------------------------------------------------------------------------------------------------- parts */

TEST(bands_make_the_whole)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    float opacities[64];
    for (uint32_t i = 0; i < 64; i++)
        opacities[i] = (float)(i % 5) * 0.25F;
    const tm_camera cameras[] = {view(311, 207, 20, 15, 1, 0), view(150, 220, 3, 30, 3.3, 1234.5),
                                 flat(-100, 30, 240, 200, 0.4),
                                 test_camera(TM_CAMERA_REGION, 50, -90, 0.7, 200, 180, 99, opacities)};
    for (size_t c = 0; c < sizeof(cameras) / sizeof(*cameras); c++) {
        OWN(test_picture) whole = test_draw(renderer, &cameras[c], c % 2 ? 0 : BLACK);
        OWN(test_picture) bands = test_picture_new(whole.width, whole.height, c % 2 ? 0 : BLACK);
        for (uint32_t row = 0, step = 1; row < whole.height; row += step, step = step * 3 % 50) {
            const uint32_t num = step < whole.height - row ? step : whole.height - row;
            must(tm_renderer_draw(
                renderer, &cameras[c],
                &(tm_rows){bands.rgba + (size_t)row * whole.width * 4, (size_t)whole.width * 4, row, num},
                NULL));
        }
        assert_true(test_picture_same(&whole, &bands));
    }
}

static void check_neighbours(const tm_renderer *renderer, double x, double y, double scale)
{
    enum { W = 150, H = 110, LEFT = 61, TOP = 43 };
    const tm_camera whole_camera = flat(x, y, W, H, scale);
    OWN(test_picture) whole = test_draw(renderer, &whole_camera, BLACK);
    OWN(test_picture) parts = test_picture_new(W, H, 0);
    for (uint32_t part = 0; part < 4; part++) {
        const uint32_t i = part % 2 ? LEFT : 0, j = part / 2 ? TOP : 0;
        const tm_camera camera =
            flat(x + i / scale, y + j / scale, part % 2 ? W - LEFT : LEFT, part / 2 ? H - TOP : TOP, scale);
        OWN(test_picture) first = test_draw(renderer, &camera, BLACK);
        for (uint32_t row = 0; row < first.height; row++)
            memcpy(parts.rgba + ((size_t)(j + row) * W + i) * 4, first.rgba + (size_t)row * first.width * 4,
                   (size_t)first.width * 4);
    }
    assert_true(test_picture_same(&whole, &parts));
}

TEST(neighbouring_flat_regions_make_the_whole)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    check_neighbours(renderer, 320, 320, 1);
    check_neighbours(renderer, -64, 960, 8 / 32.0);
    check_neighbours(renderer, 32 * 5, 32 * 3, 7 / 32.0);
    check_neighbours(renderer, 300, 500, 0.3);
    check_neighbours(renderer, 100 / 1.7, 200 / 1.7, 1.7);
    check_neighbours(renderer, 1000, 100, 5);
}

struct drawing {
    const tm_renderer *renderer;
    tm_camera camera;
    struct test_picture picture;
};

static void *draw_some(void *arg)
{
    struct drawing *drawing = arg;
    for (int i = 0; i < 3; i++) {
        if (i)
            test_picture_release(&drawing->picture);
        drawing->picture = test_draw(drawing->renderer, &drawing->camera, BLACK);
    }
    return NULL;
}

TEST(threads_draw_the_same)
{
    enum { NUM = 4 };
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET), *other = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *shared = test_renderer_new(map, NULL), *alone = test_renderer_new(other, NULL);
    struct drawing drawings[NUM];
    pthread_t threads[NUM];
    for (int i = 0; i < NUM; i++)
        drawings[i] = (struct drawing){shared, view(300, 180, 20 + 3 * i, 15, 0.5 + i / 2, 100 * i), {0}};
    for (int i = 0; i < NUM; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, draw_some, &drawings[i]), 0);
    for (int i = 0; i < NUM; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < NUM; i++) {
        struct test_picture picture = test_draw(alone, &drawings[i].camera, BLACK);
        assert_true(test_picture_same(&picture, &drawings[i].picture));
        test_picture_release(&picture);
        test_picture_release(&drawings[i].picture);
    }
}

static uint8_t turn(uint8_t flags) /* a quarter clockwise */
{
    return flags & TM_TILE_ROTATE ? (uint8_t)((flags ^ TM_TILE_FLIP_X ^ TM_TILE_FLIP_Y) & ~TM_TILE_ROTATE)
                                  : flags | TM_TILE_ROTATE;
}

static struct test_picture draw_tile(tm_map *map, uint8_t index, uint8_t flags, uint32_t side)
{
    const tm_tile tile = {.index = index, .flags = flags};
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){0, 0, 1, 1}, &tile, NULL));
    const tm_camera camera = flat(0, 0, side, side, side / 32.0);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    return test_draw(renderer, &camera, BLACK);
}

TEST(turned_flags_turn_the_picture)
{
    OWN(tm_map) *map = test_map_of_tiles(1, 1, 32);
    const uint32_t sides[] = {32, 16, 8, 64};
    for (size_t s = 0; s < 4; s++) {
        for (uint8_t flags = 0; flags < 16; flags++) {
            const uint32_t n = sides[s];
            uint8_t turned = flags;
            OWN(test_picture) first = draw_tile(map, 7, flags, n), current = first;
            for (int quarter = 0; quarter < 4; quarter++) {
                turned = turn(turned);
                struct test_picture next = draw_tile(map, 7, turned, n);
                for (uint32_t y = 0; y < n; y++)
                    for (uint32_t x = 0; x < n; x++)
                        if (test_picture_at(&next, n - 1 - y, x) != test_picture_at(&current, x, y))
                            fail_msg("side %u, flags %u: pixel %u,%u", n, flags, x, y);
                if (quarter > 0)
                    test_picture_release(&current);
                current = next;
            }
            assert_int_equal(turned, flags);
            assert_true(test_picture_same(&first, &current));
        }
    }
}

/* A picture at one texel to a pixel is the image itself. */
TEST(one_to_one_is_the_image)
{
    OWN(tm_map) *map = test_map_of_tiles(1, 1, 32);
    static uint8_t image[512 * 512 * 4];
    must(tm_map_image_pixels(map, &map->images[0], image, sizeof(image), NULL));
    for (uint32_t index = 1; index < 256; index += 5) {
        OWN(test_picture) picture = draw_tile(map, (uint8_t)index, TM_TILE_FLIP_X, 32);
        for (uint32_t i = 0; i < 32 * 32; i++) {
            const uint8_t *texel =
                image + ((index / 16 * 32 + i / 32) * 512 + index % 16 * 32 + 31 - i % 32) * 4;
            for (uint32_t k = 0; k < 3; k++)
                assert_int_equal(picture.rgba[4 * i + k], (2 * texel[k] * texel[3] + 255) / 510);
            assert_int_equal(picture.rgba[4 * i + 3], 255);
        }
    }
}

TEST(border_tiles_go_on)
{
    OWN(tm_map) *small = test_map_of_tiles(3, 2, 8), *large = test_map_of_tiles(7, 6, 8);
    tm_edit_grid target;
    tm_grid source = test_grid(small, &small->groups[0].layers[0]);
    must(tm_map_edit_tiles(&target, large, 0, 0, NULL));
    for (int32_t y = 0; y < 6; y++)
        for (int32_t x = 0; x < 7; x++) {
            const int32_t sx = x < 2 ? 0 : x > 4 ? 2 : x - 2, sy = y < 2 ? 0 : y > 3 ? 1 : y - 2;
            ((tm_tile *)target.tiles)[y * 7 + x] = ((const tm_tile *)source.tiles)[sy * 3 + sx];
        }
    OWN(tm_renderer) *a = test_renderer_new(small, NULL), *b = test_renderer_new(large, NULL);
    const tm_camera of_small = flat(-64, -64, 7 * 20, 6 * 20, 20 / 32.0),
                    of_large = flat(0, 0, 7 * 20, 6 * 20, 20 / 32.0);
    OWN(test_picture) first = test_draw(a, &of_small, 0), other = test_draw(b, &of_large, 0);
    assert_true(test_picture_same(&first, &other));
}

/* -------------------------------------------------------------------------------------------- told by hand */

/*
 * An untextured layer is its color; half clear over black is half as bright, over nothing keeps its color
 * and its alpha.
 */
TEST(plain_layers_have_their_color)
{
    OWN(tm_map) *map = test_map_of_tiles(2, 1, 1);
    tm_tile_layer *layer = &map->groups[0].layers[0].as.tiles;
    const tm_tile tiles[2] = {{.index = 0}, {.index = 9}};
    layer->image = TM_NONE;
    layer->color = (tm_color){200, 100, 50, 128};
    must(tm_map_write_tiles(map, 0, 0, &(tm_rect){0, 0, 2, 1}, tiles, 0, NULL));
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const tm_camera camera = flat(0, 0, 4, 2, 2 / 32.0);
    OWN(test_picture) over_black = test_draw(renderer, &camera, BLACK),
                      alone = test_draw(renderer, &camera, 0);
    for (uint32_t y = 0; y < 2; y++) {
        assert_int_equal(test_picture_at(&over_black, 1, y), BLACK);
        assert_int_equal(test_picture_at(&over_black, 2, y), 0xFF000000u | 25u << 16 | 50u << 8 | 100u);
        assert_int_equal(test_picture_at(&alone, 1, y), 0);
        assert_int_equal(test_picture_at(&alone, 3, y), 128u << 24 | 50u << 16 | 100u << 8 | 200u);
    }
}

/* Two quads that share an edge cover each pixel exactly once: half clear ones show no seam. */
TEST(shared_edges_are_drawn_once)
{
    OWN(tm_map) *map = test_map_of_tiles(1, 1, 1);
    tm_quad quads[2];
    memset(quads, 0, sizeof(quads));
    for (uint32_t i = 0; i < 2; i++) {
        static const tm_point corners[6] = {{-900000, -700000}, {7777, -700000}, {900000, -700000},
                                            {-900000, 700000},  {-5555, 700000}, {900000, 700000}};
        quads[i].points[0] = corners[i], quads[i].points[1] = corners[i + 1];
        quads[i].points[2] = corners[i + 3], quads[i].points[3] = corners[i + 4];
        for (uint32_t k = 0; k < 4; k++)
            quads[i].colors[k] = (tm_color){255, 255, 255, 128};
        quads[i].position_envelope = quads[i].color_envelope = -1;
    }
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL));
    must(tm_map_remove_layer(map, 0, 1, NULL));
    must(tm_map_set_quads(map, 0, 0, quads, 2, NULL));
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const double scales[] = {0.1, 0.37, 1};
    for (size_t s = 0; s < 3; s++) {
        const uint32_t w = (uint32_t)(1600 * scales[s]), h = (uint32_t)(1200 * scales[s]);
        const tm_camera camera = flat(-800, -600, w, h, scales[s]);
        OWN(test_picture) picture = test_draw(renderer, &camera, BLACK);
        for (uint32_t i = 0; i < w * h; i++)
            if (test_picture_at(&picture, i % w, i / w) != 0xFF808080u)
                fail_msg("pixel %u,%u", i % w, i / w);
    }
}

TEST(missing_images_as_asked_for)
{
    OWN(tm_map) *map = test_map_of_tiles(1, 1, 1);
    const tm_tile tile = {.index = 9 + 16 * 9};
    must(tm_map_set_pixels(map, 0, NULL, 0, 0, NULL));
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){0, 0, 1, 1}, &tile, NULL));
    const uint32_t expected[] = {
        [TM_MISSING_CLIENT] = 0xFF00FFFFu, [TM_MISSING_NONE] = 0, [TM_MISSING_WHITE] = 0xFFFFFFFFu};
    for (uint32_t missing = 0; missing < 3; missing++) {
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        OWN(tm_findings) findings = test_findings();
        OWN(tm_renderer) *renderer;
        options.missing = (tm_missing_image)missing;
        must(tm_renderer_new(&renderer, map, &options, &findings, NULL));
        assert_int_equal(findings.num, 1);
        assert_int_equal(findings.list[0].id, TM_FINDING_MISSING_IMAGE);
        const tm_camera camera = flat(0, 0, 3, 3, 3 / 32.0);
        OWN(test_picture) picture = test_draw(renderer, &camera, 0);
        assert_int_equal(test_picture_at(&picture, 1, 1), expected[missing]);
    }
}

TEST(detail_can_be_left_out)
{
    OWN(tm_map) *map = test_map_of_tiles(1, 1, 1);
    const tm_tile tile = {.index = 1};
    map->groups[0].layers[0].detail = true;
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){0, 0, 1, 1}, &tile, NULL));
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    const tm_camera camera = flat(0, 0, 1, 1, 1 / 32.0);
    for (int without = 0; without < 2; without++) {
        options.no_detail = without;
        OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
        OWN(test_picture) picture = test_draw(renderer, &camera, 0);
        assert_int_equal(picture.rgba[3], without ? 0 : 255);
    }
}

/*
 * Pixels do not depend on the machine, the compiler or how it optimises. A change of these numbers is a
 * change of what people see.
 */
TEST(pixels_are_the_same_everywhere)
{
    static const uint32_t expected[] = {0xb3d5a872, 0xbf9c4a6e, 0xc4ea05c1, 0x34ea289b, 0x6220344a};
    bool same = true;
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const tm_camera cameras[] = {view(320, 180, 20, 15, 1, 0), view(300, 300, 25, 20, 2.2, 777),
                                 flat(-50, -60, 300, 200, 0.21), flat(320, 320, 256, 128, 2),
                                 test_camera(TM_CAMERA_REGION, 500, 300, 0.9, 250, 200, 1500, NULL)};
    for (size_t i = 0; i < sizeof(cameras) / sizeof(*cameras); i++) {
        struct test_picture picture = test_draw(renderer, &cameras[i], i % 2 ? 0 : BLACK);
        const uint32_t crc = test_picture_crc(&picture);
        test_picture_release(&picture);
        if (crc != expected[i])
            print_message("picture %zu has the checksum 0x%08x\n", i, crc);
        same &= crc == expected[i];
    }
    assert_true(same);
}

/*
 * What the look of Teeworlds 0.7 has of its own is the same everywhere, too; and it is that of its maps
 * unless told otherwise.
 */
TEST(looks_follow_the_game)
{
    static const tm_game games[] = {TM_GAME_DDNET, TM_GAME_TEEWORLDS06, TM_GAME_TEEWORLDS07};
    static const tm_client looks[] = {TM_CLIENT_DDNET, TM_CLIENT_DDNET, TM_CLIENT_TEEWORLDS07};
    uint32_t crcs[3];
    for (int i = 0; i < 3; i++) {
        OWN(tm_map) *map = test_map_to_draw(games[i]);
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        OWN(tm_renderer) *by_map = test_renderer_new(map, &options);
        options.look = looks[i];
        OWN(tm_renderer) *by_look = test_renderer_new(map, &options);
        const tm_camera camera = view(320, 180, 20, 15, 1.5, 50);
        OWN(test_picture) a = test_draw(by_map, &camera, BLACK), b = test_draw(by_look, &camera, BLACK);
        assert_true(test_picture_same(&a, &b));
        crcs[i] = test_picture_crc(&a);
    }
    assert_int_equal(crcs[0], crcs[1]);
    if (crcs[2] != 0xdeeb976a)
        fail_msg("the picture has the checksum 0x%08x", crcs[2]);
}

/* What the machine at hand does best makes no other pixels than what every machine can do. */
TEST(plain_code_draws_the_same)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const tm_camera cameras[] = {view(320, 180, 20, 15, 1, 0), view(300, 300, 25, 20, 2.2, 777),
                                 flat(320, 320, 256, 128, 2)};
    for (size_t i = 0; i < sizeof(cameras) / sizeof(*cameras); i++) {
        renderer->draw_cell = tmi_choose_draw_cell();
        OWN(test_picture) best = test_draw(renderer, &cameras[i], i % 2 ? 0 : BLACK);
        renderer->draw_cell = tmi_draw_cell_plain;
        OWN(test_picture) plain = test_draw(renderer, &cameras[i], i % 2 ? 0 : BLACK);
        assert_true(test_picture_same(&best, &plain));
    }
}
