/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MERGE_H
#define TMI_MERGE_H
/*
 * A merge at work. Two patches lead from the base to either side. The objects of all three maps get ids:
 * first those of the base by number, then those that ours added, then those that theirs added and ours did
 * not. It is decided which of them are in the result (merge_objects.c) and in which order
 * (merge_orders.c); a clone of ours is arranged so; then the changes of theirs are brought into what both
 * have (merge_values.c, merge_lists.c, merge_grids.c). Versions of anything stand in arrays of three that
 * go by tm_merge_map.
 */
#include <teemap/merge.h>

#include "../patch/patch.h"

/* The other side than ours or theirs. */
static inline int tmi_other(int version)
{
    return TM_MERGE_OURS + TM_MERGE_THEIRS - version;
}

/* Three versions of a list, and what becomes of them. */
typedef struct tmi_threeway {
    uint32_t num[TM_MERGE_MAPS], num_ids;
    uint32_t *id[TM_MERGE_MAPS];         /* by place in that version */
    int32_t *place[TM_MERGE_MAPS];       /* by id; TM_NONE: not there */
    bool *moved[TM_MERGE_MAPS];          /* by id: that side has moved what the base has */
    bool *gone;                          /* by id: it is not in the result */
    uint32_t *order, num_final;          /* the result: ids by place */
    int32_t *final;                      /* by id: place in the result; TM_NONE */
    uint32_t *rank, *gap[TM_MERGE_MAPS]; /* while it is ordered; see merge_sequence.c */
    bool *in[TM_MERGE_MAPS];
} tmi_threeway;
/*
 * Gives ids. `from`: by place in a side what it was in the base, or TM_NONE; `cross`: what ours and theirs
 * have both added.
 */
tm_status tmi_threeway_new(tmi_threeway *t, const uint32_t num[TM_MERGE_MAPS],
                           const int32_t *const from[TM_MERGE_MAPS], const tmi_pairs *cross, tmi_arena *arena,
                           tm_error *error);
/* The version that says what an id is: ours if it has it, else theirs. */
static inline int tmi_version_of(const tmi_threeway *t, uint32_t id)
{
    return t->place[TM_MERGE_OURS][id] != TM_NONE ? TM_MERGE_OURS : TM_MERGE_THEIRS;
}
static inline bool tmi_in_both(const tmi_threeway *t, uint32_t id)
{
    return t->place[TM_MERGE_OURS][id] != TM_NONE && t->place[TM_MERGE_THEIRS][id] != TM_NONE;
}

/* Where two things that were put at one place do not follow from anything else, their keys say it. */
typedef struct tmi_order_key {
    int64_t number;
    const char *text; /* may be NULL */
    uint64_t hash;
} tmi_order_key;

/* What is put in order: the places first to end - 1 of each version, of these the ids of one group. */
typedef struct tmi_part {
    uint32_t first[TM_MERGE_MAPS], end[TM_MERGE_MAPS];
    const uint32_t *group_of; /* by id; NULL: all */
    uint32_t group;
    const tmi_order_key *keys;
    bool by_key; /* what both put at one place is sorted, not kept together */
    /* Both moved it to different places: true for that of theirs. NULL: the place nearer to the start. */
    bool (*clash)(void *ctx, uint32_t id);
    void *ctx;
} tmi_part;
/* Appends a part to the result. */
tm_status tmi_threeway_order(tmi_threeway *t, const tmi_part *part, tmi_arena *arena, tm_error *error);

/* Changes of one object in a patch: they stand side by side. */
typedef struct tmi_changes {
    const tmi_delta *first;
    size_t num;
} tmi_changes;

typedef struct tmi_merge {
    const tm_map *in[TM_MERGE_MAPS];
    const tmi_side *side[TM_MERGE_MAPS];
    tm_patch *patch[TM_MERGE_MAPS]; /* from the base to a side */
    tm_map *shared;                 /* the base, if it had to be made; conflicts do not show it */
    tm_merge_options options;
    tm_patch *here; /* memory for the time of the work */
    tm_map *map;    /* the result */
    tm_conflicts *conflicts;
    tmi_threeway list[TMI_LISTS];
    tmi_changes *changes[TMI_LISTS + 1][TM_MERGE_MAPS]; /* by number in the base; of TMI_WHOLE one */
    uint32_t *group_of;                                 /* by id of a layer: id of its group in the result */
    uint32_t *first_final; /* by number of a group in the result: number of its first layer; and the end */
    tmi_pairs cross[TMI_LISTS];  /* ours and theirs: what is one object */
    struct tmi_physics *physics; /* NULL: not all three maps have a game layer */
    tm_error *error;
} tmi_merge;

/* What stands for the base where there is none. */
tm_status tmi_merge_shared_base(tm_map **out, const tm_map *ours, const tm_map *theirs,
                                const tm_patch_options *how, tm_error *error);
tm_status tmi_merge_objects(tmi_merge *m);
tm_status tmi_merge_orders(tmi_merge *m);
/* Puts a copy of what theirs has into an object of the result, whose layers a group keeps. */
tm_status tmi_merge_take_theirs(tmi_merge *m, void *object, tmi_list list, uint32_t id);
/* All changes of theirs in objects that ours has, too. */
tm_status tmi_merge_contents(tmi_merge *m);

/* A hash of what an object is, and of these parts of it, that is the same in all versions. */
enum { TMI_HASH_NAMES = 1, TMI_HASH_BLOCKS = 2, TMI_HASH_REFERENCES = 4 };
uint64_t tmi_merge_hash(const tmi_merge *m, int version, tmi_list list, uint32_t number, int parts);

/* What the caller wants where both sides have changed such a thing of an object. */
tm_resolution tmi_merge_resolve(const tmi_merge *m, tmi_list list, uint32_t id, tmi_delta_type type,
                                tm_owner owner);
/* Whether it is the way of this side. */
static inline bool tmi_takes(tm_resolution resolution, int version)
{
    return resolution == (version == TM_MERGE_OURS ? TM_RESOLUTION_OURS : TM_RESOLUTION_THEIRS);
}
/* Number in the result of an object of a version; what leads nowhere stays. */
int32_t tmi_merge_reference(const tmi_merge *m, int version, tm_object object, int64_t number);
/* The same as a tmi_visit_reference, for what stands in a version. */
typedef struct tmi_version {
    const tmi_merge *m;
    int version;
} tmi_version;
void tmi_merge_bring(void *version, const tm_field *field, int32_t *index);
/* Where an object is in the result; false: not there. */
bool tmi_merged_address(const tmi_merge *m, tmi_list list, uint32_t id, tm_address *at);
/* Of an object: its struct in the result, and in a version; NULL: not there. */
void *tmi_merged_object(const tmi_merge *m, tmi_list list, uint32_t id);
const void *tmi_merge_object_in(const tmi_merge *m, int version, tmi_list list, uint32_t id);

/* Tiles or pixels of an object that both sides have. *done: false if all of it is to be as in theirs. */
tm_status tmi_merge_grid(tmi_merge *m, tmi_list list, uint32_t id, const tm_field *field, bool *done);
/* Settles where layers of physics are, before contents are merged; brings there what one side has alone. */
tm_status tmi_settle_physics(tmi_merge *m);
tm_status tmi_finish_physics(tmi_merge *m);
/* Elements of an owner, or (TM_OWNER_INFO) server commands, of which theirs has changed some. */
tm_status tmi_merge_elements(tmi_merge *m, tmi_list list, uint32_t id, tm_owner owner);

/* ---------------------------------------------------------------------------------------------- conflicts */

typedef struct tmi_conflict {
    tm_conflict shown;
    tmi_list list; /* the object */
    uint32_t id;
    tmi_grid *grid; /* NULL: not about tiles */
} tmi_conflict;

struct tm_conflicts {
    tm_patch *memory; /* owns whatever they point to */
    tmi_conflict *list;
    size_t num, capacity;
};

tm_status tmi_conflicts_new(tm_conflicts **out, const tm_patch_options *options, tm_error *error);
/*
 * Appends a conflict about an object, with its addresses and its name; the pointer lives until the next
 * one. `resolution` is what became of it.
 */
tm_status tmi_conflict_add(tmi_merge *m, tmi_conflict **out, tm_conflict_kind kind, tmi_list list,
                           uint32_t id, tm_resolution resolution);
/* Keeps an element that a conflict shows. A size of 0: a text. */
tm_status tmi_conflict_element(tmi_merge *m, tmi_conflict *conflict, tm_merge_map version, uint32_t at,
                               const void *bytes, size_t size);
/* At the end, when it is known where everything is. */
void tmi_conflicts_place(tmi_merge *m);
/* Leaves what theirs has in the map where ours was taken for want of a decision. */
tm_status tmi_mark_conflicts(tmi_merge *m);

#endif
