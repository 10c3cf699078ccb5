/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MATCH_H
#define TMI_MATCH_H
/*
 * Which object of one map is which of another. Whatever is known of the two maps stands in arrays of two,
 * BEFORE and AFTER. Objects are known by list and number: images, sounds, envelopes and groups by their
 * index, layers by their number among the layers of all groups.
 */
#include <teemap/fields.h>

#include "../base/base.h"
#include "../map/map.h"

enum { TMI_BEFORE, TMI_AFTER };

/* The first four are those of tm_object. */
typedef enum tmi_list {
    TMI_IMAGES,
    TMI_SOUNDS,
    TMI_ENVELOPES,
    TMI_GROUPS,
    TMI_LAYERS,
    TMI_LISTS,            /* how many lists there are ... */
    TMI_WHOLE = TMI_LISTS /* ... and what belongs to none: the map, its info and settings */
} tmi_list;
tm_owner tmi_owner_of_list(tmi_list list);
static inline tm_address_kind tmi_address_of_list(tmi_list list)
{
    return list == TMI_WHOLE ? TM_ADDRESS_MAP
                             : (tm_address_kind)((unsigned)TM_ADDRESS_IMAGE + (unsigned)list);
}

static const uint32_t TMI_NOWHERE = UINT32_MAX; /* number of an object that is not there */

/* ------------------------------------------------------------------------------------------------- pairs */

/* Two lists and which elements belong together; TM_NONE: no other. */
typedef struct tmi_pairs {
    uint32_t num[2];
    int32_t *other[2];
} tmi_pairs;

static inline void tmi_pair(tmi_pairs *pairs, uint32_t a, uint32_t b)
{
    pairs->other[TMI_BEFORE][a] = (int32_t)b;
    pairs->other[TMI_AFTER][b] = (int32_t)a;
}

/* Part of both lists: from first to end - 1. */
typedef struct tmi_span {
    uint32_t first[2], end[2];
} tmi_span;

/* Nothing is paired yet. */
tm_status tmi_pairs_new(tmi_pairs *pairs, uint32_t before, uint32_t after, tmi_arena *arena, tm_error *error);

typedef enum tmi_key_rule {
    TMI_KEY_UNIQUE, /* keys that one element of each side has */
    TMI_KEY_NTH     /* the n-th of a key on one side with its n-th on the other */
} tmi_key_rule;
/* Pairs what is not paired yet by keys; 0 is no key. Near-linear. */
tm_status tmi_pair_keys(tmi_pairs *pairs, uint64_t *const keys[2], tmi_key_rule rule,
                        const tm_allocator *allocator, tm_error *error);
/* Pairs the neighbours of what is paired as long as their keys are equal. */
void tmi_pair_neighbours(tmi_pairs *pairs, uint64_t *const keys[2]);
/* Pairs what stands at one place on both sides, if keys are equal. */
void tmi_pair_places(tmi_pairs *pairs, uint64_t *const keys[2]);
/*
 * Which pairs of a span have to move so that the others stay in their order, as few as possible: sets moved[]
 * by number BEFORE, counted from the span's first. The same pairs whichever side comes first.
 */
tm_status tmi_mark_moved(bool *moved, const tmi_pairs *pairs, const tmi_span *span, tmi_arena *arena,
                         tm_error *error);
/* How well two elements go together; 0: not at all. */
typedef uint32_t tmi_pair_score(void *ctx, uint32_t before, uint32_t after, bool alone);
/*
 * Pairs what is left between neighbours that stay, in order, so that the sum of scores is highest. `alone`:
 * there is just one on each side.
 */
tm_status tmi_pair_gaps(tmi_pairs *pairs, const tmi_span *span, tmi_pair_score *score, void *ctx,
                        tmi_arena *arena, tm_error *error);

/* ------------------------------------------------------------------------------------------------- sides */

/* What is remembered of an object of one side, to find it in other maps. */
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

/* Zeroed memory of an arena. */
tm_status tmi_take(tmi_arena *arena, void *out, size_t count, size_t size, tm_error *error);
/* A copy of a text; NULL stays NULL. */
tm_status tmi_take_text(tmi_arena *arena, const char **out, const char *text, tm_error *error);
/* Makes room for a side: `layers` of each group. Labels are blank but for the groups of layers. */
tm_status tmi_side_new(tmi_side *side, const uint32_t num[TMI_GROUPS + 1], const uint32_t *layers,
                       tmi_arena *arena, tm_error *error);
tm_status tmi_side_of_map(tmi_side *side, const tm_map *map, tmi_arena *arena, tm_error *error);
/* The index of a layer in its group. */
uint32_t tmi_layer_index(const tmi_side *side, uint32_t number);
tm_address tmi_side_address(const tmi_side *side, tmi_list list, uint32_t number);
/* The object of a map; layers by number. */
const void *tmi_object_at(const tm_map *map, const tmi_side *side, tmi_list list, uint32_t number);

/* ------------------------------------------------------------------------------------------------- grids */

/* Elements of a row that differ, one behind the other. */
typedef struct tmi_grid_run {
    int32_t x, y; /* in the grid BEFORE, also outside of it */
    uint32_t num;
    uint64_t first; /* of tmi_grid.bytes, in elements */
} tmi_grid_run;

/* Two versions of a grid, and where they differ. What lies outside of one side counts as zero there. */
typedef struct tmi_grid {
    uint32_t width[2], height[2];
    int32_t dx, dy;     /* where the top left element BEFORE is AFTER */
    uint32_t size;      /* bytes of an element */
    tmi_grid_run *runs; /* by rows */
    uint32_t num_runs;
    uint64_t num;        /* elements */
    uint64_t outside[2]; /* of these, outside of this side; found with the regions */
    uint8_t *bytes[2];
    struct tm_region *regions;
    uint32_t num_regions;
    /* Squares of 2 x 2 elements near the runs, the same on both sides: runs of 4 of bytes[BEFORE]; or NULL */
    struct tmi_grid *around;
} tmi_grid;

/* Where the old map is in the new one: maps are extended, cropped and moved as a whole. */
typedef struct tmi_shift {
    bool wanted, found;           /* it has not been looked for yet; there is one */
    int32_t dx, dy;               /* tiles: where the old top left one is */
    uint32_t width[2], height[2]; /* of the layers that say so */
    tmi_borrowed kept[2];         /* unpacked for it, for who compares them next; not large ones */
    bool large;
} tmi_shift;

/* Where the old content is in a grid of another size. `map` may be NULL; physics layers have its shift. */
void tmi_grid_find_shift(tmi_grid *grid, const uint8_t *const bytes[2], const tmi_shift *map, bool physics,
                         const tm_allocator *allocator);
/* The same in one of the same size; `alone`: so much differs that it may have moved without the map, too. */
bool tmi_grid_was_moved(tmi_grid *grid, const uint8_t *const bytes[2], const tmi_shift *map, bool alone,
                        const tm_allocator *allocator);

/* ---------------------------------------------------------------------------------------------- two maps */

/* The objects of two maps, and which is which. */
typedef struct tmi_match {
    const tm_allocator *allocator; /* NULL: malloc */
    tmi_arena arena;               /* of labels, and of whatever else lives as long */
    uint64_t room;                 /* bytes that both versions of a block may take, unpacked */
    tmi_side side[2];
    tmi_pairs pairs[TMI_LISTS];
    bool *same_data[TMI_LISTS]; /* by number BEFORE: all data are known to be the same; of tmi_match_maps */
    tmi_shift shift;            /* for the time of a comparison */
} tmi_match;

/* Pairs for the objects of both sides: none are paired yet. */
tm_status tmi_match_pairs(tmi_match *match, tm_error *error);
/* Fills in sides and pairs. */
tm_status tmi_match_maps(tmi_match *match, const tm_map *const map[2], tm_error *error);
/* The layers of a group BEFORE and of the one AFTER that it is paired with; false if there is none. */
bool tmi_span_of_group(tmi_span *out, const tmi_match *match, uint32_t before);
/*
 * The shift of the maps by their physics layers, looked for when it is first asked for; NULL: none.
 * tmi_map_shift_end frees what was unpacked for it.
 */
const tmi_shift *tmi_map_shift(tmi_match *match, const tm_map *const map[2]);
void tmi_map_shift_end(tmi_match *match);

#endif
