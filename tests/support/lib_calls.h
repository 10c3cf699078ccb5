/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_CALLS_H
#define TEST_LIB_CALLS_H
/*
 * A call of each public function that takes a const handle or a struct of options, on handles that all calls share;
 * tools/calls.py makes them from the headers.
 */
#include "test.h"

/* A struct that is given instead of what is taken otherwise; NULL: no struct. */
typedef struct test_given {
    const char *type;
    const void *options;
} test_given;

typedef struct test_called {
    uint64_t sum; /* of all that the function gives */
    tm_status status;
} test_called;

typedef struct test_scratch test_scratch;
typedef struct test_call {
    const char *name, *takes; /* "|tm_limits|tm_job|" */
    bool is_const;            /* takes a const handle, and may be called by many threads at once */
    void (*call)(test_scratch *s, const test_given *given, tm_error *error);
} test_call;
extern const test_call test_calls[];
extern const size_t test_num_calls;

void test_calls_begin(void);
void test_calls_forget(void); /* what was unpacked */
void test_calls_end(void);
/* Fills in what a struct needs that is not zero in calls that succeed. */
void test_calls_fill(void *options, const char *type);
test_called test_call_of(const test_call *call, const test_given *given, tm_error *error);

#endif
