/* SPDX-License-Identifier: Zlib */
/* Reads the files of groups, envelopes, images and sounds into objects, with the PNG and Opus files there. */
#include "mapdir.h"

/* -------------------------------------------------------------------------------------- groups, envelopes */

void tmi_read_group(tmi_reading *reading, const char *name, tm_group *group)
{
    const tmi_fields_of target = {{TM_KIND_GROUP}, 1, group};
    char path[TMI_PATH_SIZE];
    tmi_fields_start(&target);
    tmi_object_path(path, NULL, TM_KIND_GROUP, name, reading->twmap ? "/group.json" : ".json");
    tmi_read_members_of(reading, path, &target, reading->twmap ? TMI_TWMAP_FORM : TMI_OWN_FORM);
}

static void read_envelope_members(tmi_json_file *file, tm_envelope *envelope, int32_t form)
{
    const tmi_fields_of target = {{TM_KIND_ENVELOPE}, 1, envelope};
    tmi_reading *reading = file->reading;
    tm_buffer points = {.allocator = reading->allocator};
    char key[TMI_KEY_SIZE];
    uint32_t num = 0;
    while (tmi_json_member(file, key)) {
        const bool ours = form == TMI_OWN_FORM || strcmp(key, "channels") != 0;
        if (strcmp(key, "points") == 0)
            tmi_read_elements(file, TM_KIND_ENVELOPE_POINT, form, &points, &num);
        else if (!ours || !tmi_read_member(file, &target, key))
            tmi_unknown_member(file, key);
    }
    if (reading->status == TM_OK)
        tmi_note_status(reading, tmi_envelope_reserve(reading->map, envelope, num, reading->error));
    if (reading->status == TM_OK && num)
        memcpy(envelope->points, points.bytes, num * sizeof(*envelope->points));
    tm_buffer_release(&points);
}

void tmi_read_envelope(tmi_reading *reading, const char *name, tm_envelope *envelope)
{
    const tmi_fields_of target = {{TM_KIND_ENVELOPE}, 1, envelope};
    char path[TMI_PATH_SIZE];
    tmi_json_file file;
    tmi_fields_start(&target);
    tmi_object_path(path, NULL, TM_KIND_ENVELOPE, name, ".json");
    if (!tmi_json_open(&file, reading, path))
        return;
    if (!reading->twmap)
        read_envelope_members(&file, envelope, TMI_OWN_FORM);
    else if (tmi_twmap_envelope_type(&file, envelope))
        read_envelope_members(&file, envelope, envelope->channels);
    tmi_json_close(&file);
}

/* ----------------------------------------------------------------------------------------- images, sounds */

/* Reads a whole file into memory, until its input is closed; false, with the reading's status, on failure. */
static bool open_whole(tmi_reading *reading, const char *path, tm_input *input)
{
    const unsigned long long limit = reading->limits.block_bytes;
    if (!tmi_open_named(reading, path, input))
        return false;
    const tm_status status = input->size <= limit ? tm_input_load(input, reading->allocator, reading->error)
                                                  : tmi_fail(reading->error, TM_ERROR_LIMIT, -1,
                                                             "a file has %llu bytes, and the limit is %llu",
                                                             (unsigned long long)input->size, limit);
    tmi_note_status(reading, status);
    if (status)
        tmi_close_input(input);
    return !status;
}

static void keep_bytes(tmi_reading *reading, tm_block **out, const void *bytes, uint64_t size)
{
    tmi_note_status(reading,
                    tmi_block_new(out, reading->map, TMI_ENCODING_BYTES, bytes, size, reading->error));
}

void tmi_read_raw(tmi_reading *reading, const char *path, tm_block **out)
{
    tm_input input;
    if (!open_whole(reading, path, &input))
        return;
    keep_bytes(reading, out, input.memory, input.size);
    tmi_close_input(&input);
}

static void decode_picture(tmi_reading *reading, const char *path, tm_image *image, const tm_input *input)
{
    uint8_t *pixels = NULL;
    uint32_t width, height;
    tm_error error;
    /* for a moment two copies of the pixels are in memory, and one is not counted */
    const uint64_t share = reading->limits.unpacked_bytes / 8, most = reading->limits.block_bytes;
    const tm_status status = tm_png_read(&pixels, &width, &height, input->memory, (size_t)input->size,
                                         share < most ? share : most, reading->allocator, &error);
    if (status == TM_OK) {
        /* The image gets the size of its picture, not of its JSON: so users can replace the picture alone. */
        const uint64_t num = (uint64_t)width * height;
        const bool rgb = image->format == TM_IMAGE_RGB;
        if ((image->width || image->height) &&
            ((uint32_t)image->width != width || (uint32_t)image->height != height))
            tmi_report_in(reading, TM_FINDING_FOLDER_ADJUSTED, TMI_WHOLE(path),
                          "the picture has %u x %u pixels, and the text says %d x %d; the picture counts",
                          (unsigned)width, (unsigned)height, (int)image->width, (int)image->height);
        image->width = (int32_t)width;
        image->height = (int32_t)height;
        for (uint64_t i = 0; rgb && i < num; i++)
            memmove(pixels + i * 3, pixels + i * 4, 3);
        keep_bytes(reading, &image->pixels, pixels, num * (rgb ? 3 : 4));
    } else if (status == TM_ERROR_DAMAGED || status == TM_ERROR_UNSUPPORTED) {
        tmi_report_in(reading, TM_FINDING_FOLDER_VALUE, TMI_WHOLE(path), "the picture cannot be read: %s",
                      error.text);
    } else {
        if (reading->error)
            *reading->error = error;
        tmi_note_status(reading, status);
    }
    if (pixels)
        tm_free(reading->allocator, pixels, (size_t)width * height * 4);
}

void tmi_read_picture(tmi_reading *reading, const char *path, tm_image *image)
{
    tm_input input;
    if (!open_whole(reading, path, &input))
        return;
    decode_picture(reading, path, image, &input);
    tmi_close_input(&input);
}

/* Reads the JSON of an image or a sound. `path` becomes the path of the file that `member` names, or "". */
static void read_with_file(tmi_reading *reading, tm_kind kind, const char *name, const tmi_fields_of *target,
                           const char *member, char path[TMI_PATH_SIZE])
{
    char key[TMI_KEY_SIZE], own[TM_ERROR_TEXT_SIZE] = "";
    tmi_json_file file;
    tmi_fields_start(target);
    tmi_object_path(path, NULL, kind, name, ".json");
    if (tmi_json_open(&file, reading, path)) {
        while (tmi_json_member(&file, key))
            if (strcmp(key, member) == 0)
                tmi_read_string(&file, own, sizeof(own), "null, or the name of a file in this folder");
            else if (!tmi_read_member(&file, target, key))
                tmi_unknown_member(&file, key);
        tmi_json_close(&file);
    }
    path[0] = '\0';
    if (own[0])
        tmi_object_path(path, NULL, kind, own, "");
}

void tmi_read_image(tmi_reading *reading, const char *name, tm_image *image)
{
    const tmi_fields_of target = {{TM_KIND_IMAGE}, 1, image};
    char path[TMI_PATH_SIZE];
    read_with_file(reading, TM_KIND_IMAGE, name, &target, "pixels", path);
    const char *end = strrchr(path, '.');
    if (end && strcmp(end, ".png") == 0)
        tmi_read_picture(reading, path, image);
    else if (path[0])
        tmi_read_raw(reading, path, &image->pixels);
}

void tmi_read_sound(tmi_reading *reading, const char *name, tm_sound *sound)
{
    const tmi_fields_of target = {{TM_KIND_SOUND}, 1, sound};
    char path[TMI_PATH_SIZE];
    read_with_file(reading, TM_KIND_SOUND, name, &target, "data", path);
    if (path[0])
        tmi_read_raw(reading, path, &sound->data);
}
