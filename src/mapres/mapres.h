/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAPRES_H
#define TMI_MAPRES_H
/*
 * Internal side of mapres/.
 *   mapres_folders.c   the list of folders, made of what the caller tells
 *   mapres_images.c    the files in the folders, and what was read already
 *   mapres_editor.c    pictures of entities and rules of automappers, which editors keep next to them
 */
#include <teemap/mapres.h>

#include "../base/base.h"
#include "../games/games.h"

typedef struct tmi_mapres_folder {
    char *path;
    tm_mapres_source source;
    bool found;
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

/*
 * The same path, if a file is there; TM_ERROR_NOT_FOUND or TM_ERROR_MEMORY and NULL if not. The caller frees
 * it.
 */
tm_status tmi_mapres_file(char **path, const tm_allocator *allocator, const char *folder, size_t length,
                          const char *rest);

/* Files in a folder whose names end so; 0 where there is no folder. */
uint64_t tmi_mapres_count_files(const tm_mapres *of, const char *folder, const char *suffix);

#endif
