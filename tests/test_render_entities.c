/* SPDX-License-Identifier: Zlib */
/*
 * Physics layers as entities (docs/render.md section 10): which cell each kind of tile shows, flags, arrows,
 * tunings, numbers, what lies beyond a layer, and that nothing odd breaks them. Most tests give a sheet whose
 * cells can be told apart by their color.
 *
 * test-labels: threads
 * test-timeout: 300
 */
#define _GNU_SOURCE
#include "render/render.h"
#include "support/lib_render.h"
#include "support/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <pthread.h>

#include <cmocka.h>

#define BLACK 0xFF000000u

static void must(tm_status status)
{
    assert_int_equal(status, TM_OK);
}

/* --------------------------------------------------------------------------------------------------- maps */

/* A map whose only layer is of one physics kind. */
static tm_map *map_of(tm_layer_kind kind, uint32_t width, uint32_t height)
{
    tm_map *map;
    must(tm_map_new(&map, NULL, NULL));
    must(tm_map_insert(map, TM_OBJECT_GROUP, 0, NULL));
    must(tm_map_insert_layer(map, 0, 0, kind, width, height, NULL));
    return map;
}

static void put(tm_map *map, int32_t x, int32_t y, const void *tile)
{
    must(tm_map_fill_tiles(map, &map->groups[0].layers[0], x, y, 1, 1, tile, NULL));
}

/* A tile of a kind with an index or type that has an effect, and no numbers. */
static void put_index(tm_map *map, int32_t x, int32_t y, uint8_t index)
{
    const tm_tile tile = {.index = index};
    const tm_tele_tile tele = {.type = index};
    const tm_speedup_tile speedup = {.type = index, .force = 1};
    const tm_switch_tile gate = {.type = index};
    const tm_tune_tile tune = {.type = index, .number = 1};
    const void *const tiles[TM_LAYER_KINDS] = {
        [TM_LAYER_GAME] = &tile,       [TM_LAYER_FRONT] = &tile,  [TM_LAYER_TELE] = &tele,
        [TM_LAYER_SPEEDUP] = &speedup, [TM_LAYER_SWITCH] = &gate, [TM_LAYER_TUNE] = &tune};
    put(map, x, y, tiles[map->groups[0].layers[0].kind]);
}

/* ----------------------------------------------------------------------------------------------- pictures */

static tm_render_options with_entities(void)
{
    tm_render_options options = TM_RENDER_OPTIONS_INIT;
    options.entities = true;
    return options;
}

/* The picture of `width` x `height` tiles from x, y, at so many pixels a tile. */
static tm_camera tiles_at(double x, double y, uint32_t width, uint32_t height, uint32_t side,
                          const float *opacities)
{
    return (tm_camera){.kind = TM_CAMERA_FLAT,
                       .x = x * 32,
                       .y = y * 32,
                       .scale = side / 32.0,
                       .width = width * side,
                       .height = height * side,
                       .opacities = opacities};
}

static const float full[4] = {1, 1, 1, 1};

static struct test_picture picture_of(const tm_map *map, const tm_render_options *options,
                                      const tm_camera *camera)
{
    tm_renderer *renderer = test_renderer_new(map, options);
    struct test_picture picture = test_draw(renderer, camera, BLACK);
    tm_renderer_free(renderer);
    return picture;
}

static uint32_t crc_of(const tm_map *map, const tm_render_options *options, const tm_camera *camera)
{
    struct test_picture picture = picture_of(map, options, camera);
    const uint32_t crc = test_picture_crc(&picture);
    test_picture_release(&picture);
    return crc;
}

/* Cells of one pixel, each of another color. */
static uint32_t color_of_cell(uint32_t index)
{
    return BLACK | index | (255 - index) << 8 | (index * 7 & 255) << 16;
}

static tm_render_options with_plain_sheet(uint8_t sheet[1024])
{
    tm_render_options options = with_entities();
    for (uint32_t i = 0; i < 1024; i++)
        sheet[i] = (uint8_t)(color_of_cell(i / 4) >> 8 * (i % 4));
    options.entity_sheet = (tm_pixels){sheet, 16, 16};
    options.no_numbers = true;
    return options;
}

/* Some pixel in the middle of a tile at x, y of a picture that starts with tile 0, 0. */
static uint32_t at_tile(const struct test_picture *picture, uint32_t x, uint32_t y, uint32_t side)
{
    return test_picture_at(picture, x * side + side / 2, y * side + side / 2);
}

/* -------------------------------------------------------------------------------------------------- cells */

/* Indices that the games know, by kind of layer (format section 3). Ranges: first and last. */
static const uint8_t game_indices[][2] = {
    {1, 6},     {9, 9},     {11, 13},   {16, 22},   {32, 62},   {64, 67},   {71, 76},   {88, 91},  {96, 97},
    {104, 107}, {112, 113}, {128, 129}, {144, 145}, {190, 218}, {220, 229}, {233, 238}, {240, 240}};
static const uint8_t tele_indices[][2] = {{10, 10}, {14, 15}, {26, 27}, {29, 31}, {63, 63}};
static const uint8_t switch_indices[][2] = {{7, 7},     {9, 9},     {12, 13},  {19, 20},   {22, 25},
                                            {79, 79},   {95, 95},   {98, 99},  {144, 145}, {197, 218},
                                            {220, 229}, {233, 238}, {240, 240}};

typedef struct ranges {
    const uint8_t (*ranges)[2];
    size_t num;
} ranges;
#define RANGES(of) ((ranges){of, sizeof(of) / sizeof *(of)})

static bool is_among(uint32_t index, ranges of)
{
    for (size_t i = 0; i < of.num; i++)
        if (index >= of.ranges[i][0] && index <= of.ranges[i][1])
            return true;
    return false;
}

/* Whether DDNet shows an index in a layer over its own sheet (format section 3). */
static bool is_shown(tm_layer_kind kind, uint32_t index)
{
    const bool front_only = index == 98 || index == 99, game = is_among(index, RANGES(game_indices));
    switch (kind) {
    case TM_LAYER_GAME: return game;
    case TM_LAYER_FRONT: return (game || front_only) && index != 1 && index != 3;
    case TM_LAYER_SWITCH: return is_among(index, RANGES(switch_indices));
    default: return game || front_only || index == 28 || index == 68 || is_among(index, RANGES(tele_indices));
    }
}

/* Over a given sheet: DDNet hides what a layer does not know; nothing is known of other games. */
static void each_kind_shows_its_cells(void **state)
{
    (void)state;
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_FRONT, TM_LAYER_TELE, TM_LAYER_SWITCH};
    uint8_t sheet[1024];
    const tm_render_options options = with_plain_sheet(sheet);
    const tm_camera camera = tiles_at(0, 0, 16, 16, 4, full);
    for (size_t k = 0; k < 2 * sizeof kinds / sizeof *kinds; k++) {
        const tm_layer_kind kind = kinds[k / 2];
        tm_map *map = map_of(kind, 16, 16);
        map->game = k % 2 ? TM_GAME_TEEWORLDS06 : TM_GAME_DDNET;
        for (int32_t i = 0; i < 256; i++)
            put_index(map, i % 16, i / 16, (uint8_t)i);
        struct test_picture picture = picture_of(map, &options, &camera);
        for (uint32_t i = 0; i < 256; i++) {
            const bool shown = i > 0 && (k % 2 || is_shown(kind, i));
            const uint32_t cell = kind == TM_LAYER_SWITCH && i == 22 ? 8 : i;
            assert_int_equal(at_tile(&picture, i % 16, i / 16, 4), shown ? color_of_cell(cell) : BLACK);
        }
        test_picture_release(&picture);
        tm_map_free(map);
    }
}

/* Without being asked for, asked for at opacity 0, and of a layer without tiles. */
static void nothing_is_drawn_unasked(void **state)
{
    (void)state;
    uint8_t sheet[1024];
    const float none[1] = {0};
    const tm_render_options options = with_plain_sheet(sheet), without = TM_RENDER_OPTIONS_INIT;
    const tm_camera asked = tiles_at(0, 0, 1, 1, 4, full), unasked = tiles_at(0, 0, 1, 1, 4, NULL),
                    zero = tiles_at(0, 0, 1, 1, 4, none);
    for (tm_layer_kind kind = TM_LAYER_GAME; kind <= TM_LAYER_TUNE; kind++) {
        tm_map *map = map_of(kind, 1, 1);
        put_index(map, 0, 0, kind == TM_LAYER_TUNE ? 68 : kind == TM_LAYER_SPEEDUP ? 28 : 9);
        const struct {
            const tm_render_options *options;
            const tm_camera *camera;
            bool drawn;
        } cases[] = {{&options, &asked, true},
                     {&options, &unasked, false},
                     {&options, &zero, false},
                     {&without, &asked, false}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct test_picture picture = picture_of(map, cases[i].options, cases[i].camera);
            assert_int_equal(at_tile(&picture, 0, 0, 4) != BLACK, cases[i].drawn);
            test_picture_release(&picture);
        }
        tm_map_free(map);
    }
}

static void opacity_counts(void **state)
{
    (void)state;
    uint8_t sheet[1024];
    const tm_render_options options = with_plain_sheet(sheet);
    const float half[1] = {0.5F};
    const tm_camera camera = tiles_at(0, 0, 1, 1, 4, half);
    tm_map *map = map_of(TM_LAYER_GAME, 1, 1);
    map->groups[0].layers[0].as.tiles.color = (tm_color){10, 20, 30, 40}; /* does not */
    put_index(map, 0, 0, 112);                                            /* 112, 143, 16 */
    struct test_picture picture = picture_of(map, &options, &camera);
    assert_int_equal(at_tile(&picture, 0, 0, 4), 0xFF084838);
    test_picture_release(&picture);
    tm_map_free(map);
}

/* -------------------------------------------------------------------------------------------------- flags */

enum { SIDE = 8, SHEET = 16 * SIDE };

/* Noise, so that every way to turn a cell can be told. */
static uint8_t *noise_sheet(void)
{
    uint8_t *sheet = malloc((size_t)SHEET * SHEET * 4);
    assert_non_null(sheet);
    for (uint32_t i = 0; i < SHEET * SHEET * 4; i++)
        sheet[i] = (uint8_t)(test_noise(i) >> 8);
    return sheet;
}

/* A design layer with the same image and tiles. */
static tm_map *design_of(const uint8_t *sheet, const tm_map *like, bool keep_flags)
{
    tm_grid to, from;
    tm_map *map;
    must(tm_map_new(&map, NULL, NULL));
    must(tm_map_insert(map, TM_OBJECT_GROUP, 0, NULL));
    must(tm_map_insert(map, TM_OBJECT_IMAGE, 0, NULL));
    must(tm_map_set_pixels(map, 0, sheet, SHEET, SHEET, NULL));
    must(tm_map_tiles(like, &like->groups[0].layers[0], &from, NULL));
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_TILES, from.width, from.height, NULL));
    map->groups[0].layers[0].as.tiles.image = 0;
    must(tm_map_edit_tiles(map, &map->groups[0].layers[0], &to, NULL));
    for (uint32_t i = 0; i < from.width * from.height; i++) {
        const uint8_t *bytes = (const uint8_t *)from.tiles + (size_t)i * from.tile_size;
        tm_tile *tile = (tm_tile *)to.tiles + i;
        const tm_layer_kind kind = like->groups[0].layers[0].kind;
        *tile = (tm_tile){.index = bytes[kind == TM_LAYER_TELE || kind == TM_LAYER_SWITCH]};
        if (keep_flags)
            tile->flags = bytes[kind == TM_LAYER_SWITCH ? 2 : 1];
        if (kind == TM_LAYER_SWITCH && tile->index == 22)
            tile->index = 8;
    }
    return map;
}

/* Game, front and switch tiles keep their flags, teleporters have none; layers go on beyond their border. */
static void entities_stand_as_design_tiles_do(void **state)
{
    (void)state;
    static const struct {
        tm_layer_kind kind;
        bool flags;
    } cases[] = {
        {TM_LAYER_GAME, true}, {TM_LAYER_FRONT, true}, {TM_LAYER_SWITCH, true}, {TM_LAYER_TELE, false}};
    uint8_t *sheet = noise_sheet();
    tm_render_options options = with_entities();
    options.entity_sheet = (tm_pixels){sheet, SHEET, SHEET};
    options.no_numbers = true;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tm_map *map = map_of(cases[k].kind, 9, 7);
        tm_grid grid;
        map->game = TM_GAME_TEEWORLDS06; /* all indices are shown */
        must(tm_map_edit_tiles(map, &map->groups[0].layers[0], &grid, NULL));
        for (uint32_t i = 0; i < 9 * 7 * grid.tile_size; i++)
            ((uint8_t *)grid.tiles)[i] = (uint8_t)test_noise(i + 1000 * (uint32_t)k);
        tm_map *design = design_of(sheet, map, cases[k].flags);
        const tm_camera cameras[] = {tiles_at(0, 0, 9, 7, SIDE, full), tiles_at(-20, -9, 40, 30, 5, full),
                                     tiles_at(0.3, 0.7, 9, 7, 21, full)};
        for (size_t c = 0; c < 3; c++) {
            struct test_picture ours = picture_of(map, &options, &cameras[c]),
                                theirs = picture_of(design, NULL, &cameras[c]);
            assert_true(test_picture_same(&ours, &theirs));
            test_picture_release(&ours);
            test_picture_release(&theirs);
        }
        tm_map_free(map);
        tm_map_free(design);
    }
    free(sheet);
}

/* Entities have file position: a front layer under a design layer is under it. */
static void layers_keep_their_order(void **state)
{
    (void)state;
    uint8_t sheet[1024];
    const tm_render_options options = with_plain_sheet(sheet);
    const tm_camera camera = tiles_at(0, 0, 1, 1, 8, full);
    const tm_tile tile = {.index = 1};
    for (uint32_t at = 0; at < 2; at++) {
        tm_map *map = map_of(TM_LAYER_GAME, 1, 1);
        put_index(map, 0, 0, 3);
        must(tm_map_insert_layer(map, 0, at, TM_LAYER_TILES, 1, 1, NULL));
        must(tm_map_fill_tiles(map, &map->groups[0].layers[at], 0, 0, 1, 1, &tile, NULL));
        struct test_picture picture = picture_of(map, &options, &camera);
        assert_int_equal(at_tile(&picture, 0, 0, 8), at ? 0xFFFFFFFF : color_of_cell(3));
        test_picture_release(&picture);
        tm_map_free(map);
    }
}

/* The game's group stands where it belongs, whatever the file says; its details are drawn. */
static void the_game_layer_stands_still(void **state)
{
    (void)state;
    uint8_t sheet[1024];
    tm_render_options options = with_plain_sheet(sheet);
    options.no_detail = true;
    const tm_camera camera = tiles_at(0, 0, 2, 1, 8, full);
    tm_map *map = map_of(TM_LAYER_GAME, 2, 1);
    put_index(map, 0, 0, 76);
    map->groups[0].offset_x = 64, map->groups[0].parallax_x = 17;
    map->groups[0].layers[0].detail = true;
    struct test_picture picture = picture_of(map, &options, &camera);
    assert_int_equal(at_tile(&picture, 0, 0, 8), color_of_cell(76));
    assert_int_equal(at_tile(&picture, 1, 0, 8), BLACK);
    test_picture_release(&picture);
    tm_map_free(map);
}

/* ------------------------------------------------------------------------------------------------- beyond */

/* 201 tiles beyond the game layer everything kills, and blinks. */
static void far_away_kills(void **state)
{
    (void)state;
    uint8_t sheet[1024];
    const tm_render_options options = with_plain_sheet(sheet);
    static const struct {
        double time;
        uint32_t color;
    } cases[] = {{750, 0xFF0EFD02}, {2250, 0xFF044C01}, {3750 + 3000000, 0xFF0EFD02}};
    for (tm_layer_kind kind = TM_LAYER_GAME; kind <= TM_LAYER_FRONT; kind += TM_LAYER_FRONT - TM_LAYER_GAME) {
        tm_map *map = map_of(kind, 5, 3);
        for (size_t i = 0; i < 3; i++) {
            tm_camera left = tiles_at(-203, 0, 4, 1, 8, full), below = tiles_at(2, 202, 1, 4, 8, full);
            left.time = below.time = cases[i].time;
            struct test_picture a = picture_of(map, &options, &left), b = picture_of(map, &options, &below);
            const uint32_t color = kind == TM_LAYER_GAME ? cases[i].color : BLACK;
            for (uint32_t k = 0; k < 4; k++) {
                assert_int_equal(at_tile(&a, k, 0, 8), k < 2 ? color : BLACK);
                assert_int_equal(at_tile(&b, 0, k, 8), k < 2 ? BLACK : color);
            }
            test_picture_release(&a);
            test_picture_release(&b);
        }
        tm_map_free(map);
    }
}

/* ------------------------------------------------------------------------------------------------- arrows */

/* Red points where the arrow does, and green to its left. */
static void arrow_picture(uint8_t *rgba, uint32_t side)
{
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t x = i % side, y = i / side;
        rgba[4 * i] = x >= side * 3 / 4 ? 255 : 0;
        rgba[4 * i + 1] = y < side / 4 ? 255 : 0;
        rgba[4 * i + 2] = 0;
        rgba[4 * i + 3] = 255;
    }
}

/* The four sides of a tile, from the right clockwise: which of them are red and green. */
static void sides_of(char out[9], const struct test_picture *picture)
{
    static const uint32_t places[4][2] = {{26, 16}, {16, 26}, {6, 16}, {16, 6}};
    for (int i = 0; i < 4; i++) {
        const uint32_t pixel = test_picture_at(picture, places[i][0], places[i][1]);
        out[2 * i] = (pixel & 255) > 128 ? 'r' : '-';
        out[2 * i + 1] = (pixel >> 8 & 255) > 128 ? 'g' : '-';
    }
    out[8] = 0;
}

static void arrows_turn(void **state)
{
    (void)state;
    static const struct {
        int16_t angle;
        const char *sides;
    } cases[] = {{0, "r------g"},    {90, "-gr-----"},  {180, "---gr---"}, {270, "-----gr-"},
                 {-90, "-----gr-"},  {360, "r------g"}, {450, "-gr-----"}, {-360, "r------g"},
                 {-270, "-gr-----"}, {20, "r------g"},  {110, "-gr-----"}, {INT16_MIN, "r------g"}};
    uint8_t rgba[32 * 32 * 4];
    tm_render_options options = with_entities();
    arrow_picture(rgba, 32);
    options.speedup_arrow = (tm_pixels){rgba, 32, 32};
    options.no_numbers = true;
    tm_map *map = map_of(TM_LAYER_SPEEDUP, 1, 1);
    const tm_camera camera = tiles_at(0, 0, 1, 1, 32, full);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const tm_speedup_tile tile = {.type = 28, .force = 5, .angle = cases[i].angle};
        char sides[9];
        put(map, 0, 0, &tile);
        struct test_picture picture = picture_of(map, &options, &camera);
        sides_of(sides, &picture);
        if (cases[i].angle != INT16_MIN) /* -8 degrees */
            assert_string_equal(sides, cases[i].sides);
        test_picture_release(&picture);
    }
    tm_map_free(map);
}

/* Checksums of the tiles of a map's first row, one picture for all. */
static void crcs_of_tiles(uint32_t *out, const tm_map *map, uint32_t num, uint32_t side)
{
    const tm_render_options options = with_entities();
    const tm_camera camera = tiles_at(0, 0, num, 1, side, full);
    struct test_picture picture = picture_of(map, &options, &camera);
    for (uint32_t i = 0; i < num; i++) {
        out[i] = 0;
        for (uint32_t y = 0; y < side; y++)
            out[i] = tm_crc32(out[i], picture.rgba + 4 * ((size_t)y * picture.width + (size_t)i * side),
                              (size_t)4 * side);
    }
    test_picture_release(&picture);
}

static void check_all_differ(const uint32_t *crcs, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++)
        for (uint32_t j = 0; j < i; j++)
            if (crcs[i] == crcs[j])
                fail_msg("tiles %u and %u look the same", j, i);
}

/* Every degree has an arrow of its own, and a full turn more is the same. */
static void each_degree_differs(void **state)
{
    (void)state;
    enum { TURN = 360, MORE = 65 };
    tm_map *map = map_of(TM_LAYER_SPEEDUP, TURN + MORE, 1);
    int angles[TURN + MORE];
    uint32_t crcs[TURN + MORE];
    for (int i = 0; i < TURN + MORE; i++) {
        angles[i] = i < TURN ? i : -32768 + (i - TURN) * 1013;
        const tm_speedup_tile tile = {.type = 28, .force = 5, .angle = (int16_t)angles[i]};
        put(map, i, 0, &tile);
    }
    crcs_of_tiles(crcs, map, TURN + MORE, 48);
    check_all_differ(crcs, TURN);
    for (int i = TURN; i < TURN + MORE; i++)
        assert_int_equal(crcs[i], crcs[(angles[i] % 360 + 360) % 360]);
    tm_map_free(map);
}

static uint32_t crc_of_speedup(tm_map *map, tm_speedup_tile tile)
{
    uint32_t crc;
    put(map, 0, 0, &tile);
    crcs_of_tiles(&crc, map, 1, 48);
    return crc;
}

static void speedups_without_effect_are_not_drawn(void **state)
{
    (void)state;
    static const struct {
        tm_speedup_tile tile;
        bool drawn;
    } cases[] = {
        {{.type = 28, .force = 1}, true},
        {{.type = 28, .max_speed = 9}, false},
        {{.type = 28}, false},
        {{.type = 29, .force = 1}, true},
        {{.type = 29, .max_speed = 9}, true},
        {{.type = 29}, false},
        {{.type = 0, .force = 9, .max_speed = 9}, false},
        {{.type = 255, .force = 9, .max_speed = 9}, false},
        {{.type = 1, .force = 9, .max_speed = 9}, false},
    };
    tm_map *map = map_of(TM_LAYER_SPEEDUP, 1, 1);
    const uint32_t empty = crc_of_speedup(map, (tm_speedup_tile){0});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(crc_of_speedup(map, cases[i].tile) != empty, cases[i].drawn);
    tm_map_free(map);
}

/* ------------------------------------------------------------------------------------------------ tunings */

/* The colors of the cells of a tune layer whose tiles have these numbers. */
static void tune_colors(uint32_t *out, const uint8_t *numbers, uint32_t num)
{
    uint8_t sheet[1024];
    tm_render_options options = with_plain_sheet(sheet);
    const uint8_t grey[4] = {120, 120, 120, 255};
    memcpy(sheet + (size_t)68 * 4, grey, 4);
    tm_map *map = map_of(TM_LAYER_TUNE, num, 1);
    for (uint32_t i = 0; i < num; i++) {
        const tm_tune_tile tile = {.type = 68, .number = numbers[i]};
        put(map, (int32_t)i, 0, &tile);
    }
    const tm_camera camera = tiles_at(0, 0, num, 1, 4, full);
    struct test_picture picture = picture_of(map, &options, &camera);
    for (uint32_t i = 0; i < num; i++)
        out[i] = at_tile(&picture, i, 0, 4);
    test_picture_release(&picture);
    tm_map_free(map);
}

static void tunings_have_colors(void **state)
{
    (void)state;
    static const uint8_t numbers[] = {7, 3, 7, 200, 0}, others[] = {1, 2, 1, 3, 4};
    uint32_t colors[5], same[5], many[256];
    uint8_t all[256];
    tune_colors(colors, numbers, 5);
    tune_colors(same, others, 5);
    assert_memory_equal(colors, same, sizeof colors); /* it is the order that counts */
    assert_int_equal(colors[0], 0xFF1E1ED2);          /* lightness 120 / 255, saturation 0.75: 30 to 210 */
    assert_int_equal(colors[0], colors[2]);
    assert_int_equal(colors[1], 0xFF53D21E); /* hue 0.38197 is from green to cyan by 0.292 */
    for (int i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    tune_colors(many, all, 256);
    for (int i = 0; i < 256; i++) {
        assert_int_not_equal(many[i], BLACK);
        for (int j = 0; j < i && i < 40; j++)
            assert_int_not_equal(many[i], many[j]);
    }
}

/* ------------------------------------------------------------------------------------------------ numbers */

enum { BIG = 64 };

/* The first and last row that a number changes in the picture of a single tile; false if it changes none. */
static bool number_rows(tm_map *map, uint32_t rows[2])
{
    tm_render_options options = with_entities();
    const tm_camera camera = tiles_at(0, 0, 1, 1, BIG, full);
    struct test_picture with = picture_of(map, &options, &camera);
    options.no_numbers = true;
    struct test_picture without = picture_of(map, &options, &camera);
    rows[0] = BIG, rows[1] = 0;
    for (uint32_t i = 0; i < BIG * BIG; i++) {
        if (memcmp(with.rgba + (size_t)4 * i, without.rgba + (size_t)4 * i, 4) != 0) {
            rows[0] = i / BIG < rows[0] ? i / BIG : rows[0];
            rows[1] = i / BIG;
        }
    }
    test_picture_release(&with);
    test_picture_release(&without);
    return rows[0] < BIG;
}

static void tele_numbers(void **state)
{
    (void)state;
    static const struct {
        tm_tele_tile tile;
        bool drawn;
    } cases[] = {{{.type = 26, .number = 1}, true},    {{.type = 10, .number = 255}, true},
                 {{.type = 27, .number = 12}, true},   {{.type = 29, .number = 3}, true},
                 {{.type = 30, .number = 3}, true},    {{.type = 14, .number = 3}, true},
                 {{.type = 26, .number = 0}, false},   {{.type = 31, .number = 255}, false},
                 {{.type = 63, .number = 255}, false}, {{.type = 0, .number = 5}, false}};
    tm_map *map = map_of(TM_LAYER_TELE, 1, 1);
    uint32_t rows[2];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(map, 0, 0, &cases[i].tile);
        assert_int_equal(number_rows(map, rows), cases[i].drawn);
        if (cases[i].drawn) /* in the middle */
            assert_in_range(rows[0] + rows[1], BIG - 4, BIG + 2);
    }
    tm_map_free(map);
}

/* The number stands above, the delay below; of speedups the maximum above, the force below. */
static void numbers_in_halves(void **state)
{
    (void)state;
    for (uint32_t which = 0; which < 8; which++) {
        const uint8_t upper = which & 1 ? 88 : 0, lower = which & 2 ? 135 : 0;
        const tm_switch_tile gate = {.type = 24, .number = upper, .delay = lower};
        const tm_speedup_tile speedup = {.type = 29, .max_speed = upper, .force = lower};
        tm_map *map = map_of(which & 4 ? TM_LAYER_SPEEDUP : TM_LAYER_SWITCH, 1, 1);
        uint32_t rows[2];
        put(map, 0, 0, which & 4 ? (const void *)&speedup : (const void *)&gate);
        assert_int_equal(number_rows(map, rows), upper || lower);
        if (upper || lower) {
            assert_int_equal(rows[0] < BIG / 2, upper != 0);
            assert_int_equal(rows[1] >= BIG / 2, lower != 0);
        }
        tm_map_free(map);
    }
}

static void air_has_no_numbers(void **state)
{
    (void)state;
    const tm_switch_tile gate = {.type = 0, .number = 3, .delay = 4};
    const tm_speedup_tile speedup = {.type = 30, .max_speed = 3, .force = 4};
    uint32_t rows[2];
    tm_map *gates = map_of(TM_LAYER_SWITCH, 1, 1), *speedups = map_of(TM_LAYER_SPEEDUP, 1, 1);
    put(gates, 0, 0, &gate);
    put(speedups, 0, 0, &speedup);
    assert_false(number_rows(gates, rows));
    assert_false(number_rows(speedups, rows));
    tm_map_free(gates);
    tm_map_free(speedups);
}

/* All 255 numbers can be told apart, also at the size at which one plays. */
static void each_number_differs(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < 3; kind++) {
        tm_map *map = map_of(kind ? TM_LAYER_SWITCH : TM_LAYER_TELE, 256, 1);
        uint32_t crcs[256];
        for (int32_t number = 0; number < 256; number++) {
            const uint8_t byte = (uint8_t)number;
            const tm_tele_tile tele = {.type = 26, .number = byte};
            const tm_switch_tile gate = {
                .type = 24, .number = kind == 1 ? byte : 0, .delay = kind == 2 ? byte : 0};
            put(map, number, 0, kind ? (const void *)&gate : (const void *)&tele);
        }
        crcs_of_tiles(crcs, map, 256, 32);
        check_all_differ(crcs, 256);
        tm_map_free(map);
    }
}

/* ---------------------------------------------------------------------------------------------- our sheet */

static void check_distinct(tm_layer_kind kind, ranges of, uint32_t side)
{
    tm_map *map = map_of(kind, 256, 1);
    uint32_t crcs[256], num = 1; /* 0 is air */
    for (uint32_t index = 1; index < 256; index++)
        if (is_among(index, of))
            put_index(map, (int32_t)num++, 0, (uint8_t)index);
    crcs_of_tiles(crcs, map, num, side);
    check_all_differ(crcs, num);
    tm_map_free(map);
}

static void our_sheet_tells_all_apart(void **state)
{
    (void)state;
    for (uint32_t side = 64; side >= 16; side /= 2) {
        check_distinct(TM_LAYER_GAME, RANGES(game_indices), side);
        check_distinct(TM_LAYER_TELE, RANGES(tele_indices), side);
        check_distinct(TM_LAYER_SWITCH, RANGES(switch_indices), side);
    }
}

static tm_map *all_cells(void)
{
    tm_map *map = map_of(TM_LAYER_GAME, 16, 16);
    for (int32_t i = 0; i < 256; i++)
        put_index(map, i % 16, i / 16, (uint8_t)i);
    return map;
}

/* What lies below an entity is still seen, and no cell but air is empty. */
static void our_sheet_is_clear(void **state)
{
    (void)state;
    const tm_render_options options = with_entities();
    const tm_camera camera = tiles_at(0, 0, 16, 16, BIG, full);
    tm_map *map = all_cells();
    tm_renderer *renderer = test_renderer_new(map, &options);
    struct test_picture picture = test_draw(renderer, &camera, 0);
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
    test_picture_release(&picture);
    tm_renderer_free(renderer);
    tm_map_free(map);
}

/* A map with all kinds of physics layers, full of noise. */
static tm_map *noisy_map(tm_game game)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME,    TM_LAYER_FRONT,  TM_LAYER_TELE,
                                          TM_LAYER_SPEEDUP, TM_LAYER_SWITCH, TM_LAYER_TUNE};
    tm_map *map = test_map_to_draw(game);
    for (uint32_t k = 0; k < 6; k++) {
        tm_layer *layer;
        tm_grid grid;
        if (k > 0) /* the game layer is there */
            must(tm_map_insert_layer(map, 2, k, kinds[k], 50, 40, NULL));
        layer = &map->groups[2].layers[k];
        must(tm_map_edit_tiles(map, layer, &grid, NULL));
        for (uint32_t i = 0; i < 50 * 40 * grid.tile_size; i++)
            ((uint8_t *)grid.tiles)[i] = (uint8_t)(test_noise(i + 5000 * k) >> 4);
        for (uint32_t i = 0; kinds[k] == TM_LAYER_SPEEDUP && i < 50 * 40; i++)
            ((tm_speedup_tile *)grid.tiles)[i].type = (uint8_t)(28 + i % 3);
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
        tiles_at(0, 0, 12, 9, 16, opacities), tiles_at(-9.3, 11, 70, 40, 3, opacities),
        tiles_at(3, 5, 3, 3, 64, opacities), tiles_at(-260, -40, 60, 60, 2, opacities)};
    tm_camera camera = cameras[number % 4];
    camera.kind = number % 3 ? TM_CAMERA_FLAT : TM_CAMERA_REGION;
    camera.time = number * 777.0;
    return camera;
}

/*
 * Pixels do not depend on the machine or the compiler. A change of these numbers is a change of what people
 * see.
 */
static void entities_are_the_same_everywhere(void **state)
{
    (void)state;
    static const uint32_t expected[] = {0x5ce62334, 0x1af2067e, 0x03d034d2, 0x18cf5513, 0xa30ebaf5};
    const tm_render_options options = with_entities();
    uint32_t crcs[5];
    bool same = true;
    tm_map *map = noisy_map(TM_GAME_DDNET), *cells = all_cells();
    const tm_camera sheet = tiles_at(0, 0, 16, 16, BIG, full);
    float opacities[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        opacities[i] = 0.7F;
    crcs[0] = crc_of(cells, &options, &sheet);
    for (uint32_t i = 1; i < 5; i++) {
        const tm_camera camera = camera_at(i, opacities);
        crcs[i] = crc_of(map, &options, &camera);
    }
    for (uint32_t i = 0; i < 5; i++) {
        if (crcs[i] != expected[i])
            print_message("picture %u has the checksum 0x%08x\n", i, crcs[i]);
        same &= crcs[i] == expected[i];
    }
    tm_map_free(map);
    tm_map_free(cells);
    assert_true(same);
}

/* ------------------------------------------------------------------------------------------- same pictures */

static void bands_make_the_whole(void **state)
{
    (void)state;
    const tm_render_options options = with_entities();
    for (int is_07 = 0; is_07 < 2; is_07++) {
        tm_map *map = noisy_map(is_07 ? TM_GAME_TEEWORLDS07 : TM_GAME_DDNET);
        tm_renderer *renderer = test_renderer_new(map, &options);
        for (uint32_t i = 0; i < 8; i++) {
            float opacities[MOST];
            random_opacities(opacities, i);
            const tm_camera camera = camera_at(i, opacities);
            struct test_picture whole = test_draw(renderer, &camera, BLACK),
                                bands = test_picture_new(whole.width, whole.height, BLACK);
            for (uint32_t row = 0; row < whole.height; row += 13)
                must(tm_renderer_draw(
                    renderer, &camera, row, whole.height - row < 13 ? whole.height - row : 13,
                    bands.rgba + (size_t)row * whole.width * 4, (size_t)whole.width * 4, NULL));
            assert_true(test_picture_same(&whole, &bands));
            test_picture_release(&whole);
            test_picture_release(&bands);
        }
        tm_renderer_free(renderer);
        tm_map_free(map);
    }
}

struct drawing {
    const tm_renderer *renderer;
    tm_camera camera;
    struct test_picture picture;
};

static void *draw_one(void *arg)
{
    struct drawing *drawing = (struct drawing *)arg;
    drawing->picture = test_draw(drawing->renderer, &drawing->camera, BLACK);
    return NULL;
}

static void threads_and_plain_code_draw_the_same(void **state)
{
    (void)state;
    enum { NUM = 4 };
    const tm_render_options options = with_entities();
    tm_map *map = noisy_map(TM_GAME_DDNET), *other = noisy_map(TM_GAME_DDNET);
    tm_renderer *shared = test_renderer_new(map, &options), *plain = test_renderer_new(other, &options);
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
    tm_renderer_free(shared);
    tm_renderer_free(plain);
    tm_map_free(map);
    tm_map_free(other);
}

/* Entities look the same in the look of Teeworlds 0.7, which has no rules for them. */
static void looks_do_not_matter(void **state)
{
    (void)state;
    tm_map *map = all_cells();
    uint32_t crcs[2];
    for (int i = 0; i < 2; i++) {
        tm_render_options options = with_entities();
        options.look = i ? TM_LOOK_TEEWORLDS07 : TM_LOOK_DDNET;
        const tm_camera camera = tiles_at(0, 0, 16, 16, 19, full);
        crcs[i] = crc_of(map, &options, &camera);
    }
    assert_int_equal(crcs[0], crcs[1]);
    tm_map_free(map);
}

/* ------------------------------------------------------------------------------------------------ hostile */

static tm_status try_new(const tm_map *map, const tm_render_options *options)
{
    tm_renderer *renderer;
    const tm_status status = tm_renderer_new(&renderer, map, options, NULL, NULL);
    assert_int_equal(renderer != NULL, status == TM_OK);
    tm_renderer_free(renderer);
    return status;
}

static void odd_sheets(void **state)
{
    (void)state;
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
    tm_map *map = noisy_map(TM_GAME_DDNET);
    uint8_t *pixels = calloc((size_t)100 * 333, 4);
    assert_non_null(pixels);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tm_render_options options = with_entities();
        options.entity_sheet = cases[i].sheet;
        options.speedup_arrow = cases[i].arrow;
        if (cases[i].sheet.rgba)
            options.entity_sheet.rgba = pixels;
        if (cases[i].arrow.rgba)
            options.speedup_arrow.rgba = pixels;
        assert_int_equal(try_new(map, &options), cases[i].status);
    }
    free(pixels);
    tm_map_free(map);
}

static void budgets_hold(void **state)
{
    (void)state;
    tm_map *map = all_cells();
    tm_render_options options = with_entities();
    options.memory_budget = 4 * 1024 * 1024; /* the sheet alone is as large, and has halvings */
    assert_int_equal(try_new(map, &options), TM_ERROR_LIMIT);
    options.memory_budget = 6 * 1024 * 1024;
    assert_int_equal(try_new(map, &options), TM_OK);
    options.pixel_limit = 1000;
    tm_renderer *renderer = test_renderer_new(map, &options);
    const tm_camera camera = tiles_at(0, 0, 16, 16, 4, full);
    struct test_picture picture = test_picture_new(64, 64, BLACK);
    assert_int_equal(tm_renderer_draw(renderer, &camera, 0, 64, picture.rgba, 256, NULL), TM_ERROR_LIMIT);
    test_picture_release(&picture);
    tm_renderer_free(renderer);
    tm_map_free(map);
}

static void memory_runs_out(void **state)
{
    (void)state;
    const tm_switch_tile gate = {.type = 24, .number = 1, .delay = 2};
    const tm_tune_tile tune = {.type = 68, .number = 3};
    tm_map *map = map_of(TM_LAYER_SWITCH, 1, 1);
    put(map, 0, 0, &gate);
    must(tm_map_insert_layer(map, 0, 1, TM_LAYER_TUNE, 1, 1, NULL));
    must(tm_map_fill_tiles(map, &map->groups[0].layers[1], 0, 0, 1, 1, &tune, NULL));
    struct test_memory memory;
    const tm_camera camera = tiles_at(0, 0, 4, 4, 8, full);
    for (size_t n = 1;; n++) {
        test_memory_init(&memory);
        memory.fail_at = n;
        tm_render_options options = with_entities();
        options.allocator = &memory.allocator;
        tm_renderer *renderer;
        uint8_t pixels[32 * 32 * 4] = {0};
        tm_status status = tm_renderer_new(&renderer, map, &options, NULL, NULL);
        if (status == TM_OK)
            status = tm_renderer_draw(renderer, &camera, 0, 32, pixels, 128, NULL);
        tm_renderer_free(renderer);
        assert_int_equal(memory.num_blocks, 0);
        if (!memory.failed)
            break;
        assert_int_equal(status, TM_ERROR_MEMORY);
    }
    tm_map_free(map);
}

/* Layers without tiles, of one tile, seen from very far away and beside. */
static void odd_layers(void **state)
{
    (void)state;
    const tm_render_options options = with_entities();
    static const double places[] = {0, -1e9, 1e9, 1e11, -1e11};
    static const double scales[] = {1, 1e-5, 1e5, 0.01};
    for (tm_layer_kind kind = TM_LAYER_GAME; kind <= TM_LAYER_TUNE; kind++) {
        tm_map *map = map_of(kind, 1, 1);
        tm_grid grid;
        must(tm_map_edit_tiles(map, &map->groups[0].layers[0], &grid, NULL));
        memset(grid.tiles, 255, grid.tile_size);
        for (size_t p = 0; p < 5; p++) {
            for (size_t s = 0; s < 4; s++) {
                const tm_camera camera = {.kind = (tm_camera_kind)((p + s) % 3),
                                          .x = places[p],
                                          .y = -places[p],
                                          .scale = scales[s],
                                          .zoom = scales[s],
                                          .width = 33,
                                          .height = 21,
                                          .time = places[p],
                                          .opacities = full};
                struct test_picture picture = picture_of(map, &options, &camera);
                test_picture_release(&picture);
            }
        }
        tm_tile_layer *layer = &map->groups[0].layers[0].as.tiles;
        layer->width = layer->height = 0;
        const tm_camera camera = tiles_at(0, 0, 2, 2, 4, full);
        struct test_picture picture = picture_of(map, &options, &camera),
                            empty = test_picture_new(8, 8, BLACK);
        assert_true(test_picture_same(&picture, &empty));
        test_picture_release(&picture);
        test_picture_release(&empty);
        layer->width = layer->height = 1;
        tm_map_free(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_shows_its_cells),
        cmocka_unit_test(nothing_is_drawn_unasked),
        cmocka_unit_test(opacity_counts),
        cmocka_unit_test(entities_stand_as_design_tiles_do),
        cmocka_unit_test(layers_keep_their_order),
        cmocka_unit_test(the_game_layer_stands_still),
        cmocka_unit_test(far_away_kills),
        cmocka_unit_test(arrows_turn),
        cmocka_unit_test(each_degree_differs),
        cmocka_unit_test(speedups_without_effect_are_not_drawn),
        cmocka_unit_test(tunings_have_colors),
        cmocka_unit_test(tele_numbers),
        cmocka_unit_test(numbers_in_halves),
        cmocka_unit_test(air_has_no_numbers),
        cmocka_unit_test(each_number_differs),
        cmocka_unit_test(our_sheet_tells_all_apart),
        cmocka_unit_test(our_sheet_is_clear),
        cmocka_unit_test(entities_are_the_same_everywhere),
        cmocka_unit_test(bands_make_the_whole),
        cmocka_unit_test(threads_and_plain_code_draw_the_same),
        cmocka_unit_test(looks_do_not_matter),
        cmocka_unit_test(odd_sheets),
        cmocka_unit_test(budgets_hold),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(odd_layers),
    };
    return cmocka_run_group_tests_name("render entities", tests, NULL, NULL);
}
