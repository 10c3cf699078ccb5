/* SPDX-License-Identifier: Zlib */
#include "sha256.h"

#include "test.h"

void test_sha256(char out[65], const void *bytes, size_t size)
{
    uint8_t digest[TM_SHA256_SIZE];
    tm_sha256 sha;
    if (tm_sha256_init(&sha, NULL))
        skip();
    tm_sha256_update(&sha, bytes, size);
    tm_sha256_final(&sha, digest);
    for (size_t i = 0; i < sizeof(digest); i++)
        snprintf(out + 2 * i, 3, "%02x", digest[i]);
}
