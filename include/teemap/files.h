/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_FILES_H
#define TEEMAP_FILES_H
/*
 * teemap/files.h - many files with names, going out and coming in, wherever they are: in a folder
 * (teemap/store.h), in memory (below), in an archive of the caller's. What reads and writes them touches
 * no file system.
 *
 * A name is a path below the root: parts with slashes between them, "groups/Game/Game.json". No part is
 * empty, "." or "..", and none holds a control character or a backslash.
 *
 * Threads: stand at each function.
 */
#include <teemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Has the caller write a file: everything goes through `output`, from front to back. */
typedef tm_status tm_file_put(void *ctx, const tm_output *output, tm_error *error);

/*
 * Where files go. `write` calls put(put_ctx, ...) once and keeps what it wrote under `name`, all of it
 * or, on failure, nothing; each name comes once. (One that only wants the names need not call it.) It is
 * called by one thread at a time, unless `parallel` says that several may call it at once.
 */
typedef struct tm_files_out {
    void *ctx;
    tm_status (*write)(void *ctx, const char *name, tm_file_put *put, void *put_ctx, tm_error *error);
    bool parallel;
} tm_files_out;

/*
 * Where files come from: `num` of them, sorted by the bytes of their names. `name` is borrowed as long as
 * the source; `open` gives the bytes, which the caller closes, and may be called by several threads at
 * once.
 */
typedef struct tm_files_in {
    void *ctx;
    uint32_t num;
    const char *(*name)(void *ctx, uint32_t index);
    tm_status (*open)(void *ctx, uint32_t index, tm_input *out, tm_error *error);
    /*
     * May be NULL. What stands at this name although none of the files has it, to be told behind "the file",
     * as "is a symbolic link, which is not followed"; static. NULL: nothing stands there.
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
 * Files in memory. Zero-initialise it, or set only `allocator`; read `list` and `num`, which are sorted
 * by name after tm_memory_files_in. The list frees what it was given by tm_memory_files_out.
 */
typedef struct tm_memory_files {
    tm_memory_file *list;
    uint32_t num;
    size_t capacity;
    const tm_allocator *allocator; /* NULL: malloc */
} tm_memory_files;
/* Files that are written become elements of the list. One thread. */
TM_API tm_files_out tm_memory_files_out(tm_memory_files *files);
/* The files of the list, which is sorted, and must not change while they are read. */
TM_API tm_files_in tm_memory_files_in(tm_memory_files *files);
/* Adds a file, or replaces one of the same name, by a copy of the bytes. */
TM_API tm_status tm_memory_files_add(tm_memory_files *files, const char *name, const void *bytes, size_t size,
                                     tm_error *error);
/* NULL if there is no such file. */
TM_API const tm_memory_file *tm_memory_files_find(const tm_memory_files *files, const char *name);
TM_API void tm_memory_files_release(tm_memory_files *files);

/*
 * What a map's file has beside the map (tm_mapfile_sidecar_write), and whose it is: `places` says of each
 * object of the map, in the order images, sounds, envelopes, groups, layers of all groups, which number it
 * had among its kind in the map of which `bytes` was made, or TM_NONE.
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
