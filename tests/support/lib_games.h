/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_GAMES_H
#define TEST_LIB_GAMES_H
/* The games that are installed on this machine, whoever packaged them: the same folders as in games.sh. */
#include <stdbool.h>

enum { TEST_GAME_PATH = 512 };

/* Finds a file or folder ("mapres", "maps/Tutorial.map") in the data of a game ("ddnet", "teeworlds"). */
bool test_game_file(char path[TEST_GAME_PATH], const char *game, const char *file);
/* Finds the folder of DDNet's automapper rules, which moved in 17.3. */
bool test_game_rules_folder(char path[TEST_GAME_PATH]);

#endif
