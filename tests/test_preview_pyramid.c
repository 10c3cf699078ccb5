/* SPDX-License-Identifier: Zlib */
/*
 * Plans of pyramids: where cells lie, and that none is missing: every cell on which the renderer draws something is in
 * the plan.
 */
#include "support/lib_render.h"
#include "preview/preview.h"

static void put_tile(tm_map *map, int32_t x, int32_t y)
{
    const tm_tile tile = {.index = 1};
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){x, y, 1, 1}, &tile, NULL));
}

static tm_pyramid_frame frame_of(const tm_map *map, uint32_t pixels)
{
    tm_pyramid_frame frame;
    tm_error error = {0};
    must(tm_pyramid_frame_init(&frame, map, pixels, &error));
    return frame;
}

static bool is_planned(const tm_pyramid *pyramid, uint32_t level, int32_t x, int32_t y)
{
    const tm_pyramid_level *l = &pyramid->levels[level];
    return x >= l->left && y >= l->top && x < l->left + (int32_t)l->width &&
           y < l->top + (int32_t)l->height &&
           l->cells[(size_t)(y - l->top) * l->width + (size_t)(x - l->left)];
}

TEST(the_first_level_is_one_cell_large)
{
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_TILES, 40, 20);
    /* 40 + 2 * 24 tiles of 32 pixels are 2816: 256, 512, 1024, 2048, 4096. */
    tm_pyramid_frame frame = frame_of(map, 32);
    assert_int_equal(frame.num_levels, 5);
    assert_true(frame.width == 40 && frame.height == 20 && frame.scale == 1);
    assert_true(tmi_pyramid_scale(&frame, 4) == 1 && tmi_pyramid_scale(&frame, 0) == 1.0 / 16);
    frame = frame_of(map, 1);
    assert_int_equal(frame.num_levels, 1);
    assert_true(frame.scale == 1.0 / 32);
}

TEST(frames_that_make_no_sense_are_refused)
{
    static const uint32_t wrong[] = {0, 3, 33, 257, 512};
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_TILES, 40, 20);
    tm_pyramid_frame frame;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(tm_pyramid_frame_init(&frame, map, wrong[i], NULL), TM_ERROR_USAGE);
    map->groups[0].layers[0].as.tiles.width = 2000000; /* only the number */
    assert_int_equal(tm_pyramid_frame_init(&frame, map, 256, NULL), TM_ERROR_LIMIT);
    assert_int_equal(frame.num_levels, 0);
    map->groups[0].layers[0].as.tiles.width = 40;
    must(tm_map_remove_layer(map, 0, 0, NULL));
    assert_int_equal(tm_pyramid_frame_init(&frame, map, 32, NULL), TM_ERROR_NOT_FOUND);
}

TEST(the_border_ends_inside_of_cells)
{
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_TILES, 40, 20);
    const tm_pyramid_frame frame = frame_of(map, 32);
    tm_rect p = tmi_pyramid_cell_pixels(&frame, 4, 0, 0);
    assert_true(p.x == 0 && p.y == 0 && tmi_right(&p) == 256 && tmi_bottom(&p) == 256);
    /* The border begins 24 tiles to the left, at pixel -768 = -3 * 256, and 17 tiles up, at -544. */
    p = tmi_pyramid_cell_pixels(&frame, 4, -3, -3);
    assert_true(p.x == 0 && p.y == 768 - 544 && tmi_right(&p) == 256 && tmi_bottom(&p) == 256);
    p = tmi_pyramid_cell_pixels(&frame, 4, -4, 0);
    assert_true(p.x == 256 && p.width == 0);
}

/* ---------------------------------------------------------------------------------------------------- plan */

TEST(a_tile_is_on_one_cell_of_each_level)
{
    static const float all[] = {1};
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_TILES, 40, 20);
    tm_pyramid_frame frame = frame_of(map, 32);
    OWN(tm_pyramid) pyramid;
    must(tm_pyramid_plan(&pyramid, &frame, 0, all, 0, NULL));
    assert_int_equal(tm_pyramid_count(&pyramid), 0); /* air all over */
    assert_true(pyramid.cost == 0);
    tm_pyramid_release(&pyramid);
    put_tile(map, 10, 5);
    must(tm_pyramid_plan(&pyramid, &frame, 0, all, 0, NULL));
    assert_int_equal(tm_pyramid_count(&pyramid), 5);
    for (uint32_t l = 0; l < 5; l++)
        assert_true(is_planned(&pyramid, l, l == 4 ? 1 : 0, 0));
    assert_true(pyramid.cost >= 5.0 * 256 * 256);
    tm_pyramid_release(&pyramid);
    tm_pyramid_release(&pyramid); /* empty now */
    map->groups[0].offset_x = 256 * 2;
    must(tm_pyramid_plan(&pyramid, &frame, 0, all, 0, NULL));
    assert_true(is_planned(&pyramid, 4, -1, 0) && !is_planned(&pyramid, 4, 1, 0));
}

TEST(layers_that_are_not_shown_do_not_count)
{
    static const float none[] = {0};
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_TILES, 40, 20);
    tm_pyramid_frame frame = frame_of(map, 32);
    tm_pyramid pyramid;
    put_tile(map, 10, 5);
    must(tm_pyramid_plan(&pyramid, &frame, 0, none, 0, NULL));
    assert_int_equal(tm_pyramid_count(&pyramid), 0);
    tm_pyramid_release(&pyramid);
    assert_int_equal(tm_pyramid_plan(&pyramid, &frame, 1, none, 0, NULL), TM_ERROR_USAGE);
}

/* A layer goes on for ever with the tiles of its edge, so the border shows them. */
TEST(tiles_at_the_edge_reach_into_the_border)
{
    static const float all[] = {1};
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_TILES, 40, 20);
    tm_pyramid_frame frame = frame_of(map, 32);
    OWN(tm_pyramid) pyramid;
    put_tile(map, 0, 10);
    must(tm_pyramid_plan(&pyramid, &frame, 0, all, 0, NULL));
    assert_true(is_planned(&pyramid, 4, -3, 1) && is_planned(&pyramid, 4, -1, 1) &&
                is_planned(&pyramid, 4, 0, 1));
    assert_false(is_planned(&pyramid, 4, 1, 1) || is_planned(&pyramid, 4, -1, 0));
}

TEST(clips_that_stand_still_cut)
{
    static const float all[] = {1};
    const tm_tile tile = {.index = 1};
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_TILES, 40, 20);
    tm_pyramid_frame frame = frame_of(map, 32);
    tm_group *group = &map->groups[0];
    tm_pyramid pyramid;
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){0, 0, 40, 20}, &tile, NULL));
    group->use_clipping = true;
    group->clip_w = group->clip_h = 100;
    assert_true(tm_pyramid_is_clipped(map, 0) && tm_pyramid_keeps_clip(map, 0));
    must(tm_pyramid_plan(&pyramid, &frame, 0, all, 0, NULL));
    assert_true(is_planned(&pyramid, 4, 0, 0) && !is_planned(&pyramid, 4, 3, 1));
    tm_pyramid_release(&pyramid);
    group->parallax_x = 50; /* it moves: all is kept, and who shows it clips it */
    assert_true(tm_pyramid_is_clipped(map, 0) && !tm_pyramid_keeps_clip(map, 0));
    must(tm_pyramid_plan(&pyramid, &frame, 0, all, 0, NULL));
    assert_true(is_planned(&pyramid, 4, 3, 1));
    tm_pyramid_release(&pyramid);
    group->parallax_x = 100;
    group->clip_x = 1000000; /* nothing is left */
    must(tm_pyramid_plan(&pyramid, &frame, 0, all, 0, NULL));
    assert_int_equal(tm_pyramid_count(&pyramid), 0);
    tm_pyramid_release(&pyramid);
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_GAME, 40, 20, NULL));
    assert_false(tm_pyramid_is_clipped(map, 0) || tm_pyramid_keeps_clip(map, 0));
}

TEST(looking_has_a_limit)
{
    static const float all[] = {1};
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_TILES, 40, 20);
    tm_pyramid_frame frame = frame_of(map, 32);
    tm_pyramid pyramid;
    const uint64_t before = frame.looks;
    must(tm_pyramid_plan(&pyramid, &frame, 0, all, 0, NULL));
    assert_true(frame.looks < before);
    tm_pyramid_release(&pyramid);
    frame.looks = 10;
    assert_int_equal(tm_pyramid_plan(&pyramid, &frame, 0, all, 0, NULL), TM_ERROR_LIMIT);
    assert_int_equal(tm_pyramid_count(&pyramid), 0);
}

/* ---------------------------------------------------------------------------------------- beside the renderer */

static bool draws_anything(const tm_renderer *renderer, const tm_pyramid_frame *frame, uint32_t level,
                           int32_t x, int32_t y, const float *opacities, double time)
{
    static uint8_t rgba[TM_PYRAMID_SIDE * TM_PYRAMID_SIDE * 4];
    tm_pyramid_cell cell = {level, x, y, TM_PYRAMID_CLEAR};
    must(tm_pyramid_draw(&cell, 1, rgba, &(tm_pyramid_scene){frame, renderer, opacities, time}, NULL, NULL));
    return cell.alpha != TM_PYRAMID_CLEAR;
}

TEST(cells_say_what_alpha_they_have)
{
    static uint8_t rgba[3][TM_PYRAMID_SIDE * TM_PYRAMID_SIDE * 4];
    const tm_tile tile = {.index = 1};
    OWN(tm_map) *map = test_map_of_layer(TM_LAYER_TILES, 40, 20);
    tm_pyramid_frame frame = frame_of(map, 32);
    /* The border begins 544 pixels above the map, inside of the cell that begins at 768. */
    tm_pyramid_cell cells[3] = {{.level = 4}, {.level = 4, .y = -3}, {.level = 4, .y = -4}};
    tm_pyramid_cell outside_cell = {.level = 5};
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){0, 0, 40, 20}, &tile, NULL)); /* white and solid, for ever */
    OWN(tm_renderer) *renderer = test_renderer_new(map, NULL);
    must(tm_pyramid_draw(cells, 3, rgba, &(tm_pyramid_scene){&frame, renderer, NULL, 0}, NULL, NULL));
    assert_int_equal(cells[0].alpha, TM_PYRAMID_OPAQUE);
    assert_int_equal(cells[1].alpha, TM_PYRAMID_MIXED);
    assert_int_equal(rgba[1][4 * (223 * TM_PYRAMID_SIDE) + 3], 0);
    assert_int_equal(rgba[1][4 * (224 * TM_PYRAMID_SIDE) + 3], 255);
    assert_int_equal(cells[2].alpha, TM_PYRAMID_CLEAR);
    assert_int_equal(
        tm_pyramid_draw(&outside_cell, 1, rgba, &(tm_pyramid_scene){&frame, renderer, NULL, 0}, NULL, NULL),
        TM_ERROR_USAGE);
}

static void check_group(tm_map *map, tm_pyramid_frame *frame, uint32_t group, double time)
{
    const uint32_t num = tm_map_num_layers(map), first = tm_map_layer_number(map, group, 0);
    FREED float *opacities = calloc(num, sizeof(*opacities));
    OWN(tm_pyramid) pyramid;
    assert_non_null(opacities);
    for (uint32_t l = 0; l < map->groups[group].num_layers; l++)
        opacities[first + l] = 1;
    tm_render_options options = {.size = sizeof(options), .entities = true};
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    must(tm_pyramid_plan(&pyramid, frame, group, opacities + first, time, NULL));
    for (uint32_t level = 0; level < frame->num_levels; level++) {
        const int32_t reach = 2 << level;
        for (int32_t y = -reach; y < reach; y++) {
            for (int32_t x = -reach; x < reach; x++) {
                if (!is_planned(&pyramid, level, x, y) &&
                    draws_anything(renderer, frame, level, x, y, opacities, time))
                    fail_msg("group %u, level %u: cell %d,%d is not in the plan", (unsigned)group,
                             (unsigned)level, (int)x, (int)y);
            }
        }
    }
}

TEST(no_cell_is_missing)
{
    static const tm_game games[] = {TM_GAME_DDNET, TM_GAME_TEEWORLDS07};
    for (size_t i = 0; i < 2; i++) {
        OWN(tm_map) *map = test_map_to_draw(games[i]);
        tm_pyramid_frame frame = frame_of(map, 4);
        for (uint32_t g = 0; g < map->num_groups; g++)
            map->groups[g].use_clipping = tm_pyramid_keeps_clip(map, g);
        for (uint32_t g = 0; g < map->num_groups; g++) {
            check_group(map, &frame, g, 0);
            check_group(map, &frame, g, 777);
        }
    }
}

TEST(failing_memory_is_told_and_given_back)
{
    static const float all[] = {1, 1};
    const tm_quad quad = {.points = {{0}, {99999, 0}, {0, 99999}, {99999, 99999}}};
    EACH_FAILURE_LATER(memory) {
        tm_map_options options = TM_MAP_OPTIONS_INIT;
        tm_map *map;
        tm_pyramid pyramid;
        options.allocator = &memory.allocator;
        must(tm_map_new(&map, &options, NULL));
        test_insert_group(map, 0, TM_LAYER_TILES, 40, 20);
        must(tm_map_insert_layer(map, 0, 1, TM_LAYER_QUADS, 0, 0, NULL));
        must(tm_map_set_quads(map, 0, 1, &quad, 1, NULL));
        tm_pyramid_frame frame = frame_of(map, 32);
        memory.fail_at = memory.num_requests + memory.n;
        const tm_status status = tm_pyramid_plan(&pyramid, &frame, 0, all, 0, NULL);
        if (status)
            assert_int_equal(tm_pyramid_count(&pyramid), 0);
        tm_pyramid_release(&pyramid);
        tm_map_free(map);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        if (!memory.failed)
            assert_true(memory.n > 6); /* cells, counts, the trimmed cells, four more levels */
    }
}
