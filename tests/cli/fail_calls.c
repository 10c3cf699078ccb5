/* SPDX-License-Identifier: Zlib */
/*
 * A library to preload into a program of Linux: makes its n-th look at a path fail. What counts are calls
 * that open, list or ask about a path below the folder $FAIL_BELOW. $FAIL_AT: which of them fails, from 1;
 * $FAIL_NUMBER: with which errno; $FAIL_NOTE: the file in which the failed call is noted.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long seen;

/* Whether this call is the one; errno is set then. */
static int fails(const char *call, const char *path)
{
    const char *below = getenv("FAIL_BELOW"), *index = getenv("FAIL_AT"), *number = getenv("FAIL_NUMBER"),
               *note = getenv("FAIL_NOTE");
    if (!below || !index || !number || !note || strncmp(path, below, strlen(below)) != 0 ||
        atomic_fetch_add(&seen, 1) + 1 != atol(index))
        return 0;
    int (*const really)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    const int fd = really(note, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0) {
        if (write(fd, call, strlen(call)) < 0 || write(fd, " ", 1) < 0 || write(fd, path, strlen(path)) < 0)
            abort();
        close(fd);
    }
    errno = atoi(number);
    return 1;
}

#define NEXT(name, type) ((type)dlsym(RTLD_NEXT, name))

#define OPEN(name)                                                                                         \
    int name(const char *path, int flags, ...)                                                             \
    {                                                                                                      \
        va_list arguments;                                                                                 \
        va_start(arguments, flags);                                                                        \
        const int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, int) : 0;                     \
        va_end(arguments);                                                                                 \
        return fails("open", path) ? -1 : NEXT(#name, int (*)(const char *, int, ...))(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define STAT(name, info)                                                                                \
    int name(const char *path, struct info *out)                                                        \
    {                                                                                                   \
        return fails("stat", path) ? -1 : NEXT(#name, int (*)(const char *, struct info *))(path, out); \
    }
STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

DIR *opendir(const char *path)
{
    return fails("list", path) ? NULL : NEXT("opendir", DIR * (*)(const char *))(path);
}
