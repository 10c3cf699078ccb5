/* SPDX-License-Identifier: Zlib */
/* Other programs: what is written reaches them, how they ended and what they said last is told, and none is left behind. */
#define _XOPEN_SOURCE 700
#include "support/test.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

static tm_status feed(const char *const *words, const void *bytes, size_t size, tm_error *error)
{
    tm_sys_pipe *made;
    tm_status status = tm_sys_pipe_begin(&made, words, NULL, error);
    if (status)
        return status;
    const tm_output output = tm_sys_pipe_output(made);
    status = size ? output.write(output.ctx, bytes, size, error) : TM_OK;
    const tm_status ended = tm_sys_pipe_finish(made, error);
    return status ? status : ended;
}

/* One that a file tells of, whose name no shell would leave alone. */
TEST(words_and_bytes_arrive_as_they_are)
{
    enum { SIZE = 300000 };
    char name[] = "/tmp/teemap run $(x) 'y' XXXXXX";
    const int fd = mkstemp(name);
    char of[sizeof(name) + 3];
    FREED uint8_t *bytes = malloc(SIZE), *decoded = malloc(SIZE + 1);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "rb");
    snprintf(of, sizeof(of), "of=%s", name);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (uint8_t)(i * i / 7);
    must(feed((const char *const[]){"dd", of, NULL}, bytes, SIZE, NULL));
    assert_int_equal(fread(decoded, 1, SIZE + 1, file), SIZE);
    assert_memory_equal(bytes, decoded, SIZE);
    fclose(file);
    remove(name);
}

TEST(how_it_ended_is_told)
{
    tm_error error;
    fails(TM_ERROR_NOT_FOUND, "no-such-program-of-teemap",
          feed((const char *const[]){"no-such-program-of-teemap", NULL}, "", 0, &error));
    fails_with(TM_ERROR_IO, "false ended with status 1",
               feed((const char *const[]){"false", NULL}, "", 0, &error));
    fails_with(TM_ERROR_IO, "sh ended with status 7: two",
               feed((const char *const[]){"sh", "-c", "echo one >&2; echo two >&2; echo >&2; exit 7", NULL},
                    "", 0, &error));
    fails_with(TM_ERROR_IO, "sh was ended by signal 9",
               feed((const char *const[]){"sh", "-c", "kill -9 $$", NULL}, "", 0, &error));
    /* More than a pipe holds: it does not wait for a reader. */
    must(feed((const char *const[]){"sh", "-c", "head -c 300000 /dev/zero >&2", NULL}, "", 0, &error));
}

TEST(one_that_does_not_read_is_an_error)
{
    static uint8_t zeros[1 << 20];
    tm_error error;
    tm_sys_prepare_program();
    assert_int_equal(feed((const char *const[]){"true", NULL}, zeros, sizeof(zeros), &error), TM_ERROR_IO);
    assert_int_equal(error.system, EPIPE);
}

TEST(aborted_ones_are_gone)
{
    tm_sys_pipe *made;
    int status;
    must(tm_sys_pipe_begin(&made, (const char *const[]){"sleep", "1000", NULL}, NULL, NULL));
    tm_sys_pipe_abort(made);
    assert_int_equal(waitpid(-1, &status, WNOHANG), -1); /* no child is left */
    tm_sys_pipe_abort(NULL);
}

TEST(failing_memory_leaves_nothing)
{
    EACH_FAILURE(memory) {
        tm_sys_pipe *made;
        const tm_status status =
            tm_sys_pipe_begin(&made, (const char *const[]){"true", NULL}, &memory.allocator, NULL);
        if (!status)
            must(tm_sys_pipe_finish(made, NULL));
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

/* A failed waitpid was taken for the program's success. */
TEST(nobody_knows_how_it_ended_is_an_error)
{
    const char *const fails[] = {"false", NULL}, *const empty[] = {NULL};
    OWN(tm_buffer) out = {0};
    tm_error error;
    int ended = -1;
    must(tm_sys_run(&ended, &out, fails, &error));
    assert_int_equal(ended, 1);
    signal(SIGCHLD, SIG_IGN);
    assert_int_equal(tm_sys_run(&ended, &out, fails, &error), TM_ERROR_IO);
    signal(SIGCHLD, SIG_DFL);
    assert_int_equal(tm_sys_run(&ended, &out, empty, &error), TM_ERROR_USAGE);
}
