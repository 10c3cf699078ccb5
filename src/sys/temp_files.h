/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SYS_TEMP_FILES_H
#define TMI_SYS_TEMP_FILES_H
/* Internal: the process-wide list of temporary files that tm_sys_save_abort_all removes. */

/* Returns a slot, or -1: no room, the file will not be removed by a signal handler. */
int tmi_sys_running_add(const char *path);
void tmi_sys_running_remove(int slot); /* -1 is fine */

#endif
