/* SPDX-License-Identifier: Zlib */
/*
 * What maps of each game can hold, and the images that games ship (docs/tiles-of-the-games.md).
 */
#include "games/games.h"
#include "support/lib_games.h"
#include "support/test.h"

TEST(ddnet_holds_everything)
{
    for (int part = 0; part < TM_PART_COUNT; part++) {
        const tm_part_info *rule = tmi_game_part((tm_part)part);
        assert_true(tmi_game_holds(TM_GAME_DDNET, (tm_part)part));
        assert_true(rule->name[0] && rule->text[0]);
        assert_int_equal(strncmp(tm_finding_name(rule->lost), "lost-", 5), 0);
        assert_false(tmi_game_holds(TM_GAME_COUNT, (tm_part)part));
    }
    for (int kind = 0; kind < TM_LAYER_UNKNOWN; kind++)
        assert_true(tmi_game_holds_layer(TM_GAME_DDNET, (tm_layer_kind)kind));
    assert_false(tmi_game_holds_layer(TM_GAME_DDNET, TM_LAYER_UNKNOWN));
    assert_false(tmi_game_holds_layer(TM_GAME_COUNT, TM_LAYER_GAME));
    assert_false(tmi_game_holds(TM_GAME_DDNET, TM_PART_COUNT));
    assert_null(tmi_game_part(TM_PART_COUNT));
}

TEST(teeworlds_holds_less)
{
    static const struct {
        tm_part part;
        bool in_06, in_07;
    } parts[] = {
        {TM_PART_SOUNDS, false, false},        {TM_PART_SETTINGS, false, false},
        {TM_PART_CURVES, false, true},         {TM_PART_AUTOMAPPERS, false, false},
        {TM_PART_PARALLAX_ZOOM, false, false}, {TM_PART_SKIP_BYTES, true, false},
    };
    assert_int_equal(sizeof(parts) / sizeof(parts[0]), TM_PART_COUNT);
    for (size_t i = 0; i < TM_PART_COUNT; i++) {
        assert_int_equal(tmi_game_holds(TM_GAME_TEEWORLDS06, parts[i].part), parts[i].in_06);
        assert_int_equal(tmi_game_holds(TM_GAME_TEEWORLDS07, parts[i].part), parts[i].in_07);
    }
    for (int kind = 0; kind < TM_LAYER_KINDS; kind++) {
        const bool held = kind == TM_LAYER_TILES || kind == TM_LAYER_GAME || kind == TM_LAYER_QUADS;
        assert_int_equal(tmi_game_holds_layer(TM_GAME_TEEWORLDS06, (tm_layer_kind)kind), held);
        assert_int_equal(tmi_game_holds_layer(TM_GAME_TEEWORLDS07, (tm_layer_kind)kind), held);
    }
}

/* Ordered by name, the numbers of each release, and some of them. */
TEST(images_are_those_of_the_games)
{
    uint32_t num = 0, of_game[TM_GAME_COUNT] = {0}, external = 0, drawn_for_07 = 0;
    const char *last = "";
    for (const tm_shipped_image *image; (image = tmi_game_shipped_image_at(num)); num++) {
        bool any = false;
        assert_true(strcmp(last, image->name) < 0);
        assert_true(image->width && image->height);
        assert_ptr_equal(tm_game_shipped_image(image->name), image);
        for (int game = 0; game < TM_GAME_COUNT; game++) {
            of_game[game] += image->games[game];
            any |= image->games[game];
        }
        assert_int_equal(any, !image->last_version);
        assert_true(!image->renamed || tm_game_shipped_image(image->renamed)->games[TM_GAME_DDNET]);
        external += image->kept_external;
        drawn_for_07 += image->has_07_art;
        last = image->name;
    }
    assert_int_equal(of_game[TM_GAME_DDNET], 48);
    assert_int_equal(of_game[TM_GAME_TEEWORLDS06], 28);
    assert_int_equal(of_game[TM_GAME_TEEWORLDS07], 32);
    assert_int_equal(external, 28);
    assert_int_equal(drawn_for_07, 6);
    assert_false(tm_game_shipped_image("easter")->games[TM_GAME_DDNET]);
    assert_true(tm_game_shipped_image("easter")->has_07_art);
    assert_string_equal(tm_game_shipped_image("ddnet-walls")->renamed, "ddnet_walls");
    assert_string_equal(tm_game_shipped_image("jungle_night")->last_version, "Teeworlds 0.5");
    assert_null(tm_game_shipped_image("grass_main_0.7"));
    assert_null(tm_game_shipped_image("Grass_main"));
    assert_null(tm_game_shipped_image(""));
    assert_null(tm_game_shipped_image(NULL));
    assert_null(tmi_game_shipped_image_at(num));
}

/* Whether Debian's package of DDNet's data is of a release that the table was compared with. */
static bool is_known_release(void)
{
    static const char *const known[] = {"16.4", "19.1"};
    char line[256];
    bool data = false, result = false;
    FILE *file = fopen("/var/lib/dpkg/status", "rb");
    while (file && fgets(line, sizeof(line), file)) {
        if (strncmp(line, "Package: ", 9) == 0)
            data = strcmp(line, "Package: ddnet-data\n") == 0;
        for (size_t i = 0; data && i < sizeof(known) / sizeof(known[0]); i++)
            result |=
                strncmp(line, "Version: ", 9) == 0 && strncmp(line + 9, known[i], strlen(known[i])) == 0;
    }
    if (file)
        fclose(file);
    return result;
}

/*
 * Installed games have what the table says; DDNet 16.4 but for what came later. Of other releases of DDNet some pictures may have
 * come or gone.
 */
TEST(installed_games_have_them)
{
    static const struct {
        tm_game game;
        const char *name;
        const char *later_row;
        uint32_t allowed; /* differences in an unknown release */
    } games[] = {{TM_GAME_DDNET, "ddnet", "ddnet_grass", 8}, {TM_GAME_TEEWORLDS07, "teeworlds", "", 0}};
    size_t looked_at = 0;
    for (size_t g = 0; g < sizeof(games) / sizeof(games[0]); g++) {
        char folder[TEST_GAME_PATH], path[TEST_GAME_PATH + 64];
        uint32_t differences = 0;
        if (!test_game_file(folder, games[g].name, "mapres/sun.png"))
            continue;
        folder[strlen(folder) - strlen("/sun.png")] = '\0';
        const tm_shipped_image *image;
        for (uint32_t n = 0; (image = tmi_game_shipped_image_at(n)); n++) {
            uint8_t head[24];
            if (strcmp(image->name, games[g].later_row) == 0)
                continue;
            snprintf(path, sizeof(path), "%s/%s.png", folder, image->name);
            FILE *file = fopen(path, "rb");
            if (!file != !image->games[games[g].game]) {
                print_message("%s\n", path);
                differences++;
            }
            if (!file)
                continue;
            assert_int_equal(fread(head, 1, sizeof(head), file), sizeof(head));
            fclose(file);
            assert_int_equal(head[18] << 8 | head[19], image->width); /* PNG: big-endian, at 16 and 20 */
            assert_int_equal(head[22] << 8 | head[23], image->height);
            looked_at++;
        }
        if (differences > (games[g].game == TM_GAME_DDNET && is_known_release() ? 0 : games[g].allowed))
            fail_msg("%u pictures", (unsigned)differences);
    }
    if (!looked_at) {
        print_message("no game is installed\n");
        skip();
    }
}

/* What servers take from maps: names once, small, in order; ranges that hold what a setting starts with. */
TEST(settings_are_named_once_and_in_order)
{
    const tm_setting_info *row, *last = NULL;
    for (uint32_t n = 0; (row = tmi_game_setting_at(n)); n++, last = row) {
        assert_ptr_equal(tmi_game_setting(row->name), row);
        assert_true(!last || strcmp(last->name, row->name) < 0);
        assert_true(row->min <= row->max);
        assert_true(!row->has_initial || (row->initial >= row->min && row->initial <= row->max));
        assert_true(!row->has_initial || !row->arguments);
        assert_true(row->help[0]);
    }
    assert_ptr_equal(tmi_game_setting("SV_Team"), tmi_game_setting("sv_team"));
    assert_null(tmi_game_setting("sv_tea"));
    assert_null(tmi_game_setting("sv_teams"));
    assert_null(tmi_game_setting(""));
    const char *tuning;
    uint32_t num = 0;
    for (; (tuning = tmi_game_tuning_at(num)); num++)
        assert_true(tmi_game_is_tuning(tuning));
    assert_int_equal(num, 47);
    assert_true(tmi_game_is_tuning("Gravity"));
    assert_false(tmi_game_is_tuning("gravit"));
}
