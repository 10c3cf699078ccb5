/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_PATCH_H
#define TEEMAP_PATCH_H
/*
 * teemap/patch.h - the differences between two maps as data: a patch that can be inspected, applied,
 * inverted, filtered, joined, written and read. No files. docs/compare.md explains it.
 *
 *     tm_patch *patch;
 *     status = tm_patch_make(&patch, old_map, new_map, NULL, &error);
 *     for (uint32_t i = 0; i < tm_patch_num(patch); i++) {
 *         tm_patch_change change;
 *         char line[256];
 *         tm_patch_at(&change, patch, i);
 *         tm_patch_change_format(&change, line, sizeof(line));
 *         puts(line);
 *     }
 *     status = tm_patch_apply(old_map, patch, NULL, NULL, &error); // old_map now equals new_map
 *     tm_patch_free(patch);
 *
 * Objects of the two maps are matched first, by kind, name, content and place. So an inserted layer, a moved
 * group, a renamed image or a new order is one change, not a change of everything after it. References are
 * equal if they refer to matching objects, whatever their indices.
 *
 * A patch contains what tm_map_equal compares: a patch of equal maps is empty, and applied to a map equal to
 * the first it gives one equal to the second. Content outside the model is not compared; see
 * tm_mapfile_compare_unknown (teemap/mapfile.h). Values that could not be read (tm_field_unread) and are not
 * known to have the same bytes are changes that fit no map.
 *
 * Threads: a patch is constant; several threads may use it at once.
 */
#include <teemap/fields.h>
#include <teemap/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque. Does not need the maps from which it was made; packed data keep their file open. */
typedef struct tm_patch tm_patch;

typedef struct tm_patch_options {
    size_t size; /* sizeof(tm_patch_options) */
    /*
     * For data that a patch holds; default: all defaults. Both versions of a block may take 3/8 of
     * `unpacked_bytes` together (768 MiB), and all differing tiles 1/8 (256 MiB: 30 million); above that,
     * TM_ERROR_LIMIT.
     */
    const tm_limits *limits;
    const tm_allocator *allocator; /* default: malloc; must outlive the patch */
} tm_patch_options;
#define TM_PATCH_OPTIONS_INIT                \
    {                                        \
        sizeof(tm_patch_options), NULL, NULL \
    }

/*
 * Makes the patch from one map to another. Data with equal packed bytes are not unpacked. Fails like
 * tm_map_data, with the object as place.
 */
TM_API tm_status tm_patch_make(tm_patch **out, const tm_map *before, const tm_map *after,
                               const tm_patch_options *options, tm_error *error);
TM_API void tm_patch_free(tm_patch *patch);

/* ---------------------------------------------------------------------------------------------- changes */

typedef enum tm_change_kind {
    TM_CHANGE_ADDED,   /* an object only exists AFTER */
    TM_CHANGE_REMOVED, /* an object only existed BEFORE */
    TM_CHANGE_MOVED,   /* an object has a new place in the order, or a layer another group */
    TM_CHANGE_FIELD,   /* a field has another value */
    TM_CHANGE_SETTING, /* a server command was added, removed, changed or moved */
    TM_CHANGE_ELEMENT, /* the same for an envelope point, a quad or a sound source */
    TM_CHANGE_TILES,   /* tiles of a layer, its size, or both */
    TM_CHANGE_PIXELS,  /* pixels of an image of the same size */
    TM_CHANGE_DATA     /* data as a whole: a sound, pixels of another size */
} tm_change_kind;
/* "added", "removed", ...; NULL for another number. */
TM_API const char *tm_change_kind_name(tm_change_kind kind);

/* One change. Its pointers are borrowed from the patch. */
typedef struct tm_patch_change {
    tm_change_kind kind;
    tm_address before, after; /* of the object on both sides; equal if it exists on one side only */
    bool in_before, in_after; /* the object exists */
    const char *name;         /* of the object, AFTER if it exists; "" if it has none */
    tm_layer_kind layer_kind; /* of layers */
    int32_t from_group;       /* for layers: the old group, by its index AFTER; TM_NONE: none */
    tm_kind owner;            /* owner of the field, or kind of element */
    const tm_field *field;    /* FIELD, TILES, PIXELS, DATA; else NULL */
    uint32_t index;           /* FIELD: index of the value */
    tm_value value[2];        /* FIELD: BEFORE and AFTER; references are indices of their side */
    const char *refers[2];    /* FIELD with a reference: the name of the object; NULL: none */
    /* SETTING, ELEMENT: its positions; TM_NO_ELEMENT: does not exist. `moved`: its order has changed. */
    uint64_t element[2];
    bool moved;
    const char *text[2];     /* SETTING; NULL: does not exist */
    const void *elements[2]; /* ELEMENT: tm_quad and the like by `owner`, unaligned; NULL: does not exist */
    /* TILES, PIXELS */
    uint32_t width[2], height[2];
    int32_t dx, dy;        /* new position of the old top left one */
    uint64_t num;          /* number of differing ones */
    uint64_t num_cut;      /* of these, without a place AFTER */
    uint64_t num_new;      /* of these, without a place BEFORE */
    uint32_t element_size; /* bytes of one */
    uint32_t num_runs, num_regions;
    const tm_region *regions; /* rectangles of nearby differences, in positions BEFORE */
    uint64_t size[2];         /* DATA: bytes; 0 also if there are none */
} tm_patch_change;

TM_API uint32_t tm_patch_num(const tm_patch *patch);
/* False after the last one. Removed objects come first, then the others in their order AFTER. */
TM_API bool tm_patch_at(tm_patch_change *out, const tm_patch *patch, uint32_t index);

/* Consecutive differing tiles or pixels of a row; those outside a side are zero there. */
typedef struct tm_run {
    int32_t x, y; /* positions BEFORE; AFTER: x + dx, y + dy */
    uint32_t num;
    const void *before, *after; /* `num` elements of element_size bytes, unaligned */
} tm_run;
/* The runs of a change of kind TILES or PIXELS; false after the last one, and for other changes. */
TM_API bool tm_patch_run(tm_run *out, const tm_patch *patch, uint32_t change, uint32_t run);

/*
 * The position of the old map in the new one, from its game layer: maps are extended, cropped and moved as a
 * whole.
 */
typedef struct tm_map_shift {
    int32_t dx, dy;               /* tiles: new position of the old top left one */
    uint32_t width[2], height[2]; /* of the game layer BEFORE and AFTER */
} tm_map_shift;
/* False: the map has its old size and position. */
TM_API bool tm_patch_shift(tm_map_shift *out, const tm_patch *patch);
/*
 * Whether a change is only part of the map's shift: a layer that was extended, cropped or moved like the map,
 * without other changes except in the cropped and new parts; a quad or source that moved by the same
 * distance.
 */
TM_API bool tm_patch_change_is_shift(const tm_patch_change *change, const tm_map_shift *shift);
/*
 * One line: "layer 1/3 'Freeze': 12 tiles in 2 places", "image 4 'grass_main' added".
 */
TM_API size_t tm_patch_change_format(const tm_patch_change *change, char *buffer, size_t size);

/* ----------------------------------------------------------------------------------------------- in words */

typedef struct tm_tell_options {
    size_t size; /* sizeof(tm_tell_options) */
    /* The maps of the patch. Default NULL: differences that no game uses are reported like others. */
    const tm_map *before, *after;
    uint64_t num_unread; /* differences in unread parts (tm_mapfile_compare_unknown), for the first line */
    bool sum_only;       /* only the first line */
    bool all;            /* a line for each change, and for each place in it */
    bool tiles;          /* with `all`: a line for each tile and pixel */
    bool kinds;          /* for physics layers: which tiles became which */
    bool markdown;       /* a paragraph and a list, with names escaped; else plain lines */
} tm_tell_options;
#define TM_TELL_OPTIONS_INIT                                                      \
    {                                                                             \
        sizeof(tm_tell_options), NULL, NULL, 0, false, false, false, false, false \
    }
/*
 * Writes a patch as text for people, UTF-8 without control characters: a line with the numbers of changes,
 * then a line for each object, or one for several objects with the same changes (docs/compare.md).
 */
TM_API tm_status tm_patch_tell(const tm_patch *patch, const tm_tell_options *options, const tm_output *output,
                               tm_error *error);
/*
 * Which tiles became which in a change of physics tiles: "air -> freeze 12, solid -> air 3"; "" for other
 * changes. `area`: only this part of the old map; NULL: all. 1024 bytes are enough.
 */
TM_API tm_status tm_patch_tell_tiles(char *buffer, size_t size, const tm_patch *patch, uint32_t change,
                                     const tm_rect *area, tm_error *error);

/* ----------------------------------------------------------------------------------------------- applying */

typedef struct tm_apply_options {
    size_t size; /* sizeof(tm_apply_options) */
    /* Default false: all or nothing. True: skip what does not fit. */
    bool partial;
} tm_apply_options;
#define TM_APPLY_OPTIONS_INIT           \
    {                                   \
        sizeof(tm_apply_options), false \
    }

/*
 * Applies a patch to its original map or a similar one. Objects are searched at their old place and by name.
 * A change fits if the map still has the old content; elements and settings may have moved, and in a map that
 * was extended or cropped, tiles move with the tiles around them. What does not fit is a finding in the
 * report: patch-object (the object does not exist), patch-value (it differs from the expected state). Unless
 * `partial`, any of these leaves the map unchanged: TM_ERROR_UNSUPPORTED. Changes are added to `report`,
 * which may be NULL. Pointers into the map become invalid.
 */
TM_API tm_status tm_patch_apply(tm_map *map, const tm_patch *patch, const tm_apply_options *options,
                                tm_report *report, tm_error *error);

/* ----------------------------------------------------------------------------------- patches from patches */

/* The inverse patch. */
TM_API tm_status tm_patch_invert(tm_patch **out, const tm_patch *patch, tm_error *error);

typedef struct tm_filter_options {
    size_t size; /* sizeof(tm_filter_options) */
    /*
     * Words separated by commas; NULL: everything. map info settings images sounds envelopes groups layers;
     * tiles quads and other kinds of layers; design physics; an address of either side: 2 2/3 image/4.
     * "@X,Y+WxH" after the last one sets the region below.
     */
    const char *words;
    /*
     * Only tiles in this rectangle, and quads and sources with their center in it; in tiles of the old map.
     * Width or height 0: all.
     */
    tm_rect region;
    /*
     * Only what affects gameplay: tiles with an effect, sizes of physics layers, server commands. A tile
     * without effect equals none, and flags and numbers only count if the tile uses them.
     */
    bool race;
    /*
     * With `race`: the old map of the patch. If its teleporters were renumbered one to one, they lead to the
     * same places, and this is not reported. Default NULL: each is reported.
     */
    const tm_map *before;
} tm_filter_options;
#define TM_FILTER_OPTIONS_INIT                                     \
    {                                                              \
        sizeof(tm_filter_options), NULL, {0, 0, 0, 0}, false, NULL \
    }
/* A part of a patch. TM_ERROR_USAGE names an unknown word. */
TM_API tm_status tm_patch_filter(tm_patch **out, const tm_patch *patch, const tm_filter_options *options,
                                 tm_error *error);
/*
 * All changes of two filtered parts of a patch; common changes once. TM_ERROR_USAGE for patches of different
 * maps.
 */
TM_API tm_status tm_patch_union(tm_patch **out, const tm_patch *first, const tm_patch *second,
                                tm_error *error);

/* ------------------------------------------------------------------------------------------------ as JSON */

/*
 * Writes a patch as JSON, as described in docs/compare.md. TM_ERROR_UNSUPPORTED if a change is about a value
 * that could not be read (tm_field_unread): only its own file has it.
 */
TM_API tm_status tm_patch_write(const tm_patch *patch, const tm_output *output, tm_error *error);
/*
 * Reads a patch. TM_ERROR_DAMAGED has the position and the reason; TM_ERROR_LIMIT if it exceeds the limits.
 */
TM_API tm_status tm_patch_read(tm_patch **out, const void *bytes, size_t size,
                               const tm_patch_options *options, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
