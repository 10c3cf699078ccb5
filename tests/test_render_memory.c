/* SPDX-License-Identifier: Zlib */
/*
 * The budget of memory: layers that do not fit are unpacked, drawn and let go. The pictures are the same,
 * nothing of such layers stays in the map, and what cannot fit is told.
 *
 * test-labels: threads
 */
#include "support/lib_render.h"

/* As it comes from a file: everything is packed. */
static tm_map *packed_copy(const tm_map *map, tm_buffer *file)
{
    *file = test_map_save(map, NULL);
    return test_map_load(file, TM_MODE_GAME, NULL);
}

static void drop_copy(tm_map *copy, tm_buffer *file)
{
    tm_map_free(copy);
    tm_buffer_release(file);
}

static uint64_t bytes_of_layers(const tm_map *map, bool held_only, uint64_t *largest)
{
    tm_layer_walk walk = {0};
    uint64_t sum = 0;
    *largest = 0;
    while (tm_map_next_layer(map, &walk)) {
        const tm_block *block = walk.layer->kind == TM_LAYER_TILES   ? walk.layer->as.tiles.tiles
                                : walk.layer->kind == TM_LAYER_QUADS ? walk.layer->as.quads.quads
                                                                     : NULL;
        const tm_block_info info = tm_block_get_info(block);
        if (!held_only || info.unpacked) {
            sum += info.size;
            *largest = info.size > *largest ? info.size : *largest;
        }
    }
    return sum;
}

/* A picture of each kind of camera. */
static void check_pictures(const tm_map *map, uint64_t budget, uint32_t expected[4], bool first)
{
    tm_render_options options = {.size = sizeof(options), .memory_budget = budget};
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    for (int kind = TM_CAMERA_VIEW; kind <= TM_CAMERA_ZOOMED; kind++) {
        const tm_camera camera = {.size = sizeof(camera),
                                  .kind = (tm_camera_kind)kind,
                                  .x = 200,
                                  .y = 100,
                                  .zoom = 2,
                                  .scale = 0.5,
                                  .width = 300,
                                  .height = 200,
                                  .time = 1234};
        OWN(test_picture) picture = test_draw(renderer, &camera, 0xFF203040);
        const uint32_t crc = test_picture_crc(&picture);
        if (first)
            expected[kind] = crc;
        assert_int_equal(crc, expected[kind]);
    }
}

static void check_map(const tm_map *map)
{
    uint64_t largest, all = bytes_of_layers(map, false, &largest), images = 8 << 20;
    uint32_t expected[4] = {0};
    tm_buffer file;
    tm_map *plenty = packed_copy(map, &file);
    check_pictures(plenty, 0, expected, true);
    drop_copy(plenty, &file);
    const uint64_t budgets[] = {images + all / 2, images + largest, images + 2 * largest};
    for (size_t i = 0; i < sizeof(budgets) / sizeof(budgets[0]); i++) {
        tm_map *copy = packed_copy(map, &file);
        uint64_t of_one;
        check_pictures(copy, budgets[i], expected, false);
        assert_true(bytes_of_layers(copy, true, &of_one) <= budgets[i]);
        drop_copy(copy, &file);
    }
}

/* What is packed stays packed: the renderer alone keeps layers, as many as there is memory for. */
static void check_plan(const tm_map *map)
{
    tm_buffer file;
    tm_map *copy = packed_copy(map, &file);
    tm_pyramid_frame frame;
    must(tm_pyramid_frame_init(&frame, copy, 16, NULL));
    for (uint32_t g = 0; g < copy->num_groups; g++) {
        float all[64];
        tm_pyramid pyramid;
        uint64_t largest;
        for (uint32_t l = 0; l < 64; l++)
            all[l] = 1;
        assert_in_range(copy->groups[g].num_layers, 0, 64);
        must(tm_pyramid_plan(&pyramid, &frame, g, all, 0, NULL));
        tm_pyramid_release(&pyramid);
        assert_int_equal(bytes_of_layers(copy, true, &largest), 0);
    }
    drop_copy(copy, &file);
}

static tm_map *large_map(void)
{
    const tm_tile noise[3] = {{.index = 1}, {.index = 2, .flags = 1}, {.index = 0}};
    tm_map *map = test_map_of_tiles(800, 800, 16);
    for (uint32_t l = 0; l < 6; l++) {
        const uint32_t at = map->groups[0].num_layers;
        must(tm_map_insert_layer(map, 0, at, TM_LAYER_TILES, 800, 800, NULL));
        for (uint32_t i = 0; i < 400; i++)
            must(tm_map_fill_tiles(map, 0, at,
                                   &(tm_rect){(int32_t)(test_noise(i * 7 + l) % 800),
                                              (int32_t)(test_noise(i * 11 + l) % 800), 9, 5},
                                   &noise[i % 3], NULL));
    }
    return map;
}

static void check_maps(void (*check)(const tm_map *map))
{
    OWN(tm_map) *large = large_map(), *small = test_map_to_draw(TM_GAME_DDNET);
    check(large);
    check(small);
}

TEST(pictures_are_the_same_in_any_budget)
{
    check_maps(check_map);
}

TEST(plans_of_tiles_unpack_nothing_for_good)
{
    check_maps(check_plan);
}

TEST(little_memory_holds_one_layer_at_a_time)
{
    uint64_t largest, of_one;
    tm_buffer file;
    tm_map *made = large_map(), *map = packed_copy(made, &file);
    const uint64_t all = bytes_of_layers(map, false, &largest);
    tm_render_options options = {.size = sizeof(options), .memory_budget = largest + (1 << 20)};
    assert_true(all > 2 * options.memory_budget);
    tm_renderer *renderer = test_renderer_new(map, &options);
    const tm_camera camera = {.size = sizeof(camera), .zoom = 1, .width = 96, .height = 64};
    tm_preview_view view;
    uint32_t num;
    must(tm_preview_views(&view, &num, 1, renderer, &camera, NULL));
    const tm_camera small = test_camera(TM_CAMERA_VIEW, 0, 0, 1, 64, 64, 0, NULL);
    struct test_picture picture = test_draw(renderer, &small, 0);
    test_picture_release(&picture);
    assert_true(bytes_of_layers(map, true, &of_one) <= options.memory_budget - largest);
    tm_renderer_free(renderer);
    /* A layer that does not fit at all. */
    tm_error error;
    options.memory_budget = largest - 1;
    fails(TM_ERROR_LIMIT, "memory_budget", tm_renderer_new(&renderer, map, &options, NULL, &error));
    drop_copy(map, &file);
    tm_map_free(made);
}

static tm_status keep(void *ctx, const void *rgba, uint32_t num_rows, size_t stride, tm_error *error)
{
    uint8_t **target = ctx;
    (void)error;
    memcpy(*target, rgba, num_rows * stride);
    *target += num_rows * stride;
    return TM_OK;
}

/* Threads share the layer that is lent. */
TEST(threads_draw_the_same)
{
    uint64_t largest;
    tm_buffer file;
    tm_map *made = large_map(), *map = packed_copy(made, &file);
    bytes_of_layers(map, false, &largest);
    tm_render_options options = {.size = sizeof(options), .memory_budget = largest + (1 << 20)};
    tm_renderer *renderer = test_renderer_new(map, &options);
    const tm_camera camera = {
        .size = sizeof(camera), .zoom = 3, .x = 4000, .y = 3000, .width = 400, .height = 300};
    struct test_picture alone = test_draw(renderer, &camera, 0), streamed = test_picture_new(400, 300, 0);
    tm_sys_threads *threads;
    must(tm_sys_threads_new(&threads, 2, NULL, NULL));
    tm_job job = {.size = sizeof(job), .executor = tm_sys_threads_executor(threads)};
    uint8_t *rows = streamed.rgba;
    const tm_row_sink sink = {&rows, keep};
    must(tm_renderer_stream(renderer, &camera, NULL, &sink, &job, NULL));
    assert_true(test_picture_same(&alone, &streamed));
    tm_sys_threads_free(threads);
    test_picture_release(&alone);
    test_picture_release(&streamed);
    tm_renderer_free(renderer);
    drop_copy(map, &file);
    tm_map_free(made);
}
