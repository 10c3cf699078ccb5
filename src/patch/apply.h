/* SPDX-License-Identifier: Zlib */
#ifndef TMI_APPLY_H
#define TMI_APPLY_H
/*
 * A patch at work on a map, in four steps: find the objects (find_objects.c), see what fits (check_fit.c),
 * put all objects in their new order (order_objects.c), change what is in them (apply_patch.c).
 */
#include "patch.h"

/* Whether it is known where the tiles of a change belong in a map that is larger or smaller now. */
typedef enum tmi_place {
    TMI_PLACE_UNKNOWN, /* the patch says nothing of it */
    TMI_PLACE_FOUND,
    TMI_PLACE_LOST /* what stood around them is not there, or at several places */
} tmi_place;

/* What becomes of a change. */
typedef struct tmi_fit {
    bool fits;
    tmi_place place; /* GRID of a layer */
    int32_t by[2];   /* GRID, ELEMENT: tiles by which its place in this map is another one */
    uint32_t claim;  /* ELEMENT, SETTING that was there: which one it is in this map */
} tmi_fit;

typedef struct tmi_apply {
    tm_map *map; /* a clone, which may be left half done */
    const tm_patch *patch;
    tm_patch *here; /* its side BEFORE is the map as it was; memory for the time of the work */
    tmi_fit *fits;  /* one a change */
    /*
     * By list: `place` of an object BEFORE in this map, TM_NONE: not found; `place[TMI_AFTER]` is the other
     * way, for tmi_differ. `final` of an object of this map: its number afterwards, TM_NONE: removed.
     */
    tmi_pairs place[TMI_LISTS];
    int32_t *final[TMI_LISTS];
    int32_t *final_added[TMI_LISTS]; /* the same of an added object, by number AFTER */
    uint32_t num_final[TMI_LISTS];
    uint32_t *final_first; /* of each group afterwards: number of its first layer */
    tm_report *report;
    uint64_t num_misfits;
    tmi_place map_place; /* whether it is known by how much the map has moved, ... */
    int32_t by[2];       /* ... the tiles, ... */
    int64_t wider[2];    /* ... and by how many it is wider and higher, if the patch knows its size */
    tm_error *error;
} tmi_apply;

/* Where the elements or settings of one object end that begin with change `first`; else the next change. */
size_t tmi_end_of_list(const tm_patch *patch, size_t first);
/* The elements that an object here has of those which a change is about; of settings *bytes is NULL. */
tm_status tmi_elements_here(const char **bytes, uint32_t *num, const tmi_apply *at, const tmi_delta *delta,
                            const void *object);
tm_status tmi_apply_find(tmi_apply *at);
tm_status tmi_apply_check(tmi_apply *at);
/* Where the runs of a grid belong among the tiles of a layer here: `by` tiles from where they were. */
tmi_place tmi_grid_find_place(const tmi_grid *grid, const uint8_t *bytes, uint32_t width, uint32_t height,
                              int32_t by[2]);
/* Where the map as a whole is, by the game layer. */
tm_status tmi_apply_find_map(tmi_apply *at);
/* Whether along an axis the content of a group moves when the map is extended or cropped. */
bool tmi_goes_along(const tmi_apply *at, const tm_group *group, int axis);
/* Finds the final numbers and assembles the map; new objects are blank afterwards. */
tm_status tmi_apply_order(tmi_apply *at);

/*
 * References of the patch as numbers of this map: those BEFORE as it was, those AFTER as it will be. What
 * leads nowhere stays as it is; what is not to be found is TM_NONE.
 */
int32_t tmi_here_before(const tmi_apply *at, tm_object object, int64_t before);
int32_t tmi_here_after(const tmi_apply *at, tm_object object, int64_t after);
/* The same as a tmi_visit_reference. */
void tmi_bring_before(void *at, const tm_field *field, int32_t *index);
void tmi_bring_after(void *at, const tm_field *field, int32_t *index);

#endif
