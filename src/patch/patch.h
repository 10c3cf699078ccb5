/* SPDX-License-Identifier: Zlib */
#ifndef TMI_PATCH_H
#define TMI_PATCH_H
/*
 * What the files of this room share: a patch as it lies in memory, and the steps that make one.
 *
 * A patch has two sides, BEFORE and AFTER, and whatever it knows of them stands in arrays of two, so that
 * inverting a patch is exchanging them. Objects are known by list and number: images, sounds, envelopes
 * and groups by their index, layers by their number among the layers of all groups. `other` says which
 * object of one side is which of the other one. References inside a patch are numbers of their own side.
 */
#include <teemap/patch.h>

#include "../match/match.h"

typedef enum tmi_delta_type {
    TMI_DELTA_OBJECT,  /* added, removed or moved */
    TMI_DELTA_FIELD,   /* a value */
    TMI_DELTA_SETTING, /* a line of the settings */
    TMI_DELTA_ELEMENT, /* a point, quad or source */
    TMI_DELTA_GRID,    /* tiles, or pixels */
    TMI_DELTA_DATA     /* data as a whole */
} tmi_delta_type;

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

struct tm_patch {
    tm_allocator allocator; /* `resize` NULL: malloc */
    tmi_match match;        /* its arena holds whatever has no other owner */
    tm_map *home;           /* owns the blocks and texts of contents */
    uint64_t told;          /* while it is made: bytes that the runs of its grids take */
    /*
     * The game layer's size and squares, by which the map is found again when it was extended or cropped;
     * of patches in which elements or whole objects have a place. NULL: not known.
     */
    tmi_grid *game;
    tmi_delta *deltas;
    size_t num, capacity;
};

static inline const tm_allocator *tmi_patch_allocator(const tm_patch *patch)
{
    return patch->match.allocator;
}
/* Bytes that the elements that differ may take, of all blocks. */
uint64_t tmi_patch_room_of_runs(const tm_patch *patch);
/* No side, no change yet. */
tm_status tmi_patch_new(tm_patch **out, const tm_patch_options *options, tm_error *error);
/* A patch with the same sides and pairs, and no change yet. */
tm_status tmi_patch_like(tm_patch **out, const tm_patch *patch, tm_error *error);
/* Memory that lives with the patch. */
static inline tm_status tmi_patch_alloc(tm_patch *patch, void *out, size_t count, size_t size,
                                        tm_error *error)
{
    return tmi_take(&patch->match.arena, out, count, size, error);
}
static inline tm_status tmi_patch_text(tm_patch *patch, const char **out, const char *text, tm_error *error)
{
    return tmi_take_text(&patch->match.arena, out, text, error);
}
/* A copy of bytes, NULL of NULL, and of a value with its text. */
tm_status tmi_patch_copy(tm_patch *patch, void *out /* T ** */, const void *bytes, size_t size,
                         tm_error *error);
tm_status tmi_patch_value(tm_patch *patch, tm_value *out, const tm_value *value, tm_error *error);
/* Appends a blank change; the pointer lives until the next one. */
tm_status tmi_patch_add(tm_patch *patch, tmi_delta **out, tmi_delta_type type, tmi_list list,
                        const uint32_t number[2], tm_error *error);
/* Appends a copy of a change of another patch. */
tm_status tmi_patch_add_copy(tm_patch *patch, const tm_patch *from, const tmi_delta *delta, tm_error *error);
/* The kind of the layer that a change is about; TM_LAYER_UNKNOWN: it is about none. */
tm_layer_kind tmi_delta_layer_kind(const tm_patch *patch, const tmi_delta *delta);
/* Gives back what a change owns beside the patch's memory. */
void tmi_delta_release(tm_patch *patch, tmi_delta *delta);
/* The order in which changes stand: by object, then by field or element. 0: both are about the same thing. */
int tmi_delta_compare(const tmi_delta *a, const tmi_delta *b);
tm_status tmi_patch_sort(tm_patch *patch, tm_error *error);
/* Gives a change the content of an object of a map. */
tm_status tmi_delta_take(tm_patch *patch, tmi_delta *delta, int side, const tm_map *map, const void *object,
                         tm_error *error);
/* Ends the making of a patch: it is the caller's, or at a failure is freed. Returns the status. */
tm_status tmi_patch_give(tm_patch **out, tm_patch *own, tm_status status);
/* Sets `used` of all labels that the changes need. */
void tmi_patch_mark_labels(tm_patch *patch);
/* For lines: "quad", the last word of an owner; a value, which ends in ... where it is too long. */
const char *tmi_element_word(tm_owner owner);
void tmi_value_cut(char *text, size_t size, const tm_field *field, const tm_value *value);
/* The n-th run as callers get it; false, and zero, where there is no grid or no such run. */
bool tmi_grid_run_at(tm_run *out, const tmi_grid *grid, uint32_t run);
/* Appends a part of a run of one grid to another one, which has room; that may be the same bytes before. */
void tmi_grid_append(tmi_grid *to, const tmi_grid *from, const tmi_grid_run *run, uint32_t skip,
                     uint32_t num);
/* Finds the regions of a grid, when its runs are all there. */
tm_status tmi_grid_find_regions(tm_patch *patch, tmi_grid *grid, tm_error *error);

/* What a patch changes, in its words, as done; `fits` (may be NULL) says what of it was. */
struct tmi_fit;
void tmi_patch_report(tm_report *report, const char *operation, const tm_patch *patch,
                      const struct tmi_fit *fits);
/* The columns and rows of a layer of tiles, or of an image. */
void tmi_grid_size(uint32_t *width, uint32_t *height, tmi_list list, const void *object);
/*
 * Makes an object of the map a copy of one of another map; a group keeps its layers, and `bring` changes the
 * references of a layer.
 */
tm_status tmi_put_object(tm_map *map, tmi_list list, void *object, const tm_map *from, const void *in,
                         tmi_visit_reference *bring, void *ctx, tm_error *error);
/* Gives a layer or an envelope these elements, or (TM_OWNER_INFO) the map these commands. */
tm_status tmi_put_elements(tm_map *map, tm_owner owner, void *object, const void *const *items, uint32_t num,
                           tm_error *error);
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
/*
 * Whether all teleporters of the map before the patch got other numbers one for one: numbers[n] is what n
 * became.
 */
tm_status tmi_find_renumbering(bool *found, uint8_t numbers[256], const tm_patch *patch, const tm_map *before,
                               tm_error *error);

/* --------------------------------------------------------------------------------------------- comparing */

/* Comparing objects of two maps whose references are mapped by pairs. */
typedef struct tmi_differ {
    const tm_map *map[2];
    const tmi_pairs *pairs; /* of images, sounds and envelopes */
    bool plain;             /* all envelopes have the same index on both sides */
    bool same_data;         /* the data of the objects at hand are known to be the same */
    /* The object at hand: */
    tmi_list list;
    uint32_t number[2];
    const tm_layer *layer; /* BEFORE; NULL: it is no layer */
    tm_patch *patch;       /* receives the changes */
    tm_error *error;
} tmi_differ;
/*
 * Makes two objects of one kind those at hand, and tells all of their differences, without layers of
 * groups.
 */
tm_status tmi_diff_objects(tmi_differ *differ, tmi_list list, const uint32_t number[2],
                           const void *const object[2]);
/* Adds a change of the objects at hand. */
tm_status tmi_differ_add(tmi_differ *differ, tmi_delta **out, tmi_delta_type type, tm_owner owner,
                         const tm_field *field);
/* Elements, or with TM_OWNER_INFO the settings. */
tm_status tmi_diff_elements(tmi_differ *differ, tm_owner owner, const char *const elements[2],
                            const uint32_t num[2]);
tm_status tmi_diff_grid(tmi_differ *differ, tm_owner owner, const tm_field *field, const tmi_grid *shape,
                        const uint8_t *const bytes[2]);
/*
 * Physics with nothing in it, and as large as before, went along with a map that was moved: what comes into
 * it later goes there, too. Sets dx and dy.
 */
bool tmi_blank_went_along(const tmi_differ *differ, tmi_grid *grid);
/*
 * Whether a field changes by itself: counts and sizes follow from what they count, blocks are compared
 * apart.
 */
bool tmi_field_in_patch(const tm_field *field);

/*
 * Whether no game uses the difference: values of an envelope point in channels that the envelope does not
 * have, or tangents without a Bezier curve. Editors leave random memory there. False if a map is NULL.
 */
bool tmi_patch_change_is_noop(const tm_patch_change *change, const tm_map *before, const tm_map *after);

#endif
