/* SPDX-License-Identifier: Zlib */
#ifndef TEST_MEMORY_H
#define TEST_MEMORY_H
/*
 * A strict allocator for tests: counts what is alive, checks every old size that the library hands back, fills fresh
 * memory with rubbish, moves every block that is resized, and fails the n-th request if asked to. To try all failures:
 *
 *     for (size_t n = 1;; n++) {
 *         test_memory_init(&memory);
 *         memory.fail_at = n;
 *         status = work(&memory.allocator);
 *         assert_int_equal(memory.num_blocks, 0);
 *         if (!memory.failed)
 *             break;
 *         assert_int_equal(status, TM_ERROR_MEMORY);
 *     }
 *
 * For one thread at a time.
 */
#include <teemap/base.h>

struct test_memory {
    tm_allocator allocator; /* give this to the library */
    size_t num_blocks;      /* alive */
    size_t num_bytes;       /* alive */
    size_t most_bytes;      /* alive at once, so far */
    size_t num_requests;    /* new and larger blocks, the failed ones included */
    size_t fail_at;         /* 0: never; n: the n-th request returns NULL */
    bool fail_after;        /* and all that follow it */
    bool failed;            /* it has happened */
};

void test_memory_init(struct test_memory *memory);

#endif
