/* SPDX-License-Identifier: Zlib */
#ifndef TMI_EDIT_H
#define TMI_EDIT_H
/*
 * What the operations of this room share. Each operation is a function on a clone of the map, which it may
 * leave half done when it fails: the caller then discards the clone (run_edit.c).
 */
#include <teemap/edit.h>
#include <teemap/fields.h>

#include "../base/base.h"
#include "../query/query.h"

/* An argument, read by its type. */
typedef struct tmi_edit_value {
    const char *text;       /* as given; NULL: left out */
    uint32_t number;        /* CHOICE: which one; PLACE: the index (UINT32_MAX: end) */
    int32_t x, y;           /* of POINT, REGION, LAYERS in tiles; x of NUMBER the number; of FACTOR x / y */
    uint32_t width, height; /* of SIZE, REGION, LAYERS; 0 of LAYERS without a region */
    size_t set_size;        /* of LAYERS: bytes of the text that are the set */
} tmi_edit_value;

/* An operation at work. */
typedef struct tmi_edit {
    tm_map *map; /* the clone */
    const tm_edit_operation *operation;
    tm_kind kind;                 /* of the operation's row */
    const tmi_edit_value *values; /* at least one per row; omitted arguments have no text */
    uint32_t num_values;          /* up to the last one that was given */
    const tm_edit_options *options;
    tm_report *report;
    const tm_allocator *scratch; /* memory until the operation, or the work on one object, ends */
    /* In tmi_edit_each: the argument that selects the object at work; NULL: all objects are selected. */
    const tmi_edit_value *value;
    bool asked; /* the argument names this object alone */
    void *ctx;  /* in tmi_edit_each: the caller's */
} tmi_edit;

typedef tm_status tmi_edit_function(tmi_edit *edit, tm_error *error);
/* Changes an object. */
typedef tm_status tmi_edit_work(tmi_edit *edit, const tm_address *address, tm_error *error);
/* An operation of the table and its function: it runs once, or for each given object of a kind. */
typedef struct tmi_edit_row {
    tm_edit_operation public;
    tmi_edit_function *run;
    tmi_edit_work *work;
    tm_kind kind;
} tmi_edit_row;
const tmi_edit_row *tmi_edit_row_of(const tm_edit_operation *operation);

/*
 * Reads arguments without looking at a map; `values` has room for num + TM_EDIT_ARGUMENTS. The value of a row
 * is at its index. A word that does not fit an optional argument is read as the next one.
 */
tm_status tmi_edit_parse_values(tmi_edit_value *values, uint32_t *num_values,
                                const tm_edit_operation *operation, const char *const *arguments,
                                uint32_t num, tm_error *error);

/* -------------------------------------------------------------------------------------------- running */

/* An operation with its arguments. */
typedef struct tmi_edit_step {
    const tm_edit_operation *operation;
    const char *const *arguments;
    uint32_t num;
    uint32_t line; /* of a script, from 1; 0: none */
} tmi_edit_step;
/* Runs it; if it fails, the map is unusable. */
tm_status tmi_edit_run_step(tm_map *map, const tmi_edit_step *step, const tm_edit_options *options,
                            tm_report *report, tm_error *error);

/* ------------------------------------------------------------------------------------------ reporting */

/* Adds a change at an object as it is now. */
void tmi_edit_changed(tmi_edit *edit, tm_address address, uint64_t count, const char *format, ...)
    TMI_PRINTF(4, 5);
/* Adds a finding at an object. */
void tmi_edit_report(tmi_edit *edit, tm_finding_id id, tm_address address, const char *format, ...)
    TMI_PRINTF(4, 5);

/* Objects that stay as they are, since what was asked for does not fit: the first, and how many. */
typedef struct tmi_edit_unmoved {
    uint64_t num;
    uint32_t first;
    tm_error reason;
} tmi_edit_unmoved;
/* Whether a status is that of an object that stays, which is noted; `reason` came with it. */
bool tmi_edit_stays(tmi_edit_unmoved *unmoved, tm_status status, const tm_error *reason, uint32_t index);
/* Adds the finding about the quads or sources of a layer; none if all were moved. */
void tmi_edit_report_unmoved(tmi_edit *edit, const tm_address *address, const tmi_edit_unmoved *unmoved);

/* Reports that another image or sound has the name of the one at the address, if one has. */
void tmi_edit_report_name_taken(tmi_edit *edit, tm_address address);

/* -------------------------------------------------------------------------------------------- objects */

static const tm_address tmi_whole_map = {TM_KIND_MAP, 0, 0};
static inline tm_address tmi_edit_address(tm_kind kind, uint32_t index, uint32_t layer)
{
    return (tm_address){kind, index, layer};
}
/* The object's struct, and whose fields it has; NULL for items, data and the settings. */
void *tmi_edit_struct_at(tm_map *map, const tm_address *address, tm_kind *owner);

/* The objects that a text selects, in the map's order. This list and those below are in the scratch. */
typedef struct tmi_edit_objects {
    tm_address *list;
    size_t num, capacity;
    const tm_allocator *allocator;
} tmi_edit_objects;
/*
 * Reads an address, which may have * in names or ranges of indices; an address that leads nowhere is read as
 * a set of layers. If it may select several objects and selects none, the list is empty; otherwise
 * TM_ERROR_NOT_FOUND.
 */
tm_status tmi_edit_objects_find(tmi_edit_objects *out, const tmi_edit *edit, const char *text,
                                tm_error *error);
/* Reads an address as tmi_edit_objects_find does, and reports an empty list as the finding no-match. */
tm_status tmi_edit_objects_fitting(tmi_edit_objects *out, tmi_edit *edit, const char *text, tm_error *error);
/* The layers that `size` bytes of a text select: a mark for each layer, and one more. */
tm_status tmi_edit_choose_layers(tm_layer_choice **out, const tmi_edit *edit, const char *set, size_t size,
                                 tm_error *error);
/* The layers of an argument (TM_EDIT_LAYERS), in the map's order; all of the map if it was left out. */
tm_status tmi_edit_layers_find(tmi_edit_objects *out, const tmi_edit *edit, const tmi_edit_value *value,
                               tm_error *error);

/*
 * Calls `work` for the objects that the arguments of type objects or layers select, or for all objects if
 * these arguments are optional and omitted. They must be of the kind; TM_KIND_MAP accepts any. A selection
 * without objects is the finding no-match. A failure is reported with the object's address. The work finds
 * `ctx` in edit->ctx.
 */
tm_status tmi_edit_each(tmi_edit *edit, tm_kind kind, tmi_edit_work *work, void *ctx, tm_error *error);
/* Calls `work` as tmi_edit_each does, for all objects of a kind, whatever the arguments are. */
tm_status tmi_edit_each_of_map(tmi_edit *edit, tm_kind kind, tmi_edit_work *work, void *ctx, tm_error *error);
/* The layer that an address leads to. */
static inline tm_layer *tmi_edit_layer_at(const tmi_edit *edit, const tm_address *address)
{
    return &edit->map->groups[address->index].layers[address->layer];
}
/* The tiles of a design layer; none for other layers and layers that cannot be read. */
tm_status tmi_edit_design_grid(tm_grid *grid, const tm_map *map, const tm_address *address, tm_error *error);

static inline const uint8_t *tmi_edit_tile(const tm_grid *grid, size_t x, size_t y)
{
    return (const uint8_t *)grid->tiles + y * grid->row_stride + x * grid->tile_size;
}
static inline uint8_t *tmi_edit_tile_of(const tm_edit_grid *grid, size_t x, size_t y)
{
    return (uint8_t *)grid->tiles + y * grid->row_stride + x * grid->tile_size;
}
/* The part of a grid that an argument means: all of it without a region. */
tm_rect tmi_edit_part_of(const tmi_edit_value *value, uint32_t width, uint32_t height);

/* Whether a point in fx lies in the region of an argument; always without one. */
bool tmi_edit_region_holds(const tmi_edit_value *value, tm_point point);

/* The quads or sound sources of a layer, one after the other; none of other layers. */
typedef struct tmi_edit_elements {
    const uint8_t *list;
    uint32_t num;
    tm_layer_kind kind;
    size_t size;  /* of one */
    size_t pivot; /* offset of the point that is its position */
} tmi_edit_elements;
tm_status tmi_edit_elements_get(tmi_edit_elements *out, const tm_map *map, const tm_address *address,
                                tm_error *error);
static inline tm_point tmi_edit_pivot(const tmi_edit_elements *elements, uint32_t index)
{
    tm_point pivot;
    memcpy(&pivot, elements->list + index * elements->size + elements->pivot, sizeof(pivot));
    return pivot;
}
/* Changes a copy of an element; with *kept false, which is true before, the element is removed. */
typedef tm_status tmi_edit_change(void *ctx, void *element, bool *kept, tm_error *error);
/*
 * Changes the elements of a layer whose pivot is in the region of the argument at work. *num: how many are
 * others now or gone; a layer in which none is stays as it is in the file.
 */
tm_status tmi_edit_elements_change(uint32_t *num, tmi_edit *edit, const tm_address *address,
                                   tmi_edit_change *change, void *ctx, tm_error *error);

/* Gives all physics layers at least this size, in tiles. */
tm_status tmi_edit_grow_physics(tmi_edit *edit, uint32_t width, uint32_t height, tm_error *error);
/*
 * The layer of a kind that the games use; made next to the game layer if there is none; TM_ERROR_NOT_FOUND
 * without a game layer.
 */
tm_status tmi_edit_need_physics(tmi_edit *edit, tm_layer_kind kind, uint32_t *group, uint32_t *index,
                                tm_error *error);

/* -------------------------------------------------------------------------------------- from outside */

/* A file's bytes (TM_EDIT_FILE), of the scratch. */
tm_status tmi_edit_read(uint8_t **bytes, size_t *num, const tmi_edit *edit, const char *name,
                        tm_error *error);
/* Another map (TM_EDIT_MAP), to be freed by tm_map_free. */
tm_status tmi_edit_open(tm_map **out, const tmi_edit *edit, const char *name, tm_error *error);

/* ----------------------------------------------------------------------------------------------- uses */

/* Visits every reference to objects of a kind, in layers and their elements; also other references of the
   layers. A visitor sees a reference in elements that change twice. */
tm_status tmi_edit_each_use(tm_map *map, tm_kind object, tmi_visit_reference *visit, void *ctx,
                            tm_error *error);

/* ------------------------------------------------------------------------------------- the operations */

/* A row of the table names one of these; each is explained by the row's help. */
tmi_edit_function tmi_edit_set;
tmi_edit_work tmi_edit_rename_at;
tmi_edit_function tmi_settings_add, tmi_settings_remove, tmi_settings_replace, tmi_settings_sort,
    tmi_settings_clear, tmi_settings_from;
tmi_edit_function tmi_edit_add_object, tmi_edit_add_envelope, tmi_edit_add_layer, tmi_edit_add_point,
    tmi_edit_add_quad, tmi_edit_add_source;
tmi_edit_function tmi_edit_remove, tmi_edit_put_at;
tmi_edit_function tmi_clean_all, tmi_clean_objects, tmi_clean_layers, tmi_clean_groups, tmi_join_objects;
tmi_edit_function tmi_clean_unread;
tmi_edit_function tmi_edit_by_uses;
tmi_edit_work tmi_image_dilate, tmi_image_blank_colors, tmi_image_resize, tmi_image_rgba;
tmi_edit_work tmi_quads_change; /* by the operation's name */
tmi_edit_function tmi_quads_knife, tmi_quads_from, tmi_tiles_from;
tmi_edit_work tmi_image_embed, tmi_image_externalize, tmi_image_fill_size, tmi_sound_externalize;
tmi_edit_function tmi_edit_replace_content; /* by the row's kind */
tmi_edit_function tmi_edit_append, tmi_edit_paste;
tmi_edit_work tmi_envelope_scale, tmi_envelope_shift, tmi_envelope_reverse, tmi_envelope_sort,
    tmi_envelope_sync;
tmi_edit_function tmi_envelope_resample;
tmi_edit_function tmi_edit_optimize;
tmi_edit_function tmi_edit_turn, tmi_edit_isolate, tmi_edit_shift, tmi_edit_crop, tmi_edit_extend;
tmi_edit_function tmi_edit_shrink, tmi_edit_scale;
tmi_edit_work tmi_layer_trim, tmi_layer_opaque;
tmi_edit_function tmi_edit_automap;
tmi_edit_function tmi_edit_fill, tmi_edit_clear, tmi_edit_replace;
tmi_edit_function tmi_edit_renumber, tmi_edit_swap_numbers;
tmi_edit_function tmi_edit_construct, tmi_edit_borders, tmi_clean_tiles;
tmi_edit_function tmi_edit_normalize, tmi_edit_migrate_speedups, tmi_edit_zero_unused, tmi_join_physics;

/* ------------------------------------------------------------------------- of this library's rooms alone */

uint32_t tmi_edit_script_num(const tm_edit_script *script);

#endif
