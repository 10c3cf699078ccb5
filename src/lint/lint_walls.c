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

/* Those upright ones that are one of three. */
static uint64_t upright_line_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word, uint64_t upright)
{
    const uint64_t up = upright_of(reach, y - 1, word), down = upright_of(reach, y + 1, word);
    return upright &
           ((up & down) | (up & upright_of(reach, y - 2, word)) | (down & upright_of(reach, y + 2, word)));
}

static uint64_t lying_line_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word, uint64_t lying)
{
    const uint64_t before = lying_of(reach, y, word - 1), after = lying_of(reach, y, word + 1);
    const uint64_t left = lying << 1 | before >> (WORD - 1), right = lying >> 1 | after << (WORD - 1);
    const uint64_t left_2 = lying << 2 | before >> (WORD - 2), right_2 = lying >> 2 | after << (WORD - 2);
    return lying & ((left & right) | (left & left_2) | (right & right_2));
}

/* Most words have no walls, or nothing but walls with more of them above or below. */
static uint64_t thin_of(const tmi_lint_reach *reach, uint32_t y, uint32_t word, uint64_t walls)
{
    const uint64_t upright = walls == UINT64_MAX ? 0 : upright_of(reach, y, word),
                   lying = lying_of(reach, y, word);
    return (upright ? upright_line_of(reach, y, word, upright) : 0) |
           (lying ? lying_line_of(reach, y, word, lying) : 0);
}

/* Death is barred like walls; the code for the tiles between reads the tiles themselves. */
static bool is_game_wall(const tmi_lint *lint, uint32_t x, uint32_t y)
{
    return tmi_lint_is_wall(tmi_lint_index_at(lint, TM_LAYER_GAME, x, y));
}

/* A line that goes on into the next word comes in pieces. */
bool tmi_lint_thin_walls(const tmi_lint *lint, uint32_t y, uint32_t *x0, uint32_t *x1)
{
    const tmi_lint_reach *reach = lint->reach;
    const uint64_t *barred = row_of_bits(reach, reach->barred, y);
    uint32_t from = *x0;
    for (uint32_t word = from / WORD; word < reach->words; from = ++word * WORD) {
        uint64_t thin = barred[word] ? thin_of(reach, y, word, barred[word]) : 0;
        thin = thin ? thin & bits_between(word, from, reach->width) : 0;
        for (; thin; thin &= thin - 1) {
            const uint32_t x = word * WORD + tmi_lowest_bit(thin);
            if (!is_game_wall(lint, x, y))
                continue;
            *x0 = *x1 = x;
            for (uint64_t rest = thin;
                 rest && word * WORD + tmi_lowest_bit(rest) == *x1 && is_game_wall(lint, *x1, y);
                 rest &= rest - 1)
                ++*x1;
            return true;
        }
    }
    return false;
}
