/* SPDX-License-Identifier: Zlib */
/*
 * The constant tables: games, item types and UUIDs (the vectors of format section 1.12), kinds of layers.
 */
#include "games/games.h"
#include "support/test.h"

TEST(games_have_names)
{
    static const struct {
        const char *name;
        tm_game game;
    } names[] = {{"ddnet", TM_GAME_DDNET},
                 {"teeworlds06", TM_GAME_TEEWORLDS06},
                 {"0.6", TM_GAME_TEEWORLDS06},
                 {"teeworlds07", TM_GAME_TEEWORLDS07},
                 {"0.7", TM_GAME_TEEWORLDS07}};
    tm_game game;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_true(tm_game_from_name(&game, names[i].name));
        assert_int_equal(game, names[i].game);
    }
    for (int i = 0; i < TM_GAME_COUNT; i++) {
        assert_true(tm_game_from_name(&game, tm_game_name((tm_game)i)));
        assert_int_equal(game, i);
    }
    assert_false(tm_game_from_name(&game, "DDNet"));
    assert_false(tm_game_from_name(&game, ""));
    assert_null(tm_game_name(TM_GAME_COUNT));
    assert_null(tm_game_name((tm_game)-1));
}

/* Each int holds four bytes, the first one on top. */
TEST(uuids_are_those_of_the_files)
{
    static const struct {
        tm_uuid_item item;
        int32_t ints[4];
        const char *name;
    } vectors[] = {
        {TM_UUID_TEST, {-1314184826, 1522743769, -1615050801, 66051870}, "mapitemtype-test@ddnet.tw"},
        {TM_UUID_AUTOMAPPER,
         {1041966870, 395065720, -1680232166, -532607528},
         "mapitemtype-automapper-config@ddnet.tw"},
        {TM_UUID_BEZIER,
         {984938573, -640926600, -1249571476, -843914660},
         "mapitemtype-envpoints-bezier@ddnet.tw"},
        {TM_UUID_GROUP_EX, {1244056095, 1690120419, -1871024002, -1395527552}, "mapitemtype-group@ddnet.tw"},
    };
    assert_int_equal(sizeof(vectors) / sizeof(vectors[0]), TM_UUID_COUNT);
    for (size_t i = 0; i < TM_UUID_COUNT; i++) {
        const tm_uuid *uuid = tmi_game_uuid(vectors[i].item);
        for (size_t k = 0; k < 16; k++)
            assert_int_equal(uuid->bytes[k], (uint32_t)vectors[i].ints[k / 4] >> (24 - 8 * (k % 4)) & 0xFF);
        assert_string_equal(tm_game_uuid_name(uuid), vectors[i].name);
    }
    tm_uuid other = *tmi_game_uuid(TM_UUID_TEST);
    other.bytes[15] ^= 1;
    assert_null(tm_game_uuid_name(&other));
    assert_null(tmi_game_uuid(TM_UUID_COUNT));
}

TEST(item_types_have_names)
{
    assert_string_equal(tm_game_item_name(TM_ITEM_VERSION), "version");
    assert_string_equal(tm_game_item_name(TM_ITEM_ENVELOPE_POINTS), "envelope-points");
    assert_string_equal(tm_game_item_name(TM_ITEM_SOUND), "sound");
    assert_null(tm_game_item_name(8));
    assert_null(tm_game_item_name(0xFFFF));
}

/* What the structs of the model hold is what the table says. */
TEST(layers_fit_the_structs)
{
    static const size_t sizes[TM_LAYER_KINDS] = {
        [TM_LAYER_TILES] = sizeof(tm_tile),
        [TM_LAYER_GAME] = sizeof(tm_tile),
        [TM_LAYER_TELE] = sizeof(tm_tele_tile),
        [TM_LAYER_SPEEDUP] = sizeof(tm_speedup_tile),
        [TM_LAYER_FRONT] = sizeof(tm_tile),
        [TM_LAYER_SWITCH] = sizeof(tm_switch_tile),
        [TM_LAYER_TUNE] = sizeof(tm_tune_tile),
        [TM_LAYER_QUADS] = sizeof(tm_quad),
        [TM_LAYER_SOUNDS] = sizeof(tm_sound_source),
        [TM_LAYER_OLD_SOUNDS] = sizeof(tm_old_source),
        [TM_LAYER_UNKNOWN] = 0,
    };
    int32_t flags = 0;
    for (int i = 0; i < TM_LAYER_KINDS; i++) {
        const tm_layer_info *rule = tm_game_layer((tm_layer_kind)i);
        assert_int_equal(rule->element_size, sizes[i]);
        assert_true(strlen(rule->title) < TM_NAME_SIZE);
        assert_int_equal(rule->is_physics, rule->tile_flags != 0);
        assert_int_equal(rule->is_tiles, rule->layer_type == 2);
        assert_true(rule->is_tiles || !rule->is_physics);
        flags += rule->tile_flags; /* 1, 2, 4, ... once each */
    }
    assert_int_equal(flags, 63);
    assert_string_equal(tm_game_layer(TM_LAYER_SWITCH)->name, "switch");
    assert_int_equal(tm_game_layer(TM_LAYER_SWITCH)->tile_flags, 16);
    assert_true(tm_game_layer(TM_LAYER_QUADS)->games[TM_GAME_TEEWORLDS07]);
    assert_false(tm_game_layer(TM_LAYER_TELE)->games[TM_GAME_TEEWORLDS06]);
    assert_ptr_equal(tm_game_layer((tm_layer_kind)99), tm_game_layer(TM_LAYER_UNKNOWN));
    assert_ptr_equal(tm_game_layer((tm_layer_kind)-1), tm_game_layer(TM_LAYER_UNKNOWN));
}
