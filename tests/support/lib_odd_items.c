/* SPDX-License-Identifier: Zlib */
/*
 * Odd maps: items of all kinds but groups and layers, texts, names, ids. Each maker adds items to an empty file; most start from a small sound map and spoil one
 * thing. See lib_odd.h.
 */
#include "lib_odd_pieces.h"
#include "test.h"
#include "games/games.h"

/* ------------------------------------------------------------------------------------------------ items of their own */

ODD(no_version, NO_VERSION_ITEM)
{
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), GAME);
    test_odd_group(m, 0, 0, 1);
}

ODD(version_2, BAD_MAP_VERSION)
{
    TEST_ITEM(m, TM_ITEM_VERSION, 0, 2);
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), GAME);
    test_odd_group(m, 0, 0, 1);
}

ODD(version_id_3, NO_VERSION_ITEM)
{
    TEST_ITEM(m, TM_ITEM_VERSION, 3, 1);
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), GAME);
    test_odd_group(m, 0, 0, 1);
}

ODD(pre_2008, PRE_2008)
{
    const int32_t data = test_maker_data(m, "0123456789ab", 12);
    TEST_ITEM(m, 1, 0, 100, 200);
    TEST_ITEM(m, 4, 0, 300, 400);
    TEST_ITEM(m, 0x8001, 0, 1, 1, data);
    TEST_ITEM(m, 0x8002, 0, 0, 2, 3, 0, 0, 65536, data, 1);
}

ODD(unknown_types, UNKNOWN_ITEM)
{
    static const tm_uuid other = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
    static const tm_uuid second_uuid = {{0xFF, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
    test_odd_start(m, 1);
    const int32_t data = test_maker_data(m, "somebody else's", 15);
    TEST_ITEM(m, 9, 7, 1, data, 3);
    TEST_ITEM(m, 9, 3, 4);
    TEST_ITEM(m, 0x7000, 0, 5);
    TEST_ITEM(m, 0x9000, 0, 6); /* no index item */
    test_maker_index(m, 0xFFFE, &other);
    test_maker_index(m, 0xFFFD, &second_uuid);
    TEST_ITEM(m, 0xFFFE, 0, 7, 8);
    TEST_ITEM(m, 0xFFFE, 1, 9);
    TEST_ITEM(m, 0xFFFD, 0, 10);
    TEST_UUID(m, TM_UUID_TEST, 0, 1, 2, 3, 4, 5);
}

ODD_SOUND(contradicting_indices, UUID_INDEX_DUPLICATE, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), PLAIN);
    test_maker_index(m, 0xFFFE, tmi_game_uuid(TM_UUID_AUTOMAPPER));
    test_maker_index(m, 0xFFFE, tmi_game_uuid(TM_UUID_AUTOMAPPER)); /* old DDNet tools repeat them */
    test_maker_index(m, 0xFFFE, tmi_game_uuid(TM_UUID_BEZIER));     /* the same number for two */
    test_maker_index(m, 0xFFFD, tmi_game_uuid(TM_UUID_AUTOMAPPER)); /* two numbers for the same */
    test_maker_index(m, 5, tmi_game_uuid(TM_UUID_GROUP_EX));        /* the number of layers */
    TEST_ITEM(m, 0xFFFE, 0, 1, 0, 1, 3, 0, 1);
    TEST_ITEM(m, 0xFFFD, 0, 1, 0, 1, 4, 0, 1);
}

ODD_SOUND(second_info, EXTRA_ITEM, 1)
{
    TEST_ITEM(m, TM_ITEM_INFO, 1, 1, test_maker_text(m, "second"), -1, -1, -1, -1);
}

ODD(info_id_5, EXTRA_ITEM)
{
    test_odd_version(m);
    TEST_ITEM(m, TM_ITEM_INFO, 5, 1, test_maker_text(m, "five"), -1, -1, -1, -1);
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), GAME);
    test_odd_group(m, 0, 0, 1);
}

ODD_SOUND(short_items, ITEM_TOO_SHORT, 2)
{
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 2, 2, 1);
    TEST_ITEM(m, TM_ITEM_SOUND, 0, 1);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 0, 1, 3, 0);
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 1);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, NULL, 0);
}

ODD(longer_items, ITEM_LONGER)
{
    test_odd_version(m);
    TEST_ITEM(m, TM_ITEM_INFO, 0, 1, -1, -1, -1, -1, -1, 77, 78);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 2, 2, 1, test_maker_text(m, "long"), -1, 5, 6);
    TEST_ITEM(m, TM_ITEM_SOUND, 0, 1, 1, test_maker_text(m, "long"), -1, 0, 9);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 0, 2, 3, 0, 1, TEST_NAME8("e"), 1, 4, 5);
    LAYER(m, 0, 30, test_odd_tiles(m), GAME, {25, 4}, {29, 1});
    TEST_ITEM(m, TM_ITEM_LAYER, 1, 0, 3, 0, 2, 0, test_maker_data(m, NULL, 152), -1, TEST_NAME3("Quads"), 1,
              2);
    TEST_ITEM(m, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 2, 0, 0, 0, 0, 0, TEST_NAME3("Game"), 1);
    int32_t odd[6 + 3] = {10, 0, 0, 0, 0, 0, 1, 2, 3};
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, odd, 9);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 0, 1, 0, 0, -1, 0, 0, 8);
}

ODD_SOUND(no_points_item, POINTS_RANGE, 1)
{
    test_odd_envelope(m, 0, 0, 2);
    test_odd_envelope(m, 1, 0, 0);
}

ODD(no_info, NONE)
{
    no_version(m);
    test_odd_version(m);
}

/* --------------------------------------------------------------------------------------------------- texts, names, ids */

static void author(struct test_maker *m, int32_t index)
{
    test_odd_version(m);
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), GAME);
    test_odd_group(m, 0, 0, 1);
    TEST_ITEM(m, TM_ITEM_INFO, 0, 1, index, -1, -1, -1);
}

ODD(text_without_end, BAD_TEXT)
{
    author(m, test_maker_data(m, "abc", 3));
}

ODD(text_with_two_ends, BAD_TEXT)
{
    author(m, test_maker_data(m, "ab\0cd", 6));
}

ODD(text_not_utf8, BAD_TEXT)
{
    author(m, test_maker_data(m, "\xFF\xFF\xFF", 4));
}

ODD(text_too_long, BAD_TEXT)
{
    static char bytes[100000];
    memset(bytes, 'a', sizeof(bytes) - 1);
    const int32_t data = test_maker_data(m, bytes, sizeof(bytes));
    test_odd_version(m);
    TEST_ITEM(m, TM_ITEM_INFO, 0, 1, data, -1, -1, -1, data); /* and settings, which may be */
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), GAME);
    test_odd_group(m, 0, 0, 1);
}

ODD(text_nowhere, BAD_TEXT_INDEX)
{
    author(m, 1); /* where the next block would be */
}

ODD(settings_without_end, BAD_TEXT)
{
    test_odd_version(m);
    TEST_ITEM(m, TM_ITEM_INFO, 0, 1, -1, -1, -1, -1, test_maker_data(m, "a\0\0b", 4));
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), GAME);
    test_odd_group(m, 0, 0, 1);
}

ODD_SOUND(layer_name_of_zeros, BAD_LAYER_NAME, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), {15, 0}, {16, 0}, {17, 0});
}

ODD(names_of_other_things, BAD_NAME)
{
    test_odd_version(m);
    LAYER(m, 0, LAYER_INTS, test_odd_tiles(m), GAME, {17, (int32_t)0x80808077}); /* last byte not 0 */
    TEST_ITEM(m, TM_ITEM_GROUP, 0, 3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0, 0x67616D65, 0,
              0); /* plain ASCII, zeros */
    TEST_ITEM(m, TM_ITEM_GROUP, 1, 3, 0, 0, 100, 100, 1, 0, 0, 0, 0, 0, 0, (int32_t)0xE1808080, 12345,
              678); /* behind the end */
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
}

ODD(ids_that_do_not_count_up, NONE)
{
    test_odd_version(m);
    LAYER(m, 40, LAYER_INTS, test_odd_tiles(m), GAME);
    LAYER(m, 2, LAYER_INTS, test_odd_tiles(m), PLAIN);
    LAYER(m, 65535, LAYER_INTS, test_odd_tiles(m), PLAIN);
    test_odd_group(m, 9, 0, 2);
    test_odd_group(m, 1, 2, 1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 7, 1, 2, 2, 1, test_maker_text(m, "a"), -1);
    TEST_ITEM(m, TM_ITEM_IMAGE, 0, 1, 2, 2, 1, test_maker_text(m, "b"), -1);
    test_odd_envelope(m, 1, 0, 1);
    test_odd_envelope(m, 0, 1, 1);
    test_odd_points(m, 2);
}

ODD_SOUND(duplicate_ids, DUPLICATE_ITEM_ID, 1)
{
    test_odd_envelope(m, 0, 0, 1);
    test_odd_envelope(m, 0, 1, 1);
    test_odd_points(m, 2);
}

/* ----------------------------------------------------------------------------------------------------------- envelopes */

ODD_SOUND(two_channels, BAD_CHANNELS, 1)
{
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 0, 2, 2, 0, 0, TEST_NAME8("e"), 1);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 1, 2, -9, 0, 0, TEST_NAME8("e"), 1);
    test_odd_points(m, 0);
}

ODD(curve_of_527, BAD_CURVE)
{
    int32_t ints[6] = {10, 527, 1, 2, 3, 4};
    test_odd_start(m, 1);
    test_odd_envelope(m, 0, 0, 1);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, ints, 6);
}

ODD_SOUND(points_out_of_range, POINTS_RANGE, 1)
{
    test_odd_envelope(m, 0, 1, 5);
    test_odd_envelope(m, 1, -1, 1);
    test_odd_envelope(m, 2, 3, 1);
    test_odd_points(m, 3);
}

ODD_SOUND(overlapping_points, NONE, 1)
{
    test_odd_envelope(m, 0, 0, 3);
    test_odd_envelope(m, 1, 1, 3);
    test_odd_points(m, 6); /* two of them nobody's */
}

ODD(points_that_go_back, POINTS_ORDER)
{
    int32_t ints[12] = {10, 0, 0, 0, 0, 0, 5};
    test_odd_start(m, 1);
    test_odd_envelope(m, 0, 0, 2);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, ints, 12);
}

ODD(bezier_of_other_count, BEZIER_COUNT)
{
    int32_t ints[3 * 16] = {1, 2, 3};
    test_odd_start(m, 1);
    test_odd_envelope(m, 0, 0, 2);
    test_odd_points(m, 2);
    test_maker_uuid_item(m, TM_UUID_BEZIER, 0, ints, 48);
}

ODD(two_points_items, EXTRA_ITEM)
{
    int32_t ints[12] = {77};
    test_odd_start(m, 1);
    test_odd_envelope(m, 0, 0, 2);
    test_odd_points(m, 2);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 1, ints, 12);
}

ODD(mixed_envelope_versions, NONE)
{
    int32_t ints[4 * 22] = {0};
    test_odd_start(m, 1);
    for (int i = 0; i < 4 * 22; i++)
        ints[i] = i % 22 == 1 ? 1 : i;
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 0, 1, 3, 0, 1, -1);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 1, 2, 3, 1, 1, TEST_NAME8("two"), 0);
    TEST_ITEM(m, TM_ITEM_ENVELOPE, 2, 3, 4, 2, 2, TEST_NAME8("three"), 1);
    test_maker_item(m, TM_ITEM_ENVELOPE_POINTS, 0, ints, 4 * 22);
}

/* --------------------------------------------------------------------------------------------------------- UUID items */

ODD_SOUND(old_automapper, AUTOMAPPER_VERSION, 2)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), PLAIN);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 0, 18677760, 0, 1, 3, 7, 1);
}

ODD_SOUND(stray_automappers, AUTOMAPPER_TARGET, 3)
{
    LAYER(m, 1, LAYER_INTS, test_odd_tiles(m), PLAIN);
    LAYER(m, 2, LAYER_INTS, test_odd_tiles(m), PLAIN);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 0, 1, 0, 1, 5, 0, 1); /* overruled by the next but one */
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 1, 1, 0, 3, 1, 0, 1); /* a layer that may come */
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 2, 1, 0, 1, 6, 0, 1);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 3, 1, 1, 0, 2, 0, 1); /* a group that may come */
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 4, 1, 0, 0, 7, 0, 1); /* the game layer */
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 5, 1, -1, -1, 7, 0, 1);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 6, 1);
    TEST_UUID(m, TM_UUID_AUTOMAPPER, 7, 1, 0, 2, 8, 0, 1);
}

ODD_SOUND(group_ex_of_other_count, GROUP_EX_COUNT, 1)
{
    TEST_UUID(m, TM_UUID_GROUP_EX, 0, 1, 50);
    TEST_UUID(m, TM_UUID_GROUP_EX, 1, 1, 60); /* one group more, and they would count */
}

const char test_odd_items = 0;
