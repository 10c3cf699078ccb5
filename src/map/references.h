/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_REFERENCES_H
#define TMI_MAP_REFERENCES_H
/*
 * References of layers to images, sounds and envelopes, in their structs and in their data.
 */
#include <teemap/fields.h>

#include "../base/base.h"

/* Sees one index, which refers to an object of the kind field->refers, and may change it. */
typedef void tmi_visit_reference(void *ctx, const tm_field *field, int32_t *index);
/* Visits the references in the struct of an owner, and in that of a layer by its kind. */
void tmi_visit_element(tm_kind owner, void *object, tmi_visit_reference *visit, void *ctx);
void tmi_visit_references(tm_layer *layer, tmi_visit_reference *visit, void *ctx);
/* The block that has more references, those of the layer's elements; NULL if there is none. */
const tm_block *tmi_referring_block(const tm_layer *layer);
/*
 * Visits the references in its bytes, which are written only where the visitor changes an index. NULL: none.
 */
void tmi_visit_packed_references(const tm_layer *layer, void *bytes, tmi_visit_reference *visit, void *ctx);
/* Visits all references of a layer, and changes none; the elements are unpacked for that time only. */
tm_status tmi_read_references(const tm_map *map, const tm_layer *layer, tmi_visit_reference *visit, void *ctx,
                              tm_error *error);
/*
 * Visits all references of a layer of the map. The elements are unpacked for that, and count as changed only
 * if the visitor changes an index in them. May fail half done.
 */
tm_status tmi_layer_map_references(tm_map *map, tm_layer *layer, tmi_visit_reference *visit, void *ctx,
                                   tm_error *error);

/* A visitor's ctx: what refers to object `from` of a kind refers to `to` then. */
typedef struct tmi_redirection {
    tm_kind object;
    int32_t from, to;
    uint32_t num; /* of the references so far */
} tmi_redirection;
void tmi_redirect(void *ctx, const tm_field *field, int32_t *index);
/*
 * Redirects the references in the structs of layers, as all to images and sounds are; returns their number.
 */
uint32_t tmi_redirect_layers(tm_map *map, tm_kind object, uint32_t from, uint32_t to);

#endif
