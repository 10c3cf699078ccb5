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

#endif
