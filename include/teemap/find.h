/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_FIND_H
#define TEEMAP_FIND_H
/*
 * teemap/find.h - finding things in a map: tiles, settings, images and other objects, by patterns in words.
 * docs/patterns.md is the manual of the words; operations that change tiles (teemap/edit.h) take the same.
 *
 *     tm_pattern *pattern;
 *     status = tm_pattern_parse(&pattern, "tele-in without tele-out", NULL, &error);
 *     status = tm_map_find(map, &pattern, 1, NULL, see, ctx, &error);
 *     tm_pattern_free(pattern);
 *
 * Threads: a pattern never changes; any number of threads may search with it at once, in one map or many.
 */
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A pattern that was read. Opaque. */
typedef struct tm_pattern tm_pattern;

/*
 * Reads a pattern. No map is needed: which layers and objects its words mean is looked up in each map.
 * TM_ERROR_USAGE says which part is wrong, and what is allowed there.
 */
TM_API tm_status tm_pattern_parse(tm_pattern **out, const char *text, const tm_allocator *allocator,
                                  tm_error *error);
TM_API void tm_pattern_free(tm_pattern *pattern);
/* As it was given; "" for NULL. */
TM_API const char *tm_pattern_text(const tm_pattern *pattern);

/* Something that fits. Lives during the call of the visitor. */
typedef struct tm_match {
    uint32_t pattern;   /* which one of the list */
    tm_address address; /* a layer, an image, ...; of texts the object or list that holds it */
    /* Of tiles: a rectangle in which all tiles fit, in tiles of the layer. Otherwise all 0. */
    uint32_t x, y, width, height;
    uint64_t count; /* tiles in it; 1 for all others */
    /* Of texts: the text, and which one of the object's: "settings", "name", "author". Otherwise NULL. */
    const char *text;
    const char *field;
    uint32_t index; /* of settings: which one */
    tm_grid grid;   /* of tiles: those of the whole layer */
} tm_match;
/* Return false to end the search. */
typedef bool tm_match_visit(void *ctx, const tm_match *match);

typedef struct tm_find_options {
    size_t size; /* sizeof(tm_find_options) */
    /* Only these layers, one element for each of the map's, as tm_select_layers fills them. NULL: all. */
    const tm_layer_choice *layers;
    /* Only tiles of this rectangle, in tiles of each layer. Width or height 0: all. */
    int32_t x, y;
    uint32_t width, height;
} tm_find_options;
#define TM_FIND_OPTIONS_INIT                      \
    {                                             \
        sizeof(tm_find_options), NULL, 0, 0, 0, 0 \
    }

/*
 * Visits all that fits any of `num` patterns: first the tiles, layer by layer and in each row by row of where
 * the rectangles begin, then objects and texts. A tile is in one rectangle of a pattern. Only layers in which
 * a pattern can fit are unpacked, and what was not unpacked before is not kept.
 *
 * A layer that cannot be unpacked is left out and the search goes on; the function then fails as tm_map_data
 * does, with the first such layer as place. A set of layers in a pattern that leads to nothing in this map
 * fits nothing. Layers in `options` are not looked for objects' names, only for tiles.
 */
TM_API tm_status tm_map_find(const tm_map *map, tm_pattern *const *patterns, uint32_t num,
                             const tm_find_options *options, tm_match_visit *visit, void *ctx,
                             tm_error *error);

/* ---------------------------------------------------------------------------------------------- numbers */

/*
 * How many tiles have each number of a pool (teleporters, checkpoints, switches, tuning zones): sets 256
 * elements of `counts`. Number 0 is none; the smallest one from 1 on that no tile has is the next that is
 * free. Of kinds of layers that a map has twice all count. Other pools are TM_ERROR_USAGE.
 */
TM_API tm_status tm_map_numbers(uint64_t counts[256], const tm_map *map, tm_tile_number pool,
                                tm_error *error);
/* "tele", "checkpoint", "switch", "tune"; NULL for what is no pool. */
TM_API const char *tm_number_pool_name(tm_tile_number pool);

#ifdef __cplusplus
}
#endif
#endif
