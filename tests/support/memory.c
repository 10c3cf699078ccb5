/* SPDX-License-Identifier: Zlib */
/*
 * The strict allocator of the tests. In front of each block lies its size, which must be what the library says when it
 * gives the block back; the program stops at the first lie, since nothing after it can be trusted.
 */
#include "memory.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD alignof(max_align_t)

static void check_size(const unsigned char *block, size_t claimed)
{
    size_t size;
    memcpy(&size, block - HEAD, sizeof(size));
    if (size == claimed)
        return;
    fprintf(stderr, "block of %zu bytes given back as one of %zu\n", size, claimed);
    abort();
}

static bool is_refused(struct test_memory *memory)
{
    memory->num_requests++;
    bool refused = memory->fail_at && (memory->num_requests == memory->fail_at ||
                                       (memory->fail_after && memory->num_requests > memory->fail_at));
    memory->failed = memory->failed || refused;
    return refused;
}

static unsigned char *take(struct test_memory *memory, size_t size)
{
    unsigned char *whole = malloc(HEAD + size);
    if (!whole)
        return NULL;
    memcpy(whole, &size, sizeof(size));
    memset(whole + HEAD, 0xA5, size);
    memory->num_blocks++;
    memory->num_bytes += size;
    if (memory->num_bytes > memory->most_bytes)
        memory->most_bytes = memory->num_bytes;
    return whole + HEAD;
}

static void drop(struct test_memory *memory, unsigned char *block, size_t size)
{
    memory->num_blocks--;
    memory->num_bytes -= size;
    memset(block, 0x5A, size);
    free(block - HEAD);
}

void *test_memory_resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    struct test_memory *memory = ctx;
    unsigned char *old = ptr;
    if (old)
        check_size(old, old_size);
    unsigned char *fresh = NULL;
    if (new_size) {
        fresh = is_refused(memory) ? NULL : take(memory, new_size);
        if (!fresh)
            return NULL;
    }
    if (old && fresh)
        memcpy(fresh, old, old_size < new_size ? old_size : new_size);
    if (old)
        drop(memory, old, old_size);
    return fresh;
}

void test_memory_init(struct test_memory *memory)
{
    *memory = (struct test_memory)TEST_MEMORY(*memory);
}
