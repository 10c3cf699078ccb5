/* SPDX-License-Identifier: Zlib */
/* The times of an animation: what moves in a picture, exact loops, the least jump, back and forth. */
#include "support/lib_edit.h"
#include "preview/preview.h"

static tm_map *map;
static tm_renderer *renderer;
static tm_camera camera;

/* A white square of a tile whose middle is (x, y) tiles. */
static tm_quad square(int32_t x, int32_t y, int32_t position, int32_t color)
{
    tm_quad quad = {.position_envelope = position, .color_envelope = color};
    for (int i = 0; i < 4; i++) {
        quad.points[i].x = (x * 32 + (i & 1 ? 16 : -16)) * TM_FX;
        quad.points[i].y = (y * 32 + (i & 2 ? 16 : -16)) * TM_FX;
        quad.colors[i] = (tm_color){255, 255, 255, 255};
    }
    quad.points[4] = (tm_point){x * 32 * TM_FX, y * 32 * TM_FX};
    return quad;
}

static void set_layer(uint32_t layer, const tm_quad *quads, uint32_t num)
{
    must(tm_map_set_quads(map, 0, layer, quads, num, NULL));
}

/*
 * Two layers of quads; the picture shows tiles 0 to 10. Envelopes: 0 moves by 4 tiles in 2 s, 1 changes a
 * color in 3 s, 2 turns in 7 s, 3 moves in 101,000 s, 4 fades from clear to clear.
 */
static void make_map(void)
{
    renderer = NULL;
    map =
        test_map_of("add envelope position\nadd point envelope/0 0 0\nadd point envelope/0 2000 128\n"
                    "add envelope color\nadd point envelope/1 0 1 1 1 1\nadd point envelope/1 3000 1 0 1 1\n"
                    "add envelope position\nadd point envelope/2 0 0\nadd point envelope/2 7000 0 0 360\n"
                    "add envelope position\nadd point envelope/3 0 0\nadd point envelope/3 101000000 0 32\n"
                    "add envelope color\nadd point envelope/4 0 1 1 1 -1\nadd point envelope/4 5000 1 1 1 0\n"
                    "add group\nadd layer 0 quads\nadd layer 0 quads");
    camera = (tm_camera)TM_CAMERA_INIT;
    camera.kind = TM_CAMERA_FLAT;
    camera.width = camera.height = 320;
}

static void drop_map(void)
{
    tm_renderer_free(renderer);
    tm_map_free(map);
}

static void prepare(void)
{
    tm_renderer_free(renderer);
    must(tm_renderer_new(&renderer, map, NULL, NULL, NULL));
}

static tm_preview_loop find(double most, double duration, bool back)
{
    tm_preview_loop_options options = TM_PREVIEW_LOOP_OPTIONS_INIT;
    tm_preview_loop loop;
    options.most = most;
    options.duration = duration;
    options.back = back;
    prepare();
    must(tm_preview_find_loop(&loop, renderer, &camera, &options, NULL));
    return loop;
}

/* What the picture shows moving, by the period of all of it: an x for each such envelope. */
static void check_moving(const char *expected)
{
    static const uint64_t periods[5] = {2000, 3000, 7000, 101000000, 5000};
    const uint64_t period = find(0, 1, false).period;
    for (int i = 0; i < 5; i++)
        if ((period && period % periods[i] == 0) != (expected[i] == 'x'))
            fail_msg("envelope %d, of %s", i, expected);
}

/* ------------------------------------------------------------------------------------------------- moving */

TEST(what_stands_in_the_picture_counts)
{
    const tm_quad quads[] = {square(5, 5, 0, 1), square(5, 5, -1, 99)};
    check_moving(".....");
    set_layer(0, quads, 2);
    check_moving("xx...");
    camera.x = 1000;
    check_moving(".....");
}

/* 4 tiles to the right of where it stands. */
TEST(what_comes_into_the_picture_counts)
{
    const tm_quad close_quad = square(-3, 5, 0, -1), far_off = square(-6, 5, 0, -1),
                  right = square(12, 5, 0, -1);
    set_layer(0, &close_quad, 1);
    check_moving("x....");
    set_layer(0, &far_off, 1);
    check_moving(".....");
    set_layer(0, &right, 1);
    check_moving(".....");
}

TEST(what_turns_reaches_all_around)
{
    tm_quad quad = square(14, 5, 2, -1);
    set_layer(0, &quad, 1);
    check_moving(".....");
    quad.points[4].x = 11 * 32 * TM_FX; /* comes 3.5 tiles to the left of it */
    set_layer(0, &quad, 1);
    check_moving("..x..");
}

TEST(what_is_always_clear_does_not_count)
{
    tm_quad quad = square(5, 5, 0, 4);
    set_layer(0, &quad, 1);
    check_moving(".....");
    quad.color_envelope = -1;
    set_layer(0, &quad, 1);
    check_moving("x....");
    for (int i = 0; i < 4; i++)
        quad.colors[i].a = 0;
    set_layer(0, &quad, 1);
    check_moving(".....");
}

/* A wall over the whole picture, or with a gap, or half transparent, or itself in motion. */
TEST(what_is_hidden_does_not_count)
{
    const tm_quad behind = square(5, 5, -1, 1);
    tm_quad wall[2] = {square(5, 5, -1, -1), square(40, 40, -1, 1)};
    const float half[] = {1, 0.5f};
    set_layer(0, &behind, 1);
    for (int i = 0; i < 4; i++) {
        wall[0].points[i].x = (i & 1 ? 400 : -100) * TM_FX;
        wall[0].points[i].y = (i & 2 ? 400 : -100) * TM_FX;
    }
    set_layer(1, wall, 1);
    check_moving(".....");
    camera.opacities = half;
    check_moving(".x...");
    camera.opacities = NULL;
    set_layer(1, wall, 2); /* what is in motion is not trusted to hide */
    check_moving(".x...");
    wall[0].points[0].x = wall[0].points[2].x = 150 * TM_FX; /* its left side */
    set_layer(1, wall, 1);
    check_moving(".x...");
    map->groups[0].use_clipping = true; /* where one would see it */
    map->groups[0].clip_x = 200;
    map->groups[0].clip_w = map->groups[0].clip_h = 100;
    check_moving(".....");
}

/* A layer of tiles goes on for ever at its edges, and only what is not air counts. */
TEST(tiles_count_by_where_they_are)
{
    tm_tile tiles[4] = {{0}};
    must(tm_map_insert_layer(map, 0, 2, TM_LAYER_TILES, 2, 2, NULL));
    map->groups[0].layers[2].as.tiles.color_envelope = 1;
    map->groups[0].layers[2].as.tiles.color = (tm_color){255, 255, 255, 255};
    must(tm_map_write_tiles(map, 0, 2, &(tm_rect){0, 0, 2, 2}, tiles, 0, NULL));
    check_moving(".....");
    tiles[3].index = 1;
    must(tm_map_write_tiles(map, 0, 2, &(tm_rect){0, 0, 2, 2}, tiles, 0, NULL));
    check_moving(".x...");
    camera.x = camera.y = 4000;
    check_moving(".x...");
    camera.y = -4000;
    check_moving(".....");
}

/* As it is not drawn; and the other layers are looked at all the same. */
TEST(a_damaged_layer_does_not_move)
{
    const tm_quad quad = square(5, 5, 0, -1);
    tm_tile tiles[64];
    tm_map *const whole = map;
    bool damaged = false;
    for (uint32_t i = 0; i < 64; i++)
        tiles[i] = (tm_tile){.index = (uint8_t)(i * 37 + 1), .flags = (uint8_t)(i * i % 11)};
    must(tm_map_insert_layer(map, 0, 2, TM_LAYER_TILES, 8, 8, NULL));
    map->groups[0].layers[2].as.tiles.color_envelope = 1;
    map->groups[0].layers[2].as.tiles.color = (tm_color){255, 255, 255, 255};
    must(tm_map_write_tiles(map, 0, 2, &(tm_rect){0, 0, 8, 8}, tiles, 0, NULL));
    set_layer(0, &quad, 1);
    check_moving("xx...");
    OWN(tm_buffer) saved = test_map_save(map, NULL);
    for (size_t at = saved.size / 2; at + 8 < saved.size && !damaged; at++) {
        for (size_t i = 0; i < 8; i++)
            saved.bytes[at + i] ^= 0xFF;
        const void *bytes;
        map = NULL;
        if (test_map_try(&map, &saved, TM_MODE_GAME, NULL, NULL) == TM_OK && map->num_groups == 1 &&
            map->groups[0].num_layers == 3 && map->num_envelopes == 5 &&
            tm_map_data(&bytes, NULL, map, map->groups[0].layers[2].as.tiles.tiles, NULL) ==
                TM_ERROR_DAMAGED &&
            tm_map_data(&bytes, NULL, map, map->groups[0].layers[0].as.quads.quads, NULL) == TM_OK) {
            damaged = true;
            check_moving("x....");
            tm_renderer_free(renderer);
            renderer = NULL;
        }
        tm_map_free(map);
        for (size_t i = 0; i < 8; i++)
            saved.bytes[at + i] ^= 0xFF;
    }
    map = whole;
    assert_true(damaged);
}

TEST(loops_are_exact_where_they_can_be)
{
    const tm_quad quads[] = {square(5, 5, 0, 1), square(500, 5, 3, -1)};
    tm_preview_loop loop = find(0, 0, false);
    assert_int_equal(loop.kind, TM_PREVIEW_STILL);
    assert_true(loop.duration <= 0 && loop.period == 0);
    set_layer(0, quads, 2); /* the second one is far away */
    camera.time = 70;
    loop = find(0, 0, false);
    assert_int_equal(loop.kind, TM_PREVIEW_EXACT);
    assert_int_equal(loop.period, 6000);
    assert_true(loop.start == 70 && loop.duration == 6000 && loop.jump == 0);
    assert_true(tm_preview_loop_time(&loop, 3, 4) == 4570);
}

/* Before its envelope begins a quad stands still: a loop that began there would jump. */
TEST(loops_wait_for_what_is_behind)
{
    tm_quad quad = square(5, 5, 0, -1);
    uint8_t first[320 * 4], again[320 * 4];
    quad.position_offset = -4500;
    set_layer(0, &quad, 1);
    const tm_preview_loop loop = find(0, 0, false);
    assert_true(loop.kind == TM_PREVIEW_EXACT && loop.start == 6000 && loop.duration == 2000);
    for (uint32_t i = 0; i < 8; i++) {
        memset(first, 0, sizeof(first));
        memset(again, 0, sizeof(again));
        camera.time = tm_preview_loop_time(&loop, i, 8);
        must(tm_renderer_draw(renderer, &camera, &(tm_rows){first, sizeof(first), 160, 1}, NULL));
        camera.time += loop.duration;
        must(tm_renderer_draw(renderer, &camera, &(tm_rows){again, sizeof(again), 160, 1}, NULL));
        assert_memory_equal(first, again, sizeof(first));
    }
}

/* 2 s and 7 s, and one that creeps: 14 s is the best end, however long it takes until all is exact. */
TEST(the_least_jump_is_found)
{
    const tm_quad quads[] = {square(2, 3, 0, -1), square(7, 7, 2, -1), square(5, 1, 3, -1)};
    set_layer(0, quads, 3);
    tm_preview_loop loop = find(20000, 0, false);
    assert_int_equal(loop.kind, TM_PREVIEW_NEAR);
    assert_true(loop.period > 100000000);
    assert_true(loop.duration > 13900 && loop.duration < 14100);
    assert_true(loop.jump < 5);
    loop = find(9000, 0, false);
    assert_true(loop.duration > 2250 && loop.duration <= 9000);
    set_layer(0, quads, 2);
    loop = find(13000, 0, false); /* one that would be exact is too long */
    assert_true(loop.kind == TM_PREVIEW_NEAR && loop.period == 14000 && loop.duration <= 13000);
}

TEST(forth_and_back_shows_the_same_twice)
{
    const tm_quad quad = square(5, 5, 0, -1);
    set_layer(0, &quad, 1);
    const tm_preview_loop loop = find(0, 0, true), told = find(0, 1000, true), cut = find(0, 1000, false);
    assert_true(loop.kind == TM_PREVIEW_BACK && loop.duration == 8000);
    for (uint32_t i = 1; i < 10; i++)
        assert_true(tm_preview_loop_time(&loop, i, 10) == tm_preview_loop_time(&loop, 10 - i, 10));
    assert_true(tm_preview_loop_time(&loop, 5, 10) == 4000);
    assert_true(told.kind == TM_PREVIEW_BACK && told.duration == 1000);
    assert_true(cut.kind == TM_PREVIEW_CUT && tm_preview_loop_time(&cut, 9, 10) == 900);
}

TEST(bad_options_are_refused)
{
    tm_preview_loop_options options = TM_PREVIEW_LOOP_OPTIONS_INIT;
    tm_preview_loop loop;
    prepare();
    options.most = -1;
    assert_int_equal(tm_preview_find_loop(&loop, renderer, &camera, &options, NULL), TM_ERROR_USAGE);
    options.most = 0;
    options.duration = 2e9;
    assert_int_equal(tm_preview_find_loop(&loop, renderer, &camera, &options, NULL), TM_ERROR_USAGE);
    camera.width = 0;
    assert_int_equal(tm_preview_find_loop(&loop, renderer, &camera, NULL, NULL), TM_ERROR_USAGE);
    assert_string_equal(tm_preview_loop_name(TM_PREVIEW_CUT), "cut");
    assert_null(tm_preview_loop_name((tm_preview_loop_kind)5));
}

TEST(failing_memory_is_told)
{
    const tm_quad quads[] = {square(2, 3, 0, 1), square(7, 7, 3, -1)};
    set_layer(0, quads, 2);
    camera.width = camera.height = 20;
    for (size_t n = 1;; n++) {
        struct test_memory memory = TEST_MEMORY(memory);
        tm_preview_loop loop;
        tm_render_options options = {.size = sizeof(options), .allocator = &memory.allocator};
        tm_renderer_free(renderer);
        must(tm_renderer_new(&renderer, map, &options, NULL, NULL));
        const size_t before = memory.num_blocks;
        memory.fail_at = memory.num_requests + n;
        const tm_status status = tm_preview_find_loop(&loop, renderer, &camera, NULL, NULL);
        const bool failed = memory.failed;
        assert_int_equal(memory.num_blocks, before);
        tm_renderer_free(renderer);
        renderer = NULL;
        if (!failed || n > 30) { /* the same for each of many pictures */
            assert_true(failed || status == TM_OK);
            break;
        }
        assert_int_equal(status, TM_ERROR_MEMORY);
    }
}

TEST_EACH(make_map, drop_map)
