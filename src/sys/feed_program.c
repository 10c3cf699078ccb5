/* SPDX-License-Identifier: Zlib */
/*
 * Runs another program and writes to its standard input. There is no shell: the words are its arguments as
 * they are. What it says on standard error goes to a file without a name, not to a pipe, so that it never
 * waits for us while we wait for it.
 */
#include "platform.h"

#include "syscalls.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_TALK = 4096 };

struct tm_sys_feed {
    const tm_allocator *allocator;
    char *name;
    pid_t pid;
    int input; /* the end that we write to; -1: closed */
    FILE *talk;
};

static tm_status program_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    const tm_sys_feed *run = ctx;
    return tmi_sys_write_all(run->input, bytes, size, run->name, error);
}

tm_output tm_sys_feed_output(tm_sys_feed *run)
{
    tm_output output = {run, program_write, NULL};
    return output;
}

static void drop_feed(tm_sys_feed *run)
{
    if (run->input >= 0)
        (void)tmi_sys_close(run->input);
    if (run->talk)
        (void)fclose(run->talk);
    tmi_strfree(run->allocator, run->name);
    tmi_free(run->allocator, run, 1, sizeof(*run));
}

/* ---------------------------------------------------------------------------------------------- beginning */

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

static int set_files(posix_spawn_file_actions_t *files, const int ends[2], int talk)
{
    int failed = posix_spawn_file_actions_adddup2(files, ends[0], STDIN_FILENO);
    failed =
        failed ? failed : posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(files, talk, STDERR_FILENO);
    failed = failed ? failed : posix_spawn_file_actions_addclose(files, ends[0]);
    return failed ? failed : posix_spawn_file_actions_addclose(files, ends[1]);
}

static int spawn(pid_t *pid, char *const *words, const int ends[2], int talk)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&how);
    if (!failed) {
        failed = set_files(&files, ends, talk);
        failed = failed ? failed : set_signals(&how);
        failed = failed ? failed : posix_spawnp(pid, words[0], &files, &how, words, environ);
        (void)posix_spawnattr_destroy(&how);
    }
    (void)posix_spawn_file_actions_destroy(&files);
    return failed;
}

static int launch(tm_sys_feed *run, char *const *words)
{
    int ends[2];
    run->talk = tmpfile();
    if (!run->talk)
        return errno;
    if (tmi_sys_pipe(ends) != 0)
        return errno;
    const int failed = spawn(&run->pid, words, ends, fileno(run->talk));
    (void)close(ends[0]);
    run->input = ends[1];
    return failed;
}

tm_status tm_sys_feed_begin(tm_sys_feed **out, const char *const *words, const tm_allocator *allocator,
                            tm_error *error)
{
    size_t num = 0;
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(words, "words", error));
    TM_TRY(tmi_need(words[0], "words[0]", error));
    while (words[num])
        num++;
    char **copy = tmi_alloc(allocator, num + 1, sizeof(*copy)); /* posix_spawn wants them without const */
    tm_sys_feed *run = tmi_calloc(allocator, 1, sizeof(*run));
    if (run) {
        run->allocator = allocator;
        run->input = -1;
        run->name = tmi_strdup(allocator, words[0]);
    }
    int failed = copy && run && run->name ? 0 : ENOMEM;
    if (!failed) {
        memcpy(copy, words, (num + 1) * sizeof(*copy));
        failed = launch(run, copy);
    }
    if (copy)
        tmi_free(allocator, copy, num + 1, sizeof(*copy));
    if (!failed) {
        *out = run;
        return TM_OK;
    }
    if (run)
        drop_feed(run);
    if (failed == ENOMEM)
        return tmi_fail_memory(error, sizeof(*run), "a program");
    if (failed == ENOENT)
        return tmi_fail(error, TM_ERROR_NOT_FOUND, -1, "the program '%s' is not installed", words[0]);
    return tmi_sys_fail(error, TM_SIDE_NONE, failed, "run it", words[0]);
}

/* ------------------------------------------------------------------------------------------------- ending */

/* The last line that is not empty of what the program said. */
static const char *last_words(char *buffer, size_t size, FILE *talk)
{
    const long end = fseek(talk, 0, SEEK_END) == 0 ? ftell(talk) : 0;
    const long from = end > (long)size - 1 ? end - (long)size + 1 : 0;
    size_t num = end > 0 && fseek(talk, from, SEEK_SET) == 0 ? fread(buffer, 1, size - 1, talk) : 0;
    while (num && (buffer[num - 1] == '\n' || buffer[num - 1] == '\r' || buffer[num - 1] == ' '))
        num--;
    buffer[num] = '\0';
    const char *line = strrchr(buffer, '\n');
    return line ? line + 1 : buffer;
}

tm_status tm_sys_feed_finish(tm_sys_feed *run, tm_error *error)
{
    char buffer[MAX_TALK];
    TM_TRY(tmi_need(run, "run", error));
    (void)tmi_sys_close(run->input);
    run->input = -1;
    const int ended = tmi_sys_wait(run->pid);
    const char *said = last_words(buffer, sizeof(buffer), run->talk);
    tm_status status = TM_OK;
    if (ended != -1 && WIFSIGNALED(ended))
        status = tmi_fail(error, TM_ERROR_IO, -1, "%s was ended by signal %d", run->name, WTERMSIG(ended));
    else if (ended != 0)
        status = tmi_fail(error, TM_ERROR_IO, -1, "%s ended with status %d%s%s", run->name,
                          ended == -1 ? -1 : WEXITSTATUS(ended), said[0] ? ": " : "", said);
    drop_feed(run);
    return status;
}

void tm_sys_feed_abort(tm_sys_feed *run)
{
    if (!run)
        return;
    (void)kill(run->pid, SIGKILL);
    (void)tmi_sys_wait(run->pid);
    drop_feed(run);
}
