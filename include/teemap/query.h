/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_QUERY_H
#define TEEMAP_QUERY_H
/*
 * teemap/query.h - selects layers, and finds tiles, settings, images and other objects in a map, by text.
 * docs/patterns.md explains the patterns; operations that change tiles (teemap/edit.h) use the same.
 *
 *     tm_pattern *pattern;
 *     status = tm_pattern_parse(&pattern, "tele-in without tele-out", NULL, &error);
 *     status = tm_map_find(map, &pattern, 1, NULL, see, ctx, &error);
 *     tm_pattern_free(pattern);
 *
 * Threads: a pattern is constant; any number of threads may search with it at once, in one map or many.
 */
#include <teemap/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------- sets of layers */

/*
 * A set of layers, as accepted by all commands that take layers of a map (docs/addresses.md): words separated
 * by commas. @PERCENT may follow a word. Later words override earlier ones:
 *   design            all layers except the physics layers
 *   physics           the physics layers
 *   background        design layers behind the players: before the game layer, or all without one
 *   foreground        design layers in front of the players
 *   tele              all layers of a kind, by its name in tm_layer_info
 *   2  Game  2/3      a group or a layer, by its address
 *   15-16  2/3-5  2-  ranges of indices
 *   Deco*  star/Main  (with * for star) names in which * matches anything
 *   tiles:detail=true  layers of a word with (:!detail=true without) this value of a field
 *   -Deco  !Deco      removes layers; as the first word, from the default
 *   design,-Sky,Game/Front@50
 */
typedef struct tm_layer_choice {
    bool chosen;
    int32_t percent; /* 0..100 after the @ of the last word for the layer; TM_NONE: none */
} tm_layer_choice;

/* Available words and the default. */
typedef enum tm_select_words {
    TM_SELECT_ALL = 0, /* all of the above; default: all layers */
    TM_SELECT_DRAWN,   /* without layers that are never drawn (sounds); default: the design */
    TM_SELECT_PHYSICS  /* only physics layers; default: all of them */
} tm_select_words;

/*
 * Finds the layers of a set: sets one element of `choices` for each of the map's tm_map_num_layers layers, in
 * file order. A word that matches nothing is TM_ERROR_NOT_FOUND, a malformed one TM_ERROR_USAGE; then no
 * layer is selected.
 */
TM_API tm_status tm_select_layers(tm_layer_choice *choices, const tm_map *map, const char *text,
                                  tm_select_words words, tm_error *error);
/*
 * For tm_camera.opacities: sets the number of each selected layer to its percentage / 100, or to 1 without
 * one. Numbers of other layers do not change.
 */
TM_API void tm_select_opacities(float *opacities, const tm_layer_choice *choices, uint32_t num_layers);

/* -------------------------------------------------------------------------------------------- patterns */

/* A parsed pattern. Opaque. */
typedef struct tm_pattern tm_pattern;

/*
 * Parses a pattern. No map is needed: layers and objects are looked up in each map. TM_ERROR_USAGE names the
 * wrong part and what is allowed there.
 */
TM_API tm_status tm_pattern_parse(tm_pattern **out, const char *text, const tm_allocator *allocator,
                                  tm_error *error);
TM_API void tm_pattern_free(tm_pattern *pattern);
/* The original text; "" for NULL. */
TM_API const char *tm_pattern_text(const tm_pattern *pattern);

/* A match. Valid during the call of the visitor. */
typedef struct tm_match {
    uint32_t pattern;   /* index in the list of patterns */
    tm_address address; /* a layer, an image, ...; for texts their object or list */
    /* For tiles: a rectangle of matching tiles, in tiles of the layer. Otherwise all 0. */
    tm_rect rect;
    uint64_t count; /* number of tiles; 1 for other matches */
    /* For texts: the text, and its field: "settings", "name", "author". Otherwise NULL. */
    const char *text;
    const char *field;
    uint32_t index; /* for settings: the index */
    tm_grid grid;   /* for tiles: those of the whole layer */
} tm_match;
/* Return false to end the search. */
typedef bool tm_match_visit(void *ctx, const tm_match *match);

typedef struct tm_find_options {
    size_t size; /* sizeof(tm_find_options) */
    /*
     * Only search these layers, one element for each of the map's, as filled by tm_select_layers. NULL: all.
     */
    const tm_layer_choice *layers;
    /* Only search tiles in this rectangle, in tiles of each layer. Width or height 0: all. */
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
 * Visits everything that matches any of `num` patterns: first tiles, layer by layer and sorted by the first
 * row of the rectangles, then objects and texts. A tile is in one rectangle per pattern. Only layers in which
 * a pattern can match are unpacked, and they are dropped again unless they were unpacked before.
 *
 * A layer that cannot be unpacked is skipped, and the search continues; the function then fails like
 * tm_map_data, with the first such layer as place. A set of layers in a pattern without layers in this map
 * matches nothing. `options.layers` only restricts tiles, not objects and their names.
 */
TM_API tm_status tm_map_find(const tm_map *map, tm_pattern *const *patterns, uint32_t num,
                             const tm_find_options *options, tm_match_visit *visit, void *ctx,
                             tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
