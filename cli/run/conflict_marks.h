/* SPDX-License-Identifier: Zlib */
#ifndef CLI_CONFLICT_MARKS_H
#define CLI_CONFLICT_MARKS_H
/*
 * conflict_marks.h - where on the three maps of a merge its open conflicts are: marks for side_by_side.h. A
 * frame says where both were at work, a tint what each of them did to the base there. What has no place on
 * the map (settings, images, envelopes, names) has no mark.
 */
#include "mark_list.h"

#include <teemap/merge.h>

/*
 * out->map[] is by tm_merge_map. The maps are those that were merged. What was made is released after a
 * failure, too.
 */
tm_status conflict_marks_make(map_marks *out, const tm_conflicts *conflicts,
                              const tm_map *const maps[TM_MERGE_MAPS], double time, tm_error *error);

#endif
