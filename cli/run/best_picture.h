/* SPDX-License-Identifier: Zlib */
#ifndef CLI_BEST_PICTURE_H
#define CLI_BEST_PICTURE_H
/*
 * best_picture.h - the picture of a map's best view, made ready to be drawn: what thumbnails and galleries
 * show (docs/thumbnails.md).
 */
#include "picture.h"

#include <teemap/preview.h>

typedef struct best_picture {
    picture_options options; /* as given, or with the layers and entities that show more */
    picture picture;         /* its camera shows the view */
    tm_preview_view view;
    bool blank;          /* there is nothing in the map to draw */
    bool shows_entities; /* with the design, which alone shows nothing */
} best_picture;

/*
 * Finds the best view of a loaded map, for a picture of options->size. Missing images become findings of the
 * file, whose error tells what failed. The limit of pixels 0 is one that holds against maps that are made to
 * take long. Closed by best_picture_close, after a failure, too; until then it stays where it is.
 */
tm_status best_picture_open(best_picture *out, const picture_options *options, const char *path, loaded *file,
                            const tm_job *job);
void best_picture_close(best_picture *of);

#endif
