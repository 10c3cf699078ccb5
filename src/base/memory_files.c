/* SPDX-License-Identifier: Zlib */
/*
 * Named files in memory, which unpacking and packing a map can use like a folder. Also the check of file
 * names, on which all code relies that makes paths of them.
 */
#include <teemap/files.h>

#include "base.h"

bool tmi_file_name_valid(const char *name)
{
    if (!name)
        return false;
    for (;;) {
        const size_t size = strcspn(name, "/");
        if (size == 0 || (name[0] == '.' && (size == 1 || (size == 2 && name[1] == '.'))))
            return false;
        for (const char *end = name + size; name < end; name++)
            if ((uint8_t)*name < 0x20 || *name == 0x7f || *name == '\\')
                return false;
        if (!*name++)
            return true;
    }
}

const tm_memory_file *tm_memory_files_find(const tm_memory_files *files, const char *name)
{
    for (uint32_t i = 0; files && name && i < files->num; i++)
        if (strcmp(files->list[i].name, name) == 0)
            return &files->list[i];
    return NULL;
}

/* Adds a file. Takes its bytes over, also on failure. */
static tm_status append_file(tm_memory_files *files, const char *name, void *bytes, size_t size,
                             tm_error *error)
{
    char *copy = tmi_strdup(files->allocator, name);
    tm_status status = copy ? TM_OK : tmi_fail_memory(error, strlen(name) + 1, "the name of a file");
    if (status == TM_OK)
        status = tmi_grow(files->allocator, &files->list, &files->capacity, (size_t)files->num + 1,
                          sizeof(*files->list), error);
    if (status != TM_OK) {
        tmi_strfree(files->allocator, copy);
        tmi_free(files->allocator, bytes, size, 1);
        return status;
    }
    files->list[files->num++] = (tm_memory_file){copy, bytes, size};
    return TM_OK;
}

static tm_status check_file_name(const char *name, tm_error *error)
{
    TM_TRY(tmi_need(name, "name", error));
    if (tmi_file_name_valid(name))
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not a valid file name", name);
}

tm_status tm_memory_files_add(tm_memory_files *files, const char *name, const void *bytes, size_t size,
                              tm_error *error)
{
    TM_TRY(tmi_need(files, "files", error));
    TM_TRY(check_file_name(name, error));
    if (size)
        TM_TRY(tmi_need(bytes, "bytes", error));
    uint8_t *copy;
    TM_TRY(tmi_reserve(&copy, files->allocator, size, 1, "a file", error));
    if (size)
        memcpy(copy, bytes, size);
    tm_memory_file *old = (tm_memory_file *)(uintptr_t)tm_memory_files_find(files, name);
    if (!old)
        return append_file(files, name, copy, size, error);
    tmi_free(files->allocator, (void *)(uintptr_t)old->bytes, old->size, 1);
    old->bytes = copy;
    old->size = size;
    return TM_OK;
}

static tm_status write_memory_file(void *ctx, const char *name, tm_file_put *put, void *put_ctx,
                                   tm_error *error)
{
    tm_memory_files *files = ctx;
    tm_buffer buffer = {.allocator = files->allocator};
    const tm_output output = tm_output_to_buffer(&buffer);
    tm_status status = check_file_name(name, error);
    if (status == TM_OK)
        status = put(put_ctx, &output, error);
    uint8_t *bytes =
        status == TM_OK ? tmi_realloc(files->allocator, buffer.bytes, buffer.capacity, buffer.size, 1) : NULL;
    if (status == TM_OK && !bytes)
        status = tmi_fail_memory(error, buffer.size, "a file");
    if (status != TM_OK) {
        tm_buffer_release(&buffer);
        return status;
    }
    return append_file(files, name, bytes, buffer.size, error);
}

tm_files_out tm_memory_files_out(tm_memory_files *files)
{
    const tm_files_out out = {files, files ? write_memory_file : NULL, false};
    return out;
}

static const char *memory_name(void *ctx, uint32_t index)
{
    const tm_memory_files *files = ctx;
    return files->list[index].name;
}

static tm_status open_memory_file(void *ctx, uint32_t index, tm_input *out, tm_error *error)
{
    const tm_memory_files *files = ctx;
    (void)error;
    *out = tm_input_from_memory(files->list[index].bytes, files->list[index].size);
    return TM_OK;
}

static int by_file_name(const void *a, const void *b)
{
    return strcmp(((const tm_memory_file *)a)->name, ((const tm_memory_file *)b)->name);
}

tm_files_in tm_memory_files_in(tm_memory_files *files)
{
    if (files && files->num)
        qsort(files->list, files->num, sizeof(*files->list), by_file_name);
    const tm_files_in input = {files, files ? files->num : 0, memory_name, open_memory_file, NULL};
    return input;
}

void tm_memory_files_release(tm_memory_files *files)
{
    if (!files)
        return;
    for (uint32_t i = 0; i < files->num; i++) {
        tmi_strfree(files->allocator, (char *)(uintptr_t)files->list[i].name);
        tmi_free(files->allocator, (void *)(uintptr_t)files->list[i].bytes, files->list[i].size, 1);
    }
    tmi_free(files->allocator, files->list, files->capacity, sizeof(*files->list));
    files->list = NULL;
    files->num = 0;
    files->capacity = 0;
}

void tm_sidecar_release(tm_sidecar *sidecar)
{
    if (!sidecar)
        return;
    tmi_free(sidecar->allocator, sidecar->bytes, sidecar->size, 1);
    tmi_free(sidecar->allocator, sidecar->places, sidecar->num_places, sizeof(*sidecar->places));
    memset(sidecar, 0, sizeof(*sidecar));
}
