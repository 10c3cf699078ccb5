/* SPDX-License-Identifier: Zlib */
/*
 * The table of tiles against docs/format.md section 3: where every index of every kind is known, what some of
 * them are, which bytes of switch and tele tiles count; ids that are unique and lead back.
 */
#include "support/test.h"

/* Where section 3.1 has a row with the letter of the layer; kinds without such a row have none. */
static const char *const placed[TM_LAYER_KINDS] = {
    [TM_LAYER_GAME] =
        "0-6 9 11-13 16-22 32-62 64-67 71-76 88-91 96-97 104-107 112-113 128-129 144-145 190-218 220-229 233-238 240",
    [TM_LAYER_FRONT] =
        "0 2 4-6 9 11-13 16-22 32-62 64-67 71-76 88-91 96-99 104-107 112-113 128-129 144-145 190-218 220-229 233-238 240",
    [TM_LAYER_TELE] = "10 14-15 26-27 29-31 63",
    [TM_LAYER_SPEEDUP] = "28-29",
    [TM_LAYER_SWITCH] = "7 9 12-13 19-20 22-25 79 95 98-99 144-145 197-218 220-229 233-238 240",
    [TM_LAYER_TUNE] = "68",
};

static bool is_placed(const char *ranges, int index)
{
    unsigned first, last;
    int used;
    for (; ranges && sscanf(ranges, "%u%n", &first, &used) == 1; ranges += used) {
        last = first;
        ranges += used;
        if (sscanf(ranges, "-%u%n", &last, &used) != 1)
            used = 0;
        if (index >= (int)first && index <= (int)last)
            return true;
    }
    return false;
}

TEST(every_index_is_known_where_it_may_be_placed)
{
    for (tm_layer_kind kind = 0; kind < TM_LAYER_KINDS; kind++) {
        for (int i = 0; i < TM_TILE_INDICES; i++) {
            const bool vanilla = kind == TM_LAYER_GAME && (i <= 3 || (i >= 192 && i <= 202));
            const tm_tile_info *tile = tm_game_tile(TM_GAME_DDNET, kind, (uint8_t)i);
            if (!tile != !is_placed(placed[kind], i))
                fail_msg("%d in %s layers", i, tm_game_layer(kind)->name);
            assert_int_equal(!tm_game_tile(TM_GAME_TEEWORLDS06, kind, (uint8_t)i), !vanilla);
            assert_int_equal(!tm_game_tile(TM_GAME_TEEWORLDS07, kind, (uint8_t)i), !vanilla);
            assert_true(!tile || tile->index == i);
        }
    }
    assert_null(tm_game_tile(TM_GAME_COUNT, TM_LAYER_GAME, 1));
    assert_null(tm_game_tile((tm_game)-1, TM_LAYER_GAME, 1));
    assert_null(tm_game_tile(TM_GAME_DDNET, TM_LAYER_KINDS, 1));
    assert_null(tm_game_tile(TM_GAME_DDNET, (tm_layer_kind)-1, 1));
}

/* One of each category, way to turn and age at least; docs/tiles-of-the-games.md has them all. */
TEST(known_tiles_are_what_they_are)
{
    static const struct {
        tm_layer_kind kind;
        uint8_t index;
        const char *id;
        tm_tile_category category;
        tm_tile_turn turn;
        const char *version;
    } tiles[] = {
        {TM_LAYER_GAME, 0, "air", TM_CATEGORY_AIR, TM_TURN_NONE, "Teeworlds 0.5"},
        {TM_LAYER_GAME, 1, "solid", TM_CATEGORY_SOLID, TM_TURN_NONE, "Teeworlds 0.5"},
        {TM_LAYER_FRONT, 2, "death", TM_CATEGORY_HAZARD, TM_TURN_NONE, "Teeworlds 0.5"},
        {TM_LAYER_FRONT, 5, "through-cut", TM_CATEGORY_HOOK, TM_TURN_NONE, "DDNet 10.0"},
        {TM_LAYER_GAME, 6, "through", TM_CATEGORY_HOOK, TM_TURN_NONE, "DDRace"},
        {TM_LAYER_SWITCH, 7, "jumps", TM_CATEGORY_ABILITY, TM_TURN_NONE, "DDNet 1.18"},
        {TM_LAYER_GAME, 9, "freeze", TM_CATEGORY_FREEZE, TM_TURN_NONE, "DDRace"},
        {TM_LAYER_TELE, 10, "tele-in-evil", TM_CATEGORY_TELE, TM_TURN_NONE, "DDRace"},
        {TM_LAYER_GAME, 16, "walljump", TM_CATEGORY_ABILITY, TM_TURN_NONE, "DDNet 4.3"},
        {TM_LAYER_SWITCH, 22, "switch-timed-open", TM_CATEGORY_SWITCH, TM_TURN_NONE, "DDRace"},
        {TM_LAYER_SPEEDUP, 28, "speedup-old", TM_CATEGORY_SPEEDUP, TM_TURN_ANGLE, "DDRace"},
        {TM_LAYER_SPEEDUP, 29, "speedup", TM_CATEGORY_SPEEDUP, TM_TURN_ANGLE, "DDNet 19.1"},
        {TM_LAYER_GAME, 33, "start", TM_CATEGORY_RACE, TM_TURN_NONE, "DDRace"},
        {TM_LAYER_GAME, 60, "stopper", TM_CATEGORY_STOPPER, TM_TURN_ARROW, "DDRace"},
        {TM_LAYER_GAME, 62, "stopper-all", TM_CATEGORY_STOPPER, TM_TURN_NONE, "DDRace"},
        {TM_LAYER_GAME, 65, "mover-fast", TM_CATEGORY_MOVER, TM_TURN_ARROW, "DDRace"},
        {TM_LAYER_FRONT, 67, "through-direction", TM_CATEGORY_HOOK, TM_TURN_ARROW, "DDNet 10.0"},
        {TM_LAYER_TUNE, 68, "tune", TM_CATEGORY_TUNE, TM_TURN_NONE, "DDNet 3.0"},
        {TM_LAYER_GAME, 74, "no-hit", TM_CATEGORY_GLOBAL, TM_TURN_NONE, "DDRace"},
        {TM_LAYER_SWITCH, 79, "add-time", TM_CATEGORY_RACE, TM_TURN_NONE, "DDNet 2.20"},
        {TM_LAYER_FRONT, 98, "allow-tele-gun", TM_CATEGORY_ABILITY, TM_TURN_NONE, "DDNet 11.5"},
        {TM_LAYER_GAME, 144, "live-freeze", TM_CATEGORY_FREEZE, TM_TURN_NONE, "DDNet 15.9"},
        {TM_LAYER_GAME, 190, "entities-off-1", TM_CATEGORY_SIGN, TM_TURN_PICTURE, "DDNet 10.0"},
        {TM_LAYER_GAME, 192, "spawn", TM_CATEGORY_SPAWN, TM_TURN_NONE, "Teeworlds 0.5"},
        {TM_LAYER_GAME, 195, "flag-red", TM_CATEGORY_FLAG, TM_TURN_NONE, "Teeworlds 0.5"},
        {TM_LAYER_SWITCH, 198, "health", TM_CATEGORY_PICKUP, TM_TURN_PICTURE, "Teeworlds 0.5"},
        {TM_LAYER_GAME, 203, "laser-fast-ccw", TM_CATEGORY_LASER, TM_TURN_SPIN, "DDRace"},
        {TM_LAYER_GAME, 212, "laser-long", TM_CATEGORY_LASER, TM_TURN_NONE, "DDRace"},
        {TM_LAYER_GAME, 220, "plasma-explosive", TM_CATEGORY_TURRET, TM_TURN_NONE, "DDRace"},
        {TM_LAYER_SWITCH, 225, "crazy-shotgun", TM_CATEGORY_TURRET, TM_TURN_SHOT, "DDRace"},
        {TM_LAYER_FRONT, 229, "armor-laser", TM_CATEGORY_PICKUP, TM_TURN_PICTURE, "DDNet 16.1"},
        {TM_LAYER_GAME, 238, "dragger-strong-through-walls", TM_CATEGORY_DRAGGER, TM_TURN_NONE, "DDRace"},
        {TM_LAYER_SWITCH, 240, "door", TM_CATEGORY_DOOR, TM_TURN_NONE, "DDRace"},
    };
    for (size_t i = 0; i < sizeof(tiles) / sizeof(tiles[0]); i++) {
        const tm_tile_info *tile = tm_game_tile(TM_GAME_DDNET, tiles[i].kind, tiles[i].index);
        assert_non_null(tile);
        assert_string_equal(tile->id, tiles[i].id);
        assert_int_equal(tile->category, tiles[i].category);
        assert_int_equal(tile->turn, tiles[i].turn);
        assert_string_equal(tile->first_version, tiles[i].version);
    }
}

/* Section 3.2: what the editor writes 0 to, and what the bytes mean. */
TEST(switch_tiles_use_their_bytes)
{
    for (int i = 0; i < TM_TILE_INDICES; i++) {
        const tm_tile_info *tile = tm_game_tile(TM_GAME_DDNET, TM_LAYER_SWITCH, (uint8_t)i);
        if (!tile)
            continue;
        const bool weapon = i == 19 || i == 20 || i == 98 || i == 99, deep = i == 12 || i == 13;
        const bool plain_number = i != 7 && !weapon;
        const tm_tile_delay delay = i == 7                         ? TM_DELAY_JUMPS
                                    : i == 9 || i == 22 || i == 23 ? TM_DELAY_SECONDS
                                    : i == 79 || i == 95           ? TM_DELAY_MINUTES
                                    : weapon                       ? TM_DELAY_WEAPON
                                    : deep                         ? TM_DELAY_NONE
                                                                   : TM_DELAY_UNKNOWN;
        assert_int_equal(tile->number != TM_NUMBER_NONE, plain_number);
        assert_int_equal(tile->number == TM_NUMBER_SECONDS, i == 79 || i == 95);
        assert_int_equal(tile->delay, delay);
        assert_int_equal(tile->keeps_flags, i != 9 && !deep);
    }
}

TEST(tele_and_tune_tiles_use_their_numbers)
{
    static const struct {
        tm_layer_kind kind;
        uint8_t index;
        tm_tile_number number;
    } numbers[] = {
        {TM_LAYER_TELE, 10, TM_NUMBER_TELE},       {TM_LAYER_TELE, 14, TM_NUMBER_TELE},
        {TM_LAYER_TELE, 15, TM_NUMBER_TELE},       {TM_LAYER_TELE, 26, TM_NUMBER_TELE},
        {TM_LAYER_TELE, 27, TM_NUMBER_TELE},       {TM_LAYER_TELE, 29, TM_NUMBER_CHECKPOINT},
        {TM_LAYER_TELE, 30, TM_NUMBER_CHECKPOINT}, {TM_LAYER_TELE, 31, TM_NUMBER_NONE},
        {TM_LAYER_TELE, 63, TM_NUMBER_NONE},       {TM_LAYER_TUNE, 68, TM_NUMBER_ZONE},
        {TM_LAYER_SPEEDUP, 28, TM_NUMBER_NONE},    {TM_LAYER_GAME, 1, TM_NUMBER_NONE},
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        assert_int_equal(tm_game_tile(TM_GAME_DDNET, numbers[i].kind, numbers[i].index)->number,
                         numbers[i].number);
}

static bool is_plain_id(const char *id)
{
    const size_t length = strlen(id);
    return length > 0 && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == length && id[0] >= 'a' &&
           id[length - 1] != '-' && !strstr(id, "--");
}

TEST(ids_are_unique_and_lead_back)
{
    uint32_t num = 0;
    for (const tm_tile_info *tile; (tile = tm_game_tile_at(num)); num++) {
        bool somewhere = false;
        assert_true(is_plain_id(tile->id));
        assert_true(tile->title[0] && tile->first_version[0]);
        assert_ptr_equal(tm_game_tile_by_id(tile->id), tile);
        assert_non_null(tm_tile_category_name(tile->category));
        for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
            somewhere |= tile->layers[kind];
            assert_true(!tile->layers[kind] || tm_game_layer((tm_layer_kind)kind)->is_physics);
            assert_ptr_equal(
                tile->layers[kind] ? tm_game_tile(TM_GAME_DDNET, (tm_layer_kind)kind, tile->index) : tile,
                tile);
        }
        assert_true(somewhere);
    }
    assert_int_equal(num, 142); /* no row went and none came unseen */
    assert_null(tm_game_tile_at(UINT32_MAX));
    assert_null(tm_game_tile_by_id("no-such-tile"));
    assert_null(tm_game_tile_by_id(""));
    assert_null(tm_game_tile_by_id(NULL));
    assert_null(tm_tile_category_name(TM_TILE_CATEGORY_COUNT));
    assert_null(tm_tile_category_name((tm_tile_category)-1));
}
