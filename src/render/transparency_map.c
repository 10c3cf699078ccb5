/* SPDX-License-Identifier: Zlib */
/*
 * transparency_map.c - how far one can go in a picture without meeting anything: clouds, mountains and rays
 * of light are clear for a good part, and what is clear need not be read texel by texel. The picture is cut
 * into blocks, and each block knows how far away the next one is that is not clear. Must not know of spans.
 */
#include "mipmap.h"

enum { BLOCK = TMI_CLEARING_BLOCK /* 8 texels, two vectors */, FAR = 255 };

/* ------------------------------------------------------------------------------------------------- blocks */

typedef struct picture {
    const uint8_t *texels;
    size_t width, height; /* texels */
    uint8_t *blocks;
    size_t across, down; /* blocks */
} picture;

/* A block that no side of the picture cuts. */
static bool whole_is_clear(const uint8_t *texels, size_t pitch)
{
    static const uint8_t alpha[8] = {0, 0, 0, 255, 0, 0, 0, 255};
    tmi_bytes all = {0}, fours[2];
    uint64_t mask, halves[2];
    if (texels[3])
        return false; /* mostly there is no need to look further */
    for (size_t y = 0; y < BLOCK; y++, texels += pitch) {
        memcpy(fours, texels, sizeof(fours));
        all |= fours[0] | fours[1];
    }
    memcpy(&mask, alpha, sizeof(mask));
    memcpy(halves, &all, sizeof(halves));
    return ((halves[0] | halves[1]) & mask) == 0;
}

static bool cut_is_clear(const picture *of, size_t x, size_t y)
{
    for (size_t j = y; j < y + BLOCK && j < of->height; j++)
        for (size_t i = x; i < x + BLOCK && i < of->width; i++)
            if (of->texels[(j * of->width + i) * 4 + 3])
                return false;
    return true;
}

static bool is_clear(const picture *of, size_t x, size_t y)
{
    return x + BLOCK <= of->width && y + BLOCK <= of->height
               ? whole_is_clear(of->texels + (y * of->width + x) * 4, of->width * 4)
               : cut_is_clear(of, x, y);
}

/* ---------------------------------------------------------------------------------------------- distances */

static uint8_t nearer(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

/* The nearest of the neighbours in the row above or below (`other`) and of the one that was done before. */
static uint8_t nearest(const uint8_t *other, size_t x, size_t across, uint8_t before)
{
    uint8_t least = before;
    if (other) {
        least = nearer(least, other[x]);
        least = x > 0 ? nearer(least, other[x - 1]) : least;
        least = x + 1 < across ? nearer(least, other[x + 1]) : least;
    }
    return least;
}

/* Down and then up again: a block is one further away than the nearest of its eight neighbours. */
static void spread_down(const picture *of)
{
    for (size_t y = 0; y < of->down; y++) {
        uint8_t *row = of->blocks + y * of->across, before = FAR;
        for (size_t x = 0; x < of->across; x++) {
            before = nearest(y ? row - of->across : NULL, x, of->across, before);
            before = is_clear(of, x * BLOCK, y * BLOCK) ? nearer(FAR - 1, before) + 1 : 0;
            row[x] = before;
        }
    }
}

static void spread_up(const picture *of)
{
    for (size_t y = of->down; y-- > 0;) {
        uint8_t *row = of->blocks + y * of->across, before = FAR;
        for (size_t x = of->across; x-- > 0;) {
            before = nearest(y + 1 < of->down ? row + of->across : NULL, x, of->across, before);
            before = nearer(row[x], nearer(FAR - 1, before) + 1);
            row[x] = before;
        }
    }
}

void tmi_make_transparency_map(tmi_mipmap *mipmap)
{
    const picture of = {mipmap->slices[0],
                        mipmap->widths[0],
                        mipmap->heights[0],
                        mipmap->slices[0] + mipmap->transparency_map,
                        tmi_num_blocks(mipmap->widths[0]),
                        tmi_num_blocks(mipmap->heights[0])};
    spread_down(&of);
    spread_up(&of);
}
