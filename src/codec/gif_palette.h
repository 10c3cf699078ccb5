/* SPDX-License-Identifier: Zlib */
#ifndef TMI_CODEC_GIF_PALETTE_H
#define TMI_CODEC_GIF_PALETTE_H
/*
 * The colors of an animation with few of them, and which of them stands for a pixel.
 *
 * Why not a library: libimagequant is GPL or paid for, and giflib's own function is deprecated there, knows 5
 * bits a channel and one picture.
 */
#include "codec.h"

enum {
    TMI_PALETTE_COLORS = 255,   /* one more is transparent */
    TMI_PALETTE_CELLS = 1 << 15 /* colors of 5 bits a channel */
};

typedef struct tmi_palette_cell {
    uint64_t num, sums[3]; /* pixels, and of their channels */
} tmi_palette_cell;

typedef struct tmi_palette {
    tmi_palette_cell cells[TMI_PALETTE_CELLS];
    uint32_t num; /* colors */
    uint8_t colors[TMI_PALETTE_COLORS][3];
    int32_t spread;           /* how far dithering moves a channel */
    uint8_t nearest[1 << 18]; /* by 6 bits a channel */
} tmi_palette;

/* Counts the pixels of a picture that are not transparent. */
void tmi_palette_learn(tmi_palette *palette, const uint8_t *rgba, size_t num);
/* Chooses the colors, which are fewer for a quality from 1 to 79. */
tm_status tmi_palette_choose(tmi_palette *palette, int quality, const tm_allocator *allocator,
                             tm_error *error);
/*
 * Pixels become colors of the palette, in place, and their alpha 255 minus the number of the color, so that
 * none is 0. Unless `opaque`, pixels whose alpha is below 128 become 0 in all channels.
 */
void tmi_palette_convert(const tmi_palette *palette, uint8_t *rgba, uint32_t width, uint32_t height,
                         bool opaque);

#endif
