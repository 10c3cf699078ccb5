/* SPDX-License-Identifier: Zlib */
/*
 * fail.c - fills errors.
 */
#include "fail.h"

static tm_status fail_list(tm_error *error, tm_status code, const char *format, va_list list)
{
    char words[TM_ERROR_TEXT_SIZE];
    vsnprintf(words, sizeof(words), format, list);
    return tm_error_set(error, code, words);
}

tm_status fail(tm_error *error, tm_status code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fail_list(error, code, format, list);
    va_end(list);
    return code;
}

tm_status fail_about(tm_error *error, tm_status code, tm_side side, const char *path, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fail_list(error, code, format, list);
    va_end(list);
    error->side = side;
    snprintf(error->path, sizeof(error->path), "%s", path);
    return code;
}

tm_status advise_on_limit(tm_status status, tm_error *error, const char *advice)
{
    if (status == TM_ERROR_LIMIT)
        strncat(error->text, advice, sizeof(error->text) - strlen(error->text) - 1);
    return status;
}

tm_status advise_on_unpacking(tm_status status, tm_error *error)
{
    return strstr(error->text, "unpack") ? advise_on_limit(status, error, MEMORY_ALLOWS_MORE) : status;
}
