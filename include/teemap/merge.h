/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MERGE_H
#define TEEMAP_MERGE_H
/*
 * teemap/merge.h - two maps that were made from one, brought together: what either of them changed is
 * in the result, and what both changed in different ways is a conflict. Knows nothing of files.
 * docs/compare.md teaches it.
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
 * Objects are matched as for a patch (teemap/patch.h), so each side may have moved, added and removed
 * whatever it wants. Tiles and pixels are merged one by one, fields field by field, quads, points,
 * sources and server commands as lists. What both sides added alike is there once.
 *
 * merge(b, x, b) and merge(b, b, x) are x, as its file has it. merge(b, x, y) and merge(b, y, x) are the
 * same map when there are no conflicts; what both added at one place stands in the order of names.
 *
 * Threads: the three maps may be used by others at the same time; conflicts are constant once made.
 */
#include <teemap/fields.h>
#include <teemap/patch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The three maps, where something is told of each. */
typedef enum tm_merge_map { TM_MERGE_BASE, TM_MERGE_OURS, TM_MERGE_THEIRS, TM_MERGE_MAPS } tm_merge_map;

/* What becomes of a conflict. */
typedef enum tm_resolution {
    TM_RESOLUTION_UNRESOLVED, /* open: the map has what ours has, and what one side removed stays */
    TM_RESOLUTION_OURS,
    TM_RESOLUTION_THEIRS,
    /*
     * Both, where there can be both: changed quads, points, sources, commands stand there twice, removed
     * objects stay, a tile is put on air, a layer becomes as large as both. Other conflicts stay open.
     */
    TM_RESOLUTION_BOTH
} tm_resolution;
/* "unresolved", "ours", "theirs", "both"; NULL for another number. */
TM_API const char *tm_resolution_name(tm_resolution resolution);

/* What to do with some conflicts. */
typedef struct tm_merge_rule {
    const char *words; /* as for tm_filter_options; NULL: all of them */
    tm_resolution resolution;
} tm_merge_rule;

typedef struct tm_merge_options {
    size_t size;                /* sizeof(tm_merge_options) */
    const tm_merge_rule *rules; /* of several that speak of a conflict the last one counts; default: none */
    uint32_t num_rules;
    /*
     * Conflicts that stay open are left in the map, for settling them in the game's editor: layers "<<<
     * ours" and ">>> theirs" right in front of the one they are about, with the tiles that both changed,
     * or theirs as a whole; other objects of theirs at the end of their lists, named so; for all else, and
     * for numbers of physics tiles, comments among the server commands, if the game has these. Default
     * false.
     */
    bool mark;
    const tm_limits *limits;       /* of data held for the work, see tm_patch_options; default: all */
    const tm_allocator *allocator; /* of the conflicts and the work; default: malloc; must outlive them */
} tm_merge_options;
#define TM_MERGE_OPTIONS_INIT                                \
    {                                                        \
        sizeof(tm_merge_options), NULL, 0, false, NULL, NULL \
    }

/* Opaque: all conflicts of a merge, those that a rule has settled, too. Needs none of the maps. */
typedef struct tm_conflicts tm_conflicts;

/*
 * Merges. `base` NULL: there is none, as of two maps that were made apart; what one of them has alone is in
 * the result, what both have alike is there once, and what both have in two ways is a conflict that says
 * nothing of a base. *out is a map of its own also when there are conflicts; both outs are the caller's to
 * free. What was brought into ours is added to `report`, which may be NULL. TM_ERROR_USAGE names a word of a
 * rule that means nothing; else fails as tm_map_data does.
 */
TM_API tm_status tm_map_merge(tm_map **out, tm_conflicts **conflicts, const tm_map *base, const tm_map *ours,
                              const tm_map *theirs, const tm_merge_options *options, tm_report *report,
                              tm_error *error);
TM_API void tm_conflicts_free(tm_conflicts *conflicts);

/* ---------------------------------------------------------------------------------------------- conflicts */

typedef enum tm_conflict_kind {
    TM_CONFLICT_FIELD,   /* both set a field, to different values */
    TM_CONFLICT_TILES,   /* both changed tiles, or one changed tiles that the other cut off */
    TM_CONFLICT_PIXELS,  /* both changed pixels of an image */
    TM_CONFLICT_SIZE,    /* both moved an edge of a layer, to different places */
    TM_CONFLICT_DATA,    /* both changed data that are one whole: a sound, pixels of another size */
    TM_CONFLICT_ELEMENT, /* both changed a quad, point or source; or one did, and the other removed it */
    TM_CONFLICT_SETTING, /* so with a server command; or both added it with different values */
    TM_CONFLICT_REMOVED, /* one removed an object, the other changed it or put something into it */
    TM_CONFLICT_PLACE,   /* both moved an object, to different places */
    TM_CONFLICT_ADDED    /* both added a layer of which there may be one only */
} tm_conflict_kind;
/* "field", "tiles", ...; NULL for another number. */
TM_API const char *tm_conflict_kind_name(tm_conflict_kind kind);

/* One conflict, for looking at. What it points to is the conflicts'. Arrays of three go by tm_merge_map. */
typedef struct tm_conflict {
    tm_conflict_kind kind;
    tm_resolution resolution; /* what the map has */
    bool open;                /* no rule has settled it */
    bool marked; /* tm_merge_options.mark: the map shows it, with what theirs has, or says so in a comment */
    tm_address address[TM_MERGE_MAPS];
    /* The object is in that map; else its address there is all zero. Of the base false without one. */
    bool there[TM_MERGE_MAPS];
    tm_address merged; /* of the object in the result, if it is there */
    bool in_merged;
    const char *name;         /* of the object; "" without one */
    tm_layer_kind layer_kind; /* of layers */
    tm_owner owner;           /* whose field, or what kind of element */
    const tm_field *field;    /* FIELD, TILES, PIXELS, DATA, SIZE; else NULL */
    uint32_t index;           /* FIELD: which of its values */
    tm_value value[TM_MERGE_MAPS];
    uint64_t element[TM_MERGE_MAPS];     /* ELEMENT, SETTING: its places; TM_NO_ELEMENT: not there */
    const void *elements[TM_MERGE_MAPS]; /* ELEMENT: tm_quad and the like by `owner`; NULL: not there */
    const char *text[TM_MERGE_MAPS];     /* SETTING; NULL: not there */
    uint32_t width[TM_MERGE_MAPS], height[TM_MERGE_MAPS]; /* TILES, SIZE, PIXELS */
    uint64_t num;                                         /* TILES, PIXELS: how many */
    uint32_t element_size;                                /* bytes of one */
    uint32_t num_runs, num_regions;
    const tm_region *regions; /* in places of the base, or of the part that both have in common */
    int32_t dx, dy;           /* where the base's top left one is in the result */
    int32_t side_dx[TM_MERGE_MAPS], side_dy[TM_MERGE_MAPS]; /* ... in each of the three; TILES, PIXELS */
} tm_conflict;

TM_API uint32_t tm_conflicts_num(const tm_conflicts *conflicts);
/* How many of them no rule has settled. */
TM_API uint32_t tm_conflicts_num_open(const tm_conflicts *conflicts);
/* False behind the last one. */
TM_API bool tm_conflicts_at(tm_conflict *out, const tm_conflicts *conflicts, uint32_t index);
/*
 * The tiles or pixels of a conflict, a row's part at a time: `before` is ours, `after` theirs. False
 * behind the last one, and for other conflicts.
 */
TM_API bool tm_conflicts_run(tm_run *out, const tm_conflicts *conflicts, uint32_t conflict, uint32_t run);

/*
 * One line: "group 1, layer 0 'Freeze': both changed 4 tiles at 10,5 2x2".
 */
TM_API size_t tm_conflict_format(const tm_conflict *conflict, char *buffer, size_t size);
/* Writes all of them as JSON: docs/schema/conflicts.json describes the form. */
TM_API tm_status tm_conflicts_write(const tm_conflicts *conflicts, const tm_output *output, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
