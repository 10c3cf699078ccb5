/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SYS_FAULT_H
#define TMI_SYS_FAULT_H
/*
 * Internal: how tests make the operating system fail. The hook is asked before every system call of src/sys
 * (but never from tm_sys_save_abort_all, which runs in signal handlers). To fail the n-th call of a kind:
 *
 *     static int fail_nth(void *ctx, tmi_sys_call call)
 *     {
 *         struct plan *plan = ctx;
 *         return call == plan->call && ++plan->seen == plan->n ? ENOSPC : 0;
 *     }
 *     tmi_sys_set_fault(fail_nth, &plan);
 *     ...
 *     tmi_sys_set_fault(NULL, NULL);
 *
 * Set it while no other thread is inside src/sys. With threads the hook itself must be safe to call from
 * several.
 */
#include <stdbool.h>
#include <stddef.h>

typedef enum tmi_sys_call {
    TMI_SYS_CALL_OPEN,
    TMI_SYS_CALL_CLOSE, /* is closed in any case; fails as a network file system does that could not write */
    TMI_SYS_CALL_STAT,  /* stat, lstat, fstat, readlink */
    TMI_SYS_CALL_READ,  /* read, pread */
    TMI_SYS_CALL_WRITE,
    TMI_SYS_CALL_FSYNC, /* of files and of folders */
    TMI_SYS_CALL_CHMOD, /* fchmod, fchown */
    TMI_SYS_CALL_RENAME,
    TMI_SYS_CALL_UNLINK,
    TMI_SYS_CALL_MKDIR,
    TMI_SYS_CALL_LIST, /* opendir, readdir */
    TMI_SYS_CALL_COUNT
} tmi_sys_call;

/* What the hook may say besides an errno value: let the call transfer one byte only (read, write). */
#define TMI_SYS_SHORT (-1)

/* 0: make the call; an errno value: fail with it; TMI_SYS_SHORT. */
typedef int (*tmi_sys_fault)(void *ctx, tmi_sys_call call);

/* NULL: no faults, as in every real program. */
void tmi_sys_set_fault(tmi_sys_fault fault, void *ctx);
/* For the calls themselves. Whether one is to be made; else errno is set. */
bool tmi_sys_allowed(tmi_sys_call call);
/* Size to transfer, 0 when the call is to fail (nobody asks to transfer nothing). */
size_t tmi_sys_allowed_size(tmi_sys_call call, size_t size);

#endif
