/* SPDX-License-Identifier: Zlib */
#ifndef TMI_EDIT_IMAGES_H
#define TMI_EDIT_IMAGES_H
/*
 * What operations on images and sounds share: which of them are meant, and their pixels.
 */
#include "edit.h"

static inline tm_address tmi_edit_image_address(uint32_t image)
{
    return tmi_edit_address(TM_KIND_IMAGE, image, 0);
}

/*
 * The pixels of an image, of the scratch. No pixels (rgba NULL) and no failure if the image is external or
 * damaged: the finding no-pixels tells it.
 */
tm_status tmi_edit_pixels(tmi_pixels *out, tmi_edit *edit, uint32_t image, bool asked, tm_error *error);
/* Removes the pixels, but keeps the size: games do not read the pixels of an external image. */
tm_status tmi_drop_pixels(tm_map *map, uint32_t image, tm_error *error);

/* A file, and of a picture its pixels; both of the scratch. */
typedef struct tmi_edit_picture {
    uint8_t *bytes;
    size_t size;
    tmi_pixels pixels;
} tmi_edit_picture;
/* The name of a file without folders and ending. */
const char *tmi_edit_stem(size_t *size, const char *file);
/* Reads a PNG or WebP. */
tm_status tmi_edit_open_picture(tmi_edit_picture *out, const tmi_edit *edit, const char *name,
                                tm_error *error);

/* Gives an image or a sound the content of a file: a PNG or WebP, an Opus file. */
tm_status tmi_edit_read_content(tmi_edit *edit, const tm_address *address, const char *name, tm_error *error);
/* The pixels that the games have under an image's name; none (rgba NULL) and no failure without such. */
tm_status tmi_edit_games_pixels(tmi_pixels *out, const tmi_edit *edit, const tm_image *image,
                                tm_error *error);

/* Which cells of a sheet of tiles are opaque: alpha of 250 at least everywhere, as the editors see it. */
enum { TMI_SHEET_CELLS = 16 };
typedef struct tmi_sheet_cells {
    bool known; /* there are pixels */
    bool opaque[TMI_SHEET_CELLS * TMI_SHEET_CELLS];
} tmi_sheet_cells;
/* `image` may be TM_NONE. */
tm_status tmi_sheet_cells_find(tmi_sheet_cells *out, tmi_edit *edit, int32_t image, tm_error *error);
/* The flags of a tile with the opaque one as it should be; `solid`: the layer's color is, too. */
uint8_t tmi_sheet_flags(const tm_tile *tile, const tmi_sheet_cells *cells, bool solid);

#endif
