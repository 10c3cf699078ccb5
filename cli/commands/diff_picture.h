/* SPDX-License-Identifier: Zlib */
#ifndef CLI_DIFF_PICTURE_H
#define CLI_DIFF_PICTURE_H
/*
 * diff_picture.h - both maps of a diff side by side, with what changed framed and tinted.
 */
#include "run/panes.h"
#include "run/patch_marks.h"

typedef struct diff_picture {
    cli_tool *tool;
    const picture_options *options;
    picture_format format;
    const char *paths[2]; /* of the maps */
    loaded *files[2];
    const tm_patch *patch;
    int side; /* set after a failure: which map has it */
} diff_picture;

/* Writes the picture, and says what it lacks. */
tm_status diff_picture_write(diff_picture *of, const char *path, const tm_job *job, report *to,
                             tm_error *error);

#endif
