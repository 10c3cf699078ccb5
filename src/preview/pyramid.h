/* SPDX-License-Identifier: Zlib */
#ifndef TMI_PYRAMID_H
#define TMI_PYRAMID_H
/* pyramid.h - what the frame of pyramids and the plan of one share: the grid of cells. */
#include "preview.h"

/* px of the world in a cell of the last level. */
int64_t tmi_pyramid_cell_size(const tm_pyramid_frame *frame);
/* The cells of the last level that the map and its border touch, without memory yet. */
tm_pyramid_level tmi_pyramid_all_cells(const tm_pyramid_frame *frame);

/* Memory for a level's cells, none of which shows anything yet. */
tm_status tmi_pyramid_level_alloc(tm_pyramid_level *level, const tm_allocator *allocator, tm_error *error);
/* Cuts the empty edges off. On failure the level is as before. */
tm_status tmi_pyramid_level_trim(tm_pyramid_level *level, const tm_allocator *allocator, tm_error *error);
/* The next coarser level: a cell is there if one of the four below it is. */
tm_status tmi_pyramid_level_above(tm_pyramid_level *above, const tm_pyramid_level *below,
                                  const tm_allocator *allocator, tm_error *error);

#endif
