/* SPDX-License-Identifier: Zlib */
/*
 * Maps of one physics layer and pictures of them; see lib_entities.h.
 */
#include "lib_entities.h"
#include "test.h"

tm_map *test_entity_map(tm_layer_kind kind, uint32_t width, uint32_t height)
{
    tm_map *map = test_map_new();
    test_insert_group(map, 0, kind, width, height);
    return map;
}

void test_put_tile(tm_map *map, int32_t x, int32_t y, const void *tile)
{
    must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){x, y, 1, 1}, tile, NULL));
}

void test_put_entity(tm_map *map, int32_t x, int32_t y, uint8_t index)
{
    const tm_tile tile = {.index = index};
    const tm_tele_tile tele = {.type = index};
    const tm_speedup_tile speedup = {.type = index, .force = 1};
    const tm_switch_tile gate = {.type = index};
    const tm_tune_tile tune = {.type = index, .number = 1};
    const void *const tiles[TM_LAYER_KINDS] = {
        [TM_LAYER_GAME] = &tile,       [TM_LAYER_FRONT] = &tile,  [TM_LAYER_TELE] = &tele,
        [TM_LAYER_SPEEDUP] = &speedup, [TM_LAYER_SWITCH] = &gate, [TM_LAYER_TUNE] = &tune};
    test_put_tile(map, x, y, tiles[map->groups[0].layers[0].kind]);
}

/* Indices that the games know, by kind of layer (format section 3). Ranges: first and last. */
static const uint8_t game_indices[][2] = {
    {1, 6},     {9, 9},     {11, 13},   {16, 22},   {32, 62},   {64, 67},   {71, 76},   {88, 91},  {96, 97},
    {104, 107}, {112, 113}, {128, 129}, {144, 145}, {190, 218}, {220, 229}, {233, 238}, {240, 240}};
static const uint8_t tele_indices[][2] = {{10, 10}, {14, 15}, {26, 27}, {29, 31}, {63, 63}};
static const uint8_t switch_indices[][2] = {{7, 7},     {9, 9},     {12, 13},  {19, 20},   {22, 25},
                                            {79, 79},   {95, 95},   {98, 99},  {144, 145}, {197, 218},
                                            {220, 229}, {233, 238}, {240, 240}};

struct ranges {
    const uint8_t (*ranges)[2];
    size_t num;
};
#define RANGES(of) ((struct ranges){of, sizeof(of) / sizeof(*(of))})

static bool is_among(uint32_t index, struct ranges list)
{
    for (size_t i = 0; i < list.num; i++)
        if (index >= list.ranges[i][0] && index <= list.ranges[i][1])
            return true;
    return false;
}

bool test_is_known(tm_layer_kind kind, uint32_t index)
{
    const bool front_only = index == 98 || index == 99, game = is_among(index, RANGES(game_indices));
    switch (kind) {
    case TM_LAYER_GAME: return game;
    case TM_LAYER_FRONT: return (game || front_only) && index != 1 && index != 3;
    case TM_LAYER_SWITCH: return is_among(index, RANGES(switch_indices));
    default: return kind == TM_LAYER_TELE && is_among(index, RANGES(tele_indices));
    }
}

const float test_full[4] = {1, 1, 1, 1};

tm_render_options test_entity_options(void)
{
    tm_render_options options = {.size = sizeof(options), .entities = true};
    return options;
}

tm_camera test_tiles_at(double x, double y, uint32_t width, uint32_t height, uint32_t side,
                        const float *opacities)
{
    return test_camera(TM_CAMERA_FLAT, x * 32, y * 32, side / 32.0, width * side, height * side, 0,
                       opacities);
}

struct test_picture test_picture_of(const tm_map *map, const tm_render_options *options,
                                    const tm_camera *camera)
{
    OWN(tm_renderer) *renderer = test_renderer_new(map, options);
    return test_draw(renderer, camera, 0xFF000000);
}

uint32_t test_crc_of(const tm_map *map, const tm_render_options *options, const tm_camera *camera)
{
    OWN(test_picture) picture = test_picture_of(map, options, camera);
    return test_picture_crc(&picture);
}

void test_tile_crcs(uint32_t *out, const tm_map *map, uint32_t num, uint32_t side)
{
    const tm_render_options options = test_entity_options();
    const tm_camera camera = test_tiles_at(0, 0, num, 1, side, test_full);
    OWN(test_picture) picture = test_picture_of(map, &options, &camera);
    for (uint32_t i = 0; i < num; i++) {
        out[i] = 0;
        for (uint32_t y = 0; y < side; y++)
            out[i] = tm_crc32(out[i], picture.rgba + 4 * ((size_t)y * picture.width + (size_t)i * side),
                              (size_t)4 * side);
    }
}

void test_all_differ(const uint32_t *crcs, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++)
        for (uint32_t j = 0; j < i; j++)
            if (crcs[i] == crcs[j])
                fail_msg("tiles %u and %u look the same", j, i);
}
