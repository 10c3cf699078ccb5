/* SPDX-License-Identifier: Zlib */
#ifndef TMI_LINT_BITS_H
#define TMI_LINT_BITS_H
/*
 * Planes of bits, one a tile, as lint_reach.c fills them: rows of words, the lowest bit of a word to the
 * left.
 */
#include "lint.h"

enum { WORD = 64 };

/* Bits [from, to) of the word that begins at bit 64 * word. */
static inline uint64_t bits_between(uint32_t word, uint32_t from, uint32_t to)
{
    const uint32_t begin = word * WORD;
    const uint64_t low = from > begin ? UINT64_MAX << (from - begin) : UINT64_MAX;
    const uint64_t high = to - begin < WORD ? (UINT64_C(1) << (to - begin)) - 1 : UINT64_MAX;
    return low & high;
}

static inline uint32_t highest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return WORD - 1 - (uint32_t)__builtin_clzll(bits);
#else
    for (unsigned shift = 1; shift < WORD; shift *= 2)
        bits |= bits >> shift;
    return tmi_lowest_bit(bits - (bits >> 1));
#endif
}

static inline uint64_t *row_of_bits(const tmi_lint_reach *reach, uint64_t *bits, uint32_t y)
{
    return &bits[(size_t)y * reach->words];
}

#endif
