/* SPDX-License-Identifier: Zlib */
#ifndef TMI_PATCH_H
#define TMI_PATCH_H
/*
 * The internal side of the room: a patch in memory, and the functions that its files share.
 *
 * A patch has two sides, BEFORE and AFTER. What it knows of them is in arrays of two, so inverting a patch
 * exchanges their elements. match.pairs[list].other[side][number] is the number of the same object on the
 * other side. References in a patch are numbers of their own side.
 */
#include <teemap/patch.h>

#include "../match/match.h"

/* What a change is about. */
typedef enum tmi_delta_type {
    TMI_DELTA_OBJECT,  /* an object was added, removed or moved */
    TMI_DELTA_FIELD,   /* a value of a field */
    TMI_DELTA_SETTING, /* a server command */
    TMI_DELTA_ELEMENT, /* an envelope point, quad or sound source */
    TMI_DELTA_GRID,    /* tiles or pixels */
    TMI_DELTA_DATA     /* a whole data block */
} tmi_delta_type;

enum { TMI_SQUARE = 4, TMI_SQUARES_MAX = 24 };

/* Whether a grid has another size, or its content has moved as a whole. */
static inline bool tmi_grid_reshaped(const tmi_grid *grid)
{
    return tmi_grid_resized(grid) || grid->dx || grid->dy;
}
/* Where a side lies, in positions BEFORE. */
static inline tm_rect tmi_grid_rect(const tmi_grid *grid, int side)
{
    return side == TMI_BEFORE
               ? (tm_rect){0, 0, grid->width[TMI_BEFORE], grid->height[TMI_BEFORE]}
               : (tm_rect){-grid->dx, -grid->dy, grid->width[TMI_AFTER], grid->height[TMI_AFTER]};
}

/* A change. The members after `number` have a meaning only for the types that they name. */
typedef struct tmi_delta {
    tmi_delta_type type;
    tm_kind list;
    uint32_t number[2]; /* of the object; TMI_NOWHERE on the side that does not have it */
    tm_kind owner;      /* owner of the field; ELEMENT: of the element; SETTING: TM_KIND_INFO */
    const tm_field *field;
    uint32_t index;       /* FIELD: index of the value */
    bool moved;           /* ELEMENT, SETTING: its order among the others has changed */
    tm_value value[2];    /* FIELD */
    void *content[2];     /* OBJECT: the struct of an added (AFTER) or removed (BEFORE) object */
    uint32_t at[2];       /* ELEMENT, SETTING: its index; TMI_NOWHERE: this side does not have it */
    const void *bytes[2]; /* ELEMENT: its struct; SETTING: its text; NULL: this side does not have it */
    tm_block *block[2];   /* DATA */
    tmi_grid *grid;       /* GRID */
} tmi_delta;

struct tm_patch {
    tm_allocator allocator; /* `resize` NULL: malloc */
    tmi_match match;        /* the sides and their pairs; its arena owns what has no other owner */
    tm_map *home;           /* an empty map that owns the blocks and texts of changes */
    uint64_t told;          /* while the patch is made: bytes of the runs of its grids so far */
    /*
     * The size of the game layer and squares of its tiles. They tell where an extended or cropped map has its
     * old content, which changes of elements and whole objects need. NULL: not known.
     */
    tmi_grid *game;
    tmi_delta *deltas;
    size_t num, capacity;
};

/* The bytes that a patch holds: its changes, and what they point to, but for the contents of objects. */
static inline uint64_t tmi_patch_held(const tm_patch *patch)
{
    return patch->match.arena.taken + patch->num * sizeof(*patch->deltas);
}

static inline const tm_allocator *tmi_patch_allocator(const tm_patch *patch)
{
    return patch->match.allocator;
}
/* Whether a change is about a value that a side could not read: it cannot be applied or written. */
static inline bool tmi_delta_is_unread(const tmi_delta *delta)
{
    return delta->type == TMI_DELTA_FIELD &&
           (delta->value[TMI_BEFORE].unread || delta->value[TMI_AFTER].unread);
}
/* Whether it is about the server commands, one of them or all. */
static inline bool tmi_delta_is_of_settings(const tmi_delta *delta)
{
    return delta->type == TMI_DELTA_SETTING || (delta->field && delta->field->type == TM_TYPE_TEXTS);
}
/* Makes a patch without sides and changes. */
tm_status tmi_patch_new(tm_patch **out, const tm_patch_options *options, tm_error *error);
/* Makes a patch with the same sides and pairs, and without changes. */
tm_status tmi_patch_like(tm_patch **out, const tm_patch *patch, tm_error *error);
/* Allocate zeroed memory, and copy a text, for the lifetime of the patch. */
static inline tm_status tmi_patch_alloc(tm_patch *patch, void *out, size_t count, size_t size,
                                        tm_error *error)
{
    return tmi_take(&patch->match.arena, out, count, size, error);
}
static inline tm_status tmi_patch_text(tm_patch *patch, const char **out, const char *text, tm_error *error)
{
    return tmi_take_text(&patch->match.arena, out, text, error);
}
/* Copy bytes (NULL stays NULL), and a value with its text, for the lifetime of the patch. */
tm_status tmi_patch_copy(tm_patch *patch, void *out /* T ** */, const void *bytes, size_t size,
                         tm_error *error);
tm_status tmi_patch_value(tm_patch *patch, tm_value *out, const tm_value *value, tm_error *error);
/* Appends an empty change; *out is valid until the next one is appended. */
tm_status tmi_patch_add(tm_patch *patch, tmi_delta **out, tmi_delta_type type, tm_kind list,
                        const uint32_t number[2], tm_error *error);
/* Appends a copy of a change of another patch. */
tm_status tmi_patch_add_copy(tm_patch *patch, const tm_patch *source, const tmi_delta *delta,
                             tm_error *error);
/* The kind of the layer that a change is about; TM_LAYER_UNKNOWN: it is not about a layer. */
tm_layer_kind tmi_delta_layer_kind(const tm_patch *patch, const tmi_delta *delta);
/* Releases the contents and blocks of a change; the rest is freed with the patch. */
void tmi_delta_release(tm_patch *patch, tmi_delta *delta);
/* The order of changes: by object, then by field or element. 0: both are about the same thing. */
int tmi_delta_compare(const void *a, const void *b);
void tmi_patch_sort(tm_patch *patch);
/* Copies an object of a map into a change, as its content. */
tm_status tmi_delta_set_content(tm_patch *patch, tmi_delta *delta, int side, const tm_map *map,
                                const void *object, tm_error *error);
/* Ends making a patch: hands it to the caller, or frees it on failure. Returns `status`. */
tm_status tmi_patch_give(tm_patch **out, tm_patch *patch, tm_status status);
/* Sets `used` of the labels of all objects that changes are about or refer to. */
void tmi_patch_mark_labels(tm_patch *patch);
/* For lines of text: an object's place, and its name if it has one: "group 2, layer 3 'Deco'". */
void tmi_line_object(tmi_line *out, const tm_address *address, const char *name);
/* What became of an object, behind its place: " added", ": clip.x 0 -> 8". */
void tmi_line_change(tmi_line *out, const tm_patch_change *change);
/* ": 50 x 50 -> 60 x 50 with the old 0,0 at 10,0"; of an unchanged size `moved` and the distance. */
void tmi_line_shift(tmi_line *out, const tm_map_shift *shift, const char *moved);
/* The last word of an owner, as "quad"; and a value, cut with "..." if it is too long. */
const char *tmi_element_word(tm_kind owner);
void tmi_value_cut(char *text, size_t size, const tm_field *field, const tm_value *value);
/* Adds a tile to a line, "type 26, number 5": its first fields `always`, others if they are not 0. */
void tmi_line_tile(tmi_line *out, tm_kind owner, const uint8_t *bytes, size_t always);
/* The n-th run in public form; false, and zeroed, if there is none or `grid` is NULL. */
bool tmi_grid_run_at(tm_run *out, const tmi_grid *grid, uint32_t run);
/* Makes a grid like another one, without runs, but with room for so many and their elements. */
tm_status tmi_grid_new(tm_patch *patch, tmi_grid **out, const tmi_grid *model, size_t runs, size_t elements,
                       tm_error *error);
/* Appends a part of a run to a grid, which has room for it. Both grids may share their bytes. */
void tmi_grid_append(tmi_grid *target, const tmi_grid *source, const tmi_grid_run *run, uint32_t skip,
                     uint32_t num);
/* Sets the regions of a grid, and how many of its elements are outside of each side, from its runs. */
tm_status tmi_grid_find_regions(tm_patch *patch, tmi_grid *grid, tm_error *error);

/* Adds the changes of a patch to a report; with `fits` (may be NULL) only those that fit. */
struct tmi_fit;
void tmi_patch_report(tm_report *report, const char *operation, const tm_patch *patch,
                      const struct tmi_fit *fits);
/* Bytes of a pixel of an image. */
static inline uint32_t tmi_pixel_size(const tm_image *image)
{
    return image->format == TM_IMAGE_RGB ? 3 : 4;
}
/* Width and height of a tile layer or an image. */
void tmi_grid_size(uint32_t *width, uint32_t *height, tm_kind list, const void *object);
/* The objects of a base and two versions of it, and of the result of merging them. */
typedef struct tmi_objects {
    tmi_threeway list[TMI_LISTS];
    const tmi_side *side[TMI_VERSIONS];
    uint32_t *group_of;    /* by id of a layer: id of its group in the result */
    uint32_t *first_layer; /* by number of a group in the result: number of its first layer; and the end */
} tmi_objects;
/* Gives ids to the objects of a list: tmi_threeway_new. */
tm_status tmi_objects_ids(tmi_objects *objects, tm_kind list, const int32_t *const sources[TMI_VERSIONS],
                          const tmi_pairs *cross, tmi_arena *arena, tm_error *error);
/*
 * Puts the objects of a list that are not gone in order: list[list].order and .final. The groups come before
 * the layers, for which group_of is set and first_layer is made. `model` has keys and clash only.
 */
tm_status tmi_objects_order(tmi_objects *objects, tm_kind list, const tmi_part *model, tmi_arena *arena,
                            tm_error *error);
/* Arranges a clone of ours like the result; the objects that only theirs has are new ones there. */
tm_status tmi_objects_arrange(const tmi_objects *objects, tm_map *map, tmi_arena *arena, tm_error *error);
/* The address of an object in the result, and the struct in its map; false and NULL if it is not there. */
bool tmi_objects_address(const tmi_objects *objects, tm_kind list, uint32_t id, tm_address *address);
void *tmi_objects_struct(const tmi_objects *objects, tm_map *map, tm_kind list, uint32_t id);
/* The number in the result of an object of a version; a number without an object stays as it is. */
int32_t tmi_objects_reference(const tmi_objects *objects, int version, tm_kind object, int64_t number);
/* tmi_objects_reference as a tmi_visit_reference; its context is a tmi_version. */
typedef struct tmi_version {
    const tmi_objects *objects;
    int version;
} tmi_version;
void tmi_objects_bring(void *version, const tm_field *field, int32_t *index);

/* Replaces an object of the result by a copy of one of a version. A group keeps its layers. */
tm_status tmi_put_object(tm_map *map, tm_kind list, void *object, const tm_map *source, const void *original,
                         tmi_version version, tm_error *error);
/* Elements of a layer or an envelope, which lie in `bytes`, or (TM_KIND_INFO) the map's server commands. */
typedef struct tmi_elements {
    char *bytes;
    const void **items;
    uint32_t num;
} tmi_elements;
/* A copy of those of a map's object, for the lifetime of `memory`. */
tm_status tmi_elements_copy(tmi_elements *out, tm_patch *memory, const tm_map *map, tm_kind owner,
                            const void *object, tm_error *error);
/* Replaces the elements of a layer or an envelope, or (TM_KIND_INFO) the server commands of the map. */
tm_status tmi_put_elements(tm_map *map, tm_kind owner, void *object, const void *const *items, uint32_t num,
                           tm_error *error);
/* For looking around a place: 0, 1, -1, 2, -2, ... */
static inline int64_t tmi_outward(int64_t i)
{
    return i & 1 ? (i + 1) / 2 : -(i / 2);
}
/* Moves a quad or a source by a number of tiles. */
void tmi_element_move(tmi_any_element *element, tm_kind owner, const int32_t tiles[2]);
/*
 * Sets `surroundings` of a grid with one size and place: squares near its runs; without runs, near its
 * middle.
 */
tm_status tmi_grid_find_around(tm_patch *patch, tmi_grid *grid, const uint8_t *const bytes[2],
                               tm_error *error);

/* Sets patch->game, if the patch has changes that need it. */
tm_status tmi_patch_set_game(tm_patch *patch, const tm_map *const map[2], tm_error *error);

/* For tm_filter_options.words: whether they select a change, and whether all of them are known. */
bool tmi_words_choose(const char *words, const tm_patch *patch, const tmi_delta *delta);
tm_status tmi_words_check(const char *words, const tm_patch *patch, tm_error *error);

/* Whether a change affects gameplay. Of tiles, tmi_grid_keep_race then removes those that do not. */
tm_status tmi_delta_in_race(bool *acts, const tm_patch *patch, const tmi_delta *delta, tm_error *error);
/* `numbers` is from tmi_find_renumbering; NULL: teleporters kept their numbers. */
tm_status tmi_grid_keep_race(tm_patch *patch, tmi_grid *grid, tm_layer_kind kind, const uint8_t *numbers,
                             tm_error *error);
/*
 * Whether the patch only renumbers the teleporters of the map, one to one. numbers[n] is then the new number
 * of n; 0: unchanged.
 */
tm_status tmi_find_renumbering(bool *found, uint8_t numbers[256], const tm_patch *patch, const tm_map *before,
                               tm_error *error);

/* --------------------------------------------------------------------------------------------- comparing */

/* The state of comparing objects of two maps, whose references are equal if they lead to paired objects. */
typedef struct tmi_differ {
    const tm_map *map[2];
    const tmi_pairs *pairs; /* of images, sounds and envelopes */
    bool plain;             /* all envelopes have the same index on both sides */
    bool same_data;         /* the data of the current objects are known to be equal */
    /* The current object: */
    tm_kind list;
    uint32_t number[2];
    const tm_layer *layer; /* BEFORE; NULL: not a layer */
    tm_patch *patch;       /* receives the changes */
    tm_error *error;
} tmi_differ;
/* Whether a reference BEFORE and one AFTER lead to paired objects, or are equal and lead to none. */
bool tmi_same_reference(const tmi_differ *differ, tm_kind object, int64_t before, int64_t after);
/* Whether two objects differ in nothing; the changes stay in the patch, which is there for its memory. */
tm_status tmi_same_objects(bool *is_same, tmi_differ *differ, tm_kind list, const void *const object[2]);
/* Adds a change of the current objects. */
tm_status tmi_differ_add(tmi_differ *differ, tmi_delta **out, tmi_delta_type type, tm_kind owner,
                         const tm_field *field);
/* Add the differences of two lists of elements (TM_KIND_INFO: server commands), and of two grids. */
tm_status tmi_diff_elements(tmi_differ *differ, tm_kind owner, const char *const elements[2],
                            const uint32_t num[2]);
tm_status tmi_diff_grid(tmi_differ *differ, tm_kind owner, const tm_field *field, const tmi_grid *shape,
                        const uint8_t *const bytes[2]);
/*
 * An empty physics layer of unchanged size moves with its map, so that what is added to it later is moved as
 * well. Sets dx and dy of the grid; false if this is not such a layer.
 */
bool tmi_blank_went_along(const tmi_differ *differ, tmi_grid *grid);
/*
 * Whether a field has changes of its own. Counts and sizes follow from what they count, and blocks are
 * compared as grids, lists or data.
 */
bool tmi_field_in_patch(const tm_field *field);

/*
 * Whether no game uses the difference: values of an envelope point in channels that the envelope does not
 * have, or tangents without a Bezier curve. Editors leave random memory there. False if a map is NULL.
 */
bool tmi_patch_change_is_noop(const tm_patch_change *change, const tm_map *before, const tm_map *after);

#endif
