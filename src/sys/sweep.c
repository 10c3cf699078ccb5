/* SPDX-License-Identifier: Zlib */
/*
 * Removes what killed processes left: a process that is killed cannot remove its temporary files, and nobody
 * else knows of them. So the first save of a process into a folder looks for such names there.
 *
 * A file that is still being written is told from a leftover by a lock: whoever writes it holds one until the
 * file has its name, and the system releases it with the process, however that ends. What cannot be locked
 * (on file systems without locks, and systems without tmi_sys_lock) stays.
 */
#include "syscalls.h"
#include "sys.h"

#define PREFIX ".teemap-"
#define SUFFIX ".tmp"

enum {
    DIGITS = 16,
    NAME_SIZE = sizeof(PREFIX) - 1 + DIGITS + sizeof(SUFFIX),
    MAX_PATH = 4096,
    NUM_PLACES = 1024, /* of folders; a power of two */
    NUM_TRIES = 8      /* places that a folder may have */
};
_Static_assert((int)NAME_SIZE <= (int)TMI_TEMPORARY_NAME, "the buffers of callers");

/*
 * The hashes of folders that this process has swept; 0: a free place. A folder that finds no place, or two
 * that have one hash, only cost a listing more or leave a leftover to the next process.
 */
static uint64_t swept[NUM_PLACES]; /* atomic */

void tmi_sys_temporary_name(char *out, uint64_t random)
{
    tmi_format(out, NAME_SIZE, PREFIX "%016llx" SUFFIX, (unsigned long long)random);
}

bool tmi_sys_is_temporary_name(const char *name)
{
    const size_t prefix = sizeof(PREFIX) - 1;
    return strncmp(name, PREFIX, prefix) == 0 && strspn(name + prefix, "0123456789abcdef") == DIGITS &&
           strcmp(name + prefix + DIGITS, SUFFIX) == 0;
}

/* Removes a file unless somebody holds its lock, or it is no regular file. */
static void remove_leftover(const char *path)
{
    tmi_sys_info info;
    if (tmi_sys_lstat(path, &info) != 0 || info.kind != TM_SYS_FILE)
        return;
    const int fd = tmi_sys_open(path, TMI_OPEN_LEFTOVER);
    if (fd < 0)
        return;
    if (tmi_sys_lock(fd) == TMI_LOCK_OURS)
        (void)tmi_sys_unlink(path);
    (void)tmi_sys_close(fd);
}

/* Returns whether the folder could be listed to its end. */
static bool sweep_folder(const char *folder, size_t folder_size)
{
    char path[MAX_PATH];
    tmi_sys_listing listing;
    int more;
    memcpy(path, folder, folder_size);
    memcpy(path + folder_size, folder_size ? "" : ".", folder_size ? 1 : 2);
    if (tmi_sys_list_open(&listing, path) != 0)
        return false;
    while ((more = tmi_sys_list_next(&listing)) > 0) {
        if (!tmi_sys_is_temporary_name(listing.name))
            continue;
        memcpy(path + folder_size, listing.name, strlen(listing.name) + 1);
        remove_leftover(path);
    }
    tmi_sys_list_close(&listing);
    return more == 0;
}

void tmi_sys_sweep_once(const char *path)
{
    const size_t size = tmi_sys_folder_length(path);
    uint64_t hash = tmi_hash(0, path, size);
    hash += !hash; /* 0 means a free place */
    if (size + NAME_SIZE > MAX_PATH)
        return;
    for (size_t i = 0; i < NUM_TRIES; i++)
        if (__atomic_load_n(&swept[(hash + i) % NUM_PLACES], __ATOMIC_RELAXED) == hash)
            return;
    if (!sweep_folder(path, size))
        return;
    for (size_t i = 0; i < NUM_TRIES; i++) {
        uint64_t expected = 0;
        if (__atomic_compare_exchange_n(&swept[(hash + i) % NUM_PLACES], &expected, hash, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
    }
}
