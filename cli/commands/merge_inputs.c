/* SPDX-License-Identifier: Zlib */
/*
 * merge_inputs.c - see merge_inputs.h.
 */
#include "merge_inputs.h"

#include "run/git_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void merge_version_release(merge_version *of)
{
    loaded_release(&of->file);
    tm_buffer_release(&of->bytes);
    free(of->name);
    of->name = NULL;
}

char *merge_version_name(const char *name, tm_merge_map version)
{
    static const char *const words[] = {" (base)", "", " (theirs)"};
    text out = {0};
    text_string(&out, name);
    text_string(&out, words[version]);
    text_put(&out, "", 1);
    return out.bytes;
}

static void fail_version(merge_version *of, tm_status status, const char *reason)
{
    of->file.status = status;
    fail(&of->file.error, status, "%s", reason);
}

/* A map with nothing in it. */
static void take_empty_map(merge_version *of)
{
    loaded_release(&of->file);
    of->missing = true;
    tm_findings_init(&of->file.findings, 0, NULL);
    of->file.status = tm_map_new(&of->file.map, NULL, &of->file.error);
}

void merge_version_load(merge_version *of, tm_mode mode, bool may_be_empty)
{
    load_map(&of->file, of->path, mode, false);
    if (may_be_empty && of->file.status && of->file.opened && of->file.file_size == 0)
        take_empty_map(of);
}

/* "DIR" and "NAME" of a path, for `git -C DIR ... ./NAME`. The caller's to free. */
static char *folder_part(const char *path)
{
    const size_t size = (size_t)(path_base(path) - path);
    char *folder = must_alloc(size + 2, 1);
    memcpy(folder, size ? path : ".", size ? size : 1);
    return folder;
}

/* The bytes of a stage of the index: 1 base, 2 ours, 3 theirs. False: git does not have it. */
static bool ask_stage(merge_version *of, int stage, tm_error *error)
{
    text object = {0};
    char *folder = folder_part(of->path);
    text_print(&object, ":%d:./%s", stage, path_base(of->path));
    text_put(&object, "", 1);
    const bool read = git_object_read(&of->bytes, folder, object.bytes, error);
    text_release(&object);
    free(folder);
    return read;
}

void merge_version_from_git(merge_version *of, tm_merge_map version, tm_mode mode)
{
    static const char *const missing[] = {
        NULL, "git's index has no conflict in it, or your side removed the map",
        "git's index has no conflict in it, or the other side removed the map"};
    tm_error error;
    if (ask_stage(of, (int)version + 1, &error)) {
        tm_input input = tm_input_from_memory(of->bytes.bytes, of->bytes.size);
        input.name = of->name;
        load_map_from(&of->file, input, mode, false);
    } else if (error.code) {
        fail_version(of, error.code, error.text);
    } else if (version == TM_MERGE_BASE) {
        take_empty_map(of);
    } else {
        fail_version(of, TM_ERROR_NOT_FOUND, missing[version]);
    }
}
