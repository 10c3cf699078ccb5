/* SPDX-License-Identifier: Zlib */
/*
 * How another program is started; one that is run to its end, with what it prints kept; and where a
 * program's own file is.
 */
#define _XOPEN_SOURCE 700
#include "syscalls.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef PATH_MAX /* where there is no bound, realpath writes into what it is given */
#define PATH_MAX 65536
#endif

enum { ENDED_BY_SIGNAL = 128 }; /* what shells say of it, at least */

extern char **environ;

/* Signals are as a shell would set them, whatever this program and its threads do with theirs. */
static int set_signals(posix_spawnattr_t *how)
{
    sigset_t none, usual;
    (void)sigemptyset(&none);
    (void)sigemptyset(&usual);
    (void)sigaddset(&usual, SIGPIPE);
    (void)sigaddset(&usual, SIGXFSZ);
    int failed = posix_spawnattr_setsigmask(how, &none);
    failed = failed ? failed : posix_spawnattr_setsigdefault(how, &usual);
    return failed ? failed : posix_spawnattr_setflags(how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* Backwards: a file of ours may itself be one of the lower standard files. */
static int set_files(posix_spawn_file_actions_t *files, const int standard[3])
{
    int failed = 0;
    for (int i = 2; i >= 0 && !failed; i--)
        if (standard[i] == TMI_SPAWN_NOWHERE)
            failed = posix_spawn_file_actions_addopen(files, i, "/dev/null", O_RDWR, 0);
        else if (standard[i] != TMI_SPAWN_OURS)
            failed = posix_spawn_file_actions_adddup2(files, standard[i], i);
    return failed;
}

int tmi_sys_spawn(pid_t *pid, const char *const *words, const int standard[3])
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&how);
    if (!failed) {
        failed = set_files(&files, standard);
        failed = failed ? failed : set_signals(&how);
        failed = failed ? failed
                        : posix_spawnp(pid, words[0], &files, &how, (char *const *)(uintptr_t)words, environ);
        (void)posix_spawnattr_destroy(&how);
    }
    (void)posix_spawn_file_actions_destroy(&files);
    return failed;
}

static tm_status read_output(int fd, tm_buffer *out, tm_error *error)
{
    char bytes[4096];
    const tm_output to = tm_output_to_buffer(out);
    for (;;) {
        const ssize_t size = read(fd, bytes, sizeof(bytes));
        if (size == 0)
            return TM_OK;
        if (size > 0)
            TM_TRY(to.write(to.ctx, bytes, (size_t)size, error));
        else if (errno != EINTR)
            return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "read", "a program's output");
    }
}

tm_status tm_sys_run(int *exit_status, tm_buffer *out, const char *const *words, tm_error *error)
{
    TM_TRY(tmi_need(exit_status, "exit_status", error));
    *exit_status = 0;
    TM_TRY(tmi_need(out, "out", error));
    TM_TRY(tmi_need(words, "words", error));
    TM_TRY(tmi_need(words[0], "words[0]", error));
    int ends[2], how = 0;
    pid_t child = 0;
    if (tmi_sys_pipe(ends) != 0)
        return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "make a pipe to", words[0]);
    const int number = tmi_sys_spawn(&child, words, (const int[3]){TMI_SPAWN_OURS, ends[1], TMI_SPAWN_OURS});
    close(ends[1]);
    tm_status status = number ? tmi_sys_fail(error, TM_SIDE_INPUT, number, "run", words[0])
                              : read_output(ends[0], out, error);
    close(ends[0]);
    if (!number)
        how = tmi_sys_wait(child);
    if (how == -1)
        return status ? status : tmi_sys_fail(error, TM_SIDE_INPUT, errno, "wait for", words[0]);
    *exit_status = WIFEXITED(how) ? WEXITSTATUS(how) : ENDED_BY_SIGNAL;
    return status;
}

bool tm_sys_real_path(char *buffer, size_t size, const char *path)
{
    char real[PATH_MAX];
    if (!path || !buffer || !realpath(path, real) || strlen(real) >= size) {
        if (buffer && size)
            buffer[0] = '\0';
        return false;
    }
    memcpy(buffer, real, strlen(real) + 1);
    return true;
}
