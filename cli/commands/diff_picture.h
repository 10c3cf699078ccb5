/* SPDX-License-Identifier: Zlib */
#ifndef CLI_DIFF_PICTURE_H
#define CLI_DIFF_PICTURE_H
/*
 * diff_picture.h - both maps of a diff with what changed framed and tinted: as one picture, side by side, or
 * as a page with pictures of each place.
 *
 * Order of calls: fill in the first members, diff_picture_open, then a picture, a page or both, and
 * diff_picture_close whatever happened.
 */
#include "changes_page.h"

typedef struct diff_picture {
    const picture_options *options;
    const char *paths[2]; /* of the maps */
    loaded *files[2];
    const tm_patch *patch;
    const char *output; /* the picture; NULL: none */
    /* set by the functions */
    int side; /* after a failure: which map has it */
    tm_preview_marks marks;
    panes both;
} diff_picture;

tm_status diff_picture_open(diff_picture *of, const tm_job *job, tm_error *error);
/* Says what the pictures lack, too. */
void diff_picture_close(diff_picture *of, report *to);

/* Writes `output`. */
tm_status diff_picture_write(diff_picture *of, picture_format format, tm_error *error);

/* Writes a page with its pictures into a folder, which is made. */
tm_status diff_page_write(changes_page_sum *sum, diff_picture *of, const char *folder, tm_error *error);

#endif
