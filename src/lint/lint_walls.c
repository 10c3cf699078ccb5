/* SPDX-License-Identifier: Zlib */
/*
 * Walls of one tile with room for players on both sides, found 64 tiles at a time in the planes of bits that
 * lint_reach.c leaves: what is barred, and to what no flood came.
 */
#include "lint_bits.h"

/* Walls of a row, in a word of it; none beyond the map. */
TMI_INLINE uint64_t walls_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word)
{
    return y < reach->height && word < reach->words ? reach->barred[(size_t)y * reach->words + word] : 0;
}

/* Tiles to which the flood came. What lies right of the map is barred. */
TMI_INLINE uint64_t reached_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word)
{
    if (y >= reach->height || word >= reach->words)
        return 0;
    const size_t at = (size_t)y * reach->words + word;
    return ~(reach->open[at] | reach->barred[at]);
}

/* Walls with reached tiles to the left and to the right; y and word may be -1. */
TMI_INLINE uint64_t upright_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word)
{
    const uint64_t walls = walls_of(reach, y, word), here = reached_of(reach, y, word);
    return walls & (here << 1 | reached_of(reach, y, word - 1) >> (WORD - 1)) &
           (here >> 1 | reached_of(reach, y, word + 1) << (WORD - 1));
}

/* Such with reached tiles above and below. */
TMI_INLINE uint64_t lying_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word)
{
    return walls_of(reach, y, word) & reached_of(reach, y - 1, word) & reached_of(reach, y + 1, word);
}

/* Whether the middle one of five walls in line is thin together with two next to it. */
static bool is_thin_line(const bool thin[5])
{
    return thin[2] && ((thin[1] && thin[3]) || (thin[0] && thin[1]) || (thin[3] && thin[4]));
}

/* Whether a wall is one of three in line. Beyond the map, also where a number wraps around, is no wall. */
static bool is_thin_wall(const tmi_lint_reach *reach, uint32_t x, uint32_t y)
{
    bool upright[5], lying[5];
    for (uint32_t i = 0; i < 5; i++) {
        const uint32_t beside = x + i - 2;
        upright[i] = upright_of(reach, y + i - 2, x / WORD) >> x % WORD & 1;
        lying[i] = lying_of(reach, y, beside / WORD) >> beside % WORD & 1;
    }
    return is_thin_line(upright) || is_thin_line(lying);
}

/* The next thin wall of a row, from x on; the width: there is none. Death is barred like walls, too. */
static uint32_t next_thin(const tmi_lint *lint, uint32_t x, uint32_t y)
{
    const tmi_lint_reach *reach = lint->reach;
    const uint64_t *barred = row_of_bits(reach, reach->barred, y);
    for (uint32_t word = x / WORD; word < reach->words; x = ++word * WORD) {
        uint64_t bits = barred[word] ? upright_of(reach, y, word) | lying_of(reach, y, word) : 0;
        bits = bits ? bits & bits_between(word, x, reach->width) : 0;
        for (; bits; bits &= bits - 1) {
            const uint32_t at = word * WORD + tmi_lowest_bit(bits);
            if (tmi_lint_is_wall(tmi_lint_index_at(lint, TM_LAYER_GAME, at, y)) && is_thin_wall(reach, at, y))
                return at;
        }
    }
    return reach->width;
}

bool tmi_lint_thin_walls(const tmi_lint *lint, uint32_t y, uint32_t *x0, uint32_t *x1)
{
    *x0 = *x1 = next_thin(lint, *x0, y);
    while (*x1 < lint->reach->width && next_thin(lint, *x1, y) == *x1)
        ++*x1;
    return *x0 < *x1;
}
