/* SPDX-License-Identifier: Zlib */
#ifndef TMI_MAPRES_H
#define TMI_MAPRES_H
/*
 * Internal side of mapres/.
 *   mapres_folders.c   the list of folders, made of what the caller tells
 *   mapres_images.c    names, and the files in the folders
 */
#include <teemap/mapres.h>

#include "../base/base.h"

typedef struct tmi_mapres_folder {
    char *path;
    tm_mapres_source source;
    bool found;
} tmi_mapres_folder;

struct tm_mapres {
    const tm_allocator *allocator;
    tmi_mapres_folder *folders; /* in the order in which they are searched */
    size_t num_folders, capacity;
};

/* The first `length` bytes of `folder`, a slash if it needs one, and `rest`; NULL without memory. */
char *tmi_mapres_join(const tm_allocator *allocator, const char *folder, size_t length, const char *rest);

#endif
