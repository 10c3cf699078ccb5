/* SPDX-License-Identifier: Zlib */
#ifndef EDIT_EDIT_FIX_H
#define EDIT_EDIT_FIX_H
/*
 * The functions behind the table of repairs in edit_fix.c. Each gets a finding with the object that it is
 * about, and counts what it repaired; where nothing is to be repaired it does nothing.
 */
#include "edit.h"

/* A finding at work. */
typedef struct tmi_fixing {
    tm_map *map;
    const tm_finding *finding;
    tm_address address;
    tm_layer *layer;             /* there; NULL: it is none */
    tm_tile_layer *tiles;        /* of a layer of tiles, else NULL */
    tm_envelope *envelope;       /* there; NULL: it is none */
    uint64_t count;              /* how many things were fixed; 0: nothing was there to fix */
    tm_fix_effect most;          /* what may be done */
    tm_findings *findings;       /* for what is lost; NULL: nobody asks */
    uint64_t *air;               /* bytes of tiles that layers without any may still get */
    const tm_allocator *scratch; /* ends with the finding */
} tmi_fixing;

typedef tm_status tmi_fix_function(tmi_fixing *m, tm_error *error);

/* --------------------------------------------------------------------------------------- edit_fix_items.c */

/* Forgets the item of an object, so that saving makes a new one; what only the item has is lost. */
void tmi_fix_forget_item(tmi_fixing *m, tm_origin *origin, tm_address address);
/* Reports a repair that would take more than the limits allow: the fault stays, and so does its finding. */
void tmi_fix_report_too_large(const tmi_fixing *m, const char *reason);
/* Lets saving make a new item of the object, or of all envelopes. */
tm_status tmi_fix_renew(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_renew_envelopes(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_version(tmi_fixing *m, tm_error *error);
/* Packs the blocks of an object again, or a block of the file. */
tm_status tmi_fix_repack(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_data(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_name(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_texts(tmi_fixing *m, tm_error *error);

/* -------------------------------------------------------------------------------------- edit_fix_layers.c */

tm_status tmi_fix_tiles(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_physics_size(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_physics_groups(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_layer_size(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_color(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_quad_colors(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_unused_bytes(tmi_fixing *m, tm_error *error);

/* -------------------------------------------------------------------------------------- edit_fix_images.c */

tm_status tmi_fix_pixels(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_image_size(tmi_fixing *m, tm_error *error);
tm_status tmi_fix_external_pixels(tmi_fixing *m, tm_error *error);

#endif
