/* SPDX-License-Identifier: Zlib */
#ifndef CLI_BEST_VIEW_H
#define CLI_BEST_VIEW_H
/*
 * best_view.h - finds the view that tells most about a map: something to look at, and no blank wall. The same
 * map and size of the picture always give the same view. docs/thumbnails.md says how.
 */
#include "picture.h"

/* What a place is, beside its looks. */
typedef enum best_view_kind {
    BEST_VIEW_WHOLE = 0, /* all of a map that is no larger than a view */
    BEST_VIEW_SPAWN,
    BEST_VIEW_FLAG, /* a flag's stand */
    BEST_VIEW_START,
    BEST_VIEW_FINISH,
    BEST_VIEW_PLACE /* any other */
} best_view_kind;

typedef struct best_view {
    best_view_kind kind;
    double x, y, zoom; /* as --view and --zoom take them */
    double coverage;   /* share of the picture that is drawn at all, 0 to 1 */
    double lively;     /* share of squares in which there is something to see */
    double score;
} best_view;

/* "whole", "spawn", ... */
const char *best_view_name(best_view_kind kind);

/* Sets the camera of an open picture whose camera has its width, height and time. */
tm_status best_view_find(best_view *out, picture *of, const tm_map *map, tm_error *error);

#endif
