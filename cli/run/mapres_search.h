/* SPDX-License-Identifier: Zlib */
#ifndef CLI_MAPRES_SEARCH_H
#define CLI_MAPRES_SEARCH_H
/*
 * mapres_search.h - where external images come from: a list of folders, made of --mapres, the map's own folder, user
 * folders and installed games, TEEMAP_MAPRES. Names of images are never trusted as paths.
 */
#include "tool.h"

#include <teemap/render.h>

typedef enum image_source {
    IMAGE_SOURCE_OPTION = 0,  /* --mapres */
    IMAGE_SOURCE_MAP,         /* beside the map */
    IMAGE_SOURCE_DDNET,       /* a folder of the game's or its user's */
    IMAGE_SOURCE_TEEWORLDS,   /* the same of the other game */
    IMAGE_SOURCE_ENVIRONMENT, /* TEEMAP_MAPRES */
    IMAGE_SOURCE_COUNT
} image_source;

typedef struct image_folder {
    char *path;
    image_source source;
    bool found; /* it is there and a folder; others are not searched */
} image_folder;

typedef struct image_folders {
    image_folder *list; /* in the order in which they are searched */
    size_t num;
} image_folders;

/*
 * The folders for a map at `path` (NULL: no map; "-" has no folder of its own) that speaks `game`'s dialect.
 */
void image_folders_find(image_folders *out, const cli_options *options, const char *path, tm_game game);
void image_folders_release(image_folders *folders);

/* A tm_image_provider; `ctx` is an image_folders. */
tm_status image_folders_get(void *ctx, const char *name, tm_game game, const tm_allocator *allocator,
                            uint8_t **rgba, uint32_t *width, uint32_t *height);

/*
 * A sheet of entities of an installed game, such as "entities_clear/ddnet.png": the games keep them in a
 * folder `editor` beside their mapres. NULL: there is none.
 */
char *image_folders_sheet(const image_folders *folders, const char *file);
/* A PNG file; *rgba is memory of the allocator. */
tm_status image_read(const char *path, const tm_allocator *allocator, uint8_t **rgba, uint32_t *width,
                     uint32_t *height, tm_error *error);

/*
 * Writes the names of a map's external images that are not found, one a line, each once. FILE may be -,
 * standard output.
 */
tm_status image_folders_list_missing(const image_folders *folders, const tm_map *map, const char *path,
                                     tm_error *error);

/* Where the provider would find an image; NULL: nowhere. */
char *image_folders_where(const image_folders *folders, const char *name, tm_game game);

#endif
