/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_QUERY_H
#define TEEMAP_QUERY_H
/*
 * teemap/query.h - sets of layers in words, and finding things in a map: tiles, settings, images and other
 * objects, by patterns in words.
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

/* --------------------------------------------------------------------------------------- sets of layers */

/*
 * Sets of layers in words, used by all commands that take some layers of a map (docs/addresses.md): words
 * separated by commas. @PERCENT may follow a word. Later words overrule earlier ones:
 *   design            all layers but the physics layers
 *   physics           the physics layers
 *   background        design layers behind the players: those before the game layer, or all without one
 *   foreground        design layers before the players
 *   tele              all layers of a kind, by its name in tm_layer_info
 *   2  Game  2/3      a group or a layer, by its address
 *   15-16  2/3-5  2-  ranges of indices
 *   Deco*  star/Main  (with * for star) names in which * stands for anything
 *   tiles:detail=true  of a word's layers those with (:!detail=true without) this value of a field
 *   -Deco  !Deco      takes layers out; as the first word, from what there is without a set
 *   design,-Sky,Game/Front@50
 */
typedef struct tm_layer_choice {
    bool chosen;
    int32_t percent; /* 0..100 that the last word for the layer has behind its @; TM_NONE: it has none */
} tm_layer_choice;

/* Which words there are. */
typedef enum tm_select_words {
    TM_SELECT_ALL = 0, /* the above; without a set, all layers */
    TM_SELECT_DRAWN,   /* less kinds of layers that are never drawn: sounds; without a set, the design */
    TM_SELECT_PHYSICS  /* kinds of physics layers alone; without a set, all of them */
} tm_select_words;

/*
 * Finds which layers a text means: sets one element of `choices` for each of the map's tm_map_num_layers
 * layers, in the order of the file. A word that leads to nothing is TM_ERROR_NOT_FOUND, one that is malformed
 * TM_ERROR_USAGE; no layer is chosen then.
 */
TM_API tm_status tm_select_layers(tm_layer_choice *choices, const tm_map *map, const char *text,
                                  tm_select_words words, tm_error *error);
/*
 * For tm_camera.opacities: for each chosen layer sets its number to its percentage / 100, or to 1 if it has
 * none. The numbers of other layers stay as they were.
 */
TM_API void tm_select_opacities(float *opacities, const tm_layer_choice *choices, uint32_t num_layers);

/* -------------------------------------------------------------------------------------------- patterns */

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
    tm_rect rect;
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
    tm_rect region;
} tm_find_options;
#define TM_FIND_OPTIONS_INIT           \
    {                                  \
        sizeof(tm_find_options), NULL, \
        {                              \
            0, 0, 0, 0                 \
        }                              \
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

#ifdef __cplusplus
}
#endif
#endif
