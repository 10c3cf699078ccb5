/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_REFERENCES_H
#define TMI_MAP_REFERENCES_H
/*
 * Keeping references right, for the functions that rearrange images, sounds and envelopes.
 */
#include "field_rows.h"

typedef enum tmi_change { TMI_INSERTED, TMI_REMOVED, TMI_MOVED } tmi_change;

/* What happens to one of the arrays, as a mapping from old index to new. */
typedef struct tmi_renumber {
    tm_object object;
    tmi_change change;
    uint32_t from; /* REMOVED, MOVED */
    uint32_t to;   /* INSERTED, MOVED */
    uint32_t num;  /* objects before the change */
} tmi_renumber;

/* Negative indices stay as they are. */
int32_t tmi_renumber_index(const tmi_renumber *how, int32_t index);
/* Does all that can fail; changes nothing that anybody sees. */
tm_status tmi_renumber_prepare(const tmi_renumber *how, tm_map *map, tm_error *error);
/* After prepare, before or after the array itself has changed. */
void tmi_renumber_apply(const tmi_renumber *how, tm_map *map);

/* ------------------------------------------------------------------------------ visiting references */

/* Sees one index, and may change it. */
typedef void tmi_visit_reference(void *ctx, tm_object object, int32_t *index);
/* Those in a layer's struct. */
void tmi_visit_references(tm_layer *layer, tmi_visit_reference *visit, void *ctx);
/* The block that has more of them; NULL if there is none. */
const tm_block *tmi_referring_block(const tm_layer *layer);
/* Those in its bytes, which are written only where the visitor changed an index; NULL bytes have none. */
void tmi_visit_packed_references(const tm_layer *layer, void *bytes, tmi_visit_reference *visit, void *ctx);

#endif
