/* SPDX-License-Identifier: Zlib */
/*
 * Repairs of images: pixels of exactly the size that the image tells, and sizes that games can cut into
 * tiles.
 */
#include "edit_fix.h"
#include "edit_images.h"

/* What there is of the pixels, the rest transparent; *rgba is NULL if there is no row, or far too few. */
static tm_status complete_pixels(uint8_t **rgba, tmi_fixing *m, const tm_image *image, tm_error *error)
{
    enum { PIXEL = 4 };
    const void *bytes;
    uint64_t have = image->pixels && image->format == TM_IMAGE_RGBA ? image->pixels->size : 0;
    *rgba = NULL;
    if (image->width <= 0 || image->height <= 0 || have < (uint64_t)image->width * PIXEL)
        return TM_OK;
    const uint64_t size = (uint64_t)image->width * (uint64_t)image->height * PIXEL;
    if (size > SIZE_MAX || !tmi_take_air(m->air, size - have, 1))
        return TM_OK;
    const tm_status status = tm_map_data(&bytes, &have, m->map, image->pixels, error);
    if (status)
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    TM_TRY(tmi_reserve_zeroed(rgba, m->scratch, (size_t)size, 1, "pixels", error));
    memcpy(*rgba, bytes, (size_t)have);
    return TM_OK;
}

/*
 * An image that lacks the pixels of its size. The client shows what uses it as if it had no image, which is
 * what a white sheet looks like. If it has rows of pixels, these stay, and what is missing is transparent;
 * then the image shows, so that repair is a visible one.
 */
static tm_status fill_pixels(tmi_fixing *m, const tm_image *image, tm_error *error)
{
    uint8_t white[TMI_IMAGE_CELLS * sizeof(uint32_t)], *rgba;
    TM_TRY(complete_pixels(&rgba, m, image, error));
    if (rgba && m->most < TM_FIX_VISIBLE)
        return TM_OK;
    if (!rgba && tm_block_get_info(image->pixels).size)
        tmi_report_at_address(m->findings, TM_MODE_GAME, TM_FINDING_LOST_IMAGE, m->map, m->address, -1,
                              "%llu bytes of pixels that do not fit its size are left out",
                              (unsigned long long)tm_block_get_info(image->pixels).size);
    memset(white, 0xff, sizeof(white));
    const uint32_t width = rgba ? (uint32_t)image->width : TMI_IMAGE_SIDE;
    const uint32_t height = rgba ? (uint32_t)image->height : TMI_IMAGE_SIDE;
    TM_TRY(tm_map_set_pixels(m->map, m->address.index, rgba ? rgba : white, width, height, error));
    return tmi_fix_renew(m, error);
}

/* Pixels of exactly the size that the image tells, in four bytes each. */
tm_status tmi_fix_pixels(tmi_fixing *m, tm_error *error)
{
    if (m->address.kind != TM_KIND_IMAGE)
        return tmi_fix_renew(m, error);
    tm_image *image = &m->map->images[m->address.index];
    tmi_pixels picture;
    if (image->external)
        return TM_OK;
    if (image->width > 0 && image->height > 0 &&
        tm_block_get_info(image->pixels).size == (uint64_t)image->width * (uint64_t)image->height * 3)
        image->format = TM_IMAGE_RGB; /* whatever its item says; some tools wrote such images */
    if (!tm_image_rgba_size(image))
        return fill_pixels(m, image, error);
    const tm_status status = tmi_image_pixels(&picture, m->map, image, m->scratch, error);
    if (status) /* the data are broken */
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    TM_TRY(tm_map_set_pixels(m->map, m->address.index, picture.rgba, picture.width, picture.height, error));
    return tmi_fix_renew(m, error);
}

/* An image of no size, or one for tiles with sides that are no multiples of 16: clients do not cut it. */
tm_status tmi_fix_image_size(tmi_fixing *m, tm_error *error)
{
    if (m->address.kind == TM_KIND_IMAGE)
        return tmi_fix_pixels(m, error);
    const int32_t index = m->tiles ? m->tiles->image : TM_NONE;
    const tm_image *image = tm_map_image(m->map, index);
    tmi_pixels source, target = {0};
    if (m->most < TM_FIX_VISIBLE || !image || !tm_image_rgba_size(image))
        return TM_OK;
    target.width = ((uint32_t)image->width + TMI_IMAGE_SIDE - 1) / TMI_IMAGE_SIDE * TMI_IMAGE_SIDE;
    target.height = ((uint32_t)image->height + TMI_IMAGE_SIDE - 1) / TMI_IMAGE_SIDE * TMI_IMAGE_SIDE;
    const uint64_t size = (uint64_t)target.width * target.height * 4;
    if ((target.width == (uint32_t)image->width && target.height == (uint32_t)image->height) ||
        size > SIZE_MAX)
        return TM_OK;
    if (size > m->map->priv->limits.block_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "an image of %llu bytes is too large",
                        (unsigned long long)size);
    const tm_status status = tmi_image_pixels(&source, m->map, image, m->scratch, error);
    if (status)
        return status == TM_ERROR_DAMAGED ? TM_OK : status;
    TM_TRY(tmi_reserve(&target.rgba, m->scratch, (size_t)size, 1, "pixels", error));
    tmi_pixels_stretch(&target, &source);
    m->count = 1;
    return tm_map_set_pixels(m->map, (uint32_t)index, target.rgba, target.width, target.height, error);
}

tm_status tmi_fix_external_pixels(tmi_fixing *m, tm_error *error)
{
    const tm_image *image = m->address.kind == TM_KIND_IMAGE ? &m->map->images[m->address.index] : NULL;
    if (!image || !image->external || !image->pixels)
        return TM_OK;
    m->count = 1;
    return tmi_drop_pixels(m->map, m->address.index, error);
}
