/* SPDX-License-Identifier: Zlib */
/*
 * What a program at a terminal owes its user: no litter when it is interrupted, an end by SIGPIPE when nobody
 * reads standard output any more, lines that fit. Only programs call this, on their own behalf; the library
 * itself never does.
 */
#include "platform.h"
#include "sys.h"

#include <signal.h>
#include <stddef.h>
#if !defined(TMI_PLAIN_POSIX)
#include <sys/ioctl.h>
#endif
#include <unistd.h>

/*
 * Cleans up, then lets the signal do what it would have done, so that the caller sees by what the program
 * ended.
 */
static void on_signal(int number)
{
    tm_sys_save_abort_all();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* A closed pipe is an error of the write; unlike SIG_IGN, this says that the parent does not ignore it. */
static void on_closed_pipe(int number)
{
    (void)number;
}

void tmi_sys_end_by_closed_pipe(void)
{
    struct sigaction now;
    sigset_t pipe_only;
    if (sigaction(SIGPIPE, NULL, &now) != 0 || now.sa_handler != on_closed_pipe)
        return;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    (void)pthread_sigmask(SIG_UNBLOCK, &pipe_only, NULL); /* threads of a pool block it */
    on_signal(SIGPIPE);
}

void tm_sys_prepare_program(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
    struct sigaction action = {0}, old;
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_closed_pipe;
    if (sigaction(SIGPIPE, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        (void)sigaction(SIGPIPE, &action, NULL);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGXFSZ, &action, NULL); /* a file that grows beyond a limit is an error (EFBIG), too */
    action.sa_handler = on_signal;
    for (size_t i = 0; i < TMI_COUNT_OF(ends); i++) {
        /* What the parent has set to be ignored stays so (nohup). */
        if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            (void)sigaction(ends[i], &action, NULL);
    }
}

uint32_t tm_sys_terminal_width(void)
{
#if defined(TIOCGWINSZ)
    struct winsize size = {0};
    const bool told =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return told ? size.ws_col : 0;
#else
    return 0;
#endif
}
