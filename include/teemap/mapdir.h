/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MAPDIR_H
#define TEEMAP_MAPDIR_H
/*
 * teemap/mapdir.h - a map as files of text, PNG and Opus, made for people and for version control.
 * docs/mapdir.md describes the files. They come and go through teemap/files.h: a folder, memory, an archive.
 * twmap's MapDir is read, too.
 *
 *     tm_mapdir_write(map, &files, NULL, NULL, &error);                  a map becomes files ...
 *     tm_mapdir_read(&map, &files, NULL, NULL, &findings, &error);       ... and files a map: tm_map_equal
 *
 * What the files say comes from the table of fields (teemap/fields.h), and values stand there as
 * tm_value_format writes them: a new field is there without anything being done. What the model does not
 * hold, and how the file was packed, is kept by tm_mapfile_sidecar_write, whose bytes go along as one file.
 *
 * Threads: as many calls at once as there are maps and sets of files.
 */
#include <teemap/files.h>
#include <teemap/findings.h>
#include <teemap/map.h>
#include <teemap/report.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tm_mapdir_write_options {
    size_t size; /* sizeof(tm_mapdir_write_options) */
    /*
     * What tm_mapfile_sidecar_write wrote of the map, or NULL: it becomes the file sidecar.bin. Borrowed.
     */
    const void *kept;
    size_t kept_size; /* bytes */
    /*
     * Files that were written of the map as it was before, or NULL. Objects keep the names that they have
     * there: of several with an equal name each gets that of the file which is most like its own. And members
     * of their JSON that no object has stay: the new file of the name has them at its end, each on a line.
     * Borrowed; none of its files may change before that of the same name is
     * written.
     */
    const tm_files_in *before;
    /*
     * Bytes that may be unpacked for all files together, blocks that objects share as often as they are
     * written: default 1 GiB. Of a map that needs more no file is written: TM_ERROR_LIMIT.
     */
    uint64_t unpacked_bytes;
    /*
     * Leave out what a map that is saved anew does not have: no version, parallax zoom, which no game reads
     * today, zeros in layers without elements. A map that is read from such files and saved gives them again.
     */
    bool plain;
} tm_mapdir_write_options;
#define TM_MAPDIR_WRITE_OPTIONS_INIT                             \
    {                                                            \
        sizeof(tm_mapdir_write_options), NULL, 0, NULL, 0, false \
    }

/*
 * Writes a map as files. The same map gives the same names and bytes everywhere, but for PNGs, which
 * depend on the versions of the libraries. Objects are known by names that are made of their own: safe on
 * every file system, different also where case does not count, and none changes when another object comes
 * or goes, unless both have the same name; then options->before keeps them apart.
 *
 * Works on the job's threads where files->parallel allows it. The files hold all of a map but layers of
 * unknown kinds, which `kept` has. Fails as tm_map_verify and tm_map_data do, with the object as place, and
 * with the first failure of `files`.
 */
TM_API tm_status tm_mapdir_write(const tm_map *map, const tm_files_out *files,
                                 const tm_mapdir_write_options *options, const tm_job *job, tm_error *error);

/*
 * Writes what other programs have a use for: embedded images as images/NAME.png, sounds as
 * sounds/NAME.opus, info.json, settings.txt if there are settings, and list.json, which says which file is
 * of which object. Names are those of tm_mapdir_write. Pixels that are no picture become images/NAME.bin.
 * Fails as tm_mapdir_write does.
 */
TM_API tm_status tm_mapdir_extract(const tm_map *map, const tm_files_out *files, const tm_job *job,
                                   tm_error *error);
/*
 * The way back: gives images and sounds the content of the files that tm_mapdir_extract would write for
 * them, where they are, below `folder` ("" or NULL: at the root). PNG or WebP pixels under the name of the
 * PNG. What is equal already stays as it is, with its bytes. `report` (may be NULL) tells what has changed.
 * TM_ERROR_UNSUPPORTED when a file of pixels that are no picture (NAME.bin) holds other bytes than the map.
 * TM_ERROR_NOT_FOUND when no file is of the map, unless it has nothing embedded and list.json is there. On
 * failure the map is as before.
 */
TM_API tm_status tm_mapdir_embed(tm_map *map, const tm_files_in *files, const char *folder, tm_report *report,
                                 tm_error *error);

/*
 * Whether a name is one that tm_mapdir_write may give to a file: by it those of a map that was there
 * before are known, that have to go.
 */
TM_API bool tm_mapdir_is_own(const char *name);

/*
 * An object in the form in which it stands in its file: info, image, sound, envelope, group, layer.
 * References have the names that tm_mapdir_write gives without options->before.
 */
TM_API tm_status tm_mapdir_write_object(const tm_map *map, const tm_address *address, const tm_output *output,
                                        tm_error *error);

typedef struct tm_mapdir_read_options {
    size_t size;                   /* sizeof(tm_mapdir_read_options) */
    const tm_limits *limits;       /* of the map; default: all defaults */
    const tm_allocator *allocator; /* default: malloc; must outlive the map */
} tm_mapdir_read_options;
#define TM_MAPDIR_READ_OPTIONS_INIT                \
    {                                              \
        sizeof(tm_mapdir_read_options), NULL, NULL \
    }

/*
 * Reads files as a map: as MapDir if there is a version.json and no map.json.
 * Everything that is wrong is a finding with the file, line and column as place; if there are errors among
 * them, nothing is read and the call fails with TM_ERROR_DAMAGED and the first of them. `sidecar` may be
 * NULL; it is zero without a file sidecar.bin. Only files that the lists name are read; others are reported.
 */
TM_API tm_status tm_mapdir_read(tm_map **out, tm_sidecar *sidecar, const tm_files_in *files,
                                const tm_mapdir_read_options *options, const tm_job *job,
                                tm_findings *findings, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
