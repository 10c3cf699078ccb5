/* SPDX-License-Identifier: Zlib */
#ifndef CLI_MERGE_PICTURE_H
#define CLI_MERGE_PICTURE_H
/*
 * merge_picture.h - the picture of `teemap merge --picture`: base, ours and theirs side by side, with frames
 * around what both changed in different ways; and the page of `--page`, with pictures of each place.
 */
#include "changes_page.h"

typedef struct merge_picture {
    const picture_options *options;
    const char *paths[TM_MERGE_MAPS]; /* where the maps are, for images next to them */
    const char *names[TM_MERGE_MAPS]; /* what they are called in messages */
    tm_map *maps[TM_MERGE_MAPS];      /* stay the caller's */
    const tm_conflicts *conflicts;
    const char *output; /* the picture; NULL: none */
    picture_format format;
    const char *page; /* folder; NULL: none */
} merge_picture;

/* Draws the open conflicts, and says what the pictures lack. Without open conflicts it says just that. */
tm_status merge_picture_draw(bool *drawn, const merge_picture *of, const tm_job *job, report *to,
                             tm_error *error);

#endif
