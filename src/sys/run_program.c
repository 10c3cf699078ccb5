/* SPDX-License-Identifier: Zlib */
/*
 * Another program, run to its end, with what it prints kept; and where a program's own file is.
 */
#define _XOPEN_SOURCE 700
#include "syscalls.h"
#include "sys.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef PATH_MAX /* where there is no bound, realpath writes into what it is given */
#define PATH_MAX 65536
#endif

enum { ENDED_BY_SIGNAL = 128 }; /* what shells say of it, at least */

extern char **environ;

/* As posix_spawnp: 0, or what went wrong. */
static int start_program(pid_t *child, const char *const *words, const int ends[2])
{
    posix_spawn_file_actions_t actions;
    int number = posix_spawn_file_actions_init(&actions);
    if (number)
        return number;
    number = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (!number)
        number = posix_spawnp(child, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return number;
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
    const int number = start_program(&child, words, ends);
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
    if (!path || !buffer || !realpath(path, real) || strlen(real) >= size)
        return false;
    memcpy(buffer, real, strlen(real) + 1);
    return true;
}
