/* SPDX-License-Identifier: Zlib */
#ifndef CLI_PYRAMID_H
#define CLI_PYRAMID_H
/*
 * pyramid.h - which tiles of a deep-zoom pyramid there are, and where. A tile is PYRAMID_SIDE pixels square;
 * on each level tile (0, 0) begins at the world's origin, so that tiles lie on the same grid whatever the
 * map's size is, and each has exactly four below it. A level has twice the scale of the one before it.
 *
 * Order of calls: pyramid_frame_set once for a map, then pyramid_plan and pyramid_release for each pyramid.
 */
#include "words/command.h"

enum {
    PYRAMID_SIDE = 256,    /* pixels of a tile's side */
    PYRAMID_LEVELS = 24,   /* the most */
    PYRAMID_BORDER_X = 24, /* map tiles around the game layer: half of what a player sees at most */
    PYRAMID_BORDER_Y = 17
};

/* Tiles of one level: the smallest rectangle around all that are there. */
typedef struct pyramid_level {
    int32_t left, top;      /* of the rectangle, in tiles of the pyramid */
    uint32_t width, height; /* 0: nothing is there */
    uint8_t *there;         /* width * height: 1 or 0 */
} pyramid_level;

typedef struct pyramid {
    pyramid_level levels[PYRAMID_LEVELS]; /* as many as the frame has */
    double cost;                          /* pixels of layers that drawing it works on, about */
} pyramid;

/* What all pyramids of a map share. */
typedef struct pyramid_frame {
    const tm_map *map;
    double width, height; /* of the map, in its tiles */
    double scale;         /* of the last level: pixels for one px of the world */
    uint32_t num_levels;  /* on the first one all fits into a square of PYRAMID_SIDE */
    uint64_t looks;       /* that planning may still take */
} pyramid_frame;

/* `pixels`: of a map tile on the last level. */
tm_status pyramid_frame_set(pyramid_frame *frame, const tm_map *map, uint32_t pixels, tm_error *error);
/* Pixels for one px of the world. */
double pyramid_scale(const pyramid_frame *frame, uint32_t level);

/* Pixels of a tile: [left, right) and [top, bottom), each from 0 to PYRAMID_SIDE. */
typedef struct pyramid_rectangle {
    uint32_t left, top, right, bottom;
} pyramid_rectangle;
/* Those of tile (x, y) that lie on the map and its border, at a scale. */
pyramid_rectangle pyramid_pixels(const pyramid_frame *frame, double scale, int32_t x, int32_t y);

/*
 * Finds the tiles on which some layers of a group may draw something: those with a factor above 0 in
 * `opacities`, which are of this group's layers. Much cheaper than drawing; sometimes too many, never too few.
 * Tiles that lie outside of the border are left out.
 */
tm_status pyramid_plan(pyramid *out, pyramid_frame *frame, uint32_t group, const float *opacities,
                       double time, tm_error *error);
/* Whether a group holds the game layer: it stands where it belongs, whatever the file says. */
bool pyramid_is_game_group(const tm_map *map, uint32_t group);
/* Whether a group's clip counts: the game layer's group has none. */
bool pyramid_is_clipped(const tm_map *map, uint32_t group);
/* And whether it holds what is drawn in place, wherever one stands: the group has no parallax. */
bool pyramid_keeps_clip(const tm_map *map, uint32_t group);
void pyramid_release(pyramid *of);
uint64_t pyramid_count(const pyramid *of);

#endif
