/* SPDX-License-Identifier: Zlib */
/*
 * The best view: which places are looked at, how they are judged, and what the search may cost. docs/thumbnails.md
 * says what must come out.
 */
#include "support/lib_render.h"

#include <math.h>

enum { MAX_VIEWS = 40 };

static void put_tile(tm_map *map, uint32_t layer, int32_t x, int32_t y, uint8_t index)
{
    const tm_tile tile = {.index = index};
    must(tm_map_fill_tiles(map, 0, layer, &(tm_rect){x, y, 1, 1}, &tile, NULL));
}

/* White tiles all over, but in a rectangle of 20 x 10 tiles, where every other one is missing. */
static void add_wall(tm_map *map, uint32_t width, uint32_t height, int32_t cave_x, int32_t cave_y)
{
    const tm_tile solid = {.index = 1};
    const uint32_t at = map->groups[0].num_layers;
    must(tm_map_insert_layer(map, 0, at, TM_LAYER_TILES, width, height, NULL));
    must(tm_map_fill_tiles(map, 0, at, &(tm_rect){0, 0, width, height}, &solid, NULL));
    for (int32_t i = 0; i < 200; i++) {
        put_tile(map, at, cave_x + i % 20, cave_y + i / 20, (uint8_t)(i & 1));
        put_tile(map, 0, cave_x + i % 20, cave_y + i / 20, (uint8_t)(i & 1));
    }
}

static uint32_t find(tm_preview_view views[MAX_VIEWS], const tm_map *map, uint32_t width, uint32_t height)
{
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const tm_camera camera = {.size = sizeof(camera), .width = width, .height = height};
    uint32_t num;
    must(tm_preview_views(views, &num, MAX_VIEWS, renderer, &camera, NULL));
    assert_true(num >= 1 && num <= MAX_VIEWS);
    for (uint32_t i = 0; i < num; i++) {
        const tm_preview_view *view = &views[i];
        assert_true(fabs(view->score - (view->variety + view->lively + view->coverage / 2)) < 1e-12);
        assert_true(view->coverage >= 0 && view->coverage <= 1 && view->lively >= 0 && view->lively <= 1);
        assert_true(view->x * 8 == floor(view->x * 8) && view->y * 8 == floor(view->y * 8));
        assert_true(i == 0 || views[i - 1].score >= view->score);
    }
    return num;
}

TEST(a_small_map_is_shown_whole)
{
    tm_preview_view views[MAX_VIEWS];
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 20, 10);
    assert_int_equal(find(views, map, 360, 225), 1);
    assert_int_equal(views[0].kind, TM_PREVIEW_WHOLE);
    assert_true(views[0].x == 10 && views[0].y == 5 && views[0].zoom < 1);
    assert_true(views[0].coverage == 0 && views[0].score == 0); /* nothing is drawn of an empty game layer */
    tm_map_free(map);
    map = test_map_of_layer(TM_LAYER_GAME, 2, 2);
    find(views, map, 360, 225);
    assert_true(views[0].zoom == 0.25); /* no nearer */
}

TEST(what_there_is_to_see_wins)
{
    static const int32_t caves[][2] = {{150, 70}, {20, 20}, {90, 45}, {170, 10}};
    for (size_t i = 0; i < sizeof(caves) / sizeof(caves[0]); i++) {
        tm_preview_view views[MAX_VIEWS];
        OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 200, 100);
        add_wall(map, 200, 100, caves[i][0], caves[i][1]);
        const uint32_t num = find(views, map, 360, 225);
        assert_true(num > 10);
        assert_int_equal(views[0].kind, TM_PREVIEW_PLACE);
        assert_true(fabs(views[0].x - (caves[i][0] + 10)) < 30 && fabs(views[0].y - (caves[i][1] + 5)) < 20);
        assert_true(views[0].lively > 0.05 && views[0].zoom == 1);
        assert_true(views[num - 1].score < views[0].score); /* a wall of one color */
    }
}

/* A square of many changes in the game layer. */
static void add_busy_square(tm_map *map, double middle_x, double middle_y)
{
    for (int32_t i = 0; i < 25; i++)
        if (i % 2)
            put_tile(map, 0, (int32_t)middle_x - 2 + i % 5, (int32_t)middle_y - 2 + i / 5, TM_TILE_SOLID);
}

static bool has_place(const tm_preview_view *views, uint32_t num, double x, double y)
{
    bool found = false;
    for (uint32_t i = 0; i < num; i++)
        found = found || (views[i].kind == TM_PREVIEW_PLACE && fabs(views[i].x - x) <= 0.125 &&
                          fabs(views[i].y - y) <= 0.125);
    return found;
}

/*
 * Of nine views in each sector the one with most changes is looked at. A square a third of a sector left of the
 * sector's first third is in the first column of views only; two of them, one on each side, tell the middle one.
 */
TEST(the_busiest_of_nine_views_is_looked_at)
{
    static const double squares[3][2] = {{-1, -1}, {1, 5}, {7, 7}}; /* sixths of a sector */
    const double width = 220 / 5.0, height = 150 / 5.0;             /* of a sector */
    for (int i = 0; i < 9; i++) {
        const int column = i % 3, row = i / 3;
        const double left = 3 * width, top = height; /* of the fourth sector in the second row */
        OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 220, 150);
        for (int k = 0; k < 4; k++)
            add_busy_square(map, left + width * squares[column][k % 2] / 6,
                            top + height * squares[row][k / 2] / 6);
        tm_preview_view views[MAX_VIEWS];
        const uint32_t num = find(views, map, 96, 64);
        assert_int_equal(num, 25);
        assert_true(
            has_place(views, num, left + width * (1 + 2 * column) / 6, top + height * (1 + 2 * row) / 6));
    }
}

static uint32_t count_kind(const tm_preview_view *views, uint32_t num, tm_preview_kind kind)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < num; i++)
        found += views[i].kind == kind;
    return found;
}

TEST(special_tiles_are_places)
{
    tm_preview_view views[MAX_VIEWS];
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 400, 300);
    for (int32_t i = 0; i < 5; i++)
        put_tile(map, 0, 30 + 80 * i, 50, TM_TILE_SPAWN); /* more spawn points than are looked at */
    put_tile(map, 0, 200, 100, TM_TILE_FLAG_RED);         /* two flags in one view count once */
    put_tile(map, 0, 203, 100, TM_TILE_FLAG_BLUE);
    put_tile(map, 0, 300, 200, TM_TILE_START);
    const uint32_t num = find(views, map, 360, 225);
    assert_int_equal(count_kind(views, num, TM_PREVIEW_SPAWN), 3);
    assert_int_equal(count_kind(views, num, TM_PREVIEW_FLAG), 1);
    assert_int_equal(count_kind(views, num, TM_PREVIEW_START), 1);
    assert_int_equal(count_kind(views, num, TM_PREVIEW_FINISH), 0);
    assert_int_equal(count_kind(views, num, TM_PREVIEW_PLACE), 25);
    assert_int_equal(views[0].kind, TM_PREVIEW_SPAWN); /* all look alike, and this one was found first */
}

TEST(as_many_views_are_given_as_are_wanted)
{
    tm_preview_view views[3] = {{.zoom = 77}, {.zoom = 77}, {.zoom = 77}};
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 200, 100);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    tm_camera camera = {.size = sizeof(camera), .width = 64, .height = 36, .time = 5};
    uint32_t num;
    must(tm_preview_views(views, &num, 2, renderer, &camera, NULL));
    assert_int_equal(num, 2);
    assert_true(views[0].zoom == 1 && views[1].zoom == 1 && views[2].zoom == 77);
    tm_preview_set_view(&camera, &views[0]);
    assert_int_equal(camera.kind, TM_CAMERA_VIEW);
    assert_true(camera.x == views[0].x * TM_TILE_PX && camera.y == views[0].y * TM_TILE_PX &&
                camera.zoom == 1);
    assert_true(camera.width == 64 && camera.height == 36 && camera.time == 5);
    camera.width = 0;
    assert_int_equal(tm_preview_views(views, &num, 2, renderer, &camera, NULL), TM_ERROR_USAGE);
    assert_int_equal(num, 0);
}

/* Pictures of any shape, down to one pixel. */
TEST(any_shape_of_picture_has_a_view)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 5000}, {5000, 1}, {100, 300}, {96, 96}};
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 200, 100);
    add_wall(map, 200, 100, 50, 50);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        tm_preview_view views[MAX_VIEWS];
        find(views, map, sizes[i][0], sizes[i][1]);
        assert_true(views[0].coverage > 0);
    }
}

/*
 * Each little picture had the whole limit of pixels for itself, so that a map of 40 KB took a thumbnail more than
 * 100 seconds, five times what one picture was allowed.
 */
TEST(all_little_pictures_share_one_limit)
{
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 400, 300);
    const tm_camera camera = {.size = sizeof(camera), .width = 96, .height = 96};
    tm_preview_view views[MAX_VIEWS];
    tm_error error = {0};
    uint32_t num;
    add_wall(map, 400, 300, 50, 50);
    options.pixel_limit = 96 * 96 * 4; /* enough for any one of them */
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    assert_int_equal(tm_preview_views(views, &num, MAX_VIEWS, renderer, &camera, &error), TM_ERROR_LIMIT);
    assert_int_equal(num, 0);
    tm_renderer_free(renderer);
    options.pixel_limit = 96 * 96 * 4 * MAX_VIEWS;
    renderer = test_renderer_new(map, &options);
    must(tm_preview_views(views, &num, MAX_VIEWS, renderer, &camera, NULL));
}

TEST(failing_memory_is_told_and_given_back)
{
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_GAME, 200, 100);
    const tm_camera camera = {.size = sizeof(camera), .width = 96, .height = 96};
    EACH_FAILURE(memory) {
        tm_render_options options = TM_RENDER_OPTIONS_INIT;
        tm_renderer *renderer;
        tm_preview_view view;
        uint32_t num;
        options.allocator = &memory.allocator;
        tm_status status = tm_renderer_new(&renderer, map, &options, NULL, NULL);
        status = status ? status : tm_preview_views(&view, &num, 1, renderer, &camera, NULL);
        tm_renderer_free(renderer);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

TEST(kinds_of_views_have_names)
{
    assert_string_equal(tm_preview_kind_name(TM_PREVIEW_WHOLE), "whole");
    assert_string_equal(tm_preview_kind_name(TM_PREVIEW_PLACE), "place");
    assert_null(tm_preview_kind_name((tm_preview_kind)(TM_PREVIEW_PLACE + 1)));
}
