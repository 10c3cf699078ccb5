/* SPDX-License-Identifier: Zlib */
#ifndef TEST_NULL_CALLS_H
#define TEST_NULL_CALLS_H
/*
 * For tests that call every function with NULL: what comes of it, and which functions of the headers were left out.
 */
#include <stdbool.h>

void test_null_note(const char *name); /* that the function was called */
/*
 * Fails when a function of the headers takes a pointer and was not called: of those that test_null_below.c has, or of
 * all others.
 */
void test_null_check_headers(bool below);

/* Is a usage error, and says which argument is NULL. */
#define USAGE(name, ...)                              \
    do {                                              \
        tm_error error = {.code = TM_OK};             \
        tm_error *const e = &error;                   \
        test_null_note(#name);                        \
        if (name(__VA_ARGS__) != TM_ERROR_USAGE)      \
            fail_msg(#name " takes NULL");            \
        assert_int_equal(error.code, TM_ERROR_USAGE); \
        assert_non_null(strstr(error.text, "NULL"));  \
    } while (0)
/* Gives zero, false or NULL. */
#define ZERO(name, ...)        \
    do {                       \
        test_null_note(#name); \
        if (name(__VA_ARGS__)) \
            fail_msg(#name);   \
    } while (0)
/* Does nothing, or gives a struct. */
#define NOTHING(name, ...)       \
    do {                         \
        test_null_note(#name);   \
        (void)name(__VA_ARGS__); \
    } while (0)

#endif
