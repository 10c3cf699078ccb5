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
#include "page.h"
#include "run/picture.h"

enum {
    TILING_MAX_TIMES = 64,
    TILING_AT_ONCE = 128 /* tiles that are drawn before they are packed: 32 MiB */
};

typedef struct tiles_options {
    picture_options picture; /* -t: its folder, -o: its output */
    bool each_layer;         /* of the design has a pyramid of its own, not each group */
    uint32_t times;          /* at which what moves is drawn; 0: one */
    bool force;              /* replaces a page of somebody else */
    bool pack;               /* all tiles go into one file next to the page */
    const char *live; /* the browser draws the map, by the script at this address; NULL: there are tiles */
} tiles_options;

typedef struct tiling {
    const char *path; /* of the map */
    char *name;       /* owned */
    tiles_options options;
    loaded file; /* loaded by the caller */
    picture picture;
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
} tiling;

/*
 * Makes the pyramids and the page of the map, whose groups lose clips that the page has to draw. Released by
 * tiling_release, after a failure, too.
 */
tm_status tiling_make(tiling *t, const tm_job *job, tm_error *error);
/* In place of all that: the map, and a page that draws it by the script `options.live` (tiling_live.c). */
tm_status tiling_make_live(tiling *t, const tm_job *job, tm_error *error);
void tiling_release(tiling *t);
/* The page; the caller's to free. */
char *tiling_index(const tiling *t);

/* ---------------------------------------------------------------------------------- parts of tiling_make */

/* Lets `opacities` show the layers of a part, or no longer (tiling_plan.c). */
void tiling_show(tiling *t, const page_part *part, bool shown);
/* Looks for what there is to draw (tiling_plan.c). */
tm_status tiling_plan(tiling *t, tm_error *error);
tm_status tiling_has_parts(const tiling *t, tm_error *error);
#define TILING_PACK "tiles.bin"
/* Draws it, into files, or the one of t->pack, or memory (tiling_draw.c). */
tm_status tiling_draw(tiling *t, tm_error *error);

/* live_page.html; ends with a NUL */
extern const unsigned char live_page[];

#endif
