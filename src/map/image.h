/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAP_IMAGE_H
#define TMI_MAP_IMAGE_H
/*
 * Images: which of their cells layers show, and work on their pixels.
 */
#include <teemap/fields.h>

#include "../base/base.h"

/* The image that a layer of tiles or quads shows; TM_NONE: none, as all other kinds. */
static inline int32_t tmi_image_shown(const tm_layer *layer)
{
    if (layer->kind == TM_LAYER_QUADS)
        return layer->as.quads.image;
    return layer->kind == TM_LAYER_TILES ? layer->as.tiles.image : TM_NONE;
}

enum { TMI_IMAGE_SIDE = 16, TMI_IMAGE_CELLS = TMI_IMAGE_SIDE * TMI_IMAGE_SIDE }; /* one for each index */

/* Bytes of an embedded image's pixels, as its size and format announce them; 0 when that makes no sense. */
static inline uint64_t tmi_image_stored_size(const tm_image *image)
{
    if (image->width <= 0 || image->height <= 0)
        return 0;
    return (uint64_t)image->width * (uint64_t)image->height * (image->format == TM_IMAGE_RGB ? 3 : 4);
}

/* What of an image the games show. */
typedef struct tmi_image_uses {
    uint32_t tile_layers, quad_layers; /* with it that show something; damaged ones count */
    bool any_cell;                     /* an automatic automapper or a damaged layer: any cell may be used */
    bool cells[TMI_IMAGE_CELLS];       /* design tiles of that index; never 0, which shows nothing */
} tmi_image_uses;
/* Counts the uses of all images: map->num_images elements, zeroed here. Keeps nothing unpacked. */
tm_status tmi_map_image_uses(tmi_image_uses *uses, const tm_map *map, tm_error *error);

/*
 * Work on pixels in memory: rows from the top, 4 bytes RGBA each, straight alpha. The cells of a picture are
 * its floor(width / 16) x floor(height / 16) parts; what is left over at the right and the bottom belongs to
 * none. Each counts the pixels that have changed.
 */
typedef struct tmi_pixels {
    uint8_t *rgba;
    uint32_t width, height;
} tmi_pixels;
/* The pixels of an embedded image, of the allocator; none after a failure. */
tm_status tmi_image_pixels(tmi_pixels *out, const tm_map *map, const tm_image *image,
                           const tm_allocator *allocator, tm_error *error);
/*
 * Gives pixels that are not visible at all (alpha 0) the color of what is next to them, as DDNet's editor and
 * its tool `dilate` do (image_pixels.c); with `cells`, each cell by itself. Alpha stays.
 */
tm_status tmi_pixels_dilate(uint64_t *changed, const tmi_pixels *picture, bool cells,
                            const tm_allocator *allocator, tm_error *error);
/* Makes cells that are not kept zero, and those that are not visible at all. */
uint64_t tmi_pixels_blank(const tmi_pixels *picture, const bool keep[TMI_IMAGE_CELLS]);
/* Makes all pixels zero. */
uint64_t tmi_pixels_clear(const tmi_pixels *picture);
/* Makes pixels of alpha 0 zero. */
uint64_t tmi_pixels_clear_hidden(const tmi_pixels *picture);
/*
 * Fills `target`, which is not smaller, with the stretched `source`; each pixel is the mean of what lies
 * below it, weighted by alpha. Sides of multiples of 16 so get the cells where games cut them.
 */
void tmi_pixels_stretch(const tmi_pixels *target, const tmi_pixels *source);

#endif
