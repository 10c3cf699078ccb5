/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MERGE_MAPS_H
#define TMI_MERGE_MAPS_H
/*
 * A merge at work. Two patches lead from the base to either side. The objects of all three maps get ids:
 * first those of the base by number, then those that ours added, then those that theirs added and ours did
 * not. It is decided which of them are in the result (merge_objects.c) and in which order
 * (merge_orders.c); a clone of ours is arranged so; then the changes of theirs are brought into what both
 * have (merge_values.c, merge_grids.c, merge_lists.c).
 */
#include "compare.h"

#include <teemap/merge.h>

enum { TMI_OURS, TMI_THEIRS };

/* Changes of one object in a patch: they stand side by side. */
typedef struct tmi_merge_range {
    size_t first, num;
} tmi_merge_range;

typedef struct tmi_merge_list {
    uint32_t num_base, num_ids;
    uint32_t *id[2];            /* by number in ours, in theirs */
    int32_t *number[2];         /* by id: in ours, in theirs; TM_NONE: not there */
    const tmi_delta **delta[2]; /* by id: what adds, removes or moves it; NULL: nothing */
    tmi_merge_range *range[2];  /* by number in the base: the changes of that object */
    bool *gone;                 /* by id: it is not in the result */
    uint32_t *order;            /* ids by number in the result */
    uint32_t num_final;
    int32_t *final; /* by id: number in the result */
} tmi_merge_list;

/* Of a grid, in places of the base. */
typedef struct tmi_rect {
    int64_t left, top, right, bottom;
} tmi_rect;

/* Games want all layers of physics in one size: where they are is settled for all of them. */
typedef struct tmi_merge_physics {
    bool found;             /* all three maps have a game layer */
    tmi_rect base, side[2]; /* of the game layer */
    tmi_rect rect;          /* of all layers in the result */
    tm_resolution take;     /* both moved an edge: what the caller wants */
    bool conflict;
} tmi_merge_physics;

typedef struct tmi_merge {
    const tm_map *base, *in[2];
    tm_map *shared; /* the base, if it had to be made; nothing is told of it */
    tm_patch *patch[2];
    tm_merge_options options;
    tm_patch *here; /* memory for the time of the work */
    tm_map *map;    /* the result */
    tm_conflicts *conflicts;
    tmi_merge_list list[TMI_LISTS];
    tmi_merge_range whole[2];
    uint32_t *group_of;    /* by id of a layer: id of its group in the result */
    uint32_t *first_final; /* by number of a group in the result: number of its first layer; and the end */
    tmi_pairs cross[TMI_LISTS]; /* ours and theirs: what is one object */
    bool *left_out;             /* by change of theirs: a conflict keeps it from the result */
    tmi_merge_physics physics;
    tm_error *error;
} tmi_merge;

/* What stands for the base where there is none. */
tm_status tmi_merge_shared_base(tm_map **out, const tm_map *ours, const tm_map *theirs,
                                const tm_patch_options *how, tm_error *error);
tm_status tmi_merge_objects(tmi_merge *m);
tm_status tmi_merge_orders(tmi_merge *m);
/* All changes of theirs in objects that ours has, too. */
tm_status tmi_merge_contents(tmi_merge *m);

/* What the caller wants where these changes are at odds; either may be NULL. */
tm_resolution tmi_merge_wish(const tmi_merge *m, const tmi_delta *ours, const tmi_delta *theirs);
/* The same where they are: what theirs has is told as brought into ours only if it is taken. */
tm_resolution tmi_merge_take(const tmi_merge *m, const tmi_delta *ours, const tmi_delta *theirs);
/* Nothing, or not all, of this change of theirs has come into the result. */
void tmi_merge_leave_out(tmi_merge *m, const tmi_delta *theirs);
/* Number in the result of an object of one side; what leads nowhere stays. */
int32_t tmi_merge_reference(const tmi_merge *m, int side, tm_object object, int64_t number);
/* The same of the base. */
int32_t tmi_merge_base_reference(const tmi_merge *m, tm_object object, int64_t number);
void *tmi_merged_object(const tmi_merge *m, tmi_list list, uint32_t id);
/* An object of ours or theirs by id; NULL: not there. */
const void *tmi_merge_side_object(const tmi_merge *m, int side, tmi_list list, uint32_t id);
const void *tmi_merge_base_object(const tmi_merge *m, tmi_list list, uint32_t id);
/* Puts a copy of a block of theirs where one of the result is. */
tm_status tmi_merge_block(tmi_merge *m, tm_block **slot, const tm_block *block);

/* An object whose contents are merged. */
typedef struct tmi_merge_object {
    tmi_list list;
    uint32_t id; /* of TMI_WHOLE: 0 */
    void *merged;
    const void *base, *side[2];
    const tmi_delta *first[2]; /* its changes */
    size_t num[2];
    bool alone; /* one of its changes is made up: nothing is told of theirs */
} tmi_merge_object;
/* Tiles or pixels that both have changed. */
tm_status tmi_merge_grids(tmi_merge *m, const tmi_merge_object *of, const tmi_delta *ours,
                          const tmi_delta *theirs);
tmi_rect tmi_rect_of_grid(const tmi_grid *grid, int which);
bool tmi_same_rect(const tmi_rect *a, const tmi_rect *b);
bool tmi_in_rect(const tmi_rect *rect, int64_t x, int64_t y);
/* Where the edges go by what three versions have; *conflict: both moved one, to different places. */
tmi_rect tmi_merge_rects(const tmi_rect *base, const tmi_rect side[2], tm_resolution take, bool *conflict);
/* As far as `own` goes. */
tmi_rect tmi_widen_rect(const tmi_rect *rect, const tmi_rect *own);
/* Settles where layers of physics are, before contents are merged; brings there what one side has alone. */
tm_status tmi_settle_physics(tmi_merge *m);
tm_status tmi_finish_physics(tmi_merge *m);
/* Elements or commands that both have changed: the first change of either list. */
tm_status tmi_merge_lists(tmi_merge *m, const tmi_merge_object *of, const tmi_delta *const first[2],
                          const size_t num[2]);

/* ---------------------------------------------------------------------------------------------- lining up */

/* Where two things that were put at one place do not follow from anything else, their keys say it. */
typedef struct tmi_order_key {
    int64_t number;
    const char *text; /* may be NULL */
    uint64_t hash;
} tmi_order_key;

/*
 * Three versions of a list become one. Ids that are not in the result are left out by the caller; one that
 * is in the result is in ours or in theirs.
 */
typedef struct tmi_line_item tmi_line_item;
typedef struct tmi_sequence {
    tmi_line_item *items; /* room for all ids; blank before and after */
    uint32_t num[TM_MERGE_MAPS];
    const uint32_t *ids[TM_MERGE_MAPS];
    const bool *moved[2]; /* by place in ids[TM_MERGE_OURS], ids[TM_MERGE_THEIRS] */
    const tmi_order_key *keys;
    bool by_key; /* what both put at one place is sorted, not kept together */
    /* Both moved it to different places: true for that of theirs. NULL: the place nearer to the start. */
    bool (*clash)(void *ctx, uint32_t id);
    void *ctx;
    uint32_t *out; /* room for all ids */
    uint32_t num_out;
} tmi_sequence;
tm_status tmi_line_items_new(tmi_line_item **out, uint32_t num_ids, tm_patch *memory, tm_error *error);
tm_status tmi_merge_sequence(tmi_sequence *list, tm_patch *memory, tm_error *error);

/* ---------------------------------------------------------------------------------------------- conflicts */

typedef struct tmi_conflict {
    tm_conflict shown;
    tmi_list list; /* the object */
    uint32_t id;
    tmi_grid *grid; /* NULL: not about tiles */
} tmi_conflict;

struct tm_conflicts {
    tm_patch *memory; /* owns whatever they point to */
    tmi_conflict *list;
    size_t num, capacity;
};

tm_status tmi_conflicts_new(tm_conflicts **out, const tm_patch_options *options, tm_error *error);
/*
 * Appends a conflict about an object, with its addresses and its name; the pointer lives until the next
 * one. `take` is what became of it.
 */
tm_status tmi_conflict_add(tmi_merge *m, tmi_conflict **out, tm_conflict_kind kind, tmi_list list,
                           uint32_t id, tm_resolution take);
/* Keeps a value, or an element, that a conflict shows. A size of 0: a text. */
tm_status tmi_conflict_value(tmi_merge *m, tmi_conflict *conflict, tm_merge_map version,
                             const tm_value *value);
tm_status tmi_conflict_element(tmi_merge *m, tmi_conflict *conflict, tm_merge_map version, uint32_t at,
                               const void *bytes, size_t size);
/* At the end, when it is known where everything is. */
void tmi_conflicts_place(tmi_merge *m);
/* Leaves what theirs has in the map where ours was taken for want of a decision. */
tm_status tmi_mark_conflicts(tmi_merge *m);

#endif
