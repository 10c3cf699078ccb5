/* SPDX-License-Identifier: Zlib */
/*
 * Maps of one game become maps of another (teemap/convert.h): each part on maps made by hand, there and back, limits, failures.
 * Real maps: test_convert_corpus.c.
 */
#include "support/test.h"

static tm_report report; /* of the last conversion */

static tm_convert_options to_game(tm_game game)
{
    tm_convert_options options = {.size = sizeof(options), .to = game};
    return options;
}

static void converts(tm_map *map, const tm_convert_options *options)
{
    tm_error error;
    tm_report_release(&report);
    tm_report_init(&report, NULL);
    const tm_status status = tm_convert_run(map, options, &report, &error);
    if (status)
        print_error("%s: %s\n", error.place, error.text);
    must(status);
    must(tm_map_verify(map, NULL));
    assert_int_equal(map->game, options->to);
}

static void converts_to(tm_map *map, tm_game game)
{
    const tm_convert_options options = to_game(game);
    converts(map, &options);
}

static bool told(const char *text)
{
    for (size_t i = 0; i < report.num; i++)
        if (strstr(report.list[i].text, text))
            return true;
    return false;
}

/* Saved as the new game writes it, opened as DDNet 20.1 does where that is a map of its own, and equal. */
static void survives_saving(const tm_map *map)
{
    OWN(tm_findings) findings = test_findings();
    OWN(tm_buffer) file = test_map_rewrite(map, &findings);
    for (size_t i = 0; i < findings.num; i++) /* nothing is left to be lost */
        print_error("%s: %s\n", findings.list[i].place, findings.list[i].text);
    assert_int_equal(findings.num, 0);
    OWN(tm_map) *loaded = test_map_load(&file, TM_MODE_STRICT, NULL);
    assert_int_equal(loaded->game, map->game);
    assert_true(test_map_same(map, loaded));
}

/* ---------------------------------------------------------------------------------------------- whole maps */

TEST(every_game_becomes_every_game)
{
    for (int from = 0; from < TM_GAME_COUNT; from++)
        for (int to = 0; to < TM_GAME_COUNT; to++) {
            OWN(tm_map) *map = test_map_everything((tm_game)from);
            converts_to(map, (tm_game)to);
            survives_saving(map);
        }
}

TEST(losses_are_counted_by_kind)
{
    static const struct {
        tm_finding_id id;
        uint64_t num;
    } wanted[] = {{TM_FINDING_LOST_LAYER, 7},      {TM_FINDING_LOST_SOUND, 2}, {TM_FINDING_LOST_SETTINGS, 3},
                  {TM_FINDING_LOST_AUTOMAPPER, 2}, {TM_FINDING_LOST_CURVE, 1}, {TM_FINDING_LOST_IMAGE, 0},
                  {TM_FINDING_LOST_ITEM, 0}};
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    converts_to(map, TM_GAME_TEEWORLDS06);
    for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
        assert_int_equal(tm_report_lost(&report, wanted[i].id), wanted[i].num);
        assert_int_equal(test_found(&report.findings, wanted[i].id), wanted[i].num > 0);
    }
    assert_true(tm_report_has_warnings(&report));
    assert_int_equal(map->num_sounds, 0);
    assert_int_equal(map->info.num_settings, 0);
    assert_int_equal(tm_report_lost(&report, TM_FINDING_NONE), 0);
}

/* Once converted, a map is what the game can hold: nothing is lost on any way back and forth. */
TEST(there_and_back_is_equal)
{
    static const tm_game between[] = {TM_GAME_DDNET, TM_GAME_TEEWORLDS07};
    for (size_t i = 0; i < sizeof(between) / sizeof(*between); i++) {
        OWN(tm_map) *map = test_map_everything(TM_GAME_TEEWORLDS06), *first;
        tm_convert_options options = to_game(between[i]);
        options.images = TM_CONVERT_KEEP;
        must(tm_map_clone(&first, map, NULL));
        converts(map, &options);
        assert_false(tm_report_has_warnings(&report));
        options.to = TM_GAME_TEEWORLDS06;
        converts(map, &options);
        assert_false(tm_report_has_warnings(&report));
        assert_true(test_map_same(map, first));
    }
}

TEST(curves_of_07_and_ddnet_are_the_same)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_TEEWORLDS07), *first;
    tm_convert_options options = to_game(TM_GAME_DDNET);
    options.images = TM_CONVERT_RENAME;
    must(tm_map_clone(&first, map, NULL));
    converts(map, &options);
    assert_string_equal(map->images[1].name, "grass_main_0.7");
    assert_true(test_found(&report.findings, TM_FINDING_PLAYS_DIFFERENTLY)); /* an envelope on its own time */
    assert_false(tm_report_has_warnings(&report));
    survives_saving(map);
    options.to = TM_GAME_TEEWORLDS07;
    converts(map, &options);
    assert_string_equal(map->images[1].name, "grass_main");
    assert_true(test_map_same(map, first));
    survives_saving(map);
}

TEST(only_what_makes_sense_is_taken)
{
    OWN(tm_map) *map = test_map_new(), *before;
    tm_error error;
    tm_convert_options options = to_game(TM_GAME_COUNT);
    assert_int_equal(tm_convert_run(map, &options, NULL, &error), TM_ERROR_USAGE);
    options = to_game(TM_GAME_TEEWORLDS07);
    options.images = (tm_convert_images)7;
    assert_int_equal(tm_convert_run(map, &options, NULL, &error), TM_ERROR_USAGE);
    options.images = TM_CONVERT_EMBED;
    fails(TM_ERROR_UNSUPPORTED, "no game layer", tm_convert_run(map, &options, NULL, &error));
    tm_map_free(map);
    map = test_map_everything(TM_GAME_DDNET);
    must(tm_map_clone(&before, map, NULL));
    tm_cancel cancel = {0};
    options.cancel = &cancel;
    tm_cancel_request(&cancel);
    assert_int_equal(tm_convert_run(map, &options, NULL, &error), TM_ERROR_CANCELLED);
    assert_true(test_map_same(map, before));
    must(tm_convert_run(map, NULL, NULL, &error)); /* DDNet to DDNet, nobody listens */
    assert_true(test_map_same(map, before));
}

/* A group with a game layer and, if wanted, a front layer, both `width` x 2. */
static tm_map *map_of_tiles(tm_game game, uint32_t width, bool front)
{
    const tm_map_options options = {sizeof(options), game, NULL, NULL};
    tm_map *map;
    must(tm_map_new(&map, &options, NULL));
    test_insert_group(map, 0, TM_LAYER_GAME, width, 2);
    if (front)
        must(tm_map_insert_layer(map, 0, 1, TM_LAYER_FRONT, width, 2, NULL));
    return map;
}

static void put(tm_map *map, uint32_t layer, int32_t x, uint8_t index, uint8_t flags)
{
    const tm_tile tile = {.index = index, .flags = flags};
    must(tm_map_fill_tiles(map, 0, layer, &(tm_rect){x, 0, 1, 1}, &tile, NULL));
}

static uint8_t at(const tm_map *map, uint32_t layer, int32_t x)
{
    tm_tile tile;
    must(tm_map_read_tiles(map, &map->groups[0].layers[layer], &(tm_rect){x, 0, 1, 1}, &tile, 0, NULL));
    return tile.index;
}

TEST(tiles_are_mapped)
{
    static const struct {
        uint8_t game, front, wanted;
    } row[] = {
        {TM_TILE_SOLID, 0, TM_TILE_SOLID},
        {TM_TILE_UNHOOKABLE, TM_TILE_THROUGH_CUT, TM_TILE_UNHOOKABLE}, /* hooks passed it */
        {TM_TILE_FREEZE, 0, TM_TILE_AIR},
        {TM_TILE_FREEZE, TM_TILE_DEATH, TM_TILE_DEATH},
        {TM_TILE_AIR, TM_TILE_SPAWN, TM_TILE_SPAWN},
        {TM_TILE_SOLID, TM_TILE_DEATH, TM_TILE_SOLID}, /* there is no room for it */
        {TM_TILE_AIR, TM_TILE_FREEZE, TM_TILE_AIR},
        {TM_TILE_SPAWN_RED, 0, TM_TILE_SPAWN_RED},
        {TM_TILE_DOOR, 0, TM_TILE_AIR},
        {7, 0, 7}, /* nobody knows it */
    };
    enum { WIDTH = sizeof(row) / sizeof(*row) };
    for (int game = TM_GAME_TEEWORLDS06; game <= TM_GAME_TEEWORLDS07; game++) {
        OWN(tm_map) *map = map_of_tiles(TM_GAME_DDNET, WIDTH, true);
        for (int32_t x = 0; x < WIDTH; x++) {
            put(map, 0, x, row[x].game, TM_TILE_ROTATE);
            put(map, 1, x, row[x].front, TM_TILE_FLIP_X);
        }
        converts_to(map, (tm_game)game);
        for (int32_t x = 0; x < WIDTH; x++)
            if (at(map, 0, x) != row[x].wanted)
                fail_msg("%d over %d is %d", row[x].front, row[x].game, at(map, 0, x));
        assert_int_equal(tm_report_lost(&report, TM_FINDING_LOST_TILES), 3);
        assert_true(told("tile 9 'freeze' becomes air"));
        assert_true(told("tile 192 'spawn' moves to the game layer"));
        assert_int_equal(map->groups[0].num_layers, 1);
        survives_saving(map);
    }
}

TEST(tiles_stay_when_they_are_to)
{
    OWN(tm_map) *map = map_of_tiles(TM_GAME_DDNET, 3, true);
    tm_convert_options options = to_game(TM_GAME_TEEWORLDS07);
    options.keep_tiles = true;
    put(map, 0, 0, TM_TILE_FREEZE, 0);
    put(map, 1, 1, TM_TILE_SPAWN, 0);
    converts(map, &options);
    assert_int_equal(at(map, 0, 0), TM_TILE_FREEZE);
    assert_int_equal(at(map, 0, 1), TM_TILE_AIR);
    options.to = TM_GAME_DDNET; /* DDNet plays the freeze again, which 0.7 does not know */
    options.keep_tiles = false;
    converts(map, &options);
    assert_int_equal(at(map, 0, 0), TM_TILE_FREEZE);
    assert_true(test_found(&report.findings, TM_FINDING_PLAYS_DIFFERENTLY));
}

/* Servers of Teeworlds have room for 64 and wrote behind it. */
TEST(the_65th_spawn_goes)
{
    OWN(tm_map) *map = map_of_tiles(TM_GAME_DDNET, 70, true);
    for (int32_t x = 0; x < 70; x++)
        put(map, (uint32_t)x % 2, x, TM_TILE_SPAWN, 0);
    put(map, 0, 69, TM_TILE_SPAWN_BLUE, 0);
    converts_to(map, TM_GAME_TEEWORLDS07);
    assert_int_equal(at(map, 0, 63), TM_TILE_SPAWN);
    assert_int_equal(at(map, 0, 64), TM_TILE_AIR);
    assert_int_equal(at(map, 0, 69), TM_TILE_SPAWN_BLUE);
    assert_int_equal(tm_report_lost(&report, TM_FINDING_LOST_TILES), 5);
}

/* DDNet plays the last game layer, Teeworlds the first. */
TEST(the_played_layer_stays)
{
    for (int from = 0; from < TM_GAME_COUNT; from++)
        for (int to = 0; to < TM_GAME_COUNT; to++) {
            const bool same = (from == TM_GAME_DDNET) == (to == TM_GAME_DDNET);
            OWN(tm_map) *map = map_of_tiles((tm_game)from, 3, false);
            must(tm_map_insert_layer(map, 0, 1, TM_LAYER_GAME, 3, 2, NULL));
            put(map, 0, 0, TM_TILE_SOLID, 0);
            put(map, 1, 0, TM_TILE_UNHOOKABLE, 0);
            converts_to(map, (tm_game)to);
            assert_int_equal(map->groups[0].num_layers, same ? 2 : 1);
            assert_int_equal(at(map, 0, 0),
                             from == TM_GAME_DDNET && !same ? TM_TILE_UNHOOKABLE : TM_TILE_SOLID);
            assert_int_equal(tm_report_lost(&report, TM_FINDING_LOST_LAYER), same ? 0 : 1);
            char words[128];
            snprintf(words, sizeof(words), "%s plays another game layer than this, %s would",
                     tm_game_name((tm_game)from), tm_game_name((tm_game)to));
            bool is_told = false;
            for (size_t i = 0; i < report.findings.num; i++)
                is_told = is_told || strstr(report.findings.list[i].text, words);
            assert_int_equal(is_told, !same);
        }
}

TEST(idle_bytes_become_zero)
{
    for (int to = 0; to < TM_GAME_COUNT; to++) {
        const tm_tile tile = {.index = 1, .skip = 7, .reserved = 9};
        OWN(tm_map) *map = map_of_tiles(TM_GAME_DDNET, 3, false);
        must(tm_map_fill_tiles(map, 0, 0, &(tm_rect){0, 0, 2, 2}, &tile, NULL));
        converts_to(map, (tm_game)to);
        assert_int_equal(tm_report_lost(&report, TM_FINDING_LOST_FIELD), to == TM_GAME_TEEWORLDS07 ? 4 : 0);
        survives_saving(map);
    }
}

static double value_at(const tm_map *map, uint32_t envelope, double time)
{
    double values[4] = {0};
    tm_envelope_evaluate(&map->envelopes[envelope], time, 4, values);
    return values[0];
}

TEST(curves_become_lines_that_follow_them)
{
    tm_envelope_point points[4] = {{.time = 0, .curve = TM_CURVE_BEZIER, .values = {0, 0, 0, 5}},
                                   {.time = 1000, .curve = TM_CURVE_STEP, .values = {102400, 0, 0, 6}},
                                   {.time = 1500, .curve = TM_CURVE_BEZIER, .values = {0}},
                                   {.time = 1501, .curve = TM_CURVE_BEZIER, .values = {102400}}};
    OWN(tm_map) *map = map_of_tiles(TM_GAME_DDNET, 3, false), *before;
    points[0].out_dx[0] = 700;
    points[1].in_dx[0] = -100;
    points[1].in_dy[0] = -300 * 1024;
    points[3].out_dx[3] = 77; /* bends nothing, of a channel that is not there */
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 0, NULL));
    must(tm_map_set_points(map, 0, points, 4, NULL));
    must(tm_map_clone(&before, map, NULL));
    converts_to(map, TM_GAME_TEEWORLDS06);
    const tm_envelope *lines = &map->envelopes[0];
    assert_true(lines->num_points > 6);
    assert_int_equal(tm_report_lost(&report, TM_FINDING_LOST_CURVE), 2);
    assert_int_equal(lines->points[0].values[0], 0);
    assert_int_equal(lines->points[lines->num_points - 1].values[0], 102400);
    assert_int_equal(lines->points[lines->num_points - 1].time, 1501);
    for (uint32_t i = 0; i < lines->num_points; i++) {
        static const int32_t none[4];
        const tm_envelope_point *point = &lines->points[i];
        assert_true(point->curve == TM_CURVE_LINEAR || point->curve == TM_CURVE_STEP);
        assert_memory_equal(point->in_dx, none, sizeof(none));
        assert_memory_equal(point->out_dx, none, sizeof(none));
        assert_int_equal(point->values[3], 0);
        assert_true(i == 0 || point->time > lines->points[i - 1].time);
    }
    for (int time = 0; time < 1501; time += 7) {
        const double off = value_at(map, 0, time) - value_at(before, 0, time);
        if (off > 0.3 || off < -0.3)
            fail_msg("at %d ms off by %f", time, off);
    }
    survives_saving(map);
}

TEST(straight_curves_need_one_line)
{
    tm_envelope_point points[2] = {{.time = 0, .curve = TM_CURVE_BEZIER},
                                   {.time = 1000, .values = {102400, -5, 7}}};
    OWN(tm_map) *map = map_of_tiles(TM_GAME_TEEWORLDS07, 3, false);
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 0, NULL));
    must(tm_map_set_points(map, 0, points, 2, NULL));
    converts_to(map, TM_GAME_TEEWORLDS06);
    assert_int_equal(map->envelopes[0].num_points, 2);
    assert_int_equal(map->envelopes[0].points[0].curve, TM_CURVE_LINEAR);
}

/* Teeworlds read the first point of an envelope that has none. */
TEST(envelopes_without_points_go)
{
    OWN(tm_map) *map = test_map_everything(TM_GAME_DDNET);
    must(tm_map_set_points(map, 0, NULL, 0, NULL));
    converts_to(map, TM_GAME_TEEWORLDS07);
    assert_int_equal(map->num_envelopes, 2);
    assert_true(told("it has no points"));
    survives_saving(map);
}
