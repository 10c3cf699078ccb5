/* SPDX-License-Identifier: Zlib */
/*
 * Odd maps: groups, layers, data and references. Each maker adds items to an empty file; most start from a small sound map and spoil one
 * thing. See lib_odd.h.
 */
#include "lib_odd_pieces.h"
#include "test.h"

/* -------------------------------------------------------------------------------------------------- groups and layers */

ODD_SOUND(short_group, GROUP_TOO_SHORT, 1)
{
    TEST_ITEM(m, TM_ITEM_GROUP, 1, 1, 5, 6);
    test_maker_item(m, TM_ITEM_GROUP, 2, NULL, 0);
}

ODD_SOUND(group_version_4, BAD_GROUP_VERSION, 1)
{
    TEST_ITEM(m, TM_ITEM_GROUP, 1, 4, 0, 0, 100, 100, 1, 0, 0, 0, 0, 0, 0, TEST_NAME3("Four"), 70);
    TEST_ITEM(m, TM_ITEM_GROUP, 2, 0, 0, 0, 100, 100, 1, 0);
}

ODD_SOUND(group_out_of_range, BAD_GROUP_RANGE, 1)
{
    test_odd_group(m, 1, 1, 5); /* one layer more, and it would begin there */
    test_odd_group(m, 2, -1, 1);
    test_odd_group(m, 3, 0, -3);
    test_odd_group(m, 4, 2147483647, 2147483647);
}

ODD_SOUND(layer_in_two_groups, SHARED_LAYER, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), PLAIN);
    test_odd_group(m, 1, 1, 1);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 0, 1, 1, 0, 3, 0, 1);
}

ODD(any_layer_in_two_groups, SHARED_LAYER)
{
    const int32_t sounds = test_maker_data(m, NULL, 52), quads = test_maker_data(m, NULL, 152);
    test_odd_start(m, 5);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), PLAIN);
    TEST_ITEM(m, TM_ITEM_LAYER, 2, 0, 3, 0, 2, 1, quads, -1, TEST_NAME3("Q"));
    TEST_ITEM(m, TM_ITEM_LAYER, 3, 0, 10, 0, 2, 1, sounds, -1, TEST_NAME3("S"));
    TEST_ITEM(m, TM_ITEM_LAYER, 4, 0, 77, 0, 1, 2, 3);
    test_odd_group(m, 1, 1, 4);
}

ODD(layers_in_no_group, LAYER_WITHOUT_GROUP)
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

ODD(groups_in_another_order, NONE)
{
    test_odd_version(m);
    for (int i = 0; i < 4; i++)
        LAYER(m, i, LAYER_INTS, test_odd_tiles(m), {6, i == 2});
    test_odd_group(m, 0, 2, 2);
    test_odd_group(m, 1, 0, 1);
    test_odd_group(m, 2, 1, 1);
}

ODD_SOUND(short_layer, LAYER_TOO_SHORT, 3)
{
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 2);
    LAYER(m, 2, 16, test_odd_tiles(m), PLAIN); /* version 3 that ends in its name */
}

ODD_SOUND(unknown_layer, UNKNOWN_LAYER, 2)
{
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 3, 7, 1, 1, 2, 3);
}

ODD_SOUND(tile_layer_version_5, BAD_TILE_VERSION, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {3, 5});
}

ODD_SOUND(several_flags, SEVERAL_PHYSICS_FLAGS, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 2 + 8 + 64}, {18, test_odd_tiles(m)},
          {20, test_odd_tiles(m)});
}

ODD_SOUND(higher_flags, NONE, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 64 + 1024}, {2, 6});
}

ODD_SOUND(short_tele_layer, NO_PHYSICS_DATA, 3)
{
    LAYER(m, 1, 18, test_odd_tiles(m), {6, 2});
    LAYER(m, 2, 18, test_odd_tiles(m), {6, 32});
}

ODD_SOUND(layer_of_one_tile, BAD_LAYER_SIZE, 4)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {4, 1}, {5, 1});
    LAYER(m, 2, LAYER_INTS, test_odd_tiles(m), {4, -5}, {5, 1 << 30});
    LAYER(m, 3, LAYER_INTS, test_odd_tiles(m), {4, 65536}, {5, 65536});
}

ODD_SOUND(color_of_256, BAD_COLOR, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {8, 256}, {9, -1});
}

ODD_SOUND(tiles_nowhere, BAD_DATA_INDEX, 4)
{
    LAYER(m, 1, LAYER_INTS, 1, PLAIN); /* where the next block would be */
    LAYER(m, 2, LAYER_INTS, -7, PLAIN);
    LAYER(m, 3, LAYER_INTS, -1, {6, 2}, {18, 2});
}

ODD(shared_tiles, SHARED_TILES)
{
    const int32_t data = test_odd_tiles(m);
    test_odd_version(m);
    test_odd_info(m);
    LAYER(m, 0, LAYER_INTS, data, GAME);
    LAYER(m, 1, LAYER_INTS, data, PLAIN);
    LAYER(m, 2, LAYER_INTS, data, {6, 8}, {20, data});
    test_odd_group(m, 0, 0, 3);
}

ODD_SOUND(small_tele_layer, PHYSICS_TOO_SMALL, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 2}, {4, 2}, {5, 2}, {18, test_odd_tiles(m)});
}

ODD_SOUND(tele_layer_of_other_sides, PHYSICS_SIZE, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 2}, {4, 3}, {5, 4}, {18, test_odd_tiles(m)});
}

ODD(no_game_layer, NO_GAME_LAYER)
{
    test_odd_version(m);
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), PLAIN);
    test_odd_group(m, 0, 0, 1);
}

ODD(short_game_layer, GAME_LAYER_DATA)
{
    test_odd_version(m);
    LAYER(m, 0, LAYER_INTS, test_maker_data(m, NULL, 20), GAME);
    test_odd_group(m, 0, 0, 1);
}

ODD_SOUND(two_game_layers, SEVERAL_PHYSICS_LAYERS, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), GAME);
}

ODD_SOUND(front_layer_in_the_next_group, PHYSICS_APART, 1)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 8}, {20, test_odd_tiles(m)});
    test_odd_group(m, 1, 1, 1);
}

/* ---------------------------------------------------------------------------------------------------------------- data */

ODD_SOUND(short_tiles, TILES_SHORT, 2)
{
    LAYER(m, 1, LAYER_INTS, test_maker_data(m, NULL, 20), PLAIN);
}

static void run_lengths(struct test_maker *m, const uint8_t *runs, size_t size)
{
    test_odd_version(m);
    LAYER(m, 0, 18, test_odd_tiles(m), GAME);
    LAYER(m, 1, 18, test_maker_data(m, runs, size), {3, 4});
    test_odd_group(m, 0, 0, 2);
}

ODD(runs_too_short, TILES_SHORT)
{
    static const uint8_t runs[] = {1, 0, 3, 0, 2, 0, 1, 0};
    run_lengths(m, runs, sizeof(runs));
}

ODD(runs_too_long, TILES_RUNS)
{
    static const uint8_t runs[] = {1, 0, 11, 0, 2, 0, 1, 0};
    run_lengths(m, runs, sizeof(runs));
}

ODD(runs_with_reserved, TILES_RESERVED)
{
    static const uint8_t runs[] = {1, 0, 5, 9, 1, 0, 5, 0};
    run_lengths(m, runs, sizeof(runs));
}

ODD(skip_bytes, TILES_SKIP)
{
    static const uint8_t bytes[48] = {1, 0, 7, 0};
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_maker_data(m, bytes, 48), PLAIN);
}

ODD(reserved_bytes, TILES_RESERVED)
{
    static const uint8_t bytes[48] = {1, 0, 0, 7};
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_maker_data(m, bytes, 48), PLAIN);
}

ODD(padded_speedups, TILES_RESERVED)
{
    static const uint8_t bytes[4 * 3 * 6] = {1, 2, 28, 7, 90, 0};
    test_odd_start(m, 2);
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {6, 4}, {19, test_maker_data(m, bytes, sizeof(bytes))});
}

ODD_SOUND(tele_layer_of_runs, PHYSICS_RUNS, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {3, 4}, {6, 2}, {18, test_maker_data(m, NULL, 24)});
}

ODD(unreferenced_data, NONE)
{
    test_maker_data(m, "in front", 9);
    test_odd_start(m, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 0, test_maker_text(m, "a"), test_maker_data(m, "rgba", 4));
    test_maker_data(m, "between", 8);
    TEST_ITEM(m, TM_ITEM_IMAGE, 1, 1, 1, 1, 0, test_maker_text(m, "b"), test_maker_data(m, "abgr", 4));
    test_maker_data(m, "behind", 7);
}

ODD(shared_data, NONE)
{
    const int32_t name = test_maker_text(m, "name"), pixels = test_maker_data(m, "rgba", 4);
    const int32_t quads = test_maker_data(m, NULL, 2 * 152);
    test_odd_start(m, 3);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 0, name, pixels);
    TEST_ITEM(m, TM_ITEM_IMAGE, 1, 1, 1, 1, 0, name, pixels);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 2, 2, quads, -1, TEST_NAME3("A"));
    TEST_ITEM(m, TM_ITEM_LAYER, 2, 0, 3, 0, 2, 1, quads, -1, TEST_NAME3("B"));
}

ODD_SOUND(empty_blocks, EMPTY_DATA, 2)
{
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 0, test_maker_data(m, NULL, 0), test_maker_data(m, NULL, 0));
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 2, 0, test_maker_data(m, NULL, 0), -1, TEST_NAME3("A"));
}

/* ------------------------------------------------------------------------------------------------------ references */

ODD(dangling_references, BAD_REFERENCE)
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

ODD_SOUND(elements_beyond_the_data, BLOCK_SIZE, 4)
{
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 2, 5, test_maker_data(m, NULL, 160), -1, TEST_NAME3("Q"));
    TEST_ITEM(m, TM_ITEM_LAYER, 2, 0, 3, 0, 2, -1, test_maker_data(m, NULL, 152), -1, TEST_NAME3("Q"));
    TEST_ITEM(m, TM_ITEM_LAYER, 3, 0, 10, 0, 2, 3, 77, -1, TEST_NAME3("S"));
}

ODD_SOUND(odd_images, BAD_IMAGE_SIZE, 1)
{
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 0, -4, 0, test_maker_text(m, "a"), test_maker_data(m, "rgba", 4));
    TEST_ITEM(m, TM_ITEM_IMAGE, 1, 1, 7, 7, 0, test_maker_text(m, "b"), 3);
    TEST_ITEM(m, TM_ITEM_IMAGE, 2, 9, 1, 1, 0, 50, 51, 0, 77);
}

ODD_SOUND(image_of_3_bytes, IMAGE_FORMAT, 1)
{
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 2, 1, 1, 0, test_maker_text(m, "a"), test_maker_data(m, "rgb", 3), 0);
}

ODD_SOUND(external_image_with_pixels, EXTERNAL_PIXELS, 1)
{
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 1, 1, 1, test_maker_text(m, "a"), test_maker_data(m, "rgba", 4));
}

ODD(image_of_no_16_tiles, BAD_IMAGE_SIZE)
{
    uint8_t pixels[17 * 16 * 4] = {0};
    test_odd_start(m, 2);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 17, 16, 0, test_maker_text(m, "a"),
              test_maker_data(m, pixels, sizeof(pixels)));
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {13, 0});
}

ODD_SOUND(image_of_format_7, IMAGE_FORMAT, 1)
{
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 2, 1, 1, 0, test_maker_text(m, "a"), test_maker_data(m, "rgba", 4), 7);
}

ODD_SOUND(sound_of_other_size, BLOCK_SIZE, 1)
{
    TEST_ITEM(m, TM_ITEM_SOUND, 0, 1, 0, test_maker_text(m, "a"), test_maker_data(m, "opus", 4), 9);
}

const char test_odd_layers = 0;
