/* SPDX-License-Identifier: Zlib */
/*
 * Odd maps; see lib_odd.h. Each maker adds items to an empty file; most start from a small sound map and spoil one thing.
 */
#include "lib_odd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* ------------------------------------------------------------------------------------------------------------- pieces */

enum { LAYER_INTS = 23, MOST_INTS = 40 };

/* One int of an item that is other than usual. */
typedef struct edit {
    uint32_t k;
    int32_t value;
} edit;

/* A DDNet tile layer of `num` ints over 4 x 3 tiles; the edits come last. */
static void put_layer(struct test_maker *m, int id, size_t num, int32_t data, const edit *edits,
                      size_t num_edits)
{
    int32_t ints[MOST_INTS] = {
        0, 2, 0, 3, 4, 3, 0, 255, 255, 255, 255, -1, 0, -1, data, TEST_NAME3("Tiles"), -1, -1, -1, -1, -1};
    for (size_t i = 0; i < num_edits; i++)
        ints[edits[i].k] = edits[i].value;
    test_maker_item(m, TM_ITEM_LAYER, id, ints, num);
}

#define LAYER(m, id, num, data, ...)                         \
    put_layer(m, id, num, data, (const edit[]){__VA_ARGS__}, \
              sizeof((const edit[]){__VA_ARGS__}) / sizeof(edit))
#define PLAIN \
    {         \
        0, 0  \
    }
#define GAME \
    {        \
        6, 1 \
    }

static int32_t tiles(struct test_maker *m)
{
    static const uint8_t bytes[4 * 3 * 4] = {1, 0, 0, 0, 2, 1, 0, 0};
    return test_maker_data(m, bytes, sizeof bytes);
}

static void group(struct test_maker *m, int id, int first, int num)
{
    TEST_ITEM(m, TM_ITEM_GROUP, id, 3, 0, 0, 100, 100, first, num, 0, 0, 0, 0, 0, TEST_NAME3("Group"));
}

static void version(struct test_maker *m)
{
    TEST_ITEM(m, TM_ITEM_VERSION, 0, 1);
}

static void info(struct test_maker *m)
{
    TEST_ITEM(m, TM_ITEM_INFO, 0, 1, -1, -1, -1, -1, -1);
}

/* A game layer, item 0; one group with `num` layers. */
static void start(struct test_maker *m, int num)
{
    version(m);
    info(m);
    LAYER(m, 0, LAYER_INTS, tiles(m), GAME);
    group(m, 0, 0, num);
}

static void envelope(struct test_maker *m, int id, int first, int num)
{
    TEST_ITEM(m, TM_ITEM_ENVELOPE, id, 2, 3, first, num, TEST_NAME8("e"), 1);
}

/* `num` points of 6 ints: time 10, 20, ... */
static void points(struct test_maker *m, int num)
{
    int32_t ints[6 * 10] = {0};
    for (int i = 0; i < num; i++)
        ints[6 * i] = 10 * (i + 1);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, ints, 6 * (size_t)num);
}

/* ------------------------------------------------------------------------------------------------ items of their own */

static void no_version(struct test_maker *m)
{
    LAYER(m, 0, LAYER_INTS, tiles(m), GAME);
    group(m, 0, 0, 1);
}

static void version_2(struct test_maker *m)
{
    TEST_ITEM(m, TM_ITEM_VERSION, 0, 2);
    LAYER(m, 0, LAYER_INTS, tiles(m), GAME);
    group(m, 0, 0, 1);
}

static void version_id_3(struct test_maker *m)
{
    TEST_ITEM(m, TM_ITEM_VERSION, 3, 1);
    LAYER(m, 0, LAYER_INTS, tiles(m), GAME);
    group(m, 0, 0, 1);
}

static void pre_2008(struct test_maker *m)
{
    const int32_t data = test_maker_data(m, "0123456789ab", 12);
    TEST_ITEM(m, 1, 0, 100, 200);
    TEST_ITEM(m, 4, 0, 300, 400);
    TEST_ITEM(m, 0x8001, 0, 1, 1, data);
    TEST_ITEM(m, 0x8002, 0, 0, 2, 3, 0, 0, 65536, data, 1);
}

static void unknown_types(struct test_maker *m)
{
    static const tm_uuid other = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
    static const tm_uuid another = {{0xFF, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
    start(m, 1);
    const int32_t data = test_maker_data(m, "somebody else's", 15);
    TEST_ITEM(m, 9, 7, 1, data, 3);
    TEST_ITEM(m, 9, 3, 4);
    TEST_ITEM(m, 0x7000, 0, 5);
    TEST_ITEM(m, 0x9000, 0, 6); /* no index item */
    test_maker_index(m, 0xFFFE, &other);
    test_maker_index(m, 0xFFFD, &another);
    TEST_ITEM(m, 0xFFFE, 0, 7, 8);
    TEST_ITEM(m, 0xFFFE, 1, 9);
    TEST_ITEM(m, 0xFFFD, 0, 10);
    TEST_UUID(m, TM_UUID_TEST, 0, 1, 2, 3, 4, 5);
}

static void contradicting_indices(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), PLAIN);
    test_maker_index(m, 0xFFFE, tm_rules_uuid(TM_UUID_AUTOMAPPER));
    test_maker_index(m, 0xFFFE, tm_rules_uuid(TM_UUID_AUTOMAPPER)); /* old DDNet tools repeat them */
    test_maker_index(m, 0xFFFE, tm_rules_uuid(TM_UUID_BEZIER));     /* the same number for two */
    test_maker_index(m, 0xFFFD, tm_rules_uuid(TM_UUID_AUTOMAPPER)); /* two numbers for the same */
    test_maker_index(m, 5, tm_rules_uuid(TM_UUID_GROUP_EX));        /* the number of layers */
    TEST_ITEM(m, 0xFFFE, 0, 1, 0, 1, 3, 0, 1);
    TEST_ITEM(m, 0xFFFD, 0, 1, 0, 1, 4, 0, 1);
}

static void second_info(struct test_maker *m)
{
    start(m, 1);
    TEST_ITEM(m, TM_ITEM_INFO, 1, 1, test_maker_text(m, "second"), -1, -1, -1, -1);
}

static void info_id_5(struct test_maker *m)
{
    version(m);
    TEST_ITEM(m, TM_ITEM_INFO, 5, 1, test_maker_text(m, "five"), -1, -1, -1, -1);
    LAYER(m, 0, LAYER_INTS, tiles(m), GAME);
    group(m, 0, 0, 1);
}

static void short_items(struct test_maker *m)
{
    start(m, 2);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 2, 2, 1);
    TEST_ITEM(m, TM_ITEM_SOUND, 0, 1);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 0, 1, 3, 0);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 1);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, NULL, 0);
}

static void longer_items(struct test_maker *m)
{
    version(m);
    TEST_ITEM(m, TM_ITEM_INFO, 0, 1, -1, -1, -1, -1, -1, 77, 78);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 2, 2, 1, test_maker_text(m, "long"), -1, 5, 6);
    TEST_ITEM(m, TM_ITEM_SOUND, 0, 1, 1, test_maker_text(m, "long"), -1, 0, 9);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 0, 2, 3, 0, 1, TEST_NAME8("e"), 1, 4, 5);
    LAYER(m, 0, 30, tiles(m), GAME, {25, 4}, {29, 1});
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 2, 0, test_maker_data(m, NULL, 152), -1, TEST_NAME3("Quads"), 1,
              2);
    TEST_ITEM(m, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 2, 0, 0, 0, 0, 0, TEST_NAME3("Game"), 1);
    int32_t odd[6 + 3] = {10, 0, 0, 0, 0, 0, 1, 2, 3};
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, odd, 9);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 0, 1, 0, 0, -1, 0, 0, 8);
}

static void no_points_item(struct test_maker *m)
{
    start(m, 1);
    envelope(m, 0, 0, 2);
    envelope(m, 1, 0, 0);
}

static void no_info(struct test_maker *m)
{
    no_version(m);
    version(m);
}

/* --------------------------------------------------------------------------------------------------- texts, names, ids */

static void author(struct test_maker *m, int32_t index)
{
    version(m);
    LAYER(m, 0, LAYER_INTS, tiles(m), GAME);
    group(m, 0, 0, 1);
    TEST_ITEM(m, TM_ITEM_INFO, 0, 1, index, -1, -1, -1);
}

static void text_without_end(struct test_maker *m)
{
    author(m, test_maker_data(m, "abc", 3));
}

static void text_with_two_ends(struct test_maker *m)
{
    author(m, test_maker_data(m, "ab\0cd", 6));
}

static void text_not_utf8(struct test_maker *m)
{
    author(m, test_maker_data(m, "\xFF\xFF\xFF", 4));
}

static void text_too_long(struct test_maker *m)
{
    static char bytes[100000];
    memset(bytes, 'a', sizeof bytes - 1);
    const int32_t data = test_maker_data(m, bytes, sizeof bytes);
    version(m);
    TEST_ITEM(m, TM_ITEM_INFO, 0, 1, data, -1, -1, -1, data); /* and settings, which may be */
    LAYER(m, 0, LAYER_INTS, tiles(m), GAME);
    group(m, 0, 0, 1);
}

static void text_nowhere(struct test_maker *m)
{
    author(m, 1); /* where the next block would be */
}

static void settings_without_end(struct test_maker *m)
{
    version(m);
    TEST_ITEM(m, TM_ITEM_INFO, 0, 1, -1, -1, -1, -1, test_maker_data(m, "a\0\0b", 4));
    LAYER(m, 0, LAYER_INTS, tiles(m), GAME);
    group(m, 0, 0, 1);
}

static void layer_name_of_zeros(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), {15, 0}, {16, 0}, {17, 0});
}

static void names_of_other_things(struct test_maker *m)
{
    version(m);
    LAYER(m, 0, LAYER_INTS, tiles(m), GAME, {17, (int32_t)0x80808077}); /* last byte not 0 */
    TEST_ITEM(m, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0, 0x67616D65, 0,
              0); /* plain ASCII, zeros */
    TEST_ITEM(m, TM_ITEM_GROUP, 1, 3, 0, 0, 100, 100, 1, 0, 0, 0, 0, 0, 0, (int32_t)0xE1808080, 12345,
              678); /* behind the end */
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
}

static void ids_that_do_not_count_up(struct test_maker *m)
{
    version(m);
    LAYER(m, 40, LAYER_INTS, tiles(m), GAME);
    LAYER(m, 2, LAYER_INTS, tiles(m), PLAIN);
    LAYER(m, 65535, LAYER_INTS, tiles(m), PLAIN);
    group(m, 9, 0, 2);
    group(m, 1, 2, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 7, 1, 2, 2, 1, test_maker_text(m, "a"), -1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 2, 2, 1, test_maker_text(m, "b"), -1);
    envelope(m, 1, 0, 1);
    envelope(m, 0, 1, 1);
    points(m, 2);
}

static void duplicate_ids(struct test_maker *m)
{
    start(m, 1);
    envelope(m, 0, 0, 1);
    envelope(m, 0, 1, 1);
    points(m, 2);
}

/* -------------------------------------------------------------------------------------------------- groups and layers */

static void short_group(struct test_maker *m)
{
    start(m, 1);
    TEST_ITEM(m, TM_ITEM_GROUP, 1, 1, 5, 6);
    test_maker_item(m, TM_ITEM_GROUP, 2, NULL, 0);
}

static void group_version_4(struct test_maker *m)
{
    start(m, 1);
    TEST_ITEM(m, TM_ITEM_GROUP, 1, 4, 0, 0, 100, 100, 1, 0, 0, 0, 0, 0, 0, TEST_NAME3("Four"), 70);
    TEST_ITEM(m, TM_ITEM_GROUP, 2, 0, 0, 0, 100, 100, 1, 0);
}

static void group_out_of_range(struct test_maker *m)
{
    start(m, 1);
    group(m, 1, 1, 5); /* one layer more, and it would begin there */
    group(m, 2, -1, 1);
    group(m, 3, 0, -3);
    group(m, 4, 2147483647, 2147483647);
}

static void layer_in_two_groups(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), PLAIN);
    group(m, 1, 1, 1);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 0, 1, 1, 0, 3, 0, 1);
}

static void layers_in_no_group(struct test_maker *m)
{
    version(m);
    LAYER(m, 0, LAYER_INTS, tiles(m), PLAIN);
    LAYER(m, 1, LAYER_INTS, tiles(m), GAME);
    LAYER(m, 2, LAYER_INTS, tiles(m), PLAIN);
    LAYER(m, 3, LAYER_INTS, tiles(m), PLAIN);
    TEST_ITEM(m, TM_ITEM_LAYER, 4, 0, 3, 0, 2, 1, test_maker_data(m, NULL, 152), -1, TEST_NAME3("Q"));
    group(m, 0, 1, 1);
    group(m, 1, 3, 1);
}

static void groups_in_another_order(struct test_maker *m)
{
    version(m);
    for (int i = 0; i < 4; i++)
        LAYER(m, i, LAYER_INTS, tiles(m), {6, i == 2});
    group(m, 0, 2, 2);
    group(m, 1, 0, 1);
    group(m, 2, 1, 1);
}

static void short_layer(struct test_maker *m)
{
    start(m, 3);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 2);
    LAYER(m, 2, 16, tiles(m), PLAIN); /* version 3 that ends in its name */
}

static void unknown_layer(struct test_maker *m)
{
    start(m, 2);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 3, 7, 1, 1, 2, 3);
}

static void tile_layer_version_5(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), {3, 5});
}

static void several_flags(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), {6, 2 + 8 + 64}, {18, tiles(m)}, {20, tiles(m)});
}

static void higher_flags(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), {6, 64 + 1024}, {2, 6});
}

static void short_tele_layer(struct test_maker *m)
{
    start(m, 3);
    LAYER(m, 1, 18, tiles(m), {6, 2});
    LAYER(m, 2, 18, tiles(m), {6, 32});
}

static void layer_of_one_tile(struct test_maker *m)
{
    start(m, 4);
    LAYER(m, 1, LAYER_INTS, tiles(m), {4, 1}, {5, 1});
    LAYER(m, 2, LAYER_INTS, tiles(m), {4, -5}, {5, 1 << 30});
    LAYER(m, 3, LAYER_INTS, tiles(m), {4, 65536}, {5, 65536});
}

static void color_of_256(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), {8, 256}, {9, -1});
}

static void tiles_nowhere(struct test_maker *m)
{
    start(m, 4);
    LAYER(m, 1, LAYER_INTS, 1, PLAIN); /* where the next block would be */
    LAYER(m, 2, LAYER_INTS, -7, PLAIN);
    LAYER(m, 3, LAYER_INTS, -1, {6, 2}, {18, 2});
}

static void shared_tiles(struct test_maker *m)
{
    const int32_t data = tiles(m);
    version(m);
    info(m);
    LAYER(m, 0, LAYER_INTS, data, GAME);
    LAYER(m, 1, LAYER_INTS, data, PLAIN);
    LAYER(m, 2, LAYER_INTS, data, {6, 8}, {20, data});
    group(m, 0, 0, 3);
}

static void small_tele_layer(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), {6, 2}, {4, 2}, {5, 2}, {18, tiles(m)});
}

static void tele_layer_of_other_sides(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), {6, 2}, {4, 3}, {5, 4}, {18, tiles(m)});
}

static void no_game_layer(struct test_maker *m)
{
    version(m);
    LAYER(m, 0, LAYER_INTS, tiles(m), PLAIN);
    group(m, 0, 0, 1);
}

static void short_game_layer(struct test_maker *m)
{
    version(m);
    LAYER(m, 0, LAYER_INTS, test_maker_data(m, NULL, 20), GAME);
    group(m, 0, 0, 1);
}

static void two_game_layers(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), GAME);
}

/* ---------------------------------------------------------------------------------------------------------------- data */

static void short_tiles(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_maker_data(m, NULL, 20), PLAIN);
}

static void run_lengths(struct test_maker *m, const uint8_t *runs, size_t size)
{
    version(m);
    LAYER(m, 0, 18, tiles(m), GAME);
    LAYER(m, 1, 18, test_maker_data(m, runs, size), {3, 4});
    group(m, 0, 0, 2);
}

static void runs_too_short(struct test_maker *m)
{
    static const uint8_t runs[] = {1, 0, 3, 0, 2, 0, 1, 0};
    run_lengths(m, runs, sizeof runs);
}

static void runs_too_long(struct test_maker *m)
{
    static const uint8_t runs[] = {1, 0, 11, 0, 2, 0, 1, 0};
    run_lengths(m, runs, sizeof runs);
}

static void runs_with_reserved(struct test_maker *m)
{
    static const uint8_t runs[] = {1, 0, 5, 9, 1, 0, 5, 0};
    run_lengths(m, runs, sizeof runs);
}

static void skip_bytes(struct test_maker *m)
{
    static const uint8_t bytes[48] = {1, 0, 7, 0};
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_maker_data(m, bytes, 48), PLAIN);
}

static void reserved_bytes(struct test_maker *m)
{
    static const uint8_t bytes[48] = {1, 0, 0, 7};
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_maker_data(m, bytes, 48), PLAIN);
}

static void tele_layer_of_runs(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), {3, 4}, {6, 2}, {18, test_maker_data(m, NULL, 24)});
}

static void unreferenced_data(struct test_maker *m)
{
    test_maker_data(m, "in front", 9);
    start(m, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 0, test_maker_text(m, "a"), test_maker_data(m, "rgba", 4));
    test_maker_data(m, "between", 8);
    TEST_ITEM(m, TM_ITEM_IMAGE, 1, 1, 1, 1, 0, test_maker_text(m, "b"), test_maker_data(m, "abgr", 4));
    test_maker_data(m, "behind", 7);
}

static void shared_data(struct test_maker *m)
{
    const int32_t name = test_maker_text(m, "name"), pixels = test_maker_data(m, "rgba", 4);
    const int32_t quads = test_maker_data(m, NULL, 2 * 152);
    start(m, 3);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 0, name, pixels);
    TEST_ITEM(m, TM_ITEM_IMAGE, 1, 1, 1, 1, 0, name, pixels);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 2, 2, quads, -1, TEST_NAME3("A"));
    TEST_ITEM(m, TM_ITEM_LAYER, 2, 0, 3, 0, 2, 1, quads, -1, TEST_NAME3("B"));
}

static void empty_blocks(struct test_maker *m)
{
    start(m, 2);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 0, test_maker_data(m, NULL, 0), test_maker_data(m, NULL, 0));
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 2, 0, test_maker_data(m, NULL, 0), -1, TEST_NAME3("A"));
}

/* ------------------------------------------------------------------------------------------------------ references */

static void dangling_references(struct test_maker *m)
{
    int32_t quad[38] = {0}, source[13] = {0};
    quad[34] = 1; /* the next envelope would be it */
    quad[36] = -5;
    source[6] = 1;
    source[8] = 99;
    start(m, 4);
    envelope(m, 0, 0, 0);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 1, test_maker_text(m, "a"), -1);
    LAYER(m, 1, LAYER_INTS, tiles(m), {11, 1}, {13, 1});
    TEST_ITEM(m, TM_ITEM_LAYER, 2, 0, 3, 0, 2, 1, test_maker_ints(m, quad, 38), 1, TEST_NAME3("Q"));
    TEST_ITEM(m, TM_ITEM_LAYER, 3, 0, 10, 0, 2, 1, test_maker_ints(m, source, 13), 0, TEST_NAME3("S"));
}

static void elements_beyond_the_data(struct test_maker *m)
{
    start(m, 4);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 2, 5, test_maker_data(m, NULL, 160), -1, TEST_NAME3("Q"));
    TEST_ITEM(m, TM_ITEM_LAYER, 2, 0, 3, 0, 2, -1, test_maker_data(m, NULL, 152), -1, TEST_NAME3("Q"));
    TEST_ITEM(m, TM_ITEM_LAYER, 3, 0, 10, 0, 2, 3, 77, -1, TEST_NAME3("S"));
}

static void odd_images(struct test_maker *m)
{
    start(m, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 0, -4, 0, test_maker_text(m, "a"), test_maker_data(m, "rgba", 4));
    TEST_ITEM(m, TM_ITEM_IMAGE, 1, 1, 7, 7, 0, test_maker_text(m, "b"), 3);
    TEST_ITEM(m, TM_ITEM_IMAGE, 2, 9, 1, 1, 0, 50, 51, 0, 77);
}

static void image_of_3_bytes(struct test_maker *m)
{
    start(m, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 2, 1, 1, 0, test_maker_text(m, "a"), test_maker_data(m, "rgb", 3), 0);
}

/* ----------------------------------------------------------------------------------------------------------- envelopes */

static void two_channels(struct test_maker *m)
{
    start(m, 1);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 0, 2, 2, 0, 0, TEST_NAME8("e"), 1);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 1, 2, -9, 0, 0, TEST_NAME8("e"), 1);
    points(m, 0);
}

static void curve_of_527(struct test_maker *m)
{
    int32_t ints[6] = {10, 527, 1, 2, 3, 4};
    start(m, 1);
    envelope(m, 0, 0, 1);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, ints, 6);
}

static void points_out_of_range(struct test_maker *m)
{
    start(m, 1);
    envelope(m, 0, 1, 5);
    envelope(m, 1, -1, 1);
    envelope(m, 2, 3, 1);
    points(m, 3);
}

static void overlapping_points(struct test_maker *m)
{
    start(m, 1);
    envelope(m, 0, 0, 3);
    envelope(m, 1, 1, 3);
    points(m, 6); /* two of them nobody's */
}

static void points_that_go_back(struct test_maker *m)
{
    int32_t ints[12] = {10, 0, 0, 0, 0, 0, 5};
    start(m, 1);
    envelope(m, 0, 0, 2);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, ints, 12);
}

static void bezier_of_other_count(struct test_maker *m)
{
    int32_t ints[3 * 16] = {1, 2, 3};
    start(m, 1);
    envelope(m, 0, 0, 2);
    points(m, 2);
    test_maker_uuid_item(m, TM_UUID_BEZIER, 0, ints, 48);
}

static void two_points_items(struct test_maker *m)
{
    int32_t ints[12] = {77};
    start(m, 1);
    envelope(m, 0, 0, 2);
    points(m, 2);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 1, ints, 12);
}

static void mixed_envelope_versions(struct test_maker *m)
{
    int32_t ints[4 * 22] = {0};
    start(m, 1);
    for (int i = 0; i < 4 * 22; i++)
        ints[i] = i % 22 == 1 ? 1 : i;
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 0, 1, 3, 0, 1, -1);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 1, 2, 3, 1, 1, TEST_NAME8("two"), 0);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 2, 3, 4, 2, 2, TEST_NAME8("three"), 1);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, ints, 4 * 22);
}

/* --------------------------------------------------------------------------------------------------------- UUID items */

static void old_automapper(struct test_maker *m)
{
    start(m, 2);
    LAYER(m, 1, LAYER_INTS, tiles(m), PLAIN);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 0, 18677760, 0, 1, 3, 7, 1);
}

static void stray_automappers(struct test_maker *m)
{
    start(m, 3);
    LAYER(m, 1, LAYER_INTS, tiles(m), PLAIN);
    LAYER(m, 2, LAYER_INTS, tiles(m), PLAIN);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 0, 1, 0, 1, 5, 0, 1); /* overruled by the next but one */
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 1, 1, 0, 3, 1, 0, 1); /* a layer that may come */
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 2, 1, 0, 1, 6, 0, 1);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 3, 1, 1, 0, 2, 0, 1); /* a group that may come */
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 4, 1, 0, 0, 7, 0, 1); /* the game layer */
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 5, 1, -1, -1, 7, 0, 1);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 6, 1);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 7, 1, 0, 2, 8, 0, 1);
}

static void group_ex_of_other_count(struct test_maker *m)
{
    start(m, 1);
    TEST_UUID(m, TM_UUID_GROUP_EX, 0, 1, 50);
    TEST_UUID(m, TM_UUID_GROUP_EX, 1, 1, 60); /* one group more, and they would count */
}

/* ------------------------------------------------------------------------------------------------------- the list */

#define ODD(function, finding)                    \
    {                                             \
#function, TM_FINDING_##finding, function \
    }

static const struct test_odd odds[] = {
    ODD(no_version, NO_VERSION_ITEM),
    ODD(version_2, BAD_MAP_VERSION),
    ODD(version_id_3, NO_VERSION_ITEM),
    ODD(pre_2008, PRE_2008),
    ODD(unknown_types, UNKNOWN_ITEM),
    ODD(contradicting_indices, UUID_INDEX_DUPLICATE),
    ODD(second_info, EXTRA_ITEM),
    ODD(info_id_5, EXTRA_ITEM),
    ODD(short_items, ITEM_TOO_SHORT),
    ODD(longer_items, ITEM_LONGER),
    ODD(no_points_item, POINTS_RANGE),
    ODD(no_info, COUNT),
    ODD(text_without_end, BAD_TEXT),
    ODD(text_with_two_ends, BAD_TEXT),
    ODD(text_not_utf8, BAD_TEXT),
    ODD(text_too_long, BAD_TEXT),
    ODD(text_nowhere, BAD_TEXT_INDEX),
    ODD(settings_without_end, BAD_TEXT),
    ODD(layer_name_of_zeros, BAD_LAYER_NAME),
    ODD(names_of_other_things, BAD_NAME),
    ODD(ids_that_do_not_count_up, COUNT),
    ODD(duplicate_ids, DUPLICATE_ITEM_ID),
    ODD(short_group, GROUP_TOO_SHORT),
    ODD(group_version_4, BAD_GROUP_VERSION),
    ODD(group_out_of_range, BAD_GROUP_RANGE),
    ODD(layer_in_two_groups, SHARED_LAYER),
    ODD(layers_in_no_group, LAYER_WITHOUT_GROUP),
    ODD(groups_in_another_order, COUNT),
    ODD(short_layer, LAYER_TOO_SHORT),
    ODD(unknown_layer, UNKNOWN_LAYER),
    ODD(tile_layer_version_5, BAD_TILE_VERSION),
    ODD(several_flags, SEVERAL_PHYSICS_FLAGS),
    ODD(higher_flags, COUNT),
    ODD(short_tele_layer, NO_PHYSICS_DATA),
    ODD(layer_of_one_tile, BAD_LAYER_SIZE),
    ODD(color_of_256, BAD_COLOR),
    ODD(tiles_nowhere, BAD_DATA_INDEX),
    ODD(shared_tiles, SHARED_TILES),
    ODD(small_tele_layer, PHYSICS_TOO_SMALL),
    ODD(tele_layer_of_other_sides, PHYSICS_SIZE),
    ODD(no_game_layer, NO_GAME_LAYER),
    ODD(short_game_layer, GAME_LAYER_DATA),
    ODD(two_game_layers, SEVERAL_PHYSICS_LAYERS),
    ODD(short_tiles, TILES_SHORT),
    ODD(runs_too_short, TILES_RUNS),
    ODD(runs_too_long, TILES_RUNS),
    ODD(runs_with_reserved, TILES_RESERVED),
    ODD(skip_bytes, TILES_SKIP),
    ODD(reserved_bytes, TILES_RESERVED),
    ODD(tele_layer_of_runs, PHYSICS_RUNS),
    ODD(unreferenced_data, COUNT),
    ODD(shared_data, COUNT),
    ODD(empty_blocks, EMPTY_DATA),
    ODD(dangling_references, BAD_REFERENCE),
    ODD(elements_beyond_the_data, BLOCK_SIZE),
    ODD(odd_images, BAD_IMAGE_SIZE),
    ODD(image_of_3_bytes, IMAGE_FORMAT),
    ODD(two_channels, BAD_CHANNELS),
    ODD(curve_of_527, BAD_CURVE),
    ODD(points_out_of_range, POINTS_RANGE),
    ODD(overlapping_points, COUNT),
    ODD(points_that_go_back, POINTS_ORDER),
    ODD(bezier_of_other_count, BEZIER_COUNT),
    ODD(two_points_items, EXTRA_ITEM),
    ODD(mixed_envelope_versions, COUNT),
    ODD(old_automapper, AUTOMAPPER_VERSION),
    ODD(stray_automappers, AUTOMAPPER_TARGET),
    ODD(group_ex_of_other_count, GROUP_EX_COUNT),
};

const struct test_odd *test_odd_at(size_t i)
{
    return i < sizeof odds / sizeof odds[0] ? &odds[i] : NULL;
}

tm_buffer test_odd_file(const struct test_odd *odd)
{
    struct test_maker maker;
    test_maker_init(&maker);
    odd->make(&maker);
    return test_maker_finish(&maker);
}
