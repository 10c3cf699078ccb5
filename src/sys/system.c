/* SPDX-License-Identifier: Zlib */
/*
 * Small questions to the system: what a path is, folders, processors, the clock, terminals, standard output,
 * and what an errno means.
 */
#define _XOPEN_SOURCE 700 /* the strerror_r that returns an int */
#include "syscalls.h"
#include "sys.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

tm_status tmi_sys_fail(tm_error *error, tm_side side, int number, const char *verb, const char *path)
{
    char reason[128];
    if (number == 0 || strerror_r(number, reason, sizeof(reason)) != 0)
        tmi_format(reason, sizeof(reason), "error %d", number);
    tmi_fail(error, TM_ERROR_IO, -1, "cannot %s: %s", verb, reason);
    tmi_error_about(error, side, path);
    if (error)
        error->system = number;
    return TM_ERROR_IO;
}

tm_status tmi_sys_write_all(int fd, const void *bytes, size_t size, const char *path, tm_error *error)
{
    const uint8_t *at = bytes;
    while (size) {
        ssize_t put = tmi_sys_write(fd, at, size);
        if (put < 0)
            return tmi_sys_fail(error, TM_SIDE_OUTPUT, errno, "write", path);
        if (put == 0) /* POSIX allows it for devices; going round forever helps nobody */
            return tmi_sys_fail(error, TM_SIDE_OUTPUT, ENOSPC, "write", path);
        at += put;
        size -= (size_t)put;
    }
    return TM_OK;
}

static tm_status stdout_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    (void)ctx;
    tm_error unheard;
    error = error ? error : &unheard;
    const tm_status status = tmi_sys_write_all(STDOUT_FILENO, bytes, size, "standard output", error);
    if (status && error->system == EPIPE)
        tmi_sys_end_by_closed_pipe();
    return status;
}

tm_output tm_sys_stdout(void)
{
    tm_output output = {NULL, stdout_write, NULL};
    return output;
}

bool tm_sys_stdin_is_terminal(void)
{
    return isatty(STDIN_FILENO) == 1;
}

bool tm_sys_stdout_is_terminal(void)
{
    return isatty(STDOUT_FILENO) == 1;
}

bool tm_sys_stderr_is_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

static tm_sys_kind kind_by(const char *path, int (*ask)(const char *path, struct stat *out))
{
    struct stat info;
    if (!path)
        return TM_SYS_MISSING;
    if (ask(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR ? TM_SYS_MISSING : TM_SYS_UNKNOWN;
    if (S_ISREG(info.st_mode))
        return TM_SYS_FILE;
    return S_ISDIR(info.st_mode) ? TM_SYS_FOLDER : TM_SYS_OTHER;
}

int64_t tm_sys_changed_at(const char *path)
{
    struct stat info;
    return path && tmi_sys_stat(path, &info) == 0 ? (int64_t)info.st_mtime : 0;
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
    struct stat info_a, info_b;
    return a && b && tmi_sys_stat(a, &info_a) == 0 && tmi_sys_stat(b, &info_b) == 0 &&
           info_a.st_dev == info_b.st_dev && info_a.st_ino == info_b.st_ino;
}

static bool is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* Renaming and replacing a file sets its time of change, whatever its time of writing is. */
bool tm_sys_is_newer(const char *result, const char *source)
{
    struct stat made, from;
    return result && source && tmi_sys_stat(result, &made) == 0 && tmi_sys_stat(source, &from) == 0 &&
           is_later(TMI_TIME_OF(made, m), TMI_TIME_OF(from, m)) &&
           is_later(TMI_TIME_OF(made, m), TMI_TIME_OF(from, c));
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
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
