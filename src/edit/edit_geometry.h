/* SPDX-License-Identifier: Zlib */
#ifndef TMI_EDIT_GEOMETRY_H
#define TMI_EDIT_GEOMETRY_H
/*
 * What the operations that turn, move and resize share, and lists of the points of envelopes.
 */
#include "edit.h"

#include <teemap/tiles.h>

/* --------------------------------------------------------------------------------------------- envelopes */

/* A list of points apart from any envelope. */
typedef struct tmi_point_list {
    tm_envelope_point *points;
    size_t num, capacity;
    const tm_allocator *scratch;
    uint32_t channels; /* that count, 0 to 4 */
} tmi_point_list;
/* Adds the points of an envelope by time; those of one time stay in their order. */
tm_status tmi_points_add_sorted(tmi_point_list *list, const tm_envelope *envelope, tm_error *error);

/* ----------------------------------------------------------------------------------------------- numbers */

/* TM_ERROR_LIMIT for what does not fit. */
tm_status tmi_edit_put_int(int32_t *out, int64_t value, tm_error *error);
/* Sets a number of a group; a value that does not fit leaves it as it is, with a finding; false then. */
bool tmi_edit_put_number(tmi_edit *edit, const tm_address *address, const char *name, int32_t *out,
                         int64_t value);
/* n / d to the nearest, halves away from 0: so that what is added can be taken away again. d is positive. */
int64_t tmi_edit_divide(int64_t n, int64_t d);

/* ---------------------------------------------------------------------------------------------- elements */

/* Changes an element; both get the `ctx` of the walk. */
typedef struct tmi_edit_movers {
    /* The corners of a quad, and behind them its pivot; or the position of a source. */
    tm_status (*points)(void *ctx, tm_point *points, size_t num, tm_error *error);
    /* Of a source; NULL: it stays. `width` of a circle is its radius in px, and `height` NULL; of a rectangle
       both are in fx. */
    tm_status (*size)(void *ctx, int32_t *width, int32_t *height, tm_error *error);
} tmi_edit_movers;
/*
 * Walks over the quads or sources of a layer, which count as changed then. One for which the change leads to
 * TM_ERROR_LIMIT stays as it is, with a finding.
 */
tm_status tmi_edit_each_element(tmi_edit *edit, const tm_address *address, const tmi_edit_movers *movers,
                                void *ctx, tm_error *error);
/* Moves points by x and y in fx; `distance` points to these two int64_t. */
tm_status tmi_edit_move_points(void *distance, tm_point *points, size_t num, tm_error *error);
/* Moves one element of a layer of a kind by x and y in fx, and all of a layer. */
tm_status tmi_edit_move_element(tm_layer_kind kind, void *element, const int64_t by[2], tm_error *error);
tm_status tmi_edit_move_elements(tmi_edit *edit, const tm_address *address, const int64_t by[2],
                                 tm_error *error);

/* -------------------------------------------------------------------------------------- groups and tiles */

/*
 * Works on the frame of each group, and then on its layers, of which one may become several. The report says
 * what is `done` to the group (NULL: nothing). Both works find `ctx` in edit->ctx.
 */
tm_status tmi_edit_each_group(tmi_edit *edit, tmi_edit_work *frame, tmi_edit_work *layer, const char *done,
                              void *ctx, tm_error *error);
/* Whether a group moves with the game layer along an axis: by its parallax, and without an offset. */
bool tmi_edit_moves_along(const tm_map *map, uint32_t group, int axis);
/* Whether the group has a rectangle, used or not. */
bool tmi_edit_clips(const tm_group *group);
/* The width (axis 0) or height of the largest design layer of a group; 0 without one. */
uint32_t tmi_edit_largest_tiles(const tm_group *group, int axis);
/* Gives a physics layer the size of the game layer, with the tiles that the games see there. */
void tmi_edit_set_played_size(tmi_edit *edit, const tm_address *address, const uint32_t world[2]);
/* The automapper of a tile layer is not automatic any more; `effect`: what its rules do then. */
void tmi_edit_stop_automapper(tmi_edit *edit, const tm_address *address, const char *effect);
/* Whether two of a tile have more effect than one: a spawn, an exit, a door, a pickup. */
bool tmi_edit_stands_alone(tm_game game, tm_layer_kind kind, const void *tile);

typedef tm_status tmi_edit_mover(const void *ctx, tm_envelope_point *point, tm_error *error);
/*
 * Visits the points of each envelope that moves elements, and reports what is done to it. If an envelope also
 * changes colors or volumes, a copy takes its place for the moving elements, and the copy is visited. One of
 * which a point leads to TM_ERROR_LIMIT stays as it is, with a finding.
 */
tm_status tmi_edit_each_mover(tmi_edit *edit, tmi_edit_mover *visit, const char *done, const void *ctx,
                              tm_error *error);

/*
 * Fills a grid for tmi_map_regrid by the tiles of the old one from column ctx[0] and row ctx[1] on (uint32_t
 * each); beyond the old edge by the edge again.
 */
void tmi_edit_cut_grid(void *ctx, const tm_grid *source, const tm_edit_grid *target);

/* The smallest rectangle of the map, of at least 2 x 2 tiles, that contains all content. */
tm_status tmi_edit_used_region(bool *has_any, int64_t start[2], int64_t size[2], const tm_map *map,
                               tm_error *error);

#endif
