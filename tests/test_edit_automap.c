/* SPDX-License-Identifier: Zlib */
/*
 * The operations `automap` and `automap by`: which layers they map, by which rules and configuration, what a layer remembers,
 * opaque flags, and what is told where there are no rules. That the tiles are the editor's is tested with the engine
 * (test_automap_golden.c); here a real map of DDNet's is as its rules give it.
 */
#include "support/lib_edit.h"
#include "automap/automap.h"

static const char walls[] =
    "[Basic]\nIndex 2\nPos 0 -1 EMPTY\n\n[Wild]\nIndex 3\nRandom 2\n\n[Turned]\nIndex 1 XFLIP\n";

static const char doodads[] =
    "{\"doodads\": [{\"grass\": {\"rules\": [{\"startid\": 5, \"endid\": 5, \"ry\": -1, \"random\": 20}]}}]}";

static tm_status give_file(void *ctx, const char *name, const tm_allocator *allocator, uint8_t **bytes,
                           size_t *num, tm_error *error)
{
    (void)ctx, (void)name, (void)error;
    const char *text = strcmp(name, "lone.rules") == 0     ? "[Only]\nIndex 9\n"
                       : strcmp(name, "doodads.json") == 0 ? doodads
                                                           : walls;
    return test_give_bytes(text, strlen(text), allocator, bytes, num);
}

/* Rules for the image walls alone. */
static tm_status give_rules(void *ctx, const char *image, tm_game game, const tm_allocator *allocator,
                            uint8_t **bytes, size_t *num, tm_error *error)
{
    (void)ctx, (void)error;
    *bytes = NULL;
    if (strcmp(image, "walls") != 0 || game == TM_GAME_TEEWORLDS07)
        return TM_ERROR_NOT_FOUND;
    return test_give_bytes(walls, sizeof(walls) - 1, allocator, bytes, num);
}

/* All of walls is opaque. */
static tm_status give_pixels(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                             uint8_t **rgba, uint32_t *width, uint32_t *height, tm_error *error)
{
    (void)error;
    (void)ctx, (void)game;
    if (strcmp(name, "walls") != 0)
        return TM_ERROR_NOT_FOUND;
    return test_give_picture(rgba, width, height, 16, 16, 255, allocator);
}

/* Three design layers 4 x 3 with a block 2 x 2 at 1,1: of walls with an automapper, of walls, of other. */
static tm_map *new_house(const tm_map_options *options)
{
    tm_map *map;
    must(tm_map_new(&map, options, NULL));
    test_edit_options = (tm_edit_options)TM_EDIT_OPTIONS_INIT;
    test_edit_options.read = give_file;
    test_edit_options.rules = give_rules;
    test_edit_options.images = give_pixels;
    test_edit_does(map, "add group Game");
    test_edit_does(map, "add layer Game game 4x3");
    test_edit_does(map, "add image walls");
    test_edit_does(map, "add image other");
    test_edit_does(map, "add group a");
    for (int i = 0; i < 3; i++) {
        test_edit_does(map, "add layer a tiles 4x3");
        char line[100];
        snprintf(line, sizeof(line), "fill a/%d@1,1+2x2 1", i);
        test_edit_does(map, line);
        snprintf(line, sizeof(line), "set a/%d.image=image/%d", i, i / 2);
        test_edit_does(map, line);
    }
    test_edit_does(map, "set a/0.automapper.present=true a/0.automapper.config=0 a/0.automapper.seed=7");
    return map;
}

static void check_tiles(const tm_map *map, uint32_t layer, const char *indices)
{
    char found[13] = "";
    tm_grid grid = test_grid(map, &map->groups[1].layers[layer]);
    for (int i = 0; i < 12; i++)
        found[i] = (char)('0' + ((const tm_tile *)grid.tiles)[i].index);
    assert_string_equal(found, indices);
}

static const tm_tile *tile_at(const tm_map *map, uint32_t layer, uint32_t x, uint32_t y)
{
    tm_grid grid = test_grid(map, &map->groups[1].layers[layer]);
    return (const tm_tile *)grid.tiles + y * grid.width + x;
}

TEST(layers_are_mapped_as_their_automappers_say)
{
    OWN(tm_map) *map = new_house(NULL);
    test_edit_does(map, "automap");
    check_tiles(map, 0, "000002200110");
    check_tiles(map, 1, "000001100110");
    check_tiles(map, 2, "000001100110");
    assert_int_equal(test_report.num, 1);
    assert_string_equal(test_report.list[0].address, "1/0");
    assert_string_equal(test_report.list[0].text, "2 tiles changed by rules 'Basic'");
    assert_int_equal(test_report.list[0].count, 2);
    assert_int_equal(tile_at(map, 0, 1, 1)->flags, TM_TILE_OPAQUE);
    test_edit_does(map, "automap"); /* they are what the rules give */
    assert_int_equal(test_report.num, 0);
}

TEST(a_configuration_maps_all_layers_and_is_remembered)
{
    OWN(tm_map) *map = new_house(NULL);
    test_edit_does(map, "automap a turned 5");
    check_tiles(map, 0, "000001100110");
    assert_int_equal(tile_at(map, 0, 1, 1)->flags, TM_TILE_OPAQUE | TM_TILE_FLIP_X);
    for (uint32_t l = 0; l < 2; l++) {
        const tm_automapper *automapper = &map->groups[1].layers[l].as.tiles.automapper;
        assert_true(automapper->present && automapper->config == 2 && automapper->seed == 5 &&
                    !automapper->automatic);
    }
    assert_true(test_found(&test_report.findings, TM_FINDING_NO_RULES));
    assert_false(map->groups[1].layers[2].as.tiles.automapper.present);
    test_edit_does(map, "automap a/1 Basic");
    assert_int_equal(map->groups[1].layers[1].as.tiles.automapper.config, 0);
    assert_int_equal(map->groups[1].layers[1].as.tiles.automapper.seed, 5);
    test_edit_does(map, "automap \"\" \"\" 8"); /* of the layers that have one, the seed */
    assert_int_equal(map->groups[1].layers[0].as.tiles.automapper.config, 2);
    assert_int_equal(map->groups[1].layers[0].as.tiles.automapper.seed, 8);
}

TEST(a_file_of_rules_maps_layers_of_its_name)
{
    OWN(tm_map) *map = new_house(NULL);
    test_edit_does(map, "automap by some/where/walls.rules \"\" 0");
    check_tiles(map, 0, "000002200110");
    check_tiles(map, 1, "000002200110");
    check_tiles(map, 2, "000001100110");
    assert_true(map->groups[1].layers[1].as.tiles.automapper.present);
    test_edit_does(map,
                   "automap by mine.rules a/2 basic"); /* the editor would find other rules: not remembered */
    check_tiles(map, 2, "000002200110");
    assert_false(map->groups[1].layers[2].as.tiles.automapper.present);
    test_edit_does(map, "automap by lone.rules a/2"); /* one configuration needs no name */
    check_tiles(map, 2, "000009900990");
    test_edit_refuses(map, "automap by mine.rules a/2", TM_ERROR_USAGE, "0 'Basic', 1 'Wild', 2 'Turned'");
    test_edit_refuses(map, "automap by mine.rules a/2 snow", TM_ERROR_NOT_FOUND, "no configuration 'snow'");
}

TEST(seeds_decide_chances_and_zero_draws_one)
{
    OWN(tm_map) *map = new_house(NULL);
    char first[13];
    test_edit_options.draw = 1234;
    test_edit_does(map, "automap a/0,a/1 wild 0");
    assert_string_equal(test_report.list[0].text + strlen("2 tiles changed by rules 'Wild' with seed "),
                        "1234");
    assert_int_equal(map->groups[1].layers[0].as.tiles.automapper.seed, 0);
    for (int i = 0; i < 12; i++)
        first[i] = (char)tile_at(map, 0, (uint32_t)i % 4, (uint32_t)i / 4)->index;
    test_edit_does(map, "fill a/0@1,1+2x2 1");
    test_edit_does(map, "automap a/0 wild 1234");
    for (int i = 0; i < 12; i++)
        assert_int_equal(first[i], tile_at(map, 0, (uint32_t)i % 4, (uint32_t)i / 4)->index);
}

TEST(a_region_maps_what_it_touches)
{
    OWN(tm_map) *map = new_house(NULL);
    test_edit_does(map, "automap a/0@3,2+1x1 basic");
    check_tiles(map, 0, "000001100110");
    test_edit_does(map, "automap a/0@1,1+1x1 basic");
    check_tiles(map, 0, "000002100110");
}

/* LAYERS may be left out, so that a broken region once became the name of a configuration. */
TEST(a_broken_region_is_not_taken_for_another_argument)
{
    OWN(tm_map) *map = new_house(NULL);
    test_edit_refuses(map, "automap a/0@1,1+0x3", TM_ERROR_USAGE, "with a region after @");
    test_edit_refuses(map, "automap by mine.rules a/0@1,1+3", TM_ERROR_USAGE, "with a region after @");
    test_edit_refuses(map, "mirror x a/0@1,1+3X3", TM_ERROR_USAGE, "with a region after @");
}

TEST(references_are_those_of_the_engine)
{
    const tm_edit_operation *operation = tm_edit_find("automap");
    assert_string_equal(operation->arguments[3].choices[TM_AUTOMAP_REFERENCES - 1], "live-unfreeze");
    assert_null(operation->arguments[3].choices[TM_AUTOMAP_REFERENCES]);
    OWN(tm_map) *map = new_house(NULL);
    test_edit_does(map, "fill game@1,1+2x1 freeze");
    test_edit_does(map, "automap a/0 basic 1 freeze"); /* the lower row is over nothing: it goes */
    check_tiles(map, 0, "000002200000");
}

static uint32_t count_doodads(tm_map *map, const char *line)
{
    uint32_t num = 0;
    test_edit_does(map, line);
    tm_grid grid = test_grid(map, &map->groups[1].layers[3]);
    for (size_t i = 0; i < (size_t)grid.width * grid.height; i++)
        num += ((const tm_tile *)grid.tiles)[i].index == 5;
    return num;
}

TEST(the_amount_of_doodads_counts)
{
    OWN(tm_map) *map = new_house(NULL);
    test_edit_does(map, "extend right 196");
    test_edit_does(map, "extend down 3");
    test_edit_does(map, "fill game@0,4+200x2 1");
    test_edit_does(map, "add layer a tiles 200x6");
    const uint32_t few = count_doodads(map, "automap by doodads.json a/3 \"\" 1 amount 1");
    const uint32_t usual = count_doodads(map, "automap by doodads.json a/3 \"\" 1");
    const uint32_t many = count_doodads(map, "automap by doodads.json a/3 \"\" 1 amount 100");
    assert_true(few > 0 && few < usual && usual < many);
    assert_int_equal(count_doodads(map, "automap by doodads.json a/3 \"\" 1 amount 50"), usual);
    test_edit_refuses(map, "automap by doodads.json a/3 amount 0", TM_ERROR_USAGE, "is 1 to 100, not 0");
    test_edit_refuses(map, "automap by doodads.json a/3 amount", TM_ERROR_USAGE,
                      "this is not how to write it");
    test_edit_refuses(map, "automap by lone.rules a/2 amount 3", TM_ERROR_USAGE, "'Only' has none");
}

TEST(what_has_no_rules_is_told)
{
    OWN(tm_map) *map = new_house(NULL);
    test_edit_does(map, "set a/0.automapper.config=9");
    test_edit_reports(map, "automap", 0);
    assert_true(test_found(&test_report.findings, TM_FINDING_NO_RULES));
    assert_non_null(strstr(test_report.findings.list[0].text, "configuration 9, and the rules have 3"));
    test_edit_does(map, "automap a/1"); /* it has no automapper, and no configuration is given */
    assert_true(test_found(&test_report.findings, TM_FINDING_NO_MATCH));
    test_edit_does(map, "automap game basic");
    assert_true(test_found(&test_report.findings, TM_FINDING_NO_MATCH));
    test_edit_options.rules = NULL;
    test_edit_options.read = NULL;
    test_edit_refuses(map, "automap a basic", TM_ERROR_USAGE, "no function that reads rules");
    test_edit_refuses(map, "automap by x.rules a basic", TM_ERROR_USAGE, "no function that reads files");
}

TEST(memory_may_run_out_anywhere)
{
    EACH_FAILURE_LATER(memory) {
        tm_map_options options = {.size = sizeof(options), .allocator = &memory.allocator};
        OWN(tm_map) *map = new_house(&options), *before = test_map_clone(map);
        memory.fail_at = memory.num_requests + memory.n;
        tm_error error;
        const tm_status status = test_edit_run(map, "automap a basic 3", &error);
        const bool failed = memory.failed;
        memory.fail_at = 0;
        if (failed && status) {
            assert_int_equal(status, TM_ERROR_MEMORY);
            assert_true(test_map_same(map, before));
        }
    }
}
