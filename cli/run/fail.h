/* SPDX-License-Identifier: Zlib */
#ifndef CLI_FAIL_H
#define CLI_FAIL_H
/*
 * fail.h - makes the errors of the program itself; those of the library come from it.
 */
#include "output/text_buffer.h"

/* Returns from the function with any status but TM_OK. */
#define TRY(expr)                       \
    do {                                \
        tm_status try_status_ = (expr); \
        if (try_status_)                \
            return try_status_;         \
    } while (0)

/* Returns the code. */
tm_status fail(tm_error *error, tm_status code, const char *format, ...) TEXT_PRINTF(3, 4);
/* As fail, for an error that is about a file or a folder, on the side of the input or the output. */
tm_status fail_about(tm_error *error, tm_status code, tm_side side, const char *path, const char *format, ...)
    TEXT_PRINTF(5, 6);
/* Adds advice, such as "; see --memory", to the error of a limit. Returns the status. */
tm_status advise_on_limit(tm_status status, tm_error *error, const char *advice);
/* As advise_on_limit, if the limit is one on what is unpacked: --memory allows more. */
#define MEMORY_ALLOWS_MORE "; --memory allows more"
tm_status advise_on_unpacking(tm_status status, tm_error *error);

#endif
