/* SPDX-License-Identifier: Zlib */
/*
 * Where images of the games are searched: the order of folders, what the caller's environment does to it, names that
 * maps bring along, the two games' files in one folder, sheets of entities; and every failure of memory.
 */
#include "support/test.h"
#include "games/games.h"

static void make_way(const char *path)
{
    char way[256];
    size_t length = strlen(path);
    assert_true(length < sizeof(way));
    for (size_t i = 1; i <= length; i++) {
        if (path[i] == '/') {
            memcpy(way, path, i);
            way[i] = '\0';
            must(tm_sys_make_folder(way, NULL));
        }
    }
}

/* A PNG of width x 1 pixels, so that pictures can be told apart. */
static void put_picture(const char *path, uint32_t width)
{
    uint8_t pixels[64 * 4] = {0};
    OWN(tm_buffer) bytes = {0};
    const tm_output output = tm_output_to_buffer(&bytes);
    assert_true(width <= 64);
    must(tm_png_write(&output, pixels, width, 1, NULL, NULL));
    make_way(path);
    test_put_file(path, (const char *)bytes.bytes, bytes.size);
}

static tm_mapres *open_with(tm_mapres_options *options)
{
    tm_mapres *mapres;
    tm_error error = {0};
    options->size = sizeof(*options);
    must(tm_mapres_new(&mapres, options, &error));
    return mapres;
}

/* The width of the picture that the provider gives; 0: it gives none. */
static uint32_t provided(tm_mapres *mapres, const char *name, tm_game game)
{
    const tm_image_provider provider = tm_mapres_provide; /* it is one */
    uint8_t *rgba = NULL;
    uint32_t width = 0, height = 0;
    const tm_status status = provider(mapres, name, game, NULL, &rgba, &width, &height, NULL);
    if (status) {
        assert_int_equal(status, TM_ERROR_NOT_FOUND);
        return 0;
    }
    tm_free(NULL, rgba, (size_t)width * height * 4);
    return width;
}

static void check_found(tm_mapres *mapres, const char *name, tm_game game, const char *expected)
{
    char *path;
    tm_error error = {0};
    const tm_status status = tm_mapres_find(&path, mapres, name, game, &error);
    if (!expected) {
        assert_int_equal(status, TM_ERROR_NOT_FOUND);
        assert_null(path);
        assert_string_not_equal(error.text, "");
        return;
    }
    must(status);
    assert_string_equal(path, expected);
    tm_free(NULL, path, strlen(path) + 1);
}

/* The place of a folder in the list, by what its path ends with; checks whose it is. */
static uint32_t place_of(const tm_mapres *mapres, const char *end, tm_mapres_source source)
{
    tm_mapres_folder folder;
    for (uint32_t i = 0; tm_mapres_get_folder(&folder, mapres, i); i++) {
        const size_t length = strlen(folder.path), size = strlen(end);
        if (length >= size && strcmp(folder.path + length - size, end) == 0) {
            assert_int_equal(folder.source, source);
            return i;
        }
    }
    print_error("no folder ends with %s\n", end);
    fail();
    return 0;
}

TEST(folders_come_in_order)
{
    static const char *const given[] = {"first", "second/"};
    static const tm_mapres_variable variables[] = {
        {"HOME", "/h"}, {"XDG_DATA_HOME", "/x"}, {"TEEMAP_MAPRES", "/last"}, {"PATH", "/bin"}};
    tm_mapres_options options = {.folders = given,
                                 .num_folders = 2,
                                 .map_path = "maps/a.map",
                                 .variables = variables,
                                 .num_variables = 4};
    for (int is_07 = 0; is_07 < 2; is_07++) {
        options.game = is_07 ? TM_GAME_TEEWORLDS07 : TM_GAME_TEEWORLDS06;
        OWN(tm_mapres) *mapres = open_with(&options);
        tm_mapres_folder folder;
        assert_int_equal(place_of(mapres, "first", TM_MAPRES_GIVEN), 0);
        assert_int_equal(place_of(mapres, "second/", TM_MAPRES_GIVEN), 1);
        assert_int_equal(place_of(mapres, "maps/", TM_MAPRES_MAP), 2);
        assert_int_equal(place_of(mapres, "maps/mapres", TM_MAPRES_MAP), 3);
        assert_int_equal(place_of(mapres, "maps/../mapres", TM_MAPRES_MAP), 4);
        const uint32_t ddnet = place_of(mapres, "/x/ddnet/mapres", TM_MAPRES_DDNET),
                       teeworlds = place_of(mapres, "/h/.teeworlds/mapres", TM_MAPRES_TEEWORLDS),
                       last = place_of(mapres, "/last", TM_MAPRES_ENVIRONMENT);
        assert_true(ddnet > 4 && teeworlds > 4);
        assert_int_equal(ddnet < teeworlds, !is_07);
        assert_true(last > ddnet && last > teeworlds);
        assert_false(tm_mapres_get_folder(&folder, mapres, last + 1));
        assert_null(folder.path);
    }
}

TEST(a_map_in_the_current_folder_has_one_too)
{
    tm_mapres_options options = {.map_path = "a.map"};
    tm_mapres_folder folder;
    OWN(tm_mapres) *mapres = open_with(&options);
    for (uint32_t i = 0; i < 3; i++) {
        static const char *const paths[] = {".", "mapres", "../mapres"};
        assert_true(tm_mapres_get_folder(&folder, mapres, i));
        assert_string_equal(folder.path, paths[i]);
    }
}

/* What is not set, or set to nothing, names no folder: "/ddnet/mapres" would be somebody else's. */
TEST(variables_that_are_not_set_count_for_nothing)
{
    static const tm_mapres_variable variables[] = {{"HOME", ""}, {"XDG_DATA_HOME", NULL}};
    tm_mapres_options options = {.variables = variables, .num_variables = 2};
    tm_mapres_folder folder;
    uint32_t with = 0, without = 0;
    tm_mapres *mapres = open_with(&options);
    while (tm_mapres_get_folder(&folder, mapres, with))
        with++;
    tm_mapres_free(mapres);
    must(tm_mapres_new(&mapres, NULL, NULL));
    while (tm_mapres_get_folder(&folder, mapres, without)) {
        assert_int_equal(folder.path[0], '/');
        without++;
    }
    tm_mapres_free(mapres);
    assert_true(without > 0);
    assert_int_equal(with, without);
    tm_mapres_free(NULL);
}

TEST(the_variables_are_told_once_each)
{
    const char *names[16];
    uint32_t num = 0;
    for (const char *name; (name = tm_mapres_variable_name(num)); num++) {
        assert_true(num < 16);
        for (uint32_t i = 0; i < num; i++)
            assert_string_not_equal(names[i], name);
        names[num] = name;
    }
    assert_true(num >= 3);
    assert_string_equal(names[num - 1], "TEEMAP_MAPRES");
    assert_null(tm_mapres_variable_name(num + 1));
    /* Each of them does something. */
    for (uint32_t i = 0; i < num; i++) {
        const tm_mapres_variable variable = {names[i], "/set"};
        tm_mapres_options options = {.variables = &variable, .num_variables = 1};
        OWN(tm_mapres) *mapres = open_with(&options);
        tm_mapres_folder folder;
        bool used = false;
        for (uint32_t k = 0; tm_mapres_get_folder(&folder, mapres, k); k++)
            used |= strncmp(folder.path, "/set", 4) == 0;
        assert_true(used);
    }
}

static uint64_t num_images(const tm_mapres *mapres, uint32_t index)
{
    uint64_t num;
    must(tm_mapres_count_images(&num, mapres, index, NULL));
    return num;
}

static uint64_t num_rules(const tm_mapres *mapres, uint32_t index)
{
    uint64_t num;
    must(tm_mapres_count_rules(&num, mapres, index, NULL));
    return num;
}

TEST(images_in_folders_are_counted)
{
    static const char *const given[] = {"counted", "nowhere"};
    tm_mapres_options options = {.folders = given, .num_folders = 2};
    tm_mapres_folder folder;
    put_picture("counted/one.png", 1);
    put_picture("counted/two.png", 1);
    put_picture("counted/.png", 1);
    test_put_text("counted/note.txt", "no picture");
    must(tm_sys_make_folder("counted/folder.png", NULL));
    OWN(tm_mapres) *mapres = open_with(&options);
    assert_true(tm_mapres_get_folder(&folder, mapres, 0) && folder.found);
    assert_int_equal(num_images(mapres, 0), 3);
    assert_true(tm_mapres_get_folder(&folder, mapres, 1) && !folder.found);
    assert_int_equal(num_images(mapres, 1), 0);
    assert_int_equal(num_images(mapres, 99999), 0);
}

TEST(the_first_folder_with_a_picture_wins)
{
    static const char *const given[] = {"gone", "early", "late"};
    tm_mapres_options options = {.folders = given, .num_folders = 3};
    put_picture("early/one.png", 2);
    put_picture("late/one.png", 3);
    put_picture("late/two.png", 4);
    put_picture("late/broken.png", 5);
    test_put_text("early/broken.png", "no picture"); /* passed over */
    OWN(tm_mapres) *mapres = open_with(&options);
    assert_int_equal(provided(mapres, "one", TM_GAME_DDNET), 2);
    assert_int_equal(provided(mapres, "two", TM_GAME_DDNET), 4);
    assert_int_equal(provided(mapres, "broken", TM_GAME_DDNET), 5);
    assert_int_equal(provided(mapres, "three", TM_GAME_DDNET), 0);
    check_found(mapres, "one", TM_GAME_DDNET, "early/one.png");
    check_found(mapres, "broken", TM_GAME_DDNET, "late/broken.png");
    check_found(mapres, "three", TM_GAME_DDNET, NULL);
}

TEST(images_of_teeworlds_07_are_for_its_maps)
{
    static const char *const given[] = {"both", "later"};
    tm_mapres_options options = {.folders = given, .num_folders = 2};
    put_picture("both/grass.png", 6);
    put_picture("both/grass_0.7.png", 7);
    put_picture("both/sun.png", 8);
    put_picture("later/sun_0.7.png", 9);
    OWN(tm_mapres) *mapres = open_with(&options);
    assert_int_equal(provided(mapres, "grass", TM_GAME_DDNET), 6);
    assert_int_equal(provided(mapres, "grass", TM_GAME_TEEWORLDS06), 6);
    assert_int_equal(provided(mapres, "grass", TM_GAME_TEEWORLDS07), 7);
    assert_int_equal(provided(mapres, "sun", TM_GAME_TEEWORLDS07), 8); /* an earlier folder comes first */
    check_found(mapres, "grass", TM_GAME_TEEWORLDS07, "both/grass_0.7.png");
}

/* A folder is a game's own by the pictures that only this game has, not by who named it. */
TEST(only_shipped_pictures_are_taken)
{
    static const char *const given[] = {"few", "mixed", "of07", "of06"};
    tm_mapres_options options = {.folders = given, .num_folders = 4, .shipped_only = true};
    const tm_shipped_image *image;
    char path[128];
    for (uint32_t n = 0; (image = tmi_game_shipped_image_at(n)); n++) {
        const bool old = image->games[TM_GAME_DDNET] || image->games[TM_GAME_TEEWORLDS06];
        const bool new = image->games[TM_GAME_TEEWORLDS07];
        snprintf(path, sizeof(path), "mixed/%s.png", image->name);
        put_picture(path, 1);
        snprintf(path, sizeof(path), "of%s/%s.png", old ? "06" : "07", image->name);
        if (old != new)
            put_picture(path, 1);
    }
    put_picture("few/water.png", 2);
    put_picture("few/one.png", 2);
    put_picture("mixed/one.png", 3);
    put_picture("of07/one.png", 4);
    put_picture("of06/one.png", 5);
    put_picture("of06/one_0.7.png", 6);
    for (int game = 0; game < TM_GAME_COUNT; game++) {
        options.game = (tm_game)game;
        OWN(tm_mapres) *mapres = open_with(&options);
        assert_int_equal(provided(mapres, "one", (tm_game)game), game == TM_GAME_TEEWORLDS07 ? 4 : 5);
    }
    options.shipped_only = false;
    OWN(tm_mapres) *mapres = open_with(&options);
    assert_int_equal(provided(mapres, "one", TM_GAME_DDNET), 2);
}

/* Names come from maps, and maps from strangers: "../secret" must not read what lies beside the folder. */
TEST(hostile_names_lead_to_nothing)
{
    static const char *const given[] = {"safe/mapres"};
    static const char *const hostile[] = {"../secret",
                                          "../../h/secret",
                                          "sub/inside",
                                          "./plain",
                                          "..",
                                          ".",
                                          "",
                                          "/etc/passwd",
                                          "sub\\inside",
                                          "C:plain",
                                          "plain\n",
                                          "\x01plain",
                                          "plain\x7f",
                                          "plain\xC2\x9B",
                                          "\xFFplain",
                                          ("pl\xC0\xAF"
                                           "ain"),
                                          "plain\xE2\x82",
                                          "pl*in",
                                          "plai?",
                                          "a|b",
                                          "<a>",
                                          "\"a\"",
                                          ".hidden"};
    tm_mapres_options options = {.folders = given, .num_folders = 1};
    put_picture("safe/mapres/plain.png", 10);
    put_picture("safe/mapres/.hidden.png", 11);
    put_picture("safe/mapres/sub/inside.png", 12);
    put_picture("safe/secret.png", 13);
#if !defined(_WIN32) /* which has no such names */
    put_picture("safe/mapres/a|b.png", 14);
#endif
    put_picture("safe/mapres/K\xC3\xA4se 2.png", 15);
    OWN(tm_mapres) *mapres = open_with(&options);
    for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
        if (tm_game_name_is_plain(hostile[i]))
            print_error("name %u passes\n", (unsigned)i);
        assert_false(tm_game_name_is_plain(hostile[i]));
        assert_int_equal(provided(mapres, hostile[i], TM_GAME_DDNET), 0);
        check_found(mapres, hostile[i], TM_GAME_TEEWORLDS07, NULL);
    }
    assert_int_equal(provided(mapres, "plain", TM_GAME_DDNET), 10);
    assert_int_equal(provided(mapres, "K\xC3\xA4se 2", TM_GAME_DDNET), 15);
}

TEST(names_have_200_bytes_at_most)
{
    char name[202];
    memset(name, 'a', sizeof(name));
    name[201] = '\0';
    assert_false(tm_game_name_is_plain(name));
    name[200] = '\0';
    assert_true(tm_game_name_is_plain(name));
}

/* `expected` NULL: none of this test's folders; a game may be installed. */
/* With a cache a file is read once, by all handles together; what does not fit is read each time. */
TEST(a_cache_reads_files_once)
{
    static const char *const given[] = {"cached"};
    tm_mapres_cache *cache;
    for (int small = 0; small < 2; small++) {
        put_picture("cached/one.png", 5);
        put_picture("cached/two.png", 6);
        must(tm_mapres_cache_new(&cache, small ? 5 * 4 : 1000, NULL, NULL));
        tm_mapres_options options = {.folders = given, .num_folders = 1, .cache = cache};
        OWN(tm_mapres) *first = open_with(&options), *second = open_with(&options);
        assert_int_equal(provided(first, "one", TM_GAME_DDNET), 5);
        assert_int_equal(provided(first, "two", TM_GAME_DDNET), 6);
        assert_int_equal(provided(first, "three", TM_GAME_DDNET), 0);
        put_picture("cached/one.png", 7);
        put_picture("cached/two.png", 8);
        assert_int_equal(provided(second, "one", TM_GAME_DDNET), 5);
        assert_int_equal(provided(second, "two", TM_GAME_DDNET), small ? 8 : 6);
        tm_mapres_cache_free(cache);
    }
    tm_mapres_cache_free(NULL);
}

static void check_sheet(const tm_mapres *mapres, tm_mapres_sheet sheet, tm_game game, const char *expected)
{
    char *path;
    const tm_status status = tm_mapres_find_sheet(&path, mapres, sheet, game, NULL);
    assert_int_equal(status == TM_OK, !!path);
    if (expected) {
        assert_non_null(path);
        assert_string_equal(path, expected);
    } else if (path) {
        assert_int_equal(path[0], '/');
    }
    if (path)
        tm_free(NULL, path, strlen(path) + 1);
}

TEST(sheets_lie_beside_the_images)
{
    static const char *const given[] = {"plain", "game/data/mapres"};
    tm_mapres_options options = {.folders = given, .num_folders = 2};
    put_picture("plain/editor/entities_clear/ddnet.png", 1); /* the folder is not called mapres */
    put_picture("game/data/mapres/x.png", 1);
    put_picture("game/data/editor/entities_clear/ddnet.png", 1);
    put_picture("game/data/editor/speed_arrow.png", 1);
    OWN(tm_mapres) *mapres = open_with(&options);
    check_sheet(mapres, TM_MAPRES_SHEET_ENTITIES, TM_GAME_DDNET, "game/data/editor/entities_clear/ddnet.png");
    check_sheet(mapres, TM_MAPRES_SHEET_ENTITIES, TM_GAME_TEEWORLDS07, NULL);
    check_sheet(mapres, TM_MAPRES_SHEET_ARROW, TM_GAME_DDNET, "game/data/editor/speed_arrow.png");
    put_picture("game/data/editor/entities_clear/vanilla.png", 1);
    check_sheet(mapres, TM_MAPRES_SHEET_ENTITIES, TM_GAME_TEEWORLDS06,
                "game/data/editor/entities_clear/vanilla.png");
}

static void check_rules(const tm_mapres *mapres, const char *name, tm_game game, const char *expected)
{
    char *path;
    const tm_status status = tm_mapres_find_rules(&path, mapres, name, game, NULL);
    assert_int_equal(status, expected ? TM_OK : TM_ERROR_NOT_FOUND);
    if (expected)
        assert_string_equal(path, expected);
    else
        assert_null(path);
    if (path)
        tm_free(NULL, path, strlen(path) + 1);
}

static void put_rules(const char *path)
{
    make_way(path);
    test_put_text(path, "[Basic]\n");
}

TEST(rules_lie_beside_the_images_as_the_editors_have_them)
{
    static const char *const given[] = {"own", "rules/data/mapres"};
    const tm_mapres_variable home = {"HOME", "rules/home"};
    tm_mapres_options options = {.folders = given, .num_folders = 2, .variables = &home, .num_variables = 1};
    put_rules("rules/data/editor/x_walls.rules");
    put_rules("rules/data/editor/automap/x_walls.rules");
    put_rules("rules/data/editor/x_old.rules");
    put_rules("rules/data/editor/automap/x_walls.json");
    put_rules("rules/home/.teeworlds/editor/automap/x_user.rules"); /* no mapres is there */
    put_rules("own/x_mine.rules");
    put_rules("x_out.rules");
    OWN(tm_mapres) *mapres = open_with(&options);
    check_rules(mapres, "x_walls", TM_GAME_DDNET, "rules/data/editor/automap/x_walls.rules");
    check_rules(mapres, "x_walls", TM_GAME_TEEWORLDS06, "rules/data/editor/automap/x_walls.rules");
    check_rules(mapres, "x_walls", TM_GAME_TEEWORLDS07, "rules/data/editor/automap/x_walls.json");
    check_rules(mapres, "x_old", TM_GAME_DDNET, "rules/data/editor/x_old.rules");
    check_rules(mapres, "x_old", TM_GAME_TEEWORLDS07, NULL);
    check_rules(mapres, "x_user", TM_GAME_DDNET, "rules/home/.teeworlds/editor/automap/x_user.rules");
    check_rules(mapres, "x_mine", TM_GAME_DDNET, "own/x_mine.rules");
    check_rules(mapres, "../x_out", TM_GAME_DDNET, NULL);
    check_rules(mapres, "x_nowhere", TM_GAME_DDNET, NULL);
    assert_int_equal(num_rules(mapres, 0), 0);
    assert_int_equal(num_rules(mapres, 1), 4);
    assert_int_equal(num_rules(mapres, 10000), 0);
}

/* Where users and systems have the games: written down here once more, from the games, packages and shops themselves. */
static const struct {
    const char *variable, *data;
} layouts[] = {
    {"TEEMAP_ROOT", "usr/share/games/ddnet/data"},     /* Debian 12, 13, sid; Ubuntu */
    {"TEEMAP_ROOT", "usr/share/games/teeworlds/data"}, /* the same */
    {"TEEMAP_ROOT", "usr/share/ddnet/data"},           /* Arch, Fedora */
    {"TEEMAP_ROOT", "usr/share/teeworlds/data"},
    {"TEEMAP_ROOT", "usr/local/share/ddnet/data"}, /* `cmake --install`, FreeBSD */
    {"TEEMAP_ROOT", "usr/local/share/teeworlds/data"},
    {"TEEMAP_ROOT", "usr/local/share/games/ddnet/data"},
    {"TEEMAP_ROOT", "usr/pkg/share/ddnet/data"}, /* NetBSD */
    {"TEEMAP_ROOT", "opt/ddnet/data"},
    {"TEEMAP_ROOT", "Applications/DDNet.app/Contents/Resources/data"},
    {"HOME", "Applications/DDNet.app/Contents/Resources/data"},
    {"TEEMAP_ROOT", "var/lib/flatpak/app/tw.ddnet.ddnet/current/active/files/share/ddnet/data"},
    {"HOME", ".local/share/flatpak/app/tw.ddnet.ddnet/current/active/files/share/ddnet/data"},
    {"HOME", ".nix-profile/share/ddnet/data"},
    {"HOME", ".local/share/Steam/steamapps/common/DDraceNetwork/ddnet/data"},
    {"HOME", ".local/share/Steam/steamapps/common/Teeworlds/tw/data"},
    {"HOME", ".steam/debian-installation/steamapps/common/DDraceNetwork/ddnet/data"},
    {"HOME", ".var/app/com.valvesoftware.Steam/.local/share/Steam/steamapps/common/DDraceNetwork/ddnet/data"},
    {"HOME", "snap/steam/common/.local/share/Steam/steamapps/common/DDraceNetwork/ddnet/data"},
    {"XDG_DATA_HOME", "Steam/steamapps/common/DDraceNetwork/ddnet/data"},
    {"ProgramFiles(x86)", "Steam/steamapps/common/DDraceNetwork/ddnet/data"},
    {"ProgramFiles(x86)", "Steam/steamapps/common/Teeworlds/tw/data"},
    {"HOME", ".local/share/ddnet"}, /* of users */
    {"HOME", ".local/share/teeworlds"},
    {"HOME", ".teeworlds"},
    {"XDG_DATA_HOME", "ddnet"},
    {"HOME", ".var/app/tw.ddnet.ddnet/data/ddnet"},
    {"HOME", "Library/Application Support/DDNet"},
    {"APPDATA", "DDNet"},
    {"APPDATA", "Teeworlds"},
    /* Named by the user, or beside the map: an archive that was unpacked somewhere, and what is in it. */
    {"folder ", "DDNet-19.1-linux_x86_64/data"},
    {"folder data/mapres", "teeworlds-0.7.5-linux_x86_64/data"},
    {"folder data/mapres/", "DDNet-16.4-win64/data"},
    {"folder data", "DDNet-18.0-win64/data"},
    {"folder DDNet.app", "DDNet.app/Contents/Resources/data"},
    {"TEEMAP_MAPRES", "data"},
    {"map data/maps/own.map", "DDNet-19.1-linux_x86_64/data"},
};

/* What is in the data folder; each of them is found alone. */
static const struct {
    const char *file;
    enum { IMAGE, SHEET, ARROW, RULES } kind;
    tm_game game;
} kinds[] = {
    {"mapres/x_own.png", IMAGE, TM_GAME_DDNET},
    {"mapres/x_own_0.7.png", IMAGE, TM_GAME_TEEWORLDS07},
    {"editor/entities_clear/ddnet.png", SHEET, TM_GAME_DDNET},
    {"editor/entities_clear/vanilla.png", SHEET, TM_GAME_TEEWORLDS06},
    {"editor/speed_arrow.png", ARROW, TM_GAME_DDNET},
    {"editor/x_own.rules", RULES, TM_GAME_DDNET},
    {"editor/automap/x_own.rules", RULES, TM_GAME_DDNET},
    {"editor/automap/x_own.json", RULES, TM_GAME_TEEWORLDS07},
};

/* Searches for a kind of file where a layout is below the folder `base`. */
static void find_kind(size_t layout, size_t kind, const char *base, const char *expected)
{
    char given[256], map_path[256], *path = NULL;
    const char *const folders[] = {given};
    const char *variable = layouts[layout].variable;
    tm_mapres_variable variables[] = {{"TEEMAP_ROOT", "nowhere"}, {variable, base}};
    tm_mapres_options options = {.variables = variables, .num_variables = 1, .game = kinds[kind].game};
    if (strncmp(variable, "folder ", 7) == 0) {
        /* What is named begins with the archive's folder, except for `data` and DDNet.app themselves. */
        const char *archive = layouts[layout].data, *end = strstr(archive, "/data");
        const int length =
            strncmp(archive, variable + 7, strlen("DDNet.app")) == 0 ? 0 : (int)(end - archive);
        snprintf(given, sizeof(given), "%s/%.*s%s%s", base, length, archive, length ? "/" : "", variable + 7);
        options.folders = folders;
        options.num_folders = 1;
    } else if (strncmp(variable, "map ", 4) == 0) {
        const char *archive = layouts[layout].data;
        snprintf(map_path, sizeof(map_path), "%s/%.*s/%s", base, (int)(strchr(archive, '/') - archive),
                 archive, variable + 4);
        options.map_path = map_path;
    } else if (strcmp(variable, "TEEMAP_ROOT") == 0) {
        variables[0].value = base;
    } else {
        options.num_variables = 2;
    }
    OWN(tm_mapres) *mapres = open_with(&options);
    tm_error error = {0};
    tm_status status = TM_OK;
    switch (kinds[kind].kind) {
    case IMAGE: status = tm_mapres_find(&path, mapres, "x_own", kinds[kind].game, &error); break;
    case SHEET:
    case ARROW:
        status = tm_mapres_find_sheet(
            &path, mapres, kinds[kind].kind == SHEET ? TM_MAPRES_SHEET_ENTITIES : TM_MAPRES_SHEET_ARROW,
            kinds[kind].game, &error);
        break;
    case RULES: status = tm_mapres_find_rules(&path, mapres, "x_own", kinds[kind].game, &error); break;
    }
    if (status)
        fail_msg("%s: %s", expected, error.text);
    /* It is this file, by whichever way: "maps/../mapres" and "mapres/" are ways, too. */
    if (!tm_sys_same_file(path, expected))
        fail_msg("found %s, not %s", path, expected);
    tm_free(NULL, path, strlen(path) + 1);
}

TEST(every_layout_has_every_kind_of_file)
{
    for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
        for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
            char base[64], path[256];
            snprintf(base, sizeof(base), "layouts/%u.%u", (unsigned)i, (unsigned)k);
            snprintf(path, sizeof(path), "%s/%s/mapres/x_other.png", base, layouts[i].data);
            put_picture(path, 1);
            snprintf(path, sizeof(path), "%s/%s/maps/x.txt", base, layouts[i].data);
            make_way(path);
            snprintf(path, sizeof(path), "%s/%s/%s", base, layouts[i].data, kinds[k].file);
            if (kinds[k].kind == RULES)
                put_rules(path);
            else
                put_picture(path, 1);
            find_kind(i, k, base, path);
        }
    }
}

/* It was taken for a folder `mapres` whatever stood before: "editor" then was "xeditor". */
TEST(a_name_that_ends_so_is_no_mapres)
{
    static const char *const given[] = {"named/xmapres"};
    const tm_mapres_variable root = {"TEEMAP_ROOT", "nowhere"};
    tm_mapres_options options = {.folders = given, .num_folders = 1, .variables = &root, .num_variables = 1};
    put_picture("named/xmapres/one.png", 1);
    put_picture("named/xeditor/speed_arrow.png", 1);
    put_rules("named/xeditor/one.rules");
    OWN(tm_mapres) *mapres = open_with(&options);
    char *path;
    assert_int_equal(tm_mapres_find_sheet(&path, mapres, TM_MAPRES_SHEET_ARROW, TM_GAME_DDNET, NULL),
                     TM_ERROR_NOT_FOUND);
    check_rules(mapres, "one", TM_GAME_DDNET, NULL);
}

TEST(files_that_are_no_pictures_are_named_as_such)
{
    uint8_t *rgba;
    uint32_t width, height;
    tm_error error = {0};
    test_put_text("text.png", "no picture");
    assert_int_equal(tm_mapres_read_png(&rgba, &width, &height, "text.png", NULL, &error), TM_ERROR_DAMAGED);
    assert_null(rgba);
    assert_int_equal(tm_mapres_read_png(&rgba, &width, &height, "nowhere.png", NULL, &error), TM_ERROR_IO);
    assert_non_null(strstr(error.path, "nowhere.png"));
    put_picture("fine.png", 17);
    must(tm_mapres_read_png(&rgba, &width, &height, "fine.png", NULL, NULL));
    assert_int_equal(width, 17);
    assert_int_equal(height, 1);
    tm_free(NULL, rgba, (size_t)width * 4);
}

static tm_status use_memory(struct test_memory *memory, tm_mapres_cache *cache)
{
    static const char *const given[] = {"kept/mapres"};
    static const tm_mapres_variable variable = {"HOME", "/h"};
    const tm_mapres_options options = {.size = sizeof(options),
                                       .folders = given,
                                       .num_folders = 1,
                                       .map_path = "maps/a.map",
                                       .variables = &variable,
                                       .num_variables = 1,
                                       .allocator = &memory->allocator,
                                       .cache = cache};
    OWN(tm_mapres) *mapres;
    char *path;
    uint8_t *rgba = NULL;
    uint32_t width, height;
    tm_status status = tm_mapres_new(&mapres, &options, NULL);
    if (status)
        return status;
    status = tm_mapres_find(&path, mapres, "one", TM_GAME_TEEWORLDS07, NULL);
    if (!status) {
        tm_free(&memory->allocator, path, strlen(path) + 1);
        status =
            tm_mapres_provide(mapres, "one", TM_GAME_DDNET, &memory->allocator, &rgba, &width, &height, NULL);
    }
    if (!status) {
        tm_free(&memory->allocator, rgba, (size_t)width * height * 4);
        status = tm_mapres_find_sheet(&path, mapres, TM_MAPRES_SHEET_ARROW, TM_GAME_DDNET, NULL);
    }
    if (!status) {
        tm_free(&memory->allocator, path, strlen(path) + 1);
        status = tm_mapres_find_rules(&path, mapres, "one", TM_GAME_DDNET, NULL);
    }
    if (!status)
        tm_free(&memory->allocator, path, strlen(path) + 1);
    return status;
}

TEST(failing_memory_is_told_and_given_back)
{
    put_picture("kept/mapres/one.png", 3);
    put_picture("kept/editor/speed_arrow.png", 3);
    put_rules("kept/editor/one.rules");
    EACH_FAILURE(memory) {
        OWN(tm_mapres_cache) *cache;
        tm_status status = tm_mapres_cache_new(&cache, memory.n % 2 ? 1000 : 0, &memory.allocator, NULL);
        status = status ? status : use_memory(&memory, cache);
        /* reading a PNG has a way without memory */
        assert_true(status == TM_OK || (memory.failed && status == TM_ERROR_MEMORY));
        assert_true(memory.failed || memory.n > 20);
    }
}

TEST_GROUP(test_enter_folder, test_leave_folder)
