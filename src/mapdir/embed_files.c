/* SPDX-License-Identifier: Zlib */
/*
 * Pixels and sounds from files into the map that they were extracted from, or one like it. What is equal is
 * not touched, so that the map keeps the packed bytes that it came with.
 */
#include "mapdir.h"

enum { PATH_ROOM = 4096 };

/* The files on their way into a map. */
typedef struct embedding {
    tm_map *map; /* a clone */
    const tm_files_in *files;
    const char *folder;
    tmi_names names;
    tm_report *report;
    uint32_t num; /* of files that were there */
} embedding;

/* ------------------------------------------------------------------------------------------------ reading */

/* Takes all of the file into memory, which closing it gives back. */
static tm_status load_file(tm_input *input, const tm_map *map, tm_error *error)
{
    if (input->size > map->priv->limits.block_bytes)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "the file has %llu bytes, and the limit is %llu",
                        (unsigned long long)input->size, (unsigned long long)map->priv->limits.block_bytes);
    if (input->size == 0)
        return tmi_fail(error, TM_ERROR_DAMAGED, -1, "the file is empty");
    return tm_input_load(input, tmi_map_allocator(map), error);
}

/* Without a file of the name it has no memory. */
static tm_status read_file_of(tm_input *out, embedding *in, tm_object kind, uint32_t index, const char *end,
                              tm_error *error)
{
    char path[PATH_ROOM];
    memset(out, 0, sizeof(*out));
    tmi_format(path, sizeof(path), "%s%s%s/%s%s", in->folder, in->folder[0] ? "/" : "", tmi_list_names[kind],
               in->names.of[kind][index], end);
    const int32_t at = tmi_find_file(in->files, path);
    if (at == TM_NONE)
        return TM_OK;
    in->num++;
    TM_TRY(in->files->open(in->files->ctx, (uint32_t)at, out, error));
    const tm_status status = load_file(out, in->map, error);
    if (status)
        tmi_close_input(out);
    return status ? tmi_fail_at(error, status, "%.200s", path) : TM_OK;
}

/* ------------------------------------------------------------------------------------------- into the map */

static bool has_size(const tm_image *image, uint32_t width, uint32_t height)
{
    return !image->external && image->pixels && image->width == (int32_t)width &&
           image->height == (int32_t)height;
}

/* Whether an image has these pixels already. */
static tm_status equals_own_pixels(bool *same, const tm_map *map, const tm_image *image, const uint8_t *rgba,
                                   size_t size, tm_error *error)
{
    uint8_t *own;
    TM_TRY(tmi_reserve(&own, tmi_map_allocator(map), size, 1, "pixels", error));
    const tm_status status = tm_map_image_pixels(map, image, own, size, error);
    *same = !status && memcmp(own, rgba, size) == 0;
    tmi_free(tmi_map_allocator(map), own, size, 1);
    return status == TM_ERROR_DAMAGED ? TM_OK : status;
}

static tm_status give_picture(embedding *in, uint32_t index, const uint8_t *rgba, uint32_t width,
                              uint32_t height, tm_error *error)
{
    const tm_image *image = &in->map->images[index];
    bool same = false;
    if (has_size(image, width, height))
        TM_TRY(equals_own_pixels(&same, in->map, image, rgba, (size_t)width * height * 4, error));
    if (same)
        return TM_OK;
    tmi_report_change(in->report, "embed", in->map, (tm_address){TM_ADDRESS_IMAGE, index, 0}, 1,
                      "%s, %ux%u pixels", image->external ? "embedded" : "other pixels", (unsigned)width,
                      (unsigned)height);
    return tm_map_set_pixels(in->map, index, rgba, width, height, error);
}

/* Pixels that were no picture went out as their bytes: as these they are there already. */
static tm_status keep_pixel_bytes(embedding *in, uint32_t index, tm_error *error)
{
    const tm_image *image = &in->map->images[index];
    const void *bytes = NULL;
    uint64_t size = 0;
    tm_input file;
    TM_TRY(read_file_of(&file, in, TM_OBJECT_IMAGE, index, ".bin", error));
    if (!file.memory)
        return TM_OK;
    tm_status status = TM_OK;
    if (!image->external && image->pixels)
        status = tm_map_data(&bytes, &size, in->map, image->pixels, error);
    if (!status && (!bytes || size != file.size || memcmp(bytes, file.memory, (size_t)size) != 0))
        status = tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                          "'%.200s.bin' differs from the map; to replace the image, use a PNG",
                          in->names.of[TM_OBJECT_IMAGE][index]);
    tmi_close_input(&file);
    return status;
}

static tm_status embed_picture(embedding *in, uint32_t index, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(in->map);
    tm_input file;
    uint8_t *rgba = NULL;
    uint32_t width, height;
    TM_TRY(read_file_of(&file, in, TM_OBJECT_IMAGE, index, ".png", error));
    if (!file.memory)
        return keep_pixel_bytes(in, index, error);
    tm_status status = tm_picture_read(&rgba, &width, &height, file.memory, (size_t)file.size,
                                       in->map->priv->limits.block_bytes, allocator, error);
    tmi_close_input(&file);
    if (status)
        return status;
    status = give_picture(in, index, rgba, width, height, error);
    tmi_free(allocator, rgba, (size_t)width * height * 4, 1);
    return status;
}

static tm_status put_opus_bytes(embedding *in, uint32_t index, const tm_input *file, tm_error *error)
{
    const tm_sound *sound = &in->map->sounds[index];
    const void *bytes = NULL;
    uint64_t size = 0;
    const char *fault = tmi_opus_fault(file->memory, (size_t)file->size);
    if (!sound->external && sound->data)
        TM_TRY(tm_map_data(&bytes, &size, in->map, sound->data, error));
    if (bytes && size == file->size && memcmp(bytes, file->memory, (size_t)size) == 0)
        return TM_OK;
    if (fault)
        return tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "cannot take it as a sound: %s", fault);
    tmi_report_change(in->report, "embed", in->map, (tm_address){TM_ADDRESS_SOUND, index, 0}, 1,
                      "%s, %llu bytes", sound->external ? "embedded" : "other data",
                      (unsigned long long)file->size);
    return tm_map_set_sound(in->map, index, file->memory, (size_t)file->size, error);
}

static tm_status embed_opus(embedding *in, uint32_t index, tm_error *error)
{
    tm_input file;
    TM_TRY(read_file_of(&file, in, TM_OBJECT_SOUND, index, ".opus", error));
    if (!file.memory)
        return TM_OK;
    const tm_status status = put_opus_bytes(in, index, &file, error);
    tmi_close_input(&file);
    return status;
}

/* Of a map with nothing embedded there is but the list: then there is nothing to do. */
static bool is_of_empty_map(const embedding *in)
{
    char path[PATH_ROOM];
    for (uint32_t i = 0; i < in->map->num_images; i++)
        if (!in->map->images[i].external)
            return false;
    for (uint32_t i = 0; i < in->map->num_sounds; i++)
        if (!in->map->sounds[i].external)
            return false;
    tmi_format(path, sizeof(path), "%s%slist.json", in->folder, in->folder[0] ? "/" : "");
    return tmi_find_file(in->files, path) != TM_NONE;
}

static tm_status embed_all(embedding *in, tm_error *error)
{
    tm_status status = TM_OK;
    tm_address at = {TM_ADDRESS_IMAGE, 0, 0};
    for (; at.index < in->map->num_images && !status; at.index++)
        status = embed_picture(in, at.index, error);
    if (!status) {
        at = (tm_address){TM_ADDRESS_SOUND, 0, 0};
        for (; at.index < in->map->num_sounds && !status; at.index++)
            status = embed_opus(in, at.index, error);
    }
    if (status) {
        at.index--;
        return tmi_fail_at_address(error, status, in->map, at);
    }
    if (in->num || is_of_empty_map(in))
        return TM_OK;
    return tmi_fail(error, TM_ERROR_NOT_FOUND, -1,
                    "there is no file of an image or a sound of this map in '%.200s'", in->folder);
}

tm_status tm_mapdir_embed(tm_map *map, const tm_files_in *files, const char *folder, tm_report *report,
                          tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(files, "files", error));
    tm_report own;
    embedding in = {.files = files, .folder = folder ? folder : "", .report = &own};
    TM_TRY(tm_map_verify(map, error));
    TM_TRY(tmi_names_make(&in.names, map, NULL, error));
    tm_status status = tm_map_clone(&in.map, map, error);
    tm_report_init(&own, tmi_map_allocator(map));
    if (!status)
        status = embed_all(&in, error);
    if (!status && (own.num || own.unlisted))
        tm_map_swap(map, in.map);
    if (!status && report)
        tmi_report_join(report, &own);
    tm_report_release(&own);
    tmi_names_release(&in.names);
    tm_map_free(in.map);
    return status;
}
