/* SPDX-License-Identifier: Zlib */
#ifndef TEST_MEMORY_H
#define TEST_MEMORY_H
/*
 * A strict allocator for tests: counts what is alive, checks every old size that the library hands back, fills fresh
 * memory with rubbish, moves every block that is resized, and fails the n-th request if asked to.
 * For one thread at a time.
 */
#include "test.h"

typedef struct test_memory {
    tm_allocator allocator; /* give this to the library */
    size_t num_blocks;      /* alive */
    size_t num_bytes;       /* alive */
    size_t most_bytes;      /* alive at once, so far */
    size_t num_requests;    /* new and larger blocks, the failed ones included */
    size_t fail_at;         /* 0: never; n: the n-th request returns NULL */
    bool fail_after;        /* and all that follow it */
    bool failed;            /* it has happened */
    size_t n;               /* of EACH_FAILURE: the round, from 1 */
} test_memory;

/* struct test_memory memory = TEST_MEMORY(memory); */
#define TEST_MEMORY(memory)                                            \
    {                                                                  \
        .allocator = {.ctx = &(memory), .resize = test_memory_resize } \
    }
void *test_memory_resize(void *ctx, void *ptr, size_t old_size, size_t new_size);
void test_memory_init(test_memory *memory);
/* OWN(test_memory): fails the test if something is alive where its block ends. */
void test_memory_check(test_memory *memory);
TEST_RELEASES(test_memory, test_memory_check)
/*
 * Does the block again and again, each time with the next request failing, until none does:
 *
 *     EACH_FAILURE(memory) {
 *         const tm_status status = work(&memory.allocator);
 *         assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
 *     }
 */
#define EACH_FAILURE(memory) for (test_memory memory = TEST_MEMORY(memory); test_memory_next(&memory, true);)
/* The same; the block says when: memory.fail_at = memory.num_requests + memory.n. */
#define EACH_FAILURE_LATER(memory) \
    for (test_memory memory = TEST_MEMORY(memory); test_memory_next(&memory, false);)
bool test_memory_next(test_memory *memory, bool fails);

#endif
