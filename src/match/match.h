/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MATCH_H
#define TMI_MATCH_H
/*
 * Finds which object of one map is which object of another, and where the old map is in the new one; orders
 * lists of which there are three versions. What is known of two maps is in arrays of two, BEFORE and AFTER;
 * of three versions in arrays of three, BASE, OURS and THEIRS. The number of an image, sound, envelope or
 * group is its index, that of a layer its place among the layers of all groups.
 */
#include <teemap/fields.h>

#include "../base/base.h"
#include "../map/map.h"

enum { TMI_BEFORE, TMI_AFTER };

/*
 * An object of two maps is named by the kind of its list, TM_KIND_IMAGE to TM_KIND_LAYER, and a number. What
 * is in no list, the map, its info and server commands, has the kind TM_KIND_MAP and the number 0. Arrays by
 * kind have this size; those of kinds that are no lists stay empty.
 */
enum { TMI_LISTS = TM_KIND_LAYER + 1 };

static const uint32_t TMI_NOWHERE = UINT32_MAX; /* number of an object that a side does not have */

/* ------------------------------------------------------------------------------------------------- pairs */

/* Two lists, and for each element the paired one of the other list, or TM_NONE. */
typedef struct tmi_pairs {
    uint32_t num[2];
    int32_t *other[2];
} tmi_pairs;

static inline void tmi_pair(tmi_pairs *pairs, uint32_t a, uint32_t b)
{
    pairs->other[TMI_BEFORE][a] = (int32_t)b;
    pairs->other[TMI_AFTER][b] = (int32_t)a;
}

/* A part of both lists: elements first to end - 1. */
typedef struct tmi_span {
    uint32_t first[2], end[2];
} tmi_span;

/* Makes pairs of two lists in which no element is paired. */
tm_status tmi_pairs_new(tmi_pairs *pairs, uint32_t before, uint32_t after, tmi_arena *arena, tm_error *error);

/* Counts the unpaired elements of a side in a span. */
uint32_t tmi_count_unpaired(const tmi_pairs *pairs, const tmi_span *span, int side);

typedef enum tmi_key_rule {
    TMI_KEY_UNIQUE, /* only keys that exactly one element of each side has */
    TMI_KEY_NTH     /* the n-th element with a key on one side and the n-th on the other */
} tmi_key_rule;
/* Pairs unpaired elements with equal keys; 0 is no key. Near-linear. */
tm_status tmi_pair_keys(tmi_pairs *pairs, uint64_t *const keys[2], tmi_key_rule rule,
                        const tm_allocator *allocator, tm_error *error);
/* Pairs the neighbours of paired elements, as far as their keys are equal. */
void tmi_pair_neighbours(tmi_pairs *pairs, uint64_t *const keys[2]);
/* Pairs elements with the same index and key. */
void tmi_pair_places(tmi_pairs *pairs, uint64_t *const keys[2]);
/*
 * Marks as few pairs of a span as possible as moved, so that the others have the same order on both sides.
 * moved[] is by number BEFORE minus span->first. Exchanging the sides gives the same pairs.
 */
tm_status tmi_mark_moved(bool *moved, const tmi_pairs *pairs, const tmi_span *span, tmi_arena *arena,
                         tm_error *error);
/* How alike two elements are; 0: they are not paired. `alone`: the gap has one on each side. */
typedef uint32_t tmi_pair_score(void *ctx, uint32_t before, uint32_t after, bool alone);
/*
 * Pairs the unpaired elements in each gap between pairs that have not moved, in order, so that the sum of
 * scores is highest.
 */
tm_status tmi_pair_gaps(tmi_pairs *pairs, const tmi_span *span, tmi_pair_score *score, void *ctx,
                        tmi_arena *arena, tm_error *error);

/* ----------------------------------------------------------------------------------------- three versions */

/* A base and two versions of it. The numbers are those of tm_merge_map. */
enum { TMI_BASE, TMI_OURS, TMI_THEIRS, TMI_VERSIONS };

/* Three versions of a list, and the merged list. */
typedef struct tmi_threeway {
    uint32_t num[TMI_VERSIONS], num_ids;
    uint32_t *id[TMI_VERSIONS];         /* by place in that version */
    int32_t *place[TMI_VERSIONS];       /* by id; TM_NONE: not there */
    bool *moved[TMI_VERSIONS];          /* by id: the side has moved it */
    bool *gone;                         /* by id: it is not in the result */
    uint32_t *order, num_final;         /* the result: ids by place */
    int32_t *final;                     /* by id: place in the result, or TM_NONE */
    uint32_t *rank, *gap[TMI_VERSIONS]; /* by id, while it is ordered: see merge_sequence.c */
    bool *is_in[TMI_VERSIONS];
} tmi_threeway;
/*
 * Gives ids. `from`: by place in a side, the place in the base, or TM_NONE. `cross` pairs what both sides
 * have added; may be NULL.
 */
tm_status tmi_threeway_new(tmi_threeway *t, const uint32_t num[TMI_VERSIONS],
                           const int32_t *const sources[TMI_VERSIONS], const tmi_pairs *cross,
                           tmi_arena *arena, tm_error *error);
/* Ours if it has the id, else theirs. */
static inline int tmi_version_of(const tmi_threeway *t, uint32_t id)
{
    return t->place[TMI_OURS][id] != TM_NONE ? TMI_OURS : TMI_THEIRS;
}
static inline bool tmi_in_both(const tmi_threeway *t, uint32_t id)
{
    return t->place[TMI_OURS][id] != TM_NONE && t->place[TMI_THEIRS][id] != TM_NONE;
}

/* Orders things that two sides put at the same place, where nothing else orders them. */
typedef struct tmi_order_key {
    int64_t number;
    const char *text; /* may be NULL */
    uint64_t hash;
} tmi_order_key;

/* A part of the list that is ordered: places first to end - 1 of each version, ids of one group only. */
typedef struct tmi_part {
    uint32_t first[TMI_VERSIONS], end[TMI_VERSIONS];
    const uint32_t *group_of; /* by id; NULL: all */
    uint32_t group;
    /* Of what both put at one place; NULL: theirs comes first. */
    const tmi_order_key *keys;
    bool by_key; /* it is sorted by key; else it stays in two runs */
    /* Both moved an id to different places: true chooses theirs. NULL: the place nearer to the start. */
    bool (*clash)(void *ctx, uint32_t id);
    void *ctx;
} tmi_part;
/* Orders a part and appends it to the result. */
tm_status tmi_threeway_order(tmi_threeway *t, const tmi_part *part, tmi_arena *arena, tm_error *error);

/* ------------------------------------------------------------------------------------------------- sides */

/* What identifies an object of one side in other maps. */
typedef struct tmi_label {
    const char *name; /* NULL: not known */
    int32_t kind;     /* tm_layer_kind of layers, channels of envelopes */
    uint32_t group;   /* of layers */
    bool used;        /* a change is about it or refers to it */
} tmi_label;

typedef struct tmi_side {
    uint32_t num[TMI_LISTS];
    tmi_label *labels[TMI_LISTS];
    uint32_t *first_layer; /* of each group its first layer's number; one more for the end */
} tmi_side;

/* Allocates zeroed memory from an arena. */
tm_status tmi_take(tmi_arena *arena, void *out, size_t count, size_t size, tm_error *error);
/* Copies a text; NULL stays NULL. */
tm_status tmi_take_text(tmi_arena *arena, const char **out, const char *text, tm_error *error);
/* Makes a side with `layers` layers in each group. Labels only have the groups of layers yet. */
tm_status tmi_side_new(tmi_side *side, const uint32_t num[TM_KIND_GROUP + 1], const uint32_t *layers,
                       tmi_arena *arena, tm_error *error);
tm_status tmi_side_of_map(tmi_side *side, const tm_map *map, tmi_arena *arena, tm_error *error);
/* The index of a layer in its group. */
uint32_t tmi_layer_index(const tmi_side *side, uint32_t number);
tm_address tmi_side_address(const tmi_side *side, tm_kind list, uint32_t number);
/* The object of a map; layers by number. */
const void *tmi_object_at(const tm_map *map, const tmi_side *side, tm_kind list, uint32_t number);

/* ------------------------------------------------------------------------------------------------- grids */

/* Consecutive elements of a row that differ. */
typedef struct tmi_grid_run {
    int32_t x, y; /* in the grid BEFORE, also outside of it */
    uint32_t num;
    uint64_t first; /* index of its first element in tmi_grid.bytes */
} tmi_grid_run;

/* Two versions of a grid of tiles or pixels, and where they differ. Outside of a side, elements are zero. */
typedef struct tmi_grid {
    uint32_t width[2], height[2];
    int32_t dx, dy;     /* position AFTER of the top left element BEFORE */
    uint32_t size;      /* bytes of an element */
    tmi_grid_run *runs; /* by rows */
    uint32_t num_runs;
    uint64_t num;        /* of elements in all runs */
    uint64_t outside[2]; /* of these, outside of this side; set with the regions */
    uint8_t *bytes[2];
    struct tm_region *regions;
    uint32_t num_regions;
    /* Unchanged squares of 2 x 2 elements near the runs: each is a run of 4 in bytes[BEFORE]; or NULL */
    struct tmi_grid *surroundings;
} tmi_grid;

static inline bool tmi_grid_resized(const tmi_grid *grid)
{
    return grid->width[TMI_BEFORE] != grid->width[TMI_AFTER] ||
           grid->height[TMI_BEFORE] != grid->height[TMI_AFTER];
}

/* The position of the old map in the new one: maps are extended, cropped and moved as a whole. */
typedef struct tmi_shift {
    bool wanted, found;           /* not searched yet; there is a shift */
    int32_t dx, dy;               /* tiles: new position of the old top left one */
    uint32_t width[2], height[2]; /* of the physics layer by which it was found */
    tmi_borrowed kept[2];         /* its tiles; unless they are large, they stay for the comparison */
    bool large;
} tmi_shift;

/* Sets dx and dy of a resized grid. `map` (may be NULL) is the map's shift, which physics layers have. */
void tmi_grid_find_shift(tmi_grid *grid, const uint8_t *const bytes[2], const tmi_shift *map, bool physics,
                         const tm_allocator *allocator);
/* The same for a grid of unchanged size; false: not moved. `alone`: it may have moved without the map. */
bool tmi_grid_was_moved(tmi_grid *grid, const uint8_t *const bytes[2], const tmi_shift *map, bool alone,
                        const tm_allocator *allocator);

/* ---------------------------------------------------------------------------------------------- two maps */

/* The objects of two maps, and their pairs. */
typedef struct tmi_match {
    const tm_allocator *allocator; /* NULL: malloc */
    tmi_arena arena;               /* owns labels, and what else lives as long */
    uint64_t room;                 /* limit for the unpacked bytes of both versions of a block */
    tmi_compare_work work;         /* of all blocks that are compared */
    tmi_side side[2];
    tmi_pairs pairs[TMI_LISTS];
    bool *same_data[TMI_LISTS]; /* by number BEFORE: all data are known to be equal; set by tmi_match_maps */
    tmi_shift shift;            /* only while maps are compared */
} tmi_match;

/* Makes pairs for the objects of both sides; none is paired yet. */
tm_status tmi_match_pairs(tmi_match *match, tm_error *error);
/* Fills in sides and pairs. */
tm_status tmi_match_maps(tmi_match *match, const tm_map *const map[2], tm_error *error);
/* The layers of a group BEFORE and of the group AFTER that it is paired with; false if it is not paired. */
bool tmi_span_of_group(tmi_span *out, const tmi_match *match, uint32_t before);
/*
 * The shift of the maps, found by their physics layers on the first call; NULL: none. tmi_map_shift_end
 * releases the tiles that are kept for it.
 */
const tmi_shift *tmi_map_shift(tmi_match *match, const tm_map *const map[2]);
void tmi_map_shift_end(tmi_match *match);

#endif
