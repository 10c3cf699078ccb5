/* SPDX-License-Identifier: Zlib */
#ifndef CLI_TILING_H
#define CLI_TILING_H
/*
 * tiling.h - a map as pyramids of tiles, and the page that shows them: for `teemap tiles`, and for the
 * galleries that link to such pages.
 *
 * What there is to draw is known before anything is written. Tiles are drawn and packed in parallel, one by
 * each thread. The page comes last: it alone says which tiles there are, so nobody sees what an earlier run
 * left, or one that was ended.
 */
#include "run/picture.h"

enum {
    TILING_MAX_TIMES = 64,
    TILING_AT_ONCE = 128 /* tiles that are drawn before they are packed: 32 MiB */
};

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
    /*
     * `num_tiles` packed ones that wait in memory, in the order of levels and cells; NULL: they are written
     * at once.
     */
    tm_buffer *kept;
    /* For a page whose tiles lie in one file: where those of the part begin there, and the size of each. */
    uint64_t packed_at;
    size_t *packed_sizes;
} page_part;

typedef struct tiles_options {
    picture_options picture; /* -t: its folder, -o: its output */
    bool each_layer;         /* of the design has a pyramid of its own, not each group */
    uint32_t times;          /* at which what moves is drawn; 0: one */
    bool force;              /* replaces a page of somebody else */
    bool pack;               /* all tiles go into one file next to the page */
    const char *live; /* the browser draws the map, by the script at this address; NULL: there are tiles */
} tiles_options;

typedef struct cli_tiling {
    const char *path; /* of the map */
    char *name;       /* owned */
    tiles_options options;
    loaded file; /* loaded by the caller */
    cli_picture picture;
    const tm_job *job;
    bool bounded; /* without --scale and --limit: the largest scale that takes seconds, and at most 100 MB */
    tm_pyramid_frame frame;
    double times[TILING_MAX_TIMES]; /* ms; for the page */
    uint32_t num_times;
    page_part *parts;
    size_t num_parts;
    uint64_t planned, done; /* tiles of all parts */
    /* of the part that is drawn */
    page_part *part;
    float *opacities;       /* of all layers: those of the part, 0 for the others */
    tm_pyramid_cell *cells; /* its tiles, from the first that is drawn now */
    uint8_t *pixels;        /* of TILING_AT_ONCE tiles */
    tm_buffer *packed;      /* of as many; none of those that turned out to be blank, or went into files */
    size_t *sizes;          /* bytes of those tiles; 0: blank */
    const tm_output *pack;  /* the one file that all tiles go into; NULL: there is none */
    uint64_t pack_size;     /* bytes in it so far; of a page without tiles, those of the map */
    uint64_t num_bytes;     /* of all tiles so far */
} cli_tiling;

/*
 * Makes the pyramids and the page of the map, whose groups lose clips that the page has to draw. Released by
 * tiling_release, after a failure, too.
 */
tm_status tiling_make(cli_tiling *t, const tm_job *job, tm_error *error);
/* In place of all that: the map, and a page that draws it by the script `options.live` (page.c). */
tm_status tiling_make_live(cli_tiling *t, const tm_job *job, tm_error *error);
/*
 * A map that the visitor's browser draws (--live): what fills <teemap-view>, an element of view.js of the
 * JavaScript package.
 */
typedef struct live_view {
    const tm_map *map;
    const char *script,
        *base; /* the address of view.js; what leads to the folder that a relative one is seen from */
    const char *src, *images; /* addresses of the map and of a folder of images, seen from the page */
    const char *label, *view; /* NULL: the element's own */
    const picture_options *options;
    bool still; /* even if the map moves */
} live_view;
json_t *live_view_values(const live_view *view);
void tiling_release(cli_tiling *t);
/* The page; the caller's to free. */
char *tiling_index(const cli_tiling *t);

/* ---------------------------------------------------------------------------------- parts of tiling_make */

/* Lets `opacities` show the layers of a part, or no longer (tiling.c). */
void tiling_show(cli_tiling *t, const page_part *part, bool shown);
#define TILING_PACK "tiles.bin"
/* Draws it, into files, or the one of t->pack, or memory (tiling_draw.c). */
tm_status tiling_draw(cli_tiling *t, tm_error *error);

void page_part_release(page_part *part);
/* What fills tiles_page, as JSON: nothing of what a map says can leave the place where it stands (page.c). */
json_t *page_values(const cli_tiling *tiling);

/* tiles_page.html, live_page.html; end with a NUL */
extern const unsigned char tiles_page[], live_page[];

#endif
