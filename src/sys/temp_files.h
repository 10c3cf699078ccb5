/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SYS_TEMP_FILES_H
#define TMI_SYS_TEMP_FILES_H
/* Internal: the process-wide list of temporary files that tm_sys_save_abort_all removes. */

#include <stdbool.h>

/*
 * Makes a new file, open for writing, and puts it on the list; returns its descriptor, or -1 and errno. *out
 * is its slot, -1 if there was no room: a signal handler will not remove the file. After
 * tm_sys_save_abort_all it waits for the end of the process.
 */
int tmi_sys_create_temporary(const char *path, bool secret, int *out);
/* When it was renamed or removed; -1 is fine. */
void tmi_sys_forget_temporary(int slot);

#endif
