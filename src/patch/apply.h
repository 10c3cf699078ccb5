/* SPDX-License-Identifier: Zlib */
#ifndef TMI_APPLY_H
#define TMI_APPLY_H
/*
 * Applying a patch to a map, in four steps: find the objects of the patch (order_objects.c) and the position
 * of its tiles (find_place.c), check which changes fit (check_fit.c), put all objects in their new order
 * (order_objects.c), change their content (apply_patch.c).
 */
#include "patch.h"

/* Whether the position of changed tiles is known in a map that was extended or cropped. */
typedef enum tmi_place {
    TMI_PLACE_UNKNOWN, /* the patch has no tiles around them */
    TMI_PLACE_FOUND,
    TMI_PLACE_LOST /* the tiles around them are not there, or at several positions */
} tmi_place;

/* Whether and where a change of the patch fits the map. */
typedef struct tmi_fit {
    bool fits;
    tmi_place place; /* GRID of a layer */
    int32_t by[2];   /* GRID, ELEMENT: how far it moves from its position BEFORE, in tiles */
    uint32_t claim;  /* ELEMENT, SETTING that existed BEFORE: its index in this map */
} tmi_fit;

typedef struct tmi_apply {
    tm_map *map; /* a clone, which is dropped on failure */
    const tm_patch *patch;
    tm_patch *current;          /* its side BEFORE is the unchanged map; owns memory until the end */
    tmi_fit *fits;              /* one for each change */
    tmi_pairs place[TMI_LISTS]; /* objects BEFORE, and the objects of this map */
    tmi_objects objects;        /* the side BEFORE, this map, the side AFTER, and the result */
    tm_report *report;
    uint64_t num_misfits;
    tmi_place map_place;   /* whether it is known how the map has moved */
    int32_t by[2];         /* how far it has moved, in tiles */
    int64_t wider[2];      /* how much wider and higher it is, if the patch knows its old size */
    tmi_compare_work work; /* of data of which it is asked whether they are as they were */
    tm_error *error;
} tmi_apply;

/* The end of the changes of one list of elements or settings that begin at `first`; else first + 1. */
size_t tmi_end_of_list(const tm_patch *patch, size_t first);
/* Sets `place`. */
tm_status tmi_apply_find(tmi_apply *apply);
/* Sets `fits`, and adds a finding for each change that does not fit. */
tm_status tmi_apply_check(tmi_apply *apply);
/*
 * Finds the runs of a grid among the tiles of a layer; `by` is how far they are from their position BEFORE.
 */
tmi_place tmi_grid_find_place(const tmi_grid *grid, const tm_grid *map_grid, int32_t by[2]);
/* Finds how the map has moved, by its game layer. */
tm_status tmi_apply_find_map(tmi_apply *apply);
/* Whether the content of a group moves along an axis when the map is extended or cropped. */
bool tmi_goes_along(const tmi_apply *apply, const tm_group *group, int axis);
/* Sets `objects` and rearranges the map; added objects are empty then. */
tm_status tmi_apply_order(tmi_apply *apply);

#endif
