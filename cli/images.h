/* SPDX-License-Identifier: Zlib */
#ifndef CLI_IMAGES_H
#define CLI_IMAGES_H
/*
 * images.h - where external images come from: a list of folders, made of --mapres, the map's own folder, user folders and installed
 * games, TEEMAP_MAPRES. Names of images are never trusted as paths.
 */
#include "command.h"

#include <teemap/render.h>

typedef struct image_folders {
    char **paths; /* in the order in which they are searched */
    size_t num;
} image_folders;

/* The folders for a map at `path` ("-" has none of its own) that speaks `game`'s dialect. */
void image_folders_find(image_folders *out, const cli_options *options, const char *path, tm_game game);
void image_folders_release(image_folders *folders);

/* A tm_image_provider; `ctx` is an image_folders. */
tm_status image_folders_get(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                            uint8_t **rgba, uint32_t *width, uint32_t *height);

#endif
