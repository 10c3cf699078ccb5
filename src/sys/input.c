/* SPDX-License-Identifier: Zlib */
/*
 * Files as inputs. A large regular file stays open and is read by place (pread), so that several threads may
 * read it at once and only what is asked for is touched; each read asks whether somebody has written to the
 * file meanwhile, for old bytes and new ones together are no file. A small one is read whole into memory and
 * closed, so that thousands of maps need no descriptors; so is what has no size that can be believed (pipes,
 * terminals, files of /proc, which claim to be empty).
 */
#include "syscalls.h"
#include "sys.h"

#include <errno.h>

enum { SMALL_FILE = 256 << 10 };

struct file_input {
    const tm_allocator *allocator;
    int fd;
    uint64_t size;
    int64_t written;
    char *path;
};

static tm_status file_read(void *ctx, uint64_t offset, void *buffer, size_t size, tm_error *error)
{
    const struct file_input *file = ctx;
    uint8_t *target = buffer;
    while (size) {
        intptr_t got = tmi_sys_pread(file->fd, target, size, offset);
        if (got < 0)
            return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "read", file->path);
        if (got == 0) {
            tmi_fail(error, TM_ERROR_IO, (int64_t)offset,
                     "cannot read: the file became shorter while it was being read");
            tmi_error_about(error, TM_SIDE_INPUT, file->path);
            return TM_ERROR_IO;
        }
        target += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    tmi_sys_info info;
    if (tmi_sys_fstat(file->fd, &info) != 0)
        return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "read", file->path);
    if (info.written == file->written && info.size == file->size)
        return TM_OK;
    tmi_fail(error, TM_ERROR_IO, -1, "cannot read: the file was written to since it was opened");
    tmi_error_about(error, TM_SIDE_INPUT, file->path);
    return TM_ERROR_IO;
}

static void free_file(struct file_input *file)
{
    tmi_strfree(file->allocator, file->path);
    tmi_free(file->allocator, file, 1, sizeof(*file));
}

static void file_close(void *ctx)
{
    struct file_input *file = ctx;
    tmi_sys_close(file->fd);
    free_file(file);
}

/* Takes the descriptor over on success. */
static tm_status make_file_input(tm_input *out, int fd, const tmi_sys_info *info, const char *path,
                                 const tm_allocator *allocator, tm_error *error)
{
    struct file_input *file;
    TM_TRY(tmi_reserve_zeroed(&file, allocator, 1, sizeof(*file), "an open file", error));
    file->allocator = allocator;
    file->fd = fd;
    file->size = info->size;
    file->written = info->written;
    file->path = tmi_strdup(allocator, path);
    if (!file->path) {
        free_file(file);
        return tmi_fail_memory(error, strlen(path) + 1, "an open file");
    }
    out->ctx = file;
    out->size = file->size;
    out->read = file_read;
    out->close = file_close;
    out->name = file->path;
    return TM_OK;
}

static void whole_close(void *ctx)
{
    tm_buffer *whole = ctx;
    const tm_allocator *allocator = whole->allocator;
    tm_buffer_release(whole);
    tmi_free(allocator, whole, 1, sizeof(*whole));
}

static tm_status make_whole_input(tm_input *out, int fd, uint64_t max_bytes, const char *path,
                                  const tm_allocator *allocator, tm_error *error)
{
    tm_buffer *whole;
    TM_TRY(tmi_reserve_zeroed(&whole, allocator, 1, sizeof(*whole), "an open file", error));
    whole->allocator = allocator;
    const uint64_t most = max_bytes ? max_bytes : TMI_SYS_DEFAULT_BYTES;
    tm_status status = tmi_sys_read_all(whole, fd, most, path, error);
    const size_t size = whole->size;
    const tm_output behind = tm_output_to_buffer(whole);
    if (status == TM_OK) /* the name stands behind the bytes */
        status = tmi_output_write(&behind, path, strlen(path) + 1, error);
    if (status != TM_OK) {
        whole_close(whole);
        return status;
    }
    *out = (tm_input){.ctx = whole,
                      .size = size,
                      .memory = whole->bytes,
                      .close = whole_close,
                      .name = (const char *)whole->bytes + size};
    return TM_OK;
}

tm_status tm_sys_open_input(tm_input *out, const char *path, uint64_t max_bytes,
                            const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    memset(out, 0, sizeof(*out));
    TM_TRY(tmi_need(path, "path", error));
    int fd = tmi_sys_open(path, TMI_OPEN_READ);
    if (fd < 0)
        return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "open", path);
    tmi_sys_info info;
    tm_status status;
    if (tmi_sys_fstat(fd, &info) != 0)
        status = tmi_sys_fail(error, TM_SIDE_INPUT, errno, "read", path);
    else if (info.kind == TM_SYS_FOLDER)
        status = tmi_sys_fail(error, TM_SIDE_INPUT, EISDIR, "read", path);
    else if (info.kind == TM_SYS_FILE && info.size > 0)
        status = make_file_input(out, fd, &info, path, allocator, error);
    else
        status = make_whole_input(out, fd, max_bytes, path, allocator, error);
    if (status != TM_OK || out->memory)
        tmi_sys_close(fd);
    if (status != TM_OK || out->memory || out->size > SMALL_FILE)
        return status;
    status = tm_input_load(out, allocator, error);
    if (status != TM_OK) {
        file_close(out->ctx);
        memset(out, 0, sizeof(*out));
    }
    return status;
}

tm_status tm_sys_open_stdin(tm_input *out, uint64_t max_bytes, const tm_allocator *allocator, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    memset(out, 0, sizeof(*out));
    tmi_sys_make_binary(TMI_STDIN);
    return make_whole_input(out, TMI_STDIN, max_bytes, "standard input", allocator, error);
}
