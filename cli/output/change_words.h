/* SPDX-License-Identifier: Zlib */
#ifndef CLI_CHANGE_WORDS_H
#define CLI_CHANGE_WORDS_H
/*
 * change_words.h - the changes of a patch as text and as JSON.
 */
#include "json.h"

#include <teemap/patch.h>

/* One line: how much of what kind, and of what no patch holds, or "no difference". `maps`: as in telling. */
void put_change_sum(text *out, const tm_patch *patch, const tm_map *const maps[2], uint64_t num_unknown);
/* How changes are reported. */
typedef struct telling {
    const tm_map
        *maps[2]; /* the old and the new one; each may be NULL: what no game reads is told as all else is */
    bool all;     /* a line for each change and each place in it */
    bool tiles;   /* with `all`: for each tile, too */
    bool kinds;   /* of layers that the game plays by: what became what */
} telling;
/* A line for each object, or for several of which the same is to be said. */
void put_changes(text *out, const tm_patch *patch, const telling *how);
/* "counts" and "changes"; without a patch nothing changed. */
void json_add_changes(json_t *object, const tm_patch *patch, bool tiles);

#endif
