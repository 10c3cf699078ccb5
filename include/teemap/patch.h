/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_PATCH_H
#define TEEMAP_PATCH_H
/*
 * teemap/patch.h - what differs between two maps, as data: a patch, which can be looked at, applied,
 * undone, narrowed, joined, written and read. Knows nothing of files. docs/compare.md teaches it.
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
 * Objects of the two maps are matched first, by what they are: kind, name, content, place. An inserted layer,
 * a moved group, a renamed image or another order is therefore one change, not one of everything behind it.
 * References count as equal when they lead to objects that match, whatever their indices are.
 *
 * What is told is what tm_map_equal looks at: a patch of equal maps is empty, and applied to a map equal to
 * the first it gives one equal to the second. What the model does not hold is not compared:
 * tm_mapfile_compare_unknown (teemap/mapfile.h) tells it.
 *
 * Threads: a patch is constant once made; several threads may use one at once.
 */
#include <teemap/fields.h>
#include <teemap/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque. Needs neither of the maps that it was made from; packed data keep their file open. */
typedef struct tm_patch tm_patch;

typedef struct tm_patch_options {
    size_t size; /* sizeof(tm_patch_options) */
    /*
     * Of data that a patch holds; default: all defaults. Of `unpacked_bytes` both versions of a block may
     * take 3/8 together (768 MiB), and all tiles that differ 1/8 (256 MiB: 30 million); beyond that,
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
 * What leads from one map to another. Data that are packed alike in both are not unpacked. Fails as
 * tm_map_data does, with the object as place.
 */
TM_API tm_status tm_patch_make(tm_patch **out, const tm_map *before, const tm_map *after,
                               const tm_patch_options *options, tm_error *error);
TM_API void tm_patch_free(tm_patch *patch);

/* ---------------------------------------------------------------------------------------------- changes */

typedef enum tm_change_kind {
    TM_CHANGE_ADDED,   /* an object is there only AFTER */
    TM_CHANGE_REMOVED, /* ... only BEFORE */
    TM_CHANGE_MOVED,   /* an object has another place in the order; a layer also another group */
    TM_CHANGE_FIELD,   /* a field has another value */
    TM_CHANGE_SETTING, /* a server command was added, removed, changed or moved */
    TM_CHANGE_ELEMENT, /* so was an envelope point, a quad or a sound source */
    TM_CHANGE_TILES,   /* tiles of a layer, its size, or both */
    TM_CHANGE_PIXELS,  /* pixels of an image that kept its size */
    TM_CHANGE_DATA     /* data as a whole: a sound, pixels of another size */
} tm_change_kind;
/* "added", "removed", ...; NULL for another number. */
TM_API const char *tm_change_kind_name(tm_change_kind kind);

/* One change, for looking at. What it points to is the patch's. */
typedef struct tm_patch_change {
    tm_change_kind kind;
    tm_address before, after; /* of the object on either side; equal to the other where it is on one only */
    bool in_before, in_after; /* the object is there */
    const char *name;         /* of the object, as it is AFTER if it is there; "" without one */
    tm_layer_kind layer_kind; /* of layers */
    int32_t from_group;       /* of layers: the group it was in, by its number AFTER; TM_NONE: none */
    tm_owner owner;           /* whose field, or what kind of element */
    const tm_field *field;    /* FIELD, TILES, PIXELS, DATA; else NULL */
    uint32_t index;           /* FIELD: which of the field's values */
    tm_value value[2];        /* FIELD: BEFORE and AFTER; references are indices of their own side */
    const char *refers[2];    /* FIELD that refers: the name of what it leads to; NULL: nothing, or no name */
    /* SETTING, ELEMENT: its places; TM_NO_ELEMENT: it is not there. `moved`: it is out of its old order. */
    uint64_t element[2];
    bool moved;
    const char *text[2];     /* SETTING; NULL: not there */
    const void *elements[2]; /* ELEMENT: tm_quad and the like by `owner`, not aligned; NULL: not there */
    /* TILES, PIXELS */
    uint32_t width[2], height[2];
    int32_t dx, dy;        /* where the old top left one is now */
    uint64_t num;          /* how many differ */
    uint64_t num_cut;      /* of these, where AFTER has no place for them any more */
    uint64_t num_new;      /* of these, where BEFORE had no place */
    uint32_t element_size; /* bytes of one */
    uint32_t num_runs, num_regions;
    const tm_region *regions; /* what differs and belongs together, in places BEFORE */
    uint64_t size[2];         /* DATA: bytes; 0 also where there are none */
} tm_patch_change;

TM_API uint32_t tm_patch_num(const tm_patch *patch);
/* False behind the last one. Objects first come removed, then in their order AFTER. */
TM_API bool tm_patch_at(tm_patch_change *out, const tm_patch *patch, uint32_t index);

/* Tiles or pixels of one row that differ, side by side; what lies outside of a side is zero there. */
typedef struct tm_run {
    int32_t x, y; /* in places BEFORE; AFTER it is x + dx, y + dy */
    uint32_t num;
    const void *before, *after; /* `num` elements of element_size bytes, not aligned */
} tm_run;
/* The runs of a change of kind TILES or PIXELS; false behind the last one, and for other changes. */
TM_API bool tm_patch_run(tm_run *out, const tm_patch *patch, uint32_t change, uint32_t run);

/*
 * Where the old map is in the new one, as its game layer has it: maps are extended, cropped and moved as a
 * whole.
 */
typedef struct tm_map_shift {
    int32_t dx, dy;               /* tiles: where the old top left one is now */
    uint32_t width[2], height[2]; /* of the game layer BEFORE and AFTER */
} tm_map_shift;
/* False: the map has its old size, and is where it was. */
TM_API bool tm_patch_shift(tm_map_shift *out, const tm_patch *patch);
/*
 * Whether a change is nothing but the map's shift: a layer that grew, shrank or moved as the map did, all
 * else in it as before but for what was cut off or is in what is new; a quad or source that is as far from
 * its old place.
 */
TM_API bool tm_patch_change_is_shift(const tm_patch_change *change, const tm_map_shift *shift);
/*
 * Whether no game reads any of what differs: a point of an envelope in channels that the envelope does not
 * have, or in tangents where no line is a bezier curve. Editors leave there what was in memory. `before`,
 * `after`: the maps of the patch; false if one is NULL.
 */
TM_API bool tm_patch_change_is_noop(const tm_patch_change *change, const tm_map *before, const tm_map *after);

/*
 * One line: "layer 1/3 'Freeze': 12 tiles in 2 places", "image 4 'grass_main' added".
 */
TM_API size_t tm_patch_change_format(const tm_patch_change *change, char *buffer, size_t size);

/* ----------------------------------------------------------------------------------------------- applying */

typedef struct tm_apply_options {
    size_t size; /* sizeof(tm_apply_options) */
    /* Default false: all or nothing. True: what does not fit is left out. */
    bool partial;
} tm_apply_options;
#define TM_APPLY_OPTIONS_INIT           \
    {                                   \
        sizeof(tm_apply_options), false \
    }

/*
 * Changes a map: the one that the patch was made from, or one that is like it. Objects are looked for at
 * their old place and by name. A change fits where the map still has what the patch says was there before;
 * elements and settings may have moved, and in a map that was extended or cropped tiles go where the tiles
 * around them are now. What does not fit is a finding of the report: patch-object (there
 * is no such object), patch-value (it is there, but not as it was). Unless partial, any of these leaves the
 * map as it was: TM_ERROR_UNSUPPORTED. What was done is added to `report`, which may be NULL.
 * Pointers into the map are not valid any more.
 */
TM_API tm_status tm_patch_apply(tm_map *map, const tm_patch *patch, const tm_apply_options *options,
                                tm_report *report, tm_error *error);

/* ----------------------------------------------------------------------------------- patches from patches */

/* The way back. */
TM_API tm_status tm_patch_invert(tm_patch **out, const tm_patch *patch, tm_error *error);

typedef struct tm_filter_options {
    size_t size; /* sizeof(tm_filter_options) */
    /*
     * Words separated by commas; NULL: everything. map info settings images sounds envelopes groups layers;
     * tiles quads and other kinds of layers; design physics; an address of either side: 2 2/3 image/4.
     * "@X,Y+WxH" behind the last one is the region below.
     */
    const char *words;
    /*
     * Only tiles in this rectangle, and quads and sources whose middle is in it; in tiles of the old map.
     * Width or height 0: all.
     */
    tm_rect region;
    /*
     * Only what changes the race: tiles that act, sizes of physics layers, server commands. A tile that does
     * nothing is as good as none, and flags and numbers count only where the tile has a use for them.
     */
    bool race;
    /*
     * With `race`: the map from which the patch leads. Where its teleporters all got other numbers, one for
     * one, they lead where they led, and that is not told. Default: NULL, each of them is told.
     */
    const tm_map *before;
} tm_filter_options;
#define TM_FILTER_OPTIONS_INIT                                     \
    {                                                              \
        sizeof(tm_filter_options), NULL, {0, 0, 0, 0}, false, NULL \
    }
/* Part of a patch. TM_ERROR_USAGE names a word that means nothing. */
TM_API tm_status tm_patch_filter(tm_patch **out, const tm_patch *patch, const tm_filter_options *options,
                                 tm_error *error);
/*
 * All changes of two patches from the same map to the same map, as narrowing gives them; what is in both is
 * taken once. TM_ERROR_USAGE for patches of other maps.
 */
TM_API tm_status tm_patch_union(tm_patch **out, const tm_patch *first, const tm_patch *second,
                                tm_error *error);

/* ------------------------------------------------------------------------------------------------ as JSON */

/* Writes a patch as JSON: docs/compare.md explains it. Needs nothing else to be read again. */
TM_API tm_status tm_patch_write(const tm_patch *patch, const tm_output *output, tm_error *error);
/*
 * Reads one. TM_ERROR_DAMAGED tells the byte and what is wrong there; TM_ERROR_LIMIT when it holds more than
 * the options' limits allow.
 */
TM_API tm_status tm_patch_read(tm_patch **out, const void *bytes, size_t size,
                               const tm_patch_options *options, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
