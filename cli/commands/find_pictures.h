/* SPDX-License-Identifier: Zlib */
#ifndef CLI_FIND_PICTURES_H
#define CLI_FIND_PICTURES_H
/*
 * find_pictures.h - pictures of the places that `teemap find` found: each shows a part of the map around one
 * or several of them.
 */
#include "run/picture.h"

/* A part of the map, in tiles of the layer where it was found. */
typedef struct find_place {
    uint32_t group, layer;
    double x, y, width, height;
    bool skipped; /* there is no picture: it took more work than its share */
} find_place;

typedef struct find_places {
    const picture_options *options; /* what is drawn */
    const char *folder;             /* where all goes; may be NULL until it is drawn */
    const file_list *files;
    size_t index; /* of the map in the list of files */
    find_place *list;
    size_t num, capacity;
    picture_format format; /* default: PNG */
    uint32_t pixels;       /* a tile, as far as `side` allows; default 32 */
    uint32_t side;         /* pixels that a side has at most; default: no limit */
    /* Pixels of layers above which one is skipped; default: more than the options allow is an error. */
    uint64_t limit;
} find_places;

/* Adds a match, unless a picture shows it already or there are `most`. */
void find_places_add(find_places *places, const tm_match *match, size_t most);
/* The number of a picture that shows a match and was not skipped; -1: none does. */
int find_places_showing(const find_places *places, const tm_match *match);
/* The file of the n-th picture, below `folder`; NULL: relative to it. The caller's to free. */
char *find_place_file(const find_places *places, size_t n, const char *folder);
void find_places_release(find_places *places);
/* Draws all into FOLDER/MAP/GROUP-LAYER@X,Y.png. */
tm_status find_places_draw(find_places *places, loaded *file, const tm_job *job, tm_error *error);

#endif
