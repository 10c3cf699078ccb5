/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LIVE_VIEW_H
#define CLI_LIVE_VIEW_H
/*
 * live_view.h - maps that the visitor's browser draws, on pages that teemap writes (--live): <teemap-view>,
 * an element of view.js of the JavaScript package.
 */
#include "run/picture.h"

/* What the policy of such a page allows the element, behind the sources of scripts. */
void live_put_policy(text *out);
/* Loads view.js. `up` leads from the page to the folder that a relative `url` is seen from. */
void live_put_script(text *out, const char *url, const char *up);

typedef struct live_view {
    const tm_map *map;
    const char *src, *images; /* addresses of the map and of a folder of images, seen from the page */
    const char *label, *view; /* NULL: the element's own */
    const picture_options *options;
    bool still; /* even if the map moves */
} live_view;
/* The element up to what it shows without scripts, which the caller puts; then it ends with LIVE_VIEW_END. */
void live_put_view(text *out, const live_view *of);
#define LIVE_VIEW_END "</teemap-view>\n"

#endif
