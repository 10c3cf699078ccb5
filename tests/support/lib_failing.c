/* SPDX-License-Identifier: Zlib */
#include "lib_failing.h"
#include "test.h"

void test_memory_fail_each(tm_status (*work)(const tm_allocator *allocator))
{
    EACH_FAILURE(memory) {
        const tm_status status = work(&memory.allocator);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
    }
}

void test_memory_check(test_memory *memory)
{
    assert_int_equal(memory->num_blocks, 0);
}

bool test_memory_next(test_memory *memory, bool fails)
{
    const size_t n = memory->n + 1;
    test_memory_check(memory);
    if (n > 1 && !memory->failed)
        return false;
    test_memory_init(memory);
    memory->n = n;
    memory->fail_at = fails ? n : 0;
    return true;
}
