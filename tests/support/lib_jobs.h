/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_JOBS_H
#define TEST_LIB_JOBS_H
/*
 * Jobs on threads, and who watches them: what is done must grow up to the whole, and be told by one thread at a time.
 */
#include "test.h"

#include <stdatomic.h>

typedef struct test_watch {
    uint64_t last, total;
    uint32_t calls, cancel_at; /* the call that cancels the job; 0: none */
    tm_cancel cancel;
    bool wrong; /* progress went back, or beyond the whole, or was told by two threads at once */
    atomic_int inside;
} test_watch;

enum { TEST_THREADS = 4 };
/* TEST_GROUP(test_jobs_begin, test_jobs_end) */
void test_jobs_begin(void);
void test_jobs_end(void);
/* On TEST_THREADS threads, or on the caller's alone; `watch` may be NULL. */
tm_job test_job(bool threads, test_watch *watch);

#endif
