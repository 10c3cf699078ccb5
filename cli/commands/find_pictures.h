/* SPDX-License-Identifier: Zlib */
#ifndef CLI_FIND_PICTURES_H
#define CLI_FIND_PICTURES_H
/*
 * find_pictures.h - pictures of the places that `teemap find` found: each shows a part of the map around one
 * or several of them.
 */
#include "run/files.h"
#include "run/picture.h"

#include <teemap/find.h>

/* A part of the map, in tiles of the layer where it was found. */
typedef struct find_place {
    uint32_t group, layer;
    double x, y, width, height;
} find_place;

typedef struct find_places {
    find_place *list;
    size_t num, capacity;
} find_places;

/* Adds a match, unless a picture shows it already or there are `most`. */
void find_places_add(find_places *places, const tm_match *match, size_t most);
/* The number of a picture that shows a match; -1: none does. */
int find_places_showing(const find_places *places, const tm_match *match);
/* The file of a picture, below `folder`; NULL: relative to it. The caller's to free. */
char *find_place_file(const find_place *place, const char *folder, const file_list *files, size_t index);
void find_places_release(find_places *places);
/* Draws all into FOLDER/MAP/GROUP-LAYER@X,Y.png. `index` is the map's in the list of files. */
tm_status find_places_draw(const find_places *places, const picture_options *options, const char *folder,
                           const file_list *files, size_t index, loaded *file, const tm_job *job,
                           tm_error *error);

#endif
