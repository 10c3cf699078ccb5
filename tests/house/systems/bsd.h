/* SPDX-License-Identifier: Zlib */
/*
 * What systems.sh lets this machine's headers declare besides, so that they pass for FreeBSD's or macOS's.
 */
#include <stddef.h>
#include <sys/types.h>

void arc4random_buf(void *bytes, size_t size);
#if defined(__FreeBSD__)
ssize_t copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t size, unsigned flags);
#endif
#if defined(__APPLE__)
#define st_mtimespec st_mtim
#define st_ctimespec st_ctim
#endif
