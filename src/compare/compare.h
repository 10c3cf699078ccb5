/* SPDX-License-Identifier: Zlib */
#ifndef TMI_COMPARE_H
#define TMI_COMPARE_H
/*
 * What the files of this room share: a patch as it lies in memory, and the steps that make one.
 *
 * A patch has two sides, BEFORE and AFTER, and whatever it knows of them stands in arrays of two, so that
 * inverting a patch is exchanging them. Objects are known by list and number: images, sounds, envelopes and
 * groups by their index, layers by their number among the layers of all groups. `other` says which object of
 * one side is which of the other one. References inside a patch are numbers of their own side.
 */
#include <teemap/patch.h>
#include <teemap/merge.h>
#include <teemap/fields.h>

#include "../base/base.h"
#include "../query/query.h"

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
tm_address_kind tmi_address_of_list(tmi_list list);

static const uint32_t TMI_NOWHERE = UINT32_MAX; /* number of an object that is not there */

/* ------------------------------------------------------------------------------------------- what matches */

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

/* Frees what tmi_pairs_new made; none of them need an arena, so that matching leaves nothing behind. */
tm_status tmi_pairs_new(tmi_pairs *pairs, uint32_t before, uint32_t after, const tm_allocator *allocator,
                        tm_error *error);
void tmi_pairs_free(tmi_pairs *pairs, const tm_allocator *allocator);

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
tm_status tmi_mark_moved(bool *moved, const tmi_pairs *pairs, const tmi_span *span,
                         const tm_allocator *allocator, tm_error *error);
/* How well two elements go together; 0: not at all. */
typedef uint32_t tmi_pair_score(void *ctx, uint32_t before, uint32_t after, bool alone);
/*
 * Pairs what is left between neighbours that stay, in order, so that the sum of scores is highest. `alone`:
 * there is just one on each side.
 */
tm_status tmi_pair_gaps(tmi_pairs *pairs, const tmi_span *span, tmi_pair_score *score, void *ctx,
                        const tm_allocator *allocator, tm_error *error);

/* ------------------------------------------------------------------------------------------------ patches */

/* What a patch remembers of an object of one side, to find it in other maps. */
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

typedef enum tmi_delta_type {
    TMI_DELTA_OBJECT,  /* added, removed or moved */
    TMI_DELTA_FIELD,   /* a value */
    TMI_DELTA_SETTING, /* a line of the settings */
    TMI_DELTA_ELEMENT, /* a point, quad or source */
    TMI_DELTA_GRID,    /* tiles, or pixels */
    TMI_DELTA_DATA     /* data as a whole */
} tmi_delta_type;

/* Elements of a row that differ, one behind the other. */
typedef struct tmi_grid_run {
    int32_t x, y; /* in the grid BEFORE, also outside of it */
    uint32_t num;
    uint64_t first; /* of tmi_grid.bytes, in elements */
} tmi_grid_run;

/* Where a grid differs. What lies outside of one side counts as zero there. */
typedef struct tmi_grid {
    uint32_t width[2], height[2];
    int32_t dx, dy;     /* where the top left element BEFORE is AFTER */
    uint32_t size;      /* bytes of an element */
    tmi_grid_run *runs; /* by rows */
    uint32_t num_runs;
    uint64_t num;        /* elements */
    uint64_t outside[2]; /* of these, outside of this side; found with the regions */
    uint8_t *bytes[2];
    tm_region *regions;
    uint32_t num_regions;
    /* Squares of 2 x 2 elements near the runs, the same on both sides: runs of 4 of bytes[BEFORE]; or NULL */
    struct tmi_grid *around;
} tmi_grid;
enum { TMI_SQUARE = 4, TMI_SQUARES_MAX = 24 };

/* Another size, or all of it has moved: more than the elements that differ. */
static inline bool tmi_grid_reshaped(const tmi_grid *grid)
{
    return grid->width[TMI_BEFORE] != grid->width[TMI_AFTER] ||
           grid->height[TMI_BEFORE] != grid->height[TMI_AFTER] || grid->dx || grid->dy;
}

typedef struct tmi_delta {
    tmi_delta_type type;
    tmi_list list;
    uint32_t number[2]; /* of the object; TMI_NOWHERE of one that is added or removed */
    tm_owner owner;     /* of the field, or of the element */
    const tm_field *field;
    uint32_t index;       /* which of the field's values */
    bool moved;           /* of an element or a setting: has another place among those that stay */
    tm_value value[2];    /* FIELD */
    void *content[2];     /* OBJECT: the struct of one that is added (AFTER) or removed (BEFORE) */
    uint32_t at[2];       /* SETTING, ELEMENT: which one; TMI_NOWHERE: not there */
    const void *bytes[2]; /* ELEMENT: its struct; SETTING: its text; NULL: not there */
    tm_block *block[2];   /* DATA */
    tmi_grid *grid;       /* GRID */
} tmi_delta;

/* Where the old map is in the new one: maps are extended, cropped and moved as a whole. */
typedef struct tmi_shift {
    bool wanted, found;           /* it has not been looked for yet; there is one */
    int32_t dx, dy;               /* tiles: where the old top left one is */
    uint32_t width[2], height[2]; /* of the layers that say so */
    tmi_borrowed kept[2];         /* unpacked for it, for who compares them next; not large ones */
    const tm_block *compared[2];  /* the blocks that are unpacked at the moment, ... */
    const void *bytes[2];         /* ... and their bytes */
    bool large;
} tmi_shift;

struct tm_patch {
    tm_allocator allocator; /* `resize` NULL: malloc */
    tmi_arena arena;        /* whatever has no other owner */
    tm_map *home;           /* owns the blocks and texts of contents */
    tmi_side side[2];
    tmi_pairs pairs[TMI_LISTS];
    bool *same_data[TMI_LISTS]; /* while it is made: by number BEFORE, all data are known to be the same */
    tmi_shift shift;            /* the same */
    uint64_t told;              /* the same: bytes that the runs of its grids take */
    /*
     * The game layer's size and squares, by which the map is found again when it was extended or cropped; of
     * patches in which elements or whole objects have a place. NULL: not known.
     */
    tmi_grid *game;
    tmi_delta *deltas;
    size_t num, capacity;
};

const tm_allocator *tmi_patch_allocator(const tm_patch *patch);
/*
 * What of the limit of unpacked bytes comparing takes at most: so much both versions of a block together, and
 * so much the elements that differ, of all blocks.
 */
uint64_t tmi_patch_room_of_blocks(const tm_patch *patch);
uint64_t tmi_patch_room_of_runs(const tm_patch *patch);
/* No side, no change yet. */
tm_status tmi_patch_new(tm_patch **out, const tm_patch_options *options, tm_error *error);
/* A patch with the same sides and pairs, and no change yet. */
tm_status tmi_patch_like(tm_patch **out, const tm_patch *patch, tm_error *error);
/* Makes room for a side: `layers` of each group. Labels are blank, pairs are made by tmi_patch_pairs. */
tm_status tmi_side_new(tm_patch *patch, int side, const uint32_t num[TMI_GROUPS + 1], const uint32_t *layers,
                       tm_error *error);
tm_status tmi_side_of_map(tm_patch *patch, int side, const tm_map *map, tm_error *error);
tm_status tmi_patch_pairs(tm_patch *patch, tm_error *error);
/* Memory that lives with the patch. */
tm_status tmi_patch_alloc(tm_patch *patch, void *out, size_t count, size_t size, tm_error *error);
tm_status tmi_patch_text(tm_patch *patch, const char **out, const char *text, tm_error *error);
/* Appends a blank change; the pointer lives until the next one. */
tm_status tmi_patch_add(tm_patch *patch, tmi_delta **out, tmi_delta_type type, tmi_list list, uint32_t before,
                        uint32_t after, tm_error *error);
/* Appends a copy of a change of another patch. */
tm_status tmi_patch_add_copy(tm_patch *patch, const tm_patch *from, const tmi_delta *delta, tm_error *error);
/* Gives back what a change owns beside the patch's memory. */
void tmi_delta_release(tm_patch *patch, tmi_delta *delta);
/* The order in which changes stand: by object, then by field or element. 0: both are about the same thing. */
int tmi_delta_compare(const tmi_delta *a, const tmi_delta *b);
tm_status tmi_patch_sort(tm_patch *patch, tm_error *error);
/* Gives a change the content of an object of a map. */
tm_status tmi_delta_take(tm_patch *patch, tmi_delta *delta, int side, const tm_map *map, const void *object,
                         tm_error *error);
/* The layers of a group BEFORE and of the one AFTER that it is paired with; false if there is none. */
bool tmi_span_of_group(tmi_span *out, const tm_patch *patch, uint32_t before);
/* Group and index in it of a layer. */
uint32_t tmi_layer_index(const tmi_side *side, uint32_t number);
tm_address tmi_side_address(const tmi_side *side, tmi_list list, uint32_t number);
/* Sets `used` of all labels that the changes need. */
void tmi_patch_mark_labels(tm_patch *patch);
/* Finds the regions of a grid, when its runs are all there. */
tm_status tmi_grid_find_regions(tm_patch *patch, tmi_grid *grid, tm_error *error);

typedef union tmi_any_element {
    tm_envelope_point point;
    tm_quad quad;
    tm_sound_source source;
    tm_old_source old;
} tmi_any_element;
/* Moves a quad or a source. */
void tmi_element_move(tmi_any_element *element, tm_owner owner, const int32_t tiles[2]);
/* Finds what stands around the runs of a grid of layers that kept its size and place; no runs: its middle. */
tm_status tmi_grid_find_around(tm_patch *patch, tmi_grid *grid, const uint8_t *const bytes[2],
                               tm_error *error);

/* Keeps of the game layer by what elements and objects of the patch find their places, if there are any. */
tm_status tmi_patch_keep_game(tm_patch *patch, const tm_map *const map[2], tm_error *error);

/* Words as in tm_filter_options: whether they name a change, and whether all of them mean something. */
bool tmi_words_choose(const char *words, const tm_patch *patch, const tmi_delta *delta);
tm_status tmi_words_check(const char *words, const tm_patch *patch, tm_error *error);

/* Whether a change is one of the race; of tiles in part, which tmi_grid_keep_race then keeps. */
tm_status tmi_delta_in_race(bool *acts, const tm_patch *patch, const tmi_delta *delta, tm_error *error);
/* `numbers`: what tmi_find_renumbering has found; NULL: nothing. */
tm_status tmi_grid_keep_race(tm_patch *patch, tmi_grid *grid, tm_layer_kind kind, const uint8_t *numbers,
                             tm_error *error);
/* A tile of the tele layer that leads somewhere, or where such lead, by its number; no checkpoint. */
bool tmi_is_teleporter(uint8_t type);
/*
 * Whether all teleporters of the map before the patch got other numbers one for one: numbers[n] is what n
 * became.
 */
tm_status tmi_find_renumbering(bool *found, uint8_t numbers[256], const tm_patch *patch, const tm_map *before,
                               tm_error *error);

/* ---------------------------------------------------------------------------------------------- matching */

/* Fills in the pairs of a patch whose sides are those of the maps. */
tm_status tmi_match_maps(tm_patch *patch, const tm_map *const map[2], tm_error *error);
/* The object of a map; layers by number. */
const void *tmi_object_at(const tm_map *map, const tmi_side *side, tmi_list list, uint32_t number);

/* --------------------------------------------------------------------------------------------- comparing */

/* Comparing objects of two maps whose references are mapped by pairs. */
typedef struct tmi_differ {
    const tm_map *map[2];
    const tmi_pairs *pairs; /* of images, sounds and envelopes */
    bool plain;             /* all envelopes have the same index on both sides */
    bool same_data;         /* the data of the objects at hand are known to be the same */
    const tm_layer *layer;  /* at hand, BEFORE; NULL: another object */
    tm_patch *patch;        /* receives the changes */
    tm_error *error;
} tmi_differ;
/* All differences of two objects of one kind, without layers of groups. */
tm_status tmi_diff_objects(tmi_differ *differ, tmi_list list, const uint32_t number[2],
                           const void *const object[2]);
tm_status tmi_diff_elements(tmi_differ *differ, tmi_list list, const uint32_t number[2], tm_owner owner,
                            const char *const elements[2], const uint32_t num[2]);
tm_status tmi_diff_settings(tmi_differ *differ);
tm_status tmi_diff_grid(tmi_differ *differ, tmi_list list, const uint32_t number[2], const tm_field *field,
                        tm_owner owner, const tmi_grid *shape, const uint8_t *const bytes[2]);
/* Tells a change once more, as one with this shift; `bytes` are the layer's, on both sides. */
tm_status tmi_grid_put_shift(tm_patch *patch, tmi_grid *grid, const uint8_t *const bytes[2], int32_t dx,
                             int32_t dy, tm_error *error);
/*
 * While a patch is made: the shift of its maps by their physics layers, looked for when it is first asked
 * for; NULL: none. tmi_map_shift_end lets go of what was unpacked for it.
 */
const tmi_shift *tmi_map_shift(tm_patch *patch, const tm_map *const map[2]);
void tmi_map_shift_end(tm_patch *patch);
/* Where the old content is in a grid of another size. `map` may be NULL; physics layers have its shift. */
void tmi_grid_find_shift(tmi_grid *grid, const uint8_t *const bytes[2], const tmi_shift *map, bool physics,
                         const tm_allocator *allocator);
/* The same in one of the same size; `alone`: so much differs that it may have moved without the map, too. */
bool tmi_grid_was_moved(tmi_grid *grid, const uint8_t *const bytes[2], const tmi_shift *map, bool alone,
                        const tm_allocator *allocator);
/*
 * Physics with nothing in it, and as large as before, went along with a map that was moved: what comes into
 * it later goes there, too. Sets dx and dy.
 */
bool tmi_blank_went_along(const tmi_differ *differ, tmi_grid *grid);
/* Whether a reference BEFORE and one AFTER lead to the same. */
bool tmi_same_reference(const tmi_differ *differ, tm_object object, int64_t before, int64_t after);

/* ------------------------------------------------------------------------- of this library's rooms alone */

#endif
