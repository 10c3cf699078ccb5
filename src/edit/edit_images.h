/* SPDX-License-Identifier: Zlib */
#ifndef TMI_EDIT_IMAGES_H
#define TMI_EDIT_IMAGES_H
/*
 * What operations on images share: which images are meant, and their pixels.
 */
#include "edit.h"

static inline tm_address tmi_edit_image_address(uint32_t image)
{
    return tmi_edit_address(TM_ADDRESS_IMAGE, image, 0);
}

/* `asked`: this very image was named, not all or all that fit a pattern. */
typedef tm_status tmi_edit_image_function(tmi_edit *edit, uint32_t image, bool asked, void *ctx,
                                          tm_error *error);
/* Works on the images that the arguments from `first` on name, or on all if there are none. */
tm_status tmi_edit_each_image(tmi_edit *edit, uint32_t first, tmi_edit_image_function *work, void *ctx,
                              tm_error *error);

/*
 * The pixels of an image as RGBA, to be freed by tmi_edit_pixels_free. No pixels (rgba NULL) and no failure
 * if the image is external or damaged: the finding no-pixels tells it.
 */
tm_status tmi_edit_pixels(tmi_pixels *out, tmi_edit *edit, uint32_t image, bool asked, tm_error *error);
/* Frees the picture; if pixels of it changed it is the image's from now on, which the report tells. */
tm_status tmi_edit_put_pixels(tmi_edit *edit, uint32_t image, tmi_pixels *picture, uint64_t changed,
                              const char *what, tm_error *error);
void tmi_edit_pixels_free(tmi_pixels *picture, const tm_map *map);

/* Bytes of an image's pixels as RGBA; 0 for sizes that no picture has. */
static inline uint64_t tmi_image_bytes(const tm_image *image)
{
    return image->width > 0 && image->height > 0 ? (uint64_t)image->width * (uint64_t)image->height * 4 : 0;
}

#endif
