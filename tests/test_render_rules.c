/* SPDX-License-Identifier: Zlib */
/*
 * Rules of the clients that screenshots taught us (docs/render.md): each on a picture so small that its colors
 * can be told by hand. test_render_golden.c holds the screenshots themselves against ours.
 */
#include "render/render.h"
#include "support/lib_render.h"

#include <math.h>

#define BLACK 0xFF000000u
#define BELOW 0xFF0000C8u /* red */

/* ---------------------------------------------------------------------------------------------------- maps */

static tm_map *new_map(tm_game game)
{
    const tm_map_options options = {sizeof(options), game, NULL, NULL};
    tm_map *map;
    must(tm_map_new(&map, &options, NULL));
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    return map;
}

/* `pixel` everywhere; NULL: external, and nobody has it. */
static void add_image(tm_map *map, const uint8_t *pixel, uint32_t width, uint32_t height)
{
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_text(map, &map->images[0].name, "some", NULL));
    if (!pixel)
        return;
    const size_t num = (size_t)width * (size_t)height;
    FREED uint8_t *rgba = malloc(num * 4);
    assert_non_null(rgba);
    for (size_t i = 0; i < num * 4; i++)
        rgba[i] = pixel[i % 4];
    must(tm_map_set_pixels(map, 0, rgba, width, height, NULL));
}

static tm_tile_layer *add_tiles(tm_map *map, uint32_t width, uint32_t height, const tm_tile *tiles,
                                int32_t image)
{
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_TILES, width, height, NULL));
    tm_layer *layer = &map->groups[0].layers[0];
    tm_edit_grid grid = test_edit_grid(map, 0, 0);
    memcpy(grid.tiles, tiles, (size_t)width * height * sizeof(*tiles));
    layer->as.tiles.image = image;
    return &layer->as.tiles;
}

static tm_quad square(int32_t from, int32_t to, tm_color color)
{
    tm_quad quad = {.position_envelope = TM_NONE, .color_envelope = TM_NONE};
    for (int k = 0; k < 4; k++) {
        quad.points[k] = (tm_point){(k % 2 ? to : from) * 1024, (k / 2 ? to : from) * 1024};
        quad.texture[k] = (tm_point){k % 2 * 1024, k / 2 * 1024};
        quad.colors[k] = color;
    }
    return quad;
}

static void add_quads(tm_map *map, const tm_quad *quads, uint32_t num, int32_t image)
{
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_QUADS, 0, 0, NULL));
    must(tm_map_set_quads(map, 0, 0, quads, num, NULL));
    map->groups[0].layers[0].as.quads.image = image;
}

static void add_constant(tm_map *map, int32_t r, int32_t a)
{
    const tm_envelope_point point = {.values = {r, 1024, 1024, a}};
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 0, NULL));
    map->envelopes[0].channels = TM_ENVELOPE_COLOR;
    must(tm_map_set_points(map, 0, &point, 1, NULL));
}

/* One pixel a px; the world's origin is `shift` left and above of the picture's corner. */
static struct test_picture draw(tm_map *map, double shift, uint32_t side, uint32_t below)
{
    const tm_camera camera = test_camera(TM_CAMERA_FLAT, shift, shift, 1, side, side, 0, NULL);
    tm_renderer *renderer = test_renderer_new(map, NULL);
    struct test_picture out = test_draw(renderer, &camera, below);
    tm_renderer_free(renderer);
    tm_map_free(map);
    return out;
}

static uint32_t only_pixel(tm_map *map, uint32_t below)
{
    OWN(test_picture) picture = draw(map, 0, 8, below);
    return test_picture_at(&picture, 3, 5);
}

static void is_square_of(struct test_picture *picture, uint32_t left, uint32_t top, uint32_t right,
                         uint32_t bottom)
{
    for (uint32_t y = 0; y < picture->height; y++)
        for (uint32_t x = 0; x < picture->width; x++)
            assert_int_equal(test_picture_at(picture, x, y) != BLACK,
                             x >= left && x < right && y >= top && y < bottom);
    test_picture_release(picture);
}

/* Section 1: a centre on an edge belongs to the shape to the right, and to the one above. */
TEST(centres_on_edges)
{
    static const tm_tile tiles[16] = {[5] = {.index = 1}};
    tm_map *map = new_map(TM_GAME_DDNET);
    add_tiles(map, 4, 4, tiles, TM_NONE);
    struct test_picture picture = draw(map, 0.5, 70, BLACK);
    is_square_of(&picture, 31, 32, 63, 64);

    const tm_quad quad = square(5, 11, (tm_color){255, 255, 255, 255});
    map = new_map(TM_GAME_TEEWORLDS06);
    add_quads(map, &quad, 1, TM_NONE);
    picture = draw(map, 0.5, 15, BLACK);
    is_square_of(&picture, 4, 5, 10, 11);
}

/* Section 9: start and length are cut down to whole pixels one by one; DDNet rounds both ends. */
TEST(clips_are_cut_down)
{
    static const tm_game games[] = {TM_GAME_DDNET, TM_GAME_TEEWORLDS07};
    for (uint32_t i = 0; i < 2; i++) {
        const tm_tile tile = {.index = 1};
        const tm_camera camera = {
            .size = sizeof(tm_camera), .kind = TM_CAMERA_VIEW, .zoom = 1, .width = 750, .height = 250};
        OWN(tm_map) *map = new_map(games[i]);
        tm_group *group = &map->groups[0];
        add_tiles(map, 1, 1, &tile, TM_NONE);
        group->use_clipping = true;
        group->clip_x = -701, group->clip_w = 101; /* 24.5 pixels, 50.5 pixels long */
        group->clip_y = -1000, group->clip_h = 2000;
        OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
        struct test_picture picture = test_draw(renderer, &camera, BLACK);
        is_square_of(&picture, 25 - i, 0, 75 - i, 250);
    }
}

/* Section 5: the logarithm runs straight between powers of two, of the square. */
TEST(levels_by_straight_logarithms)
{
    static const struct {
        double square, lambda;
    } cases[] = {{0.5, 0}, {2, 0}, {3, 0.25}, {4, 0.5}, {12, 1.25}, {14, 1.375}, {16, 1.5}, {1 << 20, 6}};
    const tmi_mipmap mipmap = {.num_levels = 7};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const tmi_lod lod = tmi_lod_of(&mipmap, sqrt(cases[i].square));
        assert_float_equal(lod.level + lod.weight, cases[i].lambda, 1e-6);
        assert_int_equal(lod.next, lod.weight > 0 ? lod.level + 1 : lod.level);
    }
}

/* -------------------------------------------------------------------------------- the look of Teeworlds 0.7 */

TEST(missing_picture_brightens)
{
    const tm_quad quad = square(0, 32, (tm_color){255, 255, 255, 255});
    tm_map *map = new_map(TM_GAME_TEEWORLDS07);
    add_image(map, NULL, 0, 0);
    add_quads(map, &quad, 1, 0);
    OWN(test_picture) picture = draw(map, 0, 32, BLACK);
    assert_int_equal(test_picture_at(&picture, 0, 0), 0xFF00000F);
    assert_int_equal(test_picture_at(&picture, 3, 5), 0xFF00004F);
    assert_int_equal(test_picture_at(&picture, 31, 15), 0xFFFF0000);
    assert_int_equal(test_picture_at(&picture, 0, 16), 0xFF000F00);
    assert_int_equal(test_picture_at(&picture, 16, 17), 0xFF001818);
    assert_int_equal(test_picture_at(&picture, 31, 31), BLACK); /* one too many for a byte */
}

/* What is clear does not replace what is below, though the tile is marked as opaque. */
TEST(opaque_tiles_keep_what_is_below_clear_texels)
{
    static const tm_tile tile = {.index = 1, .flags = TM_TILE_OPAQUE};
    static const struct {
        uint8_t pixel[4];
        uint32_t color;
    } cases[] = {{{0, 255, 0, 0}, BELOW}, {{0, 255, 0, 100}, 0xFF006400}, {{0, 255, 0, 255}, 0xFF00FF00}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tm_map *map = new_map(TM_GAME_TEEWORLDS07);
        add_image(map, cases[i].pixel, 32, 32);
        add_tiles(map, 1, 1, &tile, 0);
        assert_int_equal(only_pixel(map, BELOW), cases[i].color);
    }
}

/* Slices of 2 x 1 texels, whose rows follow one another as if the sheet were 32 wide. */
TEST(sheets_lose_count)
{
    enum { WIDTH = 40, HEIGHT = 16 };
    static const tm_tile tile = {.index = 17};
    uint8_t rgba[WIDTH * HEIGHT * 4];
    memset(rgba, 255, sizeof(rgba));
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        rgba[4 * i] = (uint8_t)(i % 256);
    tm_map *map = new_map(TM_GAME_TEEWORLDS07);
    add_image(map, rgba, 1, 1);
    must(tm_map_set_pixels(map, 0, rgba, WIDTH, HEIGHT, NULL));
    add_tiles(map, 1, 1, &tile, 0);
    assert_int_equal(only_pixel(map, BLACK), 0xFFFFFF22); /* texel 32 + 2 */
}

TEST(small_sheets_are_none)
{
    static const uint8_t blue[4] = {0, 0, 255, 255};
    static const tm_tile tile = {.index = 1};
    tm_map *map = new_map(TM_GAME_TEEWORLDS07);
    add_image(map, blue, 15, 64);
    add_tiles(map, 1, 1, &tile, 0)->color = (tm_color){10, 20, 30, 255};
    assert_int_equal(only_pixel(map, BLACK), 0xFF1E140A);
}

/* Three bytes a pixel: alpha counts twice. */
TEST(rgb_images_darken)
{
    static const uint8_t grey[4] = {200, 200, 200, 255};
    const tm_quad quad = square(0, 32, (tm_color){255, 255, 255, 128});
    for (int rgb = 0; rgb < 2; rgb++) {
        tm_map *map = new_map(TM_GAME_TEEWORLDS07);
        add_image(map, grey, 1, 1);
        add_quads(map, &quad, 1, 0);
        if (rgb) /* the byte that is too many does no harm */
            map->images[0].format = TM_IMAGE_RGB;
        assert_int_equal(only_pixel(map, BLACK), rgb ? 0xFF323232 : 0xFF646464);
    }
}

/* Colors are cut after alpha was multiplied in, not before. */
TEST(bright_colors_survive_alpha)
{
    static const tm_tile tile = {.index = 1};
    tm_quad quad = square(0, 32, (tm_color){255, 0, 0, 128});
    quad.color_envelope = 0;
    tm_map *map = new_map(TM_GAME_TEEWORLDS07);
    add_constant(map, 3 * 1024, 1024);
    add_quads(map, &quad, 1, TM_NONE);
    assert_int_equal(only_pixel(map, BLACK), 0xFF0000FF);

    map = new_map(TM_GAME_TEEWORLDS07);
    add_constant(map, 1024, 2 * 1024);
    tm_tile_layer *layer = add_tiles(map, 1, 1, &tile, TM_NONE);
    layer->color = (tm_color){200, 0, 0, 64};
    layer->color_envelope = 0;
    assert_int_equal(only_pixel(map, BLACK), 0xFF000064); /* 200 * 128 / 255 */
}

/* DDNet casts a channel of a corner to a byte, Teeworlds limits it; both once were limited here. */
TEST(colors_of_quads_wrap)
{
    static const struct {
        tm_color color;
        uint32_t wrapped, limited;
    } cases[] = {{{300, 0, 0, 255}, 0xFF00002C, 0xFF0000FF},
                 {{0, 256, 0, 255}, BLACK, 0xFF00FF00},
                 {{0, 0, -1, 255}, 0xFFFF0000, BLACK},
                 {{9, 9, 9, 256}, BLACK, 0xFF090909},
                 {{9, 9, 9, -1}, 0xFF090909, BLACK},
                 {{255, 7, 3, 511}, 0xFF0307FF, 0xFF060EFF},
                 {{INT32_MIN, INT32_MAX, 5, 255}, 0xFF05FF00, 0xFF05FF00}};
    static const uint8_t white[4] = {255, 255, 255, 255};
    for (size_t i = 0; i < 4 * sizeof(cases) / sizeof(*cases); i++) {
        const tm_quad quad = square(0, 32, cases[i / 4].color);
        tm_map *map = new_map(i % 2 ? TM_GAME_TEEWORLDS07 : TM_GAME_DDNET);
        if (i & 2)
            add_image(map, white, 1, 1);
        add_quads(map, &quad, 1, i & 2 ? 0 : TM_NONE);
        assert_int_equal(only_pixel(map, BLACK), i % 2 ? cases[i / 4].limited : cases[i / 4].wrapped);
    }
}

TEST(envelopes_that_are_not_there)
{
    static const tm_tile tile = {.index = 1};
    static const tm_game games[] = {TM_GAME_DDNET, TM_GAME_TEEWORLDS07};
    for (int i = 0; i < 2; i++) {
        tm_map *map = new_map(games[i]);
        add_tiles(map, 1, 1, &tile, TM_NONE)->color_envelope = 5;
        assert_int_equal(only_pixel(map, BELOW), i ? BELOW : 0xFFFFFFFF);
    }
}

/* A quad that reaches out of the view has all of its layer cut the other way. */
TEST(diagonals_follow_what_reaches_out)
{
    const tm_camera camera = {
        .size = sizeof(tm_camera), .kind = TM_CAMERA_VIEW, .zoom = 1, .width = 1500, .height = 700};
    static const int32_t edges[] = {350, 351};
    for (int i = 0; i < 2; i++) {
        tm_quad quads[2] = {square(-100, 100, (tm_color){0, 0, 0, 255}),
                            square(300, edges[i], (tm_color){0})};
        quads[0].colors[1] = quads[0].colors[2] = (tm_color){200, 200, 200, 255};
        OWN(tm_map) *map = new_map(TM_GAME_TEEWORLDS07);
        add_quads(map, quads, 2, TM_NONE);
        OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
        OWN(test_picture) picture = test_draw(renderer, &camera, BLACK);
        const uint32_t middle = test_picture_at(&picture, 750, 350) & 0xFF;
        assert_in_range(middle, i ? 198 : 0, i ? 200 : 2); /* along 1-2 the corners' grey, along 0-3 black */
    }
}
