/* SPDX-License-Identifier: Zlib */
/*
 * Patterns: what their words fit, tile by tile, and what is refused; searches in maps made by hand, in damaged ones, and with
 * an allocator that fails.
 */
#include "support/test.h"
#include "query/query.h"

enum { WIDTH = 8, HEIGHT = 4 };

/* One group with all kinds of tile layers, 8 x 4 each; all air. Layer number = kind, then quads. */
static tm_map *board_with(const tm_allocator *allocator)
{
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    tm_map *map;
    options.allocator = allocator;
    if (tm_map_new(&map, &options, NULL))
        return NULL;
    if (tm_map_insert(map, TM_KIND_GROUP, 0, NULL)) {
        tm_map_free(map);
        return NULL;
    }
    tm_map_set_name(map->groups[0].name, TM_NAME_SIZE, "All");
    for (uint32_t kind = 0; kind <= TM_LAYER_QUADS; kind++)
        if (tm_map_insert_layer(map, 0, kind, (tm_layer_kind)kind, WIDTH, HEIGHT, NULL)) {
            tm_map_free(map);
            return NULL;
        }
    return map;
}

static tm_map *board(void)
{
    tm_map *map = board_with(NULL);
    assert_non_null(map);
    return map;
}

static void put(tm_map *map, tm_layer_kind kind, int32_t x, int32_t y, const void *tile)
{
    must(tm_map_write_tiles(map, 0, kind, &(tm_rect){x, y, 1, 1}, tile, 0, NULL));
}

static void put_tile(tm_map *map, tm_layer_kind kind, int32_t x, int32_t y, uint8_t index, uint8_t flags)
{
    const tm_tile tile = {index, flags, 0, 0};
    put(map, kind, x, y, &tile);
}

static void put_tele(tm_map *map, int32_t x, int32_t y, uint8_t type, uint8_t number)
{
    const tm_tele_tile tile = {number, type};
    put(map, TM_LAYER_TELE, x, y, &tile);
}

/* What a search finds, one after the other: "1@2,3+4x5", other objects "image/0", texts "settings[0]". */
static char found[4096];
static size_t num_matches;

static bool note(void *ctx, const tm_match *match)
{
    char address[TM_ADDRESS_SIZE];
    size_t size = strlen(found);
    tm_address_format(&match->address, address, sizeof(address));
    if (match->rect.width) {
        assert_int_equal(match->count, (uint64_t)match->rect.width * match->rect.height);
        assert_non_null(match->grid.tiles);
        snprintf(found + size, sizeof(found) - size, "%s%u@%u,%u+%ux%u", size ? " " : "",
                 (unsigned)match->address.layer, (unsigned)match->rect.x, (unsigned)match->rect.y,
                 (unsigned)match->rect.width, (unsigned)match->rect.height);
    } else
        snprintf(found + size, sizeof(found) - size, "%s%s:%s", size ? " " : "", address, match->field);
    num_matches++;
    return !ctx || num_matches < *(size_t *)ctx;
}

static void finds_with(const tm_map *map, const char *text, const tm_find_options *options,
                       const char *expected)
{
    tm_pattern *pattern;
    tm_error error;
    if (tm_pattern_parse(&pattern, text, NULL, &error)) {
        fail_msg("%s: %s", text, error.text);
        return;
    }
    assert_string_equal(tm_pattern_text(pattern), text);
    found[0] = '\0';
    num_matches = 0;
    const tm_status status = tm_map_find(map, &pattern, 1, options, note, NULL, &error);
    if (status || strcmp(found, expected) != 0)
        print_error("%s: found '%s', not '%s'\n", text, found, expected);
    must(status);
    assert_string_equal(found, expected);
    tm_pattern_free(pattern);
}

static void finds(const tm_map *map, const char *text, const char *expected)
{
    finds_with(map, text, NULL, expected);
}

/* -------------------------------------------------------------------------------------------------- tiles */

TEST(indices_and_names_fit)
{
    OWN(tm_map) *map = board();
    put_tile(map, TM_LAYER_TILES, 0, 0, 9, 0);
    put_tile(map, TM_LAYER_GAME, 1, 0, 9, 0);
    put_tile(map, TM_LAYER_GAME, 2, 0, 60, TM_TILE_ROTATE);
    put_tile(map, TM_LAYER_FRONT, 3, 0, 67, 0);
    put_tile(map, TM_LAYER_FRONT, 4, 0, 255, 0);
    put_tile(map, TM_LAYER_GAME, 5, 0, 0, TM_TILE_ROTATE); /* air with flags */
    put_tele(map, 0, 1, 26, 5);
    put_tele(map, 1, 1, 27, 6);
    finds(map, "9", "0@0,0+1x1 1@1,0+1x1");
    finds(map, "freeze", "1@1,0+1x1");
    finds(map, "60..67", "1@2,0+1x1 4@3,0+1x1");
    finds(map, "200..", "4@4,0+1x1");
    finds(map, "9,255", "0@0,0+1x1 1@1,0+1x1 4@4,0+1x1");
    finds(map, "through-*", "4@3,0+1x1");
    finds(map, "unknown", "4@4,0+1x1");
    put_tele(map, 6, 3, 1, 7); /* the least index and the greatest one, which mean nothing in this layer */
    put_tele(map, 7, 3, 255, 8);
    finds(map, "unknown", "2@6,3+2x1 4@4,0+1x1");
    put_tele(map, 6, 3, 0, 0);
    put_tele(map, 7, 3, 0, 0);
    finds(map, "category=stopper,teleporter", "1@2,0+1x1 2@0,1+2x1");
    finds(map, "!9", "1@2,0+1x1 2@0,1+2x1 4@3,0+2x1");
    finds(map, "!9:!index=255", "1@2,0+1x1 2@0,1+2x1 4@3,0+1x1");
    finds(map, "flags=8", "1@2,0+1x1");                     /* air fits only where it is named */
    put_tile(map, TM_LAYER_TILES, 3, 1, 0, TM_TILE_ROTATE); /* in every kind of layer, and no other index */
    put_tile(map, TM_LAYER_GAME, 5, 1, 1, TM_TILE_ROTATE);
    finds(map, "air:flags=rotate", "0@3,1+1x1 1@5,0+1x1");
    put_tile(map, TM_LAYER_GAME, 5, 1, 0, 0);
    finds(map, "*:!flags=none", "1@2,0+1x1");
    finds(map, "*:flags=1..", "1@2,0+1x1");
}

TEST(bytes_fit)
{
    OWN(tm_map) *map = board();
    const tm_switch_tile timed = {.number = 3, .type = 22, .flags = 0, .delay = 9},
                         unnumbered = {0, 24, 0, 0};
    const tm_speedup_tile left = {50, 0, 28, 0, 180}, odd = {255, 6, 29, 0, -90};
    put_tele(map, 0, 0, 26, 5);
    put_tele(map, 1, 0, 26, 6);
    put_tele(map, 2, 0, 27, 5);
    put(map, TM_LAYER_SWITCH, 0, 0, &timed);
    put(map, TM_LAYER_SWITCH, 1, 0, &unnumbered);
    put(map, TM_LAYER_SPEEDUP, 0, 0, &left);
    put(map, TM_LAYER_SPEEDUP, 1, 0, &odd);
    finds(map, "tele-in:5", "2@0,0+1x1");
    finds(map, "26:5", "2@0,0+1x1");
    finds(map, "tele-in:!5", "2@1,0+1x1");
    finds(map, "number=5", "2@0,0+1x1 2@2,0+1x1");
    finds(map, "number=3..6", "2@0,0+3x1 5@0,0+1x1");
    finds(map, "tele-in,tele-out:5,6:!number=6", "2@0,0+1x1 2@2,0+1x1");
    finds(map, "switch-*:delay=5..10", "5@0,0+1x1");
    finds(map, "number=0", "5@1,0+1x1");
    finds(map, "force=255", "3@1,0+1x1");
    finds(map, "max=0", "3@0,0+1x1");
    finds(map, "speedup*:angle=90..270", "3@0,0+1x1");
    finds(map, "!angle=0..359", "3@1,0+1x1");
    finds(map, "angle=-90,180", "3@0,0+2x1");
    finds(map, "angle=-90,180:!angle=180", "3@1,0+1x1");
    finds(map, "flags=0:delay=9", "5@0,0+1x1");
    finds(map, "flags=0:force=1", ""); /* no tile has both */
}

TEST(rectangles_are_whole)
{
    OWN(tm_map) *map = board();
    const tm_tile solid = {1, 0, 0, 0}, other = {1, 8, 0, 0};
    must(tm_map_fill_tiles(map, 0, TM_LAYER_GAME, &(tm_rect){1, 0, 3, 3}, &solid, NULL));
    must(tm_map_fill_tiles(map, 0, TM_LAYER_GAME, &(tm_rect){5, 1, 2, 2}, &solid, NULL));
    put(map, TM_LAYER_GAME, 2, 1, &other); /* other flags are in the same rectangle */
    finds(map, "solid", "1@1,0+3x3 1@5,1+2x2");
    put_tile(map, TM_LAYER_GAME, 4, 2, 1, 0); /* one row becomes longer, and joins both */
    finds(map, "solid", "1@1,0+3x2 1@5,1+2x1 1@1,2+6x1");
    put_tile(map, TM_LAYER_GAME, 1, 1, 0, 0);
    put_tile(map, TM_LAYER_GAME, 7, 3, 1, 0);
    finds(map, "solid", "1@1,0+3x1 1@2,1+2x1 1@5,1+2x1 1@1,2+6x1 1@7,3+1x1");
    finds(map, "game/0..255", "1@0,0+8x4");
    finds(map, "game@2,1+4x2/solid", "1@2,1+2x1 1@5,1+1x1 1@2,2+4x1");
    finds(map, "game@-5,-5+7x6/solid", "1@1,0+1x1");
    finds(map, "game@100,100+7x6/solid", "");
}

/* Every way in which a run of tiles can end is looked at: against a search tile by tile. */
TEST(runs_end_where_they_end)
{
    uint32_t random = 12345;
    for (int round = 0; round < 200; round++) {
        OWN(tm_map) *map = board();
        uint64_t expected = 0;
        for (int32_t y = 0; y < HEIGHT; y++)
            for (int32_t x = 0; x < WIDTH; x++) {
                random = random * 1664525 + 1013904223;
                const bool is_in = random >> 31 || (round % 3 == 0 && x > 2);
                const tm_speedup_tile tile = {(uint8_t)(is_in ? 7 : 9), 0, 28, 0, 300};
                put(map, TM_LAYER_SPEEDUP, x, y, &tile);
                expected += is_in;
            }
        OWN(tm_pattern) *pattern;
        must(tm_pattern_parse(&pattern, "speedup/force=7", NULL, NULL));
        uint64_t count = 0;
        found[0] = '\0';
        num_matches = 0;
        must(tm_map_find(map, &pattern, 1, NULL, note, NULL, NULL));
        for (const char *cursor = found; (cursor = strchr(cursor, '@')); cursor++) {
            unsigned x, y, w, h;
            assert_int_equal(sscanf(cursor, "@%u,%u+%ux%u", &x, &y, &w, &h), 4);
            count += (uint64_t)w * h;
        }
        assert_int_equal(count, expected);
    }
}

TEST(sets_and_places_fit)
{
    OWN(tm_map) *map = board();
    put_tile(map, TM_LAYER_TILES, 1, 1, 9, 0);
    put_tile(map, TM_LAYER_GAME, 1, 1, 9, 0);
    put_tile(map, TM_LAYER_GAME, 2, 1, 9, 0);
    put_tile(map, TM_LAYER_GAME, 3, 1, 1, 0);
    put_tile(map, TM_LAYER_FRONT, 2, 1, 9, 0);
    put_tile(map, TM_LAYER_FRONT, 3, 1, 11, 0);
    finds(map, "design/9", "0@1,1+1x1");
    finds(map, "physics/9", "1@1,1+2x1 4@2,1+1x1");
    finds(map, "All/Front/9", "4@2,1+1x1");
    finds(map, "0/1/9", "1@1,1+2x1");
    finds(map, "game,front/freeze", "1@1,1+2x1 4@2,1+1x1");
    finds(map, "Nobody/9", ""); /* other maps have it */
    finds(map, "game/freeze where front/freeze", "1@2,1+1x1");
    finds(map, "game/* where front/*", "1@2,1+2x1");
    finds(map, "game/freeze where front/air", "1@1,1+1x1");
    finds(map, "game/freeze where front/air where design/9", "1@1,1+1x1");
    finds(map, "game/freeze where Nobody/9", "");
    finds(map, "game/freeze where front@0,0+1x1/air", "");
    finds(map, "game/freeze where not front/freeze", "1@1,1+1x1");
    finds(map, "game/freeze where not front/air", "1@2,1+1x1");
    finds(map, "game/freeze where not Nobody/9", "1@1,1+2x1");
    finds(map, "game/freeze where not front/air where design/9", "");
    finds(map, "game/freeze where not front/air where not design/9", "1@2,1+1x1");
    finds(map, "game/freeze where design/9 where not front/freeze", "1@1,1+1x1");
    finds(map, "not game/freeze", "1@3,1+1x1");
    finds(map, "not game/solid", "1@1,1+2x1");
    finds(map, "not game@2,0+5x2/solid", "1@2,1+1x1");
    finds(map, "not game/solid where not front/9", "1@1,1+1x1");
    finds(map, "not front/77", "4@2,1+2x1");
    finds(map, "not 9", "1@3,1+1x1 4@3,1+1x1");
    tm_layer_choice selected[TM_LAYER_QUADS + 1] = {{false, TM_NONE}};
    selected[TM_LAYER_FRONT].chosen = true;
    const tm_find_options options = {sizeof(options), selected, {0, 0, 3, 4}};
    finds_with(map, "*", &options, "4@2,1+1x1");
}

TEST(numbers_without_their_other_half)
{
    OWN(tm_map) *map = board();
    const char *const settings[] = {"tune_zone 3 gravity 0.5", "sv_map_name 4; Tune_Zone_Enter 5 hi"};
    put_tele(map, 0, 0, 26, 5);
    put_tele(map, 1, 0, 26, 6);
    put_tele(map, 2, 0, 27, 6);
    put_tele(map, 3, 0, 10, 7);
    for (uint8_t i = 3; i < 7; i++) {
        const tm_tune_tile zone = {i, 68};
        put(map, TM_LAYER_TUNE, i, 2, &zone);
    }
    put_tile(map, TM_LAYER_GAME, 0, 0, 33, 0);
    must(tm_map_set_settings(map, settings, 2, NULL));
    finds(map, "tele-in without tele-out", "2@0,0+1x1");
    finds(map, "tele-in,tele-in-evil without tele-out", "2@0,0+1x1 2@3,0+1x1");
    finds(map, "tele-out without tele-in", "");
    finds(map, "tele-in without Nobody/27", "2@0,0+2x1");
    finds(map, "tune without settings/tune_zone*", "6@4,2+3x1");
    finds(map, "tune without settings/*", "6@4,2+1x1 6@6,2+1x1");
    finds(map, "start without finish", "1@0,0+1x1");
    put_tile(map, TM_LAYER_FRONT, 0, 0, 34, 0);
    finds(map, "start without finish", "");
}

TEST(objects_and_texts_fit)
{
    OWN(tm_map) *map = board();
    const char *const settings[] = {"tune gravity 0.5", "sv_x where y without z"};
    for (uint32_t i = 0; i < 2; i++) {
        must(tm_map_insert(map, TM_KIND_IMAGE, i, NULL));
        must(tm_map_set_text(map, &map->images[i].name, i ? "grass:2" : "sky", NULL));
        map->images[i].width = i ? 1024 : 512;
    }
    must(tm_map_insert(map, TM_KIND_ENVELOPE, 0, NULL));
    must(tm_map_set_text(map, &map->info.author, "Anna", NULL));
    must(tm_map_set_settings(map, settings, 2, NULL));
    finds(map, "image/*", "image/0:name image/1:name");
    finds(map, "image/grass*", "image/1:name");
    finds(map, "image/grass:2", "image/1:name");
    finds(map, "image/grass:2:external=true", "image/1:name");
    finds(map, "image/*:external=false", "");
    finds(map, "image/*:width=1000..", "image/1:name");
    finds(map, "image/*:!width=1000..2000", "image/0:name");
    finds(map, "image/*:width=512", "image/0:name");
    finds(map, "group/All", "0:name");
    finds(map, "group/*:parallax.x=100:parallax.y=1..200", "0:name");
    finds(map, "layer/*:kind=quads", "0/7:name");
    finds(map, "layer/Front", "0/4:name");
    finds(map, "layer/*:width=8:detail=false:!kind=tiles,x",
          "0/0:name 0/1:name 0/2:name 0/3:name 0/4:name 0/5:name 0/6:name");
    finds(map, "not image/grass*", "image/0:name");
    finds(map, "not image/*:width=512", "image/1:name");
    finds(map, "not settings/tune*", "settings:settings");
    finds(map, "not info/A*", "");
    finds(map, "not group/All", "");
    finds(map, "envelope/", "envelope/0:name");
    finds(map, "sound/*", "");
    finds(map, "info/A*", "info:author");
    finds(map, "settings/tune*", "settings:settings");
    finds(map, "settings/*where y without*", "settings:settings");
    finds(map, "settings/tune", "");
    finds(map, "text/*nn*", "info:author");
    finds(map, "text/Front", "0/4:name");
}

/* Several patterns at once tell which one; a visitor can end the search. */
TEST(searches_end)
{
    OWN(tm_map) *map = board();
    tm_pattern *patterns[2];
    put_tile(map, TM_LAYER_GAME, 1, 1, 9, 0);
    put_tile(map, TM_LAYER_GAME, 3, 1, 9, 0);
    must(tm_pattern_parse(&patterns[0], "freeze", NULL, NULL));
    must(tm_pattern_parse(&patterns[1], "group/*", NULL, NULL));
    assert_true(tmi_pattern_of_tiles(patterns[0]));
    assert_false(tmi_pattern_of_tiles(patterns[1]));
    for (size_t most = 1; most <= 3; most++) {
        found[0] = '\0';
        num_matches = 0;
        must(tm_map_find(map, patterns, 2, NULL, note, &most, NULL));
        assert_int_equal(num_matches, most);
    }
    assert_string_equal(found, "1@1,1+1x1 1@3,1+1x1 0:name");
    tm_pattern_free(patterns[0]);
    tm_pattern_free(patterns[1]);
}

/* ------------------------------------------------------------------------------------------------ refusals */

static void refuses(const char *text, const char *reason)
{
    tm_pattern *pattern;
    tm_error error;
    const tm_status status = tm_pattern_parse(&pattern, text, NULL, &error);
    assert_null(pattern);
    assert_true(status == TM_ERROR_USAGE || status == TM_ERROR_LIMIT);
    if (!strstr(error.text, reason))
        fail_msg("%s: '%s' does not say '%s'", text, error.text, reason);
}

TEST(what_is_wrong_is_told)
{
    refuses("", "not a part of a pattern");
    refuses("freeze:", "not a part of a pattern");
    refuses("lava", "'lava' is not an index from 0 to 255");
    refuses("256", "'256' is not an index from 0 to 255");
    refuses("67..60", "'67..60' is not an index");
    refuses("60..300", "a range like 60..67");
    refuses("freeze,,9", "'' is not an index");
    refuses("tele-in:300", "'300' is not numbers from 0 to 255");
    refuses("tele-in:5x", "'5x' is not numbers");
    refuses("60:flags=up", "flip_x+rotate");
    refuses("60:color=1", "there are index=, category=, number=");
    refuses("category=lava", "a category of tiles; there are air solid");
    refuses("angle=40000", "angles from -32768 to 32767");
    refuses("/freeze", "no layer before the slash");
    refuses("game/freeze where", "is not");
    refuses("freeze where image/x", "after 'where' only tiles");
    refuses("freeze without image/x", "after 'without' only tiles and settings");
    refuses("freeze without 9 where 9", "nothing may follow");
    refuses("freeze without not 9", "'not' cannot follow 'without'");
    refuses("not ", "is not");
    refuses("freeze where not ", "is not");
    refuses("freeze where not image/x", "after 'where' only tiles");
    refuses("1 where 1 where 1 where 1 where 1 where 1", "more than 4 times");
    refuses("image/*:size=5", "no field of image is called 'size'");
    char longest[300];
    memset(longest, '1', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    refuses(longest, "not a part of a pattern");
}

TEST(numbers_are_counted)
{
    OWN(tm_map) *map = board();
    uint64_t counts[256];
    tm_error error;
    const tm_switch_tile door = {.number = 4, .type = 240}, jumps = {.number = 4, .type = 7};
    put_tele(map, 0, 0, 26, 1);
    put_tele(map, 1, 0, 27, 1);
    put_tele(map, 2, 0, 29, 2);
    put_tele(map, 3, 0, 63, 9); /* its number means nothing */
    put(map, TM_LAYER_SWITCH, 0, 0, &door);
    put(map, TM_LAYER_SWITCH, 1, 0, &jumps);
    must(tm_map_numbers(counts, map, TM_NUMBER_TELE, NULL));
    assert_int_equal(counts[1], 2);
    assert_int_equal(counts[2] + counts[9], 0);
    must(tm_map_numbers(counts, map, TM_NUMBER_CHECKPOINT, NULL));
    assert_int_equal(counts[2], 1);
    must(tm_map_numbers(counts, map, TM_NUMBER_SWITCH, NULL));
    assert_int_equal(counts[4], 1);
    assert_int_equal(tm_map_numbers(counts, map, TM_NUMBER_SECONDS, &error), TM_ERROR_USAGE);
    assert_string_equal(tm_number_pool_name(TM_NUMBER_ZONE), "tune");
    assert_null(tm_number_pool_name(TM_NUMBER_SECONDS));
}

/* ---------------------------------------------------------------------------------------------- trouble */

/* A layer that cannot be unpacked is told, and the others are searched. */
TEST(damaged_layers_are_left_out)
{
    static uint8_t tiles[4 * 3 * 4] = {9};
    struct test_maker maker = test_maker_begin();
    (void)tiles;
    OWN(tm_buffer) file = test_maker_finish(&maker);
    tm_map *map = test_map_load(&file, TM_MODE_SALVAGE, NULL);
    OWN(tm_pattern) *pattern;
    must(tm_pattern_parse(&pattern, "0..255", NULL, NULL));
    found[0] = '\0';
    num_matches = 0;
    must(tm_map_find(map, &pattern, 1, NULL, note, NULL, NULL));
    assert_int_equal(num_matches, 1);
    tm_map_free(map);
    /* The last block of the file is that of the tiles. */
    file.bytes[file.size - 6] ^= 0x55;
    file.bytes[file.size - 9] ^= 0x55;
    map = test_map_load(&file, TM_MODE_GAME, NULL);
    tm_error error;
    assert_int_equal(tm_map_find(map, &pattern, 1, NULL, note, NULL, &error), TM_ERROR_DAMAGED);
    assert_non_null(strstr(error.place, "layer 0"));
    assert_int_equal(num_matches, 1);
    tm_map_free(map);
}

static tm_status search_all_of(const tm_allocator *allocator)
{
    tm_pattern *patterns[2] = {NULL, NULL};
    OWN(tm_map) *map = board_with(allocator);
    if (!map)
        return TM_ERROR_MEMORY;
    tm_status status =
        tm_pattern_parse(&patterns[0], "game/0..255 where front/0 without tele/26", allocator, NULL);
    if (!status)
        status = tm_pattern_parse(&patterns[1], "image/*:width=5", allocator, NULL);
    found[0] = '\0';
    if (!status)
        status = tm_map_find(map, patterns, 2, NULL, note, NULL, NULL);
    tm_pattern_free(patterns[0]);
    tm_pattern_free(patterns[1]);
    return status;
}

TEST(no_memory_is_survived)
{
    EACH_FAILURE(memory) {
        const tm_status status = search_all_of(&memory.allocator);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        if (!memory.failed)
            assert_string_equal(found, "1@0,0+8x4");
    }
}
