/* SPDX-License-Identifier: Zlib */
/*
 * Consoles, Ctrl-C, processors and chance in Windows. Consoles show UTF-8 and colors only for programs that
 * ask for it: tm_sys_prepare_program does.
 */
#define _CRT_RAND_S
#include "../syscalls.h"
#include "../sys.h"

#include <io.h>
#include <stdlib.h>
#include <windows.h>

enum { ENDED_BY_PIPE = 128 + 13 }; /* what shells of POSIX say of SIGPIPE */

/* Does nothing: Windows has no signals, and Ctrl-C runs on a thread of its own. */
void tmi_sys_block_signals(tmi_sys_signals *old)
{
    (void)old;
}

void tmi_sys_restore_signals(const tmi_sys_signals *old)
{
    (void)old;
}

void tmi_sys_nap(void)
{
    Sleep(1);
}

bool tmi_sys_is_terminal(int fd)
{
    DWORD mode;
    return GetConsoleMode((HANDLE)_get_osfhandle(fd), &mode);
}

static bool prepared; /* by tm_sys_prepare_program */

void tmi_sys_end_by_closed_pipe(void)
{
    if (!prepared)
        return;
    tm_sys_save_abort_all();
    ExitProcess(ENDED_BY_PIPE);
}

/* Cleans up, then lets the next handler end the program; also when the window closes or the user logs off. */
static BOOL WINAPI on_console_event(DWORD event)
{
    (void)event;
    tm_sys_save_abort_all();
    return FALSE;
}

/* Makes a console show UTF-8 and colors. If it cannot show colors, sets TERM=dumb, which programs know. */
static void prepare_console(DWORD which)
{
    const HANDLE console = GetStdHandle(which);
    DWORD mode;
    if (!GetConsoleMode(console, &mode))
        return;
    (void)SetConsoleOutputCP(CP_UTF8);
    if (!SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING))
        (void)_putenv("TERM=dumb");
}

bool tm_sys_prepare_program(void)
{
    DWORD mode, processes[2];
    prepared = true;
    (void)SetErrorMode(SEM_FAILCRITICALERRORS); /* no window because a drive is empty */
    (void)SetConsoleCtrlHandler(on_console_event, TRUE);
    prepare_console(STD_OUTPUT_HANDLE);
    prepare_console(STD_ERROR_HANDLE);
    tmi_sys_make_binary(TMI_STDERR);
    return GetConsoleMode(GetStdHandle(STD_OUTPUT_HANDLE), &mode) && GetConsoleProcessList(processes, 2) == 1;
}

uint32_t tm_sys_terminal_width(void)
{
    static const DWORD outputs[] = {STD_ERROR_HANDLE, STD_OUTPUT_HANDLE};
    CONSOLE_SCREEN_BUFFER_INFO info;
    for (size_t i = 0; i < TMI_COUNT_OF(outputs); i++)
        if (GetConsoleScreenBufferInfo(GetStdHandle(outputs[i]), &info))
            return (uint32_t)(info.srWindow.Right - info.srWindow.Left + 1);
    return 0;
}

uint32_t tm_sys_processors(void)
{
    DWORD_PTR ours, all;
    uint32_t num = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &ours, &all))
        return 1;
    for (; ours; ours &= ours - 1)
        num++;
    return num ? num : 1;
}

int tmi_sys_random(void *bytes, size_t size)
{
    uint8_t *target = bytes;
    for (size_t i = 0; i < size; i++) {
        unsigned value;
        if (rand_s(&value) != 0)
            return -1;
        target[i] = (uint8_t)value;
    }
    return 0;
}
