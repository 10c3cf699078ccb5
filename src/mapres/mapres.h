/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAPRES_H
#define TMI_MAPRES_H
/*
 * Internal side of mapres/.
 *   data_folders.c     the table of the folders in which systems and users have the games
 *   mapres_folders.c   the list of folders of one search, made of that table and what the caller says
 *   mapres_images.c    the images in the folders, and what was read already
 *   mapres_editor.c    pictures of entities and rules of automappers, which editors keep next to them
 *
 * A file or folder is not there if the system says so (ENOENT, ENOTDIR). If it cannot be asked, the search
 * ends with TM_ERROR_IO: to go on would find another game's file under the same name.
 */
#include <teemap/mapres.h>

#include "../base/base.h"
#include "../games/games.h"

/* A folder in which a game has `mapres`, `editor` and `maps`, below the folder that a variable names. */
typedef struct tmi_data_folder {
    const char *variable;
    const char *path;
    tm_mapres_source source;
} tmi_data_folder;

/* The n-th row of the table; NULL after the last one. */
const tmi_data_folder *tmi_data_folder_at(size_t index);
/* What the path of a row stands below; NULL: its variable is not set, so there is no such folder. */
const char *tmi_data_folder_base(const tmi_data_folder *folder, const tm_mapres_options *options);
/* The folder that is searched after all others; NULL: none. */
const char *tmi_mapres_last_folder(const tm_mapres_options *options);

#define TMI_NO_DATA SIZE_MAX

typedef struct tmi_mapres_folder {
    char *path;
    size_t data_size; /* bytes of `path` that name the game's data folder, with its slash; or TMI_NO_DATA */
    tm_mapres_source source;
    bool found, unread; /* as in tm_mapres_folder */
} tmi_mapres_folder;

struct tm_mapres {
    const tm_allocator *allocator;
    tmi_mapres_folder *folders; /* in the order in which they are searched */
    size_t num_folders, capacity;
    tm_mapres_cache *cache; /* NULL: none */
    bool shipped_only;
    tm_game game; /* whose pictures these are, with shipped_only */
};

/* The first `length` bytes of `folder`, a slash if it needs one, and `rest`; NULL without memory. */
char *tmi_mapres_join(const tm_allocator *allocator, const char *folder, size_t length, const char *rest);

/* The same path in *path, which the caller frees, if a file is there, and NULL if not. */
tm_status tmi_mapres_find_file(char **path, const tm_allocator *allocator, const char *folder, size_t length,
                               const char *rest, tm_error *error);
/* Whether images are searched for in a folder; asks again if it could not be asked before. */
tm_status tmi_mapres_is_searched(bool *searched, const tmi_mapres_folder *folder, tm_error *error);
/* Adds the files in a folder whose names end so to *num; none where there is no folder. */
tm_status tmi_mapres_count_files(uint64_t *num, const tm_mapres *mapres, const char *folder,
                                 const char *suffix, tm_error *error);

#endif
