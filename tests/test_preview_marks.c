/* SPDX-License-Identifier: Zlib */
/*
 * Frames and tints over pictures: where they are, that kinds are told apart without their colors, that bands
 * make no seam; which part of a map shows a mark; areas that are joined.
 */
#include "support/lib_render.h"
#include "preview/preview.h"

#include <math.h>

enum { SIDE = 200, GAME_GROUP = 2, FAR_GROUP = 1, WILD_GROUP = 4 };

/* 25 x 25 tiles from (5, 5), 8 pixels a tile. */
static tm_camera camera_of_part(void)
{
    return (tm_camera){.size = sizeof(tm_camera),
                       .kind = TM_CAMERA_REGION,
                       .x = 160,
                       .y = 160,
                       .scale = 0.25,
                       .zoom = 1,
                       .width = SIDE,
                       .height = SIDE};
}

static void draw_marks(struct test_picture *target, const tm_renderer *renderer, const tm_preview_mark *marks,
                       size_t num)
{
    const tm_camera camera = camera_of_part();
    must(tm_preview_draw_marks(renderer, &camera, marks, num,
                               &(tm_rows){target->rgba, (size_t)SIDE * 4, 0, SIDE}, NULL));
}

static const uint32_t GREEN = 0xff6ebe00, WHITE = 0xffffffff;

TEST(a_frame_lies_around_its_area)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    OWN(test_picture) picture = test_picture_new(SIDE, SIDE, WHITE);
    /* Tiles 10..13 and 11..12: pixels 40..71 and 48..63. */
    const tm_preview_mark mark = {TM_MARK_ADDED, true, false, GAME_GROUP, {10, 11, 4, 2}, 0};
    draw_marks(&picture, renderer, &mark, 1);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            const uint32_t pixel = test_picture_at(&picture, x, y);
            const bool outside = x < 35 || x >= 77 || y < 43 || y >= 69;
            const bool within = x >= 40 && x < 72 && y >= 48 && y < 64;
            const bool line =
                x >= 36 && x < 76 && y >= 44 && y < 68 && !(x >= 39 && x < 73 && y >= 47 && y < 65);
            if (outside || within)
                assert_int_equal(pixel, WHITE);
            else if (line)
                assert_int_equal(pixel, GREEN);
            else
                assert_true((pixel & 0xff) < 100); /* the rim is dark */
        }
    }
}

TEST(a_tint_leaves_the_picture_to_be_seen)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    for (int kind = TM_MARK_ADDED; kind <= TM_MARK_CONFLICT; kind++) {
        const tm_preview_mark mark = {(tm_mark_kind)kind, false, true, GAME_GROUP, {10, 10, 4, 4}, 0};
        OWN(test_picture) picture = test_picture_new(SIDE, SIDE, WHITE),
                          clear = test_picture_new(SIDE, SIDE, 0);
        uint32_t changed = 0;
        draw_marks(&picture, renderer, &mark, 1);
        draw_marks(&clear, renderer, &mark, 1);
        for (uint32_t y = 0; y < SIDE; y++) {
            for (uint32_t x = 0; x < SIDE; x++) {
                const bool within = x >= 40 && x < 72 && y >= 40 && y < 72;
                const uint32_t pixel = test_picture_at(&picture, x, y);
                changed += pixel != WHITE;
                assert_true(within || pixel == WHITE);
                assert_int_equal(pixel >> 24, 255);
                assert_int_equal(test_picture_at(&clear, x, y) >> 24, pixel == WHITE ? 0 : 80);
            }
        }
        assert_true(kind == TM_MARK_ADDED ? changed == 32 * 32 : changed > 100 && changed < 800);
    }
}

/* What is dark in a frame, whatever the kind. */
static bool is_rim(uint32_t pixel)
{
    return (pixel & 0xff) < 100 && (pixel >> 8 & 0xff) < 100 && (pixel >> 16 & 0xff) < 100;
}

/* Which pixels differ between pictures of two kinds when only light and dark count. */
TEST(kinds_are_told_apart_without_color)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    struct test_picture pictures[4];
    for (int kind = 0; kind < 4; kind++) {
        const tm_preview_mark mark = {(tm_mark_kind)kind, true, true, GAME_GROUP, {10, 10, 10, 10}, 0};
        uint8_t rgb[3];
        pictures[kind] = test_picture_new(SIDE, SIDE, WHITE);
        draw_marks(&pictures[kind], renderer, &mark, 1);
        tm_mark_kind_color(rgb, (tm_mark_kind)kind);
        assert_true(rgb[0] + rgb[1] + rgb[2] > 200);
        assert_non_null(tm_mark_kind_name((tm_mark_kind)kind));
    }
    for (int a = 0; a < 4; a++) {
        for (int b = a + 1; b < 4; b++) {
            uint32_t frame = 0, tint = 0;
            for (uint32_t y = 36; y < 124; y++) {
                for (uint32_t x = 36; x < 124; x++) {
                    const uint32_t one = test_picture_at(&pictures[a], x, y),
                                   other = test_picture_at(&pictures[b], x, y);
                    const bool within = x >= 40 && x < 120 && y >= 40 && y < 120;
                    frame += !within && is_rim(one) != is_rim(other);
                    tint += within && (one == WHITE) != (other == WHITE);
                }
            }
            assert_true(frame > 100 && tint > 500);
        }
    }
    for (int kind = 0; kind < 4; kind++)
        test_picture_release(&pictures[kind]);
    assert_null(tm_mark_kind_name((tm_mark_kind)4));
    assert_null(tm_mark_kind_name((tm_mark_kind)-1));
}

TEST(bands_make_no_seam)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_TEEWORLDS06);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const tm_camera camera = camera_of_part();
    const tm_preview_mark marks[] = {{TM_MARK_REMOVED, true, true, GAME_GROUP, {6, 6, 12, 3}, 0},
                                     {TM_MARK_CHANGED, true, true, FAR_GROUP, {9.5, 7.25, 2, 12}, 0},
                                     {TM_MARK_CONFLICT, true, true, WILD_GROUP, {-3, 5, 1, 1}, 0},
                                     {TM_MARK_ADDED, true, true, GAME_GROUP, {-1e9, 20, 2e9, 0}, 0}};
    OWN(test_picture) whole = test_picture_new(SIDE, SIDE, 0x80402010),
                      parts = test_picture_new(SIDE, SIDE, 0x80402010);
    draw_marks(&whole, renderer, marks, 4);
    for (uint32_t y = 0; y < SIDE; y += 7) {
        const uint32_t rows = SIDE - y < 7 ? SIDE - y : 7;
        must(tm_preview_draw_marks(renderer, &camera, marks, 4,
                                   &(tm_rows){parts.rgba + (size_t)y * SIDE * 4, (size_t)SIDE * 4, y, rows},
                                   NULL));
    }
    assert_true(test_picture_same(&whole, &parts));
}

/* Where a mark's frame is in a picture of the area that shows it. */
TEST(its_area_shows_a_mark)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    for (uint32_t group = 0; group < map->num_groups; group++) {
        for (int flat = 0; flat < 2; flat++) {
            const tm_preview_mark mark = {TM_MARK_ADDED, true, false, group, {7, 8, 3, 5}, 0};
            tm_camera camera = {.size = sizeof(camera), .zoom = 1, .width = 400, .height = 400};
            const tm_vector first = {7 * 32, 8 * 32}, last = {10 * 32, 13 * 32};
            tm_preview_area area;
            tm_vector start, target;
            camera.kind = flat ? TM_CAMERA_FLAT : TM_CAMERA_REGION;
            must(tm_preview_mark_area(&area, map, &mark, flat, NULL));
            must(tm_preview_fit_area(&camera, &area, 0, NULL));
            must(tm_renderer_to_picture(&start, renderer, &camera, group, first, NULL));
            must(tm_renderer_to_picture(&target, renderer, &camera, group, last, NULL));
            assert_true(start.x > -1 && start.y > -1 && target.x < camera.width + 1 &&
                        target.y < camera.height + 1);
            assert_true(target.x > start.x && target.y > start.y);
        }
    }
}

TEST(areas_that_fit_one_view_are_joined)
{
    tm_preview_area areas[] = {{0, 0, 2, 2},   {100, 0, 2, 2},  {10, 5, 1, 1},
                               {104, 9, 5, 5}, {0, 30, 90, 90}, {5, 40, 1, 1}};
    size_t num = 6;
    must(tm_preview_join_areas(areas, &num, 20, 20, NULL));
    assert_int_equal(num, 3);
    assert_true(areas[0].x == 0 && areas[0].y == 0 && areas[0].width == 11 && areas[0].height == 6);
    assert_true(areas[1].x == 100 && areas[1].width == 9 && areas[1].height == 14);
    assert_true(areas[2].width == 90); /* what is too large stays, and takes what lies in it */
    num = 0;
    must(tm_preview_join_areas(NULL, &num, 20, 20, NULL));
    assert_int_equal(num, 0);
}

static void is_area(tmi_box box, double x, double y, double width, double height)
{
    const tm_preview_area area = tmi_area_of_box(&box);
    assert_true(area.x == x && area.y == y && area.width == width && area.height == height);
}

TEST(a_layer_says_where_it_has_something)
{
    OWN(tm_map) *map = test_map_of_tiles(50, 40, 4);
    const tm_layer *layer = &map->groups[0].layers[0];
    const tm_tile air = {0}, tile = {.index = 5};
    tmi_box box;
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){0, 0, 50, 40}, &air, NULL));
    must(tmi_box_of_layer(&box, map, layer, -1, 0, NULL));
    assert_true(tmi_box_is_empty(&box));
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){7, 8, 3, 2}, &tile, NULL));
    must(tmi_box_of_layer(&box, map, layer, -1, 0, NULL));
    is_area(box, 7, 8, 3, 2);
}

TEST(elements_say_where_they_are)
{
    const tm_quad quad = {
        .points = {{1024 * 32, 0}, {1024 * 96, 512 * 32}, {0, 1024 * 64}, {9, 9}, {1 << 30, 0}}};
    const tm_sound_source circle = {.shape = TM_SHAPE_CIRCLE,
                                    .position = {1024 * 64, 1024 * 32},
                                    .width = 64},
                          box = {.shape = TM_SHAPE_RECTANGLE, .width = 1024 * 64, .height = 1024 * 32};
    const tm_old_source old = {.position = {1024 * 32, 0}, .radius = 32};
    uint8_t unaligned[sizeof(quad) + 1];
    memcpy(unaligned + 1, &quad, sizeof(quad));
    is_area(tmi_box_of_element(TM_KIND_QUAD, unaligned + 1), 0, 0, 3, 2); /* but for its pivot */
    is_area(tmi_box_of_element(TM_KIND_SOUND_SOURCE, &circle), 0, -1, 4, 4);
    is_area(tmi_box_of_element(TM_KIND_SOUND_SOURCE, &box), -1, -0.5, 2, 1);
    is_area(tmi_box_of_element(TM_KIND_OLD_SOURCE, &old), 0, -1, 2, 2);
    const tmi_box other_boxes[] = {tmi_box_of_element(TM_KIND_ENVELOPE_POINT, &quad),
                                   tmi_box_of_element(TM_KIND_QUAD, NULL)};
    assert_true(tmi_box_is_empty(&other_boxes[0]) && tmi_box_is_empty(&other_boxes[1]));
}

TEST(wrong_marks_are_refused)
{
    OWN(tm_map) *map = test_map_to_draw(TM_GAME_DDNET);
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    const tm_camera camera = camera_of_part();
    OWN(test_picture) target = test_picture_new(SIDE, SIDE, WHITE);
    const size_t stride = (size_t)SIDE * 4;
    const tm_preview_mark no_group = {TM_MARK_ADDED, true, true, 99, {0, 0, 1, 1}, 0},
                          no_kind = {(tm_mark_kind)9, true, true, GAME_GROUP, {0, 0, 1, 1}, 0},
                          no_place = {TM_MARK_ADDED, true, true, GAME_GROUP, {0, NAN, 1, 1}, 0},
                          no_side = {TM_MARK_ADDED, true, false, GAME_GROUP, {-INFINITY, 0, INFINITY, 1}, 0},
                          far_off = {TM_MARK_ADDED, true, true, GAME_GROUP, {1e300, -INFINITY, 1e300, 1}, 0};
    tm_preview_area area;
    tm_error error;
    assert_int_equal(
        tm_preview_draw_marks(renderer, &camera, &no_group, 1, &(tm_rows){target.rgba, stride, 0, 1}, &error),
        TM_ERROR_USAGE);
    fails(
        TM_ERROR_USAGE, "kind 9",
        tm_preview_draw_marks(renderer, &camera, &no_kind, 1, &(tm_rows){target.rgba, stride, 0, 1}, &error));
    fails(TM_ERROR_USAGE, "not numbers",
          tm_preview_draw_marks(renderer, &camera, &no_place, 1, &(tm_rows){target.rgba, stride, 0, 1},
                                &error));
    assert_int_equal(
        tm_preview_draw_marks(renderer, &camera, &no_side, 1, &(tm_rows){target.rgba, stride, 0, 1}, &error),
        TM_ERROR_USAGE);
    must(tm_preview_draw_marks(renderer, &camera, &far_off, 1, &(tm_rows){target.rgba, stride, 0, SIDE},
                               &error));
    assert_int_equal(
        tm_preview_draw_marks(renderer, &camera, NULL, 0, &(tm_rows){target.rgba, stride, SIDE, 1}, &error),
        TM_ERROR_USAGE);
    assert_int_equal(
        tm_preview_draw_marks(renderer, &camera, NULL, 0, &(tm_rows){target.rgba, 16, 0, 1}, &error),
        TM_ERROR_USAGE);
    must(tm_preview_draw_marks(renderer, &camera, NULL, 0, &(tm_rows){target.rgba, stride, 0, SIDE}, &error));
    assert_int_equal(test_picture_at(&target, 5, 5), WHITE);
    assert_int_equal(tm_preview_mark_area(&area, map, &no_group, false, &error), TM_ERROR_USAGE);
}
