/* SPDX-License-Identifier: Zlib */
#ifndef CLI_PAGE_PANES_H
#define CLI_PAGE_PANES_H
/*
 * page_panes.h - the maps of a page of changes as pictures: all are seen by one camera, and stand side by
 * side or alone, with their marks or without.
 */
#include "changes_page.h"

enum { PANES_SEEN_WIDTH = 40 }; /* tiles: what a player sees about */

/* All maps of a page or a picture, seen by one camera; the marks over them are the page's. */
typedef struct page_panes {
    const changes_page *page;
    picture_options options; /* of all of them; size is that of one */
    const tm_job *job;       /* may be NULL */
    cli_picture list[TM_PREVIEW_MARKED_MAPS];
    tm_camera camera; /* of all; its opacities are not used */
} page_panes;

/* Panes [first, first + num) side by side. */
typedef struct pane_range {
    size_t first, num;
    bool marked; /* with their marks */
} pane_range;

/*
 * How marked maps are drawn when the options do not say: with marks in what the game plays by, that, over a
 * fainter design. `output` is where the picture goes.
 */
picture_options panes_drawing(const tm_preview_marks *marks, const picture_options *options,
                              const char *output);
/*
 * Makes a renderer for each map. What was opened is closed by panes_close, after a failure, too. `failed`
 * becomes the pane that failed.
 */
tm_status panes_open(page_panes *panes, const picture_options *options, const tm_job *job, size_t *failed,
                     tm_error *error);
void panes_close(page_panes *panes);
/* The last map: it is the one that views and sizes are of. */
const tm_map *panes_last_map(const page_panes *panes);

/* The parts of the map where marks with a frame are. The caller's to free. */
tm_status panes_mark_areas(const page_panes *panes, tm_preview_area **areas, size_t *num, tm_error *error);
/* A margin on each side, and so many tiles at least. */
void panes_widen_side(double *start, double *length, double margin, double least);
/* Points at a part of the map. */
tm_status panes_show(page_panes *panes, const tm_preview_area *area, tm_error *error);
/*
 * Where all look: what the options ask for, of the last map, else at all marks; at the whole map when these
 * are all over it, or when there are none.
 */
tm_status panes_aim(page_panes *panes, tm_error *error);

/* Writes the picture of some panes side by side. */
tm_status panes_write(const page_panes *panes, pane_range range, picture_format format, const char *path,
                      tm_error *error);

#endif
