/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_AUTOMAP_H
#define TEST_LIB_AUTOMAP_H
/*
 * Files of rules and layers for the tests of the automapper: the folder golden-automap of $TEEMAP_SHARED (its
 * README.md describes the tables and the patterns), and the rules that installed games have.
 */
#include "test.h"

typedef struct test_text {
    char *bytes; /* with a NUL behind; NULL: there is no such file */
    size_t size;
} test_text;

/* A file below golden-automap; free it. */
test_text test_golden_file(const char *name);
/*
 * A file of rules of the games: in $TEEMAP_AUTOMAP, or of an installed game, whose releases differ in content; `name` as
 * in the tables.
 */
test_text test_game_rules(const char *name);
test_text test_read_file(const char *path);

/* The rules that a text says; the test fails if it cannot be read. `findings` may be NULL. */
tm_automap_rules *test_rules_of(const char *text, size_t size, tm_automap_dialect dialect,
                                tm_findings *findings);
tm_automap_rules *test_rules_of_text(const char *text); /* as DDNet reads it */

/* Calls `see` with the fields of each row but the first; false if the file is not there. */
bool test_each_row(const char *name, void (*see)(void *ctx, char **fields), void *ctx);

/* A layer of tiles; free its tiles. */
typedef struct test_layer {
    tm_tile *tiles;
    uint32_t width, height;
} test_layer;
static inline void test_drop_test_layer(test_layer *layer)
{
    free(layer->tiles);
}
test_layer test_new_layer(uint32_t width, uint32_t height);
test_layer test_clone_layer(const test_layer *layer);
/* As written in the tables: four hexadecimal digits a tile. */
test_layer test_layer_from_text(const char *text);
/* One of the patterns "noise", "blobs", "few", "mixed", "game". */
test_layer test_pattern_layer(const char *pattern, uint32_t width, uint32_t height, uint32_t salt);
/* SHA-256 of index and flags. */
void test_hash_layer(char out[65], const test_layer *layer);

#endif
