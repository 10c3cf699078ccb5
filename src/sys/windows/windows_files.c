/* SPDX-License-Identifier: Zlib */
/*
 * Files and folders of Windows. Each file is opened so that others may read, rename and remove it
 * meanwhile, as on POSIX: a map can be saved over the one that it is read from.
 */
#include "windows_paths.h"

#include "../syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_ALL      (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
#define UNIX_EPOCH     INT64_C(116444736000000000) /* in the 100 ns of Windows, which begin in 1601 */
#define TIME_OF(value) (((value).QuadPart - UNIX_EPOCH) * 100)

/* -------------------------------------------------------------------------------------------------- facts */

static int take_info(tmi_sys_info *out, HANDLE file)
{
    BY_HANDLE_FILE_INFORMATION info;
    FILE_BASIC_INFO times;
    *out = (tmi_sys_info){.kind = TM_SYS_OTHER};
    if (GetFileType(file) != FILE_TYPE_DISK)
        return 0;
    if (!GetFileInformationByHandle(file, &info) ||
        !GetFileInformationByHandleEx(file, FileBasicInfo, &times, sizeof(times)))
        return tmi_windows_failed();
    const bool is_folder = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    *out = (tmi_sys_info){.kind = is_folder ? TM_SYS_FOLDER : TM_SYS_FILE,
                          .size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow,
                          .written = TIME_OF(times.LastWriteTime),
                          .changed = TIME_OF(times.ChangeTime),
                          .volume = info.dwVolumeSerialNumber,
                          .number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow};
    return 0;
}

static int ask_path(const char *path, tmi_sys_info *out, bool follow)
{
    wchar_t wide[TMI_WIDE_PATH];
    if (!tmi_sys_allowed(TMI_SYS_CALL_STAT) || !tmi_wide_path(wide, path))
        return -1;
    const HANDLE file =
        CreateFileW(wide, FILE_READ_ATTRIBUTES, SHARE_ALL, NULL, OPEN_EXISTING,
                    FILE_FLAG_BACKUP_SEMANTICS | (follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT), NULL);
    if (file == INVALID_HANDLE_VALUE)
        return tmi_windows_failed();
    const int result = take_info(out, file);
    /* A link or a mount point, and no other reparse point, such as a file in a cloud. */
    FILE_ATTRIBUTE_TAG_INFO tag;
    if (!result && !follow && GetFileInformationByHandleEx(file, FileAttributeTagInfo, &tag, sizeof(tag)) &&
        tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT && IsReparseTagNameSurrogate(tag.ReparseTag)) {
        out->kind = TM_SYS_OTHER;
        out->is_link = true;
    }
    (void)CloseHandle(file);
    return result;
}

int tmi_sys_stat(const char *path, tmi_sys_info *out)
{
    return ask_path(path, out, true);
}

int tmi_sys_lstat(const char *path, tmi_sys_info *out)
{
    return ask_path(path, out, false);
}

int tmi_sys_fstat(int fd, tmi_sys_info *out)
{
    return tmi_sys_allowed(TMI_SYS_CALL_STAT) ? take_info(out, (HANDLE)_get_osfhandle(fd)) : -1;
}

/* The end of the whole chain of links, as no caller needs its members. */
intptr_t tmi_sys_readlink(const char *path, char *buffer, size_t size)
{
    if (!tmi_sys_allowed(TMI_SYS_CALL_STAT))
        return -1;
    errno = ELOOP;
    return tm_sys_real_path(buffer, size, path) ? (intptr_t)strlen(buffer) : -1;
}

bool tmi_sys_may_write(const char *path)
{
    wchar_t wide[TMI_WIDE_PATH];
    const DWORD attributes = tmi_wide_path(wide, path) ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    errno = EACCES;
    return attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_READONLY);
}

/* -------------------------------------------------------------------------------------------------- bytes */

int tmi_sys_open(const char *path, int how)
{
    wchar_t wide[TMI_WIDE_PATH];
    if (!tmi_sys_allowed(TMI_SYS_CALL_OPEN) || !tmi_wide_path(wide, path))
        return -1;
    const bool writes = how != TMI_OPEN_READ && how != TMI_OPEN_LEFTOVER,
               makes = writes && how != TMI_OPEN_WRITE;
    const HANDLE file = CreateFileW(wide, (writes ? GENERIC_WRITE : GENERIC_READ) | FILE_READ_ATTRIBUTES,
                                    SHARE_ALL, NULL, makes ? CREATE_NEW : OPEN_EXISTING,
                                    FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS |
                                        (how == TMI_OPEN_LEFTOVER ? FILE_FLAG_OPEN_REPARSE_POINT : 0),
                                    NULL);
    if (file == INVALID_HANDLE_VALUE)
        return tmi_windows_failed();
    const int fd =
        _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT | (writes ? _O_WRONLY : _O_RDONLY));
    if (fd < 0)
        (void)CloseHandle(file);
    return fd;
}

int tmi_sys_dup(int fd)
{
    return _dup(fd);
}

int tmi_sys_close(int fd)
{
    const int result = _close(fd);
    return tmi_sys_allowed(TMI_SYS_CALL_CLOSE) ? result : -1;
}

intptr_t tmi_sys_read(int fd, void *buffer, size_t size)
{
    size = tmi_sys_allowed_size(TMI_SYS_CALL_READ, size);
    return size ? _read(fd, buffer, (unsigned)size) : -1;
}

intptr_t tmi_sys_pread(int fd, void *buffer, size_t size, uint64_t offset)
{
    OVERLAPPED place = {0};
    DWORD got = 0;
    size = tmi_sys_allowed_size(TMI_SYS_CALL_READ, size);
    if (size == 0)
        return -1;
    place.Offset = (DWORD)offset;
    place.OffsetHigh = (DWORD)(offset >> 32);
    if (!ReadFile((HANDLE)_get_osfhandle(fd), buffer, (DWORD)size, &got, &place) &&
        GetLastError() != ERROR_HANDLE_EOF)
        return tmi_windows_failed();
    return (intptr_t)got;
}

intptr_t tmi_sys_write(int fd, const void *bytes, size_t size)
{
    DWORD put = 0;
    size = tmi_sys_allowed_size(TMI_SYS_CALL_WRITE, size);
    if (size == 0)
        return -1;
    if (!WriteFile((HANDLE)_get_osfhandle(fd), bytes, (DWORD)size, &put, NULL))
        return tmi_windows_failed();
    return (intptr_t)put;
}

/* One byte far behind the end of any file, because a locked byte cannot be written by others. */
tmi_sys_lock_state tmi_sys_lock(int fd)
{
    OVERLAPPED place = {0};
    place.OffsetHigh = 0x7fffffff;
    const HANDLE file = (HANDLE)_get_osfhandle(fd);
    FILE_STANDARD_INFO info;
    if (!LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place))
        return GetLastError() == ERROR_LOCK_VIOLATION ? TMI_LOCK_LOST : TMI_LOCK_UNSUPPORTED;
    const bool removed =
        GetFileInformationByHandleEx(file, FileStandardInfo, &info, sizeof(info)) && info.DeletePending;
    return removed ? TMI_LOCK_LOST : TMI_LOCK_OURS;
}

int tmi_sys_fsync(int fd)
{
    if (!tmi_sys_allowed(TMI_SYS_CALL_FSYNC))
        return -1;
    return FlushFileBuffers((HANDLE)_get_osfhandle(fd)) ? 0 : tmi_windows_failed();
}

int tmi_sys_fchmod(int fd, uint32_t mode)
{
    (void)fd, (void)mode;
    return tmi_sys_allowed(TMI_SYS_CALL_CHMOD) ? 0 : -1;
}

int tmi_sys_fchown(int fd, uint32_t owner, uint32_t group)
{
    (void)fd, (void)owner, (void)group;
    return tmi_sys_allowed(TMI_SYS_CALL_CHMOD) ? 0 : -1;
}

void tmi_sys_make_binary(int fd)
{
    (void)_setmode(fd, _O_BINARY);
}

/* -------------------------------------------------------------------------------------------------- names */

/*
 * Replaces a file that is open: Windows before 10 only lets it be renamed. It gets the name of the new file
 * with another ending, and is deleted when its last reader closes it.
 */
static bool replace_open_file(const wchar_t *source, const wchar_t *target)
{
    static const wchar_t ending[] = L".old";
    wchar_t aside[TMI_WIDE_PATH];
    const size_t length = wcslen(source);
    if (length + sizeof(ending) / sizeof(ending[0]) > TMI_WIDE_PATH)
        return false;
    memcpy(aside, source, length * sizeof(*aside));
    memcpy(aside + length, ending, sizeof(ending));
    if (!MoveFileExW(target, aside, 0))
        return false;
    if (MoveFileExW(source, target, 0)) {
        (void)DeleteFileW(aside);
        return true;
    }
    const DWORD error = GetLastError();
    (void)MoveFileExW(aside, target, 0);
    SetLastError(error);
    return false;
}

int tmi_sys_rename(const char *source, const char *target)
{
    wchar_t wide_from[TMI_WIDE_PATH], wide_to[TMI_WIDE_PATH];
    if (!tmi_sys_allowed(TMI_SYS_CALL_RENAME) || !tmi_wide_path(wide_from, source) ||
        !tmi_wide_path(wide_to, target))
        return -1;
    if (MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING))
        return 0;
    const DWORD error = GetLastError();
    if ((error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION) &&
        replace_open_file(wide_from, wide_to))
        return 0;
    SetLastError(GetLastError() == ERROR_SHARING_VIOLATION ? ERROR_SHARING_VIOLATION : error);
    return tmi_windows_failed();
}

int tmi_sys_unlink(const char *path)
{
    wchar_t wide[TMI_WIDE_PATH];
    if (!tmi_sys_allowed(TMI_SYS_CALL_UNLINK) || !tmi_wide_path(wide, path))
        return -1;
    return DeleteFileW(wide) ? 0 : tmi_windows_failed();
}

void tmi_sys_unlink_at_end(const char *path)
{
    wchar_t wide[TMI_WIDE_PATH];
    if (tmi_wide_path(wide, path))
        (void)DeleteFileW(wide);
}

int tmi_sys_mkdir(const char *path)
{
    wchar_t wide[TMI_WIDE_PATH];
    if (!tmi_sys_allowed(TMI_SYS_CALL_MKDIR) || !tmi_wide_path(wide, path))
        return -1;
    return CreateDirectoryW(wide, NULL) ? 0 : tmi_windows_failed();
}

/* ------------------------------------------------------------------------------------------------ folders */

/* Returns 1, or -1 with errno if the name does not fit. The kind of what a link leads to stays unknown. */
static int take_entry(tmi_sys_listing *listing, const WIN32_FIND_DATAW *entry)
{
    listing->name = listing->buffer;
    listing->kind = entry->dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT ? TM_SYS_UNKNOWN
                    : entry->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY   ? TM_SYS_FOLDER
                                                                           : TM_SYS_FILE;
    return tmi_narrow_text(listing->buffer, sizeof(listing->buffer), entry->cFileName) ? 1
                                                                                       : tmi_windows_failed();
}

/* Windows gives the first entry with the handle. */
int tmi_sys_list_open(tmi_sys_listing *out, const char *folder)
{
    wchar_t wide[TMI_WIDE_PATH];
    WIN32_FIND_DATAW first;
    if (!tmi_sys_allowed(TMI_SYS_CALL_LIST) || !tmi_wide_path(wide, folder))
        return -1;
    const size_t length = wcslen(wide);
    if (length + 3 > TMI_WIDE_PATH) {
        errno = ENAMETOOLONG;
        return -1;
    }
    wcscpy(wide + length, wide[length - 1] == L'\\' ? L"*" : L"\\*");
    out->handle = FindFirstFileW(wide, &first);
    out->waits = out->handle != INVALID_HANDLE_VALUE;
    if (out->waits && take_entry(out, &first) > 0)
        return 0;
    /* The root of an empty drive has not even a "." in it. */
    if (!out->waits && GetLastError() == ERROR_FILE_NOT_FOUND)
        return 0;
    (void)tmi_windows_failed();
    tmi_sys_list_close(out);
    return -1;
}

int tmi_sys_list_next(tmi_sys_listing *listing)
{
    WIN32_FIND_DATAW entry;
    const bool waits = listing->waits;
    if (!tmi_sys_allowed(TMI_SYS_CALL_LIST))
        return -1;
    listing->waits = false;
    if (waits || listing->handle == INVALID_HANDLE_VALUE)
        return waits;
    if (FindNextFileW(listing->handle, &entry))
        return take_entry(listing, &entry);
    return GetLastError() == ERROR_NO_MORE_FILES ? 0 : tmi_windows_failed();
}

void tmi_sys_list_close(tmi_sys_listing *listing)
{
    if (listing->handle != INVALID_HANDLE_VALUE)
        (void)FindClose(listing->handle);
}
