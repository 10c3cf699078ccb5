/* SPDX-License-Identifier: Zlib */
/*
 * Which layers of a map are drawn, and how opaque: the camera's opacities (docs/render.md section 3).
 */
#include "support/lib_render.h"

#include <math.h>

#define BLACK 0xFF000000u

enum { MOST = 64 };

/* Views that let later layers cover earlier ones, views that do not, and others. */
static tm_camera camera_at(uint32_t number, const float *opacities)
{
    const tm_camera cameras[] = {test_camera(TM_CAMERA_VIEW, 640, 480, 1, 160, 120, 250, opacities),
                                 test_camera(TM_CAMERA_VIEW, 400, 700, 9, 90, 120, 250, opacities),
                                 test_camera(TM_CAMERA_FLAT, -40, 70, 0.3, 150, 110, 99, opacities),
                                 test_camera(TM_CAMERA_REGION, 320, 96, 0.5, 120, 100, 1500, opacities)};
    return cameras[number];
}
enum { NUM_CAMERAS = 4 };

static const tm_layer *layer_at(const tm_map *map, uint32_t number)
{
    uint32_t group = 0;
    while (number >= map->groups[group].num_layers)
        number -= map->groups[group++].num_layers;
    return &map->groups[group].layers[number];
}

static bool is_physics(const tm_layer *layer)
{
    return tm_game_layer(layer->kind)->is_physics;
}

/* What `opacities` shows is what another map shows without any. */
static void check_same(tm_map *map, const float *opacities, tm_map *other)
{
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL), *plain = test_renderer_new(other, NULL);
    for (uint32_t c = 0; c < NUM_CAMERAS; c++) {
        const tm_camera shown_camera = camera_at(c, opacities), plain_camera = camera_at(c, NULL);
        OWN(test_picture) a = test_draw(renderer, &shown_camera, BLACK),
                          b = test_draw(plain, &plain_camera, BLACK);
        assert_true(test_picture_same(&a, &b));
    }
}

/* A copy without the design layers whose opacity is 0. */
static tm_map *without_unseen(const tm_map *map, const float *opacities)
{
    tm_map *out = test_map_clone(map);
    for (uint32_t g = 0, number = 0; g < map->num_groups; g++) {
        for (uint32_t l = 0, at = 0; l < map->groups[g].num_layers; l++, number++)
            if (opacities[number] > 0 || is_physics(&map->groups[g].layers[l]))
                at++;
            else
                must(tm_map_remove_layer(out, g, at, NULL));
    }
    return out;
}

static void check_selection(const tm_map *source, const float *opacities)
{
    OWN(tm_map) *map = test_map_clone(source), *other = without_unseen(source, opacities);
    check_same(map, opacities, other);
}

TEST(a_selection_is_the_map_without_the_rest)
{
    for (uint32_t game = 0; game < TM_GAME_COUNT; game++) {
        OWN(tm_map) *map = test_map_to_draw((tm_game)game);
        const uint32_t num = tm_map_num_layers(map);
        float opacities[MOST];
        assert_in_range(num, 10, MOST);
        for (uint32_t only = 0; only < num; only++) {
            for (uint32_t i = 0; i < num; i++)
                opacities[i] = i == only && !is_physics(layer_at(map, i));
            check_selection(map, opacities);
        }
        for (uint32_t seed = 0; seed < 10; seed++) {
            for (uint32_t i = 0; i < num; i++)
                opacities[i] = test_noise(seed * MOST + i) % 2 && !is_physics(layer_at(map, i));
            check_selection(map, opacities);
        }
    }
}

TEST(all_design_is_the_default)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    float opacities[MOST];
    for (uint32_t i = 0; i < tm_map_num_layers(map); i++)
        opacities[i] = is_physics(layer_at(map, i)) ? 0 : i % 2 ? 1 : 17;
    check_same(map, opacities, map);
}

TEST(no_number_and_negative_ones_show_nothing)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    float opacities[MOST];
    for (uint32_t i = 0; i < tm_map_num_layers(map); i++)
        opacities[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? -1 : -INFINITY;
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const tm_camera camera = camera_at(0, opacities);
    OWN(test_picture) picture = test_draw(renderer, &camera, 0xFF785634),
                      empty = test_picture_new(camera.width, camera.height, 0xFF785634);
    assert_true(test_picture_same(&picture, &empty));
}

/* Details stay out, however opaque they are asked for. */
TEST(details_stay_out)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    tm_render_options options = {.size = sizeof(options), .no_detail = true};
    float all[MOST], opacities[MOST];
    for (uint32_t i = 0; i < tm_map_num_layers(map); i++) {
        all[i] = !is_physics(layer_at(map, i));
        opacities[i] = layer_at(map, i)->detail ? 0 : all[i];
    }
    assert_memory_not_equal(all, opacities, sizeof(float) * tm_map_num_layers(map));
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options), *full = test_renderer_new(map, NULL);
    for (uint32_t c = 0; c < NUM_CAMERAS; c++) {
        const tm_camera shown_camera = camera_at(c, all), plain_camera = camera_at(c, opacities);
        OWN(test_picture) a = test_draw(renderer, &shown_camera, BLACK),
                          b = test_draw(full, &plain_camera, BLACK);
        assert_true(test_picture_same(&a, &b));
    }
}

/* A plain layer of tiles and, over it, a plain quad, over one tile. */
static tm_map *plain_map(tm_color tiles, tm_color quad_color)
{
    const tm_tile tile = {.index = 1};
    tm_quad quad = {.position_envelope = TM_NONE, .color_envelope = TM_NONE};
    tm_map *map = test_map_of_layer(TM_LAYER_TILES, 1, 1);
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){0, 0, 1, 1}, &tile, NULL));
    map->groups[0].layers[0].as.tiles.color = tiles;
    for (int k = 0; k < 4; k++) {
        quad.points[k] = (tm_point){k % 2 * 64 * 1024, k / 2 * 64 * 1024};
        quad.colors[k] = quad_color;
    }
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_QUADS, 0, 0, NULL));
    must(tm_map_set_quads(map, 0, 1, &quad, 1, NULL));
    return map;
}

static uint32_t pixel_of(const tm_map *map, tm_client look, float tiles, float quads)
{
    const float opacities[] = {tiles, quads};
    const tm_camera camera = test_camera(TM_CAMERA_FLAT, 0, 0, 4 / 32.0, 4, 4, 0, opacities);
    tm_render_options options = {.size = sizeof(options), .look = look};
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    OWN(test_picture) picture = test_draw(renderer, &camera, 0xFF0A1464); /* 100, 20, 10 */
    return test_picture_at(&picture, 1, 1);
}

TEST(colors_by_hand)
{
    OWN(tm_map) *opaque = plain_map((tm_color){200, 100, 50, 255}, (tm_color){20, 220, 120, 255}),
                *thin = plain_map((tm_color){200, 100, 50, 102}, (tm_color){20, 220, 120, 102});
    for (tm_client look = TM_CLIENT_DDNET; look <= TM_CLIENT_TEEWORLDS07; look++) {
        assert_int_equal(pixel_of(opaque, look, 0, 0), 0xFF0A1464);
        assert_int_equal(pixel_of(opaque, look, 1, 0), 0xFF3264C8);
        assert_int_equal(pixel_of(opaque, look, 0.5F, 0), 0xFF1E3C96);  /* 150, 60, 30 */
        assert_int_equal(pixel_of(opaque, look, 0, 0.5F), 0xFF41783C);  /* 60, 120, 65 */
        assert_int_equal(pixel_of(opaque, look, 1, 0.25F), 0xFF44829B); /* 155, 130, 67.5 */
        assert_int_equal(pixel_of(opaque, look, 0.25F, 1), 0xFF78DC14);
        assert_int_equal(pixel_of(thin, look, 0.5F, 0), 0xFF122478);    /* a fifth: 120, 36, 18 */
        assert_int_equal(pixel_of(thin, look, 0, 0.5F), 0xFF203C54);    /* 84, 60, 32 */
        assert_int_equal(pixel_of(thin, look, 0.5F, 0.5F), 0xFF264964); /* 100, 72.8, 38.4 */
    }
}

/* Of two opaque layers of tiles the upper one hides the lower one only as far as it is seen. */
TEST(what_is_left_out_hides_nothing)
{
    OWN(tm_map) *map = plain_map((tm_color){200, 100, 50, 255}, (tm_color){0});
    must(tm_map_remove_layer(map, 0, 1, NULL));
    must(tm_map_duplicate_layer(map, 0, 0, 0, 1, NULL));
    map->groups[0].layers[1].as.tiles.color = (tm_color){20, 220, 120, 255};
    for (tm_client look = TM_CLIENT_DDNET; look <= TM_CLIENT_TEEWORLDS07; look++) {
        assert_int_equal(pixel_of(map, look, 1, 1), 0xFF78DC14);
        assert_int_equal(pixel_of(map, look, 1, 0), 0xFF3264C8);
        assert_int_equal(pixel_of(map, look, 1, 0.5F), 0xFF55A06E);    /* 110, 160, 85 */
        assert_int_equal(pixel_of(map, look, 0.5F, 0.5F), 0xFF4B8C55); /* over 150, 60, 30 */
    }
}

/* ------------------------------------------------------------------------------------------------- in parts */
