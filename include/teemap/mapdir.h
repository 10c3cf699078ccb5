/* SPDX-License-Identifier: Zlib */
#ifndef TEEMAP_MAPDIR_H
#define TEEMAP_MAPDIR_H
/*
 * teemap/mapdir.h - a map as files of text, PNG and Opus, for people and for version control. docs/mapdir.md
 * describes the files, which are read and written through teemap/files.h: a folder, memory, an archive. It
 * also reads twmap's MapDir.
 *
 *     tm_mapdir_write(map, &files, NULL, NULL, &error);                  a map to files ...
 *     tm_mapdir_read(&map, &files, NULL, NULL, &findings, &error);       ... and back: tm_map_equal
 *
 * The content of the files follows the table of fields (teemap/fields.h), and values are written by
 * tm_value_format, so new fields need no work. Content outside the model, and how the file was packed, is
 * stored by tm_mapfile_sidecar_write in one of the files.
 *
 * Threads: calls for different maps and sets of files may run at once.
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
     * The result of tm_mapfile_sidecar_write for the map, or NULL: it becomes the file sidecar.bin. Borrowed.
     */
    const void *kept;
    size_t kept_size; /* bytes */
    /*
     * The files of an earlier version of the map, or NULL. Objects keep their names in these files; of
     * several objects with the same name, each gets the name of the most similar file. Unknown members of
     * their JSON are kept: they are written at the end of the new file with the same name, one per line.
     * Borrowed; no file may change before the file of the same name is written.
     */
    const tm_files_in *before;
    /*
     * Bytes that may be unpacked for all files together, counting shared blocks each time they are written:
     * default 1 GiB. For a map that needs more, no file is written: TM_ERROR_LIMIT.
     */
    uint64_t unpacked_bytes;
    /*
     * Leave out what a rewritten map does not have: the version, parallax zoom, which no current game reads,
     * and zeros in empty layers. A map read from such files and saved gives the same files again.
     */
    bool plain;
} tm_mapdir_write_options;
#define TM_MAPDIR_WRITE_OPTIONS_INIT                             \
    {                                                            \
        sizeof(tm_mapdir_write_options), NULL, 0, NULL, 0, false \
    }

/*
 * Writes a map as files. The same map gives the same names and bytes everywhere, except PNGs, which depend on
 * the versions of the libraries. Names of files are derived from names of objects: safe on every file system,
 * unique also without case, and independent of other objects, unless both have the same name; then
 * options->before keeps them stable.
 *
 * Uses the job's threads if files->parallel allows it. The files contain all of a map except layers of
 * unknown kinds, which are in the sidecar. Fails like tm_map_verify and tm_map_data, with the object as
 * place, and with the first failure of `files`.
 */
TM_API tm_status tm_mapdir_write(const tm_map *map, const tm_files_out *files,
                                 const tm_mapdir_write_options *options, const tm_job *job, tm_error *error);

/*
 * Writes files for other programs: embedded images as images/NAME.png, sounds as sounds/NAME.opus, info.json,
 * settings.txt if there are settings, and list.json, which maps files to objects. Names are those of
 * tm_mapdir_write. Invalid pictures become images/NAME.bin. Fails like tm_mapdir_write.
 */
TM_API tm_status tm_mapdir_extract(const tm_map *map, const tm_files_out *files, const tm_job *job,
                                   tm_error *error);
/*
 * The reverse: sets images and sounds to the content of the files that tm_mapdir_extract would write for
 * them, in `folder` ("" or NULL: the root). PNG or WebP pixels under the name of the PNG. Equal content is
 * not changed. `report` (may be NULL) lists the changes. TM_ERROR_UNSUPPORTED if the file of an invalid
 * picture (NAME.bin) differs from the map. TM_ERROR_NOT_FOUND if no file belongs to the map, unless the map
 * has nothing embedded and list.json exists. On failure the map is unchanged.
 */
TM_API tm_status tm_mapdir_embed(tm_map *map, const tm_files_in *files, const char *folder, tm_report *report,
                                 tm_error *error);

/* Whether tm_mapdir_write may use a name; identifies files of an earlier version to remove. */
TM_API bool tm_mapdir_is_own(const char *name);

/*
 * An object in the form of its file: info, image, sound, envelope, group, layer. References have the names of
 * tm_mapdir_write without options->before.
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
 * Reads files as a map; as MapDir if there is a version.json and no map.json. Every error is a finding with
 * file, line and column as place; if there are errors, the call fails with TM_ERROR_DAMAGED and the first of
 * them. `sidecar` may be NULL; it is zero without a file sidecar.bin. Only files that the lists contain are
 * read; others are reported.
 */
TM_API tm_status tm_mapdir_read(tm_map **out, tm_sidecar *sidecar, const tm_files_in *files,
                                const tm_mapdir_read_options *options, const tm_job *job,
                                tm_findings *findings, tm_error *error);

#ifdef __cplusplus
}
#endif
#endif
