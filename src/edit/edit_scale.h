/* SPDX-License-Identifier: Zlib */
#ifndef TMI_EDIT_SCALE_H
#define TMI_EDIT_SCALE_H
/*
 * What scaling does with the images of design tiles (scaled_sheets.c).
 */
#include "edit_geometry.h"
#include "edit_images.h"

/*
 * An image whose cells are cut into by x by parts. Parts that look alike are one, those that are not visible
 * none; the others stand, up to 255 each, in new images, which have as many pixels for a tile of the old map
 * as the old one.
 */
typedef struct tmi_sheets {
    bool used[256];       /* cells that some design layer shows */
    tmi_pixels picture;   /* the old pixels; each part has whole ones; NULL: they cannot be had */
    uint32_t *parts;      /* by cell, row and column in it: 1 + the part's number, 0: nothing to see */
    uint32_t num_parts;   /* different ones */
    uint32_t first_image; /* of the new images */
    uint32_t num_images;
    uint32_t by;
} tmi_sheets;

/* Cuts the images that design layers use, and adds the new ones to the map. TM_ERROR_LIMIT for too many. */
tm_status tmi_sheets_cut(tmi_sheets *sheets, uint32_t num, tmi_edit *edit, uint32_t by, tm_error *error);
/* Removes images that nothing uses any more, because scaled parts replaced them. */
tm_status tmi_sheets_drop_old(tmi_sheets *sheets, uint32_t num, tmi_edit *edit, tm_error *error);
/* Multiplies the side of a layer; TM_ERROR_LIMIT if it becomes too long. */
tm_status tmi_scale_side(uint32_t *side, uint32_t by, tm_error *error);
/* How a design layer is scaled. */
typedef struct tmi_design_scale {
    const tmi_sheets *sheets; /* of its image; may be NULL */
    uint32_t world[2];        /* tiles, before */
    uint32_t by;
} tmi_design_scale;
/*
 * Scales a design layer. If its parts are in several images, it becomes as many layers. Tiles of images
 * without pixels are repeated.
 */
tm_status tmi_scale_design(tmi_edit *edit, const tm_address *at, const tmi_design_scale *how,
                           tm_error *error);

#endif
