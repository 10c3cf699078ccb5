/* SPDX-License-Identifier: Zlib */
/*
 * Drawing while a map changes: a renderer that takes notice of changed tiles draws what a new one draws. And
 * where a point of the world lies in a picture.
 */
#include "support/lib_entities.h"
#include "support/lib_render.h"
#include "map/map.h"

enum { MAX_LAYERS = 64 };
static float opacities[MAX_LAYERS];

static void show_all(void)
{
    for (uint32_t i = 0; i < MAX_LAYERS; i++)
        opacities[i] = 1;
}

static void assert_as_new(const tm_renderer *renderer, const tm_map *map, const tm_render_options *options,
                          uint32_t step)
{
    tm_camera camera = TM_CAMERA_INIT;
    OWN(tm_renderer) *fresh = test_renderer_new(map, options);
    camera.kind = (tm_camera_kind)(step % 3);
    camera.x = camera.y = 10.0 * (step % 30);
    camera.scale = step % 5 ? 0.4 : 1.3;
    camera.width = 240;
    camera.height = 150;
    camera.opacities = opacities;
    OWN(test_picture) ours = test_draw(renderer, &camera, 0xFF000000),
                      theirs = test_draw(fresh, &camera, 0xFF000000);
    if (!test_picture_same(&ours, &theirs))
        fail_msg("step %u: the picture is not that of a new renderer", (unsigned)step);
}

/* Writes a few random tiles somewhere into a layer, and tells the renderer. */
static void change_tiles(tm_map *map, tm_renderer *renderer, uint32_t step)
{
    uint8_t tiles[4 * 3 * 8];
    const uint32_t noise = test_noise(step);
    uint32_t group = noise % map->num_groups, layer = 0, tries = 0;
    while (map->groups[group].num_layers == 0)
        group = (group + 1) % map->num_groups;
    layer = (noise >> 8) % map->groups[group].num_layers;
    while (!tm_game_layer(map->groups[group].layers[layer].kind)->is_tiles && ++tries < 20)
        layer = (layer + 1) % map->groups[group].num_layers;
    const tm_layer *changed = &map->groups[group].layers[layer];
    if (!tm_game_layer(changed->kind)->is_tiles)
        return;
    const int32_t x = (int32_t)((noise >> 4) % (changed->as.tiles.width + 4)) - 3,
                  y = (int32_t)((noise >> 12) % (changed->as.tiles.height + 4)) - 2;
    const uint32_t w = 1 + (noise >> 20) % 4, h = 1 + (noise >> 24) % 3;
    for (uint32_t i = 0; i < sizeof(tiles); i++)
        tiles[i] = (uint8_t)(test_noise(step * 100 + i) >> 7);
    if (changed->kind == TM_LAYER_SPEEDUP)
        for (uint32_t i = 0; i < 12; i++)
            tiles[6 * i + 2] = (uint8_t)(28 + i % 3);
    must(tm_map_write_tiles(map, group, layer, &(tm_rect){x, y, w, h}, tiles, 0, NULL));
    must(tm_renderer_update(renderer, group, layer, &(tm_rect){x, y, w, h}, NULL));
}

static void change_and_compare(tm_map *drawn, const tm_render_options *options)
{
    enum { STEPS = 60 };
    OWN(tm_map) *map = drawn;
    OWN(tm_renderer) *renderer = test_renderer_new(map, options);
    show_all();
    for (uint32_t step = 0; step < STEPS; step++) {
        change_tiles(map, renderer, step);
        if (step % 3 == 0)
            assert_as_new(renderer, map, options, step);
    }
    /* the size, too */
    uint32_t group, layer;
    assert_non_null(tm_map_find_layer(&group, &layer, map, TM_LAYER_TILES));
    must(tm_map_resize_layer(map, group, layer, 7, 5, 1, 1, NULL));
    must(tm_renderer_update(renderer, group, layer, &(tm_rect){0, 0, 7, 5}, NULL));
    assert_as_new(renderer, map, options, 0);
}

TEST(design_tiles_follow)
{
    for (int game = 0; game < TM_GAME_COUNT; game++) {
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        change_and_compare(test_map_to_draw((tm_game)game), &options);
        options.missing = TM_MISSING_NONE;
        options.updates = true;
        change_and_compare(test_map_to_draw((tm_game)game), &options);
    }
}

/* A map of air has no slices of its image, and no sheets of entities but that of the game layer. */
static tm_map *empty_map(void)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME,   TM_LAYER_FRONT, TM_LAYER_TELE, TM_LAYER_SPEEDUP,
                                          TM_LAYER_SWITCH, TM_LAYER_TUNE,  TM_LAYER_TUNE, TM_LAYER_TILES};
    tm_map *map = test_map_of_tiles(12, 9, 8);
    must(tm_map_remove_layer(map, 0, 0, NULL));
    for (uint32_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        must(tm_map_insert_layer(map, 0, i, kinds[i], 12, 9, NULL));
    map->groups[0].layers[7].as.tiles.image = 0;
    return map;
}

TEST(entities_follow)
{
    tm_render_options options = test_entity_options();
    change_and_compare(empty_map(), &options);
    options.no_numbers = true;
    change_and_compare(empty_map(), &options);
    static uint32_t sheet[64 * 64], arrow[8 * 8];
    for (uint32_t i = 0; i < 64 * 64; i++)
        sheet[i] = test_noise(i);
    memset(arrow, 0xCC, sizeof(arrow));
    options = test_entity_options();
    options.entity_sheet = (tm_pixels){sheet, 64, 64};
    options.speedup_arrow = (tm_pixels){arrow, 8, 8};
    change_and_compare(empty_map(), &options);
}

/* Numbers, colors and quads need no word. */
TEST(plain_fields_are_read_when_drawn)
{
    const tm_render_options options = TM_RENDER_OPTIONS_INIT;
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    uint32_t group, layer;
    show_all();
    map->groups[0].offset_x += 40;
    map->groups[0].parallax_y = 30;
    assert_non_null(tm_map_find_layer(&group, &layer, map, TM_LAYER_TILES));
    map->groups[group].layers[layer].as.tiles.color = (tm_color){255, 0, 128, 200};
    assert_non_null(tm_map_find_layer(&group, &layer, map, TM_LAYER_QUADS));
    tm_quad *quads = test_edit_quads(map, group, layer);
    quads[0].points[0].x += 50 * 1024;
    must(tmi_map_insert_elements(map, LAYER_AT(group, layer), 0, quads, 2, NULL));
    must(tmi_map_remove_elements(map, ENVELOPE_AT(0), 0, 1, NULL));
    assert_as_new(renderer, map, &options, 0);
    assert_as_new(renderer, map, &options, 1);
}

/* Failing leaves a renderer that can be used, and a second try succeeds. */
TEST(a_failed_update_can_be_repeated)
{
    static const uint8_t tile[8] = {7, 7, 29, 7, 7, 7};
    for (uint32_t layer = 0; layer < 8; layer++) {
        EACH_FAILURE_LATER(memory) {
            tm_render_options options = test_entity_options();
            options.allocator = &memory.allocator;
            tm_map *map = empty_map();
            tm_renderer *renderer = test_renderer_new(map, &options);
            must(tm_map_fill_tiles(map, 0, layer, &(tm_rect){2, 2, 1, 1}, tile, NULL));
            memory.fail_at = memory.num_requests + memory.n;
            tm_error error = {.code = TM_OK};
            const tm_status status = tm_renderer_update(renderer, 0, layer, &(tm_rect){2, 2, 1, 1}, &error);
            const bool failed = memory.failed;
            memory.fail_at = 0;
            if (failed) {
                assert_int_equal(status, TM_ERROR_MEMORY);
                assert_int_equal(error.code, TM_ERROR_MEMORY);
                must(tm_renderer_update(renderer, 0, layer, &(tm_rect){2, 2, 1, 1}, NULL));
            }
            show_all();
            assert_as_new(renderer, map, &options, 1);
            tm_renderer_free(renderer);
            tm_map_free(map);
            if (!memory.failed)
                must(status);
        }
    }
}

TEST(updates_of_nothing_are_misuse)
{
    OWN(tm_map) *map = empty_map();
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    tm_error error;
    fails_with(TM_ERROR_USAGE, "group 1 does not exist, the map has 1",
               tm_renderer_update(renderer, 1, 0, &(tm_rect){0, 0, 1, 1}, &error));
    fails_with(TM_ERROR_USAGE, "layer 8 does not exist, group 0 has 8",
               tm_renderer_update(renderer, 0, 8, &(tm_rect){0, 0, 1, 1}, &error));
    must(tm_renderer_update(renderer, 0, 7, &(tm_rect){INT32_MIN, INT32_MAX, UINT32_MAX, UINT32_MAX}, NULL));
    must(tm_renderer_update(renderer, 0, 7, &(tm_rect){-5, -5, UINT32_MAX, UINT32_MAX}, NULL));
    must(tm_renderer_update(renderer, 0, 7, &(tm_rect){0, 0, 0, 0}, NULL));
}

/* ----------------------------------------------------------------------------------------------- transforms */

/* A white tile in the dark is where the transform says. */
TEST(points_are_where_they_are_drawn)
{
    static const tm_tile tile = {1, 0, 0, 0};
    OWN(tm_map) *map = test_map_new();
    for (uint32_t g = 0; g < 2; g++)
        test_insert_group(map, g, g ? TM_LAYER_TILES : TM_LAYER_GAME, 30, 30);
    must(tm_map_fill_tiles(map, 1, 0, &(tm_rect){10, 7, 1, 1}, &tile, NULL));
    map->groups[1].parallax_x = 60;
    map->groups[1].parallax_y = 30;
    map->groups[1].offset_x = -20;
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    for (int kind = TM_CAMERA_VIEW; kind <= TM_CAMERA_FLAT; kind++) {
        tm_camera camera = TM_CAMERA_INIT;
        camera.kind = (tm_camera_kind)kind;
        camera.x = kind == TM_CAMERA_VIEW ? 400 : 100;
        camera.y = kind == TM_CAMERA_VIEW ? 300 : 50;
        camera.zoom = 1.5;
        camera.scale = 0.5;
        camera.width = 400;
        camera.height = 300;
        OWN(test_picture) picture = test_draw(renderer, &camera, 0xFF000000);
        tm_vector corner, middle, returned;
        must(tm_renderer_to_picture(&corner, renderer, &camera, 1, (tm_vector){320, 224}, NULL));
        must(tm_renderer_to_picture(&middle, renderer, &camera, 1, (tm_vector){336, 240}, NULL));
        assert_true(middle.x > 0 && middle.x < 400 && middle.y > 0 && middle.y < 300);
        assert_int_equal(test_picture_at(&picture, (uint32_t)middle.x, (uint32_t)middle.y), 0xFFFFFFFF);
        assert_int_equal(test_picture_at(&picture, (uint32_t)(corner.x - 1.5), (uint32_t)middle.y),
                         0xFF000000);
        assert_int_equal(test_picture_at(&picture, (uint32_t)middle.x, (uint32_t)(corner.y - 1.5)),
                         0xFF000000);
        must(tm_renderer_from_picture(&returned, renderer, &camera, 1, middle, NULL));
        assert_true(returned.x > 335.999 && returned.x < 336.001 && returned.y > 239.999 &&
                    returned.y < 240.001);
        /* The middle of a view is what it looks at, for the group of the game layer. */
        must(tm_renderer_to_picture(&middle, renderer, &camera, 0, (tm_vector){camera.x, camera.y}, NULL));
        assert_true(kind != TM_CAMERA_VIEW || (middle.x > 199.999 && middle.x < 200.001));
        assert_int_equal(tm_renderer_to_picture(&returned, renderer, &camera, 2, middle, NULL),
                         TM_ERROR_USAGE);
        camera.zoom = camera.scale = -1;
        assert_int_equal(tm_renderer_from_picture(&returned, renderer, &camera, 0, middle, NULL),
                         TM_ERROR_USAGE);
    }
}
