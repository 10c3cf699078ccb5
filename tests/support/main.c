/* SPDX-License-Identifier: Zlib */
/* The `main` of a test program that has none. */
#include "test.h"

int main(void)
{
    return test_run();
}
