/* SPDX-License-Identifier: Zlib */
#ifndef TMI_EDIT_TILES_H
#define TMI_EDIT_TILES_H
/*
 * What the operations on tiles share: places that fit a pattern, and changing the tiles there.
 */
#include "edit.h"

#include <teemap/query.h>

/* A rectangle of tiles of a layer. */
typedef struct tmi_tile_place {
    uint32_t group, layer;
    tm_rect rect;
} tmi_tile_place;

/* Those of a layer stand together. */
typedef struct tmi_tile_places {
    tmi_tile_place *list;
    size_t num, capacity;
    const tm_allocator *scratch;
    tm_status status; /* while they are gathered */
    tm_error *error;
} tmi_tile_places;
/* Where a pattern fits, in the layers and the region of an argument, which may be NULL or left out. */
tm_status tmi_tile_places_find(tmi_tile_places *out, const tmi_edit *edit, const char *pattern,
                               const tmi_edit_value *layers, tm_error *error);

/* What becomes of one tile, in place. */
typedef struct tmi_tile_changer {
    void (*change)(const void *ctx, tm_layer_kind kind, uint8_t *tile);
    const void *ctx;
    const char *done; /* for the report, behind "5 tiles": "replaced" */
} tmi_tile_changer;
/* A change that makes a tile what `paint` (tmi_paint) says, whatever it was. */
void tmi_edit_write_tile(const void *paint, tm_layer_kind kind, uint8_t *tile);
/* Changes all tiles of the places. Layers in which no tile becomes another stay untouched. */
tm_status tmi_tile_places_change(tmi_edit *edit, const tmi_tile_changer *changer,
                                 const tmi_tile_places *places, tm_error *error);
/* Changes all tiles that fit a pattern, as tmi_tile_places_change does. */
tm_status tmi_tiles_change(tmi_edit *edit, const char *pattern, const tmi_edit_value *layers,
                           const tmi_tile_changer *changer, tm_error *error);

/* A server command with other numbers: to[pool][number], where 0 stays. It lives in the scratch; NULL: the
   command names none of these numbers. */
tm_status tmi_edit_renumber_text(const char **out, tmi_edit *edit, const char *text,
                                 uint8_t to[][TMI_NUMBERS], tm_error *error);

#endif
