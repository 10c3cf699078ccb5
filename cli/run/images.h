/* SPDX-License-Identifier: Zlib */
#ifndef CLI_IMAGES_H
#define CLI_IMAGES_H
/*
 * images.h - what the options and the environment say about pictures that are in no map: images of the games'
 * mapres folders, and the sheet of entities; and the file of --missing-list.
 */
#include "tool.h"

/*
 * The folders for a map at `path` (NULL: no map; "-" has no folder of its own) that speaks `game`'s dialect:
 * those of --mapres, then all that the library knows by the environment. `cache` may be NULL.
 */
tm_status images_open(tm_mapres **out, const word_list *first, const char *path, tm_game game,
                      tm_mapres_cache *cache, tm_error *error);

/* As images_open, but takes only folders that hold what the game ships. `first`: the folders of --mapres. */
tm_status images_open_shipped(tm_mapres **out, const word_list *first, tm_game game, tm_error *error);

/* Where an image is found, in memory of the caller's; *path NULL: nowhere. */
tm_status images_find(char **path, const tm_mapres *mapres, const char *name, tm_game game, tm_error *error);

/* Which games ship an image that is not here: "not found; shipped by ddnet". */
void image_put_shipped(text *out, const char *name);

/* Writes the names of a map's external images that are not found, one a line, each once. */
tm_status images_put_missing(text *out, const tm_mapres *mapres, const tm_map *map, tm_error *error);

/*
 * The pictures of entities: those of --sheet, of an installed game, or none, which are then the library's
 * own.
 */
typedef struct entity_sheets {
    tm_pixels entities, arrow; /* rgba NULL: none */
} entity_sheets;
/* Fails for a file of --sheet that cannot be used, and for one of a game that cannot be read. */
tm_status images_load_sheets(entity_sheets *out, const picture_options *options, const tm_mapres *mapres,
                             const tm_mod *mod, tm_game game, tm_error *error);
void images_release_sheets(entity_sheets *sheets);

/* An image that at least one map lacks. */
typedef struct missing_image {
    const char *name;
    const char *first; /* map that lacks it */
    uint64_t maps;
} missing_image;
/*
 * One entry for each image of the lines of each map, in the order of names, which stay in the lines. The
 * caller's to free.
 */
missing_image *missing_images(size_t *num, text *names, const char *const *maps, size_t num_maps);

typedef struct missing_list {
    const char *path; /* NULL: none is wanted */
    text *names;      /* of each map */
    const char *const *maps;
    size_t num;
} missing_list;

/*
 * `path` NULL: the other functions do nothing. False after having said that the file is one of the maps; then
 * nothing is begun.
 */
bool missing_list_begin(missing_list *list, cli_tool *tool, const char *path, const char *const *maps,
                        size_t num_maps);
/* Where the names of a map go, one a line; NULL without a list. */
text *missing_list_of(missing_list *list, size_t map);
/* Writes the file; says when that fails. */
void missing_list_end(missing_list *list, cli_tool *tool);

#endif
