/* SPDX-License-Identifier: Zlib */
#ifndef CLI_DUMP_H
#define CLI_DUMP_H
/*
 * dump.h - what layers and envelopes are made of: tiles, quads, sound sources, points; as tables of values.
 * Large layers are written row by row, never held as a whole.
 */
#include "text_buffer.h"

/* One number of each tile, as a grid. */
void put_tiles(text *out, const tm_grid *grid, const tm_field *field);

/* A line of values for each element; `map` gives references their names. */
void put_elements(text *out, const tm_map *map, tm_owner owner, const void *elements, uint32_t num);
void put_points(text *out, const tm_envelope *envelope);

/* The fields of an object as lines "name: value"; those of an object within share one. */
void put_fields(text *out, const tm_map *map, tm_owner owner, const void *object);

#endif
