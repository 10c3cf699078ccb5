/* SPDX-License-Identifier: Zlib */
/*
 * Setting what is more than a plain field: texts, settings, names, pixels, sounds. Lists of elements stand in
 * elements.c. Each function makes the new thing first and puts it in place when nothing can fail any more.
 * Everything is copied, so that callers may pass parts of the same map.
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

/* ----------------------------------------------------------------------------------------------- settings */

static void free_settings(tm_map *map, const char **settings, uint32_t num)
{
    tmi_free(tmi_map_allocator(map), settings, num, sizeof(*settings));
}

static tm_status new_settings(const char ***out, tm_map *map, uint32_t num, tm_error *error)
{
    *out = NULL;
    if (num == 0)
        return TM_OK;
    return tmi_reserve(out, tmi_map_allocator(map), num, sizeof(**out), "settings", error);
}

static void release_settings(tm_map *map, const char **settings, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++)
        tmi_text_release(map, settings[i]);
}

/* Puts another list in the place of the old one, whose texts live on in it or have been released. */
static void replace_settings(tm_map *map, const char **settings, uint32_t num)
{
    free_settings(map, map->info.settings, map->info.num_settings);
    map->info.settings = settings;
    map->info.num_settings = num;
}

tm_status tm_map_set_settings(tm_map *map, const char *const *settings, uint32_t num, tm_error *error)
{
    const char **own;
    TM_TRY(tmi_check_map(map, error));
    if (num && !settings)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "the array of %u settings is NULL", (unsigned)num);
    TM_TRY(new_settings(&own, map, num, error));
    for (uint32_t i = 0; i < num; i++) {
        tm_status status = tmi_text_take(map, &own[i], settings[i] ? settings[i] : "", error);
        if (status != TM_OK) {
            release_settings(map, own, i);
            free_settings(map, own, num);
            return status;
        }
    }
    release_settings(map, map->info.settings, map->info.num_settings);
    replace_settings(map, own, num);
    return TM_OK;
}

tm_status tm_map_insert_setting(tm_map *map, uint32_t at, const char *text, tm_error *error)
{
    const char **own, *taken;
    TM_TRY(tmi_check_map(map, error));
    const uint32_t num = map->info.num_settings;
    if (at > num)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "cannot insert a setting at %u, the map has %u",
                        (unsigned)at, (unsigned)num);
    if (num >= INT32_MAX)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the map has %u settings, more are not possible",
                        (unsigned)num);
    TM_TRY(tmi_text_take(map, &taken, text ? text : "", error));
    tm_status status = new_settings(&own, map, num + 1, error);
    if (status != TM_OK) {
        tmi_text_release(map, taken);
        return status;
    }
    if (at > 0)
        memcpy(own, map->info.settings, at * sizeof(*own));
    own[at] = taken;
    if (at < num)
        memcpy(own + at + 1, map->info.settings + at, (num - at) * sizeof(*own));
    replace_settings(map, own, num + 1);
    return TM_OK;
}

tm_status tmi_map_remove_setting(tm_map *map, uint32_t index, uint32_t num, tm_error *error)
{
    const char **own;
    TM_TRY(tmi_check_map(map, error));
    const uint32_t all = map->info.num_settings;
    if (index > all || num > all - index)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "%u settings from %u on do not exist, the map has %u",
                        (unsigned)num, (unsigned)index, (unsigned)all);
    if (num == 0)
        return TM_OK;
    TM_TRY(new_settings(&own, map, all - num, error));
    release_settings(map, map->info.settings + index, num);
    if (own && index > 0)
        memcpy(own, map->info.settings, index * sizeof(*own));
    if (own && index + num < all)
        memcpy(own + index, map->info.settings + index + num, (all - index - num) * sizeof(*own));
    replace_settings(map, own, all - num);
    return TM_OK;
}

/* -------------------------------------------------------------------------------------------------- names */

bool tm_map_set_name(char *name, size_t name_size, const char *text)
{
    size_t length = text ? strlen(text) : 0, size = 0;
    if (!name || name_size == 0)
        return false;
    /* Byte by byte where it is not UTF-8: such names exist and are to be kept as far as they fit. */
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

/* Puts a block in the place of another one. */
static void replace(tm_map *map, tm_block **slot, tm_block *block)
{
    tmi_block_free(map, *slot);
    *slot = block;
}

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
    replace(map, &target->pixels, block);
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
    replace(map, &map->sounds[sound].data, block);
    map->sounds[sound].external = !opus;
    return TM_OK;
}
