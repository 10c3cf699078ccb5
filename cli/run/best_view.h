/* SPDX-License-Identifier: Zlib */
#ifndef CLI_BEST_VIEW_H
#define CLI_BEST_VIEW_H
/*
 * best_view.h - finds the view that tells most about a map: something to look at, and no blank wall. The same
 * map and size of the picture always give the same view. docs/thumbnails.md says how.
 */
#include "picture.h"

/* What a place is, beside its looks. */
typedef enum telling_kind {
    TELLING_WHOLE = 0, /* all of a map that is no larger than a view */
    TELLING_SPAWN,
    TELLING_FLAG, /* a flag's stand */
    TELLING_START,
    TELLING_FINISH,
    TELLING_PLACE /* any other */
} telling_kind;

typedef struct telling_view {
    telling_kind kind;
    double x, y, zoom; /* as --view and --zoom take them */
    double coverage;   /* share of the picture that is drawn at all, 0 to 1 */
    double lively;     /* share of squares in which there is something to see */
    double score;
} telling_view;

/* "whole", "spawn", ... */
const char *telling_name(telling_kind kind);

/* Sets the camera of an open picture whose camera has its width, height and time. */
tm_status telling_find(telling_view *out, picture *of, const tm_map *map, tm_error *error);

#endif
