/* SPDX-License-Identifier: Zlib */
/*
 * Odd maps: groups, layers, data and references. Each maker adds items to an empty file; most start from a small sound map and spoil one
 * thing. See lib_odd.h.
 */
#include "lib_odd_pieces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* -------------------------------------------------------------------------------------------------- groups and layers */

static void short_group(struct test_maker *m)
{
    test_odd_start(m, 1);
    TEST_ITEM(m, TM_ITEM_GROUP, 1, 1, 5, 6);
    test_maker_item(m, TM_ITEM_GROUP, 2, NULL, 0);
}

static void group_version_4(struct test_maker *m)
{
    test_odd_start(m, 1);
    TEST_ITEM(m, TM_ITEM_GROUP, 1, 4, 0, 0, 100, 100, 1, 0, 0, 0, 0, 0, 0, TEST_NAME3("Four"), 70);
    TEST_ITEM(m, TM_ITEM_GROUP, 2, 0, 0, 0, 100, 100, 1, 0);
}

static void group_out_of_range(struct test_maker *m)
{
    test_odd_start(m, 1);
    test_odd_group(m, 1, 1, 5); /* one layer more, and it would begin there */
    test_odd_group(m, 2, -1, 1);
    test_odd_group(m, 3, 0, -3);
    test_odd_group(m, 4, 2147483647, 2147483647);
}

static void layer_in_two_groups(struct test_maker *m)
{
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), PLAIN);
    test_odd_group(m, 1, 1, 1);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 0, 1, 1, 0, 3, 0, 1);
}

static void any_layer_in_two_groups(struct test_maker *m)
{
    const int32_t sounds = test_maker_data(m, NULL, 52), quads = test_maker_data(m, NULL, 152);
    test_odd_start(m, 5);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), PLAIN);
    TEST_ITEM(m, TM_ITEM_LAYER, 2, 0, 3, 0, 2, 1, quads, -1, TEST_NAME3("Q"));
    TEST_ITEM(m, TM_ITEM_LAYER, 3, 0, 10, 0, 2, 1, sounds, -1, TEST_NAME3("S"));
    TEST_ITEM(m, TM_ITEM_LAYER, 4, 0, 77, 0, 1, 2, 3);
    test_odd_group(m, 1, 1, 4);
}

static void layers_in_no_group(struct test_maker *m)
{
    test_odd_version(m);
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), PLAIN);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), GAME);
    LAYER(m, 2, LAYER_INTS, test_odd_tiles(m), PLAIN);
    LAYER(m, 3, LAYER_INTS, test_odd_tiles(m), PLAIN);
    TEST_ITEM(m, TM_ITEM_LAYER, 4, 0, 3, 0, 2, 1, test_maker_data(m, NULL, 152), -1, TEST_NAME3("Q"));
    test_odd_group(m, 0, 1, 1);
    test_odd_group(m, 1, 3, 1);
}

static void groups_in_another_order(struct test_maker *m)
{
    test_odd_version(m);
    for (int i = 0; i < 4; i++)
        LAYER(m, i, LAYER_INTS, test_odd_tiles(m), {6, i == 2});
    test_odd_group(m, 0, 2, 2);
    test_odd_group(m, 1, 0, 1);
    test_odd_group(m, 2, 1, 1);
}

static void short_layer(struct test_maker *m)
{
    test_odd_start(m, 3);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 2);
    LAYER(m, 2, 16, test_odd_tiles(m), PLAIN); /* version 3 that ends in its name */
}

static void unknown_layer(struct test_maker *m)
{
    test_odd_start(m, 2);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 3, 7, 1, 1, 2, 3);
}

static void tile_layer_version_5(struct test_maker *m)
{
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {3, 5});
}

static void several_flags(struct test_maker *m)
{
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 2 + 8 + 64}, {18, test_odd_tiles(m)},
          {20, test_odd_tiles(m)});
}

static void higher_flags(struct test_maker *m)
{
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 64 + 1024}, {2, 6});
}

static void short_tele_layer(struct test_maker *m)
{
    test_odd_start(m, 3);
    LAYER(m, 1, 18, test_odd_tiles(m), {6, 2});
    LAYER(m, 2, 18, test_odd_tiles(m), {6, 32});
}

static void layer_of_one_tile(struct test_maker *m)
{
    test_odd_start(m, 4);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {4, 1}, {5, 1});
    LAYER(m, 2, LAYER_INTS, test_odd_tiles(m), {4, -5}, {5, 1 << 30});
    LAYER(m, 3, LAYER_INTS, test_odd_tiles(m), {4, 65536}, {5, 65536});
}

static void color_of_256(struct test_maker *m)
{
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {8, 256}, {9, -1});
}

static void tiles_nowhere(struct test_maker *m)
{
    test_odd_start(m, 4);
    LAYER(m, 1, LAYER_INTS, 1, PLAIN); /* where the next block would be */
    LAYER(m, 2, LAYER_INTS, -7, PLAIN);
    LAYER(m, 3, LAYER_INTS, -1, {6, 2}, {18, 2});
}

static void shared_tiles(struct test_maker *m)
{
    const int32_t data = test_odd_tiles(m);
    test_odd_version(m);
    test_odd_info(m);
    LAYER(m, 0, LAYER_INTS, data, GAME);
    LAYER(m, 1, LAYER_INTS, data, PLAIN);
    LAYER(m, 2, LAYER_INTS, data, {6, 8}, {20, data});
    test_odd_group(m, 0, 0, 3);
}

static void small_tele_layer(struct test_maker *m)
{
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 2}, {4, 2}, {5, 2}, {18, test_odd_tiles(m)});
}

static void tele_layer_of_other_sides(struct test_maker *m)
{
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 2}, {4, 3}, {5, 4}, {18, test_odd_tiles(m)});
}

static void no_game_layer(struct test_maker *m)
{
    test_odd_version(m);
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), PLAIN);
    test_odd_group(m, 0, 0, 1);
}

static void short_game_layer(struct test_maker *m)
{
    test_odd_version(m);
    LAYER(m, 0, LAYER_INTS, test_maker_data(m, NULL, 20), GAME);
    test_odd_group(m, 0, 0, 1);
}

static void two_game_layers(struct test_maker *m)
{
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), GAME);
}

static void front_layer_in_the_next_group(struct test_maker *m)
{
    test_odd_start(m, 1);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 8}, {20, test_odd_tiles(m)});
    test_odd_group(m, 1, 1, 1);
}

/* ---------------------------------------------------------------------------------------------------------------- data */

static void short_tiles(struct test_maker *m)
{
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_maker_data(m, NULL, 20), PLAIN);
}

static void run_lengths(struct test_maker *m, const uint8_t *runs, size_t size)
{
    test_odd_version(m);
    LAYER(m, 0, 18, test_odd_tiles(m), GAME);
    LAYER(m, 1, 18, test_maker_data(m, runs, size), {3, 4});
    test_odd_group(m, 0, 0, 2);
}

static void runs_too_short(struct test_maker *m)
{
    static const uint8_t runs[] = {1, 0, 3, 0, 2, 0, 1, 0};
    run_lengths(m, runs, sizeof(runs));
}

static void runs_too_long(struct test_maker *m)
{
    static const uint8_t runs[] = {1, 0, 11, 0, 2, 0, 1, 0};
    run_lengths(m, runs, sizeof(runs));
}

static void runs_with_reserved(struct test_maker *m)
{
    static const uint8_t runs[] = {1, 0, 5, 9, 1, 0, 5, 0};
    run_lengths(m, runs, sizeof(runs));
}

static void skip_bytes(struct test_maker *m)
{
    static const uint8_t bytes[48] = {1, 0, 7, 0};
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_maker_data(m, bytes, 48), PLAIN);
}

static void reserved_bytes(struct test_maker *m)
{
    static const uint8_t bytes[48] = {1, 0, 0, 7};
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_maker_data(m, bytes, 48), PLAIN);
}

static void padded_speedups(struct test_maker *m)
{
    static const uint8_t bytes[4 * 3 * 6] = {1, 2, 28, 7, 90, 0};
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 4}, {19, test_maker_data(m, bytes, sizeof(bytes))});
}

static void tele_layer_of_runs(struct test_maker *m)
{
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {3, 4}, {6, 2}, {18, test_maker_data(m, NULL, 24)});
}

static void unreferenced_data(struct test_maker *m)
{
    test_maker_data(m, "in front", 9);
    test_odd_start(m, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 0, test_maker_text(m, "a"), test_maker_data(m, "rgba", 4));
    test_maker_data(m, "between", 8);
    TEST_ITEM(m, TM_ITEM_IMAGE, 1, 1, 1, 1, 0, test_maker_text(m, "b"), test_maker_data(m, "abgr", 4));
    test_maker_data(m, "behind", 7);
}

static void shared_data(struct test_maker *m)
{
    const int32_t name = test_maker_text(m, "name"), pixels = test_maker_data(m, "rgba", 4);
    const int32_t quads = test_maker_data(m, NULL, 2 * 152);
    test_odd_start(m, 3);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 0, name, pixels);
    TEST_ITEM(m, TM_ITEM_IMAGE, 1, 1, 1, 1, 0, name, pixels);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 2, 2, quads, -1, TEST_NAME3("A"));
    TEST_ITEM(m, TM_ITEM_LAYER, 2, 0, 3, 0, 2, 1, quads, -1, TEST_NAME3("B"));
}

static void empty_blocks(struct test_maker *m)
{
    test_odd_start(m, 2);
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
    test_odd_start(m, 4);
    test_odd_envelope(m, 0, 0, 0);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 1, test_maker_text(m, "a"), -1);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {11, 1}, {13, 1});
    TEST_ITEM(m, TM_ITEM_LAYER, 2, 0, 3, 0, 2, 1, test_maker_ints(m, quad, 38), 1, TEST_NAME3("Q"));
    TEST_ITEM(m, TM_ITEM_LAYER, 3, 0, 10, 0, 2, 1, test_maker_ints(m, source, 13), 0, TEST_NAME3("S"));
}

static void elements_beyond_the_data(struct test_maker *m)
{
    test_odd_start(m, 4);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 2, 5, test_maker_data(m, NULL, 160), -1, TEST_NAME3("Q"));
    TEST_ITEM(m, TM_ITEM_LAYER, 2, 0, 3, 0, 2, -1, test_maker_data(m, NULL, 152), -1, TEST_NAME3("Q"));
    TEST_ITEM(m, TM_ITEM_LAYER, 3, 0, 10, 0, 2, 3, 77, -1, TEST_NAME3("S"));
}

static void odd_images(struct test_maker *m)
{
    test_odd_start(m, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 0, -4, 0, test_maker_text(m, "a"), test_maker_data(m, "rgba", 4));
    TEST_ITEM(m, TM_ITEM_IMAGE, 1, 1, 7, 7, 0, test_maker_text(m, "b"), 3);
    TEST_ITEM(m, TM_ITEM_IMAGE, 2, 9, 1, 1, 0, 50, 51, 0, 77);
}

static void image_of_3_bytes(struct test_maker *m)
{
    test_odd_start(m, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 2, 1, 1, 0, test_maker_text(m, "a"), test_maker_data(m, "rgb", 3), 0);
}

static void external_image_with_pixels(struct test_maker *m)
{
    test_odd_start(m, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 1, test_maker_text(m, "a"), test_maker_data(m, "rgba", 4));
}

static void image_of_no_16_tiles(struct test_maker *m)
{
    uint8_t pixels[17 * 16 * 4] = {0};
    test_odd_start(m, 2);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 17, 16, 0, test_maker_text(m, "a"),
              test_maker_data(m, pixels, sizeof(pixels)));
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {13, 0});
}

static void image_of_format_7(struct test_maker *m)
{
    test_odd_start(m, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 2, 1, 1, 0, test_maker_text(m, "a"), test_maker_data(m, "rgba", 4), 7);
}

static void sound_of_other_size(struct test_maker *m)
{
    test_odd_start(m, 1);
    TEST_ITEM(m, TM_ITEM_SOUND, 0, 1, 0, test_maker_text(m, "a"), test_maker_data(m, "opus", 4), 9);
}

/* ------------------------------------------------------------------------------------------------------- the list */

static const struct test_odd odds[] = {
    ODD(short_group, GROUP_TOO_SHORT),
    ODD(group_version_4, BAD_GROUP_VERSION),
    ODD(group_out_of_range, BAD_GROUP_RANGE),
    ODD(layer_in_two_groups, SHARED_LAYER),
    ODD(any_layer_in_two_groups, SHARED_LAYER),
    ODD(layers_in_no_group, LAYER_WITHOUT_GROUP),
    ODD(groups_in_another_order, NONE),
    ODD(short_layer, LAYER_TOO_SHORT),
    ODD(unknown_layer, UNKNOWN_LAYER),
    ODD(tile_layer_version_5, BAD_TILE_VERSION),
    ODD(several_flags, SEVERAL_PHYSICS_FLAGS),
    ODD(higher_flags, NONE),
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
    ODD(front_layer_in_the_next_group, PHYSICS_APART),
    ODD(short_tiles, TILES_SHORT),
    ODD(runs_too_short, TILES_RUNS),
    ODD(runs_too_long, TILES_RUNS),
    ODD(runs_with_reserved, TILES_RESERVED),
    ODD(skip_bytes, TILES_SKIP),
    ODD(reserved_bytes, TILES_RESERVED),
    ODD(padded_speedups, TILES_RESERVED),
    ODD(tele_layer_of_runs, PHYSICS_RUNS),
    ODD(unreferenced_data, NONE),
    ODD(shared_data, NONE),
    ODD(empty_blocks, EMPTY_DATA),
    ODD(dangling_references, BAD_REFERENCE),
    ODD(elements_beyond_the_data, BLOCK_SIZE),
    ODD(odd_images, BAD_IMAGE_SIZE),
    ODD(image_of_3_bytes, IMAGE_FORMAT),
    ODD(external_image_with_pixels, EXTERNAL_PIXELS),
    ODD(image_of_no_16_tiles, BAD_IMAGE_SIZE),
    ODD(image_of_format_7, IMAGE_FORMAT),
    ODD(sound_of_other_size, BLOCK_SIZE),
};

const struct test_odd *test_odd_layer_at(size_t i)
{
    return i < sizeof(odds) / sizeof(odds[0]) ? &odds[i] : NULL;
}
