/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_BENCH_PLAIN_AUTOMAP_H
#define TEEMAP_BENCH_PLAIN_AUTOMAP_H
/*
 * DDNet's automapper in the plainest way: for each tile each rule, for each rule each condition, for each
 * condition each tile of its list, as the editor's own loop goes. The benchmark measures teemap against it, and
 * the tests compare with it. Nothing but the public structs of teemap/automap.h is used.
 */
#include <teemap/automap.h>

typedef struct plain_automap {
    const tm_automap_rules *rules;
    uint32_t config;
    int32_t seed, reference; /* reference: -1 none, 0 game layer, as the editor counts */
    const tm_tile *game;
    uint32_t game_width, game_height;
    int32_t left, top; /* of the layer's corner */
} plain_automap;

/* Maps a layer; false without memory. */
bool plain_automap_run(const plain_automap *of, tm_tile *tiles, uint32_t width, uint32_t height);

#endif
