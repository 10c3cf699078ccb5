/* SPDX-License-Identifier: Zlib */
#ifndef TMI_SYS_H
#define TMI_SYS_H
/* Internal: what the files of src/sys share. */
#include <teemap/sys.h>

#include "../base/base.h"

enum { TMI_STDIN, TMI_STDOUT, TMI_STDERR }; /* descriptors, on every system */

#define TMI_SYS_DEFAULT_BYTES \
    ((uint64_t)1 << 30) /* what is read whole from a pipe, unless the caller says more */

/*
 * "cannot VERB: REASON" as TM_ERROR_IO with `number` (an errno) in error->system, on a side and about a path.
 */
tm_status tmi_sys_fail(tm_error *error, tm_side side, int number, const char *verb, const char *path);

/* Appends what a descriptor gives until its end; TM_ERROR_LIMIT for more than `most` bytes in all. */
tm_status tmi_sys_read_all(tm_buffer *out, int fd, uint64_t most, const char *path, tm_error *error);
/* Writes all bytes to a descriptor. `path` is for the error. */
tm_status tmi_sys_write_all(int fd, const void *bytes, size_t size, const char *path, tm_error *error);

enum { TMI_TEMPORARY_NAME = 64 }; /* bytes that hold the name of a temporary file */
/* The name of a temporary file, by a number that nobody can guess. */
void tmi_sys_temporary_name(char *out, uint64_t random);
bool tmi_sys_is_temporary_name(const char *name);
/*
 * Removes temporary files that killed processes left in the folder of a path, unless this process has done so
 * before. What fails is left to the next process.
 */
void tmi_sys_sweep_once(const char *path);

/* What a program owes for a closed standard output: ends it by SIGPIPE, if tm_sys_prepare_program said so. */
void tmi_sys_end_by_closed_pipe(void);

#endif
