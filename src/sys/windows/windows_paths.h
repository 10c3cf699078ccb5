/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SYS_WINDOWS_PATHS_H
#define TMI_SYS_WINDOWS_PATHS_H
/* Internal: what the files of src/sys/windows share. */
#include <stdbool.h>
#include <stddef.h>
#include <windows.h>

enum { TMI_WIDE_PATH = 4096 }; /* as Linux has it; Windows itself would take eight times as much */

/*
 * The path that Windows is asked for: whole, so that it may be longer than 260 characters. False, and
 * errno: it is no UTF-8, is too long, or is a name that Windows keeps for a device (con.map); "nul" is one
 * that may be written to.
 */
bool tmi_wide_path(wchar_t out[TMI_WIDE_PATH], const char *path);
/* UTF-8 of a name; false: it does not fit. */
bool tmi_narrow_text(char *out, size_t size, const wchar_t *text);
/* Sets errno by what Windows says went wrong; always -1. */
int tmi_windows_failed(void);

#endif
