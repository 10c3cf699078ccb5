/* SPDX-License-Identifier: Zlib */
#ifndef TEST_SHA256_H
#define TEST_SHA256_H
/* For expected values that were written down as hashes. A library without SHA-256 skips the test. */
#include <stddef.h>

/* 64 hexadecimal digits and a NUL. */
void test_sha256(char out[65], const void *bytes, size_t size);

#endif
