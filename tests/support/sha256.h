/* SPDX-License-Identifier: Zlib */
#ifndef TEST_SHA256_H
#define TEST_SHA256_H
/* SHA-256 (FIPS 180-4), for expected values that were written down as hashes. */
#include <stddef.h>

/* 64 hexadecimal digits and a NUL. */
void test_sha256(char out[65], const void *bytes, size_t size);

#endif
