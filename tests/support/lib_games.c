/* SPDX-License-Identifier: Zlib */
#include "lib_games.h"

#include "test.h"

bool test_game_file(char path[TEST_GAME_PATH], const char *game, const char *file)
{
    static const char *const bases[] = {"/usr/share/games", "/usr/share",     "/usr/local/share/games",
                                        "/usr/local/share", "/usr/pkg/share", "/opt"};
    static const char steam[] = ".local/share/Steam/steamapps/common";
    const char *home = getenv("HOME");
    tm_sys_kind kind;
    for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
        snprintf(path, TEST_GAME_PATH, "%s/%s/data/%s", bases[i], game, file);
        kind = tm_sys_kind_of(path);
        if (kind == TM_SYS_FILE || kind == TM_SYS_FOLDER)
            return true;
    }
    snprintf(path, TEST_GAME_PATH, "%s/%s/%s/data/%s", home ? home : "", steam,
             strcmp(game, "ddnet") == 0 ? "DDraceNetwork/ddnet" : "Teeworlds/tw", file);
    kind = tm_sys_kind_of(path);
    return kind == TM_SYS_FILE || kind == TM_SYS_FOLDER;
}

bool test_game_rules_folder(char path[TEST_GAME_PATH])
{
    static const char name[] = "/grass_main.rules";
    if (!test_game_file(path, "ddnet", "editor/automap/grass_main.rules") &&
        !test_game_file(path, "ddnet", "editor/grass_main.rules"))
        return false;
    path[strlen(path) - (sizeof(name) - 1)] = '\0';
    return true;
}
