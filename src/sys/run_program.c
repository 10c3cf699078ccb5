/* SPDX-License-Identifier: Zlib */
/* Another program that is run to its end, with what it prints kept. */
#include "syscalls.h"
#include "sys.h"

#include <errno.h>

enum { ENDED_BY_SIGNAL = 128 }; /* what shells say of it, at least */

static tm_status read_output(int fd, tm_buffer *out, tm_error *error)
{
    char bytes[4096];
    const tm_output to = tm_output_to_buffer(out);
    for (;;) {
        const intptr_t size = tmi_sys_read(fd, bytes, sizeof(bytes));
        if (size == 0)
            return TM_OK;
        if (size > 0)
            TM_TRY(to.write(to.ctx, bytes, (size_t)size, error));
        else
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
    int ends[2], signal = 0;
    intptr_t child = 0;
    if (tmi_sys_pipe(ends) != 0)
        return tmi_sys_fail(error, TM_SIDE_INPUT, errno, "make a pipe to", words[0]);
    const int number = tmi_sys_spawn(&child, words, (const int[3]){TMI_SPAWN_OURS, ends[1], TMI_SPAWN_OURS});
    (void)tmi_sys_close(ends[1]);
    tm_status status = number ? tmi_sys_fail(error, TM_SIDE_INPUT, number, "run", words[0])
                              : read_output(ends[0], out, error);
    (void)tmi_sys_close(ends[0]);
    if (!number && tmi_sys_wait(child, exit_status, &signal) != 0)
        return status ? status : tmi_sys_fail(error, TM_SIDE_INPUT, errno, "wait for", words[0]);
    *exit_status = signal ? ENDED_BY_SIGNAL : *exit_status;
    return status;
}
