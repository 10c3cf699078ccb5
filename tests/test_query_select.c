/* SPDX-License-Identifier: Zlib */
/*
 * Layers of a whole map: walking over them, their numbers, the map's area, and sets of layers in words: what
 * docs/addresses.md promises of them.
 */
#include "query/query.h"
#include "support/test.h"

enum { NUM_LAYERS = 7 };

static tm_map *map;

static void add(uint32_t group, tm_layer_kind kind, const char *name, uint32_t width, uint32_t height)
{
    const uint32_t at = map->groups[group].num_layers;
    must(tm_map_insert_layer(map, group, at, kind, width, height, NULL));
    tm_map_set_name(map->groups[group].layers[at].name, TM_NAME_SIZE, name);
}

/*
 * Numbers of layers: 0 quads Sky/Sun, 1 tiles Sky/50@50, (group 1 is empty), 2 game Game/Game, 3 tele Game/Tele,
 * 4 front Game/Front, 5 sounds Game/Wind, 6 tiles tiles/Deco.
 */
static void make_map(void)
{
    static const char *const groups[] = {"Sky", "empty", "Game", "tiles"};
    must(tm_map_new(&map, NULL, NULL));
    for (uint32_t g = 0; g < 4; g++) {
        must(tm_map_insert(map, TM_KIND_GROUP, g, NULL));
        tm_map_set_name(map->groups[g].name, TM_NAME_SIZE, groups[g]);
    }
    add(0, TM_LAYER_QUADS, "Sun", 0, 0);
    add(0, TM_LAYER_TILES, "50@50", 90, 3);
    add(2, TM_LAYER_GAME, "Game", 20, 10);
    add(2, TM_LAYER_TELE, "Tele", 20, 10);
    add(2, TM_LAYER_FRONT, "Front", 20, 10);
    add(2, TM_LAYER_SOUNDS, "Wind", 0, 0);
    add(3, TM_LAYER_TILES, "Deco", 4, 80);
}

static void drop_map(void)
{
    tm_map_free(map);
}

/* ------------------------------------------------------------------------------------------------- walking */

TEST(the_walk_meets_every_layer_once)
{
    static const uint32_t groups[NUM_LAYERS] = {0, 0, 2, 2, 2, 2, 3}, indices[] = {0, 1, 0, 1, 2, 3, 0};
    tm_layer_walk walk = {0};
    for (uint32_t i = 0; i < NUM_LAYERS; i++) {
        assert_true(tm_map_next_layer(map, &walk));
        assert_int_equal(walk.group, groups[i]);
        assert_int_equal(walk.index, indices[i]);
        assert_int_equal(walk.number, i);
        assert_ptr_equal(walk.layer, &map->groups[groups[i]].layers[indices[i]]);
        assert_int_equal(tm_map_layer_number(map, groups[i], indices[i]), i);
    }
    for (int again = 0; again < 2; again++) {
        assert_false(tm_map_next_layer(map, &walk));
        assert_null(walk.layer);
    }
    assert_int_equal(tm_map_layer_number(map, 1, 0), 2); /* of a group without layers: the next one's */
}

TEST(a_map_without_layers_is_no_walk)
{
    tm_layer_walk walk = {0};
    OWN(tm_map) *empty = test_map_new();
    assert_false(tm_map_next_layer(empty, &walk));
}

static void check_area(const tm_map *measured, uint32_t width, uint32_t height)
{
    uint32_t w = 77, h = 77;
    tm_map_area(&w, &h, measured);
    assert_int_equal(w, width);
    assert_int_equal(h, height);
}

TEST(the_area_is_the_game_layer_or_what_there_is)
{
    check_area(map, 20, 10);
    must(tm_map_remove_layer(map, 2, 0, NULL));
    check_area(map, 90, 80); /* as wide as one and as high as the other */
    for (uint32_t g = 4; g-- > 0;)
        while (map->groups[g].num_layers)
            must(tm_map_remove_layer(map, g, 0, NULL));
    check_area(map, 0, 0);
}

/* ------------------------------------------------------------------------------------------------ choosing */

/* `expected`: a letter for each layer: . not chosen, x chosen without a percentage, 5 chosen with 50, 0 with 0. */
static void check_choice(const char *text, tm_select_words words, const char *expected)
{
    tm_layer_choice choices[NUM_LAYERS];
    tm_error error = {0};
    const tm_status status = tm_select_layers(choices, map, text, words, &error);
    if (status)
        print_error("'%s': %s\n", text, error.text);
    must(status);
    for (uint32_t i = 0; i < NUM_LAYERS; i++) {
        const char found = !choices[i].chosen              ? '.'
                           : choices[i].percent == TM_NONE ? 'x'
                           : choices[i].percent == 50      ? '5'
                           : choices[i].percent == 0       ? '0'
                                                           : '?';
        if (found != expected[i])
            print_error("'%s': layer %u is '%c', not '%c'\n", text, (unsigned)i, found, expected[i]);
        assert_int_equal(found, expected[i]);
        assert_true(choices[i].chosen || choices[i].percent == TM_NONE);
    }
}

TEST(words_choose_layers)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {
        {"design", "xx...xx"},
        {"physics", "..xxx.."},
        {"quads", "x......"},
        {"game", "..x...."},
        {"tele", "...x..."},
        {"speedup", "......."}, /* a kind that the map has no layer of */
        {"Game", "..xxxx."},
        {"Game/Front", "....x.."},
        {"2/1", "...x..."},
        {"0", "xx....."},
        {"1", "......."}, /* a group without layers */
        {"=Game", "..xxxx."},
        /* A kind comes before a group of its name; = makes it a name. */
        {"tiles", ".x....x"},
        {"=tiles", "......x"},
        {"design:name=tiles*", "......."},
        {"design:detail=false", "xx...xx"},
        {"design:!detail=false", "......."},
        {"tiles:width=2..4000,-tele:detail=true", ".x....x"},
        {"design:detail=false@50", "55...55"},
        {"design@50", "55...55"},
        {"design@0", "00...00"},
        {"design@050,Game/Front", "55..x55"},
        /* Later words overrule earlier ones, percentages too. */
        {"design,Game/Front@50,quads@0", "0x..5xx"},
        {"design@50,design", "xx...xx"},
        {"Sky/=50@50@50", ".5....."},
        /* What is no percentage belongs to the name. */
        {"Sky/50@50@0", ".0....."},
        /* Before and behind the players. */
        {"foreground", ".....xx"},
        {"background", "xx....."},
        {"background@50,foreground", "55...xx"},
        /* * in names, also in those of several groups; what fits nothing is no error, as with kinds. */
        {"*/*", "xxxxxxx"},
        {"G*", "..xxxx."},
        {"*a*/*e*", "..xx..."},
        {"*/0", "x.x...x"},
        {"lava*", "......."},
        {"Sky/5*@50", ".5....."},
        /* Ranges of indices, which end where the map ends. */
        {"0-2", "xxxxxx."},
        {"2-3", "..xxxxx"},
        {"2-", "..xxxxx"},
        {"2-99", "..xxxxx"},
        {"2/1-2", "...xx.."},
        {"2/2-@0", "....00."},
        {"0-3/1-1", ".x.x..."},
        {"Game/00-01,*/D*@50", "..xx..5"},
        /* Taken out; when that is said first, from what is there without a set. */
        {"design,-Sky", ".....xx"},
        {"design,!Sky", ".....xx"},
        {"-quads", ".x...xx"},
        {"!Sky/*,-tiles", ".....x."},
        {"-3/0", "xx...x."},
        {"-design,Sky/Sun", "x......"},
        {"*/*,-physics,-0", ".....xx"},
        {"-=tiles", "xx...x."},
    };
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++)
        check_choice(rows[i].text, TM_SELECT_DRAWN, rows[i].expected);
}

TEST(the_words_depend_on_who_asks)
{
    check_choice("sounds", TM_SELECT_ALL, ".....x.");
    check_choice("design@0,sounds", TM_SELECT_ALL, "00...x0");
    check_choice("game,tele@50", TM_SELECT_PHYSICS, "..x5...");
    check_choice("-tele", TM_SELECT_PHYSICS, "..x.x..");
    check_choice("-quads", TM_SELECT_ALL, ".xxxxxx");
}

static void check_refused(const char *text, tm_select_words words, tm_status expected, const char *says)
{
    tm_layer_choice choices[NUM_LAYERS];
    tm_error error = {0};
    assert_int_equal(tm_select_layers(choices, map, text, words, &error), expected);
    if (!strstr(error.text, says))
        print_error("'%s': %s\n", text, error.text);
    assert_non_null(strstr(error.text, says));
    for (uint32_t i = 0; i < NUM_LAYERS; i++)
        assert_false(choices[i].chosen);
}

TEST(words_that_mean_nothing_are_refused)
{
    char endless[2000];
    memset(endless, 'x', sizeof(endless) - 1);
    endless[sizeof(endless) - 1] = '\0';
    check_refused("design:wdth=3", TM_SELECT_ALL, TM_ERROR_USAGE, "did you mean 'width'?");
    check_refused("lava", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'lava' leads to no group or layer");
    check_refused("", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "''");
    check_refused("design,,quads", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "''");
    check_refused("design,", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "''");
    check_refused("Game/lava", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'Game/lava'");
    check_refused("desing", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "did you mean 'design'?");
    check_refused("9", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'9'");
    check_refused("info", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'info'");
    check_refused("image/0", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'image/0'");
    check_refused("sounds", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'sounds'");
    check_refused(endless, TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "leads to no group");
    check_refused("design@101", TM_SELECT_DRAWN, TM_ERROR_USAGE, "0 to 100");
    check_refused("design@", TM_SELECT_DRAWN, TM_ERROR_USAGE, "0 to 100");
    check_refused("design@0001", TM_SELECT_DRAWN, TM_ERROR_USAGE, "0 to 100");
    check_refused("tiles", TM_SELECT_PHYSICS, TM_ERROR_USAGE,
                  "'tiles' is none of game, tele, speedup, front");
    check_refused("Game/Front", TM_SELECT_PHYSICS, TM_ERROR_USAGE, "is none of");
    check_refused("-lava", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'lava'");
    check_refused("-", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "''");
    check_refused("--Sky", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'-Sky'");
    check_refused("-Sky@50", TM_SELECT_DRAWN, TM_ERROR_USAGE, "removes layers");
    check_refused("4-9", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'4-9'");
    check_refused("3-2", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'3-2'");
    check_refused("0-2/7-8", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'0-2/7-8'");
    check_refused("*/", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'*/'");
    check_refused("/*", TM_SELECT_DRAWN, TM_ERROR_NOT_FOUND, "'/*'");
    check_refused("foreground", TM_SELECT_PHYSICS, TM_ERROR_USAGE, "is none of");
    check_refused("design", (tm_select_words)7, TM_ERROR_USAGE, "7");
    tm_layer_choice unchosen[NUM_LAYERS]; /* a percentage was taken where the words choose nothing */
    assert_int_equal(tmi_select_undrawn(unchosen, map, "lava*@30", NULL), TM_ERROR_USAGE);
}

TEST(a_name_is_what_it_is)
{
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "G*");
    check_choice("G*", TM_SELECT_DRAWN, "xx....."); /* a group is called so */
    check_choice("*G*", TM_SELECT_DRAWN, "xxxxxx.");
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "-Game");
    check_choice("*/*,-Game", TM_SELECT_DRAWN, "xx....x");
    check_choice("*/*,-=-Game", TM_SELECT_DRAWN, "..xxxxx");
    check_choice("=-Game", TM_SELECT_DRAWN, "xx.....");
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "1-2");
    check_choice("1-2", TM_SELECT_DRAWN, "xx.....");
}

TEST(without_a_game_layer_all_is_background)
{
    must(tm_map_remove_layer(map, 2, 0, NULL));
    tm_layer_choice choices[NUM_LAYERS];
    must(tm_select_layers(choices, map, "background", TM_SELECT_ALL, NULL));
    for (uint32_t i = 0; i < NUM_LAYERS - 1; i++)
        assert_int_equal(choices[i].chosen, i != 2 && i != 3);
    must(tm_select_layers(choices, map, "foreground", TM_SELECT_ALL, NULL));
    for (uint32_t i = 0; i < NUM_LAYERS - 1; i++)
        assert_false(choices[i].chosen);
}

TEST(opacities_of_chosen_layers_are_set)
{
    tm_layer_choice choices[NUM_LAYERS];
    float opacities[NUM_LAYERS] = {2, 2, 2, 2, 2, 2, 2};
    const float expected[NUM_LAYERS] = {0.5f, 0.5f, 1, 2, 2, 0.5f, 0.5f};
    must(tm_select_layers(choices, map, "design@50,game", TM_SELECT_ALL, NULL));
    tm_select_opacities(opacities, choices, NUM_LAYERS);
    for (uint32_t i = 0; i < NUM_LAYERS; i++)
        assert_true(opacities[i] == expected[i]);
}

TEST_EACH(make_map, drop_map)
