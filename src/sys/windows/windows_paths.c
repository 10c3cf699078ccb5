/* SPDX-License-Identifier: Zlib */
/*
 * Paths of Windows, and what its errors mean. Paths are UTF-8 for the library and UTF-16 for the system,
 * whatever the code page of the process is.
 */
#include "windows_paths.h"

#include "../syscalls.h"

#include <errno.h>
#include <string.h>

static bool is_slash(wchar_t c)
{
    return c == L'/' || c == L'\\';
}

bool tmi_wide_path(wchar_t out[TMI_WIDE_PATH], const char *path)
{
    wchar_t given[TMI_WIDE_PATH], whole[TMI_WIDE_PATH];
    if (!path[0] || !MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, given, TMI_WIDE_PATH)) {
        errno = path[0] && GetLastError() == ERROR_NO_UNICODE_TRANSLATION ? EILSEQ : ENOENT;
        return false;
    }
    if (wcsncmp(given, L"\\\\?\\", 4) == 0) {
        memcpy(out, given, sizeof(given));
        return true;
    }
    const size_t length = GetFullPathNameW(given, TMI_WIDE_PATH, whole, NULL);
    if (!length || length >= TMI_WIDE_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (wcsncmp(whole, L"\\\\.\\", 4) == 0) { /* made of a device's name, such as con.map */
        memcpy(out, whole, (length + 1) * sizeof(*out));
        errno = ENXIO;
        return _wcsicmp(given, L"nul") == 0;
    }
    /* "\\?\C:\x" or "\\?\UNC\server\x", whose length Windows does not limit. */
    const bool is_share = wcsncmp(whole, L"\\\\", 2) == 0;
    const wchar_t *begin = is_share ? L"\\\\?\\UNC" : L"\\\\?\\";
    const size_t size = wcslen(begin), skipped = is_share ? 1 : 0;
    if (size + length - skipped >= TMI_WIDE_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(out, begin, size * sizeof(*out));
    memcpy(out + size, whole + skipped, (length - skipped + 1) * sizeof(*out));
    return true;
}

bool tmi_narrow_text(char *out, size_t size, const wchar_t *text)
{
    return WideCharToMultiByte(CP_UTF8, 0, text, -1, out, (int)size, NULL, NULL) > 0;
}

int tmi_windows_failed(void)
{
    static const struct {
        DWORD error;
        int number;
    } numbers[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_LOCK_VIOLATION, EBUSY},
        {ERROR_USER_MAPPED_FILE, EBUSY},
        {ERROR_DELETE_PENDING, EBUSY},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
        {ERROR_NOT_SAME_DEVICE, EXDEV},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_PIPE_NOT_CONNECTED, EPIPE},
        {ERROR_INVALID_PARAMETER, EINVAL},
        {ERROR_NOT_SUPPORTED, EINVAL},
        {ERROR_INVALID_FUNCTION, EINVAL},
        {ERROR_FILE_TOO_LARGE, EFBIG},
    };
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (numbers[i].error == error)
            errno = numbers[i].number;
    return -1;
}

bool tmi_sys_reason(int number, char *buffer, size_t size)
{
    static const struct {
        int number;
        const char *words;
    } own[] = {{EBUSY, "another program has it open"},
               {EILSEQ, "its name is not UTF-8"},
               {ENXIO, "Windows keeps this name for a device"},
               {ENAMETOOLONG, "File name too long"}};
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        if (own[i].number == number)
            return strcpy_s(buffer, size, own[i].words) == 0;
    return strerror_s(buffer, size, number) == 0 && strcmp(buffer, "Unknown error") != 0;
}

/* ----------------------------------------------------------------------------------------- without asking */

static bool has_drive(const char *path)
{
    return ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z')) && path[1] == ':';
}

size_t tmi_sys_folder_length(const char *path)
{
    size_t length = has_drive(path) ? 2 : 0;
    for (size_t i = 0; path[i]; i++)
        if (is_slash((wchar_t)path[i]))
            length = i + 1;
    return length;
}

bool tmi_sys_is_rooted(const char *path)
{
    return has_drive(path) || is_slash((wchar_t)path[0]);
}

void tm_sys_plain_path(char *path)
{
    for (; path && *path; path++)
        if (*path == '\\')
            *path = '/';
}

bool tm_sys_real_path(char *buffer, size_t size, const char *path)
{
    wchar_t wide[TMI_WIDE_PATH], real[TMI_WIDE_PATH];
    bool fine = false;
    if (buffer && size && path && tmi_wide_path(wide, path)) {
        const HANDLE file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                        OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
        const DWORD length =
            file == INVALID_HANDLE_VALUE ? 0 : GetFinalPathNameByHandleW(file, real, TMI_WIDE_PATH, 0);
        const bool is_share = wcsncmp(real, L"\\\\?\\UNC\\", 8) == 0;
        if (is_share)
            real[6] = L'\\';
        fine = length && length < TMI_WIDE_PATH && tmi_narrow_text(buffer, size, real + (is_share ? 6 : 4));
        if (file != INVALID_HANDLE_VALUE)
            (void)CloseHandle(file);
    }
    if (buffer && size && !fine)
        buffer[0] = '\0';
    tm_sys_plain_path(fine ? buffer : NULL);
    return fine;
}
