/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_STORE_H
#define TEEMAP_STORE_H
/*
 * teemap/store.h - loads and saves maps and datafiles by path, and writes files safely. It connects
 * teemap/sys.h with teemap/mapfile.h.
 *
 * Threads: several threads may call all functions at once, each with its own findings and errors. If two
 * threads save to the same path, the last one wins; their data do not mix.
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
 * tm_mapfile_load for a file. error->path is always the path. Data that are not read at once are read from
 * the file on demand, also by tm_store_save, and reading fails if the file was changed meanwhile
 * (tm_sys_open_input). For a map that does not depend on its file, use tm_sys_open_input, tm_input_load and
 * tm_mapfile_load.
 */
TM_API tm_status tm_store_load(tm_map **out, const char *path, const tm_mapfile_options *options,
                               tm_findings *findings, tm_error *error);
/* tm_datafile_open for a file. */
TM_API tm_status tm_store_open_datafile(tm_datafile **out, const char *path,
                                        const tm_datafile_options *options, tm_findings *findings,
                                        tm_error *error);
/*
 * tm_mapfile_save to a file, atomically: the old file does not change until the new one is complete. Saving
 * to the path that was loaded is safe.
 */
TM_API tm_status tm_store_save(const tm_map *map, const char *path, const tm_mapfile_save_options *options,
                               const tm_job *job, tm_findings *findings, tm_error *error);

/*
 * Writes a file of `size` bytes, atomically: the old file does not change until the new one is complete and
 * on disk. An existing target that is not a regular file (a pipe, /dev/stdout) is written directly. To write
 * in several steps, use tm_sys_save_begin.
 */
TM_API tm_status tm_store_write_bytes(const char *path, const void *bytes, size_t size,
                                      const tm_allocator *allocator, tm_error *error);

/*
 * A folder as a set of named files (teemap/files.h). tm_store_folder_open lists all files in it, recursively,
 * except hidden ones (names that begin with a dot) and those whose names teemap/files.h does not allow; at
 * most eight levels of folders and a million files. `make` creates a missing folder, but not its parent.
 *
 * Nothing outside the folder is read or written: names do not contain "..", and symbolic links below the
 * folder are not followed; a link in place of an output file is refused. (Another process that may change the
 * folder can create a link at that moment. The folder itself may be a link.)
 *
 * in: the files that existed when it was opened. out: writes files, each atomically, from any number of
 * threads, and creates folders as needed. Both are borrowed until close.
 */
typedef struct tm_store_folder tm_store_folder;
TM_API tm_status tm_store_folder_open(tm_store_folder **out, const char *path, bool make,
                                      const tm_allocator *allocator, tm_error *error);
TM_API tm_files_in tm_store_folder_in(tm_store_folder *folder);
TM_API tm_files_out tm_store_folder_out(tm_store_folder *folder);
/* Removes a file of the folder. */
TM_API tm_status tm_store_folder_remove(tm_store_folder *folder, const char *name, tm_error *error);
TM_API void tm_store_folder_close(tm_store_folder *folder);

/* Both hashes of a file, whatever its content (tm_hash_input). */
TM_API tm_status tm_store_hash(tm_hashes *out, const char *path, const tm_allocator *allocator,
                               tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
