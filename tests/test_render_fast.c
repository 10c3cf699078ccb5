/* SPDX-License-Identifier: Zlib */
/*
 * Whatever makes drawing fast makes no other pixels: the code for this machine against that for all
 * machines, at all scales, over opaque, clear and half clear pictures; and tiles that are drawn together
 * against the same ones drawn one by one.
 */
#include "render/render.h"
#include "support/lib_render.h"

static const uint32_t backgrounds[] = {0xFF204060, 0, 0x80FF0040};
static const double scales[] = {0.04, 0.13, 0.25, 0.5, 0.77, 1, 1.34375, 2, 5.3, 31};

static tm_camera flat(double x, double y, uint32_t width, uint32_t height, double scale)
{
    return test_camera(TM_CAMERA_FLAT, x, y, scale, width, height, 123, NULL);
}

static struct test_picture draw(tm_renderer *renderer, const tm_camera *camera, uint32_t background,
                                bool plain)
{
    renderer->draw_cell = plain ? tmi_draw_cell_plain : tmi_choose_draw_cell();
    renderer->draw_span = plain ? tmi_draw_span_plain : tmi_choose_draw_span();
    return test_draw(renderer, camera, background);
}

TEST(plain_code_draws_the_same)
{
    static const tm_game games[] = {TM_GAME_DDNET, TM_GAME_TEEWORLDS07};
    for (size_t g = 0; g < 2; g++) {
        OWN(tm_map) *map = test_map_to_draw(games[g]);
        OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
        for (size_t i = 0; i < 3 * sizeof(scales) / sizeof(*scales); i++) {
            const tm_camera camera = flat(333, 222, 203, 117, scales[i / 3]);
            OWN(test_picture) best = draw(renderer, &camera, backgrounds[i % 3], false),
                              plain = draw(renderer, &camera, backgrounds[i % 3], true);
            if (!test_picture_same(&best, &plain))
                fail_msg("scale %g, background %08x", scales[i / 3], backgrounds[i % 3]);
        }
    }
}

/* The slices 1 and 2 are alike, and so are 3 and 4, which are opaque. */
static void make_slices_alike(tm_map *map, uint32_t side)
{
    const size_t width = (size_t)16 * side, size = width * width * 4;
    FREED uint8_t *rgba = malloc(size);
    assert_non_null(rgba);
    must(tm_map_image_pixels(map, &map->images[0], rgba, size, NULL));
    for (size_t y = 0; y < side; y++) {
        uint8_t *row = rgba + y * width * 4;
        for (size_t x = 3 * side; x < (size_t)4 * side; x++)
            row[4 * x + 3] = 255;
        for (size_t slice = 1; slice <= 3; slice += 2)
            memcpy(row + (slice + 1) * side * 4, row + slice * side * 4, (size_t)side * 4);
    }
    must(tm_map_set_pixels(map, 0, rgba, 16 * side, 16 * side, NULL));
}

enum { COLUMNS = 9, ROWS = 32 };

/* A row for each of the 16 flags and two indices; alternating indices keep neighbours apart. */
static void fill_rows(tm_map *map, bool alternating)
{
    tm_tile tiles[ROWS][COLUMNS];
    memset(tiles, 0, sizeof(tiles));
    for (uint32_t y = 0; y < ROWS; y++)
        for (uint32_t x = 0; x < COLUMNS; x++) {
            tiles[y][x].index = (uint8_t)(1 + y / 16 * 2 + (alternating && x % 2));
            tiles[y][x].flags = (uint8_t)(y % 16);
        }
    tiles[5][4].index = tiles[21][0].index = tiles[21][3].index = 0;
    must(tm_map_write_tiles(map, 0, 0, &(tm_rect){0, 0, COLUMNS, ROWS}, tiles, 0, NULL));
}

static struct test_picture draw_rows(tm_map *map, tm_client look, bool alternating, const tm_camera *camera,
                                     uint32_t background, bool plain)
{
    tm_render_options options = {.size = sizeof(options), .look = look};
    fill_rows(map, alternating);
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    return draw(renderer, camera, background, plain);
}

TEST(tiles_alike_are_drawn_as_one_by_one)
{
    OWN(tm_map) *map = test_map_of_tiles(COLUMNS, ROWS, 24);
    make_slices_alike(map, 24);
    for (size_t i = 0; i < 4 * 3 * sizeof(scales) / sizeof(*scales); i++) {
        const tm_client look = i % 2 ? TM_CLIENT_DDNET : TM_CLIENT_TEEWORLDS07;
        const bool plain = i / 2 % 2;
        const uint32_t background = backgrounds[i / 4 % 3];
        const tm_camera camera = flat(-40, -20, 353, 227, scales[i / 12]);
        OWN(test_picture) joined = draw_rows(map, look, false, &camera, background, plain),
                          separate = draw_rows(map, look, true, &camera, background, plain);
        if (!test_picture_same(&joined, &separate))
            fail_msg("look %u, scale %g, background %08x", (unsigned)look, camera.scale, background);
    }
}

/* An image that is clear, opaque and half clear in parts, with sides of any kind. */
static void set_image(tm_map *map, uint32_t width, uint32_t height)
{
    FREED uint8_t *rgba = malloc((size_t)width * height * 4);
    assert_non_null(rgba);
    for (uint32_t i = 0; i < width * height; i++) {
        const uint32_t noise = test_noise(i), part = i % width * 4 / width;
        for (uint32_t k = 0; k < 3; k++)
            rgba[4 * i + k] = (uint8_t)(noise >> 8 * k);
        rgba[4 * i + 3] = (uint8_t)(part == 0 ? 0 : part == 1 ? 255 : noise >> 24);
    }
    must(tm_map_set_pixels(map, 0, rgba, width, height, NULL));
}

/* Upright and slanted, of one color, two and four, with textures that repeat, run backwards or lie across. */
static void fill_quads(tm_quad *quads, uint32_t num)
{
    memset(quads, 0, num * sizeof(*quads));
    for (uint32_t i = 0; i < num; i++) {
        const int32_t left = (int32_t)(test_noise(3 * i) % 200000),
                      top = (int32_t)(test_noise(3 * i + 1) % 200000);
        const int32_t reach = (int32_t)(1 + test_noise(3 * i + 2) % 5) * 1024 - 1500;
        for (uint32_t k = 0; k < 4; k++) {
            const int32_t slant = i % 3 == 0 ? (int32_t)(test_noise(40 * i + k) % 70000) : 0;
            const bool right = k % 2, bottom = k / 2, across = i % 5 == 0;
            const uint32_t colors = i % 4 == 0 ? 1 : i % 4 == 1 ? bottom : i % 4 == 2 ? right : k;
            const uint32_t noise = test_noise(7 * i + colors) | (i % 7 < 3 ? 0xFF000000 : 0);
            quads[i].points[k] = (tm_point){left + right * 90000 + slant, top + bottom * 80000 - slant};
            quads[i].colors[k] = (tm_color){(uint8_t)noise, (uint8_t)(noise >> 8), (uint8_t)(noise >> 16),
                                            (int32_t)(noise >> 24)};
            quads[i].texture[k] =
                (tm_point){(across ? bottom : right) * reach, (across ? right : bottom) * reach};
        }
        quads[i].position_envelope = quads[i].color_envelope = -1;
    }
}

TEST(quads_are_drawn_as_by_plain_code)
{
    enum { NUM = 90 };
    static const uint32_t sides[][2] = {{64, 64}, {37, 90}, {1, 300}, {512, 3}};
    static tm_quad quads[NUM];
    fill_quads(quads, NUM);
    OWN(tm_map) *map = test_map_of_tiles(1, 1, 1);
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL));
    must(tm_map_set_quads(map, 0, 0, quads, NUM, NULL));
    for (size_t i = 0; i < 2 * 5 * 3; i++) {
        const size_t kind = i % 5;
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        options.look = i < 15 ? TM_CLIENT_DDNET : TM_CLIENT_TEEWORLDS07;
        map->groups[0].layers[0].as.quads.image = kind < 4 ? 0 : TM_NONE;
        set_image(map, sides[kind % 4][0], sides[kind % 4][1]);
        OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
        const tm_camera camera = flat(3, 5, 301, 250, (double[]){1, 0.21, 1.7}[i % 3]);
        OWN(test_picture) best = draw(renderer, &camera, backgrounds[i / 5 % 3], false),
                          plain = draw(renderer, &camera, backgrounds[i / 5 % 3], true);
        if (!test_picture_same(&best, &plain))
            fail_msg("look %u, image %zu", (unsigned)options.look, kind);
    }
}

/* Clear, but for single texels far from one another that hardly show, and a bar. */
static void set_sparse_image(tm_map *map, uint32_t width, uint32_t height)
{
    FREED uint8_t *rgba = malloc((size_t)width * height * 4);
    assert_non_null(rgba);
    for (uint32_t i = 0; i < width * height; i++) {
        const uint32_t noise = test_noise(i), x = i % width;
        const bool dot = noise % 997 == 0, bar = x >= width / 3 && x < width / 3 + 5;
        rgba[4 * i] = rgba[4 * i + 1] = (uint8_t)noise;
        rgba[4 * i + 2] = 200;
        rgba[4 * i + 3] = (uint8_t)(bar ? noise >> 24 : dot ? 2 + (noise >> 24) / 2 : 0);
    }
    must(tm_map_set_pixels(map, 0, rgba, width, height, NULL));
}

/* What is clear is left out without a look at it: nothing else may be. */
TEST(what_is_clear_is_passed_over)
{
    enum { NUM = 60 };
    static const uint32_t sides[][2] = {{256, 256}, {333, 190}, {97, 515}, {640, 31}, {129, 1}, {7, 7}};
    static const double sizes[] = {0.03, 0.06, 0.1, 0.17, 0.3, 0.45, 0.8, 1.5, 3.1};
    static tm_quad quads[NUM];
    fill_quads(quads, NUM);
    OWN(tm_map) *map = test_map_of_tiles(1, 1, 1);
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL));
    must(tm_map_set_quads(map, 0, 0, quads, NUM, NULL));
    map->groups[0].layers[0].as.quads.image = 0;
    for (size_t i = 0; i < 2 * sizeof(sides) / sizeof(*sides); i++) {
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        options.look = i % 2 ? TM_CLIENT_DDNET : TM_CLIENT_TEEWORLDS07;
        set_sparse_image(map, sides[i / 2][0], sides[i / 2][1]);
        OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
        for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
            const tm_camera camera = flat(3.3, 5, 311, 250, sizes[k]);
            OWN(test_picture) best = draw(renderer, &camera, backgrounds[k % 3], false),
                              plain = draw(renderer, &camera, backgrounds[k % 3], true);
            if (!test_picture_same(&best, &plain))
                fail_msg("look %u, image %zu, scale %g", (unsigned)options.look, i / 2, sizes[k]);
        }
    }
}

/* Tiles of one image, whose upper half is opaque; every second one is air. */
static void add_noisy_tiles(tm_map *map, uint32_t group, uint32_t layer, uint32_t seed)
{
    enum { SIDE = 40 };
    static tm_tile tiles[SIDE * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t noise = test_noise(seed + i);
        tiles[i] = (tm_tile){.index = noise & 0x100 ? 0 : (uint8_t)noise, .flags = noise >> 9 & 11};
    }
    must(tm_map_insert_layer(map, group, layer, TM_LAYER_TILES, SIDE, SIDE, NULL));
    map->groups[group].layers[layer].as.tiles.image = 0;
    must(tm_map_write_tiles(map, group, layer, &(tm_rect){0, 0, SIDE, SIDE}, tiles, 0, NULL));
}

static void add_noisy_quads(tm_map *map, uint32_t group, uint32_t layer, int32_t image)
{
    enum { NUM = 40 };
    static tm_quad quads[NUM];
    fill_quads(quads, NUM);
    must(tm_map_insert_layer(map, group, layer, TM_LAYER_QUADS, 0, 0, NULL));
    must(tm_map_set_quads(map, group, layer, quads, NUM, NULL));
    map->groups[group].layers[layer].as.quads.image = image;
}

/* A group that stands elsewhere, one with a clip, and one that hides much of both and of itself. */
static tm_map *map_that_hides(void)
{
    const uint32_t side = 16 * 16;
    tm_map *map = test_map_of_tiles(40, 40, 16);
    FREED uint8_t *rgba = malloc((size_t)side * side * 4);
    assert_non_null(rgba);
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t pixel = test_noise(i) | (i < side * side / 2 ? 0xFF000000 : 0);
        memcpy(rgba + 4 * (size_t)i, &pixel, 4);
    }
    must(tm_map_set_pixels(map, 0, rgba, side, side, NULL));
    for (uint32_t g = 0; g < 2; g++) {
        must(tm_map_insert(map, TM_KIND_GROUP, g, NULL));
        map->groups[g].parallax_x = g ? 100 : 60;
        map->groups[g].parallax_y = g ? 100 : 80;
        map->groups[g].use_clipping = g;
        map->groups[g].clip_x = 111, map->groups[g].clip_w = 500, map->groups[g].clip_h = 333;
        add_noisy_tiles(map, g, 0, 1600 * g);
        add_noisy_quads(map, g, 1, 0);
    }
    add_noisy_quads(map, 2, 0, TM_NONE);
    add_noisy_tiles(map, 2, 2, 9999);
    return map;
}

/* What later layers hide is left out; drawn one by one, no layer is hidden. */
TEST(what_is_hidden_makes_no_difference)
{
    OWN(tm_map) *map = map_that_hides();
    const uint32_t num = tm_map_num_layers(map);
    for (size_t i = 0; i < 2 * sizeof(scales) / sizeof(*scales); i++) {
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        options.look = i % 2 ? TM_CLIENT_DDNET : TM_CLIENT_TEEWORLDS07;
        OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
        tm_camera camera = flat(-33, 50, 261, 173, scales[i / 2]);
        camera.kind = i / 2 % 3 ? TM_CAMERA_REGION : TM_CAMERA_FLAT;
        OWN(test_picture) joined = test_draw(renderer, &camera, backgrounds[i % 3]),
                          separate = test_picture_new(camera.width, camera.height, backgrounds[i % 3]);
        for (uint32_t only = 0; only < num; only++) {
            float opacities[16] = {0};
            opacities[only] = 1;
            camera.opacities = opacities;
            must(tm_renderer_draw(renderer, &camera,
                                  &(tm_rows){separate.rgba, (size_t)camera.width * 4, 0, camera.height},
                                  NULL));
        }
        if (!test_picture_same(&joined, &separate))
            fail_msg("look %u, scale %g", (unsigned)options.look, camera.scale);
    }
}

TEST(halving_means_four_texels)
{
    static const uint32_t sides[][2] = {{1, 1}, {3, 5}, {4, 4}, {8, 3}, {16, 16}, {24, 7}, {31, 2}, {128, 1}};
    static uint8_t from[2 * 128 * 2 * 16 * 4];
    for (uint32_t i = 0; i < sizeof(from); i++)
        from[i] = (uint8_t)(test_noise(i) >> 8);
    for (size_t s = 0; s < sizeof(sides) / sizeof(*sides); s++) {
        const size_t row = (size_t)sides[s][0] * 8;
        tmi_room room = {1 << 20};
        const tmi_maker maker = {TM_CLIENT_DDNET, NULL, &room};
        tmi_mipmap mipmap;
        must(tmi_mipmap_whole(&mipmap, &(tm_pixels){from, 2 * sides[s][0], 2 * sides[s][1]}, &maker, NULL));
        for (size_t i = 0; i < row / 2 * sides[s][1]; i++) {
            const uint8_t *bytes = from + i / (row / 2) * 2 * row + i % (row / 2) / 4 * 8 + i % 4;
            assert_int_equal(tmi_slice(&mipmap, 0, 1)[i],
                             (bytes[0] + bytes[4] + bytes[row] + bytes[row + 4] + 2) / 4);
        }
        tmi_mipmap_release(&mipmap, &maker);
    }
}
