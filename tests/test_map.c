/* SPDX-License-Identifier: Zlib */
/*
 * Whole maps: making them, texts and settings, cloning, comparing, verifying, looking things up.
 */
#include "map/map.h"
#include "support/fake_file.h"
#include "support/test.h"

/* ------------------------------------------------------------------------------------------------- making */

TEST(a_new_map_is_empty)
{
    tm_map_options options = TM_MAP_OPTIONS_INIT;
    tm_map *map = test_map_new();
    assert_int_equal(map->game, TM_GAME_DDNET);
    assert_int_equal(map->version, 1);
    assert_int_equal(map->num_images + map->num_sounds + map->num_envelopes + map->num_groups, 0);
    assert_int_equal(map->priv->limits.unpacked_bytes, (uint64_t)2 << 30);
    assert_null(tmi_map_allocator(map));
    must(tm_map_verify(map, NULL));
    tm_map_free(map);
    tm_map_free(NULL);

    options.game = TM_GAME_TEEWORLDS07;
    must(tm_map_new(&map, &options, NULL));
    assert_int_equal(map->game, TM_GAME_TEEWORLDS07);
    tm_map_free(map);
    options.game = TM_GAME_COUNT;
    assert_int_equal(tm_map_new(&map, &options, NULL), TM_ERROR_USAGE);
    assert_null(map);
}

TEST(texts_are_copied)
{
    char text[] = "me";
    OWN(tm_map) *map = test_map_new();
    must(tm_map_set_text(map, &map->info.author, text, NULL));
    text[0] = 'x';
    assert_string_equal(map->info.author, "me");
    const char *author = map->info.author;
    must(tm_map_set_text(map, &map->info.author, "me", NULL));
    assert_ptr_equal(map->info.author, author); /* the same again costs nothing */
    must(tm_map_set_text(map, &map->info.author, map->info.author + 1, NULL));
    assert_string_equal(map->info.author, "e");
    must(tm_map_set_text(map, &map->info.author, "", NULL));
    assert_string_equal(map->info.author, "");
    must(tm_map_set_text(map, &map->info.author, NULL, NULL));
    assert_null(map->info.author);
}

TEST(settings_are_replaced)
{
    static const char *const first[] = {"a 1", "", "c"};
    OWN(tm_map) *map = test_map_new();
    must(tm_map_set_settings(map, first, 3, NULL));
    assert_int_equal(map->info.num_settings, 3);
    assert_string_equal(map->info.settings[1], "");
    /* From the map's own list. */
    const char *const second[] = {map->info.settings[2], map->info.settings[0]};
    must(tm_map_set_settings(map, second, 2, NULL));
    assert_string_equal(map->info.settings[0], "c");
    assert_string_equal(map->info.settings[1], "a 1");
    must(tm_map_set_settings(map, NULL, 0, NULL));
    assert_int_equal(map->info.num_settings, 0);
    assert_null(map->info.settings);
}

TEST(names_are_cut_at_a_character)
{
    static const struct {
        const char *text, *name;
    } rows[] = {
        {"Game", "Game"},
        {"", ""},
        {"12345678901", "12345678901"},
        {"123456789012", "12345678901"},
        {"1234567890\xc3\xa4", "1234567890"},       /* the letter would not fit */
        {"123456789\xc3\xa4", "123456789\xc3\xa4"}, /* it just does */
        {"12345678\xf0\x9f\x98\x80", "12345678"},   /* four bytes into three */
        {"1234567\xf0\x9f\x98\x80", "1234567\xf0\x9f\x98\x80"},
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
    };
    for (size_t i = 0; i < TMI_COUNT_OF(rows); i++) {
        char name[TM_NAME_SIZE];
        memset(name, 'x', sizeof(name));
        assert_int_equal(tm_map_set_name(name, sizeof(name), rows[i].text),
                         strcmp(rows[i].text, rows[i].name) == 0);
        assert_string_equal(name, rows[i].name);
        for (size_t k = strlen(name); k < sizeof(name); k++)
            assert_int_equal(name[k], 0);
    }
    char name[4] = "abc";
    tm_map_set_name(name, sizeof(name), name + 1);
    assert_string_equal(name, "bc");
    assert_true(tm_map_set_name(name, sizeof(name), NULL));
    assert_string_equal(name, "");
    assert_false(tm_map_set_name(NULL, 0, "a"));
}

/* ------------------------------------------------------------------------------------- cloning, comparing */

static void assert_same(const tm_map *a, const tm_map *b)
{
    bool equal;
    char where[200];
    must(tm_map_equal(&equal, a, b, where, sizeof(where), NULL));
    if (!equal)
        fail_msg("%s", where);
    assert_string_equal(where, "");
}

static void assert_differ(const tm_map *a, const tm_map *b, const char *expected)
{
    bool equal;
    char where[200];
    must(tm_map_equal(&equal, a, b, where, sizeof(where), NULL));
    assert_false(equal);
    assert_string_equal(where, expected);
    must(tm_map_equal(&equal, b, a, NULL, 0, NULL));
    assert_false(equal);
}

TEST(a_clone_is_equal_and_apart)
{
    struct fake_file file;
    int mark;
    tm_map *map = fake_file_map(&file, NULL), *clone;
    must(tm_map_set_text(map, &map->info.license, "CC0", NULL));
    map->images[0].user = &mark;
    map->groups[1].layers[0].origin = (tm_origin){&file.base, 5};
    must(tm_map_clone(&clone, map, NULL));
    assert_same(map, clone);
    assert_int_equal(atomic_load(&file.num_reads),
                     0); /* the same blocks of the same file need not be unpacked */
    assert_ptr_equal(clone->images[0].user, &mark);
    assert_int_equal(clone->groups[1].layers[0].origin.item, 5);
    /* Texts of the file are shared with it, texts of the map are not shared with the map. */
    assert_ptr_equal(clone->info.author, map->info.author);
    assert_ptr_not_equal(clone->info.license, map->info.license);
    assert_false(clone->images[1].pixels->copied);

    void *pixels;
    must(tm_map_edit_data(&pixels, NULL, map, map->images[1].pixels, NULL));
    ((uint8_t *)pixels)[6] = 99;
    assert_differ(map, clone, "image 1 'own': pixels are others from byte 6 on");
    tm_map_free(map);
    must(tm_map_verify(clone, NULL));
    assert_string_equal(clone->info.license, "CC0");
    uint8_t bytes[16];
    must(tm_map_image_pixels(clone, &clone->images[1], bytes, sizeof(bytes), NULL));
    assert_int_equal(bytes[6], 7);
    tm_map_free(clone);
    assert_true(file.freed);
}

/* Applies one change to a clone and looks what the comparison says. */
#define CHECK_CHANGE(map, change, expected)    \
    do {                                       \
        tm_map *other;                         \
        must(tm_map_clone(&other, map, NULL)); \
        change;                                \
        assert_differ(map, other, expected);   \
        tm_map_free(other);                    \
    } while (0)

static void drop_block(tm_map *map, tm_block **slot)
{
    tmi_block_free(map, *slot);
    *slot = NULL;
}

TEST(differences_are_named)
{
    struct fake_file file;
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    static const tm_tile tile = {9, 0, 0, 0}, two = {2, 0, 0, 0};
    static const tm_speedup_tile fast = {10, 21, 28, 0, 90};
    tm_quad quads[3] = {{.position_envelope = 0, .color_envelope = 1},
                        {.position_envelope = 2, .color_envelope = TM_NONE},
                        {.position_envelope = 3, .color_envelope = 1000000}};
    quads[1].points[4].y = -8;
    CHECK_CHANGE(map, other->game = TM_GAME_TEEWORLDS06, "map: game is ddnet, not teeworlds06");
    CHECK_CHANGE(map, tm_map_remove(other, TM_KIND_GROUP, 0, NULL), "map: num_groups is 2, not 1");
    CHECK_CHANGE(map, other->info.author = NULL, "info: author is \"somebody\", not none");
    CHECK_CHANGE(map, other->info.settings[1] = "x", "settings: settings[1] is \"\", not \"x\"");
    CHECK_CHANGE(map, other->images[0].width = 3, "image 0 'grass_main': width is 1024, not 3");
    CHECK_CHANGE(map, tm_map_set_pixels(other, 1, NULL, 0, 0, NULL),
                 "image 1 'own': external is false, not true");
    CHECK_CHANGE(map, tm_map_set_sound(other, 1, "Oggx", 5, NULL),
                 "sound 1 'wind': data are others from byte 3 on");
    CHECK_CHANGE(map, tm_map_set_sound(other, 1, "Oggx", 4, NULL),
                 "sound 1 'wind': data is 5 bytes, not 4 bytes");
    CHECK_CHANGE(map, other->envelopes[2].points[1].in_dx[0] = 4,
                 "envelope 2: point 1: in_dx[0] is 0, not 4");
    CHECK_CHANGE(map, other->groups[0].layers[4].detail = true,
                 "group 0, layer 4 'Tune': detail is false, not true");
    CHECK_CHANGE(map, tm_map_fill_tiles(other, 1, 0, &(tm_rect){3, 2, 1, 1}, &tile, NULL),
                 "group 1, layer 0 'Tiles': tile 3,2: index is 0, not 9");
    CHECK_CHANGE(map, tm_map_fill_tiles(other, 1, 0, &(tm_rect){1, 0, 1, 1}, &two, NULL),
                 "group 1, layer 0 'Tiles': tile 1,0: flags is rotate, not 0");
    CHECK_CHANGE(map, drop_block(other, &other->groups[1].layers[0].as.tiles.tiles),
                 "group 1, layer 0 'Tiles': tiles is 48 bytes, not none");
    CHECK_CHANGE(map, other->groups[1].layers[0].as.tiles.tiles->size = 44,
                 "group 1, layer 0 'Tiles': tiles is 48 bytes, not 44 bytes");
    CHECK_CHANGE(map, tm_map_set_quads(other, 0, 5, quads, 3, NULL),
                 "group 0, layer 5: quad 1: points[4] is 0,0, not 0,-0.008");
    CHECK_CHANGE(map, other->groups[0].layers[6].as.sounds.sound = 0,
                 "group 0, layer 6: sound is sound/wind, not sound/outside");
    CHECK_CHANGE(map, other->groups[0].layers[8].kind = TM_LAYER_QUADS,
                 "group 0, layer 8: kind is unknown, not quads");
    CHECK_CHANGE(map, tm_map_fill_tiles(other, 0, 2, &(tm_rect){0, 0, 1, 1}, &fast, NULL),
                 "group 0, layer 2 'Speedup': tile 0,0: max_speed is 20, not 21");
}

TEST(what_cannot_be_seen_is_equal)
{
    struct fake_file file;
    OWN(tm_map) *map = fake_file_map(&file, NULL), *clone = test_map_clone(map);
    int mark;
    clone->user = &mark;
    clone->images[0].user = &mark;
    clone->info.license = "";
    memset(clone->groups[1].name + 1, 'x', TM_NAME_SIZE - 2); /* behind the end of the name */
    clone->groups[1].layers[0].as.tiles.automapper.seed = 5;  /* not present */
    assert_same(map, clone);
    /* The same bytes by another way. */
    void *tiles;
    must(tm_map_edit_data(&tiles, NULL, clone, clone->groups[1].layers[0].as.tiles.tiles, NULL));
    assert_same(map, clone);
}

TEST(comparing_reports_data_that_cannot_be_read)
{
    struct fake_file file;
    tm_error error;
    bool equal = true;
    OWN(tm_map) *map = fake_file_map(&file, NULL), *clone = test_map_clone(map);
    void *bytes;
    must(tm_map_edit_data(&bytes, NULL, clone, clone->images[1].pixels, NULL));
    file.fail_with = TM_ERROR_DAMAGED;
    file.fail_block = map->images[1].pixels->data_index;
    assert_int_equal(tm_map_equal(&equal, map, clone, NULL, 0, &error), TM_ERROR_DAMAGED);
    assert_false(equal);
    assert_string_equal(error.place, "image 1 'own'");
    assert_int_equal(error.offset, 77);
}

/* ---------------------------------------------------------------------------------------------- verifying */

static void check_fault(tm_map *map, const char *place, const char *text)
{
    tm_error error;
    assert_int_equal(tm_map_verify(map, &error), TM_ERROR_USAGE);
    assert_string_equal(error.place, place);
    assert_string_equal(error.text, text);
    assert_int_equal(tm_map_verify(map, NULL), TM_ERROR_USAGE);
}

/* Writes a wrong value, looks, and puts the right one back. */
#define CHECK_FAULT(map, field, wrong, place, text) \
    do {                                            \
        __typeof__(field) right = field;            \
        (field) = (wrong);                          \
        check_fault(map, place, text);              \
        (field) = right;                            \
        must(tm_map_verify(map, NULL));             \
    } while (0)

TEST(verify_finds_what_must_not_be)
{
    struct fake_file file;
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    tm_layer *game = map->groups[0].layers, *tiles = map->groups[1].layers;
    CHECK_FAULT(map, map->game, (tm_game)3, "map",
                "game cannot be 3: the games accept ddnet, teeworlds06, teeworlds07");
    CHECK_FAULT(map, map->images, NULL, "map", "images is NULL, but there should be 2 of them");
    CHECK_FAULT(map, map->images[0].format, (tm_image_format)7, "image 0",
                "format cannot be 7: the games accept rgba, rgb");
    CHECK_FAULT(map, map->envelopes[1].points, NULL, "envelope 1",
                "points is NULL, but there should be 2 of them");
    CHECK_FAULT(map, tiles[0].as.tiles.image, 2, "group 1, layer 0",
                "image cannot be image/2: the map has 2 images");
    CHECK_FAULT(map, tiles[0].as.tiles.image, -2, "group 1, layer 0",
                "image cannot be image/-2: the map has 2 images");
    CHECK_FAULT(map, tiles[1].as.tiles.color_envelope, 3, "group 1, layer 1",
                "color_envelope cannot be envelope/3: the map has 3 envelopes");
    CHECK_FAULT(map, tiles[0].as.tiles.width, 5, "group 1, layer 0",
                "15 tiles of 4 bytes each do not fit the block's 48 bytes");
    CHECK_FAULT(map, tiles[0].as.tiles.height, UINT32_MAX, "group 1, layer 0",
                "4 x 4294967295 tiles are too many: a side is at most 2147483647");
    CHECK_FAULT(map, tiles[0].as.tiles.compat, game[1].as.tiles.compat, "group 1, layer 0",
                "a layer of kind tiles cannot have compatibility tiles (compat)");
    CHECK_FAULT(map, game[3].as.tiles.automapper.present, true, "group 0, layer 3",
                "a layer of kind switch cannot have an automapper");
    CHECK_FAULT(map, game[5].as.quads.num_quads, 4, "group 0, layer 5",
                "4 quads of 152 bytes each do not fit the block's 456 bytes");
    CHECK_FAULT(map, game[9].as.quads.num_quads, 1, "group 0, layer 9",
                "1 quads of 152 bytes each do not fit the block's 0 bytes");
    CHECK_FAULT(map, game[6].as.sounds.num_sources, 3, "group 0, layer 6",
                "3 sources of 52 bytes each do not fit the block's 104 bytes");
    CHECK_FAULT(map, game[7].as.sounds.sound, 2, "group 0, layer 7",
                "sound cannot be sound/2: the map has 2 sounds");
    CHECK_FAULT(
        map, game[0].kind, (tm_layer_kind)11, "group 0, layer 0",
        "kind cannot be 11: the games accept tiles, game, tele, speedup, front, switch, tune, quads, sounds, "
        "old-sounds, unknown");
    CHECK_FAULT(map, map->info.settings[0], NULL, "settings", "settings[0] is NULL");
    CHECK_FAULT(map, map->images[1].pixels->changed, true, "image 1",
                "pixels: the block says that it was changed, but has no bytes");
    CHECK_FAULT(map, map->images[1].pixels->origin, NULL, "image 1",
                "pixels: the block has neither bytes nor a file that it came from");
    CHECK_FAULT(map, map->num_sounds, (uint32_t)INT32_MAX + 1, "map",
                "num_sounds is 2147483648, 2147483647 is the most");
    memset(map->groups[1].name, 'x', TM_NAME_SIZE);
    check_fault(map, "group 1", "the name does not end with a NUL within its 12 bytes");
    tm_map_set_name(map->groups[1].name, TM_NAME_SIZE, "");
    memset(map->envelopes[0].name, 'x', TM_ENVELOPE_NAME_SIZE);
    check_fault(map, "envelope 0", "the name does not end with a NUL within its 32 bytes");
}

/* --------------------------------------------------------------------------------------------- looking up */

TEST(things_are_found)
{
    struct fake_file file;
    uint32_t group = 9, index = 9;
    OWN(tm_map) *map = fake_file_map(&file, NULL);
    assert_ptr_equal(tm_map_image(map, 1), &map->images[1]);
    assert_null(tm_map_image(map, 2));
    assert_null(tm_map_image(map, TM_NONE));
    assert_ptr_equal(tm_map_sound(map, 0), &map->sounds[0]);
    assert_null(tm_map_sound(map, INT32_MAX));
    assert_ptr_equal(tm_map_envelope(map, 2), &map->envelopes[2]);
    assert_null(tm_map_envelope(map, INT32_MIN));
    assert_ptr_equal(tm_map_find_layer(&group, &index, map, TM_LAYER_TILES), &map->groups[1].layers[0]);
    assert_int_equal(group, 1);
    assert_int_equal(index, 0);
    assert_ptr_equal(tm_map_physics_layer(&group, &index, map, TM_LAYER_TILES), &map->groups[1].layers[1]);
    assert_int_equal(index, 1);
    assert_ptr_equal(tm_map_find_layer(NULL, NULL, map, TM_LAYER_QUADS), &map->groups[0].layers[5]);
    assert_null(tm_map_find_layer(&group, NULL, map, TM_LAYER_FRONT));
    assert_int_equal(group, UINT32_MAX); /* leads to nothing, so that nobody edits layer 0 by mistake */
}
