/* SPDX-License-Identifier: Zlib */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H
/*
 * page.h - the page that shows a pyramid: tiles_page.html, embedded when the program is built, with what it
 * must know of the map, as JSON. Nothing of what a map says can leave the place where it stands.
 */
#include "options/command.h"

#include "output/text_buffer.h"

/* One pyramid of a map: a group's design, a layer of it, or one physics layer. */
typedef struct page_part {
    uint32_t group;
    uint32_t layer; /* of a single layer: its index in the group */
    bool physics, single;
    /*
     * "3", or "3-1" for a single layer: the name of its folder. What moves is several parts, one behind the
     * other, one for each time: "3", "3.1", "3.2".
     */
    char id[32];
    uint32_t moment, num_moments; /* which of these times it is, from 0; of how many */
    bool clipped;
    float *shown; /* of the group's layers: which belong to this part, and how strongly */
    tm_pyramid tiles;
    uint64_t num_tiles, num_bytes;
    /* For a page that holds its tiles: `num_tiles` packed ones, in the order of levels and cells. */
    tm_buffer *kept;
    /* For a page whose tiles lie in one file: where those of the part begin there, and the size of each. */
    uint64_t packed_at;
    size_t *packed_sizes;
} page_part;

void page_part_release(page_part *part);
/* What fills tiles_page. */
struct tiling;
json_t *page_values(const struct tiling *of);

/* tiles_page.html; ends with a NUL */
extern const unsigned char tiles_page[];

#endif
