/* SPDX-License-Identifier: Zlib */
/*
 * git_object.c - asks git by `git cat-file`; nothing of it is read by ourselves.
 */
#include "git_object.h"

#include "output/text_buffer.h"

bool git_object_read(tm_buffer *out, const char *folder, const char *object, tm_error *error)
{
    const char *const exists[] = {
        "git", "-C", folder, "rev-parse", "--quiet", "--verify", "--end-of-options", object, NULL};
    const char *const words[] = {"git", "-C", folder, "cat-file", "blob", object, NULL};
    tm_buffer number = {0};
    int status;
    *error = (tm_error){.offset = -1};
    tm_status ran = tm_sys_run(&status, &number, exists, error);
    const bool there = !ran && status == 0;
    if (there)
        ran = tm_sys_run(&status, out, words, error);
    tm_buffer_release(&number);
    return there && !ran && status == 0;
}

/* Whether there is NAME in the folder that ends at `end`. */
static bool has_entry(const char *path, char *end, const char *name)
{
    strcpy(end, name);
    return tm_sys_kind_of(path) != TM_SYS_MISSING;
}

bool git_in_repository(void)
{
    enum { PATH_SIZE = 4096 };
    char path[PATH_SIZE + sizeof("/objects")];
    if (getenv("GIT_DIR"))
        return true;
    if (!tm_sys_real_path(path, PATH_SIZE, "."))
        return false;
    for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
        if (has_entry(path, end, "/.git") ||
            (has_entry(path, end, "/HEAD") && has_entry(path, end, "/objects")))
            return true;
        *end = '\0';
    }
    return false;
}

bool git_object_open(tm_input *out, const char *path)
{
    const char *colon = strchr(path, ':');
    tm_buffer bytes = {0};
    tm_error error;
    text object = {0};
    if (!colon || path[0] == '-' || !git_in_repository())
        return false;
    text_put(&object, path, (size_t)(colon - path));
    text_print(&object, ":./%s", colon + 1);
    const bool read = git_object_read(&bytes, ".", text_words(&object), &error) ||
                      git_object_read(&bytes, ".", path, &error);
    text_release(&object);
    if (!read || !bytes.size) {
        tm_buffer_release(&bytes);
        return false;
    }
    *out = tm_input_from_memory(bytes.bytes, bytes.size);
    out->ctx = bytes.bytes;
    out->close = free;
    out->name = path;
    return true;
}
