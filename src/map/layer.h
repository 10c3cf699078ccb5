/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_LAYER_H
#define TMI_MAP_LAYER_H
/*
 * The elements of layers: tiles, quads and sound sources, and points of envelopes.
 */
#include <teemap/fields.h>

#include "../base/base.h"
#include "origin.h"

/* The view that layers of a kind use for their elements. */
tmi_encoding tmi_encoding_of(tm_layer_kind kind);
/* Number of quads or sources; 0 for other kinds. */
uint32_t tmi_layer_num(const tm_layer *layer);
/* Where a layer keeps the number of its quads or sources; NULL if its kind has none. */
uint32_t *tmi_layer_count(tm_layer *layer);
/*
 * Where a layer keeps the block of its elements (tiles, quads, sources); NULL if its kind has none.
 */
tm_block **tmi_layer_elements(tm_layer *layer);
/* The least and the greatest coordinates of the corners of a quad. */
void tmi_quad_bounds(tm_point *least, tm_point *most, const tm_quad *quad);
/*
 * Whether a quad is invisible: it has no alpha and no color envelope, or no area, which turning and moving do
 * not change.
 */
bool tmi_quad_is_hidden(const tm_map *map, const tm_quad *quad);
/* How far along a bezier curve is at `x` of its time; p1 and p2: its inner points in time. All are 0 to 1. */
double tmi_bezier_part(double p1, double p2, double x);
/* Makes `num` elements in the caller's memory those of a layer of quads or sources. */
tm_status tmi_layer_put_elements(tm_map *map, tm_layer *layer, const void *elements, uint32_t num,
                                 tm_error *error);

/*
 * Whether two layers that were loaded from one item are still alike, so that they can stay one: all fields
 * are, but for those in items of their own (the automapper), and no data have changed.
 */
bool tmi_layer_same_item(const tm_layer *a, const tm_layer *b);

/* The elements of a layer of quads or sound sources, which count as changed; NULL if there are none. */
tm_status tmi_map_edit_elements(void **elements, uint32_t *num, tm_map *map, const tm_layer *layer,
                                tm_error *error);
/* Quads or sources of a layer, or points of an envelope. */
tm_status tmi_map_insert_elements(tm_map *map, const tm_address *address, uint32_t index,
                                  const void *elements, uint32_t num, tm_error *error);
tm_status tmi_map_remove_elements(tm_map *map, const tm_address *address, uint32_t index, uint32_t num,
                                  tm_error *error);

#endif
