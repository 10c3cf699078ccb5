/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_STORE_H
#define TEEMAP_STORE_H
/*
 * teemap/store.h - paths in, paths out: loads and saves maps and datafiles by path. Joins teemap/sys.h with
 * teemap/mapfile.h; nothing else in the library knows both.
 *
 * Threads: all functions may be called by several threads at once, with findings and errors of their own. Two that save to
 * one path do not mix: the last one stays.
 */
#include <teemap/mapfile.h>
#include <teemap/sys.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * tm_mapfile_load on a file. error->path is the path, whatever failed.
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

#ifdef __cplusplus
}
#endif
#endif
