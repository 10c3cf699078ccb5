/* SPDX-License-Identifier: Zlib */
/*
 * System calls: one thin wrapper each, with interrupted calls repeated and with the fault hook of the tests
 * asked first. Decides nothing; what an error means is up to the callers.
 */
#include "platform.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) == 8, "files may be larger than 2 GiB: compile with -D_FILE_OFFSET_BITS=64");

/* One call moves at most this much; Linux itself stops at about 2 GiB. */
#define LARGEST_TRANSFER ((size_t)1 << 30)

/* The only state of src/sys besides the list of running saves; stays NULL outside tests. */
static struct {
    tmi_sys_fault ask;
    void *ctx;
} hook;

void tmi_sys_set_fault(tmi_sys_fault fault, void *ctx)
{
    hook.ask = fault;
    hook.ctx = ctx;
}

int tmi_sys_ask_fault(tmi_sys_call call)
{
    return hook.ask ? hook.ask(hook.ctx, call) : 0;
}

/* Whether the call is to be made; else errno is set. */
static int allowed(tmi_sys_call call)
{
    int fault = tmi_sys_ask_fault(call);
    if (fault <= 0)
        return 1;
    errno = fault;
    return 0;
}

/* Size to transfer, 0 when the call is to fail (nobody asks to transfer nothing). */
static size_t allowed_size(tmi_sys_call call, size_t size)
{
    int fault = tmi_sys_ask_fault(call);
    if (fault > 0) {
        errno = fault;
        return 0;
    }
    size = size < LARGEST_TRANSFER ? size : LARGEST_TRANSFER;
    return fault == TMI_SYS_SHORT && size ? 1 : size;
}

#define REPEAT(result, expr) \
    do {                     \
        (result) = (expr);   \
    } while ((result) < 0 && errno == EINTR)

int tmi_sys_open(const char *path, int flags, mode_t mode)
{
    if (!allowed(TMI_SYS_CALL_OPEN))
        return -1;
    int fd;
    REPEAT(fd, open(path, flags | O_CLOEXEC, mode));
    return fd;
}

int tmi_sys_close(int fd)
{
    /*
     * Not repeated: after EINTR the descriptor is gone on Linux, and another thread may have got its number.
     */
    int result = close(fd);
    if (result < 0 && errno == EINTR)
        result = 0;
    return allowed(TMI_SYS_CALL_CLOSE) ? result : -1;
}

int tmi_sys_stat(const char *path, struct stat *out)
{
    return allowed(TMI_SYS_CALL_STAT) ? stat(path, out) : -1;
}

int tmi_sys_lstat(const char *path, struct stat *out)
{
    return allowed(TMI_SYS_CALL_STAT) ? lstat(path, out) : -1;
}

int tmi_sys_fstat(int fd, struct stat *out)
{
    return allowed(TMI_SYS_CALL_STAT) ? fstat(fd, out) : -1;
}

ssize_t tmi_sys_readlink(const char *path, char *buffer, size_t size)
{
    return allowed(TMI_SYS_CALL_STAT) ? readlink(path, buffer, size) : -1;
}

ssize_t tmi_sys_read(int fd, void *buffer, size_t size)
{
    ssize_t got;
    size = allowed_size(TMI_SYS_CALL_READ, size);
    if (size == 0)
        return -1;
    REPEAT(got, read(fd, buffer, size));
    return got;
}

ssize_t tmi_sys_pread(int fd, void *buffer, size_t size, uint64_t offset)
{
    ssize_t got;
    size = allowed_size(TMI_SYS_CALL_READ, size);
    if (size == 0)
        return -1;
    REPEAT(got, pread(fd, buffer, size, (off_t)offset));
    return got;
}

ssize_t tmi_sys_write(int fd, const void *bytes, size_t size)
{
    ssize_t put;
    size = allowed_size(TMI_SYS_CALL_WRITE, size);
    if (size == 0)
        return -1;
    REPEAT(put, write(fd, bytes, size));
    return put;
}

ssize_t tmi_sys_copy_range(int from, uint64_t offset, int to, size_t size)
{
    size = allowed_size(TMI_SYS_CALL_COPY_RANGE, size);
    if (size == 0)
        return -1;
#if defined(TMI_HAS_COPY_FILE_RANGE)
    ssize_t copied;
    do {
        off_t at = (off_t)offset;
        copied = copy_file_range(from, &at, to, NULL, size, 0);
    } while (copied < 0 && errno == EINTR);
    return copied;
#else
    (void)from;
    (void)offset;
    (void)to;
    errno = ENOSYS;
    return -1;
#endif
}

int tmi_sys_fsync(int fd)
{
    int result;
    if (!allowed(TMI_SYS_CALL_FSYNC))
        return -1;
    REPEAT(result, fsync(fd));
    return result;
}

int tmi_sys_fchmod(int fd, mode_t mode)
{
    return allowed(TMI_SYS_CALL_CHMOD) ? fchmod(fd, mode) : -1;
}

int tmi_sys_fchown(int fd, uid_t owner, gid_t group)
{
    return allowed(TMI_SYS_CALL_CHMOD) ? fchown(fd, owner, group) : -1;
}

int tmi_sys_rename(const char *from, const char *to)
{
    return allowed(TMI_SYS_CALL_RENAME) ? rename(from, to) : -1;
}

int tmi_sys_unlink(const char *path)
{
    return allowed(TMI_SYS_CALL_UNLINK) ? unlink(path) : -1;
}

int tmi_sys_mkdir(const char *path)
{
    return allowed(TMI_SYS_CALL_MKDIR) ? mkdir(path, 0777) : -1;
}

int tmi_sys_pipe(int ends[2])
{
    int made[2], number = 0;
    if (pipe(made) != 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(made[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        number = ends[i] < 0 && !number ? errno : number;
        (void)close(made[i]);
    }
    for (int i = 0; i < 2 && number; i++)
        if (ends[i] >= 0)
            (void)close(ends[i]);
    errno = number ? number : errno;
    return number ? -1 : 0;
}

int tmi_sys_wait(pid_t pid)
{
    int status = 0;
    pid_t ended;
    REPEAT(ended, waitpid(pid, &status, 0));
    return ended < 0 ? -1 : status;
}

int tmi_sys_random(void *bytes, size_t size)
{
#if defined(TMI_HAS_GETENTROPY)
    return getentropy(bytes, size);
#elif defined(TMI_HAS_ARC4RANDOM)
    arc4random_buf(bytes, size);
    return 0;
#else
    ssize_t got;
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    REPEAT(got, read(fd, bytes, size));
    (void)close(fd);
    return got == (ssize_t)size ? 0 : -1;
#endif
}
