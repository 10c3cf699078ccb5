/* SPDX-License-Identifier: Zlib */
#ifndef CLI_PATCH_MARKS_H
#define CLI_PATCH_MARKS_H
/*
 * patch_marks.h - where on two maps the changes of a patch are: marks for each of the two, for
 * side_by_side.h. What has no place on the map (settings, images, envelopes, names) has no mark.
 */
#include "mark_list.h"

/*
 * out->map[] has those of BEFORE and AFTER. Both maps are those of the patch. What was made is released
 * after a failure, too.
 */
tm_status patch_marks_make(map_marks *out, const tm_patch *patch, const tm_map *const maps[2], double time,
                           tm_error *error);

#endif
