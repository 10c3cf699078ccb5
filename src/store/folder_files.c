/* SPDX-License-Identifier: Zlib */
/*
 * A folder as files with names. What is read is what was listed, so no name can lead out of the folder;
 * what is written goes where every folder on the way is one, and no link.
 */
#include <teemap/store.h>

#include "../base/base.h"

enum { MAX_DEPTH = 8, MAX_FILES = 1 << 20 };

struct tm_store_folder {
    const tm_allocator *allocator;
    tmi_arena arena;
    const char *path;   /* without a slash at its end */
    const char **names; /* below the path, sorted by their bytes */
    uint32_t num;
    size_t capacity;
};

/* ------------------------------------------------------------------------------------------------ listing */

static tm_status fail_as(tm_error *error, tm_side side, const char *path, const char *reason)
{
    tmi_fail(error, TM_ERROR_IO, -1, "%s", reason);
    tmi_error_about(error, side, path);
    return TM_ERROR_IO;
}

typedef struct listing {
    tm_store_folder *folder;
    unsigned depth;
    tm_status status;
    tm_error *error;
} listing;

static tm_status list_below(tm_store_folder *folder, const char *path, unsigned depth, tm_error *error);

static tm_status add_name(tm_store_folder *folder, const char *name, tm_error *error)
{
    if (folder->num == MAX_FILES)
        return tmi_fail(error, TM_ERROR_LIMIT, -1, "there are more than %d files in the folder", MAX_FILES);
    TM_TRY(tmi_grow(folder->allocator, &folder->names, &folder->capacity, (size_t)folder->num + 1,
                    sizeof(*folder->names), error));
    TM_TRY(tmi_arena_text(&folder->names[folder->num], &folder->arena, name, strlen(name), "a name", error));
    folder->num++;
    return TM_OK;
}

static bool list_entry(void *ctx, const char *path, tm_sys_kind kind)
{
    listing *list = ctx;
    const char *name = path + strlen(list->folder->path) + 1, *slash = strrchr(name, '/');
    (void)kind; /* of what a link leads to, if it is one */
    if ((slash ? slash[1] : name[0]) == '.' || !tmi_file_name_valid(name))
        return true;
    const tm_sys_kind entry = tm_sys_kind_of_entry(path);
    if (entry == TM_SYS_UNKNOWN)
        list->status =
            fail_as(list->error, TM_SIDE_INPUT, path, "cannot be looked at, so the folder is not read");
    else if (entry == TM_SYS_FILE)
        list->status = add_name(list->folder, name, list->error);
    else if (entry == TM_SYS_FOLDER && list->depth < MAX_DEPTH)
        list->status = list_below(list->folder, path, list->depth + 1, list->error);
    return list->status == TM_OK;
}

/* As deep as MAX_DEPTH. */
// NOLINTNEXTLINE(misc-no-recursion)
static tm_status list_below(tm_store_folder *folder, const char *path, unsigned depth, tm_error *error)
{
    listing list = {folder, depth, TM_OK, error};
    TM_TRY(tm_sys_list(path, list_entry, &list, folder->allocator, error));
    return list.status;
}

static int by_name_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static tm_status fill_folder(tm_store_folder *folder, const char *path, bool make, tm_error *error)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    TM_TRY(tmi_arena_text(&folder->path, &folder->arena, path, size, "a path", error));
    if (tm_sys_kind_of(folder->path) == TM_SYS_FILE)
        return fail_as(error, make ? TM_SIDE_OUTPUT : TM_SIDE_INPUT, path,
                       "is a file, and a folder is needed");
    if (make) {
        const char *slash = strrchr(folder->path, '/'), *parent;
        const size_t above = slash ? (size_t)(slash - folder->path) : 0;
        if (above) { /* a missing parent gets a clearer message than the system's */
            TM_TRY(tmi_arena_text(&parent, &folder->arena, folder->path, above, "a path", error));
            if (tm_sys_kind_of(parent) == TM_SYS_MISSING)
                return fail_as(error, TM_SIDE_OUTPUT, folder->path,
                               "cannot make the folder: its parent folder does not exist");
        }
        TM_TRY(tm_sys_make_folder(folder->path, error));
    }
    TM_TRY(list_below(folder, folder->path, 1, error));
    if (folder->num)
        qsort(folder->names, folder->num, sizeof(*folder->names), by_name_bytes);
    return TM_OK;
}

tm_status tm_store_folder_open(tm_store_folder **out, const char *path, bool make,
                               const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(path, "path", error));
    tm_store_folder *folder;
    TM_TRY(tmi_reserve_zeroed(&folder, allocator, 1, sizeof(*folder), "a folder", error));
    folder->allocator = allocator;
    tmi_arena_init(&folder->arena, allocator);
    const tm_status status = fill_folder(folder, path, make, error);
    if (status != TM_OK) {
        tm_store_folder_close(folder);
        return status;
    }
    *out = folder;
    return TM_OK;
}

void tm_store_folder_close(tm_store_folder *folder)
{
    if (!folder)
        return;
    tmi_free(folder->allocator, folder->names, folder->capacity, sizeof(*folder->names));
    tmi_arena_release(&folder->arena);
    tmi_free(folder->allocator, folder, 1, sizeof(*folder));
}

/* ------------------------------------------------------------------------------------------------ reading */

static const char *listed_name(void *ctx, uint32_t index)
{
    const tm_store_folder *folder = ctx;
    return folder->names[index];
}

/* "folder/name"; free with tmi_strfree. */
static tm_status full_path(char **out, const tm_store_folder *folder, const char *name, tm_error *error)
{
    const size_t size = strlen(folder->path) + strlen(name) + 2;
    char *path = tmi_alloc(folder->allocator, size, 1);
    *out = path;
    if (!path)
        return tmi_fail_memory(error, size, "a path");
    tmi_format(path, size, "%s/%s", folder->path, name);
    return TM_OK;
}

static tm_status open_listed(void *ctx, uint32_t index, tm_input *out, tm_error *error)
{
    const tm_store_folder *folder = ctx;
    char *path;
    TM_TRY(full_path(&path, folder, folder->names[index], error));
    tm_status status = tm_sys_kind_of_entry(path) == TM_SYS_FILE
                           ? tm_sys_open_input(out, path, 0, folder->allocator, error)
                           : fail_as(error, TM_SIDE_INPUT, path, "is no longer a regular file");
    tmi_strfree(folder->allocator, path);
    return status;
}

static const char *what_is_no_file(void *ctx, const char *name)
{
    const tm_store_folder *folder = ctx;
    const char *reason = NULL;
    char *path;
    if (!tmi_file_name_valid(name) || full_path(&path, folder, name, NULL) != TM_OK)
        return NULL;
    const size_t size = strlen(path);
    for (size_t at = strlen(folder->path) + 1; at <= size && !reason; at++) {
        const char end = path[at];
        const bool whole = end == '\0';
        if (end != '/' && !whole)
            continue;
        path[at] = '\0';
        const tm_sys_kind entry = tm_sys_kind_of_entry(path);
        if (entry == TM_SYS_OTHER && tm_sys_kind_of(path) != TM_SYS_OTHER) /* what it leads to is another */
            reason = whole ? "is a symbolic link, which is not followed"
                           : "is behind a symbolic link, which is not followed";
        else if (entry == TM_SYS_OTHER)
            reason = whole ? "is not a regular file" : "is in something that is not a folder";
        else if (entry == TM_SYS_FOLDER && whole)
            reason = "is a folder";
        path[at] = end;
    }
    tmi_strfree(folder->allocator, path);
    return reason;
}

tm_files_in tm_store_folder_in(tm_store_folder *folder)
{
    const tm_files_in files = {folder, folder ? folder->num : 0, listed_name, open_listed, what_is_no_file};
    return files;
}

/* ------------------------------------------------------------------------------------------------ writing */

static tm_status check_below(const char *name, tm_error *error)
{
    TM_TRY(tmi_need(name, "name", error));
    if (tmi_file_name_valid(name))
        return TM_OK;
    return tmi_fail(error, TM_ERROR_USAGE, -1, "'%.60s' is not a valid file name in a folder", name);
}

static tm_status write_below(void *ctx, const char *name, tm_file_put *put, void *put_ctx, tm_error *error)
{
    const tm_store_folder *folder = ctx;
    tm_sys_save *save;
    char *path;
    TM_TRY(check_below(name, error));
    TM_TRY(full_path(&path, folder, name, error));
    tm_status status = tm_sys_make_way(folder->path, name, folder->allocator, error);
    if (status == TM_OK)
        status = tm_sys_save_begin(&save, path, folder->allocator, error);
    if (status == TM_OK) {
        const tm_output output = tm_sys_save_output(save);
        tm_error failure;
        tmi_error_blank(&failure);
        status = tmi_error_told(put(put_ctx, &output, &failure), &failure, error, TM_SIDE_NONE, "the writer");
        if (status == TM_OK)
            status = tm_sys_save_commit(save, error);
        else
            tm_sys_save_abort(save);
    }
    tmi_strfree(folder->allocator, path);
    return status;
}

tm_files_out tm_store_folder_out(tm_store_folder *folder)
{
    const tm_files_out out = {folder, folder ? write_below : NULL, true};
    return out;
}

tm_status tm_store_folder_remove(tm_store_folder *folder, const char *name, tm_error *error)
{
    char *path;
    TM_TRY(tmi_need(folder, "folder", error));
    TM_TRY(check_below(name, error));
    TM_TRY(full_path(&path, folder, name, error));
    tm_status status = tm_sys_make_way(folder->path, name, folder->allocator, error);
    if (status == TM_OK)
        status = tm_sys_remove_file(path, error);
    tmi_strfree(folder->allocator, path);
    return status;
}
