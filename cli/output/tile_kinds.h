/* SPDX-License-Identifier: Zlib */
#ifndef CLI_TILE_KINDS_H
#define CLI_TILE_KINDS_H
/*
 * tile_kinds.h - what became what in a layer that the game plays by: "air -> freeze 12", as a referee asks.
 */
#include "text_buffer.h"

#include <teemap/patch.h>

/* A line for a change of tiles in such a layer; nothing for all else. */
void put_tile_kinds(text *out, const tm_patch *patch, uint32_t index, const tm_patch_change *change);
/* The same of the tiles in a region of the old map, without blanks in front and an end of the line. */
void put_tile_kinds_in(text *out, const tm_patch *patch, uint32_t index, const tm_patch_change *change,
                       const tm_rect *within);

#endif
