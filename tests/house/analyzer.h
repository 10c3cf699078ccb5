/* SPDX-License-Identifier: Zlib */
#ifndef TMI_ANALYZER_H
#define TMI_ANALYZER_H
/*
 * For clang-tidy alone, which reads one file at a time: the functions that make errors never return TM_OK. Without
 * this it follows paths on which an allocation failed and the caller was told that all is well.
 * `./run lint` includes it in front of every file outside src/base and src/sys.
 */
#include "base/base.h"

#define tmi_fail(error, code, ...)          ((void)tmi_fail(error, code, __VA_ARGS__), (code))
#define tmi_fail_memory(error, bytes, what) ((void)tmi_fail_memory(error, bytes, what), TM_ERROR_MEMORY)
#define tmi_need(pointer, name, error) \
    ((pointer) ? TM_OK : ((void)tmi_need(pointer, name, error), TM_ERROR_USAGE))

#endif
