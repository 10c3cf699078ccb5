/* SPDX-License-Identifier: Zlib */
#ifndef TMI_QUERY_TILE_PARTS_H
#define TMI_QUERY_TILE_PARTS_H
/*
 * The parts of tiles in words, for patterns and tiles to write.
 */
#include "query.h"

typedef struct tmi_value_range {
    int32_t from, to;
} tmi_value_range;
/* "5", "5..9", "5..", "..9", for flags also "flip_x+rotate" and "none"; ends at a comma or the end. */
bool tmi_part_take(tmi_value_range *out, tmi_tile_part part, const char **text);
/* "delay" and so on. */
bool tmi_part_find(tmi_tile_part *out, const char *name, size_t size);

#endif
