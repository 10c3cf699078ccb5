/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_MAP_PRIVATE_H
#define TMI_MAP_MAP_PRIVATE_H
/*
 * What a map keeps next to its public part: where its memory comes from and is counted, its texts, and its
 * file.
 */
#include <teemap/fields.h>

#include "../base/base.h"
#include "origin.h"

#include <stdatomic.h>

/* Texts by their content; see text_pool.c. */
typedef struct tmi_text_pool {
    struct tmi_pooled_text **slots;
    size_t num_slots, num;
} tmi_text_pool;

/* A map and its clones, which share bytes: each is counted once. */
typedef struct tmi_family {
    atomic_uint members;
    tmi_account account;
} tmi_family;

/*
 * Points that several envelopes of a file have in common. A map and its clones use one memory of them, until
 * somebody writes to those of an envelope: tmi_envelope_own.
 */
typedef struct tmi_common_points {
    atomic_uint members; /* maps */
    uint32_t num;
    tm_envelope_point points[];
} tmi_common_points;

/*
 * So many bytes of items are allowed for each point of an envelope: a million points by default. Those of the
 * file are allowed anyway; this bounds what becomes of common points that are written.
 */
enum { TMI_BYTES_PER_POINT = 256 };

/* What a map keeps next to its public part. */
typedef struct tm_map_private {
    tm_allocator allocator;           /* a copy of the caller's; `ctx` NULL and resize NULL: malloc */
    tm_limits limits;                 /* filled */
    const tmi_origin *origin;         /* the file that the map was loaded from (retained), or NULL */
    tmi_text_pool texts;              /* set since loading; texts of the file live in the origin */
    tmi_family *family;               /* counts for a map whose origin does not */
    const tm_cancel *cancel;          /* ends the reading of data; may be NULL */
    tmi_common_points *common_points; /* NULL: each envelope has its own */
    uint32_t num_tails_left; /* objects that have come from other files without what only their items hold */
    uint64_t own_points, most_points; /* of the envelopes that have their own; at most so many */
} tm_map_private;

/* The allocator to hand to tmi_alloc: NULL stands for malloc. */
static inline const tm_allocator *tmi_map_allocator(const tm_map *map)
{
    return map->priv->allocator.resize ? &map->priv->allocator : NULL;
}
/* Where the bytes of a map are counted: with those of its file, if it has one; and how many there are. */
tmi_account *tmi_map_account(const tm_map *map);
/*
 * Whether the file behind a map holds what teemap does not know, and what may refer to groups, layers,
 * images, sounds and envelopes by number. "Nothing refers to it" cannot be said then.
 */
static inline bool tmi_map_may_refer(const tm_map *map)
{
    return map->priv->origin && map->priv->origin->may_refer;
}
/* Whether the item that an object of a map was loaded from goes on behind what teemap knows. */
static inline bool tmi_map_has_tail(const tm_map *map, tm_origin origin)
{
    const tmi_origin *file = map->priv->origin;
    return file && origin.file == file && file->functions->has_tail &&
           file->functions->has_tail(file, origin.item);
}
static inline uint64_t tmi_map_held(const tm_map *map)
{
    return atomic_load_explicit(tmi_map_account(map), memory_order_relaxed);
}

#endif
