/* SPDX-License-Identifier: Zlib */
#ifndef CLI_LIVE_VIEW_H
#define CLI_LIVE_VIEW_H
/*
 * live_view.h - maps that the visitor's browser draws, on pages that teemap writes (--live): what fills
 * <teemap-view>, an element of view.js of the JavaScript package, and what its page needs for it.
 */
#include "output/json.h"
#include "run/picture.h"

typedef struct live_view {
    const tm_map *map;
    const char *script,
        *up; /* the address of view.js; what leads to the folder that a relative one is seen from */
    const char *src, *images; /* addresses of the map and of a folder of images, seen from the page */
    const char *label, *view; /* NULL: the element's own */
    const picture_options *options;
    bool still; /* even if the map moves */
} live_view;
json_t *live_view_values(const live_view *of);

#endif
