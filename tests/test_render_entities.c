/* SPDX-License-Identifier: Zlib */
/*
 * Physics layers as entities (docs/render.md section 10): which cell each kind of tile shows, flags, arrows,
 * tunings, numbers, and what lies beyond a layer. Most tests give a sheet whose cells can be told apart by
 * their color.
 */
#include "support/lib_entities.h"
#include "support/test.h"

#define BLACK 0xFF000000u

/* Cells of one pixel, each of another color. */
static uint32_t color_of_cell(uint32_t index)
{
    return BLACK | index | (255 - index) << 8 | (index * 7 & 255) << 16;
}

static tm_render_options with_plain_sheet(uint8_t sheet[1024])
{
    tm_render_options options = test_entity_options();
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

/*
 * The cells of the two sheets that DDNet of 2026-08-22 makes (IsValidTile of mapimages.cpp, run for all 256 indices):
 * the one of switch layers, and the one of all others. Until January 2023, and in 16.4, game and front layers
 * had sheets of their own, and what only other layers know was not drawn in them: teleporters in a game layer, say.
 */
static bool is_shown(tm_layer_kind kind, uint32_t index)
{
    static const uint8_t shared[][2] = {{1, 6},     {9, 22},    {26, 68},   {71, 76},   {88, 91},
                                        {96, 99},   {104, 107}, {112, 113}, {128, 129}, {144, 145},
                                        {190, 218}, {220, 229}, {233, 238}, {240, 240}};
    if (kind == TM_LAYER_SWITCH)
        return test_is_known(kind, index);
    for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
        if (index >= shared[i][0] && index <= shared[i][1])
            return true;
    return false;
}

/* Over a given sheet: DDNet hides what no layer of the sheet knows; nothing is known of other games. */
TEST(each_kind_shows_its_cells)
{
    static const tm_layer_kind kinds[] = {TM_LAYER_GAME, TM_LAYER_FRONT, TM_LAYER_TELE, TM_LAYER_SWITCH};
    uint8_t sheet[1024];
    const tm_render_options options = with_plain_sheet(sheet);
    const tm_camera camera = test_tiles_at(0, 0, 16, 16, 4, test_full);
    for (size_t k = 0; k < 2 * sizeof(kinds) / sizeof(*kinds); k++) {
        const tm_layer_kind kind = kinds[k / 2];
        OWN(tm_map) *map = test_entity_map(kind, 16, 16);
        map->game = k % 2 ? TM_GAME_TEEWORLDS06 : TM_GAME_DDNET;
        for (int32_t i = 0; i < 256; i++)
            test_put_entity(map, i % 16, i / 16, (uint8_t)i);
        OWN(test_picture) picture = test_picture_of(map, &options, &camera);
        for (uint32_t i = 0; i < 256; i++) {
            const bool shown = i > 0 && (k % 2 || is_shown(kind, i));
            const uint32_t cell = kind == TM_LAYER_SWITCH && i == 22 ? 8 : i;
            assert_int_equal(at_tile(&picture, i % 16, i / 16, 4), shown ? color_of_cell(cell) : BLACK);
        }
    }
}

/* Without being asked for, asked for at opacity 0, and of a layer without tiles. */
TEST(nothing_is_drawn_unasked)
{
    uint8_t sheet[1024];
    const float none[1] = {0};
    const tm_render_options options = with_plain_sheet(sheet), plain = TM_RENDER_OPTIONS_INIT;
    const tm_camera asked = test_tiles_at(0, 0, 1, 1, 4, test_full),
                    unasked = test_tiles_at(0, 0, 1, 1, 4, NULL), zero = test_tiles_at(0, 0, 1, 1, 4, none);
    for (tm_layer_kind kind = TM_LAYER_GAME; kind <= TM_LAYER_TUNE; kind++) {
        OWN(tm_map) *map = test_entity_map(kind, 1, 1);
        test_put_entity(map, 0, 0, kind == TM_LAYER_TUNE ? 68 : kind == TM_LAYER_SPEEDUP ? 28 : 9);
        const struct {
            const tm_render_options *options;
            const tm_camera *camera;
            bool drawn;
        } cases[] = {{&options, &asked, true},
                     {&options, &unasked, false},
                     {&options, &zero, false},
                     {&plain, &asked, false}};
        for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
            OWN(test_picture) picture = test_picture_of(map, cases[i].options, cases[i].camera);
            assert_int_equal(at_tile(&picture, 0, 0, 4) != BLACK, cases[i].drawn);
        }
    }
}

TEST(opacity_counts)
{
    uint8_t sheet[1024];
    const tm_render_options options = with_plain_sheet(sheet);
    const float half[1] = {0.5F};
    const tm_camera camera = test_tiles_at(0, 0, 1, 1, 4, half);
    OWN(tm_map) *map = test_entity_map(TM_LAYER_GAME, 1, 1);
    map->groups[0].layers[0].as.tiles.color = (tm_color){10, 20, 30, 40}; /* does not */
    test_put_entity(map, 0, 0, 112);                                      /* 112, 143, 16 */
    OWN(test_picture) picture = test_picture_of(map, &options, &camera);
    assert_int_equal(at_tile(&picture, 0, 0, 4), 0xFF084838);
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
static tm_map *design_of(const uint8_t *sheet, const tm_map *model, bool keep_flags)
{
    tm_grid source;
    tm_edit_grid target;
    tm_map *map = test_map_new();
    must(tm_map_insert(map, TM_KIND_GROUP, 0, NULL));
    must(tm_map_insert(map, TM_KIND_IMAGE, 0, NULL));
    must(tm_map_set_pixels(map, 0, sheet, SHEET, SHEET, NULL));
    must(tm_map_tiles(&source, model, &model->groups[0].layers[0], NULL));
    must(tm_map_insert_layer(map, 0, 0, TM_LAYER_TILES, source.width, source.height, NULL));
    map->groups[0].layers[0].as.tiles.image = 0;
    must(tm_map_edit_tiles(&target, map, 0, 0, NULL));
    for (uint32_t i = 0; i < source.width * source.height; i++) {
        const uint8_t *bytes = (const uint8_t *)source.tiles + (size_t)i * source.tile_size;
        tm_tile *tile = (tm_tile *)target.tiles + i;
        const tm_layer_kind kind = model->groups[0].layers[0].kind;
        *tile = (tm_tile){.index = bytes[kind == TM_LAYER_TELE || kind == TM_LAYER_SWITCH]};
        if (keep_flags)
            tile->flags = bytes[kind == TM_LAYER_SWITCH ? 2 : 1];
        if (kind == TM_LAYER_SWITCH && tile->index == 22)
            tile->index = 8;
    }
    return map;
}

/* Game, front and switch tiles keep their flags, teleporters have none; layers go on beyond their border. */
TEST(entities_stand_as_design_tiles_do)
{
    static const struct {
        tm_layer_kind kind;
        bool flags;
    } cases[] = {
        {TM_LAYER_GAME, true}, {TM_LAYER_FRONT, true}, {TM_LAYER_SWITCH, true}, {TM_LAYER_TELE, false}};
    FREED uint8_t *sheet = noise_sheet();
    tm_render_options options = test_entity_options();
    options.entity_sheet = (tm_pixels){sheet, SHEET, SHEET};
    options.no_numbers = true;
    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        OWN(tm_map) *map = test_entity_map(cases[k].kind, 9, 7);
        tm_edit_grid grid;
        map->game = TM_GAME_TEEWORLDS06; /* all indices are shown */
        must(tm_map_edit_tiles(&grid, map, 0, 0, NULL));
        for (uint32_t i = 0; i < 9 * 7 * grid.tile_size; i++)
            ((uint8_t *)grid.tiles)[i] = (uint8_t)test_noise(i + 1000 * (uint32_t)k);
        OWN(tm_map) *design = design_of(sheet, map, cases[k].flags);
        const tm_camera cameras[] = {test_tiles_at(0, 0, 9, 7, SIDE, test_full),
                                     test_tiles_at(-20, -9, 40, 30, 5, test_full),
                                     test_tiles_at(0.3, 0.7, 9, 7, 21, test_full)};
        for (size_t c = 0; c < 3; c++) {
            OWN(test_picture) ours = test_picture_of(map, &options, &cameras[c]),
                              theirs = test_picture_of(design, NULL, &cameras[c]);
            assert_true(test_picture_same(&ours, &theirs));
        }
    }
}

/* Entities have file position: a front layer under a design layer is under it. */
TEST(layers_keep_their_order)
{
    uint8_t sheet[1024];
    const tm_render_options options = with_plain_sheet(sheet);
    const tm_camera camera = test_tiles_at(0, 0, 1, 1, 8, test_full);
    const tm_tile tile = {.index = 1};
    for (uint32_t at = 0; at < 2; at++) {
        OWN(tm_map) *map = test_entity_map(TM_LAYER_GAME, 1, 1);
        test_put_entity(map, 0, 0, 3);
        must(tm_map_insert_layer(map, 0, at, TM_LAYER_TILES, 1, 1, NULL));
        must(tm_map_fill_tiles(map, 0, at, &(tm_rect){0, 0, 1, 1}, &tile, NULL));
        OWN(test_picture) picture = test_picture_of(map, &options, &camera);
        assert_int_equal(at_tile(&picture, 0, 0, 8), at ? 0xFFFFFFFF : color_of_cell(3));
    }
}

/* The game's group stands where it belongs, whatever the file says; its details are drawn. */
TEST(the_game_layer_stands_still)
{
    uint8_t sheet[1024];
    tm_render_options options = with_plain_sheet(sheet);
    options.no_detail = true;
    const tm_camera camera = test_tiles_at(0, 0, 2, 1, 8, test_full);
    OWN(tm_map) *map = test_entity_map(TM_LAYER_GAME, 2, 1);
    test_put_entity(map, 0, 0, 76);
    map->groups[0].offset_x = 64, map->groups[0].parallax_x = 17;
    map->groups[0].layers[0].detail = true;
    OWN(test_picture) picture = test_picture_of(map, &options, &camera);
    assert_int_equal(at_tile(&picture, 0, 0, 8), color_of_cell(76));
    assert_int_equal(at_tile(&picture, 1, 0, 8), BLACK);
}

/* ------------------------------------------------------------------------------------------------- beyond */

/* 201 tiles beyond the game layer everything kills, and blinks. */
TEST(far_away_kills)
{
    uint8_t sheet[1024];
    const tm_render_options options = with_plain_sheet(sheet);
    static const struct {
        double time;
        uint32_t color;
    } cases[] = {{750, 0xFF0EFD02}, {2250, 0xFF044C01}, {3750 + 3000000, 0xFF0EFD02}};
    for (tm_layer_kind kind = TM_LAYER_GAME; kind <= TM_LAYER_FRONT; kind += TM_LAYER_FRONT - TM_LAYER_GAME) {
        OWN(tm_map) *map = test_entity_map(kind, 5, 3);
        for (size_t i = 0; i < 3; i++) {
            tm_camera left = test_tiles_at(-203, 0, 4, 1, 8, test_full),
                      below = test_tiles_at(2, 202, 1, 4, 8, test_full);
            left.time = below.time = cases[i].time;
            OWN(test_picture) a = test_picture_of(map, &options, &left),
                              b = test_picture_of(map, &options, &below);
            const uint32_t color = kind == TM_LAYER_GAME ? cases[i].color : BLACK;
            for (uint32_t k = 0; k < 4; k++) {
                assert_int_equal(at_tile(&a, k, 0, 8), k < 2 ? color : BLACK);
                assert_int_equal(at_tile(&b, 0, k, 8), k < 2 ? BLACK : color);
            }
        }
    }
}

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

TEST(arrows_turn)
{
    static const struct {
        int16_t angle;
        const char *sides;
    } cases[] = {{0, "r------g"},    {90, "-gr-----"},  {180, "---gr---"}, {270, "-----gr-"},
                 {-90, "-----gr-"},  {360, "r------g"}, {450, "-gr-----"}, {-360, "r------g"},
                 {-270, "-gr-----"}, {20, "r------g"},  {110, "-gr-----"}, {INT16_MIN, "r------g"}};
    uint8_t rgba[32 * 32 * 4];
    tm_render_options options = test_entity_options();
    arrow_picture(rgba, 32);
    options.speedup_arrow = (tm_pixels){rgba, 32, 32};
    options.no_numbers = true;
    OWN(tm_map) *map = test_entity_map(TM_LAYER_SPEEDUP, 1, 1);
    const tm_camera camera = test_tiles_at(0, 0, 1, 1, 32, test_full);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const tm_speedup_tile tile = {.type = 28, .force = 5, .angle = cases[i].angle};
        char sides[9];
        test_put_tile(map, 0, 0, &tile);
        OWN(test_picture) picture = test_picture_of(map, &options, &camera);
        sides_of(sides, &picture);
        if (cases[i].angle != INT16_MIN) /* -8 degrees */
            assert_string_equal(sides, cases[i].sides);
    }
}

/* Every degree has an arrow of its own, and a full turn more is the same. */
TEST(each_degree_differs)
{
    enum { TURN = 360, MORE = 65 };
    OWN(tm_map) *map = test_entity_map(TM_LAYER_SPEEDUP, TURN + MORE, 1);
    int angles[TURN + MORE];
    uint32_t crcs[TURN + MORE];
    for (int i = 0; i < TURN + MORE; i++) {
        angles[i] = i < TURN ? i : -32768 + (i - TURN) * 1013;
        const tm_speedup_tile tile = {.type = 28, .force = 5, .angle = (int16_t)angles[i]};
        test_put_tile(map, i, 0, &tile);
    }
    test_tile_crcs(crcs, map, TURN + MORE, 48);
    test_all_differ(crcs, TURN);
    for (int i = TURN; i < TURN + MORE; i++)
        assert_int_equal(crcs[i], crcs[(angles[i] % 360 + 360) % 360]);
}

static uint32_t crc_of_speedup(tm_map *map, tm_speedup_tile tile)
{
    uint32_t crc;
    test_put_tile(map, 0, 0, &tile);
    test_tile_crcs(&crc, map, 1, 48);
    return crc;
}

TEST(speedups_without_effect_are_not_drawn)
{
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
    OWN(tm_map) *map = test_entity_map(TM_LAYER_SPEEDUP, 1, 1);
    const uint32_t empty = crc_of_speedup(map, (tm_speedup_tile){0});
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_int_equal(crc_of_speedup(map, cases[i].tile) != empty, cases[i].drawn);
}

/* The colors of the cells of a tune layer whose tiles have these numbers, and one type. */
static void tune_colors(uint32_t *out, const uint8_t *numbers, uint32_t num, uint8_t type)
{
    uint8_t sheet[1024];
    tm_render_options options = with_plain_sheet(sheet);
    const uint8_t grey[4] = {120, 120, 120, 255};
    memcpy(sheet + (size_t)68 * 4, grey, 4);
    OWN(tm_map) *map = test_entity_map(TM_LAYER_TUNE, num, 1);
    for (uint32_t i = 0; i < num; i++) {
        const tm_tune_tile tile = {.type = type, .number = numbers[i]};
        test_put_tile(map, (int32_t)i, 0, &tile);
    }
    const tm_camera camera = test_tiles_at(0, 0, num, 1, 4, test_full);
    OWN(test_picture) picture = test_picture_of(map, &options, &camera);
    for (uint32_t i = 0; i < num; i++)
        out[i] = at_tile(&picture, i, 0, 4);
}

TEST(tunings_have_colors)
{
    static const uint8_t numbers[] = {7, 3, 7, 200, 9}, others[] = {1, 2, 1, 3, 4};
    uint32_t colors[5], same[5], many[256];
    uint8_t all[256];
    tune_colors(colors, numbers, 5, 68);
    tune_colors(same, others, 5, 68);
    assert_memory_equal(colors, same, sizeof(colors)); /* it is the order that counts */
    assert_int_equal(colors[0], 0xFF1E1ED2);           /* lightness 120 / 255, saturation 0.75: 30 to 210 */
    assert_int_equal(colors[0], colors[2]);
    assert_int_equal(colors[1], 0xFF53D21E); /* hue 0.38197 is from green to cyan by 0.292 */
    for (int i = 0; i < 256; i++)
        all[i] = (uint8_t)i;
    /* DDNet asks for the number only: types that nobody knows, and of air, change nothing; zone 0 is not drawn. */
    static const uint8_t types[] = {68, 69, 1, 0};
    for (size_t t = 0; t < sizeof(types); t++) {
        tune_colors(many, all, 256, types[t]);
        assert_int_equal(many[0], BLACK);
        assert_int_equal(many[1], colors[0]);
        for (int i = 1; i < 256; i++) {
            assert_int_not_equal(many[i], BLACK);
            for (int j = 0; j < i && i < 40; j++)
                assert_int_not_equal(many[i], many[j]);
        }
    }
}

enum { BIG = 64 };

/* The first and last row that a number changes in the picture of a single tile; false if it changes none. */
static bool number_rows(tm_map *map, uint32_t rows[2])
{
    tm_render_options options = test_entity_options();
    const tm_camera camera = test_tiles_at(0, 0, 1, 1, BIG, test_full);
    struct test_picture lit = test_picture_of(map, &options, &camera);
    options.no_numbers = true;
    struct test_picture plain = test_picture_of(map, &options, &camera);
    rows[0] = BIG, rows[1] = 0;
    for (uint32_t i = 0; i < BIG * BIG; i++) {
        if (memcmp(lit.rgba + (size_t)4 * i, plain.rgba + (size_t)4 * i, 4) != 0) {
            rows[0] = i / BIG < rows[0] ? i / BIG : rows[0];
            rows[1] = i / BIG;
        }
    }
    test_picture_release(&lit);
    test_picture_release(&plain);
    return rows[0] < BIG;
}

TEST(tele_numbers)
{
    static const struct {
        tm_tele_tile tile;
        bool drawn;
    } cases[] = {{{.type = 26, .number = 1}, true},    {{.type = 10, .number = 255}, true},
                 {{.type = 27, .number = 12}, true},   {{.type = 29, .number = 3}, true},
                 {{.type = 30, .number = 3}, true},    {{.type = 14, .number = 3}, true},
                 {{.type = 26, .number = 0}, false},   {{.type = 31, .number = 255}, false},
                 {{.type = 63, .number = 255}, false}, {{.type = 0, .number = 5}, false}};
    OWN(tm_map) *map = test_entity_map(TM_LAYER_TELE, 1, 1);
    uint32_t rows[2];
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        test_put_tile(map, 0, 0, &cases[i].tile);
        assert_int_equal(number_rows(map, rows), cases[i].drawn);
        if (cases[i].drawn) /* in the middle */
            assert_in_range(rows[0] + rows[1], BIG - 4, BIG + 2);
    }
}

/* The number stands above, the delay below; of speedups the maximum above, the force below. */
TEST(numbers_in_halves)
{
    for (uint32_t which = 0; which < 8; which++) {
        const uint8_t upper = which & 1 ? 88 : 0, lower = which & 2 ? 135 : 0;
        const tm_switch_tile gate = {.type = 24, .number = upper, .delay = lower};
        const tm_speedup_tile speedup = {.type = 29, .max_speed = upper, .force = lower};
        OWN(tm_map) *map = test_entity_map(which & 4 ? TM_LAYER_SPEEDUP : TM_LAYER_SWITCH, 1, 1);
        uint32_t rows[2];
        test_put_tile(map, 0, 0, which & 4 ? (const void *)&speedup : (const void *)&gate);
        assert_int_equal(number_rows(map, rows), upper || lower);
        if (upper || lower) {
            assert_int_equal(rows[0] < BIG / 2, upper != 0);
            assert_int_equal(rows[1] >= BIG / 2, lower != 0);
        }
    }
}

TEST(air_has_no_numbers)
{
    const tm_switch_tile gate = {.type = 0, .number = 3, .delay = 4};
    const tm_speedup_tile speedup = {.type = 30, .max_speed = 3, .force = 4};
    uint32_t rows[2];
    OWN(tm_map) *gates = test_entity_map(TM_LAYER_SWITCH, 1, 1),
                *speedups = test_entity_map(TM_LAYER_SPEEDUP, 1, 1);
    test_put_tile(gates, 0, 0, &gate);
    test_put_tile(speedups, 0, 0, &speedup);
    assert_false(number_rows(gates, rows));
    assert_false(number_rows(speedups, rows));
}

/* All 255 numbers can be told apart, also at the size at which one plays. */
TEST(each_number_differs)
{
    for (uint32_t kind = 0; kind < 3; kind++) {
        OWN(tm_map) *map = test_entity_map(kind ? TM_LAYER_SWITCH : TM_LAYER_TELE, 256, 1);
        uint32_t crcs[256];
        for (int32_t number = 0; number < 256; number++) {
            const uint8_t byte = (uint8_t)number;
            const tm_tele_tile tele = {.type = 26, .number = byte};
            const tm_switch_tile gate = {
                .type = 24, .number = kind == 1 ? byte : 0, .delay = kind == 2 ? byte : 0};
            test_put_tile(map, number, 0, kind ? (const void *)&gate : (const void *)&tele);
        }
        test_tile_crcs(crcs, map, 256, 32);
        test_all_differ(crcs, 256);
    }
}
