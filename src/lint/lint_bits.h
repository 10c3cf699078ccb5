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

/* The product has another number in its upper six bits for each bit (a de Bruijn sequence). */
static inline uint32_t lowest_bit(uint64_t bits)
{
    static const uint8_t numbers[WORD] = {0,  1,  2,  53, 3,  7,  54, 27, 4,  38, 41, 8,  34, 55, 48, 28,
                                          62, 5,  39, 46, 44, 42, 22, 9,  24, 35, 59, 56, 49, 18, 29, 11,
                                          63, 52, 6,  26, 37, 40, 33, 47, 61, 45, 43, 21, 23, 58, 17, 10,
                                          51, 25, 36, 32, 60, 20, 57, 16, 50, 31, 19, 15, 30, 14, 13, 12};
    return numbers[(bits & (~bits + 1)) * UINT64_C(0x022fdd63cc95386d) >> 58];
}

static inline uint64_t *row_of_bits(const tmi_lint_reach *reach, uint64_t *bits, uint32_t y)
{
    return &bits[(size_t)y * reach->words];
}

#endif
