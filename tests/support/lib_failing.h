/* SPDX-License-Identifier: Zlib */
#ifndef TEST_LIB_FAILING_H
#define TEST_LIB_FAILING_H
/*
 * Work whose requests for memory fail, one after the other, in tests with cmocka.
 */
#include "memory.h"

/*
 * Does some work again and again, each time with the next request failing, until none does: it must say
 * TM_ERROR_MEMORY whenever one failed and TM_OK at the end, and leave nothing behind.
 */
void test_memory_fail_each(tm_status (*work)(const tm_allocator *allocator));

#endif
