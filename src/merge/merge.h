/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MERGE_H
#define TMI_MERGE_H
/*
 * The internal side of the room. A merge makes two patches, from the base to ours and to theirs. Each object
 * of the three maps gets an id: first those of the base, by number, then those that ours added, then those
 * that only theirs added. merge_objects.c decides which of them are in the result, merge_maps.c in which
 * order, and arranges a clone of ours accordingly. merge_values.c, merge_lists.c and merge_grids.c apply the
 * changes of theirs to objects that both have. Versions of anything are in arrays of three, by tm_merge_map.
 */
#include <teemap/merge.h>

#include "../patch/patch.h"

/* Theirs for ours, and ours for theirs. */
static inline int tmi_other_version(int version)
{
    return TM_MERGE_OURS + TM_MERGE_THEIRS - version;
}

/* The changes of one object, which are consecutive in a patch. */
typedef struct tmi_changes {
    const tmi_delta *first;
    size_t num;
} tmi_changes;

typedef struct tmi_merge {
    const tm_map *maps[TM_MERGE_MAPS];
    tm_patch *patch[TM_MERGE_MAPS]; /* from the base to a side */
    tm_map *shared;                 /* a base made of ours and theirs; conflicts do not show it */
    tm_merge_options options;
    tm_patch *scratch; /* owns memory until the merge ends */
    tm_map *map;       /* the result */
    tm_conflicts *conflicts;
    tmi_objects objects;
    tmi_changes *changes[TMI_LISTS][TM_MERGE_MAPS]; /* by number in the base; TM_KIND_MAP has one */
    tmi_pairs cross[TMI_LISTS];                     /* objects of ours and theirs that are the same */
    struct tmi_physics *physics;                    /* NULL: not all three maps have a game layer */
    tm_error *error;
} tmi_merge;

/* Makes a base for two maps without one. */
tm_status tmi_merge_shared_base(tm_map **out, const tm_map *ours, const tm_map *theirs,
                                const tm_patch_options *patch_options, tm_error *error);
tm_status tmi_merge_objects(tmi_merge *m);
/* Replaces an object of the result by a copy of that of theirs. A group keeps its layers. */
tm_status tmi_merge_copy_theirs(tmi_merge *m, void *object, tm_kind list, uint32_t id);
/* Applies the changes of theirs to objects that both sides have. */
tm_status tmi_merge_contents(tmi_merge *m);

/* A hash of an object, with these parts of it, that does not depend on the version it is in. */
enum { TMI_HASH_NAMES = 1, TMI_HASH_BLOCKS = 2, TMI_HASH_REFERENCES = 4 };
uint64_t tmi_merge_hash(const tmi_merge *m, int version, tm_kind list, uint32_t number, int parts);

/* How the caller's rules resolve a conflict about such a change of an object. */
tm_resolution tmi_merge_resolve(const tmi_merge *m, tm_kind list, uint32_t id, tmi_delta_type type,
                                tm_kind owner);
/* Whether a resolution chooses this side. */
static inline bool tmi_chooses_version(tm_resolution resolution, int version)
{
    return resolution == (version == TM_MERGE_OURS ? TM_RESOLUTION_OURS : TM_RESOLUTION_THEIRS);
}
/* The struct of an object in the result, and in a version; NULL if it is not there. */
void *tmi_merged_object(const tmi_merge *m, tm_kind list, uint32_t id);
const void *tmi_merge_object_in(const tmi_merge *m, int version, tm_kind list, uint32_t id);

/* Merges tiles or pixels of an object that both sides have. *done false: the caller takes those of theirs. */
tm_status tmi_merge_grid(tmi_merge *m, tm_kind list, uint32_t id, const tm_field *field, bool *done);
/* Before contents are merged, decides size and position of physics layers; then resizes those of one side. */
tm_status tmi_settle_physics(tmi_merge *m);
tm_status tmi_finish_physics(tmi_merge *m);
/* Merges elements, or (TM_KIND_INFO) server commands, if theirs has changed any. */
tm_status tmi_merge_elements(tmi_merge *m, tm_kind list, uint32_t id, tm_kind owner);

/* ---------------------------------------------------------------------------------------------- conflicts */

typedef struct tmi_conflict {
    tm_conflict shown;
    tm_kind list; /* the object */
    uint32_t id;
    tmi_grid *grid; /* NULL: not about tiles */
} tmi_conflict;

struct tm_conflicts {
    tm_patch *memory; /* owns what conflicts point to */
    tmi_conflict *list;
    size_t num, capacity;
};

tm_status tmi_conflicts_new(tm_conflicts **out, const tm_patch_options *options, tm_error *error);
/*
 * Appends a conflict about an object, with its addresses and name; *out is valid until the next one.
 * `resolution` says how it was resolved.
 */
tm_status tmi_conflict_add(tmi_merge *m, tmi_conflict **out, tm_conflict_kind kind, tm_kind list, uint32_t id,
                           tm_resolution resolution);
/* Sets the addresses in the result, when all objects are there. */
void tmi_conflicts_place(tmi_merge *m);
/* Adds the version of theirs to the map where a conflict is unresolved, which keeps that of ours. */
tm_status tmi_mark_conflicts(tmi_merge *m);

#endif
