/* SPDX-License-Identifier: Zlib */
/*
 * The list of temporary files of running saves, for signal handlers. A handler may neither lock nor allocate
 * nor follow a pointer that another thread is about to free, so this is a fixed table whose paths lie in it:
 *
 *   FREE -> FILLING    by the thread that begins a save, compare and swap
 *   FILLING -> READY   by the same, when the path is complete
 *   READY -> FREE      by the same, when the file was renamed or removed
 *
 * A handler that read READY just before the last step removes a file that is gone already, which does no
 * harm: names are never used twice.
 */
#define _XOPEN_SOURCE 700
#include "temp_files.h"
#include "sys.h"

#include <errno.h>
#include <unistd.h>

enum state { SLOT_FREE, SLOT_FILLING, SLOT_READY };

static struct slot {
    int state; /* atomic */
    char path[4096];
} slots[16];

int tmi_sys_running_add(const char *path)
{
    size_t size = strlen(path) + 1;
    if (size > sizeof(slots[0].path))
        return -1;
    for (size_t i = 0; i < TMI_COUNT_OF(slots); i++) {
        int expected = SLOT_FREE;
        if (!__atomic_compare_exchange_n(&slots[i].state, &expected, SLOT_FILLING, false, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED))
            continue;
        memcpy(slots[i].path, path, size);
        __atomic_store_n(&slots[i].state, SLOT_READY, __ATOMIC_RELEASE);
        return (int)i;
    }
    return -1;
}

void tmi_sys_running_remove(int slot)
{
    if (slot >= 0)
        __atomic_store_n(&slots[slot].state, SLOT_FREE, __ATOMIC_RELEASE);
}

void tm_sys_save_abort_all(void)
{
    int number = errno; /* of whatever the signal interrupted */
    for (size_t i = 0; i < TMI_COUNT_OF(slots); i++)
        if (__atomic_load_n(&slots[i].state, __ATOMIC_ACQUIRE) == SLOT_READY)
            (void)unlink(slots[i].path);
    errno = number;
}
