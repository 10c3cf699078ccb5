/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MERGE_H
#define TEEMAP_MERGE_H
/*
 * teemap/merge.h - merges two versions of a map that are based on one: the result has the changes of both,
 * and where both made different changes there is a conflict. No files. docs/compare.md explains merging.
 *
 *     tm_map *merged;
 *     tm_conflicts *conflicts;
 *     status = tm_map_merge(&merged, &conflicts, base, ours, theirs, NULL, NULL, &error);
 *     for (uint32_t i = 0; i < tm_conflicts_num(conflicts); i++) {
 *         tm_conflict conflict;
 *         char line[256];
 *         tm_conflicts_at(&conflict, conflicts, i);
 *         tm_conflict_format(&conflict, line, sizeof(line));
 *         puts(line);
 *     }
 *     tm_conflicts_free(conflicts);
 *     tm_map_free(merged);
 *
 * Objects are matched as for a patch (teemap/patch.h), so each side may move, add and remove anything. Tiles
 * and pixels are merged one by one, objects field by field, and quads, points, sources and server commands as
 * lists. An addition that both sides made appears once.
 *
 * merge(b, x, b) and merge(b, b, x) are x, byte for byte. Without conflicts, merge(b, x, y) and merge(b, y,
 * x) are the same map; objects that both added at one place are sorted by name.
 *
 * Threads: other threads may use the three maps at the same time; conflicts are constant.
 */
#include <teemap/fields.h>
#include <teemap/patch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The three maps. */
typedef enum tm_merge_map { TM_MERGE_BASE, TM_MERGE_OURS, TM_MERGE_THEIRS, TM_MERGE_MAPS } tm_merge_map;

/* The resolution of a conflict. */
typedef enum tm_resolution {
    TM_RESOLUTION_UNRESOLVED, /* open: the map has the value of ours, and removed objects are kept */
    TM_RESOLUTION_OURS,
    TM_RESOLUTION_THEIRS,
    /*
     * Both, where possible: both versions of changed quads, points, sources and commands, removed objects are
     * kept, a tile is put on air, a layer becomes as large as both. Other conflicts stay open.
     */
    TM_RESOLUTION_BOTH
} tm_resolution;
/* "unresolved", "ours", "theirs", "both"; NULL for an unknown number. */
TM_API const char *tm_resolution_name(tm_resolution resolution);

/* How to resolve some conflicts. */
typedef struct tm_merge_rule {
    const char *words; /* as for tm_filter_options; NULL: all of them */
    tm_resolution resolution;
} tm_merge_rule;

typedef struct tm_merge_options {
    size_t size;                /* sizeof(tm_merge_options) */
    const tm_merge_rule *rules; /* the last rule that matches a conflict counts; default: none */
    uint32_t num_rules;
    /*
     * Mark open conflicts in the map, to resolve them in the game's editor: layers "<<< ours" and ">>>
     * theirs" directly in front of the conflicting layer, with the conflicting tiles, or the whole layer of
     * theirs; other objects of theirs at the end of their lists, with such names; for everything else, and
     * for numbers of physics tiles, comments in the server commands, if the game has comments. Default false.
     */
    bool mark;
    const tm_limits *limits;       /* for data held during the merge, see tm_patch_options; default: all */
    const tm_allocator *allocator; /* for conflicts and work; default: malloc; must outlive them */
} tm_merge_options;
#define TM_MERGE_OPTIONS_INIT                                \
    {                                                        \
        sizeof(tm_merge_options), NULL, 0, false, NULL, NULL \
    }

/* Opaque: all conflicts of a merge, including resolved ones. Does not need the maps. */
typedef struct tm_conflicts tm_conflicts;

/*
 * Merges. `base` NULL: there is no common base; what only one map has is in the result, what both have
 * appears once, and where both differ there is a conflict without a base. *out is an independent map, also if
 * there are conflicts; the caller frees both results. Changes to ours are added to `report`, which may be
 * NULL. TM_ERROR_USAGE names an unknown word of a rule; otherwise fails like tm_map_data.
 */
TM_API tm_status tm_map_merge(tm_map **out, tm_conflicts **conflicts, const tm_map *base, const tm_map *ours,
                              const tm_map *theirs, const tm_merge_options *options, tm_report *report,
                              tm_error *error);
TM_API void tm_conflicts_free(tm_conflicts *conflicts);

/* ---------------------------------------------------------------------------------------------- conflicts */

typedef enum tm_conflict_kind {
    TM_CONFLICT_FIELD,   /* both set a field to different values */
    TM_CONFLICT_TILES,   /* both changed tiles, or one changed tiles that the other cropped */
    TM_CONFLICT_PIXELS,  /* both changed pixels of an image */
    TM_CONFLICT_SIZE,    /* both moved an edge of a layer, differently */
    TM_CONFLICT_DATA,    /* both changed data that cannot be merged in parts: a sound, pixels of another
                          * size */
    TM_CONFLICT_ELEMENT, /* both changed a quad, point or source; or one changed and the other removed it */
    TM_CONFLICT_SETTING, /* the same for a server command; or both added it with different values */
    TM_CONFLICT_REMOVED, /* one removed an object, the other changed it or added something to it */
    TM_CONFLICT_PLACE,   /* both moved an object, differently */
    TM_CONFLICT_ADDED    /* both added a layer of which only one is allowed */
} tm_conflict_kind;
/* "field", "tiles", ...; NULL for another number. */
TM_API const char *tm_conflict_kind_name(tm_conflict_kind kind);

/* One conflict. Its pointers are borrowed from the conflicts. Arrays of three are indexed by tm_merge_map. */
typedef struct tm_conflict {
    tm_conflict_kind kind;
    tm_resolution resolution; /* what the map has */
    bool open;                /* no rule has resolved it */
    bool marked;              /* tm_merge_options.mark: the map contains it, or a comment about it */
    tm_address address[TM_MERGE_MAPS];
    /* The object exists in that map; else its address is all zero. Always false for a missing base. */
    bool there[TM_MERGE_MAPS];
    tm_address merged; /* of the object in the result, if it exists */
    bool in_merged;
    const char *name;         /* of the object; "" if it has none */
    tm_layer_kind layer_kind; /* of layers */
    tm_kind owner;            /* owner of the field, or kind of element */
    const tm_field *field;    /* FIELD, TILES, PIXELS, DATA, SIZE; else NULL */
    uint32_t index;           /* FIELD: index of the value */
    tm_value value[TM_MERGE_MAPS];
    uint64_t element[TM_MERGE_MAPS];     /* ELEMENT, SETTING: its positions; TM_NO_ELEMENT: does not exist */
    const void *elements[TM_MERGE_MAPS]; /* ELEMENT: tm_quad and the like by `owner`; NULL: does not exist */
    const char *text[TM_MERGE_MAPS];     /* SETTING; NULL: does not exist */
    uint32_t width[TM_MERGE_MAPS], height[TM_MERGE_MAPS]; /* TILES, SIZE, PIXELS */
    uint64_t num;                                         /* TILES, PIXELS: number of conflicts */
    uint32_t element_size;                                /* bytes of one */
    uint32_t num_runs, num_regions;
    const tm_region *regions; /* in coordinates of the base, or of the common part */
    int32_t dx, dy;           /* position of the base's top left tile in the result */
    int32_t side_dx[TM_MERGE_MAPS], side_dy[TM_MERGE_MAPS]; /* the same in each of the three; TILES, PIXELS */
} tm_conflict;

TM_API uint32_t tm_conflicts_num(const tm_conflicts *conflicts);
/* The number of unresolved ones. */
TM_API uint32_t tm_conflicts_num_open(const tm_conflicts *conflicts);
/* False after the last one. */
TM_API bool tm_conflicts_at(tm_conflict *out, const tm_conflicts *conflicts, uint32_t index);
/*
 * The tiles or pixels of a conflict, a part of a row at a time: `before` is ours, `after` theirs. False after
 * the last one, and for other conflicts.
 */
TM_API bool tm_conflicts_run(tm_run *out, const tm_conflicts *conflicts, uint32_t conflict, uint32_t run);

/*
 * One line: "group 1, layer 0 'Freeze': both changed 4 tiles at 10,5 2x2".
 */
TM_API size_t tm_conflict_format(const tm_conflict *conflict, char *buffer, size_t size);
/* Writes all conflicts as JSON, as described by docs/schema/conflicts.json. */
TM_API tm_status tm_conflicts_write(const tm_conflicts *conflicts, const tm_output *output, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
