/* SPDX-License-Identifier: Zlib */
#ifndef CLI_PATCH_MARKS_H
#define CLI_PATCH_MARKS_H
/*
 * patch_marks.h - where on two maps the changes of a patch are: marks for each of the two, for panes.h. What
 * has no place on the map (settings, images, envelopes, names) has no mark.
 */
#include "mark_list.h"

typedef struct patch_marks {
    mark_list side[2];  /* of the map BEFORE, AFTER */
    bool physics;       /* some are in layers that the game plays by */
    uint32_t placeless; /* changes without a place */
    uint32_t left_out;  /* changes that would have been too many frames */
} patch_marks;
/* Both maps are those of the patch. What was made is released after a failure, too. */
tm_status patch_marks_make(patch_marks *out, const tm_patch *patch, const tm_map *const maps[2], double time,
                           tm_error *error);
void patch_marks_release(patch_marks *of);

#endif
