/* SPDX-License-Identifier: Zlib */
/*
 * Runs other programs: to their end, with their output kept, or with data for their standard input. There is
 * no shell: the words are a program's arguments as they are.
 */
#include "syscalls.h"
#include "sys.h"

#include <errno.h>

/* --------------------------------------------------------------------------------------- run to its end */

enum { ENDED_BY_SIGNAL = 128 }; /* what shells say of it, at least */

tm_status tm_sys_run(int *exit_status, tm_buffer *out, const char *const *words, tm_error *error)
{
    TM_TRY(tmi_need(exit_status, "exit_status", error));
    *exit_status = 0;
    TM_TRY(tmi_need(out, "out", error));
    TM_TRY(tmi_need(words, "words", error));
    TM_TRY(tmi_need(words[0], "words[0]", error));
    int ends[2], signal = 0;
    intptr_t child = 0;
    if (tmi_sys_pipe(ends) != 0)
        return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "make a pipe to", words[0]);
    const int number = tmi_sys_spawn(&child, words, (const int[3]){TMI_SPAWN_OURS, ends[1], TMI_SPAWN_OURS});
    (void)tmi_sys_close(ends[1]);
    tm_status status = number ? tmi_sys_fail(error, TM_SIDE_INPUT, number, "run", words[0])
                              : tmi_sys_read_all(out, ends[0], UINT64_MAX, "a program's output", error);
    (void)tmi_sys_close(ends[0]);
    if (!number && tmi_sys_wait(child, exit_status, &signal) != 0)
        return status ? status : tmi_sys_fail(error, TM_SIDE_INPUT, errno, "wait for", words[0]);
    *exit_status = signal ? ENDED_BY_SIGNAL : *exit_status;
    return status;
}

/* -------------------------------------------------------------------------------------------------- fed */

/*
 * The standard error of a program goes to a file without a name, not to a pipe, so that the program never
 * waits for this one while this one waits for it.
 */
enum { MAX_TALK = 4096 };

struct tm_sys_pipe {
    const tm_allocator *allocator;
    char *name;
    intptr_t program;
    int input; /* the end that we write to; -1: closed */
    int talk;  /* what it says; -1: no file */
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
    if (run->talk >= 0)
        (void)tmi_sys_close(run->talk);
    tmi_strfree(run->allocator, run->name);
    tmi_free(run->allocator, run, 1, sizeof(*run));
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
        run->input = run->talk = -1;
        run->name = tmi_strdup(allocator, words[0]);
    }
    int ends[2], failed = run && run->name ? 0 : ENOMEM;
    if (!failed) {
        run->talk = tmi_sys_unnamed_file();
        failed = run->talk < 0 || tmi_sys_pipe(ends) != 0 ? errno : 0;
    }
    if (!failed) {
        failed = tmi_sys_spawn(&run->program, words, (const int[3]){ends[0], TMI_SPAWN_NOWHERE, run->talk});
        (void)tmi_sys_close(ends[0]);
        run->input = ends[1];
    }
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

tm_status tm_sys_pipe_finish(tm_sys_pipe *run, tm_error *error)
{
    char buffer[MAX_TALK];
    TM_TRY(tmi_need(run, "run", error));
    (void)tmi_sys_close(run->input);
    run->input = -1;
    int exit_status = 0, signal = 0;
    if (tmi_sys_wait(run->program, &exit_status, &signal) != 0)
        exit_status = -1;
    /* The last line of the program's standard error that is not empty. */
    tmi_sys_info info;
    const uint64_t end = tmi_sys_fstat(run->talk, &info) == 0 ? info.size : 0,
                   from = end >= sizeof(buffer) ? end - sizeof(buffer) + 1 : 0;
    const intptr_t got = end ? tmi_sys_pread(run->talk, buffer, sizeof(buffer) - 1, from) : 0;
    size_t num = got > 0 ? (size_t)got : 0;
    while (num && (buffer[num - 1] == '\n' || buffer[num - 1] == '\r' || buffer[num - 1] == ' '))
        num--;
    buffer[num] = '\0';
    const char *line = strrchr(buffer, '\n'), *said = line ? line + 1 : buffer;
    tm_status status = TM_OK;
    if (signal)
        status = tmi_fail(error, TM_ERROR_IO, -1, "%s was ended by signal %d", run->name, signal);
    else if (exit_status)
        status = tmi_fail(error, TM_ERROR_IO, -1, "%s ended with status %d%s%s", run->name, exit_status,
                          said[0] ? ": " : "", said);
    drop_feed(run);
    return status;
}

void tm_sys_pipe_abort(tm_sys_pipe *run)
{
    if (!run)
        return;
    int ignored;
    tmi_sys_kill(run->program);
    (void)tmi_sys_wait(run->program, &ignored, &ignored);
    drop_feed(run);
}
