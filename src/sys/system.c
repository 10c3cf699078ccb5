/* SPDX-License-Identifier: Zlib */
/*
 * Small questions to the system: what a path is, folders, processors, the clock, terminals, standard output,
 * and what an errno means.
 */
#define _XOPEN_SOURCE 700
#include "syscalls.h"
#include "sys.h"

#include <errno.h>
#include <time.h>

tm_status tmi_sys_fail(tm_error *error, tm_side side, int number, const char *verb, const char *path)
{
    char reason[128];
    if (number == 0 || !tmi_sys_reason(number, reason, sizeof(reason)))
        tmi_format(reason, sizeof(reason), "error %d", number);
    tmi_fail(error, TM_ERROR_IO, -1, "cannot %s: %s", verb, reason);
    tmi_error_about(error, side, path);
    if (error)
        error->system = number;
    return TM_ERROR_IO;
}

tm_status tmi_sys_read_all(tm_buffer *out, int fd, uint64_t most, const char *path, tm_error *error)
{
    enum { PIECE = 65536 };
    for (;;) {
        const size_t room = out->size < PIECE ? PIECE : out->size + 1;
        TM_TRY(tmi_grow(out->allocator, &out->bytes, &out->capacity, room, 1, error));
        const intptr_t got = tmi_sys_read(fd, out->bytes + out->size, out->capacity - out->size);
        if (got < 0)
            return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "read", path);
        if (got == 0)
            return TM_OK;
        out->size += (size_t)got;
        if (out->size > most) {
            tmi_fail(error, TM_ERROR_LIMIT, -1,
                     "cannot read: the file has more than %llu bytes, which is the limit",
                     (unsigned long long)most);
            tmi_error_about(error, TM_SIDE_INPUT, path);
            return TM_ERROR_LIMIT;
        }
    }
}

tm_status tmi_sys_write_all(int fd, const void *bytes, size_t size, const char *path, tm_error *error)
{
    const uint8_t *next = bytes;
    while (size) {
        intptr_t put = tmi_sys_write(fd, next, size);
        if (put < 0)
            return tmi_sys_fail(error, TM_SIDE_OUTPUT, errno, "write", path);
        if (put == 0) /* POSIX allows it for devices; the loop would never end */
            return tmi_sys_fail(error, TM_SIDE_OUTPUT, ENOSPC, "write", path);
        next += put;
        size -= (size_t)put;
    }
    return TM_OK;
}

static tm_status stdout_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    (void)ctx;
    tm_error unheard;
    error = error ? error : &unheard;
    const tm_status status = tmi_sys_write_all(TMI_STDOUT, bytes, size, "standard output", error);
    if (status && error->system == EPIPE)
        tmi_sys_end_by_closed_pipe();
    return status;
}

tm_output tm_sys_stdout(void)
{
    const tm_output output = {NULL, stdout_write, NULL};
    tmi_sys_make_binary(TMI_STDOUT);
    return output;
}

bool tm_sys_stdin_is_terminal(void)
{
    return tmi_sys_is_terminal(TMI_STDIN);
}

bool tm_sys_stdout_is_terminal(void)
{
    return tmi_sys_is_terminal(TMI_STDOUT);
}

bool tm_sys_stderr_is_terminal(void)
{
    return tmi_sys_is_terminal(TMI_STDERR);
}

static tm_sys_kind kind_by(const char *path, int (*ask)(const char *path, tmi_sys_info *out))
{
    tmi_sys_info info;
    if (!path)
        return TM_SYS_MISSING;
    if (ask(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR ? TM_SYS_MISSING : TM_SYS_UNKNOWN;
    return info.kind;
}

tm_status tm_sys_get_kind(tm_sys_kind *out, const char *path, tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = TM_SYS_MISSING;
    TM_TRY(tmi_need(path, "path", error));
    const tm_sys_kind kind = tm_sys_kind_of(path);
    if (kind == TM_SYS_UNKNOWN)
        return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "look at", path);
    *out = kind;
    return TM_OK;
}

tm_status tm_sys_get_time(int64_t *out, const char *path, tm_error *error)
{
    tmi_sys_info info;
    TM_TRY(tmi_need(out, "out", error));
    *out = 0;
    TM_TRY(tmi_need(path, "path", error));
    if (tmi_sys_stat(path, &info) == 0)
        *out = info.written / 1000000000;
    else if (errno != ENOENT && errno != ENOTDIR)
        return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "look at", path);
    return TM_OK;
}

tm_sys_kind tm_sys_kind_of(const char *path)
{
    return kind_by(path, tmi_sys_stat);
}

tm_sys_kind tm_sys_kind_of_entry(const char *path)
{
    return kind_by(path, tmi_sys_lstat);
}

tm_status tm_sys_remove_file(const char *path, tm_error *error)
{
    TM_TRY(tmi_need(path, "path", error));
    if (tmi_sys_unlink(path) == 0)
        return TM_OK;
    return tmi_sys_fail(error, TM_SIDE_OUTPUT, errno, "remove", path);
}

bool tm_sys_same_file(const char *a, const char *b)
{
    tmi_sys_info info_a, info_b;
    return a && b && tmi_sys_stat(a, &info_a) == 0 && tmi_sys_stat(b, &info_b) == 0 &&
           info_a.volume == info_b.volume && info_a.number == info_b.number;
}

/* The result must be newer than the source's time of change, too, which renaming and replacing a file set. */
bool tm_sys_is_newer(const char *result, const char *source)
{
    tmi_sys_info made, info;
    return result && source && tmi_sys_stat(result, &made) == 0 && tmi_sys_stat(source, &info) == 0 &&
           made.written > info.written && made.written > info.changed;
}

tm_status tm_sys_make_folder(const char *path, tm_error *error)
{
    TM_TRY(tmi_need(path, "path", error));
    if (tmi_sys_mkdir(path) == 0)
        return TM_OK;
    int number = errno;
    if (number == EEXIST && tm_sys_kind_of(path) == TM_SYS_FOLDER)
        return TM_OK;
    return tmi_sys_fail(error, TM_SIDE_OUTPUT, number, "make the folder", path);
}

void tm_sys_pause(double seconds)
{
    const double most = 3600, waited = seconds > most ? most : seconds;
    if (!(waited > 0))
        return;
    const struct timespec time = {(time_t)waited, (long)((waited - (double)(time_t)waited) * 1e9)};
    (void)nanosleep(&time, NULL);
}

double tm_sys_seconds(void)
{
    struct timespec time = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
