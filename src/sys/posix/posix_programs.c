/* SPDX-License-Identifier: Zlib */
/* How POSIX starts another program, and waits for it; and where a file really is. */
#include "platform.h"

#include "../syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PATH_MAX /* where there is no bound, realpath writes into what it is given */
#define PATH_MAX 65536
#endif

extern char **environ;

int tmi_sys_spawn(intptr_t *program, const char *const *words, const int standard[3])
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t signals, usual; /* the signals that a shell would give it */
    pid_t pid = 0;
    (void)sigemptyset(&signals);
    (void)sigemptyset(&usual);
    (void)sigaddset(&usual, SIGPIPE);
    (void)sigaddset(&usual, SIGXFSZ);
    int failed = posix_spawn_file_actions_init(&files);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (!failed) {
        for (int i = 2; i >= 0 && !failed; i--) /* the last first: an open file may have a lower number */
            if (standard[i] == TMI_SPAWN_NOWHERE)
                failed = posix_spawn_file_actions_addopen(&files, i, "/dev/null", O_RDWR, 0);
            else if (standard[i] != TMI_SPAWN_OURS)
                failed = posix_spawn_file_actions_adddup2(&files, standard[i], i);
        failed = failed ? failed : posix_spawnattr_setsigmask(&attributes, &signals);
        failed = failed ? failed : posix_spawnattr_setsigdefault(&attributes, &usual);
        failed = failed
                     ? failed
                     : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        failed = failed ? failed
                        : posix_spawnp(&pid, words[0], &files, &attributes, (char *const *)(uintptr_t)words,
                                       environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&files);
    *program = pid;
    return failed;
}

int tmi_sys_pipe(int ends[2])
{
    int made[2], number = 0;
    if (pipe(made) != 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(made[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        number = ends[i] < 0 && !number ? errno : number;
        (void)close(made[i]);
    }
    for (int i = 0; i < 2 && number; i++)
        if (ends[i] >= 0)
            (void)close(ends[i]);
    errno = number ? number : errno;
    return number ? -1 : 0;
}

int tmi_sys_wait(intptr_t program, int *exit_status, int *signal)
{
    int how = 0;
    pid_t ended;
    do
        ended = waitpid((pid_t)program, &how, 0);
    while (ended < 0 && errno == EINTR);
    *exit_status = WIFEXITED(how) ? WEXITSTATUS(how) : 0;
    *signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    return ended < 0 ? -1 : 0;
}

void tmi_sys_kill(intptr_t program)
{
    (void)kill((pid_t)program, SIGKILL);
}

int tmi_sys_unnamed_file(void)
{
    FILE *file = tmpfile();
    const int fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1, number = errno;
    if (file)
        (void)fclose(file);
    errno = number;
    return fd;
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
