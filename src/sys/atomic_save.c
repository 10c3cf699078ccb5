/* SPDX-License-Identifier: Zlib */
/*
 * Atomic saving: a temporary file beside the target, flushed to the disk, renamed over it. "Beside" means the
 * folder in which the target really is, after following symbolic links, because a rename works only inside
 * one file system and must not replace the link itself.
 *
 * What exists and is no regular file (a terminal, a pipe, /dev/null, /dev/stdout) cannot be replaced: it is
 * written to directly. The first failure sticks, so that a commit after a failed write never lets a cut file
 * through.
 *
 * The folder is not flushed after the rename: a power failure may bring the old file back, but never half a
 * new one, and the second flush would cost a fifth of a save.
 */
#include "syscalls.h"
#include "sys.h"

#include <errno.h>

#define MAX_LINKS 40 /* as Linux */
#define MAX_NAMES 100

/* ---------------------------------------------------------------------- temporary files of running saves */

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
enum state { SLOT_FREE, SLOT_FILLING, SLOT_READY };

static struct slot {
    int state; /* atomic */
    char path[4096];
} slots[16];

static bool ending; /* atomic; set once */

static void set_state(struct slot *slot, enum state state)
{
    if (slot)
        __atomic_store_n(&slot->state, (int)state, __ATOMIC_RELEASE);
}

/*
 * Makes a new file, open for writing, and puts it on the list; returns its descriptor, or -1 and errno. *out
 * is its slot, NULL if there was no room: a signal handler will not remove the file. After
 * tm_sys_save_abort_all it waits for the end of the process.
 */
static int create_temporary(const char *path, bool secret, struct slot **out)
{
    size_t size = strlen(path) + 1;
    struct slot *slot = NULL; /* a free one, FILLING */
    tmi_sys_signals old;
    tmi_sys_block_signals(&old);
    for (size_t i = 0; i < TMI_COUNT_OF(slots) && size <= sizeof(slots[0].path) && !slot; i++) {
        int expected = SLOT_FREE;
        if (__atomic_compare_exchange_n(&slots[i].state, &expected, SLOT_FILLING, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
            slot = &slots[i];
    }
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
    *out = fd >= 0 ? slot : NULL;
    errno = number;
    return fd;
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

/* ------------------------------------------------------------------------------------------------- a save */

struct tm_sys_save {
    const tm_allocator *allocator;
    int fd;
    bool direct;
    bool is_brief; /* it is not flushed */
    bool replaces; /* the target exists, and `old` is about it */
    tmi_sys_info old;
    struct slot *slot; /* in the list of running saves; NULL: it found no room there */
    char *path;        /* as the caller wrote it, for errors */
    char *target;      /* where the links lead */
    char *temporary;   /* NULL as long as there is none */
    tm_error failure;  /* the first one; code TM_OK if there was none */
    size_t used;
    uint8_t buffer[65536];
};

/* Hands the failure that stuck, if any, to the caller. */
static tm_status report_failure(const tm_sys_save *save, tm_error *error)
{
    if (save->failure.code != TM_OK && error)
        *error = save->failure;
    return save->failure.code;
}

static tm_status fail_write(tm_sys_save *save, int number)
{
    return tmi_sys_fail(&save->failure, TM_SIDE_OUTPUT, number, "write", save->path);
}

/* -------------------------------------------------------------------------------------------------- paths */

/* "FOLDER OF path" + name; the result replaces *path. */
static bool replace_name(const tm_allocator *allocator, char **path, const char *name)
{
    size_t folder = tmi_sys_is_rooted(name) ? 0 : tmi_sys_folder_length(*path), length = strlen(name);
    char *joined = tmi_alloc(allocator, folder + length + 1, 1);
    if (!joined)
        return false;
    memcpy(joined, *path, folder);
    memcpy(joined + folder, name, length + 1);
    tmi_strfree(allocator, *path);
    *path = joined;
    return true;
}

/* Makes save->target the end of its chain of links, which need not exist. */
static tm_status follow_links(tm_sys_save *save)
{
    char link[4096];
    for (int i = 0; i < MAX_LINKS; i++) {
        tmi_sys_info info;
        if (tmi_sys_lstat(save->target, &info) != 0)
            return errno == ENOENT ? TM_OK : fail_write(save, errno);
        if (!info.is_link)
            return TM_OK;
        intptr_t length = tmi_sys_readlink(save->target, link, sizeof(link));
        if (length < 0 || (size_t)length >= sizeof(link))
            return fail_write(save, length < 0 ? errno : ENAMETOOLONG);
        link[length] = '\0';
        if (!replace_name(save->allocator, &save->target, link))
            return tmi_fail_memory(&save->failure, sizeof(link), "a path");
    }
    return fail_write(save, ELOOP);
}

/* -------------------------------------------------------------------------------------------------- begin */

/*
 * Locks the new file, as a sign that it is no leftover (sweep.c). False: somebody who sweeps the folder was
 * faster, so the file is gone or about to be.
 */
static bool lock_temporary(tm_sys_save *save)
{
    if (tmi_sys_lock(save->fd) != TMI_LOCK_LOST)
        return true;
    (void)tmi_sys_close(save->fd);
    (void)tmi_sys_unlink(save->temporary);
    set_state(save->slot, SLOT_FREE);
    save->fd = -1;
    save->slot = NULL;
    return false;
}

/*
 * Names are hard to guess, so that nobody can prepare one; O_EXCL takes care of what remains. A new file gets
 * its permissions from the umask at once; one that replaces another stays private until the end.
 */
static tm_status make_temporary(tm_sys_save *save)
{
    char name[TMI_TEMPORARY_NAME];
    int number = EEXIST;
    save->temporary = tmi_strdup(save->allocator, save->target);
    tmi_sys_sweep_once(save->target);
    for (unsigned i = 0; number == EEXIST && i < MAX_NAMES; i++) {
        uint64_t random;
        if (tmi_sys_random(&random, sizeof(random)) != 0)
            random = (uint64_t)(tm_sys_seconds() * 1e9) * 0x9E3779B97F4A7C15u ^
                     (uint64_t)(uintptr_t)&random << 20 ^ i;
        tmi_sys_temporary_name(name, random);
        if (!save->temporary || !replace_name(save->allocator, &save->temporary, name))
            return tmi_fail_memory(&save->failure, strlen(save->target) + sizeof(name), "a path");
        save->fd = create_temporary(save->temporary, save->replaces, &save->slot);
        number = save->fd < 0 ? errno : lock_temporary(save) ? 0 : EEXIST;
    }
    return number ? fail_write(save, number) : TM_OK;
}

static tm_status open_direct(tm_sys_save *save, int descriptor)
{
    save->direct = true;
    save->fd = descriptor >= 0 ? tmi_sys_dup(descriptor) : tmi_sys_open(save->path, TMI_OPEN_WRITE);
    return save->fd >= 0 ? TM_OK : fail_write(save, errno);
}

static tm_status open_target(tm_sys_save *save)
{
    /* Renaming over the file behind "/dev/fd/N" and its kin would lose other output. */
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(save->path, "/dev/stdout") == 0)
        return open_direct(save, TMI_STDOUT);
    if (strcmp(save->path, "/dev/stderr") == 0)
        return open_direct(save, TMI_STDERR);
    for (size_t i = 0; i < TMI_COUNT_OF(folders); i++) {
        const size_t length = strlen(folders[i]);
        if (strncmp(save->path, folders[i], length) != 0)
            continue;
        const char *digits = save->path + length;
        const size_t num = strspn(digits, "0123456789");
        if (num && num <= 6 && !digits[num])
            return open_direct(save, atoi(digits)); // NOLINT(cert-err34-c): one to six digits
    }
    save->replaces = tmi_sys_stat(save->path, &save->old) == 0;
    if (!save->replaces && errno != ENOENT)
        return fail_write(save, errno);
    if (save->replaces && save->old.kind == TM_SYS_FOLDER)
        return fail_write(save, EISDIR);
    if (save->replaces && save->old.kind != TM_SYS_FILE)
        return open_direct(save, -1);
    /* A rename would replace a write-protected file without asking. */
    if (save->replaces && !tmi_sys_may_write(save->path))
        return fail_write(save, errno);
    TM_TRY(follow_links(save));
    return make_temporary(save);
}

static void free_save(tm_sys_save *save)
{
    tmi_strfree(save->allocator, save->path);
    tmi_strfree(save->allocator, save->target);
    tmi_strfree(save->allocator, save->temporary);
    tmi_free(save->allocator, save, 1, sizeof(*save));
}

tm_status tm_sys_save_begin(tm_sys_save **out, const char *path, const tm_allocator *allocator,
                            tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(path, "path", error));
    tm_sys_save *save;
    TM_TRY(tmi_reserve_zeroed(&save, allocator, 1, sizeof(*save), "saving a file", error));
    save->allocator = allocator;
    save->fd = -1;
    save->path = tmi_strdup(allocator, path);
    save->target = tmi_strdup(allocator, path);
    if (!save->path || !save->target)
        tmi_fail_memory(&save->failure, strlen(path) + 1, "a path");
    else
        open_target(save);
    tm_status status = report_failure(save, error);
    if (status != TM_OK)
        free_save(save);
    else
        *out = save;
    return status;
}

/* ------------------------------------------------------------------------------------------------ writing */

static tm_status flush_buffer(tm_sys_save *save)
{
    if (save->failure.code == TM_OK)
        tmi_sys_write_all(save->fd, save->buffer, save->used, save->path, &save->failure);
    save->used = 0;
    return save->failure.code;
}

static tm_status save_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    tm_sys_save *save = ctx;
    TM_TRY(tmi_need(save, "save", error));
    if (size > sizeof(save->buffer) - save->used)
        flush_buffer(save);
    if (save->failure.code != TM_OK)
        return report_failure(save, error);
    if (size >= sizeof(save->buffer)) {
        tmi_sys_write_all(save->fd, bytes, size, save->path, &save->failure);
        return report_failure(save, error);
    }
    if (size)
        memcpy(save->buffer + save->used, bytes, size);
    save->used += size;
    return TM_OK;
}

/* Reads straight into the write buffer. An error of the input sticks, too. */
static tm_status save_copy(void *ctx, const tm_input *input, uint64_t offset, uint64_t size, tm_error *error)
{
    tm_sys_save *save = ctx;
    TM_TRY(tmi_need(save, "save", error));
    while (size && save->failure.code == TM_OK) {
        size_t room = sizeof(save->buffer) - save->used, step = size < room ? (size_t)size : room;
        if (step && tmi_input_read(input, offset, save->buffer + save->used, step, &save->failure) != TM_OK)
            break;
        save->used += step;
        offset += step;
        size -= step;
        if (save->used == sizeof(save->buffer))
            flush_buffer(save);
    }
    return report_failure(save, error);
}

tm_output tm_sys_save_output(tm_sys_save *save)
{
    tm_output output = {save, save_write, save_copy};
    return output;
}

void tm_sys_save_skip_flush(tm_sys_save *save)
{
    if (save)
        save->is_brief = true;
}

const char *tm_sys_save_path(const tm_sys_save *save)
{
    return save ? save->temporary : NULL;
}

/* ------------------------------------------------------------------------------------------------ the end */

static void close_file(tm_sys_save *save)
{
    if (save->fd >= 0 && tmi_sys_close(save->fd) != 0 && save->failure.code == TM_OK)
        fail_write(save, errno);
    save->fd = -1;
}

static tm_status finish_saving(tm_sys_save *save)
{
    TM_TRY(flush_buffer(save));
    if (!save->direct && save->replaces) {
        tmi_sys_info info; /* it takes over owner (as far as we may give files away) and permissions */
        if (tmi_sys_fstat(save->fd, &info) != 0)
            return fail_write(save, errno);
        if ((info.owner != save->old.owner || info.group != save->old.group) &&
            tmi_sys_fchown(save->fd, save->old.owner, save->old.group) != 0 && errno != EPERM &&
            errno != EINVAL)
            return fail_write(save, errno);
        if (info.mode != save->old.mode && tmi_sys_fchmod(save->fd, save->old.mode) != 0)
            return fail_write(save, errno);
    }
    /* Not every file system can flush; those that cannot say so in one of these ways. */
    if (!save->direct && !save->is_brief && tmi_sys_fsync(save->fd) != 0 && errno != EINVAL &&
        errno != EROFS && errno != EOPNOTSUPP)
        return fail_write(save, errno);
    /*
     * Closing tells the last errors, so it comes first; another descriptor keeps the lock until the rename.
     */
    const int lock = save->direct ? -1 : tmi_sys_dup(save->fd);
    close_file(save);
    if (save->failure.code == TM_OK && !save->direct && tmi_sys_rename(save->temporary, save->target) != 0)
        fail_write(save, errno);
    if (lock >= 0)
        (void)tmi_sys_close(lock);
    return save->failure.code;
}

void tm_sys_save_abort(tm_sys_save *save)
{
    if (!save)
        return;
    close_file(save);
    if (save->temporary)
        (void)tmi_sys_unlink(save->temporary);
    set_state(save->slot, SLOT_FREE);
    free_save(save);
}

tm_status tm_sys_save_commit(tm_sys_save *save, tm_error *error)
{
    TM_TRY(tmi_need(save, "save", error));
    if (finish_saving(save) != TM_OK) {
        tm_status status = report_failure(save, error);
        tm_sys_save_abort(save);
        return status;
    }
    set_state(save->slot, SLOT_FREE);
    free_save(save);
    return TM_OK;
}
