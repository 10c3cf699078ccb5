/* SPDX-License-Identifier: Zlib */
#ifndef CLI_DUMP_H
#define CLI_DUMP_H
/*
 * dump.h - what layers and envelopes are made of: tiles, quads, sound sources, points; as lines of
 * numbers and as JSON. Large layers are written row by row, never held as a whole.
 */
#include "text.h"

#include <teemap/map.h>

/* One number in an element. */
typedef struct element_field {
    const char *name;
    size_t offset;
    enum { FIELD_U8, FIELD_I16, FIELD_I32 } type;
} element_field;

/* The fields of a tile of this kind (ends with a NULL name) and the one that is printed by default. */
const element_field *tile_fields(tm_layer_kind kind, const char **main_field);
/* NULL if tiles of the kind have no such field. */
const element_field *find_field(const element_field *fields, const char *name);

void put_tiles(text *out, const tm_grid *grid, const element_field *field);
/* ,"rows":[[{...},...],...] */
void put_tiles_json(text *out, const tm_grid *grid, const element_field *fields);

void put_quads(text *out, const void *quads, uint32_t num);
void put_quads_json(text *out, const void *quads, uint32_t num); /* ,"quads":[...] */
void put_sources(text *out, const void *sources, uint32_t num, bool old);
void put_sources_json(text *out, const void *sources, uint32_t num, bool old); /* ,"sources":[...] */
void put_points(text *out, const tm_envelope *envelope);
void put_points_json(text *out, const tm_envelope *envelope); /* ,"points":[...] */

#endif
