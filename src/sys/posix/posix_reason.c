/* SPDX-License-Identifier: Zlib */
/* What an errno means, in the system's words; alone in a file, since GNU's strerror_r is another function. */
#define _XOPEN_SOURCE 700
#include "../syscalls.h"

#include <string.h>

bool tmi_sys_reason(int number, char *buffer, size_t size)
{
    return strerror_r(number, buffer, size) == 0;
}
