/* SPDX-License-Identifier: Zlib */
/*
 * Folders: listing one, and finding all files below one. Both collect first and call back afterwards, in an
 * order that depends on the names alone and not on the file system, and with no folder open while the
 * callback runs.
 */
#include "syscalls.h"
#include "sys.h"

#include <errno.h>

struct found {
    const char *path;
    tm_sys_kind kind;
    bool link;
};

struct list {
    const tm_allocator *allocator;
    tmi_arena texts;
    struct found *found;
    size_t num, capacity;
};

static void list_release(struct list *list)
{
    tmi_free(list->allocator, list->found, list->capacity, sizeof(*list->found));
    tmi_arena_release(&list->texts);
}

static tm_status add_entry(struct list *list, const char *folder, const tmi_sys_listing *entry,
                           tm_error *error)
{
    if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0)
        return TM_OK;
    TM_TRY(
        tmi_grow(list->allocator, &list->found, &list->capacity, list->num + 1, sizeof(*list->found), error));
    const size_t folder_size = strlen(folder), size = folder_size + strlen(entry->name) + 2;
    const bool slash = folder_size && folder[folder_size - 1] != '/';
    char *path = tmi_arena_alloc(&list->texts, size, 1);
    if (!path)
        return tmi_fail_memory(error, size, "a path");
    tmi_format(path, size, "%s%s%s", folder, slash ? "/" : "", entry->name);
    struct found *found = &list->found[list->num++];
    *found = (struct found){path, entry->kind, false};
    if (entry->kind == TM_SYS_UNKNOWN) { /* the folder does not tell */
        tmi_sys_info info;
        found->link = tmi_sys_lstat(path, &info) == 0 && info.is_link;
        found->kind = tm_sys_kind_of(path);
    }
    return TM_OK;
}

/* Appends everything in one folder, in no order. */
static tm_status list_folder(struct list *list, const char *folder, tm_error *error)
{
    tmi_sys_listing listing;
    int more;
    if (tmi_sys_list_open(&listing, folder) != 0)
        return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "list", folder);
    tm_status status = TM_OK;
    while (status == TM_OK && (more = tmi_sys_list_next(&listing)) != 0)
        status = more > 0 ? add_entry(list, folder, &listing, error)
                          : tmi_sys_fail(error, TM_SIDE_INPUT, errno, "list", folder);
    tmi_sys_list_close(&listing);
    return status;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct found *)a)->path, ((const struct found *)b)->path);
}

static void sort(struct list *list)
{
    if (list->num)
        qsort(list->found, list->num, sizeof(*list->found), by_path);
}

tm_status tm_sys_list(const char *folder, bool (*entry)(void *ctx, const char *path, tm_sys_kind kind),
                      void *ctx, const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(folder, "folder", error));
    if (!entry)
        return tmi_need(NULL, "entry", error);
    struct list list = {.allocator = allocator};
    tmi_arena_init(&list.texts, allocator);
    tm_status status = list_folder(&list, folder, error);
    if (status == TM_OK) {
        sort(&list);
        for (size_t i = 0; i < list.num && entry(ctx, list.found[i].path, list.found[i].kind); i++)
            continue;
    }
    list_release(&list);
    return status;
}

/* -------------------------------------------------------------------------------------------- ways */

static tm_status fail_way(tm_error *error, const char *path, const char *reason)
{
    tmi_fail(error, TM_ERROR_IO, -1, "%s", reason);
    tmi_error_about(error, TM_SIDE_OUTPUT, path);
    return TM_ERROR_IO;
}

static tm_status enter_or_make_folder(const char *path, tm_error *error)
{
    if (tm_sys_kind_of_entry(path) == TM_SYS_MISSING)
        TM_TRY(tm_sys_make_folder(path, error));
    if (tm_sys_kind_of_entry(path) == TM_SYS_FOLDER)
        return TM_OK;
    return fail_way(error, path, "is not a folder; links are not followed");
}

/* `path` is "folder/name", whose name begins at `name`; it is changed meanwhile. */
static tm_status make_way_below(char *path, char *name, tm_error *error)
{
    for (char *slash; (slash = strchr(name, '/')); name = slash + 1) {
        *slash = '\0';
        const tm_status status =
            strcmp(name, "..") == 0
                ? tmi_fail(error, TM_ERROR_USAGE, -1, "a name in a folder cannot lead out by '..'")
                : enter_or_make_folder(path, error);
        *slash = '/';
        TM_TRY(status);
    }
    if (strcmp(name, "..") == 0)
        return tmi_fail(error, TM_ERROR_USAGE, -1, "a name in a folder cannot lead out by '..'");
    const tm_sys_kind kind = tm_sys_kind_of_entry(path);
    if (kind == TM_SYS_MISSING || kind == TM_SYS_FILE)
        return TM_OK;
    return fail_way(error, path, "is not a regular file; links are not followed");
}

tm_status tm_sys_make_way(const char *folder, const char *name, const tm_allocator *allocator,
                          tm_error *error)
{
    TM_TRY(tmi_need(folder, "folder", error));
    TM_TRY(tmi_need(name, "name", error));
    const size_t folder_size = strlen(folder), size = folder_size + strlen(name) + 2;
    const bool has_slash = folder_size && folder[folder_size - 1] == '/';
    char *path = tmi_alloc(allocator, size, 1);
    if (!path)
        return tmi_fail_memory(error, size, "a path");
    tmi_format(path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
    const tm_status status = make_way_below(path, path + folder_size + !has_slash, error);
    tmi_strfree(allocator, path);
    return status;
}

/* --------------------------------------------------------------------------------------------- walks */

static bool ends_with(const char *path, const char *suffix)
{
    size_t size = strlen(path), suffix_size = suffix ? strlen(suffix) : 0;
    if (suffix_size > size)
        return false;
    for (size_t i = 0; i < suffix_size; i++)
        if (tmi_fold_case(path[size - suffix_size + i]) != tmi_fold_case(suffix[i]))
            return false;
    return true;
}

tm_status tm_sys_walk(const char *folder, const char *suffix, bool (*file)(void *ctx, const char *path),
                      void *ctx, const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(folder, "folder", error));
    struct list list = {.allocator = allocator};
    tmi_arena_init(&list.texts, allocator);
    tm_status status = list_folder(&list, folder, error);
    /*
     * The list grows meanwhile: folders in it are listed in their turn. A folder that cannot be listed does
     * not hide the others; the first such error is the result.
     */
    for (size_t i = 0; i < list.num && status != TM_ERROR_MEMORY; i++) {
        if (list.found[i].kind != TM_SYS_FOLDER || list.found[i].link)
            continue;
        const tm_status below = list_folder(&list, list.found[i].path, status == TM_OK ? error : NULL);
        if (status == TM_OK || below == TM_ERROR_MEMORY)
            status = below;
    }
    if (status != TM_ERROR_MEMORY) {
        sort(&list);
        for (size_t i = 0; i < list.num; i++) {
            const struct found *found = &list.found[i];
            /* Who opens what cannot be looked at hears why. */
            const bool is_file = found->kind == TM_SYS_FILE || found->kind == TM_SYS_UNKNOWN;
            if (is_file && ends_with(found->path, suffix) && !file(ctx, found->path))
                break;
        }
    }
    list_release(&list);
    return status;
}
