/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_FILES_H
#define TEEMAP_FILES_H
/*
 * teemap/files.h - sets of named files to write and read, independent of where they are: in a folder
 * (teemap/store.h), in memory (below), in an archive of the caller. Functions that use them do not access a
 * file system.
 *
 * A name is a path relative to the root: parts separated by slashes, "groups/Game/Game.json". No part is
 * empty, "." or "..", or contains a control character or a backslash.
 *
 * Threads: see each function.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the content of a file sequentially to `output`. */
typedef tm_status tm_file_put(void *ctx, const tm_output *output, tm_error *error);

/*
 * A destination of files. `write` calls put(put_ctx, ...) once and stores the result under `name`, completely
 * or, on failure, not at all. Each name occurs once. (A destination that only needs the names need not call
 * it.) It is called by one thread at a time, unless `parallel` allows several threads.
 */
typedef struct tm_files_out {
    void *ctx;
    tm_status (*write)(void *ctx, const char *name, tm_file_put *put, void *put_ctx, tm_error *error);
    bool parallel;
} tm_files_out;

/*
 * A source of `num` files, sorted by the bytes of their names. `name` is borrowed until the source is
 * released. `open` returns the bytes, which the caller closes; several threads may call it at once.
 */
typedef struct tm_files_in {
    void *ctx;
    uint32_t num;
    const char *(*name)(void *ctx, uint32_t index);
    tm_status (*open)(void *ctx, uint32_t index, tm_input *out, tm_error *error);
    /*
     * May be NULL. Describes what is at this name if it is not one of the files, to follow "the file" in a
     * message: "is a symbolic link, which is not followed"; static. NULL: nothing is there.
     */
    const char *(*no_file)(void *ctx, const char *name);
} tm_files_in;

/* A file in memory. */
typedef struct tm_memory_file {
    const char *name;
    const void *bytes;
    size_t size;
} tm_memory_file;

/*
 * Files in memory. Zero-initialize it, or set only `allocator`. Read `list` and `num`, which are sorted by
 * name after tm_memory_files_in. The list frees what tm_memory_files_out added.
 */
typedef struct tm_memory_files {
    tm_memory_file *list;
    uint32_t num;
    size_t capacity;
    const tm_allocator *allocator; /* NULL: malloc */
} tm_memory_files;
/* Written files become elements of the list. One thread. */
TM_API tm_files_out tm_memory_files_out(tm_memory_files *files);
/* The files of the list, which this sorts, and which must not change while they are read. */
TM_API tm_files_in tm_memory_files_in(tm_memory_files *files);
/* Adds a copy of the bytes as a file, or replaces a file of the same name. */
TM_API tm_status tm_memory_files_add(tm_memory_files *files, const char *name, const void *bytes, size_t size,
                                     tm_error *error);
/* NULL if there is no such file. */
TM_API const tm_memory_file *tm_memory_files_find(const tm_memory_files *files, const char *name);
TM_API void tm_memory_files_release(tm_memory_files *files);

/*
 * Data of a map's file that the map does not hold (tm_mapfile_sidecar_write), and to which objects they
 * belong: `places` has for each object of the map, in the order images, sounds, envelopes, groups, layers of
 * all groups, its index among its kind in the map from which `bytes` were made, or TM_NONE.
 */
typedef struct tm_sidecar {
    void *bytes;
    size_t size;
    int32_t *places;
    size_t num_places;
    const tm_allocator *allocator;
} tm_sidecar;
TM_API void tm_sidecar_release(tm_sidecar *sidecar);

#ifdef __cplusplus
}
#endif
#endif
