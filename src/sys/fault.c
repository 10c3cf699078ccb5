/* SPDX-License-Identifier: Zlib */
/* The hook by which tests make the operating system fail. */
#include "fault.h"

#include <errno.h>

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

bool tmi_sys_allowed(tmi_sys_call call)
{
    const int fault = hook.ask ? hook.ask(hook.ctx, call) : 0;
    if (fault > 0)
        errno = fault;
    return fault <= 0;
}

size_t tmi_sys_allowed_size(tmi_sys_call call, size_t size)
{
    const int fault = hook.ask ? hook.ask(hook.ctx, call) : 0;
    if (fault > 0) {
        errno = fault;
        return 0;
    }
    size = size < LARGEST_TRANSFER ? size : LARGEST_TRANSFER;
    return fault == TMI_SYS_SHORT && size ? 1 : size;
}
