/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SYS_SYSCALLS_H
#define TMI_SYS_SYSCALLS_H
/*
 * Internal: the system as src/sys sees it. posix/ and windows/ hold a way each to do what is declared here,
 * and only they know which system it is. Each call repeats what a signal interrupted, and asks the fault
 * hook first (see fault.h), so that tests can make any of them fail. Results are -1 and errno on failure,
 * where nothing else is said.
 */
#include "fault.h"

#include <teemap/sys.h>

/* What is at a path, or open. Owner, group and mode are 0 where a system has no such thing. */
typedef struct tmi_sys_info {
    tm_sys_kind kind; /* TM_SYS_OTHER for a link */
    bool is_link;
    uint64_t size;
    int64_t written, changed; /* when its bytes, and when anything about it; in ns since 1970 */
    uint64_t volume, number;  /* both are equal for one file only */
    uint32_t owner, group, mode;
} tmi_sys_info;

int tmi_sys_stat(const char *path, tmi_sys_info *out);
int tmi_sys_lstat(const char *path, tmi_sys_info *out); /* of a link itself */
int tmi_sys_fstat(int fd, tmi_sys_info *out);
intptr_t tmi_sys_readlink(const char *path, char *buffer, size_t size);
/* Whether a file may be written to; errno says why not. */
bool tmi_sys_may_write(const char *path);

enum {
    TMI_OPEN_READ = 0,
    TMI_OPEN_WRITE,   /* what is there already and no file */
    TMI_OPEN_NEW,     /* a file that must not be there yet, for writing, with the permissions of new files */
    TMI_OPEN_SECRET,  /* the same, for nobody else */
    TMI_OPEN_LEFTOVER /* a regular file to be locked and removed; never waits, and follows no link */
};
int tmi_sys_open(const char *path, int how);
/* Another descriptor of the same. */
int tmi_sys_dup(int fd);
int tmi_sys_close(int fd);
intptr_t tmi_sys_read(int fd, void *buffer, size_t size);
intptr_t tmi_sys_pread(int fd, void *buffer, size_t size, uint64_t offset);
intptr_t tmi_sys_write(int fd, const void *bytes, size_t size);
/*
 * Locks an open file against everybody who asks for its lock, until all descriptors of this opening are
 * closed or the process has ended. Never waits. The hook is not asked, since those who write go on without a
 * lock.
 */
typedef enum tmi_sys_lock_state {
    TMI_LOCK_OURS,
    TMI_LOCK_LOST, /* somebody else has it, or has removed the file */
    TMI_LOCK_UNSUPPORTED
} tmi_sys_lock_state;
tmi_sys_lock_state tmi_sys_lock(int fd);
int tmi_sys_fsync(int fd);
int tmi_sys_fchmod(int fd, uint32_t mode);
int tmi_sys_fchown(int fd, uint32_t owner, uint32_t group);
/* Replaces what is at `to`, also while somebody reads it. */
int tmi_sys_rename(const char *source, const char *target);
int tmi_sys_unlink(const char *path);
/* The same in a signal handler: asks no hook, and tells nothing. */
void tmi_sys_unlink_at_end(const char *path);
int tmi_sys_mkdir(const char *path);

/* ------------------------------------------------------------------------------------------------- paths */

/* Bytes of a path up to the name of what it leads to: 5 of "maps/x.map". */
size_t tmi_sys_folder_length(const char *path);
/* Whether it begins at a root, and not in the folder of the process. */
bool tmi_sys_is_rooted(const char *path);

/* ------------------------------------------------------------------------------------------------ folders */

typedef struct tmi_sys_listing {
    void *handle;
    const char *name; /* after tmi_sys_list_next */
    tm_sys_kind kind; /* TM_SYS_UNKNOWN: the file itself has to be asked */
    bool waits;       /* internal: the name has been read already */
    char buffer[1024];
} tmi_sys_listing;

int tmi_sys_list_open(tmi_sys_listing *out, const char *folder);
/* 1: a name, also "." and ".."; 0: no more. */
int tmi_sys_list_next(tmi_sys_listing *listing);
void tmi_sys_list_close(tmi_sys_listing *listing);

/* ----------------------------------------------------------------------------------------- other programs */

/* The ends of a pipe that no other program inherits, above the standard files, which may be closed here. */
int tmi_sys_pipe(int ends[2]);
/*
 * Starts a program that is looked for in PATH, with the usual signals: 0, or what went wrong. `standard`: its
 * standard files, each a descriptor, ours, or nowhere.
 */
enum { TMI_SPAWN_OURS = -1, TMI_SPAWN_NOWHERE = -2 };
int tmi_sys_spawn(intptr_t *program, const char *const *words, const int standard[3]);
/*
 * Waits for a program's end: 0, or -1 when nobody can say how it ended. *signal: the one that ended it, or 0.
 */
int tmi_sys_wait(intptr_t program, int *exit_status, int *signal);
void tmi_sys_kill(intptr_t program);
/* A file without a name, to write and read, which is gone when it is closed. */
int tmi_sys_unnamed_file(void);

/* ---------------------------------------------------------------------------------------------- the rest */

/* While they are blocked no handler runs in this thread. Where the system has no signals, both do nothing. */
typedef struct tmi_sys_signals {
    uint64_t old[16];
} tmi_sys_signals;
void tmi_sys_block_signals(tmi_sys_signals *old);
void tmi_sys_restore_signals(const tmi_sys_signals *old);
/* Waits about a millisecond, also in a signal handler. */
void tmi_sys_nap(void);
bool tmi_sys_is_terminal(int fd);
/* What an errno means, in the system's words. False: it means nothing. */
bool tmi_sys_reason(int number, char *buffer, size_t size);
/* So that bytes go through a standard file as they are. */
void tmi_sys_make_binary(int fd);
/*
 * Up to 256 bytes that nobody can guess. May fail on systems that have no such source, so the hook is not
 * asked.
 */
int tmi_sys_random(void *bytes, size_t size);

#endif
