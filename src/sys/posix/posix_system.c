/* SPDX-License-Identifier: Zlib */
/*
 * Signals, terminals, processors and random bytes in POSIX. A program at a terminal should leave no files
 * when it is interrupted, end by SIGPIPE when nobody reads its output, and print lines that fit. Only
 * programs ask for this (tm_sys_prepare_program), never the library.
 */
#include "platform.h"

#include "../syscalls.h"
#include "../sys.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#if !defined(TMI_PLAIN_POSIX)
#include <sys/ioctl.h>
#endif
#include <unistd.h>
#if defined(TMI_HAS_AFFINITY)
#include <sched.h>
#endif

_Static_assert(sizeof(sigset_t) <= sizeof(tmi_sys_signals), "a set of signals has more room");

void tmi_sys_block_signals(tmi_sys_signals *old)
{
    sigset_t signals, set;
    (void)sigfillset(&signals);
    (void)pthread_sigmask(SIG_SETMASK, &signals, &set);
    memcpy(old, &set, sizeof(set));
}

void tmi_sys_restore_signals(const tmi_sys_signals *old)
{
    sigset_t set;
    memcpy(&set, old, sizeof(set));
    (void)pthread_sigmask(SIG_SETMASK, &set, NULL);
}

void tmi_sys_nap(void)
{
    (void)poll(NULL, 0, 1);
}

bool tmi_sys_is_terminal(int fd)
{
    return isatty(fd) == 1;
}

void tmi_sys_make_binary(int fd)
{
    (void)fd; /* all files are */
}

/* Cleans up, then lets the signal end the program as usual, so that its parent sees the signal. */
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
    struct sigaction current;
    sigset_t pipe_only;
    if (sigaction(SIGPIPE, NULL, &current) != 0 || current.sa_handler != on_closed_pipe)
        return;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    (void)pthread_sigmask(SIG_UNBLOCK, &pipe_only, NULL); /* threads of a pool block it */
    on_signal(SIGPIPE);
}

bool tm_sys_prepare_program(void)
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
    return false;
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

uint32_t tm_sys_processors(void)
{
#if defined(TMI_HAS_AFFINITY)
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
#endif
    long count = 1;
#if defined(_SC_NPROCESSORS_ONLN) && !defined(TMI_PLAIN_POSIX) /* POSIX has it since 2024 */
    count = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return count < 1 ? 1 : count > 1024 ? 1024 : (uint32_t)count;
}

int tmi_sys_random(void *bytes, size_t size)
{
#if defined(TMI_HAS_GETENTROPY)
    return getentropy(bytes, size);
#elif defined(TMI_HAS_ARC4RANDOM)
    arc4random_buf(bytes, size);
    return 0;
#else
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t got;
    do
        got = read(fd, bytes, size);
    while (got < 0 && errno == EINTR);
    (void)close(fd);
    return got == (ssize_t)size ? 0 : -1;
#endif
}
