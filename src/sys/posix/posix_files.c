/* SPDX-License-Identifier: Zlib */
/*
 * Files and folders of POSIX: one thin wrapper for each system call, with interrupted calls repeated and with
 * the fault hook of the tests asked first. Decides nothing; what an error means is up to the callers.
 */
#include "platform.h"

#include "../syscalls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#if defined(TMI_HAS_FLOCK)
#include <sys/file.h>
#endif
#include <unistd.h>

/* A time of a struct stat, in ns: m of writing, c of any change. */
#if defined(__APPLE__)
#define TIME_OF(info, which) time_in_ns((info)->st_##which##timespec)
#else
#define TIME_OF(info, which) time_in_ns((info)->st_##which##tim)
#endif
static int64_t time_in_ns(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

_Static_assert(sizeof(off_t) == 8, "files may be larger than 2 GiB: compile with -D_FILE_OFFSET_BITS=64");

#define REPEAT(result, expr) \
    do {                     \
        (result) = (expr);   \
    } while ((result) < 0 && errno == EINTR)

int tmi_sys_open(const char *path, int how)
{
    static const int flags[] = {
        O_RDONLY | O_NOCTTY, O_WRONLY | O_NOCTTY, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW};
    if (!tmi_sys_allowed(TMI_SYS_CALL_OPEN))
        return -1;
    int fd;
    REPEAT(fd, open(path, flags[how] | O_CLOEXEC, how == TMI_OPEN_SECRET ? 0600 : 0666));
    return fd;
}

int tmi_sys_dup(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

int tmi_sys_close(int fd)
{
    /*
     * Not repeated: after EINTR the descriptor is gone on Linux, and another thread may have got its number.
     */
    int result = close(fd);
    if (result < 0 && errno == EINTR)
        result = 0;
    return tmi_sys_allowed(TMI_SYS_CALL_CLOSE) ? result : -1;
}

/* Returns `result`, that of the call that filled `from`; 0: `out` is filled, too. */
static int give_info(tmi_sys_info *out, const struct stat *status, int result)
{
    if (result != 0)
        return result;
    *out = (tmi_sys_info){S_ISREG(status->st_mode)   ? TM_SYS_FILE
                          : S_ISDIR(status->st_mode) ? TM_SYS_FOLDER
                                                     : TM_SYS_OTHER,
                          S_ISLNK(status->st_mode),
                          (uint64_t)status->st_size,
                          TIME_OF(status, m),
                          TIME_OF(status, c),
                          (uint64_t)status->st_dev,
                          (uint64_t)status->st_ino,
                          status->st_uid,
                          status->st_gid,
                          status->st_mode & 0777};
    return 0;
}

int tmi_sys_stat(const char *path, tmi_sys_info *out)
{
    struct stat info = {0};
    return give_info(out, &info, tmi_sys_allowed(TMI_SYS_CALL_STAT) ? stat(path, &info) : -1);
}

int tmi_sys_lstat(const char *path, tmi_sys_info *out)
{
    struct stat info = {0};
    return give_info(out, &info, tmi_sys_allowed(TMI_SYS_CALL_STAT) ? lstat(path, &info) : -1);
}

int tmi_sys_fstat(int fd, tmi_sys_info *out)
{
    struct stat info = {0};
    return give_info(out, &info, tmi_sys_allowed(TMI_SYS_CALL_STAT) ? fstat(fd, &info) : -1);
}

intptr_t tmi_sys_readlink(const char *path, char *buffer, size_t size)
{
    return tmi_sys_allowed(TMI_SYS_CALL_STAT) ? readlink(path, buffer, size) : -1;
}

bool tmi_sys_may_write(const char *path)
{
    return access(path, W_OK) == 0;
}

intptr_t tmi_sys_read(int fd, void *buffer, size_t size)
{
    ssize_t got;
    size = tmi_sys_allowed_size(TMI_SYS_CALL_READ, size);
    if (size == 0)
        return -1;
    REPEAT(got, read(fd, buffer, size));
    return got;
}

intptr_t tmi_sys_pread(int fd, void *buffer, size_t size, uint64_t offset)
{
    ssize_t got;
    size = tmi_sys_allowed_size(TMI_SYS_CALL_READ, size);
    if (size == 0)
        return -1;
    REPEAT(got, pread(fd, buffer, size, (off_t)offset));
    return got;
}

intptr_t tmi_sys_write(int fd, const void *bytes, size_t size)
{
    ssize_t put;
    size = tmi_sys_allowed_size(TMI_SYS_CALL_WRITE, size);
    if (size == 0)
        return -1;
    REPEAT(put, write(fd, bytes, size));
    return put;
}

tmi_sys_lock_state tmi_sys_lock(int fd)
{
#if defined(TMI_HAS_FLOCK)
    struct stat info;
    int result;
    REPEAT(result, flock(fd, LOCK_EX | LOCK_NB));
    if (result < 0)
        return errno == EWOULDBLOCK ? TMI_LOCK_LOST : TMI_LOCK_UNSUPPORTED;
    return fstat(fd, &info) == 0 && info.st_nlink == 0 ? TMI_LOCK_LOST : TMI_LOCK_OURS;
#else
    (void)fd;
    return TMI_LOCK_UNSUPPORTED;
#endif
}

int tmi_sys_fsync(int fd)
{
    int result;
    if (!tmi_sys_allowed(TMI_SYS_CALL_FSYNC))
        return -1;
    REPEAT(result, fsync(fd));
    return result;
}

int tmi_sys_fchmod(int fd, uint32_t mode)
{
    return tmi_sys_allowed(TMI_SYS_CALL_CHMOD) ? fchmod(fd, (mode_t)mode) : -1;
}

int tmi_sys_fchown(int fd, uint32_t owner, uint32_t group)
{
    return tmi_sys_allowed(TMI_SYS_CALL_CHMOD) ? fchown(fd, owner, group) : -1;
}

int tmi_sys_rename(const char *source, const char *target)
{
    return tmi_sys_allowed(TMI_SYS_CALL_RENAME) ? rename(source, target) : -1;
}

int tmi_sys_unlink(const char *path)
{
    return tmi_sys_allowed(TMI_SYS_CALL_UNLINK) ? unlink(path) : -1;
}

void tmi_sys_unlink_at_end(const char *path)
{
    (void)unlink(path);
}

int tmi_sys_mkdir(const char *path)
{
    return tmi_sys_allowed(TMI_SYS_CALL_MKDIR) ? mkdir(path, 0777) : -1;
}

size_t tmi_sys_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool tmi_sys_is_rooted(const char *path)
{
    return path[0] == '/';
}

void tm_sys_plain_path(char *path)
{
    (void)path; /* is one already */
}

int tmi_sys_list_open(tmi_sys_listing *out, const char *folder)
{
    out->handle = tmi_sys_allowed(TMI_SYS_CALL_LIST) ? opendir(folder) : NULL;
    return out->handle ? 0 : -1;
}

int tmi_sys_list_next(tmi_sys_listing *listing)
{
    if (!tmi_sys_allowed(TMI_SYS_CALL_LIST))
        return -1;
    errno = 0;
    const struct dirent *entry =
        readdir(listing->handle); // NOLINT(concurrency-mt-unsafe): one handle, one thread
    if (!entry)
        return errno ? -1 : 0;
    listing->name = entry->d_name;
    listing->kind = TM_SYS_UNKNOWN;
#if defined(DT_REG)
    if (entry->d_type == DT_REG || entry->d_type == DT_DIR)
        listing->kind = entry->d_type == DT_REG ? TM_SYS_FILE : TM_SYS_FOLDER;
#endif
    return 1;
}

void tmi_sys_list_close(tmi_sys_listing *listing)
{
    (void)closedir(listing->handle);
}
