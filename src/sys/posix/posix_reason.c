/* SPDX-License-Identifier: Zlib */
/*
 * What an errno means, in the system's words; alone in a file, since GNU's strerror_r is another function.
 * Where all files are one (./run amalgamate), it is that function, which has words for numbers without a
 * meaning, too.
 */
#define _XOPEN_SOURCE 700
#include "../../base/base.h"
#include "../syscalls.h"

#include <string.h>

bool tmi_sys_reason(int number, char *buffer, size_t size)
{
#if defined(_GNU_SOURCE) && defined(__GLIBC__)
    tmi_format(buffer, size, "%s", strerror_r(number, buffer, size));
    return true;
#else
    return strerror_r(number, buffer, size) == 0;
#endif
}
