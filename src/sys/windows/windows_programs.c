/* SPDX-License-Identifier: Zlib */
/*
 * Starts other programs on Windows, and waits for them. A program gets one line, which it splits into words,
 * mostly by the rules of the C library: a word with blanks or quotes is in quotes, and a backslash is literal
 * unless a quote follows it.
 */
#include "windows_paths.h"

#include "../syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>

enum { MAX_LINE = 32767 };

typedef struct line {
    wchar_t text[MAX_LINE + 1];
    size_t size;
} line;

static void put_signs(line *target, wchar_t sign, size_t times)
{
    while (times-- && target->size < MAX_LINE)
        target->text[target->size++] = sign;
}

/* Makes a command line of words; false, with errno: a word is not UTF-8, or there are too many. */
static bool make_line(line *target, const char *const *words)
{
    static const size_t most = TMI_WIDE_PATH * 4;
    target->size = 0;
    for (; *words; words++) {
        wchar_t wide[TMI_WIDE_PATH * 4];
        if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, *words, -1, wide, (int)most)) {
            errno = E2BIG;
            return false;
        }
        const wchar_t *word = wide;
        const bool quotes = !*word || wcspbrk(word, L" \t\n\v\"");
        put_signs(target, L' ', target->size > 0);
        put_signs(target, L'"', quotes);
        for (;;) {
            const size_t slashes = wcsspn(word, L"\\");
            word += slashes;
            const bool doubled = *word == L'"' || (!*word && quotes);
            put_signs(target, L'\\', slashes * (doubled ? 2 : 1) + (*word == L'"'));
            if (!*word)
                break;
            put_signs(target, *word++, 1);
        }
        put_signs(target, L'"', quotes);
    }
    target->text[target->size] = L'\0';
    errno = E2BIG;
    return target->size < MAX_LINE;
}

/* Finds a program in PATH alone: Windows would first look in the current folder, which cannot be trusted. */
static bool find_program(wchar_t out[TMI_WIDE_PATH], const char *name)
{
    wchar_t wide[TMI_WIDE_PATH], path[MAX_LINE + 1];
    if (strpbrk(name, "/\\:"))
        return tmi_wide_path(out, name);
    errno = ENOENT;
    const DWORD size = GetEnvironmentVariableW(L"PATH", path, MAX_LINE + 1);
    return size && size <= MAX_LINE && MultiByteToWideChar(CP_UTF8, 0, name, -1, wide, TMI_WIDE_PATH) &&
           SearchPathW(path, wide, L".exe", TMI_WIDE_PATH, out, NULL);
}

/* A handle that the program inherits; INVALID_HANDLE_VALUE: it has none. */
static HANDLE inherited(int standard, int index)
{
    static const DWORD ours[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    SECURITY_ATTRIBUTES inherit = {sizeof(inherit), NULL, TRUE};
    HANDLE handle = standard == TMI_SPAWN_OURS ? GetStdHandle(ours[index]) : INVALID_HANDLE_VALUE, made;
    if (standard == TMI_SPAWN_NOWHERE)
        return CreateFileW(L"nul", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherit,
                           OPEN_EXISTING, 0, NULL);
    if (standard >= 0)
        handle = (HANDLE)_get_osfhandle(standard);
    return handle && handle != INVALID_HANDLE_VALUE &&
                   DuplicateHandle(GetCurrentProcess(), handle, GetCurrentProcess(), &made, 0, TRUE,
                                   DUPLICATE_SAME_ACCESS)
               ? made
               : INVALID_HANDLE_VALUE;
}

/* Starts a program that inherits these handles, and none that another thread makes at the same time. */
static int create_process(intptr_t *program, const wchar_t *file, wchar_t *words, HANDLE handles[3])
{
    union {
        uint64_t aligned;
        uint8_t bytes[512];
    } room;
    LPPROC_THREAD_ATTRIBUTE_LIST list = (LPPROC_THREAD_ATTRIBUTE_LIST)(void *)&room;
    SIZE_T size = sizeof(room);
    HANDLE given[3];
    DWORD num = 0;
    PROCESS_INFORMATION made;
    STARTUPINFOEXW startup = {.StartupInfo = {.cb = sizeof(startup),
                                              .dwFlags = STARTF_USESTDHANDLES,
                                              .hStdInput = handles[0],
                                              .hStdOutput = handles[1],
                                              .hStdError = handles[2]},
                              .lpAttributeList = list};
    for (int i = 0; i < 3; i++)
        if (handles[i] != INVALID_HANDLE_VALUE)
            given[num++] = handles[i];
    if (!InitializeProcThreadAttributeList(list, 1, 0, &size))
        return tmi_windows_failed();
    BOOL fine = UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, given,
                                          num * sizeof(HANDLE), NULL, NULL) &&
                CreateProcessW(file, words, NULL, NULL, TRUE, EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
                               &startup.StartupInfo, &made);
    const int result = fine ? 0 : tmi_windows_failed();
    DeleteProcThreadAttributeList(list);
    if (result)
        return result;
    (void)CloseHandle(made.hThread);
    *program = (intptr_t)made.hProcess;
    return 0;
}

int tmi_sys_spawn(intptr_t *program, const char *const *words, const int standard[3])
{
    wchar_t file[TMI_WIDE_PATH];
    line whole;
    HANDLE handles[3];
    if (!find_program(file, words[0]) || !make_line(&whole, words))
        return errno;
    for (int i = 0; i < 3; i++)
        handles[i] = inherited(standard[i], i);
    const int failed = create_process(program, file, whole.text, handles) ? errno : 0;
    for (int i = 0; i < 3; i++)
        if (handles[i] != INVALID_HANDLE_VALUE)
            (void)CloseHandle(handles[i]);
    return failed;
}

int tmi_sys_pipe(int ends[2])
{
    return _pipe(ends, 1 << 16, _O_BINARY | _O_NOINHERIT);
}

int tmi_sys_wait(intptr_t program, int *exit_status, int *signal)
{
    DWORD status = 0;
    *signal = 0;
    const bool fine = WaitForSingleObject((HANDLE)program, INFINITE) == WAIT_OBJECT_0 &&
                      GetExitCodeProcess((HANDLE)program, &status);
    const int result = fine ? 0 : tmi_windows_failed();
    *exit_status = (int)status;
    (void)CloseHandle((HANDLE)program);
    return result;
}

void tmi_sys_kill(intptr_t program)
{
    (void)TerminateProcess((HANDLE)program, 1);
}

int tmi_sys_unnamed_file(void)
{
    wchar_t folder[MAX_PATH + 1], name[MAX_PATH + 1];
    if (!GetTempPathW(MAX_PATH + 1, folder) || !GetTempFileNameW(folder, L"tee", 0, name))
        return tmi_windows_failed();
    const HANDLE file = CreateFileW(
        name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
        CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return tmi_windows_failed();
    return _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT | _O_RDWR);
}
