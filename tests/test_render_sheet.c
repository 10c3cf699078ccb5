/* SPDX-License-Identifier: Zlib */
/*
 * The library's own sheet of entities (docs/render.md section 10): all that the games know can be told apart
 * and what is below still seen. Then what must hold of every picture with entities: it is the same on every
 * machine, in bands, by threads and by plain code, and nothing odd breaks it.
 *
 * test-labels: threads
 * test-timeout: 300
 */
#include "render/render.h"
#include "support/lib_entities.h"
#include "support/test.h"

#include <pthread.h>

#define BLACK 0xFF000000u

enum { BIG = 64 }; /* pixels of a cell of our sheet */

static void check_distinct(tm_layer_kind kind, uint32_t side)
{
    OWN(tm_map) *map = test_entity_map(kind, 256, 1);
    uint32_t crcs[256], num = 1; /* 0 is air */
    for (uint32_t index = 1; index < 256; index++)
        if (test_is_known(kind, index))
            test_put_entity(map, (int32_t)num++, 0, (uint8_t)index);
    test_tile_crcs(crcs, map, num, side);
    test_all_differ(crcs, num);
}

TEST(our_sheet_tells_all_apart)
{
    for (uint32_t side = 64; side >= 16; side /= 2) {
        check_distinct(TM_LAYER_GAME, side);
        check_distinct(TM_LAYER_FRONT, side);
        check_distinct(TM_LAYER_TELE, side);
        check_distinct(TM_LAYER_SWITCH, side);
    }
}

static tm_map *all_cells(void)
{
    tm_map *map = test_entity_map(TM_LAYER_GAME, 16, 16);
    for (int32_t i = 0; i < 256; i++)
        test_put_entity(map, i % 16, i / 16, (uint8_t)i);
    return map;
}

/* What lies below an entity is still seen, and no cell but air is empty. */
TEST(our_sheet_is_clear)
{
    const tm_render_options options = test_entity_options();
    const tm_camera camera = test_tiles_at(0, 0, 16, 16, BIG, test_full);
    OWN(tm_map) *map = all_cells();
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    OWN(test_picture) picture = test_draw(renderer, &camera, 0);
    for (uint32_t cell = 0; cell < 256; cell++) {
        uint64_t sum = 0;
        uint32_t most = 0;
        for (uint32_t i = 0; i < BIG * BIG; i++) {
            const uint32_t alpha =
                test_picture_at(&picture, cell % 16 * BIG + i % BIG, cell / 16 * BIG + i / BIG) >> 24;
            sum += alpha;
            most = alpha > most ? alpha : most;
        }
        const uint64_t mean = sum / (BIG * BIG);
        if (cell ? mean < 60 || mean > 235 || most < 100 : mean > 0)
            fail_msg("cell %u has a mean alpha of %u", cell, (unsigned)mean);
    }
}

/* A map with all kinds of physics layers, full of noise. */
static tm_map *noisy_map(tm_game game)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME,    TM_LAYER_FRONT,  TM_LAYER_TELE,
                                          TM_LAYER_SPEEDUP, TM_LAYER_SWITCH, TM_LAYER_TUNE};
    tm_map *map = test_map_to_draw(game);
    for (uint32_t k = 0; k < 6; k++) {
        tm_edit_grid grid;
        if (k > 0) /* the game layer is there */
            must(tm_map_insert_layer(map, 2, k, kinds[k], 50, 40, NULL));
        must(tm_map_edit_tiles(&grid, map, 2, k, NULL));
        for (uint32_t i = 0; i < 50 * 40 * grid.tile_size; i++)
            ((uint8_t *)grid.tiles)[i] = (uint8_t)(test_noise(i + 5000 * k) >> 4);
        for (uint32_t i = 0; kinds[k] == TM_LAYER_SPEEDUP && i < 50 * 40; i++) {
            tm_speedup_tile *tile = &((tm_speedup_tile *)grid.tiles)[i];
            const uint8_t *angle = (const uint8_t *)&tile->angle;
            tile->angle = (int16_t)(angle[0] | angle[1] << 8); /* of either byte order, the same one */
            tile->type = (uint8_t)(28 + i % 3);
        }
    }
    return map;
}

enum { MOST = 64 };

static void random_opacities(float opacities[MOST], uint32_t seed)
{
    for (uint32_t i = 0; i < MOST; i++)
        opacities[i] = (float)(test_noise(seed * MOST + i) % 5) * 0.25F;
}

static tm_camera camera_at(uint32_t number, const float *opacities)
{
    const tm_camera cameras[] = {
        test_tiles_at(0, 0, 12, 9, 16, opacities), test_tiles_at(-9.3, 11, 70, 40, 3, opacities),
        test_tiles_at(3, 5, 3, 3, 64, opacities), test_tiles_at(-260, -40, 60, 60, 2, opacities)};
    tm_camera camera = cameras[number % 4];
    camera.kind = number % 3 ? TM_CAMERA_FLAT : TM_CAMERA_REGION;
    camera.time = number * 777.0;
    return camera;
}

/*
 * Pixels do not depend on the machine or the compiler. A change of these numbers is a change of what people
 * see.
 */
TEST(entities_are_the_same_everywhere)
{
    static const uint32_t expected[] = {0x5ce62334, 0x07455a94, 0x03d034d2, 0x1d80421a, 0xe7064d10};
    const tm_render_options options = test_entity_options();
    uint32_t crcs[5];
    bool same = true;
    OWN(tm_map) *map = noisy_map(TM_GAME_DDNET), *cells = all_cells();
    const tm_camera sheet = test_tiles_at(0, 0, 16, 16, BIG, test_full);
    float opacities[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        opacities[i] = 0.7F;
    crcs[0] = test_crc_of(cells, &options, &sheet);
    for (uint32_t i = 1; i < 5; i++) {
        const tm_camera camera = camera_at(i, opacities);
        crcs[i] = test_crc_of(map, &options, &camera);
    }
    for (uint32_t i = 0; i < 5; i++) {
        if (crcs[i] != expected[i])
            print_message("picture %u has the checksum 0x%08x\n", i, crcs[i]);
        same &= crcs[i] == expected[i];
    }
    assert_true(same);
}

/* ------------------------------------------------------------------------------------------- same pictures */

TEST(bands_make_the_whole)
{
    const tm_render_options options = test_entity_options();
    for (int is_07 = 0; is_07 < 2; is_07++) {
        OWN(tm_map) *map = noisy_map(is_07 ? TM_GAME_TEEWORLDS07 : TM_GAME_DDNET);
        OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
        for (uint32_t i = 0; i < 8; i++) {
            float opacities[MOST];
            random_opacities(opacities, i);
            const tm_camera camera = camera_at(i, opacities);
            OWN(test_picture) whole = test_draw(renderer, &camera, BLACK),
                              bands = test_picture_new(whole.width, whole.height, BLACK);
            for (uint32_t row = 0; row < whole.height; row += 13)
                must(tm_renderer_draw(renderer, &camera,
                                      &(tm_rows){bands.rgba + (size_t)row * whole.width * 4,
                                                 (size_t)whole.width * 4, row,
                                                 whole.height - row < 13 ? whole.height - row : 13},
                                      NULL));
            assert_true(test_picture_same(&whole, &bands));
        }
    }
}

struct drawing {
    const tm_renderer *renderer;
    tm_camera camera;
    struct test_picture picture;
};

static void *draw_one(void *arg)
{
    struct drawing *drawing = arg;
    drawing->picture = test_draw(drawing->renderer, &drawing->camera, BLACK);
    return NULL;
}

TEST(threads_and_plain_code_draw_the_same)
{
    enum { NUM = 4 };
    const tm_render_options options = test_entity_options();
    OWN(tm_map) *map = noisy_map(TM_GAME_DDNET), *other = noisy_map(TM_GAME_DDNET);
    OWN(tm_renderer) *shared = test_renderer_new(map, &options), *plain = test_renderer_new(other, &options);
    struct drawing drawings[NUM];
    float opacities[NUM][MOST];
    pthread_t threads[NUM];
    plain->draw_cell = tmi_draw_cell_plain;
    for (uint32_t i = 0; i < NUM; i++) {
        random_opacities(opacities[i], 10 + i);
        drawings[i] = (struct drawing){shared, camera_at(i, opacities[i]), {0}};
    }
    for (int i = 0; i < NUM; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, draw_one, &drawings[i]), 0);
    for (int i = 0; i < NUM; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < NUM; i++) {
        struct test_picture picture = test_draw(plain, &drawings[i].camera, BLACK);
        assert_true(test_picture_same(&picture, &drawings[i].picture));
        test_picture_release(&picture);
        test_picture_release(&drawings[i].picture);
    }
}

/* Entities look the same in the look of Teeworlds 0.7, which has no rules for them. */
TEST(looks_do_not_matter)
{
    OWN(tm_map) *map = all_cells();
    uint32_t crcs[2];
    for (int i = 0; i < 2; i++) {
        tm_render_options options = test_entity_options();
        options.look = i ? TM_CLIENT_TEEWORLDS07 : TM_CLIENT_DDNET;
        const tm_camera camera = test_tiles_at(0, 0, 16, 16, 19, test_full);
        crcs[i] = test_crc_of(map, &options, &camera);
    }
    assert_int_equal(crcs[0], crcs[1]);
}

/* ------------------------------------------------------------------------------------------------ hostile */

static tm_status try_new(const tm_map *map, const tm_render_options *options)
{
    OWN(tm_renderer) *renderer;
    const tm_status status = tm_renderer_new(&renderer, map, options, NULL, NULL);
    assert_int_equal(renderer ? 1 : 0, status == TM_OK);
    return status;
}

TEST(odd_sheets)
{
    static const struct {
        tm_pixels sheet, arrow; /* rgba: NULL or anything else */
        tm_status status;
    } cases[] = {
        {{NULL, 0, 0}, {NULL, 0, 0}, TM_OK},
        {{NULL, 5, 123456789}, {NULL, UINT32_MAX, 0}, TM_OK},
        {{"", 0, 0}, {NULL, 0, 0}, TM_ERROR_USAGE},
        {{"", 15, 16}, {NULL, 0, 0}, TM_ERROR_USAGE},
        {{"", 16, 15}, {NULL, 0, 0}, TM_ERROR_USAGE},
        {{"", 8193, 16}, {NULL, 0, 0}, TM_ERROR_USAGE},
        {{"", UINT32_MAX, UINT32_MAX}, {NULL, 0, 0}, TM_ERROR_USAGE},
        {{NULL, 0, 0}, {"", 0, 1}, TM_ERROR_USAGE},
        {{NULL, 0, 0}, {"", 1, 8193}, TM_ERROR_USAGE},
        {{"", 16, 16}, {"", 1, 1}, TM_OK},
        {{"", 61, 16}, {"", 1, 37}, TM_OK},
        {{"", 100, 333}, {"", 64, 3}, TM_OK},
    };
    OWN(tm_map) *map = noisy_map(TM_GAME_DDNET);
    FREED uint8_t *pixels = calloc((size_t)100 * 333, 4);
    assert_non_null(pixels);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        tm_render_options options = test_entity_options();
        options.entity_sheet = cases[i].sheet;
        options.speedup_arrow = cases[i].arrow;
        if (cases[i].sheet.rgba)
            options.entity_sheet.rgba = pixels;
        if (cases[i].arrow.rgba)
            options.speedup_arrow.rgba = pixels;
        assert_int_equal(try_new(map, &options), cases[i].status);
    }
}

TEST(budgets_hold)
{
    OWN(tm_map) *map = all_cells();
    tm_render_options options = test_entity_options();
    options.memory_budget = 4 * 1024 * 1024; /* the sheet alone is as large, and has smaller levels */
    assert_int_equal(try_new(map, &options), TM_ERROR_LIMIT);
    options.memory_budget = 6 * 1024 * 1024;
    must(try_new(map, &options));
    options.pixel_limit = 1000;
    OWN(tm_renderer) *renderer = test_renderer_new(map, &options);
    const tm_camera camera = test_tiles_at(0, 0, 16, 16, 4, test_full);
    OWN(test_picture) picture = test_picture_new(64, 64, BLACK);
    assert_int_equal(tm_renderer_draw(renderer, &camera, &(tm_rows){picture.rgba, 256, 0, 64}, NULL),
                     TM_ERROR_LIMIT);
}

TEST(memory_runs_out)
{
    const tm_switch_tile gate = {.type = 24, .number = 1, .delay = 2};
    const tm_tune_tile tune = {.type = 68, .number = 3};
    OWN(tm_map) *map = test_entity_map(TM_LAYER_SWITCH, 1, 1);
    test_put_tile(map, 0, 0, &gate);
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_TUNE, 1, 1, NULL));
    must(tm_map_fill_tiles(map, 0, 1, &(tm_rect){0, 0, 1, 1}, &tune, NULL));
    const tm_camera camera = test_tiles_at(0, 0, 4, 4, 8, test_full);
    EACH_FAILURE(memory) {
        tm_render_options options = test_entity_options();
        options.allocator = &memory.allocator;
        tm_renderer *renderer;
        uint8_t pixels[32 * 32 * 4] = {0};
        tm_status status = tm_renderer_new(&renderer, map, &options, NULL, NULL);
        if (status == TM_OK)
            status = tm_renderer_draw(renderer, &camera, &(tm_rows){pixels, 128, 0, 32}, NULL);
        tm_renderer_free(renderer);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

/* Layers without tiles, of one tile, seen from very far away and beside. */
TEST(odd_layers)
{
    const tm_render_options options = test_entity_options();
    static const double places[] = {0, -1e9, 1e9, 1e11, -1e11};
    static const double scales[] = {1, 1e-5, 1e5, 0.01};
    for (tm_layer_kind kind = TM_LAYER_GAME; kind <= TM_LAYER_TUNE; kind++) {
        OWN(tm_map) *map = test_entity_map(kind, 1, 1);
        tm_edit_grid grid = test_edit_grid(map, 0, 0);
        memset(grid.tiles, 255, grid.tile_size);
        for (size_t p = 0; p < 5; p++) {
            for (size_t s = 0; s < 4; s++) {
                const tm_camera camera = test_camera((tm_camera_kind)((p + s) % 3), places[p], -places[p],
                                                     scales[s], 33, 21, places[p], test_full);
                OWN(test_picture) picture = test_picture_of(map, &options, &camera);
            }
        }
        tm_tile_layer *layer = &map->groups[0].layers[0].as.tiles;
        layer->width = layer->height = 0;
        const tm_camera camera = test_tiles_at(0, 0, 2, 2, 4, test_full);
        OWN(test_picture) picture = test_picture_of(map, &options, &camera),
                          empty = test_picture_new(8, 8, BLACK);
        assert_true(test_picture_same(&picture, &empty));
        layer->width = layer->height = 1;
    }
}
