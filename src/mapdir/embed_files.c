/* SPDX-License-Identifier: Zlib */
/*
 * Embeds images and sounds from files into the map that they were extracted from, or a similar one. Equal
 * data are not touched, so that they keep their packed bytes.
 */
#include "mapdir.h"

enum { PATH_ROOM = 4096 };

/* Files that are embedded into a map. */
typedef struct embedding {
    tm_map *map; /* a clone */
    const tm_files_in *files;
    const char *folder;
    tmi_names names;
    tm_report *report;
    uint32_t num; /* of files that were there */
} embedding;

/* ------------------------------------------------------------------------------------------------ reading */

/* Loads the file of an object, until it is closed; it has no memory if there is no such file. */
static tm_status read_file_of(tm_input *out, embedding *job, tm_kind kind, uint32_t index, const char *end,
                              tm_error *error)
{
    char path[PATH_ROOM], own[TMI_PATH_SIZE];
    memset(out, 0, sizeof(*out));
    tmi_object_path(own, &job->names, kind, job->names.lists[kind][index], end);
    tmi_format(path, sizeof(path), "%s%s%s", job->folder, job->folder[0] ? "/" : "", own);
    const int32_t at = tmi_find_file(job->files, path);
    if (at == TM_NONE)
        return TM_OK;
    job->num++;
    TM_TRY(job->files->open(job->files->ctx, (uint32_t)at, out, error));
    const unsigned long long most = job->map->priv->limits.block_bytes;
    tm_status status;
    if (out->size > most)
        status = tmi_fail(error, TM_ERROR_LIMIT, -1, "the file has %llu bytes, and the limit is %llu",
                          (unsigned long long)out->size, most);
    else if (out->size == 0)
        status = tmi_fail(error, TM_ERROR_DAMAGED, -1, "the file is empty");
    else
        status = tm_input_load(out, tmi_map_allocator(job->map), error);
    if (status)
        tmi_close_input(out);
    return status ? tmi_fail_at(error, status, "%.200s", path) : TM_OK;
}

/* ------------------------------------------------------------------------------------------- into the map */

static tm_status give_picture(embedding *job, uint32_t index, const uint8_t *rgba, uint32_t width,
                              uint32_t height, tm_error *error)
{
    const tm_image *image = &job->map->images[index];
    const size_t size = (size_t)width * height * 4;
    uint8_t *pixels;
    if (!image->external && image->pixels && image->width == (int32_t)width &&
        image->height == (int32_t)height) {
        TM_TRY(tmi_reserve(&pixels, tmi_map_allocator(job->map), size, 1, "pixels", error));
        const tm_status status = tm_map_image_pixels(job->map, image, pixels, size, error);
        const bool same = !status && memcmp(pixels, rgba, size) == 0;
        tmi_free(tmi_map_allocator(job->map), pixels, size, 1);
        if (same || (status && status != TM_ERROR_DAMAGED))
            return status;
    }
    tmi_report_change(job->report, "embed", job->map, (tm_address){TM_KIND_IMAGE, index, 0}, 1,
                      "%s, %ux%u pixels", image->external ? "embedded" : "other pixels", (unsigned)width,
                      (unsigned)height);
    return tm_map_set_pixels(job->map, index, rgba, width, height, error);
}

/* Whether a block holds the bytes of a file. */
static tm_status holds_file(bool *is_same, const embedding *job, const tm_block *block, const tm_input *file,
                            tm_error *error)
{
    tmi_borrowed loan;
    *is_same = block && block->size == file->size;
    if (!*is_same)
        return TM_OK;
    TM_TRY(tmi_borrowed_open(&loan, job->map, block, error));
    *is_same = memcmp(loan.bytes, file->memory, (size_t)file->size) == 0;
    tmi_borrowed_close(&loan);
    return TM_OK;
}

/* Pixels without a valid size were extracted as bytes. These must be unchanged. */
static tm_status keep_pixel_bytes(embedding *job, uint32_t index, tm_error *error)
{
    const tm_image *image = &job->map->images[index];
    tm_input file;
    bool same;
    TM_TRY(read_file_of(&file, job, TM_KIND_IMAGE, index, ".bin", error));
    if (!file.memory)
        return TM_OK;
    tm_status status = holds_file(&same, job, image->external ? NULL : image->pixels, &file, error);
    if (!status && !same)
        status = tmi_fail(error, TM_ERROR_UNSUPPORTED, -1,
                          "'%.200s.bin' differs from the map; to replace the image, use a PNG",
                          job->names.lists[TM_KIND_IMAGE][index]);
    tmi_close_input(&file);
    return status;
}

static tm_status embed_picture(embedding *job, uint32_t index, tm_error *error)
{
    const tm_allocator *allocator = tmi_map_allocator(job->map);
    tm_input file;
    uint8_t *rgba = NULL;
    uint32_t width, height;
    TM_TRY(read_file_of(&file, job, TM_KIND_IMAGE, index, ".png", error));
    if (!file.memory)
        return keep_pixel_bytes(job, index, error);
    tm_status status = tm_picture_read(&rgba, &width, &height, file.memory, (size_t)file.size,
                                       job->map->priv->limits.block_bytes, allocator, error);
    tmi_close_input(&file);
    if (status)
        return status;
    status = give_picture(job, index, rgba, width, height, error);
    tmi_free(allocator, rgba, (size_t)width * height * 4, 1);
    return status;
}

static tm_status embed_opus(embedding *job, uint32_t index, tm_error *error)
{
    const tm_sound *sound = &job->map->sounds[index];
    tm_input file;
    bool same;
    TM_TRY(read_file_of(&file, job, TM_KIND_SOUND, index, ".opus", error));
    if (!file.memory)
        return TM_OK;
    const char *fault = tmi_opus_fault(file.memory, (size_t)file.size, file.size);
    tm_status status = holds_file(&same, job, sound->external ? NULL : sound->data, &file, error);
    if (!status && !same && fault)
        status = tmi_fail(error, TM_ERROR_UNSUPPORTED, -1, "cannot take it as a sound: %s", fault);
    if (!status && !same) {
        tmi_report_change(job->report, "embed", job->map, (tm_address){TM_KIND_SOUND, index, 0}, 1,
                          "%s, %llu bytes", sound->external ? "embedded" : "other data",
                          (unsigned long long)file.size);
        status = tm_map_set_sound(job->map, index, file.memory, (size_t)file.size, error);
    }
    tmi_close_input(&file);
    return status;
}

static tm_status embed_all(embedding *job, tm_error *error)
{
    char path[PATH_ROOM];
    bool empty = true; /* nothing is embedded in the map, so that the folder only has the list */
    for (uint32_t i = 0; i < job->map->num_images; i++) {
        TM_TRY(tmi_fail_at_address(error, embed_picture(job, i, error), job->map,
                                   (tm_address){TM_KIND_IMAGE, i, 0}));
        empty = empty && job->map->images[i].external;
    }
    for (uint32_t i = 0; i < job->map->num_sounds; i++) {
        TM_TRY(tmi_fail_at_address(error, embed_opus(job, i, error), job->map,
                                   (tm_address){TM_KIND_SOUND, i, 0}));
        empty = empty && job->map->sounds[i].external;
    }
    tmi_format(path, sizeof(path), "%s%slist.json", job->folder, job->folder[0] ? "/" : "");
    if (job->num || (empty && tmi_find_file(job->files, path) != TM_NONE))
        return TM_OK;
    return tmi_fail(error, TM_ERROR_NOT_FOUND, -1,
                    "there is no file of an image or a sound of this map in '%.200s'", job->folder);
}

tm_status tm_mapdir_embed(tm_map *map, const tm_files_in *files, const char *folder, tm_report *report,
                          tm_error *error)
{
    TM_TRY(tmi_need(map, "map", error));
    TM_TRY(tmi_need(files, "files", error));
    tmi_work work;
    TM_TRY(tm_map_verify(map, error));
    TM_TRY(tmi_work_begin(&work, map, error));
    embedding job = {
        .map = work.clone, .files = files, .folder = folder ? folder : "", .report = &work.report};
    tm_status status = tmi_names_make(&job.names, map, NULL, error);
    if (!status)
        status = embed_all(&job, error);
    tmi_names_release(&job.names);
    return tmi_work_end(&work, status, report);
}
