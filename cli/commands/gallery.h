/* SPDX-License-Identifier: Zlib */
#ifndef CLI_GALLERY_H
#define CLI_GALLERY_H
/*
 * gallery.h - what the parts of `teemap gallery` share: the site, its maps, and what is known of each while
 * it is worked on.
 *
 * SITE/index.html, gallery.css and gallery.js are the same for all galleries, but for the title; maps.js is
 * the list. A map has a page and a picture in SITE/maps. Its page holds the map's record: by it the next run
 * knows whether anything has changed. The page is written when all else of the map is there.
 */
#include "run/picture.h"

typedef struct gallery_options {
    picture_options picture;
    bool force, no_animations, tiles, prune, downloads;
    const char *title, *viewer, *live;
} gallery_options;

/* A map that was not reached has no state: nobody listened any more. */
typedef enum gallery_state {
    GALLERY_UNREACHED = 0,
    GALLERY_FAILED,
    GALLERY_MADE,
    GALLERY_KEPT
} gallery_state;

typedef struct gallery_map {
    const char *path, *relative; /* borrowed from the list of files */
    char *id;                    /* what its files are called: letters of its name, and 16 digits */
    gallery_state state;
    json_t *row; /* in the list of maps; after a failure that of an earlier run, or NULL */
} gallery_map;

typedef struct cli_gallery {
    cli_tool *tool;
    const gallery_options *options;
    file_list files;
    gallery_map *maps; /* one for each file */
    json_t *absent;    /* rows of maps of earlier runs that were not found in this one */
    text settings;     /* the options that what is made depends on */
    tm_mapres_cache *images;
} cli_gallery;

/* Files of a map besides its page and its tiles; a row says which of them there are. */
typedef enum gallery_file {
    GALLERY_PICTURE,
    GALLERY_LARGE,  /* the same view larger */
    GALLERY_WHOLE,  /* all of the map */
    GALLERY_MOTION, /* the view in motion */
    GALLERY_COPY,   /* the map itself, to be downloaded */
    GALLERY_FILES
} gallery_file;
/* How many times larger than the usual picture they are at most. */
enum { GALLERY_TIMES = 2, GALLERY_WHOLE_TIMES = 3 };

/* What is found out about one map. */
typedef struct gallery_exhibit {
    const cli_gallery *site;
    gallery_map *map;
    const tm_job *job;
    char *name;
    loaded file;     /* with the findings of a check */
    int64_t written; /* when the file was, in seconds since 1970 */
    check_result result;
    best_picture best;
    text missing;
    tm_error error;     /* why there is no picture, or no page */
    tm_error no_motion; /* why there is no animation; code 0: nothing forbids one */
    const char *broken; /* the same for visitors; NULL: there is a picture */
    bool has[GALLERY_FILES], tiles;
    uint32_t whole_width, whole_height;
    tm_lint_result lint;
} gallery_exhibit;

/* --------------------------------------------------------------------------------- pages (gallery_page.c) */

/* What fills the page of a map, whose row is there. */
json_t *gallery_page_values(const gallery_exhibit *exhibit);
/* The list that the page of all maps shows. */
void gallery_put_list(text *out, const cli_gallery *gallery);

/* gallery.html and so on; end with a NUL */
extern const unsigned char gallery_index[], gallery_style[], gallery_script[], gallery_map_page[],
    gallery_map_script[];

/* ----------------------------------------------------------------------------- records (gallery_record.c) */

/*
 * Takes out files that two folders list, and names all maps: ids do not depend on other maps, unless these
 * have the same place.
 */
void gallery_name_maps(cli_gallery *gallery);
/* Whether a row, which may be NULL, says that the map has the file. */
bool gallery_row_has(const json_t *row, gallery_file which);
/* What names of pictures end with: ".png". */
const char *gallery_format(const cli_gallery *gallery);
/* What the name of the file ends with, of pictures in a format such as "png". */
const char *gallery_ending(char out[32], gallery_file which, const char *format);
/* The names of the files in rows. */
extern const char *const gallery_file_keys[GALLERY_FILES];
/* Writes down the options that what is made depends on. */
void gallery_format_settings(cli_gallery *gallery);
/* SITE/FOLDER/ID and an ending, of the folder "maps" or "tiles"; the caller's to free. */
char *gallery_path(const cli_gallery *gallery, const char *folder, const gallery_map *map,
                   const char *ending);
/* The record of a map that was worked on. Takes the row over, borrows the rest. */
json_t *gallery_record(const cli_gallery *gallery, json_t *row, const loaded *file, const text *missing);
/* The row that an earlier run wrote of a map, whose files are there; NULL: none. The caller's to release. */
json_t *gallery_remembered(const cli_gallery *gallery, const gallery_map *map);
/*
 * Whether what an earlier run made of the map still holds; then its row is there. A map whose file is newer
 * than its page, but the same by its SHA-256, gets a newer page.
 */
bool gallery_is_fresh(const cli_gallery *gallery, gallery_map *map);

/* ------------------------------------------------------------------------------ the site (gallery_site.c) */

/* Makes the folders. False after having said what speaks against the site. */
bool gallery_open_site(cli_gallery *gallery);
/* Writes a file of the site; refuses to follow a link out of it. */
tm_status gallery_save(const char *path, text *whole, tm_error *error);
tm_status gallery_may_write(const char *path, tm_error *error);
/* Fails if a folder is or holds, at any depth, a link, which may lead out of the site; it may be missing. */
tm_status gallery_refuse_links(const char *folder, tm_error *error);
/*
 * The page of all maps before these are worked on, and the list when that is done. False after having said
 * why not.
 */
bool gallery_write_index(cli_gallery *gallery);
bool gallery_write_list(cli_gallery *gallery);
/* Gathers the rows of maps of earlier runs that are none of these. */
void gallery_find_absent(cli_gallery *gallery);
/*
 * Removes files that maps of this run do not need any more; and also all files of maps that were not found.
 */
void gallery_sweep(cli_gallery *gallery);
void gallery_sweep_with_absent(cli_gallery *gallery);

#endif
