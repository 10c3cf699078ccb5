/* SPDX-License-Identifier: Zlib */
/*
 * The list of temporary files of running saves, for signal handlers. A handler may neither lock nor allocate
 * nor follow a pointer that another thread is about to free, so this is a fixed table whose paths lie in it:
 *
 *   FREE -> FILLING    by the thread that begins a save, compare and swap
 *   FILLING -> READY   by the same, when the file is there
 *   READY -> FREE      by the same, when the file was renamed or removed
 *
 * A handler that read READY just before the last step removes a file that is gone already, which does no
 * harm: names are never used twice. It waits while a slot is FILLING, so the thread that fills it must not
 * run a handler; and a file that begins after the handler has looked would be left behind, so it never does.
 */
#include "temp_files.h"
#include "syscalls.h"
#include "sys.h"

#include <errno.h>

enum state { SLOT_FREE, SLOT_FILLING, SLOT_READY };

static struct slot {
    int state; /* atomic */
    char path[4096];
} slots[16];

static bool ending; /* atomic; set once */

/* A free slot, FILLING; NULL: there is none. */
static struct slot *take_slot(void)
{
    for (size_t i = 0; i < TMI_COUNT_OF(slots); i++) {
        int expected = SLOT_FREE;
        if (__atomic_compare_exchange_n(&slots[i].state, &expected, SLOT_FILLING, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
            return &slots[i];
    }
    return NULL;
}

static void set_state(struct slot *slot, enum state state)
{
    if (slot)
        __atomic_store_n(&slot->state, (int)state, __ATOMIC_RELEASE);
}

int tmi_sys_create_temporary(const char *path, bool secret, int *out)
{
    size_t size = strlen(path) + 1;
    tmi_sys_signals old;
    tmi_sys_block_signals(&old);
    struct slot *slot = size <= sizeof(slots[0].path) ? take_slot() : NULL;
    if (__atomic_load_n(&ending, __ATOMIC_SEQ_CST)) {
        set_state(slot, SLOT_FREE);
        tmi_sys_restore_signals(&old);
        for (;;)
            tmi_sys_nap();
    }
    if (slot)
        memcpy(slot->path, path, size);
    int fd = tmi_sys_open(path, secret ? TMI_OPEN_SECRET : TMI_OPEN_NEW);
    int number = errno;
    set_state(slot, fd >= 0 ? SLOT_READY : SLOT_FREE);
    tmi_sys_restore_signals(&old);
    *out = fd >= 0 && slot ? (int)(slot - slots) : -1;
    errno = number;
    return fd;
}

void tmi_sys_forget_temporary(int slot)
{
    set_state(slot >= 0 ? &slots[slot] : NULL, SLOT_FREE);
}

void tm_sys_save_abort_all(void)
{
    int number = errno; /* of whatever the signal interrupted */
    __atomic_store_n(&ending, true, __ATOMIC_SEQ_CST);
    for (size_t i = 0; i < TMI_COUNT_OF(slots); i++) {
        int state;
        while ((state = __atomic_load_n(&slots[i].state, __ATOMIC_SEQ_CST)) == SLOT_FILLING)
            tmi_sys_nap();
        if (state == SLOT_READY)
            tmi_sys_unlink_at_end(slots[i].path);
    }
    errno = number;
}
