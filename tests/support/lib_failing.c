/* SPDX-License-Identifier: Zlib */
#include "lib_failing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void test_memory_fail_each(tm_status (*work)(const tm_allocator *allocator))
{
    struct test_memory memory;
    size_t n = 0;
    do {
        test_memory_init(&memory);
        memory.fail_at = ++n;
        const tm_status status = work(&memory.allocator);
        assert_int_equal(status, memory.failed ? TM_ERROR_MEMORY : TM_OK);
        assert_int_equal(memory.num_blocks, 0);
    } while (memory.failed);
}
