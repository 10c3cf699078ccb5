/* SPDX-License-Identifier: Zlib */
#ifndef CLI_SIDE_BY_SIDE_H
#define CLI_SIDE_BY_SIDE_H
/*
 * side_by_side.h - several maps seen by one camera, side by side in one picture, with marks over each:
 * before and after, or the versions of a merge. Does not know what the marks mean.
 *
 * Order of calls: fill in `num` and of each pane path, file and marks; panes_open, panes_aim or panes_show,
 * panes_write as often as it takes, panes_close.
 */
#include "picture.h"

enum { MAX_PANES = 4 };

typedef struct pane {
    const char *path;
    loaded *file;                 /* stays the caller's */
    const tm_preview_mark *marks; /* of this map; the caller's, too */
    size_t num_marks;
    picture picture;
} pane;

typedef struct panes {
    picture_options options; /* of all of them; size is that of one */
    const tm_job *job;       /* may be NULL */
    size_t num;
    pane list[MAX_PANES];
    tm_camera camera; /* of all; its opacities are not used */
} panes;

/*
 * How marked maps are drawn when the options do not say: with marks in what the game plays by, that, over a
 * fainter design. `output` is where the picture goes.
 */
picture_options panes_drawing(const tm_preview_marks *of, const picture_options *options, const char *output);
/*
 * Makes a renderer for each map. What was opened is closed by panes_close, after a failure, too. `at` becomes
 * the pane that failed.
 */
tm_status panes_open(panes *of, const picture_options *options, const tm_job *job, size_t *at,
                     tm_error *error);
void panes_close(panes *of);
/*
 * Where all look: what the options ask for, of the last map, else at all marks; at the whole map when these
 * are all over it, or when there are none.
 */
tm_status panes_aim(panes *of, tm_error *error);
/* Points at a part of the map. */
tm_status panes_show(panes *of, const tm_preview_area *area, tm_error *error);
/*
 * The parts of the map where marks with a frame are; as many as there are frames at most. The caller's to
 * free.
 */
tm_status panes_mark_areas(const panes *of, tm_preview_area **areas, size_t *num, tm_error *error);

/* Panes [first, first + num) side by side. */
typedef struct pane_range {
    size_t first, num;
    bool marked; /* with their marks */
} pane_range;
tm_status panes_write(const panes *of, pane_range range, picture_format format, const char *path,
                      tm_error *error);

#endif
