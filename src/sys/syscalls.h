/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SYS_SYSCALLS_H
#define TMI_SYS_SYSCALLS_H
/*
 * Internal: every system call of src/sys that can fail goes through here. Each wrapper repeats a call that a
 * signal interrupted, and each asks the fault hook first (see fault.h), so that tests can make any of them
 * fail. Results are those of the calls: -1 and errno on failure.
 */
#include "fault.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* A time of a struct stat: m of writing, c of any change. */
#if defined(__APPLE__) /* names them in its own way for programs that ask for POSIX */
#define TMI_TIME_OF(info, which) ((struct timespec){(info).st_##which##time, (info).st_##which##timensec})
#else
#define TMI_TIME_OF(info, which) (info).st_##which##tim
#endif

int tmi_sys_open(const char *path, int flags, mode_t mode);
int tmi_sys_close(int fd);
int tmi_sys_stat(const char *path, struct stat *out);
int tmi_sys_lstat(const char *path, struct stat *out);
int tmi_sys_fstat(int fd, struct stat *out);
ssize_t tmi_sys_readlink(const char *path, char *buffer, size_t size);
ssize_t tmi_sys_read(int fd, void *buffer, size_t size);
ssize_t tmi_sys_pread(int fd, void *buffer, size_t size, uint64_t offset);
ssize_t tmi_sys_write(int fd, const void *bytes, size_t size);
/* Copies inside the kernel; -1 with ENOSYS where the system has no such call. */
ssize_t tmi_sys_copy_range(int from, uint64_t offset, int to, size_t size);
int tmi_sys_fsync(int fd);
int tmi_sys_fchmod(int fd, mode_t mode);
int tmi_sys_fchown(int fd, uid_t owner, gid_t group);
int tmi_sys_rename(const char *from, const char *to);
int tmi_sys_unlink(const char *path);
int tmi_sys_mkdir(const char *path);
/* The ends of a pipe that no other program inherits, above the standard files, which may be closed here. */
int tmi_sys_pipe(int ends[2]);
/*
 * Starts a program as posix_spawnp does, with the usual signals: 0, or what went wrong. `standard`: its
 * standard files, each a descriptor, ours, or nowhere.
 */
enum { TMI_SPAWN_OURS = -1, TMI_SPAWN_NOWHERE = -2 };
int tmi_sys_spawn(pid_t *pid, const char *const *words, const int standard[3]);
/* Waits for a program's end; its status, or -1 when nobody can say how it ended. */
int tmi_sys_wait(pid_t pid);
/*
 * Up to 256 bytes that nobody can guess. May fail on systems that have no such source, so the hook is not
 * asked.
 */
int tmi_sys_random(void *bytes, size_t size);

#endif
