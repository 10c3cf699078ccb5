/* SPDX-License-Identifier: Zlib */
/*
 * Setting what is more than a plain field: texts, names, pixels, sounds. Lists stand in elements.c. Each
 * function makes the new value first, and stores it when nothing can fail any more. Everything is copied, so
 * that callers may pass parts of the same map.
 */
#include "internal.h"

/* -------------------------------------------------------------------------------------------------- texts */

tm_status tm_map_set_text(tm_map *map, const char **slot, const char *text, tm_error *error)
{
    const char *own;
    TM_TRY(tmi_check_map(map, error));
    TM_TRY(tmi_need(slot, "slot", error));
    if (text && *slot && *slot != text && strcmp(*slot, text) == 0)
        return TM_OK;
    TM_TRY(tmi_text_take(map, &own, text, error));
    tmi_text_release(map, *slot);
    *slot = own;
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- names */

bool tm_map_set_name(char *name, size_t name_size, const char *text)
{
    size_t length = text ? strlen(text) : 0, size = 0;
    if (!name || name_size == 0)
        return false;
    /* Cuts invalid UTF-8 at any byte: such names exist, and are kept as far as they fit. */
    while (size < length) {
        size_t step = tmi_utf8_step(text + size, length - size);
        step = step ? step : 1;
        if (step > name_size - 1 - size)
            break;
        size += step;
    }
    if (size)
        memmove(name, text, size);
    memset(name + size, 0, name_size - size);
    return size == length;
}

/* -------------------------------------------------------------------------------------- pixels and sounds */

tm_status tm_map_set_pixels(tm_map *map, uint32_t image, const void *rgba, uint32_t width, uint32_t height,
                            tm_error *error)
{
    tm_block *block = NULL;
    TM_TRY(tmi_check_object(map, TM_OBJECT_IMAGE, image, error));
    if (width > INT32_MAX || height > INT32_MAX || (rgba && (width == 0 || height == 0)))
        return tmi_fail(error, TM_ERROR_USAGE, -1,
                        "an image cannot have %u x %u pixels: each side is 1 to %ld", (unsigned)width,
                        (unsigned)height, (long)INT32_MAX);
    uint64_t size = (uint64_t)width * height * 4; /* two 31-bit factors: just fits */
    if (rgba)
        TM_TRY(tmi_block_new(&block, map, TMI_ENCODING_BYTES, rgba, size, error));
    tm_image *target = &map->images[image];
    tmi_block_put(map, &target->pixels, block);
    target->external = !rgba;
    if (rgba || width || height) {
        target->width = (int32_t)width;
        target->height = (int32_t)height;
    }
    if (rgba)
        target->format = TM_IMAGE_RGBA;
    return TM_OK;
}

tm_status tm_map_set_sound(tm_map *map, uint32_t sound, const void *opus, size_t size, tm_error *error)
{
    tm_block *block = NULL;
    TM_TRY(tmi_check_object(map, TM_OBJECT_SOUND, sound, error));
    if (opus && size == 0)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the size of the sound is 0");
    if (opus)
        TM_TRY(tmi_block_new(&block, map, TMI_ENCODING_BYTES, opus, size, error));
    tmi_block_put(map, &map->sounds[sound].data, block);
    map->sounds[sound].external = !opus;
    return TM_OK;
}
