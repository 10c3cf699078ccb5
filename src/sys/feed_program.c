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
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_TALK = 4096 };

struct tm_sys_pipe {
    const tm_allocator *allocator;
    char *name;
    pid_t pid;
    int input; /* the end that we write to; -1: closed */
    FILE *talk;
};

static tm_status program_write(void *ctx, const void *bytes, size_t size, tm_error *error)
{
    const tm_sys_pipe *run = ctx;
    return tmi_sys_write_all(run->input, bytes, size, run->name, error);
}

tm_output tm_sys_pipe_output(tm_sys_pipe *run)
{
    tm_output output = {run, program_write, NULL};
    return output;
}

static void drop_feed(tm_sys_pipe *run)
{
    if (run->input >= 0)
        (void)tmi_sys_close(run->input);
    if (run->talk)
        (void)fclose(run->talk);
    tmi_strfree(run->allocator, run->name);
    tmi_free(run->allocator, run, 1, sizeof(*run));
}

/* ---------------------------------------------------------------------------------------------- beginning */

static int launch(tm_sys_pipe *run, const char *const *words)
{
    int ends[2];
    run->talk = tmpfile();
    if (!run->talk)
        return errno;
    if (tmi_sys_pipe(ends) != 0)
        return errno;
    const int failed =
        tmi_sys_spawn(&run->pid, words, (const int[3]){ends[0], TMI_SPAWN_NOWHERE, fileno(run->talk)});
    (void)close(ends[0]);
    run->input = ends[1];
    return failed;
}

tm_status tm_sys_pipe_begin(tm_sys_pipe **out, const char *const *words, const tm_allocator *allocator,
                            tm_error *error)
{
    TM_TRY(tmi_need(out, "out", error));
    *out = NULL;
    TM_TRY(tmi_need(words, "words", error));
    TM_TRY(tmi_need(words[0], "words[0]", error));
    tm_sys_pipe *run = tmi_calloc(allocator, 1, sizeof(*run));
    if (run) {
        run->allocator = allocator;
        run->input = -1;
        run->name = tmi_strdup(allocator, words[0]);
    }
    int failed = run && run->name ? 0 : ENOMEM;
    if (!failed)
        failed = launch(run, words);
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

tm_status tm_sys_pipe_finish(tm_sys_pipe *run, tm_error *error)
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

void tm_sys_pipe_abort(tm_sys_pipe *run)
{
    if (!run)
        return;
    (void)kill(run->pid, SIGKILL);
    (void)tmi_sys_wait(run->pid);
    drop_feed(run);
}
