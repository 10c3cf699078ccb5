/* SPDX-License-Identifier: Zlib */
#include "sha256.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The first 32 bits of the fractional part of a root; all constants of the hash are such. */
static uint32_t fraction(long double root)
{
    return (uint32_t)((root - floorl(root)) * 4294967296.0L);
}

static void make_constants(uint32_t start[8], uint32_t rounds[64])
{
    uint32_t num = 0;
    for (uint32_t n = 2; num < 64; n++) {
        uint32_t d = 2;
        while (d * d <= n && n % d)
            d++;
        if (d * d <= n)
            continue;
        if (num < 8)
            start[num] = fraction(sqrtl(n));
        rounds[num++] = fraction(cbrtl(n));
    }
}

static uint32_t turn(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void add_block(uint32_t hash[8], const uint32_t rounds[64], const uint8_t *block)
{
    uint32_t w[64], h[8];
    for (size_t i = 0; i < 16; i++, block += 4)
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (size_t i = 16; i < 64; i++)
        w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(h, hash, sizeof(h));
    for (size_t i = 0; i < 64; i++) {
        const uint32_t a = h[7] + (turn(h[4], 6) ^ turn(h[4], 11) ^ turn(h[4], 25)) +
                           ((h[4] & h[5]) ^ (~h[4] & h[6])) + rounds[i] + w[i];
        const uint32_t b = (turn(h[0], 2) ^ turn(h[0], 13) ^ turn(h[0], 22)) +
                           ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
        memmove(h + 1, h, 7 * sizeof(*h));
        h[4] += a;
        h[0] = a + b;
    }
    for (size_t i = 0; i < 8; i++)
        hash[i] += h[i];
}

void test_sha256(char out[65], const void *bytes, size_t size)
{
    uint32_t hash[8], rounds[64];
    uint8_t last[128] = {0};
    const uint8_t *from = bytes;
    const size_t rest = size % 64, whole = size - rest, tail = rest < 56 ? 64 : 128;
    make_constants(hash, rounds);
    for (size_t i = 0; i < whole; i += 64)
        add_block(hash, rounds, from + i);
    if (rest)
        memcpy(last, from + whole, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++)
        last[tail - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    for (size_t i = 0; i < tail; i += 64)
        add_block(hash, rounds, last + i);
    for (size_t i = 0; i < 8; i++)
        snprintf(out + 8 * i, 9, "%08x", (unsigned)hash[i]);
}
