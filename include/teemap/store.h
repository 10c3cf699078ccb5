/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_STORE_H
#define TEEMAP_STORE_H
/*
 * teemap/store.h - paths in, paths out: loads and saves maps and datafiles by path, and writes bytes
 * in the same safe way. Joins teemap/sys.h with teemap/mapfile.h; nothing else in the library knows
 * both.
 *
 * Threads: all functions may be called by several threads at once, with findings and errors of their own.
 * Two that save to one path do not mix: the last one stays.
 */
#ifdef TM_WITHOUT_SYS
#error "this libteemap was built with TEEMAP_SYS=OFF: it has no files, folders and threads"
#endif

#include <teemap/codec.h>
#include <teemap/files.h>
#include <teemap/mapfile.h>
#include <teemap/sys.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * tm_mapfile_load on a file. error->path is the path, whatever failed. What is not read at once is read from
 * the file when it is asked for, also by tm_store_save, and fails if the file was written to meanwhile
 * (tm_sys_open_input). For a map that does not depend on its file: tm_sys_open_input, tm_input_load,
 * tm_mapfile_load.
 */
TM_API tm_status tm_store_load(tm_map **out, const char *path, const tm_mapfile_options *options,
                               tm_findings *findings, tm_error *error);
/* tm_datafile_open on a file. */
TM_API tm_status tm_store_open_datafile(tm_datafile **out, const char *path,
                                        const tm_datafile_options *options, tm_findings *findings,
                                        tm_error *error);
/*
 * tm_mapfile_save to a file, atomically: the old file stays as it was until the new one is whole. Saving to
 * the path that was loaded is safe.
 */
TM_API tm_status tm_store_save(const tm_map *map, const char *path, const tm_mapfile_save_options *options,
                               const tm_job *job, tm_findings *findings, tm_error *error);

/*
 * Writes a file of `size` bytes, atomically: the old file stays as it was until the new one is whole and on
 * the disk. What exists and is no regular file (a pipe, /dev/stdout) is written to directly. For files in
 * pieces there is tm_sys_save_begin.
 */
TM_API tm_status tm_store_write_bytes(const char *path, const void *bytes, size_t size,
                                      const tm_allocator *allocator, tm_error *error);

/*
 * A folder as files with names (teemap/files.h). open lists all files in it and below, but for hidden
 * ones (a name that begins with a dot) and those whose names teemap/files.h does not allow; at most eight
 * folders deep and a million files. With `make` a folder that is not there is made, in one that is.
 *
 * Nothing outside of the folder is ever read or written: names have no ".." in them, and no symbolic link
 * below the folder is followed; one that stands where a file is to be written is refused. (Who may change
 * the folder while it is worked on can put a link there in that moment. The folder itself may be a link.)
 *
 * in: the files that were there when it was opened. out: writes files, each atomically, in any number of
 * threads; folders on the way are made. Both are borrowed until close.
 */
typedef struct tm_store_folder tm_store_folder;
TM_API tm_status tm_store_folder_open(tm_store_folder **out, const char *path, bool make,
                                      const tm_allocator *allocator, tm_error *error);
TM_API tm_files_in tm_store_folder_in(tm_store_folder *folder);
TM_API tm_files_out tm_store_folder_out(tm_store_folder *folder);
/* Removes a file of the folder. */
TM_API tm_status tm_store_folder_remove(tm_store_folder *folder, const char *name, tm_error *error);
TM_API void tm_store_folder_close(tm_store_folder *folder);

/* Both hashes of a file as it is, whatever is in it (tm_hash_input). */
TM_API tm_status tm_store_hash(tm_hashes *out, const char *path, const tm_allocator *allocator,
                               tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
